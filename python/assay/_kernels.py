"""`python3 -m assay judge-kernels FOLDER`: candidates in place of reference models of torch, each judged against the
formula of its reference, in a process of its own."""

from __future__ import annotations

import argparse
import fnmatch
import importlib
import importlib.util
import io
import json
import secrets
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from . import _arrays
from ._calls import words_of
from ._close import Broken, Undecided
from ._isolation import Isolated, NoAnswer
from ._model import formula_of
from ._native import JudgeError
from ._record import RecordingError

#: Cycles of a device for which a call's inputs are delayed, about 10 ms.
_PAUSE = 20_000_000
#: So many numbers are filled once, and fewer in several places.
_LARGE = 1 << 24
#: Exit codes by verdict, the most urgent first.
_CODES = {"broken": 1, "stopped": 4, "no verdict": 3, "kept": 0}


@dataclass
class Answer:
    """The verdict about a candidate: "kept", "broken", "stopped" (it crashed, hung or raised an exception) or "no
    verdict" (the reference is no formula, or the judge cannot decide)."""

    name: str
    verdict: str = "kept"
    contract: str = ""
    formula: str = ""
    reason: str = ""  #: why it is not kept, or why there is no verdict
    changed: list[str] = field(default_factory=list)
    seeds: list[int] = field(default_factory=list)
    ratio: float = 0.0  #: the largest error/bound
    judged: int = 0  #: entries, of all seeds
    entries: int = 0  #: entries that the results have
    reference: str = ""  #: the verdict about the reference's own result
    seconds: float = 0.0

    def __str__(self) -> str:
        if self.verdict == "kept":
            of = "" if self.judged == self.entries else f", {self.judged} of {self.entries} entries judged"
            return f"{self.name}: keeps {self.contract}, {len(self.seeds)} seeds, {self.ratio:.3g} of the bound{of}"
        lines = [f"{self.name}: {self.verdict}", *("  " + each for each in self.reason.splitlines())]
        return "\n".join([*lines, *("  " + each for each in self.changed)])


class Candidate:
    """The function that runs in a process of its own. Its arguments are bytes. `kinds`: type and shape of each input, or
    the input itself if it is no tensor. `of_result`: type and shape of the result."""

    def __init__(
        self, adapter: str, file: Path, made_of: bytes, kinds: list[Any], of_result: tuple[str, Any], device: str
    ):
        self._with = adapter, file, made_of, kinds, of_result, device
        self._model: Any = None

    def __getstate__(self) -> Any:
        return self._with

    def __setstate__(self, given: Any) -> None:
        importlib.import_module("torch")  # before the process notes what the candidate may not change
        self._with, self._model = given, None

    def __call__(self, *arrays: Any) -> Any:
        import torch

        adapter, file, made_of, kinds, of_result, device = self._with
        left = list(arrays)
        given = [each if kind is None else _tensor(left.pop(0), *kind) for kind, each in kinds]
        if self._model is None:
            model = adapter_of(adapter).candidate(file, *torch.load(io.BytesIO(made_of), weights_only=False))
            self._model = model.to(device) if hasattr(model, "to") else model
        with torch.no_grad():
            if device == "cpu":
                _poisoned(sum(each.numel() for each in given if hasattr(each, "numel")) + 64, "float32", device)
                result = _plain(self._model(*given))
            else:
                result = _on_device(self._model, given, of_result, device)
        return result.detach().cpu()


def _plain(result: Any) -> Any:
    import torch

    if type(result) is not torch.Tensor and type(result) is not torch.nn.Parameter:
        raise TypeError(f"it returned a {type(result).__name__}, which is not a plain tensor of torch")
    return result


def _poisoned(shape: Any, dtype: str, device: str) -> None:
    """Fills memory that torch gives to the next tensors of this size: it holds no former result."""
    import torch

    kind = getattr(torch, dtype)
    poison = torch.nan if kind.is_floating_point or kind.is_complex else 0
    held = [torch.full(shape if isinstance(shape, tuple) else (shape,), poison, dtype=kind, device=device)]
    if held[0].numel() < _LARGE:
        held += [torch.full_like(held[0], poison) for _ in range(2)]


