#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include "properties/framework/number_parts.hpp"
#include "properties/framework/shrink.hpp"

namespace assay {

namespace {

using oracle::Format;

/// The passes of the values: for every size of chunks, the largest first, one pass of each kind, then the passes of
/// single numbers.
enum Chunked : std::size_t { to_zero, shortened, cut_off, gathered, positive, chunked };
enum Single : std::size_t { together, shifted, powers, short_words, single_bits, couples, singles };
static_assert(value_passes == chunked * chunk_sizes + singles);

/// One number of a record.
struct At {
  std::size_t field;
  std::size_t index;
};

/// A record with its numbers that are not +0, and steps: each is a list of numbers with their new patterns.
class Edits {
 public:
  explicit Edits(const Record& record) : record_(record) {
    for (std::size_t f = 0; f < record.fields.size(); ++f) {
      const auto* words = std::get_if<Words>(&record.fields[f].value);
      for (std::size_t i = 0; words != nullptr && i < words->bits.size(); ++i) {
        if (words->bits[i] != 0) numbers_.push_back({f, i});
      }
    }
  }
  Edits(const Edits&) = delete;
  Edits& operator=(const Edits&) = delete;

  const std::vector<At>& numbers() const { return numbers_; }
  const Words& words(const At& at) const { return std::get<Words>(record_.fields[at.field].value); }
  const Format& format(const At& at) const { return words(at).format; }
  std::uint64_t bits(const At& at) const { return words(at).bits[at.index]; }
  std::optional<OddParts> parts(const At& at) const { return parts_of(format(at), bits(at)); }
  /// The leading exponent of the first number that is not zero.
  std::optional<long> leading() const {
    for (const At& at : numbers_) {
      if (const auto found = parts(at)) return found->leading();
    }
    return std::nullopt;
  }

  /// change(at): the new pattern of a number, or empty if it stays.
  using Change = std::function<std::optional<std::uint64_t>(const At&)>;
  void offer(std::vector<At> numbers, Change change) { steps_.emplace_back(std::move(numbers), std::move(change)); }
  void offer(const At& at, std::optional<std::uint64_t> bits) {
    if (bits) offer({at}, [bits](const At&) { return bits; });
  }
  /// A step for each chunk of the numbers.
  void offer_chunks(std::size_t chunk, const Change& change) {
    if (chunk > 1 && chunk / 2 >= numbers_.size()) return;
    for (std::size_t first = 0; first < numbers_.size(); first += chunk) {
      const auto from = numbers_.begin() + static_cast<std::ptrdiff_t>(first);
      offer({from, from + static_cast<std::ptrdiff_t>(std::min(chunk, numbers_.size() - first))}, change);
    }
  }

  std::size_t size() const { return steps_.size(); }
  std::optional<Record> step(std::size_t i) const {
    Record changed = record_;
    for (const At& at : steps_[i].first) {
      if (const auto bits = steps_[i].second(at))
        std::get<Words>(changed.fields[at.field].value).bits[at.index] = *bits;
    }
    return changed;
  }

