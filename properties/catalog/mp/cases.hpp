#pragma once
// Inputs of multiple-precision arithmetic in residues: significands and exponents around the thresholds of alignment
// and rounding. Cases hold the numbers as sign, exponent and limbs of the significand; the moduli belong to the
// property.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/fields.hpp"
#include "arith/float/extended_range.hpp"
#include "arith/residues/moduli.hpp"
#include "errorbounds/mp.hpp"
#include "oracle/residues.hpp"
#include "probes/mp/draws.hpp"
#include "properties/catalog/rns/cases.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/draw.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::mp {

/// (−1)^sx·X·2^ex.
struct MpCase {
  int sx = 0;
  std::int64_t ex = 0;
  std::vector<std::uint32_t> x;
  static constexpr auto fields() {
    using C = MpCase;
    return std::tuple{field("sx", &C::sx), field("ex", &C::ex), field("x", &C::x)};
  }
};

/// Two numbers, and the widths of their enclosures (widen, narrow).
struct MpPairCase {
  int sx = 0, sy = 0;
  std::int64_t ex = 0, ey = 0;
  std::vector<std::uint32_t> x, y;
  int wx = 0, wy = 0;
  static constexpr auto fields() {
    using C = MpPairCase;
    return std::tuple{field("sx", &C::sx), field("ex", &C::ex), field("x", &C::x),   field("sy", &C::sy),
                      field("ey", &C::ey), field("y", &C::y),   field("wx", &C::wx), field("wy", &C::wy)};
  }
};

/// Three numbers.
struct MpTripleCase {
  int sx = 0, sy = 0, sw = 0;
  std::int64_t ex = 0, ey = 0, ew = 0;
  std::vector<std::uint32_t> x, y, w;
  static constexpr auto fields() {
    using C = MpTripleCase;
    return std::tuple{field("sx", &C::sx), field("ex", &C::ex), field("x", &C::x),
                      field("sy", &C::sy), field("ey", &C::ey), field("y", &C::y),
                      field("sw", &C::sw), field("ew", &C::ew), field("w", &C::w)};
  }
};

/// A vector operation: all entries have equally many limbs; entry k is limbs[k]·scale[k] with scale[k] = ±2^e.
struct MpVectorCase {
  std::int64_t length = 0, incx = 1, incy = 1;
  std::vector<double> x_scale, y_scale, scalar_scale;  ///< two scalars: α and β
  std::vector<std::uint32_t> x, y, scalar;
  static constexpr auto fields() {
    using C = MpVectorCase;
    return std::tuple{field("length", &C::length), field("incx", &C::incx),
                      field("incy", &C::incy),     field("x_scale", &C::x_scale),
                      field("x", &C::x),           field("y_scale", &C::y_scale),
                      field("y", &C::y),           field("scalar_scale", &C::scalar_scale),
                      field("scalar", &C::scalar)};
  }
};

/// A set of moduli for properties: its numbers for the oracle and the bounds.
struct MpSystem {
  int n;
  std::uint32_t guard;
  oracle::ResidueSystem base;
  int h;                   ///< bits of a rounded significand
  std::size_t limbs;       ///< that hold h bits
  oracle::Dyadic largest;  ///< ⌊M·2^(−h)(1 − 2⁻⁴⁸)⌋: significands up to it are not rounded by from_limbs
  RelativeBound unit;      ///< of mp_unit()
  RelativeBound published_unit;  ///< of mp_published_unit()

  MpSystem(std::vector<std::uint32_t> moduli, std::uint32_t guard_modulus)
      : n(static_cast<int>(moduli.size())),
        guard(guard_modulus),
        base(std::move(moduli)),
        h(mp_significand_bits(base.product())),
        limbs(static_cast<std::size_t>(h + 31) / 32),
        largest(oracle::floor_scaled(base.product() * (oracle::Dyadic::scaled(1, 48) - oracle::Dyadic(1)), h + 48)),
        unit(mp_unit(base.product())),
        published_unit(mp_published_unit(base.product())) {}
};

