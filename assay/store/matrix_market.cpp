#include "assay/store/matrix_market.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "assay/store/case_file.hpp"
#include "assay/store/printable.hpp"

namespace assay::store {
namespace {

using Fields = std::vector<std::string_view>;

Fields fields_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\f\v";
  Fields fields;
  for (std::size_t at = line.find_first_not_of(blanks); at < line.size(); at = line.find_first_not_of(blanks, at)) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end;
  }
  return fields;
}

std::string lower(std::string_view word) {
  std::string text(word);
  std::ranges::transform(text, text.begin(), [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
  return text;
}

/// A word of the file in a message: short, and safe for a terminal.
std::string shown(std::string_view word) {
  constexpr std::size_t most = 40;
  return printable(word.size() <= most ? std::string(word) : std::string(word.substr(0, most)) + "…");
}

/// The pattern of a finite decimal number, or nothing.
template <class T, class Bits>
std::optional<std::uint64_t> rounded(std::string_view word, bool& is_out_of_range) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);  // from_chars() takes no plus
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  is_out_of_range = error == std::errc::result_out_of_range;
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return std::bit_cast<Bits>(value);
}

class Reader {
 public:
  Reader(const std::filesystem::path& path, const oracle::Format& format)
      : path_(path), is_wide_(format == oracle::binary64), text_(read_file(path)), rest_(text_) {
    if (!is_wide_ && format != oracle::binary32) throw OtherMatrix(path, "its numbers are read in f64 and f32 alone");
  }

  MatrixFile read() {
    read_banner();
    read_size();
    for (std::uint64_t k = 0; k < count_; ++k) is_array_ ? read_number(k) : read_entry(k);
    if (const auto more = next_line()) damaged("more than the " + std::to_string(count_) + " entries of its size line");
    std::ranges::sort(matrix_.entries, {}, place);
    const auto twice = std::ranges::adjacent_find(matrix_.entries, {}, place);
    if (twice != matrix_.entries.end()) {
      throw DamagedFile(path_, "entry (" + std::to_string(twice->row + 1) + ", " + std::to_string(twice->column + 1) +
                                   ") is there twice");
    }
    return std::move(matrix_);
  }

 private:
  static std::pair<std::int64_t, std::int64_t> place(const MatrixFile::Entry& entry) {
    return {entry.row, entry.column};
  }

  [[noreturn]] void damaged(const std::string& reason) const {
    throw DamagedFile(path_, "line " + std::to_string(line_) + ": " + reason);
  }

