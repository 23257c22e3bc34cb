"""Formulas of single numbers on a device that is the host (tests/enclosures/host_device.cpp)."""

import math
import os
import warnings

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from assay import _close  # noqa: E402

if "ASSAY_CUDA_DRIVER" not in os.environ:
    pytest.skip("no library stands for a device", allow_module_level=True)

F4 = numpy.float32
DRAW = numpy.random.default_rng(3)
pytestmark = [pytest.mark.usefixtures("arrays_of_a_device"),
              pytest.mark.filterwarnings("ignore::RuntimeWarning")]


def of_erf(x):
    return numpy.vectorize(math.erf)(x.astype("f8")).astype(x.dtype)


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def adamw(p, g, m, v, lr, beta1, beta2, eps, decay, c1, c2):
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
    return p - lr * (m / c1 / (numpy.sqrt(v / c2) + eps) + decay * p)


def lion(p, g, m, lr, beta, decay):
    return p - lr * (numpy.sign(beta * m + (1 - beta) * g) + decay * p)


SCALARS = {
    "adamw": [1e-3, 0.9, 0.99, 1e-7, 0.01, 0.5, 0.3],
    "lion": [1e-3, 0.9, 0.01],
    "sgd_momentum": [1e-2, 0.9, 0.01],
    "elu": [1.25],
    "leaky_relu": [0.1],
    "huber": [0.75],
}
#: A right kernel for each formula, in the format of its arguments.
KERNELS = {
    "silu": (1, lambda x: x * sigmoid(x)),
    "sigmoid": (1, sigmoid),
    "tanh_of": (1, numpy.tanh),
    "gelu": (1, lambda x: x / 2 * (1 + numpy.tanh(F4(math.sqrt(2 / math.pi)) * (x + F4(0.044715) * x**3)))),
    "gelu_erf": (1, lambda x: x / 2 * (1 + of_erf(x * F4(math.sqrt(0.5))))),
    "softplus": (1, lambda x: numpy.maximum(x, 0) + numpy.log1p(numpy.exp(-abs(x)))),
    "mish": (1, lambda x: x * numpy.tanh(numpy.maximum(x, 0) + numpy.log1p(numpy.exp(-abs(x))))),
    "relu": (1, lambda x: numpy.maximum(x, 0)),
    "swiglu": (2, lambda g, x: g * sigmoid(g) * x),
    "geglu": (2, lambda g, x: g / 2 * (1 + of_erf(g * F4(math.sqrt(0.5)))) * x),
    "silu_backward": (2, lambda x, dy: sigmoid(x) * (1 + x * (1 - sigmoid(x))) * dy),
    "hypot_of": (2, numpy.hypot),
    "logaddexp": (2, numpy.logaddexp),
    "huber": (2, lambda x, t, d: numpy.minimum(abs(x - t), d) * (abs(x - t) - numpy.minimum(abs(x - t), d) / 2)),
    "elu": (1, lambda x, alpha: numpy.maximum(x, 0) + alpha * numpy.expm1(numpy.minimum(x, 0))),
    "leaky_relu": (1, lambda x, slope: numpy.where(x > 0, x, slope * x)),
    "adamw": (4, adamw),
    "lion": (3, lion),
    "sgd_momentum": (3, lambda p, g, v, lr, mu, decay: p - lr * (mu * v + g + decay * p)),
}


def case(name, kind, count=20_000):
    """The arrays of a formula, its scalars, and what a kernel in binary32 has for them."""
    arrays, kernel = KERNELS[name]
    inputs = [(2 * DRAW.standard_normal(count)).astype(kind) for _ in range(arrays)]
    if name == "adamw":
        inputs[3] = abs(inputs[3])
    scalars = [F4(each) for each in SCALARS.get(name, [])]
    got = kernel(*(each.astype("f4") for each in inputs), *scalars).astype(kind)
    return [*inputs, *map(float, scalars)], got


def judged(name, arguments, got, contract=None):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return _close.judged_on_device(_close.Formula(name), arguments, got, contract)


