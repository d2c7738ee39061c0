// Random expressions: each leaves one value of the wanted stack type.

using System.Reflection.Metadata;

namespace Generator;

internal sealed partial class MethodMaker
{
    private (int Array, int Counter)? _counted; // within a loop over this array: its counter

    private static readonly int[] Edges32 = [0, 1, -1, 2, 7, 31, 100, 255, 256, -128, 32767, 65535, 65536, 46341, int.MaxValue, int.MinValue];

    private static readonly double[] EdgesReal =
        [0, -0.0, 1, -1, 0.5, 2.5, -2.5, 0.1, 3, 255.5, 1e10, -1e19, 4294967296, 1e-40, 1e300, 16777217,
         double.NaN, double.PositiveInfinity, double.NegativeInfinity];

    /// <summary>A value to be kept as this kind. Booleans are only made from comparisons, so that they are 0 or 1.</summary>
    private void Value(Kind kind, int depth)
    {
        if (kind == Kind.Boolean)
        {
            Truth(depth);
            return;
        }
        Expression(kind.OnStack(), depth);
        // Without the conversion, the store, the call or the return cuts the value (III.1.6).
        if (Chance(50) && Narrowing(kind) is { } op)
            Op(op);
    }

    private static ILOpCode? Narrowing(Kind kind) => kind switch
    {
        Kind.SByte => ILOpCode.Conv_i1,
        Kind.Byte => ILOpCode.Conv_u1,
        Kind.Int16 => ILOpCode.Conv_i2,
        Kind.UInt16 or Kind.Char => ILOpCode.Conv_u2,
        _ => null,
    };

    private void Expression(Stack stack, int depth)
    {
        int node = Enter();
        if (_features == Features.None || !WideExpression(stack, depth))
            CoreExpression(stack, depth);
        Leave(node, stack);
    }

    private void CoreExpression(Stack stack, int depth)
    {
        if (depth <= 0 || Chance(15))
        {
            Leaf(stack);
            return;
        }
        int choice = _random.Next(100);
        if (choice < 8)
            Choose(stack, depth - 1);
        else if (choice < 11)
            ChooseBySwitch(stack, depth - 1);
        else if (choice < 16 && Invoke(made => made.Result.IsScalar && made.Result.Kind is not (Kind.Void or Kind.Boolean) && made.Result.Kind.OnStack() == stack, out _))
            return;
        else if (choice < 26 && stack != Stack.I)
            Library(stack, depth - 1);
        else if (choice < 44)
            Convert(stack, depth - 1);
        else if (choice < 48)
            Squared(stack, depth - 1);
        else if (choice < 50)
            Keep(stack, depth - 1);
        else if (choice < 51 && _turns < 100)
            Fold(stack, depth - 1);
        else if (choice < 57)
            Unary(stack, depth - 1);
        else if (choice < 65 && stack == Stack.I4)
            Truth(depth - 1);
        else if (choice < 72)
            Leaf(stack);
        else
            Binary(stack, depth - 1);
    }

    private void Leaf(Stack stack)
    {
        int choice = _random.Next(10);
        if (choice < 6 && Place(t => t.IsScalar && t.Kind.OnStack() == stack) is { } place)
            Load(place);
        else if (choice < 8 && Place(t => t.IsVector && t.Kind.OnStack() == stack) is { } array)
            LoadElement(array);
        else if (choice < 9 && stack is Stack.I4 or Stack.I && Place(t => t.IsVector) is { } any)
            Length(any, stack);
        else
            Constant(stack);
    }

    private void Length(int array, Stack stack)
    {
        Load(array);
        Op(ILOpCode.Ldlen);
        // ECMA's native unsigned int is an int32 to CoreCLR until it is converted (III.4.12), as all compilers do.
        Op(stack == Stack.I4 ? ILOpCode.Conv_i4 : Pick(ILOpCode.Conv_i, ILOpCode.Conv_u));
    }

