// Runs request lines in order on a worker thread, each call under a time limit, and writes answer lines.

using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Oracle;

internal sealed class Runner
{
    private static readonly JsonWriterOptions Json = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly Subject _subject;
    private readonly string[] _lines;
    private readonly TextWriter _output;
    private readonly Lock _lock = new();
    private int _current;      // line that the worker is at
    private long _started;     // when it began with it
    private int _generation;   // a worker of another generation was abandoned
    private bool _done;

    private Runner(Subject subject, string[] lines, TextWriter output)
    {
        (_subject, _lines, _output) = (subject, lines, output);
    }

    public static void Run(Subject subject, string[] lines, TimeSpan limit, TextWriter output) =>
        new Runner(subject, lines, output).Watch(limit);

    private void Watch(TimeSpan limit)
    {
        Thread worker = Start(0);
        while (!worker.Join(50))
        {
            lock (_lock)
            {
                if (_done || Stopwatch.GetElapsedTime(_started) < limit)
                    continue;
                // A running call cannot be stopped; its thread is left behind and a new one goes on.
                _output.WriteLine(Error(IdOf(_lines[_current]), "time limit"));
                _generation++;
                worker = Start(_current + 1);
            }
        }
    }

    private Thread Start(int first)
    {
        int generation = _generation;
        _current = first;
        _started = Stopwatch.GetTimestamp();
        var thread = new Thread(() => Work(first, generation), 16 << 20) { IsBackground = true };
        thread.Start();
        return thread;
    }

    private void Work(int first, int generation)
    {
        for (int k = first; k < _lines.Length; k++)
        {
            if (string.IsNullOrWhiteSpace(_lines[k]))
                continue;
            lock (_lock)
            {
                if (generation != _generation)
                    return;
                _current = k;
                _started = Stopwatch.GetTimestamp();
            }
            string answer = Answer(_lines[k]);
            lock (_lock)
            {
                if (generation != _generation)
                    return;
                _output.WriteLine(answer);
                _done = k + 1 == _lines.Length;
            }
        }
    }

    private string Answer(string line)
    {
        JsonElement? id = null;
        try
        {
            using JsonDocument document = JsonDocument.Parse(line);
            JsonElement request = document.RootElement;
            id = IdOf(request);
            (MethodInfo method, JsonElement list) = Read(request);
            FieldInfo[][] fields = Captured.Fields(method, request);
            Type[] types = Captured.Types(method, fields);
            object?[] args = Values.Arguments(types, list);
            if (method.ReturnType != typeof(void) && !Values.IsKnown(Innermost(method.ReturnType)))
                throw new BadRequest($"results of type {method.ReturnType} are not for this oracle");
            return Call(id, Spans.WithArrays(method), fields, types, args);
        }
        catch (JsonException)
        {
            return Error(id, "not a JSON object");
        }
        catch (BadRequest e)
        {
            return Error(id, e.Message);
        }
    }

    private (MethodInfo, JsonElement) Read(JsonElement request)
    {
        string? name = null;
        JsonElement? args = null;
        foreach (JsonProperty field in request.EnumerateObject())
        {
            switch (field.Name)
            {
                case "id":
                    break;
                case "method" when field.Value.ValueKind == JsonValueKind.String:
                    name = field.Value.GetString();
                    break;
                case "args":
                    args = field.Value;
                    break;
                case "fields":
                    break;
                default:
                    throw new BadRequest($"unknown field {field.Name}");
            }
        }
        if (name == null || args == null)
            throw new BadRequest("method or args is missing");
        return (_subject.Find(name), args.Value);
    }

    private static Type Innermost(Type type) => type.IsArray ? Innermost(type.GetElementType()!) : type;

