"""Products of sparse matrices on a device that is the host (tests/enclosures/host_device.cpp): its judge runs where
there is no other device."""

import os
from fractions import Fraction

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from assay import _arrays, _device  # noqa: E402

if "ASSAY_CUDA_DRIVER" not in os.environ:
    pytest.skip("no library stands for a device", allow_module_level=True)

DRAW = numpy.random.default_rng(7)
KINDS = {"f8": "f64", "f4": "f32"}
LONG = 20_000  # entries of a row that several blocks add


class Matrix:
    """A matrix with rows of these lengths, 500 numbers x, and their product rounded from exact sums."""

    def __init__(self, lengths, kind, indices="i4", exponents=0):
        self.offsets = numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(indices)
        count = int(self.offsets[-1])
        self.columns = DRAW.integers(0, 500, count).astype(indices)
        self.values = self._numbers(count, kind, exponents)
        self.x = self._numbers(500, kind, exponents)
        self.got = numpy.array([self.exact(row) for row in range(len(lengths))]).astype(kind)

    @staticmethod
    def _numbers(count, kind, exponents):
        sizes = DRAW.integers(-exponents, exponents + 1, count)
        return numpy.ldexp(DRAW.standard_normal(count).astype(kind), sizes).astype(kind)

    def entries(self, row):
        return slice(int(self.offsets[row]), int(self.offsets[row + 1]))

    def exact(self, row):
        """The exact number of a row; what IEEE arithmetic makes of one that has an infinity or a NaN."""
        factors = self.values[self.entries(row)], self.x[self.columns[self.entries(row)]]
        if not all(numpy.isfinite(each).all() for each in factors):
            with numpy.errstate(invalid="ignore"):
                products = factors[0].astype("f8") * factors[1]
                return products[~numpy.isfinite(products)].sum()
        return sum((Fraction(float(a)) * Fraction(float(x)) for a, x in zip(*factors)), Fraction(0))

    def arguments(self):
        return self.offsets, self.columns, self.values, self.x

    def there(self, contract):
        """The judgment there; nothing where the host alone judges."""
        judge = assay.Judge("spmv", KINDS[self.got.dtype.str[1:]])
        views = [_arrays.view(each, "argument") for each in self.arguments()]
        return _device.judged_there(judge, views, _arrays.view(self.got, "got"), contract)

    def here(self, contract):
        return assay.spmv(*self.arguments()).judge(self.got, contract)


def contracts(kind):
    """Those about the error."""
    about_error = [each["id"] for each in assay.contracts()["spmv"]["contracts"] if each["is_about_error"]]
    return [each for each in about_error if each in assay.Judge("spmv", kind).contracts]


LENGTHS = [0, 1, 7, LONG, 0, 0, 3, 300, 1, 5000, 0, 2, *[9] * 40]
ROWS = len(LENGTHS)


@pytest.mark.parametrize("indices", ["i4", "i8"])
@pytest.mark.parametrize("kind", KINDS)
def test_that_are_right_are_kept_in_every_row(kind, indices):
    matrix = Matrix(LENGTHS, kind, indices)
    for contract in contracts(KINDS[kind]):
        judgment = matrix.there(contract)
        assert judgment.verdict == matrix.here(contract).verdict
        if contract != "exact_grid":  # of which some rows are not
            assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", ROWS, ROWS)
            assert judgment.exactly <= 10  # of a sample, the last row, and that with the largest share of its bound


@pytest.mark.parametrize("kind", KINDS)
def test_with_one_wrong_row_are_refused_at_its_place(kind):
    matrix = Matrix(LENGTHS, kind)
    for place in (ROWS - 1, 3, 9, 0):  # rows of several blocks, and rows without entries, among them
        kept, matrix.got[place] = matrix.got[place], matrix.got[place] + 1 + LENGTHS[place] / 50
        for contract in contracts(KINDS[kind]):
            judgment = matrix.there(contract)
            if contract != "exact_grid":
                assert (judgment.verdict, judgment.component, judgment.violated) == ("broken", place, 1)
                assert judgment.judged == ROWS
        matrix.got[place] = kept


