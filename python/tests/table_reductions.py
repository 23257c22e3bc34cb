"""Kernels of reductions of rows: means, variances, logarithms of sums and norms."""

from __future__ import annotations

import numpy
from rows import SUMS, backwards, by_halves, in_binary16, in_order
from tables import Table, Wrong, named, scaled, stale, stored, without_last, zero_from

# ------------------------------------------------------------------------------------------------------------ means


def count(x):
    return x.dtype.type(x.shape[-1])


def mean(total):
    return named(f"mean_{total.__name__}")(lambda x: total(x) / count(x))


def mean_by_reciprocal(x):
    return in_order(x) * (x.dtype.type(1) / count(x))


def mean_welford(x):
    m = x[..., 0].copy()
    for k in range(1, x.shape[-1]):
        m += (x[..., k] - m) / x.dtype.type(k + 1)
    return m


def mean_along_the_wrong_axis(x):
    return numpy.resize(x.mean(axis=0), x.shape[0])


def mean_without_nan(x):
    return numpy.nanmean(numpy.where(numpy.isnan(x).all(axis=-1, keepdims=True), 0, x), axis=-1).astype(x.dtype)


def mean_of_n_minus_1(x):
    return in_order(x) / max(count(x) - 1, x.dtype.type(1))


# -------------------------------------------------------------------------------------------------------- variances


def two_pass(total, ddof=0, root=False):
    def kernel(x):
        d = x - (total(x) / count(x))[..., None]
        v = total(d * d) / (count(x) - x.dtype.type(ddof))
        return numpy.sqrt(v) if root else v

    return named(f"two_pass_{total.__name__}")(kernel)


def welford(ddof=0, root=False):
    def kernel(x):
        m, s = numpy.zeros_like(x[..., 0]), numpy.zeros_like(x[..., 0])
        for k in range(x.shape[-1]):
            d = x[..., k] - m
            m = m + d / x.dtype.type(k + 1)
            s = s + d * (x[..., k] - m)
        v = s / (count(x) - x.dtype.type(ddof))
        return numpy.sqrt(v) if root else v

    return named("welford")(kernel)


def one_pass(total, ddof=0, root=False):
    def kernel(x):
        n = count(x)
        m = total(x) / n
        v = numpy.maximum(total(x * x) / n - m * m, 0) * n / (n - x.dtype.type(ddof))
        return numpy.sqrt(v) if root else v

    return named(f"one_pass_{total.__name__}")(kernel)


def of_deviations_from_the_first(ddof=0, root=False):
    """A mistake: shifts by the first number in place of the mean, without a correction."""

    def kernel(x):
        d = x - x[..., :1]
        v = in_order(d * d) / (count(x) - x.dtype.type(ddof))
        return numpy.sqrt(v) if root else v

    return named("of_deviations_from_the_first")(kernel)


def variances(ddof, root):
    """Correct kernels and mistakes for a variance with the denominator n - ddof, or for its root."""
    of = {"ddof": ddof, "root": root}
    right = two_pass(in_order, **of)
    return Table(
        right={
            "tree": [two_pass(by_halves, **of)],
            "any_order": [two_pass(each, **of) for each in SUMS],
            "one_pass": [one_pass(by_halves, **of), one_pass(in_order, **of)],
        },
        wrong=[
            Wrong("any_order", two_pass(in_order, 1 - ddof, root), "n - 1 for n, or n for n - 1"),
            Wrong("any_order", one_pass(in_order, **of), "one pass for two"),
            Wrong("any_order", welford(**of), "Welford's for two passes"),
            Wrong("any_order", two_pass(in_binary16, **of), "accumulators in binary16"),
            Wrong("any_order", of_deviations_from_the_first(**of), "a shift without its correction"),
            Wrong("any_order", two_pass(in_order, ddof, not root), "a variance for its root, or the root for it"),
            Wrong("any_order", without_last(right, 0), "the last number of a row left out"),
            Wrong("any_order", zero_from(4, right), "no rows after the fourth"),
            Wrong("any_order", stale(right), "the output of the call before"),
        ],
    )


# ----------------------------------------------------------------------------------------- logarithms of exponentials


def logaddexp_log1p(a, b):
    return numpy.maximum(a, b) + numpy.log1p(numpy.exp(-numpy.abs(a - b)))


def logaddexp_by_branch(a, b):
    return numpy.where(a > b, a + numpy.log1p(numpy.exp(b - a)), b + numpy.log1p(numpy.exp(a - b)))


def logaddexp_shifted(a, b):
    m = numpy.maximum(a, b)
    return m + numpy.log(numpy.exp(a - m) + numpy.exp(b - m))


def logaddexp_plain(a, b):
    return numpy.log(numpy.exp(a) + numpy.exp(b))


