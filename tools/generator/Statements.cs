// Random statements. Between statements the stack is empty.

using System.Reflection.Metadata;

namespace Generator;

internal sealed partial class MethodMaker
{
    private readonly record struct Loop(Body.Label Continue, Body.Label Break);

    private readonly Stack<Loop> _loops = [];
    private readonly List<Body.Label> _ahead = []; // labels further on in the blocks around: jumps to them are forward
    private Body.Label? _inside;                   // to be placed within the next nested block

    private void Block(int statements, int depth)
    {
        PlaceInside();
        int count = _random.Next(1, statements + 2);
        Body.Label? skip = null;
        int at = 0;
        for (int k = 0; k < count && _body.Reachable; k++)
        {
            if (skip == null && k + 1 < count && Chance(8))
            {
                skip = _body.NewLabel();
                at = _random.Next(k + 1, count);
                _ahead.Add(skip);
            }
            if (skip != null && k >= at)
                PlaceSkip(ref skip);
            int from = Written;
            Statement(depth);
            Count(from);
        }
        if (skip != null)
            PlaceSkip(ref skip);
    }

    private void PlaceSkip(ref Body.Label? skip)
    {
        _ahead.Remove(skip!);
        if (skip!.Depth >= 0 || _body.Reachable)
            _body.Mark(skip);
        skip = null;
    }

    private void PlaceInside()
    {
        if (_inside is not { } label)
            return;
        _inside = null;
        _body.Mark(label);
    }

    private void Statement(int depth)
    {
        int node = Enter();
        if (_features == Features.None || !WideStatement(depth))
            CoreStatement(depth);
        Leave(node, null);
    }

    private void CoreStatement(int depth)
    {
        int choice = _random.Next(100);
        if (depth < 3 && choice < 14)
            If(depth);
        else if (depth < 3 && choice < 22 && _turns < 200)
            Repeat(depth);
        else if (depth < 3 && choice < 26)
            SwitchStatement(depth);
        else if (choice < 46)
            StoreElement();
        else if (choice < 49)
            StoreTwice();
        else if (choice < 51)
            CallAndDrop();
        else if (choice < 55)
            Jump();
        else if (choice < 57)
            MaybeThrow();
        else if (choice < 58)
            MaybeReturn();
        else if (choice < 59)
            Drop();
        else if (choice < 60)
            Exchange();
        else if (choice < 61)
            StoreArray();
        else
            Assign();
    }

    private void Assign()
    {
        if (Place(t => t.IsScalar, writable: true) is not { } place)
            return;
        Kind kind = TypeOfPlace(place).Kind;
        if (Chance(40) && kind is not (Kind.Boolean or Kind.Char))
            Accumulate(place, kind);
        else
            Value(kind, 3);
        Store(place);
    }

    /// <summary>place = place op expression</summary>
    private void Accumulate(int place, Kind kind)
    {
        Stack stack = kind.OnStack();
        Load(place);
        Expression(stack, 2);
        Op(stack.IsFloat()
            ? Pick(ILOpCode.Add, ILOpCode.Sub, ILOpCode.Mul)
            : Pick(ILOpCode.Add, ILOpCode.Sub, ILOpCode.Xor, ILOpCode.Mul));
    }

    private void StoreElement()
    {
        if (Place(t => t.IsVector) is not { } array)
        {
            Assign();
            return;
        }
        Kind kind = TypeOfPlace(array).Kind;
        Load(array);
        Index(array);
        Value(kind, 2);
        switch (kind)
        {
            case Kind.Boolean or Kind.SByte or Kind.Byte: Op(ILOpCode.Stelem_i1); break;
            case Kind.Char or Kind.Int16 or Kind.UInt16: Op(ILOpCode.Stelem_i2); break;
            case Kind.Int32 or Kind.UInt32 when Chance(90): Op(ILOpCode.Stelem_i4); break;
            case Kind.Int64 or Kind.UInt64: Op(ILOpCode.Stelem_i8); break;
            case Kind.IntPtr or Kind.UIntPtr: Op(ILOpCode.Stelem_i); break;
            case Kind.Single: Op(ILOpCode.Stelem_r4); break;
            case Kind.Double: Op(ILOpCode.Stelem_r8); break;
            default: _body.Op(ILOpCode.Stelem, _assembly.ElementType(kind)); break;
        }
    }

