#pragma once
// Cases of the matrix-vector product that is rounded once, with exponents that no single sum in limbs holds: the
// largest terms of a row cancel, and the rest depends on products far below.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "properties/catalog/gemv/cases.hpp"

namespace assay::gemv {

namespace detail {

/// The second half of the columns of A cancels the first half, except for a remainder that depends on the row: the last
/// column of an odd number, a bit of one product, one product, or half of one product. The exponents of a row are
/// within ±spread, those of y within ±3·spread.
inline void draw_mp_halves(Draw& draw, MpEntries& e, const MpFormat& format, int spread) {
  draw_mp_all(draw, e, format, draw.coin() ? MpSignificand::full : MpSignificand::any, expansion::detail::Signs::mixed,
              -4, 4);
  const auto move = [&](expansion::detail::EntryMatrix<double>& matrix, int by) {
    expansion::detail::draw_matrix(matrix, [&](std::span<double> number, std::int64_t, std::int64_t) {
      if (!is_mp_zero(number)) number.back() += draw.between(-by, by);
    });
  };
  move(e.a, spread);
  move(e.c, 3 * spread);
  const std::int64_t half = e.a.columns / 2;
  for (std::int64_t l = 0; l < half; ++l) {
    std::copy(e.b.at(l, 0).begin(), e.b.at(l, 0).end(), e.b.at(half + l, 0).begin());
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      std::copy(e.a.at(i, l).begin(), e.a.at(i, l).end(), e.a.at(i, half + l).begin());
      negate_mp(e.a.at(i, half + l));
    }
  }
  for (std::int64_t i = 0; i < e.a.rows && half > 0; ++i) {
    const std::span<double> twin =
        e.a.at(i, half + static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(half))));
    if (is_mp_zero(twin)) continue;
    switch (draw.below(4)) {
      case 0:
        break;
      case 1:
        flip_bit(twin, static_cast<int>(draw.below(2)));
        break;
      case 2:
        assign_mp(twin, 0, false, 0);
        break;
      default:
        twin.back() += 1;
    }
  }
}

/// ±X·2^exponent with X·2^shift for X, so that equal numbers have exponents that are far apart.
inline void assign_disguised(Draw& draw, std::span<double> to, const MpFormat& format, std::uint32_t x,
                             std::int64_t exponent) {
  const int shift = static_cast<int>(draw.below(static_cast<std::uint64_t>(format.bits - 8)));
  std::vector<std::uint32_t> limbs(format.limbs());
  for (int bit = 0; bit < 8; ++bit) {
    const int at = bit + shift;
    if ((x >> bit & 1) != 0) limbs[static_cast<std::size_t>(at / 32)] |= std::uint32_t{1} << (at % 32);
  }
  assign_mp(to, limbs, draw.coin(), exponent - shift);
}

/// A number of P bits and half a unit of it, products that cancel in pairs further and further below, and one term far
/// below all, or none, that decides.
inline void draw_mp_far_ties(Draw& draw, MpEntries& e, const MpFormat& format, int spread) {
  assign_mp(e.alpha, {.exponent = draw.between(-64, 64), .negative = draw.coin(), .limbs = {1}});
  assign_mp(e.beta, {.exponent = draw.between(-64, 64), .negative = draw.coin(), .limbs = {draw.coin() ? 1U : 0U}});
  expansion::detail::draw_matrix(e.b, [&](std::span<double> number, std::int64_t, std::int64_t) {
    assign_mp(number, {.exponent = draw.between(-64, 64), .negative = draw.coin(), .limbs = {1}});
  });
  expansion::detail::draw_matrix(e.c, [&](std::span<double> number, std::int64_t, std::int64_t) {
    assign_mp(number,
              {.exponent = -4 * std::int64_t{spread}, .negative = draw.coin(), .limbs = {draw.coin() ? 1U : 0U}});
  });
  for (std::int64_t i = 0; i < e.a.rows; ++i) {
    for (std::int64_t l = 0; l < e.a.columns; ++l) {
      const auto x = static_cast<std::int64_t>(e.b.at(l, 0).back());
      const std::span<double> to = e.a.at(i, l);
      if (l == 0) {
        assign_mp(to, {.exponent = 1 - x, .negative = draw.coin(), .limbs = draw_limbs(draw, format.bits)});
      } else if (l == 1) {
        assign_mp(to, 1, draw.coin(), -x);
      } else if (l + 1 == e.a.columns) {
        assign_mp(
            to,
            {.exponent = -3 * std::int64_t{spread} - x, .negative = draw.coin(), .limbs = {draw.one_in(3) ? 0U : 1U}});
      } else if (l % 2 == 0) {
        assign_disguised(draw, to, format, 1, -draw.between(0, 2 * spread) - x);
      } else {
        const std::span<double> twin = e.a.at(i, l - 1);
        const auto twin_x = static_cast<std::int64_t>(e.b.at(l - 1, 0).back());
        const bool twin_negative = is_mp_negative(twin) != is_mp_negative(e.b.at(l - 1, 0));
        assign_disguised(draw, to, format, 1, mp_value(twin).exponent() + twin_x - x);
        if ((is_mp_negative(to) != is_mp_negative(e.b.at(l, 0))) == twin_negative) negate_mp(to);
      }
    }
  }
}

