"""What ctest runs: `run.py doctests PAGE…`, `run.py suite FILE…` by pytest, `run.py installed LIBRARY`.

installed: installs a copy of the package with pip into a virtual environment, without a network, and runs
examples/pytest there. Exit code 77, with a line, where a package of the distribution is missing.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

#: pytest's exit code where every file was skipped.
NOTHING_RAN = 5
PYTHON = Path(__file__).resolve().parent.parent


def need(*modules):
    missing = [each for each in modules if importlib.util.find_spec(each) is None]
    if missing:
        print(f"skipped: {sys.executable} has no {', '.join(missing)}")
        sys.exit(77)


def run(*command, **options):
    ended = subprocess.run([str(each) for each in command], **options)
    if ended.returncode:
        sys.exit(77 if ended.returncode == NOTHING_RAN else ended.returncode)


def installed(library):
    need("venv", "pip", "numpy", "pytest", "hypothesis")
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work, "python")
        shutil.copytree(PYTHON, copy, ignore=shutil.ignore_patterns("build", "__pycache__"))
        suite = shutil.copytree(PYTHON.parent / "examples" / "pytest", Path(work, "suite"))
        clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "LIBASSAY_JUDGE")}
        # The pip of the distribution installs. Unpacking another one into the environment takes seconds.
        run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", Path(work, "venv"), env=clean)
        python = Path(work, "venv", "bin", "python")
        install = [python, "-m", "pip", "install", "--quiet", "--no-index", copy]
        folder, name = Path(library).resolve().parent, Path(library).name  # a relative path, as one types it in a shell
        run(*install, env={**clean, "PWD": str(folder), "LIBASSAY_JUDGE": name}, cwd=folder)
        alone = (
            "import importlib.metadata, pathlib, assay._native as native;"
            "version = native.library().assay_judge_version().decode();"
            "assert version == importlib.metadata.version('assay'), version;"
            "folder = str(pathlib.Path(native.__file__).parent / '_lib');"
            "needed = ('libgmp', 'libmpfr', 'libflint');"
            "loaded = {l.split()[-1] for l in open('/proc/self/maps') if any(each in l for each in needed)};"
            "assert loaded and all(each.startswith(folder) for each in loaded), loaded"
        )
        run(python, "-c", alone, env=clean, cwd=work)
        run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", suite, env=clean, cwd=work)


if __name__ == "__main__":
    what, *arguments = sys.argv[1:]
    with tempfile.TemporaryDirectory() as here:  # Hypothesis writes to the folder where it runs
        if what == "suite":
            need("pytest", "numpy")
            run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments, cwd=here)
        elif what == "doctests":
            need("numpy", "hypothesis")
            run(sys.executable, PYTHON / "tests" / "doctests.py", *arguments, cwd=here)
        else:
            installed(*arguments)
