#include "properties/framework/neighbour.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <iterator>

#include "oracle/decode.hpp"

namespace assay {

namespace {

using oracle::Format;

class Moves {
 public:
  Moves(Record& record, const Record& other, bits::SplitMix64& random)
      : record_(record), other_(other), random_(random) {
    for (std::size_t f = 0; f < record.fields.size(); ++f) {
      if (const Words* const words = words_of(record, f)) {
        numbers_ += words->bits.size();
      } else {
        integers_.push_back(f);
      }
    }
  }

  void any() {
    // An integer is a dimension or a scale: most moves do not change it.
    if (!integers_.empty() && (numbers_ == 0 || one_in(8))) {
      integer();
    } else if (numbers_ != 0) {
      constexpr std::array moves = {&Moves::bit,
                                    &Moves::ulps,
                                    &Moves::ulps,
                                    &Moves::significand,
                                    &Moves::near_power,
                                    &Moves::near_power,
                                    &Moves::near_tie,
                                    &Moves::near_tie,
                                    &Moves::exponent,
                                    &Moves::related,
                                    &Moves::related,
                                    &Moves::sign,
                                    &Moves::significand_of_another,
                                    &Moves::swap,
                                    &Moves::scale_field,
                                    &Moves::negate_field,
                                    &Moves::mix,
                                    &Moves::length};
      (this->*moves[below(moves.size())])();
    }
  }

 private:
  struct Number {
    const Format* format;
    std::uint64_t* bits;
  };

