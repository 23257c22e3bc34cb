"""Functions of torch that the first level of KernelBench does not use: name -> (model or function, inputs)."""

import torch
from torch import nn
from torch.nn import functional as F

from level_one import drawn

X, V, E = drawn(3, 4, 9, 10), drawn(6, 8), drawn(11, 5)
W = torch.sigmoid(drawn(6, 8, seed=1))
SIGNS = torch.sign(drawn(6, 8, seed=2))
DRAW = torch.Generator().manual_seed(9)


def places(below, *shape):
    return torch.randint(below, shape, generator=DRAW)


def layer(make):
    """A layer with drawn weights."""
    torch.manual_seed(7)
    return make()


class Residual(nn.Module):
    """Two convolutions beside a way around them."""

    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Conv2d(4, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4)
        self.second = nn.Conv2d(4, 4, 3, padding=1, bias=False)

    def forward(self, x):
        y = self.second(F.relu(self.norm(self.first(x))))
        y += x
        return F.relu(y)


def written_softmax(x):
    e = torch.exp(x - x.max(1, keepdim=True).values)
    return e / e.sum(1, keepdim=True)


FUNCTIONS = {
    "avg ceil": (lambda x: F.avg_pool2d(x, 2, 2, ceil_mode=True), [X]),
    "avg nopad": (lambda x: F.avg_pool2d(x, 3, 2, padding=1, count_include_pad=False), [X]),
    "avg nopad ceil": (lambda x: F.avg_pool2d(x, 3, 2, padding=1, count_include_pad=False, ceil_mode=True), [X]),
    "avg ceil pad": (lambda x: F.avg_pool2d(x, 3, 2, padding=1, ceil_mode=True), [X]),
    "avg div": (lambda x: F.avg_pool2d(x, 3, 2, divisor_override=5), [X]),
    "max ceil": (lambda x: F.max_pool2d(x, 2, 2, ceil_mode=True), [X]),
    "adaptive": (lambda x: F.adaptive_avg_pool2d(x, (3, 5)), [X]),
    "adaptive max": (lambda x: F.adaptive_max_pool2d(x, 1), [X]),
    "celu": (lambda v: F.celu(v, 0.7), [V]),
    "mish": (F.mish, [V]),
    "logsigmoid": (F.logsigmoid, [V]),
    "softplus with beta": (lambda v: F.softplus(v, beta=2), [V]),
    "hardswish": (F.hardswish, [V]),
    "tanhshrink": (F.tanhshrink, [V]),
    "softshrink": (F.softshrink, [V]),
    "relu6": (F.relu6, [V * 4]),
    "gelu tanh": (lambda v: F.gelu(v, approximate="tanh"), [V]),
    "elu": (lambda v: F.elu(v, 0.5), [V]),
    "l1": (F.l1_loss, [V, W]),
    "huber": (lambda a, b: F.huber_loss(a, b, delta=0.5), [V, W]),
    "smooth": (lambda a, b: F.smooth_l1_loss(a, b, beta=0.5), [V, W]),
    "bce": (lambda a, b: F.binary_cross_entropy(torch.sigmoid(a), b), [V, W]),
    "bce with logits": (F.binary_cross_entropy_with_logits, [V, W]),
    "softmargin": (F.soft_margin_loss, [V, SIGNS]),
    "ranking": (lambda a, b, t: F.margin_ranking_loss(a, b, t, margin=0.3), [V, W, SIGNS]),
    "nll": (lambda a, t: F.nll_loss(F.log_softmax(a, 1), t), [V, places(8, 6)]),
    "ce none": (lambda a, t: F.cross_entropy(a, t, reduction="none"), [V, places(8, 6)]),
    "ce 3d": (lambda a, t: F.cross_entropy(a, t), [drawn(3, 5, 7, seed=3), places(5, 3, 7)]),
    "kl log": (
        lambda a, b: F.kl_div(F.log_softmax(a, 1), F.log_softmax(b, 1), log_target=True, reduction="batchmean"),
        [V, W],
    ),
    "triplet swap": (lambda a, p, n: F.triplet_margin_loss(a, p, n, swap=True, p=1.0), [V, W, drawn(6, 8, seed=3)]),
    "pairwise": (lambda a, b: F.pairwise_distance(a, b), [V, W]),
    "embedding": (F.embedding, [places(11, 4, 7), E]),
    "normalize": (lambda v: F.normalize(v, dim=1), [V]),
    "instance affine": (layer(lambda: nn.InstanceNorm2d(4, affine=True)), [X]),
    "bn eval affine": (layer(lambda: nn.BatchNorm2d(4).eval()), [X]),
    "ln no affine": (layer(lambda: nn.LayerNorm(10, elementwise_affine=False)), [X]),
    "var": (lambda x: x.var((0, 2)), [X]),
    "std": (lambda x: x.std(1), [X]),
    "std all": (lambda v: v.std(), [V]),
    "argmax all": (lambda v: v[0].argmax(), [V]),
    "lerp": (lambda a, b: torch.lerp(a, b, 0.3), [V, W]),
    "log2": (lambda w: torch.log2(w + 1) + torch.log10(w + 1), [W]),
    "atan2": (torch.atan2, [V, W]),
    "fmod": (torch.fmod, [V, W + 0.5]),
    "pow": (lambda w: (w + 0.1) ** 1.7, [W]),
    "a power of two": (lambda v: 2 ** v, [V]),
    "addmm": (lambda a, b, c: torch.addmm(a, b, c, beta=0.5, alpha=2), [drawn(6, 5, seed=3), V, drawn(8, 5, seed=3)]),
    "baddbmm": (torch.baddbmm, [drawn(3, 4, 5, seed=3), drawn(3, 4, 6, seed=3), drawn(3, 6, 5, seed=3)]),
    "dot": (torch.dot, [V[0], W[0]]),
    "mv": (torch.mv, [V, W[0]]),
    "inner": (torch.inner, [drawn(6, 6, seed=3), drawn(6, 6, seed=4)]),
    "tile": (lambda v: torch.tile(v[:, :1], (3,)), [V]),
    "unflatten": (lambda v: v.unflatten(1, (2, 4)).sum(1), [V]),
    "chunk": (lambda v: v.chunk(3, 1)[2] - v.chunk(3, 1)[0][:, :2], [V]),
    "narrow": (lambda v: v.narrow(1, 2, 3).movedim(0, 1), [V]),
    "triu": (lambda v: v.triu(2), [V]),
    "where": (lambda v: torch.where(torch.arange(8) < 3, v, v * 2), [V]),
    "where odd": (lambda v: torch.where(torch.arange(8) % 2 == 0, v, v * 2), [V]),
    "circular conv": (layer(lambda: nn.Conv1d(4, 3, 3, padding=2, padding_mode="circular")), [drawn(2, 4, 9, seed=3)]),
    "conv same": (layer(lambda: nn.Conv2d(4, 3, (3, 4), padding="same", dilation=2)), [X]),
    "conv3d groups": (layer(lambda: nn.Conv3d(4, 6, 2, stride=2, groups=2, padding=1)), [drawn(1, 4, 5, 6, 7, seed=3)]),
    "convT unbatched": (layer(lambda: nn.ConvTranspose1d(4, 3, 3, stride=2)), [drawn(4, 9, seed=3)]),
    "f64": (layer(lambda: nn.Linear(8, 3).double()), [V.double()]),
    "mask input": (lambda v, m: v.masked_fill(m, 0.0), [V, W > 0.5]),
    "bf16": (layer(lambda: nn.Linear(8, 3).bfloat16()), [V.bfloat16()]),
    "softmin": (lambda v: F.softmin(v, 1), [V]),
    "hand softmax": (written_softmax, [V]),
    "an encoder layer": (
        layer(lambda: nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, dropout=0.0)), [drawn(2, 4, 8, seed=3)],
    ),
    "convolutions and pools": (
        layer(lambda: nn.Sequential(
            nn.Conv2d(4, 3, 3, padding=1, stride=2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, padding=1),
            nn.Conv2d(3, 5, 3, padding=1), nn.BatchNorm2d(5), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(5, 2),
        )), [X],
    ),
    "a residual": (layer(lambda: Residual()), [X]),
    "weight norm": (layer(lambda: nn.utils.weight_norm(nn.Linear(8, 3))), [V]),
    "hand lse": (lambda v: torch.log(torch.exp(v).sum(1)), [V]),
}  # fmt: skip

