// Hand-made shapes: the stack across edges, copies between locals, strange loops, narrow values, names.

using System.Reflection.Metadata;

namespace Generator;

internal sealed partial class IlCases
{
    private void Shapes()
    {
        StackShapes();
        LoopShapes();
        SwitchShapes();
        NarrowShapes();
        OtherShapes();
    }

    private void StackShapes()
    {
        // ceq | clt << 1 | clt.un << 2 | cgt << 3 | cgt.un << 4
        Add("Mask", Kind.Int32, [Kind.Double, Kind.Double], body =>
        {
            ILOpCode[] ops = [ILOpCode.Ceq, ILOpCode.Clt, ILOpCode.Clt_un, ILOpCode.Cgt, ILOpCode.Cgt_un];
            for (int k = 0; k < ops.Length; k++)
            {
                body.Ldarg(0);
                body.Ldarg(1);
                body.Op(ops[k]);
                body.Ldc(k);
                body.Op(ILOpCode.Shl);
                if (k > 0)
                    body.Op(ILOpCode.Or);
            }
            body.Ret(true);
        });

        // Three values wait on the stack while both arms push a fourth.
        Add("DeepMerge", Kind.Int64, [Kind.Int64, Kind.Int32, Kind.Double], body =>
        {
            Body.Label otherwise = body.NewLabel(), end = body.NewLabel();
            body.Ldarg(0);
            body.Ldarg(1);
            body.Ldarg(2);
            body.Ldarg(1);
            body.Branch(ILOpCode.Brfalse, otherwise);
            body.Ldc(2.5);
            body.Branch(ILOpCode.Br, end);
            body.Mark(otherwise);
            body.Ldc(-1.0);
            body.Mark(end);
            body.Op(ILOpCode.Add);
            body.Op(ILOpCode.Conv_i4);
            body.Op(ILOpCode.Xor);
            body.Op(ILOpCode.Conv_i8);
            body.Op(ILOpCode.Sub);
            body.Ret(true);
        });

        // A value is duplicated, one copy crosses a branch that tests the other.
        Add("DupAcross", Kind.Int32, [Kind.Int32], body =>
        {
            Body.Label positive = body.NewLabel();
            body.Ldarg(0);
            body.Op(ILOpCode.Dup);
            body.Op(ILOpCode.Dup);
            body.Ldc(0);
            body.Branch(ILOpCode.Bge, positive);
            body.Op(ILOpCode.Neg);
            body.Mark(positive);
            body.Op(ILOpCode.Xor);
            body.Ret(true);
        });

        // The argument is overwritten while its old value lies on the stack.
        Add("OldValue", Kind.Int32, [Kind.Int32, Kind.Int32], body =>
        {
            body.Ldarg(0);
            body.Ldarg(1);
            body.Starg(0);
            body.Ldarg(0);
            body.Ldc(1000);
            body.Op(ILOpCode.Mul);
            body.Op(ILOpCode.Add);
            body.Ret(true);
        });

        // The element is overwritten while its old value lies on the stack.
        Add("OldElement", new TypeOf(Kind.Int32), [new TypeOf(Kind.Int32, true), new TypeOf(Kind.Int32, true)], [], new Body(), body =>
        {
            body.Ldarg(0);
            body.Ldc(0);
            body.Op(ILOpCode.Ldelem_i4);
            body.Ldarg(1);
            body.Ldc(0);
            body.Ldc(77);
            body.Op(ILOpCode.Stelem_i4);
            body.Ldarg(0);
            body.Ldc(0);
            body.Op(ILOpCode.Ldelem_i4);
            body.Ldc(1000);
            body.Op(ILOpCode.Mul);
            body.Op(ILOpCode.Add);
            body.Ret(true);
        });

        // A division that traps is evaluated, though its value is dropped.
        Add("PopDivision", Kind.Int32, [Kind.Int32, Kind.Int32], body =>
        {
            body.Ldarg(0);
            body.Ldarg(1);
            body.Op(ILOpCode.Div);
            body.Op(ILOpCode.Pop);
            body.Ldarg(0);
            body.Ret(true);
        });
    }

