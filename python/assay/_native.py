"""libassay_judge.so by ctypes: the declarations of assay/judge.h."""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64
from ctypes import c_void_p
from functools import cache
from pathlib import Path
from typing import Any

ABI = 1
_FILE = "libassay_judge.so.1"

OK, INVALID, OUTSIDE, NO_MEMORY, NOT_WRITTEN, DAMAGED, SUBJECT_FAILED, INTERNAL, NO_DEVICE = range(9)
KEPT, BROKEN, UNDECIDED, NO_CLAIM = range(4)


class JudgeError(RuntimeError):
    """The judge could not do what was requested: one line with the reason."""


class _Sized(ctypes.Structure):
    """A struct that begins with its size."""

    def __init__(self, **members: Any) -> None:
        super().__init__(struct_size=ctypes.sizeof(type(self)), **members)


#: Members that an array has here and in DLPack: the type of its numbers, its shape and its strides.
NUMBERS: list[tuple[str, Any]] = [
    ("code", c_uint8),
    ("bits", c_uint8),
    ("lanes", c_uint16),
    ("shape", POINTER(c_int64)),
    ("strides", POINTER(c_int64)),
]


class Tensor(_Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("name", c_char_p),
        ("data", c_void_p),
        ("ndim", c_int32),
        *NUMBERS,
    ]


class JudgeOptions(_Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("operation", c_char_p),
        ("format", c_char_p),
        ("family", c_char_p),
        ("seed", c_uint64),
        ("contracts", POINTER(c_char_p)),
        ("contract_count", c_size_t),
        ("formula", c_char_p),
        ("shape", c_char_p),
        ("format_of_parameter", POINTER(c_char_p)),
        ("parameter_count", c_size_t),
    ]


class CheckOptions(_Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("cases", c_uint64),
        ("shrink_steps", c_uint64),
        ("corpus", c_char_p),
        ("controls", c_int32),
    ]


class CVerdict(_Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("contract", c_char_p),
        ("verdict", c_int32),
        ("ratio", c_double),
        ("exact", c_char_p),
        ("got", c_char_p),
        ("ulps", c_double),
        ("component", c_size_t),
        ("components", c_size_t),
        ("statement", c_char_p),
        ("source", c_char_p),
        ("preconditions", c_char_p),
        ("bound", c_double),
        ("judged", c_size_t),
        ("violated", c_size_t),
        ("derivation", c_char_p),
        ("exactly", c_size_t),
    ]


class CTolerance(_Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("entries", c_size_t),
        ("silent", c_size_t),
        ("largest", c_double),
        ("median", c_double),
        ("relative", c_double),
        ("blind", c_size_t),
        ("at", c_size_t),
        ("statement", c_char_p),
        ("source", c_char_p),
        ("derivation", c_char_p),
    ]


Subject = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(Tensor), c_size_t, POINTER(Tensor))

_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "assay_judge_abi": (c_uint32, []),
    "assay_judge_version": (c_char_p, []),
    "assay_last_error": (c_char_p, []),
    "assay_contracts_json": (c_char_p, []),
    "assay_judge_open": (c_int32, [POINTER(JudgeOptions), POINTER(c_void_p)]),
    "assay_judge_close": (None, [c_void_p]),
    "assay_judge_quick_cases": (c_uint64, [c_void_p]),
    "assay_judge_accepts": (c_char_p, [c_void_p]),
    "assay_judge_operation_json": (c_char_p, [c_void_p]),
    "assay_judge_formula_json": (c_char_p, [c_void_p]),
    "assay_judge_usual_contract": (c_char_p, [c_void_p]),
    "assay_subject_error": (None, [c_char_p]),
    "assay_case_draw": (c_int32, [c_void_p, c_uint64, POINTER(c_void_p)]),
    "assay_case_given": (c_int32, [c_void_p, POINTER(Tensor), c_size_t, POINTER(c_void_p)]),
    "assay_case_typical": (c_int32, [c_void_p, POINTER(c_void_p)]),
    "assay_case_read": (c_int32, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "assay_case_close": (None, [c_void_p]),
    "assay_case_id": (c_char_p, [c_void_p]),
    "assay_case_text": (c_char_p, [c_void_p]),
    "assay_case_argument_count": (c_size_t, [c_void_p]),
    "assay_case_argument": (c_int32, [c_void_p, c_size_t, POINTER(Tensor)]),
    "assay_case_result": (c_int32, [c_void_p, POINTER(Tensor)]),
    "assay_case_truth_count": (c_size_t, [c_void_p]),
    "assay_case_truth": (c_char_p, [c_void_p, c_size_t]),
    "assay_case_write": (c_int32, [c_void_p, c_char_p, c_char_p, POINTER(c_char_p)]),
    "assay_case_judge": (c_int32, [c_void_p, POINTER(Tensor), POINTER(CVerdict), c_size_t]),
    "assay_case_judge_contract": (c_int32, [c_void_p, POINTER(Tensor), c_char_p, POINTER(CVerdict)]),
    "assay_judge_on_device": (
        c_int32,
        [c_void_p, POINTER(Tensor), c_size_t, POINTER(Tensor), c_char_p, POINTER(CVerdict)],
    ),
    "assay_judge_in_place": (
        c_int32,
        [c_void_p, POINTER(Tensor), c_size_t, POINTER(Tensor), c_char_p, POINTER(CVerdict)],
    ),
    "assay_case_bounds": (c_int32, [c_void_p, c_char_p, POINTER(c_double), c_size_t]),
    "assay_case_tolerance": (c_int32, [c_void_p, c_char_p, POINTER(CTolerance), POINTER(c_double), c_size_t]),
    "assay_case_ask": (c_int32, [c_void_p, Subject, c_void_p, POINTER(CVerdict), c_size_t]),
    "assay_check": (c_int32, [c_void_p, Subject, c_void_p, POINTER(CheckOptions), POINTER(c_void_p)]),
    "assay_convert": (c_int32, [c_void_p, c_void_p, c_void_p, POINTER(c_void_p)]),
    "assay_convert_stochastic": (c_int32, [c_void_p, c_void_p, c_void_p, POINTER(c_void_p)]),
    "assay_conversions_json": (c_char_p, []),
    "assay_probe_order": (c_int32, [c_void_p, c_void_p, Subject, c_void_p, POINTER(c_void_p)]),
    "assay_quantize": (c_int32, [c_void_p, c_void_p, c_void_p, POINTER(c_void_p)]),
    "assay_quantize_stochastic": (c_int32, [c_void_p, c_void_p, c_void_p, POINTER(c_void_p)]),
    "assay_quantizations_json": (c_char_p, []),
    "assay_report_close": (None, [c_void_p]),
    "assay_report_json": (c_char_p, [c_void_p]),
}


