// Kernels from outside that meet NaN, infinities, zeros on a diagonal and increments other than 1; and implications
// between contracts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "arith/words/double_word.hpp"
#include "properties/framework/remark.hpp"
#include "properties/framework/vectors.hpp"
#include "tests/assay/subject_kernel.hpp"

namespace assay {
namespace {

using Index = std::int32_t;
constexpr double infinity = std::numeric_limits<double>::infinity();

double sum(std::size_t n, const double* x) {
  double s = 0;
  for (std::size_t i = 0; i < n; ++i) s += x[i];
  return s;
}
double sum_without_nan(std::size_t n, const double* x) {
  double s = 0;
  for (std::size_t i = 0; i < n; ++i) s += std::isnan(x[i]) ? 0 : x[i];
  return s;
}
double sum_without_infinity(std::size_t n, const double* x) {
  const double s = sum(n, x);
  return std::isinf(s) ? std::copysign(std::numeric_limits<double>::max(), s) : s;
}
double sum_of_kahan(std::size_t n, const double* x) {
  double s = 0;
  double c = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double y = x[i] - c;
    const double next = s + y;
    c = (next - s) - y;
    s = next;
  }
  return s;
}
double asum(std::size_t n, const double* x) {
  double s = 0;
  for (std::size_t i = 0; i < n; ++i) s += std::fabs(x[i]);
  return s;
}
double nrm2(std::size_t n, const double* x) {
  double s = 0;
  for (std::size_t i = 0; i < n; ++i) s += x[i] * x[i];
  return std::sqrt(s);
}
double nrm2_of_quotients(std::size_t n, const double* x) {
  double m = 0;
  for (std::size_t i = 0; i < n; ++i) m = std::fmax(m, std::fabs(x[i]));
  double s = 0;
  for (std::size_t i = 0; i < n && m != 0; ++i) s += (x[i] / m) * (x[i] / m);
  return m * std::sqrt(s);
}
double dot(std::size_t n, const double* x, const double* y) {
  double s = 0;
  for (std::size_t i = 0; i < n; ++i) s += x[i] * y[i];
  return s;
}
double dot_without_zeros(std::size_t n, const double* x, const double* y) {
  double s = 0;
  for (std::size_t i = 0; i < n; ++i) s += x[i] == 0 || y[i] == 0 ? 0 : x[i] * y[i];
  return s;
}
void cumsum(std::size_t n, const double* x, double* y) {
  double s = 0;
  for (std::size_t i = 0; i < n; ++i) y[i] = s += x[i];
}
void cumsum_without_nan(std::size_t n, const double* x, double* y) {
  double s = 0;
  for (std::size_t i = 0; i < n; ++i) y[i] = s += std::isnan(x[i]) ? 0 : x[i];
}
void axpy(std::size_t n, double alpha, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] += alpha * x[i];
}
void axpy_that_skips(std::size_t n, double alpha, const double* x, double* y) {
  if (alpha != 0) axpy(n, alpha, x, y);
}
void axpy_without_nan(std::size_t n, double alpha, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] += std::isnan(x[i]) ? 0 : alpha * x[i];
}
void spmv(std::size_t rows, std::size_t, const Index* offsets, const Index* columns, const double* values,
          const double* x, double* y) {
  for (std::size_t r = 0; r < rows; ++r) {
    double s = 0;
    for (Index k = offsets[r]; k < offsets[r + 1]; ++k) s += values[k] * x[columns[k]];
    y[r] = s;
  }
}
void spmv_without_zeros(std::size_t rows, std::size_t, const Index* offsets, const Index* columns, const double* values,
                        const double* x, double* y) {
  for (std::size_t r = 0; r < rows; ++r) {
    double s = 0;
    for (Index k = offsets[r]; k < offsets[r + 1]; ++k) s += x[columns[k]] == 0 ? 0 : values[k] * x[columns[k]];
    y[r] = s;
  }
}
template <bool skips_zeros>
void trsv(int upper, int trans, int unit, std::size_t n, const double* a, std::size_t lda, double* x) {
  const bool from_below = (upper != 0) != (trans != 0);
  for (std::size_t step = 0; step < n; ++step) {
    const std::size_t j = from_below ? n - 1 - step : step;
    if (skips_zeros && x[j] == 0) continue;
    if (unit == 0) x[j] /= a[j + j * lda];
    for (std::size_t later = step + 1; later < n; ++later) {
      const std::size_t i = from_below ? n - 1 - later : later;
      x[i] -= (trans != 0 ? a[j + i * lda] : a[i + j * lda]) * x[j];
    }
  }
}

