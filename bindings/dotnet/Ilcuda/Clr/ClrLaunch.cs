// A launch on the clr engine. Its buffers are those of the IL interpreter; each launch copies them to arrays of the program's own
// types, runs the method for each element, and copies back.

using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Ilcuda.Interop;

namespace Ilcuda;

internal static unsafe class ClrLaunch
{
    /// <summary>Inside the session.</summary>
    public static LaunchResult Run(Kernel kernel, Engine engine, ReadOnlySpan<long> extents, ReadOnlySpan<CArgument> args, ReadOnlySpan<object?> objects, CancellationToken token)
    {
        OriginalMethod original = kernel.Original;
        if (kernel.Refusal == null)
            Check(kernel, engine, extents, args);
        else
            CheckExtents(kernel, extents);
        long total = 1;
        foreach (long extent in extents)
            total = checked(total * extent);
        var arrays = new Dictionary<nint, Array>();
        var arguments = new object?[original.Types.Length];
        var given = new bool[arguments.Length];
        for (int k = 0; k < args.Length; k++)
        {
            int parameter = (int)args[k].Number;
            if (args[k].Place != CArgument.ForParameter)
                continue;
            arguments[parameter] = objects[k] ?? Argument(kernel, parameter, in args[k], total, arrays);
            given[parameter] = true;
        }
        CheckGiven(kernel, given, arguments);
        Array? result = original.NewResult(total);
        if (kernel.Refusal != null)
            CheckResults(kernel, args, total);
        var watch = Stopwatch.StartNew();
        LowestFailure failure = original.Run(arguments, result, extents.ToArray(), total, kernel.Refusal == null ? engine.Threads : 1, token);
        double seconds = watch.Elapsed.TotalSeconds;
        foreach (KeyValuePair<nint, Array> array in arrays)
            Write(kernel, array.Key, array.Value);
        if (result != null)
            WriteResults(kernel, args, result);
        return new LaunchResult(failure.Exception == null ? null : new Trap(failure.Exception, original.Method, failure.Element), seconds);
    }

    // --- what is refused ---

    /// <summary>All engines refuse the same: the IL interpreter is asked, which then stops after its first instruction.</summary>
    private static void Check(Kernel kernel, Engine engine, ReadOnlySpan<long> extents, ReadOnlySpan<CArgument> args)
    {
        CLaunchResult unused;
        var options = new CLaunchOptions { Size = (nuint)sizeof(CLaunchOptions), Fuel = 1 };
        int status;
        fixed (CArgument* arguments = args)
        fixed (long* sizes = extents)
            status = Api.ilc_launch(&unused, engine.Native, kernel.Native, arguments, (nuint)args.Length, sizes, (nuint)extents.Length, &options);
        if (status is (int)Status.Limit or (int)Status.Trap)
            kernel.Session.ClearDiagnostics();
        else
            kernel.Session.Check(status);
    }

    private static IlcudaException Refused(Kernel kernel, string why) => new(Status.Invalid, $"{kernel.Method.FullName}: {why}");

    private static void CheckExtents(Kernel kernel, ReadOnlySpan<long> extents)
    {
        if (kernel.Dimensions == 0)
            throw new IlcudaException(Status.Unsupported, $"{kernel.Method.FullName} has no index parameter: give one with KernelOptions.Index");
        if (extents.Length != kernel.Dimensions)
            throw Refused(kernel, $"takes {kernel.Dimensions} extents, not {extents.Length}");
        foreach (long extent in extents)
        {
            if (extent is < 0 or > int.MaxValue)
                throw Refused(kernel, $"extent {extent} is not between 0 and {int.MaxValue}");
        }
    }

    private static void CheckGiven(Kernel kernel, bool[] given, object?[] arguments)
    {
        for (int k = 0; k < given.Length; k++)
        {
            IlParameter param = kernel.Method.Described[k];
            Type type = kernel.Original.Types[k];
            if (kernel.IndexOf(k) >= 0)
                continue;
            if (!given[k])
                throw Refused(kernel, $"argument {param.Name} is missing");
            if (kernel.IsElementWise(k) ? arguments[k] == null : arguments[k] is { } value ? !type.IsInstanceOfType(value) && kernel.Refusal != null : type.IsValueType)
                throw Refused(kernel, $"argument {param.Name} must be {param.Type}, not {arguments[k]?.GetType().Name ?? "null"}");
        }
    }

    private static void CheckResults(Kernel kernel, ReadOnlySpan<CArgument> args, long total)
    {
        int found = 0;
        long* dims = stackalloc long[3];
        foreach (ref readonly CArgument arg in args)
        {
            if (arg.Place == CArgument.ForParameter)
                continue;
            found++;
            if (arg.Buffer == 0 || ElementOf(arg.Buffer) != Storage(kernel, (int)arg.Number))
                throw Refused(kernel, $"il_out must be a buffer of {Storage(kernel, (int)arg.Number)}");
            if (Api.ilc_buffer_shape(arg.Buffer, dims) != 1 || dims[0] < total)
                throw Refused(kernel, $"il_out holds {dims[0]} elements, the launch has {total}");
        }
        if (found != kernel.ResultCount)
            throw Refused(kernel, "argument il_out is missing");
        if (kernel.ResultCount == 1 && Storage(kernel, 0) == Ilcuda.Storage.Other)
            throw new IlcudaException(Status.Unsupported, $"{kernel.Method.FullName} gives a {kernel.Original.Method.ReturnType}, which no buffer holds");
    }

