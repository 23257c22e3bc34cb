#!/usr/bin/env python3
"""The outside score: which wrong kernels the program refuses and which correct ones it accepts, each with the contracts
that its author would claim.

    score.py --assay build/host/bin/assay --libraries build/host/bin

writes outside.json, a row for each kernel and seed, and score.json and outside.md, a table by operation: `assay report`
shows score.json. `--table FILE …` makes the tables from the rows of such files. The exit code is 1 if a kernel is not
judged as it should be and known.txt does not list it, or if known.txt lists one that is judged as it should be. A kernel
whose reason begins with "sometimes" may be judged either way.

A run that `--limit` or a signal ends kills the programs that still run and writes outside.json alone; its exit code is 3
if it found no such kernel. The same command with `--continue` judges the kernels that are left.
"""

import argparse
import concurrent.futures
import datetime
import fnmatch
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import kernels

HERE = pathlib.Path(__file__).resolve().parent
#: The meaning of the exit codes of `assay check` for a kernel; with other codes there is no verdict.
VERDICTS = {0: "accepted", 1: "refused", 3: "undecided", 4: "refused"}


def known_rows(path):
    """The symbols that are not judged as they should be, with the reasons."""
    rows = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        symbol, separator, reason = line.partition(" ")
        if not separator or not reason.strip():
            raise SystemExit(f"{path}:{number}: a symbol and a reason are needed")
        rows[symbol] = reason.strip()
    return rows


def numbers_in(value):
    return sum(map(numbers_in, value)) if isinstance(value, list) else 1


def broken_claims(folder):
    """The claims that were violated, and the count of numbers in the smallest counterexample."""
    claims, sizes = set(), []
    for path in sorted((folder / "cases").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.get("why") == "hardest":
            continue
        claims.add(document["claim"])
        fields = list(document["case"].values())
        lists = [each for each in fields if isinstance(each, list)]
        sizes.append(sum(map(numbers_in, lists or fields)))
    return sorted(claims), min(sizes, default=None)


class Programs:
    """Programs that run together until stop(): it kills them with their child processes, and none begins after it."""

    def __init__(self):
        self._lock = threading.RLock()  # stop() may interrupt itself, as the handler of a signal
        self._running = set()
        self.are_stopped = False

    def stop(self, *_):
        with self._lock:
            self.are_stopped = True
            for process in self._running:
                os.killpg(process.pid, signal.SIGKILL)

    def timed(self, command, environment):
        """The exit code, the output and the processor time of a command and its child processes; nothing if it was
        stopped."""
        with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
            with self._lock:
                if self.are_stopped:
                    return None
                process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment,
                                           start_new_session=True)
                self._running.add(process)
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            with self._lock:  # the number of the process is not given away before it has left the set
                self._running.remove(process)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
                if self.are_stopped:
                    return None
            output.seek(0)
            return process.returncode, output.read(), usage.ru_utime + usage.ru_stime


def judge(kernel, seed, programs, arguments):
    """The row of a kernel; nothing if the programs were stopped."""
    library = pathlib.Path(arguments.libraries) / f"libassay_outside_{kernel.library}.so"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="outside-"))
    command = [arguments.assay, "check", "--operation", kernel.operation, "--format", kernel.format, "--subject",
               str(library), "--symbol", kernel.symbol, "--out", str(folder), "--overwrite", "--jobs", "1"]
    for contract in () if arguments.ladder else kernel.contracts:
        command += ["--contract", contract]
    for option, value in (("tier", arguments.tier), ("cases", arguments.cases), ("seed", seed)):
        if value is not None:
            command += [f"--{option}", value]
    if arguments.no_shrink:
        command.append("--no-shrink")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    environment["ASSAY_PROGRESS"] = "none"
    try:
        done = programs.timed(command, environment)
        if done is None:
            return None
        code, output, seconds = done
        claims, size = broken_claims(folder) if code in (1, 4) else ([], None)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    right = kernel.is_right
    verdict = VERDICTS.get(code, "no verdict")
    row = {"operation": kernel.operation, "format": kernel.format, "symbol": kernel.symbol,
           "kind": "right" if right else "wrong", "contracts": list(kernel.contracts), "fault": kernel.fault,
           "verdict": verdict, "as_stated": verdict == ("accepted" if right else "refused"), "exit_code": code,
           "broken": claims, "counterexample_numbers": size, "seconds": round(seconds, 3)}
    if seed is not None:
        row["seed"] = seed
    if not row["as_stated"]:
        row["command"] = " ".join(command[:10] + command[15:])
        row["output"] = output[-2000:]
    return row


