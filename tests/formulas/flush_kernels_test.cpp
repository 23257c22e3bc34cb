// Kernels on a processor that flushes to zero: right ones keep ftz and break the machines that do not flush, wrong ones
// break ftz, too.

#ifdef __SSE2__

#include <gtest/gtest.h>
#include <xmmintrin.h>

#include <algorithm>
#include <memory>

#include "properties/formulas/door/operation.hpp"
#include "properties/framework/property.hpp"
#include "tests/formulas/kernels.hpp"
#include "tests/formulas/small_numbers.hpp"
#include "tests/tier.hpp"

namespace assay::formulas {
namespace {

/// Subnormal numbers are read and written as 0 by this processor, as by the options -ftz and -daz of a compiler.
class ProcessorFlushes {
 public:
  ProcessorFlushes() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040U); }
  ~ProcessorFlushes() { _mm_setcsr(before_); }
  ProcessorFlushes(const ProcessorFlushes&) = delete;
  ProcessorFlushes& operator=(const ProcessorFlushes&) = delete;

 private:
  unsigned before_;
};

/// A kernel on a processor that flushes.
template <auto kernel>
struct Flushed;
template <class... Arguments, void (*kernel)(Arguments...)>
struct Flushed<kernel> {
  static void call(Arguments... arguments) {
    const ProcessorFlushes scope;
    kernel(arguments...);
  }
};

struct Kernel {
  const char* formula;
  void* function;
  bool shows = true;  ///< its results tell that it flushes
};
template <auto kernel>
Kernel flushed(const char* formula, bool shows = true) {
  return {formula, reinterpret_cast<void*>(&Flushed<kernel>::call), shows};
}

using namespace kernels;

void quotients(std::size_t n, const float* x, const float* y, float* z) {
  for (std::size_t i = 0; i < n; ++i) z[i] = x[i] / y[i];
}
void products(std::size_t n, const float* x, const float* y, float* z) {
  for (std::size_t i = 0; i < n; ++i) z[i] = x[i] * y[i];
}
void exponentials(std::size_t n, const float* x, float* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::exp(x[i]);
}
void roots(std::size_t n, const float* x, float* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::sqrt(x[i]);
}
/// Comparisons read numbers as 0 that are moved as they are.
void sorts(std::size_t n, const float* x, float* y) {
  std::copy(x, x + n, y);
  std::sort(y, y + n);
}
template <Sum of>
void sums(std::size_t n, const float* x, float* y) {
  *y = of(row(x, n));
}
/// Numbers below 2⁻¹²² are 0, in the input and in the result.
void products_cut_above(std::size_t n, const float* x, const float* y, float* z) {
  const auto cut = [](float a) { return std::abs(a) < 0x1p-122F ? 0 : a; };
  for (std::size_t i = 0; i < n; ++i) z[i] = cut(cut(x[i]) * cut(y[i]));
}
template <Sum of>
void sums_cut_above(std::size_t n, const float* x, float* y) {
  std::vector<float> kept;
  for (std::size_t i = 0; i < n; ++i) kept.push_back(std::abs(x[i]) < 0x1p-122F ? 0 : x[i]);
  *y = of(kept);
}

const char* const of_quotients = "quotients(x[n], y[n]) -> z[n]\n  z = x / y\n";
const char* const of_products = "products(x[n], y[n]) -> z[n]\n  z = x * y\n";
const char* const of_exponentials =
    "exponentials(x[n]) -> y[n]\n  y = exp(x)\n  class \"results below the normal range\": x -100 -80\n";
const char* const of_roots = "roots(x[n]) -> y[n]\n  y = sqrt(x)\n";
const char* const of_sorts = "sorts(x[n]) -> y[n]\n  y = sort(x, axis=n)\n";
const char* const of_sums = "sums(x[n]) -> s\n  s = sum(x)\n";
const char* const of_trees = "sums(x[n]) -> s\n  s = sum(x)\nmachine pairs\n  sum tree\n";

