"""Kernels of normalizations by channels in training, and of their gradients: batch, group and instance norms.

x is [b, c, s], for groups [b, g, c, s]. A norm is described by the axes of its statistics, and by the axes that the
gradients of γ and β add over.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy
from rows import SUMS, by_halves, each, in_binary16, in_order, one, root
from tables import Table, Wrong, named, narrowed, stale, stored, zero_from


def total_over(total, x, axes):
    """Sums over the axes, with axes of length 1 in their places."""
    kept = [k for k in range(x.ndim) if k not in axes]
    rows = x.transpose(*kept, *axes).reshape(*(x.shape[k] for k in kept), -1)
    return numpy.expand_dims(total(rows), axes)


@dataclass(frozen=True)
class Norm:
    statistics: tuple[int, ...]  #: axes that μ and σ² run over
    parameters: tuple[int, ...]  #: axes that γ and β do not have

    def over(self, total, x):
        return total_over(total, x, self.statistics)

    def mean(self, total, x, less=0):
        return self.over(total, x) / x.dtype.type(max(math.prod(x.shape[k] for k in self.statistics) - less, 1))

    def of_parameter(self, gamma):
        return numpy.expand_dims(gamma, self.parameters)

    def to_parameter(self, total, x):
        return numpy.squeeze(total_over(total, x, self.parameters), self.parameters)

    def deviations(self, total, x, eps, form="two_pass", ddof=0):
        """x - μ and 1/√(σ² + ε)."""
        m = self.mean(total, x)
        d = x - m
        if form == "one_pass":
            return d, root(numpy.maximum(self.mean(total, x * x) - m * m, 0) + eps)
        if form == "outside":
            return d, 1 / (numpy.sqrt(self.mean(total, d * d)) + eps)
        return d, root(self.mean(total, d * d, less=ddof) + eps)


BATCH = Norm((0, 2), (0, 2))
GROUP = Norm((2, 3), (0, 3))
INSTANCE = Norm((2,), (0, 2))
SAMPLE = Norm((1, 2), (0, 2))  #: of a layer norm, by mistake


# ------------------------------------------------------------------------------------------------------------ training


def training(total, x, gamma, beta, eps, norm=BATCH, **options):
    d, t = norm.deviations(total, x, eps, **options)
    return d * t * BATCH.of_parameter(gamma) + BATCH.of_parameter(beta)


def training_folded(total, x, gamma, beta, eps):
    """One scale and one shift for each channel, as in PyTorch on a processor."""
    mu, (_, t) = BATCH.mean(total, x), BATCH.deviations(total, x, eps)
    a = t * BATCH.of_parameter(gamma)
    return x * a + (BATCH.of_parameter(beta) - mu * a)


def training_in_two_steps(total, x, gamma, beta, eps):
    """Adds within each sample, then over the samples."""
    n = x.dtype.type(x.shape[0] * x.shape[2])
    d = x - total_over(total, total_over(total, x, (2,)), (0,)) / n
    v = total_over(total, total_over(total, d * d, (2,)), (0,)) / n
    return d * root(v + eps) * BATCH.of_parameter(gamma) + BATCH.of_parameter(beta)


def training_of_first_sample(total, x, gamma, beta, eps):
    """A mistake: the statistics of the first sample, as when partial sums overwrite each other."""
    m, v = x[:1].mean(axis=(0, 2), keepdims=True), x[:1].var(axis=(0, 2), keepdims=True)
    return (x - m) * root(v + eps) * BATCH.of_parameter(gamma) + BATCH.of_parameter(beta)


def training_of_mean_of_variances(total, x, gamma, beta, eps):
    """A mistake: combines the variances of the samples without the distances of their means."""
    d, v = x - BATCH.mean(total, x), INSTANCE.mean(total, (x - INSTANCE.mean(total, x)) ** 2)
    t = root(v.mean(axis=0, keepdims=True) + eps)
    return d * t * BATCH.of_parameter(gamma) + BATCH.of_parameter(beta)


def training_without_affine(total, x, gamma, beta, eps):
    d, t = BATCH.deviations(total, x, eps)
    return d * t


def running_mean(total, x, running, momentum, form="weights"):
    m = BATCH.mean(total, x)[0, :, 0]
    return running + momentum * (m - running) if form == "step" else (1 - momentum) * running + momentum * m


def running_variance(total, x, running, momentum, form="weights", ddof=1):
    d = x - BATCH.mean(total, x)
    n = x.dtype.type(x.shape[0] * x.shape[2])
    v = BATCH.mean(total, d * d)[0, :, 0] * (n / (n - 1)) if form == "correction" else (
        BATCH.over(total, d * d)[0, :, 0] / (n - x.dtype.type(ddof)))
    return running + momentum * (v - running) if form == "step" else (1 - momentum) * running + momentum * v


def running_variance_in_one_pass(total, x, running, momentum):
    n = x.dtype.type(x.shape[0] * x.shape[2])
    m = BATCH.mean(total, x)
    v = (BATCH.mean(total, x * x) - m * m)[0, :, 0] * (n / (n - 1))
    return (1 - momentum) * running + momentum * v


def running_deviation(total, x, running, momentum):
    """A mistake: the standard deviation for the variance."""
    d, n = x - BATCH.mean(total, x), x.dtype.type(x.shape[0] * x.shape[2])
    return (1 - momentum) * running + momentum * numpy.sqrt(BATCH.over(total, d * d)[0, :, 0] / (n - 1))


def other_momentum(kernel):
    """A mistake: TensorFlow's momentum, which is one less PyTorch's."""
    return named("momentum_of_the_old_value")(lambda x, running, momentum: kernel(x, running, 1 - momentum))


def not_updated(x, running, momentum):
    return running.copy()


def replaced(kernel):
    return named("without_momentum")(lambda x, running, momentum: kernel(x, running, x.dtype.type(1)))


def added(kernel):
    """A mistake: adds to the running value, which does not decay."""
    return named("added_without_decay")(lambda x, r, momentum: kernel(x, r, momentum) + momentum * r)


def running_of_samples(total, x, running, momentum):
    """A mistake: the statistics of the last sample, by a kernel that updates once for each sample of the batch."""
    return running_mean(total, x[-1:], running, momentum)


# ----------------------------------------------------------------------------------------------------------- gradients


def dx(norm, late=False, without="", sums=False, **options):
    def gradient(total, dy, x, gamma, eps):
        d, t = norm.deviations(total, x, eps, **options)
        h = d if without == "scale of h" else d * t
        w = dy.dtype.type(1) if without == "weight" else norm.of_parameter(gamma)
        g = dy if late else dy * w
        mean = norm.over if sums else norm.mean
        a = dy.dtype.type(0) if without == "mean" else mean(total, g)
        b = dy.dtype.type(0) if without == "projection" else mean(total, g * h)
        inner = g - a - h * b
        if without == "scale":
            return inner
        return w * t * inner if late else t * inner

    return gradient


def dx_together(norm):
    def gradient(total, dy, x, gamma, eps):
        d, t = norm.deviations(total, x, eps)
        h, g = d * t, dy * norm.of_parameter(gamma)
        return t * (g - (h * norm.mean(total, g * h) + norm.mean(total, g)))

    return gradient


def dx_of_deviations(total, dy, x, gamma, eps):
    """The form of PyTorch: Σ dy·(x - μ), and 1/σ² later."""
    d, t = BATCH.deviations(total, x, eps)
    projection = d * BATCH.mean(total, dy * d) * (t * t)
    return (dy - BATCH.mean(total, dy) - projection) * t * BATCH.of_parameter(gamma)


def dx_of_three_factors(total, dy, x, gamma, eps):
    """The form of PyTorch for groups: three factors for each group."""
    _, t = GROUP.deviations(total, x, eps)
    mu, g, n = GROUP.mean(total, x), dy * GROUP.of_parameter(gamma), x.dtype.type(x.shape[2] * x.shape[3])
    slope = (GROUP.over(total, g) * mu - GROUP.over(total, g * x)) * (t * t * t) / n
    return t * g + slope * x + (-slope * mu - GROUP.over(total, g) * t / n)


def dx_of_inference(norm):
    """A mistake: μ and σ² are taken for constants, as in inference."""

    def gradient(total, dy, x, gamma, eps):
        _, t = norm.deviations(total, x, eps)
        return dy * norm.of_parameter(gamma) * t

    return gradient


def of(form, gradient):
    """The kernel with its name."""
    gradient.__name__ = form
    return gradient


def weight_last(norm):
    return of("weight_last", dx(norm, late=True))


def dx_of_channels(total, dy, x, gamma, eps):
    """The same with sums of each channel, which are multiplied by its weight: PyTorch on a processor and on devices."""
    t, mu = root(GROUP.mean(total, (x - GROUP.mean(total, x)) ** 2) + eps), GROUP.mean(total, x)
    dotted, added = total_over(total, dy * x, (3,)), total_over(total, dy, (3,))
    weight, n = gamma[None, :, :, None], x.dtype.type(x.shape[2] * x.shape[3])
    of_x, of_dy = total_over(total, dotted * weight, (2,)), total_over(total, added * weight, (2,))
    slope = (of_dy * mu - of_x) * (t * t * t) / n
    return t * weight * dy + slope * x + (-slope * mu - of_dy * t / n)


def gradients_of_x(norm, wrong_axes, others=()):
    """`others`: more right kernels, which keep `ways`."""
    right = dx(norm)
    ways = each(of("together", dx_together(norm)), in_order, by_halves)
    for other in others:
        ways += each(other, *SUMS)
    return Table(
        right={"any_order": each(of("weight_first", right), *SUMS), "ways": ways},
        wrong=[
            Wrong("ways", one(of("without_mean", dx(norm, without="mean"))), "no mean of g"),
            Wrong("ways", one(of("without_projection", dx(norm, without="projection"))), "no mean of gh"),
            Wrong("ways", one(of("without_scale", dx(norm, without="scale"))), "no 1/σ"),
            Wrong("ways", one(of("without_scale_of_h", dx(norm, without="scale of h"))), "x - μ for h"),
            Wrong("ways", one(of("without_weight", dx(norm, without="weight"))), "no weight"),
            Wrong("ways", one(of("sums", dx(norm, sums=True))), "sums for means"),
            Wrong("ways", one(of("of_n_minus_1", dx(norm, ddof=1))), "n - 1 for n"),
            Wrong("ways", one(of("epsilon_outside", dx(norm, form="outside"))), "epsilon outside the root"),
            Wrong("ways", one(of("constants", dx_of_inference(norm))), "μ and σ² as constants"),
            Wrong("ways", one(of("wrong_axes", dx(wrong_axes))), "statistics over other axes"),
            Wrong("ways", each(of("halves", right), in_binary16)[0], "accumulators in binary16"),
            Wrong("ways", zero_from(4, one(right)), "no samples after the fourth"),
        ],
    )


def dgamma(norm, added=None, normalized=True, scaled=True, mean=False, **options):
    def gradient(total, dy, x, eps):
        d, t = norm.deviations(in_order, x, eps, **options)
        h = (d * t if scaled else d) if normalized else x
        g = (added or norm).to_parameter(total, dy * h)
        return g / dy.dtype.type(dy.shape[0]) if mean else g

    return gradient


def dgamma_by_samples(norm):
    """Adds the sums of the samples."""

    def gradient(total, dy, x, eps):
        d, t = norm.deviations(total, x, eps)
        sums = numpy.squeeze(total_over(total, dy * (d * t), norm.parameters[1:]), norm.parameters[1:])
        return total(numpy.moveaxis(sums, 0, -1))

    return gradient


def dgamma_of_sums(total, dy, x, eps):
    """The form of PyTorch for groups, from the sums of each channel of each sample."""
    _, t = GROUP.deviations(total, x, eps)
    sums = (total(dy * x) - total(dy) * GROUP.mean(total, x)[..., 0]) * t[..., 0]
    return total(numpy.moveaxis(sums, 0, -1))


def last_sample_overwrites(gradient):
    """A mistake: each sample overwrites the result in place of adding to it."""
    return lambda total, dy, *given: gradient(total, dy[-1:], *[g[-1:] if g.ndim > 2 else g for g in given])


def first_position(norm):
    return lambda total, dy, x, eps: dgamma(norm)(total, dy[..., :1], x[..., :1], eps)


def gradients_of_gamma(norm, wrong_axes, ways=()):
    """`ways`: more right kernels, which keep `ways`."""
    right = dgamma(norm)
    return Table(
        right={
            "any_order": [
                *each(of("direct", right), *SUMS, by_halves),
                *each(of("by_samples", dgamma_by_samples(norm)), in_order, by_halves),
            ],
            **({"ways": [kernel for way in ways for kernel in each(way, *SUMS)]} if ways else {}),
        },
        wrong=[
            Wrong("any_order", one(of("not_normalized", dgamma(norm, normalized=False))), "x for h"),
            Wrong("any_order", one(of("not_scaled", dgamma(norm, scaled=False))), "no 1/σ"),
            Wrong("any_order", one(of("epsilon_outside", dgamma(norm, form="outside"))), "epsilon outside the root"),
            Wrong("any_order", one(of("of_n_minus_1", dgamma(norm, ddof=1))), "n - 1 for n"),
            Wrong("any_order", one(of("mean", dgamma(norm, mean=True))), "a mean over the samples for a sum"),
            Wrong("any_order", one(of("wrong_axes", dgamma(wrong_axes, added=norm))), "statistics over other axes"),
            Wrong("any_order", one(of("overwritten", last_sample_overwrites(right))), "samples overwrite each other"),
            Wrong("any_order", one(of("first", first_position(norm))), "the first position alone"),
            Wrong("any_order", each(of("halves", right), in_binary16)[0], "accumulators in binary16"),
        ],
    )


def dbeta(norm):
    return lambda total, dy: norm.to_parameter(total, dy)


def dbeta_by_samples(norm):
    def gradient(total, dy):
        sums = numpy.squeeze(total_over(total, dy, norm.parameters[1:]), norm.parameters[1:])
        return total(numpy.moveaxis(sums, 0, -1))

    return gradient


def gradients_of_beta(norm):
    right = dbeta(norm)
    return Table(
        right={
            "tree": each(of("direct", right), by_halves),
            "any_order": [
                *each(of("direct", right), *SUMS),
                *each(of("by_samples", dbeta_by_samples(norm)), in_order, by_halves),
            ],
        },
        wrong=[
            Wrong("any_order", one(of("first_sample", lambda total, dy: right(total, dy[:1]))), "the first sample"),
            Wrong("any_order", one(of("positions", lambda total, dy: right(total, dy[..., :1]))), "one position"),
            Wrong("any_order", one(of("mean", lambda total, dy: right(total, dy) / len(dy))), "a mean for a sum"),
            Wrong("any_order", one(of("without_last", lambda total, dy: right(total, dy[: max(len(dy) - 1, 1)]))),
                  "the last sample left out"),
            Wrong("any_order", one(of("of_absolute_values", lambda total, dy: right(total, abs(dy)))), "|dy| for dy"),
            Wrong("any_order", each(of("halves", right), in_binary16)[0], "accumulators in binary16"),
            Wrong("any_order", stale(one(right)), "the output of the call before"),
        ],
    )  # fmt: skip


TRAINING = one(training)
MEAN = one(running_mean)
VARIANCE = one(running_variance)

TABLE = {
    "batch_norm_training": Table(
        right={
            "any_order": [*each(training, *SUMS), *each(training_in_two_steps, in_order, by_halves)],
            "ways": [*each(training, in_order, by_halves, form="one_pass"), *each(training_folded, *SUMS)],
        },
        wrong=[
            Wrong("any_order", one(training, form="one_pass"), "one pass for two"),
            Wrong("any_order", one(training_folded), "scale and shift for the difference"),
            Wrong("ways", one(training, ddof=1), "n - 1 for n"),
            Wrong("ways", one(training, form="outside"), "epsilon outside the root"),
            Wrong("ways", one(training, norm=INSTANCE), "statistics of each sample"),
            Wrong("ways", one(training, norm=SAMPLE), "statistics of all channels"),
            Wrong("ways", one(training_of_first_sample), "statistics of the first sample"),
            Wrong("ways", one(training_of_mean_of_variances), "variances combined without the means"),
            Wrong("ways", one(training_without_affine), "no weight and bias"),
            Wrong("any_order", each(training, in_binary16)[0], "accumulators in binary16"),
            Wrong("ways", zero_from(4, TRAINING), "no samples after the fourth"),
        ],
    ),
    "batch_norm_running_mean": Table(
        right={
            "any_order": each(running_mean, *SUMS),
            "ways": each(running_mean, in_order, by_halves, form="step"),
        },
        wrong=[
            Wrong("ways", other_momentum(MEAN), "momentum of the old value"),
            Wrong("ways", not_updated, "no update"),
            Wrong("ways", replaced(MEAN), "the mean of the batch alone"),
            Wrong("ways", added(MEAN), "an old value that does not decay"),
            Wrong("ways", one(running_of_samples), "the mean of the last sample"),
            Wrong("ways", each(running_mean, in_binary16)[0], "accumulators in binary16"),
            Wrong("ways", stored(MEAN), "a result in binary16"),
        ],
    ),
    "batch_norm_running_variance": Table(
        right={
            "any_order": each(running_variance, *SUMS),
            "ways": [
                *each(running_variance, in_order, by_halves, form="step"),
                *each(running_variance, in_order, by_halves, form="correction"),
            ],
        },
        wrong=[
            Wrong("ways", one(running_variance, ddof=0), "n for n - 1"),
            Wrong("any_order", one(running_variance_in_one_pass), "one pass for two"),
            Wrong("ways", one(running_deviation), "the root of the variance"),
            Wrong("ways", other_momentum(VARIANCE), "momentum of the old value"),
            Wrong("ways", not_updated, "no update"),
            Wrong("ways", replaced(VARIANCE), "the variance of the batch alone"),
            Wrong("ways", narrowed(VARIANCE, 0), "inputs in binary16"),
        ],
    ),
    "batch_norm_backward_x": gradients_of_x(BATCH, INSTANCE, [weight_last(BATCH), dx_of_deviations]),
    "group_norm_backward_x": gradients_of_x(GROUP, Norm((1, 2, 3), (0, 3)), [dx_of_three_factors, dx_of_channels]),
    "instance_norm_backward_x": gradients_of_x(INSTANCE, BATCH, [weight_last(INSTANCE)]),
    "batch_norm_backward_gamma": gradients_of_gamma(BATCH, INSTANCE),
    "group_norm_backward_gamma": gradients_of_gamma(GROUP, Norm((1, 2, 3), (0, 3)), [dgamma_of_sums]),
    "instance_norm_backward_gamma": gradients_of_gamma(INSTANCE, BATCH),
    "batch_norm_backward_beta": gradients_of_beta(BATCH),
    "group_norm_backward_beta": gradients_of_beta(GROUP),
    "instance_norm_backward_beta": gradients_of_beta(INSTANCE),
}
