#include "assay/conversions/runs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string>

#include "assay/store/case_file.hpp"

namespace assay::conversions {
namespace {

/// Takes "0x1f" from the front of a text. Empty if it does not begin with a number.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  if (!text.starts_with("0x")) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), number, 16);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// The run of a line "0x3a800001 0x1".
std::optional<Run> run_in(std::string_view line) {
  const std::optional<std::uint64_t> first = take_number(line);
  if (!first || !line.starts_with(' ')) return std::nullopt;
  line.remove_prefix(1);
  const std::optional<std::uint64_t> code = take_number(line);
  if (!code || !line.empty()) return std::nullopt;
  return Run{*first, *code};
}

}  // namespace

bool is_file_of_runs(std::string_view subject) { return subject.ends_with(".runs"); }

std::vector<Run> runs_in(std::string_view text, const oracle::NumberFormat& from, const oracle::NumberFormat& to) {
  const std::uint64_t most_code = ~std::uint64_t{0} >> (64 - 8 * to.bytes());
  std::vector<Run> runs;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::optional<Run> run = run_in(text.substr(0, end));
    const auto refuse = [&](std::string_view why) {
      throw std::invalid_argument(fmt::format("line {}: {}", runs.size() + 1, why));
    };
    if (!run) refuse("an input and its result are accepted, as in '0x3a800001 0x1'");
    if (run->first > from.mask()) refuse(fmt::format("the input has more than {} bits", from.bits));
    if (run->code > most_code) refuse(fmt::format("the result has more than {} bits", 8 * to.bytes()));
    if (runs.empty() ? run->first != 0 : run->first <= runs.back().first) {
      refuse(runs.empty() ? "the first input is not 0" : "the input is not above the one before");
    }
    runs.push_back(*run);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (runs.empty()) throw std::invalid_argument("line 1: there is no run");
  return runs;
}

std::vector<Run> read_runs(const std::filesystem::path& file, const oracle::NumberFormat& from,
                           const oracle::NumberFormat& to) {
  try {
    return runs_in(store::read_file(file), from, to);
  } catch (const std::invalid_argument& error) {
    throw store::DamagedFile(file, error.what());
  }
}

}  // namespace assay::conversions
