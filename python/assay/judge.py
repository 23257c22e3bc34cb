"""The judge: operations with their contracts, cases with their exact results, and verdicts."""

from __future__ import annotations

import ctypes
import json
import math
import os
import time
import weakref
from collections.abc import Callable, Sequence
from ctypes import POINTER, byref, c_char_p, c_void_p
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from . import _arrays, _declared, _native, _shapes
from ._calls import Calls, words_of
from ._isolation import Isolated
from ._judgment import Judgment, judgment_of
from ._native import Tensor, checked, library, new_handle, text
from ._subject import Subject

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


class Case:
    """One input of an operation. Made by Judge.draw, Judge.given and Judge.read."""

    def __init__(self, judge: "Judge", handle: c_void_p, shape: tuple[int, ...] | None = None):
        self._judge = judge
        self._handle = handle
        self._shape = shape  # of the result, if it differs from the kernel's
        weakref.finalize(self, library().assay_case_close, handle)

    @property
    def operation(self) -> str:
        return self._judge.operation

    @property
    def format(self) -> str:
        return self._judge.format

    @property
    def id(self) -> str:
        """The id of the case for `assay replay`."""
        return text(library().assay_case_id(self._handle))

    def __str__(self) -> str:
        return text(library().assay_case_text(self._handle))

    def __repr__(self) -> str:
        return f"<case {self.id} of {self._judge.operation}>"

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Copies of the arguments, as a kernel gets them: of a matrix whose rows are computed rows, columns, x."""
        return tuple(_arrays.Argument(*_arrays.given(each)).value for each in self._tensors())

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
        the contracts of other formats, which are outside."""
        view = self._view(result)
        verdicts = self._verdicts()
        checked(library().assay_case_judge(self._handle, byref(view.tensor), verdicts, len(verdicts)))
        return self._judgments(verdicts, every)

    def judge_one(self, result: Any, contract: str) -> Judgment:
        """The judgment of a result by one contract, which takes less time."""
        self._judge.require_contract(contract)
        view = self._view(result)
        verdict = _native.CVerdict()
        name = contract.encode()
        start = time.monotonic()
        checked(library().assay_case_judge_contract(self._handle, byref(view.tensor), name, byref(verdict)))
        judgment = judgment_of(verdict)
        return replace(judgment, component=self._entry(judgment.component), seconds=time.monotonic() - start)

    def _entry(self, place: int) -> int:
        """Which entry of the result that number is, counted with the last index first: the matrices of the BLAS are
        stored by columns."""
        wanted = self._result()
        if wanted.ndim < 2 or not wanted.strides or wanted.strides[wanted.ndim - 1] == 1:
            return place
        at = [0] * wanted.ndim
        for axis in sorted(range(wanted.ndim), key=lambda axis: -wanted.strides[axis]):
            at[axis], place = divmod(place, wanted.strides[axis])
        entry = 0
        for axis in range(wanted.ndim):
            entry = entry * wanted.shape[axis] + at[axis]
        return entry

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
        return judgment_of(verdict).verdict != "outside"

    def bound(self, contract: str) -> Any:
        """How far each number of a result may be from the exact one by the contract, rounded up: a float, or an array
        of the shape of the result. A NaN stands for a number that the contract does not define. Of a formula it is the
        bound of formula.forward.1; the judge holds the entries that come nearest to it to that of formula.mean.1,
        which may be smaller, and which assay.tolerance has. Raises ValueError for a contract without a number, or
        whose preconditions exclude the case.

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

    def _lengths(self) -> list[Any]:
        """The integers of the case, and ranges as long as its lists."""
        return [
            range(each.shape[0]) if each.ndim else ctypes.c_int64.from_address(each.data).value
            for each in self._tensors()
        ]

    def _view(self, result: Any) -> _arrays.View:
        wanted = self._result()
        if self._judge.declared is not None:
            result = self._judge.declared.numbers_of_given(result, self._lengths())
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
        """The judgments of a kernel's result on this case, by contract. Raises the kernel's exceptions,
        RuntimeError for those that would end a program, and ValueError if the kernel changed more than its result."""
        verdicts = self._verdicts()
        with _arrays.without_warnings(), Calls(self._judge.fitted(kernel)) as calls:
            subject = Subject(calls)
            ask, changes = library().assay_case_ask, calls.changes
            status = ask(self._handle, subject.pointer, None, verdicts, len(verdicts))
            changed = changes()
        subject.reraise_interrupt()
        if changed:
            raise ValueError("; ".join(changed))
        if status == _native.SUBJECT_FAILED and subject.error is not None:
            if isinstance(subject.error, Exception):
                raise subject.error
            raise RuntimeError("it ended by " + words_of(subject.error)) from subject.error
        checked(status)
        return self._judgments(verdicts, False)

    def _judgments(self, verdicts: Any, every: bool) -> dict[str, Judgment]:
        judged = {each.contract: each for each in map(judgment_of, verdicts)}
        return judged if every else {name: judged[name] for name in self._judge.contracts}

    def write(self, corpus: str | Path, contract: str | None = None) -> Path:
        """Stores the case in a corpus, as a case that breaks the contract. Returns its file."""
        path = c_char_p()
        name = None if contract is None else contract.encode()
        checked(library().assay_case_write(self._handle, name, str(corpus).encode(), byref(path)))
        return Path(text(path.value))

    def _verdicts(self) -> Any:
        verdicts = (_native.CVerdict * len(self._judge.description["contracts"]))()
        for each in verdicts:
            each.struct_size = ctypes.sizeof(_native.CVerdict)
        return verdicts


class Judge:
    """The cases and contracts of an operation in a format, or of a formula: its file, its text, or the name of a
    shipped one. `shape`: for drawn cases, the lengths of the formula's axes or of the operation's dimensions,
    "n=64,d=32". `formats`: the formats of the parameters. A parameter without one has the format of the judge.

    >>> judge = Judge("dot", seed=1)
    >>> case = judge.draw(0)
    >>> judge.draw(0).id == case.id
    True
    """

    def __init__(
        self,
        operation: str | None = None,
        format: str | None = None,
        contracts: Sequence[str] = (),
        seed: int = 1,
        family: str = "subject",
        *,
        formula: str | None = None,
        shape: str | None = None,
        formats: Sequence[str | None] = (),
    ):
        if not 0 <= seed < 2**64:
            raise ValueError(f"seed: {seed}; an integer from 0 to 2^64 - 1 is accepted")
        names = (c_char_p * len(contracts))(*[each.encode() for each in contracts])
        of_parameters = (c_char_p * len(formats))(*[_bytes(each) for each in formats])
        options = _native.JudgeOptions(
            operation=_bytes(operation),
            format=_bytes(format),
            family=family.encode(),
            seed=seed,
            contracts=ctypes.cast(names, POINTER(c_char_p)),
            contract_count=len(contracts),
            formula=_bytes(formula),
            shape=_bytes(shape),
            format_of_parameter=ctypes.cast(of_parameters, POINTER(c_char_p)),
            parameter_count=len(formats),
        )
        self.family = family
        self.seed = seed
        self.promised = list(contracts)
        self._handle = new_handle(library().assay_judge_open, byref(options))
        weakref.finalize(self, library().assay_judge_close, self._handle)
        self.is_formula = formula is not None
        self._description: dict[str, Any] = {}
        self.operation = operation if operation is not None else str(self.description["name"])
        self.format = format or str(self.description["formats"][0])
        self._fields: list[tuple[str, tuple[int, int]]] = []

    @property
    def description(self) -> dict[str, Any]:
        """The operation or the formula, in the form of assay.contracts()."""
        if not self._description:
            if self.is_formula:
                self._description = json.loads(library().assay_judge_operation_json(self._handle))
            else:
                self._description = contracts()[self.operation]
        return self._description

    @property
    def graph(self) -> dict[str, Any]:
        """For a formula: its "parameters", with their "axes", its "result", and its "nodes"."""
        return dict(json.loads(library().assay_judge_formula_json(self._handle) or b"{}"))

    @property
    def usual_contract(self) -> str:
        """For a formula: the default contract for a result."""
        return text(library().assay_judge_usual_contract(self._handle))

    @property
    def contracts(self) -> list[str]:
        """The contracts of the operation in this format."""
        listed = self.description["contracts"]
        return [each["id"] for each in listed if not each["formats"] or self.format in each["formats"]]

    def require_contract(self, contract: str) -> None:
        """Raises ValueError for a contract that the format does not have."""
        if contract not in self.contracts:
            raise ValueError(
                f"no contract {contract}; {self.operation} {self.format} has: {', '.join(self.contracts)}"
            )

    @property
    def has_rows(self) -> bool:
        """Whether the result consists of the rows of a matrix, one after the other."""
        return not self.is_formula and _shapes.has_rows(self.operation)

    @property
    def declared(self) -> _declared.Declared | None:
        """The arguments of the operation, if its declaration says the shapes of its arrays."""
        return None if self.is_formula else _declared.declared(self.operation)

    @property
    def arguments(self) -> _shapes.Arguments:
        """What a function that knows the shapes of its arrays takes in place of the fields; nothing where the operation
        does not describe it."""
        return [] if self.is_formula else _shapes.arguments_of(self.description)

    @property
    def is_elementwise(self) -> bool:
        """Whether the operation is computed number by number."""
        return (
            not self.is_formula and set(self.fields) <= {"a", "b"} and not self.operation.startswith("matmul")
        )

    def require_types(self) -> None:
        """Raises TypeError where NumPy has no numbers of the type of an argument."""
        for _, kind in self._parts():
            _arrays.dtype(kind)

    def _parts(self) -> list[tuple[str, tuple[int, int]]]:
        """Names and types of the arguments of a case."""
        if not self._fields:
            case = self.draw(0)  # which has the names
            self._fields = [(text(each.name), (each.code, each.bits)) for each in case._tensors()]
        return self._fields

    @property
    def fields(self) -> list[str]:
        """The names of the arguments that a kernel gets."""
        return [name for name, _ in self._parts()]

    def fitted(self, kernel: Kernel) -> Kernel:
        """The function as a function of the fields of a case. Raises TypeError for a function with another number of
        arguments."""
        if self.is_formula and callable(kernel):
            return kernel
        return _shapes.fitted(kernel, self.operation, self.fields, self.arguments)

    @property
    def accepts(self) -> str:
        """The domain in words."""
        return text(library().assay_judge_accepts(self._handle))

    @property
    def quick_cases(self) -> int:
        """How many cases a check runs by default."""
        return int(library().assay_judge_quick_cases(self._handle))

    def draw(self, number: int) -> Case:
        """Case `number`: the same that `assay check` runs with this seed and family."""
        return Case(self, new_handle(library().assay_case_draw, self._handle, number))

    def given(self, *arguments: Any) -> Case:
        """A case of your own inputs. Plain numbers of Python are integers if the case has integers, and are rounded to
        nearest if it has numbers. For an operation on rows, rows and columns follow from x, and the other fields are
        given with x in their order: `given(eps, x, weight, bias)`. Raises ValueError for inputs that the theorems do
        not cover.

        >>> Judge("softmax", "f64").given(1, 2, _arrays.array.array("d", [0.0, 0.0])).truth
        ['1/2', '1/2']
        """
        fields = self._given_fields(len(arguments))
        views = self._views(arguments)
        tensors = (Tensor * len(views))(*[each.tensor for each in views])
        handle = new_handle(library().assay_case_given, self._handle, tensors, len(tensors))
        x = next((view for view, (name, _) in zip(views, fields) if name == "x"), None)
        return Case(self, handle, x.shape if self.has_rows and x is not None and len(x.shape) != 1 else None)

    def judge_in_place(self, arguments: Sequence[Any], result: Any, contract: str) -> Judgment:
        """The judgment of a result by one contract. Long vectors of sums, norms and dot products are not copied.

        >>> one, half = (_arrays.array.array("d", [value] * 9) for value in (1.0, 0.5))
        >>> Judge("dot").judge_in_place([one, half], 4.5, "faithful").verdict
        'kept'
        """
        self.require_contract(contract)
        views = self._views(arguments)
        tensors = (Tensor * len(views))(*[each.tensor for each in views])
        got = self.draw(0)._view(result)
        verdict = _native.CVerdict()
        name = contract.encode()
        judge = library().assay_judge_in_place
        checked(judge(self._handle, tensors, len(tensors), byref(got.tensor), name, byref(verdict)))
        return judgment_of(verdict)

    def _given_fields(self, count: int) -> list[tuple[str, tuple[int, int]]]:
        """Names and types of so many arguments."""
        fields = self._parts()
        if count != len(fields):
            left_out = {"rows", "columns", "n", "lda"}
            fields = [each for each in fields if each[0] not in left_out]
        if not self.is_formula and self.operation in ("gemm", "gemv", "gemv_n", "csrmv") and count == 2:
            fields = self._parts()[1:3]
        return fields

    def _views(self, arguments: Sequence[Any]) -> list[_arrays.View]:
        """The arguments as the library takes them."""
        fields = self._given_fields(len(arguments))
        views = []
        for i, each in enumerate(arguments):
            name, kind = fields[i] if i < len(fields) else (f"argument {i + 1}", None)
            views.append(_arrays.view(each, name, kind, rounds=True))
        return views

    def typical(self) -> Case:
        """For a formula: nearly normal numbers, the case for which `assay tolerance` gives bounds."""
        return Case(self, new_handle(library().assay_case_typical, self._handle))

    def read(self, path: str | Path) -> Case:
        """A saved case."""
        return Case(self, new_handle(library().assay_case_read, self._handle, str(path).encode()))

    def check(
        self,
        kernel: Kernel | Calls | Isolated,
        cases: int | None = None,
        shrink_steps: int = 1000,
        corpus: str | Path | None = None,
        controls: bool = True,
    ) -> tuple[dict[str, Any], BaseException | None]:
        """Asks the kernel: the report that docs/python.md describes, with what the kernel "changed" beside its results,
        and the exception that it raised on the case without an answer that the report shows."""
        if cases is not None and not 0 < cases < 2**63:
            raise ValueError(f"cases: {cases}; an integer from 1 to 2^63 - 1 is accepted")
        if not 0 <= shrink_steps < 2**63:
            raise ValueError(f"shrink_steps: {shrink_steps}; an integer from 0 to 2^63 - 1 is accepted")
        if not isinstance(kernel, (Calls, Isolated)):
            with _arrays.without_warnings(), Calls(self.fitted(kernel)) as calls:
                return self.check(calls, cases, shrink_steps, corpus, controls)
        subject = Subject(kernel)
        options = _native.CheckOptions(
            cases=cases or 0,
            shrink_steps=shrink_steps,
            corpus=None if corpus is None else str(corpus).encode(),
            controls=int(controls),
        )
        handle = c_void_p()
        ask, changes = library().assay_check, kernel.changes
        status = ask(self._handle, subject.pointer, None, byref(options), byref(handle))
        changed = changes()  # before anything is used that the kernel may have replaced
        subject.reraise_interrupt()
        checked(status)
        try:
            report = json.loads(library().assay_report_json(handle))
            stopped = report.get("stopped")
            error = None if stopped is None else subject.error_of(stopped["what"])
            return {**report, "changed": changed}, error
        finally:
            library().assay_report_close(handle)


def source_of(what: Any) -> str | None:
    """The text, file or name of a formula; nothing for the name of an operation. Raises TypeError for objects that are
    neither, and ValueError for a name that nothing has."""
    source = getattr(what, "source", what)
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"formula: a {type(what).__name__}; give a file, a text, a name or an assay.formula")
    source = str(os.fspath(source))
    if source in contracts():
        return None
    if source.isidentifier():
        try:
            Judge(formula=source)
        except ValueError as no_formula:
            try:
                Judge(source)
            except ValueError as no_operation:
                raise ValueError(f"{no_operation}; and {no_formula}") from None
    return source


def _bytes(value: str | None) -> bytes | None:
    return None if value is None else value.encode()
