"""The shapes and numbers that programs have: x of softmax is a matrix, and rows and columns are not given with it. The
matrix of a factorization, which a case stores column by column, is a matrix, as the description of the operation says.
_declared.py has operations whose declaration says the shapes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from typing import Any, Union

from . import _declared
from ._declared import Arguments

#: What a function of some operations may take in place of the fields of a case, as it takes them.
NATURAL = {
    "softmax": ("x",),
    "log_softmax": ("x",),
    "layer_norm": ("x", "weight", "bias", "eps"),
    "rms_norm": ("x", "weight", "eps"),
    "spmv": ("row_offsets", "column_indices", "values", "x"),
    **dict.fromkeys(("all_reduce", "all_reduce_max", "all_reduce_min", "reduce_scatter", "all_gather"), ("x",)),
}
#: Lengths of one dimension: a number, several, or any of a range.
Lengths = Union[int, Sequence[int], range]


def spelled(shapes: Sequence[Mapping[str, Lengths]] | None) -> str | None:
    """The text of the shapes for the judge. Raises ValueError for an empty list, and TypeError for lengths of another
    type.

    >>> spelled([{"n": [8193, 100000]}, {"m": range(1, 65), "k": 7}])
    'n=8193,100000;m=1..64,k=7'
    """
    if shapes is None:
        return None
    if isinstance(shapes, (str, Mapping)) or not all(isinstance(each, Mapping) for each in shapes):
        raise TypeError(f"shapes: a list of dictionaries is accepted, such as [{{'n': 8193}}], not {shapes!r}")
    if not shapes or not all(shapes):
        raise ValueError("shapes: none is given; write shapes=[{'n': 8193}]")
    return ";".join(",".join(f"{name}={_lengths(name, each)}" for name, each in shape.items()) for shape in shapes)


def _lengths(name: str, lengths: Lengths) -> str:
    if isinstance(lengths, range):
        if lengths.step != 1 or not lengths:
            raise ValueError(f"shapes: {name}: a range of steps of 1 with a length in it is accepted, not {lengths}")
        return f"{lengths.start}..{lengths.stop - 1}"
    several = [lengths] if isinstance(lengths, Integral) else lengths
    is_list = isinstance(several, Sequence) and not isinstance(several, str)
    if not is_list or not several or not all(isinstance(each, Integral) for each in several):
        raise TypeError(f"shapes: {name}: an integer, a list of integers or a range is accepted, not {lengths!r}")
    return ",".join(map(str, several))


def _counts(function: Callable[..., Any]) -> tuple[int, float] | None:
    """The least and the largest number of positional arguments of a function; None if that is unknown."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    by_position = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    least = sum(each.default is each.empty for each in by_position)
    endless = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    return least, float("inf") if endless else len(by_position)


def arguments_of(description: Mapping[str, Any]) -> Arguments:
    """The arguments of the call in the description of an operation; none where it has none."""
    return [(each["name"], each["dimensions"]) for each in description.get("arguments", ())]


def takes_shapes(
    function: Callable[..., Any],
    operation: str,
    fields: Sequence[str],
    refuse: bool = True,
    arguments: Arguments = (),
) -> bool:
    """Whether a function takes `arguments`, or those of NATURAL, not the fields of a case. Raises TypeError for a
    function that takes neither, unless it is not to `refuse`.

    >>> takes_shapes(lambda x, axis=-1: x, "softmax", ["rows", "columns", "x"])
    True
    >>> takes_shapes(lambda rows, columns, x: x, "softmax", ["rows", "columns", "x"])
    False
    >>> takes_shapes(lambda a: a, "potrf", ["n", "a"], arguments=[("a", ("n", "n"))])
    True
    >>> takes_shapes(lambda x, y: x, "softmax", ["rows", "columns", "x"])
    Traceback (most recent call last):
    TypeError: softmax: the function is called with (x) or (rows, columns, x), and takes 2 arguments
    """
    natural = tuple(name for name, _ in arguments) or NATURAL.get(operation)
    counts = _counts(function)
    if counts is None:
        return natural is not None
    least, most = counts
    if natural is not None and least == len(natural):
        return True
    if least <= len(fields) <= most:
        return False
    if natural is not None and least <= len(natural) <= most:
        return True
    if not refuse:
        return False
    forms = [f"({', '.join(each)})" for each in (natural, fields) if each is not None]
    raise TypeError(f"{operation}: the function is called with {' or '.join(forms)}, and takes {told(counts)}")


def told(counts: tuple[int, float]) -> str:
    """The least and the largest number of arguments in words: "1 to 3 arguments"."""
    least, most = counts
    number = f"{least}" if least == most else f"{least} or more" if most == float("inf") else f"{least} to {most}"
    return number + (" argument" if most == 1 else " arguments")


def of_shapes(
    function: Callable[..., Any], operation: str, fields: Sequence[str], arguments: Arguments = ()
) -> Callable[..., Any]:
    """A function of the fields of a case that calls a function of `arguments` or of NATURAL arguments."""
    if arguments:
        return _declared.of_arguments(operation, arguments).of_arrays(function)
    natural = NATURAL.get(operation, ())

    def called(*given: Any) -> Any:
        by_name = dict(zip(fields, given))
        if "ranks" in by_name:
            by_name["x"] = by_name["x"].reshape(by_name["ranks"], -1)
        elif operation != "spmv":
            by_name["x"] = by_name["x"].reshape(by_name["rows"], by_name["columns"])
        return flat(function(*[by_name[name] for name in natural]))

    return called


def flat(result: Any) -> Any:
    """The rows of a matrix, one after the other."""
    return result.reshape(-1) if len(getattr(result, "shape", ())) > 1 else result


def has_rows(operation: str) -> bool:
    """Whether the result consists of the rows of a matrix, one after the other."""
    return operation in NATURAL and operation != "spmv"


def fitted(
    function: Callable[..., Any], operation: str, fields: Sequence[str], arguments: Arguments = ()
) -> Callable[..., Any]:
    """The function as a function of the fields of a case. Raises TypeError for a function with another number of
    arguments."""
    if not callable(function):
        raise TypeError(f"function: a value of type {type(function).__name__} is not a function")
    declared = _declared.declared(operation)
    if declared is not None and not arguments:
        return declared.fitted(function)
    if takes_shapes(function, operation, fields, arguments=arguments):
        return of_shapes(function, operation, fields, arguments)
    if arguments or has_rows(operation):
        return lambda *given: flat(function(*given))
    return function


def converting(function: Callable[..., Any], arrays: Callable[..., Any] | None) -> Callable[..., Any]:
    """The function of arrays that `arrays` converts first."""
    if arrays is None:
        return function
    convert = arrays

    @functools.wraps(function, assigned=(), updated=())
    def converted(*arguments: Any) -> Any:
        return function(*[convert(each) if getattr(each, "shape", ()) else each for each in arguments])

    return converted
