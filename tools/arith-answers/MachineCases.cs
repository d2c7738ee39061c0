// Methods written in IL, as no compiler writes them, and CoreCLR's answers to calls of them: IlCases.dll and
// machine.txt. A method is (name, result, parameters, locals, code, calls); a call of "*" is the product of a few
// edge values of each parameter. What takes addresses and structures is in MemoryCases.cs.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text;

static partial class MachineCases
{
    record Method(string Name, string Result, string Parameters, string Locals, string Code, params string[] Calls);

    static readonly string[] NativeEdges = { "0", "5", "4294967290", "4294967291", "4294967295", "4294967296", "-6", "-5", "-1", "9223372036854775807" };

    static readonly List<Method> Methods = new() {
        // kinds on the stack
        new("MixedFloats", "r8", "r4,r8", "", "ldarg.0; ldarg.1; add; ret", "*"),
        new("FloatStaysFloat", "r8", "r4,r4", "", "ldarg.0; ldarg.1; mul; ldarg.0; add; ret", "*"),
        new("DoubleToFloatLocal", "r4", "r8", "r4", "ldarg.0; stloc.0; ldloc.0; ret", "*"),
        new("FloatResultOfDouble", "r4", "r8,r8", "", "ldarg.0; ldarg.1; sub; ret", "*"),
        new("DoubleResultOfFloat", "r8", "r4", "", "ldarg.0; ret", "*"),
        new("NativeAndInt", "nint", "nint,i4", "", "ldarg.0; ldarg.1; sub; ret", "*"),
        new("LongResultOfInt", "nint", "i4", "", "ldarg.0; ret", "*"),
        new("UnsignedResultOfInt", "nuint", "i4", "", "ldarg.0; ret", "*"),
        new("UnsignedLocalOfInt", "nuint", "i4", "nuint", "ldarg.0; stloc.0; ldloc.0; ret", "*"),
        new("UnsignedIn", "nuint", "nuint", "", "ldarg.0; ret"),
        new("UnsignedArgumentOfInt", "nuint", "i4", "", "ldarg.0; call UnsignedIn; ret", "*"),
        new("UnsignedStarg", "nuint", "i4,nuint", "", "ldarg.0; starg.s 1; ldarg.1; ret", "-1,7", "5,7"),
        new("IntLocalOfNative", "i4", "nint", "i4", "ldarg.0; stloc.0; ldloc.0; ret", "*"),
        new("IntResultOfNative", "i4", "nint", "", "ldarg.0; ret", "*"),
        new("ByteLocalOfNative", "i4", "nint", "u1", "ldarg.0; stloc.0; ldloc.0; ret", "*"),
        new("NativeElementOfInt", "void", "nint[],i4", "", "ldarg.0; ldc.i4.0; ldarg.1; neg; stelem.i; ret"),
        new("UnsignedElementOfInt", "void", "nuint[],i4", "", "ldarg.0; ldc.i4.0; ldarg.1; not; stelem.i; ret"),
        new("LongElementOfInt", "void", "i8[],i4", "", "ldarg.0; ldc.i4.0; ldarg.1; neg; stelem.i8; ret"),
        new("LengthIsInt", "r8", "i4[]", "", "ldarg.0; ldlen; not; conv.r.un; ret", "[1,2]"),
        new("LengthSquared", "i8", "u1[]", "", "ldarg.0; ldlen; ldc.i4 16; shl; ldarg.0; ldlen; ldc.i4 16; shl; mul; conv.i8; ret", "[1,2]"),
        new("LengthStored", "void", "nint[]", "", "ldarg.0; ldc.i4.0; ldarg.0; ldlen; stelem.i; ret"),
        new("IntElementOfNative", "void", "i4[],nint", "", "ldarg.0; ldc.i4.0; ldarg.1; stelem.i4; ret", "[1,2],-3", "[1,2],4294967298"),
        new("ByteElementOfNative", "void", "u1[],nint", "", "ldarg.0; ldc.i4.0; ldarg.1; stelem.i1; ret", "[1,2],-3"),
        new("NativeIsTrue", "i4", "nint", "", "ldarg.0; brtrue YES; ldc.i4.3; ret; YES: ldc.i4.4; ret", "0", "4294967296"),
        // an int32 beside a native int, unsigned: a branch widens a constant by sign and others by zeros
        new("BranchUnConstant", "i4", "nint", "", "ldarg.0; ldc.i4 -5; blt.un YES; ldc.i4.3; ret; YES: ldc.i4.4; ret", NativeEdges),
        new("BranchUnConstantFirst", "i4", "nint", "", "ldc.i4 -5; ldarg.0; bge.un.s YES; ldc.i4.3; ret; YES: ldc.i4.4; ret", NativeEdges),
        new("BranchUnUnequal", "i4", "nint", "", "ldarg.0; ldc.i4.m1; bne.un YES; ldc.i4.3; ret; YES: ldc.i4.4; ret", NativeEdges),
        new("BranchUnLocal", "i4", "nint", "i4", "ldc.i4 -5; stloc.0; ldarg.0; ldloc.0; ble.un YES; ldc.i4.3; ret; YES: ldc.i4.4; ret", NativeEdges),
        new("BranchUnArgument", "i4", "nint,i4", "", "ldarg.0; ldarg.1; bgt.un YES; ldc.i4.3; ret; YES: ldc.i4.4; ret", "*"),
        new("BranchUnJoined", "i4", "nint,i4", "", "ldarg.0; ldarg.1; brtrue B; ldc.i4 -5; br END; B: ldc.i4 -5; END: blt.un YES; ldc.i4.3; ret; YES: ldc.i4.4; ret", "5,0", "4294967290,1", "4294967295,0", "-6,1", "-1,0"),
        new("BranchUnOverBranch", "i4", "nint,i4", "", "ldc.i4 -5; ldarg.1; brtrue B; ldarg.0; blt.un YES; ldc.i4.3; ret; YES: ldc.i4.4; ret; B: pop; ldc.i4.7; ret", "5,0", "4294967290,0", "4294967295,0", "-6,0", "-1,0", "1,1"),
        new("CompareUnConstant", "i4", "nint", "", "ldarg.0; ldc.i4 -5; clt.un; ldc.i4 -5; ldarg.0; cgt.un; ldc.i4.2; mul; or; ret", NativeEdges),
        new("AddCheckedUnConstant", "nint", "nint", "", "ldarg.0; ldc.i4 -5; add.ovf.un; ret", NativeEdges),
        new("SubtractCheckedUnConstant", "nint", "nint", "", "ldc.i4 -5; ldarg.0; sub.ovf.un; ret", NativeEdges),
        new("MultiplyCheckedUnConstant", "nint", "nint", "", "ldarg.0; ldc.i4 -5; mul.ovf.un; ret", NativeEdges),
        new("NativeShift", "nint", "nint,i4", "", "ldarg.0; ldarg.1; shr; ret", "*"),
        new("IntOrNative", "nint", "i4,nint", "", "ldarg.0; ldarg.1; or; ret", "*"),
        new("ShiftsBeyondWidth", "i8", "i8,i4", "", "ldarg.0; ldarg.1; shl; ldarg.0; ldarg.1; shr.un; xor; ret", "*"),
        new("UnsignedToFloatOnce", "r4", "u8", "", "ldarg.0; conv.r.un; conv.r4; ret", "*"),
        new("UnsignedToFloatTwice", "r4", "u8", "", "ldarg.0; conv.r.un; nop; conv.r4; ret", "*"),
        new("CompareAsNumber", "r8", "r8,r8", "", "ldarg.0; ldarg.1; clt.un; conv.r8; ret", "*"),
        // storage
        new("ByteArgument", "i4", "i4", "", "ldarg.0; call ByteIn; ret", "*"),
        new("ByteIn", "i4", "u1", "", "ldarg.0; ret", "*"),
        new("SByteResult", "i1", "i4", "", "ldarg.0; ret", "*"),
        new("CharResult", "char", "i4", "", "ldarg.0; ldc.i4.1; add; ret", "*"),
        new("BoolOfTwo", "bool", "i4", "", "ldarg.0; ret", "2", "255", "256", "0"),
        new("ShortArgumentStored", "i4", "i2,i4", "", "ldarg.1; starg.s 0; ldarg.0; ret", "*"),
        new("UShortLocal", "i4", "i4", "u2", "ldarg.0; stloc.0; ldloc.0; ret", "*"),
        new("LocalsStartAtZero", "i8", "", "i4,i8,r8", "ldloc.0; conv.i8; ldloc.1; add; ldloc.2; conv.i8; add; ret", ""),
        new("CallResultIsCut", "i4", "i4", "", "ldarg.0; call SByteResult; ret", "*"),
        // joins
        new("ValueAcrossJoin", "i4", "i4,i4", "", "ldc.i4.5; ldarg.0; brtrue YES; ldarg.1; br END; YES: ldc.i4.7; END: add; ret", "*"),
        new("FloatsJoinAsDouble", "r8", "i4,r4,r8", "", "ldarg.0; brtrue YES; ldarg.1; br END; YES: ldarg.2; END: ldarg.2; mul; ret", "*"),
        new("IntJoinsNative", "nint", "i4,nint", "", "ldarg.0; brtrue YES; ldarg.0; ldc.i4.7; sub; br END; YES: ldarg.1; END: ret", "*"),
        new("ConditionalEdgeConverts", "r8", "i4,r4,r8", "", "ldarg.1; ldarg.0; brtrue END; pop; ldarg.2; END: ret", "*"),
        new("StackAcrossBackEdge", "i4", "i4", "", "ldc.i4.0; TOP: ldarg.0; add; ldarg.0; ldc.i4.1; sub; starg.s 0; ldarg.0; ldc.i4.0; bgt TOP; ret", "5", "1", "0", "-3", "100"),
        new("SwitchWithValue", "i4", "i4", "", "ldc.i4 100; ldarg.0; switch A,B,C,A; ldc.i4.1; sub; ret; A: ldc.i4.2; add; ret; B: ldc.i4.3; mul; ret; C: neg; ret", "0", "1", "2", "3", "4", "-1", "2147483647", "-2147483648"),
        new("SwitchEdgesConvert", "r8", "i4,r4,r8", "", "ldarg.1; ldarg.0; switch A,B; pop; ldarg.2; br A; B: pop; ldc.r8 2.5; A: ret", "0,r4:1.5,r8:0.1", "1,r4:1.5,r8:0.1", "2,r4:1.5,r8:0.1"),
        new("JoinAtConversion", "r4", "i4,u8,r8", "", "ldarg.0; brtrue YES; ldarg.1; conv.r.un; br END; YES: ldarg.2; END: conv.r4; ret", "*"),
        // references
        new("SameArray", "i4", "i4[],i4[]", "", "ldarg.0; ldarg.1; ceq; ret", "[1],[1]", "-,-", "[1],-", "[1],same"),
        new("ArrayIsNull", "i4", "r8[]", "", "ldarg.0; brfalse NO; ldarg.0; ldnull; cgt.un; ret; NO: ldc.i4.7; ret", "[1]", "-", "[]"),
        new("ArrayInLocal", "i4", "i4,i4[],i4[]", "i4[]", "ldarg.0; brtrue YES; ldarg.1; br END; YES: ldarg.2; END: stloc.0; ldloc.0; ldc.i4.0; ldelem.i4; ret", "0,[3],[4]", "1,[3],[4]", "1,[3],-", "0,[],[1]"),
        new("NullJoinsArray", "i4", "i4,i4[]", "", "ldarg.0; brtrue YES; ldnull; br END; YES: ldarg.1; END: ldlen; conv.i4; ret", "0,[3]", "1,[3,4]", "1,-"),
        new("LengthOf", "nint", "u1[]", "", "ldarg.0; ldlen; ret", "[1,2,3]", "[]", "-"),
        new("ElementOfNull", "i4", "", "", "ldnull; ldc.i4.0; ldelem.i4; ret", ""),
        // elements
        new("GetI1", "i4", "i1[],i4", "", "ldarg.0; ldarg.1; ldelem.i1; ret", "[1,-128,127],1", "[1],1", "[1],-1", "-,0"),
        new("GetI1OfBytes", "i4", "u1[],i4", "", "ldarg.0; ldarg.1; ldelem.i1; ret", "[1,200,127],1"),
        new("GetU1", "i4", "u1[],i4", "", "ldarg.0; ldarg.1; ldelem.u1; ret", "[1,200,255],1", "[1,200,255],2"),
        new("GetBool", "i4", "bool[],i4", "", "ldarg.0; ldarg.1; ldelem.u1; ret", "[0,1],1", "[0,1],0"),
        new("GetI2", "i4", "i2[],i4", "", "ldarg.0; ldarg.1; ldelem.i2; ret", "[1,-32768],1"),
        new("GetU2", "i4", "u2[],i4", "", "ldarg.0; ldarg.1; ldelem.u2; ret", "[1,65535],1"),
        new("GetChar", "i4", "char[],i4", "", "ldarg.0; ldarg.1; ldelem.u2; ret", "[1,65535],1"),
        new("GetU4", "i8", "u4[],i4", "", "ldarg.0; ldarg.1; ldelem.u4; conv.u8; ret", "[1,4294967295],1"),
        new("GetI8", "i8", "i8[],nint", "", "ldarg.0; ldarg.1; ldelem.i8; ret", "[1,-5],1", "[1,-5],2", "[1,-5],4294967296", "[1,-5],-1", "[1],-9223372036854775808"),
        new("GetNative", "nint", "nint[],i4", "", "ldarg.0; ldarg.1; ldelem.i; ret", "[1,-5],1"),
        new("GetR4", "r4", "r4[],i4", "", "ldarg.0; ldarg.1; ldelem.r4; ret", "[1,2.5],1"),
        new("GetR8", "r8", "r8[],i4", "", "ldarg.0; ldarg.1; ldelem System.Double; ret", "[1,2.5],1"),
        new("GetByToken", "i4", "i2[],i4", "", "ldarg.0; ldarg.1; ldelem System.Int16; ret", "[1,-2],1"),
        new("SetI1", "void", "i1[],i4,i4", "", "ldarg.0; ldarg.1; ldarg.2; stelem.i1; ret", "[1,2,3],1,511", "[1,2,3],1,128", "[1],1,0", "-,0,0"),
        new("SetBool", "void", "bool[],i4,i4", "", "ldarg.0; ldarg.1; ldarg.2; stelem.i1; ret", "[0,0,0],1,1"),
        new("SetI2", "void", "u2[],i4,i4", "", "ldarg.0; ldarg.1; ldarg.2; stelem.i2; ret", "[1,2,3],1,-1", "[1,2,3],1,65537"),
        new("SetI4", "void", "i4[],nint,i4", "", "ldarg.0; ldarg.1; ldarg.2; stelem.i4; ret", "[1,2,3],1,-1", "[1,2,3],3,7"),
        new("SetI8", "void", "u8[],i4,i8", "", "ldarg.0; ldarg.1; ldarg.2; stelem.i8; ret", "[1,2,3],1,-1"),
        new("SetNative", "void", "nint[],i4,nint", "", "ldarg.0; ldarg.1; ldarg.2; stelem.i; ret", "[1,2,3],1,-1"),
        new("SetR4OfDouble", "void", "r4[],i4,r8", "", "ldarg.0; ldarg.1; ldarg.2; stelem.r4; ret", "[1,2,3],1,r8:0.1"),
        new("SetR8OfFloat", "void", "r8[],i4,r4", "", "ldarg.0; ldarg.1; ldarg.2; stelem.r8; ret", "[1,2,3],1,r4:0.1"),
        new("SetByToken", "void", "i8[],i4,i8", "", "ldarg.0; ldarg.1; ldarg.2; stelem System.Int64; ret", "[1,2,3],1,77"),
        new("StoreBeforeTrap", "i4", "i4[],i4", "", "ldarg.0; ldc.i4.0; ldc.i4 9; stelem.i4; ldc.i4.1; ldarg.1; div; ret", "[1],0", "[1],1"),
        new("ElementAddress", "i4", "i4[]", "", "ldarg.0; ldc.i4.0; ldelema System.Int32; ldind.i4; ret", "[5]", "[]", "-"),
        new("AddressOfLocal", "i4", "", "i4", "ldloca.s 0; ldind.i4; ret", ""),
        // calls, exceptions, loops
        new("TailCall", "i8", "i8,i8", "", "ldarg.0; brtrue GO; ldarg.1; ret; GO: ldarg.0; ldc.i4.1; conv.i8; sub; ldarg.1; ldarg.0; add; tail. call TailCall; ret", "0,0", "1000,0", "100000,0"),
        new("Recursive", "i4", "i4", "", "ldarg.0; ldc.i4.1; bgt GO; ldc.i4.1; ret; GO: ldarg.0; ldc.i4.1; sub; call Recursive; ldarg.0; mul; ret", "1", "5", "12", "30"),
        new("CallsMath", "r8", "r8,r8", "", "ldarg.0; call Math.Abs(Double); call Math.Sqrt(Double); ldarg.1; call Math.Max(Double,Double); ret", "*"),
        new("SmallMath", "i4", "i4", "", "ldarg.0; call Math.Abs(SByte); ret", "127", "-127", "128", "384", "-128"),
        new("ThrowsArgument", "i4", "i4", "", "ldarg.0; ldc.i4.0; bge OK; ldstr \"too small\"; ldstr \"n\"; newobj System.ArgumentException(String,String); throw; OK: ldarg.0; ret", "1", "-1"),
        new("ThrowsDefault", "i4", "", "", "newobj System.OverflowException(); throw", ""),
        new("ThrowsNullMessage", "i4", "", "", "ldnull; newobj System.InvalidOperationException(String); throw", ""),
        new("ThrowsOneOfTwo", "i4", "i4", "", "ldarg.0; brtrue A; ldstr \"a\"; newobj System.FormatException(String); br T; A: ldstr \"b\"; newobj System.ArithmeticException(String); T: throw", "0", "1"),
        new("ThrowsNull", "i4", "", "", "ldnull; throw", ""),
        new("MayThrowNull", "i4", "i4", "", "ldarg.0; brtrue A; ldnull; br T; A: newobj System.RankException(); T: throw", "0", "1"),
        new("TrapInCallee", "i4", "i4[],i4", "", "ldarg.0; ldarg.1; call Inner; ldc.i4.1; add; ret", "[5],0", "[5],1"),
        new("Inner", "i4", "i4[],i4", "", "ldarg.0; ldarg.1; ldelem.i4; ret", "[5],0"),
        new("DeadCode", "i4", "i4", "", "ldarg.0; ret; ldstr \"x\"; pop; ldsfld System.String.Empty; pop; ldc.i4.0; ret", "5"),
        new("SumTo", "i8", "i4", "i8,i4", "br TEST; BODY: ldloc.0; ldloc.1; conv.i8; add; stloc.0; ldloc.1; ldc.i4.1; add; stloc.1; TEST: ldloc.1; ldarg.0; blt BODY; ldloc.0; ret", "0", "10", "100000"),
        // refused or never run: the unit test looks at these
        new("Forever", "void", "", "", "TOP: br TOP"),
        new("DeepRecursion", "i4", "i4", "", "ldarg.0; brtrue GO; ldc.i4.0; ret; GO: ldarg.0; ldc.i4.1; sub; call DeepRecursion; ldc.i4.1; add; ret"),
        new("DeepPing", "i4", "i4", "", "ldarg.0; brtrue GO; ldc.i4.0; ret; GO: ldarg.0; ldc.i4.1; sub; call DeepPong; ldc.i4.1; add; ret"),
        new("DeepPong", "i4", "i4", "", "ldarg.0; call DeepPing; ldc.i4.1; add; ret"),
        new("CallsOther", "r8", "r8", "", "ldarg.0; call Math.Atanh(Double); ret"),
        new("CallsCallsOther", "r8", "r8", "", "ldarg.0; call CallsOther; ret"),
        new("UnreachedOther", "r8", "i4,r8", "", "ldarg.0; brfalse NO; ldarg.1; call Math.Atanh(Double); ret; NO: ldarg.1; ret"),
        new("NewArray", "i4", "i4", "", "ldarg.0; newarr System.Int32; ldlen; conv.i4; ret"),
        new("StaticField", "i4", "", "", "ldsfld System.String.Empty; pop; ldc.i4.0; ret"),
        new("ThrowsComputed", "i4", "i4", "", "ldarg.0; brtrue A; ldstr \"a\"; br T; A: ldstr \"b\"; T: newobj System.Exception(String); throw"),
        new("MakesObject", "i4", "", "", "newobj System.Object(); pop; ldc.i4.0; ret"),
        new("DecimalMax", "i4", "", "", "ldc.i4.1; newobj System.Decimal(Int32); pop; ldc.i4.0; ret"),
        new("Template", "i4", "i4,i8,r4,r8,i4[],u1", "i4,i8,r4,r8,u1,i4[]", string.Concat(Enumerable.Repeat("nop; ", 60)) + "ldc.i4.0; dup; dup; dup; pop; pop; pop; ret"),
    };

