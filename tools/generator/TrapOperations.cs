// The operations of TrapOrder: each leaves an Int32, and traps for some of its arguments.

using System.Reflection.Metadata;

namespace Generator;

internal sealed partial class TrapOrder
{
    private static readonly TypeOf Int = new(Kind.Int32);

    private void Operation(string name, TypeOf[] parameters, string[][] states, Action<Body, int> write) =>
        _operations.Add(new Trapping(name, parameters, states, write));

    private void Operations()
    {
        Elements();
        Matrices();
        Divisions();
        Overflows();
        Conversions();
        Functions();
    }

    private void Elements()
    {
        string[][] states = [["[3,1,2]", "1"], ["[3,1,2]", "3"], ["null", "1"], ["[3,1,2]", "-1"], ["[]", "0"]];
        foreach (Kind kind in Kinds.All)
        {
            string[][] own = kind == Kind.Boolean
                ? states.Select(s => s.Select(text => text.Replace("3,1,2", "true,false,true")).ToArray()).ToArray()
                : states;
            Operation($"Ldelem_{kind}", [new TypeOf(kind, true), Int], own, (body, first) =>
            {
                body.Ldarg(first);
                body.Ldarg(first + 1);
                body.Op(ILOpCode.Ldelem, _assembly.ElementType(kind));
                ToInt32(body, kind);
            });
        }
        Operation("Ldlen", [new TypeOf(Kind.Int32, true)], [["[3,1,2]"], ["null"]], (body, first) =>
        {
            body.Ldarg(first);
            body.Op(ILOpCode.Ldlen);
            body.Op(ILOpCode.Conv_i4);
        });
        foreach (Kind kind in (Kind[])[Kind.Int32, Kind.Byte, Kind.Double])
        {
            Operation($"Ldelema_{kind}", [new TypeOf(kind, true), Int], states, (body, first) =>
            {
                body.Ldarg(first);
                body.Ldarg(first + 1);
                body.Op(ILOpCode.Ldelema, _assembly.ElementType(kind));
                body.Op(kind switch { Kind.Int32 => ILOpCode.Ldind_i4, Kind.Byte => ILOpCode.Ldind_u1, _ => ILOpCode.Ldind_r8 });
                ToInt32(body, kind);
            });
        }
    }

    /// <summary>Elements of arrays of two dimensions: each subscript has its own check.</summary>
    private void Matrices()
    {
        string[][] states = [["[[1,2],[3,4]]", "1", "0"], ["[[1,2],[3,4]]", "2", "0"], ["null", "0", "0"], ["[[1,2],[3,4]]", "0", "-1"], ["[]", "0", "0"]];
        foreach (Kind kind in (Kind[])[Kind.Int32, Kind.Double])
        {
            TypeOf matrix = new(kind) { Rank = 2 };
            foreach (string method in (string[])["Get", "Address"])
            {
                Operation($"{method}2_{kind}", [matrix, Int, Int], states, (body, first) =>
                {
                    body.Ldarg(first);
                    body.Ldarg(first + 1);
                    body.Ldarg(first + 2);
                    body.Call(_assembly.ArrayMethod(matrix, method), 3, true);
                    if (method == "Address")
                        body.Op(kind == Kind.Int32 ? ILOpCode.Ldind_i4 : ILOpCode.Ldind_r8);
                    ToInt32(body, kind);
                });
            }
        }
        Operation("GetLength", [new TypeOf(Kind.Int32) { Rank = 2 }, Int], [["[[1,2],[3,4]]", "1"], ["[[1,2],[3,4]]", "2"], ["null", "0"]],
            (body, first) =>
            {
                body.Ldarg(first);
                body.Ldarg(first + 1);
                body.Call(_assembly.GetLength(), 2, true);
            });
    }

    private static void ToInt32(Body body, Kind kind)
    {
        if (kind.OnStack() != Generator.Stack.I4)
            body.Op(ILOpCode.Conv_i4);
    }

    private void Two(string name, Kind kind, ILOpCode op, string[][] states) =>
        Operation($"{name}_{kind}", [new TypeOf(kind), new TypeOf(kind)], states, (body, first) =>
        {
            body.Ldarg(first);
            body.Ldarg(first + 1);
            body.Op(op);
            ToInt32(body, kind);
        });

    private const string Min32 = "-2147483648", Max32 = "2147483647", MaxU32 = "4294967295";
    private const string Min64 = "\"-9223372036854775808\"", Max64 = "\"9223372036854775807\"", MaxU64 = "\"18446744073709551615\"";

    private void Divisions()
    {
        foreach ((ILOpCode op, ILOpCode unsigned, string name) in
                 (ReadOnlySpan<(ILOpCode, ILOpCode, string)>)[(ILOpCode.Div, ILOpCode.Div_un, "Div"), (ILOpCode.Rem, ILOpCode.Rem_un, "Rem")])
        {
            Two(name, Kind.Int32, op, [["7", "2"], ["7", "0"], [Min32, "-1"]]);
            Two(name, Kind.Int64, op, [["7", "2"], ["7", "0"], [Min64, "-1"]]);
            Two(name, Kind.IntPtr, op, [["7", "2"], ["7", "0"], [Min64, "-1"]]);
            Two(name, Kind.UInt32, unsigned, [["7", "2"], ["7", "0"]]);
            Two(name, Kind.UInt64, unsigned, [["7", "2"], ["7", "0"]]);
        }
    }

