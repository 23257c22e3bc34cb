"""Functions of JAX on its default device: jax.nn, jax.scipy.special.logsumexp and their gradients."""

import functools
import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # other programs use the device, too

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy  # noqa: E402


def on_arrays(function):
    """The function of arrays that calls a jitted function. A parameter without axes becomes one of binary32."""
    jitted = jax.jit(function)

    @functools.wraps(function)
    def called(*arguments):
        return numpy.asarray(jitted(*[numpy.array(x) if numpy.ndim(x) else numpy.float32(x) for x in arguments]))

    return called


def backward(function):
    """The gradient to the first argument of a function of one array."""
    return on_arrays(lambda x, dy: jax.vjp(function, x)[1](dy)[0])


def gelu_by_tanh(x):
    return jax.nn.gelu(x, approximate=True)


def gelu_by_erf(x):
    return jax.nn.gelu(x, approximate=False)


def softmax_of(x):
    return jax.nn.softmax(x, axis=1)


gelu, gelu_backward = on_arrays(gelu_by_tanh), backward(gelu_by_tanh)
gelu_erf, gelu_erf_backward = on_arrays(gelu_by_erf), backward(gelu_by_erf)
silu, silu_backward = on_arrays(lambda x: jax.nn.silu(x)), backward(jax.nn.silu)
sigmoid, sigmoid_backward = on_arrays(lambda x: jax.nn.sigmoid(x)), backward(jax.nn.sigmoid)
softplus, softplus_backward = on_arrays(lambda x: jax.nn.softplus(x)), backward(jax.nn.softplus)
log_sigmoid = on_arrays(lambda x: jax.nn.log_sigmoid(x))
mish = on_arrays(lambda x: jax.nn.mish(x))
tanh_of = on_arrays(lambda x: jnp.tanh(x))
hardswish = on_arrays(lambda x: jax.nn.hard_swish(x))
logsumexp = on_arrays(lambda x: jax.nn.logsumexp(x, axis=1))
variance = on_arrays(lambda x: jnp.var(x, axis=1))
std = on_arrays(lambda x: jnp.std(x, axis=1))
logaddexp = on_arrays(lambda a, b: jnp.logaddexp(a, b))
softmax = on_arrays(softmax_of)
softmax_backward = backward(softmax_of)
log_softmax = on_arrays(lambda x: jax.nn.log_softmax(x, axis=1))


@on_arrays
def attention_full(q, k, v, scale):
    """Heads of the same size are wanted: the smaller ones are filled up with zeros, which changes no sum."""
    entries, width = v.shape[1], max(q.shape[1], v.shape[1])
    q, k, v = (jnp.pad(x, ((0, 0), (0, width - x.shape[1])))[:, None] for x in (q, k, v))
    return jax.nn.dot_product_attention(q, k, v, scale=scale)[:, 0, :entries]
