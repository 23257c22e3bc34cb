#include "kernels/rns/rns.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arith/residues/moduli.hpp"
#include "errorbounds/rns_theorems.hpp"
#include "properties/catalog/expansion/cases.hpp"
#include "properties/catalog/rns/cases.hpp"
#include "properties/catalog/rns/results.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace assay::rns {

namespace {

using oracle::Dyadic;
using oracle::Exact;

/// What an operation gives: residues, limbs or answers, each an integer that binary64 holds.
using Integers = std::vector<double>;
using Truths = std::vector<Dyadic>;
using Words32 = std::vector<std::uint32_t>;

constexpr std::array<int, 5> sets{8, 16, 32, 64, 128};

std::uint32_t modulus(int n, int i) {
  return i < n ? rns::Standard<128>::modulus(i) : rns::Standard<128>::modulus(rns::Standard<128>::n);
}

/// The oracle's system of the n base moduli.
const oracle::ResidueSystem& base(int n) {
  static const auto systems = [] {
    std::array<std::unique_ptr<oracle::ResidueSystem>, sets.size()> made;
    for (std::size_t k = 0; k < sets.size(); ++k) {
      Words32 moduli;
      for (int i = 0; i < sets[k]; ++i) {
        moduli.push_back(modulus(sets[k], i));
      }
      made[k] = std::make_unique<oracle::ResidueSystem>(std::move(moduli));
    }
    return made;
  }();
  return *systems[static_cast<std::size_t>(std::find(sets.begin(), sets.end(), n) - sets.begin())];
}

Dyadic x_of(const RnsCase& c) { return oracle::integer_of_limbs(c.x); }
Dyadic x_of(const RnsPairCase& c) { return oracle::integer_of_limbs(c.x); }
Dyadic x_of(const RnsScaleCase& c) { return oracle::integer_of_limbs(c.x); }
Dyadic y_of(const RnsPairCase& c) { return oracle::integer_of_limbs(c.y); }

/// The residues of an integer for all moduli, the guard included.
void add_residues(int n, const Dyadic& x, Truths& out) {
  for (const std::uint32_t each : base(n).residues(x)) {
    out.emplace_back(each);
  }
  out.emplace_back(oracle::residue(x, modulus(n, n)));
}

/// One integer of every case, in limbs of the set's number.
template <class Case>
Words32 all_limbs(int n, std::span<const Case> cases, Words32 Case::*integer) {
  const auto count = static_cast<std::size_t>(rns_limbs(n));
  Words32 limbs(cases.size() * count);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::copy((cases[i].*integer).begin(), (cases[i].*integer).end(),
              limbs.begin() + static_cast<std::ptrdiff_t>(i * count));
  }
  return limbs;
}
/// Its residues, made on the host.
template <class Case>
Words32 all_residues(int n, std::span<const Case> cases, Words32 Case::*integer) {
  return rns_from_limbs(Executor::host(), n, all_limbs(n, cases, integer));
}

/// The results of a batch, an equal part of the words each.
template <class T>
std::vector<Integers> split(const std::vector<T>& all, std::size_t count) {
  std::vector<Integers> results(count);
  const std::size_t each = all.size() / count;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(i * each);
    results[i].assign(at, at + static_cast<std::ptrdiff_t>(each));
  }
  return results;
}

/// Cases of the quick tier: 10⁴, but where they would take many seconds and no promise asks for them.
std::uint64_t cases_of(const std::string& operation, int n) {
  constexpr std::array<const char*, 6> asked{"from_limbs", "to_limbs", "to_limbs_crt", "evaluate", "compare", "scale"};
  if (operation == "divide") return n == 128 ? 1000 : 10000;
  const bool all = n <= 32 || std::find(asked.begin(), asked.end(), operation) != asked.end();
  return all ? 10000 : 2000;
}

std::string name_of(const char* operation, int n) { return "rns." + std::string(operation) + std::to_string(n); }

