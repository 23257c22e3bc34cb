// layer_norm and rms_norm. Ways: `second`: E[x²] − μ² in one pass; `third`: x·a + (b − μa); `fourth`: (x·w)/√V;
// `fifth`: rounded to the format of the results before the weight; `sixth`: Welford's recursion; `seventh`: `second`
// and `third`; `eighth`, of rms_norm: of the numbers divided by a power of two near the largest. `own1`: ε is left out;
// `own2`: ε outside of the root; `own3`: ε at least 2^−`at`; `own4`: the variance is divided by n − 1; `own5`: by the
// padded n, a multiple of `at`; `own6`: no weight after column `at`; `own7`: the weight of the row, not of the column;
// `own8`: the bias is subtracted; `own9`: μ of the row before; `own10`: √V of the row before; `own11`: μ in `narrow`;
// `own12`: 1/√V in `narrow`. `forgets_sign`: of the centered numbers.
#include "results.hpp"
#include "sums.hpp"

namespace outside {

/// The arrays of a norm; without a bias the rows are not centered.
struct NormArrays {
  Size rows, columns;
  double eps;
  const void* x;
  const void* weight;
  const void* bias;
};

template <class C>
struct Moments {
  C mean;
  C root;
};

template <class C>
class NormRow {
 public:
  NormRow(const Form& form, const NormArrays& arrays, Size r)
      : form_(form), in_(arithmetic_of<C>(form)), of_(arrays), r_(r) {
    if (form.way == Way::eighth) exponent_ = exponent_of_largest();
  }

  C number(Size i) const {
    return std::ldexp(static_cast<C>(load(of_.x, r_ * of_.columns + i, form_.storage)), -exponent_);
  }

  Moments<C> moments() const {
    const bool is_centered = of_.bias != nullptr;
    const Size n = of_.columns;
    C count = static_cast<C>(n);
    if (form_.has(Fault::own5))
      count = static_cast<C>((n + static_cast<Size>(form_.at) - 1) / static_cast<Size>(form_.at) *
                             static_cast<Size>(form_.at));
    if (form_.way == Way::sixth && is_centered) return welford();
    const auto x = [&](Size i) { return number(i); };
    C mean = is_centered ? in_.divide(sum_of<C>(form_, n, x), count) : C(0);
    if (form_.has(Fault::own11)) mean = narrow(mean);
    C variance;
    const C divisor = form_.has(Fault::own4) && n > 1 ? count - 1 : count;
    if ((form_.way == Way::second || form_.way == Way::seventh) && is_centered) {
      variance = in_.subtract(in_.divide(dot_of<C>(form_, n, x, x), divisor), in_.multiply(mean, mean));
      if (variance < 0) variance = 0;
    } else {
      const auto centered = [&](Size i) { return is_centered ? in_.subtract(number(i), mean) : number(i); };
      variance = in_.divide(dot_of<C>(form_, n, centered, centered), divisor);
    }
    return {mean, root_of(variance)};
  }

  C result(Size i, const Moments<C>& of) const {
    const auto column = static_cast<Size>(std::max(form_.at, 0L));
    const Size of_weight = form_.has(Fault::own7) ? std::min(r_, of_.columns - 1) : i;
    C w = static_cast<C>(load(of_.weight, of_weight, form_.storage));
    if (form_.has(Fault::own6) && i >= column) w = 1;
    C b = of_.bias == nullptr ? C(0) : static_cast<C>(load(of_.bias, i, form_.storage));
    if (form_.has(Fault::own8)) b = -b;
    const C x = number(i);
    C result;
    if (form_.way == Way::third || form_.way == Way::seventh) {
      const C a = in_.divide(w, of.root);
      result = in_.add(in_.multiply(x, a), in_.subtract(b, in_.multiply(of.mean, a)));
    } else {
      C d = of_.bias == nullptr ? x : in_.subtract(x, of.mean);
      if (form_.has(Fault::forgets_sign)) d = std::fabs(d);
      if (form_.way == Way::fourth) {
        result = in_.divide(in_.multiply(d, w), of.root);
      } else {
        C normal = form_.has(Fault::own12) ? in_.multiply(d, narrow(in_.divide(1, of.root))) : in_.divide(d, of.root);
        if (form_.way == Way::fifth) normal = static_cast<C>(rounded(static_cast<double>(normal), form_.result));
        result = in_.multiply(normal, w);
      }
      if (of_.bias != nullptr) result = in_.add(result, b);
    }
    return in_.flush(result);
  }

 private:
  /// A power of two near the largest number, but not less than half of ε, which is divided twice. 0 if a number is not
  /// finite.
  int exponent_of_largest() const {
    C largest = std::sqrt(static_cast<C>(of_.eps));
    for (Size i = 0; i < of_.columns; ++i) {
      if (!std::isfinite(number(i))) return 0;
      largest = std::max(largest, std::fabs(number(i)));
    }
    return largest == 0 || !std::isfinite(largest) ? 0 : std::ilogb(largest);
  }
  C narrow(C x) const { return static_cast<C>(rounded(static_cast<double>(x), form_.narrow)); }
  C root_of(C variance) const {
    C eps = std::ldexp(static_cast<C>(of_.eps), -2 * exponent_);
    if (form_.has(Fault::own3)) eps = std::max(eps, static_cast<C>(std::ldexp(1.0, static_cast<int>(-form_.at))));
    if (form_.has(Fault::own1)) return in_.root(variance);
    if (form_.has(Fault::own2)) return in_.add(in_.root(variance), eps);
    return in_.root(in_.add(variance, eps));
  }
  Moments<C> welford() const {
    C mean = 0;
    C squares = 0;
    for (Size i = 0; i < of_.columns; ++i) {
      const C d = in_.subtract(number(i), mean);
      mean = in_.add(mean, in_.divide(d, static_cast<C>(i + 1)));
      squares = in_.add(squares, in_.multiply(d, in_.subtract(number(i), mean)));
    }
    return {mean, root_of(in_.divide(squares, static_cast<C>(of_.columns)))};
  }

  const Form& form_;
  Arithmetic<C> in_;
  const NormArrays& of_;
  Size r_;
  int exponent_ = 0;  ///< numbers are divided by this power of two
};

template <class C>
void rows_of(const Form& form, const NormArrays& arrays, void* y) {
  std::vector<double> numbers(arrays.rows * arrays.columns);
  Moments<C> last{};
  for (Size r = 0; r < arrays.rows; ++r) {
    const NormRow<C> row(form, arrays, r);
    const Moments<C> own = row.moments();
    Moments<C> used = own;
    if (form.has(Fault::own9) && r > 0) used.mean = last.mean;
    if (form.has(Fault::own10) && r > 0) used.root = last.root;
    last = own;
    for (Size i = 0; i < arrays.columns; ++i)
      numbers[r * arrays.columns + i] = static_cast<double>(row.result(i, used));
  }
  write(form, {1, arrays.rows, arrays.columns}, numbers, y);
}

void norm(const Form& form, const NormArrays& arrays, void* y) {
  if (form.sum == Format::f80) {
    rows_of<long double>(form, arrays, y);
  } else {
    rows_of<double>(form, arrays, y);
  }
}

}  // namespace outside

using namespace outside;
#include SYMBOLS
