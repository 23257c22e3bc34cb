#pragma once
// Inputs of the multiple-precision GEMV: shapes, strides and transposes around the edges of its blocks, and entries
// with the structures on which sums of truncated products err.
//
// In a case a number ±X·2ᵉ is a list of integers in binary64: the 32-bit limbs of X, the least first, each with the
// sign of the number, and e behind them. So files are readable without residues, and shrinking knows what to do. A
// number with a NaN is poison: the arrays hold no number there.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/gemv.hpp"
#include "errorbounds/judge.hpp"
#include "oracle/residues.hpp"
#include "properties/catalog/expansion/blas_cases.hpp"

namespace assay::gemv {

/// y ← α·op(A)·x + β·y. Strides and leading dimensions count entries.
struct MpGemvCase : expansion::ExpansionGemvCase<double> {
  int threads = 32;  ///< of the reduction of one entry: a power of two
  static constexpr auto fields() {
    return std::tuple_cat(expansion::ExpansionGemvCase<double>::fields(),
                          std::tuple{field("threads", &MpGemvCase::threads)});
  }
};

/// What a case is drawn for.
struct MpFormat {
  int moduli;                          ///< of M
  int bits;                            ///< of a significand, P = ⌊log₂ √M⌋
  oracle::Dyadic product;              ///< M
  std::vector<std::uint32_t> maximal;  ///< X < 2ᴾ as limbs, whose residues for nearly half of the moduli are maximal
  std::size_t limbs() const { return static_cast<std::size_t>((bits + 31) / 32); }
  std::size_t words() const { return limbs() + 1; }
  std::int64_t most_products() const { return std::max(40, 4800 / moduli); }
};

namespace detail {

inline bool is_limb(double x) { return std::abs(x) < 0x1p+32 && x == std::trunc(x); }
inline bool is_poison(std::span<const double> number) {
  return std::any_of(number.begin(), number.end(), [](double x) { return std::isnan(x); });
}
inline bool is_mp_zero(std::span<const double> number) {
  return expansion::detail::all_zero(number.first(number.size() - 1));
}
inline bool is_significand(std::span<const double> limbs, std::uint64_t significand) {
  return std::abs(limbs[0]) == static_cast<double>(significand) && expansion::detail::all_zero(limbs.subspan(1));
}

/// ±X·2ᵉ. Requires: no poison (not checked).
inline oracle::Dyadic mp_value(std::span<const double> number) {
  const auto exponent = static_cast<long>(number.back());
  oracle::Dyadic sum;
  for (std::size_t i = 0; i + 1 < number.size(); ++i) {
    sum += oracle::Dyadic::scaled(static_cast<std::int64_t>(number[i]), 32 * static_cast<long>(i));
  }
  return sum.mul_2exp(exponent);
}

}  // namespace detail

/// The exponents of the numbers of a case: within ±2²⁰.
inline constexpr int mp_gemv_exponents = 1 << 20;

/// Whether the list is a number of the format: limbs of one sign, X < 2ᴾ, a small exponent.
inline bool is_mp_number(std::span<const double> number, const MpFormat& format) {
  if (!detail::is_limb(number.back()) || std::abs(number.back()) > mp_gemv_exponents) return false;
  const auto limbs = number.first(number.size() - 1);
  const bool negative = std::any_of(limbs.begin(), limbs.end(), [](double x) { return x < 0; });
  for (const double limb : limbs) {
    if (!detail::is_limb(limb) || (limb != 0 && (limb < 0) != negative) || (limb == 0 && std::signbit(limb)))
      return false;
  }
  const double top = std::abs(limbs.back());
  return top < std::ldexp(1.0, format.bits - 32 * static_cast<int>(limbs.size() - 1));
}

/// A GEMV as C ← α·A·B + β·C with one column; `blas` says where its entries stand.
struct MpGemvProblem {
  expansion::ExpansionBlasProblem<double> blas;
  std::uint64_t threads;
  bool adds_product, adds_start;
  bool scales, scales_start;  ///< α·x and β·y round: the significand is not 1

  MpGemvProblem(const MpGemvCase& c, const MpFormat& format)
      : blas(problem_of(c, format.words(), static_cast<std::uint64_t>(c.threads))),
        threads(static_cast<std::uint64_t>(c.threads)),
        adds_product(blas.k > 0 && !detail::is_mp_zero(c.alpha)),
        adds_start(!detail::is_mp_zero(c.beta)),
        scales(!detail::is_significand(std::span(c.alpha).first(format.limbs()), 1)),
        scales_start(!detail::is_significand(std::span(c.beta).first(format.limbs()), 1)) {
    blas.returns_at_once = blas.m == 0 || blas.k == 0 || (!adds_product && expansion::detail::is_one<double>(c.beta));
  }

