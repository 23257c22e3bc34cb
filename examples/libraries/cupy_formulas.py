"""Functions of CuPy on a CUDA device that formulas describe."""

import functools

import cupy
import cupyx.scipy.special
import numpy


def on_arrays(function):
    """The function of arrays of NumPy that calls a function of arrays of CuPy, with as many parameters."""

    @functools.wraps(function)
    def called(*arguments):
        return function(*[cupy.asarray(x) if numpy.ndim(x) else float(x) for x in arguments])

    return called


logsumexp = on_arrays(lambda x: cupyx.scipy.special.logsumexp(x, axis=1))
logaddexp = on_arrays(lambda a, b: cupy.logaddexp(a, b))
variance = on_arrays(lambda x: x.var(axis=1))
std = on_arrays(lambda x: x.std(axis=1))
mean = on_arrays(lambda x: x.mean(axis=1))
norm_2 = on_arrays(lambda x: cupy.linalg.norm(x, axis=1))
tanh_of = on_arrays(lambda x: cupy.tanh(x))
sigmoid = on_arrays(lambda x: cupyx.scipy.special.expit(x))
hypot_of = on_arrays(lambda x, y: cupy.hypot(x, y))
atan2_of = on_arrays(lambda y, x: cupy.arctan2(y, x))
pow_of = on_arrays(lambda x, y: cupy.power(x, y))
fmod_of = on_arrays(lambda x, y: cupy.fmod(x, y))
softmax = on_arrays(lambda x: cupyx.scipy.special.softmax(x, axis=1))
log_softmax = on_arrays(lambda x: cupyx.scipy.special.log_softmax(x, axis=1))
