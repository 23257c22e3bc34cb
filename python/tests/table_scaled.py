"""Kernels of products whose operands are stored as codes with scales: FP8, MX, NVFP4, weights of 4 bits, integers."""

from __future__ import annotations

import numpy
from rows import SUMS, by_halves, each, in_binary16, in_order, one
from tables import Table, Wrong, in_binary32, named, stale, stored, zero_from


def terms(a, b):
    """a[m, …]·b[n, …] as [m, n, …]."""
    return a[:, None] * b[None]


def flat(x):
    """The last two axes as one."""
    return x.reshape(*x.shape[:-2], -1)


def rounded_to_16_bits(x):
    return x.astype("f2").astype(x.dtype)


# -------------------------------------------------------------------------------------------------------- block scales


def promoted(total, p, q, x, a, w, b):
    """The sum of each block times the product of its scales."""
    return total(terms(a, b) * total(terms(p[x], q[w])))


def scaled_twice(total, p, q, x, a, w, b):
    """The sum of each block times one scale, and then times the other."""
    return total(total(terms(p[x], q[w])) * a[:, None] * b[None])


def scaled_before(total, p, q, x, a, w, b):
    return total(flat(terms(a[..., None] * p[x], b[..., None] * q[w])))


def scales_of_the_first_block(total, p, q, x, a, w, b):
    """A mistake: one pair of scales for all blocks."""
    return terms(a[:, 0], b[:, 0]) * total(flat(terms(p[x], q[w])))


def scales_of_the_next_block(total, p, q, x, a, w, b):
    return promoted(total, p, q, x, numpy.roll(a, 1, axis=1), w, b)


def one_scale(total, p, q, x, a, w, b):
    """A mistake: the scales of w are forgotten."""
    return promoted(total, p, q, x, a, w, numpy.ones_like(b))


def exchanged_books(total, p, q, x, a, w, b):
    """A mistake: the numbers of x for the codes of w."""
    return promoted(total, p, p, x, a, w % len(p), b)


def scales_as_sums(total, p, q, x, a, w, b):
    """A mistake: exponents are added where the scales are no powers of two."""
    two = numpy.exp2(numpy.rint(numpy.log2(numpy.abs(a)))).astype(a.dtype)
    return promoted(total, p, q, x, numpy.copysign(two, a), w, b)


def not_promoted(total, p, q, x, a, w, b):
    """A mistake: the sums of blocks are kept in binary16."""
    return total(terms(a, b) * rounded_to_16_bits(total(terms(p[x], q[w]))))


def products_of_scales_in_16_bits(total, p, q, x, a, w, b):
    return total(rounded_to_16_bits(terms(a, b)) * total(terms(p[x], q[w])))


def tiles(kernel):
    """A kernel for w[t, n, g, k] and b[t, g], from one for w[n, g, k] and b[n, g]."""

    def of(total, p, q, x, a, w, b):
        t, n = w.shape[:2]
        rows = numpy.repeat(b, n, axis=0)
        y = kernel(total, p, q, x, a, w.reshape(t * n, *w.shape[2:]), rows)
        return y.reshape(len(x), t, n)

    of.__name__ = f"tiles_{kernel.__name__}"
    return of


def tile_of_next_rows(total, p, q, x, a, w, b):
    """A mistake: the scales of the tile after."""
    return tiles(promoted)(total, p, q, x, a, w, numpy.roll(b, 1, axis=0))


def tiles_by_columns(total, p, q, x, a, w, b):
    """A mistake: row n has the scale of tile n modulo the number of tiles."""
    t, n = w.shape[:2]
    rows = numpy.resize(b, (t * n, b.shape[1]))
    return promoted(total, p, q, x, a, w.reshape(t * n, *w.shape[2:]), rows).reshape(len(x), t, n)


def two_levels(total, p, x, a, w, b, alpha, kernel=promoted):
    return alpha * kernel(total, p, p, x, a, w, b)


def alpha_on_scales(total, p, x, a, w, b, alpha):
    return promoted(total, p, p, x, a * alpha, w, b)


