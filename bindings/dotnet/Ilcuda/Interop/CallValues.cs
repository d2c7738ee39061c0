// The arguments of one call as the library takes them, and what it left in them. Everything is copied: a call in an
// interpreter costs more.

using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Ilcuda.Interop;

internal sealed unsafe class CallValues(string method) : IDisposable
{
    /// <summary>The bytes of a boxed value begin where the fields of this object do.</summary>
    private sealed class Boxed
    {
        public byte First;
    }

    private readonly NativeMemory _memory = new();
    private readonly List<(Array Managed, nint Native)> _arrays = [];
    private readonly List<(object Given, nint Native)> _places = [];
    private IlParameter[] _parameters = [];
    private CValue* _values;

    public void Dispose() => _memory.Dispose();

    public CValue* Pass(IlParameter[] parameters, object?[] args)
    {
        _parameters = parameters;
        _values = (CValue*)_memory.Take((long)args.Length * sizeof(CValue));
        for (int k = 0; k < args.Length; k++)
            _values[k] = Argument(parameters[k], args[k]);
        return _values;
    }

    /// <summary>What arrays and by-refs hold after the call.</summary>
    public void TakeBack(object?[] args)
    {
        foreach ((Array managed, nint native) in _arrays)
            FromNative(managed, (CArray*)native);
        for (int k = 0; k < args.Length; k++)
        {
            if (_parameters[k].IsByRef)
                args[k] = FromBytes(args[k]!.GetType(), ((CArray*)_values[k].Bits)->Data);
        }
    }

