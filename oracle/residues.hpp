#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "oracle/dyadic.hpp"
#include "oracle/flint.hpp"

namespace assay::oracle {

// Integers as limbs of 32 bits, the lowest first, and as Dyadic numbers with is_integer().

/// Σ limbsₖ·2^(32k).
Dyadic integer_of_limbs(std::span<const std::uint32_t> limbs);
/// The limbs of x, `count` of them. Throws std::range_error unless x is an integer with 0 ≤ x < 2^(32·count).
std::vector<std::uint32_t> limbs_of(const Dyadic& x, std::size_t count);
/// The integer of decimal digits with an optional minus in front: the inverse of to_string(). Throws
/// std::invalid_argument for any other text.
Dyadic integer_from_decimal(std::string_view text);

/// ⌊x/2^d⌋, d of any sign.
Dyadic floor_scaled(const Dyadic& x, long d);
/// ⌊x/y⌋ of integers. Throws std::invalid_argument for a number that is not an integer, std::domain_error for y = 0.
Dyadic floor_quotient(const Dyadic& x, const Dyadic& y);

/// A residue number system: pairwise coprime moduli m₀, m₁, …, M = Π mᵢ, the integers 0 ≤ X < M by their residues.
/// Reconstruction is FLINT's (fmpz_multi_CRT). Threads: one object may be used by several at the same time.
class ResidueSystem {
 public:
  /// Throws std::invalid_argument unless there is a modulus, each is at least 2, and they are pairwise coprime.
  explicit ResidueSystem(std::vector<std::uint32_t> moduli);
  ResidueSystem(const ResidueSystem&) = delete;
  ResidueSystem& operator=(const ResidueSystem&) = delete;
  ~ResidueSystem();

  const std::vector<std::uint32_t>& moduli() const { return moduli_; }
  /// M.
  const Dyadic& product() const { return product_; }

  /// x mod mᵢ for every i, of a negative integer too. Throws std::invalid_argument unless x is an integer.
  std::vector<std::uint32_t> residues(const Dyadic& x) const;
  /// The X with 0 ≤ X < M and X ≡ residuesᵢ (mod mᵢ) for every i. Residues need not be reduced. Throws
  /// std::invalid_argument unless there is one for each modulus.
  Dyadic integer(std::span<const std::uint32_t> residues) const;
  /// (−1)^negative · X · 2^exponent.
  Dyadic value(bool negative, std::span<const std::uint32_t> residues, long exponent) const;
  /// x mod M of an integer x of any sign. Throws std::invalid_argument unless x is an integer.
  Dyadic reduced(const Dyadic& x) const;

 private:
  std::vector<std::uint32_t> moduli_;
  Dyadic product_;
  fmpz_multi_CRT_t reconstruction_;
};

/// x mod m. Throws std::invalid_argument unless x is an integer. Requires: m ≥ 1 (not checked).
std::uint32_t residue(const Dyadic& x, std::uint32_t m);

}  // namespace assay::oracle