    private void StoreTwice()
    {
        if (Place(t => t is { IsScalar: true, Kind: not Kind.Boolean }, writable: true) is not { } first)
            return;
        Stack stack = TypeOfPlace(first).Kind.OnStack();
        if (Place(t => t.IsScalar && t.Kind != Kind.Boolean && t.Kind.OnStack() == stack, writable: true) is not { } second)
            return;
        Expression(stack, 2);
        Op(ILOpCode.Dup);
        Store(first);
        Store(second);
    }

    /// <summary>An array local takes another array.</summary>
    private void StoreArray()
    {
        int local = _locals.FindIndex(t => t.IsVector);
        if (local < 0 || Place(t => t == _locals[local]) is not { } from)
        {
            Assign();
            return;
        }
        if (Chance(10))
            Op(ILOpCode.Ldnull);
        else
            Load(from);
        _body.Stloc(local);
    }

    private void CallAndDrop()
    {
        if (!Invoke(made => true, out TypeOf result))
            Assign();
        else if (result.IsStruct || result.Kind != Kind.Void)
            Op(ILOpCode.Pop);
    }

    /// <summary>A conditional jump out of loops and blocks, always forward; or break and continue.</summary>
    private void Jump()
    {
        Body.Label? target = null;
        // Of the innermost loop, or of one around it.
        if (_loops.TryPeek(out Loop loop) && Chance(60))
        {
            if (Chance(30))
                loop = PickFrom(_loops.ToArray());
            target = Chance(50) ? loop.Break : loop.Continue;
        }
        else if (_ahead.Count > 0)
            target = PickFrom(_ahead);
        if (target != null)
            Condition(target, 1);
        else
            Assign();
    }

    /// <summary>A value that nobody wants: it may still raise an exception. Or nothing at all.</summary>
    private void Drop()
    {
        if (Chance(40))
        {
            Op(ILOpCode.Nop);
            return;
        }
        Expression(Pick(Stack.I4, Stack.I8, Stack.I, Stack.R4, Stack.R8), 2);
        Op(ILOpCode.Pop);
    }

    /// <summary>Two or three places of one type take each other's values.</summary>
    private void Exchange()
    {
        if (Place(t => t is { IsScalar: true }, writable: true) is not { } first)
            return;
        TypeOf type = TypeOfPlace(first);
        int second = Place(t => t == type, writable: true)!.Value, third = Place(t => t == type, writable: true)!.Value;
        Load(first);
        Load(second);
        Load(third);
        Store(first);
        Store(second);
        Store(third);
    }

    private static readonly string[] Exceptions =
        ["ArgumentException", "InvalidOperationException", "OverflowException", "ArithmeticException",
         "NotSupportedException", "IndexOutOfRangeException", "Exception", "DivideByZeroException"];

    private void MaybeThrow()
    {
        Body.Label over = _body.NewLabel();
        Unlikely(over);
        ThrowOne();
        _body.Mark(over);
    }

    private void ThrowOne()
    {
        string exception = PickFrom(Exceptions);
        _body.Op(ILOpCode.Ldstr, _assembly.UserString(Pick("n", "out of range", "value \"x\"", "größer als 1", "a\tb")));
        _body.Newobj(_assembly.Constructor(exception, true), 1);
        Op(ILOpCode.Throw);
    }

    private void MaybeReturn()
    {
        Body.Label over = _body.NewLabel();
        Unlikely(over);
        Return(2);
        _body.Mark(over);
    }