    private void Constant(Stack stack)
    {
        int small = _random.Next(-9, 10);
        switch (stack)
        {
            case Stack.I4:
                _body.Ldc(Chance(60) ? small : PickFrom(Edges32));
                break;
            case Stack.I8:
                _body.Ldc(Chance(60) ? small : Pick(0L, 1, -1, int.MaxValue, 1L << 32, 1L << 53, long.MaxValue, long.MinValue));
                break;
            case Stack.I:
                _body.Ldc(Chance(60) ? small : PickFrom(Edges32));
                Op(Pick(ILOpCode.Conv_i, ILOpCode.Conv_u));
                break;
            case Stack.R4:
                _body.Ldc(Chance(60) ? small * 0.25f : (float)PickFrom(EdgesReal));
                break;
            default:
                _body.Ldc(Chance(60) ? small * 0.25 : PickFrom(EdgesReal));
                break;
        }
    }

    private void LoadElement(int array)
    {
        Load(array);
        Index(array);
        // The array says how wide an element is, the instruction how it is read.
        bool otherSign = Chance(6);
        switch (TypeOfPlace(array).Kind)
        {
            case Kind.Byte when otherSign: Op(ILOpCode.Ldelem_i1); break;
            case Kind.SByte when otherSign: Op(ILOpCode.Ldelem_u1); break;
            case Kind.UInt16 or Kind.Char when otherSign: Op(ILOpCode.Ldelem_i2); break;
            case Kind.Int16 when otherSign: Op(ILOpCode.Ldelem_u2); break;
            case Kind.Int32 when otherSign: Op(ILOpCode.Ldelem_u4); break;
            case Kind.UInt32 when otherSign: Op(ILOpCode.Ldelem_i4); break;
            case Kind.Boolean or Kind.Byte: Op(ILOpCode.Ldelem_u1); break;
            case Kind.SByte: Op(ILOpCode.Ldelem_i1); break;
            case Kind.Char or Kind.UInt16: Op(ILOpCode.Ldelem_u2); break;
            case Kind.Int16: Op(ILOpCode.Ldelem_i2); break;
            case Kind.Int32 when Chance(90): Op(ILOpCode.Ldelem_i4); break;
            case Kind.UInt32: Op(ILOpCode.Ldelem_u4); break;
            case Kind.Int64 or Kind.UInt64: Op(ILOpCode.Ldelem_i8); break;
            case Kind.IntPtr or Kind.UIntPtr: Op(ILOpCode.Ldelem_i); break;
            case Kind.Single: Op(ILOpCode.Ldelem_r4); break;
            case Kind.Double: Op(ILOpCode.Ldelem_r8); break;
            case var kind: _body.Op(ILOpCode.Ldelem, _assembly.ElementType(kind)); break;
        }
    }

    /// <summary>A subscript of this array; most are in range.</summary>
    private void Index(int array)
    {
        int choice = _random.Next(100);
        if (_counted is { } counted && (counted.Array == array || choice < 40))
        {
            _body.Ldloc(counted.Counter);
            return;
        }
        if (choice < 45 && Rarely(100))
        {
            _body.Ldc(_random.Next(0, 4));
        }
        else if (choice < (_features == Features.None ? 95 : 98))
        {
            // expression mod Length, as unsigned numbers
            Expression(Stack.I4, 1);
            Length(array, Stack.I4);
            Op(ILOpCode.Rem_un);
        }
        else
        {
            Expression(Stack.I4, 1);
            _body.Ldc(7);
            Op(ILOpCode.And);
        }
        if (Chance(8))
            Op(Pick(ILOpCode.Conv_i, ILOpCode.Conv_u));
    }