/// 0 ≤ rᵢ < mᵢ, in every group of n + 1 residues.
auto reduced(int n) {
  return satisfies("reduced", rns_residues_2, [n](const auto&, const Integers& r) {
    Judgement worst;
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

/// Limbs of any integers, M and more included.
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

/// Integers that the fast evaluation takes: X ≤ M(1 − n·2⁻⁴⁰). Those nearer to M become as near to that limit.
Domain<RnsCase> below_top(int n) {
  const oracle::ResidueSystem& system = base(n);
  const Dyadic gap = oracle::floor_scaled(system.product() * Dyadic(n), 40) + Dyadic(1);
  const Dyadic limit = system.product() - gap;
  Domain<RnsCase> domain = rns_domain(system);
  for (InputClass<RnsCase>& each : domain.classes) {
    each.generator = rc::Gen<RnsCase>([inner = each.generator, gap, limit](const rc::Random& random, int size) {
      RnsCase c = inner(random, size).value();
      if (const Dyadic x = x_of(c); x > limit) {
        c.x = oracle::limbs_of(x - gap, c.x.size());
      }
      return rc::shrinkable::just(std::move(c));
    });
  }
  domain.contains = [&system, limit](const RnsCase& c) { return in_range(system, c.x) && x_of(c) <= limit; };
  domain.accepts += ", X ≤ M(1 − n·2⁻⁴⁰)";
  return domain;
}

Registration evaluation(const char* operation, int n, RnsEvaluation form, Domain<RnsCase> domain) {
  return Registration(Property<RnsCase, Interval, Exact>{
      .name = name_of(operation, n),
      .domain = std::move(domain),
      .subject =
          [n, form](const Executor& on, std::span<const RnsCase> cases) {
            return rns_evaluate(on, form, n, all_residues(n, cases, &RnsCase::x));
          },
      .reference = [n](const RnsCase& c) -> Exact { return oracle::quotient(x_of(c), base(n).product()); },
      .claims = {satisfies(
                     "encloses", rns_evaluate_1,
                     [](const RnsCase&, const Exact& truth, const Interval& x) { return judge_encloses(x, truth); }),
                 claim_spec("width", rns_evaluate_2,
                            [n, bound = rns_evaluate_2(n)](const RnsCase& c, const Exact&, const Interval& x) {
                              const Bound most{bound.numerator * x_of(c), bound.denominator * base(n).product()};
                              return judge_within(value_of(x.upper), value_of(x.lower), most, 2);
                            })},
      .inexact = [](const RnsCase&, const Exact&, const Interval& x) { return compare(x.lower, x.upper) != 0; },
      .quick_cases = cases_of(operation, n)});
}

Registration limbs(const char* operation, int n, RnsReconstruction way, const Theorem<NoBound>& theorem) {
  return Registration(Property<RnsCase, Integers>{
      .name = name_of(operation, n),
      .domain = rns_domain(base(n)),
      .subject =
          [n, way](const Executor& on, std::span<const RnsCase> cases) {
            return split(rns_to_limbs(on, way, n, all_residues(n, cases, &RnsCase::x)), cases.size());
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

// Expansions of four words.

constexpr std::size_t words = 4;
using Terms = expansion::ExpansionCase<double>;

/// Finite words whose bits, and those of their sum, all lie in a window of 32·⌈27n/32⌉ places.
bool in_window(int n, const Terms& c) {
  bool any = false;
  long lowest = 0;
  long highest = 0;
  Dyadic sum;
  for (const double each : c.x) {
    if (!oracle::is_finite(oracle::binary64, bits_of(each))) return false;
    const Dyadic value = value_of(each);
    if (value.is_zero()) continue;
    lowest = any ? std::min(lowest, value.lowest_exponent()) : value.lowest_exponent();
    highest = any ? std::max(highest, value.exponent()) : value.exponent();
    any = true;
    sum += value;
  }
  if (!sum.is_zero()) highest = std::max(highest, sum.exponent());
  return c.x.size() == words && highest - lowest < 32L * rns_limbs(n);
}

Domain<Terms> terms_in_window(int n) {
  const auto of = [n](Significand kind, bool cancels) {
    return drawn<Terms>([n, kind, cancels](Draw& draw) {
      const int window = std::min(32 * rns_limbs(n), 2000);
      const int lowest = draw.between(-1074, 1023 - window);
      Terms c{std::vector<double>(words)};
      for (double& each : c.x) {
        const int exponent = lowest + (draw.one_in(3) ? window - 3 : draw.between(52, window - 3));
        each = draw.one_in(8) ? 0 : draw_number<double>(draw, kind, exponent);
      }
      if (cancels) c.x[draw.below(3)] = -c.x[3];
      return c;
    });
  };
  return {.classes = {{"dense, anywhere in the window", 3, of(Significand::dense, false)},
                      {"any significand", 3, of(Significand::any, false)},
                      {"two words cancel", 2, of(Significand::any, true)}},
          .contains = [n](const Terms& c) { return in_window(n, c); },
          .accepts = "four finite words with all bits, and those of the sum, in a window of " +
                     std::to_string(32 * rns_limbs(n)) + " places"};
}

/// Residues, sign, exponent and whether it fits: of a sum ±X·2^e with an odd X.
Registration from_expansion(int n) {
  return Registration(Property<Terms, Integers>{
      .name = name_of("from_expansion", n),
      .domain = terms_in_window(n),
      .subject =
          [n](const Executor& on, std::span<const Terms> cases) {
            std::vector<double> terms;
            for (const Terms& c : cases) terms.insert(terms.end(), c.x.begin(), c.x.end());
            const RnsSignificands z = rns_from_expansion(on, n, static_cast<int>(words), terms);
            std::vector<Integers> results = split(z.residues, cases.size());
            for (std::size_t i = 0; i < results.size(); ++i) {
              for (const int each : {z.sign[i], z.exponent[i], z.fits[i]}) results[i].push_back(each);
            }
            return results;
          },
      .reference =
          [n](const Terms& c) {
            const Dyadic sum = sum_of_words<double>(c.x);
            const long exponent = sum.is_zero() ? 0 : sum.lowest_exponent();
            Dyadic x = abs(sum);
            x.mul_2exp(-exponent);
            Truths truths;
            if (x < base(n).product()) {
              add_residues(n, x, truths);
              truths.insert(truths.end(), {Dyadic(sum.sign() < 0 ? 1 : 0), Dyadic(exponent), Dyadic(1)});
            } else {
              truths.resize(static_cast<std::size_t>(n) + 4);
            }
            return truths;
          },
      .claims = {exact("exact", rns_from_expansion_1)},
      .inexact = [](const Terms&, const Truths&, const Integers& z) { return z[z.size() - 2] != 0; },
      .quick_cases = cases_of("from_expansion", n)});
}

/// X·2^e with ⌊log₂ X⌋ + e = 1000 for X ≠ 0: with X < 2^(32·62) no word underflows, wherever the bits of X are.
long to_expansion_exponent(const RnsCase& c) {
  const Dyadic x = x_of(c);
  return x.is_zero() ? 0 : 1000 - x.exponent();
}

constexpr std::size_t most_expanded_limbs = 62;

Domain<RnsCase> to_expand(int n) {
  const oracle::ResidueSystem& system = base(n);
  Domain<RnsCase> domain = rns_domain(system);
  for (InputClass<RnsCase>& each : domain.classes) {
    each.generator = rc::Gen<RnsCase>([inner = each.generator](const rc::Random& random, int size) {
      RnsCase c = inner(random, size).value();
      c.x.resize(std::min(c.x.size(), most_expanded_limbs));
      return rc::shrinkable::just(std::move(c));
    });
  }
  domain.contains = [&system](const RnsCase& c) { return c.x.size() <= most_expanded_limbs && in_range(system, c.x); };
  domain.accepts += ", at most " + std::to_string(most_expanded_limbs) + " limbs";
  return domain;
}

Registration to_expansion(int n) {
  using Result = Expansions<double>;
  return Registration(Property<RnsCase, Result, Dyadic>{
      .name = name_of("to_expansion", n),
      .domain = to_expand(n),
      .subject =
          [n](const Executor& on, std::span<const RnsCase> cases) {
            std::vector<std::int32_t> sign;
            std::vector<std::int32_t> exponent;
            for (const RnsCase& c : cases) {
              sign.push_back(c.x.empty() ? 0 : static_cast<std::int32_t>(c.x[0] >> 1 & 1));
              exponent.push_back(static_cast<std::int32_t>(to_expansion_exponent(c)));
            }
            const std::vector<double> z =
                rns_to_expansion(on, n, static_cast<int>(words), all_residues(n, cases, &RnsCase::x), sign, exponent);
            std::vector<Result> results(cases.size());
            for (std::size_t i = 0; i < results.size(); ++i) {
              results[i] = {{z.begin() + static_cast<std::ptrdiff_t>(i * words),
                             z.begin() + static_cast<std::ptrdiff_t>((i + 1) * words)},
                            words};
            }
            return results;
          },
      .reference =
          [](const RnsCase& c) {
            Dyadic x = x_of(c);
            x.mul_2exp(to_expansion_exponent(c));
            return !c.x.empty() && (c.x[0] >> 1 & 1) != 0 ? -x : x;
          },
      .claims = {of_instance("K = " + std::to_string(words),
                             within("error", rns_to_expansion_1, static_cast<int>(words))),
                 when(
                     "X < 2^(53·4)",
                     [](const RnsCase& c) { return x_of(c) < Dyadic::scaled(1, 53 * static_cast<long>(words)); },
                     exact("exact", rns_to_expansion_2)),
                 satisfies("nonoverlapping", rns_to_expansion_3,
                           [](const RnsCase&, const Result& z) {
                             ExactWords exact_words_of;
                             return exact_words<double>(z.words, exact_words_of)
                                        ? judge_shewchuk_nonoverlapping(exact_words_of)
                                        : Judgement::fail();
                           })},
      .inexact = [](const RnsCase&, const Dyadic&, const Result& z) { return z.words[words - 1] != 0; },
      .quick_cases = cases_of("to_expansion", n)});
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
  Domain<RnsPairCase> divisible = rns_pair_domain(system);
  for (InputClass<RnsPairCase>& each : divisible.classes) {
    each.generator = rc::Gen<RnsPairCase>([inner = each.generator](const rc::Random& random, int size) {
      RnsPairCase c = inner(random, size).value();
      if (y_of(c).is_zero()) c.y[0] = 1;
      return rc::shrinkable::just(std::move(c));
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
      limbs("to_limbs", n, RnsReconstruction::mixed_radix, rns_to_limbs_1),
      limbs("to_limbs_crt", n, RnsReconstruction::crt, rns_to_limbs_2),
      to_double(n),
      from_expansion(n),
      to_expansion(n),
      evaluation("evaluate", n, RnsEvaluation::general, rns_domain(system)),
      evaluation("evaluate_mixed_radix", n, RnsEvaluation::mixed_radix, rns_domain(system)),
      evaluation("evaluate_fast", n, RnsEvaluation::fast, below_top(n)),
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

const std::vector<Registration> all[] = {family(8), family(16), family(32), family(64), family(128)};

}  // namespace

}  // namespace assay::rns
