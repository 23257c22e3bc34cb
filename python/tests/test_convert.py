"""assay.check_conversion."""

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from kernels import OnDevice, WithDlpack  # noqa: E402

pytestmark = pytest.mark.usefixtures("documents_that_fit")


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


def test_takes_arguments_and_results_on_a_device():
    answer = assay.check_conversion(lambda x: OnDevice(to_uint8(x.get())), "f16", "uint8", arrays=OnDevice)
    assert answer.follows == ("even.saturate.nan_zero",) and answer.proof
    answer = assay.check_conversion(lambda x: to_uint8(x.get()), "f16", "uint8", arrays=OnDevice)
    assert answer.follows == ("even.saturate.nan_zero",)


def test_of_pairs_names_their_order():
    def high_first(x):
        codes = to_uint8(x)
        codes = numpy.minimum(codes, 15)
        return codes[::2] << 4 | codes[1::2]

    answer = assay.check_conversion(high_first, "f16", "uint4x2")
    assert answer.follows == ("even.saturate.nan_zero.high_first",) and answer.proof
    with pytest.raises(assay.Broken, match="follows even.saturate.nan_zero.high_first on all 65536"):
        assay.check_conversion(high_first, "f16", "uint4x2", "even.saturate.nan_zero")

    def unpacked(x):
        return numpy.stack([x & 15, x >> 4], axis=1).reshape(-1)

    answer = assay.check_conversion(unpacked, "uint4x2", "uint8", "even.saturate.nan")
    assert answer.asked == 16


class OfBfloat16(WithDlpack):
    """An array of patterns whose DLPack says that they are bfloat16, which NumPy does not have."""

    def __dlpack__(self, **arguments):
        capsule = super().__dlpack__(**arguments)
        pointer = assay._arrays._capsule.PyCapsule_GetPointer(capsule, b"dltensor")
        assay._arrays._Managed.from_address(pointer).tensor.code = assay._arrays.BFLOAT
        return capsule


def test_takes_results_of_types_that_numpy_lacks():
    answer = assay.check_conversion(lambda x: OfBfloat16(add_word(x, 0x8000)), "f32", "bf16")
    assert answer.nearest.rule == "away.infinity.nan"
    with pytest.raises(TypeError, match="it returned numbers of uint16, not of float16"):
        assay.check_conversion(lambda x: OfBfloat16(add_word(x, 0x8000)), "f32", "f16")


def test_refuses_results_of_another_type():
    with pytest.raises(TypeError, match="it returned numbers of float32, not of float16"):
        assay.check_conversion(lambda x: x, "f32", "f16")


def test_refuses_formats_that_there_are_not():
    with pytest.raises(ValueError, match="no number format 'e4m4'"):
        assay.check_conversion(to_uint8, "f16", "e4m4")


def add_word(x, words):
    """Converts binary32 to bfloat16 by adding the words to the 16 bits that are dropped."""
    patterns = (x.view(numpy.uint32) + words) >> 16
    return numpy.where(numpy.isnan(x), 0x7FC0, patterns).astype(numpy.uint16)


def test_of_given_words_names_the_rule_and_its_bias():
    answer = assay.check_conversion(add_word, "f32", "bf16", "carry.infinity.nan", words=16)
    assert answer.random_bits == 16 and answer.draws is None
    assert answer.biases[0] == assay.Bias("carry", "0")
    reversed_ = next(each for each in answer.others if each.rule == "carry.infinity.nan.reversed")
    assert reversed_.examples[0] == assay.StochasticDeviation(
        "0x00000001 = 0x1p-149", "0x0000 = 0x0p+0", "0x0001 = 0x1p-133", word="0x0"
    )


def test_gives_words_on_a_device():
    answer = assay.check_conversion(
        lambda x, words: OnDevice(add_word(x.get(), words.get())), "f32", "bf16", words=16, arrays=OnDevice
    )
    assert answer.follows[0] == "carry.infinity.nan"


def test_of_fewer_bits_than_claimed_is_refused():
    with pytest.raises(assay.Broken, match=r"carry\.infinity\.nan is broken by"):
        assay.check_conversion(
            lambda x, words: add_word(x, words & 0xFF00), "f32", "bf16", "carry.infinity.nan", words=16
        )


def test_of_own_words_is_tested_with_the_probabilities_of_its_errors():
    random = numpy.random.default_rng(1)
    answer = assay.check_conversion(
        lambda x: add_word(x, random.integers(0, 1 << 16, x.size, numpy.uint32)), "f32", "bf16", draws=16
    )
    assert answer and answer.draws.independent and answer.draws.first_kind == answer.draws.second_kind == 1e-9
    assert 0 < answer.draws.deviation < 0.02


def test_of_one_word_for_two_neighbors_is_refused():
    random = numpy.random.default_rng(1)

    def convert(x):
        words = random.integers(0, 1 << 16, x.size // 2 + 1, numpy.uint32)
        return add_word(x, numpy.repeat(words, 2)[: x.size])

    answer = assay.check_conversion(convert, "f32", "bf16", draws=16)
    assert not answer and not answer.draws.independent


def test_refuses_words_that_are_both_given_and_drawn():
    with pytest.raises(ValueError, match="takes its random words, or draws them itself"):
        assay.check_conversion(add_word, "f32", "bf16", words=16, draws=16)
    with pytest.raises(ValueError, match="0 random bits; accepted are 1 to 32"):
        assay.check_conversion(add_word, "f32", "bf16", words=0)
