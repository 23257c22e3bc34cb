#pragma once
// Every operation on residues as one element-wise kernel a set of moduli, for tests: operands are limbs, the operation
// is a value. What each requires stands at the function of arith that it names; nothing is checked.

#include <cstdint>

#include "arith/rns.hpp"
#include "kernels/elementwise.hpp"

namespace assay {

enum class RnsOperation {
  from_limbs,    ///< residues of X
  from_double,   ///< residues of |d|
  to_limbs,      ///< limbs of X by mixed radix
  to_limbs_crt,  ///< limbs of X by the Chinese remainder theorem
  add,           ///< residues of X + Y
  sub,           ///< residues of X − Y
  mul,           ///< residues of XY
  scale_up,      ///< residues of X·2^k
};

/// X and Y as limbs, the lowest first.
template <class Set>
struct RnsOperands {
  std::uint32_t x[rns::limbs<Set> + 1], y[rns::limbs<Set> + 1];
  int k;
  double d;
};

template <class Set>
struct RnsOutcome {
  static constexpr int length = 2 * Set::size > rns::limbs<Set> ? 2 * Set::size : rns::limbs<Set>;
  std::uint32_t words[length];  ///< residues or limbs; what the operation does not give is 0
};

template <class Set>
struct RnsKernel {
  using Input = RnsOperands<Set>;
  using Output = RnsOutcome<Set>;
  RnsOperation operation = RnsOperation::from_limbs;

  ASSAY_HD static void give(const rns::Residues<Set>& z, std::uint32_t* words) {
    for (int i = 0; i < Set::size; ++i) {
      words[i] = z.r[i];
    }
  }

  ASSAY_HD Output operator()(const Input& c) const {
    Output z{};
    const rns::Residues<Set> x = rns::from_limbs<Set>(c.x, rns::limbs<Set> + 1);
    const rns::Residues<Set> y = rns::from_limbs<Set>(c.y, rns::limbs<Set> + 1);
    switch (operation) {
      case RnsOperation::from_limbs:
        give(x, z.words);
        break;
      case RnsOperation::from_double:
        give(rns::residues_of<Set>(c.d), z.words);
        break;
      case RnsOperation::to_limbs:
        rns::to_limbs(x, z.words);
        break;
      case RnsOperation::to_limbs_crt:
        rns::to_limbs_crt(x, z.words);
        break;
      case RnsOperation::add:
        give(rns::add(x, y), z.words);
        break;
      case RnsOperation::sub:
        give(rns::sub(x, y), z.words);
        break;
      case RnsOperation::mul:
        give(rns::mul(x, y), z.words);
        break;
      case RnsOperation::scale_up:
        give(rns::scale_up(x, c.k), z.words);
        break;
    }
    return z;
  }
};

}  // namespace assay
