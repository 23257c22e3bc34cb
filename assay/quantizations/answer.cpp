#include "assay/quantizations/answer.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <stdexcept>
#include <utility>

#include "assay/quantizations/facts.hpp"
#include "assay/quantizations/inputs.hpp"

namespace assay::quantizations {
namespace {

using oracle::BlockFormat;
using oracle::NumberFormat;
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
Example difference(const BlockFormat& format, const Block& block, const WantedBlock& wanted) {
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
    if (fits(wanted.codes[i], format.element, block.codes[i])) continue;
    if (worst == block.codes.size() || is_smaller(block.numbers[i], block.numbers[worst])) worst = i;
  }
  example.entry = block.patterns[worst];
  return at(Example::Place::code, block.codes[worst], wanted.codes[worst]);
}

/// All blocks with their results, by class; finite ones by ascending M.
class Comparison {
 public:
  explicit Comparison(const std::vector<Group>& groups) {
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
      quantize(compared.rule, each->numbers, each->tensor_amax, wanted_, {each->scale, each->second});
      if (is_as_wanted(*compared.rule.format, *each, wanted_)) continue;
      const Example example = difference(*compared.rule.format, *each, wanted_);
      ++compared.breaks;
      compared.examples.insert(std::ranges::upper_bound(compared.examples, example, comes_first), example);
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
        quantize(rules[i], block.numbers, block.tensor_amax, wanted_, {block.scale, block.second});
        is_broken = !is_as_wanted(*rules[i].format, block, wanted_);
      }
      runners.emplace(breaks + (is_broken ? 1 : 0), i);
    }
    return rules[static_cast<std::size_t>(std::ranges::max_element(compared) - compared.begin())];
  }

  /// The rule that the fewest blocks break: the words for finite numbers first, then the other words.
  QuantizationRule nearest(const BlockFormat& format) {
    QuantizationRule rule = best(finite_rules_of(format), Class::finite);
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

bool is_same_result(const BlockFormat& format, const Block& a, const Block& b) {
  if (class_of(a) == Class::nan || class_of(a) == Class::infinite) {
    const bool are_nans = decode(format.scale, a.scale).kind == oracle::Number::Kind::nan &&
                          decode(format.scale, b.scale).kind == oracle::Number::Kind::nan;
    if (are_nans) return true;
  }
  return a.scale == b.scale && a.codes == b.codes && a.second == b.second;
}

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
  for (std::size_t block = 0; block < down * across; ++block) {
    const Block& from = group[block % group.size()];
    for (std::size_t i = 0; i < from.patterns.size(); ++i) {
      std::memcpy(x.data() + position(block, i) * bytes, &from.patterns[i], bytes);
    }
  }
  const oracle::BlockSizes sizes = sizes_of(format, rows, columns);
  std::vector<std::byte> codes(sizes.codes, std::byte{0xFF});
  std::vector<std::byte> scales(sizes.scales, std::byte{0xFF});
  std::vector<std::byte> seconds(sizes.seconds, std::byte{0xFF});
  quantizer(rows, columns, x, codes, scales, seconds);
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

bool Answer::holds(const Question& question) const {
  if (unsteady || shows_nothing()) return false;
  switch (question.promise) {
    case Promise::rule:
      return promised->breaks == 0;
    case Promise::monotone:
      return !facts.not_monotone;
    case Promise::idempotent:
      return facts.asked_again && !facts.not_idempotent;
    case Promise::round_trip:
      return std::ranges::find(facts.kept_round_trips, scale_word(question.promised->scale)) !=
             facts.kept_round_trips.end();
    case Promise::none:
      break;
  }
  return nearest.breaks == 0;
}

bool can_ask_again(const BlockFormat& format) { return format.scaling == oracle::Scaling::power_of_two; }

namespace {

/// The contracts of a format that are not rules: "round_trip.floor, round_trip.ceil, idempotent, monotone".
std::string other_contracts(const BlockFormat& format) {
  std::vector<std::string> all;
  for (const QuantizationRule& each : finite_rules_of(format)) {
    const std::string name = "round_trip." + std::string(scale_word(each.scale));
    const bool is_new = std::ranges::find(all, name) == all.end();
    if (is_new && round_trip_bound(format, each.scale)) all.push_back(name);
  }
  if (can_ask_again(format)) all.emplace_back("idempotent");
  all.emplace_back("monotone");
  std::string text;
  for (const std::string& each : all) text += (text.empty() ? "" : ", ") + each;
  return text;
}

}  // namespace

bool has_theorem(const Question& question) { return question.to->scaling == oracle::Scaling::power_of_two; }

Question question_of(const std::string& formats, const std::string& contract, bool every_entry, std::uint64_t seed) {
  const std::size_t colon = formats.find(':');
  const std::string source = formats.substr(0, colon);
  if (colon == std::string::npos) {
    throw std::invalid_argument("format: '" + formats + "'; name a source and a block format, such as f32:mxfp4");
  }
  const NumberFormat* const from = oracle::find_number_format(source);
  if (from == nullptr || (from->name != "f32" && from->name != "f16" && from->name != "bf16")) {
    throw std::invalid_argument("no source '" + source + "' of blocks; accepted are f32, f16 and bf16");
  }
  const std::string target = formats.substr(colon + 1, formats.find(':', colon + 1) - colon - 1);
  const std::string rest = formats.substr(std::min(formats.size(), colon + 1 + target.size()));
  const BlockFormat* const to = oracle::find_block_format(target);
  if (to == nullptr) {
    std::string known;
    for (const BlockFormat& each : oracle::block_formats())
      known += (known.empty() ? "" : ", ") + std::string(each.name);
    throw std::invalid_argument("unknown block format '" + target + "'; there are: " + known);
  }
  if (!rest.empty() && rest != ":tails") {
    throw std::invalid_argument("format: '" + formats + "'; only ':tails' may follow a block format");
  }
  const bool is_of_ggml = to->scale.name == "f16" || to->scaling == oracle::Scaling::stored;
  if (!rest.empty() && (to->rows != 1 || to->columns == 0 || is_of_ggml)) {
    throw std::invalid_argument(formats + ": only formats with blocks of one row have tails, and llama.cpp's do not");
  }
  Question question{from, to, Promise::none, std::nullopt, every_entry && from->bits == 16, seed, !rest.empty()};
  if (contract.empty()) return question;
  if (contract == "monotone" || (contract == "idempotent" && can_ask_again(*to))) {
    question.promise = contract == "monotone" ? Promise::monotone : Promise::idempotent;
    return question;
  }
  for (const QuantizationRule& each : finite_rules_of(*to)) {
    if (contract != "round_trip." + std::string(scale_word(each.scale)) || !round_trip_bound(*to, each.scale)) continue;
    question.promise = Promise::round_trip;
    question.promised = each;
    return question;
  }
  question.promise = Promise::rule;
  question.promised = oracle::quantization_rule_named(contract);
  if (!question.promised || question.promised->format != to) {
    if (contract == "idempotent") {
      throw std::invalid_argument("no contract 'idempotent' of " + formats +
                                  ": its scales are not powers of two, so a number of binary32 may not hold x'; there "
                                  "are rules, such as " +
                                  name_of(finite_rules_of(*to).front()) + ", and " + other_contracts(*to));
    }
    throw std::invalid_argument("no contract '" + contract + "' of " + formats + "; there are rules, such as " +
                                name_of(finite_rules_of(*to).front()) + ", and " + other_contracts(*to) +
                                "; `assay contracts quantize` lists the words of rules");
  }
  return question;
}

Answer asked(const Question& question, const Quantizer& quantizer) {
  const BlockFormat& format = *question.to;
  Answer answer;
  const auto ask = [&](std::vector<Group>& groups) {
    std::size_t turn = 0;
    for (Group& group : groups) {
      constexpr std::array<std::size_t, 5> widths{1, 3, 2, 5, 8};
      fill_results(question, quantizer, group, widths[turn % widths.size()]);
      Group again = reversed(format, group);
      fill_results(question, quantizer, again, widths[(turn + 2) % widths.size()]);
      ++turn;
      for (std::size_t i = 0; i < group.size(); ++i) {
        const Block& one = group[i];
        if (is_same_result(format, one, again[reversed_place(format, group, i)])) continue;
        if (!answer.unsteady || is_smaller(one.amax, *answer.unsteady)) answer.unsteady = one.amax;
      }
    }
  };
  std::vector<Group> groups = groups_for_scales(*question.from, format, question.seed);
  ask(groups);
  const QuantizationRule of_scales = Comparison(groups).nearest(format);
  std::vector<Group> more = groups_for_codes(*question.from, of_scales, groups, question.every_entry, question.seed);
  if (question.has_tails)
    std::ranges::move(groups_with_tails(*question.from, format, question.seed), std::back_inserter(more));
  ask(more);
  groups.insert(groups.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  for (const Group& group : groups) {
    answer.blocks += group.size();
    for (const Block& each : group) answer.entries += each.patterns.size();
  }

  Comparison comparison(groups);
  const QuantizationRule nearest = comparison.nearest(format);
  answer.nearest = comparison.of(nearest);
  if (answer.nearest.breaks == 0) answer.follows.push_back(nearest);
  for (const QuantizationRule& each : rules_beside(nearest)) {
    if (is_weaker(each, nearest)) continue;
    Compared compared = comparison.of(each, 0);
    if (compared.breaks == 0) {
      answer.follows.push_back(each);
    } else {
      answer.others.push_back(std::move(compared));
    }
  }
  if (question.promise == Promise::rule) answer.promised = comparison.of(*question.promised);
  answer.facts = facts_of(question, nearest, quantizer, groups);
  return answer;
}

}  // namespace assay::quantizations
