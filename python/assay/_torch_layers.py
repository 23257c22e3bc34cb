"""What functions of torch mean for assay.formula_of: activations, convolutions, pooling and losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._record import RecordingError
from ._symbols import Recording, Symbol
from ._torch_basic import FUNCTIONS, constant, entrywise, flat, meaning, place, unary, with_ways
from ._torch_shapes import taken, unsqueeze
from ._torch_rows import count, logsumexp, mean, norm, picked, reduced, sum_, summed_product

# --------------------------------------------------------------------------------------------------------- activations


def above(rec: Recording, x: Any, low: Any = 0) -> Any:
    return entrywise(rec, "max", x, low)


def below(rec: Recording, x: Any, high: Any = 0) -> Any:
    return entrywise(rec, "min", x, high)


@meaning()
def gelu(rec: Recording, x: Symbol, approximate: str = "none") -> Any:
    if approximate == "tanh":
        root = unary(rec, "sqrt", 2 / Symbol(rec, rec.node("pi", ["pi"], ()), (), None))
        return 0.5 * x * (1 + unary(rec, "tanh", root * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + unary(rec, "erf", x * constant(rec, "sqrt", 0.5)))


@meaning()
def silu(rec: Recording, x: Symbol, inplace: bool = False) -> Any:
    return x * unary(rec, "sigmoid", x)


@meaning()
def leaky_relu(rec: Recording, x: Symbol, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    return above(rec, x) + negative_slope * below(rec, x)


@meaning()
def prelu(rec: Recording, x: Symbol, weight: Any) -> Any:
    w = rec.symbol(weight)
    w = w.like(w.node, [w.dims[0], *[()] * (x.ndim - 2)]) if x.ndim > 1 else w
    return above(rec, x) + w * below(rec, x)


def exponential_below(rec: Recording, x: Symbol, scale: float, alpha: float, per: float = 1) -> Any:
    """scale·x where x > 0, else scale·alpha·(exp(x/per) − 1), the difference rounded or not."""
    low = below(rec, x) if per == 1 else below(rec, x) / per
    top, factor = (above(rec, x), alpha) if scale == 1 else (scale * above(rec, x), scale * alpha)

    def scaled(term: Any) -> Any:
        return top + (term if factor == 1 else factor * term)

    return with_ways(scaled(unary(rec, "expm1", low)), scaled(unary(rec, "exp", low) - 1))


FUNCTIONS["elu"] = lambda rec, x, alpha=1.0, scale=1, inplace=False: exponential_below(rec, x, 1, alpha)
FUNCTIONS["celu"] = lambda rec, x, alpha=1.0, inplace=False: exponential_below(rec, x, 1, alpha, alpha)
FUNCTIONS["selu"] = lambda rec, x, inplace=False: exponential_below(
    rec, x, 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
)


@meaning()
def softplus(rec: Recording, x: Symbol, beta: float = 1, threshold: float = 20) -> Any:
    z = x if beta == 1 else x * beta
    y = above(rec, z) + unary(rec, "log1p", unary(rec, "exp", -abs(z)))
    other = unary(rec, "log1p", unary(rec, "exp", z))
    return with_ways(y, other) if beta == 1 else with_ways(y / beta, other / beta)


@meaning("logsigmoid", "log_sigmoid")
def logsigmoid(rec: Recording, x: Symbol) -> Any:
    return below(rec, x) - unary(rec, "log1p", unary(rec, "exp", -abs(x)))


@meaning()
def mish(rec: Recording, x: Symbol, inplace: bool = False) -> Any:
    t = unary(rec, "tanh", above(rec, x) + unary(rec, "log1p", unary(rec, "exp", -abs(x))))
    a, b = unary(rec, "exp", below(rec, x)), unary(rec, "exp", -above(rec, x))
    return x * with_ways(t, (a**2 + 2 * a * b) / (a**2 + 2 * a * b + 2 * b**2))


@meaning()
def hardtanh(rec: Recording, x: Symbol, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    return FUNCTIONS["clamp"](rec, x, min_val, max_val)


FUNCTIONS["softsign"] = lambda rec, x: x / (1 + abs(x))
FUNCTIONS["relu6"] = lambda rec, x, inplace=False: below(rec, above(rec, x), 6)
FUNCTIONS["tanhshrink"] = lambda rec, x: x - unary(rec, "tanh", x)
FUNCTIONS["softshrink"] = lambda rec, x, lambd=0.5: x - FUNCTIONS["clamp"](rec, x, -lambd, lambd)


@meaning()
def hardsigmoid(rec: Recording, x: Symbol, inplace: bool = False) -> Any:
    h = below(rec, above(rec, x + 3), 6) / 6
    return with_ways(h, below(rec, above(rec, x / 6 + 0.5), 1))


@meaning()
def hardswish(rec: Recording, x: Symbol, inplace: bool = False) -> Any:
    h = below(rec, above(rec, x + 3), 6)
    return with_ways(x * (h / 6), x * h / 6)


@meaning()
def glu(rec: Recording, x: Symbol, dim: int = -1) -> Any:
    a, b = FUNCTIONS["chunk"](rec, x, 2, dim)
    return a * unary(rec, "sigmoid", b)


# ------------------------------------------------------------------------------------------------------------- windows


def window(rec: Recording, x: Symbol, dim: int, kernel: tuple[str | None, int], at: Any) -> Symbol:
    """x along a dimension as windows: the dimension becomes the number of the window, and a last one the place in it.
    kernel: the axis of that place and its length; at[i][r]: a place of the dimension, or -100 for a zero."""
    import numpy

    axis, length = kernel
    count = len(at)
    old = x.dims[dim]
    if len(old) > 1:
        raise RecordingError("windows along a dimension that a view made of several")
    if not old:
        if (at != 0).any() or count > 1:
            raise RecordingError("padding of a dimension of length 1")
        return x.like(x.node, [*x.dims, ()])
    first = at[0, 0]
    step = int(at[1, 0] - first) if count > 1 else 0
    dilation = int(at[0, 1] - first) if length > 1 else 0
    affine = first + step * numpy.arange(count)[:, None] + dilation * numpy.arange(length)[None, :]
    row = [each for each in (axis,) if each is not None and length > 1]
    size = rec.lengths[old[0]]
    if count == size and length == 1 and (at == affine).all() and step == 1:
        return x.like(x.node, [*x.dims, ()])
    if not rec.has_places and (at >= 0).all() and (at == affine).all():
        free = step == 1 and first == 0 and row and count == size - dilation * (length - 1)
        text = f"{rec.length_of(old[0])} - {dilation}*#{row[0]} + {dilation}" if free else str(count)
        text = text.replace(" 1*", " ")
        if not free:
            rec.fix(old[0], *row)
        i = [rec.new_axis(count, text)] if count > 1 else []
        terms = [f"{step}*{i[0]}" if step > 1 else i[0]] if i else []
        terms += [f"{dilation}*{row[0]}" if dilation > 1 else row[0]] if row else []
        index = " + ".join([*terms, *([str(first)] if first or not terms else [])])
        moved = rec.gathered(x, {old[0]: (index, [*i, *row])}, [*x.dims[:dim], i, *x.dims[dim + 1 :], row])
        return moved
    i = [rec.new_axis(count, str(count))] if count > 1 else []
    places = at.reshape([n for n in at.shape if n > 1])
    moved = taken(rec, x, dim, places, [*i, *row])
    rest = [*x.dims[:dim], i, *x.dims[dim + 1 :]]
    return x.like(moved.node, [*rest, row])


def _several(value: Any, count: int) -> list[int]:
    listed = list(value) if isinstance(value, (tuple, list)) else [value]
    return [int(each) for each in listed] if len(listed) == count else [int(listed[0])] * count


def convolved(
    rec: Recording,
    x: Symbol,
    weight: Any,
    bias: Any,
    groups: int,
    at: Callable[[int, int, int], Any],
    is_transposed: bool,
) -> Any:
    """Σ of windows times a kernel. at(d, n, k): the places of the windows of the spatial dimension d of n numbers."""
    w = rec.symbol(weight)
    spatial = w.ndim - 2
    is_batched = x.ndim == spatial + 2
    x = x if is_batched else unsqueeze(rec, x, 0)
    sizes, kernel = x.sizes(), w.sizes()
    reshape = FUNCTIONS["reshape"]
    x = reshape(rec, x, [sizes[0], groups, sizes[1] // groups, *sizes[2:]])
    if is_transposed:
        w = reshape(rec, w, [groups, kernel[0] // groups, *kernel[1:]])
        outputs, inputs, channels = w.dims[2], w.dims[1], groups * kernel[1]
    else:
        w = reshape(rec, w, [groups, kernel[0] // groups, *kernel[1:]])
        outputs, inputs, channels = w.dims[1], w.dims[2], kernel[0]
    taps = w.dims[3:]
    for d in range(spatial):
        axis = taps[d][0] if taps[d] else None
        x = window(rec, x, 3 + d, (axis, kernel[2 + d]), at(d, sizes[2 + d], kernel[2 + d]))
    windows = x.dims[3 : 3 + spatial]
    a = x.like(x.node, [x.dims[0], x.dims[1], (), *windows, x.dims[2], *x.dims[3 + spatial :]])
    b = w.like(w.node, [w.dims[0], outputs, *[()] * spatial, inputs, *taps])
    y = summed_product(rec, a, b, 3 + spatial)
    y = y.like(y.node, [y.dims[0], [*y.dims[1], *y.dims[2]], *y.dims[3:]])
    y = y if is_batched else y.like(y.node, y.dims[1:])
    if bias is None:
        return y
    of = rec.symbol(bias)
    of = reshape(rec, of, [groups, channels // groups]) if groups > 1 else of
    return y + of.like(of.node, [flat(of.dims), *[()] * spatial])


@meaning("conv1d", "conv2d", "conv3d")
def conv(rec: Recording, x: Symbol, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
         groups: int = 1) -> Any:  # fmt: skip
    import numpy

    spatial = rec.symbol(weight).ndim - 2
    strides, dilations = _several(stride, spatial), _several(dilation, spatial)

    def at(d: int, n: int, k: int) -> Any:
        reach = dilations[d] * (k - 1)
        before, after = (reach // 2, reach - reach // 2) if padding == "same" else (0, 0)
        if not isinstance(padding, str):
            before = after = _several(padding, spatial)[d]
        starts = numpy.arange(0, n + before + after - reach, strides[d]) - before
        places = starts[:, None] + dilations[d] * numpy.arange(k)[None, :]
        return numpy.where((places >= 0) & (places < n), places, -100)

    return convolved(rec, x, weight, bias, groups, at, False)


@meaning("conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
def conv_transpose(rec: Recording, x: Symbol, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0,
                   output_padding: Any = 0, groups: int = 1, dilation: Any = 1) -> Any:  # fmt: skip
    import numpy

    spatial = rec.symbol(weight).ndim - 2
    strides, pads, more, dilations = (_several(e, spatial) for e in (stride, padding, output_padding, dilation))

    def at(d: int, n: int, k: int) -> Any:
        count = (n - 1) * strides[d] - 2 * pads[d] + dilations[d] * (k - 1) + more[d] + 1
        place_ = numpy.arange(count)[:, None] + pads[d] - dilations[d] * numpy.arange(k)[None, :]
        is_place = (place_ % strides[d] == 0) & (place_ >= 0) & (place_ < n * strides[d])
        return numpy.where(is_place, place_ // strides[d], -100)

    return convolved(rec, x, weight, bias, groups, at, True)


def _windows(rec: Recording, x: Symbol, spatial: int, kernel: Any, stride: Any, padding: Any, dilation: Any,
             ceil_mode: bool, is_max: bool, counts_pad: bool = True) -> tuple[Symbol, list[Any]]:  # fmt: skip
    """The windows of a pooling, with as many last dimensions as there are spatial ones; for each of these the numbers
    of places that its windows have."""
    import numpy

    kernels, pads, dilations = (_several(each, spatial) for each in (kernel, padding, dilation))
    strides = _several(stride, spatial) if stride not in (None, [], ()) else kernels
    first, counts = x.ndim - spatial, []
    for d in range(spatial):
        n, k = x.sizes()[first + d], kernels[d]
        reach = dilations[d] * (k - 1)
        room = n + 2 * pads[d] - reach - 1
        count = (-(-room // strides[d]) if ceil_mode else room // strides[d]) + 1
        if ceil_mode and (count - 1) * strides[d] >= n + pads[d]:
            count -= 1
        places = numpy.arange(count)[:, None] * strides[d] - pads[d] + dilations[d] * numpy.arange(k)[None, :]
        is_in = (places >= 0) & (places < n)
        if is_max:  # a place outside repeats one of the same window
            inside = numpy.where(is_in, places, -1).max(axis=1, keepdims=True)
            places = numpy.where(is_in, places, inside)
        else:
            counts.append((places < n + pads[d] if counts_pad else is_in).sum(axis=1))
            places = numpy.where(is_in, places, -100)
        x = window(rec, x, first + d, (rec.new_axis(k, str(k)) if k > 1 else None, k), places)
    return x, counts


@meaning("max_pool1d", "max_pool2d", "max_pool3d")
def max_pool(rec: Recording, x: Symbol, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
             ceil_mode: bool = False, return_indices: bool = False, *, dims: int = 0) -> Any:  # fmt: skip
    if return_indices:
        raise RecordingError("a pooling that returns places")
    x, _ = _windows(rec, x, dims, kernel_size, stride, padding, dilation, ceil_mode, True)
    return reduced(rec, "max", x, list(range(x.ndim - dims, x.ndim)), False)


@meaning("avg_pool1d", "avg_pool2d", "avg_pool3d")
def avg_pool(rec: Recording, x: Symbol, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
             count_include_pad: bool = True, divisor_override: Any = None, *, dims: int = 0) -> Any:  # fmt: skip
    import torch

    x, counts = _windows(rec, x, dims, kernel_size, stride, padding, 1, ceil_mode, False, count_include_pad)
    total = reduced(rec, "sum", x, list(range(x.ndim - dims, x.ndim)), False)
    if divisor_override:
        return total / divisor_override
    divisor: Any = 1
    for d, each in enumerate(counts):
        if (each == each[0]).all():
            divisor = divisor * int(each[0])
        else:  # the windows at the ends have fewer places
            shape = [each.size if k == d else 1 for k in range(dims)]
            divisor = rec.symbol(torch.from_numpy(each).to(x.dtype).reshape(shape)) * divisor
    return total / divisor


def _of_dims(function: Callable[..., Any], dims: int) -> Callable[..., Any]:
    return lambda rec, *arguments, **options: function(rec, *arguments, **options, dims=dims)


def _adaptive(is_max: bool, dims: int) -> Callable[..., Any]:
    def called(rec: Recording, x: Symbol, output_size: Any, *_: Any, **__: Any) -> Any:
        wanted = output_size if isinstance(output_size, (tuple, list)) else [output_size] * dims
        have = x.sizes()[x.ndim - dims :]
        kernel = [n // (n if each is None else each) for n, each in zip(have, wanted)]
        if any(n % k for n, k in zip(have, kernel)) or any(n // k != w for n, k, w in zip(have, kernel, wanted) if w):
            raise RecordingError(f"an adaptive pooling of {have} to {tuple(wanted)}, by windows of several sizes")
        return (max_pool if is_max else avg_pool)(rec, x, kernel, dims=dims)

    return called


for _dims in (1, 2, 3):
    FUNCTIONS[f"max_pool{_dims}d"] = _of_dims(max_pool, _dims)
    FUNCTIONS[f"avg_pool{_dims}d"] = _of_dims(avg_pool, _dims)
    FUNCTIONS[f"adaptive_avg_pool{_dims}d"] = _adaptive(False, _dims)
    FUNCTIONS[f"adaptive_max_pool{_dims}d"] = _adaptive(True, _dims)


# -------------------------------------------------------------------------------------------------------------- losses


def _combined(rec: Recording, loss: Any, reduction: str) -> Any:
    if reduction == "none":
        return loss
    return mean(rec, loss) if reduction == "mean" else sum_(rec, loss)


def _loss(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A loss whose function gives the numbers before the reduction."""

    def registered(function: Callable[..., Any]) -> Callable[..., Any]:
        def called(rec: Recording, *arguments: Any, reduction: str = "mean", size_average: Any = None,
                   reduce: Any = None, **options: Any) -> Any:  # fmt: skip
            given = {name: each for name, each in options.items() if each is not None}  # such as weight, since torch 2.6
            return _combined(rec, function(rec, *arguments, **given), reduction)

        FUNCTIONS.update(dict.fromkeys(names or (function.__name__,), called))
        return function

    return registered


