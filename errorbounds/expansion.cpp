#include "errorbounds/expansion.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

#include "errorbounds/fraction.hpp"
#include "errorbounds/gamma.hpp"

namespace assay {

using oracle::Dyadic;

namespace {

void require(bool met, const char* what, const char* condition, int R, int p) {
  if (!met) {
    throw std::domain_error(std::string("the bound of ") + what + " requires " + condition +
                            ": R = " + std::to_string(R) + ", p = " + std::to_string(p));
  }
}

/// u^R.
Dyadic power(int R, int p) { return Dyadic::scaled(1, -static_cast<long>(R) * p); }

Dyadic power(const Dyadic& base, int exponent) {
  Dyadic result = 1;
  for (int i = 0; i < exponent; ++i) {
    result *= base;
  }
  return result;
}

Dyadic factorial(int n) {
  Dyadic result = 1;
  for (int i = 2; i <= n; ++i) {
    result *= i;
  }
  return result;
}

/// 1 − k·u.
Dyadic one_minus(int k, int p) { return Dyadic(1) - Dyadic(k) * unit_roundoff(p); }

/// c·u^R with c for R = 1, 2, and 3 beyond.
RelativeBound newton(int R, int p, int c1, int c2, const char* what) {
  require(R >= 1 && 2 * R + 6 <= p, what, "R >= 1 and 2R + 6 <= p", R, p);
  return {Dyadic(R == 1 ? c1 : R == 2 ? c2 : 3) * power(R, p), 1};
}

/// m·2^(−(p−4)R−2)/(1 − 2^(−p+1)).
RelativeBound campary_newton(int m, int R, int p, const char* what) {
  require(R >= 1 && p >= 5, what, "R >= 1 and p >= 5", R, p);
  return {Dyadic::scaled(m, -static_cast<long>(p - 4) * R - 2), one_minus(2, p)};
}

}  // namespace

RelativeBound renormalization_bound(int m, int p) {
  require(m >= 1 && p >= 5, "renormalization", "m >= 1 and p >= 5", m, p);
  const Dyadic u = unit_roundoff(p);
  if (m == 1) return {Dyadic(4) * u, one_minus(4, p)};
  const Dyadic kept = power(m, p) * power(Dyadic(1) + Dyadic(10) * u, m - 1);
  return {kept + power(Dyadic(4) * u, m + 1), one_minus(4, p)};
}

RelativeBound published_certified_add_bound(int R, int p) {
  require(R >= 1 && p >= 3, "the published bound of the certified sum", "R >= 1 and p >= 3", R, p);
  return {Dyadic::scaled(9, -static_cast<long>(p - 1) * R), 2};
}

Bound quick_add_bound(int R, int p, const Dyadic& leading) {
  require(R >= 1 && R <= 16 && p >= 11, "the quick sum", "1 <= R <= 16 and p >= 11", R, p);
  return {Dyadic(8) * factorial(R) * power(R, p) * leading, 1};
}

RelativeBound certified_mul_bound(int R, int p) {
  require(R >= 1 && R <= 16 && p >= 24, "the certified product", "1 <= R <= 16 and p >= 24", R, p);
  if (R == 1) return {Dyadic(3) * unit_roundoff(p), 2};
  const RelativeBound rounded = renormalization_bound(R, p);
  const Dyadic formed = Dyadic::scaled(17, -6) + Dyadic::scaled(3 * R + 6, R - p);
  const RelativeBound dropped{formed * power(R, p), one_minus(5, p)};
  return rounded + dropped + rounded * dropped;
}

RelativeBound published_certified_mul_bound(int R, int p) {
  require(R >= 1 && p >= 24, "the certified product", "R >= 1 and p >= 24", R, p);
  return {Dyadic::scaled(1, -static_cast<long>(p - 1) * R) * (Dyadic(1) + Dyadic::scaled(R + 1, -p)), 1};
}

RelativeBound truncated_mul_bound(int R, int p) {
  require(R >= 1 && R <= 16 && p >= 24, "the truncated product", "1 <= R <= 16 and p >= 24", R, p);
  return {Dyadic(18) * factorial(R) * factorial(R - 1) * power(R, p), 1};
}

RelativeBound published_truncated_mul_bound(int R, int K, int L, int p) {
  require(R >= 1 && K + L >= R + 2 && p >= 24, "the truncated product", "R >= 1, K + L >= R + 2 and p >= 24", R, p);
  const Dyadic terms = Dyadic(1) + Dyadic::scaled(R + 1, -p) + Dyadic::scaled(K + L - R - 2, 2 - p);
  return {Dyadic::scaled(1, -static_cast<long>(p - 1) * R) * terms, 1};
}

RelativeBound reciprocal_bound(int R, int p) { return newton(R, p, 4, 14, "the reciprocal"); }
RelativeBound expansion_div_bound(int R, int p) { return newton(R, p, 6, 19, "the quotient"); }
RelativeBound rsqrt_bound(int R, int p) { return newton(R, p, 4, 19, "the reciprocal square root"); }
RelativeBound expansion_sqrt_bound(int R, int p) { return newton(R, p, 3, 28, "the square root"); }

RelativeBound published_newton_bound(int R, int p) {
  require(R >= 1 && p >= 5, "the reciprocal", "R >= 1 and p >= 5", R, p);
  return {Dyadic::scaled(1, -static_cast<long>(p - 3) * R - 1), 1};
}
RelativeBound published_reciprocal_bound(int R, int p) { return campary_newton(1, R, p, "the reciprocal"); }
RelativeBound published_rsqrt_bound(int R, int p) { return campary_newton(2, R, p, "the reciprocal square root"); }
RelativeBound published_sqrt_bound(int R, int p) { return campary_newton(3, R, p, "the square root"); }

}  // namespace assay
