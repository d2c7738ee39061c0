// Kernels whose arguments the compiler checks; runs over arrays of the program; runs that may be cancelled.

using System.Diagnostics;
using Consumer;
using Xunit;

namespace Ilcuda.Tests;

public sealed class TypedTests : IDisposable
{
    private readonly Session _session = new();

    public void Dispose() => _session.Dispose();

    private Engine Made(EngineKind kind) => Engine.Create(new EngineOptions { Kind = kind, Threads = 2 }, _session);

    private static void Refuses(string text, Action action)
    {
        var e = Assert.ThrowsAny<IlcudaException>(action);
        Assert.Contains(text, e.Message);
        Assert.DoesNotContain('\n', e.Message);
    }

    [Theory]
    [InlineData(EngineKind.Tree)]
    [InlineData(EngineKind.Cpu)]
    [InlineData(EngineKind.Clr)]
    public void Typed_kernels_take_what_the_method_takes(EngineKind kind)
    {
        using Engine engine = Made(kind);
        Kernel<Action<float, float[], float[], int>> saxpy = _session.Translate(Stats.Saxpy);
        float[] x = [1, 2, 3, 4], y = [10, 20, 30, 40];
        saxpy.Run(engine, 2f, x, y, 4);
        Assert.Equal([12f, 24f, 36f, 48f], y);
        using DeviceBuffer<float> held = engine.Upload(y);
        saxpy.Run(engine, 1f, x, held, 4);
        Assert.Equal([13f, 26f, 39f, 52f], held.Read());
        Kernel<Func<float[], int, int, double>> rowSum = _session.Translate(Stats.RowSum);
        Assert.Equal([3.0, 7.0], rowSum.Run(engine, x, 2, 2));
        using DeviceBuffer<double> sums = engine.CreateBuffer<double>(2);
        rowSum.Launch(engine, x, 2, 2, sums);
        Assert.Equal([3.0, 7.0], sums.Read());
        Kernel<Func<int, int, int>> sum = _session.Translate(Stats.Sum);
        Assert.Equal([4, 6], sum.Run(engine, new[] { 1, 2 }, engine.Upload(3, 4)));
        double[,] outer = new double[2, 3];
        _session.Translate(Stats.Outer).Run(engine, new[] { 2.0, 3.0, 4.0 }, outer, 2, 3);
        Assert.Equal(new double[,] { { 4, 6, 8 }, { 6, 9, 12 } }, outer);
        using DeviceBuffer<double> matrix = engine.Upload<double>(new double[2, 3]);
        _session.Translate(Stats.Outer).Run(engine, new[] { 2.0, 3.0, 4.0 }, matrix, 2, 3);
        Assert.Equal([4.0, 6, 8, 6, 9, 12], matrix.Read());
        Assert.Equal(24, _session.Translate(Stats.Cube).Run(engine, 4L, 2, 3, 4).Length);
        Consumer.Range[] ranges = _session.Translate(Stats.RangeOf).Run(engine, x, 2, 2);
        Assert.Equal([new Consumer.Range { Low = 1, High = 2 }, new Consumer.Range { Low = 3, High = 4 }], ranges);
        Assert.Equal([1.5f, 3.5f], _session.Translate(Stats.Middle).Run(engine, ranges, 2));
        Assert.Equal([true, true, false, false], _session.Translate(Stats.Between, new KernelOptions { Scalars = "limits" }).Run(engine, x, ranges[0]));
        Assert.Throws<IndexOutOfRangeException>(() => saxpy.Run(engine, 2f, x, y, 5));
        Refuses("argument b has 3 elements, a has 2", () => sum.Run(engine, new int[2], new int[3]));
        Refuses("nothing says how many elements there are", () => sum.Run(engine, 1, 2));
        Refuses("i is an index: it is given its extent, a number", () => rowSum.Run(engine, x, 2, new[] { 2 }));
        Refuses("argument a must be one Single, not an array", () => saxpy.Run(engine, x, x, y, 4));
    }