  MpGemvShape shape() const {
    return {adds_product ? static_cast<std::uint64_t>(blas.k) : 0, threads, scales, adds_start, scales_start};
  }
};

namespace detail {

/// f(place, Σ of_number(a)·of_number(x)) for every written entry. Zero sums where no product is added.
template <class G, class F>
void for_each_mp_sum(const MpGemvProblem& p, G&& of_number, F&& f) {
  std::vector<oracle::Dyadic> x;
  for (std::int64_t l = 0; p.adds_product && l < p.blas.k; ++l) {
    x.push_back(of_number(p.blas.entry(p.blas.b, p.blas.b_at(l, 0))));
  }
  oracle::Dyadic sum;
  expansion::for_each_written(p.blas, [&](std::int64_t i, std::int64_t, std::size_t place) {
    sum = 0;
    for (std::int64_t l = 0; p.adds_product && l < p.blas.k; ++l) {
      sum.add_mul(of_number(p.blas.entry(p.blas.a, p.blas.a_at(i, l))), x[static_cast<std::size_t>(l)]);
    }
    f(place, sum);
  });
}

}  // namespace detail

/// y after the operation, exactly, every entry of its array; 0 for poison that is not written.
inline std::vector<oracle::Dyadic> exact_result(const MpGemvProblem& p) {
  std::vector<oracle::Dyadic> truth(p.blas.c.size() / p.blas.words);
  for (std::size_t at = 0; at < truth.size(); ++at) {
    const std::span<const double> number = p.blas.entry(p.blas.c, at);
    if (!detail::is_poison(number)) truth[at] = detail::mp_value(number);
  }
  const oracle::Dyadic alpha = detail::mp_value(p.blas.alpha);
  const oracle::Dyadic beta = detail::mp_value(p.blas.beta);
  detail::for_each_mp_sum(p, detail::mp_value, [&](std::size_t place, const oracle::Dyadic& sum) {
    oracle::Dyadic value = alpha * sum;
    if (p.adds_start) value.add_mul(beta, truth[place]);
    truth[place] = std::move(value);
  });
  return truth;
}

/// f(place, weights) for every written entry: Σ|αaⱼxⱼ| and |βy|.
template <class F>
void for_each_weight(const MpGemvProblem& p, F&& f) {
  const auto magnitude = [](std::span<const double> number) { return abs(detail::mp_value(number)); };
  const oracle::Dyadic alpha = magnitude(p.blas.alpha);
  const oracle::Dyadic beta = magnitude(p.blas.beta);
  detail::for_each_mp_sum(p, magnitude, [&](std::size_t place, const oracle::Dyadic& sum) {
    MpGemvWeights weights{alpha * sum, {}};
    if (p.adds_start) weights.start = beta * magnitude(p.blas.entry(p.blas.c, place));
    f(place, weights);
  });
}

/// The case with the terms of every entry in reverse order: the same exact result.
inline MpGemvCase with_reversed_terms(const MpGemvCase& c, std::size_t words) {
  MpGemvCase reversed = c;
  reversed.incx = -c.incx;
  for (std::int64_t j = 0; j < c.n; ++j) {
    for (std::int64_t i = 0; i < c.m; ++i) {
      const std::int64_t to = c.trans != 0 ? c.m - 1 - i + j * c.lda : i + (c.n - 1 - j) * c.lda;
      std::copy_n(c.a.begin() + (i + j * c.lda) * static_cast<std::int64_t>(words), words,
                  reversed.a.begin() + to * static_cast<std::int64_t>(words));
    }
  }
  return reversed;
}

/// f(place, Σ|αaⱼxⱼ| over the products whose exponent is more than `depth` below the largest one of the entry).
template <class F>
void for_each_dropped(const MpGemvProblem& p, long depth, F&& f) {
  const oracle::Dyadic alpha = abs(detail::mp_value(p.blas.alpha));
  expansion::for_each_written(p.blas, [&](std::int64_t i, std::int64_t, std::size_t place) {
    std::vector<std::pair<long, oracle::Dyadic>> products;
    long top = 0;
    for (std::int64_t l = 0; p.adds_product && l < p.blas.k; ++l) {
      const auto a = p.blas.entry(p.blas.a, p.blas.a_at(i, l));
      const auto x = p.blas.entry(p.blas.b, p.blas.b_at(l, 0));
      if (detail::is_mp_zero(a) || detail::is_mp_zero(x)) continue;
      const auto exponent = static_cast<long>(a.back() + x.back());
      top = products.empty() ? exponent : std::max(top, exponent);
      products.emplace_back(exponent, abs(detail::mp_value(a) * detail::mp_value(x)));
    }
    oracle::Dyadic dropped;
    for (const auto& [exponent, product] : products) {
      if (exponent < top - depth) dropped += product;
    }
    f(place, alpha * dropped);
  });
}

// ------------------------------------------------------------------------------------------------------- the domain

/// Every number that is read is one of the format; sizes fit; poison stands only where nothing is read.
inline bool is_mp_gemv_case(const MpGemvCase& c, const MpFormat& format) {
  const std::size_t words = format.words();
  if (!expansion::detail::is_flag(c.trans) || !expansion::detail::is_dimension(c.m) ||
      !expansion::detail::is_dimension(c.n) || !expansion::detail::is_leading(c.lda, c.m) ||
      !expansion::detail::is_stride(c.incx) || !expansion::detail::is_stride(c.incy) || c.alpha.size() != words ||
      c.beta.size() != words || c.threads < 1 || c.threads > 32 ||
      !std::has_single_bit(static_cast<unsigned>(c.threads))) {
    return false;
  }
  const MpGemvProblem p(c, format);
  if (!expansion::detail::has_sizes(p.blas) || p.blas.m * p.blas.k > format.most_products()) return false;
  const auto is_number = [&](std::span<const double> number) { return is_mp_number(number, format); };
  const auto may_stand = [&](std::span<const double> array) {
    for (std::size_t at = 0; at < array.size(); at += words) {
      const auto number = array.subspan(at, words);
      if (!detail::is_poison(number) && !is_number(number)) return false;
    }
    return true;
  };
  if (!is_number(c.alpha) || !is_number(c.beta) || !may_stand(c.a) || !may_stand(c.x) || !may_stand(c.y)) return false;
  bool all = true;
  const auto require = [&](std::span<const double> array, std::size_t place) {
    all = all && !detail::is_poison(p.blas.entry(array, place));
  };
  if (p.blas.returns_at_once) return true;
  for (std::int64_t l = 0; p.adds_product && l < p.blas.k; ++l) {
    for (std::int64_t i = 0; i < p.blas.m; ++i) require(p.blas.a, p.blas.a_at(i, l));
    require(p.blas.b, p.blas.b_at(l, 0));
  }
  expansion::for_each_written(p.blas, [&](std::int64_t, std::int64_t, std::size_t place) {
    if (p.adds_start) require(p.blas.c, place);
  });
  return all;
}

namespace detail {

using MpEntries = expansion::detail::BlasEntries<double>;

/// How the significand of a drawn number looks.
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

/// The columns 2j and 2j + 1 of A cancel but for some bits at the end, against equal entries of x: of α·op(A)·x a
/// chosen number of leading bits is left out.
inline void draw_mp_cancelling(Draw& draw, MpEntries& e, const MpFormat& format) {
  draw_mp_all(draw, e, format, MpSignificand::full, expansion::detail::Signs::mixed, -4, 4);
  for (std::int64_t l = 0; l + 1 < e.a.columns; l += 2) {
    std::copy(e.b.at(l, 0).begin(), e.b.at(l, 0).end(), e.b.at(l + 1, 0).begin());
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      const std::span<double> twin = e.a.at(i, l + 1);
      std::copy(e.a.at(i, l).begin(), e.a.at(i, l).end(), twin.begin());
      negate_mp(twin);
      const int bit = static_cast<int>(draw.below(static_cast<std::uint64_t>(format.bits - 1)));
      double& limb = twin[static_cast<std::size_t>(bit / 32)];
      const auto magnitude = static_cast<std::uint32_t>(std::abs(limb)) ^ (std::uint32_t{1} << (bit % 32));
      const bool negative = std::any_of(twin.begin(), twin.end() - 1, [](double x) { return x < 0; });
      if (!is_mp_zero(twin)) limb = magnitude == 0 ? 0.0 : negative ? -static_cast<double>(magnitude) : magnitude;
    }
  }
}

/// The format's number of at most P bits next to x towards zero.
inline void assign_truncated(std::span<double> to, const oracle::Dyadic& x, const MpFormat& format) {
  const long exponent = x.is_zero() ? 0 : x.exponent() + 1 - format.bits;
  assign_mp(to, oracle::limbs_of(oracle::floor_scaled(abs(x), exponent), format.limbs()), x.sign() < 0, exponent);
}

/// α = ±2ᵉ, β = ±1 and y next to what cancels the product: rows of a huge condition number, only errors are left.
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
  assign_mp(e.b.at(last, 0), 1, draw.coin(), draw.between(-20, 20));
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

/// Exponents with a gap of about the precision between neighbours: the thresholds of alignment.
inline void draw_mp_gaps(Draw& draw, MpEntries& e, const MpFormat& format) {
  draw_mp_all(draw, e, format, draw.coin() ? MpSignificand::full : MpSignificand::any, expansion::detail::Signs::mixed,
              0, 0);
  const bool twice = draw.coin();
  expansion::detail::draw_matrix(e.a, [&](std::span<double> number, std::int64_t, std::int64_t l) {
    const int gap = (twice ? 2 : 1) * format.bits + draw.between(-3, 3);
    if (!is_mp_zero(number)) number.back() += l % 2 == 0 ? 0 : draw.coin() ? gap : -gap;
  });
}

/// Rows and columns of A with far exponents, those of x against them.
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
      assign_mp(number, static_cast<std::uint32_t>(draw.below(1 << 12)), draw.coin(), 0);
    });
  }
}

