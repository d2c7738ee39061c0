// The body of a loop as a kernel: a delegate's method, translated once, and what its target holds, read at each call.

using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Ilcuda;

internal sealed class LoopBody
{
    private static readonly ConditionalWeakTable<Session, ConcurrentDictionary<(MethodInfo, bool), LoopBody>> Known = new();

    private readonly Func<object?, object?>[] _captured;

    private LoopBody(Session session, MethodInfo body, bool counted)
    {
        IlMethod method = session.Method(body);
        int indices = body.GetParameters().Length;
        string index = string.Join(",", Enumerable.Range(0, indices).Select(k => method.Described[k].Name));
        Kernel = (counted ? method.Counted(index) : method).Translate(new KernelOptions { Index = index });
        _captured = Enumerable.Range(indices, method.CapturedCount).Select(k => CapturedField.Reader(method, body, k)).ToArray();
    }

    /// <summary>With indices that begin at 0, or at a start that is passed behind what is captured.</summary>
    public Kernel Kernel { get; }

    public static LoopBody Of(Session session, Delegate body, bool counted)
    {
        MethodInfo method = body.Method;
        if (body.GetInvocationList().Length != 1)
            throw new IlcudaException(Status.Unsupported, "a delegate of several methods cannot be the body of a loop");
        if (method.IsStatic && body.Target != null)
            throw new IlcudaException(Status.Unsupported, $"{method.DeclaringType}.{method.Name}: a delegate that holds an argument of a static method cannot be the body of a loop");
        ConcurrentDictionary<(MethodInfo, bool), LoopBody> known = Known.GetOrCreateValue(session);
        return known.TryGetValue((method, counted), out LoopBody? made) ? made : known.GetOrAdd((method, counted), new LoopBody(session, method, counted));
    }

    /// <summary>Runs it for the indices from `from` to below `to`.</summary>
    public static void Run(Engine engine, Delegate body, long[] from, long[] to)
    {
        if (engine == null)
            throw new ArgumentNullException(nameof(engine));
        if (body == null)
            throw new ArgumentNullException(nameof(body));
        for (int k = 0; k < from.Length; k++)
        {
            if (to[k] <= from[k])
                return;
        }
        if (engine.Kind == EngineKind.Clr)
        {
            LoopOnClr.Run(body, from, to);
            return;
        }
        bool counted = Array.Exists(from, start => start != 0);
        LoopBody loop = Of(engine.Session, body, counted);
        int captured = loop._captured.Length;
        var args = new object?[captured + (counted ? from.Length : 0)];
        for (int k = 0; k < captured; k++)
            args[k] = loop._captured[k](body.Target);
        for (int k = captured; k < args.Length; k++)
            args[k] = from[k - captured];
        var extents = new long[from.Length];
        for (int k = 0; k < extents.Length; k++)
            extents[k] = checked(to[k] - from[k]);
        try
        {
            loop.Kernel.Run(engine, extents, args);
        }
        catch (Exception e) when (Trap.Of(e) is { Element: >= 0 } trap)
        {
            throw trap.At(Indices(trap.Element, from, extents)).ToException();
        }
    }

    /// <summary>As the body saw them.</summary>
    private static long[] Indices(long element, long[] from, long[] extents)
    {
        var indices = new long[from.Length];
        for (int k = indices.Length - 1; k >= 0; k--)
        {
            indices[k] = from[k] + element % extents[k];
            element /= extents[k];
        }
        return indices;
    }
}
