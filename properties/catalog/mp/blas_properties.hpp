#pragma once
// The promises of rotations, the two-norm, updates of rank one and symmetric products, for kernels given as functions.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/gemv.hpp"
#include "kernels/blas/triangle.hpp"
#include "properties/catalog/mp/blas.hpp"
#include "properties/catalog/mp/matrix_cases.hpp"

namespace assay::mp {

using MpProperty = Property<MpMatrixCase, MpNumbers, Truth>;

namespace detail {

/// An invalid number: out of range, with every byte of its other members 0xFF.
inline void poison(MpArray& x, std::size_t k) {
  const std::size_t size = static_cast<std::size_t>(x.n) + 1;
  for (std::size_t i = 0; i < size; ++i) x.digits[x.planes ? i * x.length + k : k * size + i] = ~std::uint32_t{0};
  x.sign[k] = -1;
  x.exponent[k] = mp::out_of_range_exponent;
  x.lower[k] = x.upper[k] = Extended{number_of<double>(~std::uint64_t{0}), -1};
}
inline void poison(MpArray& x) {
  for (std::size_t k = 0; k < x.length; ++k) poison(x, k);
}

}  // namespace detail

/// The operands of a case. Of four consecutive places of a matrix, one has all arrays as planes, one only a, one x and
/// y.
struct Matrices {
  blas::Triangle uplo;
  std::int64_t m, n, lda, incx, incy;
  MpArray a, x, y, alpha, beta;
};

inline Matrices matrices(const MpSystem& system, const MpMatrixCase& c) {
  const auto scalar = [&](std::size_t k) {
    const auto from = c.scalar.begin() + static_cast<std::ptrdiff_t>(k * system.limbs);
    return listed(system, {c.scalar_scale[k]}, {from, from + static_cast<std::ptrdiff_t>(system.limbs)});
  };
  return {c.upper != 0 ? blas::Triangle::upper : blas::Triangle::lower,
          c.m,
          c.n,
          c.lda,
          c.incx,
          c.incy,
          listed(system, c.a_scale, c.a, (c.m & 1) != 0),
          listed(system, c.x_scale, c.x, (c.n & 1) != 0),
          listed(system, c.y_scale, c.y, (c.n & 1) != 0),
          scalar(0),
          scalar(1)};
}

struct ExactMatrices {
  std::vector<Dyadic> a, x, y;  ///< all numbers of the arrays
  Dyadic alpha, beta;
};

inline ExactMatrices exact_matrices(const MpSystem& system, const MpMatrixCase& c) {
  ExactMatrices e;
  for (std::size_t k = 0; k < c.a_scale.size(); ++k) e.a.push_back(mp_entry_value(system, c.a_scale, c.a, k));
  for (std::size_t k = 0; k < c.x_scale.size(); ++k) e.x.push_back(mp_entry_value(system, c.x_scale, c.x, k));
  for (std::size_t k = 0; k < c.y_scale.size(); ++k) e.y.push_back(mp_entry_value(system, c.y_scale, c.y, k));
  e.alpha = mp_entry_value(system, c.scalar_scale, c.scalar, 0);
  e.beta = mp_entry_value(system, c.scalar_scale, c.scalar, 1);
  return e;
}

/// α·x·yᵀ + A in every entry, or α·x·xᵀ + A in the triangle of a symmetric matrix; α = 0: A, and nothing else is read.
template <class Run>
MpProperty rank_one_property(std::string name, const MpSystem& system, bool symmetric,
                             const BoundedTheorem auto& theorem, Run run) {
  const auto reference = [&system, symmetric, theorem](const MpMatrixCase& c) {
    const ExactMatrices e = exact_matrices(system, c);
    BlasTruth truth{e.a, std::vector<EntryBound>(e.a.size())};
    for (std::int64_t j = 0; j < c.n; ++j) {
      for (std::int64_t i = 0; i < c.m; ++i) {
        if (symmetric && (c.upper != 0 ? i > j : i < j)) continue;
        const Dyadic& second =
            symmetric ? e.x[detail::mp_place(c.m, c.incx, j)] : e.y[detail::mp_place(c.n, c.incy, j)];
        const Dyadic product = e.alpha * e.x[detail::mp_place(c.m, c.incx, i)] * second;
        const std::size_t at = detail::mp_matrix_place(c, i, j);
        truth.bounds[at] = [theorem, first = abs(product), start = abs(e.a[at])](const RelativeBound& u) {
          return theorem(u, first, start);
        };
        truth.values[at] += product;
      }
    }
    return truth;
  };
  return blas<MpMatrixCase>(std::move(name), system, mp_matrix_domain(system, symmetric), theorem, reference,
                            [&system, run](const Executor& on, const MpMatrixCase& c) {
                              Matrices e = matrices(system, c);
                              if (exact_matrices(system, c).alpha.is_zero()) {
                                detail::poison(e.x);
                                detail::poison(e.y);
                              }
                              return run(on, e);
                            });
}

/// RN_P(α·A·x + β·y), A symmetric. The other triangle is invalid, and so are operands that a scalar 0 leaves unread.
template <class Run>
MpProperty symv_property(std::string name, const MpSystem& system, Run run) {
  const int P = static_cast<int>(system.base.product().exponent() / 2);
  const auto reference = [&system](const MpMatrixCase& c) {
    const ExactMatrices e = exact_matrices(system, c);
    Truth y = e.y;
    for (std::int64_t i = 0; i < c.n; ++i) {
      Dyadic sum;
      for (std::int64_t j = 0; j < c.n; ++j) {
        const std::int64_t row = c.upper != 0 ? std::min(i, j) : std::max(i, j);
        sum.add_mul(e.a[detail::mp_matrix_place(c, row, i + j - row)], e.x[detail::mp_place(c.n, c.incx, j)]);
      }
      Dyadic& entry = y[detail::mp_place(c.n, c.incy, i)];
      entry = e.alpha * sum + e.beta * entry;
    }
    return y;
  };
  MpClaims<MpMatrixCase> claims = rounded_numbers<MpMatrixCase>();
  claims.push_back(of_instance(
      "P = " + std::to_string(P),
      claim_spec(
          "rounded_once", mp_symv_1, [&system, P](const MpMatrixCase& c, const Truth& truth, const MpNumbers& z) {
            const ExactMatrices e = exact_matrices(system, c);
            const bool stays = e.alpha.is_zero() && e.beta == Dyadic(1);
            std::vector<bool> written(truth.size());
            for (std::int64_t i = 0; i < c.n; ++i) written[detail::mp_place(c.n, c.incy, i)] = !stays;
            return assay::detail::by_component(truth, z, [&](const Dyadic& got, const Dyadic& exact, std::size_t i) {
              return judge_exact(got, written[i] ? rounded_to_bits(P, exact) : exact, i);
            });
          })));
  return numbers<MpMatrixCase>(
      std::move(name), mp_matrix_domain(system, true, true),
      [&system, run](const Executor& on, const MpMatrixCase& c) {
        Matrices e = matrices(system, c);
        const ExactMatrices values = exact_matrices(system, c);
        for (std::int64_t j = 0; j < c.n; ++j) {
          for (std::int64_t i = 0; i < c.n; ++i) {
            const bool is_stored = c.upper != 0 ? i <= j : i >= j;
            if (!is_stored || values.alpha.is_zero()) detail::poison(e.a, detail::mp_matrix_place(c, i, j));
          }
          if (values.alpha.is_zero()) detail::poison(e.x, detail::mp_place(c.n, c.incx, j));
          if (values.beta.is_zero()) detail::poison(e.y, detail::mp_place(c.n, c.incy, j));
        }
        return MpNumbers{&system, with_layout(run(on, e), false)};
      },
      reference, std::move(claims), quick_cases(system.n, 1000));
}

/// x, then y, after x ← αx + βy, y ← αy − βx.
inline Property<MpVectorCase, MpNumbers, Truth> rot_property(std::string name, const MpSystem& system,
                                                             const VectorRun& run) {
  return vector_blas(
      std::move(name), system, mp_rot_1,
      [](const MpVectorCase& c, const ExactVectors& v) {
        BlasTruth truth{v.x, {}};
        truth.values.insert(truth.values.end(), v.y.begin(), v.y.end());
        truth.bounds.resize(truth.values.size());
        const auto set = [&](std::size_t at, const Dyadic& first, const Dyadic& second) {
          truth.values[at] = first + second;
          truth.bounds[at] = [magnitude = abs(first) + abs(second)](const RelativeBound& u) {
            return mp_rot_1(u, magnitude);
          };
        };
        for (std::int64_t i = 0; i < c.length; ++i) {
          const std::size_t x_at = detail::mp_place(c.length, c.incx, i);
          const std::size_t y_at = detail::mp_place(c.length, c.incy, i);
          set(x_at, v.alpha * v.x[x_at], v.beta * v.y[y_at]);
          set(v.x.size() + y_at, v.alpha * v.y[y_at], -v.beta * v.x[x_at]);
        }
        return truth;
      },
      run);
}

/// Vectors whose squares are hardly longer than a significand, with small exponents: the exponent of a sum of them is
/// negative, and odd as often as even.
inline InputClass<MpVectorCase> mp_short_squares(const MpSystem& system) {
  return detail::mp_class<MpVectorCase>("squares of little more than a significand", 2, system, [](MpDraw& r) {
    std::vector<detail::MpEntry> x(1 + r.draw().below(3));
    const int bits = r.system().h / 2 + r.draw().between(1, 8);
    for (detail::MpEntry& each : x) each = {detail::draw_power(r, -40, -20), r.dense(bits)};
    const auto length = static_cast<std::int64_t>(x.size());
    return detail::vector_case(r, length, x, x, {1.0, 1}, {1.0, 1}, r.draw().coin() ? 1 : -2, 1);
  });
}

/// √Σx².
inline Property<MpVectorCase, MpNumbers, oracle::Exact> nrm2_property(std::string name, const MpSystem& system,
                                                                      const VectorRun& run) {
  const auto sum = [&system](const MpVectorCase& c) {
    const ExactVectors v = exact_vectors(system, c);
    Dyadic squares;
    for (std::int64_t i = 0; i < c.length; ++i) {
      const Dyadic& x = v.x[detail::mp_place(c.length, c.incx, i)];
      squares.add_mul(x, x);
    }
    return squares;
  };
  MpClaims<MpVectorCase, oracle::Exact> claims = rounded_numbers<MpVectorCase, oracle::Exact>();
  const auto error = [](const char* id, const RelativeBound& u) {
    return within(id, mp_nrm2_1, [u](const auto& theorem, const MpVectorCase& c) -> RelativeBound {
      return theorem(u, mp_sum_height(c.length));
    });
  };
  claims.push_back(of_instance(derived_unit, error("error", system.unit)));
  claims.push_back(of_instance(published_unit, error("error_published", system.published_unit)));
  Domain<MpVectorCase> domain = mp_vector_domain(system);
  domain.classes.push_back(mp_short_squares(system));
  return {.name = std::move(name),
          .domain = std::move(domain),
          .subject =
              [&system, run](const Executor& on, const MpVectorCase& c) {
                return MpNumbers{&system, with_layout(run(on, vectors(system, c)), false)};
              },
          .reference = [sum](const MpVectorCase& c) -> oracle::Exact { return oracle::square_root(sum(c)); },
          .claims = std::move(claims),
          .inexact =
              [sum](const MpVectorCase& c, const oracle::Exact&, const MpNumbers& z) {
                Dyadic got;
                return !component_value(z, 0, got) || got * got != sum(c);
              },
          .quick_cases = quick_cases(system.n, 1000)};
}

}  // namespace assay::mp
