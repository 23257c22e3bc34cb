"""Kernels of public reports are refused by the rung that their author would claim, and by a small counterexample."""

import os
import re

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
import tables  # noqa: E402
from reports import REPORTS  # noqa: E402

EACH = pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.source)
#: A larger counterexample is no use to a reader.
MOST_NUMBERS = 16
#: Cases are not cut along the axes of an array with an axis of constant length, such as the pairs that rope turns.
CONSTANT_AXIS = ("rope_angles", "rope_halves")


def test_there_are_sixty_reports():
    assert len({report.source for report in REPORTS}) >= 60


@EACH
def test_reported_mistake_is_refused(report):
    wrong = [(report.rung, report.kernel)]
    (asked,) = tables.tallies(report.operation, report.format, wrong, 400, are_wrong=True)
    assert asked.broken


@EACH
@pytest.mark.skipif(os.environ.get("ASSAY_TIER") != "nightly", reason="takes half a minute")
def test_reported_mistake_has_a_small_counterexample(report):
    with numpy.errstate(all="ignore"), pytest.raises(assay.Broken) as broken:
        assay.check(
            lambda *arguments: report.kernel(*arguments), tables.text_of(report.operation), report.rung,
            format=report.format, cases=100, controls=False,
        )  # fmt: skip
    inputs = str(broken.value).split("\n  got")[0]
    lists, scalars = re.findall(r"^  \w+: (\d+) number", inputs, re.M), re.findall(r"^  \w+ = \S+  \[", inputs, re.M)
    assert sum(map(int, lists)) + len(scalars) <= MOST_NUMBERS or report.operation in CONSTANT_AXIS
