#pragma once
// Inputs of arithmetic in residues: integers 0 ≤ X < M for which interval evaluation, reduction and reconstruction have
// large errors. Cases hold integers as any number of limbs; only the value counts; M belongs to the property.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "oracle/residues.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::rns {

/// X.
struct RnsCase {
  std::vector<std::uint32_t> x;
  static constexpr auto fields() { return std::tuple{field("x", &RnsCase::x)}; }
};

/// X and Y.
struct RnsPairCase {
  std::vector<std::uint32_t> x, y;
  static constexpr auto fields() { return std::tuple{field("x", &RnsPairCase::x), field("y", &RnsPairCase::y)}; }
};

/// X and the power 2^d that scales it.
struct RnsScaleCase {
  std::vector<std::uint32_t> x;
  int d = 0;
  static constexpr auto fields() { return std::tuple{field("x", &RnsScaleCase::x), field("d", &RnsScaleCase::d)}; }
};

/// Numbers of an extended range, f·2^e with f = 0 or 1 ≤ |f| < 2.
struct ExtendedPairCase {
  double a = 0;
  std::int64_t ea = 0;
  double b = 0;
  std::int64_t eb = 0;
  static constexpr auto fields() {
    using C = ExtendedPairCase;
    return std::tuple{field("a", &C::a), field("ea", &C::ea), field("b", &C::b), field("eb", &C::eb)};
  }
};

/// ⌈⌊log₂ M + 1⌋/32⌉: the limbs that hold every integer below M.
inline std::size_t limbs_of_range(const oracle::ResidueSystem& system) {
  return static_cast<std::size_t>(system.product().exponent() / 32 + 1);
}

/// Whether the limbs are an integer below M.
inline bool in_range(const oracle::ResidueSystem& system, std::span<const std::uint32_t> limbs) {
  return limbs.size() <= limbs_of_range(system) && oracle::integer_of_limbs(limbs) < system.product();
}

/// The kind of an integer in 0 … M − 1.
enum class IntegerPlace {
  log_uniform,    ///< every length as likely: dense, sparse, a power of two or all ones
  uniform,        ///< anywhere
  near_zero,      ///< 0 … 2^60, every length as likely
  near_top,       ///< M − 1 − r, r of every length
  near_half,      ///< M/2 ± r, r of every length
  near_fraction,  ///< M/2^j ± r for any j, r of every length, most of them short
  near_root,      ///< √M ± r, r of every length
  near_multiple,  ///< k·mᵢ, k·m₀m₁…mᵢ, and those ± 1
  edge_residues,  ///< residues 0, 1, mᵢ/2, mᵢ − 2, mᵢ − 1: all the same or mixed
  edge_digits,  ///< the corresponding value for the terms |xᵢ·(M/mᵢ)⁻¹| mod mᵢ of the Chinese remainder theorem
  few_digits,      ///< one or two of these terms are not 0: Σ d·M/mᵢ, d anything below mᵢ
  large_residues,  ///< residues mᵢ − 1 − r, r below 2^k for any k
  any              ///< one of the above
};

/// Draws integers of a residue number system, whose operands have these shapes. Integer arithmetic by the oracle.
class IntegerDraw {
 public:
  IntegerDraw(const oracle::ResidueSystem& system, Draw& draw) : system_(system), draw_(draw) {}

  /// An integer of at most `bits` bits; all numbers of bits are equally likely.
  oracle::Dyadic log_uniform(long bits) {
    const long length = static_cast<long>(draw_.below(static_cast<std::uint64_t>(bits) + 1));
    if (length == 0) return 0;
    oracle::Dyadic top = oracle::Dyadic::scaled(1, length - 1);
    switch (draw_.below(8)) {
      case 0:
        return top;
      case 1:
        return top.mul_2exp(1) - oracle::Dyadic(1);
      case 2: {
        const int place = draw_.between(0, static_cast<int>(length) - 2);
        return top += oracle::Dyadic::scaled(draw_.coin() || length < 3 ? 0 : 1, place);
      }
      default:
        return top += dense(length - 1);
    }
  }
  /// One of 0 … 2^bits − 1.
  oracle::Dyadic dense(long bits) {
    std::vector<std::uint32_t> limbs(static_cast<std::size_t>((bits + 31) / 32));
    for (std::uint32_t& each : limbs) {
      each = static_cast<std::uint32_t>(draw_.word() >> 32);
    }
    if (bits % 32 != 0) limbs.back() >>= 32 - bits % 32;
    return oracle::integer_of_limbs(limbs);
  }
  /// One of 0 … below − 1. Requires: below > 0 (not checked). Not quite uniform.
  oracle::Dyadic below(const oracle::Dyadic& below) {
    return oracle::floor_scaled(dense(below.exponent() + 65) * below, below.exponent() + 65);
  }

