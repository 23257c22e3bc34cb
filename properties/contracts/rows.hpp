#pragma once
// Operations that work on each row of a matrix by itself: cases, truths that are known by balls, and claims.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "errorbounds/any_zero.hpp"
#include "errorbounds/screen.hpp"
#include "properties/contracts/array_results.hpp"
#include "properties/contracts/violations.hpp"
#include "properties/draws/sum/cases.hpp"
#include "properties/framework/remark.hpp"
#include "properties/framework/same_case.hpp"

namespace assay::contracts {

/// The most numbers of a matrix.
inline constexpr std::int64_t most_entries = 8192;

/// Rows of at most so many numbers are short: the bounds of their sums have their hypotheses in every format here. The
/// bounds of longer rows are computed even where every error is 0, so that a hypothesis that fails is not overlooked.
inline constexpr std::uint64_t short_row = std::uint64_t{1} << 20;

/// A matrix, one row behind the other.
template <FloatingPoint T>
struct RowsCase {
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  std::vector<T> x;
  static constexpr auto fields() {
    return std::tuple{field("rows", &RowsCase::rows), field("columns", &RowsCase::columns), field("x", &RowsCase::x)};
  }
};

/// Whether the matrix has so many numbers, and no row is without columns.
bool has_shape(const auto& c) {
  const std::int64_t most = most_of(most_entries);
  return c.rows >= 0 && c.columns >= 1 && c.rows <= most / c.columns && std::ssize(c.x) == c.rows * c.columns;
}

/// A matrix with the rows and columns that a shape names. A dimension that it does not name is small.
template <class Case>
struct ShapeOfRows {
  static constexpr double bytes = 2000;
  static std::vector<std::string> names(std::string_view /*operation*/) { return {"rows", "columns"}; }
  static std::string large(std::string_view /*operation*/) {
    return "rows=63,columns=1025;rows=3,columns=32769;rows=16385,columns=7";
  }
  static double numbers(std::string_view /*operation*/, const AskedShape& shape) {
    return longest_of(shape, "rows", 3) * longest_of(shape, "columns", 10);
  }
  static Case drawn(Draw&, const auto& next, const auto&) { return next(); }
};
template <FloatingPoint T>
struct ShapeOf<RowsCase<T>> : ShapeOfRows<RowsCase<T>> {};

/// Row r of the matrix x.
template <FloatingPoint T>
std::span<const T> row_of(const std::vector<T>& x, std::int64_t columns, std::size_t r) {
  const auto width = static_cast<std::size_t>(columns);
  return std::span(x).subspan(r * width, width);
}

/// Rows and columns: mostly up to 4 rows of up to 10 numbers; sometimes more rows, and lengths beside the sizes of
/// vectors, warps and blocks; rarely all numbers that an operation takes, in one row or in one or two columns.
struct Shape {
  std::int64_t rows;
  std::int64_t columns;
};
inline Shape draw_shape(Draw& draw) {
  static constexpr std::array<std::int64_t, 8> small{8, 16, 32, 64, 8, 16, 32, 128};
  static constexpr std::array<std::int64_t, 4> large{1024, 2048, 4096, 1024};
  const auto up_to = [&](std::int64_t most) { return 1 + static_cast<std::int64_t>(draw.below(most)); };
  const auto beside = [&](std::int64_t size) { return size + draw.between(-1, 1); };
  if (asked_length("rows") || asked_length("columns")) {
    const std::int64_t columns = asked_length("columns").value_or(up_to(10));
    return {asked_length("rows").value_or(up_to(3)), std::max<std::int64_t>(1, columns)};
  }
  const std::uint64_t kind = draw.below(1000);
  if (kind < 630) return {draw.coin() ? 1 : up_to(4), up_to(10)};
  if (kind < 750) return {4 + up_to(16), up_to(6)};
  if (kind < 860) return {up_to(3), beside(small[draw.below(small.size())])};
  if (kind < 920) return {beside(small[draw.below(small.size())]), up_to(3)};
  if (kind < 950) return {up_to(2), beside(draw.coin() ? 256 : 512)};
  if (kind < 970) return {beside(draw.coin() ? 256 : 512), up_to(2)};
  if (kind < 983) return {1, beside(large[draw.below(large.size())])};
  if (kind < 990) return {beside(large[draw.below(large.size())]), 1};
  if (kind < 993) return {2, up_to(most_entries / 2)};
  if (kind < 995) return {most_entries / 2, 2};
  return {1, kind < 999 ? up_to(most_entries) : most_entries - draw.between(0, 1)};
}

/// The number rounded up to 53 bits. Requires: x ≥ 0 (not checked).
inline oracle::Dyadic rounded_up(oracle::Dyadic x) {
  if (x.is_zero()) return x;
  const long exponent = x.exponent();
  return oracle::exact(x.mul_2exp(-exponent).to_double_up()).mul_2exp(exponent);
}

/// make() of the case; the last answer is kept in the thread for each type of cases and of `Kind`.
template <class Facts, class Case, class Make, class Kind = void*>
const Facts& kept(const Case& c, const Make& make, Kind /*of what*/ = {}) {
  struct Last {
    Case of;
    Facts facts;
  };
  thread_local std::optional<Last> last;
  if (!last || !is_same_case(last->of, c)) last = Last{c, make()};
  return last->facts;
}

/// An enclosure that keeps its last ball.
template <class At>
oracle::Enclosure keeping_ball(At at) {
  struct Last {
    long bits = 0;
    oracle::Ball ball;
  };
  return {[last = std::make_shared<Last>(), at = std::move(at)](long bits) {
    if (last->bits != bits) *last = {bits, at(bits)};
    return last->ball;
  }};
}

/// Of every number of the truth of a case: Operation::nears(case), if there is one that knows something of it, else
/// near_of().
template <class Operation, class Case>
const std::vector<Near>& nears_of(const Case& c, const std::vector<oracle::Exact>& truth) {
  return kept<std::vector<Near>>(
      c,
      [&] {
        std::vector<Near> nears;
        if constexpr (requires { Operation::nears(c); }) nears = Operation::nears(c);
        nears.resize(truth.size());
        for (std::size_t i = 0; i < truth.size(); ++i) {
          if (std::isinf(nears[i].radius)) nears[i] = near_of(truth[i]);
        }
        return nears;
      },
      Operation{});
}

/// The claim judge(pattern, truth, place) about every number, which is not judged where stays(worst, number, near
/// truth, format) says that the worst judgment stays the same.
template <class Operation>
auto of_every_number(std::string id, const AnyTheorem auto& theorem, const auto& stays, const auto& judge) {
  return claim_spec(std::move(id), theorem,
                    [stays, judge]<class Case, FloatingPoint T>(const Case& c, const std::vector<oracle::Exact>& truth,
                                                                const std::vector<T>& result) {
                      const std::vector<Near>& nears = nears_of<Operation>(c, truth);
                      Judgement worst;
                      for (std::size_t i = 0; i < result.size(); ++i) {
                        if (stays(worst, static_cast<double>(result[i]), nears[i], format<T>, i)) continue;
                        worst.worsen(judge(bits_of(result[i]), truth[i], format<T>, i));
                      }
                      worst.judged = result.size();
                      return worst;
                    });
}

/// Every number is the truth rounded to nearest, a zero of either sign; and one of the truth's two neighbors.
template <class Operation>
auto rounded_numbers(std::string id, const AnyTheorem auto& theorem) {
  return of_every_number<Operation>(std::move(id), theorem, stays_worst_rounded,
                                    [](std::uint64_t got, const oracle::Exact& truth, const oracle::Format& format,
                                       std::size_t at) { return judge_rounded_to_any_zero(got, truth, format, at); });
}
template <class Operation>
auto faithful_numbers(std::string id, const AnyTheorem auto& theorem) {
  return of_every_number<Operation>(std::move(id), theorem, stays_worst_faithful,
                                    [](std::uint64_t got, const oracle::Exact& truth, const oracle::Format& format,
                                       std::size_t at) { return judge_faithful(got, truth, format, at); });
}

/// error_above() of every number of a result, by what nears_of() knows where that is enough; or stored_error_above()
/// where it was computed in another format A and stored. The last answer is kept in the thread.
template <FloatingPoint T, FloatingPoint A, class Operation, class Case>
const std::vector<oracle::Magnitude>& errors_above(const Case& c, const std::vector<oracle::Exact>& truth,
                                                   const std::vector<T>& result) {
  struct Last {
    Case of;
    std::vector<T> result;
    std::vector<oracle::Magnitude> errors;
  };
  thread_local std::optional<Last> last;
  if (last && has_same_bits(last->result, result) && is_same_case(last->of, c)) return last->errors;
  std::vector<oracle::Magnitude> errors;
  errors.reserve(result.size());
  const std::vector<Near>& nears = nears_of<Operation>(c, truth);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto got = static_cast<double>(result[i]);
    if constexpr (std::is_same_v<T, A>) {
      const oracle::Magnitude& error = errors.emplace_back(distance_at_most(got, nears[i]));
      if (!error.is_finite()) errors.back() = error_above(bits_of(result[i]), truth[i], format<T>);
    } else {
      errors.push_back(is_surely_rounded(got, nears[i], format<T>)
                           ? oracle::Magnitude()
                           : stored_error_above(bits_of(result[i]), truth[i], format<T>));
    }
  }
  last = Last{c, result, std::move(errors)};
  return last->errors;
}

