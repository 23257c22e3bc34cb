"""Decimal arithmetic of the second reader: numbers of 60 digits, the functions of the language of formulas (from
Python's decimal module, or series written here), their derivatives, and intervals of real numbers."""

import decimal
import math
from decimal import Decimal as D
from fractions import Fraction

decimal.getcontext().prec = 60
decimal.getcontext().Emax, decimal.getcontext().Emin = 10**9, -(10**9)

ZERO, ONE, TWO, INF = D(0), D(1), D(2), D("Infinity")


def power_of_two(e):
    return TWO**e


def series(term, step):
    """The sum of a series. step(j) makes the next term from the last one."""
    total, j = ZERO, 0
    while abs(term) > D(10) ** -70:
        total += term
        j += 1
        term *= step(j)
    return total


def pi():
    """16 arctan(1/5) − 4 arctan(1/239)."""
    arctan = lambda n: sum(((-1) ** j) / (D(n) ** (2 * j + 1) * (2 * j + 1)) for j in range(60))
    return 16 * arctan(5) - 4 * arctan(239)


PI = pi()


def cosine(x):
    x = x.copy_abs() % (2 * PI)
    return series(ONE, lambda j: -x * x / (2 * j * (2 * j - 1)))


def error_function(x):
    """erf(x). Beyond |x| = 9 it is ±1 to 35 digits."""
    if abs(x) > 9:
        return ONE.copy_sign(x)
    with decimal.localcontext() as context:
        context.prec = 120
        total, term, j = ZERO, x, 0
        while abs(term) > D(10) ** -80:
            total += term / (2 * j + 1)
            j += 1
            term *= -x * x / j
        return 2 / PI.sqrt() * total


def arctan(x):
    """Halves the angle until the series converges fast."""
    halves = 0
    while abs(x) > D("0.05"):
        x = x / (ONE + (ONE + x * x).sqrt())
        halves += 1
    power, total, j = x, ZERO, 0
    while abs(power) > D(10) ** -70:
        total += power / (2 * j + 1)
        power *= -x * x
        j += 1
    return total * 2**halves


def arctan2(y, x):
    if x == 0:
        return (PI / 2).copy_sign(y)
    return arctan(y / x) + (ZERO if x > 0 else PI.copy_sign(y))


def rest(x, y, is_nearest):
    """x − y·q with the integer q, which is cut off or the nearest one."""
    a, b = Fraction(x), Fraction(y)
    q = round(a / b) if is_nearest else math.trunc(a / b)
    found = a - b * q
    return D(found.numerator) / D(found.denominator)


def sigmoid(x):
    return ONE / (ONE + (-x).exp())


FUNCTIONS = {
    "neg": lambda x: -x,
    "abs": abs,
    "relu": lambda x: max(x, ZERO),
    "sign": lambda x: ONE.copy_sign(x) if x else ZERO,
    "exp": lambda x: x.exp(),
    "exp2": lambda x: (x * TWO.ln()).exp(),
    "expm1": lambda x: x.exp() - 1,
    "log": lambda x: x.ln(),
    "log1p": lambda x: (1 + x).ln(),
    "sqrt": lambda x: x.sqrt(),
    "rsqrt": lambda x: ONE / x.sqrt(),
    "tanh": lambda x: ONE - 2 / ((2 * x).exp() + 1),
    "erf": error_function,
    "sigmoid": sigmoid,
    "sin": lambda x: cosine(x - PI / 2),
    "cos": cosine,
}
#: Derivatives. Each has the inner points of an interval at which its magnitude may be largest.
SLOPES = {
    "neg": (lambda x: -ONE, []),
    "exp": (lambda x: x.exp(), []),
    "expm1": (lambda x: x.exp(), []),
    "exp2": (lambda x: (x * TWO.ln()).exp() * TWO.ln(), []),
    "log": (lambda x: ONE / x, []),
    "log1p": (lambda x: ONE / (1 + x), []),
    "sqrt": (lambda x: ONE / (2 * x.sqrt()), []),
    "rsqrt": (lambda x: -ONE / (2 * x * x.sqrt()), []),
    "tanh": (lambda x: ONE - FUNCTIONS["tanh"](x) ** 2, [ZERO]),
    "erf": (lambda x: 2 / PI.sqrt() * (-x * x).exp(), [ZERO]),
    "sigmoid": (lambda x: sigmoid(x) * (1 - sigmoid(x)), [ZERO]),
    "sin": (cosine, []),
    "cos": (lambda x: -FUNCTIONS["sin"](x), []),
}


class Interval:
    """An interval of real numbers."""

    def __init__(self, low, high=None):
        self.low, self.high = low, low if high is None else high

    def __add__(self, other):
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other):
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other):
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __truediv__(self, other):
        ends = [a / b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def of(self, function, between=()):
        ends = [function(x) for x in (self.low, self.high, *(x for x in between if self.low < x < self.high))]
        return Interval(min(ends), max(ends))

    @property
    def magnitude(self):
        return max(abs(self.low), abs(self.high))