namespace detail {

template <int n>
const MpSystem& standard_mp_system() {
  static const MpSystem system = [] {
    std::vector<std::uint32_t> moduli;
    for (int i = 0; i < n; ++i) moduli.push_back(rns::Standard<n>::modulus(i));
    return MpSystem(std::move(moduli), rns::Standard<n>::modulus(n));
  }();
  return system;
}

}  // namespace detail

/// rns::Standard<n>. Throws std::invalid_argument unless n is 8, 16, 32, 64 or 128.
inline const MpSystem& mp_system(int n) {
  switch (n) {
    case 8:
      return detail::standard_mp_system<8>();
    case 16:
      return detail::standard_mp_system<16>();
    case 32:
      return detail::standard_mp_system<32>();
    case 64:
      return detail::standard_mp_system<64>();
    case 128:
      return detail::standard_mp_system<128>();
    default:
      throw std::invalid_argument("no standard set of " + std::to_string(n) + " moduli");
  }
}

/// (−1)^sign·X·2^exponent.
inline oracle::Dyadic mp_value(int sign, std::int64_t exponent, std::span<const std::uint32_t> limbs) {
  oracle::Dyadic x = oracle::integer_of_limbs(limbs);
  if (x.is_zero()) return x;
  x.mul_2exp(exponent);
  if (sign != 0) x.negate();
  return x;
}
inline oracle::Dyadic value_of_x(const MpCase& c) { return mp_value(c.sx, c.ex, c.x); }
inline oracle::Dyadic value_of_x(const MpPairCase& c) { return mp_value(c.sx, c.ex, c.x); }
inline oracle::Dyadic value_of_y(const MpPairCase& c) { return mp_value(c.sy, c.ey, c.y); }
inline oracle::Dyadic value_of_x(const MpTripleCase& c) { return mp_value(c.sx, c.ex, c.x); }
inline oracle::Dyadic value_of_y(const MpTripleCase& c) { return mp_value(c.sy, c.ey, c.y); }
inline oracle::Dyadic value_of_w(const MpTripleCase& c) { return mp_value(c.sw, c.ew, c.w); }

/// Rounded significands and exponents of one set.
class MpDraw {
 public:
  MpDraw(const MpSystem& system, Draw& draw) : system_(system), draw_(draw), integer_(system.base, draw) {}

  /// A significand of any length: dense, sparse, a power of two, all ones, the largest, or next below M·2^(−j).
  oracle::Dyadic significand() {
    switch (draw_.below(6)) {
      case 0:
        return full();
      case 1:
        return most() - oracle::Dyadic(draw_.below(4));
      case 2: {
        const oracle::Dyadic off(draw_.between(-1, 1));
        return limited(oracle::floor_scaled(system_.base.product(), system_.h + draw_.between(0, system_.h - 8)) + off);
      }
      default:
        return limited(integer_.log_uniform(system_.h));
    }
  }
  /// A dense significand of as many bits as fit.
  oracle::Dyadic full() { return limited(oracle::Dyadic::scaled(1, system_.h - 1) + integer_.dense(system_.h - 1)); }
  /// The largest one.
  const oracle::Dyadic& most() const { return system_.largest; }
  /// The nearest one that is not negative.
  oracle::Dyadic limited(const oracle::Dyadic& x) const {
    return x.sign() < 0 ? oracle::Dyadic(0) : std::min(x, system_.largest);
  }
  oracle::Dyadic dense(long bits) { return bits <= 0 ? oracle::Dyadic(0) : integer_.dense(bits); }
  oracle::Dyadic log_uniform(long bits) { return integer_.log_uniform(bits); }
  std::int64_t exponent() { return draw_.one_in(4) ? 0 : draw_.between(-3000, 3000); }
  int sign() { return draw_.coin() ? 1 : 0; }
  std::vector<std::uint32_t> limbs(const oracle::Dyadic& x) const { return oracle::limbs_of(x, system_.limbs); }
  const MpSystem& system() const { return system_; }
  Draw& draw() { return draw_; }

