// Writes one file of each schema and the schemas themselves into a folder, for the tests that compare them.

#include <limits>
#include <nlohmann/json.hpp>

#include "assay/report/junit.hpp"
#include "assay/report/known.hpp"
#include "assay/report/outputs.hpp"
#include "assay/store/bench.hpp"
#include "assay/store/changes.hpp"
#include "assay/store/digests.hpp"
#include "assay/store/explanation.hpp"
#include "assay/store/hunt.hpp"
#include "assay/store/kernel_trees.hpp"
#include "assay/store/probed_order.hpp"
#include "assay/store/probed_units.hpp"
#include "assay/store/replayed.hpp"
#include "assay/store/summary_io.hpp"
#include "assay/store/tolerances.hpp"
#include "tests/assay/sample.hpp"
#include "tests/assay/schemas.hpp"

namespace {

/// The sample with markup, and with what XML forbids, in each name and text.
assay::store::Summary summary_of_markup() {
  using namespace assay;
  const std::string markup = "</failure><script x=\"1\">&amp;'\"]]>\x01\x1b";
  // A lone byte, a sequence that ends early, an overlong one, a surrogate, and U+FFFE, which is a character of UTF-8.
  const std::string forbidden = "\xff\xe2\x82\xc0\xaf";
  const std::string text = markup + forbidden + "\xef\xbf\xbe\xef\xbf\xbf";
  store::Summary summary = sample::summary();
  for (store::PropertySummary& property : summary.properties) {
    property.info.name += text;
    property.info.claims[0].id += text;
    property.info.claims[0].statement += text;
    property.info.claims[0].source += text;
    property.note = text;
    if (property.stopped_by) property.stopped_by->property = property.info.name;
    for (store::ClaimFinding& finding : property.findings) {
      if (finding.failure) finding.failure->property = property.info.name;
    }
  }
  return summary;
}

}  // namespace

