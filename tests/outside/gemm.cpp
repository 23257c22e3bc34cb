// gemm and gemv as in CBLAS, column-major. Ways of computing exact sums with an added error, relative to: `second`: the
// largest numbers of the row and the column; `third`: the largest numbers of the matrices; `fourth`: k times if the sum
// is small compared with its terms, otherwise k − 1 times. `own1`: lda is the number of rows; `own2`: A is not
// transposed; `own3`: B is not transposed, or incx is 1; `own4`: C is read although β = 0; `own5`: β is applied twice;
// `own6`: zeros of B are left out; `own7`: α is left out; `own8`: C without gaps between its columns; `own9`: nothing
// is written if k = 0; `own10`: the gap after each column is written; `own11`: β = 0 is treated as 1; `own12`: α
// multiplies C, too.
#include "results.hpp"
#include "sums.hpp"

namespace outside {

constexpr int transposed = 112;

/// C ← α·op(A)·op(B) + β·C, op(A) of m × k and op(B) of k × n.
struct GemmArrays {
  bool trans_a, trans_b;
  Size m, n, k;
  double alpha;
  const void* a;
  Size lda;
  const void* b;
  Size ldb;
  double beta;
  void* c;
  Size ldc;
  long double largest_a = 0, largest_b = 0;  // magnitudes
};

template <class C>
double entry(const Form& form, const GemmArrays& of, Size i, Size j) {
  const Arithmetic<C> in = arithmetic_of<C>(form);
  const bool trans_a = of.trans_a && !form.has(Fault::own2);
  const bool trans_b = of.trans_b && !form.has(Fault::own3);
  const Size last_a = of.trans_a ? (of.m - 1) * of.lda + of.k - 1 : (of.k - 1) * of.lda + of.m - 1;
  const Size last_b = of.trans_b ? (of.k - 1) * of.ldb + of.n - 1 : (of.n - 1) * of.ldb + of.k - 1;
  const Size lda = form.has(Fault::own1) ? (of.trans_a ? of.k : of.m) : of.lda;
  const auto x = [&](Size l) {
    return load(of.a, std::min(trans_a ? l + i * lda : i + l * lda, last_a), form.storage);
  };
  const auto y = [&](Size l) {
    return load(of.b, std::min(trans_b ? j + l * of.ldb : l + j * of.ldb, last_b), form.storage);
  };
  if (form.order == Order::exact) {
    ExactSum sum;
    long double largest_x = 0;
    long double largest_y = 0;
    for (Size l = 0; l < of.k && of.alpha != 0; ++l) {
      sum.add_product(of.alpha, x(l), y(l));
      largest_x = std::max(largest_x, std::fabs(static_cast<long double>(x(l))));
      largest_y = std::max(largest_y, std::fabs(static_cast<long double>(y(l))));
    }
    if (of.beta != 0) sum.add_product(of.beta, load(of.c, i + j * of.ldc, form.storage));
    const long double scale = std::fabs(static_cast<long double>(of.alpha)) * static_cast<long double>(of.k);
    const Size last = of.k == 0 ? 0 : of.k - 1;  // the rounding of the result is an error, too
    if (form.way == Way::second) {
      sum.add_error(form, last, scale * largest_x * largest_y);
    } else if (form.way == Way::third) {
      sum.add_error(form, last, scale * of.largest_a * of.largest_b);
    } else {
      sum.add_error(form, form.way == Way::fourth && sum.is_cancelled(of.k) ? of.k : last);
    }
    return for_format(sum.odd(), form);
  }
  const auto product = [&](Size l) { return form.has(Fault::own6) && y(l) == 0 ? 0 : x(l); };
  const C sum = dot_of<C>(form, of.k, product, y);
  const C alpha = form.has(Fault::own7) ? C(1) : static_cast<C>(of.alpha);
  C beta = static_cast<C>(of.beta);
  if (form.has(Fault::own11) && beta == 0) beta = 1;
  const C scaled = alpha == 0 ? C(0) : in.multiply(alpha, sum);
  if (beta == 0 && !form.has(Fault::own4)) return static_cast<double>(scaled);
  C start = in.multiply(beta, static_cast<C>(load(of.c, i + j * of.ldc, form.storage)));
  if (form.has(Fault::own5)) start = in.multiply(beta, start);
  if (form.has(Fault::own12)) start = in.multiply(alpha, start);
  return static_cast<double>(in.add(scaled, start));
}

/// The largest magnitude of a finite number: an infinity or a NaN is to stay in its own entries.
inline long double largest_of(const void* data, Format format, Size rows, Size columns, Size ld) {
  long double largest = 0;
  for (Size j = 0; j < columns; ++j) {
    for (Size i = 0; i < rows; ++i) {
      const long double magnitude = std::fabs(load(data, i + j * ld, format));
      if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
    }
  }
  return largest;
}

template <class C>
void product_of(const Form& form, GemmArrays of) {
  if (form.has(Fault::own9) && of.k == 0) return;
  if (form.way == Way::third && of.alpha != 0) {
    of.largest_a = largest_of(of.a, form.storage, of.trans_a ? of.k : of.m, of.trans_a ? of.m : of.k, of.lda);
    of.largest_b = largest_of(of.b, form.storage, of.trans_b ? of.n : of.k, of.trans_b ? of.k : of.n, of.ldb);
  }
  std::vector<double> numbers(of.m * of.n);
  for (Size i = 0; i < of.m; ++i) {
    for (Size j = 0; j < of.n; ++j) numbers[i * of.n + j] = entry<C>(form, of, i, j);
  }
  const Size ldc = form.has(Fault::own8) ? of.m : of.ldc;
  write(form, {1, of.m, of.n}, numbers,
        [&](Size, Size i, Size j, double x) { store(of.c, i + j * ldc, form.storage, x, form.has(Fault::truncates)); });
  if (form.has(Fault::own10)) {
    for (Size j = 0; j + 1 < of.n; ++j) {
      for (Size i = of.m; i < of.ldc; ++i) store(of.c, i + j * of.ldc, form.storage, 0);
    }
  }
}

void product(const Form& form, const GemmArrays& of) {
  if (form.sum == Format::f80) {
    product_of<long double>(form, of);
  } else {
    product_of<double>(form, of);
  }
}

/// Arguments of CBLAS.
void gemm(const Form& form, int trans_a, int trans_b, int m, int n, int k, double alpha, const void* a, int lda,
          const void* b, int ldb, double beta, void* c, int ldc) {
  const auto size = [](int x) { return static_cast<Size>(x); };
  product(form, {trans_a == transposed, trans_b == transposed, size(m), size(n), size(k), alpha, a, size(lda), b,
                 size(ldb), beta, c, size(ldc)});
}
void gemv(const Form& form, int trans, int m, int n, double alpha, const void* a, int lda, const void* x, int incx,
          double beta, void* y) {
  const auto size = [](int each) { return static_cast<Size>(each); };
  const bool is_trans = trans == transposed;
  const Size rows = size(is_trans ? n : m);
  product(form, {is_trans, true, rows, 1, size(is_trans ? m : n), alpha, a, size(lda), x,
                 form.has(Fault::own3) ? Size{1} : size(incx), beta, y, rows});
}

}  // namespace outside

using namespace outside;
#include SYMBOLS
