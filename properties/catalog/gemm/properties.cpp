#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "arith/residues/crt_moduli.hpp"
#include "errorbounds/gemm.hpp"
#include "kernels/gemm/crt.hpp"
#include "kernels/gemm/gemm.hpp"
#include "kernels/gemm/ozaki.hpp"
#include "kernels/gemm/superaccumulator.hpp"
#include "properties/catalog/gemm/fast_mode.hpp"
#include "properties/catalog/gemm/run.hpp"
#include "properties/catalog/gemm/slices.hpp"
#include "properties/draws/gemm/claims.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace assay::gemm {

namespace {

using oracle::Dyadic;
using oracle::MatrixView;
using GemmProperty = Property<GemmCase, GemmResult, GemmTruth>;

// ----------------------------------------------------------------------------------------------------- the engines

GemmResult by_crt(const Executor& on, const GemmCase& c) {
  return run_gemm(on, c, [&](const GemmArguments& g) { gemm_crt(on, g); });
}

GemmResult by_slices(const Executor& on, const GemmCase& c) {
  return run_gemm(on, c, [&](const GemmArguments& g) { gemm_ozaki(on, g); });
}

GemmResult by_all_slices(const Executor& on, const GemmCase& c) {
  return run_gemm(on, c, [&](const GemmArguments& g) { gemm_ozaki(on, g, {}, {.every_product = true}); });
}

GemmResult by_near_sum(const Executor& on, const GemmCase& c) {
  return run_gemm(on, c, [&](const GemmArguments& g) { gemm_ozaki(on, g, {}, {.sum = OzakiSum::near_sum}); });
}

/// The interface: one product, or a batch.
GemmResult by_gemm(const Executor& on, const GemmCase& c, const GemmOptions& options) {
  return run_gemm(on, c, [&](const GemmArguments& g) {
    if (c.batch == 1) {
      gemm(on, g.trans_a, g.trans_b, g.m, g.n, g.k, g.alpha, g.a, g.lda, g.b, g.ldb, g.beta, g.c, g.ldc, options);
    } else {
      gemm_strided_batched(on, g.trans_a, g.trans_b, g.m, g.n, g.k, g.alpha, g.a, g.lda, c.stride_a, g.b, g.ldb,
                           c.stride_b, g.beta, g.c, g.ldc, c.stride_c, c.batch, options);
    }
  });
}
template <GemmEngine engine>
GemmResult by_engine(const Executor& on, const GemmCase& c) {
  GemmOptions options;
  options.engine = engine;
  return by_gemm(on, c, options);
}

template <int words>
GemmResult by_superaccumulator(const Executor& on, const GemmCase& c) {
  return run_gemm(on, c, [&](const GemmArguments& g) { gemm_superaccumulator(on, g, words); });
}

/// Every entry by recomputation; C itself is the start. There is room for 32 lines of each factor: they are copied in
/// panels.
GemmResult by_recomputation(const Executor& on, const GemmCase& c) {
  std::vector<std::uint64_t> entries(static_cast<std::size_t>(c.m * c.n));
  std::iota(entries.begin(), entries.end(), std::uint64_t{0});
  const Array<std::uint64_t> list(on, std::span<const std::uint64_t>(entries));
  const std::size_t bytes = 2 * 32 * sizeof(double) * static_cast<std::size_t>(std::max<std::int64_t>(1, c.k));
  return run_gemm(on, c,
                  [&](const GemmArguments& g) { recompute_entries(on, g, g.c, list.data(), entries.size(), bytes); });
}

/// The result of multiply(arguments, workspace) with half of `bytes`, or with all of them if half is too little: the
/// size that a call reports as used must be enough for it. (With much less memory the tiles become single entries, and
/// a device needs minutes for their launches.) A product that finds its workspace too small may have written to C
/// already.
template <class Multiply>
GemmResult with_little_workspace(const Executor& on, const GemmCase& c, std::size_t bytes, Multiply&& multiply) {
  try {
    return run_gemm(on, c,
                    [&](const GemmArguments& g) { multiply(g, GemmOptions{std::max<std::size_t>(1, bytes / 2)}); });
  } catch (const std::invalid_argument&) {
    return run_gemm(on, c, [&](const GemmArguments& g) { multiply(g, GemmOptions{bytes}); });
  }
}

GemmResult by_crt_blocked(const Executor& on, const GemmCase& c) {
  std::size_t bytes = 0;
  run_gemm(on, c, [&](const GemmArguments& g) { bytes = gemm_crt(on, g).workspace_bytes; });
  return with_little_workspace(on, c, bytes,
                               [&](const GemmArguments& g, const GemmOptions& options) { gemm_crt(on, g, options); });
}

GemmResult by_slices_blocked(const Executor& on, const GemmCase& c) {
  std::size_t bytes = 0;
  run_gemm(on, c, [&](const GemmArguments& g) { bytes = gemm_ozaki(on, g).workspace; });
  return with_little_workspace(on, c, bytes,
                               [&](const GemmArguments& g, const GemmOptions& options) { gemm_ozaki(on, g, options); });
}

// ------------------------------------------------------------------------------------------- correctly rounded ones

std::vector<GemmClaim> rounded_claims() {
  return {gemm_rounded("rounded"), gemm_grade("grade_a", GemmGrade::componentwise), gemm_untouched("untouched"),
          gemm_not_read("not_read")};
}

GemmProperty product(std::string name, Domain<GemmCase> domain, GemmResult (*run)(const Executor&, const GemmCase&),
                     std::vector<GemmClaim> claims, std::uint64_t quick_cases = 1000) {
  return {.name = std::move(name),
          .domain = std::move(domain),
          .subject = [run](const Executor& on, const GemmCase& c) { return run(on, c); },
          .reference = exact_gemm,
          .claims = std::move(claims),
          .inexact = gemm_inexact,
          .quick_cases = quick_cases};
}

template <class... More>
std::vector<GemmClaim> with(std::vector<GemmClaim> claims, More... more) {
  (claims.push_back(std::move(more)), ...);
  return claims;
}

/// The promises of every engine of the interface, also for infinities and NaNs.
std::vector<GemmClaim> interface_claims() { return with(rounded_claims(), gemm_exceptional("exceptional")); }

/// The grading tests, which correct rounding implies, and the same bits by another engine.
std::vector<GemmClaim> graded_claims() {
  return with(interface_claims(), gemm_zeros("zeros"), gemm_one_sign("one_sign"),
              gemm_scaling("scaling", by_engine<GemmEngine::automatic>),
              gemm_same_bits("engine", gemm_rounded_2, by_engine<GemmEngine::ozaki>));
}

/// The report of the product by residues about a case, on the host.
GemmCrtReport crt_report(const GemmCase& c) {
  GemmCrtReport report;
  run_gemm(Executor::host(), c, [&](const GemmArguments& g) { report = gemm_crt(Executor::host(), g); });
  return report;
}

/// 2·Σ|a′||b′| < P in every entry for the P that the moduli have; the moduli are coprime in pairs. Requires: the
/// integers a′ = a·2^−e_i, b′ = b·2^−f_j keep all bits and the inner index is not scaled.
bool scales_uniquely(const GemmCase& c) {
  const int moduli = crt_report(c).moduli;
  Dyadic product = 1;
  for (int i = 0; i < moduli; ++i) {
    for (int j = 0; j < i; ++j) {
      if (std::gcd(crt::modulus(i), crt::modulus(j)) != 1) return false;
    }
    product *= Dyadic(crt::modulus(i));
  }
  const MatrixView a = op_a(c, 0);
  const MatrixView b = op_b(c, 0);
  const auto lowest = [](const MatrixView& x, bool row, std::int64_t line) {
    long low = 0;
    bool seen = false;
    for (std::int64_t l = 0; l < (row ? x.columns : x.rows); ++l) {
      const Dyadic value = value_of(row ? x.at(line, l) : x.at(l, line));
      if (value.is_zero()) continue;
      low = seen ? std::min(low, value.lowest_exponent()) : value.lowest_exponent();
      seen = true;
    }
    return low;
  };
  const oracle::IntegerProduct magnitudes(a, b, oracle::IntegerProduct::Of::magnitudes);
  for (std::int64_t i = 0; i < c.m; ++i) {
    const long row = lowest(a, true, i);
    for (std::int64_t j = 0; j < c.n; ++j) {
      Dyadic twice = magnitudes.value(i, j);
      twice.mul_2exp(1 - row - lowest(b, false, j));
      if (twice >= product) return false;
    }
  }
  return true;
}

auto unique_scaling() {
  const auto keeps_all_bits = [](const GemmCase& c) {
    if (!c.reads_ab() || c.m == 0 || c.n == 0) return false;
    const GemmCrtReport report = crt_report(c);
    return report.exact && !report.shifted;
  };
  return when("A and B are read, the integers keep all bits, and the inner index is not scaled", keeps_all_bits,
              satisfies("unique", gemm_crt_3, [](const GemmCase& c, const GemmResult&) { return scales_uniquely(c); }));
}

/// Whether NearSum accepts the lines of a case: they have no more slices than it supports.
bool spans_little(const GemmCase& c) {
  const auto span = [](const MatrixView& x, bool rows) {
    int widest = 0;
    for (std::int64_t i = 0; i < (rows ? x.rows : x.columns); ++i) {
      int top = 0;
      int low = 0;
      bool seen = false;
      for (std::int64_t l = 0; l < (rows ? x.columns : x.rows); ++l) {
        const double number = rows ? x.at(i, l) : x.at(l, i);
        if (number == 0) continue;
        const NumberParts parts = parts_of(number);
        top = seen ? std::max(top, parts.leading()) : parts.leading();
        low = seen ? std::min(low, parts.exponent) : parts.exponent;
        seen = true;
      }
      widest = std::max(widest, top - low + 1);
    }
    return widest;
  };
  if (!c.reads_ab() || c.m == 0 || c.n == 0) return true;
  const int width = slice_bits(c.k) + 1;
  return std::max(span(op_a(c, 0), true), span(op_b(c, 0), false)) / width < ozaki_near_sum_slices;
}

/// The domain without the classes and cases whose lines span too much for NearSum.
Domain<GemmCase> near_sum_domain() {
  Domain<GemmCase> domain = gemm_domain({.widest_gap = 80, .large = true});
  std::erase_if(domain.classes, [](const InputClass<GemmCase>& each) {
    return each.name == "exponents within ±500" || each.name == "inner indices scaled by 2^±500" ||
           each.name == "circulants of opposite scales";
  });
  domain.contains = [inside = domain.contains](const GemmCase& c) { return inside(c) && spans_little(c); };
  domain.accepts += "; lines of A and B of at most " + std::to_string(ozaki_near_sum_slices) + " slices";
  return domain;
}

/// The domain with products without rows or columns, but with an inner dimension so long that threads share it.
Domain<GemmCase> superaccumulator_domain() {
  Domain<GemmCase> domain = gemm_domain();
  domain.classes.push_back({"no rows or no columns, an inner dimension from 512 on", 1, drawn<GemmCase>([](Draw& draw) {
                              const auto lines = static_cast<std::int64_t>(draw.below(3));
                              const bool rows = draw.coin();
                              const auto terms = 512 + static_cast<std::int64_t>(draw.below(3));
                              GemmEntries e(rows ? lines : 0, rows ? 0 : lines, terms);
                              draw_gemm_spread(draw, e, 1);
                              e.beta = 1;
                              return laid_out(draw, {e}, GemmDomain{});
                            })});
  return domain;
}

/// The domain with ties of two leading numbers and other terms at the cut of a plan that rounds: some terms are kept,
/// some are lost, and their sum decides.
Domain<GemmCase> rounding_domain() {
  Domain<GemmCase> domain = gemm_domain();
  domain.classes.push_back(
      {"ties, and terms where a plan rounds", 3, drawn<GemmCase>([](Draw& draw) {
         const int k = draw.between(3, 6);
         const int n = draw.between(4, 16);
         GemmEntries e(draw.between(4, 16), n, k);
         const auto odd = [&] {
           return static_cast<double>((std::uint64_t{1} << 26 | draw.below(1u << 26)) | 1) * 0x1p-26;
         };
         const auto tail = [&](int exponent) { return draw_number<double>(draw, Significand::dense, exponent); };
         for (std::int64_t i = 0; i < e.a.rows; ++i) {
           const int top = draw.between(-115, -55);
           for (std::int64_t l = 1; l < e.a.columns; ++l) e.a.at(i, l) = tail(top - draw.between(0, 3));
           e.a.at(i, 0) = odd();
         }
         e.a.at(0, 1) = tail(-250);
         for (std::int64_t j = 0; j < e.b.columns; ++j) {
           for (std::int64_t l = 1; l < e.b.rows; ++l) e.b.at(l, j) = tail(draw.between(-6, -4));
           e.b.at(0, j) = odd();
         }
         return laid_out(draw, {e}, GemmDomain{});
       })});
  domain.classes.push_back(
      {"A·Aᵀ: parallel lines on the diagonal, plans that round", 2, drawn<GemmCase>([](Draw& draw) {
         const int m = draw.between(4, 12);
         const int k = draw.between(2, 12);
         GemmEntries e(m, m, k);
         const bool flat = draw.coin();  // sums and norms of a line are as far apart as possible, or not
         for (std::int64_t i = 0; i < m; ++i) {
           const int top = draw.between(-40, 40);
           for (std::int64_t l = 0; l < k; ++l) {
             e.a.at(i, l) = draw_number<double>(draw, flat ? Significand::all_ones : Significand::dense,
                                                flat ? top : top - draw.between(0, 60));
             e.b.at(l, i) = e.a.at(i, l);
           }
         }
         for (double& x : e.c.all) x = draw_number<double>(draw, Significand::dense, draw.between(-40, 40));
         e.alpha = draw.coin() ? 1 : -1;
         e.beta = draw.coin() ? 0 : 1;
         return laid_out(draw, {e}, GemmDomain{});
       })});
  return domain;
}

/// The domain with the given number of rows and columns, whose copies need several panels.
Domain<GemmCase> recomputed_domain() {
  Domain<GemmCase> domain = gemm_domain();
  domain.classes.push_back({"33 to 70 rows or columns", 8, drawn<GemmCase>([](Draw& draw) {
                              const int lines = draw.between(33, 70);
                              const bool rows = draw.coin();
                              GemmEntries e(rows ? lines : 2, rows ? 2 : lines, draw.between(1, 3));
                              draw_gemm_spread(draw, e, 1);
                              for (double& x : e.c.all) x = draw_number<double>(draw, Significand::dense, 0);
                              e.beta = draw.coin() ? 2 : -1;
                              return laid_out(draw, {e}, GemmDomain{});
                            })});
  return domain;
}

/// The domain with infinities in a column of B and in C, β < 0: an entry that is written too early changes its sign.
/// If the large products cancel, all entries of finite lines use superaccumulators.
Domain<GemmCase> exceptional_domain() {
  const GemmDomain options{.batches = true, .exceptional = true};
  Domain<GemmCase> domain = gemm_domain(options);
  domain.classes.push_back({"infinities in B and in C, β = −2", 4, drawn<GemmCase>([options](Draw& draw) {
                              const auto side = [&] { return 2 + static_cast<std::int64_t>(draw.below(3)); };
                              const std::int64_t m = side();
                              const std::int64_t n = side();
                              GemmEntries e(m, n, 1 + side());
                              const bool cancels = draw.coin();
                              for (GemmMatrix* each : {&e.a, &e.b, &e.c}) {
                                for (double& x : each->all) {
                                  x = draw_number<double>(draw, Significand::any, draw.between(-2, 2));
                                }
                              }
                              // The first two products cancel; the others are outside the range of all moduli.
                              for (std::int64_t i = 0; cancels && i < m; ++i) e.a.at(i, 1) = -e.a.at(i, 0);
                              for (std::int64_t j = 0; cancels && j < n; ++j) e.b.at(1, j) = e.b.at(0, j);
                              for (std::int64_t l = 2; cancels && l < e.a.columns; ++l) {
                                for (std::int64_t i = 0; i < m; ++i) e.a.at(i, l) *= 0x1p-300;
                                for (std::int64_t j = 0; j < n; ++j) e.b.at(l, j) *= 0x1p-200;
                              }
                              if (cancels) {
                                for (double& x : e.c.all) x *= 0x1p-600;
                              }
                              constexpr double infinity = std::numeric_limits<double>::infinity();
                              const auto column = static_cast<std::int64_t>(draw.below(2));
                              e.b.at(0, column) = draw.coin() ? infinity : -infinity;
                              for (std::int64_t i = 0; i < m; ++i)
                                e.c.at(i, column) = draw.coin() ? infinity : -infinity;
                              e.beta = -2;
                              return laid_out(draw, {e}, options);
                            })});
  return domain;
}

/// The domain with lines of about forty slices, whose inner index has several blocks in half of the workspace.
Domain<GemmCase> blocked_domain() {
  Domain<GemmCase> domain = gemm_domain();
  domain.classes.push_back({"exponents within ±500, inner dimensions from 33 to 48", 1, drawn<GemmCase>([](Draw& draw) {
                              const int k = draw.between(33, 48);
                              const int n = draw.between(9, 16);
                              GemmEntries e(draw.between(9, 16), n, k);
                              for (GemmMatrix* each : {&e.a, &e.b, &e.c}) {
                                for (double& x : each->all) {
                                  x = draw_number<double>(draw, Significand::any, draw.between(-500, 500));
                                }
                              }
                              return laid_out(draw, {e}, GemmDomain{});
                            })});
  return domain;
}

// ------------------------------------------------------------------------------------------------------- fast mode

GemmResult by_few_levels(const Executor& on, const GemmCase& c) {
  return run_gemm(on, c, [&](const GemmArguments& g) { gemm_ozaki(on, g, {}, {.levels = fast_levels}); });
}

auto fast_error() {
  return when(
      "numbers that are read below 2^300",
      [](const GemmCase& c) {
        return gemm_numbers_in(c, {-1074, 299});
      },
      claim_spec("error", gemm_ozaki_6, [](const GemmCase& c, const GemmTruth& truth, const GemmResult& result) {
        const FastBound bound(c);
        return judge_gemm_values(c, result, [&](const Dyadic& got, std::size_t place) {
          const auto at = static_cast<std::int64_t>(place);
          return judge_within(got, truth[place], bound.of(at % c.ldc, at / c.ldc, truth[place]), place);
        });
      }));
}

constexpr GemmDomain anything{.batches = false, .exceptional = true};
constexpr GemmDomain any_batch{.batches = true, .exceptional = true};

const LateRegistration all{
    "gemm", [] {
      Registration(product("gemm.gemm", gemm_domain(anything), by_engine<GemmEngine::automatic>, graded_claims()));
      Registration(product("gemm.strided_batched", gemm_domain(any_batch), by_engine<GemmEngine::automatic>,
                           interface_claims(), 500));
      Registration(
          product("gemm.engine_crt", exceptional_domain(), by_engine<GemmEngine::crt>, interface_claims(), 100));
      Registration(
          product("gemm.engine_ozaki", gemm_domain(any_batch), by_engine<GemmEngine::ozaki>, interface_claims(), 500));
      Registration(product("gemm.faithful", gemm_domain(any_batch), by_engine<GemmEngine::automatic>,
                           {gemm_faithful("faithful")}, 200));
      Registration(product("gemm.bounded", gemm_domain(any_batch), by_engine<GemmEngine::automatic>,
                           {gemm_within("bounded", "e = 2^−40", {1, Dyadic::scaled(1, 40)}, Dyadic::scaled(1, -1075))},
                           200));
      Registration(
          product("gemm.crt", rounding_domain(), by_crt, with(rounded_claims(), GemmClaim(unique_scaling())), 200));
      Registration(product("gemm.crt_blocked", gemm_domain(), by_crt_blocked, rounded_claims(), 100));
      Registration(product("gemm.ozaki", gemm_domain(), by_slices, rounded_claims()));
      Registration(product("gemm.ozaki_all", gemm_domain(), by_all_slices, rounded_claims(), 500));
      Registration(product("gemm.ozaki_blocked", blocked_domain(), by_slices_blocked, rounded_claims(), 100));
      Registration(product("gemm.near_sum", near_sum_domain(), by_near_sum, rounded_claims(), 500));
      Registration(product("gemm.superaccumulator3", gemm_domain(), by_superaccumulator<3>, rounded_claims(), 500));
      Registration(
          product("gemm.superaccumulator4", superaccumulator_domain(), by_superaccumulator<4>, rounded_claims()));
      Registration(product("gemm.superaccumulator6", gemm_domain(), by_superaccumulator<6>, rounded_claims(), 500));
      Registration(product("gemm.superaccumulator8", gemm_domain(), by_superaccumulator<8>, rounded_claims(), 500));
      Registration(product("gemm.recomputed", recomputed_domain(), by_recomputation, rounded_claims(), 50));
      Registration(product(
          "gemm.fast", gemm_domain(), by_few_levels,
          {GemmClaim(fast_error()), gemm_not_grade_a("grade_a"), gemm_grade("grade_b", GemmGrade::rows_and_columns),
           gemm_untouched("untouched"), gemm_not_read("not_read")}));
      Registration{slice_structure()};
    }};

}  // namespace

}  // namespace assay::gemm
