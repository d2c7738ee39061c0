// A field that a kernel's parameter stands for (include/ilcuda/method.h): the way to it from a delegate's target, as reflection
// has it, and code that reads it.

using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using Ilcuda.Interop;

namespace Ilcuda;

internal static unsafe class CapturedField
{
    /// <summary>Reads, from a target, the value for parameter number <paramref name="param"/> of the method.</summary>
    public static Func<object?, object?> Reader(IlMethod method, MethodInfo reflected, int param)
    {
        var target = Expression.Parameter(typeof(object), "target");
        Expression value = Expression.Convert(target, reflected.DeclaringType!);
        string way = "";
        foreach (FieldInfo step in Way(method, reflected.DeclaringType!, param))
        {
            way += (way.Length == 0 ? "" : ".") + step.Name;
            value = Expression.Field(value, step);
        }
        Func<object?, object?> read = Expression.Lambda<Func<object?, object?>>(Expression.Convert(value, typeof(object)), target).Compile();
        return on => Read(read, on, method, way);
    }

    private static object? Read(Func<object?, object?> read, object? target, IlMethod method, string way)
    {
        try
        {
            return read(target);
        }
        catch (NullReferenceException)
        {
            throw new NullReferenceException($"{method.FullName} reads {way}: an object on the way there is null");
        }
    }

    private static List<FieldInfo> Way(IlMethod method, Type type, int param)
    {
        var way = new List<FieldInfo>();
        foreach ((string name, int token) in Steps(method, param))
        {
            way.Add(Declared(type, name, token)
                ?? throw new IlcudaException(Status.Internal, $"{method.FullName}: {type} has no field {name}"));
            type = way[way.Count - 1].FieldType;
        }
        return way;
    }

    private static List<(string Name, int Token)> Steps(IlMethod method, int param)
    {
        var steps = new List<(string, int)>();
        using SessionScope inside = method.Session.Enter();
        CCaptured step;
        while (Api.ilc_method_captured(&step, method.Handle, (uint)param, (uint)steps.Count) == (int)Status.Ok)
            steps.Add((Utf8.Text(step.Name)!, (int)step.Token));
        return steps;
    }

    /// <summary>Of the type itself or of one that it derives from, which may be in another assembly.</summary>
#if MODERN
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A method that reads the field is there, so the field is.")]
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "A method that reads the field is there, so the field is.")]
#endif
    private static FieldInfo? Declared(Type type, string name, int token)
    {
        const BindingFlags own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        for (Type? at = type; at != null; at = at.BaseType)
        {
            if (at.GetField(name, own) is { } field && field.MetadataToken == token)
                return field;
        }
        return null;
    }
}
