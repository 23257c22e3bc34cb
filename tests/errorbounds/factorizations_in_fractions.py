"""Attacks the bounds of docs/bounds/factorization.md in exact fractions, with few bits: factorizations and solutions in
random orders, with rounded and fused products, sums by themselves in chains and trees, quotients and reciprocals,
three rules of ties and two ranges of exponents.

factorizations_in_fractions.py [--planted]: ends with 1 where a bound is exceeded. With --planted the bounds have
constants that are too small, each of which must be exceeded.
"""

import math
import random
import sys
from fractions import Fraction

MATRICES = 1200
SYSTEMS = 150
#: What is taken off the constants: (n + 1) of potrf, (r + 2) of getrf with reciprocals.
TOO_SMALL = {"potrf": 1, "getrf": 2} if "--planted" in sys.argv else {"potrf": 0, "getrf": 0}


class Format:
    """p bits, exponents from emin on, ties to even, away from zero or toward it."""

    def __init__(self, draw):
        self.p = draw.choice((3, 4, 5, 6))
        self.emin = draw.choice((-40, -40, 1 - self.p, -6))
        self.tie = draw.choice(("even", "away", "toward"))
        self.u = Fraction(1, 2**self.p)
        self.eta = Fraction(2) ** (self.emin - self.p + 1)

    def round(self, x):
        if x == 0:
            return Fraction(0)
        magnitude = abs(x)
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        exponent -= Fraction(2) ** exponent > magnitude
        last = Fraction(2) ** (max(exponent, self.emin) - self.p + 1)
        steps = math.floor(magnitude / last)
        rest = magnitude / last - steps
        is_up = {"even": steps % 2 == 1, "away": True, "toward": False}[self.tie]
        steps += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and is_up)
        return steps * last if x > 0 else -steps * last

    def root(self, x):
        places = 40
        scaled = (x.numerator << 2 * places) // x.denominator
        below = math.isqrt(scaled)
        is_exact = below * below * x.denominator == x.numerator << 2 * places
        return self.round(Fraction(below, 1 << places) + (0 if is_exact else Fraction(1, 1 << places + 8)))

    def number(self, draw, low, high):
        significand = Fraction(draw.randint(2 ** (self.p - 1), 2**self.p - 1))
        return self.round(significand * Fraction(2) ** (draw.randint(low, high) - self.p + 1) * draw.choice((-1, 1)))


class Kernel:
    """How the products are subtracted, and how is divided."""

    def __init__(self, draw, of):
        self.draw, self.of = draw, of
        self.way = draw.choice(("rounded", "fused", "sum", "trees"))
        self.multiplies = draw.random() < 0.5

    def rest(self, c, products):
        self.draw.shuffle(products)
        if self.way == "sum" and products:
            total = self.of.round(products[0][0] * products[0][1])
            for x, y in products[1:]:
                total = self.of.round(total + (x * y if self.draw.random() < 0.5 else self.of.round(x * y)))
            return self.of.round(c - total)
        if self.way == "trees":
            while products:
                size = self.draw.randint(1, len(products))
                c = self.of.round(c - self.tree(products[:size]))
                products = products[size:]
            return c
        for x, y in products:
            c = self.of.round(c - (x * y if self.way == "fused" else self.of.round(x * y)))
        return c

    def tree(self, products):
        """A sum by itself: of two such sums, or of a sum and a product that is fused with the addition."""
        if len(products) == 1:
            return self.of.round(products[0][0] * products[0][1])
        if self.draw.random() < 0.5:
            return self.of.round(self.tree(products[1:]) + products[0][0] * products[0][1])
        first = self.draw.randint(1, len(products) - 1)
        return self.of.round(self.tree(products[:first]) + self.tree(products[first:]))

    def quotient(self, x, y):
        if self.multiplies and abs(1 / y) >= Fraction(2) ** self.of.emin:
            return self.of.round(x * self.of.round(1 / y))
        return self.of.round(x / y)


