// Records what CoreCLR answers to every arithmetic instruction over edge values, instruction by instruction:
// each is emitted alone into a dynamic method, so that no compiler stands between. See README.md.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Text;

static class Program
{
    static readonly Dictionary<string, Type> Clr = new() {
        ["i4"] = typeof(int), ["i8"] = typeof(long), ["r4"] = typeof(float), ["r8"] = typeof(double) };
    static readonly Dictionary<string, OpCode> Ops = typeof(OpCodes).GetFields()
        .Select(f => (OpCode)f.GetValue(null)).ToDictionary(o => o.Name);

    static int Main(string[] args)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        CultureInfo.CurrentUICulture = CultureInfo.InvariantCulture;
        if (args.Length != 1) { Console.Error.WriteLine("usage: ArithAnswers FOLDER"); return 2; }
        Directory.CreateDirectory(args[0]);
        File.WriteAllText(Path.Combine(args[0], "binary.txt"), BinaryAnswers());
        File.WriteAllText(Path.Combine(args[0], "unary.txt"), UnaryAnswers());
        File.WriteAllText(Path.Combine(args[0], "exceptions.txt"), ExceptionAnswers.All());
        File.WriteAllText(Path.Combine(args[0], "functions.txt"), FunctionAnswers.All());
        File.WriteAllText(Path.Combine(args[0], "machine.txt"), MachineCases.Make(Path.Combine(args[0], "IlCases.dll")));
        return 0;
    }

    // --- one instruction as a delegate from values to text ---------------------------------------------

    static Func<object[], string> Compile(string op, string[] types)
    {
        Type result = ResultOf(op, types);
        var method = new DynamicMethod("f", result, types.Select(t => Clr[t]).ToArray(), typeof(Program).Module, true);
        var il = method.GetILGenerator();
        for (int i = 0; i < types.Length; i++) il.Emit(OpCodes.Ldarg, (short)i);
        EmitOp(il, op);
        il.Emit(OpCodes.Ret);
        var d = method.CreateDelegate(System.Linq.Expressions.Expression.GetDelegateType(
            types.Select(t => Clr[t]).Append(result).ToArray()));
        return values => {
            object[] typed = values.Select((v, i) => v).ToArray();
            try { return Bits(d.DynamicInvoke(typed)); }
            catch (TargetInvocationException e) { return Letter(e.InnerException); }
        };
    }

    static void EmitOp(ILGenerator il, string op)
    {
        if (op.StartsWith("Math")) { il.Emit(OpCodes.Call, MathMethod(op)); return; }
        foreach (string one in op.Split('+')) {
            OpCode code = Ops[one];
            if (code.OperandType == OperandType.InlineBrTarget) {
                Label yes = il.DefineLabel();
                il.Emit(code, yes);
                il.Emit(OpCodes.Ldc_I4_0); il.Emit(OpCodes.Ret);
                il.MarkLabel(yes);
                il.Emit(OpCodes.Ldc_I4_1);
            } else il.Emit(code);
        }
    }

    static MethodInfo MathMethod(string op)
    {
        int open = op.IndexOf('(');
        string[] path = op[..open].Split('.');
        Type[] types = op[(open + 1)..^1].Split(',').Select(n => Type.GetType("System." + n, true)).ToArray();
        return (path[0] == "Math" ? typeof(Math) : typeof(MathF)).GetMethod(path[1], types);
    }

    static Type ResultOf(string op, string[] types)
    {
        if (op.StartsWith("Math")) {
            Type t = MathMethod(op).ReturnType;
            return t == typeof(float) || t == typeof(double) ? t : StackOf(t) == "i8" ? typeof(long) : typeof(int);
        }
        string last = op.Split('+')[^1];
        if (last.StartsWith('c') && !last.StartsWith("conv") || last.StartsWith('b')) return typeof(int);
        if (last == "conv.r4") return typeof(float);
        if (last is "conv.r8" or "conv.r.un") return typeof(double);
        if (last.StartsWith("conv")) {
            string target = last.Replace("conv.", "").Replace("ovf.", "").Replace(".un", "");
            return target is "i8" or "u8" or "i" or "u" ? typeof(long) : typeof(int);
        }
        if (types.Length == 1 || last.StartsWith("sh")) return Clr[types[0]];
        return Clr[types.Contains("r8") ? "r8" : types.Contains("i8") ? "i8" : types[0]];
    }

    static string Bits(object value) => value switch {
        int i => ((uint)i).ToString("x"),
        long l => ((ulong)l).ToString("x"),
        float f => float.IsNaN(f) ? "N" : BitConverter.SingleToUInt32Bits(f).ToString("x"),
        double d => double.IsNaN(d) ? "N" : BitConverter.DoubleToUInt64Bits(d).ToString("x"),
        _ => throw new InvalidOperationException() };

    static string Letter(Exception e) => e switch {
        DivideByZeroException => "Z",
        OverflowException when e.Message.StartsWith("Negating") => "G",
        OverflowException => "O",
        ArithmeticException => "A",
        InvalidProgramException => "I",
        _ => throw new InvalidOperationException("unexpected", e) };

    // --- the tables ------------------------------------------------------------------------------------

    static string BinaryAnswers()
    {
        var text = new StringBuilder(Header("two operands: one line per left value, one result per right value; compares and branches as digits"));
        foreach (string t in Clr.Keys) WriteValues(text, t, t, Values.Edges(t));
        foreach (string t in Clr.Keys) WriteValues(text, t + "-few", t, Values.Few(t));
        string[] integer = "add sub mul div div.un rem rem.un and or xor add.ovf add.ovf.un sub.ovf sub.ovf.un mul.ovf mul.ovf.un".Split(' ');
        string[] real = "add sub mul div rem".Split(' ');
        string[] compare = "ceq cgt cgt.un clt clt.un beq bge bgt ble blt bne.un bge.un bgt.un ble.un blt.un".Split(' ');
        string[] shift = "shl shr shr.un".Split(' ');
        foreach (string t in new[] { "i4", "i8" })
            foreach (string op in integer.Concat(compare)) WriteBinary(text, op, t, t, "");
        foreach (string t in new[] { "r4", "r8" })
            foreach (string op in real.Concat(compare)) WriteBinary(text, op, t, t, "");
        foreach (string t in new[] { "i4", "i8" })
            foreach (string op in shift) { WriteBinary(text, op, t, "i4", ""); WriteBinary(text, op, t, "i8", "-few"); }
        foreach (string op in real.Concat(compare)) { WriteBinary(text, op, "r4", "r8", "-few"); WriteBinary(text, op, "r8", "r4", "-few"); }
        foreach (string op in integer.Concat(compare)) { WriteBinary(text, op, "i4", "i8", "-few"); WriteBinary(text, op, "i8", "i4", "-few"); }
        foreach (string op in MathNames(2)) {
            string t = StackOf(MathMethod(op).GetParameters()[0].ParameterType);
            WriteBinary(text, op, t, t, "");
        }
        return text.ToString();
    }

    static string UnaryAnswers()
    {
        var text = new StringBuilder(Header("one operand: one line of results, in the order of the values"));
        foreach (string t in Clr.Keys) WriteValues(text, t, t, Values.Many(t));
        string[] targets = "i1 u1 i2 u2 i4 u4 i8 u8 i u".Split(' ');
        foreach (string t in Clr.Keys) {
            foreach (string target in targets.Append("r4").Append("r8")) WriteUnary(text, "conv." + target, t);
            WriteUnary(text, "conv.r.un", t);
            WriteUnary(text, "conv.r.un+conv.r4", t);
            WriteUnary(text, "conv.r.un+nop+conv.r4", t);
            foreach (string target in targets) WriteUnary(text, "conv.ovf." + target, t);
            foreach (string target in targets) WriteUnary(text, "conv.ovf." + target + ".un", t);
            WriteUnary(text, "neg", t);
            if (t[0] == 'i') { WriteUnary(text, "not", t); WriteUnary(text, "brtrue", t); WriteUnary(text, "brfalse", t); }
        }
        foreach (string op in MathNames(1)) WriteUnary(text, op, StackOf(MathMethod(op).GetParameters()[0].ParameterType));
        return text.ToString();
    }

    static IEnumerable<string> MathNames(int arity)
    {
        string[] names = "Abs Sqrt Min Max Sign Floor Ceiling Truncate Round".Split(' ');
        return new[] { typeof(Math), typeof(MathF) }.SelectMany(c => c.GetMethods(BindingFlags.Public | BindingFlags.Static))
            .Where(m => names.Contains(m.Name) && m.GetParameters().Length == arity)
            .Where(m => m.GetParameters().All(p => p.ParameterType.IsPrimitive && p.ParameterType == m.GetParameters()[0].ParameterType))
            .Select(m => $"{m.DeclaringType.Name}.{m.Name}({string.Join(",", m.GetParameters().Select(p => p.ParameterType.Name))})")
            .OrderBy(n => n, StringComparer.Ordinal);
    }

    static string StackOf(Type t) => t == typeof(float) ? "r4" : t == typeof(double) ? "r8" :
        t == typeof(long) || t == typeof(ulong) || t == typeof(nint) || t == typeof(nuint) ? "i8" : "i4";

    static string Header(string what) =>
        "# Answers of CoreCLR " + Environment.Version + " on x64, made by tools/arith-answers; " + what + ".\n" +
        "# Bits in hex. N: a NaN. O: OverflowException. G: the one of Abs. Z: DivideByZeroException. A: ArithmeticException.\n" +
        "# I: CoreCLR refuses the instruction for this type (InvalidProgramException).\n";

    static void WriteValues(StringBuilder text, string name, string type, object[] values) =>
        text.Append("values ").Append(name).Append(' ').AppendJoin(' ', values.Select(Exact)).Append('\n');

    static string Exact(object value) => value switch {
        float f => BitConverter.SingleToUInt32Bits(f).ToString("x"),
        double d => BitConverter.DoubleToUInt64Bits(d).ToString("x"),
        _ => Bits(value) };

    static void WriteBinary(StringBuilder text, string op, string left, string right, string suffix)
    {
        var f = Compile(op, new[] { left, right });
        object[] a = suffix == "" ? Values.Edges(left) : Values.Few(left);
        object[] b = suffix == "" ? Values.Edges(right) : Values.Few(right);
        text.Append($"op {op} {left}{suffix} {right}{suffix}\n");
        string separator = op[0] == 'b' || op[0] == 'c' ? "" : " ";
        foreach (object x in a) text.AppendJoin(separator, b.Select(y => f(new[] { x, y }))).Append('\n');
    }

    static void WriteUnary(StringBuilder text, string op, string type)
    {
        var f = Compile(op, new[] { type });
        text.Append($"op {op} {type}\n").AppendJoin(' ', Values.Many(type).Select(x => f(new[] { x }))).Append('\n');
    }
}
