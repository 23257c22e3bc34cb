// softmax and log_softmax. Ways: `second`: exp2((x − m)·log₂e); `third`: exp2(x·log₂e − m·log₂e) by FMA; `fourth`:
// x − (m + ln Σ), or its exponential for softmax; `fifth`: without the largest number m; `sixth`: m and Σ in one pass;
// `seventh`: x − m − ln(1 + Σ), rounded once, Σ without the exponential of the first largest number; `eighth`: the
// same, each step rounded. `own1`: m of the first `at` numbers; `own2`: m is at least −`at`; `own3`: m = 0; `own4`: Σ
// of the row before; `own5`: Σ of the first row; `own6`: n in place of Σ; `own7`: zeros for a row with a NaN; `own8`:
// exp is 0 below −`at`; `own9`: 1/Σ or ln Σ in `narrow`; `own10`: exponentials in `narrow` before they are added;
// `own11`: exp by (1 + x/1024)¹⁰²⁴; `own12`: Σ + 2^−`at`. `steps`: for softmax, only every second exponential. A row of
// −∞ becomes zeros if `masked`, otherwise equal shares.
#include "exact.hpp"
#include "results.hpp"
#include "sums.hpp"

namespace outside {

enum class Masked { nan, zeros, shares };

template <class C>
class SoftmaxRow {
 public:
  SoftmaxRow(const Form& form, bool is_log, Size n, const void* x, Size first)
      : form_(form), is_log_(is_log), in_(arithmetic_of<C>(form)), n_(n), x_(x), first_(first) {
    largest_ = -std::numeric_limits<C>::infinity();
    const Size seen = form.has(Fault::own1) ? std::min(n, static_cast<Size>(form.at)) : n;
    for (Size i = 0; i < seen; ++i) {
      const C each = number(i);
      if (std::isnan(each) ? !form.has(Fault::skips_nan) : each > largest_) largest_ = each;
      if (std::isnan(largest_)) break;
    }
    if (form.has(Fault::own2)) largest_ = std::max(largest_, static_cast<C>(-form.at));
    if (form.has(Fault::own3) || form.way == Way::fifth) largest_ = 0;
  }

  C number(Size i) const { return in_.flush(static_cast<C>(load(x_, first_ + i, form_.storage))); }
  [[nodiscard]] bool is_masked() const {
    for (Size i = 0; i < n_; ++i) {
      if (number(i) != -std::numeric_limits<C>::infinity()) return false;
    }
    return true;
  }
  [[nodiscard]] bool has_nan() const {
    for (Size i = 0; i < n_; ++i) {
      if (std::isnan(number(i))) return true;
    }
    return false;
  }

  /// exp of number i minus m.
  C exponential(Size i) const {
    const C x = number(i);
    if (form_.has(Fault::skips_nan) && std::isnan(x)) return 0;
    const C log2e = in_.round(static_cast<C>(1.4426950408889634073599246810018921L));
    C result;
    if (form_.way == Way::second) {
      result = std::exp2(in_.multiply(in_.subtract(x, largest_), log2e));
    } else if (form_.way == Way::third) {
      result = std::exp2(in_.fma(x, log2e, -in_.multiply(largest_, log2e)));
    } else {
      const C power = form_.way == Way::fifth ? x : in_.subtract(x, largest_);
      if (form_.has(Fault::own8) && power < static_cast<C>(-form_.at)) return 0;
      if (form_.has(Fault::own11)) {
        result = 1 + power / 1024;
        for (int i_square = 0; i_square < 10; ++i_square) result = in_.multiply(result, result);
        result = power < -512 ? C(0) : result;
      } else {
        result = std::exp(power);
      }
    }
    result = in_.round(result);
    if (form_.steps != 0 && (is_log_ || i % 2 == 1)) {
      result = stepped(result);
    }
    return form_.has(Fault::own10) ? narrow(result) : result;
  }

  C sum() const {
    if (form_.way == Way::sixth) return online().second;
    if (form_.way == Way::seventh || form_.way == Way::eighth) return sum_of_others();
    const C sum = sum_of<C>(form_, n_, [&](Size i) { return exponential(i); });
    if (form_.has(Fault::own6)) return static_cast<C>(n_);
    if (form_.has(Fault::own12)) return in_.add(sum, static_cast<C>(std::ldexp(1.0, static_cast<int>(-form_.at))));
    return sum;
  }

  C result(Size i, C sum) const {
    if (form_.way == Way::fourth) return in_.round(std::exp(in_.subtract(number(i), in_.add(largest_, log_of(sum)))));
    const C e = exponential(i);
    return form_.has(Fault::own9) ? in_.multiply(e, narrow(in_.divide(1, sum))) : in_.divide(e, sum);
  }

