#pragma once
// Inputs of the multiple-precision GEMV: shapes, strides and transposes around the edges of its blocks, and entries
// with structures for which sums of truncated products have large errors. Cases: properties/catalog/gemv/problem.hpp.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "properties/catalog/gemv/problem.hpp"
#include "properties/catalog/gemv/shapes.hpp"
#include "properties/catalog/gemv/traits.hpp"

namespace assay::gemv {

namespace detail {

using MpEntries = expansion::detail::BlasEntries<double>;

/// The kind of the significand of a drawn number.
enum class MpSignificand { full, any, few_bits, ones, quarter, maximal_residues };

/// The number ±X·2ᵉ with the limbs of X given as integers.
inline void assign_mp(std::span<double> to, std::span<const std::uint32_t> limbs, bool negative,
                      std::int64_t exponent) {
  std::fill(to.begin(), to.end(), 0.0);
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    if (limbs[i] != 0) to[i] = negative ? -static_cast<double>(limbs[i]) : static_cast<double>(limbs[i]);
  }
  to.back() = static_cast<double>(exponent);
}
inline void assign_mp(std::span<double> to, std::uint32_t x, bool negative, std::int64_t exponent) {
  assign_mp(to, std::span<const std::uint32_t>(&x, 1), negative, exponent);
}
/// The parts of a number in the order in which they are drawn (DrawnParts).
struct DrawnMpParts {
  std::int64_t exponent;
  bool negative;
  std::vector<std::uint32_t> limbs;
};
inline void assign_mp(std::span<double> to, const DrawnMpParts& parts) {
  assign_mp(to, parts.limbs, parts.negative, parts.exponent);
}

/// Limbs of an integer of exactly `length` bits, the lower ones random.
inline std::vector<std::uint32_t> draw_limbs(Draw& draw, int length) {
  std::vector<std::uint32_t> limbs(static_cast<std::size_t>((length + 31) / 32));
  for (auto& each : limbs) each = static_cast<std::uint32_t>(draw.word());
  if (length == 0) return limbs;
  const int top = (length - 1) % 32;
  limbs.back() &= (std::uint32_t{2} << top) - 1;
  limbs.back() |= std::uint32_t{1} << top;
  return limbs;
}

inline std::vector<std::uint32_t> draw_significand(Draw& draw, MpSignificand kind, const MpFormat& format) {
  const int bits = format.bits;
  const auto set = [](std::vector<std::uint32_t>& limbs, int bit) {
    limbs[static_cast<std::size_t>(bit / 32)] |= std::uint32_t{1} << (bit % 32);
  };
  switch (kind) {
    case MpSignificand::full:
      return draw_limbs(draw, bits);
    case MpSignificand::maximal_residues:
      return format.maximal;
    case MpSignificand::quarter:
      return draw_limbs(draw, 1 + static_cast<int>(draw.below(static_cast<std::uint64_t>(bits / 4))));
    case MpSignificand::any:
      return draw_limbs(draw, static_cast<int>(draw.below(static_cast<std::uint64_t>(bits + 1))));
    case MpSignificand::few_bits: {
      std::vector<std::uint32_t> limbs(static_cast<std::size_t>((bits + 31) / 32));
      for (int i = 0; i < 3; ++i) set(limbs, static_cast<int>(draw.below(static_cast<std::uint64_t>(bits))));
      return limbs;
    }
    case MpSignificand::ones: {
      const int length = draw.coin() ? bits : 1 + static_cast<int>(draw.below(static_cast<std::uint64_t>(bits)));
      std::vector<std::uint32_t> limbs(static_cast<std::size_t>((length + 31) / 32));
      for (int i = draw.coin() ? 0 : static_cast<int>(draw.below(static_cast<std::uint64_t>(length))); i < length;
           ++i) {
        set(limbs, i);
      }
      return limbs;
    }
  }
  return {};
}

/// A number whose leading bit has the weight 2^leading; zeros have far exponents.
inline void draw_mp(Draw& draw, std::span<double> to, const MpFormat& format, MpSignificand kind,
                    expansion::detail::Signs signs, int leading) {
  const bool negative = signs == expansion::detail::Signs::mixed && draw.coin();
  if (draw.one_in(24)) {
    assign_mp(to, 0, false, draw.coin() ? 0 : draw.between(-100000, 100000));
    return;
  }
  const std::vector<std::uint32_t> limbs = draw_significand(draw, kind, format);
  std::size_t used = limbs.size();
  while (used > 0 && limbs[used - 1] == 0) --used;
  const int length = used == 0 ? 0 : 32 * static_cast<int>(used - 1) + std::bit_width(limbs[used - 1]);
  assign_mp(to, limbs, negative, leading + 1 - length);
}

inline void negate_mp(std::span<double> number) {
  for (double& limb : number.first(number.size() - 1)) limb = limb == 0 ? 0 : -limb;
}

/// 0, ±1, ±2ᵉ or a number.
inline std::vector<double> draw_mp_scalar(Draw& draw, const MpFormat& format) {
  std::vector<double> x(format.words());
  const std::uint64_t kind = draw.below(8);
  if (kind == 0 && draw.coin()) x.back() = draw.between(-1000, 1000);
  if (kind == 0) return x;
  if (kind < 5) {
    assign_mp(x, 1, kind == 4, kind == 3 ? draw.between(-64, 64) : 0);
  } else {
    draw_mp(draw, x, format, kind == 5 ? MpSignificand::any : MpSignificand::full, expansion::detail::Signs::mixed,
            draw.between(-8, 8));
  }
  return x;
}

inline void draw_mp_all(Draw& draw, MpEntries& e, const MpFormat& format, MpSignificand kind,
                        expansion::detail::Signs signs, int low, int high) {
  for (expansion::detail::EntryMatrix<double>* matrix : {&e.a, &e.b, &e.c}) {
    expansion::detail::draw_matrix(*matrix, [&](std::span<double> number, std::int64_t, std::int64_t) {
      draw_mp(draw, number, format, kind, signs, draw.between(low, high));
    });
  }
}

inline bool is_mp_negative(std::span<const double> number) {
  return std::any_of(number.begin(), number.end() - 1, [](double limb) { return limb < 0; });
}

/// The other value of a bit of the significand. A zero stays.
inline void flip_bit(std::span<double> number, int bit) {
  if (is_mp_zero(number)) return;
  double& limb = number[static_cast<std::size_t>(bit / 32)];
  const auto magnitude = static_cast<std::uint32_t>(std::abs(limb)) ^ (std::uint32_t{1} << (bit % 32));
  limb = magnitude == 0 ? 0.0 : is_mp_negative(number) ? -static_cast<double>(magnitude) : magnitude;
}

/// The columns 2j and 2j + 1 of A cancel except for some bits at the end, against equal entries of x: a chosen number
/// of leading bits of α·op(A)·x vanishes.
inline void draw_mp_cancelling(Draw& draw, MpEntries& e, const MpFormat& format) {
  draw_mp_all(draw, e, format, MpSignificand::full, expansion::detail::Signs::mixed, -4, 4);
  for (std::int64_t l = 0; l + 1 < e.a.columns; l += 2) {
    std::copy(e.b.at(l, 0).begin(), e.b.at(l, 0).end(), e.b.at(l + 1, 0).begin());
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      const std::span<double> twin = e.a.at(i, l + 1);
      std::copy(e.a.at(i, l).begin(), e.a.at(i, l).end(), twin.begin());
      negate_mp(twin);
      flip_bit(twin, static_cast<int>(draw.below(static_cast<std::uint64_t>(format.bits - 1))));
    }
  }
}