    [Fact]
    public void A_delegate_stands_for_the_method_that_it_passes_its_parameters_to()
    {
        Assert.Equal("RowSum", DelegateMethod.Of((Func<float[], int, int, double>)Stats.RowSum).Name);
        Assert.Equal("RowSum", DelegateMethod.Of((float[] x, int cols, int i) => Stats.RowSum(x, cols, i)).Name);
        Assert.NotEqual("RowSum", DelegateMethod.Of((float[] x, int i, int cols) => Stats.RowSum(x, cols, i)).Name);
        Assert.NotEqual("RowSum", DelegateMethod.Of((float[] x, int cols, int i) => Stats.RowSum(x, cols, i) + 1).Name);
        Func<float[], int, int, double> twice = Stats.RowSum;
        twice += Stats.RowSum;
        Refuses("a kernel is made of one method", () => _session.Translate(twice));
    }

    [Theory]
    [InlineData(EngineKind.Tree)]
    [InlineData(EngineKind.Cpu)]
    public void A_run_makes_nothing_but_its_result(EngineKind kind)
    {
        using Engine engine = Engine.Create(new EngineOptions { Kind = kind, Threads = 1, BestCode = true }, _session); // going over to that takes a little
        Kernel<Action<float, float[], float[], int>> saxpy = _session.Translate(Stats.Saxpy);
        Kernel<Func<float[], int, int, double>> rowSum = _session.Translate(Stats.RowSum);
        Kernel between = _session.Translate(Stats.Between, new KernelOptions { Scalars = "limits" }), sums = rowSum;
        var limits = new Consumer.Range { High = 2 };
        float[] x = [1, 2, 3, 4], y = [1, 2, 3, 4];
        object?[] args = [x, 2];
        long Taken(Action action)
        {
            for (int k = 0; k < 200; k++)
                action();
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int k = 0; k < 100; k++)
                action();
            return (GC.GetAllocatedBytesForCurrentThread() - before) / 100;
        }
        long result = Taken(() => GC.KeepAlive(new double[2]));
        Assert.Equal(0, Taken(() => saxpy.Run(engine, 2f, x, y, 4)));
        Assert.Equal(result, Taken(() => rowSum.Run(engine, x, 2, 2)));
        Assert.Equal(result, Taken(() => sums.Run<double>(engine, 2, args)));
        using DeviceBuffer<double> held = engine.CreateBuffer<double>(2);
        Assert.Equal(0, Taken(() => rowSum.Launch(engine, x, 2, 2, held)));
        Consumer.Range[] ranges = [limits, limits];
        long floats = Taken(() => GC.KeepAlive(new float[2]));
        Kernel<Func<Consumer.Range[], int, float>> middle = _session.Translate(Stats.Middle);
        Assert.Equal(floats, Taken(() => middle.Run(engine, ranges, 2)));
    }

    [Fact]
    public void The_CPU_engine_uses_arrays_where_they_lie_and_puts_them_back_after_a_failure()
    {
        using Engine engine = Made(EngineKind.Cpu);
        Kernel saxpy = _session.Translate(Stats.Saxpy);
        float[] x = [1, 2, 3], y = [10, 20, 30];
        Assert.Throws<IndexOutOfRangeException>(() => saxpy.Run(engine, 4, 2f, x, y));
        Assert.Equal([10f, 20f, 30f], y);
        saxpy.Run(engine, 3, 2f, x, y);
        saxpy.Run(engine, 3, 1f, y, y); // one array
        Assert.Equal([24f, 48f, 72f], y);
        (int _, long bytes) = engine.Pool.Waiting;
        Assert.Equal(64 * 4, bytes); // of y alone, which is written
        Assert.Throws<IndexOutOfRangeException>(() => saxpy.Run(engine, 1, 1f, Array.Empty<float>(), y));
        double[,] outer = new double[2, 3];
        _session.Translate(Stats.Outer).Run(engine, new[] { 2.0, 3.0, 4.0 }, outer, 2, 3);
        Assert.Equal(new double[,] { { 4, 6, 8 }, { 6, 9, 12 } }, outer);
        GC.Collect(2, GCCollectionMode.Aggressive); // nothing is pinned any more
        Assert.Equal([3.0, 7.0], _session.Translate(Stats.RowSum).Run(engine, new float[] { 1, 2, 3, 4 }, 2, 2));
    }

    [Fact]
    public void Buffers_are_kept_for_the_next_run_up_to_a_limit()
    {
        using Engine engine = Engine.Create(new EngineOptions { Kind = EngineKind.Tree, PoolBytes = 4096 }, _session);
        Kernel<Func<float[], int, int, double>> rowSum = _session.Translate(Stats.RowSum);
        Assert.Equal([3.0, 7.0], rowSum.Run(engine, new[] { 1f, 2, 3, 4 }, 2, 2));
        (int Count, long Bytes) waiting = (2, 64 * 4 + 64 * 8);
        Assert.Equal(waiting, engine.Pool.Waiting);
        for (int n = 1; n < 20; n++)
            Assert.Equal(Enumerable.Repeat(2.0, n), rowSum.Run(engine, Enumerable.Repeat(1f, 2 * n).ToArray(), 2, n));
        Assert.Equal(waiting, engine.Pool.Waiting);
        // A length that is the program's own, whatever the buffer could hold.
        Assert.Throws<IndexOutOfRangeException>(() => rowSum.Run(engine, new float[3], 2, 2));
        for (int n = 100; n < 2000; n += 100)
        {
            rowSum.Run(engine, new float[n], 1, n);
            Assert.InRange(engine.Pool.Waiting.Bytes, 0, 4096);
        }
        Engine none = Engine.Create(new EngineOptions { Kind = EngineKind.Tree, PoolBytes = 0 }, _session);
        rowSum.Run(none, new float[4], 2, 2);
        Assert.Equal((0, 0L), none.Pool.Waiting);
        engine.Dispose();
        Assert.Equal((0, 0L), engine.Pool.Waiting);
        Assert.Throws<ObjectDisposedException>(() => rowSum.Run(engine, new float[4], 2, 2));
    }

    [Fact]
    public async Task Runs_may_be_awaited_and_cancelled()
    {
        using Engine cpu = Made(EngineKind.Cpu), il = Made(EngineKind.Il), clr = Engine.Create(new EngineOptions { Kind = EngineKind.Clr, Threads = 1 }, _session);
        Kernel<Func<int, int, int>> slow = _session.Translate(Stats.Slow);
        int[] result = await slow.RunAsync(cpu, 1, 2);
        Assert.Equal([1, 0], result);
        Kernel untyped = slow;
        result = await untyped.RunAsync<int>(cpu, [2], [1]);
        Assert.Equal([1, 0], result);
        using DeviceBuffer<int> there = cpu.CreateBuffer<int>(2);
        Assert.Null((await untyped.LaunchAsync(cpu, [2], [1, there])).Trap);
        float[] y = [1, 2];
        await _session.Translate(Stats.Saxpy).RunAsync(cpu, 1f, y, y, 2);
        Assert.Equal([2f, 4f], y);
        using var cancelled = new CancellationTokenSource();
        cancelled.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => slow.RunAsync(cpu, 1, 2, cancelled.Token));
        Assert.ThrowsAny<OperationCanceledException>(() => slow.Run(cpu, 1, 2, cancelled.Token));
        foreach (Engine engine in new[] { il, clr })
        {
            using var source = new CancellationTokenSource();
            Task<int[]> running = slow.RunAsync(engine, 10_000_000, 100_000, source.Token);
            await Task.Delay(50);
            source.Cancel();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
            Assert.Equal([1], slow.Run(engine, 1, 1)); // the session goes on
        }
    }
}
