"""Kernels that select: extremes of rows, sorted rows, and the k largest numbers."""

from __future__ import annotations

import heapq

import numpy
from tables import Table, Wrong, named, stale, stored, without_last, zero_from

# ------------------------------------------------------------------------------------------------------------ extremes


def largest(x):
    return x.max(axis=-1)


def largest_in_order(x):
    m = x[..., 0].copy()
    for k in range(1, x.shape[-1]):
        m = numpy.where(x[..., k] > m, x[..., k], m)
    return m


def largest_by_halves(x):
    while x.shape[-1] > 1:
        half = (x.shape[-1] + 1) // 2
        rest = x[..., half:]
        x = numpy.concatenate([numpy.maximum(x[..., : rest.shape[-1]], rest), x[..., rest.shape[-1] : half]], axis=-1)
    return x[..., 0]


def largest_in_lanes(x):
    start = numpy.full((*x.shape[:-1], 4), -numpy.inf, x.dtype)
    for k in range(0, x.shape[-1], 4):
        part = x[..., k : k + 4]
        start[..., : part.shape[-1]] = numpy.maximum(start[..., : part.shape[-1]], part)
    return start.max(axis=-1)


def smallest(x):
    return x.min(axis=-1)


def of_negated(kernel):
    return named(f"negated_{kernel.__name__}")(lambda x: -kernel(-x))


def from_0(x):
    """A mistake: the running maximum starts at 0."""
    return numpy.maximum(x.max(axis=-1), 0)


def from_smallest_normal(x):
    """A mistake: starts at numeric_limits::min(), which is positive."""
    return numpy.maximum(x.max(axis=-1), numpy.finfo(x.dtype).tiny)


def of_magnitudes(x):
    return numpy.abs(x).max(axis=-1)


def of_first_block(x):
    return x[..., :4].max(axis=-1)


def of_neighboring_row(x):
    return numpy.roll(x.max(axis=-1), 1)


def of_columns(x):
    return numpy.resize(x.max(axis=0), x.shape[0])


def extremes(sign):
    """Right kernels and mistakes for the largest number, or for the smallest one."""
    of = (lambda kernel: kernel) if sign > 0 else of_negated
    right = [of(each) for each in (largest, largest_in_order, largest_by_halves, largest_in_lanes)]
    return Table(
        right={"correctly_rounded": [*right, *([smallest] if sign < 0 else [])]},
        wrong=[
            Wrong("any_order", of(from_0), "a start at 0"),
            Wrong("any_order", of(from_smallest_normal), "a start at the smallest normal number"),
            Wrong("any_order", of(of_magnitudes), "the largest magnitude"),
            Wrong("any_order", of_negated(largest) if sign > 0 else largest, "the other extreme"),
            Wrong("any_order", of(of_first_block), "the first block alone"),
            Wrong("any_order", without_last(right[0], 0), "the last number left out"),
            Wrong("any_order", of(of_neighboring_row), "rows off by one"),
            Wrong("any_order", of(of_columns), "a wrong axis"),
            Wrong("any_order", stored(right[0]), "a result in binary16"),
        ],
    )


# ---------------------------------------------------------------------------------------------------------------- sort


def ascending(x):
    return numpy.sort(x, axis=-1)


def ascending_stable(x):
    return numpy.take_along_axis(x, numpy.argsort(x, axis=-1, kind="stable"), axis=-1)


def odd_even(x, passes=0):
    """A sorting network of neighbors. `passes`: so many less than it needs."""
    y = x.copy()
    for k in range(y.shape[-1] - passes):
        a, b = y[..., k % 2 : -1 : 2].copy(), y[..., k % 2 + 1 :: 2].copy()
        y[..., k % 2 : -1 : 2], y[..., k % 2 + 1 :: 2] = numpy.minimum(a, b), numpy.maximum(a, b)
    return y


def odd_even_with_too_few_passes(x):
    return odd_even(x, passes=2)


def by_insertion(x):
    y = x.copy()
    for r in y.reshape(-1, y.shape[-1]):
        for k in range(1, len(r)):
            j = k
            while j > 0 and r[j - 1] > r[j]:
                r[j - 1], r[j] = r[j], r[j - 1]
                j -= 1
    return y


def descending(x):
    return -numpy.sort(-x, axis=-1)


