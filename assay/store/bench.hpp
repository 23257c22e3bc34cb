#pragma once
// Times against size: the output of `assay bench`.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assay/store/json.hpp"

namespace assay::store {

/// The time of one call at one size.
struct BenchPoint {
  std::uint64_t size = 0;
  double seconds = 0;  ///< the median of the repetitions
  double least = 0;    ///< the least repetition
  std::uint64_t repetitions = 0;
  std::optional<double> of_peer;   ///< of a kernel: seconds / seconds of the fastest peer at this size
  std::optional<double> of_limit;  ///< of a kernel: seconds / seconds of the slowest limit at this size
};

/// The role of a curve: the kernel, another implementation of the same operation, or a limit of the machine.
enum class BenchRole { kernel, peer, limit };
std::string_view word(BenchRole role);
std::span<const std::string_view> words_of(BenchRole);

/// The times of one program on one machine.
struct BenchCurve {
  std::string kernel;
  BenchRole role = BenchRole::kernel;
  std::string name;      ///< of the peer or limit; empty for the kernel itself
  std::string executor;  ///< "host" or "cuda"
  std::uint64_t threads = 1;
  std::string machine;             ///< times of different machines are not compared
  std::vector<BenchPoint> points;  ///< by size

  /// Whether another curve belongs to the same kernel on the same executor.
  bool is_beside(const BenchCurve& other) const {
    return kernel == other.kernel && executor == other.executor && machine == other.machine;
  }
};

struct Bench {
  std::optional<std::uint64_t> begun;             ///< seconds since 1970; empty if several runs are merged
  std::map<std::string, std::string> provenance;  ///< as Summary::provenance
  std::vector<BenchCurve> curves;                 ///< by kernel, executor, role, name, threads
};

/// The document (docs/bench.schema.json), without its checksum.
Json bench_to_json(const Bench& bench);
/// Throws JsonError.
Bench bench_from_json(const Json& value);
/// The bytes of bench.json: the document with its checksum.
std::string bench_bytes(const Bench& bench);

/// The curves of a document that programs of Google Benchmark write with --benchmark_format=json, without ratios.
/// `left_out`: one line for each benchmark that was not measured or names no size. Throws JsonError.
std::vector<BenchCurve> curves_of_google_benchmark(const Json& value, std::vector<std::string>& left_out);

/// Either document. Throws DamagedFile.
Bench read_bench(const std::filesystem::path& path, std::vector<std::string>& left_out);

/// Adds the curves of another run, without recomputing ratios. Date and provenance are kept where they agree.
void append(Bench& bench, Bench other);

/// Sorts the curves and computes the ratios to peers and limits. Throws JsonError if two curves are the same.
void relate(Bench& bench);

/// d log seconds / d log size over the largest sizes, from the last point and the nearest point that is at least 8
/// times smaller; empty if there is none.
std::optional<double> growth(const BenchCurve& curve);

}  // namespace assay::store
