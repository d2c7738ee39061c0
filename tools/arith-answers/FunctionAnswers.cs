// What CoreCLR answers to exp, log, pow, the trigonometric and hyperbolic functions: special values, where every right
// implementation gives the same bits, and a sample of others, where the C library that CoreCLR asks may differ.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Text;

static class FunctionAnswers
{
    const string Names = "Exp Log Log2 Log10 Pow Sin Cos Tan Atan Atan2 Asin Acos Sinh Cosh Tanh Cbrt";
    static readonly double[] Specials = {
        double.NaN, 0, -0.0, double.PositiveInfinity, double.NegativeInfinity, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 0.25, 10, 100,
        1000, 1e15, 1e22, 1e23, 8, 27, 64, -8, 1.0 / 3, 2.5, -2.5, double.Epsilon, -double.Epsilon, 2.2250738585072014e-308,
        2.225073858507201e-308, double.MaxValue, double.MinValue, 0.9999999999999999, 1.0000000000000002, 9007199254740991,
        9007199254740992, 9007199254740993e3, -9007199254740991, 4294967295, 709.782712893384, 709.7827128933841, -745.1332191019411,
        -745.1332191019412, -708.3964185322641, 710.4758600739439, 710.475860073944, 1023, 1024, -1022, -1074, -1075, 308, 309, -324,
        1.5707963267948966, 3.141592653589793, 0.7853981633974483, 2.356194490192345, 1e-300, 1e300, 1e-8, 1e-20, 22, 4.4501477170144028e-162 };

    static readonly double[] Seconds = {
        double.NaN, 0, -0.0, double.PositiveInfinity, double.NegativeInfinity, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.0 / 3, 2.5,
        double.Epsilon, double.MaxValue, 1023, 1024, -1022, -1074, -1075, 9007199254740991, 9007199254740992, 4294967295 };

    public static string All()
    {
        var text = new StringBuilder("# Answers of CoreCLR " + Environment.Version + " on x64, made by tools/arith-answers.\n" +
            "# method, then arguments and result in one line each, as bits; N: a NaN; behind ~ a result that other C libraries may differ from\n");
        var random = new Random(12);
        foreach (string name in Names.Split(' ')) {
            Type[] one = { typeof(double) }, two = { typeof(double), typeof(double) };
            MethodInfo wide = typeof(Math).GetMethod(name, one) ?? typeof(Math).GetMethod(name, two);
            MethodInfo single = typeof(MathF).GetMethod(name, wide.GetParameters().Select(_ => typeof(float)).ToArray());
            double[][] calls = Calls(wide.GetParameters().Length, random).ToArray();
            Write(text, "Math." + name, wide, calls.Select(c => c.Cast<object>().ToArray()));
            Write(text, "MathF." + name, single, calls.Select(c => c.Select(v => (object)(float)v).ToArray()));
        }
        return text.ToString();
    }

    static IEnumerable<double[]> Calls(int count, Random random)
    {
        foreach (double a in Specials)
            if (count == 1) yield return new[] { a };
            else foreach (double b in Seconds) yield return new[] { a, b };
        for (int k = 0; k < 200; k++) {
            double scale = Math.Pow(10, random.Next(-3, 4));
            double a = (random.NextDouble() * 2 - 1) * scale, b = (random.NextDouble() * 2 - 1) * 20;
            yield return count == 1 ? new[] { k % 2 == 0 ? a : Math.Abs(a) } : new[] { k % 4 == 0 ? a : Math.Abs(a), b };
        }
    }

    static void Write(StringBuilder text, string name, MethodInfo method, IEnumerable<object[]> calls)
    {
        text.Append(name).Append('\n');
        var seen = new HashSet<string>();
        foreach (object[] args in calls) {
            object result = method.Invoke(null, args);
            string key = string.Join(" ", args.Select(Bits));
            if (seen.Add(key)) text.Append($"{key} {(Same(args, result) ? "" : "~")}{Bits(result)}\n");
        }
    }

    // Whole numbers, powers of two, what is no number, and an argument come out the same from any right function.
    static bool Same(object[] args, object result)
    {
        double r = Convert.ToDouble(result);
        return !double.IsFinite(r) || r == 0 || (Math.Abs(r) < 1e6 && r == Math.Floor(r)) ||
            double.IsPow2(Math.Abs(r)) || (Math.Abs(r) < 1e-5 && result.Equals(args[0]));
    }

    static string Bits(object value) => value switch {
        float f => float.IsNaN(f) ? "N" : BitConverter.SingleToUInt32Bits(f).ToString("x"),
        double d => double.IsNaN(d) ? "N" : BitConverter.DoubleToUInt64Bits(d).ToString("x"),
        _ => throw new InvalidOperationException() };
}
