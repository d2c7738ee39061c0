// Where things are: the tests are told by the environment (CMakeLists.txt), or look around from their own folder.

namespace Ilcuda.Tests;

internal static class Place
{
    public static string Root { get; } = FindRoot();
    public static string Fixtures => Path.Combine(Root, "tests", "fixtures");
    public static string Fixture(string name) => Path.Combine(Fixtures, "bin", name + ".dll");
    public static string Answers(string file) => Path.Combine(Fixtures, "answers", file);

    private static string FindRoot()
    {
        for (string? folder = AppContext.BaseDirectory; folder != null; folder = Path.GetDirectoryName(folder))
        {
            if (Directory.Exists(Path.Combine(folder, "tests", "fixtures", "answers")))
                return folder;
        }
        throw new InvalidOperationException("the tests run inside a clone of ilcuda");
    }

    public static EngineOptions Cpu => new() { Kind = EngineKind.Cpu, Threads = 2 };
}
