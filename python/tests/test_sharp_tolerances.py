"""assay.tolerance of 20 operations is near the largest error of a right kernel: the error that a hunt finds is below
the tolerance, and a kernel that errs by four times as much does not pass."""

import zlib

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

#: How many ulps a function of the kernels errs by before it is rounded: the machine allows one ulp together.
ULPS = 0.49


class Kernel:
    """Arithmetic of binary32 in the order in which it is written, sums from the first to the last term, and functions
    that err by nearly one ulp, up or down."""

    def __init__(self, draw):
        self.draw = draw

    def of(self, function, *x):
        """A function of numbers, moved by ULPS and rounded."""
        y = numpy.asarray(function(*[each.astype("f8") for each in x]))
        sign = self.draw.choice([-1, 1]) if self.draw.random() < 0.5 else self.draw.choice([-1, 1], y.shape)
        return (y + sign * ULPS * numpy.spacing(y.astype("f4")).astype("f8")).astype("f4")

    def exp(self, x):
        return self.of(numpy.exp, x)

    def log(self, x):
        return self.of(numpy.log, x)

    def total(self, x, axis=-1):
        """One number of it is the sum from the first to the last."""
        return numpy.cumsum(x, axis=axis, dtype="f4").take([-1], axis)


def erf(x):
    """By a series, to binary64."""
    term, total, n = x, x, 0
    for n in range(1, 120):
        term = -term * x * x / n
        total = total + term / (2 * n + 1)
    return total * 2 / numpy.sqrt(numpy.pi)


ONE, HALF = numpy.float32(1), numpy.float32(0.5)
#: Formula, right kernel of (k, *x), exact values of binary64.
ELEMENTWISE = {
    "sigmoid": ("y = 1 / (1 + exp(-x))", lambda k, x: ONE / (ONE + k.exp(-x)), lambda x: 1 / (1 + numpy.exp(-x))),
    "silu": ("y = x / (1 + exp(-x))", lambda k, x: x / (ONE + k.exp(-x)), lambda x: x / (1 + numpy.exp(-x))),
    "tanh": ("y = tanh(x)", lambda k, x: k.of(numpy.tanh, x), numpy.tanh),
    "gelu": (
        "y = 0.5 * x * (1 + erf(x * 0.5))",
        lambda k, x: HALF * x * (ONE + k.of(erf, x * HALF)), lambda x: 0.5 * x * (1 + erf(x * 0.5))),
    "softplus": ("y = log1p(exp(x))", lambda k, x: k.of(numpy.log1p, k.exp(x)), lambda x: numpy.log1p(numpy.exp(x))),
    "squared tanh": ("y = tanh(x) * tanh(x)", lambda k, x: k.of(numpy.tanh, x) ** 2, lambda x: numpy.tanh(x) ** 2),
    "log1p of a square": (
        "y = log1p(x * x)", lambda k, x: k.of(numpy.log1p, x * x), lambda x: numpy.log1p(x * x)),
}  # fmt: skip


def shifted(x):
    return x - x.max(-1, keepdims=True)


def soft(k, x):
    e = k.exp(shifted(x))
    return e / k.total(e)


def exact_soft(x):
    e = numpy.exp(shifted(x))
    return e / e.sum(-1, keepdims=True)


def layer_norm(k, x):
    n = numpy.float32(x.shape[-1])
    d = x - k.total(x) / n
    return d / numpy.sqrt(k.total(d * d) / n + numpy.float32(1e-3))


def exact_layer_norm(x):
    eps = float(numpy.float32(1e-3))
    return (x - x.mean(-1, keepdims=True)) / numpy.sqrt(x.var(-1, keepdims=True) + eps)


def last(x):
    return x[..., -1]


