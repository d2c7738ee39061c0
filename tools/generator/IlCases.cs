// Hand-made methods: every instruction of the core on every type, and shapes that no compiler emits (IlShapes.cs).

using System.Reflection.Metadata;

namespace Generator;

internal sealed partial class IlCases
{
    private readonly IlAssembly _assembly = new("CasesIl", "Cases");

    /// <summary>Writes the assembly, and each method's name and parameter types to standard output.</summary>
    public static void Write(string file)
    {
        var cases = new IlCases();
        cases.Arithmetic();
        cases.Conversions();
        cases.Comparisons();
        cases.Elements();
        cases.Shapes();
        cases._assembly.Save(file);
    }

    private int Add(string name, Kind result, Kind[] parameters, Action<Body> write) =>
        Add(name, result, parameters, [], write);

    private int Add(string name, Kind result, Kind[] parameters, Kind[] locals, Action<Body> write) =>
        Add(name, new TypeOf(result), parameters.Select(kind => new TypeOf(kind)).ToArray(), locals, new Body(), write);

    private int Add(string name, TypeOf result, TypeOf[] parameters, Kind[] locals, Body body, Action<Body> write, string[]? names = null)
    {
        write(body);
        var named = parameters.Select((type, k) => (type, names == null ? $"a{k}" : names[k])).ToList();
        Console.WriteLine($"CaseIl_{name}({string.Join(",", parameters)})");
        return _assembly.AddMethod("CaseIl_" + name, result, named, locals.Select(kind => new TypeOf(kind)).ToList(), body);
    }

    private static readonly Kind[] Signed = [Kind.Int32, Kind.Int64, Kind.IntPtr];
    private static readonly Kind[] Unsigned = [Kind.UInt32, Kind.UInt64, Kind.UIntPtr];
    private static readonly Kind[] Real = [Kind.Single, Kind.Double];

    private void Binary(ILOpCode op, Kind kind, Kind second) => Add($"{Name(op)}_{kind}", kind, [kind, second], body =>
    {
        body.Ldarg(0);
        body.Ldarg(1);
        body.Op(op);
        body.Ret(true);
    });

    private void Unary(ILOpCode op, Kind from, Kind to) => Add($"{Name(op)}_{from}", to, [from], body =>
    {
        body.Ldarg(0);
        body.Op(op);
        body.Ret(true);
    });

    private static string Name(ILOpCode op) => op.ToString().Replace("_", "");

    private void Arithmetic()
    {
        foreach (Kind kind in Signed)
        {
            foreach (ILOpCode op in (ILOpCode[])[ILOpCode.Add, ILOpCode.Sub, ILOpCode.Mul, ILOpCode.Div, ILOpCode.Rem, ILOpCode.And, ILOpCode.Or,
                                                 ILOpCode.Xor, ILOpCode.Add_ovf, ILOpCode.Sub_ovf, ILOpCode.Mul_ovf])
                Binary(op, kind, kind);
            // A count beyond the width is unspecified (III.3.58): x64 and .NET take it modulo the width.
            Binary(ILOpCode.Shl, kind, Kind.Int32);
            Binary(ILOpCode.Shr, kind, Kind.Int32);
            Unary(ILOpCode.Neg, kind, kind);
            Unary(ILOpCode.Not, kind, kind);
        }
        foreach (Kind kind in Unsigned)
        {
            foreach (ILOpCode op in (ILOpCode[])[ILOpCode.Div_un, ILOpCode.Rem_un, ILOpCode.Add_ovf_un, ILOpCode.Sub_ovf_un, ILOpCode.Mul_ovf_un])
                Binary(op, kind, kind);
            Binary(ILOpCode.Shr_un, kind, Kind.Int32);
        }
        foreach (Kind kind in Real)
        {
            foreach (ILOpCode op in (ILOpCode[])[ILOpCode.Add, ILOpCode.Sub, ILOpCode.Mul, ILOpCode.Div, ILOpCode.Rem])
                Binary(op, kind, kind);
            Unary(ILOpCode.Neg, kind, kind);
        }
    }

