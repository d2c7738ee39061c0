// Does a method do the same everywhere?

using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>How methods are compared.</summary>
public sealed class VerifyOptions
{
    /// <summary>Sets of arguments.</summary>
    public int Rounds { get; set; } = 24;
    /// <summary>The same seed makes the same arguments.</summary>
    public long Seed { get; set; } = 1;
    /// <summary>Instructions, for each element.</summary>
    public long Fuel { get; set; } = 1_000_000;
    /// <summary>As in <see cref="KernelOptions.Index"/>.</summary>
    public string? Index { get; set; }
    /// <summary>As in <see cref="KernelOptions.Mode"/>. In another mode than exact the tree interpreter takes the place of the IL interpreter; in mode
    /// fast nothing is a difference, and <see cref="Verification.Deviation"/> says how far the engines are from mode exact.</summary>
    public string? Mode { get; set; }
}

/// <summary>How far numbers of mode fast are from those of mode exact.</summary>
public readonly struct Deviation
{
    internal Deviation(in CDeviation found) =>
        (Values, Absolute, Relative, Ulps, Unlike) = ((long)found.Values, found.Absolute, found.Relative, (long)found.Ulps, (long)found.Unlike);

    /// <summary>How many numbers were compared.</summary>
    public long Values { get; }
    /// <summary>The largest difference.</summary>
    public double Absolute { get; }
    /// <summary>The largest as a part of the number of mode exact.</summary>
    public double Relative { get; }
    /// <summary>The largest in floating-point numbers between the two.</summary>
    public long Ulps { get; }
    /// <summary>NaN, infinities, integers and exceptions that are others.</summary>
    public long Unlike { get; }
}

/// <summary>What a comparison of the IL interpreter, the tree interpreter and engines found.</summary>
public sealed unsafe class Verification
{
    private Verification(in CCheckResult result, string judge)
    {
        Deviation = new Deviation(in result.Deviation);
        Rounds = (int)result.Rounds;
        Elements = (long)result.Elements;
        Trapped = (long)result.Trapped;
        Limited = (long)result.Limited;
        Unpromised = (long)result.Unpromised;
        Same = result.Different == 0 && result.Rounds != 0;
        if (result.Different == 0)
            return;
        Engine = Utf8.Text(result.Engine);
        Expected = Utf8.Text(result.Expected);
        Actual = Utf8.Text(result.Actual);
        Arguments = Utf8.Text(result.Arguments);
        Difference = $"{Engine}: {Utf8.Text(result.What)} is {Actual}, the {judge} interpreter has {Expected}, in element {result.Element}";
    }

    /// <summary>All agree on every set, and there was one.</summary>
    public bool Same { get; }
    /// <summary>Sets that were compared, on each engine; 0: there is no answer.</summary>
    public int Rounds { get; }
    /// <summary>Elements that were compared, on each engine.</summary>
    public long Elements { get; }
    /// <summary>Elements that raised an exception, everywhere.</summary>
    public long Trapped { get; }
    /// <summary>Sets that were left out: they took too long, or the elements were not independent.</summary>
    public long Limited { get; }
    /// <summary>Values that differ and depend on the bits of a NaN that arithmetic made: no difference.</summary>
    public long Unpromised { get; }
    /// <summary>Of mode fast.</summary>
    public Deviation Deviation { get; }
    /// <summary>The engine of the first difference; null where there is none, as all that follows.</summary>
    public string? Engine { get; }
    /// <summary>Of the interpreter that judges, with its bits.</summary>
    public string? Expected { get; }
    /// <summary>Of the engine.</summary>
    public string? Actual { get; }
    /// <summary>As `ilcuda call` takes them.</summary>
    public string? Arguments { get; }
    /// <summary>All of it in one line.</summary>
    public string? Difference { get; }

    internal static Verification Run(IlMethod method, VerifyOptions options, Engine[] engines)
    {
        if (options == null)
            throw new ArgumentNullException(nameof(options));
        Session session = method.Session;
        using SessionScope inside = session.Enter();
        nint[] list = Array.ConvertAll(engines, engine => engine.Session != session
            ? throw new IlcudaException(Status.Invalid, "method and engine belong to different sessions")
            : engine.Kind == EngineKind.Clr ? throw new IlcudaException(Status.Invalid, "the clr engine is compared by Kernel.Verify")
            : engine.Native);
        CCheckResult result = default;
        int status;
        fixed (nint* first = list)
        fixed (byte* index = Utf8.Bytes(options.Index), mode = Utf8.Bytes(options.Mode))
        {
            var native = new CCheckOptions
            {
                Size = (nuint)sizeof(CCheckOptions),
                Engines = (nint)first,
                EngineCount = (nuint)list.Length,
                Rounds = (uint)options.Rounds,
                Seed = (ulong)options.Seed,
                Fuel = (ulong)options.Fuel,
                Index = (nint)index,
                Mode = (nint)mode,
            };
            status = Api.ilc_check(&result, method.Handle, &native);
        }
        if (status == (int)Status.Different)
            session.ClearDiagnostics();
        else
            session.Check(status);
        return new Verification(in result, options.Mode is null or "exact" ? "IL" : "tree");
    }

    /// <summary>The difference, or how much was compared.</summary>
    public override string ToString() => Difference ?? (Rounds == 0 ? "not compared" : $"the same in {Rounds} sets, {Elements} elements");
}
