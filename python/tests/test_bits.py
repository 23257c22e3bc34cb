"""assay.check_bits."""

import importlib
import math
import os
from pathlib import Path

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from assay._places import Place, held, placed  # noqa: E402

BLOCK = 64


def chain(x):
    return numpy.add.accumulate(x)[-1]


class Turns:
    """An order that is another one in each call, as that of blocks on a device."""

    def __init__(self):
        self._draw = numpy.random.default_rng()

    def order(self, count):
        return self._draw.permutation(count)

    def scan(self, x):
        """A block adds the sums of blocks before it, up to one that has told the sum to its end by then."""
        y, to_end, sums = numpy.empty_like(x), [], []
        for begin in range(0, len(x), BLOCK):
            prefixes = numpy.add.accumulate(x[begin : begin + BLOCK])
            before = x.dtype.type(0)
            for block in reversed(range(len(sums))):
                has_ended = self._draw.integers(2)
                before = (to_end[block] if has_ended else sums[block]) + before
                if has_ended:
                    break
            sums.append(prefixes[-1])
            to_end.append(before + prefixes[-1])
            y[begin : begin + BLOCK] = before + prefixes
        return y

    def product(self, a, b):
        """Slices of k are added in the order in which they arrive."""
        d = numpy.zeros((len(a), b.shape[1]), a.dtype)
        for each in self.order(-(-a.shape[1] // BLOCK)) * BLOCK:
            d = d + a[:, each : each + BLOCK] @ b[each : each + BLOCK]
        return d

    def index_add(self, y, index, x):
        y = y.copy()
        order = self.order(len(x))
        numpy.add.at(y, index[order], x[order])
        return y


def ones(*shape, kind="f4"):
    return numpy.ones(shape, kind)


def index_add(y, index, x):
    y = y.copy()
    numpy.add.at(y, index, x)
    return y


INDEX = numpy.arange(300) % 7


def test_a_scan_whose_blocks_take_turns_is_refused():
    with pytest.raises(assay.Broken, match="run_to_run: broken"):
        assay.check_bits(Turns().scan, ones(500), terms=0, contract="run_to_run", tries=1)


def test_a_product_whose_slices_arrive_in_any_order_is_refused():
    with pytest.raises(assay.Broken, match="run_to_run: broken"):
        assay.check_bits(Turns().product, ones(1, 512), ones(512, 1), terms=(1, 0), contract="run_to_run", tries=1)


def test_an_index_add_in_any_order_is_refused_with_three_terms_on_one_target():
    bits = assay.check_bits(Turns().index_add, ones(7) * 0, INDEX, ones(300), terms=(None, 0, 0))
    assert "run_to_run" in bits.broken and not bits
    difference = bits.contracts["run_to_run"].difference
    assert difference.before != difference.after and difference.terms <= 300
    assert "argument 2, float32" in str(bits)


def test_an_index_add_in_a_fixed_order_is_kept_and_swaps_of_its_terms_are_seen():
    bits = assay.check_bits(
        index_add, ones(7) * 0, INDEX, ones(300), terms=(None, 0, 0), carry=lambda y, _, index, x: (y, index, x)
    )
    assert bits and bits.kept == ("run_to_run", "place_invariant", "split_invariant")
    assert bits.contracts["batch_invariant"].verdict == "not asked"
    seen, tried = bits.contracts["run_to_run"].swaps
    assert 0 < seen < tried


def test_no_swap_of_an_exact_sum_is_seen():
    bits = assay.check_bits(math.fsum, ones(100, kind="f8"), terms=0)
    assert bits and bits.contracts["run_to_run"].swaps[0] == 0


def test_a_sum_whose_order_depends_on_earlier_sizes_is_refused_by_run_to_run():
    sizes = []

    def total(x):
        sizes.append(len(x))
        lanes = 2 if max(sizes) > len(x) > 1 else 1
        return chain(numpy.array([chain(x[k::lanes]) for k in range(lanes)]))

    with pytest.raises(assay.Broken, match="run_to_run: broken"):
        assay.check_bits(total, ones(20), terms=0, contract="run_to_run", tries=1)


def test_a_sum_whose_order_depends_on_the_alignment_is_refused_by_place_invariant_alone():
    def total(x):
        to_aligned = min(len(x), -x.ctypes.data % 64 // x.itemsize)
        return chain(x[:to_aligned]) + chain(x[to_aligned:]) if 0 < to_aligned < len(x) else chain(x)

    bits = assay.check_bits(total, ones(100), terms=0)
    assert bits.broken == ("place_invariant",)
    assert "behind an aligned address" in bits.contracts["place_invariant"].difference.where


def test_rows_that_are_computed_otherwise_in_a_batch_are_refused():
    def sums(x):
        return numpy.array([chain(row if len(x) < 4 else row[::-1]) for row in x])

    bits = assay.check_bits(sums, ones(2, 20), terms=1, rows=0, tries=1)
    assert bits.broken == ("batch_invariant",)
    difference = bits.contracts["batch_invariant"].difference
    assert difference.where == "in place 0 of 4 rows" and difference.again == (8, 8)


def test_a_nan_of_another_row_that_comes_through_is_refused():
    bits = assay.check_bits(lambda x: x.sum(1) + 0 * x.sum(), ones(2, 10), terms=1, rows=0)
    assert "batch_invariant" in bits.broken


def test_chunks_of_a_chain_have_its_bits_and_those_of_a_pairwise_sum_have_others():
    how = {"terms": 0, "carry": lambda y, x: (numpy.concatenate([[y], x]),), "contract": "split_invariant"}
    assert assay.check_bits(chain, ones(100), **how)
    with pytest.raises(assay.Broken, match="in chunks of"):
        assay.check_bits(numpy.sum, ones(100), **how)


def test_a_layout_that_a_function_refuses_is_told():
    def total(x):
        if not x.flags.c_contiguous:
            raise ValueError("gaps")
        return chain(x)

    finding = assay.check_bits(total, ones(10), terms=0).contracts["place_invariant"]
    assert finding and finding.why == "it refuses arrays that are every other"


@pytest.mark.parametrize(
    "how, words",
    [
        ({"contract": "same"}, "contract same: run_to_run"),
        ({"contract": "batch_invariant"}, "rows= says"),
        ({"contract": "split_invariant", "terms": 0}, "carry= and terms= say"),
        ({"terms": (0, 0)}, "terms: 2 axes for 1 arguments"),
        ({"terms": (1,)}, "terms: an array of 1 dimensions has no axis 1"),
    ],
)
def test_a_wrong_argument_is_told(how, words):
    with pytest.raises(ValueError, match=words):
        assay.check_bits(chain, ones(10), **how)


def test_an_array_of_another_library_is_refused():
    with pytest.raises(TypeError, match="argument 0: arrays of NumPy, torch and CuPy are accepted, not list"):
        assay.check_bits(chain, [1.0])


@pytest.mark.skipif(os.environ.get("ASSAY_TIER") != "nightly", reason="torch takes a second to load")
def test_a_half_and_a_bfloat16_of_torch_are_asked():
    torch = pytest.importorskip("torch")

    def total(x):
        terms = x.float()
        sum = terms[0]
        for each in terms[1:]:
            sum = sum + each
        return sum.to(x.dtype)

    for kind in (torch.float16, torch.bfloat16):
        copy = placed(held(torch.arange(6).reshape(2, 3).to(kind), "x"), Place(3, "transposed"))
        assert copy.dtype == kind and copy.tolist() == [[0, 1, 2], [3, 4, 5]] and copy.stride() == (1, 2)
        bits = assay.check_bits(total, torch.ones(5, dtype=kind), terms=0, contract="run_to_run", rounds=3)
        assert bits.contracts["run_to_run"].swaps[0] > 0


# ------------------------------------------------------------------------------------------------------- on a device


@pytest.fixture
def functions(monkeypatch):
    """examples/order/functions.py, where CUB_FUNCTIONS names its library."""
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available() or "CUB_FUNCTIONS" not in os.environ:
        pytest.skip("torch finds no device, or CUB_FUNCTIONS is not set")
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "examples" / "order"))
    return importlib.import_module("functions")


def on_device(*shape):
    import torch

    return torch.ones(*shape, device="cuda")


def test_on_a_device_a_product_whose_slices_are_added_by_atomics_is_refused(functions):
    a, b = on_device(64, 4096), on_device(4096, 64)
    with pytest.raises(assay.Broken, match="run_to_run: broken"):
        assay.check_bits(functions.product_of_slices, a, b, terms=(1, 0), contract="run_to_run")


def test_on_a_device_a_scan_whose_blocks_take_turns_by_atomics_is_refused(functions):
    def scan(x):
        return functions.prefixes("wrong_cumsum", x)

    with pytest.raises(assay.Broken, match="run_to_run: broken"):
        assay.check_bits(scan, on_device(200_000), terms=0, contract="run_to_run")


def test_on_a_device_the_sum_of_cub_is_the_same_in_every_run(functions):
    bits = assay.check_bits(lambda x: functions.total("cub_sum", x), on_device(200_000), terms=0, contract="run_to_run")
    assert bits.contracts["run_to_run"].swaps[0] > 0
