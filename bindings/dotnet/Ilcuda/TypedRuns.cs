// Runs of typed kernels: the same three for each number of parameters.

namespace Ilcuda;

/// <summary>Runs a <see cref="Kernel{TDelegate}"/> with arguments that the compiler checks. Arrays of the program are copied to buffers that
/// the engine keeps for this, and come back where the kernel writes them; buffers are used as they are. In the place of an index
/// stands its extent: <c>saxpy.Run(engine, 2.0F, x, y, n)</c>. They throw like <see cref="Kernel.Run(Engine, long, object[])"/>, and
/// RunAsync is cancelled as <see cref="Kernel.RunAsync{T}"/> is.</summary>
public static class TypedRuns
{
    // --- 1 parameter ---

    /// <summary>Runs a Sub.</summary>
    public static void Run<T1>(this Kernel<Action<T1>> kernel, Engine engine, Arg<T1> a1, CancellationToken token = default)
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1);
        call.RunTyped(token);
    }

    /// <summary>Runs a Sub on a thread of the pool.</summary>
    public static Task RunAsync<T1>(this Kernel<Action<T1>> kernel, Engine engine, Arg<T1> a1, CancellationToken token = default) =>
        Task.Run(() => kernel.Run(engine, a1, token), token);

    /// <summary>Runs a Function and gives its results, row-major.</summary>
    public static TResult[] Run<T1, TResult>(this Kernel<Func<T1, TResult>> kernel, Engine engine, Arg<T1> a1, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1);
        return call.ResultTyped<TResult>(token);
    }

    /// <summary>Runs a Function on a thread of the pool.</summary>
    public static Task<TResult[]> RunAsync<T1, TResult>(this Kernel<Func<T1, TResult>> kernel, Engine engine, Arg<T1> a1, CancellationToken token = default) where TResult : unmanaged =>
        Task.Run(() => kernel.Run(engine, a1, token), token);

    /// <summary>Runs a Function whose results stay on the engine.</summary>
    public static LaunchResult Launch<T1, TResult>(this Kernel<Func<T1, TResult>> kernel, Engine engine, Arg<T1> a1, DeviceBuffer<TResult> result, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1);
        return call.LaunchTyped(result, token);
    }

    // --- 2 parameters ---

    /// <summary>Runs a Sub.</summary>
    public static void Run<T1, T2>(this Kernel<Action<T1, T2>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, CancellationToken token = default)
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2);
        call.RunTyped(token);
    }

    /// <summary>Runs a Sub on a thread of the pool.</summary>
    public static Task RunAsync<T1, T2>(this Kernel<Action<T1, T2>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, CancellationToken token = default) =>
        Task.Run(() => kernel.Run(engine, a1, a2, token), token);

    /// <summary>Runs a Function and gives its results, row-major.</summary>
    public static TResult[] Run<T1, T2, TResult>(this Kernel<Func<T1, T2, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2);
        return call.ResultTyped<TResult>(token);
    }

    /// <summary>Runs a Function on a thread of the pool.</summary>
    public static Task<TResult[]> RunAsync<T1, T2, TResult>(this Kernel<Func<T1, T2, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, CancellationToken token = default) where TResult : unmanaged =>
        Task.Run(() => kernel.Run(engine, a1, a2, token), token);

    /// <summary>Runs a Function whose results stay on the engine.</summary>
    public static LaunchResult Launch<T1, T2, TResult>(this Kernel<Func<T1, T2, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, DeviceBuffer<TResult> result, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2);
        return call.LaunchTyped(result, token);
    }

    // --- 3 parameters ---

    /// <summary>Runs a Sub.</summary>
    public static void Run<T1, T2, T3>(this Kernel<Action<T1, T2, T3>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, CancellationToken token = default)
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3);
        call.RunTyped(token);
    }

    /// <summary>Runs a Sub on a thread of the pool.</summary>
    public static Task RunAsync<T1, T2, T3>(this Kernel<Action<T1, T2, T3>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, CancellationToken token = default) =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, token), token);

    /// <summary>Runs a Function and gives its results, row-major.</summary>
    public static TResult[] Run<T1, T2, T3, TResult>(this Kernel<Func<T1, T2, T3, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3);
        return call.ResultTyped<TResult>(token);
    }

    /// <summary>Runs a Function on a thread of the pool.</summary>
    public static Task<TResult[]> RunAsync<T1, T2, T3, TResult>(this Kernel<Func<T1, T2, T3, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, CancellationToken token = default) where TResult : unmanaged =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, token), token);

    /// <summary>Runs a Function whose results stay on the engine.</summary>
    public static LaunchResult Launch<T1, T2, T3, TResult>(this Kernel<Func<T1, T2, T3, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, DeviceBuffer<TResult> result, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3);
        return call.LaunchTyped(result, token);
    }

    // --- 4 parameters ---

    /// <summary>Runs a Sub.</summary>
    public static void Run<T1, T2, T3, T4>(this Kernel<Action<T1, T2, T3, T4>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, CancellationToken token = default)
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4);
        call.RunTyped(token);
    }

    /// <summary>Runs a Sub on a thread of the pool.</summary>
    public static Task RunAsync<T1, T2, T3, T4>(this Kernel<Action<T1, T2, T3, T4>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, CancellationToken token = default) =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, a4, token), token);

    /// <summary>Runs a Function and gives its results, row-major.</summary>
    public static TResult[] Run<T1, T2, T3, T4, TResult>(this Kernel<Func<T1, T2, T3, T4, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4);
        return call.ResultTyped<TResult>(token);
    }

    /// <summary>Runs a Function on a thread of the pool.</summary>
    public static Task<TResult[]> RunAsync<T1, T2, T3, T4, TResult>(this Kernel<Func<T1, T2, T3, T4, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, CancellationToken token = default) where TResult : unmanaged =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, a4, token), token);

    /// <summary>Runs a Function whose results stay on the engine.</summary>
    public static LaunchResult Launch<T1, T2, T3, T4, TResult>(this Kernel<Func<T1, T2, T3, T4, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, DeviceBuffer<TResult> result, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4);
        return call.LaunchTyped(result, token);
    }

    // --- 5 parameters ---

    /// <summary>Runs a Sub.</summary>
    public static void Run<T1, T2, T3, T4, T5>(this Kernel<Action<T1, T2, T3, T4, T5>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, CancellationToken token = default)
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5);
        call.RunTyped(token);
    }

    /// <summary>Runs a Sub on a thread of the pool.</summary>
    public static Task RunAsync<T1, T2, T3, T4, T5>(this Kernel<Action<T1, T2, T3, T4, T5>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, CancellationToken token = default) =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, a4, a5, token), token);

    /// <summary>Runs a Function and gives its results, row-major.</summary>
    public static TResult[] Run<T1, T2, T3, T4, T5, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5);
        return call.ResultTyped<TResult>(token);
    }

    /// <summary>Runs a Function on a thread of the pool.</summary>
    public static Task<TResult[]> RunAsync<T1, T2, T3, T4, T5, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, CancellationToken token = default) where TResult : unmanaged =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, a4, a5, token), token);

    /// <summary>Runs a Function whose results stay on the engine.</summary>
    public static LaunchResult Launch<T1, T2, T3, T4, T5, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, DeviceBuffer<TResult> result, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5);
        return call.LaunchTyped(result, token);
    }

    // --- 6 parameters ---

    /// <summary>Runs a Sub.</summary>
    public static void Run<T1, T2, T3, T4, T5, T6>(this Kernel<Action<T1, T2, T3, T4, T5, T6>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, CancellationToken token = default)
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5); call.Add(5, in a6);
        call.RunTyped(token);
    }

    /// <summary>Runs a Sub on a thread of the pool.</summary>
    public static Task RunAsync<T1, T2, T3, T4, T5, T6>(this Kernel<Action<T1, T2, T3, T4, T5, T6>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, CancellationToken token = default) =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, a4, a5, a6, token), token);

    /// <summary>Runs a Function and gives its results, row-major.</summary>
    public static TResult[] Run<T1, T2, T3, T4, T5, T6, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, T6, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5); call.Add(5, in a6);
        return call.ResultTyped<TResult>(token);
    }

    /// <summary>Runs a Function on a thread of the pool.</summary>
    public static Task<TResult[]> RunAsync<T1, T2, T3, T4, T5, T6, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, T6, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, CancellationToken token = default) where TResult : unmanaged =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, a4, a5, a6, token), token);

    /// <summary>Runs a Function whose results stay on the engine.</summary>
    public static LaunchResult Launch<T1, T2, T3, T4, T5, T6, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, T6, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, DeviceBuffer<TResult> result, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5); call.Add(5, in a6);
        return call.LaunchTyped(result, token);
    }

    // --- 7 parameters ---

    /// <summary>Runs a Sub.</summary>
    public static void Run<T1, T2, T3, T4, T5, T6, T7>(this Kernel<Action<T1, T2, T3, T4, T5, T6, T7>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, Arg<T7> a7, CancellationToken token = default)
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5); call.Add(5, in a6); call.Add(6, in a7);
        call.RunTyped(token);
    }

    /// <summary>Runs a Sub on a thread of the pool.</summary>
    public static Task RunAsync<T1, T2, T3, T4, T5, T6, T7>(this Kernel<Action<T1, T2, T3, T4, T5, T6, T7>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, Arg<T7> a7, CancellationToken token = default) =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, a4, a5, a6, a7, token), token);

    /// <summary>Runs a Function and gives its results, row-major.</summary>
    public static TResult[] Run<T1, T2, T3, T4, T5, T6, T7, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, T6, T7, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, Arg<T7> a7, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5); call.Add(5, in a6); call.Add(6, in a7);
        return call.ResultTyped<TResult>(token);
    }

    /// <summary>Runs a Function on a thread of the pool.</summary>
    public static Task<TResult[]> RunAsync<T1, T2, T3, T4, T5, T6, T7, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, T6, T7, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, Arg<T7> a7, CancellationToken token = default) where TResult : unmanaged =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, a4, a5, a6, a7, token), token);

    /// <summary>Runs a Function whose results stay on the engine.</summary>
    public static LaunchResult Launch<T1, T2, T3, T4, T5, T6, T7, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, T6, T7, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, Arg<T7> a7, DeviceBuffer<TResult> result, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5); call.Add(5, in a6); call.Add(6, in a7);
        return call.LaunchTyped(result, token);
    }

    // --- 8 parameters ---

    /// <summary>Runs a Sub.</summary>
    public static void Run<T1, T2, T3, T4, T5, T6, T7, T8>(this Kernel<Action<T1, T2, T3, T4, T5, T6, T7, T8>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, Arg<T7> a7, Arg<T8> a8, CancellationToken token = default)
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5); call.Add(5, in a6); call.Add(6, in a7); call.Add(7, in a8);
        call.RunTyped(token);
    }

    /// <summary>Runs a Sub on a thread of the pool.</summary>
    public static Task RunAsync<T1, T2, T3, T4, T5, T6, T7, T8>(this Kernel<Action<T1, T2, T3, T4, T5, T6, T7, T8>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, Arg<T7> a7, Arg<T8> a8, CancellationToken token = default) =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, a4, a5, a6, a7, a8, token), token);

    /// <summary>Runs a Function and gives its results, row-major.</summary>
    public static TResult[] Run<T1, T2, T3, T4, T5, T6, T7, T8, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, T6, T7, T8, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, Arg<T7> a7, Arg<T8> a8, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5); call.Add(5, in a6); call.Add(6, in a7); call.Add(7, in a8);
        return call.ResultTyped<TResult>(token);
    }

    /// <summary>Runs a Function on a thread of the pool.</summary>
    public static Task<TResult[]> RunAsync<T1, T2, T3, T4, T5, T6, T7, T8, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, T6, T7, T8, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, Arg<T7> a7, Arg<T8> a8, CancellationToken token = default) where TResult : unmanaged =>
        Task.Run(() => kernel.Run(engine, a1, a2, a3, a4, a5, a6, a7, a8, token), token);

    /// <summary>Runs a Function whose results stay on the engine.</summary>
    public static LaunchResult Launch<T1, T2, T3, T4, T5, T6, T7, T8, TResult>(this Kernel<Func<T1, T2, T3, T4, T5, T6, T7, T8, TResult>> kernel, Engine engine, Arg<T1> a1, Arg<T2> a2, Arg<T3> a3, Arg<T4> a4, Arg<T5> a5, Arg<T6> a6, Arg<T7> a7, Arg<T8> a8, DeviceBuffer<TResult> result, CancellationToken token = default) where TResult : unmanaged
    {
        using KernelCall call = KernelCall.Begin(kernel.Untyped, engine);
        call.Add(0, in a1); call.Add(1, in a2); call.Add(2, in a3); call.Add(3, in a4); call.Add(4, in a5); call.Add(5, in a6); call.Add(6, in a7); call.Add(7, in a8);
        return call.LaunchTyped(result, token);
    }
}
