' One loop by Parallel.For and by Gpu.For: the times of one run each, after one that is not counted, and their ratio.
'   dotnet build bindings/dotnet/bench -c Release
'   ILCUDA_LIBRARY=build/release/libilcuda.so dotnet build/dotnet/bench/net10.0/bench.dll [elements] [engine]

Imports System.Diagnostics
Imports System.Threading.Tasks
Imports Ilcuda

Public Module Program
    Private Const Taps = 50

    Public Function Main(args As String()) As Integer
        Dim n = If(args.Length > 0, Integer.Parse(args(0)), 1000000)
        Dim kind = If(args.Length > 1, DirectCast([Enum].Parse(GetType(EngineKind), args(1), ignoreCase:=True), EngineKind), EngineKind.Auto)
        Dim signal(n + Taps - 2), filtered(n - 1), expected(n - 1), weights(Taps - 1) As Double
        For i = 0 To signal.Length - 1
            signal(i) = (i Mod 1000) / 1000.0
        Next
        For k = 0 To Taps - 1
            weights(k) = 1.0 / (k + 1)
        Next

        ' A filter: 50 multiplications and 50 additions for each element, in Double.
        Dim body As Action(Of Integer) = Sub(i)
                                             Dim sum = 0.0
                                             For k = 0 To weights.Length - 1
                                                 sum += weights(k) * signal(i + k)
                                             Next
                                             filtered(i) = sum
                                         End Sub
        Using engine As Engine = Engine.Create(kind)
            Console.WriteLine($"{n} elements, {2 * Taps} operations each, {Environment.ProcessorCount} processors; {engine}")
            Dim parallelTime = Milliseconds(Sub() Parallel.For(0, n, body))
            Array.Copy(filtered, expected, n)
            Array.Clear(filtered, 0, n)
            Dim gpuTime = Milliseconds(Sub() Gpu.For(engine, 0, n, body))
            Console.WriteLine($"Parallel.For {parallelTime:0.0} ms, Gpu.For {gpuTime:0.0} ms with all copies: {parallelTime / gpuTime:0.00} times as fast")
            If Not expected.AsSpan().SequenceEqual(filtered) Then
                Console.WriteLine("the results differ")
                Return 1
            End If
        End Using
        Return 0
    End Function

    Private Function Milliseconds(run As Action) As Double
        run()
        Dim watch = Stopwatch.StartNew()
        run()
        Return watch.Elapsed.TotalMilliseconds
    End Function
End Module