  MpPairCase pair(const oracle::Dyadic& x, const oracle::Dyadic& y, std::int64_t gap) {
    const std::int64_t e = exponent();
    const bool swap = draw_.coin();
    MpPairCase c{sign(), sign(), e + gap, e, limbs(x), limbs(y)};
    if (swap) {
      std::swap(c.ex, c.ey);
      std::swap(c.x, c.y);
    }
    return c;
  }

 private:
  const MpSystem& system_;
  Draw& draw_;
  rns::IntegerDraw integer_;
};

namespace detail {

template <class Case, class F>
InputClass<Case> mp_class(std::string name, unsigned weight, const MpSystem& system, F make) {
  return {std::move(name), weight, drawn<Case>([&system, make](Draw& draw) {
            MpDraw numbers(system, draw);
            return make(numbers);
          })};
}

/// ⌊log₂(X·2^shift/M)⌋ + 1 is about `at` for this shift.
inline std::int64_t gap_to(const MpSystem& system, const oracle::Dyadic& x, int at) {
  return x.is_zero() ? 0 : system.base.product().exponent() - x.exponent() + at;
}

/// The pair whose sum drops the bits 1…1 of y after the last bit of x, where the least number of bits is truncated: the
/// worst case of a sum.
inline MpPairCase worst_sum(MpDraw& numbers) {
  using oracle::Dyadic;
  const MpSystem& system = numbers.system();
  const int dropped = numbers.draw().between(1, system.h - 1);
  const Dyadic y = Dyadic::scaled(1, dropped) - Dyadic(1);
  const Dyadic x = oracle::floor_scaled(system.base.product(), system.h + 1) + Dyadic(1 + numbers.draw().below(3));
  MpPairCase c = numbers.pair(x, y, dropped);
  c.sx = c.sy;
  return c;
}

inline std::vector<InputClass<MpPairCase>> mp_pair_classes(const MpSystem& system) {
  using oracle::Dyadic;
  const auto of = [&system](std::string name, unsigned weight, auto make) {
    return mp_class<MpPairCase>(std::move(name), weight, system, make);
  };
  return {
      of("every length, exponent gaps to twice the precision", 4,
         [](MpDraw& r) {
           const int far = 2 * r.system().h + 4;
           const Dyadic x = r.significand();
           const int gap = r.draw().between(-far, far);
           return r.pair(x, r.significand(), gap);
         }),
      of("full length, gaps 0 … 3", 4,
         [](MpDraw& r) {
           const Dyadic x = r.full();
           const int gap = r.draw().between(0, 3);
           return r.pair(x, r.full(), gap);
         }),
      of("cancellation of every number of leading bits", 6,
         [](MpDraw& r) {
           const Dyadic x = r.full();
           const long kept = static_cast<long>(r.draw().below(static_cast<std::uint64_t>(r.system().h)));
           const Dyadic step = r.log_uniform(kept);
           return r.pair(x, r.limited(r.draw().coin() ? x + step : x - step), 0);
         }),
      of("cancellation across exponents", 4,
         [](MpDraw& r) {
           const int gap = r.draw().between(1, r.system().h - 1);
           const Dyadic low = r.full();
           const Dyadic high = oracle::floor_scaled(low, gap) + Dyadic(r.draw().between(0, 1));
           return r.pair(high, low, gap);
         }),
      of("gaps at the threshold of alignment ± 3, the other operand large", 6,
         [](MpDraw& r) {
           const Dyadic x =
               r.draw().coin() ? r.significand() : Dyadic::scaled(1, r.draw().between(0, r.system().h - 2));
           const Dyadic y = r.draw().coin() ? r.most() : r.significand();
           return r.pair(x, y, gap_to(r.system(), x, r.draw().between(-4, 2)));
         }),
      of("the shifted operand next to M·2^(−j), the other the largest", 4,
         [](MpDraw& r) {
           const int j = r.draw().between(0, r.draw().coin() ? 3 : r.system().h - 8);
           const Dyadic& M = r.system().base.product();
           const Dyadic x = oracle::floor_scaled(M, r.system().h + 1 + j) + Dyadic(r.draw().below(2));
           return r.pair(r.limited(x), r.most(), r.system().h + j + r.draw().between(-2, 1));
         }),
      of("largest significands, every gap", 3,
         [](MpDraw& r) { return r.pair(r.most(), r.most(), r.draw().between(0, r.system().h + 3)); }),
      of("last bits 1…1 dropped just above a power of two", 3, [](MpDraw& r) { return worst_sum(r); }),
      of("products near M·2^(−j) from above", 3,
         [](MpDraw& r) {
           const Dyadic x = r.full();
           const int j = r.draw().between(1, 3);
           const Dyadic y = oracle::floor_quotient(oracle::floor_scaled(r.system().base.product(), j), x) +
                            Dyadic(r.draw().between(-1, 1));
           return r.pair(x, r.limited(y), r.draw().between(-3, 3));
         }),
      of("products around the threshold of rounding", 3,
         [](MpDraw& r) {
           const Dyadic x = r.significand() + Dyadic(1);
           const Dyadic y = oracle::floor_quotient(oracle::floor_scaled(r.system().base.product(), r.system().h), x) +
                            Dyadic(r.draw().between(-1, 1));
           return r.pair(r.limited(x), r.limited(y), r.draw().between(-3, 3));
         }),
      of("zero, with far exponents", 2,
         [](MpDraw& r) {
           MpPairCase c = r.pair(0, r.draw().one_in(3) ? Dyadic(0) : r.significand(), 0);
           const std::int64_t far = std::int64_t{1} << r.draw().between(0, 29);
           (oracle::integer_of_limbs(c.x).is_zero() ? c.ex : c.ey) = r.draw().coin() ? far : -far;
           return c;
         }),
      of("one and the other ± 1", 3,
         [](MpDraw& r) {
           const Dyadic x = r.significand();
           return r.pair(x, r.limited(x + Dyadic(r.draw().between(-1, 1))), 0);
         }),
  };
}

}  // namespace detail

