#include "assay/report/plots.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string_view>

#include "assay/process/process.hpp"

namespace assay::report {

namespace {

/// Colors that gnuplot writes and the page replaces by its own, so that plots follow light and dark.
constexpr std::string_view bar_colour = "#123456";
constexpr std::string_view bound_colour = "#654321";

std::string text_of(double value) {
  std::array<char, 64> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

/// A label in single quotes; gnuplot's markup characters and quotes are removed.
std::string in_quotes(std::string_view text) {
  std::string safe = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\n') continue;
    if (c == '_' || c == '^' || c == '{' || c == '}' || c == '@' || c == '&' || c == '~' || c == '\\') safe += "\\";
    safe += c;
  }
  return safe + "'";
}

/// Whether any bin of a feature has an error.
bool has_points(const std::vector<double>& ratios) {
  return std::any_of(ratios.begin(), ratios.end(), [](double ratio) { return ratio > 0; });
}

void script_histogram(std::string& script, const Plot& plot) {
  script +=
      "set xlabel 'error / bound'\nset ylabel 'cases'\nset logscale y 10\nunset mytics\nset format y '10^{%L}'\n"
      "set xrange [-3.2:44.2]\nset yrange [0.5:*]\nset boxwidth 0.86\nset style fill solid 1.0 noborder\n"
      "set xtics ('0' -2, '2^{−20}' 0.5, '2^{−15}' 10.5, '2^{−10}' 20.5, '2^{−5}' 30.5, '1' 40.5, '>1' 43)\n"
      "set arrow 1 from 40.5,graph 0 to 40.5,graph 1 nohead lc rgb '";
  script += bound_colour;
  script += "' lw 1.2 dt 2\nplot '-' using 1:2 with boxes lc rgb '";
  script += bar_colour;
  script += "'\n";
  for (std::size_t bin = 0; bin < plot.counts.size(); ++bin) {
    const int at = bin == 0 ? -2 : bin + 1 == ratio_bins ? 43 : static_cast<int>(bin);
    if (plot.counts[bin] > 0) script += std::to_string(at) + " " + std::to_string(plot.counts[bin]) + "\n";
  }
  script += "e\n";
}

/// The heights of a plot against a feature.
struct Heights {
  double bottom, top;
  double of(double ratio) const { return std::clamp(ratio, bottom, top); }
};

/// A step of 1, 2 or 5 times a power of ten that gives about four tics in the range.
double step_of(double low, double high) {
  const double least = (high - low) / 5;
  const double ten = std::pow(10, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * ten >= least) return digit * ten;
  }
  return 10 * ten;
}

/// The axes of a plot against a feature, and the bound as the first thing drawn.
Heights script_axes(std::string& script, const Plot& plot, std::span<const std::vector<double>> curves) {
  double least = 1;
  double largest = 1;
  for (const auto& curve : curves) {
    for (const double ratio : curve) {
      if (ratio > 0 && std::isfinite(ratio)) {
        least = std::min(least, ratio);
        largest = std::max(largest, ratio);
      }
    }
  }
  const Heights heights{std::exp2(std::floor(std::log2(std::max(least, 0x1p-24))) - 1),
                        std::exp2(std::ceil(std::log2(std::min(largest, 0x1p60))) + 1)};
  // The bound itself, 2^0, has a tic.
  const double step = std::ceil(std::log2(heights.top / heights.bottom) / 5);
  const double first = step * std::floor(std::log2(heights.bottom) / step);
  script += "set xlabel " + in_quotes(plot.feature) +
            "\nset ylabel 'largest error / bound'\nset logscale y 2\nunset mytics\n" +
            "set format y '2^{%L}'\nset xrange [" + text_of(plot.low) + ":" + text_of(plot.high) + "]\nset xtics " +
            text_of(step_of(plot.low, plot.high)) + "\nset ytics " + text_of(std::exp2(first)) + "," +
            text_of(std::exp2(step)) + "\nset yrange [" + text_of(heights.bottom) + ":" + text_of(heights.top) +
            "]\nset samples 2\nplot 1 with lines lc rgb '" + std::string(bound_colour) + "' lw 1.2 dt 2";
  return heights;
}

void script_feature(std::string& script, const Plot& plot) {
  const Heights heights = script_axes(script, plot, std::span(&plot.ratios, 1));
  script += ", '-' using 1:2:3:4 with vectors nohead lw 3 lc rgb '" + std::string(bar_colour) + "'\n";
  const double width = (plot.high - plot.low) / static_cast<double>(plot.ratios.size());
  for (std::size_t bin = 0; bin < plot.ratios.size(); ++bin) {
    if (plot.ratios[bin] < 0) continue;
    script += text_of(plot.low + width * static_cast<double>(bin)) + " " + text_of(heights.of(plot.ratios[bin])) + " " +
              text_of(width) + " 0\n";
  }
  script += "e\n";
}

/// Each curve as a line that is level over most of a bin. A bin without an error has no point.
void script_curves(std::string& script, const Plot& plot) {
  const Heights heights = script_axes(script, plot, plot.curves);
  std::string data;
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const std::vector<double>& curve = plot.curves[i];
    if (!has_points(curve)) continue;
    script += ", '-' using 1:2 with lines lw 1.6 lc rgb '#00000" + std::to_string(i + 1) + "'" +
              (plot.titles.empty() ? "" : " title " + in_quotes(plot.titles.at(i)));
    const double width = (plot.high - plot.low) / static_cast<double>(curve.size());
    for (std::size_t bin = 0; bin < curve.size(); ++bin) {
      if (curve[bin] <= 0) continue;
      for (const double side : {0.2, 0.8}) {
        data += text_of(plot.low + width * (static_cast<double>(bin) + side)) + " " + text_of(heights.of(curve[bin])) +
                "\n";
      }
    }
    data += "e\n";
  }
  script += "\n" + data;
}

