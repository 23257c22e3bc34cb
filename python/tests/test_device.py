"""Arrays of PyTorch, CuPy and JAX on a device, as the judge reads them."""

import warnings

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
from device_arrays import library  # noqa: E402


@pytest.fixture(params=["torch", "cupy", "jax"])
def arrays(request):
    return library(request.param)


@pytest.mark.parametrize("kind", ["f8", "f4"])
def test_of_a_device_have_the_truth_of_their_copies(arrays, kind):
    _, on_device = arrays
    x, y = numpy.array([1.0, 2.0, 3.0], kind), numpy.array([1.0, 10.0, 100.0], kind)
    assert assay.dot(on_device(x), on_device(y)).case().truth == ["3.21e2"]


@pytest.mark.parametrize("kind", ["f8", "f4", "f2"])
def test_of_a_device_are_judged_as_results(arrays, kind):
    module, on_device = arrays
    draw = numpy.random.default_rng(1)
    a, b = (on_device(draw.standard_normal((64, 64)).astype(kind)) for _ in range(2))
    product = module.matmul(a, b)
    expected = assay.matmul(a, b)
    contract = "inner_product" if kind == "f8" else "tf32" if kind == "f4" else "reduced_split_k"
    assay.assert_within(product, expected, contract=contract)
    with pytest.raises(assay.Broken):
        assay.assert_within(product + product, expected, contract=contract)


