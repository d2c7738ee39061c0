// dotnet fsi saxpy.fsx
#r "nuget: Ilcuda"

open Ilcuda

type Kernels =
    static member Saxpy(a: float32, x: float32[], y: float32[], i: int) = y[i] <- a * x[i] + y[i]

let kernel = Session.Default.Translate(typeof<Kernels>.GetMethod "Saxpy")
let engine = Engine.Create()
let x, y = [| 1f; 2f; 3f; 4f |], [| 10f; 20f; 30f; 40f |]
kernel.Run(engine, int64 y.Length, 2f, x, y)
eprintfn "%s" engine.Description
printfn "%s" (String.concat " " (Array.map string y))
