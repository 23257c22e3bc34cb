#include "properties/framework/record.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <optional>

#include "oracle/decode.hpp"

namespace assay {

namespace {

using oracle::Format;

/// A finite nonzero number as (−1)^negative · significand · 2^exponent with an odd significand.
struct Parts {
  bool negative;
  std::uint64_t significand;
  long exponent;
  long leading() const { return exponent + static_cast<long>(std::bit_width(significand)) - 1; }
};

std::optional<Parts> parts_of(const Format& format, std::uint64_t bits) {
  if (!oracle::is_finite(format, bits) || (bits & (format.sign_mask() - 1)) == 0) {
    return std::nullopt;
  }
  const long field = static_cast<long>((bits & format.exponent_mask()) >> format.fraction_bits());
  std::uint64_t significand = bits & format.fraction_mask();
  long exponent = format.emin - format.fraction_bits();
  if (field != 0) {
    significand |= format.fraction_mask() + 1;
    exponent += field - 1;
  }
  const int zeros = std::countr_zero(significand);
  return Parts{(bits & format.sign_mask()) != 0, significand >> zeros, exponent + zeros};
}

/// The pattern of such a number, or nothing where it is not a number of the format.
std::optional<std::uint64_t> pattern_of(const Format& format, const Parts& parts) {
  const long lowest = format.emin - format.fraction_bits();
  if (parts.leading() > format.emax || parts.exponent < lowest ||
      static_cast<int>(std::bit_width(parts.significand)) > format.precision) {
    return std::nullopt;
  }
  const long leading = std::max<long>(parts.leading(), format.emin);
  std::uint64_t magnitude = parts.significand << (parts.exponent - (leading - format.fraction_bits()));
  if (magnitude > format.fraction_mask()) {
    magnitude = (magnitude & format.fraction_mask()) |
                (static_cast<std::uint64_t>(leading - format.emin + 1) << format.fraction_bits());
  }
  const std::uint64_t bits = magnitude | (parts.negative ? format.sign_mask() : 0);
  return oracle::is_finite(format, bits) ? std::optional(bits) : std::nullopt;
}

Words* words_in(FieldValue& field) { return std::get_if<Words>(&field.value); }
const Words* words_in(const FieldValue& field) { return std::get_if<Words>(&field.value); }

/// The words that the candidates of one step hold together: for vectors of thousands the last ones, which change single
/// bits, are left out.
constexpr std::size_t most_words = std::size_t{1} << 24;

class Step {
 public:
  explicit Step(const Record& record) : record_(record), limit_(complexity(record)) {}

  void offer(Record candidate) {
    const Complexity found = complexity(candidate);
    if (!has_room() || !(found < limit_)) {
      return;
    }
    words_ += found.numbers;
    found_.records.push_back(std::move(candidate));
  }
  /// The record with word i of field f replaced.
  void offer_word(std::size_t f, std::size_t i, std::uint64_t bits) {
    if (!has_room()) {
      return;
    }
    Record candidate = record_;
    words_in(candidate.fields[f])->bits[i] = bits;
    offer(std::move(candidate));
  }
  template <class F>
  void for_each_word(F&& f) const {
    for (std::size_t field = 0; field < record_.fields.size(); ++field) {
      if (const Words* words = words_in(record_.fields[field])) {
        for (std::size_t i = 0; i < words->bits.size(); ++i) {
          f(field, i, words->format, words->bits[i]);
        }
      }
    }
  }
  Candidates take() { return std::move(found_); }
  const Record& record() const { return record_; }

