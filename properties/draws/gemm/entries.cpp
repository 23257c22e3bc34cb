#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "properties/draws/gemm/cases.hpp"
#include "properties/draws/gemm/matrices.hpp"
#include "properties/framework/generators.hpp"

namespace assay::gemm {

namespace {

/// An exponent of binary64 as one of T: at the same fraction of the largest exponent.
template <FloatingPoint T>
constexpr int in(int exponent) {
  return exponent * FloatTraits<T>::emax / FloatTraits<double>::emax;
}

/// x rounded to T.
template <FloatingPoint T>
double rounded_to(double x) {
  return static_cast<T>(x);
}

/// A number near x in T, or x: `places` of its last places away. Requires: x is a number of T (not checked).
template <FloatingPoint T>
double moved(double x, int places) {
  return stepped(static_cast<T>(x), places);
}

/// Every entry of the matrix by one(i, j).
template <class One>
void fill_matrix(GemmMatrix& x, One&& one) {
  for (std::int64_t j = 0; j < x.columns; ++j) {
    for (std::int64_t i = 0; i < x.rows; ++i) x.at(i, j) = one(i, j);
  }
}
template <class One>
void fill_all(GemmEntries& e, One&& one) {
  for (GemmMatrix* each : {&e.a, &e.b, &e.c}) fill_matrix(*each, [&](std::int64_t, std::int64_t) { return one(); });
}

std::vector<int> draw_exponents(Draw& draw, std::int64_t count, int low, int high) {
  std::vector<int> all(static_cast<std::size_t>(count));
  for (int& each : all) each = draw.between(low, high);
  return all;
}
int of(const std::vector<int>& all, std::int64_t i) { return all[static_cast<std::size_t>(i)]; }

/// (rand − 1/2)·exp(φ·randn), with randn as a sum of 12 uniform numbers and 2^f as 1 + f between the powers of two: the
/// same numbers on every machine. On the grid 2⁻⁵³ for φ = 0.
double draw_spread(Draw& draw, double phi) {
  const double uniform = static_cast<double>(static_cast<std::int64_t>(draw.word() >> 11) - (std::int64_t{1} << 52));
  const double centred = uniform * 0x1p-53;
  if (phi == 0) return centred;
  std::int64_t sum = 0;
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t word = draw.word();
    for (int at = 0; at < 64; at += 16) sum += static_cast<std::int64_t>(word >> at & 0xffff);
  }
  const double normal = static_cast<double>(sum - 6 * 65536) * 0x1p-16;
  const double exponent = phi * normal * 1.4426950408889634;
  const double whole = std::floor(exponent);
  return std::ldexp(centred * (1 + (exponent - whole)), static_cast<int>(whole));
}

template <FloatingPoint T, int tenths>
void fill_spread(Draw& draw, GemmEntries& e) {
  fill_all(e, [&] { return rounded_to<T>(draw_spread(draw, tenths / 10.0)); });
}

/// Numbers of [1/2, 1), all bits random.
template <FloatingPoint T>
void fill_one_sign(Draw& draw, GemmEntries& e) {
  fill_all(e, [&] { return draw_number<T>(draw, Significand::dense, -1, false); });
}

/// Significands of all ones, one exponent for each line and signs by line: the largest sums of slices and residues.
template <FloatingPoint T>
void fill_maximal(Draw& draw, GemmEntries& e) {
  constexpr int p = FloatTraits<T>::precision;
  const bool signs = draw.coin();
  const auto rows = draw_exponents(draw, e.a.rows, -1, 1);
  const auto columns = draw_exponents(draw, e.b.columns, -1, 1);
  const int below = draw.one_in(3) ? draw.between(1, 8) : 0;
  const auto number = [&](int exponent, bool negative) {
    const std::uint64_t ones = (std::uint64_t{1} << p) - 1;
    return compose<T>(negative, below == 0 ? ones : ones - draw.below(std::uint64_t{1} << below), exponent - p + 1);
  };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t) { return number(of(rows, i), signs && i % 2 != 0); });
  fill_matrix(e.b, [&](std::int64_t, std::int64_t j) { return number(of(columns, j), signs && j % 3 == 0); });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return number(0, draw.coin()); });
}

