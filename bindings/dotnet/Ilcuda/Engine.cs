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
    /// <summary>Of the CPU engine; 0: one for each processor.</summary>
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

    internal unsafe T With<T>(Func<nint, T> use)
    {
        fixed (byte* cpu = Utf8.Bytes(CpuCompiler), cuda = Utf8.Bytes(CudaCompiler), optimise = Utf8.Bytes(Optimise),
               cache = Cache, folder = Utf8.Bytes(CudaFolder), arch = Utf8.Bytes(Arch))
        {
            var native = new CEngineOptions
            {
                Size = (nuint)sizeof(CEngineOptions),
                Kind = (int)Kind,
                CpuCompiler = (nint)cpu,
                CudaCompiler = (nint)cuda,
                Optimise = (nint)optimise,
                Device = Device,
                Threads = (uint)Threads,
                CacheDir = (nint)cache,
                CudaPath = (nint)folder,
                Arch = (nint)arch,
                NoCompile = NoCompile ? (byte)1 : (byte)0,
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
    private Engine(Session session)
    {
        Session = session;
        Handle = new EngineHandle(session.Gate, session.Handle);
    }

    /// <summary>The session that it belongs to.</summary>
    public Session Session { get; }
    internal EngineHandle Handle { get; }

    internal nint Native =>
        Handle.IsClosed ? throw new ObjectDisposedException(nameof(Engine)) : Handle.DangerousGetHandle();

    /// <summary>Makes an engine, by default the best that works.</summary>
    /// <exception cref="IlcudaException"><see cref="Status.NoEngine"/>: it is not available; the message says why.</exception>
    public static Engine Create(EngineOptions? options = null, Session? session = null)
    {
        if (options is { Threads: < 0 })
            throw new IlcudaException(Status.Invalid, $"an engine cannot have {options.Threads} threads");
        session ??= Session.Default;
        using SessionScope inside = session.Enter();
        nint owner = inside.Native;
        Bundle.FindProgram(session);
        var made = new Engine(session);
        try
        {
            made.Handle.Set((options ?? new EngineOptions()).With(native =>
            {
                nint engine;
                session.Check(Api.ilc_engine_create(&engine, owner, (CEngineOptions*)native));
                return engine;
            }));
            made.Describe();
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

    private void Describe()
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
            return Utf8.Text(Api.ilc_engine_describe(Native))!;
        }
    }

    /// <summary>Compiles a kernel now, so that its first launch does not wait.</summary>
    /// <returns>It came from the cache.</returns>
    public bool Prepare(Kernel kernel)
    {
        if (kernel == null)
            throw new ArgumentNullException(nameof(kernel));
        using SessionScope inside = Session.Enter();
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
    public void Dispose() => Handle.Dispose();

    /// <summary>The description.</summary>
    public override string ToString() => Handle.IsClosed ? Device : Description;
}
