"""Judges libraries that nobody here wrote, keeps what they answer as an atlas, and writes one report of all of them.

    python3 examples/libraries/judge.py --assay build/default/bin/assay --out report
    python3 examples/libraries/judge.py --assay build/default/bin/assay --update
    python3 examples/libraries/judge.py --pages

libraries.json lists what is asked, and the folder atlas has what each version of a library answered on each card
(rows.py says how). A run compares: each ladder is expected to equal that in the atlas for the same version and card.
With
--update it writes the rows that can run here into the atlas, and the pages docs/atlas.md and docs/atlas.html. Rows
that cannot run here stay as they are, with the day of their run. --pages writes the pages alone.

--sizes real asks each row at five shapes that programs have (published_shapes.json), where its operation takes shapes.
The ladder there is compared with the one of small cases in the atlas: a contract that is kept at small sizes alone is
named, and counts as a difference. Nothing is written to the atlas.

OpenBLAS and BLIS choose their functions by the processor: they are told to use those of Haswell, so that their ladders
are the same on all newer processors. The folder corpora has the smallest inputs that broke a contract before; they are
run again. A library that is not installed is left out, and so is a library for a device if there is none. Exit code 0:
every ladder is as expected, or not in the atlas; 1: one is not, or could not be found.
"""

import argparse
import concurrent.futures
import datetime
import functools
import glob
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time

import pages
import printed
import rows

MOST_RULES = 8  # of a row
LARGEST_CASE = 2048  # bytes of a file of the corpora
HERE = rows.HERE
ROOT = HERE.parent.parent
COMPILING = threading.Lock()
MAKING = threading.Lock()
ASKING = threading.local()  # each thread has a process that calls functions of Python


def is_source(subject):
    return subject.endswith((".cpp", ".cu"))


def library_of_source(entry):
    """The name of the compiled file of a source file, with the flags in it."""
    flags = "".join(filter(str.isalnum, "".join([entry.get("compiler", ""), *entry.get("flags", [])])))
    return f"lib{pathlib.Path(entry['subject']).stem}{flags}.so"


def file_of_source(entry):
    """The name of the library, or of the program that writes runs, which a source file becomes."""
    library = library_of_source(entry)
    return library.removeprefix("lib").removesuffix(".so") if "runs" in entry else library


def compiling(entry, folder, include):
    """The command that compiles the source file of an entry, with its words relative to the root of the project."""
    words = [entry.get("compiler", "c++"), "-std=c++20" if "runs" in entry else "-std=c++17", "-I/usr/include/eigen3",
             "-fPIC"]
    if entry["subject"].endswith(".cu"):
        words = ["nvcc", "-std=c++20", "-arch=native", "-Xcompiler=-fPIC", f"-I{include}"]
    words += ["-O2"] if "runs" in entry else ["-O2", "-shared"]
    return [*words, f"examples/libraries/{entry['subject']}", *entry.get("flags", []), "-o",
            os.path.join(folder, file_of_source(entry))]


def compiled(entry, options):
    """The library or the program of a source file, compiled with the entry's flags, or None if it does not compile."""
    library = pathlib.Path(options.out).resolve() / file_of_source(entry)
    with COMPILING:
        if not library.exists():
            library.parent.mkdir(parents=True, exist_ok=True)
            try:
                subprocess.run(compiling(entry, library.parent, options.include), capture_output=True, check=True,
                               cwd=ROOT)
            except (OSError, subprocess.CalledProcessError):
                return None
    return str(library)


