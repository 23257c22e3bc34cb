"""assay.formula_of: a model or function of torch is called once with symbols, and becomes a formula."""

from __future__ import annotations

import contextlib
import inspect
import math
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from ._close import Formula, _format_of, hold
from ._formula import _WORDS, _Writing
from ._record import RecordingError
from ._symbols import Again, Parameter, Recording, Symbol
from .judge import Judgment

#: So many pairs of axes may turn out to be the same.
_MOST_RUNS = 300
#: So many operations of the judge take about a second.
MOST = 20_000_000
#: An entry takes as long as so many terms of a sum.
_OF_ENTRY = 16


class Model(Formula):
    """The formula of a model. It takes the inputs of the model. The weights are those that the model had when it was
    recorded. `text`: in the language of docs/formula.md; its parameters are the inputs, the weights, and places
    `at…` of windows. `shape`: of the result for the recorded inputs."""

    def __init__(
        self,
        text: str,
        parameters: list[Parameter],
        shape: tuple[int, ...],
        lengths: dict[str, int],
        axes: list[str],
        count: int,
        is_place: bool,
    ):
        super().__init__(text)
        self.shape = shape
        self._lengths = lengths
        self._axes = axes
        self._parameters = parameters
        self._count = count
        self._is_place = is_place

    @property
    def text(self) -> str:
        return self.source

    def arguments(self, inputs: Sequence[Any], attributes: dict[str, Any]) -> list[Any]:
        """The parameters of the formula for inputs of the model. Raises TypeError for another number of inputs."""
        if attributes or len(inputs) != self._count:
            raise TypeError(f"{self.name}: {self._count} inputs of the model are expected, by position")
        narrow = next((each.dtype for each in inputs if _is_float(each)), None)
        return [_argument(each, each.read(inputs), narrow) for each in self._parameters]

    def result(self, got: Any) -> Any:
        """A result of the model in the shape of the formula's: without dimensions of length 1, and with those that
        views have merged apart. Places, of argmax, become numbers of binary32. Raises ValueError for another shape."""
        shape = tuple(getattr(got, "shape", ()))
        if shape != self.shape:
            raise ValueError(f"{self.name}: a result of shape {self.shape} is expected, not of {shape}")
        if self._is_place:
            got = got.float() if hasattr(got, "float") else got.astype("f4")
        return got.reshape([self._lengths[axis] for axis in self._axes])


    def held(self, got: Any, inputs: Sequence[Any], contract: str | None = None, most: int = MOST) -> Judgment:
        """The judgment of a result, as assert_close makes it. Where all entries would take more than about `most`
        operations, the entries of some rows are judged: of axes along which the model does the same everywhere, such as
        rows and columns of a product. The rows are drawn anew each time, and the judgment has the count."""
        got, arguments = self.result(got), self.arguments(inputs, {})
        places = self._sample(most)
        if places:
            by_axes = [(each.node.axes, each_value) for each, each_value in zip(self._parameters, arguments)]
            arguments = [_at(value, axes, places) for axes, value in by_axes]
            got = _at(got, self._axes, places)
        chosen_at = [places.get(axis) for axis in self._axes]
        return hold(self, self.case(arguments, _format_of(got)), got, contract, chosen_at)

    def _sample(self, most: int) -> dict[str, Any]:
        """Places of axes, for those that are not judged in full."""
        lengths = dict(self._lengths)
        free = _pointwise(self.graph) & set(self._axes)
        most = max(most, self._least_work(free) * 5 // 4)
        while self._work(lengths) > most:
            halves = {axis: -(-lengths[axis] // 2) for axis in free if lengths[axis] > 1}
            if not halves:
                break
            axis = min(halves, key=lambda each: (self._work({**lengths, each: halves[each]}), -lengths[each], each))
            lengths[axis] = halves[axis]
        draw = random.SystemRandom()
        return {a: sorted(draw.sample(range(self._lengths[a]), n)) for a, n in lengths.items() if n < self._lengths[a]}


    def _work(self, lengths: dict[str, int]) -> int:
        """The operations of a judgment with these lengths of axes."""

        def size(axes: list[str]) -> int:
            return math.prod(lengths[axis] for axis in axes)

        return sum(
            _OF_ENTRY * size(each["axes"]) + size([*each["axes"], *each["over"]]) for each in self.graph["nodes"]
        )

    def _least_work(self, free: set[str]) -> int:
        """The operations of a judgment of one entry of each axis that is `free`."""
        return self._work({axis: 1 if axis in free else n for axis, n in self._lengths.items()})

    def takes_long(self) -> bool:
        """Whether a judgment of the least number of entries takes more than about a second."""
        return self._least_work(_pointwise(self.graph) & set(self._axes)) > MOST


def _pointwise(graph: dict[str, Any]) -> set[str]:
    """The axes along which a formula does the same everywhere: no node runs along them, and none uses an index or the
    length of one."""
    free = {each["name"] for each in graph["axes"] if each["length"] is None}
    masks = {each["name"]: each for each in graph["masks"]}
    told = [term for each in graph["axes"] if each["length"] for term in each["length"]["lengths"]]
    used = {axis for axis, _ in told} | {each["index"] for each in graph["parameters"] if each["index"]}
    for node in graph["nodes"]:
        used.update(node["over"])
        affine = []
        if "index" in node:
            of = graph["nodes"][node["arguments"][0]]["axes"]
            moved = [k for k, each in enumerate(node["index"]) if each["indices"] != [[of[k], 1]] or each["constant"]]
            affine += [node["index"][k] for k in moved]
            used.update(of[k] for k in moved)
        if "mask" in node:
            affine += [masks[node["mask"]]["left"], masks[node["mask"]]["right"]]
        if isinstance(node.get("value"), dict):  # a number of entries
            affine.append(node["value"])
        used.update(axis for each in affine for axis, _ in [*each["indices"], *each["lengths"]])
    return free - used


def _at(value: Any, axes: Sequence[str], places: dict[str, Any]) -> Any:
    """Some entries of a tensor of torch or an array of NumPy."""
    for at, axis in enumerate(axes):
        if axis in places:
            value = value[(slice(None),) * at + (places[axis],)]
    return value


def _is_float(value: Any) -> bool:
    return hasattr(value, "detach") and bool(value.is_floating_point())


def _argument(parameter: Parameter, value: Any, narrow: Any) -> Any:
    if not hasattr(value, "shape"):
        return value
    if tuple(value.shape) != parameter.shape:
        raise ValueError(f"{parameter.name}: shape {parameter.shape} is expected, not {tuple(value.shape)}")
    lengths = [n for n in value.shape if n > 1]
    if hasattr(value, "detach"):
        value = value.detach()
        if not parameter.index and not value.is_floating_point():
            value = value.to(narrow)
        return value.to("cpu").reshape(lengths).contiguous()
    return value.reshape(lengths)


def formula_of(
    model: Callable[..., Any], inputs: Sequence[Any], *, name: str | None = None, samples: bool = False
) -> Model:
    """The formula of a model of torch: it is called once with symbols in place of its inputs and weights, and the
    functions of torch that it runs are recorded. Nothing is computed. The contract follows from the formula, so that a
    candidate is judged against the mathematics of the model, and not against a result that torch has rounded. A
    function of arrays is read by jax.make_jaxpr.

    model: a torch.nn.Module, in training or not as it is, or a function of tensors; or a function of JAX.
    inputs: an example of the arguments, of which the shapes and types count. A float becomes a parameter of the
        formula; an integer is a constant of it. For JAX also lists and dictionaries of arrays.
    name: of the formula.
    samples: writes windows of convolutions as places, so that `held` may judge some of them.

    A model may use the functions that docs/models.md lists, views, and branches on shapes. Everything else raises a
    RecordingError (a TypeError) that names it: branches on values, comparisons, random numbers.

    >>> import torch  # doctest: +SKIP
    >>> gelu = assay.formula_of(torch.nn.Sequential(torch.nn.Linear(8, 4), torch.nn.GELU()), [torch.ones(2, 8)])
    >>> assay.assert_close(candidate(x), gelu, x)  # doctest: +SKIP
    """
    from . import _jaxpr, _torch_layers, _torch_shapes  # here, since nothing else needs them

    inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    names = _names_of(model, len(inputs))
    closed = _jaxpr.traced(model, inputs) if _jaxpr.is_of_jax(model, inputs) else None
    title = name or getattr(model, "__name__", type(model).__name__)
    title = title if title.isidentifier() and title.isascii() and title not in _WORDS else "model"
    same: list[tuple[Any, Any]] = []
    for _ in range(_MOST_RUNS):
        recording = Recording(same, _torch_layers.FUNCTIONS, _torch_shapes.VIEWS, {*_WORDS, title, "y"}, names, samples)
        try:
            if closed is None:
                result = _run(recording, model, inputs, names)
            else:
                result = _jaxpr.read(recording, closed, inputs, names)
        except Again:
            continue
        made = _written(recording, result, title, len(inputs))
        if samples and made.takes_long():
            with contextlib.suppress(_Whole):
                return _written(recording, _with_entries_apart(recording, result), title, len(inputs))
        return made
    raise RecordingError("more axes that are the same than a model has")


class _Whole(Exception):
    """An axis that a node needs as a whole."""


#: Operations on numbers alone.
_OF_NUMBERS = {"+", "-", "*", "/", "^", "neg", "abs", "sqrt", "rsqrt", "max", "min", "square", "sigmoid", "relu"}
_OF_NUMBERS |= {"exp", "exp2", "expm1", "log", "log1p", "tanh", "erf", "sin", "cos", "pow", "atan2", "fmod", "seen"}


def _with_entries_apart(recording: Recording, result: Symbol) -> Symbol:
    """The result with axes of its own where a part of it, such as the mean of a norm, runs along its axes: the inputs
    are parameters a second time, so that some entries can be judged without all others. Raises _Whole for axes along
    which entries depend on each other in another way, as in a softmax."""
    along = {axis for each in _nodes_of(result.node) for axis in each.over}
    to = {axis: recording.new_axis(recording.lengths[axis]) for dim in result.dims for axis in dim if axis in along}
    known: dict[tuple[int, frozenset[str]], Any] = {}

    def apart(node: Any, axes: frozenset[str]) -> Any:
        axes = axes.intersection(getattr(node, "axes", ()))
        if not axes:
            return node
        if (id(node), axes) not in known:
            known[id(node), axes] = made(node, axes)
        return known[id(node), axes]

    def made(node: Any, axes: frozenset[str]) -> Any:
        renamed = [to[each] if each in axes else each for each in node.axes]
        if node.op == "input":
            of = next(each for each in recording.parameters if each.node is node)
            if of.index:
                raise _Whole
            name = recording.new_name(of.name + "_again")
            new = recording.node("input", [name], renamed)
            recording.parameters.append(Parameter(name, new, of.shape, of.read))
            return new
        is_sum = node.op in ("sum", "mean", "variance", "max", "min") and not axes.intersection(node.over)
        if not is_sum and (node.op not in _OF_NUMBERS or node.over):
            raise _Whole
        new = recording.node(node.op, [apart(each, axes) for each in node.arguments], renamed, node.over)
        new.ways = [apart(each, axes) for each in node.ways]
        if id(node) in recording.names:
            recording.names[id(new)] = recording.names[id(node)]
        return new

    return result.like(apart(result.node, frozenset(to)), [[to.get(axis, axis) for axis in dim] for dim in result.dims])


def _names_of(model: Any, count: int) -> list[str]:
    try:
        of = inspect.signature(getattr(model, "forward", model)).parameters.values()
        names = [each.name for each in of if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    except (TypeError, ValueError):
        names = []
    return [names[k] if k < len(names) else f"x{k}" for k in range(count)]


def _name_of(path: str, key: str) -> str:
    """The name of a weight: fc_weight; weight_0 of a layer that has a number."""
    return key if not path else f"{path}_{key}" if path.replace(".", "_").isidentifier() else f"{key}_{path}"


def _run(recording: Recording, model: Any, inputs: Sequence[Any], names: Sequence[str]) -> Any:
    """What the model returns for symbols. Its weights are symbols meanwhile, and are put back."""
    import torch

    def input_of(k: int) -> Any:
        return lambda given: given[k]

    given = []
    for k, (value, name) in enumerate(zip(inputs, names)):
        is_number = hasattr(value, "detach") or isinstance(value, float)
        given.append(recording.parameter(name, value, input_of(k)) if is_number else value)
    undo: list[tuple[dict[str, Any], str, Any]] = []
    counters: list[tuple[Any, Any]] = []
    symbols: dict[int, Symbol] = {}
    modules = list(model.named_modules()) if hasattr(model, "named_modules") else []
    members = [(module, dict(vars(module))) for _, module in modules]
    try:
        for path, module in modules:
            for space in (module._parameters, module._buffers):
                for key, tensor in list(space.items()):
                    if tensor is None:
                        continue
                    if not tensor.is_floating_point() or _is_mask(tensor):
                        counters.append((tensor, tensor.clone()))
                        continue
                    if id(tensor) not in symbols:
                        symbols[id(tensor)] = recording.parameter(
                            _name_of(path, key), tensor, lambda _, of=tensor: of
                        )
                    undo.append((space, key, tensor))
                    space[key] = symbols[id(tensor)]
        with torch.no_grad():
            return model(*given)
    finally:
        for space, key, tensor in undo:
            space[key] = tensor
        for tensor, before in counters:
            tensor.copy_(before)
        for module, own in members:  # a model may store what it computes
            vars(module).clear()
            vars(module).update(own)


def _is_mask(tensor: Any) -> bool:
    """Whether a matrix has zeros and ones alone: a triangle for a mask."""
    return tensor.ndim > 1 and not tensor.requires_grad and bool(((tensor == 0) | (tensor == 1)).all())


def _written(recording: Recording, result: Any, title: str, count: int) -> Model:
    """The formula of what the model returned."""
    if not isinstance(result, Symbol):
        raise RecordingError(f"the model returns a {type(result).__name__}; a formula has one tensor for its result")
    if result.mask is not None:
        raise RecordingError("the model returns −∞ outside of a mask")
    axes = [axis for dim in result.dims for axis in dim]
    node = result.node
    if node.op == "input":  # the model returns an input
        node = recording.node("gather", [node, {}], node.axes)
    used = set(map(id, _nodes_of(node)))
    parameters = [each for each in recording.parameters if id(each.node) in used]
    parameters += _telling(recording, parameters)
    names = {each: name for each, name in recording.names.items() if each in used}
    lines = _Writing({each.name: each.node for each in parameters}, names).lines(node)
    known: set[str] = set()

    def spelled(axis: str, length: str | None) -> str:
        is_new = axis not in known
        known.add(axis)
        return f"{axis} = {length}" if is_new and length is not None else axis

    def bracketed(name: str, sides: list[str]) -> str:
        return name + (f"[{', '.join(sides)}]" if sides else "")

    head = []
    for each in parameters:
        fixed = {a: str(recording.lengths[a]) for a in each.node.axes if a in recording.fixed}
        kind = f": index {each.index}" if each.index else ""
        head.append(bracketed(each.name, [spelled(a, fixed.get(a)) for a in each.node.axes]) + kind)
        known.update(each.index.split()[:1])
    of_result = [spelled(axis, recording.defined.get(axis)) for axis in axes]
    text = [f"{title}({', '.join(head)}) -> {bracketed(lines[0].partition('[')[0], of_result)}"]
    words = set(re.findall(r"\w+", "\n".join(lines[1:])))
    text += [f"  axis {a} = {n}" for a, n in recording.defined.items() if a in words and a not in known]
    text += ["  " + each for each in lines[1:]]
    is_place = node.op in ("argmax", "argmin")
    return Model("\n".join(text) + "\n", parameters, result.sizes(), recording.lengths, axes, count, is_place)


def _telling(recording: Recording, parameters: list[Parameter]) -> list[Parameter]:
    """Parameters whose numbers are not used, for the axes of places that no other parameter has."""
    told = {axis for each in parameters for axis in each.node.axes}
    axes = dict.fromkeys(each.index.split()[0] for each in parameters if each.index)
    found = []
    for axis in axes:
        if axis not in told:
            node = recording.node("input", [recording.new_name("like")], [axis])
            shape = (recording.lengths[axis],)
            found.append(Parameter(node.arguments[0], node, shape, lambda given, n=shape: _zeros(n, given)))
    return found


def _zeros(shape: tuple[int, ...], given: Sequence[Any]) -> Any:
    if not any(hasattr(each, "detach") for each in given):
        import numpy

        return numpy.zeros(shape, "f4")
    import torch

    return torch.zeros(shape, dtype=next(each.dtype for each in given if _is_float(each)))


def _nodes_of(node: Any) -> list[Any]:
    """All nodes that lead to one."""
    found: dict[int, Any] = {}
    left = [node]
    while left:
        each = left.pop()
        if id(each) in found or not hasattr(each, "ways"):
            continue
        found[id(each)] = each
        left += [*each.arguments, *each.ways]
    return list(found.values())

