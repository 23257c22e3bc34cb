#pragma once
// How the HTML report looks. Used by the sources of this folder only.

namespace assay::report::html {

/// The style sheet: paper and ink by day and by night, one column on a phone, folded parts open in print.
extern const char* const style;

/// JavaScript for the page: links open their targets, a box filters, printing opens all.
extern const char* const script;

}  // namespace assay::report::html
