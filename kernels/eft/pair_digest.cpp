#include "kernels/eft/pair_digest.hpp"

#include "arith/bits/split_mix64.hpp"
#include "arith/float/small_float.hpp"
#include "exec/array.hpp"
#include "exec/launch.hpp"

namespace assay::eft {
namespace {

/// One block of threads a digest: thread t takes the patterns b ≡ t, then the partial sums are added in a tree.
template <class Op>
struct PairDigest {
  static constexpr int threads = 256;
  struct Shared {
    std::uint64_t sums[threads];
  };

  std::uint32_t first;
  std::uint64_t* digests;

  ASSAY_HD void operator()(Block<Shared, threads>& block) const {
    using T = decltype(typename Op::Input{}.a);
    static_assert(FloatTraits<T>::width == 16, "pair_digests goes through all pairs of a 16-bit format");
    const T a = from_bits<T>(static_cast<BitsOf<T>>(first + block.index()));
    block.for_each_thread([&](int t, Shared& shared) {
      std::uint64_t sum = 0;
      for (std::uint32_t b = static_cast<std::uint32_t>(t); b < 0x10000u; b += threads) {
        const auto [head, tail] = Op{}({a, from_bits<T>(static_cast<BitsOf<T>>(b))});
        sum += bits::SplitMix64::mixed(static_cast<std::uint64_t>(b) << 32 |
                                       static_cast<std::uint64_t>(to_bits(head)) << 16 | to_bits(tail));
      }
      shared.sums[t] = sum;
    });
    for (int half = threads / 2; half > 0; half /= 2) {
      block.for_each_thread([&](int t, Shared& shared) {
        if (t < half) shared.sums[t] += shared.sums[t + half];
      });
    }
    block.for_one_thread([&](Shared& shared) { digests[block.index()] = shared.sums[0]; });
  }
};

}  // namespace

template <class Op>
std::vector<std::uint64_t> pair_digests(const Executor& on, std::uint32_t first, std::size_t count) {
  Array<std::uint64_t> digests(on, count);
  launch_blocks(on, count, PairDigest<Op>{first, digests.data()});
  return digests.take();
}

template std::vector<std::uint64_t> pair_digests<TwoSum<binary16>>(const Executor&, std::uint32_t, std::size_t);
template std::vector<std::uint64_t> pair_digests<TwoProd<binary16>>(const Executor&, std::uint32_t, std::size_t);

}  // namespace assay::eft
