"""Sums and products in Triton, one whose order of additions is not fixed among them."""

import torch
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["columns", "step"])
def sums_of_rows(x, y, columns, step, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((WIDTH,), tl.float32)
    for start in range(0, columns, WIDTH):
        places = start + tl.arange(0, WIDTH)
        total += tl.load(x + row * step + places, mask=places < columns, other=0.0)
    tl.store(y + row, tl.sum(total, axis=0))


def sum_of_rows(x):
    """The sums of the rows."""
    if x.stride(1) != 1:
        raise ValueError("rows without gaps are accepted")
    y = torch.empty(len(x), device=x.device)
    sums_of_rows[(len(x),)](x, y, x.shape[1], x.stride(0), 1024)
    return y


@triton.jit(do_not_specialize=["m", "n", "k"])
def tiles(a, b, d, m, n, k, SLICE: tl.constexpr, TILE: tl.constexpr, ATOMIC: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), tl.float32)
    begin = tl.program_id(2) * SLICE
    for start in range(begin, min(k, begin + SLICE), TILE):
        terms = start + tl.arange(0, TILE)
        of_a = (rows[:, None] < m) & (terms[None, :] < k)
        of_b = (terms[:, None] < k) & (columns[None, :] < n)
        left = tl.load(a + rows[:, None] * k + terms[None, :], mask=of_a, other=0.0)
        right = tl.load(b + terms[:, None] * n + columns[None, :], mask=of_b, other=0.0)
        total = tl.dot(left, right, total, input_precision="ieee")
    at = d + rows[:, None] * n + columns[None, :]
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    if ATOMIC:
        tl.atomic_add(at, total, mask=inside)
    else:
        tl.store(at, total, mask=inside)


def product(a, b, slice_length=None):
    """A product of tiles, in binary32. With a slice length k is cut into slices, which are added by atomics in the
    order of their arrival."""
    if not (a.is_contiguous() and b.is_contiguous()):
        raise ValueError("arrays without gaps are accepted")
    (m, k), n = a.shape, b.shape[1]
    d = torch.zeros((m, n), device=a.device)
    slices = 1 if slice_length is None else triton.cdiv(k, slice_length)
    grid = (triton.cdiv(m, 32), triton.cdiv(n, 32), slices)
    tiles[grid](a, b, d, m, n, k, slice_length or 1 << 30, 32, slice_length is not None)
    return d


def split_k(a, b):
    return product(a, b, 64)
