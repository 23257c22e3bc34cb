#!/usr/bin/env python3
"""Executes ci/action.yml and the workflows of examples/ci on this machine, with a program that is built already.

scenarios.py --assay PROGRAM --package FOLDER --library FILE SCENARIO

Exit code 77, with the reason, where a tool is missing. No scenario builds Assay: the cache of the runner has it.
"""

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


if importlib.util.find_spec("yaml") is None:
    skip(f"{sys.executable} has no PyYAML (python3-yaml)")
from workflow import ROOT, Runner  # noqa: E402

EXAMPLES = ROOT / "examples" / "ci"
PROJECT = Path(__file__).resolve().parent / "project"


class Stage:
    """A runner whose cache has the judge, in a folder of its own."""

    def __init__(self, options, folder):
        self.folder, self.prefix = Path(folder), Path(folder, "prefix")
        self._stage(options)
        self.fakes = self.folder / "bin"
        self.fakes.mkdir()
        cmake = shutil.which("cmake") or "false"
        # A call of these means that the cache was missed.
        no_build = '[ "$1" != --workflow ] || { echo "a build was begun"; exit 9; }'
        self.program("cmake", f'{no_build}\nexec {cmake} "$@"')
        for name in ("apt-get", "sudo"):
            self.program(name, 'echo "an installation was begun"; exit 9')
        dropped = re.compile("ASSAY_|GITHUB_|LIBASSAY_JUDGE$|PYTHONPATH$|CMAKE_PREFIX_PATH$")
        self.environment = {key: value for key, value in os.environ.items() if not dropped.match(key)}
        self.environment |= {"PATH": f"{self.fakes}:{os.environ['PATH']}", "PYTHON": sys.executable}
        self.environment |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTEST_ADDOPTS": "-p no:cacheprovider"}
        self.runner = Runner(self.folder / "runner", self.environment)
        key = subprocess.check_output([ROOT / "ci/install.sh", "--key"], env=self.environment, text=True)
        self.runner.caches[f"assay-judge-{key.strip()}"] = self.prefix

    def program(self, name, text):
        """Puts a shell script in front of a program of the machine."""
        file = self.fakes / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def _stage(self, options):
        """The prefix as `cmake --install` makes it."""
        if options.build:  # the whole package, for projects of CMake
            command = ["cmake", "--install", options.build, "--prefix", self.prefix]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            return
        for target, name in [(options.assay, "bin/assay"), (options.package, "lib/assay/python/assay"),
                             (options.library, "lib/libassay_judge.so.1")]:
            file = self.prefix / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.symlink_to(Path(target).resolve())

    def project(self, source, **changes):
        """A copy of a project, in which texts of files are replaced: file=(from, to), with _ for the dot."""
        copy = Path(tempfile.mkdtemp(dir=self.folder), "project")
        shutil.copytree(source, copy)
        for name, (before, after) in changes.items():
            file = copy / name.replace("_", ".")
            text = file.read_text()
            assert before in text, f"{file} has no '{before}'"
            file.write_text(text.replace(before, after))
        return copy

    def run(self, project, event="pull_request", code=0):
        result, workspace = self.runner.workflow(project, event)
        assert result.code == code, f"exit code {result.code}, not {code}:\n{result.log}"
        return result, workspace


def errors_of(result):
    return [each for each in result.annotations if each.level == "error"]


def ledger_entries(stage):
    return sum("-ledger-" in key for key in stage.runner.caches)


BROKEN = {"dot_c": ("total += x[i] * y[i]", "total += (float)(x[i] * y[i])")}