def cholesky(kernel, a):
    n = len(a)
    l = [[Fraction(0)] * n for _ in range(n)]
    for j in range(n):
        for i in range(j, n):
            rest = kernel.rest(a[i][j], [(l[i][k], l[j][k]) for k in range(j)])
            if i == j and rest <= 0:
                return None
            l[i][j] = kernel.of.root(rest) if i == j else kernel.quotient(rest, l[j][j])
    return l


def ratio_of_cholesky(kernel, draw):
    """The largest residual over its bound; whether a status was wrong counts as infinite."""
    of, n = kernel.of, draw.choice((1, 2, 2, 3, 4))
    low = -2 if of.emin == -40 else of.emin // 2 - 2
    factor = [[of.number(draw, low, low + 4) if j <= i else Fraction(0) for j in range(n)] for i in range(n)]
    a = [[of.round(sum(x * y for x, y in zip(factor[i], factor[j]))) for j in range(n)] for i in range(n)]
    if draw.random() < 0.3:
        k = draw.randrange(n)
        a[k][k] = of.round(a[k][k] * Fraction(draw.randint(1, 16), 16))
    l = cholesky(kernel, a)
    margin = 2 * n * (n + 2) * of.u
    diagonal = [a[i][i] for i in range(n)]
    if margin <= 1 and min(diagonal) > 0 and 2 * (n + 2 * max(1, *diagonal)) * of.eta <= of.u * min(diagonal):
        if (l is None and is_definite(a, -margin)) or (l is not None and has_negative_pivot(a, margin)):
            return math.inf
    if l is None:
        return 0
    worst = 0
    factors = (n + 1 - TOO_SMALL["potrf"]) * of.u
    for i in range(n):
        for j in range(i + 1):
            products = [l[i][k] * l[j][k] for k in range(j + 1)]
            lost = (j + (l[j][j] if i != j else 0)) * of.eta / 2
            bound = factors * sum(map(abs, products)) + (1 + factors) * lost
            worst = max(worst, abs(a[i][j] - sum(products)) / bound)
    return worst


def pivots(a, shift):
    s = [[x + shift * x if i == j else x for j, x in enumerate(row)] for i, row in enumerate(a)]
    for k in range(len(s)):
        yield s[k][k]
        if s[k][k] <= 0:
            return
        for i in range(k + 1, len(s)):
            for j in range(k + 1, i + 1):
                s[i][j] -= s[i][k] / s[k][k] * s[j][k]


def is_definite(a, shift):
    return all(each > 0 for each in pivots(a, shift))


def has_negative_pivot(a, shift):
    return any(each < 0 for each in pivots(a, shift))


def eliminated(kernel, a, m, n):
    """The factors of the rows of `a`, which are put into their order."""
    lu = [[Fraction(0)] * n for _ in range(m)]
    for j in range(n):
        for i in range(m):
            lu[i][j] = kernel.rest(a[i][j], [(lu[i][k], lu[k][j]) for k in range(min(i, j))])
        if j >= m:
            continue
        row = max(range(j, m), key=lambda i: abs(lu[i][j]))
        for each in (a, lu):
            each[j], each[row] = each[row], each[j]
        for i in range(j + 1, m):
            lu[i][j] = kernel.quotient(lu[i][j], lu[j][j]) if lu[j][j] != 0 else lu[i][j]
    return lu


def ratio_of_elimination(kernel, draw):
    """The largest of: a residual PA − LU, a number of U, |l|, each over its bound."""
    of = kernel.of
    m, n = draw.choice((1, 2, 3, 4)), draw.choice((1, 2, 3, 4))
    low = -2 if of.emin == -40 else of.emin - 2
    a = [[of.number(draw, low, low + 4) for _ in range(n)] for _ in range(m)]
    largest = max(abs(x) for row in a for x in row)
    lu = eliminated(kernel, a, m, n)
    r = min(m, n)
    factors = (r + (2 if kernel.multiplies else 0)) * of.u - (TOO_SMALL["getrf"] * of.u if kernel.multiplies else 0)
    error = (r + 3) * of.u
    worst = 0
    for i in range(m):
        for j in range(n):
            products = [lu[i][k] * lu[k][j] for k in range(min(i, j))]
            products.append(lu[i][j] * lu[j][j] if i > j else lu[i][j])
            lost = (min(i, j) + (abs(lu[j][j]) if i > j else 0)) * of.eta / 2
            bound = factors * sum(map(abs, products)) + (1 + factors) * lost
            residual = abs(a[i][j] - sum(products))
            worst = max(worst, residual / bound if residual else 0, abs(lu[i][j]) if i > j else 0)
            if i <= j and error < 1:
                growth = (1 + error) * 2 ** (r - 1) / (1 - error) ** r
                worst = max(worst, abs(lu[i][j]) / (growth * (largest + r * of.eta)))
    return worst


