"""assay.formula_of for functions of JAX: by jaxprs that stand for JAX's where it is absent, and by JAX itself."""

import sys
from types import SimpleNamespace

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from assay import _jaxpr  # noqa: E402

DRAW = numpy.random.default_rng(5)


def drawn(*shape):
    return DRAW.standard_normal(shape).astype("f4")


# ------------------------------------------------------------------------------------- jaxprs as JAX makes them


class Tracing:
    """A jaxpr, equation by equation."""

    def __init__(self, *shapes):
        self.invars = [self.var(shape) for shape in shapes]
        self.eqns = []

    @staticmethod
    def var(shape):
        return SimpleNamespace(aval=SimpleNamespace(shape=tuple(shape)))

    def __call__(self, primitive, /, *operands, shape=(), **params):
        atoms = [each if hasattr(each, "aval") else literal(each) for each in operands]
        params["shape"] = shape  # only some primitives have it
        self.eqns.append(SimpleNamespace(primitive=SimpleNamespace(name=primitive), params=params, invars=atoms,
                                         outvars=[self.var(shape)]))  # fmt: skip
        return self.eqns[-1].outvars[0]

    def closed(self, *results):
        jaxpr = SimpleNamespace(invars=self.invars, constvars=[], eqns=self.eqns, outvars=results)
        return SimpleNamespace(jaxpr=jaxpr, consts=[])


def literal(value):
    return SimpleNamespace(val=numpy.float32(value), aval=SimpleNamespace(shape=()))


@pytest.fixture
def formula_of(monkeypatch):
    """The formula of a jaxpr."""

    def made(closed, inputs, names):
        monkeypatch.setattr(_jaxpr, "traced", lambda *_: closed)
        return assay.formula_of(eval(f"lambda {names}: None"), inputs)

    return made


def softmax_of(t, x, shape):
    """As jax.nn.softmax is traced, along the last axis."""
    rows, kept = shape[:-1], (*shape[:-1], 1)
    places = tuple(range(len(rows)))
    most = t("max", t("reduce_max", x, shape=rows, axes=(len(rows),)), -numpy.inf, shape=rows)
    most = t("broadcast_in_dim", most, shape=kept, broadcast_dimensions=places)
    most = t("stop_gradient", most, shape=kept)
    e = t("exp", t("sub", x, most, shape=shape), shape=shape)
    total = t("reduce_sum", e, shape=rows, axes=(len(rows),))
    total = t("broadcast_in_dim", total, shape=kept, broadcast_dimensions=places)
    return t("div", e, total, shape=shape)


def test_a_softmax_is_one_also_in_a_function_that_is_called(formula_of):
    inner, t = Tracing((4, 9)), Tracing((4, 9))
    called = inner.closed(softmax_of(inner, inner.invars[0], (4, 9)))
    y = t("pjit", t.invars[0], shape=(4, 9), jaxpr=called, name="_softmax")
    x = drawn(4, 9)
    formula = formula_of(t.closed(y), [x], "x")
    assert formula.text == "model(x[n, m]) -> softmax_1[n, m]\n  softmax_1 = softmax(x, axis=m)\n"
    w = numpy.exp(x - x.max(1, keepdims=True))
    assay.assert_close(w / w.sum(1, keepdims=True), formula, x)
    with pytest.raises(assay.Broken):
        assay.assert_close(w / w.sum(), formula, x)


def test_a_layer_has_the_graph_that_torch_gives_it(formula_of):
    torch = pytest.importorskip("torch", reason="the graph of torch")
    t = Tracing((5, 7), (3, 7), (3,))
    x, w, b = t.invars
    product = t("dot_general", x, w, shape=(5, 3), dimension_numbers=(((1,), (1,)), ((), ())))
    rows = t("broadcast_in_dim", b, shape=(1, 3), broadcast_dimensions=(1,))
    bias = t("broadcast_in_dim", rows, shape=(5, 3), broadcast_dimensions=(0, 1))
    y = t("max", t("add", product, bias, shape=(5, 3)), 0, shape=(5, 3))
    formula = formula_of(t.closed(y), [drawn(5, 7), drawn(3, 7), drawn(3)], "x, w, b")
    of_torch = assay.formula_of(lambda x, w, b: torch.relu(torch.nn.functional.linear(x, w, b)),
                                [torch.ones(5, 7), torch.ones(3, 7), torch.ones(3)])  # fmt: skip

    def shape(graph):
        return [(each["op"], each["arguments"], each["axes"], each["over"]) for each in graph["nodes"]]

    assert shape(formula.graph) == shape(of_torch.graph)


