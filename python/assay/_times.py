"""Times of the judge beside the times of the kernels whose results it judges, against size, in the form of Google
Benchmark: `python3 -m assay judge-times > judge.json; assay bench judge.json`. Kernels on a device are those of torch,
others those of NumPy."""

from __future__ import annotations

import argparse
import fnmatch
import importlib
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from . import _within

_REPETITIONS = 3
_SHORTEST = 0.01  # seconds of a repetition, which repeats shorter calls


class Library:
    """A library of arrays. `name`: that of the peer; `executor`: where its arrays lie."""

    def __init__(self, executor: str):
        self.executor = executor
        self.name = "numpy" if executor == "host" else "torch"
        self.module = importlib.import_module(self.name)
        self.device = self.module.cuda.get_device_name() if executor == "cuda" else ""
        numpy = importlib.import_module("numpy")
        self._draw = numpy.random.default_rng(1)

    def _given(self, array: Any) -> Any:
        return array if self.executor == "host" else self.module.from_numpy(array).cuda()

    def numbers(self, kind: str, *shape: int) -> Any:
        """Numbers of [0, 1)."""
        return self._given(self._draw.random(shape).astype(kind))

    def indices(self, count: int, below: int) -> Any:
        return self._given(self._draw.integers(0, below, count))

    def offsets(self, rows: int, of_row: int) -> Any:
        return self._given(importlib.import_module("numpy").arange(rows + 1) * of_row)

    def softmax(self, x: Any) -> Any:
        if self.executor == "cuda":
            return self.module.softmax(x, -1)
        numbers = self.module.exp(x - x.max(axis=-1, keepdims=True))
        return numbers / numbers.sum(axis=-1, keepdims=True)

    def rms_norm(self, x: Any, weight: Any, eps: float) -> Any:
        if self.executor == "cuda":
            return self.module.nn.functional.rms_norm(x, x.shape[-1:], weight, eps)
        return x / self.module.sqrt((x * x).mean(axis=-1, keepdims=True) + x.dtype.type(eps)) * weight

    def spmv(self, offsets: Any, columns: Any, values: Any, x: Any) -> Any:
        """The product, as a call without arguments. No row is without entries."""
        if self.executor == "host":
            return lambda: self.module.add.reduceat(values * x[columns], offsets[:-1])
        matrix = self.module.sparse_csr_tensor(offsets, columns, values, (len(offsets) - 1, len(x)))
        return lambda: matrix @ x

    def finish(self) -> None:
        """Waits for the device."""
        if self.executor == "cuda":
            self.module.cuda.synchronize()


@dataclass(frozen=True)
class Judged:
    """A kernel, the exact result of its inputs, and the contract by which its result is judged."""

    kernel: Callable[[], Any]
    want: _within.Expected
    contract: str


_ROW = 1024  # numbers of a row of softmax and rms_norm
_OF_ROW = 10  # entries of a row of a sparse matrix


def _sum(of: Library, n: int) -> Judged:
    x = of.numbers("f8", n)
    return Judged(lambda: x.sum(), _within.sum(x), "any_order")


def _dot(of: Library, n: int) -> Judged:
    x, y = of.numbers("f8", n), of.numbers("f8", n)
    return Judged(lambda: x @ y, _within.dot(x, y), "any_order")


def _cumsum(of: Library, n: int) -> Judged:
    x = of.numbers("f8", n)
    return Judged(lambda: x.cumsum(0), _within.cumsum(x), "any_order")


def _matmul(of: Library, n: int) -> Judged:
    a, b = of.numbers("f8", n, n), of.numbers("f8", n, n)
    return Judged(lambda: a @ b, _within.matmul(a, b), "inner_product")


def _softmax(of: Library, n: int) -> Judged:
    x = of.numbers("f4", n, _ROW)
    return Judged(lambda: of.softmax(x), _within.softmax(x), "shifted_3ulp")


def _rms_norm(of: Library, n: int) -> Judged:
    x, weight = of.numbers("f4", n, _ROW), of.numbers("f4", _ROW)
    return Judged(lambda: of.rms_norm(x, weight, 2.0**-17), _within.rms_norm(x, weight, 2.0**-17), "any_order")


