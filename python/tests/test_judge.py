"""Cases, their exact results, and judgments."""

import json
import subprocess
from pathlib import Path

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402


def test_operations_are_those_of_the_program():
    assert {"sum", "dot", "asum", "nrm2", "gemv", "gemm"} <= set(assay.contracts())


def test_unknown_operation_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match="^no operation dott; nearest: dot$"):
        assay.Judge("dott")


def test_case_is_the_same_whenever_it_is_drawn():
    assert assay.Judge("dot", seed=3).draw(5).id == assay.Judge("dot", seed=3).draw(5).id
    assert assay.Judge("dot", seed=3).draw(5).id != assay.Judge("dot", seed=4).draw(5).id


def test_case_lives_without_its_judge():
    assert len(assay.Judge("dot").draw(0).arguments) == 2


def test_result_of_an_exact_product_keeps_every_contract_about_an_error():
    case = assay.Judge("gemm").given(numpy.eye(3), numpy.arange(9.0).reshape(3, 3))
    judgments = case.judge(numpy.arange(9.0).reshape(3, 3))
    assert {judgments[each].verdict for each in ("rounded", "grade_a", "grade_b", "grade_c")} == {"kept"}
    assert case.truth == ["0", "3e0", "6e0", "1e0", "4e0", "7e0", "2e0", "5e0", "8e0"]


def test_product_with_a_vector_is_judged():
    a = numpy.arange(6.0).reshape(2, 3)
    assert assay.gemv(a, numpy.ones(3)).case().judge(a @ numpy.ones(3))["rounded"].verdict == "kept"


def test_arguments_of_gemm_have_the_layout_of_the_case():
    case = next(each for each in map(assay.Judge("gemm").draw, range(100)) if each.arguments[1].size > 1)
    alpha, a, b, beta, c = case.arguments
    assert a.shape[-1] == b.shape[-2] and c.shape == (*a.shape[:-1], b.shape[-1])


@pytest.mark.parametrize("operation", ["trsv", "spmv", "softmax", "layer_norm", "rms_norm", "dot", "axpy", "exp"])
def test_arguments_of_a_drawn_case_make_the_case_again(operation):
    judge = assay.Judge(operation)
    case = judge.draw(3)
    assert judge.given(*case.arguments).id == case.id


def test_function_of_one_number_of_16_bits_is_asked_for_every_number():
    assert assay.Judge("sqrt", "f16").quick_cases == 65536


def test_fewer_cases_of_a_function_of_16_bits_are_spread_over_all_numbers():
    asked = []

    def root(x):
        asked.append(int(x.view("u2")) >> 10)  # sign and exponent
        return numpy.sqrt(x)

    with numpy.errstate(invalid="ignore"):
        verdict = assay.check(root, "sqrt", "ulp_1", format="f16", cases=128, controls=False, shrink_steps=0)
        assert verdict.cases == 128 and set(asked) == set(range(64))


def test_stored_case_is_one_of_the_program(tmp_path):
    file = assay.Judge("dot").draw(0).write(tmp_path, "any_order")
    told = json.loads(file.read_text())
    assert told["property"] == "subject.dot" and told["claim"] == "any_order"
    assert file.stem == assay.Judge("dot").draw(0).id


def test_missing_file_is_refused():
    with pytest.raises(OSError, match="^/nonexistent.json: cannot be read"):
        assay.Judge("dot").read("/nonexistent.json")


def test_package_without_a_library_says_where_it_looks(tmp_path):
    import os
    import sys

    package = Path(assay.__file__).parent
    script = "import assay; assay.contracts()"
    environment = {**os.environ, "LIBASSAY_JUDGE": str(tmp_path / "none.so"), "PYTHONPATH": str(package.parent)}
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert ended.returncode == 1
    assert "JudgeError: no libassay_judge.so.1; name it in LIBASSAY_JUDGE: " in ended.stderr
