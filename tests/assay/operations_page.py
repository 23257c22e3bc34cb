"""Makes docs/operations.md from what the program says about its operations and shipped formulas.

operations_page.py ASSAY FOLDER-OF-FORMULAS PAGE [--write]: compares the page, or writes it.
"""

import difflib
import json
import pathlib
import subprocess
import sys

HEAD = """# Operations

The operations and formulas that Assay judges by name. `tests/assay/operations_page.py --write` makes this page from the
output of `assay contracts`, and a test compares the two.

## Formulas

{count} formulas are shipped, in [properties/formulas/library](../properties/formulas/library). [formula.md](formula.md)
describes their language and their machines, from strong to weak. [bounds/formula.md](bounds/formula.md) has the
theorems. One line each judges a kernel in a library, in a program that speaks through pipes, and in Python:

```
assay check --formula rms_norm_residual --subject ./libmine.so --symbol rms_norm_residual --format f32
assay check --formula rms_norm_residual --subject "python3 my_kernel.py" --format f32
python3 -c "import assay, mine; print(assay.check(mine.rms_norm_residual, 'rms_norm_residual', format='f32'))"
```

Every formula also has the contracts `correctly_rounded`, `faithful` and `exceptional`. The table has the machines in
f32. `assay contracts FILE` lists all of them, including those that round definitions to f16 or bf16.

| formula | of | computes | machines in f32 |
| --- | --- | --- | --- |
"""
OPERATIONS = """
## Operations with contracts of their own

Their theorems were proved by hand. Use `--operation NAME` or `assay.check(function, "NAME")`.

| operation | computes | formats | contracts |
| --- | --- | --- | --: |
"""
OF_EVERY_FORMULA = ("correctly_rounded", "faithful", "exceptional")


def described(assay, *what):
    told = subprocess.run([assay, "contracts", *what, "--json"], capture_output=True, text=True, check=True)
    return json.loads(told.stdout)["operations"]


def cell(text):
    return text.replace("|", "\\|")


def page(assay, folder):
    formulas = sorted(folder.glob("*.formula"))
    text = HEAD.format(count=len(formulas))
    for file in formulas:
        (formula,) = described(assay, str(file))
        machines = [
            each["id"]
            for each in formula["contracts"]
            if each["id"] not in OF_EVERY_FORMULA and (not each["formats"] or "f32" in each["formats"])
        ]
        head = file.read_text(encoding="utf-8").splitlines()[0]
        of = head[head.index("(") :]
        text += f"| `{file.stem}` | `{of}` | {cell(formula['computes'])} | {', '.join(machines)} |\n"
    text += OPERATIONS
    for each in described(assay):
        formats = ", ".join(each["formats"])
        text += f"| `{each['name']}` | {cell(each['computes'])} | {formats} | {len(each['contracts'])} |\n"
    return text


def main():
    assay, folder, file = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    made = page(assay, folder)
    if sys.argv[4:] == ["--write"]:
        file.write_text(made, encoding="utf-8")
        return 0
    there = file.read_text(encoding="utf-8")
    changes = difflib.unified_diff(there.splitlines(), made.splitlines(), str(file), "the program", lineterm="", n=0)
    for line in changes:
        print(line)
    return int(made != there)


if __name__ == "__main__":
    sys.exit(main())
