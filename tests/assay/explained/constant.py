"""A kernel that gives the same numbers for every case: constant.py OPERATION NUMBER …"""

import sys

from assay.subject import serve

operation, numbers = sys.argv[1], [float(each) for each in sys.argv[2:]]


def constant(*case):
    return numbers[: case[0] * case[1] * case[2]] if operation == "matmul" else numbers


serve(**{operation: constant})
