// The border itself: structures, names and options as the C library has them, and how it is found.

using System.Reflection;
using System.Runtime.InteropServices;
using Ilcuda.Interop;
using Xunit;

namespace Ilcuda.Tests;

public sealed unsafe class BorderTests
{
    private static nint Export(string name)
    {
        Native.Load();
        string path = Environment.GetEnvironmentVariable("ILCUDA_LIBRARY")!;
        return NativeLibrary.GetExport(NativeLibrary.Load(path), name);
    }

    /// <summary>What the library's own init function makes of memory that is larger than any of the structures.</summary>
    private static void HasDefaults<T>(string init, T ours) where T : unmanaged
    {
        byte* theirs = stackalloc byte[512];
        new Span<byte>(theirs, 512).Clear();
        ((delegate* unmanaged[Cdecl]<void*, void>)Export(init))(theirs);
        // An older caller may know fewer fields: the size that it says tells which.
        Assert.True(*(nuint*)theirs >= (nuint)sizeof(T));
        *(nuint*)theirs = (nuint)sizeof(T);
        if (typeof(T) == typeof(CKernelOptions))
            ((CKernelOptions*)theirs)->Mode = 0; // the text "exact", which null stands for
        Assert.Equal(new Span<byte>(theirs, sizeof(T)).ToArray(), new Span<byte>(&ours, sizeof(T)).ToArray());
    }

    [Fact]
    public void Options_have_the_sizes_and_defaults_of_the_library()
    {
        HasDefaults("ilc_assembly_options_init", new CAssemblyOptions { Size = (nuint)sizeof(CAssemblyOptions) });
        HasDefaults("ilc_kernel_options_init", new CKernelOptions { Size = (nuint)sizeof(CKernelOptions), Checks = 1 });
        HasDefaults("ilc_engine_options_init", new CEngineOptions { Size = (nuint)sizeof(CEngineOptions) });
        HasDefaults("ilc_call_options_init", new CCallOptions { Size = (nuint)sizeof(CCallOptions) });
        HasDefaults("ilc_launch_options_init", new CLaunchOptions { Size = (nuint)sizeof(CLaunchOptions), SelfCheck = 1 });
        var check = new VerifyOptions();
        HasDefaults("ilc_check_options_init", new CCheckOptions
        {
            Size = (nuint)sizeof(CCheckOptions),
            Rounds = (uint)check.Rounds,
            Seed = (ulong)check.Seed,
            Fuel = (ulong)check.Fuel,
        });
    }

    [Fact]
    public void Statuses_and_storages_have_the_names_of_the_library()
    {
        Native.Load();
        foreach (Status status in Enum.GetValues<Status>())
            Assert.Equal(status.ToString().ToUpperInvariant(), Utf8.Text(Api.ilc_status_name((int)status))!.Replace("_", ""));
        foreach (Storage storage in Enum.GetValues<Storage>().Where(storage => storage != Storage.Other))
            Assert.Equal(storage.ToString(), Utf8.Text(Api.ilc_storage_name((int)storage)));
        Assert.Matches(@"^\d+\.\d+\.\d+", Native.Version);
    }

    [Fact]
    public void The_path_cannot_change_once_the_library_is_loaded()
    {
        Native.Load();
        Assert.Throws<InvalidOperationException>(() => Native.Path = "other");
    }

    [Fact]
    public void No_type_of_the_binding_loads_the_library_in_its_initialiser()
    {
        foreach (Type type in typeof(Session).Assembly.GetTypes().Where(type => type.TypeInitializer != null))
        {
            byte[] il = type.TypeInitializer!.GetMethodBody()!.GetILAsByteArray()!;
            for (int k = 0; k + 4 < il.Length; k++)
            {
                if (il[k] != 0x28) // call
                    continue;
                int token = BitConverter.ToInt32(il, k + 1);
                if (token >> 24 == 6)
                    Assert.NotEqual(typeof(Api), type.Module.ResolveMethod(token, type.IsGenericType ? type.GetGenericArguments() : null, null)!.DeclaringType);
            }
        }
    }

    // --- programs of their own -------------------------------------------------------------------------------------

