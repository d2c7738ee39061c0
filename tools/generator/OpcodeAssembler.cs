// A small assembler for hand-made methods, which may hold any instruction of ECMA-335 Partition III: signatures and
// bodies are text. What the metadata of such a method needs besides (types, fields, callees) is named in the text.

using System.Globalization;
using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Security.Cryptography;

namespace Generator;

/// <summary>One class of static methods, two static fields of it, and the struct Pair with Int32 fields A and B.</summary>
internal sealed class OpcodeAssembler
{
    private static readonly Dictionary<string, OpCode> Opcodes = typeof(OpCodes).GetFields()
        .Select(field => (OpCode)field.GetValue(null)!).GroupBy(op => op.Name!).ToDictionary(group => group.Key, group => group.First());

    private static readonly Dictionary<string, PrimitiveTypeCode> Primitives = new()
    {
        ["bool"] = PrimitiveTypeCode.Boolean, ["char"] = PrimitiveTypeCode.Char, ["int8"] = PrimitiveTypeCode.SByte,
        ["uint8"] = PrimitiveTypeCode.Byte, ["int16"] = PrimitiveTypeCode.Int16, ["uint16"] = PrimitiveTypeCode.UInt16,
        ["int32"] = PrimitiveTypeCode.Int32, ["uint32"] = PrimitiveTypeCode.UInt32, ["int64"] = PrimitiveTypeCode.Int64,
        ["uint64"] = PrimitiveTypeCode.UInt64, ["nint"] = PrimitiveTypeCode.IntPtr, ["nuint"] = PrimitiveTypeCode.UIntPtr,
        ["float32"] = PrimitiveTypeCode.Single, ["float64"] = PrimitiveTypeCode.Double, ["object"] = PrimitiveTypeCode.Object,
        ["string"] = PrimitiveTypeCode.String, ["void"] = PrimitiveTypeCode.Void, ["typedref"] = PrimitiveTypeCode.TypedReference,
    };

    private readonly MetadataBuilder _metadata = new();
    private readonly BlobBuilder _il = new();
    private readonly MethodBodyStreamEncoder _bodies;
    private readonly AssemblyReferenceHandle _runtime;
    private readonly ReservedBlob<GuidHandle> _mvid;
    private readonly Dictionary<string, EntityHandle> _named = [];
    private readonly string _class;
    private MethodDefinitionHandle _first, _firstOfPair;
    private AssemblyReferenceHandle _visualBasic;

    public OpcodeAssembler(string name, string className)
    {
        _class = className;
        _bodies = new MethodBodyStreamEncoder(_il);
        _mvid = _metadata.ReserveGuid();
        _metadata.AddModule(0, _metadata.GetOrAddString(name + ".dll"), _mvid.Handle, default, default);
        _metadata.AddAssembly(_metadata.GetOrAddString(name), new Version(1, 0, 0, 0), default, default, default,
            AssemblyHashAlgorithm.Sha1);
        _runtime = _metadata.AddAssemblyReference(_metadata.GetOrAddString("System.Runtime"), new Version(10, 0, 0, 0), default,
            _metadata.GetOrAddBlob(new byte[] { 0xb0, 0x3f, 0x5f, 0x7f, 0x11, 0xd5, 0x0a, 0x3a }), default, default);
        _first = MetadataTokens.MethodDefinitionHandle(1);
        // The rows of types are written by Save, in this order: <Module>, the class, Pair.
        _named["Pair"] = MetadataTokens.TypeDefinitionHandle(3);
        foreach (string field in (string[])["Kept", "Written", "A", "B"])
        {
            var signature = new BlobBuilder();
            new BlobEncoder(signature).Field().Type().Int32();
            FieldAttributes also = field.Length == 1 ? 0 : field == "Kept" ? FieldAttributes.Static | FieldAttributes.InitOnly : FieldAttributes.Static;
            _named[field] = _metadata.AddFieldDefinition(
                FieldAttributes.Public | also,
                _metadata.GetOrAddString(field), _metadata.GetOrAddBlob(signature));
        }
    }

    private EntityHandle VisualBasic
    {
        get
        {
            if (_visualBasic.IsNil)
                _visualBasic = _metadata.AddAssemblyReference(_metadata.GetOrAddString("Microsoft.VisualBasic.Core"), new Version(15, 0, 0, 0),
                    default, _metadata.GetOrAddBlob(new byte[] { 0xb0, 0x3f, 0x5f, 0x7f, 0x11, 0xd5, 0x0a, 0x3a }), default, default);
            return _visualBasic;
        }
    }

    private EntityHandle Type(string name)
    {
        if (_named.TryGetValue(name, out EntityHandle handle))
            return handle;
        string runtimeName = Primitives.TryGetValue(name, out PrimitiveTypeCode code) ? code.ToString() : name;
        int dot = runtimeName.LastIndexOf('.');
        string space = dot < 0 ? "System" : runtimeName[..dot];
        EntityHandle scope = space == "Microsoft.VisualBasic" ? VisualBasic : _runtime;
        return _named[name] = _metadata.AddTypeReference(scope, _metadata.GetOrAddString(space), _metadata.GetOrAddString(runtimeName[(dot + 1)..]));
    }

