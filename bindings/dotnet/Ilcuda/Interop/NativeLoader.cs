// Finds and loads the library: the path that was asked for and no other, else the runtime's own probing (deps.json,
// runtimes/RID/native of packages, beside the program), else the folder of the binding.

using System.Reflection;
using System.Runtime.InteropServices;

namespace Ilcuda.Interop;

internal static class NativeLoader
{
    public static string FileName =>
        RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? "libilcuda.dll" // not ilcuda.dll: file names ignore case there, and the binding is Ilcuda.dll
        : RuntimeInformation.IsOSPlatform(OSPlatform.OSX) ? "libilcuda.dylib"
        : "libilcuda.so";

    /// <summary>The portable runtime identifier, as packages name their folders.</summary>
    public static string Rid
    {
        get
        {
#if MODERN
            return RuntimeInformation.RuntimeIdentifier;
#else
            string system = RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? "win"
                : RuntimeInformation.IsOSPlatform(OSPlatform.OSX) ? "osx" : "linux";
            return system + "-" + RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant();
#endif
        }
    }

    private static IEnumerable<string> Places()
    {
        string folder = AppContext.BaseDirectory;
        yield return Path.Combine(folder, FileName);
        yield return Path.Combine(folder, "runtimes", Rid, "native", FileName);
    }

#if MODERN
    private static nint _library;

    /// <summary>Loads <paramref name="asked"/>, or, where that is null, what is found; adds what was tried.</summary>
    public static bool TryLoad(string? asked, List<string> tried)
    {
        _library = asked != null ? Open(asked, tried) : Find(tried);
        if (_library == 0)
            return false;
        // A second try after a failure finds the resolver in place.
        if (!_resolves)
            NativeLibrary.SetDllImportResolver(typeof(NativeLoader).Assembly, Resolve);
        _resolves = true;
        return true;
    }

    private static bool _resolves;

    private static nint Resolve(string name, Assembly assembly, DllImportSearchPath? path) => name == Api.Library ? _library : 0;

    private static nint Open(string path, List<string> tried)
    {
        tried.Add(path);
        return NativeLibrary.TryLoad(path, out nint library) ? library : 0;
    }

    private static nint Find(List<string> tried)
    {
        tried.Add($"{FileName} by the runtime's own search");
        if (NativeLibrary.TryLoad(FileName, typeof(NativeLoader).Assembly, null, out nint library))
            return library;
        foreach (string place in Places())
        {
            library = Open(place, tried);
            if (library != 0)
                return library;
        }
        return 0;
    }
#else
    [DllImport("kernel32", CharSet = CharSet.Unicode, SetLastError = true)]
    private static extern nint LoadLibraryW(string path);

    /// <summary>Loads the library before DllImport asks for it by its name: a module that is loaded is found by it. Only Windows
    /// works so; elsewhere the runtime's own probing is all there is.</summary>
    public static bool TryLoad(string? asked, List<string> tried)
    {
        if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            foreach (string place in asked != null ? new[] { asked } : Places())
            {
                tried.Add(place);
                if (LoadLibraryW(place) != 0)
                    return true;
            }
            return false;
        }
        tried.Add($"{FileName} by the runtime's own search");
        try
        {
            Api.ilc_abi();
            return true;
        }
        catch (Exception e) when (e is DllNotFoundException or EntryPointNotFoundException)
        {
            return false;
        }
    }
#endif
}
