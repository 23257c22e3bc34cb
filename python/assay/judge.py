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

from . import _arrays, _native, _shapes
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
    #: "kept", "broken", "undecided", or "outside": the contract's preconditions exclude the case, or every result of it
    #: would keep the contract
    verdict: str
    ratio: float  #: error/bound of the worst number
    got: str  #: the kernel's number there, hexadecimal
    exact: str  #: the exact one, decimal
    ulps: float | None  #: the signed error in ulps of the exact result
    component: int  #: which number of the result that is
    components: int  #: how many there are
    statement: str
    source: str
    preconditions: str  #: of "outside": why
    bound: float | None = None  #: how far that number may be from the exact one, rounded up; None for no number
    judged: int = 0  #: how many numbers were judged


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
        bound=None if math.isnan(told.bound) else told.bound,
        judged=told.judged,
    )


class Subject:
    """A function of Python as the library calls it. `error`: the last exception that the function raised."""

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
        self.error = error
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
    if shape == (1,) and not view.shape:  # a single number, of a function of one
        shape = ()
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

    def __init__(self, judge: "Judge", handle: c_void_p, shape: tuple[int, ...] | None = None):
        self._judge = judge
        self._handle = handle
        self._shape = shape  # of the result, where it is not that of the kernel's
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
        """Copies of the arguments, as a kernel gets them: of a matrix whose rows are computed rows, columns, x."""
        return tuple(_arrays.Argument(each).value for each in self._tensors())

    def _tensors(self) -> list[Tensor]:
        tensors = []
        for i in range(library().assay_case_argument_count(self._handle)):
            tensors.append(Tensor())
            checked(library().assay_case_argument(self._handle, i, byref(tensors[-1])))
        return tensors

    def _result(self) -> Tensor:
        wanted = Tensor()
        checked(library().assay_case_result(self._handle, byref(wanted)))
        return wanted

    @property
    def truth(self) -> list[str]:
        """The exact result: 40 significant decimal digits of each number, those of a matrix column after column."""
        count = library().assay_case_truth_count(self._handle)
        return [text(library().assay_case_truth(self._handle, i)) for i in range(count)]

    def judge(self, result: Any, *, every: bool = False) -> dict[str, Judgment]:
        """The judgments of a result, by contract. Contracts about several runs of a kernel are undecided. `every`: also
        those of other formats, which are outside."""
        view = self._view(result)
        verdicts = self._verdicts()
        checked(library().assay_case_judge(self._handle, byref(view.tensor), verdicts, len(verdicts)))
        return self._judgments(verdicts, every)

    def judge_one(self, result: Any, contract: str) -> Judgment:
        """The judgment of a result by one contract alone, which takes less time."""
        self._judge.require_contract(contract)
        view = self._view(result)
        verdict = _native.CVerdict()
        name = contract.encode()
        checked(library().assay_case_judge_contract(self._handle, byref(view.tensor), name, byref(verdict)))
        return _judgment(verdict)

    def is_promised(self, contract: str) -> bool:
        """Whether the contract says something about the results of this case: the judgment of some result is not
        "outside".

        >>> one, half = (_arrays.array.array("d", [value] * 9) for value in (1.0, 0.5))
        >>> Judge("dot").given(one, half).is_promised("any_order")
        True
        """
        self._judge.require_contract(contract)
        zeros = self._result()
        cells = ctypes.create_string_buffer(
            max(1, math.prod(zeros.shape[i] for i in range(zeros.ndim)) * zeros.bits // 8)
        )
        zeros.data = ctypes.addressof(cells)
        verdict = _native.CVerdict()
        checked(library().assay_case_judge_contract(self._handle, byref(zeros), contract.encode(), byref(verdict)))
        return _judgment(verdict).verdict != "outside"

    def bound(self, contract: str) -> Any:
        """How far each number of a result may be from the exact one by the contract, rounded up: a float, or an array
        of the shape of the result. A NaN stands where the contract has no number. Raises ValueError for a contract
        without a number, or whose preconditions exclude the case.

        >>> Judge("sum").given(_arrays.array.array("d", [0.1] * 9)).bound("any_order") < 0.91 * 8 * 2.0**-53
        True
        """
        self._judge.require_contract(contract)
        wanted = self._result()
        shape = tuple(wanted.shape[i] for i in range(wanted.ndim))
        bounds = (ctypes.c_double * math.prod(shape))()
        checked(library().assay_case_bounds(self._handle, contract.encode(), bounds, len(bounds)))
        if not shape or self._shape == ():
            return float(bounds[0])
        if _arrays.numpy is None:
            return list(bounds)
        return _arrays.numpy.array(bounds).reshape(self._shape or shape)

    def _view(self, result: Any) -> _arrays.View:
        wanted = self._result()
        view = _arrays.view(result, "got", (wanted.code, wanted.bits))
        shape = tuple(wanted.shape[i] for i in range(wanted.ndim))
        if not self._judge.has_rows or view.shape == shape:
            return view  # the library compares the shapes
        of_matrix = self._shape or tuple(
            ctypes.c_int64.from_address(each.data).value for each in self._tensors()[:2]  # rows and columns
        )
        if view.shape != of_matrix:
            raise ValueError(f"result: it has shape {view.shape}, not {of_matrix}")
        return view

    def ask(self, kernel: Kernel) -> dict[str, Judgment]:
        """The judgments of a kernel's result on this case, by contract. Raises what the kernel raises."""
        subject = Subject(self._judge.fitted(kernel))
        verdicts = self._verdicts()
        with _arrays.without_warnings():
            status = library().assay_case_ask(self._handle, subject.pointer, None, verdicts, len(verdicts))
        if status == _native.SUBJECT_FAILED and subject.error is not None:
            raise subject.error
        checked(status)
        return self._judgments(verdicts, False)

    def _judgments(self, verdicts: Any, every: bool) -> dict[str, Judgment]:
        judged = {each.contract: each for each in map(_judgment, verdicts)}
        return judged if every else {name: judged[name] for name in self._judge.contracts}

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
        if not 0 <= seed < 2**64:
            raise ValueError(f"seed: {seed}; an integer from 0 to 2^64 - 1 is accepted")
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
        self._fields: list[tuple[str, tuple[int, int]]] = []

    @property
    def contracts(self) -> list[str]:
        """The contracts of the operation in this format."""
        listed = contracts()[self.operation]["contracts"]
        return [each["id"] for each in listed if not each["formats"] or self.format in each["formats"]]

    def require_contract(self, contract: str) -> None:
        """Raises ValueError for a contract that the format does not have."""
        if contract not in self.contracts:
            raise ValueError(
                f"no contract {contract}; {self.operation} {self.format} has: {', '.join(self.contracts)}"
            )

    @property
    def has_rows(self) -> bool:
        """Whether the result has the rows of a matrix one behind the other."""
        return self.operation in _shapes.NATURAL and self.operation != "spmv"

    @property
    def is_elementwise(self) -> bool:
        """Whether the operation is computed number by number."""
        return set(self.fields) <= {"a", "b"} and not self.operation.startswith("matmul")

    def _parts(self) -> list[tuple[str, tuple[int, int]]]:
        """Names and types of the arguments of a case."""
        if not self._fields:
            self._fields = [(text(each.name), (each.code, each.bits)) for each in self.draw(0)._tensors()]
        return self._fields

    @property
    def fields(self) -> list[str]:
        """The names of the arguments that a kernel gets."""
        return [name for name, _ in self._parts()]

    def fitted(self, kernel: Kernel) -> Kernel:
        """The function as one of the fields of a case. Raises TypeError for one that takes another number of
        arguments."""
        if not callable(kernel):
            raise TypeError(f"function: a {type(kernel).__name__} is no function")
        if _shapes.takes_shapes(kernel, self.operation, self.fields):
            return _shapes.of_shapes(kernel, self.operation, self.fields)
        if self.has_rows:
            return lambda *given: _shapes.flat(kernel(*given))
        return kernel

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
        """A case of your own inputs. Plain numbers of Python are integers where the case has integers, and are rounded
        to nearest where it has numbers. Of an operation on rows, x alone tells rows and columns, and the other fields
        stand beside it in their order: `given(eps, x, weight, bias)`. Raises ValueError for inputs of which the
        theorems do not speak.

        >>> Judge("softmax", "f64").given(1, 2, _arrays.array.array("d", [0.0, 0.0])).truth
        ['1/2', '1/2']
        """
        fields = self._parts()
        if len(arguments) != len(fields):
            left_out = {"rows", "columns", "n", "lda"}
            fields = [each for each in fields if each[0] not in left_out]
        if self.operation in ("gemm", "gemv", "gemv_n", "csrmv") and len(arguments) == 2:
            fields = self._parts()[1:3]
        views = []
        for i, each in enumerate(arguments):
            name, kind = fields[i] if i < len(fields) else (f"argument {i + 1}", None)
            views.append(_arrays.view(each, name, kind, rounds=True))
        tensors = (Tensor * len(views))(*[each.tensor for each in views])
        handle = new_handle(library().assay_case_given, self._handle, tensors, len(tensors))
        x = next((view for view, (name, _) in zip(views, fields) if name == "x"), None)
        return Case(self, handle, x.shape if self.has_rows and x is not None and len(x.shape) != 1 else None)

    def read(self, path: str | Path) -> Case:
        """A saved case."""
        return Case(self, new_handle(library().assay_case_read, self._handle, str(path).encode()))

    def check(
        self,
        kernel: Kernel,
        cases: int | None = None,
        shrink_steps: int = 1000,
        corpus: str | Path | None = None,
        controls: bool = True,
    ) -> tuple[dict[str, Any], BaseException | None]:
        """Asks the kernel: the report that docs/python.md describes, and the first exception that the kernel raised."""
        if cases is not None and not 0 < cases < 2**63:
            raise ValueError(f"cases: {cases}; an integer from 1 to 2^63 - 1 is accepted")
        if not 0 <= shrink_steps < 2**63:
            raise ValueError(f"shrink_steps: {shrink_steps}; an integer from 0 to 2^63 - 1 is accepted")
        subject = Subject(self.fitted(kernel))
        options = _native.CheckOptions(
            cases=cases or 0,
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
