"""Kernels in Triton whose order of additions is not fixed, and one whose order is."""

import pytest

triton = pytest.importorskip("triton")
torch = pytest.importorskip("torch")
tl = pytest.importorskip("triton.language")

BLOCK = 256
TILE = 32


@triton.jit
def _scan(x, y, told, sums, sums_to_end, turns, n, BLOCK: tl.constexpr):
    turn = tl.atomic_add(turns, 1)
    places = turn * BLOCK + tl.arange(0, BLOCK)
    inside = places < n
    numbers = tl.load(x + places, mask=inside, other=0.0)
    prefixes = tl.cumsum(numbers, 0)
    sum = tl.sum(numbers, 0)
    tl.atomic_xchg(sums + turn, sum)
    tl.atomic_xchg(told + turn, 1)
    before = 0.0
    other = turn - 1
    while other >= 0:
        state = tl.atomic_add(told + other, 0)
        if state == 2:
            before = tl.atomic_add(sums_to_end + other, 0.0) + before
            other = -1
        elif state == 1:
            before = tl.atomic_add(sums + other, 0.0) + before
            other -= 1
    tl.atomic_xchg(sums_to_end + turn, before + sum)
    tl.atomic_xchg(told + turn, 2)
    tl.store(y + places, before + prefixes, mask=inside)


def scan_in_turns(x):
    """Prefix sums. A block takes its turn by an atomic counter, and adds what the blocks before it have told by then:
    sums of blocks, up to a block that has told its sum to the end."""
    if not x.is_contiguous():
        raise ValueError("an array without gaps is accepted")
    blocks = triton.cdiv(len(x), BLOCK)
    y = torch.empty_like(x)
    told, turns = (torch.zeros(count, dtype=torch.int32, device=x.device) for count in (blocks, 1))
    sums, sums_to_end = (torch.zeros(blocks, device=x.device) for _ in range(2))
    _scan[(blocks,)](x, y, told, sums, sums_to_end, turns, len(x), BLOCK)
    return y


@triton.jit
def _product(a, b, d, m, n, k, LENGTH: tl.constexpr, TILE: tl.constexpr, ATOMIC: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    sums = tl.zeros((TILE, TILE), tl.float32)
    begin = tl.program_id(2) * LENGTH
    for start in range(begin, min(k, begin + LENGTH), TILE):
        terms = start + tl.arange(0, TILE)
        of_a = (rows[:, None] < m) & (terms[None, :] < k)
        of_b = (terms[:, None] < k) & (columns[None, :] < n)
        left = tl.load(a + rows[:, None] * k + terms[None, :], mask=of_a, other=0.0)
        right = tl.load(b + terms[:, None] * n + columns[None, :], mask=of_b, other=0.0)
        sums = tl.dot(left, right, sums, input_precision="ieee")
    places = d + rows[:, None] * n + columns[None, :]
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    if ATOMIC:
        tl.atomic_add(places, sums, mask=inside)
    else:
        tl.store(places, sums, mask=inside)


def product(a, b, length=None):
    """AB in binary32. With a length k is cut into slices, which are added by atomics in the order of their arrival."""
    if not (a.is_contiguous() and b.is_contiguous()):
        raise ValueError("arrays without gaps are accepted")
    (m, k), n = a.shape, b.shape[1]
    d = torch.zeros((m, n), device=a.device)
    grid = (triton.cdiv(m, TILE), triton.cdiv(n, TILE), 1 if length is None else triton.cdiv(k, length))
    _product[grid](a, b, d, m, n, k, length or 1 << 30, TILE, length is not None)
    return d


def split_k(a, b):
    return product(a, b, 64)