@pytest.mark.parametrize("kind", KINDS)
def test_are_refused_just_outside_their_bounds(kind, monkeypatch):
    """No number that the device takes for a bound is above it, and few are below."""
    monkeypatch.setenv("ASSAY_HOST_DEVICE_FORGETS_THE_NEAREST", "1")
    matrix = Matrix([0, 1, 2, 3, 5000, 300, *[9] * 30], kind)
    exactly = matrix.there("any_order").exactly
    tried, open_rows = set(), 0
    for contract in contracts(KINDS[kind]):
        if contract in ("correctly_rounded", "faithful", "exact_grid") or contract.startswith("wide"):
            continue
        bounds = assay.spmv(*matrix.arguments()).bound(contract)
        for row in range(1, 36):
            exact, right = matrix.exact(row), matrix.got[row]
            for far, verdict in ((0.99, "kept"), (1.01, "broken")):
                matrix.got[row] = float(exact + Fraction(far) * Fraction(bounds[row]))
                share = abs(Fraction(float(matrix.got[row])) - exact) / Fraction(bounds[row])
                if abs(share - Fraction(far)) < Fraction(9, 1000):  # a number of the format is near
                    judgment = matrix.there(contract)
                    assert judgment.verdict == verdict, (contract, row, float(share))
                    assert verdict == "kept" or judgment.component == row
                    open_rows += verdict == "kept" and judgment.exactly > exactly
                    tried.add((contract, verdict, LENGTHS[row]))
                matrix.got[row] = right
    assert len(tried) >= (10 if kind == "f4" else 4), tried
    assert open_rows == 0


@pytest.mark.parametrize("contract", ["correctly_rounded", "faithful", "wide_any_order", "wide_pairwise"])
@pytest.mark.parametrize("kind", KINDS)
def test_that_are_rounded_are_told_from_their_neighbors(kind, contract):
    matrix = Matrix(LENGTHS, kind)
    for row in (6, 11, ROWS - 1):
        right, steps = matrix.got[row], 2 if contract == "faithful" else 1
        for _ in range(steps):
            matrix.got[row] = numpy.nextafter(matrix.got[row], matrix.got.dtype.type(numpy.inf))
        there, here = matrix.there(contract), matrix.here(contract)
        assert (there.verdict, there.component) == (here.verdict, here.component) == ("broken", row)
        assert (there.exact, there.got, there.violated) == (here.exact, here.got, 1)
        matrix.got[row] = right


def test_with_infinities_and_nans_are_judged_by_what_these_make_of_their_rows():
    matrix = Matrix(LENGTHS, "f4")
    matrix.values[matrix.offsets[3] + 17] = numpy.nan
    matrix.values[matrix.offsets[9] + 4000] = -numpy.inf
    matrix.x[matrix.columns[matrix.offsets[6]]] = numpy.inf
    matrix.got = numpy.array([matrix.exact(row) for row in range(ROWS)]).astype("f4")
    special = [row for row in range(ROWS) if not numpy.isfinite(matrix.got[row])]
    assert special[0] == 3 and {6, 9} <= set(special)
    assert matrix.there("any_order").verdict == matrix.here("any_order").verdict == "kept"
    mistakes = (3, 1), (3, numpy.inf), (9, numpy.nan), (9, -matrix.got[9]), (0, numpy.nan), (ROWS - 1, numpy.inf)
    for row, wrong in mistakes:
        right, matrix.got[row] = matrix.got[row], wrong
        if not numpy.array_equal(right, wrong, equal_nan=True):
            there, here = matrix.there("any_order"), matrix.here("any_order")
            assert (there.verdict, there.component) == (here.verdict, here.component) == ("broken", row), (row, wrong)
        matrix.got[row] = right


