"""Asks functions of libraries on a CUDA device for the contracts of order, by assay.check_bits.

    python3 bits_of_libraries.py [REGULAR_EXPRESSION…] [--rounds N] [--json FILE]

Prints the answer about each function whose name matches, those of the first expression first.
"""

import argparse
import dataclasses
import json
import re
import time

import functions
import torch

import assay


def numbers(*shape, kind=torch.float32):
    return torch.randn(shape, device="cuda", dtype=torch.float32).to(kind)


def places(count, targets):
    return torch.randint(0, targets, (count,), device="cuda")


def behind(y, x):
    """The second chunk begins with the sum of the first."""
    return (torch.cat([y.reshape(1), x]),)


def prefix_behind(y, x):
    return behind(y[-1], x)


def joined(first, second):
    return torch.cat([first, second[1:]])


SUM = {"terms": 0, "carry": behind}
SCAN = {"terms": 0, "carry": prefix_behind, "join": joined}
ROWS = {"terms": 1, "rows": 0}
PRODUCT = {"terms": (1, 0), "rows": (0, None)}
INTO = {"terms": (None, 0, 0), "carry": lambda y, _, index, x: (y, index, x)}


def of_torch():
    """Name, a function without arguments that gives the arguments of check_bits."""
    told = {}
    for name, kind in (("f32", torch.float32), ("f64", torch.float64), ("bf16", torch.bfloat16)):
        told[f"torch.scatter_add {name}"] = lambda kind=kind: (
            lambda y, index, x: y.scatter_add(0, index, x),
            [torch.zeros(16, device="cuda", dtype=kind), places(20000, 16), numbers(20000, kind=kind)], INTO)
        told[f"torch.index_add {name}"] = lambda kind=kind: (
            lambda y, index, x: y.index_add(0, index, x),
            [torch.zeros((16, 8), device="cuda", dtype=kind), places(20000, 16), numbers(20000, 8, kind=kind)], INTO)
        for count in (20000, 1000):
            told[f"torch embedding backward of {count} {name}"] = lambda kind=kind, count=count: (
                functions.embedding_gradient, [places(count, 16), numbers(count, 8, kind=kind)], {"terms": 0})
        told[f"torch.cumsum {name}"] = lambda kind=kind: (lambda x: x.cumsum(0), [numbers(200000, kind=kind)], SCAN)
        told[f"torch.sum {name}"] = lambda kind=kind: (torch.sum, [numbers(200000, kind=kind)], SUM)
        told[f"torch.matmul {name}"] = lambda kind=kind: (
            torch.matmul, [numbers(64, 4096, kind=kind), numbers(4096, 64, kind=kind)], PRODUCT)
        told[f"torch.sum(1) {name}"] = lambda kind=kind: (lambda x: x.sum(1), [numbers(40, 8192, kind=kind)], ROWS)
        told[f"torch.softmax {name}"] = lambda kind=kind: (
            lambda x: torch.softmax(x, 1), [numbers(40, 8192, kind=kind)], ROWS)
        told[f"torch.layer_norm {name}"] = lambda kind=kind: (
            lambda x: torch.nn.functional.layer_norm(x, x.shape[1:]), [numbers(40, 8192, kind=kind)], ROWS)
        told[f"torch.cumsum(1) {name}"] = lambda kind=kind: (
            lambda x: x.cumsum(1), [numbers(40, 8192, kind=kind)], ROWS)
        told[f"torch.addmm {name}"] = lambda kind=kind: (
            torch.addmm, [numbers(64, 64, kind=kind), numbers(64, 4096, kind=kind), numbers(4096, 64, kind=kind)],
            {"terms": (None, 1, 0), "rows": (0, 0, None), "carry": lambda y, _, a, b: (y, a, b)})
    return told


