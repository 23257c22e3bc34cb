// The functions of assay/judge.h except those for checks.

#include "assay/judge.h"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "assay/campaign/campaign.hpp"
#include "assay/campaign/match.hpp"
#include "assay/campaign/shrink.hpp"
#include "assay/judge/objects.hpp"
#include "assay/store/corpus.hpp"
#include "assay/store/json.hpp"
#include "enclosures/driver.hpp"
#include "properties/framework/any_size.hpp"

using assay::judge::give;
using assay::judge::guarded;
using assay::judge::require;
using assay::judge::result_of;
using assay::judge::taken;

namespace {

thread_local std::string last_error;

/// Inputs that need more memory than there is.
class TooLarge : public std::bad_alloc {
 public:
  explicit TooLarge(std::string what) : what_(std::move(what)) {}
  [[nodiscard]] const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

/// The case, after a check of its fields and its domain.
std::unique_ptr<assay_case> admitted(assay_judge& judge, assay::Record record) {
  if (!judge.property->fits(record))
    throw std::invalid_argument("the inputs are not a case of " + judge.operation.name);
  if (!judge.property->contains(record)) {
    throw assay::judge::OutsideDomain("the inputs are outside the domain of " + judge.info().name + ", which accepts " +
                                      judge.info().accepts +
                                      (assay::AnySize::is_asked() ? "; of rows and vectors any number" : ""));
  }
  return std::make_unique<assay_case>(judge, std::move(record));
}

/// Refuses arrays that do not fit into the machine's memory, before anything is copied.
void refuse_too_large(std::span<const assay_tensor> arguments) {
  constexpr double bytes_a_number = 100;  // memory for the array, the case, the kernel, and the exact sums
  double numbers = 0;
  for (const assay_tensor& each : arguments) {
    double all = 1;
    for (const std::int64_t side : assay::judge::shape_of(each)) all *= static_cast<double>(side);
    numbers += all;
  }
  std::ostringstream what;
  what << "the inputs have " << numbers << " numbers";
  assay::judge::refuse_beyond_memory(what.str(), numbers * bytes_a_number);
}

std::unique_ptr<assay_case> given_to_formula(assay_judge& judge, std::span<const assay_tensor> arguments) {
  refuse_too_large(arguments);
  assay::Record record = judge.formula->record_of(judge.question.format, arguments);
  const assay::AnySize any;
  return admitted(judge, std::move(record));
}

assay::Batch& truth_of(assay_case& of) {
  if (!of.truth) {
    std::unique_ptr<assay::Batch> batch = of.judge.batch();
    batch->add(of.record);
    batch->refer(0);
    of.truth_texts.resize(result_of(of).memory.size() * 8 / static_cast<std::size_t>(of.result->format.width()));
    of.truth = std::move(batch);
  }
  return *of.truth;
}

/// The caller's verdicts, whose struct may be shorter than the library's.
std::vector<assay_verdict*> taken_verdicts(assay_verdict* verdicts, std::size_t count) {
  if (count != 0) require(verdicts, "verdicts");
  std::vector<assay_verdict*> all;
  auto* at = reinterpret_cast<std::byte*>(verdicts);
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(reinterpret_cast<assay_verdict*>(at));
    at += all.back()->struct_size;
  }
  return all;
}

/// A contract of the case's operation and format.
const assay::Contract& contract_of(const assay_case& of, const char* contract) {
  require(contract, "contract");
  of.judge.claim(contract);
  return *of.judge.operation.find(contract);
}

}  // namespace

