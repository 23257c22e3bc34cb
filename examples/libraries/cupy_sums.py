"""Sums, dot products and matrix products of CuPy on a CUDA device."""

import cupy
from assay.subject import serve

serve(
    sum=lambda x: float(cupy.asarray(x).sum()),
    asum=lambda x: float(cupy.abs(cupy.asarray(x)).sum()),
    nrm2=lambda x: float(cupy.linalg.norm(cupy.asarray(x))),
    dot=lambda x, y: float(cupy.dot(cupy.asarray(x), cupy.asarray(y))),
    matmul=lambda batch, m, n, k, a, b: cupy.asnumpy(
        cupy.asarray(a).reshape(batch, m, k) @ cupy.asarray(b).reshape(batch, k, n)
    ).ravel(),
)
