#include "errorbounds/mp.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "oracle/flint.hpp"

namespace assay {

using oracle::Dyadic;

int mp_significand_bits(const Dyadic& M) {
  const long bits = M.sign() > 0 ? M.exponent() + 1 : 0;
  const auto h = static_cast<int>((bits + 1) / 2);
  if (h < 24) throw std::domain_error("the bounds of residue arithmetic require M >= 2^46, not " + to_string(M));
  return h;
}

RelativeBound mp_unit(const Dyadic& M) {
  const int h = mp_significand_bits(M);
  const RelativeBound truncated{Dyadic::scaled(1, h + 1), M * (Dyadic(1) - Dyadic::scaled(1, -20))};
  const RelativeBound dropped{Dyadic::scaled(1, 1 - h), Dyadic(1) - Dyadic::scaled(1, -19) - Dyadic::scaled(1, 1 - h)};
  return std::max(truncated, dropped);
}

RelativeBound mp_published_unit(const Dyadic& M) {
  const int h = mp_significand_bits(M);
  Dyadic root;
  arf_sqrt(root.arf(), M.arf(), h + 64, ARF_RND_CEIL);
  return {4, root};
}

RelativeBound mp_gamma(long k, const RelativeBound& u) {
  const Dyadic sum = Dyadic(k) * u.numerator;
  if (k < 0 || sum >= u.denominator) throw std::domain_error("gamma_k requires k >= 0 and ku < 1");
  return {sum, u.denominator - sum};
}

RelativeBound mp_operation_bound(const RelativeBound& u) { return u; }

RelativeBound mp_difference_product_bound(const RelativeBound& u) { return mp_gamma(2, u); }

Bound mp_scal_bound(const RelativeBound& u, const Dyadic& product) { return mp_gamma(1, u) * product; }

Bound mp_axpy_bound(const RelativeBound& u, const Dyadic& product, const Dyadic& start) {
  return named("γ_2|αx|", mp_gamma(2, u) * product) + named("γ_1|y|", mp_gamma(1, u) * start);
}

Bound mp_axpy_scal_bound(const RelativeBound& u, const Dyadic& product, const Dyadic& start) {
  return named("γ_3|βαx|", mp_gamma(3, u) * product) + named("γ_2|βy|", mp_gamma(2, u) * start);
}

Bound mp_ger_bound(const RelativeBound& u, const Dyadic& product, const Dyadic& start) {
  return named("γ_3|αxy|", mp_gamma(3, u) * product) + named("γ_1|a|", mp_gamma(1, u) * start);
}

Bound mp_waxpby_bound(const RelativeBound& u, const Dyadic& magnitude) { return mp_gamma(2, u) * magnitude; }

Bound mp_asum_bound(const RelativeBound& u, long depth, const Dyadic& magnitude) {
  return mp_gamma(depth, u) * magnitude;
}

Bound mp_dot_bound(const RelativeBound& u, long depth, const Dyadic& magnitude) {
  return mp_gamma(depth + 1, u) * magnitude;
}

RelativeBound mp_nrm2_bound(const RelativeBound& u, long depth) {
  return mp_gamma(depth + 3, {u.numerator, u.denominator * Dyadic(2)});
}

}  // namespace assay
