#pragma once

#include <cstdint>

#include "arith/accumulators/certified_sum.hpp"
#include "arith/bits/bits.hpp"
#include "arith/bits/traits.hpp"
#include "arith/float/error_free.hpp"
#include "arith/hd.hpp"

namespace assay {

/// A sum of products whose largest magnitudes are known in advance, in two words. `high` = 1.5·2^top + the products,
/// each rounded to the grid 2^(top − 52). That is exact, since high stays within [2^top, 2^(top + 1)]. `low` collects
/// by rounded additions the remainders below the grid. 4 operations for each product. The extraction is from Rump,
/// Ogita, Oishi, Accurate floating-point summation, part I, SIAM J. Sci. Comput. 31(1), 2008, §3, fused with the
/// product; the certificate is after Ziv, ACM TOMS 17(3), 1991. docs/bounds/gemm.md, gemm.windows.1.
struct WindowDot {
  static constexpr std::int64_t most_products = std::int64_t{1} << 20;
  static constexpr int least_top = -900;
  static constexpr int most_top = 1000;

  double high, low;

  /// ⌈log₂ products⌉. Requires: products ≥ 1 (not checked).
  [[nodiscard]] ASSAY_HD static constexpr int log_of(std::int64_t products) {
    int log = 0;
    while ((std::int64_t{1} << log) < products) ++log;
    return log;
  }

  /// top for 2^log products of a and b with high_bits of at most these.
  [[nodiscard]] ASSAY_HD static constexpr int top_of(std::int32_t most_a, std::int32_t most_b, int log) {
    return (most_a >> 20) - 1023 + (most_b >> 20) - 1023 + log + 4;
  }

  /// Whether the window of `top` may be used for this many products.
  [[nodiscard]] ASSAY_HD static constexpr bool is_possible(int top, std::int64_t products) {
    return top >= least_top && top <= most_top && products <= most_products;
  }

  /// The empty sum. Requires: is_possible (not checked).
  [[nodiscard]] ASSAY_HD static constexpr WindowDot at(int top) { return {1.5 * bits::power_of_two<double>(top), 0}; }

  /// Adds a·b.
  ASSAY_HD void add_product(double a, double b) {
    const double next = fma(a, b, high);
    low += fma(a, b, high - next);
    high = next;
  }

  /// RN(α·sum + β·c), if it is certified: for the window of `top` and at most this many products. Requires: α and β
  /// finite (not checked).
  [[nodiscard]] ASSAY_HD CertifiedNumber combined(int top, std::int64_t products, double alpha, double beta,
                                                  double c) const {
    const auto k = static_cast<double>(products);
    const Sum<double> sum = fast_two_sum(high - 1.5 * bits::power_of_two<double>(top), low);
    const double lost = k * (k + 4) * bits::power_of_two<double>(top - 107) + tiny;
    const Scaled s = scaled(alpha, sum.s);
    const Scaled t = beta == 0 ? Scaled{0, 0, true} : scaled(beta, c);
    const double low_of_s = alpha == 1 ? sum.e : fma(alpha, sum.e, s.low);
    const Sum<double> first = two_sum(s.high, t.high);
    const Sum<double> z = two_sum(first.s, (first.e + low_of_s) + t.low);
    const double rounded = 0x1p-50 * (abs(first.e) + abs(low_of_s) + abs(t.low));
    const double margin = 2 * (abs(alpha) * lost + (rounded + 0x1p-52 * abs(z.e) + tiny));
    const bool in_range = s.is_exact && t.is_exact && abs(z.s) >= least && abs(z.s) <= most;
    return {z.s, in_range && z.s + (z.e + margin) == z.s && z.s + (z.e - margin) == z.s};
  }

 private:
  static constexpr double tiny = bits::power_of_two<double>(-1000);
  static constexpr double least = bits::power_of_two<double>(-900);
  static constexpr double most = bits::power_of_two<double>(1000);

  /// factor·x in two numbers, if is_exact.
  struct Scaled {
    double high, low;
    bool is_exact;
  };
  [[nodiscard]] ASSAY_HD static Scaled scaled(double factor, double x) {
    if (factor == 1) return {x, 0, abs(x) <= most};
    const Product<double> p = two_prod(factor, x);
    return {p.p, p.e, x == 0 || (abs(p.p) >= least && abs(p.p) <= most)};
  }
};

}  // namespace assay
