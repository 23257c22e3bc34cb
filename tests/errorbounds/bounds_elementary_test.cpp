#include <gtest/gtest.h>

#include <stdexcept>

#include "errorbounds/elementary.hpp"
#include "errorbounds/fraction.hpp"

namespace assay {
namespace {

using oracle::Dyadic;

TEST(WordFunctionBound, IsTheFormulaOfItsTheorem) {
  const Dyadic half_of_smallest = Dyadic::scaled(1, -1075);
  const Dyadic small = Dyadic::scaled(1, -40);
  const Bound two{Dyadic::scaled(3, -106) * (Dyadic::scaled(1, -1) + small) + half_of_smallest};
  const Bound four{Dyadic::scaled(3, -212) * (Dyadic::scaled(1, -3) + small) + half_of_smallest};
  EXPECT_TRUE(word_function_bound(2, 3) <= two && two <= word_function_bound(2, 3));
  EXPECT_TRUE(word_function_bound(4, 3) <= four && four <= word_function_bound(4, 3));
}

TEST(WordFunctionBound, RefusesOtherNumbersOfWords) { EXPECT_THROW(word_function_bound(3, 1), std::domain_error); }

}  // namespace
}  // namespace assay
