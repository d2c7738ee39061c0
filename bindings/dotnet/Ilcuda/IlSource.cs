// Where the IL of a method that reflection knows is read: the file that its assembly was loaded from; where there is none, an
// image made of what the runtime has.

using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Ilcuda;

internal static class IlSource
{
#if MODERN
    [UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "An empty location is the case that is asked about.")]
#endif
    private static string FileOf(Assembly assembly) => assembly.IsDynamic ? "" : assembly.Location;

    /// <summary>Says which build of an assembly the method is of; fails where the program has no IL.</summary>
    public static Guid IdOf(MethodBase method)
    {
#if MODERN
        if (!System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeSupported)
            throw new IlcudaException(Status.Unsupported, $"{method.DeclaringType}.{method.Name}: a Native AOT program has no IL and this one has no bundle: build it with IlcudaBundle=true");
#endif
        return method.Module.ModuleVersionId;
    }

    public static IlAssembly Open(Session session, Module module)
    {
        Assembly assembly = module.Assembly;
        string name = assembly.GetName().Name ?? "assembly";
        if (assembly.IsDynamic)
            throw new IlcudaException(Status.Unsupported, $"{name} is a dynamic assembly: its IL exists in no file");
        string path = FileOf(assembly);
        if (path.Length == 0)
            return FromMemory(session, module, name);
        if (!IsSame(path, module.ModuleVersionId))
            throw new IlcudaException(Status.Format, $"{path} is not the file any more that was loaded: it has been built again");
        return session.Open(path, Folders());
    }

    private static IlAssembly FromMemory(Session session, Module module, string name) =>
#if MODERN
        session.Open(IlImage.Of(module), name + ".dll", null, Folders());
#else
        throw new IlcudaException(Status.Unsupported, $"{name} was loaded from memory: open its bytes with Session.Open, or load it from its file");
#endif

    /// <summary>Is the file the module with this id? It may have been replaced since it was loaded.</summary>
    private static bool IsSame(string path, Guid id)
    {
        try
        {
            using var image = new PEReader(File.OpenRead(path));
            MetadataReader reader = image.GetMetadataReader();
            return reader.GetGuid(reader.GetModuleDefinition().Mvid) == id;
        }
        catch (IOException e)
        {
            throw new IlcudaException(Status.IO, $"{path}: {e.Message}");
        }
    }

    /// <summary>The folders that the assemblies of this program came from: references are found in them.</summary>
    private static string[] Folders() => AppDomain.CurrentDomain.GetAssemblies()
        .Select(FileOf).Where(path => path.Length > 0).Select(path => Path.GetDirectoryName(path)!).Distinct().ToArray();
}
