"""Kernels of a user, whose promises test_kernels.py checks."""

import numpy as np


def recursive_sum(x):
    """Adds from the first number to the last."""
    total = 0.0
    for each in x:
        total += float(each)
    return total


def compensated_sum(x):
    """Sum2 of Ogita, Rump and Oishi: TwoSum gives the error of every addition, and the errors are added up."""
    total = error = 0.0
    for each in x:
        before = total
        total = before + float(each)
        part = total - before
        error += (before - (total - part)) + (float(each) - part)
    return total + error


def blocked_product(alpha, a, b, beta, c):
    """α·A·B + β·C, with the inner dimension in blocks of 32, also of several products at once.

    BLAS libraries do not read operands that a factor of 0 leaves out.
    """
    product = np.zeros(c.shape, c.dtype)
    if alpha != 0:
        for first in range(0, a.shape[-1], 32):
            product += a[..., first : first + 32] @ b[..., first : first + 32, :]
        product *= alpha
    return product if beta == 0 else product + beta * c
