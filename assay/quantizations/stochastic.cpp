#include "assay/quantizations/stochastic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "assay/conversions/codes.hpp"
#include "assay/conversions/draws.hpp"
#include "assay/conversions/stochastic_inputs.hpp"
#include "assay/quantizations/facts.hpp"
#include "assay/quantizations/inputs.hpp"
#include "oracle/dyadic.hpp"

namespace assay::quantizations {
namespace {

using oracle::Number;
using oracle::NumberFormat;
using oracle::QuantizationRule;
using oracle::Scaling;

constexpr std::size_t scales_of_words = 16;
constexpr std::size_t entries_of_a_scale = 1024;
constexpr std::size_t words_of_an_entry = 16;  // as many as words_for() gives at most
constexpr std::size_t copies_in_a_group = 64;
constexpr std::size_t most_whole_blocks = 32;
constexpr std::size_t usual_whole_entries = std::size_t{1} << 21;
constexpr std::size_t most_whole_entries = std::size_t{1} << 23;

constexpr std::uint64_t words_of(int bits) { return std::uint64_t{1} << bits; }
std::uint32_t random_word(std::mt19937_64& random, int bits) {
  return static_cast<std::uint32_t>(random() & (words_of(bits) - 1));
}

double signed_value(const Number& x) { return x.negative ? -magnitude_of(x) : magnitude_of(x); }
Number number_of(double magnitude) {
  int e = 0;
  const double fraction = std::frexp(magnitude, &e);
  return {Number::Kind::finite, false, static_cast<std::uint64_t>(std::ldexp(fraction, 53)), e - 53};
}

/// The largest magnitudes of a sample of blocks, and of the tensor around each.
struct Sizes {
  std::uint64_t amax;
  std::uint64_t tensor;
};
std::vector<Sizes> sizes_of_scales(const Question& question, const QuantizationRule& rule,
                                   const std::vector<Group>& of_scales, std::mt19937_64& random) {
  const NumberFormat& from = *question.from;
  std::vector<Sizes> all;
  const auto add = [&](std::uint64_t amax) { all.push_back({amax, amax}); };
  if (question.to->scaling == Scaling::power_of_two) {
    std::vector<std::uint64_t> largest;
    for (const auto& [scale, amax] : largest_of_scales(rule, of_scales)) {
      largest.push_back(at_most(from, amax.m, amax.e));
    }
    // Both ends of the range, and others.
    std::shuffle(largest.begin() + std::min<std::ptrdiff_t>(3, std::ssize(largest)), largest.end(), random);
    largest.resize(std::min(largest.size(), scales_of_words));
    std::ranges::for_each(largest, add);
    return all;
  }
  const bool is_two_level = question.to->scaling == Scaling::two_level;
  const std::size_t count = shape_of(*question.to).size() > 4096 ? 4 : scales_of_words;
  for (const std::uint64_t each :
       sampled_magnitudes(from, random, count, is_two_level ? -10 : -100, is_two_level ? 15 : 100)) {
    add(each);
    if (!is_two_level) continue;
    // A smaller block, down to 2^-7 of the tensor.
    const double part = std::ldexp(1 + static_cast<double>(random() % 64) / 64, -1 - static_cast<int>(random() % 7));
    all.back().amax = at_most(from, magnitude_of(decode(from, each)) * part);
  }
  return all;
}

/// The scale that a rule gives to blocks of such sizes, times the number of the tensor.
double scale_of(const Question& question, QuantizationRule rule, const Sizes& sizes) {
  rule.draw = std::nullopt;
  rule.nibbles = oracle::Nibbles::low_first;
  const Number amax = decode(*question.from, sizes.amax);
  oracle::WantedBlock wanted;
  quantize(rule, std::span(&amax, 1), decode(*question.from, sizes.tensor), wanted);
  const double scale = magnitude_of(decode(question.to->scale, wanted.scale.code));
  if (question.to->scaling != Scaling::two_level) return scale;
  return scale * magnitude_of(decode(*question.to->second, wanted.second.code));
}

/// Entries of a block with that scale and M, at most `entries_of_a_scale` of them, in random order.
std::vector<std::uint64_t> entries_between_elements(const Question& question, double scale, std::uint64_t amax,
                                                    std::mt19937_64& random) {
  const NumberFormat& single = *oracle::find_number_format("f32");
  std::vector<std::uint64_t> all;
  for (const std::uint64_t each :
       conversions::stochastic_inputs(single, question.to->element, question.random_bits, random(), 0)) {
    const Number y = decode(single, each);
    if (y.kind != Number::Kind::finite) continue;
    const double x = magnitude_of(y) * scale;
    const std::uint64_t code = x == 0 ? 0 : at_most(*question.from, x);
    if (code <= amax) all.push_back(code | (y.negative ? question.from->sign_bit() : 0));
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  std::ranges::shuffle(all, random);
  if (all.size() > entries_of_a_scale) all.resize(entries_of_a_scale);
  return all;
}

/// A block with M at a place, and entries at the others, the first of them again where there are too few.
Block block_with(const Question& question, const Sizes& sizes, std::span<const std::uint64_t> entries,
                 std::size_t place) {
  std::vector<std::uint64_t> patterns(shape_of(*question.to).size());
  for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i] = entries[i % entries.size()];
  patterns[place % patterns.size()] = sizes.amax | (place % 3 == 0 ? question.from->sign_bit() : 0);
  return block_of(*question.from, std::move(patterns));
}

/// The words with which each entry of a block is tested: those next to a change of a draw's result, and some others.
std::vector<std::vector<std::uint32_t>> words_of_block(const Question& question, const QuantizationRule& rule,
                                                       const Block& block, std::uint64_t seed) {
  const std::vector<std::uint32_t> none(block.numbers.size());
  oracle::WantedBlock wanted;
  quantize(rule, block.numbers, block.tensor_amax, wanted, {}, {none, question.random_bits});
  std::vector<std::vector<std::uint32_t>> all;
  for (const Number& y : wanted.scaled) {
    all.push_back(conversions::words_for(y, question.to->element, question.random_bits, seed + all.size()));
  }
  all.resize(block.numbers.size(), std::vector<std::uint32_t>{0});
  return all;
}

std::size_t room_of(const Question& question) {
  if (question.to->rows == 0) return 1;  // a block is a tensor
  return shape_of(*question.to).size() > 4096 ? 4 : copies_in_a_group;
}

/// x as a Dyadic, times 2^e.
oracle::Dyadic exact_magnitude(const Number& x, int e = 0) {
  oracle::Dyadic result;
  result.assign(false, x.m, x.e + e);
  return result;
}

/// Whether an entry's results over all words break the contract `unbiased`, by quantize.stochastic.1. `sum`: of the
/// numbers of its codes. Empty if the entry is not within the range of the elements.
std::optional<bool> is_biased(const Question& question, const Number& x, const oracle::Dyadic& scale, double y,
                              const std::vector<double>& results, double sum) {
  const NumberFormat& element = question.to->element;
  const int slack = has_theorem(question) ? std::numeric_limits<int>::max() : 20;
  const double relative = has_theorem(question) ? 0 : 0x1p-20;
  if (y * (1 + relative) > magnitude_of(decode(element, element.largest()))) return std::nullopt;
  const auto bound = [&](double of, oracle::Direction direction) {
    return magnitude_of(decode(element, converted(number_of(of), element, {.direction = direction}).code));
  };
  const double near = bound(y * (1 - relative), oracle::Direction::zero);
  const double far = bound(y * (1 + relative), oracle::Direction::outward);
  for (const double each : results) {
    if (std::fabs(each) < near || std::fabs(each) > far || (each != 0 && (each < 0) != x.negative)) return true;
  }
  if (near == far) return false;
  oracle::Dyadic error = exact_magnitude(number_of(std::fabs(sum)));
  error *= scale;
  error -= exact_magnitude(x, question.random_bits);
  oracle::Dyadic most = exact_magnitude(number_of(far - near));
  most *= scale;
  if (relative != 0) most += exact_magnitude(x, question.random_bits - slack);
  return !(abs(error) < most);
}

}  // namespace

void add_words(std::vector<Group>& groups, int bits, std::uint64_t seed) {
  std::mt19937_64 random(seed + 3);
  for (Group& group : groups) {
    for (Block& block : group) {
      for (std::size_t i = 0; i < block.patterns.size(); ++i) block.words.push_back(random_word(random, bits));
    }
  }
}

void change_words(Group& group, int bits, std::uint64_t seed) {
  std::mt19937_64 random(seed + 4);
  for (Block& block : group) {
    for (std::uint32_t& word : block.words) {
      if (random() % 2 == 0) word = random_word(random, bits);
    }
  }
}

std::vector<Group> groups_for_words(const Question& question, const QuantizationRule& rule,
                                    const std::vector<Group>& of_scales) {
  std::mt19937_64 random(question.seed + 5);
  const std::size_t size = shape_of(*question.to).size();
  std::vector<Group> groups;
  for (const Sizes& sizes : sizes_of_scales(question, rule, of_scales, random)) {
    const std::vector<std::uint64_t> entries =
        entries_between_elements(question, scale_of(question, rule, sizes), sizes.amax, random);
    std::vector<Block> blocks;
    for (std::size_t first = 0; first < entries.size(); first += size - 1) {
      const std::size_t count = std::min(size - 1, entries.size() - first);
      Block block = block_with(question, sizes, std::span(entries).subspan(first, count), first / (size - 1));
      block.tensor_amax = decode(*question.from, sizes.tensor);
      const auto words = words_of_block(question, rule, block, random());
      for (std::size_t copy = 0; copy < words_of_an_entry; ++copy) {
        for (const std::vector<std::uint32_t>& each : words) {
          if (!question.is_drawn) block.words.push_back(each[copy % each.size()]);
        }
        blocks.push_back(block);
        block.words.clear();
      }
    }
    std::ranges::shuffle(blocks, random);
    const bool is_two_level = question.to->scaling == Scaling::two_level;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (i % room_of(question) == 0) {
        groups.emplace_back();
        if (is_two_level) {  // the block that has T
          groups.back().push_back(block_with(question, {sizes.tensor, sizes.tensor}, entries, i));
          for (std::size_t k = 0; k < size && !question.is_drawn; ++k) {
            groups.back().back().words.push_back(random_word(random, question.random_bits));
          }
        }
      }
      groups.back().push_back(std::move(blocks[i]));
    }
  }
  for (Group& group : groups) set_tensor_amax(group);
  return groups;
}

