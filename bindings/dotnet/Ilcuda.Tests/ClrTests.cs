// The clr engine, and what compares others with it.

using Consumer;
using Xunit;
using Original = Microsoft.VisualBasic.Computing.ILCuda.Runtime;

namespace Ilcuda.Tests;

public sealed class ClrTests : IDisposable
{
    private readonly Session _session = new();

    public void Dispose() => _session.Dispose();

    private Kernel Translated(string name, KernelOptions? options = null) => _session.Translate(typeof(Stats).GetMethod(name)!, options);

    private Engine Clr(int threads = 0) => Engine.Create(new EngineOptions { Kind = EngineKind.Clr, Threads = threads }, _session);

    private static void Refuses(string text, Action action)
    {
        var e = Assert.ThrowsAny<IlcudaException>(action);
        Assert.Contains(text, e.Message);
        Assert.DoesNotContain('\n', e.Message);
    }

    [Fact]
    public void It_is_there_where_it_is_asked_for_and_says_so()
    {
        using Engine clr = Engine.Create("clr", _session), one = Clr(1), best = Engine.Create(new EngineOptions(), _session);
        Assert.Equal(EngineKind.Clr, clr.Kind);
        Assert.Equal($"clr, the method itself, {Environment.ProcessorCount} thread{(Environment.ProcessorCount == 1 ? "" : "s")}", clr.Device);
        Assert.Equal("clr, the method itself, 1 thread", one.ToString());
        Assert.Equal((null, null), (clr.Compiler, clr.Arch));
        Assert.NotEqual(EngineKind.Clr, best.Kind);
        Assert.False(clr.Prepare(Translated("RowSum")));
        Refuses("the engine is \"net\": engines are cuda, cpu, ast, il, clr and auto", () => Engine.Create("net"));
        using Original.CudaEngine engine = Original.CudaEngine.TryCreate(new Original.EngineOptions { Engine = "clr" })!;
        Assert.StartsWith("clr, the method itself, ", engine.Device.Name);
        Assert.Equal("none: the method itself runs", engine.Image.ToString());
    }

    [Fact]
    public void Every_kind_of_kernel_runs()
    {
        using Engine clr = Clr();
        Assert.Equal([3.0, 7.0], Translated("RowSum").Run<double>(clr, 2, new[] { 1f, 2f, 3f, 4f }, 2));
        Assert.Equal([4, 6], Translated("Sum").Run<int>(clr, 2, new[] { 1, 2 }, new[] { 3, 4 }));
        Assert.Equal([4, 5], Translated("Sum", new KernelOptions { Scalars = "b" }).Run<int>(clr, 2, new[] { 1, 2 }, (byte)3));
        double[,] y = new double[2, 3];
        Translated("Outer").Run(clr, [2, 3], new[] { 2.0, 3.0, 4.0 }, y);
        Assert.Equal(new double[,] { { 4, 6, 8 }, { 6, 9, 12 } }, y);
        Assert.Equal(Enumerable.Range(0, 24).Select(k => (k / 12 * 4L + k / 4 % 3) * 4 + k % 4), Translated("Cube").Run<long>(clr, [2, 3, 4], 4));
        Assert.Equal([0.5, 1.0], Halved(clr, 1.0, 2.0));
        Assert.Equal([new Consumer.Range { Low = 1f, High = 2f }, new Consumer.Range { Low = 3f, High = 4f }],
            Translated("RangeOf").Run<Consumer.Range>(clr, 2, new[] { 2f, 1f, 3f, 4f }, 2));
        Assert.Equal([2f], Translated("Middle").Run<float>(clr, 1, [new[] { new Consumer.Range { Low = 1f, High = 3f } }]));
        Assert.Equal([true, false], Translated("Between", new KernelOptions { Scalars = "limits" }).Run<bool>(clr, 2, new[] { 1f, 9f }, new Consumer.Range { Low = 0f, High = 5f }));
        Assert.Empty(Translated("RowSum").Run<double>(clr, 0, Array.Empty<float>(), 2));
        Assert.Throws<NullReferenceException>(() => Translated("RowSum").Run<double>(clr, 2, null, 2));
    }

    private double[] Halved(Engine engine, params double[] values)
    {
        Translated("Halve").Run(engine, values.Length, [values]);
        return values;
    }

