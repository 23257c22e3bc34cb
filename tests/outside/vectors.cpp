// axpy and cumsum. Ways of axpy: `second`: a zero is +0. Ways of cumsum: `second`: in blocks of 64, whose sums are
// carried; `third`: doubling steps; `fourth`: Blelloch's tree of sums upwards and prefixes downwards, or exact sums
// with an error as large as that of the tree may be. `own1`: α = 1; `own2`: α is rounded to `narrow`; `own3`: nothing
// where α = 0; `own4`: the carry of a block is left out; `own5`: sums without the number itself; `own6`: the total
// minus the sum from the end; `own7`: from the end to the front; `own8`: x − y in place of x + y; `own9`: the product
// is rounded to `narrow`; `own10`: the carry in `narrow`.
#include <bit>

#include "results.hpp"
#include "sums.hpp"

namespace outside {

template <class C>
double axpy_number(const Form& form, C alpha, C x, C y) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  if (form.has(Fault::own1)) alpha = 1;
  if (form.has(Fault::own2)) alpha = static_cast<C>(rounded(static_cast<double>(alpha), form.narrow));
  if (form.has(Fault::own3) && alpha == 0) return 0;
  if (form.has(Fault::own8)) y = -y;
  if (form.has(Fault::skips_nan)) {
    if (std::isnan(x)) return static_cast<double>(y);
    if (std::isnan(y)) return static_cast<double>(in.multiply(alpha, x));
  }
  if (form.fma) {
    const auto result = static_cast<double>(in.fma(alpha, x, y));
    return form.way == Way::second && result == 0 ? 0 : result;
  }
  C product = in.multiply(alpha, x);
  if (form.has(Fault::own9)) product = static_cast<C>(rounded(static_cast<double>(product), form.narrow));
  return static_cast<double>(partial(form, in.add(product, y)));
}

/// The terms of one of the results: all except those that a fault of terms drops.
std::vector<bool> terms_taken(const Form& form, Size n) {
  std::vector<bool> is_taken(n, form.fault < Fault::drops_first || form.fault > Fault::counts_modulo);
  if (n > 0 && !is_taken[0]) {
    for (const Size i : terms_of(form, n)) is_taken[i] = true;
  }
  return is_taken;
}

void axpy(const Form& form, Size n, double alpha, const void* x, const void* y, void* result) {
  const std::vector<bool> is_taken = terms_taken(form, n);
  std::vector<double> numbers(n);
  for (Size i = 0; i < n; ++i) {
    const Size from = form.has(Fault::reads_behind) && i > 0 ? i - 1 : i;
    const double each = load(x, from, form.storage);
    const double start = load(y, i, form.storage);
    numbers[i] = !is_taken[i]              ? start
                 : form.sum == Format::f80 ? axpy_number<long double>(form, alpha, each, start)
                                           : axpy_number<double>(form, alpha, each, start);
  }
  write(form, {1, 1, n}, numbers, result);
}

template <class C>
std::vector<C> blelloch(const Form& form, const std::vector<C>& x) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  std::vector<C> tree(std::bit_ceil(std::max<Size>(x.size(), 1)), C(0));
  std::copy(x.begin(), x.end(), tree.begin());
  const Size n = tree.size();
  for (Size half = 1; half < n; half *= 2) {
    for (Size i = 2 * half - 1; i < n; i += 2 * half) tree[i] = in.add(tree[i - half], tree[i]);
  }
  tree[n - 1] = 0;
  for (Size half = n / 2; half > 0; half /= 2) {
    for (Size i = 2 * half - 1; i < n; i += 2 * half) {
      const C before = tree[i];
      tree[i] = in.add(before, tree[i - half]);
      tree[i - half] = before;
    }
  }
  std::vector<C> sums(x.size());
  for (Size i = 0; i < x.size(); ++i) sums[i] = in.add(tree[i], x[i]);
  return sums;
}

template <class C>
std::vector<C> prefixes(const Form& form, const std::vector<C>& x) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  const Size n = x.size();
  std::vector<C> sums(n);
  const auto narrowed = [&](C v) { return static_cast<C>(rounded(static_cast<double>(v), form.narrow)); };
  if (form.way == Way::third) {
    sums = x;
    for (Size step = 1; step < n; step *= 2) {
      const std::vector<C> last = sums;
      for (Size i = step; i < n; ++i) sums[i] = in.add(last[i - step], last[i]);
    }
    return sums;
  }
  if (form.order == Order::exact) {
    ExactSum sum;
    for (Size i = 0; i < n; ++i) {
      sum.add(static_cast<long double>(x[i]));
      ExactSum prefix = sum;
      prefix.add_error(form, form.way == Way::fourth ? 2 * std::bit_width(n - 1) : i);
      sums[i] = static_cast<C>(for_format(prefix.odd(), form));
    }
    return sums;
  }
  if (form.order == Order::compensated) {
    C sum = 0;
    C errors = 0;
    for (Size i = 0; i < n; ++i) {
      const C next = in.add(sum, x[i]);
      const C back = in.subtract(next, sum);
      errors = in.add(errors, in.add(in.subtract(sum, in.subtract(next, back)), in.subtract(x[i], back)));
      sum = next;
      sums[i] = std::isfinite(sum) ? in.add(sum, errors) : sum;
    }
    return sums;
  }
  if (form.way == Way::fourth) return blelloch(form, x);
  const Size block = form.way == Way::second ? 64 : std::max<Size>(n, 1);
  C carry = 0;
  for (Size first = 0; first < n; first += block) {
    C sum = 0;
    const Size last = std::min(first + block, n);
    for (Size i = first; i < last; ++i) {
      sum = partial(form, in.add(sum, x[i]));
      sums[i] = first == 0 ? sum : in.add(carry, sum);
    }
    if (!form.has(Fault::own4)) carry = first == 0 ? sum : in.add(carry, sum);
    if (form.has(Fault::own10) || form.has(Fault::narrow_parts)) carry = narrowed(carry);
  }
  return sums;
}

template <class C>
void scan(const Form& form, Size n, const void* x, void* result) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  const std::vector<bool> is_taken = terms_taken(form, n);
  std::vector<C> terms(n);
  for (Size i = 0; i < n; ++i) {
    const Taken<double> each = taken(form, load(x, form.has(Fault::reads_behind) && i > 0 ? i - 1 : i, form.storage));
    terms[i] = is_taken[i] && each.is_there ? static_cast<C>(each.value) : C(0);
    if (i == 0 && form.has(Fault::starts_at_one)) terms[0] = in.add(terms[0], 1);
  }
  if (form.has(Fault::own7)) std::reverse(terms.begin(), terms.end());
  std::vector<C> sums = prefixes(form, terms);
  if (form.has(Fault::own6)) {
    C behind = 0;
    const C total = n == 0 ? C(0) : sums.back();
    for (Size i = n; i-- > 0;) {
      sums[i] = in.subtract(total, behind);
      behind = in.add(behind, terms[i]);
    }
  }
  if (form.has(Fault::own7)) std::reverse(sums.begin(), sums.end());
  std::vector<double> numbers(sums.begin(), sums.end());
  if (form.has(Fault::own5)) {
    for (Size i = n; i-- > 0;) numbers[i] = i == 0 ? 0 : numbers[i - 1];
  }
  write(form, {1, 1, n}, numbers, result);
}

void cumsum(const Form& form, Size n, const void* x, void* result) {
  if (form.sum == Format::f80) {
    scan<long double>(form, n, x, result);
  } else {
    scan<double>(form, n, x, result);
  }
}

}  // namespace outside

using namespace outside;
#include SYMBOLS
