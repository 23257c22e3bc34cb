"""torch.bmm on a GPU as a kernel from outside, for elements of f64, f32, f16 and bf16.

    PYTHONPATH=python assay probe-device --subject "python3 examples/libraries/torch_product.py" --format bf16:f32
    PYTHONPATH=python assay probe-device --subject "python3 examples/libraries/torch_product.py tf32" --format f32

Results of f32 for elements of f16 and bf16 need torch 2.8. The argument `tf32` allows tf32 for elements of f32; the
argument `same` asks for results of f16 for elements of f16 (--format f16).
"""

import sys

import torch
from assay.subject import serve

torch.backends.cuda.matmul.allow_tf32 = "tf32" in sys.argv
_HALVES = (torch.float16, torch.bfloat16)


def _matrices(numbers, *shape):
    if numbers.dtype.name == "uint16":  # elements of bf16 come as their patterns
        tensor = torch.from_numpy(numbers.view("int16")).view(torch.bfloat16)
    else:
        tensor = torch.from_numpy(numbers)
    return tensor.reshape(shape).to("cuda")


def matmul(batch, m, n, k, a, b):
    left, right = _matrices(a, batch, m, k), _matrices(b, batch, k, n)
    if left.dtype in _HALVES and "same" not in sys.argv:
        product = torch.bmm(left, right, out_dtype=torch.float32)
    else:
        product = torch.bmm(left, right)
    return product.cpu().numpy().ravel()


serve(matmul=matmul)
