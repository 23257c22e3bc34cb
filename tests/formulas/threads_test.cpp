// What several threads compute of a given result.

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "properties/formulas/entries.hpp"

namespace assay::formulas {
namespace {

using Counts = std::vector<unsigned>;

/// How many threads each of three parts with so much work has.
Counts counts_of(unsigned threads, std::size_t work) {
  const Threads all(threads);
  Counts counts(3);
  for_each_apart(3, work, [&](std::size_t i) { counts[i] = Threads::count(); });
  EXPECT_EQ(Threads::count(), threads);
  return counts;
}

TEST(PartsOfAResult, ShareTheThreadsOut) {
  EXPECT_EQ(counts_of(7, enough_for_a_thread), Counts({2, 2, 2}));
  EXPECT_EQ(counts_of(2, enough_for_a_thread), Counts({1, 1, 1}));
}

TEST(PartsOfAResult, HaveAllThreadsOneAfterTheOtherWithLittleWork) {
  EXPECT_EQ(counts_of(7, enough_for_a_thread - 1), Counts({7, 7, 7}));
  EXPECT_EQ(counts_of(1, enough_for_a_thread), Counts({1, 1, 1}));
}

TEST(PartsOfAResult, HandTheirErrorsOn) {
  const Threads all(4);
  const auto fails_at = [](std::size_t place) {
    for_each_apart(3, enough_for_a_thread, [&](std::size_t i) {
      if (i == place) throw std::runtime_error("no");
    });
  };
  for (const std::size_t place : {0U, 1U, 2U}) EXPECT_THROW(fails_at(place), std::runtime_error);
  EXPECT_EQ(Threads::count(), 4U);
}

}  // namespace
}  // namespace assay::formulas
