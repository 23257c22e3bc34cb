#include "oracle/memory.hpp"

#include <gmp.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "oracle/flint.hpp"

namespace assay::oracle {
namespace {

constexpr std::size_t too_much = SIZE_MAX / 4;

void end() { std::_Exit(42); }

TEST(MemoryTest, EachLibraryEndsAsItIsToldWhereThereIsNone) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer itself ends a program that asks for so much";
#endif
  end_without_memory(end);
  EXPECT_EXIT(flint_malloc(too_much), testing::ExitedWithCode(42), "^$");
  EXPECT_EXIT(flint_calloc(too_much, 1), testing::ExitedWithCode(42), "^$");
  EXPECT_EXIT(flint_realloc(flint_malloc(8), too_much), testing::ExitedWithCode(42), "^$");
  void* (*allocate)(std::size_t) = nullptr;
  void* (*reallocate)(void*, std::size_t, std::size_t) = nullptr;
  mp_get_memory_functions(&allocate, &reallocate, nullptr);
  EXPECT_EXIT(allocate(too_much), testing::ExitedWithCode(42), "^$");
  EXPECT_EXIT(reallocate(allocate(8), 8, too_much), testing::ExitedWithCode(42), "^$");
  end_without_memory(nullptr);
}

TEST(MemoryTest, NumbersFromBeforeMayGrowAndEndAfterwards) {
  mpz_t number;
  mpz_init_set_ui(number, 3);
  void* const memory = flint_malloc(8);
  end_without_memory(end);
  mpz_mul_2exp(number, number, 10000);
  EXPECT_EQ(mpz_scan1(number, 0), 10000u);
  end_without_memory(nullptr);
  mpz_clear(number);
  flint_free(flint_realloc(memory, 1 << 20));
}

}  // namespace
}  // namespace assay::oracle