  std::string_view raw_line() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    return line;
  }
  /// The fields of the next line that is neither blank nor a comment; empty at the end.
  std::optional<Fields> next_line() {
    while (!rest_.empty()) {
      const std::string_view line = raw_line();
      if (line.starts_with('%')) continue;
      if (Fields fields = fields_of(line); !fields.empty()) return fields;
    }
    return std::nullopt;
  }

  void read_banner() {
    const Fields fields = fields_of(raw_line());
    if (fields.size() != 5 || lower(fields[0]) != "%%matrixmarket") {
      damaged("not the banner %%MatrixMarket matrix coordinate|array real|integer general|symmetric");
    }
    const auto is_one_of = [&](std::size_t at, std::initializer_list<std::string_view> known,
                               std::initializer_list<std::string_view> taken) {
      const std::string word = lower(fields[at]);
      if (std::ranges::find(known, word) == known.end()) damaged("no word of a banner: " + shown(fields[at]));
      if (std::ranges::find(taken, word) != taken.end()) return word;
      std::string text;
      for (const std::string_view each : taken) text += (text.empty() ? "" : " or ") + std::string(each);
      throw OtherMatrix(path_, "line 1: " + word + " is not taken; accepted: " + text);
    };
    is_one_of(1, {"matrix", "vector"}, {"matrix"});
    is_array_ = is_one_of(2, {"coordinate", "array"}, {"coordinate", "array"}) == "array";
    is_one_of(3, {"real", "double", "integer", "complex", "pattern"}, {"real", "double", "integer"});
    is_symmetric_ =
        is_one_of(4, {"general", "symmetric", "skew-symmetric", "hermitian"}, {"general", "symmetric"}) == "symmetric";
  }

  std::int64_t integer(std::string_view word, const char* what) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 0) {
      damaged(std::string(what) + " is not an integer from 0 on: " + shown(word));
    }
    return value;
  }

  void read_size() {
    const std::optional<Fields> fields = next_line();
    const std::size_t due = is_array_ ? 2 : 3;
    if (!fields || fields->size() != due) {
      damaged(is_array_ ? "a size line has rows and columns"
                        : "a size line has rows, columns and the number of entries");
    }
    matrix_.rows = integer((*fields)[0], "the number of rows");
    matrix_.columns = integer((*fields)[1], "the number of columns");
    if (matrix_.rows > most_rows_of_file || matrix_.columns > most_rows_of_file) {
      throw OtherMatrix(path_, "line " + std::to_string(line_) + ": " + std::to_string(matrix_.rows) + " × " +
                                   std::to_string(matrix_.columns) + " is too large; accepted: up to " +
                                   std::to_string(most_rows_of_file) + " rows and columns");
    }
    if (is_symmetric_ && matrix_.rows != matrix_.columns) damaged("a symmetric matrix is square");
    const auto stored = is_symmetric_ ? matrix_.rows * (matrix_.rows + 1) / 2 : matrix_.rows * matrix_.columns;
    const std::int64_t named = is_array_ ? stored : integer((*fields)[2], "the number of entries");
    if (named > stored) damaged(std::to_string(named) + " entries, but only " + std::to_string(stored) + " places");
    count_ = static_cast<std::uint64_t>(named);
  }

  Fields entry_line(std::uint64_t k, std::size_t count, const char* what) {
    const std::optional<Fields> line = next_line();
    if (!line) {
      damaged("the file ends after " + std::to_string(k) + " of " + std::to_string(count_) + " entries");
    }
    if (line->size() != count)
      damaged(std::string(what) + " is due, not: " + shown(line->front()) + (line->size() == 1 ? "" : " …"));
    return *line;
  }

  void add(std::int64_t row, std::int64_t column, std::string_view word) {
    bool is_out_of_range = false;
    const std::optional<std::uint64_t> bits = is_wide_ ? rounded<double, std::uint64_t>(word, is_out_of_range)
                                                       : rounded<float, std::uint32_t>(word, is_out_of_range);
    if (is_out_of_range) damaged("outside the range of the format: " + shown(word));
    if (!bits) damaged("not a number: " + shown(word));
    matrix_.entries.push_back({row, column, *bits});
    if (is_symmetric_ && row != column) matrix_.entries.push_back({column, row, *bits});
  }

  /// Number k of an array: column by column, of a symmetric one the lower triangle.
  void read_number(std::uint64_t k) {
    const Fields fields = entry_line(k, 1, "one number");
    add(row_, column_, fields[0]);
    if (++row_ == matrix_.rows) row_ = is_symmetric_ ? ++column_ : (++column_, 0);
  }

  void read_entry(std::uint64_t k) {
    const Fields fields = entry_line(k, 3, "row, column and number");
    const std::int64_t row = integer(fields[0], "the row");
    const std::int64_t column = integer(fields[1], "the column");
    if (row < 1 || row > matrix_.rows || column < 1 || column > matrix_.columns) {
      damaged("entry (" + std::to_string(row) + ", " + std::to_string(column) + ") is outside the " +
              std::to_string(matrix_.rows) + " × " + std::to_string(matrix_.columns) + " matrix");
    }
    if (is_symmetric_ && row < column) damaged("a symmetric matrix lists its lower triangle alone");
    add(row - 1, column - 1, fields[2]);
  }

  const std::filesystem::path& path_;
  bool is_wide_;
  std::string text_;
  std::string_view rest_;
  std::size_t line_ = 0;
  bool is_array_ = false;
  bool is_symmetric_ = false;
  std::uint64_t count_ = 0;
  std::int64_t row_ = 0;  ///< of the next number of an array, as the column
  std::int64_t column_ = 0;
  MatrixFile matrix_;
};

}  // namespace

MatrixFile read_matrix_market(const std::filesystem::path& path, const oracle::Format& format) {
  return Reader(path, format).read();
}

}  // namespace assay::store
