// The collective operations of an MPI library as a kernel: rank 0 speaks the protocol of docs/pipe.md, hands each rank
// its array, and collects what the ranks got. docs/collectives.md says how it is checked.
// mpicxx -std=c++20 -O2 mpi_collectives.cpp -o mpi_collectives, then:
// assay check --operation all_reduce --shape ranks=2..3 --subject "mpirun -n 3 ./mpi_collectives"
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

float float_of(std::uint32_t bits) {
  float x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// bfloat16, the upper half of a binary32.
struct Bf16 {
  std::uint16_t bits;
  explicit operator float() const { return float_of(std::uint32_t{bits} << 16); }
  /// RN(x), ties to even.
  static Bf16 nearest(float x) {
    std::uint32_t word = 0;
    std::memcpy(&word, &x, sizeof word);
    if (x != x) return {static_cast<std::uint16_t>((word >> 16) | 0x40)};
    return {static_cast<std::uint16_t>((word + 0x7fff + ((word >> 16) & 1)) >> 16)};
  }
};

#ifdef __FLT16_MAX__
/// binary16.
struct F16 {
  _Float16 value;
  explicit operator float() const { return static_cast<float>(value); }
  static F16 nearest(float x) { return {static_cast<_Float16>(x)}; }
};
#endif

/// RN(a + b): the sum in binary32 is rounded twice, which gives the same number as rounding once (24 ≥ 2p + 2).
template <class Narrow>
void add(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* a = static_cast<const Narrow*>(in);
  auto* b = static_cast<Narrow*>(inout);
  for (int i = 0; i < *count; ++i) b[i] = Narrow::nearest(static_cast<float>(a[i]) + static_cast<float>(b[i]));
}
template <class Narrow>
void take_larger(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* a = static_cast<const Narrow*>(in);
  auto* b = static_cast<Narrow*>(inout);
  for (int i = 0; i < *count; ++i) b[i] = static_cast<float>(a[i]) > static_cast<float>(b[i]) ? a[i] : b[i];
}
template <class Narrow>
void take_smaller(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* a = static_cast<const Narrow*>(in);
  auto* b = static_cast<Narrow*>(inout);
  for (int i = 0; i < *count; ++i) b[i] = static_cast<float>(a[i]) < static_cast<float>(b[i]) ? a[i] : b[i];
}

/// What the ranks compute, and of what numbers.
struct Kernel {
  bool scatters = false;  ///< reduce_scatter
  bool gathers = false;   ///< all_gather
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_SUM;
  std::size_t bytes = 0;  ///< of a number
  [[nodiscard]] bool is_known() const { return type != MPI_DATATYPE_NULL; }
};

template <class Narrow>
void use_operation_of(Kernel& kernel) {
  kernel.type = MPI_UINT16_T;
  const bool is_sum = kernel.op == MPI_SUM;
  auto* const function = is_sum ? add<Narrow> : kernel.op == MPI_MAX ? take_larger<Narrow> : take_smaller<Narrow>;
  MPI_Op_create(function, 1, &kernel.op);
}

Kernel kernel_of(std::string_view operation, std::string_view format) {
  Kernel kernel{.scatters = operation == "reduce_scatter", .gathers = operation == "all_gather"};
  const bool is_largest = operation == "all_reduce_max";
  const bool is_least = operation == "all_reduce_min";
  if (!kernel.scatters && !kernel.gathers && !is_largest && !is_least && operation != "all_reduce") return kernel;
  if (is_largest) kernel.op = MPI_MAX;
  if (is_least) kernel.op = MPI_MIN;
  if (format == "f64") kernel.type = MPI_DOUBLE;
  if (format == "f32") kernel.type = MPI_FLOAT;
  if (format == "bf16") use_operation_of<Bf16>(kernel);
#ifdef __FLT16_MAX__
  if (format == "f16") use_operation_of<F16>(kernel);
#endif
  kernel.bytes = format == "f64" ? 8 : format == "f32" ? 4 : 2;
  return kernel;
}

/// The communicators of the first 1, 2, … ranks.
std::vector<MPI_Comm> communicators(int ranks, int rank) {
  std::vector<MPI_Comm> all;
  for (int count = 1; count <= ranks; ++count) {
    MPI_Comm each = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank < count ? 0 : MPI_UNDEFINED, rank, &each);
    all.push_back(each);
  }
  return all;
}