    /// <summary>What the method gave: of an array that it was given that one, else one of its own.</summary>
    public object? Result(in CValue value, Type? type)
    {
        var storage = (Storage)value.Storage;
        if (storage == Storage.Void)
            return null;
        if (value.IsArray != 0)
            return ArrayResult((CArray*)value.Bits, type);
        if (storage == Storage.Struct)
            return type != null ? FromBytes(type, (void*)value.Bits)
                : throw new IlcudaException(Status.Unsupported, "a struct result needs the method of reflection: take it with Session.Method");
        object boxed = Storages.Box(storage, value.Bits);
        return type is { IsEnum: true } ? Enum.ToObject(type, boxed) : boxed;
    }

#if MODERN
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "A native program has no IL, so no call comes here.")]
#endif
    private Array? ArrayResult(CArray* from, Type? type)
    {
        if (from == null)
            return null;
        if (Given((nint)from) is { } given)
            return given;
        var storage = (Storage)from->Elem;
        if (type == null && storage is Storage.Struct or Storage.Array)
            throw new IlcudaException(Status.Unsupported, "a result of structs or arrays needs the method of reflection: take it with Session.Method");
        Type element = type?.GetElementType() ?? Storages.Box(storage, 0).GetType();
        long[] lengths = new long[Math.Max(1, (int)from->Rank)];
        for (int k = 0; k < lengths.Length; k++)
            lengths[k] = lengths.Length == 1 ? from->Length : from->Dims[k];
        Array made = Array.CreateInstance(element, lengths);
        FromNative(made, from);
        return made;
    }

    private CValue Argument(IlParameter param, object? given)
    {
        if (param.IsByRef)
            return ByRef(param, given);
        if (param.IsArray)
            return new CValue { Storage = (int)param.Storage, IsArray = 1, Bits = (ulong)(nint)ArrayOf(param, given) };
        if (given == null)
            throw Unfit(param, given);
        if (param.Storage == Storage.Struct)
            return new CValue { Storage = (int)Storage.Struct, Bits = (ulong)StructBytes(param, given), Layout = param.Layout };
        if (Storages.Of(given.GetType()) != param.Storage)
            throw Unfit(param, given);
        return new CValue { Storage = (int)param.Storage, Bits = Storages.Bits(param.Storage, Plain(given)) };
    }

    private static object Plain(object value) => value is Enum ? Storages.Number(value) : value;

    private CValue ByRef(IlParameter param, object? given)
    {
        if (given == null || (param.Storage != Storage.Struct && Storages.Of(given.GetType()) != param.Storage))
            throw Unfit(param, given);
        foreach ((object other, nint native) in _places)
        {
            if (ReferenceEquals(other, given))
                return new CValue { Storage = (int)param.Storage, IsArray = 1, IsByRef = 1, Bits = (ulong)native };
        }
        void* data;
        if (param.Storage == Storage.Struct)
        {
            data = StructBytes(param, given);
        }
        else
        {
            data = _memory.Take(8);
            *(ulong*)data = Storages.Bits(param.Storage, Plain(given));
        }
        var array = (CArray*)_memory.Take(sizeof(CArray));
        *array = new CArray { Elem = (int)param.Storage, Length = 1, Data = data, Layout = param.Layout };
        // Two by-refs of one box are one place.
        _places.Add((given, (nint)array));
        return new CValue { Storage = (int)param.Storage, IsArray = 1, IsByRef = 1, Bits = (ulong)(nint)array };
    }

    private IlcudaException Unfit(IlParameter param, object? given) => new(Status.Invalid,
        $"{method}: argument {param.Name} must be {param.Type}, not {(given == null ? "null" : given.GetType().Name)}");

    // --- arrays ---

    private CArray* ArrayOf(IlParameter param, object? given)
    {
        if (given == null)
            return null;
        return given is Array array && Fits(array.GetType(), param) ? ToNative(array, param) : throw Unfit(param, given);
    }

    private static bool Fits(Type type, IlParameter param)
    {
        for (int level = 0; level < param.Nested; level++)
        {
            if (!type.IsArray || type.GetArrayRank() != 1)
                return false;
            type = type.GetElementType()!;
        }
        if (!type.IsArray || (param.Nested == 0 && type.GetArrayRank() != param.Rank))
            return false;
        Type element = type.GetElementType()!;
        return param.Innermost == Storage.Struct ? IsStruct(element, param) : Storages.Of(element) == param.Innermost;
    }

    private CArray* ToNative(Array array, IlParameter param)
    {
        foreach ((Array known, nint native) in _arrays)
        {
            if (ReferenceEquals(known, array))
                return (CArray*)native;
        }
        Type element = array.GetType().GetElementType()!;
        Storage storage = element.IsArray ? Storage.Array : param.Innermost;
        nint layout = storage == Storage.Struct ? param.Layout : 0;
        var made = (CArray*)_memory.Take(sizeof(CArray));
        int size = layout != 0 ? (int)Api.ilc_struct_size(layout) : Storages.Size(storage);
        *made = new CArray { Elem = (int)storage, Length = array.LongLength, Layout = layout, Data = _memory.Take(array.LongLength * size) };
        if (array.Rank > 1)
        {
            made->Rank = (uint)array.Rank;
            for (int k = 0; k < array.Rank; k++)
                made->Dims[k] = array.GetLength(k);
        }
        _arrays.Add((array, (nint)made));
        Fill(array, storage, size, made, param);
        return made;
    }

    private void Fill(Array array, Storage storage, int size, CArray* made, IlParameter param)
    {
        if (storage == Storage.Array)
        {
            for (int k = 0; k < array.Length; k++)
                ((CArray**)made->Data)[k] = array.GetValue(k) is Array inner ? ToNative(inner, param) : null;
        }
        else if (storage == Storage.Struct)
        {
            byte* at = (byte*)made->Data;
            foreach (object element in array)
            {
                CopyBox(element, at, size);
                at += size;
            }
        }
        else
        {
            byte[] bytes = new byte[Buffer.ByteLength(array)];
            Buffer.BlockCopy(array, 0, bytes, 0, bytes.Length);
            Marshal.Copy(bytes, 0, (nint)made->Data, bytes.Length);
        }
    }

    private void FromNative(Array array, CArray* from)
    {
        if ((Storage)from->Elem == Storage.Array)
        {
            for (int k = 0; k < array.Length; k++)
                array.SetValue(Known(((nint*)from->Data)[k]), k);
        }
        else if ((Storage)from->Elem == Storage.Struct)
        {
            Type element = array.GetType().GetElementType()!;
            int size = (int)Api.ilc_struct_size(from->Layout);
            int[] at = new int[array.Rank];
            for (long k = 0; k < array.LongLength; k++)
            {
                array.SetValue(FromBytes(element, (byte*)from->Data + k * size), at);
                for (int rank = array.Rank - 1; rank >= 0 && ++at[rank] == array.GetLength(rank); rank--)
                    at[rank] = 0;
            }
        }
        else
        {
            byte[] bytes = new byte[Buffer.ByteLength(array)];
            Marshal.Copy((nint)from->Data, bytes, 0, bytes.Length);
            Buffer.BlockCopy(bytes, 0, array, 0, bytes.Length);
        }
    }

    private Array? Given(nint native)
    {
        foreach ((Array managed, nint at) in _arrays)
        {
            if (at == native)
                return managed;
        }
        return null;
    }

    private Array? Known(nint native) => native == 0 ? null
        : Given(native) ?? throw new IlcudaException(Status.Unsupported, $"{method} left an array of its own in an array of arrays");

    // --- structs: the bytes that CoreCLR has in memory ---

    /// <summary>A structure by value for the kernel's parameter.</summary>
    public static CValue Struct(object given, IlMethod method, int number, NativeMemory memory)
    {
        IlParameter? param = number >= 0 ? method.Described[number] : null;
        if (param?.Storage != Storage.Struct || !IsStruct(given.GetType(), param))
            throw new IlcudaException(Status.Invalid, $"{method.FullName}: argument {param?.Name ?? "il_out"} does not take a {given.GetType().Name}");
        uint size = Api.ilc_struct_size(param.Layout);
        void* bytes = memory.Take(size);
        CopyBox(given, (byte*)bytes, size);
        return new CValue { Storage = (int)Storage.Struct, Bits = (ulong)bytes, Layout = param.Layout };
    }

    /// <summary>Is it an array of the parameter's structures?</summary>
    public static bool IsStructArray(Array array, IlParameter param) =>
        param.Storage == Storage.Struct && IsStruct(array.GetType().GetElementType()!, param);

    /// <summary>Where the elements of an array lie that is fixed by <see cref="Start"/>.</summary>
    public static void* Data(Array array) => array.Length == 0 ? null : (void*)Marshal.UnsafeAddrOfPinnedArrayElement(array, 0);

    public static bool IsStruct(Type type, IlParameter param) =>
        type.IsValueType && !type.IsPrimitive && !type.IsEnum && SizeOf(type) == Api.ilc_struct_size(param.Layout);

    private void* StructBytes(IlParameter param, object given)
    {
        if (!IsStruct(given.GetType(), param))
            throw Unfit(param, given);
        uint size = Api.ilc_struct_size(param.Layout);
        void* bytes = _memory.Take(size);
        CopyBox(given, (byte*)bytes, size);
        return bytes;
    }

    public static ref byte Start(object of) => ref Unsafe.As<Boxed>(of).First;

    private static readonly System.Collections.Concurrent.ConcurrentDictionary<Type, long> Sizes = new();

    /// <summary>How far elements of this type lie apart in an array.</summary>
    public static long SizeOf(Type type) => Sizes.GetOrAdd(type, Measured);

