// Types as the library keeps them, and their .NET twins.

using System.Runtime.CompilerServices;

namespace Ilcuda;

/// <summary>What a parameter, an element or a result is kept as (include/ilcuda/storage.def).</summary>
public enum Storage
{
    /// <summary>No value: a Sub.</summary>
    Void,
    /// <summary>Boolean, one byte.</summary>
    Boolean,
    /// <summary>Char, a UTF-16 unit.</summary>
    Char,
    /// <summary>SByte.</summary>
    SByte,
    /// <summary>Byte.</summary>
    Byte,
    /// <summary>Int16, Short.</summary>
    Int16,
    /// <summary>UInt16, UShort.</summary>
    UInt16,
    /// <summary>Int32, Integer.</summary>
    Int32,
    /// <summary>UInt32, UInteger.</summary>
    UInt32,
    /// <summary>Int64, Long.</summary>
    Int64,
    /// <summary>UInt64, ULong.</summary>
    UInt64,
    /// <summary>IntPtr, nint.</summary>
    IntPtr,
    /// <summary>UIntPtr, nuint.</summary>
    UIntPtr,
    /// <summary>Single, float.</summary>
    Single,
    /// <summary>Double, double.</summary>
    Double,
    /// <summary>An array in an array of arrays.</summary>
    Array,
    /// <summary>A structure, tuple or record.</summary>
    Struct,
    /// <summary>A type that a kernel cannot take.</summary>
    Other,
}

