#pragma once
// α·op(A)·op(B) + β·C rounded once, by MPFR, and operands for it.

#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "../arith/binary64_range.hpp"
#include "arith/bits/traits.hpp"
#include "kernels/gemm/arguments.hpp"

namespace assay::reference {

/// C after the product, the rest of the array unchanged. Exact in 8000 bits: terms are multiples of 2⁻³²²² below 2³⁰⁷².
/// An exact zero is +0. Requires: finite data.
inline std::vector<double> exact_gemm(const gemm::GemmArguments& g, const std::vector<double>& c) {
  std::vector<double> result = c;
  mpfr_t sum, term, rounded;
  mpfr_init2(sum, 8000);
  mpfr_init2(term, 159);
  mpfr_init2(rounded, 53);
  for (std::int64_t j = 0; j < g.n; ++j) {
    for (std::int64_t i = 0; i < g.m; ++i) {
      const auto at = static_cast<std::size_t>(i + j * g.ldc);
      mpfr_set_zero(sum, 1);
      for (std::int64_t l = 0; g.alpha != 0 && l < g.k; ++l) {
        mpfr_set_d(term, g.a[i * g.row_step_a() + l * g.column_step_a()], MPFR_RNDN);
        mpfr_mul_d(term, term, g.b[l * g.row_step_b() + j * g.column_step_b()], MPFR_RNDN);
        mpfr_mul_d(term, term, g.alpha, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
      }
      if (g.beta != 0) {
        mpfr_set_d(term, c[at], MPFR_RNDN);
        mpfr_mul_d(term, term, g.beta, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
      }
      const int ternary = mpfr_set(rounded, sum, MPFR_RNDN);
      result[at] = mpfr_zero_p(sum) != 0 ? 0.0 : in_binary64(rounded, ternary, MPFR_RNDN);
    }
  }
  mpfr_clears(sum, term, rounded, nullptr);
  return result;
}

/// One product with arrays of its own.
struct GemmProblem {
  gemm::GemmArguments g;
  std::vector<double> a, b, c;

  /// The arguments with the arrays of this copy.
  gemm::GemmArguments& arguments() {
    g.a = a.data();
    g.b = b.data();
    g.c = c.data();
    return g;
  }
};

/// The kind of entries of a drawn problem.
enum class Entries {
  uniform,      ///< 53 bits, exponents within 2
  wide,         ///< 53 bits, exponents within 600
  extreme,      ///< any exponent, subnormal numbers included
  cancelling,   ///< the second half of the products cancels the first except for last bits
  few_integers  ///< small integers: ties and zeros
};

class GemmDraw {
 public:
  explicit GemmDraw(std::uint64_t seed) : random_(seed) {}

  double number(int low, int high) {
    const double fraction = 1.0 + static_cast<double>(random_() >> 12) * 0x1p-52;
    const int e = low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
    return std::ldexp(random_() % 2 == 0 ? fraction : -fraction, e);
  }
  double entry(Entries kind) {
    switch (kind) {
      case Entries::uniform:
      case Entries::cancelling:
        return number(-2, 0);
      case Entries::wide:
        return number(-300, 300);
      case Entries::extreme:
        return random_() % 8 == 0 ? 0.0 : number(-1074, 1023);
      default:
        return static_cast<double>(static_cast<int>(random_() % 5) - 2);
    }
  }
  std::vector<double> entries(std::size_t count, Entries kind) {
    std::vector<double> x(count);
    for (double& each : x) each = entry(kind);
    return x;
  }

  GemmProblem problem(std::int64_t m, std::int64_t n, std::int64_t k, blas::Transpose trans_a, blas::Transpose trans_b,
                      Entries kind, double alpha = 1, double beta = 1) {
    GemmProblem p;
    p.g = {.trans_a = trans_a, .trans_b = trans_b, .m = m, .n = n, .k = k, .alpha = alpha, .beta = beta};
    p.g.lda = (trans_a == blas::Transpose::yes ? k : m) + 1 + static_cast<std::int64_t>(random_() % 3);
    p.g.ldb = (trans_b == blas::Transpose::yes ? n : k) + 1 + static_cast<std::int64_t>(random_() % 3);
    p.g.ldc = m + 1 + static_cast<std::int64_t>(random_() % 3);
    p.a = entries(static_cast<std::size_t>(p.g.lda * (trans_a == blas::Transpose::yes ? m : k)), kind);
    p.b = entries(static_cast<std::size_t>(p.g.ldb * (trans_b == blas::Transpose::yes ? k : n)), kind);
    p.c = entries(static_cast<std::size_t>(p.g.ldc * n), kind);
    if (kind == Entries::cancelling) {
      for (std::int64_t l = k / 2; l < k / 2 * 2; ++l) {
        for (std::int64_t i = 0; i < m; ++i) {
          const double partner = p.a[index(i * p.g.row_step_a() + (l - k / 2) * p.g.column_step_a())];
          p.a[index(i * p.g.row_step_a() + l * p.g.column_step_a())] =
              random_() % 16 == 0 ? std::nextafter(-partner, 0.0) : -partner;
        }
        for (std::int64_t j = 0; j < n; ++j) {
          p.b[index(l * p.g.row_step_b() + j * p.g.column_step_b())] =
              p.b[index((l - k / 2) * p.g.row_step_b() + j * p.g.column_step_b())];
        }
      }
      for (double& each : p.c) each = std::ldexp(each, -60);
    }
    return p;
  }

 private:
  static std::size_t index(std::int64_t at) { return static_cast<std::size_t>(at); }
  std::mt19937_64 random_;
};

inline constexpr blas::Transpose both[] = {blas::Transpose::no, blas::Transpose::yes};
inline constexpr Entries all_kinds[] = {Entries::uniform, Entries::wide, Entries::extreme, Entries::cancelling,
                                        Entries::few_integers};

/// check(kind, α, β) for every kind of entries, with factors that round, vanish, over- or underflow.
template <class Check>
void for_each_scaling(const Check& check) {
  for (const Entries kind : all_kinds) {
    for (const double alpha : {-1.0, 0.1, 0x1p-1074, 0x1.fffffffffffffp1023, 0.0}) {
      for (const double beta : {0.0, -1.0, 0.3, 0x1p-1074, 0x1.fffffffffffffp1023}) check(kind, alpha, beta);
    }
  }
}

/// The encodings of numbers.
inline std::vector<std::uint64_t> encodings(const std::vector<double>& x) {
  std::vector<std::uint64_t> all;
  for (const double each : x) all.push_back(to_bits(each));
  return all;
}

/// The dimensions of a product.
struct Shape {
  std::int64_t m, n, k;
};

/// check(product) for products of every shape with every transpose and every kind of entries.
template <class Check>
void for_each_product(GemmDraw& draw, std::initializer_list<Shape> shapes, const Check& check) {
  for (const blas::Transpose trans_a : both) {
    for (const blas::Transpose trans_b : both) {
      for (const Shape& s : shapes) {
        for (const Entries kind : all_kinds) check(draw.problem(s.m, s.n, s.k, trans_a, trans_b, kind));
      }
    }
  }
}

}  // namespace assay::reference