    static readonly Dictionary<string, Type> Types = new() {
        ["void"] = typeof(void), ["bool"] = typeof(bool), ["char"] = typeof(char), ["i1"] = typeof(sbyte), ["u1"] = typeof(byte),
        ["i2"] = typeof(short), ["u2"] = typeof(ushort), ["i4"] = typeof(int), ["u4"] = typeof(uint), ["i8"] = typeof(long),
        ["u8"] = typeof(ulong), ["nint"] = typeof(nint), ["nuint"] = typeof(nuint), ["string"] = typeof(string), ["r4"] = typeof(float), ["r8"] = typeof(double) };

    // Commas within <> do not separate.
    static string[] List(string text) => text == "" ? Array.Empty<string>() : System.Text.RegularExpressions.Regex.Split(text, ",(?![^<]*>)");
    static Type TypeOf(string name) => name.EndsWith("[]") ? TypeOf(name[..^2]).MakeArrayType() :
        name.EndsWith("&") ? TypeOf(name[..^1]).MakeByRefType() : Structs.TryGetValue(name, out TypeBuilder s) ? s : Generic(name) ?? Types[name];

    public static string Make(string path)
    {
        Build(path);
        Type type = Assembly.LoadFile(Path.GetFullPath(path)).GetType("IlCases", true);
        var text = new StringBuilder("# Calls of IlCases.dll under CoreCLR " + Environment.Version + ", made by tools/arith-answers.\n" +
            "# method arguments => result arrays-afterwards: bits in hex, [..] arrays, - null, same: the first argument's object;\n" +
            "# !exception: message where it trapped.\n");
        foreach (Method m in Methods.Concat(MemoryMethods))
            foreach (string call in m.Calls)
                foreach (object[] args in call == "*" ? Product(List(m.Parameters)) : new[] { Parse(call, List(m.Parameters)) })
                    Run(text, m, type.GetMethod(m.Name), args);
        return text.ToString();
    }

