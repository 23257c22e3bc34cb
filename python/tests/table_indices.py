"""Kernels with integers among their inputs: embeddings and their gradients, cross-entropy with weights of classes and
ignored rows. -100 or -1 names no place."""

from __future__ import annotations

import numpy
from rows import SUMS, by_halves, each, in_binary16, in_order, one, row
from table_losses import logsumexp
from tables import Table, Wrong, named, narrowed, stale, stored, zero_from

IGNORED = -100

# ---------------------------------------------------------------------------------------------------------- embeddings


def embedding(table, token):
    return table[token]


def embedding_taken(table, token):
    return numpy.take(table, token, axis=0)


def embedding_by_onehot(table, token):
    """As a product with a matrix of zeros and ones, without additions."""
    hits = token[:, None] == numpy.arange(len(table))
    return numpy.where(hits[:, :, None], table, 0).sum(axis=1).astype(table.dtype)


def embedding_by_rows(table, token):
    return numpy.stack([table[each] for each in token])


def embedding_off_by_1(table, token):
    return table[(token + 1) % len(table)]


def embedding_clamped(table, token):
    """A mistake: the last row is out of reach."""
    return table[numpy.minimum(token, max(len(table) - 2, 0))]


def embedding_scaled(table, token):
    """A mistake: times √d, as some models have it."""
    return table[token] * numpy.sqrt(table.dtype.type(table.shape[1]))


def embedding_padded(table, token):
    """A mistake: row 0 is taken for padding, and is zero."""
    return numpy.where((token == 0)[:, None], table.dtype.type(0), table[token])


def embedding_of_the_next(table, token):
    return table[numpy.roll(token, 1)]


def scattered(order, dy, like, token, padding=-1):
    """Adds the gradients one after the other, in an order of the tokens."""
    dw = numpy.zeros((len(like), dy.shape[1]), dy.dtype)
    for t in order(len(token)):
        if token[t] != padding:
            dw[token[t]] += dy[t]
    return dw


def ascending(n):
    return range(n)


def descending(n):
    return reversed(range(n))


def evens_first(n):
    return sorted(range(n), key=lambda t: (t % 2, t))


def scatter(order):
    return named(f"scattered_{order.__name__}")(lambda *given: scattered(order, *given))


def scatter_by_ufunc(dy, like, token):
    dw = numpy.zeros((len(like), dy.shape[1]), dy.dtype)
    numpy.add.at(dw, token[token >= 0], dy[token >= 0])
    return dw


def scatter_sorted(dy, like, token):
    """Sorts the tokens, and adds the runs of equal ones by halves."""
    return numpy.stack([
        by_halves(dy[token == v].T) if (token == v).any() else numpy.zeros_like(dy[0]) for v in range(len(like))
    ])  # fmt: skip


def scatter_by_selection(total, dy, like, token):
    """For each row all gradients, those of other tokens replaced by 0."""
    hits = token[:, None] == numpy.arange(len(like))
    return total(numpy.moveaxis(numpy.where(hits[:, :, None], dy[:, None], dy.dtype.type(0)), 0, -1))


def scatter_by_product(dy, like, token):
    """A mistake: a product with a matrix of zeros and ones, in which 0·∞ is NaN."""
    hits = (token[:, None] == numpy.arange(len(like))).astype(dy.dtype)
    return in_order(numpy.moveaxis(hits[:, :, None] * dy[:, None], 0, -1))


def scatter_without_duplicates(dy, like, token):
    """A mistake: dw[token] += dy, by which the last of equal tokens wins."""
    dw = numpy.zeros((len(like), dy.shape[1]), dy.dtype)
    dw[token[token >= 0]] += dy[token >= 0]
    return dw


def scatter_with_padding(dy, like, token):
    """A mistake: -1 is the last row, as an index of Python."""
    dw = numpy.zeros((len(like), dy.shape[1]), dy.dtype)
    numpy.add.at(dw, token, dy)
    return dw


def scatter_mean(dy, like, token):
    """A mistake: divides by the number of equal tokens, as scale_grad_by_freq does."""
    n = numpy.array([max((token == v).sum(), 1) for v in range(len(like))], dy.dtype)
    return scatter_by_ufunc(dy, like, token) / n[:, None]