/// Zeros of both signs in the place of a third of the numbers.
template <FloatingPoint T>
void put_zeros(Draw& draw, std::vector<T>& x) {
  for (T& each : x) {
    if (draw.one_in(3)) each = compose<T>(draw.coin(), 0, 0);
  }
}

/// What a number of a result must be that is not judged by its error.
enum class Expected {
  number,  ///< it is judged by its error
  nan,
  infinity,
  minus_infinity,
  no_number,  ///< an infinity or a NaN
  zero_or_nan
};

inline bool is_as_expected(Expected expected, const oracle::Format& format, std::uint64_t got) {
  const bool is_nan = oracle::is_nan(format, got);
  switch (expected) {
    case Expected::nan:
      return is_nan;
    case Expected::infinity:
      return got == format.infinity();
    case Expected::minus_infinity:
      return got == (format.sign_mask() | format.infinity());
    case Expected::no_number:
      return !oracle::is_finite(format, got);
    case Expected::zero_or_nan:
      return is_nan || (got & ~format.sign_mask()) == 0;
    default:
      return true;
  }
}

/// What the number must be, in words.
inline const char* text_of(Expected expected) {
  switch (expected) {
    case Expected::nan:
      return "NaN";
    case Expected::infinity:
      return "inf";
    case Expected::minus_infinity:
      return "-inf";
    case Expected::no_number:
      return "NaN or an infinity";
    case Expected::zero_or_nan:
      return "0 or NaN";
    default:
      return "a number";
  }
}

