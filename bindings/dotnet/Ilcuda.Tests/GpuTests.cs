// Loops over lambdas: the same bits as Parallel.For's on every engine, and what is refused.

using Xunit;

namespace Ilcuda.Tests;

public sealed class GpuTests : IDisposable
{
    private readonly Session _session = new();

    public void Dispose() => _session.Dispose();

    public static TheoryData<EngineKind> Kinds => [EngineKind.Il, EngineKind.Tree, EngineKind.Cpu];

    /// <summary>CUDA too, by a driver that runs kernels on the processor; g++ compiles each.</summary>
    public static TheoryData<EngineKind> AllKinds => [EngineKind.Il, EngineKind.Tree, EngineKind.Cpu, EngineKind.Cuda];

    private Engine On(EngineKind kind)
    {
        string? fake = kind == EngineKind.Cuda ? Environment.GetEnvironmentVariable("ILCUDA_FAKE_CUDA") : null;
        Assert.SkipWhen(kind == EngineKind.Cuda && string.IsNullOrEmpty(fake), "ILCUDA_FAKE_CUDA names no folder with a driver that runs kernels");
        return Engine.Create(new EngineOptions { Kind = kind, Threads = 2, CudaFolder = fake }, _session);
    }

    private static double[] Numbers(int n, int seed = 1)
    {
        var random = new Random(seed);
        return [.. Enumerable.Range(0, n).Select(_ => random.NextDouble() * 4 - 2)];
    }

    private sealed class Model(double[] weights)
    {
        public double Offset { get; set; }
        private double At(double x)
        {
            double sum = 0;
            for (int k = weights.Length - 1; k >= 0; k--)
                sum = sum * x + weights[k];
            return sum + Offset;
        }
        public Action<int> Body(double[] x, double[] y) => i => y[i] = At(x[i]);
        public void Evaluate(Engine engine, double[] x, double[] y) => Gpu.For(engine, 0, x.Length, Body(x, y));
    }

    [Theory]
    [MemberData(nameof(AllKinds))]
    public void A_loop_over_captured_arrays_gives_the_bits_of_Parallel_For(EngineKind kind)
    {
        const int n = 500;
        using Engine engine = On(kind);
        double[] x = Numbers(n), y = Numbers(n, 2), expected = [.. y];
        double a = 0.1, b = 3;
        void Loop(double[] to, int i) => to[i] = Math.Sqrt(Math.Abs(a * x[i] + to[i])) / (b + i);
        Parallel.For(0, n, i => Loop(expected, i));
        Gpu.For(engine, 0, n, i => y[i] = Math.Sqrt(Math.Abs(a * x[i] + y[i])) / (b + i));
        Assert.Equal(expected, y);

        a = -7; // captured variables have the value that they have now
        Parallel.For(100, 400, i => Loop(expected, i));
        Gpu.For(engine, 100, 400, i => y[i] = Math.Sqrt(Math.Abs(a * x[i] + y[i])) / (b + i));
        Assert.Equal(expected, y);
    }

