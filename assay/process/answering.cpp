#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "assay/process/process.hpp"
#include "assay/process/wire.hpp"
#include "assay/process/worker.hpp"
#include "assay/store/printable.hpp"
#include "exec/fenced.hpp"
#include "properties/framework/device_turn.hpp"

namespace assay::process {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool address_space_can_be_limited = false;
#else
constexpr bool address_space_can_be_limited = true;
#endif

/// Answers one question. The observer is called for each batch before the subject runs.
store::Json answer(const PropertyModel& property, const Executor& on, std::uint64_t seed, const store::Json& question,
                   const PropertyModel::BatchObserver& observer) {
  const std::string what = question.at("ask").get<std::string>();
  if (what == "run") {
    return store::tally_to_json(property.run(on, seed, from_wire<CaseRange>(question.at("range")), observer));
  }
  if (what == "climb") {
    ClimbState state = from_wire<ClimbState>(question.at("state"));
    climb(property, on, from_wire<ClimbGoal>(question.at("goal")), seed, question.at("until").get<std::uint64_t>(),
          observer, state);
    return to_wire(state);
  }
  if (what == "probe") {
    return to_wire(run_probe(property, on, seed, question.at("class").get<std::size_t>(),
                             question.at("first").get<std::uint64_t>(), question.at("count").get<std::size_t>(),
                             observer));
  }
  std::vector<Record> cases;
  for (const store::Json& each : question.at("cases")) {
    cases.push_back(from_wire<Record>(each));
  }
  store::Json answers = store::Json::array();
  observer({0, 1, cases.size()});
  if (what == "judge") {
    std::optional<std::size_t> claim;
    if (question.contains("claim")) claim = question["claim"].get<std::size_t>();
    for (const CaseOutcome& outcome : property.judge(on, cases, claim)) {
      answers.push_back(to_wire(outcome));
    }
  } else {
    for (const Words& words : property.evaluate(on, cases)) {
      answers.push_back(to_wire(words));
    }
  }
  return answers;
}

void tell_that_memory_ran_out() {
  std::set_new_handler(nullptr);
  send_all(worker_descriptor, "m\n");
}

void tell_of_waiting() { send_all(worker_descriptor, "w\n"); }

void limit(decltype(RLIMIT_AS) resource, std::uint64_t value) {
  const rlimit both{value, value};
  ::setrlimit(resource, &both);
}

/// Whether a subject on the host may use a device by itself: one from outside, where there is a device. CUDA reserves
/// far more address space than it uses; with CUDA only the parent process watches the resident memory.
bool may_use_cuda(const PropertyModel& property) {
  return property.info().name.starts_with("subject.") &&
         (std::filesystem::exists("/dev/nvidiactl") || std::filesystem::exists("/dev/dxg"));
}

/// The limit of this process's address space.
rlim_t limit_of_memory() {
  rlimit present{};
  return ::getrlimit(RLIMIT_AS, &present) == 0 ? present.rlim_cur : RLIM_INFINITY;
}

}  // namespace

std::uint64_t predicted_bytes(const PropertyModel& property, std::uint64_t seed) {
  constexpr std::uint64_t sample = 64;
  constexpr std::uint64_t copies = 4;
  constexpr std::uint64_t most_together = std::uint64_t{1} << 23;  // a batch ends at this many bytes
  const std::uint64_t all = property.info().enumeration_size;
  const std::uint64_t looked_at = all == 0 ? sample : std::min(all, sample);
  std::uint64_t largest = 0;
  for (std::uint64_t number = 0; number < looked_at && largest < most_together; ++number) {
    std::uint64_t bytes = 0;
    if (const std::optional<Record> record = property.make(seed, number)) {
      for (const FieldValue& field : record->fields) {
        const auto* const words = std::get_if<Words>(&field.value);
        bytes += sizeof(std::uint64_t) * (words != nullptr ? words->bits.size() : 1);
      }
    }
    largest = std::max(largest, bytes);
  }
  return copies * std::min(largest * sample, largest + most_together);
}