/// The claim, judged as if every number of the result that is not judged by its error were right. expected_of(case) is
/// empty where all are judged. The truth of the others is 0.
template <class ExpectedOf, class Judge>
auto apart_from_special(const ExpectedOf& expected_of, const ClaimSpec<Judge>& claim) {
  const auto judge = [expected_of, inner = claim.judge](const auto& c, const auto& truth, const auto& result) {
    const std::vector<Expected> expected = expected_of(c);
    if (expected.empty()) return inner(c, truth, result);
    auto numbers = result;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (expected[i] != Expected::number) numbers[i] = {};
    }
    return inner(c, truth, numbers);
  };
  return ClaimSpec<decltype(judge)>{claim.info, judge};
}

/// Every number of the result is what expected_of(case) says; asked where it says something. Numbers that are judged by
/// their error are not counted.
template <class Case, class ExpectedOf>
auto special_numbers(std::string id, const AnyTheorem auto& theorem, const std::string& preconditions,
                     const ExpectedOf& expected_of) {
  const auto says_something = [expected_of](const Case& c) {
    return std::ranges::any_of(expected_of(c), [](Expected each) { return each != Expected::number; });
  };
  return when(preconditions, says_something,
              satisfies(std::move(id), theorem, [expected_of](const Case& c, const auto& result) {
                using T = typename std::remove_cvref_t<decltype(result)>::value_type;
                const std::vector<Expected> expected = expected_of(c);
                Judgement worst;
                for (std::size_t i = 0; i < expected.size() && worst.violations() == 0; ++i) {
                  if (is_as_expected(expected[i], format<T>, bits_of(result[i]))) continue;
                  remark(std::string(text_of(expected[i])) + is_due);
                  worst = Judgement::fail(i);
                }
                worst.judged =
                    expected.size() - static_cast<std::size_t>(std::ranges::count(expected, Expected::number));
                return worst;
              }));
}

}  // namespace assay::contracts