int main(int count, char** arguments) {
  using namespace assay;
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  const store::KernelTree tree{"op.add", 1000, "fixed", "a chain of 1000 terms", "", 4096, 4096, false};
  store::Summary summary = sample::summary();
  summary.same_on = {{"op.add", "host", "a processor", "host", "another one", 60, 3, 7}};
  summary.orders = {tree};
  report::write_outputs(summary, folder);
  store::write_file_atomically(folder / "junit_of_markup.xml", report::report_junit(summary_of_markup()));

  store::CaseFile file = store::saved_cases(summary).front();
  const Words nan{oracle::binary32, Words::Shape::fixed, {0x7fc00001, 0x80000000, 0x00000001}};
  file.inputs.fields.push_back({"z", nan});
  store::write_file_atomically(folder / "case.json", store::case_bytes(file));
  const store::Listing listing{
      {{"dw.accurate_add",
        "quick",
        "binary64",
        "sampled",
        10000,
        "finite, |x| < 2^1000",
        {"near", "far"},
        {{"error", "|ŝ − s| ≤ 3u²|s|", "Joldes, Muller, Popescu 2017", "dw.accurate_add.1", "", "holds", ""},
         {"sharper", "|ŝ − s| ≤ u²|s|", "false", "dw.accurate_add.2", "", "refuted", "error"}}}},
      {{"dw.accurate_add.1", "p ≥ 3", "|ŝ − s| ≤ 3u²|s|", "Joldes, Muller, Popescu 2017"}}};
  store::write_file_atomically(folder / "list.json", store::pretty(store::list_document(listing)));
  const store::ContractListing contracts{{{"dot",
                                           "Σxᵢyᵢ",
                                           "finite numbers",
                                           {"f64", "f32"},
                                           {{"plain", "T f(size_t n, const T* x, const T* y)"}},
                                           {{"pairwise",
                                             {"dot.tree.1", "(h + 1)u < 1", "|d̂ − d| ≤ γ_{h+1}T", "Higham 2002, §3.1"},
                                             "h = ⌈log₂ n⌉",
                                             {"any_order"},
                                             true}}}}};
  store::write_file_atomically(folder / "contracts.json", store::pretty(store::contracts_document(contracts)));
  const std::vector<store::Evaluated> results{{"host", nan}};
  store::write_file_atomically(folder / "eval.json", store::pretty(store::eval_document(file.property, file, results)));
  const store::Explanation explanation{
      .property = "subject.cumsum.f32",
      .operation = "cumsum",
      .format = "binary32",
      .entry = 1,
      .inputs = {{"x[0]", "0x1p+0", "1"}, {"x[1]", "-inf", "-inf"}},
      .exact = "",
      .steps = {{"s[1]", "x[0] + x[1]", "-inf", "-inf", "", "", "", "", {"overflows"}}},
      .causes = {"special_input"},
      .says = {"x[1] is -∞."},
      .kernel = store::Explanation::Kernel{"host", "nan:0x400000", "nan", "", false},
      .bound = store::Explanation::Bound{"faithful", "a statement", "a source", std::numeric_limits<double>::infinity(),
                                         ""}};
  store::write_file_atomically(folder / "explain.json", store::pretty(store::explanation_document(explanation)));
  const store::Replayed::Claim broken{file.claim, "broken", true, true, file.evidence, "a statement", "a source"};
  const store::Replayed::Claim outside{"faithful", "does not apply", false, false, {}, "a statement", "a source"};
  const store::Replayed replayed{{{file, {{"host", "", {"0x1p+0"}, true, {broken, outside}, {1200, 340}}}},
                                  {file, {{"cuda", "crashed: a signal", {}, {}, {}}}}}};
  store::write_file_atomically(folder / "replay.json", store::pretty(store::replayed_document(replayed)));
  const double infinity = std::numeric_limits<double>::infinity();
  const store::Tolerances tolerances{"softmax",
                                     "f32",
                                     1,
                                     {{"n", 4}},
                                     {{"tree", "words", 1e-7, 1e-8, 1e-6, 2, 4, 0, 1},
                                      {"any_order", "words", infinity, infinity, infinity, 0, 4, 4, 0}}};
  store::write_file_atomically(folder / "tolerance.json", store::pretty(store::tolerances_document(tolerances)));
  store::HuntRow row{.property = file.property,
                     .claim = file.claim,
                     .term = "u|s|",
                     .executor = "host",
                     .ratio = "0.99951171875",
                     .boundary = -60,
                     .evaluations = 1000000,
                     .seconds = 1.5,
                     .hardest = file};
  store::HuntRows hunt{1, true, summary.provenance, {row, row}};
  hunt.rows.back().boundary.reset();
  store::write_file_atomically(folder / "hunt.json", store::sealed(store::pretty(store::hunt_to_json(hunt))));
  const store::Digests digests{{{"subject.sum", "host", "a processor", 1, 0x0123456789abcdef, {1, 2}}}};
  store::write_file_atomically(folder / "digests.json", store::sealed(store::pretty(store::digests_to_json(digests))));
  store::write_file_atomically(folder / "orders.json",
                               store::sealed(store::pretty(store::kernel_trees_to_json({{tree}}))));
  const report::DatedRun dated{&summary, "2026-11-24"};
  store::write_file_atomically(
      folder / "known.json",
      store::pretty(store::known_document(report::known_errors(summary, hunt.rows, std::span(&dated, 1)))));
  store::ProbedUnits::Unit unit{.name = "mma.sync.m16n8k16.f32.f16.f16.f32",
                                .input = "f16",
                                .result = "f32",
                                .products = 16,
                                .takes_c = true,
                                .order = "one step of 16 products, onto c",
                                .step = 16,
                                .rule = "step",
                                .conversion = "none",
                                .fraction_bits = 25,
                                .alignment = "toward_zero",
                                .rounding = "f32_rz",
                                .least_floor = -200,
                                .largest_floor = -48,
                                .keeps_subnormal_elements = true,
                                .nan = "7fffffff",
                                .predicted = 4096,
                                .checked = 4096,
                                .contract = "tensor_core_hopper"};
  store::ProbedUnits probed{.device = "a device", .units = {unit, unit}};
  probed.units.back().example = {{{3, "0x1.8p+0", "-0x1p-24"}}, "0x1p+0", "0x3f800000", "0x3f7fffff"};
  store::write_file_atomically(folder / "probe_device.json", store::pretty(store::probed_units_document(probed)));
  store::ProbedOrder order{.operation = "sum",
                           .subject = "./libmine.so total",
                           .format = "f64",
                           .terms = 3,
                           .verdict = "fixed",
                           .order = "a chain of 3 terms",
                           .family = "chain",
                           .parents = {{3, 3, 4, 4, 4}},
                           .height = 2,
                           .width = 2,
                           .questions = 120,
                           .arithmetic = "every operation rounded once to f64",
                           .predicted = 4095,
                           .checked = 4096,
                           .bound = {{"sum.tree.2", "|ŝ − s| ≤ γ_2·S", 2, 0x1p-52, 0x1p-52}},
                           .compared = {{1, 1, 1, "terms 0 and 1 meet after 2 terms here, and after 3 there"}}};
  order.example = {{{"0x1p+0", ""}, {"0x1p-53", ""}}, "0x3ff0000000000000", "0x3ff0000000000001"};
  store::write_file_atomically(folder / "probe_order.json", store::pretty(store::probed_order_document(order)));
  store::Entry entry = store::entry_of(summary, {});
  entry.id = 1;
  entry.begun = 1'800'000'000;
  entry.cases_per_second = 12345.5;
  const store::BenchPoint point{1024, 3e-6, 2.5e-6, 3, 1.5, 2.25};
  store::Bench bench{1'800'000'000, summary.provenance, {{"sum.exact", {}, "", "host", 2, "here, 4 CPUs", {point}}}};
  bench.curves.push_back(
      {"sum.exact", store::BenchRole::peer, "std::accumulate", "host", 1, "", {{1, 1, 1, 1, {}, {}}}});
  store::write_file_atomically(folder / "bench.json", store::bench_bytes(bench));
  store::add_times(entry, bench);
  store::Entry later = store::entry_of(summary, {});
  bench.curves[0].points[0].least *= 2;
  store::add_times(later, bench);
  later.properties[0].claims[0].tightness *= 2;
  later.properties[0].claims[1].verdict = store::Finding::violated;
  later.properties[1].bits.inputs = 1;
  later.properties.pop_back();
  store::write_file_atomically(folder / "ledger.json", store::pretty(store::ledger_document({entry, later})));
  store::write_file_atomically(folder / "compare.json",
                               store::pretty(store::changes_document(store::changes_between(entry, later))));
  for (const auto& [name, schema] : store::schemas()) {
    store::write_file_atomically(folder / (name + ".schema.json"), schema.dump(2) + "\n");
  }
  return 0;
}
