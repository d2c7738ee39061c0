// A buffer of an engine's pool: an array of the program, of whatever type and rank, or a result, for the length of one run.

using System.Runtime.InteropServices;
using Ilcuda.Interop;

namespace Ilcuda;

internal sealed unsafe class HostCopy : DeviceBuffer
{
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
    /// <summary>What it is a copy of; null of a result.</summary>
    public Array? Array { get; private set; }
    /// <summary>The kernel may store to it.</summary>
    public bool Written { get; set; }

    public void Resize(long length)
    {
        Engine.Session.Check(Api.ilc_buffer_resize(Native, length));
        (Length, Array, Written) = (length, null, false);
    }

    /// <summary>Copies the array there, with its shape.</summary>
    public void Take(Array array)
    {
        const int mostDimensions = 3;
        Array = array;
        if (array.Rank is > 1 and <= mostDimensions)
        {
            long* dims = stackalloc long[mostDimensions];
            for (int k = 0; k < array.Rank; k++)
                dims[k] = array.GetLength(k);
            Engine.Session.Check(Api.ilc_buffer_reshape(Native, (uint)array.Rank, dims));
        }
        fixed (byte* pinned = &CallValues.Start(array))
            Engine.Session.Check(Api.ilc_buffer_write(Native, 0, CallValues.Data(array), Length));
    }

    /// <summary>Copies what the kernel left there to the array.</summary>
    public void TakeBack()
    {
        fixed (byte* pinned = &CallValues.Start(Array!))
            Read(CallValues.Data(Array!));
    }

    public void Read(void* to) => Engine.Session.Check(Api.ilc_buffer_read(Native, 0, to, Length));
}
