#include "probes/triple/triple.hpp"

#include <gtest/gtest.h>

#include "errorbounds/triple.hpp"
#include "tests/probes/word_probes.hpp"

namespace assay::probes {

template <class Draws, class T, auto Op>
struct Of<Addition<Draws, TwTw<T>, Op>> : OfTruth<Of<Addition<Draws, TwTw<T>, Op>>> {
  static Box box(const oracle::Format& format) { return triple_add_box(format); }
  static constexpr double units = 2;
  static Dyadic truth(const TwTw<T>& c) { return value(c.x) + value(c.y); }
};

namespace {

template <class T>
using ProbesOf = testing::Types<triple::Add<T>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Triple64, WordProbe, ProbesOf<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Triple32, WordProbe, ProbesOf<float>);

}  // namespace
}  // namespace assay::probes
