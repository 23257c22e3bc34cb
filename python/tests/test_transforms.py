"""assay.check and assert_within of discrete Fourier transforms: arrays have the shapes and numbers of programs."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

QUICK = {"cases": 150, "shrink_steps": 50}
BOUNDS = {"power_of_two", "mixed_radix", "any_length", "each_power_of_two", "each_mixed_radix"}


def transform(x):
    return numpy.fft.fft(x).astype(x.dtype)


def recursive(x, root=lambda k, n: numpy.exp(-2j * numpy.pi * k / n)):
    """Radix 2, and direct sums of odd length."""
    n = len(x)
    if n % 2 == 1 or n == 0:
        k = numpy.arange(n)
        return (root(numpy.outer(k, k) % max(n, 1), max(n, 1)) * x).sum(-1) if n > 1 else x.copy()
    even, odd = recursive(x[0::2], root), recursive(x[1::2], root)
    odd = odd * root(numpy.arange(n // 2), n)
    return numpy.concatenate([even + odd, even - odd])


@pytest.mark.parametrize("format", ["f64", "f32"])
def test_of_numpy_keeps_every_bound_of_stages(format):
    verdict = assay.check(transform, "fft", format=format, **QUICK)
    assert set(verdict.kept) >= BOUNDS | {"exact", "exceptional"} and not verdict.not_decided


def test_of_a_recursive_transform_with_computed_roots_keeps_their_bounds():
    claimed = ["power_of_two_computed", "mixed_radix", "each_power_of_two_computed", "each_mixed_radix"]
    assert assay.check(recursive, "fft", claimed, **QUICK).kept


@pytest.mark.parametrize(
    "wrong",
    [
        numpy.fft.ifft,
        lambda x: numpy.fft.ifft(x) * len(x),
        lambda x: numpy.fft.fft(x).conj(),
        lambda x: numpy.fft.fft(x[::-1]),
        lambda x: numpy.concatenate([numpy.fft.fft(x)[:1].real.astype(complex), numpy.fft.fft(x)[1:]]),
        lambda x: numpy.fft.fftshift(numpy.fft.fft(x)),
        lambda x: recursive(x, lambda k, n: numpy.exp(numpy.complex64(-2j * numpy.pi) * k / n).astype("c8")),
    ],
    ids=["scaled", "inverse", "conjugate", "reversed", "real_first", "shifted", "narrow_roots"],
)
def test_of_another_transform_breaks_what_its_author_would_claim(wrong):
    with pytest.raises(assay.Broken, match="power_of_two_computed is violated"):
        assay.check(wrong, "fft", ["power_of_two_computed"], **QUICK)


def test_of_real_numbers_is_symmetric_only_where_it_is_made_so():
    def symmetric(x):
        y = numpy.fft.fft(x)
        return (y + numpy.roll(y[::-1], 1).conj()) / 2 if not x.imag.any() else y

    assert assay.check(symmetric, "fft", ["symmetric", "mixed_radix"], **QUICK).kept
    with pytest.raises(assay.Broken, match="symmetric is violated"):
        assay.check(recursive, "fft", ["symmetric"], **QUICK)


def cast(function):
    """The function with results as narrow as its numbers."""
    narrow = {"f4": "c8", "f8": "c16", "c8": "c8", "c16": "c16"}

    def narrowed(x, *rest):
        y = function(x, *rest)
        kind = narrow[x.dtype.str[1:]]
        return y.astype(kind if y.dtype.kind == "c" else {"c8": "f4", "c16": "f8"}[kind])

    return narrowed


FEW = {"cases": 40, "shrink_steps": 20, "controls": False}
OPERATIONS = {
    "ifft": numpy.fft.ifft,
    "rfft": numpy.fft.rfft,
    "irfft": numpy.fft.irfft,
    "fft_rows": lambda x: numpy.fft.fft(x, axis=1),
    "fft2": numpy.fft.fft2,
}


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("format", ["f64", "f32"])
def test_of_numpy_keeps_every_bound_of_each_kind(operation, format):
    promised = sorted(BOUNDS | {"parseval"} | ({"ends_ignored"} if operation == "irfft" else set()))
    assert assay.check(cast(OPERATIONS[operation]), operation, promised, format=format, **FEW).kept


@pytest.mark.parametrize(
    ("operation", "wrong", "contract"),
    [
        ("ifft", numpy.fft.fft, "any_length"),
        ("ifft", lambda x: numpy.fft.ifft(x, norm="forward"), "parseval"),
        ("ifft", lambda x: numpy.fft.ifft(x.conj()), "any_length"),
        ("rfft", lambda x: numpy.fft.rfft(x).conj(), "any_length"),
        ("rfft", lambda x: numpy.fft.rfft(x) + 1j, "real_ends"),
        ("irfft", lambda x, n: numpy.fft.irfft(x.conj(), n), "any_length"),
        ("irfft", lambda x, n: numpy.fft.irfft(x, n) + x[0].imag, "ends_ignored"),
        ("fft_rows", lambda x: numpy.fft.fft(x, axis=0), "any_length"),
        ("fft_rows", lambda x: numpy.roll(numpy.fft.fft(x), 1, axis=0), "any_length"),
        ("fft2", lambda x: numpy.fft.fft2(x.T).reshape(x.shape), "any_length"),
        ("fft2", lambda x: numpy.fft.fft(x.reshape(-1)).reshape(x.shape), "any_length"),
    ],
    ids="forward unscaled conjugate real_conjugate real_ends to_real_conjugate uses_ends axis row_before exchanged "
    "one_signal".split(),
)
def test_of_another_kind_breaks_what_its_author_would_claim(operation, wrong, contract):
    with pytest.raises(assay.Broken, match=f"{contract} is violated"):
        assay.check(wrong, operation, [contract], **FEW)


def test_of_a_plane_has_its_shape():
    with pytest.raises(assay.Broken, match="it returned an array of shape"):
        assay.check(lambda x: numpy.fft.fft2(x).T if x.shape[0] != x.shape[1] else x, "fft2", "any_length", **FEW)
    with pytest.raises(TypeError, match=r"irfft: the function is called with \(x, n\), and takes 1 argument"):
        assay.check(lambda x: x.real, "irfft", "any_length", **FEW)


def test_of_given_arrays_is_held_to_a_bound():
    x = numpy.array([1 + 2j, -0.5, 3j, 0.125, 7])
    assay.assert_within(numpy.fft.fft(x), assay.exact("fft", x), "mixed_radix")
    assay.assert_within(numpy.fft.irfft(x, 8), assay.exact("irfft", x, 8), "ends_ignored")
    plane = numpy.outer(x, x)
    assay.assert_close(numpy.fft.fft2(plane), "fft2", plane)
    with pytest.raises(assay.Broken, match="any_length is broken"):
        assay.assert_within(numpy.fft.fft2(plane) * (1 + 1e-9), assay.exact("fft2", plane), "any_length")
    with pytest.raises(ValueError, match=r"result: it has shape \(5,\), not \(5, 5\)"):
        assay.assert_within(numpy.fft.fft(x), assay.exact("fft2", plane), "any_length")
    rows = numpy.stack([x, 0 * x])
    assay.assert_within(numpy.fft.fft(rows), assay.exact("fft_rows", rows), "mixed_radix")
    with pytest.raises(assay.Broken):  # a row of zeros has zeros as its transform
        assay.assert_within(numpy.fft.fft(rows) + [[0], [1e-9]], assay.exact("fft_rows", rows), "mixed_radix")
    with pytest.raises(ValueError, match=r"x: it has shape \(5,\), not rows × columns"):
        assay.exact("fft2", x)


def test_takes_shapes():
    assert "power_of_two" in assay.check(numpy.fft.fft, "fft", shapes=[{"n": 2048}], cases=8).kept


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        (lambda x: x.real, "an array of complex numbers is accepted, not one of float64"),
        (lambda x: x.astype("c8"), "it returned numbers of f32, not of f64"),
        (lambda x: x[:1], "it returned an array of shape"),
    ],
    ids=["real", "narrow", "short"],
)
def test_of_a_result_of_another_kind_says_what_is_accepted(wrong, line):
    with pytest.raises(assay.Broken, match=line):
        assay.check(wrong, "fft", "any_length", **QUICK)


def test_is_served_to_a_program():
    raw = struct.pack("<4d", 1, 2, 3, -4)
    text = json.dumps({"fields": ["x"], "integers": [], "lengths": {"x": [4]}, "cases": 1, "bytes": len(raw)}).encode()
    asked = json.dumps({"protocol": 1, "operation": "fft", "format": "f64"}).encode() + b"\n"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, "-m", "assay.subject", "numpy.fft:fft"]
    asked += struct.pack("<I", len(text)) + text + raw
    answer = subprocess.run(command, input=asked, capture_output=True, env=environment, check=True).stdout
    frame = answer.partition(b"\n")[2]
    length = struct.unpack("<I", frame[:4])[0]
    assert struct.unpack("<4d", frame[4 + length :]) == (4.0, -2.0, -2.0, 6.0)