 private:
  Record record_;
  std::vector<At> numbers_;
  std::vector<std::pair<std::vector<At>, Change>> steps_;
};

std::optional<std::uint64_t> shortened_to(const Format& format, const OddParts& parts, std::uint64_t significand,
                                          long exponent) {
  if (significand == 0) return std::nullopt;
  const int zeros = std::countr_zero(significand);
  return pattern_of(format, {parts.negative, significand >> zeros, exponent + zeros});
}

/// The leading `keep` bits, or with `up` these bits plus one unit of the last of them.
std::optional<std::uint64_t> leading_bits(const Format& format, const OddParts& parts, int keep, bool up) {
  const int drop = static_cast<int>(std::bit_width(parts.significand)) - keep;
  if (drop <= 0) return std::nullopt;
  return shortened_to(format, parts, (parts.significand >> drop) + (up ? 1 : 0), parts.exponent + drop);
}

void shorten_chunks(Edits& all, std::size_t chunk) {
  const auto keep = [&](auto length) {
    all.offer_chunks(chunk, [&all, length](const At& at) -> std::optional<std::uint64_t> {
      const auto parts = all.parts(at);
      if (!parts) return std::nullopt;
      return leading_bits(all.format(at), *parts, length(static_cast<int>(std::bit_width(parts->significand))), false);
    });
  };
  keep([](int) { return 1; });
  keep([](int length) { return (length + 1) / 2; });
}

/// Clears all bits below one weight, the same for all numbers: numbers that cancel still cancel.
void cut_off_chunks(Edits& all, std::size_t chunk) {
  std::optional<std::pair<long, long>> range;
  for (const At& at : all.numbers()) {
    if (const auto parts = all.parts(at)) {
      range = range ? std::pair(std::min(range->first, parts->exponent), std::max(range->second, parts->leading()))
                    : std::pair(parts->exponent, parts->leading());
    }
  }
  if (!range || chunk < 2) return;
  for (const long share : {2L, 4L, 16L, 1024L}) {
    const long lowest = range->first + std::max(1L, (range->second - range->first) / share);
    all.offer_chunks(chunk, [&all, lowest](const At& at) -> std::optional<std::uint64_t> {
      const auto parts = all.parts(at);
      if (!parts || parts->exponent >= lowest) return std::nullopt;
      const long drop = lowest - parts->exponent;
      if (drop >= static_cast<long>(std::bit_width(parts->significand))) return 0;
      return shortened_to(all.format(at), *parts, parts->significand >> drop, lowest);
    });
  }
}

std::optional<std::uint64_t> shifted_by(const Edits& all, const At& at, long shift) {
  auto parts = all.parts(at);
  if (!parts || shift == 0) return std::nullopt;
  parts->exponent += shift;
  return pattern_of(all.format(at), *parts);
}

/// Exponents nearer to the leading one: equal to it, halfway, one step; within a chunk each number alone, or all by one
/// shift.
void gather_chunks(Edits& all, std::size_t chunk) {
  const std::optional<long> leading = all.leading();
  if (!leading) return;
  for (const long share : {1L, 2L, 0L}) {
    const auto nearer = [share](long own, long goal) {
      return share == 0 ? (own > goal ? -1L : own < goal ? 1L : 0L) : (goal - own) / share;
    };
    all.offer_chunks(chunk, [&all, nearer, leading](const At& at) -> std::optional<std::uint64_t> {
      const auto parts = all.parts(at);
      const bool is_first = at.field == all.numbers()[0].field && at.index == all.numbers()[0].index;
      return parts ? shifted_by(all, at, nearer(parts->leading(), is_first ? 0 : *leading)) : std::nullopt;
    });
    for (std::size_t first = 0; chunk > 1 && chunk / 2 < all.numbers().size() && first < all.numbers().size();
         first += chunk) {
      const auto parts = all.parts(all.numbers()[first]);
      const long shift = parts ? nearer(parts->leading(), *leading) : 0;
      if (shift == 0) continue;
      const auto from = all.numbers().begin() + static_cast<std::ptrdiff_t>(first);
      all.offer({from, from + static_cast<std::ptrdiff_t>(std::min(chunk, all.numbers().size() - first))},
                [&all, shift](const At& at) { return shifted_by(all, at, shift); });
    }
  }
}

/// Numbers of one magnitude are changed alike: they may cancel.
void change_equals(Edits& all) {
  std::map<std::pair<std::size_t, std::uint64_t>, std::vector<At>> equals;
  for (const At& at : all.numbers()) {
    const auto width = static_cast<std::size_t>(all.format(at).width());
    equals[{width, all.bits(at) & (all.format(at).sign_mask() - 1)}].push_back(at);
  }
  for (const auto& [key, numbers] : equals) {
    if (numbers.size() < 2) continue;
    const auto offer = [&, &same = numbers](auto change) {
      all.offer(same, [&all, change](const At& at) -> std::optional<std::uint64_t> {
        const auto parts = all.parts(at);
        return parts ? change(all.format(at), *parts) : std::nullopt;
      });
    };
    using Result = std::optional<std::uint64_t>;
    all.offer(numbers, [](const At&) { return std::uint64_t{0}; });
    offer([](const Format& format, const OddParts& parts) { return pattern_of(format, {parts.negative, 1, 0}); });
    for (const int share : {0, 4, 2}) {
      for (const bool up : {false, true}) {
        offer([=](const Format& format, const OddParts& parts) -> Result {
          const auto length = static_cast<int>(std::bit_width(parts.significand));
          return leading_bits(format, parts, share == 0 ? 1 : (length + share - 1) / share, up);
        });
      }
    }
    offer([](const Format& format, const OddParts& parts) -> Result {
      return parts.significand == 1 ? std::nullopt : shortened_to(format, parts, parts.significand - 1, parts.exponent);
    });
    for (const long goal : {all.leading().value_or(0), 0L}) {
      offer([goal](const Format& format, OddParts parts) -> Result {
        parts.exponent += goal - parts.leading();
        return pattern_of(format, parts);
      });
    }
  }
}

/// All exponents by one shift, which keeps relative sizes: the leading one to 0, halfway, one step. All signs changed.
void shift_all(Edits& all) {
  const std::optional<long> leading = all.leading();
  for (const long shift : {-leading.value_or(0), -leading.value_or(0) / 2, leading.value_or(0) > 0 ? -1L : 1L}) {
    if (leading.value_or(0) != 0) {
      all.offer(all.numbers(), [&all, shift](const At& at) { return shifted_by(all, at, shift); });
    }
  }
  all.offer(all.numbers(), [&all](const At& at) { return all.bits(at) ^ all.format(at).sign_mask(); });
}

/// All numbers of a short record become powers of two with any signs: for at most three numbers 1, 2^p, 2^(p + 1),
/// 2^(−p) or 2^(−p − 1) with precision p; for four numbers 1, 2^p, 2^(−p) or zero. A single number of a cancellation is
/// never changed by itself.
void try_powers(Edits& all) {
  const std::size_t count = all.numbers().size();
  const std::size_t powers = count <= 3 ? 5 : 3;
  const std::size_t choices = 2 * powers + (count == 4 ? 1 : 0);
  std::size_t combinations = count <= 4 ? 1 : 0;
  for (std::size_t k = 0; k < count && combinations != 0; ++k) combinations *= choices;
  for (std::size_t which = 0; which < combinations; ++which) {
    all.offer(all.numbers(), [&all, which, powers, choices](const At& at) -> std::optional<std::uint64_t> {
      std::size_t own = which;
      for (const At& before : all.numbers()) {
        if (before.field == at.field && before.index == at.index) break;
        own /= choices;
      }
      own %= choices;
      if (own == 2 * powers) return 0;
      const Format& format = all.format(at);
      const long p = format.precision;
      const long exponents[] = {0, -p, p, -p - 1, p + 1};
      return pattern_of(format,
                        {oracle::is_negative(format, all.bits(at)) != (own >= powers), 1, exponents[own % powers]});
    });
  }
}

/// If there are few numbers, any two are shortened at once.
void shorten_couples(Edits& all) {
  constexpr std::size_t most = 16;
  const std::vector<At>& numbers = all.numbers();
  std::vector<std::vector<std::uint64_t>> shorter(numbers.size());
  for (std::size_t i = 0; i < numbers.size() && numbers.size() <= most; ++i) {
    const auto parts = all.parts(numbers[i]);
    if (!parts) continue;
    const Format& format = all.format(numbers[i]);
    const auto length = static_cast<int>(std::bit_width(parts->significand));
    const auto add = [&](std::optional<std::uint64_t> bits) {
      if (bits) shorter[i].push_back(*bits);
    };
    add(leading_bits(format, *parts, 1, false));
    add(leading_bits(format, *parts, 1, true));
    add(leading_bits(format, *parts, (length + 1) / 2, false));
    add(leading_bits(format, *parts, length - 1, false));
    add(leading_bits(format, *parts, length - 1, true));
    add(pattern_of(format, {parts->negative, parts->significand, parts->exponent - parts->leading()}));
    add(pattern_of(format, {!parts->negative, parts->significand, parts->exponent}));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = i + 1; j < numbers.size(); ++j) {
      for (const std::uint64_t first : shorter[i]) {
        for (const std::uint64_t second : shorter[j]) {
          all.offer({numbers[i], numbers[j]}, [first, second, at = numbers[i]](const At& of) {
            return of.field == at.field && of.index == at.index ? first : second;
          });
        }
      }
    }
  }
}

/// Single numbers: 1, a power of two at or just below the lowest bit, the leading 1, 2, 4, … bits, and the lowest bit
/// moved up.
void shorten_numbers(Edits& all) {
  for (const At& at : all.numbers()) {
    const Format& format = all.format(at);
    all.offer(at, pattern_of(format, {false, 1, 0}));
    const auto parts = all.parts(at);
    if (!parts) continue;
    const auto length = static_cast<int>(std::bit_width(parts->significand));
    for (long below = 0; below < 4 && length > 1; ++below) {
      all.offer(at, pattern_of(format, {parts->negative, 1, parts->exponent - below}));
    }
    for (int keep = 1; keep < length; keep *= 2) {
      all.offer(at, leading_bits(format, *parts, keep, false));
      all.offer(at, leading_bits(format, *parts, keep, true));
    }
    const std::uint64_t others = parts->significand & ~std::uint64_t{1};
    const int next = others == 0 ? 0 : std::countr_zero(others);
    for (const int up : {next - 1, next / 2, 1}) {
      if (up > 0 && up < next) {
        all.offer(at, shortened_to(format, *parts, others | std::uint64_t{1} << up, parts->exponent));
      }
    }
  }
}

/// Each single bit cleared, the lowest of a number first.
void clear_bits(Edits& all) {
  for (const At& at : all.numbers()) {
    const auto parts = all.parts(at);
    for (int bit = 0; parts && bit + 1 < static_cast<int>(std::bit_width(parts->significand)); ++bit) {
      if ((parts->significand >> bit & 1) == 0) continue;
      all.offer(at,
                shortened_to(all.format(at), *parts, parts->significand & ~(std::uint64_t{1} << bit), parts->exponent));
    }
  }
}

}  // namespace

