// Objects that are disposed of or forgotten in any order, and many threads at once.

using System.Runtime.CompilerServices;
using Consumer;
using Xunit;

namespace Ilcuda.Tests;

public sealed class LifetimeTests
{
    private const int Threads = 16, Turns = 10_000;

    private static Session Opened(out Kernel kernel)
    {
        var session = new Session();
        kernel = session.Translate(typeof(Stats).GetMethod("RowSum")!);
        return session;
    }

    private static Engine Made(Session session, int kind) =>
        Engine.Create(new EngineOptions { Kind = kind == 0 ? EngineKind.Tree : EngineKind.Cpu, Threads = 1 }, session);

    private static void Launch(Kernel kernel, Engine engine)
    {
        using DeviceBuffer<float> x = engine.Upload(1f, 2f, 3f, 4f);
        using DeviceBuffer<double> sums = engine.CreateBuffer<double>(2);
        kernel.Launch(engine, 2, x, 2, sums);
        Assert.Equal([3.0, 7.0], sums.Read());
    }

    [Fact]
    public void Things_are_disposed_of_in_any_order()
    {
        foreach (int[] order in Permutations(4))
        {
            Session session = Opened(out Kernel kernel);
            Engine engine = Made(session, 0);
            DeviceBuffer<float> x = engine.Upload(1f, 2f);
            DeviceBuffer<double> sums = engine.CreateBuffer<double>(1);
            kernel.Launch(engine, 1, x, 2, sums);
            IDisposable[] things = [session, engine, x, sums];
            foreach (int k in order)
            {
                things[k].Dispose();
                things[k].Dispose();
            }
            Assert.Throws<ObjectDisposedException>(() => kernel.Launch(engine, 1, x, 2, sums));
            Assert.Throws<ObjectDisposedException>(() => sums.Read());
        }
    }

    private static IEnumerable<int[]> Permutations(int n) => n == 1 ? [[0]]
        : Permutations(n - 1).SelectMany(rest => Enumerable.Range(0, n).Select(at => (int[])[.. rest[..at], n - 1, .. rest[at..]]));

    [Fact]
    public void A_buffer_keeps_its_engine_and_session()
    {
        DeviceBuffer<int> buffer = Orphan();
        for (int k = 0; k < 3; k++)
            Collect();
        Assert.Equal([1, 2, 3], buffer.Read());
        buffer.Engine.Dispose();
        Assert.Equal([1, 2, 3], buffer.Read());
        buffer.Dispose();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static DeviceBuffer<int> Orphan() => Engine.Create(new EngineOptions { Kind = EngineKind.Tree }, new Session()).Upload(1, 2, 3);

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    [Fact]
    public void Forgotten_things_are_finalised_in_any_order()
    {
        WeakReference[] sessions = Enumerable.Range(0, 40).Select(Forget).ToArray();
        for (int k = 0; k < 5; k++)
            Collect();
        Assert.All(sessions, session => Assert.False(session.IsAlive));
    }

    /// <summary>The order in which finalisers run is the runtime's own; what lives longest differs from turn to turn.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Forget(int turn)
    {
        Session session = Opened(out Kernel kernel);
        Engine engine = Made(session, turn % 2);
        var random = new Random(turn);
        object[] things = [session, kernel, engine, engine.Upload(1, 2), engine.CreateBuffer<double>(100), engine.Upload(1f)];
        random.Shuffle(things);
        foreach (object thing in things.Take(random.Next(3)))
            (thing as IDisposable)?.Dispose();
        things.AsSpan(0, 3).Clear();
        Collect();
        return new WeakReference(session);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Sixteen_threads_make_launch_and_dispose(bool shared)
    {
        Session common = Opened(out Kernel commonKernel);
        using Engine commonEngine = Made(common, 0);
        var failures = new System.Collections.Concurrent.ConcurrentQueue<Exception>();
        void Work(int number)
        {
            try
            {
                Kernel kernel = commonKernel;
                Session session = shared ? common : Opened(out kernel);
                for (int turn = 0; turn < Turns / Threads; turn++)
                {
                    if (shared && turn % 2 == 0)
                    {
                        Launch(kernel, commonEngine);
                        continue;
                    }
                    Engine engine = Made(session, turn == number ? 1 : 0);
                    Launch(kernel, engine);
                    if (turn % 3 != 0)
                        engine.Dispose();
                    if (!shared && turn % 100 == 99)
                    {
                        session.Dispose();
                        session = Opened(out kernel);
                    }
                }
            }
            catch (Exception e)
            {
                failures.Enqueue(e);
            }
        }
        Thread[] threads = Enumerable.Range(0, Threads).Select(number => new Thread(() => Work(number))).ToArray();
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
        Assert.Empty(failures);
        Collect();
    }
}
