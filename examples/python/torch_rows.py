#!/usr/bin/env python3
"""torch_rows.py LIBILCUDA ASSEMBLY - row sums of a torch tensor by a compiled VB function, the tutorial's RowSum: in the tensor's own memory, on
torch's stream; the result is a torch tensor as well. Nothing is copied (DLPack)."""
import ctypes as c, sys, torch

lib, capsules = c.CDLL(sys.argv[1]), c.pythonapi
capsules.PyCapsule_GetPointer.restype, capsules.PyCapsule_GetPointer.argtypes = c.c_void_p, [c.py_object, c.c_char_p]
capsules.PyCapsule_SetName.argtypes = [c.py_object, c.c_char_p]
capsules.PyCapsule_New.restype, capsules.PyCapsule_New.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]
class Options(c.Structure):  # ilc_engine_options
    _fields_ = [("size", c.c_size_t), ("kind", c.c_int), ("compilers", c.c_char_p * 3), ("device", c.c_int), ("threads", c.c_uint), ("paths", c.c_char_p * 3),
                ("only", c.c_bool * 2), ("context", c.c_void_p), ("stream", c.c_void_p), ("memory", c.c_void_p * 3)]
class Argument(c.Structure):  # ilc_argument, as ilc_arg_... make it
    _fields_ = [("words", c.c_uint64 * 7)]
lib.ilc_arg_buffer.restype = lib.ilc_arg_int.restype = lib.ilc_arg_result.restype = Argument
lib.ilc_session_error.restype = c.c_char_p
session, engine, assembly, method, kernel, x, out, sums = [c.c_void_p() for _ in range(8)]

def must(status):
    if status:
        sys.exit(f"torch_rows: {lib.ilc_session_error(session).decode()}")

tensor = torch.rand(1000, 1023, device="cuda")
rows, cols = tensor.shape
must(lib.ilc_session_create(c.byref(session), None))
lib.ilc_engine_options_init(c.byref(options := Options()))
options.kind, options.stream = 4, torch.cuda.current_stream().cuda_stream or 1  # CUDA; the default stream is number 1 to the driver
must(lib.ilc_engine_create(c.byref(engine), session, c.byref(options)))
must(lib.ilc_assembly_open(c.byref(assembly), session, sys.argv[2].encode(), None))
must(lib.ilc_assembly_find(c.byref(method), assembly, b"RowSum"))
must(lib.ilc_kernel_translate(c.byref(kernel), method, None))
capsule = torch.utils.dlpack.to_dlpack(tensor)
must(lib.ilc_buffer_from_dlpack(c.byref(x), engine, c.c_void_p(capsules.PyCapsule_GetPointer(capsule, b"dltensor"))))
capsules.PyCapsule_SetName(capsule, b"used_dltensor")  # the buffer's from now on
must(lib.ilc_buffer_create(c.byref(out), engine, 13, c.c_int64(rows)))  # ILC_F32
arguments = (Argument * 3)(lib.ilc_arg_buffer(b"x", x), lib.ilc_arg_int(b"cols", c.c_int64(cols)), lib.ilc_arg_result(out))
must(lib.ilc_launch(c.create_string_buffer(512), engine, kernel, arguments, c.c_size_t(3), c.byref(c.c_int64(rows)), c.c_size_t(1), None))
must(lib.ilc_buffer_to_dlpack(c.byref(sums), out))
result = torch.utils.dlpack.from_dlpack(capsules.PyCapsule_New(sums, b"dltensor", None))
print(f"{result.shape[0]} sums on {result.device}, the largest difference to torch's: {(result - tensor.sum(1)).abs().max().item():.1e}")
