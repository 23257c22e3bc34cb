#include "assay/orders/picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

namespace assay::orders {
namespace {

using Vertex = Tree::Vertex;

constexpr std::size_t most_seen = 64;
constexpr double margin = 24;
constexpr double apart = 22;
constexpr double head = 48;
constexpr double deepest = 640;

struct Place {
  double x = 0;
  double y = 0;
};

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char each : text) {
    safe += each == '<' ? "&lt;" : each == '>' ? "&gt;" : each == '&' ? "&amp;" : std::string(1, each);
  }
  return safe;
}

class Drawing {
 public:
  explicit Drawing(const Tree& tree) : tree_(tree), sizes_(tree.sizes()), opened_(tree.vertices(), false) {
    lowest_.resize(tree.vertices());
    for (std::size_t v = 0; v < tree.vertices(); ++v) {
      lowest_[v] = static_cast<Vertex>(v);
      if (v < tree.terms()) continue;
      for (const Vertex each : tree.parts(v - tree.terms())) lowest_[v] = std::min(lowest_[v], lowest_[each]);
    }
    open();
  }

  std::string run(const std::string& title) {
    const std::size_t levels = place(tree_.root(), 0);
    const double step = levels == 0 ? 0 : std::min(40.0, deepest / static_cast<double>(levels));
    const double width = std::max(2 * margin + apart * static_cast<double>(seen_), 480.0);
    const double height = head + step * static_cast<double>(levels) + 2 * margin + 20;
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" font-family=\"sans-serif\" "
        "font-size=\"10\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"{:.0f}\" y=\"20\" font-size=\"13\">{}</text>\n",
        width, height, escaped(title), margin, escaped(title));
    for (const auto& [vertex, at] : places_) draw(text, vertex, at, step);
    return text + "</svg>\n";
  }

 private:
  /// Opens the largest vertices first.
  void open() {
    std::priority_queue<std::pair<std::uint32_t, Vertex>> closed;
    closed.emplace(sizes_[tree_.root()], tree_.root());
    std::size_t seen = 1;
    while (!closed.empty() && closed.top().first > 1 && seen < most_seen) {
      const Vertex vertex = closed.top().second;
      closed.pop();
      opened_[vertex] = true;
      const auto parts = tree_.parts(vertex - tree_.terms());
      for (const Vertex each : parts) closed.emplace(sizes_[each], each);
      seen += parts.size() - 1;
    }
  }

  std::vector<Vertex> in_order(Vertex vertex) const {
    const auto parts = tree_.parts(vertex - tree_.terms());
    std::vector<Vertex> sorted(parts.begin(), parts.end());
    std::ranges::sort(sorted, {}, [this](Vertex each) { return lowest_[each]; });
    return sorted;
  }

  /// Places a vertex and what is below; returns how many levels that has.
  std::size_t place(Vertex vertex, std::size_t depth) {
    const std::size_t index = places_.size();
    places_.push_back({vertex, {0, static_cast<double>(depth)}});
    if (!opened_[vertex]) {
      places_[index].second.x = margin + apart * (static_cast<double>(seen_++) + 0.5);
      return 0;
    }
    std::size_t levels = 0;
    double sum = 0;
    const std::vector<Vertex> parts = in_order(vertex);
    for (const Vertex each : parts) {
      const std::size_t part = places_.size();
      levels = std::max(levels, place(each, depth + 1) + 1);
      sum += places_[part].second.x;
      lines_.emplace_back(index, part);
    }
    places_[index].second.x = sum / static_cast<double>(parts.size());
    return levels;
  }

  void draw(std::string& text, Vertex vertex, const Place& at, double step) {
    const auto y = [step](const Place& place) { return head + step * place.y; };
    if (vertex == tree_.root()) {
      for (const auto& [from, to] : lines_) {
        const Place& a = places_[from].second;
        const Place& b = places_[to].second;
        text += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#666\"/>\n", a.x,
                            y(a), b.x, y(b));
      }
    }
    if (opened_[vertex]) {
      text += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"#1f5fa8\"/>\n", at.x, y(at));
      return;
    }
    const bool is_term = vertex < tree_.terms();
    if (!is_term) {
      text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\" fill=\"#c86414\"/>\n", at.x - 4,
                          y(at) - 4);
    }
    const std::string label = is_term ? fmt::format("{}", vertex) : fmt::format("{} terms", sizes_[vertex]);
    text +=
        fmt::format("<text transform=\"translate({:.1f},{:.1f}) rotate(60)\">{}</text>\n", at.x - 3, y(at) + 12, label);
  }

  const Tree& tree_;
  std::vector<std::uint32_t> sizes_;
  std::vector<bool> opened_;
  std::vector<Vertex> lowest_{};
  std::vector<std::pair<Vertex, Place>> places_{};
  std::vector<std::pair<std::size_t, std::size_t>> lines_{};
  std::size_t seen_ = 0;
};

}  // namespace

std::string picture_of(const Tree& tree, const std::string& title) { return Drawing(tree).run(title); }

}  // namespace assay::orders