    private void Encode(SignatureTypeEncoder encoder, string type)
    {
        if (type.EndsWith("[]", StringComparison.Ordinal))
            Encode(encoder.SZArray(), type[..^2]);
        else if (type.EndsWith('*'))
            Encode(encoder.Pointer(), type[..^1]);
        else if (type == "object")
            encoder.Object();
        else if (type == "string")
            encoder.String();
        else if (type == "typedref")
            encoder.Builder.WriteByte((byte)SignatureTypeCode.TypedReference);
        else if (Primitives.TryGetValue(type, out PrimitiveTypeCode code))
            encoder.PrimitiveType(code);
        else
            encoder.Type(Type(type), isValueType: true);
    }

    /// <summary>"int32(int32[],float64&amp;)"</summary>
    private BlobHandle Signature(string text, bool isInstance)
    {
        string result = text[..text.IndexOf('(')];
        string[] parameters = Parameters(text);
        var blob = new BlobBuilder();
        new BlobEncoder(blob).MethodSignature(isInstanceMethod: isInstance).Parameters(parameters.Length, r =>
        {
            if (result == "void")
                r.Void();
            else
                Encode(r.Type(), result);
        }, p =>
        {
            foreach (string parameter in parameters)
                Encode(p.AddParameter().Type(isByRef: parameter.EndsWith('&')), parameter.TrimEnd('&'));
        });
        return _metadata.GetOrAddBlob(blob);
    }

