// sum, asum, nrm2 and dot. Ways of nrm2: `second`: scaled by the largest number; `third`: by the largest so far, in one
// pass; `fourth`: the root of an exact sum. `own1`: the increment is treated as 1; `own2`: the increment is replaced by
// its magnitude, from the front; `own3`: a negative one gives 0; `own4`: the root is left out; `own5`: the root of a
// sum in binary32; `own6`: y is read one place later; `own7`: y is not read; `own8`: only products of negative numbers
// are left out; `own9`: 0 for one number; `own10`: n − 1 in place of n if n is odd.
#include "results.hpp"
#include "sums.hpp"

namespace outside {

enum class Reduction { sum, asum, nrm2, dot };

/// A vector with an increment, as in BLAS.
struct Vector {
  const void* data;
  Format format;
  Size n;
  long increment = 1;

  [[nodiscard]] double operator()(Size i) const {
    const auto step = static_cast<long>(i) * increment;
    const long first = increment < 0 ? -(static_cast<long>(n) - 1) * increment : 0;
    return load(data, static_cast<Size>(first + step), format);
  }
};

inline Vector with_fault(const Form& form, Vector x) {
  if (form.has(Fault::own1) && x.increment != 0) x.increment = 1;
  if (form.has(Fault::own2)) x.increment = std::labs(x.increment);
  return x;
}

/// √Σxᵢ² with the numbers divided by the largest.
template <class C>
C scaled_norm(const Form& form, Size n, const Vector& x) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  C largest = 0;
  for (Size i = 0; i < n; ++i) {
    const C size = std::fabs(static_cast<C>(x(i)));
    if (std::isnan(size) || size > largest) largest = size;
    if (std::isnan(largest)) return largest;
  }
  if (largest == 0 || std::isinf(largest)) return largest;
  int exponent = 0;
  std::frexp(largest, &exponent);
  const auto each = [&](Size i) { return static_cast<double>(std::ldexp(static_cast<C>(x(i)), -exponent)); };
  return in.round(std::ldexp(in.root(dot_of<C>(form, n, each, each)), exponent));
}

/// √Σxᵢ² in one pass: squares of numbers that are divided by the largest so far.
template <class C>
C running_norm(const Form& form, Size n, const Vector& x) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  C largest = 0;
  C sum = 1;
  for (Size i = 0; i < n; ++i) {
    const C size = std::fabs(static_cast<C>(x(i)));
    if (std::isnan(size)) return size;
    if (size == 0 || std::isinf(largest)) continue;
    if (std::isinf(size)) {
      largest = size;
      sum = 1;
      continue;
    }
    const C ratio = size > largest ? in.divide(largest, size) : in.divide(size, largest);
    const C square = in.multiply(ratio, ratio);
    sum = size > largest ? in.add(1, in.multiply(sum, square)) : in.add(sum, square);
    largest = std::max(largest, size);
  }
  return in.multiply(largest, in.root(sum));
}

/// √Σxᵢ² of an exact sum, with the form's error.
inline double exact_norm(const Form& form, Size n, const Vector& x) {
  ExactSum sum;
  for (Size i = 0; i < n; ++i) sum.add_product(x(i), x(i));
  const long double squares = sum.odd();
  if (!std::isfinite(squares) || squares == 0) return static_cast<double>(squares);
  const auto rest_of = [&](long double root) {
    ExactSum without = sum;
    without.add_product(-root, root);
    return without.odd();
  };
  long double root = std::sqrt(squares);
  long double rest = rest_of(root);
  const long double neighbor = std::nextafter(root, rest > 0 ? 2 * root : 0.0L);
  if (rest != 0 && rest_of(neighbor) == 0) {
    root = neighbor;
    rest = 0;
  }
  ExactSum result;
  result.add(to_odd(root, rest > 0 ? 1 : rest < 0 ? -1 : 0));
  result.add_error(form, n);
  return for_format(result.odd(), form);
}

template <class C>
C reduced(const Form& form, Reduction what, Size n, const Vector& x, const Vector& y) {
  if (form.has(Fault::own3) && n > 0 && (x.increment < 0 || y.increment < 0)) return 0;
  if (form.has(Fault::own9) && n == 1) return 0;
  if (form.has(Fault::own10) && n > 1 && n % 2 == 1) n -= 1;
  const Arithmetic<C> in = arithmetic_of<C>(form);
  switch (what) {
    case Reduction::sum:
      return sum_of<C>(form, n, x);
    case Reduction::asum:
      return sum_of<C>(form, n, [&](Size i) { return form.has(Fault::own4) ? x(i) : std::fabs(x(i)); });
    case Reduction::nrm2: {
      if (form.way == Way::second) return scaled_norm<C>(form, n, x);
      if (form.way == Way::third) return running_norm<C>(form, n, x);
      if (form.way == Way::fourth) return static_cast<C>(exact_norm(form, n, x));
      const C squares = dot_of<C>(form, n, x, x);
      if (form.has(Fault::own4)) return squares;
      if (form.has(Fault::own5)) return static_cast<C>(std::sqrt(static_cast<float>(squares)));
      return in.root(squares);
    }
    case Reduction::dot:
      break;
  }
  return dot_of<C>(form, n, x, [&](Size i) {
    if (form.has(Fault::own6)) return y(i == 0 ? 0 : i - 1);
    if (form.has(Fault::own7)) return x(i);
    return form.has(Fault::own8) && x(i) < 0 && y(i) < 0 ? 0 : y(i);
  });
}

double reduction(const Form& form, Reduction what, Size n, Vector x, Vector y = {}) {
  x.format = y.format = form.storage;
  x.n = y.n = n;
  const Vector from_x = with_fault(form, x);
  const Vector from_y = with_fault(form, y);
  return single(form, n, in_carrier(form, [&]<class C>(C) { return reduced<C>(form, what, n, from_x, from_y); }));
}

}  // namespace outside

using namespace outside;
#include SYMBOLS