def test_in_bfloat16_are_judged():
    torch, _ = library("torch")
    a, b = (torch.randn(64, 64, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    assay.assert_within(a @ b, assay.matmul(a, b), contract="reduced_split_k")


def test_that_need_a_gradient_are_judged():
    torch, _ = library("torch")
    x = torch.ones(8, device="cuda", requires_grad=True)
    assay.assert_within(x.sum(), assay.sum(x), contract="correctly_rounded")


def test_come_to_a_function_that_converts_them(arrays):
    module, on_device = arrays
    verdict = assay.check(lambda x: module.sum(x), "sum", "any_order", format="f32", cases=50, arrays=on_device)
    assert verdict.ladder == "sum f32: keeps any_order"


def cast(array, kind):
    """The array in another type of its library."""
    return array.to(kind) if hasattr(array, "to") else array.astype(kind)


def test_are_arguments_and_results_of_a_conversion(arrays):
    module, on_device = arrays
    rule = "even.infinity.nan"
    answer = assay.check_conversion(lambda x: cast(x, module.float16), "f32", "f16", rule, arrays=on_device)
    assert rule in answer.follows
    with pytest.raises(assay.Broken, match=r"zero\.infinity\.nan is broken by"):
        assay.check_conversion(
            lambda x: cast(x, module.float16), "f32", "f16", "zero.infinity.nan", arrays=on_device
        )


@pytest.mark.parametrize("name, target, rule", [
    ("bfloat16", "bf16", "even.infinity.nan"), ("float8_e4m3fn", "e4m3fn", "even.overflow_nan.nan"),
])
def test_of_types_that_numpy_lacks_are_results_of_a_conversion(name, target, rule):
    torch, on_device = library("torch")
    answer = assay.check_conversion(lambda x: x.to(getattr(torch, name)), "f16", target, rule, arrays=on_device)
    assert answer.proof


@pytest.mark.parametrize("name", ["torch", "cupy"])
def test_are_arguments_and_results_of_a_quantizer(name):
    module, on_device = library(name)

    def by_rows(x):
        assert not hasattr(x, "is_cuda") or x.is_cuda
        scales = module.amax(module.abs(x), axis=1, keepdims=True) / 127
        ratios = module.nan_to_num(x / module.where(scales == 0, module.ones_like(scales), scales))
        x *= 0  # a kernel may use its matrix: it is a copy
        rounded = module.rint(ratios) if hasattr(module, "rint") else module.round(ratios)
        return cast(rounded, module.int8), scales

    answer = assay.check_quantization(by_rows, "f32", "int8_row", arrays=on_device)
    assert answer.nearest.startswith("int8_row.") and answer.nearest.endswith(".even") and answer
    with pytest.raises(assay.Broken, match=r"int8_row\.divide\.away is broken by "):
        assay.check_quantization(by_rows, "f32", "int8_row", "int8_row.divide.away", arrays=on_device)


def large(kind, torch, m=300, n=260, k=300):
    """Factors of a product with more terms than the host judges."""
    draw = torch.Generator("cuda").manual_seed(1)
    of = {"device": "cuda", "generator": draw, "dtype": torch.float64}
    return (torch.randn(m, k, **of).to(kind), torch.randn(k, n, **of).to(kind))


@pytest.mark.parametrize(
    "name, contract",
    [
        ("float64", "inner_product"),
        ("float32", "inner_product"),
        ("bfloat16", "reduced_split_k"),
        ("float16", "reduced_split_k"),
    ],
)
def test_of_a_large_product_are_judged_where_they_lie(name, contract):
    torch, _ = library("torch")
    a, b = large(getattr(torch, name), torch)
    right = (a.double() @ b.double()).to(a.dtype)
    expected = assay.matmul(a, b)
    judgment = expected.judge(right, contract)
    assert judgment.verdict == "kept" and judgment.judged == judgment.components == 300 * 260
    assert judgment.exactly is not None and 8 <= judgment.exactly < 2000
    wrong = right.clone()
    wrong[-1, -1] += 2 * abs(wrong[-1, -1]) + 1
    judgment = expected.judge(wrong, contract)
    assert (judgment.verdict, judgment.component, judgment.violated) == ("broken", 300 * 260 - 1, 1)
    with pytest.raises(assay.Broken, match=r"\[77999\] of 78000 numbers"):
        assay.assert_within(wrong, expected, contract=contract)


def test_of_a_large_product_may_have_any_strides_and_batches():
    torch, _ = library("torch")
    a, b = large(torch.float32, torch, 260, 300, 320)
    a, b = a.t().contiguous().t(), b.t().contiguous().t()[:, ::2]
    right = (a.double() @ b.double()).float().t().contiguous().t()
    assert assay.matmul(a, b).judge(right, "inner_product").verdict == "kept"
    batch, other = a.expand(3, -1, -1), torch.stack([b, 2 * b, b + 1])
    products = (batch.double() @ other.double()).float()
    judgment = assay.matmul(batch, other).judge(products, "inner_product")
    assert judgment.verdict == "kept" and judgment.exactly is not None
    products[1, 5, 7] *= 1.001
    judgment = assay.matmul(batch, other).judge(products, "inner_product")
    assert (judgment.verdict, judgment.component) == ("broken", (260 + 5) * 150 + 7)


def test_of_a_large_product_must_have_the_infinities_and_nans_of_its_terms():
    torch, _ = library("torch")
    a, b = large(torch.float32, torch)
    a[3, 5], a[7, 2], b[9, 11] = float("inf"), float("nan"), -float("inf")
    right = (a.double() @ b.double()).float()
    expected = assay.matmul(a, b)
    judgment = expected.judge(right, "inner_product")
    assert judgment.verdict == "kept" and judgment.judged == judgment.components
    right[7, 100] = 1
    judgment = expected.judge(right, "inner_product")
    assert (judgment.verdict, judgment.component) == ("broken", 7 * 260 + 100)


@pytest.mark.parametrize("name", ["float64", "float32", "bfloat16"])
def test_of_a_long_sum_are_judged_where_they_lie(name):
    torch, _ = library("torch")
    kind = getattr(torch, name)
    draw = torch.Generator("cuda").manual_seed(2)
    x, y = (torch.randn(3_000_001, device="cuda", generator=draw).to(kind) for _ in range(2))
    right = x.double().sum().to(kind), (x.double() * y.double()).sum().to(kind)
    contract = "f32_any_order" if name == "bfloat16" else "any_order"
    for expected, result in zip((assay.sum(x), assay.dot(x, y)), right):
        judgment = expected.judge(result, contract)
        assert (judgment.verdict, judgment.judged, judgment.exactly) == ("kept", 1, 0)
        exact = float(judgment.exact.split(" ")[0])
        assert abs(exact - float(result)) <= 0.01 * abs(exact)
        assert expected.judge(result * 1.5, "faithful").verdict == "broken"
    x[5] = float("inf")
    assert assay.sum(x).judge(x.sum(), contract).verdict == "kept"
    assert assay.sum(x).judge(right[0], contract).verdict == "broken"


def test_of_a_sum_whose_bound_is_empty_are_not_judged():
    torch, _ = library("torch")
    x = torch.ones(1 << 25, device="cuda")
    assert assay.sum(x).judge(x.sum(), "any_order").verdict == "outside"
    assert assay.sum(x).judge(x.sum(), "pairwise").verdict == "kept"


def test_of_a_product_of_numbers_of_8_bits_are_judged_where_they_lie():
    torch, _ = library("torch")
    a, b = (torch.randn(512, 512, device="cuda").to(torch.float8_e4m3fn) for _ in range(2))
    right = (a.double() @ b.double()).to(torch.bfloat16)
    expected = assay.matmul(a, b, result="bf16")
    judgment = expected.judge(right, "split_k")
    assert judgment.verdict == "kept" and judgment.exactly is not None
    right[3, 4] += 100
    assert expected.judge(right, "split_k").component == 3 * 512 + 4


def test_of_a_dot_product_on_a_grid_must_be_exact():
    torch, _ = library("torch")
    x = torch.tensor([1.0, 2.0**-30], device="cuda").repeat(1 << 20)
    expected = assay.dot(x, x.flip(0))  # all terms are 2^-30
    right = torch.tensor(2.0**-9, device="cuda")
    assert expected.judge(right, "any_order").verdict == "kept"
    assert expected.judge(torch.nextafter(right, 2 * right), "any_order").verdict == "broken"


def test_of_a_long_product_with_an_infinity_are_not_shown_to_be_kept():
    torch, _ = library("torch")
    a = torch.ones(1, 1 << 21, device="cuda")
    a[0, 5] = torch.inf
    expected = assay.matmul(a, torch.ones(1 << 21, 1, device="cuda"))
    # As on the host, the contract says nothing of such an entry alone.
    assert expected.judge(torch.full((1, 1), torch.inf, device="cuda"), "inner_product").verdict == "outside"
    assert expected.judge(torch.zeros(1, 1, device="cuda"), "inner_product").verdict == "broken"


def rows_on_device(torch, operation, name):
    """The inputs of an operation on rows, its result as torch has it, and a contract."""
    kind = getattr(torch, name)
    draw = torch.Generator("cuda").manual_seed(4)
    of = {"device": "cuda", "generator": draw}
    x, weight, bias = ((3 * torch.randn(*shape, **of)).to(kind) for shape in ((300, 4097), (4097,), (4097,)))
    prefix = "f32_" if name == "bfloat16" else ""
    functional = torch.nn.functional
    got, arguments, contract = {
        "softmax": (lambda: torch.softmax(x, -1), (x,), "shifted_1ulp"),
        "log_softmax": (lambda: torch.log_softmax(x, -1), (x,), "shifted_1ulp"),
        "layer_norm": (
            lambda: functional.layer_norm(x, (4097,), weight, bias, 2.0**-17),
            (x, weight, bias, 2.0**-17),
            "one_pass",
        ),
        "rms_norm": (lambda: functional.rms_norm(x, (4097,), weight, 2.0**-17), (x, weight, 2.0**-17), "any_order"),
    }[operation]
    return arguments, got(), prefix + contract


@pytest.mark.parametrize("name", ["bfloat16", "float32"])
@pytest.mark.parametrize("operation", ["softmax", "log_softmax", "layer_norm", "rms_norm"])
def test_of_many_rows_are_judged_where_they_lie_as_on_the_host(operation, name):
    torch, _ = library("torch")
    arguments, right, contract = rows_on_device(torch, operation, name)
    on_host = [each.cpu() if hasattr(each, "cpu") else each for each in arguments]
    wrong = right.clone()
    wrong[-1, -1] += 1
    for got, verdict in ((right, "kept"), (wrong, "broken")):
        there = getattr(assay, operation)(*arguments).judge(got, contract)
        here = getattr(assay, operation)(*on_host).judge(got.cpu(), contract)
        assert there.exactly is not None and here.exactly is None
        assert there.verdict == here.verdict == verdict
        assert there.judged == there.components == right.numel()
        if verdict == "broken":
            assert there.component == here.component == right.numel() - 1
            assert (there.violated, there.exact, there.got) == (here.violated, here.exact, here.got)


def test_of_rows_with_a_nan_are_judged_by_what_it_makes_of_its_row():
    torch, _ = library("torch")
    (x,), right, contract = rows_on_device(torch, "softmax", "bfloat16")
    x[7, 3], right[7] = float("nan"), float("nan")
    assert assay.softmax(x).judge(right, contract).verdict == "kept"
    right[7, 5] = 0
    judgment = assay.softmax(x).judge(right, contract)
    assert (judgment.verdict, judgment.component) == ("broken", 7 * 4097 + 5)


def heads(torch, name, rows=(300, 400), width=64):
    """q, k and v of 2 × 3 heads, as layers have them: the heads of a position one after the other."""
    draw = torch.Generator("cuda").manual_seed(5)
    of = {"device": "cuda", "generator": draw, "dtype": torch.float32}
    n, m = rows
    return [torch.randn(2, each, 3, width, **of).to(getattr(torch, name)).transpose(1, 2) for each in (n, m, m)]


def attention(torch, q, k, v, causal):
    """softmax(QKᵀ/8)V by binary64, rounded once."""
    seen = torch.ones(q.shape[-2], k.shape[-2], device="cuda", dtype=torch.bool)
    seen = seen.tril(k.shape[-2] - q.shape[-2]) if causal else seen
    s = (q.double() @ k.double().transpose(-1, -2) / 8).masked_fill(~seen, -torch.inf)
    return (torch.softmax(s, -1) @ v.double()).to(q.dtype)


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float32"])
@pytest.mark.parametrize("causal", [True, False])
def test_of_attention_are_judged_where_they_lie(causal, name):
    torch, _ = library("torch")
    q, k, v = heads(torch, name)
    of = assay.Formula("attention" if causal else "attention_full")
    right = attention(torch, q, k, v, causal)
    judgment = assay._close.judged_on_device(of, [q, k, v, 0.125], right)
    assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", right.numel(), right.numel())
    assert judgment.exactly in (64, 128)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assay.assert_close(right, of, q, k, v, scale=0.125)
    for place in ((1, 2, 299, 63), (0, 1, 70, 5)):
        wrong = right.clone()
        wrong[place] += 0.05
        with pytest.raises(assay.Broken, match=rf"entry  o\{str(list(place))[:-1]}\]\n"):
            assay.assert_close(wrong, of, q, k, v, scale=0.125)
    lost = attention(torch, q, k[..., 64:, :], v[..., 64:, :], False)
    with pytest.raises(assay.Broken):
        assay.assert_close(lost, "attention_full", q, k, v, scale=0.125)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("name", ["bfloat16", "float16"])
def test_of_attention_by_torch_keep_the_usual_machine(name, causal):
    torch, _ = library("torch")
    q, k, v = heads(torch, name, (400, 400))
    got = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=0.125)
    assay.assert_close(got, "attention" if causal else "attention_full", q, k, v, scale=0.125)


def backward(torch, q, k, v, do):
    """dQ, dK and dV of causal attention by binary64, rounded once."""
    inputs = [each.detach().double().requires_grad_() for each in (q, k, v)]
    torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=True, scale=0.125).backward(do.double())
    return [each.grad.to(q.dtype) for each in inputs]


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float32"])
@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_of_a_gradient_of_attention_are_judged_where_they_lie(which, name):
    torch, _ = library("torch")
    q, k, v = heads(torch, name, (400, 400))
    do = torch.randn(q.shape, device="cuda").to(q.dtype)
    of = assay.Formula(f"attention_backward_{which}")
    arguments = [q, k, do, 0.125] if which == "v" else [q, k, v, do, 0.125]
    right = backward(torch, q, k, v, do)["qkv".index(which)]
    judgment = assay._close.judged_on_device(of, arguments, right)
    assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", right.numel(), right.numel())
    right[1, 2, 399, 63] += 1
    with pytest.raises(assay.Broken, match=rf"d{which}\[1, 2, 399, 63\]\n"):
        assay.assert_close(right, of, *arguments)


