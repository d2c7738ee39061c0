// Memory for the length of one call.

using System.Runtime.InteropServices;

namespace Ilcuda.Interop;

internal sealed unsafe class NativeMemory : IDisposable
{
    private readonly List<nint> _blocks = [];

    /// <summary>Zeroed, at least one byte, aligned for any type.</summary>
    public void* Take(long bytes)
    {
        nint block = Marshal.AllocHGlobal(checked((nint)Math.Max(bytes, 1)));
        _blocks.Add(block);
        new Span<byte>((void*)block, checked((int)Math.Max(bytes, 1))).Clear();
        return (void*)block;
    }

    public void* Copy(byte[] bytes)
    {
        void* block = Take(bytes.Length);
        Marshal.Copy(bytes, 0, (nint)block, bytes.Length);
        return block;
    }

    public void Dispose()
    {
        _blocks.ForEach(Marshal.FreeHGlobal);
        _blocks.Clear();
    }
}
