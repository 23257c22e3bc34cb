// spmv and trsv. Ways of trsv: `second`: by the reciprocals of the diagonal; `third`: columns in place of rows;
// `fourth`: each unknown is stored in the format of the results before the next row reads it; `fifth`: unknowns of
// three words from exact sums, and exact fractions when close to a tie, rounded once. spmv: `own1`: the last entry of
// each row is left out; `own2`: each row offset is replaced by the next one; `own3`:
// column indices from 1; `own4`: rows without entries are not written; `own5`: column indices of 8 bits; `own6`: of the
// row before; `own7`: x is not read: ones. csrmv: as spmv, and `own8`: y is read although β = 0; `own9`: β is applied
// twice; `own10`: α is left out; `own11`: β = 0 is treated as 1; `own12`: α multiplies y, too. Ways: `second`: a row
// and its numbers of x are integers of 28 bits, each times one power of two; `third`: a number is split into three
// numbers of bfloat16, and the smallest of their products are left out. trsv: `own1`: the other triangle's flag;
// `own2`: not transposed; `own3`:
// a stored diagonal of ones is read; `own4`:
// the diagonal is not read; `own5`: lda is n; `own6`: zeros of x are left out; `own7`: the last unknown is not divided;
// `own8`: the product of the entry beside the diagonal is left out; `own9`: quotients or reciprocals in `narrow`;
// `own10`: the sum is added; `own11`: a NaN on the diagonal is 1; `own12`: nothing from row `at` on.
#include <array>

#include "results.hpp"
#include "sums.hpp"
#include "tests/arith/gmp_reference.hpp"

