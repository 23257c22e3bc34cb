#include "assay/process/wire.hpp"

#include <nlohmann/json.hpp>

namespace assay::process {

std::string line_of(const store::Json& value) { return value.dump() + "\n"; }

store::Json to_wire(const Words& words) {
  return store::Json::array({oracle::name(words.format), static_cast<int>(words.shape), words.bits});
}

Words words_from_wire(const store::Json& value) {
  Words words;
  words.format = oracle::format_named(value.at(0).get<std::string>());
  words.shape = static_cast<Words::Shape>(value.at(1).get<int>());
  words.bits = value.at(2).get<std::vector<std::uint64_t>>();
  return words;
}

store::Json to_wire(const Record& record) {
  store::Json fields = store::Json::array();
  for (const FieldValue& field : record.fields) {
    if (const auto* words = std::get_if<Words>(&field.value)) {
      fields.push_back(store::Json::array({field.name, to_wire(*words)}));
    } else {
      fields.push_back(store::Json::array({field.name, std::get<std::int64_t>(field.value)}));
    }
  }
  return fields;
}

Record record_from_wire(const store::Json& value) {
  Record record;
  for (const store::Json& field : value) {
    FieldValue& out = record.fields.emplace_back();
    out.name = field.at(0).get<std::string>();
    if (field.at(1).is_array()) {
      out.value = words_from_wire(field.at(1));
    } else {
      out.value = field.at(1).get<std::int64_t>();
    }
  }
  return record;
}

store::Json to_wire(const CaseOutcome& outcome) {
  store::Json claims = store::Json::array();
  for (const ClaimOutcome& claim : outcome.claims) {
    claims.push_back(store::Json::array({claim.applies, static_cast<int>(claim.judgement.verdict),
                                         store::ratio_to_json(claim.judgement.tightness), claim.judgement.component,
                                         claim.exact, claim.judgement.further, store::ulps_to_json(claim.ulps)}));
  }
  return store::Json::array({to_wire(outcome.got), std::move(claims), outcome.components});
}

CaseOutcome outcome_from_wire(const store::Json& value) {
  CaseOutcome outcome;
  outcome.got = words_from_wire(value.at(0));
  for (const store::Json& claim : value.at(1)) {
    ClaimOutcome& out = outcome.claims.emplace_back();
    out.applies = claim.at(0).get<bool>();
    out.judgement.verdict = static_cast<Verdict>(claim.at(1).get<int>());
    out.judgement.tightness = store::ratio_from_json(claim.at(2));
    out.judgement.component = claim.at(3).get<std::size_t>();
    out.exact = claim.at(4).get<std::string>();
    out.judgement.further = claim.at(5).get<std::size_t>();
    out.ulps = store::ulps_from_json(claim.at(6));
  }
  outcome.components = value.at(2).get<std::size_t>();
  return outcome;
}

store::Json to_wire(const CaseRange& range) { return store::Json::array({range.first, range.stride, range.count}); }

CaseRange range_from_wire(const store::Json& value) {
  return {value.at(0).get<std::uint64_t>(), value.at(1).get<std::uint64_t>(), value.at(2).get<std::uint64_t>()};
}

}  // namespace assay::process
