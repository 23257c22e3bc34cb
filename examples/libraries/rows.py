"""The rows of the atlas: what is asked of libraries (libraries.json), and what they answered (atlas/*.json).

libraries.json is a list of entries. An entry is one library, called in one way:

    library       its name in the atlas
    as            its name in reports and corpora, where an entry shares a library with another one
    subject       a library file, a program in Python, or a source file that is compiled
    rows          what is asked: operation, format and function, with blanks between them
    operations    in place of rows: operations, in a text or a list of texts, whose function is named by a pattern for
                  each format, as in
    functions     {"f64": "{}", "f32": "{}f"}
    symbol        how the function is called in a source file that is compiled, as in "{operation}_{format}"; a row says
                  it after an equals sign. The function of a library file has its own name.
    version       what tells the version: a library file, `python MODULE`, `package NAME` of Debian, or `command WORDS`;
                  otherwise the subject does
    compiler      of a source file, with its flags; otherwise c++ or nvcc
    environment   variables of the run
    device        true where the kernel needs a device
    on            cuda where its arrays are on the device
    cases         how many, where the default takes too long
    runs          of conversions: the subject is a program that writes files of runs (docs/convert.md), with these words
                  and a folder as arguments. A row says the name of its file after an equals sign
    checked       true where the subject is a file of functions that assay.check calls. A row says the function after an
                  equals sign. An operation that is not shipped is a formula in a file of this folder, NAME.formula
    shapes        of such functions, as for assay.check
A row of several formats has commas between them.

atlas/LIBRARY-VERSION-CARD.json has the answers of one version of a library on one card. A card is a device, such as
H200, or the level of the processor of a host, such as x86-64-v3. What stands there for a row:

    date          of the run
    keeps         the strongest contracts that were kept, each with the largest error/bound, null where there is none
    breaks        the weakest ones that were broken, likewise
    undecided     contracts that were asked and not decided
    violates      claims made of every kernel, such as the same bits in a repetition, that were violated
    stopped       how the kernel ended where it crashed or hung
    ulps          of a function of one number, the largest error in ulps
    smallest      the smallest counterexample: its contract, its inputs, what came and the exact result
    command       what repeats the run, in the root of this project
"""

import json
import pathlib
import re
import threading

HERE = pathlib.Path(__file__).resolve().parent
ANSWERS = HERE / "atlas"
STORING = threading.Lock()
LARGEST_INPUTS = 2048  # bytes; for a longer counterexample only the lengths of its lists are given


def operations_of(entry):
    told = entry["operations"]
    return (told if isinstance(told, str) else " ".join(told)).split()


def asked():
    """A dictionary for each row that libraries.json requests: entry, operation, format, library, function, symbol."""
    rows = []
    for entry in json.loads((HERE / "libraries.json").read_text()):
        words = [row.split(" ", 2) for row in entry.get("rows", [])]
        words += [[operation, number_format, name.format(operation)] for number_format, name in
                  entry.get("functions", {}).items() for operation in operations_of(entry)]
        for operation, number_format, name in ((operation, each, name) for operation, formats, name in words
                                               for each in formats.split(",")):
            function, _, symbol = name.partition(" = ")
            if not symbol and ".so" in entry["subject"]:
                symbol = function
            elif not symbol:
                symbol = entry.get("symbol", "").format(operation=operation, format=number_format)
            rows.append({"entry": entry, "operation": operation, "format": number_format, "library": entry["library"],
                         "function": function, "symbol": symbol})
    return rows


def at_published_shapes(asked):
    """Of rows that `assay check` judges, one for each shape that is published for the operation: its entry has the
    member `shape`.

    >>> rows = [{"operation": operation, "entry": {"library": "numpy"}} for operation in ("fft", "exp")]
    >>> [each["entry"]["shape"] for each in at_published_shapes(rows)]
    ['n=400', 'n=512', 'n=2048', 'n=4096', 'n=16384']
    """
    published = {operation: part["shapes"] for part in json.loads((HERE / "published_shapes.json").read_text())
                 for operation in part["operations"].split()}
    return [{**row, "entry": {**row["entry"], "shape": shape}} for row in asked if not row["entry"].get("checked")
            for shape in published.get(row["operation"], ())]


def joined(words):
    return "-".join(re.sub(r"[^A-Za-z0-9._]+", "_", word) for word in words)


def anchor_front(row):
    """The part of the anchor that does not depend on the machine."""
    return joined(row[name] for name in ("operation", "format", "library", "function"))


def anchor(row):
    """The permanent name of a row of the atlas: made only of the fields that say what the row is about."""
    return f"{anchor_front(row)}-{joined([row['version']])}-{row['card']}"


def file_name(row):
    return f"{row['library']}-{row['version']}-{row['card']}.json"


def key(row):
    """The key by which a row is found among those of its file."""
    return row["operation"], row["format"], row["function"]


def answers():
    """All rows of the atlas, each with library, version, card and machine, sorted by the fields that say what they are
    about."""
    rows = []
    for file in sorted(ANSWERS.glob("*.json")):
        document = json.loads(file.read_text())
        shared = {name: document[name] for name in ("library", "version", "card", "machine")}
        rows += [{**shared, **row} for row in document["rows"]]
    return sorted(rows, key=lambda row: (row["operation"], row["format"], row["library"], row["card"], row["version"],
                                         row["function"]))


def store(row):
    """Writes a row into the file of its library, version and card, in place of the earlier row."""
    shared = {name: row[name] for name in ("library", "version", "card", "machine")}
    file = ANSWERS / file_name(row)
    with STORING:
        write_row(file, shared, row)


def write_row(file, shared, row):
    rows = json.loads(file.read_text())["rows"] if file.exists() else []
    rows = [each for each in rows if key(each) != key(row)]
    rows.append({name: value for name, value in row.items() if name not in shared})
    lines = ",\n".join("  " + json.dumps(each, ensure_ascii=False) for each in sorted(rows, key=key))
    front = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in shared.items())
    ANSWERS.mkdir(exist_ok=True)
    file.write_text(f"{{\n{front},\n  \"rows\": [\n{lines}\n]}}\n")
