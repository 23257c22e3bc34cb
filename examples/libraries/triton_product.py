"""A matrix product in Triton as a tile of tl.dot, on a CUDA device. The argument is the input precision of f32: ieee,
tf32 or tf32x3."""

import sys

import numpy
import torch
import triton
import triton.language as tl
from assay.subject import serve

PRECISION = sys.argv[1]
TILE = 32


@triton.jit(do_not_specialize=["m", "n", "k"])
def tiles(a, b, d, m, n, k, PRECISION: tl.constexpr, TILE: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    product = tl.program_id(2).to(tl.int64)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, k, TILE):
        terms = start + tl.arange(0, TILE)
        left = tl.load(a + product * m * k + rows[:, None] * k + terms[None, :],
                       mask=(rows[:, None] < m) & (terms[None, :] < k), other=0.0)
        right = tl.load(b + product * k * n + terms[:, None] * n + columns[None, :],
                        mask=(terms[:, None] < k) & (columns[None, :] < n), other=0.0)
        total = tl.dot(left, right, total, input_precision=PRECISION)
    tl.store(d + product * m * n + rows[:, None] * n + columns[None, :], total,
             mask=(rows[:, None] < m) & (columns[None, :] < n))


def matmul(batch, m, n, k, a, b):
    d = torch.zeros(batch * m * n, device="cuda")
    if d.numel() > 0:
        if a.dtype.name == "uint16":
            a, b = (torch.from_numpy(x.view("int16")).view(torch.bfloat16).cuda() for x in (a, b))
        else:
            a, b = (torch.from_numpy(x).cuda() for x in (a, b))
        if k > 0:
            tiles[(triton.cdiv(m, TILE), triton.cdiv(n, TILE), batch)](a, b, d, m, n, k, PRECISION, TILE)
    return numpy.asarray(d.cpu())


serve(matmul=matmul)
