"""assay.check_quantization."""

import re

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from kernels import OnDevice, by_rows  # noqa: E402

pytestmark = pytest.mark.usefixtures("documents_that_fit")


def test_names_the_rule():
    answer = assay.check_quantization(by_rows, "f32", "int8_row")
    assert answer.nearest == "int8_row.divide.even" and answer.follows
    assert answer.theorem == ""


def test_raises_where_a_promise_is_broken():
    with pytest.raises(assay.Broken, match=r"int8_row\.divide\.away is broken by "):
        assay.check_quantization(by_rows, "f32", "int8_row", "int8_row.divide.away")


def test_takes_matrices_and_results_on_a_device():
    def on_device(x):
        codes, scales = by_rows(x.get())
        return OnDevice(codes), OnDevice(scales)

    answer = assay.check_quantization(on_device, "f32", "int8_row", "int8_row.divide.even", arrays=OnDevice)
    assert answer.nearest == "int8_row.divide.even"


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


def q8_0(x):
    """llama.cpp's Q8_0."""
    blocks = x.reshape(-1, 32)
    scales = numpy.abs(blocks).max(axis=1, keepdims=True) / numpy.float32(127)
    inverse = numpy.where(scales == 0, numpy.float32(0), 1 / numpy.where(scales == 0, numpy.float32(1), scales))
    y = (blocks * inverse).astype("f8")
    return numpy.nan_to_num(numpy.trunc(y + numpy.copysign(0.5, y))).astype("i1"), scales.astype("f2")


def test_names_the_nearest_rule_and_an_input_that_breaks_it():
    def with_a_hole(x):
        codes, scales = q8_0(x)
        return numpy.where(codes == 85, 84, codes).astype("i1"), scales

    told = str(assay.check_quantization(with_a_hole, "f32", "q8_0"))
    found = r"follows q8_0\.divide\.away, but for inputs like \S+ in a block with amax \S+: it gives 84, not 85\n"
    assert re.match(f"quantize f32:q8_0: {found}", told), told


BORDERS = numpy.array([0xBF591CD9, 0xBF1C5270, 0xBEEB8480, 0xBEADEA76, 0xBE703CEC, 0xBE0D38BC, 0xBD3A7871, 0x3D22FAFF,
                       0x3DF64863, 0x3E5067E0, 0x3E9582D4, 0x3EC753F9, 0x3F006D03, 0x3F248DAF, 0x3F5C89D9],
                      "u4").view("f4")


def nf4(x):
    """bitsandbytes' NF4 in blocks of 64: comparisons with the borders, the first code in the high half."""
    blocks = x.reshape(-1, 64)
    scales = numpy.abs(blocks).max(axis=1, keepdims=True)
    with numpy.errstate(all="ignore"):
        y = blocks * (numpy.float32(1) / scales)
    codes = (y[:, :, None] > BORDERS).sum(axis=2).astype("u1")
    return codes[:, ::2] << 4 | codes[:, 1::2], scales


def test_names_the_rule_of_a_code_book():
    answer = assay.check_quantization(nf4, "f32", "nf4_1x64", "nf4_1x64.divide.ties_down")
    assert answer.round_trips_kept == ("divide",)
    with pytest.raises(assay.Broken, match=r"nf4_1x64\.divide\.ties_up is broken by "):
        assay.check_quantization(nf4, "f32", "nf4_1x64", "nf4_1x64.divide.ties_up")


def q4_k(x):
    """Q4_K with all minima 0 and all scales 63·d, of the largest number of a record of 256."""
    numbers = x.reshape(-1, 4, 2, 32)  # records, pairs of blocks, blocks, numbers
    d = (numpy.maximum(numbers, 0).max(axis=(1, 2, 3)) / numpy.float32(15 * 63)).astype("f2")
    scale = (d.astype("f4") * 63)[:, None, None, None]
    codes = numpy.clip(numpy.rint(numbers / numpy.where(scale == 0, 1, scale)), 0, 15).astype("u1")
    record = numpy.zeros((len(d), 16), "u1")
    record[:, :2] = d[:, None].view("u1")
    record[:, 4:8], record[:, 12:] = 0xFF, 0x0F
    return codes[:, :, 0] | codes[:, :, 1] << 4, record


def test_judges_the_codes_of_stored_scales():
    answer = assay.check_quantization(q4_k, "f32", "q4_k", "q4_k.stored.even")
    assert answer.round_trips_kept == ("stored",) and answer.theorem == ""

    def without_the_upper_scales(x):
        codes, record = q4_k(x)
        record[:, 12:] = 0
        return codes, record

    with pytest.raises(assay.Broken, match="q4_k.stored.even is broken by"):
        assay.check_quantization(without_the_upper_scales, "f32", "q4_k", "q4_k.stored.even")
    with pytest.raises(TypeError, match="it returned .* bytes of records, not"):
        assay.check_quantization(lambda x: (q4_k(x)[0], x), "f32", "q4_k")


