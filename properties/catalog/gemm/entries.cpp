#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "properties/catalog/gemm/cases.hpp"
#include "properties/catalog/gemm/matrices.hpp"
#include "properties/framework/generators.hpp"

namespace assay::gemm {

namespace {

constexpr int p53 = 53;

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

/// (rand − 1/2)·exp(φ·randn), randn as a sum of 12 uniform numbers and 2^f as 1 + f between the powers of two: the same
/// numbers on every machine. On the grid 2⁻⁵³ for φ = 0.
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

template <int tenths>
void fill_spread(Draw& draw, GemmEntries& e) {
  draw_gemm_spread(draw, e, tenths / 10.0);
}

/// Numbers of [1/2, 1), all bits random.
void fill_one_sign(Draw& draw, GemmEntries& e) {
  fill_all(e, [&] { return draw_number<double>(draw, Significand::dense, -1, false); });
}

/// Significands of ones, one exponent a line and signs by line: the largest sums of slices and residues.
void fill_maximal(Draw& draw, GemmEntries& e) {
  const bool signs = draw.coin();
  const auto rows = draw_exponents(draw, e.a.rows, -1, 1);
  const auto columns = draw_exponents(draw, e.b.columns, -1, 1);
  const int below = draw.one_in(3) ? draw.between(1, 8) : 0;
  const auto number = [&](int exponent, bool negative) {
    const std::uint64_t ones = (std::uint64_t{1} << p53) - 1;
    return compose<double>(negative, below == 0 ? ones : ones - draw.below(std::uint64_t{1} << below),
                           exponent - p53 + 1);
  };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t) { return number(of(rows, i), signs && i % 2 != 0); });
  fill_matrix(e.b, [&](std::int64_t, std::int64_t j) { return number(of(columns, j), signs && j % 3 == 0); });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return number(0, draw.coin()); });
}

/// Rows of A and columns of B at exponents of their own.
void fill_scaled_lines(Draw& draw, GemmEntries& e) {
  const auto rows = draw_exponents(draw, e.a.rows, -300, 300);
  const auto columns = draw_exponents(draw, e.b.columns, -300, 300);
  const auto number = [&](int exponent) {
    return draw_number<double>(draw, Significand::any, exponent + draw.between(-3, 3));
  };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t) { return number(of(rows, i)); });
  fill_matrix(e.b, [&](std::int64_t, std::int64_t j) { return number(of(columns, j)); });
  fill_matrix(e.c, [&](std::int64_t i, std::int64_t j) { return number(of(rows, i) + of(columns, j)); });
}

/// The largest magnitude of every row of A and column of B is that of a negative number, by up to 60 binades; the
/// others are positive, or all are negative.
void fill_negative_dominant(Draw& draw, GemmEntries& e) {
  const int above = draw.one_in(4) ? draw.between(8, 60) : draw.between(1, 4);
  const bool all_negative = draw.one_in(4);
  const auto number = [&](std::int64_t at, std::int64_t leader) {
    const bool leads = at == leader;
    return draw_number<double>(draw, Significand::dense, leads ? above - 1 : -1, leads || all_negative);
  };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t l) { return number(l, i * 5 % e.a.columns); });
  fill_matrix(e.b, [&](std::int64_t l, std::int64_t j) { return number(l, j * 3 % e.b.rows); });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return -draw_spread(draw, 1); });
}

/// Blocks of A, or of B, subnormal or among the smallest normal numbers; the other factor large enough that the
/// products matter, or not.
void fill_subnormal_blocks(Draw& draw, GemmEntries& e) {
  const bool in_a = draw.coin();
  const std::int64_t block = 1 + static_cast<std::int64_t>(draw.below(4));
  const bool throughout = draw.one_in(3);
  const int lift = draw.coin() ? 1000 : draw.between(0, 900);
  const auto small = [&](std::int64_t i, std::int64_t j) {
    const int exponent =
        throughout || (i / block + j / block) % 2 == 0 ? draw.between(-1074, -1021) : draw.between(-1021, -960);
    return draw_number<double>(draw, Significand::any, exponent);
  };
  const auto large = [&](std::int64_t, std::int64_t) {
    return draw_number<double>(draw, Significand::any, lift + draw.between(-8, 8));
  };
  if (in_a) {
    fill_matrix(e.a, small);
    fill_matrix(e.b, large);
  } else {
    fill_matrix(e.a, large);
    fill_matrix(e.b, small);
  }
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) {
    return draw_number<double>(draw, Significand::any, std::max(-1074, lift + draw.between(-1080, -1000)));
  });
}

