// The types of generated programs: storage kinds, their arrays, and what they are on the evaluation stack.

namespace Generator;

internal enum Kind { Void, Boolean, Char, SByte, Byte, Int16, UInt16, Int32, UInt32, Int64, UInt64, IntPtr, UIntPtr, Single, Double }

/// <summary>Types of the evaluation stack (ECMA-335 III.1.1), the two widths of F apart.</summary>
internal enum Stack { I4, I8, I, R4, R8 }

/// <summary>A scalar, a vector of scalars, or (with the rest) a struct, an array of rank 2, and by-refs.</summary>
internal readonly record struct TypeOf(Kind Kind, bool IsArray = false)
{
    public StructType? Struct { get; init; }
    public bool IsRef { get; init; }
    public int Rank { get; init; } // 0, or of an array that is no vector
    public bool IsPointer { get; init; } // unmanaged

    public bool IsScalar => !IsArray && Struct == null && !IsRef && !IsPointer && Rank == 0;
    public bool IsStruct => Struct != null && !IsArray && !IsRef && Rank == 0;
    public bool IsVector => IsArray && Struct == null && !IsRef; // of scalars
    public bool IsAnyArray => (IsArray || Rank > 0) && !IsRef;
    public bool HoldsStruct => Struct != null && Rank == 0; // is one, is by reference, or is an array of them

    /// <summary>What a by-ref is to, or the by-ref to it.</summary>
    public TypeOf Target => this with { IsRef = false };
    public TypeOf Ref => this with { IsRef = true };

    public static TypeOf Of(StructType type) => new(Kind.Void) { Struct = type };

    public override string ToString() =>
        (Struct?.Name ?? Kind.ToString()) + (IsArray ? "[]" : Rank > 0 ? $"[{new string(',', Rank - 1)}]" : "") + (IsRef ? "&" : "");
}

internal sealed record Field(string Name, TypeOf Type)
{
    public int Token { get; set; }
}

/// <summary>A struct of the generated assembly: a constructor of all its fields, and one method.</summary>
internal sealed class StructType(string name, IReadOnlyList<Field> fields)
{
    public string Name => name;
    public IReadOnlyList<Field> Fields => fields;
    public int Token { get; set; }
    public int Constructor { get; set; }
    public System.Reflection.Metadata.EntityHandle Handle { get; set; }

    /// <summary>The ways to everything inside: fields one after another, and the type of the last.</summary>
    public IEnumerable<Field[]> Paths() =>
        fields.SelectMany(f => f.Type.IsStruct ? f.Type.Struct!.Paths().Select(rest => (Field[])[f, .. rest]).Prepend([f]) : [[f]]);
}

/// <summary>What programs may have besides the core; without any, seeds give what they always gave.</summary>
[Flags]
internal enum Features
{
    None = 0,
    Refs = 1,        // by-ref parameters and locals, address-taken locals
    Structs = 2,     // inside: locals, fields, parameters and results of what is not called from outside
    Throws = 4,      // in the middle of expressions
    Recursion = 8,
    NewArrays = 16,  // arrays made by the method
    Rank2 = 32,
    StructRoots = 64, // structs in the signatures that requests call
    StructArrays = 128,
    Pointers = 256,  // to locals
    Blocks = 1024,   // localloc
    Core = 512,      // nothing besides, but random numbers for each method
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
