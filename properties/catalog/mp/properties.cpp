#include "kernels/mp/mp.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arith/words/operands.hpp"
#include "errorbounds/mp_theorems.hpp"
#include "kernels/mp/blas1.hpp"
#include "properties/catalog/mp/cases.hpp"
#include "properties/catalog/mp/probed.hpp"
#include "properties/catalog/mp/result.hpp"
#include "properties/catalog/mp/rounding_cases.hpp"
#include "properties/catalog/mp/vector_cases.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace assay::mp {

namespace {

using oracle::Dyadic;
using Truth = std::vector<Dyadic>;
using Limbs = std::vector<std::uint32_t>;

std::uint64_t quick_cases(int n, std::uint64_t of_few_moduli) {
  return n <= 32 ? of_few_moduli : n == 64 ? of_few_moduli / 4 : of_few_moduli / 10;
}

std::string named(const char* operation, const MpSystem& system) {
  return std::string("mp.") + operation + std::to_string(system.n);
}

// From cases to arrays and back. A single case is element-major, several are planes: "same bits alone and in a batch"
// compares the layouts too.

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

// Claims about every number of a result.

template <class Case>
using MpClaims = std::vector<Claim<Case, MpNumbers, Truth>>;

template <class Case, class Judge>
Claim<Case, MpNumbers, Truth> structure(std::string id, const AnyTheorem auto& theorem, Judge judge) {
  return satisfies(std::move(id), theorem, [judge](const auto&, const MpNumbers& result) {
    Judgement worst;
    for (std::size_t k = 0; k < result.array.length; ++k) worst.worsen(judge(result, k));
    return worst;
  });
}

/// What every rounded number is.
template <class Case>
MpClaims<Case> rounded_numbers() {
  return {structure<Case>("digits", mp_structure_1, judge_digits),
          structure<Case>("enclosure", mp_structure_2, judge_enclosure),
          structure<Case>("width", mp_structure_3, judge_width),
          structure<Case>("significand", mp_structure_4, judge_significand)};
}

constexpr const char* derived_unit = "u = 2^(h+1)/(M(1 − 2⁻²⁰))";
constexpr const char* published_unit = "u = 4/√M";

/// The error of the operation, with the unit derived here and with the published one.
template <class Case>
MpClaims<Case> errors(const MpSystem& system, const BoundedTheorem auto& theorem, const std::string& instance = "") {
  const std::string before = instance.empty() ? "" : instance + ", ";
  MpClaims<Case> claims = rounded_numbers<Case>();
  claims.push_back(of_instance(before + derived_unit, within("error", theorem, system.unit)));
  claims.push_back(of_instance(before + published_unit, within("error_published", theorem, system.published_unit)));
  return claims;
}

bool is_inexact(const Truth& truth, const MpNumbers& result) {
  Dyadic got;
  for (std::size_t k = 0; k < result.array.length; ++k) {
    if (!component_value(result, k, got) || got != truth[k]) return true;
  }
  return false;
}

template <class Case>
Property<Case, MpNumbers, Truth> numbers(std::string name, Domain<Case> domain, Subject<Case, MpNumbers> subject,
                                         std::function<Truth(const Case&)> reference, MpClaims<Case> claims,
                                         std::uint64_t cases) {
  return {.name = std::move(name),
          .domain = std::move(domain),
          .subject = std::move(subject),
          .reference = std::move(reference),
          .claims = std::move(claims),
          .inexact = [](const Case&, const Truth& truth, const MpNumbers& result) { return is_inexact(truth, result); },
          .quick_cases = cases};
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

// BLAS 1.

MpArray listed(const Executor& on, const MpSystem& system, const std::vector<double>& scale, const Limbs& limbs,
               bool planes = false) {
  MpLimbs x{system.limbs, limbs, {}, {}};
  for (const double each : scale) {
    const oracle::Dyadic value = value_of(each);
    x.exponent.push_back(value.exponent());
    x.sign.push_back(value.sign() < 0 ? 1 : 0);
  }
  return mp_from_limbs(on, system.n, x, planes);
}

/// The operands of a case, and what its entries stand for. Of four lengths in a row one has both vectors as planes, one
/// has x alone, one has y alone.
struct Vectors {
  std::int64_t length, incx, incy;
  MpArray x, y, alpha, beta;
};

Vectors vectors(const Executor& on, const MpSystem& system, const MpVectorCase& c) {
  const auto scalar = [&](std::size_t k) {
    const auto from = c.scalar.begin() + static_cast<std::ptrdiff_t>(k * system.limbs);
    return listed(on, system, {c.scalar_scale[k]}, Limbs(from, from + static_cast<std::ptrdiff_t>(system.limbs)));
  };
  return {c.length,
          c.incx,
          c.incy,
          listed(on, system, c.x_scale, c.x, (c.length & 1) != 0),
          listed(on, system, c.y_scale, c.y, (c.length & 2) != 0),
          scalar(0),
          scalar(1)};
}

struct ExactVectors {
  std::vector<Dyadic> x, y;  ///< all entries of the arrays
  Dyadic alpha, beta;
};

ExactVectors exact_vectors(const MpSystem& system, const MpVectorCase& c) {
  ExactVectors v;
  for (std::size_t k = 0; k < c.x_scale.size(); ++k) v.x.push_back(mp_entry_value(system, c.x_scale, c.x, k));
  for (std::size_t k = 0; k < c.y_scale.size(); ++k) v.y.push_back(mp_entry_value(system, c.y_scale, c.y, k));
  v.alpha = mp_entry_value(system, c.scalar_scale, c.scalar, 0);
  v.beta = mp_entry_value(system, c.scalar_scale, c.scalar, 1);
  return v;
}

/// The bound of an entry for a unit u; empty: the entry is exact.
using EntryBound = std::function<Bound(const RelativeBound& u)>;

/// The exact entries of a result, and the bound of each.
struct BlasTruth {
  std::vector<Dyadic> values;
  std::vector<EntryBound> bounds;
};

using BlasReference = std::function<BlasTruth(const MpVectorCase&, const ExactVectors&)>;

auto blas_error(std::string id, const AnyTheorem auto& theorem, const MpSystem& system, const RelativeBound& u,
                const BlasReference& reference) {
  const auto bounds_of = [&system, u, reference](const MpVectorCase& c) {
    std::vector<Bound> bounds;
    for (const EntryBound& each : reference(c, exact_vectors(system, c)).bounds) {
      bounds.push_back(each ? each(u) : Bound{0});
    }
    return bounds;
  };
  return claim_spec(std::move(id), theorem, [bounds_of](const MpVectorCase& c, const Truth& truth, const MpNumbers& z) {
    const std::vector<Bound> bounds = bounds_of(c);
    return assay::detail::by_component(truth, z, [&](const Dyadic& got, const Dyadic& exact, std::size_t i) {
      return judge_within(got, exact, bounds[i], i);
    });
  });
}

Property<MpVectorCase, MpNumbers, Truth> blas(const char* operation, const MpSystem& system,
                                              const AnyTheorem auto& theorem, BlasReference reference,
                                              std::function<MpArray(const Executor&, const Vectors&)> subject) {
  MpClaims<MpVectorCase> claims = rounded_numbers<MpVectorCase>();
  claims.push_back(of_instance(derived_unit, blas_error("error", theorem, system, system.unit, reference)));
  claims.push_back(
      of_instance(published_unit, blas_error("error_published", theorem, system, system.published_unit, reference)));
  return numbers<MpVectorCase>(
      named(operation, system), mp_vector_domain(system),
      [&system, subject](const Executor& on, const MpVectorCase& c) {
        return MpNumbers{&system, with_layout(subject(on, vectors(on, system, c)), false)};
      },
      [&system, reference](const MpVectorCase& c) { return reference(c, exact_vectors(system, c)).values; },
      std::move(claims), quick_cases(system.n, 1000));
}

/// A sum of terms; the theorem bounds it by its depth and the sum of the terms' magnitudes.
template <class Term>
BlasReference sum_of(const BoundedTheorem auto& theorem, Term term) {
  return [=](const MpVectorCase& c, const ExactVectors& v) {
    Dyadic sum;
    Dyadic magnitude;
    for (std::int64_t i = 0; i < c.length; ++i) {
      const Dyadic each = term(v.x[detail::mp_place(c.length, c.incx, i)], v.y[detail::mp_place(c.length, c.incy, i)]);
      sum += each;
      magnitude += abs(each);
    }
    return BlasTruth{{sum}, {[=](const RelativeBound& u) { return theorem(u, mp_sum_height(c.length), magnitude); }}};
  };
}

/// The entries of x or y after an update: update(x_i, y_i, values, bounds).
template <class Update>
BlasReference update_of(bool of_x, Update update) {
  return [=](const MpVectorCase& c, const ExactVectors& v) {
    BlasTruth truth;
    truth.values = of_x ? v.x : v.y;
    truth.bounds.resize(truth.values.size());
    for (std::int64_t i = 0; i < c.length; ++i) {
      const std::size_t x_at = detail::mp_place(c.length, c.incx, i);
      const std::size_t y_at = detail::mp_place(c.length, c.incy, i);
      const std::size_t at = of_x ? x_at : y_at;
      update(v, v.x[x_at], v.y[y_at], truth.values[at], truth.bounds[at]);
    }
    return truth;
  };
}

void blas1(const MpSystem& system) {
  Registration{blas("asum", system, mp_asum_1, sum_of(mp_asum_1, [](const Dyadic& x, const Dyadic&) { return abs(x); }),
                    [](const Executor& on, const Vectors& v) { return mp_asum(on, v.length, v.x, v.incx); })};
  Registration{blas("sum_of_squares", system, mp_sum_of_squares_1,
                    sum_of(mp_sum_of_squares_1, [](const Dyadic& x, const Dyadic&) { return x * x; }),
                    [](const Executor& on, const Vectors& v) { return mp_sum_of_squares(on, v.length, v.x, v.incx); })};
  Registration{
      blas("dot", system, mp_dot_1, sum_of(mp_dot_1, [](const Dyadic& x, const Dyadic& y) { return x * y; }),
           [](const Executor& on, const Vectors& v) { return mp_dot(on, v.length, v.x, v.incx, v.y, v.incy); })};
  Property<MpVectorCase, MpNumbers, Truth> norm_inf = blas(
      "norm_inf", system, mp_norm_inf_1,
      [](const MpVectorCase& c, const ExactVectors& v) {
        Dyadic largest;
        for (std::int64_t i = 0; i < c.length; ++i) {
          largest = std::max(largest, abs(v.x[detail::mp_place(c.length, c.incx, i)]));
        }
        return BlasTruth{{largest}, {{}}};
      },
      [](const Executor& on, const Vectors& v) { return mp_norm_inf(on, v.length, v.x, v.incx); });
  norm_inf.inexact = [](const MpVectorCase& c, const Truth&, const MpNumbers&) { return c.length > 1; };
  Registration{std::move(norm_inf)};
  Registration{
      blas("scal", system, mp_scal_1,
           update_of(true,
                     [](const ExactVectors& v, const Dyadic& x, const Dyadic&, Dyadic& value, EntryBound& bound) {
                       value = v.alpha * x;
                       bound = [product = abs(value)](const RelativeBound& u) { return mp_scal_1(u, product); };
                     }),
           [](const Executor& on, const Vectors& v) { return mp_scal(on, v.length, v.alpha, v.x, v.incx); })};
  Registration{blas(
      "axpy", system, mp_axpy_1,
      update_of(false,
                [](const ExactVectors& v, const Dyadic& x, const Dyadic& y, Dyadic& value, EntryBound& bound) {
                  const Dyadic product = v.alpha * x;
                  value = product + y;
                  bound = [first = abs(product), second = abs(y)](const RelativeBound& u) {
                    return mp_axpy_1(u, first, second);
                  };
                }),
      [](const Executor& on, const Vectors& v) { return mp_axpy(on, v.length, v.alpha, v.x, v.incx, v.y, v.incy); })};
  Registration{
      blas("axpy_scal", system, mp_axpy_scal_1,
           update_of(false,
                     [](const ExactVectors& v, const Dyadic& x, const Dyadic& y, Dyadic& value, EntryBound& bound) {
                       const Dyadic product = v.alpha * x;
                       value = v.beta * (product + y);
                       bound = [first = abs(v.beta * product), second = abs(v.beta * y)](const RelativeBound& u) {
                         return mp_axpy_scal_1(u, first, second);
                       };
                     }),
           [](const Executor& on, const Vectors& v) {
             const MpArray y = mp_axpy(on, v.length, v.alpha, v.x, v.incx, v.y, v.incy);
             return mp_scal(on, v.length, v.beta, y, v.incy);
           })};
  Registration{
      blas("waxpby", system, mp_waxpby_1,
           update_of(false,
                     [](const ExactVectors& v, const Dyadic& x, const Dyadic& y, Dyadic& value, EntryBound& bound) {
                       const Dyadic first = v.alpha * x;
                       const Dyadic second = v.beta * y;
                       value = first + second;
                       bound = [magnitude = abs(first) + abs(second)](const RelativeBound& u) {
                         return mp_waxpby_1(u, magnitude);
                       };
                     }),
           [](const Executor& on, const Vectors& v) {
             return mp_waxpby(on, v.length, v.alpha, v.x, v.incx, v.beta, v.y, v.incy, v.y, v.incy);
           })};
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
    blas1(system);
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