    private void LoopShapes()
    {
        // Both locals change places through the stack at each turn.
        Add("SwapLoop", Kind.Int32, [Kind.Int32], [Kind.Int32, Kind.Int32], body =>
        {
            Body.Label top = body.NewLabel(), test = body.NewLabel();
            Start(body, 1, 2);
            body.Branch(ILOpCode.Br, test);
            body.Mark(top);
            body.Ldloc(0);
            body.Ldloc(1);
            body.Stloc(0);
            body.Stloc(1);
            CountDown(body);
            body.Mark(test);
            body.Ldarg(0);
            body.Ldc(0);
            body.Branch(ILOpCode.Bgt, top);
            Pair(body);
        });

        // x = y; y = y + 1, and the old x is used after the loop (lost copy).
        Add("LostCopy", Kind.Int32, [Kind.Int32], [Kind.Int32, Kind.Int32], body =>
        {
            Body.Label top = body.NewLabel();
            Start(body, -5, 1);
            body.Mark(top);
            body.Ldloc(1);
            body.Stloc(0);
            body.Ldloc(1);
            body.Ldc(1);
            body.Op(ILOpCode.Add);
            body.Stloc(1);
            CountDown(body);
            body.Ldarg(0);
            body.Ldc(0);
            body.Branch(ILOpCode.Bgt, top);
            Pair(body);
        });

        // A loop with two ways in.
        Add("TwoEntries", Kind.Int32, [Kind.Int32, Kind.Boolean], [Kind.Int32, Kind.Int32], body =>
        {
            Body.Label first = body.NewLabel(), second = body.NewLabel(), exit = body.NewLabel();
            Start(body, 0, 0);
            body.Ldarg(1);
            body.Branch(ILOpCode.Brtrue, second);
            body.Mark(first);
            Bump(body, 0, 1);
            body.Ldarg(0);
            body.Ldc(0);
            body.Branch(ILOpCode.Ble, exit);
            body.Mark(second);
            Bump(body, 1, 10);
            CountDown(body);
            body.Ldarg(0);
            body.Ldc(-3);
            body.Branch(ILOpCode.Bgt, first);
            body.Mark(exit);
            Pair(body);
        });

        // A loop whose exit goes into the middle of another.
        Add("CrossedLoops", Kind.Int32, [Kind.Int32], [Kind.Int32, Kind.Int32], body =>
        {
            Body.Label top = body.NewLabel(), middle = body.NewLabel(), exit = body.NewLabel();
            Start(body, 0, 0);
            body.Mark(top);
            Bump(body, 0, 1);
            body.Mark(middle);
            Bump(body, 1, 100);
            CountDown(body);
            body.Ldarg(0);
            body.Ldc(0);
            body.Branch(ILOpCode.Ble, exit);
            body.Ldarg(0);
            body.Ldc(1);
            body.Op(ILOpCode.And);
            body.Branch(ILOpCode.Brtrue, middle);
            body.Branch(ILOpCode.Br, top);
            body.Mark(exit);
            Pair(body);
        });

        // Code after the loop stands before it: all jumps but one go backwards.
        Add("Backwards", Kind.Int32, [Kind.Int32], [Kind.Int32, Kind.Int32], body =>
        {
            Body.Label start = body.NewLabel(), loop = body.NewLabel(), after = body.NewLabel();
            body.Branch(ILOpCode.Br, start);
            body.Mark(after);
            Pair(body);
            body.Mark(loop);
            Bump(body, 0, 3);
            CountDown(body);
            body.Ldarg(0);
            body.Ldc(0);
            body.Branch(ILOpCode.Ble, after);
            body.Branch(ILOpCode.Br, loop);
            body.Mark(start);
            Bump(body, 1, 7);
            body.Branch(ILOpCode.Br, loop);
        });
    }

