"""Kernels of distances and directions."""

from __future__ import annotations

import numpy
from rows import SUMS, by_halves, in_binary16, in_lanes, in_order
from tables import Table, Wrong, named, narrowed, stale, stored, without_last, zero_from

# --------------------------------------------------------------------------------------------------------- distances


def squared(total):
    return named(f"squared_{total.__name__}")(lambda x, y: total((x[:, None] - y[None]) ** 2))


def squared_expanded(total, cross=2):
    def kernel(x, y):
        x, y = x[:, None], y[None]
        two = x.dtype.type(cross)
        return numpy.maximum(total(x * x) + total(y * y) - two * total(x * y), 0)

    return named(f"squared_expanded_{total.__name__}")(kernel)


def squared_by_product(x, y):
    """Expands the square, with a product of matrices."""
    q = in_order(x * x)[:, None] + in_order(y * y)[None] - 2 * (x @ y.T)
    return numpy.maximum(q, 0)


def root_of(kernel):
    return named(f"root_of_{kernel.__name__}")(lambda x, y: numpy.sqrt(kernel(x, y)))


def distance_1(total):
    return named(f"distance_1_{total.__name__}")(lambda x, y: total(numpy.abs(x[:, None] - y[None])))


def distance_of_first_row(kernel):
    """A mistake: a stride of 0, so that all rows of x are the first row."""
    return named("of_the_first_row")(lambda x, y: kernel(numpy.broadcast_to(x[:1], x.shape), y))


def difference_of_norms(x, y):
    return numpy.abs(in_order(numpy.abs(x))[:, None] - in_order(numpy.abs(y))[None])


def squared_distances(root):
    wrap = root_of if root else lambda kernel: kernel
    right = wrap(squared(in_order))
    mistakes = [
        Wrong("any_order", wrap(squared_expanded(in_order)), "the expansion for the direct form"),
        Wrong("ways", wrap(named("expanded_with_one_product")(squared_expanded(in_order, cross=1))), "xy for 2xy"),
        Wrong("any_order", wrap(squared(in_binary16)), "accumulators in binary16"),
        Wrong("ways", narrowed(wrap(squared_expanded(in_order)), 0), "products in binary16"),
        Wrong("ways", distance_of_first_row(right), "the first row for all"),
        Wrong("any_order", without_last(right, 0, 1), "the last coordinate left out"),
        Wrong("any_order", zero_from(4, right), "no rows after the fourth"),
        Wrong("any_order", stale(right), "the output of the call before"),
    ]
    if root:
        mistakes.append(Wrong("ways", squared(in_order), "no root"))
    return Table(
        right={
            "tree": [wrap(squared(by_halves))],
            "any_order": [wrap(squared(each)) for each in SUMS],
            "ways": [*[wrap(squared_expanded(each)) for each in (in_order, by_halves)], wrap(squared_by_product)],
        },
        wrong=mistakes,
    )


# --------------------------------------------------------------------------------------------------------- directions


def normalized(total):
    return named(f"normalized_{total.__name__}")(
        lambda x, eps: x / numpy.maximum(numpy.sqrt(total(x * x)), eps)[..., None]
    )


def normalized_by_reciprocal(x, eps):
    return x * (1 / numpy.maximum(numpy.sqrt(in_order(x * x)), eps))[..., None]


def normalized_with_added_epsilon(x, eps):
    return x / (numpy.sqrt(in_order(x * x)) + eps)[..., None]


def normalized_with_epsilon_under_the_root(x, eps):
    return x / numpy.sqrt(in_order(x * x) + eps)[..., None]


def normalized_without_root(x, eps):
    return x / numpy.maximum(in_order(x * x), eps)[..., None]


def normalized_by_columns(x, eps):
    return normalized(in_order)(x.T.copy(), eps).T


def cosine(total):
    def kernel(x, y, eps):
        a = numpy.maximum(numpy.sqrt(total(x * x)), eps)
        b = numpy.maximum(numpy.sqrt(total(y * y)), eps)
        return total(x * y) / (a * b)

    return named(f"cosine_{total.__name__}")(kernel)


def cosine_of_directions(total):
    def kernel(x, y, eps):
        return total(normalized(total)(x, eps) * normalized(total)(y, eps))

    return named(f"cosine_of_directions_{total.__name__}")(kernel)


def cosine_without_the_norm_of_y(x, y, eps):
    return in_order(x * y) / numpy.maximum(numpy.sqrt(in_order(x * x)), eps)


def cosine_of_squared_norms(x, y, eps):
    return in_order(x * y) / numpy.maximum(in_order(x * x) * in_order(y * y), eps)


def cosine_clamped(x, y, eps):
    """A mistake: negative cosines become 0."""
    return numpy.maximum(cosine(in_order)(x, y, eps), 0)


def cosine_with_the_next_row(x, y, eps):
    return cosine(in_order)(x, numpy.roll(y, 1, axis=0), eps)


TABLE = {
    "squared_distance": squared_distances(False),
    "distance": squared_distances(True),
    "distance_1": Table(
        right={"tree": [distance_1(by_halves)], "any_order": [distance_1(each) for each in SUMS]},
        wrong=[
            Wrong("any_order", difference_of_norms, "||x| - |y|| for |x - y|"),
            Wrong("any_order", squared(in_order), "p = 2 for p = 1"),
            Wrong("any_order", distance_1(in_binary16), "accumulators in binary16"),
            Wrong("any_order", distance_of_first_row(distance_1(in_order)), "the first row for all"),
            Wrong("any_order", narrowed(distance_1(in_order)), "inputs in binary16"),
            Wrong("any_order", zero_from(4, distance_1(in_order)), "no rows after the fourth"),
            Wrong("any_order", stale(distance_1(in_order)), "the output of the call before"),
        ],
    ),
    "normalize": Table(
        right={
            "tree": [normalized(by_halves)],
            "any_order": [normalized(each) for each in SUMS],
            "fast": [normalized_by_reciprocal],
        },
        wrong=[
            Wrong("fast", normalized_with_added_epsilon, "an epsilon added, and no maximum"),
            Wrong("fast", normalized_with_epsilon_under_the_root, "an epsilon under the root"),
            Wrong("fast", normalized_without_root, "no root"),
            Wrong("fast", normalized_by_columns, "a wrong axis"),
            Wrong("fast", normalized(in_binary16), "accumulators in binary16"),
            Wrong("fast", stored(normalized(in_order)), "a result in binary16"),
            Wrong("fast", zero_from(4, normalized(in_order)), "no rows after the fourth"),
        ],
    ),
    "cosine_similarity": Table(
        right={
            "tree": [cosine(by_halves)],
            "any_order": [cosine(each) for each in SUMS],
            "ways": [cosine_of_directions(each) for each in (in_order, in_lanes)],
        },
        wrong=[
            Wrong("ways", cosine_without_the_norm_of_y, "one norm left out"),
            Wrong("ways", cosine_of_squared_norms, "no root"),
            Wrong("ways", cosine_clamped, "negative cosines cut off"),
            Wrong("any_order", cosine(in_binary16), "accumulators in binary16"),
            Wrong("ways", cosine_with_the_next_row, "rows off by one"),
            Wrong("ways", narrowed(cosine(in_order)), "inputs in binary16"),
            Wrong("ways", zero_from(4, cosine(in_order)), "no rows after the fourth"),
        ],
    ),
}
