"""Inputs that differ in one number from the inputs of the call before, and lie in the same memory. A result that was
stored by address, by shape or by a part of the inputs is wrong for them."""

from __future__ import annotations

from typing import Any

from . import _arrays
from ._calls import Calls, words_of
from ._isolation import Isolated
from .judge import Judge, contracts

#: How many pairs are asked, from how many cases at most, and of how many numbers.
_PAIRS, _CASES, _NUMBERS = 6, 40, 2048


def overlooked(judge: Judge, calls: Calls | Isolated, report: dict[str, Any]) -> list[str]:
    """A sentence where the function did not see a number of its input. Without a promise, that is a result that stays
    as it was though no contract about an error that speaks of it is kept."""
    about_error = {each["id"] for each in contracts()[judge.operation]["contracts"] if each["is_about_error"]}
    kept = [each["id"] for each in report["contracts"] if each["verdict"] == "holds" and each["id"] in about_error]
    if _arrays.numpy is None or "stopped" in report or report["changed"] or not kept:
        return []
    promised = [each for each in kept if each in report["promised"]]
    pairs = 0
    for number in range(_CASES):
        case = judge.draw(number)
        for at, given in enumerate(map(_arrays.given, case._tensors())):
            changed = _changed(given)
            if changed is None:
                continue
            told = _pair(judge, calls, number, at, *changed, promised, about_error)
            if told is not None:
                return [told, *calls.changes()]
            pairs += 1
        if pairs >= _PAIRS:
            break
    return calls.changes()


def _changed(given: _arrays.Given) -> tuple[str, bytes] | None:
    """The array with its largest number between the first and the last made −2 times as large: which and what it is
    then. None for an array that has none."""
    name, kind, shape, _, _ = given
    size = _arrays.math.prod(shape)
    if kind[0] == _arrays.INT or not shape or not 3 <= size <= _NUMBERS:
        return None
    argument = _arrays.Argument(*given)
    numbers = argument.value
    inner = [(abs(float(numbers[each])), each) for each in list(_arrays.numpy.ndindex(*shape))[1:-1]]
    largest, place = max(((size, each) for size, each in inner if size < float("inf")), default=(0.0, None))
    if place is None:
        return None
    numbers[place] = numbers[place] * -2 if largest else 1
    if not _arrays.math.isfinite(float(numbers[place])):
        return None
    return f"{name}[{', '.join(map(str, place))}] = {float(numbers[place])!r}", argument.raw()


def _pair(
    judge: Judge,
    calls: Calls | Isolated,
    number: int,
    at: int,
    words: str,
    raw: bytes,
    promised: list[str],
    about_error: set[str],
) -> str | None:
    case = judge.draw(number)
    given = [_arrays.given(each) for each in case._tensors()]
    twin = [(*each[:4], raw if i == at else each[4]) for i, each in enumerate(given)]
    wanted = case._result()
    kind, shape = (wanted.code, wanted.bits), tuple(wanted.shape[i] for i in range(wanted.ndim))
    head = f"with {words} written to the array of case {number} of seed {judge.seed}, "
    try:
        other = judge.given(*[_arrays.Argument(*each).value for each in twin])
    except ValueError:  # outside of the domain
        return None
    try:
        before = calls.call(given, kind, shape)
        after = calls.call_again([each[4] for each in twin], kind, shape)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit, and what skips a test, are no answers
        return f"{head}it gave no answer: {words_of(error)}"
    result = _arrays.numpy.frombuffer(after, _arrays._dtype(kind)).reshape(shape)
    if promised:
        broken = [each for each in promised if other.judge_one(result, each).verdict == "broken"]
    else:
        spoken = [each for name, each in other.judge(result).items() if name in about_error]
        broken = [each.contract for each in spoken if each.verdict == "broken"]
        if before != after or any(each.verdict == "kept" for each in spoken):
            return None
    if not broken:
        return None
    same = "it returned the numbers of before" if before == after else "it returned other numbers"
    return f"{head}{same}, which break {broken[0]}"
