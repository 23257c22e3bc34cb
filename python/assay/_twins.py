"""Inputs that differ in one number from the inputs of the previous call, and lie in the same memory. If a result was
cached by address, by shape or by a part of the inputs, it is wrong for them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

from . import _arrays
from ._calls import Calls, words_of
from ._isolation import Isolated
from .judge import Case, Judge, Judgment

#: From how many cases arrays are taken, of how many numbers at most, and how many are changed of the first and of the
#: longest ones. This many more numbers are tried if none of the first ones makes the previous result wrong.
_CASES, _NUMBERS, _PAIRS, _MORE = 40, 4096, 3, 6
#: How many numbers of an array are tried, of all and of the largest.
_PLACES = 3
#: The factors of the larger changes, which show whether a function reads a number, in rising size.
_LARGER = (64, -1024)


def overlooked(judge: Judge, calls: Calls | Isolated, report: dict[str, Any]) -> list[str]:
    """A sentence if the function ignored a number of its input."""
    about_error = {each["id"] for each in judge.description["contracts"] if each["is_about_error"]}
    kept = [each["id"] for each in report["contracts"] if each["verdict"] == "holds" and each["id"] in about_error]
    if _arrays.numpy is None or "stopped" in report or report["changed"] or not kept:
        return []
    arrays = [
        (math.prod(shape), number, at)
        for number in range(_CASES)
        for given in [_given(judge.draw(number))]
        if all(map(_is_finite, given))  # what a kernel makes of NaN and infinities is a contract of its own
        for at, (_, kind, shape, _, _) in enumerate(given)
        if shape and kind[0] != _arrays.INT and 3 <= math.prod(shape) <= _NUMBERS
    ]
    for some in (arrays, sorted(arrays, key=lambda each: -each[0])):
        pairs = 0
        for _, number, at in some[: _PAIRS + _MORE]:
            told = _pair(judge, calls, number, at, kept)
            if told:
                return [told, *calls.changes()]
            pairs += told is not None
            if pairs == _PAIRS:
                break
    return calls.changes()


def _given(case: Case) -> list[_arrays.Given]:
    return [_arrays.given(each) for each in case._tensors()]


def _is_finite(given: _arrays.Given) -> bool:
    """Whether a scalar or an array has no NaN and no infinity."""
    if given[1][0] == _arrays.INT:
        return True
    return bool(_arrays.numpy.isfinite(_arrays.numpy.asarray(_arrays.Argument(*given).value, "f8")).all())


def _pair(judge: Judge, calls: Calls | Isolated, number: int, at: int, kept: list[str]) -> str | None:
    """A sentence if the result for one array of a case stays wrong after a number was changed in it; otherwise empty.
    After the change the previous result is wrong; None if no number is found that makes it wrong."""
    case = judge.draw(number)
    given = _given(case)
    wanted = case._result()
    kind, shape = (wanted.code, wanted.bits), tuple(wanted.shape[i] for i in range(wanted.ndim))
    if 0 in shape:  # nothing to judge
        return None
    head = f"case {number} of seed {judge.seed}: "
    try:
        before = _answer(judge, lambda: calls.call(given, kind, shape), kind, shape)
        for words, raw, larger in _changes(given[at], f"{judge.seed} {number} {at}"):
            twin, other = _twin(judge, given, at, raw)
            if other is None or not _broken(other, before, kind, shape, kept):
                continue
            head = f"with {words} written to the array of case {number} of seed {judge.seed}, "

            def again(twin: list[_arrays.Given]) -> bytes:
                return _answer(judge, lambda: calls.call_again([each[4] for each in twin], kind, shape), kind, shape)

            after = again(twin)
            broken = _broken(other, after, kind, shape, kept)
            promised = [each for each in broken if each.contract in judge.promised]
            # A result may be too coarse for the change. It is not for all larger ones if the function reads the number.
            further = (_twin(judge, given, at, each) for each in larger)
            if promised or (
                before == after
                and not judge.promised
                and all(again(each) == before for each, inside in further if inside is not None)
            ):
                same = "it returned the numbers of before" if before == after else "it returned other numbers"
                worst = (promised or broken)[0]
                return f"{head}{same}, which break {worst.contract} (got {worst.got}, exact {worst.exact})"
            return ""
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit, and what skips a test, are no answers
        return f"{head}it gave no answer: {words_of(error)}"
    return None


def _twin(judge: Judge, given: list[_arrays.Given], at: int, raw: bytes) -> tuple[list[_arrays.Given], Case | None]:
    """The arrays with other numbers in one of them, and their case; None for it outside of the domain."""
    twin = [(*each[:4], raw if i == at else each[4]) for i, each in enumerate(given)]
    try:
        return twin, judge.given(*[_arrays.Argument(*each).value for each in twin])
    except ValueError:
        return twin, None


def _answer(judge: Judge, call: Callable[[], bytes], kind: tuple[int, int], shape: tuple[int, ...]) -> bytes:
    """The numbers of the result. An error of a function that may refuse its case counts as NaN everywhere."""
    try:
        return call()
    except Exception:
        if not judge.description.get("may_refuse"):
            raise
        return b"\xff" * (math.prod(shape) * kind[1] // 8)


def _broken(case: Case, raw: bytes, kind: tuple[int, int], shape: tuple[int, ...], kept: list[str]) -> list[Judgment]:
    """The judgments of the contracts that a result breaks, if it keeps none, the weakest first."""
    result = _arrays.numpy.frombuffer(raw, _arrays.dtype(kind)).reshape(shape)
    broken = []
    for contract in reversed(kept):
        judgment = case.judge_one(result, contract)
        if judgment.verdict == "kept":
            return []
        broken += [judgment] if judgment.verdict == "broken" else []
    return broken


def _changes(given: _arrays.Given, seed: str) -> Iterator[tuple[str, bytes, list[bytes]]]:
    """The array with one of its numbers between the first and the last multiplied by −2: its place and its new value,
    and the array with larger changes of the same number. Some of the largest numbers come last."""
    name, _, shape, _, _ = given
    before = _arrays.Argument(*given).value
    sizes = _arrays.numpy.abs(before.astype("f8")).reshape(-1)
    sizes[[0, -1]] = sizes[~_arrays.numpy.isfinite(sizes)] = 0
    drawn = random.Random(seed)
    for least in (0.0, sizes.max() / 4):
        places = _arrays.numpy.flatnonzero((sizes >= least) & (sizes > 0)).tolist()
        for place in drawn.sample(places, min(len(places), _PLACES)):
            index = _arrays.numpy.unravel_index(place, shape)
            raws = []
            for factor in (-2, *_LARGER):
                argument = _arrays.Argument(*given)
                argument.value[index] = before[index] * factor
                if not math.isfinite(argument.value[index]):
                    break
                raws.append((float(argument.value[index]), argument.raw()))
            if raws:
                where = ", ".join(str(int(each)) for each in index)
                yield f"{name}[{where}] = {raws[0][0]!r}", raws[0][1], [raw for _, raw in raws[1:]]
