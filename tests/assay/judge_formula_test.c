/* Formulas behind the C interface of the judge. */
#include <math.h>

#include "tests/assay/c_test.h"

static const char scaled[] =
    "scaled(x[r, n], w[n], c) -> y[r]\n"
    "  y = c * sum(x * w, axis=n)\n";

static assay_judge* opened(const char* formula, const char* format_of_c) {
  const char* formats[] = {NULL, NULL, format_of_c};
  assay_judge_options options = {.struct_size = sizeof options,
                                 .format = "f64",
                                 .seed = 1,
                                 .formula = formula,
                                 .shape = "r=2,n=3",
                                 .format_of_parameter = formats,
                                 .parameter_count = 3};
  assay_judge* judge = NULL;
  EXPECT(assay_judge_open(&options, &judge) == ASSAY_OK);
  return judge;
}

static double x[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
static double w[3] = {1, 3, 5};
static float half = 0.5F;
static int64_t shape_of_x[2] = {2, 3};
static int64_t shape_of_y[1] = {2};

static assay_case* given(assay_judge* judge, int64_t n) {
  int64_t sides[1] = {n};
  const assay_tensor arguments[] = {{sizeof arguments[0], NULL, x, 2, ASSAY_FLOAT, 64, 1, shape_of_x, NULL},
                                    {sizeof arguments[0], NULL, w, 1, ASSAY_FLOAT, 64, 1, sides, NULL},
                                    {sizeof arguments[0], NULL, &half, 0, ASSAY_FLOAT, 32, 1, NULL, NULL}};
  assay_case* a_case = NULL;
  EXPECT(assay_case_given(judge, arguments, 3, &a_case) == (n == 3 ? ASSAY_OK : ASSAY_INVALID));
  return a_case;
}

static assay_verdict judged(assay_case* a_case, const char* contract, double first) {
  double y[2] = {first, 0.5 * (0.4 + 3 * 0.5 + 5 * 0.6)};
  const assay_tensor result = {sizeof result, NULL, y, 1, ASSAY_FLOAT, 64, 1, shape_of_y, NULL};
  assay_verdict verdict = {.struct_size = sizeof verdict};
  EXPECT(assay_case_judge_contract(a_case, &result, contract, &verdict) == ASSAY_OK);
  return verdict;
}

TEST(result_of_a_formula_is_held_to_its_usual_contract) {
  assay_judge* judge = opened(scaled, "f32");
  assay_case* a_case = given(judge, 3);
  const char* usual = assay_judge_usual_contract(judge);
  EXPECT(strcmp(usual, "any_order") == 0);
  EXPECT(judged(a_case, usual, 0.5 * (0.1 + 3 * 0.2 + 5 * 0.3)).verdict == ASSAY_KEPT);
  const assay_verdict wrong = judged(a_case, usual, 1.1001);
  EXPECT(wrong.verdict == ASSAY_BROKEN && wrong.violated == 1 && wrong.component == 0);
  EXPECT(strstr(wrong.derivation, "y          mul") != NULL);
  assay_case_close(a_case);
  assay_judge_close(judge);
}

TEST(axis_of_two_lengths_is_refused_with_both) {
  assay_judge* judge = opened(scaled, "f32");
  EXPECT(given(judge, 2) == NULL);
  EXPECT(strcmp(assay_last_error(), "w: it has shape (2), not [n], where n is 3 by x") == 0);
  assay_judge_close(judge);
}

TEST(tolerance_is_the_bound_of_each_entry) {
  assay_judge* judge = opened(scaled, "f32");
  assay_case *a_case = given(judge, 3), *typical = NULL;
  double bounds[2] = {0, 0};
  double same[2] = {0, 0};
  assay_tolerance told = {.struct_size = sizeof told};
  EXPECT(assay_case_tolerance(a_case, "any_order", &told, bounds, 2) == ASSAY_OK);
  EXPECT(assay_case_bounds(a_case, "any_order", same, 2) == ASSAY_OK);
  EXPECT(bounds[0] == same[0] && bounds[1] == same[1] && told.largest == fmax(bounds[0], bounds[1]));
  EXPECT(told.entries == 2 && told.silent == 0 && strlen(told.derivation) != 0);
  EXPECT(assay_case_tolerance(a_case, "faithful", &told, NULL, 0) == ASSAY_INVALID);
  EXPECT(assay_case_tolerance(a_case, "any_order", &told, bounds, 3) == ASSAY_INVALID);
  EXPECT(assay_case_typical(judge, &typical) == ASSAY_OK && assay_case_argument_count(typical) == 3);
  assay_case_close(typical);
  assay_case_close(a_case);
  assay_judge_close(judge);
}

TEST(formula_that_is_none_is_refused_with_its_place) {
  assay_judge_options options = {.struct_size = sizeof options, .formula = "f(x[n]) -> y[n]\n  y = x +\n"};
  assay_judge* judge = NULL;
  EXPECT(assay_judge_open(&options, &judge) == ASSAY_INVALID);
  EXPECT(strstr(assay_last_error(), "formula:2:10: expected ") == assay_last_error());
  options.operation = "dot";
  EXPECT(assay_judge_open(&options, &judge) == ASSAY_INVALID);
}

int main(int argc, char** argv) {
  static const struct named_test tests[] = {
#include "judge_formula_test.inc"
  };
  return run_test(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
