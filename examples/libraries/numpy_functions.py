"""Functions of one number of NumPy, in the format that the argument names: float64, float32 or float16."""

import sys

import numpy
from assay.subject import serve

TYPE = getattr(numpy, sys.argv[1])
NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh",
         "atanh": "arctanh"}
ALL = ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
       "cosh", "tanh", "asinh", "acosh", "atanh", "sqrt", "cbrt")


def of_number(name):
    function = getattr(numpy, NAMES.get(name, name))
    return lambda a: function(TYPE(a))


numpy.seterr(all="ignore")
serve(**{name: of_number(name) for name in ALL})
