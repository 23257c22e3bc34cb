/* The C interface of the judge, from C99. */
#include <math.h>
#include <stdlib.h>

#include "tests/assay/c_test.h"

/* ------------------------------------------------------------------------------------------------------- helpers */

static assay_judge* opened(const char* operation, const char* contract) {
  assay_judge_options options = {.struct_size = sizeof options,
                                 .operation = operation,
                                 .format = "f64",
                                 .seed = 1,
                                 .contracts = &contract,
                                 .contract_count = contract == NULL ? 0 : 1};
  assay_judge* judge = NULL;
  EXPECT(assay_judge_open(&options, &judge) == ASSAY_OK);
  return judge;
}

static assay_tensor vector_of(double* x, const int64_t* n) {
  assay_tensor tensor = {sizeof tensor, NULL, x, 1, ASSAY_FLOAT, 64, 1, n, NULL};
  return tensor;
}

static assay_tensor number_of(double* x) {
  assay_tensor tensor = {sizeof tensor, NULL, x, 0, ASSAY_FLOAT, 64, 1, NULL, NULL};
  return tensor;
}

static const double* numbers(const assay_tensor* tensor) { return (const double*)tensor->data; }

static int32_t recursive_dot(void* self, const assay_tensor* arguments, size_t count, const assay_tensor* result) {
  double sum = 0;
  (void)self;
  for (int64_t i = 0; count == 2 && i < arguments[0].shape[0]; ++i) {
    sum += numbers(&arguments[0])[i * arguments[0].strides[0]] * numbers(&arguments[1])[i * arguments[1].strides[0]];
  }
  *(double*)result->data = sum;
  return 0;
}

static int32_t without_answer(void* self, const assay_tensor* arguments, size_t count, const assay_tensor* result) {
  (void)self;
  (void)arguments;
  (void)count;
  (void)result;
  assay_subject_error("the device is busy");
  return 1;
}

static int32_t that_writes_to_x(void* self, const assay_tensor* arguments, size_t count, const assay_tensor* result) {
  if (count == 2 && arguments[0].shape[0] > 0) ((double*)arguments[0].data)[0] += 1;
  return recursive_dot(self, arguments, count, result);
}

/* C := alpha A B + beta C by the strides of the views. */
static int32_t plain_gemm(void* self, const assay_tensor* given, size_t count, const assay_tensor* result) {
  const assay_tensor *a = &given[1], *b = &given[2];
  const double alpha = *numbers(&given[0]), beta = *numbers(&given[3]);
  const int lead = result->ndim == 3;
  (void)self;
  (void)count;
  for (int64_t p = 0; p < (lead ? result->shape[0] : 1); ++p) {
    for (int64_t i = 0; i < result->shape[lead]; ++i) {
      for (int64_t j = 0; j < result->shape[lead + 1]; ++j) {
        double sum = 0;
        double* c = (double*)result->data + (lead ? p * result->strides[0] : 0) + i * result->strides[lead] +
                    j * result->strides[lead + 1];
        for (int64_t l = 0; l < a->shape[lead + 1] && alpha != 0; ++l) {
          sum += numbers(a)[(lead ? p * a->strides[0] : 0) + i * a->strides[lead] + l * a->strides[lead + 1]] *
                 numbers(b)[(lead ? p * b->strides[0] : 0) + l * b->strides[lead] + j * b->strides[lead + 1]];
        }
        *c = (alpha == 0 ? 0 : alpha * sum) + (beta == 0 ? 0 : beta * *c);
      }
    }
  }
  return 0;
}

/* The verdict on one of the contracts of a case's operation. */
static const assay_verdict* verdict_on(const assay_verdict* verdicts, size_t count, const char* contract) {
  for (size_t i = 0; i < count; ++i) {
    if (strcmp(verdicts[i].contract, contract) == 0) return &verdicts[i];
  }
  expect(0, __LINE__, "a verdict on the contract");
  return &verdicts[0];
}

enum { dot_contracts = 19 };

/* Contracts of numbers of 16 bits are no claims for the others. */
static int is_of_binary64(const char* contract) { return strncmp(contract, "f32_", 4) != 0; }

/* What a contract asks of one result of ordinary numbers: its error. */
static int is_about_one_error(const char* contract) {
  static const char* const others[] = {"order_free",      "exact_grid", "exceptional",
                                       "place_invariant", "run_to_run", "split_invariant"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    if (strcmp(contract, others[i]) == 0) return 0;
  }
  return 1;
}

