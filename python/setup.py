"""Puts the judge's library, and the libraries that it needs, into the package."""

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
# Every machine has these; the C++ library must not be older than that of the machine that built the wheel.
OF_THE_MACHINE = re.compile(r"lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so|ld-linux|linux-vdso")


def judge(build_folder):
    """The library of the judge: the one that LIBASSAY_JUDGE names, else one that CMake builds."""
    named = os.environ.get("LIBASSAY_JUDGE")
    if named:
        return Path(named).resolve()
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DASSAY_FAST_BUILD=ON", "-DASSAY_CUDA=OFF"]
    options += [f"-DASSAY_{part}=OFF" for part in ("TESTS", "BENCH", "EXAMPLES", "INSTALL")]
    subprocess.run(["cmake", "-S", HERE.parent, "-B", build_folder, *options], check=True)
    subprocess.run(["cmake", "--build", build_folder, "--target", "assay_judge", "--parallel"], check=True)
    return (build_folder / "lib" / "libassay_judge.so").resolve()


def needed(library):
    """Name and file of the shared libraries that a library needs and that not every machine has."""
    told = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", told, re.MULTILINE))
    missing = re.findall(r"^\s*(\S+) => not found", told, re.MULTILINE)
    if missing:
        raise SystemExit(f"{library} needs {', '.join(missing)}, which was not found")
    return {name: Path(file) for name, file in found.items() if not OF_THE_MACHINE.match(name)}


def copyright_of(file):
    """The file in which the distribution states copyright and license of a library's file; None where it has none."""
    for path in (file, file.resolve(), Path("/usr") / file.relative_to("/")):
        if not shutil.which("dpkg-query"):
            return None
        told = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if told.returncode == 0:
            stated = Path("/usr/share/doc") / told.stdout.split(":")[0] / "copyright"
            return stated if stated.exists() else None
    return None


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        folder = Path(self.build_lib) / "assay" / "_lib"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        library = judge(Path(self.get_finalized_command("build").build_temp).resolve() / "judge")
        shutil.copy(library, folder / "libassay_judge.so.1")
        notices = (HERE / "NOTICES.txt").read_text()
        for name, file in needed(library).items():
            stem = name.split(".so")[0]
            if not re.search(rf"^{re.escape(stem)} ", notices, re.MULTILINE):
                raise SystemExit(f"{name}: NOTICES.txt does not tell its license")
            shutil.copy(file, folder / name)
            stated = copyright_of(file)
            if stated is not None:
                shutil.copy(stated, folder / f"{stem}.copyright.txt")
        shutil.copy(HERE / "NOTICES.txt", folder)


class WheelOfThisMachine(bdist_wheel):
    """For any Python 3, on machines like this one."""

    def get_tag(self):
        return "py3", "none", re.sub(r"[-.]", "_", sysconfig.get_platform())


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(distclass=WithLibrary, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelOfThisMachine})
