// Writes an assembly of static methods in one class, straight as metadata: the same input gives the same bytes.

using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Security.Cryptography;

namespace Generator;

internal sealed class IlAssembly
{
    private readonly MetadataBuilder _metadata = new();
    private readonly BlobBuilder _il = new();
    private readonly MethodBodyStreamEncoder _bodies;
    private readonly AssemblyReferenceHandle _runtime;
    private readonly Dictionary<string, EntityHandle> _types = [];
    private readonly Dictionary<string, MemberReferenceHandle> _members = [];
    private readonly ReservedBlob<GuidHandle> _mvid;
    private int _methods;

    /// <summary>The methods of structs come first, two each, in order (II.22.37: MethodList).</summary>
    public IlAssembly(string name, string className, IReadOnlyList<StructType>? structs = null)
    {
        _bodies = new MethodBodyStreamEncoder(_il);
        _mvid = _metadata.ReserveGuid();
        _metadata.AddModule(0, _metadata.GetOrAddString(name + ".dll"), _mvid.Handle, default, default);
        _metadata.AddAssembly(_metadata.GetOrAddString(name), new Version(1, 0, 0, 0), default, default, default,
            AssemblyHashAlgorithm.Sha1);
        _runtime = _metadata.AddAssemblyReference(_metadata.GetOrAddString("System.Runtime"), new Version(10, 0, 0, 0), default,
            _metadata.GetOrAddBlob(new byte[] { 0xb0, 0x3f, 0x5f, 0x7f, 0x11, 0xd5, 0x0a, 0x3a }), default, default);
        var firstField = MetadataTokens.FieldDefinitionHandle(1);
        var firstMethod = MetadataTokens.MethodDefinitionHandle(1);
        _metadata.AddTypeDefinition(default, default, _metadata.GetOrAddString("<Module>"), default, firstField, firstMethod);
        int fields = 0, methods = 0;
        foreach (StructType type in structs ?? [])
        {
            AddStruct(type, fields, methods);
            fields += type.Fields.Count;
            methods += 2;
        }
        _metadata.AddTypeDefinition(
            TypeAttributes.Public | TypeAttributes.Abstract | TypeAttributes.Sealed | TypeAttributes.BeforeFieldInit,
            default, _metadata.GetOrAddString(className), Type("System", "Object"),
            MetadataTokens.FieldDefinitionHandle(fields + 1), MetadataTokens.MethodDefinitionHandle(methods + 1));
        AddDebuggable();
    }

    private void AddStruct(StructType type, int fields, int methods)
    {
        TypeDefinitionHandle handle = _metadata.AddTypeDefinition(
            TypeAttributes.Public | TypeAttributes.Sealed | TypeAttributes.SequentialLayout | TypeAttributes.BeforeFieldInit,
            default, _metadata.GetOrAddString(type.Name), Type("System", "ValueType"),
            MetadataTokens.FieldDefinitionHandle(fields + 1), MetadataTokens.MethodDefinitionHandle(methods + 1));
        type.Handle = handle;
        type.Token = MetadataTokens.GetToken(handle);
        type.Constructor = MetadataTokens.GetToken(MetadataTokens.MethodDefinitionHandle(methods + 1));
        foreach (Field field in type.Fields)
        {
            var signature = new BlobBuilder();
            Encode(new BlobEncoder(signature).Field().Type(), field.Type);
            field.Token = MetadataTokens.GetToken(_metadata.AddFieldDefinition(
                FieldAttributes.Public, _metadata.GetOrAddString(field.Name), _metadata.GetOrAddBlob(signature)));
        }
    }

    /// <summary>As Release builds have it; a debugger's mode can be written over it.</summary>
    private void AddDebuggable()
    {
        EntityHandle attribute = Type("System.Diagnostics", "DebuggableAttribute");
        var modes = (TypeReferenceHandle)_metadata.AddTypeReference(attribute, default, _metadata.GetOrAddString("DebuggingModes"));
        var signature = new BlobBuilder();
        new BlobEncoder(signature).MethodSignature(isInstanceMethod: true)
            .Parameters(1, r => r.Void(), p => p.AddParameter().Type().Type(modes, isValueType: true));
        MemberReferenceHandle constructor = _metadata.AddMemberReference(attribute, _metadata.GetOrAddString(".ctor"),
            _metadata.GetOrAddBlob(signature));
        _metadata.AddCustomAttribute(EntityHandle.AssemblyDefinition, constructor,
            _metadata.GetOrAddBlob(new byte[] { 1, 0, 2, 0, 0, 0, 0, 0 }));
    }

