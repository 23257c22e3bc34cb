"""assay.check_conversion."""

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402


def to_uint8(x):
    return numpy.clip(numpy.rint(numpy.nan_to_num(x, posinf=255.0)), 0, 255).astype(numpy.uint8)


def test_of_float16_of_numpy_names_its_rule():
    answer = assay.check_conversion(lambda x: x.astype(numpy.float16), "f64", "f16")
    assert answer.follows == ("even.infinity.nan", "even.infinity.signed_nan")
    assert not answer.proof


def test_of_sixteen_bits_is_a_proof():
    answer = assay.check_conversion(to_uint8, "f16", "uint8", "even.saturate.nan_zero")
    assert answer.proof and answer.asked == 65536


def test_names_the_smallest_input_that_another_rule_decides_otherwise():
    answer = assay.check_conversion(to_uint8, "f16", "uint8")
    away = next(each for each in answer.others if each.rule == "away.saturate.nan_zero")
    assert away.examples[0] == assay.Deviation("0x3800 = 0x1p-1", "0", "1")


def test_raises_where_a_promise_is_broken():
    with pytest.raises(assay.Broken, match=r"away\.saturate\.nan_zero is broken by 128 of the 65536 inputs"):
        assay.check_conversion(to_uint8, "f16", "uint8", "away.saturate.nan_zero")


def test_raises_what_the_function_raises():
    with pytest.raises(ZeroDivisionError):
        assay.check_conversion(lambda x: 1 // 0, "f16", "uint8")


def test_refuses_results_of_another_type():
    with pytest.raises(TypeError, match="it returned numbers of float32, not of float16"):
        assay.check_conversion(lambda x: x, "f32", "f16")


def test_refuses_formats_that_there_are_not():
    with pytest.raises(ValueError, match="no number format 'e4m4'"):
        assay.check_conversion(to_uint8, "f16", "e4m4")
