// Convolutions from outside: the contracts of right forms, and planted mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "properties/contracts/convolution_cases.hpp"
#include "tests/assay/subject_ladder.hpp"

namespace assay {
namespace {

using Ids = std::set<std::string>;

/// The contracts that the function of the library breaks. None may be undecided.
Ids broken_by(const std::string& operation, const std::string& name, const std::string& format, std::uint64_t cases,
              const std::string& shapes = {}) {
  std::string symbol = operation;
  symbol += "_" + name;
  if (format != "f64") symbol += "_" + format;
  auto [question, kernel] = asked_of_symbol(ASSAY_LIBRARY_OF_CONVOLUTIONS, operation, symbol, format);
  question.shapes = shapes;
  const auto property = find_operation(operation)->property(question, kernel);
  const Tally tally = judged(*property, cases);
  Ids broken;
  for (std::size_t i = 0; i < tally.claims.size(); ++i) {
    const std::string& id = property->info().claims[i].id;
    EXPECT_EQ(tally.claims[i].undecided, 0U) << symbol << " " << id;
    if (tally.claims[i].violated != 0) broken.insert(id);
  }
  return broken;
}

/// Expects that each of the functions keeps the contracts and breaks the others that are named, in both formats.
void expect(const std::string& operation, const Ids& names, const Ids& kept, const Ids& broken,
            std::uint64_t cases = 60) {
  for (const std::string& name : names) {
    for (const std::string format : {"f64", "f32"}) {
      const Ids found = broken_by(operation, name, format, cases);
      for (const std::string& id : kept)
        EXPECT_EQ(found.count(id), 0U) << operation << " " << name << " " << format << " " << id;
      for (const std::string& id : broken) {
        EXPECT_EQ(found.count(id), 1U) << operation << " " << name << " " << format << " " << id;
      }
    }
  }
}

const Ids of_sums{"any_order", "any_order_ftz", "exact_grid", "fft", "exceptional"};
const Ids of_tiles{"winograd_2", "winograd_4"};
Ids joined(Ids a, const Ids& b) {
  a.insert(b.begin(), b.end());
  return a;
}
const Ids of_all = joined(of_sums, of_tiles);
const Ids of_wrong{"any_order", "winograd_2", "winograd_4", "fft"};

TEST(Direct, InEveryOrderOfLoopsKeepsAllThatIsNotRoundedBetter) {
  expect("convolution1d", {"channels_first", "taps_first", "in_halves"}, of_all, {});
  expect("convolution2d", {"channels_first", "taps_first", "backwards", "in_halves"}, of_all, {});
  expect("convolution2d_bias", {"channels_first", "backwards", "in_halves"}, of_all, {});
  expect("convolution2d_backward_x", {"taps_first", "results_first", "backwards"}, of_all, {});
  expect("convolution2d_backward_k", {"taps_first", "results_first", "backwards"}, of_sums, {});
  expect("convolve", {"channels_first", "backwards", "in_halves"}, of_sums, {});
  expect("convolve2d", {"channels_first", "backwards", "in_halves"}, of_sums, {});
}
TEST(Direct, InEveryOrderOfLoopsKeepsItsBoundInTenThousandCases) {
  for (const char* const name : {"channels_first", "taps_first", "backwards"}) {
    EXPECT_EQ(broken_by("convolution2d", name, "f32", 10000), (Ids{"correctly_rounded", "faithful", "wide_any_order"}));
  }
}
TEST(Direct, WithAMistakeBreaksEveryBound) {
  expect("convolution1d",
         {"tap_dropped", "padding_at_end", "stride_off", "group_mixed", "flipped", "border_missing", "dilation_ignored",
          "last_channel"},
         {}, of_wrong);
  expect("convolution2d",
         {"tap_dropped", "padding_at_end", "padding_exchanged", "stride_off", "strides_exchanged", "group_mixed",
          "flipped", "taps_exchanged", "border_missing", "dilation_ignored", "last_channel", "first_image"},
         {}, of_wrong);
  expect("convolution2d_bias", {"bias_twice", "no_bias", "bias_of_group"}, {}, of_wrong);
  expect("convolution2d_backward_x",
         {"flipped", "tap_dropped", "last_channel", "group_mixed", "dilation_ignored", "padding_at_end",
          "strides_exchanged"},
         {}, of_wrong);
  expect(
      "convolution2d_backward_k",
      {"flipped", "first_image", "last_row", "group_mixed", "dilation_ignored", "padding_at_end", "strides_exchanged"},
      {}, {"any_order", "fft"});
  expect("convolve", {"correlated", "shifted", "last_missing", "wrapped"}, {}, {"any_order", "fft"});
  expect("convolve2d", {"correlated", "shifted", "last_missing"}, {}, {"any_order", "fft"});
}
TEST(Direct, InANarrowerFormatBreaksEveryBoundOfSums) {
  EXPECT_EQ(broken_by("convolution2d", "in_float", "f64", 300).count("any_order"), 1U);
  EXPECT_EQ(broken_by("convolution2d", "in_float", "f64", 300).count("winograd_4"), 1U);
}

TEST(Winograd, OfTilesOfTwoKeepsItsRungAndBreaksTheDirectOne) {
  for (const std::string operation :
       {"convolution1d", "convolution2d", "convolution2d_bias", "convolution2d_backward_x"}) {
    expect(operation, {"winograd_2"}, of_tiles, {"any_order", "any_order_ftz"});
  }
}
TEST(Winograd, OfTilesOfFourKeepsItsRungAndBreaksThoseOfTwoAndOfDirectSums) {
  for (const std::string operation :
       {"convolution1d", "convolution2d", "convolution2d_bias", "convolution2d_backward_x"}) {
    expect(operation, {"winograd_4"}, {"winograd_4"}, {"any_order", "winograd_2"});
  }
  expect("convolution1d", {"factored_4"}, {"winograd_4"}, {"any_order", "winograd_2"});
  expect("convolution2d", {"factored_4"}, {"winograd_4"}, {"any_order", "winograd_2"});
}
TEST(Winograd, WithAWrongConstantOrWithoutItsLastTileBreaksItsRung) {
  expect("convolution1d", {"wrong_constant", "last_tile"}, {}, of_tiles);
  expect("convolution2d", {"wrong_constant", "last_tile"}, {}, of_tiles);
}

TEST(ByTransforms, KeepsItsRungAndBreaksTheOthers) {
  for (const std::string operation :
       {"convolution1d", "convolution2d", "convolution2d_bias", "convolve", "convolve2d"}) {
    expect(operation, {"fft"}, {"fft"}, {"any_order"});
  }
  expect("convolution2d", {"fft"}, {}, of_tiles);
}

TEST(Narrow, ResultsTellTheAlgorithmThatComputedThemInBinary32) {
  const Ids direct = broken_by("convolution2d", "channels_first", "f16", 200);
  EXPECT_EQ(direct.count("f32_any_order") + direct.count("f32_winograd_2") + direct.count("f32_fft"), 0U);
  const Ids tiled = broken_by("convolution2d", "winograd_4", "f16", 200);
  EXPECT_EQ(tiled.count("f32_winograd_4"), 0U);
  EXPECT_EQ(tiled.count("f32_any_order"), 1U);
  EXPECT_EQ(broken_by("convolution2d", "fft", "f16", 200).count("f32_fft"), 0U);
  const Ids wrong = broken_by("convolution2d", "flipped", "f16", 200);
  EXPECT_EQ(wrong.count("f32_any_order") + wrong.count("f32_winograd_4") + wrong.count("f32_fft"), 3U);
}

TEST(Exceptional, IsBrokenByWhatSpreadsANaN) {
  expect("convolution2d", {"winograd_4", "fft", "border_missing"}, {}, {"exceptional"});
}

TEST(Controls, AreRefusedByEveryBound) {
  for (const char* const operation :
       {"convolution1d", "convolution2d", "convolution2d_bias", "convolution2d_backward_x", "convolution2d_backward_k",
        "convolve", "convolve2d"}) {
    expect_controls_refused(operation, {"f64", "f32", "f16", "bf16"}, 30);
  }
}

/// The longest of each length in a thousand cases.
contracts::convolution::Geometry longest_drawn(const contracts::convolution::Kind& kind) {
  contracts::convolution::Geometry longest;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Draw draw(random_for(1, "convolution", i));
    const contracts::convolution::Geometry of = contracts::convolution::draw_geometry(draw, kind);
    EXPECT_TRUE(contracts::convolution::is_geometry(of)) << i;
    for (auto length : {&contracts::convolution::Geometry::b, &contracts::convolution::Geometry::g,
                        &contracts::convolution::Geometry::ci, &contracts::convolution::Geometry::co,
                        &contracts::convolution::Geometry::w, &contracts::convolution::Geometry::s}) {
      longest.*length = std::max(longest.*length, of.*length);
    }
  }
  return longest;
}

TEST(Shapes, HaveChannelsImagesTapsAndLinesBeyondTheSizesOfTiles) {
  const contracts::convolution::Geometry plane = longest_drawn(contracts::convolution::convolution2d);
  EXPECT_GT(std::min({plane.b, plane.g, plane.ci, plane.co}), 32);
  EXPECT_GT(plane.w, 256);
  EXPECT_EQ(plane.s, 33);
  const contracts::convolution::Geometry line = longest_drawn(contracts::convolution::convolve);
  EXPECT_GT(line.w, 1024);
  EXPECT_EQ(line.s, 33);
}

TEST(Shapes, AreAsked) {
  for (const std::string format : {"f64", "f32"}) {
    EXPECT_EQ(broken_by("convolution2d", "taps_first", format, 13, "h=20,w=21,ci=3,co=2,r=3,s=3").count("any_order"),
              0U);
    EXPECT_EQ(
        broken_by("convolution2d", "dilation_ignored", format, 13, "dilation_w=1,dilation_h=1").count("any_order"), 0U);
    EXPECT_EQ(broken_by("convolution2d", "dilation_ignored", format, 13, "dilation_w=2").count("any_order"), 1U);
    EXPECT_EQ(broken_by("convolve", "backwards", format, 13, "m=300,n=40").count("any_order"), 0U);
  }
}

}  // namespace
}  // namespace assay
