#include "properties/catalog/gemm/cases.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "properties/framework/generators.hpp"

namespace assay::gemm {

namespace {

using oracle::Dyadic;
using oracle::MatrixView;

constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

bool finite(double x) { return oracle::is_finite(oracle::binary64, bits_of(x)); }

MatrixView stored(const std::vector<double>& array, std::int64_t offset, std::int64_t rows, std::int64_t columns,
                  std::int64_t leading, bool transposed) {
  return {array.data() + offset, rows, columns, transposed ? leading : 1, transposed ? 1 : leading};
}

/// The entries of a matrix, with 0 for those that are not finite.
GemmMatrix copy_of(const MatrixView& x) {
  GemmMatrix copy(x.rows, x.columns);
  for (std::int64_t j = 0; j < x.columns; ++j) {
    for (std::int64_t i = 0; i < x.rows; ++i) copy.at(i, j) = x.at(i, j);
  }
  return copy;
}
GemmMatrix finite_copy_of(const MatrixView& x) {
  GemmMatrix copy = copy_of(x);
  for (double& each : copy.all) each = finite(each) ? each : 0;
  return copy;
}

}  // namespace

MatrixView op_a(const GemmCase& c, std::int64_t p) {
  return stored(c.a, p * c.stride_a, c.m, c.k, c.lda, c.trans_a != 0);
}
MatrixView op_b(const GemmCase& c, std::int64_t p) {
  return stored(c.b, p * c.stride_b, c.k, c.n, c.ldb, c.trans_b != 0);
}
MatrixView start_of(const GemmCase& c, std::int64_t p) { return stored(c.c, p * c.stride_c, c.m, c.n, c.ldc, false); }

// ------------------------------------------------------------------------------------------------------- the truth

namespace {

/// What x·y is in extended arithmetic: NaN, ±∞, 0 or, for any other finite number, ±1.
double extended_product(double x, double y) {
  if (std::isnan(x) || std::isnan(y) || (std::isinf(x) && y == 0) || (x == 0 && std::isinf(y))) return quiet_nan;
  if (x == 0 || y == 0) return 0;
  return std::copysign(std::isinf(x) || std::isinf(y) ? infinity : 1.0,
                       std::signbit(x) != std::signbit(y) ? -1.0 : 1.0);
}

/// What the terms of a sum come to in extended arithmetic.
class ExtendedSum {
 public:
  void add(double term) {
    nan_ = nan_ || std::isnan(term);
    if (std::isinf(term)) (term < 0 ? minus_ : plus_) = true;
  }
  [[nodiscard]] GemmEntry kind() const {
    if (nan_ || (plus_ && minus_)) return GemmEntry::nan;
    return plus_ ? GemmEntry::plus_infinity : minus_ ? GemmEntry::minus_infinity : GemmEntry::finite;
  }

