// Does a kernel give on an engine what the method gives on CoreCLR?

using System.Globalization;
using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>How an engine is compared with the method on CoreCLR.</summary>
public sealed class CompareOptions
{
    /// <summary>How many elements the method is run for, spread evenly, the first and the last among them; 0: all.</summary>
    public int Sample { get; set; }
    /// <summary>How many floating-point numbers a result may lie beside CoreCLR's. 0, the default, is the same bits, any two NaNs being
    /// the same. Kernels with sin, exp, pow and their kind need 1 or more, where CoreCLR asks another C library (docs/functions.md).</summary>
    public int Ulps { get; set; }
}

/// <summary>What a comparison of an engine with the method on CoreCLR found.</summary>
public sealed class KernelComparison
{
    internal KernelComparison(long elements) => Elements = elements;

    internal KernelComparison(long elements, string difference, long element, string expected, string actual) : this(elements) =>
        (Difference, Element, Expected, Actual) = (difference, element, expected, actual);

    /// <summary>No difference was found.</summary>
    public bool Same => Difference == null;
    /// <summary>For how many elements the method was run.</summary>
    public long Elements { get; }
    /// <summary>All of the first difference in one line; null where there is none.</summary>
    public string? Difference { get; }
    /// <summary>Its place in the array, or the element that raised; -1 where there is none.</summary>
    public long Element { get; } = -1;
    /// <summary>What CoreCLR has there, bits and value: "#3f800000 (1)"; an exception's type; null where there is no difference.</summary>
    public string? Expected { get; }
    /// <summary>What the engine has there.</summary>
    public string? Actual { get; }

    /// <summary>The difference, or how much was compared.</summary>
    public override string ToString() => Difference ?? $"the same as CoreCLR in {Elements} elements";
}

public sealed unsafe partial class Kernel
{
    /// <summary>Runs it over n elements on an engine and the method itself on CoreCLR, and compares results, arrays and exceptions. The
    /// program's arrays stay as they are.</summary>
    /// <param name="engine">Which engine.</param>
    /// <param name="n">How many elements.</param>
    /// <param name="args">As for <see cref="Run(Engine, long, object[])"/>, without buffers.</param>
    /// <exception cref="IlcudaException">The launch was refused, or CoreCLR cannot run the method (<see cref="EngineKind.Clr"/>).</exception>
    public KernelComparison Verify(Engine engine, long n, params object?[] args) => Verify(new CompareOptions(), engine, [n], args);

    /// <summary>The same with options, over extents in the order i, j, k.</summary>
    public KernelComparison Verify(CompareOptions options, Engine engine, long[] extents, params object?[] args)
    {
        if (options == null)
            throw new ArgumentNullException(nameof(options));
        foreach (object? arg in args ?? throw new ArgumentNullException(nameof(args)))
        {
            if (arg is DeviceBuffer)
                throw new IlcudaException(Status.Invalid, $"{Method.FullName}: a comparison takes arrays of the program, not buffers");
        }
        object?[] onEngine = Cloned(args), onClr = Cloned(args);
        using KernelCall call = Called(engine, Given(extents), onEngine);
        HostCopy[] copies = Enumerable.Range(0, ResultCount).Select(k => call.AddResult(k, Method.Result == Storage.Struct ? Outputs[k].Storage : Method.Result)).ToArray();
        LaunchResult launched = call.TryLaunch(new LaunchOptions { BestCode = true });
        call.TakeBack();
        return new ClrComparison(this, engine, options, extents).Compare(launched.Trap, copies, args, onEngine, onClr);
    }

    /// <summary>The numbers of the parameters that arguments stand for, in their order.</summary>
    internal ReadOnlySpan<int> Slots => _slots;

    /// <summary>Arrays are copied, one that is given twice once.</summary>
    private static object?[] Cloned(object?[] args)
    {
        var made = new object?[args.Length];
        for (int k = 0; k < args.Length; k++)
        {
            int known = Array.FindIndex(args, 0, k, other => ReferenceEquals(other, args[k]));
            made[k] = args[k] is not Array array ? args[k] : known >= 0 ? made[known] : array.Clone();
        }
        return made;
    }
}

