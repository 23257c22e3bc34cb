#include "tools/mutate/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace mutate {
namespace {

constexpr std::array<std::string_view, 4> words = {"killed", "survived", "not reached", "equivalent"};

nlohmann::json to_json(const Result& result) {
  return {{"number", result.number},    {"outcome", word(result.outcome)}, {"by", result.by},
          {"case", result.case_number}, {"stage", result.stage},           {"seconds", result.seconds},
          {"tested", result.is_tested}};
}

Result result_of(const nlohmann::json& value) {
  const auto outcome = std::find(words.begin(), words.end(), value.at("outcome").get<std::string>());
  if (outcome == words.end()) throw std::runtime_error("an outcome that is none");
  return {value.at("number"), static_cast<Result::Outcome>(outcome - words.begin()),
          value.at("by"),     value.at("case"),
          value.at("stage"),  value.at("seconds"),
          value.at("tested")};
}

/// Text for a cell of a table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

void count(Table::Family& family, const Result& result, const Reason* reason) {
  const Result::Outcome outcome = result.outcome;
  ++family.mutants;
  if (result.by.starts_with(by_compiler) || result.by.starts_with(by_unit_tests)) ++family.by_tests;
  ++(outcome == Result::Outcome::killed       ? family.killed
     : outcome == Result::Outcome::equivalent ? family.equivalent
     : outcome == Result::Outcome::survived   ? family.survived
                                              : family.not_reached);
  if (reason == nullptr) return;
  if (is_argued(reason->kind)) ++family.argued;
  if (reason->kind == of_device && outcome == Result::Outcome::not_reached) ++family.device;
}

/// The day as YYYY-MM-DD.
std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm day{};
  gmtime_r(&now, &day);
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

double share_of(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 1 : static_cast<double>(part) / static_cast<double>(all);
}

nlohmann::json to_json(const Table::Family& family) {
  return {{"family", family.family},         {"mutants", family.mutants},   {"killed", family.killed},
          {"by_tests", family.by_tests},     {"survived", family.survived}, {"not_reached", family.not_reached},
          {"equivalent", family.equivalent}, {"device", family.device},     {"argued", family.argued}};
}

nlohmann::json to_json(const Table::Left& left) {
  const Mutant& mutant = left.mutant;
  return {{"number", mutant.number},       {"file", mutant.file},
          {"line", mutant.place.line},     {"column", mutant.place.column},
          {"operation", mutant.operation}, {"was", mutant.was},
          {"becomes", mutant.becomes},     {"outcome", left.outcome},
          {"asked", left.asked},           {"kind", left.kind},
          {"reason", left.reason}};
}

}  // namespace

double Table::Family::share() const { return share_of(killed, mutants - equivalent - device); }
double Table::Family::share_beside_argued() const { return share_of(killed, mutants - equivalent - device - argued); }

bool is_left(const Result& result) {
  return result.outcome == Result::Outcome::survived || result.outcome == Result::Outcome::not_reached;
}

bool gives_other_bits(const Result& result) { return result.by.find(other_bits) != result.by.npos; }

std::string_view word(Result::Outcome outcome) { return words[static_cast<std::size_t>(outcome)]; }

ResultsFile::ResultsFile(const std::filesystem::path& path, const std::string& run) : path_(path) {
  std::ifstream in(path);
  std::string line;
  std::string kept = run + "\n";
  if (std::getline(in, line)) {
    if (line != run) throw std::runtime_error(path.string() + " has results of another run: " + line);
    while (std::getline(in, line) && !in.eof()) {
      const nlohmann::json value = nlohmann::json::parse(line, nullptr, false);
      if (value.is_discarded()) throw std::runtime_error(path.string() + " is damaged: " + line);
      const Result result = result_of(value);
      results_[result.number] = result;
      kept += line + "\n";
    }
  }
  in.close();
  std::ofstream out(path, std::ios::binary);
  out << kept;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

void ResultsFile::add(const Result& result) {
  results_[result.number] = result;
  std::ofstream out(path_, std::ios::app | std::ios::binary);
  out << to_json(result).dump() + "\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + path_.string());
}

Table table_of(std::span<const Mutant> mutants, const std::map<int, Result>& results, const Reasons& reasons,
               std::size_t generated) {
  Table table;
  table.date = today();
  table.generated = generated;
  table.all.family = "all";
  std::map<std::string, Table::Family> families;
  for (const Mutant& each : mutants) {
    const auto found = results.find(each.number);
    if (found == results.end()) continue;
    const Result& result = found->second;
    const Reason* const reason = is_left(result) ? reasons.of(each) : nullptr;
    count(families[each.family], result, reason);
    count(table.all, result, reason);
    if (!is_left(result)) continue;
    table.left.push_back({each, std::string(word(result.outcome)), result.by, reason == nullptr ? "" : reason->kind,
                          reason == nullptr ? "" : reason->text});
  }
  for (auto& [name, family] : families) {
    family.family = name;
    table.families.push_back(family);
  }
  return table;
}

nlohmann::json table_document(const Table& table) {
  nlohmann::json families = nlohmann::json::array();
  for (const Table::Family& each : table.families) families.push_back(to_json(each));
  nlohmann::json left = nlohmann::json::array();
  for (const Table::Left& each : table.left) left.push_back(to_json(each));
  return {{"date", table.date},
          {"generated", table.generated},
          {"families", std::move(families)},
          {"all", to_json(table.all)},
          {"left", std::move(left)}};
}

std::string table_markdown(const Table& table) {
  std::string text =
      "| family | mutants | killed | of these by unit tests or assertions | proved equivalent | survived | not reached "
      "| of these a device's | argued | "
      "killed / (all − proved − device's) | killed / (all − proved − device's − argued) |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  const auto row = [&](const Table::Family& each) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1f} % | {:.1f} % |\n", each.family,
                        each.mutants, each.killed, each.by_tests, each.equivalent, each.survived, each.not_reached,
                        each.device, each.argued, 100 * each.share(), 100 * each.share_beside_argued());
  };
  for (const Table::Family& each : table.families) row(each);
  row(table.all);
  text +=
      "\n| left | place | mistake | was | becomes | asked | kind | reason |\n| --- | --- | --- | --- | --- | --- | --- "
      "| --- |\n";
  for (const Table::Left& each : table.left) {
    const Mutant& mutant = each.mutant;
    text +=
        fmt::format("| {} | {}:{}:{} | {} | `{}` | `{}` | {} | {} | {} |\n", mutant.number, mutant.file,
                    mutant.place.line, mutant.place.column, cell(mutant.operation), cell(mutant.was),
                    cell(mutant.becomes), each.asked.empty() ? each.outcome : each.asked, each.kind, cell(each.reason));
  }
  return text;
}

}  // namespace mutate
