// A script as a VB program: types stand in the file, functions in a module, statements in its Main. Every piece of the script
// is in #ExternalSource, so that errors, traps and stack traces have the script's own lines.

using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;
using Microsoft.CodeAnalysis.VisualBasic;
using Microsoft.CodeAnalysis.VisualBasic.Syntax;

namespace Vbs;

internal sealed class Layout
{
    public const string Module = "Script";

    private readonly string _path;
    private readonly SourceText _source;
    private readonly string _text; // directives and what they disable are blank
    private readonly CompilationUnitSyntax _root;

    public Layout(string path, string text)
    {
        _path = path;
        Tree = VisualBasicSyntaxTree.ParseText(text, new VisualBasicParseOptions(LanguageVersion.Latest, DocumentationMode.None, SourceCodeKind.Script), path);
        _source = Tree.GetText();
        _root = (CompilationUnitSyntax)Tree.GetRoot();
        _text = WithoutDirectives(text);
    }

    public SyntaxTree Tree { get; }

    private string WithoutDirectives(string text)
    {
        char[] chars = text.ToCharArray();
        foreach (SyntaxTrivia trivia in _root.DescendantTrivia().Where(t => t.IsDirective || t.IsKind(SyntaxKind.DisabledTextTrivia)))
        {
            for (int k = trivia.FullSpan.Start; k < trivia.FullSpan.End; k++)
            {
                if (chars[k] is not ('\n' or '\r'))
                    chars[k] = ' ';
            }
        }
        return new string(chars);
    }

    private enum Place
    {
        File,
        Module,
        Main,
    }

    private static Place Of(StatementSyntax member) => member switch
    {
        TypeBlockSyntax or EnumBlockSyntax or NamespaceBlockSyntax or DelegateStatementSyntax => Place.File,
        MethodBlockBaseSyntax or PropertyBlockSyntax or PropertyStatementSyntax or EventBlockSyntax or EventStatementSyntax or DeclareStatementSyntax => Place.Module,
        FieldDeclarationSyntax field => field.Modifiers.Any(IsAccess) ? Place.Module : Place.Main,
        _ => Place.Main,
    };

    private static bool IsAccess(SyntaxToken modifier) =>
        modifier.Kind() is SyntaxKind.PublicKeyword or SyntaxKind.PrivateKeyword or SyntaxKind.FriendKeyword or SyntaxKind.SharedKeyword;

    /// <summary>The names of the script's own functions.</summary>
    public IEnumerable<MethodBlockSyntax> Functions => _root.Members.OfType<MethodBlockSyntax>();

    /// <summary>The program. Functions whose name is in <paramref name="lambdas"/> stand in Main where the script has them, so that they see
    /// the variables before them.</summary>
    public string Write(IReadOnlySet<string> lambdas)
    {
        var program = new StringBuilder();
        if (_root.Options.Count > 0)
            Slice(program, Span(_root.Options.First(), _root.Options.Last()));
        if (_root.Imports.Count > 0)
            Slice(program, Span(_root.Imports.First(), _root.Imports.Last()));
        foreach (StatementSyntax member in _root.Members.Where(m => Of(m) == Place.File))
            Slice(program, member.FullSpan);
        program.Append("Friend Module ").Append(Module).Append('\n');
        foreach (StatementSyntax member in _root.Members.Where(m => Of(m) == Place.Module && !IsLambda(m, lambdas)))
            Slice(program, member.FullSpan);
        program.Append("Friend Sub Main(args As System.String())\n");
        WriteMain(program, lambdas);
        program.Append("End Sub\nEnd Module\n");
        return program.ToString();
    }

    private static bool IsLambda(StatementSyntax member, IReadOnlySet<string> lambdas) =>
        member is MethodBlockSyntax method && lambdas.Contains(method.SubOrFunctionStatement.Identifier.ValueText);

    private void WriteMain(StringBuilder program, IReadOnlySet<string> lambdas)
    {
        StatementSyntax? first = null, last = null;
        foreach (StatementSyntax member in _root.Members)
        {
            if (Of(member) == Place.Main)
            {
                first ??= member;
                last = member;
                continue;
            }
            WriteRun(program, first, last);
            first = last = null;
            if (IsLambda(member, lambdas))
                WriteLambda(program, (MethodBlockSyntax)member);
        }
        WriteRun(program, first, last);
    }

    private void WriteRun(StringBuilder program, StatementSyntax? first, StatementSyntax? last)
    {
        if (first != null)
            Slice(program, Span(first, last!));
    }

    private static TextSpan Span(SyntaxNode first, SyntaxNode last) => TextSpan.FromBounds(first.FullSpan.Start, last.FullSpan.End);

    /// <summary>"Function F(x As Integer) As Integer" as "Dim F = Function(x As Integer) As Integer", on its own line.</summary>
    private void WriteLambda(StringBuilder program, MethodBlockSyntax method)
    {
        MethodStatementSyntax head = method.SubOrFunctionStatement;
        int afterName = head.Identifier.Span.End;
        Begin(program, head.SpanStart);
        program.Append("Dim ").Append(head.Identifier.Text).Append(" = ").Append(head.DeclarationKeyword.Text)
            .Append(_text, afterName, method.FullSpan.End - afterName);
        End(program);
    }

    private void Slice(StringBuilder program, TextSpan span)
    {
        if (string.IsNullOrWhiteSpace(_text.Substring(span.Start, span.Length)))
            return;
        Begin(program, span.Start);
        program.Append(' ', _source.Lines.GetLinePosition(span.Start).Character);
        program.Append(_text, span.Start, span.Length);
        End(program);
    }

    private void Begin(StringBuilder program, int position) => program.Append("#ExternalSource(\"").Append(_path.Replace("\"", "\"\""))
        .Append("\", ").Append(_source.Lines.GetLinePosition(position).Line + 1).Append(")\n");

    private static void End(StringBuilder program) => program.Append("\n#End ExternalSource\n");
}
