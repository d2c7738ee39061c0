// NuGet packages that scripts include: `dotnet restore` of a project made for it finds them and what they need, once; where their files
// lie is kept beside the compiled scripts. Only a restore needs the SDK.

using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Security;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Vbs;

/// <summary>The files of packages: assemblies, and folders with native libraries.</summary>
internal sealed record PackageFiles(IReadOnlyList<string> Assemblies, IReadOnlyList<string> Natives);

internal static partial class Packages
{
    public const string Prefix = "nuget:";

    [GeneratedRegex(@"^[\w.-]+/[\w.+-]+$")]
    private static partial Regex Whole { get; }

    /// <summary>Of packages as "NAME/VERSION", all of a script at once, so that their dependencies agree.</summary>
    /// <param name="names">In the order of the script.</param>
    /// <param name="folder">The script's: a nuget.config there or above says where packages come from.</param>
    /// <exception cref="ScriptException">They cannot be had; the message has no place.</exception>
    public static PackageFiles Find(IReadOnlyList<string> names, string folder)
    {
        if (names.FirstOrDefault(name => !Whole.IsMatch(name)) is { } unclear)
            throw new ScriptException($"{Prefix}{unclear}: a package is named with its version, {Prefix}NAME/VERSION");
        string key = string.Join("\n", names.Append(folder).Append(Environment.Version.ToString()));
        string place = Path.Combine(ScriptCache.Root, "packages", Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)), 0, 10));
        string assets = Path.Combine(place, "obj", "project.assets.json");
        if (Known(assets) is { } known)
            return known;
        Restore(names, folder, place);
        return Known(assets) ?? throw new ScriptException($"{Prefix}{names[0]}: `dotnet restore` found no files for it");
    }

    private static void Restore(IReadOnlyList<string> names, string folder, string place)
    {
        Directory.CreateDirectory(place);
        var project = new StringBuilder();
        project.Append($"""
            <Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net{Environment.Version.Major}.0</TargetFramework>
            <DisableImplicitFrameworkReferences>true</DisableImplicitFrameworkReferences><RestoreRootConfigDirectory>{SecurityElement.Escape(folder)}</RestoreRootConfigDirectory>
            </PropertyGroup><ItemGroup>
            """);
        foreach (string[] name in names.Select(name => name.Split('/')))
            project.Append($"""<PackageReference Include="{name[0]}" Version="[{name[1]}]" />""");
        project.Append("</ItemGroup></Project>\n");
        string file = Path.Combine(place, "packages.csproj");
        File.WriteAllText(file, project.ToString());
        var start = new ProcessStartInfo("dotnet", ["restore", file, "-nologo", "-v:q", "-tl:off"]) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["DOTNET_CLI_TELEMETRY_OPTOUT"] = start.Environment["DOTNET_NOLOGO"] = "1";
        string said;
        int exit;
        try
        {
            using Process process = Process.Start(start)!;
            Task<string> errors = process.StandardError.ReadToEndAsync();
            said = process.StandardOutput.ReadToEnd() + errors.Result;
            process.WaitForExit();
            exit = process.ExitCode;
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            throw new ScriptException($"{Prefix}{names[0]}: packages are found by `dotnet restore`, which did not start: {e.Message}");
        }
        if (exit != 0)
            throw new ScriptException($"{Prefix}{names[0]}: `dotnet restore`: {Reason(said)}");
    }

    /// <summary>The first error that it printed, without the project's path.</summary>
    private static string Reason(string said)
    {
        string line = said.Split('\n').FirstOrDefault(text => text.Contains("error", StringComparison.OrdinalIgnoreCase)) ?? said;
        Match error = Regex.Match(line, @"error (NU\d+: .*?)( \[[^\]]*\])?\s*$");
        return error.Success ? error.Groups[1].Value : line.Trim();
    }

    /// <summary>What a restore wrote; null where there is none, or a file of it is gone.</summary>
    private static PackageFiles? Known(string assets)
    {
        if (!File.Exists(assets))
            return null;
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(assets));
        JsonElement root = document.RootElement;
        string[] folders = root.GetProperty("packageFolders").EnumerateObject().Select(folder => folder.Name).ToArray();
        List<string> assemblies = [], natives = [];
        foreach (JsonProperty package in root.GetProperty("targets").EnumerateObject().First().Value.EnumerateObject())
        {
            string path = root.GetProperty("libraries").GetProperty(package.Name).GetProperty("path").GetString()!;
            foreach ((string file, bool native) in Files(package.Value))
            {
                if (folders.Select(folder => Path.Combine(folder, path, file)).FirstOrDefault(File.Exists) is not { } found)
                    return null;
                if (native)
                    natives.Add(Path.GetDirectoryName(found)!);
                else
                    assemblies.Add(found);
            }
        }
        return new PackageFiles(assemblies, natives.Distinct().ToArray());
    }

    private static IEnumerable<(string File, bool Native)> Files(JsonElement package)
    {
        var own = new Dictionary<string, string>(); // assemblies for this system, by file name
        foreach (JsonProperty file in Of(package, "runtimeTargets").Where(file => IsOfThisSystem(file.Value.GetProperty("rid").GetString()!)))
        {
            if (file.Value.GetProperty("assetType").GetString() == "native")
                yield return (file.Name, true);
            else
                own[Path.GetFileName(file.Name)] = file.Name;
        }
        foreach (JsonProperty file in Of(package, "runtime").Where(file => file.Name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)))
            yield return (own.GetValueOrDefault(Path.GetFileName(file.Name), file.Name), false);
    }

    private static IEnumerable<JsonProperty> Of(JsonElement package, string kind) =>
        package.TryGetProperty(kind, out JsonElement files) ? files.EnumerateObject() : [];

    private static bool IsOfThisSystem(string rid) =>
        rid == RuntimeInformation.RuntimeIdentifier || rid == (OperatingSystem.IsWindows() ? "win" : OperatingSystem.IsLinux() ? "linux" : "osx") || rid == "unix" && !OperatingSystem.IsWindows();
}
