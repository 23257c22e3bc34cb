"""Problems of level one at the benchmark's own sizes, in the layout of KernelBench: `full_sizes.py FOLDER` writes them,
with candidates that `python3 -m assay judge-kernels FOLDER --device cuda` keeps."""

import sys
from pathlib import Path

FILE = """import torch
from torch.nn import functional

{before}
class {name}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, {names}):
        return {result}
"""
INPUTS = """

def get_inputs():
    return [{inputs}]


def get_init_inputs():
    return []
"""
IMAGE = "torch.randn(16, 64, 256, 256)"
ROWS = "torch.randn(16, 16384)"
SHIFTED = "(lambda e: e / e.sum(1, keepdim=True))(torch.exp(x - x.amax(1, keepdim=True)))"
#: Name: made of, the names of the inputs, the result, the inputs, other results.
PROBLEMS = {
    "1_square_product": (
        "", "a, b", "a @ b", "torch.randn(2048, 2048), torch.randn(2048, 2048)", ["(b.T @ a.T).T"]),
    "3_batched_product": (
        "", "a, b", "torch.bmm(a, b)", "torch.randn(128, 128, 256), torch.randn(128, 256, 512)",
        ["torch.stack([x @ y for x, y in zip(a, b)])"]),
    "6_product_of_long_rows": (
        "", "a, b", "a @ b", "torch.randn(256, 131072), torch.randn(131072, 256)",
        ["(a.reshape(256, 64, 2048).transpose(0, 1) @ b.reshape(64, 2048, 256)).sum(0)"]),
    "17_transposed_right": (
        "", "a, b", "a @ b.T", "torch.randn(1024, 4096), torch.randn(2048, 4096)", ["(b @ a.T).T"]),
    "23_softmax": ("", "x", "torch.softmax(x, dim=1)", ROWS, [SHIFTED]),
    "25_swish": ("", "x", "x * torch.sigmoid(x)", ROWS, ["x / (1 + torch.exp(-x))"]),
    "33_batch_norm": (
        "self.norm = torch.nn.BatchNorm2d(64)", "x", "self.norm(x)", IMAGE,
        ["(x - x.mean((0, 2, 3), keepdim=True)) * torch.rsqrt(x.var((0, 2, 3), unbiased=False, keepdim=True) + 1e-5)"]),
    "36_rms_norm": (
        "", "x", "x / torch.sqrt(torch.mean(x**2, dim=1, keepdim=True) + 1e-5)", IMAGE,
        ["x * torch.rsqrt((x * x).sum(1, keepdim=True) / 64 + 1e-5)"]),
    "40_layer_norm": (
        "self.norm = torch.nn.LayerNorm((64, 256, 256))", "x", "self.norm(x)", IMAGE,
        ["(x - x.mean((1, 2, 3), keepdim=True)) * torch.rsqrt(x.var((1, 2, 3), unbiased=False, keepdim=True) + 1e-5)"]),
    "47_sum": ("", "x", "torch.sum(x, dim=1, keepdim=True)", "torch.randn(16, 256, 256)",
               ["x[:, :100].sum(1, keepdim=True) + x[:, 100:].sum(1, keepdim=True)"]),
    "63_convolution": (
        "self.conv = torch.nn.Conv2d(3, 64, 3, bias=False)", "x", "self.conv(x)", "torch.randn(16, 3, 256, 256)",
        ["(self.conv.weight.reshape(64, 27) @ functional.unfold(x, 3)).reshape(16, 64, 254, 254)"]),
    "89_running_sum": ("", "x", "torch.cumsum(x, dim=1)", "torch.randn(128, 4000)", ["x.flip(1).flip(1).cumsum(1)"]),
    "94_squared_error": (
        "", "x, y", "torch.mean((x - y) ** 2)", "torch.randn(128, 4096), torch.randn(128, 4096)",
        ["((x - y) * (x - y)).mean(1).mean()"]),
    "95_cross_entropy": (
        "", "x, y", "functional.cross_entropy(x, y)", "torch.randn(4096, 10), torch.randint(0, 10, (4096,))",
        ["(torch.logsumexp(x, 1) - x.gather(1, y[:, None])[:, 0]).mean()"]),
}  # fmt: skip


def write(folder):
    for name, (made, names, result, inputs, others) in PROBLEMS.items():
        of = {"made": made or "pass", "names": names}
        text = FILE.format(before="", name="Model", result=result, **of) + INPUTS.format(inputs=inputs)
        Path(folder, name + ".py").write_text(text)
        for k, other in enumerate([result, *others]):
            text = FILE.format(before="", name="ModelNew", result=other, **of)
            Path(folder, f"{name}_{k}.py").write_text(text)


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(exist_ok=True)
    write(sys.argv[1])
