// A loop on the clr engine: the delegate itself under Parallel.For.

using System.Runtime.ExceptionServices;

namespace Ilcuda;

internal static class LoopOnClr
{
    /// <summary>Runs it for the indices from `from` to below `to`. The exception of the lowest index is thrown as it is; what other
    /// iterations wrote stays.</summary>
    public static void Run(Delegate body, long[] from, long[] to)
    {
        Action<long, long> at = body switch
        {
            Action<int> one => (i, _) => one((int)i),
            Action<long> one => (i, _) => one(i),
            Action<int, int> two => (i, j) => two((int)i, (int)j),
            Action<long, long> two => two,
            _ => throw new ArgumentException($"{body.GetType()} is no body of a loop", nameof(body)),
        };
        (long, long) lowest = (long.MaxValue, long.MaxValue);
        Exception? first = null;
        object gate = new();
        Parallel.For(from[0], to[0], i =>
        {
            long end = to.Length > 1 ? to[1] : 1;
            for (long j = to.Length > 1 ? from[1] : 0; j < end; j++)
            {
                try
                {
                    at(i, j);
                }
                catch (Exception e)
                {
                    lock (gate)
                    {
                        if ((i, j).CompareTo(lowest) < 0)
                            (lowest, first) = ((i, j), e);
                    }
                }
            }
        });
        if (first != null)
            ExceptionDispatchInfo.Capture(first).Throw();
    }
}
