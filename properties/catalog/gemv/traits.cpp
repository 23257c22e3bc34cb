#include "properties/catalog/gemv/traits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "properties/catalog/expansion/blas_traits.hpp"
#include "properties/catalog/gemv/cases.hpp"

namespace assay::gemv {

namespace {

using Gemv = expansion::ExpansionGemvCase<double>;

/// Exponents beyond this count as far.
constexpr int far = 1000;
constexpr int most_threads = 32;

/// Numbers without a sign of zero: 0, 1, −1, ±2ᵉ with e ≠ 0, any other.
expansion::WordKinds mp_scalars(const MpFormat& format) {
  return {all_but(up_to(scalar_kinds(), finite_scalar_kinds), "-0"),
          [](std::span<const double> x) -> std::size_t {
            const auto limbs = x.first(x.size() - 1);
            if (detail::is_mp_zero(x)) return 0;
            if (!detail::is_significand(limbs, 1)) return 4;
            return x.back() != 0 ? 3 : limbs[0] > 0 ? 1 : 2;
          },
          [format](Draw& draw, std::size_t kind, std::span<double> to) {
            const int exponent = draw.between(1, 64);
            if (kind < 4) {
              detail::assign_mp(to, {.exponent = kind < 3      ? 0
                                                 : draw.coin() ? exponent
                                                               : -exponent,
                                     .negative = kind == 2 || (kind == 3 && draw.coin()),
                                     .limbs = {kind == 0 ? 0U : 1U}});
            } else {
              detail::assign_mp(to, {.exponent = -draw.between(0, format.bits),
                                     .negative = draw.coin(),
                                     .limbs = detail::draw_limbs(draw, format.bits)});
            }
          }};
}

/// Zeros, small integers, numbers with exponents within ±1000, others, poison.
expansion::WordKinds mp_entries(const MpFormat& format) {
  KindNames names = all_but(up_to(list_kinds(), finite_list_kinds), "subnormal numbers");
  names.push_back("NaN");
  return {std::move(names),
          [](std::span<const double> x) -> std::size_t {
            if (detail::is_poison(x)) return 4;
            if (detail::is_mp_zero(x)) return 0;
            if (std::abs(x.back()) > far) return 3;
            const bool is_short = expansion::detail::all_zero(x.subspan(1));
            return is_short && std::abs(x[0]) <= 4096 ? 1 : 2;
          },
          [format](Draw& draw, std::size_t kind, std::span<double> to) {
            const bool negative = draw.coin();
            const int exponent = draw.between(-16, 16);
            if (kind < 2) {
              detail::assign_mp(to, kind == 0 ? 0 : static_cast<std::uint32_t>(draw.between(1, 12)), negative, 0);
            } else if (kind < 4) {
              detail::assign_mp(to, {.exponent = exponent + (kind == 2     ? 0
                                                             : draw.coin() ? 10 * far
                                                                           : -10 * far),
                                     .negative = negative,
                                     .limbs = detail::draw_limbs(draw, format.bits)});
            } else {
              std::fill(to.begin(), to.end(), number_of<double>(format_of<double>().nan()));
            }
          }};
}

// Products of wide range.

/// The indices of the traits in a row.
enum AtWide : std::size_t { wide_rows, wide_terms, wide_alpha, wide_beta, wide_spread, wide_pairs, wide_transposed };

/// 0, ±2ᵉ, any other.
std::size_t wide_scalar_kind(const std::vector<double>& x) {
  const std::span<const double> limbs = std::span(x).first(x.size() - 1);
  return detail::is_mp_zero(x) ? 0 : detail::is_significand(limbs, 1) ? 1 : 2;
}

/// The largest exponent of the entries of A minus the smallest: up to P, up to 20P, more; 3 if all are zero or one is
/// not a number.
std::size_t spread_kind(const MpGemvCase& c, const MpFormat& format) {
  const MpGemvProblem problem(c, format);
  const auto& p = problem.blas;
  double low = 0;
  double high = 0;
  bool none = true;
  for (std::int64_t i = 0; i < p.m; ++i) {
    for (std::int64_t l = 0; l < p.k; ++l) {
      const auto number = p.entry(p.a, p.a_at(i, l));
      if (detail::is_poison(number)) return 3;
      if (detail::is_mp_zero(number)) continue;
      low = none ? number.back() : std::min(low, number.back());
      high = none ? number.back() : std::max(high, number.back());
      none = false;
    }
  }
  const double spread = high - low;
  return none ? 3 : spread <= format.bits ? 0 : spread <= 20.0 * format.bits ? 1 : 2;
}

/// Whether the first product of a row equals the middle one with the other sign.
bool cancels_in_pairs(const MpGemvCase& c, const MpFormat& format) {
  const MpGemvProblem problem(c, format);
  const auto& p = problem.blas;
  const std::int64_t half = p.k / 2;
  for (std::int64_t i = 0; i < p.m && half > 0; ++i) {
    const auto first = p.entry(p.a, p.a_at(i, 0));
    const auto other = p.entry(p.a, p.a_at(i, half));
    const auto x = p.entry(p.b, p.b_at(0, 0));
    const auto y = p.entry(p.b, p.b_at(half, 0));
    if (detail::is_poison(first) || detail::is_poison(other) || detail::is_poison(x) || detail::is_poison(y)) continue;
    if (detail::is_mp_zero(first) || detail::is_mp_zero(x)) continue;
    if ((detail::mp_value(first) * detail::mp_value(x) + detail::mp_value(other) * detail::mp_value(y)).is_zero())
      return true;
  }
  return false;
}

MpGemvCase draw_wide_row(Draw& draw, const TraitRow& row, const MpFormat& format) {
  std::int64_t m = row[wide_rows] == 0 ? 1 : draw.between(2, 3);
  // A pair that cancels and a last number need at least three terms.
  const int least = row[wide_pairs] == 1 ? 3 : 2;
  const std::int64_t k = row[wide_terms] == 0   ? draw.between(least, 3)
                         : row[wide_terms] == 2 ? draw.between(17, 20)
                                                : draw.between(4, 16);
  if (m * k > format.most_products()) m = 2;
  const std::size_t words = format.words();
  detail::MpEntries e{
      std::vector<double>(words), std::vector<double>(words), expansion::detail::zero_matrix<double>(m, k, words),
      expansion::detail::zero_matrix<double>(k, 1, words), expansion::detail::zero_matrix<double>(m, 1, words)};
  const auto assign = [&](std::span<double> to, std::int64_t exponent) {
    detail::assign_mp(to,
                      {.exponent = exponent, .negative = draw.coin(), .limbs = detail::draw_limbs(draw, format.bits)});
  };
  const auto assign_scalar = [&](std::vector<double>& to, std::size_t kind) {
    if (kind == 1) detail::assign_mp(to, {.exponent = draw.between(-64, 64), .negative = draw.coin(), .limbs = {1}});
    if (kind > 1) assign(to, draw.between(-64, 64));
  };
  assign_scalar(e.alpha, row[wide_alpha]);
  assign_scalar(e.beta, row[wide_beta]);
  const std::int64_t spread = row[wide_spread] == 0 ? 0 : row[wide_spread] == 1 ? 4 * format.bits : 40 * format.bits;
  for (std::int64_t l = 0; l < k; ++l) {
    assign(e.b.at(l, 0), 0);
    // The first and the last number of a row of A determine the spread, and the first number may have a twin in the
    // middle.
    const std::int64_t place = l == 0 ? spread : l + 1 == k ? -spread : draw.between(-1, 1) * (spread / 2);
    for (std::int64_t i = 0; i < m; ++i) assign(e.a.at(i, l), place);
  }
  for (std::int64_t i = 0; i < m; ++i) {
    assign(e.c.at(i, 0), draw.between(-1, 1) * spread);
    if (row[wide_pairs] != 1) continue;
    std::ranges::copy(e.a.at(i, 0), e.a.at(i, k / 2).begin());
    detail::negate_mp(e.a.at(i, k / 2));
    std::ranges::copy(e.b.at(0, 0), e.b.at(k / 2, 0).begin());
  }
  expansion::detail::BlasLayout layout;
  layout.transa = row[wide_transposed] == 1;
  layout.incx = draw.coin() ? 1 : -2;
  layout.incy = draw.coin() ? 1 : -2;
  MpGemvCase c;
  c.threads = 1 << draw.between(0, 5);
  const auto filler = [] { return number_of<double>(format_of<double>().nan()); };
  std::size_t at = 0;
  expansion::detail::lay_out(
      e, layout, filler, [&] { return at++ % words == 0 ? 3.0 : 0.0; }, c);
  return c;
}

}  // namespace

Traits<MpGemvCase> mp_gemv_wide_traits(const MpFormat& format) {
  using C = MpGemvCase;
  const KindNames scalars{"0", "±2^e", "other"};
  const auto sizes = [](const char* name, KindNames kinds, bool of_rows, std::vector<std::int64_t> first) {
    return Trait<C>{
        {name, std::move(kinds)}, [of_rows, first = std::move(first)](const C& c) {
          const std::int64_t size = of_rows == (c.trans == 0) ? c.m : c.n;
          if (size < first.front()) return first.size();
          return static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), size) - first.begin() - 1);
        }};
  };
  return {{sizes("rows", {"1", "2 and more"}, true, {1, 2}),
           sizes("terms", {"2 or 3", "4 to 16", "17 and more"}, false, {2, 4, 17}),
           {{"alpha", scalars}, [](const C& c) { return wide_scalar_kind(c.alpha); }},
           {{"beta", scalars}, [](const C& c) { return wide_scalar_kind(c.beta); }},
           {{"spread of the exponents in A", {"up to P", "up to 20P", "more"}},
            [format](const C& c) { return spread_kind(c, format); }},
           {{"a pair of products cancels", no_or_yes()},
            [format](const C& c) { return std::size_t{cancels_in_pairs(c, format) ? 1u : 0u}; }},
           {{"A transposed", no_or_yes()}, [](const C& c) { return std::size_t{c.trans != 0 ? 1u : 0u}; }}},
          {},
          [format](Draw& draw, const TraitRow& row) { return draw_wide_row(draw, row, format); }};
}

Traits<MpGemvCase> mp_gemv_traits(const MpFormat& format) {
  const Traits<Gemv> gemv =
      expansion::gemv_traits({format.words(), format.most_products(), mp_scalars(format), 1, mp_entries(format)});
  Traits<MpGemvCase> traits;
  for (const Trait<Gemv>& each : gemv.all) traits.all.push_back({{each.name, each.values}, each.of});
  KindNames threads;
  for (int count = 1; count <= most_threads; count *= 2) threads.push_back(std::to_string(count));
  traits.all.push_back({{"threads", std::move(threads)}, [](const MpGemvCase& c) {
                          return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(c.threads)));
                        }});
  traits.impossible = gemv.impossible;
  traits.draw = [draw_gemv = gemv.draw](Draw& draw, const TraitRow& row) {
    MpGemvCase c;
    static_cast<Gemv&>(c) = draw_gemv(draw, row);
    c.threads = 1 << std::min<std::size_t>(row.back(), 5);
    return c;
  };
  return traits;
}

}  // namespace assay::gemv
