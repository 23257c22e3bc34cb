"""Runs `assay probe-order` on kernels of Python: probe_order_command.py ASSAY PYTHON_PACKAGE."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

KERNELS = """
import numpy

def total(x):
    return numpy.sum(x)

def chain(x):
    return numpy.add.accumulate(x)[-1]

def product(x, y):
    return chain(x * y)

def dies(x):
    raise SystemExit(9)
"""


def main(assay, package):
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "sums.py").write_text(KERNELS)
        environment = os.environ | {"PYTHONPATH": f"{package}:{folder}", "PYTHONDONTWRITEBYTECODE": "1"}

        def run(kernel, *options, operation="sum", code=0):
            subject = f"{sys.executable} -m assay.subject sums:{kernel}"
            command = [assay, "probe-order", "--operation", operation, "--subject", subject, *options]
            ended = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)
            if ended.returncode != code:
                failures.append(f"{kernel} {options}: exit {ended.returncode}, not {code}: {ended.stderr}")
            return ended.stdout, ended.stderr

        def expect(is_right, what):
            if not is_right:
                failures.append(what)

        told, _ = run("total", "--terms", "300", "--json", "--svg", "tree.svg")
        document = json.loads(told)
        expect(document["verdict"] == "fixed", f"verdict: {document['verdict']} {document['why']}")
        expect(document["family"] == "split(128,8,lanes_tail(8,chain,pairs))", f"family: {document['family']}")
        expect(document["predicted"] == document["checked"] == 4096, "predictions")
        expect(len(document["parents"]) == 599, "parents")
        picture = (folder / "tree.svg").read_text()
        expect(picture.startswith("<svg") and picture.endswith("</svg>\n"), "the picture")

        (folder / "other.json").write_text(told)
        same, _ = run("total", "--terms", "300", "--with", "other.json")
        expect("compared    the same tree" in same, same)
        other, _ = run("chain", "--terms", "300", "--with", "other.json")
        expect("a chain of 300 terms" in other and "meet after" in other, other)
        expect("γ_299" in other and "sum.tree.2" in other, other)
        _, error = run("chain", "--terms", "20", "--with", "other.json", code=2)
        expect("it has 300 terms, not 20" in error, error)

        dot, _ = run("product", "--terms", "20", "--format", "f32", operation="dot")
        expect("products rounded before" in dot and "dot.tree.1" in dot, dot)

        _, error = run("chain", "--format", "f8", code=2)
        expect("--format f8: sum has" in error, error)
        _, error = run("chain", operation="nrm2", code=2)
        expect("--operation nrm2: it has no order here" in error, error)
        (folder / "damaged.json").write_text(told[:-40])
        run("total", "--terms", "300", "--with", "damaged.json", code=5)
        run("dies", "--terms", "8", code=4)
    for each in failures:
        print(each)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
