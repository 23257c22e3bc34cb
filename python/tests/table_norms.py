"""Kernels of normalizations."""

from __future__ import annotations

import numpy
from rows import SUMS, by_halves, deviations, each, in_binary16, in_order, mean, one, root, row
from tables import Table, Wrong, named, narrowed, stored, zero_from


def layer(total, x, gamma, beta, eps, **options):
    d, t = deviations(total, x, eps, **options)
    return d * row(t) * gamma + beta


# --------------------------------------------------------------------------------------------------------------- batch


def channels(x):
    """One number for each channel, shaped so that it broadcasts over x[b, c, s]."""
    return x[:, None]


def batch_norm(x, mu, var, gamma, beta, eps):
    return (x - channels(mu)) * channels(root(var + eps)) * channels(gamma) + channels(beta)


def batch_norm_of_quotient(x, mu, var, gamma, beta, eps):
    return (x - channels(mu)) / channels(numpy.sqrt(var + eps)) * channels(gamma) + channels(beta)


def batch_norm_scaled(x, mu, var, gamma, beta, eps):
    return (x - channels(mu)) * channels(root(var + eps) * gamma) + channels(beta)


def batch_norm_folded(x, mu, var, gamma, beta, eps):
    """One scale and one shift, as for folding into a convolution."""
    a = root(var + eps) * gamma
    return x * channels(a) + channels(beta - mu * a)


def batch_norm_of_batch(x, mu, var, gamma, beta, eps):
    """A mistake: uses the statistics of the batch, as in training."""
    return batch_norm(x, x.mean(axis=(0, 2)), x.var(axis=(0, 2)), gamma, beta, eps)


def batch_norm_epsilon_outside(x, mu, var, gamma, beta, eps):
    return (x - channels(mu)) / channels(numpy.sqrt(var) + eps) * channels(gamma) + channels(beta)


def batch_norm_without_epsilon(x, mu, var, gamma, beta, eps):
    return batch_norm(x, mu, var, gamma, beta, x.dtype.type(0))


def batch_norm_without_root(x, mu, var, gamma, beta, eps):
    return (x - channels(mu)) / channels(var + eps) * channels(gamma) + channels(beta)


def batch_norm_without_beta(x, mu, var, gamma, beta, eps):
    return batch_norm(x, mu, var, gamma, numpy.zeros_like(beta), eps)


def batch_norm_by_position(x, mu, var, gamma, beta, eps):
    """A mistake: takes the last axis for the channel."""
    c, s = x.shape[1:]
    return batch_norm(x.swapaxes(1, 2) if c == s else x, mu, var, gamma, beta, eps)


# ----------------------------------------------------------------------------------------------- groups and instances


def instance_norm(total, x, gamma, beta, eps, **options):
    d, t = deviations(total, x, eps, **options)
    return d * row(t) * channels(gamma) + channels(beta)


def instance_norm_folded(total, x, gamma, beta, eps):
    """One scale and one shift for each channel of each sample, as in PyTorch on a processor."""
    mu, (_, t) = mean(total, x), deviations(total, x, eps)
    a = row(t) * channels(gamma)
    return x * a + (channels(beta) - row(mu) * a)


def instance_norm_of_batch(total, x, gamma, beta, eps):
    flat = numpy.moveaxis(x, 0, 1).reshape(x.shape[1], -1)
    d, t = deviations(total, flat, eps)
    y = numpy.moveaxis((d * row(t)).reshape(x.shape[1], x.shape[0], -1), 1, 0)
    return y * channels(gamma) + channels(beta)


def instance_norm_of_layer(total, x, gamma, beta, eps):
    d, t = deviations(total, x.reshape(x.shape[0], -1), eps)
    return (d * row(t)).reshape(x.shape) * channels(gamma) + channels(beta)


def instance_norm_without_affine(total, x, gamma, beta, eps):
    d, t = deviations(total, x, eps)
    return d * row(t)


def group_norm(total, x, gamma, beta, eps, **options):
    d, t = deviations(total, x.reshape(*x.shape[:2], -1), eps, **options)
    return (d * row(t)).reshape(x.shape) * row(gamma) + row(beta)


def group_norm_folded(total, x, gamma, beta, eps):
    """One scale and one shift for each channel, as in kernels of PyTorch."""
    flat = x.reshape(*x.shape[:2], -1)
    mu, (_, t) = mean(total, flat), deviations(total, flat, eps)
    a = row(t) * gamma
    return x * row(a) + row(beta - row(mu) * a)


