"""Kernels of products of rows, running products and signs."""

from __future__ import annotations

import numpy
from tables import Table, Wrong, named, narrowed, stale, stored, without_last, zero_from

# ------------------------------------------------------------------------------------------------------------ products


def in_order(x):
    return numpy.cumprod(x, axis=-1, dtype=x.dtype)[..., -1]


def backwards(x):
    return in_order(x[..., ::-1])


def by_halves(x):
    """Multiplies in a tree of the least height."""
    while x.shape[-1] > 1:
        odd = x[..., -1:] if x.shape[-1] % 2 else x[..., :0]
        x = numpy.concatenate([x[..., 0 : x.shape[-1] - 1 : 2] * x[..., 1::2], odd], axis=-1)
    return x[..., 0]


def in_lanes(x):
    """Four products, and their product."""
    rest = numpy.ones((*x.shape[:-1], -x.shape[-1] % 4), x.dtype)
    full = numpy.concatenate([x, rest], axis=-1)
    return in_order(in_order(numpy.moveaxis(full.reshape(*x.shape[:-1], -1, 4), -1, -2)))


def in_binary16(x):
    return numpy.cumprod(x.astype("f2"), axis=-1, dtype="f2")[..., -1].astype(x.dtype)


def by_logarithms(x):
    """A mistake: the sign is lost."""
    return numpy.exp(numpy.log(numpy.abs(x)).sum(axis=-1))


def of_columns(x):
    return numpy.resize(x.prod(axis=0), x.shape[0])


def without_nan(x):
    return numpy.nanprod(x, axis=-1).astype(x.dtype)


def sums(x):
    return x.sum(axis=-1)


# ---------------------------------------------------------------------------------------------------- running products


def running(x):
    return numpy.cumprod(x, axis=-1, dtype=x.dtype)


def by_doubling(x):
    """A scan: each step multiplies by the product of as many numbers before."""
    x, step = x.copy(), 1
    while step < x.shape[-1]:
        x[..., step:] = x[..., step:] * x[..., :-step]
        step *= 2
    return x


def in_blocks(x):
    """Blocks of four, then the product of the blocks before."""
    blocks = [running(x[..., k : k + 4]) for k in range(0, x.shape[-1], 4)]
    for k in range(1, len(blocks)):
        blocks[k] = blocks[k] * blocks[k - 1][..., -1:]
    return numpy.concatenate(blocks, axis=-1)


def exclusive(x):
    ones = numpy.ones_like(x[..., :1])
    return running(numpy.concatenate([ones, x[..., :-1]], axis=-1))


def from_the_end(x):
    return running(x[..., ::-1])[..., ::-1]


def down_the_columns(x):
    return numpy.cumprod(x, axis=0, dtype=x.dtype)


def blocks_alone(x):
    return numpy.concatenate([running(x[..., k : k + 4]) for k in range(0, x.shape[-1], 4)], axis=-1)


def running_in_binary16(x):
    return numpy.cumprod(x.astype("f2"), axis=-1, dtype="f2").astype(x.dtype)


# --------------------------------------------------------------------------------------------------------------- signs


def sign(x):
    return numpy.sign(x)


def by_comparisons(x):
    """As in PyTorch: 0 for a NaN."""
    return (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)


def by_steps(x):
    return (2 * numpy.heaviside(x, 0.5) - 1).astype(x.dtype)


def of_the_sign_bit(x):
    """A mistake: a zero has a sign as well."""
    return numpy.copysign(x.dtype.type(1), x)


def never_zero(x):
    return numpy.where(x > 0, 1, -1).astype(x.dtype)


def with_a_threshold(x):
    return numpy.sign(numpy.where(numpy.abs(x) < 1e-3, 0, x)).astype(x.dtype)


def by_a_quotient(x):
    """A mistake: 0/0."""
    return x / numpy.abs(x)


def clipped(x):
    return numpy.clip(x, -1, 1)


PRODUCTS = [in_order, backwards, by_halves, in_lanes]
TABLE = {
    "prod": Table(
        right={"any_order": PRODUCTS},
        wrong=[
            Wrong("any_order", in_binary16, "an accumulator in binary16"),
            Wrong("any_order", by_logarithms, "the sign lost"),
            Wrong("any_order", of_columns, "the wrong axis"),
            Wrong("any_order", sums, "a sum"),
            Wrong("any_order", without_last(in_order, 0), "the last number left out"),
            Wrong("any_order", narrowed(in_order), "inputs in binary16"),
            Wrong("any_order", stored(in_order), "a result in binary16"),
            Wrong("any_order", zero_from(3, in_order), "no rows after the third"),
            Wrong("any_order", stale(in_order), "the output of the call before"),
            Wrong("exceptional", without_nan, "a NaN left out"),
        ],
    ),
    "cumprod": Table(
        right={"any_order": [running, by_doubling, in_blocks]},
        wrong=[
            Wrong("any_order", exclusive, "the products before"),
            Wrong("any_order", from_the_end, "from the end"),
            Wrong("any_order", down_the_columns, "the wrong axis"),
            Wrong("any_order", blocks_alone, "blocks that do not know each other"),
            Wrong("any_order", running_in_binary16, "an accumulator in binary16"),
            Wrong("any_order", named("running_sums")(lambda x: numpy.cumsum(x, axis=-1)), "a sum"),
            Wrong("any_order", zero_from(3, running), "no rows after the third"),
        ],
    ),
    "sign_of": Table(
        right={"correctly_rounded": [sign, by_comparisons, by_steps]},
        wrong=[
            Wrong("any_order", of_the_sign_bit, "the sign of a zero"),
            Wrong("any_order", never_zero, "no zero"),
            Wrong("any_order", with_a_threshold, "small numbers for zeros"),
            Wrong("any_order", by_a_quotient, "0/0"),
            Wrong("any_order", clipped, "numbers between -1 and 1"),
            Wrong("any_order", named("negative")(lambda x: -numpy.sign(x)), "the other sign"),
            Wrong("any_order", narrowed(sign), "small numbers rounded to zero"),
        ],
    ),
}