/// <summary>One comparison: the method is run for the elements of the sample, then all that can be known is compared.</summary>
internal sealed unsafe class ClrComparison(Kernel kernel, Engine engine, CompareOptions options, long[] extents)
{
    private readonly string _method = kernel.Method.FullName;
    private long[]? _sample;

    public KernelComparison Compare(Trap? trap, HostCopy[] results, object?[] given, object?[] onEngine, object?[] onClr)
    {
        OriginalMethod original = kernel.Original;
        long total = extents.Aggregate(1L, (product, extent) => product * extent);
        _sample = Sample(total, trap);
        Array? result = original.NewResult(total);
        var failure = new LowestFailure();
        object?[] arguments = Arguments(original, onClr);
        if (_sample == null)
            failure = original.Run(arguments, result, extents, total, Environment.ProcessorCount, default);
        else
            Array.ForEach(_sample, element => original.Run(arguments, result, extents, element, failure));
        return Exceptions(trap, failure) ?? Results(results, result) ?? Arrays(given, onEngine, onClr) ?? new KernelComparison(_sample?.LongLength ?? total);
    }

    /// <summary>Null: all. An element that raised on the engine is looked at, too.</summary>
    private long[]? Sample(long total, Trap? trap)
    {
        if (options.Sample <= 0 || options.Sample >= total)
            return null;
        IEnumerable<long> spread = Enumerable.Range(0, options.Sample).Select(k => options.Sample == 1 ? 0 : (long)((decimal)k * (total - 1) / (options.Sample - 1)));
        return (trap == null ? spread : spread.Append(trap.Element)).Distinct().OrderBy(element => element).ToArray();
    }

    private object?[] Arguments(OriginalMethod original, object?[] given)
    {
        var arguments = new object?[original.Types.Length];
        for (int k = 0; k < given.Length; k++)
        {
            int parameter = kernel.Slots[k];
            arguments[parameter] = given[k] is null or Array || !KernelArgument.From(given[k]).IsNumber(out CValue value) ? given[k]
                : ClrLaunch.Scalar(kernel, kernel.Method.Described[parameter], original.Types[parameter], in value);
        }
        return arguments;
    }

    private KernelComparison Found(string what, long element, string expected, string actual) => new(_sample?.LongLength ?? 0,
        $"{_method}: {what} is {actual} on {engine.Device}, {expected} on CoreCLR", element, expected, actual);

    // --- exceptions ---

    private KernelComparison? Exceptions(Trap? actual, LowestFailure expected)
    {
        string there = actual == null ? "none" : $"{actual.Exception} in element {actual.Element}";
        string here = expected.Exception == null ? "none" : $"{expected.Exception.GetType().FullName} in element {expected.Element}";
        return here == there ? null : Found("the exception", expected.Exception != null ? expected.Element : actual!.Element, here, there);
    }

    // --- numbers ---

    private KernelComparison? Results(HostCopy[] results, Array? expected)
    {
        for (int k = 0; k < results.Length; k++)
        {
            Storage storage = results[k].Elements;
            (string name, int offset) = kernel.Method.Result == Storage.Struct ? ($".{kernel.Outputs[k].Name}", kernel.Outputs[k].Offset) : ("", 0);
            int size = Storages.Size(storage);
            long apart = CallValues.SizeOf(expected!.GetType().GetElementType()!);
            byte[] numbers = new byte[results[k].Length * size];
            fixed (byte* pinned = &CallValues.Start(expected), actual = numbers)
            {
                results[k].Read(actual);
                byte* first = (byte*)CallValues.Data(expected);
                for (long n = 0; n < (_sample?.LongLength ?? expected.LongLength); n++)
                {
                    long e = _sample?[n] ?? n;
                    if (Difference(storage, first + e * apart + offset, actual + e * size) is var (here, there))
                        return Found($"result[{e}]{name}", e, here, there);
                }
            }
        }
        return null;
    }

