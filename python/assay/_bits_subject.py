"""How check_bits calls a function: its arguments cut along the axes of terms and rows, and with numbers whose sums show
another order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

from ._arrays import numpy
from ._places import PRECISIONS, Held, Machine, Place, held, placed

#: The axis of each argument, None for one that has none; a single number is the axis of all that are long enough.
Axes = Union[int, Sequence[Union[int, None]], None]
Inputs = tuple[Held, ...]


class Subject:
    """The function, and how its arguments are cut."""

    def __init__(self, function: Callable[..., Any], inputs: Inputs, terms: Axes, rows: Axes):
        self.function = function
        self.inputs = inputs
        self.terms = _axes(terms, inputs, "terms")
        self.rows = _axes(rows, inputs, "rows")
        self.machine = Machine(list(inputs))
        for name, axes in (("terms", self.terms), ("rows", self.rows)):
            lengths = {each.numbers.shape[axis] for each, axis in zip(inputs, axes) if axis is not None}
            if len(lengths) > 1:
                raise ValueError(f"{name}: the arguments have {' and '.join(map(str, sorted(lengths)))} of them")

    @property
    def has_terms(self) -> bool:
        return any(axis is not None for axis in self.terms)

    @property
    def has_rows(self) -> bool:
        return any(axis is not None for axis in self.rows)

    def run(self, inputs: Inputs, places: Sequence[Place] | None = None) -> Held:
        arguments = [placed(each, place) for each, place in zip(inputs, places or [Place()] * len(inputs))]
        return held(self.function(*arguments), "the result")

    def length(self, inputs: Inputs, axes: Sequence[int | None]) -> int:
        return next(each.numbers.shape[axis] for each, axis in zip(inputs, axes) if axis is not None)

    def taken(self, inputs: Inputs, axes: Sequence[int | None], which: Any) -> Inputs:
        """The inputs at some places of the axes."""
        return tuple(
            each if axis is None else each.with_numbers(numpy.take(each.numbers, which, axis))
            for each, axis in zip(inputs, axes)
        )

    def first_terms(self, inputs: Inputs, n: int) -> Inputs:
        return self.taken(inputs, self.terms, numpy.arange(n))

    def telling(self, inputs: Inputs, draw: Any, kind: int) -> Inputs:
        """The inputs with numbers whose sums show another order in the first argument that has terms: of both signs,
        two that cancel and others that are lost beside them, of one sign, or logarithms; in others with terms 1."""
        n, told, is_first = self.length(inputs, self.terms), [], True
        for each, axis in zip(inputs, self.terms):
            if axis is None or each.kind not in PRECISIONS:
                told.append(each)
                continue
            shape = [n if k == axis else 1 for k in range(each.numbers.ndim)]
            terms = DATA[kind % len(DATA)](draw, n, _bits_that_show(draw, each.kind)) if is_first else numpy.ones(n)
            is_first = False
            told.append(each.of_values(numpy.broadcast_to(terms.reshape(shape), each.numbers.shape).copy()))
        return tuple(told)

    def swaps(self, inputs: Inputs, draw: Any) -> tuple[int, int]:
        """How many swaps of two terms change the result, and how many were tried: half of them of a largest term."""
        n, tried, seen = self.length(inputs, self.terms), 4, 0
        if n < 2:
            return 0, 0
        base = self.run(inputs)
        largest = self._largest(inputs)
        for k in range(tried):
            i = int(draw.choice(largest)) if k % 2 else int(draw.integers(n))
            same = self._of_the_same_sum(inputs, i)
            j = int(draw.choice(same[same != i])) if len(same) > 1 else (i + 1 + int(draw.integers(n - 1))) % n
            order = numpy.arange(n)
            order[[i, j]] = j, i
            swapped = self.run(self.taken(inputs, self.terms, order))
            seen += not _agree_beside(base, swapped, max(i, j), n)
        return seen, tried

    def _largest(self, inputs: Inputs) -> Any:
        """The places of the largest magnitude in the first argument that has terms."""
        array, axis = next((x, a) for x, a in zip(inputs, self.terms) if a is not None and x.kind in PRECISIONS)
        sizes = abs(numpy.moveaxis(array.values(), axis, 0).reshape(array.numbers.shape[axis], -1)[:, 0])
        return numpy.flatnonzero(sizes == sizes.max())

    def with_one_sum_first(self, inputs: Inputs, draw: Any) -> Inputs:
        """The inputs with the terms of one target in front of all others."""
        n = self.length(inputs, self.terms)
        same = self._of_the_same_sum(inputs, int(draw.integers(n)))
        return self.taken(inputs, self.terms, numpy.concatenate([same, numpy.setdiff1d(numpy.arange(n), same)]))

    def _of_the_same_sum(self, inputs: Inputs, i: int) -> Any:
        """The terms with the integers of term i: those that are added to the same target."""
        same = None
        for each, axis in zip(inputs, self.terms):
            if axis is not None and each.kind not in PRECISIONS:
                numbers = numpy.moveaxis(each.numbers, axis, 0).reshape(each.numbers.shape[axis], -1)
                of_this = (numbers == numbers[i]).all(1)
                same = of_this if same is None else same & of_this
        return numpy.array([i]) if same is None else numpy.flatnonzero(same)


def _agree_beside(base: Held, swapped: Held, place: int, n: int) -> bool:
    """Whether two results agree; of a result with the terms' axis behind a place."""
    x, y = base.bits(), swapped.bits()
    for axis, length in enumerate(x.shape):
        if length == n and n > 1:
            behind = numpy.arange(place + 1 if place + 1 < n else place, n)
            return bool((numpy.take(x, behind, axis) == numpy.take(y, behind, axis)).all())
    return bool((x == y).all())


