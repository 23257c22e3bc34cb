"""assay.formula_of: a model of torch becomes a formula, which the model keeps and a model with a mistake breaks."""

import doctest
import re
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="models need torch")

import assay  # noqa: E402
from assay import _model  # noqa: E402
from assay._guard import Guard  # noqa: E402
from torch.nn import functional  # noqa: E402


def drawn(*shape, seed=3):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


class LinearGelu(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(24, 16)
        self.fc.load_state_dict({"weight": drawn(16, 24, seed=1), "bias": drawn(16, seed=2)})

    def forward(self, x):
        return functional.gelu(self.fc(x))


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
        assay.assert_close(functional.gelu(x @ model.fc.weight.T), formula, x)


class Attention(torch.nn.Module):
    """Heads of a causal attention, as a GPT has them."""

    def __init__(self, width=12, heads=3):
        super().__init__()
        torch.manual_seed(1)
        self.heads, self.both, self.out = heads, torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)

    def forward(self, x, diagonal=0, scale=None):
        batch, count, width = x.size()
        q, k, v = (
            each.view(batch, count, self.heads, width // self.heads).transpose(1, 2)
            for each in self.both(x).split(width, dim=2)
        )
        s = q @ k.transpose(-2, -1) * (scale or 1 / (width // self.heads) ** 0.5)
        seen = torch.tril(torch.ones(count, count), diagonal=diagonal)
        s = s.masked_fill(seen == 0, float("-inf"))
        y = torch.softmax(s, dim=-1) @ v
        return self.out(y.transpose(1, 2).contiguous().view(batch, count, width))


def test_heads_by_views_and_a_triangle_of_ones_become_axes_and_a_mask():
    model, x = Attention(), drawn(2, 5, 12)
    formula = assay.formula_of(model, [x])
    assert "mask=seen)" in formula.text and "mask seen: " in formula.text
    assay.assert_close(model(x), formula, x)


@pytest.mark.parametrize("mistake", [{"diagonal": 1}, {"scale": 1.0}, {"diagonal": 2}], ids=str)
def test_an_attention_with_a_mistake_is_refused(mistake):
    model, x = Attention(), drawn(2, 5, 12)
    with pytest.raises(assay.Broken):
        assay.assert_close(model(x, **mistake), assay.formula_of(model, [x]), x)


def test_a_convolution_without_its_bias_and_one_with_a_transposed_kernel_are_refused():
    torch.manual_seed(2)
    model, x = torch.nn.Conv2d(3, 4, 3, padding=1), drawn(2, 3, 6, 7)
    formula = assay.formula_of(model, [x])
    assay.assert_close(model(x), formula, x)
    for weight, bias in ((model.weight, None), (model.weight.transpose(2, 3), model.bias)):
        with pytest.raises(assay.Broken):
            assay.assert_close(functional.conv2d(x, weight, bias, padding=1), formula, x)


def test_a_recorded_model_is_as_it_was():
    model, x = torch.nn.BatchNorm1d(3), drawn(4, 3)
    before = {name: each.clone() for name, each in model.state_dict().items()}
    parameters = dict(model.named_parameters())
    assay.formula_of(model, [x])
    assert all(torch.equal(before[name], each) for name, each in model.state_dict().items())
    assert all(parameters[name] is each for name, each in model.named_parameters())


def test_what_a_model_stores_while_it_is_recorded_is_gone():
    class Storing(torch.nn.Module):
        def forward(self, x):
            self.seen = x
            return x + 1

    model = Storing()
    assay.formula_of(model, [drawn(4, 3)])
    assert not hasattr(model, "seen")


def test_a_graph_of_torch_fx_becomes_the_formula_of_its_model():
    model, x = LinearGelu(), drawn(5, 24)
    texts = [assay.formula_of(each, [x]).text for each in (model, torch.fx.symbolic_trace(model))]
    assert texts[0] == texts[1]


def test_every_function_that_the_page_names_is_recorded():
    from assay._torch_layers import FUNCTIONS

    page = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text()
    table = page.partition("## Functions")[2].partition("Casts, copies")[0]
    named = {word for quoted in re.findall("`([a-z0-9_ ]+)`", table) for word in quoted.split()}
    short = {"max_pool": "max_pool2d", "avg_pool": "avg_pool2d"}
    assert len(named) > 120 and {short.get(each, each) for each in named} - set(FUNCTIONS) == set()


def test_a_tensor_times_itself_gets_another_name_for_an_axis():
    x = drawn(4, 4)
    formula = assay.formula_of(lambda x: x @ x, [x])
    assay.assert_close(x @ x, formula, x)
    with pytest.raises(assay.Broken):
        assay.assert_close(x @ x.T, formula, x)


def test_results_of_narrow_formats_are_held_to_bounds_that_admit_stored_intermediates():
    model, x = LinearGelu().fc.bfloat16(), drawn(5, 24).bfloat16()
    formula = assay.formula_of(torch.nn.Sequential(model, torch.nn.Sigmoid()), [x])
    assay.assert_close(torch.sigmoid(model(x)), formula, x)
    with pytest.raises(assay.Broken, match="stored is broken"):
        assay.assert_close(torch.sigmoid(x @ model.weight.T), formula, x)


#: Functions of one matrix, each with what another reading of it would compute.
READINGS = {
    "a write in place": (lambda x: (functional.relu(x, inplace=True), x)[1], lambda x: x),
    "a write to another name": (lambda x: (lambda y: (y.__iadd__(1), y)[1])(x * 2), lambda x: x * 2),
    "var(False)": (lambda x: x.var(False), lambda x: x.var()),
    "a norm of three": (lambda x: x.norm(3, dim=1), lambda x: x.norm(2, dim=1)),
    "a rotation": (lambda x: torch.roll(x, 1, 1), lambda x: torch.roll(x, -1, 1)),
    "padding": (lambda x: functional.pad(x, (1, 2)), lambda x: functional.pad(x, (2, 1))),
    "reflection": (lambda x: functional.pad(x[None], (1, 2), mode="reflect"),
                   lambda x: functional.pad(x[None], (1, 2), mode="replicate")),
    "three factors": (lambda x: torch.einsum("ij,kj,kl->il", x, x, x), lambda x: torch.einsum("ij,ij,kl->il", x, x, x)),
    "differences of rows": (lambda x: (x[:, None] - x[None]).abs().sum(-1),
                            lambda x: (x[:, None] + x[None]).abs().sum(-1)),
    "a product": (lambda x: x.prod(1), lambda x: x[:, :-1].prod(1)),
    "joined rows": (lambda x: torch.stack([x, x * 2], 1), lambda x: torch.stack([x * 2, x], 1)),
    "half a gate": (functional.glu, lambda x: functional.glu(x.flip(1))),
    "a buffer of a mask": (lambda x: x.masked_fill(torch.ones(3, 4).triu(1) == 1, 0.0), torch.clone),
    "cosines": (lambda x: functional.cosine_similarity(x, x.flip(1), dim=1), lambda x: (x * x.flip(1)).sum(1)),
    "a power of two matrices": (lambda x: (abs(x) + 1) ** x.flip(1), lambda x: (abs(x) + 1) ** x),
    "a binary64 constant": (lambda x: x * 0.1 + 3, lambda x: x * 0.1001 + 3),
}  # fmt: skip


@pytest.mark.parametrize("name", READINGS)
def test_a_function_is_read_as_torch_computes_it(name):
    function, other = READINGS[name]
    x = drawn(3, 4)
    formula = assay.formula_of(function, [x])
    assay.assert_close(function(x.clone()), formula, x)
    with pytest.raises(assay.Broken):
        assay.assert_close(other(x.clone()), formula, x)


@pytest.mark.parametrize(
    ("model", "line"),
    [
        (lambda x: x.prod(1), "_1 = prod(x, axis=m)"),
        (lambda x: torch.prod(x), "_1 = prod(x, axis=n, m)"),
        (lambda x: torch.cumprod(x, 1), "_1 = cumprod(x, axis=m)"),
        (lambda x: torch.sign(x), "_1 = sign(x)"),
    ],
)
def test_products_of_any_length_and_signs_have_their_own_words(model, line):
    x = 1 + drawn(3, 100) / 8
    formula = assay.formula_of(model, [x])
    assert line in formula.text
    assay.assert_close(model(x), formula, x)
    with pytest.raises(assay.Broken):
        assay.assert_close(model(x) * (1 + 1e-4), formula, x)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x: x if x.sum() > 0 else -x, "a comparison of values"),
        (lambda x: functional.dropout(x, 0.5), "a dropout in training draws random numbers"),
        (lambda x: torch.linalg.svd(x), "torch's linalg_svd: a formula has no such function"),
        (lambda x: torch.cumprod(x.repeat(1, 1).reshape(-1), 0), "a running sum|a product along a dimension"),
        (lambda x: (x.view(21).add_(1), x)[1], "writes to a tensor of which there are views"),
        (lambda x: x.__setitem__(0, 1), "__setitem__ of a tensor"),
        (lambda x: torch.linalg.norm(x, 2), "a norm of matrices of the kind 2"),
        (lambda x: x.repeat(3, 1), "a repetition of"),
        (lambda x: x.reshape(7, 3), "which cuts through a dimension"),
    ],
    ids=["a branch", "random numbers", "another function", "a product along two axes", "a write to a view",
         "a write to an entry", "a spectral norm", "a repetition", "a view"],
)
def test_what_no_formula_has_is_refused_by_name(function, says):
    with pytest.raises(assay.RecordingError, match=says):
        assay.formula_of(function, [drawn(3, 7)])


