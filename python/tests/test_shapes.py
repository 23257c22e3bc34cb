"""assay.check(…, shapes=…): kernels are judged at the sizes that a user names. ASSAY_TIER=nightly: at larger ones."""

import math
import os
import pathlib
import shlex
import subprocess
import sys

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402


PROGRAM = pathlib.Path(os.environ.get("LIBASSAY_JUDGE", "")).resolve().parents[1] / "bin" / "assay"
HERE = pathlib.Path(__file__).parent
NIGHTLY = os.environ.get("ASSAY_TIER") == "nightly"
TERMS = 1_000_000 if NIGHTLY else 100_000
takes_long = pytest.mark.skipif(not NIGHTLY, reason="takes seconds, and a test beside it asks likewise")


def check(function, operation, contract, shape, cases=20, **options):
    return assay.check(function, operation, contract, shapes=[shape], cases=cases, controls=False, **options)


def broken(function, operation, contract, shape, cases=20, **options):
    """The message about a function that must be refused. It shows the smallest case that the check found."""
    with pytest.raises(assay.Broken) as caught:
        check(function, operation, contract, shape, cases, **options)
    return str(caught.value)


def terms_of(text):
    """The length of x in the case that a message shows."""
    return int(text.split("x: ")[1].split()[0])


# ------------------------------------------------------------------------------------------------------------- sums


@pytest.mark.parametrize("n", [8193, TERMS])
def test_sum_of_many_terms_is_accepted(n):
    lengths = set()

    def total(x):
        lengths.add(len(x))
        return numpy.sum(x)

    verdict = check(total, "sum", "any_order", {"n": n}, cases=4)
    assert lengths == {n}
    assert verdict.contracts["any_order"].verdict == "holds"


def test_sum_of_nans_and_infinities_at_a_large_size_is_judged_by_the_exceptional_contract():
    with_nan = []

    def total(x):
        with_nan.append(not numpy.isfinite(x).all())
        return numpy.sum(x)

    verdict = check(total, "sum", "exceptional", {"n": 8193}, cases=40)
    assert any(with_nan)
    assert verdict.contracts["exceptional"].cases > 0
    text = broken(lambda x: numpy.sum(numpy.where(numpy.isfinite(x), x, 0)), "sum", "exceptional", {"n": 8193}, 40)
    assert terms_of(text) == 1