/// Each row of A and column of B has its own exponent.
template <FloatingPoint T>
void fill_scaled_lines(Draw& draw, GemmEntries& e) {
  const auto rows = draw_exponents(draw, e.a.rows, -in<T>(300), in<T>(300));
  const auto columns = draw_exponents(draw, e.b.columns, -in<T>(300), in<T>(300));
  const auto number = [&](int exponent) {
    return draw_number<T>(draw, Significand::any, exponent + draw.between(-3, 3));
  };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t) { return number(of(rows, i)); });
  fill_matrix(e.b, [&](std::int64_t, std::int64_t j) { return number(of(columns, j)); });
  fill_matrix(e.c, [&](std::int64_t i, std::int64_t j) { return number(of(rows, i) + of(columns, j)); });
}

/// The largest magnitude of every row of A and column of B belongs to a negative number, by up to 60 binades; the other
/// numbers are positive, or all are negative.
template <FloatingPoint T>
void fill_negative_dominant(Draw& draw, GemmEntries& e) {
  const int above = draw.one_in(4) ? draw.between(8, 8 + in<T>(52)) : draw.between(1, 4);
  const bool all_negative = draw.one_in(4);
  const auto number = [&](std::int64_t at, std::int64_t leader) {
    const bool leads = at == leader;
    return draw_number<T>(draw, Significand::dense, leads ? above - 1 : -1, leads || all_negative);
  };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t l) { return number(l, i * 5 % e.a.columns); });
  fill_matrix(e.b, [&](std::int64_t l, std::int64_t j) { return number(l, j * 3 % e.b.rows); });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return -rounded_to<T>(draw_spread(draw, 1)); });
}

/// Blocks of A, or of B, subnormal or among the smallest normal numbers; the other factor large enough that the
/// products matter, or not.
template <FloatingPoint T>
void fill_subnormal_blocks(Draw& draw, GemmEntries& e) {
  constexpr int least = full_box<T>().low;
  constexpr int emin = FloatTraits<T>::emin;
  const bool in_a = draw.coin();
  const std::int64_t block = 1 + static_cast<std::int64_t>(draw.below(4));
  const bool throughout = draw.one_in(3);
  const int lift = draw.coin() ? in<T>(1000) : draw.between(0, in<T>(900));
  const auto small = [&](std::int64_t i, std::int64_t j) {
    const int exponent = throughout || (i / block + j / block) % 2 == 0 ? draw.between(least, emin + 1)
                                                                        : draw.between(emin + 1, emin + 62);
    return draw_number<T>(draw, Significand::any, exponent);
  };
  const auto large = [&](std::int64_t, std::int64_t) {
    return draw_number<T>(draw, Significand::any, lift + draw.between(-8, 8));
  };
  if (in_a) {
    fill_matrix(e.a, small);
    fill_matrix(e.b, large);
  } else {
    fill_matrix(e.a, large);
    fill_matrix(e.b, small);
  }
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) {
    return draw_number<T>(draw, Significand::any, std::max(least, lift + draw.between(least - 6, emin + 22)));
  });
}

/// Leading terms of an entry: the products of its first inner indices.
enum class Lead { tie, below_power, subnormal_tie };