internal static class Storages
{
    /// <summary>Of a primitive or an enum; Other of any other type.</summary>
    public static Storage Of(Type type)
    {
        if (type.IsEnum)
            type = Enum.GetUnderlyingType(type);
        if (type == typeof(nint))
            return Storage.IntPtr;
        if (type == typeof(nuint))
            return Storage.UIntPtr;
        return Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean => Storage.Boolean,
            TypeCode.Char => Storage.Char,
            TypeCode.SByte => Storage.SByte,
            TypeCode.Byte => Storage.Byte,
            TypeCode.Int16 => Storage.Int16,
            TypeCode.UInt16 => Storage.UInt16,
            TypeCode.Int32 => Storage.Int32,
            TypeCode.UInt32 => Storage.UInt32,
            TypeCode.Int64 => Storage.Int64,
            TypeCode.UInt64 => Storage.UInt64,
            TypeCode.Single => Storage.Single,
            TypeCode.Double => Storage.Double,
            _ => Storage.Other,
        };
    }

    public static int Size(Storage storage) => storage switch
    {
        Storage.Boolean or Storage.SByte or Storage.Byte => 1,
        Storage.Char or Storage.Int16 or Storage.UInt16 => 2,
        Storage.Int32 or Storage.UInt32 or Storage.Single => 4,
        Storage.Int64 or Storage.UInt64 or Storage.IntPtr or Storage.UIntPtr or Storage.Double or Storage.Array => 8,
        _ => 0,
    };

    /// <summary>The value of these bits.</summary>
    public static object Box(Storage storage, ulong bits) => storage switch
    {
        Storage.Boolean => Raw<bool>(bits),
        Storage.Char => (char)bits,
        Storage.SByte => (sbyte)bits,
        Storage.Byte => (byte)bits,
        Storage.Int16 => (short)bits,
        Storage.UInt16 => (ushort)bits,
        Storage.Int32 => (int)bits,
        Storage.UInt32 => (uint)bits,
        Storage.Int64 => (long)bits,
        Storage.UInt64 => bits,
        Storage.IntPtr => (nint)(long)bits,
        Storage.UIntPtr => (nuint)bits,
        Storage.Single => Raw<float>(bits),
        Storage.Double => Raw<double>(bits),
        _ => throw new IlcudaException(Status.Unsupported, $"there is no .NET value for {storage}"),
    };

    /// <summary>As the library keeps a scalar: sign- or zero-extended, a Single in the low half.</summary>
    public static ulong Bits(Storage storage, object value) => storage switch
    {
        Storage.Boolean => RawBits((bool)value),
        Storage.Char => (char)value,
        Storage.SByte => (ulong)(sbyte)value,
        Storage.Byte => (byte)value,
        Storage.Int16 => (ulong)(short)value,
        Storage.UInt16 => (ushort)value,
        Storage.Int32 => (ulong)(int)value,
        Storage.UInt32 => (uint)value,
        Storage.Int64 => (ulong)(long)value,
        Storage.UInt64 => (ulong)value,
        Storage.IntPtr => (ulong)(long)(nint)value,
        Storage.UIntPtr => (nuint)value,
        Storage.Single => RawBits((float)value),
        Storage.Double => RawBits((double)value),
        _ => throw new IlcudaException(Status.Unsupported, $"there is no .NET value for {storage}"),
    };

    /// <summary>A scalar for a parameter of another type: numbers keep their value or do not fit, Single and Double are rounded once.</summary>
    public static bool TryConvert(Storage from, ulong bits, Storage to, out ulong made)
    {
        made = bits;
        if (from == to)
            return true;
        if (to is Storage.Single or Storage.Double)
        {
            double number = from switch
            {
                Storage.Single => Raw<float>(bits),
                Storage.Double => Raw<double>(bits),
                _ => IsSigned(from) ? (long)bits : bits,
            };
            made = to == Storage.Single ? RawBits((float)number) : RawBits(number);
            return true;
        }
        if (from is Storage.Single or Storage.Double or Storage.Void || Size(to) == 0)
            return false;
        int unused = 64 - 8 * Size(to);
        made = IsSigned(to) ? (ulong)((long)(bits << unused) >> unused) : bits << unused >> unused;
        return made == bits && (IsSigned(from) && (long)bits < 0) == (IsSigned(to) && (long)made < 0) && (to != Storage.Boolean || bits <= 1);
    }

    private static bool IsSigned(Storage storage) =>
        storage is Storage.SByte or Storage.Int16 or Storage.Int32 or Storage.Int64 or Storage.IntPtr;

    /// <summary>As <see cref="Bits"/>, of a value whose type is that of the storage.</summary>
    public static ulong BitsOf<T>(Storage storage, in T value) => BitsAt(storage, ref Unsafe.As<T, byte>(ref Unsafe.AsRef(in value)));

    /// <summary>The same of a value that lies there.</summary>
    public static ulong BitsAt(Storage storage, ref byte at) => storage switch
    {
        Storage.SByte => (ulong)(sbyte)at,
        Storage.Boolean or Storage.Byte => at,
        Storage.Int16 => (ulong)Unsafe.ReadUnaligned<short>(ref at),
        Storage.Char or Storage.UInt16 => Unsafe.ReadUnaligned<ushort>(ref at),
        Storage.Int32 => (ulong)Unsafe.ReadUnaligned<int>(ref at),
        Storage.UInt32 or Storage.Single => Unsafe.ReadUnaligned<uint>(ref at),
        _ => Unsafe.ReadUnaligned<ulong>(ref at),
    };

    /// <summary>An enum's own number.</summary>
    public static object Number(object value) =>
        Convert.ChangeType(value, Enum.GetUnderlyingType(value.GetType()), System.Globalization.CultureInfo.InvariantCulture);

    private static unsafe T Raw<T>(ulong bits) where T : unmanaged => *(T*)&bits;

    /// <summary>The value's own bytes, zeros above: a NaN keeps its payload, a Boolean may hold 2.</summary>
    public static unsafe ulong RawBits<T>(T value) where T : unmanaged
    {
        ulong bits = 0;
        *(T*)&bits = value;
        return bits;
    }
}

/// <summary>Looked up once for each type.</summary>
internal static class StorageOf<T>
{
    public static readonly Storage Value = Storages.Of(typeof(T));
}
