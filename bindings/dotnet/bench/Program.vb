' Loops by Parallel.For and by Gpu.For: the best times of five runs each, taken in turn after one that is not counted, and their ratio. Then
' what a loop of one element costs, and a launch of one.
'   dotnet build bindings/dotnet/bench -c Release
'   ILCUDA_LIBRARY=build/release/libilcuda.so dotnet build/dotnet/bench/net10.0/bench.dll [elements] [engine]

Imports System.Diagnostics
Imports System.Threading.Tasks
Imports Ilcuda

Public Module Program
    Private Const Taps = 50, Turns = 5

    Public Function Main(args As String()) As Integer
        Dim n = If(args.Length > 0, Integer.Parse(args(0)), 1000000)
        Dim kind = If(args.Length > 1, DirectCast([Enum].Parse(GetType(EngineKind), args(1), ignoreCase:=True), EngineKind), EngineKind.Auto)
        Dim signal(n + Taps - 2), weights(Taps - 1), result(n - 1) As Double
        For i = 0 To signal.Length - 1
            signal(i) = (i Mod 1000) / 1000.0
        Next
        For k = 0 To Taps - 1
            weights(k) = 1.0 / (k + 1)
        Next
        Dim a = 0.999, b = 0.001

        ' 50 multiplications and 50 additions for each element, in Double: all but the additions of the filter are independent; in the
        ' recurrence each waits for the one before.
        Dim filter As Action(Of Integer) = Sub(i)
                                               Dim sum = 0.0
                                               For k = 0 To weights.Length - 1
                                                   sum += weights(k) * signal(i + k)
                                               Next
                                               result(i) = sum
                                           End Sub
        Dim recurrence As Action(Of Integer) = Sub(i)
                                                   Dim v = signal(i)
                                                   For k = 1 To Taps
                                                       v = v * a + b
                                                   Next
                                                   result(i) = v
                                               End Sub
        Dim same = True
        Using engine As Engine = Engine.Create(New EngineOptions With {.Kind = kind, .BestCode = True})
            Console.WriteLine($"{n} elements, {2 * Taps} operations each, {Environment.ProcessorCount} processors; {engine}")
            same = Compare(engine, "filter", filter, result) And Compare(engine, "recurrence", recurrence, result)
            OneElement(engine)
        End Using
        Return If(same, 0, 1)
    End Function

    Private Function Compare(engine As Engine, name As String, body As Action(Of Integer), result As Double()) As Boolean
        Dim n = result.Length, parallelTime = Double.MaxValue, gpuTime = Double.MaxValue, expected As Double() = Nothing
        For turn = 0 To Turns
            Array.Clear(result)
            Dim parallelNow = Milliseconds(Sub() Parallel.For(0, n, body))
            expected = CType(result.Clone(), Double())
            Array.Clear(result)
            Dim gpuNow = Milliseconds(Sub() Gpu.For(engine, 0, n, body))
            If turn = 0 Then Continue For
            parallelTime = Math.Min(parallelTime, parallelNow)
            gpuTime = Math.Min(gpuTime, gpuNow)
        Next
        Console.WriteLine($"{name}: Parallel.For {parallelTime:0.0} ms, Gpu.For {gpuTime:0.0} ms: {parallelTime / gpuTime:0.00} times as fast")
        If expected.AsSpan().SequenceEqual(result) Then Return True
        Console.WriteLine("the results differ")
        Return False
    End Function

    ' The least of ten means of 2,000.
    Private Sub OneElement(engine As Engine)
        Const Times = 2000
        Dim x(0) As Double, a = 0.5
        Dim body As Action(Of Integer) = Sub(i) x(i) = x(i) * a
        Dim kernel As Kernel = Gpu.Kernel(body, engine.Session), loopTime = Double.MaxValue, launchTime = Double.MaxValue
        Using held = engine.Upload(x)
            For turn = 1 To 10
                loopTime = Math.Min(loopTime, Milliseconds(Sub()
                                                               For k = 1 To Times
                                                                   Gpu.For(engine, 0, 1, body)
                                                               Next
                                                           End Sub))
                launchTime = Math.Min(launchTime, Milliseconds(Sub()
                                                                   For k = 1 To Times
                                                                       kernel.Launch(engine, 1, held, a)
                                                                   Next
                                                               End Sub))
            Next
        End Using
        Console.WriteLine($"one element: Gpu.For {1000 * loopTime / Times:0.0} us, Launch {1000 * launchTime / Times:0.0} us")
    End Sub

    Private Function Milliseconds(run As Action) As Double
        Dim watch = Stopwatch.StartNew()
        run()
        Return watch.Elapsed.TotalMilliseconds
    End Function
End Module