    private void Binary(Stack stack, int depth)
    {
        int start = _body.Count;
        Expression(stack, depth);
        if (stack.IsFloat())
        {
            Expression(stack == Stack.R8 && Chance(4) ? Stack.R4 : stack, depth);
            Op(Pick(ILOpCode.Add, ILOpCode.Sub, ILOpCode.Mul, ILOpCode.Div, ILOpCode.Add, ILOpCode.Mul, ILOpCode.Rem));
            return;
        }
        int choice = _random.Next(100);
        if (choice < 15)
        {
            Shift(stack);
            return;
        }
        if (stack == Stack.I && choice is >= 15 and < 25)
        {
            // int32 and native int mix (III.1.5, table 2)
            Expression(Stack.I4, depth);
            Op(Pick(ILOpCode.Add, ILOpCode.Sub, ILOpCode.Mul, ILOpCode.And, ILOpCode.Xor));
            return;
        }
        if (choice < 27)
        {
            Divisor(stack, depth);
            if (stack == Stack.I4)
                _body.SubtractNoMinimum(start);
            Op(Pick(ILOpCode.Div, ILOpCode.Rem, ILOpCode.Div_un, ILOpCode.Rem_un));
            return;
        }
        Expression(stack, depth);
        if (choice < 38 && _features != Features.None && !Chance(33))
            choice = 60;
        Op(choice switch
        {
            < 36 => Pick(ILOpCode.Add_ovf, ILOpCode.Sub_ovf, ILOpCode.Mul_ovf),
            < 38 => Pick(ILOpCode.Add_ovf_un, ILOpCode.Sub_ovf_un, ILOpCode.Mul_ovf_un),
            < 70 => Pick(ILOpCode.Add, ILOpCode.Sub, ILOpCode.Mul),
            _ => Pick(ILOpCode.And, ILOpCode.Or, ILOpCode.Xor, ILOpCode.Add),
        });
    }

    /// <summary>Compilers mask a variable count; a constant one is below the width.</summary>
    private void Shift(Stack stack)
    {
        int mask = stack == Stack.I4 ? 31 : 63;
        if (Chance(60))
        {
            _body.Ldc(_random.Next(mask + 1));
        }
        else
        {
            Expression(Stack.I4, 1);
            _body.Ldc(mask);
            Op(ILOpCode.And);
            if (Chance(8))
                Op(ILOpCode.Conv_i);
        }
        Op(Pick(ILOpCode.Shl, ILOpCode.Shr, ILOpCode.Shr_un));
    }

    /// <summary>Mostly not zero: constants, or something with its lowest bit set.</summary>
    private void Divisor(Stack stack, int depth)
    {
        if (Rarely(20))
        {
            Expression(stack, depth);
            return;
        }
        if (Chance(50))
        {
            Expression(stack, depth);
            Number(stack, 1);
            Op(ILOpCode.Or);
        }
        else
        {
            Number(stack, Pick(1, 2, 3, 7, 10, -1, -2, 1000));
        }
    }

    private void Number(Stack stack, int value)
    {
        if (stack == Stack.R4)
        {
            _body.Ldc((float)value);
            return;
        }
        if (stack == Stack.R8)
        {
            _body.Ldc((double)value);
            return;
        }
        if (stack == Stack.I8)
        {
            _body.Ldc((long)value);
            return;
        }
        _body.Ldc(value);
        if (stack == Stack.I)
            Op(ILOpCode.Conv_i);
    }

    private void Unary(Stack stack, int depth)
    {
        Expression(stack, depth);
        Op(stack.IsFloat() ? ILOpCode.Neg : Pick(ILOpCode.Neg, ILOpCode.Not));
    }

    private void Squared(Stack stack, int depth)
    {
        Expression(stack, depth);
        Op(ILOpCode.Dup);
        if (Chance(50))
            Constant(stack);
        else
            Expression(stack, depth - 1);
        Op(Pick(ILOpCode.Add, ILOpCode.Sub, ILOpCode.Mul));
        Op(Pick(ILOpCode.Mul, ILOpCode.Add, ILOpCode.Sub));
    }

