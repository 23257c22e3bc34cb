#pragma once
// Functions that the compiler should evaluate although they are templates without `inline`: it evaluates inline
// functions as constexpr here (-fimplicit-constexpr), and a template is inline if one of its declarations says so. To
// be included before all files of arith/ and kernels/.

#include <cstddef>
#include <cstdint>

namespace assay {

enum class Rounding;
struct Extended;
struct Interval;
template <class T, int threads>
class PerThread;

template <class T, int threads, class Join>
inline void fold_groups(PerThread<T, threads>& x, int lanes, Join join);

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
template <class Set>
struct MpView;

namespace detail {

template <class Set>
inline MpView<Set> from(const MpView<Set>& x, std::size_t k);

}  // namespace detail

}  // namespace mp

namespace expansion::detail {

template <class Terms>
inline typename Terms::Sum sum_of_lane(const Terms& terms, std::int64_t lane, std::int64_t n, std::int64_t lanes);

}  // namespace expansion::detail

namespace sparse {

struct Places;
template <class Values>
struct BasicCsrOn;
template <class Values>
struct BasicEllpackOn;
template <class Values>
inline Places places_of(const BasicCsrOn<Values>& a, std::int64_t i);
template <class Values>
inline Places places_of(const BasicEllpackOn<Values>& a, std::int64_t i);

}  // namespace sparse

}  // namespace assay
