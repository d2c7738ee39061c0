// The command line: an assembly of random methods, or one of hand-made cases.

using System.Globalization;
using System.Text;

namespace Generator;

internal static class Program
{
    private const string Usage = """
        usage: generator --seed S --methods N --calls-per-method K --out DIR [--name NAME] [--with FEATURES]
               generator --reduce VARIANTS --method K, and the first line's without --calls-per-method
               generator --cases FILE.dll
               generator --opcodes FILE.dll
               generator --library MATH.DEF FILE.dll
               generator --trap-order DIR NAME [K/N]

        Writes NAME.dll (gen.dll) with N well-typed static methods of class Gen, and NAME.requests.jsonl with K calls
        of each. FEATURES, with commas or `all`, add to the core (Kind.cs). The same numbers give the same bytes.
        --reduce makes method number K and what it calls again, once for each line of VARIANTS, without what the line
        cuts (Reduction.cs). --cases writes the hand-made methods instead, --opcodes one method for each instruction
        and its calls beside it. --trap-order writes
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
        if (args is ["--library", var table, var library])
        {
            LibraryCases.Write(table, library);
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
        string? variants = null;
        int method = -1;
        var features = Features.None;
        bool good = args.Length % 2 == 0;
        for (int k = 0; good && k < args.Length; k += 2)
        {
            good = args[k] switch
            {
                "--seed" => int.TryParse(args[k + 1], out seed),
                "--methods" => int.TryParse(args[k + 1], out methods) && methods > 0,
                "--calls-per-method" => int.TryParse(args[k + 1], out calls) && calls >= 0,
                "--out" => (folder = args[k + 1]).Length > 0,
                "--reduce" => (variants = args[k + 1]).Length > 0,
                "--method" => int.TryParse(args[k + 1], out method) && method >= 0,
                "--with" => ReadFeatures(args[k + 1], out features),
                "--name" => (name = args[k + 1]).Length > 0,
                _ => false,
            };
        }
        if (!good || folder == null || (variants == null ? methods == 0 : method < 0 || features == Features.None))
        {
            Console.Error.WriteLine(Usage);
            return 2;
        }
        if (variants != null)
            return Reduction.Write(seed, method, features, variants, folder, name);
        if (features == Features.None)
            Write(seed, methods, calls, folder, name);
        else
            WideProgram.Write(seed, methods, calls, folder, name, features);
        return 0;
    }

    /// <summary>`all` is what every engine supports.</summary>
    private static bool ReadFeatures(string text, out Features features)
    {
        const Features all = Features.Refs | Features.Structs | Features.Throws | Features.Recursion | Features.Rank2
            | Features.NewArrays | Features.Pointers | Features.Blocks | Features.StructRoots | Features.StructArrays;
        features = all;
        return text == "all" || Enum.TryParse(text, true, out features);
    }

    private static void Write(int seed, int methods, int calls, string folder, string name)
    {
        // Random with a seed is one fixed algorithm in all versions of .NET.
        var random = new Random(seed);
        var assembly = new IlAssembly(name, "Gen");
        var setting = new Setting(assembly, Features.None, []);
        var made = new List<Made>();
        for (int k = 0; k < methods; k++)
            made.Add(MethodMaker.Make(random, setting, made, $"M{k:D4}"));

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
