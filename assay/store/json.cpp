#include "assay/store/json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "assay/store/json_reader.hpp"
#include "oracle/decimal.hpp"
#include "oracle/format.hpp"

namespace assay::store {

namespace {

void append_string(std::string& out, const std::string& text) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (byte < 0x20) {
          out += "\\u00";
          out += digits[byte >> 4];
          out += digits[byte & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

template <class Number>
void append_number(std::string& out, Number value) {
  std::array<char, 64> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), end);
}

void append_scalar(std::string& out, const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      out += "null";
      break;
    case Json::value_t::boolean:
      out += value.get<bool>() ? "true" : "false";
      break;
    case Json::value_t::number_integer:
      append_number(out, value.get<std::int64_t>());
      break;
    case Json::value_t::number_unsigned:
      append_number(out, value.get<std::uint64_t>());
      break;
    case Json::value_t::number_float:
      append_number(out, value.get<double>());
      break;
    case Json::value_t::string:
      append_string(out, value.get_ref<const std::string&>());
      break;
    default:
      throw std::logic_error("not a JSON scalar");
  }
}

/// One line; `spaces` after commas and colons.
void append_line(std::string& out, const Json& value, bool spaces) {
  if (value.is_object()) {
    out += '{';
    bool first = true;
    for (const auto& [key, member] : value.items()) {
      if (!first) out += spaces ? ", " : ",";
      first = false;
      append_string(out, key);
      out += spaces ? ": " : ":";
      append_line(out, member, spaces);
    }
    out += '}';
  } else if (value.is_array()) {
    out += '[';
    bool first = true;
    for (const Json& element : value) {
      if (!first) out += spaces ? ", " : ",";
      first = false;
      append_line(out, element, spaces);
    }
    out += ']';
  } else {
    append_scalar(out, value);
  }
}

bool holds_no_object(const Json& value) {
  return !value.is_object() && (!value.is_array() || std::all_of(value.begin(), value.end(), holds_no_object));
}

/// How many nested containers are below: documents of a short line have at most one.
bool is_flat(const Json& value) {
  return std::none_of(value.begin(), value.end(), [](const Json& member) {
    return member.is_structured() && (member.is_object() || !holds_no_object(member));
  });
}

void append_indented(std::string& out, const Json& value, std::size_t depth) {
  constexpr std::size_t short_line = 100;
  if (!value.is_structured() || value.empty()) {
    append_line(out, value, true);
    return;
  }
  if (value.is_array() ? holds_no_object(value) : depth > 0 && is_flat(value)) {
    std::string line;
    append_line(line, value, true);
    if (value.is_array() || line.size() <= short_line) {
      out += line;
      return;
    }
  }
  const std::string indent(2 * (depth + 1), ' ');
  out += value.is_object() ? "{\n" : "[\n";
  bool first = true;
  for (const auto& [key, member] : value.items()) {
    if (!first) out += ",\n";
    first = false;
    out += indent;
    if (value.is_object()) {
      append_string(out, key);
      out += ": ";
    }
    append_indented(out, member, depth + 1);
  }
  out += '\n';
  out.append(2 * depth, ' ');
  out += value.is_object() ? '}' : ']';
}

Json counts_to_json(const auto& counts) {
  Json array = Json::array();
  for (const std::uint64_t count : counts) array.push_back(count);
  return array;
}

bool is_integer_text(const std::string& text) {
  const std::size_t sign = !text.empty() && text[0] == '-' ? 1 : 0;
  return text.size() > sign && text.find_first_not_of("0123456789", sign) == std::string::npos;
}

std::uint64_t bits_from_json(const Json& value, const oracle::Format& format, const std::string& field) {
  if (!value.is_string()) throw JsonError("\"" + field + "\" of the case holds something that is not a string");
  try {
    return oracle::parse_hex(format, value.get_ref<const std::string&>());
  } catch (const std::invalid_argument&) {
    throw JsonError("\"" + field + "\" of the case holds " + compact(value) + ", which is no number of " +
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

template <class Enum, std::size_t n>
Enum of_word(const std::array<std::string_view, n>& words, std::string_view text, const char* what) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) throw JsonError("\"" + std::string(text) + "\" is no " + what);
  return static_cast<Enum>(found - words.begin());
}

constexpr std::array<std::string_view, 10> finding_words{"holds",       "violated", "undecided", "refuted as expected",
                                                         "not refuted", "crashed",  "hung",      "out of memory",
                                                         "flaky",       "not run"};
constexpr std::array<std::string_view, 3> why_words{"violated", "hardest", "seed"};
constexpr std::array<std::string_view, 3> verdict_words{"holds", "violated", "undecided"};

Json optional_case(const std::optional<CaseFile>& file) { return file ? case_to_json(*file) : Json(nullptr); }
std::optional<CaseFile> optional_case_from(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(case_from_json(value));
}

}  // namespace

std::string compact(const Json& value) {
  std::string out;
  append_line(out, value, false);
  return out;
}

std::string pretty(const Json& value) {
  std::string out;
  append_indented(out, value, 0);
  out += '\n';
  return out;
}

Json parse_json(std::string_view text) {
  std::vector<std::set<std::string>> keys;
  const auto refuse_repeated_keys = [&keys](int, nlohmann::detail::parse_event_t event, Json& parsed) {
    using Event = nlohmann::detail::parse_event_t;
    if (event == Event::object_start) {
      keys.emplace_back();
    } else if (event == Event::object_end) {
      keys.pop_back();
    } else if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second) {
      throw JsonError("the field " + compact(parsed) + " stands twice in one object");
    }
    return true;
  };
  try {
    return Json::parse(text, refuse_repeated_keys);
  } catch (const nlohmann::json::parse_error& error) {
    const bool truncated = error.byte > text.size();
    throw JsonError((truncated ? "truncated: the JSON text ends after byte " : "no JSON at byte ") +
                    std::to_string(truncated ? text.size() : error.byte));
  } catch (const nlohmann::json::exception&) {
    throw JsonError("holds a number that is out of range");
  }
}