/// The leading terms place entries exactly at a rounding boundary; with `tiny`, another product, up to a thousand
/// binades below, moves them off it; and, if k allows it, pairs of large products cancel. Inner indices in random
/// order.
template <FloatingPoint T>
void fill_turning(Draw& draw, GemmEntries& e, Lead lead, bool tiny) {
  constexpr int p = FloatTraits<T>::precision;
  constexpr int least = full_box<T>().low;
  constexpr int emax = FloatTraits<T>::emax;
  const std::int64_t k = e.a.columns;
  fill_matrix(e.a, [](std::int64_t, std::int64_t) { return 0.0; });
  fill_matrix(e.b, [](std::int64_t, std::int64_t) { return 0.0; });
  fill_matrix(e.c, [](std::int64_t, std::int64_t) { return 0.0; });
  if (k == 0) return;
  std::vector<std::int64_t> order(static_cast<std::size_t>(k));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::size_t last = order.size(); last > 1; --last) std::swap(order[last - 1], order[draw.below(last)]);
  std::size_t used = 0;
  const auto take = [&] { return order[used++]; };

  // The leading bits: 2^(ea + eb) or, for a tie, 54 bits from 2^(ea + eb + 1).
  const bool far = draw.one_in(4);
  const bool top = lead == Lead::below_power && draw.one_in(8);  // next to the largest finite number
  auto rows = draw_exponents(draw, e.a.rows, far ? -in<T>(200) : -10, far ? in<T>(200) : 10);
  auto columns = draw_exponents(draw, e.b.columns, far ? -in<T>(200) : -10, far ? in<T>(200) : 10);
  if (top || lead == Lead::subnormal_tie) {
    const int split = draw.between(-30, 30);
    std::fill(rows.begin(), rows.end(), (top ? (emax + 1) / 2 : least - 1 - (least - 1) / 2) + split);
    std::fill(columns.begin(), columns.end(), (top ? (emax + 1) / 2 : (least - 1) / 2) - split);
  }
  const std::uint64_t signs = draw.coin() ? 0 : draw.word();
  const auto negative = [&](std::int64_t i) { return (signs >> (i % 64) & 1) != 0; };
  const std::int64_t first = take();
  const int length = lead == Lead::subnormal_tie ? 1 + static_cast<int>(draw.below(9)) : draw.between(2, p - 1);
  const auto odd = [&](int bits) {
    return bits == 1 ? std::uint64_t{1} : ((std::uint64_t{3} << 62) | draw.word()) >> (64 - bits) | 1;
  };
  for (std::int64_t i = 0; i < e.a.rows; ++i) {
    e.a.at(i, first) = lead == Lead::below_power ? compose<T>(negative(i), 1, of(rows, i))
                       : lead == Lead::tie       ? compose<T>(negative(i), odd(length), of(rows, i) - length + 1)
                                                 : compose<T>(negative(i), odd(length), of(rows, i));
  }
  for (std::int64_t j = 0; j < e.b.columns; ++j) {
    e.b.at(first, j) = lead == Lead::below_power ? compose<T>(false, 1, of(columns, j))
                       : lead == Lead::tie
                           ? compose<T>(false, odd(p + 1 - length), of(columns, j) - (p - length))
                           : compose<T>(false, odd(1 + static_cast<int>(draw.below(9))), of(columns, j));
  }
  if (lead == Lead::below_power && k >= 2) {
    // 2^E·(1 − w·2^(−p − 1)): w = 1 is the midpoint below the power of two, odd w are the next ones.
    static constexpr std::array<std::uint64_t, 6> widths{1, 1, 1, 3, 2, 5};
    const std::int64_t second = take();
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      e.a.at(i, second) = compose<T>(!negative(i), widths[draw.below(widths.size())], of(rows, i) - p - 1);
    }
    for (std::int64_t j = 0; j < e.b.columns; ++j) e.b.at(second, j) = compose<T>(false, 1, of(columns, j));
  }
  if (tiny && used < order.size()) {
    const std::int64_t last = take();
    const int gap = draw.coin() ? draw.between(p + 5, p + 17) : draw.between(p + 5, in<T>(e.widest_gap));
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      e.a.at(i, last) = compose<T>({.exponent = std::max(of(rows, i) - gap - draw.between(0, 20), least),
                                    .significand = 1,
                                    .negative = draw.coin()});
    }
    for (std::int64_t j = 0; j < e.b.columns; ++j) {
      e.b.at(last, j) = compose<T>(false, 1, std::max(of(columns, j) - draw.between(0, gap), least));
    }
  }
  while (used + 2 <= order.size()) {
    const std::int64_t one = take();
    const std::int64_t other = take();
    if (draw.one_in(8)) continue;
    const int above = draw.between(-20, in<T>(60));
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      e.a.at(i, one) = draw_number<T>(draw, Significand::any, of(rows, i) + above);
      e.a.at(i, other) = negated(e.a.at(i, one));
    }
    for (std::int64_t j = 0; j < e.b.columns; ++j) {
      e.b.at(one, j) = e.b.at(other, j) = draw_number<T>(draw, Significand::any, of(columns, j));
    }
  }
}
template <FloatingPoint T>
void fill_ties(Draw& draw, GemmEntries& e) {
  fill_turning<T>(draw, e, Lead::tie, false);
}
template <FloatingPoint T>
void fill_beside_ties(Draw& draw, GemmEntries& e) {
  fill_turning<T>(draw, e, Lead::tie, true);
}
template <FloatingPoint T>
void fill_below_powers(Draw& draw, GemmEntries& e) {
  fill_turning<T>(draw, e, Lead::below_power, draw.coin());
}
template <FloatingPoint T>
void fill_subnormal_ties(Draw& draw, GemmEntries& e) {
  fill_turning<T>(draw, e, Lead::subnormal_tie, draw.coin());
}

