#pragma once
// Plots as SVG; one run of gnuplot draws all plots of a report.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "properties/framework/tally.hpp"

namespace assay::report {

/// One picture: `histogram` has one bar for each bin of error/bound; `feature` has the largest error/bound in each bin
/// of a feature, with the bound as a line at 1; `curves` is the same for several subjects, curve i in the page's color
/// --s0, --s1 …; `times` has seconds against size, both axes logarithmic, a line for each program.
struct Plot {
  enum class Kind { histogram, feature, curves, times };
  Kind kind = Kind::histogram;
  std::string feature;  ///< the feature's name: the label of the x axis
  double low = 0;       ///< the feature's range
  double high = 0;
  std::vector<std::uint64_t> counts;  ///< histogram: ratio_bins counts
  std::vector<double> ratios;         ///< feature: the largest ratio of each bin; negative if the bin is empty
  std::vector<std::vector<double>> curves = {};  ///< curves: the same for each curve
  std::vector<std::string> titles = {};          ///< curves: their names, if the picture has its own key
  /// times: the points (size, seconds) of each line, positive; by size.
  std::vector<std::vector<std::array<double, 2>>> lines = {};
};

/// Colors of curves; a picture has at most this many curves.
inline constexpr std::size_t curve_colours = 8;

/// The plots as SVG elements for an HTML page, in order, without ids; the page's style sets the width of lines, the
/// size of texts, and the colors --plot, --bound and --s0 …. Empty if gnuplot is missing or fails. The program is
/// ASSAY_GNUPLOT if that is set, else `gnuplot` from the path; it runs under LC_ALL=C and gets only the script.
std::optional<std::vector<std::string>> draw(std::span<const Plot> plots);

enum class Picture { svg, pdf };
/// One plot as a file of its own, in colors for print. Empty if there is nothing to draw; empty if gnuplot is
/// missing or fails. The bytes are the same for the same plot and gnuplot.
std::optional<std::string> draw_alone(const Plot& plot, Picture picture);

}  // namespace assay::report
