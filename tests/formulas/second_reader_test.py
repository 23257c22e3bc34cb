#!/usr/bin/env python3
"""The second reader recomputes the derivations of every shipped formula, and finds a number that was changed.

    second_reader_test.py PATH-OF-ASSAY FOLDER-OF-FORMULAS

With ASSAY_TIER=nightly it reads each formula in every format, and changes numbers of every formula. Otherwise it reads
each formula in one format, in which the formulas take turns, and changes numbers of every eighth formula.

Machines that flush to zero are read for normal numbers, and, where what they lose is no small part of the error, with a
machine that computes in f16 on numbers beside its smallest normal number.
"""

import copy
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from decimal import Decimal as D

import forward_reader
import second_reader

ASSAY, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
FORMULAS = sorted(path.stem for path in FOLDER.glob("*.formula"))
FORMATS = ("f64", "f32", "f16", "bf16")
NIGHTLY = os.environ.get("ASSAY_TIER") == "nightly"
#: Lengths of axes that are not 3.
SHAPES = {
    "conv2d": {"h": 4, "w": 5, "r": 2, "b": 1, "ci": 2, "co": 2},
    **dict.fromkeys(("attention", "attention_softcap", "attention_backward_v"), {"m": 4}),
    **dict.fromkeys(("rope", "rope_halves", "rope_angles", "rope_backward"), {"h": 2, "t": 2}),
    **dict.fromkeys(("attention_alibi", "attention_grouped"), {"h": 2, "g": 2, "r": 2, "n": 2, "d": 2, "e": 1}),
    **dict.fromkeys(("attention_backward_q", "attention_backward_k"), {"n": 2, "d": 2, "e": 2}),
    **dict.fromkeys(("group_norm_backward_x", "group_norm_backward_gamma"), {"b": 2, "g": 2, "c": 2, "s": 2}),
    "attention_paged": {"b": 2, "h": 2, "d": 2, "c": 2, "u": 2, "e": 1, "t": 2},
    "attention_packed": {"b": 2, "m": 5, "n": 2},
    "attention_ragged": {"b": 2, "n": 2, "d": 2, "e": 1},
    "conv2d_tiles": {"t": 1, "ci": 2, "co": 1},
    "sparse_24_product": {"m": 2, "n": 2, "g": 2},
    "moe_experts": {"t": 2, "k": 2, "e": 2, "d": 2},
    **dict.fromkeys(
        ("block_scaled_matmul", "tile_scaled_matmul", "two_level_matmul", "w4a16", "w4a16_book", "q4_k_matmul"),
        {"m": 1, "t": 2, "n": 2, "g": 2, "s": 2, "j": 2, "k": 2},
    ),
    "w8a8": {"m": 2, "n": 2, "k": 2},
    "q4_k": {"s": 2, "j": 2, "k": 2},
}
STRICT, FAST = "functions 1 ulp", "functions 1 ulp ; reciprocal ; exp2 ; online ; one_pass"
#: For each term of a flush a result, the range of x, z and c, the settings of the machine in f16, and the length of x.
TERMS = {
    "input": ("sum(-x)", "0.00001 0.00003", STRICT, 3),
    "result": ("sum(x * x)", "0.001 0.002", STRICT, 3),
    "sum": ("sum(x)", "0.001 0.002", STRICT, 3),
    "products": ("sum(x * z)", "0.001 0.002", STRICT, 3),
    "weighted products": ("sum(softmax(x, axis=n) * z)", "0.001 0.002", STRICT, 3),
    "unit": ("sum(x * z)", "0.00007 0.0001", "unit", 1),
    "factor": ("c * sum(x)", "0.01 0.02", STRICT, 3),
    "quotient": ("sum(x / (z + 3))", "0.1 0.2", FAST, 3),
    "powers": ("sum(x^4)", "0.1 0.2", STRICT, 3),
    "sigmoid": ("sum(sigmoid(x))", "0.1 0.2", STRICT, 3),
    "exponent": ("sum(exp(x))", "0.001 0.002", FAST, 3),
    "pow": ("sum(pow(x, z))", "1 1.001", FAST, 3),
    "logits": ("sum(softmax(x, axis=n))", "0.01 0.02", STRICT, 3),
    "lost weights": ("sum(softmax(x, axis=n))", "0 1000", STRICT, 3),
    "weights": ("sum(softmax(x, axis=n))", "0 1000", FAST, 3),
    "logsumexp": ("logsumexp(x, axis=n)", "0.01 0.02", STRICT, 3),
    "mean": ("variance(x, axis=n)", "1 2", FAST, 3),
    "variance": ("variance(x, axis=n)", "0.01 0.02", STRICT, 3),
    "one pass": ("variance(x, axis=n)", "0.01 0.02", FAST, 3),
}


def of_term(result, numbers, settings, length):
    ranges = "".join(f"  range {each} {numbers}\n" for each in "xzc")
    return in_f16(f"f(x[n], z[n], c) -> y\n{ranges}  y = {result}\n", settings, f"n={length}")


def beside_normal_numbers(formula):
    """The derivation for small numbers, where the formula has no range, on one of two machines, in turn."""
    text = (FOLDER / f"{formula}.formula").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^ +class .*\n", "", text).rstrip("\n").split("\nmachine")[0] + "\n"
    shape, graph = shape_of(formula)
    for parameter in graph["parameters"]:
        name = parameter["name"]
        if parameter["index"] == "" and not re.search(rf"(?m)^ +range {name} ", text):
            text += f"  range {name} 0.0005 0.005\n"
    return in_f16(text, FAST if FORMULAS.index(formula) % 2 else STRICT, shape)


