' Unit tests of kernels: on the engine that there is they must have CoreCLR's bits. Any test framework will do; this is xunit.
'
'     dotnet run
Imports Ilcuda
Imports Xunit

Public Class Stats
    Public Shared Sub Saxpy(a As Single, x As Single(), y As Single(), i As Integer)
        y(i) = a * x(i) + y(i)
    End Sub

    Public Shared Function Ratio(a As Integer(), b As Integer(), i As Integer) As Integer
        Return a(i) \ b(i)
    End Function
End Class

Public Class StatsTests
    Private Shared Function Kernel(name As String) As Kernel
        Return Gpu.Engine.Session.Translate(GetType(Stats).GetMethod(name))
    End Function

    <Fact>
    Public Sub Saxpy_has_the_bits_of_CoreCLR()
        KernelAssert.SameBits(Kernel("Saxpy"), Gpu.Engine, 4, 0.1F, {1.0F, 2.0F, 3.0F, 4.0F}, {0.3F, -1.0F, Single.NaN, Single.MaxValue})
    End Sub

    <Fact>
    Public Sub Ratio_raises_the_exceptions_of_CoreCLR()
        KernelAssert.SameBits(Kernel("Ratio"), Gpu.Engine, 3, {1, Integer.MinValue, 5}, {2, -1, 0})
    End Sub

    <Fact>
    Public Sub A_difference_is_named()
        Dim e = Assert.Throws(Of IlcudaException)(Sub() KernelAssert.SameBits({1.0F, 2.0F}, {1.0F, 2.5F}))
        Assert.Equal("element 1 is #40200000 (2.5), #40000000 (2) was expected", e.Message)
    End Sub
End Class
