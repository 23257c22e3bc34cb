"""Kernels of Triton for the models of level_one: `KERNELS[number][name]` is a function of the model and its inputs. All
are right; those named in COARSE compute in TF32, and are refused. Triton 3.6 rewrites the sum of a product of
broadcast matrices into a product of matrix units in TF32, though nothing in the kernel asks for it."""

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

KERNELS = {}
COARSE = ("in TF32", "by a sum of products")


def kernel(name, *numbers):
    def noted(function):
        for each in numbers:
            KERNELS.setdefault(each, {})[name] = function
        return function

    return noted


# ------------------------------------------------------------------------------------------------------------ products


@triton.jit(do_not_specialize=["m", "n", "k", "am", "ak", "bk", "bn"])
def product(a, b, c, m, n, k, am, ak, bk, bn, SIZE: tl.constexpr, HOW: tl.constexpr):
    """A tile of SIZE × SIZE of c = ab; the rows of c lie one after the other."""
    rows = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    columns = tl.program_id(1) * SIZE + tl.arange(0, SIZE)
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for first in range(0, k, SIZE):
        terms = first + tl.arange(0, SIZE)
        is_left = (rows[:, None] < m) & (terms[None, :] < k)
        is_right = (terms[:, None] < k) & (columns[None, :] < n)
        left = tl.load(a + rows[:, None] * am + terms[None, :] * ak, mask=is_left, other=0.0)
        right = tl.load(b + terms[:, None] * bk + columns[None, :] * bn, mask=is_right, other=0.0)
        if HOW == "sum":
            total += tl.sum(left[:, :, None] * right[None, :, :], 1)
        else:
            total += tl.dot(left, right, input_precision=HOW)
    is_there = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=is_there)


@triton.jit(do_not_specialize=["m", "n", "k", "am", "ak", "bk", "bn"])
def outer_products(a, b, c, m, n, k, am, ak, bk, bn, SIZE: tl.constexpr, HOW: tl.constexpr):
    """The same, a column of a and a row of b after the other; backwards if HOW says so."""
    rows = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    columns = tl.program_id(1) * SIZE + tl.arange(0, SIZE)
    total = tl.zeros((SIZE, SIZE), tl.float32)
    for at in range(0, k):
        term = at
        if HOW == "backwards":
            term = k - 1 - at
        left = tl.load(a + rows * am + term * ak, mask=rows < m, other=0.0)
        right = tl.load(b + term * bk + columns * bn, mask=columns < n, other=0.0)
        total += left[:, None] * right[None, :]
    is_there = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=is_there)


def multiplied(a, b, how):
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty(m, n, device=a.device)
    size = 16
    grid = triton.cdiv(m, size), triton.cdiv(n, size)
    of = outer_products if how in ("forwards", "backwards") else product
    of[grid](a, b, c, m, n, k, *a.stride(), *b.stride(), SIZE=size, HOW=how)
    return c


#: The operands of each product as matrices.
OPERANDS = {
    **dict.fromkeys((1, 2, 6, 7, 8, 9, 13), lambda a, b: (a, b)),
    4: lambda a, b: (a, b),
    16: lambda a, b: (a.T, b),
    17: lambda a, b: (a, b.T),
    18: lambda a, b: (a.T, b.T),
    10: lambda a, b: (a.reshape(-1, a.shape[-1]), b),
    11: lambda a, b: (a.reshape(-1, a.shape[-1]), b),
}
WAYS = {
    "by dot": "ieee", "by outer products": "forwards", "by outer products backwards": "backwards",
    "in TF32": "tf32", "by a sum of products": "sum",
}  # fmt: skip
for _way, _how in WAYS.items():
    for _n, _of in OPERANDS.items():
        kernel(_way, _n)(
            lambda f, a, b, of=_of, how=_how: multiplied(*of(a, b), how).reshape(f(a, b).shape)
        )
    kernel(_way, 3)(lambda f, a, b, how=_how: torch.stack([multiplied(x, y, how) for x, y in zip(a, b)]))

# --------------------------------------------------------------------------------------------------------- activations


