"""assay.formula: array code is called once with symbols; its operations on them become a formula."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ._close import Formula
from ._jax import recordable
from ._record import _BINARY, _REDUCED, _UNARY, Mask, RecordingError, Traced, Word, _bare

#: Words of the language that no definition can be called.
_WORDS = {"pi", "machine", "way", "mask", "range", "recompute", "computes", "axis", "where", "pick", "stack", "count"}
_WORDS |= {"stochastic", "erf", "sigmoid", "rsqrt", "relu", "softmax", "logsumexp", "cumsum", "cumprod"}
_WORDS |= {*_UNARY.values(), *_BINARY.values(), *_REDUCED.values()}
#: The rank of an operation among sums, products, signs, powers and atoms.
_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "^": 4}
_ATOM = 5


class Recorded(Formula):
    """The formula of a function of NumPy, which may still be called. `text`: in the language of docs/formula.md."""

    def __init__(self, function: Callable[..., Any], text: str):
        super().__init__(text)
        self._function = function
        functools.update_wrapper(self, function)

    @property
    def text(self) -> str:
        return self.source

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self._function(*arguments, **options)


def formula(
    function: Callable[..., Any] | None = None,
    *,
    axes: Mapping[str, str] | None = None,
    ranges: Mapping[str, tuple[float, float] | str] | None = None,
    classes: Mapping[str, Mapping[str, tuple[float, float] | str]] | None = None,
    machines: Sequence[str] = (),
) -> Any:
    """The formula of a function: it is called once with symbols, and the NumPy operations that it runs are recorded.
    The formula works with assay.check, assert_close and tolerance, and its `text` with `assay check --formula`.

    The axes of a parameter are given in its annotation, or in `axes`: "n, d"; without them it is a scalar. An axis of
    the same name is the same axis. "r: index n" is an array of integers, places of the axis n. `ranges`: the interval
    from which a parameter is drawn, or "one_hot". `classes`: classes of inputs of your own beside the automatic ones,
    {"large logits": {"x": (80, 100), "w": "integers"}}; docs/formula.md has the words. `machines`: machines of your
    own, "coarse: sum any; functions 3 ulp".

    There are + - * / @ **, the functions exp, exp2, expm1, log, log1p, sqrt, tanh, sin, cos, abs, sign, maximum,
    minimum, clip of NumPy, sum, prod, mean, max, min, var, cumsum, cumprod with axis and keepdims, einsum of two
    arrays, transposes, None and integers as indices, shape; and in assay.language what NumPy lacks. Variables of the
    function are definitions of the formula. exp(x)/Σexp(x) is a softmax and log Σexp(x) a logsumexp, with or without
    the shift by the maximum; a mean of squared distances to the mean is a variance. A float means the decimal that
    Python prints. Any other operation on a symbol is a RecordingError (a TypeError) that lists the supported ones.

    >>> import numpy as np
    >>> @formula
    ... def attention(q: "n, d", k: "m, d", v: "m, e", scale):
    ...     s = scale * (q @ k.T)
    ...     w = np.exp(s - s.max(axis=-1, keepdims=True))
    ...     p = w / w.sum(axis=-1, keepdims=True)
    ...     return p @ v
    >>> print(attention.text, end="")
    attention(q[n,d], k[m,d], v[m,e], scale) -> y[n,e]
      s = scale * sum(q * k, axis=d)
      p = softmax(s, axis=m)
      y = sum(p * v, axis=m)
    """
    if function is None:
        return functools.partial(formula, axes=axes, ranges=ranges, classes=classes, machines=machines)
    given = axes or {}
    parameters: list[tuple[str, str, list[str]]] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise RecordingError(f"{name}: a parameter that is no argument by position")
        of = given.get(name, "" if parameter.annotation is parameter.empty else parameter.annotation)
        if not isinstance(of, str):
            raise RecordingError(f'{name}: its annotation is to be a text with its axes, such as "n, d"')
        of, colon, kind = of.strip("'\" ").partition(":")
        sides = [each.strip() for each in of.split(",") if each.strip()]
        text = name + (f"[{','.join(sides)}]" if sides else "") + (": " + kind.strip() if colon else "")
        parameters.append((name, text, [each.split("=")[0].strip() for each in sides]))
    symbols = {name: Traced("input", [name], sides) for name, _, sides in parameters}
    result, variables = _called_with(recordable(function), list(symbols.values()))
    name = function.__name__ if re.fullmatch(r"[A-Za-z_]\w*", function.__name__, re.ASCII) else "recorded"
    lines = _Writing(symbols, variables).lines(result)
    head = f"{name}({', '.join(text for _, text, _ in parameters)}) -> {lines[0]}"
    text = [head, *[f"  range {each} {_drawing(of)}" for each, of in (ranges or {}).items()]]
    for title, parameters_of in (classes or {}).items():
        drawn = [f"{each} {_drawing(how)}" for each, how in parameters_of.items()]
        text.append('  class "' + title.replace('"', "'") + '": ' + ", ".join(drawn))
    if function.__doc__:
        text.insert(1, '  computes "' + function.__doc__.strip().splitlines()[0].replace('"', "'") + '"')
    text += ["  " + each for each in lines[1:]]
    for each in machines:
        machine, _, settings = each.partition(":")
        text += [f"machine {machine.strip()}", f"  {settings.strip()}"]
    return Recorded(function, "\n".join(text) + "\n")


def _drawing(how: tuple[float, float] | str) -> str:
    return how if isinstance(how, str) else f"{how[0]!r} {how[1]!r}"


def _called_with(function: Callable[..., Any], symbols: list[Traced]) -> tuple[Traced, dict[int, str]]:
    """What the function returns, and the names of its variables by the symbols that they held at the end."""
    variables: dict[str, Any] = {}
    code = getattr(inspect.unwrap(function), "__code__", None)

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "return" and frame.f_code is code:
            variables.update(frame.f_locals)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        result = function(*symbols)
    finally:
        sys.setprofile(before)
    if not isinstance(result, Traced):
        raise RecordingError(f"the function returns a {type(result).__name__}; a formula has one tensor for its result")
    if None in result.axes:
        raise RecordingError("the result keeps an axis of length 1; leave keepdims out, or take the entry 0 of it")
    return result, {id(_bare(each)): name for name, each in variables.items() if isinstance(each, Traced)}


class _Writing:
    """The lines of a formula."""

    def __init__(self, symbols: dict[str, Traced], variables: dict[int, str]):
        self._variables = variables
        self._used = {*symbols, *_WORDS, *[axis for each in symbols.values() for axis in each.axes if axis]}
        self._names: dict[int, str] = {}
        self._uses: dict[int, int] = {}
        self._lines: list[str] = []
        self._masks: dict[str, str] = {}

    def lines(self, result: Traced) -> list[str]:
        """The name of the result with its axes, then the definitions."""
        node = _bare(result)
        self._count(node)
        is_input = node.op in ("input", "#")
        name = self._new_name(self._variables.get(id(node), "y") if not is_input else "y")
        self._define(node, name)
        head = name + (f"[{','.join(map(str, result.axes))}]" if result.axes else "")
        return [head, *[f"mask {mask}: {relation}" for relation, mask in self._masks.items()], *self._lines]

    def _count(self, node: Traced) -> None:
        for each in map(_bare, (*node.arguments, *(used for way in node.ways for used in way.arguments))):
            if isinstance(each, Traced):
                self._uses[id(each)] = self._uses.get(id(each), 0) + 1
                if self._uses[id(each)] == 1:
                    self._count(each)

    def _new_name(self, wanted: str) -> str:
        name = wanted if re.fullmatch(r"[A-Za-z_]\w*", wanted, re.ASCII) else "t"
        number = 0
        while name in self._used:
            number += 1
            name = f"{wanted}_{number}"
        self._used.add(name)
        return name

    def _text(self, value: Any, rank: int = 0) -> str:
        """An operand, in parentheses if its rank is too low."""
        text, of = self._defined(value) if isinstance(value, Traced) else _number(value)
        return text if of >= rank else f"({text})"

    def _defined(self, value: Traced) -> tuple[str, int]:
        """A node, or its name where a variable holds it or it is used more than once."""
        node = _bare(value)
        if id(node) in self._names:
            return self._names[id(node)], _ATOM
        variable = self._variables.get(id(node))
        is_used_once = self._uses.get(id(node), 0) < 2
        if node.op in ("input", "#", "pi") or (variable is None and is_used_once and not node.ways):
            return self._written(node)
        self._define(node, None)
        return self._names[id(node)], _ATOM

    def _define(self, node: Traced, name: str | None) -> None:
        """A line with a definition, after those that it needs, and its ways."""
        text, _ = self._written(node)
        name = name or self._new_name(self._variables.get(id(node)) or "t")
        self._names[id(node)] = name
        self._lines.append(f"{name} = {text}")
        for way in node.ways:
            text, _ = self._written(way)
            self._lines.append(f"way {name} = {text}")

    def _written(self, node: Traced) -> tuple[str, int]:
        op, arguments = node.op, node.arguments
        if op in ("input", "#", "pi"):
            return ("#" if op == "#" else "") + str(arguments[0]), _ATOM
        if op in "+-*/":
            rank = _RANK[op]
            return f"{self._text(arguments[0], rank)} {op} {self._text(arguments[1], rank + 1)}", rank
        if op == "neg":
            return f"-{self._text(arguments[0], _RANK[op])}", _RANK[op]
        if op == "^":
            return f"{self._text(arguments[0], _ATOM)}^{arguments[1]}", _RANK[op]
        if op == "slice":
            places = arguments[1]
            index = [_index(axis, places[axis]) if axis in places else ":" for axis in _order(_bare(arguments[0]))]
            return f"{self._text(arguments[0], _ATOM)}[{', '.join(index)}]", _ATOM
        if op == "gather":
            index = [arguments[1][axis][0] if axis in arguments[1] else ":" for axis in _order(_bare(arguments[0]))]
            return f"{self._text(arguments[0], _ATOM)}[{', '.join(index)}]", _ATOM
        listed = [self._mask(each) if isinstance(each, Mask) else self._text(each) for each in arguments]
        if op in ("softmax", "logsumexp") and len(listed) == 2:
            listed[1] = f"mask={listed[1]}"
        if node.over:
            listed.insert(1 if op != "stack" else 2, "axis=" + ", ".join(node.over))
        return f"{op}({', '.join(listed)})", _ATOM

    def _mask(self, mask: Mask) -> str:
        if mask.relation not in self._masks:
            self._masks[mask.relation] = self._new_name("seen")
        return self._masks[mask.relation]


def _index(axis: str, place: int) -> str:
    return str(place) if place >= 0 else f"#{axis} - {-place}"


def _number(value: Any) -> tuple[str, int]:
    if isinstance(value, Word):
        return value, _ATOM
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{value.numerator} / {value.denominator}", _RANK["/"]
    text = repr(int(value)) if isinstance(value, Fraction) else repr(value)
    return text, _RANK["neg"] if text.startswith("-") else _ATOM


def _order(node: Traced) -> list[str]:
    """The axes of a definition in the language's order."""
    if node.op == "input":
        return [axis for axis in node.axes if axis is not None]
    order: list[str] = []
    for each in map(_bare, node.arguments):
        if isinstance(each, Traced):
            order += [axis for axis in _order(each) if axis not in order]
    if node.op == "gather":
        return list(dict.fromkeys(each for axis in order for each in node.arguments[1].get(axis, ("", [axis]))[1]))
    if node.op == "where":
        return order + [axis for axis in node.axes if axis is not None and axis not in order]
    if node.op == "slice":
        return [axis for axis in order if axis not in node.arguments[1]]
    if node.op == "stack":
        return order + list(node.over)
    if node.op == "pick":
        order = [axis for axis in order if axis in node.axes]
    gone = () if node.op in ("cumsum", "cumprod", "softmax", "sort") else node.over
    return [axis for axis in order if axis not in gone]
