// Buffers that runs leave behind for the next one.

using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>The buffers of one engine that no run uses. They come in sizes that are a quarter of a power of two apart, so at most a
/// quarter of each is not used; together they hold no more than <see cref="EngineOptions.PoolBytes"/>: what has waited longest is
/// freed. Used inside the session.</summary>
internal sealed class BufferPool(Engine engine, long limit)
{
    private HostCopy? _free; // what came back last is first
    private long _bytes;

    public HostCopy Rent(Storage storage, nint layout, int size, long length) => Rent(storage, layout, size, length, Capacity(length));

    /// <summary>One without memory, for an array that stays where it lies.</summary>
    public HostCopy RentEmpty(Storage storage) => Rent(storage, 0, 0, 0, 0);

    private HostCopy Rent(Storage storage, nint layout, int size, long length, long capacity)
    {
        HostCopy? before = null;
        for (HostCopy? at = _free; at != null; before = at, at = at.Next)
        {
            if (at.Elements != storage || at.Layout != layout || at.Capacity != capacity)
                continue;
            if (before == null)
                _free = at.Next;
            else
                before.Next = at.Next;
            _bytes -= at.Bytes;
            at.Resize(length);
            return at;
        }
        var made = new HostCopy(engine, storage, layout, size, capacity);
        made.Resize(length);
        return made;
    }

    public void Return(HostCopy copy)
    {
        if (copy.Bytes > limit || engine.Handle.IsClosed)
        {
            copy.Dispose();
            return;
        }
        copy.Next = _free;
        _free = copy;
        _bytes += copy.Bytes;
        while (_bytes > limit)
            FreeLast();
    }

    /// <summary>How many buffers wait, and their bytes.</summary>
    public (int Count, long Bytes) Waiting
    {
        get
        {
            int count = 0;
            for (HostCopy? at = _free; at != null; at = at.Next)
                count++;
            return (count, _bytes);
        }
    }

    public void Clear()
    {
        while (_free != null)
            FreeLast();
    }

    private void FreeLast()
    {
        HostCopy? before = null;
        HostCopy last = _free!;
        for (; last.Next != null; last = last.Next)
            before = last;
        if (before == null)
            _free = null;
        else
            before.Next = null;
        _bytes -= last.Bytes;
        last.Dispose();
    }

    private static long Capacity(long length)
    {
        const long smallest = 64, most = 0x7FFFFFC7;
        if (length <= smallest)
            return smallest;
        long step = 1;
        while (step * 8 <= length)
            step *= 2;
        return Math.Min((length + step - 1) / step * step, Math.Max(most, length));
    }
}
