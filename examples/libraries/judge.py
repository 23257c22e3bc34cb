"""Judges libraries that nobody here wrote, and writes one report of all of them.

    python3 examples/libraries/judge.py --assay build/default/bin/assay --out report

ladders.json lists what is asked: the library, the operation, the format of the numbers, the program or the library
file that computes it, and the ladder that is expected. OpenBLAS and BLIS choose their functions by the processor:
they are told to take those of Haswell, so that their ladders are the same on all newer ones. Where versions of a
library are known to have other ladders, the row has them under `versions`. The folder corpora has the smallest inputs
that broke a contract before; they are asked again. A library that is not installed is left out, and so is one for a
device where there is none. Exit code 0: every ladder is as expected; 1: one is not, or could not be told.
"""

import argparse
import concurrent.futures
import glob
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time

import printed

LARGEST_CASE = 2048  # bytes of a file of the corpora
HERE = pathlib.Path(__file__).resolve().parent


COMPILING = threading.Lock()


def compiled(row, options):
    """The shared library of a source file, compiled with the row's flags, or None where it does not compile."""
    source = HERE / row["subject"]
    flags = row.get("flags", [])
    library = pathlib.Path(options.out) / f"lib{source.stem}{''.join(filter(str.isalnum, ''.join(flags)))}.so"
    words = ["c++", "-std=c++17", "-I/usr/include/eigen3", "-fPIC"]
    if source.suffix == ".cu":
        words = ["nvcc", "-std=c++20", "-arch=native", "-Xcompiler=-fPIC", f"-I{options.include}"]
    with COMPILING:
        if not library.exists():
            library.parent.mkdir(parents=True, exist_ok=True)
            words += ["-O2", "-shared", str(source), *flags, "-o", str(library)]
            try:
                subprocess.run(words, capture_output=True, check=True)
            except (OSError, subprocess.CalledProcessError):
                return None
    return str(library)


def missing(row, options):
    """Why the row cannot be judged here, or None."""
    subject = shlex.split(row["subject"])[0]
    if row.get("device") and not pathlib.Path("/dev/nvidiactl").exists():
        return "there is no device"
    if subject.endswith((".cpp", ".cu")):
        if compiled(row, options) is None:
            return f"{subject} does not compile here"
    elif subject.endswith(".py"):
        module = subject.split("_")[0]
        if importlib.util.find_spec(module) is None:
            return f"the Python package {module} is not installed"
    elif found_library(subject) is None:
        return f"{subject} is not installed"
    return None


def found_library(name):
    """The file that the loader takes for a library, or None."""
    if "/" in name:
        return next(iter(glob.glob(name)), None)
    told = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    found = re.search(rf"^\s*{re.escape(name)} .* => (\S+)$", told, re.M)
    return found and found[1]


def version_of(file):
    """The version of a library: from its file's name, or from the distribution's package that has it; else None."""
    path = os.path.realpath(file)
    if in_name := re.search(r"(\d+\.\d+\.\d+)\.so", os.path.basename(path)):
        return in_name[1]
    for each in (path, path.removeprefix("/usr")):
        if shutil.which("dpkg-query") is None:
            return None
        owner = subprocess.run(["dpkg-query", "-S", each], capture_output=True, text=True).stdout.split(": ")[0]
        told = owner and subprocess.run(["dpkg-query", "-W", "-f", "${Version}", owner], capture_output=True, text=True).stdout
        if of_package := re.match(r"(?:\d+:)?(\d+(?:\.\d+)+)", told):
            return of_package[1]
    return None


def command(row, options, out):
    subject = row["subject"]
    if subject.split()[0].endswith(".py"):
        subject = f"{shlex.quote(sys.executable)} {shlex.quote(str(HERE))}/{subject}"
    elif subject.endswith((".cpp", ".cu")):
        subject = compiled(row, options)
    elif "/" in subject and "symbol" in row:
        subject = found_library(subject)
    words = [options.assay, "check", "--operation", row["operation"], "--subject", subject, "--as", row["library"],
             "--format", row.get("format", "f64"), "--cases", str(row.get("cases", options.cases)), "--on", row.get("on", "host"),
             "--out", out, "--overwrite", "--corpus", str(HERE / "corpora"), "--progress", "none", "--quiet"]
    if options.update:
        words.append("--update-corpus")
    if options.steps is not None:
        words += ["--shrink-steps", str(options.steps)]
    if options.jobs:
        words += ["--jobs", str(options.jobs)]
    if "symbol" in row:
        words += ["--symbol", row["symbol"]]
    return words


