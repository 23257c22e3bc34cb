"""Tests what `assay explain` says about saved cases: explain_test.py ASSAY.

The files in tests/assay/explained are cases that kernels with constant results broke, one of them a recursive sum. A
second reader (explain_reader.py) recomputes each step, each share and the causes. The sentences are compared with
EXPECTED."""

import copy
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import explain_reader

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CASES = pathlib.Path(__file__).resolve().parent / "explained"
ASSAY = sys.argv[1]

#: The causes of each case, and words of its sentences.
EXPECTED = {
    "asum_lost_term": (["lost_term"], "|x[1]| is lost in s[1] = |x[0]| + |x[1]|: 0x1p+0 (1) is at most half an ulp"),
    "axpy_rounded_product": (["rounding", "cancellation"], "r = p + y[0] then cancels all of 24 leading bits"),
    "cumsum_rounding": (["rounding"], "Rounding s[1] = x[0] + x[1] to 0x1.000002p+0"),
    "dot_cancellation": (["rounding", "cancellation"], "s[1] = p[0] + p[1] then cancels all of 24 leading bits"),
    "dot_infinities": (["special_input", "invalid"], "s[1] = p[0] + p[1] takes ∞ from ∞."),
    "exp_far_below_one": (["underflow", "other_kernel"], "its value within 2^-100000 is below 2^-1022"),
    "exp_of_another_kernel": (["rounding", "other_kernel"], "is 8.255e-8, the error of the kernel is 3.172e-2"),
    "gemm_cancellation": (["rounding", "cancellation"], "r = p[0] + v then cancels all of 53 leading bits"),
    "gemv_cancellation": (["rounding", "cancellation"], "r = p[0] + v then cancels all of 53 leading bits"),
    "layer_norm_cancellation": (["rounding", "cancellation"], "d[0] = x[0] - mu then cancels all of 24 leading bits"),
    "log_of_a_negative_number": (["invalid"], "r = log(a) has no real value at -0x1p+0 (-1)."),
    "log_softmax_nan": (["special_input"], "x[0] is a NaN; the result is nan"),
    "matmul_lost_terms": (["lost_term"], "p[1] is lost in s[1] = p[0] + p[1]"),
    "nrm2_overflow": (["overflow"], "q[0] = x[0] * x[0] overflows: its value 1.72184794563857"),
    "nrm2_underflow": (["underflow"], "is below 2^-1022, and 0x0p+0 (0) stays."),
    "rms_norm_of_another_kernel": (["rounding", "other_kernel"], "the kernel computes something else."),
    "softmax_underflow": (["underflow", "other_kernel"], "e[1] = exp(d[1]) underflows: its value 1.8521167695"),
    "sum_exact": (["exact", "other_kernel"], "these steps give the exact value."),
    "sum_in_two_orders": (["exact"], "order_free: not these inputs break it, but others: of the terms -0x1p+0, "
                          "-0x1.8p-23, 0x1p+0 in this order the kernel gives -0x1p-22, with terms 0 and 2 in each "
                          "other's place -0x1.8p-23"),
    "sum_lost_term": (["lost_term", "cancellation"], "x[1] is lost in s[1] = x[0] + x[1]: 0x1p+0 (1)"),
    "sum_overflow_in_f16": (["overflow"], "its value 120000 is beyond the largest number 65504"),
}


