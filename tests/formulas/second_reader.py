#!/usr/bin/env python3
"""A second reader of derivations. It recomputes what `assay tolerance FORMULA --derivation --json` says about every
entry of every node, only from the graph, the inputs and docs/bounds/formula.md.

    second_reader.py DERIVATION.json …

It shares no code with the engine. decimal_numbers.py has the arithmetic, value_reader.py the values, forward_reader.py
the errors of the forward rule. Numbers have 60 decimal digits. Functions come from Python's decimal module, or are
series written here. Each error that the engine states must be at least the error found here, since the engine rounds
upward, and not much larger. Every violation is printed in a line, and makes the exit code 1.
"""

import functools
import json
import pathlib
import sys
from decimal import Decimal as D, DivisionByZero, InvalidOperation

from decimal_numbers import INF, ONE, SLOPES, TWO, ZERO, Interval
from forward_reader import MOVES, ForwardReader
from sum_reader import Costs

#: The smallest positive number of binary64.
LEAST = TWO**-1074
POINT = Interval(ONE)
HALF_OPEN = Interval(ZERO, ONE)


class Reader(ForwardReader):
    """One graph on one machine, and MEAN for one entry of the result: formula.mean.1, formula.copies.1."""

    def box(self, k, place):
        return Interval(*self.ends(k, place))

    def slopes(self, k, at):
        """(argument, entry, [∂f/∂v](B)) for an entry of node k. For softmax see `of_rows`: it needs all adjoints."""
        node = self.nodes[k]
        op = node["op"]
        of = lambda a=0, at=at: self.argument(k, a, at)
        box = lambda a=0, at=at: self.box(*of(a, at))
        minus = Interval(-ONE)
        if op in ("add", "sub"):
            return [(*of(0), POINT), (*of(1), POINT if op == "add" else minus)]
        if op == "mul":
            return [(*of(0), box(1)), (*of(1), box(0))]
        if op == "div":
            return [(*of(0), POINT / box(1)), (*of(1), minus * (POINT / box(1)) * (box(0) / box(1)))]
        if op in ("max", "min"):
            a, b = box(0), box(1)
            first, second = (a, b) if op == "max" else (b, a)
            part = POINT if second.high <= first.low else Interval(ZERO) if first.high < second.low else HALF_OPEN
            return [(*of(0), part), (*of(1), POINT - part)]
        if op in ("gather", "logits"):
            return [(*of(), POINT)]
        if op == "stack":
            return [(*of(at[node["axes"][-1]]), POINT)]
        if op == "where":
            return [(*of(int(not self.is_in_mask(k, at))), POINT)]
        if op == "spread":
            return [(*of(), POINT)] if self.is_named(k, at) else []
        if op == "pick" and self.names_nothing(k, at):
            return []
        if op == "atan2":
            y, x = box(0), box(1)
            squares = x * x + y * y
            return [(*of(0), x / squares), (*of(1), minus * y / squares)]
        if op == "pow":
            own, slopes = self.box(k, self.place(k, at)), []
            if any(self.total[node["arguments"][0]]):
                slopes.append((*of(0), own * box(1) / box(0)))
            if any(self.total[node["arguments"][1]]):
                slopes.append((*of(1), own * box(0).of(D.ln)))
            return slopes
        if op == "sort":
            own = self.box(k, self.place(k, at))
            boxes = [(of(0, each), box(0, each)) for each in self.along(k, at)]
            met = [place for place, x in boxes if x.low <= own.high and own.low <= x.high]
            return [(*place, POINT if len(met) == 1 else HALF_OPEN) for place in met]
        if op == "pick":
            return [(*of(0, self.picked(k, at)), POINT)]
        if op in ("norm", "constant", "input", "argmax", "sign", "stochastic", "fmod", "remainder"):
            return []
        if op == "sum":
            return [(*of(0, each), POINT) for each in self.along(k, at)]
        if op == "cumsum":
            return [(*of(0, each), POINT) for each in self.up_to(k, at)]
        if op in ("prod", "cumprod"):
            factors = self.along(k, at) if op == "prod" else self.up_to(k, at)
            slopes = []
            for each in factors:
                others = [box(0, other) for other in factors if other != each]
                slopes.append((*of(0, each), functools.reduce(Interval.__mul__, others, POINT)))
            return slopes
        if op == "dot":
            return [part for each in self.along(k, at)
                    for part in ((*of(0, each), box(1, each)), (*of(1, each), box(0, each)))]
        if op == "max_over":
            boxes = [(each, box(0, each)) for each in self.along(k, at)]
            parts = []
            for each, x in boxes:
                others = [y for other, y in boxes if other != each]
                if any(x.high < y.low for y in others):
                    continue
                parts.append((*of(0, each), POINT if all(y.high < x.low for y in others) else HALF_OPEN))
            return parts
        if op == "logsumexp":
            logits = node["arguments"][0]
            own = self.box(k, self.place(k, at))
            return [(logits, each, (self.box(logits, each) - own).of(D.exp)) for each in self.row(logits, at)[0]]
        if op == "variance":
            terms = self.along(k, at)
            n = Interval(D(len(terms)))
            mean = Interval(ZERO)
            for each in terms:
                mean = mean + box(0, each)
            mean = mean / n
            return [(*of(0, each), Interval(TWO) * (box(0, each) - mean) / n) for each in terms]
        x = box()
        if op == "power":
            n = node["exponent"]
            return [(*of(), Interval(D(n)) * x.of(lambda each: each ** (n - 1), [ZERO]))]
        if op in ("abs", "relu"):
            below = Interval(-ONE) if op == "abs" else Interval(ZERO)
            return [(*of(), POINT if x.low >= 0 else below if x.high <= 0 else Interval(below.low, ONE))]
        function, between = SLOPES[op]
        return [(*of(), x.of(function, between))]

    def of_rows(self, k, adjoints):
        """Adjoints of a softmax: p_j(A_j − Σ A_i p_i) for its logits, and Σ A_i p_i over the factor for the factor."""
        logits, norm = self.nodes[k]["arguments"]
        for at in self.places_of(norm):
            row, _ = self.row(logits, at)
            total = Interval(ZERO)
            for each in row:
                total = total + adjoints[each] * self.box(k, each)
            of_factor = total / self.box(norm, self.place(norm, at))
            for each in row:
                yield logits, each, self.box(k, each) * (adjoints[each] - of_factor)
            yield norm, self.place(norm, at), of_factor

    def is_copied(self, k):
        node = self.nodes[k]
        is_declared = node.get("is_recomputed", False) or "factors" in node
        return is_declared or node["op"] in ("mul", "power", "prod", "cumprod", "softmax", *MOVES) or self.mixed[k]

    def mean(self, entry):
        """The bound for an entry of the result, and the share of each node; infinite where FORWARD is, or where a
        derivative is not defined in a box."""
        if self.total[self.result][entry] == INF:
            return INF, {}
        try:
            return self.reverse(entry)
        except (InvalidOperation, DivisionByZero):
            return INF, {}

    def reverse(self, entry):
        count = len(self.nodes)
        self.mixed = [self.is_mixed(k) for k in range(count)]
        linear = ("add", "sub", "sum", "cumsum", *MOVES)
        leads = [False] * count
        copies = [[0] * len(values) for values in self.values]
        copies[self.result][entry] = 1
        adjoints = [[Interval(ZERO) for _ in values] for values in self.values]
        uses = [[ZERO for _ in values] for values in self.values]
        adjoints[self.result][entry], uses[self.result][entry] = POINT, ONE
        parts = {}
        for k in reversed(range(count)):
            counted = self.is_copied(k) or leads[k]
            weights = uses[k] if counted else [each.magnitude for each in adjoints[k]]
            parts[k] = sum(w * local for w, local in zip(weights, self.local[k]) if w != 0)
            if self.constants[k] or self.nodes[k]["op"] == "input" or not any(weights):
                continue
            branches = (self.is_copied(k) and self.nodes[k]["op"] not in linear and max(copies[k]) > 1
                        and any(self.is_copied(a) for a in self.nodes[k]["arguments"]))
            if branches or leads[k]:
                for a in self.nodes[k]["arguments"]:
                    leads[a] = True
            if self.nodes[k]["op"] == "softmax":
                of_row = max(copies[k]) if self.is_copied(k) else 1
                symmetric = [Interval(-each, each) for each in weights]
                for of, place, more in self.of_rows(k, adjoints[k]):
                    adjoints[of][place] = adjoints[of][place] + more
                    uses[of][place] += 0 if counted else more.magnitude
                    copies[of][place] += of_row
                for of, place, more in self.of_rows(k, symmetric) if counted else []:
                    uses[of][place] += more.magnitude
                continue
            in_use = {}  # the entries of a node use the weights of a softmax together
            for place, at in enumerate(self.places_of(k)):
                if weights[place] == 0:
                    continue
                for of, to, slope in self.slopes(k, at):
                    adjoints[of][to] = adjoints[of][to] + adjoints[k][place] * slope
                    if not counted and self.nodes[of]["op"] == "softmax" and not self.mixed[of]:
                        in_use[of, to] = in_use.get((of, to), Interval(ZERO)) + adjoints[k][place] * slope
                    else:
                        uses[of][to] += weights[place] * slope.magnitude
                    copies[of][to] += copies[k][place] if self.is_copied(k) else 1
            for (of, to), each in in_use.items():
                uses[of][to] += each.magnitude
        return sum(parts.values()), parts


