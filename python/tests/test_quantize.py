"""assay.check_quantization."""

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402


def by_rows(x):
    """int8 with a scale for each row."""
    amax = numpy.abs(x).max(axis=1, keepdims=True)
    scales = amax / numpy.float32(127)
    codes = numpy.rint(x / numpy.where(scales == 0, numpy.float32(1), scales))
    return numpy.nan_to_num(codes).astype(numpy.int8), scales


def test_names_the_rule():
    answer = assay.check_quantization(by_rows, "f32", "int8_row")
    assert answer.nearest == "int8_row.divide.even" and answer.follows
    assert answer.theorem == ""


def test_raises_where_a_promise_is_broken():
    with pytest.raises(assay.Broken, match=r"int8_row\.divide\.away is broken by "):
        assay.check_quantization(by_rows, "f32", "int8_row", "int8_row.divide.away")


def by_zero_points(x):
    """uint4 in blocks of 32. Each block has a scale and a zero point, from its min and max, both extended to 0."""
    blocks = x.reshape(-1, 32)
    low = numpy.minimum(blocks.min(axis=1, keepdims=True), 0)
    high = numpy.maximum(blocks.max(axis=1, keepdims=True), 0)
    scales = (high - low) / numpy.float32(15)
    divisors = numpy.where(scales == 0, numpy.float32(1), scales)
    zeros = numpy.clip(-numpy.rint(low / divisors), 0, 15)
    codes = numpy.nan_to_num(numpy.clip(numpy.rint(blocks / divisors) + zeros, 0, 15)).astype("u1")
    return codes[:, ::2] | codes[:, 1::2] << 4, scales, numpy.nan_to_num(zeros).astype("u1")


def test_names_the_rule_of_zero_points():
    answer = assay.check_quantization(by_zero_points, "f32", "uint4_zero_1x32", "uint4_zero_1x32.divide.even")
    assert answer.round_trips_kept == ("divide", "reciprocal")


def test_refuses_results_of_another_size():
    with pytest.raises(TypeError, match="it returned .* bytes of codes, not"):
        assay.check_quantization(lambda x: (x, x), "f32", "int8_row")


def test_refuses_formats_that_there_are_not():
    with pytest.raises(ValueError, match="no block format 'mxfp5'"):
        assay.check_quantization(by_rows, "f32", "mxfp5")
