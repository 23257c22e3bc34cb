"""Arrays of other libraries, as the judge reads them."""

from array import array

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from kernels import OnDevice, WithDlpack  # noqa: E402

ONE = numpy.array([1.0, 2.0, 3.0])


def truth(x, y):
    return assay.dot(x, y).case().truth


@pytest.mark.parametrize(
    "x",
    [
        array("d", [1.0, 2.0, 3.0]),
        memoryview(array("d", [1.0, 2.0, 3.0])),
        memoryview(array("d", [1.0, 2.0, 3.0]).tobytes()).cast("d"),
        ONE,
        numpy.array([1.0, 9.0, 2.0, 9.0, 3.0])[::2],
        numpy.array([3.0, 2.0, 1.0])[::-1],
        WithDlpack(ONE),
        WithDlpack(numpy.array([3.0, 2.0, 1.0])[::-1]),
        OnDevice(ONE),
    ],
    ids=["array", "memoryview", "read-only", "numpy", "strided", "reversed", "dlpack", "dlpack strided", "device"],
)
def test_of_any_library_have_the_same_truth(x):
    assert truth(x, numpy.array([1.0, 10.0, 100.0])) == ["3.21e2"]


def test_keep_every_bit():
    tiny = numpy.array([numpy.finfo("f8").smallest_subnormal])
    case = assay.dot(tiny, numpy.array([-0.0])).case()
    assert case.arguments[0].view("u8")[0] == 1
    assert case.arguments[1].view("u8")[0] == 1 << 63


def test_of_binary32_make_a_case_of_binary32():
    assert assay.dot(ONE.astype("f4"), ONE.astype("f4")).format == "f32"


def test_of_several_formats_are_refused():
    with pytest.raises(TypeError, match="^dot: arrays of several formats: x f64, y f32$"):
        assay.dot(ONE, ONE.astype("f4"))


def test_of_a_format_that_the_operation_does_not_have_are_refused():
    with pytest.raises(TypeError, match="^gemv: no format f16; there are: f64, f32$"):
        assay.gemv(ONE.astype("f2").reshape(1, -1), ONE.astype("f2"))


def test_of_other_numbers_are_refused():
    with pytest.raises(TypeError, match="^x: numbers of complex128$"):
        assay.dot(ONE.astype("c16"), ONE)


def test_of_swapped_bytes_are_refused():
    with pytest.raises(TypeError, match="^x: numbers of >f8$"):
        assay.dot(ONE.astype(">f8"), ONE)


def test_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"^x: it has shape \(1, 3\), not that of a vector$"):
        truth(ONE.reshape(1, 3), ONE)


def test_of_lists_are_refused():
    with pytest.raises(TypeError, match="^x: a list is not an array; "):
        assay.dot([1.0], ONE)


def test_of_a_device_without_a_copy_are_refused():
    x = OnDevice(ONE)
    x.get = None
    with pytest.raises(TypeError, match="^x: an array on a device without "):
        assay.dot(x, ONE)


def test_of_dlpack_are_given_back_once():
    values = numpy.arange(3.0)
    import sys

    before = sys.getrefcount(values)
    case = assay.dot(WithDlpack(values), ONE).case()
    assert case.truth == ["8e0"]
    del case
    assert sys.getrefcount(values) == before


def test_every_entry_of_a_large_product_is_judged():
    random = numpy.random.default_rng(1)
    a, b = (random.uniform(-1, 1, (300, 300)).astype("f4") for _ in range(2))
    got = (a.astype("f8") @ b).astype("f4")
    assay.assert_within(got, assay.matmul(a, b), contract="inner_product")
    got[171, 233] *= 1 + 2**-8
    with pytest.raises(assay.Broken, match=r"\[51533\] of 90000 numbers"):
        assay.assert_within(got, assay.matmul(a, b), contract="inner_product")
