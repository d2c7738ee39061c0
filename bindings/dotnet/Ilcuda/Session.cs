// A session: the memory, assemblies, kernels and engines that belong together, and the lock around every native call.

using System.Reflection;
using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>Owns everything that the library makes. Kernels and engines of one session work together; those of two do not.
/// Any thread may call: one is inside at a time, so threads that should run side by side have a session each. What belongs to
/// a session may be used as long as the session is not disposed of; an engine and its buffers live until they are released
/// themselves.</summary>
public sealed class Session : IDisposable
{
    private static Session? _default;
    private readonly SessionHandle _handle;
    private readonly Dictionary<Guid, IlAssembly> _opened = [];
    private readonly Dictionary<Type, nint> _layouts = [];
    private Engine? _tree;

    /// <summary>Of bundles, by simple name; null for assemblies that were looked at and have none.</summary>
    internal Dictionary<string, IlAssembly?> Bundled { get; } = [];
    /// <summary>For the next run; null while one uses it.</summary>
    internal KernelCall? SpareCall { get; set; }

    internal SessionGate Gate { get; } = new();
    internal SessionHandle Handle => _handle;

    /// <summary>A session of its own.</summary>
    /// <exception cref="NativeLibraryException">The native library cannot be loaded.</exception>
    public unsafe Session()
    {
        Native.Load();
        _handle = new SessionHandle(Gate);
        nint session;
        if (Api.ilc_session_create(&session, null) != (int)Status.Ok)
            throw new OutOfMemoryException("no memory for a session of ilcuda");
        _handle.Set(session);
    }

    /// <summary>The session that everything uses which is not told another; made when it is first asked for, never ended.</summary>
    /// <exception cref="NativeLibraryException">The native library cannot be loaded.</exception>
    public static Session Default
    {
        get
        {
            if (Volatile.Read(ref _default) is { } session)
                return session;
            var made = new Session();
            if (Interlocked.CompareExchange(ref _default, made, null) is not { } other)
                return made;
            made.Dispose();
            return other;
        }
    }

    /// <summary>Ends the session. Its memory goes with the last engine or buffer that was made in it.</summary>
    public void Dispose()
    {
        using var inside = new SessionScope(this, mustBeOpen: false);
        _tree?.Dispose();
        _tree = null;
        _handle.Dispose();
    }

    /// <summary>Opens a compiled assembly; debug information is taken from it or from the .pdb beside it.</summary>
    /// <param name="path">The file.</param>
    /// <param name="references">Folders with assemblies that it refers to, after its own.</param>
    /// <exception cref="IlcudaException">It cannot be read, or is no assembly.</exception>
    public unsafe IlAssembly Open(string path, params string[] references)
    {
        if (path == null)
            throw new ArgumentNullException(nameof(path));
        return Open(references, (session, options) =>
        {
            nint assembly;
            fixed (byte* file = Utf8.Bytes(path))
                Check(Api.ilc_assembly_open(&assembly, session, file, (CAssemblyOptions*)options));
            return assembly;
        });
    }

    /// <summary>The same from memory; the bytes are copied.</summary>
    /// <param name="image">The assembly's bytes.</param>
    /// <param name="name">Stands in messages.</param>
    /// <param name="pdb">A portable PDB, or null.</param>
    /// <param name="references">Folders with assemblies that it refers to.</param>
    /// <exception cref="IlcudaException">It is no assembly.</exception>
    public unsafe IlAssembly Open(byte[] image, string name, byte[]? pdb = null, params string[] references)
    {
        if (image == null)
            throw new ArgumentNullException(nameof(image));
        if (name == null)
            throw new ArgumentNullException(nameof(name));
        return Open(references, (session, options) =>
        {
            nint assembly;
            fixed (byte* text = Utf8.Bytes(name))
            {
                Check(Api.ilc_assembly_open_memory(&assembly, session, text, Lend(image), (nuint)image.Length,
                    pdb == null ? null : Lend(pdb), (nuint)(pdb?.Length ?? 0), (CAssemblyOptions*)options));
            }
            return assembly;
        });
    }

    /// <summary>The method that reflection knows, of any assembly that was loaded from a file or from memory.</summary>
    /// <exception cref="IlcudaException">Its IL cannot be had; the message says why.</exception>
    public IlMethod Method(MethodBase method)
    {
        if (method == null)
            throw new ArgumentNullException(nameof(method));
        if (method.IsGenericMethod || method.DeclaringType is { IsGenericType: true })
            throw new IlcudaException(Status.Unsupported, $"{method.DeclaringType}.{method.Name}: instantiations of generic methods are not supported");
        using SessionScope inside = Enter();
        if (Bundle.Find(this, method) is { } bundled)
            return bundled;
        return Opened(method.Module, IlSource.IdOf(method)).Reflected(method);
    }

    private IlAssembly Opened(Module module, Guid id)
    {
        if (!_opened.TryGetValue(id, out IlAssembly? assembly))
            _opened[id] = assembly = IlSource.Open(this, module);
        return assembly;
    }