def with_words(x, words):
    """int8 with a scale for each row. A word of 8 bits is added to the bits that are dropped."""
    x = numpy.nan_to_num(x, posinf=0, neginf=0)
    scales = numpy.abs(x).max(axis=1, keepdims=True) / numpy.float32(127)
    y = numpy.abs(x / numpy.where(scales == 0, numpy.float32(1), scales))
    codes = numpy.floor(y) + (numpy.floor((y - numpy.floor(y)) * 256) + words >= 256)
    return numpy.copysign(numpy.minimum(codes, 127), x).astype("i1"), scales


def test_names_the_draw_of_random_words():
    answer = assay.check_quantization(with_words, "f32", "int8_row", "int8_row.divide.carry", words=8)
    assert answer.nearest == "int8_row.divide.carry" and answer.random_bits == 8 and answer.unbiased
    assert answer.largest_bias.startswith("-") and answer.round_trip is None
    assert assay.check_quantization(with_words, "f32", "int8_row", "unbiased", words=8).unbiased


def test_refuses_one_random_word_for_a_row():
    def of_first(x, words):
        return with_words(x, words[:, :1])

    with pytest.raises(assay.Broken, match="an entry with the same word has two codes"):
        assay.check_quantization(of_first, "f32", "int8_row", "unbiased", words=8)


def test_judges_random_words_that_are_drawn():
    random = numpy.random.default_rng(1)

    def draws(x):
        return with_words(x, random.integers(0, 256, x.shape))

    answer = assay.check_quantization(draws, "f32", "int8_row", "int8_row.divide.carry", draws=8)
    assert answer.draws.independent and answer.draws.first_kind == 1e-9
    with pytest.raises(assay.Broken, match="its words are not independent"):
        assay.check_quantization(lambda x: with_words(x, random.integers(0, 256, (len(x), 1))), "f32", "int8_row",
                                 "int8_row.divide.carry", draws=8)


def by_blocks_of_128(x):
    """int8 with a scale for each 128 numbers of a row; the last block may be shorter."""
    blocks = numpy.pad(x, ((0, 0), (0, -x.shape[1] % 128))).reshape(-1, 128)
    codes, scales = by_rows(blocks)
    return codes.reshape(len(x), -1)[:, : x.shape[1]], scales


def test_accepts_shorter_blocks_where_it_is_asked_for_them():
    answer = assay.check_quantization(by_blocks_of_128, "f32", "int8_1x128:tails")
    assert answer.nearest == "int8_1x128.divide.even" and answer
    assert "tails among them" in str(answer)


def test_refuses_idempotence_where_scales_are_not_powers_of_two():
    with pytest.raises(ValueError, match="no contract 'idempotent' of f32:int8_row: its scales are not powers of two"):
        assay.check_quantization(by_rows, "f32", "int8_row", "idempotent")


def test_refuses_results_of_another_size():
    with pytest.raises(TypeError, match="it returned .* bytes of codes, not"):
        assay.check_quantization(lambda x: (x, x), "f32", "int8_row")


def mxfp4(x, exponents):
    """Blocks of 32 by the scale 2^(⌊log₂ amax⌋ − 2), whose exponents a function of NumPy gives."""
    blocks = x.reshape(-1, 32).astype("f8")
    amax = numpy.abs(numpy.nan_to_num(blocks, posinf=0, neginf=0)).max(axis=1)
    scales = numpy.clip(numpy.where(amax > 0, exponents(amax) - 2, -127), -127, 127)
    middles = numpy.array([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5])
    sizes = numpy.nan_to_num(numpy.abs(blocks) / 2.0 ** scales[:, None], posinf=0)
    below = (sizes[:, :, None] > middles).sum(axis=2)
    above = (sizes[:, :, None] >= middles).sum(axis=2)
    codes = numpy.where(below % 2 == 1, above, below) + 8 * numpy.signbit(blocks)  # of a tie the even one
    codes = codes.astype("u1").reshape(len(x), -1)
    return codes[:, ::2] | codes[:, 1::2] << 4, (scales + 127).astype("u1")


def right_exponents(amax):
    return numpy.frexp(amax)[1] - 1


def test_tells_the_kind_of_the_numbers_that_it_expects():
    def of_integers(x):
        codes, scales = mxfp4(x, right_exponents)
        return codes, scales.astype("i4")

    found = "it returned 256 bytes of scales, not 64: 64 of e8m0, of 1 byte each, not numbers of int32"
    with pytest.raises(TypeError, match=found):
        assay.check_quantization(of_integers, "f32", "mxfp4")
    with pytest.raises(TypeError, match="2048 codes of e2m1, two in a byte"):
        assay.check_quantization(lambda x: (x, x), "f32", "mxfp4")


def test_tells_each_block_that_breaks_a_rule_once():
    def by_log2(amax):
        with numpy.errstate(divide="ignore"):
            return numpy.floor(numpy.log2(amax.astype("f4")))

    def with_other_scales(x):
        return mxfp4(x, right_exponents)[0], mxfp4(x, by_log2)[1]

    told = str(assay.check_quantization(with_other_scales, "f32", "mxfp4"))
    lines = [each for each in told.splitlines() if each.startswith("  a block with amax ")]
    assert len(lines) == len(set(lines)) > 1, told


def test_refuses_formats_that_there_are_not():
    with pytest.raises(ValueError, match="no block format 'mxfp5'"):
        assay.check_quantization(by_rows, "f32", "mxfp5")
