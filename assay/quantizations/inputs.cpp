#include "assay/quantizations/inputs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace assay::quantizations {
namespace {

using oracle::BlockFormat;
using oracle::Number;
using oracle::NumberFormat;
using oracle::Scaling;

constexpr std::size_t most_in_a_group = 64;
constexpr std::size_t sampled_scales = 160;

}  // namespace

std::uint64_t at_most(const NumberFormat& of, std::uint64_t m, int e) {
  const oracle::Rule truncation{.direction = oracle::Direction::zero};
  return converted({Number::Kind::finite, false, m, e}, of, truncation).code;
}

double magnitude_of(const Number& x) { return std::ldexp(static_cast<double>(x.m), x.e); }
std::uint64_t at_most(const NumberFormat& of, double x) {
  int e = 0;
  const double fraction = std::frexp(x, &e);
  return at_most(of, static_cast<std::uint64_t>(std::ldexp(fraction, 53)), e - 53);
}

Block block_of(const NumberFormat& from, std::vector<std::uint64_t> patterns) {
  Block block;
  block.patterns = std::move(patterns);
  block.numbers.reserve(block.patterns.size());
  for (const std::uint64_t each : block.patterns) {
    const Number x = decode(from, each);
    block.has_nan = block.has_nan || x.kind == Number::Kind::nan;
    block.has_infinity = block.has_infinity || x.kind == Number::Kind::infinite;
    if (x.kind == Number::Kind::finite && is_smaller(block.amax, x)) block.amax = x;
    block.numbers.push_back(x);
  }
  block.amax.negative = false;
  return block;
}

void set_tensor_amax(Group& group) {
  Number largest;
  for (const Block& each : group) largest = is_smaller(largest, each.amax) ? each.amax : largest;
  for (Block& each : group) each.tensor_amax = largest;
}

std::vector<std::uint64_t> sampled_magnitudes(const NumberFormat& from, std::mt19937_64& random, std::size_t count,
                                              int low, int high) {
  std::vector<std::uint64_t> all;
  const std::uint64_t first = std::max(std::uint64_t{1}, at_most(from, 1, low));
  const std::uint64_t last = at_most(from, 1, high);
  for (std::size_t i = 0; i < count; ++i) all.push_back(first + random() % (last - first + 1));
  return all;
}

std::map<std::uint64_t, Number> largest_of_scales(const oracle::QuantizationRule& rule,
                                                  const std::vector<Group>& of_scales) {
  std::map<std::uint64_t, Number> largest;
  oracle::WantedBlock wanted;
  oracle::QuantizationRule of_scale = rule;
  of_scale.nibbles = oracle::Nibbles::low_first;  // a block of one entry has no second half
  of_scale.draw = std::nullopt;
  for (const Group& group : of_scales) {
    for (const Block& each : group) {
      if (!each.is_finite() || each.amax.m == 0) continue;
      quantize(of_scale, std::span(&each.amax, 1), each.amax, wanted);
      Number& most = largest[wanted.scale.code];
      if (is_smaller(most, each.amax)) most = each.amax;
    }
  }
  return largest;
}

namespace {

/// Makes blocks of a format, and tensors of them.
class Maker {
 public:
  Maker(const NumberFormat& from, const BlockFormat& format, std::uint64_t seed)
      : Maker(from, format, seed, shape_of(format).size()) {}
  /// With blocks of `size` numbers.
  Maker(const NumberFormat& from, const BlockFormat& format, std::uint64_t seed, std::size_t size)
      : from_(from), size_(size), random_(seed) {
    in_a_group_ = format.rows == 0 ? 1 : size_ > 4096 ? 4 : most_in_a_group;
  }