    /// <summary>The value is also stored, while older values of that place may still lie on the stack; or x++.</summary>
    private void Keep(Stack stack, int depth)
    {
        if (Place(t => t is { IsScalar: true, Kind: not Kind.Boolean } && t.Kind.OnStack() == stack, writable: true) is not { } place)
        {
            Leaf(stack);
        }
        else if (Chance(50))
        {
            Expression(stack, depth);
            Op(ILOpCode.Dup);
            Store(place);
        }
        else
        {
            Load(place);
            Op(ILOpCode.Dup);
            if (Chance(50))
                Number(stack, Pick(1, -1, 2));
            else
                Expression(stack, depth);
            Op(Pick(ILOpCode.Add, ILOpCode.Sub));
            Store(place);
        }
    }

    /// <summary>A loop with one or two values on the stack from turn to turn; two may change places.</summary>
    private void Fold(Stack stack, int depth)
    {
        int counter = NewLocal(Kind.Int32);
        _counters.Add(counter);
        bool two = Chance(50);
        Kind kind = Kinds.All.First(k => k != Kind.Boolean && k.OnStack() == stack && k is Kind.Int32 or Kind.Int64 or Kind.IntPtr or Kind.Single or Kind.Double);
        int first = NewLocal(kind), second = NewLocal(kind);
        int turns = _random.Next(1, 5);
        Expression(stack, depth);
        if (two)
            Expression(stack, depth);
        _body.Ldc(0);
        _body.Stloc(counter);
        Body.Label top = _body.NewLabel();
        _body.Mark(top);
        _turns *= turns;
        if (two)
        {
            bool swap = Chance(60);
            _body.Stloc(first);
            _body.Stloc(second);
            _body.Ldloc(swap ? first : second);
            _body.Ldloc(swap ? second : first);
        }
        if (!two || Chance(70))
        {
            if (Chance(40))
                Op(ILOpCode.Dup);
            else
                Expression(stack, Math.Min(depth, 1));
            Op(Pick(ILOpCode.Add, ILOpCode.Sub, ILOpCode.Mul));
        }
        _turns /= turns;
        Step(counter, ILOpCode.Add);
        _body.Ldloc(counter);
        _body.Ldc(turns);
        _body.Branch(ILOpCode.Blt, top);
        if (two)
            Op(Pick(ILOpCode.Sub, ILOpCode.Add, ILOpCode.Mul));
    }

    private static readonly ILOpCode[] Narrow =
        [ILOpCode.Conv_i1, ILOpCode.Conv_u1, ILOpCode.Conv_i2, ILOpCode.Conv_u2, ILOpCode.Conv_i4, ILOpCode.Conv_u4];

    private static readonly ILOpCode[] NarrowChecked =
        [ILOpCode.Conv_ovf_i1, ILOpCode.Conv_ovf_u1, ILOpCode.Conv_ovf_i2, ILOpCode.Conv_ovf_u2, ILOpCode.Conv_ovf_i4, ILOpCode.Conv_ovf_u4];

    private static readonly ILOpCode[] NarrowCheckedUnsigned =
        [ILOpCode.Conv_ovf_i1_un, ILOpCode.Conv_ovf_u1_un, ILOpCode.Conv_ovf_i2_un, ILOpCode.Conv_ovf_u2_un, ILOpCode.Conv_ovf_i4_un,
         ILOpCode.Conv_ovf_u4_un];

