// The places of TrapOrder: where in a method its two or three values are computed, and what else may trap there.

using System.Reflection.Metadata;

namespace Generator;

internal sealed partial class TrapOrder
{
    private static readonly TypeOf[] OneArray = [new(Kind.Int32, true)];
    private static readonly string[][] ArrayStates = [["[0,0,0,0,0,0,0,0]"], ["null"], ["[]"]];

    /// <summary>A place that traps by nothing but its values.</summary>
    private void Of(int values, string name, Action<Body, Action[]> write) =>
        _places.Add(new Place(name, values, (body, v, _) => write(body, v), [], []));

    /// <summary>A place with an array of its own, which may be null or too short.</summary>
    private void InArray(int values, string name, Action<Body, Action[], int> write) =>
        _places.Add(new Place(name, values, write, OneArray, ArrayStates));

    private static readonly TypeOf Matrix = new(Kind.Int32) { Rank = 2 };
    private static readonly string[][] MatrixStates =
        [["[[0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0]]"], ["null"], ["[[],[]]"]];

    private void InMatrix(int values, string name, Action<Body, Action[], int> write) =>
        _places.Add(new Place(name, values, write, [Matrix], MatrixStates));

    private void Places()
    {
        Operands();
        Statements();
        Conditions();
        Stores();
        Three();
    }

    private void Operands()
    {
        foreach (ILOpCode op in (ILOpCode[])[ILOpCode.Add, ILOpCode.Sub, ILOpCode.Mul_ovf, ILOpCode.Div, ILOpCode.Rem_un, ILOpCode.Clt])
        {
            Of(2, op.ToString().Replace("_", ""), (body, v) =>
            {
                v[0]();
                v[1]();
                body.Op(op);
                body.Ret(true);
            });
        }
        Of(2, "Shift", (body, v) =>
        {
            v[0]();
            v[1]();
            body.Ldc(31);
            body.Op(ILOpCode.And);
            body.Op(ILOpCode.Shl);
            body.Ret(true);
        });
        Of(2, "Arguments", (body, v) =>
        {
            v[0]();
            v[1]();
            body.Ldc(1);
            body.Call(_sum, 3, true);
            body.Ret(true);
        });
        Of(2, "Minimum", (body, v) =>
        {
            v[0]();
            v[1]();
            body.Call(_assembly.Library("Math", "Min", Kind.Int32, Kind.Int32, Kind.Int32), 2, true);
            body.Ret(true);
        });
    }

    private void Statements()
    {
        // The first value is not wanted.
        Of(2, "Dropped", (body, v) =>
        {
            v[0]();
            body.Op(ILOpCode.Pop);
            v[1]();
            body.Ret(true);
        });
        Of(2, "DroppedLater", (body, v) =>
        {
            v[0]();
            v[1]();
            body.Op(ILOpCode.Pop);
            body.Ret(true);
        });
        // Two locals, used in the other order.
        Of(2, "Locals", (body, v) =>
        {
            v[0]();
            body.Stloc(0);
            v[1]();
            body.Stloc(1);
            body.Ldloc(1);
            body.Ldloc(0);
            body.Op(ILOpCode.Sub);
            body.Ret(true);
        });
        // Set but never read, in a loop of two turns.
        Of(2, "Loop", (body, v) =>
        {
            Body.Label top = body.NewLabel();
            body.Mark(top);
            v[0]();
            body.Stloc(1);
            v[1]();
            body.Op(ILOpCode.Pop);
            body.Ldloc(0);
            body.Ldc(1);
            body.Op(ILOpCode.Add);
            body.Op(ILOpCode.Dup);
            body.Stloc(0);
            body.Ldc(2);
            body.Branch(ILOpCode.Blt, top);
            body.Ldloc(1);
            body.Ret(true);
        });
        // A throw of the method's own between the two.
        Of(2, "Between", (body, v) =>
        {
            v[0]();
            body.Stloc(0);
            Throwing(body, () =>
            {
                body.Ldloc(0);
                body.Ldc(7);
                body.Op(ILOpCode.Xor);
            }, "NotSupportedException", "seven");
            v[1]();
            body.Ldloc(0);
            body.Op(ILOpCode.Add);
            body.Ret(true);
        });
    }

