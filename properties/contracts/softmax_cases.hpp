#pragma once
// Cases and truths of softmax and log_softmax.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "enclosures/row_entries.cuh"
#include "oracle/ball_functions.hpp"
#include "properties/contracts/rows.hpp"
#include "properties/contracts/stored.hpp"

namespace assay::contracts::softmax {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Exact;

/// A number so far below the largest of its row has an exponential below 2^-2900, and counts as this far below it in
/// the sum of the exponentials.
constexpr int far_below = static_cast<int>(enclosures::far_from_largest);

/// How large the largest number of a row is at most where a kernel multiplies it by log₂e or adds ln Z to it.
constexpr int centred = 1 << 20;

/// Numbers of at most this magnitude have exponentials, and sums of 8192 of them, that are normal numbers of Wide<T>.
template <FloatingPoint T>
constexpr int moderate = FloatTraits<T>::precision > 24 ? 640 : 64;

/// A row as softmax sees it.
struct Row {
  bool has_nan = false;
  std::uint64_t infinities = 0;              ///< how many numbers are +∞
  bool is_special = false;                   ///< it has a NaN, or +∞, or nothing but −∞
  std::vector<std::optional<Dyadic>> below;  ///< Dᵢ = m − xᵢ; nothing for −∞
  std::optional<Dyadic> largest;             ///< m
  Dyadic widest;                             ///< the largest Dᵢ that is at most far_below
  bool has_far = false;                      ///< some Dᵢ is larger
  Dyadic second;                             ///< the smallest Dᵢ of all but one 0, if it is at most far_below
  Dyadic size;                               ///< the largest |xᵢ|
  std::uint64_t n = 0;                       ///< numbers that are not −∞
  std::uint64_t columns = 0;
};

template <FloatingPoint T>
Row row_from(std::span<const T> x) {
  Row row;
  row.columns = x.size();
  for (const T& each : x) {
    const std::uint64_t bits = bits_of(each);
    row.has_nan = row.has_nan || oracle::is_nan(format<T>, bits);
    row.infinities += bits == format<T>.infinity() ? 1 : 0;
    if (!oracle::is_finite(format<T>, bits)) continue;
    ++row.n;
    const Dyadic value = value_of(each);
    row.size = std::max(row.size, abs(value));
    if (!row.largest || *row.largest < value) row.largest = value;
  }
  row.is_special = row.has_nan || row.infinities != 0 || row.n == 0;
  if (row.is_special) return row;
  bool has_one_largest = false;
  std::optional<Dyadic> second;
  for (const T& each : x) {
    const bool is_number = oracle::is_finite(format<T>, bits_of(each));
    row.below.push_back(is_number ? std::optional(*row.largest - value_of(each)) : std::nullopt);
    if (!is_number) continue;
    const Dyadic& below = *row.below.back();
    row.has_far = row.has_far || below > Dyadic(far_below);
    if (below <= Dyadic(far_below)) row.widest = std::max(row.widest, below);
    if (below.is_zero() && !has_one_largest) {
      has_one_largest = true;
    } else if (below <= Dyadic(far_below) && (!second || below < *second)) {
      second = below;
    }
  }
  row.second = second.value_or(Dyadic());
  return row;
}

/// The rows of the case; the last answer is kept in the thread.
template <FloatingPoint T>
const std::vector<Row>& rows_from(const RowsCase<T>& c) {
  return kept<std::vector<Row>>(c, [&] {
    std::vector<Row> rows;
    for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r) {
      rows.push_back(row_from(row_of(c.x, c.columns, r)));
    }
    return rows;
  });
}

/// exp(−D) by `bits`. The last few thousand are kept in the thread: rows have distances of each other, above all while
/// a case shrinks. Of numbers that binary64 does not hold, none are kept.
inline Ball exponential(const Dyadic& distance, long bits) {
  constexpr std::size_t most_kept = 4096;
  thread_local std::map<long, std::unordered_map<std::uint64_t, Ball>> kept;
  const double key = distance.to_double_nearest();
  if (!std::isfinite(key) || oracle::exact(key) != distance) return exp(Ball(-distance), bits);
  auto& balls = kept[bits];
  if (balls.size() >= most_kept) balls.clear();
  const auto [place, is_new] = balls.try_emplace(std::bit_cast<std::uint64_t>(key));
  if (is_new) place->second = exp(Ball(-distance), bits);
  return place->second;
}

