// Request lines with interesting arguments (docs/cli.md, `call --batch`).

using System.Globalization;
using System.Text;

namespace Generator;

internal sealed class Requests(Random random, int firstId = 0)
{
    private const int MostArray = 8;

    private int _id = firstId;

    public string Line(string className, Made made)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{{\"id\":{_id++},\"method\":\"{className}.{made.Name}({string.Join(",", made.Parameters)})\",\"args\":[");
        for (int k = 0; k < made.Parameters.Count; k++)
        {
            if (k > 0)
                text.Append(',');
            TypeOf type = made.Parameters[k];
            int twin = Enumerable.Range(0, k).FirstOrDefault(j => made.Parameters[j] == type, -1);
            if (k == 0 && made.HasFuel)
                text.Append(random.Next(-1, 6));
            else if (type.IsArray && twin >= 0 && random.Next(3) == 0)
                text.Append(CultureInfo.InvariantCulture, $"{{\"same\":{twin}}}");
            else if (type.IsArray)
                text.Append(Array(type with { IsArray = false }));
            else
                text.Append(Other(type));
        }
        return text.Append("]}").ToString();
    }

    private string Other(TypeOf type) =>
        type.Rank > 0 ? Matrix(type.Kind)
        : type.Struct is { } of ? "[" + string.Join(",", of.Fields.Select(field => Other(field.Type))) + "]"
        : Scalar(type.Kind);

    private string Matrix(Kind kind)
    {
        if (random.Next(50) == 0)
            return "null";
        int rows = random.Next(1, 5), columns = random.Next(random.Next(20) == 0 ? 0 : 1, 5);
        return "[" + string.Join(",", Enumerable.Range(0, rows).Select(_ =>
            "[" + string.Join(",", Enumerable.Range(0, columns).Select(_ => Scalar(kind))) + "]")) + "]";
    }

    private string Array(TypeOf element)
    {
        int choice = random.Next(100);
        if (choice < 2)
            return "null";
        int length = choice < 5 ? 0 : choice < 10 ? random.Next(1, 4) : random.Next(4, MostArray + 1);
        return "[" + string.Join(",", Enumerable.Range(0, length).Select(_ => Other(element))) + "]";
    }

    private string Scalar(Kind kind) => kind switch
    {
        Kind.Boolean => random.Next(2) == 0 ? "false" : "true",
        Kind.SByte => Integer(-128, 127),
        Kind.Byte => Integer(0, 255),
        Kind.Int16 => Integer(short.MinValue, short.MaxValue),
        Kind.UInt16 or Kind.Char => Integer(0, ushort.MaxValue),
        Kind.Int32 => Integer(int.MinValue, int.MaxValue),
        Kind.UInt32 => Integer(0, uint.MaxValue),
        Kind.Int64 or Kind.IntPtr => Integer(long.MinValue, long.MaxValue),
        Kind.UInt64 or Kind.UIntPtr => Integer(0, ulong.MaxValue),
        Kind.Single => Real(single: true),
        _ => Real(single: false),
    };

    private string Integer(Int128 min, Int128 max)
    {
        Int128 value = random.Next(20) switch
        {
            < 9 => random.Next(-8, 20),
            < 13 => random.Next(-1000, 1000),
            13 => min,
            14 => max,
            15 => min + 1,
            16 => max - 1,
            17 => max / 2 + 1,
            18 => (Int128)random.NextInt64() - (max >> 1),
            _ => random.Next(),
        };
        value = value < min || value > max ? Int128.Abs(value) % (max + 1) : value;
        string text = value.ToString(CultureInfo.InvariantCulture);
        // JSON readers may hold numbers as doubles.
        return Int128.Abs(value) > 1L << 53 ? $"\"{text}\"" : text;
    }

    private static readonly string[] Specials =
        ["\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "-0.0", "0", "1", "-1", "0.5", "-2.5", "1e10", "-3e9", "4294967296", "9.3e18",
         "1e-40", "16777217", "3.4e38", "0.1", "255.5"];

    private string Real(bool single)
    {
        if (random.Next(3) == 0)
            return Specials[random.Next(Specials.Length)];
        double value = Math.Round((random.NextDouble() - 0.4) * 100, random.Next(0, 4));
        return single ? ((float)value).ToString(CultureInfo.InvariantCulture) : value.ToString(CultureInfo.InvariantCulture);
    }
}