    [Fact]
    public void The_clr_engine_runs_the_lambda_itself()
    {
        using Engine engine = On(EngineKind.Clr);
        int[] x = new int[100];
        int count = 0;
        Gpu.For(engine, 10, 90, i => { x[i] = i; Interlocked.Increment(ref count); }); // no kernel writes what it captures
        Assert.Equal(80, count);
        Assert.Equal(4005 - 45, x.Sum());
        var e = Assert.Throws<DivideByZeroException>(() => Gpu.For2D(engine, 0, 4, 0, 4, (i, j) => x[i * 4 + j] = 1 / (i * 4 + j < 5 ? 1 : 0)));
        Assert.NotNull(e.StackTrace);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Objects_and_closures_in_closures_are_followed(EngineKind kind)
    {
        using Engine engine = On(kind);
        double[] x = Numbers(60), y = new double[60], expected = new double[60];
        var model = new Model([1, 0.5, -0.25]) { Offset = 0.75 };
        Parallel.For(0, x.Length, model.Body(x, expected));
        model.Evaluate(engine, x, y);
        Assert.Equal(expected, y);
        for (int pass = 1; pass <= 2; pass++)
        {
            double weight = pass * 0.5;
            Parallel.For(0, 60, i => expected[i] += weight * x[i]);
            Gpu.For(engine, 0, 60, i => y[i] += weight * x[i]);
        }
        Assert.Equal(expected, y);
    }

    [Theory]
    [MemberData(nameof(AllKinds))]
    public void Two_indices_begin_where_they_are_told(EngineKind kind)
    {
        using Engine engine = On(kind);
        const int rows = 7, cols = 9;
        double[] flat = Numbers(rows * cols), y = new double[rows * cols], expected = new double[rows * cols];
        var turned = new double[cols, rows];
        Gpu.For2D(engine, 0, rows, 0, cols, (i, j) => y[i * cols + j] = flat[i * cols + j] * (i - j));
        Gpu.For2D(engine, 2, cols, 1, rows, (i, j) => turned[i, j] = flat[j * cols + i]);
        for (int i = 0; i < rows; i++)
        {
            for (int j = 0; j < cols; j++)
            {
                Assert.Equal(flat[i * cols + j] * (i - j), y[i * cols + j]);
                Assert.Equal(j >= 2 && i >= 1 ? flat[i * cols + j] : 0, turned[j, i]);
            }
        }
        Gpu.For2D(engine, 3, 5, 4, 6, (i, j) => expected[i * cols + j] = i + j);
        Assert.Equal(new double[] { 7, 8, 8, 9 }, new[] { expected[31], expected[32], expected[40], expected[41] });
        Assert.Equal(4, expected.Count(value => value != 0));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Indices_may_be_long_and_begin_anywhere(EngineKind kind)
    {
        using Engine engine = On(kind);
        long[] y = new long[10];
        Gpu.For(engine, 3L, 8L, i => y[i] = i * i);
        Assert.Equal(new long[] { 0, 0, 0, 9, 16, 25, 36, 49, 0, 0 }, y);
        long[] z = new long[10];
        Gpu.For(engine, -5, 5, i => z[i + 5] = i);
        Assert.Equal(Enumerable.Range(-5, 10).Select(i => (long)i), z);
        Gpu.For2D(engine, 0L, 2L, 1L, 4L, (i, j) => y[i * 5 + j] = i * 100 + j);
        Assert.Equal(new long[] { 0, 1, 2, 3, 16, 25, 101, 102, 103, 0 }, y);
        var e = Assert.Throws<IndexOutOfRangeException>(() => Gpu.For(engine, -2, 3, i => y[i] = i));
        Assert.Contains(", element -2, ", e.Message);
        Assert.Equal(-2, Trap.Of(e)!.Element);
        Assert.Equal(0, y[0]);
    }

    [Theory]
    [InlineData(EngineKind.Il)]
    [InlineData(EngineKind.Tree)]
    [InlineData(EngineKind.Cpu)]
    public void An_exception_is_thrown_as_itself_with_the_index_that_the_body_saw(EngineKind kind)
    {
        using Engine engine = On(kind);
        int[] a = [10, 20, 30, 40, 50, 60], b = [1, 2, 3, 4, 0, 0], q = new int[6];
        var e = Assert.Throws<DivideByZeroException>(() => Gpu.For(engine, 2, 6, i => q[i] = a[i] / b[i]));
        Assert.Contains(", element 4, GpuTests.cs:", e.Message);
        Assert.Equal(4, Trap.Of(e)!.Element);
        Assert.Equal(new int[6], q);
        var at = Assert.Throws<IndexOutOfRangeException>(() => Gpu.For2D(engine, 1, 3, 2, 4, (i, j) => q[i * 3 + j] = a[i + j * j]));
        Assert.Contains(", element (1, 3), ", at.Message);
        int[]? none = null;
        Assert.Throws<NullReferenceException>(() => Gpu.For(engine, 0, 1, i => none![i] = 1));
    }

    [Fact]
    public void One_array_captured_twice_is_one_array()
    {
        using Engine engine = On(EngineKind.Cpu);
        double[] x = [1, 2, 3], same = x;
        Gpu.For(engine, 0, 3, i => same[i] = x[i] * 10 + same[i]);
        Assert.Equal(new double[] { 11, 22, 33 }, x);
    }

    [Fact]
    public void Bodies_that_cannot_be_kernels_are_refused_and_not_run()
    {
        using Engine engine = On(EngineKind.Cpu);
        double[] x = [1, 2, 3];
        var list = new List<double>(x);
        double total = 0;
        int calls = 0;
        Func<double, double> f = v => v + 1;

        void Refuses(string text, Action<int> body)
        {
            var e = Assert.Throws<IlcudaException>(() => Gpu.For(engine, 0, 3, body));
            Assert.Equal(Status.Unsupported, e.Status);
            Assert.Contains(text, e.Message);
            Assert.Contains("GpuTests.cs:", e.Message);
        }

        Refuses("a write to the captured variable `total` (all elements share it)", i => total += x[i]);
        Refuses("get_Item on the captured variable `list`", i => x[i] = list[i]);
        Refuses("System.Func`2.Invoke on the captured variable `f`", i => x[i] = f(x[i]));
        Refuses("the address of the captured variable `calls` (it may be written through it)", i => Interlocked.Increment(ref calls));
        Refuses("elements could not be proved independent", i => x[i] = x[(i + 1) % 3]);
        Assert.Equal(new double[] { 1, 2, 3 }, x);
        Assert.Equal(0, total);
        Assert.Equal(0, calls);
        Action<int> two = i => x[i] = 0;
        two += i => x[i] = 1;
        Assert.Contains("a delegate of several methods", Assert.Throws<IlcudaException>(() => Gpu.For(engine, 0, 3, two)).Message);
        Assert.Throws<ArgumentNullException>(() => Gpu.For(engine, 0, 3, null!));
        Assert.Throws<ArgumentNullException>(() => Gpu.For(null!, 0, 3, two));
        Gpu.For(engine, 3, 3, two); // nothing to do
    }

    [Fact]
    public void A_body_is_translated_once_and_can_be_read()
    {
        double[] x = [1, 2];
        double scale = 2;
        Action<int> body = i => x[i] *= scale;
        Kernel kernel = Gpu.Kernel(body, _session);
        Assert.Same(kernel, Gpu.Kernel(body, _session));
        Assert.Contains("x[i] *= scale", kernel.Text(KernelText.Cs));
        using Engine engine = On(EngineKind.Tree);
        Gpu.For(engine, 0, 2, body);
        Assert.Equal(new double[] { 2, 4 }, x);
    }

    [Fact]
    public void A_VB_program_loops_over_its_lambdas()
    {
        Ran ran = Ran.Program(typeof(Consumer.Program).Assembly.Location, ["loops"]);
        Assert.Equal(1, ran.Exit);
        string[] lines = ran.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(["12 24 36", "12 1.5 3", "0 1 2 10 11 12", "4 8 12"], lines[..4]);
        Assert.StartsWith("Arithmetic operation resulted in an overflow. (Consumer.Loops+_Closure$__", lines[4]);
        Assert.Contains(", element (1, 1), Loops.vb:", lines[4]);
        Assert.Contains("a write to the captured variable `total` (all elements share it)", lines[5]);
    }

    private static readonly double[] Table = [0, 1, 4, 9];
    private static void OfTable(int i) => _ = Math.Sqrt(Table[i]);

    [Fact]
    public void A_static_method_may_be_the_body()
    {
        using Engine engine = On(EngineKind.Tree);
        Gpu.For(engine, 0, 4, OfTable);
        Assert.Throws<IndexOutOfRangeException>(() => Gpu.For(engine, 0, 5, OfTable));
        int[] y = new int[3];
        Assert.Contains("holds an argument", Assert.Throws<IlcudaException>(() => Gpu.For(engine, 0, 3, y.Set)).Message);
    }

    [Fact]
    public void Many_threads_may_loop_at_once()
    {
        using Engine engine = On(EngineKind.Cpu);
        var wrong = new System.Collections.Concurrent.ConcurrentBag<int>();
        Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, t =>
        {
            int[] y = new int[100];
            int add = t;
            Gpu.For(engine, t, 100, i => y[i] = i + add);
            if (Enumerable.Range(0, 100).Any(i => y[i] != (i < add ? 0 : i + add)))
                wrong.Add(t);
        });
        Assert.Empty(wrong);
    }
}

internal static class ArrayExtensions
{
    public static void Set(this int[] y, int i) => y[i] = i;
}
