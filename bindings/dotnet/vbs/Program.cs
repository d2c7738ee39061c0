// vbs SCRIPT.vb [ARG...]: compiles a VB script, or takes it from the cache, and runs it. Standard output is the script's own.

using System.Reflection;
using System.Text;

namespace Vbs;

internal static class Program
{
    private const int Failed = 1, Usage = 2, Unreadable = 3;

    private static int Main(string[] args)
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        bool check = args.FirstOrDefault() == "--check";
        if (check)
            args = args[1..];
        if (args.Length == 0 || args[0] is "-h" or "--help" || (args[0].StartsWith('-') && args[0] != "-"))
            return Help(args);
        Script script;
        try
        {
            script = Script.Read(args[0]);
        }
        catch (ScriptException e)
        {
            Console.Error.WriteLine(e.Message);
            return Unreadable;
        }
        var cache = new ScriptCache(script);
        string? program = check ? null : cache.Find();
        if (program == null)
        {
            // The compiler is loaded by this call, and only by it.
            IReadOnlyList<string> errors = Compiler.Compile(script, cache, out program);
            foreach (string error in errors)
                Console.Error.WriteLine(error);
            if (program == null)
                return Failed;
        }
        return check ? 0 : Run(program, script, args[1..]);
    }

    private static int Help(string[] args)
    {
        bool asked = args.FirstOrDefault() is "-h" or "--help";
        (asked ? Console.Out : Console.Error).WriteLine("""
            vbs SCRIPT.vb [ARG...]          runs a VB script; its arguments are in `args`
            vbs --check SCRIPT.vb           compiles it and says what is wrong

            A script holds statements, functions, types, Imports and Option lines in any order. Lines
                #include "My.dll"
            before the first statement name assemblies, beside the script or beside vbs, or packages ("nuget:NAME/VERSION"). System, System.Collections.Generic,
            System.IO, System.Linq, System.Text and Microsoft.VisualBasic are imported; Option Strict is Off unless the script says
            otherwise. Functions and types can become kernels (#include "Ilcuda.dll"); docs/dotnet.md has more.
            """);
        return asked ? 0 : Usage;
    }

    private static int Run(string program, Script script, string[] args)
    {
        Library.Resolve(script);
        var main = Assembly.LoadFrom(program).EntryPoint!.CreateDelegate<Action<string[]>>();
        try
        {
            main(args);
            return Environment.ExitCode;
        }
        catch (Exception e)
        {
            Console.Out.Flush();
            Console.Error.WriteLine(Shown(e));
            return Failed;
        }
    }

    /// <summary>The exception with the script's own frames.</summary>
    private static string Shown(Exception e)
    {
        string text = e.ToString();
        int host = text.LastIndexOf("\n   at Vbs.Program.", StringComparison.Ordinal);
        return host < 0 ? text : text[..host];
    }
}
