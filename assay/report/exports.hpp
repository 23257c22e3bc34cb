#pragma once
// What a paper takes from a run.

#include <filesystem>
#include <string>
#include <vector>

#include "assay/store/summary.hpp"

namespace assay::report {

/// A LaTeX table (package booktabs): each claim with its statement, cases, error/bound and the keys of its sources.
/// Claims made of every property are left out.
std::string report_latex(const store::Summary& summary);

/// A row a claim, and one a named term of its bound, with a head (RFC 4180, lines end with \n).
std::string report_csv(const store::Summary& summary);

/// The entries of docs/sources.bib that the sources of the claims name.
std::string report_bibtex(const store::Summary& summary);

/// Writes pictures of error/bound against each feature into a folder, each as SVG and PDF: of a claim,
/// `<property>.<claim>.<feature>.<executor>`; of the operations of a family beside each other,
/// `<family>.<claim>.<feature>`. Returns the names of the files; none where nothing was measured against a feature.
/// Throws OutputError; std::runtime_error where gnuplot is missing or fails.
std::vector<std::string> write_plots(const store::Summary& summary, const std::filesystem::path& folder);

}  // namespace assay::report
