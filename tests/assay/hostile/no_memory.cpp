// Preloaded: the tested program, but not its workers, gets no memory after as many allocations as the variable
// ALLOCATIONS gives.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

extern "C" {
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
}

namespace {

bool is_spent() {
  static const bool is_meant = std::strcmp(program_invocation_short_name, "assay-hostile") == 0;
  static const char* const text = std::getenv("ALLOCATIONS");
  static std::atomic<long> left{text == nullptr ? 0 : std::atol(text)};
  return is_meant && text != nullptr && left.fetch_sub(1) <= 0;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))
EXPORTED void* malloc(size_t size) { return is_spent() ? nullptr : __libc_malloc(size); }
EXPORTED void* calloc(size_t count, size_t size) { return is_spent() ? nullptr : __libc_calloc(count, size); }
EXPORTED void* realloc(void* old, size_t size) { return is_spent() ? nullptr : __libc_realloc(old, size); }