namespace assay::judge {

assay_status guarded(const std::function<void()>& f) noexcept {
  try {
    try {
      f();
      return ASSAY_OK;
    } catch (const std::exception& error) {
      last_error = error.what();
      throw;
    }
  } catch (const OutsideDomain&) {
    return ASSAY_OUTSIDE;
  } catch (const std::invalid_argument&) {
    return ASSAY_INVALID;
  } catch (const formulas::FormulaError&) {
    return ASSAY_INVALID;
  } catch (const enclosures::NoDevice&) {
    return ASSAY_NO_DEVICE;
  } catch (const enclosures::DeviceMemoryFull&) {
    return ASSAY_NO_MEMORY;
  } catch (const SubjectFailed&) {
    return ASSAY_SUBJECT_FAILED;
  } catch (const store::OutputError&) {
    return ASSAY_NOT_WRITTEN;
  } catch (const store::DamagedFile&) {
    return ASSAY_DAMAGED;
  } catch (const std::bad_alloc&) {
    return ASSAY_NO_MEMORY;
  } catch (...) {
    return ASSAY_INTERNAL;
  }
}

void refuse_beyond_memory(const std::string& what, double bytes) {
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (bytes <= memory) return;
  std::ostringstream text;
  text << what << ", which need about " << bytes / 0x1p30 << " GiB; this machine has " << std::floor(memory / 0x1p30)
       << " GiB";
  throw TooLarge(text.str());
}

void require(const void* pointer, const char* name) {
  if (pointer == nullptr) throw std::invalid_argument(std::string(name) + ": a null pointer");
}

std::vector<assay_tensor> taken(const assay_tensor* tensors, std::size_t count) {
  std::vector<assay_tensor> all;
  const auto* at = reinterpret_cast<const std::byte*>(tensors);
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const next = reinterpret_cast<const assay_tensor*>(at);
    const assay_tensor& tensor = all.emplace_back(taken(next, "tensor"));
    if (tensor.ndim < 0) throw std::invalid_argument("tensor.ndim: below 0");
    if (tensor.ndim > 0) require(tensor.shape, "tensor.shape");
    bool is_empty = false;
    for (std::int32_t d = 0; d < tensor.ndim; ++d) {
      if (tensor.shape[d] < 0) throw std::invalid_argument("tensor.shape: below 0");
      is_empty = is_empty || tensor.shape[d] == 0;
    }
    if (!is_empty) require(tensor.data, "tensor.data");
    at += tensor.struct_size;
  }
  return all;
}

Record prototype_of(const assay_judge& judge) {
  std::optional<Record> prototype;
  for (std::uint64_t number = 0; !prototype; ++number) prototype = judge.property->make(1, number);
  return *std::move(prototype);
}

std::unique_ptr<assay_judge> opened(const assay_judge_options& given) {
  const std::shared_ptr<const OfFormula> formula = formula_of(given);
  const Operation& operation = formula ? formula->operation() : operation_named(given.operation);
  Question question{given.family == nullptr ? "subject" : given.family,
                    given.format == nullptr ? operation.formats.front() : given.format, given.contract_count == 0};
  if (given.shape != nullptr) question.shapes = given.shape;
  question.promised.assign(given.contracts, given.contracts + given.contract_count);
  if (std::ranges::find(operation.formats, question.format) == operation.formats.end()) {
    throw std::invalid_argument(unknown("format", question.format, operation.formats));
  }
  const auto is_letter = [](char each) {
    return (each >= 'a' && each <= 'z') || each == '_' || (each >= '0' && each <= '9');
  };
  if (question.family.empty() || !std::ranges::all_of(question.family, is_letter)) {
    throw std::invalid_argument("family: a name of letters a to z, digits and _");
  }
  auto kernel = std::make_shared<Kernel>(operation.name, question.format.starts_with("s8"), formula);
  auto property = operation.property(question, {.program = kernel});
  auto judge = std::make_unique<assay_judge>(
      assay_judge{formula, operation, std::move(question), given.seed, {}, std::move(kernel), std::move(property)});
  if (given.contract_count != 0) require(given.contracts, "contracts");
  for (std::size_t i = 0; i < given.contract_count; ++i) {
    require(given.contracts[i], "contracts");
    judge->claim(given.contracts[i]);
    judge->promised.emplace_back(given.contracts[i]);
  }
  return judge;
}

std::unique_ptr<assay_case> case_of(assay_judge& judge, const Record& prototype,
                                    std::span<const assay_tensor> arguments) {
  refuse_too_large(arguments);
  const AnySize any;
  return admitted(judge, record_of(judge.operation.name, prototype, arguments, judge.kernel->integers()));
}

std::unique_ptr<assay_case> case_of(assay_judge& judge, std::span<const assay_tensor> arguments) {
  return judge.formula ? given_to_formula(judge, arguments) : case_of(judge, prototype_of(judge), arguments);
}

int verdict_of(const ClaimOutcome& outcome) {
  constexpr std::array answers{ASSAY_KEPT, ASSAY_BROKEN, ASSAY_UNDECIDED};  // of Verdict, in its order
  return outcome.applies ? answers.at(static_cast<std::size_t>(outcome.judgement.verdict)) : ASSAY_NO_CLAIM;
}

}  // namespace assay::judge

std::optional<std::size_t> assay_judge::claim_in_format(const assay::Contract& contract) const {
  return contract.is_of(question.format) ? std::optional(claim(contract.id)) : std::nullopt;
}