def group_norm_in_two_steps(total, x, gamma, beta, eps):
    """Adds within each channel, then over the channels."""
    n = x.dtype.type(x.shape[2] * x.shape[3])
    d = x - row(row(total(total(x)) / n))
    return d * row(row(root(total(total(d * d)) / n + eps))) * row(gamma) + row(beta)


def group_norm_of_channels(total, x, gamma, beta, eps):
    """A mistake: normalizes each channel by itself, as an instance norm."""
    d, t = deviations(total, x, eps)
    return d * row(t) * row(gamma) + row(beta)


def group_norm_of_all_groups(total, x, gamma, beta, eps):
    d, t = deviations(total, x.reshape(x.shape[0], -1), eps)
    return (d * row(t)).reshape(x.shape) * row(gamma) + row(beta)


def group_norm_weight_of_first_group(total, x, gamma, beta, eps):
    return group_norm(total, x, numpy.broadcast_to(gamma[:1], gamma.shape), beta, eps)


# ----------------------------------------------------------------------------------------------------------- residuals


def layer_residual(total, x, res, gamma, beta, eps, **options):
    return layer(total, x + res, gamma, beta, eps, **options)


def layer_residual_folded(total, x, res, gamma, beta, eps):
    """One scale and one shift for each row, as in PyTorch on a processor."""
    h = x + res
    mu, (_, t) = mean(total, h), deviations(total, h, eps)
    return (h * row(t) - row(mu * t)) * gamma + beta


def layer_residual_after(total, x, res, gamma, beta, eps):
    """A mistake: adds the residual to the result."""
    return layer(total, x, gamma, beta, eps) + res


def layer_residual_without(total, x, res, gamma, beta, eps):
    return layer(total, x, gamma, beta, eps)


def layer_residual_of_x_mean(total, x, res, gamma, beta, eps):
    """A mistake: μ and σ² of x alone."""
    d, t = deviations(total, x, eps)
    return (d + res) * row(t) * gamma + beta


def layer_residual_stored(total, x, res, gamma, beta, eps):
    """A mistake: rounds x + res to binary16."""
    return layer(total, (x + res).astype("f2").astype(x.dtype), gamma, beta, eps)


def rms(total, x, gamma, eps, epsilon="inside", late=False):
    v = mean(total, x * x)
    t = 1 / (numpy.sqrt(v) + eps) if epsilon == "outside" else root(v if epsilon == "without" else v + eps)
    return x * (row(t) * gamma) if late else x * row(t) * gamma


def rms_residual(total, x, res, gamma, eps, **options):
    return rms(total, x + res, gamma, eps, **options)


def rms_residual_after(total, x, res, gamma, eps):
    return rms(total, x, gamma, eps) + res


def rms_residual_of_sum(total, x, res, gamma, eps):
    """A mistake: Σ h² for the mean of h²."""
    h = x + res
    return h * row(root(total(h * h) + eps)) * gamma


def rms_residual_with_mean(total, x, res, gamma, eps):
    """A mistake: subtracts the mean, as in a layer norm."""
    return layer(total, x + res, gamma, gamma.dtype.type(0), eps)


def rms_residual_weight_plus_1(total, x, res, gamma, eps):
    return rms(total, x + res, 1 + gamma, eps)


def rms_residual_twice(total, x, res, gamma, eps):
    return rms(total, x + res + res, gamma, eps)


LAYER = one(layer_residual)
RMS = one(rms_residual)
INSTANCE = one(instance_norm)
GROUP = one(group_norm)
ROWS = "no rows after the fourth"
HALVES = "accumulators in binary16"