std::string hex16(std::uint64_t value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = digits[value & 15];
  return text;
}

Json ratio_to_json(double ratio) {
  if (std::isinf(ratio)) return "inf";
  if (ratio >= 0 && ratio < 0x1p53 && ratio == std::floor(ratio)) return static_cast<std::uint64_t>(ratio);
  return ratio;
}

double ratio_from_json(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string() && value.get_ref<const std::string&>() == "inf") return std::numeric_limits<double>::infinity();
  throw JsonError("a ratio is neither a number nor \"inf\"");
}

Json ulps_to_json(const std::optional<double>& ulps) {
  if (!ulps) return nullptr;
  if (*ulps >= 0) return ratio_to_json(*ulps);
  if (std::isinf(*ulps)) return "-inf";
  return *ulps > -0x1p53 && *ulps == std::ceil(*ulps) ? Json(static_cast<std::int64_t>(*ulps)) : Json(*ulps);
}

std::optional<double> ulps_from_json(const Json& value) {
  if (value.is_null()) return std::nullopt;
  if (value.is_string() && value.get_ref<const std::string&>() == "-inf") {
    return -std::numeric_limits<double>::infinity();
  }
  if (!value.is_number() && value != "inf") throw JsonError("an error in ulps is no number");
  return ratio_from_json(value);
}

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

Json tally_to_json(const Tally& tally) {
  Json classes = Json::array();
  for (const Tally::ByClass& each : tally.classes) {
    classes.push_back({each.planned, each.executed, each.rejected, each.inexact});
  }
  Json claims = Json::array();
  for (const ClaimTally& claim : tally.claims) {
    Json features = Json::array();
    for (const auto& bins : claim.features) {
      Json row = Json::array();
      for (const Worst& worst : bins) row.push_back(worst_to_json(worst));
      features.push_back(std::move(row));
    }
    claims.push_back({{"executed", claim.executed},
                      {"rejected", claim.rejected},
                      {"violated", claim.violated},
                      {"undecided", claim.undecided},
                      {"components", claim.components},
                      {"violated_components", claim.violated_components},
                      {"first_violated", number_or_null(claim.first_violated)},
                      {"first_undecided", number_or_null(claim.first_undecided)},
                      {"worst", worst_to_json(claim.worst)},
                      {"histogram", counts_to_json(claim.histogram)},
                      {"executed_by_class", counts_to_json(claim.executed_by_class)},
                      {"features", std::move(features)}});
  }
  return {{"classes", std::move(classes)}, {"claims", std::move(claims)}};
}

