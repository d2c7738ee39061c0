// GramDot on ILGPU: dot(i, j) of the rows of n x n floats, summed in order. Least and median milliseconds of a launch with its wait, for a kernel whose
// groups ILGPU chooses and for explicit groups of 16 x 16; then how many of 2,000 elements have not the bits of the same loop on this processor, which
// multiplies and adds apart as ilcuda's mode exact does (a driver that fuses the two gives others).
//   gramdot [N] [TIMES] [cuda | cpu]     exit code 1: a difference; 5: there is no such device

using System.Diagnostics;
using ILGPU;
using ILGPU.Runtime;
using ILGPU.Runtime.CPU;
using ILGPU.Runtime.Cuda;

int n = args.Length > 0 ? int.Parse(args[0]) : 4096, times = args.Length > 1 ? int.Parse(args[1]) : 7;
bool cpu = args.Length > 2 && args[2] == "cpu";

// Fast math is off unless it is asked for.
using Context context = Context.Create(builder =>
{
    if (cpu)
        builder.CPU(CPUDevice.Default);
    else
        builder.Cuda();
    builder.Optimize(OptimizationLevel.O2);
});
if (!cpu && context.GetCudaDevices().Count == 0)
{
    Console.Error.WriteLine("ilgpu: no CUDA device (the driver is not there, or shows none)");
    return 5;
}
using Accelerator accelerator = cpu ? context.GetCPUDevice(0).CreateAccelerator(context) : context.GetCudaDevice(0).CreateAccelerator(context);
var random = new Random(7);
float[] x = new float[n * n];
for (int k = 0; k < x.Length; k++)
    x[k] = random.NextSingle() * 2 - 1;

using MemoryBuffer1D<float, Stride1D.Dense> rows = accelerator.Allocate1D(x), dot = accelerator.Allocate1D<float>(x.Length);
Console.WriteLine($"ILGPU {typeof(Context).Assembly.GetName().Version}, {accelerator.Name}; GramDot, {n} x {n} floats, {times} launches");

var natural = accelerator.LoadAutoGroupedStreamKernel<Index2D, ArrayView<float>, ArrayView<float>, int>(Kernels.Natural);
bool same = Run("natural, auto-grouped", () => natural(new Index2D(n, n), rows.View, dot.View, n));
var grouped = accelerator.LoadStreamKernel<ArrayView<float>, ArrayView<float>, int>(Kernels.Grouped);
int side = accelerator.MaxNumThreadsPerGroup >= 256 ? 16 : 4; // the CPU accelerator has 16 threads
var groups = new Index2D((n + side - 1) / side, (n + side - 1) / side);
same &= Run($"groups of {side} x {side}", () => grouped((groups, new Index2D(side, side)), rows.View, dot.View, n));
return same ? 0 : 1;

bool Run(string name, Action launch)
{
    dot.MemSetToZero();
    launch();
    accelerator.Synchronize();
    var took = new double[times];
    for (int t = 0; t < times; t++)
    {
        var watch = Stopwatch.StartNew();
        launch();
        accelerator.Synchronize();
        took[t] = watch.Elapsed.TotalMilliseconds;
    }
    Array.Sort(took);
    int wrong = Wrong(dot.GetAsArray1D(), out double worst);
    Console.WriteLine(FormattableString.Invariant($"{name}: {took[0]:F3} ms, median {took[times / 2]:F3}; {wrong} of 2000 elements differ in bits, by at most {worst:E1}"));
    return worst < 1e-4 * Math.Sqrt(n);
}

int Wrong(float[] got, out double worst)
{
    var places = new Random(11);
    int wrong = 0;
    worst = 0;
    for (int k = 0; k < 2000; k++)
    {
        int i = places.Next(n), j = places.Next(n);
        float sum = 0;
        for (int c = 0; c < n; c++)
            sum += x[i * n + c] * x[j * n + c];
        wrong += BitConverter.SingleToInt32Bits(sum) == BitConverter.SingleToInt32Bits(got[i * n + j]) ? 0 : 1;
        worst = Math.Max(worst, Math.Abs(sum - got[i * n + j]));
    }
    return wrong;
}

internal static class Kernels
{
    public static void Natural(Index2D at, ArrayView<float> x, ArrayView<float> dot, int n) => dot[at.Y * n + at.X] = Dot(x, n, at.Y, at.X);

    public static void Grouped(ArrayView<float> x, ArrayView<float> dot, int n)
    {
        int i = Grid.IdxY * Group.DimY + Group.IdxY, j = Grid.IdxX * Group.DimX + Group.IdxX;
        if (i < n && j < n)
            dot[i * n + j] = Dot(x, n, i, j);
    }

    private static float Dot(ArrayView<float> x, int n, int i, int j)
    {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += x[i * n + k] * x[j * n + k];
        return sum;
    }
}
