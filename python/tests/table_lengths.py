"""Kernels of attention over sequences of several lengths: keys in pages, keys behind each other, keys filled up to the
longest sequence. The mistakes are those of tables of pages, of lengths, and of numbers behind the last key."""

import numpy

from forms import in64, table
from table_attention import (
    along_the_rows, by_exp2, eager, masked, not_divided, one_after_the_other, online,
    quotient_last, stale_maximum, stale_sum, swapped, without_shift,
)  # fmt: skip
from tables import Wrong

FORMS = {each.__name__: each for each in (quotient_last, by_exp2, one_after_the_other, online)}
#: Mistakes of any attention.
OF_FORMS = {
    "exp without a shift": without_shift,
    "the result not scaled again": stale_maximum,
    "the sum not scaled again": stale_sum,
    "the quotient left out": not_divided,
}


def judged(of, scales, wrong):
    """The table of a formula. `of`: the kernel of a form, a function of scores and values; it may take the scale."""
    right = {"tree": {"eager_in_binary64": in64(of(eager))}, "fast": {name: of(each) for name, each in FORMS.items()}}
    right["fast"].update(scales)
    mistakes = [Wrong("fast", of(form), report) for report, form in OF_FORMS.items()]
    return table(of(eager), right, mistakes + wrong)


def each_sequence(attend):
    """o of all sequences, one after the other."""

    def kernel(q, *others):
        return numpy.stack([attend(b, q, *others) for b in range(len(q))])

    return kernel


# -------------------------------------------------------------------------------------------------------------- pages


def keys_of(x, page, last, tail, more=0):
    """The keys or values of a sequence: as many as its pages hold up to its last place, and `more`."""
    count = last * x.shape[1] + tail + 1 + more
    return x[page].reshape(-1, *x.shape[2:])[:count]


def in_pages(form, change=lambda **given: given, more=0, scaled=lambda scale: scale):
    """A kernel of one query for each head, of a form of attention. `change`: a mistake in the arguments."""

    def attend(b, q, k, v, page, last, tail, scale):
        given = change(b=b, q=q[b], k=k, v=v, page=page, last=last, tail=tail, scale=scale)
        table, end = given["page"][b], (given["last"][b], given["tail"][b])
        keys, values = (keys_of(given[each], table, *end, more) for each in ("k", "v"))
        s = scaled(given["scale"]) * (given["q"][:, None] @ keys.transpose(1, 2, 0))
        return form(s, values.transpose(1, 0, 2))[:, 0]

    return each_sequence(attend)


def wrong(change, form=eager):
    """A mistake in the arguments: change(arguments by name) gives what differs."""
    return in_pages(form, lambda **given: {**given, **change(**given)})


def all_slots(q, k, v, page, last, tail, scale, multiplies_all=False):
    """Works on whole pages, and masks what lies behind the last key. `multiplies_all`: a mistake, 0 times a NaN behind
    the last key is NaN."""

    def attend(b, q, k, v, page, last, tail, scale):
        keys, values = (x[page[b]].reshape(-1, *x.shape[2:]).swapaxes(0, 1) for x in (k, v))
        held = numpy.arange(keys.shape[1]) <= last[b] * k.shape[1] + tail[b]
        s = numpy.where(held, scale * (q[b][:, None] @ swapped(keys)), -numpy.inf).astype(q.dtype)
        return eager(s, values if multiplies_all else numpy.where(held[:, None], values, values.dtype.type(0)))[:, 0]

    return each_sequence(attend)(q, k, v, page, last, tail, scale)


def page_after_page(q, k, v, page, last, tail, scale):
    """Online, a page at a time."""
    return in_pages(lambda s, values: online(s, values, block=k.shape[1]))(q, k, v, page, last, tail, scale)


PAGED = {
    "the rest of the last page read": wrong(lambda k, tail, **_: {"tail": 0 * tail + k.shape[1] - 1}),
    "entries of the table behind the last page used": wrong(
        lambda page, last, **_: {"last": 0 * last + page.shape[1] - 1}
    ),
    "pages of the next sequence": wrong(lambda page, **_: {"page": numpy.roll(page, -1, axis=0)}),
    "pages of the first sequence": wrong(lambda page, **_: {"page": 0 * page + page[:1]}),
    "no table of pages": wrong(lambda page, k, **_: {"page": 0 * page + numpy.arange(page.shape[1]) % len(k)}),
    "the table read down a column": wrong(lambda page, **_: {"page": page.T.reshape(page.shape)}),
    "the first page for all": wrong(lambda page, **_: {"page": 0 * page + page[:, :1]}),
    "a key too few": in_pages(
        lambda s, values: eager(s[..., :-1], values[..., :-1, :]) if s.shape[-1] > 1 else eager(s, values)
    ),
    "a key too many": in_pages(eager, more=1),
    "the length of the next sequence": wrong(
        lambda last, tail, **_: {"last": numpy.roll(last, -1), "tail": numpy.roll(tail, -1)}
    ),
    "the keys of the next head": wrong(lambda k, **_: {"k": numpy.roll(k, -1, axis=2)}),
    "the values of the next head": wrong(lambda v, **_: {"v": numpy.roll(v, -1, axis=2)}),
    "pages laid out by heads": wrong(
        lambda k, **_: {"k": k.reshape(len(k), k.shape[2], k.shape[1], -1).transpose(0, 2, 1, 3)}
    ),
    "the query of the first head": wrong(lambda q, **_: {"q": 0 * q + q[:1]}),
    "the scale left out": in_pages(eager, scaled=lambda scale: scale.dtype.type(1)),
    "the scale twice": in_pages(eager, scaled=lambda scale: scale * scale),
}

