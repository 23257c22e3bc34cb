"""The pages of the atlas, docs/atlas.md and docs/atlas.html, from its rows. No answer is computed here."""

import collections
import html
import pathlib

import rows as atlas

DOCS = atlas.HERE.parent.parent / "docs"
NAMES = {"openblas": "OpenBLAS", "reference_blas": "reference BLAS", "blis": "BLIS", "gsl": "GSL", "atlas": "ATLAS",
         "lapack": "LAPACK", "fftw": "FFTW", "kissfft": "KISS FFT", "sleef": "SLEEF", "eigen": "Eigen",
         "numpy": "NumPy", "scipy": "SciPy", "python": "Python",
         "libstdcxx": "libstdc++", "gcc": "GCC", "clang": "Clang", "qd": "QD", "torch": "PyTorch", "jax": "JAX",
         "cupy": "CuPy", "triton": "Triton", "cub": "CUB", "thrust": "Thrust", "cublas": "cuBLAS",
         "cuda_headers": "CUDA headers",
         "torch_compile": "PyTorch, compiled", "onnxruntime": "ONNX Runtime"}
# Contracts about something other than an error: a kernel that keeps only these keeps no bound.
NO_BOUND = {"exceptional", "order_free", "special_values", "monotone", "odd", "even", "scaling", "untouched",
            "not_read", "zeros", "finite", "alone", "batch_invariant", "place_invariant", "run_to_run",
            "split_invariant", "alpha_zero_reads", "alpha_zero_skips", "masked_nan", "masked_zero", "masked_uniform",
            "infinity_nan", "infinity_limit", "nan_stays", "normalised", "row_sum", "f32_row_sum", "rounded_product",
            "rounded_sum", "nan_propagates", "nan_is_missing", "zeros_ordered", "same_bits_on_all_ranks", "symmetric",
            "growth", "status", "parseval", "real_ends"}
BEST = {"correctly_rounded", "faithful", "rounded", "exact"}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SHORT = 150  # characters of a counterexample in the table of Markdown


def name_of(library):
    return NAMES.get(library, library)


def grade(row):
    """good: exact, correctly rounded or faithful; bound: another bound of the error is kept; bad: no bound is kept."""
    if row["operation"] == "convert":
        return "good" if row["keeps"] else "bad"
    bounds = [each for each in row["keeps"] if each not in NO_BOUND]
    return "bad" if not bounds else "good" if BEST & set(bounds) else "bound"


def ratio_text(ratio):
    """Three digits or four, truncated and not rounded, so that no ratio below 1 becomes 1."""
    if ratio is None or ratio == 0:
        return ""
    if ratio == "inf":
        return "∞"
    digits = f"{ratio:.17g}"
    if "e" in digits or ratio >= 1e4:
        digits, _, exponent = f"{ratio:.1e}".partition("e")
        return f"{digits}·10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    whole, _, part = digits.partition(".")
    return whole if not part or len(whole) > 3 else f"{whole}.{part[:4 if whole == '0' else 4 - len(whole)]}"


def values_text(value):
    if isinstance(value, dict):  # numbers of another format
        return values_text(next(iter(value.values())))
    return f"({', '.join(value)})" if isinstance(value, list) else str(value)


def inputs_text(smallest):
    return ", ".join(f"{name} = {values_text(value)}" for name, value in smallest["inputs"].items())


def counterexample_text(row):
    if "smallest" not in row:
        return ""
    smallest = row["smallest"]
    text = f"{smallest['contract']}: {inputs_text(smallest)}"
    if smallest.get("got"):
        got = smallest["got"]
        text += f" gives {got[0] if len(got) == 1 else values_text(got)}"
    return text + (f", exact {smallest['exact']}" if smallest.get("exact") else "")


def other_text(row):
    """The fields of a row besides its ladder."""
    words = []
    if "stopped" in row:
        words.append(row["stopped"])
    if "violates" in row:
        words.append("violates " + ", ".join(row["violates"]))
    if "undecided" in row:
        words.append("not decided: " + ", ".join(row["undecided"]))
    if "ulps" in row:
        words.append(f"at most {ratio_text(row['ulps'])} ulps seen")
    return "; ".join(words)


# Markdown

