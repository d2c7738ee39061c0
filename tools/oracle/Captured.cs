// What a request says of the fields of `this`: "fields" names them, "outer.weight", and the last arguments are their values.

using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;

namespace Oracle;

internal static class Captured
{
    /// <summary>The way to each field, in the request's order.</summary>
    public static FieldInfo[][] Fields(MethodInfo method, JsonElement request)
    {
        if (!request.TryGetProperty("fields", out JsonElement names))
            return method.IsStatic || method.DeclaringType!.IsValueType ? [] : throw new BadRequest("fields is missing for an instance method");
        if (method.IsStatic || names.ValueKind != JsonValueKind.Array)
            throw new BadRequest("fields are those of an instance method");
        return names.EnumerateArray().Select(name => Way(method.DeclaringType!, name.GetString() ?? "")).ToArray();
    }

    /// <summary>What a request gives: a struct that the method is called on, by reference, the arguments, arrays for spans, and the fields.</summary>
    public static Type[] Types(MethodInfo method, FieldInfo[][] fields) =>
    [
        .. !method.IsStatic && method.DeclaringType!.IsValueType ? [method.DeclaringType.MakeByRefType()] : Type.EmptyTypes,
        .. method.GetParameters().Select(p => Spans.Given(p.ParameterType)), .. fields.Select(way => way[^1].FieldType),
    ];

    /// <summary>The object that the method is called on; null for a static one.</summary>
    public static object? Object(MethodInfo method, FieldInfo[][] fields, ReadOnlySpan<object?> values)
    {
        if (method.IsStatic)
            return null;
        object target = RuntimeHelpers.GetUninitializedObject(method.DeclaringType!);
        for (int k = 0; k < fields.Length; k++)
        {
            object holder = target;
            foreach (FieldInfo step in fields[k][..^1])
            {
                if (step.GetValue(holder) is not { } next)
                    step.SetValue(holder, next = RuntimeHelpers.GetUninitializedObject(step.FieldType));
                holder = next;
            }
            fields[k][^1].SetValue(holder, values[k]);
        }
        return target;
    }

    private static FieldInfo[] Way(Type type, string path)
    {
        var way = new List<FieldInfo>();
        foreach (string name in path.Split('.'))
        {
            way.Add(Field(type, name) ?? throw new BadRequest($"{type} has no field {name}"));
            type = way[^1].FieldType;
        }
        return [.. way];
    }

    private static FieldInfo? Field(Type? type, string name)
    {
        const BindingFlags own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        for (; type != null; type = type.BaseType)
        {
            if (type.GetField(name, own) is { } field)
                return field;
        }
        return null;
    }
}
