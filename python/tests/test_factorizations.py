"""Factorizations of matrices by functions of Python: right ones and wrong ones, and what an error that they raise
says."""

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

CASES = 220


def ladder(function, operation, **options):
    return assay.check(function, operation, cases=CASES, controls=False, **options).ladder


def cholesky(a):
    """Row by row, with dot products of NumPy."""
    l = numpy.zeros_like(a)
    for j in range(len(a)):
        rest = a[j, j] - numpy.dot(l[j, :j], l[j, :j])
        if not rest > 0:
            raise ArithmeticError("not positive definite")
        l[j, j] = numpy.sqrt(rest)
        for i in range(j + 1, len(a)):
            l[i, j] = (a[i, j] - numpy.dot(l[i, :j], l[j, :j])) / l[j, j]
    return l


def lu_factor(a):
    lu = a.copy()
    pivots = numpy.arange(min(a.shape))
    for k in range(len(pivots)):
        pivots[k] = k + numpy.argmax(abs(lu[k:, k]))
        lu[[k, pivots[k]]] = lu[[pivots[k], k]]
        if lu[k, k] != 0:
            lu[k + 1 :, k] /= lu[k, k]
        lu[k + 1 :, k + 1 :] -= numpy.outer(lu[k + 1 :, k], lu[k, k + 1 :])
    return lu, pivots


@pytest.mark.parametrize("format", ["f64", "f32"])
def test_cholesky_of_numpy_is_judged_by_one_line(format):
    kept = f"potrf {format}: keeps backward, exact_grid, exceptional"
    assert assay.check(numpy.linalg.cholesky, "potrf", format=format).ladder == kept


def test_an_error_says_that_a_matrix_is_not_definite():
    assert ladder(cholesky, "potrf") == "potrf f64: keeps backward, exact_grid, exceptional"


def test_an_error_for_a_definite_matrix_is_refused():
    def never(a):
        raise ArithmeticError("no")

    with pytest.raises(assay.Broken, match="ArithmeticError: no"):
        ladder(never, "potrf")


@pytest.mark.parametrize(
    "wrong, broken",
    [
        (lambda a: numpy.linalg.cholesky(a).T.copy(), "backward_whole, exact_grid"),
        (lambda a: numpy.linalg.cholesky((a + a.T) / 2), "backward"),
        (lambda a: numpy.linalg.cholesky(a).astype(numpy.float32).astype(a.dtype), "backward_whole, exact_grid"),
    ],
    ids=["upper", "of both triangles", "rounded to binary32"],
)
def test_a_wrong_factor_is_refused(wrong, broken):
    assert ladder(wrong, "potrf").split("breaks ")[1] == broken


@pytest.mark.parametrize("format", ["f64", "f32"])
def test_factors_and_pivots_are_a_pair(format):
    assert ladder(lu_factor, "getrf", format=format) == f"getrf {format}: keeps backward, exact_grid, exceptional"


def test_rows_in_another_order_are_refused():
    def sorted_pivots(a):
        lu, pivots = lu_factor(a)
        return lu, numpy.arange(len(pivots))

    assert ladder(sorted_pivots, "getrf").endswith("breaks backward_any_pivots, exact_grid")


@pytest.mark.parametrize("format", ["f64", "f32"])
def test_solve_of_numpy_is_judged_by_one_line(format):
    assert ladder(numpy.linalg.solve, "gesv", format=format) == f"gesv {format}: keeps backward, exceptional"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda a, b: numpy.linalg.inv(a) @ b,
        lambda a, b: numpy.linalg.solve(a.T @ a, a.T @ b),
        lambda a, b: numpy.linalg.solve(a.T, b),
        lambda a, b: numpy.linalg.solve(a.astype(numpy.float32), b.astype(numpy.float32)).astype(a.dtype),
    ],
    ids=["inverse", "normal equations", "transposed", "in binary32"],
)
def test_a_solution_with_a_large_residual_is_refused(wrong):
    with pytest.raises(assay.Broken):
        assay.check(wrong, "gesv", "backward", cases=CASES, controls=False)


def least_squares(a, b):
    return numpy.linalg.lstsq(a, b, rcond=None)[0]


def getrs(lu, pivots, b):
    """Row by row, with dot products of NumPy."""
    x = b.copy()
    for k, pivot in enumerate(pivots):
        x[[k, pivot]] = x[[pivot, k]]
    for i in range(len(x)):
        x[i] -= lu[i, :i] @ x[:i]
    for i in reversed(range(len(x))):
        x[i] = (x[i] - lu[i, i + 1 :] @ x[i + 1 :]) / lu[i, i]
    return x


def posv(a, b):
    l, x = cholesky(a), b.copy()
    for i in range(len(x)):
        x[i] = (x[i] - l[i, :i] @ x[:i]) / l[i, i]
    for i in reversed(range(len(x))):
        x[i] = (x[i] - l[i + 1 :, i] @ x[i + 1 :]) / l[i, i]
    return x


