#include "assay/report/html_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "assay/report/figures.hpp"
#include "assay/report/plots.hpp"
#include "assay/report/text.hpp"

namespace assay::report::html {
namespace {

/// More pictures of properties than this make a page heavy.
constexpr std::size_t most_plots = 600;

/// The place of a picture, and the text below it.
struct Planned {
  std::size_t round = 0;  ///< its place among those of its property
  Plot plot;
  std::string place;
  std::string caption;
};

/// The legend stands below the picture, as text.
std::string caption_of(const Figure& figure) {
  std::string html = "<b>" + escaped(figure.claim) + "</b>, the bound at 1<br>";
  for (std::size_t i = 0; i < figure.names.size(); ++i) {
    html += "<span><i class=s" + std::to_string(i) + "></i>" + escaped(figure.names[i]) + "</span> ";
  }
  return html;
}

/// Whether an earlier executor of the group has the same picture.
bool drawn_before(const Group& group, std::size_t which, std::size_t c) {
  const ClaimTally& mine = group[which]->tally.claims[c];
  return std::any_of(
      group.begin(), group.begin() + static_cast<std::ptrdiff_t>(which), [&](const store::PropertySummary* earlier) {
        return c < earlier->tally.claims.size() && earlier->tally.claims[c].histogram == mine.histogram &&
               earlier->tally.claims[c].features == mine.features;
      });
}

void plan_property(const std::string& name, const Group& group, std::vector<Planned>& planned) {
  std::size_t round = 0;
  for (std::size_t which = 0; which < group.size(); ++which) {
    const store::PropertySummary& property = *group[which];
    for (std::size_t c = 0; c < property.tally.claims.size(); ++c) {
      const ClaimTally& tally = property.tally.claims[c];
      if (!has_numeric_tightness(tally) || drawn_before(group, which, c)) continue;
      const std::string of = escaped(property.info.claims[c].id + " on " + property.executor);
      planned.push_back({round++,
                         {Plot::Kind::histogram, "", 0, 0, {tally.histogram.begin(), tally.histogram.end()}, {}},
                         name,
                         of + ": distribution of error/bound"});
      for (std::size_t f = 0; f < tally.features.size(); ++f) {
        const FeatureInfo& feature = property.info.features[f];
        Plot plot{Plot::Kind::feature, feature.name, feature.low, feature.high, {}, {}};
        for (const Worst& bin : tally.features[f]) plot.ratios.push_back(bin.ratio);
        planned.push_back({round++, std::move(plot), name,
                           of + ": error/bound against " + escaped(feature.name) + ", the bound at 1"});
      }
    }
  }
}

/// The counts as bars, the largest as high as the picture.
std::string bars(const std::array<std::uint64_t, ulp_bins>& counts) {
  constexpr double height = 20;
  const auto largest = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
  std::string path = "M0 20";
  for (const std::uint64_t count : counts) {
    const double top = std::round(height * (1 - static_cast<double>(count) / largest));
    // Every bin that is not empty is visible, even one case of a thousand.
    const int y = count == 0 ? 20 : std::min(static_cast<int>(top), 19);
    path += "V" + std::to_string(y) + "h4";
  }
  return "<svg viewBox=\"0 0 100 20\" preserveAspectRatio=none role=img><path d=\"" + path + "V20\"/></svg>";
}

}  // namespace

Figures figures_html(const std::vector<Overview>& families, const std::map<std::string, Group>& groups, Detail detail) {
  std::vector<Planned> planned;
  for (const Overview& overview : families) {
    for (const Figure& figure : figures_of(overview)) {
      planned.push_back({0, plot_of(figure, false), overview.family, caption_of(figure)});
    }
  }
  const std::size_t of_families = planned.size();
  if (detail == Detail::full) {
    for (const auto& [name, group] : groups) plan_property(name, group, planned);
  }
  // The first picture of every property comes before any second picture.
  std::stable_sort(planned.begin() + static_cast<std::ptrdiff_t>(of_families), planned.end(),
                   [](const Planned& a, const Planned& b) { return a.round < b.round; });
  Figures figures;
  const std::size_t kept = std::min(planned.size(), of_families + most_plots);
  figures.left_out = planned.size() - kept;
  planned.resize(kept);
  std::vector<Plot> plots;
  for (const Planned& each : planned) plots.push_back(each.plot);
  const auto drawn = draw(plots);
  figures.drawn = drawn.has_value();
  for (std::size_t i = 0; drawn && i < drawn->size(); ++i) {
    if ((*drawn)[i].empty()) continue;
    (i < of_families ? figures.of_family : figures.of_property)[planned[i].place] +=
        "<figure>" + (*drawn)[i] + "<figcaption>" + planned[i].caption + "</figcaption></figure>\n";
  }
  return figures;
}

std::string signed_errors_html(const Overview& overview, const std::map<std::string, Group>& groups) {
  std::map<std::string, std::set<std::string>> properties;
  for (const OverviewRow& row : overview.rows) {
    for (const auto& [place, cell] : row.cells) properties[row.operation].insert(cell.property);
  }
  std::string figures;
  std::string without;
  for (const auto& [operation, names] : properties) {
    std::array<std::uint64_t, ulp_bins> counts{};
    for (const std::string& name : names) {
      for (const store::PropertySummary* property : groups.at(name)) {
        for (std::size_t bin = 0; bin < ulp_bins; ++bin) counts[bin] += property->tally.errors[bin];
      }
    }
    const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    if (all == 0) continue;
    if (all == counts[ulp_bins / 2]) {
      without += (without.empty() ? "" : ", ") + escaped(operation);
      continue;
    }
    figures += "<figure>" + bars(counts) + "<figcaption><b>" + escaped(operation) + "</b> " + grouped(all) +
               " cases</figcaption></figure>\n";
  }
  if (figures.empty() && without.empty()) return "";
  std::string html = "<h4>Signed errors in ulps <small>of a number with all bits of the result</small></h4>\n";
  if (!figures.empty()) {
    html +=
        "<p class=\"soft small\">The middle is error 0. The shaded part covers −1 to 1 ulp in eighths of an ulp; the "
        "outer bars reach to 2, 4, 8 and more ulps.</p>\n<div class=\"figures u\">\n" +
        figures + "</div>\n";
  }
  return html + (without.empty() ? "" : "<p class=small>No error in any case: " + without + ".</p>\n");
}

}  // namespace assay::report::html
