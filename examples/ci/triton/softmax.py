"""Softmax in Triton: one program per row, which holds the whole row."""

import torch
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["columns"])
def rows_of_softmax(x, y, columns, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    places = tl.arange(0, WIDTH)
    inside = places < columns
    numbers = tl.load(x + row * columns + places, mask=inside, other=-float("inf"))
    powers = tl.exp(numbers - tl.max(numbers, axis=0))
    tl.store(y + row * columns + places, powers / tl.sum(powers, axis=0), mask=inside)


def softmax(x):
    """Each row of the matrix x, a tensor on a device."""
    y = torch.empty_like(x)
    rows, columns = x.shape
    if x.numel():
        rows_of_softmax[(rows,)](x, y, columns, triton.next_power_of_2(columns))
    return y
