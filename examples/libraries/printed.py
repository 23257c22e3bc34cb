"""The output of `assay check` for a kernel without promises."""

import re

LADDER = re.compile(r" on (?:host|cuda): keeps (.*?)(?:; breaks (.*?))?(?:; not decided: (.*?))?$", re.M)


def ladder(text):
    """The contracts that the kernel keeps, those that it breaks and those that were not decided, each as a list; None
    if the text has no ladder.

    >>> ladder("subject.dot on host: keeps any_order, exceptional; breaks faithful")
    {'keeps': ['any_order', 'exceptional'], 'breaks': ['faithful'], 'not_decided': []}
    """
    found = LADDER.search(text)
    if not found:
        return None
    lists = ([] if each in (None, "none") else each.split(", ") for each in found.groups())
    return dict(zip(("keeps", "breaks", "not_decided"), lists))
