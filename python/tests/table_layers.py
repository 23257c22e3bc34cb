"""Kernels of layers: products with their epilogues, experts, and positions. Products are added in the order of the
library, in order, by halves and in blocks. The mistakes are taken from public reports: a weight that is not transposed,
a bias of the other axis, a term added twice or left out, sums in a narrow format, pairs that are mapped wrongly.
"""

import numpy

from forms import erf, in64, table
from table_activations import exp, gelu_erf, gelu_tanh, sigmoid
from tables import Wrong


def library(a, b):
    return a @ b


def in_order(a, b):
    total = numpy.zeros_like(a[..., :, :1] * b[..., :1, :])
    for k in range(a.shape[-1]):
        total = total + a[..., :, k : k + 1] * b[..., k : k + 1, :]
    return total


def by_halves(a, b):
    """Adds in a tree of least height."""
    terms = a[..., :, :, None] * b[..., None, :, :]
    while terms.shape[-2] > 1:
        odd = terms[..., -1:, :] if terms.shape[-2] % 2 else terms[..., :0, :]
        even = terms.shape[-2] - terms.shape[-2] % 2
        terms = numpy.concatenate([terms[..., 0:even:2, :] + terms[..., 1:even:2, :], odd], axis=-2)
    return terms[..., 0, :]


def in_parts(a, b, count=2):
    """Splits the product along k, and adds the parts at the end."""
    cut = (a.shape[-1] + count - 1) // count
    return sum(library(a[..., :, i : i + cut], b[..., i : i + cut, :]) for i in range(0, a.shape[-1], cut))


def in_binary16(a, b):
    return library(a.astype("f2"), b.astype("f2")).astype(a.dtype)


def without_last(a, b):
    return library(a[..., :, :-1], b[..., :-1, :])


def not_transposed(a, b):
    """A mistake: the memory of bᵀ is read as b."""
    return library(a, numpy.ascontiguousarray(numpy.swapaxes(b, -1, -2)).reshape(b.shape))


def products(layer, wrong, rung="any_order", more=None):
    """The table of a layer. The layer takes the product that it uses as its first argument."""

    def of(product):
        return lambda *inputs: layer(product, *inputs)

    right = {
        "any_order" if rung == "any_order" else rung: {each.__name__: of(each) for each in (in_order, in_parts)},
        "tree": {
            "by_halves_in_binary64": in64(of(by_halves)),
            **({"by_halves": of(by_halves)} if rung == "any_order" else {}),
        },
    }
    for contract, listed in (more or {}).items():
        right.setdefault(contract, {}).update(listed)
    mistakes = [
        Wrong(rung, of(in_binary16), "products in binary16"),
        Wrong(rung, of(without_last), "the last product left out"),
        Wrong(rung, of(not_transposed), "a weight that is not transposed"),
    ]
    return table(of(library), right, mistakes + [Wrong(rung, each, report) for report, each in wrong.items()], rung)


def linear(product, x, w, b):
    return product(x, w.T) + b


def linear_gelu(product, x, w, b):
    return gelu_erf(linear(product, x, w, b))


def linear_residual(product, x, w, b, r):
    return r + linear(product, x, w, b)


def linear_swiglu(product, x, w, u):
    g = product(x, w.T)
    return g * sigmoid(g) * product(x, u.T)


def linear_backward_weight(product, x, dy):
    return product(dy.T, x)


def lora(product, x, w, a, b, scale):
    return product(x, w.T) + scale * product(product(x, a.T), b.T)


def matmul_batched(product, a, c):
    return product(a, c)


def of_first_axis(b, result):
    """A mistake: the bias goes along the rows, as far as it reaches."""
    return numpy.resize(b, result.shape[0])[:, None]


def moe_combine(h, logit):
    w = exp(logit - logit.max(axis=1, keepdims=True))
    return ((w / w.sum(axis=1, keepdims=True))[:, :, None] * h).sum(axis=1)


def combine_late(h, logit):
    w = exp(logit - logit.max(axis=1, keepdims=True))
    return numpy.einsum("tk,tkd->td", w, h) / w.sum(axis=1, keepdims=True)


def combine_in_order(h, logit):
    w = exp(logit - logit.max(axis=1, keepdims=True))
    w = w / w.sum(axis=1, keepdims=True)
    total = w[:, :1] * h[:, 0]
    for k in range(1, h.shape[1]):
        total = total + w[:, k : k + 1] * h[:, k]
    return total