@pytest.mark.parametrize("kind", ["f4", "f2"])
@pytest.mark.parametrize("name", KERNELS)
def test_that_is_right_is_kept_in_every_entry(name, kind):
    arguments, got = case(name, kind)
    judgment = judged(name, arguments, got)
    assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", got.size, got.size)
    assert judgment.exactly <= 200


@pytest.mark.parametrize("kind", ["f4", "f2"])
@pytest.mark.parametrize("name", KERNELS)
def test_with_one_wrong_entry_is_refused_at_its_place(name, kind):
    arguments, got = case(name, kind)
    for place in (got.size - 1, 8191, 0):
        wrong = got.copy()
        wrong[place] += got.dtype.type(0.01 + 0.01 * abs(wrong[place]))
        with pytest.raises(assay.Broken, match=rf"\[{place}\]\n"):
            judged(name, arguments, wrong)


@pytest.mark.parametrize("name", ["silu", "gelu", "sigmoid", "tanh_of", "softplus", "mish"])
def test_of_any_numbers_is_kept_in_every_entry(name):
    """A machine without exp2 speaks of all of them, however large."""
    patterns = DRAW.integers(0, 1 << 32, 30_000, dtype="u8").astype("u4")
    x = patterns[(patterns & 0x7FFFFFFF) != 0x7F800000].view("f4")
    got = KERNELS[name][1](x.astype("f8")).astype("f4")
    judgment = judged(name, [x], got, "any_order")
    assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", got.size, got.size)
    assert judgment.exactly <= 200
    got[1000:1008] += F4(1e-3) + abs(got[1000:1008]) / 64
    with pytest.raises(assay.Broken, match=r"\[100[0-7]\], the worst of"):
        judged(name, [x], got, "any_order")


def test_of_which_a_definition_is_wrong_is_refused():
    arguments, _ = case("adamw", "f4")
    scalars = [F4(each) for each in arguments[4:]]
    without_decay = adamw(*arguments[:4], *scalars[:4], F4(0), *scalars[5:])
    with pytest.raises(assay.Broken):
        judged("adamw", arguments, without_decay)
    (x,), _ = case("gelu_erf", "f4")
    with pytest.raises(assay.Broken):
        judged("gelu_erf", [x], KERNELS["gelu"][1](x))


@pytest.mark.parametrize("contract", ["correctly_rounded", "faithful", "any_order"])
def test_by_stronger_contracts_is_judged_as_on_the_host(contract):
    (x,), _ = case("silu", "f4", 3000)
    wide = x.astype("f8")
    right = (wide / (1 + numpy.exp(-wide))).astype("f4")
    judgment = judged("silu", [x], right, contract)
    assert (judgment.verdict, judgment.judged) == ("kept", right.size)
    got = right.copy()
    got[1234] = numpy.nextafter(got[1234], F4(9))
    got[77] = numpy.nextafter(numpy.nextafter(got[77], F4(9)), F4(9))
    of = _close.Formula("silu")
    verdicts = []
    here = lambda: _close.hold(of, of.case([x], "f32"), got, contract)  # noqa: E731
    for hold in (lambda: judged("silu", [x], got, contract), here):
        try:
            hold()
            verdicts.append("kept")
        except assay.Broken as broken:
            verdicts.append(str(broken).splitlines()[1].split(",")[0])
    assert verdicts[0] == verdicts[1]


@pytest.mark.parametrize("name", ["softplus", "swiglu", "adamw"])
def test_with_infinities_and_nans_is_judged_by_what_they_make(name):
    arguments, _ = case(name, "f4", 3000)
    arguments[0][[5, 6, 7]] = [numpy.nan, numpy.inf, -numpy.inf]
    scalars = [F4(each) for each in arguments[KERNELS[name][0] :]]
    got = KERNELS[name][1](*arguments[: KERNELS[name][0]], *scalars)
    judgment = judged(name, arguments, got)
    assert (judgment.verdict, judgment.judged) == ("kept", got.size)
    got[5] = 1
    with pytest.raises(assay.Broken, match=r"\[5\]\n"):
        judged(name, arguments, got)


