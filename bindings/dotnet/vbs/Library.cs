// The assemblies that scripts include: where they lie, and how the running script finds them.

using System.Reflection;
using System.Runtime.Loader;

namespace Vbs;

internal static class Library
{
    /// <summary>The original's assemblies, whose names and namespaces ours has.</summary>
    private static readonly Dictionary<string, string> Aliases = new(StringComparer.OrdinalIgnoreCase)
    {
        ["Microsoft.VisualBasic.Computing.ILCuda.dll"] = "Ilcuda.dll",
        ["Microsoft.VisualBasic.ApplicationServices.Development.VisualStudio.dll"] = "Ilcuda.dll",
    };

    /// <summary>Beside the script, else beside vbs, else, of the original's own, what stands for it.</summary>
    public static string? Find(string name, string folder)
    {
        foreach (string place in (string[])[Path.Combine(folder, name), Path.Combine(AppContext.BaseDirectory, name)])
        {
            if (File.Exists(place))
                return Path.GetFullPath(place);
        }
        return Aliases.TryGetValue(Path.GetFileName(name.Replace('\\', '/')), out string? ours) ? Path.Combine(AppContext.BaseDirectory, ours) : null;
    }

    /// <summary>References of the script are its libraries and what lies beside them.</summary>
    public static void Resolve(Script script)
    {
        AssemblyLoadContext.Default.Resolving += (context, name) =>
        {
            string file = name.Name + ".dll";
            string? found = script.Libraries.FirstOrDefault(library => AssemblyName.GetAssemblyName(library).Name == name.Name)
                ?? script.Libraries.Select(library => Path.Combine(Path.GetDirectoryName(library)!, file)).FirstOrDefault(File.Exists);
            return found == null ? null : context.LoadFromAssemblyPath(found);
        };
        AssemblyLoadContext.Default.ResolvingUnmanagedDll += (_, name) =>
        {
            string[] files = OperatingSystem.IsWindows() ? [name, name + ".dll"] : [name, name + ".so", "lib" + name + ".so", "lib" + name];
            string? found = script.Natives.SelectMany(folder => files.Select(file => Path.Combine(folder, file))).FirstOrDefault(File.Exists);
            return found == null ? 0 : System.Runtime.InteropServices.NativeLibrary.Load(found);
        };
    }
}
