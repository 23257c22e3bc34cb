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


def test_refuses_results_of_another_size():
    with pytest.raises(TypeError, match="it returned .* bytes of codes, not"):
        assay.check_quantization(lambda x: (x, x), "f32", "int8_row")


def test_refuses_formats_that_there_are_not():
    with pytest.raises(ValueError, match="no block format 'mxfp5'"):
        assay.check_quantization(by_rows, "f32", "mxfp5")
