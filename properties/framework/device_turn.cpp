#include "properties/framework/device_turn.hpp"

#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

namespace assay {
namespace {

// Belongs to the process, like the lock.
int turn_descriptor = -1;
void (*tell_of_waiting)() = nullptr;

bool lock(short kind) {
  struct flock whole {};
  whole.l_type = kind;
  whole.l_whence = SEEK_SET;
  if (::fcntl(turn_descriptor, F_SETLK, &whole) == 0) {
    return true;
  }
  if (errno != EAGAIN && errno != EACCES && errno != EINTR) {
    throw std::runtime_error(std::string("the turns on a device: ") + std::strerror(errno));
  }
  return false;
}

}  // namespace

void take_turns(int descriptor, void (*waiting)()) {
  turn_descriptor = descriptor;
  tell_of_waiting = waiting;
}

DeviceTurn::DeviceTurn(bool on_device) {
  if (!on_device || turn_descriptor < 0) {
    return;
  }
  constexpr std::chrono::microseconds pause{50};
  constexpr std::chrono::seconds patience{1};
  auto told = std::chrono::steady_clock::now();
  while (!lock(F_WRLCK)) {
    std::this_thread::sleep_for(pause);
    if (const auto now = std::chrono::steady_clock::now(); now - told >= patience) {
      tell_of_waiting();
      told = now;
    }
  }
  taken_ = true;
}

DeviceTurn::~DeviceTurn() {
  if (taken_) {
    struct flock whole {};
    whole.l_type = F_UNLCK;
    whole.l_whence = SEEK_SET;
    ::fcntl(turn_descriptor, F_SETLK, &whole);
  }
}

}  // namespace assay