INTRODUCTION = """# The atlas: what functions of libraries keep

Each row is a function of a library that `assay check` judged exactly: the strongest contracts about its results that
it kept, the weakest that it broke, and the largest error/bound that was seen of each, where it has a number.
`assay contracts OPERATION` explains the contracts. A kept contract was kept in all cases that were run, which are a
sample unless the format has at most 16 bits. The page [atlas.html](atlas.html) has the same rows with filters, the
whole counterexample and the command.

A row has a permanent anchor: operation, format, library, function, version and card. `atlas.html#ANCHOR` and
`atlas.md#ANCHOR` may be cited. A card is a device or the level of the host's processor. The rows are those of the files
in [examples/libraries/atlas](../examples/libraries/atlas), one file for a version of a library on a card. This runs all
rows again that can run on a machine, and writes both pages:

```
python3 examples/libraries/judge.py --assay build/default/bin/assay --update
```

With `--only REGEX` it runs the rows whose anchor without version and card matches. Rows that cannot run there stay as
they are, with the day of their run. [findings.md](findings.md) explains the most remarkable rows.
"""


def ladder_markdown(contracts):
    return ", ".join(f"{name} {ratio_text(ratio)}".strip() for name, ratio in contracts.items()) or "none"


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ").replace("*", "\\*")


def markdown(rows):
    parts = [INTRODUCTION]
    head = "| library | function | card | keeps | breaks | smallest counterexample | run |\n" + "| --- " * 7 + "|\n"
    operation = None
    for row in rows:
        title = f"{row['operation']} in {row['format']}"
        if title != operation:
            operation = title
            parts.append(f"\n## {title}\n\n{head}")
        example = counterexample_text(row)
        example = example if len(example) <= SHORT else example[:SHORT] + " …"
        if other := other_text(row):
            example = f"{example}; {other}" if example else other
        cells = [f"<a id=\"{atlas.anchor(row)}\"></a>{name_of(row['library'])} {row['version']}",
                 f"`{row['function']}`", row["card"], ladder_markdown(row["keeps"]), ladder_markdown(row["breaks"]), example, row["date"]]
        parts.append("| " + " | ".join(each if i < 2 else cell(each) for i, each in enumerate(cells)) + " |\n")
    return "".join(parts)


# HTML

FILTERS = [("operation", "o", "operation"), ("format", "f", "format"), ("library", "l", "library"),
           ("card", "c", "card"), ("result", "g", None)]
GRADES = {"good": "correctly rounded or faithful", "bound": "another bound", "bad": "no bound"}


def escaped(text):
    return html.escape(str(text), quote=True)


def chip(row, text):
    kept = ", ".join(row["keeps"]) or "none"
    title = escaped(f"{name_of(row['library'])} {row['function']} {row['format']}: keeps {kept}")
    return f"<a class=\"chip {grade(row)}\" href=\"#{atlas.anchor(row)}\" title=\"{title}\">{text}</a>"


def map_of(rows):
    """A table of functions and libraries, with the largest error in ulps of each row of the atlas."""
    counts = collections.Counter(row["library"] for row in rows)
    libraries = sorted(counts, key=lambda library: (-counts[library], library))
    lines = ["<table class=map><tr><th>", *(f"<th>{escaped(name_of(each))}" for each in libraries)]
    for operation in sorted({row["operation"] for row in rows}):
        lines.append(f"<tr><th scope=row>{escaped(operation)}")
        for library in libraries:
            chips = [chip(row, f"{row['format']} {ratio_text(row['ulps'])}") for row in rows
                     if row["operation"] == operation and row["library"] == library]
            lines.append(f"<td data-l=\"{escaped(name_of(library))}\">" + " ".join(chips) + "</td>")
    return "\n".join(lines) + "</table>"


def list_of(rows):
    """A line for each operation: its libraries, with a chip for each row of the atlas."""
    lines = ["<dl class=flow>"]
    for operation in sorted({row["operation"] for row in rows}):
        lines.append(f"<dt>{escaped(operation)}<dd>")
        of_operation = [row for row in rows if row["operation"] == operation]
        for library in sorted({row["library"] for row in of_operation}, key=lambda each: name_of(each).lower()):
            chips = [chip(row, escaped(row["format"])) for row in of_operation if row["library"] == library]
            lines.append(f"<span>{escaped(name_of(library))} {' '.join(chips)}</span>")
    return "\n".join(lines) + "</dl>"


def ladder_html(title, contracts):
    items = "".join(f"<li>{escaped(name)} <small>{ratio_text(ratio)}</small>" for name, ratio in contracts.items())
    return f"<h3>{title}</h3><ul>{items or '<li><small>none</small>'}</ul>"