namespace outside {

/// A matrix in compressed sparse rows.
struct SparseArrays {
  Size rows, columns;
  const std::int32_t* offsets;
  const std::int32_t* indices;
  const void* values;
  const void* x;
};

/// use(n, value, x) for a row: its number of entries; value(i) and x(i) are the factors of term i.
template <class Use>
auto with_row(const Form& form, const SparseArrays& of, Size r, const Use& use) {
  if (form.has(Fault::own6) && r > 0) --r;
  const auto first = static_cast<Size>(of.offsets[r]);
  auto last = static_cast<Size>(of.offsets[r + 1]);
  if (form.has(Fault::own1) && last > first) --last;
  if (form.has(Fault::own2) && r + 1 < of.rows) last = static_cast<Size>(of.offsets[r + 2]);
  const auto value = [&](Size i) { return load(of.values, first + i, form.storage); };
  const auto x = [&](Size i) -> double {
    auto column = static_cast<Size>(of.indices[first + i]);
    if (form.has(Fault::own3)) column = column == 0 ? 0 : column - 1;
    if (form.has(Fault::own5)) column %= 256;
    return form.has(Fault::own7) ? 1 : load(of.x, column, form.storage);
  };
  return use(last - first, value, x);
}

template <class C>
double row_of(const Form& form, const SparseArrays& of, Size r) {
  return with_row(form, of, r, [&](Size n, const auto& value, const auto& x) {
    return static_cast<double>(dot_of<C>(form, n, value, x));
  });
}

void spmv(const Form& form, const SparseArrays& of, void* y) {
  std::vector<double> numbers(of.rows);
  for (Size r = 0; r < of.rows; ++r) {
    numbers[r] = form.sum == Format::f80 ? row_of<long double>(form, of, r) : row_of<double>(form, of, r);
  }
  write(form, {1, of.rows, 1}, numbers, [&](Size, Size i, Size, double x) {
    if (form.has(Fault::own4) && of.offsets[i] == of.offsets[i + 1]) return;
    store(y, i, form.result, x, form.has(Fault::truncates));
  });
}

template <class X, class Y>
bool has_finite_terms(Size n, const X& x, const Y& y) {
  for (Size i = 0; i < n; ++i) {
    if (!std::isfinite(x(i)) || !std::isfinite(y(i))) return false;
  }
  return true;
}

__extension__ using Integer = __int128;

/// Σ x(i)·y(i) in integers. The largest number of either factor has 28 bits. Terms of 0 are left out.
template <class X, class Y>
double dot_in_fixed_point(Size n, const X& x, const Y& y) {
  constexpr int bits = 28;
  double largest_x = 0;
  double largest_y = 0;
  for (Size i = 0; i < n; ++i) {
    if (x(i) == 0 || y(i) == 0) continue;
    largest_x = std::max(largest_x, std::fabs(x(i)));
    largest_y = std::max(largest_y, std::fabs(y(i)));
  }
  if (largest_x == 0) return 0;
  const int scale_x = std::ilogb(largest_x) + 1 - bits;
  const int scale_y = std::ilogb(largest_y) + 1 - bits;
  Integer sum = 0;
  for (Size i = 0; i < n; ++i) {
    if (x(i) == 0 || y(i) == 0) continue;
    sum += static_cast<Integer>(std::llrint(std::ldexp(x(i), -scale_x))) * std::llrint(std::ldexp(y(i), -scale_y));
  }
  return std::ldexp(static_cast<double>(sum), scale_x + scale_y);
}

/// Σ x(i)·y(i), where each factor is cut into three numbers of bfloat16: the six largest of their nine products, in a
/// sum for each of three sizes.
template <class X, class Y>
double dot_of_slices(const Form& form, Size n, const X& x, const Y& y) {
  constexpr Size slices = 3;
  const auto sliced = [](double number) {
    std::array<double, slices> all{};
    for (double& each : all) {
      each = rounded(number, Format::bf16, true);
      number -= each;
    }
    return all;
  };
  const Arithmetic<double> in = arithmetic_of<double>(form);
  std::array<double, slices> sums{};
  for (Size i = 0; i < n; ++i) {
    const auto of_x = sliced(x(i));
    const auto of_y = sliced(y(i));
    for (Size size = 0; size < slices; ++size) {
      for (Size l = 0; l <= size; ++l) sums[size] = in.add(sums[size], in.multiply(of_x[l], of_y[size - l]));
    }
  }
  return in.add(sums[0], in.add(sums[1], sums[2]));
}

/// Σ of the products of a row, as csrmv computes it.
template <class C>
double product_of(const Form& form, const SparseArrays& of, Size r) {
  return with_row(form, of, r, [&](Size n, const auto& value, const auto& x) {
    const bool is_usual = form.way == Way::usual || !has_finite_terms(n, value, x);
    return is_usual                  ? static_cast<double>(dot_of<C>(form, n, value, x))
           : form.way == Way::second ? rounded(dot_in_fixed_point(n, value, x), form.sum)
                                     : dot_of_slices(form, n, value, x);
  });
}

/// α·sum + β·y of one row, rounded once.
inline double exact_row_of(const Form& form, const SparseArrays& of, Size r, double alpha, double beta, double y) {
  ExactSum sum;
  if (alpha != 0) {
    with_row(form, of, r, [&](Size n, const auto& value, const auto& x) {
      for (Size i = 0; i < n; ++i) sum.add_product(alpha, value(i), x(i));
    });
  }
  if (beta != 0) sum.add_product(beta, y);
  return for_format(sum.odd(), form);
}

/// α·sum + β·y of one row.
template <class C>
double scaled_row_of(const Form& form, const SparseArrays& of, Size r, double alpha, double beta, double y) {
  if (form.order == Order::exact) return exact_row_of(form, of, r, alpha, beta, y);
  const Arithmetic<C> in = arithmetic_of<C>(form);
  const C factor = form.has(Fault::own10) ? C(1) : static_cast<C>(alpha);
  C weight = static_cast<C>(beta);
  if (form.has(Fault::own11) && weight == 0) weight = 1;
  const C scaled = factor == 0 ? C(0) : in.multiply(factor, static_cast<C>(product_of<C>(form, of, r)));
  if (weight == 0 && !form.has(Fault::own8)) return static_cast<double>(scaled);
  C start = in.multiply(weight, static_cast<C>(y));
  if (form.has(Fault::own9)) start = in.multiply(weight, start);
  if (form.has(Fault::own12)) start = in.multiply(factor, start);
  return static_cast<double>(in.add(scaled, start));
}

void csrmv(const Form& form, const SparseArrays& of, double alpha, double beta, void* y) {
  std::vector<double> numbers(of.rows);
  for (Size r = 0; r < of.rows; ++r) {
    const double before = load(y, r, form.storage);
    numbers[r] = form.sum == Format::f80 ? scaled_row_of<long double>(form, of, r, alpha, beta, before)
                                         : scaled_row_of<double>(form, of, r, alpha, beta, before);
  }
  write(form, {1, of.rows, 1}, numbers, [&](Size, Size i, Size, double x) {
    if (form.has(Fault::own4) && of.offsets[i] == of.offsets[i + 1]) return;
    store(y, i, form.result, x, form.has(Fault::truncates));
  });
}

/// A triangular system; x has its right side.
struct TriangularArrays {
  bool upper, trans, unit;
  Size n;
  const void* a;
  Size lda;
};

template <class C>
class Triangle {
 public:
  Triangle(const Form& form, const TriangularArrays& of) : form_(form), in_(arithmetic_of<C>(form)), of_(of) {
    if (form.has(Fault::own1)) of_.upper = !of_.upper;
    if (form.has(Fault::own2)) of_.trans = false;
    if (form.has(Fault::own3)) of_.unit = false;
    if (form.has(Fault::own4)) of_.unit = true;
    if (form.has(Fault::own5)) of_.lda = of_.n;
  }

