"""Kernels of powers, of norms of any p, and of the Newton-Schulz step of Muon."""

from __future__ import annotations

import numpy
from forms import in64
from rows import SUMS, by_halves, each, in_binary16, in_order, one
from tables import Table, Wrong, named, narrowed, without_last, zero_from

# -------------------------------------------------------------------------------------------------------------- powers


def power(x, y):
    return numpy.power(x, y)


def of_sign(x, y):
    """The sign of x to the power y, of integers y where x is negative."""
    return numpy.where((x < 0) & (numpy.remainder(y, 2) == 1), x.dtype.type(-1), x.dtype.type(1))


def of_magnitude(x, y):
    """A mistake: the sign of x is lost."""
    return numpy.power(numpy.abs(x), y)


def by_exp2(x, y):
    return of_sign(x, y) * numpy.exp2(y * numpy.log2(numpy.abs(x)))


def by_exp(x, y):
    """exp(y ln |x|) in binary64."""
    return of_sign(x, y) * numpy.exp(y.astype("f8") * numpy.log(numpy.abs(x).astype("f8"))).astype(x.dtype)


def by_squares(x, y):
    """A mistake: the exponent is cut off to an integer."""
    return numpy.power(x, numpy.trunc(y))


def exponent_rounded(x, y):
    return numpy.power(x, numpy.rint(y))


def of_sign_lost(x, y):
    return numpy.power(x, numpy.abs(y))


def other_way_round(x, y):
    return numpy.power(numpy.abs(y), x)


def of_log_in_binary16(x, y):
    return numpy.exp2(y * numpy.log2(x).astype("f2").astype(x.dtype))


def by_log_of_1_plus(x, y):
    """A mistake: the first two terms of the logarithm."""
    d = x - 1
    return numpy.exp(y * (d - d * d / 2))


def saturated(x, y):
    """A mistake: the exponent of exp2 is kept within ±8."""
    return numpy.exp2(numpy.clip(y * numpy.log2(x), -8, 8))


# --------------------------------------------------------------------------------------------------------------- norms


def norm(total, x, p):
    return numpy.power(total(numpy.power(numpy.abs(x), p)), 1 / p)


def norm_by_exp2(total, x, p):
    """Zeros have the logarithm -∞ and the power 0."""
    powers = numpy.exp2(p * numpy.log2(numpy.abs(x)))
    return numpy.exp2(numpy.log2(total(powers)) * (1 / p))


def norm_without_root(total, x, p):
    return total(numpy.power(numpy.abs(x), p))


def norm_of_signed(total, x, p):
    """A mistake: relu in place of the absolute value."""
    return numpy.power(total(numpy.power(numpy.maximum(x, 0), p)), 1 / p)


def norm_of_mean(total, x, p):
    return numpy.power(total(numpy.power(numpy.abs(x), p)) / x.dtype.type(x.shape[1]), 1 / p)


def norm_2(total, x, p):
    return numpy.sqrt(total(x * x))


def norm_of_next(total, x, p):
    return norm(total, x, p + x.dtype.type(2**-8))


def norm_of_integer(total, x, p):
    return norm(total, x, numpy.rint(p))


# ---------------------------------------------------------------------------------------------------------------- Muon


def product(total, a, b):
    return total(a[:, None] * b.T[None])


def muon(total, x, alpha, beta, gamma, without=""):
    a = product(total, x, x.T)
    b = beta * a if without == "square" else beta * a + gamma * (a if without == "product" else product(total, a, a))
    return alpha * x + product(total, b, x)


def muon_of_library(x, alpha, beta, gamma):
    a = x @ x.T
    return alpha * x + (beta * a + gamma * (a @ a)) @ x


def muon_of_other_side(x, alpha, beta, gamma):
    """A mistake: XᵀX on the right with the signs of a quintic that is odd in another place."""
    a = x.T @ x
    return alpha * x + x @ (beta * a - gamma * (a @ a))


def muon_of_square(x, alpha, beta, gamma):
    """A mistake: the entries of A squared for A·A."""
    a = x @ x.T
    return alpha * x + (beta * a + gamma * (a * a)) @ x


def muon_without_x(x, alpha, beta, gamma):
    a = x @ x.T
    return (beta * a + gamma * (a @ a)) @ x


def muon_with_exchanged(x, alpha, beta, gamma):
    return muon_of_library(x, beta, alpha, gamma)


def muon_in_binary16(x, alpha, beta, gamma):
    a = (x @ x.T).astype("f2").astype(x.dtype)
    return alpha * x + (beta * a + gamma * (a @ a)) @ x


MUON = one(muon)
NORM = one(norm)

TABLE = {
    "pow_of": Table(
        right={"fast": [power, by_exp2, by_exp], "any_order": [in64(power)]},
        wrong=[
            Wrong("fast", by_squares, "the exponent cut off"),
            Wrong("fast", exponent_rounded, "the exponent rounded"),
            Wrong("fast", of_sign_lost, "the sign of the exponent lost"),
            Wrong("fast", of_magnitude, "the sign of the base lost"),
            Wrong("fast", other_way_round, "yˣ for xʸ"),
            Wrong("fast", of_log_in_binary16, "the logarithm in binary16"),
            Wrong("fast", by_log_of_1_plus, "two terms of a logarithm"),
            Wrong("fast", saturated, "an exponent that saturates"),
            Wrong("any_order", by_exp2, "exp2 of a product for a power"),
        ],
    ),
    "norm_p": Table(
        right={"any_order": [in64(one(norm))], "fast": [*each(norm, *SUMS, by_halves), *each(norm_by_exp2, in_order)]},
        wrong=[
            Wrong("fast", one(norm_without_root), "no root"),
            Wrong("fast", one(norm_of_signed), "no absolute value"),
            Wrong("fast", one(norm_of_mean), "a mean for a sum"),
            Wrong("fast", one(norm_2), "p = 2"),
            Wrong("fast", one(norm_of_next), "a p that is 1/256 larger"),
            Wrong("fast", one(norm_of_integer), "p rounded"),
            Wrong("fast", each(norm, in_binary16)[0], "accumulators in binary16"),
            Wrong("fast", without_last(NORM, 0), "the last number left out"),
            Wrong("fast", zero_from(4, NORM), "no rows after the fourth"),
        ],
    ),
    "muon_step": Table(
        right={"tree": each(muon, by_halves), "any_order": [*each(muon, *SUMS), muon_of_library]},
        wrong=[
            Wrong("any_order", named("without_square")(one(muon, without="square")), "no A²"),
            Wrong("any_order", named("without_product")(one(muon, without="product")), "A for A²"),
            Wrong("any_order", muon_of_other_side, "a wrong sign"),
            Wrong("any_order", muon_of_square, "entries squared"),
            Wrong("any_order", muon_without_x, "no αX"),
            Wrong("any_order", muon_with_exchanged, "coefficients exchanged"),
            Wrong("any_order", muon_in_binary16, "A in binary16"),
            Wrong("any_order", narrowed(MUON, 0), "X in binary16"),
            Wrong("any_order", zero_from(4, MUON), "no rows after the fourth"),
        ],
    ),
}