def in_f16(text, settings, shape):
    with tempfile.NamedTemporaryFile("w", suffix=".formula", encoding="utf-8") as file:
        file.write(f"{text}machine coarse\n  wide f16 ; sum any ; {settings} ; ftz\n")
        file.flush()
        return json.loads(run(file.name, "--json", "--derivation", "--shape", shape, "--format", "f16", "--machine",
                              "ftz"))


def shape_of(formula):
    graph = json.loads(run(formula, "--json"))["graph"]
    lengths = {axis["name"]: 3 for axis in graph["axes"] if axis["length"] is None}
    lengths.update({axis: n for axis, n in SHAPES.get(formula, {}).items() if axis in lengths})
    return ",".join(f"{axis}={n}" for axis, n in lengths.items()), graph


def derivation(formula, *options):
    shape, _ = shape_of(formula)
    return json.loads(run(formula, "--json", "--derivation", "--shape", shape, *options))


def run(*options):
    return subprocess.run([ASSAY, "tolerance", *options], capture_output=True, text=True, check=True).stdout


class SecondReader(unittest.TestCase):
    maxDiff = None

    def test_finds_every_number_of_every_shipped_formula_as_stated(self):
        self.assertGreater(len(FORMULAS), 50)
        for turn, formula in enumerate(FORMULAS):
            for format_name in FORMATS if NIGHTLY else FORMATS[turn % 4 :][:1]:
                with self.subTest(formula=formula, format=format_name):
                    self.assertEqual(second_reader.faults(derivation(formula, "--format", format_name)), [])

    def test_finds_every_number_of_attention_with_weights_in_8_bits(self):
        text = (FOLDER / "attention.formula").read_text(encoding="utf-8")
        for format_name in ("e4m3fn", "e5m2", "e2m1"):
            with tempfile.NamedTemporaryFile("w", suffix=".formula", encoding="utf-8") as file:
                file.write(f"{text}machine small\n  {FAST} ; store p {format_name}\n")
                file.flush()
                options = ["--json", "--derivation", "--shape", "n=2,m=3,d=2,e=2", "--format", "f16", "--machine", "small"]
                found = json.loads(run(file.name, *options))
                self.assertEqual(found["machines"][0]["machine"]["store"], format_name)
                self.assertEqual(second_reader.faults(found), [])

    def test_finds_every_number_of_a_machine_that_flushes_to_zero(self):
        for turn, formula in enumerate(FORMULAS):
            for format_name in FORMATS if NIGHTLY else FORMATS[turn % 4 :][:1]:
                with self.subTest(formula=formula, format=format_name):
                    found = derivation(formula, "--format", format_name, "--machine", "ftz")
                    self.assertEqual(second_reader.faults(found), [])
            if NIGHTLY or turn % 3 == 0:
                with self.subTest(formula=formula, format="coarse"):
                    self.assertEqual(second_reader.faults(beside_normal_numbers(formula)), [])

    def test_finds_what_each_operation_loses_by_a_flush_and_not_half_or_twice_as_much(self):
        self.assertEqual(set(TERMS), set(forward_reader.FLUSHES))
        for term, of in TERMS.items():
            document = of_term(*of)
            for factor, count in (("1", 0), ("0.5", 1), ("2", 1)):
                forward_reader.FLUSHES[term] = D(factor)
                faults = second_reader.faults(document, D("0.01"))
                forward_reader.FLUSHES[term] = D(1)
                with self.subTest(term=term, factor=factor):
                    self.assertGreaterEqual(len(faults), count)
                    if count == 0:
                        self.assertEqual(faults, [])

    def test_refuses_a_local_error_that_is_half_or_twice_as_large_at_each_operation(self):
        formulas = FORMULAS if NIGHTLY else FORMULAS[::8]
        documents = [derivation(each, "--format", "f32", "--machine", "any_order") for each in formulas]
        for document in documents + [beside_normal_numbers(each) for each in formulas[::2]]:
            formula, ftz = document["formula"], document["machines"][0]["machine"]["flushes"]
            stated = document["machines"][0]["derivations"][0]
            for k, node in enumerate(stated["graph"]["nodes"]):
                for factor in (0.5, 2.0):
                    changed = copy.deepcopy(document)
                    local = changed["machines"][0]["derivations"][0]["local"][k]
                    i = next((i for i, each in enumerate(local) if 0 < float.fromhex(each) < math.inf), None)
                    if i is None:
                        continue
                    local[i] = (float.fromhex(local[i]) * factor).hex()
                    with self.subTest(formula=formula, ftz=ftz, node=k, op=node["op"], factor=factor):
                        self.assertEqual(len(second_reader.faults(changed)), 1)

    def test_refuses_the_bound_of_a_way_that_is_not_the_largest(self):
        document = derivation("layer_norm", "--format", "f32", "--machine", "ways")
        ways = document["machines"][0]["derivations"]
        bounds = [min(float.fromhex(each["by_mean"]), float.fromhex(each["by_forward"])) for each in ways]
        self.assertLess(min(bounds), 0.99 * max(bounds))
        document["machines"][0]["bound"] = min(bounds).hex()
        self.assertEqual(len(second_reader.faults(document)), 1)

    def test_refuses_a_share_that_is_left_out(self):
        document = derivation("attention", "--format", "f32", "--machine", "any_order")
        for k in range(len(document["machines"][0]["derivations"][0]["shares"])):
            changed = copy.deepcopy(document)
            share = changed["machines"][0]["derivations"][0]["shares"].pop(k)
            with self.subTest(node=share["node"]):
                self.assertEqual(len(second_reader.faults(changed)), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
