"""The atlas of libraries: atlas_test.py CLASS ASSAY, where the class is Atlas, or AtlasAgain for one run of a row."""

import html.parser
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "examples" / "libraries"), str(ROOT / "python")]
LIBRARY = pathlib.Path(sys.argv[2]).parent.parent / "lib" / "libassay_judge.so.1"
os.environ.setdefault("LIBASSAY_JUDGE", str(LIBRARY))

import assay
import judge
import pages
import rows

ASSAY = sys.argv[2]
ANSWERS = rows.answers()


def names_of(contract):
    """Today's id of a contract and its older ones, which rows of earlier days have."""
    return [contract["id"], *contract.get("older_names", [])]


def contracts(*words):
    return json.loads(subprocess.run([ASSAY, "contracts", *words, "--json"], capture_output=True, check=True).stdout)


def formula_of(name):
    """The name of a shipped formula, or the text of one beside the rows."""
    file = ROOT / "examples" / "libraries" / f"{name}.formula"
    return file.read_text() if file.exists() else name


class Ids(html.parser.HTMLParser):
    """The ids of a page, and the fragments that its links name."""

    def __init__(self, page):
        super().__init__()
        self.ids = []
        self.links = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"][1:]] if given.get("href", "").startswith("#") else []


class Atlas(unittest.TestCase):
    def test_every_row_has_an_anchor_of_its_own(self):
        anchors = [rows.anchor(row) for row in ANSWERS]
        self.assertGreaterEqual(len(anchors), 150)
        self.assertEqual(len(anchors), len(set(anchors)))

    def test_an_anchor_is_what_it_was_when_the_first_page_was_made(self):
        row = {"operation": "matmul", "format": "bf16:f32", "library": "cublas", "version": "13.1", "card": "H200",
               "function": "cublasGemmStridedBatchedEx 32f_of_16bf"}
        self.assertEqual(rows.anchor(row), "matmul-bf16_f32-cublas-cublasGemmStridedBatchedEx_32f_of_16bf-13.1-H200")

    def test_anchors_stay_when_rows_are_added_in_front_between_and_behind(self):
        before = set(Ids(pages.page(ANSWERS)).ids)
        added = [{**ANSWERS[i], "version": "0.0"} for i in (0, len(ANSWERS) // 2, -1)]
        many = [added[0], *ANSWERS[: len(ANSWERS) // 2], added[1], *ANSWERS[len(ANSWERS) // 2 :], added[2]]
        after = set(Ids(pages.page(many)).ids)
        self.assertLessEqual(before, after)
        self.assertEqual(len(after), len(before) + 3)

    def test_every_link_of_the_page_leads_to_a_row(self):
        page = Ids(pages.page(ANSWERS))
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertLessEqual(set(page.links), set(page.ids))

    def test_the_page_needs_no_script_and_no_other_file(self):
        page = pages.page(ANSWERS)
        self.assertIsNone(re.search(r"<script|<link|src=|url\(|@import", page))

    def test_the_committed_pages_are_what_the_rows_say(self):
        self.assertEqual(pages.markdown(ANSWERS), (ROOT / "docs" / "atlas.md").read_text())
        self.assertEqual(pages.page(ANSWERS), (ROOT / "docs" / "atlas.html").read_text())

    def test_every_file_has_the_rows_of_one_library_version_and_card(self):
        for file in rows.ANSWERS.glob("*.json"):
            document = json.loads(file.read_text())
            self.assertEqual(file.name, rows.file_name(document))
            for row in document["rows"]:
                self.assertRegex(row["date"], r"^\d{4}-\d\d-\d\d$")
                self.assertRegex(row["command"], r"\bassay check --operation |\bassay\.check\(")

    def test_every_contract_of_a_row_is_one_of_its_operation(self):
        known = {each["name"]: {name for contract in each["contracts"] for name in names_of(contract)}
                 for each in contracts()["operations"]}
        for name in {row["operation"] for row in ANSWERS} - {*known, "convert"}:
            formula = assay.Formula(formula_of(name))
            known[name] = {each for number_format in ("f32", "f16") for each in formula.contracts(number_format)}
        words = {word["word"] for aspect in contracts("convert")["aspects"] for word in aspect["words"]}
        for row in ANSWERS:
            named = [*row["keeps"], *row["breaks"], *row.get("undecided", [])]
            named += [row["smallest"]["contract"]] if "smallest" in row else []
            is_conversion = row["operation"] == "convert"
            named = [word for rule in named for word in rule.split(".")] if is_conversion else named
            with self.subTest(rows.anchor(row)):
                self.assertTrue(named)
                self.assertLessEqual(set(named), words if is_conversion else known[row["operation"]])

    def test_the_pages_know_which_contracts_are_about_no_error(self):
        about_none = {name for each in contracts()["operations"] for contract in each["contracts"]
                      if not contract["is_about_error"] for name in names_of(contract)}
        self.assertEqual(pages.NO_BOUND, about_none)

    def test_every_row_is_asked_for_by_the_list_of_libraries(self):
        fronts = [rows.anchor_front(row) for row in rows.asked()]
        self.assertEqual(len(fronts), len(set(fronts)))
        self.assertLessEqual({rows.anchor_front(row) for row in ANSWERS}, set(fronts))

    def test_no_two_rows_of_the_list_share_a_name_in_a_report(self):
        names = [(row["entry"].get("as", row["library"]), row["operation"], row["format"]) for row in rows.asked()
                 if row["operation"] != "convert" and not row["entry"].get("checked")]
        self.assertEqual(len(names), len(set(names)))

    def test_a_ratio_below_one_is_not_shown_as_one(self):
        self.assertEqual([pages.ratio_text(each) for each in (0.99999994, 1, 1.1666, 605.52, 4.5e15, "inf", 0, None)],
                         ["0.9999", "1", "1.166", "605.5", "4.5·10¹⁵", "∞", "", ""])


class AtlasAgain(unittest.TestCase):
    def test_the_command_of_a_row_gives_its_ladder_again(self):
        row = next((each for each in ANSWERS if rows.anchor_front(each) == "sqrt-f64-glibc-sqrt"), None)
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ASSAY, pathlib.Path(folder, "assay"))
            path = f"{folder}{os.pathsep}{os.environ['PATH']}"
            done = subprocess.run(["bash", "-c", f"{row['command']} --out {folder}/out"], cwd=ROOT, check=True,
                                  capture_output=True, text=True, env={**os.environ, "PATH": path})
        breaks = f"; breaks {', '.join(row['breaks'])}" if row["breaks"] else ""
        self.assertIn(f"glibc.sqrt on host: keeps {', '.join(row['keeps'])}{breaks}\n", done.stdout)

    def test_the_command_of_a_conversion_that_writes_runs_gives_its_rule_again(self):
        row = next(each for each in rows.asked() if rows.anchor_front(each) == "convert-f16_f32-gcc-cast")
        command = judge.command_to_copy(row)
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ASSAY, pathlib.Path(folder, "assay"))
            os.symlink(ROOT / "examples", pathlib.Path(folder, "examples"))
            path = f"{folder}{os.pathsep}{os.environ['PATH']}"
            done = subprocess.run(["bash", "-c", f"{command} --out out"], cwd=folder, check=True, capture_output=True,
                                  text=True, env={**os.environ, "PATH": path})
        self.assertIn("convert f16:f32: follows even.infinity.nan on all 65536 inputs", done.stdout)

    @unittest.skipIf(importlib.util.find_spec("numpy") is None, "NumPy is not installed")
    def test_runs_of_numpy_have_its_results(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, ROOT / "examples" / "libraries" / "conversion_runs.py", "numpy", "host",
                            folder, "(f16|int8)_f32"], check=True, capture_output=True)
            self.assertEqual({"f16_f32.runs", "int8_f32.runs"}, set(os.listdir(folder)))
            for formats, rule, count in (("f16:f32", "even.infinity.nan", 65536),
                                         ("int8:f32", "even.saturate.nan", 256)):
                file = pathlib.Path(folder, formats.replace(":", "_") + ".runs")
                done = subprocess.run([ASSAY, "check", "--operation", "convert", "--format", formats, "--subject", file,
                                       "--out", f"{folder}/out"], check=True, capture_output=True, text=True)
                self.assertIn(f"convert {formats}: follows {rule} on all {count} inputs", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], sys.argv[1]])