  /// An integer of 0 … M − 1.
  oracle::Dyadic at(IntegerPlace place) {
    using oracle::Dyadic;
    const Dyadic& M = system_.product();
    const std::size_t n = system_.moduli().size();
    if (place == IntegerPlace::any)
      place = static_cast<IntegerPlace>(draw_.below(static_cast<std::uint64_t>(IntegerPlace::any)));
    switch (place) {
      case IntegerPlace::uniform:
        return below(M);
      case IntegerPlace::near_zero:
        return reduced(log_uniform(60));
      case IntegerPlace::near_top:
        return reduced(M - Dyadic(1) - offset());
      case IntegerPlace::near_half:
        return reduced(oracle::floor_scaled(M, 1) + signed_offset());
      case IntegerPlace::near_fraction: {
        const Dyadic off = signed_offset();
        return reduced(oracle::floor_scaled(M, draw_.between(1, static_cast<int>(M.exponent()))) + off);
      }
      case IntegerPlace::near_root: {
        Dyadic root;
        arf_sqrt(root.arf(), M.arf(), M.exponent() / 2 + 1, ARF_RND_FLOOR);
        return reduced(oracle::floor_scaled(root, 0) + signed_offset());
      }
      case IntegerPlace::near_multiple: {
        const std::size_t i = draw_.below(n);
        Dyadic factor(system_.moduli()[i]);
        if (draw_.coin()) {
          for (std::size_t j = 0; j < i; ++j) factor *= Dyadic(system_.moduli()[j]);
        }
        const Dyadic off(draw_.between(-1, 1));
        return reduced(factor * log_uniform(M.exponent() - factor.exponent()) + off);
      }
      case IntegerPlace::edge_residues:
        return system_.integer(residues([](std::uint32_t m, std::uint64_t kind) { return edge(m, kind); }));
      case IntegerPlace::edge_digits: {
        std::vector<std::uint32_t> x = residues([](std::uint32_t m, std::uint64_t kind) { return edge(m, kind); });
        for (std::size_t i = 0; i < n; ++i) {
          const std::uint32_t m = system_.moduli()[i];
          const std::uint64_t cofactor = oracle::residue(oracle::floor_quotient(M, Dyadic(m)), m);
          x[i] = static_cast<std::uint32_t>(x[i] * cofactor % m);
        }
        return system_.integer(x);
      }
      case IntegerPlace::few_digits: {
        Dyadic x = multiple_of_cofactor();
        if (draw_.one_in(4)) x += multiple_of_cofactor();
        return reduced(x);
      }
      case IntegerPlace::large_residues:
        return system_.integer(large_residues());
      case IntegerPlace::log_uniform:
      case IntegerPlace::any:
        break;
    }
    return reduced(log_uniform(M.exponent() + 1));
  }

  /// ±1, ±2^j, or of every length; 0 now and then.
  oracle::Dyadic step() {
    const oracle::Dyadic size = draw_.one_in(3)   ? oracle::Dyadic(static_cast<int>(draw_.below(3)))
                                : draw_.one_in(3) ? offset()
                                                  : oracle::Dyadic::scaled(1, power());
    return draw_.coin() ? size : -size;
  }

