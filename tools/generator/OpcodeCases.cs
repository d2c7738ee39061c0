// One small method for each instruction of ECMA-335 Partition III, named after it (dots are underscores), also for
// those that are refused: OpcodesIl.dll and its calls. Where an instruction alone has no meaning, or would end the
// process, it stands behind a branch that no call takes.

using System.Globalization;
using System.Text;

namespace Generator;

internal sealed class OpcodeCases
{
    private const int CallsPerMethod = 4;

    // What the arguments of the calls are taken from, in turn.
    private static readonly Dictionary<string, string[]> Values = new()
    {
        ["int8"] = ["5", "-7", "127", "-128"], ["uint8"] = ["5", "200", "255", "0"], ["int16"] = ["300", "-7", "32767", "0"],
        ["uint16"] = ["300", "65535", "0", "7"], ["int32"] = ["2", "-3", "0", "100"], ["uint32"] = ["2", "4294967295", "0", "7"],
        ["int64"] = ["\"2\"", "\"-5\"", "\"9223372036854775807\"", "\"0\""], ["nint"] = ["\"2\"", "\"-5\"", "\"3000000000\"", "\"0\""],
        ["float32"] = ["1.5", "\"NaN\"", "-2.25", "3e9"], ["float64"] = ["1.5", "\"NaN\"", "-2.25", "3e9"],
        ["[]"] = ["[1,2,3]", "[7,8,9,10]", "[]", "null"],
    };

    private static readonly Dictionary<string, string> Names = new()
    {
        ["int8"] = "SByte", ["uint8"] = "Byte", ["int16"] = "Int16", ["uint16"] = "UInt16", ["int32"] = "Int32", ["uint32"] = "UInt32",
        ["int64"] = "Int64", ["nint"] = "IntPtr", ["float32"] = "Single", ["float64"] = "Double",
    };

    private readonly OpcodeAssembler _assembly = new("OpcodesIl", "Opcodes");
    private readonly StringBuilder _requests = new();
    private int _methods, _calls;

    public static void Write(string path)
    {
        var cases = new OpcodeCases();
        cases.All();
        cases._assembly.Save(path);
        File.WriteAllText(Path.ChangeExtension(path, ".requests.jsonl"), cases._requests.ToString());
    }

    private void Add(string opcode, string signature, string text, string locals = "")
    {
        string name = opcode.TrimEnd('.').Replace('.', '_');
        _assembly.Add(name, signature, locals, text);
        _methods++;
        string[] parameters = OpcodeAssembler.Parameters(signature);
        string method = $"Opcodes.{name}({string.Join(",", parameters.Select(Clr))})";
        for (int k = 0; k < CallsPerMethod; k++)
        {
            string args = string.Join(",", parameters.Select((type, place) =>
                Values[type.EndsWith("[]", StringComparison.Ordinal) ? "[]" : type.TrimEnd('&')][(k + place) % 4]));
            _requests.Append(CultureInfo.InvariantCulture, $"{{\"id\":{_calls++},\"method\":\"{method}\",\"args\":[{args}]}}\n");
        }
    }

    private static string Clr(string type)
    {
        string element = type.TrimEnd('&', '[', ']');
        return Names[element] + type[element.Length..];
    }

    /// <summary>The instructions stand where no call comes.</summary>
    private void Behind(string opcode, string text, string locals = "") =>
        Add(opcode, "int32(int32)", $"ldarg.0; ldc.i4 123456; bne.un.s L; {text}; L: ldarg.0; ret", locals);

    private void All()
    {
        _assembly.ConstructorOfPairIsMethod(221);
        _assembly.Add("Twice", "int32(int32)", "", "ldarg.0; ldc.i4.2; mul; ret");
        Variables();
        Constants();
        Branches();
        Arithmetic();
        Conversions();
        Memory();
        Elements();
        Structs();
        Calls();
        Objects();
        Handlers();
        _assembly.AddConstructorOfPair("void(int32,int32)", "ldarg.0; ldarg.1; stfld A; ldarg.0; ldarg.2; stfld B; ret");
        if (_methods != 219)
            throw new InvalidOperationException($"{_methods} methods");
    }

