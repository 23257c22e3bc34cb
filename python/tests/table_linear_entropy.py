"""Kernels of a linear layer fused with its cross-entropy, and of its gradients: with all logits, by blocks of rows, by
blocks of classes with a running maximum. The mistakes are those of such blocks, of labels and of factors."""

from __future__ import annotations

import numpy

from forms import called, in64, table
from tables import Table, Wrong

exp, log = numpy.exp, numpy.log


def logits(x, w, b):
    return x @ w.T + b


def at(label, s):
    """s[label] of each row."""
    return numpy.take_along_axis(s, label[:, None], axis=1)[:, 0]


def lse(s):
    m = s.max(axis=1)
    return m + log(exp(s - m[:, None]).sum(axis=1))


# --------------------------------------------------------------------------------------------------------------- loss


def direct(x, w, b, label):
    s = logits(x, w, b)
    return lse(s) - at(label, s)


def shifted(x, w, b, label):
    s = logits(x, w, b)
    z = s - s.max(axis=1, keepdims=True)
    return log(exp(z).sum(axis=1)) - at(label, z)


def by_rows(x, w, b, label, of_rows=direct, block=2):
    """Has the logits of two rows at a time."""
    return numpy.concatenate([of_rows(x[r : r + block], w, b, label[r : r + block]) for r in range(0, len(x), block)])


def by_classes(x, w, b, label, block=3, rescales=True, of_label="its block"):
    """Never has all logits: blocks of classes, a running maximum and a running sum. The logit of the label is taken
    from the block that has it."""
    m, total, hit = numpy.full(len(x), -numpy.inf, x.dtype), numpy.zeros(len(x), x.dtype), numpy.zeros(len(x), x.dtype)
    for n in range(0, len(w), block):
        s = logits(x, w[n : n + block], b[n : n + block])
        above = numpy.maximum(m, s.max(axis=1))
        still = numpy.where(numpy.isneginf(above), 0, above).astype(x.dtype)
        total = (total * exp(m - still) if rescales else total) + exp(s - still[:, None]).sum(axis=1)
        m = above
        here = (label >= n) & (label < n + s.shape[1])
        if of_label == "each block":
            here = numpy.ones_like(here)
        hit = numpy.where(here, at((label - n) % s.shape[1], s), hit).astype(x.dtype)
    return m + log(total) - hit


def of_a_product(x, w, b, label):
    """The logit of the label by a product of its own."""
    return lse(logits(x, w, b)) - ((x * w[label]).sum(axis=1) + b[label])


def unshifted(x, w, b, label):
    s = logits(x, w, b)
    return log(exp(s).sum(axis=1)) - at(label, s)


def without_last_class(x, w, b, label):
    s = logits(x, w, b)
    return (lse(s[:, :-1]) if len(w) > 1 else lse(s)) - at(label, s)


