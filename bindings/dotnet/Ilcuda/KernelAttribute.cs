namespace Ilcuda;

/// <summary>Says that a method, or every static method of a class, is meant to become a kernel: the build then warns of what
/// could not (docs/dotnet.md). Any attribute of this name counts, so a library may have its own.</summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class | AttributeTargets.Struct)]
public sealed class KernelAttribute : Attribute
{
    /// <summary>The index is inferred from the parameters' names: i or row, j or col, k.</summary>
    public KernelAttribute()
    {
    }

    /// <param name="index">The index parameters, in the order i, j, k: "n", "y,x".</param>
    public KernelAttribute(string index) => Index = index;

    /// <summary>The index parameters, or null where they are inferred.</summary>
    public string? Index { get; }
}
