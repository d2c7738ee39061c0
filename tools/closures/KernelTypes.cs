// Which types a kernel can have, and how types and methods are named (docs/cli.md).

using System.Reflection;

namespace Closures;

internal static class KernelTypes
{
    private static readonly Dictionary<Type, bool> Known = [];

    /// <summary>Primitives, enums, structs of these without arrays, pointers, by-refs, spans, and arrays of all of them.</summary>
    public static bool IsKernel(Type type)
    {
        if (type.IsByRef || type.IsPointer || type.IsArray)
            return type.GetElementType() is { } element && (element == typeof(void) || IsKernel(element));
        if (type.IsPrimitive || type.IsEnum)
            return true;
        if (!type.IsValueType || type == typeof(void) || type.ContainsGenericParameters || IsVector(type) || type == typeof(TypedReference))
            return false;
        if (Known.TryGetValue(type, out bool known))
            return known;
        if (IsSpan(type))
            return Known[type] = IsKernel(type.GetGenericArguments()[0]);
        Known[type] = true; // a struct may hold pointers to itself
        const BindingFlags fields = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        return Known[type] = type.GetFields(fields).All(field => !field.FieldType.IsArray && IsKernel(field.FieldType));
    }

    public static bool IsSpan(Type type) =>
        type.IsGenericType && type.Namespace == "System" && type.Name is "Span`1" or "ReadOnlySpan`1" or "Memory`1" or "ReadOnlyMemory`1";

    public static bool IsVector(Type type) =>
        type.Namespace == "System.Runtime.Intrinsics" || (type.Namespace == "System.Numerics" && type.Name == "Vector`1");

    public static string Name(Type type)
    {
        if (type.IsArray)
            return Name(type.GetElementType()!) + "[" + new string(',', type.GetArrayRank() - 1) + "]";
        if (type.IsByRef)
            return Name(type.GetElementType()!) + "&";
        if (type.IsPointer)
            return Name(type.GetElementType()!) + "*";
        string name = type.Namespace == "System" && !type.IsNested ? type.Name : type.FullName ?? type.Name;
        if (!type.IsGenericType)
            return name;
        if (name.Contains('['))
            name = name[..name.IndexOf('[')];
        return name[..name.IndexOf('`')] + "<" + string.Join(",", type.GetGenericArguments().Select(Name)) + ">";
    }

    public static string Display(MethodBase method) =>
        $"{method.DeclaringType?.FullName}.{method.Name}({string.Join(",", method.GetParameters().Select(p => Name(p.ParameterType)))})";
}
