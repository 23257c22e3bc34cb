#include "assay/campaign/crew.hpp"

#include <algorithm>
#include <thread>

namespace assay::campaign {

Crew::Crew(const CrewSettings& settings, bool share_device, unsigned most) : settings_(settings) {
  const bool on_host = settings.isolation == Isolation::worker;
  if (share_device || on_host) shared_workers_.emplace(on_host);
  std::vector<unsigned> jobs{settings.isolation == Isolation::none ? 1 : std::max(1U, settings.jobs)};
  if (settings.helpers != nullptr) {
    jobs.insert(jobs.end(), settings.helpers->jobs().begin(), settings.helpers->jobs().end());
  }
  machines_ = static_cast<unsigned>(jobs.size());
  most = std::min(most, *std::max_element(jobs.begin(), jobs.end()));
  for (unsigned k = 0; k < most; ++k) {
    for (unsigned machine = 0; machine < machines_; ++machine) {
      if (k < jobs[machine]) slots_.push_back(machine);
    }
  }
}

std::unique_ptr<process::Asker> Crew::asker(unsigned machine, const PropertyModel& property,
                                            const std::string& executor, std::uint64_t seed) {
  if (machine != 0) return settings_.helpers->asker(machine, property, executor, seed);
  if (settings_.isolation == Isolation::none) return process::ask_in_process(property, executor, seed);
  process::SharedWorkers* const shared = shared_workers_ ? &*shared_workers_ : nullptr;
  return process::ask_in_worker(property, executor, seed, settings_.limits, shared);
}

void in_slots(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::thread> threads;
  for (std::size_t slot = 1; slot < count; ++slot) threads.emplace_back([&work, slot] { work(slot); });
  work(0);
  for (std::thread& each : threads) each.join();
}

}  // namespace assay::campaign