/// Whether from_limbs does not round the number, with an exponent that keeps exact sums short: |e| < 2^14, or 2^30 for
/// zero.
inline bool is_mp_operand(const MpSystem& system, int sign, std::int64_t exponent,
                          std::span<const std::uint32_t> limbs) {
  const oracle::Dyadic x = oracle::integer_of_limbs(limbs);
  const std::int64_t most = std::int64_t{1} << (x.is_zero() ? 30 : 14);
  return (sign == 0 || sign == 1) && exponent < most && exponent > -most && limbs.size() == system.limbs &&
         x <= system.largest;
}

inline std::string mp_operand_text(const MpSystem& system) {
  return "(−1)^s·X·2^e, X ≤ M·2^(−" + std::to_string(system.h) + ")(1 − 2^(−48)) in " + std::to_string(system.limbs) +
         " limbs, M the product of " + std::to_string(system.n) + " moduli, |e| < 2^14, or 2^30 for X = 0";
}

using probes::mp::most_kinds_of_width;
using probes::mp::widen;
/// The kind of enclosures that narrow() makes.
inline constexpr int narrowest = most_kinds_of_width + 1;

/// The enclosure of X/M made as narrow as bounds of 53 bits can be: [RD(X/M), RU(X/M)].
inline void narrow(Extended& lower, Extended& upper, const oracle::Dyadic& x, const oracle::Dyadic& product) {
  if (x.is_zero()) return;
  const long places = 53 + product.exponent() - x.exponent();  // ⌊X·2^places/M⌋ has 53 bits or 54
  oracle::Dyadic scaled = x;
  const oracle::Dyadic quotient = oracle::floor_quotient(scaled.mul_2exp(places), product);
  const long dropped = quotient.exponent() - 52;
  const oracle::Dyadic kept = oracle::floor_scaled(quotient, dropped);
  lower = extended(kept.to_double_nearest(), dropped - places);
  upper = extended((kept + oracle::Dyadic(1)).to_double_nearest(), dropped - places);
}

