"""Kernels of the gradients of losses and of softmax."""

from __future__ import annotations

import numpy
from rows import SUMS, by_halves, each, in_binary16, in_order, one, row
from table_losses import logsumexp, logsumexp_online
from tables import Table, Wrong, named, narrowed, stale, stored, zero_from


def softmax(total, x):
    w = numpy.exp(x - x.max(axis=-1, keepdims=True))
    return w / row(total(w))


def softmax_unshifted(total, x):
    w = numpy.exp(x)
    return w / row(total(w))


# ------------------------------------------------------------------------------------------------------- cross-entropy


def smooth(total, x, onehot, alpha, dl):
    return (softmax(total, x) - (1 - alpha) * onehot - alpha / x.dtype.type(x.shape[1])) * row(dl)


def smooth_by_columns(total, x, onehot, alpha, dl):
    """Applies the factor of the row first."""
    scaled = softmax(total, x) - (1 - alpha) * onehot
    return row(dl) * (scaled - alpha / x.dtype.type(x.shape[1]))


def smooth_without_smoothing(total, x, onehot, alpha, dl):
    return (softmax(total, x) - onehot) * row(dl)


def smooth_without_uniform(total, x, onehot, alpha, dl):
    return (softmax(total, x) - (1 - alpha) * onehot) * row(dl)


def smooth_of_alpha(total, x, onehot, alpha, dl):
    """A mistake: α for α/n."""
    return (softmax(total, x) - (1 - alpha) * onehot - alpha) * row(dl)


def smooth_of_first_factor(total, x, onehot, alpha, dl):
    return smooth(total, x, onehot, alpha, numpy.broadcast_to(dl[:1], dl.shape))


def smooth_without_factor(total, x, onehot, alpha, dl):
    return smooth(total, x, onehot, alpha, numpy.ones_like(dl))


def smooth_unshifted(total, x, onehot, alpha, dl):
    return (softmax_unshifted(total, x) - (1 - alpha) * onehot - alpha / x.dtype.type(x.shape[1])) * row(dl)


def z_loss(total, x, onehot, zeta, dl):
    c = row(logsumexp(total, x))
    return ((1 + 2 * zeta * c) * softmax(total, x) - onehot) * row(dl)


def z_loss_scaled_first(total, x, onehot, zeta, dl):
    m = x.max(axis=-1, keepdims=True)
    w = numpy.exp(x - m)
    l = row(total(w))  # noqa: E741
    return row(dl) * ((1 + zeta * 2 * (m + numpy.log(l))) * (w / l) - onehot)


def z_loss_online(x, onehot, zeta, dl):
    return ((1 + 2 * zeta * row(logsumexp_online(x))) * softmax(in_order, x) - onehot) * row(dl)


def z_loss_without_2(total, x, onehot, zeta, dl):
    return ((1 + zeta * row(logsumexp(total, x))) * softmax(total, x) - onehot) * row(dl)


def z_loss_not_at_all(total, x, onehot, zeta, dl):
    return (softmax(total, x) - onehot) * row(dl)


def z_loss_of_onehot(total, x, onehot, zeta, dl):
    """A mistake: p - onehot gets the factor of p."""
    return (1 + 2 * zeta * row(logsumexp(total, x))) * (softmax(total, x) - onehot) * row(dl)


def z_loss_added(total, x, onehot, zeta, dl):
    """A mistake: 2ζc is added to every entry."""
    return (softmax(total, x) - onehot + 2 * zeta * row(logsumexp(total, x))) * row(dl)


def z_loss_of_shifted(total, x, onehot, zeta, dl):
    z = x - x.max(axis=-1, keepdims=True)
    return z_loss(total, z, onehot, zeta, dl)


def z_loss_without_factor(total, x, onehot, zeta, dl):
    return z_loss(total, x, onehot, zeta, numpy.ones_like(dl))


# -------------------------------------------------------------------------------------------------------------- softmax


def softmax_dx(total, x, dy):
    p = softmax(total, x)
    return p * (dy - row(total(p * dy)))


def softmax_dx_of_two_products(total, x, dy):
    p = softmax(total, x)
    return p * dy - p * row(total(p * dy))


def softmax_dx_without_sum(total, x, dy):
    return softmax(total, x) * dy


def softmax_dx_of_dy(total, x, dy):
    """A mistake: Σ dy for Σ p·dy."""
    return softmax(total, x) * (dy - row(total(dy)))


def softmax_dx_of_log(total, x, dy):
    """A mistake: the gradient of log_softmax."""
    return dy - softmax(total, x) * row(total(dy))


def softmax_dx_of_columns(total, x, dy):
    return softmax_dx(total, x.T.copy(), dy.T.copy()).T


def softmax_dx_of_mean(total, x, dy):
    p = softmax(total, x)
    return p * (dy - row(total(p * dy) / x.dtype.type(x.shape[1])))