  /// Residues whose products with those of x are c: 0, 1 or −1 for all moduli, or one of these values for each modulus.
  /// If a residue of x has no inverse, the other is 0.
  oracle::Dyadic partner(const oracle::Dyadic& x) {
    std::vector<std::uint32_t> y = system_.residues(x);
    const std::uint64_t all = draw_.below(4);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::uint32_t m = system_.moduli()[i];
      const std::uint64_t c = all < 3 ? all : draw_.below(3);
      const std::uint64_t inverse = inverse_of(y[i], m);
      y[i] = static_cast<std::uint32_t>(c == 0 ? 0 : c == 1 || inverse == 0 ? inverse : m - inverse);
    }
    return system_.integer(y);
  }

  /// Residues mᵢ − 1 − r, r below 2^k, one k for all.
  std::vector<std::uint32_t> large_residues() {
    const int k = draw_.between(0, 24);
    return residues([this, k](std::uint32_t m, std::uint64_t) {
      return m - 1 - static_cast<std::uint32_t>(draw_.below(std::uint64_t{1} << k)) % m;
    });
  }

  /// x mod M.
  oracle::Dyadic reduced(const oracle::Dyadic& x) const { return system_.reduced(x); }
  Draw& draw() { return draw_; }

 private:
  /// d·M/mᵢ, 0 < d < mᵢ, for one modulus: d of every length, or mᵢ minus such a d. Mostly the modulus whose reciprocal
  /// lies nearest below a number: there the upper bound of d/mᵢ has the least room for a wrong rounding.
  oracle::Dyadic multiple_of_cofactor() {
    const std::vector<std::uint32_t>& moduli = system_.moduli();
    const std::uint32_t m = draw_.one_in(4) ? moduli[draw_.below(moduli.size())]
                                            : *std::min_element(moduli.begin(), moduli.end(), [](auto a, auto b) {
                                                return room_above_reciprocal(a) < room_above_reciprocal(b);
                                              });
    const auto below_m = static_cast<std::uint32_t>(draw_.below(m - 1));
    const std::uint32_t d = draw_.coin() ? below_m : below_m >> draw_.below(32);
    const oracle::Dyadic cofactor = oracle::floor_quotient(system_.product(), oracle::Dyadic(m));
    return cofactor * oracle::Dyadic(draw_.coin() ? d + 1 : m - 1 - d);
  }
  /// RU(1/m)/(1/m) − 1 in binary64, as a multiple of 2⁻⁵².
  static double room_above_reciprocal(std::uint32_t m) {
    __extension__ using Wide = unsigned __int128;
    const int places = 52 + std::bit_width(m);
    const auto rest = static_cast<std::uint64_t>((Wide{1} << places) % m);
    return static_cast<double>(rest == 0 ? 0 : m - rest) / static_cast<double>(std::uint64_t{1} << std::bit_width(m));
  }
  int power() { return static_cast<int>(draw_.below(static_cast<std::uint64_t>(system_.product().exponent()))); }
  oracle::Dyadic offset() { return draw_.coin() ? log_uniform(40) : log_uniform(system_.product().exponent()); }
  oracle::Dyadic signed_offset() {
    oracle::Dyadic size = offset();
    return draw_.coin() ? size : -size;
  }

  /// make(mᵢ, kind) for every modulus, one kind for all moduli or a kind for each.
  template <class Make>
  std::vector<std::uint32_t> residues(Make make) {
    const std::uint64_t all = draw_.below(8);
    std::vector<std::uint32_t> result;
    for (const std::uint32_t m : system_.moduli()) {
      result.push_back(make(m, all < 6 ? all : draw_.below(6)));
    }
    return result;
  }
  static std::uint32_t edge(std::uint32_t m, std::uint64_t kind) {
    const std::array<std::uint32_t, 6> edges{0, 1, m / 2, m - m / 2, m - 2, m - 1};
    return edges[kind];
  }
  /// The inverse of x mod m, or 0 if there is none.
  static std::uint64_t inverse_of(std::int64_t x, std::int64_t m) {
    std::int64_t a = x;
    std::int64_t b = m;
    std::int64_t of_a = 1;
    std::int64_t of_b = 0;
    while (a > 1) {
      const std::int64_t q = b / a;
      std::swap(a, b -= q * a);
      std::swap(of_a, of_b -= q * of_a);
    }
    return a == 1 ? static_cast<std::uint64_t>(of_a < 0 ? of_a + m : of_a) : 0;
  }

  const oracle::ResidueSystem& system_;
  Draw& draw_;
};