  /// A block with the largest magnitude M, at the next place, and entries of at most this magnitude. Places without an
  /// entry have random numbers of up to 12 binades below M.
  void add(std::uint64_t largest, std::span<const std::uint64_t> entries = {}) {
    std::vector<std::uint64_t> patterns(size_);
    const std::size_t place = turn_++ % size_;
    std::size_t next = 0;
    const std::uint64_t reach = std::uint64_t{12} << (from_.precision - 1);
    for (std::size_t i = 0; i < size_; ++i) {
      if (i == place) {
        patterns[i] = largest | (turn_ % 3 == 0 ? from_.sign_bit() : 0);
      } else if (next < entries.size()) {
        patterns[i] = entries[next++];
      } else {
        const std::uint64_t random = random_();
        patterns[i] =
            (largest - (random >> 8) % (std::min(largest, reach) + 1)) | (random % 2 != 0 ? from_.sign_bit() : 0);
      }
    }
    add(std::move(patterns));
  }
  void add(std::vector<std::uint64_t> patterns) {
    if (groups_.empty() || groups_.back().size() == in_a_group_) groups_.emplace_back();
    groups_.back().push_back(block_of(from_, std::move(patterns)));
  }
  /// Entries of magnitudes up to M, in as many blocks as they need.
  void add_all(std::uint64_t largest, std::vector<std::uint64_t> magnitudes) {
    std::ranges::sort(magnitudes);
    magnitudes.erase(std::ranges::unique(magnitudes).begin(), magnitudes.end());
    std::vector<std::uint64_t> entries;
    for (const std::uint64_t each : magnitudes) {
      if (each <= largest) entries.insert(entries.end(), {each, each | from_.sign_bit()});
    }
    std::ranges::shuffle(entries, random_);
    for (std::size_t i = 0; i < entries.size(); i += size_ - 1) {
      add(largest, std::span(entries).subspan(i, std::min(size_ - 1, entries.size() - i)));
    }
  }
  /// Adds entries in blocks that contain the numbers `low` and `high`, and no entry outside them.
  void add_between(std::uint64_t low, std::uint64_t high, std::vector<std::uint64_t> entries) {
    if (entries.empty()) entries.push_back(high);
    std::ranges::shuffle(entries, random_);
    for (std::size_t next = 0; next < entries.size(); next += size_ - 2) {
      std::vector<std::uint64_t> patterns(size_);
      for (std::size_t i = 0; i < size_; ++i) patterns[i] = entries[(next + i) % entries.size()];
      const std::size_t place = turn_++ % size_;
      std::swap(patterns[size_ - 2], patterns[place]);
      patterns[place] = low;
      std::swap(patterns[size_ - 1], patterns[(place + 1 + turn_ % 2) % size_]);
      patterns[(place + 1 + turn_ % 2) % size_] = high;
      add(std::move(patterns));
    }
  }
  void end_group() {
    if (!groups_.empty() && !groups_.back().empty()) groups_.emplace_back();
  }

