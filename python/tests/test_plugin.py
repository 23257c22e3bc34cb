"""The plugin of pytest, run on test suites of its own."""

import pytest

pytest.importorskip("numpy")

DOT = """
import math
import numpy
import pytest
"""


@pytest.fixture
def suite(pytester, monkeypatch):
    """Runs a test module with the plugin of this tree, installed or not, in a process of its own."""

    def run(text, *arguments):
        pytester.makepyfile(test_it=DOT + text)
        return pytester.runpytest_subprocess("-p", "no:assay", "-p", "assay.pytest_plugin", *arguments)

    return run


def test_marker_says_what_is_promised(suite):
    result = suite(
        """
@pytest.mark.assay(operation="dot", contract="any_order", cases=50)
def test_dot(assay):
    assert assay.check(numpy.dot)
""",
        "--strict-markers",
    )
    result.assert_outcomes(passed=1)


def test_broken_promise_fails_and_is_stored_and_told(suite, pytester):
    text = """
def test_dot(assay):
    assay.check(lambda x, y: 0.0, "dot", "any_order", cases=50)
"""
    result = suite(text)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*any_order is violated*", "*assay: failing cases*", "assay.replay(function, *"])
    assert len(list(pytester.path.glob("assay-corpus/test_dot.dot/*.json"))) == 1


def test_stored_case_is_asked_first(suite, pytester):
    suite("def test_dot(assay):\n    assay.check(lambda x, y: 0.0, 'dot', 'any_order', cases=50)\n").assert_outcomes(
        failed=1
    )
    result = suite(
        """
def test_dot(assay):
    seen = []
    def dot(x, y):
        seen.append(list(x))
        return numpy.dot(x, y)
    assay.check(dot, "dot", "any_order", cases=1)
    print("first", seen[0])
""",
        "-s",
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*first [[]*1.0*"])


def test_function_of_a_module_is_replayed_by_a_command(suite):
    result = suite(
        """
def zero(x, y):
    return 0.0

def test_dot(assay):
    assay.check(zero, "dot", "any_order", cases=50)
"""
    )
    result.stdout.fnmatch_lines(["*assay replay * --subject '* -m assay.subject test_it:zero' --as test_dot"])


def test_result_that_is_not_within_fails_and_is_stored(suite, pytester):
    result = suite(
        """
import assay as judge

@pytest.mark.assay(contract="any_order")
def test_dot(assay):
    x = numpy.array([1.0, 2.0])
    assay.assert_within(5.0, judge.dot(x, x))
    assay.assert_within(5.1, judge.dot(x, x))
"""
    )
    result.assert_outcomes(failed=1)
    assert len(list(pytester.path.glob("assay-corpus/test_dot.dot/*.json"))) == 1


def test_undecided_promise_is_an_error(suite):
    result = suite(
        """
import assay as judge

def test_dot(assay):
    x = numpy.array([1.0, 2.0])
    assay.assert_within(5.0, judge.dot(x, x), contract="order_free")
"""
    )
    result.assert_outcomes(passed=1, errors=1)


def test_missing_library_is_a_skip(suite, monkeypatch):
    monkeypatch.setenv("LIBASSAY_JUDGE", "/nonexistent.so")
    suite("def test_dot(assay):\n    assert False\n").assert_outcomes(skipped=1)


def test_options_set_corpus_seed_and_tier(suite, pytester):
    result = suite(
        """
def test_settings(assay):
    assert assay.seed == 7 and assay.tier == "nightly" and assay.corpus.name == "elsewhere"
""",
        "--assay-seed=7",
        "--assay-tier=nightly",
        "--assay-corpus=elsewhere",
    )
    result.assert_outcomes(passed=1)


def test_unknown_tier_is_refused(suite):
    assert suite("", "--assay-tier=quik").ret == pytest.ExitCode.USAGE_ERROR


def test_function_that_skips_the_test_fails_it(suite):
    text = """
def test_dot(assay):
    assay.check(lambda x, y: pytest.skip("nothing to see here"), "dot", "any_order", cases=5)
"""
    suite(text).assert_outcomes(failed=1)


def test_seed_may_be_a_new_one_each_time(suite):
    text = """
def test_dot(assay):
    assert assay.check(numpy.dot, "dot", cases=5, controls=False, shrink_steps=0).seed > 1
"""
    suite(text, "--assay-seed=random").assert_outcomes(passed=1)


def test_formula_is_asked_and_a_result_held_to_it_by_the_fixture(suite):
    text = """
SCALED = "scaled(x[n]) -> y[n]\\n  y = 3 * x\\n"

def test_function(assay):
    assay.check(lambda x: 3 * x, SCALED, "any_order", cases=20, controls=False)

def test_result(assay):
    x = numpy.linspace(0, 1, 9)
    assay.assert_close(3 * x, SCALED, x)

def test_wrong_result(assay):
    x = numpy.linspace(0, 1, 9)
    assay.assert_close(4 * x, SCALED, x)
"""
    result = suite(text)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*assay.Broken: scaled f64: any_order is broken"])
