"""The models of KernelBench's first level as formulas: the model of torch and other right implementations are accepted,
transcription mistakes are refused."""

import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="models need torch")

import assay  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent / "models"))

from functions import FUNCTIONS  # noqa: E402
from level_one import MODELS  # noqa: E402
from variants import MISTAKES, RIGHT  # noqa: E402

BY_NUMBER = {int(name.split()[0]): name for name in MODELS}
WRONG = [(mistake, number) for mistake, functions in MISTAKES.items() for number in functions]
GOOD = [(number, name) for number, functions in RIGHT.items() for name in functions]
#: torch's own gelu on processors with AVX2 computes erf by a polynomial whose error is about 8 units of 2**-24: more
#: than the 4 ulps of `fast`. The same model by torch.erf is accepted.
TOO_COARSE = 26


def recorded(number):
    model, inputs = MODELS[BY_NUMBER[number]]()
    return assay.formula_of(model, inputs), model, inputs


def test_there_are_a_hundred_models():
    assert sorted(BY_NUMBER) == list(range(1, 101))


@pytest.mark.parametrize("number", sorted({*BY_NUMBER} - {TOO_COARSE}), ids=lambda number: BY_NUMBER[number])
def test_a_model_keeps_its_formula(number):
    formula, model, inputs = recorded(number)
    assay.assert_close(model(*inputs), formula, *inputs)


@pytest.mark.parametrize(("mistake", "number"), WRONG, ids=[f"{mistake}, {BY_NUMBER[n]}" for mistake, n in WRONG])
def test_a_mistake_is_refused(mistake, number):
    formula, model, inputs = recorded(number)
    with torch.no_grad():
        got = MISTAKES[mistake][number](model, *inputs)
    with pytest.raises(assay.Broken):
        assay.assert_close(got, formula, *inputs)


@pytest.mark.parametrize(("number", "name"), GOOD, ids=[f"{BY_NUMBER[number]}, {name}" for number, name in GOOD])
def test_another_right_implementation_is_accepted(number, name):
    formula, model, inputs = recorded(number)
    with torch.no_grad():
        assay.assert_close(RIGHT[number][name](model, *inputs), formula, *inputs)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_beyond_the_first_level_keeps_its_formula_and_another_result_breaks_it(name):
    function, inputs = FUNCTIONS[name]
    formula = assay.formula_of(function, inputs)
    got = function(*inputs).detach()
    assay.assert_close(got, formula, *inputs)
    with pytest.raises(assay.Broken):
        assay.assert_close(got * 1.05 + 0.01 if got.is_floating_point() else got + 1, formula, *inputs)
    assert assay.formula_of(function, inputs, samples=True).held(got, inputs, most=300).verdict == "kept"


def redrawn(x, seed):
    """Other inputs of the same shapes: of one scale or another, or with an offset."""
    draw = torch.Generator().manual_seed(seed)
    if not x.is_floating_point():
        return torch.randint(int(x.max()) + 1, x.shape, generator=draw)
    return torch.randn(x.shape, generator=draw) * (1, 8, 0.01, 1)[seed % 4] + (0, 0, 0, 5)[seed % 4]


@pytest.mark.parametrize("number", [2, 17, 23, 24, 33, 36, 40, 47, 63, 75, 89, 95, 97], ids=BY_NUMBER.get)
def test_right_implementations_are_accepted_for_a_hundred_draws(number):
    formula, model, inputs = recorded(number)
    for seed in range(100):
        drawn = [redrawn(each, seed) for each in inputs]
        for function in (lambda f, *x: f(*x), *RIGHT[number].values()):
            with torch.no_grad():
                assay.assert_close(function(model, *drawn), formula, *drawn)
