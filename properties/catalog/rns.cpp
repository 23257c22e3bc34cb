#include "arith/rns.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/rns_operations.hpp"
#include "properties/generators.hpp"
#include "properties/property.hpp"
#include "properties/rns_cases.hpp"

namespace assay {

namespace {

using oracle::Dyadic;

constexpr Source classical = "Omondi, Premkumar, Residue Number Systems: Theory and Implementation, 2007";
constexpr Source derived = "docs/bounds/rns_interval.md";

/// What an operation gives: residues, limbs or answers, each an integer that binary64 holds.
using Integers = std::vector<double>;
using Truths = std::vector<Dyadic>;

template <int n>
using Set = rns::Standard<n>;

std::vector<std::uint32_t> moduli_of(int count, std::uint32_t (*modulus)(int)) {
  std::vector<std::uint32_t> moduli;
  for (int i = 0; i < count; ++i) {
    moduli.push_back(modulus(i));
  }
  return moduli;
}
/// The oracle's system of the base moduli.
template <int n>
const oracle::ResidueSystem& base() {
  static const oracle::ResidueSystem system(moduli_of(Set<n>::n, Set<n>::modulus));
  return system;
}

/// The residues of an integer for all moduli, guards included.
template <int n>
void residues_of(const Dyadic& x, Truths& out) {
  for (int i = 0; i < Set<n>::size; ++i) {
    out.emplace_back(oracle::residue(x, Set<n>::modulus(i)));
  }
}

template <int n>
RnsOperands<Set<n>> operands_of(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y, int k, double d) {
  RnsOperands<Set<n>> operands{};
  std::copy(x.begin(), x.end(), operands.x);
  std::copy(y.begin(), y.end(), operands.y);
  operands.k = k;
  operands.d = d;
  return operands;
}
template <int n>
RnsOperands<Set<n>> operands_of(const RnsCase& c) {
  return operands_of<n>(c.x, {}, 0, 0);
}
template <int n>
RnsOperands<Set<n>> operands_of(const RnsPairCase& c) {
  return operands_of<n>(c.x, c.y, 0, 0);
}
template <int n>
RnsOperands<Set<n>> operands_of(const RnsScaleCase& c) {
  return operands_of<n>(c.x, {}, c.d, 0);
}
template <int n>
RnsOperands<Set<n>> operands_of(const Single<double>& c) {
  return operands_of<n>({}, {}, 0, c.a);
}

Dyadic x_of(const RnsCase& c) { return oracle::integer_of_limbs(c.x); }
Dyadic x_of(const RnsPairCase& c) { return oracle::integer_of_limbs(c.x); }
Dyadic x_of(const RnsScaleCase& c) { return oracle::integer_of_limbs(c.x); }
Dyadic y_of(const RnsPairCase& c) { return oracle::integer_of_limbs(c.y); }

template <int n, class Case>
std::vector<RnsOutcome<Set<n>>> outcomes(RnsOperation operation, const Executor& on, std::span<const Case> cases) {
  std::vector<RnsOperands<Set<n>>> operands;
  operands.reserve(cases.size());
  for (const Case& c : cases) {
    operands.push_back(operands_of<n>(c));
  }
  return elementwise(on, std::span<const RnsOperands<Set<n>>>(operands), RnsKernel<Set<n>>{operation});
}

/// A subject whose results are the first `count` words.
template <int n, class Case>
Subject<Case, Integers> words(RnsOperation operation, int count) {
  return [operation, count](const Executor& on, std::span<const Case> cases) {
    std::vector<Integers> results;
    results.reserve(cases.size());
    for (const auto& z : outcomes<n>(operation, on, cases)) {
      results.emplace_back(z.words, z.words + count);
    }
    return results;
  };
}

/// Whether limbs are not all 0, so that something is asked.
bool asks(std::span<const std::uint32_t> limbs) {
  return std::any_of(limbs.begin(), limbs.end(), [](std::uint32_t each) { return each != 0; });
}

/// An operation that gives residues of the integer `reference(c)`, guards included.
template <int n, class Case>
Registration gives_residues(const char* name, RnsOperation operation, Domain<Case> domain, const char* statement,
                            Dyadic (*reference)(const Case&)) {
  return Registration(Property<Case, Integers>{
      .name = "rns." + std::string(name) + std::to_string(n),
      .domain = std::move(domain),
      .subject = words<n, Case>(operation, Set<n>::size),
      .reference =
          [reference](const Case& c) {
            Truths truths;
            residues_of<n>(reference(c), truths);
            return truths;
          },
      .claims = {exact("exact", statement, classical),
                 satisfies("reduced", "0 ≤ r_i < m_i", classical,
                           [](const Case&, const Integers& r) {
                             Judgement worst;
                             for (std::size_t i = 0; i < r.size(); ++i) {
                               worst.worsen(Judgement::of(r[i] < Set<n>::modulus(static_cast<int>(i)), i));
                             }
                             return worst;
                           })},
      .inexact = [](const Case&, const Truths&, const Integers& r) { return r != Integers(r.size(), r[0]); }});
}

/// An operation that gives the limbs of X.
template <int n>
Registration gives_limbs(const char* name, RnsOperation operation, Source source) {
  return Registration(Property<RnsCase, Integers>{
      .name = "rns." + std::string(name) + std::to_string(n),
      .domain = rns_domain(base<n>()),
      .subject = words<n, RnsCase>(operation, rns::limbs<Set<n>>),
      .reference =
          [](const RnsCase& c) {
            Truths truths(static_cast<std::size_t>(rns::limbs<Set<n>>));
            std::copy(c.x.begin(), c.x.end(), truths.begin());
            return truths;
          },
      .claims = {exact("exact", "the limbs of X come back from its residues", source)},
      .inexact = [](const RnsCase& c, const Truths&, const Integers&) { return asks(c.x); }});
}

/// Words of any integer below 2^(32(L + 1)), L the limbs of M: X may be M or more.
template <int n>
Domain<RnsCase> any_words() {
  constexpr int count = rns::limbs<Set<n>> + 1;
  Domain<RnsCase> domain = rns_domain(base<n>());
  domain.classes.push_back({"any words", 3, drawn<RnsCase>([](Draw& draw) {
                              RnsCase c{std::vector<std::uint32_t>(static_cast<std::size_t>(draw.between(0, count)))};
                              const bool ones = draw.one_in(3);
                              for (std::uint32_t& each : c.x) {
                                each = ones ? ~std::uint32_t{0} << draw.below(2) * draw.below(32)
                                            : static_cast<std::uint32_t>(draw.word() >> 32);
                              }
                              return c;
                            })});
  domain.contains = [](const RnsCase& c) { return c.x.size() <= static_cast<std::size_t>(count); };
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
      // Below 2⁵² the bits after the point are cut off.
      return parts.exponent >= 0
                 ? Single<double>{a}
                 : Single<double>{compose<double>(parts.negative, parts.significand >> -parts.exponent, 0)};
    });
  };
  return {.classes = {{"dense", 3, of(Significand::dense)},
                      {"any significand", 2, of(Significand::any)},
                      {"zeros", 1, drawn<Single<double>>([](Draw& draw) {
                         return Single<double>{draw.coin() ? -0.0 : draw.coin() ? 0.0 : 1.0};
                       })}},
          .contains =
              [](const Single<double>& c) {
                return oracle::is_finite(oracle::binary64, bits_of(c.a)) && value_of(c.a).is_integer();
              },
          .accepts = "finite numbers that are integers"};
}