    private void Convert(Stack stack, int depth)
    {
        Stack from = Pick(Stack.I4, Stack.I8, Stack.I, Stack.R4, Stack.R8, Stack.I4);
        Expression(from, depth);
        bool isChecked = Rarely(12), isUnsigned = Chance(30);
        switch (stack)
        {
            case Stack.I4:
                Op(PickFrom(!isChecked ? Narrow : isUnsigned ? NarrowCheckedUnsigned : NarrowChecked));
                break;
            case Stack.I8:
                Op((isChecked, isUnsigned) switch
                {
                    (false, _) => Pick(ILOpCode.Conv_i8, ILOpCode.Conv_u8),
                    (true, false) => Pick(ILOpCode.Conv_ovf_i8, ILOpCode.Conv_ovf_u8),
                    _ => Pick(ILOpCode.Conv_ovf_i8_un, ILOpCode.Conv_ovf_u8_un),
                });
                break;
            case Stack.I:
                Op((isChecked, isUnsigned) switch
                {
                    (false, _) => Pick(ILOpCode.Conv_i, ILOpCode.Conv_u),
                    (true, false) => Pick(ILOpCode.Conv_ovf_i, ILOpCode.Conv_ovf_u),
                    _ => Pick(ILOpCode.Conv_ovf_i_un, ILOpCode.Conv_ovf_u_un),
                });
                break;
            default:
                // conv.r.un takes an integer as unsigned
                if (isUnsigned && !from.IsFloat())
                {
                    Op(ILOpCode.Conv_r_un);
                    if (stack == Stack.R8 && Chance(30))
                        break;
                    if (Chance(10))
                        Op(ILOpCode.Neg);
                }
                Op(stack == Stack.R4 ? ILOpCode.Conv_r4 : ILOpCode.Conv_r8);
                break;
        }
    }

    /// <summary>Both arms leave their value on the stack, above what already lies there.</summary>
    private void Choose(Stack stack, int depth)
    {
        Body.Label otherwise = _body.NewLabel(), end = _body.NewLabel();
        Condition(otherwise, Math.Min(depth, 1));
        Expression(stack, depth);
        _body.Branch(ILOpCode.Br, end);
        _body.Mark(otherwise);
        // The value of the first arm is not there on the way to the second.
        Expression(stack, depth);
        _body.Mark(end);
    }

    private void ChooseBySwitch(Stack stack, int depth)
    {
        Body.Label[] arms = Enumerable.Range(0, _random.Next(1, 4)).Select(_ => _body.NewLabel()).ToArray();
        Body.Label end = _body.NewLabel();
        Expression(Stack.I4, 1);
        _body.Ldc(3);
        Op(ILOpCode.And);
        _body.Switch(arms);
        Expression(stack, depth);
        foreach (Body.Label arm in arms)
        {
            _body.Branch(ILOpCode.Br, end);
            _body.Mark(arm);
            Expression(stack, Math.Min(depth, 1));
        }
        _body.Mark(end);
    }

    /// <summary>0 or 1.</summary>
    private void Truth(int depth)
    {
        int choice = _random.Next(10);
        if (choice < 2 && Place(t => t is { Kind: Kind.Boolean, IsScalar: true }) is { } place)
        {
            Load(place);
        }
        else if (choice < 3 && Place(t => t is { Kind: Kind.Boolean, IsVector: true }) is { } array)
        {
            LoadElement(array);
        }
        else if (choice < 4 && Place(t => t.IsVector) is { } any)
        {
            IsNullOrSame(any);
        }
        else if (choice < 6 && depth > 0)
        {
            Truth(depth - 1);
            if (Chance(50))
            {
                Truth(depth - 1);
                Op(Pick(ILOpCode.And, ILOpCode.Or, ILOpCode.Xor));
            }
            else
            {
                _body.Ldc(0);
                Op(ILOpCode.Ceq);
            }
        }
        else if (choice < 7 && depth > 0)
        {
            ShortCircuit(depth - 1);
        }
        else
        {
            Stack stack = Pick(Stack.I4, Stack.I4, Stack.I8, Stack.I, Stack.R4, Stack.R8);
            Expression(stack, depth);
            Stack other = Beside(stack);
            Expression(other, depth - 1);
            if (IsUncertain(stack, other))
                Op(Pick(ILOpCode.Ceq, ILOpCode.Clt, ILOpCode.Cgt));
            else
                Op(Pick(ILOpCode.Ceq, ILOpCode.Clt, ILOpCode.Clt_un, ILOpCode.Cgt, ILOpCode.Cgt_un));
        }
    }

