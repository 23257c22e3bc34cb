#pragma once
// Triangular systems in binary64 with exact dot products: the domains, and the promises of the substitution and the
// certified solution.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "errorbounds/triangular_theorems.hpp"
#include "kernels/triangular/rounded_trsv.hpp"
#include "properties/draws/triangular/systems.hpp"
#include "properties/framework/property.hpp"

namespace assay::triangular {

/// A system whose right side has a stride; entries between the strides are not read and not written.
struct StridedSystem {
  std::int64_t upper = 0, trans = 0, unit = 0, n = 0, lda = 1, incx = 1;
  std::vector<double> a, x;
  static constexpr auto fields() {
    using C = StridedSystem;
    return std::tuple{field("upper", &C::upper), field("trans", &C::trans), field("unit", &C::unit), field("n", &C::n),
                      field("lda", &C::lda),     field("incx", &C::incx),   field("a", &C::a),       field("x", &C::x)};
  }
};

using System = TrsvCase<double>;

inline std::int64_t size_with(std::int64_t n, std::int64_t stride) {
  return n == 0 ? 0 : 1 + (n - 1) * std::abs(stride);
}

/// The place of unknown i.
inline std::size_t place_of(const StridedSystem& c, std::int64_t i) {
  return static_cast<std::size_t>(c.incx > 0 ? i * c.incx : (i - c.n + 1) * c.incx);
}

/// The system without a stride, with the numbers of x as its right side.
inline System system_of(const StridedSystem& c, std::span<const double> x) {
  System system{c.upper, c.trans, c.unit, c.n, c.lda, c.a, {}};
  for (std::int64_t i = 0; i < c.n; ++i) system.x.push_back(x[place_of(c, i)]);
  return system;
}
inline System system_of(const StridedSystem& c) { return system_of(c, c.x); }

inline StridedSystem strided(const System& system, std::int64_t stride, double between) {
  StridedSystem c{system.upper, system.trans, system.unit, system.n, system.lda, stride, system.a, {}};
  c.x.assign(static_cast<std::size_t>(size_with(c.n, stride)), between);
  for (std::int64_t i = 0; i < c.n; ++i) c.x[place_of(c, i)] = system.x[static_cast<std::size_t>(i)];
  return c;
}

inline bool has_zero_diagonal(const System& c) {
  bool found = false;
  for (std::int64_t i = 0; i < c.n; ++i) found = found || diagonal(c, i).is_zero();
  return found;
}

/// The common precondition of the claims: a finite system, singular or not, whose substitution stays far from overflow.
inline bool is_case(const StridedSystem& c, bool singular_too) {
  if (c.incx == 0 || c.incx < -3 || c.incx > 3 || c.n < 0 || c.n > most_unknowns ||
      c.x.size() != static_cast<std::size_t>(size_with(c.n, c.incx)) || c.lda < std::max<std::int64_t>(1, c.n) ||
      c.a.size() != static_cast<std::size_t>(c.lda * c.n)) {
    return false;
  }
  System system = system_of(c);
  if (singular_too && c.unit == 0) {
    for (std::int64_t i = 0; i < c.n; ++i) {
      double& entry = system.a[static_cast<std::size_t>(i + i * c.lda)];
      if (entry == 0) entry = 1;
    }
  }
  return is_system(system) && stays_small(system);
}

// -------------------------------------------------------------------------------------------------------- draws

inline StridedSystem with_stride(Draw& draw, const System& system) {
  static constexpr std::int64_t strides[] = {1, 1, 1, 2, -1, -3};
  return strided(system, strides[draw.below(std::size(strides))], draw.coin() ? 0.5 : -3.0);
}

/// A class of systems that `make(draw)` draws.
template <class Make>
InputClass<StridedSystem> system_class(const char* name, unsigned weight, Make make) {
  return {name, weight, drawn<StridedSystem>([make](Draw& draw) {
            const System system = kept_small(make(draw));
            return with_stride(draw, system);
          })};
}

/// The right side is L times random numbers, and rows are changed so that each cancels down to its last place: a first
/// substitution loses all bits of the solution.
inline System draw_ill_conditioned(Draw& draw) {
  System c = draw_cancelling_system<double>(draw, {4, 12, -8, 0, -2, 2});
  for (double& each : c.x) {
    if (draw.one_in(3)) each = stepped(each, draw.between(-2, 2));
  }
  return c;
}

/// Small integers whose solution is one of small integers: no operation rounds.
inline System draw_integers(Draw& draw) {
  System c = draw_triangle<double>(draw, draw_unknowns(draw), {0, 0, 0, 0, 0, 0});
  const auto integer = [&] { return static_cast<double>(draw.between(-9, 9)); };
  std::vector<double> solution;
  for (std::int64_t i = 0; i < c.n; ++i) {
    const Beside columns = beside(c, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) c.a[place(c, i, j)] = integer();
    if (c.unit == 0) c.a[place(c, i, i)] = draw.coin() ? 1 + static_cast<double>(draw.below(9)) : -1;
    solution.push_back(integer());
  }
  for (std::int64_t i = 0; i < c.n; ++i) {
    Dyadic right = diagonal(c, i) * value_of(solution[static_cast<std::size_t>(i)]);
    const Beside columns = beside(c, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      right.add_mul(value_of(c.a[place(c, i, j)]), value_of(solution[static_cast<std::size_t>(j)]));
    }
    c.x.push_back(right.to_double_nearest());
  }
  return c;
}

/// The quotient of an unknown is a tie, or near a tie: the diagonal is a power of two or 1, and the sum has 54 bits.
inline System draw_ties(Draw& draw) {
  System c = draw_triangle<double>(draw, 1 + static_cast<std::int64_t>(draw.below(3)), {0, 0, 0, 0, 0, 0});
  for (std::int64_t i = 0; i < c.n; ++i) {
    const Beside columns = beside(c, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      c.a[place(c, i, j)] =
          compose<double>(draw.coin(), 1, draw.between(-54, -53) - (draw.coin() ? draw.between(0, 60) : 0));
    }
    if (c.unit == 0) c.a[place(c, i, i)] = compose<double>(draw.coin(), draw.coin() ? 1 : 3, draw.between(-3, 3));
    c.x.push_back(draw_number<double>(draw, Significand::any, draw.between(-1, 1)));
  }
  return c;
}

/// Unknowns that are 1, and a last one whose products cancel, except for a number 120 binades below the first and some
/// below its last place, which three words lose.
inline System draw_lost_products(Draw& draw) {
  const auto lost = static_cast<std::int64_t>(2 + draw.below(6));
  System c = draw_triangle<double>(draw, 6 + lost, {0, 0, 0, 0, 0, 0});
  const auto fresh = [&](int exponent) { return draw_number<double>(draw, Significand::any, exponent); };
  const double high = fresh(0);
  const double middle = fresh(-60);
  std::vector<double> products{high, middle, fresh(-120)};
  const bool minus = draw.coin();
  for (std::int64_t k = 0; k < lost; ++k) {
    products.push_back(draw_number<double>(draw, Significand::any, -120 - 54 - static_cast<int>(draw.below(4)), minus));
  }
  products.push_back(-high);
  products.push_back(-middle);
  c.x.assign(static_cast<std::size_t>(c.n), 1);
  for (std::int64_t step = 0; step < c.n; ++step) {
    const std::int64_t i = unknown(c, step);
    const bool last = step + 1 == c.n;
    for (std::int64_t before = 0; before < step; ++before) {
      c.a[place(c, i, unknown(c, before))] = last ? products[static_cast<std::size_t>(before)] : 0.0;
    }
    if (c.unit == 0) c.a[place(c, i, i)] = last && draw.coin() ? 3 : 1;
    if (last) c.x[static_cast<std::size_t>(i)] = 0;
  }
  return c;
}

inline std::vector<InputClass<StridedSystem>> regular_classes() {
  using F = FloatTraits<double>;
  const auto system = [](const TrsvRange& range) {
    return [=](Draw& draw) { return draw_system<double>(draw, range); };
  };
  constexpr int low = F::emin + F::precision;
  return {system_class("entries of one size", 3, system({-1, 1, -1, 1, -2, 2})),
          system_class("small beside the diagonal", 3, system({-8, -2, -1, 1, -2, 2})),
          system_class("exponents apart", 2, system({-40, 10, -30, 30, -50, 50})),
          system_class("the subtractions cancel", 3,
                       [](Draw& draw) {
                         return draw_cancelling_system<double>(draw, {-2, 2, -2, 2, -2, 2});
                       }),
          system_class("ill-conditioned", 3, draw_ill_conditioned),
          system_class("hopelessly ill-conditioned", 1, system({20, 30, -30, -20, -2, 2})),
          system_class("small integers", 1, draw_integers),
          system_class("ties", 2, draw_ties),
          system_class("products that three words lose", 2, draw_lost_products),
          system_class("solutions in the range of underflow", 2, system({-4, 0, 0, 4, low - 40, low})),
          system_class("products below the range", 1, system({-600, -500, -580, -500, -600, -560}))};
}

inline Domain<StridedSystem> system_domain(bool singular_too) {
  Domain<StridedSystem> domain{
      .classes = regular_classes(),
      .contains = [singular_too](const StridedSystem& c) { return is_case(c, singular_too); },
      .features = {{"unknowns", 0, 64, 16, [](const StridedSystem& c) { return static_cast<double>(c.n); }}},
      .shrink_shape =
          [](const StridedSystem& c) {
            std::vector<StridedSystem> smaller;
            for (const System& each : smaller_systems(system_of(c))) smaller.push_back(strided(each, 1, 0));
            return smaller;
          },
      .accepts = "up to 128 unknowns, strides 1 to 3 or -1 to -3; finite numbers in the triangle and x, " +
                 std::string(singular_too ? "" : "no zero on the diagonal, ") + "no step near to overflow"};
  if (singular_too) {
    domain.classes.push_back({"a zero on the diagonal", 1, drawn<StridedSystem>([](Draw& draw) {
                                System system = kept_small(draw_system<double>(draw, {-1, 1, -1, 1, -2, 2}));
                                if (system.n > 0) {
                                  const auto i =
                                      static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(system.n)));
                                  system.a[place(system, i, i)] = draw.coin() ? 0.0 : -0.0;
                                }
                                return with_stride(draw, system);
                              })});
  }
  return domain;
}

