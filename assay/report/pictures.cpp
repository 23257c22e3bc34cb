#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "assay/report/exports.hpp"
#include "assay/report/figures.hpp"
#include "assay/report/text.hpp"
#include "assay/store/case_file.hpp"

namespace assay::report {
namespace {

/// A name as a part of a file's name: other characters than letters, digits and dots become one "_".
std::string file_part(std::string_view name) {
  std::string part;
  for (const char c : name) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    if (kept || part.empty() || part.back() != '_') part += kept ? c : '_';
  }
  return part;
}

class Pictures {
 public:
  explicit Pictures(const std::filesystem::path& folder) : folder_(folder) {}

  void add(const std::string& name, const Plot& plot) {
    for (const auto& [picture, suffix] : {std::pair(Picture::svg, ".svg"), std::pair(Picture::pdf, ".pdf")}) {
      const auto bytes = draw_alone(plot, picture);
      if (!bytes) throw std::runtime_error("there are no plots: gnuplot was not found or failed");
      if (bytes->empty()) continue;
      store::write_file_atomically(folder_ / (name + suffix), *bytes);
      files_.push_back(name + suffix);
    }
  }

  /// Operations of a family in one picture.
  void add_family(const Overview& overview, const Figure& figure) {
    add(overview.family + "." + file_part(figure.claim) + "." + file_part(figure.feature.name) +
            (figure.part == 0 ? "" : "." + std::to_string(figure.part)),
        plot_of(figure, true));
  }

  void add_property(const store::PropertySummary& property) {
    for (std::size_t c = 0; c < property.info.claims.size(); ++c) {
      const ClaimTally& tally = property.tally.claims[c];
      if (is_unasked(property.info.claims[c].id) || !has_numeric_tightness(tally)) continue;
      for (std::size_t f = 0; f < tally.features.size(); ++f) {
        const FeatureInfo& feature = property.info.features[f];
        Plot plot{Plot::Kind::feature, feature.name, feature.low, feature.high, {}, {}};
        for (const Worst& bin : tally.features[f]) plot.ratios.push_back(bin.ratio);
        add(property.info.name + "." + file_part(property.info.claims[c].id) + "." + file_part(feature.name) + "." +
                property.executor,
            plot);
      }
    }
  }

  std::vector<std::string> files() { return std::move(files_); }

 private:
  const std::filesystem::path& folder_;
  std::vector<std::string> files_;
};

}  // namespace

std::vector<std::string> write_plots(const store::Summary& summary, const std::filesystem::path& folder) {
  Pictures pictures(folder);
  for (const Overview& overview : overviews(summary)) {
    for (const Figure& figure : figures_of(overview)) {
      if (figure.part != 0 || figure.names.size() > 1) pictures.add_family(overview, figure);
    }
  }
  for (const store::PropertySummary& property : summary.properties) pictures.add_property(property);
  return pictures.files();
}

}  // namespace assay::report
