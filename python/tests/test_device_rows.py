"""Rows and prefix sums on a device that is the host (tests/enclosures/host_device.cpp): its judge runs where there is no other device."""

import math
import os

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from assay import _arrays, _device  # noqa: E402

if "ASSAY_CUDA_DRIVER" not in os.environ:
    pytest.skip("no library stands for a device", allow_module_level=True)

DRAW = numpy.random.default_rng(5)
EPS = numpy.float32(1e-5)
CONTRACTS = {"softmax": "shifted_1ulp", "log_softmax": "log1p_1ulp", "layer_norm": "two_pass", "rms_norm": "any_order"}
KINDS = ["f4", "f2"]


def rows(count, columns, kind):
    return (4 * DRAW.standard_normal((count, columns))).astype(kind)


def arguments_of(operation, x):
    weight, bias = (DRAW.standard_normal(x.shape[1]).astype(x.dtype) for _ in range(2))
    return {"layer_norm": (x.dtype.type(EPS), x, weight, bias), "rms_norm": (x.dtype.type(EPS), x, weight)}.get(
        operation, (x,)
    )


def right(operation, *arguments):
    """What the operation has, rounded from binary64."""
    x = arguments[min(1, len(arguments) - 1)].astype("f8")
    if operation in ("softmax", "log_softmax"):
        shifted = x - x.max(axis=1, keepdims=True)
        total = numpy.exp(shifted).sum(axis=1, keepdims=True)
        y = numpy.exp(shifted) / total if operation == "softmax" else shifted - numpy.log(total)
    else:
        weight = arguments[2].astype("f8")
        if operation == "layer_norm":
            x = x - x.mean(axis=1, keepdims=True)
        y = x / numpy.sqrt((x**2).mean(axis=1, keepdims=True) + float(arguments[0])) * weight
        y = y + arguments[3] if operation == "layer_norm" else y
    return y.astype(arguments[-1].dtype)


def there(operation, arguments, got, contract=None):
    """The judgment there; nothing where the host alone judges."""
    kind = "f32" if got.dtype.itemsize == 4 else "f16"
    contract = contract or CONTRACTS[operation]
    judge = assay.Judge(operation, kind)
    views = [_arrays.view(each, "argument") for each in arguments]
    return _device.judged_there(judge, views, _arrays.view(got, "got"), named(contract, kind))


def here(operation, arguments, got, contract=None):
    kind = "f32" if got.dtype.itemsize == 4 else "f16"
    expected = assay.exact(operation, *arguments)
    return expected.judge(got, named(contract or CONTRACTS[operation], kind))


def named(contract, kind):
    is_bound = contract not in ("correctly_rounded", "faithful")
    return ("f32_" if kind == "f16" and is_bound else "") + contract


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", CONTRACTS)
def test_that_are_right_are_kept_in_every_entry(operation, kind):
    arguments = arguments_of(operation, rows(7, 300, kind))
    got = right(operation, *arguments)
    judgment = there(operation, arguments, got)
    assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", 2100, 2100)
    assert judgment.exactly in (300, 600)  # of the last row, and of that with the largest share of its bound


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", CONTRACTS)
def test_with_one_wrong_entry_are_refused_at_its_place(operation, kind):
    arguments = arguments_of(operation, rows(7, 300, kind))
    for place in (2099, 700, 0):
        got = right(operation, *arguments)
        got.reshape(-1)[place] += got.dtype.type(0.01 + 0.01 * abs(got.reshape(-1)[place]))
        judgment = there(operation, arguments, got)
        assert (judgment.verdict, judgment.component, judgment.violated) == ("broken", place, 1)


def test_with_a_wrong_entry_are_refused_where_the_device_leaves_out_their_row(monkeypatch):
    arguments = arguments_of("softmax", rows(7, 300, "f4"))
    got = right("softmax", *arguments)
    monkeypatch.setenv("ASSAY_HOST_DEVICE_MISSES_A_BLOCK", "1")
    assert there("softmax", arguments, got).verdict == "kept"
    got[-1, 5] += 1
    assert there("softmax", arguments, got).component == 6 * 300 + 5


@pytest.mark.parametrize("operation", CONTRACTS)
def test_with_a_number_that_is_none_are_judged_by_what_it_makes_of_its_row(operation):
    arguments = arguments_of(operation, rows(7, 300, "f4"))
    got = right(operation, *arguments)
    arguments[min(1, len(arguments) - 1)][3, 3], got[3] = numpy.nan, numpy.nan
    assert there(operation, arguments, got).verdict == here(operation, arguments, got).verdict == "kept"
    got[3, 5] = 0
    assert there(operation, arguments, got).component == here(operation, arguments, got).component == 905


@pytest.mark.parametrize("operation", ["softmax", "log_softmax"])
def test_with_masks_are_kept_and_refused(operation):
    x = rows(7, 300, "f4")
    x[2, ::3], x[4, ::7] = -numpy.inf, -10000
    with numpy.errstate(divide="ignore"):
        got = right(operation, x)
    assert there(operation, (x,), got).verdict == here(operation, (x,), got).verdict == "kept"
    got[2, 3] = 0.1
    judgment = there(operation, (x,), got)
    assert (judgment.verdict, judgment.component) == ("broken", 603)