    private static Storage ElementOf(nint buffer) => (Storage)Api.ilc_buffer_elem(buffer);

    private static Storage Storage(Kernel kernel, int output) =>
        kernel.Method.Result == Ilcuda.Storage.Struct ? kernel.Outputs[output].Storage : kernel.Method.Result;

    // --- arguments ---

    private static object? Argument(Kernel kernel, int parameter, in CArgument arg, long total, Dictionary<nint, Array> arrays)
    {
        IlParameter param = kernel.Method.Described[parameter];
        if (arg.Buffer != 0)
            return arrays.TryGetValue(arg.Buffer, out Array? known) ? known : arrays[arg.Buffer] = Read(kernel, parameter, arg.Buffer, total);
        return arg.IsNull != 0 ? null : Scalar(kernel, param, kernel.Original.Types[parameter], in arg.Value);
    }

    /// <summary>A value of a parameter's type.</summary>
    public static object Scalar(Kernel kernel, IlParameter param, Type type, in CValue value)
    {
        if (type.IsArray || kernel.IsElementWise(Array.IndexOf(kernel.Method.Described, param)))
            throw Refused(kernel, $"argument {param.Name} must be a buffer");
        if (value.Storage == (int)Ilcuda.Storage.Struct)
            return CallValues.FromBytes(type, (void*)value.Bits);
        Storage wanted = Storages.Of(type);
        if (!Storages.TryConvert((Storage)value.Storage, value.Bits, wanted, out ulong bits))
            throw Refused(kernel, $"argument {param.Name} does not fit {param.Type}");
        object boxed = Storages.Box(wanted, bits);
        return type.IsEnum ? Enum.ToObject(type, boxed) : boxed;
    }

#if MODERN
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "A native program has no IL, so no kernel.")]
#endif
    private static Array Read(Kernel kernel, int parameter, nint buffer, long total)
    {
        IlParameter param = kernel.Method.Described[parameter];
        Type type = kernel.Original.Types[parameter];
        Type element = kernel.Original.ElementOf(parameter) ?? throw Refused(kernel, $"argument {param.Name} must be one {param.Type}, not an array");
        nint layout = Api.ilc_buffer_struct(buffer);
        Storage storage = Storages.Of(element);
        if (layout != 0 ? storage != Ilcuda.Storage.Other || CallValues.SizeOf(element) != Api.ilc_struct_size(layout) : storage != ElementOf(buffer))
            throw Refused(kernel, $"argument {param.Name} is an array of {(layout != 0 ? Utf8.Text(Api.ilc_struct_name(layout)) : ElementOf(buffer).ToString())}, {element.Name} was expected");
        long* dims = stackalloc long[3];
        int rank = (int)Api.ilc_buffer_shape(buffer, dims), wanted = type.IsArray ? type.GetArrayRank() : 1;
        if (wanted == 1)
        {
            for (int k = 1; k < rank; k++)
                dims[0] *= dims[k];
        }
        else if (rank != wanted)
        {
            throw Refused(kernel, $"argument {param.Name} has {rank} dimensions, {param.Type} was expected");
        }
        if (kernel.IsElementWise(parameter) && dims[0] < total)
            throw Refused(kernel, $"argument {param.Name} holds {dims[0]} elements, the launch has {total}");
        var lengths = new int[wanted];
        for (int k = 0; k < wanted; k++)
            lengths[k] = (int)dims[k];
        Array array = Array.CreateInstance(element, lengths);
        fixed (byte* pinned = &CallValues.Start(array))
            kernel.Session.Check(Api.ilc_buffer_read(buffer, 0, CallValues.Data(array), array.Length));
        return array;
    }

    // --- results ---

    private static void Write(Kernel kernel, nint buffer, Array array)
    {
        fixed (byte* pinned = &CallValues.Start(array))
            kernel.Session.Check(Api.ilc_buffer_write(buffer, 0, CallValues.Data(array), array.Length));
    }

    private static void WriteResults(Kernel kernel, ReadOnlySpan<CArgument> args, Array result)
    {
        foreach (ref readonly CArgument arg in args)
        {
            if (arg.Place == CArgument.ForParameter)
                continue;
            if (kernel.Method.Result == Ilcuda.Storage.Struct)
                WriteOutput(kernel, arg.Buffer, result, kernel.Outputs[(int)arg.Number]);
            else
                Write(kernel, arg.Buffer, result);
        }
    }

    /// <summary>One number of each structure.</summary>
    private static void WriteOutput(Kernel kernel, nint buffer, Array result, KernelOutput output)
    {
        long apart = CallValues.SizeOf(result.GetType().GetElementType()!);
        int size = Storages.Size(output.Storage);
        byte[] numbers = new byte[result.LongLength * size];
        fixed (byte* pinned = &CallValues.Start(result), to = numbers)
        {
            byte* from = (byte*)CallValues.Data(result) + output.Offset;
            for (long e = 0; e < result.LongLength; e++)
                Buffer.MemoryCopy(from + e * apart, to + e * size, size, size);
            kernel.Session.Check(Api.ilc_buffer_write(buffer, 0, to, result.LongLength));
        }
    }
}
