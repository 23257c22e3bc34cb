"""A second reader of `assay explain --json`. It recomputes steps, shares and causes with 900 decimal digits, only from
the inputs and the formulas of the steps, and names every difference."""

import decimal
import math
import re
from decimal import Decimal as D
from fractions import Fraction as F

decimal.getcontext().prec = 900
decimal.getcontext().Emax, decimal.getcontext().Emin = 10**9, -(10**9)

#: p, emin, emax
FORMATS = {"binary64": (53, -1022, 1023), "binary32": (24, -126, 127), "binary16": (11, -14, 15)}
INF = float("inf")
NAN = float("nan")
FUNCTIONS = {"exp": D.exp, "log": D.ln, "sqrt": D.sqrt}


def number(text):
    """The exact value of a hexadecimal float, or an infinity or a NaN as a float."""
    if "nan" in text:
        return NAN
    if "inf" in text:
        return -INF if text.startswith("-") else INF
    sign, whole, part, exponent = re.fullmatch(r"(-?)0x([0-9a-f]+)(?:\.([0-9a-f]+))?p([+-]\d+)", text).groups()
    digits = part or ""
    value = D(int(whole + digits, 16)) * D(2) ** (int(exponent) - 4 * len(digits))
    return -value if sign else value


def is_number(x):
    return isinstance(x, D)


def rounded(x, name):
    """Rounds to nearest, ties to even."""
    precision, emin, emax = FORMATS[name]
    if abs(x) < D(2) ** (emin - precision - 1):
        return D(0)
    exact = F(x)
    exponent = abs(exact.numerator).bit_length() - exact.denominator.bit_length()
    exponent -= abs(exact) < F(2) ** exponent
    unit = F(2) ** (max(exponent, emin) - precision + 1)
    result = round(exact / unit) * unit
    if abs(result) >= F(2) ** (emax + 1):
        return INF if x > 0 else -INF
    return D(result.numerator) / D(result.denominator)


def combined(formula, values):
    """The value of a formula with names: a sum, a difference, a product, a quotient or a function."""
    call = re.fullmatch(r"(\w+)\((\S+)\)", formula)
    if call:
        x = values[call[2]]
        if not is_number(x):
            return x if math.isnan(x) or x > 0 else D(0)
        if call[1] != "exp" and x <= 0:
            return NAN if x < 0 else -INF if call[1] == "log" else x
        return FUNCTIONS[call[1]](x)
    a, sign, b = formula.split(" ")
    a, b = values[a], values[b]
    if not (is_number(a) and is_number(b)):
        a, b = float(a), float(b)
        result = a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b
        return D(result) if math.isfinite(result) else result
    return a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b


class Reader:
    def __init__(self, document):
        self.document, self.steps = document, document["steps"]
        inputs = {each["name"]: number(each["number"]) for each in document["inputs"]}
        for step in self.steps:  # constants, such as the number of columns
            inputs.update({name: D(name) for name in re.findall(r"(?<= )\d+(?= |$)", step["formula"])})
        self.inputs = inputs
        self.rounded, self.unrounded, self.exact = dict(inputs), {}, dict(inputs)
        for step in self.steps:
            name, formula = step["name"], step["formula"]
            self.unrounded[name] = combined(formula, self.rounded)
            value = self.unrounded[name]
            self.rounded[name] = rounded(value, document["format"]) if is_number(value) else value
            self.exact[name] = combined(formula, self.exact)
        self.result = self.steps[-1]["name"]
        self.is_finite = all(is_number(each) for each in (*self.rounded.values(), *self.exact.values()))
        self.shares = self.all_shares() if self.is_finite else {}

    def all_shares(self):
        values, shares = dict(self.exact), {}
        for k, step in enumerate(self.steps):
            before = values[self.result]
            values[step["name"]] = self.rounded[step["name"]]
            for later in self.steps[k + 1 :]:
                values[later["name"]] = combined(later["formula"], values)
            shares[step["name"]] = values[self.result] - before
        return shares

    def operands(self, step):
        return [self.rounded[each] for each in re.sub(r"\w+\((\S+)\)", r"\1", step["formula"]).split(" ")[::2]]

    def cause_of(self, step):
        """The cause of a rounded step's error: rounding, lost_term or underflow."""
        value, exact = self.rounded[step["name"]], self.unrounded[step["name"]]
        if re.search(r" [+-] ", step["formula"]) and abs(value) in [abs(each) for each in self.operands(step)]:
            return "lost_term"
        return "underflow" if abs(exact) < D(2) ** FORMATS[self.document["format"]][1] else "rounding"

    def causes(self):
        if not self.is_finite:
            return self.special_causes()
        largest = max(abs(each) for each in self.shares.values())
        if largest <= abs(self.exact[self.result]) * D(10) ** -850:
            return ["exact"]
        first = next(k for k, step in enumerate(self.steps)
                     if abs(abs(self.shares[step["name"]]) - largest) < largest * D(10) ** -20)
        causes = [self.cause_of(self.steps[first])]
        later = self.steps[first + 1 :]
        cancels = [step for step in later if re.search(r" [+-] ", step["formula"]) and 0 not in self.operands(step)
                   and abs(self.rounded[step["name"]]) * 8 <= max(abs(each) for each in self.operands(step))]
        return causes + (["cancellation"] if cancels else [])

    def special_causes(self):
        if any(not is_number(each) for each in self.inputs.values()):
            made = [step for step in self.steps if not is_number(self.rounded[step["name"]])
                    and math.isnan(self.rounded[step["name"]])
                    and not any(math.isnan(each) for each in self.operands(step))]
            return ["special_input"] + (["invalid"] if made else [])
        first = next(step["name"] for step in self.steps if not is_number(self.rounded[step["name"]]))
        return ["overflow"] if is_number(self.unrounded[first]) else ["invalid"]

    def faults(self):
        """A line for each entry of the document that does not follow from the inputs."""
        found = []
        for step in self.steps:
            name = step["name"]
            stated, own = number(step["rounded"]), self.rounded[name]
            if stated != own and not (repr(stated) == repr(own) == "nan"):
                found.append(f"{name}: rounded {step['rounded']}")
            exact = self.exact[name]
            if (step["exact"] == "") == is_number(exact):
                found.append(f"{name}: exact {step['exact']!r}")
            elif is_number(exact) and not near(step["exact"], exact, 20):
                found.append(f"{name}: exact {step['exact']}")
            if self.is_finite:
                for what, own in (("error", self.rounded[name] - exact), ("share", self.shares[name]),
                                  ("lost", self.rounded[name] - self.unrounded[name])):
                    if not near(step[what], own, 3):
                        found.append(f"{name}: {what} {step[what]}")
        told = [each for each in self.document["causes"] if each != "other_kernel"]
        if told != self.causes():
            found.append(f"causes {told} in place of {self.causes()}")
        return found


def near(text, own, digits):
    far = re.fullmatch(r"(beyond|within) (-?)2\^(-?100000)", text)
    if far:
        limit = D(2) ** int(far[3])
        return (own < 0) == (far[2] == "-") and (abs(own) > limit if far[1] == "beyond" else abs(own) < limit)
    return abs(D(text) - own) <= abs(own) * D(10) ** -digits + D(10) ** -850
