// A buffer of an engine's pool, for the length of one run: an array of the program, of whatever type and rank, or a result.

using System.Runtime.InteropServices;
using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>With memory of its own, where arrays are copied to and back; without (a capacity of 0) for arrays that the engine uses where
/// they lie.</summary>
internal sealed unsafe class HostCopy : DeviceBuffer
{
    private GCHandle _pin;

    public HostCopy(Engine engine, Storage elements, nint layout, int size, long capacity) : base(engine, capacity)
    {
        (Elements, Layout, Capacity, Bytes) = (elements, layout, capacity, capacity * size);
        try
        {
            nint buffer;
            engine.Session.Check(layout != 0
                ? Api.ilc_buffer_create_structs(&buffer, engine.Native, layout, capacity)
                : Api.ilc_buffer_create(&buffer, engine.Native, (int)elements, capacity));
            Handle.Set(buffer);
        }
        catch
        {
            Handle.Abandon();
            throw;
        }
    }

    public Storage Elements { get; }
    public nint Layout { get; }
    public long Capacity { get; }
    public long Bytes { get; }
    /// <summary>The next one in the list that it is in: of a run's, or of the pool's.</summary>
    public HostCopy? Next { get; set; }
    /// <summary>What it is a copy of, or where it lies; null of a result that is copied.</summary>
    public Array? Array { get; private set; }
    /// <summary>The kernel may store to it.</summary>
    public bool Written { get; set; }
    /// <summary>What the array held before, where the kernel writes it in place.</summary>
    public HostCopy? Before { get; set; }
    /// <summary>Does it lie in the array itself?</summary>
    public bool InPlace => _pin.IsAllocated;

    /// <summary>Can the processor's engine use the array where it lies? Arrays of Boolean, Char and structures cannot be pinned.</summary>
    public static bool CanLie(Engine engine, Array array) =>
        engine.Kind == EngineKind.Cpu && array.Rank <= MostDimensions && array.GetType().GetElementType() is { IsPrimitive: true } type && type != typeof(bool) && type != typeof(char);

    public void Resize(long length)
    {
        if (Capacity > 0)
            Engine.Session.Check(Api.ilc_buffer_resize(Native, length));
        (Length, Array, Written) = (length, null, false);
    }

    /// <summary>Copies the array there, with its shape.</summary>
    public void Take(Array array)
    {
        Array = array;
        Reshape(array);
        fixed (byte* pinned = &CallValues.Start(array))
            Engine.Session.Check(Api.ilc_buffer_write(Native, 0, CallValues.Data(array), Length));
    }

    /// <summary>Takes the array itself, until <see cref="GiveBack"/>.</summary>
    public void LieIn(Array array)
    {
        _pin = GCHandle.Alloc(array, GCHandleType.Pinned);
        (Array, Length) = (array, array.LongLength);
        Engine.Session.Check(Api.ilc_buffer_lend(Native, CallValues.Data(array), Length));
        Reshape(array);
    }

    public void GiveBack()
    {
        if (!_pin.IsAllocated)
            return;
        _ = Api.ilc_buffer_lend(Native, null, 0);
        _pin.Free();
    }

    private const int MostDimensions = 3;

    private void Reshape(Array array)
    {
        if (array.Rank is < 2 or > MostDimensions)
            return;
        long* dims = stackalloc long[MostDimensions];
        for (int k = 0; k < array.Rank; k++)
            dims[k] = array.GetLength(k);
        Engine.Session.Check(Api.ilc_buffer_reshape(Native, (uint)array.Rank, dims));
    }

    /// <summary>Copies what the kernel left there to the array.</summary>
    public void TakeBack()
    {
        fixed (byte* pinned = &CallValues.Start(Array!))
            Read(CallValues.Data(Array!));
    }

    public void Read(void* to) => Engine.Session.Check(Api.ilc_buffer_read(Native, 0, to, Length));
}