    // --- the assembly ----------------------------------------------------------------------------------

    static void Build(string path)
    {
        var assembly = new PersistedAssemblyBuilder(new AssemblyName("IlCases"), typeof(object).Assembly);
        ModuleBuilder module = assembly.DefineDynamicModule("IlCases.dll");
        TypeBuilder type = module.DefineType("IlCases", TypeAttributes.Public | TypeAttributes.Abstract | TypeAttributes.Sealed, typeof(object));
        var methods = new Dictionary<string, MethodBuilder>();
        DefineStructs(module, methods);
        foreach (Method m in Methods.Concat(MemoryMethods)) {
            methods[m.Name] = type.DefineMethod(m.Name, MethodAttributes.Public | MethodAttributes.Static, TypeOf(m.Result),
                List(m.Parameters).Select(TypeOf).ToArray());
            for (int i = 0; i < List(m.Parameters).Length; i++) methods[m.Name].DefineParameter(i + 1, ParameterAttributes.None, "p" + i);
        }
        foreach (Method m in Methods.Concat(MemoryMethods)) Assemble(m, methods[m.Name].GetILGenerator(), methods);
        CreateStructs(methods);
        type.CreateType();
        Save(assembly, path);
    }

    // As assembly.Save, but the same bytes every time.
    static void Save(PersistedAssemblyBuilder assembly, string path)
    {
        MetadataBuilder metadata = assembly.GenerateMetadata(out BlobBuilder il, out BlobBuilder data);
        var id = new Guid("6d3b1f0e-5a41-4f0e-9c61-0f2a3f6f7a11");
        var pe = new ManagedPEBuilder(PEHeaderBuilder.CreateLibraryHeader(), new MetadataRootBuilder(metadata), il, data,
            deterministicIdProvider: _ => new BlobContentId(id, 0x11111111));
        var blob = new BlobBuilder();
        pe.Serialize(blob);
        byte[] bytes = blob.ToArray();
        byte[] mvid = new MetadataReaderHelper(bytes).Mvid.ToByteArray();
        int at = bytes.AsSpan().IndexOf(mvid);
        id.ToByteArray().CopyTo(bytes, at);
        File.WriteAllBytes(path, bytes);
    }

