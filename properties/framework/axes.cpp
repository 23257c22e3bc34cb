#include "properties/framework/axes.hpp"

#include <cstdint>
#include <map>
#include <utility>

namespace assay {

std::vector<Axes> axes_of(const Record& record) {
  std::map<std::size_t, std::vector<std::string>> names_by_length;
  for (const FieldValue& each : record.fields) {
    const auto* words = std::get_if<Words>(&each.value);
    if (words != nullptr && words->shape == Words::Shape::list && !words->bits.empty()) {
      names_by_length[words->bits.size()].push_back(each.name);
    }
  }
  Axes parallel;
  for (const auto& [length, names] : names_by_length) {
    for (const std::string& name : names) parallel.lists.push_back({name, {{names.front()}}});
    parallel.sums.push_back(names.front());
  }
  if (parallel.lists.empty()) return {};
  std::vector<Axes> all{std::move(parallel)};
  for (const FieldValue& each : record.fields) {
    const auto* integer = std::get_if<std::int64_t>(&each.value);
    if (integer == nullptr || *integer < 1) continue;
    const auto columns = static_cast<std::size_t>(*integer);
    Axes in_rows{{}, {{each.name, each.name}}, {each.name}};
    for (const auto& [length, names] : names_by_length) {
      if (length % columns != 0) continue;
      for (const std::string& name : names) {
        std::vector<Axes::Side> sides{{each.name}};
        if (length != columns) sides.push_back({"rows of " + names.front()});
        in_rows.lists.push_back({name, std::move(sides)});
      }
    }
    if (!in_rows.lists.empty()) all.push_back(std::move(in_rows));
  }
  return all;
}

}  // namespace assay