 private:
  bool nan_ = false, plus_ = false, minus_ = false;
};

/// By row, or by column, whether a number is not finite.
std::vector<bool> exceptional_lines(const MatrixView& x, bool rows) {
  std::vector<bool> found(static_cast<std::size_t>(rows ? x.rows : x.columns));
  for (std::int64_t j = 0; j < x.columns; ++j) {
    for (std::int64_t i = 0; i < x.rows; ++i) {
      if (!finite(x.at(i, j))) found[static_cast<std::size_t>(rows ? i : j)] = true;
    }
  }
  return found;
}

}  // namespace

std::vector<GemmEntry> kinds_of_entries(const GemmCase& c) {
  std::vector<GemmEntry> kinds(c.c.size(), GemmEntry::finite);
  for (std::int64_t p = 0; p < c.batch; ++p) {
    const MatrixView a = op_a(c, p);
    const MatrixView b = op_b(c, p);
    const MatrixView start = start_of(c, p);
    std::vector<bool> rows(static_cast<std::size_t>(c.m), c.reads_ab() && !finite(c.alpha));
    std::vector<bool> columns(static_cast<std::size_t>(c.n));
    if (c.reads_ab() && finite(c.alpha)) {
      rows = exceptional_lines(a, true);
      columns = exceptional_lines(b, false);
    }
    for (std::int64_t j = 0; j < c.n; ++j) {
      for (std::int64_t i = 0; i < c.m; ++i) {
        ExtendedSum sum;
        if (rows[static_cast<std::size_t>(i)] || columns[static_cast<std::size_t>(j)]) {
          for (std::int64_t l = 0; l < c.k; ++l) {
            sum.add(extended_product(c.alpha, extended_product(a.at(i, l), b.at(l, j))));
          }
        }
        if (c.reads_c()) sum.add(extended_product(c.beta, start.at(i, j)));
        kinds[c.c_at(p, i, j)] = sum.kind();
      }
    }
  }
  return kinds;
}

namespace {

std::vector<Dyadic> exact_entries(const GemmCase& c, oracle::IntegerProduct::Of of) {
  std::vector<Dyadic> truth(c.c.size());
  const bool magnitudes = of == oracle::IntegerProduct::Of::magnitudes;
  const auto scalar = [&](double x) {
    const Dyadic value = finite(x) ? value_of(x) : Dyadic();
    return magnitudes ? abs(value) : value;
  };
  const Dyadic alpha = scalar(c.alpha);
  const Dyadic beta = scalar(c.beta);
  for (std::int64_t p = 0; p < c.batch; ++p) {
    if (c.reads_ab()) {
      const GemmMatrix a = finite_copy_of(op_a(c, p));
      const GemmMatrix b = finite_copy_of(op_b(c, p));
      const oracle::IntegerProduct product(a.view(), b.view(), of);
      for (std::int64_t j = 0; j < c.n; ++j) {
        for (std::int64_t i = 0; i < c.m; ++i) truth[c.c_at(p, i, j)].set_product(alpha, product.value(i, j));
      }
    }
    if (c.reads_c()) {
      const MatrixView start = start_of(c, p);
      for (std::int64_t j = 0; j < c.n; ++j) {
        for (std::int64_t i = 0; i < c.m; ++i) truth[c.c_at(p, i, j)].add_mul(beta, scalar(start.at(i, j)));
      }
    }
  }
  const std::vector<GemmEntry> kinds = kinds_of_entries(c);
  for (std::size_t at = 0; at < truth.size(); ++at) {
    if (kinds[at] != GemmEntry::finite) truth[at] = Dyadic();
  }
  return truth;
}

}  // namespace

std::vector<Dyadic> exact_gemm(const GemmCase& c) { return exact_entries(c, oracle::IntegerProduct::Of::values); }
std::vector<Dyadic> exact_gemm_magnitudes(const GemmCase& c) {
  return exact_entries(c, oracle::IntegerProduct::Of::magnitudes);
}

namespace {

/// The exponent of D at an index.
int line_exponent(std::int64_t index) { return static_cast<int>(index * 7 % 9) - 4; }

/// x·2^e. Requires: x = 0, not finite, or both x and x·2^e normal (not checked).
double times_power(double x, int e) {
  return x == 0 || !finite(x) ? x : number_of<double>(bits_of(x) + (static_cast<std::uint64_t>(e) << 52));
}

/// f(value, i, j) for every entry of a stored matrix of op(X) = rows × columns, in place.
template <class F>
void for_each_stored(std::vector<double>& array, const MatrixView& op, const double* base, F&& f) {
  for (std::int64_t j = 0; j < op.columns; ++j) {
    for (std::int64_t i = 0; i < op.rows; ++i) {
      f(array[static_cast<std::size_t>(op.data - base + i * op.row_step + j * op.column_step)], i, j);
    }
  }
}

}  // namespace

ScaledGemm with_scaled_lines(const GemmCase& c) {
  ScaledGemm result{c, std::vector<int>(c.c.size())};
  // Products of a batch may share a factor: it is scaled once.
  for (std::int64_t p = 0; p < c.batch; ++p) {
    if (c.reads_ab() && (p == 0 || c.stride_a != 0)) {
      for_each_stored(result.scaled.a, op_a(c, p), c.a.data(), [](double& x, std::int64_t i, std::int64_t l) {
        x = times_power(x, line_exponent(i) - line_exponent(l + 5));
      });
    }
    if (c.reads_ab() && (p == 0 || c.stride_b != 0)) {
      for_each_stored(result.scaled.b, op_b(c, p), c.b.data(), [](double& x, std::int64_t l, std::int64_t j) {
        x = times_power(x, line_exponent(l + 5) + line_exponent(j + 2));
      });
    }
    if (c.reads_c()) {
      for_each_stored(result.scaled.c, start_of(c, p), c.c.data(), [](double& x, std::int64_t i, std::int64_t j) {
        x = times_power(x, line_exponent(i) + line_exponent(j + 2));
      });
    }
  }
  for_each_entry(c, [&](std::int64_t, std::int64_t i, std::int64_t j, std::size_t place) {
    result.exponents[place] = line_exponent(i) + line_exponent(j + 2);
  });
  return result;
}

bool scales_exactly(const GemmCase& c, const std::vector<Dyadic>& truth) {
  constexpr Box box{-1000, 999};
  const auto inside = [&](const MatrixView& x) {
    for (std::int64_t j = 0; j < x.columns; ++j) {
      for (std::int64_t i = 0; i < x.rows; ++i) {
        if (!in_box(x.at(i, j), box)) return false;
      }
    }
    return true;
  };
  for (std::int64_t p = 0; p < c.batch; ++p) {
    if (c.reads_ab() && (!inside(op_a(c, p)) || !inside(op_b(c, p)))) return false;
    if (c.reads_c() && !inside(start_of(c, p))) return false;
  }
  return std::all_of(truth.begin(), truth.end(), [&](const Dyadic& each) {
    return each.is_zero() || (each.exponent() >= box.low && each.exponent() <= box.high);
  });
}

// ------------------------------------------------------------------------------------------------------ the entries

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
  fill_all(e, [&] { return draw_spread(draw, tenths / 10.0); });
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

/// Rows of A, columns of B and single entries are zero, sometimes all of a matrix.
void fill_zero_lines(Draw& draw, GemmEntries& e) {
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
      e.a.at(i, last) = compose<double>(draw.coin(), 1, std::max(of(rows, i) - gap - draw.between(0, 20), -1074));
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
  e.alpha = draw.coin() ? 1 : compose<double>(draw.coin(), 1, draw.between(-70, -1));
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
  fill_all(e, [&] { return compose<double>(draw.coin(), draw.word() >> (64 - bits), 0); });
}

/// Products that cancel pairwise up to a few places of one factor.
void fill_cancelling(Draw& draw, GemmEntries& e) {
  fill_all(e, [&] { return draw_number<double>(draw, Significand::any, draw.between(-8, 8)); });
  cancel_pairs(draw, e, 2);
}

/// α = ±2^e, β = ±1, and C the nearest to what cancels the product, or a place off.
void fill_cancelling_start(Draw& draw, GemmEntries& e) {
  e.alpha = compose<double>(draw.coin(), 1, draw.coin() ? 0 : draw.between(-9, 9));
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
      {"zero rows and columns", 2, any, fill_zero_lines},
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

namespace {

/// 0, ±1, ±2^e or any number, 1 the most often; 0 as often as `zeros` of 16 say.
double draw_scalar(Draw& draw, std::uint64_t zeros) {
  const std::uint64_t kind = draw.below(16);
  if (kind < zeros) return draw.one_in(4) ? -0.0 : 0.0;
  switch (draw.below(8)) {
    case 0:
      return -1;
    case 1:
      return compose<double>(draw.coin(), 1, draw.between(-12, 12));
    case 2:
    case 3:
    case 4:
      return draw_number<double>(draw, Significand::any, draw.between(-8, 8));
    default:
      return 1;
  }
}

}  // namespace

void draw_gemm_entries(Draw& draw, const GemmClass& of_class, GemmEntries& e) {
  switch (of_class.scalars) {
    case GemmScalars::any:
      e.alpha = draw_scalar(draw, 1);
      e.beta = draw_scalar(draw, 6);
      break;
    case GemmScalars::exact:
      e.alpha = draw.coin() ? 1 : compose<double>(draw.coin(), 1, draw.coin() ? 0 : draw.between(-8, 8));
      e.beta = draw.one_in(4) ? 1 : 0;
      break;
    case GemmScalars::own:
      break;
  }
  of_class.fill(draw, e);
}

// ------------------------------------------------------------------------------------------------------ the layouts

namespace {

struct Layout {
  bool trans_a = false, trans_b = false;
  std::int64_t above_a = 0, above_b = 0, above_c = 0;     ///< leading dimension − rows
  std::int64_t behind_a = 0, behind_b = 0, behind_c = 0;  ///< stride − entries of a product
  bool share_a = false, share_b = false;                  ///< all products of the batch have this factor: stride 0
};

std::int64_t extent(std::int64_t rows, std::int64_t columns, std::int64_t leading) {
  return rows == 0 || columns == 0 ? 0 : (columns - 1) * leading + rows;
}
std::size_t array_size(std::int64_t extent_of_one, std::int64_t stride, std::int64_t batch) {
  return extent_of_one == 0 || batch == 0 ? 0 : static_cast<std::size_t>((batch - 1) * stride + extent_of_one);
}

struct Stored {
  std::int64_t rows, columns, leading, stride;
  [[nodiscard]] std::int64_t extent_of_one() const { return extent(rows, columns, leading); }
};
Stored stored_a(const GemmCase& c) {
  return c.trans_a != 0 ? Stored{c.k, c.m, c.lda, c.stride_a} : Stored{c.m, c.k, c.lda, c.stride_a};
}
Stored stored_b(const GemmCase& c) {
  return c.trans_b != 0 ? Stored{c.n, c.k, c.ldb, c.stride_b} : Stored{c.k, c.n, c.ldb, c.stride_b};
}
Stored stored_c(const GemmCase& c) { return {c.m, c.n, c.ldc, c.stride_c}; }

/// The array of the matrices, `filler()` in the gaps.
template <class Filler>
std::vector<double> array_of(const std::vector<GemmEntries>& products, GemmMatrix GemmEntries::*which, const Stored& in,
                             bool transposed, Filler&& filler) {
  const auto batch = static_cast<std::int64_t>(products.size());
  std::vector<double> array(array_size(in.extent_of_one(), in.stride, batch));
  for (double& each : array) each = filler();
  const bool shared = in.stride == 0;
  for (std::int64_t p = 0; p < (shared ? std::min<std::int64_t>(batch, 1) : batch); ++p) {
    const GemmMatrix& x = products[static_cast<std::size_t>(p)].*which;
    for (std::int64_t j = 0; j < x.columns; ++j) {
      for (std::int64_t i = 0; i < x.rows; ++i) {
        array[static_cast<std::size_t>(p * in.stride + (transposed ? j + i * in.leading : i + j * in.leading))] =
            x.at(i, j);
      }
    }
  }
  return array;
}

/// The case of those products, with the scalars of the first; a shared factor is that of the first, too.
/// Requires: at least one product, all of one shape (not checked).
template <class Filler, class KeptFiller>
GemmCase placed(const std::vector<GemmEntries>& products, const Layout& layout, Filler&& filler,
                KeptFiller&& kept_filler) {
  const GemmEntries& first = products.front();
  GemmCase c;
  c.trans_a = layout.trans_a ? 1 : 0;
  c.trans_b = layout.trans_b ? 1 : 0;
  c.m = first.a.rows;
  c.k = first.a.columns;
  c.n = first.b.columns;
  c.lda = std::max<std::int64_t>(1, layout.trans_a ? c.k : c.m) + layout.above_a;
  c.ldb = std::max<std::int64_t>(1, layout.trans_b ? c.n : c.k) + layout.above_b;
  c.ldc = std::max<std::int64_t>(1, c.m) + layout.above_c;
  c.batch = static_cast<std::int64_t>(products.size());
  if (c.batch > 1) {
    c.stride_a = layout.share_a ? 0 : stored_a(c).extent_of_one() + layout.behind_a;
    c.stride_b = layout.share_b ? 0 : stored_b(c).extent_of_one() + layout.behind_b;
    c.stride_c = stored_c(c).extent_of_one() + layout.behind_c;
  }
  c.alpha = first.alpha;
  c.beta = first.beta;
  c.a = array_of(products, &GemmEntries::a, stored_a(c), layout.trans_a, filler);
  c.b = array_of(products, &GemmEntries::b, stored_b(c), layout.trans_b, filler);
  c.c = array_of(products, &GemmEntries::c, stored_c(c), false, kept_filler);
  return c;
}

std::vector<GemmEntries> products_of(const GemmCase& c) {
  std::vector<GemmEntries> products;
  for (std::int64_t p = 0; p < c.batch; ++p) {
    GemmEntries& e = products.emplace_back();
    e.alpha = c.alpha;
    e.beta = c.beta;
    e.a = copy_of(op_a(c, p));
    e.b = copy_of(op_b(c, p));
    e.c = copy_of(start_of(c, p));
  }
  return products;
}

Layout layout_of(const GemmCase& c) {
  Layout layout{.trans_a = c.trans_a != 0,
                .trans_b = c.trans_b != 0,
                .above_a = c.lda - std::max<std::int64_t>(1, stored_a(c).rows),
                .above_b = c.ldb - std::max<std::int64_t>(1, stored_b(c).rows),
                .above_c = c.ldc - std::max<std::int64_t>(1, c.m)};
  if (c.batch > 1) {
    layout.share_a = c.stride_a == 0;
    layout.share_b = c.stride_b == 0;
    layout.behind_a = layout.share_a ? 0 : c.stride_a - stored_a(c).extent_of_one();
    layout.behind_b = layout.share_b ? 0 : c.stride_b - stored_b(c).extent_of_one();
    layout.behind_c = c.stride_c - stored_c(c).extent_of_one();
  }
  return layout;
}

}  // namespace

GemmCase laid_out(Draw& draw, const std::vector<GemmEntries>& products, const GemmDomain& domain) {
  Layout layout;
  if (domain.layouts) {
    const auto gap = [&]() -> std::int64_t { return draw.coin() ? 0 : static_cast<std::int64_t>(draw.below(4)); };
    layout = {draw.coin(), draw.coin(), gap(), gap(), gap(), gap(), gap(), gap(), draw.one_in(8), draw.one_in(8)};
  }
  const auto special = [&] { return draw.coin() ? quiet_nan : draw_special<double>(draw); };
  const auto number = [&] { return draw_number<double>(draw, Significand::any, draw.between(-4, 4)); };
  const bool poisons_factors = domain.poison && products.front().alpha == 0 && draw.coin();
  const bool poisons_start = domain.poison && products.front().beta == 0 && draw.coin();
  const double poison = draw.coin() ? quiet_nan : infinity;
  std::vector<GemmEntries> poisoned = products;
  for (GemmEntries& e : poisoned) {
    if (poisons_factors) {
      for (GemmMatrix* each : {&e.a, &e.b}) std::fill(each->all.begin(), each->all.end(), poison);
    }
    if (poisons_start) std::fill(e.c.all.begin(), e.c.all.end(), poison);
  }
  return placed(poisoned, layout, special, number);
}

// ------------------------------------------------------------------------------------------------------- the domain

namespace {

bool is_flag(int x) { return x == 0 || x == 1; }
bool is_dimension(std::int64_t x) { return x >= 0 && x <= gemm_longest_side; }

bool fits(const Stored& in, std::int64_t batch, const std::vector<double>& array, bool may_share) {
  const std::int64_t one = in.extent_of_one();
  const bool leading = in.leading >= std::max<std::int64_t>(1, in.rows) && in.leading <= gemm_longest_side + 8;
  const bool stride =
      batch <= 1 ? in.stride == 0 : (in.stride >= one && in.stride <= one + 8) || (may_share && in.stride == 0);
  return leading && stride && array.size() == array_size(one, in.stride, batch);
}

bool is_gemm_case(const GemmCase& c, const GemmDomain& domain) {
  if (!is_flag(c.trans_a) || !is_flag(c.trans_b) || !is_dimension(c.m) || !is_dimension(c.n) || !is_dimension(c.k) ||
      c.batch < 1 || c.batch > (domain.batches ? 4 : 1) || c.m * c.n * c.k * c.batch > gemm_most_products ||
      std::max({c.m * c.n, c.m * c.k, c.n * c.k}) * c.batch > gemm_most_products ||
      !fits(stored_a(c), c.batch, c.a, true) || !fits(stored_b(c), c.batch, c.b, true) ||
      !fits(stored_c(c), c.batch, c.c, false)) {
    return false;
  }
  if (domain.exceptional) return true;
  const auto all_finite = [](const MatrixView& x) {
    for (std::int64_t j = 0; j < x.columns; ++j) {
      for (std::int64_t i = 0; i < x.rows; ++i) {
        if (!finite(x.at(i, j))) return false;
      }
    }
    return true;
  };
  if (!finite(c.alpha) || !finite(c.beta)) return false;
  for (std::int64_t p = 0; p < c.batch; ++p) {
    if ((c.reads_ab() || !domain.poison) && (!all_finite(op_a(c, p)) || !all_finite(op_b(c, p)))) return false;
    if ((c.reads_c() || !domain.poison) && !all_finite(start_of(c, p))) return false;
  }
  return true;
}

/// The lines of a matrix that are kept.
template <class KeepRow, class KeepColumn>
GemmMatrix kept(const GemmMatrix& from, KeepRow&& row, KeepColumn&& column) {
  GemmMatrix to;
  for (std::int64_t i = 0; i < from.rows; ++i) to.rows += row(i) ? 1 : 0;
  for (std::int64_t j = 0; j < from.columns; ++j) {
    if (!column(j)) continue;
    ++to.columns;
    for (std::int64_t i = 0; i < from.rows; ++i) {
      if (row(i)) to.all.push_back(from.at(i, j));
    }
  }
  return to;
}

/// Smaller shapes: one product, the simplest layout, each line alone, halves and all but one of each dimension.
std::vector<GemmCase> smaller_gemm_cases(const GemmCase& c) {
  const std::vector<GemmEntries> products = products_of(c);
  const Layout layout = layout_of(c);
  std::vector<GemmCase> smaller;
  const auto zero = [] { return 0.0; };
  const auto offer = [&](const std::vector<GemmEntries>& some, const Layout& as) {
    smaller.push_back(placed(some, as, zero, zero));
  };
  const auto all = [](std::int64_t) { return true; };
  const auto offer_each = [&](auto change) {
    std::vector<GemmEntries> some = products;
    for (GemmEntries& e : some) change(e);
    offer(some, layout);
  };
  const auto offer_parts = [&](std::int64_t size, bool alone, auto&& cut) {
    const auto keep = [&](auto which) { offer_each([&](GemmEntries& e) { cut(e, which); }); };
    for (std::int64_t i = 0; alone && size > 1 && i < size; ++i) keep([i](std::int64_t at) { return at == i; });
    if (size > 1) {
      keep([size](std::int64_t i) { return i < size / 2; });
      keep([size](std::int64_t i) { return i >= size / 2; });
    }
    for (std::int64_t quarter = 0; size > 7 && quarter < 4; ++quarter) {
      keep([size, quarter](std::int64_t i) { return i < size * quarter / 4 || i >= size * (quarter + 1) / 4; });
    }
    const std::int64_t step = std::max<std::int64_t>(1, size / 48);
    for (std::int64_t out = 0; out < size; out += step) keep([out](std::int64_t i) { return i != out; });
  };
  if (c.batch > 1) {
    for (std::size_t p = 0; p < products.size(); ++p) {
      offer({products[p]}, layout);
      std::vector<GemmEntries> others = products;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(p));
      offer(others, layout);
    }
  }
  offer_parts(c.m, true, [&](GemmEntries& e, auto which) {
    e.a = kept(e.a, which, all);
    e.c = kept(e.c, which, all);
  });
  offer_parts(c.n, true, [&](GemmEntries& e, auto which) {
    e.b = kept(e.b, all, which);
    e.c = kept(e.c, all, which);
  });
  offer_parts(c.k, false, [&](GemmEntries& e, auto which) {
    e.a = kept(e.a, all, which);
    e.b = kept(e.b, which, all);
  });
  offer(products, {.trans_a = layout.trans_a, .trans_b = layout.trans_b});
  offer(products, {});
  return smaller;
}

/// A dimension: small, or at the edge of a tile; 0 once in 48.
std::int64_t draw_side(Draw& draw) {
  static constexpr std::array<std::int64_t, 9> edges{7, 8, 9, 15, 16, 17, 31, 32, 33};
  const std::uint64_t kind = draw.below(48);
  if (kind == 0) return 0;
  if (kind < 30) return 1 + static_cast<std::int64_t>(draw.below(4));
  if (kind < 36) return 5 + static_cast<std::int64_t>(draw.below(8));
  return edges[draw.below(edges.size())];
}

struct Shape {
  std::int64_t m, n, k;
};

/// Up to some 3000 products, seldom more; once in 16 one long dimension.
Shape draw_shape(Draw& draw, bool empty) {
  static constexpr std::array<std::int64_t, 12> longer{63, 64, 65, 127, 128, 129, 256, 257, 300, 511, 1000, 1025};
  Shape shape{draw_side(draw), draw_side(draw), draw_side(draw)};
  if (!empty) {
    for (std::int64_t* each : {&shape.m, &shape.n, &shape.k}) *each = std::max<std::int64_t>(1, *each);
  }
  const std::uint64_t kind = draw.below(64);
  if (kind < 6) {
    shape = {1 + static_cast<std::int64_t>(draw.below(2)), 1 + static_cast<std::int64_t>(draw.below(2)),
             longer[draw.below(longer.size())]};
    if (kind == 0) std::swap(shape.m, shape.k);
    if (kind == 1) std::swap(shape.n, shape.k);
  }
  while (shape.m * shape.n * shape.k > 3000 && kind != 6) {
    (shape.m > shape.n ? shape.m : shape.n) = 1 + static_cast<std::int64_t>(draw.below(3));
  }
  return shape;
}

GemmCase draw_gemm_case(Draw& draw, const GemmClass& of_class, const GemmDomain& domain) {
  const Shape shape = draw_shape(draw, domain.layouts);
  std::vector<GemmEntries> products;
  const std::uint64_t batch = domain.batches && draw.one_in(3) ? 2 + draw.below(2) : 1;
  for (std::uint64_t p = 0; p < batch; ++p) {
    GemmEntries& e = products.emplace_back(shape.m, shape.n, shape.k);
    e.widest_gap = domain.widest_gap;
    draw_gemm_entries(draw, of_class, e);
  }
  return laid_out(draw, products, domain);
}

/// The φ for which entries (rand − 1/2)·exp(φ·randn) have the variance of ln|x| that those of A and B have: φ² + 1.
double phi_of(const GemmCase& c) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (std::int64_t p = 0; c.reads_ab() && p < c.batch; ++p) {
    for (const MatrixView& x : {op_a(c, p), op_b(c, p)}) {
      for (std::int64_t j = 0; j < x.columns; ++j) {
        for (std::int64_t i = 0; i < x.rows; ++i) {
          if (x.at(i, j) == 0 || !finite(x.at(i, j))) continue;
          const double logarithm = std::log(std::abs(x.at(i, j)));
          sum += logarithm;
          squares += logarithm * logarithm;
          ++count;
        }
      }
    }
  }
  return count == 0 ? 0 : std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count) - 1));
}

