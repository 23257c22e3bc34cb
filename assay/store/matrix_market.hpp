#pragma once
// Matrices in files of the Matrix Market.

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/format.hpp"

namespace assay::store {

/// A file of the Matrix Market whose matrix is not taken here. what() is one line that begins with the path.
class OtherMatrix : public std::runtime_error {
 public:
  OtherMatrix(const std::filesystem::path& path, const std::string& reason)
      : std::runtime_error(path.string() + ": " + reason) {}
};

/// An m × n matrix; both triangles of a symmetric one. Entries that are not listed are 0.
struct MatrixFile {
  struct Entry {
    std::int64_t row = 0;  ///< from 0, as the column
    std::int64_t column = 0;
    std::uint64_t bits = 0;  ///< the number, rounded to nearest
  };
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<Entry> entries;  ///< row by row, each by ascending columns, no place twice
};

/// The most rows and columns of a matrix that is read.
inline constexpr std::int64_t most_rows_of_file = 1024;

/// The matrix in a file, its decimal numbers rounded to nearest in binary64 or binary32 (with its sign where it is 0).
/// Taken: `coordinate` and `array`, `real` and `integer`, `general` and `symmetric`, up to 1024 rows and columns.
/// Errors: OtherMatrix for other fields, symmetries, sizes and formats; DamagedFile for a text that is not in the
/// format, with the number of its line.
/// Source: Boisvert, Pozo, Remington, The Matrix Market exchange formats: initial design, NISTIR 5935, 1996.
MatrixFile read_matrix_market(const std::filesystem::path& path, const oracle::Format& format);

}  // namespace assay::store
