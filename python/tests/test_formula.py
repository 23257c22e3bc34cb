"""assay.formula: the operations of NumPy code on symbols give a formula, which the code itself keeps and a changed
version breaks."""

import functools
import math
import subprocess
import sys
import types

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from assay import _close, language  # noqa: E402

DRAW = numpy.random.default_rng(7)


def drawn(*shape):
    return DRAW.standard_normal(shape)


def softmax(x: "r, n"):
    w = numpy.exp(x - x.max(axis=-1, keepdims=True))
    return w / w.sum(axis=-1, keepdims=True)


def attention(q: "n, d", k: "m, d", v: "m, e", scale):
    s = scale * (q @ k.T)
    w = numpy.exp(s - numpy.max(s, axis=1)[:, None])
    p = w / numpy.sum(w, axis=1, keepdims=True)
    return p @ v


def layer_norm(x: "r, n", w: "n", b: "n", eps):
    d = x - x.mean(-1, keepdims=True)
    return d / numpy.sqrt((d * d).mean(-1, keepdims=True) + eps) * w + b


def batched(q: "b, h, n, d", k: "b, h, m, d"):
    s = q @ numpy.swapaxes(k, -1, -2)
    return (s / math.sqrt(7)).transpose(0, 2, 1, 3)


def shapes(x: "r, n"):
    return numpy.expand_dims(x, 1).squeeze(1).T[0] / x.shape[1] + x[-1, 0] + numpy.moveaxis(x, 0, 1)[..., 2].sum()


#: Functions with the shapes of their parameters, "" for a scalar.
EVERY = {
    "softmax": (softmax, [(4, 9)]),
    "attention": (attention, [(3, 5), (6, 5), (6, 2), ()]),
    "layer_norm": (layer_norm, [(3, 20), (20,), (20,), (1,)]),
    "batched": (batched, [(2, 3, 4, 5), (2, 3, 6, 5)]),
    "arithmetic": (lambda x, y: -(x - 2 * y) / (1.5 + abs(x)) - 3 / (x * x + 2) + (y - (x - y)), [(5,), (5,)]),
    "powers": (lambda x, y: x**2 - y**3 + (x * x + 1) ** 0.5 + (y * y + 1) ** -0.5 + (x**4 + 1) ** -1, [(5,), (5,)]),
    "functions": (lambda x, y: numpy.exp(x) + numpy.exp2(y) + 2**x + numpy.expm1(x) + numpy.log1p(y * y), [(5,), (5,)]),
    "waves": (lambda x, y: numpy.tanh(x) * numpy.sin(y) + numpy.cos(x) / numpy.sqrt(1 + numpy.square(y)), [(5,), (5,)]),
    "reciprocal": (lambda x: numpy.reciprocal(numpy.fabs(x) + 1) - numpy.negative(x), [(5,)]),
    "choices": (lambda x, y: numpy.maximum(x, y) + numpy.clip(x, -0.5, 0.5) * numpy.minimum(y, 0), [(5,), (5,)]),
    "sums": (lambda x: x.sum(0) + numpy.mean(x, axis=0) - x.max(axis=0) + numpy.min(x, 0), [(5, 4)]),
    "sum of all": (lambda x: numpy.sum(x) + x.mean(), [(5, 4)]),
    "running sum": (lambda x: numpy.cumsum(x, axis=1) - numpy.var(x, axis=1, keepdims=True), [(5, 4)]),
    "products": (lambda x: numpy.prod(x, axis=1, keepdims=True) + numpy.cumprod(x, axis=1) * numpy.sign(x), [(5, 4)]),
    "products of columns": (lambda x: x.prod(0) - x.cumprod(0)[2], [(5, 4)]),
    "powers of symbols": (lambda x, y: (x * x + 1) ** y - numpy.power(numpy.abs(y) + 1, x), [(5,), (5,)]),
    "two numbers": (lambda x, y: numpy.arctan2(x, y) - numpy.fmod(x, y), [(5,), (5,)]),
    "orders": (lambda x: numpy.sort(x, axis=1) + numpy.argmax(x, axis=1)[:, None] - x.T.argmin(axis=0)[:, None],
               [(5, 4)]),
    "logsumexp": (lambda x: numpy.log(numpy.sum(numpy.exp(x), axis=1)), [(5, 4)]),
    "dot": (lambda x, y: numpy.dot(x, y) / math.sqrt(3), [(5, 4), (4,)]),
    "einsum": (lambda x, y: numpy.einsum("ij,kj->ki", x, y), [(5, 4), (3, 4)]),
    "shared": (lambda x, y: (lambda t: t * t + numpy.exp(t))(x + y), [(5,), (5,)]),
    "shapes": (shapes, [(4, 6)]),
}
AXES = {
    "arithmetic": "n n", "powers": "n n", "functions": "n n", "waves": "n n", "reciprocal": "n",
    "choices": "n n", "sums": "r,n", "sum of all": "r,n", "running sum": "r,n", "logsumexp": "r,n", "dot": "r,n n",
    "einsum": "r,n m,n", "shared": "n n", "powers of symbols": "n n", "two numbers": "n n", "orders": "r,n",
    "products": "r,n", "products of columns": "r,n",
}  # fmt: skip


