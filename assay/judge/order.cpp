// The order of a reduction behind the C interface.

#include <nlohmann/json.hpp>

#include "assay/judge/objects.hpp"
#include "assay/orders/document.hpp"
#include "assay/orders/operations.hpp"
#include "assay/orders/picture.hpp"
#include "assay/store/probed_order.hpp"

using assay::judge::guarded;
using assay::judge::require;
using assay::judge::taken;

namespace {

/// How many numbers the result of a case has.
std::size_t results_of(const std::string& operation, const assay::Record& record) {
  const auto side = [&](const char* name) {
    return static_cast<std::size_t>(std::get<std::int64_t>(assay::judge::field(record, name).value));
  };
  if (operation == "matmul") return side("m") * side("n");
  const bool is_array = operation == "cumsum" || operation == "layer_norm";
  return is_array ? std::get<assay::Words>(assay::judge::field(record, "x").value).bits.size() : 1;
}

}  // namespace

assay_status assay_probe_order(assay_judge* judge, const assay_order_options* options, assay_subject subject,
                               void* self, assay_report** out) {
  return guarded([&] {
    require(judge, "judge");
    require(reinterpret_cast<const void*>(subject), "subject");
    require(out, "out");
    const assay_order_options given = taken(options, "options");
    if (judge->formula) throw std::invalid_argument("judge: a formula has no order");
    constexpr std::uint64_t most = std::uint64_t{1} << 24;
    if (given.terms < 2 || given.terms > most) {
      throw std::invalid_argument("terms: an integer from 2 to 2^24 is accepted");
    }
    const std::size_t rows = given.rows == 0 ? 1 : given.rows;
    const std::string& operation = judge->operation.name;
    const std::string& format = judge->question.format;
    // "bf16:f32": results have the format behind the colon.
    const assay::oracle::Format of_result =
        assay::prober::format_of(assay::prober::number_named(format.substr(format.find(':') + 1)));
    const auto ask = [&](std::span<const assay::Record> cases) {
      std::vector<assay::Words> results;
      for (const assay::Record& each : cases) {
        const std::size_t numbers = results_of(operation, each);
        results.push_back(
            {of_result, assay::Words::Shape::list,
             judge->kernel->compute(assay::Executor::host(), std::span(&each, 1), std::span(&numbers, 1), of_result)});
      }
      return results;
    };
    const assay::orders::ReductionOf reduction_of = assay::orders::reduction_of(operation, format, rows, ask);
    judge->kernel->ask(subject, self);
    const assay::orders::Answer answer = assay::orders::probe(reduction_of, given.terms, judge->seed);
    assay::store::ProbedOrder document =
        assay::orders::document_of({operation, judge->question.family, format, given.terms, judge->seed}, answer);
    if (given.other != nullptr) {
      try {
        assay::orders::compare(document, assay::store::probed_order_of_text(given.other));
      } catch (const assay::store::JsonError& error) {
        throw std::invalid_argument(std::string("other: ") + error.what());
      }
    }
    auto report = std::make_unique<assay_report>();
    assay::store::Json told = assay::store::probed_order_document(document);
    told["text"] = assay::orders::text_of(document);
    if (answer.tree) told["svg"] = assay::orders::picture_of(*answer.tree, document.order);
    report->json = assay::store::compact(told);
    *out = report.release();
  });
}
