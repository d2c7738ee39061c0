// The types of generated programs: storage kinds, their arrays, and what they are on the evaluation stack.

namespace Generator;

internal enum Kind { Void, Boolean, Char, SByte, Byte, Int16, UInt16, Int32, UInt32, Int64, UInt64, IntPtr, UIntPtr, Single, Double }

/// <summary>Types of the evaluation stack (ECMA-335 III.1.1), the two widths of F apart.</summary>
internal enum Stack { I4, I8, I, R4, R8 }

internal readonly record struct TypeOf(Kind Kind, bool IsArray = false)
{
    public override string ToString() => IsArray ? $"{Kind}[]" : $"{Kind}";
}

internal static class Kinds
{
    public static readonly Kind[] All = Enum.GetValues<Kind>()[1..];

    public static Stack OnStack(this Kind kind) => kind switch
    {
        Kind.Int64 or Kind.UInt64 => Stack.I8,
        Kind.IntPtr or Kind.UIntPtr => Stack.I,
        Kind.Single => Stack.R4,
        Kind.Double => Stack.R8,
        _ => Stack.I4,
    };

    public static bool IsFloat(this Stack stack) => stack is Stack.R4 or Stack.R8;
}
