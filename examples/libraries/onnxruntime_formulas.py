"""Operators of ONNX Runtime on the processor. A model of one operator is written here in the format of ONNX, so that
nothing else is needed."""

import functools
import struct

import numpy
import onnxruntime

KINDS = {"float32": 1, "float16": 10}


def varint(number):
    """A number in the base 128, as protocol buffers have it."""
    digits = []
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes([*digits, number])


def field(number, value):
    """A field of a message: an integer, a float, a text, or the bytes of a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    raw = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(raw)) + raw


def attribute(name, value):
    place, kind = {float: (2, 1), int: (3, 2), str: (4, 3)}[type(value)]
    return field(5, field(1, name) + field(place, value) + field(20, kind))


def tensor(name, kind):
    return field(1, name) + field(2, field(1, field(1, kind)))


@functools.lru_cache(maxsize=64)
def session(operator, inputs, kind, attributes):
    """A model of one operator, ready to run."""
    names = [f"x{i}" for i in range(inputs)]
    node = b"".join(field(1, each) for each in names) + field(2, "y") + field(4, operator)
    node += b"".join(attribute(name, value) for name, value in attributes)
    graph = field(1, node) + field(2, "g") + b"".join(field(11, tensor(each, kind)) for each in names)
    graph += field(12, tensor("y", kind))
    model = field(1, 9) + field(7, graph) + field(8, field(1, "") + field(2, 20))
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])


def run(operator, *arrays, **attributes):
    arrays = [numpy.array(each) for each in arrays]
    made = session(operator, len(arrays), KINDS[arrays[0].dtype.name], tuple(attributes.items()))
    return made.run(None, {f"x{i}": each for i, each in enumerate(arrays)})[0]


def operator(name, **attributes):
    """The function of one array that an operator computes."""
    return lambda x: run(name, x, **attributes)


gelu, gelu_erf = operator("Gelu", approximate="tanh"), operator("Gelu")
sigmoid, tanh_of, softplus = operator("Sigmoid"), operator("Tanh"), operator("Softplus")
mish, hardswish, relu = operator("Mish"), operator("HardSwish"), operator("Relu")
softmax, log_softmax = operator("Softmax", axis=1), operator("LogSoftmax", axis=1)


def elu(x, alpha):
    return run("Elu", x, alpha=float(alpha))


def logsumexp(x):
    """One row after the other: without axes the operator adds up all of an array."""
    return numpy.stack([run("ReduceLogSumExp", each, keepdims=0) for each in x])


def layer_norm(x, weight, bias, eps):
    return run("LayerNormalization", x, weight, bias, axis=1, epsilon=float(eps))


def pow_of(x, y):
    return run("Pow", x, y)
