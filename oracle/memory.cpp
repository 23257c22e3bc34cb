#include "oracle/memory.hpp"

#include <gmp.h>

#include <cstdlib>

#include "oracle/flint.hpp"

namespace assay::oracle {
namespace {

void (*end_now)() = nullptr;

/// Memory that a library requested. FLINT's own functions check for a null pointer themselves.
void* expected(void* memory, std::size_t size) {
  if (memory == nullptr && size != 0 && end_now != nullptr) end_now();
  return memory;
}

void* allocate(std::size_t size) { return expected(std::malloc(size), size); }
void* allocate_zeros(std::size_t count, std::size_t size) {
  return expected(std::calloc(count, size), count == 0 ? 0 : size);
}
void* reallocate(void* old, std::size_t size) { return expected(std::realloc(old, size), size); }
void* reallocate_known(void* old, std::size_t, std::size_t size) { return reallocate(old, size); }
void release_known(void* memory, std::size_t) { std::free(memory); }

}  // namespace

void end_without_memory(void (*end)()) {
  end_now = end;
  if (end == nullptr) {
    mp_set_memory_functions(nullptr, nullptr, nullptr);
  } else {
    mp_set_memory_functions(allocate, reallocate_known, release_known);
  }
  __flint_set_memory_functions(allocate, allocate_zeros, reallocate, std::free);
}

}  // namespace assay::oracle