namespace detail {

struct NamedPlace {
  const char* name;
  unsigned weight;
  IntegerPlace place;
};
inline constexpr NamedPlace named_places[] = {
    {"every length", 4, IntegerPlace::log_uniform},
    {"uniform", 1, IntegerPlace::uniform},
    {"near 0", 2, IntegerPlace::near_zero},
    {"near M", 3, IntegerPlace::near_top},
    {"near M/2", 2, IntegerPlace::near_half},
    {"near M/2^j", 2, IntegerPlace::near_fraction},
    {"near the root of M", 1, IntegerPlace::near_root},
    {"multiples of moduli, and those ± 1", 2, IntegerPlace::near_multiple},
    {"residues 0, 1, m/2, m − 1", 2, IntegerPlace::edge_residues},
    {"terms of the Chinese remainder theorem 0, 1, m/2, m − 1", 2, IntegerPlace::edge_digits},
    {"one or two terms of the Chinese remainder theorem", 4, IntegerPlace::few_digits},
    {"residues near the moduli", 1, IntegerPlace::large_residues},
};

inline std::vector<std::uint32_t> limbs_in(const oracle::ResidueSystem& system, const oracle::Dyadic& x) {
  return oracle::limbs_of(x, limbs_of_range(system));
}

template <class Case, class F>
InputClass<Case> integers(std::string name, unsigned weight, const oracle::ResidueSystem& system, F make) {
  return {std::move(name), weight, drawn<Case>([&system, make](Draw& draw) {
            IntegerDraw integer(system, draw);
            return make(integer);
          })};
}

inline RnsPairCase pair_in(const oracle::ResidueSystem& system, const oracle::Dyadic& x, const oracle::Dyadic& y) {
  return {limbs_in(system, x), limbs_in(system, y)};
}

/// X mod m in one limb: if one residue is wrong, the others are not needed.
inline std::vector<std::uint32_t> limbs_modulo(std::span<const std::uint32_t> limbs, std::uint32_t m) {
  return {oracle::residue(oracle::integer_of_limbs(limbs), m)};
}

/// ⌊log₂ X⌋, −1 for 0.
inline double length_of(std::span<const std::uint32_t> limbs) {
  const oracle::Dyadic x = oracle::integer_of_limbs(limbs);
  return x.is_zero() ? -1.0 : static_cast<double>(x.exponent());
}

}  // namespace detail

/// In words: the integers of a residue number system.
inline std::string range_text(const oracle::ResidueSystem& system) {
  return "0 … M − 1 as limbs, M the product of " + std::to_string(system.moduli().size()) + " moduli, 2^" +
         std::to_string(system.product().exponent()) + " < M < 2^" + std::to_string(system.product().exponent() + 1);
}

/// Integers below M. Requires: `system` must outlive the domain (not checked), in this and the other domains.
inline Domain<RnsCase> rns_domain(const oracle::ResidueSystem& system) {
  Domain<RnsCase> domain;
  for (const detail::NamedPlace& each : detail::named_places) {
    domain.classes.push_back(
        detail::integers<RnsCase>(each.name, each.weight, system, [&system, place = each.place](IntegerDraw& integer) {
          return RnsCase{detail::limbs_in(system, integer.at(place))};
        }));
  }
  domain.contains = [&system](const RnsCase& c) { return in_range(system, c.x); };
  const auto bits = static_cast<double>(system.product().exponent() + 1);
  domain.features = {{"length of X in bits", 0, bits, 64, [](const RnsCase& c) { return detail::length_of(c.x) + 1; }}};
  domain.accepts = "X of " + range_text(system);
  return domain;
}

