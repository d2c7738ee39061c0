// The method itself, for each element of a launch: a loop around a delegate of it, compiled by the runtime.

using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;

namespace Ilcuda;

/// <summary>The exception of the lowest element that failed, of any number of threads.</summary>
internal sealed class LowestFailure
{
    private readonly object _lock = new();

    public long Element { get; private set; } = -1;
    public Exception? Exception { get; private set; }

    public void Add(long element, Exception exception)
    {
        lock (_lock)
        {
            if (Exception == null || element < Element)
                (Element, Exception) = (element, exception);
        }
    }
}

internal sealed class OriginalMethod
{
    /// <summary>Elements from..to-1, row-major. Arguments are those of the parameters, none of an index; the result is an array.</summary>
    private delegate void Loop(object?[] arguments, Array? result, long[] extents, long from, long to, LowestFailure failure);

    private readonly Kernel _kernel;
    private readonly Loop _loop;

    public OriginalMethod(Kernel kernel)
    {
        _kernel = kernel;
        Method = kernel.Method.Reflected as MethodInfo
            ?? throw Refused("is known by name only: the clr engine needs the method of reflection, from Session.Method or Translate");
        if (!Method.IsStatic)
            throw Refused("is no static method");
        Types = Array.ConvertAll(Method.GetParameters(), param => param.ParameterType);
        for (int k = 0; k < Types.Length; k++)
        {
            if (Types[k].IsPointer)
                throw Refused($"has the pointer {kernel.Method.Described[k].Name}: CoreCLR would not check where it leads");
            if (Types[k].IsByRef && !kernel.IsElementWise(k))
                throw Refused($"has the by-ref {kernel.Method.Described[k].Name}, which only an element-wise kernel may have");
        }
        _loop = Compiled();
    }

    public MethodInfo Method { get; }
    /// <summary>Of the parameters.</summary>
    public Type[] Types { get; }

    private IlcudaException Refused(string why) => new(Status.Unsupported, $"{_kernel.Method.FullName} {why}");

    /// <summary>The elements of the array that a parameter has in a launch; null of a scalar.</summary>
    public Type? ElementOf(int parameter) =>
        _kernel.IsElementWise(parameter) ? Types[parameter].IsByRef ? Types[parameter].GetElementType()! : Types[parameter]
        : Types[parameter].IsArray ? Types[parameter].GetElementType() : null;

    /// <summary>An array of zeros for the result; null of a Sub.</summary>
#if MODERN
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "A native program has no IL, so no kernel.")]
#endif
    public Array? NewResult(long total) => Method.ReturnType == typeof(void) ? null : Array.CreateInstance(Method.ReturnType, total);

    /// <summary>All elements, on so many threads.</summary>
    public LowestFailure Run(object?[] arguments, Array? result, long[] extents, long total, int threads, CancellationToken token)
    {
        const int chunksPerThread = 16;
        var failure = new LowestFailure();
        long size = Math.Max(1, total / ((long)threads * chunksPerThread));
        if (threads == 1)
        {
            for (long from = 0; from < total; from += size)
            {
                token.ThrowIfCancellationRequested();
                _loop(arguments, result, extents, from, Math.Min(from + size, total), failure);
            }
        }
        else if (total > 0)
        {
            Parallel.ForEach(Partitioner.Create(0, total, size), new ParallelOptions { MaxDegreeOfParallelism = threads, CancellationToken = token },
                range => _loop(arguments, result, extents, range.Item1, range.Item2, failure));
        }
        return failure;
    }

    /// <summary>One element.</summary>
    public void Run(object?[] arguments, Array? result, long[] extents, long element, LowestFailure failure) =>
        _loop(arguments, result, extents, element, element + 1, failure);

    // --- the loop ---

#if MODERN
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "A native program has no IL, so no kernel.")]
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Delegates of the signature of a method that is there.")]
#endif
    private Loop Compiled()
    {
        ParameterExpression arguments = Expression.Parameter(typeof(object?[])), result = Expression.Parameter(typeof(Array)), extents = Expression.Parameter(typeof(long[]));
        ParameterExpression from = Expression.Parameter(typeof(long)), to = Expression.Parameter(typeof(long)), failure = Expression.Parameter(typeof(LowestFailure));
        ParameterExpression element = Expression.Variable(typeof(long)), exception = Expression.Variable(typeof(Exception));
        var locals = new List<ParameterExpression> { element };
        var code = new List<Expression> { Expression.Assign(element, from) };
        ParameterExpression Held(Type type, Expression value)
        {
            ParameterExpression local = Expression.Variable(type);
            locals.Add(local);
            code.Add(Expression.Assign(local, Expression.Convert(value, type)));
            return local;
        }
        Expression at = Expression.Convert(element, typeof(int));
        var passed = new Expression[Types.Length];
        for (int k = 0; k < passed.Length; k++)
        {
            int dim = _kernel.IndexOf(k);
            Expression given = Expression.ArrayIndex(arguments, Expression.Constant(k));
            passed[k] = dim >= 0 ? Expression.Convert(Index(dim, element, extents), Types[k])
                : _kernel.IsElementWise(k) ? Expression.ArrayAccess(Held(ElementOf(k)!.MakeArrayType(), given), at)
                : Held(Types[k], given);
        }
        // Through a delegate, so that it is never inlined: an exception's trace then has the method's frame.
        Delegate original = Delegate.CreateDelegate(Expression.GetDelegateType([.. Types, Method.ReturnType]), Method);
        Expression call = Expression.Invoke(Expression.Constant(original), passed);
        if (Method.ReturnType != typeof(void))
            call = Expression.Assign(Expression.ArrayAccess(Held(Method.ReturnType.MakeArrayType(), result), at), call);
        Expression guarded = Expression.TryCatch(Expression.Block(typeof(void), call), Expression.Catch(exception,
            Expression.Call(failure, nameof(LowestFailure.Add), null, element, exception)));
        LabelTarget end = Expression.Label();
        code.Add(Expression.Loop(Expression.IfThenElse(Expression.LessThan(element, to),
            Expression.Block(guarded, Expression.PreIncrementAssign(element)), Expression.Break(end)), end));
        return Expression.Lambda<Loop>(Expression.Block(locals, code), arguments, result, extents, from, to, failure).Compile();
    }

    /// <summary>Element e of extents n0, n1, n2 has the indices e / (n1 n2), e / n2 mod n1, e mod n2.</summary>
    private Expression Index(int dim, Expression element, Expression extents)
    {
        Expression index = element;
        for (int k = _kernel.Dimensions - 1; k > dim; k--)
            index = Expression.Divide(index, Expression.ArrayIndex(extents, Expression.Constant(k)));
        return dim == 0 ? index : Expression.Modulo(index, Expression.ArrayIndex(extents, Expression.Constant(dim)));
    }
}
