#include "tests/mutants/generate/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace assay::mutants {
namespace {

constexpr std::array<std::string_view, 4> words = {"killed", "survived", "not reached", "equivalent"};

nlohmann::json to_json(const Result& result) {
  return {{"number", result.number},    {"outcome", word(result.outcome)}, {"by", result.by},
          {"case", result.case_number}, {"stage", result.stage},           {"seconds", result.seconds}};
}

Result result_of(const nlohmann::json& value) {
  const auto outcome = std::find(words.begin(), words.end(), value.at("outcome").get<std::string>());
  if (outcome == words.end()) throw std::runtime_error("an outcome that is none");
  return {value.at("number"), static_cast<Result::Outcome>(outcome - words.begin()),
          value.at("by"),     value.at("case"),
          value.at("stage"),  value.at("seconds")};
}

/// Text for a cell of a table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

void count(Score& score, Result::Outcome outcome) {
  ++score.mutants;
  ++(outcome == Result::Outcome::killed       ? score.killed
     : outcome == Result::Outcome::equivalent ? score.equivalent
     : outcome == Result::Outcome::survived   ? score.survived
                                              : score.not_reached);
}

bool is_left(const Result& result) {
  return result.outcome == Result::Outcome::survived || result.outcome == Result::Outcome::not_reached;
}

/// f(mutant, result) for every mutant with a result that is neither killed nor proved equivalent.
template <class F>
void for_each_left(std::span<const Mutant> mutants, const std::map<int, Result>& results, const F& f) {
  for (const Mutant& each : mutants) {
    const auto found = results.find(each.number);
    if (found != results.end() && is_left(found->second)) f(each, found->second);
  }
}

}  // namespace

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

double Score::share() const {
  return mutants == equivalent ? 1 : static_cast<double>(killed) / static_cast<double>(mutants - equivalent);
}

std::vector<Score> scores_of(std::span<const Mutant> mutants, const std::map<int, Result>& results) {
  std::map<std::string, Score> families;
  Score all;
  all.family = "all";
  for (const Mutant& each : mutants) {
    const auto found = results.find(each.number);
    if (found == results.end()) continue;
    count(families[each.family], found->second.outcome);
    count(all, found->second.outcome);
  }
  std::vector<Score> scores;
  for (auto& [family, score] : families) {
    score.family = family;
    scores.push_back(score);
  }
  scores.push_back(all);
  return scores;
}

std::string table_markdown(std::span<const Mutant> mutants, const std::map<int, Result>& results) {
  std::string text =
      "| family | mutants | killed | survived | not reached | proved equivalent | killed / (all − equivalent) |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Score& each : scores_of(mutants, results)) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {:.1f} % |\n", each.family, each.mutants, each.killed,
                        each.survived, each.not_reached, each.equivalent, 100 * each.share());
  }
  text += "\n| left | place | mistake | was | becomes | asked |\n| --- | --- | --- | --- | --- | --- |\n";
  for_each_left(mutants, results, [&](const Mutant& mutant, const Result& result) {
    text += fmt::format("| {} | {}:{}:{} | {} | `{}` | `{}` | {} |\n", mutant.number, mutant.file, mutant.place.line,
                        mutant.place.column, cell(mutant.operation), cell(mutant.was), cell(mutant.becomes),
                        result.outcome == Result::Outcome::not_reached ? "not reached" : result.by);
  });
  return text;
}

nlohmann::json table_json(std::span<const Mutant> mutants, const std::map<int, Result>& results) {
  nlohmann::json families = nlohmann::json::array();
  for (const Score& each : scores_of(mutants, results)) {
    families.push_back({{"family", each.family},
                        {"mutants", each.mutants},
                        {"killed", each.killed},
                        {"survived", each.survived},
                        {"not_reached", each.not_reached},
                        {"equivalent", each.equivalent}});
  }
  nlohmann::json left = nlohmann::json::array();
  for_each_left(mutants, results, [&](const Mutant& mutant, const Result& result) {
    left.push_back({{"number", mutant.number},
                    {"file", mutant.file},
                    {"line", mutant.place.line},
                    {"column", mutant.place.column},
                    {"operation", mutant.operation},
                    {"was", mutant.was},
                    {"becomes", mutant.becomes},
                    {"outcome", word(result.outcome)},
                    {"asked", result.by}});
  });
  return {{"families", std::move(families)}, {"left", std::move(left)}};
}

}  // namespace assay::mutants
