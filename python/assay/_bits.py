"""assay.check_bits: whether a function gives the same bits again, of a row in every batch, in chunks and in other
places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ._arrays import numpy
from ._check import Broken
from ._bits_subject import DATA, Axes, Inputs, Subject
from ._places import LAYOUTS, PRECISIONS, Held, distances, held, placed

CONTRACTS = ("run_to_run", "batch_invariant", "place_invariant", "split_invariant")
_LONGEST_BATCH = 1 << 19  # numbers
_SIZES = (2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256, 257)
_SMALL = (2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 33, 48, 64, 96, 128, 129, 192, 256, 257, 512, 1024, 2048, 4096)
_TOLD = 16
_REPEATS = 3


@dataclass(frozen=True)
class Difference:
    """An input and two results of it."""

    where: str  #: how the second call was made: "in another stream", "in place 1 of 4 rows"
    place: int  #: the first number of the result that differs
    before: str  #: hexadecimal
    after: str
    terms: int | None  #: of the input; None where the arguments have no axis of terms
    inputs: str  #: the arguments, a line each
    again: tuple[int, int]  #: in so many of so many further tries the results differed, too

    def __str__(self) -> str:
        of = "" if self.terms is None else f" of {self.terms} terms"
        lines = [f"number {self.place} of the result{of}: {self.before}, {self.where} {self.after}"]
        lines.append(f"  differs in {self.again[0]} of {self.again[1]} further tries")
        return "\n".join([*lines, *self.inputs.splitlines()])


@dataclass(frozen=True)
class BitsFinding:
    """The answer about one contract. It is true where the contract is kept."""

    contract: str
    verdict: str  #: "kept", "broken" or "not asked"
    compared: int  #: results
    swaps: tuple[int, int]  #: swaps of two terms that change the result, and all that were tried
    difference: Difference | None = None
    why: str = ""  #: why it was not asked, or which layouts the function refuses

    def __bool__(self) -> bool:
        return self.verdict == "kept"

    def __str__(self) -> str:
        line = f"{self.contract}: {self.verdict}"
        if self.verdict != "not asked":
            line += f", {self.compared} results compared"
        if self.swaps[1]:
            line += f", {self.swaps[0]} of {self.swaps[1]} swaps of two terms would have been seen"
        if self.why:
            line += f" ({self.why})"
        return line if self.difference is None else "\n  ".join([line, *str(self.difference).splitlines()])


@dataclass(frozen=True)
class Bits:
    """The answer of assay.check_bits. It is true where no contract is broken."""

    contracts: dict[str, BitsFinding]

    @property
    def kept(self) -> tuple[str, ...]:
        return tuple(name for name, each in self.contracts.items() if each.verdict == "kept")

    @property
    def broken(self) -> tuple[str, ...]:
        return tuple(name for name, each in self.contracts.items() if each.verdict == "broken")

    def __bool__(self) -> bool:
        return not self.broken

    def __str__(self) -> str:
        return "\n".join(map(str, self.contracts.values()))


def _first_difference(before: Held, after: Held) -> int | None:
    if before.numbers.shape != after.numbers.shape:
        return 0
    differs = numpy.flatnonzero(before.bits().ravel() != after.bits().ravel())
    return int(differs[0]) if len(differs) else None


def _hexadecimal(array: Held, place: int) -> str:
    if array.kind in PRECISIONS:
        return _text(array.values().ravel()[place])
    return str(array.numbers.ravel()[place])


def _text(number: Any) -> str:
    """Hexadecimal, without zeros at the end: "0x1.8p-3"."""
    return re.sub(r"\.?0*p", "p", float(number).hex())


def _told(inputs: Inputs) -> str:
    lines = []
    for k, each in enumerate(inputs):
        shape = "×".join(map(str, each.numbers.shape)) or "a number"
        numbers = each.values() if each.kind in PRECISIONS else each.numbers
        of = ""
        for axis, line in ((0, "row"), (1, "column")):
            several = numbers.ndim == 2 and numbers.shape[axis] > 1 and not (numbers == numbers[0, 0]).all()
            if several and (numbers == numbers.take([0], axis)).all():
                of, numbers = f"each {line} ", numbers.take(0, axis)
                break
        flat = numbers.ravel()
        texts = [_text(x) if each.kind in PRECISIONS else str(x) for x in flat[:_TOLD]]
        if len(flat) > 1 and (flat == flat[0]).all():
            words = f"all {texts[0]}"
        elif len(flat) <= _TOLD:
            words = " ".join(texts)
        else:
            places = numpy.flatnonzero(flat)
            words = f"{len(places)} numbers other than 0"
            if len(places) <= _TOLD and each.kind in PRECISIONS:
                words = ", ".join(f"[{i}] = {_text(flat[i])}" for i in places) + ", others 0"
        lines.append(f"  argument {k}, {each.kind} {shape}: {of}{words}")
    return "\n".join(lines)


@dataclass(frozen=True)
class _Seen:
    where: str
    place: int
    before: str
    after: str
    inputs: Inputs


class _Contract:
    """How a contract is asked. `attempts`: the pairs of results, each with the words for the second one. `asked`: the
    inputs of the pair."""

    asked: Inputs
    only: str | None = None  #: the only way in which it is asked again

    def __init__(self, subject: Subject, draw: Any):
        self.subject = subject
        self.draw = draw
        self.compared = 0
        self.refused: set[str] = set()

    def begin(self, data: list[Inputs]) -> None:
        """Is called with all inputs before the first of them is asked."""

    def attempts(self, inputs: Inputs) -> Iterator[tuple[str, Held, Held]]:
        raise NotImplementedError

    def seen(self, inputs: Inputs) -> _Seen | None:
        """The first pair that differs."""
        self.asked = inputs
        for where, before, after in self.attempts(inputs):
            self.compared += 1
            place = _first_difference(before, after)
            if place is not None:
                return _Seen(where, place, _hexadecimal(before, place), _hexadecimal(after, place), self.asked)
        return None


class _Again(_Contract):
    _first: dict[int, Held] = {}  # by the inputs' ids, before any call of another size

    def begin(self, data: list[Inputs]) -> None:
        self._first = {id(each): self.subject.run(each) for each in data}

    def attempts(self, inputs: Inputs) -> Iterator[tuple[str, Held, Held]]:
        subject, machine = self.subject, self.subject.machine
        first = self._first.get(id(inputs)) or subject.run(inputs)

        def behind_other_sizes() -> Held:
            if subject.has_terms:
                n = subject.length(inputs, subject.terms)
                for each in (max(1, n // 2), n + 1, 2 * n):
                    others = subject.taken(inputs, subject.terms, numpy.arange(each) % n)
                    subject.run(subject.telling(others, self.draw, 0))
            return subject.run(inputs)

        def in_fresh_memory() -> Held:
            machine.fresh_memory(self.draw)
            return subject.run(inputs)

        def in_used_memory() -> Held:
            machine.used_memory()
            return subject.run(inputs)

        def beside_other_work() -> Held:
            with machine.other_work(self.draw):
                return subject.run(inputs)

        def in_other_stream() -> Held:
            with machine.other_stream():
                return subject.run(inputs)

        ways = [("again", lambda: subject.run(inputs)), ("behind calls of other sizes", behind_other_sizes)]
        ways += [("in fresh memory", in_fresh_memory), ("in memory that was full of NaN", in_used_memory)]
        if machine:
            ways += [("beside other work", beside_other_work), ("in another stream", in_other_stream)]
        for where, way in ways:
            for _ in range(_REPEATS if self.only in (None, where) else 0):
                yield where, first, way()


class _Rows(_Contract):
    def attempts(self, inputs: Inputs) -> Iterator[tuple[str, Held, Held]]:
        subject = self.subject
        count = subject.length(inputs, subject.rows)
        row = int(self.draw.integers(count))
        one = subject.taken(inputs, subject.rows, numpy.array([row]))
        alone = subject.run(one)
        numbers = sum(each.numbers.size for each, axis in zip(one, subject.rows) if axis is not None)
        self.asked = one
        for size in [size for size in _SIZES if size == 2 or size * numbers <= _LONGEST_BATCH]:
            for first in (0, 1):
                batch = subject.run(self._batch(one, size, first))
                differ = (batch.bits()[first::2] != alone.bits()).reshape(len(range(first, size, 2)), -1).any(1)
                place = first + 2 * int(differ.argmax())
                yield f"in place {place} of {size} rows", alone, _row(batch, place)
        if count > 1:
            self.asked = inputs
            yield f"in place {row} of {count} rows of its own", alone, _row(subject.run(inputs), row)

    def _batch(self, one: Inputs, size: int, first: int) -> Inputs:
        """The row at every second place, and NaN, infinities, large numbers, zeros and ones between."""
        batch = []
        for each, axis in zip(one, self.subject.rows):
            if axis is None:
                batch.append(each)
                continue
            values = numpy.repeat(each.numbers, size, axis)
            if each.kind in PRECISIONS:
                between = numpy.moveaxis(values, axis, 0)
                for place in range(1 - first, size, 2):
                    number = [numpy.nan, numpy.inf, -numpy.inf, 2.0**15, 0.0, 1.0][int(self.draw.integers(6))]
                    between[place] = each.of_values(numpy.array([number])).numbers[0]
            batch.append(each.with_numbers(values))
        return tuple(batch)


def _row(result: Held, place: int) -> Held:
    return result.with_numbers(result.numbers[place : place + 1])


class _Elsewhere(_Contract):
    def attempts(self, inputs: Inputs) -> Iterator[tuple[str, Held, Held]]:
        first = self.subject.run(inputs)
        for place in [*distances(self.draw, 4), *LAYOUTS]:
            if place.layout in self.refused:
                continue
            try:
                there = self.subject.run(inputs, [place] * len(inputs))
            except (ValueError, TypeError, RuntimeError):
                if place.layout == "dense":
                    raise
                self.refused.add(place.layout)
                continue
            yield f"with the arrays at {place}" if place.distance else f"with {place} arrays", first, there


class _Chunks(_Contract):
    def __init__(self, subject: Subject, draw: Any, carry: Callable[..., Any], join: Callable[..., Any] | None):
        super().__init__(subject, draw)
        self._carry = carry
        self._join = join or (lambda first, second: second)

    def attempts(self, inputs: Inputs) -> Iterator[tuple[str, Held, Held]]:
        subject = self.subject
        n = subject.length(inputs, subject.terms)
        whole = subject.run(inputs)
        for at in sorted({int(self.draw.integers(1, n)) for _ in range(3)} if n > 1 else ()):
            front = [placed(each) for each in subject.first_terms(inputs, at)]
            rest = [placed(each) for each in subject.taken(inputs, subject.terms, numpy.arange(at, n))]
            first = subject.function(*front)
            second = self._join(first, subject.function(*self._carry(first, *rest)))
            yield f"in chunks of {at} and {n - at}", whole, held(second, "the result")


def _smallest(contract: _Contract, seen: _Seen, tries: int) -> _Seen:
    """The difference with the fewest terms, and then numbers other than 0, that was found."""
    subject = contract.subject
    if not subject.has_terms:
        return seen

    def asked(inputs: Inputs) -> _Seen | None:
        return next(filter(None, (contract.seen(inputs) for _ in range(tries))), None)

    contract.only = seen.where
    for rows in _SIZES if subject.has_rows else ():
        if rows - 1 >= subject.length(seen.inputs, subject.rows):
            break
        if found := asked(subject.taken(seen.inputs, subject.rows, numpy.arange(rows - 1))):
            seen = found
            break
    is_repeated = all(contract.seen(seen.inputs) is not None for _ in range(4))
    most = subject.length(seen.inputs, subject.terms)
    # A difference that comes and goes needs many terms: a search from below would ask in vain.
    halves = [most >> k for k in range(1, most.bit_length()) if most >> k > 1]
    small = [*_SMALL, *(1 << k for k in range(13, most.bit_length()))]
    for n in [each for each in small if each < most] if is_repeated else halves:
        cut = subject.first_terms(subject.with_one_sum_first(seen.inputs, contract.draw), n)
        of_kinds = (asked(subject.telling(cut, contract.draw, kind)) for kind in range(len(DATA)))
        found = next(filter(None, of_kinds), None)
        if found is not None:
            seen = found
        if (found is not None) == is_repeated:
            break
    return _with_zeros(contract, seen, asked, 96 if is_repeated else 24)


def _with_zeros(contract: _Contract, seen: _Seen, asked: Callable[[Inputs], _Seen | None], budget: int) -> _Seen:
    """The same with as many zeros in the first argument that has terms as still show a difference. `budget`: so many
    examples are asked."""
    subject = contract.subject
    at = next(k for k, axis in enumerate(subject.terms) if axis is not None and seen.inputs[k].kind in PRECISIONS)
    n = subject.length(seen.inputs, subject.terms)
    size = (n + 1) // 2
    while size > 0 and budget > 0:
        for begin in range(0, n, size):
            array = seen.inputs[at]
            values = numpy.moveaxis(array.numbers.copy(), subject.terms[at], 0)
            if budget == 0 or not values[begin : begin + size].any():
                continue
            values[begin : begin + size] = 0
            numbers = numpy.moveaxis(values, 0, subject.terms[at])
            budget -= 1
            found = asked(tuple(array.with_numbers(numbers) if k == at else x for k, x in enumerate(seen.inputs)))
            seen = found or seen
        size //= 2
    return seen


def _finding(name: str, contract: _Contract, rounds: int, tries: int) -> BitsFinding:
    subject, draw = contract.subject, contract.draw
    swaps = [0, 0]
    data = [subject.inputs]
    if subject.has_terms:
        data = [subject.telling(subject.inputs, draw, k) for k in range(rounds - 1)] + data
    contract.begin(data)
    for each in data[:-1]:
        for k, more in enumerate(subject.swaps(each, draw)):
            swaps[k] += more
    seen = next(filter(None, (contract.seen(each) for each in data)), None)
    compared = contract.compared
    refused = f"it refuses arrays that are {', '.join(sorted(contract.refused))}" if contract.refused else ""
    if seen is None:
        return BitsFinding(name, "kept", compared, (swaps[0], swaps[1]), None, refused)
    seen = _smallest(contract, seen, tries)
    further = [contract.seen(seen.inputs) is not None for _ in range(8)]
    difference = Difference(
        seen.where,
        seen.place,
        seen.before,
        seen.after,
        subject.length(seen.inputs, subject.terms) if subject.has_terms else None,
        _told(seen.inputs),
        (sum(further), len(further)),
    )
    return BitsFinding(name, "broken", compared, (swaps[0], swaps[1]), difference, refused)


def check_bits(
    function: Callable[..., Any],
    *arguments: Any,
    contract: str | Sequence[str] | None = None,
    terms: Axes = None,
    rows: Axes = None,
    carry: Callable[..., Any] | None = None,
    join: Callable[..., Any] | None = None,
    rounds: int = 9,
    tries: int = 3,
    seed: int = 1,
) -> Bits:
    """Whether a function gives the same bits again, of a row in every batch, in chunks, and in other places.

    function: takes arrays of NumPy, torch or CuPy, on any device, and returns one. It changes none of them.
    arguments: an example. Copies of it are asked and, where `terms` is given, numbers whose sums show another order.
    contract: one or several of run_to_run, batch_invariant, place_invariant and split_invariant that the function
        promises. Without it all are asked for which the arguments below are given, and a broken one is a result.
    terms: the axis along which numbers are added, of each argument, or None for an argument without terms. One number
        is the axis of all arguments that have it: `terms=0` of a sum, `terms=(1, 0)` of a product of matrices,
        `terms=(None, 0, 0)` of index_add, whose target has no terms.
    rows: the axis of rows that are computed by themselves, likewise. Axis 0 of the result has them, too.
    carry: the arguments of the second chunk, from the result of the first and the rest of the arguments:
        `lambda sum, x: (torch.cat([sum.reshape(1), x]),)`, or `lambda y, _, index, x: (y, index, x)` of index_add.
    join: the whole result, from those of both chunks; by default the second one.
    rounds: so many data are asked, the example among them.
    tries: so often a smaller example is asked.

    On a device `run_to_run` is asked beside other work, in other streams, behind calls of other sizes, in fresh memory
    and in memory that was used. Raises Broken where a contract that is named is broken.

    >>> import numpy
    >>> bits = check_bits(numpy.sum, numpy.ones(1000), terms=0, contract="run_to_run")
    >>> bits.kept
    ('run_to_run',)
    """
    if numpy is None:
        raise TypeError("check_bits needs NumPy")
    named = [contract] if isinstance(contract, str) else list(contract or ())
    for each in named:
        if each not in CONTRACTS:
            raise ValueError(f"contract {each}: {', '.join(CONTRACTS)} are accepted")
    inputs = tuple(held(each, f"argument {k}") for k, each in enumerate(arguments))
    subject = Subject(function, inputs, terms, rows)
    findings = {}
    for name in named or CONTRACTS:
        draw = numpy.random.default_rng(seed)
        why, asked = "", None
        if name == "batch_invariant" and not subject.has_rows:
            why = "rows= says which axis has them"
        elif name == "split_invariant" and (carry is None or not subject.has_terms):
            why = "carry= and terms= say how the second chunk is called"
        elif name == "split_invariant":
            asked = _Chunks(subject, draw, carry, join)  # type: ignore[arg-type]
        else:
            made = {"run_to_run": _Again, "batch_invariant": _Rows, "place_invariant": _Elsewhere}[name]
            asked = made(subject, draw)
        if asked is None:
            if named:
                raise ValueError(f"{name}: {why}")
            findings[name] = BitsFinding(name, "not asked", 0, (0, 0), None, why)
        else:
            with numpy.errstate(all="ignore"):
                findings[name] = _finding(name, asked, rounds, tries)
    bits = Bits(findings)
    broken = [str(each) for each in findings.values() if each.verdict == "broken"]
    if named and broken:
        raise Broken("\n".join(broken), bits)
    return bits
