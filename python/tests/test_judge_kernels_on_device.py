"""`python3 -m assay judge-kernels FOLDER --device cuda`: ways to pass without computing that need a device are refused,
and right candidates that use streams, memory of their own or Triton are accepted."""

import pytest

torch = pytest.importorskip("torch", reason="judge-kernels needs torch")
if not torch.cuda.is_available():
    pytest.skip("torch finds no device", allow_module_level=True)

from test_judge_kernels import REFERENCE, RIGHT, all_judged, write  # noqa: E402

SIDE = "side = torch.cuda.Stream()"
#: Work on a stream beside the current one. `wait` and `join` are lines before and after.
ASIDE = """{wait}
        with torch.cuda.stream(side):
            {pause}
            out = torch.softmax(self.fc(x), dim=1)
        {join}
        return out"""
WAIT, JOIN = "side.wait_stream(torch.cuda.current_stream())", "torch.cuda.current_stream().wait_stream(side)"
PAUSE = "torch.cuda._sleep(100_000_000)"
LATER, EARLY = "its result was not complete on the stream that called it", "it read its inputs before the stream"
BROKEN = "fast is broken"
#: Code before the class, the first line of forward, the result, the verdict, and words of its reason.
WAYS = {
    "work on another stream that nobody waits for": (
        SIDE, ASIDE.format(wait=WAIT, pause=PAUSE, join=""), RIGHT, "stopped", LATER),
    "work on another stream that waits for nothing": (
        SIDE, ASIDE.format(wait="", pause="", join=JOIN), RIGHT, "stopped", EARLY),
    "a result that another stream clears": (
        SIDE, ASIDE.format(wait=WAIT, pause="", join=JOIN + "\n        with torch.cuda.stream(side):\n"
                           "            torch.cuda._sleep(100_000_000); out.zero_()"), RIGHT, "stopped", LATER),
    "the result of the last call": (
        "last = []", "last.append(torch.softmax(self.fc(x), dim=1))\n        return last[-2] if last[1:] else last[0]",
        RIGHT, "broken", BROKEN),
    "memory that nobody wrote": ("", "", "torch.empty(40, 8, device='cuda')", "broken", BROKEN),
    "a result by address": ("known = {}", "", f"known.setdefault(x.data_ptr(), {RIGHT})", "broken", BROKEN),
    "a result by shape": ("known = {}", "", f"known.setdefault(x.shape, {RIGHT})", "broken", BROKEN),
    "inputs modified": ("", "", f"({RIGHT}) + 0 * x.zero_()[:, :8]", "stopped", "it wrote to its argument input"),
    "half of the batch": (
        "", "", f"torch.cat([({RIGHT})[:20], torch.zeros(20, 8, device='cuda')])", "broken", BROKEN),
    "TF32": ("torch.backends.cuda.matmul.allow_tf32 = True", "", RIGHT, "broken", "it changed|" + BROKEN),
    "TF32 by another name": ("torch.set_float32_matmul_precision('high')", "", RIGHT, "broken", "it changed|" + BROKEN),
    "TF32 of cuDNN": ("torch.backends.cudnn.allow_tf32 = False", "", RIGHT, "broken", "allow_tf32"),
    "autocast": ("", "torch.set_autocast_enabled(True)", f"({RIGHT}).float()", "broken", BROKEN),
    "bf16 within": ("", "x = x.bfloat16().float()", RIGHT, "broken", BROKEN),
    "torch.cuda.synchronize replaced": (
        "torch.cuda.synchronize = lambda *a: None", "", RIGHT, "broken", "it replaced torch.cuda.synchronize"),
    "a clock that stands still": (
        "torch.cuda.Event.elapsed_time = lambda *a: 0.0", "", RIGHT, "broken",
        "it replaced torch.cuda.Event.elapsed_time"),
    "events that record nothing": (
        "torch.cuda.Event.record = lambda *a: None", "", RIGHT, "broken", "it replaced torch.cuda.Event.record"),
    "the clock of Python": (
        "import time", "time.perf_counter = lambda: 0.0", RIGHT, "broken", "it replaced time.perf_counter"),
    "a result on the host that is not its own": ("", "", "torch.zeros(40, 8)", "broken", BROKEN),
    "an argument of the wrong length": ("", "x = x[:, :15]", RIGHT, "stopped", "RuntimeError"),
}  # fmt: skip
#: Right candidates: code before the class, and the body.
GOOD = {
    "streams that wait for each other": (SIDE, ASIDE.format(wait=WAIT, pause=PAUSE, join=JOIN)),
    "memory of its own": (
        "out = torch.empty(40, 8, device='cuda')", "return torch.softmax(self.fc(x), dim=1, out=out)"),
    "binary64 within": ("", "return torch.softmax(torch.nn.functional.linear(x.double(), self.fc.weight.double(), "
                        "self.fc.bias.double()), 1).float()"),
    "a graph of the device": (
        "held = {}",
        """if not held:
            held['x'] = x.clone()
            torch.softmax(self.fc(held['x']), 1)
            torch.cuda.synchronize()
            held['graph'] = torch.cuda.CUDAGraph()
            with torch.cuda.graph(held['graph']):
                held['out'] = torch.softmax(self.fc(held['x']), 1)
        held['x'].copy_(x)
        held['graph'].replay()
        return held['out']"""),
}  # fmt: skip


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "problem.py").write_text(REFERENCE)
    for name, (before, first, *rest) in {**WAYS, **GOOD}.items():
        write(folder, "problem_" + name.replace(" ", "_").replace(".", "_"), before, first, rest[0] if rest else RIGHT)
    found = all_judged(folder, "--device", "cuda", "--time-limit", "20")
    return {name: found["problem_" + name.replace(" ", "_").replace(".", "_")] for name in (*WAYS, *GOOD)}


@pytest.mark.parametrize("name", WAYS)
def test_a_way_to_pass_without_computing_is_refused(answers, name):
    *_, verdict, reason = WAYS[name]
    told = answers[name]
    text = told["reason"] + "; ".join(told["changed"])
    assert told["verdict"] == verdict and any(each in text for each in reason.split("|")), text


@pytest.mark.parametrize("name", GOOD)
def test_a_right_candidate_is_kept(answers, name):
    assert answers[name]["verdict"] == "kept", answers[name]
