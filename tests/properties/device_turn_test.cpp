#include "properties/framework/device_turn.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <memory>

namespace assay {
namespace {

void ignore_waiting() {}

/// A process that waits for a turn, writes a byte when it has the turn, and keeps it until it is killed.
class Rival {
 public:
  Rival() {
    EXPECT_EQ(::pipe(ends_.data()), 0);
    process_ = ::fork();
    if (process_ == 0) {
      const DeviceTurn turn(true);
      static_cast<void>(!::write(ends_[1], "x", 1));
      ::pause();
      ::_exit(0);
    }
  }
  Rival(const Rival&) = delete;
  Rival& operator=(const Rival&) = delete;
  ~Rival() {
    end();
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  bool has_turn_within(int milliseconds) const {
    pollfd ready{ends_[0], POLLIN, 0};
    return ::poll(&ready, 1, milliseconds) == 1;
  }
  void end() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
      process_ = -1;
    }
  }

 private:
  std::array<int, 2> ends_{};
  pid_t process_ = -1;
};

class DeviceTurns : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = ::memfd_create("turns", MFD_CLOEXEC);
    take_turns(file_, ignore_waiting);
  }
  void TearDown() override {
    take_turns(-1, ignore_waiting);
    ::close(file_);
  }

 private:
  int file_ = -1;
};

TEST_F(DeviceTurns, KeepAnotherProcessWaiting) {
  const DeviceTurn turn(true);
  const Rival rival;
  EXPECT_FALSE(rival.has_turn_within(30));
}

TEST_F(DeviceTurns, GoToAnotherProcessAtTheirEnd) {
  auto turn = std::make_unique<DeviceTurn>(true);
  const Rival rival;
  turn.reset();
  EXPECT_TRUE(rival.has_turn_within(5000));
}

TEST_F(DeviceTurns, AreFreeAgainWhenTheirProcessDies) {
  Rival rival;
  ASSERT_TRUE(rival.has_turn_within(5000));
  rival.end();
  const DeviceTurn turn(true);
  const Rival next;
  EXPECT_FALSE(next.has_turn_within(30));
}

TEST_F(DeviceTurns, DoNotConcernTheHost) {
  const DeviceTurn turn(false);
  const Rival rival;
  EXPECT_TRUE(rival.has_turn_within(5000));
}

}  // namespace
}  // namespace assay
