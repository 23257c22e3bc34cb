"""Runs the examples of docs/for_programs.md: for_programs.py PAGE ASSAY [--planted].

A block of sh is run in a folder that has python/ and examples/, and must end with the exit code that its last comment
names, 0 without one. A block of python becomes the file that it names. A block of json is compared with the file that
it names, or with the standard output of the command before: each shown field is there with a value of that kind, words
and truth values are the shown ones unless they are "…", and a list begins with the shown elements; a list of words has
no others. --planted runs copies of the page with one mistake each, and fails if one is not found.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def differences(shown, found, at):
    """The places where a document differs from the page."""
    kinds = [(int, float) if isinstance(each, (int, float)) and not isinstance(each, bool) else type(each)
             for each in (shown, found)]
    if kinds[0] != kinds[1]:
        return [f"{at}: {json.dumps(found)[:80]} in place of {json.dumps(shown)[:80]}"]
    if isinstance(shown, dict):
        lost = [f"{at}.{name}: it is not there" for name in shown if name not in found]
        return lost + [line for name in shown if name in found
                       for line in differences(shown[name], found[name], f"{at}.{name}")]
    if isinstance(shown, list):
        words_only = all(isinstance(each, str) and each != "…" for each in shown)
        if len(found) < len(shown) or (words_only and len(found) != len(shown)):
            return [f"{at}: {len(found)} elements in place of {len(shown)}"]
        return [line for i, each in enumerate(shown) for line in differences(each, found[i], f"{at}[{i}]")]
    is_free = shown == "…" or (kinds[0] == (int, float))
    return [] if is_free or shown == found else [f"{at}: {found!r} in place of {shown!r}"]


def run_page(page, assay, folder):
    for name in ("python", "examples"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "bin").mkdir()
    (folder / "bin" / "assay").symlink_to(assay)
    environment = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    faults = []
    printed = ""
    blocks = re.findall(r"^```(sh|json|python)(?: (\S+))?\n(.*?)^```$", page, re.M | re.S)
    for kind, name, text in blocks:
        if kind == "python":
            (folder / name).write_text(text)
        elif kind == "sh":
            expected = int((re.findall(r"# exit code (\d+)", text) or ["0"])[-1])
            done = subprocess.run(["bash", "-ec", text], cwd=folder, env=environment, capture_output=True, text=True)
            printed = done.stdout
            if done.returncode != expected:
                faults.append(f"{text}ends with {done.returncode}, not {expected}: {done.stderr[-500:]}")
        else:
            found = (folder / name).read_text() if name else printed
            try:
                faults += differences(json.loads(text), json.loads(found), name or "output")
            except json.JSONDecodeError as error:
                faults.append(f"{name or 'output'}: no JSON: {error}: {found[:200]}")
    for schema in re.findall(r"\]\((\S+\.schema\.json)\)", page):
        if not (ROOT / "docs" / schema).exists():
            faults.append(f"{schema}: there is no such file")
    lost = {file.name for file in (ROOT / "docs").glob("*.schema.json")} - set(re.findall(r"\w+\.schema\.json", page))
    faults += [f"{name}: the page does not name it" for name in sorted(lost)]
    return len(blocks), faults


PLANTED = [("# exit code 1", "# exit code 0"), ('"verdict": "violated"', '"verdict": "holds"'), ('"rigor"', '"rigour"'),
           ('"ratio": "inf"', '"ratio": 1'), ('"stops": null', '"stops": {}'),
           ('"order_free", "exceptional"]', '"order_free"]'),
           ('"is_about_error": true', '"is_about_error": 1'), ("(hunt.schema.json)", "(hunts.schema.json)")]


def main(file, assay, *options):
    page = pathlib.Path(file).read_text()
    wrong = 0
    for text, mistake in PLANTED if options else [("", "")]:
        with tempfile.TemporaryDirectory() as folder:
            copy = page.replace(text, mistake, 1)
            count, faults = run_page(copy, pathlib.Path(assay).resolve(), pathlib.Path(folder))
        print(*faults, f"{mistake or file}: {count} blocks, {len(faults)} faults", sep="\n")
        wrong += (copy == page or not faults) if options else bool(faults or count == 0)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