def moe_experts(x, w, expert, gate, product=library):
    total = 0
    for k in range(expert.shape[1]):
        total = total + gate[:, k : k + 1] * product(x[:, None], w[expert[:, k]].swapaxes(1, 2))[:, 0]
    return total


def experts_by_expert(x, w, expert, gate):
    """Computes each expert for all of its tokens at once."""
    y = numpy.zeros_like(x[:, :1] * w[:1, :, 0])
    for k in range(expert.shape[1]):
        for e in range(len(w)):
            of_e = expert[:, k] == e
            y[of_e] += gate[of_e, k][:, None] * (x[of_e] @ w[e].T)
    return y


def sums_of_products(x, w, expert, gate):
    return moe_experts(x, w, expert, gate, in_order)


def turned(x0, x1, cs, sn, axis):
    return numpy.stack([x0 * cs - x1 * sn, x0 * sn + x1 * cs], axis=axis)


def complex_of(real, imaginary):
    """Complex numbers made without a product, because a product would turn an infinity into a NaN."""
    z = numpy.array(real, dtype=complex)
    z.imag = imaginary
    return z


def rope_halves(x, cs, sn):
    return turned(x[:, 0], x[:, 1], cs, sn, 1)


def by_complex_numbers(x, cs, sn):
    z = complex_of(x[:, 0], x[:, 1]) * complex_of(cs, sn)
    return numpy.stack([z.real, z.imag], axis=1)


def by_rotated_half(x, cs, sn):
    """x·cs + (−x₁, x₀)·sn"""
    half = numpy.stack([-x[:, 1], x[:, 0]], axis=1)
    return x * cs[:, None] + half * sn[:, None]


def neighbors(x):
    """A mistake: takes neighbors as pairs, although the array has the pairs as two halves."""
    return x.reshape(len(x), -1, 2).swapaxes(1, 2)


def angles(pos, freq):
    return pos[:, None] * freq


def rope_angles(x, pos, freq, angle=angles):
    a = angle(pos, freq)
    return turned(x[:, :, 0], x[:, :, 1], numpy.cos(a), numpy.sin(a), 2)


def angles_in_binary16(pos, freq):
    return angles(pos.astype("f2"), freq.astype("f2")).astype(pos.dtype)


def angles_by_complex_numbers(x, pos, freq):
    a = angles(pos, freq)
    z = complex_of(x[:, :, 0], x[:, :, 1]) * complex_of(numpy.cos(a), numpy.sin(a))
    return numpy.stack([z.real, z.imag], axis=2)


def rope_backward(dy, cs, sn):
    return turned(dy[:, :, 0], dy[:, :, 1], cs, -sn, 2)


def backward_by_complex_numbers(dy, cs, sn):
    z = complex_of(dy[:, :, 0], dy[:, :, 1]) * complex_of(cs, -sn)
    return numpy.stack([z.real, z.imag], axis=2)


def backward_of_the_pair(dy, cs, sn):
    other = dy[:, :, ::-1] * numpy.array([1, -1], dy.dtype)
    return dy * cs[:, :, None] + other * sn[:, :, None]