@functools.cache
def made_runs(program, arguments, folder):
    """The folder into which a program wrote files of runs."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run([*program, *arguments.split(), folder], capture_output=True)
    return folder


def file_of_runs(row, options):
    """The file with the runs of a row. The program of its entry writes the files of all rows once."""
    entry = row["entry"]
    subject = entry["subject"]
    program = (compiled(entry, options),) if is_source(subject) else (sys.executable, str(HERE / subject))
    folder = pathlib.Path(options.out).resolve() / f"runs_{file_of_source(entry)}_{entry['runs'].replace(' ', '_')}"
    with MAKING:
        return os.path.join(made_runs(program, entry["runs"], str(folder)), f"{row['symbol']}.runs")


@functools.cache
def found_library(name):
    """The file that the loader finds for a library, or None."""
    if "/" in name:
        return next(iter(glob.glob(name)), None)
    told = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    found = re.search(rf"^\s*{re.escape(name)} .* => (\S+)$", told, re.M)
    return found and found[1]


def missing(entry, options):
    """Why the entry cannot be judged here, or None."""
    subject = shlex.split(entry["subject"])[0]
    if entry.get("device") and card_of_device() is None:
        return "there is no device"
    if is_source(subject):
        if compiled(entry, options) is None:
            return f"{subject} does not compile here"
    elif subject.endswith(".py"):
        kind, _, package = entry.get("version", "").partition(" ")
        named = package if kind == "python" and package else subject.split("_")[0]
        module = entry["runs"].split()[0] if "runs" in entry else named
        if importlib.util.find_spec(module) is None:
            return f"the Python package {module} is not installed"
    elif found_library(subject) is None:
        return f"{subject} is not installed"
    return None


def version_in(text):
    found = re.search(r"\d+(?:\.\d+)+", text)
    return found and found[0]


def version_of_package(name):
    """The version of a package of the distribution, without its epoch."""
    told = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True).stdout
    return version_in(told.split(":")[-1])


def version_of_file(file):
    """From the name of a library's file, or from the package that contains it."""
    path = os.path.realpath(file)
    if in_name := re.search(r"(\d+\.\d+\.\d+)\.so", os.path.basename(path)):
        return in_name[1]
    if shutil.which("dpkg-query") is None:
        return None
    for each in (path, path.removeprefix("/usr")):
        owner = subprocess.run(["dpkg-query", "-S", each], capture_output=True, text=True).stdout.split(": ")[0]
        if owner and (version := version_of_package(owner)):
            return version
    return None


@functools.cache
def version_told(how):
    """The version that the words of an entry state; "unknown" if they do not."""
    kind, _, rest = how.partition(" ")
    if how == "python":
        version = platform.python_version()
    elif kind == "python":
        version = importlib.metadata.version(importlib.metadata.packages_distributions().get(rest, [rest])[0])
    elif kind == "package":
        version = version_of_package(rest)
    elif kind == "command":
        done = subprocess.run(shlex.split(rest), capture_output=True, text=True)
        version = version_in(done.stdout.splitlines()[-1] if "nvcc" in rest else done.stdout) or done.stdout.strip()
    else:
        file = found_library(how)
        version = file and version_of_file(file)
    return version or "unknown"


@functools.cache
def card_of_device():
    """The first device and its driver, or None."""
    if not pathlib.Path("/dev/nvidiactl").exists() or shutil.which("nvidia-smi") is None:
        return None
    told = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                          capture_output=True, text=True).stdout
    name, _, driver = told.partition("\n")[0].partition(", ")
    return name.removeprefix("NVIDIA ").replace(" ", "_"), f"{name}, driver {driver}"


