// The VB compiler, as a library, over the assemblies of the running framework: no SDK is needed.

using System.Collections.Immutable;
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
        var layout = new Layout(script.Path, script.Text);
        Diagnostic[] wrong = layout.Tree.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error && d.Id != NamespaceInScript).ToArray();
        if (wrong.Length > 0)
            return Shown(wrong);
        // A function that uses the script's variables cannot be a method: it is a lambda then, until no other turns out to be one.
        var lambdas = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        while (true)
        {
            VisualBasicCompilation compilation = Made(script, cache, layout.Write(lambdas));
            using var image = new MemoryStream();
            EmitResult result = compilation.Emit(image, options: new EmitOptions(debugInformationFormat: DebugInformationFormat.Embedded));
            if (result.Success)
            {
                program = cache.Keep(image.ToArray());
                return [];
            }
            wrong = result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error).ToArray();
            int known = lambdas.Count;
            lambdas.UnionWith(OfOuterNames(layout, wrong));
            if (lambdas.Count == known)
                return Shown(wrong);
        }
    }

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

    private static VisualBasicCompilation Made(Script script, ScriptCache cache, string program)
    {
        SyntaxTree tree = VisualBasicSyntaxTree.ParseText(SourceText.From(program, Encoding.UTF8),
            new VisualBasicParseOptions(LanguageVersion.Latest, DocumentationMode.None), cache.AssemblyName + ".vb");
        var options = new VisualBasicCompilationOptions(OutputKind.ConsoleApplication, mainTypeName: Layout.Module,
            globalImports: GlobalImport.Parse(Imported), optionStrict: OptionStrict.Off, optionInfer: true,
            optimizationLevel: OptimizationLevel.Release, checkOverflow: true, deterministic: true);
        return VisualBasicCompilation.Create(cache.AssemblyName, [tree], References(script), options);
    }

    /// <summary>The running framework, not what vbs itself consists of; then what the script includes.</summary>
    private static IEnumerable<MetadataReference> References(Script script)
    {
        string framework = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        var known = (string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!;
        return known.Split(Path.PathSeparator).Where(path => Path.GetDirectoryName(path) == framework).Concat(script.Libraries)
            .Select(path => MetadataReference.CreateFromFile(path));
    }

    private static string[] Shown(Diagnostic[] wrong) => wrong
        .Select(d => (Line: d.Location.GetMappedLineSpan(), Diagnostic: d))
        .OrderBy(d => d.Line.StartLinePosition)
        .Select(d => $"{d.Line.Path}({d.Line.StartLinePosition.Line + 1},{d.Line.StartLinePosition.Character + 1}): error {d.Diagnostic.Id}: {d.Diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture)}")
        .Distinct().ToArray();
}
