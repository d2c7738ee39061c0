// The names under which the original's engine is known.

using System.Collections.Concurrent;
using Ilcuda;
using Microsoft.VisualBasic.Computing.ILCuda.IL2Cuda;
using CoreOptions = Ilcuda.EngineOptions;

namespace Microsoft.VisualBasic.Computing.ILCuda.Runtime;

/// <summary>Which engine <see cref="CudaEngine.TryCreate"/> makes, and why it did not.</summary>
public sealed class EngineOptions
{
    /// <summary>Number of the CUDA device.</summary>
    public int DeviceOrdinal { get; set; }
    /// <summary>Which engines may be given: "cuda", "cpu", "ast", "il", "clr", or "auto", the best that works. Null: what the variable
    /// ILCUDA_ENGINE says, else "cuda", which is a GPU or nothing.</summary>
    public string? Engine { get; set; }
    /// <summary>Why there is no engine, in one line; null where there is one.</summary>
    public string? ErrorMessage { get; internal set; }

    /// <summary>The only place that reads ILCUDA_ENGINE.</summary>
    internal EngineKind Kind
    {
        get
        {
            string? variable = Environment.GetEnvironmentVariable("ILCUDA_ENGINE");
            string wanted = Engine ?? (string.IsNullOrEmpty(variable) ? "cuda" : variable!);
            return EngineKinds.Named(wanted, Engine == null ? "ILCUDA_ENGINE" : "EngineOptions.Engine");
        }
    }
}

/// <summary>The device of an engine.</summary>
public sealed class EngineDevice
{
    internal EngineDevice(Engine engine) => Name = engine.Device;

    /// <summary>"NVIDIA H200"; of other engines what they are: "cpu, 16 threads".</summary>
    public string Name { get; }

    /// <summary>The name.</summary>
    public override string ToString() => Name;
}

/// <summary>What the kernels of an engine are compiled to.</summary>
public sealed class EngineImage
{
    private readonly string _text;

    internal EngineImage(Engine engine)
    {
        Compiler = engine.Compiler;
        Arch = engine.Arch;
        Path = engine.CompilerPath;
        _text = Compiler == null ? engine.Kind == EngineKind.Clr ? "none: the method itself runs" : "none: kernels are interpreted" : $"{Compiler} ({engine.Form}) arch={Arch} [{Path}]";
    }

    /// <summary>"NVRTC 12.8"; null of interpreters.</summary>
    public string? Compiler { get; }
    /// <summary>"sm_90".</summary>
    public string? Arch { get; }
    /// <summary>Where the compiler was found.</summary>
    public string? Path { get; }

    /// <summary>"NVRTC 12.8 (cubin) arch=sm_90 [/usr/lib/libnvrtc.so.12]".</summary>
    public override string ToString() => _text;
}

/// <summary>An engine: a GPU, or, where that is asked for, another one with the same bits.</summary>
public sealed class CudaEngine : IDisposable
{
    private static readonly object Gate = new();
    private static readonly List<WeakReference<CudaEngine>> Living = [];

    private CudaEngine(Engine engine)
    {
        Core = engine;
        Device = new EngineDevice(engine);
        Image = new EngineImage(engine);
    }

    /// <summary>The same in namespace Ilcuda.</summary>
    public Engine Core { get; }
    /// <summary>Where kernels run.</summary>
    public EngineDevice Device { get; }
    /// <summary>What they are compiled to.</summary>
    public EngineImage Image { get; }

    /// <summary>An engine, with all registered kernels compiled; Nothing where there is none, and the reason in
    /// <see cref="EngineOptions.ErrorMessage"/>. Unless options or ILCUDA_ENGINE allow others, it is a GPU or nothing.</summary>
    public static CudaEngine? TryCreate(EngineOptions? options = null)
    {
        options ??= new EngineOptions();
        options.ErrorMessage = null;
        Engine? core = null;
        try
        {
            core = Engine.Create(new CoreOptions { Kind = options.Kind, Device = options.DeviceOrdinal });
            Compile(core);
            var made = new CudaEngine(core);
            lock (Gate)
            {
                Living.RemoveAll(other => !other.TryGetTarget(out _));
                Living.Add(new WeakReference<CudaEngine>(made));
            }
            return made;
        }
        catch (IlcudaException e)
        {
            core?.Dispose();
            options.ErrorMessage = e.Message;
            return null;
        }
    }

    /// <summary>A kernel that does not compile says so at its launch; an engine that can compile none is no engine.</summary>
    private static void Compile(Engine core)
    {
        foreach (IlCudaKernel kernel in KernelSources.All.Where(kernel => kernel.Core.Dimensions > 0))
        {
            try
            {
                core.Prepare(kernel.Core);
            }
            catch (IlcudaException e) when (e.Status == Status.Compiler)
            {
            }
        }
    }

    /// <summary>The engine that was made last and is not disposed of: a <see cref="DeviceBuffer{T}"/> that is not told an engine
    /// belongs to it.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    public static CudaEngine Current
    {
        get
        {
            lock (Gate)
            {
                for (int k = Living.Count - 1; k >= 0; k--)
                {
                    if (Living[k].TryGetTarget(out CudaEngine? engine))
                        return engine;
                }
            }
            throw new InvalidOperationException("there is no engine: make one with CudaEngine.TryCreate before its buffers");
        }
    }

    /// <summary>Waits for what was launched. A launch waits itself, so there is nothing left to wait for.</summary>
    public void Synchronize()
    {
        _ = Core.Description; // throws where the engine is disposed of
    }

    /// <summary>Releases the engine; its memory goes with the last of its buffers.</summary>
    public void Dispose()
    {
        lock (Gate)
            Living.RemoveAll(other => !other.TryGetTarget(out CudaEngine? engine) || engine == this);
        Core.Dispose();
    }

    /// <summary>The device and the image.</summary>
    public override string ToString() => $"{Device}, {Image}";
}

/// <summary>An array on an engine.</summary>
public sealed class DeviceBuffer<T> : Ilcuda.DeviceBuffer<T> where T : unmanaged
{
    /// <summary>An array of zeros on the current engine.</summary>
    public DeviceBuffer(int length) : this(CudaEngine.Current, length)
    {
    }

    /// <summary>An array of zeros on this engine.</summary>
    public DeviceBuffer(CudaEngine engine, int length) : base((engine ?? throw new ArgumentNullException(nameof(engine))).Core, length)
    {
    }
}

/// <summary>The kernels that an engine compiles when it is made.</summary>
public static class KernelSources
{
    private static readonly ConcurrentDictionary<string, IlCudaKernel> Kernels = new(StringComparer.Ordinal);

    /// <summary>All that are registered.</summary>
    public static IReadOnlyCollection<IlCudaKernel> All => (IReadOnlyCollection<IlCudaKernel>)Kernels.Values;

    /// <summary>Registers a kernel under its name; the same one again is no matter.</summary>
    /// <exception cref="InvalidOperationException">Another text has the name, until that is removed.</exception>
    public static void Add(IlCudaKernel kernel)
    {
        if (kernel == null)
            throw new ArgumentNullException(nameof(kernel));
        IlCudaKernel known = Kernels.GetOrAdd(kernel.Name, kernel);
        if (known.Source != kernel.Source)
            throw new InvalidOperationException($"{kernel.Name} is registered for {known.Core.Method.FullName}: remove that first");
    }

    /// <summary>Frees a kernel's name.</summary>
    public static bool Remove(IlCudaKernel kernel) =>
        Kernels.TryRemove((kernel ?? throw new ArgumentNullException(nameof(kernel))).Name, out _);
}
