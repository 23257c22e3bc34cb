"""assay.formula_of: a model of torch becomes a formula, which the model keeps and a model with a mistake breaks."""

import pytest

torch = pytest.importorskip("torch")

import assay  # noqa: E402


def drawn(*shape, seed=3):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


class LinearGelu(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(24, 16)
        self.fc.load_state_dict({"weight": drawn(16, 24, seed=1), "bias": drawn(16, seed=2)})

    def forward(self, x):
        return torch.nn.functional.gelu(self.fc(x))


def test_a_model_with_a_layer_becomes_a_formula_with_its_weights_as_parameters():
    formula = assay.formula_of(LinearGelu(), [drawn(5, 24)])
    assert formula.text == (
        "LinearGelu(x[n, m], fc_weight[k, m], fc_bias[k]) -> gelu[n, k]\n"
        "  linear = sum(x * fc_weight, axis=m) + fc_bias\n"
        "  gelu = 0.5 * linear * (1 + erf(linear * sqrt(0.5)))\n"
    )


def test_a_model_keeps_its_formula_and_one_without_the_bias_breaks_it():
    model, x = LinearGelu(), drawn(5, 24)
    formula = assay.formula_of(model, [x])
    assay.assert_close(model(x), formula, x)
    with pytest.raises(assay.Broken, match="fast is broken"):
        assay.assert_close(torch.nn.functional.gelu(x @ model.fc.weight.T), formula, x)
