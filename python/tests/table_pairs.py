"""Kernels of functions of two numbers: angles, and rests of quotients."""

from __future__ import annotations

import math

import numpy
from forms import in64
from tables import Table, Wrong, named, narrowed, stale, stored

# -------------------------------------------------------------------------------------------------------------- angles


def angle(y, x):
    return numpy.arctan2(y, x)


def angle_of_complex(y, x):
    z = numpy.empty(x.shape, "c16")
    z.real, z.imag = x, y
    return numpy.angle(z).astype(x.dtype)


angle_of_complex.is_wide = True


def angle_by_quadrants(y, x):
    """The arctangent of the quotient, and π to the left."""
    are_infinite = numpy.isinf(x) & numpy.isinf(y)
    x, y = (numpy.where(are_infinite, numpy.copysign(each.dtype.type(1), each), each) for each in (x, y))
    pi = numpy.copysign(x.dtype.type(numpy.pi), y)
    angle = numpy.where(x == 0, pi / 2, numpy.arctan(y / x) + numpy.where(x < 0, pi, x.dtype.type(0)))
    return numpy.where(numpy.isnan(y), y, angle).astype(x.dtype)


def angle_without_quadrants(y, x):
    return numpy.arctan(y / x)


def angle_exchanged(y, x):
    return numpy.arctan2(x, y)


def angle_from_0_to_2_pi(y, x):
    a = numpy.arctan2(y, x)
    return numpy.where(a < 0, a + x.dtype.type(2 * numpy.pi), a)


def angle_in_degrees(y, x):
    return numpy.degrees(numpy.arctan2(y, x))


def angle_of_magnitudes(y, x):
    return numpy.arctan2(numpy.abs(y), x)


def angle_by_three_terms(y, x):
    """A mistake: a polynomial of degree 5 for the arctangent."""
    m = numpy.minimum(numpy.abs(x), numpy.abs(y)) / numpy.maximum(numpy.abs(x), numpy.abs(y))
    a = m * (1 + m * m * (m * m / 5 - x.dtype.type(1) / 3))
    a = numpy.where(numpy.abs(y) > numpy.abs(x), x.dtype.type(numpy.pi / 2) - a, a)
    return numpy.copysign(numpy.where(x < 0, x.dtype.type(numpy.pi) - a, a), y)


# --------------------------------------------------------------------------------------------------------------- rests


def fmod(x, y):
    return numpy.fmod(x, y)


def of_c(function):
    def each(a, b):
        return function(a, b) if math.isfinite(a) and b != 0 and not math.isnan(b) else math.nan

    return named(f"c_{function.__name__}")(lambda x, y: numpy.array(list(map(each, x, y)), x.dtype))


def fmod_of_magnitudes(x, y):
    return numpy.copysign(numpy.fmod(numpy.abs(x), numpy.abs(y)), x)


def fmod_of_the_nearest(x, y):
    """From the rest of the nearest quotient, which is exact, as is its sum with y."""
    r = of_c(math.remainder)(numpy.abs(x), numpy.abs(y))
    return numpy.copysign(numpy.where(r < 0, r + numpy.abs(y), r), x)


def fmod_by_quotient(x, y):
    """A mistake: x - y·trunc(x/y), with a rounded quotient and a rounded product."""
    return x - y * numpy.trunc(x / y)


def floored(x, y):
    """A mistake: the modulus of Python, which has the sign of y."""
    return numpy.mod(x, y)


def without_sign(x, y):
    return numpy.fmod(numpy.abs(x), numpy.abs(y))


def of_exchanged(x, y):
    return numpy.fmod(y, x)


def quotient(x, y):
    return numpy.trunc(x / y)


def nearest(x, y):
    return of_c(math.remainder)(x, y)


def nearest_by_fmod(x, y):
    """From fmod(x, 2y), whose last bit of the quotient is known."""
    a, b = numpy.abs(x.astype("f8")), numpy.abs(y.astype("f8"))
    r = numpy.where(numpy.isinf(b) & numpy.isfinite(a), a, numpy.fmod(a, 2 * b))
    less = r - b
    r = numpy.where(2 * r > b, numpy.where(2 * less >= b, less - b, less), r)
    return numpy.copysign(1, x) * r.astype(x.dtype)


def nearest_by_halves(x, y):
    """fmod, and then the parity of the quotient from fmod by 2y."""
    a, b = numpy.abs(x.astype("f8")), numpy.abs(y.astype("f8"))
    r = numpy.fmod(a, b)
    is_odd = numpy.fmod(a, 2 * b) >= b
    down = (2 * r > b) | ((2 * r == b) & is_odd)
    return numpy.copysign(1, x) * numpy.where(down, r - b, r).astype(x.dtype)


def nearest_by_quotient(x, y):
    return x - y * numpy.rint(x / y)


def nearest_with_ties_away(x, y):
    """A mistake: ties go away from 0, as by round()."""
    a, b = numpy.abs(x.astype("f8")), numpy.abs(y.astype("f8"))
    r = numpy.fmod(a, b)
    return (numpy.copysign(1, x) * numpy.where(2 * r >= b, r - b, r)).astype(x.dtype)


def nearest_not_negative(x, y):
    return numpy.abs(nearest(x, y))


FMOD = [
    Wrong("any_order", fmod_by_quotient, "a rounded quotient"),
    Wrong("any_order", floored, "a floored quotient"),
    Wrong("any_order", without_sign, "no sign"),
    Wrong("any_order", of_exchanged, "arguments exchanged"),
    Wrong("any_order", quotient, "the quotient for its rest"),
    Wrong("any_order", stored(fmod), "a result in binary16"),
    Wrong("any_order", stale(fmod), "the output of the call before"),
]

TABLE = {
    "atan2_of": Table(
        right={"any_order": [in64(angle), angle_of_complex], "fast": [angle, angle_by_quadrants]},
        wrong=[
            Wrong("fast", angle_without_quadrants, "no quadrants"),
            Wrong("fast", angle_exchanged, "arguments exchanged"),
            Wrong("fast", angle_from_0_to_2_pi, "from 0 to 2π"),
            Wrong("fast", angle_in_degrees, "degrees"),
            Wrong("fast", angle_of_magnitudes, "the sign of y lost"),
            Wrong("fast", angle_by_three_terms, "three terms of a series"),
            Wrong("fast", narrowed(angle), "inputs in binary16"),
        ],
    ),
    "fmod_of": Table(
        right={"correctly_rounded": [fmod, of_c(math.fmod), fmod_of_magnitudes, fmod_of_the_nearest]},
        wrong=[*FMOD, Wrong("any_order", nearest, "the nearest quotient")],
    ),
    "remainder_of": Table(
        right={"correctly_rounded": [nearest, nearest_by_fmod, nearest_by_halves]},
        wrong=[
            Wrong("any_order", fmod, "fmod for remainder"),
            Wrong("any_order", floored, "numpy.remainder, which is a modulus"),
            Wrong("any_order", nearest_by_quotient, "a rounded quotient"),
            Wrong("any_order", nearest_with_ties_away, "ties away from 0"),
            Wrong("any_order", nearest_not_negative, "a rest that is not negative"),
            Wrong("any_order", stored(nearest), "a result in binary16"),
            Wrong("any_order", stale(nearest), "the output of the call before"),
        ],
    ),
}
