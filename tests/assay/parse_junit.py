#!/usr/bin/env python3
"""Parses a JUnit file with names and messages of markup and of characters that XML forbids.

parse_junit.py FILE

FILE is junit_of_markup.xml of assay_sample_files. Fails if it is not XML, if it contains an element that Assay does not
write, or if a text is not the original one, with U+FFFD for each byte that XML forbids.
"""

import sys
import xml.etree.ElementTree

MARKUP = """</failure><script x="1">&amp;'"]]>\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"""
FORBIDDEN = "\N{REPLACEMENT CHARACTER}" * 11
ELEMENTS = {"testsuites", "testsuite", "testcase", "failure", "error", "skipped"}


def main():
    suites = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    assert {each.tag for each in suites.iter()} == ELEMENTS, {each.tag for each in suites.iter()}
    text = MARKUP + FORBIDDEN
    for suite in suites.iter("testsuite"):
        assert text in suite.get("name"), suite.attrib
        assert [each.get("name").endswith(text) for each in suite] == [True, False], suite.attrib
    assert {each.get("message") for each in suites.iter("skipped")} == {text, "broken, not promised"}
    for each in [*suites.iter("failure"), *suites.iter("error")]:
        assert text in each.text, each.text


if __name__ == "__main__":
    main()
