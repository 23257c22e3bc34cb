"""Small models of one operation each, after the one-line descriptions of the first level of KernelBench (its number is
the key): `MODELS[n]()` gives a model or function and its inputs. Sizes are small, and no two lengths of an input agree
unless the operation asks for it."""

import math
from functools import partial

import torch
from torch import nn
from torch.nn import functional

relu, where, cat = torch.relu, torch.where, torch.cat


def drawn(*shape, seed=0, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1000 + seed), dtype=torch.float64).to(dtype)


def labels(count, classes):
    return torch.randint(classes, (count,), generator=torch.Generator().manual_seed(5))


def of(function, *shapes):
    """A function of drawn arrays."""
    return lambda: (function, [drawn(*each, seed=k) for k, each in enumerate(shapes)])


def layer(make, *shape):
    """A module with drawn weights, and its input."""

    def made():
        torch.manual_seed(7)
        return make(), [drawn(*shape)]

    return made


def triangular(cut):
    return lambda: (lambda a, b: cut(a @ b), [cut(drawn(9, 9)), cut(drawn(9, 9, seed=1))])


def symmetric():
    a, b = drawn(9, 9), drawn(9, 9, seed=1)
    return torch.matmul, [a + a.T, b + b.T]


class NewGelu(nn.Module):
    """gelu by tanh, written out."""

    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


class RmsNorm(nn.Module):
    """Along the features, the dimension 1."""

    def __init__(self, eps=1e-5):
        super().__init__()
        self.eps = eps

    def forward(self, x):
        return x / torch.sqrt(torch.mean(x**2, dim=1, keepdim=True) + self.eps)


class Separable(nn.Module):
    """A convolution of each channel by itself, then one of single points."""

    def __init__(self, inputs, outputs, kernel, **options):
        super().__init__()
        self.depthwise = nn.Conv2d(inputs, inputs, kernel, groups=inputs, bias=False, **options)
        self.pointwise = nn.Conv2d(inputs, outputs, 1, bias=False)

    def forward(self, x):
        return self.pointwise(self.depthwise(x))


def exclusive(x):
    """Running sums that begin with 0, without the last one."""
    return torch.cumsum(cat([torch.zeros_like(torch.empty(x.shape[0], 1)), x[:, :-1]], dim=1), dim=1)


def attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    return torch.softmax(scores, dim=-1) @ v


def cross_entropy():
    return functional.cross_entropy, [drawn(6, 10), labels(6, 10)]


def divergence():
    p, q = torch.softmax(drawn(6, 11), -1), torch.softmax(drawn(6, 11, seed=1), -1)
    return lambda p, q: functional.kl_div(torch.log(p), q, reduction="batchmean"), [p, q]


def hinge():
    signs = torch.sign(drawn(9, seed=4))
    return lambda x, y: torch.mean(torch.clamp(1 - x * y, min=0)), [drawn(9), signs]


def masked_sum():
    return lambda x, mask: torch.cumsum(x * mask, dim=1), [drawn(5, 13), drawn(5, 13, seed=1) > 0]


CONV = partial(partial, nn.Conv2d)
BACK2 = partial(partial, nn.ConvTranspose2d)
BACK3 = partial(partial, nn.ConvTranspose3d)

