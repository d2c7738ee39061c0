// Structs whose layouts CoreCLR itself reports: `dotnet Layouts.dll > layouts.txt` writes, for each struct of the
// class Laid, its size and its fields with their offsets. Refused: structs that have no layout here. layout_test.c
// reads Layouts.dll and layouts.txt.
using System;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

public enum Small : byte { A, B }
public struct Empty { }
public struct Vec2 { public float X, Y; }
public struct Mixed { public byte A; public double B; public short C; public int D; public bool E; public char F; }
public struct Nested { public byte A; public Vec2 V; public Mixed M; public Empty E; public sbyte Z; }
public struct WithStatics { public static int S; public int A; public const int C = 3; public long B; }
public struct Enums { public Small A; public DayOfWeek D; public Small B; public nint N; public nuint U; }
public struct Pair<T, U> { public T First; public U Second; }
[StructLayout(LayoutKind.Sequential, Pack = 4)] public struct Pack4 { public int A; public int B; public byte C; public short D; }
[StructLayout(LayoutKind.Sequential, Pack = 16)] public struct Pack16 { public byte A; public long B; }
[StructLayout(LayoutKind.Sequential, Size = 40)] public struct Sized { public int A; public double B; }
[StructLayout(LayoutKind.Sequential, Size = 2)] public struct SizedLess { public int A; }
[StructLayout(LayoutKind.Explicit)] public struct Explicit { [FieldOffset(8)] public int A; [FieldOffset(0)] public double B; [FieldOffset(16)] public byte C; }
[StructLayout(LayoutKind.Explicit, Size = 32)] public struct ExplicitSized { [FieldOffset(4)] public int A; }
[StructLayout(LayoutKind.Auto)] public struct Auto { public byte A; public double B; public short C; public int D; public bool E; public long F; }
[StructLayout(LayoutKind.Auto)] public struct AutoNested { public byte A; public Vec2 V; public short C; public int D; }
public record struct Recorded(float X, byte B, double Y);

[StructLayout(LayoutKind.Explicit)] public struct Union { [FieldOffset(0)] public int A; [FieldOffset(2)] public short B; }
public struct HasArray { public int A; public float[] B; }
public struct HasObject { public string S; }
public unsafe struct HasBuffer { public fixed byte Data[8]; }
public unsafe struct HasPointer { public int* P; }
[InlineArray(4)] public struct Inline { public float First; }
[StructLayout(LayoutKind.Sequential, Pack = 1)] public struct Unaligned { public byte A; public int B; }
[StructLayout(LayoutKind.Sequential, Pack = 1)] public struct UnalignedSize { public int A; public byte B; }
[StructLayout(LayoutKind.Sequential, Pack = 2)] public struct PackedNested { public byte A; public Unaligned B; public UnalignedSize C; public double D; }
[StructLayout(LayoutKind.Explicit)] public struct OverNested { [FieldOffset(0)] public Vec2 V; [FieldOffset(4)] public long L; }
public struct Holes { public byte A; public int B; }
[StructLayout(LayoutKind.Explicit)] public struct OverHoles { [FieldOffset(0)] public Holes H; [FieldOffset(0)] public long L; }
[StructLayout(LayoutKind.Sequential, Size = 6)] public struct OddSize { public int A; }
public struct Deep { public HasArray Inner; }
public struct Wide { public Int128 A; }
public ref struct RefStruct { public ref int R; }
public class AClass { public int A; }
public struct Outer<T> { public struct Inner { public T A; } }

public static class Laid
{
    public static void Take(Empty a, Vec2 b, Mixed c, Nested d, WithStatics e, Enums f, Pair<byte, double> g, Pair<Pair<byte, short>, Small> h,
                            Pack4 i, Pack16 j, Sized k, SizedLess l, Explicit m, ExplicitSized n, Auto o, AutoNested p, Recorded q,
                            Outer<short>.Inner r, ValueTuple<byte, double, short> s, ValueTuple<float, Vec2> t, DateTime u, Nullable<int> v,
                            Union w, Unaligned x, UnalignedSize y, PackedNested z, HasBuffer aa, OverNested bb) { }
}

public static class Refused
{
    public static void Take(OverHoles a, HasArray b, HasObject c, HasPointer e, Inline f, OddSize g, Deep j,
                            Wide k, Pair<int, string> l, AClass m) { }
    public static void Open<T>(Pair<T, int> a) { }
}

public static class Program
{
    delegate nint Offset<T>(ref T at);

    static nint OffsetOf<T>(FieldInfo field)
    {
        var method = new DynamicMethod("offset", typeof(nint), new[] { typeof(T).MakeByRefType() }, typeof(Program), true);
        var il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldflda, field);
        il.Emit(OpCodes.Conv_I);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Conv_I);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Ret);
        T value = default;
        return ((Offset<T>)method.CreateDelegate(typeof(Offset<T>)))(ref value);
    }

    static void Print<T>()
    {
        Console.Write($"{Unsafe.SizeOf<T>()}");
        foreach (var field in typeof(T).GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic).OrderBy(f => f.MetadataToken))
            Console.Write($" {field.Name}@{OffsetOf<T>(field)}");
        Console.WriteLine();
    }

    public static void Main()
    {
        var print = typeof(Program).GetMethod("Print", BindingFlags.Static | BindingFlags.NonPublic);
        foreach (var parameter in typeof(Laid).GetMethod("Take").GetParameters())
            print.MakeGenericMethod(parameter.ParameterType).Invoke(null, null);
    }
}
