"""assay.check of convolutions: NumPy's and scipy's are right, and the mistakes that programs make are refused."""

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

QUICK = {"cases": 150, "shrink_steps": 50}


def windows(x, r, s, i, j, stride_h, stride_w, padding_h, padding_w, dilation_h, dilation_w):
    """The numbers under the taps: axes b, g, ci, i, j, r, s."""
    rows = numpy.arange(i)[:, None] * stride_h + numpy.arange(r) * dilation_h
    columns = numpy.arange(j)[:, None] * stride_w + numpy.arange(s) * dilation_w
    height, width = max(x.shape[3] + padding_h, rows.max() + 1), max(x.shape[4] + padding_w, columns.max() + 1)
    padded = numpy.zeros((*x.shape[:3], height, width), x.dtype)
    padded[..., padding_h : padding_h + x.shape[3], padding_w : padding_w + x.shape[4]] = x
    return padded[..., rows[:, None, :, None], columns[None, :, None, :]]


def conv2d(x, k, *lengths):
    return numpy.einsum("bgcijrs,gocrs->bgoij", windows(x, *k.shape[3:], *lengths), k)


def conv2d_by_products(x, k, *lengths):
    taps = windows(x, *k.shape[3:], *lengths)
    b, g, _, i, j = taps.shape[:5]
    columns = numpy.moveaxis(taps, 2, 4).reshape(b, g, i * j, -1)
    return numpy.moveaxis(columns @ numpy.moveaxis(k.reshape(g, k.shape[1], -1), 1, 2), 2, 3).reshape(b, g, -1, i, j)


def conv2d_by_taps(x, k, *lengths):
    taps = windows(x, *k.shape[3:], *lengths)
    y = numpy.zeros((*taps.shape[:2], k.shape[1], *taps.shape[3:5]), x.dtype)
    for r in range(k.shape[3]):
        for s in range(k.shape[4]):
            y += (taps[:, :, None, ..., r, s] * k[None, ..., None, None][:, :, :, :, r, s]).sum(3)
    return y


@pytest.mark.parametrize("right", [conv2d, conv2d_by_products, conv2d_by_taps])
@pytest.mark.parametrize("format", ["f64", "f32"])
def test_in_every_order_of_loops_numpy_keeps_the_bound_of_sums(right, format):
    verdict = assay.check(right, "convolution2d", ["any_order", "winograd_2", "winograd_4", "fft"], format=format, **QUICK)
    assert verdict.kept


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x, k, *lengths: conv2d(x, k[..., ::-1, ::-1], *lengths),
        lambda x, k, *lengths: conv2d(x, k.swapaxes(3, 4) if k.shape[3] == k.shape[4] else k, *lengths),
        lambda x, k, *lengths: conv2d(x, k, *lengths[:6], 1, 1),
        lambda x, k, *lengths: conv2d(x, k, *lengths[:4], 0, 0, *lengths[6:]),
        lambda x, k, i, j, sh, sw, *lengths: conv2d(x, k, i, j, sw, sh, *lengths),
        lambda x, k, *lengths: conv2d(x[:, ::-1], k, *lengths),
        lambda x, k, *lengths: conv2d(x[::-1], k, *lengths),
        lambda x, k, *lengths: conv2d(x, k[:, ::-1], *lengths),
        lambda x, k, *lengths: conv2d(x.astype("f4"), k.astype("f4"), *lengths).astype(x.dtype),
    ],
    ids=["flipped", "transposed", "undilated", "unpadded", "strides", "groups", "images", "channels", "narrow"],
)
def test_with_a_mistake_breaks_every_bound(wrong):
    with pytest.raises(assay.Broken, match="winograd_4 is violated"):
        assay.check(wrong, "convolution2d", ["winograd_4"], **QUICK)
    with pytest.raises(assay.Broken, match="fft is violated"):
        assay.check(wrong, "convolution2d", ["fft"], **QUICK)


def test_of_vectors_is_what_numpy_convolves():
    for format in ("f64", "f32"):
        assert assay.check(numpy.convolve, "convolve", ["any_order", "fft"], format=format, **QUICK).kept
    with pytest.raises(assay.Broken, match="any_order is violated"):
        assay.check(lambda x, k: numpy.correlate(x, k, "full"), "convolve", ["any_order"], **QUICK)


def by_transforms(x, k):
    n = len(x) + len(k) - 1
    size = 1 << (n - 1).bit_length()
    return numpy.fft.irfft(numpy.fft.rfft(x, size) * numpy.fft.rfft(k, size), size)[:n].astype(x.dtype)


def test_of_vectors_by_transforms_keeps_its_rung_alone():
    assert assay.check(by_transforms, "convolve", ["fft"], **QUICK).kept
    with pytest.raises(assay.Broken, match="any_order is violated"):
        assay.check(by_transforms, "convolve", ["any_order"], **QUICK)


def test_of_scipy_keeps_the_rung_of_its_method():
    signal = pytest.importorskip("scipy.signal")
    for format in ("f64", "f32"):
        direct = {"format": format, **QUICK}
        assert assay.check(lambda x, k: signal.convolve(x, k, method="direct"), "convolve", ["any_order"], **direct).kept
        assert assay.check(signal.fftconvolve, "convolve", ["fft"], **direct).kept
        assert assay.check(signal.convolve2d, "convolve2d", ["any_order"], **direct).kept
        assert assay.check(signal.fftconvolve, "convolve2d", ["fft"], **direct).kept


def test_a_result_of_arrays_is_held_to_a_convolution():
    rng = numpy.random.default_rng(1)
    x, k = rng.standard_normal((2, 3, 4, 9, 8)), rng.standard_normal((3, 5, 4, 3, 3))
    lengths = (5, 4, 2, 2, 1, 1, 1, 1)
    y = conv2d(x, k, *lengths)
    assay.assert_close(y, "convolution2d", x, k, *lengths, contract="any_order")
    with pytest.raises(assay.Broken):
        assay.assert_close(y * (1 + 1e-12), "convolution2d", x, k, *lengths, contract="any_order")


def test_lengths_whose_sums_overflow_are_no_case():
    x = numpy.ones(6)
    for lengths in [(2**63 - 1, 3, 2, 2), (2, 3, 2**63 - 1, 1), (2**32, 2**32, 1, 1), (0, 3, 1, 1), (2, 3, -1, 1)]:
        with pytest.raises(ValueError):
            assay.Judge("convolve2d", "f64").given(*lengths, x, x[:4])
