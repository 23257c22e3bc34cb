#include "arith/fields.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "arith/words/operands.hpp"

namespace assay {
namespace {

template <class C>
std::vector<std::string> names() {
  return std::apply([](auto... member) { return std::vector<std::string>{member.name...}; }, C::fields());
}

template <class C>
double sum_of_fields(const C& value) {
  return std::apply([&](auto... member) { return (0.0 + ... + static_cast<double>(value.*member.member)); },
                    C::fields());
}

TEST(Fields, NameTheMembersOfOperandsInOrder) {
  EXPECT_EQ(names<Triple<double>>(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(names<DwFp<float>>(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(names<DoubleWord<double>>(), (std::vector<std::string>{"h", "l"}));
}

TEST(Fields, NameTheMembersOfResultsInOrder) {
  EXPECT_EQ(names<FmaError<double>>(), (std::vector<std::string>{"r1", "r2", "r3"}));
  EXPECT_EQ(names<Product<float>>(), (std::vector<std::string>{"p", "e"}));
}

TEST(Fields, ReachEveryMember) {
  EXPECT_EQ(sum_of_fields(Single<double>{5}), 5.0);
  EXPECT_EQ(sum_of_fields(Pair<float>{1, 2}), 3.0);
  EXPECT_EQ(sum_of_fields(Triple<double>{1, 2, 4}), 7.0);
  EXPECT_EQ(sum_of_fields(Split<double>{1, 2}), 3.0);
  EXPECT_EQ(sum_of_fields(Sum<double>{3, 4}), 7.0);
}

TEST(Fields, LeadIntoDoubleWords) {
  DwDw<double> both{{1, 2}, {3, 4}};
  both.*std::get<1>(DwDw<double>::fields()).member = {5, 6};
  EXPECT_EQ(both.y.l, 6.0);
}

}  // namespace
}  // namespace assay
