#pragma once
// Entries of the ledger, and what changed between two, for people.

#include <string>

#include "assay/store/changes.hpp"
#include "assay/store/entry.hpp"

namespace assay::report {

/// "entry 3: 2026-11-23 10:00, 0.1.0, commit 0123abc, quick tier, seed 1, 1234 claims, 5.1e+04 cases a second".
std::string headline(const store::Entry& entry);

/// The entry with its knobs, properties and claims, a line each.
std::string entry_text(const store::Entry& entry);

/// The changes, by kind, one line each.
std::string changes_text(const store::Changes& changes);

/// The same as one HTML file that needs no network.
std::string changes_html(const store::Changes& changes);

/// A summary in a few lines of HTML: the number of changes of each kind, and the first `most` changes, changes for the
/// worse first.
std::string changes_brief(const store::Changes& changes, std::size_t most);

}  // namespace assay::report