TEST(Exceptional, IsKeptByWhatEveryOperationOfTheDefinitionGives) {
  EXPECT_TRUE(keeps("sum", "f64", sum, "exceptional"));
  EXPECT_TRUE(keeps("asum", "f64", asum, "exceptional"));
  EXPECT_TRUE(keeps("nrm2", "f64", nrm2, "exceptional"));
  EXPECT_TRUE(keeps("dot", "f64", dot, "exceptional"));
  EXPECT_TRUE(keeps("axpy", "f64", axpy, "exceptional"));
  EXPECT_TRUE(keeps("cumsum", "f64", cumsum, "exceptional"));
  EXPECT_TRUE(keeps("spmv", "f64", spmv, "exceptional"));
  EXPECT_TRUE(keeps("trsv", "f64", trsv<false>, "exceptional"));
}

TEST(Exceptional, RefusesWhatDropsANan) {
  EXPECT_FALSE(keeps("sum", "f64", sum_without_nan, "exceptional"));
  EXPECT_FALSE(keeps("cumsum", "f64", cumsum_without_nan, "exceptional"));
  EXPECT_FALSE(keeps("axpy", "f64", axpy_without_nan, "exceptional"));
  EXPECT_FALSE(keeps("dot", "f64", dot_without_zeros, "exceptional"));
  EXPECT_FALSE(keeps("spmv", "f64", spmv_without_zeros, "exceptional"));
  EXPECT_FALSE(keeps("trsv", "f64", trsv<true>, "exceptional"));
}

TEST(Exceptional, RefusesWhatMakesAnInfinityANumberOrANan) {
  EXPECT_FALSE(keeps("sum", "f64", sum_without_infinity, "exceptional"));
  EXPECT_FALSE(keeps("sum", "f64", sum_of_kahan, "exceptional"));
  EXPECT_FALSE(keeps("nrm2", "f64", nrm2_of_quotients, "exceptional"));
}

TEST(Exceptional, IsAskedOfCasesThatAreGiven) {
  EXPECT_EQ(verdict_on("nrm2", "f64", nrm2_of_quotients, "exceptional", VectorCase<double>{{-infinity}}),
            Verdict::violated);
  EXPECT_EQ(verdict_on("sum", "f64", sum_of_kahan, "exceptional", VectorCase<double>{{infinity, infinity}}),
            Verdict::violated);
  EXPECT_EQ(verdict_on("sum", "f64", sum, "any_order", VectorCase<double>{{1, infinity}}), std::nullopt);
}

TEST(Exceptional, SaysWhatWasDue) {
  const auto property = find_operation("sum")->property({.format = "f64"}, kernel_of(sum_without_nan));
  const Record record = record_of(VectorCase<double>{{1, std::numeric_limits<double>::quiet_NaN()}});
  const CaseOutcome outcome = property->judge(Executor::host(), std::span(&record, 1)).front();
  const auto says = [](const ClaimOutcome& claim) { return claim.exact.find("NaN is due") != std::string::npos; };
  EXPECT_TRUE(std::ranges::any_of(outcome.claims, says));
}

/// The exact value that is told of the first case, among the first of seed 1, that breaks the contract.
std::string told(const PropertyModel& property, const std::string& contract) {
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const std::optional<Record> record = property.make(1, number);
    if (!record) continue;
    const CaseOutcome outcome = property.judge(Executor::host(), std::span(&*record, 1)).front();
    for (std::size_t c = 0; c < outcome.claims.size(); ++c) {
      const bool is_broken = outcome.claims[c].judgement.verdict == Verdict::violated;
      if (is_broken && property.info().claims[c].id == contract) return outcome.claims[c].exact;
    }
  }
  return "";
}

