"""`python3 -m assay judge-kernels FOLDER`: right candidates are accepted, ways to pass without computing refused."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="judge-kernels needs torch")

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = """
import torch

class Model(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = torch.nn.Linear(width, 8)

    def forward(self, x):
        return torch.softmax(self.fc(x), dim=1)

def get_inputs():
    return [torch.randn(40, 16)]

def get_init_inputs():
    return [16]
"""
CANDIDATE = """
import torch

{before}
class ModelNew(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = torch.nn.Linear(width, 8)

    def forward(self, x):
        {first}
        e = torch.exp(x @ self.fc.weight.T + self.fc.bias)
        return {result}
"""
RIGHT = "e / e.sum(1, keepdim=True)"
#: Ways to pass: code before the class, the first line of forward, the result, the verdict, and words of its reason.
WAYS = {
    "zeros": ("", "", "torch.zeros(40, 8)", "broken", "fast is broken"),
    "a constant": ("", "", "torch.full((40, 8), 1 / 8)", "broken", "fast is broken"),
    "memory that nobody wrote": ("", "", "torch.empty(40, 8)", "broken", "fast is broken"),
    "half of the batch": ("", "", f"torch.cat([({RIGHT})[:20], torch.zeros(20, 8)])", "broken", "fast is broken"),
    "no bias": ("", "self.fc.bias.zero_()", RIGHT, "broken", "fast is broken"),
    "lower precision": ("", "x = x.bfloat16().float()", RIGHT, "broken", "fast is broken"),
    "a result by address": (
        "known = {}", "", f"known.setdefault(x.data_ptr(), {RIGHT})", "broken", "fast is broken",
    ),
    "a result by shape": ("known = {}", "", f"known.setdefault(x.shape, {RIGHT})", "broken", "fast is broken"),
    "inputs modified": ("", "", f"x.zero_()[:, :8] + {RIGHT}", "stopped", "it wrote to its argument input"),
    "the input itself": ("", "", "x", "stopped", "of shape (40, 16), not (40, 8)"),
    "another format": ("", "", f"({RIGHT}).double()", "stopped", "numbers of f64, not of f32"),
    "nothing": ("", "", "None", "stopped", "a NoneType, which is not a plain tensor"),
    "a tensor that computes later": (
        "class Late(torch.Tensor): pass", "", f"({RIGHT}).as_subclass(Late)", "stopped", "a Late, which is not a plain",
    ),
    "an exception": ("", "raise SystemExit(0)", RIGHT, "stopped", "SystemExit: 0"),
    "no program": ("", "def (", RIGHT, "stopped", "SyntaxError"),
    "the end of the process": ("import os", "os._exit(0)", RIGHT, "stopped", "its process ended with exit code 0"),
    "no end": ("", "while True: pass", RIGHT, "stopped", "it gave no answer within"),
    "TF32": (
        "torch.backends.cuda.matmul.allow_tf32 = True", "", RIGHT, "broken",
        "it changed torch's float32 matmul precision",
    ),
    "cuDNN's TF32": (
        "torch.backends.cudnn.allow_tf32 = not torch.backends.cudnn.allow_tf32", "", RIGHT, "broken",
        "it changed torch.backends.cudnn.allow_tf32",
    ),
    "autocast": ("", "torch.set_autocast_cpu_enabled(True)", f"({RIGHT}).float()", "broken", "fast is broken"),
    "a default dtype": (
        "", "torch.set_default_dtype(torch.float64)", RIGHT, "broken", "it changed torch's default dtype",
    ),
    "deterministic algorithms": (
        "", "torch.use_deterministic_algorithms(True)", RIGHT, "broken", "it changed torch's deterministic algorithms",
    ),
    "torch.equal replaced": ("torch.equal = lambda a, b: True", "", RIGHT, "broken", "it replaced torch.equal"),
    "a method of tensors replaced": (
        "torch.Tensor.__sub__ = lambda a, b: a * 0", "", RIGHT, "broken", "it replaced torch.Tensor.__sub__",
    ),
    "a module replaced": (
        "torch.nn.Linear.forward = lambda s, x: x", "", RIGHT, "broken", "it replaced torch.nn.Linear.forward",
    ),
    "the clock replaced": (
        "import time", "time.perf_counter = lambda: 0.0", RIGHT, "broken", "it replaced time.perf_counter",
    ),
    "the judge asked": (
        "import assay", "assay.Judge('dot').draw(0)", RIGHT, "stopped", "it called Assay, which judges",
    ),
    "the reference imported": (
        "", "", "__import__('problem').Model(16)(x)", "stopped", "No module named 'problem'",
    ),
}  # fmt: skip


def judged(folder, *options, names=()):
    command = [sys.executable, "-m", "assay", "judge-kernels", str(folder), *names, "--seed", "5", "--json", *options]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.stdout, ended.stderr
    document = json.loads(ended.stdout)
    if jsonschema is not None:
        jsonschema.validate(document, json.loads((ROOT / "docs" / "judge_kernels.schema.json").read_text()))
    return ended.returncode, {each["name"]: each for each in document["candidates"]}


def all_judged(folder, *options):
    """Every candidate, by some processes at once."""
    names = [each.stem for each in sorted(folder.glob("*_*.py"))]
    count = min(8, os.cpu_count(), len(names))
    with ThreadPoolExecutor(count) as pool:
        parts = pool.map(lambda at: judged(folder, *options, names=names[at::count])[1], range(count))
        return {name: each for part in parts for name, each in part.items()}


def write(folder, name, before="", first="", result=RIGHT):
    Path(folder, name + ".py").write_text(CANDIDATE.format(before=before, first=first or "pass", result=result))


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "problem.py").write_text(REFERENCE)
    for k, (before, first, result, _, _) in enumerate(WAYS.values()):
        write(folder, f"problem_{k}", before, first, result)
    found = all_judged(folder, "--time-limit", "15")
    return {name: found[f"problem_{k}"] for k, name in enumerate(WAYS)}


@pytest.mark.parametrize("name", WAYS)
def test_a_way_to_pass_without_computing_is_refused(answers, name):
    *_, verdict, reason = WAYS[name]
    told = answers[name]
    assert told["verdict"] == verdict and reason in told["reason"] + "; ".join(told["changed"])


def test_right_candidates_are_kept_and_every_entry_is_judged(tmp_path):
    (tmp_path / "problem.py").write_text(REFERENCE)
    write(tmp_path, "problem_new")
    candidate = REFERENCE.partition("def get_inputs")[0].replace("Model", "ModelNew")
    (tmp_path / "whole.py").write_text(REFERENCE + candidate)
    code, found = judged(tmp_path)
    assert code == 0 and sorted(found) == ["problem_new", "whole"]
    for each in found.values():
        assert each["verdict"] == each["reference"] == "kept" and each["judged"] == each["entries"] == 3 * 320


def test_another_machine_than_the_usual_one_may_be_demanded(tmp_path):
    long = REFERENCE.replace("torch.nn.Linear(width, 8)", "torch.nn.Identity()")
    long = long.replace("randn(40, 16)", "randn(4, 1000) / 8")
    (tmp_path / "problem.py").write_text(long)
    (tmp_path / "problem_half.py").write_text(
        "import torch\nclass ModelNew(torch.nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
        "    def forward(self, x):\n        return torch.softmax(x.half().float(), dim=1)\n"
    )
    assert judged(tmp_path)[0] == 0
    code, found = judged(tmp_path, "--contract", "any_order")
    assert code == 1 and found["problem_half"]["reference"] == "kept"


def test_a_reference_that_is_no_formula_has_no_verdict(tmp_path):
    rounded = REFERENCE.replace("torch.softmax(self.fc(x), dim=1)", "torch.round(self.fc(x))")
    (tmp_path / "problem.py").write_text(rounded)
    write(tmp_path, "problem_new")
    (tmp_path / "empty.py").write_text(REFERENCE.replace("return [torch.randn(40, 16)]", "raise OSError('no data')"))
    write(tmp_path, "empty_new")
    code, found = judged(tmp_path)
    assert "the reference gives no result: OSError: no data" in found["empty_new"]["reason"]
    assert code == 3 and "torch's round: a formula has no such function" in found["problem_new"]["reason"]


def test_an_adapter_serves_another_layout():
    adapter = ROOT / "examples" / "judge_kernels"
    assert len((adapter / "adapter.py").read_text().splitlines()) < 60
    code, found = judged(adapter / "problems", "--adapter", str(adapter / "adapter.py"))
    assert code == 1
    assert {name: each["verdict"] for name, each in found.items()} == {"scale": "kept", "scale_wrong": "broken"}


def test_a_file_that_is_no_text_is_no_candidate(tmp_path):
    (tmp_path / "problem.py").write_text(REFERENCE)
    write(tmp_path, "problem_new")
    (tmp_path / "damaged.py").write_bytes(b"\xff\xfe\x00")
    code, found = judged(tmp_path)
    assert code == 0 and list(found) == ["problem_new"]


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a device")
def test_a_device_that_is_not_there_is_not_blamed_on_the_candidate(tmp_path):
    command = [sys.executable, "-m", "assay", "judge-kernels", str(tmp_path), "--device", "cuda"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 77 and ended.stderr == "skipped: --device cuda: torch finds no such device\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["nowhere"], "there is no such folder"), (["", "--seeds", "0"], "a number from 1 is accepted"),
     ([""], "no candidate: a file with ModelNew"), (["", "--time-limit", "0"], "seconds above 0 is accepted"),
     (["", "--adapter", "no_such_module"], "--adapter no_such_module: there is no such module"),
     (["", "--adapter", "no_such.py"], "--adapter no_such.py: there is no such file"),
     (["", "--adapter", __file__], "it has no function problems, reference, candidate")],
)  # fmt: skip
def test_wrong_options_are_refused_with_exit_code_2(tmp_path, arguments, says):
    command = [sys.executable, "-m", "assay", "judge-kernels", str(tmp_path / arguments[0]), *arguments[1:]]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 2 and says in ended.stderr
