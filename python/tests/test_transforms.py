"""assay.check of discrete Fourier transforms: the function gets and returns arrays of complex numbers."""

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
