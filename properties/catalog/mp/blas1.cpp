// BLAS 1 with multiple-precision numbers.

#include "kernels/mp/blas1.hpp"

#include <algorithm>

#include "properties/catalog/mp/blas.hpp"

namespace assay::mp {

namespace {

/// A sum of terms; the theorem bounds it by its depth and the sum of the terms' magnitudes.
template <class Term>
VectorReference sum_of(const BoundedTheorem auto& theorem, Term term) {
  return [=](const MpVectorCase& c, const ExactVectors& v) {
    Dyadic sum;
    Dyadic magnitude;
    for (std::int64_t i = 0; i < c.length; ++i) {
      const Dyadic each = term(v.x[detail::mp_place(c.length, c.incx, i)], v.y[detail::mp_place(c.length, c.incy, i)]);
      sum += each;
      magnitude += abs(each);
    }
    return BlasTruth{{sum}, {[=](const RelativeBound& u) { return theorem(u, mp_sum_height(c.length), magnitude); }}};
  };
}

/// The entries of x or y after an update: update(x_i, y_i, values, bounds).
template <class Update>
VectorReference update_of(bool of_x, Update update) {
  return [=](const MpVectorCase& c, const ExactVectors& v) {
    BlasTruth truth;
    truth.values = of_x ? v.x : v.y;
    truth.bounds.resize(truth.values.size());
    for (std::int64_t i = 0; i < c.length; ++i) {
      const std::size_t x_at = detail::mp_place(c.length, c.incx, i);
      const std::size_t y_at = detail::mp_place(c.length, c.incy, i);
      const std::size_t at = of_x ? x_at : y_at;
      update(v, v.x[x_at], v.y[y_at], truth.values[at], truth.bounds[at]);
    }
    return truth;
  };
}

void blas1(const MpSystem& system) {
  const auto of = [&](const char* operation, const AnyTheorem auto& theorem, const VectorReference& reference,
                      const VectorRun& run) {
    return vector_blas(named(operation, system), system, theorem, reference, run);
  };
  Registration{of("asum", mp_asum_1, sum_of(mp_asum_1, [](const Dyadic& x, const Dyadic&) { return abs(x); }),
                  [](const Executor& on, const Vectors& v) { return mp_asum(on, v.length, v.x, v.incx); })};
  Registration{of("sum_of_squares", mp_sum_of_squares_1,
                  sum_of(mp_sum_of_squares_1, [](const Dyadic& x, const Dyadic&) { return x * x; }),
                  [](const Executor& on, const Vectors& v) { return mp_sum_of_squares(on, v.length, v.x, v.incx); })};
  Registration{of("dot", mp_dot_1, sum_of(mp_dot_1, [](const Dyadic& x, const Dyadic& y) { return x * y; }),
                  [](const Executor& on, const Vectors& v) { return mp_dot(on, v.length, v.x, v.incx, v.y, v.incy); })};
  Property<MpVectorCase, MpNumbers, Truth> norm_inf = of(
      "norm_inf", mp_norm_inf_1,
      [](const MpVectorCase& c, const ExactVectors& v) {
        Dyadic largest;
        for (std::int64_t i = 0; i < c.length; ++i) {
          largest = std::max(largest, abs(v.x[detail::mp_place(c.length, c.incx, i)]));
        }
        return BlasTruth{{largest}, {{}}};
      },
      [](const Executor& on, const Vectors& v) { return mp_norm_inf(on, v.length, v.x, v.incx); });
  norm_inf.inexact = [](const MpVectorCase& c, const Truth&, const MpNumbers&) { return c.length > 1; };
  Registration{std::move(norm_inf)};
  Registration{
      of("scal", mp_scal_1,
         update_of(true,
                   [](const ExactVectors& v, const Dyadic& x, const Dyadic&, Dyadic& value, EntryBound& bound) {
                     value = v.alpha * x;
                     bound = [product = abs(value)](const RelativeBound& u) { return mp_scal_1(u, product); };
                   }),
         [](const Executor& on, const Vectors& v) { return mp_scal(on, v.length, v.alpha, v.x, v.incx); })};
  Registration{of(
      "axpy", mp_axpy_1,
      update_of(false,
                [](const ExactVectors& v, const Dyadic& x, const Dyadic& y, Dyadic& value, EntryBound& bound) {
                  const Dyadic product = v.alpha * x;
                  value = product + y;
                  bound = [first = abs(product), second = abs(y)](const RelativeBound& u) {
                    return mp_axpy_1(u, first, second);
                  };
                }),
      [](const Executor& on, const Vectors& v) { return mp_axpy(on, v.length, v.alpha, v.x, v.incx, v.y, v.incy); })};
  Registration{
      of("axpy_scal", mp_axpy_scal_1,
         update_of(false,
                   [](const ExactVectors& v, const Dyadic& x, const Dyadic& y, Dyadic& value, EntryBound& bound) {
                     const Dyadic product = v.alpha * x;
                     value = v.beta * (product + y);
                     bound = [first = abs(v.beta * product), second = abs(v.beta * y)](const RelativeBound& u) {
                       return mp_axpy_scal_1(u, first, second);
                     };
                   }),
         [](const Executor& on, const Vectors& v) {
           const MpArray y = mp_axpy(on, v.length, v.alpha, v.x, v.incx, v.y, v.incy);
           return mp_scal(on, v.length, v.beta, y, v.incy);
         })};
  Registration{
      of("waxpby", mp_waxpby_1,
         update_of(false,
                   [](const ExactVectors& v, const Dyadic& x, const Dyadic& y, Dyadic& value, EntryBound& bound) {
                     const Dyadic first = v.alpha * x;
                     const Dyadic second = v.beta * y;
                     value = first + second;
                     bound = [magnitude = abs(first) + abs(second)](const RelativeBound& u) {
                       return mp_waxpby_1(u, magnitude);
                     };
                   }),
         [](const Executor& on, const Vectors& v) {
           return mp_waxpby(on, v.length, v.alpha, v.x, v.incx, v.beta, v.y, v.incy, v.y, v.incy);
         })};
}

const LateRegistration vector_operations{"mp", [] {
                                           for (const int n : {8, 16, 32, 64, 128}) blas1(mp_system(n));
                                         }};

}  // namespace

}  // namespace assay::mp