def _candidates() -> list[str]:
    """Where the library may be: the path in LIBASSAY_JUDGE; else in the package, where CMake installs it, or in the
    build folder of a source tree."""
    named = os.environ.get("LIBASSAY_JUDGE")
    if named:
        return [named]
    here = Path(__file__).resolve()
    places = [here.parent / "_lib" / _FILE, *(parent / _FILE for parent in here.parents[3:4])]
    if (here.parents[2] / "CMakeLists.txt").exists():
        places += sorted(here.parents[2].glob("build/*/lib/" + _FILE))
    return [str(each) for each in places if each.exists()] + [_FILE]


def _opened(path: Path) -> ctypes.CDLL:
    """The library; where a machine lacks the library of C++, with the one that the package has."""
    mode = os.RTLD_LOCAL | os.RTLD_NOW
    try:
        return ctypes.CDLL(str(path), mode=mode)
    except OSError:
        lacking = sorted((path.parent / "fallback").glob("*.so*"))
        for each in lacking:
            ctypes.CDLL(str(each), mode=os.RTLD_GLOBAL | os.RTLD_NOW)
        if not lacking:
            raise
    return ctypes.CDLL(str(path), mode=mode)


def _load() -> ctypes.CDLL:
    reasons = []
    for path in _candidates():
        try:
            library = _opened(Path(path))
        except OSError as error:
            reasons.append(str(error))
            continue
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name, None)
            if function is None:
                raise JudgeError(f"{path}: it has no {name}: it is older than this package")
            function.restype = result
            function.argtypes = arguments
        if library.assay_judge_abi() != ABI:
            raise JudgeError(f"{path}: interface {library.assay_judge_abi()}, and this package needs {ABI}")
        return library
    raise JudgeError("no libassay_judge.so.1; name it in LIBASSAY_JUDGE: " + "; ".join(reasons))


@cache
def find_nvrtc() -> None:
    """Loads the NVRTC that a Python package brought, where one did, so that the judge finds it by its name."""
    try:
        package = importlib.util.find_spec("nvidia")
    except (ImportError, ValueError):
        return
    for folder in (package.submodule_search_locations or []) if package else []:
        for file in sorted(Path(folder).glob("*/lib/libnvrtc.so.[0-9]*"), reverse=True):
            try:
                ctypes.CDLL(str(file), mode=os.RTLD_LOCAL | os.RTLD_NOW)
                return
            except OSError:
                continue


_library: ctypes.CDLL | None = None
#: Threads that are calling a judged function, and whether it used the library.
_asked: dict[int, bool] = {}


@contextmanager
def no_other_use() -> Iterator[None]:
    """Around a call of a judged function: meanwhile this thread may not use the library, which knows the exact numbers.
    Raises ValueError if the function did so, even if it caught the exception."""
    thread = threading.get_ident()
    _asked[thread] = False
    try:
        yield
    finally:
        used = _asked.pop(thread)
    if used:
        raise ValueError(_USED)


_USED = "it called Assay, which judges what it computes"


def library() -> Any:
    """The library, loaded at its first use."""
    global _library
    if _asked and threading.get_ident() in _asked:
        _asked[threading.get_ident()] = True
        raise JudgeError(_USED)
    if _library is None:
        _library = _load()
    return _library


def last_error() -> str:
    return str(library().assay_last_error().decode())


def checked(status: int) -> None:
    """Raises the exception for a status other than OK: ValueError for a wrong argument, MemoryError, OSError or
    JudgeError."""
    if status == OK:
        return
    kinds = {INVALID: ValueError, OUTSIDE: ValueError, NO_MEMORY: MemoryError, NOT_WRITTEN: OSError, DAMAGED: OSError}
    raise kinds.get(status, JudgeError)(last_error())


def text(value: bytes | None) -> str:
    return "" if value is None else value.decode()


def new_handle(function: Any, *arguments: Any) -> c_void_p:
    """The object that a function of the library makes by its last argument."""
    handle = c_void_p()
    checked(function(*arguments, byref(handle)))
    return handle


def report_of(status: int, report: c_void_p, errors: list[BaseException]) -> dict[str, Any]:
    """The document of a report. Closes the report.

    errors: the exceptions of the judged function. Raises the first of them, or the exception of `checked`.
    """
    if errors:
        raise errors[0]
    checked(status)
    try:
        return dict(json.loads(library().assay_report_json(report)))
    finally:
        library().assay_report_close(report)
