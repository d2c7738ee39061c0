// An F# program over the binding. The tests run it as a process of its own and read what it prints.
namespace Consumer

open System
open Ilcuda

module Stats =
    let saxpy (a: float32) (x: float32[]) (y: float32[]) (i: int) =
        y[i] <- a * x[i] + y[i]

    let rowSum (x: float32[]) (cols: int) (i: int) =
        let mutable sum = 0.0
        for k in 0 .. cols - 1 do
            sum <- sum + float x[i * cols + k]
        sum

    let sum (a: int) (b: int) = a + b

module Program =
    let show (values: 'T[]) = Console.WriteLine(String.Join(" ", values))

    [<EntryPoint>]
    let main _ =
        let session = Session.Default
        let saxpy = session.Translate(Action<_, _, _, _>(Stats.saxpy))
        let rowSum = session.Translate(Func<_, _, _, _>(Stats.rowSum))
        let sum = session.Translate(Func<_, _, _>(Stats.sum))
        use engine = Engine.Create "ast"
        let x = [| 1.0f; 2.0f; 3.0f; 4.0f |]
        let y = [| 10.0f; 20.0f; 30.0f; 40.0f |]
        saxpy.Run(engine, 2.0f, x, y, 4)
        show y
        show (rowSum.Run(engine, x, 2, 2))
        use held = engine.Upload(1, 2, 3)
        show (sum.Run(engine, held, [| 4; 5; 6 |]))
        KernelAssert.SameBits(rowSum.Untyped, engine, 2L, x, 2)
        0
