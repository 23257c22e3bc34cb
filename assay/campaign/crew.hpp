#pragma once
// The processes that run the subjects: workers of this machine, and of other machines that help.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assay/process/worker.hpp"

namespace assay::campaign {

/// What runs in one process: all; properties one after another until one fails; a property; a case.
enum class Isolation { none, worker, property, one_case };

/// Other machines. Called by several threads.
class Helpers {
 public:
  virtual ~Helpers() = default;
  /// The worker processes of each helper. Their numbers count from 1 on: 0 is the machine that requests help.
  virtual const std::vector<unsigned>& jobs() const = 0;
  /// Runs cases in a worker of the helper.
  virtual std::unique_ptr<process::Asker> asker(unsigned machine, const PropertyModel& property,
                                                const std::string& executor, std::uint64_t seed) = 0;
};

struct CrewSettings {
  unsigned jobs = 1;  ///< worker processes of this machine
  Isolation isolation = Isolation::property;
  process::WorkerLimits limits;
  Helpers* helpers = nullptr;  ///< empty: only this machine
};

/// The slots of a run. One thread works in each.
class Crew {
 public:
  /// `share_device`: workers of this machine take turns on its device, as SharedWorkers says. `most`: slots of a
  /// machine.
  Crew(const CrewSettings& settings, bool share_device, unsigned most = std::numeric_limits<unsigned>::max());
  /// The machine of each slot. The first slots are one of each machine.
  const std::vector<unsigned>& slots() const { return slots_; }
  unsigned machines() const { return machines_; }
  std::unique_ptr<process::Asker> asker(unsigned machine, const PropertyModel& property, const std::string& executor,
                                        std::uint64_t seed);

 private:
  CrewSettings settings_;
  unsigned machines_ = 1;
  std::vector<unsigned> slots_;
  std::optional<process::SharedWorkers> shared_workers_;
};

/// Runs `work(slot)` in a thread for each of the first `count` slots, and waits for all.
void in_slots(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace assay::campaign