    [Fact]
    public void It_refuses_what_the_others_refuse()
    {
        using Engine clr = Clr(), tree = Engine.Create(new EngineOptions { Kind = EngineKind.Tree }, _session);
        Kernel kernel = Translated("RowSum");
        foreach (Engine engine in new[] { tree, clr })
        {
            DeviceBuffer<float> x = engine.Upload(1f, 2f, 3f, 4f);
            DeviceBuffer<double> sums = engine.CreateBuffer<double>(2);
            Refuses("argument x is an array of Double, Single was expected", () => kernel.Launch(engine, 2, sums, 2, sums));
            Refuses("argument cols does not fit Int32", () => kernel.Launch(engine, 2, x, 2.5, sums));
            Refuses("il_out holds 2 elements, the launch has 3", () => kernel.Launch(engine, 3, x, 2, sums));
            Refuses("argument il_out is missing", () => kernel.Launch(engine, 2, x, 2));
            Refuses("takes 1 extent, not 2", () => kernel.Launch(engine, [2, 2], x, 2, sums));
            Refuses("extent -1", () => kernel.Launch(engine, -1, x, 2, sums));
        }
        Refuses("which only the clr engine takes", () => kernel.Launch(tree, 2, KernelArgument.Object("x"), 2));
        Refuses("the clr engine is compared by Kernel.Verify", () => kernel.Method.Verify(clr));
        Kernel named = _session.Open(typeof(Stats).Assembly.Location).Find("RowSum").Translate();
        Refuses("known by name only", () => named.Run<double>(clr, 2, new float[4], 2));
    }

    [Fact]
    public void A_method_that_cannot_be_translated_runs_there_and_nowhere_else()
    {
        using Engine clr = Clr(), tree = Engine.Create(new EngineOptions { Kind = EngineKind.Tree }, _session);
        Kernel greeting = Translated("Greeting", new KernelOptions { OriginalOnly = true });
        Assert.Contains("not supported", greeting.Refusal!.Message);
        Assert.Equal((IndexMode.Grid1D, 1, 2), (greeting.Mode, greeting.Dimensions, greeting.ArgumentCount));
        DeviceBuffer<int> lengths = clr.CreateBuffer<int>(3), other = tree.CreateBuffer<int>(3);
        greeting.Launch(clr, 3, KernelArgument.Object("Ada"), lengths);
        Assert.Equal([9, 10, 11], lengths.Read());
        Assert.Equal([10, 11], _session.Translate(Stats.Greeting, new KernelOptions { OriginalOnly = true }).Run(clr, "Jane", 2));
        Refuses("which only the clr engine takes", () => greeting.Launch(tree, 3, KernelArgument.Object("Ada"), other));
        Assert.Equal(greeting.Refusal.Message, Assert.Throws<IlcudaException>(() => greeting.Launch(tree, 3, KernelArgument.Null, other)).Message);
        Assert.Equal(greeting.Refusal.Message, Assert.Throws<IlcudaException>(() => greeting.Text(KernelText.Cuda)).Message);
        Refuses("argument name must be", () => greeting.Launch(clr, 3, KernelArgument.Object(new Version()), lengths));
        Refuses("argument name does not fit", () => greeting.Launch(clr, 3, 5, lengths));
        Refuses("argument il_out is missing", () => greeting.Launch(clr, 3, KernelArgument.Null));
        Refuses("il_out holds 3 elements, the launch has 4", () => greeting.Launch(clr, 4, KernelArgument.Null, lengths));
        Refuses("il_out must be a buffer of Int32", () => greeting.Launch(clr, 1, KernelArgument.Null, clr.CreateBuffer<long>(1)));
        Assert.Null(Translated("RowSum", new KernelOptions { OriginalOnly = true }).Refusal);
    }

    [Fact]
    public void The_lowest_failing_element_is_reported_whichever_thread_comes_first()
    {
        using Engine clr = Clr(4);
        int[] a = Enumerable.Range(0, 100_000).ToArray(), b = a.Select(k => k % 1000 == 777 ? 0 : 1).ToArray();
        DeviceBuffer<int> ratio = clr.CreateBuffer<int>(a.Length);
        Kernel kernel = Translated("Ratio");
        for (int turn = 0; turn < 20; turn++)
        {
            Trap trap = kernel.TryLaunch(clr, [a.Length], clr.Upload(a), clr.Upload(b), ratio).Trap!;
            Assert.Equal((777L, "System.DivideByZeroException", "Consumer.Stats.Ratio"), (trap.Element, trap.Exception, trap.Method));
            Assert.True(trap.Line > 0 && trap.SourceFile!.EndsWith("Stats.vb"));
        }
        Assert.Equal(a.Select((value, k) => b[k] == 0 ? 0 : value), ratio.Read());
    }