/// The arrays of all ranks of the communicator, at rank 0: `x` before and the results behind. Other ranks give nothing
/// and get nothing.
std::vector<char> computed(const Kernel& kernel, MPI_Comm ranks, int n, const char* x) {
  int count = 0;
  int rank = 0;
  MPI_Comm_size(ranks, &count);
  MPI_Comm_rank(ranks, &rank);
  const int held = kernel.scatters ? count * n : n;
  const int got = kernel.gathers ? count * n : n;
  const auto bytes_of = [&](int numbers) { return static_cast<std::size_t>(numbers) * kernel.bytes; };
  std::vector<char> mine(bytes_of(held) + 1);
  std::vector<char> result(bytes_of(got) + 1, '\xff');
  std::vector<char> all(rank == 0 ? bytes_of(got) * static_cast<std::size_t>(count) : 0);
  MPI_Scatter(x, held, kernel.type, mine.data(), held, kernel.type, 0, ranks);
  if (kernel.gathers) {
    MPI_Allgather(mine.data(), n, kernel.type, result.data(), n, kernel.type, ranks);
  } else if (kernel.scatters) {
    const std::vector<int> counts(static_cast<std::size_t>(count), n);
    MPI_Reduce_scatter(mine.data(), result.data(), counts.data(), kernel.type, kernel.op, ranks);
  } else {
    MPI_Allreduce(mine.data(), result.data(), n, kernel.type, kernel.op, ranks);
  }
  MPI_Gather(result.data(), got, kernel.type, all.data(), got, kernel.type, 0, ranks);
  return all;
}

/// The text between quotes that follows `"key": `. Empty where there is none.
std::string_view text_of(std::string_view line, std::string_view key) {
  std::size_t at = line.find("\"" + std::string(key) + "\"");
  if (at == std::string_view::npos) return {};
  at = line.find('"', line.find(':', at));
  return line.substr(at + 1, line.find('"', at + 1) - at - 1);
}
std::size_t number_of(std::string_view header, std::string_view key) {
  const std::size_t at = header.find("\"" + std::string(key) + "\"");
  if (at == std::string_view::npos) std::exit(1);
  return std::strtoull(header.data() + header.find(':', at) + 1, nullptr, 10);
}

void write_frame(const std::string& header, const std::vector<char>& bytes) {
  const auto length = static_cast<std::uint32_t>(header.size());
  std::fwrite(&length, sizeof length, 1, stdout);
  std::fwrite(header.data(), 1, header.size(), stdout);
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  std::fflush(stdout);
}

bool read_exactly(void* to, std::size_t bytes) { return std::fread(to, 1, bytes, stdin) == bytes; }

/// Answers the frames, at rank 0. compute(ranks, n, x) has the results of a case.
template <class Compute>
void answer(const Kernel& kernel, std::int64_t most_ranks, const Compute& compute) {
  std::uint32_t length = 0;
  while (read_exactly(&length, sizeof length)) {
    std::string header(length, '\0');
    if (!read_exactly(header.data(), length)) return;
    const std::size_t cases = number_of(header, "cases");
    std::vector<char> bytes(number_of(header, "bytes"));
    if (!read_exactly(bytes.data(), bytes.size())) return;
    // First the ranks of all cases, then the n of all cases, then the arrays.
    std::vector<std::int64_t> lengths(2 * cases);
    std::memcpy(lengths.data(), bytes.data(), 16 * cases);
    const char* x = bytes.data() + 16 * cases;
    std::vector<char> results;
    std::string error;
    for (std::size_t i = 0; i < cases && error.empty(); ++i) {
      const std::int64_t ranks = lengths[i];
      const std::int64_t n = lengths[cases + i];
      if (ranks > most_ranks) {
        error = std::to_string(ranks) + " ranks are asked for, and there are " + std::to_string(most_ranks);
        break;
      }
      const std::vector<char> result = compute(ranks, n, x);
      results.insert(results.end(), result.begin(), result.end());
      x += static_cast<std::size_t>(ranks * n * (kernel.scatters ? ranks : 1)) * kernel.bytes;
    }
    if (error.empty()) {
      write_frame("{\"bytes\": " + std::to_string(results.size()) + "}", results);
    } else {
      write_frame("{\"error\": \"" + error + "\"}", {});
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  int rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char line[4096] = {};
  if (rank == 0 && std::fgets(line, sizeof line, stdin) == nullptr) line[0] = '\0';
  MPI_Bcast(line, sizeof line, MPI_CHAR, 0, MPI_COMM_WORLD);
  const Kernel kernel = kernel_of(text_of(line, "operation"), text_of(line, "format"));
  const std::vector<MPI_Comm> first = communicators(ranks, rank);
  const auto compute = [&](std::int64_t count, std::int64_t n, const char* x) {
    std::int64_t job[2] = {count, n};
    MPI_Bcast(job, 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
    return computed(kernel, first[static_cast<std::size_t>(count - 1)], static_cast<int>(n), x);
  };
  if (rank == 0) {
    std::puts(kernel.is_known() ? "{\"protocol\": 1}" : "{\"error\": \"no such operation or format here\"}");
    std::fflush(stdout);
    if (kernel.is_known()) answer(kernel, ranks, compute);
    std::int64_t end[2] = {0, 0};
    MPI_Bcast(end, 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
  } else {
    std::int64_t job[2] = {0, 0};
    while (MPI_Bcast(job, 2, MPI_INT64_T, 0, MPI_COMM_WORLD) == MPI_SUCCESS && job[0] != 0) {
      if (rank < job[0])
        computed(kernel, first[static_cast<std::size_t>(job[0] - 1)], static_cast<int>(job[1]), nullptr);
    }
  }
  MPI_Finalize();
  return 0;
}
