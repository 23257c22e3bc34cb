#pragma once
// Pictures of a family: its operations in one picture. Used by the sources of this folder only.

#include <string>
#include <vector>

#include "assay/report/overview.hpp"
#include "assay/report/plots.hpp"

namespace assay::report {

/// Error/bound of one claim against one feature: a line for each operation, no more lines than there are colors.
struct Figure {
  std::string claim;
  FeatureInfo feature;
  std::vector<std::string> names;           ///< of the lines
  std::vector<std::vector<double>> curves;  ///< the bins of each line; negative where one is empty
  std::size_t part = 0;                     ///< from 1 if the lines need several pictures, else 0
};

/// The figures of a family in the order of its claims.
std::vector<Figure> figures_of(const Overview& overview);

/// `with_names`: the picture has its own key.
Plot plot_of(const Figure& figure, bool with_names);

}  // namespace assay::report