/// Leading terms of an entry: the products of its first inner indices.
enum class Lead { tie, below_power, subnormal_tie };

/// Entries that the leading terms place exactly where a rounding turns; with `tiny`, another product, up to a thousand
/// binades below, beside that place; and, where k allows, pairs of large products that cancel. Inner indices in random
/// order.
void fill_turning(Draw& draw, GemmEntries& e, Lead lead, bool tiny) {
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

  // The leading bits: 2^(ea + eb) or, of a tie, of 54 bits, 2^(ea + eb + 1).
  const bool far = draw.one_in(4);
  const bool top = lead == Lead::below_power && draw.one_in(8);  // beside the largest finite number
  auto rows = draw_exponents(draw, e.a.rows, far ? -200 : -10, far ? 200 : 10);
  auto columns = draw_exponents(draw, e.b.columns, far ? -200 : -10, far ? 200 : 10);
  if (top || lead == Lead::subnormal_tie) {
    const int split = draw.between(-30, 30);
    std::fill(rows.begin(), rows.end(), (top ? 512 : -538) + split);
    std::fill(columns.begin(), columns.end(), (top ? 512 : -537) - split);
  }
  const std::uint64_t signs = draw.coin() ? 0 : draw.word();
  const auto negative = [&](std::int64_t i) { return (signs >> (i % 64) & 1) != 0; };
  const std::int64_t first = take();
  const int length = lead == Lead::subnormal_tie ? 1 + static_cast<int>(draw.below(9)) : draw.between(2, p53 - 1);
  const auto odd = [&](int bits) {
    return bits == 1 ? std::uint64_t{1} : ((std::uint64_t{3} << 62) | draw.word()) >> (64 - bits) | 1;
  };
  for (std::int64_t i = 0; i < e.a.rows; ++i) {
    e.a.at(i, first) = lead == Lead::below_power ? compose<double>(negative(i), 1, of(rows, i))
                       : lead == Lead::tie       ? compose<double>(negative(i), odd(length), of(rows, i) - length + 1)
                                                 : compose<double>(negative(i), odd(length), of(rows, i));
  }
  for (std::int64_t j = 0; j < e.b.columns; ++j) {
    e.b.at(first, j) = lead == Lead::below_power ? compose<double>(false, 1, of(columns, j))
                       : lead == Lead::tie
                           ? compose<double>(false, odd(p53 + 1 - length), of(columns, j) - (p53 - length))
                           : compose<double>(false, odd(1 + static_cast<int>(draw.below(9))), of(columns, j));
  }
  if (lead == Lead::below_power && k >= 2) {
    // 2^E·(1 − w·2⁻⁵⁴): w = 1 is the midpoint below the power of two, odd w are the next ones.
    static constexpr std::array<std::uint64_t, 6> widths{1, 1, 1, 3, 2, 5};
    const std::int64_t second = take();
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      e.a.at(i, second) = compose<double>(!negative(i), widths[draw.below(widths.size())], of(rows, i) - 54);
    }
    for (std::int64_t j = 0; j < e.b.columns; ++j) e.b.at(second, j) = compose<double>(false, 1, of(columns, j));
  }
  if (tiny && used < order.size()) {
    const std::int64_t last = take();
    const int gap = draw.coin() ? draw.between(58, 70) : draw.between(58, e.widest_gap);
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      e.a.at(i, last) = compose<double>({.exponent = std::max(of(rows, i) - gap - draw.between(0, 20), -1074),
                                         .significand = 1,
                                         .negative = draw.coin()});
    }
    for (std::int64_t j = 0; j < e.b.columns; ++j) {
      e.b.at(last, j) = compose<double>(false, 1, std::max(of(columns, j) - draw.between(0, gap), -1074));
    }
  }
  while (used + 2 <= order.size()) {
    const std::int64_t one = take();
    const std::int64_t other = take();
    if (draw.one_in(8)) continue;
    const int above = draw.between(-20, 60);
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      e.a.at(i, one) = draw_number<double>(draw, Significand::any, of(rows, i) + above);
      e.a.at(i, other) = negated(e.a.at(i, one));
    }
    for (std::int64_t j = 0; j < e.b.columns; ++j) {
      e.b.at(one, j) = e.b.at(other, j) = draw_number<double>(draw, Significand::any, of(columns, j));
    }
  }
}
void fill_ties(Draw& draw, GemmEntries& e) { fill_turning(draw, e, Lead::tie, false); }
void fill_beside_ties(Draw& draw, GemmEntries& e) { fill_turning(draw, e, Lead::tie, true); }
void fill_below_powers(Draw& draw, GemmEntries& e) { fill_turning(draw, e, Lead::below_power, draw.coin()); }
void fill_subnormal_ties(Draw& draw, GemmEntries& e) { fill_turning(draw, e, Lead::subnormal_tie, draw.coin()); }

