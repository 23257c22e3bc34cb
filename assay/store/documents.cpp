#include "assay/store/documents.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "assay/store/contract_document.hpp"
#include "assay/store/json.hpp"
#include "assay/store/listing_document.hpp"
#include "oracle/decimal.hpp"

namespace assay::store {

namespace {

template <class Enum, std::size_t n>
Enum of_word(const std::array<std::string_view, n>& words, std::string_view text, const char* what) {
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) throw JsonError("\"" + std::string(text) + "\" is no " + what);
  return static_cast<Enum>(found - words.begin());
}

constexpr std::array<std::string_view, 11> finding_words{"holds",       "violated", "undecided", "refuted as expected",
                                                         "not refuted", "crashed",  "hung",      "out of memory",
                                                         "flaky",       "broken",   "not run"};
constexpr std::array<std::string_view, 3> why_words{"violated", "hardest", "seed"};
constexpr std::array<std::string_view, 3> verdict_words{"holds", "violated", "undecided"};

}  // namespace

Json BitsInDigits::write(std::uint64_t bits) { return hex16(bits); }
void BitsInDigits::read(const Json& value, const Place& place, std::uint64_t& into) {
  std::string text;
  Codec<std::string>::read(value, place, text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into, 16);
  if (text.size() != 16 || error != std::errc{} || end != text.data() + text.size() || hex16(into) != text) {
    place.wrong("16 hexadecimal digits");
  }
}

Json tally_to_json(const Tally& tally) { return to_json(tally); }
Tally tally_from_json(const Json& value) { return read_json<Tally>(value); }

Json info_to_json(const PropertyInfo& info) { return to_json(info); }

Json case_to_json(const CaseFile& file) { return to_json(file); }
CaseFile case_from_json(const Json& value) {
  CaseFile usual;
  usual.executor = "host";
  usual.expected = "holds";
  return read_json<CaseFile>(value, std::move(usual));
}

Json property_summary_to_json(const PropertySummary& property) { return to_json(property); }
PropertySummary property_summary_from_json(const Json& value) { return read_json<PropertySummary>(value); }

Json mutant_to_json(const Summary::MutantRow& row) { return to_json(row); }
Summary::MutantRow mutant_from_json(const Json& value) { return read_json<Summary::MutantRow>(value); }

std::string_view word(Finding finding) { return finding_words.at(static_cast<std::size_t>(finding)); }
Finding finding_of_word(std::string_view text) { return of_word<Finding>(finding_words, text, "verdict"); }
std::string_view word(Why why) { return why_words.at(static_cast<std::size_t>(why)); }
Why why_of_word(std::string_view text) { return of_word<Why>(why_words, text, "reason to keep a case"); }
std::string_view word(Verdict verdict) { return verdict_words.at(static_cast<std::size_t>(verdict)); }

std::span<const std::string_view> words_of(Finding) { return finding_words; }
std::span<const std::string_view> words_of(Why) { return why_words; }

Json list_document(const Listing& listing) { return to_json(listing); }
Json contracts_document(const ContractListing& listing) { return to_json(listing); }

Json eval_document(const std::string& property, const CaseFile& file, std::span<const Evaluated> results) {
  Evaluation evaluation{property, file, {}};
  for (const Evaluated& each : results) {
    Evaluation::Result& result = evaluation.results.emplace_back();
    result.executor = each.executor;
    result.format = oracle::name(each.words.format);
    result.words = hex_words(each.words);
    const auto digits = static_cast<std::size_t>((each.words.format.width() + 3) / 4);
    for (const std::uint64_t bits : each.words.bits) {
      result.bits.push_back("0x" + hex16(bits).substr(16 - digits));
      result.decimals.push_back(oracle::shortest_decimal(each.words.format, bits));
    }
  }
  return to_json(evaluation);
}

}  // namespace assay::store
