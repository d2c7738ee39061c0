<AttributeUsage(AttributeTargets.Method)>
Public Class KernelAttribute
    Inherits System.Attribute
End Class

Public Module Kernels
    Public Function Half(x As Single) As Single
        Return x / 2
    End Function

    <Kernel>
    Public Function Labelled(x As Single(), i As Integer) As Integer
        Return x(i).ToString().Length
    End Function

    <Kernel>
    Public Function Sum(x As Single(), count As Integer) As Single
        Return x(count)
    End Function
End Module
