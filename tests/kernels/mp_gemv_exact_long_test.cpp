// The exact-accumulating GEMV at 1000 and 4096 terms with rows that cancel: every entry is RN of the exact value, by
// integers of GMP. On the host, in two orders, and on a device if there is one.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/kernels/mp_gemv_exact_reference.hpp"

namespace assay::gemv {
namespace {

class MpGemvExactLong : public testing::TestWithParam<std::pair<int, std::int64_t>> {};
std::vector<std::pair<int, std::int64_t>> lengths() {
  std::vector<std::pair<int, std::int64_t>> all;
  for (const int n : {8, 16, 32, 64, 128}) {
    for (const std::int64_t terms : {1000, 4096}) all.emplace_back(n, terms);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(ModuliAndTerms, MpGemvExactLong, testing::ValuesIn(lengths()), [](const auto& each) {
  return std::to_string(each.param.first) + "_" + std::to_string(each.param.second);
});

TEST_P(MpGemvExactLong, RowsThatCancelAreRoundedOnce) {
  const auto [n, terms] = GetParam();
  Draw draw(n, 13);
  for (const Executor& on : executors()) {
    for (const int spread : {160, 40 * n, 100000}) {
      const blas::Transpose trans = spread == 160 ? blas::Transpose::yes : blas::Transpose::no;
      expect_rounded_once(n, cancelling(draw, n, trans, terms, spread), on);
    }
  }
}

}  // namespace
}  // namespace assay::gemv
