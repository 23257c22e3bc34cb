"""Kernels of products of layers: stored sparsely, by groups, split along k, and convolutions by Winograd's method."""

from __future__ import annotations

import numpy
from rows import SUMS, by_halves, each, in_binary16, in_order, one
from tables import Table, Wrong, in_binary32, named, narrowed, stale, stored, zero_from

# ---------------------------------------------------------------------------------------------------------- sparse 2:4


def taken(x, place):
    """x[m, g, place[n, g, j]] as [m, n, g, j]."""
    n, g, j = numpy.indices(place.shape)
    return x[:, g, place]


def sparse(total, x, v, place):
    terms = taken(x, place) * v
    return total(terms.reshape(len(x), len(v), -1))


def sparse_by_groups(total, x, v, place):
    """Adds the two products of a group first."""
    terms = taken(x, place) * v
    return total(terms[..., 0] + terms[..., 1])


def sparse_of_first_two(total, x, v, place):
    """A mistake: takes the first two numbers of each group."""
    return sparse(total, x, v, numpy.broadcast_to(numpy.arange(2), place.shape))


def sparse_with_exchanged_places(total, x, v, place):
    return sparse(total, x, v, place[..., ::-1])


def sparse_with_places_of_the_first_row(total, x, v, place):
    return sparse(total, x, v, numpy.broadcast_to(place[:1], place.shape))


def sparse_of_one(total, x, v, place):
    """A mistake: one number of each group is used."""
    terms = taken(x, place) * v
    return total(terms[..., 0])


def sparse_modulo_2(total, x, v, place):
    """A mistake: one bit of the place is read."""
    return sparse(total, x, v, place % 2)


# -------------------------------------------------------------------------------------------------------------- groups


def of_experts(total, x, w, expert):
    return total(numpy.moveaxis(x[:, :, None] * w[expert], 1, -1))


def of_sorted_experts(total, x, w, expert):
    """Sorts the rows by experts, multiplies group by group, and puts the rows back."""
    order = numpy.argsort(expert, kind="stable")
    y = numpy.empty((len(x), w.shape[2]), x.dtype)
    for e in range(len(w)):
        at = order[expert[order] == e]
        if len(at):
            y[at] = total(x[at][:, None] * w[e].T[None])
    return y


def of_experts_unsorted(total, x, w, expert):
    """A mistake: the rows stay in the order of the experts."""
    order = numpy.argsort(expert, kind="stable")
    return of_experts(total, x[order], w, expert[order])


def of_next_expert(total, x, w, expert):
    return of_experts(total, x, w, (expert + 1) % len(w))


def of_first_expert(total, x, w, expert):
    return of_experts(total, x, w, numpy.zeros_like(expert))


def of_few_rows(total, x, w, expert):
    """A mistake: an expert has room for two rows, and the others are dropped."""
    y = of_experts(total, x, w, expert)
    seen = numpy.array([(expert[:t] == expert[t]).sum() for t in range(len(expert))])
    return numpy.where((seen >= 2)[:, None], y.dtype.type(0), y)


def of_all_experts(total, x, w, expert):
    return sum(of_experts(total, x, w, numpy.full_like(expert, e)) for e in range(len(w)))


def of_halved_k(total, x, w, expert):
    """A mistake: the last block of the inner dimension is left out."""
    k = max(x.shape[1] // 2 * 2, 1)
    return of_experts(total, x[:, :k], w[:, :k], expert)


# ------------------------------------------------------------------------------------------------------------- split k


def parts(total, x, w):
    """[m, s, n]"""
    return total(numpy.moveaxis(x[..., None] * w[None], 2, -1))


def split(total, x, w, rounded=lambda p: p):
    p = rounded(parts(total, x, w))
    return total(numpy.moveaxis(p, 1, -1))


def rounded_to_16_bits(p):
    return p.astype("f2").astype(p.dtype)


def split_stored(total, x, w):
    """Parts in binary16, added in binary32."""
    return split(total, x, w, rounded_to_16_bits)


def split_added_in_16_bits(x, w):
    """Parts in binary16, added in binary16 by atomic operations."""
    p = parts(in_order, x, w)
    y = numpy.zeros_like(p[:, 0])
    for s in range(p.shape[1]):
        y = rounded_to_16_bits(y + rounded_to_16_bits(p[:, s]))
    return y


def split_without_last(x, w):
    return split(in_order, x[:, : max(x.shape[1] - 1, 1)], w[: max(x.shape[1] - 1, 1)])


def split_overwritten(x, w):
    """A mistake: each part overwrites the one before."""
    return parts(in_order, x, w)[:, -1]


def split_bias_twice(x, w):
    """A mistake: each part adds the first part again."""
    p = parts(in_order, x, w)
    return in_order(numpy.moveaxis(p, 1, -1)) + p[:, 0]


def split_mean(x, w):
    return split(in_order, x, w) / x.dtype.type(x.shape[1])


def split_one_block(x, w):
    """A mistake: parts after the second are not waited for."""
    return split(in_order, x[:, :2], w[:2])


# ------------------------------------------------------------------------------------------------------------ Winograd


def direct(total, x, k, like):
    windows = numpy.stack([x[:, :, p : p + 3, q : q + 3] for p in range(2) for q in range(2)], axis=1)
    terms = windows[:, None] * k[None, :, None]
    y = total(terms.reshape(len(x), len(k), 4, -1))
    return y.reshape(len(x), len(k), 2, 2)


def data(d, axis):
    d = numpy.moveaxis(d, axis, 0)
    return numpy.moveaxis(numpy.stack([d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]]), 0, axis)


