// Arrays on an engine.

using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>An array on an engine, of whatever type. It keeps its engine alive, and lives until it is disposed of or forgotten.</summary>
public abstract class DeviceBuffer : IDisposable
{
    private protected readonly BufferHandle Handle;

    private protected DeviceBuffer(Engine engine, long length)
    {
        Engine = engine ?? throw new ArgumentNullException(nameof(engine));
        Length = length;
        Handle = new BufferHandle(engine.Session.Gate, engine.Handle);
    }

    /// <summary>The engine that holds it.</summary>
    public Engine Engine { get; }
    /// <summary>How many elements it holds.</summary>
    public long Length { get; private protected set; }

    internal nint Native =>
        Handle.IsClosed ? throw new ObjectDisposedException(nameof(DeviceBuffer)) : Handle.DangerousGetHandle();

    /// <summary>Frees it.</summary>
    public void Dispose()
    {
        Handle.Dispose();
        GC.SuppressFinalize(this);
    }
}

/// <summary>An array on an engine, zero at first.</summary>
/// <typeparam name="T">A primitive type, an enum, or a structure of such (not a generic one), with the bytes that CoreCLR has.</typeparam>
public unsafe class DeviceBuffer<T> : DeviceBuffer where T : unmanaged
{
    /// <summary>An array of <paramref name="length"/> zeros.</summary>
    /// <exception cref="IlcudaException">There is no such array, or no memory for it.</exception>
    public DeviceBuffer(Engine engine, long length) : base(engine, length)
    {
        try
        {
            using SessionScope inside = engine.Session.Enter();
            nint buffer;
            engine.Session.Check(StorageOf<T>.Value == Storage.Other
                ? Api.ilc_buffer_create_structs(&buffer, engine.Native, engine.Session.Layout(typeof(T)), length)
                : Api.ilc_buffer_create(&buffer, engine.Native, (int)StorageOf<T>.Value, length));
            Handle.Set(buffer);
        }
        catch
        {
            Handle.Abandon();
            throw;
        }
    }

    internal static DeviceBuffer<T> OfShape(Engine engine, Array data)
    {
        if (data == null)
            throw new ArgumentNullException(nameof(data));
        if (data.GetType().GetElementType() != typeof(T) || data.Rank > 3)
            throw new ArgumentException($"the data must be an array of {typeof(T).Name} of one to three dimensions", nameof(data));
        var buffer = new DeviceBuffer<T>(engine, data.LongLength);
        fixed (byte* pinned = &CallValues.Start(data))
            buffer.Write(new ReadOnlySpan<T>(CallValues.Data(data), data.Length));
        return buffer.Reshape(Enumerable.Range(0, data.Rank).Select(data.GetLongLength).ToArray());
    }

    /// <summary>Makes it an array of as many dimensions, its elements row-major; a parameter of that rank takes no other.</summary>
    /// <exception cref="IlcudaException">The dimensions hold not as many elements.</exception>
    public DeviceBuffer<T> Reshape(params long[] dimensions)
    {
        if (dimensions == null)
            throw new ArgumentNullException(nameof(dimensions));
        using SessionScope inside = Engine.Session.Enter();
        fixed (long* sizes = dimensions)
            Engine.Session.Check(Api.ilc_buffer_reshape(Native, (uint)dimensions.Length, sizes));
        return this;
    }

    /// <summary>Copies the data into it, from its element <paramref name="at"/> on.</summary>
    /// <exception cref="IlcudaException">They end past its end.</exception>
    public void Write(T[] data, long at = 0)
    {
        if (data == null)
            throw new ArgumentNullException(nameof(data));
        Write(new ReadOnlySpan<T>(data), at);
    }

    /// <summary>The same.</summary>
    public void Write(ReadOnlySpan<T> data, long at = 0)
    {
        using SessionScope inside = Engine.Session.Enter();
        fixed (T* from = data)
            Engine.Session.Check(Api.ilc_buffer_write(Native, at, from, data.Length));
    }

    /// <summary>A copy of all of it.</summary>
    public T[] Read()
    {
        var data = new T[Length];
        Read(data);
        return data;
    }

    /// <summary>Fills <paramref name="data"/> from its element <paramref name="at"/> on.</summary>
    /// <exception cref="IlcudaException">There are not as many.</exception>
    public void Read(T[] data, long at = 0)
    {
        if (data == null)
            throw new ArgumentNullException(nameof(data));
        Read(new Span<T>(data), at);
    }

    /// <summary>The same.</summary>
    public void Read(Span<T> data, long at = 0)
    {
        using SessionScope inside = Engine.Session.Enter();
        fixed (T* to = data)
            Engine.Session.Check(Api.ilc_buffer_read(Native, at, to, data.Length));
    }

    /// <summary>For a parameter that is an array.</summary>
    public static implicit operator Arg<T[]>(DeviceBuffer<T> buffer) => Arg<T[]>.Of(buffer);

    /// <summary>For a parameter that is a matrix.</summary>
    public static implicit operator Arg<T[,]>(DeviceBuffer<T> buffer) => Arg<T[,]>.Of(buffer);

    /// <summary>For a parameter that is an array of three dimensions.</summary>
    public static implicit operator Arg<T[,,]>(DeviceBuffer<T> buffer) => Arg<T[,,]>.Of(buffer);

    /// <summary>For a scalar that an element-wise kernel reads at each element.</summary>
    public static implicit operator Arg<T>(DeviceBuffer<T> buffer) => Arg<T>.Of(buffer);

    /// <summary>"Single(1024) on NVIDIA H200".</summary>
    public override string ToString() => $"{typeof(T).Name}({Length}) on {Engine.Device}";
}
