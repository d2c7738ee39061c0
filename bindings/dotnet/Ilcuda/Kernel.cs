// A method translated: its names, its text in every form, and launches.

using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>How a method is made a kernel.</summary>
public sealed class KernelOptions
{
    /// <summary>"exact", the default: .NET's bits; "fma": products and sums that round once together; "fast": as fma, and CUDA may
    /// approximate (docs/semantics.md). The clr and IL engines have mode exact alone.</summary>
    public string? Mode { get; set; }
    /// <summary>Overflow, bounds, null and division are tested as .NET does.</summary>
    public bool Checks { get; set; } = true;
    /// <summary>The index parameters in the order i, j, k, as "row,col"; null: inferred.</summary>
    public string? Index { get; set; }
    /// <summary>Of an element-wise method: parameters that stay plain scalars, as "a,b".</summary>
    public string? Scalars { get; set; }
    /// <summary>The method may be one that cannot become a kernel. Such a one runs on the clr engine alone, element after element on one
    /// thread, as nothing says that its elements are independent; <see cref="Kernel.Refusal"/> has the reason.</summary>
    public bool OriginalOnly { get; set; }
    /// <summary>#line in CUDA and C text, which is then compiled with line tables: debuggers and profilers name the source's lines.</summary>
    public bool LineDirectives { get; set; }
    /// <summary>"auto", the default: blocks of a matrix of results, rows, or neighbours together where the method allows it
    /// (docs/schedules.md); "tile": blocks for however few results; "plain": each element by itself. Same bits.</summary>
    public string? Schedule { get; set; }

    internal (string?, bool, string?, string?, bool, bool, string?) Key => (Mode, Checks, Index, Scalars, OriginalOnly, LineDirectives, Schedule);
}

/// <summary>The forms in which a kernel can be read.</summary>
public enum KernelText
{
    /// <summary>The disassembly.</summary>
    Il,
    /// <summary>SSA after simplification.</summary>
    Ir,
    /// <summary>VB: the method and what it calls, as it runs where the launch guard holds.</summary>
    Vb,
    /// <summary>The same with every value where it is computed: the order of exceptions.</summary>
    VbChecked,
    /// <summary>C#, as <see cref="Vb"/>.</summary>
    Cs,
    /// <summary>C#, as <see cref="VbChecked"/>.</summary>
    CsChecked,
    /// <summary>CUDA C to read: the guarded body alone.</summary>
    Cuda,
    /// <summary>C11 to read.</summary>
    C,
    /// <summary>CUDA C as it is compiled.</summary>
    CudaUnit,
    /// <summary>C11 as it is compiled.</summary>
    CUnit,
    /// <summary>CUDA C of the kernel that makes results in blocks, as it is compiled for large matrices.</summary>
    CudaTile,
    /// <summary>The same for the CPU engine, C11 with vector types.</summary>
    CTile,
}

/// <summary>Where a line of a kernel's text comes from.</summary>
public sealed class TextLine
{
    internal TextLine(in CLine line)
    {
        Line = (int)line.Line;
        Method = Utf8.Text(line.Method)!;
        IlOffset = (int)line.IlOffset;
        SourceFile = Utf8.Text(line.File);
        SourceLine = (int)line.Source;
    }

    /// <summary>Line of the text, from 1.</summary>
    public int Line { get; }
    /// <summary>"Ns.Stats.Gram".</summary>
    public string Method { get; }
    /// <summary>In the method.</summary>
    public int IlOffset { get; }
    /// <summary>As the debug information names it; null: not known.</summary>
    public string? SourceFile { get; }
    /// <summary>Line of the source; 0: not known.</summary>
    public int SourceLine { get; }
}

/// <summary>A number of a structure that a kernel returns: what is its, in an array of its own.</summary>
internal sealed class KernelOutput(string name, Storage storage, int offset)
{
    public string Name => name;
    public Storage Storage => storage;
    public int Offset => offset;
}

/// <summary>A method as a kernel. It stays to the end of its session.</summary>
public sealed unsafe partial class Kernel
{
    /// <summary>Numbers of the parameters that a launch is given, and then of the results, as ~number.</summary>
    private readonly int[] _slots;
    private readonly int[] _index;
    private readonly bool[] _elementWise;
    private readonly string?[] _texts = new string?[(int)KernelText.CTile + 1];
    private readonly nint _native;
    private IReadOnlyList<KernelOutput>? _outputs;
    private bool[]? _written;
    private readonly string _floats;
    private OriginalMethod? _original;

