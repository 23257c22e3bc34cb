"""What functions of PyTorch in files torch_*.py share: arrays of assay.check as tensors on a device."""

import functools

import numpy
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def tensor(x):
    """An array of NumPy, or of the bfloat16 of ml_dtypes, as a tensor on the device."""
    x = numpy.array(x)
    if x.dtype.name == "bfloat16":
        return torch.from_numpy(x.view("i2")).view(torch.bfloat16).to(DEVICE)
    return torch.from_numpy(x).to(DEVICE)


def on_tensors(function):
    """The function of arrays that calls a function of tensors. A parameter without axes becomes a float."""

    @functools.wraps(function)
    def called(*arguments):
        with torch.no_grad():
            return function(*[tensor(x) if numpy.ndim(x) else float(x) for x in arguments])

    return called


def gradient(function, inputs, place, result):
    """The gradient that torch computes to an input of a function of tensors, from that to its value."""
    with torch.enable_grad():
        inputs = [x.detach().requires_grad_(i == place) if torch.is_tensor(x) else x for i, x in enumerate(inputs)]
        value = function(*inputs)
    return torch.autograd.grad(value, inputs[place], result.reshape(value.shape).to(value.dtype))[0]
