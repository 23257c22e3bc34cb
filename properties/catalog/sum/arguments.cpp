// Tests which vectors the accurate sums refuse: those with more terms than their theorems allow, and zero words.

#include <array>

#include "errorbounds/sum_theorems.hpp"
#include "kernels/sum/accurate_sum.hpp"
#include "properties/catalog/refused.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/generators.hpp"

namespace assay::sum {

namespace {

/// The sum of n zeros of binary32, in k words or in k-fold precision.
struct SumArguments {
  int algorithm = 0;
  std::int64_t n = 0;
  int k = 1;
  static constexpr auto fields() {
    using C = SumArguments;
    return std::tuple{field("algorithm", &C::algorithm), field("n", &C::n), field("k", &C::k)};
  }
};

/// The algorithms, each with its largest number of terms: 2^(p/2) − 2, ⌊2^((p − 1)/2)⌋ − 2 and 2^(p − 1) − 2 for p =
/// 24.
struct Algorithm {
  std::int64_t most;
  bool has_words;
  void (*run)(const Executor& on, std::span<const float> x, int k);
};
constexpr std::array<Algorithm, 6> algorithms{{
    {4094, false, [](const Executor& on, std::span<const float> x, int) { acc_sum<float>(on, x); }},
    {4094, false, [](const Executor& on, std::span<const float> x, int) { near_sum<float>(on, x); }},
    {2894, false, [](const Executor& on, std::span<const float> x, int) { fast_acc_sum<float>(on, x); }},
    {4094, true, [](const Executor& on, std::span<const float> x, int k) { prec_sum<float>(on, k, x); }},
    {4094, true, [](const Executor& on, std::span<const float> x, int k) { acc_sum_k<float>(on, k, x); }},
    {8388606, false, [](const Executor& on, std::span<const float> x, int) { acc_sign<float>(on, x); }},
}};
constexpr int sign = 5;

const Algorithm& algorithm_of(const SumArguments& c) { return algorithms[static_cast<std::size_t>(c.algorithm)]; }

bool is_refused(const SumArguments& c) { return c.n > algorithm_of(c).most || (algorithm_of(c).has_words && c.k < 1); }

/// The largest allowed number of terms, and one more or less; for signs always more, because fewer would take long.
SumArguments draw_limit(Draw& draw) {
  SumArguments c;
  c.algorithm = static_cast<int>(draw.below(algorithms.size()));
  c.n = algorithm_of(c).most + draw.between(c.algorithm == sign ? 1 : -1, 1);
  return c;
}
SumArguments draw_few(Draw& draw) {
  SumArguments c;
  c.algorithm = static_cast<int>(draw.below(algorithms.size()));
  c.n = static_cast<std::int64_t>(draw.below(3));
  c.k = draw.between(0, 2);
  return c;
}

void call(const Executor& on, const SumArguments& c) {
  algorithm_of(c).run(on, std::vector<float>(static_cast<std::size_t>(c.n)), c.k);
}

const Registration sum_arguments{refusals<SumArguments>(
    "sum.arguments",
    {.classes = {{"as many terms as there may be, one more, one less", 3, drawn<SumArguments>(draw_limit)},
                 {"few terms, 0 … 2 words", 1, drawn<SumArguments>(draw_few)}},
     .contains =
         [](const SumArguments& c) {
           return 0 <= c.algorithm && c.algorithm < static_cast<int>(algorithms.size()) && 0 <= c.n &&
                  c.n <= algorithm_of(c).most + 2 && 0 <= c.k && c.k <= 2;
         },
     .accepts = "an algorithm, up to two terms more than it takes, 0 … 2 words"},
    call, is_refused, sum_arguments_1, 80)};

}  // namespace

}  // namespace assay::sum