/// The second of every two inner indices repeats the first with the other sign.
void cancel_pairs(Draw& draw, GemmEntries& e, int most_places) {
  for (std::int64_t l = 0; l + 1 < e.a.columns; l += 2) {
    for (std::int64_t i = 0; i < e.a.rows; ++i) {
      const double other = negated(e.a.at(i, l));
      e.a.at(i, l + 1) =
          most_places == 0 || draw.coin() ? other : stepped(other, draw.between(-most_places, most_places));
    }
    for (std::int64_t j = 0; j < e.b.columns; ++j) e.b.at(l + 1, j) = e.b.at(l, j);
  }
}

/// Products beyond the largest finite number, some of which cancel, or are scaled down by α.
void fill_overflowing(Draw& draw, GemmEntries& e) {
  e.alpha =
      draw.coin() ? 1 : compose<double>({.exponent = draw.between(-70, -1), .significand = 1, .negative = draw.coin()});
  e.beta = draw.coin() ? 0 : draw_number<double>(draw, Significand::any, draw.between(-4, 4));
  const auto number = [&](int middle) {
    return [&draw, middle](std::int64_t, std::int64_t) {
      return draw_number<double>(draw, Significand::any, std::min(middle + draw.between(-6, 4), 1023));
    };
  };
  const int split = draw.between(-400, 400);
  fill_matrix(e.a, number(512 + split));
  fill_matrix(e.b, number(512 - split));
  fill_matrix(e.c, number(1016));
  if (draw.coin()) cancel_pairs(draw, e, draw.coin() ? 0 : 3);
}

/// Sums around and below the smallest normal number, of products that are far below it or not.
void fill_underflowing(Draw& draw, GemmEntries& e) {
  const int split = draw.between(-400, 400);
  const int level = draw.between(-1082, -1018);
  const Significand kind = draw.coin() ? Significand::any : Significand::sparse;
  const auto number = [&](int middle, int spread) {
    return [&draw, kind, middle, spread](std::int64_t, std::int64_t) {
      return draw_number<double>(draw, kind, std::max(middle + draw.between(-spread, spread), -1074));
    };
  };
  const int spread = draw.coin() ? 2 : 30;
  fill_matrix(e.a, number(level / 2 + split, spread));
  fill_matrix(e.b, number(level - level / 2 - split, spread));
  fill_matrix(e.c, number(level, 4));
  if (draw.one_in(3)) cancel_pairs(draw, e, 3);
}

/// Exponents within ±500 everywhere.
void fill_wide(Draw& draw, GemmEntries& e) {
  fill_all(e, [&] { return draw_number<double>(draw, Significand::any, draw.between(-500, 500)); });
}

