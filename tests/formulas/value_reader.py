"""Values of all entries of all nodes of a graph, and the places of the entries."""

import itertools
import math
from decimal import Decimal as D
from fractions import Fraction

from decimal_numbers import FUNCTIONS, ONE, PI, ZERO, arctan2, rest


class ValueReader:
    """The values of one graph at the inputs of a document."""

    def __init__(self, document, derivation):
        graph = derivation["graph"]
        self.nodes, self.result = graph["nodes"], graph["place"]
        self.lengths, self.inputs, self.formats = document["lengths"], document["inputs"], document["formats"]
        self.masks = {each["name"]: each for each in graph["masks"]}
        self.ignored = {each["name"]: each.get("ignored") for each in graph["parameters"]}
        self.axes_of = {each["name"]: each["axes"] for each in graph["parameters"]}
        self.index_of = {each["name"]: each["index"] for each in graph["parameters"]}
        self.constants = []
        for node in self.nodes:
            is_known = all(self.constants[a] for a in node["arguments"])
            self.constants.append(node["op"] not in ("input", "where") and is_known)
        self.values = []
        for k in range(len(self.nodes)):
            self.values.append(self.evaluate(k))

    # Places of entries.

    def tuples(self, axes):
        return itertools.product(*(range(self.lengths[each]) for each in axes))

    def places_of(self, k):
        """The indices of each entry of a node by the names of their axes."""
        axes = self.nodes[k]["axes"]
        return [dict(zip(axes, each)) for each in self.tuples(axes)]

    def affine(self, of, at):
        return (
            sum(factor * at[axis] for axis, factor in of["indices"])
            + sum(factor * self.lengths[axis] for axis, factor in of["lengths"])
            + of["constant"]
            + sum(factor * self.integer(name, at) for name, factor in of.get("integers", []))
        )

    def integer(self, parameter, at):
        """The integer of a parameter at indices."""
        place = 0
        for axis in self.axes_of[parameter]:
            place = place * self.lengths[axis] + at[axis]
        return self.inputs[parameter][place]

    def place(self, k, at):
        """The entry of node k at indices. Indices of axes that the node does not have are ignored."""
        place = 0
        for axis in self.nodes[k]["axes"]:
            place = place * self.lengths[axis] + at[axis]
        return place

    def argument(self, k, a, at):
        """The node and the entry of an argument of k, at indices of k."""
        node = self.nodes[k]
        of = node["arguments"][a]
        if node["op"] == "gather":
            indices = [self.affine(each, at) for each in node["index"]]
            return of, self.place(of, dict(zip(self.nodes[of]["axes"], indices)))
        return of, self.place(of, at)

    def along(self, k, at):
        """`at`, combined with all indices over which a sum or a row of k runs."""
        over = self.nodes[k]["over"]
        return [{**at, **dict(zip(over, each))} for each in self.tuples(over)]

    def up_to(self, k, at):
        """The entries of the row of k up to `at`."""
        return [each for each in self.along(k, at) if self.place(k, each) <= self.place(k, at)]

    def is_in_mask(self, k, at):
        mask = self.masks.get(self.nodes[k].get("mask"))
        if mask is None:
            return True
        left, right = self.affine(mask["left"], at), self.affine(mask["right"], at)
        return {"<": left < right, "<=": left <= right, "==": left == right}[mask["compare"]]

    def row(self, logits, at):
        """The unmasked entries of the row of logits at the other indices, and the number of all its entries."""
        all_of_row = self.along(logits, at)
        return [self.place(logits, each) for each in all_of_row if self.is_in_mask(logits, each)], len(all_of_row)

    # Values.

    def value(self, k, a, at):
        of, place = self.argument(k, a, at)
        return self.values[of][place]

    def evaluate(self, k):
        node = self.nodes[k]
        if node["op"] == "input":
            numbers = self.inputs[node["parameter"]]
            return [D(each) if isinstance(each, int) else D(float.fromhex(each)) for each in numbers]
        if node["op"] == "constant":
            return [self.constant(node["value"])]
        if node["op"] == "sort":
            return [sorted(self.value(k, 0, each) for each in self.along(k, at))[at[node["over"][0]]]
                    for at in self.places_of(k)]
        if node["op"] in ("cumsum", "cumprod"):
            total = sum if node["op"] == "cumsum" else math.prod
            return [total(self.value(k, 0, each) for each in self.up_to(k, at)) for at in self.places_of(k)]
        return [self.entry(k, at) for at in self.places_of(k)]

    def names_nothing(self, k, at):
        """Whether the integer of a pick or a spread is the one that names no place."""
        return self.value(k, 1, at) == self.ignored[self.nodes[k]["parameter"]]

    def picked(self, k, at):
        """`at`, combined with the place that the integer of a pick names, where the pick runs along an axis."""
        return {**at, **dict.fromkeys(self.nodes[k]["over"], int(self.value(k, 1, at)))}

    def is_named(self, k, at):
        """Whether an entry of a spread is at the place that its integer names."""
        return not self.names_nothing(k, at) and int(self.value(k, 1, at)) == at[self.nodes[k]["axes"][-1]]

    def stochastic(self, node, x, at):
        """formula.stochastic.1: x rounded by the random word, with fractions."""
        precision, emin, _ = node["to"]
        words = self.lengths[self.index_of[node["parameter"]]]
        x = Fraction(x)
        exponent = emin
        while abs(x) >= Fraction(2) ** (exponent + 1):
            exponent += 1
        gap = Fraction(2) ** (exponent + 1 - precision)
        size = (abs(x) / gap + Fraction(self.integer(node["parameter"], at), words)) // 1 * gap
        return D(size.numerator) / D(size.denominator) * (-1 if x < 0 else 1)

    def constant(self, value):
        if isinstance(value, dict):
            return D(self.affine(value, {}))
        if value == "pi":
            return PI
        numerator, _, denominator = value.partition("/")
        return D(numerator) / D(denominator or "1")

    def entry(self, k, at):
        node = self.nodes[k]
        op = node["op"]
        x = lambda a=0, at=at: self.value(k, a, at)
        if op in FUNCTIONS:
            return FUNCTIONS[op](x())
        if op == "power":
            return x() ** node["exponent"]
        if op in ("add", "sub", "mul", "div", "max", "min", "pow", "atan2", "fmod", "remainder"):
            a, b = x(0), x(1)
            return {"add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "div": lambda: a / b,
                    "pow": lambda: ZERO if a == 0 and b > 0 else a**b, "atan2": lambda: arctan2(a, b),
                    "fmod": lambda: rest(a, b, False), "remainder": lambda: rest(a, b, True),
                    "max": lambda: max(a, b), "min": lambda: min(a, b)}[op]()
        if op in ("gather", "logits"):
            return x()
        if op == "norm":
            return ONE
        if op == "stack":
            return x(at[node["axes"][-1]])
        if op == "where":
            return x(0 if self.is_in_mask(k, at) else 1)
        if op == "pick":
            return ZERO if self.names_nothing(k, at) else x(0, self.picked(k, at))
        if op == "spread":
            return x() if self.is_named(k, at) else ZERO
        if op == "stochastic":
            return self.stochastic(node, x(), at)
        if op in ("softmax", "logsumexp"):
            logits = node["arguments"][0]
            row, _ = self.row(logits, at)
            if op == "softmax" and not self.is_in_mask(logits, at):
                return ZERO
            highest = max(self.values[logits][each] for each in row)
            weights = sum((self.values[logits][each] - highest).exp() for each in row)
            if op == "logsumexp":
                return weights.ln() + highest
            return (self.values[logits][self.place(logits, at)] - highest).exp() / weights * x(1)
        terms = [x(0, each) for each in self.along(k, at)]
        if op == "dot":
            terms = [a * x(1, each) for a, each in zip(terms, self.along(k, at))]
        if op == "max_over":
            return max(terms)
        if op == "prod":
            return math.prod(terms)
        if op == "argmax":
            return D(terms.index(max(terms)))
        if op == "variance":
            mean = sum(terms) / len(terms)
            return sum((each - mean) ** 2 for each in terms) / len(terms)
        return sum(terms)
