"""For the models of level_one: transcription mistakes, which are refused, and other right implementations, which are
accepted. Each is a function of the model and its inputs."""

import copy
import math

import torch
from torch.nn import functional

PRODUCTS = [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18]
CONVOLUTIONS = [*range(54, 57), *range(57, 86), 87]
#: mistake -> number of the model -> function
MISTAKES = {}
#: number of the model -> name -> function
RIGHT = {}


def mistake(name, *numbers):
    def noted(function):
        MISTAKES.setdefault(name, {}).update(dict.fromkeys(numbers, function))
        return function

    return noted


def right(name, *numbers):
    def noted(function):
        for each in numbers:
            RIGHT.setdefault(each, {})[name] = function
        return function

    return noted


def with_weight(model, change):
    """The model with another weight."""
    other = copy.deepcopy(model)
    with torch.no_grad():
        for each in other.parameters():
            each.copy_(change(each.clone()))
    return other


def along(x, dim, n):
    """The first n entries along a dimension, the last ones if n is negative, and zeros."""
    kept = torch.zeros(x.shape[dim])
    kept[:n] = 1
    return x * kept.reshape([-1 if d == dim % x.ndim else 1 for d in range(x.ndim)])


def first_negated(x, dim):
    sign = torch.ones(x.shape[dim])
    sign[0] = -1
    return x * sign.reshape([-1 if d == dim % x.ndim else 1 for d in range(x.ndim)])


def in_other_order(w):
    """The same memory, read as if the array were transposed."""
    return w.reshape(w.shape[::-1]).permute(*range(w.ndim)[::-1])


#: Along which dimension of the left operand the product adds.
SUMMED = {16: 0, 18: 0}

# ------------------------------------------------------------------------------------------------------------ products

