#!/usr/bin/env python3
"""Compares a page with the tests that ctest has.

named_tests.py CTEST BUILD PAGE

Each row of the page's table names at least one test in its last column, and every test so named exists. Fails with a
line for each row and each name that is wrong.
"""

import re
import subprocess
import sys


def rows(text):
    """The cells of each row of the tables, without their heads."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and not set(line) <= set("|- :") and cells[-1] != "tests":
            yield cells


def main(ctest, build, page):
    listed = subprocess.run([ctest, "-N", "--test-dir", build], stdout=subprocess.PIPE, check=True, text=True).stdout
    tests = set(re.findall(r"^ *Test +#\d+: (\S+)", listed, re.MULTILINE))
    with open(page, encoding="utf-8") as file:
        table = list(rows(file.read()))
    wrong = [] if table else [f"{page} has no row"]
    for cells in table:
        named = re.findall(r"`([^`]+)`", cells[-1])
        if not named:
            wrong.append(f"no test: {' | '.join(cells)}")
        wrong += [f"no such test: {name}" for name in named if name not in tests]
    print("\n".join(wrong) if wrong else f"{len(table)} rows, {len(tests)} tests")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
