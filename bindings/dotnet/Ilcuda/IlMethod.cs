// A method: its signature, whether it can become a kernel, and single calls of it.

using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>How a method becomes a kernel (docs/semantics.md, Kernels).</summary>
public enum IndexMode
{
    /// <summary>A device function only: callable from other kernels.</summary>
    Device,
    /// <summary>One index, i.</summary>
    Grid1D,
    /// <summary>i on rows, j on columns.</summary>
    Grid2D,
    /// <summary>i, j and k.</summary>
    Grid3D,
    /// <summary>No index and no array: each scalar is read at the index.</summary>
    ElementWise,
}

/// <summary>Whether a method can become a kernel, or why not.</summary>
public sealed class Support
{
    internal Support(in CSupport support)
    {
        Supported = support.Supported != 0;
        Mode = support.HasMode != 0 ? (IndexMode)support.Mode : null;
        LoopDepth = (int)support.LoopDepth;
        InterpretersOnly = support.Interpreted != 0;
        Refusal = Supported ? null : new IlcudaException(in support.Refusal);
    }

    /// <summary>Can it?</summary>
    public bool Supported { get; }
    /// <summary>What the conventions infer; null when the signature itself is refused.</summary>
    public IndexMode? Mode { get; }
    /// <summary>Loops in loops, those of methods called there among them; 0 where it cannot.</summary>
    public int LoopDepth { get; }
    /// <summary>As a kernel it runs on the interpreters alone: it makes arrays of a length that is not known to be small.</summary>
    public bool InterpretersOnly { get; }
    /// <summary>Why not: the line, method, reason and source line; null where it can.</summary>
    public IlcudaException? Refusal { get; }
}

/// <summary>A parameter, as its method declares it.</summary>
public sealed class IlParameter
{
    internal readonly nint Layout;

    internal IlParameter(in CParam param)
    {
        Name = Utf8.Text(param.Name)!;
        Type = Utf8.Text(param.Type)!;
        Storage = (Storage)param.Storage;
        Innermost = (Storage)param.Innermost;
        Layout = param.Layout;
        IsArray = param.IsArray != 0;
        IsPointer = param.IsPointer != 0;
        IsByRef = param.IsByRef != 0;
        IsSpan = param.IsSpan != 0;
        Index = param.Index;
        Rank = (int)param.Rank;
        Nested = (int)param.Nested;
    }

    /// <summary>The name in the source.</summary>
    public string Name { get; }
    /// <summary>"Single[]", "Int32", "Int32&amp;".</summary>
    public string Type { get; }
    /// <summary>Of the scalar, of the array's elements, or of what a by-ref points to.</summary>
    public Storage Storage { get; }
    /// <summary>An array, or a pointer, which points to the start of one.</summary>
    public bool IsArray { get; }
    /// <summary>A pointer.</summary>
    public bool IsPointer { get; }
    /// <summary>ByRef, ref, out or in.</summary>
    public bool IsByRef { get; }
    /// <summary>A span, which is given an array.</summary>
    public bool IsSpan { get; }
    /// <summary>0, 1, 2: the index i, j, k of the mode that is inferred; else -1.</summary>
    public int Index { get; }
    /// <summary>Dimensions of an array; else 0.</summary>
    public int Rank { get; }
    /// <summary>1 for Single[][], 2 for Single[][][]; else 0.</summary>
    public int Nested { get; }
    internal Storage Innermost { get; }
}

/// <summary>Which interpreter a single call takes.</summary>
public enum Interpreter
{
    /// <summary>The IL itself, from the assembly's bytes: the judge.</summary>
    Il,
    /// <summary>The syntax tree, from which the kernels are printed.</summary>
    Tree,
}

/// <summary>How a single call is made.</summary>
public sealed class CallOptions
{
    /// <summary>The IL or the syntax tree.</summary>
    public Interpreter Interpreter { get; set; }
    /// <summary>Instructions or tree nodes, after which the call ends with <see cref="Status.Limit"/>; 0: no limit.</summary>
    public long Fuel { get; set; }
    /// <summary>The IL interpreter asks the C library for exp, sin, pow and their kind, as CoreCLR does on Linux, instead of the
    /// functions that all engines have in common (docs/functions.md).</summary>
    public bool HostLibm { get; set; }
    /// <summary>As in <see cref="KernelOptions.Mode"/>; the IL has mode exact alone.</summary>
    public string? Mode { get; set; }
}

