// Makes one random method: its signature, its locals, and what statements and expressions share.
// Every method ends: loops count towards a small bound, jumps go forward, calls go to earlier methods.

using System.Reflection.Metadata;

namespace Generator;

/// <summary>A finished method, callable from later ones. Parameters include `this`; the first of one with fuel is it.</summary>
internal sealed record Made(string Name, int Token, TypeOf Result, IReadOnlyList<TypeOf> Parameters, long Cost)
{
    public bool HasFuel { get; init; }
    public int Size { get; init; } // instructions
    public bool IsInstance { get; init; }
    public IReadOnlySet<int> Callees { get; init; } = new HashSet<int>(); // numbers of the earlier methods that it calls
}

/// <summary>What the methods of one assembly share.</summary>
internal sealed record Setting(IlAssembly Assembly, Features Features, IReadOnlyList<StructType> Structs);

internal sealed partial class MethodMaker
{
    private const int MostArray = 8;      // elements of an array that requests pass
    private const long MostCost = 20_000; // instructions that one call may take, about

    private readonly Random _random;
    private readonly IlAssembly _assembly;
    private readonly IReadOnlyList<Made> _earlier;
    private readonly Body _body = new();
    private readonly List<TypeOf> _parameters = [];
    private readonly List<TypeOf> _locals = [];
    private readonly HashSet<int> _counters = []; // places that only their loop may store to
    private readonly List<(int At, int Number)> _callees = []; // calls of earlier methods
    private readonly Features _features;
    private readonly IReadOnlyList<StructType> _structs;
    private TypeOf _result;
    private readonly int _target; // instructions to stop at, about
    private long _cost;
    private long _turns = 1; // turns of the loops around the place where we are

    private MethodMaker(Random random, Setting setting, IReadOnlyList<Made> earlier, StructType? owner)
    {
        (_random, _assembly, _earlier) = (random, setting.Assembly, earlier);
        (_features, _structs) = (setting.Features, setting.Structs);
        int count = Chance(8) ? 0 : _random.Next(1, 6);
        for (int k = 0; k < count; k++)
            _parameters.Add(Chance(35) ? new TypeOf(ElementKind(), true) : new TypeOf(ScalarKind()));
        // Two arrays of one type may be one object.
        if (Chance(25) && _parameters.FirstOrDefault(p => p.IsVector) is { IsVector: true } twin)
            _parameters.Add(twin);
        _result = new TypeOf(Chance(7) ? Kind.Void : ScalarKind());
        _target = _random.Next(20, 150);
        for (int k = _random.Next(1, 7); k > 0; k--)
            _locals.Add(new TypeOf(ScalarKind()));
        if (Chance(10) && _parameters.FirstOrDefault(p => p.IsVector) is { IsVector: true } array)
            _locals.Add(array);
        if (_features != Features.None)
            WideSignature(owner);
    }

    public static Made Make(Random random, Setting setting, IReadOnlyList<Made> earlier, string name, StructType? owner = null)
    {
        var maker = new MethodMaker(random, setting, earlier, owner);
        maker.WholeBody();
        return maker.Finish(name, owner != null);
    }

    /// <summary>Without what is cut; it is not added to the assembly where it has no name.</summary>
    public static (Made, IReadOnlyList<Node>) Make(Random random, Setting setting, IReadOnlyList<Made> earlier, string? name,
                                                   IReadOnlyDictionary<int, int> cuts)
    {
        var maker = new MethodMaker(random, setting, earlier, null) { _cuts = cuts };
        maker.WholeBody();
        return (maker.Finish(name, false), maker._nodes);
    }

    private Made Finish(string? name, bool isInstance)
    {
        int hidden = isInstance ? 1 : 0;
        var parameters = _parameters.Skip(hidden).Select((type, k) => (type, $"a{k}")).ToList();
        int token = name == null ? 0 : _assembly.AddMethod(name, _result, parameters, _locals, _body, isInstance: isInstance);
        return new Made(name ?? "", token, _result, _parameters, (_cost + Written) * Activations)
        {
            HasFuel = _hasFuel, Size = _body.Count, IsInstance = isInstance, Callees = _callees.Select(call => call.Number).ToHashSet(),
        };
    }

    /// <summary>The most that a call from another method makes of it.</summary>
    private int Activations => _selfCalls == 0 ? 1 : _selfCalls == 1 ? FuelOfCalls + 1 : 1 << (FuelOfCalls + 1);

    private void WholeBody()
    {
        if (_features != Features.None)
            Prologue();
        while (Written < _target && _body.Reachable)
            Block(2, 0);
        if (!_body.Reachable)
            return;
        Return(3);
    }

    private void Return(int depth)
    {
        if (_result.IsStruct)
            StructValue(_result.Struct!, depth);
        else if (_result.Kind != Kind.Void)
            Value(_result.Kind, depth);
        _body.Ret(_result.IsStruct || _result.Kind != Kind.Void);
    }

    private bool Chance(int percent) => _random.Next(100) < percent;

    /// <summary>For what may trap: methods with features call more, and what raises hides what comes after.</summary>
    private bool Rarely(int percent) => _features == Features.None ? percent == 100 || Chance(percent) : Chance(percent / 3);

    private T Pick<T>(params ReadOnlySpan<T> items) => items[_random.Next(items.Length)];

    private T PickFrom<T>(IReadOnlyList<T> items) => items[_random.Next(items.Count)];

    private Kind ScalarKind() => _random.Next(10) switch
    {
        < 3 => Kind.Int32,
        3 => Kind.Int64,
        4 => Kind.Single,
        5 => Kind.Double,
        6 => Kind.UInt32,
        _ => PickFrom(Kinds.All),
    };

    private Kind ElementKind() => Chance(70) ? Pick(Kind.Int32, Kind.Single, Kind.Double, Kind.Int64, Kind.Byte) : PickFrom(Kinds.All);

    private int NewLocal(Kind kind)
    {
        _locals.Add(new TypeOf(kind));
        return _locals.Count - 1;
    }

    /// <summary>A readable place: argument (negative, from -1 down) or local, of a type that the test accepts.</summary>
    private int? Place(Func<TypeOf, bool> accepts, bool writable = false)
    {
        var places = new List<int>();
        for (int k = 0; k < _parameters.Count; k++)
        {
            if (accepts(_parameters[k]) && !(writable && _counters.Contains(-1 - k)))
                places.Add(-1 - k);
        }
        for (int k = 0; k < _locals.Count; k++)
        {
            if (accepts(_locals[k]) && !(writable && _counters.Contains(k)))
                places.Add(k);
        }
        return places.Count == 0 ? null : PickFrom(places);
    }

    private TypeOf TypeOfPlace(int place) => place < 0 ? _parameters[-1 - place] : _locals[place];

    private void Load(int place)
    {
        if (place < 0)
            _body.Ldarg(-1 - place);
        else
            _body.Ldloc(place);
    }

    private void Store(int place)
    {
        if (place < 0)
            _body.Starg(-1 - place);
        else
            _body.Stloc(place);
    }

    /// <summary>Counts what one statement costs, turns of loops included.</summary>
    private void Count(int from) => _cost += _turns * (Written - from);

    private void Op(ILOpCode op) => _body.Op(op);
}
