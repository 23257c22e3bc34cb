#pragma once

#include <cstdint>

#include "arith/hd.hpp"
#include "arith/limbs/integer.hpp"

namespace assay {

/// Integers modulo numbers up to 256. Residues have 8 bits: what tensor cores multiply.
namespace crt {

/// All pairwise coprime numbers ≤ 256 that a greedy choice from 256 downwards takes before 29: log₂ of the product of
/// the first 15 is 117.8, of 16 125.5, of 20 155.4, of 24 184.6, of 32 240.6, of all 342.
inline constexpr int most_moduli = 49;

/// Words of 32 bits that hold a product of moduli.
inline constexpr int most_words = 11;

namespace detail {

struct Moduli {
  std::int32_t m[most_moduli];
  int count;
};

constexpr Moduli greedy() {
  Moduli made{};
  for (std::int32_t candidate = 256; candidate > 1 && made.count < most_moduli; --candidate) {
    bool coprime = true;
    for (int i = 0; i < made.count && coprime; ++i) {
      std::int32_t a = made.m[i];
      std::int32_t b = candidate;
      while (b != 0) {
        const std::int32_t rest = a % b;
        a = b;
        b = rest;
      }
      coprime = a == 1;
    }
    if (coprime) {
      made.m[made.count++] = candidate;
    }
  }
  return made;
}

inline constexpr Moduli moduli = greedy();
static_assert(moduli.count == most_moduli && moduli.m[most_moduli - 1] == 29);

}  // namespace detail

/// Modulus i: 256, 255, 253, 251, 247, … Requires: 0 ≤ i < most_moduli (not checked).
constexpr std::int32_t modulus(int i) { return detail::moduli.m[i]; }

/// The residue of x of least magnitude, −⌊m/2⌋ … ⌊(m − 1)/2⌋: −128 for 128 modulo 256.
constexpr std::int32_t balanced(std::int64_t x, std::int32_t m) {
  const auto r = static_cast<std::int32_t>(x % m);
  return 2 * r >= m ? r - m : 2 * r < -m ? r + m : r;
}

/// The first `count` moduli, P their product, P_i = P/m_i: X ≡ Σ s_i·P_i modulo P for s_i ≡ X·P_i⁻¹ modulo m_i.
/// Words of 32 bits, least significant first.
struct Basis {
  int count;
  int words;                                        ///< that hold P
  std::int32_t modulus[most_moduli];                ///< m_i
  std::uint32_t product[most_words];                ///< P
  std::uint32_t cofactor[most_moduli][most_words];  ///< P_i
  std::int32_t inverse[most_moduli];                ///< P_i⁻¹ modulo m_i, balanced
};

/// The basis of the first `count` moduli. Requires: 1 ≤ count ≤ most_moduli (not checked).
constexpr Basis basis(int count) {
  Basis made{};
  made.count = count;
  made.product[0] = 1;
  for (int i = 0; i < count; ++i) {
    limb::multiply_by_word(made.product, most_words, static_cast<std::uint32_t>(modulus(i)));
  }
  made.words = most_words;
  while (made.product[made.words - 1] == 0) {
    --made.words;
  }
  for (int i = 0; i < count; ++i) {
    made.modulus[i] = modulus(i);
    limb::divide_by_word(made.product, most_words, static_cast<std::uint32_t>(modulus(i)), made.cofactor[i]);
    std::int64_t residue = 1;
    for (int j = 0; j < count; ++j) {
      residue = j == i ? residue : residue * modulus(j) % modulus(i);
    }
    std::int64_t inverse = 1;
    while (inverse * residue % modulus(i) != 1) {
      ++inverse;
    }
    made.inverse[i] = balanced(inverse, modulus(i));
  }
  return made;
}

}  // namespace crt
}  // namespace assay
