#pragma once
// The results of operations next to the limits of exponents.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/mp/mp.hpp"
#include "properties/catalog/mp/claims.hpp"

namespace assay::mp {

/// x + y, x − y, xy, or the conversion of X·2^ex, with exponents up to the limits.
struct MpRangeCase {
  int operation = 0;
  int sx = 0, sy = 0;
  std::int64_t ex = 0, ey = 0;
  std::vector<std::uint32_t> x, y;
  static constexpr auto fields() {
    using C = MpRangeCase;
    return std::tuple{field("operation", &C::operation),
                      field("sx", &C::sx),
                      field("ex", &C::ex),
                      field("x", &C::x),
                      field("sy", &C::sy),
                      field("ey", &C::ey),
                      field("y", &C::y)};
  }
};

enum MpRangeOperation : int { range_add, range_sub, range_mul, range_convert };

/// Exponents of the operands of a sum are at most this far apart, so that the exact sum is short.
inline constexpr std::int64_t most_range_gap = 2000;

inline Domain<MpRangeCase> mp_range_domain(const MpSystem& system) {
  static constexpr std::int64_t limit = mp::exponent_limit;
  const auto of = [&system](std::string name, unsigned weight, auto exponents) {
    return detail::mp_class<MpRangeCase>(std::move(name), weight, system, [exponents](MpDraw& r) {
      MpRangeCase c{r.draw().between(0, 3),  r.sign(), r.sign(), 0, 0, r.limbs(r.significand()),
                    r.limbs(r.significand())};
      exponents(r, c);
      return c;
    });
  };
  Domain<MpRangeCase> domain;
  domain.classes = {
      of("results around a limit", 6,
         [](MpDraw& r, MpRangeCase& c) {
           const std::int64_t end = r.draw().coin() ? limit : -limit;
           const int h = r.system().h;
           if (c.operation == range_mul) {
             c.ex = r.draw().between(-(1 << 30), (1 << 30) - 1);
             c.ey = std::clamp<std::int64_t>(end - c.ex + r.draw().between(-2 * h, 2 * h), -limit, limit);
           } else if (c.operation == range_convert) {
             c.ex = end + r.draw().between(-2 * h, 2 * h);
           } else {
             c.ex = std::clamp<std::int64_t>(end + r.draw().between(-h, h), -limit, limit);
             c.ey = std::clamp<std::int64_t>(c.ex + r.draw().between(-h, h), -limit, limit);
           }
         }),
      of("results anywhere", 1,
         [](MpDraw& r, MpRangeCase& c) {
           c.ex = r.draw().between(-(1 << 30), (1 << 30) - 1);
           c.ey = c.operation == range_mul ? r.draw().between(-(1 << 30), (1 << 30) - 1) : c.ex;
         }),
  };
  domain.contains = [&system](const MpRangeCase& c) {
    const auto holds = [&system](int sign, const std::vector<std::uint32_t>& limbs) {
      return (sign == 0 || sign == 1) && limbs.size() == system.limbs &&
             oracle::integer_of_limbs(limbs) <= system.largest;
    };
    const std::int64_t most = c.operation == range_convert ? 2 * limit : limit;
    const std::int64_t gap = c.ex - c.ey;
    return c.operation >= 0 && c.operation <= range_convert && holds(c.sx, c.x) && holds(c.sy, c.y) && c.ex <= most &&
           c.ex >= -most && c.ey <= limit && c.ey >= -limit &&
           (c.operation > range_sub || (gap <= most_range_gap && gap >= -most_range_gap));
  };
  domain.accepts = "two numbers ±X·2^e, X ≤ M·2^(−" + std::to_string(system.h) +
                   ")(1 − 2^(−48)), |e| ≤ 2^30; exponents of sums at most 2000 apart; of a conversion |e| ≤ 2^31";
  return domain;
}

/// The operation by the kernels.
inline MpArray range_result(const Executor& on, int operation, const MpArray& x, const MpArray& y) {
  return operation == range_convert ? x
         : operation == range_add   ? mp_op(on, MpOp::add, x, y)
         : operation == range_sub   ? mp_op(on, MpOp::sub, x, y)
                                    : mp_op(on, MpOp::mul, x, y);
}

/// In range within the unit, or a mark if no number in range is near. run(executor, operation, x, y) computes the
/// result.
template <class Run>
Property<MpRangeCase, MpNumbers, Truth> range_property(std::string name, const MpSystem& system, Run run) {
  const auto value = [](const MpRangeCase& c) {
    Dyadic x = mp_value(c.sx, c.ex, c.x);
    const Dyadic y = mp_value(c.sy, c.ey, c.y);
    switch (c.operation) {
      case range_add:
        return x + y;
      case range_sub:
        return x - y;
      case range_mul:
        return x * y;
      default:
        return x;
    }
  };
  MpClaims<MpRangeCase> claims;
  claims.push_back(of_instance(
      derived_unit,
      claim_spec("error_or_mark", mp_range_3, [&system](const MpRangeCase&, const Truth& truth, const MpNumbers& z) {
        const Dyadic size = abs(truth[0]);
        if (is_out_of_range(z, 0)) {
          return Judgement::of(!size.is_zero() && (size > Dyadic::scaled(1, mp::exponent_limit) ||
                                                   size < Dyadic::scaled(1, system.h - mp::exponent_limit)),
                               0);
        }
        Dyadic got;
        const std::int64_t e = z.array.exponent[0];
        return e <= mp::exponent_limit && e >= -mp::exponent_limit && component_value(z, 0, got)
                   ? judge_within(got, truth[0], mp_range_3(system.unit), 0)
                   : Judgement::fail(0);
      })));
  return numbers<MpRangeCase>(
      std::move(name), mp_range_domain(system),
      [&system, run](const Executor& on, const MpRangeCase& c) {
        const auto operand = [&](int sign, std::int64_t exponent, const std::vector<std::uint32_t>& limbs) {
          return mp_from_limbs(on, system.n, {limbs.size(), limbs, {exponent}, {sign}});
        };
        return MpNumbers{&system, run(on, c.operation, operand(c.sx, c.ex, c.x), operand(c.sy, c.ey, c.y))};
      },
      [value](const MpRangeCase& c) { return Truth{value(c)}; }, std::move(claims), 1000);
}

}  // namespace assay::mp