// ------------------------------------------------------------------------------------------------------- claims

inline blas::Triangle triangle(const StridedSystem& c) {
  return c.upper != 0 ? blas::Triangle::upper : blas::Triangle::lower;
}
inline blas::Transpose transpose(const StridedSystem& c) {
  return c.trans != 0 ? blas::Transpose::yes : blas::Transpose::no;
}
inline blas::Diagonal diagonal_kind(const StridedSystem& c) {
  return c.unit != 0 ? blas::Diagonal::unit : blas::Diagonal::stored;
}

/// Whether the entries between the strides keep their bits.
inline bool keeps_gaps(const StridedSystem& c, std::span<const double> x) {
  std::vector<bool> written(c.x.size());
  for (std::int64_t i = 0; i < c.n; ++i) written[place_of(c, i)] = true;
  bool kept = x.size() >= c.x.size();
  for (std::size_t i = 0; kept && i < c.x.size(); ++i) kept = written[i] || bits_of(x[i]) == bits_of(c.x[i]);
  return kept;
}

/// Every unknown is the quotient of its exact sum, rounded once.
inline Judgement judge_one_rounding(const StridedSystem& c, const std::vector<double>& result) {
  const System system = system_of(c);
  std::vector<Dyadic> x(static_cast<std::size_t>(c.n));
  for (std::int64_t i = 0; i < c.n; ++i) {
    if (!component_value(result, place_of(c, i), x[static_cast<std::size_t>(i)]))
      return Judgement::fail(place_of(c, i));
  }
  Judgement worst;
  for (std::int64_t i = 0; i < c.n; ++i) {
    const std::size_t at = place_of(c, i);
    Dyadic sum = value_of(c.x[at]);
    const Beside columns = beside(system, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      sum -= value_of(system.a[place(system, i, j)]) * x[static_cast<std::size_t>(j)];
    }
    const bool minus = oracle::is_negative(oracle::binary64, bits_of(result[at]));
    worst.worsen(judge_rounded(bits_of(result[at]), oracle::quotient(sum, diagonal(system, i)), oracle::binary64,
                               oracle::Rounding::nearest, {.negative_zero = minus}, at));
  }
  worst.judged = result.size();
  return worst;
}