@functools.cache
def card_of_host():
    """The level of the processor by the x86-64 psABI, and its name; on another architecture the machine's name is used
    for both."""
    machine = platform.machine()
    if machine != "x86_64":
        return machine, machine
    told = pathlib.Path("/proc/cpuinfo").read_text()
    flags = set(re.search(r"^flags\s*:(.*)$", told, re.M)[1].split())
    levels = [("x86-64-v4", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
              ("x86-64-v3", {"avx2", "bmi2", "fma", "f16c"}), ("x86-64-v2", {"sse4_2"}), ("x86-64", set())]
    return next(name for name, needed in levels if needed <= flags), re.search(r"^model name\s*: (.*)$", told, re.M)[1]


def question(row, subject, assay, corpora):
    """The words of `assay check` that request a row."""
    entry = row["entry"]
    words = [assay, "check", "--operation", row["operation"], "--format", row["format"], "--subject", subject]
    if row["symbol"] and "runs" not in entry:
        words += ["--symbol", row["symbol"]]
    if row["operation"] == "convert":
        return words
    words += ["--as", entry.get("as", entry["library"]), "--corpus", corpora]
    if "shape" in entry:
        words += ["--shape", entry["shape"], "--timeout-case", "10m", "--mem-limit", "16G"]
    elif "cases" in entry:
        words += ["--cases", str(entry["cases"])]
    if "on" in entry:
        words += ["--on", entry["on"]]
    return words


def command_to_copy(row):
    """The command that repeats the run of a row in the root of the project, in a shell that finds `assay`."""
    entry = row["entry"]
    subject = entry["subject"]
    front = "".join(f"{name}={value} " for name, value in entry.get("environment", {}).items())
    before = ""
    if entry.get("checked"):
        given = "".join(f", {name}={entry[name]!r}" for name in ("cases", "shapes") if name in entry)
        module, formula = subject.removesuffix(".py"), f"'{row['operation']}'"
        if (HERE / f"{row['operation']}.formula").exists():
            formula = f"open('examples/libraries/{row['operation']}.formula').read()"
        return shlex.join(["PYTHONPATH=python:examples/libraries", "python3", "-c",
                           f"import assay, {module}; print(assay.check({module}.{row['symbol']}, {formula}, "
                           f"format='{row['format']}'{given}))"])
    if "runs" in entry:
        words = shlex.join([*entry["runs"].split(), "runs", row["symbol"]])
        if is_source(subject):
            before = f"{shlex.join(compiling(entry, '.', '.'))} && mkdir -p runs && "
            before += f"./{file_of_source(entry)} {words} && "
        else:
            before = f"mkdir -p runs && python3 examples/libraries/{subject} {words} && "
        subject = f"runs/{row['symbol']}.runs"
    elif is_source(subject):
        before = shlex.join(compiling(entry, ".", ".")) + " && "
        subject = f"./{file_of_source(entry)}"
    elif subject.split()[0].endswith(".py"):
        front += "PYTHONPATH=python "
        subject = f"python3 examples/libraries/{subject}"
    elif "*" in subject:
        before, subject = f"library=$(echo {subject}) && ", '"$library"'
        return before + front + shlex.join(question(row, "LIBRARY", "assay", "examples/libraries/corpora")).replace(
            "LIBRARY", subject)
    return before + front + shlex.join(question(row, subject, "assay", "examples/libraries/corpora"))


def command(row, options, out):
    """The words that request a row here."""
    entry = row["entry"]
    subject = entry["subject"]
    if "runs" in entry:
        subject = file_of_runs(row, options)
    elif subject.split()[0].endswith(".py"):
        subject = f"{shlex.quote(sys.executable)} {shlex.quote(str(HERE))}/{subject}"
    elif is_source(subject):
        subject = compiled(entry, options)
    elif "/" in subject:
        subject = found_library(subject)
    words = question(row, subject, options.assay, str(HERE / "corpora")) + ["--out", out, "--progress", "none"]
    if row["operation"] == "convert":
        return words
    words.append("--overwrite")
    if options.update_corpora:
        words.append("--update-corpus")
    if options.steps is not None:
        words += ["--shrink-steps", str(options.steps)]
    if options.jobs:
        words += ["--jobs", str(options.jobs)]
    return words


def smallest(out, claim_of_file, told):
    """The counterexample in the answer."""
    case = json.loads(pathlib.Path(out, claim_of_file).read_text())
    evidence = case.get("evidence", {})
    inputs = case["case"]
    if len(json.dumps(inputs)) > rows.LARGEST_INPUTS:
        inputs = {name: f"{len(value)} numbers" if isinstance(value, list) and len(value) > 4 else value
                  for name, value in inputs.items()}
    found = {"contract": told, "inputs": inputs}
    found |= {name: evidence[name] for name in ("got", "exact", "ulps") if name in evidence}
    if len(json.dumps(found.get("got"))) > rows.LARGEST_INPUTS:
        found["got"] = found["got"][:4]
    return found


def ladder_seen(done, out):
    """The part of a row that comes from a run: the ladder, its errors, and its smallest counterexample. None: there is
    no ladder."""
    told = printed.ladder(done.stdout)
    if told is None:
        return None
    kept, broken, open_ones = told.values()
    asked = json.loads(pathlib.Path(out, "summary.json").read_text())["properties"][0]
    claims = {claim["claim"]: claim for claim in asked["claims"]}

    def largest(contract):
        claim = claims[contract]
        all_of_it = [each for each in (claim["tightness"], claim["corpus"].get("tightness")) if each is not None]
        return max(all_of_it, key=float, default=None)

    seen = {"cases": max(claim["cases"]["executed"] + claim["cases"]["rejected"] for claim in asked["claims"]),
            "keeps": {each: largest(each) for each in kept}, "breaks": {each: largest(each) for each in broken}}
    if open_ones:
        seen["undecided"] = open_ones
    if violated := [name for name, claim in claims.items() if claim["verdict"] == "violated"]:
        seen["violates"] = violated
    if asked["stops"]:
        seen["stopped"] = asked["stops"]["what"]
    if "ulp_1" in claims and largest("ulp_1") is not None:
        seen["ulps"] = largest("ulp_1")
    if shown := re.search(r"^\S+?/(\w+) on \w+: broken", done.stdout, re.M):
        failure = claims[shown[1]]["failure"]
        if failure and failure.get("file"):
            seen["smallest"] = smallest(out, failure["file"], shown[1])
    return seen


def rule_seen(out):
    """The part of a row that comes from a conversion: the rules that it follows, or an example that breaks the nearest
    one. If every result is exact, the rules are many: the most usual one stands for them."""
    file = pathlib.Path(out, "convert.json")
    if not file.exists():
        return None
    answer = json.loads(file.read_text())
    follows = answer["follows"] if len(answer["follows"]) <= MOST_RULES else answer["follows"][:1]
    seen = {"cases": answer["asked"], "keeps": dict.fromkeys(follows), "breaks": {}}
    if not answer["follows"]:
        nearest = answer["nearest"]
        example = nearest["examples"][0]
        seen["breaks"] = {nearest["rule"]: None}
        seen["smallest"] = {"contract": nearest["rule"], "inputs": {"x": example["input"]}, "got": [example["got"]],
                            "exact": example["expected"]}
    return seen


def checked_function(row, options):
    """What assay.check says about the function of a row, or a text that says why it says nothing."""
    entry = row["entry"]
    asked = {name: entry[name] for name in ("cases", "shapes") if name in entry}
    asked["shrink_steps"] = entry.get("steps", 400) if options.steps is None else options.steps
    words = [entry["subject"].removesuffix(".py"), row["symbol"], row["operation"], row["format"], asked]
    if getattr(ASKING, "process", None) is None:
        ASKING.process = subprocess.Popen([sys.executable, str(HERE / "checked.py")], text=True, stdin=subprocess.PIPE,
                                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process, late = ASKING.process, threading.Event()
    timer = threading.Timer(options.time_limit, lambda: (late.set(), process.kill()))
    timer.start()
    try:
        process.stdin.write(json.dumps(words) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
    except (OSError, ValueError):
        answer = f"no answer in {options.time_limit} s" if late.is_set() else "its process crashed"
    finally:
        timer.cancel()
    if isinstance(answer, str) or "CUDA" in answer.get("stopped", ""):  # an error of a device stays in its process
        process.kill()
        ASKING.process = None
    return answer


def answered(row, options, out):
    """The part of a row that comes from a run, or a text that says why there is none."""
    if row["entry"].get("checked"):
        return checked_function(row, options)
    shutil.rmtree(out, ignore_errors=True)
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "python"), **row["entry"].get("environment", {}))
    done = subprocess.run(command(row, options, out), capture_output=True, text=True, env=environment)
    seen = rule_seen(out) if row["operation"] == "convert" else ladder_seen(done, out)
    words = (done.stderr or done.stdout).strip()[-300:]
    return f"no ladder, exit code {done.returncode}: {words}" if seen is None else seen


def lost_at_size(claims, expected):
    """The contracts that a row of the atlas keeps and that are broken in a run, in words.

    >>> claims = [{"claim": "faithful", "verdict": "broken"}, {"claim": "any_order", "verdict": "holds"}]
    >>> lost_at_size(claims, {"keeps": {"faithful": "0.9"}}), lost_at_size(claims, {"keeps": {"any_order": "0.1"}})
    ('faithful', '')
    """
    broken = {claim["claim"] for claim in claims if claim["verdict"] in ("broken", "violated")}
    return ", ".join(sorted(broken & set(expected["keeps"])))


def text_of(row):
    return f"keeps {', '.join(row['keeps']) or 'none'}; breaks {', '.join(row['breaks']) or 'none'}"


def judged(number, row, options, known):
    """The directory of the run, or None; whether the ladder differs from the expected one; the text to print."""
    entry = row["entry"]
    name = f"{row['operation']} {row['format']} {entry['library']} {row['function']}"
    name += f" at {entry['shape']}" if "shape" in entry else ""
    if why := missing(entry, options):
        return None, False, f"{name}: left out: {why}\n"
    card, machine = card_of_device() if entry.get("device") else card_of_host()
    about = {"library": entry["library"], "version": version_told(entry.get("version", entry["subject"])), "card": card,
             "machine": machine, "operation": row["operation"], "format": row["format"], "function": row["function"]}
    out = os.path.join(options.out, f"run{number}")
    began = time.monotonic()
    seen = answered(row, options, out)
    name += f", version {about['version']}, {time.monotonic() - began:.0f} s"
    if isinstance(seen, str):
        return None, True, f"{name}: {seen}\n"
    reported = None if entry.get("checked") or row["operation"] == "convert" else out
    text = f"{name}: {text_of(seen)}\n"
    expected = known.get(rows.anchor(about))
    if options.update:
        rows.store({**about, "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(), **seen,
                    "command": command_to_copy(row)})
    elif expected is None:
        text += "  not in the atlas\n"
    elif "shape" in entry:
        asked = json.loads(pathlib.Path(out, "summary.json").read_text())["properties"][0]
        lost = lost_at_size(asked["claims"], expected)
        return reported, bool(lost), text + (f"  kept at small sizes alone: {lost}\n" if lost else "")
    elif any(set(seen.get(part, ())) != set(expected.get(part, ())) for part in ("keeps", "breaks", "violates")):
        return reported, True, text + f"  expected: {text_of(expected)}\n"
    return reported, False, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assay", default="assay", help="the program")
    parser.add_argument("--out", default="libraries", help="the directory of the runs and the report")
    parser.add_argument("--jobs", type=int, help="so many processes at a time for each library")
    parser.add_argument("--steps", type=int, help="so many tries for a smaller counterexample")
    parser.add_argument("--rows", type=int, default=1, help="so many libraries at a time")
    parser.add_argument("--time-limit", type=float, default=600, help="seconds for a function of Python")
    parser.add_argument("--include", default=str(ROOT), help="the folder that has assay/subject.h")
    parser.add_argument("--only", help="a regular expression for the anchor without version and card")
    parser.add_argument("--sizes", choices=["small", "real"], default="small", help="real: at published shapes")
    parser.add_argument("--update", action="store_true", help="writes what was seen into the atlas, and its pages")
    parser.add_argument("--update-corpora", action="store_true", help="writes smallest and hardest cases into corpora")
    parser.add_argument("--pages", action="store_true", help="writes the pages of the atlas, and asks nothing")
    options = parser.parse_args()
    if options.pages:
        pages.write(rows.answers())
        return 0
    if options.sizes == "real" and (options.update or options.update_corpora):
        parser.error("--sizes real: the atlas and the corpora have small cases")
    known = {rows.anchor(row): row for row in rows.answers()}
    asked = [row for row in rows.asked() if not options.only or re.search(options.only, rows.anchor_front(row))]
    if options.sizes == "real":
        asked = rows.at_published_shapes(asked)
    runs = []
    different = 0
    with concurrent.futures.ThreadPoolExecutor(options.rows) as several:
        waiting = [several.submit(judged, number, row, options, known) for number, row in enumerate(asked)]
        for future in concurrent.futures.as_completed(waiting):
            out, is_different, text = future.result()
            print(text, end="", flush=True)
            different += is_different
            if out is not None:
                runs.append(out)
    if options.update:
        pages.write(rows.answers())
    if options.update_corpora:
        for file in (HERE / "corpora").glob("*/*.json"):
            if file.stat().st_size > LARGEST_CASE:
                file.unlink()
    if runs:
        files = [word for kind, name in (("html", "report.html"), ("json", "summary.json"), ("markdown", "report.md"))
                 for word in (f"--{kind}", os.path.join(options.out, name))]
        report = subprocess.run([options.assay, "report", *sorted(runs), *files])
        if report.returncode not in (0, 1, 4):  # 1: a claim made for every kernel is violated; 4: a library crashed
            return report.returncode
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
