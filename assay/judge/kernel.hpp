#pragma once
// A kernel in the C interface: a function of the caller, or a single result of the caller.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/judge.h"
#include "assay/judge/formula.hpp"
#include "properties/framework/operation.hpp"

namespace assay::judge {

/// The kernel gave no answer to a case.
class SubjectFailed : public ExecutorError {
 public:
  using ExecutorError::ExecutorError;
};
/// One result was given, but another one is needed.
class NeedsKernel : public ExecutorError {
 public:
  NeedsKernel() : ExecutorError("the contract is about several runs of the kernel") {}
};

class Kernel final : public ForeignProgram {
 public:
  /// `integers`: the numbers of matrices are integers of 8 bits, the numbers of results integers of 32 bits. `formula`:
  /// the formula that it computes, instead of an operation.
  Kernel(std::string operation, bool integers, std::shared_ptr<const OfFormula> formula = nullptr)
      : operation_(std::move(operation)), integers_(integers), formula_(std::move(formula)) {}

  /// Uses a function of the caller.
  void ask(assay_subject subject, void* self);
  /// Answers this case by these numbers, and no other. The record lives until another answer, or silence.
  void answer(const Record& record, std::vector<std::uint64_t> bits);
  /// Answers nothing any more: who asks now asks for another run than the one that was answered.
  void fall_silent();
  [[nodiscard]] bool has_answer() const { return answer_.has_value(); }
  [[nodiscard]] bool integers() const { return integers_; }

  /// Why the kernel gave no answer the last time that it failed; empty before.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  /// The case of the last call of a function.
  [[nodiscard]] const std::optional<Record>& asked() const { return asked_; }
  /// How many numbers the result of that case has, and their format.
  [[nodiscard]] std::size_t numbers() const { return numbers_; }
  [[nodiscard]] const oracle::Format& format() const { return format_; }

  /// The arguments that the kernel gets for a case, and the array for its result, of the last result's size.
  [[nodiscard]] std::vector<Array> arguments(const Record& record) const;
  [[nodiscard]] Array result(const Record& record) const;

  /// Errors: SubjectFailed, NeedsKernel; after both numbers() are those of the case, and asked() is it, for a function.
  std::vector<std::uint64_t> compute(const Executor& on, std::span<const Record> cases,
                                     std::span<const std::size_t> numbers, const oracle::Format& format) override;

 private:
  std::vector<std::uint64_t> called(const Record& record) const;

  std::string operation_;
  bool integers_;
  std::shared_ptr<const OfFormula> formula_;
  assay_subject subject_ = nullptr;
  void* self_ = nullptr;
  struct Answer {
    const Record* record;
    std::vector<std::uint64_t> bits;
  };
  std::optional<Answer> answer_{};
  std::string failure_{};
  std::optional<Record> asked_{};
  std::size_t numbers_ = 0;
  oracle::Format format_{};
};

/// Sets the reason that the kernel of this thread gave for its last failure.
void set_subject_error(std::string reason);

}  // namespace assay::judge
