"""Sums of PyTorch on a CUDA device: torch.sum, torch.dot, torch.linalg.vector_norm."""

import torch
from assay.subject import serve
from torch_arrays import on_device, on_host

serve(
    sum=lambda x: on_host(on_device(x).sum()),
    asum=lambda x: on_host(on_device(x).abs().sum()),
    nrm2=lambda x: on_host(torch.linalg.vector_norm(on_device(x))),
    dot=lambda x, y: on_host(torch.dot(on_device(x), on_device(y))),
)