MODELS = {
    "1 square product": of(torch.matmul, (12, 12), (12, 12)),
    "2 product": of(torch.matmul, (7, 12), (12, 9)),
    "3 batched product": of(torch.bmm, (3, 5, 8), (3, 8, 6)),
    "4 matrix and vector": of(torch.matmul, (9, 40), (40, 1)),
    "5 matrix and scalar": lambda: (lambda a, s: a * s, [drawn(7, 9), 3.14]),
    "6 product of long rows": of(torch.matmul, (3, 300), (300, 4)),
    "7 product of short rows": of(torch.matmul, (15, 3), (3, 14)),
    "8 product of odd shapes": of(torch.matmul, (13, 11), (11, 7)),
    "9 tall times flat": of(torch.matmul, (40, 3), (3, 41)),
    "10 tensor of 3 dimensions": of(torch.matmul, (3, 5, 8), (8, 6)),
    "11 tensor of 4 dimensions": of(lambda a, b: torch.einsum("bijl,lk->bijk", a, b), (2, 3, 4, 5), (5, 6)),
    "12 diagonal product": of(lambda a, b: torch.diag(a) @ b, (9,), (9, 6)),
    "13 symmetric product": symmetric,
    "14 upper triangles": triangular(torch.triu),
    "15 lower triangles": triangular(torch.tril),
    "16 transposed left": of(lambda a, b: a.T @ b, (12, 7), (12, 9)),
    "17 transposed right": of(lambda a, b: a @ b.T, (7, 12), (9, 12)),
    "18 both transposed": of(lambda a, b: a.T @ b.T, (12, 7), (9, 12)),
    "19 relu": of(relu, (6, 17)),
    "20 leaky relu": of(partial(functional.leaky_relu, negative_slope=0.01), (6, 17)),
    "21 sigmoid": of(torch.sigmoid, (6, 17)),
    "22 tanh": of(torch.tanh, (6, 17)),
    "23 softmax": of(partial(torch.softmax, dim=1), (6, 17)),
    "24 log softmax": of(partial(torch.log_softmax, dim=1), (6, 17)),
    "25 swish": of(lambda x: x * torch.sigmoid(x), (6, 17)),
    "26 gelu": of(functional.gelu, (6, 17)),
    "27 selu": of(torch.selu, (6, 17)),
    "28 hard sigmoid": of(functional.hardsigmoid, (6, 17)),
    "29 softplus": of(functional.softplus, (6, 17)),
    "30 softsign": of(lambda x: x / (1 + torch.abs(x)), (6, 17)),
    "31 elu": of(partial(functional.elu, alpha=1.0), (6, 17)),
    "32 hard tanh": of(partial(functional.hardtanh, min_val=-1.0, max_val=1.0), (6, 17)),
    "33 batch norm": layer(partial(nn.BatchNorm2d, 5), 4, 5, 6, 7),
    "34 instance norm": layer(partial(nn.InstanceNorm2d, 5), 4, 5, 6, 7),
    "35 group norm": layer(partial(nn.GroupNorm, 3, 6), 4, 6, 5, 7),
    "36 rms norm": layer(RmsNorm, 4, 6, 5, 7),
    "37 Frobenius norm": of(lambda x: x / torch.norm(x, p="fro"), (6, 17)),
    "38 1-norm": of(lambda x: x / torch.sum(torch.abs(x), dim=1, keepdim=True), (6, 17)),
    "39 2-norm": of(lambda x: x / torch.norm(x, p=2, dim=1, keepdim=True), (6, 17)),
    "40 layer norm": layer(partial(nn.LayerNorm, (6, 5, 7)), 4, 6, 5, 7),
    "41 max pooling 1-D": layer(partial(nn.MaxPool1d, 4, 2, padding=2, dilation=3), 2, 3, 25),
    "42 max pooling 2-D": layer(partial(nn.MaxPool2d, 2, 2, padding=1, dilation=3), 2, 3, 12, 13),
    "43 max pooling 3-D": layer(partial(nn.MaxPool3d, 3, 2, padding=1, dilation=3), 1, 2, 11, 12, 13),
    "44 average pooling 1-D": layer(partial(nn.AvgPool1d, 4, 2, padding=1), 2, 3, 25),
    "45 average pooling 2-D": layer(partial(nn.AvgPool2d, 3), 2, 3, 12, 13),
    "46 average pooling 3-D": layer(partial(nn.AvgPool3d, 3, 2, padding=1), 1, 2, 8, 9, 7),
    "47 sum": of(lambda x: torch.sum(x, dim=1, keepdim=True), (4, 19, 6)),
    "48 mean": of(lambda x: torch.mean(x, dim=1), (4, 19, 6)),
    "49 max": of(lambda x: torch.max(x, dim=1)[0], (4, 19, 6)),
    "50 product": of(lambda x: torch.prod(x, dim=1), (4, 19, 6)),
    "51 argmax": of(lambda x: torch.argmax(x, dim=1), (4, 19, 6)),
    "52 argmin": of(lambda x: torch.argmin(x, dim=1), (4, 19, 6)),
    "53 min": of(lambda x: torch.min(x, dim=1)[0], (4, 19, 6)),
    "54 convolution 3-D": layer(partial(nn.Conv3d, 2, 3, 3, bias=False), 1, 2, 6, 6, 6),
    "55 convolution, wide": layer(CONV(3, 4, 3, bias=False), 2, 3, 6, 11),
    "56 convolution, wide, flat kernel": layer(CONV(3, 4, (2, 4), bias=False), 2, 3, 6, 11),
    "57 transposed 2-D": layer(BACK2(3, 4, 3, bias=False), 2, 3, 7, 7),
    "58 transposed 3-D, long, flat kernel": layer(BACK3(2, 3, (2, 3, 4), bias=False), 1, 2, 3, 4, 5),
    "59 convolution 3-D, flat": layer(partial(nn.Conv3d, 2, 3, (3, 3, 1), bias=False), 1, 2, 6, 6, 4),
    "60 convolution 3-D, flat kernel": layer(partial(nn.Conv3d, 2, 3, (2, 3, 4), bias=False), 1, 2, 6, 6, 6),
    "61 transposed 3-D": layer(BACK3(2, 3, 3, bias=False), 1, 2, 4, 4, 4),
    "62 convolution, flat kernel": layer(CONV(3, 4, (2, 5), bias=False), 2, 3, 9, 9),
    "63 convolution": layer(CONV(3, 4, 3, bias=False), 2, 3, 9, 9),
    "64 transposed 1-D": layer(partial(nn.ConvTranspose1d, 4, 3, 3, bias=False), 2, 4, 15),
    "65 transposed 2-D, flat kernel": layer(BACK2(3, 4, (3, 5), bias=False), 2, 3, 7, 7),
    "66 convolution 3-D, long, flat kernel": layer(partial(nn.Conv3d, 2, 3, (2, 3, 4), bias=False), 1, 2, 4, 6, 7),
    "67 convolution 1-D": layer(partial(nn.Conv1d, 3, 5, 3, bias=False), 2, 3, 20),
    "68 transposed 3-D, flat kernel": layer(BACK3(2, 3, (2, 4, 4), bias=False), 1, 2, 4, 4, 4),
    "69 transposed 2-D, wide, flat kernel": layer(BACK2(3, 4, (3, 5), bias=False), 2, 3, 5, 8),
    "70 transposed 3-D, long": layer(BACK3(2, 3, 3, bias=False), 1, 2, 3, 4, 5),
    "71 transposed 2-D, wide": layer(BACK2(3, 4, 3, bias=False), 2, 3, 5, 8),
    "72 transposed 3-D, long, flat kernel, steps, groups": layer(
        BACK3(4, 4, (2, 3, 3), stride=2, padding=(1, 1, 1), output_padding=1, groups=2, bias=False), 1, 4, 3, 4, 5
    ),
    "73 transposed 3-D, long, steps, groups": layer(
        BACK3(4, 6, 3, stride=2, padding=1, groups=2, bias=False), 1, 4, 3, 4, 5
    ),
    "74 transposed 1-D, dilated": layer(partial(nn.ConvTranspose1d, 4, 3, 5, dilation=3, bias=False), 2, 4, 11),
    "75 transposed 2-D, everything": layer(
        BACK2(4, 6, (3, 5), stride=(2, 3), padding=(1, 2), dilation=(2, 1), groups=2, bias=False), 2, 4, 5, 6
    ),
    "76 convolution 1-D, dilated, steps": layer(
        partial(nn.Conv1d, 3, 5, 3, stride=3, dilation=4, bias=False), 2, 3, 30
    ),
    "77 transposed 3-D, padded, dilated, steps": layer(
        BACK3(2, 3, 3, stride=2, padding=1, dilation=2, bias=False), 1, 2, 3, 4, 4
    ),
    "78 transposed 2-D, wide, flat kernel, padded": layer(BACK2(3, 4, (3, 7), padding=(1, 3), bias=False), 2, 3, 5, 8),
    "79 transposed 1-D, padded, dilated, steps": layer(
        partial(nn.ConvTranspose1d, 4, 3, 3, stride=2, padding=1, dilation=2, bias=False), 2, 4, 11
    ),
    "80 convolution, flat kernel, dilated, padded": layer(
        CONV(3, 4, (3, 5), padding=(1, 2), dilation=(2, 1), bias=False), 2, 3, 9, 9
    ),
    "81 transposed 2-D, wide, dilated, padded, steps": layer(
        BACK2(3, 4, 3, stride=5, padding=1, dilation=2, bias=False), 2, 3, 4, 6
    ),
    "82 convolution of each channel": layer(CONV(4, 4, 3, groups=4, bias=False), 2, 4, 9, 9),
    "83 convolution of each channel, flat kernel": layer(CONV(4, 4, (3, 1), groups=4, bias=False), 2, 4, 9, 9),
    "84 convolution of each channel, wide": layer(CONV(4, 8, 3, groups=4, bias=False), 2, 4, 6, 11),
    "85 convolution of each channel, wide, flat kernel": layer(CONV(4, 4, (3, 5), groups=4, bias=False), 2, 4, 6, 11),
    "86 convolution, separable": layer(partial(Separable, 4, 6, 3, padding=1), 2, 4, 7, 8),
    "87 convolution of points": layer(CONV(5, 6, 1, bias=False), 2, 5, 6, 7),
    "88 gelu of a small GPT": layer(NewGelu, 6, 17),
    "89 running sum": of(partial(torch.cumsum, dim=1), (5, 13)),
    "90 running product": of(partial(torch.cumprod, dim=1), (5, 13)),
    "91 running sum from the end": of(lambda x: torch.cumsum(x.flip(1), dim=1).flip(1), (5, 13)),
    "92 running sum without the last": of(exclusive, (5, 13)),
    "93 running sum of a mask": masked_sum,
    "94 squared error": of(lambda x, y: torch.mean((x - y) ** 2), (7, 9), (7, 9)),
    "95 cross-entropy": cross_entropy,
    "96 Huber loss": of(functional.smooth_l1_loss, (7, 9), (7, 9)),
    "97 attention": of(attention, (2, 3, 7, 8), (2, 3, 7, 8), (2, 3, 7, 8)),
    "98 Kullback-Leibler divergence": divergence,
    "99 triplet loss": of(partial(functional.triplet_margin_loss, margin=1.0), (6, 11), (6, 11), (6, 11)),
    "100 hinge loss": hinge,
}
