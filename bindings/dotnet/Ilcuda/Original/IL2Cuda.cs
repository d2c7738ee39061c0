// The names under which the original's translator is known.

using System.Reflection;
using Ilcuda;
using Microsoft.VisualBasic.ApplicationServices.Development.VisualStudio.IL;
using Microsoft.VisualBasic.Computing.ILCuda.Runtime;

namespace Microsoft.VisualBasic.Computing.ILCuda.IL2Cuda;

/// <summary>Makes kernels of methods.</summary>
public static class IlCudaTranslator
{
    /// <summary>The method as a kernel.</summary>
    /// <exception cref="IlcudaException">It cannot become one; the message says why, and where.</exception>
    public static IlCudaKernel Translate(MethodInfo method) => new(Session.Default.Translate(method));
}

/// <summary>A method as a CUDA kernel.</summary>
public sealed class IlCudaKernel
{
    internal IlCudaKernel(Kernel kernel)
    {
        Core = kernel;
        Syntax = new MethodSyntax(kernel);
    }

    /// <summary>The same in namespace Ilcuda.</summary>
    public Kernel Core { get; }
    /// <summary>How elements get their index; an element-wise kernel has one of one dimension.</summary>
    public IndexMode IndexMode => Core.Mode == IndexMode.ElementWise ? IndexMode.Grid1D : Core.Mode;
    /// <summary>"il_Gram_scalar".</summary>
    public string DeviceFunctionName => Core.DeviceFunctionName;
    /// <summary>"il_Gram_kernel".</summary>
    public string Name => Core.Name;
    /// <summary>The CUDA C.</summary>
    public string Source => Core.Text(KernelText.Cuda);
    /// <summary>The syntax tree.</summary>
    public MethodSyntax Syntax { get; }

    /// <summary>Adds it to <see cref="KernelSources"/>: an engine that is made afterwards compiles it at once.</summary>
    /// <exception cref="InvalidOperationException">Another kernel has its name.</exception>
    public void Register() => KernelSources.Add(this);

    /// <summary>Runs it and waits.</summary>
    /// <param name="engine">Where.</param>
    /// <param name="plan">Blocks and threads, which must be enough; the engine chooses its own.</param>
    /// <param name="args">As the CUDA kernel has them: the parameters that are no index, the results, the extents.</param>
    /// <remarks>An exception of an element is thrown as itself, with element and line in its message.</remarks>
    public void Launch(CudaEngine engine, LaunchPlan plan, params object?[] args)
    {
        if (engine == null)
            throw new ArgumentNullException(nameof(engine));
        if (args == null)
            throw new ArgumentNullException(nameof(args));
        int count = Core.ArgumentCount, dims = Core.Dimensions;
        if (args.Length != count + dims)
            throw new ArgumentException($"{Name} takes {count} arguments and {dims} extents, not {args.Length} in all");
        var extents = new long[dims];
        for (int k = 0; k < dims; k++)
            extents[k] = Extent(args[count + k], k);
        plan.MustCover(extents);
        Core.Launch(engine.Core, extents, args.Take(count).Select(KernelArgument.From).ToArray());
    }

    private long Extent(object? given, int dim) => given switch
    {
        int value => value,
        long value => value,
        uint value => value,
        short value => value,
        byte value => value,
        _ => throw new ArgumentException($"{Name}: extent {dim + 1} must be a number, not {given?.GetType().Name ?? "Nothing"}"),
    };

    /// <summary>"il_Gram_kernel [Grid2D] &lt;- Stats.Gram".</summary>
    public override string ToString() => Core.ToString();
}
