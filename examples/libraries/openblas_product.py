"""The matrix product of OpenBLAS as a kernel from outside, in f32 and f64, without other packages of Python.

    PYTHONPATH=python assay probe-device --subject "python3 examples/libraries/openblas_product.py" --format f64
"""

import array
import ctypes

from assay.subject import serve

_LIBRARY = ctypes.CDLL("libopenblas.so.0")
_ROW_MAJOR, _NO_TRANSPOSE = 101, 111


def _numbers(kind, values):
    return (kind * len(values))(*values)


def matmul(batch, m, n, k, a, b):
    is_double = (a.typecode if isinstance(a, array.array) else a.dtype.char) == "d"
    kind = ctypes.c_double if is_double else ctypes.c_float
    product = _LIBRARY.cblas_dgemm if is_double else _LIBRARY.cblas_sgemm
    left, right, d = _numbers(kind, a), _numbers(kind, b), (kind * (batch * m * n))()
    size = ctypes.sizeof(kind)
    rows, columns, inner = ctypes.c_int(m), ctypes.c_int(n), ctypes.c_int(k)
    for p in range(batch):
        product(_ROW_MAJOR, _NO_TRANSPOSE, _NO_TRANSPOSE, rows, columns, inner, kind(1),
                ctypes.byref(left, p * m * k * size), inner, ctypes.byref(right, p * k * n * size), columns, kind(0),
                ctypes.byref(d, p * m * n * size), columns)
    return list(d)


serve(matmul=matmul)
