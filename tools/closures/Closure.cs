// What of a method and of all that it calls stands in the way of a kernel.

using System.Reflection;
using System.Reflection.Emit;

namespace Closures;

/// <summary>Safe: does nothing that could write to other memory when its arguments make no sense.</summary>
internal sealed record Verdict(SortedSet<string> Reasons, int Methods, int Il, bool Loops, bool Safe, bool Transcendental);

internal sealed class Closure
{
    private readonly Dictionary<MethodBase, Body?> _bodies = [];
    private readonly Dictionary<MethodBase, bool> _returns = [];

    /// <summary>Taken as they are, whatever their bodies hold.</summary>
    private static readonly HashSet<string> Leaves =
    [
        "System.Math", "System.MathF", "System.Array", "System.Buffer", "System.BitConverter", "System.Runtime.CompilerServices.Unsafe",
        "System.Runtime.CompilerServices.RuntimeHelpers", "System.Runtime.InteropServices.MemoryMarshal", "System.MemoryExtensions",
        "System.Numerics.BitOperations", "System.Buffers.Binary.BinaryPrimitives", "System.Threading.Interlocked",
        "System.Numerics.Vector2", "System.Numerics.Vector3", "System.Numerics.Vector4", "System.Decimal", "System.Half", "System.Int128", "System.UInt128",
    ];
    private static readonly HashSet<string> Transcendental =
        ["Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Atan2", "Cbrt", "Cos", "Cosh", "Exp", "Log", "Log2", "Log10", "Pow", "Sin", "SinCos", "Sinh", "Tan", "Tanh"];

    public Verdict Of(MethodBase root)
    {
        var reasons = new SortedSet<string>(StringComparer.Ordinal);
        var seen = new HashSet<MethodBase> { root };
        var work = new Stack<MethodBase>([root]);
        int il = 0;
        bool loops = false, safe = true, transcendental = false;
        while (work.TryPop(out MethodBase? method))
        {
            if (BodyOf(method) is not { } body)
            {
                reasons.Add(method.Attributes.HasFlag(MethodAttributes.PinvokeImpl) ? "native" : "external");
                continue;
            }
            il += body.Code[^1].Offset + 1;
            loops |= method == root && body.Loops;
            if (body.HasHandlers)
                reasons.Add("try");
            if (body.Locals.Any(local => KernelTypes.IsVector(local.LocalType)))
                safe = false;
            for (int k = 0; k < body.Code.Length; k++)
            {
                if (!body.Lives[k])
                    continue;
                if (Reason(body, k) is { } reason)
                    reasons.Add(reason);
                safe &= !IsUnsafe(body, k);
                if (!body.Code[k].Is(OpCodes.Call, OpCodes.Callvirt, OpCodes.Newobj) || body.Resolve<MethodBase>(k) is not { } callee)
                    continue;
                transcendental |= callee.DeclaringType is { FullName: "System.Math" or "System.MathF" } && Transcendental.Contains(callee.Name);
                callee = Implementation(body, k, callee);
                if (IsWalked(callee) && seen.Add(callee))
                    work.Push(callee);
            }
        }
        return new Verdict(reasons, seen.Count, il, loops, safe, transcendental);
    }

    private Body? BodyOf(MethodBase method)
    {
        if (_bodies.TryGetValue(method, out Body? known))
            return known;
        _bodies[method] = null; // a cycle: taken as one that returns
        MethodBody? body = null;
        try
        {
            body = method.IsAbstract || method.ContainsGenericParameters ? null : method.GetMethodBody();
        }
        catch (Exception e) when (e is IOException or TypeLoadException or BadImageFormatException)
        {
        }
        return _bodies[method] = body?.GetILAsByteArray() is { Length: > 0 } ? new Body(method, body, Returns) : null;
    }

    private bool Returns(MethodBase method)
    {
        if (_returns.TryGetValue(method, out bool known))
            return known;
        _returns[method] = true;
        return _returns[method] = IsLeaf(method) || BodyOf(method)?.Returns != false;
    }

    private static bool IsLeaf(MethodBase method) =>
        method.DeclaringType is not { } type || type.IsArray || KernelTypes.IsSpan(type) || Leaves.Contains(Open(type));

    private static string Open(Type type) => (type.IsGenericType ? type.GetGenericTypeDefinition().FullName : type.FullName) ?? "";

    private static bool IsWalked(MethodBase method) =>
        !IsLeaf(method) && (method.IsStatic || method.DeclaringType!.IsValueType) && !method.IsAbstract;

    /// <summary>What a call of an interface's member comes to, on the type that a prefix names.</summary>
    private static MethodBase Implementation(Body body, int at, MethodBase callee)
    {
        if (at == 0 || !body.Code[at - 1].Is(OpCodes.Constrained) || body.Resolve<Type>(at - 1) is not { IsValueType: true } type || callee is not MethodInfo called)
            return callee;
        try
        {
            if (callee.DeclaringType!.IsInterface)
            {
                InterfaceMapping map = type.GetInterfaceMap(callee.DeclaringType);
                MethodInfo asked = called.IsGenericMethod ? called.GetGenericMethodDefinition() : called;
                int found = Array.IndexOf(map.InterfaceMethods, asked);
                if (found >= 0)
                    return called.IsGenericMethod ? map.TargetMethods[found].MakeGenericMethod(called.GetGenericArguments()) : map.TargetMethods[found];
            }
            else if (type.GetMethod(callee.Name, [.. callee.GetParameters().Select(p => p.ParameterType)]) is { } own)
            {
                return own;
            }
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException or AmbiguousMatchException)
        {
        }
        return callee;
    }

