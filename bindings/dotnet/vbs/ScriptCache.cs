// Compiled scripts, kept in $XDG_CACHE_HOME/ilcuda/vbs (or the user's own place for such files). The key is everything that may change the
// program: the script and its path, the libraries, this host, the runtime.

using System.Security.Cryptography;
using System.Text;

namespace Vbs;

internal sealed class ScriptCache
{
    private const int Kept = 200;
    private readonly string _folder;
    private readonly string _key;

    /// <summary>Where everything is kept: an entry is a folder, but for `packages` (Packages.cs).</summary>
    public static string Root
    {
        get
        {
            string? cache = Environment.GetEnvironmentVariable("XDG_CACHE_HOME");
            if (string.IsNullOrEmpty(cache))
            {
                cache = OperatingSystem.IsWindows() ? Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData)
                    : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".cache");
            }
            return Path.Combine(cache, "ilcuda", "vbs");
        }
    }

    public ScriptCache(Script script)
    {
        _folder = Root;
        var whole = new StringBuilder();
        whole.Append(script.Path).Append('\n').Append(script.Text).Append('\n').Append(Environment.Version);
        foreach (string library in script.Libraries.Append(typeof(ScriptCache).Assembly.Location))
            whole.Append('\n').Append(library).Append(' ').Append(Stamp(library));
        byte[] hash = SHA256.HashData(Encoding.UTF8.GetBytes(whole.ToString()));
        _key = $"{Name(script)}-{Convert.ToHexStringLower(hash, 0, 10)}";
    }

    /// <summary>The program's assembly: what stack traces and Location name.</summary>
    public string Name(Script script) =>
        new([.. Path.GetFileNameWithoutExtension(script.Path).Select(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' ? c : '_')]);

    private static string Stamp(string library)
    {
        var file = new FileInfo(library);
        return $"{file.Length} {file.LastWriteTimeUtc.Ticks}";
    }

    private string PathOf(string key) => Path.Combine(_folder, key, key + ".dll");

    /// <summary>The assembly's simple name, so that two scripts of one name can be told apart.</summary>
    public string AssemblyName => _key;

    /// <summary>The compiled program; null where there is none.</summary>
    public string? Find()
    {
        string path = PathOf(_key);
        if (!File.Exists(path))
            return null;
        try
        {
            Directory.SetLastWriteTimeUtc(Path.GetDirectoryName(path)!, DateTime.UtcNow);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Only the order in which entries go.
        }
        return path;
    }

    /// <summary>Keeps the program, whole or not at all; the path to load it from. Where the cache cannot be written, a folder of
    /// its own serves.</summary>
    public string Keep(byte[] program)
    {
        try
        {
            string path = PathOf(_key);
            Write(path, program);
            Trim();
            return path;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            string path = Path.Combine(Directory.CreateTempSubdirectory("vbs-").FullName, _key + ".dll");
            Write(path, program);
            return path;
        }
    }

    private static void Write(string path, byte[] program)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        string beside = path + "." + Environment.ProcessId;
        File.WriteAllBytes(beside, program);
        File.Move(beside, path, true);
    }

    private void Trim()
    {
        foreach (DirectoryInfo old in new DirectoryInfo(_folder).GetDirectories().Where(entry => entry.Name != "packages").OrderByDescending(entry => entry.LastWriteTimeUtc).Skip(Kept))
        {
            try
            {
                old.Delete(true);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // In use: another time.
            }
        }
    }
}
