// Entries αs + βc whose data are so short that every correct kernel computes them exactly.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>

#include "properties/contracts/matmul_epilogue_cases.hpp"
#include "tests/assay/subject_kernel.hpp"

namespace assay {
namespace {

using Case = contracts::EpilogueCase<contracts::Numbers<float, float>>;

/// One row and one column: the exact entry, and the number of binary32 above it.
void exact_entry(std::size_t, std::size_t, std::size_t, std::size_t k, float alpha, const float* a, const float* b,
                 float beta, const float* c, float* d) {
  double sum = 0;
  for (std::size_t l = 0; l < k; ++l) sum += static_cast<double>(a[l]) * b[l];
  *d = static_cast<float>(alpha * sum + static_cast<double>(beta) * *c);
}
void entry_one_place_above(std::size_t batch, std::size_t m, std::size_t n, std::size_t k, float alpha, const float* a,
                           const float* b, float beta, const float* c, float* d) {
  exact_entry(batch, m, n, k, alpha, a, b, beta, c, d);
  *d = std::nextafter(*d, INFINITY);
}

Case small_integers() {
  Case c;
  c.batch = c.m = c.n = 1;
  c.k = 3;
  c.a = {3, -1, 2};
  c.b = {5, 4, 7};
  c.alpha = 2;
  c.beta = -1;
  c.c = {6};
  return c;
}

TEST(EpilogueOfSmallIntegers, IsExactInEveryKernelThatKeepsABound) {
  Case thirds = small_integers();
  thirds.b = {5.0F / 3, 4.0F / 3, 7.0F / 3};
  for (const std::string contract : {"inner_product", "from_c_inner_product", "exact_grid"}) {
    const auto verdict = [&](auto* kernel, const Case& c) {
      return verdict_on("matmul_epilogue", "f32", kernel, contract, c);
    };
    EXPECT_EQ(verdict(&exact_entry, small_integers()), Verdict::holds) << contract;
    EXPECT_EQ(verdict(&entry_one_place_above, small_integers()), Verdict::violated) << contract;
    EXPECT_EQ(verdict(&entry_one_place_above, thirds), Verdict::holds) << contract;
  }
}

}  // namespace
}  // namespace assay
