#pragma once
// What products of matrices promise, for the mutants that break it.

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernels/gemm/ozaki.hpp"
#include "kernels/gemm/superaccumulator.hpp"
#include "properties/catalog/gemm/claims.hpp"
#include "properties/catalog/gemm/run.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/product_mutants.hpp"

namespace assay::mutants {

/// Every entry is rounded once. Asked of the classes named, of all of them for none.
template <class Run>
auto product_promise(std::string name, const gemm::GemmDomain& options, const std::vector<std::string>& classes,
                     std::uint64_t cases, Run run) {
  Domain<gemm::GemmCase> domain = gemm::gemm_domain(options);
  if (!classes.empty()) {
    std::erase_if(domain.classes, [&](const InputClass<gemm::GemmCase>& each) {
      return std::find(classes.begin(), classes.end(), each.name) == classes.end();
    });
  }
  return TypedModel(Property<gemm::GemmCase, gemm::GemmResult, gemm::GemmTruth>{
      .name = std::move(name),
      .domain = std::move(domain),
      .subject = [run](const Executor& on, const gemm::GemmCase& c) { return run(on, c); },
      .reference = gemm::exact_gemm,
      .claims = {gemm::gemm_rounded("rounded")},
      .inexact = gemm::gemm_inexact,
      .quick_cases = cases});
}

/// A product that does not come to its end has NaNs for a result.
inline auto slice_promise(SliceMistake mistake, const std::vector<std::string>& classes) {
  return product_promise("mutants.slices", {}, classes, 1000, [mistake](const Executor& on, const gemm::GemmCase& c) {
    try {
      return gemm::run_gemm(on, c, [&](const gemm::GemmArguments& g) { gemm_by_slices_with(mistake, on, g); });
    } catch (const gemm::SliceCapError&) {
      return gemm::GemmResult(c.c.size(), std::numeric_limits<double>::quiet_NaN());
    }
  });
}

inline auto residue_promise(bool sign_bit) {
  return product_promise("mutants.residues", {.layouts = false}, {"maximal significands", "one sign, [1/2, 1)"}, 120,
                         [sign_bit](const Executor& on, const gemm::GemmCase& c) {
                           return gemm::run_gemm(
                               on, c, [&](const gemm::GemmArguments& g) { gemm_by_residues_with(sign_bit, on, g); });
                         });
}

inline auto batch_promise(bool ignored) {
  return product_promise(
      "mutants.batch", {.batches = true}, {}, 300, [ignored](const Executor& on, const gemm::GemmCase& c) {
        return gemm::run_gemm(on, c, [&](const gemm::GemmArguments& g) {
          gemm::gemm_superaccumulator(on, g, 4, {c.batch, ignored ? 0 : c.stride_a, c.stride_b, c.stride_c});
        });
      });
}

/// k products of x and y.
struct Int8DotCase {
  std::int64_t k = 1;
  int x = 0, y = 0;
  static constexpr auto fields() {
    return std::tuple{field("k", &Int8DotCase::k), field("x", &Int8DotCase::x), field("y", &Int8DotCase::y)};
  }
};

inline constexpr auto int8_dot_1 = theorem({
    .id = "mutants.int8_dot.1",
    .hypotheses = "integers of 8 bits, products added in 32 bits and taken over before 2³¹",
    .statement = "Σxy",
    .source = "Ootomo, Ozaki, Yokota, DGEMM on integer matrix multiplication unit, IJHPCA 38, 2024, §3",
});

/// A sum of k products of integers of 8 bits, k around 2¹⁷ and where 127²·k reaches 2³¹.
inline auto int8_promise(bool misplaced) {
  const auto terms = [](std::int64_t low, std::int64_t high) {
    return drawn<Int8DotCase>([low, high](Draw& draw) {
      const auto k = low + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(high - low + 1)));
      const int x = draw.coin() ? 127 : draw.between(-127, 127);
      return Int8DotCase{k, x, draw.coin() ? 127 : draw.coin() ? -127 : draw.between(-127, 127)};
    });
  };
  constexpr std::int64_t most = 136000;
  return TypedModel(
      Property<Int8DotCase, double, oracle::Dyadic>{
          .name = "mutants.int8_dot",
          .domain = {.classes = {{"2^17 - 1 to 2^17 + 1", 1, terms((1 << 17) - 1, (1 << 17) + 1)},
                                 {"beyond 2^31/127^2", 1, terms(133100, most)},
                                 {"short", 1, terms(1, 100)}},
                     .contains =
                         [](const Int8DotCase& c) {
                           return c.k >= 1 && c.k <= most && std::abs(c.x) <= 127 && std::abs(c.y) <= 127;
                         }},
          .subject =
              [misplaced](const Executor& on, std::span<const Int8DotCase> cases) {
                std::vector<Int8Terms> all;
                for (const Int8DotCase& c : cases) all.push_back({c.k, c.x, c.y});
                return int8_dots(misplaced, on, all);
              },
          .reference = [](const Int8DotCase& c) { return oracle::Dyadic(c.k * c.x * c.y); },
          .claims = {exact("exact", int8_dot_1)},
          .quick_cases = 120});
}

}  // namespace assay::mutants
