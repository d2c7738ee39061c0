// The VB compiler, as a library, over the assemblies of the running framework: no SDK is needed.

using System.Reflection.PortableExecutable;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Emit;
using Microsoft.CodeAnalysis.Text;
using Microsoft.CodeAnalysis.VisualBasic;
using Microsoft.CodeAnalysis.VisualBasic.Syntax;

namespace Vbs;

internal static class Compiler
{
    private const string NamespaceInScript = "BC36965", NotDeclared = "BC30451";
    private static readonly string[] Imported =
        ["System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Text", "Microsoft.VisualBasic"];

    /// <summary>The errors, none where <paramref name="program"/> was kept.</summary>
    public static IReadOnlyList<string> Compile(Script script, ScriptCache cache, out string? program)
    {
        program = null;
        var known = References(script).Select(path => (Path: path, Assembly: Mapped(path))).ToList();
        Task<VisualBasicCompilation> empty = Task.Run(() => Empty(cache, known.Select(k => k.Assembly.GetReference(filePath: k.Path)))); // while the script is parsed
        try
        {
            var layout = new Layout(script.Path, script.Text);
            Diagnostic[] wrong = Errors(layout.Tree.GetDiagnostics()).Where(d => d.Id != NamespaceInScript).ToArray();
            return wrong.Length > 0 ? Shown(wrong) : Compile(layout, cache, empty, out program);
        }
        finally
        {
            empty.Wait();
            known.ForEach(k => k.Assembly.Dispose());
        }
    }

    private static IReadOnlyList<string> Compile(Layout layout, ScriptCache cache, Task<VisualBasicCompilation> empty, out string? program)
    {
        program = null;
        // A function that uses the script's variables cannot be a method: it is a lambda then, until no other turns out to be one.
        var lambdas = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        while (true)
        {
            SyntaxTree tree = VisualBasicSyntaxTree.ParseText(SourceText.From(layout.Write(lambdas), Encoding.UTF8),
                new VisualBasicParseOptions(LanguageVersion.Latest, DocumentationMode.None), cache.AssemblyName + ".vb");
            using var image = new MemoryStream();
            EmitResult result = empty.Result.AddSyntaxTrees(tree).Emit(image, options: new EmitOptions(debugInformationFormat: DebugInformationFormat.Embedded));
            if (result.Success)
            {
                program = cache.Keep(image.ToArray());
                return [];
            }
            Diagnostic[] wrong = Errors(result.Diagnostics).ToArray();
            int known = lambdas.Count;
            lambdas.UnionWith(OfOuterNames(layout, wrong));
            if (lambdas.Count == known)
                return Shown(wrong);
        }
    }

    private static IEnumerable<Diagnostic> Errors(IEnumerable<Diagnostic> diagnostics) => diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error);

    /// <summary>The functions in which a name is not declared.</summary>
    private static IEnumerable<string> OfOuterNames(Layout layout, Diagnostic[] wrong)
    {
        int[] lines = wrong.Where(d => d.Id == NotDeclared).Select(d => d.Location.GetMappedLineSpan().StartLinePosition.Line).ToArray();
        return layout.Functions.Where(function =>
        {
            FileLinePositionSpan span = layout.Tree.GetLineSpan(function.Span);
            return lines.Any(line => line >= span.StartLinePosition.Line && line <= span.EndLinePosition.Line);
        }).Select(function => function.SubOrFunctionStatement.Identifier.ValueText);
    }

    /// <summary>The compilation of no source, its references bound to each other.</summary>
    private static VisualBasicCompilation Empty(ScriptCache cache, IEnumerable<MetadataReference> known)
    {
        var options = new VisualBasicCompilationOptions(OutputKind.ConsoleApplication, mainTypeName: Layout.Module,
            globalImports: GlobalImport.Parse(Imported), optionStrict: OptionStrict.Off, optionInfer: true,
            optimizationLevel: OptimizationLevel.Release, checkOverflow: true, deterministic: true);
        var empty = VisualBasicCompilation.Create(cache.AssemblyName, references: known, options: options);
        empty.GetSpecialType(SpecialType.System_Object);
        return empty;
    }

    /// <summary>The running framework, not what vbs itself consists of; then what the script includes.</summary>
    private static IEnumerable<string> References(Script script)
    {
        string framework = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        var known = (string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!;
        return known.Split(Path.PathSeparator).Where(path => Path.GetDirectoryName(path) == framework).Concat(script.Libraries);
    }

    /// <summary>Of the 80 MB of a framework only what the compiler looks at is read.</summary>
    private static AssemblyMetadata Mapped(string path) =>
        AssemblyMetadata.Create(ModuleMetadata.CreateFromStream(File.OpenRead(path), PEStreamOptions.Default));

    private static string[] Shown(Diagnostic[] wrong) => wrong
        .Select(d => (Line: d.Location.GetMappedLineSpan(), Diagnostic: d))
        .OrderBy(d => d.Line.StartLinePosition)
        .Select(d => $"{Place(d.Line)}error {d.Diagnostic.Id}: {d.Diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture)}")
        .Distinct().ToArray();

    /// <summary>What is wrong with an included file has no place in the script.</summary>
    private static string Place(FileLinePositionSpan line) =>
        string.IsNullOrEmpty(line.Path) ? "" : $"{line.Path}({line.StartLinePosition.Line + 1},{line.StartLinePosition.Character + 1}): ";
}
