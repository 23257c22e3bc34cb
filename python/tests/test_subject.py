"""python3 -m assay.subject: a function of a module as a program of docs/pipe.md."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

numpy = pytest.importorskip("numpy")

from assay import subject  # noqa: E402

HERE = Path(__file__).parent
INTEGERS = ("trans_a", "trans_b", "m", "n", "k", "lda", "ldb", "ldc", "batch", "stride_a", "stride_b", "stride_c")


def answered(function, operation, header, raw, format="f64", kind="f8", options=()):
    """The greeting and the numbers that the program answers to one frame."""
    text = json.dumps({**header, "cases": 1, "bytes": len(raw)}).encode()
    asked = json.dumps({"protocol": 1, "operation": operation, "format": format}).encode() + b"\n"
    asked += struct.pack("<I", len(text)) + text + raw
    paths = os.pathsep.join([str(HERE), str(HERE.parent)])
    command = [sys.executable, "-m", "assay.subject", "kernels:" + function, *options]
    environment = {**os.environ, "PYTHONPATH": paths}
    ended = subprocess.run(command, input=asked, capture_output=True, env=environment, check=True)
    greeting, _, frame = ended.stdout.partition(b"\n")
    length = struct.unpack("<I", frame[:4])[0]
    assert "error" not in json.loads(frame[4 : 4 + length]), frame
    return json.loads(greeting), numpy.frombuffer(frame[4 + length :], dtype=kind)


def product(operation, integers, alpha, a, b, beta, c):
    """The frame of one case of a product."""
    lists = {"a": a, "b": b, "c": c}
    header = {
        "fields": [*INTEGERS, "alpha", "a", "b", "beta", "c"],
        "integers": list(INTEGERS),
        "lengths": {name: [len(each)] for name, each in lists.items()},
    }
    raw = b"".join(struct.pack("<q", integers[name]) for name in INTEGERS)
    raw += struct.pack("<d", alpha) + struct.pack(f"<{len(a)}d", *a) + struct.pack(f"<{len(b)}d", *b)
    return operation, header, raw + struct.pack("<d", beta) + struct.pack(f"<{len(c)}d", *c)


SHAPE = dict.fromkeys(INTEGERS, 0) | {"m": 2, "n": 2, "k": 1, "lda": 1, "ldb": 1, "ldc": 3, "batch": 1, "trans_a": 1}


def test_serves_a_reduction():
    header = {"fields": ["x", "y"], "integers": [], "lengths": {"x": [2], "y": [2]}}
    greeting, numbers = answered("dot", "dot", header, struct.pack("<4d", 1, 2, 3, 4))
    assert greeting == {"protocol": 1} and list(numbers) == [11.0]


def test_serves_a_quantizer():
    header = {"fields": ["rows", "columns", "x"], "integers": ["rows", "columns"], "lengths": {"x": [4]}}
    raw = struct.pack("<2q4f", 2, 2, 1, -127, 0, 127)
    _, results = answered("by_rows", "quantize", header, raw, "f32:int8_row", "u1")
    assert results.tobytes() == struct.pack("<4b2f", 1, -127, 0, 127, 1, 1)


def test_serves_a_function_of_a_matrix():
    header = {"fields": ["rows", "columns", "x"], "integers": ["rows", "columns"], "lengths": {"x": [4]}}
    raw = struct.pack("<2q4d", 2, 2, 1, 2, 3, 4)
    assert list(answered("doubled_matrix", "softmax", header, raw)[1]) == [2.0, 4.0, 6.0, 8.0]


def test_serves_lists_of_integers():
    header = {
        "fields": ["row_offsets", "column_indices", "values"],
        "integers": ["row_offsets", "column_indices"],
        "lengths": {"row_offsets": [2], "column_indices": [1], "values": [1]},
    }
    raw = struct.pack("<3q", 0, 1, 2) + struct.pack("<d", 8.0)
    assert list(answered("kinds", "spmv", header, raw)[1]) == [1.0, 1.0, 0.0]


def test_rounds_floats_beyond_the_largest_number_to_an_infinity():
    header = {"fields": ["x"], "integers": [], "lengths": {"x": [2]}}
    raw = struct.pack("<2e", -65504, -16)
    assert list(answered("far_sum", "sum", header, raw, "f16", "f2")[1]) == [-numpy.inf]


def test_serves_patterns_of_bfloat16_and_takes_arrays_of_ml_dtypes():
    pytest.importorskip("ml_dtypes")
    header = {"fields": ["x"], "integers": [], "lengths": {"x": [2]}}
    raw = struct.pack("<2H", 0x3F80, 0x4000)
    assert list(answered("sum_of_bfloat16", "sum", header, raw, "bf16", "u2")[1]) == [0x4040]


def test_gives_one_number_of_bfloat16_as_a_float():
    header = {"fields": ["eps", "x"], "integers": [], "lengths": {"x": [1]}}
    ((eps, x),) = subject._cases({**header, "cases": 1}, struct.pack("<2H", 0x3F80, 0x3F80), "bf16")
    assert eps == 1.0 and list(x) == [0x3F80]


def test_serves_gemm_by_matrices_and_leaves_gaps():
    asked = product("gemm", SHAPE, 2.0, [1.0, 10.0], [3.0, 4.0], 1.0, [1.0, 1.0, 99.0, 1.0, 1.0])
    assert list(answered("gemm", *asked)[1]) == [7.0, 61.0, 99.0, 9.0, 81.0]


def test_reads_numbers_of_several_formats():
    header = {
        "cases": 1,
        "fields": ["k", "alpha", "a", "c"],
        "integers": ["k"],
        "lengths": {"a": [2], "c": [1]},
        "formats": {"alpha": "f32", "a": "f16", "c": "f32"},
    }
    raw = struct.pack("<qf2ef", 2, 0.5, 1.0, 2.0, 4.0)
    ((k, alpha, a, c),) = subject._cases(header, raw, "f16")
    assert (k, alpha, list(a), list(c)) == (2, 0.5, [1.0, 2.0], [4.0])


def test_serves_gemv_by_a_vector():
    shape = SHAPE | {"n": 1, "k": 2, "lda": 2, "ldb": 2}
    asked = product("gemv", shape, 1.0, [1.0, 2.0, 3.0, 4.0], [1.0, 10.0], 1.0, [100.0, 100.0])
    assert list(answered("gemm", *asked)[1]) == [121.0, 143.0]


def test_serves_a_formula_with_its_parameters_in_their_shapes():
    fields = ["b", "ci", "h", "w", "co", "r", "s", "x", "k"]
    header = {"fields": fields, "integers": fields[:7], "lengths": {"x": [6], "k": [2]}}
    raw = struct.pack("<7q8d", 1, 1, 3, 2, 1, 2, 1, *range(1, 9))
    _, numbers = answered("vertical", "conv2d", header, raw, options=("--formula", "conv2d"))
    assert list(numbers) == [1 * 7 + 3 * 8, 2 * 7 + 4 * 8, 3 * 7 + 5 * 8, 4 * 7 + 6 * 8]


def test_names_the_options_that_are_accepted():
    command = [sys.executable, "-m", "assay.subject", "kernels:dot", "--formula"]
    ended = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(HERE.parent)})
    assert ended.returncode == 1 and ended.stderr == "assay.subject: MODULE:FUNCTION [--formula FILE] is accepted\n"
