#pragma once
// Single multiple-precision numbers: to be rounded once, to be rounded from any length, and to be converted to
// binary64.

#include "properties/catalog/mp/cases.hpp"

namespace assay::mp {

/// Numbers X < M to round once.
inline Domain<MpCase> mp_unrounded_domain(const MpSystem& system) {
  using oracle::Dyadic;
  const std::size_t limbs = rns::limbs_of_range(system.base);
  Domain<MpCase> domain;
  const auto number = [limbs](MpDraw& r, const Dyadic& x) {
    return MpCase{r.sign(), r.exponent(), oracle::limbs_of(x, limbs)};
  };
  const auto below_product = [&system](const Dyadic& x) {
    const Dyadic top = system.base.product() - Dyadic(1);
    return x > top ? top : x.sign() < 0 ? Dyadic(0) : x;
  };
  for (const rns::detail::NamedPlace& each : rns::detail::named_places) {
    domain.classes.push_back(detail::mp_class<MpCase>(each.name, each.weight, system, [=](MpDraw& r) {
      rns::IntegerDraw integer(r.system().base, r.draw());
      return number(r, integer.at(each.place));
    }));
  }
  domain.classes.push_back(detail::mp_class<MpCase>("every threshold M·2^(−j), ± few", 6, system, [=](MpDraw& r) {
    const Dyadic& M = r.system().base.product();
    const Dyadic x = oracle::floor_scaled(M, r.draw().between(0, static_cast<int>(M.exponent())));
    return number(r, below_product(x + Dyadic(r.draw().between(-3, 3))));
  }));
  domain.classes.push_back(detail::mp_class<MpCase>("just above a threshold, last bits 1…1", 6, system, [=](MpDraw& r) {
    const Dyadic& M = r.system().base.product();
    const int dropped = r.draw().between(1, r.system().h);
    Dyadic x = oracle::floor_scaled(M, r.system().h + 1) + Dyadic(1 + r.draw().below(2));
    x.mul_2exp(dropped);
    return number(r, below_product(x + Dyadic::scaled(1, dropped) - Dyadic(1)));
  }));
  domain.contains = [&system, limbs](const MpCase& c) {
    return (c.sx == 0 || c.sx == 1) && c.ex < 1 << 14 && c.ex > -(1 << 14) && c.x.size() == limbs &&
           rns::in_range(system.base, c.x);
  };
  domain.accepts = "(−1)^s·X·2^e, |e| < 2^14, X of " + rns::range_text(system.base);
  return domain;
}

/// Numbers of up to three times the limbs of a significand.
inline Domain<MpCase> mp_long_domain(const MpSystem& system) {
  using oracle::Dyadic;
  const std::size_t limbs = 3 * system.limbs;
  const auto bits = static_cast<long>(32 * limbs);
  const auto number = [limbs](MpDraw& r, const Dyadic& x) {
    return MpCase{r.sign(), r.exponent(), oracle::limbs_of(x, limbs)};
  };
  Domain<MpCase> domain;
  domain.classes = {
      detail::mp_class<MpCase>("every length", 4, system, [=](MpDraw& r) { return number(r, r.log_uniform(bits)); }),
      detail::mp_class<MpCase>("rounded ones", 2, system, [=](MpDraw& r) { return number(r, r.significand()); }),
      detail::mp_class<MpCase>("M·2^j ± few", 3, system,
                               [=](MpDraw& r) {
                                 Dyadic x = r.system().base.product();
                                 x = oracle::floor_scaled(x, r.draw().between(-r.system().h / 2, r.system().h + 8));
                                 return number(r, x + Dyadic(r.draw().between(-3, 3)));
                               }),
      detail::mp_class<MpCase>("just above M·2^j, last bits 1…1", 3, system,
                               [=](MpDraw& r) {
                                 const int dropped = r.draw().between(1, r.system().h);
                                 Dyadic x = oracle::floor_scaled(r.system().base.product(), r.system().h + 1);
                                 x += Dyadic(1);
                                 x.mul_2exp(dropped);
                                 return number(r, x + Dyadic::scaled(1, dropped) - Dyadic(1));
                               }),
  };
  domain.contains = [limbs](const MpCase& c) {
    return (c.sx == 0 || c.sx == 1) && c.ex < 1 << 14 && c.ex > -(1 << 14) && c.x.size() == limbs;
  };
  domain.accepts = "(−1)^s·X·2^e, |e| < 2^14, X in " + std::to_string(limbs) + " limbs";
  return domain;
}

/// Numbers whose values lie in the range of binary64 or a little outside: halfway between two doubles, next to such
/// points, in the subnormal range, and around both ends.
inline Domain<MpCase> mp_to_double_domain(const MpSystem& system) {
  using oracle::Dyadic;
  const auto placed = [](MpDraw& r, const Dyadic& x, int leading) {
    const std::int64_t e = x.is_zero() ? 0 : leading - x.exponent();
    return MpCase{r.sign(), e, r.limbs(x)};
  };
  const auto placed_between = [=](MpDraw& r, int low, int high, auto number) {
    const int leading = r.draw().between(low, high);
    return placed(r, number(r), leading);
  };
  const auto any = [](MpDraw& r) { return r.significand(); };
  const auto halfway = [](MpDraw& r, int kept) {
    Dyadic x = Dyadic::scaled(1, kept) + r.dense(kept);
    x.mul_2exp(1);
    x += Dyadic(1);
    const int below = r.draw().between(0, r.system().h - kept - 4);
    x.mul_2exp(below);
    return below == 0 ? x : r.limited(x + Dyadic(r.draw().between(-1, 1)));
  };
  Domain<MpCase> domain;
  domain.classes = {
      detail::mp_class<MpCase>("every length", 3, system,
                               [=](MpDraw& r) { return placed_between(r, -1100, 1050, any); }),
      detail::mp_class<MpCase>(
          "halfway between doubles, ± 1 in the last place", 6, system,
          [=](MpDraw& r) { return placed_between(r, -1022, 1023, [=](MpDraw& s) { return halfway(s, 52); }); }),
      detail::mp_class<MpCase>("halfway between subnormal numbers", 4, system,
                               [=](MpDraw& r) {
                                 const int kept = r.draw().between(0, 51);
                                 return placed(r, halfway(r, kept), kept - 1074);
                               }),
      detail::mp_class<MpCase>("around half the least double", 2, system,
                               [=](MpDraw& r) { return placed_between(r, -1077, -1073, any); }),
      detail::mp_class<MpCase>("around the largest double", 3, system,
                               [=](MpDraw& r) {
                                 Dyadic x = Dyadic::scaled(1, 54) - Dyadic(r.draw().between(0, 2));
                                 const int below = r.draw().between(0, r.system().h - 60);
                                 x.mul_2exp(below);
                                 x += Dyadic(below == 0 ? 0 : r.draw().between(-1, 1));
                                 return placed(r, x, 1023);
                               }),
  };
  domain.contains = [&system](const MpCase& c) { return is_mp_operand(system, c.sx, c.ex, c.x); };
  domain.accepts = mp_operand_text(system);
  return domain;
}

}  // namespace assay::mp