    private string Call(JsonElement? id, MethodInfo method, FieldInfo[][] fields, Type[] types, object?[] args)
    {
        object?[] passed = (object?[])args.Clone();
        object? result;
        var pinned = new List<GCHandle>();
        try
        {
            Pin(types, passed, pinned);
            bool ofStruct = !method.IsStatic && method.DeclaringType!.IsValueType;
            object? target = ofStruct ? passed[0] : Captured.Object(method, fields, passed.AsSpan(passed.Length - fields.Length));
            object?[] own = passed[(ofStruct ? 1 : 0)..^fields.Length];
            try
            {
                result = method.Invoke(target, BindingFlags.DoNotWrapExceptions, null, own, null);
            }
            finally
            {
                own.CopyTo(passed, ofStruct ? 1 : 0); // by-refs; the boxed struct is what the method worked on
            }
        }
        catch (Exception e)
        {
            return Trap(id, e);
        }
        finally
        {
            pinned.ForEach(handle => handle.Free());
        }
        return Write(id, json =>
        {
            if (result == null)
            {
                json.WriteNull("ret");
            }
            else if (result is Array array)
            {
                json.WritePropertyName("ret");
                Arrays.Write(json, array);
            }
            else
            {
                json.WritePropertyName("ret");
                Values.Write(json, result);
                json.WriteString("text", Values.Text(result));
            }
            json.WriteStartArray("args");
            for (int k = 0; k < args.Length; k++)
                WriteAfter(json, types[k].IsByRef ? passed[k] : args[k], types[k].IsByRef);
            json.WriteEndArray();
        });
    }

    /// <summary>Arrays that are given for pointers stay where they are during the call.</summary>
    private static unsafe void Pin(Type[] types, object?[] passed, List<GCHandle> pinned)
    {
        for (int k = 0; k < types.Length; k++)
        {
            if (!types[k].IsPointer)
                continue;
            void* start = null;
            if (passed[k] is { } array)
            {
                pinned.Add(GCHandle.Alloc(array, GCHandleType.Pinned));
                start = (void*)pinned[^1].AddrOfPinnedObject();
            }
            passed[k] = Pointer.Box(start, types[k]);
        }
    }

    private static void WriteAfter(Utf8JsonWriter json, object? arg, bool isByRef)
    {
        if (isByRef)
        {
            Values.Write(json, arg!);
            return;
        }
        Arrays.Write(json, arg as Array);
    }

    private string Trap(JsonElement? id, Exception e)
    {
        while (e is TypeInitializationException && e.InnerException != null)
            e = e.InnerException;
        StackFrame? frame = new StackTrace(e, false).GetFrames()
            .FirstOrDefault(f => f.GetMethod()?.Module.Assembly == _subject.Assembly);
        return Write(id, json =>
        {
            json.WriteStartObject("trap");
            json.WriteString("exception", e.GetType().FullName);
            json.WriteString("message", e.Message);
            if (frame?.GetMethod() is { } method)
            {
                int il = frame.GetILOffset();
                json.WriteString("method", Subject.QualifiedName(method));
                json.WriteNumber("il", il);
                json.WriteNumber("line", _subject.Line(method, il));
            }
            json.WriteEndObject();
        });
    }

    private static string Error(JsonElement? id, string reason) => Write(id, json =>
    {
        json.WriteStartObject("error");
        json.WriteString("reason", reason);
        json.WriteEndObject();
    });

    private static string Write(JsonElement? id, Action<Utf8JsonWriter> fields)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer, Json))
        {
            json.WriteStartObject();
            json.WritePropertyName("id");
            if (id is { } value)
                value.WriteTo(json);
            else
                json.WriteNullValue();
            fields(json);
            json.WriteEndObject();
        }
        return Encoding.UTF8.GetString(buffer.GetBuffer(), 0, (int)buffer.Length);
    }

    private static JsonElement? IdOf(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        return IdOf(document.RootElement);
    }

    private static JsonElement? IdOf(JsonElement request)
    {
        if (request.ValueKind != JsonValueKind.Object)
            throw new BadRequest("not a JSON object");
        return request.TryGetProperty("id", out JsonElement id) ? id.Clone() : null;
    }
}
