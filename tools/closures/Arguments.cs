// Seeded arguments, as request lines (docs/cli.md, `call --batch`): arrays of one call have one length mostly, integers are
// small mostly, so that ordinary methods get to their end.

using System.Globalization;
using System.Reflection;
using System.Text;

namespace Closures;

internal sealed class Arguments(int seed)
{
    private int _id;

    /// <summary>Scalars, arrays, spans and by-refs: no pointers, whose bounds nobody knows.</summary>
    public static bool CanBeGiven(MethodInfo method) =>
        method.IsStatic && method.GetParameters().Length > 0 && method.GetParameters().All(p => CanBeGiven(p.ParameterType))
        && (method.ReturnType == typeof(void) || CanBeGiven(method.ReturnType)) && !method.ReturnType.IsByRef;

    private static bool CanBeGiven(Type type) =>
        type.IsByRef ? CanBeGiven(type.GetElementType()!) && !type.GetElementType()!.IsArray && !KernelTypes.IsSpan(type.GetElementType()!)
        : type.IsArray ? CanBeGiven(type.GetElementType()!)
        : KernelTypes.IsSpan(type) ? type.Name.Contains("Span") && CanBeGiven(type.GetGenericArguments()[0])
        : type.IsPrimitive || type.IsEnum || IsStruct(type);

    /// <summary>Of the program's own, all of whose bits are values.</summary>
    private static bool IsStruct(Type type) =>
        type.IsValueType && type != typeof(void) && KernelTypes.IsKernel(type) && type.Namespace != "System"
        && !type.IsExplicitLayout && Fields(type).All(field => CanBeGiven(field.FieldType) && !field.FieldType.IsArray);

    private static IEnumerable<FieldInfo> Fields(Type type) =>
        type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic).OrderBy(field => field.MetadataToken);

    public IEnumerable<string> Lines(MethodInfo method, int count)
    {
        string display = KernelTypes.Display(method);
        for (int k = 0; k < count; k++)
        {
            // By the name, so that a method's arguments do not change with the methods beside it.
            var random = new Random(seed + 31 * k + (int)Hash(display));
            int length = k == 0 ? 8 : random.Next(1, 20);
            string[] values = [.. method.GetParameters().Select(p => Value(p.ParameterType, random, length))];
            yield return $"{{\"id\":{_id++},\"method\":\"{display}\",\"args\":[{string.Join(",", values)}]}}";
        }
    }

    private static uint Hash(string text)
    {
        uint hash = 2166136261;
        foreach (byte b in Encoding.UTF8.GetBytes(text))
            hash = (hash ^ b) * 16777619 >> 1;
        return hash & 0xffffff;
    }

    private static string Value(Type type, Random random, int length)
    {
        if (type.IsByRef)
            return Value(type.GetElementType()!, random, length);
        if (KernelTypes.IsSpan(type))
            return List(random.Next(12) == 0 ? random.Next(length + 1) : length, () => Value(type.GetGenericArguments()[0], random, length));
        if (type.IsArray && type.GetArrayRank() == 1)
            return random.Next(40) == 0 ? "null" : List(random.Next(12) == 0 ? random.Next(length + 1) : length, () => Value(type.GetElementType()!, random, length));
        if (type.IsArray)
            return List(length, () => type.GetArrayRank() == 2 ? List(length, () => Value(type.GetElementType()!, random, length))
                : List(3, () => List(length, () => Value(type.GetElementType()!, random, length))));
        if (type.IsEnum)
        {
            Array values = Enum.GetValuesAsUnderlyingType(type);
            return values.Length == 0 ? "0" : Text(values.GetValue(random.Next(values.Length))!);
        }
        if (!type.IsPrimitive)
            return "[" + string.Join(",", Fields(type).Select(field => Value(field.FieldType, random, length))) + "]";
        return Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean => random.Next(2) == 0 ? "false" : "true",
            TypeCode.Single => Real(random, single: true),
            TypeCode.Double => Real(random, single: false),
            TypeCode.SByte => Integer(random, sbyte.MinValue, sbyte.MaxValue),
            TypeCode.Byte => Integer(random, 0, byte.MaxValue),
            TypeCode.Int16 => Integer(random, short.MinValue, short.MaxValue),
            TypeCode.UInt16 or TypeCode.Char => Integer(random, 0, ushort.MaxValue),
            TypeCode.Int32 => Integer(random, int.MinValue, int.MaxValue),
            TypeCode.UInt32 => Integer(random, 0, uint.MaxValue),
            TypeCode.UInt64 => Integer(random, 0, ulong.MaxValue),
            _ => type == typeof(nuint) ? Integer(random, 0, ulong.MaxValue) : Integer(random, long.MinValue, long.MaxValue),
        };
    }

    private static string List(int count, Func<string> value) => "[" + string.Join(",", Enumerable.Range(0, count).Select(_ => value())) + "]";

    private static string Integer(Random random, Int128 min, Int128 max)
    {
        Int128 value = random.Next(20) switch
        {
            < 12 => random.Next(0, 9),
            < 15 => random.Next(-4, 200),
            15 => min,
            16 => max,
            _ => (Int128)random.NextInt64() % (max + 1),
        };
        return Text(value < min || value > max ? Int128.Abs(value) % (max + 1) : value);
    }

    private static string Real(Random random, bool single)
    {
        double value = random.Next(20) switch
        {
            0 => 0,
            1 => 1,
            2 => -random.Next(1, 5),
            3 => random.NextDouble() * 1e-6,
            4 => random.NextDouble() * 1e9,
            < 10 => random.NextDouble(),
            _ => Math.Round((random.NextDouble() - 0.3) * 50, random.Next(0, 4)),
        };
        if (random.Next(60) == 0)
            return "\"NaN\"";
        return single ? ((float)value).ToString(CultureInfo.InvariantCulture) : value.ToString(CultureInfo.InvariantCulture);
    }

    private static string Text(object value)
    {
        string text = Convert.ToString(value, CultureInfo.InvariantCulture)!;
        return text.Length > 15 ? $"\"{text}\"" : text; // JSON readers may hold numbers as doubles
    }
}
