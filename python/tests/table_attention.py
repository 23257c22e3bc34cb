"""Kernels of attention: eager, with the quotient last, online over blocks of keys, by exp2. The mistakes are taken from
public reports: a scale left out or applied twice, a mask off by one or aligned at the wrong corner, a block that is
left out or not rescaled, heads and windows that are mapped wrongly.
"""

import numpy

from forms import in64, table
from tables import Wrong

exp = numpy.exp


def causal(s, shift=None):
    """Row i sees the entries up to i + m − n, or up to i + shift."""
    n, m = s.shape[-2:]
    return numpy.arange(m) <= numpy.arange(n)[:, None] + (m - n if shift is None else shift)


def everything(s):
    return numpy.ones(s.shape[-2:], bool)


def swapped(x):
    return numpy.swapaxes(x, -1, -2)


def weights_of(s, base=exp):
    w = base(s - s.max(axis=-1, keepdims=True))
    return w, w.sum(axis=-1, keepdims=True)


def softmax(s):
    w, total = weights_of(s)
    return w / total


def masked(s, seen):
    return numpy.where(seen(s), s, -numpy.inf).astype(s.dtype)


def eager(s, v):
    return softmax(s) @ v


def quotient_last(s, v):
    w, total = weights_of(s)
    return (w @ v) / total


def by_exp2(s, v):
    w, total = weights_of(s * s.dtype.type(1.4426950408889634), numpy.exp2)
    return (w @ v) / total


def one_after_the_other(s, v):
    """Sums in the order of the keys."""
    w, _ = weights_of(s)
    total, o = numpy.zeros_like(w[..., :1]), numpy.zeros_like(w[..., :1] * v[..., :1, :])
    for j in range(s.shape[-1]):
        total = total + w[..., j : j + 1]
        o = o + w[..., j : j + 1] * v[..., j : j + 1, :]
    return o / total


def online(s, v, block=3, rescales=True, rescales_sum=True):
    """Works on blocks of keys. The sums so far are rescaled when the maximum grows."""
    m = numpy.full_like(s[..., :1], -numpy.inf)
    total, o = numpy.zeros_like(m), numpy.zeros_like(m * v[..., :1, :])
    for j in range(0, s.shape[-1], block):
        part = s[..., j : j + block]
        new = numpy.maximum(m, part.max(axis=-1, keepdims=True))
        still = numpy.where(numpy.isneginf(new), 0, new).astype(s.dtype)
        w, c = exp(part - still), exp(m - still)
        total = (total * c if rescales_sum else total) + w.sum(axis=-1, keepdims=True)
        o = (o * c if rescales else o) + w @ v[..., j : j + block, :]
        m = new
    return o / total


#: Forms of attention by name. Each keeps `fast`.
FORMS = {each.__name__: each for each in (quotient_last, by_exp2, one_after_the_other, online)}


def without_shift(s, v):
    return (exp(s) @ v) / exp(s).sum(axis=-1, keepdims=True)


def without_last_key(s, v):
    return eager(s[..., :-1], v[..., :-1, :]) if s.shape[-1] > 1 else eager(s, v)


def stale_maximum(s, v):
    return online(s, v, rescales=False)


def stale_sum(s, v):
    return online(s, v, rescales_sum=False)


def not_divided(s, v):
    return weights_of(s)[0] @ v


def along_the_rows(s, v):
    return swapped(softmax(swapped(s))) @ v


def judged(scores, values, wrong, of_scores, more=None, *, result=lambda o: o, overflows=True):
    """The table of a formula with logits from `scores` and values from `values`. Right kernels are the forms above and
    `more`. Mistakes are mistakes of the forms and of the scores, and `wrong`. `overflows`: whether exp without a shift
    may overflow."""

    def of(form, scores=scores):
        return lambda *inputs: result(form(scores(*inputs), values(*inputs)))

    mistakes = [
        *([Wrong("fast", of(without_shift), "exp without a shift")] if overflows else []),
        Wrong("fast", of(without_last_key), "the last key left out"),
        Wrong("fast", of(stale_maximum), "the result not scaled again"),
        Wrong("fast", of(stale_sum), "the sum not scaled again"),
        Wrong("fast", of(not_divided), "the quotient left out"),
        *[Wrong("fast", of(eager, each), report) for report, each in of_scores.items()],
        *wrong,
    ]
    right = {"tree": {"eager_in_binary64": in64(of(eager))}, "fast": {k: of(each) for k, each in FORMS.items()}}
    right["fast"].update(more or {})
    return table(of(eager), right, mistakes)


