// Results of vectors that are judged where these lie, in the memory of the host.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "assay/judge/on_device.hpp"
#include "assay/store/json.hpp"
#include "properties/framework/in_place.hpp"

namespace assay::judge {
namespace {

oracle::Strided strided(const assay_tensor& vector) {
  const auto width = static_cast<std::ptrdiff_t>(vector.bits / 8);
  return {static_cast<const std::byte*>(vector.data), layout_of(vector).strides[0] * width};
}

/// Whether these are vectors of one length, a result of the operation's shape, and the types of the judge: the others
/// are refused with a reason as a case.
bool fits(const assay_judge& judge, const Record& prototype, bool gives_vector, std::span<const assay_tensor> vectors,
          const assay_tensor& result) {
  const auto is_vector = [&](const assay_tensor& each) {
    return each.ndim == 1 && each.shape[0] == vectors[0].shape[0];
  };
  const oracle::Format& format = std::get<Words>(field(prototype, "x").value).format;
  const auto has_type = [&](const assay_tensor& each) { return has_format(each, format); };
  return (gives_vector ? is_vector(result) : result.ndim == 0) && !judge.kernel->integers() &&
         std::ranges::all_of(vectors, is_vector) && std::ranges::all_of(vectors, has_type) && has_type(result);
}

/// The answer in the form of the interface.
assay_verdict in_words(assay_judge& judge, const Contract& contract, const ToldInPlace& told, std::size_t components) {
  const ClaimInfo& info = judge.info().claims[judge.claim(told.claim)];
  judge.in_place.exact = told.exact;
  judge.in_place.preconditions = told.preconditions;
  ClaimOutcome outcome;
  outcome.applies = told.applies;
  outcome.judgement = told.judgement;
  assay_verdict verdict{};
  verdict.contract = contract.id.c_str();
  verdict.verdict = verdict_of(outcome);
  verdict.ratio = told.judgement.tightness;
  verdict.exact = judge.in_place.exact.c_str();
  verdict.got = judge.in_place.got.c_str();
  verdict.ulps = told.ulps.value_or(std::numeric_limits<double>::quiet_NaN());
  verdict.component = told.judgement.component;
  verdict.components = components;
  verdict.statement = info.statement.c_str();
  verdict.source = info.source.c_str();
  verdict.preconditions = judge.in_place.preconditions.c_str();
  verdict.bound = told.bound;
  verdict.judged = told.applies ? told.judgement.judged : 0;
  verdict.violated = told.applies ? told.judgement.violations() : 0;
  verdict.derivation = "";
  return verdict;
}

}  // namespace

std::optional<assay_verdict> judged_in_place(assay_judge& judge, const Contract& contract,
                                             std::span<const assay_tensor> arguments, const assay_tensor& result,
                                             std::size_t whole) {
  const InPlace* const way = judge.formula ? nullptr : in_place(judge.operation.name);
  if (way == nullptr || arguments.size() != way->arrays) return std::nullopt;
  const Record prototype = prototype_of(judge);
  if (!fits(judge, prototype, way->is_vector, arguments, result)) return std::nullopt;
  std::vector<oracle::Strided> vectors;
  for (const assay_tensor& each : arguments) vectors.push_back(strided(each));
  const oracle::Format& format = std::get<Words>(field(prototype, "x").value).format;
  const oracle::Strided got =
      way->is_vector ? strided(result) : oracle::Strided{static_cast<const std::byte*>(result.data), 0};
  const auto n = static_cast<std::size_t>(arguments[0].shape[0]);
  const auto told = way->judge(contract_today(contract.id), judge.question.format, vectors, n, whole, got);
  if (!told) return std::nullopt;
  const std::uint64_t worst = oracle::bits_at(got, told->judgement.component, format);
  judge.in_place.got = store::hex_words({format, Words::Shape::scalar, {worst}}).front();
  return in_words(judge, contract, *told, way->is_vector ? static_cast<std::size_t>(result.shape[0]) : 1);
}

std::optional<assay_verdict> judged_as_dot(assay_judge& judge, const Contract& contract, std::size_t n,
                                           const std::byte* x, const std::byte* y, const std::byte* got) {
  const oracle::Format& format = std::get<Words>(field(prototype_of(judge), "x").value).format;
  const auto width = static_cast<std::ptrdiff_t>(format.width() / 8);
  const std::array vectors{oracle::Strided{x, width}, oracle::Strided{y, width}};
  const oracle::Strided number{got, 0};
  const auto told = in_place("dot")->judge(contract_today(contract.id), judge.question.format, vectors, n, n, number);
  if (!told) return std::nullopt;
  judge.in_place.got = store::hex_words({format, Words::Shape::scalar, {oracle::bits_at(number, 0, format)}}).front();
  return in_words(judge, contract, *told, 1);
}

}  // namespace assay::judge

assay_status assay_judge_in_place(assay_judge* judge, const assay_tensor* arguments, size_t count,
                                  const assay_tensor* result, const char* contract, assay_verdict* verdict) {
  using namespace assay;
  using namespace assay::judge;
  return guarded([&] {
    require(judge, "judge");
    require(arguments, "arguments");
    require(result, "result");
    require(contract, "contract");
    require(verdict, "verdict");
    judge->claim(contract);
    const Contract& asked = *judge->operation.find(contract);
    const std::vector<assay_tensor> given = taken(arguments, count);
    const assay_tensor got = taken(result, 1).front();
    const std::size_t whole = given.empty() || given[0].ndim == 0 ? 0 : static_cast<std::size_t>(given[0].shape[0]);
    if (const auto told = judged_in_place(*judge, asked, given, got, whole)) return give(*told, verdict);
    std::shared_ptr<assay_case> of = case_of(*judge, prototype_of(*judge), given);
    judge->kernel->answer(of->record, bits_of_result(*of, got));
    const std::array told{verdict};
    judge_case(*of, told, &asked);
    judge->in_place.of = std::move(of);
  });
}