def scatter_in_binary16(dy, like, token):
    """A mistake: adds in the format of the table."""
    return scatter_by_ufunc(dy.astype("f2"), like, token).astype(dy.dtype)


def scatter_without_row_0(dy, like, token):
    dw = scatter_by_ufunc(dy, like, token)
    dw[0] = 0
    return dw


def scatter_without_last(dy, like, token):
    return scatter_by_ufunc(dy[:-1], like, token[:-1]) if len(dy) > 1 else scatter_by_ufunc(dy, like, token)


def bag(total, table, token, weight, padding=-1, mean=False):
    rows = numpy.where((token == padding)[..., None], table.dtype.type(0), weight[..., None] * table[token])
    y = total(numpy.swapaxes(rows, 1, 2))
    return y / table.dtype.type(token.shape[1]) if mean else y


def bag_by_tokens(table, token, weight):
    y = numpy.zeros((len(token), table.shape[1]), table.dtype)
    for t in range(token.shape[1]):
        y += numpy.where((token[:, t] == -1)[:, None], table.dtype.type(0), weight[:, t, None] * table[token[:, t]])
    return y


def bag_without_weights(total, table, token, weight):
    return bag(total, table, token, numpy.ones_like(weight))


def bag_of_maxima(table, token, weight):
    """A mistake: the mode max for the mode sum."""
    rows = numpy.where((token == -1)[..., None], table.dtype.type(0), weight[..., None] * table[token])
    return rows.max(axis=1)


def bag_with_weights_of_the_first(total, table, token, weight):
    return bag(total, table, token, numpy.broadcast_to(weight[:1], weight.shape))


# ------------------------------------------------------------------------------------------------------- cross-entropy


def of_label(x, label):
    """x[label] of each row. What stands for an ignored one is not used."""
    return numpy.take_along_axis(x, numpy.maximum(label, 0)[:, None], axis=1)[:, 0]


def weight_of(weight, label):
    return weight[numpy.maximum(label, 0)]


def kept(x, label):
    return numpy.where(label == IGNORED, x.dtype.type(0), x)


def losses(total, x, label, form="direct"):
    if form == "shifted":
        z = x - x.max(axis=-1, keepdims=True)
        return numpy.log(total(numpy.exp(z))) - of_label(z, label)
    return logsumexp(total, x, shift=form != "unshifted") - of_label(x, label)


def weighted(total, x, weight, label, **options):
    return kept(weight_of(weight, label) * losses(total, x, label, **options), label)


def weighted_of_kept_rows(total, x, weight, label):
    """Computes the kept rows alone."""
    y, keeps = numpy.zeros(len(x), x.dtype), label != IGNORED
    if keeps.any():
        y[keeps] = weight[label[keeps]] * losses(total, x[keeps], label[keeps])
    return y


def without_weights(kernel):
    return named("without_weights")(lambda x, weight, label, *rest: kernel(x, numpy.ones_like(weight), label, *rest))


def with_ignored(kernel):
    """A mistake: -100 is not ignored, and names a class modulo n."""
    return named("with_ignored")(lambda x, weight, label, *rest: kernel(x, weight, label % x.shape[1], *rest))


def label_0_ignored(kernel):
    """A mistake: label 0 is ignored, too."""

    def wrong(x, weight, label, *rest):
        return kernel(x, weight, numpy.where(label == 0, IGNORED, label), *rest)

    return named("label_0_ignored")(wrong)


def rows_for_labels(kernel):
    """A mistake: reads the number of a row for its label."""

    def wrong(x, weight, label, *rest):
        rows = numpy.arange(len(x)) % x.shape[1]
        return kernel(x, weight, numpy.where(label == IGNORED, label, rows), *rest)

    return named("rows_for_labels")(wrong)


def labels_of_the_next_row(kernel):
    def wrong(x, weight, label, *rest):
        return kernel(x, weight, numpy.roll(label, 1), *rest)

    return named("labels_of_the_next_row")(wrong)


def weights_squared(kernel):
    return named("weights_squared")(lambda x, weight, label, *rest: kernel(x, weight * weight, label, *rest))


def weighted_mean(total, x, weight, label, **options):
    return total(weighted(total, x, weight, label, **options)) / total(kept(weight_of(weight, label), label))


