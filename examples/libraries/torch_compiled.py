"""Functions of PyTorch on a CUDA device after torch.compile with symbolic shapes."""

import torch
from torch.nn import functional

import torch_formulas
from torch_tensors import DEVICE, gradient, on_tensors

torch.compile(torch.square)(torch.ones(2, device=DEVICE))  # the first compilation changes settings of the process


def compiled(function):
    return on_tensors(torch.compile(function, dynamic=True))


gelu = compiled(torch_formulas.gelu_by_tanh)
gelu_erf = compiled(lambda x: functional.gelu(x))
silu = compiled(lambda x: functional.silu(x))
softplus = compiled(lambda x: functional.softplus(x))
mish = compiled(lambda x: functional.mish(x))
logsumexp = compiled(lambda x: torch.logsumexp(x, 1))
variance = compiled(lambda x: x.var(1, unbiased=False))
cross_entropy = compiled(lambda x, label: functional.cross_entropy(x, label, reduction="none"))
softmax = compiled(lambda x: torch.softmax(x, 1))

_silu = torch.compile(lambda x: functional.silu(x), dynamic=True)
silu_backward = on_tensors(lambda x, dy: gradient(_silu, [x], 0, dy))
