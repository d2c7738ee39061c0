// The names under which the original's probe is known.

using Ilcuda;

namespace Microsoft.VisualBasic.Computing.ILCuda.Runtime;

/// <summary>What keeps kernels from a GPU, and what to do.</summary>
public sealed class FixSuggestion
{
    internal FixSuggestion(string problem, string detail) => (Problem, Detail) = (problem, detail);

    /// <summary>What is wrong.</summary>
    public string Problem { get; }
    /// <summary>The command that mends it, or what else can be done.</summary>
    public string Detail { get; }

    /// <summary>What is wrong.</summary>
    public override string ToString() => Problem;
}

/// <summary>Looks at this machine.</summary>
public static class CudaEnvironment
{
    /// <summary>What this machine offers.</summary>
    public static Machine Probe() => Machine.Probe();

    /// <summary>What would make it better: one suggestion for each thing that does not work.</summary>
    public static IReadOnlyList<FixSuggestion> Suggest(Machine report)
    {
        if (report == null)
            throw new ArgumentNullException(nameof(report));
        var suggestions = report.Findings.Where(finding => !finding.Ok)
            .Select(finding => new FixSuggestion(finding.ToString(), finding.Command ?? "see `ilcuda doctor`")).ToList();
        if (!report.CudaWorks && report.CpuWorks)
            suggestions.Add(new FixSuggestion("the CPU engine works here, with the same bits", "set the environment variable ILCUDA_ENGINE=cpu, or EngineOptions.Engine"));
        return suggestions;
    }
}
