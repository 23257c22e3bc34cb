"""Planted mistakes in kernels of the formulas that tests/formulas/kernels_test.cpp judges: kinds that public reports
name. Each stands under the rung that its author would claim. formula_evidence.py judges them."""

import functools

import numpy
from core_products import CONV2D, DOT, MATMUL, SUM, bf16, conv2d, dot, matmul, sum_bf16
from forms import erf
from rows import in_order
from table_attention import (
    along_the_rows,
    causal,
    eager,
    everything,
    masked,
    not_divided,
    online,
    softmax,
    stale_maximum,
    stale_sum,
    without_last_key,
    without_shift,
)

exp, log = numpy.exp, numpy.log
F4 = numpy.float32


def column(x):
    return x[..., None]


def nearest_exp(x):
    """exp, rounded to nearest."""
    return exp(x.astype("f8")).astype("f4")


def weights(x, base=exp, shift=True, sum_=None, more=0, clamp=None):
    """Weights of rows and their sums, with a mistake."""
    s = x - (x.max(-1, keepdims=True) if shift else 0)
    w = base(s if clamp is None else numpy.maximum(s, F4(-clamp)))
    total = w.sum(-1, keepdims=True) if sum_ is None else column(sum_(w))
    return w, total + F4(more)


# ----------------------------------------------------------------------------------------------------- softmax and kin

ROWS = {
    "no shift": dict(shift=False),
    "exp2 without log2(e)": dict(base=numpy.exp2),
    "log2(e) in bf16": dict(base=lambda s: numpy.exp2(s * bf16(F4(1.4426950408889634)))),
    "the sum in bf16": dict(sum_=sum_bf16),
    "the last weight left out of the sum": dict(sum_=lambda w: w[..., : max(1, w.shape[-1] - 1)].sum(-1)),
    "1e-6 added to the sum": dict(more=1e-6, base=nearest_exp),
    "logits clamped at 16": dict(clamp=16),
    "weights in bf16": dict(base=lambda s: bf16(exp(s))),
}


def of_rows(kernel):
    return {name: functools.partial(kernel, **options) for name, options in ROWS.items()}


def softmax_of(x, **options):
    w, total = weights(x, **options)
    return w / total


def logsumexp_of(x, **options):
    m = x.max(-1, keepdims=True) if options.get("shift", True) else 0
    return (m + log(weights(x, **options)[1]))[..., 0]


def log_softmax_of(x, **options):
    return x - column(logsumexp_of(x, **options))


def label_of(x, label):
    return numpy.take_along_axis(x, column(label), -1)[..., 0]


def cross_entropy_of(x, label, **options):
    return logsumexp_of(x, **options) - label_of(x, label)


def cross_entropy_backward_of(x, onehot, dl, **options):
    return (softmax_of(x, **options) - onehot) * column(dl)


SOFTMAX = of_rows(softmax_of) | {
    "not divided": lambda x: weights(x)[0],
    "along the columns": lambda x: softmax_of(x.T).T,
    "divided by n": lambda x: weights(x)[0] / F4(x.shape[-1]),
    "of half the logits": lambda x: softmax_of(x / 2),
}
def cross_entropy_backward_at(x, onehot, dl):
    """1 is subtracted at the place of each row's 1."""
    p = softmax_of(x)
    p[range(len(p)), onehot.argmax(-1)] -= 1
    return p * column(dl)


def cross_entropy_backward_of_sum(x, onehot, dl):
    """The gradient of -Σ onehot·log p, whose factor Σ onehot is 1."""
    return (softmax_of(x) * onehot.sum(-1, keepdims=True) - onehot) * column(dl)


