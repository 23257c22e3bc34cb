"""torch.matmul on a CUDA device. The argument names the mode; the format of --format decides the numbers.

    highest, high, medium       torch.set_float32_matmul_precision, for f32
    default, no_reduction       with and without reduced-precision reductions, for f16 and bf16
    fast, exact                 torch._scaled_mm with and without fast accumulation, for e4m3
    int                         torch._int_mm, for s8
    single                      torch.bmm with results of f32, for f16:f32 and bf16:f32 (torch 2.8 or newer)
"""

import sys

import numpy
import torch
from assay.subject import serve
from torch_arrays import on_device, on_host

MODE = sys.argv[1]
ONE = torch.ones((), device="cuda")

if MODE in ("highest", "high", "medium"):
    torch.set_float32_matmul_precision(MODE)
if MODE == "no_reduction":
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False


def product(a, b):
    if MODE == "int":
        return torch._int_mm(a, b)
    if MODE in ("fast", "exact"):
        return torch._scaled_mm(a, b.t().contiguous().t(), scale_a=ONE, scale_b=ONE, out_dtype=torch.bfloat16,
                                use_fast_accum=MODE == "fast")
    if MODE == "single":
        return torch.bmm(a, b, out_dtype=torch.float32)
    return torch.matmul(a, b)


def matmul(batch, m, n, k, a, b):
    if 0 in (batch, m, n, k):
        return numpy.zeros(batch * m * n, dtype="uint16" if a.dtype.name == "uint8" else a.dtype)
    if MODE in ("int", "fast", "exact"):
        a, b = on_device(a, batch, m, k), on_device(b, batch, k, n)
        return numpy.concatenate([on_host(product(a[p], b[p])) for p in range(batch)])
    return on_host(product(on_device(a, batch, m, k), on_device(b, batch, k, n)))


serve(matmul=matmul)