def logaddexp_unshifted_log1p(a, b):
    return a + numpy.log1p(numpy.exp(b - a))


def logaddexp_log_of_1_plus(a, b):
    return numpy.maximum(a, b) + numpy.log(1 + numpy.exp(-numpy.abs(a - b)))


def logaddexp_base_2(a, b):
    return numpy.maximum(a, b) + numpy.log2(1 + numpy.exp2(-numpy.abs(a - b))).astype(a.dtype)


def logaddexp_without_absolute_value(a, b):
    return numpy.maximum(a, b) + numpy.log1p(numpy.exp(a - b))


def logaddexp_cut_off(a, b):
    """A mistake: ignores the smaller number beyond a distance of 8."""
    far = numpy.abs(a - b) > 8
    return numpy.where(far, numpy.maximum(a, b), logaddexp_log1p(a, b))


def prefixes(of_row):
    """A kernel that computes each prefix of a row anew."""

    def kernel(x):
        return numpy.stack([of_row(x[..., : m + 1]) for m in range(x.shape[-1])], axis=-1)

    return named(f"prefixes_{of_row.__name__}")(kernel)


def logsumexp(total):
    def kernel(x):
        m = x.max(axis=-1, keepdims=True)
        return m[..., 0] + numpy.log(total(numpy.exp(x - m)))

    return named(f"logsumexp_{total.__name__}")(kernel)


def logcumsumexp_online(x):
    """Keeps a running maximum. The sum is rescaled when the maximum grows."""
    m, s, out = x[..., 0], numpy.ones_like(x[..., 0]), [x[..., 0]]
    for k in range(1, x.shape[-1]):
        above = numpy.maximum(m, x[..., k])
        shift = numpy.where(numpy.isneginf(above), x.dtype.type(0), above)
        s = s * numpy.exp(m - shift) + numpy.exp(x[..., k] - shift)
        m = above
        out.append(m + numpy.log(s))
    return numpy.stack(out, axis=-1)


def logcumsumexp_of_one_maximum(x):
    """A mistake: all prefixes use the maximum of the whole row."""
    m = x.max(axis=-1, keepdims=True)
    return m + numpy.log(numpy.cumsum(numpy.exp(x - m), axis=-1, dtype=x.dtype))


def logcumsumexp_unshifted(x):
    return numpy.log(numpy.cumsum(numpy.exp(x), axis=-1, dtype=x.dtype))


def logcumsumexp_exclusive(x):
    before = logcumsumexp_online(x)
    return numpy.concatenate([x[..., :1], before[..., :-1]], axis=-1)


def logcumsumexp_without_rescaling(x):
    m, s, out = x[..., 0], numpy.ones_like(x[..., 0]), [x[..., 0]]
    for k in range(1, x.shape[-1]):
        m = numpy.maximum(m, x[..., k])
        s = s + numpy.exp(x[..., k] - m)
        out.append(m + numpy.log(s))
    return numpy.stack(out, axis=-1)


def logcumsumexp_along_the_wrong_axis(x):
    return logcumsumexp_online(x.T.copy()).T


# ------------------------------------------------------------------------------------------------------------- norms


def norm_1(total):
    return named(f"norm_1_{total.__name__}")(lambda x: total(numpy.abs(x)))


def limited(kernel):
    """A mistake: infinities become the largest number, and NaNs become 0."""
    return named("of_limited_inputs")(lambda x: kernel(numpy.nan_to_num(x)))


def absolute_value_of_the_sum(x):
    return numpy.abs(in_order(x))


def norm_2(total):
    return named(f"norm_2_{total.__name__}")(lambda x: numpy.sqrt(total(x * x)))


def norm_2_of_library(x):
    return numpy.linalg.norm(x, axis=-1)


def norm_2_scaled(x):
    """Scales by the largest magnitude, so that no square overflows."""
    m = numpy.abs(x).max(axis=-1, keepdims=True)
    return numpy.where(m[..., 0] == 0, 0, m[..., 0] * numpy.sqrt(in_order((x / m) ** 2))).astype(x.dtype)


def norm_2_of_positive_maximum(x):
    """A mistake: 0 if the maximum is not positive. A NaN is not positive, so it becomes 0."""
    m = numpy.abs(x).max(axis=-1)
    return numpy.where(m > 0, norm_2_scaled(x), 0).astype(x.dtype)


def largest_magnitude(x):
    return numpy.abs(x).max(axis=-1)


def norm_2_with_epsilon(x):
    return numpy.sqrt(in_order(x * x) + x.dtype.type(1e-6))


def root_of_mean_square(x):
    return numpy.sqrt(in_order(x * x) / count(x))


def norm_over_all(norm):
    return named("norm_over_all")(lambda x: numpy.full(x.shape[0], norm(x.reshape(-1)), x.dtype))


