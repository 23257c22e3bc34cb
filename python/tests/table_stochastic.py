"""Kernels of steps of optimizers whose parameters are rounded to bf16 by random words: adding the word to the bits that
are dropped, comparing it with them, by arithmetic. A number of bf16 is returned as a number of the kernel's format."""

import numpy

from forms import in64, table
from table_steps import adamw, adamw_decay_first, adamw_moved_moment, sgd_in_place, sgd_momentum, sgd_of_other_order
from tables import Wrong


def by_arithmetic(x, word, gap_bits=7, of_word=lambda word: word):
    """The number of gaps, rounded away from zero where its fraction and the word's are at least 1 together."""
    exponent = numpy.maximum(numpy.frexp(numpy.where(x == 0, 1, x))[1] - 1, -126)
    gaps = numpy.ldexp(numpy.abs(x), gap_bits - exponent)
    below = numpy.floor(gaps)
    is_above = (gaps - below).astype("f8") >= 1 - of_word(word) / 65536
    return numpy.copysign(numpy.ldexp(below + is_above, exponent - gap_bits), x).astype(x.dtype)


def of_bits(change):
    """A rounding of numbers of binary32 by change(pattern, word). The dropped bits of its result are cleared."""

    def rounded(x, word):
        pattern = x.astype("f4").view("u4").astype("i8")
        return (change(pattern, word) & 0xFFFF0000).astype("u4").view("f4").astype(x.dtype)

    return rounded


by_adding = of_bits(lambda pattern, word: pattern + word)
by_comparing = of_bits(lambda pattern, word: pattern + numpy.where(0xFFFF - word < (pattern & 0xFFFF), 0x10000, 0))


def stochastic(step, rounded=by_adding):
    """The step, rounded by the random words, which come last."""
    return lambda *inputs: rounded(step(*inputs[:-1]), inputs[-1])


#: Mistakes of the rounding.
MISTAKES = {
    "always away from zero": of_bits(lambda pattern, word: pattern + 0xFFFF),
    "always toward zero": of_bits(lambda pattern, word: pattern),
    "to nearest": of_bits(lambda pattern, word: pattern + 0x8000),
    "the random bits added twice": of_bits(lambda pattern, word: pattern + word + word),
    "the low bits dropped before": of_bits(lambda pattern, word: (pattern & ~0xFFF) + word),
    "exact numbers not kept": of_bits(lambda pattern, word: pattern + word + 1),
    "a word of 8 bits": of_bits(lambda pattern, word: pattern + (word & 0xFF)),
    "a word of 15 bits": of_bits(lambda pattern, word: pattern + (word & 0x7FFF)),
    "a word of 17 bits": of_bits(lambda pattern, word: pattern + 2 * word),
    "the smallest words away from zero": of_bits(lambda pattern, word: pattern + 0xFFFF - word),
    "up in place of away from zero": lambda x, word: by_arithmetic(
        x, word, of_word=lambda word: numpy.where(x < 0, 65535 - word, word)
    ),
    "bits of binary16": lambda x, word: by_arithmetic(x, word, gap_bits=10),
    "the word of the next number": lambda x, word: by_adding(x, numpy.roll(word, -1)),
    "one word for all": lambda x, word: by_adding(x, 0 * word + word[:1]),
    "not rounded": lambda x, word: x,
}


def rounded_update(step):
    """A mistake: the update is rounded, and not the parameter."""

    def wrong(p, *others):
        return p + by_adding(step(p, *others[:-1]) - p, others[-1])

    return wrong


def steps(step, right, more, rung):
    """The table of a step: `right` and `more` are further kernels of the step, for any_order and for `ways`."""
    kernels = {
        "any_order": {
            "by_comparing": stochastic(step, by_comparing),
            "by_arithmetic": stochastic(step, by_arithmetic),
            "by_arithmetic_in_binary64": in64(stochastic(step, by_arithmetic)),
            **{name: stochastic(each) for name, each in right.items()},
        },
    }
    if more:
        kernels["ways"] = {name: stochastic(each) for name, each in more.items()}
    mistakes = [Wrong(rung, stochastic(step, rounded), report) for report, rounded in MISTAKES.items()]
    mistakes.append(Wrong(rung, rounded_update(step), "the update rounded in place of the parameter"))
    return table(stochastic(step, by_arithmetic), kernels, mistakes, rung)


TABLE = {
    "sgd_momentum_stochastic": steps(
        sgd_momentum, {"in_place": sgd_in_place, "of_another_order": sgd_of_other_order}, {}, "any_order"
    ),
    "adamw_stochastic": steps(
        adamw, {}, {"decay_first": adamw_decay_first, "moved_moment": adamw_moved_moment}, "ways"
    ),
}