static void with_sizes(assay_verdict* verdicts, size_t count) {
  for (size_t i = 0; i < count; ++i) verdicts[i].struct_size = sizeof verdicts[i];
}

/* Judges a number as the dot product of (1, 2⁻³⁰) and (1, 2⁻³⁰), exactly 1 + 2⁻⁶⁰. */
static void judge_dot(double got, assay_verdict* verdicts) {
  static double x[] = {1, 0x1p-30};
  const int64_t n = 2;
  const assay_tensor arguments[] = {vector_of(x, &n), vector_of(x, &n)};
  const assay_tensor result = number_of(&got);
  static assay_judge* judge = NULL;
  static assay_case* given = NULL;
  if (judge == NULL) {
    judge = opened("dot", NULL);
    EXPECT(assay_case_given(judge, arguments, 2, &given) == ASSAY_OK);
  }
  with_sizes(verdicts, dot_contracts);
  EXPECT(assay_case_judge(given, &result, verdicts, dot_contracts) == ASSAY_OK);
}

static assay_report* checked(assay_judge* judge, assay_subject subject, uint64_t cases) {
  assay_check_options options = {sizeof options, cases, 100, NULL, 1};
  assay_report* report = NULL;
  EXPECT(assay_check(judge, subject, NULL, &options, &report) == ASSAY_OK);
  return report;
}

static assay_finding finding_of(const assay_report* report, const char* contract) {
  assay_finding finding = {sizeof finding, NULL, 0, 0, 0, 0, NULL};
  for (size_t i = 0; i < assay_report_finding_count(report); ++i) {
    EXPECT(assay_report_finding_at(report, i, &finding) == ASSAY_OK);
    if (strcmp(finding.contract, contract) == 0) return finding;
  }
  expect(0, __LINE__, "a finding on the contract");
  return finding;
}

/* --------------------------------------------------------------------------------------------------------- tests */

TEST(version_is_that_of_the_header) { EXPECT(assay_judge_abi() == ASSAY_JUDGE_ABI); }

TEST(operations_are_listed_with_their_contracts) {
  int found = 0;
  for (size_t i = 0; i < assay_operation_count(); ++i) {
    assay_operation_info info = {sizeof info, NULL, NULL, NULL, 0, 0};
    EXPECT(assay_operation_at(i, &info) == ASSAY_OK);
    if (strcmp(info.name, "dot") != 0) continue;
    found = info.contracts == dot_contracts && strcmp(assay_format_at("dot", 0), "f64") == 0;
  }
  EXPECT(found);
}

TEST(contract_names_its_theorem_and_source) {
  assay_contract_info info = {sizeof info, NULL, NULL, NULL, NULL, NULL, NULL, 0};
  for (size_t i = 0; i < dot_contracts; ++i) {
    EXPECT(assay_contract_at("dot", i, &info) == ASSAY_OK);
    if (strcmp(info.id, "any_order") == 0) break;
  }
  EXPECT(strcmp(info.id, "any_order") == 0 && strcmp(info.theorem, "dot.tree.1") == 0);
  EXPECT(strstr(info.source, "Higham") != NULL && info.is_about_error == 1);
}

TEST(contracts_are_one_document) { EXPECT(strstr(assay_contracts_json(), "\"operations\"") != NULL); }

TEST(unknown_operation_is_refused_with_the_nearest_one) {
  assay_judge_options options = {.struct_size = sizeof options, .operation = "dott"};
  assay_judge* judge = NULL;
  EXPECT(assay_judge_open(&options, &judge) == ASSAY_INVALID);
  EXPECT(strcmp(assay_last_error(), "no operation dott; nearest: dot") == 0);
}

TEST(unknown_contract_is_refused) {
  const char* contract = "faithfull";
  assay_judge_options options = {
      .struct_size = sizeof options, .operation = "dot", .contracts = &contract, .contract_count = 1};
  assay_judge* judge = NULL;
  EXPECT(assay_judge_open(&options, &judge) == ASSAY_INVALID);
  EXPECT(strcmp(assay_last_error(), "no contract faithfull; nearest: faithful") == 0);
}

TEST(struct_without_a_size_is_refused) {
  assay_judge_options options = {.struct_size = 0, .operation = "dot"};
  assay_judge* judge = NULL;
  EXPECT(assay_judge_open(&options, &judge) == ASSAY_INVALID);
}