    private void SwitchShapes()
    {
        // The selector is unsigned: -1 goes to the default. Two cases share a target, one goes to the next instruction.
        Add("Switch", Kind.Int32, [Kind.Int32], body =>
        {
            Body.Label next = body.NewLabel(), a = body.NewLabel(), b = body.NewLabel();
            body.Ldarg(0);
            body.Switch(a, b, a, next);
            body.Mark(next);
            body.Ldc(-1);
            body.Ret(true);
            body.Mark(a);
            body.Ldc(10);
            body.Ret(true);
            body.Mark(b);
            body.Ldc(20);
            body.Ret(true);
        });

        // Arms leave their values on the stack above another.
        Add("SwitchValue", Kind.Double, [Kind.Double, Kind.Int32], body =>
        {
            Body.Label one = body.NewLabel(), two = body.NewLabel(), end = body.NewLabel();
            body.Ldarg(0);
            body.Ldarg(1);
            body.Switch(one, two);
            body.Ldc(0.25);
            body.Branch(ILOpCode.Br, end);
            body.Mark(one);
            body.Ldc(1.5);
            body.Branch(ILOpCode.Br, end);
            body.Mark(two);
            body.Ldarg(0);
            body.Mark(end);
            body.Op(ILOpCode.Mul);
            body.Ret(true);
        });

        Add("SwitchEmpty", Kind.Int32, [Kind.Int32], body =>
        {
            body.Ldarg(0);
            body.Switch();
            body.Ldc(5);
            body.Ret(true);
        });

        // A case jumps back to the switch.
        Add("SwitchLoop", Kind.Int32, [Kind.Int32], [Kind.Int32, Kind.Int32], body =>
        {
            Body.Label top = body.NewLabel(), even = body.NewLabel(), odd = body.NewLabel();
            body.Mark(top);
            body.Ldarg(0);
            body.Ldc(0);
            body.Op(ILOpCode.Clt);
            body.Ldarg(0);
            body.Ldc(1);
            body.Op(ILOpCode.And);
            body.Op(ILOpCode.Add);
            body.Switch(even, odd);
            Pair(body);
            body.Mark(even);
            Bump(body, 0, 1);
            CountDown(body);
            body.Branch(ILOpCode.Br, top);
            body.Mark(odd);
            body.Ldarg(0);
            body.Ldc(-4);
            body.Op(ILOpCode.Add);
            body.Starg(0);
            Bump(body, 1, 2);
            body.Branch(ILOpCode.Br, top);
        });
    }

    private void NarrowShapes()
    {
        // Whatever lies on the stack, a return, an argument and a local cut it to their type (III.1.6).
        foreach (Kind kind in (Kind[])[Kind.Boolean, Kind.SByte, Kind.Byte, Kind.Int16, Kind.UInt16, Kind.Char])
        {
            int returns = Add($"Returns_{kind}", kind, [Kind.Int32], body =>
            {
                body.Ldarg(0);
                body.Ret(true);
            });
            int takes = Add($"Takes_{kind}", Kind.Int32, [kind], body =>
            {
                body.Ldarg(0);
                body.Ret(true);
            });
            foreach ((string name, int token) in (ReadOnlySpan<(string, int)>)[("Returned", returns), ("Taken", takes)])
            {
                Add($"{name}_{kind}", Kind.Int32, [Kind.Int32], body =>
                {
                    body.Ldarg(0);
                    body.Call(token, 1, true);
                    body.Ret(true);
                });
            }
            Add($"Kept_{kind}", Kind.Int32, [Kind.Int32], [kind], body =>
            {
                body.Ldarg(0);
                body.Stloc(0);
                body.Ldloc(0);
                body.Ret(true);
            });
            Add($"Argument_{kind}", Kind.Int32, [kind, Kind.Int32], body =>
            {
                body.Ldarg(1);
                body.Starg(0);
                body.Ldarg(0);
                body.Ret(true);
            });
        }
    }

