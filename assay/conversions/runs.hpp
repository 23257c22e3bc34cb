#pragma once
// Conversions by their runs: what they give on all inputs, as a list.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "assay/conversions/answer.hpp"

namespace assay::conversions {

/// Every input from `first` up to the next run, or to the last input, gets this code.
struct Run {
  std::uint64_t first = 0;
  std::uint64_t code = 0;
  bool operator==(const Run&) const = default;
};

/// Whether a subject is a file of runs: its name ends with ".runs".
bool is_file_of_runs(std::string_view subject);

/// The runs in a text with a line "0x3a800001 0x1" for each: input and code. Errors: std::invalid_argument with the
/// number of a line that is no such line, or whose input is not above the one before; the first input is 0.
std::vector<Run> runs_in(std::string_view text, const oracle::NumberFormat& from, const oracle::NumberFormat& to);

/// The runs of a file. Errors: store::DamagedFile if it cannot be read or is not such a text.
std::vector<Run> read_runs(const std::filesystem::path& file, const oracle::NumberFormat& from,
                           const oracle::NumberFormat& to);

/// Compares the runs with all rules, except for `wrap` if a source has more than 16 bits. The answer is about all
/// inputs. Requires: can_ask_every_input(question), and runs as runs_in() gives them (not checked).
Answer answer_of(const Question& question, std::span<const Run> runs);

}  // namespace assay::conversions
