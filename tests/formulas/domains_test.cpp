// The classes of inputs of a formula.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/decode.hpp"
#include "oracle/round.hpp"
#include "properties/formulas/door/case.hpp"
#include "properties/framework/property.hpp"

namespace assay::formulas {
namespace {

Typed typed_text(const std::string& text, const std::string& format = "f32") {
  return typed(std::make_shared<const Formula>(parse(text, "t")), format);
}

/// The numbers of parameter p in a case.
std::vector<double> numbers_of(const Typed& typed, const Case& c, std::size_t p) {
  std::vector<double> numbers;
  for (const std::uint64_t word : c.words[p]) {
    numbers.push_back(oracle::decode(typed.parameters[p], word).value.to_double_nearest());
  }
  return numbers;
}

TEST(Domains, NumbersOfARangeAreDrawnFromAllOfItAndMeetBothEnds) {
  for (const std::string format : {"f64", "f32", "f16"}) {
    for (const auto& [low, high] : {std::pair{"0.001", "0.5"}, {"-3", "2"}, {"0", "0.1"}, {"1", "1.25"}}) {
      const Typed typed =
          typed_text(std::string("f(x[n], s) -> y[n]\n  range s ") + low + " " + high + "\n  y = s * x\n", format);
      const auto nearest = [&](const char* x) {
        const std::uint64_t word =
            oracle::round(oracle::exact(std::stod(x)), typed.parameters[1], oracle::Rounding::nearest);
        return oracle::decode(typed.parameters[1], word).value.to_double_nearest();
      };
      const double least = nearest(low);
      const double most = nearest(high);
      std::vector<double> drawn;
      for (std::uint64_t n = 0; n < 400; ++n) {
        Draw draw(random_for(1, "ends", n));
        drawn.push_back(numbers_of(typed, draw_case(typed, n % 4, draw), 1).front());
      }
      std::ranges::sort(drawn);
      EXPECT_EQ(drawn.front(), least) << format << " " << low;
      EXPECT_EQ(drawn.back(), most) << format << " " << high;
      EXPECT_GT(std::ranges::count(drawn, least), 20) << format << " " << low;
      EXPECT_GT(std::ranges::count(drawn, most), 20) << format << " " << high;
      // All of the range: no tenth of it is without a number, in the scale in which they are drawn.
      const bool is_wide = least > 0 && most / least > 8;
      const auto place = [&](double x) {
        return is_wide ? std::log(x / least) / std::log(most / least) : (x - least) / (most - least);
      };
      for (std::size_t i = 1; i < drawn.size(); ++i) EXPECT_LT(place(drawn[i]) - place(drawn[i - 1]), 0.1) << format;
    }
  }
}

}  // namespace
}  // namespace assay::formulas