  /// The tensors, each with its largest magnitude.
  std::vector<Group> take() {
    std::erase_if(groups_, [](const Group& each) { return each.empty(); });
    for (Group& group : groups_) set_tensor_amax(group);
    return std::move(groups_);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  std::mt19937_64& random() { return random_; }

 private:
  const NumberFormat& from_;
  std::size_t size_;
  std::size_t in_a_group_;
  std::mt19937_64 random_;
  std::size_t turn_ = 0;
  std::vector<Group> groups_;
};

/// Largest magnitudes next to every point where a power-of-two rule changes its scale, or all magnitudes of a source of
/// 16 bits.
std::vector<std::uint64_t> magnitudes_of_scales(const NumberFormat& from, const BlockFormat& format) {
  std::vector<std::uint64_t> all;
  if (from.bits <= 16) {
    for (std::uint64_t code = 1; code <= from.largest(); ++code) all.push_back(code);
    return all;
  }
  const NumberFormat& element = format.element;
  const Number top = decode(element, element.largest());
  const std::uint64_t ones = (std::uint64_t{2} << element.precision) - 1;
  const int least = decode(from, 1).e;
  const Number greatest = decode(from, from.largest());
  const int most = greatest.e + static_cast<int>(std::bit_width(greatest.m));
  for (int e = least - 8; e <= most; ++e) {
    for (const auto& [m, down] :
         {std::pair{std::uint64_t{1}, 0}, std::pair{std::uint64_t{0xB504F333F9DE64}, 55},
          std::pair{top.m, static_cast<int>(std::bit_width(top.m)) - 1}, std::pair{ones, element.precision},
          // The midpoint above a power of two has the largest error of a round trip.
          std::pair{(std::uint64_t{1} << element.precision) + 1, element.precision}}) {
      const std::uint64_t below = at_most(from, m, e - down);
      for (const std::uint64_t each : {below - 1, below, below + 1, below + 2}) {
        if (each - 1 < from.largest()) all.push_back(each);
      }
    }
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

/// Numbers of the elements that are not negative, the midpoints between them, and the end of the last unit; of a code
/// book the magnitudes of its numbers and borders.
std::vector<Number> breakpoints_of(const NumberFormat& element) {
  std::vector<Number> all;
  if (element.book != nullptr) {
    const NumberFormat& single = *oracle::find_number_format("f32");
    const auto add = [&](std::uint32_t pattern) { all.push_back(decode(single, pattern & ~single.sign_bit())); };
    std::ranges::for_each(element.book->numbers, add);
    std::ranges::for_each(element.book->borders, add);
    return all;
  }
  for (std::uint64_t code = 0; code <= element.largest(); ++code) {
    const Number x = decode(element, code);
    all.push_back(x);
    all.push_back({Number::Kind::finite, false, 2 * x.m + 1, x.e - 1});
    if (code == element.largest()) all.push_back({Number::Kind::finite, false, x.m + 1, x.e});
  }
  return all;
}

/// Entries next to the midpoints of a scale of about `unit`, from `origin`.
std::vector<std::uint64_t> next_to_midpoints(const NumberFormat& from, const NumberFormat& element, double unit,
                                             double origin) {
  std::vector<std::uint64_t> all;
  for (const Number& t : breakpoints_of(element)) {
    const double x = std::fabs(origin + unit * magnitude_of(t));
    if (x == 0) continue;
    const std::uint64_t code = at_most(from, x);
    for (std::uint64_t each = code - std::min<std::uint64_t>(code, 2); each <= code + 2; ++each) {
      if (each <= from.largest()) all.push_back(each);
    }
  }
  return all;
}

/// The pattern of x, or of the next number of the source toward zero.
std::uint64_t pattern_of(const NumberFormat& from, double x) {
  return x == 0 ? 0 : at_most(from, std::fabs(x)) | (x < 0 ? from.sign_bit() : 0);
}

/// Adds blocks for codes with a zero point: both signs, one sign, min and max far apart or next to each other, and zero
/// points at ties.
void add_for_zero_points(const NumberFormat& from, const NumberFormat& element, Maker& maker) {
  const double steps = static_cast<double>(element.mask());
  std::mt19937_64& random = maker.random();
  const auto fraction = [&] { return static_cast<double>(random() % 4096) / 4096; };
  std::size_t turn = 0;
  for (const std::uint64_t code : sampled_magnitudes(from, random, 256, -100, 100)) {
    const double most = magnitude_of(decode(from, code));
    const std::array<std::pair<double, double>, 7> shapes{{{-most, fraction() * most},
                                                           {-fraction() * most, most},
                                                           {0, most},
                                                           {-most, 0},
                                                           {most * (0.5 + fraction() / 2), most},
                                                           {-most, -most * (0.5 + fraction() / 2)},
                                                           {most, most}}};
    const auto& [low, high] = shapes[turn++ % shapes.size()];
    std::vector<std::uint64_t> entries;
    for (int i = 0; i < 64; ++i) entries.push_back(pattern_of(from, low + (high - low) * fraction()));
    maker.add_between(pattern_of(from, low), pattern_of(from, high), std::move(entries));
  }
  // A scale of 1 and min = -(j + 1/2), or a number next to it.
  for (int j = 0; j < static_cast<int>(steps); j += element.bits == 8 ? 5 : 1) {
    const std::uint64_t low = pattern_of(from, -(j + 0.5));
    for (const std::uint64_t each : {low - 2, low - 1, low, low + 1, low + 2}) {
      maker.add_between(each, pattern_of(from, steps - j - 0.5), {0});
    }
  }
}

/// Adds records of blocks in which a quantizer by min and max, and a good search, store scales and minima exactly: of
/// each block t·d and −3d·m with integers t and m of 6 bits. Entries are the numbers of all codes, and numbers next to
/// midpoints. Other records have random blocks of up to three binades, and zeros.
void add_for_stored_scales(const NumberFormat& from, std::size_t in_record, Maker& maker) {
  std::mt19937_64& random = maker.random();
  constexpr int records = 96;
  for (int turn = 0; turn < records; ++turn) {
    const double d = std::ldexp(1024 + (turn % 2 == 0 ? 0 : static_cast<double>(random() % 1024)),
                                static_cast<int>(random() % 16) - 22);
    for (std::size_t j = 0; j < in_record; ++j) {
      const bool has_largest = j == static_cast<std::size_t>(turn) % in_record;
      const double scale = d * (has_largest ? 63 : static_cast<double>(1 + random() % 62));
      const double low = -3 * d * (has_largest ? 63 : static_cast<double>(random() % 63));
      std::vector<std::uint64_t> patterns;
      for (int k = 0; k < 16; ++k) {
        patterns.push_back(pattern_of(from, low + scale * k));
        const std::uint64_t middle = pattern_of(from, low + scale * (k + (has_largest || k == 15 ? 0 : 0.5)));
        const bool can_move = !has_largest && k != 15 && (middle & ~from.sign_bit()) > 2;
        patterns.push_back(can_move ? middle - 2 + random() % 5 : middle);
      }
      std::ranges::shuffle(patterns, random);
      maker.add(std::move(patterns));
    }
    const int e = static_cast<int>(random() % 20) - 8;
    for (std::size_t j = 0; j < in_record; ++j) maker.add(sampled_magnitudes(from, random, 1, e - 3, e).front());
  }
  for (const std::uint64_t zero : {std::uint64_t{0}, from.sign_bit()}) {
    for (std::size_t j = 0; j < in_record; ++j) maker.add(std::vector<std::uint64_t>(maker.size(), zero));
  }
}

void add_special(const NumberFormat& from, Maker& maker) {
  const std::uint64_t infinity = from.largest() + 1;
  const std::uint64_t nan = infinity + (std::uint64_t{1} << (from.precision - 2));
  const std::uint64_t one = at_most(from, 1, 0);
  maker.add(std::vector<std::uint64_t>(maker.size(), 0));
  maker.add(std::vector<std::uint64_t>(maker.size(), from.sign_bit()));
  const std::size_t step = 1 + maker.size() / 64;
  for (std::size_t place = 0; place < maker.size(); place += step) {
    for (const std::uint64_t special : {nan, nan | from.sign_bit(), infinity, infinity | from.sign_bit()}) {
      std::vector<std::uint64_t> patterns(maker.size(), 0);
      for (std::uint64_t& each : patterns)
        each = (one - maker.random()() % 4) | (maker.random()() % 2 != 0 ? from.sign_bit() : 0);
      patterns[place] = special;
      maker.add(std::move(patterns));
    }
  }
}

}  // namespace

std::vector<Group> groups_for_scales(const NumberFormat& from, const BlockFormat& format, std::uint64_t seed) {
  Maker maker(from, format, seed);
  if (format.scaling == Scaling::stored) {
    add_for_stored_scales(from, format.blocks_in_record(), maker);
    return maker.take();
  }
  if (format.scaling == Scaling::power_of_two) {
    std::vector<std::uint64_t> magnitudes = magnitudes_of_scales(from, format);
    std::ranges::shuffle(magnitudes, maker.random());
    for (const std::uint64_t each : magnitudes) maker.add(each);
  } else if (format.scaling == Scaling::zero_point) {
    add_for_zero_points(from, format.element, maker);
  } else {
    const bool is_narrow = format.scale.name == "f16";
    const std::size_t count = std::max<std::size_t>(maker.size() > 4096 ? 24 : 256, format.rows == 0 ? 256 : 0);
    for (const std::uint64_t each :
         sampled_magnitudes(from, maker.random(), count, is_narrow ? -10 : -100, is_narrow ? 15 : 100)) {
      maker.add(each);
    }
    const auto midpoint = (std::uint64_t{1} << format.element.precision) + 1;
    for (int e = -4; e < 4; ++e) maker.add(at_most(from, midpoint, e - format.element.precision));
  }
  maker.end_group();
  add_special(from, maker);
  return maker.take();
}

std::vector<Group> groups_for_codes(const NumberFormat& from, const oracle::QuantizationRule& rule,
                                    const std::vector<Group>& of_scales, bool every_entry, std::uint64_t seed) {
  const BlockFormat& format = *rule.format;
  if (format.scaling == Scaling::stored) return {};  // no entry is next to a midpoint of a scale that may change
  const NumberFormat& element = format.element;
  Maker maker(from, format, seed + 1);
  std::mt19937_64& random = maker.random();
  if (format.scaling == Scaling::power_of_two) {
    const std::vector<Number> breakpoints = breakpoints_of(element);
    for (const auto& [scale, most] : largest_of_scales(rule, of_scales)) {
      const std::uint64_t code = at_most(from, most.m, most.e);
      std::vector<std::uint64_t> entries;
      if (every_entry) {
        for (std::uint64_t each = 0; each <= code; ++each) entries.push_back(each);
      } else {
        for (const Number& t : breakpoints) {
          const std::uint64_t below = at_most(from, t.m, t.e + static_cast<int>(scale) - 127);
          for (std::uint64_t each = below - (below == 0 ? 0 : 1); each <= below + 1; ++each) entries.push_back(each);
        }
        entries.push_back(code);
        entries.push_back(code - 1);
      }
      maker.add_all(code, std::move(entries));
    }
    return maker.take();
  }
  if (format.scaling == Scaling::two_level) {
    for (const std::uint64_t tensor : sampled_magnitudes(from, random, 12, -10, 15)) {
      const double sigma = magnitude_of(decode(from, tensor)) / 2688;
      for (std::uint64_t code = 1; code <= format.scale.largest(); code += 2 + random() % 4) {
        const double scale = magnitude_of(decode(format.scale, code)) * sigma;
        maker.add(tensor);  // each tensor of this size has its T
        std::vector<std::uint64_t> entries = next_to_midpoints(from, element, scale, 0);
        // For a scale 9/8·2^k the least M is used: then an entry of 5 units has the largest error.
        const double most = code % 8 == 1 ? 5.668 : 5.75 + 0.001 * static_cast<double>(random() % 500);
        maker.add_all(at_most(from, scale * most), std::move(entries));
        maker.end_group();
      }
    }
    return maker.take();
  }
  if (format.scaling == Scaling::zero_point) {
    // Midpoints between multiples of the scale, from min to max.
    const NumberFormat& steps = *oracle::find_number_format(element.bits == 8 ? "uint8" : "uint4");
    std::size_t turn = 0;
    for (const std::uint64_t most :
         sampled_magnitudes(from, random, element.bits == 8 ? 48 : sampled_scales, -100, 100)) {
      const double other = turn % 4 == 3 ? 0 : turn % 4 == 1 ? 1 : static_cast<double>(random() % 4096) / 4096;
      const std::uint64_t least = pattern_of(from, magnitude_of(decode(from, most)) * other);
      const double width = magnitude_of(decode(from, most)) + magnitude_of(decode(from, least));
      const std::uint64_t sign_of_most = ++turn % 2 == 0 ? 0 : from.sign_bit();
      const std::uint64_t sign_of_least = sign_of_most ^ from.sign_bit();
      std::vector<std::uint64_t> entries;
      for (const std::uint64_t each : next_to_midpoints(from, steps, width / static_cast<double>(element.mask()), 0)) {
        if (each <= most) entries.push_back(each | sign_of_most);
        if (each <= least) entries.push_back(each | sign_of_least);
      }
      maker.add_between(least | sign_of_least, most | sign_of_most, std::move(entries));
    }
    return maker.take();
  }
  const bool is_narrow = format.scale.name == "f16";
  const std::size_t count = maker.size() > 4096 ? 4 : format.rows == 0 ? 64 : sampled_scales;
  const double most_code = magnitude_of(decode(element, element.largest()));
  const double top = format.scaling == Scaling::offset_code ? (most_code + 1) / 2 : most_code;
  const double more = rule.range == oracle::Range::half ? 0.5 : rule.range == oracle::Range::full ? 1 : 0;
  std::vector<std::uint64_t> all =
      sampled_magnitudes(from, random, count, is_narrow ? -10 : -100, is_narrow ? 15 : 100);
  // Scales halfway between two numbers of binary16, just above a power of two: their error is the largest.
  for (int e = -4; is_narrow && e < 4; ++e) all.push_back(at_most(from, std::ldexp(top * (1 + 0x1p-11), e)));
  for (const std::uint64_t most : all) {
    const double unit = magnitude_of(decode(from, most)) / (top + more);
    // From the largest number down to 0, or to the minimum if a block has one.
    maker.add_all(most, next_to_midpoints(from, element, unit, 0));
  }
  return maker.take();
}

std::vector<Group> groups_with_tails(const NumberFormat& from, const BlockFormat& format, std::uint64_t seed) {
  constexpr std::size_t rows = 24;
  const std::size_t step = format.is_packed() ? 2 : 1;
  const std::size_t size = shape_of(format).size();
  // In NVFP4, M and T are within the range that scales have.
  const int reach = format.scaling == Scaling::two_level ? 4 : 100;
  std::vector<Group> groups;
  std::mt19937_64 random(seed + 2);
  for (const std::size_t length : {step, size / 2, size / 2 + step, size - step}) {
    for (const bool is_alone : {true, false}) {
      Maker wholes(from, format, random(), size);
      Maker tails(from, format, random(), length);
      for (const std::uint64_t each : sampled_magnitudes(from, random, rows, -reach, reach)) tails.add(each);
      for (const std::uint64_t each : sampled_magnitudes(from, random, rows, -reach, reach)) wholes.add(each);
      const Group of_tails = tails.take().front();
      const Group of_wholes = wholes.take().front();
      Group& group = groups.emplace_back();
      for (std::size_t i = 0; i < rows; ++i) {
        if (!is_alone) group.push_back(of_wholes[i]);
        group.push_back(of_tails[i]);
      }
      set_tensor_amax(group);
    }
  }
  return groups;
}

}  // namespace assay::quantizations