/// The format's number of at most P bits next to x towards zero.
inline void assign_truncated(std::span<double> to, const oracle::Dyadic& x, const MpFormat& format) {
  const long exponent = x.is_zero() ? 0 : x.exponent() + 1 - format.bits;
  assign_mp(to, oracle::limbs_of(oracle::floor_scaled(abs(x), exponent), format.limbs()), x.sign() < 0, exponent);
}

/// α = ±2ᵉ, β = ±1 and y next to the value that cancels the product: rows with a huge condition number.
inline void draw_mp_cancelling_start(Draw& draw, MpEntries& e, const MpFormat& format) {
  draw_mp_all(draw, e, format, MpSignificand::full, expansion::detail::Signs::mixed, -4, 4);
  const bool minus = draw.coin();
  assign_mp(e.alpha, 1, minus, 0);
  assign_mp(e.beta, 1, draw.coin(), 0);
  const bool same = minus == (e.beta[0] < 0);
  expansion::detail::draw_matrix(e.c, [&](std::span<double> to, std::int64_t i, std::int64_t) {
    oracle::Dyadic sum;
    for (std::int64_t l = 0; l < e.a.columns; ++l) {
      sum.add_mul(mp_value(std::as_const(e.a).at(i, l)), mp_value(std::as_const(e.b).at(l, 0)));
    }
    if (same) sum.negate();
    assign_truncated(to, sum, format);
  });
}

