"""Arrays as an operation says them: by its declaration, `void f(size_t n, const T x[n], T _Complex y[n / 2 + 1])`, or
by the arguments of its description, which a case stores column by column, `[{"name": "a", "dimensions": ["n", "n"]}]`.

A function of Python takes the arrays that such an operation reads, in their shapes, and then the integers that no shape
tells. It returns an array of the shape of the result; several arrays where the declaration does not say it, such as
factors and pivots. A case has the numbers of every array one behind the other, the real part of a complex number before
the imaginary part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from . import _arrays

#: The arguments of a description: their names and dimensions.
Arguments = Sequence[tuple[str, Sequence[str]]]

_ARRAY = re.compile(r"(const )?T (_Complex )?(\w+)((?:\[[^]]+\])+)")
_INTEGER = re.compile(r"size_t (\w+)")


@dataclass(frozen=True)
class Array:
    """An array of an operation: `lengths` are names of integers, "n / 2 + 1", or sums of names and numbers."""

    name: str
    is_complex: bool
    lengths: tuple[str, ...]
    is_by_columns: bool = False

    def shape(self, known: Mapping[str, int]) -> tuple[int, ...]:
        """Its shape, with these integers.

        >>> Array("y", False, ("m + n - 1", "r / 2 + 1")).shape({"m": 5, "n": 3, "r": 6})
        (7, 4)
        """
        return tuple(_length(each, known) for each in self.lengths)

    def of_numbers(self, numbers: Any, known: Mapping[str, int]) -> Any:
        """The array of the numbers of a case."""
        if self.is_complex:
            numbers = numbers.view(f"c{2 * numbers.itemsize}")
        if len(self.lengths) == 1:
            return numbers
        shape = self.shape(known)
        return numbers.reshape(shape[::-1]).T if self.is_by_columns else numbers.reshape(shape)

    def numbers_of(self, array: Any) -> Any:
        """The numbers of an array, one behind the other."""
        array = _arrays.numpy.ascontiguousarray(array.T if self.is_by_columns else array)
        return (array.view(array.real.dtype) if self.is_complex else array).reshape(-1)


def _length(text: str, known: Mapping[str, int]) -> int:
    """A length: a sum of names and numbers with spaces between, or half of a name, rounded down, and 1."""
    if text.endswith(" / 2 + 1"):
        return known[text.removesuffix(" / 2 + 1")] // 2 + 1
    first, *others = text.split(" ")
    signs = {"+": 1, "-": -1}
    terms = [(1, first), *((signs[sign], term) for sign, term in zip(others[::2], others[1::2]))]
    return sum(sign * (int(term) if term.isdigit() else known[term]) for sign, term in terms)


@dataclass(frozen=True)
class Declared:
    """The arguments of an operation. `integers`: all of the declaration; a case may have none of them. `result`: None
    where the result is a matrix or several arrays of other shapes, column by column."""

    operation: str
    integers: tuple[str, ...]
    arrays: tuple[Array, ...]
    result: Array | None = None

    @property
    def natural(self) -> tuple[str, ...]:
        """What a function of Python takes.

        >>> declared("fft2").natural, declared("irfft").natural
        (('x',), ('x', 'n'))
        """
        return tuple(each.name for each in self.arrays) + self._untold()

    def _untold(self) -> tuple[str, ...]:
        """The integers that are the length of no array."""
        told = {length for each in self.arrays for length in each.lengths}
        return tuple(each for each in self.integers if each not in told)

    def known(self, given: Sequence[Any]) -> dict[str, int]:
        """The integers of a case. `given`: its fields, integers before lists of numbers."""
        count = len(given) - len(self.arrays)
        known = dict(zip(self.integers, given[:count]))
        for array, numbers in zip(self.arrays, given[count:]):
            if count == 0:
                known[array.lengths[0]] = len(numbers) // (2 if array.is_complex else 1)
        return known

    def fitted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of the fields of a case that calls a function of the arrays. Raises TypeError for a function with
        another number of arguments; when it is called, without NumPy and for a result of another kind or shape."""
        from . import _shapes

        counts = _shapes._counts(function)
        if counts is not None and not counts[0] <= len(self.natural) <= counts[1]:
            forms = f"({', '.join(self.natural)})"
            raise TypeError(f"{self.operation}: the function is called with {forms}, and takes {_shapes.told(counts)}")
        return self.of_arrays(function)

    def of_arrays(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same without a look at the function."""

        def called(*given: Any) -> Any:
            if _arrays.numpy is None:
                raise TypeError(f"{self.operation}: arrays of several dimensions or complex numbers need NumPy")
            known = self.known(given)
            lists = given[len(given) - len(self.arrays) :]
            arrays = [array.of_numbers(numbers, known) for array, numbers in zip(self.arrays, lists)]
            return self.numbers_of_result(function(*arrays, *[known[each] for each in self._untold()]), known)

        return called

    def numbers_of_result(self, result: Any, known: Mapping[str, int]) -> Any:
        """The numbers of a result. Raises TypeError for an array of another kind or shape."""
        if self.result is None:
            return _by_columns(result)
        array = _arrays.numpy.asarray(_arrays._on_host(result))
        if (array.dtype.kind == "c") != self.result.is_complex:
            kind = "complex" if self.result.is_complex else "real"
            raise TypeError(f"{self.operation}: an array of {kind} numbers is accepted, not one of {array.dtype}")
        shape = self.result.shape(known)
        if array.shape != shape:
            raise TypeError(f"it returned an array of shape {array.shape}, not {shape}")
        return self.result.numbers_of(array)

    def numbers_of_given(self, result: Any, given: Sequence[Any]) -> Any:
        """The numbers of a result in the shape of the declaration; the numbers themselves as they are. `given`: the
        fields of the case. Raises ValueError for another shape."""
        if self.result is None:
            is_flat = not isinstance(result, tuple) and len(getattr(result, "shape", ())) <= 1
            return result if is_flat or _arrays.numpy is None else _by_columns(result)
        shape = tuple(getattr(result, "shape", ()))
        is_complex = getattr(getattr(result, "dtype", None), "kind", "") == "c"
        if _arrays.numpy is None or (len(shape) == 1 and not is_complex):
            return result
        known = self.known(given)
        if shape != self.result.shape(known):
            raise ValueError(f"result: it has shape {shape}, not {self.result.shape(known)}")
        return self.numbers_of_result(result, known)

    def fields_of(self, arguments: Sequence[Any], fields: Sequence[str]) -> Sequence[Any]:
        """The fields of a case for the arguments of a function; other arguments as they are. Raises ValueError for an
        array of another shape."""
        if _arrays.numpy is None or len(arguments) != len(self.natural):
            return arguments
        hosts = [_arrays._on_host(each) for each in arguments[: len(self.arrays)]]
        kinds = [getattr(getattr(each, "dtype", None), "kind", "") for each in hosts]
        if any(array.is_complex and kind != "c" for array, kind in zip(self.arrays, kinds)):
            return arguments
        known = dict(zip(self._untold(), arguments[len(self.arrays) :]))
        lists = []
        for array, host in zip(self.arrays, hosts):
            shape = tuple(getattr(host, "shape", ()))
            if len(shape) == len(array.lengths):
                told = {name: length for name, length in zip(array.lengths, shape) if name in self.integers}
                known = told | known
            if len(shape) != len(array.lengths) or shape != array.shape(known):
                wanted = " × ".join(f"{each} = {known[each]}" if each in known else each for each in array.lengths)
                raise ValueError(f"{array.name}: it has shape {shape}, not {wanted}")
            lists.append(array.numbers_of(host))
        return [*[known[each] for each in self.integers if each in fields], *lists]


def _by_columns(result: Any) -> Any:
    """The columns of a matrix one behind the other; of several arrays, such as factors and pivots, one behind the other.
    Integers become numbers of the format of the first array."""
    if not isinstance(result, tuple):
        return _flat_columns(result)
    parts = [_arrays.numpy.asarray(_flat_columns(each)) for each in result]
    return _arrays.numpy.concatenate([each.astype(parts[0].dtype) for each in parts])


def _flat_columns(array: Any) -> Any:
    host = _arrays._on_host(array)
    if len(getattr(host, "shape", ())) < 2:
        return host
    return _arrays.numpy.ascontiguousarray(_arrays.numpy.asarray(host).T).reshape(-1)


def of_arguments(operation: str, arguments: Arguments) -> Declared:
    """An operation whose description has its arguments."""
    arrays = tuple(Array(name, False, tuple(dimensions), True) for name, dimensions in arguments)
    integers = dict.fromkeys(length for each in arrays for length in each.lengths)
    return Declared(operation, tuple(integers), arrays)


@cache
def declared(operation: str) -> Declared | None:
    """The arguments of an operation, if its description has them or a declaration says the lengths of its arrays."""
    from .judge import contracts

    described = contracts().get(operation, {}).get("arguments", ())
    if described:
        return of_arguments(operation, [(each["name"], each["dimensions"]) for each in described])
    for each in contracts().get(operation, {}).get("signatures", ()):
        arrays = [
            (const, Array(name, bool(of_complex), tuple(re.findall(r"\[([^]]+)\]", lengths))))
            for const, of_complex, name, lengths in _ARRAY.findall(each["declaration"])
        ]
        if arrays:
            read = tuple(array for const, array in arrays if const)
            return Declared(operation, tuple(_INTEGER.findall(each["declaration"])), read, arrays[-1][1])
    return None
