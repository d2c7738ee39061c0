// Loops as programs have them: Parallel.For's shape, on an engine.

namespace Ilcuda;

/// <summary>Loops over a lambda, as Parallel.For runs them, on a GPU or the best engine that there is. The lambda is translated
/// when it is first seen; what it captures is read at each call: numbers and structures are passed, arrays are copied to the
/// engine and, where the lambda writes them, back. Bodies that cannot become a kernel are refused with the reason and are
/// never run elsewhere.</summary>
/// <remarks>
/// Iterations must be independent, as for Parallel.For, and provably so: each writes its own places of arrays. An exception of an
/// iteration is thrown as itself, that of the lowest index, with index and source line in its message; the arrays are then as they
/// were (on the clr engine, which runs the lambda itself, as the iterations left them). A lambda that writes a captured variable is refused: let it write an element of an array.
/// </remarks>
public static class Gpu
{
    private static Engine? _engine;

    /// <summary>Where loops run that are not told another engine: the best that works, made when it is first needed, or one that
    /// was set. <see cref="Ilcuda.Engine.Reason"/> says why it is that one.</summary>
    public static Engine Engine
    {
        get
        {
            if (Volatile.Read(ref _engine) is { } engine)
                return engine;
            Engine made = Engine.Create();
            if (Interlocked.CompareExchange(ref _engine, made, null) is not { } other)
                return made;
            made.Dispose();
            return other;
        }
        set => Volatile.Write(ref _engine, value ?? throw new ArgumentNullException(nameof(value)));
    }

    /// <summary>Runs body(i) for each i from <paramref name="from"/> to below <paramref name="to"/>.</summary>
    /// <example><code>Gpu.For(0, y.Length, i => y[i] = a * x[i] + y[i]);</code></example>
    /// <exception cref="IlcudaException">The body cannot become a kernel; the message names method, reason and source line.</exception>
    public static void For(int from, int to, Action<int> body) => For(Engine, from, to, body);

    /// <summary>The same with indices of 64 bits.</summary>
    public static void For(long from, long to, Action<long> body) => For(Engine, from, to, body);

    /// <summary>The same on that engine.</summary>
    public static void For(Engine engine, int from, int to, Action<int> body) => LoopBody.Run(engine, body, [from], [to]);

    /// <summary>The same on that engine, with indices of 64 bits.</summary>
    public static void For(Engine engine, long from, long to, Action<long> body) => LoopBody.Run(engine, body, [from], [to]);

    /// <summary>Runs body(i, j) for each i from <paramref name="fromI"/> to below <paramref name="toI"/> and each j likewise: rows
    /// and columns.</summary>
    /// <example><code>Gpu.For2D(0, rows, 0, cols, (i, j) => to[i, j] = from[j, i]);</code></example>
    /// <exception cref="IlcudaException">The body cannot become a kernel; the message names method, reason and source line.</exception>
    public static void For2D(int fromI, int toI, int fromJ, int toJ, Action<int, int> body) => For2D(Engine, fromI, toI, fromJ, toJ, body);

    /// <summary>The same with indices of 64 bits.</summary>
    public static void For2D(long fromI, long toI, long fromJ, long toJ, Action<long, long> body) =>
        For2D(Engine, fromI, toI, fromJ, toJ, body);

    /// <summary>The same on that engine.</summary>
    public static void For2D(Engine engine, int fromI, int toI, int fromJ, int toJ, Action<int, int> body) =>
        LoopBody.Run(engine, body, [fromI, fromJ], [toI, toJ]);

    /// <summary>The same on that engine, with indices of 64 bits.</summary>
    public static void For2D(Engine engine, long fromI, long toI, long fromJ, long toJ, Action<long, long> body) =>
        LoopBody.Run(engine, body, [fromI, fromJ], [toI, toJ]);

    /// <summary>The kernel that a loop over the body runs where its indices begin at 0: to be read, or to be launched with buffers.</summary>
    /// <param name="body">A lambda, or AddressOf a method; its parameters are the indices.</param>
    /// <param name="session">Where the kernel lives; null: <see cref="Session.Default"/>.</param>
    /// <exception cref="IlcudaException">The body cannot become a kernel.</exception>
    public static Kernel Kernel(Delegate body, Session? session = null)
    {
        if (body == null)
            throw new ArgumentNullException(nameof(body));
        return LoopBody.Of(session ?? Session.Default, body, counted: false).Kernel;
    }
}