def without_last_block(x):
    return numpy.sum(x if len(x) <= 65536 else x[: (len(x) - 1) // 256 * 256])


@takes_long
def test_sum_that_loses_its_last_block_beyond_65536_terms_is_refused():
    text = broken(without_last_block, "sum", "any_order", {"n": TERMS}, 2, shrink_steps=60)
    assert 65537 <= terms_of(text) < 100000


def test_sum_that_loses_its_last_block_beyond_65536_terms_is_accepted_below():
    check(without_last_block, "sum", "any_order", {"n": [8193, 65536]})


def test_sum_that_ignores_entries_beyond_2_to_the_16_is_refused():
    text = broken(lambda x: numpy.sum(x[:65536]), "sum", "any_order", {"n": 2 * TERMS}, 4, shrink_steps=60)
    assert 65537 <= terms_of(text) < 100000


def test_sum_of_the_first_4096_terms_is_refused_with_a_longer_case():
    text = broken(lambda x: numpy.sum(x[:4096]), "sum", "any_order", {"n": 8193}, shrink_steps=200)
    assert 4097 <= terms_of(text) < 4200


def test_mistake_that_small_cases_show_is_reported_with_a_small_case():
    text = broken(lambda x: numpy.sum(x[1:]), "sum", "any_order", {"n": TERMS}, 4)
    assert terms_of(text) == 1


# ------------------------------------------------------------------------------------------------- other operations


RIGHT = {
    "dot": (numpy.dot, "any_order", {"n": 20000}),
    "asum": (lambda x: numpy.sum(numpy.abs(x)), "any_order", {"n": 20000}),
    "nrm2": (lambda x: numpy.sqrt(numpy.sum(numpy.square(x))), "any_order", {"n": 20000}),
    "axpy": (lambda alpha, x, y: alpha * x + y, "two_roundings", {"n": 9000}),
    "cumsum": (numpy.cumsum, "any_order", {"n": 9000}),
}


@pytest.mark.parametrize("operation", RIGHT)
def test_right_function_of_large_vectors_is_accepted(operation):
    function, contract, shape = RIGHT[operation]
    seen = set()

    def watched(*arguments):
        seen.add(len(arguments[-1]))
        return function(*arguments)

    check(watched, operation, contract, shape, cases=20 if NIGHTLY else 8)
    assert seen == {shape["n"]}


@pytest.mark.parametrize("operation", ["axpy", pytest.param("cumsum", marks=takes_long)])
def test_row_that_is_zero_after_its_4096th_number_is_refused(operation):
    function, contract, shape = RIGHT[operation]

    def wrong(*arguments):
        result = function(*arguments)
        result[4096:] = 0
        return result

    assert 4097 <= terms_of(broken(wrong, operation, contract, shape, 5, shrink_steps=60)) < 4600


def softmax(x):
    e = numpy.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def test_softmax_of_long_rows_is_judged():
    seen = set()

    def watched(x):
        seen.add(x.shape)
        with numpy.errstate(all="ignore"):
            return softmax(x)

    verdict = assay.check(watched, "softmax", shapes=[{"rows": 2, "columns": 8193}], cases=3, shrink_steps=0, controls=False)
    assert (2, 8193) in seen
    assert "row_sum" in verdict.kept

    def wrong(x):
        result = watched(x)
        result[1, 4096:] = 0
        return result

    broken(wrong, "softmax", "row_sum", {"rows": 2, "columns": 8193}, 5, shrink_steps=20)


def test_product_of_long_sums_is_judged():
    seen = set()

    def product(a, b):
        seen.add((a.shape, b.shape))
        return a @ b

    m, n, k = (3, 5, 200_000) if NIGHTLY else (1, 2, 70_000)
    shape = {"m": m, "n": n, "k": k}
    check(product, "matmul", "inner_product", shape, cases=1)
    assert ((m, k), (k, n)) in seen
    text = broken(
        lambda a, b: a[..., :65536] @ b[..., :65536, :], "matmul", "inner_product", shape, 1, shrink_steps=4
    )
    assert 65537 <= int(text.split("k = ")[1].split()[0]) <= k


def test_gemv_and_gemm_beyond_the_drawn_sides_are_judged():
    def gemm(alpha, a, b, beta, c):
        return alpha * (a @ b) + (beta * c if beta else 0)

    shape = {"m": 3, "n": 2, "k": 5000}
    check(gemm, "gemm", "grade_a", shape, cases=5)

    def wrong(alpha, a, b, beta, c):
        return gemm(alpha, a[:, :4096], b[:4096], beta, c)

    broken(wrong, "gemm", "grade_a", shape, 5, shrink_steps=20)


def test_result_of_gemm_beyond_the_drawn_sides_is_judged():
    a = numpy.linspace(-1, 1, 15000).reshape(3, 5000)
    b = numpy.linspace(1, 2, 10000).reshape(5000, 2)
    assay.assert_within(a @ b, assay.gemm(a, b), contract="grade_a")
    with pytest.raises(assay.Broken):
        assay.assert_within(a[:, :4096] @ b[:4096], assay.gemm(a, b), contract="grade_a")


def test_sparse_product_of_many_rows_is_judged():
    def spmv(row_offsets, column_indices, values, x):
        with numpy.errstate(all="ignore"):
            terms = values * x[column_indices]
            return numpy.array(
                [numpy.sum(terms[a:b]) for a, b in zip(row_offsets[:-1], row_offsets[1:])], dtype=values.dtype
            )

    shape = {"rows": 1100, "columns": 1500}
    check(spmv, "spmv", "any_order", shape, cases=6)

    def wrong(*arguments):
        result = spmv(*arguments)
        result[1024:] = 0
        return result

    broken(wrong, "spmv", "any_order", shape, 3, shrink_steps=20)


FORMULA = "row_sums(x[r, n]) -> y[r]\n  y = sum(x, axis=n)\n"


def test_formula_of_long_rows_is_judged_at_every_shape():
    seen = set()

    def right(x):
        seen.add(x.shape)
        with numpy.errstate(all="ignore"):
            return x.sum(axis=1)

    shape = {"r": 2, "n": [300, 9000]}
    verdict = check(right, FORMULA, "any_order", shape, cases=30)
    assert seen == {(2, 300), (2, 9000)}
    assert verdict.contracts["any_order"].verdict == "holds"
    text = broken(lambda x: right(x[:, :8192]), FORMULA, "any_order", shape, 30, shrink_steps=30)
    assert int(text.split("n = ")[1].split()[0]) > 8192


@pytest.mark.parametrize("shape", [{"r": 2}, {"r": [1, 2]}, {"r": 2, "n": [3, 4], "z": 1}])
def test_shape_of_a_formula_has_all_of_its_axes(shape):
    with pytest.raises(ValueError, match="row_sums has the axes r, n"):
        check(lambda x: x.sum(axis=1), FORMULA, None, shape)


# ------------------------------------------------------------------------------------------------------- the shapes


def test_ranges_and_lists_draw_every_shape():
    seen = set()

    def total(x):
        seen.add(len(x))
        return numpy.sum(x)

    check(total, "sum", "any_order", {"n": [100, 200]}, cases=60)
    assert seen == {100, 200}
    seen.clear()
    check(total, "sum", "any_order", {"n": range(5, 9)}, cases=60)
    assert seen == {5, 6, 7, 8}


@pytest.mark.parametrize(
    ("operation", "shape"),
    [("sum", {"n": 0}), ("dot", {"n": 1}), ("axpy", {"n": 0}), ("cumsum", {"n": 0}), ("softmax", {"rows": 0}),
     ("matmul", {"m": 0, "k": 3}), ("matmul", {"k": 0}), ("gemm", {"n": 0}), ("gemv", {"m": 0}),
     ("spmv", {"rows": 0}), ("spmv", {"columns": 0}), ("spmv", {"rows": 5, "columns": 1})],
)  # fmt: skip
def test_empty_and_shortest_shapes_are_in_the_domain(operation, shape, tmp_path):
    text = ",".join(f"{name}={length}" for name, length in shape.items())
    judge = assay.Judge(operation, shape=text)
    for number in range(40):
        drawn = judge.draw(number)
        path = drawn.write(tmp_path)
        assert judge.read(path).id == drawn.id  # read() refuses a case outside the domain


def test_cases_of_a_shape_depend_only_on_the_seed():
    first, second = (assay.Judge("sum", shape="n=9000").draw(3).id for _ in range(2))
    assert first == second
    assert assay.Judge("sum", shape="n=9000", seed=2).draw(3).id != first


@pytest.mark.parametrize(
    ("operation", "shape", "message"),
    [
        ("sum", {"m": 3}, "shape m=3: sum has no dimension m; it has n"),
        ("matmul", {"rows": 3}, "it has batch, m, n, k"),
        ("gemv", {"n": 3}, "gemv has no dimension n; it has m, k"),
        ("two_sum", {"n": 3}, "two_sum takes no shapes"),
        ("exp", {"n": 3}, "exp takes no shapes"),
        ("trsv", {"n": 3}, "trsv takes no shapes"),
        ("sum", {"n": -1}, "lengths are given as n=8193"),
        ("sum", {"n": 10**9}, "needs about .* bytes to be judged; at most 8.59e[+]09 are taken"),
    ],
)
def test_shape_that_cannot_be_judged_is_refused_with_what_is_accepted(operation, shape, message):
    with pytest.raises(ValueError, match=message):
        assay.check(lambda *_: 0.0, operation, shapes=[shape])


@pytest.mark.parametrize("shapes", [[], [{}]])
def test_no_shapes_are_refused(shapes):
    with pytest.raises(ValueError, match="shapes: none is given"):
        assay.check(math.fsum, "sum", shapes=shapes)


@pytest.mark.parametrize("shapes", ["n=1000", ["n=1000"], {"n": 7}])
def test_shapes_that_are_no_list_of_dictionaries_are_refused(shapes):
    with pytest.raises(TypeError, match="shapes: a list of dictionaries is accepted, such as"):
        assay.check(math.fsum, "sum", shapes=shapes)


def test_length_of_numpy_is_an_integer():
    check(math.fsum, "sum", "correctly_rounded", {"n": numpy.int64(7)})


@pytest.mark.parametrize("length", [1.5, "3", [1, "2"]])
def test_length_that_is_no_integer_is_refused(length):
    with pytest.raises(TypeError, match="shapes: n: an integer, a list of integers or a range is accepted"):
        assay.check(math.fsum, "sum", shapes=[{"n": length}])


# ------------------------------------------------------------------------------------------------------- the program


def program(folder, function, options):
    """Runs `assay check` on a sum of tests/kernels.py. Returns the exit code and the output."""
    return program_on(function, ["check", "--out", folder / "run", "--overwrite", "--progress", "none"], options)


def program_on(function, command, options=""):
    """Runs a command of the program on a sum of tests/kernels.py."""
    command = [PROGRAM, *command, "--operation", "sum"]
    command += ["--subject", f"{sys.executable} -m assay.subject kernels:{function}", *shlex.split(options)]
    paths = os.pathsep.join([str(HERE), str(HERE.parent), os.environ.get("PYTHONPATH", "")])
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    ended = subprocess.run(command, capture_output=True, text=True, env={**clean, "PYTHONPATH": paths})
    return ended.returncode, ended.stdout + ended.stderr


needs_program = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")


@needs_program
def test_program_accepts_a_right_sum_at_large_shapes(tmp_path):
    code, told = program(tmp_path, "total", "--shape n=8193 --shape n=20000,20001 --cases 20 --contract any_order")
    assert code == 0, told
    assert "keeps any_order" in told


@needs_program
def test_program_refuses_a_sum_of_the_first_4096_terms_and_repeats_its_case(tmp_path):
    options = "--shape n=8193 --cases 20 --contract any_order --shrink-steps 200"
    code, told = program(tmp_path, "total_of_the_first_4096", options)
    assert code == 1, told
    assert 4097 <= terms_of(told) < 4200
    replay = next(line for line in told.splitlines() if " replay " in line)
    assert " --shape n=8193 " in replay


@needs_program
def test_program_repeats_and_explains_a_case_of_any_length_without_its_shape(tmp_path):
    function, options = "total_of_the_first_9000", "--shape n=9100 --cases 20 --contract any_order --shrink-steps 100"
    code, told = program(tmp_path, function, options)
    assert code == 1, told
    assert terms_of(told) > 8192
    case = next((tmp_path / "run" / "cases").glob("*.json"))
    code, told = program_on(function, ["replay", case])
    assert code == 1, told
    assert "the case is outside the domain" not in told and "any_order" in told
    code, told = program_on(function, ["explain", case])
    assert code == 0 and told.startswith("case "), told


@needs_program
def test_program_finds_no_fault_in_the_only_case_of_a_shape_without_numbers(tmp_path):
    code, told = program(tmp_path, "total", "--shape n=0")
    assert code == 0, told
    assert "draws one case only" not in told


@needs_program
def test_program_does_not_resume_a_run_with_other_shapes(tmp_path):
    assert program(tmp_path, "total", "--shape n=100 --cases 20 --contract any_order")[0] == 0
    code, told = program(tmp_path, "total", "--shape n=200 --cases 20 --contract any_order --resume")
    assert code == 2, told
    assert "subject" in told


@needs_program
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--shape m=3", "--shape m=3: sum has no dimension m; it has n"),
        ("--shape n=", "--shape n=: lengths are given as n=8193"),
        ("--shape n=3..1", "--shape n=3..1: lengths are given as n=8193"),
        ("--shape n=3,n=4", "--shape n=3,n=4: n is given twice"),
        ("--shape n=1000000000000", "bytes to be judged; at most 8.59e+09 are taken"),
    ],
)
def test_program_refuses_a_shape_by_name(tmp_path, options, message):
    code, told = program(tmp_path, "total", options)
    assert code == 2
    assert message in told