    /// <summary>Jumps to the label unless an integer has one of the values that requests like.</summary>
    private void Unlikely(Body.Label over)
    {
        Expression(Stack.I4, 1);
        _body.Ldc(_features == Features.None ? Pick(0, 1, -1, 7, 100, int.MaxValue) : Pick(3, 5, -4, 7, 100, int.MaxValue));
        _body.Branch(ILOpCode.Bne_un, over);
    }

    private void If(int depth)
    {
        if (Chance(4) && _inside == null)
        {
            // A jump into the arm that follows.
            Body.Label inside = _body.NewLabel();
            Condition(inside, 1);
            _inside = inside;
        }
        Body.Label otherwise = _body.NewLabel(), end = _body.NewLabel();
        Condition(otherwise, 2);
        Block(3, depth + 1);
        if (Chance(55))
        {
            _body.Mark(otherwise);
            return;
        }
        if (_body.Reachable)
            _body.Branch(ILOpCode.Br, end);
        _body.Mark(otherwise);
        Block(3, depth + 1);
        if (end.Depth >= 0)
            _body.Mark(end);
    }

    private void SwitchStatement(int depth)
    {
        int count = _random.Next(1, 6);
        Body.Label[] cases = Enumerable.Range(0, count).Select(_ => _body.NewLabel()).ToArray();
        Body.Label end = _body.NewLabel();
        Expression(Stack.I4, 2);
        if (Chance(70))
        {
            _body.Ldc(_random.Next(2, 8));
            Op(Pick(ILOpCode.Rem_un, ILOpCode.And));
        }
        // Several values may share an arm.
        Body.Label[] targets = cases.Concat(Chance(40) ? [PickFrom(cases), end] : []).ToArray();
        _body.Switch(targets);
        if (Chance(60))
            Block(2, depth + 1);
        if (_body.Reachable && Chance(80))
            _body.Branch(ILOpCode.Br, end);
        foreach (Body.Label arm in cases)
        {
            _body.Mark(arm);
            Block(2, depth + 1);
            if (_body.Reachable && Chance(80)) // else it falls into the next arm
                _body.Branch(ILOpCode.Br, end);
        }
        if (end.Depth >= 0 || _body.Reachable)
            _body.Mark(end);
    }

    private void Repeat(int depth)
    {
        int? array = Chance(50) ? Place(t => t.IsVector) : null;
        int counter = NewLocal(Kind.Int32);
        _counters.Add(counter);
        int constant = _random.Next(0, 7);
        long turns = array.HasValue ? MostArray : Math.Max(constant, 1);

        void Bound()
        {
            if (array is { } a)
            {
                Load(a);
                Op(ILOpCode.Ldlen);
                Op(ILOpCode.Conv_i4);
            }
            else
            {
                _body.Ldc(constant);
            }
        }

        if (Chance(1) && _inside == null)
        {
            // A second way into the loop.
            Body.Label inside = _body.NewLabel();
            Condition(inside, 1);
            _inside = inside;
        }
        long before = _turns;
        _turns *= turns;
        switch (_random.Next(6))
        {
            case 0 or 1: TestAtBottom(counter, Bound, depth, array); break;
            case 2: TestAtTop(counter, Bound, depth, array); break;
            case 3: DoWhile(counter, Bound, depth, array); break;
            case 4: Endless(counter, Bound, depth, array); break;
            default: Down(counter, Bound, depth, array); break;
        }
        _turns = before;
    }

    private void LoopBody(int counter, int depth, int? array, Body.Label next, Body.Label exit)
    {
        _loops.Push(new Loop(next, exit));
        (int, int)? outer = _counted;
        _counted = array is { } a ? (a, counter) : _counted;
        Block(3, depth + 1);
        _counted = outer;
        _loops.Pop();
    }

    private void Step(int counter, ILOpCode op)
    {
        _body.Ldloc(counter);
        _body.Ldc(1);
        Op(op);
        _body.Stloc(counter);
    }

