// All pairs of a largest magnitude and an entry, with scales that are powers of two: the codes and scales of the
// kernels on a device are those of integer arithmetic, for every finite number of a 16-bit source as M, and every entry
// up to it, of both signs. The oracle judges that arithmetic on the host.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/quantize/quantize.hpp"
#include "oracle/quantization.hpp"
#include "tests/device/block_pairs.hpp"

namespace assay::quantize {
namespace {

const oracle::ScaleRule scale_rules[] = {oracle::ScaleRule::floor,      oracle::ScaleRule::ceil,
                                         oracle::ScaleRule::round_up,   oracle::ScaleRule::round_up_f32,
                                         oracle::ScaleRule::round_even, oracle::ScaleRule::log2};
const char* const formats_of_mx[] = {"mxfp8_e4m3", "mxfp8_e5m2", "mxfp6_e3m2", "mxfp6_e2m3", "mxfp4"};

template <class T>
class BlockPairs : public testing::Test {};
using Sources = testing::Types<binary16, bfloat16>;
TYPED_TEST_SUITE(BlockPairs, Sources);

/// What the oracle requires of M and an entry agrees with the integers, for pairs that a stride chooses.
TYPED_TEST(BlockPairs, AreThoseOfTheOracleOnTheHost) {
  const oracle::NumberFormat& source =
      *oracle::find_number_format(sizeof(TypeParam) == 2 && FloatTraits<TypeParam>::precision == 8 ? "bf16" : "f16");
  constexpr std::uint32_t infinity = bits::max_finite_bits<TypeParam> + 1;
  for (const char* name : formats_of_mx) {
    const oracle::BlockFormat& format = *oracle::find_block_format(name);
    for (const oracle::ScaleRule scale : scale_rules) {
      oracle::WantedBlock wanted;
      for (std::uint32_t m = 1; m < infinity; m += 97) {
        for (std::uint32_t x = 0; x <= m; x += 1 + m / 7) {
          const std::uint32_t negative = (m ^ x) & 1 ? 0x8000 : 0;
          const oracle::Number block[] = {decode(source, m), decode(source, x | negative)};
          quantize({.format = &format, .scale = scale}, block, {}, wanted);
          const PairCode got = pair_code<TypeParam>(*find_format(name), static_cast<ScaleRule>(scale), m, x | negative);
          ASSERT_EQ(got.scale, wanted.scale.code) << name << " " << m;
          ASSERT_EQ(got.code, wanted.codes[1].code) << name << " " << m << " " << x;
        }
      }
    }
  }
}

TYPED_TEST(BlockPairs, OfTheKernelOnADeviceHaveTheBitsOfTheIntegers) {
  if (Executor::cuda_device_count() == 0) GTEST_SKIP() << "no CUDA device";
  for (const char* name : formats_of_mx) {
    for (const oracle::ScaleRule scale : scale_rules) {
      const PairCounts counts =
          compare_pairs<TypeParam>(Executor::cuda(), *find_format(name), static_cast<ScaleRule>(scale));
      EXPECT_EQ(counts.different, 0u) << name << " " << static_cast<int>(scale);
      EXPECT_GT(counts.pairs, std::uint64_t{1'000'000'000}) << name;
    }
  }
}

/// A comparison that always agreed would prove nothing.
TYPED_TEST(BlockPairs, OfAnotherRuleAreSeenToDiffer) {
  const Executor on = Executor::cuda_device_count() == 0 ? Executor::host() : Executor::cuda();
  const PairCounts counts = compare_pairs<TypeParam>(on, *find_format("mxfp4"), ScaleRule::floor, ScaleRule::ceil, 400);
  EXPECT_GT(counts.different, counts.pairs / 4);
}

}  // namespace
}  // namespace assay::quantize
