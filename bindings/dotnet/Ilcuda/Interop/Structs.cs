// The C structures, field for field (include/ilcuda/*.h). All are blittable: bools are bytes, strings pointers.

using System.Runtime.InteropServices;

namespace Ilcuda.Interop;

[StructLayout(LayoutKind.Sequential)]
internal struct CDiagnostic
{
    public int Status;
    public nint Text, Reason, Path, Method, Source;
    public uint Line, Il;
    public byte HasIl;
    public uint Column;
    public nint Id;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CAssemblyOptions
{
    public nuint Size;
    public nint References;
    public nuint ReferenceCount;
    public nint Sources;
    public nuint SourceCount;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CParam
{
    public nint Name, Type;
    public int Storage;
    public nint Layout;
    public byte IsArray, IsPointer, IsByRef;
    public int Index;
    public uint Rank, Nested;
    public int Innermost;
    public byte IsSpan;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CField
{
    public nint Name;
    public uint Offset;
    public int Storage;
    public nint Layout;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CCaptured
{
    public nint Name, Type, Assembly;
    public uint Token;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CSupport
{
    public byte Supported, HasMode, Interpreted;
    public int Mode;
    public uint LoopDepth;
    public CDiagnostic Refusal;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CKernelOptions
{
    public nuint Size;
    public nint Mode;
    public byte Checks;
    public nint Index, Scalars;
    public byte LineDirectives;
    public nint Schedule;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CLine
{
    public uint Line;
    public nint Method;
    public uint IlOffset;
    public nint File;
    public uint Source;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CEntryParam
{
    public int Kind;
    public nint Name;
    public int Storage;
    public uint Param, Dim;
    public byte Written;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CEngineOptions
{
    public nuint Size;
    public int Kind;
    public nint CpuCompiler, CudaCompiler, Optimise;
    public int Device;
    public uint Threads;
    public nint CacheDir, CudaPath, Arch;
    public byte CompileOnly, NoCompile, BestCode;
    public nint CudaContext, CudaStream, DeviceAlloc, DeviceFree, DeviceUser;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CEngineParts
{
    public nint Device, Driver, Compiler, Form, Arch, Path;
}

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct CArray
{
    public int Elem;
    public long Length;
    public void* Data;
    public nint Layout;
    public uint Rank;
    public fixed long Dims[3];
}

[StructLayout(LayoutKind.Sequential)]
internal struct CValue
{
    public int Storage;
    public byte IsArray, IsByRef;
    public ulong Bits; // or a pointer: CArray*, or a struct's bytes
    public nint Layout;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CTrap
{
    public nint Exception, Message, Method;
    public uint Il, Line;
    public nint File;
}

[StructLayout(LayoutKind.Sequential)]
internal struct COutcome
{
    public byte Trapped;
    public CValue Ret;
    public CTrap Trap;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CCallOptions
{
    public nuint Size;
    public nint Engine;
    public ulong Fuel;
    public nint Trace, TraceUser;
    public byte HostLibm;
    public int Body;
    public byte Unchecked;
    public nint Mode;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CArgument
{
    public nint Name, Buffer;
    public byte IsNull;
    public CValue Value;
    public int Place;
    public uint Number;

    public const int ForParameter = 1, ForResult = 2; // ILC_ARGUMENT_NUMBER, ILC_ARGUMENT_RESULT

    /// <summary>For a parameter by its number, or, where that is ~k, for result k.</summary>
    public static CArgument At(int slot) => new()
    {
        Place = slot < 0 ? ForResult : ForParameter,
        Number = (uint)(slot < 0 ? ~slot : slot),
    };
}

[StructLayout(LayoutKind.Sequential)]
internal struct CLaunchOptions
{
    public nuint Size;
    public int Body;
    public byte SelfCheck;
    public ulong Fuel;
    public byte BestCode;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CLaunchResult
{
    public byte Trapped;
    public CTrap Trap;
    public long Element;
    public nint Entry;
    public byte Guarded, Cached;
    public double Seconds;
    public uint Checked;
    public byte SelfChecked, FirstTier;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CCheckOptions
{
    public nuint Size;
    public nint Engines;
    public nuint EngineCount;
    public uint Rounds;
    public ulong Seed, Fuel;
    public nint Index;
    public byte HostLibm;
    public nint Mode, Schedule;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CDeviation
{
    public ulong Values;
    public double Absolute, Relative;
    public ulong Ulps, Unlike;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CCheckResult
{
    public uint Rounds;
    public ulong Elements, Trapped, Limited, Unpromised;
    public CDeviation Deviation;
    public byte Different;
    public nint Engine, What, Expected, Actual, Arguments;
    public long Element;
    public uint Line;
    public nint Source;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CFinding
{
    public nint Subject, Detail, Command;
    public byte Ok;
}

[StructLayout(LayoutKind.Sequential)]
internal struct CProbeResult
{
    public uint Count;
    public nint Findings;
    public byte CudaWorks, CpuWorks;
}
