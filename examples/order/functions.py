"""Functions of libraries on a CUDA device that add: of torch, CuPy, Triton, CUB and Thrust, all for arrays of torch but
CuPy's. CUB and Thrust come from the library that the variable CUB_FUNCTIONS names, made by

    nvcc -std=c++17 -arch=native -O2 -Xcompiler=-fPIC -shared examples/order/cub_functions.cu -o libcub_functions.so
"""

import ctypes
import functools
import os

import torch
import triton
import triton.language as tl

BLOCK = 256
NAMES = {torch.float32: "f32", torch.float64: "f64"}


@functools.cache
def cub_functions():
    return ctypes.CDLL(os.environ["CUB_FUNCTIONS"])


def of_library(name, *arrays, sizes, result):
    """Calls `name` and the format of the first array. Raises ValueError for arrays with gaps."""
    if not all(each.is_contiguous() for each in arrays):
        raise ValueError("arrays without gaps are accepted")
    function = cub_functions()[f"{name}_{NAMES[arrays[0].dtype]}"]
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    pointers = [ctypes.c_void_p(each.data_ptr()) for each in arrays]
    if status := function(*pointers, *sizes, ctypes.c_void_p(result.data_ptr()), stream):
        raise RuntimeError(f"{name}: status {status} of the CUDA runtime")
    return result


def total(name, x):
    """cub_sum or thrust_sum."""
    return of_library(name, x, sizes=[ctypes.c_size_t(len(x))], result=torch.empty((), dtype=x.dtype, device=x.device))


def prefixes(name, x):
    """cub_cumsum, thrust_cumsum or wrong_cumsum."""
    return of_library(name, x, sizes=[ctypes.c_size_t(len(x))], result=torch.empty_like(x))


def product_of_slices(a, b):
    (m, k), n = a.shape, b.shape[1]
    d = torch.empty((m, n), dtype=a.dtype, device=a.device)
    return of_library("wrong_matmul", a, b, sizes=[m, n, k], result=d)


@triton.jit
def sums_of_rows(x, y, columns, step, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((WIDTH,), tl.float32)
    for start in range(0, columns, WIDTH):
        places = start + tl.arange(0, WIDTH)
        total += tl.load(x + row * step + places, mask=places < columns, other=0.0)
    tl.store(y + row, tl.sum(total, axis=0))


def triton_sum(x):
    """The sums of the rows."""
    if x.stride(1) != 1:
        raise ValueError("rows without gaps are accepted")
    y = torch.empty(len(x), device=x.device)
    sums_of_rows[(len(x),)](x, y, x.shape[1], x.stride(0), 1024)
    return y


@triton.jit
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


def triton_matmul(a, b, slice_length=None):
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


def triton_split_k(a, b):
    return triton_matmul(a, b, 64)


@triton.jit
def turns_of_a_scan(x, y, told, sums, sums_to_end, turns, n, BLOCK: tl.constexpr):
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


def triton_scan_in_turns(x):
    """Prefix sums. A block takes its turn by an atomic counter, and adds what the blocks before it have told by then:
    sums of blocks, up to a block that has told its sum to the end."""
    if not x.is_contiguous():
        raise ValueError("an array without gaps is accepted")
    blocks = triton.cdiv(len(x), BLOCK)
    y = torch.empty_like(x)
    told, turns = (torch.zeros(count, dtype=torch.int32, device=x.device) for count in (blocks, 1))
    sums, sums_to_end = (torch.zeros(blocks, device=x.device) for _ in range(2))
    turns_of_a_scan[(blocks,)](x, y, told, sums, sums_to_end, turns, len(x), BLOCK)
    return y


def embedding_gradient(index, gradient):
    """The gradient of the weights of an embedding with 16 rows."""
    weight = torch.zeros((16, gradient.shape[1]), dtype=gradient.dtype, device=gradient.device, requires_grad=True)
    return torch.autograd.grad(torch.nn.functional.embedding(index, weight), weight, gradient)[0]
