// What this machine offers.

using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>One finding about this machine.</summary>
public sealed class Finding
{
    internal Finding(in CFinding finding)
    {
        Subject = Utf8.Text(finding.Subject)!;
        Detail = Utf8.Text(finding.Detail) ?? "";
        Command = Utf8.Text(finding.Command);
        Ok = finding.Ok != 0;
    }

    /// <summary>"NVIDIA driver".</summary>
    public string Subject { get; }
    /// <summary>What there is, or why it does not work.</summary>
    public string Detail { get; }
    /// <summary>The one command that would make it better; null where there is none.</summary>
    public string? Command { get; }
    /// <summary>Does it work?</summary>
    public bool Ok { get; }

    /// <summary>"NVIDIA driver: not found".</summary>
    public override string ToString() => $"{Subject}: {Detail}";
}

/// <summary>What this machine offers, as `ilcuda doctor` tells it.</summary>
public sealed unsafe class Machine
{
    private Machine(in CProbeResult result)
    {
        var findings = new Finding[result.Count];
        for (int k = 0; k < findings.Length; k++)
            findings[k] = new Finding(in ((CFinding*)result.Findings)[k]);
        Findings = findings;
        CudaWorks = result.CudaWorks != 0;
        CpuWorks = result.CpuWorks != 0;
    }

    /// <summary>All findings.</summary>
    public IReadOnlyList<Finding> Findings { get; }
    /// <summary>Can kernels run on a CUDA device?</summary>
    public bool CudaWorks { get; }
    /// <summary>Can they run compiled on the processors?</summary>
    public bool CpuWorks { get; }

    /// <summary>Looks; never fails because something is missing.</summary>
    public static Machine Probe(EngineOptions? options = null, Session? session = null)
    {
        session ??= Session.Default;
        using SessionScope inside = session.Enter();
        nint owner = inside.Native;
        return (options ?? new EngineOptions()).With(native =>
        {
            CProbeResult result;
            session.Check(Api.ilc_probe(&result, owner, (CEngineOptions*)native));
            return new Machine(in result);
        });
    }
}
