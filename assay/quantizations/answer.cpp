#include "assay/quantizations/answer.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <utility>

#include "assay/quantizations/facts.hpp"
#include "assay/quantizations/inputs.hpp"
#include "assay/quantizations/stochastic.hpp"

namespace assay::quantizations {
namespace {

using oracle::BlockFormat;
using oracle::Number;
using oracle::QuantizationAspect;
using oracle::QuantizationRule;
using oracle::Wanted;
using oracle::WantedBlock;

constexpr std::size_t most_examples = 5;
constexpr std::uint64_t enough = 256;
constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();

/// The aspects that a block tests.
enum class Class { finite, zeros, nan, infinite };
Class class_of(const Block& block) {
  if (block.has_nan) return Class::nan;
  if (block.has_infinity) return Class::infinite;
  return block.amax.m == 0 ? Class::zeros : Class::finite;
}

/// Examples in ascending order: finite blocks by M, then zeros, then the others.
bool comes_first(const Example& a, const Example& b) {
  if (a.has_nan != b.has_nan) return b.has_nan;
  if (a.has_infinity != b.has_infinity) return b.has_infinity;
  if ((a.amax.m == 0) != (b.amax.m == 0)) return b.amax.m == 0;
  return is_smaller(a.amax, b.amax);
}

/// Whether they say the same, of two blocks.
bool is_alike(const Example& a, const Example& b) {
  const bool has_same_block = !comes_first(a, b) && !comes_first(b, a);
  return has_same_block && a.place == b.place && a.entry == b.entry && a.word == b.word && a.got == b.got;
}

bool is_as_wanted(const BlockFormat& format, const Block& block, const WantedBlock& wanted) {
  if (!fits(wanted.scale, format.scale, block.scale)) return false;
  if (format.second != nullptr && !fits(wanted.second, *format.second, block.second)) return false;
  for (std::size_t i = 0; i < block.codes.size(); ++i) {
    if (!fits(wanted.codes[i], format.element, block.codes[i])) return false;
  }
  return true;
}

/// The place where the results of a block differ from the rule's: the scale, or else the code of the smallest such
/// entry.
Example difference(const QuantizationRule& rule, const Block& block, const WantedBlock& wanted) {
  const BlockFormat& format = *rule.format;
  Example example;
  example.amax = block.amax;
  example.has_nan = block.has_nan;
  example.has_infinity = block.has_infinity;
  const auto at = [&](Example::Place place, std::uint64_t got, const Wanted& want) {
    example.place = place;
    example.got = got;
    example.wanted = want;
    return example;
  };
  if (!fits(wanted.scale, format.scale, block.scale)) return at(Example::Place::scale, block.scale, wanted.scale);
  if (format.second != nullptr && !fits(wanted.second, *format.second, block.second)) {
    return at(Example::Place::second, block.second, wanted.second);
  }
  std::size_t worst = block.codes.size();
  for (std::size_t i = 0; i < block.codes.size(); ++i) {
    const std::size_t place = place_of_code(rule, i);
    if (fits(wanted.codes[place], format.element, block.codes[place])) continue;
    if (worst == block.codes.size() || is_smaller(block.numbers[i], block.numbers[worst])) worst = i;
  }
  example.entry = block.patterns[worst];
  if (!block.words.empty()) example.word = block.words[worst];
  const std::size_t place = place_of_code(rule, worst);
  return at(Example::Place::code, block.codes[place], wanted.codes[place]);
}

/// All blocks with their results, by class; finite ones by ascending M.
class Comparison {
 public:
  Comparison(const Question& question, const std::vector<Group>& groups) : question_(question) {
    for (const Group& group : groups) {
      for (const Block& each : group) blocks_[static_cast<std::size_t>(class_of(each))].push_back(&each);
    }
    shuffled_ = blocks_;
    std::mt19937_64 random;
    for (std::vector<const Block*>& each : shuffled_) std::ranges::shuffle(each, random);
    std::ranges::sort(blocks_[0], [](const Block* a, const Block* b) { return is_smaller(a->amax, b->amax); });
  }