@pytest.mark.parametrize("kind, exponents", [("f4", 30), ("f4", 70), ("f8", 200), ("f8", 530)])
def test_of_all_sizes_are_judged_as_on_the_host(kind, exponents):
    matrix = Matrix([0, 1, 1, 1, 2, 3, 8, 40], kind, exponents=exponents)
    matrix.values[2] = matrix.values[2] * 2.0**-60  # subnormal, or 0
    for contract in contracts(KINDS[kind]):
        judgments = []
        for judge in (matrix.there, matrix.here):
            try:
                judgments.append(judge(contract).verdict)
            except ValueError as error:
                judgments.append(str(error))
        assert judgments[0] == judgments[1], contract


def test_on_a_grid_must_be_exact_and_may_be_ties():
    matrix = Matrix([4] * 900, "f4")
    matrix.values = DRAW.integers(-9, 9, 3600).astype("f4")
    matrix.x = DRAW.integers(-9, 9, 500).astype("f4")
    matrix.got = numpy.array([float(matrix.exact(row)) for row in range(900)]).astype("f4")
    for contract in contracts("f32"):
        assert (matrix.there(contract).verdict, matrix.there(contract).judged) == ("kept", 900), contract
    matrix.got[450] = numpy.nextafter(matrix.got[450] or 1, numpy.float32(1000))
    for contract in ("any_order", "exact_grid", "correctly_rounded"):
        assert (matrix.there(contract).verdict, matrix.there(contract).component) == ("broken", 450), contract


def test_with_a_long_row_are_judged_and_refused():
    """A row that is no case: it is judged as a dot product where its enclosure does not decide."""
    count = (1 << 20) + 5
    for lengths in ([count], [3, count, 2]):
        matrix = Matrix([1], "f4")
        matrix.offsets = numpy.concatenate([[0], numpy.cumsum(lengths)])
        integers = DRAW.integers(1, 1 << 20, int(matrix.offsets[-1])), DRAW.integers(1, 1 << 20, 500)
        matrix.values, matrix.x = (each.astype("f4") for each in integers)
        matrix.columns = DRAW.integers(0, 500, len(matrix.values))
        products = integers[0] * integers[1][matrix.columns]
        matrix.got = numpy.add.reduceat(products, matrix.offsets[:-1]).astype("f4")
        row = len(lengths) // 2
        for contract in ("pairwise", "correctly_rounded"):
            judgment = matrix.there(contract)
            assert (judgment.verdict, judgment.judged) == ("kept", len(lengths))
            assert judgment.exactly == (0 if len(lengths) == 1 else 2)
        right, matrix.got[row] = matrix.got[row], matrix.got[row] * numpy.float32(1.01)
        for contract in ("pairwise", "correctly_rounded"):
            judgment = matrix.there(contract)
            assert (judgment.verdict, judgment.component, judgment.violated) == ("broken", row, 1)
            assert float(judgment.exact) == pytest.approx(float(right))


def test_with_rows_of_many_entries_are_sampled_where_these_are_few():
    matrix = Matrix([3, 70_000], "f8")
    assert matrix.there("any_order").exactly == 1
    matrix = Matrix([70_000], "f8")
    judgment = matrix.there("any_order")
    assert (judgment.verdict, judgment.judged, judgment.exactly) == ("kept", 1, 0)
    value, _, radius = judgment.exact.partition(" +/- ")
    assert abs(Fraction(value) - matrix.exact(0)) <= Fraction(float(radius) * 1.0001) + abs(matrix.exact(0)) / 10**19
    assert float.fromhex(judgment.got) == matrix.got[0]


def test_with_wrong_indices_are_refused_before_these_are_used():
    def told(change):
        matrix = Matrix(LENGTHS, "f8")
        change(matrix)
        with pytest.raises(ValueError) as error:
            matrix.there("any_order")
        return str(error.value)

    def offset(i, value):
        return lambda matrix: matrix.offsets.__setitem__(i, value)

    def column(i, value):
        return lambda matrix: matrix.columns.__setitem__(i, value)

    last = sum(LENGTHS)
    assert told(column(12345, 500)) == "column_indices: number 12345 is 500, and x has 500 numbers"
    assert told(column(20_000, -1)) == "column_indices: number 20000 is -1, and x has 500 numbers"
    assert told(column(last - 1, 1 << 30)) == f"column_indices: number {last - 1} is 1073741824, and x has 500 numbers"
    assert told(offset(0, 1)) == "row_offsets: number 0 is 1, not 0"
    assert told(offset(5, 1 << 30)) == "row_offsets: number 6 is 20008, and number 5 is 1073741824"
    assert told(offset(4, 2)) == "row_offsets: number 4 is 2, and number 3 is 8"
    assert told(offset(ROWS, last - 1)) == f"row_offsets: the last is {last - 1}, and there are {last} entries"


