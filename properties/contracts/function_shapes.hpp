#pragma once
// What is known of the elementary functions besides their values: symmetry, growth, and what C promises where they have
// no real value.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "errorbounds/judgement.hpp"
#include "oracle/elementary.hpp"
#include "oracle/format.hpp"

namespace assay::contracts {

enum class Parity { none, odd, even };
enum class Growth { none, increasing, decreasing };
/// What a function returns where it has no real value. half_pi: ±π/2, rounded up or down.
enum class Special { nan, minus_infinity, infinity, zero, minus_one, one, two, minus_half_pi, half_pi };

/// An elementary function.
struct FunctionShape {
  oracle::Elementary function;
  const char* name;      ///< of the operation, as C has it for double: "exp"
  const char* computes;  ///< "eˣ"
  Parity parity;
  Growth growth;
  Special at_minus_infinity;
  Special at_infinity;
  int slope = 0;  ///< c of kernels with an error of 4 + c|x| ulps; 0 where none are known
};

using enum Special;
/// All functions of oracle::Elementary, in its order. C, Annex F.10, has the values at ±∞.
inline constexpr std::array function_shapes{
    FunctionShape{oracle::Elementary::exp, "exp", "eˣ", Parity::none, Growth::increasing, zero, infinity, 2},
    FunctionShape{oracle::Elementary::exp2, "exp2", "2ˣ", Parity::none, Growth::increasing, zero, infinity},
    FunctionShape{oracle::Elementary::exp10, "exp10", "10ˣ", Parity::none, Growth::increasing, zero, infinity, 5},
    FunctionShape{oracle::Elementary::expm1, "expm1", "eˣ − 1", Parity::none, Growth::increasing, minus_one, infinity},
    FunctionShape{oracle::Elementary::log, "log", "ln x", Parity::none, Growth::increasing, nan, infinity},
    FunctionShape{oracle::Elementary::log2, "log2", "log₂ x", Parity::none, Growth::increasing, nan, infinity},
    FunctionShape{oracle::Elementary::log10, "log10", "log₁₀ x", Parity::none, Growth::increasing, nan, infinity},
    FunctionShape{oracle::Elementary::log1p, "log1p", "ln(1 + x)", Parity::none, Growth::increasing, nan, infinity},
    FunctionShape{oracle::Elementary::sin, "sin", "sin x", Parity::odd, Growth::none, nan, nan},
    FunctionShape{oracle::Elementary::cos, "cos", "cos x", Parity::even, Growth::none, nan, nan},
    FunctionShape{oracle::Elementary::tan, "tan", "tan x", Parity::odd, Growth::none, nan, nan},
    FunctionShape{oracle::Elementary::asin, "asin", "arcsin x", Parity::odd, Growth::increasing, nan, nan},
    FunctionShape{oracle::Elementary::acos, "acos", "arccos x", Parity::none, Growth::decreasing, nan, nan},
    FunctionShape{oracle::Elementary::atan, "atan", "arctan x", Parity::odd, Growth::increasing, minus_half_pi,
                  half_pi},
    FunctionShape{oracle::Elementary::sinh, "sinh", "sinh x", Parity::odd, Growth::increasing, minus_infinity,
                  infinity},
    FunctionShape{oracle::Elementary::cosh, "cosh", "cosh x", Parity::even, Growth::none, infinity, infinity},
    FunctionShape{oracle::Elementary::tanh, "tanh", "tanh x", Parity::odd, Growth::increasing, minus_one, one},
    FunctionShape{oracle::Elementary::asinh, "asinh", "arsinh x", Parity::odd, Growth::increasing, minus_infinity,
                  infinity},
    FunctionShape{oracle::Elementary::acosh, "acosh", "arcosh x", Parity::none, Growth::increasing, nan, infinity},
    FunctionShape{oracle::Elementary::atanh, "atanh", "artanh x", Parity::odd, Growth::increasing, nan, nan},
    FunctionShape{oracle::Elementary::sqrt, "sqrt", "√x", Parity::none, Growth::increasing, nan, infinity},
    FunctionShape{oracle::Elementary::rsqrt, "rsqrt", "1/√x", Parity::none, Growth::decreasing, nan, zero},
    FunctionShape{oracle::Elementary::cbrt, "cbrt", "∛x", Parity::odd, Growth::increasing, minus_infinity, infinity},
    FunctionShape{oracle::Elementary::erf, "erf", "erf x", Parity::odd, Growth::increasing, minus_one, one},
    FunctionShape{oracle::Elementary::erfc, "erfc", "1 − erf x", Parity::none, Growth::decreasing, two, zero},
};

/// Whether the function has a real value for the pattern x.
bool has_real_value(oracle::Elementary function, const oracle::Format& format, std::uint64_t x);

/// A real value, what it rounds to, and its ulp.
struct RealValue {
  oracle::Exact value;
  std::uint64_t nearest;
  oracle::Dyadic ulp;
};
/// That of the function for the pattern x. The last answer is kept in the thread.
/// Requires: has_real_value() (else std::domain_error). Errors: oracle::Undecided.
const RealValue& real_value(oracle::Elementary function, const oracle::Format& format, std::uint64_t x);

/// Whether the pattern `got` is what C promises for the pattern x; docs/bounds/elementary.md, elementary.specials.1.
/// Errors: oracle::Undecided.
bool keeps_special_values(const FunctionShape& shape, const oracle::Format& format, std::uint64_t x, std::uint64_t got);

/// What C promises for the pattern x where no real value says it, in words: "NaN", "-inf", "-0", "π/2". Empty where the
/// real value says it. Errors: oracle::Undecided.
std::string due_special_value(const FunctionShape& shape, const oracle::Format& format, std::uint64_t x);

/// |r̂ − r| ≤ k·ulp(r), where the infinity counts as 2^(emax + 1).
Judgement judge_ulps(std::uint64_t got, const RealValue& r, const oracle::Format& format, int k);

/// The pattern `got` for the pattern x, which has a real value r: |r̂ − r| ≤ (k + slope·|x|)·ulp(r); or r̂ is a zero and
/// |r| below 2^emin and k ulps more; or x is subnormal and r̂ is right in this sense, or as C has it, for x = ±0.
Judgement judge_flushed(const FunctionShape& shape, const oracle::Format& format, std::uint64_t x, std::uint64_t got,
                        int k, int slope);

/// r̂ is at most k numbers away from RN(r).
Judgement judge_steps(std::uint64_t got, const RealValue& r, const oracle::Format& format, int k);

/// Numbers near which something happens to the function's values: they over- or underflow, reach a limit, have a zero
/// or an end.
std::vector<double> edges(oracle::Elementary function, const oracle::Format& format);

}  // namespace assay::contracts