    /// <summary>Where not all elements were run, only what those changed says anything.</summary>
    private KernelComparison? Arrays(object?[] given, object?[] onEngine, object?[] onClr)
    {
        for (int k = 0; k < given.Length; k++)
        {
            if (given[k] is not Array before)
                continue;
            IlParameter param = kernel.Method.Described[kernel.Slots[k]];
            var leaves = new List<(string Name, Storage Storage, int Offset)>();
            if (param.Layout == 0)
                leaves.Add(("", Storages.Of(before.GetType().GetElementType()!), 0));
            else
                AddLeaves(param.Layout, "", 0, leaves);
            long apart = CallValues.SizeOf(before.GetType().GetElementType()!);
            Array there = (Array)onEngine[k]!, here = (Array)onClr[k]!;
            fixed (byte* pinned = &CallValues.Start(before), pinnedThere = &CallValues.Start(there), pinnedHere = &CallValues.Start(here))
            {
                byte* old = (byte*)CallValues.Data(before), actual = (byte*)CallValues.Data(there), expected = (byte*)CallValues.Data(here);
                for (long e = 0; e < before.LongLength; e++)
                {
                    foreach ((string name, Storage storage, int offset) in leaves)
                    {
                        long at = e * apart + offset;
                        if (_sample != null && Bits(storage, old + at) == Bits(storage, expected + at))
                            continue;
                        if (Difference(storage, expected + at, actual + at) is var (value, other))
                            return Found($"{param.Name}[{e}]{name}", e, value, other);
                    }
                }
            }
        }
        return null;
    }

    /// <summary>The numbers in a structure; what lies between them is nobody's promise.</summary>
    private static void AddLeaves(nint layout, string prefix, int at, List<(string Name, Storage Storage, int Offset)> leaves)
    {
        CField field;
        for (uint k = 0; Api.ilc_struct_field(&field, layout, k) == (int)Status.Ok; k++)
        {
            string name = $"{prefix}.{Utf8.Text(field.Name)}";
            if (field.Layout != 0)
                AddLeaves(field.Layout, name, at + (int)field.Offset, leaves);
            else
                leaves.Add((name, (Storage)field.Storage, at + (int)field.Offset));
        }
    }

    private static ulong Bits(Storage storage, byte* at) => Storages.BitsAt(storage, ref *at);

    private (string Expected, string Actual)? Difference(Storage storage, byte* expected, byte* actual)
    {
        ulong here = Bits(storage, expected), there = Bits(storage, actual);
        return BitText.Same(storage, here, there, options.Ulps) ? null : (BitText.Of(storage, here), BitText.Of(storage, there));
    }
}

/// <summary>Numbers compared and shown by their bits.</summary>
internal static class BitText
{
    public static bool Same(Storage storage, ulong a, ulong b, int ulps)
    {
        if (a == b)
            return true;
        if (storage is not (Storage.Single or Storage.Double))
            return false;
        bool isSingle = storage == Storage.Single;
        ulong infinity = isSingle ? 0x7F800000UL : 0x7FF0000000000000UL, magnitude = isSingle ? 0x7FFFFFFFUL : 0x7FFFFFFFFFFFFFFFUL;
        bool aIsNaN = (a & magnitude) > infinity, bIsNaN = (b & magnitude) > infinity;
        if (aIsNaN || bIsNaN || ulps <= 0)
            return aIsNaN && bIsNaN;
        decimal distance = Ordered(a, magnitude) - (decimal)Ordered(b, magnitude);
        return Math.Abs(distance) <= ulps;
    }

    /// <summary>Floats in order, a step apart.</summary>
    private static long Ordered(ulong bits, ulong magnitude) => bits > magnitude ? -(long)(bits & magnitude) : (long)bits;

    /// <summary>"#3f800000 (1)"</summary>
    public static string Of(Storage storage, ulong bits)
    {
        int digits = 2 * Storages.Size(storage);
        ulong cut = digits == 16 ? bits : bits & ((1ul << (4 * digits)) - 1);
        object value = storage == Storage.Char ? (ushort)bits : Storages.Box(storage, bits);
        string text = value is float or double ? ((IFormattable)value).ToString("R", CultureInfo.InvariantCulture) : Convert.ToString(value, CultureInfo.InvariantCulture)!;
        return $"#{cut.ToString("x" + digits, CultureInfo.InvariantCulture)} ({text})";
    }
}
