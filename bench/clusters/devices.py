#!/usr/bin/env python3
"""How much faster several devices of one machine are than one of them.

    python3 bench/clusters/devices.py --assay build/default/bin/assay

Runs the catalog on the device, the device judge and a hunt by one rank and by one rank for each device, under Open MPI.
A rank has the same number of cores in both runs: the machine's, divided by the number of ranks. The device judge and
the hunt get as many cases as one rank judges in about --seconds, which must be many: both runs begin with processes
and devices, for a second or two. The results must be the same. Prints a line for each run, and one for each workload:
the seconds of both runs as the program wrote them, the ratio, and the required ratio: 0.95 of the number of ranks for
the device judge and the hunt, 3/4 of it for the catalog. Workloads that are not done within --budget seconds are
skipped. Exit code 0: every ratio reaches its requirement; 1: one does not, or a run failed; 77, with one line: there
are fewer than two devices, no mpirun, or a build without MPI. --on host measures slices of cores instead.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
RESULTS = {"catalog": "summary.json", "device judge": "probes.json", "hunt": "hunt.json"}
OF_EACH_RANK = {"catalog": 0.75, "device judge": 0.95, "hunt": 0.95}


def devices():
    """The number of devices of the machine, or of those that CUDA_VISIBLE_DEVICES lists."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return len([each for each in visible.split(",") if each])
    return len([file for file in pathlib.Path("/dev").glob("nvidia[0-9]*") if file.name[6:].isdigit()])


def result(file):
    """The content of a file of results, without the seconds: the seconds of the rows are returned separately."""
    document = json.loads(file.read_text())
    del document["checksum"]
    rows = document.get("rows", [])
    return document, sum(row.pop("seconds") for row in rows) if rows else None


class Failed(Exception):
    pass


class Machine:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.end = time.monotonic() + options.budget
        self.environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                OMPI_MCA_btl_vader_single_copy_mechanism="none")

    def run(self, name, ranks, words):
        """Runs the words of a command on this many ranks. Their results, and their seconds."""
        out = self.folder / f"run{len(list(self.folder.iterdir()))}"
        command = [self.options.mpirun, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), self.options.assay,
                   *words, "--mpi", "--on", self.options.on, "--jobs", str(self.options.jobs), "--out", str(out),
                   "--progress", "none"]
        what = f"{' '.join(words)} by {ranks} ranks"
        left = max(1.0, self.end - time.monotonic())
        try:
            done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=left)
        except subprocess.TimeoutExpired:
            raise Failed(f"{what}: not done within --budget") from None
        if "no MPI" in done.stderr:
            print(f"skipped: {done.stderr.splitlines()[0]}")
            sys.exit(SKIPPED)
        # 3: a claim that this few cases do not reach.
        if done.returncode not in (0, 3):
            raise Failed(f"{what}: exit code {done.returncode}: {done.stderr[-500:]}")
        found, seconds = result(out / RESULTS[name])
        if seconds is None:
            seconds = json.loads((out / "run.json").read_text())["milliseconds"] / 1000
        print(f"    {what}: {seconds:.1f} s", flush=True)
        return found, seconds

    def measured(self, name, words):
        """A workload of fixed size by one rank: its words, its findings and its seconds."""
        return words, *self.run(name, 1, words)

    def sized(self, name, words, option, count):
        """The same of a workload with as many cases as take one rank at least 3/4 of --seconds."""
        while True:
            sized = [*words, option, str(count)]
            found, seconds = self.run(name, 1, sized)
            if seconds >= 0.75 * self.options.seconds:
                return sized, found, seconds
            # The start takes most of a short run.
            count = int(count * self.options.seconds / max(seconds, self.options.seconds / 64))

    def compared(self, name, words, found_by_one, seconds_of_one):
        """One rank and all ranks: prints the ratio. Whether it reaches the requirement."""
        ranks = self.options.ranks
        found_by_all, seconds_of_all = self.run(name, ranks, words)
        if found_by_one != found_by_all:
            raise Failed(f"{name}: 1 rank and {ranks} ranks found different things")
        ratio = seconds_of_one / seconds_of_all
        asked = OF_EACH_RANK[name] * ranks
        print(f"{name}: 1 rank {seconds_of_one:.1f} s, {ranks} ranks {seconds_of_all:.1f} s, ratio {ratio:.2f}, "
              f"asked for {asked:.2f}: {'yes' if ratio >= asked else 'NO'}    ({' '.join(words)})", flush=True)
        return ratio >= asked


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assay", default="build/default/bin/assay", help="the program")
    parser.add_argument("--mpirun", default=shutil.which("mpirun"), help="Open MPI's mpirun")
    parser.add_argument("--on", default="cuda", choices=("cuda", "host"), help="where the ranks compute")
    parser.add_argument("--ranks", type=int, help="so many ranks instead of one for each device")
    parser.add_argument("--jobs", type=int, help="so many workers for each rank")
    parser.add_argument("--seconds", type=float, default=150, help="of one rank, for the device judge and the hunt")
    parser.add_argument("--budget", type=float, default=1200, help="seconds for all")
    parser.add_argument("--catalog", nargs="*", default=[], help="these properties of it")
    parser.add_argument("--cases", help="so many for each property of the catalog, instead of the quick tier's")
    parser.add_argument("--measure-only", action="store_true", help="exit code 0 whatever the ratios are")
    parser.add_argument("--only", default="device judge,hunt,catalog", help="the workloads")
    options = parser.parse_args()
    if options.ranks is None:
        options.ranks = devices()
    if options.ranks < 2:
        print("skipped: there are fewer than two devices")
        return SKIPPED
    if options.mpirun is None:
        print("skipped: there is no mpirun")
        return SKIPPED
    if options.jobs is None:
        options.jobs = max(1, len(os.sched_getaffinity(0)) // options.ranks)
    options.assay = str(pathlib.Path(options.assay).resolve())
    cases = ["--cases", options.cases] if options.cases else []
    first = 10**10 if options.on == "cuda" else 10**6
    judged = ["check", "dw.accurate_add", "--judge", "device"]
    hunted = ["hunt", "dw.accurate_add/error"]
    asked = ["check", *options.catalog, "--quiet", *cases]
    by_one_rank = {
        "device judge": lambda of, name: of.sized(name, judged, "--cases", first),
        "hunt": lambda of, name: of.sized(name, hunted, "--evaluations", first),
        "catalog": lambda of, name: of.measured(name, asked),
    }
    print(f"{options.ranks} ranks of {options.jobs} workers on {options.on}", flush=True)
    good = True
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(options, folder)
        for name in options.only.split(","):
            try:
                good = (machine.compared(name, *by_one_rank[name](machine, name)) or options.measure_only) and good
            except Failed as failed:
                print(failed, flush=True)
                good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