/// <summary>What one call came to.</summary>
public sealed class CallOutcome
{
    internal CallOutcome(object? value, Trap? trap) => (Value, Trap) = (value, trap);

    /// <summary>The result; null of a Sub, and after a trap.</summary>
    public object? Value { get; }
    /// <summary>The exception that left the method; null where none did.</summary>
    public Trap? Trap { get; }
}

/// <summary>A method of an assembly.</summary>
public sealed unsafe class IlMethod
{
    private readonly nint _method;
    private readonly Dictionary<(string?, bool, string?, string?, bool, bool, string?), Kernel> _kernels = [];
    private IlParameter[]? _parameters;

    internal IlMethod(IlAssembly assembly, nint method)
    {
        (Assembly, _method) = (assembly, method);
        Name = Utf8.Text(Api.ilc_method_name(method))!;
        FullName = Utf8.Text(Api.ilc_method_full_name(method))!;
        IsGeneric = Api.ilc_method_is_generic(method) != 0;
        Result = (Storage)Api.ilc_method_result(method);
        ParameterCount = (int)Api.ilc_method_param_count(method);
    }

    /// <summary>The assembly that it is in.</summary>
    public IlAssembly Assembly { get; }
    internal Session Session => Assembly.Session;
    internal nint Handle => _method;
    /// <summary>What reflection knows of it; null where it was found by name.</summary>
    public MethodBase? Reflected { get; internal set; }
    /// <summary>"Gram".</summary>
    public string Name { get; }
    /// <summary>"Ns.Stats.Gram".</summary>
    public string FullName { get; }
    /// <summary>Has it generic parameters of its own or of its type?</summary>
    public bool IsGeneric { get; }
    /// <summary>The result's type.</summary>
    public Storage Result { get; }
    internal int ParameterCount { get; }
    /// <summary>How many parameters stand for fields of `this`: the last, but for those that <see cref="Counted"/> adds.</summary>
    internal int CapturedCount => (int)Api.ilc_method_captured_count(_method);

    /// <summary>The method with these indices, "i" or "i,j", counted from parameters of their own, which stand behind all others.</summary>
    internal IlMethod Counted(string index)
    {
        using SessionScope inside = Session.Enter();
        nint counted;
        fixed (byte* names = Utf8.Bytes(index))
            Session.Check(Api.ilc_method_counted(&counted, _method, names));
        return Assembly.Known(counted, Reflected);
    }

    /// <summary>Bytes of a structure that it returns; 0 of any other.</summary>
    internal int ResultSize
    {
        get
        {
            using SessionScope inside = Session.Enter();
            nint layout;
            Session.Check(Api.ilc_method_result_struct(&layout, _method));
            return layout == 0 ? 0 : (int)Api.ilc_struct_size(layout);
        }
    }

    /// <summary>"Ns.Stats.Gram(Single[],Int32)": what <see cref="IlAssembly.Find"/> takes.</summary>
    public string Display
    {
        get
        {
            using SessionScope inside = Session.Enter();
            nint text;
            Session.Check(Api.ilc_method_display(&text, _method));
            return Utf8.Text(text)!;
        }
    }

    /// <summary>The parameters in order.</summary>
    public IReadOnlyList<IlParameter> Parameters => Described;

    internal IlParameter[] Described
    {
        get
        {
            if (_parameters is { } known)
                return known;
            using SessionScope inside = Session.Enter();
            var made = new IlParameter[ParameterCount];
            for (int k = 0; k < made.Length; k++)
            {
                CParam param;
                Session.Check(Api.ilc_method_param(&param, _method, (uint)k));
                made[k] = new IlParameter(in param);
            }
            return _parameters = made;
        }
    }

    /// <summary>Can it become a kernel? It is translated to find out; a refusal is an answer, no exception.</summary>
    public Support Support
    {
        get
        {
            using SessionScope inside = Session.Enter();
            CSupport support;
            Session.Check(Api.ilc_method_support(&support, _method));
            return new Support(in support);
        }
    }

