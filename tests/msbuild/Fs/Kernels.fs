module Kernels

type KernelAttribute() =
    inherit System.Attribute()

[<Kernel>]
let double (x: float32[]) (i: int) = x.[i] * 2.0f

[<Kernel>]
let named (x: float32[]) (i: int) = x.[i].ToString().Length
