// Bundles (docs/bundle.md): IL and compiled code in one file, for programs that have no IL (Native AOT) or compile nothing.

using System.Reflection;
using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>What <c>ilcuda build</c> writes. An assembly that was built with IlcudaBundle=true has one in it, which is found by
/// itself; others are opened. Methods of the bundle's assembly are then taken from it, and engines of the session look into
/// it before they compile.</summary>
public sealed unsafe class Bundle
{
    /// <summary>The name of the resource that holds an assembly's own bundle.</summary>
    public const string Resource = "ilcuda.bundle";

    private Bundle(IlAssembly assembly) => Assembly = assembly;

    /// <summary>The assembly in it.</summary>
    public IlAssembly Assembly { get; }

    /// <summary>Opens a bundle's file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="session">The session that uses it; null: <see cref="Session.Default"/>.</param>
    /// <exception cref="IlcudaException">It cannot be read, is damaged, or was made by another version.</exception>
    public static Bundle Open(string path, Session? session = null)
    {
        if (path == null)
            throw new ArgumentNullException(nameof(path));
        session ??= Session.Default;
        using SessionScope inside = session.Enter();
        nint bundle;
        fixed (byte* file = Utf8.Bytes(path))
            session.Check(Api.ilc_bundle_open(&bundle, inside.Native, file));
        return Of(session, bundle);
    }

    /// <summary>The same from memory; the bytes are copied.</summary>
    /// <param name="bytes">The file's bytes.</param>
    /// <param name="name">Stands in messages.</param>
    /// <param name="session">The session that uses it; null: <see cref="Session.Default"/>.</param>
    /// <exception cref="IlcudaException">It is damaged, or was made by another version.</exception>
    public static Bundle Open(byte[] bytes, string name, Session? session = null)
    {
        if (bytes == null)
            throw new ArgumentNullException(nameof(bytes));
        if (name == null)
            throw new ArgumentNullException(nameof(name));
        session ??= Session.Default;
        using SessionScope inside = session.Enter();
        nint bundle;
        fixed (byte* text = Utf8.Bytes(name))
            session.Check(Api.ilc_bundle_open_memory(&bundle, inside.Native, text, session.Lend(bytes), (nuint)bytes.Length));
        return Of(session, bundle);
    }

    private static Bundle Of(Session session, nint bundle)
    {
        nint assembly;
        session.Check(Api.ilc_bundle_assembly(&assembly, bundle));
        var made = new Bundle(new IlAssembly(session, assembly));
        session.Bundled[made.Assembly.Name] = made.Assembly;
        return made;
    }

    /// <summary>The method as the bundle of its assembly has it; null where there is no bundle.</summary>
    internal static IlMethod? Find(Session session, MethodBase method) => Of(session, method.Module.Assembly)?.Named(method);

    /// <summary>What a choice of engines must know: the program's own bundle, before any method of it is asked for.</summary>
    internal static void FindProgram(Session session)
    {
        if (System.Reflection.Assembly.GetEntryAssembly() is { } program)
            Of(session, program);
    }

    private static IlAssembly? Of(Session session, Assembly owner)
    {
        string name = owner.GetName().Name ?? "";
        if (!session.Bundled.TryGetValue(name, out IlAssembly? assembly))
            session.Bundled[name] = assembly = Embedded(session, owner, name);
        return assembly;
    }

    private static IlAssembly? Embedded(Session session, Assembly owner, string name)
    {
        if (owner.IsDynamic)
            return null;
        using Stream? stream = owner.GetManifestResourceStream(Resource);
        if (stream == null)
            return null;
        using var copy = new MemoryStream();
        stream.CopyTo(copy);
        return Open(copy.ToArray(), name + ".ilcuda", session).Assembly;
    }

    /// <summary>"Ns.Outer+Stats.Dot(Single[],Int32)": without metadata tokens, which a Native AOT program has not, names and
    /// parameter types say which method it is.</summary>
    internal static string NameOf(MethodBase method) =>
        $"{method.DeclaringType?.FullName}.{method.Name}({string.Join(",", method.GetParameters().Select(p => NameOf(p.ParameterType)))})";

    private static string NameOf(Type type)
    {
        if (type.IsByRef)
            return NameOf(type.GetElementType()!) + "&";
        if (type.IsPointer)
            return NameOf(type.GetElementType()!) + "*";
        if (type.IsArray)
            return NameOf(type.GetElementType()!) + "[" + new string(',', type.GetArrayRank() - 1) + "]";
        string name = type.Namespace == "System" && !type.IsNested ? type.Name : type.IsGenericType ? $"{type.Namespace}.{type.Name}" : type.FullName!;
        if (!type.IsGenericType)
            return name;
        int tick = name.IndexOf('`');
        return (tick < 0 ? name : name.Substring(0, tick)) + "<" + string.Join(",", type.GetGenericArguments().Select(NameOf)) + ">";
    }
}
