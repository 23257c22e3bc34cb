"""Functions of PyTorch on a CUDA device whose result is an array: cumsum, softmax, log_softmax, layer_norm, rms_norm."""

import torch
from assay.subject import serve
from torch_arrays import on_device, on_host


def rows_of(function):
    """function(rows of x) as the operations on rows have it."""
    return lambda rows, columns, x: on_host(function(on_device(x, rows, columns))) if len(x) else x


def layer_norm(rows, columns, eps, x, weight, bias):
    if len(x) == 0:
        return x
    return on_host(torch.nn.functional.layer_norm(on_device(x, rows, columns), (columns,), on_device(weight),
                                                  on_device(bias), float(eps)))


def rms_norm(rows, columns, eps, x, weight):
    if len(x) == 0:
        return x
    return on_host(torch.nn.functional.rms_norm(on_device(x, rows, columns), (columns,), on_device(weight), float(eps)))


serve(
    cumsum=lambda x: on_host(on_device(x).cumsum(0)),
    softmax=rows_of(lambda x: torch.softmax(x, 1)),
    log_softmax=rows_of(lambda x: torch.log_softmax(x, 1)),
    layer_norm=layer_norm,
    rms_norm=rms_norm,
)
