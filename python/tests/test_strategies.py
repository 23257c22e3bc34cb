"""The strategies of Hypothesis."""

import pytest

pytest.importorskip("hypothesis")
numpy = pytest.importorskip("numpy")

from hypothesis import assume, find, given, settings  # noqa: E402

import assay  # noqa: E402
import assay.strategies  # noqa: E402


@settings(max_examples=50, deadline=None, database=None)
@given(assay.strategies.cases("dot"))
def test_draw_cases_of_the_operation(case):
    assume(case.judge(numpy.dot(*case.arguments))["any_order"].verdict != "outside")  # its bound is not empty
    assay.assert_within(numpy.dot(*case.arguments), case, contract="any_order")


def test_shrink_to_the_first_case():
    found = find(assay.strategies.cases("sum"), lambda case: True, settings=settings(database=None))
    assert found.id == assay.Judge("sum").draw(0).id