/// The exact solution at its places, one more place for the status; 0 in the gaps and for a singular system.
inline std::vector<Exact> exact_solution(const StridedSystem& c) {
  std::vector<Exact> truth(c.x.size() + 1);
  const System system = system_of(c);
  if (has_zero_diagonal(system)) return truth;
  const std::vector<Exact> x = exact_trsv(system);
  for (std::int64_t i = 0; i < c.n; ++i) truth[place_of(c, i)] = x[static_cast<std::size_t>(i)];
  return truth;
}

/// The result of a certified solution is the unknowns, then the status.
inline std::vector<double> with_status(CertifiedSolution solution) {
  solution.x.push_back(static_cast<double>(static_cast<int>(solution.status)));
  return solution.x;
}

inline bool has_status(const std::vector<double>& result, SolveStatus status) {
  return result.back() == static_cast<double>(static_cast<int>(status));
}

/// M⁻¹v with M the comparison matrix of L, rounded up: zᵢ = (vᵢ + Σ|lᵢⱼ|zⱼ)/|lᵢᵢ|.
inline std::vector<Ball> compared(const System& c, const std::vector<Ball>& v, long bits) {
  std::vector<Ball> z(v.size());
  for (std::int64_t step = 0; step < c.n; ++step) {
    const std::int64_t i = unknown(c, step);
    Ball sum = v[static_cast<std::size_t>(i)];
    const Beside columns = beside(c, i);
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      sum = add(sum, mul(Ball(abs(value_of(c.a[place(c, i, j)]))), z[static_cast<std::size_t>(j)], bits), bits);
    }
    z[static_cast<std::size_t>(i)] = div(sum, Ball(abs(diagonal(c, i))), bits);
  }
  return z;
}

