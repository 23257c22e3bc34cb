// The promises of exact scans, and of windows of 100 bits, for the mutants that break them: copies of the kernels'
// headers with one mistake each.

#include <string>
#include <vector>

#include "arith/accumulators/digit_window.hpp"
#include "errorbounds/scan_theorems.hpp"
#include "kernels/scan/scan.hpp"
#include "mutated/K1/arith/accumulators/digit_window.hpp"
#include "mutated/K2/arith/accumulators/digit_window.hpp"
#include "mutated/K3/arith/accumulators/digit_window.hpp"
#include "mutated/K4/kernels/scan/detail/scan_call.hpp"
#include "mutated/K5/kernels/scan/detail/scan_call.hpp"
#include "mutated/K6/kernels/scan/detail/scan_call.hpp"
#include "mutated/K7/kernels/scan/detail/scan_call.hpp"
#include "mutated/K8/kernels/scan/detail/scan_call.hpp"
#include "properties/catalog/scan/properties.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

/// scan(on, inclusive, x) are prefix sums.
template <class Scan>
auto scan_promise(Scan kernel) {
  return TypedModel(scan::property("mutants.inclusive_sum", false, [kernel](const Executor& on, const scan::Values& x) {
    return kernel(on, true, x);
  }));
}

/// A few numbers of one size around the unit 1 of a window or its limit, or a tie beyond 2^101 and a tiny number.
scan::Case draw_window_sum(Draw& draw) {
  if (draw.coin()) {
    const int exponent = draw.coin() ? draw.between(49, 54) : draw.between(95, 105);
    return sum::detail::draw_terms<double>(draw, 1 + draw.below(5), Significand::any, exponent, exponent, draw.coin());
  }
  const double quarter = draw_number<double>(draw, Significand::any, 99, false);
  return {{quarter, quarter, quarter, quarter, 0x1p48, compose<double>(draw.coin(), 1, draw.between(0, 11))}};
}

/// Numbers in a window of unit 1 are added exactly and rounded once; what the window refuses is as good as right.
template <class Window, class Sum>
auto window_promise() {
  return TypedModel(Property<scan::Case, double, oracle::Dyadic>{
      .name = "mutants.digit_window",
      .domain = {.classes = {{"around the limits of the window", 1, drawn<scan::Case>(draw_window_sum)}},
                 .contains = [](const scan::Case& c) { return c.x.size() <= 64 && all_finite(c.x); },
                 .accepts = "up to 64 numbers"},
      .subject =
          [](const Executor&, const scan::Case& c) {
            const Window window = Window::at(0);
            Sum sum{};
            for (const double each : c.x) {
              if (!window.add(each, sum)) return sum::detail::nearest<double>(sum::exact_sum_of(c));
            }
            return window.nearest(sum.normalized());
          },
      .reference = sum::exact_sum_of<scan::Case>,
      .claims = {rounded("nearest", scan_rounded_1, oracle::Rounding::nearest)},
      .quick_cases = 1000});
}

}  // namespace

Rows scan_rows() {
  const RightKernel right_window([] { return window_promise<DigitWindow, DigitSum>(); });
  const RightKernel right_scan([] {
    return scan_promise([](const Executor& on, bool, const scan::Values& x) { return scan::inclusive_sum(on, x); });
  });
  const auto scan = [&](const Planted& planted, auto kernel) {
    return kernel_row(planted, scan_promise(kernel), right_scan);
  };
#define ASSAY_MUTANT(id) [](const auto&... a) { return scan::detail::id::scan_of_array(a...); }
  return {
      kernel_row({"K1", "bits that a long sum gives up are forgotten", 106},
                 window_promise<k1::DigitWindow, k1::DigitSum>(), right_window),
      kernel_row({"K2", "numbers beyond the limit of the window are taken", 106},
                 window_promise<k2::DigitWindow, k2::DigitSum>(), right_window),
      kernel_row({"K3", "bits below the unit are dropped", 106}, window_promise<k3::DigitWindow, k3::DigitSum>(),
                 right_window),
      scan({"K4", "tiles before the one behind are left out", 64}, ASSAY_MUTANT(k4)),
      scan({"K5", "the sign of zero sums is that of +0", 8}, ASSAY_MUTANT(k5)),
      scan({"K6", "numbers outside the window are not noticed", 106}, ASSAY_MUTANT(k6)),
      scan({"K7", "parts of chunks are counted twice", 106}, ASSAY_MUTANT(k7)),
      scan({"K8", "flags of a chunk do not reach the next one", 64}, ASSAY_MUTANT(k8)),
  };
#undef ASSAY_MUTANT
}

}  // namespace assay::mutants
