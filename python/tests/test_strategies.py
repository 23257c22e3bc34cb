"""The strategies of Hypothesis."""

import pytest

pytest.importorskip("hypothesis")
numpy = pytest.importorskip("numpy")

from hypothesis import find, given, settings  # noqa: E402

import assay  # noqa: E402
import assay.strategies  # noqa: E402


@settings(max_examples=50, deadline=None, database=None)
@given(assay.strategies.cases("dot", contract="any_order"))
def test_draw_cases_of_which_the_contract_speaks(case):
    assay.assert_within(numpy.dot(*case.arguments), case, contract="any_order")


def test_shrink_to_the_first_case():
    found = find(assay.strategies.cases("sum"), lambda case: True, settings=settings(database=None))
    assert found.id == assay.Judge("sum").draw(0).id


def test_leave_out_cases_whose_bound_is_empty():
    judge = assay.Judge("dot")
    outside = next(case for case in map(judge.draw, range(2000)) if not case.is_promised("any_order"))
    zero = numpy.dot(*outside.arguments) * 0.0
    assert outside.judge_one(zero, "any_order").verdict == "outside"


def test_name_the_contracts_where_one_is_unknown():
    with pytest.raises(ValueError, match="no contract any_ordr; dot f64 has: "):
        assay.strategies.cases("dot", contract="any_ordr")