/// X and shifts far beyond log₂ M.
template <int n>
Domain<RnsScaleCase> upward() {
  Domain<RnsScaleCase> domain = rns_scale_domain(base<n>());
  const int most = 3 * static_cast<int>(base<n>().product().exponent());
  domain.classes.push_back(
      {"shifts to 3·log₂ M", 4, drawn<RnsScaleCase>([most](Draw& draw) {
         IntegerDraw integer(base<n>(), draw);
         const Dyadic x = integer.at(IntegerPlace::any);
         return RnsScaleCase{oracle::limbs_of(x, limbs_of_range(base<n>())), draw.between(0, most)};
       })});
  domain.contains = [most](const RnsScaleCase& c) { return in_range(base<n>(), c.x) && c.d >= 0 && c.d <= most; };
  domain.accepts = "X of " + range_text(base<n>()) + "; d of 0 … " + std::to_string(most);
  return domain;
}

template <int n>
struct Family {
  Registration all[8] = {
      gives_residues<n, RnsCase>("from_limbs", RnsOperation::from_limbs, any_words<n>(), "r_i = X mod m_i", x_of),
      gives_residues<n, Single<double>>("from_double", RnsOperation::from_double, integral_doubles(),
                                        "r_i = |d| mod m_i",
                                        [](const Single<double>& c) { return abs(value_of(c.a)); }),
      gives_residues<n, RnsPairCase>("add", RnsOperation::add, rns_pair_domain(base<n>()), "r_i = X + Y mod m_i",
                                     [](const RnsPairCase& c) { return x_of(c) + y_of(c); }),
      gives_residues<n, RnsPairCase>("sub", RnsOperation::sub, rns_pair_domain(base<n>()), "r_i = X − Y mod m_i",
                                     [](const RnsPairCase& c) { return x_of(c) - y_of(c); }),
      gives_residues<n, RnsPairCase>("mul", RnsOperation::mul, rns_pair_domain(base<n>()), "r_i = XY mod m_i",
                                     [](const RnsPairCase& c) { return x_of(c) * y_of(c); }),
      gives_residues<n, RnsScaleCase>("scale_up", RnsOperation::scale_up, upward<n>(), "r_i = X·2^d mod m_i",
                                      [](const RnsScaleCase& c) { return x_of(c).mul_2exp(c.d); }),
      gives_limbs<n>("to_limbs", RnsOperation::to_limbs, "Garner, The residue number system, 1959"),
      gives_limbs<n>("to_limbs_crt", RnsOperation::to_limbs_crt, derived),
  };
};

const Family<8> of_8;
const Family<16> of_16;
const Family<32> of_32;
const Family<64> of_64;
const Family<128> of_128;

}  // namespace

}  // namespace assay
