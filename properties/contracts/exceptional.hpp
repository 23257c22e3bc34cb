#pragma once
// NaN and infinities among the numbers of a case: what becomes of them, domains that have such cases, and claims that
// are about finite ones.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "properties/contracts/foreign.hpp"
#include "properties/draws/sum/special_cases.hpp"
#include "properties/framework/remark.hpp"

namespace assay::contracts {

/// What each number of a result must be: 0 for any finite number, else the pattern of a NaN or of an infinity. A NaN
/// stands for every NaN.
using Due = std::vector<std::uint64_t>;

/// Every number of the result is what due_of(case) asks for.
template <FloatingPoint T, class DueOf>
auto becomes(std::string id, const AnyTheorem auto& theorem, DueOf due_of) {
  return satisfies(std::move(id), theorem, [due_of](const auto& c, const auto& result) {
    using Traits = ResultTraits<std::remove_cvref_t<decltype(result)>>;
    const Due due = due_of(c);
    for (std::size_t i = 0; i < due.size(); ++i) {
      const std::uint64_t got = bits_of(Traits::word(result, i));
      const bool is_right = due[i] == 0                         ? oracle::is_finite(format<T>, got)
                            : oracle::is_nan(format<T>, due[i]) ? oracle::is_nan(format<T>, got)
                                                                : got == due[i];
      if (is_right) continue;
      if (due[i] == 0) {
        remark(std::string("a number") + is_due);
      } else {
        remark_due(oracle::is_nan(format<T>, due[i]), oracle::is_negative(format<T>, due[i]));
      }
      return Judgement::fail(i);
    }
    return Judgement::pass();
  });
}

/// A program that may refuse cases with NaN or infinities, as many functions of Python do, which raise an error. It is
/// asked for these one by one. Where it has no answer, its result is `instead` everywhere, by default 1: what is
/// promised of such cases is broken, and nothing else.
class MayRefuse final : public ForeignProgram {
 public:
  MayRefuse(std::shared_ptr<ForeignProgram> program, SharedFunction<bool(const Record&)> is_finite,
            std::optional<std::uint64_t> instead = std::nullopt)
      : program_(std::move(program)), is_finite_(std::move(is_finite)), instead_(instead) {}

  [[nodiscard]] bool has_places() const override { return program_->has_places(); }
  std::vector<std::uint64_t> compute(const Executor& on, std::span<const Record> cases,
                                     std::span<const std::size_t> numbers, const oracle::Format& format) override {
    const std::uint64_t one = oracle::round(oracle::Dyadic(1), format, oracle::Rounding::nearest);
    std::vector<std::uint64_t> all;
    const auto ask = [&](std::size_t first, std::size_t count) {
      const std::vector<std::uint64_t> answer =
          program_->compute(on, cases.subspan(first, count), numbers.subspan(first, count), format);
      all.insert(all.end(), answer.begin(), answer.end());
    };
    std::size_t first = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (is_finite_(cases[i])) continue;
      if (i != first) ask(first, i - first);
      first = i + 1;
      try {
        ask(i, 1);
      } catch (const ExecutorError&) {
        all.insert(all.end(), numbers[i], instead_.value_or(one));
      }
    }
    if (first != cases.size()) ask(first, cases.size() - first);
    return all;
  }

 private:
  std::shared_ptr<ForeignProgram> program_;
  SharedFunction<bool(const Record&)> is_finite_;
  std::optional<std::uint64_t> instead_;
};

/// The kernel, which may refuse cases that are not finite where it is a program. `blank`: with the fields of a case.
template <class Case, class IsFinite>
ForeignKernel may_refuse(ForeignKernel kernel, IsFinite is_finite, std::optional<std::uint64_t> instead = std::nullopt,
                         const Case& blank = {}) {
  if (kernel.program == nullptr) return kernel;
  const auto is_finite_record = [is_finite, blank](const Record& record) {
    const std::optional<Case> c = from_record<Case>(record, blank);
    return c && is_finite(*c);
  };
  kernel.program = std::make_shared<MayRefuse>(kernel.program, is_finite_record, instead);
  return kernel;
}

/// The claims for cases of finite numbers alone, besides what they require.
template <class Claims, class IsFinite>
Claims of_finite_cases(Claims claims, IsFinite is_finite) {
  for (auto& each : claims) {
    if (each.info.preconditions.empty()) each.info.preconditions = "the numbers are finite";
    each.applies = [is_finite, applies = each.applies](const auto& c) {
      return is_finite(c) && (!applies || applies(c));
    };
  }
  return claims;
}

/// The vector with 0 in the place of what is no number.
template <FloatingPoint T>
std::vector<T> finite_part(std::vector<T> x) {
  for (T& each : x) {
    if (!oracle::is_finite(format<T>, bits_of(each))) each = T{};
  }
  return x;
}

/// The domain with these classes of cases more, in which some numbers are none. finite_part_of(case) has zeros in their
/// place, and is in the domain.
template <class Case, class FinitePartOf>
Domain<Case> with_exceptional(Domain<Case> domain, std::vector<InputClass<Case>> classes, FinitePartOf finite_part_of) {
  domain.classes = joined(std::move(domain.classes), std::move(classes));
  domain.contains = [inner = domain.contains, finite_part_of](const Case& c) { return inner(finite_part_of(c)); };
  for (Feature<Case>& each : domain.features) {
    each.of = [inner = each.of, finite_part_of](const Case& c) { return inner(finite_part_of(c)); };
  }
  if (domain.traits != nullptr) {
    Traits<Case> traits = *domain.traits;
    for (auto& each : traits.all) {
      each.of = [inner = each.of, finite_part_of](const Case& c) { return inner(finite_part_of(c)); };
    }
    domain.traits = std::make_shared<const Traits<Case>>(std::move(traits));
  }
  domain.accepts += "; NaN and infinities in the place of some of them";
  return domain;
}

/// Numbers of moderate size, one to three of which are replaced: by infinities of one sign or of both, by NaNs, by
/// both.
template <FloatingPoint T>
void put_exceptional(Draw& draw, std::vector<T>& x) {
  if (x.empty()) return;
  const bool negative = draw.coin();
  const std::uint64_t kind = draw.below(5);
  const std::size_t count = kind == 0 ? 1 : 2 + draw.below(2);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_nan = kind == 3 || (kind == 4 && i == 0);
    const bool is_other = kind == 2 && i == 1;
    x[draw.below(x.size())] =
        is_nan ? sum::detail::draw_nan<T>(draw) : sum::detail::draw_infinity<T>(negative != is_other);
  }
}

}  // namespace assay::contracts