@_loss()
def mse_loss(rec: Recording, x: Any, target: Any) -> Any:
    return (rec.symbol(x) - target) ** 2


@_loss()
def l1_loss(rec: Recording, x: Any, target: Any) -> Any:
    return abs(rec.symbol(x) - target)


@_loss()
def huber_loss(rec: Recording, x: Any, target: Any, *, delta: float = 1.0) -> Any:
    a = abs(rec.symbol(x) - target)
    m = below(rec, a, delta)
    return m * (a - 0.5 * m)


@_loss()
def smooth_l1_loss(rec: Recording, x: Any, target: Any, *, beta: float = 1.0) -> Any:
    return huber_loss(rec, x, target, delta=beta) if beta == 1 else huber_loss(rec, x, target, delta=beta) / beta


@_loss()
def binary_cross_entropy(rec: Recording, x: Symbol, target: Any, weight: Any = None) -> Any:
    if weight is not None:
        raise RecordingError("binary_cross_entropy with weights")
    return -(target * unary(rec, "log", x) + (1 - target) * unary(rec, "log", 1 - x))


@_loss()
def binary_cross_entropy_with_logits(rec: Recording, x: Symbol, target: Any, weight: Any = None,
                                     pos_weight: Any = None) -> Any:  # fmt: skip
    if weight is not None or pos_weight is not None:
        raise RecordingError("binary_cross_entropy_with_logits with weights")
    tail = unary(rec, "log1p", unary(rec, "exp", -abs(x)))
    return with_ways(above(rec, x) - x * target + tail, (1 - target) * x + (above(rec, -x) + tail))