def test_means_and_variances_of_a_norm_are_such(formula_of):
    t = Tracing((4, 8), ())
    x, eps = t.invars

    def mean(v):
        total = t("reduce_sum", v, shape=(4,), axes=(1,))
        total = t("broadcast_in_dim", total, shape=(4, 1), broadcast_dimensions=(0,))
        return t("div", total, 8, shape=(4, 1))

    d = t("sub", x, mean(x), shape=(4, 8))
    spread = t("add", mean(t("integer_pow", d, shape=(4, 8), y=2)), eps, shape=(4, 1))
    y = t("mul", d, t("rsqrt", spread, shape=(4, 1)), shape=(4, 8))
    formula = formula_of(t.closed(y), [drawn(4, 8), 1e-3], "x, eps")
    ops = [each["op"] for each in formula.graph["nodes"]]
    assert "variance" in ops and "rsqrt" in ops and "power" not in ops
    v = drawn(4, 8)
    c = v - v.mean(1, keepdims=True)
    assay.assert_close(c / numpy.sqrt((c * c).mean(1, keepdims=True) + numpy.float32(1e-3)), formula, v, 1e-3)
    with pytest.raises(assay.Broken):
        assay.assert_close(c / numpy.sqrt((c * c).sum(1, keepdims=True) / 7 + 1e-3), formula, v, 1e-3)


def masked(t, s, n):
    """s where a column is at most the row, else −∞, with indices as JAX makes them."""
    i = t("iota", shape=(n, n), dimension=0)
    j = t("iota", shape=(n, n), dimension=1)
    rest = t("broadcast_in_dim", -numpy.inf, shape=(n, n), broadcast_dimensions=())
    return t("select_n", t("ge", i, j, shape=(n, n)), rest, s, shape=(n, n))


def test_a_mask_of_indices_is_a_mask_of_the_softmax(formula_of):
    t = Tracing((6, 6))
    y = softmax_of(t, masked(t, t.invars[0], 6), (6, 6))
    s = drawn(6, 6)
    formula = formula_of(t.closed(y), [s], "s")
    assert "  mask seen: m <= n\n" in formula.text and "softmax(s, axis=m, mask=seen)" in formula.text
    w = numpy.tril(numpy.exp(s))
    assay.assert_close(w / w.sum(1, keepdims=True), formula, s)
    with pytest.raises(assay.Broken):
        assay.assert_close(numpy.exp(s) / numpy.exp(s).sum(1, keepdims=True), formula, s)


def test_numbers_that_a_mask_leaves_out_are_refused_elsewhere(formula_of):
    t = Tracing((6, 6))
    y = t("reduce_sum", masked(t, t.invars[0], 6), shape=(6,), axes=(1,))
    with pytest.raises(assay.RecordingError, match="^the model returns −∞ outside of a mask$"):
        formula_of(t.closed(y), [drawn(6, 6)], "s")
    refusal = "^−∞ outside of a mask, of which a formula takes"
    with pytest.raises(assay.RecordingError, match=refusal):
        formula_of(t.closed(t("tanh", y, shape=(6,))), [drawn(6, 6)], "s")
    t = Tracing((6, 6))
    rows = t("slice", masked(t, t.invars[0], 6), shape=(5, 6), start_indices=(1, 0), limit_indices=(6, 6), strides=None)
    with pytest.raises(assay.RecordingError, match=refusal):
        formula_of(t.closed(softmax_of(t, rows, (5, 6))), [drawn(6, 6)], "s")


def test_a_repeated_number_counts_as_often_as_it_stands(formula_of):
    t = Tracing((5,))
    wide = t("broadcast_in_dim", t.invars[0], shape=(5, 3), broadcast_dimensions=(0,))
    x = drawn(5)
    formula = formula_of(t.closed(t("reduce_sum", wide, shape=(5,), axes=(1,))), [x], "x")
    assay.assert_close(x + x + x, formula, x)
    with pytest.raises(assay.Broken):
        assay.assert_close(x, formula, x)


