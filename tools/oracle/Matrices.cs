// The tutorial's six matrices as CoreCLR computes them, as hashes of their float32 bytes.

using System.Reflection;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Oracle;

internal sealed class Matrices
{
    private delegate float RowKernel(float[] x, int cols, int i);
    private delegate float PairKernel(float[] x, int cols, int i, int j);
    private delegate float CorrelationKernel(float[] dot, float[] rowSum, float[] rowSumSq, int rows, int cols, int i, int j);
    private delegate float DistanceKernel(float[] dot, float[] rowSumSq, int rows, int i, int j);
    private delegate float ClampKernel(float cov, float denom);

    private const int Rows = 1024;
    private const int Seed = 42;
    private static readonly int[] Columns = [1024, 1000, 1023];

    private readonly Subject _subject;

    private Matrices(Subject subject) => _subject = subject;

    public static int Print(string[] assemblies)
    {
        foreach (string path in assemblies)
        {
            var matrices = new Matrices(new Subject(path, optimized: true));
            foreach (int cols in Columns)
            {
                foreach ((string kernel, float[] values) in matrices.Compute(cols))
                {
                    byte[] hash = SHA256.HashData(MemoryMarshal.AsBytes<float>(values));
                    string build = Path.GetFileNameWithoutExtension(path);
                    Console.WriteLine($"{build}\t{Rows}\t{cols}\t{kernel}\t{Convert.ToHexStringLower(hash)}");
                }
            }
        }
        return 0;
    }

    private IEnumerable<(string, float[])> Compute(int cols)
    {
        float[] x = Input(cols);
        var rowSum = Kernel<RowKernel>("RowSum");
        var rowSumSq = Kernel<RowKernel>("RowSumSq");
        var gramDot = Kernel<PairKernel>("GramDot");
        var correlation = Kernel<CorrelationKernel>("CorrelationCell");
        var distance = Kernel<DistanceKernel>("DistanceCell");

        var sum = new float[Rows];
        var sumSq = new float[Rows];
        for (int i = 0; i < Rows; i++)
        {
            sum[i] = rowSum(x, cols, i);
            sumSq[i] = rowSumSq(x, cols, i);
        }
        float[] dot = Square((i, j) => gramDot(x, cols, i, j));

        yield return ("RowSum", sum);
        yield return ("RowSumSq", sumSq);
        yield return ("GramDot", dot);
        yield return ("CorrelationCell", Square((i, j) => correlation(dot, sum, sumSq, Rows, cols, i, j)));
        yield return ("DistanceCell", Square((i, j) => distance(dot, sumSq, Rows, i, j)));
        yield return ("PearsonClamp", Clamped(cols, sum, sumSq, dot));
    }

    /// <summary>Covariances and deviation products are made on the host, each operation rounded to Single.</summary>
    private float[] Clamped(int cols, float[] sum, float[] sumSq, float[] dot)
    {
        var clamp = Kernel<ClampKernel>("PearsonClamp");
        float n = cols;
        float[] mean = new float[Rows], deviation = new float[Rows];
        for (int i = 0; i < Rows; i++)
        {
            mean[i] = sum[i] / n;
            float variance = sumSq[i] - n * mean[i] * mean[i];
            deviation[i] = MathF.Sqrt(MathF.Max(variance, 0f));
        }
        return Square((i, j) => clamp(dot[i * Rows + j] - n * mean[i] * mean[j], deviation[i] * deviation[j]));
    }

    private static float[] Input(int cols)
    {
        var random = new Random(Seed);
        var x = new float[Rows * cols];
        for (int k = 0; k < x.Length; k++)
            x[k] = (float)(random.NextDouble() * 2.0 - 1.0);
        return x;
    }

    private static float[] Square(Func<int, int, float> cell)
    {
        var values = new float[Rows * Rows];
        for (int i = 0; i < Rows; i++)
        {
            for (int j = 0; j < Rows; j++)
                values[i * Rows + j] = cell(i, j);
        }
        return values;
    }

    private T Kernel<T>(string name) where T : Delegate
    {
        MethodInfo method = _subject.Find("PearsonMetrics." + name);
        return method.CreateDelegate<T>();
    }
}
