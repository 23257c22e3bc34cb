#pragma once
// All operations on double words together, on operands outside the ranges in which their theorems hold: near underflow,
// near overflow, zeros, infinities and NaN. docs/bounds/dw.md, "Outside the ranges".

#include "errorbounds/dw_theorems.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "properties/catalog/dw/properties.hpp"

namespace assay::dw {

/// The operations in the order of a result's components. Operations whose second operand is a word take the high word
/// of y.
enum class Operation : std::size_t {
  add_fp,
  accurate_add,
  sloppy_add,
  mul_fp1,
  mul_fp2,
  mul_fp3,
  mul1,
  mul2,
  mul3,
  div_fp1,
  div_fp2,
  div_fp3,
  div1,
  div2,
  div3,
  sqrt,
  count
};

/// The results of all operations on one case.
template <class T>
using OutsideResults = std::vector<DoubleWord<T>>;
template <class T>
using OutsideClaim = Claim<DwDw<T>, OutsideResults<T>, std::vector<oracle::Exact>>;

template <class T>
bool is_zero_word(T x) {
  return bits_of(abs(x)) == 0;
}

/// Whether the operation has the word y.h as its second operand, not y.
inline bool takes_a_word(Operation op) {
  return op == Operation::add_fp || (op >= Operation::mul_fp1 && op <= Operation::mul_fp3) ||
         (op >= Operation::div_fp1 && op <= Operation::div_fp3);
}

/// Whether 2^(1 − emax) ≤ |y| ≤ 2^(−emin − 1): 1/y and y are normal numbers.
template <class T>
bool has_normal_reciprocal(T y) {
  using oracle::Dyadic;
  constexpr oracle::Format format = format_of<T>();
  if (!is_finite_word(y)) return false;
  const Dyadic value = value_of(y);
  return compare_abs(value, Dyadic::scaled(1, -format.emin - 1)) <= 0 &&
         compare_abs(value, Dyadic::scaled(1, 1 - format.emax)) >= 0;
}

/// The class of an operation's operands, decided on their exact values.
enum class Outcome {
  finite,        ///< every intermediate is finite
  not_a_number,  ///< both words are NaN
  either         ///< near the largest number, or a reciprocal that is not a normal number
};

template <class T>
Outcome outcome(Operation op, const DwDw<T>& c) {
  using oracle::Dyadic;
  constexpr oracle::Format format = format_of<T>();
  if (!is_finite_word(c.x.h) || (op != Operation::sqrt && !is_finite_word(c.y.h))) return Outcome::not_a_number;
  const Dyadic x = value_of(c.x.h);
  if (op == Operation::sqrt) return x.sign() < 0 ? Outcome::not_a_number : Outcome::finite;
  const Dyadic y = value_of(c.y.h);
  const Dyadic most = Dyadic::scaled(1, format.emax);
  const Dyadic overflow = most + most;
  const auto by_magnitude = [&](const Dyadic& first, const Dyadic& unit) {
    return compare_abs(first, most * unit) < 0        ? Outcome::finite
           : compare_abs(first, overflow * unit) >= 0 ? Outcome::not_a_number
                                                      : Outcome::either;
  };
  if (op <= Operation::sloppy_add) {
    const Dyadic half = Dyadic::scaled(1, format.emax - 1);
    if (compare_abs(x, half) < 0 && compare_abs(y, half) < 0) return Outcome::finite;
    return compare_abs(x + y, overflow) >= 0 ? Outcome::not_a_number : Outcome::either;
  }
  if (op <= Operation::mul3) return by_magnitude(x * y, 1);
  if (y.is_zero()) return Outcome::not_a_number;
  if (op == Operation::div3) {
    return has_normal_reciprocal(c.y.h) && compare_abs(x, y * most) < 0 ? Outcome::finite : Outcome::either;
  }
  const Outcome quotient = by_magnitude(x, y);
  return quotient == Outcome::finite && compare_abs(x, most) >= 0 ? Outcome::either : quotient;
}

/// The exact results; 0 where a result must be NaN.
template <class T>
std::vector<oracle::Exact> outside_truths(const DwDw<T>& c) {
  std::vector<oracle::Exact> truths(static_cast<std::size_t>(Operation::count), oracle::Dyadic());
  if (!is_finite_word(c.x.h)) return truths;
  const oracle::Dyadic x = value_of(c.x);
  if (x.sign() >= 0) truths.back() = oracle::square_root(x);
  if (!is_finite_word(c.y.h)) return truths;
  const oracle::Dyadic words[] = {value_of(c.y.h), value_of(c.y)};
  for (std::size_t i = 0; i + 1 < truths.size(); ++i) {
    const auto op = static_cast<Operation>(i);
    const oracle::Dyadic& y = words[takes_a_word(op) ? 0 : 1];
    if (op <= Operation::sloppy_add) {
      truths[i] = x + y;
    } else if (op <= Operation::mul3) {
      truths[i] = x * y;
    } else if (!y.is_zero()) {
      truths[i] = oracle::quotient(x, y);
    }
  }
  return truths;
}

namespace detail {

/// judge(operation, its result) for the operations from `first` to `last`; returns the worst judgment.
template <class T, class Judge>
Judgement each_operation(const OutsideResults<T>& results, Operation first, Operation last, const Judge& judge) {
  Judgement worst;
  for (std::size_t i = static_cast<std::size_t>(first); i <= static_cast<std::size_t>(last); ++i) {
    worst.worsen(judge(static_cast<Operation>(i), results[i]));
  }
  return worst;
}

/// The results of the operations from `first` to `last` are within the bound if their high word is finite.
/// bound(operation, x, y) gets the values of the operands.
template <class T, class BoundOf>
auto within_where_finite(const char* id, const AnyTheorem auto& theorem, Operation first, Operation last,
                         BoundOf bound) {
  return claim_spec(id, theorem, [=](const DwDw<T>& c, const auto& truths, const OutsideResults<T>& results) {
    return each_operation<T>(results, first, last, [&](Operation op, const DoubleWord<T>& z) {
      const auto at = static_cast<std::size_t>(op);
      if (!is_finite_word(z.h)) return Judgement::pass();
      if (!is_finite_word(z.l) || !is_finite_word(c.x.h)) return Judgement::fail(at);
      if (op != Operation::sqrt && !is_finite_word(c.y.h)) return Judgement::fail(at);
      const oracle::Dyadic y = op == Operation::sqrt ? oracle::Dyadic()
                               : takes_a_word(op)    ? value_of(c.y.h)
                                                     : value_of(c.y);
      return judge_within(value_of(z), truths[at], bound(op, value_of(c.x), y), at);
    });
  });
}

}  // namespace detail

/// The promises of the operations for any operands.
template <class T>
std::vector<OutsideClaim<T>> outside_claims() {
  using oracle::Dyadic;
  const auto products = [](const auto& theorem) {
    return [theorem](Operation, const Dyadic& x, const Dyadic& y) { return theorem(format_of<T>(), abs(x * y)); };
  };
  const auto quotients = [](const auto& theorem) {
    return [theorem](Operation, const Dyadic& x, const Dyadic& y) { return theorem(format_of<T>(), abs(x), abs(y)); };
  };
  return {
      detail::within_where_finite<T>("sums", dw_outside_1, Operation::add_fp, Operation::sloppy_add,
                                     [](Operation op, const Dyadic& x, const Dyadic& y) -> Bound {
                                       if (op == Operation::sloppy_add)
                                         return dw_sloppy_add_1(precision<T>, abs(x) + abs(y));
                                       const RelativeBound bound = op == Operation::add_fp
                                                                       ? dw_add_fp_1(precision<T>)
                                                                       : dw_accurate_add_1(precision<T>);
                                       return {bound.numerator * abs(x + y), bound.denominator};
                                     }),
      detail::within_where_finite<T>("products_with_words", dw_outside_2, Operation::mul_fp1, Operation::mul_fp3,
                                     products(dw_outside_2)),
      detail::within_where_finite<T>("products", dw_outside_3, Operation::mul1, Operation::mul3,
                                     products(dw_outside_3)),
      detail::within_where_finite<T>("quotients_by_words", dw_outside_4, Operation::div_fp1, Operation::div_fp3,
                                     quotients(dw_outside_4)),
      detail::within_where_finite<T>("quotients", dw_outside_5, Operation::div1, Operation::div2,
                                     quotients(dw_outside_5)),
      when(
          "2^(1 − emax) ≤ |yₕ| ≤ 2^(−emin − 1)", [](const DwDw<T>& c) { return has_normal_reciprocal(c.y.h); },
          detail::within_where_finite<T>("quotients_by_reciprocals", dw_outside_9, Operation::div3, Operation::div3,
                                         quotients(dw_outside_9))),
      detail::within_where_finite<T>(
          "root", dw_outside_6, Operation::sqrt, Operation::sqrt,
          [](Operation, const Dyadic& x, const Dyadic&) -> RelativeBound { return dw_outside_6(format_of<T>(), x); }),
      satisfies("finite", dw_outside_7,
                [](const DwDw<T>& c, const OutsideResults<T>& results) {
                  return detail::each_operation<T>(
                      results, Operation::add_fp, Operation::sqrt, [&](Operation op, const DoubleWord<T>& z) {
                        const bool holds = is_finite_word(z.h) ? is_normalised(z) : outcome(op, c) != Outcome::finite;
                        return Judgement::of(holds, static_cast<std::size_t>(op));
                      });
                }),
      satisfies("not_a_number", dw_outside_8,
                [](const DwDw<T>& c, const OutsideResults<T>& results) {
                  return detail::each_operation<T>(
                      results, Operation::add_fp, Operation::sqrt, [&](Operation op, const DoubleWord<T>& z) {
                        const bool nans = z.h != z.h && z.l != z.l;
                        return Judgement::of(nans || outcome(op, c) != Outcome::not_a_number,
                                             static_cast<std::size_t>(op));
                      });
                }),
  };
}

namespace detail {

/// A double word whose high word is infinite, NaN, zero, subnormal, largest or any.
template <class T>
DoubleWord<T> draw_special(Draw& draw) {
  constexpr oracle::Format format = format_of<T>();
  const T infinity = number_of<T>(format.infinity() | (draw.coin() ? format.sign_mask() : 0));
  const T nan = number_of<T>(format.nan());
  const T zero = number_of<T>(draw.coin() ? format.sign_mask() : 0);
  switch (draw.below(6)) {
    case 0:
      return {infinity, zero};
    case 1:
      return {infinity, draw.coin() ? nan : negated(infinity)};
    case 2:
      return {nan, draw.coin() ? nan : draw_number<T>(draw, Significand::any, 0)};
    case 3:
      return {zero, zero};
    case 4:
      return {draw_number<T>(draw, Significand::all_ones, format.emax), zero};
    default:
      return draw_double_word<T>(draw, Significand::any, LowWord::any,
                                 draw_exponent<T>(draw, Exponents::full_range, full_box<T>()), full_box<T>());
  }
}

/// Operands whose exponents have a sum (sign 1) or a difference (sign −1) from `low` to `high`.
template <class T>
CaseGenerator<DwDw<T>> operands_around(int sign, int low, int high) {
  return drawn<DwDw<T>>([=](Draw& draw) {
    constexpr Box box = full_box<T>();
    const int target = draw.between(low, high);
    const int first = std::max(box.low, sign > 0 ? target - box.high : target + box.low);
    const int last = std::min(box.high, sign > 0 ? target - box.low : target + box.high);
    const int x = draw.between(first, last);
    const int y = sign * (target - x);
    return DwDw<T>{draw_double_word<T>(draw, Significand::any, LowWord::any, x, box),
                   draw_double_word<T>(draw, Significand::any, LowWord::any, y, box)};
  });
}

/// Operands with exponents from low_x to high_x and from low_y to high_y.
template <class T>
CaseGenerator<DwDw<T>> operands_of_exponents(int low_x, int high_x, int low_y, int high_y) {
  return drawn<DwDw<T>>([=](Draw& draw) {
    constexpr Box box = full_box<T>();
    const auto x = draw_double_word<T>(draw, Significand::any, LowWord::any, draw.between(low_x, high_x), box);
    return DwDw<T>{x, draw_double_word<T>(draw, Significand::any, LowWord::any, draw.between(low_y, high_y), box)};
  });
}

template <class T>
CaseGenerator<DwDw<T>> operands_at(Exponents of_x, Exponents of_y) {
  return drawn<DwDw<T>>([=](Draw& draw) {
    constexpr Box box = full_box<T>();
    const auto x = draw_double_word<T>(draw, Significand::any, LowWord::any, draw_exponent<T>(draw, of_x, box), box);
    return DwDw<T>{x,
                   draw_double_word<T>(draw, Significand::any, LowWord::any, draw_exponent<T>(draw, of_y, box), box)};
  });
}

}  // namespace detail

/// Any two double words, and words that follow an infinite or NaN high word.
template <class T>
Domain<DwDw<T>> outside_operands() {
  using F = FloatTraits<T>;
  constexpr int p = F::precision;
  return with_special_operands<DwDw<T>, DoubleWord<T>>(
      {
          {"product near underflow", 4, detail::operands_around<T>(1, F::emin - p - 1, F::emin + 2 * p + 2)},
          {"quotient near underflow", 4, detail::operands_around<T>(-1, F::emin - p - 1, F::emin + p + 2)},
          {"both subnormal or small", 3, detail::operands_at<T>(Exponents::low_edge, Exponents::low_edge)},
          {"small, and any", 2, detail::operands_at<T>(Exponents::low_edge, Exponents::full_range)},
          {"reciprocal near underflow", 1,
           detail::operands_of_exponents<T>(F::emax - 2 * p - 2, F::emax - 2, -F::emin - p - 4, -F::emin - 2)},
          {"any, and small", 1, detail::operands_at<T>(Exponents::full_range, Exponents::low_edge)},
          {"product near overflow", 2, detail::operands_around<T>(1, F::emax - 2, F::emax + 1)},
          {"quotient near overflow", 1, detail::operands_around<T>(-1, F::emax - 2, F::emax + 1)},
          {"sum near overflow", 2, detail::operands_at<T>(Exponents::high_edge, Exponents::high_edge)},
      },
      4, detail::draw_special<T>, [](const DoubleWord<T>& x) { return !is_finite_word(x.h) || is_double_word(x); },
      "any double words, and any word behind an infinite or NaN high word");
}

/// The promises of all operations for any operands; `subject` gives their results.
template <class T>
Property<DwDw<T>, OutsideResults<T>, std::vector<oracle::Exact>> outside_property(
    Subject<DwDw<T>, OutsideResults<T>> subject) {
  return {.name = "dw.outside" + format_suffix<T>(),
          .domain = outside_operands<T>(),
          .subject = std::move(subject),
          .reference = outside_truths<T>,
          .claims = outside_claims<T>(),
          .inexact = [](const auto&, const auto&, const OutsideResults<T>& z) { return !is_zero_word(z[6].l); },
          .quick_cases = 4000};
}

}  // namespace assay::dw