    /// <summary>cgt.un of references means "is not null" (III.1.5, table 4): of two objects it compares addresses.</summary>
    private void IsNullOrSame(int array)
    {
        TypeOf type = TypeOfPlace(array);
        if (Chance(50) && Place(t => t == type) is { } other)
        {
            Load(array);
            Load(other);
            Op(ILOpCode.Ceq);
        }
        else if (Chance(20))
        {
            Op(ILOpCode.Ldnull);
            Load(array);
            Op(ILOpCode.Ceq);
        }
        else
        {
            Load(array);
            Op(ILOpCode.Ldnull);
            Op(Pick(ILOpCode.Ceq, ILOpCode.Cgt_un));
        }
    }

    /// <summary>a AndAlso b as a value: the second operand is not evaluated when the first decides.</summary>
    private void ShortCircuit(int depth)
    {
        Body.Label decided = _body.NewLabel(), end = _body.NewLabel();
        bool and = Chance(50);
        Truth(depth);
        _body.Branch(and ? ILOpCode.Brfalse : ILOpCode.Brtrue, decided);
        Truth(depth);
        _body.Branch(ILOpCode.Br, end);
        _body.Mark(decided);
        _body.Ldc(and ? 0 : 1);
        _body.Mark(end);
    }

    /// <summary>What may be compared with it: int32 with native int, float32 with float64 (III.1.5, table 4).</summary>
    private Stack Beside(Stack stack)
    {
        if (!Chance(8))
            return stack;
        return stack switch
        {
            Stack.I => Stack.I4,
            Stack.I4 => Stack.I,
            Stack.R8 => Stack.R4,
            Stack.R4 => Stack.R8,
            _ => stack,
        };
    }

    /// <summary>Unsigned compares of int32 with native int: CoreCLR widens an int32 by zeros, but a constant by its
    /// sign, and what is a constant depends on how far it optimizes. No compiler writes them.</summary>
    private static bool IsUncertain(Stack a, Stack b) => a != b && !a.IsFloat();

    private static readonly ILOpCode[] Branches =
        [ILOpCode.Beq, ILOpCode.Bne_un, ILOpCode.Blt, ILOpCode.Blt_un, ILOpCode.Ble, ILOpCode.Ble_un, ILOpCode.Bgt, ILOpCode.Bgt_un,
         ILOpCode.Bge, ILOpCode.Bge_un];

    /// <summary>A conditional jump, of any of the compilers' forms.</summary>
    private void Condition(Body.Label target, int depth)
    {
        int choice = _random.Next(10);
        if (choice < 6)
        {
            Stack stack = Pick(Stack.I4, Stack.I4, Stack.I8, Stack.I, Stack.R4, Stack.R8);
            Expression(stack, depth);
            Stack other = Beside(stack);
            Expression(other, Math.Min(depth, 1));
            if (IsUncertain(stack, other))
                _body.Branch(Pick(ILOpCode.Beq, ILOpCode.Blt, ILOpCode.Ble, ILOpCode.Bgt, ILOpCode.Bge), target);
            else
                _body.Branch(PickFrom(Branches), target);
        }
        else if (choice < 8)
        {
            Truth(depth);
            _body.Branch(Pick(ILOpCode.Brtrue, ILOpCode.Brfalse), target);
        }
        else if (choice < 9 && Place(t => t.IsVector) is { } array)
        {
            TypeOf type = TypeOfPlace(array);
            Load(array);
            if (Chance(25))
            {
                Load(Place(t => t == type)!.Value);
                _body.Branch(Pick(ILOpCode.Beq, ILOpCode.Bne_un), target);
            }
            else
            {
                _body.Branch(Pick(ILOpCode.Brtrue, ILOpCode.Brfalse), target);
            }
        }
        else
        {
            Expression(Pick(Stack.I4, Stack.I8, Stack.I), depth);
            _body.Branch(Pick(ILOpCode.Brtrue, ILOpCode.Brfalse), target);
        }
    }