    private static (int Exit, string[] Lines) Run(string command, params (string Name, string Value)[] environment)
    {
        Ran ran = Ran.Program(typeof(Consumer.Program).Assembly.Location, [command], environment);
        Assert.Equal("", ran.Error);
        return (ran.Exit, ran.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    [Fact]
    public void A_library_that_is_not_there_is_told_with_places_and_what_to_do()
    {
        (int exit, string[] lines) = Run("version", ("ILCUDA_LIBRARY", "/no/such/libilcuda.so"));
        string line = Assert.Single(lines);
        Assert.Equal(1, exit);
        Assert.StartsWith("NativeLibraryException: the native library of ilcuda was not found for ", line);
        Assert.Contains($"({RuntimeInformation.RuntimeIdentifier})", line);
        Assert.Contains("tried /no/such/libilcuda.so; ILCUDA_LIBRARY must be the path of ", line);

        (exit, lines) = Run("version", ("ILCUDA_LIBRARY", ""));
        Assert.Equal(1, exit);
        Assert.Contains("runtimes", lines[0]);
        Assert.Contains("make dotnet", lines[0]);
    }

    [Fact]
    public void Another_library_is_told()
    {
        string other = Directory.GetFiles(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "libSystem.Native.*")[0];
        (int exit, string[] lines) = Run("version", ("ILCUDA_LIBRARY", other));
        Assert.Equal(1, exit);
        Assert.StartsWith($"NativeLibraryException: {other} is not a library of ilcuda", Assert.Single(lines));
    }

    [Fact]
    public void A_VB_program_uses_the_bindings_own_names()
    {
        (int exit, string[] lines) = Run("own");
        Assert.Equal(0, exit);
        Assert.Equal("il_Saxpy_kernel [Grid1D] <- Consumer.Stats.Saxpy 12 24 36", lines[0]);
        Assert.Equal("24 36", lines[1]);
        Assert.Equal("3 7", lines[2]);
        Assert.Matches(@"^Index was outside the bounds of the array\. \(Consumer\.Stats\.Saxpy, element 3, Stats\.vb:\d+\)$", lines[3]);
    }

    [Fact]
    public void A_VB_program_uses_typed_kernels()
    {
        (int exit, string[] lines) = Run("typed");
        Assert.Equal(0, exit);
        Assert.Equal(["12 24 36 48", "3 7", "5 7 9", "3"], lines);
    }

    [Fact]
    public void An_FSharp_program_uses_typed_kernels()
    {
        Ran ran = Ran.Program(Path.Combine(Place.Root, "build", "dotnet", "Ilcuda.TestsFs", "net10.0", "Ilcuda.TestsFs.dll"), []);
        Assert.Equal((0, "12 24 36 48\n3 7\n5 7 9\n", ""), (ran.Exit, ran.Output, ran.Error));
    }

    [Fact]
    public void A_VB_program_uses_the_originals_names()
    {
        (int exit, string[] lines) = Run("original", ("ILCUDA_ENGINE", "cpu"));
        Assert.Equal(0, exit);
        Assert.Equal("il_RowSum_kernel [Grid1D] <- Consumer.Stats.RowSum, Grid1D, il_RowSum_scalar, il_RowSum_kernel", lines[0]);
        Assert.Contains("Function RowSum(", lines[1]);
        Assert.Equal("7", lines[2]);
        Assert.StartsWith("cpu, ", lines[3]);
        Assert.Equal("6 15", lines[4]);
    }

    /// <summary>On the driver of tests/fake-cuda, which runs kernels on the processor.</summary>
    [Fact]
    public void On_a_device_the_original_way_names_it_and_what_kernels_are_compiled_to()
    {
        string? fake = Environment.GetEnvironmentVariable("ILCUDA_FAKE_CUDA");
        Assert.SkipWhen(string.IsNullOrEmpty(fake), "ILCUDA_FAKE_CUDA names no folder with a driver that runs kernels");
        (int exit, string[] lines) = Run("original", ("LD_LIBRARY_PATH", fake), ("XDG_CACHE_HOME", Path.Combine(Place.Root, "build", "dotnet", "cache")));
        Assert.Equal(0, exit);
        Assert.Matches(@"^NVIDIA Fake \| NVRTC 12\.\d+ \(cubin\) arch=sm_90 \[.*libnvrtc\.so\.12\]$", lines[3]);
        Assert.Equal("6 15", lines[4]);
    }

    [Fact]
    public void Without_a_GPU_the_original_way_gives_reason_and_suggestions()
    {
        Assert.SkipWhen(Machine.Probe().CudaWorks, "a GPU works here");
        (int exit, string[] lines) = Run("original");
        Assert.Equal(0, exit);
        Assert.StartsWith("none: ", lines[3]);
        Assert.Contains(lines, line => line.StartsWith("suggestion: NVIDIA driver: ", StringComparison.Ordinal) || line.StartsWith("suggestion: CUDA compiler: ", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.Contains("ILCUDA_ENGINE=cpu"));
    }

    [Fact]
    public void Probing_tells_what_there_is()
    {
        Machine machine = Machine.Probe();
        Assert.NotEmpty(machine.Findings);
        Assert.True(machine.CpuWorks);
        Assert.Contains(machine.Findings, finding => finding.Subject == "CPU engine" && finding.Ok);
    }
}