def of_last_block(x, w, b, label):
    """A mistake: the sum of the last block of classes alone."""
    s = logits(x, w, b)
    return lse(s[:, (len(w) - 1) // 3 * 3 :]) - at(label, s)


def in_binary16(x, w, b, label):
    """A mistake: logits stored in binary16 for a kernel that claims the format of its inputs."""
    s = logits(x, w, b).astype("f2").astype(x.dtype)
    return lse(s) - at(label, s)


def padded(x, w, b, label):
    """A mistake: the last block of classes is filled with logits of 0, which count."""
    s = logits(x, w, b)
    return lse(numpy.pad(s, ((0, 0), (0, -len(w) % 4)))) - at(label, s)


MISTAKES = {
    "exp without a shift": unshifted,
    "the sum not scaled again": lambda *a: by_classes(*a, rescales=False),
    "the label in each block": lambda *a: by_classes(*a, of_label="each block"),
    "the last class left out": without_last_class,
    "the last block alone": of_last_block,
    "the last block filled with zeros": padded,
    "logits in binary16": in_binary16,
    "the bias left out": lambda x, w, b, label: direct(x, w, 0 * b, label),
    "the bias twice": lambda x, w, b, label: direct(x, w, b + b, label),
    "labels of the next row": lambda x, w, b, label: direct(x, w, b, numpy.roll(label, 1)),
    "labels off by one": lambda x, w, b, label: direct(x, w, b, (label + 1) % len(w)),
    "the label of the first row for a block": lambda *a: by_rows(
        *a, of_rows=lambda x, w, b, label: direct(x, w, b, 0 * label + label[:1])
    ),
}


def mean_of(of_rows):
    return lambda x, *others: of_rows(x, *others).mean(dtype=x.dtype)


def mean_by_blocks(x, w, b, label, block=2):
    """Adds the losses of two rows at a time."""
    total = x.dtype.type(0)
    for r in range(0, len(x), block):
        total += direct(x[r : r + block], w, b, label[r : r + block]).sum()
    return total / x.dtype.type(len(x))


def mean_of_means(x, w, b, label, block=2):
    """A mistake: the mean over blocks of their means."""
    starts = range(0, len(x), block)
    return numpy.mean([direct(x[r : r + block], w, b, label[r : r + block]).mean() for r in starts], dtype=x.dtype)


# ---------------------------------------------------------------------------------------------------------- gradients


def weights(s):
    e = exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def onehot(label, s):
    return (label[:, None] == numpy.arange(s.shape[1])).astype(s.dtype)


def ds(x, w, b, label, dl):
    s = logits(x, w, b)
    return (weights(s) - onehot(label, s)) * dl[:, None]


def ds_in_place(x, w, b, label, dl):
    """Subtracts 1 at the label, and keeps the result in place of the logits."""
    s = weights(logits(x, w, b))
    s[numpy.arange(len(s)), label] -= 1
    s *= dl[:, None]
    return s


def ds_of_logarithms(x, w, b, label, dl):
    """From the logarithms that the forward pass kept."""
    s = logits(x, w, b)
    return (exp(s - lse(s)[:, None]) - onehot(label, s)) * dl[:, None]


def dx_by_classes(x, w, b, label, dl, block=3, adds=True):
    """Computes the logits of three classes at a time anew, from the logarithms that the forward pass kept."""
    kept, dx = lse(logits(x, w, b))[:, None], numpy.zeros_like(x)
    for n in range(0, len(w), block):
        s = logits(x, w[n : n + block], b[n : n + block])
        hit = (label[:, None] == numpy.arange(n, n + s.shape[1])).astype(x.dtype)
        part = ((exp(s - kept) - hit) * dl[:, None]) @ w[n : n + block]
        dx = dx + part if adds else part
    return dx


def dw_by_rows(x, w, b, label, dl, block=2, adds=True):
    """Adds the gradients of two rows at a time."""
    dw = numpy.zeros_like(w)
    for r in range(0, len(x), block):
        part = ds(x[r : r + block], w, b, label[r : r + block], dl[r : r + block]).T @ x[r : r + block]
        dw = dw + part if adds else part
    return dw


def wrong_ds(change):
    """ds with changed parts: change(p, hit, dl)."""

    def wrong(x, w, b, label, dl):
        s = logits(x, w, b)
        return change(weights(s), onehot(label, s), dl[:, None])

    return wrong


def ds_unshifted(x, w, b, label, dl):
    s = logits(x, w, b)
    e = exp(s)
    return (e / e.sum(axis=1, keepdims=True) - onehot(label, s)) * dl[:, None]


def gradients(product, more, wrong):
    """The table of a gradient: product(ds, x, w)."""

    def of(form):
        return lambda x, w, *others: product(form(x, w, *others), x, w)

    mistakes = {
        "exp without a shift": of(ds_unshifted),
        "the labels left out": of(wrong_ds(lambda p, hit, dl: p * dl)),
        "the factor of the rows left out": of(wrong_ds(lambda p, hit, dl: p - hit)),
        "the factor of the weights alone": of(wrong_ds(lambda p, hit, dl: p * dl - hit)),
        "the factor of the first row": of(wrong_ds(lambda p, hit, dl: (p - hit) * dl[:1])),
        "the sign": of(wrong_ds(lambda p, hit, dl: (hit - p) * dl)),
        "the bias left out": of(lambda x, w, b, *others: ds(x, w, 0 * b, *others)),
        "labels of the next row": of(lambda x, w, b, label, dl: ds(x, w, b, numpy.roll(label, 1), dl)),
        "dS in binary16": of(lambda x, *others: ds(x, *others).astype("f2").astype(x.dtype)),
        **wrong,
    }
    return table(
        of(ds),
        {"fast": {"in_place": of(ds_in_place)}, "ways": {"of_logarithms": of(ds_of_logarithms), **more}},
        [Wrong("ways", kernel, report) for report, kernel in mistakes.items()],
    )


TABLE = {
    "linear_cross_entropy": table(
        direct,
        {
            "any_order": {"by_rows": by_rows, "label_by_a_product": of_a_product},
            "fast": {"by_classes": by_classes},
            "ways": {"shifted": shifted},
        },
        [Wrong("ways", kernel, report) for report, kernel in MISTAKES.items()],
    ),
    "linear_cross_entropy_mean": Table(
        right={
            "any_order": [in64(mean_of(direct)), mean_by_blocks],
            "fast": [called("by_classes", mean_of(by_classes))],
            "ways": [called("shifted", mean_of(shifted))],
        },
        wrong=[
            Wrong("ways", called(report, kernel), report)
            for report, kernel in {
                **{report: mean_of(kernel) for report, kernel in MISTAKES.items()},
                "a mean of the means of blocks": mean_of_means,
                "a sum for a mean": lambda x, *others: direct(x, *others).sum(),
                "the number of classes for rows": lambda x, w, *others: (
                    direct(x, w, *others).sum() / x.dtype.type(len(w))
                ),
            }.items()
        ],
    ),
    "linear_cross_entropy_backward_x": gradients(
        lambda ds, x, w: ds @ w,
        {"by_classes": dx_by_classes},
        {"the last block of classes alone": lambda *a: dx_by_classes(*a, adds=False)},
    ),
    "linear_cross_entropy_backward_weight": gradients(
        lambda ds, x, w: ds.T @ x,
        {"by_rows": dw_by_rows},
        {"the last block of rows alone": lambda *a: dw_by_rows(*a, adds=False)},
    ),
}
