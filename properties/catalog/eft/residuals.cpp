// Residuals by one FMA: a − qb of a quotient q = RN(a/b), and a − s² of a root s = RN(√a).

#include "errorbounds/eft.hpp"
#include "errorbounds/eft_theorems.hpp"
#include "kernels/op/operations.hpp"
#include "properties/framework/hard_cases.hpp"
#include "properties/framework/property.hpp"

namespace assay::eft {

namespace {

using oracle::Dyadic;

/// The number nearest to the truth; empty for an overflow.
template <class T, class Truth>
std::optional<Dyadic> rounded_number(const Truth& truth) {
  const std::uint64_t bits = oracle::round(truth, format_of<T>(), oracle::Rounding::nearest);
  if (!oracle::is_finite(format_of<T>(), bits)) return std::nullopt;
  return oracle::decode_finite(format_of<T>(), bits);
}

template <class T>
bool is_number(const T& x) {
  return oracle::is_finite(format_of<T>(), bits_of(x));
}

/// The operand of a residual: q or s, if it is a finite number.
template <class T>
std::optional<Dyadic> quotient_of(const Pair<T>& c) {
  if (!is_number(c.a) || !is_number(c.b) || value_of(c.b).is_zero()) return std::nullopt;
  return rounded_number<T>(oracle::quotient(value_of(c.a), value_of(c.b)));
}
template <class T>
std::optional<Dyadic> root_of(const Single<T>& c) {
  if (!is_number(c.a) || value_of(c.a).sign() < 0) return std::nullopt;
  return rounded_number<T>(oracle::square_root(value_of(c.a)));
}

/// A property whose result is the residual. The quotient, the root and the FMA come from the kernels of op.
template <class T, class Case, class Applies, class Exactness>
Registration residual(const char* name, std::vector<InputClass<Case>> classes, const char* accepts,
                      bool (*contains)(const Case&), Subject<Case, T> subject, Dyadic (*reference)(const Case&),
                      const char* preconditions, Applies applies, Exactness exactness) {
  return Registration(Property<Case, T, Dyadic>{
      .name = name + format_suffix<T>(),
      .domain = {.classes = std::move(classes), .contains = contains, .accepts = accepts},
      .subject = std::move(subject),
      .reference = reference,
      .claims = {when(preconditions, applies, exactness)},
      .inexact = [](const Case&, const Dyadic& truth, const T&) { return !truth.is_zero(); }});
}

template <class T>
Registration quotient_residual() {
  return residual<T, Pair<T>>(
      "eft.quotient_residual", quotient_pair_classes<T>(), "finite a and b ≠ 0 with RN(a/b) finite",
      [](const Pair<T>& c) { return quotient_of(c).has_value(); },
      [](const Executor& on, std::span<const Pair<T>> cases) {
        const std::vector<T> q = elementwise<op::Div<T>>(on, cases);
        std::vector<Triple<T>> terms;
        for (std::size_t i = 0; i < q.size(); ++i) terms.push_back({negated(q[i]), cases[i].b, cases[i].a});
        return elementwise<op::Fma<T>>(on, std::span<const Triple<T>>(terms));
      },
      [](const Pair<T>& c) {
        const std::optional<Dyadic> q = quotient_of(c);
        return q ? value_of(c.a) - *q * value_of(c.b) : Dyadic();
      },
      "a = 0, or q ≠ 0 and e_b + e_q ≥ emin + p − 1",
      [](const Pair<T>& c) {
        const std::optional<Dyadic> q = quotient_of(c);
        return q && quotient_residual_is_exact(value_of(c.a), value_of(c.b), *q, format_of<T>());
      },
      exact("exact", eft_quotient_residual_1));
}

template <class T>
Registration root_residual() {
  return residual<T, Single<T>>(
      "eft.root_residual", root_classes<T>(), "finite a ≥ 0", [](const Single<T>& c) { return root_of(c).has_value(); },
      [](const Executor& on, std::span<const Single<T>> cases) {
        const std::vector<T> s = elementwise<op::Sqrt<T>>(on, cases);
        std::vector<Triple<T>> terms;
        for (std::size_t i = 0; i < s.size(); ++i) terms.push_back({negated(s[i]), s[i], cases[i].a});
        return elementwise<op::Fma<T>>(on, std::span<const Triple<T>>(terms));
      },
      [](const Single<T>& c) {
        const std::optional<Dyadic> s = root_of(c);
        return s ? value_of(c.a) - *s * *s : Dyadic();
      },
      "2e_s ≥ emin + p − 1, or a = 0",
      [](const Single<T>& c) {
        const std::optional<Dyadic> s = root_of(c);
        return s && root_residual_is_exact(*s, format_of<T>());
      },
      exact("exact", eft_root_residual_1));
}

const LateRegistration residuals{"eft", [] {
                                   quotient_residual<double>();
                                   quotient_residual<float>();
                                   quotient_residual<binary16>();
                                   root_residual<double>();
                                   root_residual<float>();
                                   root_residual<binary16>();
                                 }};

}  // namespace

}  // namespace assay::eft
