import torch


def kernel(x, weight):
    parts = torch.tanh(x * weight).split(16, dim=-1)
    return sum(each.sum(dim=-1) for each in parts)