def _axes(axes: Axes, inputs: Inputs, name: str) -> list[int | None]:
    if axes is None:
        return [None] * len(inputs)
    if isinstance(axes, int):
        return [axes if each.numbers.ndim > axes else None for each in inputs]
    if len(axes) != len(inputs):
        raise ValueError(f"{name}: {len(axes)} axes for {len(inputs)} arguments")
    for each, axis in zip(inputs, axes):
        if axis is not None and not 0 <= axis < each.numbers.ndim:
            raise ValueError(f"{name}: an array of {each.numbers.ndim} dimensions has no axis {axis}")
    return list(axes)


def _bits_that_show(draw: Any, kind: str) -> int:
    """The q of numbers near 2^−q beside 1: the precision that sums are added in, mostly binary32 or more."""
    if draw.integers(4):
        return max(PRECISIONS[kind], PRECISIONS["float32"])
    return {"float64": 64, "float32": 53}.get(kind, PRECISIONS[kind])


def _both_signs(draw: Any, n: int, q: int) -> Any:
    """n terms: as many of 1 as of −1, and odd multiples of 2^−q up to 5·2^−q, which are four or a third of all."""
    few = min(4, n // 3) if draw.integers(2) else n // 3
    terms = numpy.ones(n)
    terms[1::2] = -1
    small = terms[n - max(1, few) :]
    small[:] = (1 + 2 * draw.integers(0, 3, len(small))) * 2.0**-q * draw.choice([-1.0, 1.0], len(small))
    draw.shuffle(terms)
    return terms


def _one_sign(draw: Any, n: int, q: int) -> Any:
    """n terms above 0: one is 1, half of the others are from 0.3·2^−q to 6·2^−q, and the rest from 2^−6 to 1."""
    terms = 2.0 ** -draw.uniform(0, 6, n)
    terms[0] = 1
    terms[1::2] = draw.uniform(0.3, 6, len(terms[1::2])) * 2.0**-q
    draw.shuffle(terms)
    return terms


def _masks(draw: Any, n: int, q: int) -> Any:
    """Two terms that cancel, and others that are lost beside them: the sum counts the terms added elsewhere."""
    terms = numpy.full(n, 2.0**-q)
    terms[draw.choice(n, min(n, 2), replace=False)] = [1.5 * 2**14, -1.5 * 2**14][: min(n, 2)]
    return terms


DATA = (_both_signs, _masks, _one_sign, lambda draw, n, q: numpy.log(_one_sign(draw, n, q)))