Anchor anchor_of(const Question& question, const QuantizationRule& rule) {
  Number top = decode(question.to->element, question.to->element.largest());
  if (rule.range == oracle::Range::half) top = {top.kind, false, 2 * top.m + 1, top.e - 1};
  if (rule.range == oracle::Range::full) ++top.m;
  const std::uint64_t amax = at_most(*question.from, top.m, top.e);
  if (!has_theorem(question)) return {amax, 0};
  return {amax, std::ilogb(scale_of(question, rule, {amax, amax}))};
}

conversions::StochasticQuestion question_of_entries(const Question& question, const QuantizationRule& rule) {
  const auto [amax, exponent] = anchor_of(question, rule);
  conversions::StochasticQuestion of{question.from, &question.to->element, std::nullopt, question.random_bits,
                                     true,          question.seed};
  of.draws = question.draws;
  const Number most = decode(*question.from, amax);
  of.most = decode(*question.from, at_most(*question.from, most.m, most.e - exponent));
  return of;
}

conversions::Drawn drawn_by(const Question& question, const QuantizationRule& rule, const Quantizer& quantizer) {
  const oracle::BlockFormat& format = *question.to;
  const NumberFormat& from = *question.from;
  const auto [amax, exponent] = anchor_of(question, rule);
  const auto entry_of = [&from, exponent = exponent](std::uint64_t input) {
    const Number y = decode(from, input);
    return at_most(from, y.m, y.e + exponent) | (y.negative ? from.sign_bit() : 0);
  };
  // A row or a tensor of any size is one block. Its first entry is M.
  const std::uint64_t anchor = amax;
  const bool is_one_block = format.columns == 0;
  const std::size_t rows = shape_of(format).rows;
  return conversions::drawn_by(
      question_of_entries(question, rule),
      [&](std::span<const std::uint64_t> inputs, std::span<const std::uint32_t>, std::span<std::uint64_t> codes) {
        const std::size_t size = is_one_block ? (inputs.size() / rows + 1) * rows : shape_of(format).size();
        Group group;
        for (std::size_t first = 0; first < inputs.size(); first += size - 1) {
          std::vector<std::uint64_t> patterns{anchor};
          for (std::size_t i = 0; i < size - 1; ++i) {
            patterns.push_back(entry_of(inputs[std::min(first + i, inputs.size() - 1)]));
          }
          group.push_back(block_of(from, std::move(patterns)));
        }
        set_tensor_amax(group);
        fill_results(question, quantizer, group, 1);
        for (std::size_t i = 0; i < codes.size(); ++i) {
          codes[i] = group[i / (size - 1)].codes[place_of_code(rule, 1 + i % (size - 1))];
        }
      });
}