std::vector<Kernel> right_kernels() {
  return {flushed<quotients>(of_quotients),
          flushed<products>(of_products),
          flushed<exponentials>(of_exponentials),
          flushed<roots>(of_roots),
          flushed<sorts>(of_sorts),
          flushed<sums<forward_sum>>(of_sums),
          flushed<sums<backward_sum>>(of_sums),
          flushed<sums<pairwise_sum>>(of_trees),
          flushed<kernels::softmax<pairwise_sum>>("softmax"),
          flushed<online_softmax>("softmax"),
          flushed<kernels::logsumexp<true>>("logsumexp", false),
          flushed<log_softmax<false>>("log_softmax", false),
          flushed<kernels::layer_norm<forward_sum>>("layer_norm"),
          flushed<rms_norm<true>>("rms_norm"),
          flushed<kernels::variance<true>>("variance"),
          flushed<kernels::matmul<false>>("matmul"),
          flushed<kernels::matmul<true>>("matmul"),
          flushed<conv2d<1>>("conv2d"),
          flushed<plain_attention>("attention"),
          flushed<flash<AttentionMistake::none>>("attention"),
          flushed<gelu<Gelu::by_tanh>>("gelu"),
          flushed<silu>("silu"),
          flushed<swiglu<true>>("swiglu"),
          flushed<rope<1>>("rope")};
}
std::vector<Kernel> wrong_kernels() {
  return {{of_products, reinterpret_cast<void*>(&products_cut_above)},
          {of_sums, reinterpret_cast<void*>(&sums_cut_above<forward_sum>)},
          flushed<softmax_without_last>("softmax"),
          flushed<other_layer_norm<LayerNormMistake::one_pass>>("layer_norm"),
          flushed<other_layer_norm<LayerNormMistake::no_beta>>("layer_norm"),
          flushed<rms_norm<false>>("rms_norm"),
          flushed<kernels::variance<false>>("variance"),
          flushed<matmul_without_last>("matmul"),
          flushed<flash<AttentionMistake::mask_off_by_one>>("attention"),
          flushed<flash<AttentionMistake::no_rescaling>>("attention"),
          flushed<gelu<Gelu::coefficient>>("gelu"),
          flushed<rope<-1>>("rope")};
}

struct Asked {
  std::uint64_t judged = 0;
  std::uint64_t violated = 0;
  double tightness = 0;
};
/// Judges a kernel of binary32 on cases with numbers below the normal range, by these contracts.
std::vector<Asked> asked(const Kernel& kernel, const std::vector<std::string>& contracts, std::uint64_t cases) {
  const auto formula = std::make_shared<const Formula>(formula_named(kernel.formula));
  const Typed of = typed(formula, "f32");
  const auto property =
      property_of(formula, {}, {.format = "f32", .promised = {flushing}}, {.function = kernel.function});
  std::vector<Asked> all(contracts.size());
  for (std::uint64_t k = 0; k < cases; ++k) {
    Draw draw(random_for(11, formula->name, k));
    Case c = *case_of(of, *property->make(7, k));
    for (std::size_t p = 0; p < c.words.size(); ++p) {
      const Parameter& parameter = formula->parameters[p];
      if (!parameter.index_of && !parameter.low) make_small(oracle::binary32, oracle::binary32, c.words[p], draw);
    }
    const auto& claims = property->info().claims;
    for (std::size_t a = 0; a < contracts.size(); ++a) {
      const auto claim =
          static_cast<std::size_t>(std::ranges::find(claims, contracts[a], &ClaimInfo::id) - claims.begin());
      const std::vector<Record> record{record_of(of, c)};
      const auto judged = property->judge_claim(Executor::host(), record, claim);
      if (!judged.front()) continue;
      ++all[a].judged;
      all[a].violated += judged.front()->verdict == Verdict::violated ? 1 : 0;
      all[a].tightness = std::max(all[a].tightness, judged.front()->tightness);
    }
  }
  return all;
}

TEST(FlushKernels, RightOnesKeepFtzAndBreakTheUsualMachine) {
  const auto cases = test::of_tier<std::uint64_t>(60, 1500);
  for (const Kernel& each : right_kernels()) {
    const Formula formula = formula_named(each.formula);
    const auto found = asked(each, {flushing, usual_machine(formula, oracle::binary32).name, "exceptional"}, cases);
    EXPECT_EQ(found[0].violated, 0U) << each.formula << ": " << found[0].tightness;
    EXPECT_GT(found[0].judged, cases / 2) << each.formula;
    EXPECT_EQ(found[2].violated, 0U) << each.formula << ": exceptional";
    EXPECT_EQ(found[1].violated != 0, each.shows) << each.formula << ": the usual machine";
  }
}

TEST(FlushKernels, WrongOnesAreRefused) {
  for (const Kernel& each : wrong_kernels()) {
    EXPECT_GT(asked(each, {flushing}, 100).front().violated, 0U) << each.formula;
  }
}

}  // namespace
}  // namespace assay::formulas

#endif