def recorded(name):
    function, sides = EVERY[name]
    axes = dict(zip("xy", AXES[name].split())) if name in AXES else None
    inputs = [drawn(*each) if each != (1,) else numpy.float64(1e-3) for each in sides]
    return assay.formula(function, axes=axes), function, [each if numpy.ndim(each) else float(each) for each in inputs]


@pytest.mark.parametrize("name", EVERY)
def test_function_keeps_its_own_formula(name):
    formula, function, inputs = recorded(name)
    assay.assert_close(function(*inputs), formula, *inputs)


@pytest.mark.parametrize("name", EVERY)
def test_result_that_errs_by_a_millionth_breaks_the_formula(name):
    formula, function, inputs = recorded(name)
    got = numpy.array(function(*inputs))
    got.flat[-1] += 1e-6 * max(1, abs(got.flat[-1]))
    with pytest.raises(assay.Broken):
        assay.assert_close(got[()], formula, *inputs)


def test_text_is_the_formula_that_a_person_would_write():
    assert assay.formula(attention).text == (
        "attention(q[n,d], k[m,d], v[m,e], scale) -> y[n,e]\n"
        "  s = scale * sum(q * k, axis=d)\n"
        "  p = softmax(s, axis=m)\n"
        "  y = sum(p * v, axis=m)\n"
    )
    assert assay.formula(layer_norm).text.endswith(
        "  d = x - mean(x, axis=n)\n  y = d / sqrt(variance(x, axis=n) + eps) * w + b\n"
    )


def test_bounds_are_those_of_the_shipped_formula():
    inputs = [drawn(3, 5), drawn(6, 5), drawn(6, 2), 0.5]
    for contract in ("tree", "any_order", "fast"):
        of_code = assay.tolerance(assay.formula(attention), *inputs, contract=contract)
        shipped = assay.tolerance("attention_full", *inputs, contract=contract)
        assert numpy.allclose(of_code.atol, shipped.atol, rtol=1e-9, atol=0)


def test_formula_is_checked_and_may_be_called():
    formula = assay.formula(attention)
    verdict = assay.check(attention, formula, "fast", cases=40, controls=False)
    assert "fast" in verdict.kept and verdict.operation == "attention"
    x = drawn(2, 2)
    assert (formula(x, x, x, 0.5) == attention(x, x, x, 0.5)).all()
    with pytest.raises(assay.Broken):
        assay.check(lambda q, k, v, scale: attention(q, k, v, 1), formula, "fast", cases=40, controls=False)


def test_variable_that_is_no_name_of_the_language_gets_another_one():
    def crowded(n_: "n", m: "n"):
        n = n_ * m
        exp = numpy.exp(n) + n
        été = exp * exp
        return été - n

    text = assay.formula(crowded).text
    assert text.splitlines()[1:] == ["  n_1 = n_ * m", "  exp_1 = exp(n_1) + n_1", "  t = exp_1 * exp_1", "  y = t - n_1"]
    x = drawn(4)
    assay.assert_close(crowded(x, x), text, x, x)


def test_machine_of_the_function_is_the_default():
    coarse = assay.formula(lambda x: numpy.exp(x), axes={"x": "n"}, machines=["coarse: functions 4096 ulp"])
    x = drawn(4).astype("f4")
    assay.assert_close((numpy.exp(x.astype("f8")) * (1 + 1e-4)).astype("f4"), coarse, x)
    assert coarse.contracts()[-2:] == ["coarse", "exceptional"]


def test_range_of_a_scalar_is_drawn_from():
    def loss(x: "r, n", t: "r, n"):
        return t - x

    assert "\n  range t one_hot\n" in assay.formula(loss, ranges={"t": "one_hot"}).text
    text = assay.formula(attention, ranges={"scale": (0.125, 1.0)}).text
    case = assay.Judge(formula=text, format="f64").draw(3)
    assert "  range scale 0.125 1.0\n" in text and 0.125 <= case.arguments[3] <= 1