    internal Kernel(IlMethod method, KernelOptions options)
    {
        Method = method;
        _floats = options.Mode ?? "exact";
        using SessionScope inside = Session.Enter();
        _native = Translated(method, options, out IlcudaException? refusal);
        if (refusal == null)
        {
            nint text;
            Session.Check(Api.ilc_kernel_name(&text, _native));
            Name = Utf8.Text(text)!;
            Session.Check(Api.ilc_kernel_device_name(&text, _native));
            DeviceFunctionName = Utf8.Text(text)!;
            Mode = (IndexMode)Api.ilc_kernel_index_mode(_native);
            Dimensions = (int)Api.ilc_kernel_dims(_native);
            _index = Enumerable.Range(0, Dimensions).Select(dim => Api.ilc_kernel_index_param(_native, (uint)dim)).Where(k => k >= 0).ToArray();
        }
        else
        {
            Refusal = refusal;
            (Name, DeviceFunctionName) = ($"il_{method.Name}_kernel", $"il_{method.Name}_scalar");
            _index = Conventions.Index(method, options.Index);
            Mode = _index.Length > 0 ? (IndexMode)_index.Length : Conventions.IsElementWise(method) ? IndexMode.ElementWise : IndexMode.Device;
            Dimensions = Mode == IndexMode.ElementWise ? 1 : _index.Length;
        }
        string[] scalars = options.Scalars?.Split(',') ?? [];
        _elementWise = method.Described.Select(param => Mode == IndexMode.ElementWise && !param.IsArray
            && !scalars.Any(name => string.Equals(name.Trim(), param.Name, StringComparison.OrdinalIgnoreCase))).ToArray();
        ResultCount = method.Result switch
        {
            Storage.Void => 0,
            Storage.Struct => Outputs.Count,
            _ => 1,
        };
        _slots = [.. Enumerable.Range(0, method.ParameterCount).Where(k => IndexOf(k) < 0), .. Enumerable.Range(0, ResultCount).Select(k => ~k)];
    }

    private static nint Translated(IlMethod method, KernelOptions options, out IlcudaException? refusal)
    {
        fixed (byte* mode = Utf8.Bytes(options.Mode), index = Utf8.Bytes(options.Index), scalars = Utf8.Bytes(options.Scalars), schedule = Utf8.Bytes(options.Schedule))
        {
            nint kernel;
            var native = new CKernelOptions
            {
                Size = (nuint)sizeof(CKernelOptions),
                Mode = (nint)mode,
                Checks = options.Checks ? (byte)1 : (byte)0,
                Index = (nint)index,
                Scalars = (nint)scalars,
                LineDirectives = options.LineDirectives ? (byte)1 : (byte)0,
                Schedule = (nint)schedule,
            };
            int status = Api.ilc_kernel_translate(&kernel, method.Handle, &native);
            refusal = options.OriginalOnly && status == (int)Status.Unsupported ? method.Session.Failure(Status.Unsupported) as IlcudaException : null;
            if (refusal != null)
                return 0;
            method.Session.Check(status);
            return kernel;
        }
    }

    internal Session Session => Method.Session;
    internal nint Native => Refusal == null ? _native : throw new IlcudaException(Refusal);
    /// <summary>Why it was not translated, so that only the clr engine runs it (<see cref="KernelOptions.OriginalOnly"/>); null of any
    /// other kernel.</summary>
    public IlcudaException? Refusal { get; }
    /// <summary>The method.</summary>
    public IlMethod Method { get; }
    /// <summary>"il_Gram_kernel".</summary>
    public string Name { get; }
    /// <summary>"il_Gram_scalar".</summary>
    public string DeviceFunctionName { get; }
    /// <summary>How elements get their index.</summary>
    public IndexMode Mode { get; }
    /// <summary>How many extents a launch has: 1 to 3; 0 of a device function.</summary>
    public int Dimensions { get; }
    /// <summary>How many arguments a launch is given: the parameters that are no index, then the results.</summary>
    public int ArgumentCount => _slots.Length;
    /// <summary>How many of them are results: 1; 0 of a Sub; of a struct one for each number in it.</summary>
    public int ResultCount { get; }

    /// <summary>Which index a parameter is: 0, 1, 2; -1 of others.</summary>
    internal int IndexOf(int parameter) => Array.IndexOf(_index, parameter);
    /// <summary>Is it read at each element?</summary>
    internal bool IsElementWise(int parameter) => _elementWise[parameter];