    private void Conversions()
    {
        (ILOpCode Op, Kind To)[] plain =
        [
            (ILOpCode.Conv_i1, Kind.Int32), (ILOpCode.Conv_u1, Kind.Int32), (ILOpCode.Conv_i2, Kind.Int32), (ILOpCode.Conv_u2, Kind.Int32),
            (ILOpCode.Conv_i4, Kind.Int32), (ILOpCode.Conv_u4, Kind.UInt32), (ILOpCode.Conv_i8, Kind.Int64), (ILOpCode.Conv_u8, Kind.UInt64),
            (ILOpCode.Conv_i, Kind.IntPtr), (ILOpCode.Conv_u, Kind.UIntPtr), (ILOpCode.Conv_r4, Kind.Single), (ILOpCode.Conv_r8, Kind.Double),
        ];
        (ILOpCode Op, Kind To)[] isChecked =
        [
            (ILOpCode.Conv_ovf_i1, Kind.Int32), (ILOpCode.Conv_ovf_u1, Kind.Int32), (ILOpCode.Conv_ovf_i2, Kind.Int32),
            (ILOpCode.Conv_ovf_u2, Kind.Int32), (ILOpCode.Conv_ovf_i4, Kind.Int32), (ILOpCode.Conv_ovf_u4, Kind.UInt32),
            (ILOpCode.Conv_ovf_i8, Kind.Int64), (ILOpCode.Conv_ovf_u8, Kind.UInt64), (ILOpCode.Conv_ovf_i, Kind.IntPtr),
            (ILOpCode.Conv_ovf_u, Kind.UIntPtr),
        ];
        (ILOpCode Op, Kind To)[] isUnsigned =
        [
            (ILOpCode.Conv_ovf_i1_un, Kind.Int32), (ILOpCode.Conv_ovf_u1_un, Kind.Int32), (ILOpCode.Conv_ovf_i2_un, Kind.Int32),
            (ILOpCode.Conv_ovf_u2_un, Kind.Int32), (ILOpCode.Conv_ovf_i4_un, Kind.Int32), (ILOpCode.Conv_ovf_u4_un, Kind.UInt32),
            (ILOpCode.Conv_ovf_i8_un, Kind.Int64), (ILOpCode.Conv_ovf_u8_un, Kind.UInt64), (ILOpCode.Conv_ovf_i_un, Kind.IntPtr),
            (ILOpCode.Conv_ovf_u_un, Kind.UIntPtr),
        ];
        foreach (Kind from in (Kind[])[.. Signed, .. Real])
        {
            foreach ((ILOpCode op, Kind to) in (ReadOnlySpan<(ILOpCode, Kind)>)[.. plain, .. isChecked])
                Unary(op, from, to);
        }
        foreach (Kind from in Unsigned)
        {
            foreach ((ILOpCode op, Kind to) in isUnsigned)
                Unary(op, from, to);
            Unary(ILOpCode.Conv_r_un, from, Kind.Double);
            Add($"ConvRunR4_{from}", Kind.Single, [from], body => ThroughR(body, false));
            Add($"ConvRunR8R4_{from}", Kind.Single, [from], body => ThroughR(body, true));
        }
    }

    /// <summary>conv.r.un; conv.r4 rounds once, with conv.r8 between twice.</summary>
    private static void ThroughR(Body body, bool twice)
    {
        body.Ldarg(0);
        body.Op(ILOpCode.Conv_r_un);
        if (twice)
            body.Op(ILOpCode.Conv_r8);
        body.Op(ILOpCode.Conv_r4);
        body.Ret(true);
    }

