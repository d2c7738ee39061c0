// One line in a unit test, of whatever framework.

namespace Ilcuda;

/// <summary>Assertions about kernels. They throw an <see cref="IlcudaException"/> with <see cref="Status.Different"/>, whose message names
/// the first difference: element, both values, both bit patterns.</summary>
public static class KernelAssert
{
    /// <summary>The kernel has CoreCLR's bits on that engine, for n elements and these arguments (<see cref="Kernel.Verify(Engine, long, object[])"/>).</summary>
    public static void SameBits(Kernel kernel, Engine engine, long n, params object?[] args) => SameBits(kernel, engine, [n], args);

    /// <summary>The same over extents in the order i, j, k.</summary>
    public static void SameBits(Kernel kernel, Engine engine, long[] extents, params object?[] args) =>
        MustBeSame((kernel ?? throw new ArgumentNullException(nameof(kernel))).Verify(new CompareOptions(), engine, extents, args).Difference);

    /// <summary>The method that the delegate calls has CoreCLR's bits on that engine.</summary>
    public static void SameBits(Delegate method, Engine engine, long n, params object?[] args)
    {
        if (engine == null)
            throw new ArgumentNullException(nameof(engine));
        SameBits(engine.Session.Translate(DelegateMethod.Of(method)), engine, n, args);
    }

    /// <summary>Two arrays hold the same numbers, bit by bit; any two NaNs are the same.</summary>
    public static void SameBits<T>(T[] expected, T[] actual) where T : unmanaged
    {
        if (expected == null || actual == null)
            throw new ArgumentNullException(expected == null ? nameof(expected) : nameof(actual));
        Storage storage = StorageOf<T>.Value;
        if (storage == Storage.Other)
            throw new ArgumentException($"arrays of numbers are compared, not of {typeof(T).Name}");
        if (expected.Length != actual.Length)
            MustBeSame($"there are {actual.Length} elements, {expected.Length} were expected");
        for (int k = 0; k < expected.Length; k++)
        {
            ulong here = Storages.BitsOf(storage, in expected[k]), there = Storages.BitsOf(storage, in actual[k]);
            if (!BitText.Same(storage, here, there, 0))
                MustBeSame($"element {k} is {BitText.Of(storage, there)}, {BitText.Of(storage, here)} was expected");
        }
    }

    private static void MustBeSame(string? difference)
    {
        if (difference != null)
            throw new IlcudaException(Status.Different, difference);
    }
}