int worker_main() {
  // A process that the subject forked has the channel, too, and would answer as well.
  const auto send = [self = ::getpid()](std::string_view line) {
    if (::getpid() != self) std::_Exit(0);
    return send_all(worker_descriptor, line);
  };
  FencedMemory::end_forked_processes();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_IGN);
  limit(RLIMIT_CORE, 0);
  Lines lines{Descriptor(worker_descriptor)};
  std::string line;
  if (lines.receive(line) != Lines::Got::line) {
    return 3;
  }
  const store::Json greeting = document_of(line);
  const PropertyModel* property = find_property(greeting.at("property").get<std::string>());
  const std::string name = greeting.at("executor").get<std::string>();
  const auto seed = greeting.at("seed").get<std::uint64_t>();
  std::optional<Executor> on;
  try {
    on = executor_named(name);
  } catch (const std::exception& error) {
    send_all(worker_descriptor, std::string(error.what()) + "\n");
    return 3;
  }
  if (property == nullptr) {
    send_all(worker_descriptor, "unknown property\n");
    return 3;
  }
  if (greeting.at("turns").get<bool>()) {
    take_turns(turn_descriptor, tell_of_waiting);
  }
  if (name == "host" && address_space_can_be_limited && !may_use_cuda(*property)) {
    const auto budget = greeting.at("memory").get<std::uint64_t>();
    const std::uint64_t needed = memory_of(::getpid()).address_space + predicted_bytes(*property, seed);
    if (needed > budget) {
      send_all(worker_descriptor, "it would need " + std::to_string(needed) + " bytes, more than its memory limit of " +
                                      std::to_string(budget) + "\n");
      return 3;
    }
    limit(RLIMIT_AS, budget);
  }
  const rlim_t memory = limit_of_memory();
  send_all(worker_descriptor, "ready\n");

  const PropertyModel::BatchObserver observer = [&send](const CaseRange& range) {
    std::array<char, 80> text{};
    char* at = text.data();
    for (const std::uint64_t number : {range.first, range.stride, range.count}) {
      at = std::to_chars(at, text.data() + text.size(), number).ptr;
      *at++ = ' ';
    }
    at[-1] = '\n';
    send({text.data(), static_cast<std::size_t>(at - text.data())});
  };
  while (lines.receive(line) == Lines::Got::line) {
    const store::Json question = document_of(line);
    if (question.contains("property")) {
      property = find_property(question.at("property").get<std::string>());
      if (!send_all(worker_descriptor, property == nullptr ? "unknown property\n" : "ready\n") || property == nullptr) {
        return 3;
      }
      continue;
    }
    std::set_new_handler(tell_that_memory_ran_out);
    std::string reply;
    bool over = false;
    const auto stop = [&](const char* kind, const std::string& what) {
      reply = line_of({{"stop", kind}, {"what", store::printable(what)}});
      over = true;
    };
    try {
      reply = line_of(answer(*property, *on, seed, question, observer));
    } catch (const SubjectOutOfMemory&) {
      stop("memory", "out of memory");
    } catch (const std::bad_alloc&) {
      if (limit_of_memory() == memory) {
        stop("harness", "the reference or the judge exceeded the memory limit of a worker; --mem-limit raises it");
      } else {
        stop("crash", "it changed the memory limit of its process (RLIMIT_AS)");
      }
    } catch (const PathsDisagree& error) {
      stop("paths", error.what());
    } catch (const ExecutorError& error) {
      stop("crash", error.what());
    } catch (const std::exception& error) {
      stop("crash", std::string("threw: ") + error.what());
    }
    if (!send(reply) || over) {
      // No destructor runs: the subject may have left memory in a state in which destructors crash.
      std::_Exit(0);
    }
  }
  std::_Exit(0);
}

}  // namespace assay::process