/// A chosen condition number by row: the last entry of a row cancels the others up to a factor 2⁻ᵇ of their sum.
inline void draw_mp_condition(Draw& draw, MpEntries& e, const MpFormat& format) {
  draw_mp_all(draw, e, format, MpSignificand::full, expansion::detail::Signs::mixed, -4, 4);
  const std::int64_t last = e.a.columns - 1;
  if (last < 1) return;
  assign_mp(e.b.at(last, 0), {.exponent = draw.between(-20, 20), .negative = draw.coin(), .limbs = {1}});
  for (std::int64_t i = 0; i < e.a.rows; ++i) {
    oracle::Dyadic sum;
    for (std::int64_t l = 0; l < last; ++l) {
      sum.add_mul(mp_value(std::as_const(e.a).at(i, l)), mp_value(std::as_const(e.b).at(l, 0)));
    }
    if (sum.is_zero()) continue;
    const long shift = sum.exponent() - static_cast<long>(draw.below(static_cast<std::uint64_t>(format.bits)));
    sum.negate();
    sum += oracle::Dyadic::scaled(draw.coin() ? 1 : -1, shift);
    const std::span<double> to = e.a.at(i, last);
    assign_truncated(to, sum, format);
    to.back() -= e.b.at(last, 0).back();
    if (e.b.at(last, 0)[0] < 0) negate_mp(to);
  }
}

/// Exponents with a gap of about the precision between neighbors: the thresholds of alignment.
inline void draw_mp_gaps(Draw& draw, MpEntries& e, const MpFormat& format) {
  draw_mp_all(draw, e, format, draw.coin() ? MpSignificand::full : MpSignificand::any, expansion::detail::Signs::mixed,
              0, 0);
  const bool twice = draw.coin();
  expansion::detail::draw_matrix(e.a, [&](std::span<double> number, std::int64_t, std::int64_t l) {
    const int gap = (twice ? 2 : 1) * format.bits + draw.between(-3, 3);
    if (!is_mp_zero(number)) number.back() += l % 2 == 0 ? 0 : draw.coin() ? gap : -gap;
  });
}

/// Rows and columns of A with exponents far apart, against those of x.
inline void draw_mp_scaled(Draw& draw, MpEntries& e, const MpFormat& format, int spread) {
  draw_mp_all(draw, e, format, MpSignificand::full, expansion::detail::Signs::mixed, -2, 2);
  std::vector<int> inner;
  for (std::int64_t l = 0; l < e.a.columns; ++l) inner.push_back(draw.between(-spread, spread));
  const bool against = draw.coin();
  expansion::detail::draw_matrix(e.a, [&](std::span<double> number, std::int64_t, std::int64_t l) {
    number.back() += inner[static_cast<std::size_t>(l)];
  });
  expansion::detail::draw_matrix(e.b, [&](std::span<double> number, std::int64_t l, std::int64_t) {
    if (against) number.back() -= inner[static_cast<std::size_t>(l)];
  });
}

