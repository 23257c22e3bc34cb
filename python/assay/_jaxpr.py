"""assay.formula_of for functions of JAX: the equations of a jaxpr, by what functions of torch mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ._record import Mask, RecordingError, _squared_distance
from ._symbols import Recording, Symbol
from ._torch_basic import FUNCTIONS, entrywise, plain, unary
from ._torch_rows import reduced, summed_product
from ._torch_shapes import relation_of

#: Primitives of one argument that are functions of the language, by their names in JAX.
_UNARY = {each: each for each in "exp exp2 expm1 log1p tanh erf sqrt rsqrt sin cos abs sign neg".split()}
_UNARY["logistic"] = "sigmoid"
#: Primitives that give their arguments: a formula has no rounding, no memory and no derivative.
_SAME = set("stop_gradient copy copy_p reduce_precision optimization_barrier name device_put".split())
_COMPARISONS = set("eq ne lt le gt ge".split())
#: Primitives that call a function, and where they have its equations.
_CALLS = set("pjit jit closed_call core_call custom_jvp_call custom_vjp_call custom_vjp_call_jaxpr".split())
_CALLS |= set("remat remat2 checkpoint".split())
_INNER = ("jaxpr", "call_jaxpr", "fun_jaxpr")


def leaves(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The arrays and numbers of an argument with a name for each, in JAX's order."""
    if value is None:
        return
    if isinstance(value, dict):
        for key in sorted(value):
            yield from leaves(value[key], f"{name}_{key}")
    elif isinstance(value, (list, tuple)):
        for k, each in enumerate(value):
            yield from leaves(each, f"{name}_{k}")
    else:
        yield name, value


def is_traced(value: Any) -> bool:
    """Whether an argument has numbers that a formula reads: integers are constants of it."""
    return not isinstance(value, (bool, int, str)) and next(leaves(value, ""), None) is not None


def is_of_jax(model: Any, inputs: Sequence[Any]) -> bool:
    """Whether a model is to be read by JAX: no tensor of torch is among its arguments, and arrays are."""
    numbers = [each for value in inputs for _, each in leaves(value, "")]
    has_tensors = hasattr(model, "named_modules") or any(hasattr(each, "detach") for each in numbers)
    return not has_tensors and any(hasattr(each, "shape") for each in numbers)


def traced(function: Callable[..., Any], inputs: Sequence[Any]) -> Any:
    """The closed jaxpr of a function."""
    try:
        import jax
    except ImportError:
        raise RecordingError("arrays that are no tensors of torch: a function of them is read by JAX, which is not "
                             "installed") from None  # fmt: skip
    static = [k for k, each in enumerate(inputs) if not is_traced(each)]
    return jax.make_jaxpr(function, static_argnums=static)(*inputs)


def read(rec: Recording, closed: Any, inputs: Sequence[Any], names: Sequence[str]) -> Any:
    """What the function returns for symbols. `closed`: its jaxpr, with `jaxpr` and `consts`."""
    given: list[Any] = []
    for k, (value, name) in enumerate(zip(inputs, names)):
        if not is_traced(value):
            continue
        for at, (title, each) in enumerate(leaves(value, name)):
            if getattr(getattr(each, "dtype", None), "kind", "f") in "iub":
                raise RecordingError(f"{title}: an array of {each.dtype}; there are floating-point numbers")
            given.append(rec.parameter(title, each, lambda all, k=k, at=at: list(leaves(all[k], ""))[at][1]))
    if len(given) != len(closed.jaxpr.invars):
        raise RecordingError("an argument that is no array, no number, and no list or dictionary of them")
    results = _Reading(rec).jaxpr(closed.jaxpr, closed.consts, given)
    if len(results) != 1:
        raise RecordingError(f"the function returns {len(results)} arrays; a formula has one tensor for its result")
    return results[0]


