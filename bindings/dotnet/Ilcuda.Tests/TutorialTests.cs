// The tutorial through the binding: CoreCLR's bits, by way of both sets of names.

using System.Reflection;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Microsoft.VisualBasic.ApplicationServices.Development.VisualStudio.IL;
using Microsoft.VisualBasic.Computing.ILCuda.IL2Cuda;
using Xunit;
using Original = Microsoft.VisualBasic.Computing.ILCuda.Runtime;

namespace Ilcuda.Tests;

public sealed class TutorialTests
{
    private const int Rows = 1024;
    private static readonly Type Metrics = Assembly.LoadFrom(Place.Fixture("Tutorial")).GetType("PearsonMetrics")!;

    private static float[] Input(int cols)
    {
        var random = new Random(42);
        var x = new float[Rows * cols];
        for (int k = 0; k < x.Length; k++)
            x[k] = (float)(random.NextDouble() * 2.0 - 1.0);
        return x;
    }

    private static string Recorded(int cols, string kernel) => File.ReadLines(Place.Answers("matrices.tsv"))
        .Select(line => line.Split('\t'))
        .Single(row => row[0] == "Tutorial" && row[2] == cols.ToString() && row[3] == kernel)[4];

    private static string Hash(float[] values) => Convert.ToHexStringLower(SHA256.HashData(MemoryMarshal.AsBytes<float>(values)));

    /// <summary>What PearsonClamp is given, each operation rounded to Single.</summary>
    private static (float[] Cov, float[] Denom) ClampInput(int cols, float[] sum, float[] sumSq, float[] dot)
    {
        float n = cols;
        float[] mean = new float[Rows], deviation = new float[Rows], cov = new float[Rows * Rows], denom = new float[Rows * Rows];
        for (int i = 0; i < Rows; i++)
        {
            mean[i] = sum[i] / n;
            float variance = sumSq[i] - n * mean[i] * mean[i];
            deviation[i] = MathF.Sqrt(MathF.Max(variance, 0f));
        }
        for (int k = 0; k < cov.Length; k++)
        {
            cov[k] = dot[k] - n * mean[k / Rows] * mean[k % Rows];
            denom[k] = deviation[k / Rows] * deviation[k % Rows];
        }
        return (cov, denom);
    }

    [Theory]
    [InlineData(1024)]
    [InlineData(1000)]
    public void Kernels_on_the_CPU_have_CoreCLRs_bits(int cols)
    {
        using var session = new Session();
        using Engine engine = Engine.Create(Place.Cpu, session);
        Kernel Translated(string name) => session.Translate(Metrics.GetMethod(name)!);
        long[] pairs = [Rows, Rows];

        using DeviceBuffer<float> x = engine.Upload(Input(cols)), sum = engine.CreateBuffer<float>(Rows), sumSq = engine.CreateBuffer<float>(Rows);
        using DeviceBuffer<float> dot = engine.CreateBuffer<float>(Rows * Rows), cell = engine.CreateBuffer<float>(Rows * Rows);
        Translated("RowSum").Launch(engine, Rows, x, cols, sum);
        Translated("RowSumSq").Launch(engine, Rows, x, cols, sumSq);
        LaunchResult result = Translated("GramDot").Launch(engine, pairs, x, cols, dot);
        Assert.StartsWith("il_GramDot_", result.Entry); // _tile where the compiler has vectors
        Assert.True(result.Guarded && result.SelfChecked);
        Assert.Equal(Recorded(cols, "RowSum"), Hash(sum.Read()));
        Assert.Equal(Recorded(cols, "RowSumSq"), Hash(sumSq.Read()));
        Assert.Equal(Recorded(cols, "GramDot"), Hash(dot.Read()));
        Translated("CorrelationCell").Launch(engine, pairs, dot, sum, sumSq, Rows, cols, cell);
        Assert.Equal(Recorded(cols, "CorrelationCell"), Hash(cell.Read()));
        Translated("DistanceCell").Launch(engine, pairs, dot, sumSq, Rows, cell);
        Assert.Equal(Recorded(cols, "DistanceCell"), Hash(cell.Read()));
        (float[] cov, float[] denom) = ClampInput(cols, sum.Read(), sumSq.Read(), dot.Read());
        using DeviceBuffer<float> a = engine.Upload(cov), b = engine.Upload(denom);
        Translated("PearsonClamp").Launch(engine, Rows * Rows, a, b, cell);
        Assert.Equal(Recorded(cols, "PearsonClamp"), Hash(cell.Read()));
    }

