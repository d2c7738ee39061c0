// A Native AOT program: it holds no IL, so its kernels come from the bundle that the build put into it, and nothing is compiled
// when it runs. Prints the same as under `dotnet run`.
using System.Reflection;
using Ilcuda;

namespace Example;

public static class Stats
{
    [Kernel]
    public static void Saxpy(float a, float[] x, float[] y, int i) => y[i] = a * x[i] + y[i];

    [Kernel]
    public static float RowSum(float[] x, int cols, int row)
    {
        float sum = 0;
        for (int k = 0; k < cols; k++)
            sum += x[row * cols + k];
        return sum;
    }
}

public static class Program
{
    public static void Main()
    {
        // typeof(..).GetMethod with a literal name: the trimmer sees that the method must stay.
        MethodInfo saxpy = typeof(Stats).GetMethod(nameof(Stats.Saxpy))!;
        MethodInfo rowSum = typeof(Stats).GetMethod(nameof(Stats.RowSum))!;
        Kernel saxpyKernel = Session.Default.Translate(saxpy), rowSumKernel = Session.Default.Translate(rowSum);
        using Engine engine = Engine.Create(new EngineOptions { Kind = EngineKind.Cpu, NoCompile = true });
        float[] y = [3, 4];
        saxpyKernel.Run(engine, 2, 2.0f, new float[] { 1, 2 }, y);
        Console.WriteLine(string.Join(" ", y));
        float[] sums = rowSumKernel.Run<float>(engine, 2, new float[] { 1, 2, 3, 4, 5, 6 }, 3);
        Console.WriteLine(string.Join(" ", sums));
        Console.WriteLine(Session.Default.Method(rowSum).Call([new float[] { 1, 2 }, 2, 0]).Value);
    }
}
