"""Attacks the bounds of docs/bounds/solve.md in exact fractions, with 5 to 8 bits: systems with given factors, definite
systems, and inverses by two triangular ones, by substitutions in random orders, with rounded and fused products, sums by themselves, quotients and
reciprocals, three rules of ties and three ranges of exponents. All systems of one unknown with 5 bits are among them.

systems_in_fractions.py [--planted] [SYSTEMS]: ends with 1 where a bound is exceeded. With --planted the bounds have
constants that are too small, each of which must be exceeded.
"""

import itertools
import math
import random
import sys
from fractions import Fraction

from factorizations_in_fractions import Format, Kernel, cholesky, eliminated

SYSTEMS = 300
#: What is taken off the constants: 2n + 3 of getrs, 3n + 6 of posv and 3n + 5 of inv.
TOO_SMALL = {"getrs": 4, "posv": 6, "inv": Fraction(15, 2)} if "--planted" in sys.argv else {"getrs": 0, "posv": 0, "inv": 0}


def format_of(draw):
    of = Format(draw)
    of.p, of.emin = draw.choice((5, 6, 7, 8)), draw.choice((-60, -60, -9, -4))
    of.u, of.eta = Fraction(1, 2**of.p), Fraction(2) ** (of.emin - of.p + 1)
    return of


def substituted(kernel, rows, right, order, is_unit=False):
    """x of a triangular system; its unknowns are computed in `order`."""
    x = [Fraction(0)] * len(right)
    for place, i in enumerate(order):
        rest = kernel.rest(right[i], [(rows[i][k], x[k]) for k in order[:place]])
        x[i] = rest if is_unit else kernel.quotient(rest, rows[i][i])
    return x


def is_near(draw, of, low):
    """Numbers just above and just below powers of two err most."""
    if draw.random() < 0.5:
        return of.number(draw, low, low + 2)
    near = 1 + draw.choice((0, 1, 2, 3, -1, -2)) * 2 * of.u
    return of.round(near * Fraction(2) ** draw.randint(low, low + 2) * draw.choice((-1, 1)))


def ratio_of_factors(kernel, lower, upper, b):
    """The largest |Pb − LUx| over the bound of solve.getrs.1."""
    of, n = kernel.of, len(b)
    if n * (n + 2) * of.u > 1 or any(upper[i][i] == 0 for i in range(n)):
        return 0
    y = substituted(kernel, lower, b, list(range(n)), is_unit=True)
    x = substituted(kernel, upper, y, list(reversed(range(n))))
    of_x = [sum(upper[k][j] * x[j] for j in range(n)) for k in range(n)]
    size = [sum(abs(upper[k][j] * x[j]) for j in range(n)) for k in range(n)]
    worst = 0
    for i in range(n):
        bound = (2 * n + 3 - TOO_SMALL["getrs"]) * of.u * sum(abs(l) * s for l, s in zip(lower[i], size))
        bound += (n + 2 * sum(abs(lower[i][k]) * (n + abs(upper[k][k])) for k in range(n))) * of.eta
        worst = max(worst, abs(b[i] - sum(l * s for l, s in zip(lower[i], of_x))) / bound)
    return worst


