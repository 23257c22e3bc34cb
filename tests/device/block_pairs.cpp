#include "tests/device/block_pairs.hpp"

#include <algorithm>
#include <vector>

#include "exec/array.hpp"
#include "exec/atomic.hpp"
#include "exec/launch.hpp"
#include "exec/workspace.hpp"

namespace assay::quantize {
namespace {

/// What the integers need to know of an element: precision, exponent of the smallest normal number, code and value of
/// the largest number, which is top·2^(emax − precision + 1).
struct Facts {
  int precision, least, emax;
  std::uint32_t largest_code, top, sign_bit;
};

Facts facts_of(Element element) {
  switch (element) {
    case Element::e4m3:
      return {4, -6, 8, 0x7E, 14, 0x80};
    case Element::e5m2:
      return {3, -14, 15, 0x7B, 7, 0x80};
    case Element::e3m2:
      return {3, -2, 4, 0x1F, 7, 0x20};
    case Element::e2m3:
      return {4, 0, 2, 0x1F, 15, 0x20};
    default:
      return {2, 0, 2, 0x7, 3, 0x8};
  }
}

/// m·2^e.
struct Integer {
  std::uint64_t m;
  int e;
};
template <class T>
ASSAY_HD Integer integer_of(std::uint32_t pattern) {
  using F = FloatTraits<T>;
  constexpr int fraction_bits = F::precision - 1;
  const std::uint32_t field = (pattern & 0x7FFF) >> fraction_bits;
  const std::uint64_t fraction = pattern & ((1u << fraction_bits) - 1);
  return {field == 0 ? fraction : fraction | (std::uint64_t{1} << fraction_bits),
          (field == 0 ? 1 : static_cast<int>(field)) + F::emin - 1 - fraction_bits};
}

ASSAY_HD int exponent_of(const Integer& x) { return bits::bit_length(x.m) - 1 + x.e; }

/// Whether a ≤ b.
ASSAY_HD bool is_at_most(const Integer& a, const Integer& b) {
  if (exponent_of(a) != exponent_of(b)) return exponent_of(a) < exponent_of(b);
  return a.m << (63 - bits::bit_length(a.m)) <= b.m << (63 - bits::bit_length(b.m));
}

/// The exponent of the scale by its definition: the least k that has the property, counted up.
ASSAY_HD int scale_exponent(const Facts& facts, ScaleRule rule, const Integer& m) {
  const int e = exponent_of(m);
  int k = e - facts.emax - 2;
  const Integer one{1, 0};
  for (;; ++k) {
    bool found = false;
    switch (rule) {
      case ScaleRule::ceil:  // M ≤ 2^(k + Emax)
        found = is_at_most(m, {one.m, k + facts.emax});
        break;
      case ScaleRule::round_up:
      case ScaleRule::round_up_f32:  // M ≤ V·2^k
        found = is_at_most(m, {facts.top, k + facts.emax - facts.precision + 1});
        break;
      case ScaleRule::round_even: {  // M < (2 − 2^−p)·2^(k + Emax)
        const std::uint64_t below_two = (std::uint64_t{2} << facts.precision) - 1;
        found = !is_at_most({below_two, k + facts.emax - facts.precision}, m);
        break;
      }
      case ScaleRule::log2:  // M² ≤ 2·2^(2(k + Emax))
        found = is_at_most({m.m * m.m, 2 * m.e}, {one.m, 2 * (k + facts.emax) + 1});
        break;
      default:  // M < 2^(k + Emax + 1)
        found = e < k + facts.emax + 1;
    }
    if (found) return k > -127 ? k : -127;
  }
}

/// The code that is nearest to x·2^−k.
ASSAY_HD std::uint32_t nearest_code(const Facts& facts, const Integer& x, int k, bool is_negative) {
  const std::uint32_t sign = is_negative ? facts.sign_bit : 0;
  if (x.m == 0) return sign;
  const int e = exponent_of(x) - k;
  const int binade = e > facts.least ? e : facts.least;
  const int unit = binade - facts.precision + 1;  // x·2^−k in units of 2^unit: m shifted by x.e − k − unit
  const int places = x.e - k - unit;
  std::uint64_t count = 0;
  if (places >= 0) {
    count = places < 40 ? x.m << places : ~std::uint64_t{0} >> 1;
  } else if (places > -62) {
    const std::uint64_t whole = x.m >> -places;
    const std::uint64_t rest = x.m - (whole << -places);
    const std::uint64_t half = std::uint64_t{1} << (-places - 1);
    count = whole + (rest > half || (rest == half && whole % 2 == 1) ? 1 : 0);
  }
  const std::uint64_t code = e > facts.emax + 1
                                 ? facts.largest_code
                                 : count + (static_cast<std::uint64_t>(binade - facts.least) << (facts.precision - 1));
  return static_cast<std::uint32_t>(code < facts.largest_code ? code : facts.largest_code) | sign;
}

template <class T>
ASSAY_HD PairCode code_of_pair(const Facts& facts, ScaleRule rule, std::uint32_t m, std::uint32_t x) {
  const int k = scale_exponent(facts, rule, integer_of<T>(m));
  return {static_cast<std::uint32_t>(k + 127), nearest_code(facts, integer_of<T>(x), k, (x & 0x8000) != 0)};
}

constexpr std::size_t block = 32;
constexpr std::size_t entries = block - 1;

/// Blocks of M and the next 31 entries in 0, −0, 1, −1, … of one M; entries above M are M.
struct Blocks {
  std::uint32_t m;
  [[nodiscard]] ASSAY_HD std::size_t count() const { return (2 * (std::size_t{m} + 1) + entries - 1) / entries; }
  [[nodiscard]] ASSAY_HD std::uint32_t pattern(std::size_t i) const {
    if (i % block == 0) return m;
    const std::size_t number = i / block * entries + i % block - 1;
    const auto size = static_cast<std::uint32_t>(number / 2);
    return (size < m ? size : m) | (number % 2 == 1 ? 0x8000 : 0);
  }
};

template <class T>
struct FillBlocks {
  Blocks blocks;
  T* x;
  ASSAY_HD void operator()(std::size_t i) const { x[i] = from_bits<T>(static_cast<std::uint16_t>(blocks.pattern(i))); }
};

template <class T>
struct CompareBlocks {
  Blocks blocks;
  Facts facts;
  ScaleRule rule;
  bool is_packed;
  const std::uint8_t* codes;
  const std::uint8_t* scales;
  std::uint64_t* different;
  ASSAY_HD void operator()(std::size_t i) const {
    const PairCode wanted = code_of_pair<T>(facts, rule, blocks.m, blocks.pattern(i));
    const std::uint32_t code = is_packed ? codes[i / 2] >> (i % 2 * 4) & 15 : codes[i];
    if (code != wanted.code || scales[i / block] != wanted.scale) atomic::fetch_add(different, std::uint64_t{1});
  }
};

}  // namespace

template <class T>
PairCode pair_code(const Format& format, ScaleRule rule, std::uint32_t m, std::uint32_t x) {
  return code_of_pair<T>(facts_of(format.element), rule, m, x);
}

template <class T>
PairCounts compare_pairs(const Executor& on, const Format& format, ScaleRule rule, ScaleRule other,
                         std::uint32_t stride) {
  constexpr std::uint32_t infinity = bits::max_finite_bits<T> + 1;
  const std::size_t most = Blocks{infinity - 1}.count() * block;
  Workspace memory(on, Workspace::bytes_of<T>(most) + 2 * Workspace::bytes_of<std::uint8_t>(most) +
                           Workspace::bytes_of<std::uint64_t>(1));
  T* const x = memory.take<T>(most);
  auto* const codes = memory.take<std::uint8_t>(most);
  auto* const scales = memory.take<std::uint8_t>(most);
  auto* const different = memory.take<std::uint64_t>(1);
  fill_bytes(on, different, 0, sizeof *different);
  PairCounts counts;
  for (std::uint32_t m = 1; m < infinity; m += stride) {
    const Blocks blocks{m};
    const std::size_t numbers = blocks.count() * block;
    queue_indices(on, numbers, FillBlocks<T>{blocks, x});
    quantize<T>(on, format, {.scale = other}, 1, numbers, x, codes, scales, nullptr, nullptr);
    queue_indices(
        on, numbers,
        CompareBlocks<T>{blocks, facts_of(format.element), rule, format.is_packed(), codes, scales, different});
    counts.pairs += 2 * (std::uint64_t{m} + 1);
  }
  copy_from(on, &counts.different, different, sizeof counts.different);
  return counts;
}

template PairCode pair_code<binary16>(const Format&, ScaleRule, std::uint32_t, std::uint32_t);
template PairCode pair_code<bfloat16>(const Format&, ScaleRule, std::uint32_t, std::uint32_t);
template PairCounts compare_pairs<binary16>(const Executor&, const Format&, ScaleRule, ScaleRule, std::uint32_t);
template PairCounts compare_pairs<bfloat16>(const Executor&, const Format&, ScaleRule, ScaleRule, std::uint32_t);

}  // namespace assay::quantize
