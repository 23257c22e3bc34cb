#pragma once
// Hashes of the cases that a kernel gets and of the bits that it returns.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "exec/executor.hpp"
#include "properties/framework/model.hpp"

namespace assay {

/// FNV-1a over numbers and integers in the order in which they are added, eight bytes each, the lowest first.
class Digest {
 public:
  void add(std::uint64_t word);
  /// The format, how many numbers there are, and their patterns.
  void add(const Words& words);
  void add(const Record& record);
  template <class I>
  void add_all(std::span<const I> integers) {
    add(std::uint64_t{integers.size()});
    for (const I each : integers) add(static_cast<std::uint64_t>(each));
  }
  [[nodiscard]] std::uint64_t value() const;

 private:
  std::string bytes_;
};

struct Digests {
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;
};

/// The subjects with a line in the data file: a property of the catalog or a kernel with fixed inputs.
struct DigestSubject {
  std::string name;
  bool on_host = true;
  bool on_cuda = true;
  std::uint64_t cases = 1;  ///< the number of cases for a new line
  /// Runs the first `cases` cases. Errors: the exceptions of the kernel; ExecutorError.
  std::function<Digests(const Executor&, std::uint64_t cases)> run;
};

/// Cases of a property are those of seed 1. For a mixture these are the first cases, in whole rounds of it, so that
/// every class occurs; for an enumeration, numbers spread over all of it.
DigestSubject digest_subject(const PropertyModel& property);

/// Kernels that no property of the catalog calls, with inputs that are always the same.
std::vector<DigestSubject> fixed_inputs();

}  // namespace assay
