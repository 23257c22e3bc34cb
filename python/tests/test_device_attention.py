"""Attention on a device that is the host (tests/enclosures/host_device.cpp)."""

import os
import re
import warnings

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from assay import _arrays, _close  # noqa: E402

if "ASSAY_CUDA_DRIVER" not in os.environ:
    pytest.skip("no library stands for a device", allow_module_level=True)

DRAW = numpy.random.default_rng(7)
SCALE = 0.25
NAMES = {True: "attention", False: "attention_full"}


pytestmark = [pytest.mark.usefixtures("arrays_of_a_device"),
              pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")]


def inputs(kind, heads=(2, 3), n=19, m=40, d=16, e=24):
    """q, k and v, as layers have them: the heads of a position one after the other."""
    sides = ((n, d), (m, d), (m, e))
    arrays = [DRAW.standard_normal((*heads[:-1], rows, *heads[-1:], columns)).astype(kind) for rows, columns in sides]
    return [numpy.swapaxes(each, -3, -2) if heads else each for each in arrays]


def seen_by(n, m, causal):
    """Which keys each query sees."""
    return numpy.arange(m)[None, :] <= numpy.arange(n)[:, None] + m - n if causal else numpy.ones((n, m), bool)


def weights_of(q, k, causal, scale=SCALE, wide="f4"):
    s = q.astype(wide) @ numpy.swapaxes(k.astype(wide), -1, -2) * numpy.asarray(scale, wide)
    s = numpy.where(seen_by(q.shape[-2], k.shape[-2], causal), s, -numpy.inf)
    return numpy.exp(s - s.max(axis=-1, keepdims=True))


def plain(q, k, v, causal):
    p = weights_of(q, k, causal)
    return (p / p.sum(axis=-1, keepdims=True) @ v.astype("f4")).astype(q.dtype)


def with_stored_weights(q, k, v, causal):
    p = weights_of(q, k, causal)
    return (p.astype(q.dtype).astype("f4") @ v.astype("f4") / p.sum(axis=-1, keepdims=True)).astype(q.dtype)


def online(q, k, v, causal, block=8, left_out=None):
    """A block of keys after the other, as flash attention does; `left_out`: the block that is forgotten."""
    seen = seen_by(q.shape[-2], k.shape[-2], causal)
    largest = numpy.full((*q.shape[:-1], 1), -1e30, "f4")
    total = numpy.zeros_like(largest)
    sums = numpy.zeros((*q.shape[:-1], v.shape[-1]), "f4")
    for first in range(0, k.shape[-2], block):
        if first == left_out:
            continue
        keys, values = (each[..., first : first + block, :].astype("f4") for each in (k, v))
        s = q.astype("f4") @ numpy.swapaxes(keys, -1, -2) * numpy.float32(SCALE)
        s = numpy.where(seen[:, first : first + block], s, -numpy.inf)
        new = numpy.maximum(largest, s.max(axis=-1, keepdims=True))
        p, factor = numpy.exp(s - new), numpy.exp(largest - new)
        total, sums, largest = total * factor + p.sum(axis=-1, keepdims=True), sums * factor + p @ values, new
    return (sums / total).astype(q.dtype)


def split(q, k, v, causal, parts=3):
    """Parts of the keys by themselves, combined by their sums."""
    p = weights_of(q, k, causal)
    pieces = numpy.array_split(numpy.arange(k.shape[-2]), parts)
    total = sum(p[..., each].sum(axis=-1, keepdims=True) for each in pieces)
    return (sum(p[..., each] @ v[..., each, :].astype("f4") for each in pieces) / total).astype(q.dtype)


def judged(q, k, v, got, causal, contract=None):
    of = _close.Formula(NAMES[causal])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return _close.judged_on_device(of, [q, k, v, SCALE], got, contract)


@pytest.mark.parametrize("kind", ["f4", "f2"])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("kernel", [plain, with_stored_weights, online, split])
def test_that_is_right_is_kept_in_every_entry(kernel, causal, kind):
    for heads in ((2, 3), (4,), ()):
        q, k, v = inputs(kind, heads)
        got = kernel(q, k, v, causal)
        judgment = judged(q, k, v, got, causal)
        assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", got.size, got.size)
        assert judgment.exactly in (24, 48)  # the last row, and that with the largest share of its bound


@pytest.mark.parametrize("kind", ["f4", "f2"])
@pytest.mark.parametrize("causal", [True, False])
def test_with_one_wrong_entry_is_refused_at_its_place(causal, kind):
    q, k, v = inputs(kind)
    for place in (2 * 3 * 19 * 24 - 1, 5 * 19 * 24 + 7, 0):
        got = plain(q, k, v, causal)
        got.reshape(-1)[place] += got.dtype.type(0.01 + 0.05 * abs(got.reshape(-1)[place]))
        index = ", ".join(str(int(each)) for each in numpy.unravel_index(place, got.shape))
        with pytest.raises(assay.Broken, match=rf"is broken\n  entry  o\[{index}\]\n"):
            assay.assert_close(got, NAMES[causal], q, k, v, scale=SCALE)


def test_of_many_rows_that_are_open_the_one_that_is_farthest_off_is_judged():
    q, k, v = inputs("f4", (), n=64)
    bounds = [assay.tolerance("attention_full", row[None], k, v, SCALE, contract="any_order").atol for row in q]
    bound = numpy.concatenate(bounds)
    p = weights_of(q, k, False, wide="f8")
    exact = p / p.sum(axis=-1, keepdims=True) @ v.astype("f8")
    got = (exact + 0.98 * bound).astype("f4")
    judgment = _close.judged_on_device(_close.Formula("attention_full"), [q, k, v, SCALE], got, "any_order")
    assert judgment.verdict == "kept" and judgment.judged < got.size
    got[41, 5] = exact[41, 5] + 2 * bound[41, 5]
    with pytest.raises(assay.Broken, match=r"entry  o\[41, 5\]\n"):
        assay.assert_close(got, "attention_full", q, k, v, scale=SCALE, contract="any_order")


def test_of_keys_that_lie_backward_is_judged():
    q, k, v = inputs("f2", (), m=2)
    k, v = k[::-1], v[::-1]
    assay.assert_close(plain(q, k, v, False), "attention_full", q, k, v, scale=SCALE)


def test_beside_rows_with_nan_a_wrong_number_is_found():
    q, k, v = inputs("f2", (3,), n=60)
    k[0, 7, 3] = k[2, 7, 3] = numpy.nan
    got = plain(q, k, v, False)
    got[1, 31, 5] += 1
    with pytest.raises(assay.Broken, match=r"entry  o\[1, 31, 5\]\n"):
        assay.assert_close(got, "attention_full", q, k, v, scale=SCALE)


def test_that_loses_a_block_of_keys_is_refused():
    q, k, v = inputs("f2", n=40)
    for block in (0, 16, 32):
        with pytest.raises(assay.Broken):
            judged(q, k, v, online(q, k, v, True, left_out=block), True)


def test_that_sees_one_key_more_or_is_scaled_twice_is_refused():
    q, k, v = inputs("f4")
    with pytest.raises(assay.Broken):
        judged(q, k, v, plain(q, k, v, False), True)
    p = weights_of(q, k, True, SCALE * SCALE)
    with pytest.raises(assay.Broken):
        judged(q, k, v, (p / p.sum(axis=-1, keepdims=True) @ v).astype("f4"), True)


def test_that_stores_its_weights_breaks_the_machine_that_does_not_as_on_the_host():
    q, k, v = inputs("f2", (), n=40)
    got = with_stored_weights(q, k, v, False)
    assert judged(q, k, v, got, False, "stored_p").verdict == "kept"
    with pytest.raises(assay.Broken, match="keeps  stored_s: "):
        judged(q, k, v, got, False, "tree")
    of = _close.Formula("attention_full")
    with pytest.raises(assay.Broken, match="keeps  stored_s: "):
        _close.hold(of, of.case([q, k, v, SCALE], "f16"), got, "tree")


@pytest.mark.parametrize("which", [0, 1, 2])
def test_with_a_number_that_is_none_is_judged_by_what_it_makes_of_its_rows(which):
    q, k, v = inputs("f4", (2,), n=5, m=5)
    (q, k, v)[which][1, 4, 3] = numpy.nan
    got = plain(q, k, v, True)
    judgment = judged(q, k, v, got, True)
    assert (judgment.verdict, judgment.judged) == ("kept", got.size)
    got[1, 4, 3] = 7
    with pytest.raises(assay.Broken, match=r"entry  o\[1, 4, 3\]"):
        judged(q, k, v, got, True)


def test_of_which_few_rows_are_judged_warns_with_their_count():
    q, k, v = inputs("f4", (3,), n=9, m=9)
    k[:, 0, 0] = numpy.inf
    got = plain(q, k, v, False)
    with pytest.warns(assay.Sampled, match=r"kept, (\d+) of 648 entries judged on the device, \1 of them exactly"):
        _close.judged_on_device(_close.Formula("attention_full"), [q, k, v, SCALE], got)


def test_is_judged_by_its_last_row_where_no_kernel_reached_it(monkeypatch):
    q, k, v = inputs("f4", (2,))
    got = plain(q, k, v, True)
    monkeypatch.setenv("ASSAY_HOST_DEVICE_MISSES_A_BLOCK", "1")
    got[-1, -1, -1] += 1
    with pytest.raises(assay.Broken, match=r"entry  o\[1, 18, 23\]"):
        judged(q, k, v, got, True)


def test_in_other_formats_and_by_other_contracts_is_judged_by_the_host_alone():
    q, k, v = inputs("f8", ())
    assert judged(q, k, v, plain(q, k, v, True), True) is None
    q, k, v = inputs("f2", ())
    for contract in ("narrow", "exceptional"):
        assert judged(q, k, v, plain(q, k, v, True), True, contract) is None
    of = _close.Formula("attention_sink")
    assert _close.judged_on_device(of, [q, k, v, q[:, 0], SCALE], v[:19]) is None


def test_of_heads_that_share_keys_and_of_a_decoding_is_judged_there():
    q, k, v = inputs("f2", (3, 2))
    shared, keys = q[None], (k[None, :, 0], v[None, :, 0])
    got = plain(shared, *(each[:, :, None] for each in keys), True)
    of = _close.Formula("attention_grouped")
    judgment = _close.judged_on_device(of, [shared, *keys, SCALE], got)
    assert (judgment.verdict, judgment.judged) == ("kept", got.size)
    got[0, 2, 1, 18, 5] += 1
    with pytest.raises(assay.Broken, match=r"entry  o\[0, 2, 1, 18, 5\]"):
        assay.assert_close(got, of, shared, *keys, scale=SCALE)
    of = _close.Formula("attention_decode")
    one = q[:, :, -1]
    keys = [numpy.swapaxes(each, -3, -2) for each in (k, v)]  # batch, position, head
    got = plain(q[:, :, -1:], k, v, False)[:, :, 0]
    judgment = _close.judged_on_device(of, [one, *keys, SCALE], got)
    assert (judgment.verdict, judgment.judged) == ("kept", got.size)
    got[2, 1, 3] += 1
    with pytest.raises(assay.Broken, match=r"entry  o\[2, 1, 3\]"):
        assay.assert_close(got, of, one, *keys, scale=SCALE)


def gradients(q, k, v, do, wide="f4", stored=None):
    """dQ, dK and dV of causal attention, with P, O and dS stored in a format."""

    def kept(x):
        return x if stored is None else x.astype(stored).astype(wide)

    a, b, c, d = (each.astype(wide) for each in (q, k, v, do))
    p = weights_of(q, k, True, wide=wide)
    p /= p.sum(axis=-1, keepdims=True)
    ds = kept(p * (d @ numpy.swapaxes(c, -1, -2) - (d * kept(p @ c)).sum(axis=-1, keepdims=True)))
    of = (ds @ b * numpy.asarray(SCALE, wide), numpy.swapaxes(ds, -1, -2) @ a * numpy.asarray(SCALE, wide),
          numpy.swapaxes(kept(p), -1, -2) @ d)
    return [each.astype(q.dtype) for each in of]


def backward(which, q, k, v, do):
    """The formula of a gradient, and its arguments."""
    arguments = [q, k, do, SCALE] if which == "v" else [q, k, v, do, SCALE]
    return _close.Formula(f"attention_backward_{which}"), arguments


@pytest.mark.parametrize("kind, wide, stored", [("f4", "f8", None), ("f2", "f4", None), ("f2", "f4", "f2")])
@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_of_a_gradient_that_is_right_is_kept_in_every_entry(which, kind, wide, stored):
    for heads, m in (((2, 3), 40), ((4,), 19), ((), 60)):
        q, k, v = inputs(kind, heads, m=m)
        do = DRAW.standard_normal((*heads, 19, 24)).astype(kind)
        of, arguments = backward(which, q, k, v, do)
        got = gradients(q, k, v, do, wide, stored)["qkv".index(which)]
        judgment = _close.judged_on_device(of, arguments, got)
        assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", got.size, got.size)


@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_of_a_gradient_with_one_wrong_entry_is_refused_at_its_place(which):
    q, k, v = inputs("f2")
    do = DRAW.standard_normal((2, 3, 19, 24)).astype("f2")
    of, arguments = backward(which, q, k, v, do)
    got = gradients(q, k, v, do)["qkv".index(which)]
    got[1, 2, -1, -1] += numpy.float16(0.5)
    row = got.shape[-2] - 1
    with pytest.raises(assay.Broken, match=rf"is broken( in \[1, 2\])?\n  entry  d{which}\[(1, 2, )?{row}, "):
        assay.assert_close(got, of, *arguments)


def large(which, kind="f2"):
    """A gradient of which the host judges no entry, or none in reasonable time: its formula, its arguments and a right
    result of 2 heads."""
    n, m, d, e = {"q": (2, 1700, 8, 256), "k": (150, 165, 128, 140), "v": (260, 265, 128, 16)}[which]
    q, k, v = inputs(kind, (2,), n=n, m=m, d=d, e=e)
    do = DRAW.standard_normal((2, n, e)).astype(kind)
    return *backward(which, q, k, v, do), gradients(q, k, v, do)["qkv".index(which)]


@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_of_a_large_gradient_with_a_wrong_entry_is_refused_at_its_place(which):
    of, arguments, got = large(which)
    assert _close.judged_on_device(of, arguments, got).verdict == "kept"
    rows = got.shape[-2]
    last = (1, rows - 1, got.shape[-1] - 1)
    for place, wrong in (((0, 0, 0), -16), ((1, rows // 2, 5), numpy.nan), (last, -numpy.inf)):
        bad = got.copy()
        bad[place] = got[place] + got.dtype.type(wrong)
        entry = re.escape(f"  entry  d{which}{list(place)}\n")
        error = "not a number" if numpy.isnan(wrong) else r"at least [0-9.e+]+ of the bound"
        with pytest.raises(assay.Broken, match=entry) as told:
            assay.assert_close(bad, of, *arguments)
        assert re.search(rf"\n  exact  \S+ \+/- \S+\n  error  {error}\n  bound  at most ", str(told.value))


@pytest.mark.parametrize("which", ["k", "v"])
def test_of_a_large_gradient_tells_how_many_entries_are_wrong(which):
    of, arguments, got = large(which)
    got[0, 3, :7] += got.dtype.type(4)
    got[1, 90, 2] -= got.dtype.type(40)
    entry = re.escape(f"  entry  d{which}[1, 90, 2], the worst of 8 wrong entries\n")
    with pytest.raises(assay.Broken, match=entry):
        assay.assert_close(got, of, *arguments)


@pytest.mark.parametrize("which", ["k", "v"])
def test_of_a_large_gradient_that_loses_a_block_of_queries_is_refused(which):
    of, arguments, _ = large(which)
    q, k, v, do = (arguments[0], arguments[1], arguments[1][..., :16], arguments[2]) if which == "v" else arguments[:4]
    lost = do.copy()
    lost[:, 64:96] = 0
    with pytest.raises(assay.Broken):
        assay.assert_close(gradients(q, k, v, lost)["qkv".index(which)], of, *arguments)


@pytest.mark.parametrize("which", ["k", "v"])
def test_of_a_large_gradient_is_undecided_between_what_bounds_are_known_to_be(which):
    of, arguments, got = large(which)
    bad = got.copy()
    bad[1, 70, 5] += got.dtype.type(100)
    with pytest.raises(assay.Broken) as told:
        assay.assert_close(bad, of, *arguments)
    ceiling = float(re.search(r"bound  at most (\S+)", str(told.value))[1])
    got[1, 70, 5] += got.dtype.type(0.9 * ceiling)
    with pytest.raises(assay.Undecided, match=rf"from d{which}\[1, 70, 0\] on, a number of this row is shown neither"):
        assay.assert_close(got, of, *arguments)


@pytest.mark.parametrize("which", ["k", "v"])
def test_of_a_large_gradient_is_not_refused_where_no_kernel_reached_it(which, monkeypatch):
    of, arguments, got = large(which)
    monkeypatch.setenv("ASSAY_HOST_DEVICE_MISSES_A_BLOCK", "1")
    with pytest.raises(assay.Undecided):
        assay.assert_close(got, of, *arguments)


def test_in_batches_is_judged_by_the_host_head_for_head(monkeypatch):
    monkeypatch.setattr(_arrays, "on_device", lambda x: None)
    q, k, v = inputs("f4", n=3, m=5, d=4, e=4)
    got = plain(q, k, v, True)
    assay.assert_close(got, "attention", q, k, v, scale=SCALE)
    got[1, 2, 2, 3] += 1
    with pytest.raises(assay.Broken, match=r"is broken in \[1, 2\]\n  entry  o\[2, 3\]\n"):
        assay.assert_close(got, "attention", q, k, v, scale=SCALE)
    with pytest.raises(ValueError, match=r"q: it has shape \(2, 3, 3, 4\)"):
        assay.assert_close(got[0], "attention", q, k, v, scale=SCALE)


def test_with_large_logits_and_other_shapes_is_kept():
    for n, m, d, e in ((1, 70, 3, 33), (33, 37, 40, 1), (20, 20, 5, 140)):
        q, k, v = inputs("f4", (2,), n, m, d, e)
        q *= 30
        got = plain(q.astype("f8"), k.astype("f8"), v, n > 1).astype("f4")
        judgment = judged(q, k, v, got, n > 1)
        assert (judgment.verdict, judgment.judged) == ("kept", got.size)
