"""Symbols that stand for tensors of torch while assay.formula_of runs a model: shapes are known, numbers are not.

A dimension of a symbol is a row of axes of the formula, the last one running fastest: (h, d) for heads that a view has
merged, none for a dimension of length 1. A reshape changes the rows, and no node, as long as it splits no axis.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from ._record import RecordingError, Traced, _NoMember

Dims = tuple[tuple[str, ...], ...]
#: Letters for axes, in the order in which they are used.
_LETTERS = "n m k c h w d b g i j l o p q r s t u v a e f".split()


class Again(BaseException):
    """Two axes of parameters turned out to be the same one: the recording begins anew."""


class Parameter:
    """A parameter of the formula. `read`: its tensor, from the inputs of the model. `shape`: of the recorded tensor;
    `axes`: a name for each of its dimensions longer than 1."""

    def __init__(self, name: str, node: Traced, shape: Sequence[int], read: Callable[[Sequence[Any]], Any]):
        self.name = name
        self.node = node
        self.shape = tuple(shape)
        self.read = read
        self.index = ""  # of integers: "n or -100", the axis whose places they are


class Recording:
    """One run of a model. `same`: pairs of axes of parameters, as (parameter, dimension), that former runs found to be
    the same. `functions`: what the functions of torch mean, by name; `views`: those whose result may lie in the memory
    of their argument. `taken`: names that nothing may get, `inputs`: those that only inputs may get. `has_places`:
    windows are arrays of places."""

    def __init__(self, same: list[tuple[Any, Any]], functions: dict[str, Callable[..., Any]], views: set[str],
                 taken: set[str], inputs: Sequence[str], has_places: bool = False):  # fmt: skip
        self.functions = functions
        self.views = views
        self.parameters: list[Parameter] = []
        self.lengths: dict[str, int] = {}
        self.defined: dict[str, str] = {}  # axes that no parameter has, with their lengths in the language
        self.has_places = has_places
        self.fixed: set[str] = set()  # axes whose length stands as a number in the formula
        self.names: dict[int, str] = {}
        self._same = same
        self._of_key: dict[Any, str] = {}
        self._keys: dict[str, Any] = {}
        self._taken = set(taken)
        self._inputs = inputs
        self._nodes: list[Traced] = []
        self._splits: dict[Any, tuple[str, str]] = {}
        self._places: dict[Any, Traced] = {}
        self._constants: dict[int, tuple[Any, Symbol]] = {}
        self._depth = 0

    # ------------------------------------------------------------------------------------------------------------ axes

    def new_name(self, wanted: str) -> str:
        name, number = wanted, 0
        while name in self._taken:
            number += 1
            name = f"{wanted}{number}"
        self._taken.add(name)
        return name

    def new_axis(self, length: int, defined: str | None = None) -> str:
        free = [each for each in _LETTERS if each not in self._taken and each not in self._inputs]
        name = self.new_name(free[0] if free else "ax")
        self.lengths[name] = length
        if defined is not None:
            self.defined[name] = defined
        return name

    def fix(self, *axes: str) -> None:
        """Makes these lengths numbers of the formula, and those that they follow from."""
        for axis in axes:
            self.fixed.add(axis)
            self.fixed.update(re.findall(r"#(\w+)", self.defined.get(axis, "")))

    def _axis_of(self, key: Any, length: int) -> str:
        """The axis of a dimension of a parameter."""
        root, seen = key, {key}
        for _ in self._same:  # the smallest key of those that are the same
            for a, b in self._same:
                if a in seen or b in seen:
                    seen |= {a, b}
        root = min(seen, key=str)
        if root not in self._of_key:
            self._of_key[root] = self.new_axis(length)
            self._keys[self._of_key[root]] = root
        return self._of_key[root]

    def are_the_same(self, a: str, b: str) -> None:
        """Begins anew if the two may be one axis; returns if they cannot."""
        is_free = a in self._keys and b in self._keys and self.lengths[a] == self.lengths[b]
        if is_free and not any(a in each.axes and b in each.axes for each in self._nodes):
            self._same.append((self._keys[a], self._keys[b]))
            raise Again

    # ----------------------------------------------------------------------------------------------------------- nodes

    def node(self, op: str, arguments: Sequence[Any], axes: Sequence[str], over: Sequence[str] = ()) -> Traced:
        made = Traced(op, arguments, list(dict.fromkeys(axes)), over)
        self._nodes.append(made)
        return made

    def parameter(self, name: str, tensor: Any, read: Callable[[Sequence[Any]], Any]) -> Symbol:
        name = self.new_name(re.sub(r"\W", "_", name))
        shape = tuple(int(each) for each in getattr(tensor, "shape", ()))
        dims = tuple((self._axis_of((name, at), n),) if n > 1 else () for at, n in enumerate(shape))
        flat = [axis for dim in dims for axis in dim]
        if len(set(flat)) < len(flat):
            raise RecordingError(f"{name}: two of its axes are one")
        node = self.node("input", [name], flat)
        self.parameters.append(Parameter(name, node, shape, read))
        return Symbol(self, node, dims, getattr(tensor, "dtype", None))

    def places(self, places: Any, axes: Sequence[str], of: str) -> Traced:
        """A parameter of integers that the formula brings: by index, a place of the axis `of`, or -100 for none."""
        key = (places.tobytes(), tuple(axes), of)
        if key not in self._places:
            name = self.new_name("at")
            node = self.node("input", [name], axes)
            self.parameters.append(Parameter(name, node, places.shape, lambda _: places))
            self.parameters[-1].index = of + (" or -100" if (places == -100).any() else "")
            self._places[key] = node
        return self._places[key]

    def symbol(self, value: Any) -> Any:
        """The symbol of a tensor that the model made without its inputs; other values as they are."""
        if isinstance(value, Symbol) or not hasattr(value, "detach"):
            return value
        if value.ndim == 0:
            return value.item()
        if id(value) not in self._constants:
            self._constants[id(value)] = (value, self.parameter("constant", value, lambda _: value))
        return self._constants[id(value)][1]

    # ------------------------------------------------------------------------------------------------------ alignment

    def gathered(self, x: Symbol, index: dict[str, tuple[str, list[str]]], dims: Sequence[Sequence[str]]) -> Symbol:
        """x at other indices: for an axis its index, in the language, and the axes that occur in it."""
        axes = [each for axis in x.node.axes for each in (index[axis][1] if axis in index else [axis])]
        return x.like(self.node("gather", [x.node, index], axes), dims)

    def split(self, x: Symbol, axis: str, first: int) -> Symbol:
        """x with one of its axes as two, of which the first has the given length."""
        rest = self.lengths[axis] // first
        if (axis, first) not in self._splits:
            self.fix(axis)
            self._splits[axis, first] = self.new_axis(first, str(first)), self.new_axis(rest, str(rest))
        a, b = self._splits[axis, first]
        dims = [[each for old in dim for each in ((a, b) if old == axis else (old,))] for dim in x.dims]
        return self.gathered(x, {axis: (f"{rest}*{a} + {b}", [a, b])}, dims)

    def renamed(self, x: Symbol, to: dict[str, str]) -> Symbol:
        dims = [[to.get(each, each) for each in dim] for dim in x.dims]
        return self.gathered(x, {a: (b, [b]) for a, b in to.items()}, dims)

    def copy_of(self, axis: str) -> str:
        """Another axis of the same length."""
        return self.new_axis(self.lengths[axis], self.length_of(axis))

    def length_of(self, axis: str) -> str:
        """The length of an axis in the language, by axes of parameters."""
        return self.defined.get(axis, f"#{axis}")

    def apart(self, x: Symbol, axes: Sequence[str]) -> Symbol:
        """x, with other names for those of its axes that are among the given ones."""
        both = [each for dim in x.dims for each in dim if each in axes]
        return self.renamed(x, {each: self.copy_of(each) for each in both}) if both else x

    def finest(self, x: Symbol, at: int, lengths: Sequence[int]) -> Symbol:
        """x with a dimension as axes of these lengths."""
        for place, length in enumerate(lengths[:-1]):
            axis = x.dims[at][place]
            if self.lengths[axis] != length:
                x = self.split(x, axis, length)
        if [self.lengths[each] for each in x.dims[at]] != list(lengths):
            raise RecordingError(f"dimensions of {x.shape_of(at)} numbers that views have split in different ways")
        return x

    def together(self, *values: Any) -> tuple[list[Any], Dims]:
        """The nodes of broadcast operands, and the dimensions of what is made of them."""
        given = [self.symbol(each) for each in values]
        symbols = [each for each in given if isinstance(each, Symbol)]
        ndim = max((len(each.dims) for each in symbols), default=0)
        for place in range(1, ndim + 1):
            rows = [each.lengths_of(-place) for each in symbols if len(each.dims) >= place]
            rows = [each for each in rows if each]
            if len({math.prod(each) for each in rows}) > 1:
                shapes = ", ".join(str(each.sizes()) for each in symbols)
                raise RecordingError(f"shapes that do not broadcast: {shapes}")
            finest = max(rows, key=len, default=[])
            for k, each in enumerate(given):
                if isinstance(each, Symbol) and len(each.dims) >= place and each.dims[-place]:
                    given[k] = self.finest(each, len(each.dims) - place, finest)
        dims: list[tuple[str, ...]] = [()] * ndim
        nodes = []
        for each in given:
            if not isinstance(each, Symbol):
                nodes.append(each)
                continue
            for place in range(1, len(each.dims) + 1):
                for have, want in zip(each.dims[-place], dims[-place]):
                    if have != want:
                        self.are_the_same(have, want)
            to = {a: b for p in range(1, len(each.dims) + 1) for a, b in zip(each.dims[-p], dims[-p]) if a != b}
            used = {axis for dim in dims for axis in dim}
            for p in range(1, len(each.dims) + 1):
                if not dims[-p]:
                    to |= {a: self.copy_of(a) for a in each.dims[-p] if a in used}
            each = self.renamed(each, to) if to else each
            for p in range(1, len(each.dims) + 1):
                dims[-p] = dims[-p] or each.dims[-p]
            nodes.append(each.node)
        return nodes, tuple(dims)

    def call(self, function: Any, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
        """What a function of torch does with symbols."""
        name = function if isinstance(function, str) else getattr(function, "__name__", str(function))
        plain = name.strip("_")
        meaning = self.functions.get(plain)
        if meaning is None:
            raise RecordingError(f"torch's {name}: a formula has no such function; docs/models.md lists those it has")
        self._depth += 1
        try:
            result = meaning(self, *arguments, **options)
        except TypeError as error:
            if isinstance(error, RecordingError) or "argument" not in str(error):
                raise
            raise RecordingError(f"torch's {name}: {error}") from None
        finally:
            self._depth -= 1
        if self._depth == 0 and isinstance(result, Symbol) and result.node.op not in ("input", "gather"):
            self.names.setdefault(id(result.node), plain)
        if plain in self.views and isinstance(arguments[0], Symbol):
            for each in [arguments[0], *(result if isinstance(result, tuple) else [result])]:
                each.has_views = True
        is_in_place = name.endswith("_") and not name.endswith("__") or options.get("inplace") is True
        if is_in_place and isinstance(result, Symbol):
            if arguments[0].has_views:
                raise RecordingError(f"torch's {name} writes to a tensor of which there are views")
            arguments[0].become(result)
            return arguments[0]
        return result


class Symbol:
    """A tensor of torch of which shape and type are known. `mask`: the relation of indices outside of which it is −∞;
    `diagonal`: of a diagonal matrix, its diagonal."""

    __array_priority__ = 1000
    __hash__ = object.__hash__

    def __init__(self, recording: Recording, node: Traced, dims: Sequence[Sequence[str]], dtype: Any):
        self._recording = recording
        self.node = node
        self.dims: Dims = tuple(map(tuple, dims))
        self.dtype = dtype
        self.mask: str | None = None
        self.has_views = False
        self.diagonal: Symbol | None = None

    def like(self, node: Traced, dims: Sequence[Sequence[str]]) -> Symbol:
        made = Symbol(self._recording, node, dims, self.dtype)
        made.mask = self.mask
        return made

    def become(self, other: Symbol) -> None:
        self.node, self.dims, self.dtype, self.mask = other.node, other.dims, other.dtype, other.mask

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, arguments: Any = (), options: Any = None) -> Any:
        found = _first((arguments, options or {}))
        return found._recording.call(function, arguments, options or {})

    # ---------------------------------------------------------------------------------------------------------- shapes

    def lengths_of(self, at: int) -> list[int]:
        return [self._recording.lengths[each] for each in self.dims[at]]

    def shape_of(self, at: int) -> int:
        return math.prod(self.lengths_of(at))

    def sizes(self) -> tuple[int, ...]:
        return tuple(self.shape_of(at) for at in range(len(self.dims)))

    @property
    def shape(self) -> Any:
        """The lengths. A formula that a length was read for is one of these lengths."""
        import torch

        self._recording.fix(*[each for dim in self.dims for each in dim])
        return torch.Size(self.sizes())

    def size(self, dim: int | None = None) -> Any:
        return self.shape if dim is None else self.shape[dim]

    def dim(self) -> int:
        return len(self.dims)

    ndimension = dim

    @property
    def ndim(self) -> int:
        return len(self.dims)

    def numel(self) -> int:
        return math.prod(self.shape)

    def __len__(self) -> int:
        return int(self.shape[0])

    @property
    def T(self) -> Any:
        return self._recording.call("permute", (self, *range(self.ndim)[::-1]), {})

    mT = property(lambda self: self._recording.call("transpose", (self, -1, -2), {}))
    device = property(lambda self: "cpu")
    requires_grad = property(lambda self: False)
    is_cuda = is_nested = property(lambda self: False)
    data = property(lambda self: self)

    def is_floating_point(self) -> bool:
        return bool(self.dtype.is_floating_point)

    def is_contiguous(self, *_: Any, **__: Any) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name.strip("_") not in self._recording.functions:
            raise _NoMember(f"{name} of a tensor, which assay.formula_of does not record; docs/models.md")
        return lambda *arguments, **options: self._recording.call(name, (self, *arguments), options)

    def _refuse(self, *_: Any) -> Any:
        raise RecordingError("a branch or a number that depends on values, which a formula does not have")

    __bool__ = __float__ = __int__ = __index__ = item = tolist = numpy = _refuse


def _first(value: Any) -> Any:
    """The first symbol of nested arguments."""
    if isinstance(value, Symbol):
        return value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return next((found for each in inner if (found := _first(each)) is not None), None)


def _operator(name: str, is_reflected: bool = False) -> Callable[..., Any]:
    def called(self: Symbol, *others: Any) -> Any:
        arguments = (*others, self) if is_reflected else (self, *others)
        return self._recording.call(name, arguments, {})

    return called


for _name in ("add", "sub", "mul", "truediv", "matmul", "pow"):
    setattr(Symbol, f"__{_name}__", _operator(_name))
    setattr(Symbol, f"__r{_name}__", _operator(_name, True))
    setattr(Symbol, f"__i{_name}__", _operator(_name + "_"))
for _name in ("neg", "abs", "getitem", "invert", "and", "or", "lt", "le", "gt", "ge", "eq", "ne", "mod"):
    setattr(Symbol, f"__{_name}__", _operator(_name))


def number(value: Any) -> Any:
    """A number of Python, exact: a float means the decimal that Python prints for it."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
        raise RecordingError(f"a {type(value).__name__} among tensors")
    if isinstance(value, float) and not math.isfinite(value):
        raise RecordingError(f"the number {value}, which is not finite")
    return value
