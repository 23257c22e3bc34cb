"""Runs the examples in the docstrings of the package and on the pages that are named as arguments."""

import doctest
import importlib
import sys

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

failed = attempted = 0
PARTS = ["_arrays", "_bits", "_shapes", "judge", "_check", "_within", "_close", "_tolerance", "_formula", "language"]
for name in [*PARTS, "testing", "strategies"]:
    result = doctest.testmod(importlib.import_module("assay." + name), optionflags=FLAGS)
    failed += result.failed
    attempted += result.attempted
for page in sys.argv[1:]:
    result = doctest.testfile(page, module_relative=False, optionflags=FLAGS)
    failed += result.failed
    attempted += result.attempted
print(f"{attempted} examples, {failed} failed")
sys.exit(failed != 0 or attempted == 0)
