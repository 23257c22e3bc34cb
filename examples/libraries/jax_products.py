"""jax.numpy.matmul on a device, by the precision that the argument names: default, high or highest."""

import os
import sys

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # other programs use the device, too

import jax  # noqa: E402
import numpy  # noqa: E402
from assay.subject import serve  # noqa: E402

jax.config.update("jax_enable_x64", True)
PRECISION = jax.lax.Precision[sys.argv[1].upper()]


def matmul(batch, m, n, k, a, b):
    kind = jax.numpy.bfloat16 if a.dtype.name == "uint16" else a.dtype
    product = jax.numpy.matmul(a.view(kind).reshape(batch, m, k), b.view(kind).reshape(batch, k, n), precision=PRECISION)
    result = numpy.asarray(product).ravel()
    return result.view("uint16") if a.dtype.name == "uint16" else result


serve(matmul=matmul)
