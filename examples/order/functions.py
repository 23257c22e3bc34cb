"""Sums, scans and products for arrays of torch on a CUDA device: of CUB and Thrust, and two kernels whose order is not
fixed. They come from the library that the variable CUB_FUNCTIONS names, made by

    nvcc -std=c++17 -arch=native -O2 -Xcompiler=-fPIC -shared examples/order/cub_functions.cu -o libcub_functions.so
"""

import ctypes
import functools
import os

import torch

NAMES = {torch.float32: "f32", torch.float64: "f64"}


@functools.cache
def cub_functions():
    return ctypes.CDLL(os.environ["CUB_FUNCTIONS"])


def of_library(name, *arrays, sizes, result):
    """Calls `name` and the format of the first array. Raises ValueError for arrays with gaps."""
    if not all(each.is_contiguous() for each in arrays):
        raise ValueError("arrays without gaps are accepted")
    function = cub_functions()[f"{name}_{NAMES[arrays[0].dtype]}"]
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    pointers = [ctypes.c_void_p(each.data_ptr()) for each in arrays]
    if status := function(*pointers, *sizes, ctypes.c_void_p(result.data_ptr()), stream):
        raise RuntimeError(f"{name}: status {status} of the CUDA runtime")
    return result


def total(name, x):
    """cub_sum or thrust_sum."""
    return of_library(name, x, sizes=[ctypes.c_size_t(len(x))], result=torch.empty((), dtype=x.dtype, device=x.device))


def prefixes(name, x):
    """cub_cumsum, thrust_cumsum or wrong_cumsum."""
    return of_library(name, x, sizes=[ctypes.c_size_t(len(x))], result=torch.empty_like(x))


def product_of_slices(a, b):
    (m, k), n = a.shape, b.shape[1]
    d = torch.empty((m, n), dtype=a.dtype, device=a.device)
    return of_library("wrong_matmul", a, b, sizes=[m, n, k], result=d)


def embedding_gradient(index, gradient):
    """The gradient of the weights of an embedding with 16 rows."""
    weight = torch.zeros((16, gradient.shape[1]), dtype=gradient.dtype, device=gradient.device, requires_grad=True)
    return torch.autograd.grad(torch.nn.functional.embedding(index, weight), weight, gradient)[0]