std::size_t assay_judge::claim(const std::string& contract) const {
  const auto& claims = info().claims;
  const auto at = std::ranges::find(claims, assay::contract_today(contract), &assay::ClaimInfo::id);
  if (at != claims.end()) return static_cast<std::size_t>(at - claims.begin());
  std::vector<std::string> known;
  known.reserve(operation.contracts.size());
  for (const assay::Contract& each : operation.contracts) {
    if (each.is_of(question.format)) known.push_back(each.id);
  }
  throw std::invalid_argument(assay::judge::unknown("contract", contract, known));
}

assay_case::assay_case(assay_judge& of, assay::Record inputs) : judge(of), record(std::move(inputs)) {}

const std::string& assay_case::id() const {
  std::call_once(id_is_known_, [&] { id_ = assay::store::case_id(file("")); });
  return id_;
}

const std::string& assay_case::text() const {
  std::call_once(text_is_known_, [&] { text_ = assay::store::describe(record); });
  return text_;
}

std::vector<assay::judge::Array>& assay_case::arguments() const {
  std::call_once(arguments_are_known_, [&] { arguments_ = judge.kernel->arguments(record); });
  return arguments_;
}

assay::store::CaseFile assay_case::file(const std::string& contract) const {
  assay::store::CaseFile file;
  file.property = judge.info().name;
  file.claim = contract;
  file.executor = "host";
  file.format = judge.info().format;
  file.inputs = record;
  file.expected = "holds";
  file.why = contract.empty() ? assay::store::Why::seed : assay::store::Why::violated;
  for (std::size_t i = 0; outcome && i < judge.operation.contracts.size(); ++i) {
    if (judge.operation.contracts[i].id == contract) file.evidence = assay::campaign::evidence_of(*outcome, i);
  }
  return file;
}

uint32_t assay_judge_abi(void) { return ASSAY_JUDGE_ABI; }
const char* assay_judge_version(void) { return ASSAY_VERSION; }
const char* assay_last_error(void) { return last_error.c_str(); }
void assay_subject_error(const char* reason) { assay::judge::set_subject_error(reason == nullptr ? "" : reason); }

assay_status assay_judge_open(const assay_judge_options* options, assay_judge** out) {
  return guarded([&] {
    require(out, "out");
    *out = assay::judge::opened(taken(options, "options")).release();
  });
}

void assay_judge_close(assay_judge* judge) { delete judge; }
uint64_t assay_judge_quick_cases(const assay_judge* judge) { return judge == nullptr ? 0 : judge->quick_cases(); }
const char* assay_judge_accepts(const assay_judge* judge) {
  return judge == nullptr ? nullptr : judge->info().accepts.c_str();
}

assay_status assay_case_draw(assay_judge* judge, uint64_t number, assay_case** out) {
  return guarded([&] {
    require(judge, "judge");
    require(out, "out");
    std::optional<assay::Record> record = judge->property->make(judge->seed, number);
    if (!record) throw std::invalid_argument("number: the enumeration has no such case");
    *out = std::make_unique<assay_case>(*judge, std::move(*record)).release();
  });
}

assay_status assay_case_given(assay_judge* judge, const assay_tensor* arguments, size_t count, assay_case** out) {
  return guarded([&] {
    require(judge, "judge");
    require(out, "out");
    if (count != 0) require(arguments, "arguments");
    *out = assay::judge::case_of(*judge, taken(arguments, count)).release();
  });
}

assay_status assay_case_read(assay_judge* judge, const char* path, assay_case** out) {
  return guarded([&] {
    require(judge, "judge");
    require(path, "path");
    require(out, "out");
    assay::store::CaseFile file = assay::store::read_case(path);
    const auto kernel_of = [](const std::string& property) { return property.substr(property.find('.') + 1); };
    if (kernel_of(file.property) != kernel_of(judge->info().name)) {
      throw std::invalid_argument(std::string(path) + ": a case of " + file.property + ", not of " +
                                  judge->info().name);
    }
    const assay::AnySize any;
    *out = admitted(*judge, assay::store::fitted(std::move(file), *judge->property).inputs).release();
  });
}

void assay_case_close(assay_case* a_case) { delete a_case; }

const char* assay_case_id(const assay_case* a_case) { return a_case == nullptr ? nullptr : a_case->id().c_str(); }
const char* assay_case_text(const assay_case* a_case) { return a_case == nullptr ? nullptr : a_case->text().c_str(); }
size_t assay_case_argument_count(const assay_case* a_case) {
  return a_case == nullptr ? 0 : a_case->arguments().size();
}