LOGSUMEXP = of_rows(logsumexp_of) | {
    "the maximum not added": lambda x: log(weights(x)[1])[..., 0],
    "the maximum subtracted": lambda x: (log(weights(x)[1]) - x.max(-1, keepdims=True))[..., 0],
    "base 2": lambda x: (x.max(-1, keepdims=True) + numpy.log2(weights(x)[1]))[..., 0],
    "the mean of the weights": lambda x: logsumexp_of(x) - log(F4(x.shape[-1])),
}
LOG_SOFTMAX = of_rows(log_softmax_of) | {
    "the logarithm of the softmax": lambda x: log(softmax_of(x)),
    "base 2": lambda x: x - column(LOGSUMEXP["base 2"](x)),
    "the sign": lambda x: -log_softmax_of(x),
}
CROSS_ENTROPY = of_rows(cross_entropy_of) | {
    "the next label": lambda x, label: cross_entropy_of(x, (label + 1) % x.shape[-1]),
    "the logarithm of the softmax": lambda x, label: -log(label_of(softmax_of(x), label)),
    "the sign": lambda x, label: -cross_entropy_of(x, label),
    "base 2": lambda x, label: LOGSUMEXP["base 2"](x) - label_of(x, label),
}
CROSS_ENTROPY_BACKWARD = of_rows(cross_entropy_backward_of) | {
    "onehot left out": lambda x, onehot, dl: softmax_of(x) * column(dl),
    "onehot twice": lambda x, onehot, dl: (softmax_of(x) - 2 * onehot) * column(dl),
    "the sign": lambda x, onehot, dl: (onehot - softmax_of(x)) * column(dl),
    "the gradient of the loss left out": lambda x, onehot, dl: softmax_of(x) - onehot,
}


# ----------------------------------------------------------------------------------------------------------- attention


def scores(seen=causal, by=lambda q, scale: scale):
    return lambda q, k, v, scale: masked(by(q, scale) * (q @ k.T), seen)


def attention(form=eager, **options):
    return lambda q, k, v, scale: form(scores(**options)(q, k, v, scale), v)


def in_parts(s, v, o_to=None, l_to=None):
    """Attention whose sum of values, or of weights, ends too early."""
    w = exp(s - s.max(-1, keepdims=True))
    n = s.shape[-1]
    return (w[:, :o_to] @ v[:o_to] if n > 1 else w @ v) / (w[:, :l_to] if n > 1 else w).sum(-1, keepdims=True)


def narrow(s, v, of=lambda s: s, p=lambda p: p, sums=lambda w: w.sum(-1), o=lambda o: o):
    w = exp(of(s) - of(s).max(-1, keepdims=True))
    return o(p(w / column(sums(w))) @ v)


def accumulated_in_bf16(s, v):
    p = softmax(s)
    o = numpy.zeros((s.shape[0], v.shape[1]), "f4")
    for j in range(s.shape[1]):
        o = bf16(o + p[:, j : j + 1] * v[j])
    return o


FORMS = {
    "the scale left out": attention(by=lambda q, scale: F4(1)),
    "the scale twice": attention(by=lambda q, scale: scale * scale),
    "the scale 1/d": attention(by=lambda q, scale: F4(1 / q.shape[1])),
    "the output not rescaled": attention(stale_maximum),
    "the sum not rescaled": attention(stale_sum),
    "the last key left out of the output": attention(functools.partial(in_parts, o_to=-1)),
    "the last key left out of the sum": attention(functools.partial(in_parts, l_to=-1)),
    "the last key left out": attention(without_last_key),
    "no shift": attention(without_shift),
    "not divided": attention(not_divided),
    "softmax along the rows": attention(along_the_rows),
    "scores in bf16": attention(functools.partial(narrow, of=bf16)),
    "weights in bf16": attention(functools.partial(narrow, p=bf16)),
    "the sum in bf16": attention(functools.partial(narrow, sums=sum_bf16)),
    "the output in bf16": attention(functools.partial(narrow, o=bf16)),
    "the output accumulated in bf16": attention(accumulated_in_bf16),
    "exp2 without log2(e)": attention(lambda s, v: softmax_of(s, base=numpy.exp2) @ v),
    "log2(e) in bf16": attention(lambda s, v: softmax_of(s, **ROWS["log2(e) in bf16"]) @ v),
    "1e-6 added to the sum": attention(lambda s, v: softmax_of(s, **ROWS["1e-6 added to the sum"]) @ v),
    "logits clamped at 16": attention(lambda s, v: softmax_of(s, clamp=16) @ v),
}
ATTENTION = FORMS | {
    "a mask off by one": attention(seen=lambda s: causal(s, s.shape[1] - s.shape[0] + 1)),
    "a mask short by one": attention(seen=lambda s: causal(s, max(0, s.shape[1] - s.shape[0] - 1))),
    "a mask at the other corner": attention(seen=lambda s: causal(s, 0)),
    "no mask": attention(seen=everything),
}