bool can_ask_all_words(const Question& question) {
  return question.random_bits <= 16 && shape_of(*question.to).size() << question.random_bits <= most_whole_entries;
}

std::vector<Group> groups_of_all_words(const Question& question, const QuantizationRule& rule,
                                       const std::vector<Group>& of_scales) {
  std::vector<Group> groups;
  const std::uint64_t words = words_of(question.random_bits);
  const std::size_t size = shape_of(*question.to).size();
  const std::size_t usual = question.random_bits <= 16 ? (usual_whole_entries >> question.random_bits) / size : 0;
  const bool is_promised = question.promise == Promise::unbiased;
  const std::size_t count = std::min(most_whole_blocks, std::max<std::size_t>(usual, is_promised ? 1 : 0));
  std::mt19937_64 random(question.seed + 6);
  const std::vector<Sizes> all_sizes = sizes_of_scales(question, rule, of_scales, random);
  for (std::size_t i = 0; i < count; ++i) {
    const Sizes of{all_sizes[i % all_sizes.size()].amax, all_sizes[i % all_sizes.size()].amax};
    const Block block = block_with(
        question, of, entries_between_elements(question, scale_of(question, rule, of), of.amax, random), random());
    std::vector<std::pair<std::uint64_t, std::uint64_t>> orders;  // word j of an entry is first + j·step
    for (std::size_t k = 0; k < size; ++k) orders.emplace_back(random(), random() | 1);
    for (std::uint64_t word = 0; word < words; ++word) {
      if (word % std::min<std::uint64_t>(words, room_of(question)) == 0) groups.emplace_back();
      groups.back().push_back(block);
      for (const auto& [first, step] : orders) {
        groups.back().back().words.push_back(static_cast<std::uint32_t>((first + word * step) & (words - 1)));
      }
    }
  }
  for (Group& group : groups) set_tensor_amax(group);
  return groups;
}