# ------------------------------------------------------------------------------------------------- filled-up sequences


def filled(form, end=lambda last, b, m: last[b], scaled=lambda scale: scale):
    """A kernel that reads the keys up to the end alone. `end`: a mistake in it."""

    def attend(b, q, k, v, last, scale):
        count = max(end(last, b, k.shape[1]) + 1, 1)
        return form(scaled(scale) * (q[b] @ k[b, :count].T), v[b, :count])

    return each_sequence(attend)


def with_a_mask(q, k, v, last, scale, multiplies_all=False):
    """Works on all keys at once, and masks what lies behind the last one. `multiplies_all`: a mistake, 0 times a NaN
    behind the last key is NaN."""
    held = (numpy.arange(k.shape[1]) <= last[:, None])[:, None]
    s = numpy.where(held, scale * (q @ swapped(k)), -numpy.inf).astype(q.dtype)
    return eager(s, v if multiplies_all else numpy.where(swapped(held), v, v.dtype.type(0)))


RAGGED = {
    "the lengths left out": filled(eager, lambda last, b, m: m - 1),
    "a key too many": filled(eager, lambda last, b, m: last[b] + 1),
    "a key too few": filled(eager, lambda last, b, m: last[b] - 1),
    "the length of the next sequence": filled(eager, lambda last, b, m: last[(b + 1) % len(last)]),
    "the length of the first sequence": filled(eager, lambda last, b, m: last[0]),
    "the length of the longest sequence": filled(eager, lambda last, b, m: last.max()),
    "the keys of the first sequence": lambda q, k, *others: filled(eager)(q, 0 * k + k[:1], *others),
    "the values of the next sequence": lambda q, k, v, *others: filled(eager)(q, k, numpy.roll(v, -1, axis=0), *others),
    "keys read from the end": lambda q, k, *others: filled(eager)(q, k[:, ::-1], *others),
    "softmax along the rows": filled(along_the_rows),
    "the scale left out": filled(eager, scaled=lambda scale: scale.dtype.type(1)),
    "the scale twice": filled(eager, scaled=lambda scale: scale * scale),
}

# --------------------------------------------------------------------------------------------------- packed sequences


def packed(form, same=lambda of_q, of_k: of_q[:, None] == of_k, scaled=lambda scale: scale):
    """Each row reads the keys that it sees alone."""

    def kernel(q, k, v, of_q, of_k, scale):
        seen = same(of_q, of_k)
        o = numpy.full((len(q), v.shape[1]), numpy.nan, q.dtype)
        for i in range(len(q)):
            if seen[i].any():
                o[i] = form(scaled(scale) * (q[i : i + 1] @ k[seen[i]].T), v[seen[i]])[0]
        return o

    return kernel


def by_a_mask(q, k, v, of_q, of_k, scale, multiplies_all=False):
    """Has all scores. `multiplies_all`: a mistake, 0 times a NaN of another sequence is NaN."""
    same = of_q[:, None] == of_k
    s = masked(scale * (q @ k.T), lambda _: same)
    if multiplies_all:
        return eager(s, v)
    return eager(s[:, None], numpy.where(same[..., None], v, v.dtype.type(0)))[:, 0]


PACKED = {
    "the keys of all sequences": packed(eager, lambda of_q, of_k: numpy.ones((len(of_q), len(of_k)), bool)),
    "the keys of the next sequence": packed(
        eager, lambda of_q, of_k: (of_q[:, None] + 1) % (max(of_q.max(), of_k.max()) + 1) == of_k
    ),
    "the keys of earlier sequences, too": packed(eager, lambda of_q, of_k: of_k <= of_q[:, None]),
    "numbers of sequences off by a row": packed(eager, lambda of_q, of_k: numpy.roll(of_q, 1)[:, None] == of_k),
    "numbers of sequences off by a key": packed(eager, lambda of_q, of_k: of_q[:, None] == numpy.roll(of_k, 1)),
    "the sequence of the first row for all": packed(eager, lambda of_q, of_k: (0 * of_q + of_q[0])[:, None] == of_k),
    "the last key of a sequence left out": packed(
        lambda s, v: eager(s[:, :-1], v[:-1]) if s.shape[1] > 1 else eager(s, v)
    ),
    "the scale left out": packed(eager, scaled=lambda scale: scale.dtype.type(1)),
    "the scale twice": packed(eager, scaled=lambda scale: scale * scale),
}


def listed(mistakes):
    return [Wrong("fast", kernel, report) for report, kernel in mistakes.items()]


TABLE = {
    "attention_paged": judged(
        in_pages,
        {"page_after_page": page_after_page, "all_slots": all_slots},
        [
            *listed(PAGED),
            Wrong("exceptional", lambda *a: all_slots(*a, multiplies_all=True), "0 times a NaN behind the last key"),
        ],
    ),
    "attention_ragged": judged(
        filled,
        {"with_a_mask": with_a_mask},
        [
            *listed(RAGGED),
            Wrong("exceptional", lambda *a: with_a_mask(*a, multiplies_all=True), "0 times a NaN behind the last key"),
        ],
    ),
    "attention_packed": judged(
        packed,
        {"by_a_mask": by_a_mask},
        [
            *listed(PACKED),
            Wrong("exceptional", lambda *a: by_a_mask(*a, multiplies_all=True), "0 times a NaN of another sequence"),
        ],
    ),
}