def a_contract_that_was_kept_before_is_a_failure(stage):
    result, _ = stage.run(stage.project(PROJECT), "push")
    assert "has it already" in result.log and not errors_of(result), result.log
    assert ledger_entries(stage) == 1
    result, _ = stage.run(stage.project(PROJECT))
    assert "Compared with entry 1" in result.summary and not errors_of(result), result.summary

    result, workspace = stage.run(stage.project(PROJECT, **BROKEN), code=1)
    (error,) = errors_of(result)
    assert error.where["file"] == "kernels.assay" and error.where["line"] == "2", error
    assert error.where["title"].startswith("mine.dot on host kept any_order"), error
    assert "|d̂ − d| ≤ γ" in error.message and "assay replay" in error.message, error
    assert "| `mine.dot on host` | `any_order` | **broken** |" in result.summary, result.summary
    tests = xml.parse(workspace / "assay-ci/junit/ledger.xml").getroot()
    assert tests.get("failures") != "0" and tests.find("testcase[@name='any_order']/failure") is not None

    stage.run(stage.project(PROJECT, **BROKEN), "push", code=1)
    assert ledger_entries(stage) == 1, "a run with a failure was recorded"


def without_the_cache_the_judge_is_built_once(stage):
    stage.runner.caches.clear()
    stage.program("dpkg-query", "echo installed")
    stage.program("locale", "echo de_DE.utf8")
    stage.program("cmake", f"""case "$1" in
      --version) echo "cmake version 3.25.1" ;;
      --workflow) [ "$*" = "--workflow --preset judge" ] && echo "the judge is built" ;;
      --install) cp -a '{stage.prefix}' "$4" ;;
    esac""")
    result, _ = stage.run(stage.project(PROJECT))
    assert result.log.count("the judge is built") == 1 and "installed in" in result.log, result.log
    result, _ = stage.run(stage.project(PROJECT))
    assert "the judge is built" not in result.log and "has it already" in result.log, result.log


def a_loss_that_is_accepted_is_a_warning_and_recorded(stage):
    stage.run(stage.project(PROJECT), "push")
    accepting = stage.project(PROJECT, **BROKEN)
    file = accepting / ".github/workflows/accuracy.yml"
    file.write_text(file.read_text().replace("'yes'", "'accept'"))
    result, _ = stage.run(accepting, "push")
    assert [each.level for each in result.annotations] == ["warning"], result.annotations
    result, _ = stage.run(stage.project(PROJECT, **BROKEN))
    assert "Compared with entry 2" in result.summary and not result.annotations, result.summary


def what_is_missing_is_one_line(stage):
    lost = stage.project(PROJECT)
    (lost / "kernels.assay").unlink()
    result, _ = stage.run(lost, code=2)
    (error,) = errors_of(result)
    assert error.where["file"] == "kernels.assay" and error.message == "No such file or directory", error

    result, _ = stage.run(stage.project(PROJECT, kernels_assay=("libmine.so", "libother.so")), code=2)
    (error,) = errors_of(result)
    assert error.where["line"] == "2", error
    assert error.message == "assay: ./libother.so: cannot open shared object file: No such file or directory", error

    result, _ = stage.run(stage.project(PROJECT, dot_c=("double my_dot", "doubl my_dot")), code=2)
    (error,) = errors_of(result)
    assert error.where["title"] == "prepare ended with 1" and "unknown type name" in error.message, error

    result, _ = stage.run(stage.project(PROJECT, kernels_assay=("--operation", "# --operation")), code=2)
    assert "nothing to judge" in errors_of(result)[0].message, result.log


def without_a_device_a_line_for_it_is_skipped_and_no_pass(stage):
    if Path("/dev/nvidiactl").exists():
        skip("there is a device")
    project = stage.project(PROJECT)
    file = project / ".github/workflows/accuracy.yml"
    file.write_text(re.sub("record: .*", "executor: cuda", file.read_text()))
    result, _ = stage.run(project, code=77)
    (notice,) = [each for each in result.annotations if each.level == "notice"]
    assert notice.where["title"] == "skipped" and notice.where["line"] == "2", notice