def test_that_the_device_leaves_out_are_judged_on_the_host(monkeypatch):
    matrix = Matrix(LENGTHS, "f8")
    for kernel in ("add", "join", "count"):
        monkeypatch.setenv("ASSAY_HOST_DEVICE_MISSES_A_BLOCK_OF", kernel)
        judgment = matrix.there("any_order")
        assert (judgment.verdict, judgment.judged) == ("kept", ROWS)
        for row in (3, ROWS - 1):
            right, matrix.got[row] = matrix.got[row], 77
            assert (matrix.there("any_order").component) == row
            matrix.got[row] = right
    monkeypatch.setenv("ASSAY_HOST_DEVICE_MISSES_A_BLOCK_OF", "indices")
    with pytest.raises(Exception, match="did not check all indices"):
        matrix.there("any_order")


def test_with_many_rows_that_are_not_decided_are_left_to_the_host():
    matrix = Matrix([2] * 2000, "f4")
    matrix.values[:] = numpy.tile(numpy.float32([1.5, 2.0**-24]), 2000)
    matrix.x[:] = 1
    matrix.got = numpy.full(2000, 1.5, "f4")  # ties
    assert matrix.there("faithful").verdict == "kept"
    assert matrix.there("correctly_rounded") is None
    matrix.got[7] = 2
    judgment = matrix.there("correctly_rounded")
    assert (judgment.verdict, judgment.component) == ("broken", 7)


class Elsewhere:
    """An array that lies on a device, where only a copy is read."""

    def __init__(self, array):
        self._array, self.shape = array, array.shape

    def __dlpack_device__(self):
        return (2, 0)

    def get(self):
        return self._array


def test_that_the_device_does_not_decide_are_judged_on_the_host_in_parts(monkeypatch):
    def on_device(value):
        return _arrays.view(value._array, "array") if isinstance(value, Elsewhere) else None

    monkeypatch.setattr(_arrays, "on_device", on_device)
    monkeypatch.setattr(assay._within, "_TERMS_OF_THE_HOST", 1000)
    monkeypatch.setattr(assay._parts, "_PRODUCTS_AT_A_TIME", 1000)
    matrix = Matrix([2] * 2000, "f4")
    matrix.values[:], matrix.x[:] = numpy.tile(numpy.float32([1.5, 2.0**-24]), 2000), 1
    matrix.got = numpy.full(2000, 1.5, "f4")  # ties
    expected = assay.spmv(*[Elsewhere(each) for each in matrix.arguments()])
    cases, case = [], assay._within.Expected.case
    monkeypatch.setattr(assay._within.Expected, "case", lambda *each: cases.append(each) or case(*each))
    judgment = expected.judge(Elsewhere(matrix.got), "correctly_rounded")
    assert (judgment.verdict, judgment.judged, judgment.exactly) == ("kept", 2000, None)
    assert len(cases) == 2


def test_come_there_from_assert_within(monkeypatch):
    monkeypatch.setattr(_arrays, "on_device", lambda value: _arrays.view(value, "array"))
    monkeypatch.setattr(assay._within, "_TERMS_OF_THE_HOST", 1000)
    matrix = Matrix(LENGTHS, "f8")
    expected = assay.spmv(*matrix.arguments())
    assert expected.judge(matrix.got, "any_order").exactly is not None
    matrix.got[9] += 1
    with pytest.raises(assay.Broken, match=rf"\[9\] of {ROWS} numbers"):
        assay.assert_within(matrix.got, expected, contract="any_order")