def weights(g, axis, half=0.5):
    g = numpy.moveaxis(g, axis, 0)
    h = g.dtype.type(half)
    return numpy.moveaxis(numpy.stack([g[0], (g[0] + g[1] + g[2]) * h, (g[0] - g[1] + g[2]) * h, g[2]]), 0, axis)


def results(m, axis, sign=1):
    m = numpy.moveaxis(m, axis, 0)
    return numpy.moveaxis(numpy.stack([m[0] + m[1] + m[2], m[1] - m[2] - sign * m[3]]), 0, axis)


def winograd(total, x, k, like, half=0.5, sign=1, weights_first=False, narrow=False):
    g = weights(weights(k, 3, half), 2, half) if weights_first else weights(weights(k, 2, half), 3, half)
    d = data(data(x, 2), 3)
    if narrow:
        g, d = rounded_to_16_bits(g), rounded_to_16_bits(d)
    m = total(numpy.moveaxis(d[:, None] * g[None], 2, -1))
    return results(results(m, 2, sign), 3, sign)


def convolution_flipped(total, x, k, like):
    return direct(total, x, k[:, :, ::-1, ::-1], like)


def convolution_transposed(total, x, k, like):
    return direct(total, x, k.swapaxes(2, 3), like)


def convolution_of_first_channel(total, x, k, like):
    return direct(total, x[:, :1], k[:, :1], like)


def winograd_half_once(total, x, k, like):
    """A mistake: the halves of the weights along one axis alone."""
    g = weights(weights(k, 2, 1), 3)
    m = total(numpy.moveaxis(data(data(x, 2), 3)[:, None] * g[None], 2, -1))
    return results(results(m, 2), 3)


# --------------------------------------------------------------------------------------------------------------- hypot


def hypot(x, y):
    return numpy.hypot(x, y)


def root_of_squares(x, y):
    return numpy.sqrt(x * x + y * y)


def of_ratios(x, y):
    """Both divided by the larger one. (0, 0) has no ratios."""
    m = numpy.maximum(numpy.abs(x), numpy.abs(y))
    a, b = x / m, y / m
    return m * numpy.sqrt(a * a + b * b)


def in_binary64(x, y):
    return numpy.sqrt(x.astype("f8") ** 2 + y.astype("f8") ** 2).astype(x.dtype)


def larger(x, y):
    return numpy.maximum(numpy.abs(x), numpy.abs(y))


def by_alpha_max(x, y):
    """A mistake: max + min/2, an approximation."""
    a, b = numpy.abs(x), numpy.abs(y)
    return numpy.maximum(a, b) + numpy.minimum(a, b) / 2


def by_two_terms(x, y):
    """A mistake: two terms of a series in (min/max)²."""
    a, b = numpy.maximum(numpy.abs(x), numpy.abs(y)), numpy.minimum(numpy.abs(x), numpy.abs(y))
    return a + b * b / (2 * a)


def without_square_of_y(x, y):
    return numpy.sqrt(x * x + numpy.abs(y))


def difference_of_squares(x, y):
    return numpy.sqrt(numpy.abs(x * x - y * y))


def sum_of_magnitudes(x, y):
    return numpy.abs(x) + numpy.abs(y)


SPARSE = one(sparse)
EXPERTS = one(of_experts)
WINOGRAD = one(winograd)

