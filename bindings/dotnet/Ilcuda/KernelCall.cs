// One run being put together: its arguments in their native form, arrays of the program on buffers of the engine's pool.

using System.Runtime.CompilerServices;
using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>Holds the session until it is disposed of. Each session keeps one for the next run, so that a run makes nothing new.</summary>
internal sealed unsafe class KernelCall : IDisposable
{
    private readonly Session _session;
    private readonly long[] _extents = new long[3];
    private readonly NativeMemory _memory = new();
    private CArgument[] _args = new CArgument[8];
    private object?[] _objects = new object?[8];
    private int _count, _dims;
    private long _elements;
    private string? _measured;
    private bool _done;
    private HostCopy? _copies;
    private Kernel _kernel = null!;
    private Engine _engine = null!;

    private KernelCall(Session session) => _session = session;

    public static KernelCall Begin(Kernel kernel, Engine engine)
    {
        if (engine == null)
            throw new ArgumentNullException(nameof(engine));
        Session session = kernel.Session;
        if (engine.Session != session)
            throw new IlcudaException(Status.Invalid, "kernel and engine belong to different sessions");
        session.Enter(); // left by Dispose
        KernelCall call = session.SpareCall ?? new KernelCall(session);
        session.SpareCall = null;
        (call._kernel, call._engine, call._dims, call._elements, call._measured, call._done) = (kernel, engine, kernel.Dimensions, -1, null, false);
        return call;
    }

    public void Dispose()
    {
        while (_copies is { } copy)
        {
            _copies = copy.Next;
            if (copy.Before is { } before)
            {
                if (!_done)
                    before.TakeBack();
                copy.Before = null;
                _engine.Pool.Return(before);
            }
            copy.GiveBack();
            _engine.Pool.Return(copy);
        }
        Array.Clear(_objects, 0, _count);
        _memory.Dispose();
        _count = 0;
        (_kernel, _engine) = (null!, null!);
        _session.SpareCall = this;
        _session.Gate.Exit();
    }

    // --- extents ---

    public void SetExtents(ReadOnlySpan<long> extents)
    {
        if (extents.Length > _extents.Length)
            throw new IlcudaException(Status.Invalid, $"a launch has at most {_extents.Length} extents, not {extents.Length}");
        _dims = extents.Length;
        extents.CopyTo(_extents);
    }

    private ReadOnlySpan<long> Extents => _extents.AsSpan(0, _dims);

    private long Total
    {
        get
        {
            long total = 1;
            foreach (long extent in Extents)
                total = checked(total * Math.Max(extent, 0));
            return total;
        }
    }

    /// <summary>The arrays of an element-wise kernel say how many elements there are, and must agree.</summary>
    private void Measure(int parameter, long length)
    {
        if (!_kernel.IsElementWise(parameter))
            return;
        string name = _kernel.Method.Described[parameter].Name;
        if (_elements >= 0 && _elements != length)
            throw new IlcudaException(Status.Invalid, $"{_kernel.Method.FullName}: argument {name} has {length} elements, {_measured} has {_elements}");
        (_elements, _measured) = (length, name);
        _extents[0] = length;
    }

    private void MustBeMeasured()
    {
        if (_kernel.Mode == IndexMode.ElementWise && _elements < 0)
            throw new IlcudaException(Status.Invalid, $"{_kernel.Method.FullName}: no argument is an array, so nothing says how many elements there are");
    }

    // --- arguments ---

    private ref CArgument Next(int slot)
    {
        if (_count == _args.Length)
        {
            Array.Resize(ref _args, 2 * _count);
            Array.Resize(ref _objects, 2 * _count);
        }
        ref CArgument made = ref _args[_count++];
        made = CArgument.At(slot);
        return ref made;
    }

    /// <summary>For a parameter, or, where the number is ~k, for result k.</summary>
    public void Add(int slot, in KernelArgument argument)
    {
        _ = Next(slot);
        _args[_count - 1] = argument.ToNative(_kernel, slot, _memory);
        _objects[_count - 1] = argument.Managed;
    }

