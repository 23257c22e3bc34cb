"""Makes the wheel (PEP 517): the package, the library of the judge, and the libraries that it needs.

Only Python's own library is used, so that pip needs no network and no other package.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sysconfig
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
ENTRY_POINTS = "[pytest11]\nassay = assay.pytest_plugin\n"


def judge():
    """The library of the judge: the one that LIBASSAY_JUDGE names, else one that CMake builds."""
    named = os.environ.get("LIBASSAY_JUDGE")
    if named:
        # pip works in the folder of the package: a relative path is of the folder that its caller is in.
        file = (Path(os.environ.get("PWD", ".")) / named).resolve()
        if not file.is_file():
            raise SystemExit(f"LIBASSAY_JUDGE names {file}, which is no file; it takes libassay_judge.so of a build")
        return file
    folder = HERE / "build" / "judge"
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DASSAY_FAST_BUILD=ON", "-DASSAY_CUDA=OFF"]
    options += [f"-DASSAY_{part}=OFF" for part in ("CATALOG", "INSTALL")]
    subprocess.run(["cmake", "-S", HERE.parent, "-B", folder, *options], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "assay_judge", "--parallel"], check=True)
    return (folder / "lib" / "libassay_judge.so").resolve()


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


def libraries():
    """Names in the package's folder _lib, and the files."""
    library = judge()
    notices = HERE / "NOTICES.txt"
    yield "libassay_judge.so.1", library
    yield "NOTICES.txt", notices
    for name, file in needed(library).items():
        stem = name.split(".so")[0]
        if not re.search(rf"^{re.escape(stem)} ", notices.read_text(), re.MULTILINE):
            raise SystemExit(f"{name}: NOTICES.txt does not tell its license")
        yield name, file
        stated = copyright_of(file)
        if stated is not None:
            yield f"{stem}.copyright.txt", stated


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook that pip calls. Returns the name of the file."""
    tag = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    files = {f"{NAME}/{file.name}": file.read_bytes() for file in sorted((HERE / NAME).iterdir()) if file.is_file()}
    files |= {f"{NAME}/_lib/{name}": file.read_bytes() for name, file in libraries()}
    info = f"{NAME}-{VERSION}.dist-info"
    files[f"{info}/METADATA"] = (METADATA + (HERE / "README.md").read_text()).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/entry_points.txt"] = ENTRY_POINTS.encode()
    record = f"{info}/RECORD"
    lines = []
    name = f"{NAME}-{VERSION}-{tag}.whl"
    with zipfile.ZipFile(Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append(f"{path},sha256={digest},{len(content)}\n")
            wheel.writestr(path, content)
        wheel.writestr(record, "".join(lines) + f"{record},,\n")
    return name