/// Small integers: no operation rounds.
inline void draw_mp_integers(Draw& draw, MpEntries& e) {
  for (expansion::detail::EntryMatrix<double>* matrix : {&e.a, &e.b, &e.c}) {
    expansion::detail::draw_matrix(*matrix, [&](std::span<double> number, std::int64_t, std::int64_t) {
      assign_mp(number,
                {.exponent = 0, .negative = draw.coin(), .limbs = {static_cast<std::uint32_t>(draw.below(1 << 12))}});
    });
  }
}

/// c = 2¹⁰ + 1, and factors whose products with it end in ten ones: X·c ≡ −1 mod 2¹⁰, X ≡ −1 mod 2¹⁰ as c ≡ 1.
inline constexpr std::uint32_t losing_factor = (1u << 10) + 1;

/// Limbs mod a small number.
inline std::uint64_t limbs_mod(std::span<const std::uint32_t> limbs, std::uint64_t modulus) {
  std::uint64_t rest = 0;
  for (std::size_t i = limbs.size(); i-- > 0;) rest = ((rest << 32) | limbs[i]) % modulus;
  return rest;
}

/// ⌊limbs / divisor⌋ in place.
inline void divide_limbs(std::span<std::uint32_t> limbs, std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (std::size_t i = limbs.size(); i-- > 0;) {
    rest = (rest << 32) | limbs[i];
    limbs[i] = static_cast<std::uint32_t>(rest / divisor);
    rest %= divisor;
  }
}

/// d = 2ᴾ(1 + small), d ≡ −1 mod 2¹⁰; with `scales` d + 1 ≡ 1/2¹⁰ mod c, which is −1 as 2¹⁰ ≡ −1, so that some x·c is d
/// followed by ten ones; without, d is just below 2ᴾ.
inline std::vector<std::uint32_t> draw_losing_significand(Draw& draw, const MpFormat& format, bool scales) {
  std::vector<std::uint32_t> d(format.limbs() + 2);
  const auto set = [&](int bit) { d[static_cast<std::size_t>(bit / 32)] |= std::uint32_t{1} << (bit % 32); };
  for (int i = 24; i < format.bits - 14; ++i) {
    if (draw.coin()) set(i);
  }
  if (scales) set(format.bits);
  for (int i = format.bits - 11; !scales && i < format.bits; ++i) set(i);
  d[0] |= losing_factor - 2;
  while (scales && limbs_mod(d, losing_factor) != losing_factor - 2) d[0] += 1u << 10;
  return d;
}

