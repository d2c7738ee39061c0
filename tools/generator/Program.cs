// The command line: an assembly of random methods, or one of hand-made cases.

using System.Globalization;
using System.Text;

namespace Generator;

internal static class Program
{
    private const string Usage = """
        usage: generator --seed S --methods N --calls-per-method K --out DIR [--name NAME]
               generator --cases FILE.dll
               generator --opcodes FILE.dll
               generator --trap-order DIR NAME [K/N]

        Writes NAME.dll (gen.dll) with N well-typed static methods of class Gen, and NAME.requests.jsonl with K calls
        of each. The same numbers give the same bytes. --cases writes the hand-made methods instead,
        --opcodes one method for each instruction and its calls beside it. --trap-order writes
        methods with two and three operations that may trap, and their calls: part K of N (from 0) of all
        combinations, or a choice of them.
        """;

    private static int Main(string[] args)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        if (args is ["-h"] or ["--help"])
        {
            Console.WriteLine(Usage);
            return 0;
        }
        if (args is ["--cases", var file])
        {
            IlCases.Write(file);
            return 0;
        }
        if (args is ["--trap-order", var place, var assemblyName, ..] && args.Length <= 4)
        {
            string[] part = args.Length == 4 ? args[3].Split('/') : ["0", "0"];
            TrapOrder.Write(place, assemblyName, int.Parse(part[0]), int.Parse(part[1]));
            return 0;
        }
        if (args is ["--opcodes", var opcodes])
        {
            OpcodeCases.Write(opcodes);
            return 0;
        }

        int seed = 0, methods = 0, calls = 1;
        string? folder = null;
        string name = "gen";
        bool good = args.Length % 2 == 0;
        for (int k = 0; good && k < args.Length; k += 2)
        {
            good = args[k] switch
            {
                "--seed" => int.TryParse(args[k + 1], out seed),
                "--methods" => int.TryParse(args[k + 1], out methods) && methods > 0,
                "--calls-per-method" => int.TryParse(args[k + 1], out calls) && calls >= 0,
                "--out" => (folder = args[k + 1]).Length > 0,
                "--name" => (name = args[k + 1]).Length > 0,
                _ => false,
            };
        }
        if (!good || folder == null || methods == 0)
        {
            Console.Error.WriteLine(Usage);
            return 2;
        }
        Write(seed, methods, calls, folder, name);
        return 0;
    }

    private static void Write(int seed, int methods, int calls, string folder, string name)
    {
        // Random with a seed is one fixed algorithm in all versions of .NET.
        var random = new Random(seed);
        var assembly = new IlAssembly(name, "Gen");
        var made = new List<Made>();
        for (int k = 0; k < methods; k++)
            made.Add(MethodMaker.Make(random, assembly, made, $"M{k:D4}"));

        Directory.CreateDirectory(folder);
        assembly.Save(Path.Combine(folder, name + ".dll"));
        var requests = new Requests(random);
        using var file = new StreamWriter(Path.Combine(folder, name + ".requests.jsonl"), false, new UTF8Encoding(false));
        file.NewLine = "\n";
        foreach (Made method in made)
        {
            for (int k = 0; k < calls; k++)
                file.WriteLine(requests.Line("Gen", method));
        }
    }
}
