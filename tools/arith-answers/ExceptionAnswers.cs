// Messages of the framework's exception classes, by constructor: type, kinds of the parameters
// (s String, x Exception given null, i Int32), the strings (first, second or null), the message.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Text;

static class ExceptionAnswers
{
    // What numeric code throws; those whose messages depend on files, types or members are left out.
    const string Names =
        "System.Exception System.SystemException System.ApplicationException System.ArgumentException System.ArgumentNullException " +
        "System.ArgumentOutOfRangeException System.ArithmeticException System.ArrayTypeMismatchException System.DataMisalignedException " +
        "System.DivideByZeroException System.FormatException System.IndexOutOfRangeException System.InsufficientExecutionStackException " +
        "System.InsufficientMemoryException System.InvalidCastException System.InvalidOperationException System.InvalidProgramException " +
        "System.NotFiniteNumberException System.NotImplementedException System.NotSupportedException System.NullReferenceException " +
        "System.ObjectDisposedException System.OperationCanceledException System.OutOfMemoryException System.OverflowException " +
        "System.PlatformNotSupportedException System.RankException System.StackOverflowException System.TimeoutException " +
        "System.UnauthorizedAccessException System.AccessViolationException System.Collections.Generic.KeyNotFoundException " +
        "System.IO.IOException System.IO.EndOfStreamException System.IO.InvalidDataException";

    public static string All()
    {
        var text = new StringBuilder("# Messages of CoreCLR " + Environment.Version + ", made by tools/arith-answers.\n" +
            "# type, kinds (s String, x a null Exception, i Int32), the strings given (- for null), message (\\n escaped), tab-separated.\n");
        var types = Names.Split(' ').Select(n => typeof(object).Assembly.GetType(n, true));
        foreach (Type t in types)
            foreach (ConstructorInfo c in t.GetConstructors().OrderBy(c => Kinds(c) ?? "", StringComparer.Ordinal)) {
                string kinds = Kinds(c);
                if (kinds == null) continue;
                foreach (string[] strings in Choices(kinds.Count(k => k == 's'))) Write(text, t, c, kinds, strings);
            }
        return text.ToString();
    }

    static string Kinds(ConstructorInfo c)
    {
        string kinds = "";
        foreach (ParameterInfo p in c.GetParameters())
            if (p.ParameterType == typeof(string)) kinds += 's';
            else if (p.ParameterType == typeof(Exception)) kinds += 'x';
            else if (p.ParameterType == typeof(int)) kinds += 'i';
            else return null;
        return kinds;
    }

    static IEnumerable<string[]> Choices(int count) => count switch {
        0 => new[] { Array.Empty<string>() },
        1 => new[] { new[] { "first" }, new[] { "" }, new string[] { null } },
        2 => new[] { new[] { "first", "second" }, new[] { "first", "" }, new[] { "first", null }, new[] { null, "second" }, new[] { "", "second" }, new string[] { null, null } },
        _ => Array.Empty<string[]>() };

    static void Write(StringBuilder text, Type t, ConstructorInfo c, string kinds, string[] strings)
    {
        int next = 0;
        object[] args = kinds.Select(k => k == 's' ? strings[next++] : k == 'i' ? (object)5 : null).ToArray();
        string message = ((Exception)c.Invoke(args)).Message.Replace("\\", "\\\\").Replace("\n", "\\n");
        text.Append($"{t.FullName}\t{kinds}\t{string.Join(",", strings.Select(s => s ?? "-"))}\t{message}\n");
    }
}
