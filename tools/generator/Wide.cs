// What the features add to methods: signatures, what stands at their beginning, statements and expressions.

using System.Reflection.Metadata;

namespace Generator;

internal sealed partial class MethodMaker
{
    private const int FuelOfCalls = 3; // the most that other methods pass

    private const int MostSelfCalls = 2;

    private bool _hasFuel;
    private int _selfCalls;

    private bool Has(Features feature) => (_features & feature) != 0;

    private void WideSignature(StructType? owner)
    {
        // What requests cannot pass is for methods that others call.
        bool inside = Chance(40);
        int count = _random.Next(0, 3);
        for (int k = 0; k < count; k++)
            _parameters.Add(WideParameter(inside));
        if (Has(Features.Structs) && _structs.Count > 0)
        {
            for (int k = _random.Next(0, 3); k > 0; k--)
                _locals.Add(TypeOf.Of(PickFrom(_structs)));
            if (inside && Chance(40))
                _result = TypeOf.Of(PickFrom(_structs));
        }
        if (Has(Features.Refs))
        {
            for (int k = _random.Next(0, 3); k > 0; k--)
                _locals.Add(new TypeOf(ScalarKind()).Ref);
            if (Has(Features.Structs) && _structs.Count > 0 && Chance(30))
                _locals.Add(TypeOf.Of(PickFrom(_structs)).Ref);
        }
        if (Has(Features.Recursion) && owner == null && Chance(15))
        {
            _hasFuel = true;
            _parameters.Insert(0, new TypeOf(Kind.Int32));
            _counters.Add(-1);
        }
        if (Has(Features.NewArrays) && Chance(25))
            AddNewArrays();
        if (Has(Features.Pointers | Features.Blocks) && Chance(25))
            AddBlocks();
        if (owner != null)
            _parameters.Insert(0, TypeOf.Of(owner).Ref);
    }

    private TypeOf WideParameter(bool inside)
    {
        bool structs = Has(Features.Structs) && _structs.Count > 0 && (inside || Has(Features.StructRoots));
        int choice = _random.Next(100);
        if (structs && Has(Features.StructArrays) && choice < 15)
            return TypeOf.Of(PickFrom(_structs)) with { IsArray = true };
        if (structs && choice < 40)
            return TypeOf.Of(PickFrom(_structs));
        if (structs && inside && choice < 65)
            return TypeOf.Of(PickFrom(_structs)).Ref;
        if (Has(Features.Rank2) && choice < 85)
            return new TypeOf(ElementKind()) { Rank = 2 };
        return Has(Features.Refs) ? new TypeOf(ScalarKind()).Ref : new TypeOf(ScalarKind());
    }

    private readonly HashSet<int> _unset = []; // by-ref locals that have no place yet

    private bool IsSet(int place) => !_unset.Contains(place);

    /// <summary>By-ref locals are never read before they are set; fuel ends the recursion.</summary>
    private void Prologue()
    {
        _selfCalls = MostSelfCalls; // none before the fuel is looked at, and none where it is at its end
        MakeNewArrays();
        MakeBlocks();
        int[] refs = Enumerable.Range(0, _locals.Count).Where(k => _locals[k].IsRef).ToArray();
        _unset.UnionWith(refs);
        foreach (int local in refs)
        {
            PointTo(local);
            _unset.Remove(local);
        }
        if (_hasFuel)
            EndOfFuel();
        _selfCalls = 0;
    }

    private void EndOfFuel()
    {
        Body.Label over = _body.NewLabel();
        _body.Ldarg(0);
        _body.Ldc(0);
        _body.Branch(ILOpCode.Bgt, over);
        Return(1);
        _body.Mark(over);
    }

    private void PointTo(int local)
    {
        if (_locals[local].Struct is { } type)
            StructAddress(type);
        else
            Address(_locals[local].Kind, 1);
        _body.Stloc(local);
    }