    sealed class MetadataReaderHelper
    {
        public readonly Guid Mvid;
        public MetadataReaderHelper(byte[] bytes)
        {
            using var pe = new PEReader(new MemoryStream(bytes));
            MetadataReader reader = pe.GetMetadataReader();
            Mvid = reader.GetGuid(reader.GetModuleDefinition().Mvid);
        }
    }

    static void Assemble(Method m, ILGenerator il, Dictionary<string, MethodBuilder> methods)
    {
        var labels = new Dictionary<string, Label>();
        Label LabelOf(string name) => labels.TryGetValue(name, out Label l) ? l : labels[name] = il.DefineLabel();
        foreach (string local in List(m.Locals)) il.DeclareLocal(TypeOf(local));
        foreach (string line in m.Code.Split(';')) {
            string text = line.Trim();
            int colon = text.IndexOf(": ");
            if (colon > 0 && !text.StartsWith("ldstr")) { il.MarkLabel(LabelOf(text[..colon])); text = text[(colon + 2)..].Trim(); }
            if (text.StartsWith("tail. ")) { il.Emit(OpCodes.Tailcall); text = text[6..]; }
            int space = text.IndexOf(' ');
            EmitOne(il, space < 0 ? text : text[..space], space < 0 ? "" : text[(space + 1)..], LabelOf, methods);
        }
    }

