// softmax and log_softmax of the rows of a matrix, as a foreign function computes them.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "errorbounds/contract_theorems.hpp"
#include "errorbounds/softmax_theorems.hpp"
#include "oracle/ball_functions.hpp"
#include "properties/contracts/rows.hpp"
#include "properties/contracts/stored.hpp"

namespace assay::contracts::softmax {
namespace {

using oracle::Ball;
using oracle::Dyadic;
using oracle::Exact;

/// Dᵢ is at most so large.
constexpr int widest_spread = 2048;

/// Numbers of at most this magnitude have exponentials, and sums of 8192 of them, that are normal numbers of Wide<T>.
template <FloatingPoint T>
constexpr int moderate = FloatTraits<T>::precision > 24 ? 640 : 64;

/// A row as softmax sees it.
struct Row {
  bool is_special = false;                   ///< its result is NaN
  std::vector<std::optional<Dyadic>> below;  ///< Dᵢ = m − xᵢ; nothing for −∞
  std::optional<Dyadic> largest;             ///< m
  Dyadic widest;                             ///< the largest Dᵢ
  std::uint64_t n = 0;                       ///< numbers that are not −∞
};

template <FloatingPoint T>
Row row_from(std::span<const T> x) {
  Row row;
  for (const T& each : x) {
    const std::uint64_t bits = bits_of(each);
    const bool is_number = oracle::is_finite(format<T>, bits);
    row.is_special =
        row.is_special || (!is_number && (oracle::is_nan(format<T>, bits) || !oracle::is_negative(format<T>, bits)));
    if (!is_number) continue;
    ++row.n;
    const Dyadic value = value_of(each);
    if (!row.largest || *row.largest < value) row.largest = value;
  }
  row.is_special = row.is_special || row.n == 0;
  if (row.is_special) return row;
  for (const T& each : x) {
    const bool is_number = oracle::is_finite(format<T>, bits_of(each));
    row.below.push_back(is_number ? std::optional(*row.largest - value_of(each)) : std::nullopt);
    if (is_number) row.widest = std::max(row.widest, *row.below.back());
  }
  return row;
}

template <FloatingPoint T>
std::vector<Row> rows_from(const RowsCase<T>& c) {
  std::vector<Row> rows;
  for (std::size_t r = 0; r < static_cast<std::size_t>(c.rows); ++r)
    rows.push_back(row_from(row_of(c.x, c.columns, r)));
  return rows;
}

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
    for (const Dyadic& each : below_) {
      balls.each.push_back(exp(Ball(-each), bits));
      if (has_largest || !each.is_zero()) balls.rest = add(balls.rest, balls.each.back(), bits);
      has_largest = has_largest || each.is_zero();
    }
    balls.log_sum = log1p(balls.rest, bits);
    return balls;
  }
  [[nodiscard]] const Dyadic& below(std::size_t i) const { return below_[i]; }

 private:
  std::vector<Dyadic> below_;
  std::map<long, Balls> known_;
};

/// σᵢ and λᵢ of number i of the exponentials, and of each of n equal numbers.
struct Softmax {
  static Ball at(Exponentials& row, std::size_t i, long bits) {
    const Exponentials::Balls& balls = row.at(bits);
    return div(balls.each[i], add(Ball(Dyadic(1)), balls.rest, bits), bits);
  }
  static Exact of_equal(std::uint64_t n) { return oracle::Rational(1, Dyadic(n)); }
};
struct LogSoftmax {
  static Ball at(Exponentials& row, std::size_t i, long bits) {
    return sub(Ball(-row.below(i)), row.at(bits).log_sum, bits);
  }
  static Exact of_equal(std::uint64_t n) {
    if (n == 1) return Dyadic();
    return oracle::Enclosure{[n](long bits) { return sub(Ball(), log1p(Ball(Dyadic(n - 1)), bits), bits); }};
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
      } else if (row.widest.is_zero()) {
        exact.push_back(Function::of_equal(row.n));
      } else {
        exact.emplace_back(oracle::Enclosure{
            [exponentials, at = place++](long bits) { return Function::at(*exponentials, at, bits); }});
      }
    }
  }
  return exact;
}

/// What the numbers of a result must be that are none; empty where all are.
template <class Function, FloatingPoint T>
std::vector<Special> special_of(const RowsCase<T>& c) {
  std::vector<Special> special;
  if (all_finite(c.x)) return special;
  for (const Row& row : rows_from(c)) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.columns); ++i) {
      const bool stays = std::is_same_v<Function, LogSoftmax> && !row.is_special && !row.below[i];
      special.push_back(row.is_special ? Special::nan : stays ? Special::minus_infinity : Special::none);
    }
  }
  return special;
}

