"""torch.matmul on a GPU as a kernel from outside, for matrices in one format (bf16:f32 where torch can do it).

    PYTHONPATH=python assay probe-device --subject "python3 examples/libraries/torch_product.py" --format f32
    PYTHONPATH=python assay check --operation matmul --subject "python3 examples/libraries/torch_product.py" --format f16

The argument `tf32` allows torch to cut elements of f32 to tf32.
"""

import sys

import torch
from assay.subject import serve

torch.backends.cuda.matmul.allow_tf32 = "tf32" in sys.argv
_DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
# Elements of bf16 come as their patterns.
_VIEWS = {"uint16": torch.bfloat16}


def matmul(batch, m, n, k, a, b):
    def matrices(numbers, rows, columns):
        kind = _VIEWS.get(numbers.dtype.name)
        tensor = torch.from_numpy(numbers.view("int16") if kind else numbers)
        return (tensor.view(kind) if kind else tensor).reshape(batch, rows, columns).to(_DEVICE)

    left, right = matrices(a, m, k), matrices(b, k, n)
    if left.dtype == torch.bfloat16:
        product = torch.bmm(left, right, out_dtype=torch.float32)  # torch 2.8 or newer, on CUDA
    else:
        product = torch.bmm(left, right)
    return product.cpu().numpy().ravel()


serve(matmul=matmul)
