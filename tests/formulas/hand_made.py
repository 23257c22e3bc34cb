#!/usr/bin/env python3
"""Bounds of formulas over the hand-made bounds of the operations that compute the same, on the same inputs.

    hand_made.py [CASES]

For each pair it prints the median and the largest quotient over all entries of normal numbers, and the largest one of
inputs that are harder for a bound, with the number of entries of which the formula has no bound. The exit code is 1 if
a quotient of normal numbers is above 1.05, but for the pairs of STAYS. It needs the package assay (PYTHONPATH and
LIBASSAY_JUDGE, as for the tests of python/tests).
"""

import sys

import assay
import numpy

SUM, DOT, CUMSUM = "f(x[n]) -> s\n  s = sum(x)\n", "f(x[n], y[n]) -> s\n  s = sum(x * y)\n", (
    "f(x[n]) -> y[n]\n  y = cumsum(x, axis=n)\n")
AXPY = "f(alpha, x[n], y[n]) -> r[n]\n  r = alpha * x + y\n"
MATMUL = "f(a[m,k], b[k,n]) -> c[m,n]\n  c = a @ b\n"
ROWS = "f(x[r,n]) -> y[r,n]\n  "
SOFTMAX = ROWS + "y = softmax(x, axis=n)\n"
UNSHIFTED = ROWS + "e = exp(x)\n  y = e / sum(e, axis=n)\n"
OF_LOG_SUM = ROWS + "y = exp(x - logsumexp(x, axis=n))\n"
LOG_OF_SUM = ROWS + "y = x - logsumexp(x, axis=n)\n"
LOG_SHIFTED = ROWS + "z = x - max(x, axis=n)\n  y = z - logsumexp(z, axis=n)\n"
LOG_UNSHIFTED = ROWS + "y = x - log(sum(exp(x), axis=n))\n"
LAYER = ("f(x[r,n], gamma[n], beta[n], eps) -> y[r,n]\n  mu = mean(x, axis=n)\n  d = x - mu\n"
         "  s = rsqrt(variance(x, axis=n) + eps)\n  a = s * gamma\n  y = d * s * gamma + beta\n")
SCALE_SHIFT = LAYER + "  way y = (x * s - mu * s) * gamma + beta\n  way y = x * a + (beta - mu * a)\n"
RMS = ("f(x[r,n], gamma[n], eps) -> y[r,n]\n  s = rsqrt(mean(x^2, axis=n) + eps)\n  y = x * s * gamma\n"
       "  way y = x * gamma * s\n")


def machine(settings):
    return f"machine hand\n  sum any ; {settings}\n"


THREE, FLUSHED = machine("functions 3 ulp"), machine("functions 3 ulp ; ftz")
NORM, NORM_FLUSHED = machine("functions 1 ulp ; reciprocal"), machine("functions 1 ulp ; reciprocal ; ftz")

#: Formula, and the machine that the hand-made contract describes; the operation with its contract. Both get the same
#: arrays.
PAIRS = {
    "sum, any order": (SUM, "any_order", "sum", "any_order", "x"),
    "sum, pairs": (SUM, "tree", "sum", "pairwise", "x"),
    "dot, any order": (DOT, "any_order", "dot", "any_order", "xy"),
    "dot, pairs": (DOT, "tree", "dot", "pairwise", "xy"),
    "cumsum, any order": (CUMSUM, "any_order", "cumsum", "any_order", "x"),
    "axpy, two roundings": (AXPY, "any_order", "axpy", "two_roundings", "sxy"),
    "matmul, inner product": (MATMUL, "any_order", "matmul", "inner_product", "ab"),
    "softmax, shifted, 1 ulp": (SOFTMAX, "any_order", "softmax", "shifted_1ulp", "r"),
    "softmax, shifted, 3 ulps": (SOFTMAX + THREE, "hand", "softmax", "shifted_3ulp", "r"),
    "softmax, shifted, 3 ulps, ftz": (SOFTMAX + FLUSHED, "hand", "softmax", "shifted_3ulp_ftz", "r"),
    "softmax, scaled exp2, 3 ulps": (
        SOFTMAX + machine("functions 3 ulp ; exp2"), "hand", "softmax", "scaled_exp2_3ulp", "r"),
    "softmax, of the logarithm, 3 ulps": (OF_LOG_SUM + THREE, "hand", "softmax", "of_log_sum_3ulp", "r"),
    "softmax, unshifted, 3 ulps": (UNSHIFTED + THREE, "hand", "softmax", "unshifted_3ulp", "r"),
    "log_softmax, shifted, 3 ulps": (LOG_SHIFTED + THREE, "hand", "log_softmax", "shifted_3ulp", "r"),
    "log_softmax, of the sum, 3 ulps": (LOG_OF_SUM + THREE, "hand", "log_softmax", "of_sum_3ulp", "r"),
    "log_softmax, unshifted, 3 ulps": (LOG_UNSHIFTED + THREE, "hand", "log_softmax", "unshifted_3ulp", "r"),
    "layer_norm, two passes": (LAYER + NORM, "hand", "layer_norm", "two_pass", "rwbe"),
    "layer_norm, two passes, ftz": (LAYER + NORM_FLUSHED, "hand", "layer_norm", "two_pass_ftz", "rwbe"),
    "layer_norm, scale and shift": (
        SCALE_SHIFT + machine("functions 1 ulp ; reciprocal ; ways"), "hand", "layer_norm", "scale_shift", "rwbe"),
    "layer_norm, one pass": (
        LAYER + machine("functions 1 ulp ; reciprocal ; one_pass"), "hand", "layer_norm", "one_pass", "rwbe"),
    "rms_norm, any order": (
        RMS + machine("functions 1 ulp ; reciprocal ; ways"), "hand", "rms_norm", "any_order", "rwe"),
    "rms_norm, any order, ftz": (
        RMS + machine("functions 1 ulp ; reciprocal ; ways ; ftz"), "hand", "rms_norm", "any_order_ftz", "rwe"),
}
#: Pairs whose hand-made bound is sharper on normal numbers.
STAYS = {"layer_norm, one pass"}

