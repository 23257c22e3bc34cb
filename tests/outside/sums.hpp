#pragma once
// Sums of terms in a given order, with the faults of terms and accumulators.

#include <numeric>

#include "exact.hpp"

namespace outside {

/// The indices of the terms that a sum of n terms adds.
inline std::vector<Size> terms_of(const Form& form, Size n) {
  const auto at = static_cast<Size>(std::max(form.at, 0L));
  std::vector<Size> terms(n);
  std::iota(terms.begin(), terms.end(), Size{0});
  const auto drop = [&](Size first, Size last) {
    first = std::min(first, terms.size());
    last = std::clamp(last, first, terms.size());
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(first), terms.begin() + static_cast<std::ptrdiff_t>(last));
  };
  if (n == 0) return terms;
  switch (form.fault) {
    case Fault::drops_first:
      drop(0, 1);
      break;
    case Fault::drops_last:
      drop(n - 1, n);
      break;
    case Fault::drops_term:
      drop(at, at + 1);
      break;
    case Fault::drops_tail:
      drop(n - n % at, n);
      break;
    case Fault::drops_beyond:
      drop(at, n);
      break;
    case Fault::drops_tile:
      drop(at, 2 * at);
      break;
    case Fault::repeats_first:
      terms.push_back(0);
      break;
    case Fault::repeats_last:
      terms.push_back(n - 1);
      break;
    case Fault::repeats_term:
      if (at < n) terms.push_back(at);
      break;
    case Fault::repeats_tail:
      for (Size i = n - n % at; n > at && i < n; ++i) terms.push_back(i);
      break;
    case Fault::counts_modulo:
      drop(n % at, n);
      break;
    case Fault::reads_behind:
      for (Size& each : terms) each = each == 0 ? 0 : each - 1;
      break;
    default:
      break;
  }
  return terms;
}

/// A term, changed by the fault; `is_there` is false if it is left out.
template <class C>
struct Taken {
  C value;
  bool is_there = true;
};
template <class C>
Taken<C> taken(const Form& form, C x) {
  switch (form.fault) {
    case Fault::skips_nan:
      return {x, !std::isnan(x)};
    case Fault::nan_is_one:
      return {std::isnan(x) ? C(1) : x};
    case Fault::skips_infinity:
      return {x, !std::isinf(x)};
    case Fault::skips_negative:
      return {x, !(x < 0)};
    case Fault::skips_small:
      return {x, !(std::fabs(x) < static_cast<C>(std::ldexp(1.0, static_cast<int>(form.at))))};
    case Fault::forgets_sign:
      return {std::fabs(x)};
    default:
      return {x};
  }
}

/// A partial sum, changed by the fault.
template <class C>
C partial(const Form& form, C sum) {
  const int at = static_cast<int>(form.at);
  if (form.has(Fault::saturates)) {
    const C most = static_cast<C>(std::ldexp(1.0, at));
    return sum > most ? most : sum < -most ? -most : sum;
  }
  if (form.has(Fault::overflows) && std::fabs(sum) >= static_cast<C>(std::ldexp(1.0, at))) {
    return std::copysign(std::numeric_limits<C>::infinity(), sum);
  }
  if (form.has(Fault::wraps)) {
    const C all = static_cast<C>(std::ldexp(1.0, at));
    return sum - all * std::floor(sum / all + C(0.5));
  }
  return sum;
}

/// Whether the fault leaves out terms by their value.
inline bool chooses_terms(Fault fault) {
  return fault == Fault::skips_nan || fault == Fault::skips_infinity || fault == Fault::skips_negative ||
         fault == Fault::skips_small;
}

/// Sums of terms. plus(sum, i) is the rounded value of sum plus term i; value(i) is the value of the term and rest(i,
/// term) its error.
template <class C, class Plus, class Value, class Rest>
class Adder {
 public:
  Adder(const Form& form, Plus plus, Value value, Rest rest)
      : form_(form), in_(arithmetic_of<C>(form)), plus_(plus), value_(value), rest_(rest) {}

  C of(Size n) const {
    if (form_.has(Fault::none) && form_.order == Order::forward) {
      C sum = 0;
      for (Size i = 0; i < n; ++i) sum = plus_(sum, i);
      return sum;
    }
    std::vector<Size> terms = terms_of(form_, n);
    if (chooses_terms(form_.fault)) {
      std::erase_if(terms, [&](Size i) { return !taken(form_, value_(i)).is_there; });
    }
    if (form_.has(Fault::stops_at_zero)) {
      terms.erase(std::find_if(terms.begin(), terms.end(), [&](Size i) { return value_(i) == 0; }), terms.end());
    }
    if (form_.has(Fault::flickers)) {
      static long calls = 0;
      if (++calls % 3 == 0) std::reverse(terms.begin(), terms.end());
    }
    if (form_.has(Fault::narrow_parts)) return in_parts(terms);
    return in_order(terms, form_.has(Fault::starts_at_one) ? C(1) : C(0));
  }