TEST(struct_of_an_older_caller_keeps_what_lies_behind_it) {
  assay_finding finding = {offsetof(assay_finding, ratio), NULL, 0, 0, 0, -7, NULL};
  assay_judge* judge = opened("dot", NULL);
  assay_report* report = checked(judge, recursive_dot, 10);
  EXPECT(assay_report_finding_at(report, 0, &finding) == ASSAY_OK);
  EXPECT(finding.contract != NULL && finding.ratio == -7 && finding.struct_size == offsetof(assay_finding, ratio));
  assay_report_close(report);
  assay_judge_close(judge);
}

TEST(null_pointers_are_refused) {
  EXPECT(assay_judge_open(NULL, NULL) == ASSAY_INVALID);
  EXPECT(assay_case_draw(NULL, 0, NULL) == ASSAY_INVALID);
  EXPECT(assay_check(NULL, recursive_dot, NULL, NULL, NULL) == ASSAY_INVALID);
  EXPECT(assay_case_judge(NULL, NULL, NULL, 0) == ASSAY_INVALID);
}

TEST(case_is_the_same_whenever_it_is_drawn) {
  assay_judge* judge = opened("dot", NULL);
  assay_case *first = NULL, *second = NULL, *other = NULL;
  EXPECT(assay_case_draw(judge, 7, &first) == ASSAY_OK);
  EXPECT(assay_case_draw(judge, 7, &second) == ASSAY_OK);
  EXPECT(assay_case_draw(judge, 8, &other) == ASSAY_OK);
  EXPECT(strlen(assay_case_id(first)) == 16);
  EXPECT(strcmp(assay_case_id(first), assay_case_id(second)) == 0);
  EXPECT(strcmp(assay_case_id(first), assay_case_id(other)) != 0);
  assay_case_close(first);
  assay_case_close(second);
  assay_case_close(other);
  assay_judge_close(judge);
}

TEST(arguments_are_views_with_type_shape_and_strides) {
  assay_judge* judge = opened("dot", NULL);
  assay_case* drawn = NULL;
  assay_tensor x = {sizeof x, NULL, NULL, 0, 0, 0, 0, NULL, NULL};
  EXPECT(assay_case_draw(judge, 7, &drawn) == ASSAY_OK);
  EXPECT(assay_case_argument_count(drawn) == 2);
  EXPECT(assay_case_argument(drawn, 0, &x) == ASSAY_OK);
  EXPECT(strcmp(x.name, "x") == 0 && x.ndim == 1 && x.code == ASSAY_FLOAT && x.bits == 64 && x.lanes == 1);
  EXPECT(x.strides[0] == 1 && (x.shape[0] == 0 || x.data != NULL));
  assay_case_close(drawn);
  assay_judge_close(judge);
}

TEST(truth_has_forty_digits) {
  static double x[] = {1, 0x1p-30};
  const int64_t n = 2;
  const assay_tensor arguments[] = {vector_of(x, &n), vector_of(x, &n)};
  assay_judge* judge = opened("dot", NULL);
  assay_case* given = NULL;
  EXPECT(assay_case_given(judge, arguments, 2, &given) == ASSAY_OK);
  EXPECT(assay_case_truth_count(given) == 1);
  EXPECT(strcmp(assay_case_truth(given, 0), "1.000000000000000000867361737988403547206e0") == 0);
  assay_case_close(given);
  assay_judge_close(judge);
}

TEST(right_result_keeps_every_contract_about_an_error) {
  assay_verdict verdicts[dot_contracts];
  judge_dot(1, verdicts);
  for (size_t i = 0; i < dot_contracts; ++i) {
    if (!is_about_one_error(verdicts[i].contract)) continue;
    EXPECT(verdicts[i].verdict == (is_of_binary64(verdicts[i].contract) ? ASSAY_KEPT : ASSAY_NO_CLAIM));
  }
}

TEST(contract_about_several_runs_is_undecided_for_one_result) {
  assay_verdict verdicts[dot_contracts];
  judge_dot(1, verdicts);
  EXPECT(verdict_on(verdicts, dot_contracts, "order_free")->verdict == ASSAY_UNDECIDED);
}

TEST(wrong_result_breaks_what_it_breaks_and_no_more) {
  assay_verdict verdicts[dot_contracts];
  judge_dot(1 + 0x1p-52, verdicts);
  EXPECT(verdict_on(verdicts, dot_contracts, "correctly_rounded")->verdict == ASSAY_BROKEN);
  EXPECT(verdict_on(verdicts, dot_contracts, "faithful")->verdict == ASSAY_KEPT);
  const assay_verdict* any_order = verdict_on(verdicts, dot_contracts, "any_order");
  EXPECT(any_order->verdict == ASSAY_KEPT && any_order->ratio > 0.9 && any_order->ratio < 1);
  EXPECT(strcmp(any_order->got, "0x1.0000000000001p+0") == 0 && strstr(any_order->source, "Higham") != NULL);
}