TABLE = {
    "batch_norm": Table(
        right={"any_order": [batch_norm, batch_norm_of_quotient, batch_norm_scaled], "ways": [batch_norm_folded]},
        wrong=[
            Wrong("any_order", batch_norm_folded, "scale and shift for the difference"),
            Wrong("ways", batch_norm_of_batch, "statistics of the batch in inference"),
            Wrong("ways", batch_norm_epsilon_outside, "epsilon outside the root"),
            Wrong("ways", batch_norm_without_epsilon, "no epsilon"),
            Wrong("ways", batch_norm_without_root, "the variance for its root"),
            Wrong("ways", batch_norm_without_beta, "no bias"),
            Wrong("ways", batch_norm_by_position, "a wrong axis where both have the same length"),
            Wrong("ways", stored(batch_norm), "a result in binary16"),
            Wrong("ways", zero_from(4, batch_norm), "no samples after the fourth"),
        ],
    ),
    "instance_norm": Table(
        right={
            "tree": each(instance_norm, by_halves),
            "any_order": each(instance_norm, *SUMS),
            "ways": each(instance_norm_folded, *SUMS),
            "one_pass": each(instance_norm, in_order, form="one_pass"),
        },
        wrong=[
            Wrong("any_order", one(instance_norm, form="one_pass"), "one pass for two"),
            Wrong("any_order", one(instance_norm_folded), "scale and shift for the difference"),
            Wrong("any_order", one(instance_norm, ddof=1), "n - 1 for n"),
            Wrong("any_order", one(instance_norm, form="outside"), "epsilon outside the root"),
            Wrong("any_order", one(instance_norm, form="without"), "no epsilon"),
            Wrong("any_order", one(instance_norm_of_batch), "statistics of the batch"),
            Wrong("any_order", one(instance_norm_of_layer), "statistics of all channels"),
            Wrong("any_order", one(instance_norm_without_affine), "no weight and bias"),
            Wrong("any_order", each(instance_norm, in_binary16)[0], HALVES),
            Wrong("any_order", zero_from(4, INSTANCE), "no samples after the fourth"),
        ],
    ),
    "group_norm": Table(
        right={
            "any_order": [*each(group_norm, *SUMS), *each(group_norm_in_two_steps, in_order, by_halves)],
            "ways": [
                *each(group_norm, in_order, by_halves, form="one_pass"),
                *each(group_norm_folded, in_order, by_halves),
            ],
        },
        wrong=[
            Wrong("any_order", one(group_norm_folded), "scale and shift for the difference"),
            Wrong("any_order", one(group_norm, form="one_pass"), "one pass for two"),
            Wrong("any_order", one(group_norm, ddof=1), "n - 1 for n"),
            Wrong("any_order", one(group_norm, form="outside"), "epsilon outside the root"),
            Wrong("ways", one(group_norm_of_channels), "each channel a group"),
            Wrong("ways", one(group_norm_of_all_groups), "all channels one group"),
            Wrong("ways", one(group_norm_weight_of_first_group), "the weight of the first group for all"),
            Wrong("any_order", each(group_norm, in_binary16)[0], HALVES),
            Wrong("ways", zero_from(4, GROUP), "no samples after the fourth"),
        ],
    ),
    "layer_norm_residual": Table(
        right={
            "tree": each(layer_residual, by_halves),
            "any_order": each(layer_residual, *SUMS),
            "ways": each(layer_residual_folded, *SUMS),
            "one_pass": each(layer_residual, in_order, form="one_pass"),
        },
        wrong=[
            Wrong("any_order", one(layer_residual, form="one_pass"), "one pass for two"),
            Wrong("any_order", one(layer_residual, ddof=1), "n - 1 for n"),
            Wrong("any_order", one(layer_residual, form="outside"), "epsilon outside the root"),
            Wrong("any_order", one(layer_residual_after), "the residual added behind the norm"),
            Wrong("any_order", one(layer_residual_without), "no residual"),
            Wrong("any_order", one(layer_residual_of_x_mean), "statistics without the residual"),
            Wrong("any_order", one(layer_residual_stored), "x + res in binary16"),
            Wrong("any_order", zero_from(4, LAYER), ROWS),
        ],
    ),
    "rms_norm_residual": Table(
        right={
            "tree": each(rms_residual, by_halves),
            "any_order": [*each(rms_residual, *SUMS), named("weight_first")(one(rms_residual, late=True))],
        },
        wrong=[
            Wrong("any_order", one(rms_residual, epsilon="outside"), "epsilon outside the root"),
            Wrong("any_order", named("without_epsilon")(one(rms_residual, epsilon="without")), "no epsilon"),
            Wrong("any_order", one(rms_residual_after), "the residual added behind the norm"),
            Wrong("any_order", one(rms_residual_of_sum), "a sum for a mean"),
            Wrong("any_order", one(rms_residual_with_mean), "the mean subtracted"),
            Wrong("any_order", one(rms_residual_weight_plus_1), "1 + γ for γ"),
            Wrong("any_order", one(rms_residual_twice), "the residual added twice"),
            Wrong("any_order", narrowed(RMS, 0, 1), "inputs in binary16"),
            Wrong("any_order", zero_from(4, RMS), ROWS),
        ],
    ),
}
