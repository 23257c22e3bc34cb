#include "assay/doors/table.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "assay/doors/conversion.hpp"
#include "assay/doors/subject.hpp"
#include "assay/store/printable.hpp"
#include "exec/fenced.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::doors {
namespace {

std::string one_line(const char* text) { return store::printable(text == nullptr ? "" : text); }

/// Why the table cannot be used; empty if it can.
std::string fault_of(const assay_subject_table* table) {
  if (table == nullptr) return "it returned no table";
  if (table->abi_version != ASSAY_SUBJECT_ABI_VERSION) {
    return "the table has version " + std::to_string(table->abi_version) + "; this program knows version " +
           std::to_string(ASSAY_SUBJECT_ABI_VERSION);
  }
  if (table->struct_size < sizeof(assay_subject_table)) {
    return "the table's struct_size is " + std::to_string(table->struct_size) + ", less than the " +
           std::to_string(sizeof(assay_subject_table)) + " bytes of version 1";
  }
  if (table->name == nullptr || table->version == nullptr) return "the table has no name or no version";
  if (table->run == nullptr) return "the table has no function run";
  if (table->kernels == nullptr || table->kernel_count == 0) return "the table has no kernels";
  if ((table->devices & (ASSAY_ON_HOST | ASSAY_ON_CUDA)) == 0) return "the table's devices are neither host nor CUDA";
  std::set<std::string> seen;
  for (const assay_kernel& each : std::span(table->kernels, table->kernel_count)) {
    if (each.operation == nullptr || each.format == nullptr) return "a kernel has no operation or no format";
    if (has_rules(each.operation)) {
      if (is_format_of_rules(each.operation, each.format)) continue;
      return "the table names an unknown format of " + std::string(each.operation) + ", " + one_line(each.format);
    }
    const Operation* const operation = find_operation(each.operation);
    if (operation == nullptr) return "the table names an unknown operation, " + one_line(each.operation);
    if (std::ranges::find(operation->formats, each.format) == operation->formats.end()) {
      std::string known;
      for (const std::string& format : operation->formats) known += (known.empty() ? "" : ", ") + format;
      return "the table names an unknown format of " + operation->name + ", " + one_line(each.format) +
             "; there are: " + known;
    }
    const std::string name = operation->name + " in " + each.format;
    if (!seen.insert(name).second) return "the table names " + name + " twice";
  }
  return "";
}

/// The DLPack type of numbers in a format; for integers, of their width. Errors: ExecutorError for one that DLPack does
/// not have.
DLDataType type_of(const oracle::Format& format, bool are_integers) {
  if (are_integers || format == limb_format) {
    return {kDLInt, static_cast<std::uint8_t>(8 * bytes_for_kernel(format)), 1};
  }
  constexpr std::array<std::pair<oracle::Format, int>, 6> codes{{{oracle::binary64, kDLFloat},
                                                                 {oracle::binary32, kDLFloat},
                                                                 {oracle::binary16, kDLFloat},
                                                                 {oracle::bfloat16, kDLBfloat},
                                                                 {oracle::e4m3, kDLFloat8_e4m3fn},
                                                                 {oracle::e5m2, kDLFloat8_e5m2}}};
  for (const auto& [known, code] : codes) {
    if (known == format) return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(format.width()), 1};
  }
  throw ExecutorError("DLPack has no number type for " + oracle::name(format));
}

/// The arguments and results of one call of a table, between guards.
class Call {
 public:
  Call(std::string operation, std::string format, const Executor& on, std::deque<FencedMemory>& memory)
      : operation_(std::move(operation)),
        format_(std::move(format)),
        are_integers_(format_.starts_with("s8")),
        on_(on),
        memory_(memory) {}

  void add_case(const Record& record) {
    std::vector<assay_argument>& arguments = arguments_.emplace_back();
    for (const FieldValue& field : record.fields) {
      arguments.push_back({names_.try_emplace(field.name, field.name).first->second.c_str(), argument(field)});
    }
    cases.push_back({operation_.c_str(), format_.c_str(), arguments.data(), arguments.size()});
  }
  /// Room for `count` numbers, all bits 1.
  void add_result(std::size_t count, const oracle::Format& format) {
    const std::vector<std::byte> unwritten(count * bytes_for_kernel(format), std::byte{0xFF});
    out.push_back(tensor(results_.emplace_back(next_memory(), on_, unwritten).data(), count, format));
  }

