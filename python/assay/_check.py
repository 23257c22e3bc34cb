"""assay.check: runs a function on many cases, and reports which contracts it kept and broke."""

from __future__ import annotations

import json
import math
import secrets
import shlex
import shutil
import sys
import sysconfig
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from . import _arrays, _shapes
from ._calls import Calls
from ._isolation import Isolated
from ._twins import overlooked
from .judge import Judge, Kernel, contracts, source_of


class Broken(AssertionError):
    """A promised contract is broken, or the function gave no answer. `verdict` has the details: a Verdict, of check_bits
    its Bits."""

    __module__ = "assay"

    def __init__(self, message: str, verdict: Any = None):
        super().__init__(message)
        self.verdict = verdict


class Undecided(RuntimeError):
    """A promised contract could be neither confirmed nor refuted, which is never a pass."""

    __module__ = "assay"


@dataclass(frozen=True)
class Counterexample:
    """The smallest input found on which a contract is broken."""

    id: str
    text: str  #: the inputs, a line each
    got: tuple[str, ...] = ()  #: the function's numbers, hexadecimal
    exact: str = ""  #: the exact number at the worst place, decimal
    ratio: float = 0.0  #: error/bound
    ulps: float | None = None
    bound: float | None = None  #: how far the worst number may be from the exact one, rounded up; None for no number
    worst: int = 0  #: which number of the result
    components: int = 0  #: how many numbers a matrix has; 0 for a single one
    file: Path | None = None  #: where the case is stored


@dataclass(frozen=True)
class Finding:
    """The verdict about one contract, or about one of the claims that Assay makes for every kernel."""

    id: str
    verdict: str  #: "holds", "broken", "violated", "flaky", "undecided", "not run"
    cases: int
    ratio: float  #: the largest error/bound that was found
    statement: str
    source: str
    theorem: str
    counterexample: Counterexample | None = None
    swaps: tuple[int, int] | None = None
    """Of a contract about order: swaps of two terms that would have been seen, and all that were tried."""
    silent: tuple[int, int] = (0, 0)
    """The numbers of which the contract says nothing although they are no infinities and NaNs, and all of these."""
    why_silent: str = ""  #: why it says nothing of the first of them

    @property
    def silence(self) -> str:
        """ "ways says nothing of 2 of 100 numbers, of the first because …"; empty where it says something of all."""
        if not self.silent[0]:
            return ""
        silent, all = self.silent
        return f"{self.id} says nothing of {silent} of {all} numbers, of the first because {self.why_silent}"


