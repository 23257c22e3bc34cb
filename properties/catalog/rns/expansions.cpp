// Conversions between residues and expansions of four words.

#include <stdexcept>

#include "properties/catalog/expansion/cases.hpp"
#include "properties/catalog/rns/properties.hpp"
#include "properties/framework/generators.hpp"

namespace assay::rns {

namespace {

using oracle::Dyadic;

constexpr std::size_t words = 4;
using Terms = expansion::ExpansionCase<double>;

/// Finite words; all bits of the words and of their sum lie in a window of 32·⌈27n/32⌉ places.
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
  return highest - lowest < 32L * rns_limbs(n);
}

/// Words of both ends of the range, one of them often an infinity or a NaN.
Terms draw_outside(Draw& draw) {
  Terms c{std::vector<double>(words)};
  for (double& each : c.x) {
    const int exponent = draw.coin() ? draw.between(-1000, -900) : draw.between(900, 1023);
    each = draw_number<double>(draw, Significand::any, exponent);
  }
  if (draw.coin()) {
    c.x[draw.below(words)] = from_bits<double>(draw.coin() ? 0x7FF0000000000000u : 0x7FF8000000000000u);
  }
  return c;
}

Domain<Terms> expanded_terms(int n) {
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
                      {"two words cancel", 2, of(Significand::any, true)},
                      {"no window, or not finite", 1, drawn<Terms>(draw_outside)}},
          .contains = [](const Terms& c) { return c.x.size() == words; },
          .accepts = "any four words: finite ones with all bits, and those of the sum, in a window of " +
                     std::to_string(32 * rns_limbs(n)) + " places, and others, which do not fit"};
}

/// ±(M + d)·2^e with |d| ≤ 3, in words that represent it for n = 8. M is just below 2²¹⁶, and four words do not reach
/// its last bits.
constexpr std::size_t words_of_product = 6;
Domain<Terms> near_product(int n) {
  return {.classes = {{"M − 3 … M + 3", 1, drawn<Terms>([n](Draw& draw) {
                         Dyadic rest = base(n).product() + Dyadic(draw.between(-3, 3));
                         if (draw.coin()) rest = -rest;
                         rest.mul_2exp(draw.between(-500, 500));
                         Terms c;
                         for (std::size_t i = 0; i < words_of_product; ++i) {
                           c.x.push_back(rest.to_double_nearest());
                           rest -= value_of(c.x.back());
                         }
                         return c;
                       })}},
          .contains = [](const Terms& c) { return c.x.size() == words_of_product; },
          .accepts = "any six words"};
}

/// Residues, sign, exponent and whether it fits: for a sum ±X·2^e with an odd X. All of them 0 if it does not fit.
Registration from_expansion(const std::string& name, int n, std::size_t count, Domain<Terms> domain,
                            std::uint64_t quick_cases) {
  return Registration(Property<Terms, Integers>{
      .name = name,
      .domain = std::move(domain),
      .subject =
          [n, count](const Executor& on, std::span<const Terms> cases) {
            std::vector<double> terms;
            for (const Terms& c : cases) terms.insert(terms.end(), c.x.begin(), c.x.end());
            const RnsSignificands z = rns_from_expansion(on, n, static_cast<int>(count), terms);
            std::vector<Integers> results = split(z.residues, cases.size());
            for (std::size_t i = 0; i < results.size(); ++i) {
              for (const int each : {z.sign[i], z.exponent[i], z.fits[i]}) results[i].push_back(each);
            }
            return results;
          },
      .reference =
          [n](const Terms& c) {
            const bool is_held = in_window(n, c);
            const Dyadic sum = is_held ? sum_of_words<double>(c.x) : Dyadic(0);
            const long exponent = sum.is_zero() ? 0 : sum.lowest_exponent();
            Dyadic x = abs(sum);
            x.mul_2exp(-exponent);
            Truths truths;
            if (is_held && x < base(n).product()) {
              add_residues(n, x, truths);
              truths.insert(truths.end(), {Dyadic(sum.sign() < 0 ? 1 : 0), Dyadic(exponent), Dyadic(1)});
            } else {
              truths.resize(static_cast<std::size_t>(n) + 4);
            }
            return truths;
          },
      .claims = {exact("exact", rns_from_expansion_1)},
      .inexact = [](const Terms&, const Truths&, const Integers& z) { return z[z.size() - 2] != 0; },
      .quick_cases = quick_cases});
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
    each.generator = CaseGenerator<RnsCase>([inner = each.generator](const rc::Random& random) {
      RnsCase c = inner(random);
      c.x.resize(std::min(c.x.size(), most_expanded_limbs));
      return c;
    });
  }
  domain.contains = [&system](const RnsCase& c) { return c.x.size() <= most_expanded_limbs && in_range(system, c.x); };
  domain.accepts += ", at most " + std::to_string(most_expanded_limbs) + " limbs";
  return domain;
}

bool refuses_no_words(const Executor& on, int n) {
  try {
    rns_to_expansion(on, n, 0, {}, {}, {});
    return false;
  } catch (const std::invalid_argument&) {
    return true;
  }
}

Registration to_expansion(int n) {
  using Result = Expansions<double>;
  return Registration(Property<RnsCase, Result, Dyadic>{
      .name = name_of("to_expansion", n),
      .domain = to_expand(n),
      .subject =
          [n](const Executor& on, std::span<const RnsCase> cases) {
            if (!refuses_no_words(on, n)) throw std::logic_error("expansions of no words are not refused");
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
      from_expansion(name_of("from_expansion", n), n, words, expanded_terms(n), cases_of("from_expansion", n));
      to_expansion(n);
    }
    from_expansion("rns.from_expansion_near_m", 8, words_of_product, near_product(8), 200);
  }
};

const Conversions conversions;

}  // namespace

}  // namespace assay::rns
