"""The layout of KernelBench: the adapter of `python3 -m assay judge-kernels` where no other one is named.

A file with `Model`, `get_inputs` and `get_init_inputs` is a problem. `ModelNew` is its candidate: in the same file, or
in files whose names begin with the problem's name (`23_softmax.py`, `23_softmax_fused.py`)."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Both models are made after torch.manual_seed with this number.
SEED = 42


def problems(folder: Path) -> list[tuple[str, Path, Path]]:
    """For each candidate of a folder: its name, the file of the reference, and its own file. Nothing is imported."""
    files = sorted(folder.rglob("*.py"))
    names = {file: set(re.findall(r"^(?:class|def) (\w+)", file.read_text("utf-8", "replace"), re.MULTILINE)) for file in files}
    references = [file for file in files if {"Model", "get_inputs"} <= names[file]]
    found = []
    for file in files:
        if "ModelNew" in names[file]:
            of = [each for each in references if each == file or file.stem.startswith(each.stem)]
            if of:
                found.append((file.stem, max(of, key=lambda each: (each == file, len(each.stem))), file))
    return found


def reference(file: Path) -> tuple[Any, Callable[[int], list[Any]], list[Any]]:
    """The model of a problem, a function that draws its inputs by a seed, and the arguments that made the model."""
    import torch

    names = _imported(file)
    init = list(names.get_init_inputs()) if hasattr(names, "get_init_inputs") else []
    torch.manual_seed(SEED)
    model = names.Model(*init)

    def inputs(seed: int) -> list[Any]:
        torch.manual_seed(seed)
        return list(names.get_inputs())

    return model, inputs, init


def candidate(file: Path, init: list[Any], state: dict[str, Any]) -> Any:
    """The candidate, in a process of its own, with the weights of the reference where their names and shapes agree."""
    import torch

    torch.manual_seed(SEED)
    model = _imported(file).ModelNew(*init)
    own = model.state_dict() if hasattr(model, "state_dict") else {}
    if own and {name: each.shape for name, each in own.items()} == {name: each.shape for name, each in state.items()}:
        model.load_state_dict(state)
    return model


def _imported(file: Path) -> Any:
    name = "kernelbench_" + file.stem
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # compilers look for the source of a function there
    spec.loader.exec_module(module)
    return module