    private void Conditions()
    {
        Of(2, "Compare", (body, v) =>
        {
            Body.Label less = body.NewLabel();
            v[0]();
            v[1]();
            body.Branch(ILOpCode.Blt, less);
            body.Ldc(5);
            body.Ret(true);
            body.Mark(less);
            body.Ldc(6);
            body.Ret(true);
        });
        foreach (bool and in (bool[])[true, false])
        {
            // v0 > 2 AndAlso v1 > 2; v0 > 2 OrElse v1 > 2: the second value is computed only where it decides.
            Of(2, and ? "AndAlso" : "OrElse", (body, v) =>
            {
                Body.Label decided = body.NewLabel();
                v[0]();
                body.Ldc(2);
                body.Branch(and ? ILOpCode.Ble : ILOpCode.Bgt, decided);
                v[1]();
                body.Ldc(2);
                body.Op(ILOpCode.Cgt);
                body.Ret(true);
                body.Mark(decided);
                body.Ldc(and ? 10 : 11);
                body.Ret(true);
            });
        }
        // One arm's value, above another value on the stack.
        Of(2, "Either", (body, v) =>
        {
            Body.Label otherwise = body.NewLabel(), end = body.NewLabel();
            v[0]();
            body.Op(ILOpCode.Dup);
            body.Ldc(4);
            body.Branch(ILOpCode.Blt, otherwise);
            v[1]();
            body.Branch(ILOpCode.Br, end);
            body.Mark(otherwise);
            body.Ldc(9);
            body.Mark(end);
            body.Op(ILOpCode.Add);
            body.Ret(true);
        });
        Of(2, "Switched", (body, v) =>
        {
            Body.Label first = body.NewLabel(), end = body.NewLabel();
            v[0]();
            body.Ldc(1);
            body.Op(ILOpCode.And);
            body.Switch(first);
            body.Ldc(1);
            body.Branch(ILOpCode.Br, end);
            body.Mark(first);
            v[1]();
            body.Mark(end);
            body.Ret(true);
        });
    }

    private void Stores()
    {
        InArray(2, "Stelem", (body, v, array) =>
        {
            body.Ldarg(array);
            v[0]();
            v[1]();
            body.Op(ILOpCode.Stelem_i4);
            body.Ldc(1);
            body.Ret(true);
        });
        InArray(2, "Ldelem", (body, v, array) =>
        {
            v[0]();
            body.Ldarg(array);
            v[1]();
            body.Op(ILOpCode.Ldelem_i4);
            body.Op(ILOpCode.Add);
            body.Ret(true);
        });
        // The address is checked before the value is computed.
        InArray(2, "Stind", (body, v, array) =>
        {
            body.Ldarg(array);
            v[0]();
            body.Op(ILOpCode.Ldelema, _assembly.ElementType(Kind.Int32));
            v[1]();
            body.Op(ILOpCode.Stind_i4);
            body.Ldc(2);
            body.Ret(true);
        });
        // a(v0) += v1
        InArray(2, "Compound", (body, v, array) =>
        {
            body.Ldarg(array);
            v[0]();
            body.Op(ILOpCode.Ldelema, _assembly.ElementType(Kind.Int32));
            body.Op(ILOpCode.Dup);
            body.Op(ILOpCode.Ldind_i4);
            v[1]();
            body.Op(ILOpCode.Add_ovf);
            body.Op(ILOpCode.Stind_i4);
            body.Ldc(3);
            body.Ret(true);
        });
        InMatrix(2, "Get2", (body, v, matrix) =>
        {
            body.Ldarg(matrix);
            v[0]();
            v[1]();
            body.Call(_assembly.ArrayMethod(Matrix, "Get"), 3, true);
            body.Ret(true);
        });
        // A store stands between the values: it is done or not.
        InArray(2, "Sequence", (body, v, array) =>
        {
            v[0]();
            body.Stloc(0);
            body.Ldarg(array);
            body.Ldc(0);
            body.Ldloc(0);
            body.Op(ILOpCode.Stelem_i4);
            v[1]();
            body.Ret(true);
        });
    }

    private void Three()
    {
        Of(3, "Sum", (body, v) =>
        {
            v[0]();
            v[1]();
            v[2]();
            body.Op(ILOpCode.Add);
            body.Op(ILOpCode.Sub_ovf);
            body.Ret(true);
        });
        Of(3, "Calls", (body, v) =>
        {
            v[0]();
            v[1]();
            v[2]();
            body.Call(_sum, 3, true);
            body.Ret(true);
        });
        InArray(3, "Store", (body, v, array) =>
        {
            body.Ldarg(array);
            v[0]();
            v[1]();
            body.Op(ILOpCode.Add);
            v[2]();
            body.Op(ILOpCode.Stelem_i4);
            body.Ldc(4);
            body.Ret(true);
        });
        // m(v0, v1) = v2: Set is a call, so all three come before its checks.
        InMatrix(3, "Set2", (body, v, matrix) =>
        {
            body.Ldarg(matrix);
            v[0]();
            v[1]();
            v[2]();
            body.Call(_assembly.ArrayMethod(Matrix, "Set"), 4, false);
            body.Ldc(7);
            body.Ret(true);
        });
        Of(3, "Chain", (body, v) =>
        {
            Body.Label no = body.NewLabel(), yes = body.NewLabel();
            v[0]();
            body.Ldc(2);
            body.Branch(ILOpCode.Bgt, yes);
            v[1]();
            body.Ldc(2);
            body.Branch(ILOpCode.Ble, no);
            body.Mark(yes);
            v[2]();
            body.Ret(true);
            body.Mark(no);
            body.Ldc(8);
            body.Ret(true);
        });
    }
}
