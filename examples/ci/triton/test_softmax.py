"""The promise of the kernel, on the device of the runner."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("triton", reason="Triton is not installed")
if not torch.cuda.is_available():
    pytest.skip("there is no GPU", allow_module_level=True)

from softmax import softmax  # noqa: E402


def test_softmax_is_within_what_its_formula_allows(assay):
    x = torch.randn(64, 1000, device="cuda", generator=torch.Generator("cuda").manual_seed(1))
    assay.assert_close(softmax(x), "softmax", x)


def test_softmax_keeps_its_contract_on_hard_rows(assay):
    def on_host(x):
        return softmax(torch.from_numpy(x).cuda()).cpu().numpy()

    assay.check(on_host, "softmax", "shifted_exp2_3ulp", format="f32")