TEST(nan_breaks_every_contract_about_an_error) {
  assay_verdict verdicts[dot_contracts];
  judge_dot(NAN, verdicts);
  for (size_t i = 0; i < dot_contracts; ++i) {
    if (!is_of_binary64(verdicts[i].contract) || !is_about_one_error(verdicts[i].contract)) continue;
    EXPECT(verdicts[i].verdict == ASSAY_BROKEN && isinf(verdicts[i].ratio));
  }
}

TEST(inputs_with_strides_are_read_by_them) {
  double x[] = {1, 99, 2, 99, 3};
  double y[] = {3, 2, 1};
  const int64_t n = 3, two = 2, backward = -1;
  assay_tensor arguments[] = {vector_of(x, &n), vector_of(y, &n)};
  arguments[0].strides = &two;
  arguments[1].data = &y[2];
  arguments[1].strides = &backward;
  assay_judge* judge = opened("dot", NULL);
  assay_case* given = NULL;
  EXPECT(assay_case_given(judge, arguments, 2, &given) == ASSAY_OK);
  EXPECT(strcmp(assay_case_truth(given, 0), "1.4e1") == 0);
  assay_case_close(given);
  assay_judge_close(judge);
}

TEST(inputs_of_another_type_are_refused) {
  double x[] = {1};
  const int64_t n = 1;
  assay_tensor arguments[] = {vector_of(x, &n), vector_of(x, &n)};
  assay_judge* judge = opened("dot", NULL);
  assay_case* given = NULL;
  arguments[1].bits = 32;
  EXPECT(assay_case_given(judge, arguments, 2, &given) == ASSAY_INVALID);
  EXPECT(strcmp(assay_last_error(), "y: it has numbers of float32, not of float64") == 0);
  assay_judge_close(judge);
}

TEST(inputs_outside_the_domain_are_refused) {
  double x[] = {0x1p600};
  const int64_t n = 1;
  const assay_tensor arguments[] = {vector_of(x, &n), vector_of(x, &n)};
  assay_judge* judge = opened("dot", NULL);
  assay_case* given = NULL;
  EXPECT(assay_case_given(judge, arguments, 2, &given) == ASSAY_OUTSIDE);
  EXPECT(strstr(assay_last_error(), "at most 2^1021") != NULL);
  assay_judge_close(judge);
}

TEST(inputs_of_two_lengths_are_refused) {
  double x[] = {1, 2};
  const int64_t n = 2, one = 1;
  const assay_tensor arguments[] = {vector_of(x, &n), vector_of(x, &one)};
  assay_judge* judge = opened("dot", NULL);
  assay_case* given = NULL;
  EXPECT(assay_case_given(judge, arguments, 2, &given) == ASSAY_OUTSIDE);
  assay_judge_close(judge);
}

TEST(check_tells_the_ladder) {
  assay_judge* judge = opened("dot", NULL);
  assay_report* report = checked(judge, recursive_dot, 300);
  const assay_finding kept = finding_of(report, "any_order"), broken = finding_of(report, "pairwise");
  EXPECT(kept.verdict == ASSAY_KEPT && kept.in_ladder == 1 && kept.cases > 200 && kept.ratio > 0.9);
  EXPECT(broken.verdict == ASSAY_BROKEN && broken.in_ladder == 1 && strlen(broken.case_id) == 16);
  EXPECT(finding_of(report, "correctly_rounded").in_ladder == 0);
  EXPECT(strstr(assay_report_json(report), "\"kept\":[\"any_order\"") != NULL);
  assay_report_close(report);
  assay_judge_close(judge);
}

TEST(check_of_one_contract_asks_that_one) {
  assay_judge* judge = opened("dot", "faithful");
  assay_report* report = checked(judge, recursive_dot, 100);
  EXPECT(assay_report_finding_count(report) == 1 && finding_of(report, "faithful").verdict == ASSAY_BROKEN);
  assay_report_close(report);
  assay_judge_close(judge);
}