assay_status assay_case_argument(const assay_case* a_case, size_t i, assay_tensor* out) {
  return guarded([&] {
    require(a_case, "a_case");
    if (i >= a_case->arguments().size()) throw std::invalid_argument("i: the case has fewer arguments");
    give(a_case->arguments()[i].view(), out);
  });
}

assay_status assay_case_result(const assay_case* a_case, assay_tensor* out) {
  return guarded([&] {
    require(a_case, "a_case");
    assay_tensor view = result_of(*const_cast<assay_case*>(a_case)).view();
    view.data = nullptr;
    give(view, out);
  });
}

size_t assay_case_truth_count(assay_case* a_case) {
  size_t count = 0;
  guarded([&] {
    require(a_case, "a_case");
    truth_of(*a_case);
    count = a_case->truth_texts.size();
  });
  return count;
}

const char* assay_case_truth(assay_case* a_case, size_t i) {
  const char* text = nullptr;
  guarded([&] {
    require(a_case, "a_case");
    const assay::Batch& truth = truth_of(*a_case);
    if (i >= a_case->truth_texts.size()) throw std::invalid_argument("i: the result has fewer numbers");
    a_case->truth_texts[i] = truth.exact(i);
    text = a_case->truth_texts[i].c_str();
  });
  return text;
}

assay_status assay_case_write(assay_case* a_case, const char* contract, const char* corpus, const char** path) {
  return guarded([&] {
    require(a_case, "a_case");
    require(corpus, "corpus");
    if (contract != nullptr) a_case->judge.claim(contract);
    const assay::store::CaseFile file = a_case->file(contract == nullptr ? "" : contract);
    assay::store::Corpus(corpus).add(file);
    a_case->path = (std::filesystem::path(corpus) / file.property / (a_case->id() + ".json")).string();
    if (path != nullptr) *path = a_case->path.c_str();
  });
}

assay_status assay_case_judge(assay_case* a_case, const assay_tensor* result, assay_verdict* verdicts, size_t count) {
  return guarded([&] {
    require(a_case, "a_case");
    a_case->judge.kernel->answer(a_case->record, assay::judge::bits_of_result(*a_case, taken(result, 1).front()));
    assay::judge::judge_case(*a_case, taken_verdicts(verdicts, count));
  });
}

assay_status assay_case_judge_contract(assay_case* a_case, const assay_tensor* result, const char* contract,
                                       assay_verdict* verdict) {
  return guarded([&] {
    require(a_case, "a_case");
    const assay::Contract& of = contract_of(*a_case, contract);
    a_case->judge.kernel->answer(a_case->record, assay::judge::bits_of_result(*a_case, taken(result, 1).front()));
    assay::judge::judge_case(*a_case, taken_verdicts(verdict, 1), &of);
  });
}

assay_status assay_case_bounds(assay_case* a_case, const char* contract, double* bounds, size_t count) {
  return guarded([&] {
    require(a_case, "a_case");
    const assay::Contract& of = contract_of(*a_case, contract);
    if (count != 0) require(bounds, "bounds");
    assay::judge::bounds_of(*a_case, of, {bounds, count});
  });
}

assay_status assay_case_ask(assay_case* a_case, assay_subject subject, void* self, assay_verdict* verdicts,
                            size_t count) {
  return guarded([&] {
    require(a_case, "a_case");
    require(reinterpret_cast<const void*>(subject), "subject");
    a_case->judge.kernel->ask(subject, self);
    assay::judge::judge_case(*a_case, taken_verdicts(verdicts, count));
  });
}

assay_status assay_case_shrink(assay_case* a_case, const char* contract, assay_subject subject, void* self,
                               uint64_t steps, assay_case** out) {
  return guarded([&] {
    require(a_case, "a_case");
    require(contract, "contract");
    require(reinterpret_cast<const void*>(subject), "subject");
    require(out, "out");
    assay_judge& judge = a_case->judge;
    const std::size_t claim = judge.claim(contract);
    judge.kernel->ask(subject, self);
    const std::vector<assay::CaseOutcome> outcomes =
        judge.property->judge(assay::Executor::host(), std::span(&a_case->record, 1));
    const std::optional<assay::campaign::FailureKind> failure = assay::campaign::failure_of(outcomes.front(), claim);
    if (!failure) throw std::invalid_argument("the case does not break " + std::string(contract));
    const std::unique_ptr<assay::process::Asker> asker =
        assay::process::ask_in_process(*judge.property, "host", judge.seed);
    *out = std::make_unique<assay_case>(
               judge, assay::campaign::shrink_case(*judge.property, *asker, a_case->record, *failure, steps).record)
               .release();
  });
}