def root_below(x):
    return Fraction(math.isqrt(x.numerator * 4**60 // x.denominator), 2**60)


def ratio_of_definite(kernel, a, b):
    """The largest |b − Ax| over the bound of solve.posv.1, whose roots are rounded down."""
    of, n = kernel.of, len(b)
    error = (n + 2) * of.u
    diagonal = [a[i][i] for i in range(n)]
    most = max(1, *diagonal)
    if 2 * n * error > 1 or (n + 2) * error > 1:
        return 0
    if min(diagonal) <= 0 or 2 * (n + 2 * most) * of.eta > of.u * min(diagonal):
        return 0
    lower = cholesky(kernel, a)
    if lower is None:
        return 0
    y = substituted(kernel, lower, b, list(range(n)))
    transposed = [[lower[j][i] for j in range(n)] for i in range(n)]
    x = substituted(kernel, transposed, y, list(reversed(range(n))))
    worst = 0
    for i in range(n):
        scaled = sum(root_below(a[i][i] * a[j][j]) * abs(x[j]) for j in range(n))
        bound = (3 * n + 6 - TOO_SMALL["posv"]) * of.u / (1 - error) * scaled
        bound += 4 * (n + 2 * most) * (n * most + 1 + sum(map(abs, x))) * of.eta
        worst = max(worst, abs(b[i] - sum(v * z for v, z in zip(a[i], x))) / bound)
    return worst


def ratio_of_inverse(kernel, a):
    """The largest |XA − I| over the bound of solve.inv.3, with |X||L||U| in the place of what it is at most there."""
    of, n = kernel.of, len(a)
    if n * (n + 2) * of.u > 1:
        return 0
    a = [list(row) for row in a]
    lu = eliminated(kernel, a, n, n)
    if any(lu[j][j] == 0 or abs(1 / lu[j][j]) < Fraction(2) ** of.emin for j in range(n)):
        return 0
    lower = [[lu[i][k] if k < i else Fraction(i == k) for k in range(n)] for i in range(n)]
    upper = [[lu[i][k] if k >= i else Fraction(0) for k in range(n)] for i in range(n)]
    y = [[Fraction(0)] * n for _ in range(n)]
    for j in range(n):
        y[j][j] = of.round(1 / upper[j][j])
        for i in range(j):
            rest = kernel.rest(Fraction(0), [(y[i][k], upper[k][j]) for k in range(i, j)])
            y[i][j] = of.round(rest * y[j][j]) if kernel.multiplies else of.round(rest / upper[j][j])
    x = [list(row) for row in y]
    for j in reversed(range(n)):
        for i in range(n):
            x[i][j] = kernel.rest(y[i][j], [(x[i][k], lower[k][j]) for k in range(j + 1, n)])
    sums = [sum(abs(upper[k][j]) for k in range(n)) for j in range(n)]
    worst = 0
    for i, j in itertools.product(range(n), range(n)):
        size = sum(abs(x[i][k]) * sum(abs(lower[k][m] * upper[m][j]) for m in range(n)) for k in range(n))
        bound = (3 * n + 5 - TOO_SMALL["inv"]) * of.u * size
        bound += 4 * n * (1 + max(sums)) * (1 + sum(map(abs, x[i]))) * of.eta
        worst = max(worst, abs(sum(x[i][k] * a[k][j] for k in range(n)) - (i == j)) / bound)
    return worst


def drawn_matrix(draw, of):
    n, low = draw.choice((2, 2, 3, 4)), -2 if of.emin == -60 else -1
    return ([[is_near(draw, of, low) for _ in range(n)] for _ in range(n)],)


def drawn_factors(draw, of):
    n, low = draw.choice((2, 3, 4)), -2 if of.emin == -60 else of.emin
    lower = [[is_near(draw, of, -2) if j < i else Fraction(i == j) for j in range(n)] for i in range(n)]
    upper = [[is_near(draw, of, low) if j >= i else Fraction(0) for j in range(n)] for i in range(n)]
    return lower, upper, [is_near(draw, of, low) for _ in range(n)]


def drawn_definite(draw, of):
    n = draw.choice((2, 3))
    factor = [[is_near(draw, of, -1) if j <= i else Fraction(0) for j in range(n)] for i in range(n)]
    a = [[of.round(sum(x * y for x, y in zip(factor[i], factor[j]))) for j in range(n)] for i in range(n)]
    return a, [is_near(draw, of, -2) for _ in range(n)]


def of_one_unknown(draw, of, ratio, first, a_range):
    """The largest ratio of all systems with one unknown, by quotients and by reciprocals."""
    of.p, of.emin = 5, -60
    of.u, of.eta = Fraction(1, 2**of.p), Fraction(2) ** (of.emin - of.p + 1)
    kernel, worst = Kernel(draw, of), 0
    for kernel.multiplies, a, b in itertools.product((False, True), a_range, range(16, 32)):
        worst = max(worst, ratio(kernel, *first, [[Fraction(a, 16)]], [Fraction(b, 16)]))
    return worst


def main():
    counts = [int(each) for each in sys.argv[1:] if each.isdigit()]
    systems = counts[0] if counts else SYSTEMS
    draw = random.Random(1)
    one = [[Fraction(1)]]
    found = {"getrs": of_one_unknown(draw, format_of(draw), ratio_of_factors, (one,), range(16, 32)),
             "posv": of_one_unknown(draw, format_of(draw), ratio_of_definite, (), [*range(16, 32), *range(32, 64, 2)]),
             "inv": of_one_unknown(draw, format_of(draw), lambda kernel, a, _: ratio_of_inverse(kernel, a), (), range(16, 32))}
    for name, ratio, drawn in (("getrs", ratio_of_factors, drawn_factors), ("posv", ratio_of_definite, drawn_definite),
                               ("inv", ratio_of_inverse, drawn_matrix)):
        print(f"{name}: one unknown, at most {float(found[name]):.4f} of the bound")
        for _ in range(systems):
            of = format_of(draw)
            found[name] = max(found[name], ratio(Kernel(draw, of), *drawn(draw, of)))
        print(f"{name}: {systems} systems, at most {float(found[name]):.4f} of the bound")
    if "--planted" in sys.argv:
        return 0 if all(each > 1 for each in found.values()) else 1
    return 0 if all(each <= 1 for each in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
