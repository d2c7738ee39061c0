// An exception that left a method, on whatever engine, and the .NET exception that it stands for.

using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;
using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>An exception that a method raised in a kernel or an interpreter, and where.</summary>
public sealed class Trap
{
    private const string Key = "ilcuda.trap";
    private readonly long[]? _indices;

    internal Trap(in CTrap trap, long element = -1)
    {
        Exception = Utf8.Text(trap.Exception)!;
        Message = Utf8.Text(trap.Message) ?? "";
        Method = Utf8.Text(trap.Method) ?? "";
        SourceFile = Utf8.Text(trap.File);
        Line = (int)trap.Line;
        IlOffset = (int)trap.Il;
        Element = element;
    }

    /// <summary>Of an exception that the method itself has thrown.</summary>
    internal Trap(Exception exception, MethodBase method, long element)
    {
        var trace = new StackTrace(exception, fNeedFileInfo: true);
        StackFrame? frame = null;
        for (int k = trace.FrameCount - 1; k >= 0; k--)
        {
            if (MethodOf(trace.GetFrame(k)!)?.Module == method.Module)
                frame = trace.GetFrame(k);
        }
        MethodBase raised = frame == null ? method : MethodOf(frame)!;
        Exception = exception.GetType().FullName!;
        Message = exception.Message;
        Method = $"{raised.DeclaringType?.FullName}.{raised.Name}";
        SourceFile = frame?.GetFileName();
        Line = frame?.GetFileLineNumber() ?? 0;
        IlOffset = Math.Max(frame?.GetILOffset() ?? 0, 0);
        Element = element;
    }

#if MODERN
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A frame that is not known is passed over.")]
#endif
    private static MethodBase? MethodOf(StackFrame frame) => frame.GetMethod();

    /// <summary>The exception's type, as "System.OverflowException".</summary>
    public string Exception { get; }
    /// <summary>.NET's own text.</summary>
    public string Message { get; }
    /// <summary>The method that raised it, as "Stats.Dot".</summary>
    public string Method { get; }
    /// <summary>The source file; null without debug information.</summary>
    public string? SourceFile { get; }
    /// <summary>The source line; 0 without debug information.</summary>
    public int Line { get; }
    /// <summary>The IL offset in the method.</summary>
    public int IlOffset { get; }
    /// <summary>The lowest element that failed, its row-major number; of <see cref="Gpu"/>'s For its index; -1 of a single call.</summary>
    public long Element { get; }

    /// <summary>Which trap an exception of this library stands for; null of any other exception.</summary>
    public static Trap? Of(Exception exception) =>
        (exception ?? throw new ArgumentNullException(nameof(exception))).Data[Key] as Trap;

    /// <summary>"Stats.Dot, element 17, Stats.vb:34"</summary>
    private string Where
    {
        get
        {
            string where = Method;
            if (_indices is { Length: > 1 })
                where += $", element ({string.Join(", ", _indices)})";
            else if (Element >= 0 || _indices != null)
                where += ", element " + Element.ToString(CultureInfo.InvariantCulture);
            return Line == 0
                ? $"{where}, IL_{IlOffset:x4}"
                : $"{where}, {Path.GetFileName(SourceFile?.Replace('\\', '/'))}:{Line.ToString(CultureInfo.InvariantCulture)}";
        }
    }

    private Trap(Trap other, long[] indices)
    {
        (Exception, Message, Method, SourceFile, Line, IlOffset) = (other.Exception, other.Message, other.Method, other.SourceFile, other.Line, other.IlOffset);
        Element = indices.Length == 1 ? indices[0] : other.Element;
        _indices = indices;
    }

    /// <summary>The same with the indices that the body of a loop saw: of one it is the element, several are only printed.</summary>
    internal Trap At(long[] indices) => new(this, indices);

    /// <summary>What it says, and where: the message of the exception.</summary>
    public override string ToString() => $"{Message} ({Where})";

    /// <summary>The exception that it stands for, as CoreCLR would have thrown it, with element and line in its message. One that
    /// this library does not know becomes an <see cref="IlcudaException"/>.</summary>
    public Exception ToException()
    {
        string text = ToString();
        Exception made = Exception switch
        {
            "System.OverflowException" => new OverflowException(text),
            "System.IndexOutOfRangeException" => new IndexOutOfRangeException(text),
            "System.NullReferenceException" => new NullReferenceException(text),
            "System.DivideByZeroException" => new DivideByZeroException(text),
            "System.ArithmeticException" => new ArithmeticException(text),
            "System.NotFiniteNumberException" => new NotFiniteNumberException(text),
            "System.ArgumentNullException" => new ArgumentNullException(null, text),
            "System.ArgumentOutOfRangeException" => new ArgumentOutOfRangeException(null, text),
            "System.ArgumentException" => new ArgumentException(text),
            "System.InvalidOperationException" => new InvalidOperationException(text),
            "System.InvalidCastException" => new InvalidCastException(text),
            "System.NotSupportedException" => new NotSupportedException(text),
            "System.NotImplementedException" => new NotImplementedException(text),
            "System.FormatException" => new FormatException(text),
            "System.RankException" => new RankException(text),
            "System.ArrayTypeMismatchException" => new ArrayTypeMismatchException(text),
            "System.OutOfMemoryException" => new OutOfMemoryException(text),
            "System.InsufficientExecutionStackException" => new InsufficientExecutionStackException(text),
            "System.ApplicationException" => new ApplicationException(text),
            "System.TimeoutException" => new TimeoutException(text),
            "System.Exception" => new Exception(text),
#if MODERN
            "System.Runtime.CompilerServices.SwitchExpressionException" => new System.Runtime.CompilerServices.SwitchExpressionException(text),
#endif
            "System.Collections.Generic.KeyNotFoundException" => new KeyNotFoundException(text),
            _ => new IlcudaException(Status.Trap, $"{Exception}: {text}"),
        };
        made.Data[Key] = this;
        return made;
    }
}