class _Reading:
    """A run of equations. Values are symbols, and arrays of NumPy that do not depend on the inputs. A symbol may have
    the length 1 where JAX has repeated its numbers."""

    def __init__(self, rec: Recording):
        self.rec = rec
        self.constants: dict[int, tuple[Any, Symbol]] = {}

    def jaxpr(self, jaxpr: Any, consts: Sequence[Any], given: Sequence[Any]) -> list[Any]:
        known: dict[int, Any] = {}
        for variable, value in [*zip(jaxpr.constvars, map(_array, consts)), *zip(jaxpr.invars, given)]:
            known[id(variable)] = value

        def value_of(atom: Any) -> Any:
            return _array(atom.val) if hasattr(atom, "val") else known[id(atom)]

        for each in jaxpr.eqns:
            for variable, value in zip(each.outvars, self.equation(each, [value_of(a) for a in each.invars])):
                known[id(variable)] = value
        return [self.full(value_of(each), each.aval.shape) for each in jaxpr.outvars]

    def full(self, x: Any, shape: Sequence[int]) -> Any:
        """x with all numbers that JAX has."""
        return FUNCTIONS["expand"](self.rec, x, shape) if isinstance(x, Symbol) and x.sizes() != tuple(shape) else x

    def equation(self, eqn: Any, values: list[Any]) -> Sequence[Any]:
        name, params = eqn.primitive.name, eqn.params
        if name in _CALLS:
            inner = next(params[each] for each in _INNER if each in params)
            results = self.jaxpr(getattr(inner, "jaxpr", inner), getattr(inner, "consts", ()), values)
            self.named(results, str(params.get("name", name)).strip("_"), is_call=True)
            return results
        if name == "convert_element_type":
            return [self.converted(values[0], params["new_dtype"])]
        if name in _SAME:
            return values
        if not any(isinstance(each, Symbol) for each in values):
            return _computed(eqn, values)
        if name in ("is_finite", "ne") and all(each is values[0] for each in values):
            return [_array(name == "is_finite")]  # every real number is, and none differs from itself
        meaning = _MEANINGS.get(name)
        if name in _COMPARISONS:
            raise RecordingError(f"JAX's {name}: a comparison of values: write maximum, minimum or clip")
        if meaning is None:
            raise RecordingError(f"JAX's {name}: a formula has no such function; docs/models.md lists those it has")
        shapes = [tuple(each.aval.shape) for each in eqn.invars]
        result = meaning(self, params, [self.operand(each, name == "dot_general") for each in values], shapes)
        results = result if isinstance(result, (list, tuple)) else [result]
        self.named(results, name)
        return results

    def converted(self, value: Any, to: Any) -> Any:
        """A formula has no rounding to a format; the next integer would be a step."""
        if not isinstance(value, Symbol):
            return value.astype(to)
        if getattr(to, "kind", "f") in "iub":
            raise RecordingError(f"JAX's convert_element_type to {to}")
        return value

    def named(self, results: Sequence[Any], name: str, is_call: bool = False) -> None:
        for each in results:
            if isinstance(each, Symbol) and each.node.op not in ("input", "gather"):
                if is_call or id(each.node) not in self.rec.names:
                    self.rec.names[id(each.node)] = name

    def operand(self, value: Any, is_array: bool) -> Any:
        """A symbol, an array of truth values, or a number where all numbers of an array are the same."""
        if isinstance(value, Symbol) or value.dtype.kind == "b":
            return value
        if not is_array and (value == value.flat[0]).all():
            return _number(value.flat[0])
        return self.constant(value)

    def constant(self, value: Any) -> Symbol:
        if id(value) not in self.constants:
            self.constants[id(value)] = (value, self.rec.parameter("constant", value, lambda _: value))
        return self.constants[id(value)][1]


def _array(value: Any) -> Any:
    import numpy

    return numpy.asarray(value)


def _number(value: Any) -> Any:
    """A number of Python: of a float the shortest decimal that reads as it in its format."""
    return float(str(value)) if value.dtype.kind not in "iub" else int(value)