def row_by_row(kernel):
    """Causal attention of one query sees all keys."""
    return lambda q, k, v, scale: numpy.concatenate([kernel(q[i : i + 1], k, v, scale) for i in range(len(q))])


ATTENTION_FULL = {name: row_by_row(kernel) for name, kernel in FORMS.items() if name != "softmax along the rows"}


# ------------------------------------------------------------------------------------------------------ normalizations


def layer_norm(x, gamma, beta, eps, form="two_pass", ddof=0, sums=in_order, d_of=lambda d: d):
    n = F4(x.shape[-1])
    mu = sums(x) / n
    d = d_of(x - column(mu))
    if form == "not centered":
        d = x
    squares = sums(d * d) / F4(max(x.shape[-1] - ddof, 1))
    if form == "one pass":
        squares = numpy.maximum(sums(x * x) / n - mu * mu, 0)
    if form == "of the squares":
        squares = sums(x * x) / n
    root = {"outside": lambda: numpy.sqrt(squares) + eps, "without": lambda: numpy.sqrt(squares),
            "1e-6": lambda: numpy.sqrt(squares + F4(1e-6)), "no root": lambda: squares + eps}
    return d / column(root.get(form, lambda: numpy.sqrt(squares + eps))()) * gamma + beta


def layer_norm_folded(x, gamma, beta, eps):
    """One scale and one shift for each row, as in PyTorch on a processor."""
    n = F4(x.shape[-1])
    mu = in_order(x) / n
    d = x - column(mu)
    t = 1 / numpy.sqrt(in_order(d * d) / n + eps)
    return (x * column(t) - column(mu * t)) * gamma + beta


def rms_norm(x, gamma, eps, form="", ddof=0, sums=in_order, s_of=lambda s: s):
    squares = sums(x * x) / F4(max(x.shape[-1] - ddof, 1))
    if form == "centered":
        d = x - column(sums(x) / F4(x.shape[-1]))
        squares = sums(d * d) / F4(x.shape[-1])
    s = {"outside": lambda: 1 / (numpy.sqrt(squares) + eps), "without": lambda: 1 / numpy.sqrt(squares),
         "1e-6": lambda: 1 / numpy.sqrt(squares + F4(1e-6)), "no root": lambda: 1 / (squares + eps),
         "of the sum": lambda: 1 / numpy.sqrt(sums(x * x) + eps)}
    return x * column(s_of(s.get(form, lambda: 1 / numpy.sqrt(squares + eps))())) * gamma


def variance(x, form="", ddof=0, sums=in_order):
    n = F4(x.shape[-1])
    mu = sums(x) / n
    if form == "one pass":
        return sums(x * x) / n - mu * mu
    if form == "Welford":
        mean, square = x[..., 0] * 0, x[..., 0] * 0
        for j in range(x.shape[-1]):
            d = x[..., j] - mean
            mean = mean + d / F4(j + 1)
            square = square + d * (x[..., j] - mean)
        return square / n
    d = x if form == "not centered" else x - column(mu)
    result = sums(d * d) / F4(max(x.shape[-1] - ddof, 1))
    return numpy.sqrt(result) if form == "root" else result


NORM_FORMS = {"epsilon outside the root": "outside", "no epsilon": "without", "epsilon 1e-6": "1e-6",
              "no root": "no root"}