ShrinkPass value_pass(const Record& record, std::size_t which) {
  const auto all = std::make_shared<Edits>(record);
  const std::size_t chunk = std::size_t{1} << (chunk_sizes - 1 - which % chunk_sizes);
  const std::size_t single = which - chunked * chunk_sizes;
  if (which / chunk_sizes == to_zero) {
    all->offer_chunks(chunk, [](const At&) { return std::uint64_t{0}; });
  } else if (which / chunk_sizes == shortened) {
    shorten_chunks(*all, chunk);
  } else if (which / chunk_sizes == cut_off) {
    cut_off_chunks(*all, chunk);
  } else if (which / chunk_sizes == gathered) {
    gather_chunks(*all, chunk);
  } else if (which / chunk_sizes == positive) {
    all->offer_chunks(chunk, [&of = *all](const At& at) { return of.bits(at) & ~of.format(at).sign_mask(); });
  } else if (single == together) {
    change_equals(*all);
  } else if (single == shifted) {
    shift_all(*all);
  } else if (single == powers) {
    try_powers(*all);
  } else if (single == short_words) {
    shorten_numbers(*all);
  } else if (single == single_bits) {
    clear_bits(*all);
  } else {
    shorten_couples(*all);
  }
  return {all->size(), [all](std::size_t i) { return all->step(i); }};
}

}  // namespace assay
