"""Formulas with reductions of rows on a device that is the host (tests/enclosures/host_device.cpp)."""

import os
import warnings

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from assay import _close  # noqa: E402

if "ASSAY_CUDA_DRIVER" not in os.environ:
    pytest.skip("no library stands for a device", allow_module_level=True)

F4 = numpy.float32
IS_LONG = os.environ.get("ASSAY_TIER") == "nightly"
DRAW = numpy.random.default_rng(4)
pytestmark = [pytest.mark.usefixtures("arrays_of_a_device"),
              pytest.mark.filterwarnings("ignore::RuntimeWarning")]


def logsumexp(x):
    top = x.max(-1, keepdims=True)
    return (top + numpy.log(numpy.exp(x - top).sum(-1, keepdims=True)))[..., 0]


def picked(x, label):
    return numpy.take_along_axis(x, label[:, None], -1)[:, 0]


def softmax(x):
    weights = numpy.exp(x - x.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def norm(x, axes, gamma, beta, eps):
    d = x - x.mean(axes, keepdims=True)
    return d / numpy.sqrt((d * d).mean(axes, keepdims=True) + eps) * gamma + beta


def gradient_of_norm(dy, x, gamma, eps):
    d = x - x.mean(-1, keepdims=True)
    t = 1 / numpy.sqrt((d * d).mean(-1, keepdims=True) + eps)
    h, g = d * t, dy * gamma
    return t * (g - g.mean(-1, keepdims=True) - h * (g * h).mean(-1, keepdims=True))


def cosine(x, y, eps):
    lengths = [numpy.maximum(numpy.sqrt((each * each).sum(-1)), eps) for each in (x, y)]
    return (x * y).sum(-1) / (lengths[0] * lengths[1])


def cross_entropy(x, label):
    return logsumexp(x) - picked(x, label)


def loss_gradient(x, hot, dl):
    return (softmax(x) - hot) * dl[:, None]


#: A right kernel for each formula in the format of its arguments, and what these are: matrices, numbers of a row or a
#: column, labels, a matrix with one 1 in each row, probabilities, and scalars.
KERNELS = {
    "logsumexp": ("m", logsumexp),
    "mean": ("m", lambda x: x.mean(-1)),
    "variance": ("m", lambda x: x.var(-1)),
    "std_unbiased": ("m", lambda x: x.std(-1, ddof=1)),
    "max_of": ("m", lambda x: x.max(-1)),
    "norm_1": ("m", lambda x: abs(x).sum(-1)),
    "norm_2": ("m", lambda x: numpy.sqrt((x * x).sum(-1))),
    "mse": ("mm", lambda x, t: ((x - t) ** 2).mean(-1)),
    "kl_div": ("mp", lambda x, t: (t * (numpy.log(t) - x)).sum(-1)),
    "cosine_similarity": ("mm2", cosine),
    "cross_entropy": ("ml", cross_entropy),
    "cross_entropy_backward": ("mhr", loss_gradient),
    "softmax_backward": ("mm", lambda x, dy: softmax(x) * (dy - (softmax(x) * dy).sum(-1, keepdims=True))),
    "normalize": ("m2", lambda x, eps: x / numpy.maximum(numpy.sqrt((x * x).sum(-1, keepdims=True)), eps)),
    "layer_norm_residual": ("mmcc2", lambda x, r, gamma, beta, eps: norm(x + r, -1, gamma, beta, eps)),
    "layer_norm_backward_x": ("mmc2", gradient_of_norm),
    "mse_backward": ("mmr", lambda x, t, dl: 2 * (x - t) * dl[:, None] / F4(x.shape[1])),
}


def drawn(kind, dtype, rows, columns):
    if kind == "2":
        return float(F4(2**-12))
    if kind == "l":
        return DRAW.integers(0, columns, rows)
    if kind == "h":
        return numpy.eye(columns, dtype=dtype)[DRAW.integers(0, columns, rows)]
    if kind == "p":
        return softmax(DRAW.standard_normal((rows, columns))).astype(dtype) + numpy.array(2**-12, dtype)
    shape = {"m": (rows, columns), "r": (rows,), "c": (columns,)}[kind]
    return (2 * DRAW.standard_normal(shape)).astype(dtype)


def case(name, dtype, rows=60 if IS_LONG else 8, columns=130 if IS_LONG else 21):
    """The arguments of a formula, and what a kernel in binary32 has for them."""
    kinds, kernel = KERNELS[name]
    arguments = [drawn(kind, dtype, rows, columns) for kind in kinds]
    wide = [x.astype("f4") if getattr(x, "dtype", None) == dtype else F4(x) if isinstance(x, float) else x
            for x in arguments]
    return arguments, kernel(*wide).astype(dtype)


def judged(name, arguments, got, contract=None):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return _close.judged_on_device(_close.Formula(name), arguments, got, contract)


def place_of(index, shape):
    return r"\[" + ", ".join(str(int(each)) for each in numpy.unravel_index(index, shape)) + r"\]\n"


@pytest.mark.parametrize("dtype", ["f4", "f2"])
@pytest.mark.parametrize("name", KERNELS)
def test_that_is_right_is_kept_and_one_wrong_entry_is_refused_at_its_place(name, dtype):
    arguments, got = case(name, dtype)
    judgment = judged(name, arguments, got)
    assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", got.size, got.size)
    for place in (got.size - 1, 5):
        wrong = got.copy()
        wrong.flat[place] += got.dtype.type(0.02 + 0.02 * abs(wrong.flat[place]))
        with pytest.raises(assay.Broken, match=place_of(place, got.shape)):
            judged(name, arguments, wrong)


@pytest.mark.parametrize("contract", ["tree", "correctly_rounded", "faithful"])
@pytest.mark.parametrize("name", ["logsumexp", "variance", "cross_entropy", "cosine_similarity"])
def test_by_another_contract_is_judged_as_on_the_host(name, contract):
    arguments, _ = case(name, "f4", 10, 40)
    wide = [x.astype("f8") if getattr(x, "dtype", None) == F4 else x for x in arguments]
    got = KERNELS[name][1](*wide).astype("f4")
    got[7] = numpy.nextafter(got[7], F4(99))
    of = _close.Formula(name)
    verdicts = []
    here = lambda: _close.hold(of, of.case(arguments, "f32"), got, contract)  # noqa: E731
    for hold in (lambda: judged(name, arguments, got, contract), here):
        try:
            hold()
            verdicts.append("kept")
        except assay.Broken as broken:
            verdicts.append(str(broken).splitlines()[1].split(",")[0])
    assert verdicts[0] == verdicts[1]


def test_with_infinities_and_nans_in_some_rows_is_judged_by_what_they_make():
    (x,), _ = case("logsumexp", "f4", 8, 21)
    x[3, 5], x[4, 0], x[5, 20], x[6] = numpy.nan, numpy.inf, -numpy.inf, -numpy.inf
    got = logsumexp(x)
    got[4], got[6] = numpy.inf, -numpy.inf
    judgment = judged("logsumexp", [x], got)
    assert (judgment.verdict, judgment.judged) == ("kept", 8)
    for row, wrong in ((3, 1), (4, 1), (5, got[5] + 1)):
        other = got.copy()
        other[row] = wrong
        with pytest.raises(assay.Broken, match=rf"\[{row}\]\n"):
            judged("logsumexp", [x], other)


def test_with_one_wrong_row_of_many_is_refused():
    (x, label), got = case("cross_entropy", "f4", 200, 3)
    assert judged("cross_entropy", [x, label], got).judged == 200
    got[179] += F4(1e-3)
    with pytest.raises(assay.Broken, match=r"\[179\]\n"):
        judged("cross_entropy", [x, label], got)


def test_with_ignored_labels_is_judged_there():
    x = DRAW.standard_normal((9, 40)).astype("f4")
    label = DRAW.integers(0, 40, 9)
    label[::7] = -100
    text = "loss(x[r,n], label[r]: index n or -100) -> l[r]\n  l = pick(logsumexp(x, axis=n) - x, label)\n"
    got = numpy.where(label < 0, 0, logsumexp(x) - picked(x, abs(label) % 40)).astype("f4")
    of = _close.Formula(text)
    assert _close.judged_on_device(of, [x, label], got).judged == 9
    got[7] = 1
    with pytest.raises(assay.Broken, match=r"\[7\]\n"):
        _close.judged_on_device(of, [x, label], got)


LAYOUTS = {
    "batch_norm_training": (lambda x, c: norm(x, (0, 2), c[0][:, None], c[1][:, None], 2**-12), (3,)),
    "instance_norm": (lambda x, c: norm(x, 2, c[0][:, None], c[1][:, None], 2**-12), (3,)),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_whose_rows_lie_apart_is_judged_there(name):
    kernel, of_channel = LAYOUTS[name]
    whole = DRAW.standard_normal((8, 6, 40)).astype("f4")
    channels = [DRAW.standard_normal(of_channel).astype("f4") for _ in range(2)]
    for x in (whole[:4, :3], whole[::2, ::2, ::2], numpy.asfortranarray(whole[:4, 3:])):
        got = kernel(x, channels)
        judgment = judged(name, [x, *channels, 2.0**-12], got)
        assert (judgment.verdict, judgment.judged) == ("kept", got.size)
        got[2, 1, 5] += F4(0.01)
        with pytest.raises(assay.Broken, match=r"\[2, 1, 5\]\n"):
            judged(name, [x, *channels, 2.0**-12], got)


def test_of_groups_is_judged_there():
    x = DRAW.standard_normal((4, 2, 3, 20)).astype("f4")
    gamma, beta = (DRAW.standard_normal((2, 3)).astype("f4") for _ in range(2))
    got = norm(x, (2, 3), gamma[:, :, None], beta[:, :, None], F4(2**-12))
    assert judged("group_norm", [x, gamma, beta, 2.0**-12], got).judged == got.size
    got[3, 1, 2, 4] += F4(0.01)
    with pytest.raises(assay.Broken, match=r"\[3, 1, 2, 4\]\n"):
        judged("group_norm", [x, gamma, beta, 2.0**-12], got)


@pytest.mark.parametrize("kernel", ["reduce_rows", "decide_entries"])
def test_of_which_no_kernel_reached_a_row_is_judged_there_by_the_host(kernel, monkeypatch):
    (x,), got = case("logsumexp", "f4", 8)
    monkeypatch.setenv("ASSAY_HOST_DEVICE_MISSES_A_BLOCK_OF", kernel)
    judgment = judged("logsumexp", [x], got)
    assert judgment is None or (judgment.judged, judgment.exactly) >= (8, 1)
    got[-1] += 1
    with pytest.raises(assay.Broken, match=r"\[7\]\n"):
        judged("logsumexp", [x], got)


def test_of_long_rows_with_a_wrong_one_is_refused_without_the_host():
    x = DRAW.standard_normal((3, 20_000)).astype("f4")
    got = logsumexp(x.astype("f8")).astype("f4")
    assert judged("logsumexp", [x], got).judged == 3
    got[1] *= F4(1.1)
    with pytest.raises(assay.Broken, match=r"\[1\]\n") as refused:
        judged("logsumexp", [x], got)
    assert "made of" not in str(refused.value)  # which the host tells


@pytest.mark.skipif(not IS_LONG, reason="it takes seconds")
def test_of_a_row_that_is_too_long_for_the_host_is_judged_by_the_device():
    x = abs(DRAW.standard_normal(2_200_000)).astype("f4")
    exact = x.sum(dtype="f8")
    got = numpy.array([exact], "f4")
    judgment = judged("norm_1", [x[None]], got, "tree")
    assert (judgment.verdict, judgment.judged, judgment.exactly) == ("kept", 1, 0)
    for contract in ("tree", "correctly_rounded"):
        with pytest.raises(assay.Broken, match=r"y\[0\]\n"):
            judged("norm_1", [x[None]], got * F4(1.00001), contract)
    with pytest.raises(assay.Undecided, match="would take hours"):  # the number on the other side of the exact one
        judged("norm_1", [x[None]], numpy.nextafter(got, F4(9e9 * (exact - got[0]))), "correctly_rounded")


def test_with_a_label_that_is_ignored_though_it_names_an_entry_has_nothing_there():
    x = DRAW.standard_normal((2000, 8)).astype("f4")
    label = DRAW.integers(1, 8, 2000)
    label[1234] = 0
    of = _close.Formula("own(x[r,n], label[r]: index n or -0) -> y[r]\n  y = pick(x, label)\n")
    got = picked(x, label)
    got[1234] = 0
    assert _close.judged_on_device(of, [x, label], got).judged == 2000
    with pytest.raises(assay.Broken, match=r"\[1234\]\n"):
        _close.judged_on_device(of, [x, label], picked(x, label))


#: A result that a machine admits for reasons that a device does not follow: a factor of a column moves into the sum that
#: all columns have, a divisor overflows in f16, a partial sum may become infinite, either neighbor is right.
ADMITTED = {
    "a factor of a column": ("own(x[r,n], w[n]) -> y[r,n]\n  y = w * sum(x, axis=n)\n", "any_order"),
    "a divisor beyond f16": ("own(x[r,n]) -> y[r]\n  y = max(x, axis=n) / 100000\nmachine own\n  wide f16\n", "own"),
    "either neighbor": ("own(x[r,n], w[r]) -> y[r]\n  y = max(x, axis=n) + w\nmachine own\n  stochastic\n", "own"),
    "an infinite sum": ("own(x[r,n]) -> y[r]\n  y = sum(x, axis=n)\n", "any_order"),
}


def admitted(what, columns):
    """Arguments with one row, and a result that the machine admits."""
    x = numpy.zeros((1, columns), "f2")
    if what == "a factor of a column":
        w = numpy.ones(columns, "f4")
        w[7] = 2.0**126
        x = numpy.zeros((1, columns), "f4")
        x[0, :2] = 3, 5
        got = w * F4(8)
        got[7] = numpy.inf
        got[0] = numpy.nan
        return [x, w], got[None]
    if what == "an infinite sum":
        x[0, : columns - columns % 2] = numpy.tile(numpy.array([40000, -40000], "f2"), columns // 2)
        x[0, 0] = 40000.0
        return [x], numpy.array([numpy.inf], "f2")
    x[0, 0] = 1
    if what == "a divisor beyond f16":
        return [x], numpy.zeros(1, "f2")
    return [x, numpy.array([0.75 * 2.0**-10], "f2")], numpy.ones(1, "f2")


@pytest.mark.parametrize("what", ADMITTED)
def test_that_a_machine_admits_is_not_refused_in_a_row_that_is_too_long_for_the_host(what):
    text, contract = ADMITTED[what]
    arguments, got = admitted(what, 2_200_000)
    try:
        judgment = _close.judged_on_device(_close.Formula(text), arguments, got, contract)
    except assay.Undecided:
        return
    assert judgment is None or judgment.verdict == "kept"


def test_of_another_shape_is_judged_by_the_host_alone():
    (x,), _ = case("mean", "f4")
    assert judged("mean", [x.astype("f8")], x.astype("f8").mean(-1)) is None
    sliced = _close.Formula("own(x[r,n]) -> y[r]\n  y = sum(x, axis=n) - x[:, 3]\n")
    assert _close.judged_on_device(sliced, [x], x.sum(-1) - x[:, 3]) is None
    other = _close.Formula("own(x[r,n], z[k,r,n]) -> y[k,r]\n  y = sum(x[k,:] + z, axis=n)\n")
    assert _close.judged_on_device(other, [x, x[None].repeat(len(x), 0)], x.sum(-1)[:, None] + x.sum(-1)) is None
    column = _close.Formula("own(x[r,n], t: index n) -> y[r]\n  y = pick(x, t)\n")
    assert _close.judged_on_device(column, [x, 3], x[:, 3]) is None
    square = x[:, : len(x)]
    turned = _close.Formula("own(x[r,n], w[n]) -> y[r,n]\n  y = w[r] * x + sum(x, axis=n)\n")
    assert _close.judged_on_device(turned, [square, x[0, : len(x)]], square) is None
    assert judged("linear", [x, x, x[:, 0]], x @ x.T + x[:, 0]) is None
    assert judged("embedding", [x, DRAW.integers(0, len(x), 30)], x[:1].repeat(30, 0)) is None
