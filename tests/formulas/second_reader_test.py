#!/usr/bin/env python3
"""The second reader recomputes the derivations of every shipped formula, and finds a number that was changed.

    second_reader_test.py PATH-OF-ASSAY FOLDER-OF-FORMULAS

With ASSAY_TIER=nightly it reads each formula in every format, and changes numbers of every formula. Otherwise it reads
each formula in one format, in which the formulas take turns, and changes numbers of every eighth formula.
"""

import copy
import json
import os
import pathlib
import subprocess
import sys
import unittest

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


def derivation(formula, *options):
    graph = json.loads(run(formula, "--json"))["graph"]
    lengths = {axis["name"]: 3 for axis in graph["axes"] if axis["length"] is None}
    lengths.update({axis: n for axis, n in SHAPES.get(formula, {}).items() if axis in lengths})
    shape = ",".join(f"{axis}={n}" for axis, n in lengths.items())
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

    def test_refuses_a_local_error_that_is_half_or_twice_as_large_at_each_operation(self):
        for formula in FORMULAS if NIGHTLY else FORMULAS[::8]:
            document = derivation(formula, "--format", "f32", "--machine", "any_order")
            stated = document["machines"][0]["derivations"][0]
            for k, node in enumerate(stated["graph"]["nodes"]):
                for factor in (0.5, 2.0):
                    changed = copy.deepcopy(document)
                    local = changed["machines"][0]["derivations"][0]["local"][k]
                    i = next((i for i, each in enumerate(local) if float.fromhex(each) > 0), None)
                    if i is None:
                        continue
                    local[i] = (float.fromhex(local[i]) * factor).hex()
                    with self.subTest(formula=formula, node=k, op=node["op"], factor=factor):
                        self.assertEqual(len(second_reader.faults(changed)), 1)

    def test_refuses_a_share_that_is_left_out(self):
        document = derivation("attention", "--format", "f32", "--machine", "any_order")
        for k in range(len(document["machines"][0]["derivations"][0]["shares"])):
            changed = copy.deepcopy(document)
            share = changed["machines"][0]["derivations"][0]["shares"].pop(k)
            with self.subTest(node=share["node"]):
                self.assertEqual(len(second_reader.faults(changed)), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
