#include "properties/catalog/mp/conversions.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/mp/mp.hpp"
#include "oracle/decimal.hpp"
#include "properties/catalog/mp/result.hpp"

namespace assay::mp {

using oracle::Dyadic;

std::optional<Dyadic> mp_value_of(const MpArray& x, std::size_t k) {
  if (x.exponent[k] == mp::out_of_range_exponent) return {};
  const auto size = static_cast<std::size_t>(x.n);
  std::vector<std::uint32_t> residues(size);
  for (std::size_t i = 0; i < size; ++i) residues[i] = x.digits[x.planes ? i * x.length + k : k * (size + 1) + i];
  return mp_system(x.n).base.value(x.sign[k] != 0, residues, x.exponent[k]);
}

MpArray mp_from_values(int n, std::span<const Dyadic> x) {
  const int kept = mp_system(n).h + 32;
  MpLimbs all;
  all.count = static_cast<std::size_t>(kept + 31) / 32;
  for (const Dyadic& each : x) {
    const bool is_short = each.is_zero() || each.bit_length() <= kept;
    const long e = each.is_zero() ? 0 : is_short ? each.lowest_exponent() : each.exponent() + 1 - kept;
    const std::vector<std::uint32_t> words = oracle::limbs_of(oracle::floor_scaled(abs(each), e), all.count);
    all.limbs.insert(all.limbs.end(), words.begin(), words.end());
    all.exponent.push_back(e);
    all.sign.push_back(each.sign() < 0 ? 1 : 0);
  }
  return mp_from_limbs(Executor::host(), n, all);
}

MpArray mp_from_decimals(int n, std::span<const std::string> x) {
  std::vector<Dyadic> values;
  for (const std::string& each : x) values.push_back(oracle::truncated_decimal(each, mp_system(n).h + 32));
  return mp_from_values(n, values);
}

std::string mp_to_decimal(const MpArray& x, std::size_t k, int digits) {
  const std::optional<Dyadic> value = mp_value_of(x, k);
  return value ? oracle::decimal(*value, digits) : "out of range";
}

MpArray mp_from_mpfr(int n, mpfr_srcptr f) {
  if (mpfr_number_p(f) == 0) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    return mp_from_double(Executor::host(), n, std::span(&none, 1));
  }
  const Dyadic value = oracle::value_of(f);
  return mp_from_values(n, std::span(&value, 1));
}

int mp_to_mpfr(mpfr_ptr f, const MpArray& x, std::size_t k, oracle::Rounding direction) {
  if (const std::optional<Dyadic> value = mp_value_of(x, k)) return oracle::set_mpfr(f, *value, direction);
  mpfr_set_nan(f);
  return 0;
}

}  // namespace assay::mp
