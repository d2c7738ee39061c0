#include "Ilcuda.dll"

' Five ordinary functions become kernels: a matrix's rows are compared with each other, by correlation and by distance.
' Run it with
'     vbs examples/vbs/tutorial.vb [rows columns]
' on the best engine there is, a GPU or this machine's processors. Every step is checked.

imports System.Reflection
imports Ilcuda

' ---- what is computed: nothing here knows of kernels ----

public class Rows
    ' The sum of row i.
    public shared function Sum(x as single(), cols as integer, i as integer) as single
        dim total as single = 0
        for k as integer = 0 to cols - 1
            total += x(i * cols + k)
        next
        return total
    end function

    ' The product of rows i and j.
    public shared function Dot(x as single(), cols as integer, i as integer, j as integer) as single
        dim total as single = 0
        for k as integer = 0 to cols - 1
            total += x(i * cols + k) * x(j * cols + k)
        next
        return total
    end function

    ' How far the rows' points lie apart.
    public shared function Distance(dots as single(), rows as integer, i as integer, j as integer) as single
        if i = j then return 0
        dim square as single = dots(i * rows + i) + dots(j * rows + j) - 2.0f * dots(i * rows + j)
        return MathF.Sqrt(MathF.Max(square, 0.0f))
    end function

    ' Pearson's correlation of the rows.
    public shared function Correlation(dots as single(), sums as single(), rows as integer, cols as integer,
                                       i as integer, j as integer) as single
        if i = j then return 1
        dim n as single = cols
        dim covariance as single = dots(i * rows + j) - sums(i) * sums(j) / n
        dim varianceI as single = dots(i * rows + i) - sums(i) * sums(i) / n
        dim varianceJ as single = dots(j * rows + j) - sums(j) * sums(j) / n
        dim scale as single = MathF.Sqrt(varianceI) * MathF.Sqrt(varianceJ)
        return If(scale > 0.0f, covariance / scale, 0.0f)
    end function
end class

' A function of the script itself: with no index and no array it works on each element of what it is given.
function Clamp(value as single, limit as single) as single
    if value > limit then return limit
    if value < -limit then return -limit
    return value
end function

' ---- the matrix ----

dim rowCount as integer = if(args.Length > 0, cint(args(0)), 256)
dim cols as integer = if(args.Length > 1, cint(args(1)), 300)
dim random as new Random(7)
dim x(rowCount * cols - 1) as single
for k as integer = 0 to x.Length - 1
    x(k) = csng(random.NextDouble() * 2.0 - 1.0)
next
dim good as boolean = true

' Does the engine have the bits of the function itself, called from here?
function Verdict(name as string, got as single(), expected as Func(Of integer, single)) as string
    dim wrong as integer = 0
    for k as integer = 0 to got.Length - 1
        if BitConverter.SingleToInt32Bits(got(k)) <> BitConverter.SingleToInt32Bits(expected(k)) then wrong += 1
    next
    if wrong > 0 then good = false
    return name & ": " & got.Length & " elements, " & if(wrong = 0, "the bits of the function itself  OK", wrong & " differ  FAIL")
end function

' ---- kernels ----

dim clampOne as Func(Of single, single, single) = addressof Clamp
dim kernels as new Dictionary(Of string, Kernel)
for each m as MethodInfo in GetType(Rows).GetMethods(BindingFlags.Public or BindingFlags.Static).Append(clampOne.Method)
    kernels(m.Name) = Session.Default.Translate(m)
    console.WriteLine(kernels(m.Name))
next
console.WriteLine()
console.WriteLine(kernels("Dot").Text(KernelText.Vb))
console.WriteLine(kernels("Dot").Text(KernelText.Cuda))

' ---- launches ----

using engine as Engine = Engine.Create()
    console.WriteLine("engine: " & engine.Description)
    console.WriteLine("reason: " & engine.Reason)
    console.WriteLine()
    dim square as long() = {rowCount, rowCount}
    using buffer = engine.Upload(x), _
          sums = engine.CreateBuffer(Of single)(rowCount), dots = engine.CreateBuffer(Of single)(rowCount * rowCount), _
          distances = engine.CreateBuffer(Of single)(rowCount * rowCount), correlations = engine.CreateBuffer(Of single)(rowCount * rowCount), _
          limits = engine.CreateBuffer(Of single)(rowCount), clamped = engine.CreateBuffer(Of single)(rowCount)

        kernels("Sum").Launch(engine, rowCount, buffer, cols, sums)
        kernels("Dot").Launch(engine, square, buffer, cols, dots)
        kernels("Distance").Launch(engine, square, dots, rowCount, distances)
        kernels("Correlation").Launch(engine, square, dots, sums, rowCount, cols, correlations)
        limits.Write(Enumerable.Repeat(2.5f, rowCount).ToArray())
        kernels("Clamp").Launch(engine, rowCount, sums, limits, clamped)

        dim s as single() = sums.Read(), d as single() = dots.Read()
        console.WriteLine(Verdict("Sum", s, function(k) Rows.Sum(x, cols, k)))
        console.WriteLine(Verdict("Dot", d, function(k) Rows.Dot(x, cols, k \ rowCount, k mod rowCount)))
        console.WriteLine(Verdict("Distance", distances.Read(), function(k) Rows.Distance(d, rowCount, k \ rowCount, k mod rowCount)))
        console.WriteLine(Verdict("Correlation", correlations.Read(), function(k) Rows.Correlation(d, s, rowCount, cols, k \ rowCount, k mod rowCount)))
        console.WriteLine(Verdict("Clamp", clamped.Read(), function(k) Clamp(s(k), 2.5f)))

        ' An index that is out of range is an exception, as in .NET, and says which element it was.
        try
            kernels("Sum").Launch(engine, rowCount + 1, buffer, cols, engine.CreateBuffer(Of single)(rowCount + 1))
            good = false
        catch e as IndexOutOfRangeException
            console.WriteLine("one row too many: " & e.Message)
        end try
    end using
end using

console.WriteLine()
console.WriteLine(if(good, "All steps are right.", "Something is wrong, see above."))
if not good then Environment.ExitCode = 1