def of_cub():
    told = {}
    for name, kind in (("f32", torch.float32), ("f64", torch.float64)):
        for of in ("cub", "thrust"):
            told[f"{of} scan {name}"] = lambda kind=kind, of=of: (
                lambda x: functions.prefixes(f"{of}_cumsum", x), [numbers(200000, kind=kind)], SCAN)
            told[f"{of} sum {name}"] = lambda kind=kind, of=of: (
                lambda x: functions.total(f"{of}_sum", x), [numbers(200000, kind=kind)], SUM)
    told["wrong: scan in turns f32"] = lambda: (
        lambda x: functions.prefixes("wrong_cumsum", x), [numbers(200000)], SCAN)
    told["wrong: product, slices in any order f32"] = lambda: (
        functions.product_of_slices, [numbers(64, 4096), numbers(4096, 64)], PRODUCT)
    return told


def of_cupy():
    import cupy

    told = {}
    for name, kind in (("f32", torch.float32), ("f64", torch.float64)):
        array = lambda *shape, kind=kind: cupy.asarray(numbers(*shape, kind=kind))
        told[f"cupy.sum {name}"] = lambda array=array: (
            cupy.sum, [array(200000)], {"terms": 0, "carry": lambda y, x: (cupy.concatenate([y.reshape(1), x]),)})
        told[f"cupy.cumsum {name}"] = lambda array=array: (
            cupy.cumsum, [array(200000)],
            {"terms": 0, "carry": lambda y, x: (cupy.concatenate([y[-1:], x]),),
             "join": lambda first, second: cupy.concatenate([first, second[1:]])})
        told[f"cupy.sum(1) {name}"] = lambda array=array: (lambda x: x.sum(1), [array(40, 8192)], ROWS)
        told[f"cupy.matmul {name}"] = lambda array=array: (
            cupy.matmul, [array(64, 4096), array(4096, 64)], PRODUCT)
    return told


def of_triton():
    import triton_functions

    return {
        "triton sum of rows f32": lambda: (triton_functions.sum_of_rows, [numbers(40, 8192)], ROWS),
        "triton product f32": lambda: (
            triton_functions.product, [numbers(64, 4096), numbers(4096, 64)], PRODUCT),
        "wrong: triton product, slices in any order f32": lambda: (
            triton_functions.split_k, [numbers(64, 4096), numbers(4096, 64)], PRODUCT),
    }


LIBRARIES = {"cub": of_cub, "torch": of_torch, "cupy": of_cupy, "triton": of_triton}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="*", default=[""], help="regular expressions for names")
    parser.add_argument("--libraries", default=",".join(LIBRARIES), help="of these: " + ", ".join(LIBRARIES))
    parser.add_argument("--contract", action="append", default=[], help="only these")
    parser.add_argument("--tries", type=int, default=3, help="of check_bits")
    parser.add_argument("--rounds", type=int, default=9, help="of check_bits")
    parser.add_argument("--json", help="a file for the answers, a line each")
    options = parser.parse_args()
    torch.manual_seed(1)
    all_of_them = {}
    for each in options.libraries.split(","):
        all_of_them |= LIBRARIES[each]()
    asked = dict.fromkeys(name for only in options.only for name in all_of_them if re.search(only, name))
    for name, subject in [(name, all_of_them[name]) for name in asked]:
        began = time.monotonic()
        try:
            function, arguments, how = subject()
            asked_of_all = {"contract": options.contract, "rounds": options.rounds, "tries": options.tries}
            bits = assay.check_bits(function, *arguments, **asked_of_all, **how)
        except assay.Broken as error:
            bits = error.verdict
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}", flush=True)
            continue
        seconds = time.monotonic() - began
        print(f"== {name}, {seconds:.1f} s\n{bits}", flush=True)
        if options.json:
            answer = {key: dataclasses.asdict(each) for key, each in bits.contracts.items()}
            with open(options.json, "a") as file:
                file.write(json.dumps({"function": name, "seconds": seconds, "contracts": answer}) + "\n")


if __name__ == "__main__":
    main()
