// The assembly under question: its methods by name, and the source line of an IL offset.

using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Runtime.Loader;

namespace Oracle;

internal sealed class Subject
{
    private sealed class Context(string folder) : AssemblyLoadContext("subject")
    {
        protected override Assembly? Load(AssemblyName name)
        {
            string beside = Path.Combine(folder, name.Name + ".dll");
            string? path = File.Exists(beside) ? beside : name.Name == "FSharp.Core" ? OfTheSdk() : null;
            return path == null ? null : LoadFromAssemblyPath(path);
        }

        /// <summary>The F# compiler's own FSharp.Core: assemblies refer to it that need not bring it along.</summary>
        private static string? OfTheSdk()
        {
            string root = Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "../../..");
            string sdks = Path.Combine(root, "sdk");
            return !Directory.Exists(sdks) ? null
                : Directory.GetDirectories(sdks).Select(sdk => Path.Combine(sdk, "FSharp/FSharp.Core.dll")).LastOrDefault(File.Exists);
        }
    }

    private const int DebuggableModes = 0x107; // what VB and C

    private readonly Dictionary<string, List<MethodInfo>> _byShortName = [];
    private readonly MetadataReader? _symbols;

    public Assembly Assembly { get; }

    public Subject(string path, bool optimized)
    {
        byte[] image = File.ReadAllBytes(path);
        _symbols = OpenSymbols(path, image);
        if (!optimized)
            MakeDebuggable(image);
        string folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        Assembly = new Context(folder).LoadFromStream(new MemoryStream(image));

        const BindingFlags all = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        const BindingFlags instance = (all & ~BindingFlags.Static) | BindingFlags.Instance;
        foreach (MethodInfo method in Assembly.GetTypes().SelectMany(type => type.GetMethods(all | instance)))
        {
            if (!_byShortName.TryGetValue(method.Name, out List<MethodInfo>? list))
                _byShortName[method.Name] = list = [];
            list.Add(method);
        }
    }

    /// <summary>The method of which <paramref name="text"/> is an unambiguous tail, "(Int32,Single[])" optional.</summary>
    public MethodInfo Find(string text)
    {
        int bracket = text.IndexOf('(');
        string name = bracket < 0 ? text : text[..bracket];
        string? types = bracket < 0 ? null : text[(bracket + 1)..].TrimEnd(')').Replace(" ", "");
        string last = name[(name.LastIndexOf('.') + 1)..];

        MethodInfo[] found = [];
        if (_byShortName.TryGetValue(last, out List<MethodInfo>? list))
            found = list.Where(m => IsTail(QualifiedName(m), name) && (types == null || types == ParameterTypes(m))).ToArray();
        return found.Length switch
        {
            1 => found[0],
            0 => throw new BadRequest($"no static method {text}"),
            _ => throw new BadRequest($"{text} is ambiguous: {found.Length} methods"),
        };
    }

    public static string QualifiedName(MethodBase method) => $"{method.DeclaringType?.FullName}.{method.Name}";

    public static string ParameterTypes(MethodBase method) =>
        string.Join(",", method.GetParameters().Select(p => TypeName(p.ParameterType)));

    /// <summary>The source line of an IL offset: that of the last visible sequence point at or before it; 0 if unknown.</summary>
    public int Line(MethodBase method, int il)
    {
        if (_symbols == null || il < 0)
            return 0;
        var handle = (MethodDefinitionHandle)MetadataTokens.EntityHandle(method.MetadataToken);
        int line = 0;
        foreach (SequencePoint point in _symbols.GetMethodDebugInformation(handle).GetSequencePoints())
        {
            if (point.Offset <= il && !point.IsHidden)
                line = point.StartLine;
        }
        return line;
    }

    private static bool IsTail(string whole, string tail) =>
        whole == tail || whole.EndsWith("." + tail, StringComparison.Ordinal) || whole.EndsWith("+" + tail, StringComparison.Ordinal);

    private static string TypeName(Type type)
    {
        if (type.IsArray)
            return TypeName(type.GetElementType()!) + "[" + new string(',', type.GetArrayRank() - 1) + "]";
        if (type.IsByRef)
            return TypeName(type.GetElementType()!) + "&";
        if (type.IsPointer)
            return TypeName(type.GetElementType()!) + "*";
        string name = type.Namespace == "System" && !type.IsNested ? type.Name : type.FullName ?? type.Name;
        if (!type.IsGenericType)
            return name;
        if (name.Contains('['))
            name = name[..name.IndexOf('[')];
        return name[..name.IndexOf('`')] + "<" + string.Join(",", type.GetGenericArguments().Select(TypeName)) + ">";
    }

    private static MetadataReader? OpenSymbols(string path, byte[] image)
    {
        using var pe = new PEReader(new MemoryStream(image));
        Stream? Open(string file) => File.Exists(file) ? new MemoryStream(File.ReadAllBytes(file)) : null;
        string side = Path.ChangeExtension(path, ".pdb");
        if (File.Exists(side))
            return MetadataReaderProvider.FromPortablePdbStream(Open(side)!).GetMetadataReader();
        foreach (DebugDirectoryEntry entry in pe.ReadDebugDirectory())
        {
            if (entry.Type == DebugDirectoryEntryType.EmbeddedPortablePdb)
                return pe.ReadEmbeddedPortablePdbDebugDirectoryData(entry).GetMetadataReader();
        }
        return null;
    }

    /// <summary>
    /// Rewrites the assembly's DebuggableAttribute in memory. Only code compiled for a debugger keeps one throw
    /// site per IL instruction; else all overflows of a method share one, and a trap's line means nothing.
    /// </summary>
    private static unsafe void MakeDebuggable(byte[] image)
    {
        using var pe = new PEReader(new MemoryStream(image));
        MetadataReader reader = pe.GetMetadataReader();
        foreach (CustomAttributeHandle handle in reader.GetAssemblyDefinition().GetCustomAttributes())
        {
            CustomAttribute attribute = reader.GetCustomAttribute(handle);
            if (attribute.Constructor.Kind != HandleKind.MemberReference)
                continue;
            MemberReference constructor = reader.GetMemberReference((MemberReferenceHandle)attribute.Constructor);
            if (constructor.Parent.Kind != HandleKind.TypeReference)
                continue;
            TypeReference type = reader.GetTypeReference((TypeReferenceHandle)constructor.Parent);
            BlobReader value = reader.GetBlobReader(attribute.Value);
            // II.23.3: the prolog 0x0001, the modes as an Int32, no named arguments
            if (reader.GetString(type.Name) != "DebuggableAttribute" || value.Length != 8)
                continue;
            int offset = pe.PEHeaders.MetadataStartOffset + (int)(value.StartPointer - reader.MetadataPointer);
            BitConverter.TryWriteBytes(image.AsSpan(offset + 2, 4), DebuggableModes);
        }
    }
}
