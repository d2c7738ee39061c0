// A compiled assembly: its methods by number and by name.

using System.Reflection;
using Ilcuda.Interop;

namespace Ilcuda;

/// <summary>A compiled assembly, opened in a session, to whose end it stays.</summary>
public sealed unsafe class IlAssembly
{
    private readonly nint _assembly;
    private readonly Dictionary<nint, IlMethod> _methods = [];

    internal IlAssembly(Session session, nint assembly)
    {
        (Session, _assembly) = (session, assembly);
        Name = Utf8.Text(Api.ilc_assembly_name(assembly))!;
        MethodCount = (int)Api.ilc_assembly_method_count(assembly);
    }

    /// <summary>The session that it is open in.</summary>
    public Session Session { get; }
    /// <summary>The simple name, as "MyMath".</summary>
    public string Name { get; }
    /// <summary>How many methods it has, those without a body included.</summary>
    public int MethodCount { get; }

    /// <summary>Its methods in the order of the metadata.</summary>
    public IEnumerable<IlMethod> Methods
    {
        get
        {
            for (int k = 0; k < MethodCount; k++)
                yield return Numbered(k, null);
        }
    }

    /// <summary>The method of which the name is an unambiguous tail of Namespace.Type.Method, with + for nested types, and with
    /// parameter types where overloads need them: "Gram", "Stats.Gram", "Outer+Inner.F(Int32,Single[])".</summary>
    /// <exception cref="IlcudaException">There is none, or there are several.</exception>
    public IlMethod Find(string name)
    {
        if (name == null)
            throw new ArgumentNullException(nameof(name));
        using SessionScope inside = Session.Enter();
        nint method;
        fixed (byte* text = Utf8.Bytes(name))
            Session.Check(Api.ilc_assembly_find(&method, _assembly, text));
        return Known(method, null);
    }

    /// <summary>A method's metadata token is its row in the table of methods.</summary>
    internal IlMethod Reflected(MethodBase method) => Numbered((method.MetadataToken & 0xFFFFFF) - 1, method);

    /// <summary>By its names: of a bundle's assembly, whose tokens are not those of the program that runs.</summary>
    internal IlMethod Named(MethodBase method)
    {
        using SessionScope inside = Session.Enter();
        nint found;
        fixed (byte* text = Utf8.Bytes(Bundle.NameOf(method)))
            Session.Check(Api.ilc_assembly_find(&found, _assembly, text));
        return Known(found, method);
    }

    /// <summary>The layout of a structure that reflection knows.</summary>
    internal nint Layout(Type type)
    {
        using SessionScope inside = Session.Enter();
        nint layout;
        Session.Check(Api.ilc_assembly_struct(&layout, _assembly, (uint)(type.MetadataToken & 0xFFFFFF) - 1));
        return layout;
    }

    private IlMethod Numbered(int number, MethodBase? reflected)
    {
        using SessionScope inside = Session.Enter();
        nint method;
        Session.Check(Api.ilc_assembly_method(&method, _assembly, (uint)number));
        return Known(method, reflected);
    }

    internal IlMethod Known(nint method, MethodBase? reflected)
    {
        if (!_methods.TryGetValue(method, out IlMethod? known))
            _methods[method] = known = new IlMethod(this, method);
        known.Reflected ??= reflected;
        return known;
    }

    /// <summary>Its name.</summary>
    public override string ToString() => Name;
}