TABLE = {
    "sparse_24_product": Table(
        right={"tree": each(sparse, by_halves), "any_order": [*each(sparse, *SUMS), *each(sparse_by_groups, in_order)]},
        wrong=[
            Wrong("any_order", one(sparse_of_first_two), "the first two of each group"),
            Wrong("any_order", one(sparse_with_exchanged_places), "places exchanged"),
            Wrong("any_order", one(sparse_with_places_of_the_first_row), "the places of the first row for all"),
            Wrong("any_order", one(sparse_of_one), "one number of each group"),
            Wrong("any_order", one(sparse_modulo_2), "one bit of the place"),
            Wrong("any_order", each(sparse, in_binary16)[0], "accumulators in binary16"),
            Wrong("any_order", narrowed(SPARSE, 1), "stored numbers in binary16"),
        ],
    ),
    "grouped_matmul": Table(
        right={
            "tree": each(of_experts, by_halves),
            "any_order": [*each(of_experts, *SUMS), *each(of_sorted_experts, in_order)],
        },
        wrong=[
            Wrong("any_order", one(of_experts_unsorted), "rows in the order of experts"),
            Wrong("any_order", one(of_next_expert), "experts off by one"),
            Wrong("any_order", one(of_first_expert), "the first expert for all"),
            Wrong("any_order", one(of_few_rows), "rows beyond the capacity dropped"),
            Wrong("any_order", one(of_all_experts), "all experts added"),
            Wrong("any_order", one(of_halved_k), "the last block left out"),
            Wrong("any_order", each(of_experts, in_binary16)[0], "accumulators in binary16"),
            Wrong("any_order", zero_from(4, EXPERTS), "no rows after the fourth"),
        ],
    ),
    "matmul_split_k": Table(
        right={
            "any_order": each(split, *SUMS, by_halves),
            "stored_p": each(split_stored, in_order, by_halves),
            "narrow": [split_added_in_16_bits],
        },
        wrong=[
            Wrong("any_order", in_binary32(one(split_stored)), "parts in binary16", "f16"),
            Wrong("stored_p", in_binary32(split_added_in_16_bits), "parts added in binary16", "f16"),
            Wrong("stored_p", in_binary32(split_without_last), "the last part left out", "f16"),
            Wrong("stored_p", in_binary32(split_overwritten), "parts overwrite each other", "f16"),
            Wrong("stored_p", in_binary32(split_bias_twice), "the first part added twice", "f16"),
            Wrong("stored_p", in_binary32(split_mean), "a mean of parts", "f16"),
            Wrong("stored_p", in_binary32(split_one_block), "parts after the second not waited for", "f16"),
        ],
        formats=("f16",),
    ),
    "conv2d_tiles": Table(
        right={
            "tree": each(direct, by_halves),
            "any_order": each(direct, *SUMS),
            "ways": [*each(winograd, *SUMS), *each(winograd, by_halves, weights_first=True)],
        },
        wrong=[
            Wrong("any_order", WINOGRAD, "Winograd's method for the direct one"),
            Wrong("ways", named("wrong_sign")(one(winograd, sign=-1)), "a wrong sign in the last transform"),
            Wrong("ways", named("without_halves")(one(winograd, half=1)), "no halves in the transform of weights"),
            Wrong("ways", one(winograd_half_once), "halves along one axis alone"),
            Wrong("ways", named("narrow")(one(winograd, narrow=True)), "transforms in binary16"),
            Wrong("ways", one(convolution_flipped), "a convolution for a correlation"),
            Wrong("ways", one(convolution_transposed), "a transposed kernel"),
            Wrong("ways", one(convolution_of_first_channel), "the first channel alone"),
        ],
    ),
    "hypot_of": Table(
        right={"any_order": [hypot, root_of_squares, in_binary64], "ways": [of_ratios]},
        wrong=[
            Wrong("ways", larger, "the larger one"),
            Wrong("ways", by_alpha_max, "max + min/2"),
            Wrong("ways", by_two_terms, "two terms of a series"),
            Wrong("ways", without_square_of_y, "|y| for y²"),
            Wrong("ways", difference_of_squares, "a difference of squares"),
            Wrong("ways", sum_of_magnitudes, "a sum of magnitudes"),
            Wrong("ways", stored(hypot), "a result in binary16"),
            Wrong("ways", stale(hypot), "the output of the call before"),
        ],
    ),
}