@triton.jit
def activated(x, y, n, OF: tl.constexpr, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    v = tl.load(x + at, mask=at < n, other=0.0)
    r = v
    if OF == "relu":
        r = tl.maximum(v, 0.0)
    elif OF == "leaky relu":
        r = tl.where(v > 0, v, v * 0.01)
    elif OF == "sigmoid":
        r = 1 / (1 + tl.exp(-v))
    elif OF == "sigmoid by libdevice":
        r = 1 / (1 + libdevice.exp(-v))
    elif OF == "tanh by libdevice":
        r = libdevice.tanh(v)
    elif OF == "swish":
        r = v / (1 + tl.exp(-v))
    elif OF == "swish by libdevice":
        r = v / (1 + libdevice.exp(-v))
    elif OF == "gelu":
        r = 0.5 * v * (1 + tl.erf(v * 0.7071067811865476))
    elif OF == "gelu by libdevice":
        r = 0.5 * v * (1 + libdevice.erf(v * 0.7071067811865476))
    elif OF == "selu":
        r = 1.0507009873554805 * tl.where(v > 0, v, 1.6732632423543772 * (tl.exp(v) - 1))
    elif OF == "selu by libdevice":
        r = 1.0507009873554805 * tl.where(v > 0, v, 1.6732632423543772 * libdevice.expm1(v))
    elif OF == "hard sigmoid":
        r = tl.minimum(tl.maximum(v / 6 + 0.5, 0.0), 1.0)
    elif OF == "softplus by libdevice":
        r = libdevice.log1p(libdevice.exp(v))
    elif OF == "softsign":
        r = v / (1 + tl.abs(v))
    elif OF == "elu":
        r = tl.where(v > 0, v, tl.exp(v) - 1)
    elif OF == "elu by libdevice":
        r = tl.where(v > 0, v, libdevice.expm1(v))
    elif OF == "hard tanh":
        r = tl.minimum(tl.maximum(v, -1.0), 1.0)
    elif OF == "gelu by tanh":
        r = 0.5 * v * (1 + libdevice.tanh(0.7978845608028654 * (v + 0.044715 * v * v * v)))
    tl.store(y + at, r, mask=at < n)


def activation(x, of):
    y = torch.empty_like(x)
    activated[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), OF=of, SIZE=64)
    return y


ACTIVATIONS = {
    19: ["relu"], 20: ["leaky relu"], 21: ["sigmoid", "sigmoid by libdevice"], 22: ["tanh by libdevice"],
    25: ["swish", "swish by libdevice"], 26: ["gelu", "gelu by libdevice"], 27: ["selu", "selu by libdevice"],
    28: ["hard sigmoid"], 29: ["softplus by libdevice"], 30: ["softsign"], 31: ["elu", "elu by libdevice"],
    32: ["hard tanh"], 88: ["gelu by tanh"],
}  # fmt: skip
for _n, _names in ACTIVATIONS.items():
    for _name in _names:
        kernel(_name, _n)(lambda f, x, of=_name: activation(x, of))

# ---------------------------------------------------------------------------------------------------------------- rows


@triton.jit
def row(x, y, n, eps, OF: tl.constexpr, SIZE: tl.constexpr):
    """What each row of n numbers becomes: a row, or one number."""
    at = tl.arange(0, SIZE)
    first = tl.program_id(0) * n
    is_in = at < n
    v = tl.load(x + first + at, mask=is_in, other=0.0)
    if OF == "sum":
        tl.store(y + tl.program_id(0), tl.sum(v, 0))
    elif OF == "mean":
        tl.store(y + tl.program_id(0), tl.sum(v, 0) / n)
    elif OF == "max":
        tl.store(y + tl.program_id(0), tl.max(tl.where(is_in, v, float("-inf")), 0))
    else:
        r = v
        if OF == "softmax":
            e = tl.where(is_in, tl.exp(v - tl.max(tl.where(is_in, v, float("-inf")), 0)), 0.0)
            r = e / tl.sum(e, 0)
        elif OF == "softmax by libdevice":
            e = tl.where(is_in, libdevice.exp(v - tl.max(tl.where(is_in, v, float("-inf")), 0)), 0.0)
            r = e * (1 / tl.sum(e, 0))
        elif OF == "log softmax":
            s = v - tl.max(tl.where(is_in, v, float("-inf")), 0)
            r = s - tl.log(tl.sum(tl.where(is_in, tl.exp(s), 0.0), 0))
        elif OF == "rms norm":
            r = v * tl.rsqrt(tl.sum(v * v, 0) / n + eps)
        elif OF == "rms norm by sqrt":
            r = v / tl.sqrt_rn(tl.sum(v * v, 0) / n + eps)
        elif OF == "layer norm":
            d = tl.where(is_in, v - tl.sum(v, 0) / n, 0.0)
            r = d * tl.rsqrt(tl.sum(d * d, 0) / n + eps)
        elif OF == "layer norm by sqrt":
            d = tl.where(is_in, v - tl.sum(v, 0) / n, 0.0)
            r = d / tl.sqrt_rn(tl.sum(d * d, 0) / n + eps)
        elif OF == "1-norm":
            r = v / tl.sum(tl.abs(v), 0)
        elif OF == "2-norm":
            r = v / tl.sqrt_rn(tl.sum(v * v, 0))
        elif OF == "2-norm by rsqrt":
            r = v * tl.rsqrt(tl.sum(v * v, 0))
        elif OF == "running sum":
            r = tl.cumsum(v, 0)
        elif OF == "running sum from the end":
            r = tl.cumsum(v, 0, reverse=True)
        tl.store(y + first + at, r, mask=is_in)