def _on_device(model: Any, given: list[Any], of_result: tuple[str, Any], device: str) -> Any:
    """The result of a call whose inputs the device writes on the current stream only after a pause, when the call has
    usually returned: until then they are NaN. Work on another stream that does not wait for the current one reads the
    NaNs. A copy of the result on the current stream shows what a caller would read there. Raises RuntimeError or
    ValueError for a result that is completed later, and for inputs that were written to."""
    import torch

    stream = torch.cuda.current_stream()
    tensors = [each for each in given if hasattr(each, "to")]
    ready = [each.to(device) for each in tensors]
    late = [torch.full_like(each, torch.nan if each.is_floating_point() else 0) for each in ready]
    left = list(late)
    arguments = [left.pop(0) if hasattr(each, "to") else each for each in given]
    _poisoned(of_result[1], of_result[0], device)
    torch.cuda.synchronize()
    torch.cuda._sleep(_PAUSE)
    for each, numbers in zip(late, ready):
        each.copy_(numbers)
    result = _plain(model(*arguments))
    with torch.cuda.stream(stream):
        then = result.clone()
    torch.cuda.synchronize()
    if not all(_same_bits(each, numbers) for each, numbers in zip(late, ready)):
        raise ValueError("it wrote to its argument input")
    if not _same_bits(then, result):
        raise RuntimeError("its result was not complete on the stream that called it")
    if _has_nan(then) and not any(map(_has_nan, ready)) and not _has_nan(_plain(model(*arguments))):
        raise RuntimeError("it read its inputs before the stream that called it had written them")
    return then


def _same_bits(a: Any, b: Any) -> bool:
    import torch

    if a.shape != b.shape or a.dtype != b.dtype or a.device != b.device:
        return False
    one, other = (each.detach().contiguous().reshape(-1).view(torch.uint8) for each in (a, b))
    return bool((one == other).all())


def _has_nan(x: Any) -> bool:
    return bool(x.isnan().any())


def _tensor(array: Any, dtype: str, shape: tuple[int, ...]) -> Any:
    import torch

    return torch.from_numpy(array).view(getattr(torch, dtype)).reshape(shape)


def _bytes_of(tensor: Any) -> bytes:
    import torch

    flat = tensor.detach().cpu().contiguous().reshape(-1)
    return bytes(flat.view(torch.uint8).numpy().tobytes()) if flat.numel() else b""


