"""Kernels that tolerances let pass, most from an issue in which a user complains, and the contract that refuses each.

Each has a check, that of its issue if there is one, which it passes although it is wrong, and the weakest contract
about its error, which it breaks. The correct kernel for the same operation keeps that contract.
"""

import functools
from dataclasses import dataclass
from typing import Any, Callable

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

F32 = numpy.float32
RANDOM = numpy.random.default_rng(1)


def softmax(rows, columns, x):
    terms = x.reshape(rows, columns).astype(numpy.float64)
    with numpy.errstate(invalid="ignore"):
        terms = numpy.exp(terms - terms.max(axis=1, keepdims=True))
        return (terms / terms.sum(axis=1, keepdims=True)).astype(x.dtype).reshape(-1)


def layer_norm(rows, columns, eps, x, weight, bias, ddof=0):
    terms = x.reshape(rows, columns).astype(numpy.float64)
    deviations = terms - terms.mean(axis=1, keepdims=True)
    variance = (deviations**2).sum(axis=1, keepdims=True) / max(columns - ddof, 1)
    return (deviations / numpy.sqrt(variance + eps) * weight + bias).astype(x.dtype).reshape(-1)


def rms_norm(rows, columns, eps, x, weight):
    terms = x.reshape(rows, columns).astype(numpy.float64)
    return (terms / numpy.sqrt((terms**2).mean(axis=1, keepdims=True) + eps) * weight).astype(x.dtype).reshape(-1)


def matmul(a, b):
    with numpy.errstate(all="ignore"):
        return (a.astype(numpy.float64) @ b.astype(numpy.float64)).astype(a.dtype)


def cumsum(x):
    with numpy.errstate(all="ignore"):
        return numpy.cumsum(x.astype(numpy.float64)).astype(x.dtype)


def dot(x, y):
    with numpy.errstate(all="ignore"):
        return F32(numpy.dot(x.astype(numpy.float64), y.astype(numpy.float64)))


def zeros_of(kernel):
    return lambda *of: numpy.zeros_like(kernel(*of))


def constant(rows, columns, x):
    return numpy.full(rows * columns, F32(0.75))


def twice_softmax(rows, columns, x):
    return 2 * softmax(rows, columns, x)


def first_product_alone(a, b):
    products = matmul(a, b)
    if products.ndim == 3:
        products[1:] = products[:1]
    return products


def with_a_nan(x):
    sums = cumsum(x)
    sums[-1:] = numpy.nan
    return sums


def four_percent_off(a, b):
    return matmul(a, b) * F32(1.04)


def of_halves(a, b):
    return matmul(a.astype(numpy.float16).astype(F32), b.astype(numpy.float16).astype(F32))


def without_the_last_term(x, y):
    return dot(x[:-1], y[:-1])


def of_sample_variance(*case):
    return layer_norm(*case, ddof=1)


def in_steps_of_16_bits(x):
    with numpy.errstate(all="ignore"):
        return numpy.cumsum(x, dtype=numpy.float16).astype(F32)


class GoodAtFirst:
    """Right in the first calls, which are those that its check sees."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return cumsum(x) if self.calls <= 5 else cumsum(x) + F32(1)


def close(rtol, atol):
    return lambda got, want: numpy.testing.assert_allclose(got, want, rtol=rtol, atol=atol)


def close_in_the_first_batch(got, want):
    numpy.testing.assert_allclose(got[0], want[0], rtol=1e-5)


def largest_difference_is_small(got, want):
    assert functools.reduce(max, (abs(float(g) - float(w)) for g, w in zip(got, want)), 0.0) <= 1e-5


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(F32)


@dataclass
class Wrong:
    thread: str  # repository and number; empty for a mistake that has none
    operation: str
    contract: str
    kernel: Callable[..., Any]
    right: Callable[..., Any]
    inputs: tuple[Any, ...]  # what the check looks at
    check: Callable[..., None]


A, B = numpy.abs(normal(2, 8, 64)), numpy.abs(normal(2, 64, 8))
SAME = numpy.stack([A[0], A[0]]), numpy.stack([B[0], B[0] * 2])
ZOO = {
    "zeros where outputs are small": Wrong(
        "ScalingIntelligence/KernelBench 165", "softmax", "shifted_3ulp", zeros_of(softmax), softmax,
        (1, 4096, normal(4096)), close(0, 1e-2)),
    "a constant in the middle": Wrong(
        "Xilinx/mlir-air 1427", "softmax", "shifted_3ulp", constant, softmax,
        (2, 2, F32([0, 0.3, 0.5, 0])), close(0.2, 0.5)),
    "rows with the sum 2": Wrong(
        "huggingface/candle 3727", "softmax", "row_sum", twice_softmax, softmax,
        (1, 4096, normal(4096)), close(0, 1e-2)),
    "batch 0 alone": Wrong(
        "NVIDIA/cutlass 3511", "matmul", "inner_product", first_product_alone, matmul, SAME, close_in_the_first_batch),
    "a NaN that max() does not see": Wrong(
        "ooples/AiDotNet.Tensors 883", "cumsum", "any_order", with_a_nan, cumsum, (normal(50),),
        largest_difference_is_small),
    "an epsilon by default": Wrong(
        "NVIDIA/cutlass 1756", "matmul", "tf32", four_percent_off, matmul, (A, B), close(0.05, 0)),
    "a tolerance of 1e-1": Wrong(
        "ROCm/rocm-libraries 8762", "matmul", "inner_product", of_halves, matmul, (A, B), close(1e-1, 1e-1)),
    "a tolerance of 0.5": Wrong(
        "jax-ml/jax 2679", "dot", "any_order", without_the_last_term, dot,
        (F32([1, 0.5, 0.5]), F32([1, 0.5, 0.5])), close(0.5, 0.5)),
    "weights that are zeros": Wrong(
        "AI-Hypercomputer/accelerator-agents 50", "rms_norm", "any_order", zeros_of(rms_norm), rms_norm,
        (4, 8, F32(1e-5), normal(32), numpy.zeros(8, F32)), close(0, 0)),
    "the variance of a sample": Wrong(
        "", "layer_norm", "one_pass", of_sample_variance, layer_norm,
        (4, 256, F32(1e-5), normal(1024), normal(256), normal(256)), close(1e-2, 1e-2)),
    "sums in 16 bits": Wrong(
        "", "cumsum", "any_order", in_steps_of_16_bits, cumsum, (numpy.abs(normal(50)),),
        close(1e-2, 1e-2)),
    "good in the first calls": Wrong(
        "karpathy/llm.c 852", "cumsum", "any_order", GoodAtFirst(), cumsum, (normal(50),), close(1e-5, 1e-5)),
}
EACH = pytest.mark.parametrize("wrong", ZOO.values(), ids=ZOO.keys())


@EACH
def test_passes_its_check(wrong):
    wrong.check(wrong.kernel(*wrong.inputs), wrong.right(*wrong.inputs))


@EACH
def test_breaks_the_weakest_contract_about_its_error(wrong):
    with pytest.raises(assay.Broken, match=wrong.contract):
        assay.check(wrong.kernel, wrong.operation, wrong.contract, format="f32", cases=100, controls=False, shrink_steps=0)


@EACH
def test_is_told_from_the_right_kernel(wrong):
    assert assay.check(wrong.right, wrong.operation, wrong.contract, format="f32", cases=100, controls=False, shrink_steps=0)
