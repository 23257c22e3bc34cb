"""Functions of SciPy: softmax, norms and sparse products, and functions of one number in the type that the argument
names."""

import sys

import numpy
import scipy.linalg
import scipy.sparse
import scipy.special
from assay.subject import serve


def of_rows(function):
    return lambda rows, columns, x: function(x.reshape(rows, columns), axis=1).ravel() if len(x) else x


def of_number(name):
    function = getattr(scipy.special, name)
    return lambda a: function(getattr(numpy, sys.argv[1])(a))


def spmv(rows, columns, row_offsets, column_indices, values, x):
    return scipy.sparse.csr_matrix((values, column_indices, row_offsets), shape=(rows, columns)) @ x


numpy.seterr(all="ignore")
serve(
    softmax=of_rows(scipy.special.softmax),
    log_softmax=of_rows(scipy.special.log_softmax),
    nrm2=scipy.linalg.norm,
    spmv=spmv,
    **{name: of_number(name) for name in ("exp2", "exp10", "expm1", "log1p", "cbrt", "erf", "erfc")},
)