@triton.jit
def online_softmax(x, y, n, SIZE: tl.constexpr):
    """SIZE numbers at a time, with a running maximum."""
    first = tl.program_id(0) * n
    most = float("-inf")
    total = 0.0
    for start in range(0, n, SIZE):
        at = start + tl.arange(0, SIZE)
        v = tl.load(x + first + at, mask=at < n, other=float("-inf"))
        new = tl.maximum(most, tl.max(v, 0))
        total = total * tl.exp(most - new) + tl.sum(tl.exp(v - new), 0)
        most = new
    for start in range(0, n, SIZE):
        at = start + tl.arange(0, SIZE)
        v = tl.load(x + first + at, mask=at < n, other=float("-inf"))
        tl.store(y + first + at, tl.exp(v - most) / total, mask=at < n)


def by_rows(x, of, eps=1e-5):
    """Along the last dimension."""
    x = x.contiguous()
    n, count = x.shape[-1], x.numel() // x.shape[-1]
    y = torch.empty(x.shape[:-1] if of in ("sum", "mean", "max") else x.shape, device=x.device)
    row[(count,)](x, y, n, eps, OF=of, SIZE=triton.next_power_of_2(n))
    return y


@kernel("online, in Triton", 23)
def softmax_online(f, x):
    y = torch.empty_like(x)
    online_softmax[(x.shape[0],)](x, y, x.shape[1], SIZE=4)
    return y


ROWS = {
    23: ["softmax", "softmax by libdevice"], 24: ["log softmax"], 38: ["1-norm"], 39: ["2-norm", "2-norm by rsqrt"],
    89: ["running sum"], 91: ["running sum from the end"],
}  # fmt: skip
for _n, _names in ROWS.items():
    for _name in _names:
        kernel(_name, _n)(lambda f, x, of=_name: by_rows(x, of))
kernel("in Triton", 47)(lambda f, x: by_rows(x.transpose(1, 2), "sum").unsqueeze(1))
kernel("in Triton", 48)(lambda f, x: by_rows(x.transpose(1, 2), "mean"))
kernel("in Triton", 49)(lambda f, x: by_rows(x.transpose(1, 2), "max"))
for _name in ("rms norm", "rms norm by sqrt"):
    kernel(_name, 36)(lambda f, x, of=_name: by_rows(x.movedim(1, -1), of).movedim(-1, 1))
for _name in ("layer norm", "layer norm by sqrt"):
    kernel(_name, 40)(lambda f, x, of=_name: by_rows(x.flatten(1), of).reshape(x.shape))
    kernel(_name, 34)(lambda f, x, of=_name: by_rows(x.flatten(2), of).reshape(x.shape))
    kernel(_name, 35)(lambda f, x, of=_name: by_rows(x.reshape(4, 3, -1), of).reshape(x.shape))
    kernel(_name, 33)(
        lambda f, x, of=_name: by_rows(x.movedim(1, 0).flatten(1), of).reshape(x.movedim(1, 0).shape).movedim(0, 1)
    )

# -------------------------------------------------------------------------------------------------------------- losses


@triton.jit
def loss(x, y, out, n, factor, OF: tl.constexpr, SIZE: tl.constexpr):
    """Blocks of SIZE terms are added in the order in which they end."""
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    is_in = at < n
    a = tl.load(x + at, mask=is_in, other=1.0)
    b = tl.load(y + at, mask=is_in, other=1.0)
    if OF == "squares":
        term = (a - b) * (a - b)
    elif OF == "Huber":
        d = tl.abs(a - b)
        term = tl.where(d < 1, 0.5 * d * d, d - 0.5)
    elif OF == "divergence":
        term = b * (tl.log(b) - tl.log(a))
    else:
        term = tl.maximum(1 - a * b, 0.0)
    tl.atomic_add(out, tl.sum(tl.where(is_in, term, 0.0), 0) * factor)