 private:
  C next(C sum, Size i) const { return partial(form_, plus_(sum, i)); }
  C joined(C x, C y) const { return partial(form_, in_.add(x, y)); }
  C chain(const std::vector<Size>& terms, Size first, Size last, Size step, C sum) const {
    for (Size i = first; i < last; i += step) sum = next(sum, terms[i]);
    return sum;
  }
  C halved(const std::vector<Size>& terms, Size first, Size last) const {
    if (last - first <= 1) return chain(terms, first, last, 1, 0);
    const Size middle = first + (last - first + 1) / 2;
    return joined(halved(terms, first, middle), halved(terms, middle, last));
  }
  C in_parts(const std::vector<Size>& terms) const {
    C sum = 0;
    for (Size i = 0; i < terms.size(); i += 64) {
      const C part = chain(terms, i, std::min(i + 64, terms.size()), 1, 0);
      sum = joined(sum, static_cast<C>(rounded(static_cast<double>(part), form_.narrow)));
    }
    return sum;
  }
  C in_order(std::vector<Size>& terms, C start) const {
    constexpr Size lanes = 8;
    const Size n = terms.size();
    switch (form_.order) {
      case Order::forward:
        return chain(terms, 0, n, 1, start);
      case Order::backward:
        std::reverse(terms.begin(), terms.end());
        return chain(terms, 0, n, 1, start);
      case Order::pairwise:
        return n == 0 ? start : start == 0 ? halved(terms, 0, n) : joined(start, halved(terms, 0, n));
      case Order::lanes: {
        C sum = start;
        for (Size lane = 0; lane < std::min(lanes, n); ++lane) sum = joined(sum, chain(terms, lane, n, lanes, 0));
        return sum;
      }
      case Order::blocks: {
        C sum = start;
        for (Size i = 0; i < n; i += 64) sum = joined(sum, chain(terms, i, std::min(i + 64, n), 1, 0));
        return sum;
      }
      case Order::halves:
        return joined(chain(terms, 0, n / 2, 1, start), chain(terms, n / 2, n, 1, 0));
      case Order::exact:
        return exact(terms);
      case Order::compensated:
        break;
    }
    return compensated(terms, start);
  }
  C exact(const std::vector<Size>& terms) const {
    ExactSum sum;
    for (const Size i : terms) {
      const C term = plus_(0, i);
      sum.add(static_cast<long double>(term));
      if (std::isfinite(term)) sum.add(static_cast<long double>(rest_(i, term)));
    }
    if (!terms.empty()) sum.add_error(form_, terms.size() - 1);
    return static_cast<C>(for_format(sum.odd(), form_));
  }
  /// Neumaier's sum, with the errors of the products if plus() multiplies: Dot2.
  C compensated(const std::vector<Size>& terms, C sum) const {
    C errors = 0;
    for (const Size i : terms) {
      const C term = plus_(0, i);
      const C next_sum = in_.add(sum, term);
      const C back = in_.subtract(next_sum, sum);
      const C error = in_.add(in_.subtract(sum, in_.subtract(next_sum, back)), in_.subtract(term, back));
      errors = in_.add(errors, in_.add(error, rest_(i, term)));
      sum = next_sum;
    }
    return std::isfinite(sum) ? in_.add(sum, errors) : sum;
  }

  const Form& form_;
  Arithmetic<C> in_;
  Plus plus_;
  Value value_;
  Rest rest_;
};

/// Σ x(i) of n terms, as the form adds.
template <class C, class X>
C sum_of(const Form& form, Size n, X x) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  const auto plus = [&, in](C sum, Size i) { return in.add(sum, taken(form, static_cast<C>(x(i))).value); };
  const auto rest = [](Size, C) { return C(0); };
  return Adder<C, decltype(plus), X, decltype(rest)>(form, plus, x, rest).of(n);
}

/// Σ x(i)·y(i) of n terms, multiplied and added as in the form.
template <class C, class X, class Y>
C dot_of(const Form& form, Size n, X x, Y y) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  const bool changes = form.has(Fault::nan_is_one) || form.has(Fault::forgets_sign);
  const auto product = [&, in](Size i) { return in.multiply(static_cast<C>(x(i)), static_cast<C>(y(i))); };
  const auto plus = [&, in](C sum, Size i) {
    if (changes) return in.add(sum, taken(form, product(i)).value);
    if (form.fma) return in.fma(static_cast<C>(x(i)), static_cast<C>(y(i)), sum);
    return in.add(sum, product(i));
  };
  const auto rest = [&](Size i, C term) { return std::fma(static_cast<C>(x(i)), static_cast<C>(y(i)), -term); };
  return Adder<C, decltype(plus), decltype(product), decltype(rest)>(form, plus, product, rest).of(n);
}

}  // namespace outside
