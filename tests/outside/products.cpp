// matmul and matmul_epilogue: row-major, one product after the other. Ways: `second`: partial sums of 32 terms are
// added (split k); `third`: C is in the accumulator before the first term; `fourth`: factors are cut to the 11 bits of
// TF32; `fifth`: the accumulator is in `narrow`; `sixth`: products of 64 bits, in two words of 64 bits, rounded once;
// `seventh` and `eighth`: a matrix unit adds 16 products to its accumulator at once, which is in `narrow`, and for
// `eighth` contains βC before the first term, the products being of αA and B. `own1`: B of the product before; `own2`:
// A is read transposed; `own3`: B is read transposed; `own4`: row i of A is row i − 1 from row `at` on; `own5`: column
// j of B is column j − 1 from column `at` on; `own6`: β is left out; `own7`: α is left out; `own8`: C of the first
// product; `own9`: C is read although β = 0; `own10`: α is applied to C, too; `own11`: row `at` and the rows after it
// are added in another order; `own12`: the same for column `at` and the columns after it.
#include "results.hpp"
#include "sums.hpp"

namespace outside {

/// The arrays of products; c is null without an epilogue.
struct ProductArrays {
  Size batch, m, n, k;
  double alpha;
  const void* a;
  const void* b;
  double beta;
  const void* c;
};
/// The numbers of A and B, and the entries of AB where plain loops add them (plain_product()).
struct Factors {
  std::vector<double> a, b;
  std::vector<double> product = {};
};

/// A number of 24 bits cut to the 11 bits of TF32.
inline double cut(double x) {
  const auto number = static_cast<float>(x);
  std::uint32_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  bits &= 0xffffe000u;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

/// The numbers of an array as the variant reads them.
inline std::vector<double> numbers_of(const Form& form, const void* array, Size n) {
  std::vector<double> numbers(n);
  for (Size i = 0; i < n; ++i) {
    const double x = load(array, i, form.storage);
    numbers[i] = form.way == Way::fourth ? cut(x) : x;
  }
  return numbers;
}

template <class C>
C start_of(const Form& form, const ProductArrays& of, Size place) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  if (of.c == nullptr || form.has(Fault::own6)) return 0;
  if (of.beta == 0 && !form.has(Fault::own9)) return 0;
  const C start = in.multiply(static_cast<C>(of.beta), static_cast<C>(load(of.c, place, form.result)));
  return form.has(Fault::own10) ? in.multiply(start, static_cast<C>(of.alpha)) : start;
}

/// A sum in two words; `is_exact` if nothing is lost in them.
struct WordsOfSum {
  long double high, low;
  bool is_exact;
};

/// The sum of products of numbers of 24 bits.
template <class X, class Y>
WordsOfSum sum_in_words(Size k, X x, Y y) {
  long double largest = 0;
  long double smallest = std::numeric_limits<long double>::max();
  long double high = 0;
  long double low = 0;
  for (Size l = 0; l < k; ++l) {
    const long double term = static_cast<long double>(x(l)) * static_cast<long double>(y(l));
    largest = std::max(largest, std::fabs(term));
    if (term != 0) smallest = std::min(smallest, std::fabs(term));
    const long double sum = high + term;
    const long double back = sum - high;
    low += (high - (sum - back)) + (term - back);
    high = sum;
  }
  // All terms are multiples of smallest·2⁻⁴⁸, and low is below k·largest·2⁻⁶³.
  return {high, low, std::ldexp(smallest, 79) >= largest * static_cast<long double>(k)};
}

/// α times the exact sum of products of numbers of 24 bits, and start: rounded once.
template <class X, class Y>
double exact_product(const Form& form, Size k, X x, Y y, double alpha, double start) {
  const WordsOfSum words = sum_in_words(k, x, y);
  ExactSum sum;
  if (words.is_exact && std::isfinite(words.high)) {
    sum.add_product(alpha, words.high);
    sum.add_product(alpha, words.low);
  } else {
    for (Size l = 0; l < k; ++l) sum.add_product(alpha, x(l), y(l));
  }
  sum.add(start);
  return for_format(sum.odd(), form);
}

/// start + Σ x(l)·y(l) as a matrix unit adds: 16 products at once, which fit in binary64, to an accumulator in
/// `narrow`. The accumulator for fp8 is truncated, the others are rounded.
template <class X, class Y>
double sum_of_unit(const Form& form, Size k, X x, Y y, double start) {
  constexpr Size at_once = 16;
  const std::vector<Size> terms = terms_of(form, k);
  double sum = start;
  for (Size first = 0; first < terms.size(); first += at_once) {
    for (Size i = first; i < std::min(first + at_once, terms.size()); ++i) sum += x(terms[i]) * y(terms[i]);
    sum = rounded(sum, form.narrow, form.narrow == Format::e8m13);
  }
  return sum;
}

template <class C, class X, class Y>
C product_of(const Form& form, Size k, X x, Y y) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  C sum = 0;
  if (form.way == Way::fifth) {
    for (Size l = 0; l < k; ++l) {
      const C next = in.add(sum, in.multiply(static_cast<C>(x(l)), static_cast<C>(y(l))));
      sum = static_cast<C>(rounded(static_cast<double>(next), form.narrow, form.cuts));
    }
    return sum;
  }
  if (form.way == Way::seventh) return static_cast<C>(sum_of_unit(form, k, x, y, 0));
  if (form.way == Way::sixth) return static_cast<C>(exact_product(form, k, x, y, 1, 0));
  if (form.way != Way::second) return dot_of<C>(form, k, x, y);
  for (Size first = 0; first < k; first += 32) {
    const auto from_x = [&](Size l) { return x(first + l); };
    const auto from_y = [&](Size l) { return y(first + l); };
    C part = dot_of<C>(form, std::min<Size>(32, k - first), from_x, from_y);
    if (form.narrow != Format::f64) part = static_cast<C>(rounded(static_cast<double>(part), form.narrow));
    sum = partial(form, in.add(sum, part));
  }
  return sum;
}

