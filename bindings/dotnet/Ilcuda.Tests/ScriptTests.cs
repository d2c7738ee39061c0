// vbs: what scripts may hold, what errors say, what the cache does.

using System.IO.Compression;
using Xunit;

namespace Ilcuda.Tests;

public sealed class ScriptTests : IDisposable
{
    private static readonly string Vbs = Path.Combine(Place.Root, "build", "dotnet", "vbs", "net10.0", "vbs.dll");
    private readonly string _folder = Directory.CreateTempSubdirectory("ilcuda-vbs-").FullName;

    public void Dispose() => Directory.Delete(_folder, true);

    private string Script(string text)
    {
        string path = Path.Combine(_folder, "script.vb");
        File.WriteAllText(path, text);
        return path;
    }

    /// <summary>With a cache of its own; kernels are kept in it, too.</summary>
    private Ran RunFile(string path, params string[] args) =>
        Ran.Program(Vbs, [path, .. args], ("XDG_CACHE_HOME", Path.Combine(_folder, "cache")), ("ILCUDA_ENGINE", "cpu"), ("NUGET_PACKAGES", Path.Combine(_folder, "packages")));

    private string Prints(string text, params string[] args)
    {
        Ran ran = RunFile(Script(text), args);
        Assert.Equal("", ran.Error);
        Assert.Equal(0, ran.Exit);
        return ran.Output;
    }

