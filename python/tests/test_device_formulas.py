"""Formulas of arrays of PyTorch on a device, as the judge reads them."""

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from device_arrays import library  # noqa: E402

#: Formulas of single numbers: how many arrays they have, their scalars, and what torch has for wider arrays.
ELEMENTWISE = {
    "silu": (1, [], lambda torch, x: torch.nn.functional.silu(x)),
    "gelu": (1, [], lambda torch, x: torch.nn.functional.gelu(x, approximate="tanh")),
    "swiglu": (2, [], lambda torch, g, x: torch.nn.functional.silu(g) * x),
    "adamw": (
        4,
        [2.0**-10, 0.875, 0.96875, 2.0**-20, 0.0625, 0.5, 0.25],
        lambda torch, p, g, m, v, lr, b1, b2, eps, decay, c1, c2: p
        - lr * ((b1 * m + (1 - b1) * g) / c1 / (((b2 * v + (1 - b2) * g * g) / c2).sqrt() + eps) + decay * p),
    ),
}


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_of_an_elementwise_formula_are_judged_where_they_lie(name, kind):
    torch, _ = library("torch")
    arrays, scalars, function = ELEMENTWISE[name]
    draw = torch.Generator("cuda").manual_seed(3)
    inputs = [torch.randn(10_000_000, device="cuda", generator=draw).to(getattr(torch, kind)) for _ in range(arrays)]
    if name == "adamw":
        inputs[3] = inputs[3].abs()
    of = assay.Formula(name)
    right = function(torch, *(each.double() for each in inputs), *scalars).to(inputs[0].dtype)
    own = function(torch, *(each.float() for each in inputs), *scalars).to(inputs[0].dtype)
    for got in (right, own):
        judgment = assay._close.judged_on_device(of, [*inputs, *scalars], got)
        assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", 10_000_000, 10_000_000)
    for place in (9_999_999, 4_321_000, 0):
        wrong = right.clone()
        wrong[place] += 0.05 + 0.05 * wrong[place].abs()
        with pytest.raises(assay.Broken, match=rf"entry  [yq]\[{place}\]\n"):
            assay.assert_close(wrong, of, *inputs, *scalars)


def cross_entropy(torch, x, label):
    return torch.nn.functional.cross_entropy(x, label, reduction="none")


#: Formulas with reductions of rows: their arguments (matrices, numbers of a column, labels, scalars) and torch's results.
REDUCTIONS = {
    "logsumexp": ("m", lambda torch, x: torch.logsumexp(x, -1)),
    "variance": ("m", lambda torch, x: x.var(-1, correction=0)),
    "mse": ("mm", lambda torch, x, t: ((x - t) ** 2).mean(-1)),
    "cross_entropy": ("ml", cross_entropy),
    "cosine_similarity": ("mm2", lambda torch, x, y, eps: torch.nn.functional.cosine_similarity(x, y, -1, eps)),
    "layer_norm_residual": (
        "mmcc2",
        lambda torch, x, r, gamma, beta, eps: torch.nn.functional.layer_norm(x + r, x.shape[1:], gamma, beta, eps),
    ),
}


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("rows, columns", [(1_000_000, 7), (3000, 2049), (5, 150_001)])
def test_of_a_formula_with_reductions_are_judged_where_they_lie(name, kind, rows, columns):
    torch, _ = library("torch")
    kinds, function = REDUCTIONS[name]
    draw = torch.Generator("cuda").manual_seed(4)

    def drawn(what):
        if what == "2":
            return 2.0**-12
        if what == "l":
            return torch.randint(columns, (rows,), device="cuda", generator=draw)
        shape = (columns,) if what == "c" else (rows, columns)
        return torch.randn(shape, device="cuda", generator=draw).to(getattr(torch, kind))

    inputs = [drawn(what) for what in kinds]
    of = assay.Formula(name)

    def result(to):
        wide = [to(x) if getattr(x, "is_floating_point", bool)() else x for x in inputs]
        return function(torch, *wide).to(inputs[0].dtype)

    right = result(lambda x: x.double())
    for got in (right, result(lambda x: x.float())):
        judgment = assay._close.judged_on_device(of, inputs, got)
        assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", got.numel(), got.numel())
    for place in (right.numel() - 1, right.numel() * 3 // 7):
        wrong = right.clone()
        wrong.view(-1)[place] += 0.05 + 0.1 * wrong.view(-1)[place].abs()
        at = ", ".join(str(each) for each in numpy.unravel_index(place, right.shape))
        with pytest.raises(assay.Broken, match=rf"entry  [a-z]\[{at}\]\n"):
            assay.assert_close(wrong, of, *inputs)