template <FloatingPoint T>
bool is_moderate(const RowsCase<T>& c) {
  return std::ranges::all_of(c.x, [](const T& each) {
    return oracle::is_finite(format<T>, bits_of(each)) && abs(value_of(each)) <= Dyadic(moderate<T>);
  });
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

/// A NaN or +∞ somewhere, or −∞ everywhere.
template <FloatingPoint T>
std::vector<T> draw_special_row(Draw& draw, std::size_t n) {
  std::vector<T> row = draw_row<T>(draw, n, -2, 2, 3, 0);
  const std::uint64_t kind = draw.below(4);
  const T minus_infinity = number_of<T>(format<T>.sign_mask() | format<T>.infinity());
  if (kind == 0) std::ranges::fill(row, minus_infinity);
  if (kind == 1) row[draw.below(n)] = number_of<T>(format<T>.infinity());
  if (kind >= 2) row[draw.below(n)] = not_a_number<T>();
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

template <FloatingPoint T, class MakeRow>
rc::Gen<RowsCase<T>> of_rows(MakeRow make) {
  return drawn<RowsCase<T>>([make](Draw& draw) {
    const Shape shape = draw_shape(draw);
    RowsCase<T> c{shape.rows, shape.columns, {}};
    for (std::int64_t r = 0; r < shape.rows; ++r) {
      const std::vector<T> row = make(draw, static_cast<std::size_t>(shape.columns));
      c.x.insert(c.x.end(), row.begin(), row.end());
    }
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
  return {.classes = {{"numbers within 2 of the largest", 3, rows(-4, 2, 1, 0)},
                      {"numbers within 16 of the largest", 3, rows(-2, 3, 4, 0)},
                      {"large numbers near to each other", 3, rows(7, 14, 3, 0)},
                      {"one number far above the others", 2, rows(-2, 4, 11, 0)},
                      {"exponentials in the range of underflow", 2, rows(-2, 4, is_short ? 4 : 6, underflow)},
                      {"equal or nearly equal numbers", 2, of_rows<T>(draw_nearly_equal_row<T>)},
                      {"some numbers are −∞", 2, of_rows<T>(draw_masked_row<T>)},
                      {"rows with NaN or +∞, or nothing but −∞", 2, of_rows<T>([](Draw& draw, std::size_t n) {
                         return draw.coin() ? draw_special_row<T>(draw, n) : draw_row<T>(draw, n, -2, 2, 3, 0);
                       })}},
          .contains =
              [](const RowsCase<T>& c) {
                return has_shape(c) && std::ranges::all_of(rows_from(c), [](const Row& row) {
                         return row.widest <= Dyadic(widest_spread);
                       });
              },
          .features = {{"log2 of the columns, rounded up", 0, 14, 14,
                        [](const RowsCase<T>& c) {
                          return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(c.columns - 1)));
                        }}},
          .axes =
              [](const RowsCase<T>&) {
                return Axes{{{"x", {{"column"}, {"row"}}}}, {{"rows", "row"}, {"columns", "column"}}, {}};
              },
          .accepts =
              "rows of one number or more, up to 8192 in all; finite numbers of a row at most 2048 apart, besides "
              "−∞; rows with NaN or +∞"};
}

// ------------------------------------------------------------------------------------------------------- claims

/// |result − truth| ≤ bound_of(theorem, row, Dᵢ, |truth|, |truth of the largest number|) for each number, computed in
/// Wide<T>; numbers of −∞ are exact. The row comes without ln Z.
template <FloatingPoint T, class BoundOf>
auto error_of_rows(std::string id, const BoundedTheorem auto& theorem, BoundOf bound_of, const std::string& instance) {
  return computed_claim<T, Wide<T>>(
      std::move(id), theorem,
      [theorem, bound_of](const RowsCase<T>& c, const std::vector<Exact>& truth, const std::vector<T>& result) {
        std::vector<Bound> bounds;
        for (const Row& row : rows_from(c)) {
          const std::size_t first = bounds.size();
          bounds.resize(first + static_cast<std::size_t>(c.columns));
          if (row.is_special) continue;
          const auto at_largest = std::ranges::find(row.below, std::optional(Dyadic())) - row.below.begin();
          const Dyadic of_largest = magnitude_of(truth[first + static_cast<std::size_t>(at_largest)]);
          const SoftmaxRow facts{row.n, rounded_up(row.widest), Dyadic(), abs(*row.largest)};
          for (std::size_t i = 0; i < row.below.size(); ++i) {
            if (!row.below[i]) continue;
            bounds[first + i] =
                bound_of(theorem, facts, rounded_up(*row.below[i]), magnitude_of(truth[first + i]), of_largest);
          }
        }
        return assay::detail::by_number(truth, result, [&](std::uint64_t got, const Exact& exact, std::size_t i) {
          return judge_computed<T, Wide<T>>(got, exact, bounds[i], i);
        });
      },
      instance);
}

/// The claim about the error for exponentials and logarithms of k ulps.
template <class Function, FloatingPoint T>
auto error_with_ulps(std::string id, const BoundedTheorem auto& theorem, int k) {
  const auto bound_of = [k](const auto& bound, SoftmaxRow row, const Dyadic& distance,
                            [[maybe_unused]] const Dyadic& magnitude, [[maybe_unused]] const Dyadic& of_largest) {
    if constexpr (std::is_same_v<Function, Softmax>) {
      return bound(k, row, distance, magnitude, format<Wide<T>>);
    } else {
      row.log_sum = of_largest;
      return bound(k, row, distance, format<Wide<T>>);
    }
  };
  return apart_from_special(special_of<Function, T>,
                            error_of_rows<T>(std::move(id), theorem, bound_of, "k = " + std::to_string(k)));
}

template <FloatingPoint T>
Bound bound_of_row_sum(std::uint64_t n) {
  if constexpr (is_narrow<T>) {
    return softmax_row_sum_2(softmax_row_sum_1(n, format<Wide<T>>), n, format<T>);
  } else {
    return softmax_row_sum_1(n, format<T>);
  }
}

template <FloatingPoint T>
Judgement rows_sum_to_one(const RowsCase<T>& c, const std::vector<T>& result) {
  Judgement worst;
  std::size_t r = 0;
  for (const Row& row : rows_from(c)) {
    const std::span<const T> numbers = row_of(result, c.columns, r);
    const std::size_t at = r++ * static_cast<std::size_t>(c.columns);
    if (row.is_special) continue;
    Dyadic sum;
    const bool is_finite =
        std::ranges::all_of(numbers, [](const T& each) { return oracle::is_finite(format<T>, bits_of(each)); });
    if (!is_finite) return Judgement::fail(at);
    for (const T& each : numbers) sum += value_of(each);
    worst.worsen(judge_within(sum, Dyadic(1), bound_of_row_sum<T>(row.n), at));
  }
  return worst;
}

template <FloatingPoint T>
using RowsClaims = std::vector<Claim<RowsCase<T>, std::vector<T>, std::vector<Exact>>>;

template <FloatingPoint T>
auto when_moderate(const auto& claim) {
  return when("every number is finite and at most " + std::to_string(moderate<T>) + " in magnitude", is_moderate<T>,
              claim);
}

template <class Function, FloatingPoint T>
auto when_special(const auto& claim) {
  return when(
      "some result is no number",
      [](const RowsCase<T>& c) {
        return std::ranges::any_of(special_of<Function>(c), [](Special each) { return each != Special::none; });
      },
      claim);
}

/// The claims of rounding and of the shifted form, `others`, and that of special numbers.
template <class Function, FloatingPoint T>
RowsClaims<T> claims_with(const BoundedTheorem auto& shifted, RowsClaims<T> others,
                          const AnyTheorem auto& exceptional) {
  constexpr auto special = special_of<Function, T>;
  RowsClaims<T> claims{
      apart_from_special(special, nearest_with_any_zero("correctly_rounded", contract_correctly_rounded_1)),
      apart_from_special(special, faithful("faithful", contract_faithful_1)),
      error_with_ulps<Function, T>("shifted_1ulp", shifted, 1),
      error_with_ulps<Function, T>("shifted_3ulp", shifted, 3)};
  for (auto& each : others) claims.push_back(std::move(each));
  claims.push_back(when_special<Function, T>(special_numbers("exceptional", exceptional, special)));
  return claims;
}

template <FloatingPoint T>
RowsClaims<T> softmax_claims() {
  RowsClaims<T> others{when_moderate<T>(error_with_ulps<Softmax, T>("unshifted_1ulp", softmax_unshifted_1, 1))};
  if constexpr (is_narrow<T>) {
    others.push_back(satisfies("f32_row_sum", softmax_row_sum_2, rows_sum_to_one<T>));
  } else {
    others.push_back(satisfies("row_sum", softmax_row_sum_1, rows_sum_to_one<T>));
  }
  return claims_with<Softmax, T>(softmax_shifted_1, std::move(others), softmax_exceptional_1);
}

template <FloatingPoint T>
RowsClaims<T> log_softmax_claims() {
  return claims_with<LogSoftmax, T>(
      softmax_log_1,
      {error_with_ulps<LogSoftmax, T>("of_sum_1ulp", softmax_log_2, 1),
       when_moderate<T>(error_with_ulps<LogSoftmax, T>("unshifted_1ulp", softmax_log_3, 1))},
      softmax_exceptional_2);
}

template <FloatingPoint T>
void call_rows(const ForeignKernel& kernel, const Executor& on, const RowsCase<T>& c, T* y) {
  thread_local FencedMemory memory;
  const FencedArray<T> x(memory, c.x);
  function<void(std::size_t, std::size_t, const T*, T*)>(kernel)(static_cast<std::size_t>(c.rows),
                                                                 static_cast<std::size_t>(c.columns), x.data(), y);
  check_input(x, on, c.x, "x");
}

template <class Function, FloatingPoint T>
ArrayOperation<T, RowsCase<T>, Exact> operation_of(const char* name, RowsClaims<T> claims) {
  return {name,
          softmax_domain<T>(),
          [](const RowsCase<T>& c) { return unwritten<T>(c.x.size()); },
          call_rows<T>,
          exact_rows<Function, T>,
          &RowsCase<T>::x,
          std::move(claims)};
}

constexpr auto softmax_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(operation_of<Softmax>("softmax", softmax_claims<T>()), question, kernel);
};
constexpr auto log_softmax_of = []<FloatingPoint T>(T, const Question& question, const ForeignKernel& kernel) {
  return property_of(operation_of<LogSoftmax>("log_softmax", log_softmax_claims<T>()), question, kernel);
};

constexpr const char* one_ulp = "k = 1";
constexpr const char* three_ulps = "k = 3";
const std::vector<Signature> of_rows_alone{{CallForm::plain, "void f(size_t rows, size_t columns, const T* x, T* y)"}};

/// The two contracts of rounding, of which the weaker implies some of the others.
std::vector<Contract> of_rounding(std::vector<std::string> implied) {
  return {{"correctly_rounded", &contract_correctly_rounded_1.words, {}, {"faithful", "shifted_1ulp"}},
          {"faithful", &contract_faithful_1.words, {}, std::move(implied)}};
}

const OperationRegistration softmax(
    {"softmax", "exp(xᵢ)/Σ exp(xⱼ) of each row of a matrix, one row behind the other", with_narrow_formats(),
     of_rows_alone,
     with_stored(
         of_rounding({"shifted_1ulp", "row_sum", "f32_row_sum"}),
         {{"shifted_1ulp", &softmax_shifted_1.words, one_ulp, {"shifted_3ulp", "unshifted_1ulp"}, true, wide_formats()},
          {"shifted_3ulp", &softmax_shifted_1.words, three_ulps, {}, true, wide_formats()},
          {"unshifted_1ulp", &softmax_unshifted_1.words, one_ulp, {}, true, wide_formats()}},
         {{"row_sum", &softmax_row_sum_1.words, {}, {}, false, wide_formats()},
          {"f32_row_sum", &softmax_row_sum_2.words, {}, {}, false, {"f16", "bf16"}},
          {"exceptional", &softmax_exceptional_1.words, {}, {}, false}}),
     property_in_any_format<softmax_of>});

const OperationRegistration log_softmax(
    {"log_softmax", "xᵢ − ln Σ exp(xⱼ) of each row of a matrix, one row behind the other", with_narrow_formats(),
     of_rows_alone,
     with_stored(
         of_rounding({"shifted_1ulp"}),
         {{"shifted_1ulp", &softmax_log_1.words, one_ulp, {"shifted_3ulp", "of_sum_1ulp"}, true, wide_formats()},
          {"shifted_3ulp", &softmax_log_1.words, three_ulps, {}, true, wide_formats()},
          {"of_sum_1ulp", &softmax_log_2.words, one_ulp, {"unshifted_1ulp"}, true, wide_formats()},
          {"unshifted_1ulp", &softmax_log_3.words, one_ulp, {}, true, wide_formats()}},
         {{"exceptional", &softmax_exceptional_2.words, {}, {}, false}}),
     property_in_any_format<log_softmax_of>});

}  // namespace
}  // namespace assay::contracts::softmax