/// Every truncation loses nearly a unit, and the bound counts every loss (docs/bounds/gemv.md, "Attained"). d =
/// fl(α·x₁) and fl(a·d) are 2ᴾ(1 + small), before rounding followed by ten ones; every other summand of a partial sum
/// is just below its unit: one for each serial addition, one for each thread 1, 2, 4, …, and β·y.
inline void draw_mp_losing(Draw& draw, MpEntries& e, const MpFormat& format, int threads) {
  const bool scales = draw.coin();
  const bool starts = draw.coin();
  const int exponent = draw.between(-50, 50);
  const std::vector<std::uint32_t> d = draw_losing_significand(draw, format, scales);
  // x = ((d + 1)·2¹⁰ − 1)/c = d·2¹⁰ + (2¹⁰ − 1) over c.
  std::vector<std::uint32_t> x = d;
  if (scales) {
    std::uint32_t carry = losing_factor - 2;
    for (std::uint32_t& limb : x) {
      const std::uint32_t high = limb >> 22;
      limb = (limb << 10) | carry;
      carry = high;
    }
    divide_limbs(x, losing_factor);
  }
  const bool negative = draw.coin();
  assign_mp(e.alpha, scales ? losing_factor : 1, false, 0);
  assign_mp(e.beta, 1, false, 0);
  if (!starts) assign_mp(e.beta, 0, false, 0);
  expansion::detail::draw_matrix(e.b, [&](std::span<double> number, std::int64_t l, std::int64_t) {
    if (l == 0) {
      assign_mp(number, std::span<const std::uint32_t>(x).first(format.limbs()), false, 0);
    } else {
      assign_mp(number, 1, false, 0);
    }
  });
  // The unit of fl(a·d)·2^exponent: d·2¹⁰ where d = fl(α·x) lost ten bits, and a·d another ten.
  const int unit = exponent + 10 + (scales ? 10 : 0);
  expansion::detail::draw_matrix(e.a, [&](std::span<double> number, std::int64_t, std::int64_t l) {
    const bool met = l < threads ? std::has_single_bit(static_cast<std::uint64_t>(l)) : l % threads == 0;
    if (l == 0) {
      assign_mp(number, losing_factor, negative, exponent);
    } else if (met) {
      assign_mp(number, scales ? losing_factor - 2 : (1u << 20) - 1, negative, unit - 20);
    } else {
      assign_mp(number, 0, false, 0);
    }
  });
  expansion::detail::draw_matrix(e.c, [&](std::span<double> number, std::int64_t, std::int64_t) {
    assign_mp(number, (1u << 20) - 1, negative, unit - 20);
  });
}

/// The first products of a row are 2ᴾ(1 + small) with nearly a unit lost and 2ᴾ⁺¹(1 − small) with exponents about P
/// apart, where an addition starts to drop the second one: that is a unit, two units one step before.
inline void draw_mp_threshold(Draw& draw, MpEntries& e, const MpFormat& format) {
  using oracle::Dyadic;
  const int P = format.bits;
  const auto maximal = oracle::limbs_of(Dyadic::scaled(1, P) - Dyadic(1), format.limbs());
  // The product with the maximal one is M/4 minus 2⁻³⁰ of it.
  const Dyadic quarter = format.product - oracle::floor_scaled(format.product, 30);
  const auto partner = oracle::limbs_of(oracle::floor_scaled(quarter, P + 2), format.limbs());
  const auto losing = draw_losing_significand(draw, format, false);
  const bool negative = draw.coin();
  const bool mixed = draw.one_in(4);
  const int gap = P + draw.between(-1, 2);
  assign_mp(e.alpha, 1, draw.coin(), 0);
  if (draw.coin()) assign_mp(e.beta, 0, false, 0);
  draw_mp_all(draw, e, format, MpSignificand::any, expansion::detail::Signs::mixed, -2 * P, -2 * P);
  for (std::int64_t l = 0; l < e.a.columns; ++l) {
    assign_mp(e.b.at(l, 0), l == 0 ? std::span(losing).first(format.limbs()) : std::span(partner), false,
              l == 0 ? P - 11 + gap : 0);
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      if (l == 0) assign_mp(e.a.at(i, l), losing_factor, negative, 0);
      if (l == 1) assign_mp(e.a.at(i, l), maximal, negative != mixed, 0);
      if (l > 1) assign_mp(e.a.at(i, l), 0, false, 0);
    }
  }
  expansion::detail::draw_matrix(
      e.c, [&](std::span<double> number, std::int64_t, std::int64_t) { assign_mp(number, 0, false, 0); });
}

