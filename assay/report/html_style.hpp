#pragma once
// How the HTML report looks. For the sources of this folder.

namespace assay::report::html {

/// The style sheet: paper and ink by day and by night, one column on a phone, folded parts open in print.
extern const char* const style;

/// What a reader with JavaScript gets besides: links open what they lead to, a box filters, printing opens all.
extern const char* const script;

}  // namespace assay::report::html