    /// <summary>An array of the program, copied to a buffer unless the engine can use it where it lies; one that is there already is one array.</summary>
    public void AddArray(int parameter, Array array)
    {
        HostCopy? copy = _copies;
        while (copy != null && !ReferenceEquals(copy.Array, array))
            copy = copy.Next;
        if (copy == null)
        {
            IlParameter described = _kernel.Method.Described[parameter];
            Storage storage = Storages.Of(array.GetType().GetElementType()!);
            bool structs = storage == Storage.Other;
            if (structs && !CallValues.IsStructArray(array, described))
                throw new IlcudaException(Status.Invalid, $"{_kernel.Method.FullName}: argument {described.Name} must be {described.Type}, not {array.GetType().Name}");
            if (HostCopy.CanLie(_engine, array))
            {
                copy = LieIn(storage, array);
            }
            else
            {
                copy = Rent(structs ? Storage.Struct : storage, structs ? described.Layout : 0, array.Length);
                copy.Take(array);
            }
        }
        copy.Written |= _kernel.Written[parameter];
        if (copy.InPlace && copy.Written && copy.Before == null)
        {
            HostCopy before = _engine.Pool.Rent(copy.Elements, 0, Storages.Size(copy.Elements), copy.Length);
            before.Take(array);
            copy.Before = before;
        }
        Next(parameter).Buffer = copy.Native;
    }

    private HostCopy LieIn(Storage storage, Array array)
    {
        HostCopy copy = _engine.Pool.RentEmpty(storage);
        copy.Next = _copies;
        _copies = copy;
        copy.LieIn(array);
        return copy;
    }

    private HostCopy Rent(Storage storage, nint layout, long length)
    {
        int size = layout != 0 ? (int)Api.ilc_struct_size(layout) : Storages.Size(storage);
        HostCopy copy = _engine.Pool.Rent(storage, layout, size, length);
        copy.Next = _copies;
        _copies = copy;
        return copy;
    }

    /// <summary>An argument of a typed kernel in the position of its parameter. An index has its extent there. A structure by value is
    /// used where it lies: the argument must stay there until the run is over.</summary>
    public void Add<T>(int parameter, in Arg<T> argument)
    {
        int dim = _kernel.IndexOf(parameter);
        if (dim >= 0)
            _extents[dim] = Number(parameter, in argument);
        else if (argument.Given is DeviceBuffer buffer)
            AddBuffer(parameter, buffer);
        else if (argument.Given is Array values)
            AddMeasured(parameter, values);
        else if (typeof(T).IsValueType)
            AddValue(parameter, in argument);
        else if (argument.Value is Array array)
            AddMeasured(parameter, array);
        else
            Add(parameter, argument.Value == null ? KernelArgument.Null : KernelArgument.Object(argument.Value));
    }

    private void AddMeasured(int parameter, Array array)
    {
        Measure(parameter, array.Length);
        AddArray(parameter, array);
    }

    private void AddBuffer(int parameter, DeviceBuffer buffer)
    {
        Measure(parameter, buffer.Length);
        Next(parameter).Buffer = buffer.Native;
    }

    private long Number<T>(int parameter, in Arg<T> argument)
    {
        Storage storage = StorageOf<T>.Value;
        if (argument.Given != null || storage is < Storage.SByte or > Storage.UIntPtr)
            throw new IlcudaException(Status.Invalid, $"{_kernel.Method.FullName}: {_kernel.Method.Described[parameter].Name} is an index: it is given its extent, a number");
        return (long)Storages.BitsOf(storage, in argument.Value);
    }

    private void AddValue<T>(int parameter, in Arg<T> argument)
    {
        Storage storage = StorageOf<T>.Value;
        if (storage != Storage.Other)
        {
            Next(parameter).Value = new CValue { Storage = (int)storage, Bits = Storages.BitsOf(storage, in argument.Value) };
            return;
        }
        IlParameter described = _kernel.Method.Described[parameter];
        if (!CallValues.IsStruct(typeof(T), described))
            throw new IlcudaException(Status.Invalid, $"{_kernel.Method.FullName}: argument {described.Name} does not take a {typeof(T).Name}");
        ulong at = (ulong)Unsafe.AsPointer(ref Unsafe.AsRef(in argument.Value));
        Next(parameter).Value = new CValue { Storage = (int)Storage.Struct, Bits = at, Layout = described.Layout };
    }

    // --- running ---

    private const long MostElements = 0x7FFFFFC7;

    public LaunchResult TryLaunch(LaunchOptions? options = null, CancellationToken token = default) =>
        _kernel.Run(_engine, Extents, _args.AsSpan(0, _count), _objects.AsSpan(0, _count), options, token);

