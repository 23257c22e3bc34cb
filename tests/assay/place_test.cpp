// Which device a rank of an MPI job takes, by its place among the ranks of its machine.

#include <gmock/gmock.h>

#include <fstream>

#include "assay/cli/commands.hpp"
#include "tests/assay/folder.hpp"

namespace assay::cli {
namespace {

using ::testing::ElementsAre;

/// The devices of four ranks on a machine with these files.
std::vector<std::string> of_four_ranks(const std::vector<std::string>& files, const char* visible = nullptr) {
  const test::Folder dev;
  for (const std::string& each : files) std::ofstream(dev / each);
  std::vector<std::string> devices;
  for (unsigned place = 0; place < 4; ++place) devices.push_back(device_of(place, visible, dev.path()));
  return devices;
}

TEST(DeviceOfARank, IsTheNextOneOfTheMachineInTurn) {
  EXPECT_THAT(of_four_ranks({"nvidia0", "nvidia1", "nvidia2"}), ElementsAre("0", "1", "2", "0"));
}

TEST(DeviceOfARank, IsCountedFromZeroInAContainerWithSomeOfTheMachinesDevices) {
  EXPECT_THAT(of_four_ranks({"nvidia2", "nvidia5"}), ElementsAre("0", "1", "0", "1"));
}

TEST(DeviceOfARank, HasAFileThatIsNoOtherFileOfTheDriver) {
  EXPECT_THAT(of_four_ranks({"nvidia0", "nvidiactl", "nvidia-uvm", "nvidia", "nvidia1x", "null"}),
              ElementsAre("0", "0", "0", "0"));
}

TEST(DeviceOfARank, IsOneOfTheVisibleOnes) {
  EXPECT_THAT(of_four_ranks({"nvidia0", "nvidia1"}, "3,GPU-8c5f"), ElementsAre("3", "GPU-8c5f", "3", "GPU-8c5f"));
}

TEST(DeviceOfARank, IsNoneWhereNoneIsVisible) {
  EXPECT_THAT(of_four_ranks({"nvidia0"}, ""), ElementsAre("", "", "", ""));
  EXPECT_THAT(of_four_ranks({}), ElementsAre("", "", "", ""));
}

}  // namespace
}  // namespace assay::cli
