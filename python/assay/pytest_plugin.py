"""The plugin of pytest: the fixture `assay`, the marker `assay`, and the options --assay-tier, --assay-corpus and
--assay-seed. docs/python.md tells how to use them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import _check, _close, _within
from ._native import JudgeError, library
from .judge import Case, Judge, Kernel, source_of

#: How many times the cases of the quick tier a tier has.
_TIERS = {"quick": 1, "nightly": 100}
_cases: pytest.StashKey[list[str]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assay", "Assay: functions held to theorems about their error")
    group.addoption("--assay-tier", choices=list(_TIERS), default="quick", help="how many cases a check runs")
    group.addoption(
        "--assay-corpus", metavar="DIR", help="where failing cases are stored and read first; assay-corpus by default"
    )
    group.addoption(
        "--assay-seed", type=_seed, default=1, metavar="N|random", help="the seed of the drawn cases; 1 by default"
    )


def _seed(text: str) -> "int | str":
    return text if text == "random" else int(text)


def pytest_configure(config: pytest.Config) -> None:
    told: list[str] = []
    config.stash[_cases] = told
    config.addinivalue_line(
        "markers",
        "assay(operation=None, contract=None, **options): what the fixture `assay` requires of a function by default; "
        "the options are those of assay.check",
    )


class Assay:
    """The value of the fixture `assay`: assay.check, assay.assert_within and assay.assert_close with the settings of
    the run and of the test's marker."""

    def __init__(self, config: pytest.Config, test: str, settings: dict[str, Any]):
        self.seed: int | str = config.getoption("--assay-seed")
        self.tier: str = config.getoption("--assay-tier")
        self.corpus = Path(config.getoption("--assay-corpus") or config.rootpath / "assay-corpus")
        self.family = re.sub(r"[^a-z0-9_]", "_", test.lower())
        self.undecided: list[_check.Undecided] = []
        self._settings = settings
        self._told = config.stash[_cases]

    def check(
        self, function: Kernel, operation: Any = None, contract: Any = None, **options: Any
    ) -> "_check.Verdict | None":
        """assay.check; the cases stored by former runs of this test come first. Nothing where it was not decided: then
        the test ends as an error."""
        settings = {**self._settings, **options}
        operation = operation or settings.pop("operation", None)
        if operation is None:
            raise TypeError("assay.check: which operation? name it here or in @pytest.mark.assay(operation=…)")
        settings.pop("operation", None)
        contract = contract or settings.pop("contract", None)
        settings.pop("contract", None)
        source = source_of(operation)  # of a formula, whose cases are not stored
        corpus = {} if source else {"corpus": self.corpus}
        settings = {"seed": self.seed, "family": self.family, **corpus, **settings}
        if _TIERS[self.tier] != 1 and "cases" not in settings:
            judge = Judge(None if source else operation, settings.get("format", "f64"), formula=source)
            settings["cases"] = _TIERS[self.tier] * judge.quick_cases
        try:
            return _check.check(function, operation, contract, **settings)
        except _check.Broken as broken:
            self._tell(broken.verdict)
            raise
        except _check.Undecided as undecided:
            self.undecided.append(undecided)
            return None

    def assert_within(self, got: Any, want: "_within.Expected | Case", contract: str | None = None) -> None:
        """assay.assert_within; a failing case is stored."""
        contract = contract or self._settings.get("contract")
        if contract is None:
            raise TypeError("assay.assert_within: which contract? name it here or in @pytest.mark.assay(contract=…)")
        try:
            _within.assert_within(got, want, contract)
        except _check.Broken:
            if isinstance(want, _within.Elementwise):
                raise  # as many cases as numbers
            case = want.case(self.family) if isinstance(want, _within.Expected) else want
            file = case.write(self.corpus, contract)
            self._told.append(f"case {case.id} of {contract}, in {file}")
            raise
        except _check.Undecided as undecided:
            self.undecided.append(undecided)

    def assert_close(self, got: Any, formula: Any, *inputs: Any, **options: Any) -> None:
        """assay.assert_close."""
        try:
            _close.assert_close(got, formula, *inputs, **options)
        except _check.Undecided as undecided:
            self.undecided.append(undecided)

    def _tell(self, verdict: "_check.Verdict | None") -> None:
        if verdict is None:
            return
        found = [each.counterexample for each in verdict.failures()] + [verdict.stopped]
        self._told += [verdict.replay_line(each) for each in found if each is not None]


@pytest.fixture
def assay(request: pytest.FixtureRequest) -> Iterator[Assay]:
    """Compares functions of Python with the statements of theorems: assay.check, assay.assert_within,
    assay.assert_close. The test is skipped where the library of the judge is missing."""
    try:
        library()
    except JudgeError as error:
        pytest.skip(str(error))
    marker = request.node.get_closest_marker("assay")
    made = Assay(request.config, request.node.name, dict(marker.kwargs) if marker else {})
    yield made
    if made.undecided:
        raise made.undecided[0]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Prints how to ask the failing cases again."""
    lines: list[str] = config.stash.get(_cases, [])
    if lines:
        terminalreporter.section("assay: failing cases")
        for line in dict.fromkeys(lines):
            terminalreporter.write_line(line)