    [Theory]
    [InlineData(EngineKind.Tree)]
    [InlineData(EngineKind.Cpu)]
    [InlineData(EngineKind.Clr)]
    public void Verification_compares_an_engine_with_CoreCLR(EngineKind kind)
    {
        using Engine engine = Engine.Create(new EngineOptions { Kind = kind, Threads = 2 }, _session);
        float[] x = Enumerable.Range(0, 1000).Select(k => 1f / (k + 1)).ToArray(), y = x.Reverse().ToArray(), before = [.. y];
        KernelAssert.SameBits(Translated("RowSum"), engine, 100, x, 10);
        KernelAssert.SameBits(Translated("Saxpy"), engine, 1000, 0.1f, x, y);
        Assert.Equal(before, y);
        KernelAssert.SameBits(Stats.RowSum, engine, 100, x, 10);
        KernelAssert.SameBits(Translated("Outer"), engine, [2, 3], new[] { 0.1, 0.2, 0.3 }, new double[2, 3]);
        KernelAssert.SameBits(Translated("RangeOf"), engine, 100, x, 10);
        KernelAssert.SameBits(Translated("Ratio"), engine, 3, new[] { 1, 2, 3 }, new[] { 1, 0, 0 });
        KernelComparison sampled = Translated("RowSum").Verify(new CompareOptions { Sample = 7 }, engine, [100], x, 10);
        Assert.True(sampled.Same);
        Assert.Equal("the same as CoreCLR in 7 elements", sampled.ToString());
        Assert.True(Translated("Saxpy").Verify(new CompareOptions { Sample = 3 }, engine, [1000], 0.1f, x, y).Same);
        sampled = Translated("Ratio").Verify(new CompareOptions { Sample = 2 }, engine, [3], new[] { 1, 2, 3 }, new[] { 1, 0, 1 });
        Assert.True(sampled.Same, sampled.ToString());
        Assert.Equal(3, sampled.Elements);
    }

    [Fact]
    public void A_difference_is_named_with_element_values_and_bits()
    {
        using Engine tree = Engine.Create(new EngineOptions { Kind = EngineKind.Tree }, _session);
        // What code elsewhere does to the elements of a read-only array is not followed (docs/semantics.md, Memory 21).
        Stats.Table[1] = 21;
        KernelComparison found;
        IlcudaException thrown;
        try
        {
            found = Translated("Looked").Verify(tree, 3, [new[] { 0, 1, 2 }]);
            thrown = Assert.Throws<IlcudaException>(() => KernelAssert.SameBits(Stats.Looked, tree, 3, [new[] { 0, 1, 2 }]));
        }
        finally
        {
            Stats.Table[1] = 20;
        }
        Assert.False(found.Same);
        Assert.Equal((1L, "#00000015 (21)", "#00000014 (20)"), (found.Element, found.Expected, found.Actual));
        Assert.Equal("Consumer.Stats.Looked: result[1] is #00000014 (20) on ast, the tree interpreter, #00000015 (21) on CoreCLR", found.Difference);
        Assert.Equal((Status.Different, found.Difference), (thrown.Status, thrown.Message));

        Kernel wraps = Translated("Sum", new KernelOptions { Checks = false });
        found = wraps.Verify(tree, 2, new[] { 1, int.MaxValue }, new[] { 1, 1 });
        using Engine cpu = Engine.Create(Place.Cpu, _session);
        found = wraps.Verify(cpu, 2, new[] { 1, int.MaxValue }, new[] { 1, 1 });
        Assert.StartsWith("Consumer.Stats.Sum: the exception is none on cpu, ", found.Difference);
        Assert.EndsWith("System.OverflowException in element 1 on CoreCLR", found.Difference);
    }

    [Fact]
    public void Arrays_are_compared_by_their_bits()
    {
        KernelAssert.SameBits([1f, float.NaN], [1f, BitConverter.UInt32BitsToSingle(0x7FC00001)]);
        Refuses("element 1 is #80000000 (-0), #00000000 (0) was expected", () => KernelAssert.SameBits([1f, 0f], [1f, -0f]));
        Refuses("element 0 is #3ff0000000000001 (1.0000000000000002), #3ff0000000000000 (1) was expected", () => KernelAssert.SameBits([1.0], [Math.BitIncrement(1.0)]));
        Refuses("there are 2 elements, 1 were expected", () => KernelAssert.SameBits([1], [1, 2]));
        Assert.True(BitText.Same(Storage.Single, 0x3F800000, 0x3F800001, 1));
        Assert.False(BitText.Same(Storage.Single, 0x3F800000, 0x3F800002, 1));
        Assert.True(BitText.Same(Storage.Double, 0, 0x8000000000000001, 1));
        Assert.False(BitText.Same(Storage.Int32, 1, 2, 1));
    }
}
