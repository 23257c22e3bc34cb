#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "exec/executor.hpp"
#include "oracle/decimal.hpp"
#include "properties/framework/batch.hpp"
#include "properties/framework/claim.hpp"
#include "properties/framework/codec.hpp"
#include "properties/framework/domain.hpp"
#include "properties/framework/model.hpp"
#include "properties/framework/probed.hpp"
#include "properties/framework/shared_function.hpp"

namespace assay {

/// The kernel under test, a batch at a time: (executor, cases) → results in the same order.
/// Made from a batch callable, or from one that takes a single case.
template <class Case, class Result>
class Subject {
 public:
  Subject() = default;
  template <class F>
    requires std::is_invocable_r_v<std::vector<Result>, const F&, const Executor&, std::span<const Case>>
  // NOLINTNEXTLINE(google-explicit-constructor)
  Subject(F batch) : call_(std::move(batch)) {}
  template <class F>
    requires std::is_invocable_r_v<Result, const F&, const Executor&, const Case&>
  // NOLINTNEXTLINE(google-explicit-constructor)
  Subject(F single)
      : call_([single = std::move(single)](const Executor& on, std::span<const Case> cases) {
          std::vector<Result> results;
          results.reserve(cases.size());
          for (const Case& each : cases) {
            results.push_back(single(on, each));
          }
          return results;
        }) {}

  explicit operator bool() const { return static_cast<bool>(call_); }

  /// Errors: the exceptions of the subject; SubjectOutOfMemory for std::bad_alloc; std::runtime_error if the number of
  /// results is not the number of cases.
  std::vector<Result> operator()(const Executor& on, std::span<const Case> cases) const {
    std::vector<Result> results;
    try {
      results = call_(on, cases);
    } catch (const std::bad_alloc&) {
      throw SubjectOutOfMemory();
    }
    require_results(results.size(), cases.size());
    return results;
  }

 private:
  SharedFunction<std::vector<Result>(const Executor&, std::span<const Case>)> call_;
};

/// A property: on this domain of inputs, this subject fulfills these claims, judged against this reference. Case: a
/// struct with fields(). Result: a type with ResultTraits. Truth: oracle::Dyadic, oracle::Exact, or a vector of one of
/// them, with one element for each component.
template <HasFields Case, class Result = std::vector<double>, class Truth = std::vector<oracle::Dyadic>>
struct Property {
  std::string name;  ///< family.kernel, with a format suffix unless binary64
  Domain<Case> domain;
  Subject<Case, Result> subject;
  SharedFunction<Truth(const Case&)> reference;
  std::vector<Claim<Case, Result, Truth>> claims;
  /// Whether an operation was inexact: the run counts these, since exact operations test nothing. Default: the first
  /// word differs from the truth.
  SharedFunction<bool(const Case&, const Truth&, const Result&)> inexact = {};
  /// The cases of the quick tier: 10⁴ element-wise, 10³ for vectors and matrices. Cases for pairs of traits are added
  /// to these.
  std::uint64_t quick_cases = 10000;
  bool host_only = false;    ///< the subject ignores the executor: a library that has no device side
  bool device_only = false;  ///< the subject has no host side: a device's library
  /// The probe that judges cases of this property on the executor.
  std::optional<Probed> probe = std::nullopt;
  /// What records are read into, where the case HasOwnFields.
  std::shared_ptr<const Case> blank = {};
};

/// Text of a truth for evidence: a short fraction, or a root of one; else 40 digits, after ≈ if the text would be
/// longer.
std::string describe(const oracle::Exact& truth);
std::string describe(const oracle::Dyadic& truth);
template <class T>
std::string describe_at(const T& truth, std::size_t i) {
  return describe(detail::truth_at(truth, i));
}
template <class T>
  requires requires(const T& truth) { truth.size(); }
std::string describe_at(const T& truth, std::size_t i) {
  return i < truth.size() ? describe(detail::truth_at(truth, i)) : std::string();
}

/// (got − truth)/ulp(truth), signed, with oracle::ulp() of the truth in the format: for display, relative error at most
/// 2⁻⁴⁰, deterministic. Empty if an Enclosure leaves the sign of the error open.
std::optional<double> error_in_ulps(const oracle::Dyadic& got, const oracle::Exact& truth,
                                    const oracle::Format& format);
/// The same for component i; empty if there is none, or it is not finite.
template <class Result, class Truth>
std::optional<double> error_in_ulps_at(const Result& result, const Truth& truth, std::size_t i) {
  if constexpr (requires { truth.size(); }) {
    if (i >= truth.size()) {
      return std::nullopt;
    }
  }
  oracle::Dyadic got;
  if (i >= ResultTraits<Result>::components(result) || !component_value(result, i, got)) {
    return std::nullopt;
  }
  return error_in_ulps(got, detail::truth_at(truth, i), detail::result_format<Result>());
}

/// A case with the fields of the property's cases.
template <class Case, class Result, class Truth>
Case blank_of(const Property<Case, Result, Truth>& property) {
  if constexpr (HasOwnFields<Case>) return *property.blank;
  return Case{};
}

/// The 256-bit key of case `number`: rc::Random(key) is the case's only source of randomness.
rc::Random random_for(std::uint64_t seed, const std::string& property, std::uint64_t number);

/// The cases of a Property, and its subject's results for them.
template <class Case, class Result, class Truth>
class TypedBatch final : public Batch {
 public:
  /// Both are kept by reference.
  TypedBatch(const Property<Case, Result, Truth>& property, const PropertyModel& model)
      : property_(property), model_(model) {}

