// Where kernels run.

using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>The kinds of engine.</summary>
public enum EngineKind
{
    /// <summary>CUDA if it works, else the CPU, else the tree interpreter; <see cref="Engine.Reason"/> says why.</summary>
    Auto,
    /// <summary>The IL interpreter, the judge: slow.</summary>
    Il,
    /// <summary>The tree interpreter: slow.</summary>
    Tree,
    /// <summary>Compiled C on the processors.</summary>
    Cpu,
    /// <summary>Compiled CUDA on a device; never anything else.</summary>
    Cuda,
    /// <summary>The method itself, compiled by the runtime: what all others must agree with. Only where it is asked for.</summary>
    Clr,
}

internal static class EngineKinds
{
    /// <summary>The kind with that name; who stands before the message where there is none.</summary>
    public static EngineKind Named(string name, string who) => (name ?? throw new ArgumentNullException(nameof(name))).ToLowerInvariant() switch
    {
        "cuda" => EngineKind.Cuda,
        "cpu" => EngineKind.Cpu,
        "ast" => EngineKind.Tree,
        "il" => EngineKind.Il,
        "clr" => EngineKind.Clr,
        "auto" => EngineKind.Auto,
        _ => throw new IlcudaException(Status.Invalid, $"{who} is \"{name}\": engines are cuda, cpu, ast, il, clr and auto"),
    };
}

/// <summary>Which engine, and how it works.</summary>
public sealed class EngineOptions
{
    /// <summary>The kind.</summary>
    public EngineKind Kind { get; set; }
    /// <summary>"auto", "gcc", "clang", "tcc", or a path.</summary>
    public string? CpuCompiler { get; set; }
    /// <summary>"auto", "nvrtc", "clang", the path of a clang, or "none": only what was compiled before.</summary>
    public string? CudaCompiler { get; set; }
    /// <summary>"-O0" to "-O3" for the CPU.</summary>
    public string? Optimise { get; set; }
    /// <summary>Number of the CUDA device.</summary>
    public int Device { get; set; }
    /// <summary>Of the CPU and clr engines; 0: one for each processor.</summary>
    public int Threads { get; set; }
    /// <summary>Folder of compiled kernels; null: the user's; "": memory only.</summary>
    public string? CacheFolder { get; set; }
    /// <summary>Folder with the CUDA libraries, searched first.</summary>
    public string? CudaFolder { get; set; }
    /// <summary>Compile for this architecture, as "sm_86".</summary>
    public string? Arch { get; set; }
    /// <summary>Compile nothing: only code of the session's bundles and, for CUDA, of the cache; a kernel that is not there
    /// fails with <see cref="Status.NoEngine"/>, naming it.</summary>
    public bool NoCompile { get; set; }
    /// <summary>Of the CPU engine: each launch waits for the compiler's code. Otherwise, until that is there, launches run code of tcc,
    /// where it is installed: the same bits, sooner (docs/schedules.md).</summary>
    public bool BestCode { get; set; }
    /// <summary>How many bytes of buffers the engine keeps from one run over arrays of the program to the next; 0: none. They go with
    /// the engine.</summary>
    public long PoolBytes { get; set; } = 256L << 20;

    internal unsafe T With<T>(Func<nint, T> use)
    {
        fixed (byte* cpu = Utf8.Bytes(CpuCompiler), cuda = Utf8.Bytes(CudaCompiler), optimise = Utf8.Bytes(Optimise),
               cache = Cache, folder = Utf8.Bytes(CudaFolder), arch = Utf8.Bytes(Arch))
        {
            var native = new CEngineOptions
            {
                Size = (nuint)sizeof(CEngineOptions),
                Kind = (int)(Kind == EngineKind.Clr ? EngineKind.Il : Kind), // which holds the buffers of the clr engine
                CpuCompiler = (nint)cpu,
                CudaCompiler = (nint)cuda,
                Optimise = (nint)optimise,
                Device = Device,
                Threads = (uint)Threads,
                CacheDir = (nint)cache,
                CudaPath = (nint)folder,
                Arch = (nint)arch,
                NoCompile = NoCompile ? (byte)1 : (byte)0,
                BestCode = BestCode ? (byte)1 : (byte)0,
            };
            return use((nint)(&native));
        }
    }

    private byte[]? Cache => Utf8.Bytes(CacheFolder);
}

/// <summary>Where kernels run: the IL interpreter, the tree interpreter, the CPU, or a CUDA device. It lives until it and its
/// buffers are disposed of, or forgotten.</summary>
public sealed unsafe class Engine : IDisposable
{
    private Engine(Session session, EngineOptions options)
    {
        Session = session;
        Pool = new BufferPool(this, options.PoolBytes);
        Handle = new EngineHandle(session.Gate, session.Handle);
    }

    /// <summary>The session that it belongs to.</summary>
    public Session Session { get; }
    internal EngineHandle Handle { get; }
    internal BufferPool Pool { get; }
    /// <summary>Of the clr engine.</summary>
    internal int Threads { get; private set; }

    internal nint Native =>
        Handle.IsClosed ? throw new ObjectDisposedException(nameof(Engine)) : Handle.DangerousGetHandle();

