#include "oracle/residues.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace assay::oracle {

namespace {

/// An owner of an fmpz.
class Whole {
 public:
  Whole() { fmpz_init(z_); }
  explicit Whole(const Dyadic& x) : Whole() {
    if (!x.is_integer()) {
      throw std::invalid_argument("not an integer: " + to_string(x));
    }
    arf_get_fmpz(z_, x.arf(), ARF_RND_DOWN);
  }
  Whole(const Whole&) = delete;
  Whole& operator=(const Whole&) = delete;
  ~Whole() { fmpz_clear(z_); }

  fmpz* get() { return z_; }
  Dyadic dyadic() const {
    Dyadic x;
    arf_set_fmpz(x.arf(), z_);
    return x;
  }

 private:
  fmpz_t z_;
};

/// An array of fmpz.
class Wholes {
 public:
  explicit Wholes(std::span<const std::uint32_t> x) : z_(x.size()) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      fmpz_init_set_ui(&z_[i], x[i]);
    }
  }
  Wholes(const Wholes&) = delete;
  Wholes& operator=(const Wholes&) = delete;
  ~Wholes() {
    for (fmpz& each : z_) {
      fmpz_clear(&each);
    }
  }
  const fmpz* get() const { return z_.data(); }

 private:
  std::vector<fmpz> z_;
};

}  // namespace

Dyadic integer_of_limbs(std::span<const std::uint32_t> limbs) {
  std::vector<ulong> words((limbs.size() + 1) / 2);
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    words[i / 2] |= static_cast<ulong>(limbs[i]) << (32 * (i % 2));
  }
  Whole x;
  if (!words.empty()) {
    fmpz_set_ui_array(x.get(), words.data(), static_cast<slong>(words.size()));
  }
  return x.dyadic();
}

std::vector<std::uint32_t> limbs_of(const Dyadic& x, std::size_t count) {
  if (!x.is_integer() || x.sign() < 0 || (!x.is_zero() && x.exponent() >= 32 * static_cast<long>(count))) {
    throw std::range_error("no integer of " + std::to_string(count) + " limbs: " + to_string(x));
  }
  std::vector<std::uint32_t> limbs(count);
  std::vector<ulong> words((count + 1) / 2);
  if (!words.empty()) {
    fmpz_get_ui_array(words.data(), static_cast<slong>(words.size()), Whole(x).get());
  }
  for (std::size_t i = 0; i < count; ++i) {
    limbs[i] = static_cast<std::uint32_t>(words[i / 2] >> (32 * (i % 2)));
  }
  return limbs;
}

Dyadic integer_from_decimal(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  Whole x;
  const bool decimal = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!decimal || fmpz_set_str(x.get(), std::string(text).c_str(), 10) != 0) {
    throw std::invalid_argument("not a decimal integer: '" + std::string(text) + "'");
  }
  return x.dyadic();
}

Dyadic floor_scaled(const Dyadic& x, long d) {
  Dyadic result = x;
  result.mul_2exp(-d);
  arf_floor(result.arf(), result.arf());
  return result;
}

Dyadic floor_quotient(const Dyadic& x, const Dyadic& y) {
  Whole numerator(x);
  Whole denominator(y);
  if (y.is_zero()) {
    throw std::domain_error("division of an integer by zero");
  }
  fmpz_fdiv_q(numerator.get(), numerator.get(), denominator.get());
  return numerator.dyadic();
}

std::uint32_t residue(const Dyadic& x, std::uint32_t m) {
  const auto result = static_cast<std::uint32_t>(fmpz_fdiv_ui(Whole(x).get(), m));
  if (watch::is_on) watch::residues(x, {&m, 1}, {&result, 1}, false);
  return result;
}

ResidueSystem::ResidueSystem(std::vector<std::uint32_t> moduli) : moduli_(std::move(moduli)), product_(1) {
  const Wholes m(moduli_);
  const bool sizes =
      !moduli_.empty() && std::all_of(moduli_.begin(), moduli_.end(), [](auto each) { return each > 1; });
  fmpz_multi_CRT_init(reconstruction_);
  if (!sizes || fmpz_multi_CRT_precompute(reconstruction_, m.get(), static_cast<slong>(moduli_.size())) == 0) {
    fmpz_multi_CRT_clear(reconstruction_);
    throw std::invalid_argument("moduli of a residue number system are at least 2 and pairwise coprime");
  }
  for (const std::uint32_t each : moduli_) {
    product_ *= Dyadic(each);
  }
}

ResidueSystem::~ResidueSystem() { fmpz_multi_CRT_clear(reconstruction_); }

std::vector<std::uint32_t> ResidueSystem::residues(const Dyadic& x) const {
  Whole whole(x);
  std::vector<std::uint32_t> result;
  result.reserve(moduli_.size());
  for (const std::uint32_t m : moduli_) {
    result.push_back(static_cast<std::uint32_t>(fmpz_fdiv_ui(whole.get(), m)));
  }
  if (watch::is_on) watch::residues(x, moduli_, result, false);
  return result;
}

Dyadic ResidueSystem::integer(std::span<const std::uint32_t> residues) const {
  if (residues.size() != moduli_.size()) {
    throw std::invalid_argument(std::to_string(residues.size()) + " residues for " + std::to_string(moduli_.size()) +
                                " moduli");
  }
  const Wholes inputs(residues);
  Whole x;
  fmpz_multi_CRT_precomp(x.get(), reconstruction_, inputs.get(), 0);
  Dyadic result = x.dyadic();
  if (watch::is_on) watch::residues(result, moduli_, residues, true);
  return result;
}

Dyadic ResidueSystem::value(bool negative, std::span<const std::uint32_t> residues, long exponent) const {
  Dyadic x = integer(residues);
  x.mul_2exp(exponent);
  return negative ? -std::move(x) : x;
}

Dyadic ResidueSystem::reduced(const Dyadic& x) const {
  Whole whole(x);
  Whole m(product_);
  fmpz_fdiv_r(whole.get(), whole.get(), m.get());
  Dyadic result = whole.dyadic();
  if (watch::is_on) watch::remainder(x, moduli_, result);
  return result;
}

}  // namespace assay::oracle