  std::size_t size() const override { return cases_.size(); }
  void clear() override { cases_.clear(); }

  bool draw(std::uint64_t seed, std::uint64_t number) override {
    if (model_.info().enumeration_size != 0) {
      Case drawn{};
      if (!property_.domain.enumeration.at(number, drawn)) {
        return false;
      }
      cases_.push_back(std::move(drawn));
      return true;
    }
    const Domain<Case>& domain = property_.domain;
    const std::size_t in_class = model_.class_of(number);
    const rc::Random random = random_for(seed, model_.info().name, number);
    if (in_class < domain.classes.size()) {
      cases_.push_back(domain.classes[in_class].generator(random));
    } else {
      Draw draw(random);
      cases_.push_back(domain.traits->draw(draw, model_.row_of(number)));
    }
    return true;
  }

  bool add(const Record& record) override {
    std::optional<Case> decoded = from_record<Case>(record, blank_of(property_));
    if (!decoded) {
      return false;
    }
    cases_.push_back(std::move(*decoded));
    return true;
  }

  Record record(std::size_t i) const override { return record_of(cases_[i]); }
  bool contains(std::size_t i) const override { return property_.domain.contains(cases_[i]); }

  std::optional<Axes> axes(std::size_t i) const override {
    return property_.domain.axes ? std::optional(property_.domain.axes(cases_[i])) : std::nullopt;
  }
  std::vector<Record> smaller_shapes(std::size_t i) const override {
    std::vector<Record> smaller;
    if (property_.domain.shrink_shape) {
      for (const Case& each : property_.domain.shrink_shape(cases_[i])) smaller.push_back(record_of(each));
    }
    return smaller;
  }

  void run(const Executor& on) override { results_ = property_.subject(on, cases_); }
  void run_again(const Executor& on, std::size_t first, std::size_t count) override {
    again_ = property_.subject(on, std::span<const Case>(cases_).subspan(first, count));
  }
  bool same_bits(std::size_t i, std::size_t j) const override { return assay::same_bits(results_[i], again_[j]); }

  Words words(std::size_t i) const override { return words_of(results_[i]); }
  std::size_t components(std::size_t i) const override { return ResultTraits<Result>::components(results_[i]); }
  double feature(std::size_t f, std::size_t i) const override { return property_.domain.features[f].of(cases_[i]); }
  void add_trait_values(std::size_t i, TraitRow& values) const override {
    for (const auto& each : property_.domain.traits->all) values.push_back(each.of(cases_[i]));
  }

  void refer(std::size_t i) override {
    at_ = i;
    truth_ = property_.reference(cases_[i]);
  }

