#include <nlohmann/json.hpp>

#include "assay/process/wire.hpp"
#include "assay/process/worker.hpp"

namespace assay::process {
namespace {

template <class T, class F>
Answer<T> translated(QuestionAsker& asker, const store::Json& question, const F& translate) {
  Answer<store::Json> reply = asker.reply(question);
  if (auto* const stop = std::get_if<Stop>(&reply)) return std::move(*stop);
  return translate(std::get<store::Json>(reply));
}

/// An answer for each of the cases.
template <class T>
Answer<std::vector<T>> answers(QuestionAsker& asker, store::Json question, std::span<const Record> cases) {
  question["cases"] = store::Json::array();
  for (const Record& each : cases) question["cases"].push_back(to_wire(each));
  return translated<std::vector<T>>(asker, question, [](const store::Json& reply) {
    std::vector<T> all;
    for (const store::Json& each : reply) all.push_back(from_wire<T>(each));
    return all;
  });
}

}  // namespace

Answer<Tally> QuestionAsker::run(const CaseRange& range) {
  return translated<Tally>(*this, {{"ask", "run"}, {"range", to_wire(range)}}, store::tally_from_json);
}

Answer<std::vector<CaseOutcome>> QuestionAsker::judge(std::span<const Record> cases, std::optional<std::size_t> claim) {
  store::Json question{{"ask", "judge"}};
  if (claim) question["claim"] = *claim;
  return answers<CaseOutcome>(*this, std::move(question), cases);
}

Answer<std::vector<Words>> QuestionAsker::evaluate(std::span<const Record> cases) {
  return answers<Words>(*this, {{"ask", "evaluate"}}, cases);
}

Answer<ClimbState> QuestionAsker::climb(const ClimbGoal& goal, std::uint64_t until, const ClimbState& state) {
  return translated<ClimbState>(
      *this, {{"ask", "climb"}, {"goal", to_wire(goal)}, {"until", until}, {"state", to_wire(state)}},
      from_wire<ClimbState>);
}

Answer<ProbeTally> QuestionAsker::probe(std::size_t input_class, std::uint64_t first, std::size_t count) {
  return translated<ProbeTally>(*this, {{"ask", "probe"}, {"class", input_class}, {"first", first}, {"count", count}},
                                from_wire<ProbeTally>);
}

}  // namespace assay::process
