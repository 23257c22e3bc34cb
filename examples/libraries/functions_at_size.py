"""Judges 50 functions of PyTorch at published sizes by their formulas: the strongest contract that each keeps, and the
weakest that it breaks.

    python3 examples/libraries/functions_at_size.py [--formats bf16 f32] [--only REGEX] [--limit SECONDS]

On a CUDA device arrays have 4096 tokens of 8192 and 28 672 numbers, and rows of 128 256 logits; without one they are
small, as a trial. Of functions of numbers 4096 entries are judged, of rows up to four rows, of products 16 rows and 16
columns. A line is a function in a format, or its error.
"""

import argparse
import re
import sys
import time
import warnings
from pathlib import Path

import numpy
import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "python"))  # where the package is not installed

import assay  # noqa: E402

F = torch.nn.functional
LIBRARY = ROOT / "properties" / "formulas" / "library"
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SMALL = DEVICE == "cpu"  # a trial without a device
KIND = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}
TOKENS, HIDDEN, FFN, VOCABULARY = (64, 96, 160, 500) if SMALL else (4096, 8192, 28672, 128256)
warnings.simplefilter("ignore")
torch.backends.cuda.matmul.allow_tf32 = False


def on_host(x):
    return x.detach().cpu().contiguous() if isinstance(x, torch.Tensor) else numpy.float32(x)


def told(name, formula, format, got, inputs):
    """The line of a result and its inputs, which are cut down already."""
    began = time.monotonic()
    of = assay.Formula((LIBRARY / f"{formula}.formula").read_text())  # names of operations are also those of formulas
    got, inputs = on_host(got), [on_host(each) for each in inputs]
    result = "f32" if got.dtype == torch.float32 and format != "f32" else None
    case = of.case(of.arguments(inputs, {}), result)
    all_ = {each: case.judge_one(got, each) for each in of.contracts(case.format)}
    kept = next((each for each, of_it in all_.items() if of_it.verdict == "kept"), None)
    broken = next((each for each, of_it in reversed(all_.items()) if of_it.verdict == "broken"), None)
    ratio = [f"{each} {all_[each].ratio:.4g}" for each in (kept, broken) if each]
    print(f"{name} {format}: keeps {kept}, breaks {broken}; error/bound {', '.join(ratio)}; {got.numel()} entries, "
          f"{time.monotonic() - began:.2f} s", flush=True)


def of_numbers(formula, f, count=1, extra=(), gradient=False, positive=False, shape=None):
    """Arrays of tokens × feed-forward."""

    def run(kind):
        x = [torch.randn(*(shape or (TOKENS, FFN)), device=DEVICE).to(kind) for _ in range(count)]
        if positive:
            x[0] = x[0].abs() + 0.125
        if gradient:
            x[0].requires_grad_()
            got = torch.autograd.grad(f(x[0]), x[0], x[1])[0]
        else:
            got = f(*x)
        places = torch.randint(got.numel(), (4096,), device=DEVICE)
        return got.reshape(-1)[places], [*(each.detach().reshape(-1)[places] for each in x), *extra]

    return formula, run