  void solve(std::vector<C>& x) const {
    const bool forward = of_.upper == of_.trans;
    std::vector<Size> rows(of_.n);
    std::iota(rows.begin(), rows.end(), Size{0});
    if (!forward) std::reverse(rows.begin(), rows.end());
    if (form_.way == Way::third) {
      by_columns(rows, x);
      return;
    }
    for (Size step = 0; step < rows.size(); ++step) {
      const Size i = rows[step];
      if (form_.has(Fault::own12) && step >= static_cast<Size>(form_.at)) break;
      Size terms = step;
      if (form_.has(Fault::own8) && terms > 0) --terms;
      const C sum = dot_of<C>(
          form_, terms, [&](Size l) { return entry(i, rows[l]); }, [&](Size l) { return x[rows[l]]; });
      x[i] = divided(i, form_.has(Fault::own10) ? in_.add(x[i], sum) : in_.subtract(x[i], sum), step);
      if (form_.way == Way::fourth) x[i] = static_cast<C>(rounded(static_cast<double>(x[i]), form_.result));
    }
  }

 private:
  C entry(Size i, Size j) const {
    return static_cast<C>(load(of_.a, of_.trans ? j + i * of_.lda : i + j * of_.lda, form_.storage));
  }
  C divided(Size i, C x, Size step) const {
    if (of_.unit || (form_.has(Fault::own7) && step + 1 == of_.n)) return x;
    C diagonal = entry(i, i);
    if (form_.has(Fault::own11) && std::isnan(diagonal)) diagonal = 1;
    if (form_.has(Fault::own6) && x == 0) return x;
    const bool is_second = form_.way == Way::second;
    C quotient = in_.divide(is_second ? C(1) : x, diagonal);
    if (form_.has(Fault::own9)) quotient = static_cast<C>(rounded(static_cast<double>(quotient), form_.narrow));
    return is_second ? in_.multiply(x, quotient) : quotient;
  }
  void by_columns(const std::vector<Size>& rows, std::vector<C>& x) const {
    for (Size step = 0; step < rows.size(); ++step) {
      const Size j = rows[step];
      if (form_.has(Fault::own6) && x[j] == 0) continue;
      x[j] = divided(j, x[j], step);
      for (Size later = step + 1; later < rows.size(); ++later) {
        const Size i = rows[later];
        x[i] = form_.fma ? in_.fma(-entry(i, j), x[j], x[i]) : in_.subtract(x[i], in_.multiply(entry(i, j), x[j]));
      }
    }
  }

  const Form& form_;
  Arithmetic<C> in_;
  TriangularArrays of_;
};

/// A triangular system in the order in which it is solved: its rows, and the entries before the diagonal.
class Substitution {
 public:
  Substitution(const Form& form, const TriangularArrays& of, const void* x) : form_(form), of_(of), x_(x) {}