def added(x, y, of, count):
    out = torch.zeros((), device=x.device)
    loss[(triton.cdiv(x.numel(), 16),)](x, y, out, x.numel(), 1 / count, OF=of, SIZE=16)
    return out


kernel("by atomics", 94)(lambda f, x, y: added(x, y, "squares", x.numel()))
kernel("by atomics", 96)(lambda f, x, y: added(x, y, "Huber", x.numel()))
kernel("by atomics", 98)(lambda f, x, y: added(x, y, "divergence", x.shape[0]))
kernel("by atomics", 100)(lambda f, x, y: added(x, y, "hinge", x.numel()))

# ------------------------------------------------------------------------------------------- convolutions and attention


@triton.jit(do_not_specialize=["c", "h", "w", "k", "oh", "ow", "kh", "kw", "ph", "pw", "dh", "dw", "cg", "kg"])
def convolution(x, wt, y, c, h, w, k, oh, ow, kh, kw, ph, pw, dh, dw, cg, kg, SIZE: tl.constexpr):
    """SIZE places of one channel of one image; cg and kg: channels of a group."""
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    to = tl.program_id(1) % k
    image = tl.program_id(1) // k
    i = at // ow
    j = at % ow
    total = tl.zeros((SIZE,), tl.float32)
    for term in range(0, cg * kh * kw):
        channel = term // (kh * kw)
        r = term // kw % kh
        s = term % kw
        row = i - ph + r * dh
        column = j - pw + s * dw
        is_in = (at < oh * ow) & (row >= 0) & (row < h) & (column >= 0) & (column < w)
        place = ((image * c + to // kg * cg + channel) * h + row) * w + column
        total += tl.load(x + place, mask=is_in, other=0.0) * tl.load(wt + to * cg * kh * kw + term)
    tl.store(y + (image * k + to) * oh * ow + at, total, mask=at < oh * ow)


@kernel("direct", 55, 56, 62, 63, 80, 82, 83, 84, 85, 87)
def direct(f, x):
    (k, cg, kh, kw), (ph, pw), (dh, dw) = f.weight.shape, f.padding, f.dilation
    n, c, h, w = x.shape
    oh, ow = h + 2 * ph - dh * (kh - 1), w + 2 * pw - dw * (kw - 1)
    y = torch.empty(n, k, oh, ow, device=x.device)
    grid = triton.cdiv(oh * ow, 32), n * k
    sizes = c, h, w, k, oh, ow, kh, kw, ph, pw, dh, dw, cg, k // f.groups
    convolution[grid](x, f.weight, y, *sizes, SIZE=32)
    return y


@triton.jit
def attended(q, k, v, o, n, scale, D: tl.constexpr, WIDE: tl.constexpr, SIZE: tl.constexpr):
    """All queries of one head, SIZE keys at a time, with a running maximum."""
    head = tl.program_id(0) * n * D
    rows = tl.arange(0, SIZE)
    at = tl.arange(0, WIDE)
    is_q = (rows[:, None] < n) & (at[None, :] < D)
    a = tl.load(q + head + rows[:, None] * D + at[None, :], mask=is_q, other=0.0)
    most = tl.full((SIZE,), float("-inf"), tl.float32)
    total = tl.zeros((SIZE,), tl.float32)
    out = tl.zeros((SIZE, WIDE), tl.float32)
    for first in range(0, n, SIZE):
        keys = first + tl.arange(0, SIZE)
        is_k = (keys[:, None] < n) & (at[None, :] < D)
        b = tl.load(k + head + keys[:, None] * D + at[None, :], mask=is_k, other=0.0)
        values = tl.load(v + head + keys[:, None] * D + at[None, :], mask=is_k, other=0.0)
        s = tl.dot(a, tl.trans(b), input_precision="ieee") * scale
        s = tl.where(keys[None, :] < n, s, float("-inf"))
        new = tl.maximum(most, tl.max(s, 1))
        e = tl.exp(s - new[:, None])
        again = tl.exp(most - new)
        total = total * again + tl.sum(e, 1)
        out = out * again[:, None] + tl.dot(e, values, input_precision="ieee")
        most = new
    tl.store(o + head + rows[:, None] * D + at[None, :], out / total[:, None], mask=is_q)


@kernel("online, in Triton", 97)
def flash(f, q, k, v):
    o = torch.empty_like(q)
    batch, heads, n, d = q.shape
    attended[(batch * heads,)](q, k, v, o, n, d**-0.5, D=d, WIDE=16, SIZE=16)
    return o
