// The flow of one body: what runs, what of it only leads to a throw, and what is folded away on a machine without SIMD.

using System.Reflection;
using System.Reflection.Emit;

namespace Closures;

internal sealed class Body
{
    public Instruction[] Code { get; }
    public bool[] Lives { get; }   // reached, and a return can be reached from it
    public bool Returns { get; }
    public bool Loops { get; private set; }
    public bool HasHandlers { get; }
    public IList<LocalVariableInfo> Locals { get; }

    private readonly MethodBase _method;
    private readonly Func<MethodBase, bool> _returns;

    public Body(MethodBase method, MethodBody body, Func<MethodBase, bool> returns)
    {
        (_method, _returns) = (method, returns);
        Code = Instruction.Read(body.GetILAsByteArray()!);
        HasHandlers = body.ExceptionHandlingClauses.Count > 0;
        Locals = body.LocalVariables;
        var reached = new bool[Code.Length];
        var before = new List<int>[Code.Length];
        var work = new Stack<int>();
        void Reach(int from, int to)
        {
            if (to >= Code.Length)
                return;
            (before[to] ??= []).Add(from);
            Loops |= to <= from;
            if (!reached[to])
            {
                reached[to] = true;
                work.Push(to);
            }
        }
        reached[0] = true;
        work.Push(0);
        while (work.TryPop(out int at))
        {
            foreach (int next in After(at))
                Reach(at, next);
        }
        Lives = new bool[Code.Length];
        for (int k = 0; k < Code.Length; k++)
        {
            if (reached[k] && Code[k].Code == OpCodes.Ret)
                work.Push(k);
        }
        Returns = work.Count > 0;
        while (work.TryPop(out int at))
        {
            if (Lives[at])
                continue;
            Lives[at] = true;
            foreach (int one in before[at] ?? [])
                work.Push(one);
        }
    }

    public T? Resolve<T>(int at) where T : MemberInfo
    {
        try
        {
            Type[]? ofType = _method.DeclaringType is { IsGenericType: true } type ? type.GetGenericArguments() : null;
            Type[]? ofMethod = _method.IsGenericMethod ? _method.GetGenericArguments() : null;
            return _method.Module.ResolveMember((int)Code[at].Operand, ofType, ofMethod) as T;
        }
        catch (Exception e) when (e is IOException or TypeLoadException or MissingMemberException or ArgumentException or BadImageFormatException)
        {
            return null;
        }
    }

    private IEnumerable<int> After(int at)
    {
        Instruction one = Code[at];
        if (one.Is(OpCodes.Call) && Resolve<MethodBase>(at) is { IsStatic: true } callee && !_returns(callee))
            return [];
        if (one.Code.FlowControl == FlowControl.Cond_Branch && one.Targets.Length == 1 && Folded(at) is { } truth)
            return [truth == one.Is(OpCodes.Brtrue, OpCodes.Brtrue_S) ? one.Targets[0] : one.Next];
        return one.EndsFlow ? one.Targets : [.. one.Targets, one.Next];
    }

    /// <summary>What a branch tests: IsSupported (never), or whether two types are one.</summary>
    private bool? Folded(int at)
    {
        if (!Code[at].Is(OpCodes.Brtrue, OpCodes.Brtrue_S, OpCodes.Brfalse, OpCodes.Brfalse_S) || at == 0 || !Code[at - 1].Is(OpCodes.Call))
            return null;
        MethodBase? asked = Resolve<MethodBase>(at - 1);
        if (asked is { Name: "get_IsSupported" or "get_IsHardwareAccelerated" })
            return false;
        if (asked?.DeclaringType != typeof(Type) || asked.Name is not ("op_Equality" or "op_Inequality") || at < 5)
            return null;
        return Code[at - 3].Is(OpCodes.Ldtoken) && Code[at - 5].Is(OpCodes.Ldtoken)
            ? (Resolve<Type>(at - 3) == Resolve<Type>(at - 5)) == (asked.Name == "op_Equality") : null;
    }
}
