"""What functions of torch mean for assay.formula_of: products, reductions, rows and norms."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from ._record import Mask, RecordingError
from ._symbols import Recording, Symbol, number
from ._torch_basic import FUNCTIONS, constant, flat, meaning, one_axis, place, plain, unary, with_ways
from ._torch_shapes import masked_fill, unsqueeze

_Both = namedtuple("_Both", ["values", "indices"])

# ------------------------------------------------------------------------------------------------------------ products


def summed_product(rec: Recording, a: Symbol, b: Symbol, kept: int) -> Symbol:
    """Σab of operands that broadcast, along all but the first `kept` dimensions."""
    nodes, dims = rec.together(plain(a), plain(b))
    node = rec.node("*", nodes, flat(dims))
    over = flat(dims[kept:])
    if over:
        node = rec.node("sum", [node], flat(dims[:kept]), over)
    return a.like(node, dims[:kept])


@meaning("matmul", "mm", "bmm", "mv", "dot")
def matmul(rec: Recording, a: Any, b: Any) -> Any:
    a, b = rec.symbol(a), rec.symbol(b)
    if a.diagonal is not None and b.ndim == 2:
        return unsqueeze(rec, a.diagonal, 1) * b
    if b.diagonal is not None and a.ndim == 2:
        return a * b.diagonal
    left = a.dims if a.ndim > 1 else ((), *a.dims)
    right = b.dims if b.ndim > 1 else (*b.dims, ())
    if math.prod(rec.lengths[e] for e in left[-1]) != math.prod(rec.lengths[e] for e in right[-2]):
        raise RecordingError(f"a product of {a.sizes()} and {b.sizes()}")
    x = a.like(a.node, [*left[:-1], (), left[-1]])
    y = b.like(b.node, [*right[:-2], (), right[-1], right[-2]])
    kept = max(len(left), len(right))
    result = summed_product(rec, x, y, kept)
    dims = list(result.dims)
    if b.ndim == 1:
        del dims[-1]
    if a.ndim == 1:
        del dims[-2 if b.ndim > 1 else -1]
    return result.like(result.node, dims)


@meaning("rmatmul")
def rmatmul(rec: Recording, a: Any, b: Any) -> Any:
    return matmul(rec, a, b)


@meaning("linear")
def linear(rec: Recording, x: Symbol, weight: Any, bias: Any = None) -> Any:
    w = rec.symbol(weight)
    result = summed_product(rec, x.like(x.node, [*x.dims[:-1], (), x.dims[-1]]), w, x.ndim)
    return result if bias is None else result + bias


@meaning("inner")
def inner(rec: Recording, a: Any, b: Any) -> Any:
    """Along the last dimension of both."""
    of = rec.symbol(b)
    if of.ndim > 2:
        raise RecordingError("an inner product with a tensor of more than two dimensions")
    return matmul(rec, a, of.like(of.node, of.dims[::-1]))


@meaning("outer", "ger")
def outer(rec: Recording, a: Any, b: Any) -> Any:
    return unsqueeze(rec, rec.symbol(a), 1) * b


@meaning("addmm", "baddbmm", "addmv")
def addmm(rec: Recording, c: Any, a: Any, b: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    product = matmul(rec, a, b)
    product = product if alpha == 1 else product * alpha
    return product if beta == 0 else product + (c if beta == 1 else c * beta)


@meaning("einsum")
def einsum(rec: Recording, equation: str, *operands: Any) -> Any:
    listed = operands[0] if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else operands
    inputs, arrow, output = equation.replace(" ", "").partition("->")
    parts = inputs.split(",")
    if "." in equation or len(parts) != len(listed) or any(len(set(each)) < len(each) for each in parts):
        raise RecordingError(f'einsum("{equation}"); there are letters, each once in an operand')
    letters = list(dict.fromkeys(inputs.replace(",", "")))
    if not arrow:
        output = "".join(sorted(each for each in letters if inputs.count(each) == 1))
    order = [*output, *[each for each in letters if each not in output]]

    def arranged(x: Any, names: str) -> Symbol:
        x = rec.symbol(x)
        by_letter = dict(zip(names, x.dims))
        return x.like(x.node, [by_letter.get(each, ()) for each in order])

    first, *rest = [arranged(x, names) for x, names in zip(listed, parts)]
    if not rest:
        return sum_(rec, first, list(range(len(output), len(order)))) if len(order) > len(output) else first
    for each in rest[:-1]:
        first = first * each
    return summed_product(rec, first, rest[-1], len(output))


# ---------------------------------------------------------------------------------------------------------- reductions


def reduced(rec: Recording, op: str, x: Symbol, dim: Any, keepdim: bool) -> Symbol:
    """A reduction along dimensions; None and () for all."""
    places = _places(x, dim)
    over = [axis for at in places for axis in x.dims[at]]
    dims = [() if at in places else each for at, each in enumerate(x.dims) if keepdim or at not in places]
    if not over:
        return x.like(x.node, dims)
    node = plain(x).node
    for some in [over] if op in ("sum", "prod") else [[each] for each in over]:
        node = rec.node(op, [node], [each for each in node.axes if each not in some], some)
    return x.like(node, dims)


def _places(x: Symbol, dim: Any) -> list[int]:
    if dim is None or dim == ():
        return list(range(x.ndim))
    return sorted({place(x, each) for each in ([dim] if isinstance(dim, int) else dim)})


@meaning("sum")
def sum_(rec: Recording, x: Symbol, dim: Any = None, keepdim: bool = False, *, dtype: Any = None,
         axis: Any = None) -> Symbol:  # fmt: skip
    return reduced(rec, "sum", x, dim if axis is None else axis, keepdim)


def count(rec: Recording, x: Symbol, dim: Any) -> Any:
    """How many numbers a reduction adds."""
    lengths = [Symbol(rec, rec.node("#", [axis], ()), (), None) for at in _places(x, dim) for axis in x.dims[at]]
    return math.prod(lengths[1:], start=lengths[0]) if lengths else 1


@meaning("mean")
def mean(rec: Recording, x: Symbol, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    over = [axis for at in _places(x, dim) for axis in x.dims[at]]
    if len(over) == 1:
        return reduced(rec, "mean", x, dim, keepdim)
    return reduced(rec, "sum", x, dim, keepdim) / count(rec, x, dim)


def variance(rec: Recording, x: Symbol, dim: Any, keepdim: bool = True) -> Any:
    """The mean of the squared distances to the mean."""
    over = [axis for at in _places(x, dim) for axis in x.dims[at]]
    if len(over) == 1:
        return reduced(rec, "variance", x, dim, keepdim)
    d = x - mean(rec, x, dim, True)
    v = mean(rec, d**2, dim, keepdim)
    other = unary(rec, "relu", mean(rec, x**2, dim, keepdim) - mean(rec, x, dim, keepdim) ** 2)
    return with_ways(v, other)


@meaning("var")
def var(rec: Recording, x: Symbol, dim: Any = None, unbiased: Any = True, keepdim: bool = False, *,
        correction: Any = None) -> Any:  # fmt: skip
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    less = int(unbiased) if correction is None else correction
    v = variance(rec, x, dim, keepdim)
    n = count(rec, x, dim)
    return v * n / (n - less) if less else v


@meaning("std")
def std(rec: Recording, x: Symbol, *arguments: Any, **options: Any) -> Any:
    return unary(rec, "sqrt", var(rec, x, *arguments, **options))


def extreme(op: str) -> Any:
    def called(rec: Recording, x: Symbol, dim: Any = None, keepdim: bool = False) -> Any:
        if isinstance(dim, Symbol) or hasattr(dim, "detach"):
            return FUNCTIONS[op + "imum"](rec, x, dim)
        if dim is None:
            return reduced(rec, op, x, None, False)
        return _Both(reduced(rec, op, x, dim, keepdim), place_of(op)(rec, x, dim, keepdim))

    return called


def place_of(op: str) -> Any:
    def called(rec: Recording, x: Symbol, dim: Any = None, keepdim: bool = False) -> Any:
        axis = one_axis(x if dim is not None else x.like(x.node, [flat(x.dims)]), 0 if dim is None else dim, "arg" + op)
        at = 0 if dim is None else place(x, dim)
        dims = [*x.dims[:at], *([()] if keepdim else []), *x.dims[at + 1 :]] if dim is not None else ()
        if axis is None:
            return x * 0
        rest = [each for each in x.node.axes if each != axis]
        return x.like(rec.node("arg" + op, [plain(x).node], rest, [axis]), dims)

    return called


FUNCTIONS |= {"max": extreme("max"), "min": extreme("min"), "argmax": place_of("max"), "argmin": place_of("min")}
FUNCTIONS["amax"] = lambda rec, x, dim=(), keepdim=False: reduced(rec, "max", x, dim, keepdim)
FUNCTIONS["amin"] = lambda rec, x, dim=(), keepdim=False: reduced(rec, "min", x, dim, keepdim)


@meaning("cumsum")
def cumsum(rec: Recording, x: Symbol, dim: int, *, dtype: Any = None) -> Symbol:
    axis = one_axis(x, dim, "a running sum")
    return x if axis is None else x.like(rec.node("cumsum", [plain(x).node], x.node.axes, [axis]), x.dims)


@meaning("prod")
def prod(rec: Recording, x: Symbol, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Symbol:
    return reduced(rec, "prod", x, dim, keepdim)


@meaning("cumprod")
def cumprod(rec: Recording, x: Symbol, dim: int, *, dtype: Any = None) -> Symbol:
    axis = one_axis(x, dim, "a product")
    return x if axis is None else x.like(rec.node("cumprod", [plain(x).node], x.node.axes, [axis]), x.dims)


@meaning("norm", "linalg_vector_norm")
def norm(rec: Recording, x: Symbol, p: Any = 2, dim: Any = None, keepdim: bool = False, *, ord: Any = None,
         dtype: Any = None, out: Any = None) -> Any:  # fmt: skip
    p = p if ord is None else ord
    p = 2 if p in ("fro", None) else p
    if p == math.inf:
        return reduced(rec, "max", unary(rec, "abs", x), dim, keepdim)
    if p == 1:
        return sum_(rec, unary(rec, "abs", x), dim, keepdim)
    if p == 2:
        return unary(rec, "sqrt", sum_(rec, x**2, dim, keepdim))
    if isinstance(p, str) or p <= 0:
        raise RecordingError(f"a norm of the kind {p!r}")
    return sum_(rec, unary(rec, "abs", x) ** p, dim, keepdim) ** (1 / p)


@meaning("linalg_norm", "linalg_matrix_norm")
def matrix_norm(rec: Recording, x: Symbol, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Any:
    """Of vectors any norm, of matrices the root of all squares."""
    is_vector = isinstance(dim, int) or (dim is None and x.ndim == 1)
    if not is_vector and ord not in (None, "fro"):
        raise RecordingError(f"a norm of matrices of the kind {ord!r}")
    return norm(rec, x, 2 if ord is None else ord, dim, keepdim)


# ---------------------------------------------------------------------------------------------------------------- rows


def _row(rec: Recording, op: str, x: Symbol, axis: str, axes: Sequence[str]) -> Any:
    arguments = [x.node] if x.mask is None else [x.node, Mask(x.mask)]
    return rec.node(op, arguments, axes, [axis])


@meaning("softmax", "special_softmax")
def softmax(rec: Recording, x: Symbol, dim: int = -1, *_: Any, **__: Any) -> Symbol:
    axis = one_axis(x, dim, "a softmax")
    if axis is None:
        raise RecordingError("a softmax along a dimension of length 1")
    return Symbol(rec, _row(rec, "softmax", x, axis, x.node.axes), x.dims, x.dtype)


@meaning("softmin")
def softmin(rec: Recording, x: Symbol, dim: int = -1, *_: Any, **__: Any) -> Symbol:
    return softmax(rec, -x, dim)


@meaning("logsumexp")
def logsumexp(rec: Recording, x: Symbol, dim: Any, keepdim: bool = False) -> Symbol:
    (at,) = _places(x, dim)
    axis = one_axis(x, at, "a logsumexp")
    if axis is None:
        raise RecordingError("a logsumexp along a dimension of length 1")
    node = _row(rec, "logsumexp", x, axis, [each for each in x.node.axes if each != axis])
    return Symbol(rec, node, [*x.dims[:at], *([()] if keepdim else []), *x.dims[at + 1 :]], x.dtype)


@meaning("log_softmax", "special_log_softmax")
def log_softmax(rec: Recording, x: Symbol, dim: int = -1, *_: Any, **__: Any) -> Any:
    z = x - reduced(rec, "max", x, dim, True)
    return with_ways(x - logsumexp(rec, x, dim, True), z - logsumexp(rec, z, dim, True))


@meaning("scaled_dot_product_attention")
def attention(rec: Recording, q: Symbol, k: Symbol, v: Symbol, attn_mask: Any = None, dropout_p: float = 0.0,
              is_causal: bool = False, *, scale: Any = None, **_: Any) -> Any:  # fmt: skip
    """softmax(qkᵀ/√d)v; √d is exact."""
    if dropout_p > 0:
        raise RecordingError("a dropout draws random numbers")
    s = matmul(rec, q, k.like(k.node, [*k.dims[:-2], k.dims[-1], k.dims[-2]]))
    d = constant(rec, "sqrt", constant(rec, "#", q.dims[-1][0]))
    s = s / d if scale is None else s * scale
    if is_causal:
        import torch

        rows, columns = s.sizes()[-2:]
        s = masked_fill(rec, s, ~torch.ones(rows, columns, dtype=torch.bool).tril(), -math.inf)
    elif attn_mask is not None:
        is_choice = str(getattr(attn_mask, "dtype", "")) == "torch.bool"
        s = masked_fill(rec, s, ~attn_mask, -math.inf) if is_choice else s + attn_mask
    return matmul(rec, softmax(rec, s), v)


@meaning("multi_head_attention_forward")
def heads(rec: Recording, q: Symbol, k: Symbol, v: Symbol, width: int, count: int, weight: Any, bias: Any, bias_k: Any,
          bias_v: Any, add_zero_attn: bool, dropout_p: float, out_weight: Any, out_bias: Any, training: bool = True,
          key_padding_mask: Any = None, need_weights: bool = True, attn_mask: Any = None,
          use_separate_proj_weight: bool = False, *_: Any, **options: Any) -> Any:  # fmt: skip
    """Self-attention of a layer, of arrays of (place, batch, width). Its weights are not returned."""
    is_causal = options.get("is_causal", False) and attn_mask is None
    others = (bias_k, bias_v, key_padding_mask, options.get("static_k"), options.get("static_v"))
    if any(each is not None for each in others) or add_zero_attn or use_separate_proj_weight or q.ndim != 3:
        raise RecordingError("an attention with padding, added keys, or widths that differ")
    if dropout_p > 0 and training:
        raise RecordingError("a dropout draws random numbers")

    def projected(x: Symbol, part: int) -> Symbol:
        rows = slice(part * width, (part + 1) * width)
        y = linear(rec, x, rec.symbol(weight)[rows], None if bias is None else rec.symbol(bias)[rows])
        y = FUNCTIONS["reshape"](rec, y, [*y.sizes()[:2], count, width // count])
        return FUNCTIONS["permute"](rec, y, [1, 2, 0, 3])

    y = attention(rec, *[projected(x, part) for part, x in enumerate((q, k, v))], attn_mask, 0.0, is_causal)
    y = FUNCTIONS["flatten"](rec, FUNCTIONS["permute"](rec, y, [2, 0, 1, 3]), 2)
    return linear(rec, y, out_weight, out_bias), None


# --------------------------------------------------------------------------------------------------------------- norms


def normalized(rec: Recording, x: Symbol, dim: Any, eps: float, weight: Any = None, bias: Any = None) -> Any:
    """(x − μ)/√(σ² + ε)·γ + β; γ and β broadcast."""
    d = x - mean(rec, x, dim, True)
    y = d * unary(rec, "rsqrt", variance(rec, x, dim) + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


def _of_channels(rec: Recording, x: Symbol, each: Any) -> Any:
    """A vector of numbers of channels, the dimension 1."""
    if each is None:
        return None
    of = rec.symbol(each)
    return of.like(of.node, [*of.dims, *[()] * (x.ndim - 2)])


@meaning("layer_norm")
def layer_norm(rec: Recording, x: Symbol, shape: Sequence[int], weight: Any = None, bias: Any = None,
               eps: float = 1e-5, *_: Any) -> Any:  # fmt: skip
    return normalized(rec, x, list(range(-len(shape), 0)), eps, weight, bias)


@meaning("rms_norm")
def rms_norm(rec: Recording, x: Symbol, shape: Sequence[int], weight: Any = None, eps: float | None = None) -> Any:
    if eps is None:
        raise RecordingError("rms_norm without eps: its ε depends on the format; name one")
    y = x * unary(rec, "rsqrt", mean(rec, x**2, list(range(-len(shape), 0)), True) + eps)
    return y if weight is None else y * weight


@meaning("batch_norm")
def batch_norm(rec: Recording, x: Symbol, mean_: Any = None, var_: Any = None, weight: Any = None, bias: Any = None,
               training: bool = False, momentum: float = 0.1, eps: float = 1e-5, *more: Any,
               **names: Any) -> Any:  # fmt: skip
    if more:
        raise RecordingError("torch.batch_norm; there is torch.nn.functional.batch_norm")
    mean_, var_ = names.get("running_mean", mean_), names.get("running_var", var_)
    g, b = _of_channels(rec, x, weight), _of_channels(rec, x, bias)
    if training or mean_ is None:
        return normalized(rec, x, [0, *range(2, x.ndim)], eps, g, b)
    mu = _of_channels(rec, x, mean_)
    t = unary(rec, "rsqrt", _of_channels(rec, x, var_) + eps)
    y = (x - mu) * t if g is None else (x - mu) * t * g
    a = t if g is None else t * g
    if b is None:
        return with_ways(y, x * a - mu * a)
    return with_ways(y + b, x * a + (b - mu * a))


@meaning("instance_norm")
def instance_norm(rec: Recording, x: Symbol, mean_: Any = None, var_: Any = None, weight: Any = None, bias: Any = None,
                  use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5, *more: Any,
                  **names: Any) -> Any:  # fmt: skip
    if more or not use_input_stats:
        raise RecordingError("an instance norm with stored statistics")
    g, b = _of_channels(rec, x, weight), _of_channels(rec, x, bias)
    return normalized(rec, x, list(range(2, x.ndim)), eps, g, b)


@meaning("group_norm")
def group_norm(rec: Recording, x: Symbol, groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5,
               *_: Any) -> Any:  # fmt: skip
    sizes = x.sizes()
    view = FUNCTIONS["reshape"](rec, x, [sizes[0], groups, sizes[1] // groups, *sizes[2:]])

    def of_groups(each: Any) -> Any:
        if each is None:
            return None
        of = FUNCTIONS["reshape"](rec, rec.symbol(each), [groups, sizes[1] // groups])
        return of.like(of.node, [*of.dims, *[()] * (x.ndim - 2)])

    y = normalized(rec, view, list(range(2, view.ndim)), eps, of_groups(weight), of_groups(bias))
    return y.like(y.node, [y.dims[0], flat(y.dims[1:3]), *y.dims[3:]])


@meaning("normalize")
def normalize(rec: Recording, x: Symbol, p: Any = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None) -> Any:
    return x / FUNCTIONS["clamp"](rec, norm(rec, x, number(p), dim, True), eps)


@meaning("weight_norm")
def weight_norm(rec: Recording, v: Any, g: Any, dim: int = 0) -> Any:
    x = rec.symbol(v)
    return x * (g / norm(rec, x, 2, [at for at in range(x.ndim) if at != place(x, dim)], True))


@meaning("embedding")
def embedding(rec: Recording, tokens: Any, weight: Any, *_: Any, max_norm: Any = None, **__: Any) -> Symbol:
    if max_norm is not None or rec.symbol(tokens).is_floating_point():
        raise RecordingError("an embedding with max_norm, or torch.embedding; there is torch.nn.functional.embedding")
    x = rec.symbol(weight)
    axis = _index_of(rec, tokens, one_axis(x, 0, "an embedding"))
    node = rec.node("pick", [x.node, tokens.node], [*[each for each in x.node.axes if each != axis], *tokens.node.axes])
    return x.like(node, [*tokens.dims, *x.dims[1:]])


def picked(rec: Recording, x: Symbol, labels: Any, dim: int) -> Symbol:
    """Of each row of x along a dimension, the entry that a tensor of integers names."""
    labels = rec.symbol(labels)
    axis = _index_of(rec, labels, one_axis(x, dim, "a choice of classes"))
    dims = [each for at, each in enumerate(x.dims) if at != place(x, dim)]
    to = {a: b for a, b in zip(flat(dims), flat(labels.dims)) if a != b}
    for a, b in to.items():
        rec.are_the_same(a, b)
    x = rec.renamed(x, to) if to else x
    node = rec.node("pick", [x.node, labels.node], [each for each in x.node.axes if each != axis])
    return x.like(node, labels.dims)


def _index_of(rec: Recording, places: Symbol, axis: str | None) -> str:
    parameter = next((each for each in rec.parameters if each.node is places.node), None)
    if axis is None or parameter is None:
        raise RecordingError("integers that are no input of the model, as places of a tensor")
    parameter.index = axis
    return axis
