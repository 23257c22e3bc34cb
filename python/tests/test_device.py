"""Arrays of PyTorch, CuPy and JAX on a device, as the judge reads them."""

import importlib

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402


def library(name):
    """The library and a function from NumPy's arrays to its arrays on a device; the test is skipped without them."""
    module = pytest.importorskip(name)
    try:
        if name == "torch":
            assert module.cuda.is_available()
            return module, lambda x: module.from_numpy(x).cuda()
        if name == "cupy":
            assert module.cuda.runtime.getDeviceCount() > 0
            return module, module.asarray
        module.config.update("jax_enable_x64", True)
        assert any(each.platform == "gpu" for each in module.devices())
        return importlib.import_module("jax.numpy"), module.numpy.asarray
    except Exception:
        pytest.skip(f"{name} finds no device")


@pytest.fixture(params=["torch", "cupy", "jax"])
def arrays(request):
    return library(request.param)


@pytest.mark.parametrize("kind", ["f8", "f4"])
def test_of_a_device_have_the_truth_of_their_copies(arrays, kind):
    _, on_device = arrays
    x, y = numpy.array([1.0, 2.0, 3.0], kind), numpy.array([1.0, 10.0, 100.0], kind)
    assert assay.dot(on_device(x), on_device(y)).case().truth == ["3.21e2"]


@pytest.mark.parametrize("kind", ["f8", "f4", "f2"])
def test_of_a_device_are_judged_as_results(arrays, kind):
    module, on_device = arrays
    draw = numpy.random.default_rng(1)
    a, b = (on_device(draw.standard_normal((64, 64)).astype(kind)) for _ in range(2))
    product = module.matmul(a, b)
    expected = assay.matmul(a, b)
    contract = "inner_product" if kind == "f8" else "tf32" if kind == "f4" else "reduced_split_k"
    assay.assert_within(product, expected, contract=contract)
    with pytest.raises(assay.Broken):
        assay.assert_within(product + product, expected, contract=contract)


def test_in_bfloat16_are_judged():
    torch, _ = library("torch")
    a, b = (torch.randn(64, 64, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    assay.assert_within(a @ b, assay.matmul(a, b), contract="reduced_split_k")


def test_that_need_a_gradient_are_judged():
    torch, _ = library("torch")
    x = torch.ones(8, device="cuda", requires_grad=True)
    assay.assert_within(x.sum(), assay.sum(x), contract="correctly_rounded")


def test_come_to_a_function_that_converts_them(arrays):
    module, on_device = arrays
    verdict = assay.check(lambda x: module.sum(x), "sum", "any_order", format="f32", cases=50, arrays=on_device)
    assert verdict.ladder == "sum f32: keeps any_order"
