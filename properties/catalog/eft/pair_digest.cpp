// Digests over all second operands: the sum of the mixed results, formed here one after the other.

#include "kernels/eft/pair_digest.hpp"

#include "arith/float/small_float.hpp"
#include "properties/catalog/eft/properties.hpp"

namespace assay::eft {

namespace {

/// The bits of the first operand for the first of two digests.
struct DigestCase {
  std::int64_t first = 0;
  static constexpr auto fields() { return std::tuple{field("first", &DigestCase::first)}; }
};

constexpr std::size_t digests = 2;
constexpr std::int64_t patterns = std::int64_t{1} << 16;

/// Sums modulo 2⁶⁴ in halves, which binary64 represents exactly.
using Halves = std::vector<double>;

void add_halves(std::uint64_t sum, Halves& out) {
  out.push_back(static_cast<double>(sum >> 32));
  out.push_back(static_cast<double>(sum & 0xFFFFFFFF));
}

/// The finalizer of SplitMix64: Steele, Lea, Flood, OOPSLA 2014.
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

template <class Op>
Halves sums_of_mixed_results(const DigestCase& c) {
  Halves sums;
  std::vector<typename Op::Input> pairs(patterns);
  for (std::size_t i = 0; i < digests; ++i) {
    for (std::size_t b = 0; b < pairs.size(); ++b) {
      pairs[b] = {number_of<binary16>(static_cast<std::uint64_t>(c.first) + i), number_of<binary16>(b)};
    }
    std::uint64_t sum = 0;
    const std::vector<typename Op::Output> results = elementwise<Op>(Executor::host(), pairs);
    for (std::size_t b = 0; b < results.size(); ++b) {
      const auto [head, tail] = results[b];
      sum += mixed(b << 32 | std::uint64_t{bits_of(head)} << 16 | bits_of(tail));
    }
    add_halves(sum, sums);
  }
  return sums;
}

InputClass<DigestCase> firsts(const char* name, std::uint64_t low, std::uint64_t high) {
  return {name, 1, drawn<DigestCase>([=](Draw& draw) {
            return DigestCase{static_cast<std::int64_t>(low + draw.below(high - low) +
                                                        (draw.coin() ? std::uint64_t{0x8000} : std::uint64_t{0}))};
          })};
}

template <class Op>
Registration digest(const char* name) {
  return Registration(Property<DigestCase, Halves, std::vector<oracle::Dyadic>>{
      .name = name,
      .domain = {.classes = {firsts("subnormal", 0, 0x400), firsts("normal", 0x400, 0x7C00),
                             firsts("not finite", 0x7C00, 0x7FFF)},
                 .contains = [](const DigestCase& c) { return 0 <= c.first && c.first <= patterns - 2; },
                 .accepts = "patterns of binary16 that have a next one"},
      .subject =
          [](const Executor& on, const DigestCase& c) {
            Halves halves;
            for (const std::uint64_t each : pair_digests<Op>(on, static_cast<std::uint32_t>(c.first), digests)) {
              add_halves(each, halves);
            }
            return halves;
          },
      .reference =
          [](const DigestCase& c) {
            const Halves sums = sums_of_mixed_results<Op>(c);
            std::vector<oracle::Dyadic> truths;
            for (const double each : sums) truths.push_back(value_of(each));
            return truths;
          },
      .claims = {exact("exact", eft_pair_digest_1)},
      .quick_cases = 6});
}

const LateRegistration all{"eft", [] {
                             digest<TwoSum<binary16>>("eft.pair_digest.two_sum");
                             digest<TwoProd<binary16>>("eft.pair_digest.two_prod");
                           }};

}  // namespace

}  // namespace assay::eft