#: Of rows: formula, kernel, exact values.
ROWS = {
    "sum": ("s[r]", "s = sum(x, axis=n)", lambda k, x: last(k.total(x)), lambda x: x.sum(-1)),
    "mean": ("s[r]", "s = mean(x, axis=n)", lambda k, x: last(k.total(x)) / numpy.float32(x.shape[-1]),
             lambda x: x.mean(-1)),
    "1-norm": ("s[r]", "s = sum(abs(x), axis=n)", lambda k, x: last(k.total(abs(x))), lambda x: abs(x).sum(-1)),
    "2-norm": ("s[r]", "s = sqrt(sum(x * x, axis=n))", lambda k, x: numpy.sqrt(last(k.total(x * x))),
               lambda x: numpy.sqrt((x * x).sum(-1))),
    "running sum": ("y[r,n]", "y = cumsum(x, axis=n)", lambda k, x: numpy.cumsum(x, -1, "f4"),
                    lambda x: numpy.cumsum(x, -1)),
    "softmax": ("y[r,n]", "y = softmax(x, axis=n)", soft, exact_soft),
    "log softmax": ("y[r,n]", "y = x - logsumexp(x, axis=n)",
                    lambda k, x: shifted(x) - k.log(k.total(k.exp(shifted(x)))), lambda x: numpy.log(exact_soft(x))),
    "log of the sum": ("y[r]", "y = logsumexp(x, axis=n)",
                       lambda k, x: last(x.max(-1, keepdims=True) + k.log(k.total(k.exp(shifted(x))))),
                       lambda x: numpy.log(numpy.exp(x).sum(-1))),
    "RMS norm": ("y[r,n]", "y = x / sqrt(mean(x * x, axis=n) + 0.001)",
                 lambda k, x: x / numpy.sqrt(k.total(x * x) / numpy.float32(x.shape[-1]) + numpy.float32(1e-3)),
                 lambda x: x / numpy.sqrt((x * x).mean(-1, keepdims=True) + 1e-3)),
    "layer norm": ("y[r,n]", "y = (x - mean(x, axis=n)) / sqrt(variance(x, axis=n) + 0.001)", layer_norm,
                   exact_layer_norm),
}  # fmt: skip


def product(k, a, b):
    terms = a[:, :, None] * b[None, :, :]
    return k.total(terms, axis=1)[:, 0]


def attention(k, q, key, v):
    return product(k, soft(k, product(k, q, key.T)), v)


#: Formula, kernel, exact values, shapes.
PRODUCTS = {
    "product": ("product(a[m,k], b[k,n]) -> c[m,n]\n  c = a @ b\n", product, lambda a, b: a @ b, [(9, 3), (3, 9)]),
    "squared error": (
        "f(x[r,n], y[r,n]) -> s[r]\n  s = mean((x - y) * (x - y), axis=n)\n",
        lambda k, x, y: last(k.total((x - y) * (x - y))) / numpy.float32(x.shape[-1]),
        lambda x, y: ((x - y) ** 2).mean(-1), [(40, 3), (40, 3)]),
    "attention": (
        "f(q[m,d], k[n,d], v[n,e]) -> o[m,e]\n  p = softmax(q @ k.T, axis=n)\n  o = p @ v\n", attention,
        lambda q, k, v: exact_soft(q @ k.T) @ v, [(9, 2), (3, 2), (3, 4)]),
}  # fmt: skip

OPERATIONS = {
    **{name: (f"f(x[n]) -> y[n]\n  {line}\n", *rest, [(200,)]) for name, (line, *rest) in ELEMENTWISE.items()},
    **{name: (f"f(x[r,n]) -> {to}\n  {line}\n", *rest, [(60, 2)]) for name, (to, line, *rest) in ROWS.items()},
    **PRODUCTS,
}


def hard(draw, shape):
    """Numbers of few scales, whose sums and products are rounded by nearly half an ulp."""
    x = draw.choice([-1, 1], shape) * (1 + draw.random(shape)) * 2.0 ** draw.integers(-2, 2)
    if draw.random() < 0.5:
        x = x * 2.0 ** draw.choice([0, 0, -12, -23, -24], shape)
    return (abs(x) if draw.random() < 0.5 else x).astype("f4")


def hunted(name, rounds):
    """The largest error/tolerance that is found, with the inputs, the result, the exact values and the tolerances."""
    formula, kernel, exact, shapes = OPERATIONS[name]
    draw = numpy.random.default_rng(zlib.crc32(name.encode()))
    best = (0.0,)
    for _ in range(rounds):
        inputs = [hard(draw, shape) for shape in shapes]
        truth = exact(*[each.astype("f8") for each in inputs])
        told = assay.tolerance(formula, *inputs, contract="any_order").atol
        for _ in range(4):
            got = kernel(Kernel(draw), *inputs)
            ratio = float((abs(got - truth) / numpy.where(told > 0, told, numpy.inf)).max())
            if ratio > best[0]:
                best = ratio, inputs, got, truth, told
    return best


def test_there_are_twenty_operations():
    assert len(OPERATIONS) >= 20


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_largest_error_of_a_right_kernel_passes_and_four_times_as_much_does_not(name):
    ratio, inputs, got, truth, told = hunted(name, 60)
    formula = OPERATIONS[name][0]
    print(f"{name}: {ratio:.3f} of the tolerance")
    assert 0.25 < ratio <= 1
    assay.assert_close(got, formula, *inputs, contract="any_order")
    with pytest.raises(assay.Broken):
        assay.assert_close((truth + 4 * (got - truth)).astype("f4"), formula, *inputs, contract="any_order")