    private EntityHandle Type(string space, string name)
    {
        string key = space + "." + name;
        if (!_types.TryGetValue(key, out EntityHandle handle))
            _types[key] = handle = _metadata.AddTypeReference(_runtime, _metadata.GetOrAddString(space), _metadata.GetOrAddString(name));
        return handle;
    }

    /// <summary>Token of a static method of System.Math or System.MathF.</summary>
    public int Library(string type, string name, Kind result, params Kind[] parameters) =>
        Member(type, name, result, parameters, null);

    /// <summary>Token of an exception's constructor from a message, or without arguments.</summary>
    public int Constructor(string exception, bool message) => Member(exception, ".ctor", Kind.Void, [], message);

    private int Member(string type, string name, Kind result, Kind[] parameters, bool? message)
    {
        string key = $"{type}.{name}:{result}({string.Join(",", parameters)}){message}";
        if (!_members.TryGetValue(key, out MemberReferenceHandle handle))
        {
            var signature = new BlobBuilder();
            new BlobEncoder(signature).MethodSignature(isInstanceMethod: message.HasValue).Parameters(
                message == true ? 1 : parameters.Length, r => Return(r, new TypeOf(result)),
                p =>
                {
                    if (message == true)
                        p.AddParameter().Type().String();
                    foreach (Kind kind in parameters)
                        Encode(p.AddParameter().Type(), new TypeOf(kind));
                });
            _members[key] = handle = _metadata.AddMemberReference(Type("System", type), _metadata.GetOrAddString(name),
                _metadata.GetOrAddBlob(signature));
        }
        return MetadataTokens.GetToken(handle);
    }

    public int UserString(string text) => MetadataTokens.GetToken(_metadata.GetOrAddUserString(text));

    /// <summary>Token of the class of an element, for newarr, ldelem and stelem with a type.</summary>
    public int ElementType(Kind kind) => MetadataTokens.GetToken(Type("System", kind.ToString()));

    public int ElementType(TypeOf type) => type.Struct?.Token ?? ElementType(type.Kind);

    /// <summary>Token of Get, Set or Address of an array of higher rank (II.14.2).</summary>
    public int ArrayMethod(TypeOf array, string name)
    {
        string key = $"{array}.{name}";
        if (!_members.TryGetValue(key, out MemberReferenceHandle handle))
        {
            TypeOf element = array with { Rank = 0 };
            var type = new BlobBuilder();
            Encode(new BlobEncoder(type).TypeSpecificationSignature(), array);
            TypeSpecificationHandle owner = _metadata.AddTypeSpecification(_metadata.GetOrAddBlob(type));
            var signature = new BlobBuilder();
            new BlobEncoder(signature).MethodSignature(isInstanceMethod: true).Parameters(
                array.Rank + (name == "Set" ? 1 : 0),
                r =>
                {
                    if (name == "Address")
                        Encode(r.Type(isByRef: true), element);
                    else
                        Return(r, name == "Set" ? new TypeOf(Kind.Void) : element);
                },
                p =>
                {
                    for (int k = 0; k < array.Rank; k++)
                        p.AddParameter().Type().Int32();
                    if (name == "Set")
                        Encode(p.AddParameter().Type(), element);
                });
            _members[key] = handle = _metadata.AddMemberReference(owner, _metadata.GetOrAddString(name), _metadata.GetOrAddBlob(signature));
        }
        return MetadataTokens.GetToken(handle);
    }

    /// <summary>Token of System.Array.GetLength.</summary>
    public int GetLength()
    {
        const string key = "Array.GetLength";
        if (!_members.TryGetValue(key, out MemberReferenceHandle handle))
        {
            var signature = new BlobBuilder();
            new BlobEncoder(signature).MethodSignature(isInstanceMethod: true).Parameters(1, r => r.Type().Int32(),
                p => p.AddParameter().Type().Int32());
            _members[key] = handle = _metadata.AddMemberReference(Type("System", "Array"), _metadata.GetOrAddString("GetLength"),
                _metadata.GetOrAddBlob(signature));
        }
        return MetadataTokens.GetToken(handle);
    }

