"""Kernels of the gradients of attention: with the row sums of dO∘O or of P∘dP, and with weights from logsumexp."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy

from forms import in64, table
from table_attention import causal, everything, exp, masked, online, softmax
from tables import Wrong


def from_logsumexp(s):
    """exp(s − lse), as in kernels that keep one number for each row."""
    m = s.max(axis=-1, keepdims=True)
    return exp(s - (m + numpy.log(exp(s - m).sum(axis=-1, keepdims=True))))


@dataclass
class Steps:
    """The steps of the backward pass. A mistake may replace each of them."""

    weights: Callable = softmax
    seen: Callable = causal
    forward: Callable | None = None  #: O of scores and values, where it is not P·V
    of_products: bool = False  #: row sums of P∘dP
    delta: Callable = lambda delta: delta
    inner: Callable = lambda p, dp, delta: p * (dp - delta)

    def ds(self, q, k, v, do, scale):
        s = masked(scale * (q @ k.T), self.seen)
        p, dp = self.weights(s), do @ v.T
        o = p @ v if self.forward is None else self.forward(s, v)
        delta = (p * dp).sum(axis=1, keepdims=True) if self.of_products else (do * o).sum(axis=1, keepdims=True)
        return self.inner(p, dp, self.delta(delta))

    def dq(self, q, k, v, do, scale):
        return scale * (self.ds(q, k, v, do, scale) @ k)

    def dk(self, q, k, v, do, scale):
        return scale * (self.ds(q, k, v, do, scale).T @ q)

    def dv(self, q, k, do, scale):
        return self.weights(masked(scale * (q @ k.T), self.seen)).T @ do


def rows_that_see(q, k):
    """Each row that sees a key, with the number of keys that it sees."""
    shift = len(k) - len(q)
    return [(i, i + shift + 1) for i in range(max(-shift, 0), len(q))]


def dq_of_seen(q, k, v, do, scale):
    """Reads no key that the mask hides, as kernels that leave out whole blocks."""
    dq = numpy.zeros_like(q)
    for i, m in rows_that_see(q, k):
        dq[i : i + 1] = Steps().dq(q[i : i + 1], k[:m], v[:m], do[i : i + 1], scale)
    return dq


def dk_of_seen(q, k, v, do, scale):
    dk = numpy.zeros_like(k)
    for i, m in rows_that_see(q, k):
        dk[:m] += Steps().dk(q[i : i + 1], k[:m], v[:m], do[i : i + 1], scale)
    return dk


def dv_of_seen(q, k, do, scale):
    dv = numpy.zeros((len(k), do.shape[1]), do.dtype)
    for i, m in rows_that_see(q, k):
        dv[:m] += Steps().dv(q[i : i + 1], k[:m], do[i : i + 1], scale)
    return dv


RIGHT = {
    "tree": {"in_binary64_from_products": Steps(of_products=True)},
    "fast": {"in_blocks": Steps(forward=online)},
    "ways": {
        "row_sums_of_products": Steps(of_products=True),
        "weights_from_logsumexp": Steps(weights=from_logsumexp),
        "weights_anew_behind_an_online_pass": Steps(weights=from_logsumexp, forward=online),
    },
}
MISTAKES = {
    "the row sums left out": Steps(delta=lambda delta: 0 * delta),
    "the sign of the row sums": Steps(delta=lambda delta: -delta),
    "the row sums of the first row": Steps(delta=lambda delta: 0 * delta + delta[:1]),
    "the weights left out of dS": Steps(inner=lambda p, dp, delta: dp - delta),
    "the weights on one term alone": Steps(inner=lambda p, dp, delta: p * dp - delta),
    "weights that are not divided": Steps(weights=lambda s: exp(s - s.max(axis=1, keepdims=True))),
    "exp without a shift": Steps(weights=lambda s: exp(s) / exp(s).sum(axis=1, keepdims=True)),
    "no mask": Steps(seen=everything),
    "a mask off by one": Steps(seen=lambda s: causal(s, s.shape[1] - s.shape[0] + 1)),
    "a mask at the other corner": Steps(seen=lambda s: causal(s, 0)),
}


def gradient(which, of_seen, wrong):
    def of(steps):
        return getattr(steps, which)

    right = {rung: {name: of(each) for name, each in listed.items()} for rung, listed in RIGHT.items()}
    right["fast"]["of_seen"] = of_seen
    right["tree"] = {name: in64(each) for name, each in right["tree"].items()}
    return table(of(Steps()), right, [Wrong("ways", of(each), report) for report, each in MISTAKES.items()] + wrong)


def without_last_row(x):
    return numpy.concatenate([x[:-1], numpy.zeros_like(x[-1:])])


def of_blocks(q, k, do, scale):
    """Pᵀ·dO, summed over blocks of two rows."""
    p = softmax(masked(scale * (q @ k.T), causal))
    return sum((p[i : i + 2].T @ do[i : i + 2] for i in range(2, len(q), 2)), p[:2].T @ do[:2])


TABLE = {
    "attention_backward_q": gradient(
        "dq",
        dq_of_seen,
        [
            Wrong("ways", lambda q, k, v, do, scale: Steps().ds(q, k, v, do, scale) @ k, "the scale left out"),
            Wrong("ways", lambda q, k, v, do, scale: scale * Steps().dq(q, k, v, do, scale), "the scale twice"),
            Wrong("ways", lambda q, k, v, do, scale: -Steps().dq(q, k, v, do, scale), "the sign"),
        ],
    ),
    "attention_backward_k": gradient(
        "dk",
        dk_of_seen,
        [
            Wrong("ways", lambda q, k, v, do, scale: Steps().ds(q, k, v, do, scale).T @ q, "the scale left out"),
            Wrong("ways", lambda q, k, v, do, scale: scale * Steps().dk(q, k, v, do, scale), "the scale twice"),
            Wrong(
                "ways",
                lambda q, k, v, do, scale: Steps().dk(q[:-1], k, v, do[:-1], scale) if len(q) > 1 else 0 * k,
                "the last row left out",
            ),
        ],
    ),
    "attention_backward_v": table(
        Steps().dv,
        {
            "tree": {"eager_in_binary64": in64(Steps().dv)},
            "fast": {"in_blocks_of_rows": of_blocks, "of_seen": dv_of_seen},
            "ways": {"weights_from_logsumexp": Steps(weights=from_logsumexp).dv},
        },
        [
            *[Wrong("ways", MISTAKES[each].dv, each) for each in list(MISTAKES)[5:]],
            Wrong("ways", lambda q, k, do, scale: Steps().dv(q, k, do, 1), "the scale left out"),
            Wrong("ways", lambda q, k, do, scale: scale * Steps().dv(q, k, do, scale), "the scale of dS"),
            Wrong(
                "ways",
                lambda q, k, do, scale: Steps().dv(q, k, without_last_row(do), scale),
                "the last row left out",
            ),
            Wrong(
                "ways",
                lambda q, k, do, scale: (softmax(masked(scale * (q @ k.T), causal).T)) @ do,
                "softmax along the rows",
            ),
        ],
    ),
}
