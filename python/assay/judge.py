"""The judge: operations with their contracts, cases with their exact results, and verdicts."""

from __future__ import annotations

import ctypes
import json
import math
import weakref
from collections.abc import Callable, Sequence
from ctypes import POINTER, byref, c_char_p, c_void_p
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from . import _arrays, _native
from ._native import Tensor, checked, library, new_handle, text

#: A kernel: takes the arguments of a case and returns its result.
Kernel = Callable[..., Any]


@cache
def contracts() -> dict[str, dict[str, Any]]:
    """Operations by name, as `assay contracts --json` describes them: "computes", "accepts", "formats" and "contracts",
    each of these with "id", "theorem", "implies" and "is_about_error".

    >>> contracts()["dot"]["computes"]
    'Σxᵢyᵢ of two vectors of n numbers'
    >>> [each["id"] for each in contracts()["sum"]["contracts"]][:2]
    ['correctly_rounded', 'faithful']
    """
    listed = json.loads(library().assay_contracts_json())
    return {each["name"]: each for each in listed["operations"]}


@dataclass(frozen=True)
class Judgment:
    """What one contract says of one result."""

    contract: str
    verdict: str  #: "kept", "broken", "undecided", or "outside": the contract's preconditions exclude the case
    ratio: float  #: error/bound of the worst number
    got: str  #: the kernel's number there, hexadecimal
    exact: str  #: the exact one, decimal
    ulps: float | None  #: the signed error in ulps of the exact result
    component: int  #: which number of the result that is
    components: int  #: how many there are
    statement: str
    source: str
    preconditions: str


_VERDICTS = ("kept", "broken", "undecided", "outside")


def _judgment(told: _native.CVerdict) -> Judgment:
    return Judgment(
        contract=text(told.contract),
        verdict=_VERDICTS[told.verdict],
        ratio=told.ratio,
        got=text(told.got),
        exact=text(told.exact),
        ulps=None if math.isnan(told.ulps) else told.ulps,
        component=told.component,
        components=told.components,
        statement=text(told.statement),
        source=text(told.source),
        preconditions=text(told.preconditions),
    )


class Subject:
    """A function of Python as the library calls it. `error`: the first exception that the function raised."""

    def __init__(self, function: Kernel):
        self._function = function
        self.error: BaseException | None = None
        self._interrupted = False
        self.pointer = _native.Subject(self._call)

    def _call(self, _self: Any, arguments: Any, count: int, result: Any) -> int:
        if self._interrupted:
            return 1
        try:
            given = [_arrays.Argument(arguments[i]) for i in range(count)]
            told = self._function(*[each.value for each in given])
            for i, each in enumerate(given):
                if each.changed():
                    raise ValueError(f"it wrote to its argument {text(arguments[i].name)}")
            _copy(told, result[0])
            return 0
        except Exception as error:
            self._note(error)
        except BaseException as error:  # an interrupt ends the check
            self._interrupted = True
            self._note(error)
        return 1

    def _note(self, error: BaseException) -> None:
        self.error = self.error or error
        library().assay_subject_error(f"{type(error).__name__}: {error}".encode())

    def reraise_interrupt(self) -> None:
        if self._interrupted and self.error is not None:
            raise self.error


def _copy(value: Any, result: Tensor) -> None:
    """Writes what a kernel returned to its result, bit by bit."""
    if value is None:
        raise TypeError("it returned nothing")
    kind = (result.code, result.bits)
    if isinstance(value, float) and not result.ndim and kind == _arrays.FORMATS["f64"]:  # NumPy's binary64 is one
        ctypes.c_double.from_address(result.data).value = value
        return
    view = _arrays.view(value, "the result", kind)
    shape = tuple(result.shape[i] for i in range(result.ndim))
    if view.kind != kind:
        got, want = (_arrays.format_name(each) or str(each) for each in (view.kind, kind))
        raise TypeError(f"it returned numbers of {got}, not of {want}")
    if view.shape != shape:
        raise TypeError(f"it returned an array of shape {view.shape}, not {shape}")
    width = result.bits // 8
    from_strides = view.tensor.strides
    steps = [from_strides[d] for d in range(len(shape))] if from_strides else _contiguous(shape)
    for to, source in _places(shape, [result.strides[d] for d in range(len(shape))], steps):
        ctypes.memmove(result.data + to * width, view.tensor.data + source * width, width)


def _contiguous(shape: Sequence[int]) -> list[int]:
    steps = [1] * len(shape)
    for d in range(len(shape) - 1, 0, -1):
        steps[d - 1] = steps[d] * shape[d]
    return steps


def _places(shape: Sequence[int], to: Sequence[int], source: Sequence[int]) -> list[tuple[int, int]]:
    places = [(0, 0)]
    for n, a, b in zip(shape, to, source):
        places = [(x + i * a, y + i * b) for x, y in places for i in range(n)]
    return places


