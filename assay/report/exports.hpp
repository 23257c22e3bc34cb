#pragma once
// Exports of a run for a paper.

#include <filesystem>
#include <string>
#include <vector>

#include "assay/store/summary.hpp"

namespace assay::report {

/// A LaTeX table (package booktabs): each claim with its statement, cases, error/bound and the keys of its sources.
/// Claims made of every property are left out.
std::string report_latex(const store::Summary& summary);

/// CSV with a head (RFC 4180, lines end with \n): a row for each claim, and a row for each named term of its bound.
std::string report_csv(const store::Summary& summary);

/// The entries of docs/sources.bib for the works that the claims cite.
std::string report_bibtex(const store::Summary& summary);

/// Writes pictures of error/bound against each feature into a folder, each as SVG and PDF: for a claim,
/// `<property>.<claim>.<feature>.<executor>`; for the operations of a family in one picture,
/// `<family>.<claim>.<feature>`. Returns the names of the files; none if nothing was measured against a feature. Throws
/// OutputError; std::runtime_error where gnuplot is missing or fails.
std::vector<std::string> write_plots(const store::Summary& summary, const std::filesystem::path& folder);

}  // namespace assay::report
