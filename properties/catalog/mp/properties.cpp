#include "kernels/mp/mp.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arith/words/operands.hpp"
#include "kernels/mp/blas1.hpp"
#include "properties/catalog/mp/cases.hpp"
#include "properties/catalog/mp/result.hpp"
#include "properties/catalog/mp/vector_cases.hpp"
#include "properties/framework/generators.hpp"
#include "properties/framework/property.hpp"

namespace assay::mp {

namespace {

using oracle::Dyadic;
using Truth = std::vector<Dyadic>;
using Limbs = std::vector<std::uint32_t>;

constexpr const char* derived = "docs/bounds/mp.md";
constexpr const char* published =
    "Isupov, Knyazkov, Multiple-precision matrix-vector multiplication on graphics processing units, 2020, (6); "
    "Isupov, Knyazkov, Kuvaev, Design and implementation of multiple-precision BLAS Level 1 functions for graphics "
    "processing units, 2020";

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

/// The numbers of an array as results of one number each.
std::vector<MpNumbers> split(const MpSystem& system, const MpArray& array) {
  const MpArray x = with_layout(array, false);
  const std::size_t size = static_cast<std::size_t>(x.n) + 1;
  std::vector<MpNumbers> results;
  for (std::size_t k = 0; k < x.length; ++k) {
    MpNumbers& one = results.emplace_back(MpNumbers{&system, mp_zeros(x.n, 1)});
    std::copy_n(x.digits.begin() + static_cast<std::ptrdiff_t>(k * size), size, one.array.digits.begin());
    one.array.sign[0] = x.sign[k];
    one.array.exponent[0] = x.exponent[k];
    one.array.lower[0] = x.lower[k];
    one.array.upper[0] = x.upper[k];
  }
  return results;
}

// Claims about every number of a result.

template <class Case>
using MpClaims = std::vector<Claim<Case, MpNumbers, Truth>>;

template <class Case, class Judge>
Claim<Case, MpNumbers, Truth> structure(std::string id, std::string statement, Judge judge) {
  return satisfies(std::move(id), std::move(statement), Source(derived), [judge](const auto&, const MpNumbers& result) {
    Judgement worst;
    for (std::size_t k = 0; k < result.array.length; ++k) worst.worsen(judge(result, k));
    return worst;
  });
}

/// What every rounded number is.
template <class Case>
MpClaims<Case> rounded_numbers() {
  return {structure<Case>("digits", "0 ≤ rᵢ < mᵢ, the guard residue is X mod g, s is 0 or 1; zero has all members zero",
                          judge_digits),
          structure<Case>("enclosure", "L ≤ X/M ≤ U", judge_enclosure),
          structure<Case>("width", "U − L ≤ 2⁻¹⁹U", judge_width),
          structure<Case>("significand", "X < √M and U < 2^(−h)", judge_significand)};
}

/// The errors of one operation, of k one after the other.
template <class Case>
MpClaims<Case> errors(const MpSystem& system, long k, const char* truth) {
  const std::string error = std::string("|z − ") + truth + "| ≤ ";
  const std::string factor = k == 1 ? "u|" : "γ_" + std::to_string(k) + "|";
  MpClaims<Case> claims = rounded_numbers<Case>();
  const auto bound = [k](const RelativeBound& u) { return k == 1 ? u : mp_gamma(k, u); };
  claims.push_back(
      within("error", error + factor + truth + "|, u = 2^(h+1)/(M(1 − 2⁻²⁰))", Source(derived), bound(system.unit)));
  claims.push_back(within("error_published", error + factor + truth + "|, u = 4/√M", Source(published),
                          bound(system.published_unit)));
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

// Element-wise operations.

/// x ∘ y.
void binary(const char* operation, const MpSystem& system, MpOp op, const char* truth,
            Dyadic (*reference)(const MpPairCase&)) {
  Registration{numbers<MpPairCase>(
      named(operation, system), mp_pair_domain(system),
      [op, &system](const Executor& on, std::span<const MpPairCase> cases) {
        using C = MpPairCase;
        const MpArray x = converted(on, system, cases, &C::sx, &C::ex, &C::x);
        return split(system, mp_op(on, op, x, converted(on, system, cases, &C::sy, &C::ey, &C::y)));
      },
      [reference](const MpPairCase& c) { return Truth{reference(c)}; }, errors<MpPairCase>(system, 1, truth),
      quick_cases(system.n, 10000))};
}

void difference_product(const MpSystem& system) {
  Registration{numbers<MpTripleCase>(
      named("difference_product", system), mp_triple_domain(system),
      [&system](const Executor& on, std::span<const MpTripleCase> cases) {
        using C = MpTripleCase;
        const MpArray x = converted(on, system, cases, &C::sx, &C::ex, &C::x);
        const MpArray y = converted(on, system, cases, &C::sy, &C::ey, &C::y);
        return split(system,
                     mp_op(on, MpOp::difference_product, x, y, converted(on, system, cases, &C::sw, &C::ew, &C::w)));
      },
      [](const MpTripleCase& c) { return Truth{(value_of_x(c) - value_of_y(c)) * value_of_w(c)}; },
      errors<MpTripleCase>(system, 2, "(x − y)w"), quick_cases(system.n, 10000))};
}

void round(const MpSystem& system) {
  Registration{numbers<MpCase>(
      named("round", system), mp_unrounded_domain(system),
      [&system](const Executor& on, std::span<const MpCase> cases) {
        const MpLimbs x = packed(cases, &MpCase::sx, &MpCase::ex, &MpCase::x);
        return split(system, mp_op(on, MpOp::round, mp_unrounded(on, system.n, x, cases.size() > 1)));
      },
      [](const MpCase& c) { return Truth{value_of_x(c)}; }, errors<MpCase>(system, 1, "x"),
      quick_cases(system.n, 10000))};
}

void from_limbs(const MpSystem& system) {
  MpClaims<MpCase> claims = errors<MpCase>(system, 1, "x");
  claims.push_back(when(
      "X is at most M·2^(−h)(1 − 2⁻⁴⁸)",
      [&system](const MpCase& c) { return oracle::integer_of_limbs(c.x) <= system.largest; },
      exact("short_exact", "z = x", Source(derived))));
  claims.push_back(
      satisfies("toward_zero", "|z| ≤ |x|", Source(derived), [](const MpCase&, const Truth& truth, const MpNumbers& z) {
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
  claims.push_back(exact("exact", "z = x", Source(derived)));
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
  Registration{Property<MpCase, double, Truth>{
      .name = named("to_double", system),
      .domain = mp_to_double_domain(system),
      .subject =
          [&system](const Executor& on, std::span<const MpCase> cases) {
            return mp_to_double(on, converted(on, system, cases, &MpCase::sx, &MpCase::ex, &MpCase::x));
          },
      .reference = [](const MpCase& c) { return Truth{value_of_x(c)}; },
      .claims = {rounded(
          "nearest", "z = RN(x)", Source(derived), oracle::Rounding::nearest,
          [](const MpCase& c) { return oracle::RoundingPolicy{.negative_zero = value_of_x(c).sign() < 0}; })},
      .quick_cases = quick_cases(system.n, 10000)}};
}

void compare(const MpSystem& system) {
  Registration{Property<MpPairCase, double, Truth>{
      .name = named("compare", system),
      .domain = mp_pair_domain(system),
      .subject =
          [&system](const Executor& on, std::span<const MpPairCase> cases) {
            using C = MpPairCase;
            const MpArray x = converted(on, system, cases, &C::sx, &C::ex, &C::x);
            const std::vector<int> signs = mp_compare(on, x, converted(on, system, cases, &C::sy, &C::ey, &C::y));
            return std::vector<double>(signs.begin(), signs.end());
          },
      .reference = [](const MpPairCase& c) { return Truth{Dyadic((value_of_x(c) - value_of_y(c)).sign())}; },
      .claims = {exact("exact", "z = sign(x − y)", Source(derived))},
      .inexact = [](const MpPairCase& c, const Truth&, const double&) { return c.sx == c.sy; },
      .quick_cases = quick_cases(system.n, 10000)}};
}

// BLAS 1.

MpArray listed(const Executor& on, const MpSystem& system, const std::vector<double>& scale, const Limbs& limbs) {
  MpLimbs x{system.limbs, limbs, {}, {}};
  for (const double each : scale) {
    const oracle::Dyadic value = value_of(each);
    x.exponent.push_back(value.exponent());
    x.sign.push_back(value.sign() < 0 ? 1 : 0);
  }
  return mp_from_limbs(on, system.n, x);
}

/// The operands of a case, and what its entries stand for.
struct Vectors {
  std::int64_t length, incx, incy;
  MpArray x, y, alpha, beta;
};

Vectors vectors(const Executor& on, const MpSystem& system, const MpVectorCase& c) {
  const auto scalar = [&](std::size_t k) {
    const auto from = c.scalar.begin() + static_cast<std::ptrdiff_t>(k * system.limbs);
    return listed(on, system, {c.scalar_scale[k]}, Limbs(from, from + static_cast<std::ptrdiff_t>(system.limbs)));
  };
  return {c.length,  c.incx,   c.incy, listed(on, system, c.x_scale, c.x), listed(on, system, c.y_scale, c.y),
          scalar(0), scalar(1)};
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

/// The exact entries of a result, and for each the numbers of operations and the magnitudes that its bound adds up:
/// Σ γ(k)·magnitude. Entries without magnitudes are exact.
struct BlasTruth {
  std::vector<Dyadic> values;
  std::vector<std::vector<std::pair<long, Dyadic>>> magnitudes;
};

using BlasReference = std::function<BlasTruth(const MpVectorCase&, const ExactVectors&)>;

Bound bound_of(const std::vector<std::pair<long, Dyadic>>& magnitudes, const RelativeBound& u) {
  Bound bound{0};
  for (const auto& [k, magnitude] : magnitudes) bound = bound + mp_gamma(k, u) * magnitude;
  return bound;
}

auto blas_error(std::string id, std::string statement, Source source, const MpSystem& system, const RelativeBound& u,
                const BlasReference& reference) {
  return within(std::move(id), std::move(statement), source, [&system, u, reference](const MpVectorCase& c) {
    std::vector<Bound> bounds;
    for (const auto& each : reference(c, exact_vectors(system, c)).magnitudes) bounds.push_back(bound_of(each, u));
    return bounds;
  });
}

Property<MpVectorCase, MpNumbers, Truth> blas(const char* operation, const MpSystem& system, const char* statement,
                                              BlasReference reference,
                                              std::function<MpArray(const Executor&, const Vectors&)> subject) {
  MpClaims<MpVectorCase> claims = rounded_numbers<MpVectorCase>();
  claims.push_back(blas_error("error", std::string(statement) + ", u = 2^(h+1)/(M(1 − 2⁻²⁰))", Source(derived), system,
                              system.unit, reference));
  claims.push_back(blas_error("error_published", std::string(statement) + ", u = 4/√M", Source(published), system,
                              system.published_unit, reference));
  return numbers<MpVectorCase>(
      named(operation, system), mp_vector_domain(system),
      [&system, subject](const Executor& on, const MpVectorCase& c) {
        return MpNumbers{&system, subject(on, vectors(on, system, c))};
      },
      [&system, reference](const MpVectorCase& c) { return reference(c, exact_vectors(system, c)).values; },
      std::move(claims), quick_cases(system.n, 1000));
}

/// A sum of terms, each of `roundings` operations.
template <class Term>
BlasReference sum_of(long roundings, Term term) {
  return [=](const MpVectorCase& c, const ExactVectors& v) {
    Dyadic sum;
    Dyadic magnitude;
    for (std::int64_t i = 0; i < c.length; ++i) {
      const Dyadic each = term(v.x[detail::mp_place(c.length, c.incx, i)], v.y[detail::mp_place(c.length, c.incy, i)]);
      sum += each;
      magnitude += abs(each);
    }
    return BlasTruth{{sum}, {{{mp_sum_depth(c.length) + roundings, magnitude}}}};
  };
}

/// The entries of x or y after an update: update(x_i, y_i, values, magnitudes).
template <class Update>
BlasReference update_of(bool of_x, Update update) {
  return [=](const MpVectorCase& c, const ExactVectors& v) {
    BlasTruth truth;
    truth.values = of_x ? v.x : v.y;
    truth.magnitudes.resize(truth.values.size());
    for (std::int64_t i = 0; i < c.length; ++i) {
      const std::size_t x_at = detail::mp_place(c.length, c.incx, i);
      const std::size_t y_at = detail::mp_place(c.length, c.incy, i);
      const std::size_t at = of_x ? x_at : y_at;
      update(v, v.x[x_at], v.y[y_at], truth.values[at], truth.magnitudes[at]);
    }
    return truth;
  };
}

void blas1(const MpSystem& system) {
  Registration{blas("asum", system, "|z − Σ|xᵢ|| ≤ γ_d·Σ|xᵢ|, d of mp_sum_depth",
                    sum_of(0, [](const Dyadic& x, const Dyadic&) { return abs(x); }),
                    [](const Executor& on, const Vectors& v) { return mp_asum(on, v.length, v.x, v.incx); })};
  Registration{blas("sum_of_squares", system, "|z − Σxᵢ²| ≤ γ_(d+1)·Σxᵢ², d of mp_sum_depth",
                    sum_of(1, [](const Dyadic& x, const Dyadic&) { return x * x; }),
                    [](const Executor& on, const Vectors& v) { return mp_sum_of_squares(on, v.length, v.x, v.incx); })};
  Registration{
      blas("dot", system, "|z − Σxᵢyᵢ| ≤ γ_(d+1)·Σ|xᵢyᵢ|, d of mp_sum_depth",
           sum_of(1, [](const Dyadic& x, const Dyadic& y) { return x * y; }),
           [](const Executor& on, const Vectors& v) { return mp_dot(on, v.length, v.x, v.incx, v.y, v.incy); })};
  Property<MpVectorCase, MpNumbers, Truth> norm_inf = blas(
      "norm_inf", system, "z = max |xᵢ|",
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
  using Magnitudes = std::vector<std::pair<long, Dyadic>>;
  Registration{
      blas("scal", system, "|zᵢ − αxᵢ| ≤ γ_1|αxᵢ|; entries between the strides as they were",
           update_of(true,
                     [](const ExactVectors& v, const Dyadic& x, const Dyadic&, Dyadic& value, Magnitudes& magnitudes) {
                       value = v.alpha * x;
                       magnitudes = {{1, abs(value)}};
                     }),
           [](const Executor& on, const Vectors& v) { return mp_scal(on, v.length, v.alpha, v.x, v.incx); })};
  Registration{blas(
      "axpy", system, "|zᵢ − (αxᵢ + yᵢ)| ≤ γ_2|αxᵢ| + γ_1|yᵢ|; entries between the strides as they were",
      update_of(false,
                [](const ExactVectors& v, const Dyadic& x, const Dyadic& y, Dyadic& value, Magnitudes& magnitudes) {
                  const Dyadic product = v.alpha * x;
                  value = product + y;
                  magnitudes = {{2, abs(product)}, {1, abs(y)}};
                }),
      [](const Executor& on, const Vectors& v) { return mp_axpy(on, v.length, v.alpha, v.x, v.incx, v.y, v.incy); })};
  Registration{blas(
      "axpy_scal", system, "|zᵢ − β(αxᵢ + yᵢ)| ≤ γ_3|βαxᵢ| + γ_2|βyᵢ|; entries between the strides as they were",
      update_of(false,
                [](const ExactVectors& v, const Dyadic& x, const Dyadic& y, Dyadic& value, Magnitudes& magnitudes) {
                  const Dyadic product = v.alpha * x;
                  value = v.beta * (product + y);
                  magnitudes = {{3, abs(v.beta * product)}, {2, abs(v.beta * y)}};
                }),
      [](const Executor& on, const Vectors& v) {
        const MpArray y = mp_axpy(on, v.length, v.alpha, v.x, v.incx, v.y, v.incy);
        return mp_scal(on, v.length, v.beta, y, v.incy);
      })};
  Registration{blas(
      "waxpby", system, "|zᵢ − (αxᵢ + βyᵢ)| ≤ γ_2(|αxᵢ| + |βyᵢ|); entries between the strides as they were",
      update_of(false,
                [](const ExactVectors& v, const Dyadic& x, const Dyadic& y, Dyadic& value, Magnitudes& magnitudes) {
                  const Dyadic first = v.alpha * x;
                  const Dyadic second = v.beta * y;
                  value = first + second;
                  magnitudes = {{2, abs(first) + abs(second)}};
                }),
      [](const Executor& on, const Vectors& v) {
        return mp_waxpby(on, v.length, v.alpha, v.x, v.incx, v.beta, v.y, v.incy, v.y, v.incy);
      })};
}

/// The properties of a set.
struct Family {
  explicit Family(int n) {
    const MpSystem& system = mp_system(n);
    binary("add", system, MpOp::add, "(x + y)", [](const MpPairCase& c) { return value_of_x(c) + value_of_y(c); });
    binary("sub", system, MpOp::sub, "(x − y)", [](const MpPairCase& c) { return value_of_x(c) - value_of_y(c); });
    binary("mul", system, MpOp::mul, "xy", [](const MpPairCase& c) { return value_of_x(c) * value_of_y(c); });
    difference_product(system);
    round(system);
    from_limbs(system);
    from_double(system);
    to_double(system);
    compare(system);
    blas1(system);
  }
};

const Family families[] = {Family(8), Family(16), Family(32), Family(64), Family(128)};

}  // namespace

}  // namespace assay::mp