def ladder(text):
    """What `assay check` says that the kernel keeps and breaks, as ladders.json has it."""
    found = printed.ladder(text)
    return {key: ", ".join(found[key]) or "none" for key in ("keeps", "breaks")} if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assay", default="assay", help="the program")
    parser.add_argument("--out", default="libraries", help="the directory of the runs and the report")
    parser.add_argument("--cases", type=int, default=1000, help="so many for each ladder that does not say its own")
    parser.add_argument("--jobs", type=int, help="so many processes at a time for each library")
    parser.add_argument("--steps", type=int, help="so many tries for a smaller counterexample")
    parser.add_argument("--rows", type=int, default=1, help="so many libraries at a time")
    parser.add_argument("--include", default=str(HERE.parent.parent), help="the folder that has assay/subject.h")
    parser.add_argument("--only", help="a regular expression for a library, its operation and its format")
    parser.add_argument("--update", action="store_true", help="writes what was seen into ladders.json and corpora")
    options = parser.parse_args()
    rows = json.loads((HERE / "ladders.json").read_text())
    environment = dict(os.environ, PYTHONPATH=str(HERE.parent.parent / "python"))
    runs = []
    different = 0

    def judged(number, row):
        """The directory of the run, or None; whether the ladder is another than expected; what to print."""
        name = f"{row['library']} {row['operation']} {row.get('format', 'f64')}"
        if options.only and not re.search(options.only, name):
            return None, False, ""
        if why := missing(row, options):
            return None, False, f"{name}: left out: {why}\n"
        out = os.path.join(options.out, f"run{number}")
        began = time.monotonic()
        done = subprocess.run(command(row, options, out), capture_output=True, text=True,
                              env={**environment, **row.get("environment", {})})
        library = None if ".py" in row["subject"] else found_library(row["subject"])
        version = library and version_of(library)
        name += f"{', version ' + version if version else ''}, {time.monotonic() - began:.0f} s"
        seen = ladder(done.stdout)
        if seen is None:
            words = (done.stderr or done.stdout).strip()[-300:]
            return None, True, f"{name}: no ladder, exit code {done.returncode}: {words}\n"
        text = f"{name}: keeps {seen['keeps']}; breaks {seen['breaks']}\n"
        known = row.get("versions", {}).get(version, row)
        expected = {key: known.get(key) for key in seen}
        if options.update:
            known.update(seen)
        elif seen != expected:
            return out, True, text + f"  expected: keeps {expected['keeps']}; breaks {expected['breaks']}\n"
        return out, False, text

    with concurrent.futures.ThreadPoolExecutor(options.rows) as several:
        for future in concurrent.futures.as_completed(several.submit(judged, *each) for each in enumerate(rows)):
            out, is_different, text = future.result()
            print(text, end="", flush=True)
            different += is_different
            if out is not None:
                runs.append(out)
            if options.update:
                lines = ",\n".join("  " + json.dumps(row) for row in rows)
                (HERE / "ladders.json").write_text(f"[\n{lines}\n]\n")
    if options.update:
        for file in (HERE / "corpora").glob("*/*.json"):
            if file.stat().st_size > LARGEST_CASE:
                file.unlink()
    if runs:
        files = [word for kind, name in (("html", "report.html"), ("json", "summary.json"), ("markdown", "report.md"))
                 for word in (f"--{kind}", os.path.join(options.out, name))]
        report = subprocess.run([options.assay, "report", *sorted(runs), *files])
        if report.returncode not in (0, 4):  # 4: a library crashed
            return report.returncode
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
