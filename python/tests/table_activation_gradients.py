"""Kernels of the gradients of activations: the slope times the incoming gradient."""

import numpy

from forms import in64, nan_lost, table
from table_activations import abs_, erf_by_sum, erf_of, exp, expm1, low, sigmoid, sigmoid_by_tanh, softplus, tanh
from tables import Wrong

ROOT = (2 / numpy.pi) ** 0.5
DENSITY = (2 * numpy.pi) ** -0.5


def gelu_slope(x, c=0.044715, three=3.0):
    u = ROOT * (x + c * x**3)
    return sigmoid(2 * u) + 2 * x * sigmoid(2 * u) * sigmoid(-2 * u) * (ROOT * (1 + three * c * x * x))


def gelu_slope_by_tanh(x):
    t = tanh(ROOT * (x + 0.044715 * x**3))
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * (ROOT * (1 + 0.134145 * x * x))


def gelu_erf_slope(x, erf=erf_of):
    return 0.5 * (1 + erf(x * 0.5**0.5)) + x * exp(-0.5 * x * x) * DENSITY


def normal(x):
    return 0.5 * (1 + erf_of(x * 0.5**0.5))


def silu_slope(x):
    return sigmoid(x) * (1 + x * sigmoid(-x))


def silu_slope_of_one_sigmoid(x):
    return sigmoid(x) * (1 + x * (1 - sigmoid(x)))


def bell(x):
    """σ(1 − σ)"""
    return sigmoid(x) * sigmoid(-x)


def bell_by_one_exponential(x):
    e = exp(-abs_(x))
    return e / (1 + e) ** 2


def times(slope):
    return lambda x, dy: slope(x) * dy


def dy_first(x, dy):
    """dy·eˣ/(eˣ + 1) up to a threshold, as PyTorch computes it in binary32. In binary64 its threshold of 20 is too low,
    as e⁻²⁰ is far above the unit roundoff."""
    threshold = x.dtype.type(40 if x.dtype == "f8" else 20)
    z = exp(numpy.minimum(x, threshold))
    return numpy.where(x > threshold, dy, dy * z / (z + 1))