    private void Variables()
    {
        foreach (int k in (int[])[0, 1, 2, 3])
        {
            Add($"ldarg.{k}", "int32(int32,int32,int32,int32)", $"ldarg.{k}; ret");
            Add($"ldloc.{k}", "int32(int32)", $"ldarg.0; stloc.s {k}; ldloc.{k}; ret", "int32,int32,int32,int32");
            Add($"stloc.{k}", "int32(int32)", $"ldarg.0; stloc.{k}; ldloc.s {k}; ret", "int32,int32,int32,int32");
        }
        foreach (string form in (string[])[".s", ""])
        {
            Add($"ldarg{form}", "int32(int32,int32)", $"ldarg{form} 1; ret");
            Add($"ldarga{form}", "int32(int32,int32)", $"ldarga{form} 1; ldind.i4; ret");
            Add($"starg{form}", "int32(int32,int32)", $"ldarg.1; starg{form} 0; ldarg.0; ret");
            Add($"ldloc{form}", "int32(int32)", $"ldarg.0; stloc.1; ldloc{form} 1; ret", "int32,int32");
            Add($"ldloca{form}", "int32(int32)", $"ldloca{form} 1; ldarg.0; stind.i4; ldloc.1; ret", "int32,int32");
            Add($"stloc{form}", "int32(int32)", $"ldarg.0; stloc{form} 1; ldloc.1; ret", "int32,int32");
        }
        Add("nop", "int32(int32)", "nop; ldarg.0; ret");
        Add("dup", "int32(int32)", "ldarg.0; dup; add; ret");
        Add("pop", "int32(int32,int32)", "ldarg.0; ldarg.1; pop; ret");
        Add("ret", "int32(int32)", "ldarg.0; ret");
    }

    private void Constants()
    {
        foreach (int k in Enumerable.Range(0, 9))
            Add($"ldc.i4.{k}", "int32(int32)", $"ldarg.0; ldc.i4.{k}; add; ret");
        Add("ldc.i4.m1", "int32(int32)", "ldarg.0; ldc.i4.m1; add; ret");
        Add("ldc.i4.s", "int32(int32)", "ldarg.0; ldc.i4.s -100; add; ret");
        Add("ldc.i4", "int32(int32)", "ldarg.0; ldc.i4 -2147483648; add; ret");
        Add("ldc.i8", "int64(int64)", "ldarg.0; ldc.i8 -9223372036854775808; add; ret");
        Add("ldc.r4", "float32(float32)", "ldarg.0; ldc.r4 0.1; add; ret");
        Add("ldc.r8", "float64(float64)", "ldarg.0; ldc.r8 0.1; add; ret");
    }

    private void Branches()
    {
        foreach (string form in (string[])["", ".s"])
        {
            Add($"br{form}", "int32(int32)", $"br{form} L; M: ldarg.0; ret; L: ldarg.0; brtrue.s M; ldc.i4.8; ret");
            foreach (string name in (string[])["brtrue", "brfalse"])
                Add(name + form, "int32(int32)", $"ldarg.0; {name}{form} L; ldc.i4.0; ret; L: ldc.i4.1; ret");
            foreach (string name in (string[])["beq", "bge", "bgt", "ble", "blt", "bne.un", "bge.un", "bgt.un", "ble.un", "blt.un"])
                Add(name + form, "int32(float64,float64)", $"ldarg.0; ldarg.1; {name}{form} L; ldc.i4.0; ret; L: ldc.i4.1; ret");
        }
        Add("switch", "int32(int32)", "ldarg.0; switch A B A; ldc.i4.m1; ret; A: ldc.i4.5; ret; B: ldc.i4.6; ret");
        foreach (string name in (string[])["ceq", "cgt", "cgt.un", "clt", "clt.un"])
            Add(name, "int32(float64,float64)", $"ldarg.0; ldarg.1; {name}; ret");
    }

    private void Arithmetic()
    {
        foreach (string name in (string[])["add", "sub", "mul", "div", "rem"])
            Add(name, "float64(float64,float64)", $"ldarg.0; ldarg.1; {name}; ret");
        foreach (string name in (string[])["and", "or", "xor", "div.un", "rem.un", "add.ovf", "add.ovf.un", "mul.ovf", "mul.ovf.un", "sub.ovf", "sub.ovf.un"])
            Add(name, "int64(int64,int64)", $"ldarg.0; ldarg.1; {name}; ret");
        foreach (string name in (string[])["shl", "shr", "shr.un"])
            Add(name, "int64(int64,int32)", $"ldarg.0; ldarg.1; {name}; ret");
        Add("neg", "float64(float64)", "ldarg.0; neg; ret");
        Add("not", "int64(int64)", "ldarg.0; not; ret");
        Add("ckfinite", "float64(float64)", "ldarg.0; ckfinite; ret");
    }

