import torch


def reference(x, weight):
    return torch.tanh(x * weight).sum(dim=-1)


def inputs(seed):
    draw = torch.Generator().manual_seed(seed)
    return [torch.randn(30, 50, generator=draw), torch.randn(50, generator=draw)]
