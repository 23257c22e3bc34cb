#include "assay/judge/kernel.hpp"

#include <bit>
#include <span>

#include "assay/judge/arrays.hpp"
#include "assay/judge/objects.hpp"

namespace assay::judge {
namespace {

thread_local std::string subject_error;

/// A case with integers of 8 bits in its original form: as numbers of binary32, not as bytes.
Record with_numbers(Record record) {
  for (FieldValue& each : record.fields) {
    auto* const words = std::get_if<Words>(&each.value);
    if (words == nullptr || words->format != oracle::e5m2) continue;
    words->format = oracle::binary32;
    for (std::uint64_t& bits : words->bits) {
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int8_t>(bits)));
    }
  }
  return record;
}

}  // namespace

void set_subject_error(std::string reason) {
  for (char& each : reason) each = each == '\n' ? ' ' : each;
  subject_error = std::move(reason);
}

void Kernel::ask(assay_subject subject, void* self) {
  subject_ = subject;
  self_ = self;
  answer_.reset();
}

void Kernel::answer(const Record& record, std::vector<std::uint64_t> bits) {
  subject_ = nullptr;
  answer_.emplace(&record, std::move(bits));
}

void Kernel::fall_silent() {
  subject_ = nullptr;
  answer_.reset();
}

std::vector<std::uint64_t> Kernel::compute(const Executor& /*on*/, std::span<const Record> cases,
                                           std::span<const std::size_t> numbers, const oracle::Format& format) {
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::optional<Record> numbers_of_integers;
    if (integers_) numbers_of_integers = with_numbers(cases[i]);
    const Record& asked = integers_ ? *numbers_of_integers : cases[i];
    if (subject_ != nullptr) asked_ = asked;
    numbers_ = numbers[i];
    format_ = format;
    try {
      const std::vector<std::uint64_t> bits = called(asked);
      all.insert(all.end(), bits.begin(), bits.end());
    } catch (const SubjectFailed& error) {
      failure_ = error.what();
      throw;
    }
  }
  return all;
}

std::vector<Array> Kernel::arguments(const Record& record) const {
  return formula_ ? formula_->arguments_of(record) : arguments_of(operation_, record, integers_);
}

Array Kernel::result(const Record& record) const {
  Array result = result_of(formula_ ? "" : operation_, record, numbers_, format_, integers_);
  if (formula_) result.layout = formula_->layout_of_result(record);
  return result;
}

std::vector<std::uint64_t> Kernel::called(const Record& record) const {
  if (subject_ == nullptr) {
    if (!answer_ || *answer_->record != record) throw NeedsKernel();
    return answer_->bits;
  }
  std::vector<Array> arguments = this->arguments(record);
  Array result = this->result(record);
  if (result.layout.entries() == 0 && !formula_ && is_vector_product(operation_))
    return bits_of(result);  // no column: the kernel is not called
  std::vector<assay_tensor> views;
  for (Array& each : arguments) views.push_back(each.view());
  const assay_tensor to = result.view();
  set_subject_error("it gave no reason");
  if (subject_(self_, views.data(), views.size(), &to) != 0) throw SubjectFailed(subject_error);
  const std::vector<Array> before = this->arguments(record);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (arguments[i].memory != before[i].memory) throw SubjectFailed("it wrote to its argument " + before[i].name);
  }
  return bits_of(result);
}

Array& result_of(assay_case& of) {
  if (!of.result) {
    Kernel& kernel = *of.judge.kernel;
    kernel.fall_silent();
    const std::unique_ptr<Batch> batch = of.judge.batch();
    batch->add(of.record);
    try {
      batch->run(Executor::host());
    } catch (const NeedsKernel&) {
      // Only the question was requested.
    }
    of.result = kernel.result(of.record);
  }
  return *of.result;
}

std::vector<std::uint64_t> bits_of_result(assay_case& of, const assay_tensor& result) {
  Array to = result_of(of);
  if (const Layout layout = layout_of(result); of.judge.formula && layout.shape != to.layout.shape) {
    throw std::invalid_argument("result: it has shape " + text_of(layout.shape) + ", not " + text_of(to.layout.shape));
  }
  assign(to, result);
  return bits_of(to);
}

}  // namespace assay::judge
