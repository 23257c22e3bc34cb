"""Kernels of losses."""

from __future__ import annotations

import numpy
from rows import SUMS, by_halves, each, in_binary16, in_lanes, in_order, mean, one, row
from tables import Table, Wrong, named, narrowed, stale, stored, without_last, zero_from

# ------------------------------------------------------------------------------------------------------- cross-entropy


def of_label(x, label):
    return numpy.take_along_axis(x, label[:, None], axis=1)[:, 0]


def logsumexp(total, x, shift=True):
    m = x.max(axis=-1, keepdims=True) if shift else x.dtype.type(0)
    return numpy.squeeze(m, -1) + numpy.log(total(numpy.exp(x - m))) if shift else numpy.log(total(numpy.exp(x)))


def logsumexp_online(x):
    """Keeps a running maximum over blocks of four. The sum is rescaled when the maximum grows."""
    m, s = x[:, 0], numpy.zeros_like(x[:, 0])
    for k in range(0, x.shape[1], 4):
        above = numpy.maximum(m, x[:, k : k + 4].max(axis=1))
        s = s * numpy.exp(m - above) + in_order(numpy.exp(x[:, k : k + 4] - row(above)))
        m = above
    return m + numpy.log(s)


def rows_direct(total, x, label):
    return logsumexp(total, x) - of_label(x, label)


def rows_shifted(total, x, label):
    """All logits are shifted by the maximum."""
    z = x - x.max(axis=-1, keepdims=True)
    return numpy.log(total(numpy.exp(z))) - of_label(z, label)


def rows_unshifted(total, x, label):
    return logsumexp(total, x, shift=False) - of_label(x, label)


def rows_of_probabilities(total, x, label):
    """-log(softmax)."""
    w = numpy.exp(x - x.max(axis=-1, keepdims=True))
    return -numpy.log(of_label(w / row(total(w)), label))


def rows_clipped(total, x, label):
    """-log(softmax + 10⁻⁷), with a floor against log 0."""
    w = numpy.exp(x - x.max(axis=-1, keepdims=True))
    return -numpy.log(numpy.maximum(of_label(w / row(total(w)), label), x.dtype.type(1e-7)))


def mean_of(of_rows):
    def kernel(total, x, label):
        return mean(total, of_rows(total, x, label))

    return named(f"mean_of_{of_rows.__name__}")(kernel)


def mean_online(x, label):
    return mean(in_order, logsumexp_online(x) - of_label(x, label))


def sum_of_rows(total, x, label):
    return total(rows_direct(total, x, label))


def mean_over_classes(total, x, label):
    return total(rows_direct(total, x, label)) / x.dtype.type(x.shape[1])


def label_off_by_1(of_rows):
    def kernel(total, x, label, *given):
        return of_rows(total, x, (label + 1) % x.shape[1], *given)

    return named("label_off_by_1")(kernel)


def labels_of_next_row(of_rows):
    def kernel(total, x, label, *given):
        return of_rows(total, x, numpy.roll(label, 1), *given)

    return named("labels_of_the_next_row")(kernel)


def label_0_ignored(total, x, label):
    """A mistake: rows with label 0, which often marks padding, are left out of the mean."""
    losses, keeps = rows_direct(total, x, label), label != 0
    return total(losses * keeps) / x.dtype.type(max(keeps.sum(), 1))


def smooth_direct(total, x, label, alpha):
    return logsumexp(total, x) - (1 - alpha) * of_label(x, label) - alpha * mean(total, x)


def smooth_of_logarithms(total, x, label, alpha):
    """Computes the loss from -log softmax of all classes."""
    z = x - x.max(axis=-1, keepdims=True)
    q = row(numpy.log(total(numpy.exp(z)))) - z
    return (1 - alpha) * of_label(q, label) + alpha * mean(total, q)


def smooth_without_1_minus_alpha(total, x, label, alpha):
    return logsumexp(total, x) - of_label(x, label) - alpha * mean(total, x)


def smooth_of_sum(total, x, label, alpha):
    return logsumexp(total, x) - (1 - alpha) * of_label(x, label) - alpha * total(x)


def smooth_over_the_others(total, x, label, alpha):
    """A mistake: α is spread over the n - 1 other classes."""
    n = x.dtype.type(max(x.shape[1] - 1, 1))
    others = (total(x) - of_label(x, label)) / n
    return logsumexp(total, x) - (1 - alpha) * of_label(x, label) - alpha * others