/// Whether every sum adds its terms in their order in binary32 or binary64, with operations of C++.
inline bool is_plain(const Form& form) {
  const bool is_real = form.sum == Format::f64 || (form.sum == Format::f32 && form.storage != Format::f64);
  return is_real && form.has(Fault::none) && form.order == Order::forward && form.way == Way::usual && !form.fma &&
         !form.flushes && !form.cuts;
}

/// The entries of all products, each a sum of its terms in their order. The loop over a row's entries is the innermost
/// one, and gives the same bits as entry() for a plain form in less time.
template <class Real>
std::vector<double> plain_product(const ProductArrays& of, const Factors& factors) {
  const std::vector<Real> a(factors.a.begin(), factors.a.end());
  const std::vector<Real> b(factors.b.begin(), factors.b.end());
  std::vector<Real> sums(of.batch * of.m * of.n);
  for (Size row = 0; row < of.batch * of.m; ++row) {
    Real* const sum = sums.data() + row * of.n;
    for (Size l = 0; l < of.k; ++l) {
      const Real x = a[row * of.k + l];
      const Real* const y = b.data() + (row / of.m * of.k + l) * of.n;
      for (Size j = 0; j < of.n; ++j) sum[j] += x * y[j];
    }
  }
  return {sums.begin(), sums.end()};
}

template <class C>
double entry(const Form& form, const ProductArrays& of, const Factors& factors, Size p, Size i, Size j) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  const auto at = static_cast<Size>(std::max(form.at, 0L));
  const Size place = (p * of.m + i) * of.n + j;
  if (form.has(Fault::own4) && i >= at && i > 0) --i;
  if (form.has(Fault::own5) && j >= at && j > 0) --j;
  const Size of_b = form.has(Fault::own1) && p > 0 ? p - 1 : p;
  const double* const a = factors.a.data() + p * of.m * of.k;
  const double* const b = factors.b.data() + of_b * of.k * of.n;
  const auto x = [&](Size l) { return a[form.has(Fault::own2) ? (l * of.m + i) % (of.m * of.k) : i * of.k + l]; };
  const auto y = [&](Size l) { return b[form.has(Fault::own3) ? (j * of.k + l) % (of.k * of.n) : l * of.n + j]; };
  Form own = form;
  const bool is_apart = (form.has(Fault::own11) && i >= at) || (form.has(Fault::own12) && j >= at);
  if (is_apart) own.order = form.order == Order::forward ? Order::halves : Order::forward;
  const C alpha = form.has(Fault::own7) ? C(1) : static_cast<C>(of.alpha);
  const Size of_c = form.has(Fault::own8) ? i * of.n + j : place;
  const C start = start_of<C>(form, of, of_c);
  const auto product = [&] {
    return factors.product.empty() ? product_of<C>(own, of.k, x, y) : static_cast<C>(factors.product[place]);
  };
  if (of.c == nullptr) return static_cast<double>(product());
  if (form.way == Way::sixth && alpha != 0) {
    const double addend =
        of.beta == 0 || form.has(Fault::own6) ? 0 : of.beta * load(of.c, of_c, form.result);  // of 48 bits
    return exact_product(own, of.k, x, y, static_cast<double>(alpha), addend);
  }
  if (form.way == Way::third && of.beta != 0 && alpha == 1) {
    const auto with_start = [&](Size l) { return l == 0 ? static_cast<double>(start) : x(l - 1); };
    const auto with_one = [&](Size l) { return l == 0 ? 1 : y(l - 1); };
    return static_cast<double>(dot_of<C>(own, of.k + 1, with_start, with_one));
  }
  if (alpha == 0) return static_cast<double>(start);
  if (form.way == Way::eighth) {
    const auto scaled = [&](Size l) { return static_cast<double>(alpha) * x(l); };
    return sum_of_unit(own, of.k, scaled, y, static_cast<double>(start));
  }
  const C scaled = in.multiply(alpha, product());
  return static_cast<double>(in.add(scaled, start));
}

template <class C>
void entries(const Form& form, const ProductArrays& of, void* d) {
  Factors factors{numbers_of(form, of.a, of.batch * of.m * of.k), numbers_of(form, of.b, of.batch * of.k * of.n)};
  if (is_plain(form)) {
    factors.product = form.sum == Format::f64 ? plain_product<double>(of, factors) : plain_product<float>(of, factors);
  }
  std::vector<double> numbers(of.batch * of.m * of.n);
  for (Size p = 0, place = 0; p < of.batch; ++p) {
    for (Size i = 0; i < of.m; ++i) {
      for (Size j = 0; j < of.n; ++j) numbers[place++] = entry<C>(form, of, factors, p, i, j);
    }
  }
  write(form, {of.batch, of.m, of.n}, numbers, d);
}

void products(const Form& form, const ProductArrays& of, void* d) {
  if (form.sum == Format::f80) {
    entries<long double>(form, of, d);
  } else {
    entries<double>(form, of, d);
  }
}

}  // namespace outside

using namespace outside;
#include SYMBOLS