  /// Compares the blocks of a class. Stops once there are more breaks than `most`.
  void add(Compared& compared, Class of, std::uint64_t most = all) {
    for (const Block* const each : blocks_[static_cast<std::size_t>(of)]) {
      if (is_right(compared.rule, *each)) continue;
      const Example example = difference(compared.rule, *each, wanted_);
      ++compared.breaks;
      const bool is_new =
          std::ranges::none_of(compared.examples, [&](const Example& e) { return is_alike(e, example); });
      if (is_new) {
        compared.examples.insert(std::ranges::upper_bound(compared.examples, example, comes_first), example);
      }
      if (compared.examples.size() > most_examples) compared.examples.pop_back();
      if (compared.breaks > most) return;
    }
  }
  Compared of(const QuantizationRule& rule, std::uint64_t most = all) {
    Compared compared{rule};
    for (const Class each : {Class::finite, Class::zeros, Class::nan, Class::infinite}) {
      if (compared.breaks <= most) add(compared, each, most);
    }
    return compared;
  }

  /// The rule that the fewest blocks of the class break; the first of several. If each rule is broken by `enough`
  /// blocks, the rule whose last such break comes latest, in a random order of the blocks.
  QuantizationRule best(const std::vector<QuantizationRule>& rules, Class of) {
    const std::vector<const Block*>& blocks = shuffled_[static_cast<std::size_t>(of)];
    std::vector<std::size_t> compared(rules.size());
    // Breaks of each rule, and how far it was compared. The rule with the fewest breaks is compared up to its next
    // break.
    using Runner = std::pair<std::uint64_t, std::size_t>;
    std::priority_queue<Runner, std::vector<Runner>, std::greater<>> runners;
    for (std::size_t i = 0; i < rules.size(); ++i) runners.emplace(0, i);
    while (runners.top().first < enough) {
      const auto [breaks, i] = runners.top();
      if (compared[i] == blocks.size()) return rules[i];
      runners.pop();
      bool is_broken = false;
      while (!is_broken && compared[i] < blocks.size()) {
        const Block& block = *blocks[compared[i]++];
        is_broken = !is_right(rules[i], block);
      }
      runners.emplace(breaks + (is_broken ? 1 : 0), i);
    }
    return rules[static_cast<std::size_t>(std::ranges::max_element(compared) - compared.begin())];
  }

  /// The rule that the fewest blocks break: the words for finite numbers first, then the other words.
  QuantizationRule nearest() {
    QuantizationRule rule = best(question_.finite_rules(), Class::finite);
    for (const auto& [aspect, of] :
         {std::pair{QuantizationAspect::zeros, Class::zeros}, std::pair{QuantizationAspect::nan, Class::nan},
          std::pair{QuantizationAspect::infinite, Class::infinite}}) {
      std::vector<QuantizationRule> rules{rule};
      for (const QuantizationRule& each : rules_beside(rule)) {
        if (choices_of(each)[static_cast<std::size_t>(aspect)] != choices_of(rule)[static_cast<std::size_t>(aspect)]) {
          rules.push_back(each);
        }
      }
      rule = best(rules, of);
    }
    return rule;
  }

 private:
  bool is_right(const QuantizationRule& rule, const Block& block) {
    quantize(rule, block.numbers, block.tensor_amax, wanted_, {block.scale, block.second},
             {block.words, question_.random_bits});
    return is_as_wanted(*rule.format, block, wanted_);
  }