@pytest.mark.parametrize("contract", ["correctly_rounded", "faithful"])
@pytest.mark.parametrize("operation", CONTRACTS)
def test_that_are_rounded_are_told_from_their_neighbors(operation, contract):
    x = rows(3, 40, "f2")
    arguments = arguments_of(operation, x)
    got = right(operation, *arguments)
    assert there(operation, arguments, got, contract).verdict == "kept"
    got[1, 7] = numpy.nextafter(got[1, 7], numpy.float16(100))
    got[1, 7] = numpy.nextafter(got[1, 7], numpy.float16(100))
    there_and_here = there(operation, arguments, got, contract), here(operation, arguments, got, contract)
    assert [(each.verdict, each.component) for each in there_and_here] == [("broken", 47)] * 2


@pytest.mark.parametrize("operation", CONTRACTS)
def test_are_refused_just_outside_their_bounds(operation, monkeypatch):
    """No number that the device takes for a bound is above it."""
    monkeypatch.setenv("ASSAY_HOST_DEVICE_FORGETS_THE_NEAREST", "1")
    arguments = arguments_of(operation, rows(24, 200, "f4"))
    got = right(operation, *arguments)
    x = arguments[min(1, len(arguments) - 1)]
    tried = []
    for contract in assay.Judge(operation, "f32").contracts:
        if contract in ("correctly_rounded", "faithful") or there(operation, arguments, got, contract) is None:
            continue
        for place in range(207, got.size - 200, 997):
            row, column = divmod(place, 200)
            alone = tuple(x[row : row + 1] if each is x else each for each in arguments)
            bound = assay.exact(operation, *alone).bound(contract)[0, column]
            exact = right(operation, *[each.astype("f8") for each in alone])[0, column]
            for far, verdict in ((0.99, "kept"), (1.01, "broken")):
                wrong = got.copy()
                wrong[row, column] = exact + bound * far
                share = abs(float(wrong[row, column]) - exact) / bound
                if abs(share - far) > 0.009:  # no number of binary32 is near
                    continue
                judgment = there(operation, arguments, wrong, contract)
                assert judgment.verdict == verdict, (contract, place, share)
                assert verdict == "kept" or judgment.component == place
                tried.append((contract, verdict))
    assert len(set(tried)) >= (18 if "soft" in operation else 4), set(tried)


@pytest.mark.parametrize("operation", CONTRACTS)
def test_of_several_axes_and_with_a_plain_eps_come_there_from_assert_within(operation, monkeypatch):
    monkeypatch.setattr(_arrays, "on_device", lambda value: _arrays.view(value, "array"))
    monkeypatch.setattr(assay._within, "_TERMS_OF_THE_HOST", 1000)
    arguments = arguments_of(operation, rows(6, 300, "f4"))
    got = right(operation, *arguments).reshape(2, 3, 300)
    x, eps = arguments[min(1, len(arguments) - 1)].reshape(2, 3, 300), float(EPS)
    expected = getattr(assay, operation)(x, *arguments[2:], *([eps] if len(arguments) > 1 else []))
    judgment = expected.judge(got, CONTRACTS[operation])
    assert judgment.verdict == "kept" and judgment.exactly in (300, 600)
    got[1, 2, 7] += 1
    with pytest.raises(assay.Broken, match=r"\[1507\] of 1800 numbers"):
        assay.assert_within(got, expected, contract=CONTRACTS[operation])


# ------------------------------------------------------------------------------------------------------ prefix sums

PREFIXES = ["pairwise", "tree", "any_order", "compensated", "any_order_ftz", "faithful", "correctly_rounded"]


def prefixes(x):
    """The prefix sums, rounded from sums of integers."""
    scaled = [int(each) for each in numpy.ldexp(x.astype("f8"), 40)]
    sums, total = [], 0
    for each in scaled:
        total += each
        sums.append(total)
    return numpy.array([math.ldexp(each, -40) for each in sums]).astype(x.dtype)


def numbers(count, kind):
    """With 36 places after the point."""
    return numpy.ldexp(numpy.rint(numpy.ldexp(DRAW.standard_normal(count), 36)), -36).astype(kind)


@pytest.mark.parametrize("contract", PREFIXES)
@pytest.mark.parametrize("kind", ["f8", "f4", "f2"])
def test_prefix_sums_that_are_right_are_kept_and_with_one_wrong_are_left_to_the_host(contract, kind):
    x = abs(numbers(50_000, "f4")).astype("f8" if kind == "f8" else "f4")
    x = (x / 64).astype("f2") if kind == "f2" else x  # so that no sum overflows
    got = prefixes(x)
    if kind == "f2" and contract not in ("faithful", "correctly_rounded"):
        contract = "f32_" + contract
    judge = assay.Judge("cumsum", {"f8": "f64", "f4": "f32", "f2": "f16"}[kind])

    def judged():
        return _device.judged_there(judge, [_arrays.view(x, "x")], _arrays.view(got, "got"), contract)

    host = assay.cumsum(x).judge(got, contract)
    judgment = judged()
    assert host.verdict == "kept"
    if (kind, contract) == ("f2", "correctly_rounded"):  # some sums lie in the middle between two numbers
        assert judgment is None
    else:
        assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", 50_000, 50_000)
        assert judgment.exactly == 16384
    got[-1] *= x.dtype.type(1.5)
    assert judged() is None
    assert assay.cumsum(x).judge(got, contract).component == 49_999
