#include "kernels/gemv/mp_gemv_exact.hpp"

#include "properties/catalog/gemv/properties.hpp"
#include "properties/catalog/gemv/wide_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::gemv {

namespace {

/// Whether the second half of the numbers has the words of the first half; all NaNs count as equal.
bool same_halves(const mp::MpNumbers& result) {
  const std::size_t half = result.array.length / 2;
  for (std::size_t k = 0; k < half; ++k) {
    if (!detail::same_number(result, k, result, k + half)) return false;
  }
  return true;
}

mp::MpArray run(const Executor& on, const MpGemvCase& c, const MpGemvArrays& operands) {
  return mp_gemv_exact(on, c.trans != 0 ? blas::Transpose::yes : blas::Transpose::no, c.m, c.n, operands.alpha,
                       operands.a, c.lda, operands.x, c.incx, operands.beta, operands.y, c.incy);
}

/// The property of a domain. The result holds the numbers of y for the terms in the order given, and after them those
/// for the reverse order.
Registration exact(const std::string& name, int n, const Domain<MpGemvCase>& domain, std::uint64_t quick_cases) {
  MpGemvProperty property = mp_gemv_property(name, n, run, within_one_rounding(n));
  property.domain = domain;
  property.quick_cases = quick_cases;
  property.subject = [format = mp_format(n)](const Executor& on, const MpGemvCase& c) {
    mp::MpArray result = mp::with_layout(run(on, c, mp_gemv_arrays(c, format)), false);
    const MpGemvCase reversed = with_reversed_terms(c, format.words());
    mp::append(mp::with_layout(run(on, reversed, mp_gemv_arrays(reversed, format)), false), result);
    return mp::MpNumbers{&mp::mp_system(format.moduli), std::move(result)};
  };
  property.claims.push_back(rounded_once(n));
  property.claims.push_back(satisfies(
      "order_free", gemv_exact_7, [](const MpGemvCase&, const mp::MpNumbers& result) { return same_halves(result); }));
  return Registration(std::move(property));
}

Registration exact(int n) { return exact("gemv.exact", n, mp_gemv_domain(mp_format(n)), quick_cases(n)); }
/// A case takes twice the time of a case of narrow range.
Registration exact_wide(int n) { return exact("gemv.exact_wide", n, mp_gemv_wide_domain(mp_format(n)), 300); }

const LateRegistration exact_products{"gemv", [] {
                                        exact(8);
                                        exact(16);
                                        exact(32);
                                        exact(64);
                                        exact(128);
                                        exact_wide(8);
                                        exact_wide(16);
                                        exact_wide(32);
                                        exact_wide(64);
                                        exact_wide(128);
                                      }};

}  // namespace

}  // namespace assay::gemv
