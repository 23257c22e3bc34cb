#include "assay/doors/answers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "assay/doors/conversation.hpp"
#include "assay/store/printable.hpp"
#include "exec/executor.hpp"
#include "oracle/decimal.hpp"
#include "oracle/decode.hpp"

namespace assay::doors {
namespace {

/// The bytes of a length field, as text if they are letters.
std::string first_bytes(std::uint32_t length) {
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  const auto is_text = [](char each) { return each >= ' ' && each <= '~'; };
  return std::all_of(bytes.begin(), bytes.end(), is_text) ? '"' + bytes + '"'
                                                          : "a header of " + std::to_string(length) + " bytes";
}

/// The value of a whole text; empty for any other text, and for a number that T cannot represent.
template <class T>
std::optional<T> whole(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> integer_of(std::string_view text) {
  const std::optional<std::int32_t> value = whole<std::int32_t>(text);
  return value ? std::optional<std::uint64_t>(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

/// The pattern of a text; empty if it stands for no number of the format.
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

}  // namespace

std::vector<std::uint64_t> numbers_of_frame(const ReadBytes& read, std::size_t numbers, const oracle::Format& format) {
  std::uint32_t length = 0;
  read(&length, sizeof length);
  constexpr std::uint32_t longest_header = 1U << 20;
  if (length > longest_header) throw ExecutorError("its answer is not a frame: it begins with " + first_bytes(length));
  std::string text(length, '\0');
  read(text.data(), text.size());
  const store::Json header = store::Json::parse(text, nullptr, false);
  if (header.is_object() && header.contains("error")) throw ExecutorError("it says: " + text_of(header.at("error")));
  const auto width = static_cast<std::size_t>(format.width() / 8);
  if (!header.is_object() || !header.contains("bytes") || header.at("bytes") != numbers * width) {
    throw ExecutorError("its answer is not a frame of " + std::to_string(numbers * width) +
                        " bytes: " + store::printable(text.substr(0, 80)));
  }
  std::vector<char> bytes(numbers * width);
  read(bytes.data(), bytes.size());
  std::vector<std::uint64_t> results(numbers);
  for (std::size_t i = 0; i < numbers; ++i) std::memcpy(&results[i], bytes.data() + i * width, width);
  return results;
}

std::vector<std::uint64_t> numbers_of_line(std::string_view line, std::size_t numbers,
                                           const std::optional<oracle::Format>& format) {
  constexpr std::string_view between = " \t\r,";
  constexpr std::string_view error = "error:";
  if (line.starts_with(error)) {
    const std::size_t text = line.find_first_not_of(between, error.size());
    throw ExecutorError("it says: " + store::printable(text == std::string_view::npos ? line : line.substr(text)));
  }
  std::vector<std::uint64_t> results;
  for (std::size_t end = 0;;) {
    const std::size_t begin = line.find_first_not_of(between, end);
    if (begin == std::string_view::npos) break;
    end = std::min(line.find_first_of(between, begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    const std::optional<std::uint64_t> bits = format ? pattern_of(word, *format) : integer_of(word);
    if (!bits) {
      throw NoAnswer(
          "'" + store::printable(word.substr(0, 80)) + "' is " +
          (format ? "no " + oracle::name(*format) + " number; accepted are 0x1.8p+3, 12, 1.2e1, inf, -inf and nan"
                  : "not an integer of 32 bits; accepted are integers such as -12"));
    }
    results.push_back(*bits);
  }
  if (results.size() != numbers) {
    throw NoAnswer(std::to_string(results.size()) + " numbers instead of " + std::to_string(numbers));
  }
  return results;
}

}  // namespace assay::doors