def _computed(eqn: Any, values: Sequence[Any]) -> Sequence[Any]:
    """Of constants, by NumPy or by JAX itself."""
    import numpy

    name, params = eqn.primitive.name, eqn.params
    if name == "iota":
        shape, axis = tuple(params["shape"]), params["dimension"]
        along = numpy.arange(shape[axis]).reshape([-1 if at == axis else 1 for at in range(len(shape))])
        return [numpy.broadcast_to(along, shape)]
    if name == "broadcast_in_dim":
        places, shape = params["broadcast_dimensions"], tuple(params["shape"])
        sides = [values[0].shape[places.index(at)] if at in places else 1 for at in range(len(shape))]
        return [numpy.broadcast_to(values[0].reshape(sides), shape)]
    of_numpy = {"add": "add", "sub": "subtract", "mul": "multiply", "eq": "equal", "ne": "not_equal", "lt": "less",
                "le": "less_equal", "gt": "greater", "ge": "greater_equal", "and": "logical_and", "or": "logical_or",
                "not": "logical_not", "neg": "negative"}  # fmt: skip
    is_of_bits = name in ("and", "or", "not") and values[0].dtype.kind != "b"
    if name in of_numpy and not is_of_bits and (name in _COMPARISONS or values[0].dtype.kind in "iub"):
        return [getattr(numpy, of_numpy[name])(*values)]
    if not hasattr(eqn.primitive, "bind"):
        raise RecordingError(f"JAX's {name} of constants")
    result = eqn.primitive.bind(*values, **params)
    return [_array(each) for each in (result if eqn.primitive.multiple_results else [result])]


def _full(function: Callable[..., Any]) -> Callable[..., Any]:
    """A meaning whose operands have all numbers that JAX has."""

    def called(of: _Reading, params: dict[str, Any], values: list[Any], shapes: Sequence[Any]) -> Any:
        return function(of, params, [of.full(each, shape) for each, shape in zip(values, shapes)])

    return called


def _moved(function: Callable[..., Any]) -> Callable[..., Any]:
    """A meaning that may give x other axes: those of its mask would be gone."""

    def called(of: _Reading, params: dict[str, Any], values: list[Any]) -> Any:
        result = function(of, params, values)
        parts = result if isinstance(result, tuple) else [result]
        if any(each.node is not values[0].node for each in parts):
            plain(values[0])
        return result

    return _full(called)


def _of(name: str) -> Callable[..., Any]:
    """The function of torch."""
    return lambda of, params, values, shapes: FUNCTIONS[name](of.rec, *values)


def _bare(x: Any) -> Any:
    """x without its mask: rows of masked numbers lead to a softmax or logsumexp, or are refused where they are used."""
    bare = x.like(x.node, x.dims)
    bare.mask = None
    return bare


