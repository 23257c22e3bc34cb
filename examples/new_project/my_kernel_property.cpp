// The promises of my_kernel::sum, and its inputs for the test.
#include <algorithm>
#include <cmath>

#include "errorbounds/sum.hpp"
#include "errorbounds/theorem.hpp"
#include "my_kernel.hpp"
#include "oracle/decode.hpp"
#include "oracle/exact.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"
#include "properties/framework/vectors.hpp"

namespace {

using namespace assay;
using Case = VectorCase<double>;

/// A bound is a theorem: its hypotheses, its statement, who proved it, and the function that evaluates it exactly.
Bound sum_bound(std::uint64_t n, const oracle::Dyadic& magnitudes) { return recursive_sum_bound(n, magnitudes, 53); }
constexpr auto sum_1 = theorem(
    {
        .id = "my_kernel.sum.1",
        .hypotheses = "n numbers added in any order; nothing overflows",
        .statement = "|ŝ − s| ≤ (n − 1)u Σ|x|",
        .source = "Jeannerod, Rump 2013, Proposition 3.1",
    },
    sum_bound);

std::vector<oracle::Dyadic> exact_numbers(const Case& c) {
  std::vector<oracle::Dyadic> exact;
  for (const double each : c.x) exact.push_back(oracle::exact(each));
  return exact;
}

constexpr std::uint64_t most = 200;
constexpr Box magnitudes{-500, 500};

/// Numbers with exponents from −range to range. With cancellation, every other number nearly cancels the one before.
Case draw_numbers(Draw& draw, int range, bool cancels) {
  Case drawn;
  for (std::uint64_t n = draw.below(most + 1); n != 0; --n) {
    drawn.x.push_back(cancels && drawn.x.size() % 2 == 1
                          ? -std::nextafter(drawn.x.back(), 0.0)
                          : draw_number<double>(draw, Significand::any, draw.between(-range, range)));
  }
  return drawn;
}

/// The possible inputs: classes that are drawn by their weights, and the set of all inputs that the kernel accepts.
Domain<Case> numbers() {
  const auto of = [](int range, bool cancels) {
    return drawn<Case>([=](Draw& draw) { return draw_numbers(draw, range, cancels); });
  };
  return {.classes = {{"near 1", 2, of(2, false)}, {"wide range", 1, of(400, false)}, {"cancellation", 2, of(2, true)}},
          .contains =
              [](const Case& c) {
                return c.x.size() <= most && std::ranges::all_of(c.x, [](double each) {
                         return std::isfinite(each) && in_box(each, magnitudes);
                       });
              },
          .features = {{"numbers", 0, most, 20, [](const Case& c) { return static_cast<double>(c.x.size()); }}},
          .accepts = "at most 200 numbers, each 0 or with a magnitude in 2^-500 … 2^500"};
}

const Registration sum{Property<Case, double, oracle::Dyadic>{
    .name = "my_kernel.sum",
    .domain = numbers(),
    .subject = [](const Executor&, const Case& c) { return my_kernel::sum(c.x); },
    .reference = [](const Case& c) { return oracle::exact_sum(exact_numbers(c)); },
    .claims = {within("error", sum_1,
                      [](const decltype(sum_1)& bound, const Case& c) {
                        return bound(c.x.size(), oracle::exact_abs_sum(exact_numbers(c)));
                      })},
    .quick_cases = 1000,
    .host_only = true,
}};

}  // namespace