# ------------------------------------------------------------------------------------------------------- the scores


def bias_scores(q, k, v, bias, scale):
    return scale * (q @ k.T) + bias


def alibi(q, k, v, slope, scale, shift=None, sign=1, seen=causal):
    s = scale * (q @ swapped(k))
    n, m = s.shape[-2:]
    distance = (numpy.arange(m) - numpy.arange(n)[:, None] - (m - n)).astype(s.dtype)
    return masked(s + sign * slope[:, None, None] * distance, seen)


def softcap(q, k, v, scale, cap, seen=causal):
    return masked(cap * numpy.tanh(scale * (q @ k.T) / cap), seen)


def mask_before_the_cap(q, k, v, scale, cap):
    return cap * numpy.tanh(masked(scale * (q @ k.T), causal) / cap)


def window_of(x, w):
    """x[i + w] of each row i."""
    return x[numpy.arange(len(x) - w + 1)[:, None] + numpy.arange(w)]


def window_scores(q, bias, k, v, scale):
    return scale * (window_of(k, len(bias)) @ q[:, :, None]).swapaxes(1, 2) + bias


def window_values(q, bias, k, v, scale):
    return window_of(v, len(bias))


def band_scores(q, bias, k, v, scale):
    """All scores, with the ones outside the window masked."""
    s = scale * (q @ k.T)
    at = numpy.arange(s.shape[1]) - numpy.arange(s.shape[0])[:, None]
    inside = (at >= 0) & (at < len(bias))
    return numpy.where(inside, s + bias[numpy.clip(at, 0, len(bias) - 1)], -numpy.inf).astype(s.dtype)


def moved_window(q, bias, k, v, scale):
    return window_scores(q, bias, numpy.roll(k, -1, axis=0), v, scale)


def without_first_of_the_window(q, bias, *others):
    first = numpy.arange(len(bias)) == 0
    return window_scores(q, numpy.where(first & (len(bias) > 1), -numpy.inf, bias).astype(q.dtype), *others)


def grouped_scores(q, k, v, scale, seen=causal):
    return masked(scale * (q @ swapped(k)[:, None]), seen)


def grouped_values(q, k, v, scale):
    return v[:, None]


def by_remainder(x, q):
    """A mistake: head h uses group h modulo the number of groups."""
    g, r = q.shape[:2]
    return x[(numpy.arange(g * r) % g).reshape(g, r)]


def heads_by_remainder(q, k, v, scale):
    return eager(masked(scale * (q @ swapped(k)), causal), v)


def in_the_order_of_heads(x):
    """A mistake: memory laid out as [key, head, ·] is read as [head, key, ·]."""
    return x.reshape(x.shape[1], x.shape[0], -1)


def decode_scores(q, k, v, scale):
    return scale * (q[:, None] @ k.transpose(1, 2, 0))


def decode_values(q, k, v, scale):
    return v.transpose(1, 0, 2)


def sink_scores(q, k, v, sink, scale):
    s = scale * (q @ k.T)
    return numpy.concatenate([s, numpy.full_like(s[:, :1], sink)], axis=1)


def sink_values(q, k, v, sink, scale):
    return numpy.concatenate([v, numpy.zeros_like(v[:1])])


def by_its_share(q, k, v, sink, scale):
    s = scale * (q @ k.T)
    m = s.max(axis=1, keepdims=True)
    lse = m + numpy.log(exp(s - m).sum(axis=1, keepdims=True))
    return eager(s, v) * (1 / (1 + exp(-(lse - sink))))


def with_one_key_more(form):
    return lambda *inputs: form(sink_scores(*inputs), sink_values(*inputs))


def sink_without_shift(q, k, v, sink, scale):
    w, total = weights_of(scale * (q @ k.T))
    return (w @ v) / (total + exp(sink))


