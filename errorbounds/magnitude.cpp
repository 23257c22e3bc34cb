#include "errorbounds/magnitude.hpp"

#include <type_traits>
#include <variant>

#include "oracle/ball.hpp"

namespace assay {

oracle::Dyadic magnitude_above(const oracle::Exact& truth) {
  constexpr long bits = 128;
  return std::visit(
      [](const auto& exact) -> oracle::Dyadic {
        using Kind = std::decay_t<decltype(exact)>;
        if constexpr (std::is_same_v<Kind, oracle::Dyadic>) {
          return abs(exact);
        } else if constexpr (std::is_same_v<Kind, oracle::Rational>) {
          return abs(oracle::Ball(exact, bits)).upper();
        } else if constexpr (std::is_same_v<Kind, oracle::SquareRoot>) {
          return sqrt(oracle::Ball(exact.square, bits), bits).upper();
        } else {
          return abs(exact.at(bits)).upper();
        }
      },
      truth);
}

}  // namespace assay
