"""Makes the wheel (PEP 517): the package, the library of the judge, and the libraries that it needs.

Only Python's own library is used, so that pip needs no network and no other package.

`python3 python/build_wheel.py --release [FOLDER]` makes one for other machines: without symbols, and with the name
of the oldest C library that it runs with. It needs `strip` of binutils. If LIBASSAY_JUDGE names the library of a build that
has the program `assay` as well, the wheel brings the program; that needs `patchelf`.
"""

import atexit
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME, VERSION = "assay", "0.1.0"
# Every machine has these; the C++ library must not be older than that of the machine that built the wheel.
OF_THE_MACHINE = re.compile(r"lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so|ld-linux|linux-vdso")

METADATA = f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: Numerical functions held to theorems about their error
Requires-Python: >=3.10
Description-Content-Type: text/markdown

"""
#: Bytes of a wheel for other machines.
LARGEST = 30_000_000
#: The program in the package.
PROGRAM = "_program/bin/assay"
ENTRY_POINTS = "[pytest11]\nassay = assay.pytest_plugin\n"
OF_PROGRAM = "[console_scripts]\nassay = assay.__main__:program\n"


def judge():
    """The library of the judge: the one that LIBASSAY_JUDGE names, else one that CMake builds."""
    named = os.environ.get("LIBASSAY_JUDGE")
    if named:
        # pip works in the folder of the package: a relative path is of the folder that its caller is in.
        file = (Path(os.environ.get("PWD", ".")) / named).resolve()
        if not file.is_file():
            raise SystemExit(f"LIBASSAY_JUDGE names {file}, which is no file; it takes libassay_judge.so of a build")
        return file
    return built()


def tool(names, what):
    """The first of the programs that is installed; the build ends with a line where none is."""
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    raise SystemExit(
        f"Assay's judge is built from source, and {what} is missing: install {' or '.join(names)}, "
        "or name a built libassay_judge.so in LIBASSAY_JUDGE"
    )


def cores():
    """How many compilers run at once: one a core that this process may use, or fewer where CMake's variable asks so."""
    asked = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", "")
    return min(len(os.sched_getaffinity(0)), int(asked) if asked.isdigit() and int(asked) > 0 else 1 << 20)


def missing_library(output):
    """The line of CMake that says which library was not found; the last line where none does."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    named = [line for line in lines if re.search(r"not find|NOTFOUND|not found", line, re.IGNORECASE)]
    return named[0] if named else (lines or ["CMake told no reason"])[-1]


def told(line):
    """A line of progress, for a person who waits: pip shows it with -v, and on a terminal."""
    print(line, file=sys.stderr, flush=True)
    try:
        with open("/dev/tty", "w") as terminal:
            terminal.write(line + "\n")
    except OSError:
        pass  # no terminal


def built():
    """The library, built in a temporary folder: the source tree stays as it is, and may be read-only."""
    cmake = tool(["cmake"], "CMake")
    compiler = tool([os.environ.get("CXX", "c++"), "g++", "clang++"], "a C++ compiler")
    folder = Path(tempfile.mkdtemp(prefix="assay-judge-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DASSAY_FAST_BUILD=ON", "-DASSAY_CUDA=OFF"]
    options.append(f"-DCMAKE_CXX_COMPILER={compiler}")
    options += [f"-DASSAY_{part}=OFF" for part in ("CATALOG", "INSTALL")]
    if "CMAKE_GENERATOR" not in os.environ and shutil.which("ninja"):
        options += ["-G", "Ninja"]
    told(f"Assay: builds its judge with {cores()} compiler(s) at once, which takes some minutes")
    made = subprocess.run([cmake, "-S", HERE.parent, "-B", folder, *options], capture_output=True, text=True)
    if made.returncode:
        raise SystemExit(f"Assay's judge cannot be built: {missing_library(made.stderr + made.stdout)}")
    command = [cmake, "--build", folder, "--target", "assay_judge", "--parallel", str(cores())]
    shown = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as build:
        lines = []
        for line in build.stdout:
            lines.append(line)
            step = re.match(r"\[\s*(\d+)(?:/(\d+)\]|%\])", line)
            percent = 0 if step is None else int(step[1]) * 100 // int(step[2] or 100)
            if percent >= shown + 10:
                shown = percent - percent % 10
                told(f"Assay: {shown} % of its judge is built")
    if build.returncode:
        errors = [line for line in lines if "error" in line.lower()] or lines[-1:]
        raise SystemExit("Assay's judge cannot be built: " + "".join(errors[:3]).strip())
    return (folder / "lib" / "libassay_judge.so").resolve()


def needed(library, others=False):
    """Name and file of the shared libraries that a library needs and that not every machine has. others: those that
    nearly every machine has, in place of them: C++'s."""
    told = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", told, re.MULTILINE))
    missing = re.findall(r"^\s*(\S+) => not found", told, re.MULTILINE)
    if missing:
        raise SystemExit(f"{library} needs {', '.join(missing)}, which was not found")
    if others:
        return {name: Path(file) for name, file in found.items() if name.startswith("libstdc++.so")}
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