    /// <summary>Makes an engine, by default the best that works.</summary>
    /// <exception cref="IlcudaException"><see cref="Status.NoEngine"/>: it is not available; the message says why.</exception>
    public static Engine Create(EngineOptions? options = null, Session? session = null)
    {
        options ??= new EngineOptions();
        if (options.Threads < 0)
            throw new IlcudaException(Status.Invalid, $"an engine cannot have {options.Threads} threads");
        session ??= Session.Default;
        using SessionScope inside = session.Enter();
        nint owner = inside.Native;
        Bundle.FindProgram(session);
        var made = new Engine(session, options);
        try
        {
            made.Handle.Set(options.With(native =>
            {
                nint engine;
                session.Check(Api.ilc_engine_create(&engine, owner, (CEngineOptions*)native));
                return engine;
            }));
            made.Describe(options);
            return made;
        }
        catch
        {
            if (made.Handle.IsInvalid)
                made.Handle.Abandon();
            throw;
        }
    }

    /// <summary>An engine of that kind in the default session.</summary>
    public static Engine Create(EngineKind kind) => Create(new EngineOptions { Kind = kind });

    /// <summary>An engine of the kind with that name: "cuda", "cpu", "ast", "il", "clr", or "auto".</summary>
    public static Engine Create(string kind, Session? session = null) => Create(new EngineOptions { Kind = EngineKinds.Named(kind, "the engine") }, session);

    private void Describe(EngineOptions options)
    {
        CEngineParts parts;
        Api.ilc_engine_parts_get(&parts, Native);
        Kind = (EngineKind)Api.ilc_engine_kind_of(Native);
        Reason = Utf8.Text(Api.ilc_engine_reason(Native))!;
        Device = Utf8.Text(parts.Device) ?? "";
        Driver = Utf8.Text(parts.Driver);
        Compiler = Utf8.Text(parts.Compiler);
        Form = Utf8.Text(parts.Form);
        Arch = Utf8.Text(parts.Arch);
        CompilerPath = Utf8.Text(parts.Path);
        if (options.Kind != EngineKind.Clr)
            return;
        Kind = EngineKind.Clr;
        Threads = options.Threads == 0 ? Environment.ProcessorCount : options.Threads;
        Device = $"clr, the method itself, {Threads} thread{(Threads == 1 ? "" : "s")}";
    }

    /// <summary>What it is.</summary>
    public EngineKind Kind { get; private set; }
    /// <summary>"NVIDIA H200", "cpu, 16 threads", "ast, the tree interpreter".</summary>
    public string Device { get; private set; } = "";
    /// <summary>"driver 570.86"; null of other engines than CUDA.</summary>
    public string? Driver { get; private set; }
    /// <summary>"NVRTC 12.8", "gcc 12.2.0 -O2"; null of interpreters, and where none was found.</summary>
    public string? Compiler { get; private set; }
    /// <summary>What the compiler makes: "cubin", "PTX", "shared object".</summary>
    public string? Form { get; private set; }
    /// <summary>What it makes it for: "sm_90", "x86-64-v4".</summary>
    public string? Arch { get; private set; }
    /// <summary>Where the compiler was found.</summary>
    public string? CompilerPath { get; private set; }
    /// <summary>Why this engine: "asked for", or what kept the better ones away.</summary>
    public string Reason { get; private set; } = "";

    /// <summary>"NVIDIA H200, sm_90, driver 570.86, NVRTC 12.8 (cubin)".</summary>
    public string Description
    {
        get
        {
            using SessionScope inside = Session.Enter();
            string text = Utf8.Text(Api.ilc_engine_describe(Native))!;
            return Kind == EngineKind.Clr ? Device : text;
        }
    }

    /// <summary>Compiles a kernel now, so that its first launch does not wait.</summary>
    /// <returns>It came from the cache.</returns>
    public bool Prepare(Kernel kernel)
    {
        if (kernel == null)
            throw new ArgumentNullException(nameof(kernel));
        using SessionScope inside = Session.Enter();
        if (Kind == EngineKind.Clr)
        {
            _ = kernel.Original;
            return false;
        }
        byte cached = 0;
        Session.Check(Api.ilc_engine_prepare(Native, kernel.Native, &cached));
        return cached != 0;
    }

    /// <summary>An array on the engine, of zeros.</summary>
    public DeviceBuffer<T> CreateBuffer<T>(long length) where T : unmanaged => new(this, length);

    /// <summary>An array on the engine with the data.</summary>
    public DeviceBuffer<T> Upload<T>(params T[] data) where T : unmanaged
    {
        if (data == null)
            throw new ArgumentNullException(nameof(data));
        var buffer = new DeviceBuffer<T>(this, data.Length);
        buffer.Write(data);
        return buffer;
    }

    /// <summary>The same of a matrix or of three dimensions, with its shape.</summary>
    public DeviceBuffer<T> Upload<T>(Array data) where T : unmanaged => DeviceBuffer<T>.OfShape(this, data);

    /// <summary>Releases the engine; its memory goes with the last of its buffers.</summary>
    public void Dispose()
    {
        Handle.Dispose();
        Session.Gate.RunOrLeave(Pool.Clear);
    }

    /// <summary>The description.</summary>
    public override string ToString() => Handle.IsClosed ? Device : Description;
}