  /// After the call: checks the guards and the inputs. Returns the bit patterns of all results.
  std::vector<std::uint64_t> take(const oracle::Format& format) const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i].check_input(on_, contents_[i]);
    std::vector<std::uint64_t> bits;
    for (const FencedArray<std::byte>& each : results_) {
      const std::vector<std::byte> bytes = each.take(on_);
      const std::size_t first = bits.size();
      bits.resize(first + bytes.size() / bytes_for_kernel(format));
      for (std::size_t i = first; i < bits.size(); ++i) {
        std::memcpy(&bits[i], bytes.data() + (i - first) * bytes_for_kernel(format), bytes_for_kernel(format));
      }
    }
    return bits;
  }

  std::vector<assay_args> cases;
  std::vector<DLTensor> out;

 private:
  FencedMemory& next_memory() {
    if (used_ == memory_.size()) memory_.emplace_back();
    return memory_[used_++];
  }

  /// A list of `count` numbers on the executor.
  DLTensor tensor(std::byte* data, std::size_t count, const oracle::Format& format) {
    std::array<std::int64_t, 2>& shape_and_stride = shapes_.emplace_back();
    shape_and_stride = {static_cast<std::int64_t>(count), 1};
    const DLDevice device{on_.kind() == Executor::Kind::cuda ? kDLCUDA : kDLCPU, std::max(0, on_.device())};
    return {count == 0 ? nullptr : data, device, 1, type_of(format, are_integers_), &shape_and_stride[0],
            &shape_and_stride[1],        0};
  }

  DLTensor argument(const FieldValue& field) {
    constexpr DLDevice host{kDLCPU, 0};
    if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
      scalars_.push_back(static_cast<std::uint64_t>(*integer));
      return {&scalars_.back(), host, 0, {kDLInt, 64, 1}, nullptr, nullptr, 0};
    }
    const Words& words = std::get<Words>(field.value);
    if (words.shape == Words::Shape::scalar) {
      scalars_.push_back(words.bits.front());
      return {&scalars_.back(), host, 0, type_of(words.format, are_integers_), nullptr, nullptr, 0};
    }
    const std::size_t width = bytes_for_kernel(words.format);
    std::vector<std::byte>& bytes = contents_.emplace_back(words.bits.size() * width);
    for (std::size_t i = 0; i < words.bits.size(); ++i) std::memcpy(bytes.data() + i * width, &words.bits[i], width);
    return tensor(inputs_.emplace_back(next_memory(), on_, bytes).data(), words.bits.size(), words.format);
  }

  std::string operation_;
  std::string format_;
  bool are_integers_;  ///< the patterns are patterns of integers
  const Executor& on_;
  std::deque<FencedMemory>& memory_;
  std::size_t used_ = 0;
  std::map<std::string, std::string> names_;  ///< the texts of the arguments' names
  std::deque<std::vector<assay_argument>> arguments_;
  std::deque<std::uint64_t> scalars_;
  std::deque<std::array<std::int64_t, 2>> shapes_;
  std::deque<std::vector<std::byte>> contents_;  ///< of inputs_
  std::deque<FencedArray<std::byte>> inputs_;
  std::deque<FencedArray<std::byte>> results_;
};

class TableKernel final : public ForeignProgram {
 public:
  TableKernel(std::shared_ptr<const Table> table, std::string operation, std::string format)
      : table_(std::move(table)), operation_(std::move(operation)), format_(std::move(format)) {}

  std::vector<std::uint64_t> compute(const Executor& on, std::span<const Record> cases,
                                     std::span<const std::size_t> numbers, const oracle::Format& format) override {
    const Executor place = placed(on, table_->is_on_device() ? Executor::Kind::cuda : Executor::Kind::host);
    Call call(operation_, format_, place, memory_);
    for (const Record& each : cases) call.add_case(each);
    for (const std::size_t each : numbers) call.add_result(each, format);
    table_->run(place, call.cases, call.out);
    return call.take(format);
  }
  [[nodiscard]] bool has_places() const override { return !table_->is_on_device(); }

 private:
  std::shared_ptr<const Table> table_;
  std::string operation_;
  std::string format_;
  std::deque<FencedMemory> memory_;
};

}  // namespace

Table::Table(std::string source, const assay_subject_table* table, bool on_device)
    : source_(std::move(source)), table_(table), on_device_(on_device) {
  if (const std::string fault = fault_of(table); !fault.empty()) {
    throw SubjectError(source_ + ": " + table_function + ": " + fault);
  }
  on_device_ = on_device_ || !runs_on_host();
  if (on_device_ && Executor::cuda_device_count() == 0) return;
  const int status = table_->open == nullptr ? 0 : table_->open(&self_, on_device_ ? ASSAY_ON_CUDA : ASSAY_ON_HOST);
  if (status != 0) throw SubjectError(source_ + ": " + error_of("open", status));
  is_open_ = true;
}

Table::~Table() {
  if (is_open_ && table_->close != nullptr) table_->close(self_);
}

std::vector<std::pair<std::string, std::string>> Table::kernels() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const assay_kernel& each : std::span(table_->kernels, table_->kernel_count)) {
    all.emplace_back(each.operation, each.format);
  }
  return all;
}

bool Table::runs_on_host() const { return (table_->devices & ASSAY_ON_HOST) != 0; }
bool Table::runs_on_device() const { return (table_->devices & ASSAY_ON_CUDA) != 0; }

std::string Table::description() const {
  std::string text = one_line(table_->name) + " " + one_line(table_->version);
  const char* const knobs = is_open_ && table_->knobs != nullptr ? table_->knobs(self_) : nullptr;
  std::istringstream lines(knobs == nullptr ? "" : knobs);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) text += "; " + one_line(line.c_str());
  }
  return text;
}

std::string Table::error_of(const char* function, int status) const {
  const std::string text = one_line(table_->error_text == nullptr ? nullptr : table_->error_text(self_, status));
  return std::string(function) + " returned status " + std::to_string(status) + (text.empty() ? "" : ": " + text);
}

void Table::run(const Executor& on, const std::vector<assay_args>& cases, std::vector<DLTensor>& out) const {
  if (table_->reset != nullptr) {
    if (const int status = table_->reset(self_); status != 0) throw ExecutorError(error_of("reset", status));
  }
  const int status = table_->run(self_, cases.data(), out.data(), cases.size(), nullptr);
  wait(on);
  if (status != 0) throw ExecutorError(error_of("run", status));
}

std::shared_ptr<ForeignProgram> kernel_of(std::shared_ptr<const Table> table, const std::string& operation,
                                          const std::string& format) {
  return std::make_shared<TableKernel>(std::move(table), operation, format);
}

}  // namespace assay::doors
