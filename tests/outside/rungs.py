#!/usr/bin/env python3
"""Whether some correct kernel needs each contract of a ladder: the correct kernels of the outside score are judged
without a promise, and each contract about an error must be the strongest that one of them keeps.

    rungs.py --assay build/host/bin/assay --libraries build/host/bin

writes rungs.json and prints the contracts that no kernel has as its strongest, and the operations without a kernel;
the exit code is 1 if there is one. elsewhere.py has the kernels of operations that are not in the score.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import elsewhere
import kernels

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "libraries"))
import printed  # noqa: E402


def ladder(kernel, arguments):
    """The result of `assay check` for a kernel without promises: the strongest contracts that it keeps."""
    name = kernel.library if kernel.library.startswith("hostile_") else f"outside_{kernel.library}"
    library = pathlib.Path(arguments.libraries) / f"libassay_{name}.so"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rungs-"))
    command = [arguments.assay, "check", "--operation", kernel.operation, "--format", kernel.format, "--subject",
               str(library), "--symbol", kernel.symbol, "--out", str(folder), "--overwrite", "--jobs", "1",
               "--no-shrink", "--progress", "none"]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    found = printed.ladder(done.stdout)
    return {"operation": kernel.operation, "format": kernel.format, "symbol": kernel.symbol,
            "claims": list(kernel.contracts), "keeps": found["keeps"] if found else [], "exit_code": done.returncode,
            **({} if found else {"output": (done.stdout + done.stderr)[-1000:]})}


def contracts_of(arguments):
    """The contracts about an error of each operation, with the formats that have them."""
    told = subprocess.run([arguments.assay, "contracts", "--json"], capture_output=True, text=True, check=True).stdout
    return {operation["name"]: {contract["id"]: contract["formats"] or operation["formats"]
                                for contract in operation["contracts"]
                                if contract["is_about_error"] and contract["is_rung"]}
            for operation in json.loads(told)["operations"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assay", required=True, help="the program")
    parser.add_argument("--libraries", required=True, help="the folder of the libraries of kernels")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), help="where rungs.json goes")
    parser.add_argument("--only", default="*", help="a pattern of symbols")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    arguments = parser.parse_args()
    asked = [each for each in [*kernels.kernels(), *elsewhere.kernels()]
             if each.is_right and fnmatch.fnmatchcase(each.symbol, arguments.only)]
    rows = []
    arguments.out.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for row in concurrent.futures.as_completed(pool.submit(ladder, kernel, arguments) for kernel in asked):
            rows.append(row.result())
            (arguments.out / "rungs.json").write_text(json.dumps({"schema": 1, "rows": rows}, indent=1) + "\n")
    strongest = {(row["operation"], contract) for row in rows for contract in row["keeps"]}
    operations = {row["operation"] for row in rows}
    all_contracts = contracts_of(arguments)
    idle = [(operation, contract, formats) for operation, contracts in sorted(all_contracts.items())
            for contract, formats in contracts.items()
            if operation in operations and (operation, contract) not in strongest]
    for operation, contract, formats in idle:
        print(f"{operation}/{contract} ({', '.join(formats)}): the strongest of no kernel")
    without = sorted(set(all_contracts) - operations) if arguments.only == "*" else []
    for operation in without:
        print(f"{operation}: without a kernel")
    for row in rows:
        if "output" in row:
            print(f"{row['symbol']}: no ladder, exit code {row['exit_code']}")
    return 1 if idle or without else 0


if __name__ == "__main__":
    sys.exit(main())
