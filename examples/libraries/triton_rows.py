"""Kernels of rows in Triton on a CUDA device, written after the subjects of its public tutorials: softmax, layer norm
and its gradients, and others of the same kind. One program computes one row, which it holds as a whole."""

import torch
import triton
import triton.language as tl

from torch_tensors import on_tensors


@triton.jit(do_not_specialize=["n"])
def _softmax(x, y, n, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    places = tl.arange(0, WIDTH)
    inside = places < n
    numbers = tl.load(x + row * n + places, mask=inside, other=-float("inf")).to(tl.float32)
    powers = tl.exp(numbers - tl.max(numbers, axis=0))
    tl.store(y + row * n + places, powers / tl.sum(powers, axis=0), mask=inside)


@triton.jit(do_not_specialize=["n"])
def _layer_norm(x, gamma, beta, y, n, eps, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    places = tl.arange(0, WIDTH)
    inside = places < n
    numbers = tl.load(x + row * n + places, mask=inside, other=0.0).to(tl.float32)
    centered = tl.where(inside, numbers - tl.sum(numbers, axis=0) / n, 0.0)
    turned = tl.rsqrt(tl.sum(centered * centered, axis=0) / n + eps)
    weight = tl.load(gamma + places, mask=inside, other=0.0).to(tl.float32)
    shift = tl.load(beta + places, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + row * n + places, centered * turned * weight + shift, mask=inside)


@triton.jit(do_not_specialize=["n"])
def _layer_norm_backward_x(dy, x, gamma, dx, n, eps, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    places = tl.arange(0, WIDTH)
    inside = places < n
    numbers = tl.load(x + row * n + places, mask=inside, other=0.0).to(tl.float32)
    centered = tl.where(inside, numbers - tl.sum(numbers, axis=0) / n, 0.0)
    turned = tl.rsqrt(tl.sum(centered * centered, axis=0) / n + eps)
    normed = centered * turned
    given = tl.load(dy + row * n + places, mask=inside, other=0.0).to(tl.float32)
    given *= tl.load(gamma + places, mask=inside, other=0.0).to(tl.float32)
    along = tl.sum(normed * given, axis=0) / n
    mean = tl.sum(given, axis=0) / n
    tl.store(dx + row * n + places, (given - (normed * along + mean)) * turned, mask=inside)


@triton.jit(do_not_specialize=["n"])
def _rms_norm(x, gamma, y, n, eps, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    places = tl.arange(0, WIDTH)
    inside = places < n
    numbers = tl.load(x + row * n + places, mask=inside, other=0.0).to(tl.float32)
    turned = tl.rsqrt(tl.sum(numbers * numbers, axis=0) / n + eps)
    weight = tl.load(gamma + places, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + row * n + places, numbers * turned * weight, mask=inside)


@triton.jit(do_not_specialize=["n"])
def _cross_entropy(x, label, loss, n, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    places = tl.arange(0, WIDTH)
    numbers = tl.load(x + row * n + places, mask=places < n, other=-float("inf")).to(tl.float32)
    largest = tl.max(numbers, axis=0)
    total = tl.log(tl.sum(tl.exp(numbers - largest), axis=0))
    chosen = tl.load(x + row * n + tl.load(label + row)).to(tl.float32)
    tl.store(loss + row, total - (chosen - largest))


@triton.jit(do_not_specialize=["n"])
def _swiglu(g, x, y, n, WIDTH: tl.constexpr):
    places = tl.program_id(0) * WIDTH + tl.arange(0, WIDTH)
    inside = places < n
    gate = tl.load(g + places, mask=inside, other=0.0).to(tl.float32)
    numbers = tl.load(x + places, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + places, gate * tl.sigmoid(gate) * numbers, mask=inside)


def width_of(n):
    """Short rows share a width, so that a kernel is compiled once."""
    return max(64, triton.next_power_of_2(n))


def by_rows(kernel, like, given, *numbers):
    """The result of a kernel, of the shape of a matrix."""
    rows, n = like.shape
    result = torch.empty_like(like)
    if result.numel():
        kernel[(rows,)](*[each.contiguous() for each in given], result, n, *numbers, WIDTH=width_of(n))
    return result


softmax = on_tensors(lambda x: by_rows(_softmax, x, (x,)))
layer_norm = on_tensors(lambda x, weight, bias, eps: by_rows(_layer_norm, x, (x, weight, bias), eps))
layer_norm_backward_x = on_tensors(
    lambda dy, x, gamma, eps: by_rows(_layer_norm_backward_x, x, (dy, x, gamma), eps))
rms_norm = on_tensors(lambda x, weight, eps: by_rows(_rms_norm, x, (x, weight), eps))


@on_tensors
def cross_entropy(x, label):
    loss = torch.empty(len(x), dtype=x.dtype, device=x.device)
    _cross_entropy[(len(x),)](x, label, loss, x.shape[1], WIDTH=width_of(x.shape[1]))
    return loss


@on_tensors
def swiglu(g, x):
    y = torch.empty_like(x)
    _swiglu[(triton.cdiv(len(x), 1024),)](g, x, y, len(x), WIDTH=1024)
    return y