    /// <summary>Of a method that returns a structure.</summary>
    internal IReadOnlyList<KernelOutput> Outputs
    {
        get
        {
            if (_outputs != null)
                return _outputs;
            using SessionScope inside = Session.Enter();
            var outputs = new List<KernelOutput>();
            CField number;
            while (Api.ilc_method_output(&number, Method.Handle, (uint)outputs.Count) == (int)Status.Ok)
                outputs.Add(new KernelOutput(Utf8.Text(number.Name)!, (Storage)number.Storage, (int)number.Offset));
            Session.ClearDiagnostics();
            return _outputs = outputs;
        }
    }

    /// <summary>The method itself, for the clr engine.</summary>
    internal OriginalMethod Original => _original ??= new OriginalMethod(this);

    /// <summary>By parameter: may the kernel store to its array?</summary>
    internal bool[] Written
    {
        get
        {
            if (_written is { } known)
                return known;
            using SessionScope inside = Session.Enter();
            var written = new bool[Method.ParameterCount];
            if (Refusal != null)
                written.AsSpan().Fill(true);
            CEntryParam param;
            for (uint k = 0; Refusal == null && Api.ilc_kernel_entry_param(&param, Native, 0, k) == (int)Status.Ok; k++)
            {
                if (param.Kind == 1) // ILC_ENTRY_ARRAY
                    written[param.Param] |= param.Written != 0;
            }
            Session.ClearDiagnostics();
            return _written = written;
        }
    }

    /// <summary>The kernel in that form; always the same text.</summary>
    /// <exception cref="IlcudaException">There is no such text of it.</exception>
    public string Text(KernelText form)
    {
        if ((uint)form >= (uint)_texts.Length)
            throw new ArgumentOutOfRangeException(nameof(form));
        if (_texts[(int)form] is { } known)
            return known;
        using SessionScope inside = Session.Enter();
        nint text;
        Session.Check(Api.ilc_kernel_text(&text, Native, (int)form));
        return _texts[(int)form] = Utf8.Text(text)!;
    }

    /// <summary>Where the lines of VB, C#, CUDA and C text come from, by line; several where a line holds what several lines of the
    /// source say, the main one first.</summary>
    /// <exception cref="IlcudaException">There is no such map of the form.</exception>
    public IReadOnlyList<TextLine> Lines(KernelText form)
    {
        using SessionScope inside = Session.Enter();
        CLine* lines;
        nuint count;
        Session.Check(Api.ilc_kernel_lines(&lines, &count, Native, (int)form));
        var made = new TextLine[(int)count];
        for (int k = 0; k < made.Length; k++)
            made[k] = new TextLine(in lines[k]);
        return made;
    }

    /// <summary>Runs it over n elements and waits.</summary>
    /// <param name="engine">Where.</param>
    /// <param name="n">How many elements.</param>
    /// <param name="args">The parameters that are no index, in order, then the results: buffers and scalars.</param>
    /// <exception cref="IlcudaException">An argument does not fit the signature, or the engine failed.</exception>
    /// <remarks>An exception of an element is thrown as itself, with element and line in its message.</remarks>
    public LaunchResult Launch(Engine engine, long n, params KernelArgument[] args) =>
        Launch(engine, new ReadOnlySpan<long>(&n, 1), args.AsSpan());

    /// <summary>The same over extents in the order i, j, k.</summary>
    public LaunchResult Launch(Engine engine, long[] extents, params KernelArgument[] args) =>
        Launch(engine, extents.AsSpan(), args.AsSpan());

    /// <summary>The same, without memory of its own.</summary>
    public LaunchResult Launch(Engine engine, ReadOnlySpan<long> extents, ReadOnlySpan<KernelArgument> args, LaunchOptions? options = null)
    {
        LaunchResult result = TryLaunch(engine, extents, args, options);
        return result.Trap == null ? result : throw result.Trap.ToException();
    }

    /// <summary>The same; an exception of an element is told by <see cref="LaunchResult.Trap"/>. Its results are zero bits then,
    /// those of elements that do not depend on it are right.</summary>
    public LaunchResult TryLaunch(Engine engine, ReadOnlySpan<long> extents, ReadOnlySpan<KernelArgument> args, LaunchOptions? options = null) =>
        TryLaunch(engine, extents, args, options, default);

