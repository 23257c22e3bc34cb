// Preloaded: delays only the greeting of a program.
#include <sys/syscall.h>
#include <unistd.h>

#include <string_view>

extern "C" __attribute__((visibility("default"))) ssize_t write(int descriptor, const void* bytes, size_t size) {
  constexpr useconds_t later = 300000;
  if (std::string_view(static_cast<const char*>(bytes), size).starts_with("{\"protocol\":")) ::usleep(later);
  return ::syscall(SYS_write, descriptor, bytes, size);
}
