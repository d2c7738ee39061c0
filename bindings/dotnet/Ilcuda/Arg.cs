// The arguments of typed kernels.

using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>An argument of a typed kernel for a parameter of type <typeparamref name="T"/>: a value, an array of the program, or a
/// buffer with such elements. All of them become one by themselves. An element-wise kernel reads its scalars at each element, so
/// an array or buffer of <typeparamref name="T"/> is one, too.</summary>
/// <typeparam name="T">The type of the method's parameter.</typeparam>
public readonly struct Arg<T>
{
    internal readonly T Value;
    /// <summary>A buffer, or an array for a scalar that is read at each element; null: the value counts.</summary>
    internal readonly object? Given;

    private Arg(T value, object? given) => (Value, Given) = (value, given);

    internal static Arg<T> Of(DeviceBuffer buffer) => new(default!, buffer ?? throw new ArgumentNullException(nameof(buffer)));

    /// <summary>A number, a structure, or an array of the program.</summary>
    public static implicit operator Arg<T>(T value) => new(value, null);

    /// <summary>The values of a scalar, one for each element of an element-wise kernel.</summary>
    public static implicit operator Arg<T>(T[] values) => new(default!, values ?? throw new ArgumentNullException(nameof(values)));
}
