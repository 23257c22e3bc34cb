// The functions of assay/judge.h about the operation of a judge, and about the tolerances of formulas.

#include <nlohmann/json.hpp>
#include <thread>

#include "assay/judge.h"
#include "assay/judge/objects.hpp"
#include "assay/store/json.hpp"
#include "properties/formulas/entries.hpp"

using assay::judge::give;
using assay::judge::guarded;
using assay::judge::require;

const char* assay_judge_operation_json(const assay_judge* judge) {
  const char* text = nullptr;
  guarded([&] {
    require(judge, "judge");
    std::string& json = const_cast<assay_judge*>(judge)->operation_json;
    if (json.empty()) {
      json = assay::store::pretty(
          assay::store::contracts_document({{assay::store::described(judge->operation)}}).at("operations").front());
    }
    text = json.c_str();
  });
  return text;
}

const char* assay_judge_formula_json(const assay_judge* judge) {
  if (judge == nullptr || !judge->formula) return nullptr;
  std::string& json = const_cast<assay_judge*>(judge)->formula_json;
  guarded([&] { json = to_json(judge->formula->formula()); });
  return json.c_str();
}

const char* assay_judge_usual_contract(const assay_judge* judge) {
  if (judge == nullptr || !judge->formula) return nullptr;
  std::string& usual = const_cast<assay_judge*>(judge)->usual_contract;
  guarded([&] { usual = judge->formula->usual_contract(judge->question.format); });
  return usual.c_str();
}

assay_status assay_case_typical(assay_judge* judge, assay_case** out) {
  return guarded([&] {
    require(judge, "judge");
    require(out, "out");
    if (!judge->formula) throw std::invalid_argument(judge->operation.name + ": an operation, not a formula");
    const assay::formulas::Typed typed = judge->formula->typed(judge->question.format);
    *out = std::make_unique<assay_case>(
               *judge, assay::formulas::record_of(typed, assay::formulas::typical_case(typed, judge->seed)))
               .release();
  });
}

assay_status assay_case_tolerance(assay_case* a_case, const char* contract, assay_tolerance* out, double* bounds,
                                  size_t count) {
  return guarded([&] {
    require(a_case, "a_case");
    require(contract, "contract");
    const assay_judge& judge = a_case->judge;
    if (!judge.formula) throw std::invalid_argument(judge.operation.name + ": an operation, not a formula");
    judge.claim(contract);
    const std::vector<assay::formulas::Machine> machines = judge.formula->machines(judge.question.format, contract);
    const auto machine = std::ranges::find(machines, contract, &assay::formulas::Machine::name);
    if (machine == machines.end())
      throw std::invalid_argument(std::string(contract) + ": not a machine of the formula");
    const assay::formulas::Threads threads(std::thread::hardware_concurrency());
    const auto place = static_cast<std::size_t>(machine - machines.begin());
    const assay::formulas::Typed typed = judge.formula->typed(judge.question.format);
    const assay::formulas::Truth truth(typed, *assay::formulas::case_of(typed, a_case->record), machines);
    const assay::formulas::Tolerance told = tolerance_of(truth, place, *machine, typed.result);
    if (bounds != nullptr && count != told.bounds.size()) {
      throw std::invalid_argument("count: not that of the result's entries");
    }
    if (bounds != nullptr) std::ranges::copy(told.bounds, bounds);
    a_case->derivation = told.silent == told.bounds.size() ? told.why : truth.derivation(place, told.at);
    const assay::ClaimInfo& info = judge.info().claims[judge.claim(contract)];
    give({.struct_size = 0,
          .entries = told.bounds.size(),
          .silent = told.silent,
          .largest = told.largest,
          .median = told.median,
          .relative = told.relative,
          .blind = told.blind,
          .at = told.at,
          .statement = info.statement.c_str(),
          .source = info.source.c_str(),
          .derivation = a_case->derivation.c_str()},
         out);
  });
}
