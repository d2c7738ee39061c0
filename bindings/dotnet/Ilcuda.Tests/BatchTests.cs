// Every recorded request of every fixture by the tool, `ilcuda call --batch`, and by the binding: the same lines, in both interpreters.

using System.Diagnostics;
using System.Reflection;
using System.Text;
using System.Text.Json;
using Oracle;
using Xunit;

namespace Ilcuda.Tests;

public sealed class BatchTests
{
    public static TheoryData<string, Interpreter> Batches()
    {
        var data = new TheoryData<string, Interpreter>();
        foreach (string file in Directory.GetFiles(Path.Combine(Place.Fixtures, "answers"), "*.requests.jsonl").Order(StringComparer.Ordinal))
        {
            foreach (Interpreter interpreter in Enum.GetValues<Interpreter>())
                data.Add(Path.GetFileName(file)[..^".requests.jsonl".Length], interpreter);
        }
        return data;
    }

    [Theory]
    [MemberData(nameof(Batches))]
    public void Calls_through_the_binding_have_the_answers_of_the_tool(string name, Interpreter interpreter)
    {
        string requests = Place.Answers(name + ".requests.jsonl");
        string[] asked = File.ReadAllLines(requests), told = Tool(Place.Fixture(name), requests, interpreter);
        Assert.Equal(asked.Length, told.Length);
        var subject = new Subject(Place.Fixture(name), optimized: true);
        using var session = new Session();
        IlAssembly assembly = session.Open(Place.Fixture(name));
        var wrong = new List<string>();
        for (int k = 0; k < asked.Length; k++)
        {
            string? answer = Answer(subject, assembly, interpreter, asked[k]);
            using JsonDocument ours = JsonDocument.Parse(answer ?? "null"), theirs = JsonDocument.Parse(told[k]);
            bool refused = theirs.RootElement.TryGetProperty("unsupported", out _) || theirs.RootElement.TryGetProperty("error", out _);
            if (answer == null ? !refused : !JsonElement.DeepEquals(ours.RootElement, theirs.RootElement))
                wrong.Add($"{Short(asked[k])}\n  binding: {Short(answer ?? "refused")}\n  tool:    {Short(told[k])}");
        }
        Assert.True(wrong.Count == 0, $"{wrong.Count} of {asked.Length} differ:\n{string.Join("\n", wrong.Take(5))}");
    }

    private static string Short(string text) => text.Length < 300 ? text : text[..300] + "...";

    private static string[] Tool(string assembly, string requests, Interpreter interpreter)
    {
        string path = Path.Combine(Path.GetDirectoryName(Environment.GetEnvironmentVariable("ILCUDA_LIBRARY"))!, "ilcuda");
        Assert.SkipUnless(File.Exists(path), $"the tool is not beside the library ({path})");
        string[] how = interpreter == Interpreter.Il ? ["--libm=host"] : ["--engine", "ast"];
        var start = new ProcessStartInfo(path, ["call", assembly, "--batch", requests, .. how]) { RedirectStandardOutput = true, StandardOutputEncoding = Encoding.UTF8 };
        using Process process = Process.Start(start)!;
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
        return output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    /// <summary>As docs/cli.md has it; null where reflection cannot make the arguments, of a type such as a span.</summary>
    private static string? Answer(Subject subject, IlAssembly assembly, Interpreter interpreter, string request)
    {
        using JsonDocument asked = JsonDocument.Parse(request);
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WritePropertyName("id");
            asked.RootElement.GetProperty("id").WriteTo(json);
            try
            {
                Call(subject, assembly, interpreter, asked.RootElement, json);
            }
            catch (IlcudaException e) when (e.Status == Status.Unsupported)
            {
                json.WriteStartObject("unsupported");
                json.WriteString("reason", e.Reason);
                WritePlace(json, e.Method, e.IlOffset);
                if (e.Line != 0)
                    json.WriteNumber("line", e.Line);
                json.WriteEndObject();
            }
            catch (IlcudaException e)
            {
                json.WriteStartObject("error");
                json.WriteString("reason", e.Reason);
                json.WriteEndObject();
            }
            catch (BadRequest)
            {
                return null;
            }
            json.WriteEndObject();
        }
        return Encoding.UTF8.GetString(buffer.ToArray());
    }

    private static void Call(Subject subject, IlAssembly assembly, Interpreter interpreter, JsonElement request, Utf8JsonWriter json)
    {
        IlMethod found = assembly.Find(request.GetProperty("method").GetString()!);
        MethodInfo method = subject.Find(request.GetProperty("method").GetString()!);
        Type[] types = Captured.Types(method, Captured.Fields(method, request));
        IlMethod il = assembly.Reflected(method);
        Assert.Equal(found.Display, il.Display);
        object?[] args = Values.Arguments(types, request.GetProperty("args"));
        CallOutcome outcome = il.Call(args, new CallOptions { Interpreter = interpreter, HostLibm = interpreter == Interpreter.Il });
        if (outcome.Trap is { } trap)
        {
            json.WriteStartObject("trap");
            json.WriteString("exception", trap.Exception);
            json.WriteString("message", trap.Message);
            WritePlace(json, trap.Method, trap.IlOffset);
            json.WriteNumber("line", trap.Line);
            json.WriteEndObject();
            return;
        }
        json.WritePropertyName("ret");
        if (outcome.Value == null)
        {
            json.WriteNullValue();
        }
        else if (outcome.Value is Array array)
        {
            Arrays.Write(json, array);
        }
        else
        {
            Values.Write(json, outcome.Value);
            json.WriteString("text", Values.Text(outcome.Value));
        }
        json.WriteStartArray("args");
        for (int k = 0; k < args.Length; k++)
        {
            if (types[k].IsByRef)
                Values.Write(json, args[k]!);
            else
                Arrays.Write(json, args[k] as Array);
        }
        json.WriteEndArray();
    }

    private static void WritePlace(Utf8JsonWriter json, string? method, int il)
    {
        if (method != null)
            json.WriteString("method", method);
        if (il >= 0)
            json.WriteNumber("il", il);
    }
}