  static Words* words_of(Record& record, std::size_t f) { return std::get_if<Words>(&record.fields[f].value); }
  static const Words* words_of(const Record& record, std::size_t f) {
    return std::get_if<Words>(&record.fields[f].value);
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  /// 1, 2 or 3 half of the time, seldom more than 100.
  std::uint64_t small() { return 1 + below(std::uint64_t{2} << below(1 + below(8))); }
  std::int64_t signed_small() {
    const auto size = static_cast<std::int64_t>(small());
    return one_in(2) ? size : -size;
  }

  Number number() {
    std::uint64_t place = below(numbers_);
    for (std::size_t f = 0;; ++f) {
      Words* const words = words_of(record_, f);
      if (words == nullptr) continue;
      if (place < words->bits.size()) return {&words->format, &words->bits[place]};
      place -= words->bits.size();
    }
  }

  static std::uint64_t magnitude(const Number& x) { return *x.bits & (x.format->sign_mask() - 1); }
  static void set_magnitude(const Number& x, std::uint64_t magnitude) {
    *x.bits = (*x.bits & x.format->sign_mask()) | std::min(magnitude, x.format->largest_finite());
  }
  static void add(const Number& x, std::int64_t ulps) {
    const auto moved = static_cast<std::int64_t>(magnitude(x)) + ulps;
    set_magnitude(x, static_cast<std::uint64_t>(moved < 0 ? -moved : moved));
  }
  static std::int64_t exponent_field(const Number& x) {
    return static_cast<std::int64_t>(magnitude(x) >> x.format->fraction_bits());
  }
  static void set_exponent_field(const Number& x, std::int64_t field) {
    const std::uint64_t fraction = magnitude(x) & x.format->fraction_mask();
    set_magnitude(
        x, (static_cast<std::uint64_t>(std::max<std::int64_t>(field, 0)) << x.format->fraction_bits()) | fraction);
  }
  static void set_fraction(const Number& x, std::uint64_t fraction) {
    set_magnitude(x, (magnitude(x) & ~x.format->fraction_mask()) | (fraction & x.format->fraction_mask()));
  }

  void bit() {
    const Number x = number();
    *x.bits ^= std::uint64_t{1} << below(static_cast<std::uint64_t>(x.format->width()));
  }
  void ulps() { add(number(), signed_small()); }
  void significand() { set_fraction(number(), random_()); }
  /// 1.00…0 or 1.11…1 with a few bits at one place.
  void near_power() {
    const Number x = number();
    const std::uint64_t some = small() << below(static_cast<std::uint64_t>(std::max(1, x.format->fraction_bits())));
    set_fraction(x, one_in(2) ? some : x.format->fraction_mask() - some);
  }
  /// The last t bits are 10…0, or a few units away from it.
  void near_tie() {
    const Number x = number();
    if (x.format->fraction_bits() < 2) return;
    const std::uint64_t t = 1 + below(static_cast<std::uint64_t>(x.format->fraction_bits()));
    const std::uint64_t low = (std::uint64_t{1} << t) - 1;
    const std::uint64_t tie = (low + 1) / 2 + (one_in(2) ? 0 : static_cast<std::uint64_t>(signed_small()));
    set_fraction(x, (magnitude(x) & ~low) | (tie & low));
  }
  void exponent() {
    const Number x = number();
    set_exponent_field(x, exponent_field(x) + signed_small());
  }
  /// Sets the exponent of one number in relation to another number's.
  void related() {
    const Number x = number();
    const Number y = number();
    const std::int64_t p = x.format->precision;
    const std::array<std::int64_t, 6> distances = {0, p, p, 2 * p, p / 2, static_cast<std::int64_t>(below(3 * 64))};
    const std::int64_t distance = distances[below(distances.size())] + static_cast<std::int64_t>(below(4)) - 1;
    set_exponent_field(x, exponent_field(y) - distance);
    if (one_in(3)) set_fraction(x, one_in(2) ? small() - 1 : x.format->fraction_mask() - (small() - 1));
  }
  void sign() {
    const Number x = number();
    *x.bits ^= x.format->sign_mask();
  }
  void significand_of_another() {
    const Number x = number();
    const Number y = number();
    if (*x.format == *y.format) set_fraction(x, *y.bits);
    if (one_in(2)) add(x, signed_small());
  }
  void swap() {
    const Number x = number();
    const Number y = number();
    if (*x.format == *y.format) std::swap(*x.bits, *y.bits);
  }
  Words* some_words() {
    Words* const words = words_of(record_, below(record_.fields.size()));
    return words == nullptr || words->bits.empty() ? nullptr : words;
  }
  void scale_field() {
    if (Words* const words = some_words()) {
      const std::int64_t shift = signed_small();
      for (std::uint64_t& each : words->bits) {
        const Number x{&words->format, &each};
        if (magnitude(x) != 0) set_exponent_field(x, exponent_field(x) + shift);
      }
    }
  }
  void negate_field() {
    if (Words* const words = some_words()) {
      for (std::uint64_t& each : words->bits) each ^= words->format.sign_mask();
    }
  }
  /// Copies fields of the other record, or single numbers of it, if the lengths agree.
  void mix() {
    const bool by_field = one_in(2);
    for (std::size_t f = 0; f < record_.fields.size(); ++f) {
      Words* const mine = words_of(record_, f);
      const Words* const its = words_of(other_, f);
      if (mine == nullptr || its == nullptr || mine->bits.size() != its->bits.size()) continue;
      if (by_field) {
        if (one_in(2)) mine->bits = its->bits;
        continue;
      }
      for (std::size_t i = 0; i < mine->bits.size(); ++i) {
        if (one_in(2)) mine->bits[i] = its->bits[i];
      }
    }
  }
  /// Adds or removes one entry of all lists of one length, and adjusts the integers that hold it.
  void length() {
    Words* const chosen = some_words();
    if (chosen == nullptr || chosen->shape != Words::Shape::list) return;
    const std::size_t n = chosen->bits.size();
    const std::size_t place = below(n);
    const bool longer = one_in(2);
    for (std::size_t f = 0; f < record_.fields.size(); ++f) {
      if (Words* const words = words_of(record_, f)) {
        if (words->shape != Words::Shape::list || words->bits.size() != n) continue;
        const auto at = words->bits.begin() + static_cast<std::ptrdiff_t>(place);
        if (longer) {
          words->bits.insert(at, *at);
        } else {
          words->bits.erase(at);
        }
      } else if (auto& held = std::get<std::int64_t>(record_.fields[f].value); held == static_cast<std::int64_t>(n)) {
        held += longer ? 1 : -1;
      }
    }
  }
  void integer() {
    const std::size_t f = integers_[below(integers_.size())];
    auto& value = std::get<std::int64_t>(record_.fields[f].value);
    if (one_in(4)) {
      value = std::get<std::int64_t>(other_.fields[f].value);
    } else {
      value += signed_small();
    }
  }

  Record& record_;
  const Record& other_;
  bits::SplitMix64& random_;
  std::vector<std::size_t> integers_{};
  std::uint64_t numbers_ = 0;
};

}  // namespace

Record neighbour(const Record& from, const Record& other, bits::SplitMix64& random) {
  Record changed = from;
  do {
    Moves(changed, other, random).any();
  } while (random() % 2 == 0);
  return changed;
}

}  // namespace assay
