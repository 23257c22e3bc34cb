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

}  // namespace assay
