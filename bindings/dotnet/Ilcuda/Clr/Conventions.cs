// How a method that was not translated gets its index: the same conventions (docs/semantics.md, Kernels), from its signature alone.

namespace Ilcuda;

internal static class Conventions
{
    private static readonly string[][] Names = [["i", "row"], ["j", "col"], ["k"]];

    /// <summary>The numbers of the parameters that are the index i, j, k.</summary>
    public static int[] Index(IlMethod method, string? asked)
    {
        IlParameter[] parameters = method.Described;
        if (asked != null)
            return asked.Split(',').Select(name => Named(method, [name.Trim()]) is var k and >= 0 ? k
                : throw new IlcudaException(Status.Invalid, $"{method.FullName} has no parameter {name.Trim()} that can be an index")).ToArray();
        int[] inferred = Dimensions(dim => Array.FindIndex(parameters, param => param.Index == dim));
        return inferred.Length > 0 ? inferred : Dimensions(dim => Named(method, Names[dim]));
    }

    private static int[] Dimensions(Func<int, int> find) => Enumerable.Range(0, Names.Length).Select(find).TakeWhile(k => k >= 0).ToArray();

    private static int Named(IlMethod method, string[] names) => Array.FindIndex(method.Described, param =>
        !param.IsArray && !param.IsByRef && param.Storage is >= Storage.SByte and <= Storage.UIntPtr && names.Contains(param.Name, StringComparer.OrdinalIgnoreCase));

    public static bool IsElementWise(IlMethod method) => method.Support.Mode == IndexMode.ElementWise;
}
