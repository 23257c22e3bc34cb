#include "tests/assay/schemas.hpp"

#include "assay/store/bench_document.hpp"
#include "assay/store/contract_document.hpp"
#include "assay/store/digests_document.hpp"
#include "assay/store/entry_document.hpp"
#include "assay/store/explanation_document.hpp"
#include "assay/store/hunt_document.hpp"
#include "assay/store/known_document.hpp"
#include "assay/store/listing_document.hpp"
#include "assay/store/order_documents.hpp"
#include "assay/store/probed_order_document.hpp"
#include "assay/store/probed_units_document.hpp"
#include "assay/store/replayed_document.hpp"
#include "assay/store/summary_document.hpp"
#include "assay/store/tolerances_document.hpp"

namespace assay::store {

std::map<std::string, Json> schemas() {
  return {
      {"bench", schema_of<Bench>("Assay bench", "What `assay bench --json` prints: times against size.")},
      {"contracts", schema_of<ContractListing>("Assay contracts", "What `assay contracts --json` prints.")},
      {"case", schema_of<CaseFile>("Assay case",
                                   "One saved case. Its file is named by the hash of the property's name and the "
                                   "canonical bytes of `case`.")},
      {"digests", schema_of<Digests>("Assay digests", "What `assay check --digests` writes and compares.")},
      {"compare", schema_of<Changes>("Assay compare", "What `assay compare --json` writes.")},
      {"ledger", schema_of<EntryList>("Assay ledger", "What `assay ledger list --json` and `show --json` print.")},
      {"eval", schema_of<Evaluation>("Assay eval",
                                     "What `assay eval` prints: the case and the words of the result on each "
                                     "executor.")},
      {"explain", schema_of<Explanation>("Assay explain", "What `assay explain --json` prints: one case in words.")},
      {"hunt", schema_of<HuntRows>("Assay hunt", "hunt.json, and what `assay hunt --json` prints.")},
      {"known", schema_of<KnownErrors>("Assay known errors", "What `assay report --known` writes.")},
      {"orders", schema_of<KernelTrees>("Assay orders", "orders.json: what `assay probe-order --run` found.")},
      {"probe_device", schema_of<ProbedUnits>("Assay probe-device", "What `assay probe-device --json` prints.")},
      {"probe_order", schema_of<ProbedOrder>("Assay probe-order", "What `assay probe-order --json` prints.")},
      {"replay", schema_of<Replayed>("Assay replay", "What `assay replay --json` prints.")},
      {"tolerance",
       schema_of<Tolerances>("Assay tolerance", "What `assay tolerance --json` prints without --derivation.")},
      {"list", schema_of<Listing>("Assay list", "What `assay list --json` prints.")},
      {"summary", schema_of<SummaryView<const Summary>>(
                      "Assay summary", "summary.json: what a run found, with all that merging needs.")}};
}

}  // namespace assay::store
