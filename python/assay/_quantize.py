"""assay.check of a quantizer of blocks: finds the rule that it follows."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from . import _arrays, _native, _shapes
from ._check import Broken
from ._convert import Draws, _draws, formats
from ._native import byref, c_void_p, library, report_of

numpy = _arrays.numpy
_SOURCES = {"f32": "f4", "f16": "f2", "bf16": "u2"}


class QuantizationOptions(_native._Sized):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("source", ctypes.c_char_p),
        ("target", ctypes.c_char_p),
        ("contract", ctypes.c_char_p),
        ("seed", ctypes.c_uint64),
        ("every_entry", ctypes.c_int32),
        ("random_bits", ctypes.c_int32),
    ]


_HEAD = (ctypes.c_int32, c_void_p, ctypes.c_size_t, ctypes.c_size_t, c_void_p)
_Quantizer = ctypes.CFUNCTYPE(*_HEAD, c_void_p, c_void_p, c_void_p)
_StochasticQuantizer = ctypes.CFUNCTYPE(*_HEAD, c_void_p, c_void_p, c_void_p, c_void_p)


@dataclass(frozen=True)
class Quantization:
    """The result for a quantizer. It is true if the quantizer follows a rule, or keeps what it promised."""

    source: str
    target: str
    blocks: int  #: how many were asked
    theorem: str  #: that makes the answer a proof under its hypotheses; "": a sample
    follows: tuple[str, ...]  #: rules that no block contradicts, the nearest one first
    nearest: str  #: the first of them, or the rule that the fewest blocks break
    round_trip: float | None  #: the largest |x - x'|/amax; None with random words
    round_trips_kept: tuple[str, ...]  #: scale rules whose bound the results keep
    monotone: bool | None  #: None with random words
    idempotent: bool | None  #: None if it was not tested
    holds: bool
    text: str
    random_bits: int = 0  #: bits of a random word
    unbiased: bool | None = None  #: None without random words, or if no entry got all words
    largest_bias: str | None = None  #: by the nearest rule, as a fraction of the gap between two numbers: "-255/2^16"
    draws: Draws | None = None  #: the tests of a function that draws its words

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return self.text.rstrip("\n")


@cache
def block_formats() -> dict[str, dict[str, Any]]:
    """Block formats by name."""
    return {each["name"]: each for each in json.loads(library().assay_quantizations_json())["formats"]}


def _bytes(name: str) -> int:
    """The number of bytes of a number of the format in an array."""
    return max(8, formats()[name]) // 8


def _put(value: Any, to: int, size: int, what: str, kind: str) -> None:
    value = numpy.ascontiguousarray(_arrays.of_numpy(value))
    if value.nbytes != size:
        wanted = f"{size}: {kind}, not numbers of {value.dtype}"
        raise TypeError(f"it returned {value.nbytes} bytes of {what}, not {wanted}")
    ctypes.memmove(to, value.ctypes.data, size)


def check_quantization(
    function: Callable[..., Any],
    source: str,
    target: str,
    contract: str | None = None,
    *,
    every_entry: bool = False,
    words: int | None = None,
    draws: int | None = None,
    seed: int = 1,
    arrays: Callable[..., Any] | None = None,
) -> Quantization:
    """Runs a function that quantizes a matrix in blocks, and reports which rule it follows.

    function: takes a matrix of the source ("f32", "f16"; "bf16" as unsigned integers) and returns arrays: codes and
        scales (records of q4_k), and the second numbers of a target that has such. Codes of 4 bits lie two in a byte.
        The results may lie on a device. `arrays` converts the matrix first, such as cupy.asarray.
    target: a block format; with ":tails", such as "mxfp4:tails", some rows end in a shorter block.
    contract: the promise of the function: a rule such as "mxfp4.floor.even", "round_trip.floor", "idempotent" or
        "monotone".
    every_entry: tests all entries of 16 bits under each scale that is a power of two.
    words: the bits of a random word. The function rounds stochastically. Its second argument is a matrix of words, as
        uint32, one for each number. Rules have a draw, such as "mxfp4.floor.carry"; there is the contract "unbiased".
    draws: also the bits of a random word, but the function draws its own words. Its frequencies are tested.

    Raises Broken (an AssertionError) if the function breaks its promise. Exceptions of the function are passed on.
    """
    if numpy is None:
        raise RuntimeError("check_quantization needs NumPy")
    if source not in _SOURCES:
        raise ValueError(f"no source {source!r} of blocks; there are: {', '.join(_SOURCES)}")
    name = target.removesuffix(":tails")
    if name not in block_formats():
        raise ValueError(f"no block format {name!r}; there are: {', '.join(block_formats())}")
    if words is not None and draws is not None:
        raise ValueError("words and draws: a function takes its random words, or draws them itself")
    of_source, form = numpy.dtype(_SOURCES[source]), block_formats()[name]
    errors: list[BaseException] = []
    converted = _shapes.converting(function, arrays)

    def matrix(at: Any, rows: int, columns: int, kind: Any) -> Any:
        raw = ctypes.string_at(at, rows * columns * kind.itemsize)
        return numpy.frombuffer(bytearray(raw), kind).reshape(rows, columns)

    def call(_self: Any, rows: int, columns: int, x: Any, *pointers: Any) -> int:
        *random, codes, scales, seconds = pointers
        try:
            given = [matrix(x, rows, columns, of_source)]
            given += [matrix(each, rows, columns, numpy.dtype("u4")) for each in random]
            with _arrays.without_warnings():
                results = converted(*given)
            count = (rows // (form["rows"] or rows)) * -(-columns // (form["columns"] or columns))
            in_a_byte = "two in a byte" if form["packed"] else "one in a byte"
            size = rows * columns // (2 if form["packed"] else 1)
            sizes = [(codes, size, "codes", f"{rows * columns} codes of {form['element']}, {in_a_byte}")]

            def add(to: Any, how_many: int, name: str, what: str) -> None:
                each = _bytes(name)
                kind = f"{how_many} of {name}, of {each} {'byte' if each == 1 else 'bytes'} each"
                sizes.append((to, how_many * each, what, kind))

            if form["record_bytes"]:
                records = count // form["blocks_in_record"]
                kind = f"{records} of {form['record_bytes']} bytes each"
                sizes.append((scales, records * form["record_bytes"], "records", kind))
            else:
                add(scales, count, form["scale"], "scales")
            if form["second"] and not form["record_bytes"]:
                add(seconds, 1 if form["of_tensor"] else count, form["second"], "second numbers")
            if not isinstance(results, (tuple, list)) or len(results) != len(sizes):
                raise TypeError(f"it returned no {len(sizes)} arrays")
            for value, (to, size, what, kind) in zip(results, sizes):
                _put(value, to, size, what, kind)
            return 0
        except BaseException as error:  # an interrupt ends the check, too
            errors.append(error)
            return 1

    options = QuantizationOptions(
        source=source.encode(),
        target=target.encode(),
        contract=None if contract is None else contract.encode(),
        seed=seed,
        every_entry=int(every_entry),
        random_bits=words or draws or 0,
    )
    report = c_void_p()
    if words is None:
        status = library().assay_quantize(byref(options), _Quantizer(call), None, byref(report))
    else:
        status = library().assay_quantize_stochastic(byref(options), _StochasticQuantizer(call), None, byref(report))
    told = report_of(status, report, errors)
    answer = Quantization(
        source=told["source"],
        target=told["target"],
        blocks=told["blocks"],
        theorem=told["theorem"],
        follows=tuple(told["follows"]),
        nearest=told["nearest"]["rule"],
        round_trip=float.fromhex(told["round_trip"]) if "round_trip" in told else None,
        round_trips_kept=tuple(told.get("round_trips_kept", ())),
        monotone=told.get("monotone"),
        idempotent=told.get("idempotent"),
        holds=told["holds"],
        text=told["text"],
        random_bits=told.get("random_bits", 0),
        unbiased=told["unbiased"] if told.get("whole") else None,
        largest_bias=told.get("largest_bias"),
        draws=_draws(told["drawn"]) if "drawn" in told else None,
    )
    if contract is not None and not answer:
        raise Broken(str(answer))
    return answer