/// The second of every two inner indices repeats the first with the other sign.
template <FloatingPoint T>
void cancel_pairs(Draw& draw, GemmEntries& e, int most_places) {
  for (std::int64_t l = 0; l + 1 < e.a.columns; l += 2) {
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      const double other = negated(e.a.at(i, l));
      e.a.at(i, l + 1) =
          most_places == 0 || draw.coin() ? other : moved<T>(other, draw.between(-most_places, most_places));
    }
    for (std::int64_t j = 0; j < e.b.columns; ++j) e.b.at(l + 1, j) = e.b.at(l, j);
  }
}

/// Products beyond the largest finite number; some of them cancel, or α scales them down.
template <FloatingPoint T>
void fill_overflowing(Draw& draw, GemmEntries& e) {
  constexpr int emax = FloatTraits<T>::emax;
  e.alpha =
      draw.coin() ? 1 : compose<T>({.exponent = draw.between(-70, -1), .significand = 1, .negative = draw.coin()});
  e.beta = draw.coin() ? 0 : draw_number<T>(draw, Significand::any, draw.between(-4, 4));
  const auto number = [&](int middle) {
    return [&draw, middle, emax](std::int64_t, std::int64_t) {
      return draw_number<T>(draw, Significand::any, std::min(middle + draw.between(-6, 4), emax));
    };
  };
  const int split = draw.between(-in<T>(400), in<T>(400));
  fill_matrix(e.a, number((emax + 1) / 2 + split));
  fill_matrix(e.b, number((emax + 1) / 2 - split));
  fill_matrix(e.c, number(emax - 7));
  if (draw.coin()) cancel_pairs<T>(draw, e, draw.coin() ? 0 : 3);
}

/// Sums around and below the smallest normal number, of products that are far below it or not.
template <FloatingPoint T>
void fill_underflowing(Draw& draw, GemmEntries& e) {
  constexpr int least = full_box<T>().low;
  constexpr int emin = FloatTraits<T>::emin;
  const int split = draw.between(-in<T>(400), in<T>(400));
  const int level = draw.between(least - 8, emin + 4);
  const Significand kind = draw.coin() ? Significand::any : Significand::sparse;
  const auto number = [&](int middle, int spread) {
    return [&draw, kind, middle, spread, least](std::int64_t, std::int64_t) {
      return draw_number<T>(draw, kind, std::max(middle + draw.between(-spread, spread), least));
    };
  };
  const int spread = draw.coin() ? 2 : 30;
  fill_matrix(e.a, number(level / 2 + split, spread));
  fill_matrix(e.b, number(level - level / 2 - split, spread));
  fill_matrix(e.c, number(level, 4));
  if (draw.one_in(3)) cancel_pairs<T>(draw, e, 3);
}

/// Exponents within ±500 everywhere.
template <FloatingPoint T>
void fill_wide(Draw& draw, GemmEntries& e) {
  fill_all(e, [&] { return draw_number<T>(draw, Significand::any, draw.between(-in<T>(500), in<T>(500))); });
}

/// (AD)(D⁻¹B) with D = 2^±500 by inner index.
template <FloatingPoint T>
void fill_scaled_inner(Draw& draw, GemmEntries& e) {
  const auto inner = draw_exponents(draw, e.a.columns, -in<T>(500), in<T>(500));
  const auto rows = draw_exponents(draw, e.a.rows, -20, 20);
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t l) {
    return draw_number<T>(draw, Significand::any, of(inner, l) + of(rows, i));
  });
  fill_matrix(e.b, [&](std::int64_t l, std::int64_t) {
    return draw_number<T>(draw, Significand::any, draw.between(-3, 3) - of(inner, l));
  });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return rounded_to<T>(draw_spread(draw, 1)); });
}

/// Integers of up to 12 bits: nothing rounds, except to ties of small results.
template <FloatingPoint T>
void fill_integers(Draw& draw, GemmEntries& e) {
  const int bits = draw.between(1, 12);
  fill_all(e, [&] {
    return compose<T>({.exponent = 0, .significand = draw.word() >> (64 - bits), .negative = draw.coin()});
  });
}