/// The hypotheses of triangular.certified.4.
inline bool is_benign(const StridedSystem& strided_system) {
  constexpr long bits = 256;
  const System c = system_of(strided_system);
  if (c.n > 64 || has_zero_diagonal(c)) return false;
  const std::vector<Exact> exact = exact_trsv(c);
  std::vector<Ball> x;
  for (const Exact& each : exact) {
    x.push_back(abs(Ball(std::get<Rational>(each), bits)));
    if (std::get<Rational>(each).is_zero()) return false;
  }
  std::vector<Ball> products(x.size());
  std::vector<Ball> ones(x.size());
  const Dyadic large = Dyadic::scaled(1, 200);
  for (std::int64_t i = 0; i < c.n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto take = [&](const Dyadic& entry, std::int64_t j) {
      products[at] = add(products[at], mul(Ball(entry), x[static_cast<std::size_t>(j)], bits), bits);
      return entry <= large;
    };
    const Beside columns = beside(c, i);
    bool is_small = take(abs(diagonal(c, i)), i) && abs(value_of(c.x[at])) <= large && x[at].upper() <= large;
    for (std::int64_t j = columns.first; j < columns.last; ++j) {
      is_small = take(abs(value_of(c.a[place(c, i, j)])), j) && is_small;
    }
    if (!is_small) return false;
    ones[at] = Ball(abs(diagonal(c, i)) + Dyadic(1));
  }
  const std::vector<Ball> growth = compared(c, products, bits);
  const std::vector<Ball> floor = compared(c, ones, bits);
  const Ball most_growth(Dyadic::scaled(1, 40));
  const Ball most_floor(Dyadic::scaled(1, 200));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (less_equal(growth[i], mul(most_growth, x[i], bits)) != oracle::Answer::yes ||
        less_equal(floor[i], mul(most_floor, x[i], bits)) != oracle::Answer::yes) {
      return false;
    }
  }
  return true;
}