@_loss()
def soft_margin_loss(rec: Recording, x: Symbol, target: Any) -> Any:
    return FUNCTIONS["softplus"](rec, -(x * target))


@_loss()
def margin_ranking_loss(rec: Recording, a: Any, b: Any, target: Any, margin: float = 0) -> Any:
    return above(rec, -target * (rec.symbol(a) - b) + margin)


@_loss()
def nll_loss(rec: Recording, x: Symbol, target: Any, weight: Any = None, ignore_index: int = -100) -> Any:
    if weight is not None:
        raise RecordingError("nll_loss with weights")
    return -picked(rec, x, target, 1 if x.ndim > 1 else 0)


@_loss()
def cross_entropy(rec: Recording, x: Symbol, target: Any, weight: Any = None, ignore_index: int = -100,
                  label_smoothing: float = 0.0) -> Any:  # fmt: skip
    """ln Σexp(x) − x[label]; no label may be ignored."""
    if weight is not None or label_smoothing:
        raise RecordingError("cross_entropy with weights or label_smoothing")
    dim = 1 if x.ndim > 1 else 0
    if rec.symbol(target).is_floating_point():
        raise RecordingError("cross_entropy with probabilities; write -(target * log_softmax(x)).sum(1).mean()")
    z = x - reduced(rec, "max", x, dim, True)
    loss = logsumexp(rec, x, dim) - picked(rec, x, target, dim)
    return with_ways(loss, logsumexp(rec, z, dim) - picked(rec, z, target, dim))


