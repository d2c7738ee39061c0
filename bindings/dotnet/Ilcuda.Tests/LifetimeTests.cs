// Objects that are disposed of or forgotten in any order, and many threads at once.

using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Consumer;
using Ilcuda.Interop;
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

    private static void OnThreads(Action<int> work)
    {
        var failures = new ConcurrentQueue<Exception>();
        Thread[] threads = Enumerable.Range(0, Threads).Select(number => new Thread(() =>
        {
            try
            {
                work(number);
            }
            catch (Exception e)
            {
                failures.Enqueue(e);
            }
        })).ToArray();
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
        Assert.Empty(failures);
    }

    [Fact]
    public void Sixteen_threads_share_a_session()
    {
        using Session session = Opened(out Kernel kernel);
        using Engine common = Made(session, 0);
        OnThreads(number =>
        {
            for (int turn = 0; turn < Turns / Threads; turn++)
            {
                Engine engine = turn % 2 == 0 ? common : Made(session, turn == number ? 1 : 0);
                Launch(kernel, engine);
                if (engine != common && turn % 3 != 0)
                    engine.Dispose();
            }
        });
    }

    /// <summary>What is made is disposed of, or forgotten, in any order; in the end nothing native is left.</summary>
    [Fact]
    public void Ten_thousand_turns_of_sixteen_threads_leave_nothing()
    {
        const int turnsOfSession = 25;
        var gates = new ConcurrentBag<SessionGate>();
        OnThreads(number =>
        {
            var random = new Random(number);
            for (int turn = 0; turn < Turns / Threads; turn += turnsOfSession)
            {
                gates.Add(SomeTurns(random, turnsOfSession));
                if (random.Next(8) == 0)
                    Collect();
            }
        });
        for (int k = 0; k < 20 && gates.Any(gate => !gate.Ended || gate.Living != 0); k++)
            Collect();
        Assert.All(gates, gate => Assert.Equal((0, true), (gate.Living, gate.Ended)));
        Assert.Equal(Threads * (Turns / Threads / turnsOfSession), gates.Count);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static SessionGate SomeTurns(Random random, int turns)
    {
        Session session = Opened(out Kernel kernel);
        float[] numbers = [1f, 2f, 3f, 4f];
        for (int turn = 0; turn < turns; turn++)
        {
            Engine engine = Made(session, 0);
            DeviceBuffer<float> x = engine.Upload(numbers);
            DeviceBuffer<double> sums = engine.CreateBuffer<double>(2);
            kernel.Launch(engine, 2, x, 2, sums);
            Assert.Equal([3.0, 7.0], sums.Read());
            Assert.Equal([3.0, 7.0], kernel.Run<double>(engine, 2, numbers, 2));
            IDisposable[] things = [x, sums, engine];
            random.Shuffle(things);
            foreach (IDisposable thing in things.Take(random.Next(things.Length + 1)))
                thing.Dispose();
        }
        if (random.Next(2) == 0)
            session.Dispose();
        return session.Gate;
    }
}
