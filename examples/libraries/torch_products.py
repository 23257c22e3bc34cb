"""torch.matmul on a CUDA device. The argument names the mode; the format of --format decides the numbers.

    highest, high, medium       torch.set_float32_matmul_precision, for f32
    default, no_reduction       with and without reduced-precision reductions, for f16 and bf16
    fast, exact                 torch._scaled_mm with and without fast accumulation, for e4m3
    int                         torch._int_mm, for s8
"""

import sys

import numpy
import torch
from assay.subject import serve

MODE = sys.argv[1]
TYPES = {"float64": torch.float64, "float32": torch.float32, "float16": torch.float16, "uint16": torch.bfloat16,
         "uint8": torch.float8_e4m3fn, "int8": torch.int8}
ONE = torch.ones((), device="cuda")

if MODE in ("highest", "high", "medium"):
    torch.set_float32_matmul_precision(MODE)
if MODE == "no_reduction":
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False


def on_device(x, *shape):
    """The numbers of an array as a tensor of their format."""
    kind = TYPES[x.dtype.name]
    if x.dtype.name in ("uint16", "uint8"):
        return torch.from_numpy(x.view("int16" if x.dtype.name == "uint16" else "uint8")).view(kind).cuda().reshape(shape)
    return torch.from_numpy(x).cuda().reshape(shape)


def on_host(x):
    x = x.cpu().contiguous()
    return x.view(torch.int16).numpy().view("uint16") if x.dtype == torch.bfloat16 else x.numpy()


def product(a, b):
    if MODE == "int":
        return torch._int_mm(a, b)
    if MODE in ("fast", "exact"):
        return torch._scaled_mm(a, b.t().contiguous().t(), scale_a=ONE, scale_b=ONE, out_dtype=torch.bfloat16,
                                use_fast_accum=MODE == "fast")
    return torch.matmul(a, b)


def matmul(batch, m, n, k, a, b):
    if 0 in (batch, m, n, k):
        return numpy.zeros(batch * m * n, dtype="uint16" if a.dtype.name == "uint8" else a.dtype)
    if MODE in ("int", "fast", "exact"):
        a, b = on_device(a, batch, m, k), on_device(b, batch, k, n)
        return numpy.concatenate([on_host(product(a[p], b[p])).ravel() for p in range(batch)])
    return on_host(product(on_device(a, batch, m, k), on_device(b, batch, k, n))).ravel()


serve(matmul=matmul)
