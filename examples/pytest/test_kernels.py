"""A test suite of a user: `pytest examples/pytest`. No test has a tolerance."""

import math

import kernels
import numpy as np
import pytest
from hypothesis import given, settings

import assay as judge
from assay.strategies import cases


def test_numpy_dot_adds_in_any_order(assay):
    assay.check(np.dot, "dot", "any_order")


@pytest.mark.assay(operation="sum", contract="any_order")
def test_recursive_sum_keeps_the_classical_bound(assay):
    assay.check(kernels.recursive_sum)


@pytest.mark.assay(operation="sum", contract="compensated")
def test_compensated_sum_is_nearly_as_good_as_twice_the_precision(assay):
    assay.check(kernels.compensated_sum)


def test_fsum_rounds_once(assay):
    assay.check(math.fsum, "sum", ["correctly_rounded", "order_free"])


def test_blocked_product_keeps_the_bound_by_entry(assay):
    assay.check(kernels.blocked_product, "gemm", "grade_a", cases=300)


def test_recursive_sum_is_not_faithful():
    verdict = judge.check(kernels.recursive_sum, "sum", cases=300)
    assert "faithful" in verdict.broken
    assert "x: 3 numbers" in verdict.contracts["faithful"].counterexample.text


def test_product_of_a_program_is_within_its_bound(assay):
    a, b = np.random.default_rng(1).normal(size=(2, 20, 20))
    assay.assert_within(a @ b, judge.gemm(a, b), contract="grade_a")


@settings(max_examples=50, deadline=None)
@given(cases("nrm2"))
def test_norm_keeps_its_bound_where_squares_do_not_underflow(case):
    judgments = case.ask(lambda x: np.sqrt(np.dot(x, x)))
    assert judgments["any_order"].verdict in ("kept", "outside")