TEST(controls_are_refused_and_blind_contracts_named) {
  assay_judge* judge = opened("dot", NULL);
  assay_report* report = checked(judge, recursive_dot, 10);
  EXPECT(strstr(assay_report_json(report), "\"controls\":{\"count\":6,\"passed\":[],\"blind\":{") != NULL);
  EXPECT(strstr(assay_report_json(report), "\"order_free\":[\"") != NULL);
  assay_report_close(report);
  assay_judge_close(judge);
}

TEST(kernel_without_an_answer_is_told_with_its_reason) {
  assay_judge* judge = opened("dot", NULL);
  assay_report* report = checked(judge, without_answer, 10);
  EXPECT(strstr(assay_report_json(report), "the device is busy") != NULL);
  EXPECT(finding_of(report, "any_order").verdict == ASSAY_UNDECIDED);
  assay_report_close(report);
  assay_judge_close(judge);
}

TEST(kernel_that_writes_to_an_argument_is_told_so) {
  assay_judge* judge = opened("dot", NULL);
  assay_case* drawn = NULL;
  EXPECT(assay_case_draw(judge, 7, &drawn) == ASSAY_OK);
  EXPECT(assay_case_ask(drawn, that_writes_to_x, NULL, NULL, 0) == ASSAY_SUBJECT_FAILED);
  EXPECT(strcmp(assay_last_error(), "it wrote to its argument x") == 0);
  assay_case_close(drawn);
  assay_judge_close(judge);
}

TEST(gemm_is_asked_by_views_of_its_matrices) {
  assay_judge* judge = opened("gemm", NULL);
  assay_report* report = checked(judge, plain_gemm, 300);
  EXPECT(finding_of(report, "grade_a").verdict == ASSAY_KEPT);
  EXPECT(finding_of(report, "not_read").verdict == ASSAY_KEPT);
  EXPECT(finding_of(report, "rounded").verdict == ASSAY_BROKEN);
  assay_report_close(report);
  assay_judge_close(judge);
}

TEST(product_of_two_given_matrices_is_judged_by_rows) {
  double a[] = {1, 2, 3, 4, 5, 6}; /* 2 × 3 */
  double b[] = {1, 0, 0, 1, 1, 1}; /* 3 × 2 */
  double c[] = {4, 5, 10, 11};
  const int64_t of_a[] = {2, 3}, of_b[] = {3, 2}, of_c[] = {2, 2};
  const assay_tensor arguments[] = {{sizeof(assay_tensor), NULL, a, 2, ASSAY_FLOAT, 64, 1, of_a, NULL},
                                    {sizeof(assay_tensor), NULL, b, 2, ASSAY_FLOAT, 64, 1, of_b, NULL}};
  const assay_tensor result = {sizeof(assay_tensor), NULL, c, 2, ASSAY_FLOAT, 64, 1, of_c, NULL};
  assay_verdict verdict = {.struct_size = sizeof verdict};
  assay_judge* judge = opened("gemm", NULL);
  assay_case* given = NULL;
  EXPECT(assay_case_given(judge, arguments, 2, &given) == ASSAY_OK);
  EXPECT(assay_case_truth_count(given) == 4 && strcmp(assay_case_truth(given, 1), "1e1") == 0);
  EXPECT(assay_case_judge(given, &result, &verdict, 1) == ASSAY_OK && verdict.verdict == ASSAY_KEPT);
  c[2] = 10.5;
  EXPECT(assay_case_judge(given, &result, &verdict, 1) == ASSAY_OK && verdict.verdict == ASSAY_BROKEN);
  EXPECT(verdict.component == 1 && strcmp(verdict.exact, "1e1") == 0);
  assay_case_close(given);
  assay_judge_close(judge);
}

TEST(contract_that_every_result_keeps_is_no_claim_and_others_have_bounds) {
  double a = 2, c = 4, bound = 0;
  const int64_t one[] = {1, 1};
  const assay_tensor matrix = {sizeof matrix, NULL, &a, 2, ASSAY_FLOAT, 64, 1, one, NULL}, given[] = {matrix, matrix};
  const assay_tensor result = {sizeof result, NULL, &c, 2, ASSAY_FLOAT, 64, 1, one, NULL};
  assay_verdict verdict = {.struct_size = sizeof verdict};
  assay_judge* judge = opened("gemm", NULL);
  assay_case* square = NULL;
  EXPECT(assay_case_given(judge, given, 2, &square) == ASSAY_OK);
  EXPECT(assay_case_judge_contract(square, &result, "zeros", &verdict) == ASSAY_OK);
  EXPECT(verdict.verdict == ASSAY_NO_CLAIM && strcmp(verdict.contract, "zeros") == 0);
  EXPECT(assay_case_judge_contract(square, &result, "grade_a", &verdict) == ASSAY_OK);
  EXPECT(assay_case_bounds(square, "grade_a", &bound, 1) == ASSAY_OK);
  EXPECT(verdict.verdict == ASSAY_KEPT && verdict.judged == 1 && verdict.bound == bound && bound > 0 && bound < 1e-14);
  assay_case_close(square);
  assay_judge_close(judge);
}