    private LaunchResult Launch(CancellationToken token)
    {
        LaunchResult result = TryLaunch(null, token);
        return result.Trap == null ? result : throw result.Trap.ToException();
    }

    /// <summary>What the kernel may have stored comes back to the arrays of the program.</summary>
    public void TakeBack()
    {
        for (HostCopy? copy = _copies; copy != null; copy = copy.Next)
        {
            if (copy.Written && copy.Array != null && !copy.InPlace)
                copy.TakeBack();
        }
        _done = true;
    }

    /// <summary>Runs a Sub.</summary>
    public void Run(CancellationToken token)
    {
        if (_kernel.ResultCount != 0)
            throw new IlcudaException(Status.Invalid, $"{_kernel.Method.FullName} has a result: call Run with its type");
        Launch(token);
        TakeBack();
    }

    /// <summary>The same of a typed kernel.</summary>
    public void RunTyped(CancellationToken token)
    {
        MustBeMeasured();
        Run(token);
    }

    /// <summary>Launches a typed kernel with a result that is a buffer.</summary>
    public LaunchResult LaunchTyped(DeviceBuffer result, CancellationToken token)
    {
        MustBeMeasured();
        if (result == null)
            throw new ArgumentNullException(nameof(result));
        Add(~0, (KernelArgument)result);
        LaunchResult launched = Launch(token);
        TakeBack();
        return launched;
    }

    /// <summary>Runs a typed kernel that has a result.</summary>
    public T[] ResultTyped<T>(CancellationToken token) where T : unmanaged
    {
        MustBeMeasured();
        return Result<T>(token);
    }

    /// <summary>Runs a kernel that has a result: all that is made is the array.</summary>
    public T[] Result<T>(CancellationToken token) where T : unmanaged
    {
        if (_kernel.Method.Result == Storage.Struct && StorageOf<T>.Value == Storage.Other)
            return Structs<T>(token);
        if (_kernel.ResultCount != 1)
            throw new IlcudaException(Status.Invalid, $"{_kernel.Method.FullName} has {_kernel.ResultCount} results: {(_kernel.ResultCount == 0 ? "call Run without a type" : "launch it with a buffer for each, or call Run with the structure's type")}");
        if (StorageOf<T>.Value == Storage.Other)
            throw new IlcudaException(Status.Invalid, $"{_kernel.Method.FullName} does not give a {typeof(T).Name}");
        long total = Total;
        T[]? inPlace = total is > 0 and <= MostElements && HostCopy.CanLie(_engine, Array.Empty<T>()) ? new T[total] : null;
        HostCopy copy = inPlace == null ? AddResult(0, StorageOf<T>.Value) : LieIn(StorageOf<T>.Value, inPlace);
        if (inPlace != null)
            Next(~0).Buffer = copy.Native;
        Launch(token);
        TakeBack();
        if (inPlace != null)
            return inPlace;
        var result = new T[copy.Length];
        fixed (T* to = result)
            copy.Read(to);
        return result;
    }

    public HostCopy AddResult(int output, Storage storage)
    {
        HostCopy copy = Rent(storage, 0, Total);
        Next(~output).Buffer = copy.Native;
        return copy;
    }

    /// <summary>The engine has an array for each number in the structure.</summary>
    private T[] Structs<T>(CancellationToken token) where T : unmanaged
    {
        IReadOnlyList<KernelOutput> outputs = _kernel.Outputs;
        if (sizeof(T) != _kernel.Method.ResultSize)
            throw new IlcudaException(Status.Invalid, $"{_kernel.Method.FullName} does not give a {typeof(T).Name}");
        var copies = new HostCopy[outputs.Count];
        for (int k = 0; k < copies.Length; k++)
            copies[k] = AddResult(k, outputs[k].Storage);
        Launch(token);
        TakeBack();
        var result = new T[Total];
        fixed (T* first = result)
        {
            for (int k = 0; k < copies.Length; k++)
            {
                int size = Storages.Size(outputs[k].Storage);
                byte[] numbers = new byte[copies[k].Length * size];
                fixed (byte* from = numbers)
                {
                    copies[k].Read(from);
                    for (long e = 0; e < result.LongLength; e++)
                        Buffer.MemoryCopy(from + e * size, (byte*)(first + e) + outputs[k].Offset, size, size);
                }
            }
        }
        return result;
    }
}