/// (AD)(D⁻¹B) with D = 2^±500 by inner index.
void fill_scaled_inner(Draw& draw, GemmEntries& e) {
  const auto inner = draw_exponents(draw, e.a.columns, -500, 500);
  const auto rows = draw_exponents(draw, e.a.rows, -20, 20);
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t l) {
    return draw_number<double>(draw, Significand::any, of(inner, l) + of(rows, i));
  });
  fill_matrix(e.b, [&](std::int64_t l, std::int64_t) {
    return draw_number<double>(draw, Significand::any, draw.between(-3, 3) - of(inner, l));
  });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return draw_spread(draw, 1); });
}

/// Integers of up to 12 bits: nothing rounds, ties of small results.
void fill_integers(Draw& draw, GemmEntries& e) {
  const int bits = draw.between(1, 12);
  fill_all(e, [&] {
    return compose<double>({.exponent = 0, .significand = draw.word() >> (64 - bits), .negative = draw.coin()});
  });
}

/// Products that cancel pairwise up to a few places of one factor.
void fill_cancelling(Draw& draw, GemmEntries& e) {
  fill_all(e, [&] { return draw_number<double>(draw, Significand::any, draw.between(-8, 8)); });
  cancel_pairs(draw, e, 2);
}

/// α = ±2^e, β = ±1, and C the nearest to what cancels the product, or a place off.
void fill_cancelling_start(Draw& draw, GemmEntries& e) {
  e.alpha =
      compose<double>({.exponent = draw.coin() ? 0 : draw.between(-9, 9), .significand = 1, .negative = draw.coin()});
  e.beta = draw.coin() ? 1 : -1;
  fill_all(e, [&] { return draw_number<double>(draw, Significand::any, draw.between(-12, 12)); });
  const oracle::IntegerProduct product(e.a.view(), e.b.view());
  const auto nearest = product.rounded(e.beta > 0 ? -e.alpha : e.alpha, 0, e.c.view());
  std::transform(nearest.begin(), nearest.end(), e.c.all.begin(), [&](std::uint64_t bits) {
    const double x = number_of<double>(bits);
    return draw.coin() ? x : stepped(x, draw.between(-1, 1));
  });
}

/// Zero rows of A against zero columns of B, or inner indices that belong to the even lines or the odd ones: entries of
/// the product that are exactly 0 beside others, over many binades.
void fill_complementary(Draw& draw, GemmEntries& e) {
  const bool inner = draw.coin();
  const int spread = draw.between(1, 60);
  const auto number = [&](bool zero) {
    const double x = draw_number<double>(draw, Significand::any, draw.between(-spread, spread));
    return zero ? 0.0 : x;
  };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t l) { return number(inner ? (i + l) % 2 != 0 : i % 2 != 0); });
  fill_matrix(e.b, [&](std::int64_t l, std::int64_t j) { return number(inner ? (l + j) % 2 != 0 : j % 2 == 0); });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return number(draw.coin()); });
}

/// Circulants of xD and of D⁻¹x′: diagonal entries of A·B are x·x′, well conditioned, while rows span the range of D.
void fill_circulants(Draw& draw, GemmEntries& e) {
  const std::int64_t k = e.a.columns;
  const int range = draw.coin() ? 400 : 40;
  std::vector<double> x;
  std::vector<double> y;
  for (std::int64_t l = 0; l < k; ++l) {
    const int d = k < 2 ? 0 : static_cast<int>(2 * range * l / (k - 1)) - range;
    x.push_back(draw_number<double>(draw, Significand::dense, d, false));
    y.push_back(draw_number<double>(draw, Significand::dense, -d, false));
  }
  const auto turned = [k](std::int64_t l, std::int64_t by) { return static_cast<std::size_t>((l - by % k + k) % k); };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t l) { return x[turned(l, i)]; });
  fill_matrix(e.b, [&](std::int64_t l, std::int64_t j) { return y[turned(l, j)]; });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return draw_spread(draw, 1); });
}

}  // namespace

