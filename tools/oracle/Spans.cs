// Spans are called with arrays: reflection cannot box them, so a method of its own makes them.

using System.Reflection;
using System.Reflection.Emit;

namespace Oracle;

internal static class Spans
{
    private static bool IsSpan(Type type) =>
        type.IsGenericType && (type.GetGenericTypeDefinition() == typeof(Span<>) || type.GetGenericTypeDefinition() == typeof(ReadOnlySpan<>));

    /// <summary>What a parameter of the type is given: for a span its array, null for none.</summary>
    public static Type Given(Type type) => IsSpan(type) ? type.GetGenericArguments()[0].MakeArrayType() : type;

    /// <summary>The method with arrays in place of spans; the method itself where it has none.</summary>
    public static MethodInfo WithArrays(MethodInfo method)
    {
        Type[] types = [.. method.GetParameters().Select(p => p.ParameterType)];
        if (!method.IsStatic || !types.Any(IsSpan))
            return method;
        var made = new DynamicMethod(method.Name, method.ReturnType, [.. types.Select(Given)], method.Module, true);
        ILGenerator il = made.GetILGenerator();
        for (int k = 0; k < types.Length; k++)
        {
            il.Emit(OpCodes.Ldarg, (short)k);
            if (IsSpan(types[k]))
                il.Emit(OpCodes.Newobj, types[k].GetConstructor([Given(types[k])])!);
        }
        il.Emit(OpCodes.Call, method);
        il.Emit(OpCodes.Ret);
        return made;
    }
}