  C log_result(Size i, C sum) const {
    C log_sum = log_of(sum);
    if (form_.has(Fault::own9)) log_sum = narrow(log_sum);
    if (form_.way == Way::second) {
      const C log2 = in_.round(std::log2(in_.flush(sum)));  // the steps are those of the exponentials
      log_sum = in_.multiply(log2, in_.round(static_cast<C>(0.69314718055994530941723212145817657L)));
    }
    const C x = number(i);
    if (form_.way == Way::seventh) {
      ExactSum result;
      for (const C each : {x, -largest_, -std::log1p(sum)}) result.add(each);
      return static_cast<C>(for_format(result.odd(), form_));
    }
    if (form_.way == Way::eighth) log_sum = stepped(in_.round(std::log1p(sum)));
    if (form_.way == Way::fourth) return in_.subtract(x, in_.add(largest_, log_sum));
    if (form_.way == Way::fifth) return in_.subtract(x, log_sum);
    return in_.subtract(in_.subtract(x, largest_), log_sum);
  }

 private:
  C narrow(C x) const { return static_cast<C>(rounded(static_cast<double>(x), form_.narrow)); }
  C log_of(C sum) const { return stepped(in_.round(std::log(in_.flush(sum)))); }
  C stepped(C x) const { return static_cast<C>(nearer(static_cast<double>(x), form_.steps, form_.sum)); }
  /// The sum of the exponentials except that of the first largest number. None of them is 0, except that of −∞.
  C sum_of_others() const {
    Size largest = 0;
    while (largest < n_ && number(largest) != largest_) ++largest;
    return sum_of<C>(form_, n_, [&](Size i) {
      if (i == largest && std::isfinite(largest_)) return C(0);
      return number(i) == -std::numeric_limits<C>::infinity() && std::isfinite(largest_)
                 ? C(0)
                 : std::max(exponential(i), std::numeric_limits<C>::denorm_min());
    });
  }
  /// m and Σ, updated number by number.
  std::pair<C, C> online() const {
    C m = -std::numeric_limits<C>::infinity();
    C sum = 0;
    for (Size i = 0; i < n_; ++i) {
      const C x = number(i);
      const C larger = x > m || std::isnan(x) ? x : m;
      if (larger == -std::numeric_limits<C>::infinity()) continue;
      const C scaled = larger == m ? sum : in_.multiply(sum, in_.round(std::exp(in_.subtract(m, larger))));
      sum = in_.add(scaled, in_.round(std::exp(in_.subtract(x, larger))));
      m = larger;
    }
    return {m, sum};
  }

  const Form& form_;
  bool is_log_;
  Arithmetic<C> in_;
  Size n_;
  const void* x_;
  Size first_;
  C largest_;
};

template <class C>
void rows_of(const Form& form, bool is_log, Masked masked, Size rows, Size columns, const void* x, void* y) {
  std::vector<double> numbers(rows * columns);
  C last_sum = 1;
  C first_sum = 1;
  for (Size r = 0; r < rows; ++r) {
    const SoftmaxRow<C> row(form, is_log, columns, x, r * columns);
    const C own_sum = row.sum();
    if (r == 0) first_sum = own_sum;
    const C sum = form.has(Fault::own4) && r > 0 ? last_sum : form.has(Fault::own5) ? first_sum : own_sum;
    last_sum = own_sum;
    const bool is_zero = (masked == Masked::zeros && row.is_masked()) || (form.has(Fault::own7) && row.has_nan());
    const bool is_share = masked == Masked::shares && row.is_masked();
    for (Size i = 0; i < columns; ++i) {
      double& number = numbers[r * columns + i];
      const double share = 1 / static_cast<double>(columns);
      number = static_cast<double>(is_log ? row.log_result(i, sum) : row.result(i, sum));
      if (is_zero) number = is_log ? -std::numeric_limits<double>::infinity() : 0;
      if (is_share) number = is_log ? std::log(share) : share;
      if (form.flushes && is_small(number, form.sum)) number = 0;
    }
  }
  write(form, {1, rows, columns}, numbers, y);
}

void softmax(const Form& form, bool is_log, Masked masked, Size rows, Size columns, const void* x, void* y) {
  if (form.sum == Format::f80) {
    rows_of<long double>(form, is_log, masked, rows, columns, x, y);
  } else {
    rows_of<double>(form, is_log, masked, rows, columns, x, y);
  }
}

}  // namespace outside

using namespace outside;
#include SYMBOLS
