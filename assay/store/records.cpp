#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "assay/store/documents.hpp"
#include "assay/store/json.hpp"
#include "oracle/decimal.hpp"
#include "oracle/format.hpp"

namespace assay::store {

namespace {

bool is_integer_text(const std::string& text) {
  const std::size_t sign = !text.empty() && text[0] == '-' ? 1 : 0;
  return text.size() > sign && text.find_first_not_of("0123456789", sign) == std::string::npos;
}

std::uint64_t bits_from_json(const Json& value, const oracle::Format& format, const std::string& field) {
  if (!value.is_string()) throw JsonError("\"" + field + "\" of the case holds something that is not a string");
  try {
    return oracle::parse_hex(format, value.get_ref<const std::string&>());
  } catch (const std::invalid_argument&) {
    throw JsonError("\"" + field + "\" of the case holds " + compact(value) + ", which is not a number of " +
                    oracle::name(format) + " in hexadecimal");
  }
}

std::variant<Words, std::int64_t> value_from_json(const Json& value, const oracle::Format& format,
                                                  const std::string& field) {
  if (value.is_object()) {
    if (value.size() != 1) throw JsonError("\"" + field + "\" of the case is not {\"<format>\": numbers}");
    const auto [name, numbers] = *value.items().begin();
    if (numbers.is_object()) throw JsonError("\"" + field + "\" of the case names two formats");
    try {
      return value_from_json(numbers, oracle::format_named(name), field);
    } catch (const std::invalid_argument&) {
      throw JsonError("\"" + field + "\" of the case has the unknown format \"" + name + "\"");
    }
  }
  if (value.is_array()) {
    Words words{format, Words::Shape::list, {}};
    words.bits.reserve(value.size());
    for (const Json& each : value) words.bits.push_back(bits_from_json(each, format, field));
    return words;
  }
  if (value.is_string() && is_integer_text(value.get_ref<const std::string&>())) {
    const auto& text = value.get_ref<const std::string&>();
    std::int64_t integer = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
    if (error != std::errc{}) throw JsonError("\"" + field + "\" of the case is beyond 64 bits");
    return integer;
  }
  return Words{format, Words::Shape::scalar, {bits_from_json(value, format, field)}};
}

}  // namespace

Json words_to_json(const Words& words) {
  if (words.shape == Words::Shape::scalar && words.bits.size() == 1) return oracle::to_hex(words.format, words.bits[0]);
  Json array = Json::array();
  for (const std::uint64_t bits : words.bits) array.push_back(oracle::to_hex(words.format, bits));
  return array;
}

std::vector<std::string> hex_words(const Words& words) {
  std::vector<std::string> all;
  all.reserve(words.bits.size());
  for (const std::uint64_t bits : words.bits) all.push_back(oracle::to_hex(words.format, bits));
  return all;
}

Json record_to_json(const Record& record, const oracle::Format& format) {
  Json object = Json::object();
  for (const FieldValue& field : record.fields) {
    if (const auto* integer = std::get_if<std::int64_t>(&field.value)) {
      object[field.name] = std::to_string(*integer);
      continue;
    }
    const Words& words = std::get<Words>(field.value);
    if (words.format == format) {
      object[field.name] = words_to_json(words);
    } else {
      object[field.name] = Json::object({{oracle::name(words.format), words_to_json(words)}});
    }
  }
  return object;
}

Record record_from_json(const Json& value, const oracle::Format& format) {
  if (!value.is_object()) throw JsonError("\"case\" is not an object");
  Record record;
  for (const auto& [name, member] : value.items()) {
    record.fields.push_back({name, value_from_json(member, format, name)});
  }
  return record;
}

Record with_shapes_of(Record record, const Record& prototype) {
  Record shaped;
  for (const FieldValue& model : prototype.fields) {
    const auto found = std::find_if(record.fields.begin(), record.fields.end(),
                                    [&](const FieldValue& field) { return field.name == model.name; });
    if (found == record.fields.end()) continue;
    auto* words = std::get_if<Words>(&found->value);
    const auto* shape = std::get_if<Words>(&model.value);
    if (words != nullptr && shape != nullptr) words->shape = shape->shape;
    shaped.fields.push_back(std::move(*found));
    record.fields.erase(found);
  }
  std::move(record.fields.begin(), record.fields.end(), std::back_inserter(shaped.fields));
  return shaped;
}

Json inputs_schema(Json& definitions) {
  return reference(definitions, "case", [&] {
    const Json number = Hexadecimal::schema(definitions);
    const Json integer = reference(definitions, "integer", [] {
      return Json{{"description", "An integer in decimal."}, {"type", "string"}, {"pattern", "^-?[0-9]+$"}};
    });
    const Json numbers = reference(definitions, "numbers", [&] {
      return Json::object({{"oneOf", Json::array({number, Json{{"type", "array"}, {"items", number}}})}});
    });
    const Json each = reference(definitions, "field", [&] {
      const Json other{{"description", "Numbers of another format than that of the file."},
                       {"type", "object"},
                       {"minProperties", 1},
                       {"maxProperties", 1},
                       {"additionalProperties", numbers}};
      return Json::object({{"oneOf", Json::array({integer, numbers, other})}});
    });
    return Json{{"description", "The inputs by field name."}, {"type", "object"}, {"additionalProperties", each}};
  });
}

}  // namespace assay::store
