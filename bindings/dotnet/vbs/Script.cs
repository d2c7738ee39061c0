// A script as it is written: its text, and the assemblies that it includes.

using System.Text;
using System.Text.RegularExpressions;

namespace Vbs;

/// <summary>A script that cannot be run; the message is one line, with its place.</summary>
internal sealed class ScriptException(string message) : Exception(message);

internal sealed partial class Script
{
    private Script(string path, string text, IReadOnlyList<string> libraries, IReadOnlyList<string> natives) =>
        (Path, Text, Libraries, Natives) = (path, text, libraries, natives);

    /// <summary>The whole path: what errors and stack traces show.</summary>
    public string Path { get; }
    /// <summary>The text, #include lines blank.</summary>
    public string Text { get; }
    /// <summary>Files of the included assemblies, each once.</summary>
    public IReadOnlyList<string> Libraries { get; }
    /// <summary>Folders with native libraries of included packages.</summary>
    public IReadOnlyList<string> Natives { get; }

    [GeneratedRegex("""^\s*#include\s+"([^"]+)"\s*('.*)?$""", RegexOptions.IgnoreCase)]
    private static partial Regex Include { get; }

    /// <summary>What may stand before or between #include lines: no statement, so no text over several lines.</summary>
    [GeneratedRegex(@"^\s*('|REM\b|Imports\b|Option\b|#|$)", RegexOptions.IgnoreCase)]
    private static partial Regex Head { get; }

    public static Script Read(string path)
    {
        string full = System.IO.Path.GetFullPath(path);
        string text;
        try
        {
            text = File.ReadAllText(full);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ScriptException($"{path}: {(e is FileNotFoundException or DirectoryNotFoundException ? "there is no such file" : e.Message)}");
        }
        string folder = System.IO.Path.GetDirectoryName(full)!;
        var libraries = new List<string>();
        var packages = new List<string>();
        var rest = new StringBuilder(text.Length);
        bool head = true;
        int number = 0, firstPackage = 0;
        foreach (string line in text.Split('\n'))
        {
            number++;
            Match include = head ? Include.Match(line.TrimEnd('\r')) : Match.Empty;
            head &= include.Success || Head.IsMatch(line);
            if (number > 1)
                rest.Append('\n');
            if (!include.Success)
            {
                rest.Append(line);
                continue;
            }
            string name = include.Groups[1].Value;
            if (name.StartsWith(Packages.Prefix, StringComparison.OrdinalIgnoreCase))
            {
                firstPackage = firstPackage == 0 ? number : firstPackage;
                packages.Add(name[Packages.Prefix.Length..].Trim());
                continue;
            }
            string library = Library.Find(name, folder)
                ?? throw new ScriptException($"{full}({number}): error: {name} is neither beside the script nor beside vbs");
            if (!libraries.Contains(library))
                libraries.Add(library);
        }
        var natives = new List<string>();
        if (packages.Count > 0)
        {
            try
            {
                PackageFiles files = Packages.Find(packages, folder);
                libraries.AddRange(files.Assemblies.Except(libraries));
                natives.AddRange(files.Natives);
            }
            catch (ScriptException e)
            {
                throw new ScriptException($"{full}({firstPackage}): error: {e.Message}");
            }
        }
        return new Script(full, rest.ToString(), libraries, natives);
    }
}
