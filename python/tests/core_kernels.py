"""Right kernels of the formulas that core_mistakes.py has mistakes for, in the forms that kernels take: sums in order,
backwards, in lanes and by halves; quotients early, late and by a reciprocal; weights by exp and by exp2, at once and
online in blocks; products in order, by a library, in parts and by halves. Each computes in the format of its
arguments. formula_evidence.py judges them."""

import numpy
from forms import erf
from rows import SUMS, by_halves, in_order, row
from table_attention import FORMS, causal, eager, everything, masked

ALL_SUMS = (*SUMS, by_halves)
exp, log = numpy.exp, numpy.log


def exp_by_2(x):
    return numpy.exp2(x * x.dtype.type(1.4426950408889634))


def reciprocal(a, b):
    return a * (b.dtype.type(1) / b)


def quotient(a, b):
    return a / b


def maximum(x):
    return x.max(axis=-1, keepdims=True)


def online(x, block=3):
    """The maximum of each row, and the sum of its weights, in blocks."""
    m, total = numpy.full_like(x[..., :1], -numpy.inf), numpy.zeros_like(x[..., :1])
    for j in range(0, x.shape[-1], block):
        new = numpy.maximum(m, maximum(x[..., j : j + block]))
        still = numpy.where(numpy.isneginf(new), x.dtype.type(0), new)
        total = total * exp(m - still) + row(in_order(exp(x[..., j : j + block] - still)))
        m = new
    return m, total


# ------------------------------------------------------------------------------------------------------------- of rows


def softmax_of(total, base, divide):
    def kernel(x):
        w = base(x - maximum(x))
        return divide(w, row(total(w)))

    return kernel


def online_softmax(x):
    m, total = online(x)
    return exp(x - m) / total


def logsumexp_of(total, base=exp):
    return lambda x: (maximum(x) + log(row(total(base(x - maximum(x))))))[..., 0]


def logsumexp_by_2(x):
    """(m·log₂e + log₂ Σ 2^…)·ln 2"""
    scale = x.dtype.type(1.4426950408889634)
    m = maximum(x) * scale
    return ((m + numpy.log2(row(in_order(exp_by_2(x - maximum(x)))))) * x.dtype.type(0.6931471805599453))[..., 0]


def online_logsumexp(x):
    m, total = online(x)
    return (m + log(total))[..., 0]


LOGARITHMS = [*[logsumexp_of(total) for total in ALL_SUMS], logsumexp_of(in_order, exp_by_2), logsumexp_by_2,
              online_logsumexp]


def shifted_log_softmax(total):
    """z − ln Σ exp(z) with z = x − max x."""

    def kernel(x):
        z = x - maximum(x)
        return z - log(row(total(exp(z))))

    return kernel


def at_label(x, label):
    return numpy.take_along_axis(x, row(label), -1)[..., 0]


def gradient_of(softmax):
    return lambda x, onehot, dl: (softmax(x) - onehot) * row(dl)


SOFTMAXES = [softmax_of(total, base, divide) for total in ALL_SUMS for base in (exp, exp_by_2)
             for divide in (quotient, reciprocal)] + [online_softmax]


# ---------------------------------------------------------------------------------------------------------- attention


def attention_of(form, seen):
    return lambda q, k, v, scale: form(masked(scale * (q @ k.T), seen), v)


def scaled_first(seen):
    """The scale is multiplied into Q."""
    return lambda q, k, v, scale: eager(masked((scale * q) @ k.T, seen), v)


def attentions(seen):
    forms = [eager, *FORMS.values(), lambda s, v: reciprocal_of(s) @ v]
    return [*(attention_of(each, seen) for each in forms), scaled_first(seen)]


def reciprocal_of(s):
    return softmax_of(in_order, exp, reciprocal)(s)


# ------------------------------------------------------------------------------------------------------ normalizations


def number(x, value):
    return x.dtype.type(value)


def layer_norm_of(total, divide=quotient):
    def kernel(x, gamma, beta, eps):
        n = number(x, x.shape[-1])
        d = x - row(divide(total(x), n))
        return d * row(1 / numpy.sqrt(divide(total(d * d), n) + eps)) * gamma + beta

    return kernel


def layer_norm_divided(x, gamma, beta, eps):
    """(x − μ)/√(σ² + ε), not by the root's reciprocal."""
    n = number(x, x.shape[-1])
    d = x - row(in_order(x) / n)
    return d / row(numpy.sqrt(in_order(d * d) / n + eps)) * gamma + beta


def rms_norm_of(total, late=False):
    def kernel(x, gamma, eps):
        s = 1 / numpy.sqrt(total(x * x) / number(x, x.shape[-1]) + eps)
        return x * (row(s) * gamma) if late else x * row(s) * gamma

    return kernel


def variance_of(total):
    def kernel(x):
        n = number(x, x.shape[-1])
        d = x - row(total(x) / n)
        return total(d * d) / n

    return kernel


