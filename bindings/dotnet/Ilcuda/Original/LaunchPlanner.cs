// The names under which the original's planner is known.

namespace Microsoft.VisualBasic.Computing.ILCuda.Runtime;

/// <summary>Blocks and the threads in each, as CUDA counts them: x is the last index.</summary>
public readonly struct LaunchPlan
{
    internal LaunchPlan(long gridX, long gridY, int blockX, int blockY) =>
        (GridX, GridY, BlockX, BlockY) = (gridX, gridY, blockX, blockY);

    /// <summary>Blocks in x.</summary>
    public long GridX { get; }
    /// <summary>Blocks in y.</summary>
    public long GridY { get; }
    /// <summary>Threads of a block in x.</summary>
    public int BlockX { get; }
    /// <summary>Threads of a block in y.</summary>
    public int BlockY { get; }

    /// <summary>The engine chooses its own shape, so what a plan can do wrong is to be too small.</summary>
    internal void MustCover(long[] extents)
    {
        long columns = extents.Length == 0 ? 0 : extents[extents.Length - 1];
        long rows = extents.Length > 1 ? extents[extents.Length - 2] : 1;
        if (GridX * BlockX < columns || GridY * BlockY < rows)
            throw new ArgumentException($"the plan has {GridY * BlockY} x {GridX * BlockX} threads, the launch {rows} x {columns} elements");
    }

    /// <summary>"grid 64 x 64, block 16 x 16".</summary>
    public override string ToString() => $"grid {GridX} x {GridY}, block {BlockX} x {BlockY}";
}

/// <summary>How many blocks it takes.</summary>
public static class LaunchPlanner
{
    private const int MostThreads = 1024; // of a block, on every CUDA device

    /// <summary>n elements in blocks of so many threads.</summary>
    public static LaunchPlan For1D(int n, int block = 256) => For2D(1, n, block, 1);

    /// <summary>rows x columns elements in blocks of so many threads.</summary>
    public static LaunchPlan For2D(int rows, int columns, int blockX = 16, int blockY = 16)
    {
        if (rows < 0 || columns < 0)
            throw new ArgumentOutOfRangeException(rows < 0 ? nameof(rows) : nameof(columns), "a launch has no negative extent");
        if (blockX < 1 || blockY < 1 || (long)blockX * blockY > MostThreads)
            throw new ArgumentOutOfRangeException(nameof(blockX), $"a block has 1 to {MostThreads} threads, not {blockX} x {blockY}");
        return new LaunchPlan(Blocks(columns, blockX), Blocks(rows, blockY), blockX, blockY);
    }

    private static long Blocks(long elements, int threads) => (elements + threads - 1) / threads;
}