def _spmv(of: Library, n: int) -> Judged:
    columns, entries = n + _OF_ROW, _OF_ROW * n  # torch refuses more entries than rows times columns
    arrays = of.offsets(n, _OF_ROW), of.indices(entries, columns), of.numbers("f8", entries), of.numbers("f8", columns)
    return Judged(of.spmv(*arrays), _within.spmv(*arrays), "any_order")


#: By operation: how a size n is made, by which factor sizes grow, and the bytes of its arrays.
_OPERATIONS: dict[str, tuple[Callable[[Library, int], Judged], int, Callable[[int], int]]] = {
    "sum": (_sum, 4, lambda n: 8 * n),
    "dot": (_dot, 4, lambda n: 16 * n),
    "matmul": (_matmul, 2, lambda n: 24 * n * n),
    "cumsum": (_cumsum, 4, lambda n: 16 * n),
    "softmax": (_softmax, 4, lambda n: 8 * _ROW * n),
    "rms_norm": (_rms_norm, 4, lambda n: 8 * _ROW * n),
    "spmv": (_spmv, 4, lambda n: (16 * _OF_ROW + 24) * n),
}


def _seconds(call: Callable[[], Any], finish: Callable[[], None]) -> float:
    """Of one call. Requires: it was called before."""
    finish()
    start = time.perf_counter()
    call()
    finish()
    first = time.perf_counter() - start
    if first >= _SHORTEST:
        return first
    calls = int(_SHORTEST / max(first, 1e-9))
    start = time.perf_counter()
    for _ in range(calls):
        call()
    finish()
    return (time.perf_counter() - start) / calls


def _runs(name: str, call: Callable[[], Any], finish: Callable[[], None]) -> list[dict[str, Any]]:
    seconds = [_seconds(call, finish) for _ in range(_REPETITIONS)]
    return [
        {"name": name, "run_name": name, "run_type": "iteration", "repetitions": _REPETITIONS, "repetition_index": i,
         "real_time": 1e9 * each, "cpu_time": 1e9 * each, "time_unit": "ns"}
        for i, each in enumerate(seconds)
    ]


def curves(operation: str, library: Library, longest: float, memory: float) -> Iterator[dict[str, Any]]:
    """The times of the kernel and of the judge for n = 1, 4, 16 …, until a judgment takes longer, or the arrays have
    more bytes. A result that is not kept is an error at its size, the last."""
    make, factor, bytes_of = _OPERATIONS[operation]
    place = f"on:{library.executor}"
    n = 1
    while bytes_of(n) <= memory:
        judged = make(library, n)
        end = f"/{place}/n:{n}/real_time"
        got = judged.kernel()
        judgment = judged.want.judge(got, judged.contract)
        name = f"judge.{operation}{end}"
        if judgment.verdict != "kept":
            yield {"name": name, "run_name": name, "error_occurred": True, "error_message": str(judgment)}
            return
        runs = _runs(name, lambda: judged.want.judge(got, judged.contract), lambda: None)
        yield from runs
        yield from _runs(f"judge.{operation}/peer:{library.name}{end}", judged.kernel, library.finish)
        if factor * statistics.median(each["real_time"] for each in runs) * 1e-9 > longest:
            return
        n *= factor


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m assay judge-times", description=__doc__)
    parser.add_argument("patterns", nargs="*", help="operations; all by default: " + ", ".join(_OPERATIONS))
    parser.add_argument("--on", choices=("host", "cuda"), default="host", help="where the arrays lie (host)")
    parser.add_argument("--time", type=float, default=1.0, help="seconds of the longest judgment (1)")
    parser.add_argument("--most-memory", type=float, default=2.0**30, help="bytes of the largest arrays (2^30)")
    options = parser.parse_args(arguments)
    chosen = [
        each for each in _OPERATIONS
        if not options.patterns or any(fnmatch.fnmatch(each, pattern) for pattern in options.patterns)
    ]
    if not chosen:
        parser.error(f"no operation matches; there are: {', '.join(_OPERATIONS)}")
    try:
        library = Library(options.on)
    except Exception as error:
        needed = "NumPy" if options.on == "host" else "NumPy, and torch with a device"
        print(f"skipped: judge-times needs {needed}: {error}", file=sys.stderr)
        return 77
    benchmarks = [run for each in chosen for run in curves(each, library, options.time, options.most_memory)]
    context = {"host_name": platform.node(), "num_cpus": os.cpu_count(), "device": library.device}
    json.dump({"context": context, "benchmarks": benchmarks}, sys.stdout, indent=1)
    print()
    return 0