def libraries(is_release=False):
    """Names in the package, and the files: those in _lib, and of a release also C++'s library, for machines without
    one, and the program with the libraries that it loads."""
    library = judge()
    notices = HERE / "NOTICES.txt"
    yield "_lib/libassay_judge.so.1", library
    yield "_lib/NOTICES.txt", notices
    of_cpp = needed(library, others=True) if is_release else {}
    others = {}
    program = library.parent.parent / "bin" / "assay"
    if is_release and program.is_file():
        yield PROGRAM, program
        for each in ("libassay_outside.so", "libassay_catalog.so", "libassay_probes.so"):
            yield f"_program/lib/{each}", library.parent / each
        others = needed(program)
    for name, file in {**needed(library), **others, **of_cpp}.items():
        stem = name.split(".so")[0]
        if not re.search(rf"^{re.escape(stem)} ", notices.read_text(), re.MULTILINE):
            raise SystemExit(f"{name}: NOTICES.txt does not tell its license")
        yield f"_lib/fallback/{name}" if name in of_cpp else f"_lib/{name}", file
        stated = copyright_of(file)
        if stated is not None:
            yield f"_lib/{stem}.copyright.txt", stated


def written(folder, tag, parts):
    """Writes the wheel with these parts, whose names in the package and contents are given. Returns the file's name."""
    files = {f"{NAME}/{file.name}": file.read_bytes() for file in sorted((HERE / NAME).iterdir()) if file.is_file()}
    files |= {f"{NAME}/{name}": content for name, content in parts.items()}
    info = f"{NAME}-{VERSION}.dist-info"
    files[f"{info}/METADATA"] = (METADATA + (HERE / "README.md").read_text()).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/entry_points.txt"] = (ENTRY_POINTS + (OF_PROGRAM if PROGRAM in parts else "")).encode()
    record = f"{info}/RECORD"
    lines = []
    name = f"{NAME}-{VERSION}-{tag}.whl"
    with zipfile.ZipFile(Path(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append(f"{path},sha256={digest},{len(content)}\n")
            entry = zipfile.ZipInfo(path, time.localtime()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if path == f"{NAME}/{PROGRAM}" else 0o100644) << 16
            wheel.writestr(entry, content)
        wheel.writestr(record, "".join(lines) + f"{record},,\n")
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook that pip calls. Returns the name of the file."""
    tag = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    return written(wheel_directory, tag, {name: file.read_bytes() for name, file in libraries()})


def stripped(name, file):
    """The bytes of a part of the package: of a library or program without its symbols. What lies in _program finds the
    libraries in _lib."""
    if not re.search(r"\.so(\.|$)", name) and name != PROGRAM:
        return file.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        to = Path(folder, "part")
        subprocess.run([tool(["strip"], "binutils"), "--strip-unneeded", "-o", to, file], check=True)
        if name.startswith("_program/"):
            patchelf = tool(["patchelf"], "the tool for paths of libraries")
            subprocess.run([patchelf, "--force-rpath", "--set-rpath", "$ORIGIN/../../_lib", to], check=True)
        return to.read_bytes()


def oldest(contents):
    """The oldest C library that has every function that some libraries ask for: (2, 36)."""
    asked = {tuple(map(int, each)) for raw in contents for each in re.findall(rb"\0GLIBC_(\d+)\.(\d+)", raw)}
    return max(asked, default=(2, 17))


def release(folder):
    """Makes the wheel for other machines, and returns its file. Ends with a line if it is larger than 30 MB."""
    parts = {name: stripped(name, file) for name, file in libraries(is_release=True)}
    major, minor = oldest(parts.values())
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / written(folder, f"py3-none-manylinux_{major}_{minor}_{os.uname().machine}", parts)
    size = file.stat().st_size
    if size > LARGEST:
        raise SystemExit(f"{file}: {size / 1e6:.1f} MB, more than {LARGEST / 1e6:g} MB")
    return file


def main(arguments):
    if arguments[:1] != ["--release"] or len(arguments) > 2:
        raise SystemExit("build_wheel.py: --release [FOLDER] is accepted")
    file = release(Path(*arguments[1:]))
    print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
