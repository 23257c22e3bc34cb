#include "assay/report/costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "assay/report/html_parts.hpp"
#include "assay/report/plots.hpp"
#include "assay/report/text.hpp"

namespace assay::report {
namespace {

using store::BenchCurve;
using store::BenchPoint;
using store::BenchRole;

/// "host", "cuda", "host, 4 threads".
std::string place_of(const BenchCurve& curve) {
  return curve.executor + (curve.threads == 1 ? "" : ", " + std::to_string(curve.threads) + " threads");
}

std::string sizes_of(const BenchCurve& curve) {
  const std::string first = std::to_string(curve.points.front().size);
  return curve.points.size() == 1 ? first : first + " … " + std::to_string(curve.points.back().size);
}

std::string growth_text(const BenchCurve& curve) {
  const std::optional<double> power = store::growth(curve);
  if (!power) return "–";
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "n^%.2f", *power);
  return text.data();
}

/// The ratio at the largest size that has one: "2.31", "2.31 at 1024".
std::string last_ratio(const BenchCurve& curve, std::optional<double> BenchPoint::*which) {
  const auto found = std::find_if(curve.points.rbegin(), curve.points.rend(),
                                  [&](const BenchPoint& point) { return (point.*which).has_value(); });
  if (found == curve.points.rend()) return "–";
  const bool is_last = found == curve.points.rbegin();
  return ratio_text(*((*found).*which)) + (is_last ? "" : " at " + std::to_string(found->size));
}

/// The columns of a kernel, as plain text.
std::array<std::string, 7> row_of(const BenchCurve& curve) {
  return {curve.kernel,
          place_of(curve),
          sizes_of(curve),
          seconds_text(curve.points.back().seconds),
          growth_text(curve),
          last_ratio(curve, &BenchPoint::of_peer),
          last_ratio(curve, &BenchPoint::of_limit)};
}

/// The line of a picture: "kernel", "kernel, 4 threads", "std::accumulate", "limit: copy".
std::string title_of(const BenchCurve& curve) {
  const std::string name = curve.role == BenchRole::kernel  ? "this kernel"
                           : curve.role == BenchRole::limit ? "limit: " + curve.name
                                                            : curve.name;
  return name + (curve.threads == 1 ? "" : ", " + std::to_string(curve.threads) + " threads");
}

/// The curves of one picture: of one kernel on one executor, kernels first. Curves beyond the last color are omitted.
using Group = std::vector<const BenchCurve*>;

std::vector<Group> groups_of_curves(const store::Bench& bench) {
  std::vector<Group> groups;
  for (const BenchCurve& curve : bench.curves) {
    const auto same = std::ranges::find_if(groups, [&](const Group& each) { return each.front()->is_beside(curve); });
    (same == groups.end() ? groups.emplace_back() : *same).push_back(&curve);
  }
  for (Group& each : groups) {
    std::ranges::stable_sort(each, {}, [](const BenchCurve* curve) { return curve->role; });
    each.resize(std::min(each.size(), curve_colours));
  }
  return groups;
}

Plot plot_of(const Group& group) {
  Plot plot{.kind = Plot::Kind::times, .feature = "size n", .counts = {}, .ratios = {}};
  for (const BenchCurve* curve : group) {
    auto& line = plot.lines.emplace_back();
    for (const BenchPoint& point : curve->points) line.push_back({static_cast<double>(point.size), point.seconds});
  }
  return plot;
}

std::string caption_of(const Group& group) {
  std::string html = "<b>" + escaped(group.front()->kernel) + "</b> on " + escaped(group.front()->executor) + "<br>";
  for (std::size_t i = 0; i < group.size(); ++i) {
    html += "<span><i class=s" + std::to_string(i) + "></i>" + escaped(title_of(*group[i])) + "</span> ";
  }
  return html;
}

}  // namespace

std::string seconds_text(double seconds) {
  if (!(seconds > 0)) return "–";
  constexpr std::array<std::pair<double, const char*>, 4> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  const auto* unit = std::ranges::find_if(units, [&](const auto& each) { return seconds >= 0.9995 * each.first; });
  if (unit == units.end()) unit = std::prev(unit);
  std::array<char, 48> text;
  const double value = seconds / unit->first;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::snprintf(text.data(), text.size(), "%.*f %s", decimals, value, unit->second);
  return text.data();
}

std::string cost_text(const Cost& cost) {
  if (cost.kernel == 0) return {};
  const auto text = [](std::uint64_t nanoseconds) { return seconds_text(static_cast<double>(nanoseconds) * 1e-9); };
  return "the kernel took " + text(cost.kernel) + ", the judge " + text(cost.judge);
}

std::string costs_text(const store::Bench& bench) {
  std::string text;
  for (const BenchCurve& curve : bench.curves) {
    if (curve.role != BenchRole::kernel) continue;
    const auto [kernel, place, sizes, seconds, power, peer, limit] = row_of(curve);
    text.append(kernel).append(" on ").append(place).append(", n = ").append(sizes).append(": ").append(seconds);
    if (power != "–") text += ", grows as " + power;
    if (peer != "–") text += ", " + peer + " times the fastest peer";
    if (limit != "–") text += ", " + limit + " times the limit";
    text += "\n";
  }
  return text;
}

std::string costs_html(const store::Bench& bench) {
  html::Table table({{"kernel"},
                     {"on"},
                     {"n"},
                     {"time at the largest n", true},
                     {"grows as"},
                     {"/ fastest peer", true},
                     {"/ limit", true}});
  std::vector<std::string> machines;
  for (const BenchCurve& curve : bench.curves) {
    if (std::ranges::find(machines, curve.machine) == machines.end()) machines.push_back(curve.machine);
    if (curve.role != BenchRole::kernel) continue;
    const auto row = row_of(curve);
    std::vector<std::string> cells(row.size());
    std::ranges::transform(row, cells.begin(), [](const std::string& each) { return escaped(each); });
    table.add(cells);
  }
  std::string html =
      "<h2 id=costs>Cost curves</h2>\n<p class=\"soft small\">Times of one call against the size n: medians of the "
      "repetitions. Peers are other implementations that were timed in the same run. The limit is what the machine can "
      "reach, such as the time to copy the same data. The power of n is fitted to the largest sizes.";
  for (const std::string& each : machines) {
    if (!each.empty()) html += " Measured on " + escaped(each) + ".";
  }
  html += "</p>\n" + table.html();
  const std::vector<Group> groups = groups_of_curves(bench);
  std::vector<Plot> plots(groups.size());
  std::ranges::transform(groups, plots.begin(), plot_of);
  const auto drawn = draw(plots);
  if (!drawn) return html + "<p class=\"soft small\">There are no plots: gnuplot was not found or failed.</p>\n";
  html += "<section id=c-costs><div class=figures>\n";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if ((*drawn)[i].empty()) continue;
    html += "<figure>" + (*drawn)[i] + "<figcaption>" + caption_of(groups[i]) + "</figcaption></figure>\n";
  }
  return html + "</div></section>\n";
}

}  // namespace assay::report