    private void Comparisons()
    {
        ILOpCode[] branches =
            [ILOpCode.Beq, ILOpCode.Bne_un, ILOpCode.Blt, ILOpCode.Blt_un, ILOpCode.Ble, ILOpCode.Ble_un, ILOpCode.Bgt, ILOpCode.Bgt_un, ILOpCode.Bge,
             ILOpCode.Bge_un];
        foreach (Kind kind in (Kind[])[.. Signed, .. Real])
        {
            foreach (ILOpCode op in (ILOpCode[])[ILOpCode.Ceq, ILOpCode.Cgt, ILOpCode.Cgt_un, ILOpCode.Clt, ILOpCode.Clt_un])
            {
                Add($"{Name(op)}_{kind}", Kind.Int32, [kind, kind], body =>
                {
                    body.Ldarg(0);
                    body.Ldarg(1);
                    body.Op(op);
                    body.Ret(true);
                });
            }
            foreach (ILOpCode op in branches)
            {
                // Int64 takes the long forms, the others the short ones.
                Add($"{Name(op)}_{kind}", new TypeOf(Kind.Int32), [new TypeOf(kind), new TypeOf(kind)], [],
                    new Body { LongBranches = kind == Kind.Int64 }, body => Taken(body, op, 2));
            }
        }
        foreach (Kind kind in Signed)
        {
            foreach (ILOpCode op in (ILOpCode[])[ILOpCode.Brtrue, ILOpCode.Brfalse])
            {
                Add($"{Name(op)}_{kind}", new TypeOf(Kind.Int32), [new TypeOf(kind)], [], new Body { LongBranches = kind == Kind.Int64 },
                    body => Taken(body, op, 1));
            }
        }
    }

    private static void Taken(Body body, ILOpCode op, int operands)
    {
        Body.Label taken = body.NewLabel();
        for (int k = 0; k < operands; k++)
            body.Ldarg(k);
        body.Branch(op, taken);
        body.Ldc(0);
        body.Ret(true);
        body.Mark(taken);
        body.Ldc(1);
        body.Ret(true);
    }

    private void Elements()
    {
        (Kind Kind, ILOpCode Load, ILOpCode Store)[] elements =
        [
            (Kind.Boolean, ILOpCode.Ldelem_u1, ILOpCode.Stelem_i1), (Kind.SByte, ILOpCode.Ldelem_i1, ILOpCode.Stelem_i1),
            (Kind.Byte, ILOpCode.Ldelem_u1, ILOpCode.Stelem_i1), (Kind.Int16, ILOpCode.Ldelem_i2, ILOpCode.Stelem_i2),
            (Kind.UInt16, ILOpCode.Ldelem_u2, ILOpCode.Stelem_i2), (Kind.Char, ILOpCode.Ldelem_u2, ILOpCode.Stelem_i2),
            (Kind.Int32, ILOpCode.Ldelem_i4, ILOpCode.Stelem_i4), (Kind.UInt32, ILOpCode.Ldelem_u4, ILOpCode.Stelem_i4),
            (Kind.Int64, ILOpCode.Ldelem_i8, ILOpCode.Stelem_i8), (Kind.UInt64, ILOpCode.Ldelem_i8, ILOpCode.Stelem_i8),
            (Kind.IntPtr, ILOpCode.Ldelem_i, ILOpCode.Stelem_i), (Kind.UIntPtr, ILOpCode.Ldelem_i, ILOpCode.Stelem_i),
            (Kind.Single, ILOpCode.Ldelem_r4, ILOpCode.Stelem_r4), (Kind.Double, ILOpCode.Ldelem_r8, ILOpCode.Stelem_r8),
        ];
        foreach ((Kind kind, ILOpCode load, ILOpCode store) in elements)
        {
            foreach (bool typed in (bool[])[false, true])
            {
                // What a store of any value leaves in the element, and what a load makes of it.
                Kind given = kind.OnStack() == Stack.I4 ? Kind.Int32 : kind;
                TypeOf array = new(kind, true), index = new(typed ? Kind.IntPtr : Kind.Int32);
                Add($"{(typed ? "Typed" : "")}Element_{kind}", new TypeOf(given), [array, index, new TypeOf(given)], [], new Body(), body =>
                {
                    body.Ldarg(0);
                    body.Ldarg(1);
                    body.Ldarg(2);
                    if (typed)
                        body.Op(ILOpCode.Stelem, _assembly.ElementType(kind));
                    else
                        body.Op(store);
                    body.Ldarg(0);
                    body.Ldarg(1);
                    if (typed)
                        body.Op(ILOpCode.Ldelem, _assembly.ElementType(kind));
                    else
                        body.Op(load);
                    body.Ret(true);
                });
            }
        }
    }
}