def by_magnitude(x):
    return numpy.take_along_axis(x, numpy.argsort(numpy.abs(x), axis=-1, kind="stable"), axis=-1)


def by_bits(x):
    """A mistake: a radix sort of the patterns, which orders negative numbers wrongly."""
    return numpy.take_along_axis(x, numpy.argsort(x.view(f"i{x.dtype.itemsize}"), axis=-1), axis=-1)


def without_duplicates(x):
    """A mistake: equal numbers once, and the largest one in the places that stay free."""
    rows = [numpy.unique(each) for each in x]
    return numpy.stack([numpy.concatenate([r, numpy.repeat(r[-1:], x.shape[1] - len(r))]) for r in rows])


def by_first_digits(x):
    """A mistake: sorts by numbers rounded to binary16."""
    return numpy.take_along_axis(x, numpy.argsort(x.astype("f2"), axis=-1, kind="stable"), axis=-1)


def all_rows_together(x):
    return numpy.sort(x.ravel()).reshape(x.shape)


def all_but_the_last(x):
    return numpy.concatenate([numpy.sort(x[..., :-1], axis=-1), x[..., -1:]], axis=-1)


# --------------------------------------------------------------------------------------------------------------- top-k


def top_sorted(x, like):
    return -numpy.sort(-x, axis=-1)[:, : len(like)]


def top_by_partition(x, like):
    k = len(like)
    parts = numpy.partition(x, x.shape[-1] - k, axis=-1)[:, -k:]
    return numpy.sort(parts, axis=-1)[:, ::-1]


def top_by_maxima(x, like):
    """Takes the largest number k times, one of equal ones each time."""
    y, rest = numpy.empty((len(x), len(like)), x.dtype), x.copy()
    for k in range(len(like)):
        at = rest.argmax(axis=-1)
        y[:, k] = rest[numpy.arange(len(x)), at]
        rest[numpy.arange(len(x)), at] = -numpy.inf
    return y


def top_by_heap(x, like):
    return numpy.array([heapq.nlargest(len(like), r) for r in x], x.dtype)


def top_without_ties(x, like):
    """A mistake: removes all numbers that equal the largest one."""
    y, rest = numpy.empty((len(x), len(like)), x.dtype), x.copy()
    for k in range(len(like)):
        y[:, k] = rest.max(axis=-1)
        rest[rest == y[:, k, None]] = -numpy.inf
    return y


def top_ascending(x, like):
    return top_sorted(x, like)[:, ::-1].copy()


def top_of_magnitudes(x, like):
    at = numpy.argsort(-numpy.abs(x), axis=-1, kind="stable")[:, : len(like)]
    return numpy.take_along_axis(x, at, axis=-1)


def top_smallest(x, like):
    return numpy.sort(x, axis=-1)[:, : len(like)]


def top_of_blocks(x, like):
    """A mistake: at most one number of each block of two."""
    k = len(like)
    blocks = [x[:, i : i + 2].max(axis=-1) for i in range(0, x.shape[1], 2)]
    found = -numpy.sort(-numpy.stack(blocks, axis=-1), axis=-1)[:, :k]
    return numpy.concatenate([found, numpy.repeat(found[:, -1:], k - found.shape[1], axis=1)], axis=1)


def top_in_order_of_places(x, like):
    """A mistake: the right numbers, in the order in which they stand in the row."""
    at = numpy.sort(numpy.argsort(-x, axis=-1, kind="stable")[:, : len(like)], axis=-1)
    return numpy.take_along_axis(x, at, axis=-1)


def top_without_last(x, like):
    """A mistake: never looks at the last number."""
    found = -numpy.sort(-x[:, : max(x.shape[1] - 1, len(like))], axis=-1)
    return found[:, : len(like)]


# -------------------------------------------------------------------------------------------------------------- places


def place(x):
    """An index is a number of the format, as the results of formulas are."""
    return x.argmax(axis=-1).astype(x.dtype)


def place_in_order(x):
    best = numpy.zeros(len(x), numpy.int64)
    for k in range(1, x.shape[1]):
        best = numpy.where(x[:, k] > x[numpy.arange(len(x)), best], k, best)
    return best.astype(x.dtype)


