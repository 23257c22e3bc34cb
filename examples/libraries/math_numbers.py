"""Sums and norms of Python itself. The argument chooses the sum: sum or fsum."""

import math
import sys

from assay.subject import serve


def fsum(x):
    try:
        return math.fsum(x)
    except OverflowError:  # of a partial sum
        return math.inf
    except ValueError:  # infinities of both signs
        return math.nan


serve(
    sum={"sum": lambda x: sum(x.tolist(), 0.0), "fsum": fsum}[sys.argv[1]],
    nrm2=lambda x: math.hypot(*x.tolist()),
)
