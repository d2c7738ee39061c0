namespace Generator;
internal static class IlCases { public static void Write(string file) { } }
