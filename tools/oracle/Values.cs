// Arguments out of JSON, and results into text and bits. A scalar's bits are kept: a Boolean may hold 2, a NaN its payload.

using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Reflection;
using System.Text.Json;

namespace Oracle;

/// <summary>A request that does not say what it should; the message is the answer's reason.</summary>
internal sealed class BadRequest(string message) : Exception(message);

internal static class Values
{
    public static object?[] Arguments(Type[] types, JsonElement list)
    {
        if (list.ValueKind != JsonValueKind.Array)
            throw new BadRequest("args is not an array");
        if (list.GetArrayLength() != types.Length)
            throw new BadRequest($"{list.GetArrayLength()} arguments for {types.Length} parameters");
        var args = new object?[types.Length];
        for (int k = 0; k < types.Length; k++)
            args[k] = Argument(types[k], list[k], args.AsSpan(0, k));
        return args;
    }

    private static object? Argument(Type type, JsonElement json, ReadOnlySpan<object?> earlier)
    {
        // Invoke makes a by-ref of the value, and puts back what the method left there.
        if (type.IsPointer)
            type = PointerArray(type);
        Type target = type.IsByRef ? type.GetElementType()! : type;
        if (!type.IsArray && !IsKnown(target))
            throw new BadRequest($"parameters of type {target} are not for this oracle");
        if (!type.IsArray)
            return Value(target, json);
        if (json.ValueKind == JsonValueKind.Object && !json.TryGetProperty("shape", out _))
            return Same(type, json, earlier);
        return Arrays.Read(type, json);
    }

    /// <summary>What a pointer is given: the start of an array; of bytes for void*.</summary>
    public static Type PointerArray(Type type)
    {
        Type target = type.GetElementType()!;
        return (target == typeof(void) ? typeof(byte) : target).MakeArrayType();
    }

    private static object? Same(Type type, JsonElement json, ReadOnlySpan<object?> earlier)
    {
        if (json.EnumerateObject().Count() != 1 || !json.TryGetProperty("same", out JsonElement index)
            || !index.TryGetInt32(out int k) || k < 0 || k >= earlier.Length)
            throw new BadRequest($"{json.GetRawText()} is not an earlier argument");
        if (earlier[k] is { } other && other.GetType() != type)
            throw new BadRequest($"argument {k} has another type");
        return earlier[k];
    }

    /// <summary>A primitive or an enum, or a struct of these.</summary>
    public static bool IsKnown(Type type) =>
        Width(type) > 0 || (IsStruct(type) && Fields(type).All(field => IsKnown(field.FieldType)));

    private static bool IsStruct(Type type) =>
        type.IsValueType && !type.IsByRefLike && !type.IsPrimitive && !type.IsEnum && type != typeof(void)
        && Nullable.GetUnderlyingType(type) == null;