using Truth = std::vector<Exact>;
using Values = std::vector<double>;

/// The promises of the substitution that the subject computes.
inline Property<StridedSystem, Values, Truth> rounded_property(std::string name,
                                                               Subject<StridedSystem, Values> subject) {
  return Property<StridedSystem, Values, Truth>{
      .name = std::move(name),
      .domain = system_domain(false),
      .subject = std::move(subject),
      .reference = exact_solution,
      .claims = {satisfies("one_rounding", triangular_rounded_1,
                           [](const StridedSystem& c, const Values& x) { return judge_one_rounding(c, x); }),
                 satisfies("untouched", triangular_untouched_1,
                           [](const StridedSystem& c, const Values& x) { return keeps_gaps(c, x); })},
      .quick_cases = 1000};
}

/// The promises of the certified solution that the subject computes.
inline Property<StridedSystem, Values, Truth> certified_property(std::string name,
                                                                 Subject<StridedSystem, Values> subject) {
  return Property<StridedSystem, Values, Truth>{
      .name = std::move(name),
      .domain = system_domain(true),
      .subject = std::move(subject),
      .reference = exact_solution,
      .claims = {satisfies("faithful_where_certified", triangular_certified_2,
                           [](const StridedSystem& c, const Truth& truth, const Values& x) {
                             Judgement worst;
                             for (std::int64_t i = 0; i < c.n && has_status(x, SolveStatus::certified); ++i) {
                               const std::size_t at = place_of(c, i);
                               worst.worsen(judge_faithful(bits_of(x[at]), truth[at], oracle::binary64, at));
                             }
                             return worst;
                           }),
                 satisfies("singular_told", triangular_certified_3,
                           [](const StridedSystem& c, const Values& x) {
                             return has_status(x, SolveStatus::singular) == has_zero_diagonal(system_of(c));
                           }),
                 when("the system is as triangular.certified.4 requires", is_benign,
                      satisfies(
                          "certifies", triangular_certified_4,
                          [](const StridedSystem&, const Values& x) { return has_status(x, SolveStatus::certified); })),
                 satisfies("untouched", triangular_untouched_1,
                           [](const StridedSystem& c, const Values& x) {
                             const bool singular = has_status(x, SolveStatus::singular);
                             const auto same = [&](std::size_t i) { return bits_of(x[i]) == bits_of(c.x[i]); };
                             bool kept = keeps_gaps(c, x);
                             for (std::size_t i = 0; singular && i < c.x.size(); ++i) kept = kept && same(i);
                             return kept;
                           })},
      .inexact =
          [](const StridedSystem& c, const Truth& truth, const Values& x) {
            bool found = has_status(x, SolveStatus::not_certified);
            Dyadic value;
            for (std::size_t i = 0; i < c.x.size(); ++i) {
              found = found || (component_value(x, i, value) && judge_exact(value, truth[i]).verdict != Verdict::holds);
            }
            return found;
          },
      .quick_cases = 1000};
}

}  // namespace assay::triangular