    static readonly Dictionary<string, OpCode> Ops = typeof(OpCodes).GetFields().Select(f => (OpCode)f.GetValue(null)).ToDictionary(o => o.Name);

    static void EmitOne(ILGenerator il, string name, string operand, Func<string, Label> label, Dictionary<string, MethodBuilder> methods)
    {
        OpCode op = Ops[name];
        object member = op.OperandType is OperandType.InlineField or OperandType.InlineMethod ? GenericMember(operand) : null;
        if (member is FieldInfo field) { il.Emit(op, field); return; }
        if (member is ConstructorInfo constructor) { il.Emit(op, constructor); return; }
        if (member is MethodInfo method) { il.Emit(op, method); return; }
        switch (op.OperandType) {
            case OperandType.InlineNone: il.Emit(op); break;
            case OperandType.ShortInlineI: il.Emit(op, sbyte.Parse(operand)); break;
            case OperandType.InlineI: il.Emit(op, int.Parse(operand)); break;
            case OperandType.InlineI8: il.Emit(op, long.Parse(operand)); break;
            case OperandType.ShortInlineR: il.Emit(op, float.Parse(operand)); break;
            case OperandType.InlineR: il.Emit(op, double.Parse(operand)); break;
            case OperandType.ShortInlineVar: il.Emit(op, byte.Parse(operand)); break;
            case OperandType.InlineVar: il.Emit(op, short.Parse(operand)); break;
            case OperandType.InlineBrTarget or OperandType.ShortInlineBrTarget: il.Emit(op, label(operand)); break;
            case OperandType.InlineSwitch: il.Emit(op, operand.Split(',').Select(label).ToArray()); break;
            case OperandType.InlineString: il.Emit(op, operand.Trim('"')); break;
            case OperandType.InlineType: il.Emit(op, operand.Contains('.') ? Type.GetType(operand, true) : TypeOf(operand)); break;
            case OperandType.InlineField when Fields.TryGetValue(operand, out FieldBuilder f): il.Emit(op, f); break;
            case OperandType.InlineField: il.Emit(op, typeof(string).GetField("Empty")); break;
            case OperandType.InlineMethod when Constructors.TryGetValue(operand, out ConstructorBuilder c): il.Emit(op, c); break;
            case OperandType.InlineMethod when op == OpCodes.Newobj: il.Emit(op, (ConstructorInfo)Member(operand)); break;
            case OperandType.InlineMethod: il.Emit(op, methods.TryGetValue(operand, out MethodBuilder m) ? m : (MethodInfo)Member(operand)); break;
            default: throw new NotSupportedException(name);
        }
    }