/// Numbers with few bits at a few levels of a row; levels are apart by the precision or by the bits of a product: the
/// numbers cancel level by level.
inline void draw_mp_levels(Draw& draw, MpEntries& e, const MpFormat& format) {
  const int bits = format.bits;
  const int gaps[] = {0, 1, bits - 1, bits, bits + 1, 2 * bits, 4 * bits, 6 * bits};
  static constexpr std::uint32_t significands[] = {1, 1, 1, 2, 3, 7};
  const auto level = [&] {
    std::int64_t sum = 0;
    for (std::uint64_t k = draw.below(4); k < 4; ++k) sum -= gaps[draw.below(std::size(gaps))];
    return sum;
  };
  expansion::detail::draw_matrix(
      e.b, [&](std::span<double> number, std::int64_t, std::int64_t) { assign_disguised(draw, number, format, 1, 0); });
  for (std::int64_t i = 0; i < e.a.rows; ++i) {
    const std::int64_t of_row[] = {level(), level(), level()};
    const auto assign_level = [&](std::span<double> number) {
      const auto exponent = of_row[draw.below(std::size(of_row))];
      assign_disguised(draw, number, format, significands[draw.below(std::size(significands))], exponent);
    };
    for (std::int64_t l = 0; l < e.a.columns; ++l) assign_level(e.a.at(i, l));
    assign_level(e.c.at(i, 0));
  }
  if (draw.coin()) assign_mp(e.alpha, 1, draw.coin(), 0);
  if (draw.coin()) assign_mp(e.beta, 1, draw.coin(), 0);
}

}  // namespace detail

/// The classes of cases of wide range.
inline std::vector<InputClass<MpGemvCase>> mp_gemv_wide_classes(const MpFormat& format) {
  const auto from = [format](auto make) {
    return drawn<MpGemvCase>([=](Draw& draw) {
      return detail::draw_mp_gemv(draw, format, detail::draw_mp_shape(draw, format),
                                  [&](Draw& d, detail::MpEntries& e, int) { make(d, e, format); });
    });
  };
  const auto halves = [&](int spread) {
    return from(
        [=](Draw& draw, detail::MpEntries& e, const MpFormat& f) { detail::draw_mp_halves(draw, e, f, spread); });
  };
  const int wide = 20 * format.moduli;
  return {
      {"half a row cancels the other half, exponents spread by 20 a modulus", 3, halves(wide)},
      {"half a row cancels the other half, exponents spread by 100 a modulus", 2, halves(5 * wide)},
      {"half a row cancels the other half, exponents spread by 100000", 1, halves(100000)},
      {"products far below decide a tie", 3, from([=](Draw& draw, detail::MpEntries& e, const MpFormat& f) {
         detail::draw_mp_far_ties(draw, e, f, (draw.coin() ? 1 : 10) * wide);
       })},
      {"products cancel level by level", 3, from(detail::draw_mp_levels)},
      {"half of a long row cancels the other half", 1, drawn<MpGemvCase>([=](Draw& draw) {
         return detail::draw_mp_gemv(draw, format,
                                     detail::draw_mp_long_shape(draw, format, format.moduli > 32 ? 257 : 4096),
                                     [&](Draw& d, detail::MpEntries& e, int) {
                                       detail::draw_mp_halves(d, e, format, wide * (d.coin() ? 1 : 5));
                                     });
       })},
  };
}

/// The domain of the GEMV with only these classes.
inline Domain<MpGemvCase> mp_gemv_wide_domain(const MpFormat& format) {
  Domain<MpGemvCase> domain = mp_gemv_domain(format);
  domain.classes = mp_gemv_wide_classes(format);
  domain.traits = std::make_shared<const Traits<MpGemvCase>>(mp_gemv_wide_traits(format));
  return domain;
}

}  // namespace assay::gemv
