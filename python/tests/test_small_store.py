"""Attention whose weights are stored in 8 bits: right kernels keep the machine, and mistakes break it."""

import os

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

ATTENTION = """attention_e4m3(q[n,d], k[m,d], v[m,e], scale) -> o[n,e]
  range scale 0.0625 1
  s = scale * (q @ k.T)
  p = softmax(s, axis=m)
  o = p @ v
machine p_e4m3
  sum any ; functions 4 ulp ; reciprocal ; exp2 ; online ; store p e4m3fn
"""


def rounded(x, bits=4, emin=-6, largest=448, to=numpy.rint):
    """Numbers x ≥ 0 in a format, and its largest number beyond it."""
    _, exponents = numpy.frexp(x)
    step = numpy.ldexp(numpy.float32(1), numpy.maximum(exponents - 1, emin) - bits + 1).astype("f4")
    return numpy.minimum(to(x / step) * step, largest).astype("f4")


def in_e5m2(x):
    return rounded(x, bits=3, emin=-14, largest=57344)


def without_subnormals(x):
    return numpy.where(x < 2.0**-6, 0, rounded(x))


def truncated(x):
    return rounded(x, to=numpy.floor)


def logits(q, k, scale):
    with numpy.errstate(all="ignore"):
        return numpy.float32(scale) * (q.astype("f4") @ k.astype("f4").T)


def plain(q, k, v, scale, times=1, back=None, store=rounded, is_shifted=True):
    """The weights times a power of two are stored; their sum is that of the unrounded ones."""
    with numpy.errstate(all="ignore"):
        s = logits(q, k, scale)
        w = numpy.exp(s - s.max(axis=1, keepdims=True) if is_shifted else s) * numpy.float32(times)
        o = store(w) @ v.astype("f4") / w.sum(axis=1, keepdims=True)
        return (o * numpy.float32(1 if back is None else back)).astype("f2")


def scaled(q, k, v, scale):
    return plain(q, k, v, scale, times=256)


def online(q, k, v, scale, block=2):
    """A block of keys after the other, with weights of up to 256, as FlashAttention-3 has them."""
    with numpy.errstate(all="ignore"):
        most = numpy.full((len(q), 1), -numpy.inf, "f4")
        total, sums = numpy.zeros_like(most), numpy.zeros((len(q), v.shape[1]), "f4")
        for first in range(0, len(k), block):
            s = logits(q, k[first : first + block], scale)
            new = numpy.maximum(most, s.max(axis=1, keepdims=True))
            w = numpy.exp(s - new) * numpy.float32(256)
            old = numpy.exp(most - new)
            total = total * old + w.sum(axis=1, keepdims=True)
            sums = sums * old + rounded(w) @ v[first : first + block].astype("f4")
            most = new
        return (sums / total).astype("f2")


#: What a kernel for the machine must not do.
MISTAKES = {
    "stored in e5m2": lambda *a: plain(*a, store=in_e5m2),
    "truncated": lambda *a: plain(*a, store=truncated),
    "subnormal weights are lost": lambda *a: plain(*a, store=without_subnormals),
    "weights beyond the largest number": lambda *a: plain(*a, times=512),
    "scaled and not back": lambda *a: plain(*a, times=256, back=256),
    "without the shift by the maximum": lambda *a: plain(*a, is_shifted=False),
}


NIGHTLY = os.environ.get("ASSAY_TIER") == "nightly"


def judged(kernel):
    """On one query and two keys, whose weights lie beside the middle of two numbers, among the subnormal ones, and far
    apart; then on drawn cases."""
    one, scale = numpy.ones((1, 1), "f2"), numpy.float32(1)
    for s in ((0, -1.269), (0, -4.17), (8, 0)):
        for v in ((0, 1), (1, 0)):
            k, v = (numpy.array(each, "f2")[:, None] for each in (s, v))
            assay.assert_close(kernel(one, k, v, scale), ATTENTION, one, k, v, scale, contract="p_e4m3")
    assay.check(kernel, ATTENTION, "p_e4m3", format="f16", cases=2000 if NIGHTLY else 10, controls=False)


@pytest.mark.parametrize("kernel", [plain, scaled, online])
def test_right_kernels_keep_the_machine(kernel):
    judged(kernel)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_break_the_machine(mistake):
    with pytest.raises(assay.Broken, match="p_e4m3 is (broken|violated)"):
        judged(MISTAKES[mistake])


@pytest.mark.skipif(not NIGHTLY, reason="takes some seconds")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_break_the_machine_in_drawn_cases(mistake):
    with pytest.raises(assay.Broken, match="p_e4m3 is violated"):
        assay.check(MISTAKES[mistake], ATTENTION, "p_e4m3", format="f16", cases=500)
