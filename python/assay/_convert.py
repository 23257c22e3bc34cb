"""assay.check of a conversion of number formats: finds the rule that it follows."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from . import _arrays, _native, _shapes
from ._check import Broken
from ._native import byref, c_void_p, library, report_of

numpy = _arrays.numpy
#: NumPy's types by name of a format; any other format has its codes as unsigned integers.
_TYPES = {"f64": "f8", "f32": "f4", "f16": "f2", "int8": "i1", "int4": "i1"}


class ConversionOptions(_native._Sized):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("source", ctypes.c_char_p),
        ("target", ctypes.c_char_p),
        ("rule", ctypes.c_char_p),
        ("seed", ctypes.c_uint64),
        ("every_input", ctypes.c_int32),
    ]


class StochasticOptions(_native._Sized):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("source", ctypes.c_char_p),
        ("target", ctypes.c_char_p),
        ("rule", ctypes.c_char_p),
        ("seed", ctypes.c_uint64),
        ("bits", ctypes.c_int32),
        ("drawn", ctypes.c_int32),
    ]


_Conversion = ctypes.CFUNCTYPE(ctypes.c_int32, c_void_p, c_void_p, ctypes.c_size_t, c_void_p)
_StochasticConversion = ctypes.CFUNCTYPE(ctypes.c_int32, c_void_p, c_void_p, c_void_p, ctypes.c_size_t, c_void_p)


@dataclass(frozen=True)
class Deviation:
    """An input for which a rule and the function give different results. All are texts: "0x3fc00000 = 0x1.8p+0"."""

    input: str
    got: str
    expected: str


@dataclass(frozen=True)
class StochasticDeviation(Deviation):
    """A deviation of a function with random words."""

    word: str | None = None  #: the random word, if it is an argument of the function
    other: str | None = None  #: if the function draws its words: the second result that the rule allows


@dataclass(frozen=True)
class Comparison:
    """A rule, the number of inputs that break it, and the smallest of these inputs."""

    rule: str
    breaks: int
    examples: tuple[Deviation, ...]


@dataclass(frozen=True)
class Bias:
    """The largest bias of a draw among the inputs. The bias is the mean of the result's magnitude over all words, minus
    the magnitude of the input, as an exact fraction of the gap between the two results."""

    draw: str
    bias: str  #: "-255/2^16"
    input: str | None = None  #: the input with this bias; None if no input has a bias
    away_from_zero: str | None = None  #: the probability that this input is rounded away from zero, "1/2^8"


@dataclass(frozen=True)
class Draws:
    """The tests of a function that draws its own random words, and the probabilities of both kinds of error."""

    first_kind: float  #: largest probability to refuse a right function
    second_kind: float  #: largest probability to accept a function that is off by `deviation`
    deviation: float  #: error of the probability to round away from zero
    deviation_of_binades: float  #: the same at one input of each binade, which is asked less often
    shared: float  #: largest probability to accept a function that uses each word at two places
    independent: bool
    refused: tuple[str, ...]  #: draws whose probabilities do not fit the results


@dataclass(frozen=True)
class Conversion:
    """The result for a conversion. It is true if the conversion follows the promised rule, or any rule if none was
    promised."""

    source: str
    target: str
    asked: int  #: number of inputs
    proof: bool  #: whether every input was asked
    follows: tuple[str, ...]  #: all rules that no input contradicts, the most usual first
    nearest: Comparison  #: the first rule of `follows`, or if there is none, the rule that the fewest inputs break
    others: tuple[Comparison, ...]  #: rules that differ from the nearest one in one word
    promised: Comparison | None
    holds: bool
    text: str
    random_bits: int = 0  #: bits of a random word
    biases: tuple[Bias, ...] = ()  #: one for each draw
    draws: Draws | None = None

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return self.text.rstrip("\n")


@cache
def _told_formats() -> dict[str, dict[str, Any]]:
    """The number formats, by their names and aliases."""
    told = json.loads(library().assay_conversions_json())["formats"]
    return {name: each for each in told for name in (each["name"], each.get("alias", each["name"]))}


def formats() -> dict[str, int]:
    """The bits of each number format, by its name and by its alias."""
    return {name: each["bits"] for name, each in _told_formats().items()}


def _type(name: str) -> Any:
    bits = formats().get(name)
    if bits is None:
        raise ValueError(f"no number format {name!r}; there are: {', '.join(formats())}")
    return numpy.dtype(_TYPES.get(name, f"u{max(8, bits) // 8}"))


def _length(name: str, count: int) -> int:
    """How many elements an array of so many numbers has: two in a byte of a format of pairs."""
    return count // 2 if _told_formats()[name].get("pair") else count


def _patterns(value: Any, target: Any, count: int) -> Any:
    """The bytes of a result."""
    value = _arrays.of_numpy(value)
    if value.shape != (count,):
        raise TypeError(f"it returned an array of shape {value.shape}, not {(count,)}")
    is_code = value.dtype == target or (value.dtype.kind not in "fiuc" or target.kind == "u")
    if value.dtype.itemsize != target.itemsize or not is_code:
        raise TypeError(f"it returned numbers of {value.dtype}, not of {target}")
    return numpy.ascontiguousarray(value).view(f"u{target.itemsize}")


def check_conversion(
    function: Callable[..., Any],
    source: str,
    target: str,
    rule: str | None = None,
    *,
    every_input: bool = False,
    words: int | None = None,
    draws: int | None = None,
    seed: int = 1,
    arrays: Callable[..., Any] | None = None,
) -> Conversion:
    """Calls a function that converts an array of numbers, and names the rule that it follows.

    function: takes an array of the source format and returns an array of the target format, with the same shape. Codes
        of formats that NumPy does not have are unsigned integers of 8 or 16 bits; of e2m1x2, int4x2 and uint4x2, each
        byte holds two codes. The result may have any type with as many bytes, such as a type of ml_dtypes, and may lie
        on a device. `arrays` converts each argument first, such as cupy.asarray.
    rule: the rule that the function promises, "even.saturate.nan".
    every_input: tests all 2^32 inputs of a source of 32 bits. All inputs of at most 16 bits are always tested.
    words: the bits of a random word. The function rounds stochastically. Its second argument is an array of words, as
        unsigned integers of 32 bits. A rule is, for example, "carry.infinity.nan".
    draws: also the bits of a random word, but the function draws its own words. Its frequencies are tested.

    Raises Broken (an AssertionError) if the function breaks the rule that it promises. Exceptions of the function are
    passed on.
    """
    if _arrays.numpy is None:
        raise RuntimeError("check_conversion needs NumPy")
    if words is not None and draws is not None:
        raise ValueError("words and draws: a function takes its random words, or draws them itself")
    bits = words if draws is None else draws
    if bits is not None and every_input:
        raise ValueError("every_input: not with random words")
    of_source, of_target = _type(source), _type(target)
    errors: list[BaseException] = []

    converted = _shapes.converting(function, arrays)

    def array(place: Any, of: Any, count: int) -> Any:
        return numpy.frombuffer(bytearray(ctypes.string_at(place, count * of.itemsize)), of)

    def call(_self: Any, inputs: Any, given: Any, count: int, codes: Any) -> int:
        try:
            arguments = [array(inputs, of_source, _length(source, count))]
            if words is not None:
                arguments.append(array(given, numpy.dtype("u4"), count))
            with _arrays.without_warnings():
                result = _patterns(converted(*arguments), of_target, _length(target, count))
            ctypes.memmove(codes, result.ctypes.data, result.nbytes)
            return 0
        except BaseException as error:  # an interrupt ends the check, too
            errors.append(error)
            return 1

    promised = None if rule is None else rule.encode()
    report = c_void_p()
    if bits is None:
        options = ConversionOptions(
            source=source.encode(), target=target.encode(), rule=promised, seed=seed, every_input=int(every_input)
        )
        plain = _Conversion(lambda own, inputs, count, codes: call(own, inputs, None, count, codes))
        status = library().assay_convert(byref(options), plain, None, byref(report))
    else:
        stochastic = StochasticOptions(
            source=source.encode(),
            target=target.encode(),
            rule=promised,
            seed=seed,
            bits=bits,
            drawn=int(draws is not None),
        )
        status = library().assay_convert_stochastic(
            byref(stochastic), _StochasticConversion(call), None, byref(report)
        )
    told = report_of(status, report, errors)
    answer = Conversion(
        source=told["source"],
        target=told["target"],
        asked=told["asked"],
        proof=told["proof"],
        follows=tuple(told["follows"]),
        nearest=_comparison(told["nearest"], bits is not None),
        others=tuple(_comparison(each, bits is not None) for each in told["others"]),
        promised=_comparison(told["promised"], bits is not None) if "promised" in told else None,
        holds=told["holds"],
        text=told["text"],
        random_bits=told.get("random_bits", 0),
        biases=tuple(Bias(**each) for each in told.get("biases", ())),
        draws=_draws(told["drawn"]) if "drawn" in told else None,
    )
    if rule is not None and not answer:
        raise Broken(str(answer))
    return answer


def _comparison(told: dict[str, Any], stochastic: bool) -> Comparison:
    of = StochasticDeviation if stochastic else Deviation
    return Comparison(told["rule"], told["breaks"], tuple(of(**each) for each in told["examples"]))


def _draws(told: dict[str, Any]) -> Draws:
    return Draws(
        first_kind=told["first_kind"],
        second_kind=told["second_kind"],
        deviation=told["deviation"],
        deviation_of_binades=told["deviation_of_binades"],
        shared=told["shared"],
        independent="dependent" not in told,
        refused=tuple(each["draw"] for each in told["refused"]),
    )