class Case:
    """One input of an operation. Made by Judge.draw, Judge.given and Judge.read."""

    def __init__(self, judge: "Judge", handle: c_void_p):
        self._judge = judge
        self._handle = handle
        weakref.finalize(self, library().assay_case_close, handle)

    @property
    def operation(self) -> str:
        return self._judge.operation

    @property
    def format(self) -> str:
        return self._judge.format

    @property
    def id(self) -> str:
        """The id by which `assay replay` knows the case."""
        return text(library().assay_case_id(self._handle))

    def __str__(self) -> str:
        return text(library().assay_case_text(self._handle))

    def __repr__(self) -> str:
        return f"<case {self.id} of {self._judge.operation}>"

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Copies of the arguments, as a kernel gets them."""
        values = []
        for i in range(library().assay_case_argument_count(self._handle)):
            tensor = Tensor()
            checked(library().assay_case_argument(self._handle, i, byref(tensor)))
            values.append(_arrays.Argument(tensor).value)
        return tuple(values)

    @property
    def truth(self) -> list[str]:
        """The exact result: 40 significant decimal digits of each number, those of a matrix column after column."""
        count = library().assay_case_truth_count(self._handle)
        return [text(library().assay_case_truth(self._handle, i)) for i in range(count)]

    def judge(self, result: Any) -> dict[str, Judgment]:
        """The judgments of a result, by contract. Contracts about several runs of a kernel are undecided."""
        wanted = Tensor()
        checked(library().assay_case_result(self._handle, byref(wanted)))
        view = _arrays.view(result, "got", (wanted.code, wanted.bits))
        verdicts = self._verdicts()
        checked(library().assay_case_judge(self._handle, byref(view.tensor), verdicts, len(verdicts)))
        return {each.contract: each for each in map(_judgment, verdicts)}

    def ask(self, kernel: Kernel) -> dict[str, Judgment]:
        """The judgments of a kernel's result on this case, by contract. Raises what the kernel raises."""
        subject = Subject(kernel)
        verdicts = self._verdicts()
        with _arrays.without_warnings():
            status = library().assay_case_ask(self._handle, subject.pointer, None, verdicts, len(verdicts))
        if status == _native.SUBJECT_FAILED and subject.error is not None:
            raise subject.error
        checked(status)
        return {each.contract: each for each in map(_judgment, verdicts)}

    def write(self, corpus: str | Path, contract: str | None = None) -> Path:
        """Stores the case in a corpus, as one that breaks the contract. Returns its file."""
        path = c_char_p()
        name = None if contract is None else contract.encode()
        checked(library().assay_case_write(self._handle, name, str(corpus).encode(), byref(path)))
        return Path(text(path.value))

    def _verdicts(self) -> Any:
        verdicts = (_native.CVerdict * len(contracts()[self._judge.operation]["contracts"]))()
        for each in verdicts:
            each.struct_size = ctypes.sizeof(_native.CVerdict)
        return verdicts


class Judge:
    """The cases and contracts of an operation in a format.

    >>> judge = Judge("dot", seed=1)
    >>> case = judge.draw(0)
    >>> judge.draw(0).id == case.id
    True
    """

    def __init__(
        self,
        operation: str,
        format: str | None = None,
        contracts: Sequence[str] = (),
        seed: int = 1,
        family: str = "subject",
    ):
        names = (c_char_p * len(contracts))(*[each.encode() for each in contracts])
        options = _native.JudgeOptions(
            operation=operation.encode(),
            format=None if format is None else format.encode(),
            family=family.encode(),
            seed=seed,
            contracts=ctypes.cast(names, POINTER(c_char_p)),
            contract_count=len(contracts),
        )
        self.operation = operation
        self.family = family
        self.seed = seed
        self._handle = new_handle(library().assay_judge_open, byref(options))
        weakref.finalize(self, library().assay_judge_close, self._handle)
        self.format = format or _operation_formats(operation)[0]

    @property
    def accepts(self) -> str:
        """The domain in words."""
        return text(library().assay_judge_accepts(self._handle))

    @property
    def quick_cases(self) -> int:
        """How many cases a check asks by default."""
        return int(library().assay_judge_quick_cases(self._handle))

    def draw(self, number: int) -> Case:
        """Case `number`: the same that `assay check` asks with this seed and family."""
        return Case(self, new_handle(library().assay_case_draw, self._handle, number))

    def given(self, *arguments: Any) -> Case:
        """A case of your own inputs. Raises ValueError for inputs of which the theorems do not speak."""
        of_inputs, _, of_results = self.format.partition(":")
        if self.operation == "matmul_epilogue":  # the type of its scalars, of which no array tells
            of_inputs = "f64" if (of_results or of_inputs) == "f64" else "f32"
        kind = _arrays.FORMATS.get(of_inputs)
        views = [_arrays.view(each, f"argument {i + 1}", kind) for i, each in enumerate(arguments)]
        tensors = (Tensor * len(views))(*[each.tensor for each in views])
        return Case(self, new_handle(library().assay_case_given, self._handle, tensors, len(tensors)))

    def read(self, path: str | Path) -> Case:
        """A saved case."""
        return Case(self, new_handle(library().assay_case_read, self._handle, str(path).encode()))

    def check(
        self,
        kernel: Kernel,
        cases: int = 0,
        shrink_steps: int = 1000,
        corpus: str | Path | None = None,
        controls: bool = True,
    ) -> tuple[dict[str, Any], BaseException | None]:
        """Asks the kernel: the report that docs/python.md describes, and the first exception that the kernel raised."""
        subject = Subject(kernel)
        options = _native.CheckOptions(
            cases=cases,
            shrink_steps=shrink_steps,
            corpus=None if corpus is None else str(corpus).encode(),
            controls=int(controls),
        )
        handle = c_void_p()
        with _arrays.without_warnings():
            status = library().assay_check(self._handle, subject.pointer, None, byref(options), byref(handle))
        subject.reraise_interrupt()
        checked(status)
        try:
            return json.loads(library().assay_report_json(handle)), subject.error
        finally:
            library().assay_report_close(handle)


def _operation_formats(operation: str) -> list[str]:
    return list(contracts()[operation]["formats"])
