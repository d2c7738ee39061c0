// Arrays of any rank and arrays of arrays, out of JSON and into it (docs/cli.md).

using System.Text;
using System.Text.Json;

namespace Oracle;

internal static class Arrays
{
    public static Array? Read(Type type, JsonElement json)
    {
        Type element = type.GetElementType()!;
        if (json.ValueKind == JsonValueKind.Null)
            return null;
        if (type.IsSZArray)
            return ReadList(element, json);
        int rank = type.GetArrayRank();
        if (json.ValueKind == JsonValueKind.Object)
            return ReadShape(element, rank, json);
        var dims = new int[rank];
        JsonElement at = json;
        for (int k = 0; k < rank && (k == 0 || dims[k - 1] > 0); k++)
        {
            dims[k] = List(at).GetArrayLength();
            if (dims[k] > 0)
                at = at[0];
        }
        var array = Array.CreateInstance(element, dims);
        Fill(array, json, new int[rank], 0);
        return array;
    }

    private static JsonElement List(JsonElement json) =>
        json.ValueKind == JsonValueKind.Array ? json : throw new BadRequest($"{json.GetRawText()} is not an array");

    private static Array ReadList(Type element, JsonElement json)
    {
        var array = Array.CreateInstance(element, List(json).GetArrayLength());
        int k = 0;
        foreach (JsonElement item in json.EnumerateArray())
            array.SetValue(element.IsArray ? Read(element, item) : Values.Value(element, item), k++);
        return array;
    }

    private static Array ReadShape(Type element, int rank, JsonElement json)
    {
        int[] dims = json.GetProperty("shape").EnumerateArray().Select(d => d.GetInt32()).ToArray();
        if (dims.Length != rank)
            throw new BadRequest("the shape has another rank");
        var array = Array.CreateInstance(element, dims);
        var at = new int[rank];
        foreach (JsonElement item in json.GetProperty("data").EnumerateArray())
        {
            array.SetValue(Values.Value(element, item), at);
            for (int k = rank - 1; k >= 0 && ++at[k] == dims[k] && k > 0; k--)
                at[k] = 0;
        }
        return array;
    }

    private static void Fill(Array array, JsonElement json, int[] at, int level)
    {
        if (List(json).GetArrayLength() != array.GetLength(level))
            throw new BadRequest("the rows are not of one length");
        at[level] = 0;
        foreach (JsonElement item in json.EnumerateArray())
        {
            if (level + 1 < array.Rank)
                Fill(array, item, at, level + 1);
            else
                array.SetValue(Values.Value(array.GetType().GetElementType()!, item), at);
            at[level]++;
        }
    }

    /// <summary>Nested lists of bits, or a shape where lists cannot say it.</summary>
    public static void Write(Utf8JsonWriter writer, Array? array)
    {
        if (array is null)
            writer.WriteNullValue();
        else if (array.Rank > 1 && !ListsSayIt(array))
            WriteShape(writer, array);
        else
            WriteLevel(writer, array, new int[array.Rank], 0);
    }

    private static bool ListsSayIt(Array array)
    {
        bool none = false;
        for (int k = 0; k < array.Rank; k++)
        {
            if (none && array.GetLength(k) > 0)
                return false;
            none |= array.GetLength(k) == 0;
        }
        return true;
    }

    private static void WriteShape(Utf8JsonWriter writer, Array array)
    {
        writer.WriteStartObject();
        writer.WriteStartArray("shape");
        for (int k = 0; k < array.Rank; k++)
            writer.WriteNumberValue(array.GetLength(k));
        writer.WriteEndArray();
        writer.WriteStartArray("data");
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void WriteLevel(Utf8JsonWriter writer, Array array, int[] at, int level)
    {
        writer.WriteStartArray();
        for (at[level] = 0; at[level] < array.GetLength(level); at[level]++)
        {
            if (level + 1 < array.Rank)
                WriteLevel(writer, array, at, level + 1);
            else if (array.GetType().GetElementType()!.IsArray)
                Write(writer, (Array?)array.GetValue(at));
            else
                Values.Write(writer, array.GetValue(at)!);
        }
        writer.WriteEndArray();
    }
}
