' Loops over lambdas, checked arithmetic and all.

Imports Ilcuda

Public Module Loops
    Public Sub Run()
        Using engine As Engine = Engine.Create(EngineKind.Tree)
            Dim x = {1.0F, 2.0F, 3.0F}, y = {10.0F, 20.0F, 30.0F}, a = 2.0F
            Gpu.For(engine, 0, y.Length, Sub(i) y(i) = a * x(i) + y(i))
            Console.WriteLine(String.Join(" ", y))
            a = 0.5F
            Gpu.For(engine, 1, 3, Sub(i)
                                      Dim sum = 0.0F
                                      For k = 0 To i
                                          sum += x(k)
                                      Next
                                      y(i) = a * sum
                                  End Sub)
            Console.WriteLine(String.Join(" ", y))
            Dim rows = 2, cols = 3, m(rows - 1, cols - 1) As Integer
            Gpu.For2D(engine, 0, rows, 0, cols, Sub(i, j) m(i, j) = i * 10 + j)
            Console.WriteLine(String.Join(" ", m.Cast(Of Integer)()))
            Gpu.For(engine, 0, 3, AddressOf New Scaled(x, 4.0F).Apply)
            Console.WriteLine(String.Join(" ", x))
            Dim large = Integer.MaxValue
            Try
                Gpu.For2D(engine, 0, 2, 1, 3, Sub(i, j) m(i, j) = large + i * j)
            Catch e As OverflowException
                Console.WriteLine(e.Message)
            End Try
            Dim total = 0.0F
            Gpu.For(engine, 0, 3, Sub(i) total += x(i))
        End Using
    End Sub
End Module

''' A class as programs have them: its method reads two fields.
Public Class Scaled
    Private ReadOnly _values As Single()
    Private ReadOnly _by As Single

    Public Sub New(values As Single(), by As Single)
        _values = values
        _by = by
    End Sub

    Public Sub Apply(i As Integer)
        _values(i) *= _by
    End Sub
End Class