def smooth_not_at_all(total, x, label, alpha):
    return rows_direct(total, x, label)


def smooth_unshifted(total, x, label, alpha):
    return logsumexp(total, x, shift=False) - (1 - alpha) * of_label(x, label) - alpha * mean(total, x)


def z_loss(total, x, label, zeta):
    c = logsumexp(total, x)
    return c - of_label(x, label) + zeta * c * c


def z_loss_online(x, label, zeta):
    c = logsumexp_online(x)
    return c - of_label(x, label) + zeta * (c * c)


def z_loss_not_squared(total, x, label, zeta):
    c = logsumexp(total, x)
    return c - of_label(x, label) + zeta * c


def z_loss_of_shifted(total, x, label, zeta):
    """A mistake: c is taken from the logits after the shift by their maximum."""
    z = x - x.max(axis=-1, keepdims=True)
    c = numpy.log(total(numpy.exp(z)))
    return c - of_label(z, label) + zeta * c * c


def z_loss_of_loss(total, x, label, zeta):
    """A mistake: the square of the loss for the square of c."""
    loss = rows_direct(total, x, label)
    return loss + zeta * loss * loss


def z_loss_not_at_all(total, x, label, zeta):
    return rows_direct(total, x, label)


def z_loss_subtracted(total, x, label, zeta):
    c = logsumexp(total, x)
    return c - of_label(x, label) - zeta * c * c


# ------------------------------------------------------------------------------------------------- binary cross-entropy


def softplus(x):
    """ln(1 + exp(-|x|))."""
    return numpy.log1p(numpy.exp(-numpy.abs(x)))


def bce(x, t):
    return numpy.maximum(x, 0) - x * t + softplus(x)


def bce_of_minus_x(x, t):
    return (1 - t) * x + (numpy.maximum(-x, 0) + softplus(x))


def bce_of_log_sigmoid(x, t):
    return t * (numpy.maximum(-x, 0) + softplus(x)) + (1 - t) * (numpy.maximum(x, 0) + softplus(x))


def bce_by_branch(x, t):
    return numpy.where(x > 0, x, 0).astype(x.dtype) - t * x + numpy.log1p(numpy.exp(numpy.where(x > 0, -x, x)))


def bce_of_probabilities(x, t):
    p = 1 / (1 + numpy.exp(-x))
    return -(t * numpy.log(p) + (1 - t) * numpy.log(1 - p))


def bce_floored(x, t):
    p = numpy.clip(1 / (1 + numpy.exp(-x)), x.dtype.type(1e-7), x.dtype.type(1 - 1e-7))
    return -(t * numpy.log(p) + (1 - t) * numpy.log(1 - p))


def bce_unshifted(x, t):
    return numpy.log(1 + numpy.exp(x)) - x * t


def bce_log_of_1_plus(x, t):
    return numpy.maximum(x, 0) - x * t + numpy.log(1 + numpy.exp(-numpy.abs(x)))


def bce_of_the_other_sign(x, t):
    return numpy.maximum(-x, 0) - x * t + softplus(x)


def bce_of_hard_targets(x, t):
    return bce(x, numpy.round(t))


# -------------------------------------------------------------------------------------------------------- distributions


def log_of(t):
    """ln t, and 0 for t = 0, where the term t·ln t is 0."""
    return numpy.log(numpy.where(t == 0, t.dtype.type(1), t))


def kl(total, x, t):
    return total(t * (log_of(t) - x))


def kl_of_two_products(total, x, t):
    return total(t * log_of(t) - t * x)


def kl_exchanged(total, x, t):
    """A mistake: the divergence in the other direction."""
    return total(numpy.exp(x) * (x - numpy.log(t)))


def kl_mean(total, x, t):
    return mean(total, t * (numpy.log(t) - x))


def kl_of_probabilities(total, x, t):
    """A mistake: x is treated as probabilities."""
    return total(t * (numpy.log(t) - numpy.log(numpy.abs(x))))


def kl_without_entropy(total, x, t):
    return total(-t * x)


def kl_base_2(total, x, t):
    return total(t * (numpy.log2(t) - x))


def kl_with_epsilon(total, x, t):
    return total(t * (numpy.log(t + t.dtype.type(1e-4)) - x))


def kl_of_positive_terms(total, x, t):
    return total(numpy.maximum(t * (numpy.log(t) - x), 0))


# --------------------------------------------------------------------------------------------------------- regression