def _in_row(function: Callable[..., Any]) -> Callable[..., Any]:
    """A step of a softmax, which keeps the mask of its first operand."""

    def called(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
        x, *others = values
        is_masked = isinstance(x, Symbol) and x.mask is not None
        if not is_masked or any(getattr(each, "mask", None) != x.mask or each.node.op != "max" for each in others):
            return function(of, params, values, shapes)
        result = function(of, params, [_bare(each) for each in values], shapes)
        result.mask = x.mask
        return result

    return called


def _is(value: Any, number: float) -> bool:
    return isinstance(value, (int, float)) and value == number


def _max(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    """max(x, −∞) is x, and max(x, 0) a relu."""
    for x, other in (values, values[::-1]):
        if _is(other, -math.inf):
            return x
        if _is(other, 0):
            return unary(of.rec, "relu", x)
    return entrywise(of.rec, "max", *values)


def _min(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    for x, other in (values, values[::-1]):
        if _is(other, math.inf):
            return x
    return entrywise(of.rec, "min", *values)


def _add(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    """logsumexp(x − c) + c is a logsumexp."""
    for x, c in (values, values[::-1]):
        if isinstance(x, Symbol) and isinstance(c, Symbol) and x.node.op == "logsumexp":
            inner, *mask = x.node.arguments
            if inner.op == "-" and inner.arguments[1] is c.node:
                return x.like(of.rec.node("logsumexp", [inner.arguments[0], *mask], x.node.axes, x.node.over), x.dims)
    return FUNCTIONS["add"](of.rec, *values)


def _div(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    """A sum over the number of its terms is a mean, and of squared distances to the mean a variance."""
    a, b = values
    if isinstance(a, Symbol) and isinstance(b, Symbol) and a.mask is not None and a.mask == b.mask:
        result = FUNCTIONS["div"](of.rec, _bare(a), _bare(b))
        if result.node.op == "softmax":
            result.node.arguments.append(Mask(a.mask))
            return result
    node = getattr(a, "node", None)
    if node is None or node.op != "sum" or len(node.over) != 1 or not _is(b, of.rec.lengths[node.over[0]]):
        return FUNCTIONS["div"](of.rec, a, b)
    x = _squared_distance(node.arguments[0], list(node.over))
    op, argument = ("mean", node.arguments[0]) if x is None else ("variance", x)
    return a.like(of.rec.node(op, [argument], node.axes, node.over), a.dims)


def _log(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    result = FUNCTIONS["log"](of.rec, _bare(values[0]) if values[0].node.op == "sum" else values[0])
    if result.node.op == "logsumexp" and values[0].mask is not None:
        result.node.arguments.append(Mask(values[0].mask))
        return result
    return FUNCTIONS["log"](of.rec, values[0])


def _abs(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    """A sum of exponentials is positive."""
    node = values[0].node
    is_positive = node.op == "exp" or (node.op == "sum" and node.arguments[0].op == "exp")
    return values[0] if is_positive else unary(of.rec, "abs", values[0])


def _power(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    return FUNCTIONS["pow"](of.rec, values[0], params["y"] if "y" in params else values[1])


def _clamp(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    low, x, high = values
    return FUNCTIONS["clamp"](of.rec, x, low, high)


def _along(op: str) -> Callable[..., Any]:
    return _full(lambda of, params, values: reduced(of.rec, op, values[0], list(params["axes"]), False))


def _place_of(name: str) -> Callable[..., Any]:
    return _full(lambda of, params, values: FUNCTIONS[name](of.rec, values[0], params["axes"][0]))


def _running(name: str) -> Callable[..., Any]:
    def called(of: _Reading, params: Any, values: list[Any]) -> Any:
        if params.get("reverse"):
            raise RecordingError(f"JAX's {name} in reverse")
        return FUNCTIONS[name](of.rec, values[0], params["axis"])

    return _full(called)


@_full
def _dot(of: _Reading, params: Any, values: list[Any]) -> Any:
    (over, batch), symbols = params["dimension_numbers"], []
    free = [[at for at in range(x.ndim) if at not in (*over[k], *batch[k])] for k, x in enumerate(values)]
    for k, x in enumerate(values):
        sides = [[x.dims[at] for at in each] for each in (batch[k], free[k], over[k])]
        gap = [()] * len(free[1 - k])
        sides[1] = [*sides[1], *gap] if k == 0 else [*gap, *sides[1]]
        symbols.append(x.like(x.node, [dim for side in sides for dim in side]))
    return summed_product(of.rec, *symbols, len(batch[0]) + len(free[0]) + len(free[1]))


def _broadcast(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    dims: list[Any] = [()] * len(params["shape"])
    for at, dim in zip(params["broadcast_dimensions"], values[0].dims):
        dims[at] = dim
    return values[0].like(values[0].node, dims)


@_moved
def _reshape(of: _Reading, params: Any, values: list[Any]) -> Any:
    if params.get("dimensions") is not None:
        raise RecordingError("JAX's reshape with dimensions")
    return FUNCTIONS["reshape"](of.rec, values[0], list(params["new_sizes"]))


def _squeeze(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    gone = {each % values[0].ndim for each in params["dimensions"]}
    return values[0].like(values[0].node, [dim for at, dim in enumerate(values[0].dims) if at not in gone])


def _expand_dims(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    dims = list(values[0].dims)
    for at in sorted(each % (len(dims) + len(params["dimensions"])) for each in params["dimensions"]):
        dims.insert(at, ())
    return values[0].like(values[0].node, dims)


def _transpose(of: _Reading, params: Any, values: list[Any], shapes: Any) -> Any:
    return values[0].like(values[0].node, [values[0].dims[at] for at in params["permutation"]])


@_moved
def _slice(of: _Reading, params: Any, values: list[Any]) -> Any:
    steps = params.get("strides") or [1] * values[0].ndim
    index = [slice(*each) for each in zip(params["start_indices"], params["limit_indices"], steps)]
    return FUNCTIONS["getitem"](of.rec, values[0], tuple(index))


@_moved
def _dynamic_slice(of: _Reading, params: Any, values: list[Any]) -> Any:
    x, *starts = values
    if any(isinstance(each, Symbol) for each in starts):
        raise RecordingError("JAX's dynamic_slice at a place that depends on values")
    index = [slice(at, at + n) for at, n in zip(starts, params["slice_sizes"])]
    return FUNCTIONS["getitem"](of.rec, x, tuple(index))


@_full
def _concatenate(of: _Reading, params: Any, values: list[Any]) -> Any:
    if not all(isinstance(each, Symbol) for each in values):
        raise RecordingError("JAX's concatenate with constants")
    return FUNCTIONS["cat"](of.rec, values, params["dimension"])


@_moved
def _split(of: _Reading, params: Any, values: list[Any]) -> Any:
    return FUNCTIONS["split"](of.rec, values[0], list(params["sizes"]), params["axis"])


def _select(of: _Reading, params: Any, values: list[Any], shapes: Sequence[Any]) -> Any:
    """The second one where an array of truth values holds; −∞ outside of a relation of indices is a mask."""
    import numpy

    kept, *cases = values
    if isinstance(kept, Symbol) or len(cases) != 2:
        raise RecordingError("JAX's select_n by values: write maximum, minimum or clip")
    if (kept == kept.flat[0]).all():
        return cases[int(kept.flat[0])]
    kept = numpy.broadcast_to(kept, shapes[1])
    for at in range(kept.ndim):  # of one place where it does not depend on it
        first = numpy.take(kept, [0], axis=at)
        kept = first if (kept == first).all() else kept
    other, chosen = cases
    if isinstance(other, Symbol) and (not isinstance(chosen, Symbol) or _is(chosen, -math.inf)):
        kept, other, chosen = ~kept, chosen, other
    x = of.full(chosen, [n if kept.shape[at] > 1 else m for at, (n, m) in enumerate(zip(shapes[1], chosen.sizes()))])
    relation = relation_of(kept, x)
    if _is(other, -math.inf):
        return FUNCTIONS["masked_fill"](of.rec, x, ~kept, -math.inf)
    if relation is not None:
        return FUNCTIONS["where"](of.rec, kept, x, other)
    mask = of.constant(kept.astype("f4"))
    return mask * x + (1 - mask) * other


_MEANINGS: dict[str, Callable[..., Any]] = {name: _of(to) for name, to in _UNARY.items()}
_MEANINGS |= {
    "abs": _abs, "add": _add, "add_any": _add, "argmax": _place_of("argmax"), "argmin": _place_of("argmin"),
    "atan2": _of("atan2"), "broadcast_in_dim": _broadcast, "clamp": _clamp, "concatenate": _concatenate,
    "cumprod": _running("cumprod"), "cumsum": _running("cumsum"), "div": _div, "dot_general": _dot,
    "dynamic_slice": _dynamic_slice, "exp": _in_row(_of("exp")), "expand_dims": _expand_dims, "integer_pow": _power,
    "log": _log, "max": _max, "min": _min, "mul": _of("mul"), "pow": _power, "reduce_max": _in_row(_along("max")),
    "reduce_min": _along("min"), "reduce_prod": _along("prod"), "reduce_sum": _in_row(_along("sum")),
    "rem": _of("fmod"), "reshape": _reshape, "select_n": _select, "slice": _slice, "split": _split,
    "square": _of("square"), "squeeze": _squeeze, "sub": _in_row(_of("sub")), "transpose": _transpose,
    "erfc": lambda of, params, values, shapes: entrywise(of.rec, "-", 1, unary(of.rec, "erf", values[0])),
    "rev": _moved(lambda of, params, values: FUNCTIONS["flip"](of.rec, values[0], *params["dimensions"])),
}  # fmt: skip