    static MemberInfo Member(string text)
    {
        int open = text.IndexOf('(');
        Type[] types = List(text[(open + 1)..^1]).Select(n => Type.GetType("System." + n, true)).ToArray();
        if (text.StartsWith("System.")) return Type.GetType(text[..open], true).GetConstructor(types);
        return typeof(Math).GetMethod(text[5..open], types);
    }

    // --- calls -----------------------------------------------------------------------------------------

    static IEnumerable<object[]> Product(string[] types)
    {
        IEnumerable<object[]> rows = new[] { Array.Empty<object>() };
        foreach (string type in types) rows = rows.SelectMany(r => Edges(type).Select(v => r.Append(v).ToArray()));
        return rows;
    }

    static IEnumerable<object> Edges(string type) => type switch {
        "r4" => new object[] { 0f, -0f, 0.1f, 16777216f, float.MaxValue, float.NaN },
        "r8" => new object[] { 0d, -0.1, 16777217d, 1e300, double.NegativeInfinity, double.NaN },
        "i4" => new object[] { 0, 1, -1, 33, 255, 256, 32768, int.MaxValue, int.MinValue },
        "i8" => new object[] { 0L, 1L, -1L, 0x123456789abcdef0L, long.MaxValue, long.MinValue },
        "u8" => new object[] { 0ul, 1ul, 0x8000008000000001ul, ulong.MaxValue, 16777217ul, 0x20000020000001ul },
        "nint" => new object[] { (nint)0, (nint)(-1), nint.MaxValue },
        "i2" => new object[] { (short)0, (short)-1 },
        "u1" => new object[] { (byte)0, (byte)255 },
        _ => throw new NotSupportedException(type) };

