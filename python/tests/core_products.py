"""Planted mistakes in sums and products, and the kernels that they are planted in."""

import functools

import numpy

F4 = numpy.float32


def bf16(x):
    """RN(x) to bfloat16, of finite numbers in binary32."""
    bits = numpy.asarray(x, "f4").view("u4")
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype("u4").view("f4")


def sum_bf16(x):
    total = numpy.zeros_like(x[..., 0])
    for j in range(x.shape[-1]):
        total = bf16(total + x[..., j])
    return total


def dot(x, y, of=lambda t: t, each=lambda t: t):
    total = F4(0)
    for a, b in zip(each(x), each(y)):
        total = of(total + a * b)
    return total


DOT = {
    "the last term left out": lambda x, y: dot(x[:-1], y[:-1]),
    "the first term twice": lambda x, y: dot(x, y) + x[0] * y[0],
    "magnitudes": lambda x, y: dot(abs(x), abs(y)),
    "accumulated in bf16": functools.partial(dot, of=bf16),
    "inputs in bf16": functools.partial(dot, each=bf16),
    "the reversed second": lambda x, y: dot(x, y[::-1]),
}
SUM = {
    "the last term left out": lambda x: x[:-1].sum(dtype="f4"),
    "the first term twice": lambda x: x.sum(dtype="f4") + x[0],
    "magnitudes": lambda x: abs(x).sum(dtype="f4"),
    "accumulated in bf16": lambda x: sum_bf16(x),
    "the mean": lambda x: x.mean(dtype="f4"),
}


def matmul(a, b, of=lambda t: t):
    c = numpy.zeros((a.shape[0], b.shape[1]), "f4")
    for k in range(a.shape[1]):
        c = of(c + a[:, k : k + 1] * b[k])
    return c


MATMUL = {
    "the last product left out": lambda a, b: matmul(a[:, :-1], b[:-1]),
    "the first product twice": lambda a, b: matmul(a, b) + a[:, :1] * b[:1],
    "inputs in bf16": lambda a, b: matmul(bf16(a), bf16(b)),
    "accumulated in bf16": functools.partial(matmul, of=bf16),
    "accumulated in f16": functools.partial(matmul, of=lambda c: c.astype("f2").astype("f4")),
    "the result in bf16": lambda a, b: bf16(matmul(a, b)),
    "the last row left out": lambda a, b: numpy.concatenate([matmul(a[:-1], b), 0 * a[:1, :1] * b[:1]]),
}


def conv2d(x, k, of=lambda t: t, flip=False, other=False):
    r, s = k.shape[2:]
    y = numpy.zeros((x.shape[0], k.shape[0], x.shape[2] - r + 1, x.shape[3] - s + 1), "f4")
    for c in range(x.shape[1]):
        for i in range(r):
            for j in range(s):
                part = x[:, c, i : i + y.shape[2], j : j + y.shape[3]]
                at = (r - 1 - i, s - 1 - j) if flip else (min(j, r - 1), min(i, s - 1)) if other else (i, j)
                y = of(y + part[:, None] * k[:, c, at[0], at[1]][None, :, None, None])
    return y


CONV2D = {
    "a flipped kernel": functools.partial(conv2d, flip=True),
    "rows and columns exchanged": functools.partial(conv2d, other=True),
    "the last channel left out": lambda x, k: conv2d(x[:, :-1], k[:, :-1]),
    "accumulated in bf16": functools.partial(conv2d, of=bf16),
    "inputs in bf16": lambda x, k: conv2d(bf16(x), bf16(k)),
    "moved by one": lambda x, k: conv2d(numpy.roll(x, 1, 3), k),
}
