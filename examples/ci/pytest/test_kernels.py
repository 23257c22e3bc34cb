"""The promises of the kernels. No test has a tolerance."""

import kernels
import numpy as np


def test_blocked_dot_keeps_the_bound_of_any_order(assay):
    assay.check(kernels.blocked_dot, "dot", "any_order")


def test_softmax_is_within_what_its_formula_allows(assay):
    x = np.random.default_rng(1).normal(size=(8, 100)).astype(np.float32)
    assay.assert_close(kernels.softmax(x), "softmax", x)
