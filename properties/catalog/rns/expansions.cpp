// Conversions between residues and expansions of four words.

#include "properties/catalog/expansion/cases.hpp"
#include "properties/catalog/rns/properties.hpp"
#include "properties/framework/generators.hpp"

namespace assay::rns {

namespace {

using oracle::Dyadic;

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

struct Conversions {
  Conversions() {
    for (const int n : sets) {
      from_expansion(n);
      to_expansion(n);
    }
  }
};

const Conversions conversions;

}  // namespace

}  // namespace assay::rns