def run(*options, **environment):
    return subprocess.run([ASSAY, *options], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python"), **environment})


@functools.cache
def printed(case):
    return run("explain", str(CASES / f"{case}.json"), "--json").stdout


def explained(case):
    return json.loads(printed(case))


class Explain(unittest.TestCase):
    maxDiff = None

    def test_tells_the_causes_of_each_saved_case(self):
        saved = {each.stem for each in CASES.glob("*.json")}
        self.assertEqual(saved, {*EXPECTED, "trsv_without_steps"})
        for case, (causes, words) in EXPECTED.items():
            with self.subTest(case=case):
                document = explained(case)
                self.assertEqual(document["causes"], causes)
                self.assertIn(words, "\n".join(document["says"]))

    def test_shows_numbers_that_a_second_reader_computes_too(self):
        for case in EXPECTED:
            with self.subTest(case=case):
                self.assertEqual(explain_reader.Reader(explained(case)).faults(), [])

    def test_would_fail_for_a_wrong_number_of_any_step(self):
        for case in EXPECTED:
            document = explained(case)
            for k, step in enumerate(document["steps"]):
                for what in ("rounded", "exact", "error", "lost", "share"):
                    is_read = what in ("rounded", "exact") or document["steps"][-1]["share"] != ""
                    if step[what] in ("", "inf", "-inf") or "nan" in step[what] or not is_read:
                        continue
                    wrong = copy.deepcopy(document)
                    wrong["steps"][k][what] = "0x1.23p+3" if what == "rounded" else "9.125"
                    with self.subTest(case=case, step=step["name"], what=what):
                        self.assertNotEqual(explain_reader.Reader(wrong).faults(), [])

    def test_would_fail_for_another_cause(self):
        known = {cause for causes, _ in EXPECTED.values() for cause in causes} - {"other_kernel"}
        for case, (causes, _) in EXPECTED.items():
            for other in known - {causes[0]}:
                wrong = explained(case)
                wrong["causes"][0] = other
                with self.subTest(case=case, other=other):
                    self.assertNotEqual(explain_reader.Reader(wrong).faults(), [])

    def test_prints_the_same_in_words(self):
        for case in EXPECTED:
            document = explained(case)
            text = run("explain", str(CASES / f"{case}.json")).stdout
            with self.subTest(case=case):
                for each in document["says"]:
                    self.assertIn(each, text)
                for each in document["steps"]:
                    self.assertIn(f"{each['name']} = {each['formula']} = {each['rounded']} ({each['decimal']})", text)
                self.assertIn(f"cause    {', '.join(document['causes'])}\n", text)
                self.assertIn(f"bound    {document['bound']['claim']}: {document['bound']['statement']}", text)
                self.assertIn(f"kernel   {document['kernel']['got']} (", text)

    def test_prints_the_example_of_its_page(self):
        page = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
        command, shown = re.search(r"```\n\$ assay explain (\S+)\n(.*?)```", page, re.S).groups()
        self.assertEqual(run("explain", str(ROOT / command)).stdout, shown)

    def test_has_the_error_of_the_kernel_and_the_bound_that_it_broke(self):
        document = explained("exp_of_another_kernel")
        self.assertEqual(document["kernel"], {"from": "case", "got": "0x1.6p+1", "decimal": "2.75", "error": "3.172e-2",
                                              "is_result_of_steps": False})
        self.assertEqual((document["bound"]["claim"], document["bound"]["bound"]), ("ulp_1", "2.384e-07"))
        self.assertAlmostEqual(document["bound"]["ratio"], 0.0317181715 / 2**-22, delta=0.1)
        self.assertEqual(explained("sum_lost_term")["bound"]["ratio"], "inf")

    def test_writes_documents_that_fit_their_schemas_as_replay_and_tolerance_do(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3 has no module jsonschema")
        kernel = ("--operation", "sum", "--subject", f"python3 {CASES / 'constant.py'} sum 0", "--on", "host")
        documents = [("explain", printed(case)) for case in (*EXPECTED, "trsv_without_steps")]
        documents.append(("replay", run("replay", str(CASES / "sum_lost_term.json"), "--json", *kernel).stdout))
        documents.append(("tolerance", run("tolerance", "softmax", "--shape", "r=2,n=8", "--json").stdout))
        for name, text in documents:
            schema = json.loads((ROOT / "docs" / f"{name}.schema.json").read_text(encoding="utf-8"))
            with self.subTest(document=name):
                jsonschema.validate(json.loads(text), schema)

    def test_replay_has_the_same_numbers_as_a_document_and_in_words(self):
        kernel = ("--operation", "sum", "--subject", f"python3 {CASES / 'constant.py'} sum 0.5", "--on", "host")
        done = run("replay", str(CASES / "sum_lost_term.json"), "--json", *kernel)
        answer = json.loads(done.stdout)["cases"][0]["answers"][0]
        told = {each["claim"]: each for each in answer["claims"]}["faithful"]
        self.assertEqual((done.returncode, answer["got"], answer["as_recorded"]), (1, ["0x1p-1"], False))
        self.assertEqual((told["verdict"], told["is_of_case"], told["as_expected"]), ("broken", True, False))
        words = run("replay", str(CASES / "sum_lost_term.json"), *kernel)
        self.assertEqual(words.returncode, 1)
        self.assertIn("got    0x1p-1  (not the recorded bits)", words.stdout)
        self.assertIn("subject.sum/faithful: broken\n", words.stdout)

    def test_tolerance_has_the_same_bounds_as_a_document_and_in_words(self):
        options = ("tolerance", "softmax", "--shape", "r=2,n=8", "--format", "f32")
        words = run(*options).stdout
        machines = json.loads(run(*options, "--json").stdout)["machines"]
        self.assertGreater(len(machines), 2)
        for each in machines:
            self.assertIn(f"{each['name']}: largest bound {each['largest']:.3g}, median {each['median']:.3g}", words)

    def test_asks_a_kernel_that_the_options_name(self):
        kernel = f"python3 {CASES / 'constant.py'} sum 0.5"
        done = run("explain", str(CASES / "sum_lost_term.json"), "--operation", "sum", "--subject", kernel, "--json")
        document = json.loads(done.stdout)
        self.assertEqual((document["kernel"]["from"], document["kernel"]["got"], document["kernel"]["error"]),
                         ("host", "0x1p-1", "-5e-1"))
        self.assertEqual(document["causes"], ["lost_term", "cancellation"])

    def test_has_no_steps_for_other_operations_and_says_so(self):
        done = run("explain", str(CASES / "trsv_without_steps.json"))
        self.assertEqual(done.returncode, 0)
        for each in ("explain has no steps for trsv\n", "a[0] = 0x1p+0 (1)", "exact    1\n", "kernel   0x1.8p+1",
                     "bound    correctly_rounded"):
            self.assertIn(each, done.stdout)

    def test_ends_as_replay_does_where_the_kernel_gives_no_answer(self):
        for numbers, code in (("1 2", 4), ("no_number", 2)):
            kernel = f"python3 {CASES / 'constant.py'} sum {numbers}"
            for command in ("explain", "replay"):
                done = run(command, str(CASES / "sum_exact.json"), "--operation", "sum", "--subject", kernel)
                with self.subTest(numbers=numbers, command=command):
                    self.assertEqual(done.returncode, code)

    def test_refuses_what_is_no_case_in_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            torn = pathlib.Path(folder) / "torn.json"
            torn.write_text((CASES / "sum_exact.json").read_text()[:100])
            for argument, code, words in (("0123456789abcdef", 2, "no case file or id 0123456789abcdef"),
                                          ("nowhere.json", 2, "no case file or id nowhere.json"),
                                          (str(torn), 5, "truncated: the JSON text ends after byte 100")):
                done = run("explain", argument)
                with self.subTest(argument=argument):
                    self.assertEqual((done.returncode, done.stdout), (code, ""))
                    self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