/// Infinities and NaNs in some places: of A, of B, of C, or a scalar; the other numbers of phi = 1.
GemmCase draw_exceptional(Draw& draw, const GemmDomain& domain) {
  const Shape shape = draw_shape(draw, domain.layouts);
  std::vector<GemmEntries> products;
  const std::uint64_t batch = domain.batches && draw.one_in(3) ? 2 + draw.below(2) : 1;
  const auto special = [&] {
    const std::uint64_t kind = draw.below(8);
    return kind == 0 ? draw_special<double>(draw) : kind < 3 ? quiet_nan : kind < 6 ? infinity : -infinity;
  };
  for (std::uint64_t p = 0; p < batch; ++p) {
    GemmEntries& e = products.emplace_back(shape.m, shape.n, shape.k);
    fill_zero_lines(draw, e);
    const auto put = [&](GemmMatrix& x) {
      if (!x.all.empty()) x.all[draw.below(x.all.size())] = special();
    };
    e.alpha = draw_scalar(draw, 1);
    e.beta = draw_scalar(draw, 4);
    const std::uint64_t where = draw.below(8);
    if (where < 3) put(e.a);
    if (where >= 2 && where < 5) put(e.b);
    if (where == 5 || where == 1) put(e.c);
    if (where == 6) e.beta = special();
    if (where == 7) e.alpha = special();
    if (draw.one_in(4)) put(e.a);
  }
  return laid_out(draw, products, domain);
}

}  // namespace

