#!/usr/bin/env python3
"""A run of the score that its limit or a signal ends has the rows of the kernels that were judged, leaves no program
behind, and goes on where it ended: each kernel is judged with each seed, and none twice.

    continued.py

A shell script stands for the program `assay`. It finds each kernel correct, one of them only after a minute.
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

SCORE = pathlib.Path(__file__).resolve().parent / "score.py"
PROGRAM = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in --symbol) symbol=$2 ;; --seed) seed=$2 ;; esac
  shift
done
if [ "$symbol $seed" = "two_prod_f32_fma 19" ] && [ -e "{folder}/slow" ]; then
  sleep 60 &
  echo $! > "{folder}/pid.part"
  mv "{folder}/pid.part" "{folder}/pid"
  wait
fi
echo $symbol $seed >> "{folder}/judged"
"""


def runs(process):
    """Whether a process with this number runs: one that waits for its parent does not."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").split(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program, pid, slow = folder / "assay", folder / "pid", folder / "slow"
        program.write_text(PROGRAM.format(folder=folder), encoding="utf-8")
        program.chmod(0o755)
        slow.touch()
        command = [sys.executable, str(SCORE), "--assay", str(program), "--libraries", str(folder), "--right", "--only",
                   "two_prod_*", "--seed", "18", "19", "--jobs", "3", "--out", str(folder), "--continue"]
        document = lambda: json.loads((folder / "outside.json").read_text(encoding="utf-8"))
        judged = lambda: sorted((folder / "judged").read_text(encoding="utf-8").splitlines())

        def rows_of_ended(done):
            assert done.returncode == 3 and "1 of 16 kernels are left" in done.stdout, done
            assert document()["left"] == 1 and not (folder / "score.json").exists()
            assert not runs(pid.read_text(encoding="utf-8").strip())
            pid.unlink()
            return document()["rows"]

        first = rows_of_ended(subprocess.run([*command, "--limit", "8"], stdout=subprocess.PIPE, text=True, timeout=40))
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        while not pid.exists():
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=40)
        assert rows_of_ended(subprocess.CompletedProcess(command, process.returncode, output)) == first
        slow.unlink()
        other = subprocess.run([*command, "--tier", "nightly"], stderr=subprocess.PIPE, text=True)
        assert other.returncode == 1 and "another --tier" in other.stderr, other.stderr
        last = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=40)
        assert last.returncode == 0, last.stdout
        rows = document()["rows"]
        assert [each for each in rows if each in first] == first and document()["left"] == 0
        assert judged() == sorted(f"{row['symbol']} {row['seed']}" for row in rows) and len(set(judged())) == 16
        assert (folder / "score.json").exists()
        print(f"{len(first)} rows until the limit and until the signal, {len(rows)} in the end")
    return 0


if __name__ == "__main__":
    sys.exit(main())
