"""Sums, dot products, matrix products and conversions of NumPy. The argument names the type to which numbers are
converted."""

import sys

import numpy
from assay.subject import serve

numpy.seterr(all="ignore")
serve(
    sum=numpy.sum,
    asum=lambda x: numpy.sum(numpy.abs(x)),
    nrm2=numpy.linalg.norm,
    dot=numpy.dot,
    cumsum=numpy.cumsum,
    matmul=lambda batch, m, n, k, a, b: (a.reshape(batch, m, k) @ b.reshape(batch, k, n)).ravel(),
    convert=lambda x: x.astype(sys.argv[1]),
)