const std::vector<GemmClass>& gemm_classes() {
  using enum GemmScalars;
  static const std::vector<GemmClass> all{
      {"(rand - 1/2)exp(phi randn), phi = 0", 3, any, fill_spread<0>},
      {"(rand - 1/2)exp(phi randn), phi = 0.5", 1, any, fill_spread<5>},
      {"(rand - 1/2)exp(phi randn), phi = 1", 2, any, fill_spread<10>},
      {"(rand - 1/2)exp(phi randn), phi = 2", 1, any, fill_spread<20>},
      {"(rand - 1/2)exp(phi randn), phi = 4", 2, any, fill_spread<40>},
      {"(rand - 1/2)exp(phi randn), phi = 8", 1, any, fill_spread<80>},
      {"one sign, [1/2, 1)", 3, any, fill_one_sign},
      {"maximal significands", 2, any, fill_maximal},
      {"scaled rows and columns", 2, any, fill_scaled_lines},
      {"zero rows and columns", 2, any, detail::fill_zero_lines},
      {"largest magnitudes negative", 2, any, fill_negative_dominant},
      {"subnormal blocks", 2, any, fill_subnormal_blocks},
      {"ties", 2, exact, fill_ties},
      {"ties ± tiny, hidden by cancellation", 3, exact, fill_beside_ties},
      {"just below powers of two", 2, exact, fill_below_powers},
      {"ties of subnormal results", 2, exact, fill_subnormal_ties},
      {"products that overflow", 2, own, fill_overflowing},
      {"subnormal results", 2, any, fill_underflowing},
      {"exponents within ±500", 1, any, fill_wide},
      {"inner indices scaled by 2^±500", 1, any, fill_scaled_inner},
      {"small integers", 1, any, fill_integers},
      {"cancellation", 2, any, fill_cancelling},
      {"the start cancels the product", 2, own, fill_cancelling_start},
      {"complementary zeros", 1, any, fill_complementary},
      {"circulants of opposite scales", 1, any, fill_circulants},
  };
  return all;
}

void draw_gemm_spread(Draw& draw, GemmEntries& e, double phi) {
  fill_all(e, [&] { return draw_spread(draw, phi); });
}

void detail::fill_zero_lines(Draw& draw, GemmEntries& e) {
  const std::uint64_t rows = draw.one_in(12) ? ~std::uint64_t{0} : draw.word();
  const std::uint64_t columns = draw.one_in(12) ? ~std::uint64_t{0} : draw.word() & draw.word();
  const auto number = [&](std::uint64_t zeros, std::int64_t line) {
    const double x = draw_number<double>(draw, Significand::any, draw.between(-4, 4));
    if ((zeros >> (line % 64) & 1) != 0) return draw.coin() ? 0.0 : -0.0;
    return draw.one_in(8) ? 0.0 : x;
  };
  fill_matrix(e.a, [&](std::int64_t i, std::int64_t) { return number(rows, i); });
  fill_matrix(e.b, [&](std::int64_t, std::int64_t j) { return number(columns, j); });
  fill_matrix(e.c, [&](std::int64_t, std::int64_t) { return number(0, 0); });
}

double detail::draw_scalar(Draw& draw, std::uint64_t zeros) {
  const std::uint64_t kind = draw.below(16);
  if (kind < zeros) return draw.one_in(4) ? -0.0 : 0.0;
  switch (draw.below(8)) {
    case 0:
      return -1;
    case 1:
      return compose<double>({.exponent = draw.between(-12, 12), .significand = 1, .negative = draw.coin()});
    case 2:
    case 3:
    case 4:
      return draw_number<double>(draw, Significand::any, draw.between(-8, 8));
    default:
      return 1;
  }
}

void draw_gemm_entries(Draw& draw, const GemmClass& of_class, GemmEntries& e) {
  switch (of_class.scalars) {
    case GemmScalars::any:
      e.alpha = detail::draw_scalar(draw, 1);
      e.beta = detail::draw_scalar(draw, 6);
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
