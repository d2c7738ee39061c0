// Where the native library comes from. It is loaded by the first call that needs it, never by a type's initialiser.

using System.Runtime.InteropServices;
using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>The native library: where it is looked for, and what was found.</summary>
public static class Native
{
    private const uint Abi = 5;
    private const string Variable = "ILCUDA_LIBRARY";
    private static readonly object Gate = new();
    private static string? _path;
    private static volatile bool _loaded;

    /// <summary>The library's file, which wins over every other place, the variable ILCUDA_LIBRARY included. It must be set
    /// before the first call; null looks in the usual places.</summary>
    /// <exception cref="InvalidOperationException">The library has been loaded.</exception>
    public static string? Path
    {
        get => _path;
        set
        {
            lock (Gate)
            {
                if (_loaded)
                    throw new InvalidOperationException("the native library of ilcuda has been loaded: set Native.Path before the first call");
                _path = value;
            }
        }
    }

    /// <summary>The native library's version, as "0.1.0".</summary>
    /// <exception cref="NativeLibraryException">The library cannot be loaded.</exception>
    public static string Version
    {
        get
        {
            Load();
            return Utf8.Text(Api.ilc_version())!;
        }
    }

    /// <summary>Loads the library, once.</summary>
    /// <exception cref="NativeLibraryException">It is not found, or is not the one that this binding was written for.</exception>
    public static void Load()
    {
        if (_loaded)
            return;
        lock (Gate)
        {
            if (_loaded)
                return;
            var tried = new List<string>();
            string? asked = _path ?? NonEmpty(Environment.GetEnvironmentVariable(Variable));
            if (!NativeLoader.TryLoad(asked, tried))
                throw new NativeLibraryException(Missing(asked, tried));
            CheckAbi(asked ?? tried[tried.Count - 1]);
            _loaded = true;
        }
    }

    private static string? NonEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;

    private static void CheckAbi(string place)
    {
        uint found;
        try
        {
            found = Api.ilc_abi();
        }
        catch (Exception e) when (e is EntryPointNotFoundException or DllNotFoundException or BadImageFormatException)
        {
            throw new NativeLibraryException($"{place} is not a library of ilcuda that this binding can use: {e.Message}");
        }
        if (found != Abi)
            throw new NativeLibraryException($"{place} has interface {found}, this binding was written for {Abi}: use a library and a binding of one version");
    }

    private static string Missing(string? asked, List<string> tried)
    {
        string mend = asked == null
            ? $"build it in a clone of ilcuda with `make dotnet` and set {Variable} to the path of {NativeLoader.FileName}"
            : _path != null ? "give the path of an existing library to Native.Path" : $"{Variable} must be the path of {NativeLoader.FileName}";
        return $"the native library of ilcuda was not found for {RuntimeInformation.OSDescription.Trim()} ({NativeLoader.Rid}); tried {string.Join(", ", tried)}; {mend}";
    }
}
