#pragma once
// Sets of moduli, integers below their product and their residues by GMP, for tests of arithmetic on residues.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "arith/residues/rns.hpp"
#include "gmp_reference.hpp"

namespace assay::reference {

/// A user's set without a guard, not all prime; M = 315, so that every integer can be tried.
struct Tiny {
  static constexpr int n = 3;
  static constexpr int guards = 0;
  static constexpr int size = 3;
  static constexpr std::uint32_t modulus(int i) { return i == 0 ? 5 : i == 1 ? 9 : 7; }
};

/// The same with two guards.
struct TinyGuarded {
  static constexpr int n = 3;
  static constexpr int guards = 2;
  static constexpr int size = 5;
  static constexpr std::uint32_t modulus(int i) { return i < 3 ? Tiny::modulus(i) : i == 3 ? 11 : 2147483647; }
};

/// Moduli at the end of the range, and neighbors; the guard is smaller than they are.
struct Wide {
  static constexpr int n = 5;
  static constexpr int guards = 1;
  static constexpr int size = 6;
  static constexpr std::uint32_t modulus(int i) {
    return i < 5 ? 2147483647 - 2 * static_cast<std::uint32_t>(i) : 134217689;
  }
};

/// A number of moduli that is not a power of two, without a guard.
struct Eleven {
  static constexpr int n = 11;
  static constexpr int guards = 0;
  static constexpr int size = 11;
  static constexpr std::uint32_t modulus(int i) { return rns::Standard<11>::modulus(10 - i); }
};

using Sets = testing::Types<rns::Standard<8>, rns::Standard<16>, rns::Standard<32>, rns::Standard<64>,
                            rns::Standard<128>, Wide, Eleven>;

template <class Set>
Integer product() {
  Integer m = 1;
  for (int i = 0; i < Set::n; ++i) {
    m = m * Integer(static_cast<long>(Set::modulus(i)));
  }
  return m;
}

/// The residues of x ≥ 0, from the definition.
template <class Set>
rns::Residues<Set> residues(const Integer& x) {
  rns::Residues<Set> z;
  for (int i = 0; i < Set::size; ++i) {
    z.r[i] = x.modulo(Set::modulus(i));
  }
  return z;
}

/// Whether z are the residues of x, including the guards.
template <class Set>
testing::AssertionResult are_residues(const rns::Residues<Set>& z, const Integer& x) {
  for (int i = 0; i < Set::size; ++i) {
    if (z.r[i] != x.modulo(Set::modulus(i))) {
      return testing::AssertionFailure() << "residue " << i << " of " << x << " is not " << z.r[i];
    }
  }
  return testing::AssertionSuccess();
}

/// Integers below M: at 0, M, M/2 and √M, M/2^j and 2^j for many j, multiples of moduli, each with its neighbors, and
/// random ones of random length.
template <class Set>
std::vector<Integer> samples() {
  const Integer m = product<Set>();
  const long bits = m.bits();
  std::vector<Integer> x;
  const auto around = [&](const Integer& centre) {
    for (long d = -1; d <= 1; ++d) {
      const Integer z = centre + d;
      if (z >= 0 && z < m) {
        x.push_back(z);
      }
    }
  };
  around(0);
  around(m);
  for (long j = 1; j < bits; j += 1 + bits / 40) {
    around(m >> j);
    around(m - (m >> j));
    around(Integer(1) << j);
    around(m - (Integer(1) << j));
  }
  around(m >> 1);
  around(Integer(1) << (bits / 2));
  around(static_cast<long>(Set::modulus(0)));
  around(m - Integer(static_cast<long>(Set::modulus(Set::n - 1))));
  around(m / Integer(static_cast<long>(Set::modulus(Set::n - 1))));  // where the last mixed-radix digit begins
  std::mt19937_64 engine(2020);
  for (long k = 0; k < 60; ++k) {
    Integer z = 0;
    for (long b = 0; b < bits; b += 32) {
      z = (z << 32) + Integer(static_cast<long>(engine() >> 32));
    }
    x.push_back((z % m) >> (k % 3 == 0 ? 0 : static_cast<long>(engine() % static_cast<std::uint64_t>(bits))));
  }
  return x;
}

}  // namespace assay::reference
