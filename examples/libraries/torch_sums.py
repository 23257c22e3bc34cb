"""Sums of PyTorch on a CUDA device: torch.sum, torch.dot, torch.linalg.vector_norm."""

import torch
from assay.subject import serve


def on_device(x):
    return torch.from_numpy(x).cuda()


serve(
    sum=lambda x: on_device(x).sum().item(),
    asum=lambda x: on_device(x).abs().sum().item(),
    nrm2=lambda x: torch.linalg.vector_norm(on_device(x)).item(),
    dot=lambda x, y: torch.dot(on_device(x), on_device(y)).item(),
)