def test_of_many_nans_one_is_judged_for_all():
    x = numpy.full(20_000, numpy.nan, "f4")
    x[::7] = 1
    got = KERNELS["silu"][1](x)
    judgment = judged("silu", [x], got)
    assert (judgment.verdict, judgment.judged) == ("kept", got.size)
    assert judgment.exactly <= 12
    got[9_000] = 1  # of a NaN
    with pytest.raises(assay.Broken, match=r"\[9000\]\n"):
        judged("silu", [x], got)


def test_where_nans_are_wrong_is_refused():
    x = numpy.full(20_000, numpy.nan, "f4")
    with pytest.raises(assay.Broken):
        judged("sign_of", [numpy.ones(20_000, "f4")], x)


def test_of_which_few_entries_are_judged_warns_with_their_count():
    x = numpy.full(1 << 21, numpy.inf, "f4")
    got = x.copy()
    with pytest.warns(assay.Sampled, match=r"kept, (\d+) of 2097152 entries judged on the device, \d+ of them exactly"):
        _close.judged_on_device(_close.Formula("relu"), [x], got)
    assert judged("relu", [x[:20_000]], got[:20_000]) is None  # of so few the host judges all


def test_with_a_wrong_entry_is_refused_where_no_kernel_reached_it(monkeypatch):
    arguments, got = case("silu", "f4")
    monkeypatch.setenv("ASSAY_HOST_DEVICE_MISSES_A_BLOCK", "1")
    assert judged("silu", arguments, got) is None
    got[-1] += 1
    with pytest.raises(assay.Broken, match=r"\[19999\]\n"):
        judged("silu", arguments, got)


def test_that_is_nearest_to_its_bound_is_judged_by_the_host_too(monkeypatch):
    """formula.mean.1 gives a third of the bound of formula.forward.1 here."""
    text = "twice(x[n]) -> y[n]\n  z = exp(x)\n  y = z - 0.5 * z\n"
    x = numpy.linspace(0.5, 1, 9000).astype("f4")
    exact = numpy.exp(x.astype("f8")) / 2
    got = exact.astype("f4")
    of = _close.Formula(text)
    assert _close.judged_on_device(of, [x], got, "fast").verdict == "kept"
    got[4321] *= F4(1 + 9e-7)
    monkeypatch.setenv("ASSAY_HOST_DEVICE_FORGETS_THE_NEAREST", "1")
    assert _close.judged_on_device(of, [x], got, "fast").verdict == "kept"
    monkeypatch.delenv("ASSAY_HOST_DEVICE_FORGETS_THE_NEAREST")
    with pytest.raises(assay.Broken, match=r"\[4321\]\n"):
        _close.judged_on_device(of, [x], got, "fast")


def test_in_other_formats_layouts_and_by_other_contracts_is_judged_by_the_host_alone():
    (x,), got = case("silu", "f4")
    assert judged("silu", [x], got, "exceptional") is None
    assert judged("silu", [x], got, "ftz") is None
    assert judged("silu", [x[::2]], got[::2]) is None
    assert judged("silu", [x.astype("f8")], got.astype("f8")) is None
    for name in ("pow_of", "atan2_of", "fmod_of"):  # no function of the device
        assert judged(name, [abs(x) + 1, abs(x) + 1], got) is None


def test_of_any_shape_and_of_several_formats_is_judged_there():
    (g, x), _ = case("swiglu", "f2", 3000)
    got = KERNELS["swiglu"][1](g.astype("f4"), x.astype("f4"))
    judgment = judged("swiglu", [g.reshape(30, 100), x.reshape(30, 100)], got.reshape(30, 100))
    assert (judgment.verdict, judgment.judged) == ("kept", 3000)
    got[1234] += 1
    with pytest.raises(assay.Broken, match=r"\[12, 34\]\n"):
        judged("swiglu", [g.reshape(30, 100), x.reshape(30, 100)], got.reshape(30, 100))