  bool inexact() const override {
    const Result& result = results_[at_];
    if (property_.inexact) {
      return property_.inexact(cases_[at_], truth_, result);
    }
    using Traits = ResultTraits<Result>;
    constexpr oracle::Format format = detail::result_format<Result>();
    thread_local oracle::Dyadic first;
    for (std::size_t i = 0; i < Traits::components(result); ++i) {
      const std::uint64_t bits = bits_of(Traits::word(result, i * words_per_component(result)));
      if (!oracle::is_finite(format, bits)) {
        return true;
      }
      oracle::decode_finite(format, bits, first);
      if (judge_exact(first, detail::truth_at(truth_, i)).verdict != Verdict::holds) {
        return true;
      }
    }
    return false;
  }

  bool applies(std::size_t c) const override {
    const auto& claim = property_.claims[c];
    return !claim.applies || claim.applies(cases_[at_]);
  }
  Judgement judge(std::size_t c) const override {
    return property_.claims[c].judge(cases_[at_], truth_, results_[at_]);
  }
  std::string exact(std::size_t component) const override { return describe_at(truth_, component); }
  std::optional<double> ulps(std::size_t component) const override {
    return error_in_ulps_at(results_[at_], truth_, component);
  }
  int further_bits() const override {
    return detail::result_format<Result>().precision * (static_cast<int>(words_per_component(results_[at_])) - 1);
  }

 private:
  const Property<Case, Result, Truth>& property_;
  const PropertyModel& model_;
  std::vector<Case> cases_;
  std::vector<Result> results_;
  std::vector<Result> again_;
  Truth truth_{};
  std::size_t at_ = 0;
};

/// The erased form of a Property.
template <class Case, class Result, class Truth>
class TypedModel final : public BatchModel {
 public:
  explicit TypedModel(Property<Case, Result, Truth> property) : property_(std::move(property)) {
    if (!property_.reference || !property_.subject) {
      throw std::logic_error(property_.name + ": a property needs a " + (property_.subject ? "reference" : "subject"));
    }
    has_small_cases_ = std::is_trivially_copyable_v<Case>;
    info_.name = property_.name;
    info_.format = oracle::name(input_format(property_).value_or(detail::result_format<Result>()));
    info_.accepts = property_.domain.accepts;
    info_.quick_cases = property_.quick_cases;
    info_.host_only = property_.host_only;
    info_.device_only = property_.device_only;
    info_.enumeration_size = property_.domain.enumeration.size;
    for (const auto& claim : property_.claims) add_claim(claim.info);
    for (const auto& each : property_.domain.classes) {
      add_class({each.name, each.weight, each.constructed, each.is_late});
    }
    for (const auto& each : property_.domain.features) add_feature(each.name, each.low, each.high, each.bins);
    if (const auto& traits = property_.domain.traits) {
      for (const TraitInfo& each : traits->all) add_trait(each);
      add_impossible_pairs(traits->impossible);
    }
    probe_ = property_.probe ? &*property_.probe : nullptr;
    finish();
  }

  const Property<Case, Result, Truth>& property() const { return property_; }

  std::unique_ptr<Batch> make_batch() const override {
    return std::unique_ptr<Batch>(new TypedBatch<Case, Result, Truth>(property_, *this));
  }

 private:
  /// The format of the case's first numbers; empty for a case without numbers.
  static std::optional<oracle::Format> input_format(const Property<Case, Result, Truth>& property) {
    for (const FieldValue& field : record_of(blank_of(property)).fields) {
      if (const auto* words = std::get_if<Words>(&field.value)) {
        return words->format;
      }
    }
    return std::nullopt;
  }

  Property<Case, Result, Truth> property_;
};

/// A namespace-scope Registration adds its property to the program before main.
class Registration {
 public:
  template <class Case, class Result, class Truth>
  explicit Registration(Property<Case, Result, Truth> property) {
    register_property(std::unique_ptr<PropertyModel>(new TypedModel<Case, Result, Truth>(std::move(property))));
  }
};

/// A namespace-scope LateRegistration creates the Registrations of its function when a property of their family is
/// requested: a program with a thousand properties starts without building them. All their names begin with `family`
/// and a dot; otherwise the function that needed them throws std::logic_error.
class LateRegistration {
 public:
  LateRegistration(std::string_view family, void (*add)()) { register_late(family, add); }
};

}  // namespace assay
