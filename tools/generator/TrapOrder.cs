// Methods in which two or three operations may raise an exception, made one by one from a table of operations and a
// table of places where two or three values are computed: which exception comes first is what they ask.

using System.Reflection.Metadata;
using System.Text;

namespace Generator;

/// <summary>An operation that leaves an Int32: its parameters, and arguments of which the first are harmless.</summary>
internal sealed record Trapping(string Name, TypeOf[] Parameters, string[][] States, Action<Body, int> Write);

internal sealed partial class TrapOrder
{
    private readonly record struct Place(string Name, int Values, Action<Body, Action[], int> Write, TypeOf[] Parameters, string[][] States);

    private readonly IlAssembly _assembly;
    private readonly List<Trapping> _operations = [];
    private readonly List<Place> _places = [];
    private readonly int _check, _sum;
    private readonly StringBuilder _requests = new();
    private int _made, _calls;

    private TrapOrder(string name)
    {
        _assembly = new IlAssembly(name, "TrapOrder");
        _check = AddCheck();
        _sum = AddSum();
        Operations();
        Places();
    }

    /// <summary>Writes NAME.dll and NAME.requests.jsonl: part K of N of all combinations, or a small choice of them.</summary>
    public static void Write(string folder, string name, int part, int parts)
    {
        var order = new TrapOrder(name);
        if (parts == 0)
            order.Choice();
        else
            order.All(part, parts);
        Directory.CreateDirectory(folder);
        order._assembly.Save(Path.Combine(folder, name + ".dll"));
        File.WriteAllText(Path.Combine(folder, name + ".requests.jsonl"), order._requests.ToString());
        Console.WriteLine($"{order._made} methods, {order._calls} calls");
    }

    /// <summary>Every pair of operations in every place for two values, and triples in those for three.</summary>
    private void All(int part, int parts)
    {
        int count = 0;
        foreach (Place place in _places)
        {
            IEnumerable<Trapping[]> chosen = place.Values == 2
                ? _operations.SelectMany(x => _operations, (x, y) => new[] { x, y })
                : Few().SelectMany(x => Few(), (x, y) => (x, y)).SelectMany(two => Few(), (two, z) => new[] { two.x, two.y, z });
            foreach (Trapping[] operations in chosen)
            {
                if (count++ % parts == part)
                    Add(place, operations);
            }
        }
    }

    /// <summary>Each operation beside each of a few, on either side; the places take turns.</summary>
    private void Choice()
    {
        int turn = 0;
        Place[] two = _places.Where(p => p.Values == 2).ToArray(), three = _places.Where(p => p.Values == 3).ToArray();
        Trapping[] few = Few().ToArray();
        foreach (Trapping x in few)
        {
            foreach (Trapping y in few)
            {
                Add(two[turn % two.Length], x, y);
                Add(two[(turn + 5) % two.Length], x, y);
                if (turn % 3 == 0)
                    Add(three[turn / 3 % three.Length], x, y, few[turn * 7 / 3 % few.Length]);
                turn++;
            }
            turn++;
        }
        foreach (Trapping x in _operations.Except(few))
        {
            Add(two[turn % two.Length], x, few[turn % few.Length]);
            Add(two[(turn + 3) % two.Length], few[(turn + 1) % few.Length], x);
            turn++;
        }
    }

    /// <summary>One operation of each sort.</summary>
    private IEnumerable<Trapping> Few()
    {
        string[] names = ["Ldelem_Int32", "Ldelem_Double", "Ldlen", "Ldelema_Int32", "Get2_Int32", "Div_Int32", "Add_ovf_Int32", "Mul_ovf_Int64",
                          "Conv_ovf_u1_Int32", "Abs_Int32", "Sign_Double", "Call", "Throw"];
        return names.Select(name => _operations.Single(o => o.Name == name));
    }

    private void Add(Place place, params Trapping[] operations)
    {
        TypeOf[] parameters = [.. operations.SelectMany(o => o.Parameters), .. place.Parameters];
        var body = new Body();
        int at = 0;
        var values = new Action[operations.Length];
        for (int k = 0; k < operations.Length; k++)
        {
            Trapping operation = operations[k];
            int first = at;
            values[k] = () => operation.Write(body, first);
            at += operation.Parameters.Length;
        }
        place.Write(body, values, at);
        string name = $"{place.Name}_{string.Join("_", operations.Select(o => o.Name.Replace("_", "")))}_{_made++}";
        var named = parameters.Select((type, k) => (type, $"a{k}")).ToList();
        _assembly.AddMethod(name, new TypeOf(Kind.Int32), named, [new TypeOf(Kind.Int32), new TypeOf(Kind.Int32)], body);
        Calls($"{name}({string.Join(",", parameters)})", [.. operations.Select(o => o.States), .. place.Parameters.Length > 0 ? new[] { place.States } : []]);
    }

    /// <summary>A call for each choice of which operations trap; those with several ways to trap take turns.</summary>
    private void Calls(string method, string[][][] states)
    {
        for (int mask = 0; mask < 1 << states.Length; mask++)
        {
            IEnumerable<string> args = states.SelectMany((ways, k) =>
                (mask >> k & 1) == 0 ? ways[0] : ways[1 + (mask + _made) % (ways.Length - 1)]);
            _requests.Append($"{{\"id\":{_calls++},\"method\":\"TrapOrder.{method}\",\"args\":[{string.Join(",", args)}]}}\n");
        }
    }

    private int AddCheck()
    {
        var body = new Body();
        Throwing(body, () => body.Ldarg(0), "ArgumentException", "n");
        body.Ldarg(0);
        body.Ret(true);
        return _assembly.AddMethod("Check", new TypeOf(Kind.Int32), [(new TypeOf(Kind.Int32), "n")], [], body);
    }

    /// <summary>A callee of three values that raises an exception of its own when they are equal.</summary>
    private int AddSum()
    {
        var body = new Body();
        Throwing(body, () =>
        {
            body.Ldarg(0);
            body.Ldarg(1);
            body.Op(ILOpCode.Xor);
        }, "NotSupportedException", "same");
        body.Ldarg(0);
        body.Ldc(3);
        body.Op(ILOpCode.Mul);
        body.Ldarg(1);
        body.Op(ILOpCode.Add);
        body.Ldarg(2);
        body.Op(ILOpCode.Sub);
        body.Ret(true);
        TypeOf number = new(Kind.Int32);
        return _assembly.AddMethod("Sum", number, [(number, "a"), (number, "b"), (number, "c")], [], body);
    }

    /// <summary>Throws when the value is zero, whatever lies on the stack.</summary>
    private void Throwing(Body body, Action value, string exception, string message)
    {
        Body.Label over = body.NewLabel();
        value();
        body.Branch(ILOpCode.Brtrue, over);
        body.Op(ILOpCode.Ldstr, _assembly.UserString(message));
        body.Newobj(_assembly.Constructor(exception, true), 1);
        body.Op(ILOpCode.Throw);
        body.Mark(over);
    }
}