def without_alpha(total, p, x, a, w, b, alpha):
    return promoted(total, p, p, x, a, w, b)


def alpha_twice(total, p, x, a, w, b, alpha):
    return two_levels(total, p, x, a, w, b, alpha * alpha)


def next_codes(total, p, x, a, w, b, alpha):
    """A mistake: the halves of a byte are exchanged."""
    order = numpy.arange(x.shape[-1]) ^ 1
    return two_levels(total, p, x[..., numpy.minimum(order, x.shape[-1] - 1)], a, w, b, alpha)


def alpha_in_16_bits(total, p, x, a, w, b, alpha):
    return two_levels(total, p, x, a, w, b, rounded_to_16_bits(numpy.asarray(alpha)))


# ---------------------------------------------------------------------------------------------------- weights of 4 bits


def weights(q, zero, scale):
    """scale·(q − zero), one rounding."""
    return (q - zero[..., None]).astype(scale.dtype) * scale[..., None]


def dequantized(total, x, q, zero, scale, of=weights):
    return total(flat(terms(x, of(q, zero, scale))))


def scaled_after(total, x, q, zero, scale):
    return total(scale[None] * total(terms(x, (q - zero[..., None]).astype(x.dtype))))


def weights_in_16_bits(q, zero, scale):
    return rounded_to_16_bits(weights(q, zero, scale))


def with_weights(of):
    return named(of.__name__)(one(dequantized, of=of))


def zero_one_larger(q, zero, scale):
    """A mistake: the zero point is stored as z − 1, and 1 is added to one that is stored as it is."""
    return weights(q, zero + 1, scale)


def no_zero(q, zero, scale):
    return weights(q, 0 * zero, scale)


def zero_of_8(q, zero, scale):
    """A mistake: symmetric weights."""
    return weights(q, 0 * zero + 8, scale)


def scale_of_the_first_group(q, zero, scale):
    return weights(q, zero, numpy.broadcast_to(scale[:, :1], scale.shape))


def zero_of_the_next_group(q, zero, scale):
    return weights(q, numpy.roll(zero, 1, axis=1), scale)


def signed(q, zero, scale):
    """A mistake: the codes are read as signed numbers."""
    return weights((q + 8) % 16 - 8, zero, scale)


def rounded_product_of_zero(q, zero, scale):
    """A mistake: scale·zero is rounded to binary16 before it is subtracted."""
    s = scale[..., None]
    return q.astype(scale.dtype) * s - rounded_to_16_bits(zero[..., None].astype(scale.dtype) * s)


def of_book(total, book, x, q, scale):
    return total(flat(terms(x, scale[..., None] * book[q])))


def of_book_scaled_after(total, book, x, q, scale):
    return total(scale[None] * total(terms(x, book[q])))


def of_next_number(total, book, x, q, scale):
    return of_book(total, book, x, (q + 1) % 16, scale)


def of_seven_bits(total, book, x, q, scale):
    """A mistake: the sign bit of the code is dropped."""
    return of_book(total, book, x, q % 8, scale)


def of_swapped_halves(total, book, x, q, scale):
    return of_book(total, book, x, q[..., numpy.minimum(numpy.arange(q.shape[-1]) ^ 1, q.shape[-1] - 1)], scale)


def of_book_in_16_bits(total, book, x, q, scale):
    return of_book(total, rounded_to_16_bits(book), x, q, scale)


def of_first_scale(total, book, x, q, scale):
    return of_book(total, book, x, q, numpy.broadcast_to(scale[:, :1], scale.shape))


# ---------------------------------------------------------------------------------------------------- llama.cpp's Q4_K


def q4_k(d, dmin, scale, least, q):
    """Exact products of 17 and 21 bits, and one rounding."""
    d, dmin = d.astype("f4"), dmin.astype("f4")
    minima = dmin[..., None] * least.astype("f4")
    return (d[..., None] * scale.astype("f4"))[..., None] * q.astype("f4") - minima[..., None]