for _n in PRODUCTS:
    _d = SUMMED.get(_n, -1)
    MISTAKES.setdefault("sign", {})[_n] = lambda f, a, b, d=_d: f(first_negated(a, d), b)
    MISTAKES.setdefault("n - 1 for n", {})[_n] = lambda f, a, b, d=_d: f(along(a, d, a.shape[d] - 1), b)
    MISTAKES.setdefault("mean for sum", {})[_n] = lambda f, a, b, d=_d: f(a, b) / a.shape[d]
    if _n not in (4, 13):
        MISTAKES.setdefault("transposed weight", {})[_n] = lambda f, a, b: f(a, in_other_order(b))
    RIGHT.setdefault(_n, {})["in binary64"] = lambda f, a, b: f(a.double(), b.double()).float()
    if _n not in (14, 15):
        _e = {16: 0, 17: -1, 18: -1, 4: 0, 10: 0, 11: 0}.get(_n, -2)
        RIGHT[_n]["in another order"] = lambda f, a, b, d=_d, e=_e: f(a.flip(d), b.flip(e))
        RIGHT[_n]["in two tiles"] = lambda f, a, b, d=_d: f(along(a, d, a.shape[d] // 2), b) + f(
            a - along(a, d, a.shape[d] // 2), b
        )

mistake("mask off by one", 14)(lambda f, a, b: torch.triu(a @ b, diagonal=1))
mistake("mask off by one", 15)(lambda f, a, b: torch.tril(a @ b, diagonal=-1))
mistake("wrong axis", 1)(lambda f, a, b: a.T @ b)
mistake("wrong axis", 12)(lambda f, a, b: b * a[: b.shape[1]])
right("by rows", 12)(lambda f, a, b: a[:, None] * b)
right("in binary64", 12)(lambda f, a, b: (a.double()[:, None] * b.double()).float())
mistake("sign", 5)(lambda f, a, s: -a * s)
mistake("sign", 12)(lambda f, a, b: -f(a, b))

# --------------------------------------------------------------------------------------------------------- activations

#: Of selu.
SCALE, ALPHA = 1.0507009873554805, 1.6732632423543772


def shifted(x):
    return x - x.amax(1, keepdim=True)


def shared(e):
    return e / e.sum(1, keepdim=True)


mistake("sign", *range(19, 33), 88)(lambda f, x: f(-x))
mistake("wrong base", 21)(lambda f, x: 1 / (1 + torch.exp2(-x)))
mistake("wrong base", 22)(lambda f, x: (torch.exp2(x) - torch.exp2(-x)) / (torch.exp2(x) + torch.exp2(-x)))
mistake("wrong base", 23)(lambda f, x: torch.exp2(x) / torch.exp2(x).sum(1, keepdim=True))
mistake("wrong base", 24)(lambda f, x: x - torch.log2(torch.exp(x).sum(1, keepdim=True)))
mistake("wrong base", 25)(lambda f, x: x / (1 + torch.exp2(-x)))
mistake("wrong base", 27)(lambda f, x: SCALE * torch.where(x > 0, x, ALPHA * (torch.exp2(x) - 1)))
mistake("wrong base", 29)(lambda f, x: torch.log1p(torch.exp2(x)))
mistake("wrong base", 31)(lambda f, x: torch.where(x > 0, x, torch.exp2(x) - 1))
mistake("wrong base", 88)(lambda f, x: x / (1 + torch.exp2(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))
mistake("wrong axis", 23, 24)(lambda f, x: f(x.T).T)
mistake("mean for sum", 23)(lambda f, x: torch.exp(x) / torch.exp(x).mean(1, keepdim=True))
mistake("mean for sum", 24)(lambda f, x: x - torch.log(torch.exp(x).mean(1, keepdim=True)))
mistake("n - 1 for n", 23)(lambda f, x: torch.exp(x) / torch.exp(x)[:, :-1].sum(1, keepdim=True))
mistake("n - 1 for n", 24)(lambda f, x: x - torch.log(torch.exp(x)[:, :-1].sum(1, keepdim=True)))
right("in binary64", *range(19, 26), *range(27, 33), 88)(lambda f, x: f(x.double()).float())
right("in binary64", 26)(lambda f, x: f(x.double()).float())
right("by erf", 26)(lambda f, x: x * 0.5 * (1.0 + torch.erf(x * math.sqrt(0.5))))
right("by maximum", 19)(lambda f, x: torch.maximum(x, torch.zeros(())))
right("by where", 20)(lambda f, x: torch.where(x > 0, x, 0.01 * x))
right("by exp", 21)(lambda f, x: 1 / (1 + torch.exp(-x)))
right("by exp2", 23)(lambda f, x: shared(torch.exp2(shifted(x) * math.log2(math.e))))
right("unshifted", 23)(lambda f, x: torch.exp(x) * (1 / torch.exp(x).sum(1, keepdim=True)))
right("from its parts", 24)(lambda f, x: shifted(x) - torch.log(torch.exp(shifted(x)).sum(1, keepdim=True)))
right("by exp", 25)(lambda f, x: x / (1 + torch.exp(-x)))
right("by exp", 27)(lambda f, x: SCALE * torch.where(x > 0, x, ALPHA * (torch.exp(x) - 1)))
right("by clamp", 28)(lambda f, x: torch.clamp(x / 6 + 0.5, 0, 1))
right("by log1p", 29)(lambda f, x: torch.log1p(torch.exp(x)))
right("by a reciprocal", 30)(lambda f, x: x * torch.reciprocal(1 + x.abs()))
right("by expm1", 31)(lambda f, x: torch.where(x > 0, x, torch.expm1(x)))
right("by exp", 31)(lambda f, x: torch.where(x > 0, x, torch.exp(x) - 1))
right("by minimum", 32)(lambda f, x: torch.minimum(torch.maximum(x, torch.tensor(-1.0)), torch.tensor(1.0)))

# --------------------------------------------------------------------------------------------------------------- norms

#: The dimensions of a norm, in the shape in which its rows are computed.
NORMS = {33: (0, 2, 3), 34: (2, 3), 36: (1,), 40: (1, 2, 3)}


def normed(x, dims, eps=1e-5, correction=0, outside=False, sign=1, total=False, rms=False):
    count = math.prod(x.shape[d] for d in dims)
    mu = x.mean(dims, keepdim=True)
    squares = x**2 if rms else (x - mu) ** 2
    v = squares.sum(dims, keepdim=True) / (1 if total else count - correction)
    root = torch.sqrt(v) + eps if outside else torch.sqrt(v + eps)
    return (x if rms else x - sign * mu) / root


def grouped(x, **options):
    return normed(x.reshape(4, 3, -1), (2,), **options).reshape(x.shape)


WRONG_NORMS = {
    "epsilon outside the root": {"outside": True, "eps": 1e-3},
    "n - 1 for n": {"correction": 1},
    "mean for sum": {"total": True},
}
for _name, _options in WRONG_NORMS.items():
    for _n, _dims in NORMS.items():
        MISTAKES.setdefault(_name, {})[_n] = lambda f, x, d=_dims, o=_options, n=_n: normed(x, d, rms=n == 36, **o)
    MISTAKES[_name][35] = lambda f, x, o=_options: grouped(x, **o)
for _n, _dims in NORMS.items():
    if _n != 36:
        MISTAKES["sign"][_n] = lambda f, x, d=_dims: normed(x, d, sign=-1)
        RIGHT.setdefault(_n, {})["in one pass"] = lambda f, x, d=_dims: (x - x.mean(d, keepdim=True)) * torch.rsqrt(
            (x**2).mean(d, keepdim=True) - x.mean(d, keepdim=True) ** 2 + 1e-5
        )
    RIGHT.setdefault(_n, {})["from its parts"] = lambda f, x, d=_dims, n=_n: normed(x, d, rms=n == 36)
    RIGHT[_n]["in binary64"] = lambda f, x, d=_dims, n=_n: normed(x.double(), d, rms=n == 36).float()
MISTAKES["sign"] |= {35: lambda f, x: grouped(x, sign=-1), 36: lambda f, x: f(-x)}
RIGHT[35] = {"from its parts": lambda f, x: grouped(x), "in binary64": lambda f, x: grouped(x.double()).float()}
mistake("wrong axis", 33)(lambda f, x: normed(x, (1, 2, 3)))
mistake("wrong axis", 34)(lambda f, x: normed(x, (1, 2)))
mistake("wrong axis", 36)(lambda f, x: normed(x, (2,), rms=True))
mistake("wrong axis", 40)(lambda f, x: normed(x, (0, 2, 3)))
mistake("wrong axis", 37, 38, 39)(lambda f, x: x / torch.norm(x, dim=0, keepdim=True))
mistake("mean for sum", 37)(lambda f, x: x / torch.sqrt((x**2).mean()))
mistake("mean for sum", 38)(lambda f, x: x / x.abs().mean(1, keepdim=True))
mistake("mean for sum", 39)(lambda f, x: x / torch.sqrt((x**2).mean(1, keepdim=True)))
mistake("sign", 37, 38, 39)(lambda f, x: -f(x))
right("in binary64", 37, 38, 39)(lambda f, x: f(x.double()).float())
right("from its parts", 37)(lambda f, x: x * torch.rsqrt((x * x).sum()))
right("by a reciprocal", 38)(lambda f, x: x * (1 / x.abs().sum(1, keepdim=True)))
right("from its parts", 39)(lambda f, x: x * torch.rsqrt((x * x).sum(1, keepdim=True)))

# ------------------------------------------------------------------------------------------------- pooling, reductions

mistake("sign", *range(41, 50), 51, 52, 53)(lambda f, x: f(-x))
mistake("sign", 50)(lambda f, x: -f(x))
mistake("mean for sum", 44)(lambda f, x: f(x) * 4)
mistake("mean for sum", 45)(lambda f, x: f(x) * 9)
mistake("mean for sum", 46)(lambda f, x: f(x) * 27)
mistake("n - 1 for n", 44)(lambda f, x: f(x) * 4 / 3)
mistake("n - 1 for n", 45)(lambda f, x: f(x) * 9 / 8)
mistake("n - 1 for n", 46)(lambda f, x: f(x) * 27 / 26)
mistake("wrong axis", 45)(lambda f, x: f(x.transpose(1, 2).reshape(x.shape)))
mistake("mean for sum", 47)(lambda f, x: x.mean(1, keepdim=True))
mistake("mean for sum", 48)(lambda f, x: x.sum(1))
mistake("n - 1 for n", 47)(lambda f, x: x[:, :-1].sum(1, keepdim=True))
mistake("n - 1 for n", 48)(lambda f, x: x.sum(1) / 18)
mistake("n - 1 for n", 50)(lambda f, x: f(x[:, :-1]))
mistake("n - 1 for n", 49, 51, 52, 53)(lambda f, x: f(x[:, 10:] if f(x[:, :-1]).equal(f(x)) else x[:, :-1]))
mistake("wrong axis", *range(47, 54))(lambda f, x: f(x.transpose(1, 2).reshape(x.shape)))
right("in binary64", 44, 45, 46, 47, 48, 50)(lambda f, x: f(x.double()).float())
right("in another order", 47, 48, 50)(lambda f, x: f(x.flip(1)))
right("in two tiles", 47)(lambda f, x: f(x[:, :7]) + f(x[:, 7:]))
right("by unfold", 45)(lambda f, x: x.unfold(2, 3, 3).unfold(3, 3, 3).sum((-1, -2)) * (1 / 9))
right("by unfold", 44)(lambda f, x: functional.pad(x, (1, 1)).unfold(2, 4, 2).mean(-1))

# -------------------------------------------------------------------------------------------------------- convolutions



def without_last(w):
    """A kernel whose last tap is left out."""
    dim = -1 if w.shape[-1] > 1 else -2
    return along(w, dim, w.shape[dim] - 1)


for _n in CONVOLUTIONS:
    MISTAKES["sign"][_n] = lambda f, x: with_weight(f, lambda w: first_negated(w, -1))(x)
    if _n not in (83, 87):
        MISTAKES["n - 1 for n"][_n] = lambda f, x: with_weight(f, without_last)(x)
        MISTAKES["transposed weight"][_n] = lambda f, x: with_weight(f, in_other_order)(x)
    MISTAKES["mean for sum"][_n] = lambda f, x: with_weight(f, lambda w: w / (w.numel() / w.shape[0] or 1))(x)
    RIGHT.setdefault(_n, {})["in binary64"] = lambda f, x: copy.deepcopy(f).double()(x.double()).float()
    RIGHT[_n]["in two tiles"] = lambda f, x: with_weight(f, lambda w: along(w, -2, 1))(x) + with_weight(
        f, lambda w: w - along(w, -2, 1)
    )(x)
for _n in (83,):
    MISTAKES["n - 1 for n"][_n] = lambda f, x: with_weight(f, lambda w: along(w, -2, 2))(x)
    MISTAKES["sign"][_n] = lambda f, x: with_weight(f, lambda w: first_negated(w, -2))(x)
MISTAKES["mean for sum"][83] = lambda f, x: f(x) / 3
mistake("transposed weight", 87)(lambda f, x: with_weight(f, in_other_order)(x))
mistake("sign", 86)(lambda f, x: with_weight(f, lambda w: first_negated(w, 0))(x))
mistake("mean for sum", 86)(lambda f, x: f(x) / 4)
right("in binary64", 86)(lambda f, x: copy.deepcopy(f).double()(x.double()).float())

# ------------------------------------------------------------------------------------------------- running sums, losses

mistake("mask off by one", 89)(lambda f, x: f(x) - x)
mistake("mask off by one", 90)(lambda f, x: torch.cat([torch.ones(5, 1), f(x)[:, :-1]], 1))
mistake("mask off by one", 91)(lambda f, x: f(x) - x)
mistake("mask off by one", 92)(lambda f, x: torch.cumsum(x, 1))
mistake("mask off by one", 93)(lambda f, x, m: torch.cumsum(x * m.roll(1, 1), 1))
mistake("sign", 89, 91, 92)(lambda f, x: f(-x))
mistake("sign", 90)(lambda f, x: -f(x))
mistake("sign", 93)(lambda f, x, m: f(x, ~m))
mistake("wrong axis", 89, 90, 91, 92)(lambda f, x: f(x.T.reshape(x.shape)))
right("in binary64", 89, 90, 91, 92)(lambda f, x: f(x.double()).float())
right("in two blocks", 89)(lambda f, x: torch.cat([f(x[:, :6]), f(x[:, 6:]) + x[:, :6].sum(1, keepdim=True)], 1))
right("by where", 93)(lambda f, x, m: torch.cumsum(torch.where(m, x, torch.zeros(())), 1))
mistake("sign", 94)(lambda f, x, y: torch.mean((x + y) ** 2))
mistake("sign", 95)(lambda f, x, t: -f(x, t))
mistake("sign", 96)(lambda f, x, y: f(x, -y))
mistake("sign", 98)(lambda f, p, q: -f(p, q))
mistake("sign", 99)(lambda f, a, p, n: f(a, n, p))
mistake("sign", 100)(lambda f, x, y: f(x, -y))
mistake("mean for sum", 94)(lambda f, x, y: torch.sum((x - y) ** 2))
mistake("mean for sum", 95)(lambda f, x, t: functional.cross_entropy(x, t, reduction="sum"))
mistake("mean for sum", 96)(lambda f, x, y: functional.smooth_l1_loss(x, y, reduction="sum"))
mistake("mean for sum", 98)(lambda f, p, q: functional.kl_div(torch.log(p), q, reduction="sum"))
mistake("mean for sum", 99)(lambda f, a, p, n: functional.triplet_margin_loss(a, p, n, reduction="sum"))
mistake("mean for sum", 100)(lambda f, x, y: torch.sum(torch.clamp(1 - x * y, min=0)))
mistake("n - 1 for n", 94, 96)(lambda f, x, y: f(x, y) * 63 / 62)
mistake("n - 1 for n", 95)(lambda f, x, t: f(x, t) * 6 / 5)
mistake("n - 1 for n", 98)(lambda f, p, q: f(p, q) * 6 / 5)
mistake("n - 1 for n", 99)(lambda f, a, p, n: f(a, p, n) * 6 / 5)
mistake("n - 1 for n", 100)(lambda f, x, y: f(x, y) * 9 / 8)
mistake("wrong base", 95)(lambda f, x, t: f(x, t) / math.log(2))
mistake("wrong base", 98)(lambda f, p, q: f(p, q) / math.log(2))
mistake("wrong axis", 95)(lambda f, x, t: -torch.log_softmax(x, 0)[range(6), t].mean())
mistake("wrong axis", 98)(lambda f, p, q: f(p, q) * 6 / 11)
mistake("wrong axis", 99)(lambda f, a, p, n: f(a.T, p.T, n.T))
right("in binary64", 94, 96, 98, 100)(lambda f, x, y: f(x.double(), y.double()).float())
right("in binary64", 95)(lambda f, x, t: f(x.double(), t).float())
right("in binary64", 99)(lambda f, a, p, n: f(a.double(), p.double(), n.double()).float())
right("from its parts", 94)(lambda f, x, y: ((x - y) * (x - y)).mean(0).mean())
right("from its parts", 95)(lambda f, x, t: (torch.logsumexp(x, 1) - x[range(6), t]).mean())
right("from its parts", 98)(lambda f, p, q: (q * (q.log() - p.log())).sum(1).mean())


@right("from its parts", 96)
def huber(f, x, y):
    d = (x - y).abs()
    return torch.where(d < 1, 0.5 * d**2, d - 0.5).mean()


@right("from its parts", 99)
def triplet(f, a, p, n):
    near, far = (a - p + 1e-6).square().sum(1).sqrt(), (a - n + 1e-6).square().sum(1).sqrt()
    return (near - far + 1).clamp(min=0).mean()


right("from its parts", 100)(lambda f, x, y: torch.relu(1 - y * x).sum() * (1 / 9))

# ----------------------------------------------------------------------------------------------------------- attention


def attended(q, k, v, scale=None, base=torch.exp, dim=-1, count=None):
    s = (q @ k.transpose(-2, -1)) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    e = base(s - s.amax(dim, keepdim=True))
    return (e / (e.sum(dim, keepdim=True) if count is None else e[..., :count].sum(dim, keepdim=True))) @ v


mistake("missing 1/sqrt(d)", 97)(lambda f, q, k, v: attended(q, k, v, 1.0))
mistake("n - 1 for n", 97)(lambda f, q, k, v: attended(q, k, v, count=6))
mistake("sign", 97)(lambda f, q, k, v: attended(-q, k, v))
mistake("wrong base", 97)(lambda f, q, k, v: attended(q, k, v, base=torch.exp2))
mistake("wrong axis", 97)(lambda f, q, k, v: attended(q, k, v, dim=-2))
mistake("mean for sum", 97)(lambda f, q, k, v: f(q, k, v) * 7)
mistake("transposed weight", 97)(lambda f, q, k, v: attended(q, in_other_order(k), v))
right("from its parts", 97)(lambda f, q, k, v: attended(q, k, v))
right("in binary64", 97)(lambda f, q, k, v: f(q.double(), k.double(), v.double()).float())


@right("online", 97)
def online(f, q, k, v):
    """One key after the other, with a running maximum."""
    scale = 1 / math.sqrt(q.shape[-1])
    most = torch.full(q.shape[:-1], -math.inf)
    total, sum_ = torch.zeros(q.shape[:-1]), torch.zeros(q.shape)
    for j in range(k.shape[-2]):
        s = (q * k[..., j : j + 1, :]).sum(-1) * scale
        new = torch.maximum(most, s)
        old, e = torch.exp(most - new), torch.exp(s - new)
        total, sum_ = total * old + e, sum_ * old[..., None] + e[..., None] * v[..., j : j + 1, :]
        most = new
    return sum_ / total[..., None]
