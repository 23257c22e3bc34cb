"""Times of the judge beside those of kernels."""

import json
import os
import subprocess

import pytest

pytest.importorskip("numpy")

from assay import _times  # noqa: E402

OPERATIONS = ["sum", "dot", "matmul", "cumsum", "softmax", "rms_norm", "spmv"]


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """The path of the times of small arrays."""
    path = tmp_path_factory.mktemp("times") / "judge.json"
    with pytest.MonkeyPatch.context() as patch, path.open("w") as out:
        patch.setattr("sys.stdout", out)
        patch.setattr(_times, "_SHORTEST", 1e-4)
        assert _times.main(["--time", "60", "--most-memory", "100000"]) == 0
    return path


def sizes_of(benchmarks, start):
    """The sizes of the benchmarks whose name begins so."""
    return [int(each["name"].split("/n:")[1].split("/")[0]) for each in benchmarks if each["name"].startswith(start)]


def test_are_of_the_kernel_and_of_the_judge_at_each_size(document):
    benchmarks = json.loads(document.read_text())["benchmarks"]
    assert not any("error_occurred" in each for each in benchmarks)
    for operation in OPERATIONS:
        own = sizes_of(benchmarks, f"judge.{operation}/on:host/")
        assert own[:6] == [1, 1, 1, *[2 if operation == "matmul" else 4] * 3]
        assert own == sizes_of(benchmarks, f"judge.{operation}/peer:numpy/on:host/")
    assert all(each["real_time"] > 0 for each in benchmarks)


def test_are_read_by_the_command_bench(document):
    if "ASSAY_PROGRAM" not in os.environ:
        pytest.skip("no program is given")
    others = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    command = [os.environ["ASSAY_PROGRAM"], "bench", str(document)]
    told = subprocess.run(command, capture_output=True, text=True, env=others)
    assert told.returncode == 0 and told.stderr == ""
    for operation in OPERATIONS:
        line = next(each for each in told.stdout.splitlines() if each.startswith(f"judge.{operation} on host, n = 1 "))
        assert line.endswith(" times the fastest peer")


def test_of_a_result_that_is_not_kept_are_an_error_at_its_size(monkeypatch):
    make, factor, bytes_of = _times._OPERATIONS["sum"]

    def wrong(library, n):
        judged = make(library, n)
        return judged if n == 1 else _times.Judged(lambda: judged.kernel() * 2, judged.want, judged.contract)

    monkeypatch.setitem(_times._OPERATIONS, "sum", (wrong, factor, bytes_of))
    *runs, last = _times.curves("sum", _times.Library("host"), 60, 1 << 20)
    assert len(runs) == 6
    assert last["name"] == "judge.sum/on:host/n:4/real_time"
    assert last["error_occurred"] and last["error_message"].startswith("any_order is broken")


def test_of_no_operation_are_refused(capsys):
    with pytest.raises(SystemExit) as error:
        _times.main(["trsv"])
    assert error.value.code == 2
    assert "no operation matches; there are: sum, dot, " in capsys.readouterr().err


def test_on_a_device_need_one(capsys):
    try:
        _times.Library("cuda")
    except Exception:
        assert _times.main(["--on", "cuda"]) == 77
        assert capsys.readouterr().err.startswith("skipped: judge-times needs NumPy, and torch with a device")
        return
    assert _times.main(["--on", "cuda", "--time", "60", "--most-memory", "1000000", "s*"]) == 0
    benchmarks = json.loads(capsys.readouterr().out)["benchmarks"]
    assert not any("error_occurred" in each for each in benchmarks)
    assert len(sizes_of(benchmarks, "judge.spmv/on:cuda/")) > 6