#: What becomes of the rows and vectors of normal numbers.
HARDER = {
    "masked by -1e9": lambda x: numpy.where(numpy.arange(x.shape[-1]) % 3 == 1, numpy.float32(-1e9), x),
    "one 2^26 times as large": lambda x: numpy.where(numpy.arange(x.shape[-1]) == 0, x * numpy.float32(2**26), x),
    "2^-70 times as large": lambda x: x * numpy.float32(2**-70),
    "rows of one number": lambda x: x[..., :1],
}


def inputs(random, letters, n, change=lambda x: x):
    """Normal numbers: vectors x and y, matrices a and b, rows r, a scalar s, weights w, biases b of rows, ε e."""
    normal = lambda *shape: random.standard_normal(shape).astype("f4")
    of_rows = "r" in letters
    made = {"x": lambda: change(normal(n)), "y": lambda: normal(n), "a": lambda: normal(3, n),
            "r": lambda: change(normal(3, n)), "b": lambda: normal(n) if of_rows else normal(n, 3),
            "s": lambda: numpy.float32(normal(1)[0]), "w": lambda: normal(n), "e": lambda: numpy.float32(1e-5)}
    arrays = [made[each]() for each in letters]
    length = next((each.shape[-1] for each in arrays if numpy.ndim(each)), n)
    return [each[..., :length] if numpy.ndim(each) and "a" not in letters else each for each in arrays]


def of_operation(operation, contract, letters, arrays):
    if "e" in letters:
        *arrays, eps = arrays
        return assay.tolerance(operation, *arrays, contract=contract, eps=eps)
    return assay.tolerance(operation, *arrays, contract=contract)


def bounds(tolerance):
    """NaN where there is no bound."""
    try:
        return numpy.atleast_1d(tolerance().atol).ravel()
    except ValueError as error:
        if "no bound" not in str(error) and "asks that" not in str(error):
            raise
        return numpy.array([numpy.nan])


def quotients(pair, cases, change=lambda x: x):
    """Derived over hand-made, where both have a bound, and the number of entries where the hand-made one alone has."""
    formula, of_formula, operation, contract, letters = pair
    all_quotients, silent = [], 0
    for case in range(cases):
        random = numpy.random.default_rng(case)
        arrays = inputs(random, letters, int(random.integers(2, 200)), change)
        derived = bounds(lambda: assay.tolerance(formula, *arrays, contract=of_formula))
        hand_made = bounds(lambda: of_operation(operation, contract, letters, arrays))
        derived, hand_made = numpy.broadcast_arrays(derived, hand_made)
        silent += int(numpy.count_nonzero(numpy.isnan(derived) & ~numpy.isnan(hand_made)))
        # Where the hand-made bound is 0, the derived one must be.
        all_quotients.extend(d / h if h else 1.0 if d == 0 else float("inf") for d, h in zip(derived, hand_made)
                             if not numpy.isnan(d + h))
    return all_quotients, silent


def main():
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    is_sharp = True
    for name, pair in PAIRS.items():
        normal, silent = quotients(pair, cases)
        is_sharp = is_sharp and (name in STAYS or max(normal) <= 1.05 and silent == 0)
        print(f"{name}: median {numpy.median(normal):.3f}, largest {max(normal):.3f}, {len(normal)} entries", end="")
        for harder, change in HARDER.items():
            if "a" in pair[4]:
                continue
            of_harder, silent = quotients(pair, max(1, cases // 3), change)
            largest = f"{max(of_harder):.3g}" if of_harder else "-"
            print(f"; {harder}: {largest}" + (f", no bound of {silent}" if silent else ""), end="")
        print()
    return 0 if is_sharp else 1


if __name__ == "__main__":
    sys.exit(main())