    private string[] Fails(string text)
    {
        Ran ran = RunFile(Script(text));
        Assert.Equal((1, ""), (ran.Exit, ran.Output));
        return ran.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    [Fact]
    public void Statements_functions_and_types_stand_in_any_order()
    {
        Assert.Equal("6 24 3 Red 2 x y 7\n", Prints("""
            ' lower case, no Sub Main, no Imports of what everybody needs
            dim factor = 2
            #region "the middle"
            dim numbers as new List(Of Integer) from {1, 2, 3}
            #end region
            #if false then
            this is not VB
            #end if
            function Scaled(x as integer) as integer
                return x * factor
            end function
            enum Colour : Red : Green : end enum
            console.Write(Scaled(3) & " " & Factorial(4)) : console.Write(" " & numbers.Count)
            function Factorial(n as integer) as integer
                return if(n < 2, 1, n * Factorial(n - 1))
            end function
            dim p as new Point with {.X = 2}
            public class Point
                public property X as integer
            end class
            console.Write(" " & Colour.Red.ToString() & " " & p.X & " " & string.Join(" ", args))
            module Helper
                public function Seven() as integer
                    return 7
                end function
            end module
            console.WriteLine(" " & Seven())
            return
            console.WriteLine("never")
            """, "x", "y"));
    }

    [Fact]
    public void Strict_is_off_unless_the_script_says_otherwise()
    {
        const string text = "dim o as object = 3\ndim n as integer = o\nconsole.WriteLine(n + 1)\n";
        Assert.Equal("4\n", Prints(text));
        Assert.Contains("script.vb(3,20): error BC30512", Fails("option strict on\n" + text)[0]);
    }

    [Fact]
    public void Errors_have_the_scripts_own_lines()
    {
        string[] wrong = Fails("\n\nif true then\n  console.WriteLine(1\nend if\n");
        Assert.StartsWith(Path.Combine(_folder, "script.vb") + "(4,", wrong[0]);
        Assert.Contains("script.vb(4,25): error BC30451: 'missing' is not declared", Assert.Single(Fails("class C\nend class\ndim a = 1\n  console.WriteLine(a + missing)\n")));
        Assert.Contains("script.vb(3,12): error BC30451: 'a' is not declared", Assert.Single(Fails("class C\n  function F()\n    return a\n  end function\nend class\ndim a = 1\n")));
        Assert.Contains("script.vb(1): error: Missing.dll is neither beside the script nor beside vbs", RunFile(Script("#include \"Missing.dll\"\n")).Error);
        File.WriteAllText(Path.Combine(_folder, "Bad.dll"), "no assembly");
        Assert.StartsWith("error BC31519: '" + Path.Combine(_folder, "Bad.dll"), Assert.Single(Fails("#include \"Bad.dll\"\nconsole.WriteLine(1)\n")));
        Ran none = RunFile(Path.Combine(_folder, "none.vb"));
        Assert.Equal((3, 1), (none.Exit, none.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length));
    }

    [Fact]
    public void Exceptions_have_the_scripts_own_lines_and_frames()
    {
        string[] lines = Fails("\nfunction Half(a as integer()) as integer\n\n  return a(3) \\ 2\nend function\nhalf({1, 2})\n");
        Assert.Equal("System.IndexOutOfRangeException: Index was outside the bounds of the array.", lines[0]);
        Assert.Contains("script.vb:line 4", lines[1]);
        Assert.Contains("script.vb:line 6", lines[2]);
        Assert.Equal(3, lines.Length);
    }

    [Fact]
    public void A_function_of_the_script_is_a_kernel_and_traps_with_its_line()
    {
        Ran ran = RunFile(Script("""
            #include "Ilcuda.dll"
            Imports Ilcuda
            function Inverse(a as integer) as integer
                return 100 \ a
            end function
            dim f as Func(Of Integer, Integer) = AddressOf Inverse
            dim k = Session.Default.Translate(f.Method)
            using e = Engine.Create(EngineKind.Tree)
                dim y = e.CreateBuffer(Of Integer)(2)
                k.Launch(e, 2, e.Upload(5, 4), y)
                console.WriteLine(string.Join(" ", y.Read()))
                k.Launch(e, 2, e.Upload(5, 0), y)
            end using
            """));
        Assert.Equal("20 25\n", ran.Output);
        Assert.StartsWith("System.DivideByZeroException: Attempted to divide by zero. (Script.Inverse, element 1, script.vb:4)\n", ran.Error);
    }

    [Fact]
    public void A_compiled_script_is_kept_until_it_changes()
    {
        string compiled = Path.Combine(_folder, "cache", "ilcuda", "vbs");
        Assert.Equal("1\n", Prints("console.WriteLine(1)"));
        Assert.Equal("1\n", Prints("console.WriteLine(1)"));
        Assert.Single(Directory.GetDirectories(compiled));
        Assert.Equal("2\n", Prints("console.WriteLine(2)"));
        Assert.Equal(2, Directory.GetDirectories(compiled).Length);
        // The second run needs no compiler.
        Assert.Equal("0\n", Prints("console.WriteLine(AppDomain.CurrentDomain.GetAssemblies().Where(function(a) a.FullName.StartsWith(\"Microsoft.CodeAnalysis\")).Count() * args.Length)"));
        Assert.Equal("0\n", Prints("console.WriteLine(AppDomain.CurrentDomain.GetAssemblies().Where(function(a) a.FullName.StartsWith(\"Microsoft.CodeAnalysis\")).Count() * args.Length)", "x"));
    }

    [Fact]
    public void Included_assemblies_are_found_beside_the_script()
    {
        File.Copy(typeof(Consumer.Stats).Assembly.Location, Path.Combine(_folder, "Mine.dll"));
        Assert.Equal("5 #include \"None.dll\"\n", Prints(""""
            #include "Mine.dll"
            imports Consumer
            dim text = "
            #include ""None.dll"""
            console.WriteLine(Stats.Ratio(10, 2) & " " & text.Split(vbLf)(1))
            """"));
    }

    private const string Nuspec = "<package><metadata><id>Mine</id><version>1.2.0</version><authors>me</authors><description>x</description></metadata></package>";

    [Fact]
    public void Packages_are_included_by_name_and_version()
    {
        string feed = Directory.CreateDirectory(Path.Combine(_folder, "feed")).FullName;
        using (var package = ZipFile.Open(Path.Combine(feed, "Mine.1.2.0.nupkg"), ZipArchiveMode.Create))
        {
            using (var nuspec = new StreamWriter(package.CreateEntry("Mine.nuspec").Open()))
                nuspec.Write(Nuspec);
            package.CreateEntryFromFile(typeof(Consumer.Stats).Assembly.Location, "lib/net10.0/Mine.dll");
        }
        File.WriteAllText(Path.Combine(_folder, "nuget.config"), $"<configuration><packageSources><clear /><add key=\"feed\" value=\"{feed}\" /></packageSources></configuration>");
        const string text = "#include \"nuget:Mine/1.2.0\"\nimports Consumer\nconsole.WriteLine(Stats.Ratio(10, 2))\n";
        Assert.Equal("5\n", Prints(text));
        Directory.Delete(feed, true); // the second run looks nowhere
        Assert.Equal("5\n", Prints(text));
        Ran ran = RunFile(Script("\n#include \"nuget:Mine/9.9.9\"\n"));
        Assert.Equal((3, 1), (ran.Exit, ran.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length));
        Assert.Contains("script.vb(2): error: nuget:Mine/9.9.9: `dotnet restore`: NU", ran.Error);
        Assert.Contains("script.vb(1): error: nuget:Mine: a package is named with its version, nuget:NAME/VERSION", RunFile(Script("#include \"nuget:Mine\"\n")).Error);
    }

    [Fact]
    public void The_tutorial_of_the_examples_is_right_on_the_CPU()
    {
        Ran ran = RunFile(Path.Combine(Place.Root, "examples", "vbs", "tutorial.vb"), "64", "100");
        Assert.Equal(("", 0), (ran.Error, ran.Exit));
        Assert.EndsWith("All steps are right.\n", ran.Output);
        Assert.Contains("il_Correlation_kernel [Grid2D] <- Rows.Correlation", ran.Output);
        Assert.Contains("(Rows.Sum, element 64, tutorial.vb:", ran.Output);
    }

    private static readonly string Original = Path.Combine(Place.Root, "..", "shared", "seed", "cuda.vb");

    /// <summary>The original's own script cannot be in the repository; where it lies beside, it runs untouched.</summary>
    [Fact]
    public void The_originals_script_runs_to_its_last_line()
    {
        Assert.SkipUnless(File.Exists(Original), "the original's script is not here");
        Ran ran = RunFile(Original);
        Assert.Equal(("", 0), (ran.Error, ran.Exit));
        string[] lines = ran.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        string[] page = File.ReadAllLines(Path.Combine(Place.Root, "..", "shared", "seed", "stdout.txt")).Where(line => line.Length > 0).ToArray();
        Assert.Equal(page[^1], lines[^1]);
        Assert.DoesNotContain("FAIL", ran.Output);
        // Titles, registrations, self-checks and both previews are the page's own lines.
        foreach (string line in page.Where(line => line.StartsWith("  已", StringComparison.Ordinal) || line.Contains("解释求值自检", StringComparison.Ordinal)
            || (line.StartsWith("    ", StringComparison.Ordinal) && line.TrimStart() is [>= '0' and <= '9' or '-', ..])))
            Assert.Contains(line, lines);
    }

    [Fact]
    public void Without_a_GPU_the_script_takes_its_own_way()
    {
        Assert.SkipUnless(File.Exists(Original), "the original's script is not here");
        Assert.SkipWhen(Machine.Probe().CudaWorks, "a GPU works here");
        Ran ran = Ran.Program(Vbs, [Original], ("XDG_CACHE_HOME", Path.Combine(_folder, "cache")));
        Assert.Equal(("", 0), (ran.Error, ran.Exit));
        string[] lines = ran.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Contains(lines, line => line.StartsWith("  GPU 不可用: the CUDA ", StringComparison.Ordinal));
        Assert.Contains("  建议: the CPU engine works here, with the same bits", lines);
        Assert.Contains("  >> 已回退 CPU 参考实现, 下面只给出 CPU 结果。", lines);
        Assert.Equal("教程全部步骤通过。", lines[^1]);
    }
}