@dataclass(frozen=True)
class Verdict:
    """The result of assay.check. It is true if nothing that was promised is broken."""

    operation: str
    format: str
    family: str
    seed: int
    cases: int
    kept: tuple[str, ...]  #: the strongest contracts that were kept
    broken: tuple[str, ...]  #: the weakest contracts that were broken
    not_decided: tuple[str, ...]
    promised: tuple[str, ...]
    contracts: dict[str, Finding]
    implicit: dict[str, Finding]  #: same_bits, batch, environment, …
    unrefused: tuple[str, ...] = ()  #: contracts about an error that a negative control passes, which none should
    unasked: dict[str, str] = field(default_factory=dict)  #: contracts that were not asked: which kernels keep them
    blind: dict[str, tuple[str, ...]] = field(default_factory=dict)  #: controls that other contracts do not refuse
    stopped: Counterexample | None = None  #: the case on which the function gave no answer
    reason: str = ""  #: why it gave no answer
    changed: tuple[str, ...] = ()  #: what the function did besides computing its results, one sentence each
    corpus: Path | None = None
    subject: str = ""  #: the command by which `assay replay` calls the function; empty if there is none
    path: str = ""  #: the shell's settings before it, if the function's module is not found without them
    kernel_seconds: float = field(default=0.0, compare=False)  #: how long the function took in all calls
    judge_seconds: float = field(default=0.0, compare=False)  #: how long everything else took

    def __bool__(self) -> bool:
        return self.stopped is None and not self.changed and not self.failures()

    def failures(self) -> list[Finding]:
        """The broken promised contracts, and the broken claims that every kernel must keep."""
        findings = (*self.implicit.values(), *self.contracts.values())
        return [each for each in findings if each.verdict == "violated" or self._is_flaky(each)]

    def _is_flaky(self, finding: Finding) -> bool:
        return finding.verdict == "flaky" and (finding.id in self.promised or finding.id in self.implicit)

    @property
    def ladder(self) -> str:
        """One line: "dot f64: keeps any_order; breaks faithful"."""
        line = f"{self.operation} {self.format}: " + ("keeps " + ", ".join(self.kept) if self.kept else "keeps none")
        if self.broken:
            line += "; breaks " + ", ".join(self.broken)
        if self.not_decided:
            line += "; not decided: " + ", ".join(self.not_decided)
        return line

    def replay_line(self, case: Counterexample) -> str:
        """How to repeat the case: a command, if the case is stored and a module has the function by a name."""
        if case.file is None:
            return f"case {case.id}; corpus=FOLDER stores it there, and it runs first the next time"
        if not self.subject:
            return f"assay.replay(function, {str(case.file)!r})"
        program = ["assay"] if shutil.which("assay") else [sys.executable, "-m", "assay"]
        words = [*program, "replay", case.id, "--corpus", str(self.corpus), "--operation", self.operation]
        words += ["--format", self.format, "--subject", self.subject]
        return self.path + shlex.join(words + ([] if self.family == "subject" else ["--as", self.family]))

    def explained(self, finding: Finding) -> str:
        """A finding with its smallest counterexample, bound, source and replay line."""
        lines = [f"{self.operation} {self.format}: {finding.id} is {finding.verdict}"]
        case = finding.counterexample
        if case is not None:
            lines += _explained(case)
            lines.append("  error  " + _error(case.worst, case.components, case.ulps, case.ratio))
            lines += [] if case.bound is None else [f"  bound  {case.bound:.6g}"]
        lines += [f"  claim  {finding.statement}", f"  source {finding.source}"]
        if case is not None:
            lines.append("  " + self.replay_line(case))
        return "\n".join(lines)

    def __str__(self) -> str:
        cost = f"the function took {self.kernel_seconds:.3g} s, the judge {self.judge_seconds:.3g} s"
        lines = [self.ladder, cost, *self._changes()]
        silences = [self.contracts[each].silence for each in (*self.kept, *self.not_decided)]
        lines += [each for each in silences if each]
        for finding in (*self.contracts.values(), *self.implicit.values()):
            if finding.verdict in ("violated", "flaky") or finding.id in self.broken:
                lines.append(self.explained(finding))
        if self.stopped is not None:
            lines.append(self._stop())
        if self.kept and not self.promised:
            lines.append(f"nothing is promised; contract={self.kept[0]!r} makes it a failure to break this one")
        lines += [
            f"not asked: {each}, which {kernels} keep: contract={each!r} asks it" for each, kernels in self.unasked.items()
        ]
        for contract, controls in self.blind.items():
            lines.append(f"{contract} would also accept {', '.join(controls)}")
        lines += [f"{each} in place of the function passes" for each in self.unrefused]
        return "\n".join(lines)

    def _changes(self) -> list[str]:
        return [f"{self.operation} {self.format}: {each}" for each in self.changed]

    def _stop(self) -> str:
        assert self.stopped is not None
        lines = [f"{self.operation} {self.format}: no answer: {self.reason}", *_explained(self.stopped)]
        return "\n".join([*lines, "  " + self.replay_line(self.stopped)])

    def require(self) -> "Verdict":
        """This verdict. Raises Broken if a promise is broken, and Undecided if one is not decided."""
        if self.stopped is not None:
            raise Broken("\n".join([*self._changes(), self._stop()]), self)
        broken = [*self._changes(), *map(self.explained, self.failures())]
        if broken:
            raise Broken("\n".join(broken), self)
        if self.unrefused:
            raise Undecided("; ".join(f"{each} in place of the function passes" for each in self.unrefused))
        open_ = [each for each in self.promised if each in self.not_decided]
        if open_:
            silences = [f"\n{self.contracts[each].silence}" for each in open_ if self.contracts[each].silence]
            raise Undecided(f"{self.operation} {self.format}: not decided: {', '.join(open_)}{''.join(silences)}")
        return self


def _explained(case: Counterexample) -> list[str]:
    lines = case.text.rstrip("\n").split("\n")
    if case.got and len(case.got) < 9:
        lines.append("  got    " + " ".join(case.got))
    elif case.worst < len(case.got) == case.components:
        lines.append(f"  got    [{case.worst}] {case.got[case.worst]}")
    if case.exact:
        lines.append("  exact  " + case.exact)
    return lines


