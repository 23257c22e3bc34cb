#!/usr/bin/env python3
"""Checks the table of boxes in the proof of dw.div3.2, with fractions: boxes.py docs/bounds/dw.md [limit].

Exit code 0: in every box F is at most the limit (27/4) and the number on the page, rounded up, and the boxes cover the
domain. Exit 1: one line says what is wrong. The names are those of the proof, steps 9 to 13.
"""
import re
import sys
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, floor

SIGMA = Fraction(1, 2**9)
DOMAIN = ((1, 2), (0, Fraction(3, 2)), (1, 2))


def largest_power_of_two_up_to(v):
    power = Fraction(1)
    while power > v:
        power /= 2
    while 2 * power <= v:
        power *= 2
    return power


def farthest_from_an_integer(low, high):
    """The largest distance of a number in [low, high] to the next integer."""
    if ceil(low - Fraction(1, 2)) + Fraction(1, 2) <= high:
        return Fraction(1, 2)
    return max(min(t - floor(t), ceil(t) - t) for t in (low, high))


def bounds(box):
    """An upper bound of F, in case H and in case L; None if the box has no input of the case."""
    (y0, y1), (eps0, eps1), (x0, x1) = box
    h = largest_power_of_two_up_to
    eps = min(eps1, max(y0 / 2 + 1 / y0, y1 / 2 + 1 / y1))
    low, high = eps0 / y1, min(eps1 / y0, Fraction(1, 2) + 1 / y0**2)
    if eps0 > eps or low > high:
        return None, None
    f = farthest_from_an_integer(low, high)
    beta = Fraction(1, 8) if f + SIGMA <= Fraction(1, 4) else Fraction(1, 4)
    without_product = eps**2 + Fraction(1, 2) + y1 * beta
    of_a = min(h(x1 * f + SIGMA), Fraction(1, 2))
    c = x1 * f + 1 / y0 + SIGMA
    case_h = without_product + (of_a + h(c) + h(c + 1)) * min(Fraction(1), y1 / x0)
    case_l = without_product + (of_a + Fraction(3, 2)) * y1 / x0
    return (case_h if x1 >= y0 * (1 - SIGMA) else None), (case_l if x0 <= y1 * (1 + SIGMA) else None)


def shown(value):
    if value is None:
        return "–"
    return "27/4" if value == Fraction(27, 4) else f"{ceil(value * 100) / 100:.2f}"


def rows(page):
    """Boxes and the words of both cases, from the proof of dw.div3.2."""
    proof = re.search(r"^### Theorem dw\.div3\.2\n(.*?)^### ", page, re.M | re.S)
    interval = r"(\S+) … (\S+)"
    row = re.compile(rf"^ *\| {interval} \| {interval} \| {interval} \| (\S+) \| (\S+) \|$", re.M)
    for match in row.finditer(proof.group(1) if proof else ""):
        ends = [Fraction(text) for text in match.groups()[:6]]
        yield tuple(zip(ends[::2], ends[1::2])), match.groups()[6:]


def uncovered(boxes):
    """A cell of the domain that is in no box, or None. Cells end where a box ends."""
    cuts = [sorted({*DOMAIN[i], *(end for box in boxes for end in box[i])}) for i in range(3)]
    for cell in product(*(pairwise(cut) for cut in cuts)):
        if not any(all(b0 <= c0 and c1 <= b1 for (b0, b1), (c0, c1) in zip(box, cell)) for box in boxes):
            return cell
    return None


def main():
    limit = Fraction(sys.argv[2]) if len(sys.argv) > 2 else Fraction(27, 4)
    with open(sys.argv[1], encoding="utf-8") as page:
        table = list(rows(page.read()))
    for box, words in table:
        values = bounds(box)
        name = " × ".join(f"[{low}, {high}]" for low, high in box)
        if any(value is not None and value > limit for value in values):
            sys.exit(f"boxes.py: F is not at most {limit} in {name}: {shown(values[0])}, {shown(values[1])}")
        if tuple(map(shown, values)) != words:
            sys.exit(f"boxes.py: the page shows {words} for {name}, and F is {tuple(map(shown, values))}")
    gap = uncovered([box for box, _ in table])
    if gap:
        sys.exit("boxes.py: no box has " + " × ".join(f"[{low}, {high}]" for low, high in gap))
    print(f"{len(table)} boxes cover the domain, F is at most {limit} in each")


main()
