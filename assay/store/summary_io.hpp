#pragma once
// Writes, reads and merges summary.json.

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "assay/store/case_file.hpp"
#include "assay/store/json.hpp"
#include "assay/store/summary.hpp"

namespace assay::store {

/// The document summary.json (docs/summary.schema.json). It does not contain the inputs of cases: a claim names their
/// files.
Json summary_to_json(const Summary& summary);

/// The bytes of summary.json: the document with its checksum.
std::string summary_bytes(const Summary& summary);

/// The saved cases of a summary, one for each case id, sorted by id: the content of cases/. If several findings keep
/// the same inputs, the file describes the first finding: violated before hardest, then in the order of properties and
/// claims.
std::vector<CaseFile> saved_cases(const Summary& summary);

/// The ids of the property's other claims with the same failing case as claim `c`: they share its file, which names one
/// of them. Empty if claim `c` has no failing case.
std::vector<std::string> claims_of_same_case(const PropertySummary& property, std::size_t c);

/// The summary in `dir`/summary.json, with the cases in `dir`/cases. Throws DamagedFile.
Summary read_summary(const std::filesystem::path& dir);

/// Whether the claim with that id was kept; empty if it was not judged, or not decided.
std::optional<bool> kept(const PropertySummary& property, const std::string& id);

/// The cases without an answer in words: the first, how many, whether the rest did not run; empty for none.
std::string describe(const Stops& stops);

/// One summary of several: shards of one run, runs of other properties or executors. Associative and commutative.
/// Shards merge to the bytes of the unsharded run, unless a subject failed to answer so many cases that the rest did
/// not run. Tallies add; the failing case with the smallest number and the hardest by ratio, then number, stay with
/// their files. Differing provenance is kept side by side, but of differing calls (program_key, options_key, call_key)
/// the first. Throws std::invalid_argument, one line, if seed, tier or the shape of a property differ, or if a property
/// has more cases than its run (the same shard twice).
Summary merge(std::span<const Summary> summaries);

/// Removes the claims that are not to be kept, one word each; an empty list removes all.
void keep_claims(PropertySummary& property, const std::vector<bool>& kept);

/// Sorted as summaries are: properties by name, then executor; mutants by catalog number.
void sort(Summary& summary);

}  // namespace assay::store