@pytest.mark.parametrize("which", ["q", "k", "v"])
def test_of_a_large_gradient_of_attention_with_a_wrong_entry_are_refused_at_its_place(which):
    torch, _ = library("torch")
    q, k, v = heads(torch, "bfloat16", (4096, 4096))
    do = torch.randn(q.shape, device="cuda").to(q.dtype)
    arguments = [q, k, do, 0.125] if which == "v" else [q, k, v, do, 0.125]
    right = backward(torch, q, k, v, do)["qkv".index(which)]
    for place in ((0, 0, 0, 0), (1, 1, 2048, 5), (1, 2, 4095, 63)):
        for wrong in (4, float("nan")):
            got = right.clone()
            got[place] += wrong
            with pytest.raises(assay.Broken, match=rf"d{which}\[{', '.join(map(str, place))}\]\n"):
                assay.assert_close(got, f"attention_backward_{which}", *arguments)


@pytest.mark.parametrize("which", ["q", "k", "v"])
@pytest.mark.parametrize("name", ["bfloat16", "float16"])
def test_of_a_gradient_of_attention_by_torch_keep_the_usual_machine(name, which):
    torch, _ = library("torch")
    inputs = [each.contiguous().requires_grad_() for each in heads(torch, name, (400, 400))]
    do = torch.randn(2, 3, 400, 64, device="cuda").to(inputs[0].dtype)
    torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=True, scale=0.125).backward(do)
    q, k, v = (each.detach() for each in inputs)
    arguments = [q, k, do, 0.125] if which == "v" else [q, k, v, do, 0.125]
    assay.assert_close(inputs["qkv".index(which)].grad, f"attention_backward_{which}", *arguments)