    /// <summary>The token that the next added method will have: a body may call itself.</summary>
    public int NextMethod => MetadataTokens.GetToken(MetadataTokens.MethodDefinitionHandle(_methods + 1));

    /// <summary>Parameters are without `this`, which an instance method of a struct has besides.</summary>
    public int AddMethod(string name, TypeOf result, IReadOnlyList<(TypeOf Type, string Name)> parameters,
                         IReadOnlyList<TypeOf> locals, Body body, bool initLocals = true, bool isInstance = false)
    {
        var signature = new BlobBuilder();
        new BlobEncoder(signature).MethodSignature(isInstanceMethod: isInstance).Parameters(parameters.Count, r => Return(r, result), p =>
        {
            foreach ((TypeOf type, _) in parameters)
                Encode(p.AddParameter().Type(type.IsRef), type);
        });

        StandaloneSignatureHandle localSignature = default;
        if (locals.Count > 0)
        {
            var blob = new BlobBuilder();
            LocalVariablesEncoder encoder = new BlobEncoder(blob).LocalVariableSignature(locals.Count);
            foreach (TypeOf type in locals)
                Encode(encoder.AddVariable().Type(type.IsRef), type);
            localSignature = _metadata.AddStandaloneSignature(_metadata.GetOrAddBlob(blob));
        }

        byte[] code = body.Encode();
        MethodBodyStreamEncoder.MethodBody place = _bodies.AddMethodBody(code.Length, body.MaxStack, 0, true, localSignature,
            initLocals ? MethodBodyAttributes.InitLocals : MethodBodyAttributes.None);
        new BlobWriter(place.Instructions).WriteBytes(code);

        ParameterHandle first = default;
        for (int k = 0; k < parameters.Count; k++)
        {
            ParameterHandle handle = _metadata.AddParameter(ParameterAttributes.None, _metadata.GetOrAddString(parameters[k].Name), k + 1);
            if (k == 0)
                first = handle;
        }
        if (parameters.Count == 0)
            first = MetadataTokens.ParameterHandle(_metadata.GetRowCount(TableIndex.Param) + 1);

        MethodAttributes special = name == ".ctor" ? MethodAttributes.SpecialName | MethodAttributes.RTSpecialName : 0;
        MethodDefinitionHandle method = _metadata.AddMethodDefinition(
            MethodAttributes.Public | MethodAttributes.HideBySig | (isInstance ? special : MethodAttributes.Static), MethodImplAttributes.IL,
            _metadata.GetOrAddString(name), _metadata.GetOrAddBlob(signature), place.Offset, first);
        _methods++;
        return MetadataTokens.GetToken(method);
    }

    private static void Return(ReturnTypeEncoder encoder, TypeOf type)
    {
        if (type is { Kind: Kind.Void, Struct: null })
            encoder.Void();
        else
            Encode(encoder.Type(), type);
    }

    private static void Encode(SignatureTypeEncoder encoder, TypeOf type)
    {
        if (type.IsArray)
            encoder = encoder.SZArray();
        if (type.IsPointer)
            encoder = encoder.Pointer();
        if (type.Rank > 0)
        {
            encoder.Array(element => Encode(element, type with { Rank = 0, IsRef = false }),
                          shape => shape.Shape(type.Rank, [], [.. new int[type.Rank]]));
            return;
        }
        if (type.Struct is { } ofStruct)
        {
            encoder.Type(ofStruct.Handle, isValueType: true);
            return;
        }
        encoder.PrimitiveType(type.Kind == Kind.Void ? PrimitiveTypeCode.Void : Enum.Parse<PrimitiveTypeCode>(type.Kind.ToString()));
    }

    public void Save(string path)
    {
        var root = new MetadataRootBuilder(_metadata);
        var builder = new ManagedPEBuilder(PEHeaderBuilder.CreateLibraryHeader(), root, _il,
            deterministicIdProvider: content => BlobContentId.FromHash(Hash(content)));
        var image = new BlobBuilder();
        BlobContentId id = builder.Serialize(image);
        new BlobWriter(_mvid.Content).WriteGuid(id.Guid);
        using FileStream file = File.Create(path);
        image.WriteContentTo(file);
    }

    private static ImmutableArray<byte> Hash(IEnumerable<Blob> content)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (Blob blob in content)
            hash.AppendData(blob.GetBytes());
        return [.. hash.GetHashAndReset()];
    }
}
