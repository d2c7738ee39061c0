// Launches: what is refused, what traps, what comes back.

using System.Reflection;
using Consumer;
using Xunit;

namespace Ilcuda.Tests;

public sealed class LaunchTests : IDisposable
{
    private readonly Session _session = new();

    public void Dispose() => _session.Dispose();

    private Kernel Translated(string name, KernelOptions? options = null) => _session.Translate(typeof(Stats).GetMethod(name)!, options);

    private Engine Tree => Engine.Create(new EngineOptions { Kind = EngineKind.Tree }, _session);

    private static void Refuses(string text, Action action)
    {
        var e = Assert.ThrowsAny<IlcudaException>(action);
        Assert.Contains(text, e.Message);
        Assert.DoesNotContain('\n', e.Message);
    }

    [Fact]
    public void Wrong_arguments_are_refused_by_name()
    {
        Kernel kernel = Translated("RowSum");
        using Engine engine = Tree, other = Tree;
        DeviceBuffer<float> x = engine.Upload(1f, 2f, 3f, 4f);
        DeviceBuffer<double> sums = engine.CreateBuffer<double>(2);
        kernel.Launch(engine, 2, x, 2, sums);
        Assert.Equal([3.0, 7.0], sums.Read());

        Refuses("argument x is an array of Double, Single was expected", () => kernel.Launch(engine, 2, sums, 2, sums));
        Refuses("argument x must be a buffer of Single", () => kernel.Launch(engine, 2, 1f, 2, sums));
        Refuses("argument cols must be one Int32, not an array", () => kernel.Launch(engine, 2, x, x, sums));
        Refuses("argument cols does not fit Int32", () => kernel.Launch(engine, 2, x, 1L << 40, sums));
        Refuses("argument cols does not fit Int32", () => kernel.Launch(engine, 2, x, 2.5, sums));
        Refuses("il_out is an array of Single, Double was expected", () => kernel.Launch(engine, 2, x, 2, x));
        Refuses("il_out holds 2 elements, the launch has 3", () => kernel.Launch(engine, 3, x, 2, sums));
        Refuses("argument il_out is missing", () => kernel.Launch(engine, 2, x, 2));
        Refuses("takes 3 arguments, not 4", () => kernel.Launch(engine, 2, x, 2, sums, 2));
        Refuses("takes 1 extent, not 2", () => kernel.Launch(engine, [2, 2], x, 2, sums));
        Refuses("extent -1", () => kernel.Launch(engine, -1, x, 2, sums));
        Refuses("belongs to another engine", () => kernel.Launch(other, 2, x, 2, other.CreateBuffer<double>(2)));
        Refuses("different sessions", () => kernel.Launch(Engine.Create(EngineKind.Tree), 2, x, 2, sums));
        Assert.Throws<ArgumentException>(() => KernelArgument.From("text"));
        Assert.Throws<ArgumentNullException>(() => kernel.Launch(null!, 2, x, 2, sums));
        Assert.Throws<IndexOutOfRangeException>(() => kernel.Launch(engine, 2, x, 3, sums));
        Assert.Throws<NullReferenceException>(() => kernel.Launch(engine, 2, KernelArgument.Null, 2, sums));
    }

    [Fact]
    public void Methods_that_cannot_become_kernels_say_why_and_where()
    {
        var e = Assert.Throws<IlcudaException>(() => Translated("Greeting"));
        Assert.Equal(Status.Unsupported, e.Status);
        Assert.Equal("Consumer.Stats.Greeting", e.Method);
        Assert.EndsWith("Stats.vb", e.SourceFile);
        Assert.True(e.Line > 0);
        Support support = _session.Method(typeof(Stats).GetMethod("Greeting")!).Support;
        Assert.False(support.Supported);
        Assert.Equal(e.Message, support.Refusal!.Message);
        Assert.Null(_session.Method(typeof(Stats).GetMethod("RowSum")!).Support.Refusal);
        Refuses("generic", () => Translated("Row"));
        Refuses("there is no mode quick", () => Translated("RowSum", new KernelOptions { Mode = "quick" }));
        IlAssembly assembly = _session.Open(typeof(Stats).Assembly.Location);
        Refuses("no method Rowsun; did you mean Consumer.Stats.RowSum?", () => assembly.Find("Rowsun"));
        Refuses("/no/such/file.dll", () => _session.Open("/no/such/file.dll"));
        Refuses("text.dll", () => _session.Open(new byte[] { 1, 2, 3 }, "text.dll"));
    }