@pytest.mark.parametrize(
    "function, operation, kept",
    [
        (numpy.linalg.qr, "geqrf", "backward, exceptional"),
        (numpy.linalg.eigh, "syev", "backward, values, exceptional"),
        (numpy.linalg.inv, "inv", "right_residual, exceptional; breaks left_residual"),
        (least_squares, "gels", "backward, exceptional"),
        (getrs, "getrs", "backward, exceptional"),
        (posv, "posv", "backward, exceptional"),
    ],
    ids=["qr", "eigh", "inv", "lstsq", "getrs", "posv"],
)
def test_functions_of_numpy_are_judged_by_one_line(function, operation, kept):
    assert assay.check(function, operation, cases=30, controls=False).ladder == f"{operation} f64: keeps {kept}"


@pytest.mark.parametrize(
    "wrong, operation, broken",
    [
        (lambda a: numpy.linalg.qr(a[:, ::-1]), "geqrf", "residual"),
        (lambda a: (numpy.linalg.eigh(a)[0], numpy.eye(len(a))), "syev", "backward"),
        (lambda a: numpy.linalg.inv(a).T, "inv", "right_residual"),
        (lambda a, b: least_squares(a.T @ a, a.T @ b), "gels", "backward"),
        (lambda lu, pivots, b: getrs(lu, range(len(b)), b), "getrs", "backward"),
        (lambda a, b: numpy.linalg.solve(a, b), "posv", "status"),
    ],
    ids=["qr of another matrix", "no vectors", "inv transposed", "normal equations", "no pivots", "no status"],
)
def test_wrong_functions_are_refused(wrong, operation, broken):
    found = assay.check(wrong, operation, cases=30, controls=False, shrink_steps=0).ladder
    assert found.split("breaks ")[1].split(", ")[0] == broken


DRAW = numpy.random.default_rng(5)
SQUARE, TALL, RIGHT_SIDE = DRAW.standard_normal((5, 5)), DRAW.standard_normal((7, 4)), DRAW.standard_normal(5)
DEFINITE = SQUARE @ SQUARE.T + numpy.eye(5)
#: Operation: a right function, a wrong one, and the matrices that both get.
GIVEN = {
    "inv": (numpy.linalg.inv, lambda a: numpy.linalg.inv(a).T, [SQUARE]),
    "gesv": (numpy.linalg.solve, lambda a, b: numpy.linalg.solve(a.T, b), [SQUARE, RIGHT_SIDE]),
    "potrf": (numpy.linalg.cholesky, lambda a: numpy.linalg.cholesky(a).T, [DEFINITE]),
    "posv": (posv, lambda a, b: posv(a + numpy.eye(5), b), [DEFINITE, RIGHT_SIDE]),
    "getrf": (lu_factor, lambda a: (lu_factor(a)[0], numpy.arange(4)), [TALL]),
    "getrs": (getrs, lambda lu, p, b: getrs(lu, p[::-1], b), [*lu_factor(SQUARE), RIGHT_SIDE]),
    "geqrf": (numpy.linalg.qr, lambda a: (a, numpy.eye(4)), [TALL]),
    "gels": (least_squares, lambda a, b: least_squares(a, b) * (1 + 1e-9), [TALL, TALL[:, 0] + 1]),
    "syev": (numpy.linalg.eigh, lambda a: (numpy.linalg.eigh(a)[0], numpy.eye(5)), [DEFINITE]),
}


@pytest.mark.parametrize("operation", GIVEN)
def test_a_result_for_a_given_matrix_is_held_to_its_bound(operation):
    right, wrong, given = GIVEN[operation]
    assay.assert_close(tuple(right(*given)) if operation in ("geqrf", "syev") else right(*given), operation, *given)
    with pytest.raises(assay.Broken):
        assay.assert_close(wrong(*given), operation, *given)


def test_a_given_matrix_may_be_the_columns_of_a_case():
    assay.assert_close(numpy.linalg.inv(SQUARE).T.reshape(-1), "inv", 5, SQUARE.T.reshape(-1))


def test_a_given_matrix_may_be_larger_than_any_that_is_drawn():
    a = numpy.eye(150) * 2 + numpy.eye(150, k=1) + numpy.eye(150, k=-1)
    lower = numpy.linalg.cholesky(a)
    assay.assert_close(lower, "potrf", a)
    lower[149, 148] *= 1 + 1e-12
    with pytest.raises(assay.Broken):
        assay.assert_close(lower, "potrf", a)


@pytest.mark.parametrize(
    ("operation", "given", "says"),
    [
        ("inv", [SQUARE[:4]], r"^a: it has shape \(4, 5\), not n = 5 × n = 5$"),
        ("gesv", [SQUARE, RIGHT_SIDE[:4]], r"^b: it has shape \(4,\), not n = 5$"),
        ("gels", [TALL.T, TALL[:, 0]], r"^b: it has shape \(7,\), not m = 4$"),
    ],
)
def test_a_given_matrix_of_another_shape_is_refused(operation, given, says):
    with pytest.raises(ValueError, match=says):
        assay.assert_close(RIGHT_SIDE, operation, *given)