    /// <summary>Calls an earlier method that the test accepts and that is cheap enough here.</summary>
    private bool Invoke(Func<Made, bool> accepts, out TypeOf result)
    {
        result = default;
        if (_earlier.Count == 0)
            return false;
        int number = _random.Next(_earlier.Count);
        for (int tries = 0; !accepts(_earlier[number]) && tries < 20; tries++)
            number = _random.Next(_earlier.Count);
        Made made = _earlier[number];
        if (!accepts(made) || _cost + made.Cost * _turns > MostCost
            || made.Parameters.Any(p => p.IsAnyArray && Place(t => t == p) == null))
            return false;
        for (int k = 0; k < made.Parameters.Count; k++)
        {
            if (k == 0 && made.HasFuel)
                _body.Ldc(_random.Next(0, FuelOfCalls + 1));
            else
                Argument(made.Parameters[k], 1);
        }
        _body.Call(made.Token, made.Parameters.Count, made.Result.IsStruct || made.Result.Kind != Kind.Void);
        _callees.Add((_body.Count - 1, number));
        _cost += made.Cost * _turns;
        result = made.Result;
        return true;
    }

    private void Argument(TypeOf type, int depth)
    {
        if (type.IsAnyArray)
            Load(Place(t => t == type)!.Value);
        else if (type is { IsRef: true, Struct: { } to })
            StructAddress(to);
        else if (type.IsRef)
            Address(type.Kind, depth);
        else if (type.IsStruct)
            StructValue(type.Struct!, depth);
        else
            Value(type.Kind, depth);
    }

    private static readonly string[] RealUnary = ["Abs", "Sqrt", "Floor", "Ceiling", "Truncate", "Round"];

    /// <summary>A function of Math or MathF.</summary>
    private void Library(Stack stack, int depth)
    {
        string type = "Math";
        string name;
        Kind kind;
        int arity = 1;
        Kind result;
        if (stack.IsFloat())
        {
            bool two = Chance(50);
            name = two ? Pick("Min", "Max") : PickFrom(RealUnary);
            kind = result = stack == Stack.R4 ? Kind.Single : Kind.Double;
            arity = two ? 2 : 1;
            // Math has Single overloads of these three only.
            if (kind == Kind.Single && (name is not ("Abs" or "Min" or "Max") || Chance(50)))
                type = "MathF";
        }
        else if (stack == Stack.I8)
        {
            name = Pick("Min", "Max", "Abs");
            kind = result = name == "Abs" ? Kind.Int64 : Pick(Kind.Int64, Kind.UInt64);
            arity = name == "Abs" ? 1 : 2;
        }
        else
        {
            name = Pick("Min", "Max", "Min", "Max", "Abs", "Sign");
            if (name == "Sign")
            {
                kind = Pick(Kind.Int32, Kind.Int64, Kind.Double, Kind.Single, Kind.Int16, Kind.SByte);
                result = Kind.Int32;
            }
            else
            {
                kind = result = name == "Abs"
                    ? Pick(Kind.Int32, Kind.Int16, Kind.SByte, Kind.Int32)
                    : Pick(Kind.Int32, Kind.UInt32, Kind.Int16, Kind.UInt16, Kind.Byte, Kind.SByte, Kind.Int32);
                arity = name == "Abs" ? 1 : 2;
            }
        }
        for (int k = 0; k < arity; k++)
            Value(kind, depth);
        int token = _assembly.Library(type, name, result, Enumerable.Repeat(kind, arity).ToArray());
        _body.Call(token, arity, true);
    }
}