    [Theory]
    [InlineData(EngineKind.Tree)]
    [InlineData(EngineKind.Il)]
    [InlineData(EngineKind.Cpu)]
    [InlineData(EngineKind.Clr)]
    public void A_trap_is_the_exception_that_it_stands_for(EngineKind kind)
    {
        using Engine engine = Engine.Create(new EngineOptions { Kind = kind, Threads = 2 }, _session);
        DeviceBuffer<int> a = engine.Upload(6, 7, 8), b = engine.Upload(3, 0, 0), ratio = engine.CreateBuffer<int>(3);
        Kernel kernel = Translated("Ratio");
        Exception e = Assert.Throws<DivideByZeroException>(() => kernel.Launch(engine, 3, a, b, ratio));
        Assert.Matches(@"^Attempted to divide by zero\. \(Consumer\.Stats\.Ratio, element 1, Stats\.vb:\d+\)$", e.Message);
        Trap trap = Trap.Of(e)!;
        Assert.Equal((1L, "System.DivideByZeroException", "Attempted to divide by zero."), (trap.Element, trap.Exception, trap.Message));
        Assert.Equal([2, 0, 0], ratio.Read());
        LaunchResult result = kernel.TryLaunch(engine, [3], [a, b, ratio]);
        Assert.Equal(1, result.Trap!.Element);
        e = Assert.Throws<ArgumentException>(() => Translated("Root").Launch(engine, 2, engine.Upload(4.0, -1.0), engine.CreateBuffer<double>(2)));
        Assert.StartsWith("negative (Consumer.Stats.Root, element 1, Stats.vb:", e.Message);
    }

    [Fact]
    public void Structs_travel_by_value_and_come_back_as_arrays()
    {
        using Engine engine = Tree;
        Kernel range = Translated("RangeOf");
        Assert.Equal((4, 2), (range.ArgumentCount, range.ResultCount));
        DeviceBuffer<float> x = engine.Upload(3f, 1f, 2f, 9f, 7f, 8f), low = engine.CreateBuffer<float>(2), high = engine.CreateBuffer<float>(2);
        range.Launch(engine, 2, x, 3, low, high);
        Assert.Equal([1f, 7f], low.Read());
        Assert.Equal([3f, 9f], high.Read());
        Kernel between = Translated("Between", new KernelOptions { Scalars = "limits" });
        DeviceBuffer<bool> inside = engine.CreateBuffer<bool>(6);
        between.Launch(engine, 6, x, KernelArgument.Struct(new Consumer.Range { Low = 2f, High = 8f }), inside);
        Assert.Equal([true, false, true, false, true, true], inside.Read());
        Refuses("does not take a Int32", () => between.Launch(engine, 6, x, KernelArgument.Struct(5), inside));
    }

    [Theory]
    [InlineData(EngineKind.Tree)]
    [InlineData(EngineKind.Cpu)]
    [InlineData(EngineKind.Clr)]
    public void Structs_stay_on_an_engine(EngineKind kind)
    {
        using Engine engine = Engine.Create(new EngineOptions { Kind = kind, Threads = 2 }, _session);
        using DeviceBuffer<Consumer.Range> ranges = engine.Upload(new Consumer.Range { Low = 1f, High = 3f }, new Consumer.Range { Low = 4f, High = 6f });
        using DeviceBuffer<float> middles = engine.CreateBuffer<float>(2);
        Translated("Middle").Launch(engine, 2, ranges, middles);
        Assert.Equal([2f, 5f], middles.Read());
        ranges.Write([new Consumer.Range { Low = 0f, High = 1f }], 1);
        Assert.Equal([2f, 0.5f], _session.Translate(Stats.Middle).Run(engine, ranges, 2));
        Refuses("argument x is an array of Consumer.Range, Single was expected", () => Translated("RowSum").Run<double>(engine, 2, ranges, 1));
    }