    private string? Reason(Body body, int at)
    {
        Instruction one = body.Code[at];
        switch (one.Code.Name)
        {
            case "ldstr":
                return FeedsThrower(body, at) ? null : "string";
            case "newobj" when body.Resolve<MethodBase>(at)?.DeclaringType is { IsValueType: false, IsArray: false } type:
                return typeof(Delegate).IsAssignableFrom(type) ? "delegate" : "allocation";
            case "newobj" or "call" or "callvirt":
                return body.Resolve<MethodBase>(at) is { } callee ? OfCall(body, at, Implementation(body, at, callee)) : "not found";
            case "ldsfld" or "ldsflda":
                return body.Resolve<FieldInfo>(at) is { } field ? OfStatic(field) : "not found";
            case "stsfld":
                return "static store";
            case "ldfld" or "ldflda" or "stfld":
                return body.Resolve<FieldInfo>(at)?.DeclaringType is { IsValueType: true } ? null : "object";
            case "box":
                return IsFoldedBox(body, at) ? null : "box";
            case "unbox.any" or "unbox":
                return body.Code[at - 1].Is(OpCodes.Box) ? null : "box";
            case "isinst" or "castclass":
                return "cast";
            case "newarr":
                return body.Resolve<Type>(at) is { } element && KernelTypes.IsKernel(element) ? null : "allocation";
            case "ldftn" or "ldvirtftn" or "calli":
                return "delegate";
            case "jmp" or "arglist" or "mkrefany" or "refanyval" or "refanytype" or "cpobj":
                return "rare instruction";
            default:
                return null;
        }
    }

    private static bool FeedsThrower(Body body, int at)
    {
        for (int k = at + 1; k < Math.Min(at + 6, body.Code.Length); k++)
        {
            if (body.Code[k].Is(OpCodes.Call, OpCodes.Callvirt))
                return body.Resolve<MethodBase>(k) is MethodInfo { IsStatic: true } callee && callee.ReturnType == typeof(void);
        }
        return false;
    }

    private static bool IsFoldedBox(Body body, int at) =>
        at + 1 < body.Code.Length
        && (body.Code[at + 1].Is(OpCodes.Brtrue, OpCodes.Brtrue_S, OpCodes.Brfalse, OpCodes.Brfalse_S)
            || (body.Code[at + 1].Is(OpCodes.Unbox_Any) && body.Resolve<Type>(at) == body.Resolve<Type>(at + 1)));

    private static string? OfCall(Body body, int at, MethodBase callee)
    {
        Type type = callee.DeclaringType!;
        if (type == typeof(Type))
            return callee.Name is "GetTypeFromHandle" or "op_Equality" or "op_Inequality" && IsFoldedType(body, at) ? null : "typeof";
        if (callee is { Name: "get_IsSupported" or "get_IsHardwareAccelerated" })
            return null;
        if (KernelTypes.IsVector(type) || type.Namespace?.StartsWith("System.Runtime.Intrinsics") == true
            || callee.GetParameters().Any(p => KernelTypes.IsVector(p.ParameterType)))
            return "SIMD";
        if (type == typeof(string))
            return "string";
        if (!callee.IsStatic && !type.IsValueType && !type.IsArray && type != typeof(Array))
            return type.IsInterface ? "virtual call" : "object";
        if (callee.IsAbstract)
            return "virtual call";
        return IsLeaf(callee) || callee.GetMethodBody() != null ? null
            : callee.Attributes.HasFlag(MethodAttributes.PinvokeImpl) ? "native" : $"no IL: {type.Name}.{callee.Name}";
    }

    private static bool IsFoldedType(Body body, int at)
    {
        for (int k = at + 1; k < Math.Min(at + 5, body.Code.Length); k++)
        {
            if (body.Code[k].Code.FlowControl == FlowControl.Cond_Branch)
                return true;
        }
        return false;
    }

    private static string? OfStatic(FieldInfo field)
    {
        if (field.FieldType == typeof(string))
            return "string";
        bool startup = field.DeclaringType?.FullName?.StartsWith("<StartupCode$") == true;
        if (!field.IsInitOnly && !startup && !field.Attributes.HasFlag(FieldAttributes.HasFieldRVA))
            return "mutable static";
        return KernelTypes.IsKernel(field.FieldType) ? null : "static object";
    }

    private static bool IsUnsafe(Body body, int at)
    {
        Instruction one = body.Code[at];
        if (one.Is(OpCodes.Conv_U, OpCodes.Conv_I, OpCodes.Localloc, OpCodes.Cpblk, OpCodes.Initblk))
            return true;
        return one.Is(OpCodes.Call, OpCodes.Newobj) && body.Resolve<MethodBase>(at) is { DeclaringType: { } type } callee
            && (type.FullName is "System.Runtime.CompilerServices.Unsafe" or "System.Runtime.InteropServices.MemoryMarshal" or "System.Buffer"
                || callee.GetParameters().Any(p => p.ParameterType.IsPointer));
    }
}
