// One method of a random program again, and what it calls, in many variants at once: each without some statements
// and with constants for some expressions. tools/reduce looks for the smallest that still differs.
//
// A line of the variants' file is words METHOD:NODE=VALUE: the constant, or 10 and a node inside that stays. For each
// line, a line of variants.jsonl gives the method's name, how many instructions it has with its callees, and the nodes
// (method, number, parent, type on the stack or -1, instructions, values below); null where no program came out.

using System.Globalization;
using System.Text;

namespace Generator;

internal static class Reduction
{
    private sealed record Variant(IReadOnlyDictionary<int, Dictionary<int, int>> Cuts)
    {
        public IReadOnlyDictionary<int, int> Of(int method) => Cuts.GetValueOrDefault(method, []);
    }

    public static int Write(int seed, int method, Features features, string variants, string folder, string name)
    {
        var made = new List<Made>();
        Setting setting = WideProgram.Begin(seed, name, features, made);
        int members = made.Count;
        for (int k = 0; k <= method; k++)
            made.Add(MethodMaker.Make(WideProgram.RandomOf(seed, k, 0), setting, made, null, new Dictionary<int, int>()).Item1);

        Directory.CreateDirectory(folder);
        using var file = new StreamWriter(Path.Combine(folder, "variants.jsonl"), false, new UTF8Encoding(false));
        file.NewLine = "\n";
        int number = 0;
        foreach (string line in File.ReadAllLines(variants))
            file.WriteLine(Make(seed, method, setting, made, members, Parse(line), number++));
        setting.Assembly.Save(Path.Combine(folder, name + ".dll"));
        return 0;
    }

    private static Variant Parse(string line)
    {
        var cuts = new Dictionary<int, Dictionary<int, int>>();
        foreach (string word in line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            int[] numbers = word.Split(':', '=').Select(text => int.Parse(text, CultureInfo.InvariantCulture)).ToArray();
            if (!cuts.TryGetValue(numbers[0], out Dictionary<int, int>? of))
                cuts[numbers[0]] = of = [];
            of[numbers[1]] = numbers[2];
        }
        return new Variant(cuts);
    }

    private static string Make(int seed, int method, Setting setting, List<Made> made, int members, Variant variant, int number)
    {
        (Made, IReadOnlyList<Node>) Again(int k, IReadOnlyList<Made> earlier, string? name) =>
            MethodMaker.Make(WideProgram.RandomOf(seed, k, 0), setting, earlier, name, variant.Of(k));

        // What it still calls, from the last to the first, and then each with the tokens of those before.
        var needed = new SortedSet<int> { method };
        for (int k = method; k >= 0; k--)
        {
            if (needed.Contains(k))
                needed.UnionWith(Again(k, made[..(members + k)], null).Item1.Callees.Where(n => n >= members).Select(n => n - members));
        }
        var earlier = new List<Made>(made);
        var nodes = new StringBuilder();
        int size = 0;
        foreach (int k in needed)
        {
            Made again;
            IReadOnlyList<Node> all;
            try
            {
                (again, all) = Again(k, earlier[..(members + k)], $"M{k:D4}_{number}");
            }
            catch (InvalidOperationException) // a jump into what is gone
            {
                return "null";
            }
            earlier[members + k] = made[members + k] with { Token = again.Token };
            size += again.Size;
            for (int n = 0; n < all.Count; n++)
                nodes.Append(CultureInfo.InvariantCulture, $"{(nodes.Length > 0 ? "," : "")}[{k},{n},{all[n].Parent},{(int?)all[n].Value ?? -1},{all[n].Size},{all[n].Depth}]");
        }
        string types = string.Join(",", made[members + method].Parameters);
        return $"{{\"method\":\"Gen.M{method:D4}_{number}({types})\",\"size\":{size},\"nodes\":[{nodes}]}}";
    }
}