    static object[] Parse(string call, string[] types)
    {
        var values = new List<object>();
        int at = 0;
        foreach (string type in types) {
            int end = call[at..].StartsWith('[') ? call.IndexOf(']', at) + 1 : call.IndexOf(',', at);
            if (end < 0) end = call.Length;
            string text = call[at..end];
            at = Math.Min(end + 1, call.Length);
            values.Add(text == "same" ? values[0] : text == "-" ? null : type.EndsWith("[]") ? ParseArray(text, Types[type[..^2]]) :
                type.EndsWith("&") ? ParseOne(text[1..^1], Types[type[..^1]]) : ParseOne(text, Types[type]));
        }
        return values.ToArray();
    }

    static Array ParseArray(string text, Type type)
    {
        string[] items = List(text[1..^1]);
        Array array = Array.CreateInstance(type, items.Length);
        for (int i = 0; i < items.Length; i++) array.SetValue(ParseOne(items[i], type), i);
        return array;
    }

    static object ParseOne(string text, Type type)
    {
        text = text[(text.IndexOf(':') + 1)..];
        if (type == typeof(bool)) return text == "1";
        if (type == typeof(char)) return (char)int.Parse(text);
        if (type == typeof(nint)) return (nint)long.Parse(text);
        if (type == typeof(nuint)) return (nuint)ulong.Parse(text);
        return Convert.ChangeType(text, type);
    }

