#include "kernels/mp/mp.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arith/words/operands.hpp"
#include "properties/catalog/mp/claims.hpp"
#include "properties/catalog/mp/probed.hpp"
#include "properties/catalog/mp/rounding_cases.hpp"
#include "properties/framework/generators.hpp"

namespace assay::mp {

namespace {

using Limbs = std::vector<std::uint32_t>;

// From cases to arrays and back. A single case is element-major, several cases are planes: "same bits alone and in a
// batch" compares the layouts, too.

template <class Case>
MpLimbs packed(std::span<const Case> cases, int Case::*sign, std::int64_t Case::*exponent, Limbs Case::*limbs) {
  MpLimbs all;
  all.count = cases.empty() ? 0 : (cases[0].*limbs).size();
  for (const Case& each : cases) {
    all.limbs.insert(all.limbs.end(), (each.*limbs).begin(), (each.*limbs).end());
    all.exponent.push_back(each.*exponent);
    all.sign.push_back(each.*sign);
  }
  return all;
}

template <class Case>
MpArray converted(const Executor& on, const MpSystem& system, std::span<const Case> cases, int Case::*sign,
                  std::int64_t Case::*exponent, Limbs Case::*limbs) {
  return mp_from_limbs(on, system.n, packed(cases, sign, exponent, limbs), cases.size() > 1);
}

/// The operands of pairs, with their enclosures.
std::pair<MpArray, MpArray> converted(const Executor& on, const MpSystem& system, std::span<const MpPairCase> cases) {
  using C = MpPairCase;
  std::pair operands{converted(on, system, cases, &C::sx, &C::ex, &C::x),
                     converted(on, system, cases, &C::sy, &C::ey, &C::y)};
  auto& [x, y] = operands;
  const auto enclose = [&](Extended& lower, Extended& upper, int kind, const Limbs& limbs) {
    if (kind == narrowest) {
      narrow(lower, upper, oracle::integer_of_limbs(limbs), system.base.product());
    } else {
      widen(lower, upper, kind, system.h);
    }
  };
  for (std::size_t k = 0; k < cases.size(); ++k) {
    enclose(x.lower[k], x.upper[k], cases[k].wx, cases[k].x);
    enclose(y.lower[k], y.upper[k], cases[k].wy, cases[k].y);
  }
  return operands;
}

/// A property whose results are doubles.
template <class Case>
Property<Case, double, Truth> doubles(std::string name, Domain<Case> domain, Subject<Case, double> subject,
                                      std::function<Truth(const Case&)> reference, Claim<Case, double, Truth> claim,
                                      std::uint64_t cases) {
  return {.name = std::move(name),
          .domain = std::move(domain),
          .subject = std::move(subject),
          .reference = std::move(reference),
          .claims = {std::move(claim)},
          .quick_cases = cases};
}

// Element-wise operations.

/// x ∘ y.
void binary(const char* operation, const MpSystem& system, MpOp op, probes::mp::Operation probed, const char* truth,
            Dyadic (*reference)(const MpPairCase&)) {
  Registration{judged_by<2>(numbers<MpPairCase>(
                                named(operation, system), mp_pair_domain(system),
                                [op, &system](const Executor& on, std::span<const MpPairCase> cases) {
                                  const auto [x, y] = converted(on, system, cases);
                                  return split(system, mp_op(on, op, x, y));
                                },
                                [reference](const MpPairCase& c) { return Truth{reference(c)}; },
                                errors<MpPairCase>(system, mp_operation_1, truth), quick_cases(system.n, 10000)),
                            system, probed, mp_operation_1)};
}

void difference_product(const MpSystem& system) {
  const auto subject = [&system](const Executor& on, std::span<const MpTripleCase> cases) {
    using C = MpTripleCase;
    const MpArray x = converted(on, system, cases, &C::sx, &C::ex, &C::x);
    const MpArray y = converted(on, system, cases, &C::sy, &C::ey, &C::y);
    return split(system,
                 mp_op(on, MpOp::difference_product, x, y, converted(on, system, cases, &C::sw, &C::ew, &C::w)));
  };
  Registration{
      judged_by<3>(numbers<MpTripleCase>(
                       named("difference_product", system), mp_triple_domain(system), subject,
                       [](const MpTripleCase& c) { return Truth{(value_of_x(c) - value_of_y(c)) * value_of_w(c)}; },
                       errors<MpTripleCase>(system, mp_difference_product_1), quick_cases(system.n, 10000)),
                   system, probes::mp::Operation::sub, mp_difference_product_1)};
}

void round(const MpSystem& system) {
  const auto subject = [&system](const Executor& on, std::span<const MpCase> cases) {
    const MpLimbs x = packed(cases, &MpCase::sx, &MpCase::ex, &MpCase::x);
    return split(system, mp_op(on, MpOp::round, mp_unrounded(on, system.n, x, cases.size() > 1)));
  };
  Registration{numbers<MpCase>(
      named("round", system), mp_unrounded_domain(system), subject,
      [](const MpCase& c) { return Truth{value_of_x(c)}; }, errors<MpCase>(system, mp_operation_1, "x ∘ y = x"),
      quick_cases(system.n, 10000))};
}

void from_limbs(const MpSystem& system) {
  MpClaims<MpCase> claims = errors<MpCase>(system, mp_from_limbs_1);
  claims.push_back(when(
      "X is at most M·2^(−h)(1 − 2⁻⁴⁸)",
      [&system](const MpCase& c) { return oracle::integer_of_limbs(c.x) <= system.largest; },
      exact("short_exact", mp_from_limbs_2)));
  claims.push_back(satisfies("toward_zero", mp_from_limbs_3, [](const MpCase&, const Truth& truth, const MpNumbers& z) {
    Dyadic got;
    return component_value(z, 0, got) && abs(got) <= abs(truth[0]);
  }));
  Registration{numbers<MpCase>(
      named("from_limbs", system), mp_long_domain(system),
      [&system](const Executor& on, std::span<const MpCase> cases) {
        return split(system, converted(on, system, cases, &MpCase::sx, &MpCase::ex, &MpCase::x));
      },
      [](const MpCase& c) { return Truth{value_of_x(c)}; }, std::move(claims), quick_cases(system.n, 10000))};
}

void from_double(const MpSystem& system) {
  MpClaims<Single<double>> claims = rounded_numbers<Single<double>>();
  claims.push_back(exact("exact", mp_from_limbs_2));
  const auto any = [](Significand kind) {
    return drawn<Single<double>>([kind](Draw& draw) {
      const int exponent = draw_exponent<double>(draw, Exponents::full_range, full_box<double>());
      return Single<double>{draw_number<double>(draw, kind, exponent)};
    });
  };
  Domain<Single<double>> domain{.classes = {{"dense", 2, any(Significand::dense)},
                                            {"any significand", 4, any(Significand::any)},
                                            {"all ones", 1, any(Significand::all_ones)},
                                            {"zero and subnormal numbers", 1, drawn<Single<double>>([](Draw& draw) {
                                               const std::uint64_t bits = draw.one_in(4) ? 0 : draw.below(1ull << 52);
                                               const double x = number_of<double>(bits);
                                               return Single<double>{draw.coin() ? x : -x};
                                             })}},
                                .contains = [](const Single<double>& c) { return is_finite(c.a); },
                                .accepts = "every finite double"};
  Property<Single<double>, MpNumbers, Truth> property = numbers<Single<double>>(
      named("from_double", system), std::move(domain),
      [&system](const Executor& on, std::span<const Single<double>> cases) {
        std::vector<double> x;
        for (const Single<double>& each : cases) x.push_back(each.a);
        return split(system, mp_from_double(on, system.n, x, cases.size() > 1));
      },
      [](const Single<double>& c) { return Truth{value_of(c.a)}; }, std::move(claims), quick_cases(system.n, 10000));
  property.inexact = [](const Single<double>&, const Truth& x, const MpNumbers&) { return x[0].bit_length() > 1; };
  Registration{std::move(property)};
}

void to_double(const MpSystem& system) {
  Registration{doubles<MpCase>(
      named("to_double", system), mp_to_double_domain(system),
      [&system](const Executor& on, std::span<const MpCase> cases) {
        return mp_to_double(on, converted(on, system, cases, &MpCase::sx, &MpCase::ex, &MpCase::x));
      },
      [](const MpCase& c) { return Truth{value_of_x(c)}; },
      rounded("nearest", mp_to_double_1, oracle::Rounding::nearest,
              [](const MpCase& c) { return oracle::RoundingPolicy{.negative_zero = value_of_x(c).sign() < 0}; }),
      quick_cases(system.n, 10000))};
}

void compare(const MpSystem& system) {
  Property<MpPairCase, double, Truth> property = doubles<MpPairCase>(
      named("compare", system), mp_pair_domain(system),
      [&system](const Executor& on, std::span<const MpPairCase> cases) {
        const auto [x, y] = converted(on, system, cases);
        const std::vector<int> signs = mp_compare(on, x, y);
        return std::vector<double>(signs.begin(), signs.end());
      },
      [](const MpPairCase& c) { return Truth{Dyadic((value_of_x(c) - value_of_y(c)).sign())}; },
      exact("exact", mp_compare_1), quick_cases(system.n, 10000));
  property.inexact = [](const MpPairCase& c, const Truth&, const double&) { return c.sx == c.sy; };
  Registration{std::move(property)};
}

/// The properties of a set.
struct Family {
  explicit Family(int n) {
    using Probed = probes::mp::Operation;
    const MpSystem& system = mp_system(n);
    binary("add", system, MpOp::add, Probed::add, "x ∘ y = x + y",
           [](const MpPairCase& c) { return value_of_x(c) + value_of_y(c); });
    binary("sub", system, MpOp::sub, Probed::sub, "x ∘ y = x − y",
           [](const MpPairCase& c) { return value_of_x(c) - value_of_y(c); });
    binary("mul", system, MpOp::mul, Probed::mul, "x ∘ y = xy",
           [](const MpPairCase& c) { return value_of_x(c) * value_of_y(c); });
    difference_product(system);
    round(system);
    from_limbs(system);
    from_double(system);
    to_double(system);
    compare(system);
  }
};

const LateRegistration families{"mp", [] {
                                  Family(8);
                                  Family(16);
                                  Family(32);
                                  Family(64);
                                  Family(128);
                                }};

}  // namespace

}  // namespace assay::mp