def test_heads_of_a_reshaped_array_are_a_batch_of_products(formula_of):
    t = Tracing((6, 6))
    x = t("reshape", t.invars[0], shape=(6, 2, 3), new_sizes=(6, 2, 3), dimensions=None)
    s = t("dot_general", x, x, shape=(2, 6, 6), dimension_numbers=(((2,), (2,)), ((1,), (1,))))
    y = t("transpose", t("slice", s, shape=(2, 5, 6), start_indices=(0, 1, 0), limit_indices=(2, 6, 6), strides=None),
          shape=(5, 2, 6), permutation=(1, 0, 2))  # fmt: skip
    v = drawn(6, 6)
    formula = formula_of(t.closed(y), [v], "x")
    of_heads = v.reshape(6, 2, 3)
    got = numpy.einsum("nhd,mhd->nhm", of_heads, of_heads)[1:]
    assay.assert_close(got, formula, v)
    with pytest.raises(assay.Broken):
        assay.assert_close(got[::-1].copy(), formula, v)


def test_dictionaries_of_arrays_are_arguments_and_integers_are_constants(formula_of):
    t = Tracing((3,), (7, 3), (5, 7))  # in JAX's order: by key
    b, w, x = t.invars
    product = t("dot_general", x, w, shape=(5, 3), dimension_numbers=(((1,), (0,)), ((), ())))
    b = t("broadcast_in_dim", b, shape=(5, 3), broadcast_dimensions=(1,))
    closed = t.closed(t("mul", t("add", product, b, shape=(5, 3)), 2, shape=(5, 3)))
    weights, x = {"w": drawn(7, 3), "b": drawn(3)}, drawn(5, 7)
    formula = formula_of(closed, [weights, x, 2], "p, x, n")
    got = 2 * (x @ weights["w"] + weights["b"])
    assay.assert_close(got, formula, weights, x, 2)
    with pytest.raises(assay.Broken):
        assay.assert_close(got / 2, formula, weights, x, 2)
    with pytest.raises(assay.RecordingError, match="^an argument that is no array, no number, and no list"):
        formula_of(closed, [{"w": drawn(7, 3)}, x, 2], "p, x, n")


def test_numbers_are_converted_to_other_formats_but_not_to_integers(formula_of):
    t, x = Tracing((5,)), drawn(5)
    of_half = t("convert_element_type", t.invars[0], shape=(5,), new_dtype=numpy.dtype("f2"))
    formula = formula_of(t.closed(t("tanh", of_half, shape=(5,))), [x], "x")
    assay.assert_close(numpy.tanh(x.astype("f8")).astype("f4"), formula, x)
    whole = t("convert_element_type", t.invars[0], shape=(5,), new_dtype=numpy.dtype("i4"))
    with pytest.raises(assay.RecordingError, match="^JAX's convert_element_type to int32$"):
        formula_of(t.closed(whole), [x], "x")


@pytest.mark.parametrize(("name", "reason"), [
    ("fft", "^JAX's fft: a formula has no such function; docs/models.md lists those it has$"),
    ("lt", "^JAX's lt: a comparison of values: write maximum, minimum or clip$"),
    ("scan", "^JAX's scan: a formula has no such function"),
])  # fmt: skip
def test_what_a_formula_does_not_have_is_refused_by_its_name(formula_of, name, reason):
    t = Tracing((5,))
    with pytest.raises(assay.RecordingError, match=reason):
        formula_of(t.closed(t(name, t.invars[0], 0, shape=(5,))), [drawn(5)], "x")


def test_without_jax_the_answer_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(assay.RecordingError, match="a function of them is read by JAX, which is not installed$"):
        assay.formula_of(numpy.tanh, [drawn(5)])


def test_integers_among_the_arrays_are_refused(formula_of):
    t = Tracing((5,))
    with pytest.raises(assay.RecordingError, match="^x: an array of int64; there are floating-point numbers$"):
        formula_of(t.closed(t.invars[0]), [numpy.arange(5)], "x")


# ------------------------------------------------------------------------------------------------- JAX itself


