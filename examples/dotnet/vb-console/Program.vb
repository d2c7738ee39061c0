' A correlation network: which genes of expression.csv go up and down together over the samples?
'
'     dotnet run -- expression.csv 0.9
Imports System.Globalization
Imports System.IO
Imports Ilcuda

Module Program
    ' Pearson's correlation of rows i and j of x, a matrix of cols columns: one thread each on a GPU.
    Function Correlation(x As Double(), cols As Integer, i As Integer, j As Integer) As Double
        Dim sumI, sumJ, squaresI, squaresJ, products As Double
        For k As Integer = 0 To cols - 1
            Dim a = x(i * cols + k), b = x(j * cols + k)
            sumI += a
            sumJ += b
            squaresI += a * a
            squaresJ += b * b
            products += a * b
        Next
        Dim spread = Math.Sqrt((cols * squaresI - sumI * sumI) * (cols * squaresJ - sumJ * sumJ))
        Return (cols * products - sumI * sumJ) / spread
    End Function

    Sub Main(args As String())
        Dim lines = File.ReadAllLines(args(0))
        Dim least = Double.Parse(args(1), CultureInfo.InvariantCulture)
        Dim rows = lines.Skip(1).Select(Function(line) line.Split(","c)).ToArray()
        Dim genes = rows.Select(Function(row) row(0)).ToArray()
        Dim x = rows.SelectMany(Function(row) row.Skip(1)).Select(Function(cell) Double.Parse(cell, CultureInfo.InvariantCulture)).ToArray()
        Dim cols = x.Length \ genes.Length

        Dim kernel = Session.Default.Translate(GetType(Program).GetMethod(NameOf(Correlation)))
        Using engine As Engine = Engine.Create()
            Console.Error.WriteLine(engine.Description)
            Dim r = kernel.Run(Of Double)(engine, {genes.Length, genes.Length}, x, cols)
            For i = 0 To genes.Length - 1
                For j = i + 1 To genes.Length - 1
                    Dim value = r(i * genes.Length + j)
                    If Math.Abs(value) >= least Then Console.WriteLine(FormattableString.Invariant($"{genes(i)} {genes(j)} {value:F3}"))
                Next
            Next
        End Using
    End Sub
End Module