def of_rows(formula, f, columns=None, extra=(), scale=1.0, count=1, rows=4):
    def run(kind):
        x = [(scale * torch.randn(TOKENS // 2, columns or HIDDEN, device=DEVICE)).to(kind) for _ in range(count)]
        got = f(*x)
        got = got if isinstance(got, torch.Tensor) else got[0]
        return got[:rows], [*(each[:rows] for each in x), *extra]

    return formula, run


EPS = float(numpy.float32(1e-5))


def norm(formula, f, weights):
    def run(kind):
        x = torch.randn(TOKENS, HIDDEN, device=DEVICE).to(kind)
        of = [(1 + 0.1 * torch.randn(HIDDEN, device=DEVICE)).to(kind) for _ in range(weights)]
        return f(x, *of)[:4], [x[:4], *of, EPS]

    return formula, run


def norm_gradient(kind):
    x = torch.randn(TOKENS, HIDDEN, device=DEVICE).to(kind).requires_grad_()
    gamma, dy = (torch.randn(*shape, device=DEVICE).to(kind) for shape in ((HIDDEN,), (TOKENS, HIDDEN)))
    dx = torch.autograd.grad(F.layer_norm(x, (HIDDEN,), gamma, None, EPS), x, dy)[0]
    return dx[:4], [dy[:4], x.detach()[:4], gamma, EPS]


def entropy(kind):
    x = (4 * torch.randn(TOKENS // 2, VOCABULARY, device=DEVICE)).to(kind)
    label = torch.randint(VOCABULARY, (TOKENS // 2,), device=DEVICE)
    return F.cross_entropy(x, label, reduction="none")[:4], [x[:4], label[:4]]


def entropy_gradient(kind):
    x = (4 * torch.randn(TOKENS // 2, VOCABULARY, device=DEVICE)).to(kind).requires_grad_()
    label = torch.randint(VOCABULARY, (TOKENS // 2,), device=DEVICE)
    dl = torch.randn(TOKENS // 2, device=DEVICE).to(kind)
    dx = torch.autograd.grad(F.cross_entropy(x, label, reduction="none"), x, dl)[0]
    return dx[:2], [x.detach()[:2], F.one_hot(label[:2], VOCABULARY).to(kind), dl[:2]]


def products(formula, f, bias):
    def run(kind):
        x, w = (torch.randn(*shape, device=DEVICE).to(kind) for shape in ((TOKENS, HIDDEN), (HIDDEN, HIDDEN)))
        b = torch.randn(HIDDEN, device=DEVICE).to(kind)
        of = [x[:16], w[:16]] + ([b[:16]] if bias else [])
        got = f(x, w, b)[:16, :16]
        return got, of if bias else [x[:16], w[:16].T.contiguous()]

    return formula, run


def embedding(kind):
    table = torch.randn(VOCABULARY, HIDDEN, device=DEVICE).to(kind)
    token = torch.randint(VOCABULARY, (TOKENS,), device=DEVICE)
    rows, places = token[:4].unique(return_inverse=True)
    return F.embedding(token, table)[:4], [table[rows], places]


FUNCTIONS = {
    "silu": of_numbers("silu", F.silu), "gelu": of_numbers("gelu_erf", F.gelu),
    "gelu tanh": of_numbers("gelu", lambda x: F.gelu(x, approximate="tanh")),
    "sigmoid": of_numbers("sigmoid", torch.sigmoid), "logsigmoid": of_numbers("log_sigmoid", F.logsigmoid),
    "softplus": of_numbers("softplus", F.softplus), "tanh": of_numbers("tanh_of", torch.tanh),
    "tanhshrink": of_numbers("tanhshrink", F.tanhshrink), "mish": of_numbers("mish", F.mish),
    "elu": of_numbers("elu", F.elu, extra=(1.0,)), "hardswish": of_numbers("hardswish", F.hardswish),
    "hardsigmoid": of_numbers("hardsigmoid", F.hardsigmoid), "relu6": of_numbers("relu6", F.relu6),
    "silu backward": of_numbers("silu_backward", F.silu, 2, gradient=True),
    "gelu backward": of_numbers("gelu_erf_backward", F.gelu, 2, gradient=True),
    "softplus backward": of_numbers("softplus_backward", F.softplus, 2, gradient=True),
    "tanh backward": of_numbers("tanh_backward", torch.tanh, 2, gradient=True),
    "swiglu": of_numbers("swiglu", lambda g, x: F.silu(g) * x, 2),
    "geglu": of_numbers("geglu", lambda g, x: F.gelu(g) * x, 2),
    "logaddexp": of_numbers("logaddexp", torch.logaddexp, 2), "atan2": of_numbers("atan2_of", torch.atan2, 2),
    "hypot": of_numbers("hypot_of", torch.hypot, 2), "pow": of_numbers("pow_of", torch.pow, 2, positive=True),
    "fmod": of_numbers("fmod_of", torch.fmod, 2),
    "huber_loss": of_numbers("huber", lambda x, t: F.huber_loss(x, t, reduction="none"), 2, extra=(1.0,)),
    "softmax": of_rows("softmax", lambda x: torch.softmax(x, 1), VOCABULARY, scale=4, rows=1),
    "log_softmax": of_rows("log_softmax", lambda x: torch.log_softmax(x, 1), VOCABULARY, scale=4, rows=1),
    "softmax backward": of_rows("softmax_backward", lambda x, dy: torch._softmax_backward_data(
        dy, torch.softmax(x, 1), 1, x.dtype), count=2, rows=2),
    "logsumexp": of_rows("logsumexp", lambda x: torch.logsumexp(x, 1), VOCABULARY, scale=4),
    "mean": of_rows("mean", lambda x: x.mean(1)), "var": of_rows("variance_unbiased", lambda x: x.var(1)),
    "std": of_rows("std_unbiased", lambda x: x.std(1)), "norm 1": of_rows("norm_1", lambda x: x.norm(1, 1)),
    "norm 2": of_rows("norm_2", lambda x: x.norm(2, 1)), "amax": of_rows("max_of", lambda x: x.amax(1)),
    "argmax": of_rows("argmax_of", lambda x: x.argmax(1).to(x.dtype)),
    "sort": of_rows("sort_rows", lambda x: x.sort(1), rows=1),
    "topk": of_rows("top_k", lambda x: x.topk(8, 1), extra=(torch.zeros(8),), rows=2),
    "normalize": of_rows("normalize", lambda x: F.normalize(x, dim=1, eps=float(numpy.float32(1e-3))),
                         extra=(float(numpy.float32(1e-3)),), rows=2),
    "cosine_similarity": of_rows("cosine_similarity", lambda x, y: F.cosine_similarity(
        x, y, dim=1, eps=float(numpy.float32(1e-3))), count=2, extra=(float(numpy.float32(1e-3)),)),
    "mse": of_rows("mse", lambda x, t: F.mse_loss(x, t, reduction="none").mean(1), count=2),
    "layer_norm": norm("layer_norm", lambda x, w, b: F.layer_norm(x, (HIDDEN,), w, b, EPS), 2),
    "rms_norm": norm("rms_norm", lambda x, w: F.rms_norm(x, (HIDDEN,), w, EPS), 1),
    "layer_norm backward": ("layer_norm_backward_x", norm_gradient),
    "cross_entropy": ("cross_entropy", entropy), "cross_entropy backward": ("cross_entropy_backward", entropy_gradient),
    "matmul": products("matmul", lambda x, w, b: x @ w.T, False), "linear": products("linear", F.linear, True),
    "linear gelu": products("linear_gelu", lambda x, w, b: F.gelu(F.linear(x, w, b)), True),
    "embedding": ("embedding", embedding),
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--formats", nargs="+", choices=KIND, default=["bf16"], help="bf16 by default")
    parser.add_argument("--only", default="", help="a regular expression that names match")
    parser.add_argument("--limit", type=float, default=600, help="seconds after which nothing more is asked (600)")
    options = parser.parse_args()
    start = time.monotonic()
    print(f"{len(FUNCTIONS)} functions, torch {torch.__version__}, {DEVICE}", flush=True)
    for format in options.formats:
        for name, (formula, run) in FUNCTIONS.items():
            if not re.search(options.only, name):
                continue
            if time.monotonic() - start > options.limit:
                print(f"{name} {format}: not asked, out of time")
                continue
            try:
                torch.manual_seed(1)
                got, inputs = run(KIND[format])
                inputs = [each.to(KIND[format]) if isinstance(each, torch.Tensor) and each.is_floating_point() else each
                          for each in inputs]
                told(name, formula, format, got, inputs)
            except Exception as error:  # a report, not a test
                print(f"{name} {format}: {type(error).__name__}: {str(error).splitlines()[0][:150]}", flush=True)
            if DEVICE == "cuda":
                torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
