"""`tolerances_in_use.py` prints a table: the tolerance that follows for 20 operations beside tolerances that tests
have, as multiples of it. rtol = atol = 1e-3 and 1e-2 allow 1e-3·(1 + |y|); hipDNN allows γ = 2kε/(1 - 2kε) with ε = 2u and k
terms, 6·√(2k)·ε where 2kε ≥ 0.01, times Σ|x| of a sum, ‖A‖∞‖B‖∞ of a product, and γ₈/2 + 5ε of a layer norm."""

import numpy
from test_sharp_tolerances import OPERATIONS

import assay

#: Lengths of the axes: rows as long as those of models.
SIZES = {
    "product": [(16, 4096), (4096, 16)],
    "attention": [(16, 64), (512, 64), (512, 64)],
    "squared error": [(8, 4096)] * 2,
}
TAU = {"f4": 2.0**-23, "f2": 2.0**-10}


def hipdnn(name, k, kind, x):
    """What hipDNN's formula allows; None for an operation whose formula is not known."""
    epsilon = TAU[kind]

    def gamma(k):
        return 6 * (2 * k) ** 0.5 * epsilon if 2 * k * epsilon >= 0.01 else 2 * k * epsilon / (1 - 2 * k * epsilon)

    if name == "sum":
        return gamma(k) * abs(x[0]).sum(-1)
    if name == "product":
        return gamma(k) * abs(x[0]).sum(1).max() * abs(x[1]).sum(1).max()
    if name == "layer norm":
        return gamma(8) / 2 + 5 * epsilon
    return None


def told(ratios):
    """The smallest and the largest of some multiples; none where the tolerance is 0."""
    ratios = ratios[ratios > 0]
    low, high = ratios.min(), ratios.max()
    return f"{low:.2g} … {high:.2g}"


def line(name, kind):
    formula, kernel, exact, shapes = OPERATIONS[name]
    sizes = SIZES.get(name, [(4096,)] if len(shapes[0]) == 1 else [(8, 4096)])
    draw = numpy.random.default_rng(1)
    x = [draw.standard_normal(size).astype(kind) for size in sizes]
    if name == "attention":
        x[0] = x[0] / numpy.sqrt(x[0].dtype.type(64))
    wide = [each.astype("f8") for each in x]
    truth = exact(*wide)
    found = assay.tolerance(formula, *x)
    atol = numpy.where(found.atol == 0, numpy.inf, found.atol)
    cells = [name, "f32" if kind == "f4" else "f16", found.contract, f"{numpy.median(atol):.2g}"]
    cells += [told(each * (1 + abs(truth)) / atol) for each in (1e-3, 1e-2)]
    allowed = hipdnn(name, sizes[0][-1], kind, wide)
    cells.append("–" if allowed is None else told(allowed / atol))
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    print("| operation | format | contract | tolerance, median | 1e-3 | 1e-2 | hipDNN |")
    print("| --- | --- | --- | --: | --: | --: | --: |")
    for name in OPERATIONS:
        for kind in ("f4", "f2"):
            print(line(name, kind), flush=True)
