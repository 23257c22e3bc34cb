// Preloaded: the disk is full for temporary files only.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>

extern "C" __attribute__((visibility("default"))) ssize_t write(int descriptor, const void* bytes, size_t size) {
  std::array<char, 64> link{};
  std::array<char, 4096> path{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
  const ssize_t length = ::readlink(link.data(), path.data(), path.size());
  if (length > 0 && std::string_view(path.data(), static_cast<std::size_t>(length)).ends_with(".tmp")) {
    errno = ENOSPC;
    return -1;
  }
  return ::syscall(SYS_write, descriptor, bytes, size);
}