def test_a_result_of_another_shape_is_refused():
    formula = assay.formula_of(lambda x: x.sum(1), [drawn(3, 7)])
    with pytest.raises(ValueError, match=r"a result of shape \(3,\) is expected, not of \(3, 1\)"):
        assay.assert_close(drawn(3, 1), formula, drawn(3, 7))


def test_of_a_large_result_rows_and_columns_are_judged_in_full():
    a, b = drawn(300, 64), drawn(64, 200, seed=5)
    formula = assay.formula_of(torch.matmul, [a, b])
    judgment = formula.held(a @ b, [a, b], most=50_000)
    assert 100 < judgment.judged < 1000
    got = a @ b
    got[:, 40:] += 1
    with pytest.raises(assay.Broken, match=r"entry  matmul\[\d+, ([4-9]\d|1\d\d)\], the worst of \d+ wrong entries"):
        formula.held(got, [a, b], most=50_000)


def test_along_an_axis_of_which_one_place_is_used_all_entries_are_judged():
    x = drawn(60, 70)
    judgment = assay.formula_of(lambda x: x * x[0], [x]).held(x * x[0], [x], most=1000)
    assert judgment.judged % 60 == 0 and judgment.judged < 60 * 70


def test_windows_as_places_are_judged_at_some_of_them():
    torch.manual_seed(4)
    model, x = torch.nn.Conv1d(2, 3, 3, stride=2), drawn(4, 2, 101)
    formula = assay.formula_of(model, [x], samples=True)
    assert formula.held(model(x), [x], most=2000).judged < model(x).numel() // 2