Tally tally_from_json(const Json& value) {
  Tally tally;
  Reader reader(value, "a tally");
  for (const Json& each : reader.array("classes")) {
    if (!each.is_array() || each.size() != 4) throw JsonError("a class of a tally is not four counts");
    tally.classes.push_back({unsigned_of(each[0]), unsigned_of(each[1]), unsigned_of(each[2]), unsigned_of(each[3])});
  }
  for (const Json& each : reader.array("claims")) {
    ClaimTally claim;
    Reader fields(each, "a claim's tally");
    claim.executed = fields.count("executed");
    claim.rejected = fields.count("rejected");
    claim.violated = fields.count("violated");
    claim.undecided = fields.count("undecided");
    claim.components = fields.count("components");
    claim.violated_components = fields.count("violated_components");
    claim.first_violated = number_of_null(fields.at("first_violated"));
    claim.first_undecided = number_of_null(fields.at("first_undecided"));
    claim.worst = worst_from_json(fields.at("worst"));
    const Json& histogram = fields.array("histogram");
    if (histogram.size() != ratio_bins) throw JsonError("a histogram has not " + std::to_string(ratio_bins) + " bins");
    std::transform(histogram.begin(), histogram.end(), claim.histogram.begin(), unsigned_of);
    for (const Json& count : fields.array("executed_by_class")) claim.executed_by_class.push_back(unsigned_of(count));
    for (const Json& row : fields.array("features")) {
      auto& bins = claim.features.emplace_back();
      if (!row.is_array()) throw JsonError("a feature of a tally is not an array");
      for (const Json& worst : row) bins.push_back(worst_from_json(worst));
    }
    fields.finish();
    tally.claims.push_back(std::move(claim));
  }
  reader.finish();
  return tally;
}

Json info_to_json(const PropertyInfo& info) {
  Json claims = Json::array();
  for (const ClaimInfo& claim : info.claims) {
    claims.push_back({{"claim", claim.id},
                      {"statement", claim.statement},
                      {"source", claim.source},
                      {"preconditions", claim.preconditions},
                      {"expected", claim.expected_refuted ? "violated" : "holds"}});
  }
  Json classes = Json::array();
  for (const ClassInfo& each : info.classes) classes.push_back({{"name", each.name}, {"weight", each.weight}});
  Json features = Json::array();
  for (const FeatureInfo& each : info.features) {
    features.push_back({{"name", each.name}, {"low", each.low}, {"high", each.high}, {"bins", each.bins}});
  }
  return {{"property", info.name},           {"format", info.format},
          {"accepts", info.accepts},         {"enumeration_size", info.enumeration_size},
          {"quick_cases", info.quick_cases}, {"classes", std::move(classes)},
          {"features", std::move(features)}, {"claims", std::move(claims)}};
}

PropertyInfo info_from_json(const Json& value) {
  PropertyInfo info;
  Reader reader(value, "a property");
  info.name = reader.text("property");
  info.format = reader.text("format");
  info.accepts = reader.text("accepts");
  info.enumeration_size = reader.count("enumeration_size");
  info.quick_cases = reader.count("quick_cases");
  for (const Json& each : reader.array("classes")) {
    Reader fields(each, "a class");
    info.classes.push_back({fields.text("name"), static_cast<unsigned>(fields.count("weight"))});
    fields.finish();
  }
  for (const Json& each : reader.array("features")) {
    Reader fields(each, "a feature");
    info.features.push_back(
        {fields.text("name"), fields.number("low"), fields.number("high"), static_cast<int>(fields.count("bins"))});
    fields.finish();
  }
  for (const Json& each : reader.array("claims")) {
    Reader fields(each, "a claim");
    info.claims.push_back({fields.text("claim"), fields.text("statement"), fields.text("source"),
                           fields.text("preconditions"), fields.text("expected") == "violated"});
    fields.finish();
  }
  reader.finish();
  return info;
}

