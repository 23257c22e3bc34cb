"""Assay: numerical functions are held to theorems about their error, and never to tolerances.

assay.check asks a function many cases, hard ones among them; assay.assert_within judges results that you have. Every
verdict is exact.
"""

from ._native import JudgeError
from ._check import Broken, Counterexample, Finding, Undecided, Verdict, check, replay
from .judge import Case, Judge, Judgment, contracts
from ._within import Expected, assert_within, asum, dot, gemm, gemv, matmul, nrm2, sum

__all__ = [
    "Broken",
    "Case",
    "Counterexample",
    "Expected",
    "Finding",
    "Judge",
    "JudgeError",
    "Judgment",
    "Undecided",
    "Verdict",
    "assert_within",
    "asum",
    "check",
    "contracts",
    "dot",
    "gemm",
    "gemv",
    "matmul",
    "nrm2",
    "replay",
    "sum",
]
