// dotnet run saxpy.cs
#:package Ilcuda@*
#:property PublishAot=false

using Ilcuda;

var kernel = Session.Default.Translate(typeof(Kernels).GetMethod("Saxpy")!);
using var engine = Engine.Create();
float[] x = [1, 2, 3, 4], y = [10, 20, 30, 40];
kernel.Run(engine, y.Length, 2f, x, y);
Console.Error.WriteLine(engine.Description);
Console.WriteLine(string.Join(" ", y));

public static class Kernels
{
    public static void Saxpy(float a, float[] x, float[] y, int i) => y[i] += a * x[i];
}