/// The middle of a ball in binary64: within 2u of each of its numbers. A NaN of a wide ball.
inline double in_binary64(const Ball& ball) {
  const bool is_narrow = ball.is_finite() && arb_rel_accuracy_bits(ball.get()) >= 56;
  return is_narrow ? arf_get_d(arb_midref(ball.get()), ARF_RND_NEAR) : std::numeric_limits<double>::quiet_NaN();
}

/// exp(−D) in binary64, with a relative error of at most 5u where it is 2⁻⁹⁰¹ or more, and 0 where it is below 2⁻⁹⁰⁰:
/// theorem softmax.enclosure.1.
inline double exponential_in_binary64(const Dyadic& distance) {
  if (distance > Dyadic(624)) return 0;
  const double high = distance.to_double_nearest();
  return enclosures::exponential(high, (distance - oracle::exact(high)).to_double_nearest());
}

/// ln(1 + R) within 2u of it; a NaN where it is not known so well.
inline double log_of_sum(double rest) { return in_binary64(log1p(Ball(oracle::exact(rest)), 64)); }

/// σᵢ and −λᵢ of the numbers of a row that are not −∞, in binary64: theorem softmax.enclosure.2.
class RowInBinary64 {
 public:
  explicit RowInBinary64(const Row& row) : slack_(enclosures::slack_of(static_cast<enclosures::Integer>(row.n))) {
    bool has_largest = false;
    for (const std::optional<Dyadic>& each : row.below) {
      exponentials_.push_back(each ? exponential_in_binary64(*each) : 0);
      if (!each || (each->is_zero() && !std::exchange(has_largest, true))) continue;
      rest_ += exponentials_.back();
    }
  }
  [[nodiscard]] Near quotient(std::size_t i) const {
    if (!(exponentials_[i] >= 0x1p-880)) return {};
    return near(exponentials_[i] / (1 + rest_));
  }
  /// −λᵢ.
  [[nodiscard]] Near logarithm(const Dyadic& distance) {
    if (!(rest_ >= enclosures::least_rest)) return {};
    if (log_sum_ == 0) log_sum_ = log_of_sum(rest_);
    return near(distance.to_double_nearest() + log_sum_);
  }

 private:
  [[nodiscard]] Near near(double x) const { return x > 0 ? Near{x, 0, x * slack_} : Near{}; }
  std::vector<double> exponentials_;
  double rest_ = 0;
  double log_sum_ = 0;
  double slack_;
};

/// exp(−Dᵢ) of a row and their sum, by balls that are kept.
class Exponentials {
 public:
  explicit Exponentials(std::vector<Dyadic> below) : below_(std::move(below)) {}

  struct Balls {
    std::vector<Ball> each;
    Ball rest;     ///< Z − 1
    Ball log_sum;  ///< ln Z
  };
  const Balls& at(long bits) {
    const auto [place, is_new] = known_.try_emplace(bits);
    Balls& balls = place->second;
    if (!is_new) return balls;
    bool has_largest = false;
    const Ball of_far = exp(Ball(Dyadic(-far_below)), bits);
    for (const Dyadic& each : below_) {
      const Dyadic* const before = balls.each.empty() ? nullptr : &below_[balls.each.size() - 1];
      balls.each.push_back(before != nullptr && each == *before ? balls.each.back()
                           : each > Dyadic(far_below)           ? of_far
                                                                : exponential(each, bits));
      if (has_largest || !each.is_zero()) balls.rest = add(balls.rest, balls.each.back(), bits);
      has_largest = has_largest || each.is_zero();
    }
    balls.log_sum = log1p(balls.rest, bits);
    return balls;
  }
  [[nodiscard]] const Dyadic& below(std::size_t i) const { return below_[i]; }
  /// Function::at() of number i; the last ball of each number is kept.
  template <class Function>
  const Ball& of(std::size_t i, long bits) {
    if (last_.empty()) last_.resize(below_.size());
    Last& last = last_[i];
    if (last.bits != bits) last = {bits, Function::at(*this, i, bits)};
    return last.ball;
  }

