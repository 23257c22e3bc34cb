"""Kernels of activations. The mistakes are taken from public reports: an exponential that overflows, a cancellation,
the other gelu, a NaN that a maximum loses, a factor or a sign left out, a coarse approximation.
"""

import numpy

from forms import erf, in64, nan_lost, table
from tables import Wrong

exp, expm1, log, log1p, tanh = numpy.exp, numpy.expm1, numpy.log, numpy.log1p, numpy.tanh
low, high, abs_ = numpy.minimum, numpy.maximum, numpy.abs


def sigmoid(x):
    """exp(min(x, 0))/(1 + exp(−|x|)), which never overflows."""
    return exp(low(x, 0)) / (1 + exp(-abs_(x)))


def sigmoid_by_tanh(x):
    return 0.5 + 0.5 * tanh(0.5 * x)


def softplus(x):
    return high(x, 0) + log1p(exp(-abs_(x)))


def erf_of(x):
    return erf(x).astype(x.dtype)


def erf_by_polynomial(x):
    """Abramowitz and Stegun 7.1.26, within 1.5e-7."""
    t = 1 / (1 + 0.3275911 * abs_(x))
    p = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return numpy.sign(x) * (1 - p * exp(-x * x))


def erf_by_sum(x):
    """2x·exp(−x²)/√π·Σ (2x²)ᵏ/(1·3·…·(2k + 1)), and ±1 from |x| = 6 on."""
    inner = high(low(x, 6), -6)
    term = inner * 2 / numpy.pi**0.5 * exp(-inner * inner)
    total = term
    for k in range(1, 140):
        term = term * (2 * inner * inner) / (2 * k + 1)
        total = total + term
    return numpy.where(abs_(x) < 6, total, numpy.sign(x))


def gelu_erf(x, erf=erf_of):
    return 0.5 * x * (1 + erf(x * 0.5**0.5))


def gelu_tanh(x):
    return 0.5 * x * (1 + tanh((2 / numpy.pi) ** 0.5 * (x + 0.044715 * x**3)))


def mish_by_exp(x):
    """tanh(ln(1 + e)) = (e² + 2e)/(e² + 2e + 2) with e = a/b, both at most 1."""
    a, b = exp(low(x, 0)), exp(-high(x, 0))
    n = a * a + 2 * a * b
    return x * (n / (n + 2 * b * b))


def mish_by_branches(x):
    e = exp(-abs_(x))
    return x * numpy.where(x > 0, (1 + 2 * e) / (1 + 2 * e + 2 * e * e), e * (e + 2) / (e * (e + 2) + 2))


def tanh_by_expm1(x):
    e = expm1(-2 * abs_(x))
    return numpy.copysign(-e / (e + 2), x)


def mish(x):
    return x * tanh(softplus(x))


def elu(x, alpha):
    return high(x, 0) + alpha * expm1(low(x, 0))


def hard(x):
    return low(high(x + 3, 0), 6)


def leaky_relu(x, slope):
    return high(x, slope * x)


def log_sigmoid(x):
    return low(x, 0) - log1p(exp(-abs_(x)))


