#!/usr/bin/env python3
"""Judges the kernels and tests of a project, and reports the results to continuous integration.

Lines of arguments of `assay check`, pytest and ctest are run one after the other. The runs of the lines are compared
with the newest entry of a ledger: a contract that was kept there and is not kept now is a failure (exit code 1), even
if nobody promised it. Into the folder --out go the runs, `junit/*.xml`, `report.html` and `summary.json`. If
GITHUB_ACTIONS is true, each failure is an annotation; otherwise it is a line "file:line: error: …". A summary in
Markdown goes to the file that GITHUB_STEP_SUMMARY names.

Exit codes are those of `assay`. When several apply, the first of 130 and 143, 1, 4, 5, 3, 2, 0 is taken; 77 if nothing
at all could run here. docs/ci.md explains more.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import traceback
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path

GRAVEST_FIRST = (130, 143, 1, 4, 5, 3, 2)
#: Verdicts of claims that did not pass.
FAILING = ("violated", "not refuted", "flaky", "undecided", "crashed", "hung", "out of memory")
MEANING = {
    0: "no promise is broken",
    1: "**a contract is broken**",
    2: "**wrong usage**",
    3: "**not decided**",
    4: "**a kernel crashed or hung**",
    5: "**a file is damaged**",
    77: "skipped: nothing can run here",
    130: "**interrupted**",
    143: "**interrupted**",
}


@dataclass(frozen=True)
class Place:
    """Where an annotation belongs; line 0 means the file as a whole, and no file means the project."""

    file: str = ""
    line: int = 0

    def __str__(self):
        return self.file + (f":{self.line}" if self.line else "") or "assay"


@dataclass
class Outcome:
    """One line, or one suite of tests."""

    name: str
    place: Place
    code: int
    folder: "Path | None" = None  #: the run, if there is one
    says: str = ""  #: the text of the summary besides the meaning of the exit code


@dataclass
class Told:
    """The output: annotations at once, the rest at the end."""

    on_github: bool = os.environ.get("GITHUB_ACTIONS") == "true"
    markdown: list = field(default_factory=list)

    def annotate(self, level, place, title, message):
        """level: error, warning or notice."""
        if not self.on_github:
            lines = message.strip().replace("\n", "\n  ")
            print(f"{place}: {level}: {title}: {lines}", file=sys.stderr, flush=True)
            return
        where = {"file": place.file, "line": place.line or "", "title": title}
        words = ",".join(f"{key}={escaped(str(value), ':,')}" for key, value in where.items() if value)
        print(f"::{level} {words}::{escaped(message.strip())}", flush=True)


def escaped(text, more=""):
    """In the syntax of the commands of a GitHub workflow."""
    for each in "%\r\n" + more:
        text = text.replace(each, f"%{ord(each):02X}")
    return text


def cell(text):
    return re.sub(r"([\\`*\[\]|<])", r"\\\1", text.replace("\n", " "))


def quoted(text):
    """A command in a cell."""
    return "`" + text.replace("|", "\\|").replace("`", "'").replace("\n", " ") + "`"


def gravest(codes):
    """One exit code from several."""
    for each in GRAVEST_FIRST:
        if each in codes:
            return each
    others = [each for each in codes if each not in (0, 77)]
    return 3 if others else 77 if codes and all(each == 77 for each in codes) else 0


def run(command, show=True, **settings):
    """Exit code and standard error, which is also shown at once if `show`; a signal counts as in a shell, and a missing
    program as trouble."""
    words = [str(each) for each in command]
    lines = []
    sys.stdout.flush()
    try:
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, errors="replace", **settings) as started:
            for line in started.stderr:
                lines.append(line)
                if show:
                    sys.stderr.write(line)
    except OSError as error:
        return 3, f"{words[0]}: {error.strerror}"
    ended = started.returncode
    return (ended if ended >= 0 else 128 - ended), "".join(lines)


# ---- kernels: lines of arguments of `assay check` ----


def lines_of(options):
    """(Place, words) of each line that is not a comment. Errors: OSError, ValueError for quotes that do not match."""
    texts = [(str(file), Path(file).read_text()) for file in options.kernels]
    texts += [("", options.lines)]
    for file, text in texts:
        for number, line in enumerate(text.splitlines(), 1):
            try:
                words = shlex.split(line, comments=True)
            except ValueError as error:
                raise ValueError(f"{file or 'lines'}:{number}: {error}") from error
            if words:
                yield Place(file, number if file else 0), words


def check_line(options, told, number, place, words):
    """Runs one line."""
    folder = options.out / "runs" / str(number)
    settings = {"TIER": options.tier, "ON": options.executor, "LABEL": options.label, "PROGRESS": "none"}
    environment = {**os.environ, **{f"ASSAY_{key}": value for key, value in settings.items() if value}}
    environment.pop("GITHUB_STEP_SUMMARY", None)
    code, errors = run([options.assay, "check", *words, "--out", folder], show=False, env=environment)
    outcome = Outcome(shlex.join(words), place, code, folder if (folder / "summary.json").exists() else None)
    claims = claims_of(outcome)
    bad = [each for each in claims if each["verdict"] in FAILING and not each.get("open")] if code else []
    for each in bad:
        told.annotate("error", place, name_of(each), explained(each, outcome))
    if code == 77:
        told.annotate("notice", place, "skipped", errors.strip().splitlines()[-1] if errors.strip() else outcome.name)
        outcome.folder = None
    elif code and not bad:
        told.annotate("error", place, f"assay check ended with {code}", errors or outcome.name)
    else:
        sys.stderr.write(errors)
    return outcome


def summary_of(outcome):
    """The document of a run; without properties if there is none."""
    if outcome.folder is None:
        return {"properties": []}
    return json.loads((outcome.folder / "summary.json").read_text())


def claims_of(outcome):
    return [claim for each in summary_of(outcome)["properties"] for claim in each["claims"]]


def name_of(claim):
    return f"{claim['property']}/{claim['claim']} on {claim['executor']}"


def explained(claim, outcome):
    """The claim, its source, the largest error, and how to see the smallest case."""
    lines = [f"{claim['verdict']}: {claim['statement']}", f"source: {claim['source']}"]
    if claim["tightness"] is not None:
        lines.append(f"largest error/bound: {claim['tightness']}")
    file = (claim["failure"] or {}).get("file")
    if file:
        call = summary_of(outcome)["provenance"].get(f"options {claim['property']}", "")
        lines.append(f"assay replay {Path(file).stem} --out {outcome.folder} {call}".strip())
    return "\n".join(lines)


def twice(outcomes):
    """The first outcome whose kernel has the name of an earlier one, with that earlier one."""
    seen = {}
    for outcome in outcomes:
        for key in sorted({(each["property"], each["executor"]) for each in claims_of(outcome)}):
            if key in seen:
                return outcome, seen[key], key[0]
            seen[key] = outcome
    return None


# ---- the ledger ----


def compare(options, told, outcomes):
    """The exit code of the comparison with the newest entry. Regressions are reported, and a table goes into the
    summary."""
    if not options.ledger.exists():
        told.annotate("notice", Place(), "ledger", f"no {options.ledger} yet: nothing to compare with")
        return 0
    document = options.out / "compare.json"
    here = options.out / "merged"  # a run is its summary and its cases
    for each in outcomes:
        if each.folder is not None and (each.folder / "cases").is_dir():
            shutil.copytree(each.folder / "cases", here / "cases", dirs_exist_ok=True)
    shutil.copy(options.out / "summary.json", here)
    command = [options.assay, "compare", "last", here, "--ledger", options.ledger, "--json", document]
    code, errors = run(command, show=False)
    if not document.exists():
        told.annotate("error", Place(str(options.ledger)), "ledger", errors)
        return code or 3
    if code:
        told.annotate("warning", Place(str(options.ledger)), "ledger", errors)  # nothing is in both
    changes = json.loads(document.read_text())
    before = changes["before"]
    entry = f"entry {before['entry']}" + (f" ({before['knobs']['label'][:12]})" if "label" in before["knobs"] else "")
    worse = [each for each in changes["changes"] if each["before"] == "holds" and each["direction"] == "worse"]
    broken = [each for each in worse if each["kind"] == "verdict"]
    gone = {f"{each['property']} on {each['executor']}" for each in changes["changes"] if each["kind"] == "gone"}
    of_claim = {(c["property"], c["executor"], c["claim"]): (c, o) for o in outcomes for c in claims_of(o)}
    lost = {}  # by kernel: the claims that it kept before
    for each in broken:
        claim, outcome = of_claim[each["property"], each["executor"], each["claim"]]
        kernel = f"{each['property']} on {each['executor']}"
        lost.setdefault(kernel, []).append((claim, outcome, explained(claim, outcome)))
    for kernel, claims in lost.items():
        names = ", ".join(claim["claim"] for claim, _, _ in claims)
        level = "warning" if options.accept else "error"
        told.annotate(level, claims[0][1].place, f"{kernel} kept {names} before", f"kept in {entry}; {claims[0][2]}")
    for each in sorted(gone):
        told.annotate("warning", Place(str(options.ledger)), each, f"{entry} has claims about it that are not tested here")
    write_junit(options.out / "junit" / "ledger.xml", lost, entry)
    told.markdown += [f"Compared with {entry}: {changes['claims']} claims are in both.", ""]
    if lost:
        told.markdown += ["### Kept before, not kept now", ""]
        told.markdown += ["| kernel | claim | now | to see it |", "| --- " * 4 + "|"]
    for kernel, claims in lost.items():
        for claim, _, text in claims:
            seen = text.splitlines()[-1]
            command = quoted(seen) if seen.startswith("assay replay") else ""
            told.markdown.append(f"| `{kernel}` | `{claim['claim']}` | **{claim['verdict']}** | {command} |")
    told.markdown.append("")
    return 1 if broken and not options.accept else 0


def write_junit(file, lost, entry):
    """A test for each claim that was kept before and is not kept now; one test that passes if there is no such
    claim."""
    every = [(kernel, *each) for kernel, claims in lost.items() for each in claims]
    suite = xml.Element("testsuite", name="ledger", tests=str(len(every) or 1), failures=str(len(every)))
    for kernel, claim, _, text in every:
        case = xml.SubElement(suite, "testcase", classname=kernel, name=claim["claim"])
        xml.SubElement(case, "failure", message=f"kept in {entry}").text = text
    if not every:
        xml.SubElement(suite, "testcase", classname="ledger", name=f"what was kept in {entry} is kept")
    file.write_bytes(xml.tostring(suite, encoding="utf-8", xml_declaration=True))


def judge_kernels(options, told, lines):
    """The outcomes of the lines, and the code of the comparison."""
    outcomes = [check_line(options, told, number, *line) for number, line in enumerate(lines, 1)]
    double = twice(outcomes)
    if double:
        second, first, name = double
        told.annotate("error", second.place, name, f"{first.place} has this name already: add --as NAME to one of them")
        return outcomes, 2
    runs = [each.folder for each in outcomes if each.folder is not None]
    if not runs:
        return outcomes, 0
    files = ["--json", options.out / "summary.json", "--junit", options.out / "junit" / "kernels.xml"]
    files += ["--html", options.out / "report.html", "--markdown", options.out / "report.md"]
    files += ["--ledger", options.ledger] if options.ledger.exists() else []
    environment = {key: value for key, value in os.environ.items() if key != "GITHUB_STEP_SUMMARY"}
    code, errors = run([options.assay, "report", *runs, *files], show=False, env=environment)
    if not (options.out / "summary.json").exists():
        told.annotate("error", Place(), f"assay report ended with {code}", errors)
        return outcomes, code or 3
    return outcomes, compare(options, told, outcomes)


def record(options, told, outcomes):
    """Adds the runs to the ledger as one entry; its exit code."""
    runs = [each.folder for each in outcomes if each.folder is not None]
    options.ledger.parent.mkdir(parents=True, exist_ok=True)
    code, errors = run([options.assay, "ledger", "add", *runs, "--ledger", options.ledger], show=False)
    if code:
        told.annotate("error", Place(str(options.ledger)), "ledger", errors)
    elif os.environ.get("GITHUB_OUTPUT"):
        with open(os.environ["GITHUB_OUTPUT"], "a") as outputs:
            outputs.write("recorded=yes\n")
    return code


# ---- pytest and ctest ----


def count_tests(file):
    """For a file of JUnit XML, how many tests passed, (test, message, text) of each failure, (test, reason) of each
    skip."""
    bad, skipped, number = [], [], 0
    for test in xml.parse(file).getroot().iter("testcase"):
        number += 1
        for each in test:
            if each.tag in ("failure", "error"):
                bad.append((test, each.get("message") or "", (each.text or "") + (test.findtext("system-out") or "")))
            elif each.tag == "skipped":
                whole = re.search(r"'Skipped: (.*)'\)$", each.text or "")  # from pytest, for a file
                skipped.append((test, whole[1] if whole else each.get("message") or ""))
    return number - len(bad) - len(skipped), bad, skipped


def run_tests(told, name, command, file, code_of, place_of):
    """Runs a suite that writes JUnit XML. code_of: translates its exit codes into ours; place_of: where a failure
    belongs."""
    code, errors = run(command)
    code = code_of.get(code, 3)
    outcome = Outcome(name, Place(), code)
    if not file.exists():
        told.annotate("error", Place(), name, errors or "it wrote no results")
        outcome.code = code or 3
        return outcome
    passed, bad, skipped = count_tests(file)
    outcome.says = f"{passed} passed, {len(bad)} failed, {len(skipped)} skipped"
    for test, message, text in bad:
        place, what = place_of(test, message, text)
        told.annotate("error", place, test.get("name"), what)
    for test, message in skipped:
        told.annotate("notice", Place(), test.get("name"), f"skipped: {message}")
    if code == 0 and not passed:
        outcome.code = 77 if skipped else 2
        if not skipped:
            told.annotate("error", Place(), name, "it has no test")
    return outcome


def run_pytest(options, told):
    file = options.out / "junit" / "pytest.xml"
    command = [sys.executable, "-m", "pytest", *shlex.split(options.pytest), f"--junitxml={file}"]
    command += ["-o", "junit_family=xunit1"]  # with file and line of a test
    if not any(each.value == "assay.pytest_plugin" for each in entry_points(group="pytest11")):
        command += ["-p", "assay.pytest_plugin"]
    if options.tier:
        command += ["--assay-tier", options.tier]

    def place_of(test, message, text):
        here = re.findall(r"^(\S+\.py):(\d+): ", text, re.MULTILINE)
        return Place(here[0][0], int(here[0][1])) if here else Place(test.get("file", "")), message

    return run_tests(told, f"pytest {options.pytest}", command, file, {0: 0, 1: 1, 2: 130, 4: 2, 5: 0}, place_of)


def run_ctest(options, told):
    file = (options.out / "junit" / "ctest.xml").absolute()
    command = ["ctest", "--test-dir", options.ctest, "--no-tests=error", "--output-on-failure", "--output-junit", file]

    def place_of(test, message, text):
        found = re.search(r"^(\S+):(\d+): Failure\n(.*?)(?:\n\n|\Z)", text, re.MULTILINE | re.DOTALL)  # GoogleTest's
        if found is None:
            return Place(), message or text
        return Place(os.path.relpath(found[1]), int(found[2])), found[3]

    return run_tests(told, f"ctest --test-dir {options.ctest}", command, file, {0: 0, 8: 1}, place_of)


# ---- all of it ----


def parse(arguments):
    parser = argparse.ArgumentParser(prog="check.py", formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.description = __doc__

    def option(name, text, **more):
        parser.add_argument(name, help=text, **{"default": "", **more})

    option("--kernels", "a file with lines of arguments of `assay check`; repeatable", action="append",
           default=[], metavar="FILE")
    option("--lines", "such lines", metavar="TEXT")
    option("--pytest", "arguments of pytest", metavar="PATHS")
    option("--ctest", "a build folder with ctests, such as of GoogleTest", metavar="FOLDER")
    option("--prepare", "commands for `bash -e`, before anything is judged: a build", metavar="COMMANDS")
    option("--ledger", "assay-ledger.sqlite by default", type=Path, default="assay-ledger.sqlite", metavar="FILE")
    option("--record", "yes: adds a run without a failure to the ledger; accept: also one that keeps less than before",
           default="no", choices=["no", "yes", "accept"])
    option("--tier", "of `assay check` and pytest")
    option("--executor", "host, cuda or all: where kernels run; by default where they can")
    option("--label", "the version of the project in the ledger; by default the commit")
    option("--out", "where results go; assay-ci by default", type=Path, default="assay-ci", metavar="DIR")
    option("--assay", "by default the one in the PATH", default="assay", metavar="PROGRAM")
    options = parser.parse_args(arguments)
    options.kernels = [each for each in options.kernels if each]  # an input of an action that is not set is empty
    options.accept = options.record == "accept"
    options.label = options.label or os.environ.get("GITHUB_SHA") or os.environ.get("CI_COMMIT_SHA") or ""
    return options


def begin(options):
    """The lines to judge. Makes --out, and removes the output of an earlier call. Errors: OSError, ValueError."""
    lines = list(lines_of(options))
    if not (lines or options.pytest or options.ctest):
        raise ValueError("nothing to judge: --kernels or --lines without a line, and neither --pytest nor --ctest")
    for part in ("junit", "merged", "runs"):
        shutil.rmtree(options.out / part, ignore_errors=True)
    for part in ("compare.json", "report.html", "report.md", "summary.json"):
        (options.out / part).unlink(missing_ok=True)
    (options.out / "junit").mkdir(parents=True)
    return lines


def summarize(options, told, outcomes, code):
    """Adds the summary to the file that GITHUB_STEP_SUMMARY names."""
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if not page:
        return
    rows = [f"## Assay: {MEANING.get(code, MEANING[3])}", "", "| judged | where | result |", "| --- | --- | --- |"]
    for each in outcomes:
        says = f" ({each.says})" if each.says else ""
        rows.append(f"| {quoted(each.name)} | {cell(str(each.place))} | {MEANING.get(each.code, MEANING[3])}{says} |")
    report = options.out / "report.md"
    if report.exists():
        told.markdown += ["<details><summary>All contracts and bounds</summary>", "", report.read_text(), "</details>"]
    with open(page, "a") as file:
        file.write("\n".join([*rows, "", *told.markdown, ""]))


def main(arguments):
    options = parse(arguments)
    told = Told()
    try:
        lines = begin(options)
    except (OSError, ValueError) as error:
        file = getattr(error, "filename", None) or ""
        told.annotate("error", Place(str(file)), "nothing was judged", getattr(error, "strerror", None) or str(error))
        return 2
    if options.prepare:
        code, errors = run(["bash", "-e", "-c", options.prepare])
        if code:
            told.annotate("error", Place(), f"prepare ended with {code}", errors[-2000:] or options.prepare)
            return 2
    outcomes, compared = judge_kernels(options, told, lines) if lines else ([], 0)
    runs = [each for each in outcomes if each.folder is not None]
    if options.pytest:
        outcomes.append(run_pytest(options, told))
    if options.ctest:
        outcomes.append(run_ctest(options, told))
    codes = [each.code for each in outcomes]
    code = gravest([*codes, compared] if compared else codes)
    if code == 0 and runs and options.record != "no":
        code = record(options, told, runs)
    summarize(options, told, outcomes, code)
    print(f"assay: {MEANING.get(code, MEANING[3]).strip('*')}", file=sys.stderr)
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Exception:  # Python's own exit code would say that a contract is broken
        traceback.print_exc()
        sys.exit(3)
    except KeyboardInterrupt:
        sys.exit(130)