Json evidence_to_json(const CaseFile::Evidence& evidence) {
  Json value = {{"got", evidence.got}, {"exact", evidence.exact}, {"ratio", ratio_to_json(evidence.ratio)}};
  if (evidence.ulps) value["ulps"] = ulps_to_json(evidence.ulps);
  if (evidence.components > 1) {
    value["components"] = evidence.components;
    value["worst"] = evidence.worst;
    value["bad"] = evidence.bad;
  }
  return value;
}

CaseFile::Evidence evidence_from_json(const Json& value) {
  Reader fields(value, "\"evidence\"");
  CaseFile::Evidence evidence;
  for (const Json& each : fields.array("got")) {
    if (!each.is_string()) fields.wrong("got", "an array of strings");
    evidence.got.push_back(each.get<std::string>());
  }
  evidence.exact = fields.text("exact");
  evidence.ratio = ratio_from_json(fields.at("ratio"));
  if (const Json* ulps = fields.find("ulps"); ulps != nullptr) evidence.ulps = ulps_from_json(*ulps);
  if (fields.find("components") != nullptr) {
    evidence.components = fields.count("components");
    evidence.worst = fields.count("worst");
    evidence.bad = fields.count("bad");
    if (evidence.components < 2 || evidence.worst >= evidence.components || evidence.bad > evidence.components) {
      throw JsonError("\"evidence\" names a component that the result does not have");
    }
  }
  fields.finish();
  return evidence;
}

Json stops_to_json(const Stops& stops) {
  if (stops == Stops{}) return nullptr;
  return {{"count", stops.count}, {"first", number_or_null(stops.first)}, {"kind", word(stops.kind)},
          {"what", stops.what},   {"cut_short", stops.cut_short},         {"corpus", stops.corpus}};
}

Stops stops_from_json(const Json& value) {
  if (value.is_null()) return {};
  Reader fields(value, "\"stops\"");
  Stops stops;
  stops.count = fields.count("count");
  stops.first = number_of_null(fields.at("first"));
  stops.kind = finding_of_word(fields.text("kind"));
  stops.what = fields.text("what");
  stops.cut_short = fields.truth("cut_short");
  stops.corpus = fields.truth("corpus");
  fields.finish();
  return stops;
}

Json case_to_json(const CaseFile& file) {
  Json value = {{"schema", schema_number}, {"property", file.property},
                {"claim", file.claim},     {"executor", file.executor},
                {"format", file.format},   {"case", record_to_json(file.inputs, oracle::format_named(file.format))}};
  if (file.evidence) value["evidence"] = evidence_to_json(*file.evidence);
  value["expected"] = file.expected;
  value["why"] = word(file.why);
  return value;
}

CaseFile case_from_json(const Json& value) {
  Reader reader(value, "the case file");
  if (const Json& number = reader.at("schema"); number != schema_number) {
    throw JsonError("schema " + compact(number) + " is unknown; this program reads schema " +
                    std::to_string(schema_number));
  }
  CaseFile file;
  file.property = reader.text("property");
  file.claim = reader.text_or("claim", "");
  file.executor = reader.text_or("executor", "host");
  file.format = reader.text("format");
  oracle::Format format{};
  try {
    format = oracle::format_named(file.format);
  } catch (const std::invalid_argument&) {
    throw JsonError("the format \"" + file.format + "\" is unknown");
  }
  file.inputs = record_from_json(reader.at("case"), format);
  if (const Json* evidence = reader.find("evidence"); evidence != nullptr) {
    file.evidence = evidence_from_json(*evidence);
  }
  file.expected = reader.text_or("expected", "holds");
  if (file.expected != "holds" && file.expected != "violated") {
    throw JsonError("\"expected\" is neither \"holds\" nor \"violated\"");
  }
  file.why = why_of_word(reader.text_or("why", "seed"));
  reader.find("checksum");
  reader.finish();
  return file;
}

Json finding_to_json(const ClaimFinding& finding) {
  return {{"verdict", word(finding.verdict)},
          {"failing_number", number_or_null(finding.failing_number)},
          {"failure", optional_case(finding.failure)},
          {"shrink_tried", finding.shrink_tried},
          {"shrink_minimal", finding.shrink_minimal},
          {"reproduced", finding.reproduced},
          {"hardest", optional_case(finding.hardest)},
          {"corpus_executed", finding.corpus_executed},
          {"corpus_surprises", finding.corpus_surprises}};
}