    public static string[] Parameters(string signature) =>
        signature[(signature.IndexOf('(') + 1)..^1].Split(',', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>"object::GetHashCode int32()", "System.Math::Abs static int32(int32)": of System where it says no namespace.</summary>
    private EntityHandle Member(string text)
    {
        if (_named.TryGetValue(text, out EntityHandle handle))
            return handle;
        string[] parts = text.Split("::");
        string[] member = parts[1].Split(' ');
        return _named[text] = _metadata.AddMemberReference(Type(parts[0]), _metadata.GetOrAddString(member[0]),
            Signature(member[^1], isInstance: member.Length == 2));
    }

    private int Token(OperandType kind, string text) => kind switch
    {
        OperandType.InlineString => MetadataTokens.GetToken(_metadata.GetOrAddUserString(text)),
        OperandType.InlineSig => MetadataTokens.GetToken(_metadata.AddStandaloneSignature(Signature(text, isInstance: false))),
        OperandType.InlineMethod when text.Contains("::") => MetadataTokens.GetToken(Member(text)),
        OperandType.InlineMethod or OperandType.InlineField => MetadataTokens.GetToken(_named[text]),
        _ => MetadataTokens.GetToken(Type(text)),
    };

    /// <summary>"ldarg.0; brtrue.s L; ldc.i4.1; ret; L: ldc.i4.0; ret"</summary>
    private byte[] Assemble(string text)
    {
        var code = new BlobBuilder();
        var labels = new Dictionary<string, int>();
        var jumps = new List<(int At, int Size, int Next, string Label)>();
        foreach (string line in text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            string rest = line;
            int colon = rest.IndexOf(": ", StringComparison.Ordinal);
            if (colon > 0 && !rest[..colon].Contains(' '))
            {
                labels[rest[..colon]] = code.Count;
                rest = rest[(colon + 2)..];
            }
            string[] parts = rest.Split(' ', 2);
            string operand = parts.Length > 1 ? parts[1] : "";
            if (parts[0] == "no.") // III.2.2; System.Reflection.Emit has no such instruction
            {
                code.WriteBytes(new byte[] { 0xFE, 0x19, byte.Parse(operand, CultureInfo.InvariantCulture) });
                continue;
            }
            OpCode op = Opcodes[parts[0]];
            if (op.Size == 2)
                code.WriteByte(0xFE);
            code.WriteByte((byte)op.Value);
            WriteOperand(code, op, operand, jumps);
        }
        byte[] bytes = code.ToArray();
        foreach ((int at, int size, int next, string label) in jumps)
        {
            int distance = labels[label] - next;
            bytes[at] = (byte)distance;
            for (int k = 1; k < size; k++)
                bytes[at + k] = (byte)(distance >> (8 * k));
        }
        return bytes;
    }

    private void WriteOperand(BlobBuilder code, OpCode op, string operand, List<(int, int, int, string)> jumps)
    {
        CultureInfo invariant = CultureInfo.InvariantCulture;
        switch (op.OperandType)
        {
            case OperandType.InlineNone: return;
            case OperandType.ShortInlineI when op == OpCodes.Ldc_I4_S: code.WriteSByte(sbyte.Parse(operand, invariant)); return;
            case OperandType.ShortInlineI:
            case OperandType.ShortInlineVar: code.WriteByte(byte.Parse(operand, invariant)); return;
            case OperandType.InlineVar: code.WriteUInt16(ushort.Parse(operand, invariant)); return;
            case OperandType.InlineI: code.WriteInt32(int.Parse(operand, invariant)); return;
            case OperandType.InlineI8: code.WriteInt64(long.Parse(operand, invariant)); return;
            case OperandType.ShortInlineR: code.WriteSingle(float.Parse(operand, invariant)); return;
            case OperandType.InlineR: code.WriteDouble(double.Parse(operand, invariant)); return;
            case OperandType.ShortInlineBrTarget:
                jumps.Add((code.Count, 1, code.Count + 1, operand));
                code.WriteByte(0);
                return;
            case OperandType.InlineBrTarget:
                jumps.Add((code.Count, 4, code.Count + 4, operand));
                code.WriteInt32(0);
                return;
            case OperandType.InlineSwitch:
                string[] targets = operand.Split(' ');
                code.WriteInt32(targets.Length);
                int next = code.Count + 4 * targets.Length;
                foreach (string target in targets)
                {
                    jumps.Add((code.Count, 4, next, target));
                    code.WriteInt32(0);
                }
                return;
            default: code.WriteInt32(Token(op.OperandType, operand)); return;
        }
    }

    public void Add(string name, string signature, string locals, string text) =>
        Add(name, signature, locals, text, MethodAttributes.Public | MethodAttributes.Static | MethodAttributes.HideBySig);

    /// <summary>Pair's constructor; its methods come behind those of the class.</summary>
    public void AddConstructorOfPair(string signature, string text)
    {
        Add("Pair::.ctor", signature, "", text, MethodAttributes.Public | MethodAttributes.HideBySig | MethodAttributes.SpecialName |
            MethodAttributes.RTSpecialName);
        _firstOfPair = (MethodDefinitionHandle)_named["Pair::.ctor"];
    }

    /// <summary>The token that the constructor will have, so that methods before it can name it.</summary>
    public void ConstructorOfPairIsMethod(int row) => _named["Pair::.ctor"] = MetadataTokens.MethodDefinitionHandle(row);

    private void Add(string name, string signature, string locals, string text, MethodAttributes attributes)
    {
        StandaloneSignatureHandle localSignature = default;
        string[] types = locals.Split(',', StringSplitOptions.RemoveEmptyEntries);
        if (types.Length > 0)
        {
            var blob = new BlobBuilder();
            LocalVariablesEncoder encoder = new BlobEncoder(blob).LocalVariableSignature(types.Length);
            foreach (string type in types)
            {
                if (type == "typedref")
                    encoder.AddVariable().TypedReference();
                else
                    Encode(encoder.AddVariable().Type(isByRef: type.EndsWith('&')), type.TrimEnd('&'));
            }
            localSignature = _metadata.AddStandaloneSignature(_metadata.GetOrAddBlob(blob));
        }
        byte[] code = Assemble(text);
        MethodBodyStreamEncoder.MethodBody place = _bodies.AddMethodBody(code.Length, 8, 0, true, localSignature,
            MethodBodyAttributes.InitLocals);
        new BlobWriter(place.Instructions).WriteBytes(code);
        var first = MetadataTokens.ParameterHandle(_metadata.GetRowCount(TableIndex.Param) + 1);
        for (int k = 0; k < Parameters(signature).Length; k++)
            _metadata.AddParameter(ParameterAttributes.None, _metadata.GetOrAddString(((char)('a' + k)).ToString()), k + 1);
        bool isInstance = !attributes.HasFlag(MethodAttributes.Static);
        MethodDefinitionHandle method = _metadata.AddMethodDefinition(attributes, MethodImplAttributes.IL,
            _metadata.GetOrAddString(name[(name.LastIndexOf(':') + 1)..]), Signature(signature, isInstance), place.Offset, first);
        if (_named.TryGetValue(name, out EntityHandle expected) && expected != method)
            throw new InvalidOperationException($"{name} is method {MetadataTokens.GetRowNumber(method)}");
        _named[name] = method;
    }

    public void Save(string path)
    {
        FieldDefinitionHandle field = MetadataTokens.FieldDefinitionHandle(1);
        _metadata.AddTypeDefinition(default, default, _metadata.GetOrAddString("<Module>"), default, field, _first);
        _metadata.AddTypeDefinition(
            TypeAttributes.Public | TypeAttributes.Abstract | TypeAttributes.Sealed | TypeAttributes.BeforeFieldInit,
            default, _metadata.GetOrAddString(_class), Type("object"), field, _first);
        _metadata.AddTypeDefinition(
            TypeAttributes.Public | TypeAttributes.Sealed | TypeAttributes.SequentialLayout | TypeAttributes.BeforeFieldInit, default,
            _metadata.GetOrAddString("Pair"), Type("ValueType"), MetadataTokens.FieldDefinitionHandle(3), _firstOfPair);
        var builder = new ManagedPEBuilder(PEHeaderBuilder.CreateLibraryHeader(), new MetadataRootBuilder(_metadata), _il,
            deterministicIdProvider: content => BlobContentId.FromHash(
                SHA256.HashData(content.SelectMany(blob => blob.GetBytes()).ToArray())));
        var image = new BlobBuilder();
        BlobContentId id = builder.Serialize(image);
        new BlobWriter(_mvid.Content).WriteGuid(id.Guid);
        using FileStream file = File.Create(path);
        image.WriteContentTo(file);
    }
}
