"""Arrays of the pipe as tensors of PyTorch on a CUDA device, and back."""

import torch

PATTERNS = {"uint16": ("int16", torch.bfloat16), "uint8": ("uint8", torch.float8_e4m3fn)}


def on_device(x, *shape):
    """The numbers of an array as a tensor of the given format and shape. Patterns of 16 bits are bf16, of 8 bits
    e4m3."""
    if x.dtype.name in PATTERNS:
        pattern, kind = PATTERNS[x.dtype.name]
        tensor = torch.from_numpy(x.view(pattern)).view(kind).cuda()
    else:
        tensor = torch.from_numpy(x).cuda()
    return tensor.reshape(shape) if shape else tensor


def on_host(x):
    """All numbers of a tensor as an array: patterns for bf16, NumPy's own type for any other format."""
    x = x.cpu().contiguous().ravel()
    return x.view(torch.int16).numpy().view("uint16") if x.dtype == torch.bfloat16 else x.numpy()