def adapter_of(name: str) -> Any:
    """A module with `problems`, `reference` and `candidate`: a file, or assay.kernelbench. Raises ValueError for
    anything else."""
    if not name.endswith(".py"):
        if importlib.util.find_spec(name) is None:
            raise ValueError("there is no such module; a file ends in .py")
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location("assay_adapter", name)
    if spec is None or spec.loader is None or not Path(name).is_file():
        raise ValueError("there is no such file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    missing = [each for each in ("problems", "reference", "candidate") if not hasattr(module, each)]
    if missing:
        raise ValueError(f"it has no function {', '.join(missing)}")
    return module


def judged(
    name: str, of_reference: Path, of_candidate: Path, *, adapter: str = "assay.kernelbench", seeds: list[int],
    contract: str | None = None, time_limit: float = 60.0, device: str = "cpu",
) -> Answer:  # fmt: skip
    """The answer about a candidate, for inputs drawn by each seed. The last inputs are written to the memory of those
    before, so that a result stored by address is noticed."""
    import torch

    start = time.monotonic()
    answer = Answer(name, seeds=seeds)
    try:
        model, inputs_of, init = adapter_of(adapter).reference(of_reference)
        drawn = [inputs_of(each) for each in seeds]
        formula = formula_of(model, drawn[0], samples=True)
        answer.formula = formula.text
        with torch.no_grad():
            expected = model(*drawn[0])
    except RecordingError as error:
        answer.verdict, answer.reason = "no verdict", f"the reference is no formula: {error}"
        return answer
    except Exception as error:
        answer.verdict, answer.reason = "no verdict", f"the reference gives no result: {words_of(error)}"
        return answer
    state = model.state_dict() if hasattr(model, "state_dict") else {}
    memory = io.BytesIO()
    torch.save((init, state), memory)
    kinds = [
        ((str(each.dtype).removeprefix("torch."), tuple(each.shape)), None) if hasattr(each, "dtype") else (None, each)
        for each in drawn[0]
    ]
    kind, shape = _arrays.view(expected.detach(), "the reference's result").kind, tuple(expected.shape)
    of_result = str(expected.dtype).removeprefix("torch."), shape
    subject = Candidate(adapter, of_candidate, memory.getvalue(), kinds, of_result, device)
    answer.entries = expected.numel() * len(seeds)
    try:
        with ThreadPoolExecutor(1) as pool:
            of_reference = pool.submit(formula.held, expected, drawn[0], contract)
            with Isolated(subject, None, "model", [], time_limit) as process:  # meanwhile: it imports torch for seconds
                try:
                    answer.contract, answer.reference = of_reference.result().contract, "kept"
                except Broken as error:
                    answer.reference = str(error)
                for k, inputs in enumerate(drawn):
                    raws = [_bytes_of(each) for each in inputs if hasattr(each, "dtype")]
                    if k and k == len(drawn) - 1:
                        raw = process.call_again(raws, kind, shape)
                    else:
                        given = [("input", (_arrays.INT, 8), (len(raw),), (1,), raw) for raw in raws]
                        raw = process.call(given, kind, shape)
                    got = torch.frombuffer(bytearray(raw), dtype=expected.dtype).reshape(shape)
                    judgment = formula.held(got, inputs, contract)
                    answer.contract = judgment.contract
                    answer.judged += judgment.judged
                    answer.ratio = max(answer.ratio, judgment.ratio)
                answer.changed = process.changes()
    except Broken as error:
        answer.verdict, answer.reason = "broken", str(error)
    except NoAnswer as error:
        answer.verdict, answer.reason = "stopped", str(error)
    except (ValueError, TypeError, MemoryError, JudgeError, Undecided) as error:
        answer.verdict, answer.reason = "no verdict", str(error)
    if answer.changed and answer.verdict == "kept":
        answer.verdict = "broken"
    answer.seconds = round(time.monotonic() - start, 3)
    return answer


def main(arguments: list[str]) -> int:
    """Exit codes: 0 if all candidates keep the formulas of their references, 1 if one is broken, 4 if one gave no
    result, 3 if one got no verdict, 2 for a wrong option or a folder without candidates, 77 without torch or without
    the device."""
    parser = argparse.ArgumentParser(prog="python3 -m assay judge-kernels", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="patterns of candidates; all by default")
    parser.add_argument("--adapter", default="assay.kernelbench", help="a file with problems, reference and candidate")
    parser.add_argument("--seeds", type=int, default=3, help="how many inputs are drawn (3)")
    parser.add_argument("--seed", type=int, help="of the first inputs; by default one that nobody knows")
    parser.add_argument("--contract", help="a machine of the formulas, such as any_order; by default the usual one")
    parser.add_argument("--time-limit", type=float, default=60.0, help="seconds for a call (60)")
    parser.add_argument("--device", default="cpu", help="where candidates run: cpu or cuda")
    parser.add_argument("--json", action="store_true", help="one document on standard output")
    options = parser.parse_args(arguments)
    if importlib.util.find_spec("torch") is None:
        print("skipped: judge-kernels needs torch, which this Python does not have", file=sys.stderr)
        return 77
    if options.device != "cpu" and not importlib.import_module("torch").cuda.is_available():
        print(f"skipped: --device {options.device}: torch finds no such device", file=sys.stderr)
        return 77
    if options.seeds < 1:
        parser.error(f"--seeds {options.seeds}: a number from 1 is accepted")
    if options.time_limit <= 0:
        parser.error(f"--time-limit {options.time_limit:g}: a number of seconds above 0 is accepted")
    if not options.folder.is_dir():
        parser.error(f"{options.folder}: there is no such folder")
    try:
        adapter = adapter_of(options.adapter)
    except Exception as error:
        parser.error(f"--adapter {options.adapter}: {words_of(error) if type(error) is not ValueError else error}")
    patterns = options.names or ["*"]
    found = [
        each
        for each in adapter.problems(options.folder)
        if any(fnmatch.fnmatch(each[0], pattern) for pattern in patterns)
    ]
    if not found:
        parser.error(f"{options.folder}: no candidate: a file with ModelNew, beside one with Model and get_inputs")
    first = secrets.randbits(31) if options.seed is None else options.seed
    answers = []
    for name, of_reference, of_candidate in found:
        answers.append(
            judged(
                name, of_reference, of_candidate, adapter=options.adapter,
                seeds=[first + k for k in range(options.seeds)], contract=options.contract,
                time_limit=options.time_limit, device=options.device,
            )  # fmt: skip
        )
        if not options.json:
            print(answers[-1], flush=True)
    counts = {verdict: sum(each.verdict == verdict for each in answers) for verdict in _CODES}
    if options.json:
        document = {"schema": 1, "first_seed": first, **counts, "candidates": [asdict(each) for each in answers]}
        print(json.dumps(document))
    else:
        print(", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count) + f"; first seed {first}")
    return next((code for verdict, code in _CODES.items() if counts[verdict]), 0)