def _error(worst: int, components: int, ulps: float | None, ratio: float) -> str:
    """ "[3] of 16 numbers, +1.996 ulp, 2.4 of the bound"."""
    parts = [f"[{worst}] of {components} numbers"] if components > 1 else []
    parts += [] if ulps is None else [f"{ulps:+.4g} ulp"]
    parts += [] if math.isinf(ratio) else [f"{ratio:.4g} of the bound"]
    return ", ".join(parts) or "not a number"


def _number(value: Any) -> float:
    return float(value) if value is not None else 0.0


def _counterexample(told: dict[str, Any] | None) -> Counterexample | None:
    if told is None:
        return None
    ulps = told.get("ulps")
    return Counterexample(
        id=told["id"],
        text=told["text"],
        got=tuple(told.get("got", ())),
        exact=told.get("exact", ""),
        ratio=_number(told.get("ratio")),
        ulps=None if ulps is None else float(ulps),
        bound=told.get("bound"),
        worst=told.get("worst", 0),
        components=told.get("components", 0),
        file=Path(told["file"]) if "file" in told else None,
    )


def _findings(told: list[dict[str, Any]]) -> dict[str, Finding]:
    return {
        each["id"]: Finding(
            id=each["id"],
            verdict=each["verdict"],
            cases=each["cases"],
            ratio=_number(each["ratio"]),
            statement=each["statement"],
            source=each["source"],
            theorem=each["theorem"],
            counterexample=_counterexample(each.get("counterexample")),
            swaps=(each["swaps"]["seen"], each["swaps"]["tried"]) if "swaps" in each else None,
            silent=(each["silence"]["components"], each["silence"]["of"]) if "silence" in each else (0, 0),
            why_silent=each["silence"]["why"] if "silence" in each else "",
        )
        for each in told
    }


def _command_of(function: Kernel) -> str:
    """The command that serves the function to the program `assay`; empty if no module has it by a name."""
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "<")
    if not module or module == "__main__" or "<" in name:
        return ""
    return shlex.join([sys.executable, "-m", "assay.subject", f"{module}:{name}"])


def _path_of(function: Kernel) -> str:
    """`PYTHONPATH=FOLDER… ` for a function whose module is neither installed nor in the working folder."""
    name = getattr(function, "__module__", None) or ""
    file = getattr(sys.modules.get(name), "__file__", None)
    if not file or not _command_of(function):
        return ""
    folder = Path(file).resolve().parents[name.count(".") + (Path(file).name == "__init__.py")]
    installed = [sysconfig.get_path(each) for each in ("stdlib", "platlib", "purelib")]
    if folder == Path.cwd() or str(folder) in installed or folder.name in ("site-packages", "dist-packages"):
        return ""
    return f"PYTHONPATH={shlex.quote(str(folder))}${{PYTHONPATH:+:$PYTHONPATH}} "


