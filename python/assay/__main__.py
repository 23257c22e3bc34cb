"""`python -m assay replay ID --corpus FOLDER --subject 'python3 -m assay.subject MODULE:NAME'` repeats a saved case
without the program `assay`. `python -m assay judge-kernels FOLDER` judges candidates in place of models of torch
(docs/models.md). `python -m assay judge-times` measures the judge beside the kernels whose results it judges
(docs/python.md). If the program is installed, or the package brings it, it gets all other arguments."""

from __future__ import annotations

import argparse
import ctypes
import functools
import importlib
import json
import os
import shlex
import shutil
import sys
from pathlib import Path

from ._check import replay

#: The program, where the package brings it.
_PROGRAM = str(Path(__file__).parent / "_program" / "bin" / "assay")


def _function(subject: str) -> object:
    """The function that a command `… -m assay.subject MODULE:NAME` serves."""
    module, _, path = shlex.split(subject)[-1].partition(":")
    return functools.reduce(getattr, path.split("."), importlib.import_module(module))


def _file(corpus: Path, case: str) -> Path:
    if Path(case).is_file():
        return Path(case)
    found = sorted(corpus.glob(f"*/{case}*.json"))
    if len(found) != 1:
        raise SystemExit(f"{corpus}: {len(found)} cases with the id {case}")
    return found[0]


def _environment() -> dict[str, str]:
    """The variables of the program: where a machine lacks the library of C++, with the folder of the package's."""
    environment = dict(os.environ)
    try:
        ctypes.CDLL("libstdc++.so.6")
    except OSError:
        paths = [str(Path(__file__).parent / "_lib" / "fallback"), environment.get("LD_LIBRARY_PATH", "")]
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, paths))
    return environment


def program() -> None:
    """The command `assay` of a package that brings the program."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: list[str]) -> int:
    """Exit codes are those of the program: 0 if the contract of the case is kept, 1 if it is broken."""
    if arguments[:1] == ["judge-kernels"]:
        from ._kernels import main as judge_kernels

        return judge_kernels(arguments[1:])
    if arguments[:1] == ["judge-times"]:
        from ._times import main as judge_times

        return judge_times(arguments[1:])
    program = _PROGRAM if os.path.exists(_PROGRAM) else shutil.which("assay")
    if program is not None:
        os.execve(program, [program, *arguments], _environment())
    parser = argparse.ArgumentParser(prog="python -m assay", description="Asks a saved case again.")
    commands = parser.add_subparsers(dest="command", required=True)
    asked = commands.add_parser("replay", help="runs a saved case again")
    asked.add_argument("case", help="an id, or a file")
    asked.add_argument("--corpus", type=Path, default=Path("corpora"))
    asked.add_argument("--operation")
    asked.add_argument("--format")
    asked.add_argument("--subject", required=True, help="… -m assay.subject MODULE:NAME")
    asked.add_argument("--as", dest="family", default="subject")
    given = parser.parse_args(arguments)
    file = _file(given.corpus, given.case)
    claim = json.loads(file.read_text()).get("claim", "")
    judgments = replay(_function(given.subject), file, family=given.family)
    for contract, each in judgments.items():
        if each.verdict in ("kept", "broken"):
            print(f"{contract}: {each.verdict}, got {each.got}, exact {each.exact}")
    return int(claim in judgments and judgments[claim].verdict == "broken")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