def q4_k_in_binary64(d, dmin, scale, least, q):
    d, dmin = d.astype("f8"), dmin.astype("f8")
    return ((d[..., None] * scale)[..., None] * q - (dmin[..., None] * least)[..., None]).astype("f4")


def q4_k_by_halves_of_bytes(d, dmin, scale, least, q):
    """Reads the codes of two blocks from the halves of bytes."""
    codes = numpy.concatenate([q, q[:, :1]], axis=1)[:, : q.shape[1] + q.shape[1] % 2]
    packed = codes[:, ::2] | codes[:, 1::2] << 4
    halves = numpy.stack([packed & 15, packed >> 4], axis=2).reshape(codes.shape)
    return q4_k(d, dmin, scale, least, halves[:, : q.shape[1]])


def q4_k_exchanged(d, dmin, scale, least, q):
    return q4_k(d, dmin, least, scale, q)


def q4_k_of_4_bits(d, dmin, scale, least, q):
    """A mistake: the two high bits of the scales are lost."""
    return q4_k(d, dmin, scale & 15, least & 15, q)


def q4_k_plus(d, dmin, scale, least, q):
    return q4_k(d, -dmin, scale, least, q)


def q4_k_without_least(d, dmin, scale, least, q):
    return q4_k(d, 0 * dmin, scale, least, q)


def q4_k_of_next_block(d, dmin, scale, least, q):
    """A mistake: the halves of bytes are exchanged, so codes are those of the other block."""
    places = numpy.minimum(numpy.arange(q.shape[-2]) ^ 1, q.shape[-2] - 1)
    return q4_k(d, dmin, scale, least, q[..., places, :])


def q4_k_in_16_bits(d, dmin, scale, least, q):
    """A mistake: the product of scales is rounded to binary16."""
    product = (d[..., None].astype("f4") * scale.astype("f4")).astype("f2").astype("f4")
    return product[..., None] * q.astype("f4") - (dmin.astype("f4")[..., None] * least.astype("f4"))[..., None]


def of_weights(total, x, d, dmin, scale, least, q, weights=q4_k):
    w = weights(d, dmin, scale, least, q).astype(x.dtype)
    return total(terms(x, w).reshape(len(x), len(w), -1))


def of_sums(total, x, d, dmin, scale, least, q):
    """The sum of x·q of each block, and the sum of x, before the scales."""
    a = (d.astype("f4")[..., None] * scale.astype("f4")).astype(x.dtype)
    b = (dmin.astype("f4")[..., None] * least.astype("f4")).astype(x.dtype)
    blocks = a * total(terms(x, q.astype(x.dtype))) - b * total(x)[:, None]
    return total(flat(blocks))


def with_mistake(weights):
    return named(weights.__name__)(one(of_weights, weights=weights))


# ------------------------------------------------------------------------------------------------------------- integers


def integers(x, p, a, w, q, b):
    """An accumulator of integers, then one product of scales."""
    return terms(a, b) * ((x - p[:, None]) @ (w - q[:, None]).T).astype(a.dtype)


def one_scale_after_the_other(x, p, a, w, q, b):
    return ((x - p[:, None]) @ (w - q[:, None]).T).astype(a.dtype) * a[:, None] * b[None]


def corrected(x, p, a, w, q, b):
    """The sum of x·w, less the sums that the zero points add to it, in integers."""
    sums = p[:, None] * w.sum(axis=1)[None] + q[None] * x.sum(axis=1)[:, None]
    return terms(a, b) * (x @ w.T - sums + x.shape[1] * terms(p, q)).astype(a.dtype)


def scaled_integers(total, x, p, a, w, q, b):
    """Scales before the sum."""
    left = a[:, None] * (x - p[:, None]).astype(a.dtype)
    return total(terms(left, b[:, None] * (w - q[:, None]).astype(a.dtype)))


def without_zero(x, p, a, w, q, b):
    return integers(x, 0 * p, a, w, q, b)


def zero_of_the_first_row(x, p, a, w, q, b):
    return integers(x, p[:1] + 0 * p, a, w, q, b)


def zeros_exchanged(x, p, a, w, q, b):
    return integers(x, numpy.resize(q, p.shape), a, w, numpy.resize(p, q.shape), b)