def check(
    function: Kernel,
    operation: Any,
    contract: str | Sequence[str] | None = None,
    *,
    format: str = "f64",
    cases: int | None = None,
    seed: int | Literal["random"] = 1,
    family: str = "subject",
    corpus: str | Path | None = None,
    shrink_steps: int = 1000,
    controls: bool = True,
    isolate: bool = False,
    time_limit: float = 10.0,
    arrays: Kernel | None = None,
    shapes: Sequence[Mapping[str, _shapes.Lengths]] | None = None,
) -> Verdict:
    """Runs a function on the cases of an operation, and reports which contracts it keeps and which it breaks.

    function: takes the arguments of a case, arrays of NumPy (`x, y` for dot, `alpha, a, b, beta, c` for gemm, the
        matrix `x` for softmax), and returns the result, in the same format. `arrays` converts each array first, such as
        torch.from_numpy.
    operation: one of `assay contracts`, or a formula in any form that assert_close takes: then the function takes its
        parameters in their own shapes. Cases of formulas are not stored, and isolate does not support them.
    contract: one or several that the function promises. Without it all are tested, and a broken one is a result.
    cases: how many; by default as many as in the quick tier of `assay check`. Case i is the same as in the program.
    seed: of the cases; "random" for cases that cannot be known in advance. `Verdict.seed` is the seed that was used.
    corpus: a folder. Its cases run first, and a failing case is stored there.
    shapes: the sizes of the cases, instead of small ones: `[{"n": 8193}]`, `[{"m": [64, 65], "k": range(1, 1000)}]`.
        docs/subjects.md has the names of the operation's dimensions. Dimensions that are not named are small. Negative
        controls are judged with small cases.
    isolate: runs the function in a process of its own, so that it may crash or, after `time_limit` seconds a case,
        hang, and has no access to the judge's memory. The function must have a name in a module.

    Raises Broken (an AssertionError) if a promised contract is broken, the function gave no answer, or it changed
    something besides its result, with the smallest case, the bound, its source and a command to replay it; Undecided
    if a promise could not be decided.

    >>> import math
    >>> verdict = check(lambda x, y: math.fsum(a * b for a, b in zip(x, y)), "dot", cases=300)
    >>> verdict.ladder
    'dot f64: keeps pairwise, order_free, exceptional; breaks faithful, wide_any_order, compensated'
    >>> check(lambda x: 0.0, "sum", "any_order", cases=300)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    assay.Broken: sum f64: any_order is violated
      x: 1 number
      x[0] = 0x1p+0  [0x3ff0000000000000]  # 1e0
      got    0x0p+0
      exact  1e0
      error  -4.504e+15 ulp
      bound  0
      claim  |ŝ − s| ≤ (n − 1)uS...
    ...
    """
    promised = [contract] if isinstance(contract, str) else list(contract or ())
    source = source_of(operation)
    if source is not None and (corpus is not None or isolate):
        raise ValueError("corpus and isolate: of operations alone, not of formulas")
    chosen = secrets.randbits(63) if seed == "random" else seed
    judge = Judge(
        None if source else operation, format, promised, chosen, family, formula=source, shape=_shapes.spelled(shapes)
    )
    judge.require_types()
    kernel = judge.fitted(_shapes.converting(function, arrays))
    calls: Calls | Isolated = Calls(kernel)
    if isolate:
        calls = Isolated(function, arrays, operation, judge.fields, time_limit, judge.arguments)
    begun = time.monotonic()
    with _arrays.without_warnings(), calls:
        report, error = judge.check(calls, cases, shrink_steps, corpus, controls)
        if shapes is None:
            report["changed"] += overlooked(judge, calls, report)
    seconds = calls.seconds, time.monotonic() - begun - calls.seconds
    subject = _command_of(function) if arrays is None else ""
    verdict = _verdict(report, judge, corpus, subject, _path_of(function) if subject else "", seconds)
    try:
        return verdict.require()
    except Broken as broken:
        raise broken from error


def _verdict(
    report: dict[str, Any],
    judge: Judge,
    corpus: str | Path | None,
    subject: str,
    path: str,
    seconds: tuple[float, float],
) -> Verdict:
    controls = report.get("controls", {"passed": [], "blind": {}})
    stopped = report.get("stopped")
    return Verdict(
        operation=judge.operation,
        format=judge.format,
        family=judge.family,
        seed=judge.seed,
        cases=report["cases"],
        kept=tuple(report["kept"]),
        broken=tuple(report["broken"]),
        not_decided=tuple(report["not_decided"]),
        unasked=dict(report["unasked"]),
        promised=tuple(report["promised"]),
        contracts=_findings(report["contracts"]),
        implicit=_findings(report["implicit"]),
        unrefused=tuple(controls["passed"]),
        blind={contract: tuple(names) for contract, names in controls["blind"].items()},
        stopped=_counterexample(stopped),
        reason="" if stopped is None else stopped["what"],
        changed=tuple(report["changed"]),
        corpus=None if corpus is None else Path(corpus),
        subject=subject,
        path=path,
        kernel_seconds=seconds[0],
        judge_seconds=seconds[1],
    )


def replay(function: Kernel, file: str | Path, *, family: str = "subject") -> dict[str, Any]:
    """Asks one saved case again: the judgments (assay.Judgment) by contract.

    >>> import tempfile
    >>> from assay import Judge
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Judge("sum").draw(0).write(folder)
    ...     replay(lambda x: 0.0, file)["any_order"].verdict
    'broken'
    """
    told = json.loads(Path(file).read_text())
    names = told["property"].split(".")
    format = names[2] if len(names) > 2 else contracts()[names[1]]["formats"][0]
    return Judge(names[1], format, family=family).read(file).ask(function)