def weighted_mean_of_kept_rows(total, x, weight, label):
    keeps = label != IGNORED
    if not keeps.any():
        return x.dtype.type(numpy.nan)
    w = weight[label[keeps]]
    return total(w * losses(total, x[keeps], label[keeps])) / total(w)


def mean_over_all_rows(total, x, weight, label):
    """A mistake: divides by the number of rows."""
    return total(weighted(total, x, weight, label)) / x.dtype.type(len(x))


def mean_over_kept_rows(total, x, weight, label):
    """A mistake: divides by the number of kept rows, not by their weights."""
    return total(weighted(total, x, weight, label)) / x.dtype.type(max((label != IGNORED).sum(), 1))


def mean_over_all_weights(total, x, weight, label):
    return total(weighted(total, x, weight, label)) / total(weight)


def sum_for_mean(total, x, weight, label):
    return total(weighted(total, x, weight, label))


def softmax(total, x, shift=True):
    w = numpy.exp(x - x.max(axis=-1, keepdims=True)) if shift else numpy.exp(x)
    return w / row(total(w))


def gradient(total, x, weight, label, dl, late=False, shift=True, denominator="weights"):
    onehot = (label[:, None] == numpy.arange(x.shape[1])).astype(x.dtype)
    d = numpy.where((label == IGNORED)[:, None], x.dtype.type(0), softmax(total, x, shift) - onehot)
    w = kept(weight_of(weight, label), label)
    of_all = {
        "weights": lambda: total(w),
        "rows": lambda: x.dtype.type(len(x)),
        "kept": lambda: x.dtype.type(max((label != IGNORED).sum(), 1)),
        "none": lambda: x.dtype.type(1),
    }[denominator]()
    return d * row(w * (dl / of_all)) if late else row(w) * d * dl / of_all


def gradient_in_place(total, x, weight, label, dl):
    """Subtracts 1 at the label."""
    p = softmax(total, x)
    keeps = label != IGNORED
    p[numpy.arange(len(x))[keeps], label[keeps]] -= 1
    w = kept(weight_of(weight, label), label)
    return numpy.where(row(keeps), row(w) * p * dl / total(w), x.dtype.type(0))


def gradient_with_ignored_probabilities(total, x, weight, label, dl):
    """A mistake: an ignored row has no onehot, but its softmax stays."""
    onehot = (label[:, None] == numpy.arange(x.shape[1])).astype(x.dtype)
    w = weight[label % x.shape[1]]
    return row(w) * (softmax(total, x) - onehot) * dl / total(kept(weight_of(weight, label), label))


def gradient_of_weighted_classes(total, x, weight, label, dl):
    """A mistake: each column has the weight of its class."""
    d = gradient(total, x, numpy.ones_like(weight), label, dl, denominator="none")
    return d * weight / total(kept(weight_of(weight, label), label))


ENTROPY = one(weighted)
MEAN = one(weighted_mean)
GRADIENT = one(gradient)


def of_any_entropy(right):
    """Mistakes that each of the three may have."""
    return [
        Wrong("ways", without_weights(right), "no weights"),
        Wrong("ways", with_ignored(right), "rows with -100 not ignored"),
        Wrong("ways", label_0_ignored(right), "label 0 ignored"),
        Wrong("ways", rows_for_labels(right), "numbers of rows for labels"),
        Wrong("ways", labels_of_the_next_row(right), "labels of the next row"),
        Wrong("ways", weights_squared(right), "weights applied twice"),
    ]