/// Seconds against size. A line of a single point becomes a short level line.
void script_times(std::string& script, const Plot& plot) {
  script += "set xlabel " + in_quotes(plot.feature) +
            "\nset ylabel 'seconds'\nset logscale xy 10\nunset mxtics\nunset mytics\nset format xy '10^{%L}'\nplot ";
  std::string data;
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    const auto& line = plot.lines[i];
    script +=
        (i == 0 ? "'-'" : ", '-'") + (" using 1:2 with lines lw 1.6 lc rgb '#00000" + std::to_string(i + 1)) + "'";
    for (const auto& [size, seconds] : line) data += text_of(size) + " " + text_of(seconds) + "\n";
    if (line.size() == 1) data += text_of(1.3 * line[0][0]) + " " + text_of(line[0][1]) + "\n";
    data += "e\n";
  }
  script += "\n" + data;
}

bool says_something(const Plot& plot) {
  if (plot.kind == Plot::Kind::times) return !plot.lines.empty();
  if (plot.kind == Plot::Kind::histogram) {
    return std::any_of(plot.counts.begin(), plot.counts.end(), [](std::uint64_t count) { return count > 0; });
  }
  return plot.high > plot.low &&
         (has_points(plot.ratios) || std::any_of(plot.curves.begin(), plot.curves.end(), has_points));
}

/// The output of gnuplot for `script`; empty if it cannot be run or fails.
std::optional<std::string> output_of(const char* program, const std::string& script) {
  const char* const path = std::getenv("PATH");
  std::optional<process::Finished> finished =
      process::run_to_end({program,
                           {program, "-d"},
                           {{process::nowhere, STDERR_FILENO}},
                           {{std::string("PATH=") + (path != nullptr ? path : ""), "LC_ALL=C", "HOME=/nonexistent"}}},
                          script);
  if (!finished || finished->code != 0) return std::nullopt;
  return std::move(finished->out);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string replaced;
  replaced.reserve(text.size());
  std::size_t at = 0;
  for (std::size_t found; (found = text.find(from, at)) != std::string::npos; at = found + from.size()) {
    replaced.append(text, at, found - at);
    replaced += to;
  }
  replaced.append(text, at);
  text = std::move(replaced);
}