    [Fact]
    public void Calls_take_and_give_the_values_of_reflection()
    {
        IlMethod Named(string name) => _session.Method(typeof(Stats).GetMethod(name)!);
        Assert.Equal(7.0, Named("RowSum").Invoke(new[] { 1f, 2f, 3f, 4f }, 2, 1));
        object?[] place = [9.0];
        Assert.Null(Named("Halve").Invoke(place));
        Assert.Equal(4.5, place[0]);
        Assert.Equal(new Consumer.Range { Low = 1f, High = 3f }, Named("RangeOf").Invoke(Interpreter.Tree, new[] { 3f, 1f, 2f }, 3, 0));
        Exception e = Assert.Throws<DivideByZeroException>(() => Named("Ratio").Invoke(1, 0));
        Assert.Matches(@"^Attempted to divide by zero\. \(Consumer\.Stats\.Ratio, Stats\.vb:\d+\)$", e.Message);
        Refuses("Consumer.Stats.Ratio: argument b must be Int32, not Double", () => Named("Ratio").Invoke(1, 2.0));
        Refuses("argument x must be Single[], not Double[]", () => Named("RowSum").Invoke(new double[4], 2, 0));
        Refuses("takes 2 arguments, not 1", () => Named("Ratio").Invoke(1));
        Assert.Equal(Status.Limit, Assert.Throws<IlcudaException>(() => Named("RowSum").Call([new float[1000], 1000, 0], new CallOptions { Fuel = 100 })).Status);
    }

    [Theory]
    [InlineData(EngineKind.Tree)]
    [InlineData(EngineKind.Cpu)]
    [InlineData(EngineKind.Clr)]
    public void A_run_takes_arrays_of_the_program_and_gives_them_back(EngineKind kind)
    {
        using Engine engine = Engine.Create(new EngineOptions { Kind = kind, Threads = 2 }, _session);
        float[] x = [1, 2, 3, 4], y = [10, 20, 30, 40];
        Assert.Equal([3.0, 7.0], Translated("RowSum").Run<double>(engine, 2, x, 2));
        Kernel saxpy = Translated("Saxpy");
        saxpy.Run(engine, 4, 2f, x, y);
        Assert.Equal([12f, 24f, 36f, 48f], y);
        Assert.Equal([1f, 2f, 3f, 4f], x);
        saxpy.Run(engine, 4, 1f, x, x);
        Assert.Equal([2f, 4f, 6f, 8f], x);
        Assert.Throws<IndexOutOfRangeException>(() => saxpy.Run(engine, 5, 1f, x, y));
        Assert.Equal([12f, 24f, 36f, 48f], y);
        Assert.Equal([2, 3], Translated("Ratio").Run<int>(engine, 2, new[] { 6, 9 }, new[] { 3, 3 }));
        Assert.Empty(Translated("RowSum").Run<double>(engine, 0, Array.Empty<float>(), 2));
        Assert.Equal([2f, 5f], Translated("Middle").Run<float>(engine, 2, [new[] { new Consumer.Range { Low = 1f, High = 3f }, new Consumer.Range { Low = 4f, High = 6f } }]));
        Assert.Equal([6.0, 15.0], Translated("Wide").Run<double>(engine, 2, [new double[,] { { 1, 2, 3 }, { 4, 5, 6 } }]));
        Refuses("has 0 results: call Run without a type", () => saxpy.Run<float>(engine, 4, 2f, x, y));
        Refuses("has a result: call Run with its type", () => Translated("RowSum").Run(engine, 2, x, 2));
        Refuses("has 2 results", () => Translated("RangeOf").Run<float>(engine, 2, x, 2));
        Refuses("takes 3 arguments, not 2", () => saxpy.Run(engine, 4, 2f, x));
        Refuses("argument y is an array of Double, Single was expected", () => saxpy.Run(engine, 4, 2f, x, new double[4]));
        Refuses("argument y must be Single[], not String[]", () => saxpy.Run(engine, 4, 2f, x, new string[4]));
    }

