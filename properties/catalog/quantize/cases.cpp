#include "properties/catalog/quantize/cases.hpp"

namespace assay::quantize {

const oracle::BlockFormat& oracle_format(int format) {
  return oracle::block_formats()[static_cast<std::size_t>(format)];
}
const Format& kernel_format(int format) { return *find_format(oracle_format(format).name); }

bool has_kernel(int format) {
  return format >= 0 && format < static_cast<int>(oracle::block_formats().size()) &&
         find_format(oracle_format(format).name) != nullptr;
}

const RuleTable& rules_of(int format) {
  static const std::vector<RuleTable> all = [] {
    std::vector<RuleTable> tables;
    for (const oracle::BlockFormat& each : oracle::block_formats()) {
      RuleTable table;
      const auto add = [&](const oracle::QuantizationRule& rule) {
        // Keys stand in saved cases. These rules have no random words.
        std::int64_t key = 0;
        const oracle::QuantizationChoices choices = choices_of(rule);
        for (std::size_t i = 0; i < choices.size(); ++i) {
          if (i != static_cast<std::size_t>(oracle::QuantizationAspect::words)) key = 16 * key + choices[i];
        }
        table.emplace(key, rule);
      };
      for (oracle::QuantizationRule rule : finite_rules_of(each)) {
        add(rule);
        rule.zeros = oracle::OfZeros::one;
        if (oracle::quantization_rule_named(oracle::name_of(rule)) == rule) add(rule);
      }
      tables.push_back(std::move(table));
    }
    return tables;
  }();
  return all[static_cast<std::size_t>(format)];
}

Rule kernel_rule(const oracle::QuantizationRule& rule) {
  return {.scale = static_cast<ScaleRule>(rule.scale),
          .direction = static_cast<Direction>(rule.direction),
          .factor = static_cast<Factor>(rule.factor),
          .range = static_cast<Range>(rule.range),
          .least = static_cast<Least>(rule.least),
          .keeps_sign_of_zero = rule.keeps_sign_of_zero,
          .is_high_half_first = rule.nibbles == oracle::Nibbles::high_first,
          .zeros_have_scale_one = rule.zeros == oracle::OfZeros::one,
          .spans_zero = rule.span == oracle::Span::with_zero,
          .zero_point_of_sum = rule.zero_point == oracle::ZeroPoint::of_sum};
}

std::pair<std::size_t, int> place_of_code(const oracle::BlockFormat& format, std::size_t i, bool is_high_half_first) {
  if (!format.is_packed()) return {i, 0};
  const std::size_t partner = format.partner;
  const bool is_second = i / partner % 2 == 1;
  const std::size_t byte = i / (2 * partner) * partner + i % partner;
  return {byte, is_second != is_high_half_first ? 4 : 0};
}

std::size_t block_of(const oracle::BlockFormat& format, std::size_t rows, std::size_t columns, std::size_t row,
                     std::size_t column) {
  const std::size_t block_rows = format.rows == 0 ? rows : format.rows;
  const std::size_t block_columns = format.columns == 0 ? columns : format.columns;
  return row / block_rows * (columns / block_columns) + column / block_columns;
}

}  // namespace assay::quantize
