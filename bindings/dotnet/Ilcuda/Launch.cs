// What a launch is given, and what it came to.

using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>How a launch is run.</summary>
public sealed class LaunchOptions
{
    /// <summary>The body with all checks, whatever the launch guard says.</summary>
    public bool CheckedBody { get; set; }
    /// <summary>16 elements are compared with the IL interpreter, once for each kernel text.</summary>
    public bool SelfCheck { get; set; } = true;
    /// <summary>Of the interpreters, for each element; 0: no limit.</summary>
    public long Fuel { get; set; }
    /// <summary>Of the CPU engine: waits for the compiler's code, as <see cref="EngineOptions.BestCode"/>.</summary>
    public bool BestCode { get; set; }
}

/// <summary>What a launch came to.</summary>
public readonly struct LaunchResult
{
    private readonly nint _entry;

    /// <summary>Of the clr engine.</summary>
    internal LaunchResult(Trap? trap, double seconds) => (Trap, Seconds) = (trap, seconds);

    internal LaunchResult(in CLaunchResult result)
    {
        Trap = result.Trapped != 0 ? new Trap(in result.Trap, result.Element) : null;
        _entry = result.Entry;
        Guarded = result.Guarded != 0;
        Cached = result.Cached != 0;
        Seconds = result.Seconds;
        Checked = (int)result.Checked;
        SelfChecked = result.SelfChecked != 0;
        FirstTier = result.FirstTier != 0;
    }

    /// <summary>The exception of the lowest element that failed; null where none did.</summary>
    public Trap? Trap { get; }
    /// <summary>The entry that ran, as "il_Gram_kernel"; null in interpreters.</summary>
    public string? Entry => Utf8.Text(_entry);
    /// <summary>The guard held: the body without the checks that it covers ran.</summary>
    public bool Guarded { get; }
    /// <summary>The compiled form came from the cache.</summary>
    public bool Cached { get; }
    /// <summary>On the device.</summary>
    public double Seconds { get; }
    /// <summary>Elements that this launch compared with the IL interpreter.</summary>
    public int Checked { get; }
    /// <summary>This kernel has agreed with the IL interpreter.</summary>
    public bool SelfChecked { get; }
    /// <summary>It began with code of tcc: the CPU's compiler was still at work.</summary>
    public bool FirstTier { get; }
}

/// <summary>One argument of a launch: a buffer, a scalar, or the null reference. Numbers and buffers become one by themselves;
/// a number must fit the parameter's type.</summary>
public readonly struct KernelArgument
{
    private readonly object? _object; // a buffer, or a boxed struct
    private readonly Storage _storage;
    private readonly ulong _bits;

    private KernelArgument(Storage storage, ulong bits) => (_storage, _bits) = (storage, bits);
    private KernelArgument(object value) => _object = value;

    /// <summary>The null reference.</summary>
    public static KernelArgument Null => default;

    /// <summary>A structure, by value.</summary>
    public static KernelArgument Struct<T>(T value) where T : unmanaged => new((object)value);

    /// <summary>Any other object, such as a String, for the clr engine; the other engines refuse it.</summary>
    public static KernelArgument Object(object value) => From(value, anyObject: true);

    /// <summary>An argument of that value: a buffer, a number, a structure or null.</summary>
    public static KernelArgument From(object? value) => From(value, anyObject: false);

    private static KernelArgument From(object? value, bool anyObject) => value switch
    {
        null => Null,
        KernelArgument argument => argument,
        DeviceBuffer buffer => buffer,
        _ => Storages.Of(value.GetType()) is var storage and not Storage.Other
            ? new KernelArgument(storage, Storages.Bits(storage, value is Enum ? Storages.Number(value) : value))
            : anyObject || value is ValueType ? new KernelArgument(value)
            : throw new ArgumentException($"a launch takes buffers and numbers, not {value.GetType()}: put it into a DeviceBuffer"),
    };

    /// <summary>What only the clr engine takes; null of anything else.</summary>
    internal object? Managed => _object is null or DeviceBuffer or ValueType ? null : _object;

    /// <summary>Its value, if it is a number.</summary>
    internal bool IsNumber(out CValue value)
    {
        value = new CValue { Storage = (int)_storage, Bits = _bits };
        return _object == null && _storage != Storage.Void;
    }

    internal CArgument ToNative(Kernel kernel, int slot, NativeMemory memory)
    {
        CArgument native = CArgument.At(slot);
        if (_object is DeviceBuffer buffer)
            native.Buffer = buffer.Native;
        else if (Managed != null)
            native.IsNull = 1; // Kernel.Run looks at it
        else if (_object != null)
            native.Value = CallValues.Struct(_object, kernel.Method, slot, memory);
        else if (_storage == Storage.Void)
            native.IsNull = 1;
        else
            native.Value = new CValue { Storage = (int)_storage, Bits = _bits };
        return native;
    }

    /// <summary>A buffer; null is the null reference.</summary>
    public static implicit operator KernelArgument(DeviceBuffer? buffer) => buffer == null ? Null : new KernelArgument((object)buffer);
    /// <summary>A value of that type.</summary>
    public static implicit operator KernelArgument(bool value) => new(Storage.Boolean, Storages.RawBits(value));
    /// <summary>A value of that type.</summary>
    public static implicit operator KernelArgument(char value) => new(Storage.Char, value);
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(sbyte value) => new(Storage.SByte, (ulong)value);
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(byte value) => new(Storage.Byte, value);
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(short value) => new(Storage.Int16, (ulong)value);
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(ushort value) => new(Storage.UInt16, value);
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(int value) => new(Storage.Int32, (ulong)value);
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(uint value) => new(Storage.UInt32, value);
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(long value) => new(Storage.Int64, (ulong)value);
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(ulong value) => new(Storage.UInt64, value);
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(nint value) => new(Storage.IntPtr, (ulong)value);
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(nuint value) => new(Storage.UIntPtr, value);
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(float value) => new(Storage.Single, Storages.RawBits(value));
    /// <summary>A number of that type.</summary>
    public static implicit operator KernelArgument(double value) => new(Storage.Double, Storages.RawBits(value));
}
