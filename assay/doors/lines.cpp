// Programs that use lines of text: a line for each case, a line for each answer.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "assay/doors/answers.hpp"
#include "assay/doors/conversation.hpp"
#include "assay/doors/program.hpp"
#include "oracle/decimal.hpp"
#include "oracle/decode.hpp"
#include "properties/framework/limbs.hpp"

namespace assay::doors {
namespace {

/// Appends a number or an integer. `of_8_bits`: the pattern is a signed integer of 8 bits.
void append_number(std::string& line, const oracle::Format& format, std::uint64_t bits, bool of_8_bits) {
  if (format == limb_format) {
    line += std::to_string(static_cast<std::int64_t>(bits));
  } else if (of_8_bits) {
    line += std::to_string(static_cast<std::int8_t>(static_cast<std::uint8_t>(bits)));
  } else {
    line += oracle::is_nan(format, bits) ? "nan" : oracle::to_hex(format, bits);
  }
}

/// The line of a case: "x=0x1p+0,0x1.8p+1 alpha=0x1p-1 n=2".
void put_line(const Record& record, bool of_8_bits, std::string& line) {
  line.clear();
  for (const FieldValue& field : record.fields) {
    line += (line.empty() ? "" : " ") + field.name + "=";
    const auto* const words = std::get_if<Words>(&field.value);
    if (words == nullptr) {
      line += std::to_string(std::get<std::int64_t>(field.value));
      continue;
    }
    for (std::size_t i = 0; i < words->bits.size(); ++i) {
      if (i != 0) line += ',';
      append_number(line, words->format, words->bits[i], of_8_bits);
    }
  }
  line += '\n';
}

/// A program that uses lines of text.
class Lines final : public ForeignProgram {
  static constexpr std::size_t longest_line = std::size_t{1} << 16;  // and for each number this many:
  static constexpr std::size_t longest_number = 1100;                // the digits of the smallest number of binary64

 public:
  Lines(const std::string& command, const std::string& operation, const std::string& format)
      : program_(command, operation, format, Speech::lines), integers_(format.starts_with('s')) {}

  std::vector<std::uint64_t> compute(const Executor& /*on*/, std::span<const Record> cases,
                                     std::span<const std::size_t> numbers, const oracle::Format& format) override {
    std::vector<std::uint64_t> results;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      put_line(cases[i], integers_, line_);
      program_.write(line_);
      program_.read_line(line_, longest_line + longest_number * numbers[i]);
      ++answers_;
      try {
        const std::vector<std::uint64_t> answer =
            numbers_of_line(line_, numbers[i], integers_ ? std::nullopt : std::optional(format));
        results.insert(results.end(), answer.begin(), answer.end());
      } catch (const NoAnswer& why) {
        throw ExecutorError("line " + std::to_string(answers_) + " of its answers: " + why.what());
      }
    }
    return results;
  }

 private:
  Conversation program_;
  bool integers_;
  std::string line_;
  std::size_t answers_ = 0;
};

}  // namespace

std::shared_ptr<ForeignProgram> lines_of(const std::string& command, const std::string& operation,
                                         const std::string& format) {
  return std::make_shared<Lines>(command, operation, format);
}

}  // namespace assay::doors
