#pragma once
// The CUDA driver and NVRTC, found at run time: no part of CUDA is needed to build or to start the judge.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay::enclosures {

/// No device can judge: the reason in one line.
class NoDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// The device's memory does not suffice.
class DeviceMemoryFull : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The CUDA context in which memory at an address lies, current while the object lives. Errors: NoDevice if there is no
/// driver, or the address is not one of a device; std::runtime_error for a failed call of CUDA, here and below.
class Device {
 public:
  explicit Device(std::uint64_t address);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// Bytes that can be allocated.
  [[nodiscard]] std::size_t free_memory() const;
  /// The number of its multiprocessors.
  [[nodiscard]] int processors() const;
  /// What NVRTC calls its architecture: "sm_90".
  [[nodiscard]] std::string architecture() const;

 private:
  void* context_ = nullptr;
  int device_ = 0;
};

/// Memory of the current device, freed with the object. Errors: DeviceMemoryFull with the number of bytes.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  [[nodiscard]] std::uint64_t address() const { return address_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  void clear() const;                                     ///< writes zeros
  void spoil() const;                                     ///< writes ones: each number is a NaN
  void write(const void* from, std::size_t bytes) const;  ///< Requires: at most bytes() (not checked)
  void read(void* to, std::size_t bytes) const;           ///< likewise; after all work that was started

 private:
  std::uint64_t address_ = 0;
  std::size_t bytes_ = 0;
};

/// Copies memory of the current device, after all work that was started.
void read_device(std::uint64_t address, void* to, std::size_t bytes);

/// The threads of a block of rows and prefix sums: as in enclosures/blocks.cuh.
inline constexpr unsigned block_threads = 256;

/// How many blocks run a kernel, and how many threads of each.
struct Grid {
  unsigned x = 1, y = 1, z = 1, threads = 1;
};

/// Kernels of one source, compiled for the current device by NVRTC.
class Kernels {
 public:
  /// A header that the source includes by that name.
  struct Header {
    const char* name;
    const char* text;
  };
  /// Errors: NoDevice without NVRTC; std::logic_error with the compiler's first line.
  Kernels(const Device& device, const char* source, const std::vector<Header>& headers,
          const std::vector<std::string>& definitions);
  ~Kernels();
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  /// Starts a kernel by its name, after all that was started before. Arguments as the kernel declares them.
  template <class... Arguments>
  void launch(const char* name, const Grid& grid, Arguments... arguments) const {
    void* addresses[] = {&arguments...};
    start(name, grid, addresses);
  }

 private:
  void start(const char* name, const Grid& grid, void** arguments) const;
  void* module_ = nullptr;
};

/// The cubin of a source for an architecture, "sm_90", compiled once in a program. Errors: as Kernels.
std::string compiled(const std::string& architecture, const char* source, const std::vector<Kernels::Header>& headers,
                     const std::vector<std::string>& definitions);

}  // namespace assay::enclosures