/// Removes every part from `begin` through the next `end`.
void remove_parts(std::string& text, std::string_view begin, std::string_view end) {
  for (std::size_t at; (at = text.find(begin)) != std::string::npos;) {
    const std::size_t until = text.find(end, at + begin.size());
    if (until == std::string::npos) return;
    text.erase(at, until + end.size() - at);
  }
}

/// A coordinate in whole pixels.
int pixel(std::string_view number) {
  double value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  return static_cast<int>(std::lround(value));
}

/// gnuplot's "M70.60,159.59 L66.48,159.59 " in whole pixels, with only a letter for a horizontal or vertical step.
/// Steps in one direction are joined, and a move without a line after it is omitted.
std::string short_path(std::string_view path) {
  std::string text;
  int x = 0;
  int y = 0;
  bool moved = false;
  char along = '\0';  // the direction of the last step, h or v
  int length = 0;     // steps that are not yet written
  const auto write_steps = [&] {
    if (length != 0) text += along + std::to_string(length);
    length = 0;
  };
  const auto step = [&](char direction, int by) {
    if (along != direction || (length < 0) != (by < 0)) write_steps();
    along = direction;
    length += by;
  };
  for (std::size_t at = 0; (at = path.find_first_of("ML", at)) != std::string_view::npos;) {
    const std::size_t comma = path.find(',', at);
    const std::size_t end = std::min(path.find_first_of(" \nML", comma), path.size());
    if (comma == std::string_view::npos) break;
    const int to_x = pixel(path.substr(at + 1, comma - at - 1));
    const int to_y = pixel(path.substr(comma + 1, end - comma - 1));
    if (path[at] == 'M') {
      write_steps();
      moved = true;
    } else if (to_x != x || to_y != y) {
      if (moved) text += "M" + std::to_string(x) + (y < 0 ? "" : " ") + std::to_string(y);
      moved = false;
      if (to_y == y) {
        step('h', to_x - x);
      } else if (to_x == x) {
        step('v', to_y - y);
      } else {
        write_steps();
        text += "l" + std::to_string(to_x - x) + (to_y < y ? "" : " ") + std::to_string(to_y - y);
      }
    }
    x = to_x;
    y = to_y;
    at = end;
  }
  write_steps();
  return text;
}

/// "⁻²⁴" of "-24" and of "−24".
std::string superscript(std::string_view number) {
  static constexpr std::array<std::string_view, 10> digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : number) {
    if (c >= '0' && c <= '9') {
      text += digits[static_cast<std::size_t>(c - '0')];
    } else {
      text += c == '-' ? "⁻" : c == '+' ? "⁺" : std::string(1, c);
    }
  }
  replace_all(text, "−", "⁻");
  return text;
}

/// Omits each path that was drawn before in the same way.
void remove_repeated_paths(std::string& text) {
  std::set<std::string> seen;
  std::string kept;
  std::size_t at = 0;
  for (std::size_t begin; (begin = text.find("<path", at)) != std::string::npos;) {
    const std::size_t end = text.find("/>", begin) + 2;
    kept.append(text, at, begin - at);
    if (std::string path = text.substr(begin, end - begin); seen.insert(path).second) kept += path;
    at = end;
  }
  text = kept.append(text, at);
}

/// Replaces the text from `begin` through the next `end` by `make` of this text.
template <class Make>
void replace_parts(std::string& text, std::string_view begin, std::string_view end, const Make& make) {
  std::string replaced;
  std::size_t at = 0;
  for (std::size_t found; (found = text.find(begin, at)) != std::string::npos;) {
    const std::size_t from = found + begin.size();
    const std::size_t until = text.find(end, from);
    if (until == std::string::npos) break;
    replaced.append(text, at, found - at);
    replaced += make(std::string_view(text).substr(from, until - from));
    at = until + end.size();
  }
  text = replaced.append(text, at);
}