  [[nodiscard]] Size row(Size step) const { return of_.upper == of_.trans ? step : of_.n - 1 - step; }
  [[nodiscard]] double right(Size step) const { return load(x_, row(step), form_.storage); }
  [[nodiscard]] double diagonal(Size step) const { return of_.unit ? 1 : entry(step, step); }
  [[nodiscard]] double entry(Size step, Size before) const {
    const Size i = row(step);
    const Size j = row(before);
    return load(of_.a, of_.trans ? j + i * of_.lda : i + j * of_.lda, form_.storage);
  }

 private:
  const Form& form_;
  TriangularArrays of_;
  const void* x_;
};

/// The unknowns of the first steps as fractions.
inline std::vector<assay::reference::Rational> fractions(const Substitution& system, Size steps) {
  using assay::reference::Rational;
  std::vector<Rational> unknowns;
  for (Size step = 0; step < steps; ++step) {
    Rational rest(system.right(step));
    for (Size before = 0; before < step; ++before) {
      rest = rest - Rational(system.entry(step, before)) * unknowns[before];
    }
    unknowns.push_back(rest / Rational(system.diagonal(step)));
  }
  return unknowns;
}

/// The last unknown of `steps`, whose value computed in `words` is `near`. If this value is close to the midpoint m of
/// two numbers of the results' format, the exact fraction decides between m and its neighbors in long double.
template <class T>
long double decided(const Substitution& system, Size steps, const ExactSum& words, long double near) {
  const T first = static_cast<T>(near);
  const T second = std::nextafter(first, static_cast<T>(near > static_cast<long double>(first) ? INFINITY : -INFINITY));
  const long double middle = (static_cast<long double>(first) + static_cast<long double>(second)) / 2;
  if (!std::isfinite(middle)) return near;
  ExactSum distance = words;
  distance.add(-middle);
  if (std::fabs(distance.odd()) > std::ldexp(std::fabs(middle), -100)) return near;
  using assay::reference::Rational;
  const Rational of_middle =
      (Rational(static_cast<double>(first)) + Rational(static_cast<double>(second))) / Rational(2);
  const Rational unknown = fractions(system, steps).back();
  if (unknown == of_middle) return middle;
  return std::nextafter(middle, unknown < of_middle ? -INFINITY : INFINITY);
}

/// The unknowns, each as several words of 64 bits: each word is a quotient of the remainder after the words before it.
inline std::vector<double> exact_solution(const Form& form, const TriangularArrays& of, const void* x) {
  const Substitution system(form, of, x);
  std::vector<std::array<long double, 3>> unknowns(of.n);
  std::vector<double> numbers(of.n);
  for (Size step = 0; step < of.n; ++step) {
    ExactSum rest;
    rest.add(system.right(step));
    for (Size before = 0; before < step; ++before) {
      const long double entry = system.entry(step, before);
      for (const long double word : unknowns[before]) rest.add_product(-entry, word);
    }
    const long double diagonal = system.diagonal(step);
    ExactSum unknown;
    for (long double& word : unknowns[step]) {
      word = rest.odd() / diagonal;
      unknown.add(word);
      rest.add_product(-word, diagonal);
    }
    const long double near = unknown.odd();
    numbers[system.row(step)] =
        for_format(form.result == Format::f32 ? decided<float>(system, step + 1, unknown, near)
                                              : decided<double>(system, step + 1, unknown, near),
                   form);
  }
  return numbers;
}

template <class C>
std::vector<double> solution(const Form& form, const TriangularArrays& of, const void* x) {
  if (form.way == Way::fifth) return exact_solution(form, of, x);
  std::vector<C> numbers(of.n);
  for (Size i = 0; i < of.n; ++i) numbers[i] = static_cast<C>(load(x, i, form.storage));
  Triangle<C>(form, of).solve(numbers);
  return {numbers.begin(), numbers.end()};
}

void trsv(const Form& form, const TriangularArrays& of, void* x) {
  const std::vector<double> numbers =
      form.sum == Format::f80 ? solution<long double>(form, of, x) : solution<double>(form, of, x);
  write(form, {1, of.n, 1}, numbers, x);
}

}  // namespace outside

using namespace outside;
#include SYMBOLS
