// Floors of the bounds on entries of a matrix product: no bound lies below its floor, and no floor below two fifths of
// its bound.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>

#include "properties/contracts/matmul_screen.hpp"

namespace assay::contracts {
namespace {

/// Random T, |d| ≤ T with some cancellation, and M ≤ T or 0.
class Entries {
 public:
  struct Entry {
    double magnitude, sum, lifted;
  };
  Entry operator()() {
    const double magnitude = std::ldexp(1 + unit_(random_), exponent_(random_));
    const double sum =
        random_() % 4 == 0 ? 0 : magnitude * std::ldexp(unit_(random_), -static_cast<int>(random_() % 20));
    return {magnitude, sum, random_() % 2 == 0 ? 0 : magnitude * unit_(random_)};
  }
  std::uint64_t terms() { return 1 + random_() % 5000; }

 private:
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<double> unit_{0, 1};
  std::uniform_int_distribution<int> exponent_{-30, 12};
};

/// The format of the results in "IN:OUT" or "IN".
oracle::Format result_of(const std::string& formats) {
  const std::string name = formats.substr(formats.find(':') + 1);
  return name == "f64"    ? oracle::binary64
         : name == "f16"  ? oracle::binary16
         : name == "bf16" ? oracle::bfloat16
                          : oracle::binary32;
}

/// Calls `each(contract, bound, floor)` for sums of every contract; the floor is computed from the values of T and |d|
/// that `lessened` returns.
template <class Function>
void for_bounds(bool has_subnormal_factors, Entries::Entry (*lessened)(const Entries::Entry&), const Function& each) {
  Entries entries;
  for (const MatmulBound& bound : matmul_bounds()) {
    for (const std::string& formats : bound.formats) {
      const oracle::Format result = result_of(formats);
      const oracle::Format accumulator = result == oracle::binary64 ? result : oracle::binary32;
      const std::uint64_t k = entries.terms();
      BoundFloor floor(bound, k, accumulator, result);
      for (int i = 0; i < 200; ++i) {
        Entries::Entry entry = entries();
        if (!has_subnormal_factors) entry.lifted = 0;
        const MatmulTerms terms{EntryKind::finite, oracle::exact(entry.sum), oracle::exact(entry.magnitude),
                                oracle::exact(entry.lifted)};
        const Entries::Entry known = lessened(entry);
        each(bound, bound_of(bound, {k, terms, accumulator, result}), floor(known.magnitude, known.sum));
      }
    }
  }
}

TEST(BoundFloor, IsAtMostTheBoundOfLargerSums) {
  for_bounds(
      true,
      [](const Entries::Entry& of) {
        return Entries::Entry{of.magnitude * (1 - 0x1p-30), of.sum / 2, 0};
      },
      [](const MatmulBound& bound, const Bound& exact, double floor) {
        ASSERT_LE(oracle::exact(floor) * exact.denominator, exact.numerator) << bound.id;
      });
}

TEST(BoundFloor, IsMoreThanTwoFifthsOfTheBoundOfTheSameSums) {
  for_bounds(
      false, [](const Entries::Entry& of) { return of; },
      [](const MatmulBound& bound, const Bound& exact, double floor) {
        EXPECT_GE(oracle::exact(floor * 2.5) * exact.denominator, exact.numerator) << bound.id;
      });
}

TEST(BoundFloor, IsRememberedOfItsOwnBoundTermsAndFormatsAlone) {
  const MatmulTerms terms{EntryKind::finite, oracle::Dyadic(1), oracle::Dyadic(3), {}};
  for (int repetition = 0; repetition < 2; ++repetition) {
    for (const std::uint64_t k : {7, 5000}) {
      for (const MatmulBound& bound : matmul_bounds()) {
        for (const std::string& formats : bound.formats) {
          const oracle::Format result = result_of(formats);
          const oracle::Format accumulator = result == oracle::binary64 ? result : oracle::binary32;
          const double floor = BoundFloor(bound, k, accumulator, result)(3, 1);
          const Bound exact = bound_of(bound, {k, terms, accumulator, result});
          EXPECT_LE(oracle::exact(floor) * exact.denominator, exact.numerator) << bound.id;
          EXPECT_GE(oracle::exact(floor * 2.5) * exact.denominator, exact.numerator) << bound.id;
        }
      }
    }
  }
}

/// a ≤ b
bool is_at_most(const Bound& a, const Bound& b) { return a.numerator * b.denominator <= b.numerator * a.denominator; }

TEST(MatmulBounds, AreOrderedWhereOneContractImpliesAnother) {
  Entries entries;
  for (const MatmulBound& stronger : matmul_bounds()) {
    for (const MatmulBound& weaker : matmul_bounds()) {
      if (std::ranges::find(stronger.implies, weaker.id) == stronger.implies.end()) continue;
      for (const std::string& formats : stronger.formats) {
        if (std::ranges::find(weaker.formats, formats) == weaker.formats.end()) continue;
        const oracle::Format result = result_of(formats);
        const oracle::Format accumulator = result == oracle::binary64 ? result : oracle::binary32;
        for (int i = 0; i < 60; ++i) {
          // Near the smallest normal number of the accumulator as often as anywhere, with M below and above T.
          const int scale = i % 2 == 0 ? 0 : accumulator.emin;
          Entries::Entry entry = entries();
          if (i % 4 > 1) entry.lifted *= 0x1p40;
          const auto scaled = [&](double x) { return oracle::exact(x).mul_2exp(scale); };
          const MatmulTerms terms{EntryKind::finite, scaled(entry.sum), scaled(entry.magnitude), scaled(entry.lifted)};
          const MatmulSum sum{entries.terms(), terms, accumulator, result};
          EXPECT_TRUE(is_at_most(bound_of(stronger, sum), bound_of(weaker, sum)))
              << stronger.id << " implies " << weaker.id << " in " << formats;
        }
      }
    }
  }
}

TEST(BoundFloor, ShowsNoEntryThatIsBrokenWhereResultsOverflow) {
  // 65536 is rounded to an infinity, so that the largest number is the rounding of no sum within a few units of it.
  const MatmulTerms terms{EntryKind::finite, oracle::Dyadic(65536), oracle::Dyadic(65536), {}};
  int broken = 0;
  for (const MatmulBound& bound : matmul_bounds()) {
    if (std::ranges::find(bound.formats, "f16") == bound.formats.end()) continue;
    const MatmulSum sum{1000, terms, oracle::binary32, oracle::binary16, oracle::binary16};
    const auto judgement = judge_entry(bound, sum, 0x7bff, 0);
    if (!judgement || judgement->verdict != Verdict::violated) continue;
    ++broken;
    EXPECT_LT(BoundFloor(bound, sum.k, sum.accumulator, sum.result)(65536, 65536), 65536 - 65504) << bound.id;
  }
  EXPECT_GT(broken, 0);
}

TEST(BoundFloor, IsZeroWhereTheBoundMayUnderflow) {
  BoundFloor floor(matmul_bounds().front(), 8, oracle::binary64, oracle::binary64);
  EXPECT_EQ(floor(0x1p-901, 0), 0);
  EXPECT_EQ(floor(0, 0), 0);
}

}  // namespace
}  // namespace assay::contracts