def softmax_dx_of_stored(total, x, dy):
    """A mistake: probabilities in binary16."""
    p = softmax(total, x).astype("f2").astype(x.dtype)
    return p * (dy - row(total(p * dy)))


# --------------------------------------------------------------------------------------------------- number by number


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def sigmoid_by_sign(x):
    w = numpy.exp(-numpy.abs(x))
    return numpy.where(x >= 0, 1 / (1 + w), w / (1 + w))


def bce(x, t, dl):
    return (sigmoid(x) - t) * dl


def bce_by_sign(x, t, dl):
    return (sigmoid_by_sign(x) - t) * dl


def bce_factor_first(x, t, dl):
    return dl * (sigmoid_by_sign(x) - t)


def bce_of_wide_sigmoid(x, t, dl):
    return ((1 / (1 + numpy.exp(-x.astype("f8")))).astype(x.dtype) - t) * dl


def bce_of_wrong_sign(x, t, dl):
    return (t - sigmoid(x)) * dl


def bce_of_hard_targets(x, t, dl):
    return (sigmoid(x) - numpy.round(t)) * dl


def bce_mean(x, t, dl):
    return (sigmoid(x) - t) * dl / x.dtype.type(max(len(x), 1))


def bce_of_derivative(x, t, dl):
    """A mistake: a factor of σ', as for a squared error."""
    s = sigmoid(x)
    return (s - t) * s * (1 - s) * dl


def bce_of_hard_sigmoid(x, t, dl):
    return (numpy.clip(x / 6 + x.dtype.type(0.5), 0, 1) - t) * dl


def bce_without_factor(x, t, dl):
    return sigmoid(x) - t


def kl(t, dl):
    return -t * row(dl)


def kl_of_negative_factor(t, dl):
    return t * row(-dl)


def kl_from_0(t, dl):
    return 0 - t * row(dl)


def kl_of_wrong_sign(t, dl):
    return t * row(dl)



def kl_mean(t, dl):
    return -t * row(dl) / t.dtype.type(t.shape[0])


def kl_without_factor(t, dl):
    return -t


def mse(x, t, dl):
    return 2 * (x - t) * row(dl) / x.dtype.type(x.shape[1])


def mse_of_scale(x, t, dl):
    return x.dtype.type(2) / x.dtype.type(x.shape[1]) * (x - t) * row(dl)


def mse_divided_first(x, t, dl):
    return (x - t) / x.dtype.type(x.shape[1]) * (2 * row(dl))


def mse_of_half(x, t, dl):
    return (x - t) * row(dl) / (x.dtype.type(x.shape[1]) / 2)


def mse_without_2(x, t, dl):
    return (x - t) * row(dl) / x.dtype.type(x.shape[1])


def mse_of_wrong_sign(x, t, dl):
    return mse(t, x, dl)


def mse_of_rows(x, t, dl):
    return 2 * (x - t) * row(dl) / x.dtype.type(x.shape[0])


def mse_without_mean(x, t, dl):
    return 2 * (x - t) * row(dl)


def mse_of_first_factor(x, t, dl):
    return mse(x, t, numpy.broadcast_to(dl[:1], dl.shape))


def huber(x, t, delta, dl):
    return numpy.clip(x - t, -delta, delta) * dl


def huber_by_branch(x, t, delta, dl):
    e = x - t
    return numpy.where(numpy.abs(e) <= delta, e, numpy.sign(e) * delta) * dl


def huber_by_sign(x, t, delta, dl):
    e = x - t
    return numpy.copysign(numpy.minimum(numpy.abs(e), delta), e) * dl


def huber_unclipped(x, t, delta, dl):
    return (x - t) * dl


def huber_of_sign(x, t, delta, dl):
    """A mistake: ±1 beyond δ."""
    e = x - t
    return numpy.where(numpy.abs(e) <= delta, e, numpy.sign(e)) * dl


def huber_divided_by_delta(x, t, delta, dl):
    return huber(x, t, delta, dl) / delta


def huber_of_wrong_sign(x, t, delta, dl):
    return huber(t, x, delta, dl)


def huber_without_lower_side(x, t, delta, dl):
    return numpy.minimum(x - t, delta) * dl


ROWS = "no rows after the fourth"
BEFORE = "the output of the call before"
HALVES = "accumulators in binary16"

