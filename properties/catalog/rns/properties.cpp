#include "properties/catalog/rns/properties.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "properties/catalog/rns/evaluation.hpp"
#include "properties/catalog/rns/probed.hpp"
#include "properties/catalog/rns/results.hpp"
#include "properties/framework/generators.hpp"

namespace assay::rns {

namespace {

using oracle::Dyadic;

/// 0 ≤ rᵢ < mᵢ in every group of n + 1 residues, and as many groups as in the exact result.
auto reduced(int n) {
  return satisfies("reduced", rns_residues_2, [n](const auto&, const Truths& truth, const Integers& r) {
    Judgement worst = Judgement::of(r.size() == truth.size());
    for (std::size_t i = 0; i < r.size(); ++i) {
      const int at = static_cast<int>(i % static_cast<std::size_t>(n + 1));
      worst.worsen(Judgement::of(r[i] >= 0 && r[i] < modulus(n, at), i));
    }
    return worst;
  });
}

/// The residues of a function of X and Y.
auto residues_of(const char* function) {
  return of_instance(std::string("f = ") + function, exact("exact", rns_residues_1));
}

/// An operation whose results are the residues of the integers `reference(c)`, one after the other.
template <class Case>
Registration gives_residues(const char* operation, int n, Domain<Case> domain, Claim<Case, Integers, Truths> claim,
                            std::function<std::vector<Dyadic>(const Case&)> reference,
                            std::function<Words32(const Executor&, std::span<const Case>)> run) {
  return Registration(Property<Case, Integers>{
      .name = name_of(operation, n),
      .domain = std::move(domain),
      .subject = [run = std::move(run)](const Executor& on,
                                        std::span<const Case> cases) { return split(run(on, cases), cases.size()); },
      .reference =
          [n, reference = std::move(reference)](const Case& c) {
            Truths truths;
            for (const Dyadic& each : reference(c)) {
              add_residues(n, each, truths);
            }
            return truths;
          },
      .claims = {std::move(claim), reduced(n)},
      .inexact = [](const Case&, const Truths&, const Integers& r) { return r != Integers(r.size(), r[0]); },
      .quick_cases = cases_of(operation, n)});
}

/// An operation whose result is one answer.
template <class Case>
Registration gives_answer(const char* operation, int n, Domain<Case> domain, const Theorem<NoBound>& theorem,
                          int (*reference)(int n, const Case&),
                          std::function<std::vector<int>(const Executor&, std::span<const Case>)> run) {
  return Registration(
      Property<Case, double, Dyadic>{.name = name_of(operation, n),
                                     .domain = std::move(domain),
                                     .subject =
                                         [run = std::move(run)](const Executor& on, std::span<const Case> cases) {
                                           const std::vector<int> answers = run(on, cases);
                                           return std::vector<double>(answers.begin(), answers.end());
                                         },
                                     .reference = [n, reference](const Case& c) { return Dyadic(reference(n, c)); },
                                     .claims = {exact("exact", theorem)},
                                     .inexact = [](const Case&, const Dyadic&, const double& z) { return z != 0; },
                                     .quick_cases = cases_of(operation, n)});
}

/// Limbs of any integers, including M and larger ones.
Domain<RnsCase> any_words(int n) {
  const int count = rns_limbs(n);
  Domain<RnsCase> domain = rns_domain(base(n));
  domain.classes.push_back({"any words", 3, drawn<RnsCase>([count](Draw& draw) {
                              RnsCase c{Words32(static_cast<std::size_t>(draw.between(0, count)))};
                              const bool ones = draw.one_in(3);
                              for (std::uint32_t& each : c.x) {
                                each = ones ? ~std::uint32_t{0} : static_cast<std::uint32_t>(draw.word() >> 32);
                              }
                              return c;
                            })});
  domain.contains = [count](const RnsCase& c) { return c.x.size() <= static_cast<std::size_t>(count); };
  domain.accepts = "up to " + std::to_string(count) + " limbs";
  return domain;
}

/// Numbers that are integers, of every exponent.
Domain<Single<double>> integral_doubles() {
  const auto of = [](Significand kind) {
    return drawn<Single<double>>([kind](Draw& draw) {
      const int exponent = draw.coin() ? draw.between(0, 60) : draw.between(0, 1023);
      const double a = draw_number<double>(draw, kind, exponent);
      const NumberParts parts = parts_of(a);
      return parts.exponent >= 0
                 ? Single<double>{a}
                 : Single<double>{compose<double>(parts.negative, parts.significand >> -parts.exponent, 0)};
    });
  };
  return {.classes = {{"dense", 3, of(Significand::dense)},
                      {"any significand", 2, of(Significand::any)},
                      {"0 and 1", 1, drawn<Single<double>>([](Draw& draw) {
                         return Single<double>{draw.coin() ? -0.0 : draw.coin() ? 0.0 : 1.0};
                       })}},
          .contains =
              [](const Single<double>& c) {
                return oracle::is_finite(oracle::binary64, bits_of(c.a)) && value_of(c.a).is_integer();
              },
          .accepts = "finite numbers that are integers"};
}

/// X and shifts upward, far beyond log₂ M.
Domain<RnsScaleCase> upward(int n) {
  const oracle::ResidueSystem& system = base(n);
  Domain<RnsScaleCase> domain = rns_scale_domain(system);
  const int most = 3 * static_cast<int>(system.product().exponent());
  domain.classes.push_back({"shifts to 3·log₂ M", 4, drawn<RnsScaleCase>([&system, most](Draw& draw) {
                              IntegerDraw integer(system, draw);
                              const Dyadic x = integer.at(IntegerPlace::any);
                              return RnsScaleCase{oracle::limbs_of(x, limbs_of_range(system)), draw.between(0, most)};
                            })});
  domain.contains = [&system, most](const RnsScaleCase& c) { return in_range(system, c.x) && c.d >= 0 && c.d <= most; };
  domain.accepts = "X of " + range_text(system) + "; d of 0 … " + std::to_string(most);
  return domain;
}

/// X below M, and short ones with sᵢ = mᵢ − 1 for one i: X ≡ −M/mᵢ modulo mᵢ. Then Σ sᵢ/mᵢ is slightly above an
/// integer, which a sum of fractions rounded down does not reach, and without the term i it is slightly above the
/// previous integer.
Domain<RnsCase> with_largest_digits(const oracle::ResidueSystem& system) {
  Domain<RnsCase> domain = rns_domain(system);
  domain.classes.push_back(detail::integers<RnsCase>(
      "short, one term of the Chinese remainder theorem m − 1", 2, system, [&system](IntegerDraw& integer) {
        const std::vector<std::uint32_t>& moduli = system.moduli();
        const std::uint32_t m = integer.draw().coin() ? moduli[0] : moduli[integer.draw().below(moduli.size())];
        const std::uint32_t cofactor = oracle::residue(oracle::floor_quotient(system.product(), Dyadic(m)), m);
        const Dyadic x = Dyadic(m - cofactor) + Dyadic(m) * integer.log_uniform(20);
        return RnsCase{detail::limbs_in(system, integer.reduced(x))};
      }));
  return domain;
}

Registration limbs(const char* operation, int n, decltype(&rns_to_limbs) to_limbs, const Theorem<NoBound>& theorem) {
  return Registration(Property<RnsCase, Integers>{
      .name = name_of(operation, n),
      .domain = with_largest_digits(base(n)),
      .subject =
          [n, to_limbs](const Executor& on, std::span<const RnsCase> cases) {
            return split(to_limbs(on, n, all_residues(n, cases, &RnsCase::x)), cases.size());
          },
      .reference =
          [n](const RnsCase& c) {
            Truths truths(static_cast<std::size_t>(rns_limbs(n)));
            std::copy(c.x.begin(), c.x.end(), truths.begin());
            return truths;
          },
      .claims = {exact("exact", theorem)},
      .inexact = [](const RnsCase&, const Truths&, const Integers& z) { return z != Integers(z.size()); },
      .quick_cases = cases_of(operation, n)});
}

Registration to_double(int n) {
  return Registration(
      Property<RnsCase, double, Dyadic>{.name = name_of("to_double", n),
                                        .domain = rns_domain(base(n)),
                                        .subject =
                                            [n](const Executor& on, std::span<const RnsCase> cases) {
                                              return rns_to_double(on, n, all_residues(n, cases, &RnsCase::x));
                                            },
                                        .reference = [](const RnsCase& c) { return x_of(c); },
                                        .claims = {rounded("nearest", rns_to_double_1, oracle::Rounding::nearest)},
                                        .quick_cases = cases_of("to_double", n)});
}

std::vector<Registration> family(int n) {
  const oracle::ResidueSystem& system = base(n);
  const auto operation = [n](const char* name, RnsOp op, const char* function, auto reference) {
    return gives_residues<RnsPairCase>(
        name, n, rns_pair_domain(base(n)), residues_of(function),
        [reference](const RnsPairCase& c) { return std::vector<Dyadic>{reference(x_of(c), y_of(c))}; },
        [n, op](const Executor& on, std::span<const RnsPairCase> cases) {
          return rns_op(on, op, n, all_residues(n, cases, &RnsPairCase::x), all_residues(n, cases, &RnsPairCase::y));
        });
  };
  const auto evaluation = [n, &system](const char* name, RnsEvaluation form, Domain<RnsCase> domain) {
    auto property = evaluation_property(
        name_of(name, n), system, std::move(domain),
        [n, form](const Executor& on, std::span<const RnsCase> cases) {
          return rns_evaluate(on, form, n, all_residues(n, cases, &RnsCase::x));
        },
        cases_of(name, n));
    if (n == Standard<8>::n) property = judged_in_form<Standard<8>>(std::move(property), form);
    return Registration(std::move(property));
  };
  Domain<RnsPairCase> divisible = rns_pair_domain(system);
  for (InputClass<RnsPairCase>& each : divisible.classes) {
    each.generator = CaseGenerator<RnsPairCase>([inner = each.generator](const rc::Random& random) {
      RnsPairCase c = inner(random);
      if (y_of(c).is_zero()) c.y[0] = 1;
      return c;
    });
  }
  divisible.contains = [inner = divisible.contains](const RnsPairCase& c) { return inner(c) && !y_of(c).is_zero(); };
  divisible.shrink_shape = {};
  divisible.accepts += ", Y ≠ 0";
  return {
      gives_residues<RnsCase>(
          "from_limbs", n, any_words(n), residues_of("X"),
          [](const RnsCase& c) { return std::vector<Dyadic>{x_of(c)}; },
          [n](const Executor& on, std::span<const RnsCase> cases) {
            return rns_from_limbs(on, n, all_limbs(n, cases, &RnsCase::x));
          }),
      gives_residues<Single<double>>(
          "from_double", n, integral_doubles(), residues_of("|x|"),
          [](const Single<double>& c) { return std::vector<Dyadic>{abs(value_of(c.a))}; },
          [n](const Executor& on, std::span<const Single<double>> cases) {
            std::vector<double> x;
            for (const Single<double>& c : cases) x.push_back(c.a);
            return rns_from_double(on, n, x);
          }),
      operation("add", RnsOp::add, "X + Y", [](const Dyadic& x, const Dyadic& y) { return x + y; }),
      operation("sub", RnsOp::sub, "X − Y", [](const Dyadic& x, const Dyadic& y) { return x - y; }),
      operation("mul", RnsOp::mul, "XY", [](const Dyadic& x, const Dyadic& y) { return x * y; }),
      gives_residues<RnsScaleCase>(
          "scale_up", n, upward(n), residues_of("X·2^d"),
          [](const RnsScaleCase& c) { return std::vector<Dyadic>{x_of(c).mul_2exp(c.d)}; },
          [n](const Executor& on, std::span<const RnsScaleCase> cases) {
            std::vector<std::int32_t> d;
            for (const RnsScaleCase& c : cases) d.push_back(c.d);
            return rns_scale_up(on, n, all_residues(n, cases, &RnsScaleCase::x), d);
          }),
      gives_residues<RnsScaleCase>(
          "scale", n, rns_scale_domain(system), exact("exact", rns_scale_1),
          [](const RnsScaleCase& c) { return std::vector<Dyadic>{oracle::floor_scaled(x_of(c), c.d)}; },
          [n](const Executor& on, std::span<const RnsScaleCase> cases) {
            std::vector<std::int64_t> d;
            for (const RnsScaleCase& c : cases) d.push_back(c.d);
            return rns_scale_down(on, n, all_residues(n, cases, &RnsScaleCase::x), d);
          }),
      gives_residues<RnsPairCase>(
          "divide", n, std::move(divisible), exact("exact", rns_divide_1),
          [](const RnsPairCase& c) {
            const Dyadic q = oracle::floor_quotient(x_of(c), y_of(c));
            return std::vector<Dyadic>{q, x_of(c) - q * y_of(c)};
          },
          [n](const Executor& on, std::span<const RnsPairCase> cases) {
            const RnsQuotients z =
                rns_divide(on, n, all_residues(n, cases, &RnsPairCase::x), all_residues(n, cases, &RnsPairCase::y));
            Words32 both;
            for (std::size_t at = 0; at < z.quotient.size(); at += static_cast<std::size_t>(n) + 1) {
              const auto from = static_cast<std::ptrdiff_t>(at);
              both.insert(both.end(), z.quotient.begin() + from, z.quotient.begin() + from + n + 1);
              both.insert(both.end(), z.remainder.begin() + from, z.remainder.begin() + from + n + 1);
            }
            return both;
          }),
      limbs("to_limbs", n, rns_to_limbs, rns_to_limbs_1),
      limbs("to_limbs_crt", n, rns_to_limbs_crt, rns_to_limbs_2),
      to_double(n),
      evaluation("evaluate", RnsEvaluation::general, rns_domain(system)),
      evaluation("evaluate_mixed_radix", RnsEvaluation::mixed_radix, rns_domain(system)),
      evaluation("evaluate_fast", RnsEvaluation::fast, below_top(system)),
      gives_answer<RnsPairCase>(
          "compare", n, rns_pair_domain(system), rns_compare_1,
          [](int, const RnsPairCase& c) { return (x_of(c) - y_of(c)).sign(); },
          [n](const Executor& on, std::span<const RnsPairCase> cases) {
            return rns_compare(on, n, all_residues(n, cases, &RnsPairCase::x), all_residues(n, cases, &RnsPairCase::y));
          }),
      gives_answer<RnsCase>(
          "sign", n, rns_domain(system), rns_sign_1,
          [](int count, const RnsCase& c) {
            const Dyadic x = x_of(c);
            return x.is_zero() ? 0 : (base(count).product() - x - x).sign();
          },
          [n](const Executor& on, std::span<const RnsCase> cases) {
            return rns_sign(on, n, all_residues(n, cases, &RnsCase::x));
          }),
      gives_answer<RnsPairCase>(
          "overflow", n, rns_pair_domain(system), rns_overflow_1,
          [](int count, const RnsPairCase& c) { return x_of(c) + y_of(c) >= base(count).product() ? 1 : 0; },
          [n](const Executor& on, std::span<const RnsPairCase> cases) {
            return rns_overflows(on, n, all_residues(n, cases, &RnsPairCase::x),
                                 all_residues(n, cases, &RnsPairCase::y));
          }),
  };
}

const LateRegistration all{"rns", [] {
                             family(8);
                             family(16);
                             family(32);
                             family(64);
                             family(128);
                           }};
}  // namespace

}  // namespace assay::rns
