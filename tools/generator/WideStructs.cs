// Structs in methods: values, addresses, fields; and the structs of an assembly with their constructors and methods.

using System.Reflection.Metadata;

namespace Generator;

internal sealed partial class MethodMaker
{
    /// <summary>A few structs of scalars and of earlier structs.</summary>
    public static IReadOnlyList<StructType> Structs(Random random)
    {
        var made = new List<StructType>();
        for (int n = random.Next(3, 7); n > 0; n--)
        {
            var fields = new List<Field>();
            Kind common = Kinds.All[random.Next(Kinds.All.Length)];
            for (int k = random.Next(1, 5); k > 0; k--)
            {
                int choice = random.Next(10);
                TypeOf type = choice < 2 && made.Count > 0 ? TypeOf.Of(made[random.Next(made.Count)])
                    : choice < 5 ? new TypeOf(common)
                    : new TypeOf(Kinds.All[random.Next(Kinds.All.Length)]);
                fields.Add(new Field($"f{fields.Count}", type));
            }
            made.Add(new StructType($"S{made.Count}", fields));
        }
        return made;
    }

    /// <summary>The constructor of a struct's fields.</summary>
    public static void AddConstructor(IlAssembly assembly, StructType type)
    {
        var body = new Body();
        for (int k = 0; k < type.Fields.Count; k++)
        {
            body.Ldarg(0);
            body.Ldarg(k + 1);
            body.Op(ILOpCode.Stfld, type.Fields[k].Token);
        }
        body.Ret(false);
        var parameters = type.Fields.Select(field => (field.Type, field.Name)).ToList();
        assembly.AddMethod(".ctor", new TypeOf(Kind.Void), parameters, [], body, isInstance: true);
    }

    /// <summary>A place that holds or refers to a struct with such a field, and the way to it.</summary>
    private (int Place, Field[] Path)? FieldOf(Func<TypeOf, bool> accepts)
    {
        if (Place(t => t.HoldsStruct && t.Struct!.Paths().Any(path => accepts(path[^1].Type))) is not { } place)
            return null;
        Field[][] paths = TypeOfPlace(place).Struct!.Paths().Where(path => accepts(path[^1].Type)).ToArray();
        return IsSet(place) ? (place, PickFrom(paths)) : null;
    }

    private void PlaceAddress(int place)
    {
        if (TypeOfPlace(place).IsArray)
            ElementAddress(place);
        else if (TypeOfPlace(place).IsRef)
            Load(place);
        else
            AddressOf(place);
    }

    private void FieldAddress(int place, ReadOnlySpan<Field> path)
    {
        PlaceAddress(place);
        foreach (Field field in path)
            _body.Op(ILOpCode.Ldflda, field.Token);
    }

    private int StructPlace(StructType type)
    {
        TypeOf plain = TypeOf.Of(type);
        if (Place(t => t == plain) is { } place)
            return place;
        _locals.Add(plain);
        return _locals.Count - 1;
    }

    private void StructAddress(StructType type)
    {
        TypeOf plain = TypeOf.Of(type);
        int choice = _random.Next(100);
        if (choice < 40 && Place(t => t == plain.Ref) is { } already && IsSet(already))
            Load(already);
        else if (choice < 60 && FieldOf(t => t == plain) is { } field)
            FieldAddress(field.Place, field.Path);
        else if (choice < 80 && Place(t => t == plain with { IsArray = true }) is { } array)
            ElementAddress(array);
        else
            AddressOf(StructPlace(type));
    }

    private void StructValue(StructType type, int depth)
    {
        int choice = _random.Next(100);
        TypeOf plain = TypeOf.Of(type);
        if (choice < 15)
        {
            StructAddress(type);
            _body.Op(ILOpCode.Ldobj, type.Token);
        }
        else if (choice < 30 && depth > 0)
        {
            foreach (Field field in type.Fields)
                Argument(field.Type, depth - 1);
            _body.Newobj(type.Constructor, type.Fields.Count);
        }
        else if (choice < 40 && depth > 0)
        {
            Body.Label otherwise = _body.NewLabel(), end = _body.NewLabel();
            Condition(otherwise, 0);
            StructValue(type, depth - 1);
            _body.Branch(ILOpCode.Br, end);
            _body.Mark(otherwise);
            StructValue(type, depth - 1);
            _body.Mark(end);
        }
        else if (choice < 55 && Invoke(made => made.Result == plain, out _))
        {
        }
        else if (choice < 65 && FieldOf(t => t == plain) is { } field)
        {
            FieldAddress(field.Place, field.Path.AsSpan(0, field.Path.Length - 1));
            _body.Op(ILOpCode.Ldfld, field.Path[^1].Token);
        }
        else if (choice < 80 && Place(t => t == plain with { IsArray = true }) is { } array)
        {
            Load(array);
            Index(array);
            _body.Op(ILOpCode.Ldelem, type.Token);
        }
        else
        {
            Load(StructPlace(type));
        }
    }

    private bool LoadField(Stack stack)
    {
        if (FieldOf(t => t.IsScalar && t.Kind.OnStack() == stack) is not { } field)
            return false;
        if (TypeOfPlace(field.Place).IsStruct && Chance(30))
        {
            // Of the struct as a value.
            Load(field.Place);
            foreach (Field step in field.Path)
                _body.Op(ILOpCode.Ldfld, step.Token);
            return true;
        }
        FieldAddress(field.Place, field.Path.AsSpan(0, field.Path.Length - 1));
        _body.Op(ILOpCode.Ldfld, field.Path[^1].Token);
        return true;
    }

    private bool StoreField()
    {
        if (FieldOf(t => t.IsScalar) is not { } field)
            return false;
        Kind kind = field.Path[^1].Type.Kind;
        FieldAddress(field.Place, field.Path.AsSpan(0, field.Path.Length - 1));
        Value(kind, 2);
        _body.Op(ILOpCode.Stfld, field.Path[^1].Token);
        return true;
    }

    private bool StoreStruct()
    {
        if (_structs.Count == 0)
            return false;
        StructType type = PickFrom(_structs);
        int choice = _random.Next(100);
        if (choice < 20 && Place(t => t == TypeOf.Of(type) with { IsArray = true }) is { } array)
        {
            Load(array);
            Index(array);
            StructValue(type, 1);
            _body.Op(ILOpCode.Stelem, type.Token);
        }
        else if (choice < 40)
        {
            int place = StructPlace(type);
            StructValue(type, 2);
            Store(place);
        }
        else if (choice < 70)
        {
            StructAddress(type);
            StructValue(type, 1);
            _body.Op(ILOpCode.Stobj, type.Token);
        }
        else if (choice < 85 && FieldOf(t => t == TypeOf.Of(type)) is { } field)
        {
            FieldAddress(field.Place, field.Path.AsSpan(0, field.Path.Length - 1));
            StructValue(type, 1);
            _body.Op(ILOpCode.Stfld, field.Path[^1].Token);
        }
        else
        {
            StructAddress(type);
            StructAddress(type);
            _body.Op(ILOpCode.Cpobj, type.Token);
        }
        return true;
    }

    private bool ClearStruct()
    {
        if (_structs.Count == 0)
            return false;
        StructType type = PickFrom(_structs);
        StructAddress(type);
        _body.Op(ILOpCode.Initobj, type.Token);
        return true;
    }
}