/// c = 2¹⁰ + 1, and what makes products with it end in ten ones: X·c ≡ −1 mod 2¹⁰, X ≡ −1 mod 2¹⁰ as c ≡ 1.
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

/// Every truncation loses nearly a unit, and nothing is lost that is not counted (docs/bounds/gemv.md, "Attained").
/// d = fl(α·x₁) and fl(a·d) are 2ᴾ(1 + small), before rounding followed by ten ones; what else meets a partial sum is
/// just below its unit: one summand a serial addition, one for each thread 1, 2, 4, …, and β·y.
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

/// The first products of a row are 2ᴾ(1 + small) with nearly a unit lost and 2ᴾ⁺¹(1 − small) with a gap of their
/// exponents around P, where an addition starts to drop the second one: that is a unit, two units one step before.
inline void draw_mp_threshold(Draw& draw, MpEntries& e, const MpFormat& format) {
  using oracle::Dyadic;
  const int P = format.bits;
  const auto maximal = oracle::limbs_of(Dyadic::scaled(1, P) - Dyadic(1), format.limbs());
  // The product with the maximal one is M/4 less a 2⁻³⁰ of it.
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

/// A case of the class that `make(draw, entries, threads)` fills, in a random shape and layout. What is not read
/// because a scalar is 0 is poison or numbers; gaps hold poison and numbers.
template <class Make>
MpGemvCase draw_mp_gemv(Draw& draw, const MpFormat& format, Make&& make) {
  static constexpr std::array<std::int64_t, 5> edges{1, 2, 31, 32, 33};
  const auto dimension = [&]() -> std::int64_t {
    const std::uint64_t kind = draw.below(16);
    return kind == 0 ? 0 : kind < 9 ? 1 + static_cast<std::int64_t>(draw.below(4)) : edges[draw.below(edges.size())];
  };
  std::int64_t m = dimension();
  std::int64_t k = draw.one_in(8) ? 34 + static_cast<std::int64_t>(draw.below(32)) : dimension();
  while (m * k > format.most_products())
    (draw.coin() || k > format.most_products() ? k : m) = 1 + static_cast<std::int64_t>(draw.below(4));
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
  // A gap is poison, or the number 3: the filler is asked for one word after the other.
  const bool poisoned = draw.coin();
  std::size_t at = 0;
  const auto filler = [&] { return poisoned ? nan : at++ % words == 0 ? 3.0 : 0.0; };
  expansion::detail::lay_out(e, layout, filler, filler, c);
  c.threads = threads;
  return c;
}

}  // namespace detail

/// The classes of cases of the GEMV.
inline std::vector<InputClass<MpGemvCase>> mp_gemv_classes(const MpFormat& format) {
  using detail::MpEntries;
  using detail::MpSignificand;
  using expansion::detail::Signs;
  const auto from = [format](auto make) {
    return drawn<MpGemvCase>([=](Draw& draw) {
      return detail::draw_mp_gemv(draw, format,
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
          .shrink_shape =
              [format](const MpGemvCase& c) {
                std::vector<MpGemvCase> smaller =
                    expansion::detail::smaller_blas_cases<MpGemvCase, double>(c, format.words());
                for (MpGemvCase& each : smaller) each.threads = c.threads;
                return smaller;
              },
          .accepts = "dimensions up to " + std::to_string(expansion::longest_dimension) + ", at most " +
                     std::to_string(format.most_products()) +
                     " products; strides 1 to 3 or -1 to -3; 1, 2, 4, …, 32 threads; numbers of " +
                     std::to_string(format.limbs()) + " limbs of one sign and an exponent, below 2^" +
                     std::to_string(format.bits) + ", the exponent within 2^20; a NaN where nothing is read"};
}

}  // namespace assay::gemv