def parts(o, lse):
    return lse.T[:, None]


def values_of_parts(o, lse):
    return o.swapaxes(0, 1)


TABLE = {
    "attention_bias": judged(
        bias_scores,
        lambda q, k, v, *_: v,
        [Wrong("fast", lambda *a: along_the_rows(bias_scores(*a), a[2]), "softmax along the rows")],
        {
            "the bias left out": lambda q, k, v, bias, scale: scale * (q @ k.T),
            "the bias scaled": lambda q, k, v, bias, scale: scale * (q @ k.T + bias),
            "the bias subtracted": lambda q, k, v, bias, scale: scale * (q @ k.T) - bias,
            "the scale left out": lambda q, k, v, bias, scale: q @ k.T + bias,
            "the scale twice": lambda q, k, v, bias, scale: scale * (scale * (q @ k.T)) + bias,
            "the bias of the first row": lambda q, k, v, bias, scale: scale * (q @ k.T) + bias[:1],
        },
    ),
    "attention_alibi": judged(
        alibi,
        lambda q, k, v, *_: v,
        [],
        {
            "the sign of the slope": lambda *a: alibi(*a, sign=-1),
            "the slope left out": lambda *a: alibi(*a, sign=0),
            "the slope of the next head": lambda q, k, v, slope, scale: alibi(q, k, v, numpy.roll(slope, 1), scale),
            "the slope scaled": lambda q, k, v, slope, scale: alibi(q, k, v, slope * scale, scale),
            "no mask": lambda *a: alibi(*a, seen=everything),
            "a mask off by one": lambda *a: alibi(*a, seen=lambda s: causal(s, s.shape[-1] - s.shape[-2] + 1)),
            "a mask at the other corner": lambda *a: alibi(*a, seen=lambda s: causal(s, 0)),
            "the scale left out": lambda q, k, v, slope, scale: alibi(q, k, v, slope, 1),
        },
    ),
    "attention_softcap": judged(
        softcap,
        lambda q, k, v, *_: v,
        [],
        {
            "the cap left out": lambda q, k, v, scale, cap: masked(scale * (q @ k.T), causal),
            "not divided by the cap": lambda q, k, v, scale, cap: masked(cap * numpy.tanh(scale * (q @ k.T)), causal),
            "not multiplied by the cap": lambda q, k, v, scale, cap: softcap(q, k, v, scale, cap) / cap,
            "the mask before the cap": mask_before_the_cap,
            "the scale left out": lambda q, k, v, scale, cap: softcap(q, k, v, 1, cap),
            "a clamp for tanh": lambda q, k, v, scale, cap: masked(numpy.clip(scale * (q @ k.T), -cap, cap), causal),
            "a mask off by one": lambda *a: softcap(*a, seen=lambda s: causal(s, s.shape[-1] - s.shape[-2] + 1)),
            "a mask at the other corner": lambda *a: softcap(*a, seen=lambda s: causal(s, 0)),
        },
        {"without_a_shift": lambda *a: without_shift(softcap(*a), a[2])},
        overflows=False,
    ),
    "attention_window": judged(
        window_scores,
        window_values,
        [
            Wrong("fast", lambda q, bias, k, v, scale: eager(scale * (q @ k.T), v), "no window"),
            Wrong("exceptional", lambda q, *a: eager(band_scores(q, *a), a[2]), "a NaN outside of the window, times 0"),
            Wrong(
                "fast",
                lambda q, bias, k, v, scale: eager(
                    window_scores(q, bias, k, v, scale), window_of(numpy.roll(v, -1, axis=0), len(bias))
                )[:, 0],
                "values of the next window",
            ),
        ],
        {
            "a window off by one": moved_window,
            "the bias left out": lambda q, bias, *a: window_scores(q, 0 * bias, *a),
            "the bias in the other order": lambda q, bias, *a: window_scores(q, bias[::-1], *a),
            "the scale left out": lambda q, bias, k, v, scale: window_scores(q, bias, k, v, 1),
            "the first key of the window left out": without_first_of_the_window,
        },
        result=lambda o: o[:, 0],
    ),
    "attention_grouped": judged(
        grouped_scores,
        grouped_values,
        [
            Wrong(
                "fast",
                lambda q, k, v, scale: heads_by_remainder(q, by_remainder(k, q), by_remainder(v, q), scale),
                "heads mapped by their remainder",
            ),
            Wrong(
                "fast",
                lambda q, k, v, scale: eager(grouped_scores(q, k, v, scale), by_remainder(v, q)),
                "values mapped by their remainder",
            ),
        ],
        {
            "the keys of the first group": lambda q, k, v, scale: grouped_scores(q, 0 * k + k[:1], v, scale),
            "the keys of the group before": lambda q, k, *a: grouped_scores(q, numpy.roll(k, 1, axis=0), *a),
            "no mask": lambda *a: grouped_scores(*a, seen=everything),
            "a mask off by one": lambda *a: grouped_scores(*a, seen=lambda s: causal(s, s.shape[-1] - s.shape[-2] + 1)),
            "a mask at the other corner": lambda *a: grouped_scores(*a, seen=lambda s: causal(s, 0)),
            "the scale left out": lambda q, k, v, scale: grouped_scores(q, k, v, 1),
        },
    ),
    "attention_decode": judged(
        decode_scores,
        decode_values,
        [
            Wrong(
                "fast",
                lambda q, k, v, scale: eager(
                    scale * (q[:, None] @ swapped(in_the_order_of_heads(k))), v.transpose(1, 0, 2)
                )[:, 0],
                "keys in the order of the heads",
            ),
            Wrong(
                "fast",
                lambda q, k, v, scale: eager(decode_scores(q, k, v, scale), in_the_order_of_heads(v))[:, 0],
                "values in the order of the heads",
            ),
        ],
        {
            "the scale left out": lambda q, k, v, scale: decode_scores(q, k, v, 1),
            "the keys of the first head": lambda q, k, v, scale: decode_scores(q, 0 * k + k[:, :1], v, scale),
            "the scale twice": lambda q, k, v, scale: scale * decode_scores(q, k, v, scale),
            "the query of the next head": lambda q, k, v, scale: decode_scores(numpy.roll(q, 1, axis=0), k, v, scale),
        },
        result=lambda o: o[:, 0],
    ),
    "attention_combine": judged(
        parts,
        values_of_parts,
        [
            Wrong("fast", lambda o, lse: o.mean(axis=0), "the mean of the parts"),
            Wrong("fast", lambda o, lse: o[0], "the first part alone"),
        ],
        {
            "logsumexp in base 2": lambda o, lse: parts(o, lse) * o.dtype.type(0.6931472),
            "the sign of logsumexp": lambda o, lse: -parts(o, lse),
            "the weights of the first row": lambda o, lse: 0 * parts(o, lse) + parts(o, lse)[:1],
            "weights without exp": lambda o, lse: numpy.log(1 + abs(parts(o, lse))),
        },
        result=lambda o: o[:, 0],
    ),
}
# The share of the sink has an error of its own. The forms of attention with one more key do not have it.
TABLE["attention_sink"] = table(
    by_its_share,
    {
        "tree": {"one_key_more": in64(lambda *a: eager(sink_scores(*a), sink_values(*a)))},
        "fast": {name: with_one_key_more(form) for name, form in FORMS.items()},
    },
    [
        Wrong("fast", lambda q, k, v, sink, scale: eager(scale * (q @ k.T), v), "the sink left out"),
        Wrong("fast", lambda q, k, v, sink, scale: by_its_share(q, k, v, sink * scale, scale), "the sink scaled"),
        Wrong("fast", lambda q, k, v, sink, scale: by_its_share(q, k, v, -sink, scale), "the sign of the sink"),
        Wrong("fast", lambda q, k, v, sink, scale: by_its_share(q, k, v, sink, 1), "the scale left out"),
        Wrong(
            "fast",
            lambda q, k, v, sink, scale: eager(sink_scores(q, k, v, sink, scale), numpy.concatenate([v, v[-1:]])),
            "a value for the sink",
        ),
        Wrong(
            "fast",
            sink_without_shift,
            "the sink without the shift",
        ),
    ],
)