    [Fact]
    public void A_launch_takes_no_managed_memory()
    {
        Kernel kernel = Translated("RowSum");
        using Engine engine = Tree;
        long[] extents = [2];
        KernelArgument[] args = [engine.Upload(1f, 2f, 3f, 4f), 2, engine.CreateBuffer<double>(2)];
        void Launch(int times)
        {
            for (int k = 0; k < times; k++)
                kernel.Launch(engine, extents, args);
        }
        Launch(100);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Launch(100);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Engines_agree_and_verification_says_so()
    {
        using Engine cpu = Engine.Create(Place.Cpu, _session);
        Verification found = _session.Method(typeof(Stats).GetMethod("RowSum")!).Verify(cpu);
        Assert.True(found.Same, found.ToString());
        Assert.True(found.Rounds > 0 && found.Elements > 0);
    }

    [Fact]
    public void Buffers_hold_every_primitive_type_and_refuse_what_does_not_fit()
    {
        using Engine engine = Tree;
        void Holds<T>(T first, T second) where T : unmanaged
        {
            using DeviceBuffer<T> buffer = engine.Upload(first, second, first);
            Assert.Equal([first, second, first], buffer.Read());
            buffer.Write([second], 2);
            var two = new T[2];
            buffer.Read(two, 1);
            Assert.Equal([second, second], two);
        }
        Holds(true, false);
        Holds('a', '\uffff');
        Holds<sbyte>(-1, 1);
        Holds<byte>(255, 1);
        Holds<short>(-1, 1);
        Holds<ushort>(65535, 1);
        Holds(int.MinValue, 1);
        Holds(uint.MaxValue, 1u);
        Holds(long.MinValue, 1L);
        Holds(ulong.MaxValue, 1ul);
        Holds<nint>(-1, 1);
        Holds<nuint>(1, 2);
        Holds(float.Epsilon, -0f);
        Holds(double.MaxValue, double.NegativeInfinity);
        Holds(DayOfWeek.Friday, DayOfWeek.Monday);
        DeviceBuffer<int> numbers = engine.CreateBuffer<int>(3);
        Assert.Equal([0, 0, 0], numbers.Read());
        Refuses("", () => numbers.Write([1, 2], 2));
        Refuses("", () => numbers.Read(new int[1], -1));
        Refuses("-1 elements", () => engine.CreateBuffer<int>(-1));
        Holds(new Consumer.Range { Low = 1 }, new Consumer.Range { High = float.NaN });
        Refuses("not the generic structure System.ValueTuple`2[", () => engine.CreateBuffer<(int, int)>(1));
        Refuses("the dimensions hold 4 elements, the array 3", () => numbers.Reshape(2, 2));
        DeviceBuffer<double> matrix = engine.Upload<double>(new double[,] { { 1, 2 }, { 3, 4 } });
        Assert.Equal([1.0, 2.0, 3.0, 4.0], matrix.Read());
        numbers.Dispose();
        Assert.Throws<ObjectDisposedException>(() => numbers.Read());
    }

    [Fact]
    public void A_kernel_has_its_text_in_every_form()
    {
        Kernel kernel = Translated("Saxpy");
        Assert.Contains("Sub Saxpy(", kernel.Text(KernelText.Vb));
        Assert.Contains("__global__ void il_Saxpy_kernel(", kernel.Text(KernelText.Cuda));
        Assert.Contains("ldelem.r4", kernel.Text(KernelText.Il));
        foreach (KernelText form in Enum.GetValues<KernelText>().Where(form => form is not (KernelText.CudaTile or KernelText.CTile)))
            Assert.NotEmpty(kernel.Text(form));
        Assert.Contains("void Saxpy(", kernel.Text(KernelText.Cs));
        Assert.Contains("class Stats", kernel.Method.Source(KernelText.Cs));
        string[] cuda = kernel.Text(KernelText.Cuda).Split('\n');
        Assert.Contains(kernel.Lines(KernelText.Cuda), line => cuda[line.Line - 1].Contains("p_y[") && line.SourceLine > 0 && line.SourceFile!.EndsWith("Stats.vb"));
        Refuses("", () => kernel.Lines(KernelText.Ir));
        Assert.Equal(kernel.Method.Il, kernel.Text(KernelText.Il));
        Assert.Equal("Consumer.Stats.Saxpy(Single,Single[],Single[],Int32)", kernel.Method.Display);
        Assert.Equal(["a", "x", "y", "i"], kernel.Method.Parameters.Select(p => p.Name));
        Assert.Equal([-1, -1, -1, 0], kernel.Method.Parameters.Select(p => p.Index));
    }

    [Fact]
    public void A_method_is_translated_once_for_the_same_options()
    {
        Kernel kernel = Translated("Saxpy");
        Assert.Same(kernel, Translated("Saxpy", new KernelOptions()));
        Assert.Same(kernel, _session.Translate(Stats.Saxpy).Untyped);
        Assert.NotSame(kernel, Translated("Saxpy", new KernelOptions { Checks = false }));
        using var other = new Session();
        Assert.NotSame(kernel, other.Translate(typeof(Stats).GetMethod("Saxpy")!));
    }

    [Fact]
    public void Calls_and_comparisons_have_the_modes_of_kernels()
    {
        IlMethod gram = _session.Open(Place.Fixture("Tutorial")).Find("GramDot");
        float u = 1f / 8192;
        object?[] args = [new float[] { -1, 1 + u, 1, 1 - u }, 2, 0, 1]; // -1 + (1 + u) * (1 - u)
        Assert.Equal(0f, gram.Call(args, new CallOptions { Mode = "exact" }).Value);
        Assert.Equal(-u * u, gram.Call(args, new CallOptions { Interpreter = Interpreter.Tree, Mode = "fma" }).Value);
        Refuses("the IL interpreter computes in mode exact alone", () => gram.Call(args, new CallOptions { Mode = "fma" }));
        Refuses("there is no mode near", () => gram.Call(args, new CallOptions { Mode = "near" }));
        using Engine cpu = Engine.Create(Place.Cpu, _session);
        Assert.True(gram.Verify(new VerifyOptions { Mode = "fma", Rounds = 4 }, cpu).Same);
        Assert.Equal(0, gram.Verify(new VerifyOptions { Rounds = 4 }, cpu).Deviation.Values);
        Assert.True(gram.Verify(new VerifyOptions { Mode = "fast", Rounds = 4 }, cpu).Deviation.Values > 0);
    }

    [Fact]
    public void A_launch_may_wait_for_the_compilers_code()
    {
        string folder = Directory.CreateTempSubdirectory("ilcuda-tiers-").FullName;
        try
        {
            Kernel kernel = Translated("RowSum");
            foreach (bool best in new[] { false, true })
            {
                using Engine cpu = Engine.Create(new EngineOptions { Kind = EngineKind.Cpu, CacheFolder = folder, BestCode = best }, _session);
                using DeviceBuffer<float> x = cpu.Upload(1f, 2f, 3f, 4f);
                using DeviceBuffer<double> sums = cpu.CreateBuffer<double>(2);
                kernel.Launch(cpu, [2L], [x, 2, sums], new LaunchOptions { BestCode = false });
                LaunchResult last = kernel.Launch(cpu, [2L], [x, 2, sums], new LaunchOptions { BestCode = true });
                Assert.False(last.FirstTier);
                Assert.Equal([3.0, 7.0], sums.Read());
            }
        }
        finally
        {
            Directory.Delete(folder, true);
        }
    }

    [Fact]
    public void A_mode_is_of_the_engines_that_have_it()
    {
        IlMethod gram = _session.Open(Place.Fixture("Tutorial")).Find("GramDot");
        float u = 1f / 8192;
        float[] x = [-1, 1 + u, 1, 1 - u]; // -1 + (1 + u) * (1 - u)
        float[] Run(EngineKind kind, string mode)
        {
            using Engine engine = Engine.Create(new EngineOptions { Kind = kind }, _session);
            return gram.Translate(new KernelOptions { Mode = mode }).Run<float>(engine, [2, 2], x, 2);
        }
        Assert.Equal(0f, Run(EngineKind.Tree, "exact")[1]);
        Assert.Equal(-u * u, Run(EngineKind.Tree, "fma")[1]);
        Assert.Equal(-u * u, Run(EngineKind.Tree, "fast")[1]);
        Refuses("the IL interpreter computes in mode exact alone", () => Run(EngineKind.Il, "fma"));
        Refuses("the clr engine computes in mode exact alone", () => Run(EngineKind.Clr, "fma"));
        Refuses("there is no mode near", () => Run(EngineKind.Tree, "near"));
    }

    [Fact]
    public void A_kernel_may_make_its_results_in_blocks_unless_it_is_told_not_to()
    {
        IlMethod gram = _session.Open(Place.Fixture("Tutorial")).Find("GramDot");
        Assert.Contains("il_GramDot_tile(", gram.Translate().Text(KernelText.CudaTile));
        Assert.Contains("il_GramDot_tile(", gram.Translate(new KernelOptions { Schedule = "auto" }).Text(KernelText.CudaTile));
        Assert.Contains("il_GramDot_tile(", gram.Translate().Text(KernelText.CTile));
        Assert.Equal("il_GramDot_kernel", gram.Translate(new KernelOptions { Schedule = "plain" }).Name);
        Refuses("there is no schedule rows; schedules are auto", () => gram.Translate(new KernelOptions { Schedule = "rows" }));
        Refuses("has no tile: it is no loop over rows of arrays", () => Translated("Saxpy").Text(KernelText.CudaTile));
    }
}
