// What a launch costs through the binding, beside the same launch by the C API: one element, so that next to nothing is computed.
//   make dotnet && ILCUDA_LIBRARY=$PWD/build/release/libilcuda.so dotnet run -c Release --project bindings/dotnet/Ilcuda.Benchmarks

using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Running;
using Consumer;
using Ilcuda;
using Ilcuda.Interop;

BenchmarkRunner.Run<LaunchCost>(DefaultConfig.Instance.WithArtifactsPath(Path.Combine(AppContext.BaseDirectory, "artifacts")), args);

/// <summary>In this process: a new one for each would measure the same.</summary>
[InProcess]
[MemoryDiagnoser]
public unsafe class LaunchCost
{
    private readonly long[] _extents = [1];
    private readonly float[] _array = [1, 2];
    private Session _session = null!;
    private Engine _engine = null!;
    private Kernel<Func<float[], int, int, double>> _kernel = null!;
    private DeviceBuffer<float> _x = null!;
    private DeviceBuffer<double> _sums = null!;
    private KernelArgument[] _args = null!;
    private object?[] _objects = null!;
    private CArgument[] _native = null!;

    /// <summary>The tree interpreter has the least to do for one element; the CPU engine calls compiled code.</summary>
    [Params(EngineKind.Tree, EngineKind.Cpu)]
    public EngineKind Kind { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _session = new Session();
        _engine = Engine.Create(new EngineOptions { Kind = Kind, Threads = 1, BestCode = true }, _session);
        _kernel = _session.Translate(Stats.RowSum);
        _x = _engine.Upload(_array);
        _sums = _engine.CreateBuffer<double>(1);
        _args = [_x, 2, _sums];
        _objects = [_array, 2];
        using var memory = new NativeMemory();
        _native = [_args[0].ToNative(_kernel, 0, memory), _args[1].ToNative(_kernel, 1, memory), _args[2].ToNative(_kernel, ~0, memory)];
        CApi(); // the self-check
    }

    [GlobalCleanup]
    public void Cleanup() => _session.Dispose();

    [Benchmark(Baseline = true, Description = "ilc_launch")]
    public int CApi()
    {
        CLaunchResult result;
        var options = new CLaunchOptions { Size = (nuint)sizeof(CLaunchOptions), SelfCheck = 1 };
        long extent = 1;
        fixed (CArgument* args = _native)
            return Api.ilc_launch(&result, _engine.Native, _kernel.Untyped.Native, args, 3, &extent, 1, &options);
    }

    [Benchmark(Description = "Launch, span")]
    public LaunchResult Span() => _kernel.Untyped.Launch(_engine, _extents.AsSpan(), _args.AsSpan());

    [Benchmark(Description = "Launch, typed")]
    public LaunchResult Typed() => _kernel.Launch(_engine, _x, 2, 1, _sums);

    [Benchmark(Description = "Launch, ParamArray")]
    public LaunchResult Params() => _kernel.Untyped.Launch(_engine, 1, _x, 2, _sums);

    [Benchmark(Description = "Run, typed, one array there, one back")]
    public double[] Run() => _kernel.Run(_engine, _array, 2, 1);

    [Benchmark(Description = "Run, ParamArray, the same")]
    public double[] RunObjects() => _kernel.Untyped.Run<double>(_engine, 1, _objects);
}