TEST(Exceptional, SaysWhatWasDueInAProduct) {
  for (const char* const operation : {"gemm", "gemv", "matmul", "matmul_epilogue"}) {
    const auto property = find_operation(operation)->property({.format = "f32"}, {.control = Control::zeros});
    const std::string exact = told(*property, "exceptional");
    EXPECT_TRUE(exact.ends_with(is_due)) << operation << ": " << exact;
  }
}

TEST(Exceptional, SaysWhatWasDueInRows) {
  for (const char* const operation : {"softmax", "log_softmax", "layer_norm", "rms_norm"}) {
    const auto property = find_operation(operation)->property({.format = "f32"}, {.control = Control::zeros});
    const std::string exact = told(*property, "exceptional");
    EXPECT_TRUE(exact.ends_with(is_due)) << operation << ": " << exact;
  }
}

TEST(Conventions, SayWhatWasDue) {
  const auto of_zeros = [](const char* operation, const char* contract) {
    return told(*find_operation(operation)->property({.format = "f32"}, {.control = Control::zeros}), contract);
  };
  EXPECT_EQ(of_zeros("softmax", "nan_stays"), "NaN is due");
  EXPECT_EQ(of_zeros("softmax", "masked_nan"), "NaN is due");
  EXPECT_TRUE(of_zeros("softmax", "masked_uniform").starts_with("1/"));
  EXPECT_TRUE(of_zeros("log_softmax", "masked_uniform").starts_with("-ln "));
  EXPECT_EQ(of_zeros("log_softmax", "masked_zero"), "-inf is due");
  EXPECT_EQ(of_zeros("softmax", "infinity_nan"), "NaN is due");
  EXPECT_EQ(of_zeros("softmax", "infinity_limit"), "1 is due");
}

/// Zeros are left out of a row, as padding is, or a weight of 0 counts as 1.
void softmax_of_padded_rows(std::size_t rows, std::size_t columns, const float* x, float* y) {
  for (std::size_t r = 0; r < rows; ++r, x += columns, y += columns) {
    float largest = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < columns; ++i) largest = x[i] == 0 ? largest : std::fmax(largest, x[i]);
    float sum = 0;
    for (std::size_t i = 0; i < columns; ++i) sum += y[i] = x[i] == 0 ? 0 : std::exp(x[i] - largest);
    for (std::size_t i = 0; i < columns; ++i) y[i] /= sum;
  }
}
template <bool takes_zero_for_one>
void rms_norm(std::size_t rows, std::size_t columns, float eps, const float* x, const float* weight, float* y) {
  for (std::size_t r = 0; r < rows; ++r, x += columns, y += columns) {
    float squares = 0;
    for (std::size_t i = 0; i < columns; ++i) squares += x[i] * x[i];
    const float root = std::sqrt(squares / static_cast<float>(columns) + eps);
    for (std::size_t i = 0; i < columns; ++i) {
      y[i] = x[i] / root * (takes_zero_for_one && weight[i] == 0 ? 1 : weight[i]);
    }
  }
}

TEST(Rows, AreAskedForZeros) {
  EXPECT_FALSE(keeps("softmax", "f32", softmax_of_padded_rows, "shifted_3ulp"));
  EXPECT_TRUE(keeps("rms_norm", "f32", rms_norm<false>, "any_order"));
  EXPECT_FALSE(keeps("rms_norm", "f32", rms_norm<true>, "any_order"));
}

TEST(RowSum, SaysTheSumOfTheRow) {
  const auto property = find_operation("softmax")->property({.format = "f32"}, {.control = Control::zeros});
  EXPECT_TRUE(told(*property, "row_sum").ends_with("; the row adds up to 0")) << told(*property, "row_sum");
}

void sinh_without_minus_zero(std::size_t n, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::sinh(x[i]) + 0.0;
}
void sinh_of_magnitudes(std::size_t n, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::sinh(std::fabs(x[i]));
}
void sinh_without_infinity(std::size_t n, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::isinf(x[i]) ? 0 : std::sinh(x[i]);
}
void sinh_that_falls(std::size_t n, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = -std::sinh(x[i]);
}
void axpy_without_minus_zero(std::size_t n, double alpha, const double* x, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::fma(alpha, x[i], y[i]) + 0.0;
}