LAYER_NORM = {name: functools.partial(layer_norm, form=form) for name, form in NORM_FORMS.items()} | {
    "one pass for two": functools.partial(layer_norm, form="one pass"),
    "not centered": functools.partial(layer_norm, form="not centered"),
    "the mean of the squares": functools.partial(layer_norm, form="of the squares"),
    "n - 1 for n": functools.partial(layer_norm, ddof=1),
    "sums in bf16": functools.partial(layer_norm, sums=sum_bf16),
    "distances in bf16": functools.partial(layer_norm, d_of=bf16),
    "beta left out": lambda x, gamma, beta, eps: layer_norm(x, gamma, 0 * beta, eps),
    "gamma left out": lambda x, gamma, beta, eps: layer_norm(x, 0 * gamma + 1, beta, eps),
    "1 + gamma": lambda x, gamma, beta, eps: layer_norm(x, 1 + gamma, beta, eps),
    "gamma in bf16": lambda x, gamma, beta, eps: layer_norm(x, bf16(gamma), beta, eps),
}
RMS_NORM = {name: functools.partial(rms_norm, form=form) for name, form in NORM_FORMS.items()} | {
    "of the distances to the mean": functools.partial(rms_norm, form="centered"),
    "the sum for the mean": functools.partial(rms_norm, form="of the sum"),
    "n - 1 for n": functools.partial(rms_norm, ddof=1),
    "sums in bf16": functools.partial(rms_norm, sums=sum_bf16),
    "the factor in bf16": functools.partial(rms_norm, s_of=bf16),
    "gamma left out": lambda x, gamma, eps: rms_norm(x, 0 * gamma + 1, eps),
    "1 + gamma": lambda x, gamma, eps: rms_norm(x, 1 + gamma, eps),
}
VARIANCE = {
    "n - 1 for n": functools.partial(variance, ddof=1),
    "one pass for two": functools.partial(variance, form="one pass"),
    "Welford for two passes": functools.partial(variance, form="Welford"),
    "not centered": functools.partial(variance, form="not centered"),
    "a root": functools.partial(variance, form="root"),
    "sums in bf16": functools.partial(variance, sums=sum_bf16),
}


# --------------------------------------------------------------------------------------------------------- activations


def sigmoid(x, base=exp):
    return 1 / (1 + base(-x))


def gelu(x, cubic=0.044715, root=0.7978845608028654, half=0.5, one=1, of=lambda t: t, power=3):
    number = x.dtype.type
    t = of(numpy.tanh(number(root) * (x + number(cubic) * x**power)))
    return number(half) * x * (number(one) + t)


def gelu_by_sigmoid(x):
    number = x.dtype.type
    return x * sigmoid(number(1.5957691216057308) * (x + number(0.044715) * x * x * x))


def silu_by_tanh(x):
    return x * (x.dtype.type(0.5) + x.dtype.type(0.5) * numpy.tanh(x / 2))


def gelu_erf(x, root=0.7071067811865476, half=0.5, of=lambda t: t):
    return x.dtype.type(half) * x * (1 + of(erf(x.astype("f8") * root).astype(x.dtype)))


GELU = {
    "erf for tanh": gelu_erf,
    "the coefficient 0.0447": functools.partial(gelu, cubic=0.0447),
    "no cubic term": functools.partial(gelu, cubic=0),
    "a square for the cube": functools.partial(gelu, power=2),
    "the root in bf16": lambda x: gelu(x, root=bf16(F4(0.7978845608028654))),
    "the root of pi/2": functools.partial(gelu, root=1.2533141),
    "no half": functools.partial(gelu, half=1),
    "1 left out": functools.partial(gelu, one=0),
    "tanh in bf16": functools.partial(gelu, of=bf16),
    "sigmoid of 1.702x": lambda x: x * sigmoid(F4(1.702) * x),
}
GELU_ERF = {
    "tanh for erf": gelu,
    "the root left out": functools.partial(gelu_erf, root=1),
    "the root in bf16": lambda x: gelu_erf(x, root=float(bf16(F4(0.7071067811865476)))),
    "no half": functools.partial(gelu_erf, half=1),
    "erf in bf16": functools.partial(gelu_erf, of=bf16),
    "sigmoid of 1.702x": GELU["sigmoid of 1.702x"],
}
SILU = {
    "the sigmoid alone": sigmoid,
    "the sign": lambda x: x * sigmoid(-x),
    "relu": lambda x: numpy.maximum(x, 0),
    "exp2 without log2(e)": lambda x: x * sigmoid(x, numpy.exp2),
    "log2(e) in bf16": lambda x: x * sigmoid(x, ROWS["log2(e) in bf16"]["base"]),
    "the sigmoid in bf16": lambda x: x * bf16(sigmoid(x)),
    "clamped at 16": lambda x: x * sigmoid(numpy.clip(x, -16, 16)),
}
SWIGLU = {
    "gate and value exchanged": lambda g, x: x * sigmoid(x) * g,
    "the gate not multiplied": lambda g, x: sigmoid(g) * x,
    "gelu for silu": lambda g, x: gelu(g) * x,
    "the gate in bf16": lambda g, x: bf16(g * sigmoid(g)) * x,
    "the value left out": lambda g, x: g * sigmoid(g),
    "exp2 without log2(e)": lambda g, x: g * sigmoid(g, numpy.exp2) * x,
}


