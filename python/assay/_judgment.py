"""Judgments: what one contract says of one result."""

from __future__ import annotations

import math
from dataclasses import dataclass

from . import _native
from ._native import text


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
    violated: int = 0  #: how many of them break the contract
    derivation: str = ""  #: of a formula that is broken: what the bound of that number is made of, a line each
    seconds: float = 0.0  #: how long the judge took
    #: of a judgment on a device: how many of the judged numbers were judged exactly, the others by enclosures
    exactly: int | None = None

    def __str__(self) -> str:
        entries = "" if self.verdict == "outside" else f", {self.judged} of {self.components} entries judged"
        exactly = "" if self.exactly is None else f" on the device, {self.exactly} of them exactly,"
        return f"{self.contract} is {self.verdict}{entries}{exactly} in {self.seconds:.3g} s"

    @property
    def excluded(self) -> str:
        """Of "outside": the contract, and why it does not judge the case."""
        asks = f"asks that {self.preconditions}" if self.preconditions else "says nothing of these inputs"
        return f"{self.contract} {asks}"


_VERDICTS = ("kept", "broken", "undecided", "outside")


def judgment_of(told: _native.CVerdict) -> Judgment:
    """What the library told."""
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
        violated=told.violated,
        derivation=text(told.derivation),
    )
