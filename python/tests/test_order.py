"""assay.probe_order."""

import math
import os
import time

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

NUMPY = "split(128,8,lanes_tail(8,chain,pairs))"


def chain(x):
    return numpy.add.accumulate(x)[-1]


def from_the_end(x):
    return chain(x[::-1])


def in_lanes(x):
    """16 lanes, each a chain, and pairs of the lanes."""
    sums = [chain(x[t::16]) for t in range(16)]
    while len(sums) > 1:
        sums = [a + b for a, b in zip(sums[::2], sums[1::2])]
    return sums[0]


@pytest.mark.parametrize("format", ["f64", "f32"])
def test_the_sum_of_numpy_is_pairwise_with_eight_lanes_in_blocks_of_128(format):
    order = assay.probe_order(numpy.sum, "sum", 1001, format=format)
    assert order and order.family == NUMPY, str(order)
    assert (order.predicted, order.checked) == (4096, 4096)
    assert "8 lanes with stride 8" in order.words
    assert order.bound.theorem == "sum.tree.2" and order.bound.roundings == order.height < 30
    assert order.svg.startswith("<svg")


def test_other_sums_are_told_apart():
    assert assay.probe_order(chain, "sum", 100).family == "chain"
    assert assay.probe_order(from_the_end, "sum", 100).family == "reversed"
    assert assay.probe_order(in_lanes, "sum", 512).family == "lanes(16,chain,pairs)"
    assert assay.probe_order(numpy.cumsum, "cumsum", 64).family == "chain"


def test_an_exact_sum_is_no_tree():
    order = assay.probe_order(math.fsum, "sum", 50)
    assert not order and order.verdict == "no tree of additions"
    assert "nothing is lost" in order.why


def test_a_compensated_sum_is_no_tree():
    def kahan(x):
        total = error = 0.0
        for each in x:
            y = each - error
            next_total = total + y
            error = (next_total - total) - y
            total = next_total
        return total

    order = assay.probe_order(kahan, "sum", 20)
    assert order.verdict == "no tree of additions" and order.predicted < order.checked
    assert order.example.got != order.example.other and len(order.example.terms) == 20


def test_an_order_that_changes_is_not_fixed():
    calls = iter(range(10**9))
    order = assay.probe_order(lambda x: chain(x) if next(calls) % 5 else from_the_end(x), "sum", 30)
    assert order.verdict == "not fixed", str(order)


def test_products_are_rounded_or_fused():
    order = assay.probe_order(lambda x, y: chain(x * y), "dot", 40)
    assert order.family == "chain" and "products rounded before" in order.arithmetic
    assert order.bound.theorem == "dot.tree.1"


def test_the_mean_of_a_layer_norm_has_a_tree():
    def layer_norm(rows, columns, eps, x, weight, bias):
        x = x.reshape(rows, columns)
        mean = chain(x[0]) / x.dtype.type(columns)
        variance = numpy.mean((x - mean) ** 2)
        return ((x - mean) / numpy.sqrt(variance + eps) * weight + bias).reshape(-1)

    order = assay.probe_order(layer_norm, "layer_norm", 24)
    assert order.family == "chain", str(order)
    assert order.checked == 0 and order.bound is None


def test_two_orders_are_compared(tmp_path):
    one = assay.probe_order(chain, "sum", 64)
    same = assay.probe_order(chain, "sum", 64, other=one)
    assert same.compared["only_here"] == same.compared["only_there"] == 0 and not same.compared["example"]
    other = assay.probe_order(numpy.sum, "sum", 64, other=one)
    assert other.compared["only_here"] > 0 and "meet after" in other.compared["example"]
    with pytest.raises(ValueError, match="64 terms, not 65"):
        assay.probe_order(chain, "sum", 65, other=one)


@pytest.mark.skipif(os.environ.get("ASSAY_TIER") != "nightly", reason="takes ten seconds")
def test_a_million_terms_take_less_than_ten_seconds():
    began = time.process_time()
    order = assay.probe_order(numpy.sum, "sum", 10**6)
    assert order.family == f"blocks(8192,{NUMPY},chain)" and order.sampled and order.pairs >= 64, str(order)
    assert order.predicted == order.checked >= 1
    assert time.process_time() - began < 10


def test_wrong_questions_are_refused():
    for arguments, line in [
        ({"operation": "nrm2", "n": 8}, "operation nrm2: it has no order here"),
        ({"operation": "sum", "n": 1}, "terms: an integer from 2 to 2"),
        ({"operation": "layer_norm", "n": 8, "format": "f16"}, "of layer_norm f64 and f32"),
    ]:
        with pytest.raises(ValueError, match=line):
            assay.probe_order(lambda *given: given[0], **arguments)


def test_exceptions_are_passed_on():
    def fails(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        assay.probe_order(fails, "sum", 8)
