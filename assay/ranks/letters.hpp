#pragma once
// The messages between the leader and the other ranks. A message of the leader is a question, the number of a channel
// that is closed, or the word "over". A message of another rank begins with the number of the channel.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "assay/process/wire.hpp"
#include "assay/ranks/ranks.hpp"

namespace assay::ranks {

/// How long a rank waits before it looks for the next message: short after the last message, growing to 2 ms. A wait of
/// MPI's own takes a core.
class Pause {
 public:
  std::chrono::microseconds next() {
    constexpr std::chrono::microseconds longest{2000};
    return std::exchange(next_, std::min(2 * next_, longest));
  }
  void reset() { next_ = shortest; }

 private:
  static constexpr std::chrono::microseconds shortest{50};
  std::chrono::microseconds next_ = shortest;
};

/// The last letter of the leader.
inline constexpr std::string_view over = "over";

/// Stands before the signal that ends a rank.
inline constexpr std::uint64_t no_channel = std::numeric_limits<std::uint64_t>::max();

inline store::Json to_letter(const Greeting& greeting) {
  return {{"jobs", greeting.jobs}, {"build", greeting.build}, {"device", greeting.device}, {"fault", greeting.fault}};
}
inline Greeting greeting_from(const store::Json& letter) {
  return {letter.at("jobs").get<unsigned>(), letter.at("build").get<std::string>(),
          letter.at("device").get<std::string>(), letter.at("fault").get<std::string>()};
}

inline store::Json to_letter(const process::Stop& stop) {
  return {{"kind", store::word(stop.kind)}, {"what", stop.what}, {"batch", process::to_wire(stop.batch)}};
}
inline process::Stop stop_from(const store::Json& letter) {
  return {store::finding_of_word(letter.at("kind").get<std::string>()), letter.at("what").get<std::string>(),
          process::from_wire<CaseRange>(letter.at("batch"))};
}

}  // namespace assay::ranks