def place_backwards(x):
    """From the last to the first number, each of which replaces an equal one."""
    best = numpy.full(len(x), x.shape[1] - 1)
    for k in reversed(range(x.shape[1] - 1)):
        best = numpy.where(x[:, k] >= x[numpy.arange(len(x)), best], k, best)
    return best.astype(x.dtype)


def place_by_sort(x):
    return numpy.argsort(-x, axis=-1, kind="stable")[:, 0].astype(x.dtype)


def place_of_last(x):
    """A mistake: the last one of equal numbers."""
    return (x.shape[1] - 1 - x[:, ::-1].argmax(axis=-1)).astype(x.dtype)


def place_by_halves(x):
    """A mistake: a tree over lanes, in which an equal number of a later lane may stand before."""
    lanes = [(x[:, k::2].argmax(axis=-1) * 2 + k) for k in range(min(2, x.shape[1]))]
    values = [x[numpy.arange(len(x)), each] for each in lanes]
    best = lanes[0] if len(lanes) == 1 else numpy.where(values[1] >= values[0], lanes[1], lanes[0])
    return best.astype(x.dtype)


def place_from_1(x):
    return place(x) + 1


def place_in_binary16(x):
    """A mistake: compares numbers rounded to binary16."""
    return place(x.astype("f2")).astype(x.dtype)


def place_of_magnitude(x):
    return place(numpy.abs(x))


def place_in_the_whole(x):
    """A mistake: the place in the whole array."""
    return place(x) + numpy.arange(len(x), dtype=x.dtype) * x.dtype.type(x.shape[1])


def place_of_positive(x):
    """A mistake: starts at 0, so that a row of negative numbers has the place 0."""
    return place(numpy.maximum(x, 0))


def places(sign):
    of = (lambda kernel: kernel) if sign > 0 else (
        lambda kernel: named(f"negated_{kernel.__name__}")(lambda x: kernel(-x)))
    return Table(
        right={"correctly_rounded": [of(each) for each in (place, place_in_order, place_backwards, place_by_sort)]},
        wrong=[
            Wrong("any_order", of(place_of_last), "the last one of equal numbers"),
            Wrong("any_order", of(place_by_halves), "a later one of equal numbers, by lanes"),
            Wrong("any_order", of(place_from_1), "counted from 1"),
            Wrong("any_order", of(place_in_binary16), "compared in binary16"),
            Wrong("any_order", of(place_of_magnitude), "the largest magnitude"),
            Wrong("any_order", of(place_in_the_whole), "the place in the whole array"),
            Wrong("any_order", of(place_of_positive), "a start at 0"),
            Wrong("any_order", without_last(of(place), 0), "the last number left out"),
        ],
    )


TABLE = {
    "argmax_of": places(1),
    "argmin_of": places(-1),
    "max_of": extremes(1),
    "min_of": extremes(-1),
    "sort_rows": Table(
        right={"correctly_rounded": [ascending, ascending_stable, odd_even, by_insertion]},
        wrong=[
            Wrong("any_order", odd_even_with_too_few_passes, "two passes too few"),
            Wrong("any_order", descending, "the other direction"),
            Wrong("any_order", by_magnitude, "ordered by magnitude"),
            Wrong("any_order", by_bits, "ordered by patterns"),
            Wrong("any_order", without_duplicates, "equal numbers lost"),
            Wrong("any_order", by_first_digits, "ordered by numbers in binary16"),
            Wrong("any_order", all_rows_together, "all rows together"),
            Wrong("any_order", all_but_the_last, "the last number left out"),
            Wrong("any_order", stored(ascending), "a result in binary16"),
            Wrong("any_order", zero_from(4, ascending), "no rows after the fourth"),
        ],
    ),
    "top_k": Table(
        right={"correctly_rounded": [top_sorted, top_by_partition, top_by_maxima, top_by_heap]},
        wrong=[
            Wrong("any_order", top_without_ties, "equal numbers lost"),
            Wrong("any_order", top_ascending, "the other direction"),
            Wrong("any_order", top_of_magnitudes, "ordered by magnitude"),
            Wrong("any_order", top_smallest, "the k smallest"),
            Wrong("any_order", top_of_blocks, "one number of each block"),
            Wrong("any_order", top_in_order_of_places, "not in order"),
            Wrong("any_order", top_without_last, "the last number left out"),
            Wrong("any_order", stale(top_sorted), "the output of the call before"),
        ],
    ),
}
