// Kernels whose arguments the compiler checks.

using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Ilcuda;

/// <summary>A kernel of a method with the signature of a delegate, Action or Func. <see cref="TypedRuns"/> has its Run, RunAsync and
/// Launch, which take what the method takes: in the place of an index its extent, and of an array of a scalar that an element-wise
/// kernel reads at each element the array.</summary>
/// <typeparam name="TDelegate">Action(Of ...) or Func(Of ...), with the method's parameters.</typeparam>
public sealed class Kernel<TDelegate> where TDelegate : Delegate
{
    internal Kernel(Kernel untyped) => Untyped = untyped;

    /// <summary>The same kernel with arguments that are checked when it runs: its text, launches over buffers, comparisons.</summary>
    public Kernel Untyped { get; }

    /// <summary>The kernel, where one is wanted that takes any arguments.</summary>
    public static implicit operator Kernel(Kernel<TDelegate> kernel) => (kernel ?? throw new ArgumentNullException(nameof(kernel))).Untyped;

    /// <summary>"il_Gram_kernel [Grid2D] &lt;- Stats.Gram".</summary>
    public override string ToString() => Untyped.ToString();
}

/// <summary>Which method a delegate calls.</summary>
internal static class DelegateMethod
{
    private const byte Nop = 0x00, Ldarg0 = 0x02, Stloc0 = 0x0A, Ldloc0 = 0x06, Ret = 0x2A, LdargS = 0x0E, Call = 0x28, BrS = 0x2B;

    public static MethodBase Of(Delegate from)
    {
        if (from == null)
            throw new ArgumentNullException(nameof(from));
        if (from.GetInvocationList().Length != 1)
            throw new IlcudaException(Status.Invalid, "a kernel is made of one method, not of a delegate that calls several");
        MethodInfo method = from.Method;
        return PassedOn(method) ?? method;
    }

    /// <summary>The static method to which this one passes its parameters on, all of them in order, and nothing else: what compilers
    /// make of a method where a delegate of another type is wanted (F# always, VB where it converts).</summary>
#if MODERN
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Where there is no IL, the delegate's own method is taken.")]
#endif
    private static MethodBase? PassedOn(MethodInfo method)
    {
        byte[]? il = method.DeclaringType == null ? null : method.GetMethodBody()?.GetILAsByteArray();
        if (il == null)
            return null;
        int at = 0, first = method.IsStatic ? 0 : 1, count = method.GetParameters().Length;
        Skip(il, ref at, Nop);
        for (int k = first; k < first + count; k++)
        {
            if (k <= 3 && at < il.Length && il[at] == Ldarg0 + k)
                at++;
            else if (at + 1 < il.Length && il[at] == LdargS && il[at + 1] == k)
                at += 2;
            else
                return null;
        }
        if (at + 1 < il.Length && il[at] == 0xFE && il[at + 1] == 0x14) // tail.
            at += 2;
        if (at + 5 > il.Length || il[at] != Call)
            return null;
        int token = il[at + 1] | il[at + 2] << 8 | il[at + 3] << 16 | il[at + 4] << 24;
        at += 5;
        Skip(il, ref at, Nop);
        if (at + 4 <= il.Length && il[at] == Stloc0 && il[at + 1] == BrS && il[at + 2] == 0 && il[at + 3] == 0)
            at += 4;
        Skip(il, ref at, Ldloc0);
        if (at != il.Length - 1 || il[at] != Ret)
            return null;
        MethodBase? called = method.Module.ResolveMethod(token, method.DeclaringType?.GetGenericArguments(), method.IsGenericMethod ? method.GetGenericArguments() : null);
        return called is MethodInfo { IsStatic: true } target && target.ReturnType == method.ReturnType && SameTypes(target, method) ? target : null;
    }

    private static void Skip(byte[] il, ref int at, byte instruction)
    {
        while (at < il.Length && il[at] == instruction)
            at++;
    }

    private static bool SameTypes(MethodInfo a, MethodInfo b) =>
        a.GetParameters().Select(param => param.ParameterType).SequenceEqual(b.GetParameters().Select(param => param.ParameterType));
}