    private void Conversions()
    {
        foreach (string to in (string[])["i1", "i2", "i4", "i8", "r4", "r8", "u4", "u8", "u2", "u1", "i", "u"])
            Add($"conv.{to}", $"{Result(to)}(float64)", $"ldarg.0; conv.{to}; ret");
        foreach (string to in (string[])["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "i", "u"])
        {
            Add($"conv.ovf.{to}", $"{Result(to)}(float64)", $"ldarg.0; conv.ovf.{to}; ret");
            Add($"conv.ovf.{to}.un", $"{Result(to)}(int64)", $"ldarg.0; conv.ovf.{to}.un; ret");
        }
        Add("conv.r.un", "float64(int64)", "ldarg.0; conv.r.un; ret");
    }

    private static string Result(string to) => to switch
    {
        "i8" or "u8" => "int64", "r4" => "float32", "r8" => "float64", "i" or "u" => "nint", _ => "int32",
    };

    private static readonly (string Form, string Type, string OnStack)[] Widths =
    [
        ("i1", "int8", "int32"), ("u1", "uint8", "int32"), ("i2", "int16", "int32"), ("u2", "uint16", "int32"), ("i4", "int32", "int32"),
        ("u4", "uint32", "int32"), ("i8", "int64", "int64"), ("i", "nint", "nint"), ("r4", "float32", "float32"), ("r8", "float64", "float64"),
    ];

    private void Memory()
    {
        foreach ((string form, string type, string onStack) in Widths)
        {
            Add($"ldind.{form}", $"{onStack}({type}&)", $"ldarg.0; ldind.{form}; ret");
            if (form[0] != 'u')
                Add($"stind.{form}", $"{onStack}({type}&,{onStack})", $"ldarg.0; ldarg.1; stind.{form}; ldarg.0; ldind.{form}; ret");
        }
        Behind("ldind.ref", "ldc.i4.0; conv.u; ldind.ref; pop");
        Behind("stind.ref", "ldc.i4.0; conv.u; ldnull; stind.ref");
        Add("localloc", "int32(int32)", "ldc.i4.s 16; conv.u; localloc; stloc.0; ldloc.0; ldarg.0; stind.i4; ldloc.0; ldind.i4; ret", "int32*");
        Add("unaligned.", "int32(int32)", "ldarga.s 0; unaligned. 1; ldind.i4; ret");
        Add("volatile.", "int32(int32)", "ldarga.s 0; volatile.; ldind.i4; ret");
        Add("cpblk", "int32(int32)", "ldloca.s 0; ldarga.s 0; ldc.i4.4; cpblk; ldloc.0; ret", "int32");
        Add("initblk", "int32(int32)", "ldloca.s 0; ldarg.0; ldc.i4.4; initblk; ldloc.0; ret", "int32");
    }

    private void Elements()
    {
        foreach ((string form, string type, string onStack) in Widths)
        {
            Add($"ldelem.{form}", $"{onStack}({type}[],int32)", $"ldarg.0; ldarg.1; ldelem.{form}; ret");
            if (form[0] != 'u')
                Add($"stelem.{form}", $"void({type}[],int32,{onStack})", $"ldarg.0; ldarg.1; ldarg.2; stelem.{form}; ret");
        }
        Add("ldelem", "int32(uint16[],int32)", "ldarg.0; ldarg.1; ldelem uint16; ret");
        Add("stelem", "void(uint16[],int32,int32)", "ldarg.0; ldarg.1; ldarg.2; stelem uint16; ret");
        Add("ldelema", "int32(int32[],int32)", "ldarg.0; ldarg.1; ldelema int32; ldind.i4; ret");
        Add("readonly.", "int32(int32[],int32)", "ldarg.0; ldarg.1; readonly.; ldelema int32; ldind.i4; ret");
        Add("ldlen", "int32(int32[])", "ldarg.0; ldlen; conv.i4; ret");
        Add("newarr", "int32(int32)", "ldarg.0; ldc.i4.7; and; newarr int32; ldlen; conv.i4; ret");
        Add("ldnull", "int32(int32[])", "ldarg.0; ldnull; ceq; ret");
        Behind("ldelem.ref", "ldnull; ldc.i4.0; ldelem.ref; pop");
        Behind("stelem.ref", "ldnull; ldc.i4.0; ldnull; stelem.ref");
    }

    private void Structs()
    {
        Add("newobj", "int32(int32,int32)", "ldarg.0; ldarg.1; newobj Pair::.ctor; stloc.0; ldloca.s 0; ldfld B; ret", "Pair");
        Add("initobj", "int32(int32)", "ldloca.s 0; ldarg.0; stfld A; ldloca.s 0; initobj Pair; ldloca.s 0; ldfld A; ret", "Pair");
        Add("ldobj", "int32(int32)", "ldloca.s 0; ldarg.0; stfld A; ldloca.s 0; ldobj Pair; stloc.1; ldloc.1; ldfld A; ret", "Pair,Pair");
        Add("stobj", "int32(int32)", "ldloca.s 0; ldarg.0; stfld A; ldloca.s 1; ldloc.0; stobj Pair; ldloc.1; ldfld A; ret", "Pair,Pair");
        Add("cpobj", "int32(int32)", "ldloca.s 0; ldarg.0; stfld A; ldloca.s 1; ldloca.s 0; cpobj Pair; ldloc.1; ldfld A; ret", "Pair,Pair");
        Add("sizeof", "int32(int32)", "ldarg.0; sizeof Pair; add; ret");
        Add("ldfld", "int32(int32)", "ldloca.s 0; ldarg.0; stfld B; ldloc.0; ldfld B; ret", "Pair");
        Add("ldflda", "int32(int32)", "ldloca.s 0; ldflda B; ldarg.0; stind.i4; ldloc.0; ldfld B; ret", "Pair");
        Add("stfld", "int32(int32,int32)", "ldloca.s 0; ldarg.0; stfld A; ldloca.s 0; ldarg.1; stfld B; ldloca.s 0; ldfld A; ret", "Pair");
        Add("ldsfld", "int32(int32)", "ldarg.0; ldsfld Kept; add; ret");
        Add("ldsflda", "int32(int32)", "ldarg.0; ldsflda Kept; ldind.i4; add; ret");
        Add("stsfld", "int32(int32)", "ldarg.0; stsfld Written; ldarg.0; ret");
    }

    private void Calls()
    {
        Add("call", "int32(int32)", "ldarg.0; call Twice; ldc.i4.1; add; ret");
        Add("callvirt", "int32(int32[],int32)", "ldarg.0; ldarg.1; callvirt Array::GetLength int32(int32); ret");
        Behind("calli", "ldarg.0; ldc.i4.0; conv.i; calli int32(int32); ret");
        Add("jmp", "int32(int32)", "jmp Twice");
        Add("tail.", "int32(int32)", "ldarg.0; tail.; call Twice; ret");
        Add("ldftn", "int32(int32)", "ldftn Twice; pop; ldarg.0; ret");
        Add("ldvirtftn", "int32(int32)", "ldstr a; ldvirtftn object::GetHashCode int32(); pop; ldarg.0; ret");
        Add("constrained.", "int32(int32)", "ldarga.s 0; constrained. int32; callvirt object::GetHashCode int32(); ret");
        Behind("arglist", "arglist; pop");
        Behind("break", "break");
        Behind("no.", "ldarga.s 0; no. 1; ldind.i4; pop");
    }

    private void Objects()
    {
        Add("ldstr", "int32(int32)", "ldstr what it says; newobj InvalidOperationException::.ctor void(string); throw");
        Add("box", "int32(int32)", "ldarg.0; box int32; pop; ldarg.0; ret");
        Behind("unbox", "ldnull; unbox int32; ldind.i4; ret");
        Behind("unbox.any", "ldnull; unbox.any int32; ret");
        Add("castclass", "int32(int32)", "ldstr a; castclass string; pop; ldarg.0; ret");
        Add("isinst", "int32(int32)", "ldstr a; isinst string; pop; ldarg.0; ret");
        Add("ldtoken", "int32(int32)", "ldtoken int32; pop; ldarg.0; ret");
        Add("mkrefany", "int32(int32)", "ldarga.s 0; mkrefany int32; pop; ldarg.0; ret");
        Behind("refanyval", "ldloc.0; refanyval int32; ldind.i4; ret", "typedref");
        Behind("refanytype", "ldloc.0; refanytype; pop", "typedref");
    }

    /// <summary>Outside of handlers: a try block would be refused before what is in it.</summary>
    private void Handlers()
    {
        Add("throw", "int32(int32)", "ldarg.0; brtrue.s L; newobj InvalidOperationException::.ctor void(); throw; L: ldarg.0; ret");
        Behind("endfinally", "endfinally");
        Behind("endfilter", "ldc.i4.0; endfilter");
        Behind("rethrow", "rethrow");
        Add("leave", "int32(int32)", "leave L; L: ldarg.0; ret");
        Add("leave.s", "int32(int32)", "leave.s L; L: ldarg.0; ret");
    }
}
