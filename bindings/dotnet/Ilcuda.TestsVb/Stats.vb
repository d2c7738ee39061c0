' Methods of a program of its own, as its author would write them.

Public Structure Range
    Public Low As Single
    Public High As Single
End Structure

Public Class Stats
    Public Shared Sub Saxpy(a As Single, x As Single(), y As Single(), i As Integer)
        y(i) = a * x(i) + y(i)
    End Sub

    Public Shared Function RowSum(x As Single(), cols As Integer, i As Integer) As Double
        Dim sum As Double = 0.0
        For k As Integer = 0 To cols - 1
            sum += x(i * cols + k)
        Next
        Return sum
    End Function

    Public Shared Function Ratio(a As Integer, b As Integer) As Integer
        Return a \ b
    End Function

    Public Shared Function Sum(a As Integer, b As Integer) As Integer
        Return a + b
    End Function

    Public Shared ReadOnly Table As Integer() = {10, 20, 30}

    Public Shared Function Looked(x As Integer(), i As Integer) As Integer
        Return Table(x(i))
    End Function

    Public Shared Sub Outer(x As Double(), y As Double(,), i As Integer, j As Integer)
        y(i, j) = x(i) * x(j)
    End Sub

    Public Shared Function Cube(n As Long, i As Integer, j As Integer, k As Integer) As Long
        Return (i * n + j) * n + k
    End Function

    Public Shared Function Slow(turns As Integer, i As Integer) As Integer
        Dim sum As Integer = i
        For k As Integer = 1 To turns
            sum = sum Xor k
        Next
        Return sum
    End Function

    Public Shared Function Root(x As Double(), i As Integer) As Double
        If x(i) < 0.0 Then Throw New ArgumentException("negative")
        Return Math.Sqrt(x(i))
    End Function

    Public Shared Function RangeOf(x As Single(), cols As Integer, i As Integer) As Range
        Dim found As New Range With {.Low = x(i * cols), .High = x(i * cols)}
        For k As Integer = 1 To cols - 1
            found.Low = Math.Min(found.Low, x(i * cols + k))
            found.High = Math.Max(found.High, x(i * cols + k))
        Next
        Return found
    End Function

    Public Shared Function Middle(x As Range(), i As Integer) As Single
        Return (x(i).Low + x(i).High) / 2.0F
    End Function

    Public Shared Function Wide(x As Double(,), i As Integer) As Double
        Dim sum As Double = 0.0
        For k As Integer = 0 To x.GetLength(1) - 1
            sum += x(i, k)
        Next
        Return sum
    End Function

    Public Shared Function Between(value As Single, limits As Range) As Boolean
        Return value >= limits.Low AndAlso value <= limits.High
    End Function

    Public Shared Sub Halve(ByRef value As Double)
        value /= 2.0
    End Sub

    Public Shared Function Greeting(name As String, i As Integer) As Integer
        Return ("Hello " & name).Length + i
    End Function

    Public Shared Function Row(Of T)(x As T(), i As Integer) As T
        Return x(i)
    End Function
End Class
