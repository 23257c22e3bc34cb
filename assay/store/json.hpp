#pragma once
// JSON values of the framework's types, in one canonical byte form: keys in a fixed order, doubles by std::to_chars
// (the shortest decimal that reads back), floats of cases as hexadecimal strings, integers of cases as decimal strings,
// infinite ratios as "inf". Nothing here depends on the locale.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/store/listing.hpp"
#include "assay/store/summary.hpp"

namespace assay::store {

/// Objects keep the order in which their keys were written.
using Json = nlohmann::ordered_json;

/// A document is not as required: truncated, of another schema, with an unknown or missing field. One line.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The schema number of every document that Assay writes; a document with another number is refused.
inline constexpr int schema_number = 1;

/// The canonical bytes of a value, without white space. Hashes and checksums are computed from these bytes.
std::string compact(const Json& value);
/// The canonical bytes of a value in a file: indented by two, short values on one line, a newline at the end.
std::string pretty(const Json& value);
/// The bytes of an object, compact or pretty, with their checksum (FNV-1a, 64 bits) as its last member. The inverse is
/// empty if any byte differs.
std::string sealed(std::string_view object);
std::optional<std::string> unsealed(std::string_view text);
/// The value of a text, in time linear in its length. Throws JsonError (with the byte's offset) if it is not JSON, an
/// object names a key twice, or values are nested more than 100 deep.
Json parse_json(std::string_view text);

/// The first place where two documents differ, with both values: "seed: 1 there, 2 here". Empty if they are the same.
std::string first_difference(const Json& there, const Json& here);

/// 16 hexadecimal digits.
std::string hex16(std::uint64_t value);

/// A ratio error/bound: a number, or "inf".
Json ratio_to_json(double ratio);
double ratio_from_json(const Json& value);
/// A signed error in ulps: a number, "inf", "-inf", or null if there is none.
Json ulps_to_json(const std::optional<double>& ulps);
std::optional<double> ulps_from_json(const Json& value);

/// The fields by name: a scalar is a string, `fixed` and `list` are arrays of strings; a field whose format is not
/// `format` is {"<its format>": …}.
Json record_to_json(const Record& record, const oracle::Format& format);
/// The inverse, with one exception: an array is read as `list`, because a file does not distinguish `fixed` from
/// `list`. Codecs accept both; with_shapes_of() restores the shape.
Record record_from_json(const Json& value, const oracle::Format& format);
/// `record` with its fields in the order of `prototype` and their shapes taken from it. Fields that only one of the two
/// has keep their form, at the end.
Record with_shapes_of(Record record, const Record& prototype);

/// The numbers as strings: "0x1p+0" for a scalar, an array otherwise.
Json words_to_json(const Words& words);
/// Hexadecimal strings of the numbers in order, as CaseFile::Evidence::got holds them.
std::vector<std::string> hex_words(const Words& words);

/// All counts, histograms and feature bins. The inverse throws JsonError if the value is not a tally.
Json tally_to_json(const Tally& tally);
Tally tally_from_json(const Json& value);

Json info_to_json(const PropertyInfo& info);

/// A saved case without its checksum (case_file.hpp writes and checks it), the first key "schema".
Json case_to_json(const CaseFile& file);
/// Throws JsonError for another schema, an unknown or missing field, or a value that is not a number of the format.
/// Optional: claim, executor, evidence, expected ("holds"), why ("seed"); a checksum is ignored.
CaseFile case_from_json(const Json& value);

/// One property on one executor with its cases inside.
Json property_summary_to_json(const PropertySummary& property);
PropertySummary property_summary_from_json(const Json& value);

/// A row of the table of planted mistakes. The inverse throws JsonError.
Json mutant_to_json(const Summary::MutantRow& row);
Summary::MutantRow mutant_from_json(const Json& value);

/// The words of the contract: "refuted as expected", "not run", …
std::string_view word(Finding finding);
Finding finding_of_word(std::string_view text);
std::string_view word(Why why);
Why why_of_word(std::string_view text);
std::string_view word(Verdict verdict);
/// All words of an enumeration, in its order.
std::span<const std::string_view> words_of(Finding);
std::span<const std::string_view> words_of(Why);

/// The document of `assay list --json` (docs/list.schema.json).
Json list_document(const Listing& listing);

/// The document of `assay contracts --json` (docs/contracts.schema.json).
Json contracts_document(const ContractListing& listing);

/// One result of `assay eval`.
struct Evaluated {
  std::string executor;
  Words words;
};
/// The document of `assay eval` (docs/eval.schema.json): the case and the words of the result on each executor, as
/// hexadecimal floats, bit patterns and shortest decimals.
Json eval_document(const std::string& property, const CaseFile& file, std::span<const Evaluated> results);

}  // namespace assay::store
