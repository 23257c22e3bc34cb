"""The same for functions of PyTorch."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def test_torch_dot_keeps_the_bound_of_any_order(assay):
    assay.check(torch.dot, "dot", "any_order", arrays=torch.from_numpy)


def test_torch_softmax_is_within_what_its_formula_allows(assay):
    x = torch.randn(8, 100, generator=torch.Generator().manual_seed(1))
    assay.assert_close(torch.softmax(x, dim=1), "softmax", x)