    /// <summary>The disassembly, of any method with a body.</summary>
    public string Il
    {
        get
        {
            using SessionScope inside = Session.Enter();
            nint text;
            Session.Check(Api.ilc_method_il(&text, _method));
            return Utf8.Text(text)!;
        }
    }

    /// <summary>VB or C# that a compiler takes as it is: the method, all that it calls, and what they use.</summary>
    /// <param name="form">A form of VB or C#.</param>
    /// <exception cref="IlcudaException">The method is not supported, or the language cannot say it.</exception>
    public string Source(KernelText form)
    {
        using SessionScope inside = Session.Enter();
        nint text;
        Session.Check(Api.ilc_method_source(&text, _method, (int)form));
        return Utf8.Text(text)!;
    }

    /// <summary>Makes it a kernel; the same options give the same kernel again, which stays to the end of the session.</summary>
    /// <exception cref="IlcudaException">It cannot become one.</exception>
    public Kernel Translate(KernelOptions? options = null)
    {
        options ??= new KernelOptions();
        using SessionScope inside = Session.Enter();
        if (!_kernels.TryGetValue(options.Key, out Kernel? kernel))
            _kernels[options.Key] = kernel = new Kernel(this, options);
        return kernel;
    }

    /// <summary>Calls it in the IL interpreter. Arrays are changed in place, and what is given for a by-ref is replaced by what the
    /// method left there, as MethodInfo.Invoke does; a pointer takes an array.</summary>
    /// <exception cref="IlcudaException">The method is not supported, or the arguments are not its own.</exception>
    /// <remarks>An exception of the method is thrown as itself (<see cref="Trap.ToException"/>).</remarks>
    public object? Invoke(params object?[] args) => Invoke(Interpreter.Il, args);

    /// <summary>The same in the interpreter that is named.</summary>
    public object? Invoke(Interpreter interpreter, params object?[] args)
    {
        CallOutcome outcome = Call(args, new CallOptions { Interpreter = interpreter });
        return outcome.Trap == null ? outcome.Value : throw outcome.Trap.ToException();
    }

    /// <summary>The same; an exception of the method is an outcome.</summary>
    /// <param name="args">In the order of the parameters.</param>
    /// <param name="options">How; null: in the IL interpreter, without limit.</param>
    public CallOutcome Call(object?[] args, CallOptions? options = null)
    {
        if (args == null)
            throw new ArgumentNullException(nameof(args));
        IlParameter[] parameters = Described;
        if (args.Length != parameters.Length)
            throw new IlcudaException(Status.Invalid, $"{FullName} takes {parameters.Length} arguments, not {args.Length}");
        using SessionScope inside = Session.Enter();
        using var values = new CallValues(FullName);
        CValue* passed = values.Pass(parameters, args);
        COutcome outcome;
        fixed (byte* mode = Utf8.Bytes(options?.Mode))
        {
            var native = new CCallOptions
            {
                Size = (nuint)sizeof(CCallOptions),
                Engine = options is { Interpreter: Interpreter.Tree } ? Session.Tree.Native : 0,
                Fuel = (ulong)(options?.Fuel ?? 0),
                HostLibm = options is { HostLibm: true } ? (byte)1 : (byte)0,
                Mode = (nint)mode,
            };
            Session.Check(Api.ilc_call(&outcome, _method, passed, (nuint)args.Length, &native));
        }
        if (outcome.Trapped != 0)
            return new CallOutcome(null, new Trap(in outcome.Trap));
        values.TakeBack(args);
        return new CallOutcome(values.Result(in outcome.Ret, ResultType), null);
    }

    private Type? ResultType => (Reflected as MethodInfo)?.ReturnType;

    /// <summary>Does it do the same in both interpreters and on these engines, on arguments that are made up? Compared bit by bit.</summary>
    /// <exception cref="IlcudaException">The method is not supported, or an engine failed.</exception>
    public Verification Verify(params Engine[] engines) => Verify(new VerifyOptions(), engines);

    /// <summary>The same, with options.</summary>
    public Verification Verify(VerifyOptions options, params Engine[] engines) => Verification.Run(this, options, engines);

    /// <summary>"Ns.Stats.Gram".</summary>
    public override string ToString() => FullName;
}