  const Question& question_;
  std::array<std::vector<const Block*>, 4> blocks_;
  std::array<std::vector<const Block*>, 4> shuffled_;
  WantedBlock wanted_;
};

/// Whether a rule leaves open a choice that the other one makes.
bool is_weaker(const QuantizationRule& a, const QuantizationRule& b) {
  return (a.nan == oracle::NanInBlock::any && b.nan != a.nan) ||
         (a.infinite == oracle::InfInBlock::any && b.infinite != a.infinite) ||
         (a.zeros == oracle::OfZeros::any && b.zeros != a.zeros);
}

/// The place of block i if the blocks of a group, its records, or its rows if they end in tails, are in descending
/// order.
std::size_t reversed_place(const BlockFormat& format, const Group& group, std::size_t i) {
  const std::size_t across = std::max(format.blocks_in_record(), blocks_with_tail(format, group));
  return (group.size() / across - 1 - i / across) * across + i % across;
}
Group reversed(const BlockFormat& format, const Group& group) {
  Group all;
  for (std::size_t i = 0; i < group.size(); ++i) all.push_back(group[reversed_place(format, group, i)]);
  return all;
}

/// With random words, of entries with the same word. `rule`: the order of two codes in a byte.
/// Without `has_codes`, of the scales alone.
bool is_same_result(const QuantizationRule& rule, const Block& a, const Block& b, bool has_codes) {
  const BlockFormat& format = *rule.format;
  if (class_of(a) == Class::nan || class_of(a) == Class::infinite) {
    const bool are_nans = decode(format.scale, a.scale).kind == oracle::Number::Kind::nan &&
                          decode(format.scale, b.scale).kind == oracle::Number::Kind::nan;
    if (are_nans) return true;
  }
  if (a.scale != b.scale || a.second != b.second) return false;
  for (std::size_t i = 0; has_codes && i < a.codes.size(); ++i) {
    const bool has_same_word = a.words.empty() || a.words[i] == b.words[i];
    const std::size_t place = place_of_code(rule, i);
    if (has_same_word && a.codes[place] != b.codes[place]) return false;
  }
  return true;
}

/// M of the smallest block that is quantized differently in two places.
class Steadiness {
 public:
  explicit Steadiness(const Question& question) : format_(*question.to), has_codes_(!question.is_drawn) {
    // Which word belongs to a code depends on the order of the codes in a byte.
    const bool has_orders = question.random_bits != 0 && format_.is_packed();
    orders_.push_back({{.format = &format_}, std::nullopt});
    if (has_orders) orders_.push_back({{.format = &format_, .nibbles = oracle::Nibbles::high_first}, std::nullopt});
  }
  void add(const Block& one, const Block& again) {
    for (auto& [order, unsteady] : orders_) {
      if (is_same_result(order, one, again, has_codes_)) continue;
      if (!unsteady || is_smaller(one.amax, *unsteady)) unsteady = one.amax;
    }
  }
  /// Empty if one of the orders has none.
  [[nodiscard]] std::optional<Number> unsteady() const {
    for (const auto& [order, unsteady] : orders_) {
      if (!unsteady) return std::nullopt;
    }
    return orders_.front().second;
  }

