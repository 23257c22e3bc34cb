#pragma once
// Cases of attention and of its gradients for tests of the kernels.

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "oracle/decode.hpp"
#include "tests/enclosures/host_kernels.hpp"
#include "tests/enclosures/random.hpp"
#include "tests/formulas/small_numbers.hpp"

namespace assay::enclosures {

template <Element element>
const oracle::Format& format_of() {
  return element == binary32 ? oracle::binary32 : element == binary16 ? oracle::binary16 : oracle::bfloat16;
}

/// Numbers of an array: their bits in memory and their values.
template <Element element>
struct Array {
  using Word = std::conditional_t<element == binary32, std::uint32_t, std::uint16_t>;
  std::vector<Word> words;
  std::vector<double> values;
  void add(double x) {
    const std::uint64_t word = formulas::bits_of(format_of<element>(), x);
    words.push_back(static_cast<Word>(word));
    values.push_back(formulas::number(format_of<element>(), word));
  }
};

/// One head with numbers of one of these kinds.
enum Kind { normal, large_logits, one_dominates, equal_weights, one_sign, cancelling, tiny, huge, integers, sparse };
inline constexpr std::uint64_t kinds = 10;

template <Element element>
struct Case {
  std::int64_t n, m, d, e;
  float scale;
  bool is_causal;
  Array<element> q, k, v, o;  ///< o: dO

  static float drawn_scale(Random& random) {
    const std::uint64_t way = random.below(16);
    if (way < 2) return static_cast<float>(8 * random.unit());
    const int exponent = way == 2 ? static_cast<int>(random.from(-60, 60)) : -2;
    return static_cast<float>(std::ldexp(1 + random.unit() / 2, exponent));
  }
  Case(Random& random, std::int64_t most_keys)
      : n(random.from(1, 9)),
        m(random.from(1, most_keys)),
        d(random.from(1, 9)),
        e(random.from(1, 9)),
        scale(drawn_scale(random)),
        is_causal(random.below(3) != 0) {
    const auto kind = static_cast<Kind>(random.below(kinds));
    const double large = element == binary16 ? 0x1p15 : 0x1p100;
    const int small = element == binary16 ? -24 : -140;
    const auto drawn = [&] {
      const double x = 2 * (random.unit() + random.unit());
      switch (kind) {
        case large_logits:
          return 12 * x;
        case tiny:
          return std::ldexp(x, static_cast<int>(random.from(small, 0)));
        case huge:
          return random.below(6) == 0 ? large * x / 4 : x;
        case integers:
          return std::round(2 * x);
        case sparse:
          return random.below(4) == 0 ? x : 0;
        default:
          return x;
      }
    };
    for (std::int64_t i = 0; i < n * d; ++i) q.add(kind == equal_weights ? 0 : drawn());
    const std::int64_t dominating = random.from(0, m - 1);
    for (std::int64_t i = 0; i < m * d; ++i) {
      k.add(kind == one_dominates && i / d == dominating ? 8 * q.values[static_cast<std::size_t>(i % d)] : drawn());
    }
    for (std::int64_t i = 0; i < m * e; ++i) {
      const double x = drawn();
      v.add(kind == one_sign                       ? std::abs(x)
            : kind == cancelling && i / e % 2 == 1 ? -v.values[static_cast<std::size_t>(i - e)]
                                                   : x);
    }
    for (std::int64_t i = 0; i < n * e; ++i) o.add(drawn());
  }

  [[nodiscard]] Attention arrays() const {
    const Heads q_rows{q.words.data(), {}, d}, k_rows{k.words.data(), {}, d}, v_rows{v.words.data(), {}, e};
    return {q_rows, k_rows, v_rows, {}, {1, 1, 1, 1}, n, m, d, e, scale, is_causal ? 1 : 0};
  }
};

}  // namespace assay::enclosures