TEST(verdicts_of_an_older_caller_lie_as_its_struct_says) {
  enum { size = offsetof(assay_verdict, bound) };
  assay_verdict* verdicts = calloc(dot_contracts, sizeof *verdicts);
  for (size_t i = 0; i < dot_contracts; ++i) ((assay_verdict*)((char*)verdicts + i * size))->struct_size = size;
  assay_judge* judge = opened("dot", NULL);
  assay_case* drawn = NULL;
  EXPECT(assay_case_draw(judge, 7, &drawn) == ASSAY_OK);
  EXPECT(assay_case_ask(drawn, recursive_dot, NULL, verdicts, dot_contracts) == ASSAY_OK);
  int found = 0;
  for (size_t i = 0; i < dot_contracts; ++i) {
    const assay_verdict* verdict = (const assay_verdict*)((const char*)verdicts + i * size);
    found += strcmp(verdict->contract, "any_order") == 0;
  }
  EXPECT(found == 1);
  free(verdicts);
  assay_case_close(drawn);
  assay_judge_close(judge);
}

TEST(broken_case_shrinks_to_one_that_breaks_the_contract) {
  assay_judge* judge = opened("dot", NULL);
  assay_verdict verdicts[dot_contracts];
  assay_case *drawn = NULL, *smaller = NULL;
  with_sizes(verdicts, dot_contracts);
  for (uint64_t number = 0; smaller == NULL && number < 100; ++number) {
    EXPECT(assay_case_draw(judge, number, &drawn) == ASSAY_OK);
    EXPECT(assay_case_ask(drawn, recursive_dot, NULL, verdicts, dot_contracts) == ASSAY_OK);
    if (verdict_on(verdicts, dot_contracts, "faithful")->verdict == ASSAY_BROKEN) {
      EXPECT(assay_case_shrink(drawn, "faithful", recursive_dot, NULL, 2000, &smaller) == ASSAY_OK);
    }
    assay_case_close(drawn);
  }
  assay_tensor x = {.struct_size = sizeof x};
  EXPECT(smaller != NULL && assay_case_argument(smaller, 0, &x) == ASSAY_OK && x.shape[0] < 5);
  EXPECT(assay_case_ask(smaller, recursive_dot, NULL, verdicts, dot_contracts) == ASSAY_OK);
  EXPECT(verdict_on(verdicts, dot_contracts, "faithful")->verdict == ASSAY_BROKEN);
  assay_case_close(smaller);
  assay_judge_close(judge);
}

TEST(stored_case_is_read_as_the_same_case) {
  char folder[] = "/tmp/assay-judge-XXXXXX";
  const char* path = NULL;
  assay_judge* judge = opened("dot", NULL);
  assay_case *drawn = NULL, *read = NULL;
  EXPECT(mkdtemp(folder) != NULL);
  EXPECT(assay_case_draw(judge, 7, &drawn) == ASSAY_OK);
  EXPECT(assay_case_write(drawn, "any_order", folder, &path) == ASSAY_OK);
  EXPECT(assay_case_read(judge, path, &read) == ASSAY_OK);
  EXPECT(read != NULL && strcmp(assay_case_id(read), assay_case_id(drawn)) == 0);
  EXPECT(remove(path) == 0);
  *strrchr((char*)path, '/') = '\0';
  assay_case_close(read);
  EXPECT(remove(path) == 0 && remove(folder) == 0);
  assay_case_close(drawn);
  assay_judge_close(judge);
}

TEST(file_that_is_no_case_is_damaged) {
  assay_judge* judge = opened("dot", NULL);
  assay_case* read = NULL;
  EXPECT(assay_case_read(judge, "/dev/null", &read) == ASSAY_DAMAGED);
  EXPECT(assay_case_write(read, NULL, "/tmp", NULL) == ASSAY_INVALID);
  assay_judge_close(judge);
}

int main(int argc, char** argv) {
  static const struct named_test tests[] = {
#include "judge_test.inc"
  };
  return run_test(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