TABLE = {
    "cross_entropy_smooth_backward": Table(
        right={
            "tree": each(smooth, by_halves),
            "any_order": [*each(smooth, *SUMS), one(smooth_by_columns)],
        },
        wrong=[
            Wrong("any_order", one(smooth_without_smoothing), "no smoothing"),
            Wrong("any_order", one(smooth_without_uniform), "no α/n"),
            Wrong("any_order", one(smooth_of_alpha), "α for α/n"),
            Wrong("any_order", one(smooth_of_first_factor), "the factor of the first row for all"),
            Wrong("any_order", one(smooth_without_factor), "no factor of the row"),
            Wrong("any_order", one(smooth_unshifted), "no shift: overflow"),
            Wrong("any_order", each(smooth, in_binary16)[0], HALVES),
            Wrong("any_order", zero_from(4, one(smooth)), ROWS),
        ],
    ),
    "cross_entropy_z_backward": Table(
        right={
            "tree": each(z_loss, by_halves),
            "any_order": [*each(z_loss, *SUMS), one(z_loss_scaled_first)],
            "fast": [z_loss_online],
        },
        wrong=[
            Wrong("fast", one(z_loss_without_2), "ζ for 2ζ"),
            Wrong("fast", one(z_loss_not_at_all), "no z-loss"),
            Wrong("fast", one(z_loss_of_onehot), "the factor of p on p - onehot"),
            Wrong("fast", one(z_loss_added), "2ζc added to every entry"),
            Wrong("fast", one(z_loss_of_shifted), "c of the shifted logits"),
            Wrong("fast", one(z_loss_without_factor), "no factor of the row"),
            Wrong("any_order", each(z_loss, in_binary16)[0], HALVES),
            Wrong("fast", zero_from(4, one(z_loss)), ROWS),
        ],
    ),
    "softmax_backward": Table(
        right={
            "tree": each(softmax_dx, by_halves),
            "any_order": each(softmax_dx, *SUMS),
            "ways": each(softmax_dx_of_two_products, in_order, by_halves),
        },
        wrong=[
            Wrong("ways", one(softmax_dx_without_sum), "no Σ p·dy"),
            Wrong("ways", one(softmax_dx_of_dy), "Σ dy for Σ p·dy"),
            Wrong("ways", one(softmax_dx_of_log), "the gradient of log_softmax"),
            Wrong("ways", one(softmax_dx_of_columns), "a wrong axis"),
            Wrong("ways", one(softmax_dx_of_mean), "a mean for a sum"),
            Wrong("ways", one(softmax_dx_of_stored), "probabilities in binary16"),
            Wrong("any_order", each(softmax_dx, in_binary16)[0], HALVES),
            Wrong("ways", zero_from(4, one(softmax_dx)), ROWS),
        ],
    ),
    "bce_with_logits_backward": Table(
        right={"any_order": [bce_of_wide_sigmoid], "fast": [bce, bce_by_sign, bce_factor_first]},
        wrong=[
            Wrong("fast", bce_of_wrong_sign, "a wrong sign"),
            Wrong("fast", bce_of_hard_targets, "targets rounded to integers"),
            Wrong("fast", bce_mean, "a mean for a sum"),
            Wrong("fast", bce_of_derivative, "times the derivative of sigmoid"),
            Wrong("fast", bce_of_hard_sigmoid, "a hard sigmoid"),
            Wrong("fast", bce_without_factor, "no factor"),
            Wrong("fast", stored(bce), "a result in binary16"),
        ],
    ),
    "kl_div_backward": Table(
        right={"any_order": [kl, kl_of_negative_factor, kl_from_0]},
        wrong=[
            Wrong("any_order", kl_of_wrong_sign, "a wrong sign"),
            Wrong("any_order", named("of_the_first_factor")(lambda t, dl: -t * dl[0]), "the first factor for all"),
            Wrong("any_order", kl_mean, "a mean over the rows"),
            Wrong("any_order", kl_without_factor, "no factor of the row"),
            Wrong("any_order", narrowed(kl), "inputs in binary16"),
            Wrong("any_order", zero_from(4, kl), ROWS),
            Wrong("any_order", stale(kl), BEFORE),
        ],
    ),
    "mse_backward": Table(
        right={"any_order": [mse, mse_of_half], "ways": [mse_of_scale, mse_divided_first]},
        wrong=[
            Wrong("ways", mse_without_2, "no 2"),
            Wrong("ways", mse_of_wrong_sign, "a wrong sign"),
            Wrong("ways", mse_of_rows, "the number of rows for that of columns"),
            Wrong("ways", mse_without_mean, "a sum for a mean"),
            Wrong("ways", mse_of_first_factor, "the factor of the first row for all"),
            Wrong("ways", narrowed(mse), "inputs in binary16"),
            Wrong("ways", zero_from(4, mse), ROWS),
        ],
    ),
    "huber_backward": Table(
        right={"any_order": [huber, huber_by_branch, huber_by_sign]},
        wrong=[
            Wrong("any_order", huber_unclipped, "no limit"),
            Wrong("any_order", huber_of_sign, "±1 for ±δ"),
            Wrong("any_order", huber_divided_by_delta, "the smooth L1 loss"),
            Wrong("any_order", huber_of_wrong_sign, "a wrong sign"),
            Wrong("any_order", huber_without_lower_side, "no lower limit"),
            Wrong("any_order", narrowed(huber), "inputs in binary16"),
            Wrong("any_order", stale(huber), BEFORE),
        ],
    ),
}
