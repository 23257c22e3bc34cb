#pragma once
// Operations on vectors and matrices of multiple-precision numbers: their operands, their exact results, and the claims
// about their errors.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/mp/mp.hpp"
#include "properties/catalog/mp/claims.hpp"
#include "properties/catalog/mp/vector_cases.hpp"

namespace assay::mp {

/// Numbers of a case, made on the host. On a device most launches of a case would be such conversions, which have their
/// own property, from_limbs.
inline MpArray listed(const MpSystem& system, const std::vector<double>& scale, const std::vector<std::uint32_t>& limbs,
                      bool planes = false) {
  MpLimbs x{system.limbs, limbs, {}, {}};
  for (const double each : scale) {
    const Dyadic value = value_of(each);
    x.exponent.push_back(value.exponent());
    x.sign.push_back(value.sign() < 0 ? 1 : 0);
  }
  return mp_from_limbs(Executor::host(), system.n, x, planes);
}

/// The operands of a case, and the values of its entries. Of four consecutive lengths, one has both vectors as planes,
/// one only x, one only y.
struct Vectors {
  std::int64_t length, incx, incy;
  MpArray x, y, alpha, beta;
};

inline Vectors vectors(const MpSystem& system, const MpVectorCase& c) {
  const auto scalar = [&](std::size_t k) {
    const auto from = c.scalar.begin() + static_cast<std::ptrdiff_t>(k * system.limbs);
    return listed(system, {c.scalar_scale[k]},
                  std::vector<std::uint32_t>(from, from + static_cast<std::ptrdiff_t>(system.limbs)));
  };
  return {c.length,
          c.incx,
          c.incy,
          listed(system, c.x_scale, c.x, (c.length & 1) != 0),
          listed(system, c.y_scale, c.y, (c.length & 2) != 0),
          scalar(0),
          scalar(1)};
}

struct ExactVectors {
  std::vector<Dyadic> x, y;  ///< all entries of the arrays
  Dyadic alpha, beta;
};

inline ExactVectors exact_vectors(const MpSystem& system, const MpVectorCase& c) {
  ExactVectors v;
  for (std::size_t k = 0; k < c.x_scale.size(); ++k) v.x.push_back(mp_entry_value(system, c.x_scale, c.x, k));
  for (std::size_t k = 0; k < c.y_scale.size(); ++k) v.y.push_back(mp_entry_value(system, c.y_scale, c.y, k));
  v.alpha = mp_entry_value(system, c.scalar_scale, c.scalar, 0);
  v.beta = mp_entry_value(system, c.scalar_scale, c.scalar, 1);
  return v;
}

/// The bound of an entry for a unit u; empty: the entry must be exact.
using EntryBound = std::function<Bound(const RelativeBound& u)>;

/// The exact entries of a result, and the bound of each.
struct BlasTruth {
  std::vector<Dyadic> values;
  std::vector<EntryBound> bounds;
};

template <class Case>
using BlasReference = std::function<BlasTruth(const Case&)>;

template <class Case>
auto blas_error(std::string id, const AnyTheorem auto& theorem, const RelativeBound& u,
                const BlasReference<Case>& reference) {
  return claim_spec(std::move(id), theorem, [u, reference](const Case& c, const Truth& truth, const MpNumbers& z) {
    std::vector<Bound> bounds;
    for (const EntryBound& each : reference(c).bounds) bounds.push_back(each ? each(u) : Bound{0});
    return assay::detail::by_component(truth, z, [&](const Dyadic& got, const Dyadic& exact, std::size_t i) {
      return judge_within(got, exact, bounds[i], i);
    });
  });
}

/// An operation whose result is run(executor, case), judged by entry.
template <class Case>
Property<Case, MpNumbers, Truth> blas(std::string name, const MpSystem& system, Domain<Case> domain,
                                      const AnyTheorem auto& theorem, BlasReference<Case> reference,
                                      std::function<MpArray(const Executor&, const Case&)> run) {
  MpClaims<Case> claims = rounded_numbers<Case>();
  claims.push_back(of_instance(derived_unit, blas_error<Case>("error", theorem, system.unit, reference)));
  claims.push_back(
      of_instance(published_unit, blas_error<Case>("error_published", theorem, system.published_unit, reference)));
  return numbers<Case>(
      std::move(name), std::move(domain),
      [&system, run](const Executor& on, const Case& c) {
        return MpNumbers{&system, with_layout(run(on, c), false)};
      },
      [reference](const Case& c) { return reference(c).values; }, std::move(claims), quick_cases(system.n, 1000));
}

/// The same for vectors.
using VectorReference = std::function<BlasTruth(const MpVectorCase&, const ExactVectors&)>;
using VectorRun = std::function<MpArray(const Executor&, const Vectors&)>;

inline Property<MpVectorCase, MpNumbers, Truth> vector_blas(std::string name, const MpSystem& system,
                                                            const AnyTheorem auto& theorem,
                                                            const VectorReference& reference, const VectorRun& run) {
  return blas<MpVectorCase>(
      std::move(name), system, mp_vector_domain(system), theorem,
      [&system, reference](const MpVectorCase& c) { return reference(c, exact_vectors(system, c)); },
      [&system, run](const Executor& on, const MpVectorCase& c) { return run(on, vectors(system, c)); });
}

}  // namespace assay::mp
