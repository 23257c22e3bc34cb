#!/usr/bin/env python3
"""Bounds of formulas over the hand-made bounds of the operations that compute the same, on the same inputs.

    hand_made.py [CASES]

For each pair it prints the median and the largest quotient over all entries. The exit code is 1 if one is above 1.05.
It needs the package assay (PYTHONPATH and LIBASSAY_JUDGE, as for the tests of python/tests).
"""

import sys

import assay
import numpy

#: Formula with the machine that the hand-made contract describes, and the operation with its contract. Both get the
#: same arrays.
PAIRS = {
    "sum, any order": ("f(x[n]) -> s\n  s = sum(x)\n", "any_order", "sum", "any_order", "x"),
    "sum, pairs": ("f(x[n]) -> s\n  s = sum(x)\n", "tree", "sum", "pairwise", "x"),
    "dot, any order": ("f(x[n], y[n]) -> s\n  s = sum(x * y)\n", "any_order", "dot", "any_order", "xy"),
    "dot, pairs": ("f(x[n], y[n]) -> s\n  s = sum(x * y)\n", "tree", "dot", "pairwise", "xy"),
    "cumsum, any order": ("f(x[n]) -> y[n]\n  y = cumsum(x, axis=n)\n", "any_order", "cumsum", "any_order", "x"),
    "matmul, inner product": (
        "f(a[m,k], b[k,n]) -> c[m,n]\n  c = a @ b\n", "any_order", "matmul", "inner_product", "ab"),
    "softmax, shifted, 3 ulps": (
        "f(x[r,n]) -> y[r,n]\n  y = softmax(x, axis=n)\nmachine hand\n  sum any ; functions 3 ulp\n", "hand",
        "softmax", "shifted_3ulp", "r"),
    "log_softmax, of the sum, 3 ulps": (
        "f(x[r,n]) -> y[r,n]\n  y = x - logsumexp(x, axis=n)\nmachine hand\n  sum any ; functions 3 ulp\n", "hand",
        "log_softmax", "of_sum_3ulp", "r"),
    "layer_norm, two passes": (
        "f(x[r,n], gamma[n], beta[n], eps) -> y[r,n]\n  d = x - mean(x, axis=n)\n"
        "  s = rsqrt(variance(x, axis=n) + eps)\n  y = d * s * gamma + beta\n"
        "machine hand\n  sum any ; functions 1 ulp ; reciprocal\n", "hand", "layer_norm", "two_pass", "rwbe"),
    "rms_norm, any order": (
        "f(x[r,n], gamma[n], eps) -> y[r,n]\n  s = rsqrt(mean(x^2, axis=n) + eps)\n  y = x * s * gamma\n"
        "machine hand\n  sum any ; functions 1 ulp ; reciprocal\n", "hand", "rms_norm", "any_order", "rwe"),
}


def inputs(random, letters, n):
    """Normal numbers: a vector x or y, matrices a and b, rows r, weights w, biases b of rows, ε e."""
    normal = lambda *shape: random.standard_normal(shape).astype("f4")
    of_rows = "r" in letters
    made = {"x": lambda: normal(n), "y": lambda: normal(n), "a": lambda: normal(3, n), "r": lambda: normal(3, n),
            "b": lambda: normal(n) if of_rows else normal(n, 3), "w": lambda: normal(n),
            "e": lambda: numpy.float32(1e-5)}
    return [made[each]() for each in letters]


def of_operation(operation, contract, letters, arrays):
    if "e" in letters:
        *arrays, eps = arrays
        return assay.tolerance(operation, *arrays, contract=contract, eps=eps)
    return assay.tolerance(operation, *arrays, contract=contract)


def main():
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    is_sharp = True
    for name, (formula, machine, operation, contract, letters) in PAIRS.items():
        quotients = []
        for case in range(cases):
            random = numpy.random.default_rng(case)
            arrays = inputs(random, letters, int(random.integers(2, 200)))
            derived = numpy.atleast_1d(assay.tolerance(formula, *arrays, contract=machine).atol).ravel()
            hand_made = numpy.atleast_1d(of_operation(operation, contract, letters, arrays).atol).ravel()
            # Where the hand-made bound is 0, the derived one must be.
            quotients.extend(d / h if h else 1.0 if d == 0 else float("inf") for d, h in zip(derived, hand_made))
        is_sharp = is_sharp and max(quotients) <= 1.05
        print(f"{name}: median {numpy.median(quotients):.3f}, largest {max(quotients):.3f}, {len(quotients)} entries")


    return 0 if is_sharp else 1


if __name__ == "__main__":
    sys.exit(main())
