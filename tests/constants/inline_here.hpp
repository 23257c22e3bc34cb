#pragma once
// Functions that the compiler is to evaluate although they are templates without `inline`: it takes inline functions
// for constexpr here (-fimplicit-constexpr), and a template is inline where one of its declarations says so. To be
// included before all files of arith/.

#include <cstdint>

namespace assay {

enum class Rounding;
struct Extended;
struct Interval;

template <Rounding to>
inline double add_in_range(double a, double b);
template <Rounding to>
inline double mul_in_range(double a, double b);
template <Rounding to>
inline double div_in_range(double a, double b);

namespace detail {

template <Rounding to>
inline double stepped_in_range(double nearest, double error);
template <Rounding to, class Exact>
inline double stepped_by_error(const Exact& z);
template <Rounding to>
inline double stepped_quotient(double a, double b);
template <Rounding to>
inline Extended add_extended(const Extended& a, const Extended& b);
template <Rounding to>
inline Extended mul_extended(const Extended& a, const Extended& b);
template <Rounding to>
inline Extended div_extended(const Extended& a, const Extended& b);

}  // namespace detail

namespace rns {

template <class Set>
inline std::uint32_t power_of_two_mod(int k, int i);
template <class Set>
inline std::uint32_t shifted_up(std::uint32_t x, int c, int q);

}  // namespace rns

namespace mp {

template <class Set>
struct Number;
template <class Set>
inline Number<Set> out_of_range();
template <class Set>
inline Interval product_magnitude(const Interval& x, const Interval& y);

}  // namespace mp

namespace sparse {

struct Places;
template <class Values>
struct BasicCsrOn;
template <class Values>
inline Places places_of(const BasicCsrOn<Values>& a, std::int64_t i);

}  // namespace sparse

}  // namespace assay