/// A case of the class that `make(draw, entries, threads)` fills, with op(A) in a shape and a random layout.
/// Operands that a scalar 0 leaves unread hold poison or numbers; gaps hold poison and numbers.
template <class Make>
MpGemvCase draw_mp_gemv(Draw& draw, const MpFormat& format, const MpShape& shape, Make&& make) {
  const auto [m, k] = shape;
  const std::size_t words = format.words();
  MpEntries e{draw_mp_scalar(draw, format), draw_mp_scalar(draw, format),
              expansion::detail::zero_matrix<double>(m, k, words), expansion::detail::zero_matrix<double>(k, 1, words),
              expansion::detail::zero_matrix<double>(m, 1, words)};
  static constexpr std::array<int, 5> counts{1, 2, 4, 8, 32};
  const int threads = counts[draw.below(counts.size())];
  make(draw, e, threads);
  const double nan = number_of<double>(format_of<double>().nan());
  const auto poison = [&](std::vector<double>& all) { std::fill(all.begin(), all.end(), nan); };
  if (is_mp_zero(e.alpha) && draw.coin()) {
    poison(e.a.all);
    poison(e.b.all);
  }
  if (is_mp_zero(e.beta) && m > 0 && k > 0 && draw.coin()) poison(e.c.all);
  const auto stride = [&]() -> std::int64_t {
    static constexpr std::array<std::int64_t, 8> strides{1, 1, 1, 1, 2, -1, -2, 3};
    return strides[draw.below(strides.size())];
  };
  expansion::detail::BlasLayout layout;
  layout.transa = draw.coin();
  layout.above_a = draw.coin() ? 0 : static_cast<std::int64_t>(draw.below(4));
  layout.incx = stride();
  layout.incy = stride();
  MpGemvCase c;
  // A gap is poison, or the number 3: the filler is called for one word after the other.
  const bool poisoned = draw.coin();
  std::size_t at = 0;
  const auto filler = [&] { return poisoned ? nan : at++ % words == 0 ? 3.0 : 0.0; };
  expansion::detail::lay_out(e, layout, filler, filler, c);
  c.threads = threads;
  return c;
}

/// Long rows of the kinds for which many rounding errors add up: a rounding loses nearly a unit, one sign, pairs of
/// columns or the last term that cancel, exponents that are far apart.
inline void draw_mp_long_rows(Draw& draw, MpEntries& e, const MpFormat& format, int threads) {
  using expansion::detail::Signs;
  switch (draw.below(6)) {
    case 0:
      return draw_mp_losing(draw, e, format, threads);
    case 1:
      return draw_mp_all(draw, e, format, MpSignificand::full, Signs::same, -1, 1);
    case 2:
      return draw_mp_cancelling(draw, e, format);
    case 3:
      return draw_mp_condition(draw, e, format);
    case 4:
      return draw_mp_scaled(draw, e, format, format.bits);
    default:
      return draw_mp_all(draw, e, format, MpSignificand::full, Signs::mixed, -4, 4);
  }
}

}  // namespace detail