    /// <summary>Inside: the layout of a structure, for arrays of it.</summary>
    internal nint Layout(Type type)
    {
        if (_layouts.TryGetValue(type, out nint known))
            return known;
        if (type.IsGenericType)
            throw new IlcudaException(Status.Unsupported, $"a DeviceBuffer holds numbers and structures, not the generic structure {type}");
        nint layout = Opened(type.Module, type.Module.ModuleVersionId).Layout(type);
        if (CallValues.SizeOf(type) != Api.ilc_struct_size(layout))
            throw new IlcudaException(Status.Internal, $"{type} has {CallValues.SizeOf(type)} bytes, {Api.ilc_struct_size(layout)} in a kernel");
        return _layouts[type] = layout;
    }

    /// <summary>A method as a kernel.</summary>
    /// <exception cref="IlcudaException">It cannot become one: the message names method, opcode or callee, and line.</exception>
    public Kernel Translate(MethodBase method, KernelOptions? options = null) => Method(method).Translate(options);

    /// <summary>The method that a delegate calls, as a kernel whose arguments the compiler checks: <c>session.Translate(Stats.Saxpy)</c> in
    /// C#, <c>session.Translate(Of Action(Of Single, Single(), Single(), Integer))(AddressOf Stats.Saxpy)</c> in VB,
    /// <c>session.Translate(Action&lt;_, _, _, _&gt;(Stats.saxpy))</c> in F#.</summary>
    /// <exception cref="IlcudaException">It cannot become one.</exception>
    public Kernel<TDelegate> Translate<TDelegate>(TDelegate method, KernelOptions? options = null) where TDelegate : Delegate =>
        new(Translate(DelegateMethod.Of(method), options));

    /// <summary>Asks the running interpreter call of the session to end; any thread may. Holds until <see cref="Resume"/>.</summary>
    public void Stop() => WhileOpen(Api.ilc_session_stop);

    /// <summary>Ends a <see cref="Stop"/>.</summary>
    public void Resume() => WhileOpen(Api.ilc_session_resume);

    /// <summary>Without the lock: Stop comes while another thread is inside.</summary>
    private void WhileOpen(Action<nint> call)
    {
        bool held = false;
        try
        {
            _handle.DangerousAddRef(ref held);
            call(_handle.DangerousGetHandle());
        }
        finally
        {
            if (held)
                _handle.DangerousRelease();
        }
    }

    /// <summary>The tree interpreter, for single calls.</summary>
    internal Engine Tree => _tree ??= Engine.Create(new EngineOptions { Kind = EngineKind.Tree }, this);

    /// <summary>Other threads wait until what this gives is disposed of.</summary>
    internal SessionScope Enter() => new(this, mustBeOpen: true);

    /// <summary>Inside: throws what a failed call left as its diagnostic.</summary>
    internal unsafe void Check(int status)
    {
        if (status != (int)Status.Ok)
            throw Failure((Status)status);
    }

    internal void ClearDiagnostics() => Api.ilc_session_clear_diagnostics(_handle.DangerousGetHandle());

    internal unsafe Exception Failure(Status status)
    {
        if (status == Status.OutOfMemory)
            return new OutOfMemoryException("ilcuda ran out of memory");
        nint session = _handle.DangerousGetHandle();
        CDiagnostic diagnostic = default;
        uint count = Api.ilc_session_diagnostic_count(session);
        Exception made = count > 0 && Api.ilc_session_diagnostic(&diagnostic, session, count - 1) == (int)Status.Ok
            ? new IlcudaException(in diagnostic)
            : new IlcudaException(status, Utf8.Text(Api.ilc_status_text((int)status))!);
        ClearDiagnostics();
        return made;
    }

    private delegate nint Opener(nint session, nint options);

    private unsafe IlAssembly Open(string[] references, Opener open)
    {
        using SessionScope inside = Enter();
        using var folders = new NativeMemory();
        nint* list = (nint*)folders.Take(references.Length * sizeof(nint));
        for (int k = 0; k < references.Length; k++)
            list[k] = (nint)folders.Copy(Utf8.Bytes(references[k])!);
        var options = new CAssemblyOptions
        {
            Size = (nuint)sizeof(CAssemblyOptions),
            References = (nint)list,
            ReferenceCount = (nuint)references.Length,
        };
        return new IlAssembly(this, open(inside.Native, (nint)(&options)));
    }

    /// <summary>A copy that the session borrows to its end.</summary>
    internal unsafe void* Lend(byte[] bytes)
    {
        nint copy = System.Runtime.InteropServices.Marshal.AllocHGlobal(bytes.Length);
        System.Runtime.InteropServices.Marshal.Copy(bytes, 0, copy, bytes.Length);
        _handle.Keep(copy);
        return (void*)copy;
    }
}

/// <summary>Inside a session, until it is disposed of: <c>using SessionScope inside = session.Enter();</c>. A thread may be inside
/// more than once.</summary>
internal readonly ref struct SessionScope
{
    private readonly Session _session;

    public SessionScope(Session session, bool mustBeOpen)
    {
        _session = session;
        session.Gate.Enter();
        if (!mustBeOpen || !session.Handle.IsClosed)
            return;
        session.Gate.Exit();
        throw new ObjectDisposedException(nameof(Session));
    }

    public nint Native => _session.Handle.DangerousGetHandle();

    public void Dispose() => _session.Gate.Exit();
}
