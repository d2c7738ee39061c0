' A VB program over the binding, arrays only. The tests run it as a process of its own and read what it prints.

Imports System.Reflection
Imports Ilcuda
Imports Microsoft.VisualBasic.ApplicationServices.Development.VisualStudio.IL
Imports Microsoft.VisualBasic.Computing.ILCuda.IL2Cuda
Imports Runtime = Microsoft.VisualBasic.Computing.ILCuda.Runtime

Public Module Program
    Public Function Main(args As String()) As Integer
        Try
            Select Case If(args.FirstOrDefault(), "")
                Case "own" : OwnNames()
                Case "typed" : TypedKernels()
                Case "original" : OriginalNames()
                Case "version" : Console.WriteLine(Native.Version)
                Case "loops" : Loops.Run()
                Case Else : Return 2
            End Select
            Return 0
        Catch e As IlcudaException
            Console.WriteLine($"{e.GetType().Name}: {e.Message}")
            Return 1
        End Try
    End Function

    Private Function Method(name As String) As MethodInfo
        Return GetType(Stats).GetMethod(name)
    End Function

    ''' The names of namespace Ilcuda: a kernel, buffers from arrays, a launch.
    Private Sub OwnNames()
        Dim saxpy As Kernel = Session.Default.Translate(Method("Saxpy"))
        Using engine As Engine = Engine.Create(EngineKind.Tree)
            Using x = engine.Upload(1.0F, 2.0F, 3.0F), y = engine.Upload(10.0F, 20.0F, 30.0F)
                Dim result As LaunchResult = saxpy.Launch(engine, 3, 2.0F, x, y)
                Console.WriteLine($"{saxpy} {String.Join(" ", y.Read())}")
                Dim some(1) As Single
                y.Read(some, 1)
                Console.WriteLine(String.Join(" ", some))
                Console.WriteLine(String.Join(" ", Session.Default.Translate(Method("RowSum")).Run(Of Double)(engine, 2, New Single() {1, 2, 3, 4}, 2)))
                Try
                    saxpy.Launch(engine, New Long() {4}, 2.0F, x, y)
                Catch e As IndexOutOfRangeException
                    Console.WriteLine(e.Message)
                End Try
            End Using
        End Using
    End Sub

    ''' Kernels whose arguments the compiler checks.
    Private Sub TypedKernels()
        Dim session As Session = Session.Default
        Dim saxpy = session.Translate(Of Action(Of Single, Single(), Single(), Integer))(AddressOf Stats.Saxpy)
        Dim rowSum = session.Translate(Of Func(Of Single(), Integer, Integer, Double))(AddressOf Stats.RowSum)
        Dim sum = session.Translate(Of Func(Of Integer, Integer, Integer))(AddressOf Stats.Sum)
        Dim x As Single() = {1.0F, 2.0F, 3.0F, 4.0F}
        Dim y As Single() = {10.0F, 20.0F, 30.0F, 40.0F}
        Using engine As Engine = Engine.Create("ast")
            saxpy.Run(engine, 2.0F, x, y, 4)
            Console.WriteLine(String.Join(" ", y))
            Dim sums As Double() = rowSum.Run(engine, x, 2, 2)
            Console.WriteLine(String.Join(" ", sums))
            Using held = engine.Upload(1, 2, 3)
                Console.WriteLine(String.Join(" ", sum.Run(engine, held, New Integer() {4, 5, 6})))
            End Using
            Console.WriteLine(String.Join(" ", sum.RunAsync(engine, New Integer() {1}, New Integer() {2}).Result))
            KernelAssert.SameBits(rowSum, engine, 2, x, 2)
        End Using
    End Sub

    ''' The names of the original: an engine if ILCUDA_ENGINE allows one that works, else reason and suggestions.
    Private Sub OriginalNames()
        Dim kernel As IlCudaKernel = IlCudaTranslator.Translate(Method("RowSum"))
        kernel.Register()
        Console.WriteLine($"{kernel}, {kernel.IndexMode}, {kernel.DeviceFunctionName}, {kernel.Name}")
        Console.WriteLine(SyntaxWriter.WriteMethod(kernel.Syntax).Split(vbLf).First())
        Console.WriteLine(New AstInterpreter(kernel.Syntax).Invoke(New Single() {1, 2, 3, 4}, 2, 1))
        Dim options As New Runtime.EngineOptions With {.DeviceOrdinal = 0}
        Dim engine As Runtime.CudaEngine = Runtime.CudaEngine.TryCreate(options)
        If engine Is Nothing Then
            Console.WriteLine("none: " & options.ErrorMessage)
            For Each suggestion As Runtime.FixSuggestion In Runtime.CudaEnvironment.Suggest(Runtime.CudaEnvironment.Probe())
                Console.WriteLine("suggestion: " & suggestion.ToString() & " | " & suggestion.Detail)
            Next
            Return
        End If
        Using engine
            Console.WriteLine($"{engine.Device.Name} | {engine.Image}")
            Using x As New Runtime.DeviceBuffer(Of Single)(6), sums As New Runtime.DeviceBuffer(Of Double)(2)
                x.Write(New Single() {1, 2, 3, 4, 5, 6})
                kernel.Launch(engine, Runtime.LaunchPlanner.For1D(2, 256), x, 3, sums, 2)
                engine.Synchronize()
                Console.WriteLine(String.Join(" ", sums.Read()))
            End Using
        End Using
    End Sub
End Module
