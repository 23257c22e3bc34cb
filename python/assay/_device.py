"""Judgments where arrays lie, in the memory of a CUDA device."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import byref
from dataclasses import replace

from . import _arrays, _native
from ._judgment import Judgment, judgment_of
from .judge import Judge


def judged_there(
    judge: Judge, arguments: Sequence[_arrays.View], result: _arrays.View, contract: str
) -> Judgment | None:
    """The judgment of a result by one contract. Nothing where there is no driver or no NVRTC, where the arrays do not
    lie on a device, and of contracts that the host alone decides. Raises ValueError for shapes and types that do not
    fit, MemoryError where the device has no room."""
    judge.require_contract(contract)
    _native.find_nvrtc()
    tensors = (_native.Tensor * len(arguments))(*[each.tensor for each in arguments])
    verdict = _native.CVerdict()
    status = _native.library().assay_judge_on_device(
        judge._handle, tensors, len(tensors), byref(result.tensor), contract.encode(), byref(verdict)
    )
    if status == _native.NO_DEVICE:
        return None
    _native.checked(status)
    return replace(judgment_of(verdict), exactly=verdict.exactly)
