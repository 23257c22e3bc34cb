#pragma once
// Where a kernel runs: a value chosen at run time and passed to every launch.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace assay {

/// The order in which the host executor runs the elements of an index space, the blocks of a grid and the threads of a
/// phase. A kernel without a race gives the same bits in every order.
enum class Order { ascending, descending, shuffled };

/// Counts of the launches of an executor and of the damage that its arrays found.
struct Audit {
  std::uint64_t guard_zone_violations = 0;  ///< arrays whose guard zones were written to
  std::uint64_t input_changes = 0;          ///< input arrays whose bytes differed after the call
  std::uint64_t calls = 0;                  ///< launches
  bool operator==(const Audit&) const = default;
};

/// A launch, an allocation or a transfer failed. If `fatal()`, the process cannot use the device any more (a sticky
/// CUDA error such as an illegal address); otherwise the executor stays usable.
class ExecutorError : public std::runtime_error {
 public:
  explicit ExecutorError(const std::string& what, bool fatal = false) : std::runtime_error(what), fatal_(fatal) {}
  [[nodiscard]] bool fatal() const noexcept { return fatal_; }

 private:
  bool fatal_;
};

/// An executor is a small value; copies share one audit. Kernels may be called through it from several host threads.
class Executor {
 public:
  enum class Kind { host, cuda };

  /// The calling thread runs everything, in the given order. `seed` is used only by `Order::shuffled`. In ascending
  /// order a few kernels that are exact in any order use all cores for large arrays (exec/host_threads.hpp).
  static Executor host(Order order = Order::ascending, std::uint64_t seed = 0);

  /// CUDA device number `device`. Throws ExecutorError when the build has no CUDA, or no such device can be used.
  static Executor cuda(int device = 0);

  /// The number of CUDA devices; 0 in a host-only build, without a driver and on every error. Never throws.
  static int cuda_device_count() noexcept;

  /// Whether kernels were compiled for CUDA.
  static bool built_with_cuda() noexcept;

  /// The same executor with its own audit, and with at most this many blocks in a launch that allows fewer: a launch
  /// whose threads or blocks continue to further elements by a stride, or one that is cut into several. So small arrays
  /// reach code paths that otherwise only giant arrays reach. Requires: most_blocks > 0 (not checked).
  [[nodiscard]] Executor with_most_blocks(std::size_t most_blocks) const;

  [[nodiscard]] Kind kind() const noexcept;
  [[nodiscard]] std::string_view name() const noexcept;  ///< "host" or "cuda"
  [[nodiscard]] const std::string& model() const;        ///< the processor's or the device's name for its model
  [[nodiscard]] Order order() const noexcept;
  [[nodiscard]] std::uint64_t seed() const noexcept;
  [[nodiscard]] int device() const noexcept;               ///< the CUDA device number; −1 on the host
  [[nodiscard]] std::size_t most_blocks() const noexcept;  ///< of with_most_blocks(); SIZE_MAX if no limit was set

  [[nodiscard]] Audit audit() const noexcept;
  void reset_audit() const noexcept;

  // For launches and arrays.
  void record_call() const noexcept;
  void record_guard_zone_violation() const noexcept;
  void record_input_change() const noexcept;

 private:
  struct State;
  explicit Executor(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// Waits for all work that was queued on the executor. Does nothing on the host. Throws ExecutorError for the device's
/// errors.
void wait(const Executor& on);

}  // namespace assay
