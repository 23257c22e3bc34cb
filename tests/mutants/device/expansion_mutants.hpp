#pragma once
// The R rows of the mutant catalog: operations on expansions over double with one mistake each, as element-wise
// kernels. The mistake is a value, so that all rows of an operation use one kernel.

#include "arith/expansion/expansion.hpp"
#include "exec/elementwise.hpp"

namespace assay::mutants {

/// The mistakes of renormalization, by rows; none: it is correct.
enum class Renormalizing {
  none,
  without_branch,        ///< R1: the first words of VecSum
  without_zero_test,     ///< R2: the output index also advances where the error is 0
  without_last_sum,      ///< R3: the last TwoSum of VecSumErrBranch is skipped
  top_down,              ///< R4: VecSum from the first word to the last
  fast_two_sums,         ///< R5: VecSum of FastTwoSums
  one_pass_fewer,        ///< R6: VecSumErr on words j … m for j = 0 … m − 3
  truncated_last_word,   ///< R7: the rest of the sum is cut off before the last word is rounded
  negative_zeros,        ///< R10: words that are zero are −0
  special_words_dropped  ///< R16: words that are infinite or NaN are treated as 0
};

/// renormalize<3> of 8 words with a mistake.
struct Renormalize {
  static constexpr int n = 8;
  static constexpr int m = 3;
  using Input = Expansion<double, n>;
  using Output = Expansion<double, m>;
  Renormalizing mistake = Renormalizing::none;

  ASSAY_HD void vec_sum(double (&e)[n]) const {
    if (mistake == Renormalizing::top_down) {
      double s = e[0];
      for (int i = 1; i < n; ++i) {
        const Sum<double> z = two_sum(s, e[i]);
        s = z.s;
        e[i] = z.e;
      }
      e[0] = s;
    } else if (mistake == Renormalizing::fast_two_sums) {
      for (int i = n - 1; i > 0; --i) {
        const Sum<double> z = fast_two_sum(e[i - 1], e[i]);
        e[i - 1] = z.s;
        e[i] = z.e;
      }
    } else {
      expansion::vec_sum(e);
    }
  }

  ASSAY_HD void vec_sum_err_branch(const double (&e)[n], double (&f)[m + 1]) const {
    if (mistake != Renormalizing::without_zero_test && mistake != Renormalizing::without_last_sum) {
      expansion::vec_sum_err_branch(e, f);
      return;
    }
    double words[n + 1] = {};
    int j = 0;
    double eps = e[0];
    for (int i = 1; i < n - 1; ++i) {
      const Sum<double> z = two_sum(eps, e[i]);
      const bool advance = mistake == Renormalizing::without_zero_test || z.e != 0;
      words[j] = z.s;
      j += advance ? 1 : 0;
      eps = advance ? z.e : z.s;
    }
    if (mistake == Renormalizing::without_last_sum) {
      words[j] = eps;
    } else {
      const Sum<double> z = two_sum(eps, e[n - 1]);
      words[j] = z.s;
      words[j + 1] = z.e;
    }
    for (int i = 0; i <= m; ++i) {
      f[i] = words[i];
    }
  }

  ASSAY_HD Output operator()(const Input& x) const {
    Input e = x;
    if (mistake == Renormalizing::special_words_dropped) {
      for (double& each : e.x) each = is_finite(each) ? each : 0;
    }
    vec_sum(e.x);
    if (mistake == Renormalizing::without_branch) {
      return {{e.x[0], e.x[1], e.x[2]}};
    }
    double f[m + 1];
    vec_sum_err_branch(e.x, f);
    if (mistake == Renormalizing::truncated_last_word) {
      f[m] = 0;
    }
    expansion::vec_sum_err<0>(f);
    if (mistake != Renormalizing::one_pass_fewer) {
      expansion::vec_sum_err<1>(f);
    }
    if (mistake == Renormalizing::negative_zeros) {
      for (double& each : f) each = each == 0 ? -0.0 : each;
    }
    return {{f[0], f[1], f[2]}};
  }
};

/// Two expansions of three words.
struct Factors {
  Expansion<double, 3> x, y;
};

/// certified_mul<3>, R9: if `dropped`, without the products from the diagonal i + j = 2 on.
struct Multiply {
  using Input = Factors;
  using Output = Expansion<double, 3>;
  bool dropped = false;

  ASSAY_HD Output operator()(const Input& c) const {
    if (!dropped) {
      return expansion::certified_mul<3>(c.x, c.y);
    }
    const auto upper = expansion::certified_mul<3>(expansion::truncate<1>(c.x), expansion::truncate<2>(c.y));
    const Product<double> lower = two_prod(c.x.x[1], c.y.x[0]);
    return expansion::certified_add<3>(upper, Expansion<double, 2>{{lower.p, lower.e}});
  }
};

}  // namespace assay::mutants