OverWords over_words_of(const Question& question, const QuantizationRule& nearest, std::span<const Group> groups,
                        std::span<const Group> of_all_words) {
  const oracle::BlockFormat& format = *question.to;
  const NumberFormat& element = format.element;
  const Number largest = decode(element, element.largest());
  OverWords facts;
  oracle::WantedBlock wanted;
  const auto add_bias = [&](const Block& block) {
    if (!block.is_finite()) return;
    quantize(nearest, block.numbers, block.tensor_amax, wanted, {}, {block.words, question.random_bits});
    for (std::size_t i = 0; i < wanted.scaled.size(); ++i) {
      const Number& y = wanted.scaled[i];
      if (is_smaller(largest, y)) continue;
      const auto of =
          chances(y, element, {.direction = oracle::Direction::outward}, *nearest.draw, question.random_bits);
      if (of.near == of.far) continue;
      ++facts.rounded;
      const oracle::Fraction bias = *oracle::bias(y, element, *nearest.draw, question.random_bits);
      if (bias.numerator == 0) ++facts.exact;
      if (!facts.largest.is_less(bias)) continue;
      facts.largest = bias;
      facts.at.entry = block.patterns[i];
      facts.at.amax = block.amax;
      facts.words_away = of.words;
    }
  };
  for (const Group& group : groups) std::ranges::for_each(group, add_bias);

  std::vector<const Block*> copies;
  for (const Group& group : of_all_words) {
    for (const Block& each : group) copies.push_back(&each);
  }
  if (copies.empty()) return facts;
  const std::size_t words = words_of(question.random_bits);
  std::vector<double> results(words);
  for (std::size_t first = 0; first < copies.size(); first += words) {
    const Block& block = *copies[first];
    if (!has_bound(format, block)) continue;
    // A scale that differs from copy to copy breaks every rule, and means nothing here.
    oracle::Dyadic scale = exact_magnitude(decode(format.scale, block.scale & format.scale.mask()));
    double value = magnitude_of(decode(format.scale, block.scale & format.scale.mask()));
    if (format.scaling == Scaling::two_level) {
      scale *= exact_magnitude(decode(*format.second, block.second));
      value *= magnitude_of(decode(*format.second, block.second));
    }
    for (std::size_t i = 0; i < block.numbers.size(); ++i) {
      const Number& x = block.numbers[i];
      double sum = 0;
      bool is_number = std::isfinite(value) && value != 0;
      for (std::size_t word = 0; word < words; ++word) {
        const std::uint8_t code = copies[first + word]->codes[place_of_code(nearest, i)];
        const Number q = decode(element, code & element.mask());
        is_number = is_number && (code & ~element.mask()) == 0 && q.kind == Number::Kind::finite &&
                    copies[first + word]->scale == block.scale && copies[first + word]->second == block.second;
        results[word] = is_number ? signed_value(q) : 0;
        sum += results[word];
      }
      const double y = is_number ? magnitude_of(x) / value : 0;
      const std::optional<bool> is_wrong =
          is_number ? is_biased(question, x, scale, y, results, sum) : std::optional(true);
      ++(is_wrong ? facts.entries : facts.beyond);
      if (!is_wrong) continue;
      if (!*is_wrong || facts.biased) continue;
      facts.biased = Mean{block.patterns[i], block.amax, x.negative ? -y : y, sum / static_cast<double>(words)};
    }
  }
  return facts;
}

}  // namespace assay::quantizations