    /// <summary>The same, with arrays.</summary>
    public LaunchResult TryLaunch(Engine engine, long[] extents, params KernelArgument[] args) =>
        TryLaunch(engine, extents.AsSpan(), args.AsSpan(), null, default);

    /// <summary>As <see cref="Launch(Engine, long[], KernelArgument[])"/>, with options.</summary>
    public LaunchResult Launch(Engine engine, long[] extents, KernelArgument[] args, LaunchOptions? options) =>
        Launch(engine, extents.AsSpan(), args.AsSpan(), options);

    /// <summary>As <see cref="TryLaunch(Engine, long[], KernelArgument[])"/>, with options.</summary>
    public LaunchResult TryLaunch(Engine engine, long[] extents, KernelArgument[] args, LaunchOptions? options) =>
        TryLaunch(engine, extents.AsSpan(), args.AsSpan(), options, default);

    private LaunchResult TryLaunch(Engine engine, ReadOnlySpan<long> extents, ReadOnlySpan<KernelArgument> args, LaunchOptions? options, CancellationToken token)
    {
        if (args.Length > _slots.Length)
            throw new IlcudaException(Status.Invalid, $"{Method.FullName} takes {_slots.Length} arguments, not {args.Length}");
        using KernelCall call = KernelCall.Begin(this, engine);
        call.SetExtents(extents);
        for (int k = 0; k < args.Length; k++)
            call.Add(_slots[k], in args[k]);
        return call.TryLaunch(options, token);
    }

    /// <summary>Inside the session; objects are those of the arguments that have no native form.</summary>
    internal LaunchResult Run(Engine engine, ReadOnlySpan<long> extents, ReadOnlySpan<CArgument> args, ReadOnlySpan<object?> objects, LaunchOptions? options, CancellationToken token)
    {
        token.ThrowIfCancellationRequested();
        if (engine.Kind == EngineKind.Clr && _floats != "exact")
            throw new IlcudaException(Status.Unsupported, $"{Method.FullName}: the clr engine computes in mode exact alone; mode {_floats} is of the engines ast, cpu and cuda");
        if (engine.Kind == EngineKind.Clr)
            return ClrLaunch.Run(this, engine, extents, args, objects, token);
        for (int k = 0; k < objects.Length; k++)
        {
            if (objects[k] != null)
                throw new IlcudaException(Status.Invalid, $"{Method.FullName}: argument {Method.Described[(int)args[k].Number].Name} is a {objects[k]!.GetType().Name}, which only the clr engine takes");
        }
        if (!token.CanBeCanceled || engine.Kind is not (EngineKind.Il or EngineKind.Tree))
            return RunNative(engine, extents, args, options);
        using CancellationTokenRegistration registration = token.Register(Session.Stop);
        try
        {
            return RunNative(engine, extents, args, options);
        }
        catch (IlcudaException e) when (e.Status == Status.Limit && token.IsCancellationRequested)
        {
            throw new OperationCanceledException(token);
        }
        finally
        {
            registration.Dispose(); // waits for a Stop that has begun
            if (token.IsCancellationRequested)
                Session.Resume();
        }
    }

    private LaunchResult RunNative(Engine engine, ReadOnlySpan<long> extents, ReadOnlySpan<CArgument> args, LaunchOptions? options)
    {
        CLaunchResult result = default;
        var native = new CLaunchOptions
        {
            Size = (nuint)sizeof(CLaunchOptions),
            Body = options is { CheckedBody: true } ? 1 : 0,
            SelfCheck = options is { SelfCheck: false } ? (byte)0 : (byte)1,
            Fuel = (ulong)(options?.Fuel ?? 0),
            BestCode = options is { BestCode: true } ? (byte)1 : (byte)0,
        };
        int status;
        fixed (CArgument* arguments = args)
        fixed (long* sizes = extents)
            status = Api.ilc_launch(&result, engine.Native, Native, arguments, (nuint)args.Length, sizes, (nuint)extents.Length, &native);
        if (status == (int)Status.Trap)
            Session.ClearDiagnostics();
        else
            Session.Check(status);
        return new LaunchResult(in result);
    }

    /// <summary>"il_Gram_kernel [Grid2D] &lt;- Stats.Gram".</summary>
    public override string ToString() => $"{Name} [{ModeName}] <- {Method.FullName}";

    /// <summary>Element-wise kernels have a grid of one dimension, and are called so.</summary>
    internal string ModeName => (Mode == IndexMode.ElementWise ? IndexMode.Grid1D : Mode).ToString();
}
