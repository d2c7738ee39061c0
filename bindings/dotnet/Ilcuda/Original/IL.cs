// The names under which the original's syntax tree, writer and interpreter are known.

using Ilcuda;

namespace Microsoft.VisualBasic.ApplicationServices.Development.VisualStudio.IL;

/// <summary>A method's syntax tree, decompiled from its IL.</summary>
public sealed class MethodSyntax
{
    internal MethodSyntax(Kernel kernel) => Kernel = kernel;

    internal Kernel Kernel { get; }
    /// <summary>The method's name.</summary>
    public string Name => Kernel.Method.Name;
    /// <summary>Its parameters.</summary>
    public IReadOnlyList<IlParameter> Parameters => Kernel.Method.Parameters;

    /// <summary>The pseudo-code.</summary>
    public override string ToString() => SyntaxWriter.WriteMethod(this);
}

/// <summary>Prints syntax trees.</summary>
public static class SyntaxWriter
{
    /// <summary>The tree as VB pseudo-code.</summary>
    public static string WriteMethod(MethodSyntax syntax) =>
        (syntax ?? throw new ArgumentNullException(nameof(syntax))).Kernel.Text(KernelText.Vb);
}

/// <summary>Runs syntax trees, without any compiler.</summary>
public sealed class AstInterpreter
{
    private readonly MethodSyntax _syntax;

    /// <summary>An interpreter of this tree.</summary>
    public AstInterpreter(MethodSyntax syntax) => _syntax = syntax ?? throw new ArgumentNullException(nameof(syntax));

    /// <summary>Calls the method with arguments in the order of its parameters; arrays are changed in place. An exception of the
    /// method is thrown as itself.</summary>
    public object? Invoke(params object?[] args) => _syntax.Kernel.Method.Invoke(Interpreter.Tree, args);
}
