// A kernel over arrays of the program: copied to the engine, run, copied back.

namespace Ilcuda;

public sealed unsafe partial class Kernel
{
    /// <summary>Runs it over n elements with arrays of the program and gives the result as a new array. Arrays are copied to buffers
    /// that the engine keeps for this (<see cref="EngineOptions.PoolBytes"/>), and those that the kernel writes are copied back. It
    /// throws like <see cref="Launch(Engine, long, KernelArgument[])"/>; the program's arrays are then as they were.</summary>
    /// <typeparam name="T">The result's type, a structure's too.</typeparam>
    /// <param name="engine">Where.</param>
    /// <param name="n">How many elements.</param>
    /// <param name="args">The parameters that are no index, in order: arrays, buffers, numbers. One array given twice is one array.</param>
    public T[] Run<T>(Engine engine, long n, params object?[] args) where T : unmanaged =>
        RunOver<T>(engine, new ReadOnlySpan<long>(&n, 1), args);

    /// <summary>The same over extents in the order i, j, k; the result is row-major.</summary>
    public T[] Run<T>(Engine engine, long[] extents, params object?[] args) where T : unmanaged => RunOver<T>(engine, Given(extents), args);

    private T[] RunOver<T>(Engine engine, ReadOnlySpan<long> extents, object?[] args) where T : unmanaged
    {
        using KernelCall call = Called(engine, extents, args);
        return call.Result<T>(default);
    }

    /// <summary>Runs a Sub over n elements with arrays of the program, as the other overloads do.</summary>
    public void Run(Engine engine, long n, params object?[] args) => RunOver(engine, new ReadOnlySpan<long>(&n, 1), args);

    /// <summary>The same over extents in the order i, j, k.</summary>
    public void Run(Engine engine, long[] extents, params object?[] args) => RunOver(engine, Given(extents), args);

    private static long[] Given(long[] extents) => extents ?? throw new ArgumentNullException(nameof(extents));

    private void RunOver(Engine engine, ReadOnlySpan<long> extents, object?[] args)
    {
        using KernelCall call = Called(engine, extents, args);
        call.Run(default);
    }

    /// <summary>As <see cref="Run{T}(Engine, long[], object[])"/>, on a thread of the pool. Cancelling ends it before it starts, and
    /// while it runs in an interpreter or on the clr engine; what a compiled engine has begun runs to its end.</summary>
    /// <exception cref="OperationCanceledException">It was cancelled; the program's arrays are as they were.</exception>
    public Task<T[]> RunAsync<T>(Engine engine, long[] extents, object?[] args, CancellationToken token = default) where T : unmanaged =>
        Task.Run(() =>
        {
            using KernelCall call = Called(engine, Given(extents), args);
            return call.Result<T>(token);
        }, token);

    /// <summary>The same of a Sub.</summary>
    public Task RunAsync(Engine engine, long[] extents, object?[] args, CancellationToken token = default) =>
        Task.Run(() =>
        {
            using KernelCall call = Called(engine, Given(extents), args);
            call.Run(token);
        }, token);

    /// <summary>As <see cref="Launch(Engine, long[], KernelArgument[])"/>, on a thread of the pool, cancelled as
    /// <see cref="RunAsync{T}"/> is. Buffers hold what was written until then.</summary>
    public Task<LaunchResult> LaunchAsync(Engine engine, long[] extents, KernelArgument[] args, CancellationToken token = default) =>
        Task.Run(() =>
        {
            LaunchResult result = TryLaunch(engine, Given(extents), args, null, token);
            return result.Trap == null ? result : throw result.Trap.ToException();
        }, token);

    internal KernelCall Called(Engine engine, ReadOnlySpan<long> extents, object?[] args)
    {
        int given = _slots.Length - ResultCount;
        if (args == null || args.Length != given)
            throw new IlcudaException(Status.Invalid, $"{Method.FullName} takes {given} arguments, not {args?.Length ?? 0}");
        KernelCall call = KernelCall.Begin(this, engine);
        try
        {
            call.SetExtents(extents);
            for (int k = 0; k < given; k++)
            {
                if (args[k] is Array array)
                    call.AddArray(_slots[k], array);
                else
                    call.Add(_slots[k], KernelArgument.From(args[k]));
            }
            return call;
        }
        catch
        {
            call.Dispose();
            throw;
        }
    }
}
