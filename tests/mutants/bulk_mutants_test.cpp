// Kernels that are wrong about once in 10⁸ cases. The quick tier does not notice them, the tier `bulk` does: on a
// device all six, on the host only two of them, since the others would take much longer there.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "errorbounds/dw_theorems.hpp"
#include "errorbounds/triple_theorems.hpp"
#include "properties/catalog/probed.hpp"
#include "properties/framework/probe_run.hpp"
#include "properties/framework/property.hpp"
#include "tests/mutants/device/bulk_mutants.hpp"

namespace assay::mutants {

namespace {

/// A copy of a property of the catalog with a wrong kernel instead of its own, and its probe with the same kernel.
template <class Truth, class Wrong>
std::unique_ptr<PropertyModel> with_kernel(const char* name, const Wrong& wrong, const RelativeBound& bound) {
  using Case = typename Wrong::Input;
  using Model = TypedModel<Case, typename Wrong::Output, Truth>;
  const auto* const right = dynamic_cast<const Model*>(find_property(name));
  if (right == nullptr) throw std::logic_error(std::string(name) + " is no property of these cases");
  auto property = right->property();
  property.subject = [wrong](const Executor&, const Case& c) { return wrong.run(c); };
  property.probe = probed(right->probe()->claim, wrong, bound, right->probe()->classes);
  return std::make_unique<Model>(std::move(property));
}
template <class Wrong>
std::unique_ptr<PropertyModel> of_words(const char* name, const RelativeBound& bound, Box box) {
  Wrong wrong{};
  constexpr int normal = FloatTraits<typename Wrong::Number>::emin;
  wrong.range = {std::max({box.low, normal, -800}), box.high};
  return with_kernel<oracle::Dyadic>(name, wrong, bound);
}

struct BulkRow {
  const char* id;
  bool is_found_on_host;  ///< in a few minutes
  std::function<std::unique_ptr<PropertyModel>()> wrong;
};
void PrintTo(const BulkRow& row, std::ostream* out) { *out << row.id; }
const BulkRow rows[] = {
    {"B1", true,
     [] { return of_words<LostLowWord>("dw.accurate_add", dw_accurate_add_1(53), add_box(oracle::binary64)); }},
    {"B2", false, [] { return of_words<TurnedLowWord>("dw.mul3", dw_mul3_1(53), product_box(oracle::binary64)); }},
    {"B3", false, [] { return of_words<LeftOutLowWord>("dw.add_fp.f32", dw_add_fp_1(24), add_box(oracle::binary32)); }},
    {"B4", false, [] { return with_kernel<oracle::Dyadic>("eft.two_sum", ShortenedError{}, {.numerator = 1}); }},
    {"B5", true, [] { return with_kernel<oracle::Exact>("op.mul.f16", EnlargedProduct{}, {.numerator = 1}); }},
    {"B6", false,
     [] { return of_words<LostThirdWord>("triple.add", triple_add_2(53), triple_add_box(oracle::binary64)); }},
};

class BulkMutant : public testing::TestWithParam<BulkRow> {
 protected:
  /// The number of cases that a run judges before it finds a violation; 0 if it finds none among `most`.
  static std::uint64_t cases_to_kill(const PropertyModel& wrong, const Executor& on, std::uint64_t most) {
    const Probed& probe = *wrong.probe();
    const std::size_t at_once = on.kind() == Executor::Kind::host ? 1 : 256;
    std::uint64_t judged = 0;
    for (std::uint64_t first = 0; judged < most; first += at_once) {
      for (std::size_t k = 0; k < probe.classes.size(); ++k) {
        const std::uint64_t size = probe.classes[k].size;
        const std::uint64_t cells = size == 0 ? first + at_once : (size + probe.cell - 1) / probe.cell;
        if (first >= cells) return 0;
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(at_once, cells - first));
        const ProbeTally tally = run_probe(wrong, on, 1, k, first, count, {});
        judged += tally.judged;
        EXPECT_EQ(tally.disagreeing, 0U);
        if (tally.violated != 0) return judged;
      }
    }
    return 0;
  }
};

TEST_P(BulkMutant, TheQuickTierDoesNotNotice) {
  const auto wrong = GetParam().wrong();
  const Tally tally = wrong->run(Executor::host(), 1, {0, 1, wrong->info().quick_cases}, {});
  for (std::size_t i = 0; i < tally.claims.size(); ++i) {
    const ClaimInfo& claim = wrong->info().claims[i];
    if (claim.expected_refuted) continue;
    EXPECT_EQ(tally.claims[i].first_violated, no_case) << claim.id;
  }
}

TEST_P(BulkMutant, TheBulkTierNoticesOnTheHost) {
  const char* const tier = std::getenv("ASSAY_TIER");
  if (!GetParam().is_found_on_host) GTEST_SKIP() << "takes minutes on the host";
  if (tier == nullptr || std::string(tier) != "nightly") GTEST_SKIP() << "a test of the nightly tier";
  const std::uint64_t cases = cases_to_kill(*GetParam().wrong(), Executor::host(), 1000000000);
  EXPECT_GT(cases, 0U);
  RecordProperty("cases_to_kill", std::to_string(cases));
}

TEST_P(BulkMutant, TheBulkTierNoticesOnADevice) {
  if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  const std::uint64_t cases = cases_to_kill(*GetParam().wrong(), Executor::cuda(), 20000000000);
  EXPECT_GT(cases, 0U);
  RecordProperty("cases_to_kill", std::to_string(cases));
}

INSTANTIATE_TEST_SUITE_P(Rows, BulkMutant, testing::ValuesIn(rows), [](const auto& row) { return row.param.id; });

}  // namespace

}  // namespace assay::mutants