    private void OtherShapes()
    {
        // Floats of both widths meet: the result has the wider one.
        Add("MixedFloats", Kind.Double, [Kind.Single, Kind.Double], body =>
        {
            body.Ldarg(0);
            body.Ldarg(1);
            body.Op(ILOpCode.Add);
            body.Ret(true);
        });
        Add("MixedNative", Kind.IntPtr, [Kind.Int32, Kind.IntPtr], body =>
        {
            body.Ldarg(0);
            body.Ldarg(1);
            body.Op(ILOpCode.Sub);
            body.Ret(true);
        });
        // A double returned as Single is rounded; a Single returned as Double is exact.
        Add("ReturnNarrowed", Kind.Single, [Kind.Double], body =>
        {
            body.Ldarg(0);
            body.Ret(true);
        });

        // Long forms of everything that has a short one, nop and code that is never reached.
        Add("LongForms", new TypeOf(Kind.Int32), [new TypeOf(Kind.Int32), new TypeOf(Kind.Int32)], [Kind.Int32, Kind.Int32],
            new Body { LongBranches = true }, body =>
        {
            Body.Label over = body.NewLabel(), dead = body.NewLabel();
            body.Op(ILOpCode.Ldarg, 0);
            body.Op(ILOpCode.Stloc, 1);
            body.Op(ILOpCode.Nop);
            body.Op(ILOpCode.Ldloc, 1);
            body.Op(ILOpCode.Ldc_i4, 5);
            body.Op(ILOpCode.Add);
            body.Op(ILOpCode.Starg, 0);
            body.Branch(ILOpCode.Br, over);
            body.Op(ILOpCode.Ldc_i4, 9);
            body.Op(ILOpCode.Pop);
            body.Mark(dead);
            body.Branch(ILOpCode.Br, dead);
            body.Mark(over);
            body.Op(ILOpCode.Ldarg_s, 0);
            body.Op(ILOpCode.Ldloc_s, 1);
            body.Op(ILOpCode.Sub);
            body.Op(ILOpCode.Ldarg_s, 1);
            body.Op(ILOpCode.Add);
            body.Op(ILOpCode.Ldc_i4_s, -100);
            body.Op(ILOpCode.Ldc_i4_m1);
            body.Op(ILOpCode.Mul);
            body.Op(ILOpCode.Add);
            body.Ret(true);
        });

        // a.b and a_b, a name that is C's, one that is empty, one that is not ASCII: all are different parameters.
        TypeOf one = new(Kind.Int32);
        Add("Names", one, [one, one, one, one, one, one], [], new Body(), body =>
        {
            body.Ldarg(0);
            for (int k = 1; k < 6; k++)
            {
                body.Ldc(10);
                body.Op(ILOpCode.Mul);
                body.Ldarg(k);
                body.Op(ILOpCode.Add);
            }
            body.Ret(true);
        }, ["a.b", "a_b", "restrict", "", "größe", "a b"]);

        // Null tests, as compilers write them and as they do not.
        TypeOf array = new(Kind.Double, true);
        Add("NullTests", one, [array, array], [], new Body(), body =>
        {
            Body.Label notNull = body.NewLabel();
            body.Ldarg(0);
            body.Op(ILOpCode.Ldnull);
            body.Op(ILOpCode.Cgt_un);
            body.Ldarg(0);
            body.Ldarg(1);
            body.Op(ILOpCode.Ceq);
            body.Ldc(1);
            body.Op(ILOpCode.Shl);
            body.Op(ILOpCode.Or);
            body.Op(ILOpCode.Ldnull);
            body.Ldarg(1);
            body.Branch(ILOpCode.Bne_un, notNull);
            body.Ldc(4);
            body.Op(ILOpCode.Or);
            body.Mark(notNull);
            body.Ret(true);
        });
        Add("NativeLength", new TypeOf(Kind.UIntPtr), [array], [], new Body(), body =>
        {
            body.Ldarg(0);
            body.Op(ILOpCode.Ldlen);
            body.Ret(true);
        });
        // A sign-extending load from unsigned elements: the instruction decides.
        Add("SignedLoad", one, [new TypeOf(Kind.Byte, true)], [], new Body(), body =>
        {
            body.Ldarg(0);
            body.Ldc(0);
            body.Op(ILOpCode.Ldelem_i1);
            body.Ret(true);
        });
        // The store's order: the null array is found only after the value was computed.
        Add("StoreOrder", new TypeOf(Kind.Void), [new TypeOf(Kind.Int32, true), one, one], [], new Body(), body =>
        {
            body.Ldarg(0);
            body.Ldarg(1);
            body.Ldarg(1);
            body.Ldarg(2);
            body.Op(ILOpCode.Div);
            body.Op(ILOpCode.Stelem_i4);
            body.Ret(false);
        });
    }

    private static void Start(Body body, int first, int second)
    {
        body.Ldc(first);
        body.Stloc(0);
        body.Ldc(second);
        body.Stloc(1);
    }

    private static void Bump(Body body, int local, int by)
    {
        body.Ldloc(local);
        body.Ldc(by);
        body.Op(ILOpCode.Add);
        body.Stloc(local);
    }

    private static void CountDown(Body body)
    {
        body.Ldarg(0);
        body.Ldc(1);
        body.Op(ILOpCode.Sub);
        body.Starg(0);
    }

    /// <summary>return local 0 * 1000 + local 1</summary>
    private static void Pair(Body body)
    {
        body.Ldloc(0);
        body.Ldc(1000);
        body.Op(ILOpCode.Mul);
        body.Ldloc(1);
        body.Op(ILOpCode.Add);
        body.Ret(true);
    }
}
