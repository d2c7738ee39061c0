// Assemblies that have no file: the image that is made of what the runtime has is as good as the file.

using System.Reflection;
using System.Runtime.Loader;
using Xunit;

namespace Ilcuda.Tests;

public sealed class MemoryTests
{
    public static TheoryData<string> Assemblies() => ["Tutorial", "CasesVb", "CasesCsDebug", "NaturalCs", "Memory2Cs", "LocalArraysCs", "StructsCs", "RefusedCs"];

    [Theory]
    [MemberData(nameof(Assemblies))]
    public void Methods_of_an_assembly_without_a_file_are_those_of_the_file(string name)
    {
        using var session = new Session();
        // Without its PDB, which is not part of what the runtime has either.
        IlAssembly file = session.Open(File.ReadAllBytes(Place.Fixture(name)), name + ".dll");
        Assembly loaded = new AssemblyLoadContext(name).LoadFromStream(new MemoryStream(File.ReadAllBytes(Place.Fixture(name))));
        Assert.Equal("", loaded.Location);
        IlAssembly memory = session.Method(loaded.GetTypes().SelectMany(type => type.GetMethods(
            BindingFlags.DeclaredOnly | BindingFlags.Static | BindingFlags.Public)).First(method => !method.IsGenericMethod)).Assembly;
        Assert.Equal(file.MethodCount, memory.MethodCount);
        foreach ((IlMethod expected, IlMethod actual) in file.Methods.Zip(memory.Methods))
        {
            Assert.Equal(expected.Display, actual.Display);
            Assert.Equal(Refusal(expected), Refusal(actual));
            Assert.Equal(Instructions(expected), Instructions(actual));
        }
    }

    private static string Refusal(IlMethod method) =>
        $"{method}: {method.Support.Refusal?.Reason ?? "supported"}";

    private static string? Instructions(IlMethod method)
    {
        try
        {
            return method.Il;
        }
        catch (IlcudaException)
        {
            return null; // no body
        }
    }

    [Fact]
    public void A_kernel_of_an_assembly_from_bytes_runs()
    {
        Assembly loaded = new AssemblyLoadContext("bytes").LoadFromStream(new MemoryStream(File.ReadAllBytes(typeof(Consumer.Stats).Assembly.Location)));
        using var session = new Session();
        using Engine engine = Engine.Create(new EngineOptions { Kind = EngineKind.Tree }, session);
        DeviceBuffer<double> sums = engine.CreateBuffer<double>(2);
        session.Translate(loaded.GetType("Consumer.Stats")!.GetMethod("RowSum")!).Launch(engine, 2, engine.Upload(1f, 2f, 3f, 4f), 2, sums);
        Assert.Equal([3.0, 7.0], sums.Read());
    }
}
