// Programs that are spoken to in lines of text: a line for each case, a line for each answer.

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

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

/// The value of a whole text; nothing for another text and for a number that T does not have.
template <class T>
std::optional<T> whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The pattern of a text; nothing where it stands for no number of the format. A decimal number stands for the nearest
/// number of binary64 or, in narrower formats, of binary32.
std::optional<std::uint64_t> pattern_of(std::string_view text, const oracle::Format& format) {
  if (text == "nan" || text == "-nan") return format.nan();
  std::string hexadecimal(text);
  if (const auto value = format == oracle::binary64 ? whole<double>(text) : std::nullopt) {
    hexadecimal = oracle::to_hex(oracle::binary64, std::bit_cast<std::uint64_t>(*value));
  } else if (const auto narrow = format != oracle::binary64 ? whole<float>(text) : std::nullopt) {
    hexadecimal = oracle::to_hex(oracle::binary32, std::bit_cast<std::uint32_t>(*narrow));
  }
  try {
    return oracle::parse_hex(format, hexadecimal);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// A program that is spoken to in lines.
class Lines final : public ForeignProgram {
 public:
  Lines(const std::string& command, const std::string& operation, const std::string& format)
      : program_(command, operation, format, Speech::lines), integers_(format.starts_with('s')) {}

  std::vector<std::uint64_t> compute(const Executor& /*on*/, std::span<const Record> cases,
                                     std::span<const std::size_t> numbers, const oracle::Format& format) override {
    std::vector<std::uint64_t> results;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      put_line(cases[i], integers_, line_);
      program_.write(line_);
      program_.read_line(line_);
      ++answers_;
      take_answer(numbers[i], format, results);
    }
    return results;
  }

 private:
  static constexpr std::string_view between = " \t\r,";

  /// Adds the numbers of the line to the results.
  void take_answer(std::size_t numbers, const oracle::Format& format, std::vector<std::uint64_t>& results) const {
    constexpr std::string_view error = "error:";
    if (line_.starts_with(error)) {
      const std::size_t text = line_.find_first_not_of(between, error.size());
      throw ExecutorError("it says: " + (text == std::string::npos ? line_ : line_.substr(text)));
    }
    const std::size_t before = results.size();
    for (std::size_t end = 0;;) {
      const std::size_t begin = line_.find_first_not_of(between, end);
      if (begin == std::string::npos) break;
      end = std::min(line_.find_first_of(between, begin), line_.size());
      const std::string_view word = std::string_view(line_).substr(begin, end - begin);
      const std::optional<std::uint64_t> bits = integers_ ? integer_of(word) : pattern_of(word, format);
      if (!bits) {
        refuse("'" + std::string(word.substr(0, 80)) + "' is " +
               (integers_ ? "no integer of 32 bits" : "no " + oracle::name(format) + " number") + "; accepted are " +
               (integers_ ? "integers such as -12" : "0x1.8p+3, 12, 1.2e1, inf, -inf and nan"));
      }
      results.push_back(*bits);
    }
    if (results.size() - before != numbers) {
      refuse(std::to_string(results.size() - before) + " numbers in place of " + std::to_string(numbers));
    }
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw ExecutorError("line " + std::to_string(answers_) + " of its answers: " + why);
  }

  static std::optional<std::uint64_t> integer_of(std::string_view text) {
    const std::optional<std::int32_t> value = whole<std::int32_t>(text);
    return value ? std::optional<std::uint64_t>(static_cast<std::uint32_t>(*value)) : std::nullopt;
  }

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