TABLE = {
    "linear": products(
        linear,
        {
            "the bias left out": lambda x, w, b: x @ w.T,
            "the bias along the rows": lambda x, w, b: x @ w.T + of_first_axis(b, x),
            "the bias twice": lambda x, w, b: x @ w.T + 2 * b,
            "the bias subtracted": lambda x, w, b: x @ w.T - b,
        },
    ),
    "linear_gelu": products(
        linear_gelu,
        {
            "the tanh form for the erf form": lambda x, w, b: gelu_tanh(x @ w.T + b),
            "gelu before the bias": lambda x, w, b: gelu_erf(x @ w.T) + b,
            "the bias left out": lambda x, w, b: gelu_erf(x @ w.T),
            "√2 left out": lambda x, w, b: (lambda h: 0.5 * h * (1 + erf(h).astype(h.dtype)))(x @ w.T + b),
            "gelu left out": lambda x, w, b: x @ w.T + b,
        },
        "fast",
    ),
    "linear_residual": products(
        linear_residual,
        {
            "the residual left out": lambda x, w, b, r: x @ w.T + b,
            "the residual twice": lambda x, w, b, r: x @ w.T + b + 2 * r,
            "the bias left out": lambda x, w, b, r: x @ w.T + r,
            "the bias along the rows": lambda x, w, b, r: x @ w.T + r + of_first_axis(b, x),
            "the sign of the residual": lambda x, w, b, r: x @ w.T + b - r,
        },
        more={"ways": {"the_bias_to_the_residual": lambda x, w, b, r: x @ w.T + (b + r)}},
    ),
    "linear_swiglu": products(
        linear_swiglu,
        {
            "the weights exchanged": lambda x, w, u: linear_swiglu(library, x, u, w),
            "the second product left out": lambda x, w, u: (lambda g: g * sigmoid(g))(x @ w.T),
            "the sigmoid alone": lambda x, w, u: sigmoid(x @ w.T) * (x @ u.T),
            "gelu for silu": lambda x, w, u: gelu_erf(x @ w.T) * (x @ u.T),
            "∞/∞ for large gates": lambda x, w, u: (lambda g: g * exp(g) / (1 + exp(g)))(x @ w.T) * (x @ u.T),
        },
        "fast",
    ),
    "linear_backward_weight": products(
        linear_backward_weight,
        {
            "the last row left out": lambda x, dy: dy[:-1].T @ x[:-1],
            "the mean of the rows": lambda x, dy: dy.T @ x / x.dtype.type(len(x)),
            "the sign": lambda x, dy: -(dy.T @ x),
            "rows of two calls": lambda x, dy: 2 * (dy.T @ x),
        },
    ),
    "lora": products(
        lora,
        {
            "the scale left out": lambda x, w, a, b, scale: lora(library, x, w, a, b, 1),
            "the scale on both": lambda x, w, a, b, scale: scale * lora(library, x, w, a, b, 1),
            "the scale over the rank": lambda x, w, a, b, scale: lora(library, x, w, a, b, scale / len(a)),
            "the base left out": lambda x, w, a, b, scale: scale * ((x @ a.T) @ b.T),
            "the addition left out": lambda x, w, a, b, scale: x @ w.T,
            "the sign of the addition": lambda x, w, a, b, scale: lora(library, x, w, a, b, -scale),
        },
        more={"any_order": {"the_scale_inside": lambda x, w, a, b, scale: x @ w.T + (scale * (x @ a.T)) @ b.T}},
    ),
    "matmul_batched": products(
        matmul_batched,
        {
            "the first product alone": lambda a, c: 0 * (a @ c) + (a @ c)[:1],
            "the second factor of the batch before": lambda a, c: a @ numpy.roll(c, 1, axis=0),
            "the batch twice": lambda a, c: 2 * (a @ c),
            "the last batch left out": lambda a, c: numpy.concatenate([(a @ c)[:-1], 0 * (a @ c)[-1:]]),
        },
    ),
    "moe_combine": table(
        moe_combine,
        {
            "tree": {"late_in_binary64": in64(combine_late)},
            "fast": {"the_quotient_last": combine_late, "in_order": combine_in_order},
        },
        [
            Wrong("fast", lambda h, logit: h.mean(axis=1), "equal weights"),
            Wrong("fast", lambda h, logit: (exp(logit)[:, :, None] * h).sum(axis=1), "weights that are not divided"),
            Wrong("fast", lambda h, logit: (sigmoid(logit)[:, :, None] * h).sum(axis=1), "sigmoid for softmax"),
            Wrong("fast", lambda h, logit: combine_late(h, logit[:, ::-1]), "weights in the other order"),
            Wrong("fast", lambda h, logit: combine_late(h, 0 * logit + logit[:1]), "the weights of the first token"),
            Wrong(
                "fast",
                lambda h, logit: combine_late(h[:, :-1], logit[:, :-1]) if h.shape[1] > 1 else h[:, 0],
                "the last expert left out",
            ),
            Wrong(
                "fast",
                lambda h, logit: (exp(logit)[:, :, None] * h).sum(axis=1) / exp(logit).sum(axis=1, keepdims=True),
                "exp without a shift",
            ),
        ],
    ),
    "moe_experts": table(
        moe_experts,
        {
            "tree": {"in_binary64_by_expert": in64(experts_by_expert)},
            "any_order": {"by_expert": experts_by_expert, "in_order": sums_of_products},
        },
        [
            Wrong("any_order", lambda x, w, expert, gate: moe_experts(x, w, 0 * expert, gate), "the first expert"),
            Wrong(
                "any_order",
                lambda x, w, expert, gate: moe_experts(x, w, expert[:, ::-1], gate),
                "gates in the other order",
            ),
            Wrong(
                "any_order", lambda x, w, expert, gate: moe_experts(x, w, expert, 0 * gate + 1), "the gates left out"
            ),
            Wrong(
                "any_order",
                lambda x, w, expert, gate: moe_experts(x, w, (expert + 1) % len(w), gate),
                "experts off by one",
            ),
            Wrong(
                "any_order",
                lambda x, w, expert, gate: moe_experts(x, w, expert[:, :1], gate[:, :1]),
                "one expert for each token",
            ),
            Wrong(
                "any_order",
                lambda x, w, expert, gate: moe_experts(x, w, 0 * expert + expert[:1], gate),
                "the experts of the first token",
            ),
        ],
        "any_order",
    ),
    "rope_halves": table(
        rope_halves,
        {"any_order": {"by_complex_numbers": in64(by_complex_numbers), "by_the_rotated_half": by_rotated_half}},
        [
            Wrong("any_order", lambda x, cs, sn: by_rotated_half(x, cs, -sn), "the sign of the angle"),
            Wrong("any_order", lambda x, cs, sn: turned(x[:, 1], x[:, 0], cs, sn, 1), "the halves exchanged"),
            Wrong("any_order", lambda x, cs, sn: by_rotated_half(x, sn, cs), "sine and cosine exchanged"),
            Wrong("any_order", lambda x, cs, sn: rope_halves(neighbors(x), cs, sn), "pairs of neighbors"),
            Wrong(
                "any_order",
                lambda x, cs, sn: by_rotated_half(x, 0 * cs + cs[:1], 0 * sn + sn[:1]),
                "the position of the first row",
            ),
            Wrong("any_order", lambda x, cs, sn: x * cs[:, None] + x[:, ::-1] * sn[:, None], "a sign"),
        ],
        "any_order",
    ),
    "rope_angles": table(
        rope_angles,
        {
            "any_order": {
                "by_complex_numbers": in64(angles_by_complex_numbers),
                "phases_in_binary64": lambda x, pos, freq: rope_angles(x, pos.astype("f8"), freq).astype(x.dtype),
            },
        },
        [
            Wrong("fast", lambda x, pos, freq: rope_angles(x, pos, freq, angles_in_binary16), "phases in binary16"),
            Wrong("fast", lambda x, pos, freq: rope_angles(x, pos + 1, freq), "positions from 1 on"),
            Wrong("fast", lambda x, pos, freq: rope_angles(x, -pos, freq), "the sign of the angle"),
            Wrong("fast", lambda x, pos, freq: rope_angles(x, pos, numpy.roll(freq, 1)), "the frequency before"),
            Wrong("fast", lambda x, pos, freq: rope_angles(x[:, :, ::-1], pos, freq), "the pair exchanged"),
            Wrong("fast", lambda x, pos, freq: rope_angles(x, numpy.floor(pos), freq), "whole positions"),
        ],
    ),
    "rope_backward": table(
        rope_backward,
        {"any_order": {"by_complex_numbers": in64(backward_by_complex_numbers), "of_the_pair": backward_of_the_pair}},
        [
            Wrong("any_order", lambda dy, cs, sn: rope_backward(dy, cs, -sn), "turned forward"),
            Wrong("any_order", lambda dy, cs, sn: rope_backward(dy[:, :, ::-1], cs, sn), "the pair exchanged"),
            Wrong("any_order", lambda dy, cs, sn: rope_backward(dy, sn, cs), "sine and cosine exchanged"),
            Wrong(
                "any_order",
                lambda dy, cs, sn: rope_backward(dy, numpy.roll(cs, 1, axis=0), sn),
                "the cosine of the row before",
            ),
            Wrong("any_order", lambda dy, cs, sn: dy * cs[:, :, None] + dy[:, :, ::-1] * sn[:, :, None], "a sign"),
        ],
        "any_order",
    ),
}