@meaning()
def kl_div(rec: Recording, x: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
           log_target: bool = False) -> Any:  # fmt: skip
    x, t = rec.symbol(x), rec.symbol(target)
    p, log_p = (unary(rec, "exp", t), t) if log_target else (t, FUNCTIONS["log"](rec, t))
    loss = with_ways(p * (log_p - x), p * log_p - p * x)
    if reduction != "batchmean":
        return _combined(rec, loss, reduction)
    return sum_(rec, loss) / count(rec, x, 0)


@meaning()
def cosine_similarity(rec: Recording, x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    a, b = rec.symbol(x1), rec.symbol(x2)
    p, q = (above(rec, norm(rec, each, 2, dim, True), eps) for each in (a, b))
    at = place(a, dim)

    def along(x: Symbol) -> Any:
        return sum_(rec, x, at)

    first = along(a * b) / sum_(rec, p, at) / sum_(rec, q, at)
    return with_ways(first, along(a * b) / (sum_(rec, p, at) * sum_(rec, q, at)), along((a / p) * (b / q)))


@meaning()
def pairwise_distance(rec: Recording, x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6,
                      keepdim: bool = False) -> Any:  # fmt: skip
    return norm(rec, rec.symbol(x1) - x2 + eps, p, -1, keepdim)


@_loss()
def triplet_margin_loss(rec: Recording, anchor: Any, positive: Any, negative: Any, margin: float = 1.0, p: float = 2,
                        eps: float = 1e-6, swap: bool = False) -> Any:  # fmt: skip
    near = pairwise_distance(rec, anchor, positive, p, eps)
    far = pairwise_distance(rec, anchor, negative, p, eps)
    if swap:
        far = below(rec, far, pairwise_distance(rec, positive, negative, p, eps))
    return above(rec, near - far + margin)
