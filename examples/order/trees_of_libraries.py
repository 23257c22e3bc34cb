"""Finds the orders in which functions of libraries add, by assay.probe_order: of NumPy and torch on the host, and of
libraries on a CUDA device.

    python3 trees_of_libraries.py [REGULAR_EXPRESSION…] [--libraries cub,torch] [--terms 1000,1000000] [--json FILE]
"""

import argparse
import json
import re
import time

import numpy

import assay


def of_host():
    """Name, operation, format, function."""
    told = []
    for name in ("f64", "f32"):
        told += [("numpy.sum", "sum", name, numpy.sum, {}), ("numpy.dot", "dot", name, numpy.dot, {}),
                 ("numpy.cumsum", "cumsum", name, numpy.cumsum, {}),
                 ("numpy.einsum", "dot", name, lambda x, y: numpy.einsum("i,i", x, y), {}),
                 ("numpy.matmul of 8 rows", "matmul", name, numpy.matmul, {"rows": 8}),
                 ("numpy.add.reduce of columns", "sum", name, lambda x: numpy.tile(x, (4, 1)).T.copy().sum(0)[0], {})]
        try:
            import torch
        except ImportError:
            continue
        put = torch.from_numpy
        told += [("torch.sum", "sum", name, lambda x: put(x).sum(), {}),
                 ("torch.dot", "dot", name, lambda x, y: torch.dot(put(x), put(y)), {}),
                 ("torch.cumsum", "cumsum", name, lambda x: put(x).cumsum(0), {}),
                 ("torch.matmul of 8 rows", "matmul", name, lambda a, b: put(a) @ put(b), {"rows": 8}),
                 ("torch.layer_norm", "layer_norm", name, lambda x, weight, bias, eps: torch.nn.functional.layer_norm(
                     put(x), x.shape[-1:], put(weight), put(bias), float(eps)), {})]
    told += [("numpy.sum", "sum", "f16", numpy.sum, {}), ("sum of Python", "sum", "f64", lambda x: sum(x, 0.0), {})]
    return told


def put(x):
    """An array of NumPy as a tensor on the device."""
    import torch

    if x.dtype.name == "bfloat16":
        return torch.from_numpy(x.view("int16")).view(torch.bfloat16).cuda()
    return torch.from_numpy(x).cuda()


def of_cub():
    import functions

    told = []
    for name in ("f32", "f64"):
        told += [("cub sum", "sum", name, lambda x: functions.total("cub_sum", put(x)), {}),
                 ("cub scan", "cumsum", name, lambda x: functions.prefixes("cub_cumsum", put(x)), {}),
                 ("thrust sum", "sum", name, lambda x: functions.total("thrust_sum", put(x)), {})]
    told += [("wrong: scan in turns", "cumsum", "f32", lambda x: functions.prefixes("wrong_cumsum", put(x)), {}),
             ("wrong: product, slices in any order", "matmul", "f32",
              lambda a, b: functions.product_of_slices(put(a), put(b)), {"rows": 16})]
    return told


def of_torch():
    import torch

    told = []
    for name in ("f32", "f64"):
        told += [("torch.sum", "sum", name, lambda x: put(x).sum(), {}),
                 ("torch.dot", "dot", name, lambda x, y: torch.dot(put(x), put(y)), {}),
                 ("torch.cumsum", "cumsum", name, lambda x: put(x).cumsum(0), {}),
                 ("torch.sum of rows", "sum", name, lambda x: put(x).expand(16, -1).contiguous().sum(1)[0], {}),
                 ("torch.matmul of 16 rows", "matmul", name, lambda a, b: put(a) @ put(b), {"rows": 16}),
                 ("torch.layer_norm", "layer_norm", name, lambda x, weight, bias, eps: torch.nn.functional.layer_norm(
                     put(x), x.shape[-1:], put(weight), put(bias), float(eps)), {})]
    for name in ("f16", "bf16"):
        told += [("torch.sum", "sum", name, lambda x: put(x).sum(), {}),
                 ("torch.matmul of 16 rows", "matmul", name, lambda a, b: put(a) @ put(b), {"rows": 16})]
    told += [("torch.bmm to f32", "matmul", "bf16:f32",
              lambda a, b: torch.bmm(put(a)[None], put(b)[None], out_dtype=torch.float32)[0], {"rows": 16})]
    return told


def of_cupy():
    import cupy

    told = []
    for name in ("f32", "f64"):
        told += [("cupy.sum", "sum", name, lambda x: cupy.asarray(x).sum(), {}),
                 ("cupy.dot", "dot", name, lambda x, y: cupy.dot(cupy.asarray(x), cupy.asarray(y)), {}),
                 ("cupy.cumsum", "cumsum", name, lambda x: cupy.cumsum(cupy.asarray(x)), {})]
    return told


def of_triton():
    import triton_functions

    return [("triton sum of rows", "sum", "f32", lambda x: triton_functions.sum_of_rows(put(x)[None])[0], {}),
            ("triton product", "matmul", "f32", lambda a, b: triton_functions.product(put(a), put(b)), {"rows": 16})]


LIBRARIES = {"host": of_host, "cub": of_cub, "torch": of_torch, "cupy": of_cupy, "triton": of_triton}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="*", default=[""], help="regular expressions for names with their format")
    parser.add_argument("--libraries", default="host", help="of host and, on a device, cub, torch, cupy, triton")
    parser.add_argument("--terms", default="1000", help="numbers of terms")
    parser.add_argument("--json", help="a file for the answers, a line each")
    options = parser.parse_args()
    told = [each for library in options.libraries.split(",") for each in LIBRARIES[library]()]
    of_name = {f"{each[0]} {each[2]}": each for each in told}
    asked = dict.fromkeys(name for only in options.only for name in of_name if re.search(only, name))
    for name, operation, form, function, how in [of_name[each] for each in asked]:
        for n in map(int, options.terms.split(",")):
            n = n // 2 if operation == "matmul" else n  # most of the time goes into its other rows
            began = time.monotonic()
            try:
                order = assay.probe_order(function, operation, n, format=form, **how)
            except Exception as error:
                print(f"{name} {form} {n}: {type(error).__name__}: {str(error)[:300]}", flush=True)
                continue
            seconds = time.monotonic() - began
            print(f"{name} {form} {n}: {order.verdict}, {order.family or order.words[:150]}; {order.predicted} of "
                  f"{order.checked}, {order.arithmetic[:120]}; {order.why[:300]}; {order.questions} questions, "
                  f"{seconds:.1f} s", flush=True)
            if options.json:
                row = {key: getattr(order, key) for key in
                       ("verdict", "family", "words", "why", "terms", "height", "sampled", "questions", "arithmetic",
                        "predicted", "checked")}
                row["example"] = None if order.example is None else [order.example.got, order.example.other]
                with open(options.json, "a") as file:
                    file.write(json.dumps({"function": name, "format": form, **row, "seconds": seconds}) + "\n")


if __name__ == "__main__":
    main()