# -------------------------------------------------------------------------------------------------- products and others


def matmul_of(total):
    return lambda a, b: total(a[:, None, :] * b.T[None, :, :])


def in_parts(a, b, parts=3):
    """The sum in parts, which are added at the end."""
    size = -(-a.shape[1] // parts)
    ends = range(0, a.shape[1], size)
    return sum((a[:, j : j + size] @ b[j : j + size] for j in ends), numpy.zeros((len(a), b.shape[1]), a.dtype))


def conv2d_of(total):
    """A product of patches with the kernels."""

    def kernel(x, k):
        r, s = k.shape[2:]
        patches = numpy.lib.stride_tricks.sliding_window_view(x, (r, s), axis=(2, 3)).transpose(0, 2, 3, 1, 4, 5)
        terms = patches[:, None] * k[None, :, None, None]
        return total(terms.reshape(*terms.shape[:4], -1))

    return kernel


def silu_of_quotient(x):
    return x / (1 + exp(-x))


def swiglu_of_quotient(g, x):
    return silu_of_quotient(g) * x


def inner_of_gelu(x):
    number = x.dtype.type
    return number(0.7978845608028654) * x * (1 + number(0.044715) * (x * x))


def gelu_of_factors(x):
    return x.dtype.type(0.5) * x * (1 + numpy.tanh(inner_of_gelu(x)))


def gelu_by_halves(x):
    half = x.dtype.type(0.5)
    return x * (half * numpy.tanh(inner_of_gelu(x)) + half)


def gelu_of_quotient(x):
    return x / (1 + exp(-2 * inner_of_gelu(x)))


def erf_of(x):
    return erf(x.astype("f8") * 0.7071067811865476).astype(x.dtype)


def gelu_erf_of_weight(x):
    return x * (x.dtype.type(0.5) * (1 + erf_of(x)))


def gelu_erf_by_halves(x):
    half = x.dtype.type(0.5)
    return x * (half * erf_of(x) + half)


def rope_of_complex(x, cs, sn):
    pairs = numpy.stack([x, numpy.stack([cs, sn], axis=-1)]).view("c8" if x.dtype == "f4" else "c16")[..., 0]
    turned = pairs[0] * pairs[1]
    return numpy.stack([turned.real, turned.imag], axis=-1)


def rope_of_rotated(x, cs, sn):
    rotated = numpy.stack([-x[..., 1], x[..., 0]], axis=-1)
    return x * row(cs) + rotated * row(sn)


def rope_in_binary64(x, cs, sn):
    x, cs, sn, kind = x.astype("f8"), cs.astype("f8"), sn.astype("f8"), x.dtype
    return numpy.stack([x[..., 0] * cs - x[..., 1] * sn, x[..., 1] * cs + x[..., 0] * sn], axis=-1).astype(kind)


def fast(kernels):
    return [("fast", each) for each in kernels]


def any_order(kernels):
    return [("any_order", each) for each in kernels]


KINDS = {
    "softmax": fast(SOFTMAXES),
    "logsumexp": fast(LOGARITHMS),
    "log_softmax": fast([lambda x, f=f: x - row(f(x)) for f in LOGARITHMS])
    + [("ways", shifted_log_softmax(total)) for total in ALL_SUMS],
    "cross_entropy": fast([lambda x, label, f=f: f(x) - at_label(x, label) for f in LOGARITHMS])
    + [("ways", lambda x, label, f=shifted_log_softmax(total): -at_label(f(x), label)) for total in ALL_SUMS],
    "cross_entropy_backward": fast([gradient_of(each) for each in SOFTMAXES]),
    "attention": fast(attentions(causal)),
    "attention_full": fast(attentions(everything)),
    "layer_norm": fast([layer_norm_of(total) for total in ALL_SUMS] + [layer_norm_of(in_order, reciprocal)]),
    "rms_norm": fast([rms_norm_of(total) for total in ALL_SUMS]),
    "variance": any_order([variance_of(total) for total in ALL_SUMS]),
    "dot": any_order([lambda x, y, total=total: total(x * y) for total in ALL_SUMS] + [numpy.dot]),
    "sum": any_order(ALL_SUMS),
    "matmul": any_order([*[matmul_of(total) for total in ALL_SUMS], numpy.matmul, in_parts]),
    "conv2d": any_order([conv2d_of(total) for total in ALL_SUMS]),
    "gelu": [*fast([gelu_of_factors, gelu_by_halves]), ("ways", gelu_of_quotient)],
    "gelu_erf": fast([gelu_erf_of_weight, gelu_erf_by_halves]),
    "rope": any_order([rope_of_complex, rope_of_rotated, rope_in_binary64]),
    "silu": fast([silu_of_quotient]),
    "swiglu": fast([swiglu_of_quotient]),
}
