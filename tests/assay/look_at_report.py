#!/usr/bin/env python3
"""Looks at an HTML report in a headless browser.

look_at_report.py REPORT [--planted] [--within MILLISECONDS]

Fails on a page of more than 1 MB and 0.6 kB a property, on sideways scrolling on a phone and on a small window, on cells
of the map that do not hold their text, on errors in the console, on contrast below WCAG AA by day and by night, on a
folded part that printing leaves folded, on a filter that does not filter, and, with --within, where the fastest look
takes longer to load. With --planted it looks at copies with one mistake each instead, and fails where one is not seen.
Exit code 77: the size is as it should be, and there is no browser for the rest.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

PHONE = 390
WIDTHS = (PHONE, 1000)
SKIPPED = 77

# Runs before all else on the page.
LISTEN = """<script>
window.seen = [];
addEventListener('error', e => seen.push('console: ' + (e.message || e.target.tagName + ' did not load')), true);
for (const kind of ['error', 'warn']) console[kind] = (...what) => seen.push('console: ' + what.join(' '));
</script>"""

# A window may not be as narrow as a phone; a frame may.
FRAME = """<!DOCTYPE html><title>a phone</title><pre></pre>
<iframe src=page.html style=width:{}px;height:844px;border:0></iframe>"""

# Runs when the page has loaded.
LOOK = r"""<script>
addEventListener('load', () => {
  const milliseconds = Math.round(performance.now());
  dispatchEvent(new Event('beforeprint'));
  if ([...document.querySelectorAll('details')].some(e => !e.open)) seen.push('print: a folded part stays folded');
  const wide = document.documentElement.clientWidth;
  const name = e => e.tagName.toLowerCase() + (e.id && '#' + e.id) + ' "' + e.textContent.trim().slice(0, 40) + '"';
  if (document.documentElement.scrollWidth > wide) seen.push('sideways: the page');
  // Transparent colors are laid over what is behind them.
  const colour = text => {
    const parts = text.match(/[\d.]+/g).map(Number);
    return {rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1};
  };
  const over = (top, below) => top.rgb.map((c, i) => c * top.alpha + below[i] * (1 - top.alpha));
  const backgrounds = new Map();
  const background = e => {
    if (!e) return [255, 255, 255];
    if (!backgrounds.has(e)) backgrounds.set(e, over(colour(getComputedStyle(e).backgroundColor), background(e.parentElement)));
    return backgrounds.get(e);
  };
  const luminance = rgb => {
    const [r, g, b] = rgb.map(c => c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const e of document.body.querySelectorAll('*')) {
    const style = getComputedStyle(e);
    if (style.display === 'none') continue;
    const box = e.getBoundingClientRect();
    if (box.width > 0 && box.right > wide + 1) seen.push('sideways: ' + name(e));
    if (/auto|scroll/.test(style.overflowX) && e.scrollWidth > e.clientWidth + 1) seen.push('sideways: inside ' + name(e));
    if (e.closest('.map') && /^T[DH]$/.test(e.tagName) && e.scrollWidth > e.clientWidth + 1) seen.push('map: ' + name(e));
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || /^(SCRIPT|STYLE)$/.test(e.tagName)) continue;
    const behind = background(e);
    const ink = over(colour(e instanceof SVGElement ? style.fill : style.color), behind);
    const [light, dark] = [luminance(ink), luminance(behind)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < (large ? 3 : 4.5)) seen.push('contrast: ' + contrast.toFixed(2) + ' of ' + name(e));
  }
  const properties = document.querySelectorAll('[id^="p-"]');
  const box = document.getElementById('filter');
  if (!box || box.hidden) {
    seen.push('filter: there is no box');
  } else {
    box.value = properties[0].querySelector('b').textContent;
    box.oninput();
    const left = [...properties].filter(e => !e.hidden);
    if (properties[0].hidden || (properties.length > 1 && left.length === properties.length)) {
      seen.push('filter: ' + left.length + ' of ' + properties.length + ' properties are left of "' + box.value + '"');
    }
  }
  const answer = {wide, milliseconds, properties: properties.length, seen: seen.slice(0, 10), count: seen.length};
  parent.document.querySelector('pre').textContent = encodeURIComponent(JSON.stringify(answer));
});
</script>"""


def size_faults(page):
    """The faults in the size of a page."""
    properties = page.count(' id="p-')
    most = 1_000_000 + 600 * properties
    size = len(page.encode())
    return [f"size: {size} bytes; {properties} properties may have {most}"] if size > most else []


def look(browser, page, dark, folder, width=PHONE):
    """The faults of the page in a window of that width, and the measurements."""
    (folder / "page.html").write_text(page.replace("<head>", "<head>" + LISTEN, 1).replace("</body>", LOOK + "</body>", 1))
    frame = folder / "frame.html"
    frame.write_text(FRAME.format(width))
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               f"--user-data-dir={folder / 'profile'}", "--window-size=1400,900", "--allow-file-access-from-files",
               f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--dump-dom", frame.as_uri()]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=240, check=False)
    found = re.search(r"<pre>([^<]+)</pre>", done.stdout.decode())
    if not found:
        return ["console: the page did not answer"], {}
    answer = json.loads(urllib.parse.unquote(found.group(1)))
    wrong = answer["seen"] + ([f"and {answer['count'] - 10} more"] if answer["count"] > 10 else [])
    if answer["wide"] != width:
        wrong.append(f"the browser shows {answer['wide']} pixels instead of {width}")
    return wrong + size_faults(page), answer


def planted(page):
    """Copies with a mistake: the kind of finding that is expected for each, its name, and the page."""
    def with_style(rule):
        return page.replace("</style>", rule + "</style>", 1)
    yield "sideways", "a wide element", page.replace("<header>", "<header><div style=width:500px>wide</div>", 1)
    yield "sideways", "a table that scrolls in itself", page.replace(
        "<header>", "<header><div style=overflow-x:auto><div style=width:500px>wide</div></div>", 1)
    yield "sideways", "a wide part of a family", with_style(".row b{display:block;width:500px}")
    yield "map", "numbers wider than their cells", with_style(".map td{font-size:9rem!important;white-space:nowrap!important}.map td *{font-size:inherit!important}")
    yield "contrast", "light grey text", with_style(":root{--soft:#999!important}")
    yield "console", "an error of the script", page.replace("show()})();", "shwo()})();", 1)
    yield "console", "a picture that is not there", page.replace("<header>", "<header><img src=none.png>", 1)
    yield "print", "parts that stay folded", page.replace("'beforeprint'", "'afterprint'", 1)
    yield "filter", "a filter that keeps all", page.replace("r.hidden=!", "r.hidden=false&&!", 1)
    yield "size", "a heavy page", page.replace("</body>", "<!--" + "x" * 2_000_000 + "--></body>", 1)


def seen_as_planted(browser, page, folder):
    """Whether every planted mistake is seen."""
    all_seen = True
    for kind, what, copy in planted(page):
        wrong, _ = look(browser, copy, False, folder)
        seen = copy != page and any(each.startswith(kind) for each in wrong)
        print(f"{what}: {'seen: ' + next(e for e in wrong if e.startswith(kind)) if seen else 'NOT SEEN'}")
        all_seen = all_seen and seen
    return all_seen


def is_good(browser, page, folder, within):
    """Whether the page has no fault in any look."""
    good = True
    loaded = []
    for width, dark in zip(WIDTHS, (False, True)):
        wrong, answer = look(browser, page, dark, folder, width)
        loaded.append(answer.get("milliseconds", float("inf")))
        print(f"{'night' if dark else 'day'}, {width} pixels: {len(page.encode())} bytes, {answer.get('properties')} properties, "
              f"loaded in {answer.get('milliseconds')} ms, {len(wrong)} faults")
        print("".join(f"  {each}\n" for each in wrong), end="")
        good = good and not wrong
    if min(loaded) > within:
        print(f"slow: loaded in {min(loaded)} ms; {within} are allowed")
        good = False
    return good


def main(arguments):
    options = argparse.ArgumentParser()
    options.add_argument("report", type=pathlib.Path)
    options.add_argument("--planted", action="store_true")
    options.add_argument("--within", type=float, default=float("inf"))
    given = options.parse_args(arguments)
    page = given.report.read_text()
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        faults = size_faults(page)
        print(*faults or ["no browser (chromium, chromium-browser, google-chrome): nobody looked at the report"], sep="\n")
        return 1 if faults else SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        good = seen_as_planted(browser, page, folder) if given.planted else is_good(browser, page, folder, given.within)
    return 0 if good else 1


if __name__ == "__main__":
    os.environ.setdefault("HOME", "/tmp")
    sys.exit(main(sys.argv[1:]))