 private:
  struct Last {
    long bits = 0;
    Ball ball;
  };
  std::vector<Dyadic> below_;
  std::map<long, Balls> known_;
  std::vector<Last> last_;
};

/// x − y without a rounding of its own: a y far below x moves the result away from x at any precision of y.
inline Ball lessened_by(const Dyadic& x, const Ball& y) { return sub(Ball(x), y, ARF_PREC_EXACT); }

/// What RowInBinary64 knows of each number of a case. Nothing where n u is not small compared with a place of T.
template <class Function, FloatingPoint T>
std::vector<Near> nears_of_rows(const RowsCase<T>& c) {
  std::vector<Near> nears;
  if (FloatTraits<T>::precision > 24 || static_cast<double>(c.columns) > enclosures::most_numbers) return nears;
  for (const Row& row : rows_from(c)) {
    const std::size_t first = nears.size();
    nears.resize(first + static_cast<std::size_t>(c.columns));
    if (row.is_special) continue;
    RowInBinary64 known(row);
    for (std::size_t i = 0; i < row.below.size(); ++i) nears[first + i] = Function::near(known, row, i);
  }
  return nears;
}

/// σᵢ and λᵢ of number i of the exponentials, and of each of n equal numbers.
struct Softmax {
  static Ball at(Exponentials& row, std::size_t i, long bits) {
    const Exponentials::Balls& balls = row.at(bits);
    const Ball sum = add(Ball(Dyadic(1)), balls.rest, bits);
    if (row.below(i).is_zero()) return lessened_by(1, div(balls.rest, sum, bits));
    return div(balls.each[i], sum, bits);
  }
  static Exact of_equal(std::uint64_t n) { return oracle::Rational(1, Dyadic(n)); }
  static Near near(RowInBinary64& row, const Row& of, std::size_t i) { return of.below[i] ? row.quotient(i) : Near{}; }
  template <FloatingPoint T>
  static std::vector<Near> nears(const RowsCase<T>& c) {
    return nears_of_rows<Softmax>(c);
  }
};
struct LogSoftmax {
  static Ball at(Exponentials& row, std::size_t i, long bits) {
    return lessened_by(-row.below(i), row.at(bits).log_sum);
  }
  static Exact of_equal(std::uint64_t n) {
    if (n == 1) return Dyadic();
    return oracle::Enclosure{[n](long bits) { return sub(Ball(), log1p(Ball(Dyadic(n - 1)), bits), bits); }};
  }
  static Near near(RowInBinary64& row, const Row& of, std::size_t i) {
    if (!of.below[i]) return {};
    const Near negated = row.logarithm(*of.below[i]);
    return {-negated.high, 0, negated.radius};
  }
  template <FloatingPoint T>
  static std::vector<Near> nears(const RowsCase<T>& c) {
    return nears_of_rows<LogSoftmax>(c);
  }
};

/// The truth of every number; 0 for special ones and for those of −∞.
template <class Function, FloatingPoint T>
std::vector<Exact> exact_rows(const RowsCase<T>& c) {
  std::vector<Exact> exact;
  for (const Row& row : rows_from(c)) {
    std::vector<Dyadic> below;
    for (const std::optional<Dyadic>& each : row.below) {
      if (each) below.push_back(*each);
    }
    const auto exponentials = std::make_shared<Exponentials>(std::move(below));
    std::size_t place = 0;
    for (std::int64_t i = 0; i < c.columns; ++i) {
      if (row.is_special || !row.below[static_cast<std::size_t>(i)]) {
        exact.emplace_back(Dyadic());
      } else if (row.widest.is_zero() && !row.has_far) {
        exact.push_back(Function::of_equal(row.n));
      } else {
        const std::size_t at = place++;
        if (i > 0 && row.below[static_cast<std::size_t>(i)] == row.below[static_cast<std::size_t>(i - 1)]) {
          exact.push_back(exact.back());
          continue;
        }
        exact.emplace_back(
            oracle::Enclosure{[exponentials, at](long bits) { return exponentials->template of<Function>(at, bits); }});
      }
    }
  }
  return exact;
}

