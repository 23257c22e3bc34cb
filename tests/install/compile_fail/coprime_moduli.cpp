#include "arith/residues/rns.hpp"

namespace assay::rns {

struct Moduli {
  static constexpr int n = 3;
  static constexpr int guards = 0;
  static constexpr int size = 3;
  static constexpr std::uint32_t modulus(int i) {
#ifdef WRONG_USE
    return i == 0 ? 15 : i == 1 ? 7 : 9;
#else
    return i == 0 ? 5 : i == 1 ? 7 : 9;
#endif
  }
};

Residues<Moduli> twice(const Residues<Moduli>& x) { return add(x, x); }

}  // namespace assay::rns
