"""Shared by the tables of kernels: inner formats, names, and functions that NumPy lacks."""

from __future__ import annotations

import functools
import math

import numpy

from tables import Kernel, Table, Wrong, narrowed, stored, zero_from

erf = numpy.vectorize(math.erf, otypes=[numpy.float64])


def called(name: str, kernel: Kernel) -> Kernel:
    """The kernel under a new name."""

    @functools.wraps(kernel)
    def renamed(*arguments):
        return kernel(*arguments)

    renamed.__name__ = name
    return renamed


def in64(kernel: Kernel) -> Kernel:
    """The kernel computed in binary64. Its result is rounded to the format of the first argument."""

    def wide(*arguments):
        given = [numpy.asarray(each) for each in arguments]
        result = kernel(*[each.astype("f8") if each.dtype.kind == "f" else each for each in given])
        return numpy.asarray(result).astype(given[0].dtype)

    wide.__name__ = "in_binary64"
    wide.is_wide = True
    return wide


def nan_lost(kernel: Kernel) -> Kernel:
    """A mistake: a maximum replaces a NaN of the first argument by 0."""

    def wrong(x, *others):
        return kernel(numpy.where(numpy.isnan(x), x.dtype.type(0), x), *others)

    return wrong


def table(kernel: Kernel, right: dict[str, dict[str, Kernel]], wrong: list[Wrong], rung: str = "fast") -> Table:
    """The table of a formula. The kernel keeps `rung` in its format, and any_order if computed in binary64. `right`:
    more correct kernels, by rung and name. `wrong`: mistakes; three mistakes that every kernel may have are added."""
    all_ = {"any_order": [in64(kernel)]}
    all_.setdefault(rung, []).append(called("in_the_format", kernel))
    for contract, named in right.items():
        all_.setdefault(contract, []).extend(called(name, each) for name, each in named.items())
    every = [
        Wrong(rung, narrowed(kernel), "inputs in binary16"),
        Wrong(rung, stored(kernel), "a result in binary16"),
        Wrong(rung, zero_from(4, kernel), "zeros after the fourth row"),
    ]
    listed = [Wrong(each.contract, called(each.report, each.kernel), each.report, each.format) for each in wrong]
    return Table(all_, listed + every)