def jax_functions():
    """Functions of JAX with the shapes of their arguments, and a wrong form of each."""
    import jax
    from jax import numpy as jnp

    def attention(q, k, v):
        s = q @ k.T / numpy.float32(2)
        p = jax.nn.softmax(jnp.where(jnp.tril(jnp.ones(s.shape, bool)), s, -jnp.inf))
        return p @ v

    def norm(x, w):
        d = x - x.mean(-1, keepdims=True)
        return d * jax.lax.rsqrt((d * d).mean(-1, keepdims=True) + 1e-3) * w

    def heads(x):
        return jnp.einsum("nhd,mhd->hnm", x.reshape(6, 2, 3), x.reshape(6, 2, 3)).transpose(1, 0, 2)

    return {
        "softmax": (jax.nn.softmax, lambda x: jax.nn.softmax(x, axis=0), [(4, 9)]),
        "logsumexp": (lambda x: jax.nn.logsumexp(x, axis=1), lambda x: x.max(1), [(4, 9)]),
        "log_softmax": (jax.nn.log_softmax, lambda x: x - x.max(-1, keepdims=True), [(4, 9)]),
        "gelu": (jax.nn.gelu, lambda x: jax.nn.gelu(1.01 * x), [(40,)]),
        "gelu by erf": (lambda x: jax.nn.gelu(x, approximate=False), jax.nn.gelu, [(40,)]),
        "silu": (jax.jit(jax.nn.silu), jax.nn.relu, [(40,)]),
        "softplus": (jax.nn.softplus, jax.nn.relu, [(40,)]),
        "relu of a layer": (lambda x, w, b: jax.nn.relu(x @ w + b), lambda x, w, b: x @ w + b, [(5, 7), (7, 3), (3,)]),
        "attention": (attention, lambda q, k, v: jax.nn.softmax(q @ k.T / 2) @ v, [(6, 4), (6, 4), (6, 5)]),
        "norm": (norm, lambda x, w: x * w, [(4, 16), (16,)]),
        "heads": (heads, lambda x: 2 * heads(x), [(6, 6)]),
        "variance": (lambda x: jnp.var(x, axis=1), lambda x: jnp.var(x, axis=1, ddof=1), [(4, 9)]),
        "clip": (lambda x: jnp.clip(x, -1, 0.5) ** 3 + jnp.abs(x), lambda x: x**3, [(40,)]),
        "slices": (lambda x: x[1:] * x[:-1] - x[0], lambda x: x[1:] * x[:-1], [(9,)]),
        "rest": (lambda x, y: jnp.power(jnp.abs(x) + 1, y) + jnp.arctan2(x, y), jnp.arctan2, [(9,), (9,)]),
    }  # fmt: skip


@pytest.mark.parametrize("name", [
    "softmax", "logsumexp", "log_softmax", "gelu", "gelu by erf", "silu", "softplus", "relu of a layer", "attention",
    "norm", "heads", "variance", "clip", "slices", "rest",
])  # fmt: skip
def test_a_function_of_jax_keeps_its_formula_and_another_one_breaks_it(name):
    """Both are computed in binary64 and rounded: this is about the formula, not about the functions of XLA."""
    jax = pytest.importorskip("jax", reason="JAX itself")
    function, wrong, shapes = jax_functions()[name]
    arrays = [drawn(*shape) for shape in shapes]
    formula = assay.formula_of(function, arrays)
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    try:
        right, other = (numpy.asarray(each(*[array.astype("f8") for array in arrays])) for each in (function, wrong))
    finally:
        jax.config.update("jax_enable_x64", before)
    assert right.dtype == other.dtype == numpy.dtype("f8")
    assay.assert_close(right.astype("f4"), formula, *arrays)
    with pytest.raises(assay.Broken):
        assay.assert_close(other.astype("f4"), formula, *arrays)


def test_arrays_of_jax_in_dictionaries_are_parameters():
    pytest.importorskip("jax", reason="JAX itself")
    from jax import numpy as jnp

    weights = {"w": jnp.asarray(drawn(7, 3)), "b": jnp.asarray(drawn(3))}
    x = jnp.asarray(drawn(5, 7))
    formula = assay.formula_of(lambda p, x, n: (x @ p["w"] + p["b"]) * n, [weights, x, 2])
    got = 2 * (x @ weights["w"] + weights["b"])
    assay.assert_close(got, formula, weights, x, 2)
    with pytest.raises(assay.Broken):
        assay.assert_close(got / 2, formula, weights, x, 2)


def test_a_primitive_of_jax_that_no_formula_has_is_named():
    pytest.importorskip("jax", reason="JAX itself")
    from jax import lax

    with pytest.raises(assay.RecordingError, match="^JAX's digamma: a formula has no such function"):
        assay.formula_of(lax.digamma, [drawn(5)])
