"""Sums, dot products and matrix products of NumPy."""

import numpy
from assay.subject import serve

serve(
    sum=numpy.sum,
    asum=lambda x: numpy.sum(numpy.abs(x)),
    nrm2=numpy.linalg.norm,
    dot=numpy.dot,
    matmul=lambda batch, m, n, k, a, b: (a.reshape(batch, m, k) @ b.reshape(batch, k, n)).ravel(),
)
