"""What functions of torch mean for assay.formula_of: views, indices, windows, joins and masks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ._record import Mask, RecordingError
from ._symbols import Recording, Symbol, number
from ._torch_basic import FUNCTIONS, flat, invert, meaning, one_axis, place, plain


#: Functions whose result may lie in the memory of their argument.
VIEWS = set(
    "view reshape flatten unflatten permute transpose swapaxes swapdims t movedim moveaxis squeeze unsqueeze expand "
    "expand_as broadcast_to getitem select narrow split split_with_sizes chunk unbind contiguous detach to type_as "
    "float double half bfloat16 type cpu cuda alias positive".split()
)


def same(rec: Recording, x: Symbol, *_: Any, **__: Any) -> Symbol:
    """The same numbers: a formula has no rounding, no memory and no device."""
    return x.like(x.node, x.dims)


for _name in ("contiguous clone detach to type_as float double half bfloat16 type cpu cuda requires_grad alias "
              "positive").split():  # fmt: skip
    FUNCTIONS[_name] = same


@meaning("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_dropout")
def dropout(rec: Recording, x: Symbol, p: float = 0.5, training: bool = True, inplace: bool = False) -> Symbol:
    if training and p > 0:
        raise RecordingError("a dropout in training draws random numbers; call model.eval()")
    return same(rec, x)


def sizes_of(given: Sequence[Any]) -> list[int]:
    listed = given[0] if len(given) == 1 and isinstance(given[0], (tuple, list)) else given
    return [int(each) for each in listed]


@meaning("view", "reshape")
def reshape(rec: Recording, x: Symbol, *shape: Any, **options: Any) -> Symbol:
    sizes = sizes_of(shape or tuple(options.values()))
    total = math.prod(x.sizes())
    if -1 in sizes:
        sizes[sizes.index(-1)] = total // -math.prod(sizes)
    if math.prod(sizes) != total:
        raise RecordingError(f"a view of {x.sizes()} as {tuple(sizes)}")
    dims: list[list[str]] = []
    left = flat(x.dims)
    for size in sizes:
        dims.append([])
        while size > 1:
            axis = left.pop(0)
            length = rec.lengths[axis]
            if size % length:
                first = math.gcd(size, length)
                if first != size:
                    raise RecordingError(f"a view of {x.sizes()} as {tuple(sizes)}, which cuts through a dimension")
                x = rec.split(x, axis, first)
                a, b = rec._splits[axis, first]
                left.insert(0, b)
                axis, length = a, first
            dims[-1].append(axis)
            size //= length
    return x.like(x.node, dims)


@meaning()
def flatten(rec: Recording, x: Symbol, start_dim: int = 0, end_dim: int = -1) -> Symbol:
    first, last = place(x, start_dim), place(x, end_dim)
    return x.like(x.node, [*x.dims[:first], flat(x.dims[first : last + 1]), *x.dims[last + 1 :]])


@meaning()
def unflatten(rec: Recording, x: Symbol, dim: int, sizes: Any) -> Symbol:
    at = place(x, dim)
    return reshape(rec, x, [*x.sizes()[:at], *sizes, *x.sizes()[at + 1 :]])


@meaning()
def permute(rec: Recording, x: Symbol, *order: Any, dims: Any = None) -> Symbol:
    return x.like(x.node, [x.dims[place(x, each)] for each in sizes_of(order or (dims,))])


@meaning("transpose", "swapaxes", "swapdims")
def transpose(rec: Recording, x: Symbol, dim0: int, dim1: int) -> Symbol:
    order = list(range(x.ndim))
    order[place(x, dim0)], order[place(x, dim1)] = place(x, dim1), place(x, dim0)
    return permute(rec, x, order)


@meaning("t")
def t(rec: Recording, x: Symbol) -> Symbol:
    return x.like(x.node, x.dims[::-1])


@meaning("movedim", "moveaxis")
def movedim(rec: Recording, x: Symbol, source: int, destination: int) -> Symbol:
    order = list(range(x.ndim))
    order.insert(place(x, destination), order.pop(place(x, source)))
    return permute(rec, x, order)


@meaning()
def squeeze(rec: Recording, x: Symbol, dim: int | None = None) -> Symbol:
    at = None if dim is None else place(x, dim)
    return x.like(x.node, [each for k, each in enumerate(x.dims) if each or (at is not None and k != at)])


@meaning()
def unsqueeze(rec: Recording, x: Symbol, dim: int) -> Symbol:
    dims = list(x.dims)
    dims.insert(dim % (x.ndim + 1), ())
    return x.like(x.node, dims)


@meaning("repeat", "tile")
def repeat(rec: Recording, x: Symbol, *counts: Any) -> Symbol:
    given = sizes_of(counts)
    given = [1] * (x.ndim - len(given)) + given
    dims = [()] * (len(given) - x.ndim) + list(x.dims)
    if any(count != 1 and axes for count, axes in zip(given, dims)):
        raise RecordingError(f"a repetition of {x.sizes()} by {tuple(given)}")
    return expand(rec, x, [-1 if axes else count for count, axes in zip(given, dims)])


@meaning("expand", "expand_as", "broadcast_to")
def expand(rec: Recording, x: Symbol, *shape: Any) -> Symbol:
    given = shape[0].sizes() if isinstance(shape[0], Symbol) else sizes_of(shape)
    dims = [()] * (len(given) - x.ndim) + list(x.dims)
    node = x.node
    for at, size in enumerate(given):
        if size not in (-1, 1, math.prod(rec.lengths[each] for each in dims[at])):
            if dims[at]:
                raise RecordingError(f"a repetition of {x.sizes()} to {tuple(given)}")
            dims[at] = (rec.new_axis(size, str(size)),)
            node = rec.node("where", [Mask(f"0 <= {dims[at][0]}"), node, node], [*node.axes, *dims[at]])
    return x.like(node, dims)


@meaning("getitem")
def getitem(rec: Recording, x: Symbol, index: Any) -> Any:
    given = list(index) if isinstance(index, tuple) else [index]
    if any(each is Ellipsis for each in given):
        at = next(k for k, each in enumerate(given) if each is Ellipsis)
        given[at : at + 1] = [slice(None)] * (x.ndim - sum(each is not None for each in given) + 1)
    left, dims, to = list(x.dims), [], {}
    for each in given:
        if each is None:
            dims.append(())
            continue
        if not left:
            raise RecordingError(f"an index more than the {x.ndim} dimensions of a tensor")
        axes = left.pop(0)
        length = math.prod(rec.lengths[axis] for axis in axes)
        if isinstance(each, slice):
            start, stop, step = each.indices(length)
            count = len(range(start, stop, step))
            if count == length:
                dims.append(axes)
                continue
            if len(axes) != 1 or not count:
                raise RecordingError(f"the slice {each} of a dimension of {length}")
            rec.fix(axes[0])
            if count == 1:
                to[axes[0]] = (str(start), [])
                dims.append(())
                continue
            name = rec.new_axis(count, str(count))
            to[axes[0]] = ((f"{step}*" if step > 1 else "") + name + (f" + {start}" if start else ""), [name])
            dims.append((name,))
        elif isinstance(each, int) and not isinstance(each, bool):
            if len(axes) == 1:
                to[axes[0]] = (str(each) if each >= 0 else f"#{axes[0]} - {-each}", [])
            elif axes:
                raise RecordingError(f"the index {each} of a dimension that a view made of several")
        else:
            raise RecordingError(f"the index {each!r}; there are :, slices, None, ... and integers")
    dims += left
    return rec.gathered(x, to, dims) if to else x.like(x.node, dims)


@meaning()
def select(rec: Recording, x: Symbol, dim: int, index: int) -> Any:
    return getitem(rec, x, (*[slice(None)] * place(x, dim), index))


@meaning()
def narrow(rec: Recording, x: Symbol, dim: int, start: int, length: int) -> Any:
    return getitem(rec, x, (*[slice(None)] * place(x, dim), slice(start, start + length)))


@meaning("split", "split_with_sizes")
def split(rec: Recording, x: Symbol, size: Any, dim: int = 0) -> Any:
    whole = x.sizes()[place(x, dim)]
    sizes = [min(size, whole - at) for at in range(0, whole, size)] if isinstance(size, int) else list(size)
    return tuple(narrow(rec, x, dim, sum(sizes[:k]), each) for k, each in enumerate(sizes))


@meaning()
def chunk(rec: Recording, x: Symbol, chunks: int, dim: int = 0) -> Any:
    return split(rec, x, -(-x.sizes()[place(x, dim)] // chunks), dim)


@meaning()
def unbind(rec: Recording, x: Symbol, dim: int = 0) -> Any:
    return tuple(select(rec, x, dim, k) for k in range(x.sizes()[place(x, dim)]))


@meaning()
def flip(rec: Recording, x: Symbol, *dims: Any) -> Symbol:
    for dim in sizes_of(dims):
        axis = one_axis(x, dim, "a flip")
        if axis is not None:
            to = rec.copy_of(axis)
            named = [[to if each == axis else each for each in row] for row in x.dims]
            x = rec.gathered(x, {axis: (f"{rec.length_of(axis)} - 1 - {to}", [to])}, named)
    return x


def taken(rec: Recording, x: Symbol, dim: int, places: Any, axes: Sequence[str]) -> Symbol:
    """x along a dimension at places, an array of integers with these axes; 0 where a place is -100."""
    axis = one_axis(x, dim, "a window")
    if axis is None:
        raise RecordingError("padding of a dimension of length 1")
    kept = [each for each in x.node.axes if each != axis]
    node = rec.node("pick", [x.node, rec.places(places, axes, axis)], [*kept, *axes])
    at = place(x, dim)
    return x.like(node, [*x.dims[:at], *[(each,) for each in axes], *x.dims[at + 1 :]])


@meaning("pad", "constant_pad_nd")
def pad(rec: Recording, x: Symbol, pad: Sequence[int], mode: str = "constant", value: Any = None) -> Symbol:
    import numpy

    if value not in (None, 0) or mode not in ("constant", "reflect", "replicate", "circular"):
        raise RecordingError(f"padding with {value} in mode {mode}")
    for k in range(len(pad) // 2):
        before, after = pad[2 * k : 2 * k + 2]
        if before or after:
            dim = x.ndim - 1 - k
            length = x.sizes()[dim]
            at = numpy.arange(-before, length + after)
            if mode == "constant":
                at = numpy.where((at >= 0) & (at < length), at, -100)
            elif mode == "replicate":
                at = numpy.clip(at, 0, length - 1)
            elif mode == "circular":
                at = at % length
            else:
                at = length - 1 - abs(length - 1 - abs(at))
            x = taken(rec, x, dim, at, [rec.new_axis(at.size, str(at.size))])
    return x


@meaning()
def roll(rec: Recording, x: Symbol, shifts: Any, dims: Any) -> Symbol:
    import numpy

    for shift, dim in zip(sizes_of([shifts]), sizes_of([dims])):
        length = x.sizes()[place(x, dim)]
        at = (numpy.arange(length) - shift) % length
        x = taken(rec, x, dim, at, [rec.new_axis(length, str(length))])
    return x


@meaning("cat", "concat", "concatenate")
def cat(rec: Recording, tensors: Sequence[Any], dim: int = 0) -> Any:
    import numpy

    first = next(each for each in tensors if isinstance(each, Symbol))
    at = place(first, dim)
    lengths = [int(each.sizes()[at] if isinstance(each, Symbol) else each.shape[at]) for each in tensors]
    axis = rec.new_axis(sum(lengths), str(sum(lengths)))
    result: Any = None
    for k, (each, length) in enumerate(zip(tensors, lengths)):
        before = sum(lengths[:k])
        if not isinstance(each, Symbol) and not each.any():
            continue
        x = plain(rec.symbol(each))
        if length == 1:
            node = rec.node("where", [Mask(f"{axis} == {before}"), x.node, 0], [*x.node.axes, axis])
            part = x.like(node, [*x.dims[:at], (axis,), *x.dims[at + 1 :]])
        else:
            places = numpy.full(sum(lengths), -100)
            places[before : before + length] = numpy.arange(length)
            part = taken(rec, x, at, places, [axis])
        result = part if result is None else result + part
    return result


@meaning("stack")
def stack(rec: Recording, tensors: Sequence[Any], dim: int = 0) -> Any:
    first = next(each for each in tensors if isinstance(each, Symbol))
    at = dim % (first.ndim + 1)
    return cat(rec, [unsqueeze(rec, rec.symbol(each), at) for each in tensors], at)


def filled(rec: Recording, x: Symbol, shape: Any, value: Any, dtype: Any) -> Any:
    """A tensor that the model makes: it has numbers."""
    import torch

    return torch.full(tuple(shape), value, dtype=dtype or x.dtype)


FUNCTIONS["zeros_like"] = lambda rec, x, *, dtype=None, **_: filled(rec, x, x.shape, 0, dtype)
FUNCTIONS["ones_like"] = lambda rec, x, *, dtype=None, **_: filled(rec, x, x.shape, 1, dtype)
FUNCTIONS["full_like"] = lambda rec, x, value, *, dtype=None, **_: filled(rec, x, x.shape, value, dtype)
FUNCTIONS["new_zeros"] = lambda rec, x, *size, dtype=None, **_: filled(rec, x, sizes_of(size), 0, dtype)
FUNCTIONS["new_ones"] = lambda rec, x, *size, dtype=None, **_: filled(rec, x, sizes_of(size), 1, dtype)
FUNCTIONS["new_full"] = lambda rec, x, size, value, *, dtype=None, **_: filled(rec, x, size, value, dtype)


# --------------------------------------------------------------------------------------------------------------- masks


def relation_of(kept: Any, x: Symbol) -> str | None:
    """A relation of indices for an array of truth values that broadcasts to x; nothing if there is none."""
    import numpy

    kept = numpy.asarray(kept)
    named = [(x.dims[at - kept.ndim], n) for at, n in enumerate(kept.shape) if n > 1]
    kept = kept.reshape([n for _, n in named])
    if any(len(axes) != 1 for axes, _ in named) or not kept.any() or kept.all():
        return None
    if len(named) == 1:
        ((j,), n), count = named[0], int(kept.sum())
        if kept[:count].all():
            return f"{j} < {count}"
        return f"{n - count} <= {j}" if kept[n - count :].all() else None
    if len(named) != 2:
        return None
    ((i,), rows), ((j,), columns) = named
    down, across = numpy.indices((rows, columns))
    for distance, relation in ((across - down, f"{j} <= {i}"), (down - across, f"{i} <= {j}")):
        most = int(distance[kept].max())
        if (kept == (distance <= most)).all():
            return relation + (f" + {most}" if most > 0 else f" - {-most}" if most < 0 else "")
    return f"{j} == {i}" if rows == columns and (kept == (down == across)).all() else None


def chosen(rec: Recording, kept: Any, a: Any, b: Any) -> Any:
    """a where a tensor of truth values holds, else b."""
    if isinstance(kept, Symbol):
        if str(kept.dtype) != "torch.bool":
            raise RecordingError("a choice by values: write maximum, minimum, clamp or abs")
        return kept * a + (1 - kept) * b
    x = next(rec.symbol(each) for each in (a, b) if isinstance(each, Symbol))
    relation = relation_of(kept, x)
    if relation is None:
        mask = rec.symbol(kept)
        return mask * a + (1 - mask) * b
    nodes, dims = rec.together(plain(a), plain(b))
    return x.like(rec.node("where", [Mask(relation), *nodes], flat(dims)), dims)


@meaning()
def masked_fill(rec: Recording, x: Symbol, mask: Any, value: Any) -> Any:
    value = number(value) if not (isinstance(value, float) and value == -math.inf) else value
    if value != -math.inf:
        return chosen(rec, invert(rec, mask) if isinstance(mask, Symbol) else ~mask, x, value)
    relation = None if isinstance(mask, Symbol) else relation_of(~mask, x)
    if relation is None or x.mask is not None:
        raise RecordingError("−∞ by a mask that is no relation of two indices, such as m <= n")
    result = same(rec, x)
    result.mask = relation
    return result


@meaning()
def where(rec: Recording, condition: Any, a: Any, b: Any) -> Any:
    if b == -math.inf if isinstance(b, float) else False:
        return masked_fill(rec, a, ~condition, b)
    return chosen(rec, condition, a, b)


def triangle(is_lower: bool) -> Callable[..., Any]:
    def called(rec: Recording, x: Symbol, diagonal: int = 0) -> Any:
        i, j = one_axis(x, -2, "a triangle"), one_axis(x, -1, "a triangle")
        offset = f" + {diagonal}" if diagonal > 0 else f" - {-diagonal}" if diagonal < 0 else ""
        mask = Mask(f"{j} <= {i}{offset}" if is_lower else f"{i}{offset} <= {j}")
        return x.like(rec.node("where", [mask, plain(x).node, 0], x.node.axes), x.dims)

    return called


FUNCTIONS["tril"], FUNCTIONS["triu"] = triangle(True), triangle(False)


@meaning("diag")
def diag(rec: Recording, x: Symbol) -> Any:
    if x.ndim != 1:
        raise RecordingError("the diagonal of a matrix")
    axis = one_axis(x, 0, "a diagonal")
    other = rec.copy_of(str(axis))
    node = rec.node("where", [Mask(f"{axis} == {other}"), x.node, 0], [*x.node.axes, other])
    result = x.like(node, [*x.dims, (other,)])
    result.diagonal = x
    return result
