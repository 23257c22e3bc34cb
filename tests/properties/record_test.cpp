#include "properties/framework/record.hpp"

#include <gtest/gtest.h>

#include "arith/float/small_float.hpp"
#include "arith/words/operands.hpp"
#include "properties/framework/codec.hpp"
#include "tests/properties/smaller_cases.hpp"

namespace assay {
namespace {

struct Shapes {
  std::int64_t n;
  std::vector<double> x;
  std::vector<double> y;
  DoubleWord<float> z;
  static constexpr auto fields() {
    return std::tuple{field("n", &Shapes::n), field("x", &Shapes::x), field("y", &Shapes::y), field("z", &Shapes::z)};
  }
};

Shapes sample() { return {-6, {1.5, -0.0, 0x1.8p-1074}, {3.0, 1e300, -7.25}, {1.25f, -0x1p-25f}}; }

/// Points of a line or of a plane.
struct Point {
  bool is_of_plane = false;
  double x = 0;
  double y = 0;
  static void visit_fields(auto& c, auto&& visit) {
    visit("x", c.x);
    if (c.is_of_plane) visit("y", c.y);
  }
};

/// The steps of all passes to a smaller record.
std::vector<Record> steps_from(const Record& record) {
  std::vector<Record> all;
  for (std::size_t which = 0; which < structure_passes; ++which)
    append_steps(structure_pass(record, axes_of, which), all);
  for (std::size_t which = 0; which < value_passes; ++which) append_steps(value_pass(record, which), all);
  std::erase_if(all, [&](const Record& each) { return !(complexity(each) < complexity(record)); });
  return all;
}

TEST(Record, RoundTripsEveryKindOfField) {
  const Record record = record_of(sample());
  const auto back = from_record<Shapes>(record);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(record_of(*back), record);
}

TEST(Record, IsReadIntoAValueThatHasItsFields) {
  const Point of_plane{true, 1, 2};
  const Record record = record_of(of_plane);
  const auto back = from_record(record, Point{true});
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->y, 2);
  EXPECT_FALSE(from_record<Point>(record));
  EXPECT_FALSE(from_record(record_of(Point{}), Point{true}));
}

TEST(Record, KeepsPayloadsAndSignedZeros) {
  const Record record = record_of(Pair<double>{number_of<double>(0xfff4000000000123), -0.0});
  EXPECT_EQ(std::get<Words>(record.fields[0].value).bits[0], 0xfff4000000000123u);
  EXPECT_EQ(std::get<Words>(record.fields[1].value).bits[0], 0x8000000000000000u);
}

TEST(Record, RefusesAnotherFormat) {
  EXPECT_FALSE(from_record<Pair<float>>(record_of(Pair<double>{1, 2})).has_value());
}

TEST(Record, RefusesAnotherName) {
  Record record = record_of(Pair<double>{1, 2});
  record.fields[0].name = "c";
  EXPECT_FALSE(from_record<Pair<double>>(record).has_value());
}

TEST(Record, RefusesAMissingField) {
  Record record = record_of(Pair<double>{1, 2});
  record.fields.pop_back();
  EXPECT_FALSE(from_record<Pair<double>>(record).has_value());
}

TEST(ShrinkSteps, AreSmallerThanTheirOrigin) {
  const Record record = record_of(sample());
  for (const Record& candidate : steps_from(record)) {
    ASSERT_LT(complexity(candidate), complexity(record));
  }
}

TEST(ShrinkSteps, NeverRepeatTheOrigin) {
  const Record record = record_of(sample());
  for (const Record& candidate : steps_from(record)) {
    ASSERT_NE(candidate, record);
  }
}

TEST(ShrinkSteps, KeepTheShapeOfACase) {
  for (const Record& candidate : steps_from(record_of(sample()))) {
    ASSERT_TRUE(from_record<Shapes>(candidate).has_value());
  }
}

TEST(ShrinkSteps, ShortenListsOfOneLengthTogether) {
  for (const Record& candidate : steps_from(record_of(sample()))) {
    const Shapes c = *from_record<Shapes>(candidate);
    ASSERT_EQ(c.x.size(), c.y.size());
  }
}

TEST(ShrinkSteps, EndAtTheSimplestCase) {
  // Following the first candidate always, every pair comes to +0, +0, which has no smaller candidates.
  Record record = record_of(Pair<double>{-0x1.921fb54442d18p+1, 0x1.5bf0a8b145769p+1});
  int steps = 0;
  for (auto candidates = steps_from(record); !candidates.empty(); candidates = steps_from(record)) {
    record = candidates.front();
    ASSERT_LT(++steps, 1000);
  }
  EXPECT_EQ(record, record_of(Pair<double>{0, 0}));
}

TEST(ShrinkSteps, OfferOneWithASingleBitCleared) {
  const auto candidates = steps_from(record_of(Single<double>{1.75}));
  const auto offers = [&](double x) {
    return std::find(candidates.begin(), candidates.end(), record_of(Single<double>{x})) != candidates.end();
  };
  EXPECT_TRUE(offers(1.5) && offers(1.25) && offers(1.0) && offers(0.0));
}

TEST(Complexity, CountsSignificantBitsFromTheLeadingToTheLastOne) {
  EXPECT_EQ(complexity(record_of(Single<double>{1.0})).significant_bits, 1u);
  EXPECT_EQ(complexity(record_of(Single<double>{1.75})).significant_bits, 3u);
  EXPECT_EQ(complexity(record_of(Single<double>{0x1p-1074})).significant_bits, 1u);
}

}  // namespace
}  // namespace assay