    private bool WideStatement(int depth)
    {
        int choice = _random.Next(100);
        if (choice < 8 && Has(Features.Refs))
            StoreIndirect();
        else if (choice < 11 && Has(Features.Refs))
            return Repoint();
        else if (choice < 18 && Has(Features.Structs))
            return StoreField();
        else if (choice < 23 && Has(Features.Structs))
            return StoreStruct();
        else if (choice < 24 && Has(Features.Structs))
            return ClearStruct();
        else if (choice < 29 && Has(Features.Rank2))
            return StoreRank2();
        else if (choice < 33 && Has(Features.Pointers | Features.Blocks))
            return StoreInBlock();
        else if (choice >= 95)
            CallAndDrop();
        else
            return false;
        return true;
    }

    private bool WideExpression(Stack stack, int depth)
    {
        int choice = _random.Next(100);
        if (choice < 4 && Has(Features.Refs))
            LoadIndirect(stack, depth);
        else if (choice < 10 && Has(Features.Structs))
            return LoadField(stack);
        else if (choice < 11 && Has(Features.Throws))
            ThrowWithin(stack, depth);
        else if (choice < 16 && _hasFuel && _selfCalls < MostSelfCalls && _turns == 1 && depth > 0)
            return CallSelf(stack);
        else if (choice < 21 && Has(Features.Rank2))
            return LoadRank2(stack);
        else if (choice < 24 && Has(Features.Pointers | Features.Blocks))
            return LoadFromBlock(stack);
        else if (choice >= 98)
            return Invoke(made => made.Result.IsScalar && made.Result.Kind is not (Kind.Void or Kind.Boolean) && made.Result.Kind.OnStack() == stack, out _);
        else
            return false;
        return true;
    }

    /// <summary>A condition raises an exception while other values lie on the stack.</summary>
    private void ThrowWithin(Stack stack, int depth)
    {
        Body.Label over = _body.NewLabel();
        Unlikely(over);
        ThrowOne();
        _body.Mark(over);
        Expression(stack, depth - 1);
    }

    private bool CallSelf(Stack stack)
    {
        if (!_result.IsScalar || _result.Kind is Kind.Void or Kind.Boolean || _result.Kind.OnStack() != stack
            || _parameters.Any(p => p.IsAnyArray && Place(t => t == p) == null))
            return false;
        _selfCalls++;
        _body.Ldarg(0);
        _body.Ldc(1);
        Op(ILOpCode.Sub);
        foreach (TypeOf parameter in _parameters.Skip(1))
            Argument(parameter, 1);
        _body.Call(_assembly.NextMethod, _parameters.Count, true);
        return true;
    }

    // --- by-refs ---

    private static readonly Kind[] Widest = [Kind.Int32, Kind.Int64, Kind.IntPtr, Kind.Single, Kind.Double];

    /// <summary>A by-ref to a value of this kind, wherever it lies; the methods' own counters are not touched.</summary>
    private void Address(Kind kind, int depth)
    {
        if (depth > 0 && Chance(6))
        {
            Body.Label otherwise = _body.NewLabel(), end = _body.NewLabel();
            Condition(otherwise, 0);
            Address(kind, 0);
            _body.Branch(ILOpCode.Br, end);
            _body.Mark(otherwise);
            Address(kind, 0);
            _body.Mark(end);
            return;
        }
        int choice = _random.Next(100);
        TypeOf plain = new(kind);
        if (choice < 30 && Place(t => t == plain.Ref, writable: true) is { } already && IsSet(already))
            Load(already);
        else if (choice < 50 && Place(t => t.IsVector && t.Kind == kind) is { } array)
            ElementAddress(array);
        else if (choice < 65 && FieldOf(t => t == plain) is { } field)
            FieldAddress(field.Place, field.Path);
        else if (choice < 72 && Place(t => t.Rank == 2 && t.Kind == kind && !t.IsRef) is { } matrix)
            Rank2(matrix, "Address");
        else
            AddressOf(Place(t => t == plain, writable: true) ?? NewLocal(kind));
    }

