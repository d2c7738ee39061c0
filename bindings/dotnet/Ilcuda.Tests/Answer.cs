// A value against its recorded form: the same bits, any two NaNs being the same.

using System.Text;
using System.Text.Json;
using Oracle;

namespace Ilcuda.Tests;

internal static class Answer
{
    public static bool IsSame(Type type, object? actual, JsonElement expected)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer))
        {
            if (type.IsArray)
                Arrays.Write(json, (Array?)actual);
            else
                Values.Write(json, actual!);
        }
        using JsonDocument written = JsonDocument.Parse(Encoding.UTF8.GetString(buffer.ToArray()));
        return IsSame(Innermost(type), written.RootElement, expected);
    }

    private static Type Innermost(Type type) => type.IsArray ? Innermost(type.GetElementType()!) : type;

    private static bool IsSame(Type leaf, JsonElement a, JsonElement b)
    {
        if (a.ValueKind != b.ValueKind)
            return false;
        switch (a.ValueKind)
        {
            case JsonValueKind.Array:
                return a.GetArrayLength() == b.GetArrayLength() && Enumerable.Range(0, a.GetArrayLength()).All(k => IsSame(leaf, a[k], b[k]));
            case JsonValueKind.String:
                return a.GetString() == b.GetString() || (IsNaN(leaf, a.GetString()!) && IsNaN(leaf, b.GetString()!));
            default:
                return a.GetRawText() == b.GetRawText();
        }
    }

    /// <summary>Of a struct the width tells: one of integers with a NaN's bits would have to be exactly those of another NaN.</summary>
    private static bool IsNaN(Type leaf, string bits) => (bits.Length, leaf) switch
    {
        (9, _) when leaf == typeof(float) || !leaf.IsPrimitive => float.IsNaN(BitConverter.UInt32BitsToSingle(Convert.ToUInt32(bits[1..], 16))),
        (17, _) when leaf == typeof(double) || !leaf.IsPrimitive => double.IsNaN(BitConverter.UInt64BitsToDouble(Convert.ToUInt64(bits[1..], 16))),
        _ => false,
    };
}