#: Norms, and the number of entries of one row.
NORMS = {
    "batch": (torch.nn.BatchNorm2d(6), 320),
    "instance": (torch.nn.InstanceNorm2d(6), 80),
    "layer": (torch.nn.LayerNorm((6, 8, 10)), 480),
    "Frobenius": (lambda x: x / torch.norm(x, p="fro"), 1920),
    "one-norm": (lambda x: x / x.abs().sum((1, 2, 3), keepdim=True), 480),
}


@pytest.mark.parametrize("name", NORMS)
def test_a_norm_of_long_rows_is_judged_at_some_of_their_entries(name, monkeypatch):
    monkeypatch.setattr(_model, "MOST", 4000)
    (norm, row), x = NORMS[name], drawn(4, 6, 8, 10)
    formula = assay.formula_of(norm, [x], samples=True)
    got = norm(x).detach()
    assert 1 < formula.held(got, [x], most=4000).judged <= row / 4
    with pytest.raises(assay.Broken):
        formula.held(got * 1.01, [x], most=4000)
    assay.assert_close(got, formula, x)


def test_a_softmax_of_long_rows_is_judged_in_whole_rows(monkeypatch):
    monkeypatch.setattr(_model, "MOST", 400)
    x = drawn(6, 50)
    formula = assay.formula_of(lambda x: torch.softmax(x, 1), [x], samples=True)
    assert formula.held(torch.softmax(x, 1), [x], most=400).judged == 50


def cudnn(key):
    return lambda: setattr(torch.backends.cudnn, key, not getattr(torch.backends.cudnn, key))


#: What a candidate may not leave behind, with the sentence about it.
CHANGES = {
    "it changed torch's default dtype": lambda: torch.set_default_dtype(torch.float64),
    "it changed torch's grad mode": lambda: torch.set_grad_enabled(not torch.is_grad_enabled()),
    "it changed torch's autocast of the host": lambda: torch.set_autocast_cpu_enabled(True),
    "it changed torch's autocast": lambda: torch.set_autocast_enabled(True),
    "it changed torch's deterministic algorithms": lambda: torch.use_deterministic_algorithms(True),
    "it changed torch's float32 matmul precision": lambda: torch.set_float32_matmul_precision("medium"),
    "it changed torch's number of threads": lambda: torch.set_num_threads(torch.get_num_threads() + 1),
    "it changed torch.backends.cudnn.allow_tf32": cudnn("allow_tf32"),
    "it changed torch.backends.cudnn.benchmark": cudnn("benchmark"),
    "it replaced torch.allclose": lambda: setattr(torch, "allclose", lambda *_: True),
    "it replaced torch.nn.functional.gelu": lambda: setattr(functional, "gelu", lambda x: x),
    "it replaced torch.Tensor.__sub__": lambda: setattr(torch.Tensor, "__sub__", lambda a, b: a),
    "it replaced torch.nn.Module.__call__": lambda: setattr(torch.nn.Module, "__call__", lambda self, x: x),
}


def test_changes_of_torch_are_named_and_undone():
    guard = Guard()
    for change in CHANGES.values():
        change()
    told = guard.changes()
    assert set(CHANGES) <= set(told) and all("precision" in each for each in set(told) - set(CHANGES))
    assert guard.changes() == []


def test_the_page_shows_what_is_printed():
    page = Path(__file__).resolve().parents[2] / "docs" / "models.md"
    assert doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS).failed == 0