@pytest.mark.parametrize("name, contract", [("float32", "tree"), ("float64", "any_order"), ("float64", "tree")])
def test_of_prefix_sums_are_judged_where_they_lie_and_refused_as_on_the_host(name, contract):
    torch, _ = library("torch")
    draw = torch.Generator("cuda").manual_seed(6)
    x = torch.rand(1_500_001, device="cuda", generator=draw, dtype=torch.float64).to(getattr(torch, name))
    on_host = x.cpu().numpy()
    sums = numpy.cumsum(on_host.astype("longdouble")).astype(on_host.dtype)
    expected, right = assay.cumsum(x), torch.from_numpy(sums).cuda()
    judgment = expected.judge(right, contract)
    assert (judgment.verdict, judgment.judged, judgment.exactly) == ("kept", 1_500_001, 1 << 14)
    right[-1] *= 1.001
    judgment = expected.judge(right, contract)
    assert (judgment.verdict, judgment.component, judgment.exactly) == ("broken", 1_500_000, None)


def sparse(on_device, kind, indices, rows=200_000, width=50_000):
    """A matrix with rows of 0 to 15 entries and one of 300 000, x, and their product from wider numbers."""
    draw = numpy.random.default_rng(8)
    lengths = draw.integers(0, 16, rows)
    lengths[rows // 3] = 300_000
    offsets = numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(indices)
    columns = draw.integers(0, width, offsets[-1]).astype(indices)
    values, x = draw.standard_normal(len(columns)).astype(kind), draw.standard_normal(width).astype(kind)
    right = numpy.zeros(rows, "longdouble")
    numpy.add.at(right, numpy.repeat(numpy.arange(rows), lengths), values.astype("longdouble") * x[columns])
    return [on_device(each) for each in (offsets, columns, values, x)], right.astype(kind)


@pytest.mark.parametrize("name", ["torch", "cupy"])
@pytest.mark.parametrize("kind, indices", [("f4", "i4"), ("f4", "i8"), ("f8", "i8")])
def test_of_a_sparse_matrix_are_judged_where_they_lie_and_refused_as_on_the_host(name, kind, indices):
    _, on_device = library(name)
    arguments, right = sparse(on_device, kind, indices)
    contract = "any_order"
    judgment = assay.spmv(*arguments).judge(on_device(right), contract)
    assert (judgment.verdict, judgment.judged, judgment.components) == ("kept", 200_000, 200_000)
    assert 1 <= judgment.exactly < 30
    on_host = [numpy.asarray(each.get() if name == "cupy" else each.cpu()) for each in arguments]
    for place in (199_999, 200_000 // 3, 0):
        wrong = right.copy()
        wrong[place] += 100_000
        there = assay.spmv(*arguments).judge(on_device(wrong), contract)
        here = assay.spmv(*on_host).judge(wrong, contract)
        assert there.exactly is not None and here.exactly is None
        assert (there.verdict, there.component, there.violated) == ("broken", place, 1)
        assert (here.verdict, here.component, here.exact) == ("broken", place, there.exact)


def test_of_a_sparse_matrix_with_a_wrong_index_are_refused():
    _, on_device = library("torch")
    arguments, right = sparse(on_device, "f4", "i4")
    arguments[1][1_000_000] = 50_000
    with pytest.raises(ValueError, match="column_indices: number 1000000 is 50000, and x has 50000 numbers"):
        assay.spmv(*arguments).judge(on_device(right), "any_order")


def test_of_another_type_than_the_judge_has_are_refused():
    torch, _ = library("torch")
    views = [assay._arrays.on_device(torch.ones(shape, device="cuda")) for shape in (1 << 21, 1 << 21, ())]
    with pytest.raises(ValueError, match="format f32, where the judge has f64"):
        assay._device.judged_there(assay.Judge("dot", "f64"), views[:2], views[2], "any_order")


def test_of_the_host_are_not_judged_on_a_device():
    views = [assay._arrays.view(numpy.ones((2, 2)), "a") for _ in range(3)]
    judge = assay.Judge("matmul")
    assert assay._device.judged_there(judge, views[:2], views[2], "inner_product") is None