def one_sum_forgotten(x, p, a, w, q, b):
    """A mistake: the correction lacks the product of both zero points."""
    sums = p[:, None] * w.sum(axis=1)[None] + q[None] * x.sum(axis=1)[:, None]
    return terms(a, b) * (x @ w.T - sums).astype(a.dtype)


def scales_exchanged(x, p, a, w, q, b):
    return terms(numpy.resize(b, a.shape), numpy.resize(a, b.shape)) * integers(x, p, a / a, w, q, b / b)


def first_scales(x, p, a, w, q, b):
    return integers(x, p, a[:1] + 0 * a, w, q, b)


def in_16_bit_floats(x, p, a, w, q, b):
    """A mistake: the sum of integers as a number of binary16."""
    return terms(a, b) * rounded_to_16_bits(((x - p[:, None]) @ (w - q[:, None]).T).astype(a.dtype))


def saturated_pairs(x, p, a, w, q, b):
    """A mistake: two products are added with saturation, as the instruction of AVX2 does; here to 8 bits."""
    products = terms(x - p[:, None], w - q[:, None])
    even = products[..., : products.shape[-1] // 2 * 2]
    pairs = numpy.clip(even[..., ::2] + even[..., 1::2], -128, 127).sum(axis=-1)
    return terms(a, b) * (pairs + products[..., even.shape[-1] :].sum(axis=-1)).astype(a.dtype)


BLOCKS = one(promoted)
TILES = one(tiles(promoted))

TABLE = {
    "block_scaled_matmul": Table(
        right={
            "tree": each(promoted, by_halves),
            "any_order": [*each(promoted, *SUMS), *each(scaled_twice, in_order)],
            "ways": each(scaled_before, in_order, by_halves),
        },
        wrong=[
            Wrong("ways", one(scales_of_the_first_block), "the scales of the first block for all"),
            Wrong("ways", one(scales_of_the_next_block), "the scales of the block before"),
            Wrong("ways", one(one_scale), "the scales of w forgotten"),
            Wrong("ways", one(exchanged_books), "the numbers of x for w"),
            Wrong("ways", one(scales_as_sums), "scales as powers of two"),
            Wrong("ways", one(not_promoted), "sums of blocks in binary16"),
            Wrong("ways", one(products_of_scales_in_16_bits), "products of scales in binary16"),
            Wrong("ways", each(promoted, in_binary16)[0], "accumulators in binary16"),
            Wrong("ways", zero_from(2, BLOCKS), "no rows after the second"),
        ],
    ),
    "tile_scaled_matmul": Table(
        right={
            "tree": each(tiles(promoted), by_halves),
            "any_order": [*each(tiles(promoted), *SUMS), *each(tiles(scaled_twice), in_order)],
            "ways": each(tiles(scaled_before), in_order),
        },
        wrong=[
            Wrong("ways", one(tile_of_next_rows), "the scales of the tile before"),
            Wrong("ways", one(tiles_by_columns), "tiles counted along the rows"),
            Wrong("ways", one(tiles(scales_of_the_first_block)), "the scales of the first block for all"),
            Wrong("ways", one(tiles(not_promoted)), "sums of blocks in binary16"),
            Wrong("ways", one(tiles(one_scale)), "the scales of w forgotten"),
            Wrong("ways", stale(TILES), "the output of the call before"),
        ],
    ),
    "two_level_matmul": Table(
        right={
            "tree": each(two_levels, by_halves),
            "any_order": each(two_levels, *SUMS),
            "ways": each(two_levels, in_order, kernel=scaled_before),
        },
        wrong=[
            Wrong("ways", one(without_alpha), "the scale of the tensors forgotten"),
            Wrong("ways", one(alpha_twice), "the scale of the tensors twice"),
            Wrong("ways", one(next_codes), "the halves of a byte exchanged"),
            Wrong("ways", one(alpha_in_16_bits), "the scale of the tensors in binary16"),
            Wrong("ways", one(two_levels, kernel=scales_of_the_first_block), "the scales of the first block for all"),
            Wrong("ways", stored(one(two_levels)), "a result in binary16"),
        ],
    ),
    "w4a16": Table(
        right={
            "tree": each(dequantized, by_halves),
            "any_order": each(dequantized, *SUMS),
            "ways": each(scaled_after, *SUMS),
            "stored_w": each(dequantized, in_order, of=weights_in_16_bits),
        },
        wrong=[
            Wrong("ways", with_weights(zero_one_larger), "zero points one too large"),
            Wrong("ways", with_weights(no_zero), "no zero points"),
            Wrong("ways", with_weights(zero_of_8), "8 for the zero points"),
            Wrong("ways", with_weights(scale_of_the_first_group), "the scale of the first group for all"),
            Wrong("ways", with_weights(zero_of_the_next_group), "the zero points of the group before"),
            Wrong("ways", with_weights(signed), "codes read with a sign"),
            Wrong("ways", with_weights(weights_in_16_bits), "weights in binary16"),
            Wrong("stored_w", in_binary32(with_weights(rounded_product_of_zero)), "scale·zero rounded", "f16"),
        ],
        formats=("f16",),
    ),
    "w4a16_book": Table(
        right={
            "tree": each(of_book, by_halves),
            "any_order": each(of_book, *SUMS),
            "ways": each(of_book_scaled_after, in_order),
        },
        wrong=[
            Wrong("ways", one(of_next_number), "the next number of the book"),
            Wrong("ways", one(of_seven_bits), "the sign bit of the code dropped"),
            Wrong("ways", one(of_swapped_halves), "the halves of a byte exchanged"),
            Wrong("ways", one(of_book_in_16_bits), "a book in binary16"),
            Wrong("ways", one(of_first_scale), "the scale of the first group for all"),
        ],
    ),
    "q4_k": Table(
        right={"correctly_rounded": [q4_k, q4_k_in_binary64, q4_k_by_halves_of_bytes]},
        wrong=[
            Wrong("any_order", q4_k_exchanged, "scales and minima exchanged"),
            Wrong("any_order", q4_k_of_4_bits, "the high bits of scales lost"),
            Wrong("any_order", q4_k_plus, "minima added"),
            Wrong("any_order", q4_k_without_least, "no minima"),
            Wrong("any_order", q4_k_of_next_block, "halves of bytes exchanged"),
            Wrong("any_order", q4_k_in_16_bits, "scales in binary16"),
        ],
        formats=("f32",),
    ),
    "q4_k_matmul": Table(
        right={
            "tree": each(of_weights, by_halves),
            "any_order": each(of_weights, *SUMS),
            "ways": each(of_sums, in_order, by_halves),
        },
        wrong=[
            Wrong("ways", with_mistake(q4_k_exchanged), "scales and minima exchanged"),
            Wrong("ways", with_mistake(q4_k_of_4_bits), "the high bits of scales lost"),
            Wrong("ways", with_mistake(q4_k_plus), "minima added"),
            Wrong("ways", with_mistake(q4_k_of_next_block), "halves of bytes exchanged"),
            Wrong("ways", with_mistake(q4_k_in_16_bits), "scales in binary16"),
        ],
    ),
    "w8a8": Table(
        right={
            "any_order": [integers, one_scale_after_the_other, corrected],
            "ways": each(scaled_integers, in_order, by_halves),
        },
        wrong=[
            Wrong("any_order", one(scaled_integers), "scales before the sum, where they are claimed after it"),
            Wrong("ways", without_zero, "no zero points"),
            Wrong("ways", zero_of_the_first_row, "the zero point of the first row for all"),
            Wrong("ways", zeros_exchanged, "the zero points of x and w exchanged"),
            Wrong("ways", one_sum_forgotten, "the product of zero points forgotten"),
            Wrong("ways", scales_exchanged, "the scales of x and w exchanged"),
            Wrong("ways", first_scales, "the scale of the first row for all"),
            Wrong("ways", in_16_bit_floats, "a sum in binary16"),
            Wrong("ways", saturated_pairs, "pairs saturate"),
        ],
    ),
}
