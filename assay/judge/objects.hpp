#pragma once
// The objects that the handles of the C interface refer to.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "assay/judge.h"
#include "assay/judge/arrays.hpp"
#include "assay/judge/formula.hpp"
#include "assay/judge/kernel.hpp"
#include "assay/store/case_file.hpp"
#include "properties/framework/batch.hpp"

struct assay_judge {
  std::shared_ptr<const assay::judge::OfFormula> formula;  ///< its formula; null for the program's own operations
  const assay::Operation& operation;
  assay::Question question;
  std::uint64_t seed;
  std::vector<std::string> promised;  ///< ids of contracts; empty: all are judged
  std::shared_ptr<assay::judge::Kernel> kernel;
  std::unique_ptr<assay::PropertyModel> property;
  std::string usual_contract = {};
  std::string operation_json = {};
  std::string formula_json = {};
  /// Of the last judgment where arrays lie: the case that has its texts, or these.
  struct InPlace {
    std::shared_ptr<assay_case> of{};
    std::string exact{}, got{}, preconditions{};
  };
  InPlace in_place = {};

  [[nodiscard]] const assay::PropertyInfo& info() const { return property->info(); }
  /// How many cases the quick tier runs: all inputs where they are enumerated.
  [[nodiscard]] std::uint64_t quick_cases() const {
    return info().enumeration_size != 0 ? info().enumeration_size : info().quick_cases;
  }
  [[nodiscard]] std::unique_ptr<assay::Batch> batch() const {
    return dynamic_cast<const assay::BatchModel&>(*property).make_batch();
  }
  /// The claim of a contract. Errors: std::invalid_argument for a contract that the operation does not have.
  std::size_t claim(const std::string& contract) const;
  /// The same; null for a contract that the format of the judge does not have.
  [[nodiscard]] std::optional<std::size_t> claim_in_format(const assay::Contract& contract) const;
};

struct assay_case {
  assay_judge& judge;
  assay::Record record;
  std::optional<assay::judge::Array> result{};
  std::unique_ptr<assay::Batch> truth{};  ///< holds the exact result of the case; empty until it is needed
  std::vector<std::string> truth_texts{};
  /// A contract's texts of the last judgment.
  struct Texts {
    std::string exact;
    std::string got;
    std::string preconditions;
    std::string derivation;
  };
  std::vector<Texts> judged{};
  std::optional<assay::CaseOutcome> outcome{};  ///< of the last judgment: only claims of contracts
  std::string path{};
  std::string derivation{};  ///< of the last tolerance

  /// Requires: a record inside the domain (not checked).
  assay_case(assay_judge& of, assay::Record inputs);
  /// The first digits of a hash of the inputs: the program's id for the case.
  [[nodiscard]] const std::string& id() const;
  /// The inputs for a person.
  [[nodiscard]] const std::string& text() const;
  /// The arguments that a kernel gets.
  [[nodiscard]] std::vector<assay::judge::Array>& arguments() const;
  /// The file of the case, as a case that breaks the contract; empty for none.
  [[nodiscard]] assay::store::CaseFile file(const std::string& contract) const;

 private:
  mutable std::once_flag id_is_known_{};
  mutable std::string id_{};
  mutable std::once_flag text_is_known_{};
  mutable std::string text_{};
  mutable std::once_flag arguments_are_known_{};
  mutable std::vector<assay::judge::Array> arguments_{};
};

struct assay_report {
  struct Finding {
    std::string contract;
    int verdict = ASSAY_UNDECIDED;
    bool in_ladder = false;
    std::uint64_t cases = 0;
    double ratio = 0;
    std::string case_id{};
  };
  std::vector<Finding> findings{};
  std::string json{};
};

namespace assay::judge {

/// Runs f and returns its status; a failure sets the last error of the thread.
assay_status guarded(const std::function<void()>& f) noexcept;

/// Before anything is copied, refuses inputs that need more memory than the machine has: "the inputs have 1e+12
/// numbers". Errors: std::bad_alloc with a line.
void refuse_beyond_memory(const std::string& what, double bytes);

/// "no operation dott; nearest: dot", or a list of all that are known.
std::string unknown(const std::string& what, const std::string& name, const std::vector<std::string>& known);
/// Errors: std::invalid_argument for a name that no operation has.
const Operation& operation_named(const char* name);

/// Errors: std::invalid_argument for a null pointer.
void require(const void* pointer, const char* name);

/// Writes the members that the caller's struct has. Errors: std::invalid_argument if it has no size.
template <class T>
void give(T value, T* out) {
  require(out, "out");
  const std::size_t size = out->struct_size;
  if (size < sizeof(std::size_t)) throw std::invalid_argument("struct_size: not set");
  value.struct_size = size;
  std::memcpy(static_cast<void*>(out), &value, std::min(size, sizeof(T)));
}

/// The members that the caller's struct has; the others have the values of T{}. Errors: as give().
template <class T>
T taken(const T* in, const char* name) {
  require(in, name);
  if (in->struct_size < sizeof(std::size_t)) throw std::invalid_argument(std::string(name) + ".struct_size: not set");
  T value{};
  std::memcpy(static_cast<void*>(&value), in, std::min(in->struct_size, sizeof(T)));
  return value;
}

/// Arrays of a caller. Errors: std::invalid_argument if an array has no memory or no shape.
std::vector<assay_tensor> taken(const assay_tensor* tensors, std::size_t count);

/// Errors: those of assay_judge_open().
std::unique_ptr<assay_judge> opened(const assay_judge_options& given);

/// Any case of the judge's operation, whose fields say what its arguments are.
Record prototype_of(const assay_judge& judge);

/// The case of an operation with these arguments. Errors: those of record_of(), std::bad_alloc with a line for inputs
/// that the machine does not hold.
std::unique_ptr<assay_case> case_of(assay_judge& judge, const Record& prototype,
                                    std::span<const assay_tensor> arguments);

/// The same for a judge of an operation or a formula.
std::unique_ptr<assay_case> case_of(assay_judge& judge, std::span<const assay_tensor> arguments);

/// The answer in C for the verdict of a claim.
int verdict_of(const ClaimOutcome& outcome);

/// The array into which a kernel writes the result of a case: the kernel determines the type and number of its results.
Array& result_of(assay_case& of);

/// A caller's result in the form of the case. Errors: std::invalid_argument for another type or shape.
std::vector<std::uint64_t> bits_of_result(assay_case& of, const assay_tensor& result);

/// Judges the kernel's result for the case by `count` of the operation's contracts, or by `only` one of them.
void judge_case(assay_case& of, std::span<assay_verdict* const> verdicts, const assay::Contract* only = nullptr);

/// How far a component of a result may be from the exact one by the contract, rounded up; NaN for no number. The kernel
/// gives no answer afterwards.
double bound_at(assay_case& of, const assay::Contract& contract, std::size_t component);

/// How far each number of a result may be from the exact one by the contract, rounded up, in the order of the result's
/// entries; NaN if the contract has no number. Errors: std::invalid_argument if it has no number for any entry.
void bounds_of(assay_case& of, const assay::Contract& contract, std::span<double> bounds);

}  // namespace assay::judge