/// gnuplot's document as an element of a page: only its lines and texts, in whole pixels; the page's style sets the
/// colors.
std::string as_element(std::string svg) {
  const std::size_t start = svg.find("<svg");
  if (start == std::string::npos) return {};
  svg.erase(0, svg.find('>', start) + 1);
  svg.erase(svg.find("</svg>"));
  for (const auto& [begin, end] : {std::pair("<!--", "-->"),
                                   {"<title>", "</title>"},
                                   {"<desc>", "</desc>"},
                                   {"<defs>", "</defs>"},
                                   {"<rect", "/>"},
                                   {" id=\"", "\""}}) {
    remove_parts(svg, begin, end);
  }
  replace_all(svg, "stroke='rgb( 18,  52,  86)'", "class=h");
  replace_all(svg, "rgb( 18,  52,  86)", "var(--plot)");
  replace_all(svg, "stroke='rgb(101,  67,  33)'", "class=b");
  remove_parts(svg, " stroke-dasharray='", "'");
  for (std::size_t i = 0; i < curve_colours; ++i) {
    replace_all(svg, "stroke='rgb(  0,   0,   " + std::to_string(i + 1) + ")'", "class=s" + std::to_string(i));
  }
  std::string lines;
  for (const char c : svg) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank || (!lines.empty() && lines.back() != ' ')) lines += blank ? ' ' : c;
  }
  replace_all(lines, "> <", "><");
  // The attributes that the page's style sets for every line and text are removed.
  for (const std::string_view said :
       {" stroke='black'", " fill=\"none\"", " color=\"black\"", " stroke=\"black\"", " color=\"white\"",
        " stroke=\"currentColor\"", " stroke-linecap=\"butt\"", " stroke-linejoin=\"miter\"", " stroke=\"none\"",
        " fill=\"black\"", " font-family=\"sans-serif\"", " font-size=\"11.00\"", " stroke-width=\"0.60\"",
        " font-weight=\"normal\"", " font-style=\"normal\""}) {
    replace_all(lines, said, "");
  }
  replace_all(lines, " >", ">");
  replace_all(lines, " />", "/>");
  replace_all(lines, "<tspan font-size=\"11.0\" dy=\"5.50\"></tspan>", "");
  replace_parts(lines, "<tspan>", "</tspan>", [](std::string_view text) { return std::string(text); });
  replace_parts(lines, "<tspan font-size=\"8.8\" dy=\"-5.50px\">", "</tspan>", superscript);
  replace_parts(lines, " d='", "'", [](std::string_view path) { return " d='" + short_path(path) + "'"; });
  replace_parts(lines, " points = '", "'", [](std::string_view points) {
    std::string text;
    for (std::size_t at = 0; at < points.size();) {
      const std::size_t end = std::min(points.find_first_of(", ", at), points.size());
      if (end > at) (text += text.empty() ? "" : " ") += std::to_string(pixel(points.substr(at, end - at)));
      at = end + 1;
    }
    return " points='" + text + "'";
  });
  replace_parts(lines, "<g transform=\"translate(", "</text></g>", [](std::string_view inside) {
    const std::size_t comma = inside.find(',');
    const std::size_t close = inside.find(')');
    const std::string x = std::to_string(pixel(inside.substr(0, comma)));
    const std::string y = std::to_string(pixel(inside.substr(comma + 1, close - comma - 1)));
    std::string text(inside.substr(close + 1));
    // Rotated text keeps its transformation, rewritten.
    const bool upright = text.starts_with('"');
    replace_all(text, "><text>", ">");
    return (upright ? "<text x=" + x + " y=" + y + text.substr(1)
                    : "<text transform=\"translate(" + x + " " + y + ")" + text) +
           "</text>";
  });
  // The page's style sets texts in the middle. Tics are four or five pixels long and tell nothing beyond their texts.
  replace_all(lines, " text-anchor=\"middle\"", "");
  replace_all(lines, " text-anchor=\"end\"", " class=r");
  replace_parts(lines, "<path d='", "'/>", [](std::string_view path) {
    const bool tic = path.ends_with("h-4") || path.ends_with("h-5") || path.ends_with("v4") || path.ends_with("v5");
    return tic ? std::string() : "<path d='" + std::string(path) + "'/>";
  });
  remove_repeated_paths(lines);
  replace_all(lines, "<text transform=\"translate(18 90) rotate(270)\">", "<text class=y>");
  remove_parts(lines, "<g", ">");
  replace_all(lines, "</g>", "");
  return "<svg viewBox=\"0 0 460 220\">" + lines + "</svg>";
}

}  // namespace