    static string Show(object value) => value switch {
        null => "-",
        Array a => "[" + string.Join(",", a.Cast<object>().Select(Show)) + "]",
        bool b => System.Runtime.CompilerServices.Unsafe.BitCast<bool, byte>(b).ToString("x"),
        char c => ((int)c).ToString("x"),
        sbyte v => ((byte)v).ToString("x"), short v => ((ushort)v).ToString("x"), int v => ((uint)v).ToString("x"),
        long v => ((ulong)v).ToString("x"), nint v => ((ulong)v).ToString("x"), nuint v => ((ulong)v).ToString("x"),
        float f => float.IsNaN(f) ? "N" : BitConverter.SingleToUInt32Bits(f).ToString("x"),
        double d => double.IsNaN(d) ? "N" : BitConverter.DoubleToUInt64Bits(d).ToString("x"),
        IFormattable v => v.ToString("x", null),
        _ => throw new NotSupportedException() };

    // A by-ref is written as an array of one.
    static string ShowArgument(string type, object value) => type.EndsWith("&") ? "[" + Show(value) + "]" : Show(value);

    static void Run(StringBuilder text, Method m, MethodInfo method, object[] args)
    {
        string[] types = List(m.Parameters);
        bool trapped = false;
        text.Append(m.Name);
        for (int i = 0; i < args.Length; i++)
            text.Append(' ').Append(i > 0 && args[i] is Array && ReferenceEquals(args[i], args[0]) ? "same" : ShowArgument(types[i], args[i]));
        text.Append(" => ");
        try {
            object result = method.Invoke(null, args);
            text.Append(m.Result == "void" ? "void" : Show(result));
        } catch (TargetInvocationException e) {
            trapped = true;
            text.Append('!').Append(e.InnerException.GetType().FullName).Append(": ").Append(e.InnerException.Message);
        }
        for (int i = 0; i < args.Length; i++) // by-refs are not handed back where there was an exception
            if (args[i] is Array || (types[i].EndsWith("&") && !trapped)) text.Append(" | ").Append(ShowArgument(types[i], args[i]));
        text.Append('\n');
    }
}