/// Pairs of rounded numbers. Requires: `system` must outlive the domain (not checked), also in the other domains.
inline Domain<MpPairCase> mp_pair_domain(const MpSystem& system) {
  Domain<MpPairCase> domain;
  domain.classes = detail::mp_pair_classes(system);
  domain.classes.push_back({"enclosures as wide as those of rounded numbers may be", 9,
                            drawn<MpPairCase>([narrow = domain.classes](Draw& draw) {
                              const auto& any = narrow[draw.below(narrow.size())];
                              MpPairCase c = any.generator(rc::Random(draw.word()));
                              const auto kind = [&] { return draw.between(-most_kinds_of_width, most_kinds_of_width); };
                              c.wx = kind();
                              c.wy = kind();
                              return c;
                            })});
  domain.classes.push_back(
      detail::mp_class<MpPairCase>("enclosures as narrow as can be, short products", 3, system, [](MpDraw& r) {
        const oracle::Dyadic x = r.log_uniform(r.system().h - 1);
        const long left = r.system().h - 2 - (x.is_zero() ? 0 : x.exponent());
        const oracle::Dyadic y = r.log_uniform(left);
        MpPairCase c = r.pair(x, y, r.draw().between(-3, 3));
        c.wx = c.wy = narrowest;
        return c;
      }));
  domain.contains = [&system](const MpPairCase& c) {
    return is_mp_operand(system, c.sx, c.ex, c.x) && is_mp_operand(system, c.sy, c.ey, c.y) &&
           std::min(c.wx, c.wy) >= -most_kinds_of_width && std::max(c.wx, c.wy) <= narrowest;
  };
  const double span = 2.0 * system.h + 8;
  domain.features = {{"exponent of x − exponent of y", -span, span, 64,
                      [](const MpPairCase& c) { return static_cast<double>(c.ex - c.ey); }}};
  domain.accepts =
      "two numbers " + mp_operand_text(system) +
      "; wx, wy from -4 to 4, of which ±w widen the enclosure to 2^(−18 − w) of its upper end, or 5 for the "
      "narrowest one";
  return domain;
}

/// Pairs as above with a third number; for pairs that cancel it is often large or the difference itself.
inline Domain<MpTripleCase> mp_triple_domain(const MpSystem& system) {
  using oracle::Dyadic;
  Domain<MpTripleCase> domain;
  for (const InputClass<MpPairCase>& pairs : detail::mp_pair_classes(system)) {
    domain.classes.push_back({pairs.name, pairs.weight, drawn<MpTripleCase>([&system, pairs](Draw& draw) {
                                const MpPairCase c = pairs.generator(rc::Random(draw.word()));
                                MpDraw numbers(system, draw);
                                const Dyadic difference = value_of_x(c) - value_of_y(c);
                                Dyadic w = draw.coin() ? numbers.full() : numbers.significand();
                                if (!difference.is_zero() && draw.one_in(3) && difference.bit_length() < system.h) {
                                  w = abs(difference);
                                  w.mul_2exp(-w.lowest_exponent());
                                }
                                return MpTripleCase{c.sx, c.sy, numbers.sign(),  c.ex, c.ey, numbers.exponent(),
                                                    c.x,  c.y,  numbers.limbs(w)};
                              })});
  }
  domain.contains = [&system](const MpTripleCase& c) {
    return is_mp_operand(system, c.sx, c.ex, c.x) && is_mp_operand(system, c.sy, c.ey, c.y) &&
           is_mp_operand(system, c.sw, c.ew, c.w);
  };
  domain.accepts = "three numbers " + mp_operand_text(system);
  return domain;
}

}  // namespace assay::mp