def compared(stated, found, slack, more=ZERO):
    """The fault of a stated bound, or None. The bound is rounded up to a number of binary64, and may exceed
    found·(1 + slack) by `more`."""
    stated = D("Infinity") if stated == "inf" else D(float.fromhex(stated))
    if stated < found * (1 - D(10) ** -12):
        return f"states {stated:.8g}, and the page gives {found:.8g}: too small"
    if stated > found * (1 + slack) + more + LEAST:
        return f"states {stated:.8g}, and the page gives {found:.8g}: {float(stated / found - 1) if found else INF:.2g} of it too much"
    return None


def slack_of(machine):
    """The largest excess of a stated bound. The engine rounds upward, bounds (1 + u)ⁿ − 1 by exp(nu) − 1, and takes
    boxes for their hulls. This adds errors of the second order."""
    u = max(Costs(machine["wide"]).u, Costs(machine["store"]).u if machine["store"] else ZERO)
    return D("1e-6") + 200 * u


def faults(document, of_all=None):
    """A line for each number of a derivation that does not follow from the page. `of_all`: the slack, in place of slack_of()."""
    found = []
    for each in document["machines"]:
        machine, entry = each["machine"], each["entry"]
        slack = of_all or slack_of(machine)
        bound = ZERO
        for derivation in each["derivations"]:
            reader = Reader(document, derivation, machine)
            where = f"{document['formula']} on {machine['name']}"
            for k, node in enumerate(reader.nodes):
                for what in ("local", "total"):
                    for i, (stated, own) in enumerate(zip(derivation[what][k], getattr(reader, what)[k], strict=True)):
                        fault = compared(stated, own, slack)
                        if fault:
                            found.append(f"{where}: node {k} ({node['op']} {node['name']}), entry {i}, {what}: {fault}")
            mean, parts = reader.mean(entry)
            stated = {share["node"]: share["error"] for share in derivation["shares"]}
            for k, own in parts.items():
                # If its adjoints cancel, a share is itself of the second order, and may be off by a hundred squares of
                # the slack of the whole bound.
                fault = compared(stated.get(k, "0x0p+0"), own, slack, 100 * slack**2 * mean)
                if fault:
                    found.append(f"{where}: share of node {k} ({reader.nodes[k]['op']}): {fault}")
            bound = max(bound, min(mean, reader.total[reader.result][entry]))
            for what, own in (("by_mean", mean), ("by_forward", reader.total[reader.result][entry])):
                fault = compared(derivation[what], own, slack)
                if fault:
                    found.append(f"{where}: {what}: {fault}")
        fault = compared(each["bound"], bound, slack)
        if fault:
            found.append(f"{document['formula']} on {machine['name']}: bound: {fault}")
    return found


def main():
    wrong = []
    for path in sys.argv[1:]:
        wrong += faults(json.loads(pathlib.Path(path).read_text(encoding="utf-8")))
    print("\n".join(wrong) if wrong else f"{len(sys.argv) - 1} derivations: every number is what the page gives")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
