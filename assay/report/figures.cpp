#include "assay/report/figures.hpp"

#include <algorithm>

namespace assay::report {
namespace {

/// Cuts a figure into parts of equal size, none of which has more lines than there are colors.
void add_parts(const Figure& whole, std::vector<Figure>& figures) {
  const std::size_t lines = whole.names.size();
  const std::size_t parts = (lines + curve_colours - 1) / curve_colours;
  for (std::size_t k = 0; k < parts; ++k) {
    Figure part{whole.claim, whole.feature, {}, {}, parts > 1 ? k + 1 : 0};
    for (std::size_t i = k * lines / parts; i < (k + 1) * lines / parts; ++i) {
      part.names.push_back(whole.names[i]);
      part.curves.push_back(whole.curves[i]);
    }
    figures.push_back(std::move(part));
  }
}

}  // namespace

std::vector<Figure> figures_of(const Overview& overview) {
  std::vector<Figure> wholes;
  for (const OverviewRow& row : overview.rows) {
    if (!row.numeric) continue;
    for (const OverviewCurve& curve : row.curves) {
      if (std::none_of(curve.ratios.begin(), curve.ratios.end(), [](double ratio) { return ratio > 0; })) continue;
      auto at = std::find_if(wholes.begin(), wholes.end(), [&](const Figure& each) {
        return each.claim == row.claim && same_axis(each.feature, curve.feature);
      });
      if (at == wholes.end()) at = wholes.insert(wholes.end(), {row.claim, curve.feature, {}, {}, 0});
      at->names.push_back(row.operation);
      at->curves.push_back(curve.ratios);
    }
  }
  std::vector<Figure> figures;
  for (const Figure& whole : wholes) add_parts(whole, figures);
  return figures;
}

Plot plot_of(const Figure& figure, bool with_names) {
  Plot plot{Plot::Kind::curves, figure.feature.name, figure.feature.low, figure.feature.high, {}, {}, figure.curves};
  if (with_names) plot.titles = figure.names;
  return plot;
}

}  // namespace assay::report