TABLE = {
    "embedding": Table(
        right={"correctly_rounded": [embedding, embedding_taken, embedding_by_onehot, embedding_by_rows]},
        wrong=[
            Wrong("any_order", embedding_off_by_1, "rows off by one"),
            Wrong("any_order", embedding_clamped, "the last row out of reach"),
            Wrong("any_order", embedding_scaled, "times √d"),
            Wrong("any_order", embedding_padded, "row 0 as padding"),
            Wrong("any_order", embedding_of_the_next, "tokens off by one"),
            Wrong("any_order", stored(embedding), "a result in binary16"),
            Wrong("any_order", stale(embedding), "the output of the call before"),
        ],
    ),
    "embedding_backward": Table(
        right={
            "tree": [scatter_sorted, *each(scatter_by_selection, by_halves)],
            "any_order": [*map(scatter, (ascending, descending, evens_first)), scatter_by_ufunc],
        },
        wrong=[
            Wrong("any_order", scatter_without_duplicates, "equal tokens overwrite each other"),
            Wrong("any_order", scatter_with_padding, "padding added to the last row"),
            Wrong("any_order", scatter_mean, "a mean of equal tokens"),
            Wrong("any_order", scatter_in_binary16, "accumulators in binary16"),
            Wrong("any_order", scatter_without_row_0, "row 0 as padding"),
            Wrong("exceptional", scatter_by_product, "0·∞ of a product with zeros and ones"),
            Wrong("any_order", scatter_without_last, "the last token left out"),
            Wrong("any_order", stale(scatter_by_ufunc), "the output of the call before"),
        ],
    ),
    "embedding_bag": Table(
        right={"tree": each(bag, by_halves), "any_order": [*each(bag, *SUMS), bag_by_tokens]},
        wrong=[
            Wrong("any_order", one(bag_without_weights), "no weights"),
            Wrong("any_order", named("with_padding")(one(bag, padding=-2)), "padding as the last row"),
            Wrong("any_order", named("row_0_as_padding")(one(bag, padding=0)), "row 0 as padding"),
            Wrong("any_order", named("mean")(one(bag, mean=True)), "a mean for a sum"),
            Wrong("any_order", bag_of_maxima, "the largest for a sum"),
            Wrong("any_order", one(bag_with_weights_of_the_first), "the weights of the first bag for all"),
            Wrong("any_order", each(bag, in_binary16)[0], "accumulators in binary16"),
        ],
    ),
    "cross_entropy_weighted": Table(
        right={
            "any_order": [*each(weighted, *SUMS), *each(weighted_of_kept_rows, in_order, by_halves)],
            "ways": each(weighted, in_order, by_halves, form="shifted"),
        },
        wrong=[
            *of_any_entropy(ENTROPY),
            Wrong("ways", named("unshifted")(one(weighted, form="unshifted")), "no shift by the maximum"),
            Wrong("ways", narrowed(ENTROPY, 0), "logits in binary16"),
            Wrong("ways", zero_from(4, ENTROPY), "no rows after the fourth"),
        ],
    ),
    "cross_entropy_weighted_mean": Table(
        right={
            "any_order": [*each(weighted_mean, *SUMS), *each(weighted_mean_of_kept_rows, in_order, by_halves)],
            "ways": each(weighted_mean, in_order, by_halves, form="shifted"),
        },
        wrong=[
            *of_any_entropy(MEAN),
            Wrong("ways", one(mean_over_all_rows), "the number of rows for the sum of weights"),
            Wrong("ways", one(mean_over_kept_rows), "the number of kept rows for the sum of weights"),
            Wrong("ways", one(mean_over_all_weights), "the weights of all classes"),
            Wrong("ways", one(sum_for_mean), "a sum for a mean"),
            Wrong("ways", each(weighted_mean, in_binary16)[0], "accumulators in binary16"),
        ],
    ),
    "cross_entropy_weighted_backward": Table(
        right={
            "any_order": [*each(gradient, *SUMS), *each(gradient_in_place, in_order, by_halves)],
            "ways": each(gradient, in_order, by_halves, late=True),
        },
        wrong=[
            *of_any_entropy(GRADIENT),
            Wrong("ways", named("over_rows")(one(gradient, denominator="rows")), "the number of rows for Σ w"),
            Wrong("ways", named("over_kept")(one(gradient, denominator="kept")), "the number of kept rows for Σ w"),
            Wrong("ways", named("not_divided")(one(gradient, denominator="none")), "a sum for a mean"),
            Wrong("ways", one(gradient_with_ignored_probabilities), "the softmax of ignored rows"),
            Wrong("ways", one(gradient_of_weighted_classes), "weights by columns"),
            Wrong("ways", named("unshifted")(one(gradient, shift=False)), "no shift by the maximum"),
            Wrong("ways", zero_from(4, GRADIENT), "no rows after the fourth"),
        ],
    ),
}