/// The classes of cases of the GEMV.
inline std::vector<InputClass<MpGemvCase>> mp_gemv_classes(const MpFormat& format) {
  using detail::MpEntries;
  using detail::MpSignificand;
  using expansion::detail::Signs;
  const auto from = [format](auto make) {
    return drawn<MpGemvCase>([=](Draw& draw) {
      return detail::draw_mp_gemv(draw, format, detail::draw_mp_shape(draw, format),
                                  [&](Draw& d, MpEntries& e, int threads) { make(d, e, format, threads); });
    });
  };
  const auto entries = [&](MpSignificand kind, expansion::detail::Signs signs, int low, int high) {
    return from([=](Draw& draw, MpEntries& e, const MpFormat& f, int) {
      detail::draw_mp_all(draw, e, f, kind, signs, low, high);
    });
  };
  const auto scaled = [&](int spread) {
    return from([=](Draw& draw, MpEntries& e, const MpFormat& f, int) { detail::draw_mp_scaled(draw, e, f, spread); });
  };
  const auto plain = [&](void (*make)(Draw&, MpEntries&, const MpFormat&)) {
    return from([=](Draw& draw, MpEntries& e, const MpFormat& f, int) { make(draw, e, f); });
  };
  const int bits = format.bits;
  return {
      {"full significands", 3, entries(MpSignificand::full, expansion::detail::Signs::mixed, -4, 4)},
      {"full significands of one sign", 2, entries(MpSignificand::full, expansion::detail::Signs::same, -1, 1)},
      {"significands of any length", 2, entries(MpSignificand::any, expansion::detail::Signs::mixed, -8, 8)},
      {"quarter significands: no product rounds", 1,
       entries(MpSignificand::quarter, expansion::detail::Signs::mixed, -4, 4)},
      {"few bits", 1, entries(MpSignificand::few_bits, expansion::detail::Signs::mixed, -4, 4)},
      {"all ones", 2, entries(MpSignificand::ones, expansion::detail::Signs::mixed, -2, 2)},
      {"maximal residues", 1, entries(MpSignificand::maximal_residues, expansion::detail::Signs::mixed, -1, 1)},
      {"small integers", 1,
       from([](Draw& draw, MpEntries& e, const MpFormat&, int) { detail::draw_mp_integers(draw, e); })},
      {"pairs of columns cancel down to one bit", 3, plain(detail::draw_mp_cancelling)},
      {"the start cancels the product", 2, plain(detail::draw_mp_cancelling_start)},
      {"rows of a chosen condition", 3, plain(detail::draw_mp_condition)},
      {"exponent gaps around the precision", 3, plain(detail::draw_mp_gaps)},
      {"gaps at the threshold of dropping", 2, plain(detail::draw_mp_threshold)},
      {"exponents spread by 16", 1, scaled(16)},
      {"exponents spread by the precision", 2, scaled(bits)},
      {"exponents spread by 100000", 1, scaled(100000)},
      {"every truncation loses nearly a unit", 3, from([](Draw& draw, MpEntries& e, const MpFormat& f, int threads) {
         detail::draw_mp_losing(draw, e, f, threads);
       }),
       true},
      {"one or two rows of 66 to 4096 terms", 1, drawn<MpGemvCase>([format](Draw& draw) {
         return detail::draw_mp_gemv(
             draw, format, detail::draw_mp_long_shape(draw, format, longest_mp_row),
             [&](Draw& d, MpEntries& e, int threads) { detail::draw_mp_long_rows(d, e, format, threads); });
       })},
  };
}

/// log₂ of ‖|αA||x| + |βy|‖/‖y*‖, the condition in (19); 0 where y* = 0.
inline double mp_gemv_condition(const MpGemvCase& c, const MpFormat& format) {
  const MpGemvProblem p(c, format);
  oracle::Dyadic weights;
  oracle::Dyadic norm;
  for_each_weight(p, [&](std::size_t, const MpGemvWeights& entry) {
    weights += entry.products;
    weights += entry.start;
  });
  const std::vector<oracle::Dyadic> truth = exact_result(p);
  expansion::for_each_written(p.blas,
                              [&](std::int64_t, std::int64_t, std::size_t place) { norm += abs(truth[place]); });
  return norm.is_zero() ? 0 : static_cast<double>(weights.exponent() - norm.exponent());
}

inline Domain<MpGemvCase> mp_gemv_domain(const MpFormat& format) {
  return {.classes = mp_gemv_classes(format),
          .contains = [format](const MpGemvCase& c) { return is_mp_gemv_case(c, format); },
          .features = {{"log2 of the condition number in (19)", 0, static_cast<double>(2 * format.bits), 32,
                        [format](const MpGemvCase& c) { return mp_gemv_condition(c, format); }}},
          .axes = [words = format.words()](const MpGemvCase& c) { return expansion::blas_axes(c, words, false); },
          .accepts = "dimensions up to " + std::to_string(expansion::longest_dimension) + ", at most " +
                     std::to_string(format.most_products()) + " products, or one or two rows of up to " +
                     std::to_string(longest_mp_row) +
                     " terms; strides 1 to 3 or -1 to -3; 1, 2, 4, …, 32 threads; numbers of " +
                     std::to_string(format.limbs()) + " limbs of one sign and an exponent, below 2^" +
                     std::to_string(format.bits) + ", the exponent within 2^20; a NaN where nothing is read",
          .traits = std::make_shared<const Traits<MpGemvCase>>(mp_gemv_traits(format))};
}

}  // namespace assay::gemv