    [Fact]
    public void The_originals_names_behave_as_its_page_shows()
    {
        const int cols = 1024;
        IlCudaKernel kernel = IlCudaTranslator.Translate(Metrics.GetMethod("GramDot")!);
        Assert.Equal("Grid2D", kernel.IndexMode.ToString());
        Assert.Equal("il_GramDot_scalar", kernel.DeviceFunctionName);
        Assert.Equal("il_GramDot_kernel", kernel.Name);
        Assert.Equal("il_GramDot_kernel [Grid2D] <- PearsonMetrics.GramDot", kernel.ToString());
        Assert.Contains("Function GramDot(x As Single(), cols As Integer, i As Integer, j As Integer) As Single", SyntaxWriter.WriteMethod(kernel.Syntax));
        Assert.Contains("il_GramDot_kernel(const float *__restrict__ p_x, int p_cols, float *__restrict__ il_out, int il_nRows, int il_nCols)", kernel.Source);
        Assert.Equal("Grid1D", IlCudaTranslator.Translate(Metrics.GetMethod("PearsonClamp")!).IndexMode.ToString());

        float[] sample = Enumerable.Range(0, 256).Select(k => (k % 17 - 8) * 0.5f).ToArray();
        Assert.Equal(-14.5f, new AstInterpreter(kernel.Syntax).Invoke(sample, 8, 2, 5));

        kernel.Register();
        Original.CudaEngine? engine = Original.CudaEngine.TryCreate(new Original.EngineOptions { Engine = "cpu" });
        Assert.NotNull(engine);
        using (engine)
        {
            Assert.StartsWith("cpu, ", engine.Device.Name);
            Assert.Matches(@"^\S+ .*\(shared object\) arch=\S+ \[.+\]$", engine.Image.ToString());
            using var x = new Original.DeviceBuffer<float>(Rows * cols);
            using var dot = new Original.DeviceBuffer<float>(Rows * Rows);
            x.Write(Input(cols));
            kernel.Launch(engine, Original.LaunchPlanner.For2D(Rows, Rows, 16, 16), x, cols, dot, Rows, Rows);
            engine.Synchronize();
            Assert.Equal(Recorded(cols, "GramDot"), Hash(dot.Read()));
            Assert.Throws<ArgumentException>(() => kernel.Launch(engine, Original.LaunchPlanner.For2D(Rows - 16, Rows), x, cols, dot, Rows, Rows));
            Assert.Throws<ArgumentException>(() => kernel.Launch(engine, Original.LaunchPlanner.For2D(Rows, Rows), x, cols, dot, Rows));
        }
        Assert.True(Original.KernelSources.Remove(kernel));
    }

    [Fact]
    public void Another_kernel_of_a_registered_name_is_refused()
    {
        IlCudaKernel first = IlCudaTranslator.Translate(typeof(Consumer.Stats).GetMethod("RowSum")!);
        IlCudaKernel second = IlCudaTranslator.Translate(Metrics.GetMethod("RowSum")!);
        first.Register();
        first.Register();
        Assert.Contains("Consumer.Stats.RowSum", Assert.Throws<InvalidOperationException>(second.Register).Message);
        Original.KernelSources.Remove(first);
        second.Register();
        Original.KernelSources.Remove(second);
    }

    [Fact]
    public void An_unknown_engine_is_no_engine_and_says_so()
    {
        var options = new Original.EngineOptions { Engine = "gpu" };
        Assert.Null(Original.CudaEngine.TryCreate(options));
        Assert.Equal("EngineOptions.Engine is \"gpu\": engines are cuda, cpu, ast, il, clr and auto", options.ErrorMessage);
    }
}
