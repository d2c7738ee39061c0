// A program run to its end.

using System.Diagnostics;
using System.Text;

namespace Ilcuda.Tests;

internal sealed record Ran(int Exit, string Output, string Error)
{
    /// <summary>Runs a program of .NET. Unless it is told otherwise it may have any engine but none that is asked for.</summary>
    public static Ran Program(string assembly, string[] args, params (string Name, string Value)[] environment)
    {
        var start = new ProcessStartInfo("dotnet")
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8,
        };
        start.ArgumentList.Add(assembly);
        foreach (string arg in args)
            start.ArgumentList.Add(arg);
        start.Environment["ILCUDA_ENGINE"] = "";
        foreach ((string name, string value) in environment)
            start.Environment[name] = value;
        using Process process = Process.Start(start)!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new Ran(process.ExitCode, output, error.Result);
    }
}
