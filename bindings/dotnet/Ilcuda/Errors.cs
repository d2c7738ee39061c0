// What goes wrong, as exceptions.

using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>What a call of the library came to (include/ilcuda/status.def).</summary>
public enum Status
{
    /// <summary>Done.</summary>
    Ok,
    /// <summary>The answer is no: a difference was found.</summary>
    Different,
    /// <summary>An argument was not usable.</summary>
    Invalid,
    /// <summary>No such method, parameter or kernel.</summary>
    NotFound,
    /// <summary>The name fits more than one method.</summary>
    Ambiguous,
    /// <summary>A file could not be read or written.</summary>
    IO,
    /// <summary>The input is not what it should be.</summary>
    Format,
    /// <summary>The method cannot become a kernel.</summary>
    Unsupported,
    /// <summary>The engine asked for is not available.</summary>
    NoEngine,
    /// <summary>The device or its driver failed.</summary>
    Device,
    /// <summary>The kernel trapped.</summary>
    Trap,
    /// <summary>The C or CUDA compiler failed.</summary>
    Compiler,
    /// <summary>A time, fuel or size limit was reached.</summary>
    Limit,
    /// <summary>Out of memory.</summary>
    OutOfMemory,
    /// <summary>A fault of ilcuda itself.</summary>
    Internal,
}

/// <summary>A failure of the library; the message is its own line, in plain words.</summary>
public class IlcudaException : Exception
{
    /// <summary>A failure with this status and message.</summary>
    public IlcudaException(Status status, string message) : base(message) => Status = status;

    internal unsafe IlcudaException(in CDiagnostic diagnostic) : base(Utf8.Text(diagnostic.Text))
    {
        Status = (Status)diagnostic.Status;
        Reason = Utf8.Text(diagnostic.Reason);
        Method = Utf8.Text(diagnostic.Method);
        SourceFile = Utf8.Text(diagnostic.Source);
        Line = (int)diagnostic.Line;
        IlOffset = diagnostic.HasIl != 0 ? (int)diagnostic.Il : -1;
    }

    /// <summary>The same again, to be thrown anew.</summary>
    internal IlcudaException(IlcudaException other) : base(other.Message) =>
        (Status, Reason, Method, SourceFile, Line, IlOffset) = (other.Status, other.Reason, other.Method, other.SourceFile, other.Line, other.IlOffset);

    /// <summary>What kind of failure.</summary>
    public Status Status { get; }
    /// <summary>The message without its place; null where there is none.</summary>
    public string? Reason { get; }
    /// <summary>The method that it is about, as "Stats.RowSum"; null where it is about none.</summary>
    public string? Method { get; }
    /// <summary>The source file, from the debug information; null where it is not known.</summary>
    public string? SourceFile { get; }
    /// <summary>The source line; 0 where it is not known.</summary>
    public int Line { get; }
    /// <summary>The IL offset in the method; -1 where there is none.</summary>
    public int IlOffset { get; } = -1;
}

/// <summary>The native library is not there, or is not the right one. The message names the runtime identifier, the places that
/// were tried, and what mends it.</summary>
public sealed class NativeLibraryException : IlcudaException
{
    internal NativeLibraryException(string message) : base(Status.IO, message)
    {
    }
}
