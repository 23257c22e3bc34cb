"""Level one on a device of CUDA: `on_device.py formulas|draws|triton FILE` prints how many models become formulas, how
many results of torch and of other right implementations are kept there, and how many mistakes are refused. The lines of
FILE name what was not as expected. A third argument SHARD/SHARDS takes a part of the models."""

import json
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import torch

import assay

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

from level_one import MODELS  # noqa: E402
from variants import MISTAKES, RIGHT  # noqa: E402

BY_NUMBER = {int(name.split()[0]): name for name in MODELS}
#: The models whose inputs are drawn 500 times.
DRAWN = [2, 17, 23, 24, 33, 36, 40, 47, 63, 75, 89, 95, 97]
SEEDS = 500


def there(value):
    return value.to("cuda") if hasattr(value, "to") else value


def recorded(number):
    """The formula of a model on the device, the model, and its inputs."""
    model, inputs = MODELS[BY_NUMBER[number]]()
    model, inputs = there(model), [there(each) for each in inputs]
    return assay.formula_of(model, inputs), model, inputs


def verdict(formula, function, inputs):
    """("kept", error/bound), ("broken", the reason), or an error."""
    try:
        with torch.no_grad(), torch.device("cuda"):
            got = function(*inputs)
        return "kept", formula.held(got, inputs).ratio
    except assay.Broken as error:
        return "broken", " ".join(str(error).split()[:40])
    except Exception as error:
        return "error", f"{type(error).__name__}: {error}"[:300]


@contextmanager
def tf32(allowed):
    """TF32 in the convolutions of cuDNN, where torch allows it by default."""
    before = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = allowed
    try:
        yield
    finally:
        torch.backends.cudnn.allow_tf32 = before


class Figures:
    """Counts, and lines about what was not expected."""

    def __init__(self, file):
        self.counts, self.file, self.start = {}, file, time.monotonic()

    def note(self, what, name, told, expected="kept"):
        right, of = self.counts.get(what, (0, 0))
        self.counts[what] = right + (told[0] == expected), of + 1
        if told[0] != expected:
            print(json.dumps([what, name, *told]), file=self.file, flush=True)

    def __str__(self):
        told = [f"{what}: {right} of {of}" for what, (right, of) in self.counts.items()]
        return "\n".join([*told, f"{time.monotonic() - self.start:.1f} s"])


def formulas(figures, shard=0, shards=1):
    """All models, variants and mistakes."""
    for number, name in [*BY_NUMBER.items()][shard::shards]:
        try:
            formula, model, inputs = recorded(number)
        except Exception as error:
            figures.note("formulas", name, ("error", f"{type(error).__name__}: {error}"[:300]))
            continue
        figures.note("formulas", name, ("kept", 0))
        figures.note("torch's result, as torch is set", name, verdict(formula, model, inputs))
        with tf32(False):
            figures.note("torch's result, without TF32", name, verdict(formula, model, inputs))
            for way, function in RIGHT.get(number, {}).items():
                told = verdict(formula, lambda *x: function(model, *x), inputs)
                figures.note("other right implementations", f"{name}, {way}", told)
            for mistake, functions in MISTAKES.items():
                if number in functions:
                    told = verdict(formula, lambda *x: functions[number](model, *x), inputs)
                    figures.note("mistakes refused", f"{name}, {mistake}", told, "broken")


def draws(figures, shard=0, shards=1):
    """Right implementations for many inputs."""
    from test_level_one import redrawn

    torch.backends.cudnn.allow_tf32 = False
    for number in DRAWN[shard::shards]:
        formula, model, inputs = recorded(number)
        on_host = [each.cpu() for each in inputs]
        for seed in range(SEEDS):
            drawn = [redrawn(each, seed).to("cuda") for each in on_host]
            for way, function in {"torch": lambda f, *x: f(*x), **RIGHT[number]}.items():
                told = verdict(formula, lambda *x: function(model, *x), drawn)
                figures.note("draws", f"{BY_NUMBER[number]}, {way}, {seed}", told)


def triton(figures, shard=0, shards=1):
    """Kernels of Triton."""
    from in_triton import COARSE, KERNELS

    torch.backends.cudnn.allow_tf32 = False
    for number in sorted(KERNELS)[shard::shards]:
        formula, model, inputs = recorded(number)
        for way, function in KERNELS[number].items():
            told = verdict(formula, lambda *x: function(model, *x), inputs)
            what, expected = ("Triton, coarse, refused", "broken") if way in COARSE else ("Triton", "kept")
            figures.note(what, f"{BY_NUMBER[number]}, {way}", told, expected)
            if told[0] == "kept":
                print(json.dumps(["ratio", BY_NUMBER[number], way, told[1]]), file=figures.file, flush=True)
    figures.counts["models with a kernel of Triton"] = (len(sorted(KERNELS)[shard::shards]), len(KERNELS))


if __name__ == "__main__":
    what, file, *shard = sys.argv[1:]
    with open(file, "w") as lines:
        figures = Figures(lines)
        arguments = [int(each) for each in shard[0].split("/")] if shard else []
        {"formulas": formulas, "draws": draws, "triton": triton}[what](figures, *arguments)
    print(torch.cuda.get_device_name(), "torch", torch.__version__, what, *shard)
    print(figures)
