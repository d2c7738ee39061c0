// Every recorded request of every fixture, called through the binding: what CoreCLR answered is what comes back. The IL
// interpreter asks the C library for sin and its kind, as CoreCLR does; where the tree gives other last bits, they must be
// those of the IL interpreter with the functions that all engines share.

using System.Reflection;
using System.Text.Json;
using System.Text.RegularExpressions;
using Oracle;
using Xunit;

namespace Ilcuda.Tests;

public sealed class AnswersTests
{
    private const int Fuel = 20_000_000;

    public static TheoryData<string> Assemblies()
    {
        var data = new TheoryData<string>();
        foreach (string file in Directory.GetFiles(Path.Combine(Place.Fixtures, "answers"), "*.answers.jsonl").Order(StringComparer.Ordinal))
            data.Add(Path.GetFileName(file)[..^".answers.jsonl".Length]);
        return data;
    }

    [Theory]
    [MemberData(nameof(Assemblies))]
    public void Calls_through_the_binding_have_the_recorded_answers(string name)
    {
        var subject = new Subject(Place.Fixture(name), optimized: true);
        using var session = new Session();
        IlAssembly assembly = session.Open(Place.Fixture(name));
        string[] requests = File.ReadAllLines(Place.Answers(name + ".requests.jsonl"));
        string[] answers = File.ReadAllLines(Place.Answers(name + ".answers.jsonl"));
        Assert.Equal(requests.Length, answers.Length);
        var wrong = new List<string>();
        int same = 0;
        for (int k = 0; k < requests.Length; k++)
        {
            foreach (Interpreter interpreter in (Interpreter[])[Interpreter.Il, Interpreter.Tree])
            {
                string? difference = Compare(subject, assembly, interpreter, requests[k], answers[k]);
                if (difference is { Length: > 0 })
                    wrong.Add($"{interpreter}: {difference}\n  {Short(requests[k])}\n  {Short(answers[k])}");
                else if (difference == null)
                    same++;
            }
        }
        Assert.True(wrong.Count == 0, $"{wrong.Count} differ, {same} are the same:\n{string.Join("\n", wrong.Take(5))}");
        Assert.True(same > 0 || name.StartsWith("Refused", StringComparison.Ordinal));
    }

    private static string Short(string text) => text.Length < 300 ? text : text[..300] + "...";

    /// <summary>Null where it is the same, "" where the method is not supported or not for the oracle; else what differs.</summary>
    private static string? Compare(Subject subject, IlAssembly assembly, Interpreter interpreter, string request, string answer)
    {
        using JsonDocument asked = JsonDocument.Parse(request), recorded = JsonDocument.Parse(answer);
        if (recorded.RootElement.TryGetProperty("error", out _))
            return "";
        MethodInfo method = subject.Find(asked.RootElement.GetProperty("method").GetString()!);
        Type[] types = Captured.Types(method, Captured.Fields(method, asked.RootElement));
        object?[] args = Values.Arguments(types, asked.RootElement.GetProperty("args"));
        IlMethod il = assembly.Reflected(method);
        CallOutcome outcome;
        try
        {
            outcome = il.Call(args, new CallOptions { Interpreter = interpreter, Fuel = Fuel, HostLibm = true });
        }
        catch (IlcudaException e) when (e.Status == Status.Unsupported)
        {
            return !il.Support.Supported || interpreter == Interpreter.Il ? "" : "supported, yet " + e.Message;
        }
        catch (IlcudaException e)
        {
            return e.Message;
        }
        if (recorded.RootElement.TryGetProperty("trap", out JsonElement trap))
            return CompareTrap(outcome.Trap, trap);
        if (outcome.Trap != null)
            return outcome.Trap.ToString();
        string? difference = CompareValues(method, types, args, outcome, recorded.RootElement);
        if (difference == null || interpreter == Interpreter.Il)
            return difference;
        object?[] again = Values.Arguments(types, asked.RootElement.GetProperty("args"));
        return Equals(il.Call(again, new CallOptions { Fuel = Fuel }).Value, outcome.Value) ? null : difference;
    }

    private static string? CompareTrap(Trap? actual, JsonElement expected)
    {
        if (actual == null)
            return "no exception";
        return actual.Exception == expected.GetProperty("exception").GetString() && IsMessage(actual.Message, expected.GetProperty("message").GetString()!)
            ? null : $"{actual.Exception}: {actual.Message}";
    }

    /// <summary>"..." stands for a value that a kernel cannot print (docs/semantics.md, Traps).</summary>
    private static bool IsMessage(string actual, string expected) =>
        Regex.IsMatch(expected, "^" + Regex.Escape(actual).Replace(@"\.\.\.", ".*") + "$", RegexOptions.Singleline);

    private static string? CompareValues(MethodInfo method, Type[] types, object?[] args, CallOutcome outcome, JsonElement expected)
    {
        if (method.ReturnType != typeof(void) && !Answer.IsSame(method.ReturnType, outcome.Value, expected.GetProperty("ret")))
            return $"result {outcome.Value}";
        JsonElement after = expected.GetProperty("args");
        for (int k = 0; k < types.Length; k++)
        {
            Type type = types[k].IsPointer ? Values.PointerArray(types[k]) : types[k].IsByRef ? types[k].GetElementType()! : types[k];
            if ((type.IsArray || types[k].IsByRef) && !Answer.IsSame(type, args[k], after[k]))
                return $"argument {k}";
        }
        return null;
    }
}
