"""Functions whose contracts the tests check. They have names, so that a separate process can find them."""

import os
import time

import numpy


def dot(x, y):
    return numpy.dot(x, y)


def gemm(alpha, a, b, beta, c):
    return alpha * (a @ b) + beta * c


def doubled_matrix(x):
    assert x.ndim == 2
    return 2 * x


def kinds(offsets, indices, values):
    """1 for each array of integers of 64 bits, 0 for another."""
    return numpy.array([each.dtype == numpy.int64 for each in (offsets, indices, values)], dtype=float)


def far_sum(x):
    return [float(sum(map(float, x)))]


def sum_of_bfloat16(x):
    import ml_dtypes

    return x.view(ml_dtypes.bfloat16).astype("f4").sum(keepdims=True).astype(ml_dtypes.bfloat16)


def crashes_at_two(x, y):
    if len(x) > 1:
        os.abort()
    return numpy.dot(x, y)


def hangs_at_two(x, y):
    if len(x) > 1:
        time.sleep(60)
    return numpy.dot(x, y)


def by_rows(x):
    """int8 with a scale for each row."""
    amax = numpy.abs(x).max(axis=1, keepdims=True)
    scales = amax / numpy.float32(127)
    codes = numpy.rint(x / numpy.where(scales == 0, numpy.float32(1), scales))
    return numpy.nan_to_num(codes).astype(numpy.int8), scales


class OnDevice:
    """An array like those of a library for a device: its numbers are accessible only by get()."""

    def __init__(self, values):
        self._values = values
        self.shape = values.shape
        self.__cuda_array_interface__ = {"shape": values.shape, "typestr": "<f8", "data": (1, False), "version": 3}

    def __dlpack_device__(self):
        return 2, 0

    def get(self):
        return self._values.copy()


class WithDlpack:
    """An array that supports only DLPack, and counts the releases."""

    def __init__(self, values):
        self._values = values

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **arguments):
        if arguments:
            raise TypeError("a library older than DLPack 1.0")
        return self._values.__dlpack__()


__all__ = ["OnDevice", "WithDlpack", "by_rows", "crashes_at_two", "dot", "gemm", "hangs_at_two"]


def slow_sum(x):
    time.sleep(0.01)
    return numpy.sum(x)


def total(x):
    return numpy.sum(x)


def total_of_the_first_4096(x):
    return numpy.sum(x[:4096])


def total_of_the_first_9000(x):
    return numpy.sum(x[:9000])


def vertical(x, k):
    """A convolution with a kernel of two rows."""
    return x[:, :, :-1] * k[0, 0, 0, 0] + x[:, :, 1:] * k[0, 0, 1, 0]