 private:
  const BlockFormat& format_;
  bool has_codes_;
  std::vector<std::pair<QuantizationRule, std::optional<Number>>> orders_;
};

}  // namespace

void fill_results(const Question& question, const Quantizer& quantizer, Group& group, std::size_t in_a_row) {
  const BlockFormat& format = *question.to;
  const Shape shape = shape_of(format);
  const std::size_t with_tail = blocks_with_tail(format, group);
  const std::size_t in_record = format.blocks_in_record();
  const std::size_t across = with_tail != 0 ? with_tail : format.columns == 0 ? 1 : in_a_row * in_record;
  const std::size_t down = (group.size() + across - 1) / across;
  const std::size_t rows = down * shape.rows;
  const auto width = [&](std::size_t block) { return group[block % group.size()].patterns.size() / shape.rows; };
  const std::size_t columns = (across - 1) * shape.columns + width(across - 1);
  const std::size_t bytes = question.from->bytes();
  // The first blocks fill the places after the last one.
  const auto position = [&](std::size_t block, std::size_t i) {
    return (block / across * shape.rows + i / width(block)) * columns + block % across * shape.columns +
           i % width(block);
  };
  std::vector<std::byte> x(rows * columns * bytes);
  std::vector<std::uint32_t> words(question.random_bits == 0 || question.is_drawn ? 0 : rows * columns);
  for (std::size_t block = 0; block < down * across; ++block) {
    const Block& from = group[block % group.size()];
    for (std::size_t i = 0; i < from.patterns.size(); ++i) {
      std::memcpy(x.data() + position(block, i) * bytes, &from.patterns[i], bytes);
      if (!words.empty()) words[position(block, i)] = from.words[i];
    }
  }
  const oracle::BlockSizes sizes = sizes_of(format, rows, columns);
  std::vector<std::byte> codes(sizes.codes, std::byte{0xFF});
  std::vector<std::byte> scales(sizes.scales, std::byte{0xFF});
  std::vector<std::byte> seconds(sizes.seconds, std::byte{0xFF});
  quantizer(rows, columns, x, words, codes, scales, seconds);
  const std::size_t partner = format.partner;
  for (std::size_t block = 0; block < group.size(); ++block) {
    Block& to = group[block];
    to.scale = 0;
    to.second = 0;
    if (format.scaling == oracle::Scaling::stored) {
      const std::span record(scales.data() + block / in_record * oracle::record_bytes, oracle::record_bytes);
      const auto [scale, second] = oracle::scales_of_record(record.first<oracle::record_bytes>())[block % in_record];
      to.scale = scale;
      to.second = second;
    } else {
      std::memcpy(&to.scale, scales.data() + block * format.scale.bytes(), format.scale.bytes());
    }
    if (!seconds.empty()) {
      const std::size_t size = format.second->bytes();
      const std::size_t place = format.scaling == oracle::Scaling::two_level ? 0 : block;
      std::memcpy(&to.second, seconds.data() + place * size, size);
    }
    to.codes.resize(to.patterns.size());
    for (std::size_t i = 0; i < to.codes.size(); ++i) {
      const std::size_t at = position(block, i);
      if (!format.is_packed()) {
        to.codes[i] = std::to_integer<std::uint8_t>(codes[at]);
        continue;
      }
      // Entries i and i + partner share a byte.
      const std::size_t first = at - at % (2 * partner);
      const auto byte = std::to_integer<unsigned>(codes[first / 2 + at % partner]);
      to.codes[i] = static_cast<std::uint8_t>(byte >> (at - first >= partner ? 4 : 0) & 0xF);
    }
  }
}

bool Answer::is_refused(const QuantizationRule& rule) const {
  if (!over_words || !over_words->drawn) return false;
  const std::vector<conversions::Refusal>& refused = over_words->drawn->refused;
  return std::ranges::find(refused, *rule.draw, &conversions::Refusal::draw) != refused.end();
}

bool Answer::holds(const Question& question) const {
  if (unsteady || shows_nothing()) return false;
  if (is_dependent()) return false;
  switch (question.promise) {
    case Promise::rule:
      return promised->breaks == 0 && !is_refused(promised->rule);
    case Promise::monotone:
      return !facts.not_monotone;
    case Promise::idempotent:
      return facts.asked_again && !facts.not_idempotent;
    case Promise::round_trip:
      return std::ranges::find(facts.kept_round_trips, scale_word(question.promised->scale)) !=
             facts.kept_round_trips.end();
    case Promise::unbiased:
      return over_words->entries != 0 && !over_words->biased;
    case Promise::none:
      break;
  }
  return nearest.breaks == 0 && !is_refused(nearest.rule);
}

bool can_ask_again(const BlockFormat& format) { return format.scaling == oracle::Scaling::power_of_two; }

bool has_theorem(const Question& question) { return question.to->scaling == oracle::Scaling::power_of_two; }

Answer asked(const Question& question, const Quantizer& quantizer) {
  const BlockFormat& format = *question.to;
  Answer answer;
  Steadiness steadiness(question);
  const auto ask = [&](std::vector<Group>& groups) {
    std::size_t turn = 0;
    for (Group& group : groups) {
      constexpr std::array<std::size_t, 5> widths{1, 3, 2, 5, 8};
      fill_results(question, quantizer, group, widths[turn % widths.size()]);
      Group again = reversed(format, group);
      change_words(again, question.random_bits, turn);
      fill_results(question, quantizer, again, widths[(turn + 2) % widths.size()]);
      ++turn;
      for (std::size_t i = 0; i < group.size(); ++i) {
        steadiness.add(group[i], again[reversed_place(format, group, i)]);
      }
    }
  };
  std::vector<Group> groups = groups_for_scales(*question.from, format, question.seed);
  const bool has_draw = question.random_bits != 0;
  const bool has_words = has_draw && !question.is_drawn;
  if (has_words) add_words(groups, question.random_bits, question.seed);
  ask(groups);
  const QuantizationRule of_scales = Comparison(question, groups).nearest();
  std::vector<Group> tails;
  if (question.has_tails) tails = groups_with_tails(*question.from, format, question.seed);
  std::vector<Group> of_all_words;
  std::vector<Group> more;
  if (has_draw) more = groups_for_words(question, of_scales, groups);
  if (has_words) {
    add_words(tails, question.random_bits, question.seed + 1);
    of_all_words = groups_of_all_words(question, of_scales, groups);
    ask(of_all_words);
  }
  if (!has_draw) {
    more = groups_for_codes(*question.from, of_scales, groups, question.every_entry, question.seed);
  }
  std::ranges::move(tails, std::back_inserter(more));
  ask(more);
  answer.unsteady = steadiness.unsteady();
  groups.insert(groups.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  const std::size_t without_all_words = groups.size();
  groups.insert(groups.end(), std::make_move_iterator(of_all_words.begin()),
                std::make_move_iterator(of_all_words.end()));
  for (const Group& group : groups) {
    answer.blocks += group.size();
    for (const Block& each : group) answer.entries += each.patterns.size();
  }

  Comparison comparison(question, groups);
  QuantizationRule nearest = comparison.nearest();
  if (question.is_drawn) {
    answer.over_words.emplace().drawn = drawn_by(question, nearest, quantizer);
    // Of the draws that the blocks admit, one that the frequencies admit, too.
    for (const QuantizationRule& each : rules_beside(nearest)) {
      const bool is_better = answer.is_refused(nearest) && each.draw != nearest.draw && !answer.is_refused(each);
      if (is_better && comparison.of(each, 0).breaks == 0) nearest = each;
    }
  }
  if (has_draw) {
    const std::span<const Group> all = groups;
    OverWords facts = over_words_of(question, nearest, all.first(without_all_words), all.subspan(without_all_words));
    if (question.is_drawn) facts.drawn = std::move(answer.over_words->drawn);
    answer.over_words = std::move(facts);
  }
  answer.nearest = comparison.of(nearest);
  if (answer.nearest.breaks == 0 && !answer.is_refused(nearest)) answer.follows.push_back(nearest);
  for (const QuantizationRule& each : rules_beside(nearest)) {
    if (is_weaker(each, nearest) || (question.is_drawn && each.is_reversed)) continue;
    Compared compared = comparison.of(each, 0);
    if (compared.breaks == 0 && answer.is_refused(each)) continue;  // the document tells it
    if (compared.breaks == 0) {
      answer.follows.push_back(each);
    } else {
      answer.others.push_back(std::move(compared));
    }
  }
  if (question.promise == Promise::rule) answer.promised = comparison.of(*question.promised);
  if (!has_draw) {
    answer.facts = facts_of(question, nearest, quantizer, groups);
  }
  return answer;
}

}  // namespace assay::quantizations