/// Products that cancel pairwise up to a few places of one factor.
template <FloatingPoint T>
void fill_cancelling(Draw& draw, GemmEntries& e) {
  fill_all(e, [&] { return draw_number<T>(draw, Significand::any, draw.between(-8, 8)); });
  cancel_pairs<T>(draw, e, 2);
}

/// α = ±2^e, β = ±1, and C the number nearest to the value that cancels the product, or one place off.
template <FloatingPoint T>
void fill_cancelling_start(Draw& draw, GemmEntries& e) {
  e.alpha = compose<T>({.exponent = draw.coin() ? 0 : draw.between(-9, 9), .significand = 1, .negative = draw.coin()});
  e.beta = draw.coin() ? 1 : -1;
  fill_all(e, [&] { return draw_number<T>(draw, Significand::any, draw.between(-12, 12)); });
  const oracle::IntegerProduct product(e.a.view(), e.b.view());
  const auto nearest = product.rounded(e.beta > 0 ? -e.alpha : e.alpha, 0, e.c.view());
  std::transform(nearest.begin(), nearest.end(), e.c.all.begin(), [&](std::uint64_t bits) {
    const double x = rounded_to<T>(number_of<double>(bits));
    return draw.coin() ? x : moved<T>(x, draw.between(-1, 1));
  });
}

/// Zero rows of A against zero columns of B, or inner indices that belong to the even lines or the odd ones: entries of
/// the product are exactly 0 next to others, over many binades.
template <FloatingPoint T>
void fill_complementary(Draw& draw, GemmEntries& e) {
  const bool inner = draw.coin();
  const int spread = draw.between(1, in<T>(60));
  const auto number = [&](bool zero) {
    const T x = draw_number<T>(draw, Significand::any, draw.between(-spread, spread));
    return zero ? T{} : x;
  };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t l) { return number(inner ? (i + l) % 2 != 0 : i % 2 != 0); });
  fill_matrix(e.b, [&](std::int64_t l, std::int64_t j) { return number(inner ? (l + j) % 2 != 0 : j % 2 == 0); });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return number(draw.coin()); });
}

/// Circulants of xD and of D⁻¹x′: diagonal entries of A·B are x·x′, well conditioned, while rows span the range of D.
template <FloatingPoint T>
void fill_circulants(Draw& draw, GemmEntries& e) {
  const std::int64_t k = e.a.columns;
  const int range = draw.coin() ? in<T>(400) : 40;
  std::vector<double> x;
  std::vector<double> y;
  for (std::int64_t l = 0; l < k; ++l) {
    const int d = k < 2 ? 0 : static_cast<int>(2 * range * l / (k - 1)) - range;
    x.push_back(draw_number<T>(draw, Significand::dense, d, false));
    y.push_back(draw_number<T>(draw, Significand::dense, -d, false));
  }
  const auto turned = [k](std::int64_t l, std::int64_t by) { return static_cast<std::size_t>((l - by % k + k) % k); };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t l) { return x[turned(l, i)]; });
  fill_matrix(e.b, [&](std::int64_t l, std::int64_t j) { return y[turned(l, j)]; });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return rounded_to<T>(draw_spread(draw, 1)); });
}

/// Rows of A, columns of B and single entries are zero, sometimes all of a matrix.
template <FloatingPoint T>
void fill_zero_entries(Draw& draw, GemmEntries& e) {
  const std::uint64_t rows = draw.one_in(12) ? ~std::uint64_t{0} : draw.word();
  const std::uint64_t columns = draw.one_in(12) ? ~std::uint64_t{0} : draw.word() & draw.word();
  const auto number = [&](std::uint64_t zeros, std::int64_t line) {
    const double x = draw_number<T>(draw, Significand::any, draw.between(-4, 4));
    if ((zeros >> (line % 64) & 1) != 0) return draw.coin() ? 0.0 : -0.0;
    return draw.one_in(8) ? 0.0 : x;
  };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t) { return number(rows, i); });
  fill_matrix(e.b, [&](std::int64_t, std::int64_t j) { return number(columns, j); });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return number(0, 0); });
}

