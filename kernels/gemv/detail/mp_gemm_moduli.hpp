#pragma once
// The moduli of the multiple-precision GEMM, and residues of its numbers modulo three further primes.

#include <cstdint>

#include "arith/residues/limbs.hpp"
#include "arith/residues/moduli.hpp"

namespace assay::gemm::detail {

/// Primes below the 128 of rns::Standard, for sums that its moduli do not hold.
inline constexpr int more_moduli = 3;
inline constexpr std::uint16_t more_offsets[more_moduli] = {2299, 2349, 2365};
inline constexpr std::uint32_t more_modulus(int e) { return (std::uint32_t{1} << 27) - more_offsets[e]; }

/// The base moduli of rns::Standard<moduli>, and the primes above: all below 2²⁷.
template <int moduli>
struct MpGemmSet {
  static constexpr int n = moduli;
  static constexpr int guards = more_moduli;
  static constexpr int size = n + guards;
  static constexpr std::uint32_t modulus(int i) {
    return i < n ? rns::Standard<moduli>::modulus(i) : more_modulus(i - n);
  }
};

/// The first n/2 + 1 moduli of rns::Standard<n>, which determine an integer of P bits: their product is above 2^(P +
/// 25).
template <int moduli>
struct MpHalfSet {
  static constexpr int n = moduli / 2;
  static constexpr int guards = 1;
  static constexpr int size = n + guards;
  static constexpr std::uint32_t modulus(int i) { return rns::Standard<moduli>::modulus(i); }
};

/// The data for converting an integer X = Σ s_i·C_i − r·H ≥ 0 from the moduli of MpHalfSet to the primes above, H the
/// product.
template <int moduli>
struct MpMoreTables {
  std::uint32_t cofactor[MpHalfSet<moduli>::size][more_moduli];  ///< C_i mod m
  std::uint32_t product[more_moduli];                            ///< H mod m
};

template <int moduli>
constexpr MpMoreTables<moduli> make_more_tables() {
  using Half = MpHalfSet<moduli>;
  MpMoreTables<moduli> t{};
  for (int e = 0; e < more_moduli; ++e) {
    const std::uint64_t m = more_modulus(e);
    std::uint64_t all = 1;
    for (int i = 0; i < Half::size; ++i) {
      all = all * Half::modulus(i) % m;
      std::uint64_t others = 1;
      for (int j = 0; j < Half::size; ++j) others = j == i ? others : others * Half::modulus(j) % m;
      t.cofactor[i][e] = static_cast<std::uint32_t>(others);
    }
    t.product[e] = static_cast<std::uint32_t>(all);
  }
  return t;
}

/// f(n) for the n of MpGemmSet<n>, given as a type.
template <class F>
ASSAY_HD inline auto with_set(int n, F&& f) {
  switch (n) {
    case 16:
      return f(MpGemmSet<16>());
    case 32:
      return f(MpGemmSet<32>());
    case 64:
      return f(MpGemmSet<64>());
    case 128:
      return f(MpGemmSet<128>());
    default:
      return f(MpGemmSet<8>());
  }
}

/// The residues of an integer for the primes above, at run time.
struct MpMoreView {
  rns::LimbTablesView half;
  const std::uint32_t* cofactor;  ///< C_i mod m_e at [i·more_moduli + e]
  const std::uint32_t* product;
};

ASSAY_HD inline rns::LimbTablesView mp_gemm_tables(int n) {
  return with_set(n, [](auto set) { return rns::limb_tables<decltype(set)>(); });
}

ASSAY_HD inline MpMoreView more_tables(int n) {
  return with_set(n, [](auto set) {
    constexpr int moduli = decltype(set)::n;
    const MpMoreTables<moduli>& t = rns::detail::table<make_more_tables<moduli>>();
    return MpMoreView{rns::limb_tables<MpHalfSet<moduli>>(), t.cofactor[0], t.product};
  });
}

}  // namespace assay::gemm::detail