def row_html(row):
    anchor = atlas.anchor(row)
    data = " ".join(f"data-{letter}=\"{escaped(row[key] if key else grade(row))}\"" for _, letter, key in FILTERS)
    example = counterexample_text(row)
    other = other_text(row)
    more = [f"<p><b>Smallest counterexample</b> of {escaped(example)}"] if example else []
    more += [f"<p>{escaped(other)}"] if other else []
    more += [f"<p><b>Command</b> <code>{escaped(row['command'])}</code>",
             f"<p class=soft>run of {row['date']}, {row['cases']} cases, {escaped(row['machine'])}; anchor "
             f"<a href=\"#{anchor}\">#{anchor}</a>"]
    error = f" <small>{ratio_text(row['ulps'])} ulp</small>" if "ulps" in row else ""
    return (f"<div class=\"row {grade(row)}\" id=\"{anchor}\" {data}>"
            f"<div class=what><a href=\"#{anchor}\">{escaped(row['operation'])}</a>"
            f" <small>{escaped(row['format'])}</small></div>"
            f"<div><b>{escaped(name_of(row['library']))}</b> {escaped(row['version'])}"
            f" <code>{escaped(row['function'])}</code> <small>{escaped(row['card'])}</small>{error}</div>"
            f"<div>{ladder_html('keeps', row['keeps'])}</div><div>{ladder_html('breaks', row['breaks'])}</div>"
            f"<details><summary>{'counterexample, ' if example else ''}command, {row['date']}</summary></details>"
            f"<div class=more>{''.join(more)}</div></div>")


def filter_parts(rows):
    """The choices, and the rules that hide the rows that are not chosen. A row that the address names is always
    shown."""
    choices = []
    rules = []
    for name, letter, key in FILTERS:
        values = sorted({row[key] for row in rows}) if key else list(GRADES)
        text = GRADES.get if key is None else name_of if key == "library" else str
        options = "".join(f"<option value=\"{escaped(each)}\">{escaped(text(each))}" for each in values)
        choices.append(f"<label>{name}<select id={name} autocomplete=off><option value=\"\">all{options}</select>"
                       "</label>")
        rules += [f"main:has(#{name} option[value=\"{each}\"]:checked) "
                  f".row:not([data-{letter}=\"{each}\"],:target,.head){{display:none}}" for each in values]
    return "".join(choices), "\n".join(rules)


def page(rows):
    choices, rules = filter_parts(rows)
    functions = [row for row in rows if "ulps" in row]
    others = [row for row in rows if "ulps" not in row]
    days = [row["date"] for row in rows]
    counts = [(len(rows), "rows"), (len({row["library"] for row in rows}), "libraries"),
              (len({row["operation"] for row in rows}), "operations"), (len({row["card"] for row in rows}), "cards"),
              (" … ".join(dict.fromkeys((min(days), max(days)))), "runs")]
    grades = "".join(f"<li><span class=\"chip {each}\">{sum(grade(row) == each for row in rows)}</span> {text}"
                     for each, text in GRADES.items())
    style = (pathlib.Path(__file__).parent / "pages.css").read_text()
    return f"""<!DOCTYPE html>
<html lang=en>
<head>
<meta charset=utf-8>
<meta name=viewport content="width=device-width,initial-scale=1">
<title>Assay: the atlas of libraries</title>
<style>
{style}{rules}
</style>
</head>
<body>
<main>
<header>
<h1>What functions of libraries keep</h1>
<p>Each row is a function of a library that Assay judged exactly: the strongest contracts about its results that it
kept, the weakest that it broke, and the largest error/bound that was seen of each. Every row has a permanent address,
the smallest counterexample and the command that repeats it.</p>
<ul class=counts>{''.join(f'<li><b>{escaped(number)}</b><span>{text}</span>' for number, text in counts)}</ul>
<ul class=key>{grades}</ul>
</header>
<h2>Functions of one number: the largest error seen, in ulps</h2>
{map_of(functions)}
<h2>Sums, products, rows, double words, conversions</h2>
{list_of(others)}
<h2>All rows</h2>
<form class=filters>{choices}<button type=reset>show all</button></form>
<div class=list>
<div class="row head"><div>operation</div><div>library, function, card</div>
<div>keeps, with error/bound</div><div>breaks, with error/bound</div></div>
{chr(10).join(map(row_html, rows))}
</div>
</main>
</body>
</html>
"""


def write(rows):
    (DOCS / "atlas.md").write_text(markdown(rows))
    (DOCS / "atlas.html").write_text(page(rows))