template <FloatingPoint T>
double scalar_of(Draw& draw, std::uint64_t zeros) {
  const std::uint64_t kind = draw.below(16);
  if (kind < zeros) return draw.one_in(4) ? -0.0 : 0.0;
  switch (draw.below(8)) {
    case 0:
      return -1;
    case 1:
      return compose<T>({.exponent = draw.between(-12, 12), .significand = 1, .negative = draw.coin()});
    case 2:
    case 3:
    case 4:
      return draw_number<T>(draw, Significand::any, draw.between(-8, 8));
    default:
      return 1;
  }
}

template <FloatingPoint T>
const std::vector<GemmClass>& classes_of() {
  using enum GemmScalars;
  constexpr bool single = FloatTraits<T>::precision == 24;
  static const std::vector<GemmClass> all{
      {"(rand - 1/2)exp(phi randn), phi = 0", 3, any, fill_spread<T, 0>},
      {"(rand - 1/2)exp(phi randn), phi = 0.5", 1, any, fill_spread<T, 5>},
      {"(rand - 1/2)exp(phi randn), phi = 1", 2, any, fill_spread<T, 10>},
      {"(rand - 1/2)exp(phi randn), phi = 2", 1, any, fill_spread<T, 20>},
      {"(rand - 1/2)exp(phi randn), phi = 4", 2, any, fill_spread<T, 40>},
      {"(rand - 1/2)exp(phi randn), phi = 8", 1, any, fill_spread<T, 80>},
      {"one sign, [1/2, 1)", 3, any, fill_one_sign<T>},
      {"maximal significands", 2, any, fill_maximal<T>},
      {"scaled rows and columns", 2, any, fill_scaled_lines<T>},
      {"zero rows and columns", 2, any, fill_zero_entries<T>},
      {"largest magnitudes negative", 2, any, fill_negative_dominant<T>},
      {"subnormal blocks", 2, any, fill_subnormal_blocks<T>},
      {"ties", 2, exact, fill_ties<T>},
      {"ties ± tiny, hidden by cancellation", 3, exact, fill_beside_ties<T>},
      {"just below powers of two", 2, exact, fill_below_powers<T>},
      {"ties of subnormal results", 2, exact, fill_subnormal_ties<T>},
      {"products that overflow", 2, own, fill_overflowing<T>},
      {"subnormal results", 2, any, fill_underflowing<T>},
      {single ? "exponents within ±62" : "exponents within ±500", 1, any, fill_wide<T>},
      {single ? "inner indices scaled by 2^±62" : "inner indices scaled by 2^±500", 1, any, fill_scaled_inner<T>},
      {"small integers", 1, any, fill_integers<T>},
      {"cancellation", 2, any, fill_cancelling<T>},
      {"the start cancels the product", 2, own, fill_cancelling_start<T>},
      {"complementary zeros", 1, any, fill_complementary<T>},
      {"circulants of opposite scales", 1, any, fill_circulants<T>},
  };
  return all;
}

}  // namespace

const std::vector<GemmClass>& gemm_classes(bool single) { return single ? classes_of<float>() : classes_of<double>(); }

void draw_gemm_spread(Draw& draw, GemmEntries& e, double phi) {
  fill_all(e, [&] { return draw_spread(draw, phi); });
}

void detail::fill_zero_lines(Draw& draw, GemmEntries& e) {
  e.single ? fill_zero_entries<float>(draw, e) : fill_zero_entries<double>(draw, e);
}

double detail::draw_scalar(Draw& draw, std::uint64_t zeros, bool single) {
  return single ? scalar_of<float>(draw, zeros) : scalar_of<double>(draw, zeros);
}

void draw_gemm_entries(Draw& draw, const GemmClass& of_class, GemmEntries& e) {
  switch (of_class.scalars) {
    case GemmScalars::any:
      e.alpha = detail::draw_scalar(draw, 1, e.single);
      e.beta = detail::draw_scalar(draw, 6, e.single);
      break;
    case GemmScalars::exact:
      e.alpha =
          draw.coin()
              ? 1
              : compose<double>(
                    {.exponent = draw.coin() ? 0 : draw.between(-8, 8), .significand = 1, .negative = draw.coin()});
      e.beta = draw.one_in(4) ? 1 : 0;
      break;
    case GemmScalars::own:
      break;
  }
  of_class.fill(draw, e);
}

}  // namespace assay::gemm