TEST(SpecialValues, AreToldWhereNoExactValueShowsThem) {
  const auto of = [](const auto& kernel, const char* operation, const char* contract) {
    return told(*find_operation(operation)->property({.format = "f64"}, kernel_of(kernel)), contract);
  };
  EXPECT_EQ(of(sinh_without_minus_zero, "sinh", "special_values"), "-0 is due");
  EXPECT_THAT(of(sinh_without_infinity, "sinh", "special_values"), ::testing::HasSubstr("inf is due"));
  EXPECT_EQ(of(axpy_without_minus_zero, "axpy", "fma"), "-0 is due");
  EXPECT_THAT(of(sinh_of_magnitudes, "sinh", "odd"), ::testing::HasSubstr("; for -x it returns "));
  EXPECT_THAT(of(sinh_that_falls, "sinh", "monotone"), ::testing::HasSubstr("; for the next number it returns "));
}

TEST(AlphaZero, TellsBothConventionsApart) {
  EXPECT_TRUE(keeps("axpy", "f64", axpy, "alpha_zero_reads"));
  EXPECT_FALSE(keeps("axpy", "f64", axpy, "alpha_zero_skips"));
  EXPECT_TRUE(keeps("axpy", "f64", axpy_that_skips, "alpha_zero_skips"));
  EXPECT_FALSE(keeps("axpy", "f64", axpy_that_skips, "alpha_zero_reads"));
}

/// Roots of double words, of 0 as dw::sqrt has it or without its test: 0/0.
template <bool tests_for_zero>
void dw_sqrt(std::size_t n, const double* xh, const double* xl, double* zh, double* zl) {
  for (std::size_t i = 0; i < n; ++i) {
    DoubleWord<double> z = dw::sqrt(DoubleWord<double>{xh[i], xl[i]});
    if (!tests_for_zero && xh[i] == 0) z.h = std::numeric_limits<double>::quiet_NaN();
    zh[i] = z.h;
    zl[i] = z.l;
  }
}

TEST(DoubleWords, AreAskedForZeros) {
  EXPECT_TRUE(keeps("dw_sqrt", "f64", dw_sqrt<true>, "sqrt"));
  EXPECT_FALSE(keeps("dw_sqrt", "f64", dw_sqrt<false>, "sqrt"));
}

// ---------------------------------------------------------------------------------------------------------- increments

/// The place of number i of n in an array with the increment, by the BLAS convention.
int place(int i, int n, int increment) { return increment < 0 ? (i + 1 - n) * increment : i * increment; }

double strided_dot(int n, const double* x, int incx, const double* y, int incy) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[place(i, n, incx)] * y[place(i, n, incy)];
  return s;
}
double dot_of_magnitudes(int n, const double* x, int incx, const double* y, int incy) {
  return strided_dot(n, x, std::abs(incx), y, std::abs(incy));
}
/// The norm; for increments below 1 the result of `otherwise`.
template <int otherwise>
double strided_nrm2(int n, const double* x, int incx) {
  if (otherwise != 2 && incx < 1) return otherwise;
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[place(i, n, incx)] * x[place(i, n, incx)];
  return std::sqrt(s);
}
void strided_axpy(int n, double alpha, const double* x, int incx, double* y, int incy) {
  for (int i = 0; i < n; ++i) y[place(i, n, incy)] += alpha * x[place(i, n, incx)];
}
/// Writes between the numbers of y.
void axpy_of_all(int n, double alpha, const double* x, int incx, double* y, int incy) {
  strided_axpy(n, alpha, x, incx, y, incy);
  if (n > 1 && std::abs(incy) > 1) y[1] = 0;
}

TEST(Increments, AreAskedOfFunctionsOfBlas) {
  EXPECT_TRUE(keeps("dot", "f64", strided_dot, "any_order", CallForm::cblas));
  EXPECT_FALSE(keeps("dot", "f64", dot_of_magnitudes, "any_order", CallForm::cblas));
  EXPECT_TRUE(keeps("axpy", "f64", strided_axpy, "two_roundings", CallForm::cblas));
}