def mse(total, x, t):
    return mean(total, (x - t) ** 2)


def mse_of_scaled(total, x, t):
    """Each square is divided by n."""
    return total((x - t) ** 2 / x.dtype.type(x.shape[-1]))


def mse_expanded(total, x, t):
    return mean(total, x * x) - 2 * mean(total, x * t) + mean(total, t * t)


def sse(total, x, t):
    return total((x - t) ** 2)


def mse_halved(total, x, t):
    return mean(total, (x - t) ** 2) / 2


def rmse(total, x, t):
    return numpy.sqrt(mean(total, (x - t) ** 2))


def mae(total, x, t):
    return mean(total, numpy.abs(x - t))


def mse_of_n_minus_1(total, x, t):
    return total((x - t) ** 2) / x.dtype.type(max(x.shape[-1] - 1, 1))


def mse_of_mean(total, x, t):
    return mean(total, x - t) ** 2


def huber(x, t, delta):
    a = numpy.abs(x - t)
    m = numpy.minimum(a, delta)
    return m * (a - m / 2)


def huber_by_branch(x, t, delta):
    a = numpy.abs(x - t)
    half = a.dtype.type(0.5)
    return numpy.where(a <= delta, half * a * a, delta * (a - half * delta))


def huber_by_clip(x, t, delta):
    e = x - t
    m = numpy.abs(numpy.clip(e, -delta, delta))
    return m * (numpy.abs(e) - m * e.dtype.type(0.5))


def huber_divided_by_delta(x, t, delta):
    """The smooth L1 loss."""
    return huber(x, t, delta) / delta


def huber_of_delta_1(x, t, delta):
    return huber(x, t, delta.dtype.type(1))


def huber_without_half(x, t, delta):
    a = numpy.abs(x - t)
    m = numpy.minimum(a, delta)
    return m * (a - m)


def huber_without_linear_part(x, t, delta):
    return (x - t) ** 2 / 2


def huber_discontinuous(x, t, delta):
    """δ·a beyond δ."""
    a = numpy.abs(x - t)
    return numpy.where(a <= delta, a * a / 2, delta * a)


def huber_signed(x, t, delta):
    """A mistake: negative differences are treated as small ones."""
    e = x - t
    return numpy.where(e <= delta, e * e / 2, delta * (e - delta / 2))


def mse_of_numbers(total, x, t):
    """A mistake: differences that are NaNs are left out, as if they were masked."""
    return mse(total, numpy.where(numpy.isnan(x - t), 0, x), numpy.where(numpy.isnan(x - t), 0, t))


ROWS = "no rows after the fourth"
BEFORE = "the output of the call before"
HALVES = "accumulators in binary16"

