#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

#include "exec/host_threads.hpp"
#include "kernels/gemm/detail/superaccumulator_host.hpp"
#include "kernels/sum/exact_sum_host.hpp"

namespace assay::gemm::detail {
namespace {

constexpr std::int64_t block = 16;  ///< rows and columns that a thread processes together

/// Lines of a matrix in sequence, each padded with zeros to whole tiles of the sum: an exact zero is +0 whatever its
/// terms are, and 0·0 changes no sum.
class Lines {
 public:
  Lines(std::int64_t lines, std::int64_t length)
      : length_(length),
        padded_((length + sum::host_tile - 1) / sum::host_tile * sum::host_tile),
        numbers_(static_cast<std::size_t>(lines) * static_cast<std::size_t>(padded_)) {}

  void copy(const double* x, std::int64_t line_step, std::int64_t inner_step) {
    const auto lines = static_cast<std::int64_t>(numbers_.size()) / padded_;
    for (std::int64_t i = 0; i < lines; ++i) {
      for (std::int64_t l = 0; l < length_; ++l) {
        numbers_[static_cast<std::size_t>(i * padded_ + l)] = x[i * line_step + l * inner_step];
      }
    }
  }
  [[nodiscard]] const double* operator[](std::int64_t i) const { return numbers_.data() + i * padded_; }
  [[nodiscard]] std::int64_t padded() const { return padded_; }

 private:
  std::int64_t length_;
  std::int64_t padded_;
  std::vector<double> numbers_;
};

/// One product.
void multiply(const GemmEntries& of, const Lines& rows, const Lines& columns, sum::HostVectors vectors,
              unsigned threads) {
  const std::int64_t row_blocks = (of.m - 1) / block + 1;
  const std::int64_t blocks = row_blocks * ((of.n - 1) / block + 1);
  std::atomic<std::int64_t> next{0};
  on_host_threads(threads, [&](unsigned) {
    for (std::int64_t each = next++; each < blocks; each = next++) {
      const std::int64_t first_row = each % row_blocks * block;
      const std::int64_t first_column = each / row_blocks * block;
      for (std::int64_t j = first_column; j < std::min(of.n, first_column + block); ++j) {
        for (std::int64_t i = first_row; i < std::min(of.m, first_row + block); ++i) {
          const Superaccumulator sum = sum::exact_dot_part(vectors, rows[i], columns[j], rows.padded());
          const auto [first, end] = accumulators::used_words(sum.word, Superaccumulator::words);
          of.round_into(i + j * of.ldc, sum.word, first, end, sum.flags);
        }
      }
    }
  });
}

}  // namespace

unsigned superaccumulator_threads(const GemmEntries& of) {
  return host_threads_for(static_cast<double>(of.m) * static_cast<double>(of.n) * static_cast<double>(of.k) / 0x1p18);
}

bool superaccumulator_on_host(const GemmEntries& all, std::int64_t batch) {
  GemmEntries of = all;
  try {
    Lines rows(of.m, of.k);
    Lines columns(of.n, of.k);
    const sum::HostVectors vectors = sum::host_vectors();
    const unsigned threads = superaccumulator_threads(of);
    for (std::int64_t p = 0; p < batch; ++p) {
      rows.copy(of.a.x, of.a.row_step, of.a.column_step);
      columns.copy(of.b.x, of.b.column_step, of.b.row_step);
      multiply(of, rows, columns, vectors, threads);
      if (p + 1 == batch) break;
      of.a.x += of.a.stride;
      of.b.x += of.b.stride;
      of.original_c += of.stride_c;
      of.c += of.stride_c;
    }
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const std::length_error&) {
    return false;
  }
}

}  // namespace assay::gemm::detail