TEST(Increments, BelowOneGiveANormOrZero) {
  EXPECT_TRUE(keeps("nrm2", "f64", strided_nrm2<2>, "any_order", CallForm::cblas));
  EXPECT_TRUE(keeps("nrm2", "f64", strided_nrm2<0>, "any_order", CallForm::cblas));
  EXPECT_FALSE(keeps("nrm2", "f64", strided_nrm2<-1>, "any_order", CallForm::cblas));
}

TEST(Increments, LeaveWhatIsBetweenThem) {
  const auto property = find_operation("axpy")->property({.format = "f64"}, kernel_of(axpy_of_all, CallForm::cblas));
  const Tally tally = judged(*property, 60);
  const auto& claims = property->info().claims;
  const auto guards = std::ranges::find(claims, "guard_zones", &ClaimInfo::id);
  ASSERT_NE(guards, claims.end());
  EXPECT_GT(tally.claims[static_cast<std::size_t>(guards - claims.begin())].violated, 0U);
}

// -------------------------------------------------------------------------------------------------------- implications

/// Returns the given patterns.
class Told : public ForeignProgram {
 public:
  std::vector<std::uint64_t> bits;
  std::vector<std::uint64_t> compute(const Executor&, std::span<const Record>, std::span<const std::size_t>,
                                     const oracle::Format&) override {
    return bits;
  }
};

/// The operation and format whose implications are tested.
using Where = std::pair<std::string, std::string>;
class Implications : public testing::TestWithParam<Where> {};

/// Right results with errors of some ulps, from none to thousands, in some places: a result that keeps a contract keeps
/// all implied contracts.
TEST_P(Implications, AreTrueOfResultsWithErrors) {
  const auto& [name, format] = GetParam();
  const Operation& operation = *find_operation(name);
  const auto told = std::make_shared<Told>();
  const auto right = operation.property({.format = format}, {.control = Control::previous});
  const auto property = operation.property({.format = format}, {.program = told});
  const auto& claims = property->info().claims;
  std::mt19937_64 random(1);
  std::map<std::string, int> kept;
  for (std::uint64_t number = 0; number < 90; ++number) {
    const std::optional<Record> record = property->make(1, number);
    if (!record) continue;
    const std::vector<Record> twice{*record, *record};
    const Words words = right->evaluate(Executor::host(), twice).back();
    if (words.bits.size() > 200) continue;
    for (int repetition = 0; repetition < 6; ++repetition) {
      told->bits = words.bits;
      for (std::uint64_t& each : told->bits) {
        const std::uint64_t ulps = random() % (std::uint64_t{1} << (random() % 12));
        each = random() % 2 == 0 ? each : random() % 2 == 0 || each < ulps ? each + ulps : each - ulps;
      }
      const CaseOutcome outcome = property->judge(Executor::host(), std::span(&*record, 1)).front();
      std::map<std::string, bool> holds;
      for (std::size_t i = 0; i < outcome.claims.size(); ++i) {
        if (outcome.claims[i].applies) holds[claims[i].id] = outcome.claims[i].judgement.verdict == Verdict::holds;
      }
      for (const Contract& each : operation.contracts) {
        if (!holds.contains(each.id) || !holds[each.id]) continue;
        ++kept[each.id];
        for (const std::string& id : each.implies) {
          if (!holds.contains(id)) continue;
          EXPECT_TRUE(holds[id]) << name << " " << format << ", case " << number << ": " << each.id << " is kept, "
                                 << id << " is not";
        }
      }
    }
  }
  EXPECT_GE(kept.size(), 4U);
}

std::vector<Where> operations_that_add() {
  std::vector<Where> all;
  for (const char* const name : {"sum", "asum", "dot", "nrm2", "axpy", "cumsum", "spmv", "trsv"}) {
    for (const std::string& format : find_operation(name)->formats) all.emplace_back(name, format);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Operations, Implications, testing::ValuesIn(operations_that_add()),
                         [](const auto& each) { return each.param.first + "_" + each.param.second; });

}  // namespace
}  // namespace assay
