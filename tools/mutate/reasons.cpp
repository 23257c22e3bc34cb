#include "tools/mutate/reasons.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

namespace mutate {
namespace {

constexpr std::array<std::string_view, 8> kinds = {"same",    "cost",  "contract", "proof",
                                                   of_device, "loose", "test",     "open"};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// The cells of a row, without the escapes of bars and without the marks of code around a whole cell.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell += line[++i];
    } else if (line[i] == '|') {
      cell = trimmed(cell);
      if (cell.size() > 1 && cell.front() == '`' && cell.back() == '`') cell = cell.substr(1, cell.size() - 2);
      cells.push_back(trimmed(cell));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

}  // namespace

bool is_argued(const std::string& kind) {
  return kind == "same" || kind == "cost" || kind == "contract" || kind == "proof";
}

Reasons::Reasons(const std::filesystem::path& page) {
  std::ifstream in(page);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("|")) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 6 || cells[0] == "place" || cells[0] == "---") continue;
    if (std::find(kinds.begin(), kinds.end(), cells[4]) == kinds.end()) {
      throw std::runtime_error(page.string() + ": \"" + cells[4] + "\" is no kind of a reason");
    }
    all_.push_back({cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]});
  }
}

const Reason* Reasons::of(const Mutant& mutant) const {
  const std::string place = mutant.file + ":" + std::to_string(mutant.place.line);
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Reason& each) {
    return each.place == place && each.operation == mutant.operation && each.was == mutant.was &&
           each.becomes == mutant.becomes;
  });
  return found == all_.end() ? nullptr : &*found;
}

}  // namespace mutate
