#!/usr/bin/env python3
"""A check of promised contracts does not shrink failures of the others: it calls the kernel about once per case.

    calls.py PATH-OF-ASSAY FOLDER-OF-THE-PYTHON-PACKAGE
"""

import os
import pathlib
import subprocess
import sys
import tempfile

CASES = 200
#: A sum in order, which is not faithful. It counts its calls in a file.
KERNEL = """
import sys
from assay.subject import serve
def sum_in_order(x):
    with open(sys.argv[1], "a") as file:
        file.write(".")
    total = 0.0
    for each in x:
        total += each
    return total
serve(sum=sum_in_order)
"""


def calls(assay, package, folder, *options):
    """How often a check calls the kernel."""
    kernel, count = folder / "kernel.py", folder / "count"
    kernel.write_text(KERNEL, encoding="utf-8")
    count.write_text("", encoding="utf-8")
    done = subprocess.run(
        [assay, "check", "--operation", "sum", "--subject", f"{sys.executable} {kernel} {count}", "--cases", str(CASES),
         "--jobs", "1", "--out", str(folder / "out"), "--overwrite", *options],
        env={**os.environ, "PYTHONPATH": package, "ASSAY_PROGRESS": "none"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return len(count.read_text(encoding="utf-8"))


def main():
    assay, package = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        promised = calls(assay, package, pathlib.Path(folder), "--contract", "any_order")
        ladder = calls(assay, package, pathlib.Path(folder))
    print(f"{CASES} cases: {promised} calls with a promise, {ladder} with the smallest counterexample of each contract")
    return 0 if promised < 5 * CASES < ladder else 1


if __name__ == "__main__":
    sys.exit(main())