TABLE = {
    "mean": Table(
        right={
            "tree": [mean(by_halves)],
            "any_order": [mean(each) for each in SUMS],
            "fast": [mean_by_reciprocal],
        },
        wrong=[
            Wrong("any_order", mean_along_the_wrong_axis, "a wrong axis"),
            Wrong("any_order", mean_of_n_minus_1, "n - 1 for n"),
            Wrong("any_order", in_order, "a sum for a mean"),
            Wrong("any_order", mean(in_binary16), "accumulators in binary16"),
            Wrong("any_order", without_last(mean(in_order), 0), "the last number of a row left out"),
            Wrong("any_order", zero_from(4, mean(in_order)), "no rows after the fourth"),
            Wrong("any_order", stale(mean(in_order)), "the output of the call before"),
            Wrong("any_order", mean_welford, "a running mean for a sum"),
            Wrong("exceptional", mean_without_nan, "a NaN left out"),
        ],
    ),
    "std": variances(0, True),
    "variance_unbiased": variances(1, False),
    "std_unbiased": variances(1, True),
    "logaddexp": Table(
        right={"any_order": [logaddexp_log1p, logaddexp_by_branch, numpy.logaddexp], "ways": [logaddexp_shifted]},
        wrong=[
            Wrong("ways", logaddexp_plain, "no shift: overflow"),
            Wrong("ways", logaddexp_unshifted_log1p, "a shift by the first number, not by the larger one"),
            Wrong("any_order", logaddexp_log_of_1_plus, "log for log1p"),
            Wrong("ways", logaddexp_base_2, "base 2"),
            Wrong("ways", logaddexp_without_absolute_value, "no absolute value"),
            Wrong("any_order", logaddexp_cut_off, "the smaller number ignored"),
            Wrong("ways", stored(logaddexp_log1p), "a result in binary16"),
            Wrong("ways", stale(logaddexp_log1p), "the output of the call before"),
        ],
    ),
    "logcumsumexp": Table(
        right={
            "any_order": [prefixes(logsumexp(each)) for each in (in_order, backwards, by_halves)],
            "fast": [logcumsumexp_online],
        },
        wrong=[
            Wrong("fast", logcumsumexp_of_one_maximum, "one maximum for all prefixes"),
            Wrong("fast", logcumsumexp_unshifted, "no shift: overflow"),
            Wrong("fast", logcumsumexp_exclusive, "a prefix off by one"),
            Wrong("fast", logcumsumexp_without_rescaling, "the sum not scaled where the maximum grows"),
            Wrong("fast", logcumsumexp_along_the_wrong_axis, "a wrong axis"),
            Wrong("fast", prefixes(logsumexp(in_binary16)), "accumulators in binary16"),
            Wrong("fast", zero_from(4, logcumsumexp_online), "no rows after the fourth"),
        ],
    ),
    "norm_1": Table(
        right={"tree": [norm_1(by_halves)], "any_order": [norm_1(each) for each in SUMS]},
        wrong=[
            Wrong("any_order", absolute_value_of_the_sum, "|Σ x| for Σ |x|"),
            Wrong("any_order", norm_2(in_order), "p = 2 for p = 1"),
            Wrong("any_order", largest_magnitude, "p = ∞ for p = 1"),
            Wrong("any_order", norm_1(in_binary16), "accumulators in binary16"),
            Wrong("any_order", norm_over_all(norm_1(in_order)), "all axes for one"),
            Wrong("any_order", mean(in_order), "a mean for a sum"),
            Wrong("exceptional", limited(norm_1(in_order)), "infinities and NaN replaced"),
            Wrong("any_order", zero_from(4, norm_1(in_order)), "no rows after the fourth"),
        ],
    ),
    "norm_2": Table(
        right={
            "tree": [norm_2(by_halves)],
            "any_order": [norm_2(each) for each in SUMS] + [norm_2_of_library],
            "ways": [norm_2_scaled],
        },
        wrong=[
            Wrong("ways", norm_1(in_order), "p = 1 for p = 2"),
            Wrong("ways", largest_magnitude, "p = ∞ for p = 2"),
            Wrong("exceptional", norm_2_of_positive_maximum, "a NaN becomes 0"),
            Wrong("ways", norm_2_with_epsilon, "an epsilon under the root"),
            Wrong("ways", root_of_mean_square, "a mean for a sum"),
            Wrong("ways", norm_over_all(norm_2(in_order)), "all axes for one"),
            Wrong("any_order", norm_2(in_binary16), "accumulators in binary16"),
            Wrong("ways", scaled(1 + 2**-16, norm_2(in_order)), "a result that is off by 2⁻¹⁶"),
            Wrong("ways", zero_from(4, norm_2(in_order)), "no rows after the fourth"),
        ],
    ),
}