def test_class_of_inputs_is_drawn_beside_the_automatic_ones():
    own = {"far apart": {"x": (800, 1000.5), "y": "integers"}}
    text = assay.formula(lambda x, y: x / y, axes={"x": "n", "y": "n"}, classes=own).text
    assert '  class "far apart": x 800 1000.5, y integers\n' in text
    judge = assay.Judge(formula=text, format="f64")
    of_class = [c for c in map(judge.draw, range(40)) if ((c.arguments[0] >= 800) & (c.arguments[0] <= 1000.5)).all()]
    assert len(of_class) >= 2
    assert all((c.arguments[1] == numpy.round(c.arguments[1])).all() for c in of_class)


def test_words_that_numpy_lacks_are_in_the_language():
    def head(x: "r, n", label: "r: index n"):
        hidden = language.relu(x) + language.erf(x) * language.sigmoid(x) - language.rsqrt(x * x + 1)
        loss = language.logsumexp(hidden) - language.pick(hidden, label)
        return loss * numpy.sqrt(language.pi)

    x, label = drawn(3, 5), numpy.array([4, 0, 2])
    erf = numpy.vectorize(math.erf)
    hidden = numpy.maximum(x, 0) + erf(x) / (1 + numpy.exp(-x)) - 1 / numpy.sqrt(x * x + 1)
    got = (numpy.log(numpy.exp(hidden).sum(1)) - hidden[[0, 1, 2], label]) * math.sqrt(math.pi)
    assay.assert_close(got, assay.formula(head), x, label)
    with pytest.raises(assay.Broken):
        assay.assert_close(got, assay.formula(head), x, label[::-1].copy())


def test_mask_of_indices_is_written_down():
    def causal(s: "n, m"):
        seen = language.mask("m <= n")
        return language.softmax(s, mask=seen) + numpy.where(seen, s, 0) + language.log_softmax(s)

    s = drawn(4, 5)
    keeps = numpy.tri(4, 5, dtype=bool)
    w = numpy.where(keeps, numpy.exp(s), 0)
    got = w / w.sum(1, keepdims=True) + numpy.where(keeps, s, 0) + s - numpy.log(numpy.exp(s).sum(1, keepdims=True))
    assay.assert_close(got, assay.formula(causal), s)


def test_pairs_are_stacked_along_a_new_axis():
    def turned(x: "t, h, c=2", cs: "t, h", sn: "t, h"):
        a, b = x[..., 0], x[..., 1]
        return language.stack(a * cs - b * sn, a * sn + b * cs, "c")

    x, angle = drawn(3, 4, 2), drawn(3, 4)
    cs, sn = numpy.cos(angle), numpy.sin(angle)
    a, b = x[..., 0], x[..., 1]
    assay.assert_close(numpy.stack([a * cs - b * sn, a * sn + b * cs], -1), assay.formula(turned), x, cs, sn)


def test_stochastic_rounding_has_the_graph_of_the_file():
    def step(p: "n", g: "n", lr, word: "n: index w = 65536"):
        s = p - lr * g
        return language.stochastic(s, word, "bf16")

    recorded = assay.formula(step, ranges={"lr": (0.001, 0.1)})
    file = """step(p[n], g[n], lr, word[n]: index w = 65536) -> y[n]
  range lr 0.001 0.1
  s = p - lr * g
  y = stochastic(s, word, bf16)
"""
    assert recorded.text == file
    assert recorded.graph == _close.Formula(file).graph
    assert recorded.graph["nodes"][-1]["op"] == "stochastic"
    with pytest.raises(assay.RecordingError, match="^stochastic needs a parameter of random words, annotated"):
        language.stochastic(language.pi, language.pi, "bf16")


# -------------------------------------------------------------------------------------------------- what has no place


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda x: numpy.arctan(x), "^numpy.arctan: a formula has no such function; there are absolute.*tanh.* erf"),
        (lambda x: numpy.linalg.norm(x), "^numpy.norm: a formula has no such function; "),
        (lambda x: numpy.reshape(x, (2, 3)), "^numpy.reshape: a formula has no such function; "),
        (lambda x: x.reshape(2, 3), "^.reshape of a symbol; there are T, shape, "),
        (lambda x: x if x[0] > 0 else -x, "^a branch or a number that depends on values.* write maximum, "),
        (lambda x: math.exp(x), "^a branch or a number that depends on values"),
        (lambda x: sum(x), "^a branch or a number that depends on values"),
        (lambda x: numpy.where(x, x, 0), '^where by values; there is where\\(assay.language.mask\\("m <= n"\\)'),
        (lambda x: x * numpy.ones(3), "^a ndarray among symbols; make it a parameter of the function$"),
        (lambda x: x * math.inf, "^the number inf, which is not finite$"),
        (lambda x: x**2.5, "^a power by 2.5; there are powers by integers from 2 to 64, 1/2, -1/2 and -1$"),
        (lambda x: 3**x, "^a power of a number by a symbol; there are exp and exp2$"),
        (lambda x: x[::2], r"^the index slice\(None, None, 2\); there are :, None, ... and integers$"),
        (lambda x: x[:, 0], r"^an index more than there are axes: \[n\]$"),
        (lambda x: numpy.add.reduce(x), "^numpy.add.reduce; write numpy.sum or the operation itself$"),
        (lambda x: x.sum(2), "^axis 2 of a tensor with 1 axes$"),
        (lambda x: x.var(ddof=1), "^variance with ddof=1$"),
        (lambda x: (x, x), "^the function returns a tuple; a formula has one tensor for its result$"),
        (lambda x: x.sum(keepdims=True), "^the result keeps an axis of length 1; "),
        (lambda x: x[:, None] * x, r"^\* of \[n, 1\] and \[n\]: |an axis stands twice in \[n, n\]"),
        (lambda x: numpy.asarray(x), "^a symbol is not an array: "),
    ],
)
def test_what_has_no_place_in_a_formula_is_refused_by_name(function, reason):
    with pytest.raises(TypeError, match=reason):
        assay.formula(function, axes={"x": "n"})


