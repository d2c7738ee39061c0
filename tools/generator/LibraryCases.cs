// One method for each row of src/lib/math.def, which calls it: LibraryIl.dll and its calls on edge values.

using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace Generator;

internal static class LibraryCases
{
    private const int MostCalls = 24;

    private static readonly string[] Reals =
        ["0", "-0.0", "1", "-1", "0.5", "-0.5", "1.5", "2.5", "-2.5", "\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "0.1", "-3.75", "1e-40", "8388609",
         "1e10", "-1e15", "4503599627370497", "3e38"];

    private static string[] Edges(string kind) => kind switch
    {
        "Single" or "Double" => Reals,
        "SByte" => ["0", "1", "-1", "127", "-128", "-127", "100"],
        "Byte" => ["0", "1", "128", "255", "100"],
        "Int16" => ["0", "1", "-1", "32767", "-32768", "-32767"],
        "UInt16" or "Char" => ["0", "1", "32768", "65535", "100"],
        "Int32" => ["0", "1", "-1", "2147483647", "-2147483648", "-2147483647", "65535", "65536", "-32768", "-32769"],
        "UInt32" => ["0", "1", "2147483648", "4294967295"],
        "Int64" or "IntPtr" => ["0", "1", "-1", "\"9223372036854775807\"", "\"-9223372036854775808\"", "\"-9223372036854775807\""],
        _ => ["0", "1", "\"9223372036854775808\"", "\"18446744073709551615\""],
    };

    private static string Result(string operation, string method, string[] kinds) =>
        method switch { "Sign" or "AscW" or "PopCount" or "LeadingZeroCount" or "TrailingZeroCount" => "int32", "Log2" when kinds[0][0] == 'U' => "int32",
            _ when method.StartsWith("Is", StringComparison.Ordinal) => "bool", "ChrW" => "char", _ => Name(kinds[0]) };

    private static string Name(string kind) => kind switch
    {
        "SByte" => "int8", "Byte" => "uint8", "Int16" => "int16", "UInt16" => "uint16", "Char" => "char", "Int32" => "int32",
        "UInt32" => "uint32", "Int64" => "int64", "UInt64" => "uint64", "IntPtr" => "nint", "UIntPtr" => "nuint", "Single" => "float32",
        "Double" => "float64", _ => throw new ArgumentException(kind),
    };

    public static void Write(string table, string path)
    {
        var assembly = new OpcodeAssembler("LibraryIl", "Library");
        var requests = new StringBuilder();
        int calls = 0, rows = 0;
        foreach (Match row in Regex.Matches(File.ReadAllText(table), "^LIBRARY\\(\"([^\"]+)\", \"([^\"]+)\", \"([^\"]+)\", \"([^\"]+)\"\\)", RegexOptions.Multiline))
        {
            string type = row.Groups[1].Value, method = row.Groups[2].Value;
            string[] kinds = row.Groups[3].Value.Split(',');
            string name = $"{type[(type.LastIndexOf('.') + 1)..]}_{method}_{string.Join("_", kinds)}";
            string signature = $"{Result(row.Groups[4].Value, method, kinds)}({string.Join(",", kinds.Select(Name))})";
            string loads = string.Join("; ", kinds.Select((_, place) => $"ldarg.{place}"));
            assembly.Add(name, signature, "", $"{loads}; call {type}::{method} static {signature}; ret");
            rows++;
            foreach (string args in Arguments(kinds))
                requests.Append(CultureInfo.InvariantCulture, $"{{\"id\":{calls++},\"method\":\"Library.{name}({row.Groups[3].Value})\",\"args\":[{args}]}}\n");
        }
        if (rows == 0)
            throw new InvalidDataException($"no rows in {table}");
        assembly.AddConstructorOfPair("void(int32,int32)", "ret");
        assembly.Save(path);
        File.WriteAllText(Path.ChangeExtension(path, ".requests.jsonl"), requests.ToString());
    }

    private static IEnumerable<string> Arguments(string[] kinds)
    {
        if (kinds.Length == 1)
            return Edges(kinds[0]);
        string[] pairs = [.. Edges(kinds[0]).SelectMany(a => Edges(kinds[1]).Select(b => $"{a},{b}"))];
        int stride = Math.Max(1, pairs.Length / MostCalls) | 1;
        return pairs.Where((_, place) => place % stride == 0);
    }
}