    /// <summary>In the order of the source.</summary>
    private static IEnumerable<FieldInfo> Fields(Type type) =>
        type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic).OrderBy(field => field.MetadataToken);

    public static object Value(Type type, JsonElement json) =>
        IsStruct(type) ? Struct(type, json) : Scalar(type, json);

    /// <summary>A struct is the array of its fields.</summary>
    private static object Struct(Type type, JsonElement json)
    {
        FieldInfo[] fields = Fields(type).ToArray();
        if (json.ValueKind != JsonValueKind.Array || json.GetArrayLength() != fields.Length)
            throw new BadRequest($"{json.GetRawText()} is not an array of the {fields.Length} fields of {type}");
        object boxed = RuntimeHelpers.GetUninitializedObject(type);
        for (int k = 0; k < fields.Length; k++)
            fields[k].SetValue(boxed, Value(fields[k].FieldType, json[k]));
        return boxed;
    }

    public static void Write(Utf8JsonWriter json, object value)
    {
        if (!IsStruct(value.GetType()) || Width(value.GetType()) > 0)
        {
            json.WriteStringValue(Bits(value));
            return;
        }
        json.WriteStartArray();
        foreach (FieldInfo field in Fields(value.GetType()))
            Write(json, field.GetValue(value)!);
        json.WriteEndArray();
    }

    /// <summary>Bytes of a primitive or an enum; 0 for every other type.</summary>
    public static int Width(Type type)
    {
        if (type == typeof(nint) || type == typeof(nuint))
            return 8;
        return Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean or TypeCode.SByte or TypeCode.Byte => 1,
            TypeCode.Char or TypeCode.Int16 or TypeCode.UInt16 => 2,
            TypeCode.Int32 or TypeCode.UInt32 or TypeCode.Single => 4,
            TypeCode.Int64 or TypeCode.UInt64 or TypeCode.Double => 8,
            _ => 0,
        };
    }

    public static object Scalar(Type type, JsonElement json)
    {
        int width = Width(type);
        if (type.IsEnum)
            return Enum.ToObject(type, Scalar(Enum.GetUnderlyingType(type), json));
        if (width == 0)
            throw new BadRequest($"parameters of type {type} are not for this oracle");
        if (json.ValueKind is JsonValueKind.True or JsonValueKind.False)
        {
            return type == typeof(bool) ? json.GetBoolean() : throw new BadRequest($"{json.GetRawText()} is not a number");
        }
        string text = json.ValueKind switch
        {
            JsonValueKind.Number => json.GetRawText(),
            JsonValueKind.String => json.GetString()!,
            _ => throw new BadRequest($"{json.GetRawText()} is not a value of {type.Name}"),
        };
        return text.StartsWith('#') ? FromBits(type, text, width) : FromDecimal(type, text);
    }

    private static object FromBits(Type type, string text, int width)
    {
        if (text.Length != 1 + 2 * width
            || !ulong.TryParse(text.AsSpan(1), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong bits))
            throw new BadRequest($"{text} is not {width} bytes in hex");
        object boxed = RuntimeHelpers.GetUninitializedObject(type);
        ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(new ReadOnlySpan<ulong>(in bits))[..width];
        bytes.CopyTo(Content(boxed, width));
        return boxed;
    }

    private static object FromDecimal(Type type, string text)
    {
        const NumberStyles integer = NumberStyles.AllowLeadingSign;
        const NumberStyles real = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
        CultureInfo culture = CultureInfo.InvariantCulture;
        try
        {
            if (type == typeof(nint))
                return (nint)long.Parse(text, integer, culture);
            if (type == typeof(nuint))
                return (nuint)ulong.Parse(text, integer, culture);
            return Type.GetTypeCode(type) switch
            {
                TypeCode.SByte => (object)sbyte.Parse(text, integer, culture),
                TypeCode.Byte => byte.Parse(text, integer, culture),
                TypeCode.Int16 => short.Parse(text, integer, culture),
                TypeCode.UInt16 => ushort.Parse(text, integer, culture),
                TypeCode.Int32 => int.Parse(text, integer, culture),
                TypeCode.UInt32 => uint.Parse(text, integer, culture),
                TypeCode.Int64 => long.Parse(text, integer, culture),
                TypeCode.UInt64 => ulong.Parse(text, integer, culture),
                TypeCode.Single => float.Parse(text, real, culture),
                TypeCode.Double => double.Parse(text, real, culture),
                TypeCode.Char => (char)ushort.Parse(text, integer, culture),
                _ => throw new BadRequest($"{text} is not a value of {type.Name}"),
            };
        }
        catch (Exception e) when (e is FormatException or OverflowException)
        {
            throw new BadRequest($"{text} is not a value of {type.Name}");
        }
    }

    /// <summary>"#" and the bits in big-endian hex.</summary>
    public static string Bits(object value)
    {
        Span<byte> content = Content(value, Width(value.GetType()));
        Span<char> text = stackalloc char[1 + 2 * content.Length];
        text[0] = '#';
        const string digits = "0123456789abcdef";
        for (int k = 0; k < content.Length; k++)
        {
            byte b = content[content.Length - 1 - k];
            text[1 + 2 * k] = digits[b >> 4];
            text[2 + 2 * k] = digits[b & 15];
        }
        return text.ToString();
    }

    /// <summary>.NET's shortest invariant text; a Char as its code number, an enum as its number.</summary>
    public static string Text(object value) => value switch
    {
        Enum e => e.ToString("D"),
        _ when IsStruct(value.GetType()) && Width(value.GetType()) == 0 =>
            "(" + string.Join(", ", Fields(value.GetType()).Select(field => Text(field.GetValue(value)!))) + ")",
        char c => ((int)c).ToString(CultureInfo.InvariantCulture),
        bool => Content(value, 1)[0] != 0 ? "True" : "False",
        IFormattable f => f.ToString(null, CultureInfo.InvariantCulture),
        _ => value.ToString() ?? "",
    };

    private static Span<byte> Content(object boxed, int width) =>
        MemoryMarshal.CreateSpan(ref Unsafe.As<StrongBox<byte>>(boxed).Value, width);
}
