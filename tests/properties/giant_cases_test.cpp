#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "drawn_cases.hpp"
#include "exec/memory.hpp"
#include "kernels/sum/accurate_sum.hpp"
#include "properties/catalog/giant/cases.hpp"
#include "properties/framework/offset_array.hpp"

namespace assay {
namespace {

TEST(GiantSums, AreExactForFewTermsToo) {
  for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 7, 8, 1000, 1001, 70001}) {
    for (std::int64_t seed = 0; seed < 8; ++seed) {
      const giant::SumCase c{n, seed};
      EXPECT_EQ(giant::sum_of(Executor::host(), c), giant::exact_sum_of(c).to_double_nearest()) << n << ' ' << seed;
      EXPECT_EQ(giant::dot_of(Executor::host(), c), giant::exact_dot_of(c).to_double_nearest()) << n << ' ' << seed;
    }
  }
}

TEST(GiantSums, OfAccurateKernelsAreRightForFewTermsToo) {
  const Domain<giant::SumCase> domain = giant::accurate_sum_domain();
  expect_inside(domain, 20);
  for (const std::int64_t n : {0, 1, 2, 7, 8, 9, 30, 1022, 1024}) {
    for (std::int64_t seed = 0; seed < 32; ++seed) {
      const giant::SumCase c{n, seed};
      const std::vector<double> terms = giant::accurate_terms_of(c);
      EXPECT_EQ(sum::near_sum<double>(Executor::host(), std::span<const double>(terms)),
                giant::exact_sum_of_accurate_terms(c).to_double_nearest())
          << n << ' ' << seed;
    }
  }
}

TEST(AccurateSums, RefuseOneTermMoreThanTheirTheoremsAllow) {
  constexpr std::int64_t more = giant::most_accurate + 1;
  const LargeMemory zeros(Executor::host(), static_cast<std::size_t>(more) * sizeof(double));
  const std::span<const double> x(static_cast<const double*>(zeros.data()), static_cast<std::size_t>(more));
  EXPECT_THROW(sum::acc_sum<double>(Executor::host(), x), std::invalid_argument);
  EXPECT_THROW(sum::near_sum<double>(Executor::host(), x), std::invalid_argument);
  EXPECT_THROW(sum::fast_acc_sum<double>(Executor::host(), x), std::invalid_argument);
  EXPECT_THROW(sum::prec_sum<double>(Executor::host(), 2, x), std::invalid_argument);
}

TEST(GiantSums, HaveTermsThatAreNotCancelled) {
  const giant::SumCase c{(std::int64_t{1} << 32) + 5, 77};
  int beyond = 0;
  for (const sum::SingleTerm& each : giant::single_terms_of(c).term) {
    if (each.pair >= 0 && giant::place_of(c, each) > std::int64_t{1} << 31) ++beyond;
  }
  EXPECT_GT(beyond, 0);
  EXPECT_FALSE(giant::exact_sum_of(c).is_zero());
}

TEST(GiantGemv, HasPlacesOfMoreThan32BitsAndIsExact) {
  const Domain<giant::GemvCase> domain = giant::gemv_domain();
  expect_inside(domain, 20);
  for (const auto& [name, bits] : {std::pair{"places above 2^31", 31}, std::pair{"places above 2^32", 32}}) {
    for (const giant::GemvCase& c : draw(class_named(domain, name), 20)) {
      EXPECT_GT((c.n - 1) * c.lda, std::int64_t{1} << bits);
    }
  }
  const giant::GemvCase small{1, 3, 5, 7, 9};
  const std::vector<double> got = giant::product_of(Executor::host(), small);
  const std::vector<oracle::Dyadic> exact = giant::exact_product_of(small);
  ASSERT_EQ(got.size(), exact.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], exact[i].to_double_nearest());
}

TEST(LargeMemory, IsZeroOnTheHost) {
  const LargeMemory memory(Executor::host(), std::size_t{1} << 24);
  EXPECT_EQ(static_cast<const double*>(memory.data())[12345], 0);
  EXPECT_GT(free_memory(Executor::host()), std::size_t{1} << 20);
}

TEST(OffsetArray, BeginsAtAnAddressThatIsAMultipleOfItsElementAlone) {
  const std::vector<double> x{1, 2, 3};
  const OffsetArray<double> there(Executor::host(), std::span<const double>(x));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(there.data()) % 16, 8u);
  EXPECT_EQ(there.take(), x);
}

TEST(OffsetArray, NoticesAWriteInFrontOfItsElements) {
  const Executor on = Executor::host();
  const std::vector<double> x{1, 2, 3};
  const OffsetArray<double> there(on, std::span<const double>(x));
  there.data()[-1] = 5;
  there.compare();
  EXPECT_EQ(on.audit().input_changes, 1u);
}

}  // namespace
}  // namespace assay
