#include "properties/contracts/matmul_screen.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "errorbounds/bound.hpp"
#include "errorbounds/fraction.hpp"
#include "errorbounds/judge.hpp"
#include "oracle/decode.hpp"

namespace assay::contracts {
namespace {

using oracle::Dyadic;

/// The largest number of so many significant bits that is at most x. Requires: x ≥ 0.
double cut(double x, int bits) {
  const int dropped = 53 - bits;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) >> dropped << dropped);
}

/// Whether the result of an entry with these cut numbers may leave half the range of a format in which a sum is stored:
/// there judge_entry() asks for the rounding of a number within the bound of the sum, which is less than the bound of
/// the result allows. M, which is not known here, changes nothing: where it makes the bound as large as half the range,
/// all that the bound without it allows is within the bound of the sum.
bool may_overflow(const MatmulBound& bound, const MatmulSum& entry) {
  if (entry.accumulator == entry.result || bound.ending == MatmulEnding::included) return false;
  const Dyadic magnitudes = Dyadic(5) * Dyadic(entry.terms.magnitudes).mul_2exp(-2);
  const Dyadic sum = Dyadic(3) * Dyadic(entry.terms.sum).mul_2exp(-1) + Dyadic(magnitudes).mul_2exp(-7);
  const MatmulTerms most{EntryKind::finite, sum, magnitudes, {}};
  const Bound largest = bound.of({entry.k, most, entry.accumulator, entry.result}) + Bound{sum};
  return largest.numerator > Dyadic::scaled(1, entry.result.emax - 1) * largest.denominator;
}

/// A number, from 1 on, that no other bound, number of terms or formats has in any thread.
std::uint64_t kind_of(const MatmulBound& bound, std::uint64_t k, const oracle::Format& accumulator,
                      const oracle::Format& result) {
  constexpr std::size_t most_kinds = 8192;
  using Numbers = std::array<int, 4>;
  thread_local std::map<std::tuple<decltype(bound.of), MatmulEnding, std::uint64_t, Numbers, Numbers>, std::uint64_t>
      kinds;
  static std::atomic<std::uint64_t> last = 0;
  const auto numbers_of = [](const oracle::Format& format) {
    return Numbers{format.precision, format.emin, format.emax, static_cast<int>(format.specials)};
  };
  if (kinds.size() > most_kinds) kinds.clear();
  const auto [kind, is_new] =
      kinds.try_emplace({bound.of, bound.ending, k, numbers_of(accumulator), numbers_of(result)});
  if (is_new) kind->second = ++last;
  return kind->second;
}

/// A floor that was computed, of that kind and those numbers.
struct KnownFloor {
  std::uint64_t kind, key;
  double floor;
};

/// The place for a floor among those that this thread remembers. Claims meet the same sums again and again: for each
/// control, in each repetition, and in cases of one shape.
KnownFloor& remembered(std::uint64_t kind, std::uint64_t key) {
  constexpr int bits = 15;
  thread_local std::vector<KnownFloor> all(std::size_t{1} << bits);
  return all[((key ^ kind << 16) * 0x9e3779b97f4a7c15) >> (64 - bits)];
}

}  // namespace

BoundFloor::BoundFloor(const MatmulBound& bound, std::uint64_t k, const oracle::Format& accumulator,
                       const oracle::Format& result)
    : bound_(bound), k_(k), accumulator_(accumulator), result_(result), kind_(kind_of(bound, k, accumulator, result)) {}

double BoundFloor::operator()(double magnitude, double sum) {
  constexpr double tiny = 0x1p-900;  // below it the bound may leave the range of binary64
  if (magnitude < tiny) return 0;
  magnitude = cut(magnitude, 4);
  sum = sum < magnitude * 0x1p-8 ? 0 : cut(sum, 2);
  const std::uint64_t key = std::bit_cast<std::uint64_t>(magnitude) | std::bit_cast<std::uint64_t>(sum) >> 32;
  KnownFloor& known = remembered(kind_, key);
  if (known.kind == kind_ && known.key == key) return known.floor;
  const MatmulTerms terms{EntryKind::finite, oracle::exact(sum), oracle::exact(magnitude), {}};
  const MatmulSum entry{k_, terms, accumulator_, result_};
  const Bound bound = may_overflow(bound_, entry) ? bound_.of(entry) : bound_of(bound_, entry);
  known = {kind_, key, bound.numerator.is_zero() ? 0 : at_most({bound.numerator, bound.denominator})};
  return known.floor;
}

double gap_at(double got, const oracle::Format& format) {
  if (!std::isfinite(got) || got == 0) return std::numeric_limits<double>::quiet_NaN();
  const int exponent = std::ilogb(got);
  const bool is_power = std::abs(got) == std::ldexp(1.0, exponent);
  const int binade = std::max(exponent - (is_power ? 1 : 0), format.emin);
  return std::ldexp(1.0, binade - format.precision + 1);
}

}  // namespace assay::contracts
