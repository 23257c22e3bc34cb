#include "properties/framework/shapes.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace assay {
namespace {

constexpr std::size_t most_of_shapes = 64;
constexpr std::int64_t longest_dimension = std::int64_t{1} << 40;
constexpr const char* accepted_shapes =
    ": lengths are given as n=8193, n=8193,100000, n=1..4096 or m=64,n=64,k=200, from 0 to 2^40";

thread_local const std::vector<std::pair<std::string, std::int64_t>>* asked_lengths = nullptr;

[[noreturn]] void refuse_shape(std::string_view text) {
  throw ShapeError("shape " + std::string(text) + accepted_shapes);
}

std::vector<std::string_view> split_text(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::int64_t length_of(std::string_view number, std::string_view text) {
  std::int64_t length = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), length);
  if (error != std::errc() || end != number.data() + number.size() || length < 0 || length > longest_dimension)
    refuse_shape(text);
  return length;
}

/// The lengths of each dimension in the text of one shape, in the order of the text.
std::vector<std::vector<Dimension>> lists_of(std::string_view text) {
  std::vector<std::vector<Dimension>> lists;
  for (std::string_view part : split_text(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == 0 || (equals == std::string_view::npos && lists.empty())) refuse_shape(text);
    if (equals != std::string_view::npos) {
      const std::string name(part.substr(0, equals));
      for (const std::vector<Dimension>& each : lists) {
        if (each.front().name == name) throw ShapeError("shape " + std::string(text) + ": " + name + " is given twice");
      }
      lists.push_back({});
      lists.back().push_back({name, 0, 0});
      part = part.substr(equals + 1);
    } else {
      lists.back().push_back({lists.back().front().name, 0, 0});
    }
    Dimension& dimension = lists.back().back();
    const std::size_t dots = part.find("..");
    dimension.low = length_of(part.substr(0, dots), text);
    dimension.high = dots == std::string_view::npos ? dimension.low : length_of(part.substr(dots + 2), text);
    if (dimension.high < dimension.low) refuse_shape(text);
  }
  return lists;
}

}  // namespace

std::string text_of(const AskedShape& shape) {
  std::string text;
  for (const Dimension& each : shape) {
    text += (text.empty() ? "" : ", ") + each.name + "=" + std::to_string(each.low);
    if (each.high != each.low) text += ".." + std::to_string(each.high);
  }
  return text;
}

std::vector<AskedShape> shapes_of(std::string_view text) {
  std::vector<AskedShape> shapes;
  for (const std::string_view one : split_text(text, ';')) {
    std::vector<AskedShape> combined(1);
    for (const std::vector<Dimension>& list : lists_of(one)) {
      std::vector<AskedShape> longer;
      for (const AskedShape& each : combined) {
        for (const Dimension& dimension : list) {
          longer.push_back(each);
          longer.back().push_back(dimension);
          if (shapes.size() + longer.size() > most_of_shapes) {
            throw ShapeError("shape " + std::string(text) + ": more than " + std::to_string(most_of_shapes) +
                             " shapes");
          }
        }
      }
      combined = std::move(longer);
    }
    shapes.insert(shapes.end(), combined.begin(), combined.end());
  }
  return shapes;
}

void require_dimensions(std::span<const AskedShape> shapes, std::string_view operation,
                        std::span<const std::string> dimensions) {
  for (const AskedShape& shape : shapes) {
    for (const Dimension& each : shape) {
      if (std::ranges::find(dimensions, each.name) != dimensions.end()) continue;
      std::string names;
      for (const std::string& name : dimensions) names += (names.empty() ? "" : ", ") + name;
      throw ShapeError("shape " + text_of(shape) + ": " + std::string(operation) +
                       (names.empty() ? " takes no shapes" : " has no dimension " + each.name + "; it has " + names));
    }
  }
}

void require_memory(const AskedShape& shape, double numbers, double bytes_a_number) {
  const double bytes = numbers * bytes_a_number;
  if (bytes <= most_bytes_of_case) return;
  std::ostringstream text;
  text.precision(3);
  text << "shape " << text_of(shape) << ": a case has " << numbers << " numbers and needs about " << bytes
       << " bytes to be judged; at most " << most_bytes_of_case << " are taken";
  throw ShapeError(text.str());
}

AskedLengths::AskedLengths(Draw& draw, const AskedShape& shape) : outer_(asked_lengths) {
  for (const Dimension& each : shape) {
    const auto more = static_cast<std::uint64_t>(each.high - each.low);
    const std::int64_t length = each.low + (more == 0 ? 0 : static_cast<std::int64_t>(draw.below(more + 1)));
    lengths_.emplace_back(each.name, length);
  }
  asked_lengths = &lengths_;
}

AskedLengths::~AskedLengths() { asked_lengths = outer_; }

std::optional<std::int64_t> asked_length(std::string_view dimension) {
  if (asked_lengths == nullptr) return std::nullopt;
  for (const auto& [name, length] : *asked_lengths) {
    if (name == dimension) return length;
  }
  return std::nullopt;
}

}  // namespace assay