TABLE = {
    "sigmoid": table(
        sigmoid,
        {"any_order": {"exp_of_softplus": in64(lambda x: exp(-softplus(-x)))}, "ways": {"by_tanh": sigmoid_by_tanh}},
        [
            Wrong("fast", lambda x: exp(x) / (1 + exp(x)), "∞/∞ from x = 89 on"),
            Wrong("fast", lambda x: 0.5 + 0.5 * tanh(x), "tanh of x for tanh of x/2"),
            Wrong("fast", lambda x: sigmoid(-x), "the sign of x"),
            Wrong("fast", lambda x: sigmoid(numpy.clip(x, -10, 10)), "a clamp at 10"),
            Wrong("fast", lambda x: hard(x) / 6, "the hard sigmoid"),
            Wrong("fast", sigmoid_by_tanh, "no digits below x = -17"),
            Wrong("exceptional", nan_lost(sigmoid), "a NaN lost by a maximum"),
        ],
    ),
    "tanh_of": table(
        tanh,
        {
            "any_order": {"by_expm1_in_binary64": in64(tanh_by_expm1)},
            "fast": {"by_expm1": tanh_by_expm1},
            "ways": {
                "of_sigmoid": lambda x: 2 * sigmoid(2 * x) - 1,
                "of_the_other_sigmoid": lambda x: 1 - 2 * sigmoid(-2 * x),
            },
        },
        [
            Wrong("fast", lambda x: (exp(2 * x) - 1) / (exp(2 * x) + 1), "∞/∞ for large x"),
            Wrong("fast", lambda x: 2 * sigmoid(2 * x) - 1, "a cancellation beside 0"),
            Wrong("fast", lambda x: 2 * sigmoid(x) - 1, "sigmoid of x for sigmoid of 2x"),
            Wrong("fast", lambda x: numpy.clip(x, -1, 1), "the hard tanh"),
            Wrong("fast", lambda x: x * (27 + x * x) / (27 + 9 * x * x), "a rational approximation"),
            Wrong("exceptional", nan_lost(tanh), "a NaN lost by a maximum"),
        ],
    ),
    "log_sigmoid": table(
        log_sigmoid,
        {
            "any_order": {"by_logaddexp": in64(lambda x: -numpy.logaddexp(0, -x))},
            "fast": {"of_softplus": lambda x: -softplus(-x)},
        },
        [
            Wrong("fast", lambda x: log(sigmoid(x)), "0 for large x"),
            Wrong("fast", lambda x: log(1 / (1 + exp(-x))), "-∞ from x = -89 on"),
            Wrong("fast", softplus, "softplus"),
            Wrong("fast", lambda x: -softplus(x), "the sign of x"),
            Wrong("fast", lambda x: low(x, 0) - log(1 + exp(-abs_(x))), "log(1 + e) for log1p(e)"),
            Wrong("exceptional", nan_lost(log_sigmoid), "a NaN lost by a maximum"),
        ],
    ),
    "softplus": table(
        softplus,
        {
            "any_order": {
                "by_logaddexp": in64(lambda x: numpy.logaddexp(x, 0)),
                "with_a_threshold": in64(lambda x: numpy.where(x > 40, x, log1p(exp(low(x, 40))))),
            },
            "ways": {"with_a_threshold": lambda x: numpy.where(x > 40, x, log1p(exp(low(x, 40))))},
        },
        [
            Wrong("fast", lambda x: log(1 + exp(x)), "∞ from x = 89 on"),
            Wrong("fast", lambda x: numpy.where(x > 20, x, log(1 + exp(low(x, 20)))), "0 below x = -17"),
            Wrong("fast", lambda x: numpy.where(x > 4, x, log1p(exp(low(x, 4)))), "a threshold too low"),
            Wrong("fast", lambda x: high(x, 0) + log1p(exp(abs_(x))), "the sign of the exponent"),
            Wrong("fast", lambda x: high(x, 0) + exp(-abs_(x)), "the logarithm left out"),
            Wrong("fast", lambda x: high(x, 0), "relu"),
            Wrong("exceptional", nan_lost(softplus), "a NaN lost by a maximum"),
        ],
    ),
    "mish": table(
        mish,
        {
            "any_order": {"by_exp_in_binary64": in64(mish_by_exp), "by_branches_in_binary64": in64(mish_by_branches)},
            "ways": {"by_exp": mish_by_exp, "by_branches": mish_by_branches},
        },
        [
            Wrong(
                "ways", lambda x: x * (exp(x) ** 2 + 2 * exp(x)) / (exp(x) ** 2 + 2 * exp(x) + 2), "∞/∞ from x = 45 on"
            ),
            Wrong("fast", lambda x: x * tanh(log(1 + exp(-abs_(x))) + high(x, 0)), "log(1 + e) for log1p(e)"),
            Wrong("fast", lambda x: x * sigmoid(softplus(x)), "sigmoid for tanh"),
            Wrong("fast", lambda x: tanh(softplus(x)), "the factor x left out"),
            Wrong("fast", lambda x: x * sigmoid(x), "silu"),
            Wrong("exceptional", nan_lost(mish), "a NaN lost by a maximum"),
        ],
    ),
    "elu": table(
        elu,
        {
            "any_order": {"by_a_choice": in64(lambda x, a: numpy.where(x > 0, x, a * expm1(low(x, 0))))},
            "fast": {"by_a_choice_in_the_format": lambda x, a: numpy.where(x > 0, x, a * expm1(low(x, 0)))},
        },
        [
            Wrong("fast", lambda x, a: numpy.where(x > 0, x, a * (exp(low(x, 0)) - 1)), "a cancellation beside 0"),
            Wrong("fast", lambda x, a: numpy.where(x > 0, x, expm1(low(x, 0))), "alpha left out"),
            Wrong("fast", lambda x, a: a * elu(x, 1), "alpha on both sides"),
            Wrong("fast", lambda x, a: high(x, 0) + expm1(a * low(x, 0)), "alpha in the exponent"),
            Wrong("fast", lambda x, a: (x > 0) * x + (x <= 0) * (a * expm1(x)), "0·∞ from x = 89 on"),
            Wrong("exceptional", lambda x, a: numpy.nan_to_num(elu(x, a)), "∞ taken for the largest number"),
        ],
    ),
    "hardsigmoid": table(
        lambda x: hard(x) / 6,
        {
            "fast": {"by_the_reciprocal": lambda x: hard(x) * x.dtype.type(1 / 6)},
            "ways": {"of_a_sixth": lambda x: low(high(x / 6 + 0.5, 0), 1)},
        },
        [
            Wrong("ways", lambda x: low(high(0.2 * x + 0.5, 0), 1), "0.2x for x/6"),
            Wrong("ways", lambda x: high(x + 3, 0) / 6, "the upper end left out"),
            Wrong("ways", lambda x: low(x + 3, 6) / 6, "the lower end left out"),
            Wrong("ways", lambda x: low(high(x + 2.5, 0), 5) / 5, "another width"),
            Wrong("ways", sigmoid, "the sigmoid"),
        ],
        "any_order",
    ),
    "hardswish": table(
        lambda x: x * (hard(x) / 6),
        {
            "fast": {"by_the_reciprocal": lambda x: x * (hard(x) * x.dtype.type(1 / 6))},
            "ways": {
                "the_quotient_last": lambda x: x * hard(x) / 6,
                "of_a_sixth": lambda x: x * low(high(x.dtype.type(1 / 6) * x + 0.5, 0), 1),
            },
        },
        [
            Wrong("ways", lambda x: x * high(x + 3, 0) / 6, "the upper end left out"),
            Wrong("ways", lambda x: x * hard(x), "the quotient left out"),
            Wrong("ways", lambda x: hard(x) / 6, "the factor x left out"),
            Wrong("ways", lambda x: x * low(high(0.2 * x + 0.5, 0), 1), "0.2x for x/6"),
            Wrong("ways", lambda x: x * sigmoid(x), "silu"),
        ],
        "any_order",
    ),
    "relu": table(
        lambda x: high(x, 0),
        {
            "any_order": {
                "the_smaller_of_the_negative": lambda x: -low(-x, 0),
                "by_a_choice": lambda x: numpy.where(x > 0, x, numpy.zeros_like(x)),
                "without_nan": lambda x: numpy.fmax(x, 0),
            }
        },
        [
            Wrong("exceptional", lambda x: (x + abs_(x)) / 2, "∞ - ∞"),
            Wrong("exceptional", lambda x: (x > 0) * x, "0·∞"),
            Wrong("any_order", abs_, "the magnitude"),
            Wrong("any_order", lambda x: high(x, x.dtype.type(1e-3)), "a floor above 0"),
            Wrong("any_order", lambda x: low(x, 0), "minimum for maximum"),
            Wrong("any_order", lambda x: x * sigmoid(x), "silu"),
            Wrong("any_order", lambda x: numpy.clip(x, 0, 6), "relu6"),
            Wrong("exceptional", lambda x: numpy.nan_to_num(high(x, 0)), "∞ taken for the largest number"),
        ],
        "any_order",
    ),
    "leaky_relu": table(
        lambda x, slope: high(x, 0) + slope * low(x, 0),
        {
            "any_order": {
                "the_larger": leaky_relu,
                "by_a_choice": lambda x, slope: numpy.where(x > 0, x, slope * x),
            }
        },
        [
            Wrong("any_order", lambda x, slope: leaky_relu(x, numpy.float32(0.01)), "a slope of 0.01"),
            Wrong("any_order", lambda x, slope: low(x, slope * x), "minimum for maximum"),
            Wrong("any_order", lambda x, slope: numpy.where(x > 0, slope * x, x), "the sides exchanged"),
            Wrong("any_order", lambda x, slope: high(x, 0) - slope * low(x, 0), "the sign of the slope"),
            Wrong("any_order", lambda x, slope: high(x, 0), "relu"),
            Wrong(
                "exceptional", lambda x, slope: numpy.nan_to_num(leaky_relu(x, slope)), "∞ taken for the largest number"
            ),
        ],
        "any_order",
    ),
    "relu6": table(
        lambda x: low(high(x, 0), 6),
        {"any_order": {"clip": lambda x: numpy.clip(x, 0, 6), "the_larger_last": lambda x: high(low(x, 6), 0)}},
        [
            Wrong("any_order", lambda x: high(x, 0), "the upper end left out"),
            Wrong("any_order", lambda x: low(x, 6), "the lower end left out"),
            Wrong("any_order", lambda x: numpy.clip(x, -6, 6), "from -6 on"),
            Wrong("any_order", lambda x: numpy.clip(x, 0, 1), "up to 1"),
            Wrong("any_order", lambda x: numpy.where(x < 6, high(x, 0), 0 * x), "0 above 6"),
        ],
        "any_order",
    ),
    "tanhshrink": table(
        lambda x: x - tanh(x),
        {
            "any_order": {"by_expm1_in_binary64": in64(lambda x: x - tanh_by_expm1(x))},
            "fast": {"by_expm1": lambda x: x - tanh_by_expm1(x)},
        },
        [
            Wrong("fast", lambda x: tanh(x) - x, "the sign"),
            Wrong("fast", lambda x: x - (exp(2 * x) - 1) / (exp(2 * x) + 1), "∞/∞ for large x"),
            Wrong("fast", lambda x: x - x / (1 + abs_(x)), "softsign for tanh"),
            Wrong("fast", lambda x: x - numpy.clip(x, -1, 1), "the hard tanh"),
            Wrong("fast", lambda x: x * (1 - tanh(x)), "x as a factor"),
            Wrong("exceptional", nan_lost(lambda x: x - tanh(x)), "a NaN lost by a maximum"),
        ],
    ),
    "geglu": table(
        lambda g, x: gelu_erf(g) * x,
        {"any_order": {"erf_by_its_series": in64(lambda g, x: gelu_erf(g, erf_by_sum) * x)}},
        [
            Wrong("fast", lambda g, x: gelu_tanh(g) * x, "the tanh form for the erf form"),
            Wrong("fast", lambda g, x: gelu_erf(x) * g, "the gate and its product exchanged"),
            Wrong("fast", lambda g, x: 0.5 * g * (1 + erf_of(g)) * x, "√2 left out"),
            Wrong("fast", lambda g, x: gelu_erf(g, erf_by_polynomial) * x, "erf by a polynomial within 1.5e-7"),
            Wrong("fast", lambda g, x: g * sigmoid(1.702 * g) * x, "the sigmoid form"),
        ],
    ),
    "reglu": table(
        lambda g, x: high(g, 0) * x,
        {
            "any_order": {
                "by_a_choice": lambda g, x: numpy.where(g > 0, g, numpy.zeros_like(g)) * x,
                "the_smaller_of_the_negative": lambda g, x: low(-g, 0) * -x,
            }
        },
        [
            Wrong("any_order", lambda g, x: g * high(x, 0), "the gate and its product exchanged"),
            Wrong("any_order", lambda g, x: high(g * x, 0), "relu of the product"),
            Wrong("any_order", lambda g, x: high(g, 0), "the product left out"),
            Wrong("any_order", lambda g, x: high(g, 0) * high(x, 0), "relu on both sides"),
            Wrong("any_order", lambda g, x: g * sigmoid(g) * x, "swiglu"),
        ],
        "any_order",
    ),
}
