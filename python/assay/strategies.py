"""Strategies of Hypothesis: the cases that assay.check asks, hard ones among them."""

from __future__ import annotations

try:
    from hypothesis import strategies
except ImportError:
    raise ImportError("assay.strategies needs Hypothesis") from None

from .judge import Case, Judge


def cases(
    operation: str, format: str = "f64", *, contract: str | None = None, seed: int = 1
) -> "strategies.SearchStrategy[Case]":
    """Cases of an operation; with a contract, only those to which the contract applies. What is drawn is the number of
    a case, and it shrinks towards 0; assay.check makes the inputs themselves smaller.

    >>> import numpy
    >>> from hypothesis import given, settings
    >>> import assay
    >>> @settings(max_examples=20, deadline=None)
    ... @given(cases("dot", contract="any_order"))
    ... def test_dot(case):
    ...     assay.assert_within(numpy.dot(*case.arguments), case, contract="any_order")
    >>> test_dot()
    """
    judge = Judge(operation, format, seed=seed)
    drawn = strategies.builds(judge.draw, strategies.integers(0, 2**32 - 1))
    if contract is None:
        return drawn
    judge.require_contract(contract)
    return drawn.filter(lambda case: case.is_promised(contract))
