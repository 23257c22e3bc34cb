// The promises of products of matrices, for the mutants that break them.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernels/gemm/ozaki.hpp"
#include "kernels/gemm/superaccumulator.hpp"
#include "properties/catalog/gemm/run.hpp"
#include "properties/draws/gemm/claims.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/product_mutants.hpp"
#include "tests/mutants/rows.hpp"

namespace assay::mutants {

namespace {

/// Every entry is rounded once. Tested on the named classes, or on all of them if none is named.
template <class Run>
auto product_promise(std::string name, const gemm::GemmDomain& options, const std::vector<std::string>& classes,
                     std::uint64_t cases, Run run) {
  Domain<gemm::GemmCase> domain = gemm::gemm_domain(options);
  if (!classes.empty()) {
    std::erase_if(domain.classes, [&](const InputClass<gemm::GemmCase>& each) {
      return std::find(classes.begin(), classes.end(), each.name) == classes.end();
    });
    domain.traits.reset();
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

/// A product that does not finish returns NaNs. A mistake in the slices, and the classes of inputs that must expose it:
/// all if none is given.
struct Slices {
  SliceMistake mistake = SliceMistake::none;
  std::vector<std::string> exposing = {};
};

auto slice_promise(const Slices& slices) {
  return product_promise("mutants.slices", {}, slices.exposing, 1000,
                         [mistake = slices.mistake](const Executor& on, const gemm::GemmCase& c) {
                           try {
                             return gemm::run_gemm(
                                 on, c, [&](const gemm::GemmArguments& g) { gemm_by_slices_with(mistake, on, g); });
                           } catch (const gemm::SliceCapError&) {
                             return gemm::GemmResult(c.c.size(), std::numeric_limits<double>::quiet_NaN());
                           }
                         });
}

auto residue_promise(bool sign_bit) {
  return product_promise("mutants.residues", {.layouts = false}, {"maximal significands", "one sign, [1/2, 1)"}, 120,
                         [sign_bit](const Executor& on, const gemm::GemmCase& c) {
                           return gemm::run_gemm(
                               on, c, [&](const gemm::GemmArguments& g) { gemm_by_residues_with(sign_bit, on, g); });
                         });
}

auto batch_promise(bool ignored) {
  return product_promise(
      "mutants.batch", {.batches = true}, {}, 300, [ignored](const Executor& on, const gemm::GemmCase& c) {
        return gemm::run_gemm(on, c, [&](const gemm::GemmArguments& g) {
          gemm::gemm_superaccumulator(on, g, 4, {c.batch, ignored ? 0 : c.stride_a, c.stride_b, c.stride_c});
        });
      });
}

/// A product whose C of at most 4 × 4 is scaled by β if α = 0, and is left unread only if β has the bits of +0: β = −0
/// lets a NaN through.
auto unread_promise(bool compares_bits) {
  return product_promise("mutants.unread", {}, {}, 200, [compares_bits](const Executor& on, const gemm::GemmCase& c) {
    gemm::GemmResult result =
        gemm::run_gemm(on, c, [&](const gemm::GemmArguments& g) { gemm::gemm_superaccumulator(on, g, 4); });
    if (compares_bits && c.alpha == 0 && c.beta == 0 && std::signbit(c.beta) && c.m <= 4 && c.n <= 4) {
      gemm::for_each_entry(c, [&](std::int64_t, std::int64_t, std::int64_t, std::size_t place) {
        result[place] += c.beta * c.c[place];
      });
    }
    return result;
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

constexpr auto int8_dot_1 = theorem({
    .id = "mutants.int8_dot.1",
    .hypotheses = "integers of 8 bits, products added in 32 bits and taken over before 2³¹",
    .statement = "Σxy",
    .source = "Ootomo, Ozaki, Yokota, DGEMM on integer matrix multiplication unit, IJHPCA 38, 2024, §3",
});

/// A sum of k products of integers of 8 bits, k around 2¹⁷ and where 127²·k reaches 2³¹.
auto int8_promise(bool misplaced) {
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

}  // namespace

Rows product_rows() {
  const std::string one_sign = "one sign, [1/2, 1)";
  Rows rows = rows_of<Slices>(
      {
          {{"O1", "the width of slices rounded to the wrong side", 120},
           {SliceMistake::width_rounded_down, {one_sign}}},
          {{"O3", "the width of slices without log2 k", 80}, {SliceMistake::width_without_log, {one_sign}}},
          {{"O5", "the exponent of the largest number rounded down", 80}, {SliceMistake::top_rounded_down, {one_sign}}},
          {{"O8", "the scales of rows used for columns", 8},
           {SliceMistake::row_scales_of_columns, {"scaled rows and columns"}}},
          {{"O9", "the largest number, not the largest magnitude", 80},
           {SliceMistake::signed_maximum, {"largest magnitudes negative"}}},
          {{"O10", "the last level of slice products left out", 8}, {SliceMistake::last_level_dropped, {one_sign}}},
          {{"O13", "subnormal numbers with an implicit bit", 8}, {SliceMistake::implicit_bit, {"subnormal blocks"}}},
          {{"O15", "a line of zeros scaled by log2 0", 8}, {SliceMistake::log_of_zero, {"zero rows and columns"}}},
      },
      slice_promise);
  rows.push_back(
      kernel_row({"O4", "the moduli have no room above the bound", 8}, residue_promise(false), residue_promise(true)));
  rows.push_back(
      kernel_row({"O11", "7 bits a slice for every k, sums in 32 bits", 0}, int8_promise(true), int8_promise(false)));
  rows.push_back(
      kernel_row({"O17", "the stride of A ignored in a batch", 8}, batch_promise(true), batch_promise(false)));
  rows.push_back(kernel_row({"O18", "a NaN in a small C multiplied by beta = -0 where alpha = 0", 8},
                            unread_promise(true), unread_promise(false)));
  return rows;
}

}  // namespace assay::mutants