def chosen(all_kernels, arguments):
    """The kernels that are tested."""
    if arguments.sample:
        names = [line for line in (HERE / "sample.txt").read_text(encoding="utf-8").split()]
        by_symbol = {each.symbol: each for each in all_kernels}
        missing = [name for name in names if name not in by_symbol]
        if missing:
            raise SystemExit(f"sample.txt: no kernel {missing[0]}")
        return [by_symbol[name] for name in names]
    matching = [each for each in all_kernels
                if fnmatch.fnmatchcase(each.symbol, arguments.only) and (each.is_right or not arguments.right)]
    if arguments.one_of_each:
        matching = list({(each.operation, each.format): each for each in reversed(matching)}.values())[::-1]
    return matching[arguments.first::arguments.step]


def by_operation(rows):
    """The score for each operation, and for all of them."""
    def counts(operation, of):
        wrong = [row["as_stated"] for row in of if row["kind"] == "wrong"]
        right = [row["as_stated"] for row in of if row["kind"] == "right"]
        return {"operation": operation, "wrong": len(wrong), "refused": sum(wrong), "right": len(right),
                "accepted": sum(right), "seconds": round(statistics.median(row["seconds"] for row in of), 3)}
    operations = sorted({row["operation"] for row in rows})
    return [counts(each, [row for row in rows if row["operation"] == each]) for each in operations], counts("all", rows)


