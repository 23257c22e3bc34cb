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
    const auto ask = [&](std::span<const assay::Record> cases) {
      return judge->property->evaluate(assay::Executor::host(), cases);
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
