"""assay.probe_order: the tree in which a reduction adds, found out by its answers alone."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _arrays, _native, _shapes
from ._calls import Calls
from ._native import byref, c_void_p, library, report_of
from ._subject import Subject
from .judge import Judge


class OrderOptions(_native._Sized):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("terms", ctypes.c_uint64),
        ("rows", ctypes.c_uint64),
        ("other", ctypes.c_char_p),
    ]


@dataclass(frozen=True)
class OrderBound:
    """The bound that a tree implies, by a theorem of docs/bounds."""

    theorem: str
    statement: str
    roundings: int  #: the index of gamma in the statement
    factor: float  #: the error is at most this part of the sum of the terms' magnitudes
    any_order: float  #: the same where nothing is known of the order


@dataclass(frozen=True)
class OrderExample:
    """An input, hexadecimal, whose result is not the tree's; where the order is not fixed, not the same twice."""

    terms: tuple[tuple[str, str], ...]  #: x and y of each term; y is empty for sums
    got: str
    other: str


@dataclass(frozen=True)
class Order:
    """The order of the additions of a reduction. It is true where there is one tree that explains every answer."""

    verdict: str  #: "fixed", "not fixed", "depends on the data", "no tree of additions" or "not decided"
    words: str  #: the order in words; empty where masks show no tree
    why: str  #: empty for a fixed order
    family: str  #: such as "lanes(8,chain,pairs)"; empty for a tree of no known family
    terms: int
    parents: tuple[int, ...] | None  #: of terms and then of operations; None beyond 4096 terms and without a tree
    height: int | None  #: the most additions that a term goes through
    sampled: bool  #: the family was compared at some pairs of terms alone
    pairs: int  #: at so many
    questions: int
    arithmetic: str
    predicted: int  #: random inputs that the tree predicted bit for bit
    checked: int
    example: OrderExample | None
    bound: OrderBound | None
    compared: dict[str, Any] | None  #: with another order: "common", "only_here", "only_there" and an "example"
    svg: str  #: a picture of the tree; empty where there is none
    text: str
    document: dict[str, Any]  #: as `assay probe-order --json` prints it

    def __bool__(self) -> bool:
        return self.verdict == "fixed"

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def write(self, path: str | Path) -> None:
        """Writes the document, which `assay probe-order --with` and `other` read."""
        Path(path).write_text(json.dumps(self.document, ensure_ascii=False, indent=1) + "\n")


def probe_order(
    function: Callable[..., Any],
    operation: str,
    n: int = 1024,
    *,
    format: str = "f64",
    rows: int = 1,
    seed: int = 1,
    other: "Order | None" = None,
    arrays: Callable[..., Any] | None = None,
) -> Order:
    """Finds the order in which a function adds the n terms of a reduction, from its answers alone.

    function: computes the operation, as assay.check takes it: an array x for "sum" and "cumsum", x and y for "dot",
        matrices for "matmul", a row for "layer_norm". `arrays` converts each array first, such as torch.from_numpy.
        It is also called with fewer terms.
    n: 2 to 2^24. Up to 4096 terms any tree is found. Beyond, a tree of a known family is compared at some pairs.
    format: "f64", "f32", "f16", "bf16"; of "matmul" also "bf16:f32" and "f16:f32".
    rows: of "matmul": rows of A and columns of B.
    other: an order to compare with, of as many terms.

    Raises what the function raises, and ValueError where it changes something beside its result.
    """
    judge = Judge(operation, format, seed=seed)
    options = OrderOptions(terms=n, rows=rows, other=None if other is None else json.dumps(other.document).encode())
    kernel = judge.fitted(_shapes.converting(function, arrays))
    report = c_void_p()
    with _arrays.without_warnings(), Calls(kernel) as calls:
        subject = Subject(calls)
        status = library().assay_probe_order(judge._handle, byref(options), subject.pointer, None, byref(report))
        changed = calls.changes()
    subject.reraise_interrupt()
    if changed:
        raise ValueError("; ".join(changed))
    told = report_of(status, report, [] if subject.error is None else [subject.error])
    svg, text = told.pop("svg", ""), told.pop("text")
    example, bound = told["example"], told["bound"]
    return Order(
        verdict=told["verdict"],
        words=told["order"],
        why=told["why"],
        family=told["family"],
        terms=told["terms"],
        parents=None if told["parents"] is None else tuple(told["parents"]),
        height=told["height"],
        sampled=told["sampled"],
        pairs=told["pairs"],
        questions=told["questions"],
        arithmetic=told["arithmetic"],
        predicted=told["predicted"],
        checked=told["checked"],
        example=None
        if example is None
        else OrderExample(tuple((each["x"], each["y"]) for each in example["terms"]), example["got"], example["other"]),
        bound=None if bound is None else OrderBound(**bound),
        compared=told["compared"],
        svg=svg,
        text=text,
        document=told,
    )
