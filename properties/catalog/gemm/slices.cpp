#include "properties/catalog/gemm/slices.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "errorbounds/gemm.hpp"
#include "kernels/gemm/ozaki.hpp"

namespace assay::gemm {
namespace {

using oracle::Dyadic;
using oracle::MatrixView;

/// The slices of op(A) and of op(B)ᵀ, and the products of all pairs, one after the other: sizes that a case does not
/// determine come first.
struct SliceResult {
  std::size_t count_a, count_b;
  int q;
  const double *unit_a, *unit_b, *digit_a, *digit_b, *products;

  explicit SliceResult(const GemmCase& c, const GemmResult& flat)
      : count_a(static_cast<std::size_t>(flat[0])),
        count_b(static_cast<std::size_t>(flat[1])),
        q(static_cast<int>(flat[2])) {
    unit_a = flat.data() + 3;
    unit_b = unit_a + c.m;
    digit_a = unit_b + c.n;
    digit_b = digit_a + static_cast<std::int64_t>(count_a) * c.m * c.k;
    products = digit_b + static_cast<std::int64_t>(count_b) * c.n * c.k;
  }
};

GemmResult slices(const Executor& on, const GemmCase& c) {
  const auto flipped = [](int flag) { return flag != 0 ? blas::Transpose::no : blas::Transpose::yes; };
  const OzakiSlices a =
      ozaki_slices(on, c.trans_a != 0 ? blas::Transpose::yes : blas::Transpose::no, c.m, c.k, c.a, c.lda);
  const OzakiSlices b = ozaki_slices(on, flipped(c.trans_b), c.n, c.k, c.b, c.ldb);
  GemmResult flat{static_cast<double>(a.count), static_cast<double>(b.count), static_cast<double>(a.q)};
  flat.resize(3 + static_cast<std::size_t>(c.m + c.n));
  std::copy(a.unit.begin(), a.unit.end(), flat.begin() + 3);
  std::copy(b.unit.begin(), b.unit.end(), flat.begin() + 3 + c.m);
  flat.insert(flat.end(), a.digit.begin(), a.digit.end());
  flat.insert(flat.end(), b.digit.begin(), b.digit.end());
  for (int p = 0; p < a.count; ++p) {
    for (int r = 0; r < b.count; ++r) {
      const std::vector<double> product = ozaki_slice_product(on, a, p, b, r);
      // The sign of a zero sum depends on the order of its additions: integers have no such sign.
      for (const double each : product) flat.push_back(each + 0.0);
    }
  }
  return flat;
}

/// Integers of at most q bits that sum to the entries of a matrix, lines × c.k.
Judgement judge_slices(const MatrixView& x, bool rows, std::size_t count, int q, const double* unit,
                       const double* digit) {
  const std::int64_t lines = rows ? x.rows : x.columns;
  const std::int64_t length = rows ? x.columns : x.rows;
  const double most = std::ldexp(1.0, q);
  for (std::int64_t i = 0; i < lines; ++i) {
    for (std::int64_t l = 0; l < length; ++l) {
      Dyadic sum;
      for (std::size_t p = 0; p < count; ++p) {
        const double each = digit[(static_cast<std::int64_t>(p) * length + l) * lines + i];
        if (each != std::trunc(each) || std::abs(each) > most) return Judgement::fail();
        Dyadic term = value_of(each);
        sum += term.mul_2exp(static_cast<long>(unit[i]) - static_cast<long>(p) * (q + 1));
      }
      if (sum != value_of(rows ? x.at(i, l) : x.at(l, i))) return Judgement::fail();
    }
  }
  return Judgement::pass();
}

/// Every product of slices is the exact sum of products of integers, at most 2⁵³.
Judgement judge_slice_products(const GemmCase& c, const SliceResult& s) {
  const double* next = s.products;
  for (std::size_t p = 0; p < s.count_a; ++p) {
    for (std::size_t r = 0; r < s.count_b; ++r) {
      for (std::int64_t j = 0; j < c.n; ++j) {
        for (std::int64_t i = 0; i < c.m; ++i, ++next) {
          // Below 2⁶³ in magnitude if k·2^(2q) is.
          std::int64_t sum = 0;
          std::int64_t magnitudes = 0;
          for (std::int64_t l = 0; l < c.k; ++l) {
            const auto a = static_cast<std::int64_t>(s.digit_a[(static_cast<std::int64_t>(p) * c.k + l) * c.m + i]);
            const auto b = static_cast<std::int64_t>(s.digit_b[(static_cast<std::int64_t>(r) * c.k + l) * c.n + j]);
            sum += a * b;
            magnitudes += std::abs(a * b);
          }
          if (value_of(*next) != Dyadic(sum) || magnitudes > std::int64_t{1} << 53) return Judgement::fail();
        }
      }
    }
  }
  return Judgement::pass();
}

}  // namespace

Property<GemmCase, GemmResult, GemmTruth> slice_structure() {
  Domain<GemmCase> domain = gemm_domain({.poison = false});
  std::erase_if(domain.classes, [](const InputClass<GemmCase>& each) {
    return each.name == "exponents within ±500" || each.name == "inner indices scaled by 2^±500" ||
           each.name == "circulants of opposite scales";
  });
  return {.name = "gemm.slices",
          .domain = std::move(domain),
          .subject = [](const Executor& on, const GemmCase& c) { return slices(on, c); },
          .reference = [](const GemmCase&) { return GemmTruth{}; },
          .claims = {of_instance("Σ_p A_p = A", satisfies("slices_of_a", gemm_ozaki_2,
                                                          [](const GemmCase& c, const GemmResult& result) {
                                                            const SliceResult s(c, result);
                                                            return judge_slices(op_a(c, 0), true, s.count_a, s.q,
                                                                                s.unit_a, s.digit_a);
                                                          })),
                     of_instance("Σ_r B_r = B", satisfies("slices_of_b", gemm_ozaki_2,
                                                          [](const GemmCase& c, const GemmResult& result) {
                                                            const SliceResult s(c, result);
                                                            return judge_slices(op_b(c, 0), false, s.count_b, s.q,
                                                                                s.unit_b, s.digit_b);
                                                          })),
                     satisfies("products", gemm_ozaki_3,
                               [](const GemmCase& c, const GemmResult& result) {
                                 return judge_slice_products(c, SliceResult(c, result));
                               })},
          .inexact = [](const GemmCase&, const GemmTruth&, const GemmResult& result) { return result[0] > 1; },
          .quick_cases = 500};
}

}  // namespace assay::gemm