/// Pairs of integers below M: independent ones, neighbors, pairs whose sum lies around M, pairs with products 0, ±1
/// modulo each mᵢ or with products of large residues, and quotients with remainders at both ends.
inline Domain<RnsPairCase> rns_pair_domain(const oracle::ResidueSystem& system) {
  using oracle::Dyadic;
  const auto of = [&system](std::string name, unsigned weight, auto make) {
    return detail::integers<RnsPairCase>(std::move(name), weight, system, make);
  };
  const auto both_at = [&](std::string name, unsigned weight, IntegerPlace place) {
    return of(std::move(name), weight, [&system, place](IntegerDraw& integer) {
      const Dyadic x = integer.at(place);
      return detail::pair_in(system, x, integer.at(place));
    });
  };
  Domain<RnsPairCase> domain;
  domain.classes = {
      both_at("every length", 4, IntegerPlace::log_uniform),
      both_at("any two places", 3, IntegerPlace::any),
      of("X and X, X ± 1, X ± 2^j", 4,
         [&system](IntegerDraw& integer) {
           const Dyadic x = integer.at(IntegerPlace::any);
           return detail::pair_in(system, x, integer.reduced(x + integer.step()));
         }),
      of("X and M − X, and those ± 1, ± 2^j", 3,
         [&system](IntegerDraw& integer) {
           const Dyadic x = integer.at(IntegerPlace::any);
           return detail::pair_in(system, x, integer.reduced(integer.step() - x));
         }),
      of("products 0, ±1 modulo each modulus", 3,
         [&system](IntegerDraw& integer) {
           const Dyadic x = integer.at(integer.draw().coin() ? IntegerPlace::large_residues : IntegerPlace::any);
           return detail::pair_in(system, x, integer.partner(x));
         }),
      both_at("residues near the moduli", 2, IntegerPlace::large_residues),
      of("products of every length below M", 2,
         [&system](IntegerDraw& integer) {
           const long bits = system.product().exponent();
           const Dyadic x = integer.log_uniform(bits);
           return detail::pair_in(system, x, integer.log_uniform(x.is_zero() ? bits : bits - 1 - x.exponent()));
         }),
      of("X = QY + R, R of 0, 1, Y − 1 or below Y", 4,
         [&system](IntegerDraw& integer) {
           const long bits = system.product().exponent();
           const Dyadic y = integer.log_uniform(bits - 1) + Dyadic(1);
           const Dyadic q = integer.log_uniform(std::max(bits - y.exponent() - 1, 0L));
           const std::uint64_t kind = integer.draw().below(4);
           const Dyadic r = kind < 2 ? Dyadic(kind) : kind == 2 ? y - Dyadic(1) : integer.below(y);
           return detail::pair_in(system, integer.reduced(q * y + r), y);
         }),
  };
  domain.contains = [&system](const RnsPairCase& c) { return in_range(system, c.x) && in_range(system, c.y); };
  const auto bits = static_cast<double>(system.product().exponent() + 1);
  domain.features = {{"length of X − length of Y in bits", -bits, bits, 64,
                      [](const RnsPairCase& c) { return detail::length_of(c.x) - detail::length_of(c.y); }}};
  domain.shrink_shape = [&system](const RnsPairCase& c) {
    std::vector<RnsPairCase> smaller;
    for (const std::uint32_t m : system.moduli()) {
      smaller.push_back({detail::limbs_modulo(c.x, m), detail::limbs_modulo(c.y, m)});
    }
    return smaller;
  };
  domain.accepts = "X and Y of " + range_text(system);
  return domain;
}

/// Integers below M and powers 2^d, 0 ≤ d ≤ ⌊log₂ M⌋ + 1: multiples of 2^d, multiples ± 1, and any integers.
inline Domain<RnsScaleCase> rns_scale_domain(const oracle::ResidueSystem& system) {
  using oracle::Dyadic;
  const auto most = static_cast<int>(system.product().exponent() + 1);
  Domain<RnsScaleCase> domain;
  for (const detail::NamedPlace& each : detail::named_places) {
    domain.classes.push_back(detail::integers<RnsScaleCase>(
        each.name, each.weight, system, [&system, most, place = each.place](IntegerDraw& integer) {
          return RnsScaleCase{detail::limbs_in(system, integer.at(place)), integer.draw().between(0, most)};
        }));
  }
  domain.classes.push_back(detail::integers<RnsScaleCase>(
      "multiples of 2^d, and those ± 1", 6, system, [&system, most](IntegerDraw& integer) {
        const int d = integer.draw().between(0, most);
        Dyadic x = integer.draw().coin() ? integer.log_uniform(most - d) : oracle::floor_scaled(system.product(), d);
        x.mul_2exp(d);
        return RnsScaleCase{detail::limbs_in(system, integer.reduced(x + Dyadic(integer.draw().between(-1, 1)))), d};
      }));
  domain.contains = [&system, most](const RnsScaleCase& c) { return in_range(system, c.x) && c.d >= 0 && c.d <= most; };
  domain.features = {{"d", 0, static_cast<double>(most), 64, [](const RnsScaleCase& c) { return double(c.d); }}};
  domain.accepts = "X of " + range_text(system) + "; d of 0 … " + std::to_string(most);
  return domain;
}

}  // namespace assay::rns