/// What the numbers of a result must be that are not judged by their errors; empty where all are.
template <class Function, FloatingPoint T>
std::vector<Expected> expected_of(const RowsCase<T>& c) {
  std::vector<Expected> expected;
  if (all_finite(c.x)) return expected;
  for (const Row& row : rows_from(c)) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.columns); ++i) {
      const bool stays = std::is_same_v<Function, LogSoftmax> && !row.is_special && !row.below[i];
      expected.push_back(row.is_special ? Expected::nan : stays ? Expected::minus_infinity : Expected::number);
    }
  }
  return expected;
}

// -------------------------------------------------------------------------------------------------------- cases

/// m − t·2^exponent, with t uniform in [0, 1).
template <FloatingPoint T>
T draw_below(Draw& draw, const Dyadic& m, int exponent) {
  return nearest_to<T>(m - Dyadic::scaled(static_cast<std::int64_t>(draw.word() >> 12), exponent - 52));
}

/// A row of numbers up to 2^spread below a largest one with an exponent in low … high, each at least `gap` below it but
/// for the first.
template <FloatingPoint T>
std::vector<T> draw_row(Draw& draw, std::size_t n, int low, int high, int spread, int gap) {
  std::vector<T> row{draw_number<T>(draw, Significand::any, draw.between(low, high))};
  const Dyadic largest = value_of(row.front());
  while (row.size() < n) row.push_back(draw_below<T>(draw, largest - Dyadic(gap), spread));
  std::swap(row.front(), row[draw.below(n)]);
  return row;
}

template <FloatingPoint T>
std::vector<T> draw_nearly_equal_row(Draw& draw, std::size_t n) {
  const T number = draw_number<T>(draw, Significand::any, draw.between(-2, 10));
  const int steps = draw.coin() ? 0 : 3;
  std::vector<T> row;
  while (row.size() < n) row.push_back(stepped(number, draw.between(-steps, steps)));
  return row;
}

/// −∞ in the place of numbers, but for one.
template <FloatingPoint T>
std::vector<T> draw_masked_row(Draw& draw, std::size_t n) {
  std::vector<T> row = draw_row<T>(draw, n, -2, 4, 4, 0);
  const std::size_t kept = draw.below(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i != kept && draw.coin()) row[i] = number_of<T>(format<T>.sign_mask() | format<T>.infinity());
  }
  return row;
}

/// A number that stands for −∞ in a mask.
template <FloatingPoint T>
T draw_mask(Draw& draw) {
  static constexpr std::array<double, 4> usual{-1e4, -65504, -1e9, -1.5e9};
  const T mask = nearest_to<T>(oracle::exact(usual[draw.below(usual.size())]));
  const bool is_lowest = draw.one_in(4) || !oracle::is_finite(format<T>, bits_of(mask));
  return is_lowest ? number_of<T>(format<T>.sign_mask() | format<T>.largest_finite()) : mask;
}

/// A finite mask in the place of numbers, or of all.
template <FloatingPoint T>
std::vector<T> draw_finitely_masked_row(Draw& draw, std::size_t n) {
  std::vector<T> row = draw_row<T>(draw, n, -2, 4, 4, 0);
  const T mask = draw_mask<T>(draw);
  const bool all = draw.one_in(3);
  for (T& each : row) {
    if (all || draw.coin()) each = mask;
  }
  return row;
}