#: Expressions of two matrices v and w.
EXPRESSIONS = """
v.amax(1) - v.amin(1, keepdim=True)[:, 0]
torch.addmv(v[:, 0], v, w[0], beta=2, alpha=0.5)
torch.arctan2(v, w)
v.clamp_min(0.1) + v.clamp_max(0.3)
v.clip(-0.5, 0.5)
torch.concat([v, w], 0)
torch.cos(v) + torch.sin(w)
v.div(w + 1)
torch.true_divide(v, 3)
v[:, :1].expand(6, 4) + 0
v[:, :1].expand_as(w) * w
torch.exp2(v) + torch.expm1(v) + torch.erf(v)
torch.full_like(v, 2.0) * v
v.new_ones(8) + v
v.new_zeros(6, 8) + v
v.new_full((8,), 3.0) * v
torch.ones_like(v) - v
torch.log1p(w)
torch.linalg.norm(v, dim=1)
torch.linalg.vector_norm(v, 1)
torch.linalg.matrix_norm(v)
torch.linalg.norm(v, 3, dim=0)
torch.logsumexp(v, 0, keepdim=True)[0]
torch.maximum(v, w) - torch.minimum(v, w)
torch.mm(v, w.t())
v.movedim(0, 1) @ w
F.mse_loss(v, w, reduction='sum')
F.mse_loss(v, w, reduction='none')
torch.outer(v[0], w[1])
F.prelu(v, torch.tensor([0.25]))
F.prelu(v, w[0])
torch.reciprocal(w + 1)
2 / (w + 1)
2 - v
torch.rsub(v, 2)
2 ** w
w.rsqrt()
w.sqrt() + w.square()
v.select(1, 2)
F.silu(v)
F.softsign(v)
v.split([3, 5], 1)[1]
v.split(3, 1)[2]
v.unsqueeze(0).squeeze(0).squeeze()
v.swapaxes(0, 1)
v.t() @ w
v.type_as(w) + w.to(torch.float32)
torch.subtract(v, w, alpha=2) + torch.add(v, w, alpha=3)
v.unbind(1)[3]
v.view(2, 3, 8).sum(1)
v.reshape(6, 2, -1).mean(2)
torch.zeros_like(v) + v
v.norm() * v
v.norm(dim=(0, 1))
v.permute(1, 0)
v.flatten() * 2
v.T.flatten() + 1
v.min(1).values + v.max(0)[0][:6]
torch.max(v) - v.min()
v.argmin(1, keepdim=True)
v.sum((0, 1))
v.mean()
v.var(1, unbiased=False)
v.std(0, keepdim=True)
v.sum(0, keepdim=True) - v
torch.einsum('ij,ij->i', v, w)
torch.einsum('ij,kj', v, w)
torch.einsum('ij->ji', v)
torch.einsum('ij->', v)
torch.tril(v, -1) + torch.triu(v, 1)
v[1:5:2, ::3]
v[..., None] * w[:, None, :]
v[-1] - v[0, -2]
torch.cat([v[:, :1], w], 1)
F.pad(v, (0, 0, 1, 2))
F.pad(v[None], (2, 1), mode='replicate')
F.pad(v[None], (2, 1), mode='circular')
torch.roll(v, (1, -2), (0, 1))
v.flip(0, 1)
v.masked_fill(torch.eye(6, 8) == 1, 0.5)
v * torch.arange(8)
torch.where(torch.eye(6, 8).bool(), v, w)
v.cumsum(0)
v.cumprod(1)
v.prod(0)
F.logsigmoid(v)
F.hardsigmoid(v * 4)
F.hardtanh(v)
F.softmax(v, 0) * F.log_softmax(v, 0)
v / v.sum(1, keepdim=True).abs()
v.pow(2).sum(1).sqrt()
v ** 3 - v ** 2
abs(v) - (-v)
F.linear(v, w, w[:, 0])
v.double().float() * 1
torch.baddbmm(v[:2, None, :3], v[:4].reshape(2, 2, 8), w[:6].reshape(2, 3, 8).mT)
F.normalize(v, p=1, dim=0)
F.relu(v).square()
F.leaky_relu(v, 0.2)
F.gelu(v, approximate='tanh')
F.selu(v)
v.mul(2).add(1).sub(w).neg()
F.adaptive_avg_pool1d(v[None], 2)
F.avg_pool1d(v[None], 3, 1, 1)
F.max_pool1d(v[None], 3, 2, 1)
F.layer_norm(v, (8,), w[0], w[1])
F.group_norm(v, 4)
F.instance_norm(v[None])
F.batch_norm(v, w[0], w[1] + 1)
F.batch_norm(v, None, None, training=True)
F.cosine_similarity(v, w, dim=0)
"""
for _text in EXPRESSIONS.split("\n")[1:-1]:
    FUNCTIONS[_text] = eval(f"lambda v, w: {_text}"), [V, W]