Domain<GemmCase> gemm_domain(const GemmDomain& options) {
  Domain<GemmCase> domain;
  for (const GemmClass& each : gemm_classes()) {
    domain.classes.push_back({each.name, each.weight, drawn<GemmCase>([&each, options](Draw& draw) {
                                return draw_gemm_case(draw, each, options);
                              })});
  }
  if (options.exceptional) {
    domain.classes.push_back(
        {"infinities and NaNs", 4, drawn<GemmCase>([options](Draw& draw) { return draw_exceptional(draw, options); })});
  }
  domain.contains = [options](const GemmCase& c) { return is_gemm_case(c, options); };
  domain.features = {
      {"bits of k", 0, 12, 12,
       [](const GemmCase& c) { return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(c.k))); }},
      {"φ of the entries of A and B", 0, 10, 20, phi_of}};
  domain.shrink_shape = smaller_gemm_cases;
  domain.accepts = "dimensions up to " + std::to_string(gemm_longest_side) + ", at most " +
                   std::to_string(gemm_most_products) + " products" +
                   (options.batches ? ", 1 to 4 in a batch" : ", one in a batch") +
                   "; arrays that end with their last entry, gaps of up to 8 entries between products; " +
                   (options.exceptional ? "infinities and NaNs anywhere" : "all numbers that are read finite");
  return domain;
}

}  // namespace assay::gemm
