// An assembly of random methods with features. Each method has random numbers of its own, from the seed and its
// number, so that one can be made again without the others (Reduction.cs).

using System.Text;

namespace Generator;

internal static class WideProgram
{
    /// <summary>The random numbers of one method, or of its calls.</summary>
    public static Random RandomOf(int seed, int number, int purpose) => new(HashOf(seed, number, purpose));

    private static int HashOf(int seed, int number, int purpose)
    {
        ulong hash = 14695981039346656037;
        foreach (int value in (ReadOnlySpan<int>)[seed, number, purpose])
        {
            hash = (hash ^ (uint)value) * 1099511628211;
            hash ^= hash >> 29;
        }
        return (int)(hash >> 33);
    }

    /// <summary>The assembly's structs with their members, and the members as earlier methods.</summary>
    public static Setting Begin(int seed, string name, Features features, List<Made> made)
    {
        IReadOnlyList<StructType> structs = (features & Features.Structs) == 0 ? [] : MethodMaker.Structs(RandomOf(seed, -1, 0));
        var setting = new Setting(new IlAssembly(name, "Gen", structs), features, structs);
        for (int k = 0; k < structs.Count; k++)
        {
            MethodMaker.AddConstructor(setting.Assembly, structs[k]);
            made.Add(MethodMaker.Make(RandomOf(seed, k, 2), setting, made, "Method", structs[k]));
        }
        return setting;
    }

    public static void Write(int seed, int methods, int calls, string folder, string name, Features features)
    {
        var made = new List<Made>();
        Setting setting = Begin(seed, name, features, made);
        int members = made.Count;
        for (int k = 0; k < methods; k++)
            made.Add(MethodMaker.Make(RandomOf(seed, k, 0), setting, made, $"M{k:D4}"));

        Directory.CreateDirectory(folder);
        setting.Assembly.Save(Path.Combine(folder, name + ".dll"));
        using var file = new StreamWriter(Path.Combine(folder, name + ".requests.jsonl"), false, new UTF8Encoding(false));
        file.NewLine = "\n";
        int id = 0;
        for (int k = 0; k < methods; k++)
        {
            if (!IsRoot(made[members + k], features))
                continue;
            var requests = new Requests(RandomOf(seed, k, 1), id);
            for (int n = 0; n < calls; n++)
                file.WriteLine(requests.Line("Gen", made[members + k]));
            id += calls;
        }
    }

    /// <summary>Whether requests can call it.</summary>
    private static bool IsRoot(Made method, Features features) =>
        method.Parameters.Append(method.Result).All(type => type.Struct == null
            || ((features & Features.StructRoots) != 0 && !type.IsRef && (features & Features.StructArrays) != 0 | !type.IsArray));
}