    /// <summary>for, as C# and VB compile it: the test is at the bottom and the loop is entered there.</summary>
    private void TestAtBottom(int counter, Action bound, int depth, int? array)
    {
        Body.Label top = _body.NewLabel(), test = _body.NewLabel(), next = _body.NewLabel(), exit = _body.NewLabel();
        bool likeVb = Chance(40);
        int limit = likeVb ? NewLocal(Kind.Int32) : -1;
        if (likeVb)
        {
            _counters.Add(limit);
            bound();
            _body.Ldc(1);
            Op(ILOpCode.Sub_ovf);
            _body.Stloc(limit);
        }
        _body.Ldc(0);
        _body.Stloc(counter);
        _body.Branch(ILOpCode.Br, test);
        _body.Mark(top);
        LoopBody(counter, depth, array, next, exit);
        _body.Mark(next);
        Step(counter, likeVb ? ILOpCode.Add_ovf : ILOpCode.Add);
        _body.Mark(test);
        _body.Ldloc(counter);
        if (likeVb)
        {
            _body.Ldloc(limit);
            _body.Branch(ILOpCode.Ble, top);
        }
        else
        {
            bound();
            _body.Branch(ILOpCode.Blt, top);
        }
        _body.Mark(exit);
    }

    private void TestAtTop(int counter, Action bound, int depth, int? array)
    {
        Body.Label top = _body.NewLabel(), next = _body.NewLabel(), exit = _body.NewLabel();
        _body.Ldc(0);
        _body.Stloc(counter);
        _body.Mark(top);
        _body.Ldloc(counter);
        bound();
        if (Chance(50))
        {
            _body.Branch(ILOpCode.Bge, exit);
        }
        else
        {
            Op(ILOpCode.Clt);
            _body.Branch(ILOpCode.Brfalse, exit);
        }
        if (Chance(30))
            Condition(exit, 1);
        LoopBody(counter, depth, array, next, exit);
        _body.Mark(next);
        Step(counter, ILOpCode.Add);
        _body.Branch(ILOpCode.Br, top);
        _body.Mark(exit);
    }

    private void DoWhile(int counter, Action bound, int depth, int? array)
    {
        Body.Label top = _body.NewLabel(), next = _body.NewLabel(), exit = _body.NewLabel();
        _body.Ldc(0);
        _body.Stloc(counter);
        _body.Mark(top);
        LoopBody(counter, depth, null, next, exit);
        _body.Mark(next);
        if (Chance(30))
            Condition(exit, 1);
        Step(counter, ILOpCode.Add);
        _body.Ldloc(counter);
        bound();
        _body.Branch(ILOpCode.Blt, top);
        if (exit.Depth >= 0)
            _body.Mark(exit);
    }

    /// <summary>while (true), left by breaks; continue goes to the top, where the counter is raised.</summary>
    private void Endless(int counter, Action bound, int depth, int? array)
    {
        Body.Label top = _body.NewLabel(), exit = _body.NewLabel();
        _body.Ldc(-1);
        _body.Stloc(counter);
        _body.Mark(top);
        Step(counter, ILOpCode.Add);
        bound();
        _body.Ldloc(counter);
        _body.Branch(ILOpCode.Ble, exit);
        LoopBody(counter, depth, array, top, exit);
        if (_body.Reachable)
            _body.Branch(ILOpCode.Br, top);
        _body.Mark(exit);
    }

    private void Down(int counter, Action bound, int depth, int? array)
    {
        Body.Label top = _body.NewLabel(), exit = _body.NewLabel();
        bound();
        _body.Stloc(counter);
        _body.Mark(top);
        Step(counter, ILOpCode.Sub);
        _body.Ldloc(counter);
        _body.Ldc(0);
        _body.Branch(ILOpCode.Blt, exit);
        LoopBody(counter, depth, array, top, exit);
        if (_body.Reachable)
            _body.Branch(ILOpCode.Br, top);
        _body.Mark(exit);
    }
}
