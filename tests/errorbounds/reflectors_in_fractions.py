"""Attacks the bound of orthogonal.step.1 (docs/bounds/orthogonal.md) in exact fractions, with few bits: a reflector of a
random column in four forms, and a rotation, applied to random columns with rounded and fused products in any order.

reflectors_in_fractions.py [--planted]: ends with 1 where the bound is exceeded. With --planted it is divided by 100,
and must be exceeded.
"""

import math
import random
import sys
from fractions import Fraction

from factorizations_in_fractions import Format, Kernel

STEPS = 400
PLACES = 200


def root(x):
    """√x, too small by less than 2^−PLACES."""
    return Fraction(math.isqrt(x.numerator * 4**PLACES // x.denominator), 2**PLACES)


def norm(x):
    return root(sum(each * each for each in x))


class Reflector:
    """I − τvvᵀ of the column x by the numbers of a format, and the exact one."""

    def __init__(self, kernel, draw, x):
        of = kernel.of
        length = of.root(kernel.total([(each, each) for each in x]))
        sign = 1 if x[0] >= 0 else -1
        v = [of.round(x[0] + sign * length), *x[1:]]
        exact = [x[0] + sign * norm(x), *x[1:]]
        form = draw.choice(("whole", "first is one", "of norm one", "over the length"))
        if form == "first is one":
            tau = of.round(v[0] / (sign * length))
            scale = of.round(1 / v[0]) if draw.random() < 0.5 else None
            v = [Fraction(1), *[of.round(each / v[0] if scale is None else each * scale) for each in v[1:]]]
        elif form == "of norm one":
            of_v = of.root(kernel.total([(each, each) for each in v]))
            v, tau = [of.round(each / of_v) for each in v], Fraction(2)
        elif form == "over the length":
            v = [of.round(each / (sign * length)) for each in x]
            v[0] = of.round(v[0] + 1)
            tau = of.round(1 / v[0])
        else:
            tau = of.round(2 / kernel.total([(each, each) for each in v]))
        self.kernel, self.v, self.tau = kernel, v, tau
        self.exact, self.squares = exact, sum(each * each for each in exact)

    def computed(self, y, draw):
        of = self.kernel.of
        product = self.kernel.total(list(zip(self.v, y)))
        by_vector = draw.random() < 0.5
        factor = product if by_vector else of.round(self.tau * product)
        result = []
        for v, each in zip(self.v, y):
            v = of.round(self.tau * v) if by_vector else v
            result.append(of.round(each - (v * factor if self.kernel.way == "fused" else of.round(v * factor))))
        return result

    def true(self, y):
        factor = 2 * sum(v * each for v, each in zip(self.exact, y)) / self.squares
        return [each - factor * v for v, each in zip(self.exact, y)]


class Steps(Kernel):
    def total(self, products):
        self.draw.shuffle(products)
        return self.tree(products)


def ratio_of_step(draw):
    of = Format(draw)
    of.p, of.emin = draw.choice((15, 16)), -80
    of.u, of.eta = Fraction(1, 2**of.p), Fraction(2) ** (of.emin - of.p + 1)
    rows = draw.choice((2, 3, 4, 6))
    kernel = Steps(draw, of)
    x = [of.number(draw, -3, 1) for _ in range(rows)]
    reflector = Reflector(kernel, draw, x)
    y = [of.number(draw, -3, 1) for _ in range(rows)] if draw.random() < 0.5 else [of.round(-each) for each in x]
    error = [a - b for a, b in zip(reflector.computed(y, draw), reflector.true(y))]
    return norm(error) / (40 * (rows + 2) * of.u * norm(y))


def main():
    draw = random.Random(1)
    planted = 100 if "--planted" in sys.argv else 1
    found = max(ratio_of_step(draw) for _ in range(STEPS)) * planted
    print(f"step: {STEPS} reflectors, at most {float(found):.4f} of the bound")
    return int(found <= 1) if planted > 1 else int(found > 1)


if __name__ == "__main__":
    sys.exit(main())