ClaimFinding finding_from_json(const Json& value) {
  Reader reader(value, "a finding");
  ClaimFinding finding;
  finding.verdict = finding_of_word(reader.text("verdict"));
  finding.failing_number = number_of_null(reader.at("failing_number"));
  finding.failure = optional_case_from(reader.at("failure"));
  finding.shrink_tried = reader.count("shrink_tried");
  finding.shrink_minimal = reader.truth("shrink_minimal");
  finding.reproduced = static_cast<int>(reader.count("reproduced"));
  finding.hardest = optional_case_from(reader.at("hardest"));
  finding.corpus_executed = reader.count("corpus_executed");
  for (const Json& each : reader.array("corpus_surprises")) {
    if (!each.is_string()) reader.wrong("corpus_surprises", "an array of strings");
    finding.corpus_surprises.push_back(each.get<std::string>());
  }
  reader.finish();
  return finding;
}

Json property_summary_to_json(const PropertySummary& property) {
  Json findings = Json::array();
  for (const ClaimFinding& finding : property.findings) findings.push_back(finding_to_json(finding));
  return {{"info", info_to_json(property.info)},
          {"executor", property.executor},
          {"rigor", property.rigor},
          {"requested", property.requested},
          {"partial", property.partial},
          {"note", property.note},
          {"tally", tally_to_json(property.tally)},
          {"findings", std::move(findings)},
          {"stops", stops_to_json(property.stops)},
          {"stopped_by", optional_case(property.stopped_by)}};
}

PropertySummary property_summary_from_json(const Json& value) {
  Reader reader(value, "a property's summary");
  PropertySummary property;
  property.info = info_from_json(reader.at("info"));
  property.executor = reader.text("executor");
  property.rigor = reader.text("rigor");
  property.requested = reader.count("requested");
  property.partial = reader.truth("partial");
  property.note = reader.text("note");
  property.tally = tally_from_json(reader.at("tally"));
  for (const Json& each : reader.array("findings")) property.findings.push_back(finding_from_json(each));
  property.stops = stops_from_json(reader.at("stops"));
  property.stopped_by = optional_case_from(reader.at("stopped_by"));
  reader.finish();
  return property;
}

std::string_view word(Finding finding) { return finding_words.at(static_cast<std::size_t>(finding)); }
Finding finding_of_word(std::string_view text) { return of_word<Finding>(finding_words, text, "verdict"); }
std::string_view word(Why why) { return why_words.at(static_cast<std::size_t>(why)); }
Why why_of_word(std::string_view text) { return of_word<Why>(why_words, text, "reason to keep a case"); }
std::string_view word(Verdict verdict) { return verdict_words.at(static_cast<std::size_t>(verdict)); }
Verdict verdict_of_word(std::string_view text) { return of_word<Verdict>(verdict_words, text, "verdict"); }

Json list_document(std::span<const PropertyInfo> properties) {
  Json all = Json::array();
  for (const PropertyInfo& info : properties) all.push_back(info_to_json(info));
  return {{"schema", schema_number}, {"properties", std::move(all)}};
}

Json eval_document(const std::string& property, const CaseFile& file, std::span<const Evaluated> results) {
  Json all = Json::array();
  for (const Evaluated& each : results) {
    Json patterns = Json::array();
    Json decimals = Json::array();
    for (const std::uint64_t bits : each.words.bits) {
      patterns.push_back("0x" + hex16(bits).substr(16 - static_cast<std::size_t>((each.words.format.width() + 3) / 4)));
      decimals.push_back(oracle::shortest_decimal(each.words.format, bits));
    }
    all.push_back({{"executor", each.executor},
                   {"format", oracle::name(each.words.format)},
                   {"words", hex_words(each.words)},
                   {"bits", std::move(patterns)},
                   {"decimal", std::move(decimals)}});
  }
  return {{"schema", schema_number},
          {"property", property},
          {"format", file.format},
          {"case", record_to_json(file.inputs, oracle::format_named(file.format))},
          {"results", std::move(all)}};
}

}  // namespace assay::store