#if MODERN
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "A native program has no IL, so no call comes here.")]
#endif
    private static long Measured(Type type)
    {
        Array two = Array.CreateInstance(type, 2);
        fixed (byte* pinned = &Start(two))
            return (long)Marshal.UnsafeAddrOfPinnedArrayElement(two, 1) - (long)Marshal.UnsafeAddrOfPinnedArrayElement(two, 0);
    }

    private static void CopyBox(object boxed, byte* to, long size)
    {
        fixed (byte* from = &Start(boxed))
            Buffer.MemoryCopy(from, to, size, size);
    }

    /// <summary>The bytes of a primitive or a struct.</summary>
    public static byte[] BytesOf(object value)
    {
        byte[] bytes = new byte[SizeOf(value.GetType())];
        fixed (byte* to = bytes)
            CopyBox(value, to, bytes.Length);
        return bytes;
    }

    /// <summary>A value of a primitive, an enum or a struct from its bytes.</summary>
#if MODERN
    [UnconditionalSuppressMessage("Trimming", "IL2067", Justification = "A struct needs no constructor.")]
#endif
    public static object FromBytes(Type type, void* from)
    {
#if MODERN
        object boxed = RuntimeHelpers.GetUninitializedObject(type);
#else
        object boxed = System.Runtime.Serialization.FormatterServices.GetUninitializedObject(type);
#endif
        long size = SizeOf(type);
        fixed (byte* to = &Start(boxed))
            Buffer.MemoryCopy(from, to, size, size);
        return boxed;
    }
}
