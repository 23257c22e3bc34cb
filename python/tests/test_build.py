"""build_wheel.py, with programs that stand for CMake, Ninja and a compiler."""

import importlib.util
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PYTHON = Path(__file__).resolve().parent.parent

CMAKE = f"""#!{sys.executable}
import os, pathlib, sys
arguments = sys.argv[1:]
with open(os.environ["FAKE_LOG"], "a") as log:
    log.write(" ".join(arguments) + "\\n")
if "--build" in arguments:
    folder = pathlib.Path(arguments[arguments.index("--build") + 1], "lib")
    folder.mkdir()
    (folder / "libassay_judge.so").write_text("judge")
    print("[1/2] Building")
    print("[2/2] Linking")
elif os.environ.get("FAKE_MISSING"):
    sys.exit("CMake Error at CMakeLists.txt:3:\\n  Could NOT find MPFR (missing: MPFR_LIBRARY)\\n  and more")
"""


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """A folder of programs that is the whole PATH, and the arguments with which CMake was called."""
    folder = tmp_path / "bin"
    folder.mkdir()

    def add(name, text=f"#!{sys.executable}\n"):
        file = folder / name
        file.write_text(text)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    log = tmp_path / "log"
    log.touch()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("FAKE_LOG", str(log))
    for name in ("LIBASSAY_JUDGE", "CXX", "CMAKE_GENERATOR", "CMAKE_BUILD_PARALLEL_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    return add, log


@pytest.fixture
def build_wheel():
    specification = importlib.util.spec_from_file_location("build_wheel", PYTHON / "build_wheel.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_asks_for_one_compiler_a_core(tools, build_wheel):
    add, log = tools
    add("cmake", CMAKE)
    add("c++")
    build_wheel.judge()
    assert log.read_text().splitlines()[1].endswith(f"--parallel {len(os.sched_getaffinity(0))}")


def test_takes_ninja_where_it_is(tools, build_wheel):
    add, log = tools
    add("cmake", CMAKE)
    add("c++")
    build_wheel.judge()
    assert "-G Ninja" not in log.read_text()
    add("ninja")
    build_wheel.judge()
    assert "-G Ninja" in log.read_text()


def test_builds_outside_of_the_source_tree(tools, build_wheel):
    add, _ = tools
    add("cmake", CMAKE)
    add("c++")
    library = build_wheel.judge()
    assert library.read_text() == "judge" and not library.is_relative_to(PYTHON.parent)


def test_folder_of_the_build_is_gone_in_the_end(tools):
    add, _ = tools
    add("cmake", CMAKE)
    add("c++")
    script = f"import sys; sys.path.insert(0, {str(PYTHON)!r}); import build_wheel; print(build_wheel.judge())"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not Path(ended.stdout.strip()).exists()


def test_tells_its_progress(tools, build_wheel, capsys):
    add, _ = tools
    add("cmake", CMAKE)
    add("c++")
    build_wheel.judge()
    assert capsys.readouterr().err.splitlines()[1:] == [
        "Assay: 50 % of its judge is built",
        "Assay: 100 % of its judge is built",
    ]


@pytest.mark.parametrize(("there", "missing"), [(["c++"], "CMake"), (["cmake"], r"a C\+\+ compiler")])
def test_names_the_program_that_is_missing(tools, build_wheel, there, missing):
    add, _ = tools
    for name in there:
        add(name, CMAKE)
    with pytest.raises(SystemExit, match=f"^Assay's judge is built from source, and {missing} is missing: install "):
        build_wheel.judge()


def test_names_the_library_that_is_missing(tools, build_wheel, monkeypatch):
    add, _ = tools
    add("cmake", CMAKE)
    add("c++")
    monkeypatch.setenv("FAKE_MISSING", "1")
    with pytest.raises(SystemExit, match=r"^Assay's judge cannot be built: Could NOT find MPFR \(missing: MPFR_LIBRA"):
        build_wheel.judge()


STRIP = f"""#!{sys.executable}
import pathlib, sys
to, file = sys.argv[3:]
pathlib.Path(to).write_bytes(pathlib.Path(file).read_bytes().replace(b"symbols", b""))
"""


@pytest.fixture
def released(tools, build_wheel, monkeypatch, tmp_path):
    """Makes the wheel for other machines of a library with this content, and returns its file."""
    add, _ = tools
    add("strip", STRIP)
    library = tmp_path / "libassay_judge.so.1"
    monkeypatch.setattr(build_wheel, "libraries", lambda is_release: [(f"_lib/{library.name}", library)])

    def made(content):
        library.write_bytes(content)
        return build_wheel.release(tmp_path / "wheels")

    return made


def test_names_the_oldest_c_library_that_a_wheel_for_other_machines_runs_with(released):
    file = released(b"\0GLIBC_2.9\0GLIBC_2.36\0GLIBC_2.4\0GLIBCXX_3.4.99\0")
    assert file.name.startswith("assay-0.1.0-py3-none-manylinux_2_36_")


def test_has_no_symbols_in_a_wheel_for_other_machines(released):
    with zipfile.ZipFile(released(b"code symbols")) as wheel:
        assert wheel.read("assay/_lib/libassay_judge.so.1") == b"code "


LDD = f"""#!{sys.executable}
import sys
print("\\tlinux-vdso.so.1 (0x7f)\\n\\tlibc.so.6 => /lib/libc.so.6 (0x7f)\\n\\tlibstdc++.so.6 =>", sys.argv[0], "(0x7f)")
"""
ALWAYS = {"_lib/libassay_judge.so.1", "_lib/NOTICES.txt"}


def test_has_the_library_of_cpp_only_in_a_wheel_for_other_machines(tools, build_wheel, monkeypatch, tmp_path):
    add, _ = tools
    add("ldd", LDD)
    library = tmp_path / "libassay_judge.so"
    library.touch()
    monkeypatch.setenv("LIBASSAY_JUDGE", str(library))
    found = [{name for name, _ in build_wheel.libraries(is_release)} for is_release in (True, False)]
    assert found == [{*ALWAYS, "_lib/fallback/libstdc++.so.6"}, ALWAYS]


PATCHELF = f"""#!{sys.executable}
import pathlib, sys
with pathlib.Path(sys.argv[4]).open("a") as file:
    file.write(" looks in " + sys.argv[3])
"""


def test_brings_the_program_of_a_build_that_has_one(tools, build_wheel, monkeypatch, tmp_path):
    add, _ = tools
    for name, text in {"ldd": LDD, "strip": STRIP, "patchelf": PATCHELF}.items():
        add(name, text)
    loaded = [f"lib/libassay_{each}.so" for each in ("outside", "catalog", "probes")]
    for name in ("lib/libassay_judge.so", *loaded, "bin/assay"):
        file = tmp_path / "build" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    monkeypatch.setenv("LIBASSAY_JUDGE", str(tmp_path / "build" / "lib" / "libassay_judge.so"))
    with zipfile.ZipFile(build_wheel.release(tmp_path)) as wheel:
        program = wheel.getinfo("assay/_program/bin/assay")
        assert wheel.read(program) == b"bin/assay looks in $ORIGIN/../../_lib"
        assert stat.S_IMODE(program.external_attr >> 16) == 0o755
        for each in loaded:
            assert wheel.read(f"assay/_program/{each}").startswith(f"{each} looks in ".encode())
        assert b"assay = assay.__main__:program" in wheel.read("assay-0.1.0.dist-info/entry_points.txt")


def test_the_program_of_the_package_gets_the_arguments(tmp_path):
    package = shutil.copytree(PYTHON / "assay", tmp_path / "assay")
    program = package / "_program" / "bin" / "assay"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!{sys.executable}\nimport sys\nprint(sys.argv[1:])\n")
    program.chmod(0o755)
    command = [sys.executable, "-m", "assay", "check", "-v"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ended = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert ended.stdout == "['check', '-v']\n"


def test_refuses_a_wheel_of_more_bytes_than_accepted(released, build_wheel, monkeypatch):
    assert build_wheel.LARGEST == 30_000_000
    monkeypatch.setattr(build_wheel, "LARGEST", 300_000)
    with pytest.raises(SystemExit, match="0.[4-9] MB, more than 0.3 MB$"):
        released(os.urandom(300_000))


def test_names_the_options_that_are_accepted(build_wheel):
    with pytest.raises(SystemExit, match=r"^build_wheel.py: --release \[FOLDER\] is accepted$"):
        build_wheel.main(["--debug"])
