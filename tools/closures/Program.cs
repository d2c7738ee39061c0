// closures ASSEMBLY - the methods of an assembly that a kernel could be made of, and what stands in the way of the others.
// closures ASSEMBLY --requests COUNT SEED - calls of those that can be called with arguments of no meaning.

using System.Reflection;
using System.Runtime.Loader;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Closures;

internal static class Program
{
    private const string Usage = """
        usage: closures ASSEMBLY [--requests COUNT SEED]

        Prints a JSON line for each method whose parameters and result are of kernel types: static ones and those of structs,
        of at least 16 bytes of IL, not generic, no property and no constructor. "reasons" is empty where nothing that it and
        all methods it calls do stands in the way of a kernel. Other assemblies are looked for beside it. With --requests it prints COUNT request lines for each of those without reasons that can be called.
        """;

    private static readonly JsonSerializerOptions Json = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private static int Main(string[] args)
    {
        if (args.Length != 1 && args is not [_, "--requests", _, _])
        {
            Console.Error.WriteLine(Usage);
            return 2;
        }
        string folder = Path.GetDirectoryName(Path.GetFullPath(args[0]))!;
        var context = new AssemblyLoadContext("census");
        context.Resolving += (_, name) => Path.Combine(folder, name.Name + ".dll") is var path && File.Exists(path) ? context.LoadFromAssemblyPath(path) : null;
        Assembly assembly = context.LoadFromAssemblyPath(Path.GetFullPath(args[0]));
        var closure = new Closure();
        var arguments = args.Length > 1 ? new Arguments(int.Parse(args[3])) : null;
        using var output = new StreamWriter(Console.OpenStandardOutput());
        foreach (MethodInfo method in Types(assembly).SelectMany(Methods).Where(IsCandidate))
        {
            Verdict verdict = closure.Of(method);
            if (arguments == null)
            {
                output.WriteLine(JsonSerializer.Serialize(new
                {
                    method = KernelTypes.Display(method), reasons = verdict.Reasons, methods = verdict.Methods, il = verdict.Il,
                    loops = verdict.Loops, safe = verdict.Safe, transcendental = verdict.Transcendental,
                }, Json));
            }
            else if (verdict.Reasons.Count == 0 && verdict.Safe && Arguments.CanBeGiven(method))
            {
                foreach (string line in arguments.Lines(method, int.Parse(args[2])))
                    output.WriteLine(line);
            }
        }
        return 0;
    }

    private static IEnumerable<Type> Types(Assembly assembly)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException e)
        {
            return e.Types.OfType<Type>();
        }
    }

    private static MethodInfo[] Methods(Type type)
    {
        const BindingFlags all = BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        return type.ContainsGenericParameters ? [] : type.GetMethods(all);
    }

    private static bool IsCandidate(MethodInfo method)
    {
        try
        {
            Type type = method.DeclaringType!;
            bool accessor = method.IsSpecialName && (method.Name.StartsWith("get_") || method.Name.StartsWith("set_"));
            return (method.IsStatic || (type.IsValueType && KernelTypes.IsKernel(type))) && !accessor && !method.ContainsGenericParameters
                && !method.IsAbstract && method.GetParameters().All(p => KernelTypes.IsKernel(p.ParameterType))
                && (method.ReturnType == typeof(void) || KernelTypes.IsKernel(method.ReturnType))
                && method.GetMethodBody()?.GetILAsByteArray() is { Length: >= 16 };
        }
        catch (Exception e) when (e is IOException or TypeLoadException or BadImageFormatException)
        {
            return false; // a type that is in none of the folders
        }
    }
}