namespace {

/// One picture of any kind on one gnuplot terminal.
void add_script(std::string& script, const char* terminal, const Plot& plot) {
  script += "reset\nset terminal ";
  script += terminal;
  script += "\nset border 3 lw 0.6\nset tics nomirror out scale 0.5\nunset mxtics\nunset mytics\n";
  script += plot.titles.empty() ? "set key off\n" : "set key on outside below\n";
  const auto add = plot.kind == Plot::Kind::histogram ? script_histogram
                   : plot.kind == Plot::Kind::feature ? script_feature
                   : plot.kind == Plot::Kind::times   ? script_times
                                                      : script_curves;
  add(script, plot);
}

std::optional<std::string> gnuplot(const std::string& script) {
  const char* const chosen = std::getenv("ASSAY_GNUPLOT");
  return output_of(chosen != nullptr && *chosen != '\0' ? chosen : "gnuplot", script);
}

}  // namespace

std::optional<std::vector<std::string>> draw(std::span<const Plot> plots) {
  std::vector<std::string> elements(plots.size());
  std::vector<std::size_t> drawn;
  std::string script = "set encoding utf8\n";
  for (std::size_t i = 0; i < plots.size(); ++i) {
    if (!says_something(plots[i])) continue;
    drawn.push_back(i);
    add_script(script, "svg size 460,220 fixed font 'sans-serif,11'", plots[i]);
  }
  if (drawn.empty()) return elements;
  const auto output = gnuplot(script);
  if (!output) return std::nullopt;
  std::size_t at = output->find("<?xml");
  for (const std::size_t i : drawn) {
    if (at == std::string::npos) return std::nullopt;
    const std::size_t next = output->find("<?xml", at + 1);
    elements[i] = as_element(output->substr(at, next - at));
    at = next;
  }
  return elements;
}

std::optional<std::string> draw_alone(const Plot& plot, Picture picture) {
  if (!says_something(plot)) return "";
  // The eight colors of Okabe and Ito, which color-blind readers can distinguish; yellow is darkened.
  constexpr std::array<std::string_view, curve_colours> palette{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                                "#56b4e9", "#e69f00", "#b3a200", "#000000"};
  std::string script = "set encoding utf8\n";
  add_script(
      script,
      picture == Picture::svg ? "svg size 460,300 font 'sans-serif,11'" : "pdfcairo size 9cm,6cm font 'sans-serif,8'",
      plot);
  if (!plot.titles.empty()) replace_all(script, "plot 1 with lines", "plot 1 title 'bound' with lines");
  replace_all(script, bar_colour, palette[0]);
  replace_all(script, bound_colour, "#a00000");
  for (std::size_t i = 0; i < curve_colours; ++i) {
    replace_all(script, "'#00000" + std::to_string(i + 1) + "'", "'" + std::string(palette[i]) + "'");
  }
  std::optional<std::string> bytes = gnuplot(script);
  if (!bytes || bytes->empty()) return std::nullopt;
  if (picture == Picture::pdf) {
    // The date of creation, which would differ from run to run.
    constexpr std::string_view date = "/CreationDate (D:";
    if (std::size_t at = bytes->find(date); at != std::string::npos) {
      for (at += date.size(); at < bytes->size() && (*bytes)[at] != ')'; ++at) {
        char& c = (*bytes)[at];
        if (c >= '0' && c <= '9') c = '0';
      }
    }
  }
  return bytes;
}

}  // namespace assay::report