def inverse(a):
    """A⁻¹ by Gauss and Jordan, or nothing."""
    n = len(a)
    rows = [[*row, *[Fraction(i == j) for j in range(n)]] for i, row in enumerate(a)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k])]
    return [row[n:] for row in rows]


def ratio_of_solution(kernel, draw):
    """The largest of: a residual of gesv.1 over its bound; of gesv.2, an unknown over (3/2)n(4/3)·norm of A⁻¹·max|y|.
    A pivot that is 0 where gesv.2 excludes it counts as infinite. p is larger here, so that the bounds apply."""
    of, n = kernel.of, draw.choice((1, 2, 3))
    of.p, of.emin = draw.choice((7, 8, 9)), -60
    of.u, of.eta = Fraction(1, 2**of.p), Fraction(2) ** (of.emin - of.p + 1)
    a = [[of.number(draw, -1, 1) for _ in range(n)] for _ in range(n)]
    if n > 1 and draw.random() < 0.4:
        for row in a:
            row[-1] = of.round(row[0] * (1 + Fraction(draw.randint(-1, 1), 2 ** draw.randint(1, of.p))))
    b = [of.number(draw, -1, 1) for _ in range(n)]
    error = (n + 3) * of.u
    beta = 2 / (1 - error)
    columns = [(beta ** (j + 1) - 1) * (max(abs(row[j]) for row in a) + n * of.eta) for j in range(n)]
    most = (beta**n - 1) * (max(abs(x) for row in a for x in row) + n * of.eta)
    of_a = inverse(a)
    norm = max(sum(map(abs, row)) for row in of_a) if of_a else math.inf
    is_regular = of_a is not None and norm * (n + 3) * of.u * sum(columns) <= Fraction(1, 4)
    rows = [[*row, x] for row, x in zip(a, b)]
    lu = [row[:n] for row in eliminated(kernel, rows, n, n + 1)]
    if any(lu[k][k] == 0 for k in range(n)):
        return math.inf if is_regular else 0
    y = [Fraction(0)] * n
    for i in range(n):
        y[i] = kernel.rest(rows[i][n], [(lu[i][k], y[k]) for k in range(i)])
    x = [Fraction(0)] * n
    for i in reversed(range(n)):
        x[i] = kernel.quotient(kernel.rest(y[i], [(lu[i][k], x[k]) for k in range(i + 1, n)]), lu[i][i])
    bound = (3 * n + 5) * of.u * sum(v * abs(z) for v, z in zip(columns, x))
    bound += 4 * (n + most) * (n + sum(map(abs, x))) * of.eta
    worst = max(abs(row[n] - sum(v * z for v, z in zip(row, x))) / bound for row in rows)
    if is_regular:
        worst = max(worst, max(map(abs, x)) / (2 * n * norm * max(map(abs, y))))
    return worst


def main():
    draw = random.Random(1)
    found = {}
    of_factors = (("potrf", ratio_of_cholesky, MATRICES), ("getrf", ratio_of_elimination, MATRICES))
    for name, ratio, matrices in (*of_factors, ("gesv", ratio_of_solution, SYSTEMS)):
        found[name] = max(ratio(Kernel(draw, Format(draw)), draw) for _ in range(matrices))
        print(f"{name}: {matrices} matrices, at most {float(found[name]):.4f} of the bound")
    if "--planted" in sys.argv:
        return 0 if all(found[name] > 1 for name in TOO_SMALL) else 1
    return 0 if all(each <= 1 for each in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
