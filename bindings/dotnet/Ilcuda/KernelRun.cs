// A kernel over arrays of the program: copied to the engine, run, copied back.

using Ilcuda.Interop;

namespace Ilcuda;

public sealed unsafe partial class Kernel
{
    private bool[]? _written;

    /// <summary>Runs it over n elements with arrays of the program and gives the result as a new array. Arrays are copied to the
    /// engine, and those that the kernel writes are copied back. It throws like <see cref="Launch(Engine, long, KernelArgument[])"/>;
    /// the program's arrays are then as they were.</summary>
    /// <typeparam name="T">The result's type; of a struct there are several results, and a launch takes a buffer for each.</typeparam>
    /// <param name="engine">Where.</param>
    /// <param name="n">How many elements.</param>
    /// <param name="args">The parameters that are no index, in order: arrays, buffers, numbers. One array given twice is one array.</param>
    public T[] Run<T>(Engine engine, long n, params object?[] args) where T : unmanaged => Run<T>(engine, [n], args);

    /// <summary>The same over extents in the order i, j, k; the result is row-major.</summary>
    public T[] Run<T>(Engine engine, long[] extents, params object?[] args) where T : unmanaged
    {
        if (ResultCount != 1)
            throw new IlcudaException(Status.Invalid, $"{Method.FullName} has {ResultCount} results: {(ResultCount == 0 ? "call Run without a type" : "launch it with a buffer for each")}");
        using DeviceBuffer<T> result = engine.CreateBuffer<T>(Total(extents));
        RunWith(engine, extents, args, result);
        return result.Read();
    }

    /// <summary>Runs a Sub over n elements with arrays of the program, as the other overloads do.</summary>
    public void Run(Engine engine, long n, params object?[] args) => Run(engine, [n], args);

    /// <summary>The same over extents in the order i, j, k.</summary>
    public void Run(Engine engine, long[] extents, params object?[] args)
    {
        if (ResultCount != 0)
            throw new IlcudaException(Status.Invalid, $"{Method.FullName} has a result: call Run with its type");
        RunWith(engine, extents, args, null);
    }

    private static long Total(long[] extents)
    {
        long total = 1;
        foreach (long extent in extents ?? throw new ArgumentNullException(nameof(extents)))
            total = checked(total * Math.Max(extent, 0));
        return total;
    }

    private void RunWith(Engine engine, long[] extents, object?[] args, DeviceBuffer? result)
    {
        int given = _slots.Length - ResultCount;
        if (args == null || args.Length != given)
            throw new IlcudaException(Status.Invalid, $"{Method.FullName} takes {given} arguments, not {args?.Length ?? 0}");
        var copies = new List<(HostCopy Copy, bool Written)>();
        var passed = new KernelArgument[_slots.Length];
        try
        {
            for (int k = 0; k < given; k++)
                passed[k] = args[k] is Array array ? Copied(engine, array, _slots[k], copies) : KernelArgument.From(args[k]);
            if (result != null)
                passed[given] = result;
            Launch(engine, extents, passed);
            foreach ((HostCopy copy, bool written) in copies)
            {
                if (written)
                    copy.TakeBack();
            }
        }
        finally
        {
            foreach ((HostCopy copy, _) in copies)
                copy.Dispose();
        }
    }

    private HostCopy Copied(Engine engine, Array array, int parameter, List<(HostCopy Copy, bool Written)> copies)
    {
        int known = copies.FindIndex(other => ReferenceEquals(other.Copy.Array, array));
        bool written = Written[parameter];
        if (known < 0)
        {
            copies.Add((new HostCopy(engine, array, Method.Described[parameter], Method.FullName), written));
            return copies[copies.Count - 1].Copy;
        }
        copies[known] = (copies[known].Copy, copies[known].Written || written);
        return copies[known].Copy;
    }

    /// <summary>By parameter: may the kernel store to its array?</summary>
    private bool[] Written
    {
        get
        {
            if (_written is { } known)
                return known;
            using SessionScope inside = Session.Enter();
            var written = new bool[Method.ParameterCount];
            CEntryParam param;
            for (uint k = 0; Api.ilc_kernel_entry_param(&param, Native, 0, k) == (int)Status.Ok; k++)
            {
                if (param.Kind == 1) // ILC_ENTRY_ARRAY
                    written[param.Param] |= param.Written != 0;
            }
            Api.ilc_session_clear_diagnostics(Session.Handle.DangerousGetHandle());
            return _written = written;
        }
    }
}