def test_axes_that_do_not_fit_are_refused_with_both():
    with pytest.raises(assay.RecordingError, match=r"^\+ of \[r, n\] and \[r\]: the axis n stands against r; an index"):
        assay.formula(lambda x, y: x + y, axes={"x": "r, n", "y": "r"})
    with pytest.raises(assay.RecordingError, match="^@ adds along the axis n of its left side, .* side has r$"):
        assay.formula(lambda x, y: x @ y, axes={"x": "r, n", "y": "r, n"})


def test_function_of_the_language_without_a_symbol_is_refused():
    with pytest.raises(assay.RecordingError, match="^erf of a float; it takes a symbol of assay.formula$"):
        language.erf(1.0)


def test_without_torch_models_are_refused_and_the_rest_works():
    script = (
        "import sys; sys.modules['torch'] = None\n"
        "import assay\n"
        "from assay.__main__ import main\n"
        "try: assay.formula_of(abs, [1.0])\n"
        "except ImportError as error: print(error)\n"
        "import array; assay.assert_close(3.0, 'sum', array.array('d', [1.0, 2.0]))\n"
        "sys.exit(main(['judge-kernels', '.']))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 77 and "torch" in ended.stdout
    assert ended.stderr == "skipped: judge-kernels needs torch, which this Python does not have\n"


class OnlyArrays:
    """The functions of a module of JAX, which refuse whatever is no array."""

    def __init__(self, name, *functions):
        self.module = types.ModuleType(name)
        for each in functions:
            setattr(self.module, each, self.function(name, each))

    @staticmethod
    def function(module, name):
        def refuses(x, *_, **__):
            raise TypeError(f"{name} requires ndarray or scalar arguments, got {type(x)}")

        refuses.__module__, refuses.__name__ = module, name
        return refuses


jnp = OnlyArrays("jax.numpy", "exp", "max", "sum", "sqrt", "mean", "tanh").module
jax = OnlyArrays("jax").module
jax.nn = OnlyArrays("jax.nn", "softmax", "silu", "celu").module
jax.lax = OnlyArrays("jax.lax", "rsqrt").module
softmax_of_jax = jax.nn.softmax


class Jit:
    """A function that JAX has compiled."""

    def __init__(self, function):
        functools.update_wrapper(self, function)

    def __call__(self, x, *_):
        raise TypeError(f"Cannot interpret value of type {type(x)} as an abstract array")


def weights_of_jax(s):
    w = jnp.exp(s - jnp.max(s, axis=-1, keepdims=True))
    return w / jnp.sum(w, axis=-1, keepdims=True)


def test_functions_of_jax_are_recorded():
    def attention(q: "n, d", k: "m, d", v: "m, e", scale):
        s = scale * (q @ k.T)
        p = weights_of_jax(s)
        return p @ v

    text = assay.formula(attention).text
    assert text == assay.formula(globals()["attention"]).text
    assert assay.formula(Jit(attention)).text == text
    here = jnp

    def norm(x: "r, n", eps):
        return x * jax.lax.rsqrt(here.mean(x * x, axis=-1, keepdims=True) + eps)

    assert "rsqrt(" in assay.formula(norm).text
    rows = {"x": "r, n"}
    assert "softmax(x, axis=n)" in assay.formula(lambda x: softmax_of_jax(x), axes=rows).text
    assert "x * sigmoid(x)" in assay.formula(lambda x: jax.nn.silu(x), axes=rows).text
    with pytest.raises(TypeError, match="requires ndarray"):
        weights_of_jax(drawn(3, 3).tolist())  # the function itself is as before
    with pytest.raises(assay.RecordingError, match=r"jax\.nn\.celu: a formula has of it only erf, log_softmax"):
        assay.formula(lambda x: jax.nn.celu(x), axes=rows)
