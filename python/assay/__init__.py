"""Assay: judges numerical functions by theorems about their error, without tolerances.

assay.check runs a function on many cases, hard ones among them; assay.assert_close and assay.assert_within judge
results that you have. Every verdict is exact.
"""

from ._native import JudgeError
from ._bits import Bits, BitsFinding, Difference, check_bits
from ._check import Broken, Counterexample, Finding, Undecided, Verdict, check, replay
from ._close import Formula, assert_close
from ._convert import Bias, Comparison, Conversion, Deviation, Draws, StochasticDeviation
from ._convert import check_conversion
from ._formula import Recorded, formula
from ._model import Model, formula_of
from ._order import Order, OrderBound, OrderExample, probe_order
from ._quantize import Quantization, check_quantization
from ._record import RecordingError
from .judge import Case, Judge, Judgment, contracts
from ._tolerance import Tolerance, tolerance
from ._within import Expected, Sampled, assert_within, asum, axpy, cumsum, dot, exact, gemm, gemv, layer_norm, log_softmax
from ._within import matmul, nrm2, rms_norm, softmax, spmv, sum, trsv

__all__ = [
    "Bias",
    "Bits",
    "BitsFinding",
    "Broken",
    "Case",
    "Comparison",
    "Conversion",
    "Counterexample",
    "Deviation",
    "Difference",
    "Draws",
    "Expected",
    "Finding",
    "Formula",
    "Judge",
    "JudgeError",
    "Judgment",
    "Model",
    "Order",
    "OrderBound",
    "OrderExample",
    "Quantization",
    "Recorded",
    "RecordingError",
    "Sampled",
    "Tolerance",
    "StochasticDeviation",
    "Undecided",
    "Verdict",
    "assert_close",
    "assert_within",
    "asum",
    "axpy",
    "check",
    "check_bits",
    "check_conversion",
    "check_quantization",
    "contracts",
    "cumsum",
    "dot",
    "exact",
    "formula",
    "formula_of",
    "gemm",
    "gemv",
    "layer_norm",
    "log_softmax",
    "matmul",
    "nrm2",
    "probe_order",
    "replay",
    "rms_norm",
    "softmax",
    "spmv",
    "sum",
    "tolerance",
    "trsv",
]
