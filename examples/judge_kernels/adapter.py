"""An adapter of `python3 -m assay judge-kernels` for folders that hold `reference.py`, with `reference(…)` and
`inputs(seed)`, and candidates in files beside it, each with a function `kernel(…)`."""

import importlib.util


def problems(folder):
    """For each candidate its name, the file of the reference, and its own file."""
    found = []
    for reference in sorted(folder.glob("*/reference.py")):
        for file in sorted(reference.parent.glob("kernel*.py")):
            name = reference.parent.name + file.stem.removeprefix("kernel")
            found.append((name, reference, file))
    return found


def reference(file):
    """The model, a function that draws inputs by a seed, and what the candidate is made of: nothing."""
    names = imported(file)
    return names.reference, names.inputs, []


def candidate(file, init, state):
    """The function that is judged. It runs in a process of its own."""
    return imported(file).kernel


def imported(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