def the_shell_form_says_it_without_github(stage):
    project, broken = stage.project(PROJECT), stage.project(PROJECT, **BROKEN)

    def shell(*arguments):
        command = [ROOT / "ci/check.sh", "--kernels", "kernels.assay", *arguments]
        environment = {**stage.environment, "JUDGE_PREFIX": str(stage.prefix)}
        return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)

    compile_it = "cc -O2 -shared -fPIC dot.c -o libmine.so"
    green = shell("--prepare", compile_it, "--record", "yes")
    assert green.returncode == 0 and "mine.dot on host: keeps any_order" in green.stdout, green
    assert (project / "assay-ledger.sqlite").exists() and (project / "assay-ci/report.html").exists()
    shutil.copy(broken / "dot.c", project)
    red = shell("--prepare", compile_it)
    assert red.returncode == 1, red
    assert "\nkernels.assay:2: error: mine.dot on host kept any_order" in red.stderr, red.stderr


def example(name, tool, **wrong):
    """The example is green by its own workflow, and red with a mistake. wrong: file=(from, to), and `told`: the exit
    code and a part of an annotation, as FILE:LINE: TITLE."""

    def scenario(stage):
        if shutil.which(tool) is None and importlib.util.find_spec(tool) is None:
            skip(f"{tool} is not installed")
        code, title = wrong.pop("told")
        result, workspace = stage.run(stage.project(EXAMPLES / name), "push")
        assert not errors_of(result), result.log
        assert list((workspace / "assay-ci/junit").glob("*.xml")), result.log
        result, _ = stage.run(stage.project(EXAMPLES / name, **wrong), "push", code=code)
        places = [each.where for each in errors_of(result)]
        lines = [f"{where.get('file')}:{where.get('line')}: {where['title']}" for where in places]
        assert any(re.search(title, each) for each in lines), lines

    return scenario


def triton(stage):
    """Green on a machine with a GPU; elsewhere the run says why it skips, and does not count as passed."""
    missing = next((each for each in ("torch", "triton") if importlib.util.find_spec(each) is None), None)
    device = [sys.executable, "-c", "import torch; torch.zeros(1).cuda()"]
    if missing is None and subprocess.run(device, capture_output=True).returncode == 0:
        stage.run(stage.project(EXAMPLES / "triton"), "push")
        return
    result, _ = stage.run(stage.project(EXAMPLES / "triton"), "push", code=77)
    reasons = [each.message.removeprefix("skipped: ") for each in result.annotations if each.level == "notice"]
    assert reasons, result.log
    skip("; ".join(reasons))


SCENARIOS = {
    **{each.__name__: each for each in (
        a_contract_that_was_kept_before_is_a_failure,
        a_loss_that_is_accepted_is_a_warning_and_recorded,
        what_is_missing_is_one_line,
        without_the_cache_the_judge_is_built_once,
        without_a_device_a_line_for_it_is_skipped_and_no_pass,
        the_shell_form_says_it_without_github,
    )},
    "example.fortran": example("fortran", "gfortran", dot_f90=("mod(n, 2_c_size_t) == 1", "n == 1"),
                               told=(1, r"^kernels.assay:2: pairs.dot on host kept any_order")),
    "example.rust": example("rust", "rustc", dot_rs=("error += a.mul_add(b, -product) + ", "error += "),
                            told=(1, r"kernels.assay:2: dot2.dot/compensated on host$")),
    "example.pytest": example("pytest", "numpy", kernels_py=("range(0, len(x), 32)", "range(0, len(x) - 1, 32)"),
                              told=(1, r"test_kernels.py:\d+: test_blocked_dot_keeps_the_bound_of_any_order$")),
    "example.googletest": example("googletest", "cmake", dot_hpp=("if (i < x", "if (i + 1 < x"),
                                  told=(1, r"^dot_test.cpp:\d+: Dot.KeepsItsBoundForOneTerm$")),
    "example.triton": triton,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assay", help="the program")
    parser.add_argument("--package", help="the folder of the Python package")
    parser.add_argument("--library", help="libassay_judge.so")
    parser.add_argument("--build", help="a build folder, all of which is installed in place of these three")
    parser.add_argument("scenario", choices=SCENARIOS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        SCENARIOS[options.scenario](Stage(options, folder))


if __name__ == "__main__":
    main()
