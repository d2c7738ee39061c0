// A method translated: its names, its text in every form, and launches.

using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>How a method is made a kernel.</summary>
public sealed class KernelOptions
{
    /// <summary>"exact", the default.</summary>
    public string? Mode { get; set; }
    /// <summary>Overflow, bounds, null and division are tested as .NET does.</summary>
    public bool Checks { get; set; } = true;
    /// <summary>The index parameters in the order i, j, k, as "row,col"; null: inferred.</summary>
    public string? Index { get; set; }
    /// <summary>Of an element-wise method: parameters that stay plain scalars, as "a,b".</summary>
    public string? Scalars { get; set; }
    /// <summary>#line in CUDA and C text, which is then compiled with line tables: debuggers and profilers name the source's lines.</summary>
    public bool LineDirectives { get; set; }
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

/// <summary>A method as a kernel. It stays to the end of its session.</summary>
public sealed unsafe partial class Kernel
{
    /// <summary>Numbers of the parameters that a launch is given, and then of the results, as ~number.</summary>
    private readonly int[] _slots;
    private readonly string?[] _texts = new string?[(int)KernelText.CUnit + 1];

    internal Kernel(IlMethod method, KernelOptions options)
    {
        Method = method;
        using SessionScope inside = Session.Enter();
        nint kernel;
        fixed (byte* mode = Utf8.Bytes(options.Mode), index = Utf8.Bytes(options.Index), scalars = Utf8.Bytes(options.Scalars))
        {
            var native = new CKernelOptions
            {
                Size = (nuint)sizeof(CKernelOptions),
                Mode = (nint)mode,
                Checks = options.Checks ? (byte)1 : (byte)0,
                Index = (nint)index,
                Scalars = (nint)scalars,
                LineDirectives = options.LineDirectives ? (byte)1 : (byte)0,
            };
            Session.Check(Api.ilc_kernel_translate(&kernel, method.Handle, &native));
        }
        Native = kernel;
        nint text;
        Session.Check(Api.ilc_kernel_name(&text, kernel));
        Name = Utf8.Text(text)!;
        Session.Check(Api.ilc_kernel_device_name(&text, kernel));
        DeviceFunctionName = Utf8.Text(text)!;
        Mode = (IndexMode)Api.ilc_kernel_index_mode(kernel);
        Dimensions = (int)Api.ilc_kernel_dims(kernel);
        _slots = Slots();
    }

    internal Session Session => Method.Session;
    internal nint Native { get; }
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
    public int ResultCount { get; private set; }

    private int[] Slots()
    {
        int count = Method.ParameterCount;
        var slots = new List<int>();
        for (int k = 0; k < count; k++)
        {
            if (Api.ilc_kernel_index_param(Native, 0) != k && Api.ilc_kernel_index_param(Native, 1) != k && Api.ilc_kernel_index_param(Native, 2) != k)
                slots.Add(k);
        }
        ResultCount = Method.Result switch
        {
            Storage.Void => 0,
            Storage.Struct => Outputs().Count,
            _ => 1,
        };
        for (int k = 0; k < ResultCount; k++)
            slots.Add(~k);
        return slots.ToArray();
    }

    private List<string> Outputs()
    {
        var names = new List<string>();
        CField field;
        while (Api.ilc_method_output(&field, Method.Handle, (uint)names.Count) == (int)Status.Ok)
            names.Add(Utf8.Text(field.Name)!);
        Api.ilc_session_clear_diagnostics(Session.Handle.DangerousGetHandle());
        return names;
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
    public LaunchResult TryLaunch(Engine engine, ReadOnlySpan<long> extents, ReadOnlySpan<KernelArgument> args, LaunchOptions? options = null)
    {
        const int onStack = 24;
        if (engine == null)
            throw new ArgumentNullException(nameof(engine));
        if (args.Length > _slots.Length)
            throw new IlcudaException(Status.Invalid, $"{Method.FullName} takes {_slots.Length} arguments, not {args.Length}");
        if (engine.Session != Session)
            throw new IlcudaException(Status.Invalid, "kernel and engine belong to different sessions");
        Span<CArgument> native = args.Length <= onStack ? stackalloc CArgument[onStack] : new CArgument[args.Length];
        using SessionScope inside = Session.Enter();
        NativeMemory? memory = null;
        try
        {
            for (int k = 0; k < args.Length; k++)
                native[k] = args[k].ToNative(this, _slots[k], ref memory);
            return Run(engine, extents, native.Slice(0, args.Length), options);
        }
        finally
        {
            memory?.Dispose();
        }
    }

    private LaunchResult Run(Engine engine, ReadOnlySpan<long> extents, ReadOnlySpan<CArgument> args, LaunchOptions? options)
    {
        CLaunchResult result = default;
        var native = new CLaunchOptions
        {
            Size = (nuint)sizeof(CLaunchOptions),
            Body = options is { CheckedBody: true } ? 1 : 0,
            SelfCheck = options is { SelfCheck: false } ? (byte)0 : (byte)1,
            Fuel = (ulong)(options?.Fuel ?? 0),
        };
        int status;
        fixed (CArgument* arguments = args)
        fixed (long* sizes = extents)
            status = Api.ilc_launch(&result, engine.Native, Native, arguments, (nuint)args.Length, sizes, (nuint)extents.Length, &native);
        if (status == (int)Status.Trap)
            Api.ilc_session_clear_diagnostics(Session.Handle.DangerousGetHandle());
        else
            Session.Check(status);
        return new LaunchResult(in result);
    }

    /// <summary>"il_Gram_kernel [Grid2D] &lt;- Stats.Gram".</summary>
    public override string ToString() => $"{Name} [{ModeName}] <- {Method.FullName}";

    /// <summary>Element-wise kernels have a grid of one dimension, and are called so.</summary>
    internal string ModeName => (Mode == IndexMode.ElementWise ? IndexMode.Grid1D : Mode).ToString();
}
