// Sums as in suites for exact summation: ties and their neighbors in every binade, overflow of partial sums,
// cancellation in every pair of places, in every order of few terms. Compared with MPFR.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "blas_grid.hpp"
#include "exact_terms.hpp"
#include "kernels/sum/accurate_sum.hpp"
#include "kernels/sum/exact_sum.hpp"

namespace assay::sum {
namespace {

using namespace reference;

constexpr Rounding directions[] = {Rounding::rn, Rounding::ru, Rounding::rd, Rounding::rz};
constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
const Executor host = Executor::host();

/// Numbers plus half an ulp, which is a tie: the half in one term or in several, and the term that decides the tie far
/// below.
std::vector<Numbers> ties() {
  std::vector<Numbers> all;
  for (const int e : {-1022, -970, -1, 0, 53, 969, 1023}) {
    const double half = std::ldexp(1, e - 53);
    for (const double significand : {1.0, 1 + 0x1p-52, 1.5, 2 - 0x1p-52, 2 - 0x1p-51}) {
      const double x = std::ldexp(significand, e);
      for (const Numbers& part : {Numbers{half}, Numbers{half / 2, half / 2}, Numbers{1.5 * half, -half / 2},
                                  Numbers{-half}, Numbers{-half / 2}}) {
        for (const Numbers& rest : {Numbers{}, Numbers{smallest}, Numbers{-smallest}, Numbers{half * 0x1p-53},
                                    Numbers{-half * 0x1p-60, smallest}}) {
          Numbers terms{x};
          terms.insert(terms.end(), part.begin(), part.end());
          terms.insert(terms.end(), rest.begin(), rest.end());
          all.push_back(terms);
          for (double& each : terms) each = -each;
          all.push_back(terms);
        }
      }
    }
  }
  return all;
}

/// Partial sums beyond the largest number, where the sum is a number, or just fails to be one.
std::vector<Numbers> overflows() {
  const double half = 0x1p970;  // of the ulp of the largest number
  return {{largest, largest, -largest, -largest, 1},
          {largest, largest, -largest},
          {largest, half},
          {largest, half, -smallest},
          {largest, std::nextafter(half, 0)},
          {-largest, -half, smallest},
          {-largest, -half},
          {largest, largest, -largest, -largest, smallest, -smallest},
          {0x1p1023, 0x1p1023, -0x1p971},
          {0x1p1023, 0x1p1023, -half},
          {0x1p1023, 0x1p1023, -half, -smallest},
          {largest, 0x1p969, 0x1p969, -0x1p1023, -0x1p1023}};
}

/// Sums that are 0, subnormal, or the small remainder of terms that cancel.
std::vector<Numbers> remainders() {
  std::vector<Numbers> all{{},
                           {0.0},
                           {-0.0},
                           {-0.0, -0.0},
                           {0.0, -0.0},
                           {1, -1},
                           {smallest, -smallest},
                           {0x1p-1022, -smallest},
                           {smallest, smallest, smallest}};
  for (const double large : {largest, 0x1.8p600, 3.0, 0x1p-1000}) {
    for (const double small : {1.0, 0x1p-537, smallest, -0x1.8p-300}) {
      all.push_back({large, small, -large});
      all.push_back({large, -large / 2, small, -large / 2, small});
    }
  }
  return all;
}

/// check(terms) for every order of at most four terms and every rotation of more, also with two numbers that cancel in
/// every pair of places.
void for_each_order(const Numbers& terms, const std::function<void(const Numbers&)>& check) {
  Numbers order = terms;
  std::sort(order.begin(), order.end());
  for (std::size_t turn = 0; turn < std::max<std::size_t>(terms.size(), 1); ++turn) {
    ASSERT_NO_FATAL_FAILURE(check(order));
    if (terms.size() <= 4) break;
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  while (terms.size() <= 4 && std::next_permutation(order.begin(), order.end())) {
    ASSERT_NO_FATAL_FAILURE(check(order));
  }
  for (const double each : {largest, 0x1.7p-900}) {
    for (std::size_t i = 0; i <= terms.size(); ++i) {
      for (std::size_t j = 0; j <= terms.size(); ++j) {
        Numbers more = terms;
        more.insert(more.begin() + static_cast<std::ptrdiff_t>(i), each);
        more.insert(more.begin() + static_cast<std::ptrdiff_t>(i < j ? j + 1 : j), -each);
        ASSERT_NO_FATAL_FAILURE(check(more));
      }
    }
  }
}

std::string list(const Numbers& terms) {
  std::string text;
  for (const double each : terms) {
    char number[40];
    std::snprintf(number, sizeof number, " %a", each);
    text += number;
  }
  return text;
}

/// Each function of the terms is their sum rounded once, in every direction and order.
void expect_exact(const std::vector<Numbers>& cases) {
  ExactTerms truth;
  const auto check = [&](const Numbers& terms) {
    truth.clear();
    for (const double each : terms) truth.add(each);
    // The same sum as products: by ±1, and by powers of two if both factors are exact.
    Numbers signs(terms.size());
    Numbers signed_terms = terms;
    Numbers powers(terms.size());
    Numbers scaled = terms;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      signs[i] = i % 2 == 0 ? -1 : 1;
      signed_terms[i] *= signs[i];
      const int shift = std::abs(terms[i]) < 1 ? 700 : -700;
      powers[i] = std::ldexp(1, -shift);
      scaled[i] = std::ldexp(terms[i], shift);
    }
    for (const Rounding to : directions) {
      const double wanted = truth.rounded(to, 1, truth.only_minus_zeros() ? -0.0 : 0.0);
      const int direction = static_cast<int>(to);
      ASSERT_PRED2(same_number, exact_sum(host, terms, to), wanted) << direction << list(terms);
      ASSERT_PRED2(same_number, exact_dot(host, signed_terms, signs, to), wanted) << direction << list(terms);
      ASSERT_PRED2(same_number, exact_dot(host, scaled, powers, to), wanted) << direction << list(terms);
      for (const int words : {0, 3, 4, 6, 8}) {
        ASSERT_PRED2(same_number, accumulator_sum(host, words, to, terms), wanted)
            << words << " words, " << direction << list(terms);
        ASSERT_PRED2(same_number, accumulator_dot(host, words, to, scaled, powers), wanted)
            << words << " words, " << direction << list(terms);
      }
    }
  };
  for (const Numbers& terms : cases) ASSERT_NO_FATAL_FAILURE(for_each_order(terms, check));
}

TEST(SumGrid, TiesAreRoundedOnceInEveryOrderAndDirection) { expect_exact(ties()); }
TEST(SumGrid, PartialSumsThatOverflowLeaveTheSumAsItIs) { expect_exact(overflows()); }
TEST(SumGrid, CancellationLeavesWhatRemains) { expect_exact(remainders()); }

/// Whether arith/accumulators/accurate_sum.hpp accepts the terms: all below 2^(1021 − M), or all multiples of 2^(M +
/// 2)·η.
bool is_in_range(const Numbers& terms) {
  int m = 1;
  while (std::size_t{1} << m < terms.size() + 2) ++m;
  return std::all_of(terms.begin(), terms.end(), [m](double x) { return std::abs(x) < std::ldexp(1, 1021 - m); }) ||
         std::all_of(terms.begin(), terms.end(), [m](double x) {
           const double scaled = std::ldexp(x, -m - 2);
           return std::ldexp(scaled, m + 2) == x;
         });
}

TEST(SumGrid, NearSumIsTheNearestNumberAndTheOthersANeighbor) {
  ExactTerms truth;
  const auto check = [&](const Numbers& terms) {
    if (!is_in_range(terms)) {
      EXPECT_TRUE(std::isnan(near_sum<double>(host, terms))) << list(terms);
      return;
    }
    truth.clear();
    for (const double each : terms) truth.add(each);
    const double down = truth.rounded(Rounding::rd);
    const double up = truth.rounded(Rounding::ru);
    ASSERT_PRED2(same_number, near_sum<double>(host, terms), truth.rounded(Rounding::rn)) << list(terms);
    for (const double sum :
         {acc_sum<double>(host, terms), fast_acc_sum<double>(host, terms), acc_sum_k<double>(host, 3, terms)[0]}) {
      ASSERT_TRUE(sum == down || sum == up) << sum << " of" << list(terms);
    }
    const int sign = (truth.rounded(Rounding::rd) >= 0 ? 1 : -1) * (down == 0 && up == 0 ? 0 : 1);
    ASSERT_EQ(acc_sign<double>(host, terms), sign) << list(terms);
  };
  for (const auto& cases : {ties(), overflows(), remainders()}) {
    for (const Numbers& terms : cases) ASSERT_NO_FATAL_FAILURE(for_each_order(terms, check));
  }
}

TEST(SumGrid, ProductsBelowTheRangeDecideTies) {
  ExactTerms truth;
  // k·η + η/2 ± less, as products of numbers that are normal.
  for (const double k : {0.0, 1.0, 2.0, 0x1p52 - 1, 0x1p52}) {
    for (const double decider : {0.0, 0x1p-1000, -0x1p-1000, smallest, -smallest}) {
      for (const double sign : {1.0, -1.0}) {
        Numbers x{sign * k * smallest, 0x1p-600, decider};
        Numbers y{1, sign * 0x1p-475, sign * 0x1p-300};
        for (std::size_t turn = 0; turn < x.size(); ++turn) {
          std::rotate(x.begin(), x.begin() + 1, x.end());
          std::rotate(y.begin(), y.begin() + 1, y.end());
          truth.clear();
          for (std::size_t i = 0; i < x.size(); ++i) truth.add(x[i], y[i]);
          for (const Rounding to : directions) {
            const double wanted = truth.rounded(to);
            EXPECT_PRED2(same_number, exact_dot(host, x, y, to), wanted) << list(x) << " and" << list(y);
            for (const int words : {0, 3, 4, 6, 8}) {
              EXPECT_PRED2(same_number, accumulator_dot(host, words, to, x, y), wanted) << list(x) << " and" << list(y);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace assay::sum