    private void Overflows()
    {
        (ILOpCode Op, string Name, string[] Bad32, string[] Bad64)[] signed =
        [
            (ILOpCode.Add_ovf, "Add_ovf", [Max32, "1"], [Max64, "1"]),
            (ILOpCode.Sub_ovf, "Sub_ovf", [Min32, "1"], [Min64, "1"]),
            (ILOpCode.Mul_ovf, "Mul_ovf", ["65536", "65536"], ["4294967296", "4294967296"]),
        ];
        foreach (var (op, name, bad32, bad64) in signed)
        {
            Two(name, Kind.Int32, op, [["7", "2"], bad32]);
            Two(name, Kind.Int64, op, [["7", "2"], bad64]);
        }
        Two("Add_ovf", Kind.UInt32, ILOpCode.Add_ovf_un, [["7", "2"], [MaxU32, "1"]]);
        Two("Sub_ovf", Kind.UInt32, ILOpCode.Sub_ovf_un, [["7", "2"], ["2", "7"]]);
        Two("Mul_ovf", Kind.UInt32, ILOpCode.Mul_ovf_un, [["7", "2"], ["65536", "65536"]]);
        Two("Add_ovf", Kind.UInt64, ILOpCode.Add_ovf_un, [["7", "2"], [MaxU64, "1"]]);
        Two("Sub_ovf", Kind.UInt64, ILOpCode.Sub_ovf_un, [["7", "2"], ["2", "7"]]);
        Two("Mul_ovf", Kind.UInt64, ILOpCode.Mul_ovf_un, [["7", "2"], ["4294967296", "4294967296"]]);
    }

    private void Converted(ILOpCode op, Kind from, string good, params string[] bad) =>
        Operation($"{op}_{from}", [new TypeOf(from)], [[good], .. bad.Select(text => new[] { text })], (body, first) =>
        {
            body.Ldarg(first);
            body.Op(op);
            if (op is not (ILOpCode.Conv_ovf_i1 or ILOpCode.Conv_ovf_u1 or ILOpCode.Conv_ovf_i2 or ILOpCode.Conv_ovf_u2 or ILOpCode.Conv_ovf_i4
                or ILOpCode.Conv_ovf_u4 or ILOpCode.Conv_ovf_i4_un or ILOpCode.Conv_ovf_u4_un))
                body.Op(ILOpCode.Conv_i4);
        });

    private void Conversions()
    {
        Converted(ILOpCode.Conv_ovf_i1, Kind.Int32, "5", "128", "-129");
        Converted(ILOpCode.Conv_ovf_u1, Kind.Int32, "5", "256", "-1");
        Converted(ILOpCode.Conv_ovf_i2, Kind.Int64, "5", "32768", "-32769");
        Converted(ILOpCode.Conv_ovf_u2, Kind.Single, "5.5", "65536", "\"NaN\"");
        Converted(ILOpCode.Conv_ovf_i4, Kind.Int64, "5", "2147483648", "-2147483649");
        Converted(ILOpCode.Conv_ovf_i4, Kind.Double, "5.5", "2147483648", "\"NaN\"");
        Converted(ILOpCode.Conv_ovf_i4_un, Kind.UInt32, "5", "2147483648");
        Converted(ILOpCode.Conv_ovf_u4, Kind.Int32, "5", "-1");
        Converted(ILOpCode.Conv_ovf_u4_un, Kind.UInt64, "5", "4294967296");
        Converted(ILOpCode.Conv_ovf_i8, Kind.Double, "5.5", "1e19", "\"NaN\"");
        Converted(ILOpCode.Conv_ovf_i8_un, Kind.UInt64, "5", MaxU64);
        Converted(ILOpCode.Conv_ovf_u8, Kind.Int32, "5", "-1");
        Converted(ILOpCode.Conv_ovf_i, Kind.Single, "5.5", "1e19");
        Converted(ILOpCode.Conv_ovf_u, Kind.Int64, "5", "-1");
    }

    private void Functions()
    {
        foreach ((Kind kind, string worst) in (ReadOnlySpan<(Kind, string)>)
                 [(Kind.Int32, Min32), (Kind.Int64, Min64), (Kind.Int16, "-32768"), (Kind.SByte, "-128")])
        {
            Operation($"Abs_{kind}", [new TypeOf(kind)], [["-7"], [worst]], (body, first) =>
            {
                body.Ldarg(first);
                body.Call(_assembly.Library("Math", "Abs", kind, kind), 1, true);
                ToInt32(body, kind);
            });
        }
        foreach (Kind kind in (Kind[])[Kind.Single, Kind.Double])
        {
            Operation($"Sign_{kind}", [new TypeOf(kind)], [["-2.5"], ["\"NaN\""]], (body, first) =>
            {
                body.Ldarg(first);
                body.Call(_assembly.Library(kind == Kind.Single ? "MathF" : "Math", "Sign", Kind.Int32, kind), 1, true);
            });
        }
        Operation("Call", [Int], [["7"], ["0"]], (body, first) =>
        {
            body.Ldarg(first);
            body.Call(_check, 1, true);
        });
        Operation("Throw", [Int], [["7"], ["0"]], (body, first) =>
        {
            Throwing(body, () => body.Ldarg(first), "InvalidOperationException", "zero");
            body.Ldarg(first);
        });
    }
}