 private:
  bool has_room() {
    found_.complete = found_.complete && words_ < most_words;
    return found_.complete;
  }
  const Record& record_;
  Complexity limit_;
  std::size_t words_ = 0;
  Candidates found_;
};

/// Lists of one length lose the same elements: a half, a quarter, …, each single one.
void shorten_lists(Step& out) {
  std::map<std::size_t, std::vector<std::size_t>> fields_by_length;
  for (std::size_t f = 0; f < out.record().fields.size(); ++f) {
    const Words* words = words_in(out.record().fields[f]);
    if (words != nullptr && words->shape == Words::Shape::list && !words->bits.empty()) {
      fields_by_length[words->bits.size()].push_back(f);
    }
  }
  for (const auto& [length, fields] : fields_by_length) {
    for (std::size_t chunk = length; chunk > 0; chunk /= 2) {
      for (std::size_t start = 0; start + chunk <= length; start += chunk) {
        Record candidate = out.record();
        for (const std::size_t f : fields) {
          auto& bits = words_in(candidate.fields[f])->bits;
          const auto from = bits.begin() + static_cast<std::ptrdiff_t>(start);
          bits.erase(from, from + static_cast<std::ptrdiff_t>(chunk));
        }
        out.offer(std::move(candidate));
      }
    }
  }
}

void lower_integers(Step& out) {
  for (std::size_t f = 0; f < out.record().fields.size(); ++f) {
    if (const auto* integer = std::get_if<std::int64_t>(&out.record().fields[f].value)) {
      for (const std::int64_t smaller : {std::int64_t{0}, std::int64_t{1}, *integer / 2, *integer - 1, *integer + 1}) {
        Record candidate = out.record();
        candidate.fields[f].value = smaller;
        out.offer(std::move(candidate));
      }
    }
  }
}

void zero_and_one(Step& out) {
  out.for_each_word([&](std::size_t f, std::size_t i, const Format& format, std::uint64_t bits) {
    if (bits != 0) {
      out.offer_word(f, i, 0);
      out.offer_word(f, i, *pattern_of(format, {false, 1, 0}));
    }
  });
}

void clear_bits(Step& out) {
  out.for_each_word([&](std::size_t f, std::size_t i, const Format& format, std::uint64_t bits) {
    const std::optional<Parts> parts = parts_of(format, bits);
    if (!parts) {
      return;
    }
    const auto length = static_cast<int>(std::bit_width(parts->significand));
    const auto offer = [&](std::uint64_t significand, long exponent) {
      const int zeros = std::countr_zero(significand);
      if (const auto pattern = pattern_of(format, {parts->negative, significand >> zeros, exponent + zeros})) {
        out.offer_word(f, i, *pattern);
      }
    };
    // A power of two at the lowest bit, or just below it.
    for (long below = 0; below < 4 && length > 1; ++below) {
      offer(1, parts->exponent - below);
    }
    // Keep the leading 1, 2, 4, … bits; then the same rounded up.
    for (int keep = 1; keep < length; keep *= 2) {
      const int drop = length - keep;
      offer(parts->significand >> drop, parts->exponent + drop);
      offer((parts->significand >> drop) + 1, parts->exponent + drop);
    }
    // Move the lowest bit up: all the way to the next one, halfway, a place.
    const std::uint64_t others = parts->significand & ~std::uint64_t{1};
    if (others != 0) {
      const int next = std::countr_zero(others);
      for (const int up : {next - 1, next / 2, 1}) {
        if (up > 0 && up < next) {
          offer(others | std::uint64_t{1} << up, parts->exponent);
        }
      }
    }
    // Clear each single bit, the lowest first.
    for (int bit = 0; bit + 1 < length; ++bit) {
      if ((parts->significand >> bit & 1) != 0) {
        offer(parts->significand & ~(std::uint64_t{1} << bit), parts->exponent);
      }
    }
  });
}

/// All exponents by one shift, which keeps relative sizes: the leading one to 0, halfway, one step.
void shift_together(Step& out) {
  std::optional<long> leading;
  out.for_each_word([&](std::size_t, std::size_t, const Format& format, std::uint64_t bits) {
    if (const auto parts = parts_of(format, bits); parts && !leading) {
      leading = parts->leading();
    }
  });
  if (!leading || *leading == 0) {
    return;
  }
  for (const long shift : {-*leading, -*leading / 2, *leading > 0 ? -1L : 1L}) {
    Record candidate = out.record();
    bool fits = true;
    for (FieldValue& field : candidate.fields) {
      if (Words* words = words_in(field)) {
        for (std::uint64_t& bits : words->bits) {
          if (auto parts = parts_of(words->format, bits)) {
            parts->exponent += shift;
            const auto pattern = pattern_of(words->format, *parts);
            fits = fits && pattern.has_value();
            bits = pattern.value_or(bits);
          }
        }
      }
    }
    if (fits) {
      out.offer(std::move(candidate));
    }
  }
}

/// Each exponent nearer to the leading one: equal to it, halfway, one step.
void gather_exponents(Step& out) {
  std::optional<long> leading;
  out.for_each_word([&](std::size_t f, std::size_t i, const Format& format, std::uint64_t bits) {
    auto parts = parts_of(format, bits);
    if (!parts) {
      return;
    }
    const long own = parts->leading();
    const long goal = leading.value_or(0);
    leading = leading.value_or(own);
    for (const long shift : {goal - own, (goal - own) / 2, own > goal ? -1L : 1L}) {
      if (shift != 0) {
        Parts moved = *parts;
        moved.exponent += shift;
        if (const auto pattern = pattern_of(format, moved)) {
          out.offer_word(f, i, *pattern);
        }
      }
    }
  });
}

void make_positive(Step& out) {
  Record flipped = out.record();
  for (FieldValue& field : flipped.fields) {
    if (Words* words = words_in(field)) {
      for (std::uint64_t& bits : words->bits) {
        bits ^= words->format.sign_mask();
      }
    }
  }
  out.offer(std::move(flipped));
  out.for_each_word([&](std::size_t f, std::size_t i, const Format& format, std::uint64_t bits) {
    if ((bits & format.sign_mask()) != 0) {
      out.offer_word(f, i, bits ^ format.sign_mask());
    }
  });
}

}  // namespace

Complexity complexity(const Record& record) {
  Complexity total;
  std::optional<long> leading;
  for (const FieldValue& field : record.fields) {
    const Words* words = words_in(field);
    if (words == nullptr) {
      total.integers += static_cast<std::uint64_t>(std::abs(std::get<std::int64_t>(field.value)));
      continue;
    }
    for (const std::uint64_t bits : words->bits) {
      ++total.numbers;
      total.non_zero += bits != 0 ? 1 : 0;
      total.negative += (bits & words->format.sign_mask()) != 0 ? 1 : 0;
      if (!oracle::is_finite(words->format, bits)) {
        ++total.special;
      } else if (const auto parts = parts_of(words->format, bits)) {
        total.significant_bits += static_cast<std::uint64_t>(std::bit_width(parts->significand));
        total.set_bits += static_cast<std::uint64_t>(std::popcount(parts->significand));
        const long distance = std::labs(parts->leading() - leading.value_or(0));
        leading = leading.value_or(parts->leading());
        total.exponents += static_cast<std::uint64_t>(distance);
      }
    }
  }
  return total;
}

Candidates shrink_candidates(const Record& record) {
  Step candidates(record);
  shorten_lists(candidates);
  lower_integers(candidates);
  zero_and_one(candidates);
  clear_bits(candidates);
  shift_together(candidates);
  gather_exponents(candidates);
  make_positive(candidates);
  return candidates.take();
}

}  // namespace assay