TABLE = {
    "cross_entropy_mean": Table(
        right={
            "tree": [*each(mean_of(rows_direct), by_halves)],
            "any_order": each(mean_of(rows_direct), *SUMS),
            "fast": [mean_online],
            "ways": each(mean_of(rows_shifted), in_order, by_halves),
        },
        wrong=[
            Wrong("ways", one(sum_of_rows), "a sum for a mean"),
            Wrong("ways", one(mean_over_classes), "the number of classes for that of rows"),
            Wrong("ways", one(mean_of(rows_unshifted)), "no shift: pytorch 195829, a common offset of the logits"),
            Wrong("ways", one(mean_of(rows_of_probabilities)), "log of a softmax"),
            Wrong("ways", one(mean_of(rows_clipped)), "a floor of probabilities"),
            Wrong("ways", one(label_off_by_1(mean_of(rows_direct))), "labels off by one"),
            Wrong("ways", one(label_0_ignored), "the label 0 taken for padding"),
            Wrong("any_order", each(mean_of(rows_direct), in_binary16)[0], HALVES),
        ],
    ),
    "cross_entropy_smooth": Table(
        right={
            "tree": each(smooth_direct, by_halves),
            "any_order": each(smooth_direct, *SUMS),
            "ways": each(smooth_of_logarithms, in_order, by_halves),
        },
        wrong=[
            Wrong("ways", one(smooth_without_1_minus_alpha), "1 for 1 - α"),
            Wrong("ways", one(smooth_of_sum), "a sum for a mean"),
            Wrong("ways", one(smooth_over_the_others), "α/(n - 1) for α/n"),
            Wrong("ways", one(smooth_not_at_all), "no smoothing"),
            Wrong("ways", one(smooth_unshifted), "no shift: overflow"),
            Wrong("ways", one(label_off_by_1(smooth_direct)), "labels off by one"),
            Wrong("any_order", each(smooth_direct, in_binary16)[0], HALVES),
            Wrong("ways", zero_from(4, one(smooth_direct)), ROWS),
        ],
    ),
    "cross_entropy_z": Table(
        right={
            "tree": each(z_loss, by_halves),
            "any_order": each(z_loss, *SUMS),
            "fast": [z_loss_online],
        },
        wrong=[
            Wrong("fast", one(z_loss_not_squared), "c for c²"),
            Wrong("fast", one(z_loss_of_shifted), "c of the shifted logits"),
            Wrong("fast", one(z_loss_of_loss), "the loss for c"),
            Wrong("fast", one(z_loss_not_at_all), "no z-loss"),
            Wrong("fast", one(z_loss_subtracted), "a wrong sign"),
            Wrong("fast", one(labels_of_next_row(z_loss)), "labels of the next row"),
            Wrong("any_order", each(z_loss, in_binary16)[0], HALVES),
            Wrong("fast", zero_from(4, one(z_loss)), ROWS),
        ],
    ),
    "bce_with_logits": Table(
        right={"any_order": [bce, bce_by_branch], "ways": [bce_of_minus_x, bce_of_log_sigmoid]},
        wrong=[
            Wrong("ways", bce_of_probabilities, "log of a sigmoid"),
            Wrong("ways", bce_floored, "a floor of probabilities"),
            Wrong("ways", bce_unshifted, "no shift: overflow"),
            Wrong("any_order", bce_log_of_1_plus, "log for log1p"),
            Wrong("ways", bce_of_the_other_sign, "a wrong sign"),
            Wrong("ways", bce_of_hard_targets, "targets rounded to integers"),
            Wrong("ways", stored(bce), "a result in binary16"),
            Wrong("ways", stale(bce), BEFORE),
        ],
    ),
    "kl_div": Table(
        right={
            "tree": each(kl, by_halves),
            "any_order": each(kl, *SUMS),
            "ways": each(kl_of_two_products, in_order, in_lanes),
        },
        wrong=[
            Wrong("ways", one(kl_exchanged), "distributions exchanged"),
            Wrong("ways", one(kl_mean), "a mean for a sum"),
            Wrong("ways", one(kl_of_probabilities), "x taken for probabilities"),
            Wrong("ways", one(kl_without_entropy), "no Σ t·ln t"),
            Wrong("ways", one(kl_base_2), "base 2"),
            Wrong("ways", one(kl_with_epsilon), "an epsilon in the logarithm"),
            Wrong("ways", one(kl_of_positive_terms), "negative terms cut off"),
            Wrong("any_order", each(kl, in_binary16)[0], HALVES),
        ],
    ),
    "mse": Table(
        right={"tree": each(mse, by_halves), "any_order": [*each(mse, *SUMS), one(mse_of_scaled)]},
        wrong=[
            Wrong("any_order", one(mse_expanded), "the expansion for the direct form"),
            Wrong("any_order", one(sse), "a sum for a mean"),
            Wrong("any_order", one(mse_halved), "half of it"),
            Wrong("any_order", one(rmse), "the root of it"),
            Wrong("any_order", one(mae), "p = 1 for p = 2"),
            Wrong("any_order", one(mse_of_n_minus_1), "n - 1 for n"),
            Wrong("any_order", one(mse_of_mean), "the square of a mean"),
            Wrong("exceptional", one(mse_of_numbers), "a NaN left out"),
            Wrong("any_order", without_last(one(mse), 0, 1), "the last number of a row left out"),
            Wrong("any_order", each(mse, in_binary16)[0], HALVES),
        ],
    ),
    "huber": Table(
        right={"any_order": [huber, huber_by_branch, huber_by_clip]},
        wrong=[
            Wrong("any_order", huber_divided_by_delta, "the smooth L1 loss"),
            Wrong("any_order", huber_of_delta_1, "δ ignored"),
            Wrong("any_order", huber_without_half, "δ(a - δ)"),
            Wrong("any_order", huber_without_linear_part, "a²/2 everywhere"),
            Wrong("any_order", huber_discontinuous, "δ·a beyond δ"),
            Wrong("any_order", huber_signed, "no absolute value"),
            Wrong("any_order", narrowed(huber, 0, 1), "inputs in binary16"),
        ],
    ),
}
