// Arrays of rank 2, and arrays that a method makes.

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
            _body.Op(ILOpCode.Newarr, _assembly.ElementType(_locals[local].Kind));
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
            if (_counted is { } counted && choice < 50)
            {
                _body.Ldloc(counted.Counter);
                _body.Ldc(3);
                Op(ILOpCode.And);
            }
            else if (choice < 60)
            {
                _body.Ldc(_random.Next(0, 3));
            }
            else
            {
                Expression(Stack.I4, 1);
                Load(matrix);
                _body.Ldc(dimension);
                _body.Call(_assembly.GetLength(), 2, true);
                Op(ILOpCode.Rem_un);
            }
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
}
