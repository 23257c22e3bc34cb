// The sum and the dot product of two vectors that lie on several MPI ranks: the same bits for any number of ranks.
//
//   mpirun -n 4 reproducible [cuda]
//
// Each rank adds up its part as an accumulator of assay::sum, which travels as bytes and is merged by an MPI operation
// of our own. The last line is the sum in plain binary64 additions, whose last bits depend on the number of ranks.

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "arith/accumulators/binned.hpp"
#include "exec/executor.hpp"
#include "kernels/sum/binned.hpp"
#include "kernels/sum/generated_terms.hpp"

namespace {

using Sum = assay::BinnedSum<double, 3>;

/// The MPI operation: into[i] = into[i] + from[i].
void merge(void* from, void* into, int* count, MPI_Datatype* /*type*/) {
  const std::span<const Sum> others(static_cast<const Sum*>(from), static_cast<std::size_t>(*count));
  Sum* sum = static_cast<Sum*>(into);
  for (const Sum& other : others) (sum++)->add(other);
}

/// The type of the messages and their operation, for as long as the object lives.
class Merging {
 public:
  Merging() {
    MPI_Type_contiguous(static_cast<int>(sizeof(Sum)), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
    MPI_Op_create(merge, 1, &operation_);
  }
  ~Merging() {
    MPI_Op_free(&operation_);
    MPI_Type_free(&type_);
  }
  Merging(const Merging&) = delete;
  Merging& operator=(const Merging&) = delete;

  /// Σ over all ranks, on rank 0.
  Sum operator()(const Sum& part) const {
    Sum total = Sum::empty();
    MPI_Reduce(&part, &total, 1, type_, operation_, 0, MPI_COMM_WORLD);
    return total;
  }

 private:
  MPI_Datatype type_{};
  MPI_Op operation_{};
};

/// Numbers `first` … `last` − 1 of a vector: ±f·2^e with random bits of f and −20 ≤ e ≤ 20.
std::vector<double> numbers(std::uint64_t seed, std::uint64_t first, std::uint64_t last) {
  std::vector<double> x;
  for (std::uint64_t i = first; i < last; ++i) x.push_back(assay::sum::generated_number(seed, i));
  return x;
}

void add_up(const assay::Executor& on) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  constexpr std::uint64_t n = 100003;
  const std::uint64_t first = n * static_cast<std::uint64_t>(rank) / static_cast<std::uint64_t>(ranks);
  const std::uint64_t last = n * static_cast<std::uint64_t>(rank + 1) / static_cast<std::uint64_t>(ranks);
  const std::vector<double> x = numbers(1, first, last);
  const std::vector<double> y = numbers(2, first, last);

  const Merging over_ranks;
  const Sum sum = over_ranks(assay::sum::binned_sum<double, 3>(on, assay::sum::BinnedTerms::numbers, x));
  const Sum dot = over_ranks(assay::sum::binned_dot<double, 3>(on, x, y));
  const Sum squares = over_ranks(assay::sum::binned_dot<double, 3>(on, x, x));

  const double part = std::accumulate(x.begin(), x.end(), 0.0);
  double plain = 0;
  MPI_Reduce(&part, &plain, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("sum   %a\ndot   %a\nnorm  %a\nplain %a\n", sum.value(), dot.value(), squares.root(), plain);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    const bool on_device = argc == 2 && std::string_view(argv[1]) == "cuda";
    if (argc > 1 && !on_device) throw std::invalid_argument("usage: reproducible [cuda]");
    add_up(on_device ? assay::Executor::cuda() : assay::Executor::host());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reproducible: %s\n", error.what());
    status = 1;
  }
  if (status != 0) MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Finalize();
  return status;
}