    private void AddressOf(int place)
    {
        if (place < 0)
            _body.Ldarga(-1 - place);
        else
            _body.Ldloca(place);
    }

    private void ElementAddress(int array)
    {
        Load(array);
        Index(array);
        _body.Op(ILOpCode.Ldelema, _assembly.ElementType(TypeOfPlace(array)));
    }

    /// <summary>Of the kinds that are this on the stack.</summary>
    private Kind KindOf(Stack stack) => Chance(60)
        ? Widest.First(k => k.OnStack() == stack)
        : PickFrom(Kinds.All.Where(k => k.OnStack() == stack && k != Kind.Boolean).ToArray());

    private void LoadIndirect(Stack stack, int depth)
    {
        // Places that there are, rather than new ones.
        Kind kind = Chance(60) && Place(t => t.IsRef && t.Struct == null && t.Kind.OnStack() == stack && t.Kind != Kind.Boolean) is { } known
            ? TypeOfPlace(known).Kind
            : KindOf(stack);
        Address(kind, Math.Min(depth, 1));
        LoadAt(kind);
    }

    private void LoadAt(Kind kind)
    {
        if (Chance(10))
        {
            _body.Op(ILOpCode.Ldobj, _assembly.ElementType(kind));
            return;
        }
        Op(kind switch
        {
            Kind.Boolean or Kind.Byte => ILOpCode.Ldind_u1,
            Kind.SByte => ILOpCode.Ldind_i1,
            Kind.Char or Kind.UInt16 => ILOpCode.Ldind_u2,
            Kind.Int16 => ILOpCode.Ldind_i2,
            Kind.Int32 => ILOpCode.Ldind_i4,
            Kind.UInt32 => ILOpCode.Ldind_u4,
            Kind.Int64 or Kind.UInt64 => ILOpCode.Ldind_i8,
            Kind.IntPtr or Kind.UIntPtr => ILOpCode.Ldind_i,
            Kind.Single => ILOpCode.Ldind_r4,
            _ => ILOpCode.Ldind_r8,
        });
    }

    private void StoreAt(Kind kind)
    {
        if (Chance(10))
        {
            _body.Op(ILOpCode.Stobj, _assembly.ElementType(kind));
            return;
        }
        Op(kind switch
        {
            Kind.Boolean or Kind.Byte or Kind.SByte => ILOpCode.Stind_i1,
            Kind.Char or Kind.UInt16 or Kind.Int16 => ILOpCode.Stind_i2,
            Kind.Int32 or Kind.UInt32 => ILOpCode.Stind_i4,
            Kind.Int64 or Kind.UInt64 => ILOpCode.Stind_i8,
            Kind.IntPtr or Kind.UIntPtr => ILOpCode.Stind_i,
            Kind.Single => ILOpCode.Stind_r4,
            _ => ILOpCode.Stind_r8,
        });
    }

    /// <summary>The address is made before the value; sometimes the old value takes part.</summary>
    private void StoreIndirect()
    {
        Kind kind = Place(t => t.IsRef && t.Struct == null) is { } known && Chance(75) ? TypeOfPlace(known).Kind : ScalarKind();
        Address(kind, 1);
        if (kind is not (Kind.Boolean or Kind.Char) && Chance(40))
        {
            Op(ILOpCode.Dup);
            LoadAt(kind);
            Expression(kind.OnStack(), 2);
            Op(Pick(ILOpCode.Add, ILOpCode.Sub, ILOpCode.Mul));
        }
        else
        {
            Value(kind, 2);
        }
        StoreAt(kind);
    }

    private bool Repoint()
    {
        int[] locals = Enumerable.Range(0, _locals.Count).Where(k => _locals[k].IsRef).ToArray();
        if (locals.Length == 0)
            return false;
        PointTo(PickFrom(locals));
        return true;
    }
}
