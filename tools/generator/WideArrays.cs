// Arrays of rank 2, arrays that a method makes, and blocks of memory by pointer.

using System.Reflection.Metadata;

namespace Generator;

internal sealed partial class MethodMaker
{
    private readonly List<int> _newArrays = [];

    private void AddNewArrays()
    {
        for (int k = _random.Next(1, 3); k > 0; k--)
        {
            _newArrays.Add(_locals.Count);
            _locals.Add(new TypeOf(ElementKind(), true));
        }
    }

    private void MakeNewArrays()
    {
        foreach (int local in _newArrays)
        {
            _body.Ldc(_random.Next(1, MostArray + 1));
            _body.Op(ILOpCode.Newarr, _assembly.ElementType(_locals[local]));
            _body.Stloc(local);
        }
    }

    /// <summary>The array, two subscripts that are mostly in range, and a call of its Get or Address.</summary>
    private void Rank2(int matrix, string method)
    {
        Subscripts(matrix);
        _body.Call(_assembly.ArrayMethod(TypeOfPlace(matrix), method), 3, true);
    }

    private void Subscripts(int matrix)
    {
        Load(matrix);
        for (int dimension = 0; dimension < 2; dimension++)
        {
            int choice = _random.Next(100);
            if (choice < 10)
            {
                _body.Ldc(_random.Next(0, 3));
                continue;
            }
            // A counter or an expression, mod the length as unsigned numbers.
            if (_counted is { } counted && choice < 50)
                _body.Ldloc(counted.Counter);
            else
                Expression(Stack.I4, 1);
            if (choice is >= 45 and < 50)
                continue;
            Load(matrix);
            _body.Ldc(dimension);
            _body.Call(_assembly.GetLength(), 2, true);
            Op(ILOpCode.Rem_un);
        }
    }

    private bool LoadRank2(Stack stack)
    {
        if (Place(t => t is { Rank: 2, IsRef: false, Struct: null } && t.Kind.OnStack() == stack && t.Kind != Kind.Boolean) is not { } matrix)
            return false;
        if (stack == Stack.I4 && Chance(10))
        {
            Load(matrix);
            _body.Ldc(_random.Next(0, 20) == 0 ? 2 : _random.Next(2));
            _body.Call(_assembly.GetLength(), 2, true);
            return true;
        }
        Rank2(matrix, "Get");
        return true;
    }

    private bool StoreRank2()
    {
        if (Place(t => t is { Rank: 2, IsRef: false, Struct: null }) is not { } matrix)
            return false;
        Subscripts(matrix);
        Value(TypeOfPlace(matrix).Kind, 2);
        _body.Call(_assembly.ArrayMethod(TypeOfPlace(matrix), "Set"), 4, false);
        return true;
    }

    // --- pointers ---

    private readonly List<(int Local, int Most)> _blocks = []; // pointers to blocks, and their largest subscript

    private void AddBlocks()
    {
        for (int k = _random.Next(1, 3); k > 0; k--)
        {
            bool one = !Has(Features.Blocks) || (Has(Features.Pointers) && Chance(40));
            _blocks.Add((_locals.Count, one ? 0 : (1 << _random.Next(0, 4)) - 1));
            _locals.Add(new TypeOf(ScalarKind()) { IsPointer = true });
        }
    }

    private void MakeBlocks()
    {
        foreach ((int local, int most) in _blocks)
        {
            if (most == 0 && Has(Features.Pointers))
            {
                TypeOf plain = new(_locals[local].Kind);
                AddressOf(Place(t => t == plain, writable: true) ?? NewLocal(plain.Kind));
                Op(ILOpCode.Conv_u);
            }
            else
            {
                _body.Ldc((most + 1) * SizeOf(_locals[local].Kind));
                Op(ILOpCode.Conv_u);
                Op(ILOpCode.Localloc);
            }
            _body.Stloc(local);
        }
    }

    private static int SizeOf(Kind kind) => kind switch
    {
        Kind.Boolean or Kind.SByte or Kind.Byte => 1,
        Kind.Char or Kind.Int16 or Kind.UInt16 => 2,
        Kind.Int32 or Kind.UInt32 or Kind.Single => 4,
        _ => 8,
    };

    /// <summary>p + (subscript and most) * size, as compilers write p[k].</summary>
    private void InBlock((int Local, int Most) block)
    {
        int size = SizeOf(_locals[block.Local].Kind);
        _body.Ldloc(block.Local);
        if (Chance(20))
        {
            int offset = _random.Next(block.Most + 1) * size;
            if (offset > 0)
            {
                _body.Ldc(offset);
                Op(ILOpCode.Add);
            }
            return;
        }
        Expression(Stack.I4, 1);
        _body.Ldc(block.Most);
        Op(ILOpCode.And);
        Op(Pick(ILOpCode.Conv_i, ILOpCode.Conv_u));
        if (size > 1)
        {
            _body.Ldc(size);
            Op(ILOpCode.Mul);
        }
        Op(ILOpCode.Add);
    }

    private bool StoreInBlock()
    {
        if (_blocks.Count == 0)
            return false;
        var block = PickFrom(_blocks);
        Kind kind = _locals[block.Local].Kind;
        InBlock(block);
        Value(kind, 2);
        StoreAt(kind);
        return true;
    }

    private bool LoadFromBlock(Stack stack)
    {
        var fitting = _blocks.Where(b => _locals[b.Local].Kind.OnStack() == stack && _locals[b.Local].Kind != Kind.Boolean).ToArray();
        if (fitting.Length == 0)
            return false;
        var block = PickFrom(fitting);
        InBlock(block);
        LoadAt(_locals[block.Local].Kind);
        return true;
    }
}
