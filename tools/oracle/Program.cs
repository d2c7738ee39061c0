// The command line: answers request lines with what CoreCLR does, or prints the hashes of the tutorial's matrices.

using System.Globalization;
using System.Text;

namespace Oracle;

internal static class Program
{
    private const string Usage = """
        usage: oracle ASSEMBLY --batch REQUESTS.jsonl [--limit SECONDS] [--optimized]
               oracle matrix ASSEMBLY...

        Answers go to standard output, one JSON line for each request line (docs/cli.md, `call --batch`).
        REQUESTS may be - for standard input. Without --optimized the assembly's code is compiled as for a
        debugger, so that a trap's line is right; the values are the same.
        `matrix` prints build, rows, cols, kernel and the SHA-256 of the float32 bytes, tab-separated.
        """;

    private static int Main(string[] args)
    {
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.InvariantCulture;
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        try
        {
            if (args is ["-h"] or ["--help"])
            {
                Console.WriteLine(Usage);
                return 0;
            }
            return args is ["matrix", _, ..] ? Matrices.Print(args[1..]) : Batch(args);
        }
        catch (Exception e) when (e is IOException or BadImageFormatException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine(e.Message);
            return 3;
        }
    }

    private static int Batch(string[] args)
    {
        string? assembly = null, requests = null;
        double limit = 10;
        bool optimized = false;

        for (int k = 0; k < args.Length; k++)
        {
            switch (args[k])
            {
                case "--batch" when k + 1 < args.Length:
                    requests = args[++k];
                    break;
                case "--limit" when k + 1 < args.Length && double.TryParse(args[k + 1], out limit) && limit > 0:
                    k++;
                    break;
                case "--optimized":
                    optimized = true;
                    break;
                case var name when assembly == null && !name.StartsWith('-'):
                    assembly = name;
                    break;
                default:
                    Console.Error.WriteLine(Usage);
                    return 2;
            }
        }
        if (assembly == null || requests == null)
        {
            Console.Error.WriteLine(Usage);
            return 2;
        }

        string[] lines = requests == "-" ? ReadAll(Console.In) : File.ReadAllLines(requests);
        Console.SetOut(TextWriter.Null); // what a called method prints is no answer
        using var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false), 1 << 16);
        Runner.Run(new Subject(assembly, optimized), lines, TimeSpan.FromSeconds(limit), output);
        output.Flush();
        // Calls that ran out of time still run; leaving the process ends them.
        Environment.Exit(0);
        return 0;
    }

    private static string[] ReadAll(TextReader reader)
    {
        var lines = new List<string>();
        while (reader.ReadLine() is { } line)
            lines.Add(line);
        return lines.ToArray();
    }
}