def table(rows):
    """The score by operation, in Markdown."""
    lines = ["| operation | wrong | refused | right | accepted | median s | longest s | median numbers |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    operations, whole = by_operation(rows)
    for each in [*operations, whole]:
        of = [row for row in rows if each["operation"] in (row["operation"], "all")]
        sizes = [row["counterexample_numbers"] for row in of if row["counterexample_numbers"] is not None]
        cells = [each["operation"], each["wrong"], each["refused"], each["right"], each["accepted"],
                 f"{each['seconds']:.1f}", f"{max(row['seconds'] for row in of):.1f}",
                 f"{statistics.median(sizes):g}" if sizes else "–"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


def unexpected(rows, known):
    """Lines about rows that disagree with known.txt."""
    lines = []
    for row in rows:
        if known.get(row["symbol"], "").startswith("sometimes"):
            continue
        if row["as_stated"] == (row["symbol"] in known):
            if row["as_stated"]:
                lines.append(f"{row['symbol']}: {row['verdict']}, as it should be, but known.txt lists it")
            else:
                what = ", ".join(row["broken"]) or f"exit code {row['exit_code']}"
                lines.append(f"{row['symbol']}: {row['kind']}, but {row['verdict']} ({what}); {row['command']}")
    return lines


def slow(rows, most):
    """Lines about answers that took more processor time."""
    return [f"{row['symbol']}: {row['seconds']} s of processor time, more than {most:g} s" for row in rows
            if row["seconds"] > most]


def longest_first(asked):
    """Kernels and seeds by the time of the operation in the last whole score, so that no long one begins at the end."""
    score = json.loads((HERE / "score.json").read_text(encoding="utf-8"))
    seconds = {each["operation"]: each["seconds"] for each in score["operations"]}
    return sorted(asked, key=lambda each: -seconds.get(each[0].operation, float("inf")))


def write_rows(rows, left, arguments):
    """Writes outside.json, whole or not at all."""
    options = {name: getattr(arguments, name) for name in ("tier", "cases", "ladder", "no_shrink")}
    document = {"schema": 1, "options": options, "left": left, "rows": rows,
                "processor_seconds": round(sum(row["seconds"] for row in rows), 1)}
    path = arguments.out / "outside.json"
    path.with_suffix(".part").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    path.with_suffix(".part").replace(path)


def earlier_rows(arguments):
    """The rows of a run with the same options that was stopped, if there was one."""
    path = arguments.out / "outside.json"
    if not path.exists():
        return []
    document = json.loads(path.read_text(encoding="utf-8"))
    for name, value in document["options"].items():
        if getattr(arguments, name) != value:
            raise SystemExit(f"{path}: its rows were made with another --{name.replace('_', '-')}")
    return document["rows"]


def judge_all(asked, rows, arguments):
    """Adds the rows of the kernels and seeds to rows, as far as the limit allows, and writes them now and then."""
    programs = Programs()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, programs.stop)
    clock = threading.Timer(arguments.limit, programs.stop)
    if arguments.limit < float("inf"):
        clock.start()
    whole, written = len(rows) + len(asked), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = [pool.submit(judge, kernel, seed, programs, arguments) for kernel, seed in longest_first(asked)]
        for done in concurrent.futures.as_completed(runs):
            row = done.result()
            if row is None:
                continue
            rows.append(row)
            if arguments.verbose:
                print(row["symbol"], row["kind"], row["verdict"], row["seconds"], file=sys.stderr, flush=True)
            if time.monotonic() > written + 10:
                write_rows(rows, whole - len(rows), arguments)
                written = time.monotonic()
    clock.cancel()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", help="the program")
    parser.add_argument("--libraries", help="the folder of the libraries of kernels")
    parser.add_argument("--table", nargs="+", type=pathlib.Path, help="files of rows, which are not judged again")
    parser.add_argument("--known", type=pathlib.Path, default=HERE / "known.txt", help="rows that are known to differ")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), help="where outside.json and .md go")
    parser.add_argument("--sample", action="store_true", help="the kernels of sample.txt alone")
    parser.add_argument("--only", default="*", help="a pattern of symbols")
    parser.add_argument("--right", action="store_true", help="the right kernels alone")
    parser.add_argument("--one-of-each", action="store_true", help="one kernel of each operation and format")
    parser.add_argument("--ladder", action="store_true", help="no contract is promised: all of the ladder are judged")
    parser.add_argument("--most-seconds", type=float, default=float("inf"),
                        help="an answer that takes more processor time is a failure")
    parser.add_argument("--first", type=int, default=0, help="the number of the first kernel")
    parser.add_argument("--step", type=int, default=1, help="each step-th kernel")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("--limit", type=float, default=float("inf"), help="seconds after which the run ends")
    parser.add_argument("--continue", dest="goes_on", action="store_true",
                        help="keep the rows of a run that was ended, in --out, and judge the kernels that are left")
    parser.add_argument("--tier")
    parser.add_argument("--cases")
    parser.add_argument("--seed", nargs="+", default=[None], help="each kernel is judged with each of these seeds")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="a line for each kernel when it is judged")
    arguments = parser.parse_args()
    known = known_rows(arguments.known)
    all_kernels = kernels.kernels()
    lost = sorted(set(known) - {each.symbol for each in all_kernels})
    if lost:
        raise SystemExit(f"{arguments.known}: no kernel {lost[0]}")
    rows = []
    for path in arguments.table or []:
        rows += json.loads(path.read_text(encoding="utf-8"))["rows"]
    asked = [] if arguments.table else [(each, seed) for seed in arguments.seed
                                        for each in chosen(all_kernels, arguments)]
    if asked and not (arguments.assay and arguments.libraries):
        parser.error("--assay and --libraries are needed, or --table")
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.goes_on:
        rows += earlier_rows(arguments)
        judged = {(row["symbol"], row.get("seed")) for row in rows}
        asked = [(kernel, seed) for kernel, seed in asked if (kernel.symbol, seed) not in judged]
    whole = len(rows) + len(asked)
    judge_all(asked, rows, arguments)
    left = whole - len(rows)
    if not whole:
        raise SystemExit("no kernel was asked")
    places = {each.symbol: i for i, each in enumerate(all_kernels)}
    rows.sort(key=lambda row: (row.get("seed") or "", places.get(row["symbol"], -1)))
    for row in rows:
        if row["symbol"] in known:
            row["known"] = known[row["symbol"]]
    write_rows(rows, left, arguments)
    if not left:
        operations, of_all = by_operation(rows)
        score = {"date": datetime.date.today().isoformat(), "operations": operations, "all": of_all}
        (arguments.out / "score.json").write_text(json.dumps(score, indent=1) + "\n", encoding="utf-8")
        (arguments.out / "outside.md").write_text(table(rows), encoding="utf-8")
    if rows:
        print(table(rows), end="")
    lines = unexpected(rows, known) + slow(rows, arguments.most_seconds)
    for line in lines:
        print(line)
    if left:
        print(f"{left} of {whole} kernels are left: --continue judges them")
    return 1 if lines else 3 if left else 0


if __name__ == "__main__":
    sys.exit(main())
