"""Softmax in Triton on a CUDA device: one program per row, which holds the whole row."""

import numpy
import torch
import triton
import triton.language as tl
from assay.subject import serve


@triton.jit(do_not_specialize=["columns"])
def rows_of_softmax(x, y, columns, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    places = tl.arange(0, WIDTH)
    inside = places < columns
    numbers = tl.load(x + row * columns + places, mask=inside, other=-float("inf"))
    powers = tl.exp(numbers - tl.max(numbers, axis=0))
    tl.store(y + row * columns + places, powers / tl.sum(powers, axis=0), mask=inside)


def softmax(rows, columns, x):
    if len(x) == 0:
        return x
    of_x = torch.from_numpy(x).cuda()
    y = torch.empty_like(of_x)
    rows_of_softmax[(rows,)](of_x, y, columns, triton.next_power_of_2(columns))
    return numpy.asarray(y.cpu())


serve(softmax=softmax)
