"""Judges functions of libraries on a CUDA device at sizes that are published for them, on normally distributed numbers.

    python3 examples/libraries/sizes.py

Attention is computed for 4 × 16 heads with 4096 queries and keys of 128 numbers. The judge computes one entry of all
its rows in hours, so that it judges drawn rows: one of each fourth head, whole, as softmax(scale·qKᵀ)V of the keys that
the row sees. Of the other functions some rows are judged, whole. A line has the strongest contract that all judged rows
keep, the largest error/bound of it, and how many entries were judged.
"""

import concurrent.futures
import multiprocessing
import sys
import time
import warnings

import numpy
import rows as atlas

sys.path.append(str(atlas.HERE.parent.parent / "python"))  # where the package is not installed

HEADS, LENGTH, WIDTH = (4, 16), 4096, 128
# Formulas whose names are also those of operations.
FORMULAS = {
    "layer_norm": """rows(x[r,n], gamma[n], beta[n], eps) -> y[r,n]
  y = (x - mean(x, axis=n)) * rsqrt(variance(x, axis=n) + eps) * gamma + beta
""",
    "rms_norm": """rows(x[r,n], gamma[n], eps) -> y[r,n]
  y = x * rsqrt(mean(x^2, axis=n) + eps) * gamma
""",
    "softmax": """rows(x[r,n]) -> y[r,n]
  y = softmax(x, axis=n)
""",
}


def on_host(x):
    """A tensor as an array: of bfloat16 as the patterns."""
    import torch

    x = x.detach().cpu().contiguous()
    return x.view(torch.int16).numpy().view("u2") if x.dtype == torch.bfloat16 else x.numpy()


def numbers(x):
    """An array as assay takes it. Patterns are those of bfloat16."""
    if x.dtype.name != "uint16":
        return x
    import ml_dtypes

    return x.view(ml_dtypes.bfloat16)


def judged(formula, format, got, inputs):
    """The contracts that a result keeps and breaks, from strong to weak, with error/bound, the number of entries and
    the seconds."""
    import assay

    began = time.monotonic()
    of = assay.Formula(FORMULAS.get(formula, formula))
    got = numbers(got)
    case = of.case(of.arguments([numbers(x) if isinstance(x, numpy.ndarray) else x for x in inputs], {}), format)
    told = {name: (each.verdict, each.ratio) for name, each in case.judge(got).items()}
    return told, got.size, time.monotonic() - began


def attention_jobs(name, function, format, q, k, v):
    """One drawn row of each fourth head of causal attention, or what the library answered instead."""
    scale = float(numpy.float32(WIDTH**-0.5))
    o = function(q, k, v, scale)
    draw = numpy.random.default_rng(1)
    for head in range(0, HEADS[0] * HEADS[1], 4):
        place = divmod(head, HEADS[1])
        row = int(draw.integers(LENGTH // 2, LENGTH))
        of_head = [on_host(x[place]) for x in (q[:, :, row : row + 1], k[:, :, : row + 1], v[:, :, : row + 1])]
        yield name, "attention_full", format, on_host(o[place][row : row + 1]), [*of_head, numpy.float32(scale)]


def jobs():
    """What is judged: a name, a formula, a format, a result, and inputs."""
    import torch
    import torch_attention
    from torch.nn import functional

    for format in ("bf16", "f16", "f32"):
        kind = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}[format]
        torch.manual_seed(1)
        q, k, v = (torch.randn(*HEADS, LENGTH, WIDTH, device="cuda", dtype=kind) for _ in range(3))
        for name, backend in torch_attention.BACKENDS.items():
            def sdpa(q, k, v, scale, backend=backend):
                with torch_attention.sdpa_kernel(backend):
                    return functional.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale)
            try:
                yield from attention_jobs(f"scaled_dot_product_attention {name}", sdpa, format, q, k, v)
            except RuntimeError as error:
                print(f"attention 4×16×4096×128 {format} {name}: refused: {str(error).splitlines()[0][:90]}")
        del q, k, v
        x, gamma, beta = (torch.randn(*shape, device="cuda", dtype=kind) for shape in ((4096, 8192), (8192,), (8192,)))
        y = functional.layer_norm(x, (8192,), gamma, beta, 1e-5)
        weights, eps = [on_host(gamma), on_host(beta)], numpy.float32(1e-5)
        yield "layer_norm", "layer_norm", format, on_host(y[:2]), [on_host(x[:2]), *weights, eps]
        y = functional.rms_norm(x, (8192,), gamma, 1e-5)
        yield "rms_norm", "rms_norm", format, on_host(y[:2]), [on_host(x[:2]), weights[0], eps]
        x = 4 * torch.randn(2048, 32000, device="cuda", dtype=kind)
        label = torch.randint(32000, (2048,), device="cuda")
        of_rows = [on_host(x[:2]), label[:2].cpu().numpy()]
        yield "softmax", "softmax", format, on_host(torch.softmax(x, 1)[:1]), [on_host(x[:1])]
        yield "logsumexp", "logsumexp", format, on_host(torch.logsumexp(x, 1)[:2]), of_rows[:1]
        y = functional.cross_entropy(x, label, reduction="none")
        yield "cross_entropy", "cross_entropy", format, on_host(y[:2]), of_rows


def main():
    warnings.simplefilter("ignore")  # PyTorch says why it refuses a backend
    told = {}
    with concurrent.futures.ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = {pool.submit(judged, *job[1:]): (job[0], job[2]) for job in jobs()}
        for future in concurrent.futures.as_completed(waiting):
            try:
                answer = future.result()
                told.setdefault(waiting[future], []).append(answer)
            except Exception as error:
                print(*waiting[future], f"{type(error).__name__}: {error}"[:200])
    for (name, format), answers in sorted(told.items()):
        order = list(answers[0][0])
        kept = [each for each in order if all(told[each][0] == "kept" for told, *_ in answers)]
        broken = [each for each in order if any(told[each][0] == "broken" for told, *_ in answers)]
        ratios = {each: max(told[each][1] for told, *_ in answers) for each in (kept[:1] + broken[-1:])}
        entries, seconds = (sum(each[place] for each in answers) for place in (1, 2))
        print(f"{name} {format}: keeps {kept[:1]}, breaks {broken[-1:]}, {ratios}, {entries} entries in {seconds:.1f} s")


if __name__ == "__main__":
    main()