TABLE = {
    "gelu_backward": table(
        times(gelu_slope),
        {
            "any_order": {"the_product_first": in64(lambda x, dy: dy * gelu_slope(x))},
            "ways": {"by_tanh": times(gelu_slope_by_tanh)},
        },
        [
            Wrong("ways", in64(times(gelu_erf_slope)), "the slope of the other gelu"),
            Wrong("ways", in64(times(lambda x: gelu_slope(x, three=1.0))), "the factor 3 left out"),
            Wrong("ways", in64(times(lambda x: gelu_slope(x, 0.0447))), "0.0447 for 0.044715"),
            Wrong("ways", times(lambda x: sigmoid(2 * ROOT * (x + 0.044715 * x**3))), "the second term left out"),
            Wrong("fast", times(gelu_slope_by_tanh), "1 + tanh, which cancels"),
            Wrong("fast", lambda x, dy: gelu_slope(dy) * x, "the arguments exchanged"),
        ],
    ),
    "gelu_erf_backward": table(
        times(gelu_erf_slope),
        {
            "any_order": {"erf_by_its_series": in64(times(lambda x: gelu_erf_slope(x, erf_by_sum)))},
            "ways": {"of_a_product": lambda x, dy: normal(x) * dy + x * (exp(-0.5 * x * x) * DENSITY * dy)},
        },
        [
            Wrong("fast", in64(times(gelu_slope)), "the slope of the other gelu"),
            Wrong("fast", in64(times(normal)), "the second term left out"),
            Wrong("fast", in64(times(lambda x: normal(x) + exp(-0.5 * x * x) * DENSITY)), "the factor x left out"),
            Wrong("fast", in64(times(lambda x: normal(x) + x * exp(-x * x) * DENSITY)), "exp(-x²) for exp(-x²/2)"),
            Wrong("fast", in64(times(lambda x: normal(x) - x * exp(-0.5 * x * x) * DENSITY)), "a sign"),
        ],
    ),
    "silu_backward": table(
        times(silu_slope),
        {
            "any_order": {"of_two_terms": in64(times(lambda x: sigmoid(x) + x * bell(x)))},
            "ways": {
                "of_one_sigmoid": times(silu_slope_of_one_sigmoid),
                "of_a_product": lambda x, dy: sigmoid(x) * dy + x * (bell(x) * dy),
            },
        },
        [
            Wrong("ways", times(bell), "the slope of the sigmoid"),
            Wrong("ways", times(lambda x: sigmoid(x) * (1 + x)), "1 - σ left out"),
            Wrong("ways", times(lambda x: sigmoid(x) * (1 - x * sigmoid(-x))), "a sign"),
            Wrong("ways", times(lambda x: x * sigmoid(x)), "silu for its slope"),
            Wrong("ways", times(lambda x: exp(x) * (1 + x + exp(x)) / (1 + exp(x)) ** 2), "∞/∞ from x = 45 on"),
        ],
    ),
    "sigmoid_backward": table(
        times(bell),
        {
            "any_order": {"by_one_exponential": in64(times(bell_by_one_exponential))},
            "fast": {"by_one_exponential_in_the_format": times(bell_by_one_exponential)},
            "ways": {"of_one_sigmoid": times(lambda x: sigmoid(x) * (1 - sigmoid(x)))},
        },
        [
            Wrong("fast", times(lambda x: sigmoid(x) * (1 - sigmoid(x))), "0 from x = 17 on"),
            Wrong("ways", times(lambda x: x * (1 - x)), "the input taken for the output"),
            Wrong("ways", times(lambda x: exp(-x) / (1 + exp(-x)) ** 2), "∞/∞ below x = -45"),
            Wrong("ways", times(lambda x: 1 - sigmoid(x)), "one factor left out"),
            Wrong("ways", times(lambda x: 0.25 * (1 - tanh(x) ** 2)), "tanh of x for tanh of x/2"),
        ],
    ),
    "tanh_backward": table(
        times(lambda x: 4 * bell(2 * x)),
        {
            "any_order": {"by_one_exponential": in64(times(lambda x: 4 * bell_by_one_exponential(2 * x)))},
            "ways": {"of_the_square": times(lambda x: 1 - tanh(x) ** 2)},
        },
        [
            Wrong("fast", times(lambda x: 1 - tanh(x) ** 2), "0 from x = 9 on"),
            Wrong("ways", times(lambda x: 1 - x * x), "the input taken for the output"),
            Wrong("ways", times(lambda x: 1 - tanh(x)), "the square left out"),
            Wrong("ways", times(bell), "the slope of the sigmoid"),
            Wrong("ways", times(lambda x: 4 * bell(x)), "x for 2x"),
            Wrong("exceptional", nan_lost(times(lambda x: 1 - tanh(x) ** 2)), "a NaN lost by a maximum"),
        ],
    ),
    "softplus_backward": table(
        times(sigmoid),
        {
            "any_order": {
                "exp_of_softplus": in64(times(lambda x: exp(-softplus(-x)))),
                "by_a_quotient": in64(lambda x, dy: dy * (1 / (1 + exp(-x)))),
            },
            "ways": {"dy_first": dy_first},
        },
        [
            Wrong("fast", times(lambda x: exp(x) / (1 + exp(x))), "∞/∞ from x = 89 on"),
            Wrong("fast", times(lambda x: numpy.where(x > 4, 1, sigmoid(x)).astype(x.dtype)), "a threshold too low"),
            Wrong("fast", times(lambda x: sigmoid(-x)), "the sign of x"),
            Wrong("fast", times(sigmoid_by_tanh), "no digits below x = -17"),
            Wrong("fast", times(lambda x: (x > 0).astype(x.dtype)), "the slope of relu"),
        ],
    ),
    "log_sigmoid_backward": table(
        times(lambda x: sigmoid(-x)),
        {
            "any_order": {
                "exp_of_softplus": in64(times(lambda x: exp(-softplus(x)))),
                "by_a_quotient": in64(lambda x, dy: dy * (1 / (1 + exp(x)))),
            }
        },
        [
            Wrong("fast", times(lambda x: 1 - sigmoid(x)), "0 from x = 17 on"),
            Wrong("fast", times(sigmoid), "the sign of x"),
            Wrong("fast", times(lambda x: -sigmoid(-x)), "the sign"),
            Wrong("fast", times(lambda x: exp(-x) / (1 + exp(-x))), "∞/∞ below x = -89"),
            Wrong("fast", times(bell), "the slope of the sigmoid"),
        ],
    ),
    "elu_backward": table(
        times(lambda x: exp(low(x, 0))),
        {
            "any_order": {"by_a_choice": in64(times(lambda x: numpy.where(x > 0, 1, exp(low(x, 0)))))},
            "fast": {"by_a_choice_in_the_format": lambda x, dy: numpy.where(x > 0, dy, dy * exp(low(x, 0)))},
        },
        [
            Wrong("fast", times(lambda x: (x > 0) + (x <= 0) * exp(x)), "0·∞ from x = 89 on"),
            Wrong("fast", times(lambda x: expm1(low(x, 0))), "elu for its slope"),
            Wrong("fast", times(lambda x: (x > 0).astype(x.dtype)), "the slope of relu"),
            Wrong("fast", times(lambda x: exp(-abs_(x))), "the side above 0"),
            Wrong("fast", times(lambda x: 1 + expm1(low(x, 0))), "a cancellation far below 0"),
        ],
    ),
    "swiglu_backward_gate": table(
        lambda g, x, dy: silu_slope(g) * (x * dy),
        {
            "any_order": {"of_two_terms": in64(lambda g, x, dy: dy * x * (sigmoid(g) + g * bell(g)))},
            "ways": {"of_one_sigmoid": lambda g, x, dy: silu_slope_of_one_sigmoid(g) * (x * dy)},
        },
        [
            Wrong("ways", lambda g, x, dy: silu_slope(x) * (g * dy), "the gate and its product exchanged"),
            Wrong("ways", lambda g, x, dy: silu_slope(g) * dy, "the factor x left out"),
            Wrong("ways", lambda g, x, dy: g * sigmoid(g) * dy, "the gradient to x"),
            Wrong("ways", lambda g, x, dy: bell(g) * x * dy, "the slope of the sigmoid"),
            Wrong("ways", lambda g, x, dy: sigmoid(g) * (1 + g) * x * dy, "1 - σ left out"),
        ],
    ),
    "swiglu_backward_x": table(
        lambda g, dy: g * sigmoid(g) * dy,
        {
            "any_order": {
                "by_a_quotient": in64(lambda g, dy: g / (1 + exp(-g)) * dy),
                "the_product_first": in64(lambda g, dy: dy * (g * exp(-softplus(-g)))),
            }
        },
        [
            Wrong("fast", lambda g, dy: silu_slope(g) * dy, "the slope of silu"),
            Wrong("fast", lambda g, dy: sigmoid(g) * dy, "the factor g left out"),
            Wrong("fast", lambda g, dy: dy * sigmoid(dy) * g, "the arguments exchanged"),
            Wrong("fast", lambda g, dy: g * (exp(g) / (1 + exp(g))) * dy, "∞/∞ from g = 89 on"),
            Wrong("fast", lambda g, dy: g * sigmoid(1.702 * g) * dy, "the sigmoid form of gelu"),
        ],
    ),
}