/// A NaN or +∞ somewhere, or −∞ everywhere but for a NaN.
template <FloatingPoint T>
std::vector<T> draw_special_row(Draw& draw, std::size_t n) {
  std::vector<T> row = draw_row<T>(draw, n, -2, 2, 3, 0);
  const std::uint64_t kind = draw.below(6);
  const T minus_infinity = number_of<T>(format<T>.sign_mask() | format<T>.infinity());
  if (kind <= 2) std::ranges::fill(row, minus_infinity);
  if (kind == 3) row[draw.below(n)] = number_of<T>(format<T>.infinity());
  if (kind == 3 && draw.one_in(4)) row[draw.below(n)] = number_of<T>(format<T>.infinity());
  if (kind == 2 || kind >= 4) row[draw.below(n)] = not_a_number<T>();
  return row;
}

/// Matrices of such rows. Half of the long ones have a number far above the others: where it stands, a kernel must see
/// it, and few rows are long.
template <FloatingPoint T, class MakeRow>
CaseGenerator<RowsCase<T>> of_rows(MakeRow make) {
  return drawn<RowsCase<T>>([make](Draw& draw) {
    const Shape shape = draw_shape(draw);
    const bool has_peaks = shape.columns > 128 && draw.coin();
    RowsCase<T> c{shape.rows, shape.columns, {}};
    for (std::int64_t r = 0; r < shape.rows; ++r) {
      const auto n = static_cast<std::size_t>(shape.columns);
      const std::vector<T> row = has_peaks ? draw_row<T>(draw, n, -2, 4, 10, 1024) : make(draw, n);
      c.x.insert(c.x.end(), row.begin(), row.end());
    }
    if (draw.one_in(8)) put_zeros(draw, c.x);
    return c;
  });
}

template <FloatingPoint T>
Domain<RowsCase<T>> softmax_domain() {
  constexpr bool is_short = FloatTraits<T>::emax < 100;
  constexpr int underflow = FloatTraits<T>::precision > 24 ? 700 : is_short ? 8 : 80;
  const auto rows = [](int low, int high, int spread, int gap) {
    return of_rows<T>([=](Draw& draw, std::size_t n) { return draw_row<T>(draw, n, low, high, spread, gap); });
  };
  return {
      .classes = {{"numbers within 2 of the largest", 3, rows(-4, 2, 1, 0)},
                  {"numbers within 16 of the largest", 3, rows(-2, 3, 4, 0)},
                  {"large numbers near to each other", 3, rows(7, 14, 3, 0)},
                  {"one number far above the others", 2, rows(-2, 4, 11, 0)},
                  {"exponentials in the range of underflow", 2, rows(-2, 4, is_short ? 4 : 6, underflow)},
                  {"equal or nearly equal numbers", 2, of_rows<T>(draw_nearly_equal_row<T>)},
                  {"some numbers are −∞", 2, of_rows<T>(draw_masked_row<T>)},
                  {"finite masks beside numbers, or nothing but a mask", 2, of_rows<T>(draw_finitely_masked_row<T>)},
                  {"numbers up to the largest", 1,
                   rows(FloatTraits<T>::emax / 2 - 2, FloatTraits<T>::emax - 2, FloatTraits<T>::emax - 2, 0)},
                  {"rows with NaN or +∞, or nothing but −∞", 2, of_rows<T>([](Draw& draw, std::size_t n) {
                     return draw.coin() ? draw_special_row<T>(draw, n) : draw_row<T>(draw, n, -2, 2, 3, 0);
                   })}},
      .contains = [](const RowsCase<T>& c) { return has_shape(c); },
      .features = {{"log2 of the columns, rounded up", 0, 14, 14,
                    [](const RowsCase<T>& c) {
                      return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(c.columns - 1)));
                    }}},
      .axes =
          [](const RowsCase<T>&) {
            return Axes{{{"x", {{"column"}, {"row"}}}}, {{"rows", "row"}, {"columns", "column"}}, {}};
          },
      .accepts = "rows of one number or more, up to 8192 in all; any numbers, infinities and NaNs"};
}

}  // namespace assay::contracts::softmax
