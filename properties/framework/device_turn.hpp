#pragma once
// Processes that share a device take turns on it.

namespace assay {

/// From now on this process takes turns on devices with every other process that has a descriptor of the same file:
/// each DeviceTurn locks it (POSIX record lock, released also when the process dies). While it waits for a turn,
/// `waiting` is called about once a second. A device that several processes use at once gives each of them a slice of
/// time in turn, idle or not, so that together they are slower than a single process.
void take_turns(int descriptor, void (*waiting)());

/// During its lifetime this process has the device, if `on_device` and take_turns was called; otherwise it does
/// nothing. Must not be nested.
class DeviceTurn {
 public:
  explicit DeviceTurn(bool on_device);
  ~DeviceTurn();
  DeviceTurn(const DeviceTurn&) = delete;
  DeviceTurn& operator=(const DeviceTurn&) = delete;

 private:
  bool taken_ = false;
};

}  // namespace assay