# ------------------------------------------------------------------------------------------------------------ products


def rope(x, cs, sn, signs=(-1, 1), of=lambda t: t):
    first, second = x[..., 0], x[..., 1]
    cs, sn = of(cs), of(sn)
    return numpy.stack([first * cs + signs[0] * second * sn, second * cs + signs[1] * first * sn], axis=-1)


ROPE = {
    "both signs": functools.partial(rope, signs=(1, -1)),
    "two pluses": functools.partial(rope, signs=(1, 1)),
    "cosine and sine exchanged": lambda x, cs, sn: rope(x, sn, cs),
    "angles in bf16": functools.partial(rope, of=bf16),
    "halves for pairs": lambda x, cs, sn: rope(x.reshape(x.shape[0], 2, -1).swapaxes(1, 2), cs, sn),
    "the position before": lambda x, cs, sn: rope(x, numpy.roll(cs, 1, 0), numpy.roll(sn, 1, 0)),
}

#: Mistakes whose kernels have exponentials for a stronger rung than `fast`, which admits 16u of two of them.
CLAIMED = {"1e-6 added to the sum": "any_order"}
#: By formula: the rung that the author claims, and the mistakes.
MISTAKES = {
    "softmax": ("fast", SOFTMAX),
    "logsumexp": ("fast", LOGSUMEXP),
    "log_softmax": ("ways", LOG_SOFTMAX),
    "cross_entropy": ("ways", CROSS_ENTROPY),
    "cross_entropy_backward": ("fast", CROSS_ENTROPY_BACKWARD),
    "attention": ("fast", ATTENTION),
    "attention_full": ("fast", ATTENTION_FULL),
    "layer_norm": ("any_order", LAYER_NORM),
    "rms_norm": ("fast", RMS_NORM),
    "variance": ("any_order", VARIANCE),
    "gelu": ("fast", GELU),
    "gelu_erf": ("fast", GELU_ERF),
    "silu": ("fast", SILU),
    "swiglu": ("fast", SWIGLU),
    "rope": ("any_order", ROPE),
    "dot": ("any_order", DOT),
    "sum": ("any_order", SUM),
    "matmul": ("any_order", MATMUL),
    "conv2d": ("any_order", CONV2D),
}
#: Right kernels: the functions above without a mistake, and others.
RIGHT = {
    "softmax": [("fast", softmax_of)],
    "logsumexp": [("fast", logsumexp_of)],
    "log_softmax": [("fast", log_softmax_of)],
    "cross_entropy": [("fast", cross_entropy_of)],
    "cross_entropy_backward": [
        ("fast", cross_entropy_backward_of),
        ("fast", cross_entropy_backward_at),
        ("fast", cross_entropy_backward_of_sum),
    ],
    "attention": [("fast", attention()), ("fast", attention(online))],
    "attention_full": [("fast", row_by_row(attention()))],
    "layer_norm": [
        ("fast", layer_norm),
        ("ways", layer_norm_folded),
        ("one_pass", functools.partial(layer_norm, form="one pass")),
    ],
    "rms_norm": [("fast", rms_norm)],
    "variance": [("any_order", variance), ("one_pass", functools.partial(variance, form="one pass"))],
    "gelu": [("fast", gelu), ("ways", gelu_by_sigmoid)],
    "gelu_erf": [("fast", gelu_erf)],
    "silu": [("fast", lambda x: x * sigmoid(x)), ("ways", silu_by_tanh)],
    "swiglu": [("fast", lambda g, x: g * sigmoid(g) * x), ("ways", lambda g, x: silu_by_tanh(g) * x)],
    "rope": [("any_order", rope)],
    "dot": [("any_order", dot)],
    "sum": [("any_order", lambda x: x.sum(dtype=x.dtype))],
    "matmul": [("any_order", matmul)],
    "conv2d": [("any_order", conv2d)],
}
