#!/usr/bin/env python3
"""A second reader of derivations: recomputes, from the graph, the inputs and docs/bounds/formula.md alone, what
`assay tolerance FORMULA --derivation --json` says of every entry of every node.

    second_reader.py DERIVATION.json …

It shares no code with the engine. Numbers are of 60 decimal digits, and functions are those of Python's decimal module
or series written here. Each error that the engine states must be at least the one found here, since the engine rounds
upward, and not much larger. Prints a line for each number that is not so; the exit code is 1 where there is one.
"""

import decimal
import itertools
import json
import math
import pathlib
import sys
from decimal import Decimal as D

decimal.getcontext().prec = 60
decimal.getcontext().Emax, decimal.getcontext().Emin = 10**9, -(10**9)

#: p, emin, emax
FORMATS = {"f64": (53, -1022, 1023), "f32": (24, -126, 127), "f16": (11, -14, 15), "bf16": (8, -126, 127)}
ZERO, ONE, TWO, INF = D(0), D(1), D(2), D("Infinity")
#: The engine writes bounds between 0 and 2⁻¹⁰⁰⁰, such as η/2 of binary64, as a number of this size.
LEAST_WRITTEN = TWO**-999
MOVES = {"gather", "stack", "where", "neg"}


def power_of_two(e):
    return TWO**e


def series(term, step):
    """The sum of terms of which step(j) makes the next one from the last."""
    total, j = ZERO, 0
    while abs(term) > D(10) ** -70:
        total += term
        j += 1
        term *= step(j)
    return total


def pi():
    """16 arctan(1/5) − 4 arctan(1/239)."""
    arctan = lambda n: sum(((-1) ** j) / (D(n) ** (2 * j + 1) * (2 * j + 1)) for j in range(60))
    return 16 * arctan(5) - 4 * arctan(239)


PI = pi()


def cosine(x):
    x = x.copy_abs() % (2 * PI)
    return series(ONE, lambda j: -x * x / (2 * j * (2 * j - 1)))


def error_function(x):
    """Of |x| at most 9, beyond which it is ±1 to 35 digits."""
    if abs(x) > 9:
        return ONE.copy_sign(x)
    with decimal.localcontext() as context:
        context.prec = 120
        total, term, j = ZERO, x, 0
        while abs(term) > D(10) ** -80:
            total += term / (2 * j + 1)
            j += 1
            term *= -x * x / j
        return 2 / PI.sqrt() * total


def sigmoid(x):
    return ONE / (ONE + (-x).exp())


FUNCTIONS = {
    "neg": lambda x: -x,
    "abs": abs,
    "relu": lambda x: max(x, ZERO),
    "exp": lambda x: x.exp(),
    "exp2": lambda x: (x * TWO.ln()).exp(),
    "expm1": lambda x: x.exp() - 1,
    "log": lambda x: x.ln(),
    "log1p": lambda x: (1 + x).ln(),
    "sqrt": lambda x: x.sqrt(),
    "rsqrt": lambda x: ONE / x.sqrt(),
    "tanh": lambda x: ONE - 2 / ((2 * x).exp() + 1),
    "erf": error_function,
    "sigmoid": sigmoid,
    "sin": lambda x: cosine(x - PI / 2),
    "cos": cosine,
}
#: Derivatives, each with the points between the ends of an interval at which its magnitude may be largest.
SLOPES = {
    "neg": (lambda x: -ONE, []),
    "exp": (lambda x: x.exp(), []),
    "expm1": (lambda x: x.exp(), []),
    "exp2": (lambda x: (x * TWO.ln()).exp() * TWO.ln(), []),
    "log": (lambda x: ONE / x, []),
    "log1p": (lambda x: ONE / (1 + x), []),
    "sqrt": (lambda x: ONE / (2 * x.sqrt()), []),
    "rsqrt": (lambda x: -ONE / (2 * x * x.sqrt()), []),
    "tanh": (lambda x: ONE - FUNCTIONS["tanh"](x) ** 2, [ZERO]),
    "erf": (lambda x: 2 / PI.sqrt() * (-x * x).exp(), [ZERO]),
    "sigmoid": (lambda x: sigmoid(x) * (1 - sigmoid(x)), [ZERO]),
    "sin": (cosine, []),
    "cos": (lambda x: -FUNCTIONS["sin"](x), []),
}


class Interval:
    """Of real numbers."""

    def __init__(self, low, high=None):
        self.low, self.high = low, low if high is None else high

    def __add__(self, other):
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other):
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other):
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __truediv__(self, other):
        ends = [a / b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def of(self, function, between=()):
        ends = [function(x) for x in (self.low, self.high, *(x for x in between if self.low < x < self.high))]
        return Interval(min(ends), max(ends))

    @property
    def magnitude(self):
        return max(abs(self.low), abs(self.high))


POINT = Interval(ONE)
HALF_OPEN = Interval(ZERO, ONE)


class Costs:
    def __init__(self, name):
        self.precision, self.emin, self.emax = FORMATS[name]
        self.u = power_of_two(-self.precision)
        self.eta = power_of_two(self.emin - self.precision + 1)
        self.least = self.emin - self.precision + 1

    def grown(self, n):
        return (1 + self.u) ** n - 1


class Reader:
    """One graph on one machine: values, E and λ of every entry, and MEAN of one entry of the result."""

    def __init__(self, document, derivation, machine):
        graph = derivation["graph"]
        self.nodes, self.result = graph["nodes"], graph["place"]
        self.lengths, self.inputs, self.formats = document["lengths"], document["inputs"], document["formats"]
        self.masks = {each["name"]: each for each in graph["masks"]}
        self.machine, self.wide = machine, Costs(machine["wide"])
        self.stored = Costs(machine["store"]) if machine["store"] else self.wide
        self.constants = []
        for node in self.nodes:
            is_known = all(self.constants[a] for a in node["arguments"])
            self.constants.append(node["op"] not in ("input", "where") and is_known)
        self.values, self.exponents = [], []
        self.total, self.local, self.base = [], [], {}
        for k in range(len(self.nodes)):
            self.values.append(self.evaluate(k))
        for k in range(len(self.nodes)):
            self.exponents.append(self.grid(k))
            self.total.append([ZERO] * len(self.values[k]))
            self.local.append([ZERO] * len(self.values[k]))
            self.forward(k)

    # Where entries lie.

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
        )

    def place(self, k, at):
        """The entry of node k at indices; those of axes that it does not have are passed over."""
        place = 0
        for axis in self.nodes[k]["axes"]:
            place = place * self.lengths[axis] + at[axis]
        return place

    def argument(self, k, a, at):
        """Node and entry of an argument at indices of k."""
        node = self.nodes[k]
        of = node["arguments"][a]
        if node["op"] == "gather":
            indices = [self.affine(each, at) for each in node["index"]]
            return of, self.place(of, dict(zip(self.nodes[of]["axes"], indices)))
        return of, self.place(of, at)

    def along(self, k, at):
        """`at` with each of the indices that a sum or a row of k runs over."""
        over = self.nodes[k]["over"]
        return [{**at, **dict(zip(over, each))} for each in self.tuples(over)]

    def is_in_mask(self, k, at):
        mask = self.masks.get(self.nodes[k].get("mask"))
        if mask is None:
            return True
        left, right = self.affine(mask["left"], at), self.affine(mask["right"], at)
        return {"<": left < right, "<=": left <= right, "==": left == right}[mask["compare"]]

    def row(self, logits, at):
        """The entries of the row of logits at the other indices, without masked ones, and how many there are with them."""
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
        if node["op"] == "cumsum":
            values = []
            for at in self.places_of(k):
                before = [each for each in self.along(k, at) if self.place(k, each) <= self.place(k, at)]
                values.append(sum(self.value(k, 0, each) for each in before))
            return values
        return [self.entry(k, at) for at in self.places_of(k)]

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
        if op in ("add", "sub", "mul", "div", "max", "min"):
            a, b = x(0), x(1)
            return {"add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b, "div": lambda: a / b,
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
            return x(0, {**at, node["over"][0]: int(x(1))})
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
        if op == "variance":
            mean = sum(terms) / len(terms)
            return sum((each - mean) ** 2 for each in terms) / len(terms)
        return sum(terms)

    # formula.grid.1: the exponent of a power of two of which all values of a node are multiples.

    def grid(self, k):
        node = self.nodes[k]
        op = node["op"]
        of = [self.exponents[a] for a in node["arguments"]]
        if op in ("input", "constant"):
            lowest = 100000
            for each in self.values[k]:
                numerator, denominator = each.as_integer_ratio()
                if denominator & (denominator - 1):
                    return None
                if numerator:
                    lowest = min(lowest, (numerator & -numerator).bit_length() - denominator.bit_length())
            return lowest
        if op == "pick":
            return of[0]
        if None in of or op not in ("add", "sub", "mul", "div", "power", "dot", "sum", "cumsum", "abs", "relu", "max",
                                    "min", "max_over", *MOVES):
            return None
        if op in ("mul", "dot"):
            return of[0] + of[1]
        if op == "power":
            return of[0] * node["exponent"]
        if op == "div":
            shift = self.shift(node["arguments"][1])
            return None if shift is None else of[0] - shift
        return min(of)

    def shift(self, k):
        """The exponent of a constant that is a power of two, of either sign."""
        if not self.constants[k] or len(self.values[k]) != 1:
            return None
        numerator, denominator = self.values[k][0].as_integer_ratio()
        numerator = abs(numerator)
        if numerator == 0 or numerator & (numerator - 1) or denominator & (denominator - 1):
            return None
        return numerator.bit_length() - denominator.bit_length()

    def fits(self, k, magnitude, costs, precision):
        g = self.exponents[k]
        return g is not None and g >= costs.least and magnitude <= power_of_two(min(precision + g, 200000))

    def is_exact(self, k, moved, magnitude):
        return moved == 0 and self.fits(k, magnitude, self.wide, self.wide.precision - self.machine["has_unit"])

    # formula.forward.1

    def error(self, k, a, at):
        of, place = self.argument(k, a, at)
        return self.total[of][place]

    def large(self, k, a, at):
        of, place = self.argument(k, a, at)
        return abs(self.values[of][place]) + self.total[of][place]

    def stores(self, k):
        node, machine = self.nodes[k], self.machine
        return (
            machine["store"] != "" and node["name"] != "" and node["op"] != "input" and not self.constants[k]
            and (machine["stores_all"] or node["name"] in machine["stored"])
        )

    def finish(self, k, at, moved, local):
        """formula.store.1"""
        place = self.place(k, at)
        largest = abs(self.values[k][place]) + moved
        if self.stores(k) and k != self.result:
            exact = moved == 0 and local == 0 and self.fits(k, largest, self.stored, self.stored.precision)
            if not exact:
                local += self.stored.u * (largest + local) + self.stored.eta
        self.local[k][place] = local
        self.total[k][place] = moved + local

    def forward(self, k):
        op = self.nodes[k]["op"]
        if op == "input":
            return
        for at in self.places_of(k):
            if self.constants[k]:
                self.of_constant(k, at)
            elif op in ("add", "sub", "mul", "div"):
                self.of_two(k, at)
            elif op in ("sum", "dot", "cumsum"):
                self.of_sum(k, at)
            elif op in ("softmax", "logits", "norm", "logsumexp", "variance"):
                getattr(self, "of_" + op)(k, at)
            elif op in ("max", "min"):
                self.finish(k, at, max(self.error(k, 0, at), self.error(k, 1, at)), ZERO)
            elif op in ("max_over", "pick"):
                self.finish(k, at, max(self.error(k, 0, each) for each in self.along(k, at)), ZERO)
            elif op in MOVES or op in ("abs", "relu"):
                a = at[self.nodes[k]["axes"][-1]] if op == "stack" else 0
                a = int(not self.is_in_mask(k, at)) if op == "where" else a
                self.finish(k, at, self.error(k, a, at), ZERO)
            else:
                self.of_function(k, at)

    def of_constant(self, k, at):
        """formula.const.1"""
        c = self.values[k][0]
        numerator, denominator = c.as_integer_ratio()
        lowest = numerator & -numerator
        is_number = c == 0 or (
            denominator & (denominator - 1) == 0 and (abs(numerator) // lowest).bit_length() <= self.wide.precision
            and lowest.bit_length() - denominator.bit_length() >= self.wide.least
        )
        self.finish(k, at, ZERO, ZERO if is_number else self.wide.u * abs(c) + self.wide.eta / 2)

    def of_two(self, k, at):
        """formula.round.1, formula.quotient.1, and the factor of formula.factor.1."""
        node, wide = self.nodes[k], self.wide
        op = node["op"]
        a, b, of_a, of_b = self.value(k, 0, at), self.value(k, 1, at), self.error(k, 0, at), self.error(k, 1, at)
        moved = of_a + of_b
        if op == "mul":
            moved = abs(a) * of_b + of_a * (abs(b) + of_b)
        if op == "div":
            moved = (of_a + abs(a / b) * of_b) / (abs(b) - of_b) if abs(b) > of_b else INF
        y = abs(self.values[k][self.place(k, at)]) + moved
        for j in range({"mul": 2, "div": 1}.get(op, 0)):
            factor, of_factor = ((b, of_b), (a, of_a))[j]
            if "factors" in self.nodes[node["arguments"][j]] and abs(factor) < 2 * of_factor:
                return self.finish(k, at, moved, INF)
        if self.is_exact(k, moved, abs(a) + abs(b) if op in ("add", "sub") else y):
            return self.finish(k, at, moved, ZERO)
        if op in ("add", "sub"):
            return self.finish(k, at, moved, wide.u * y)
        shifts = [self.shift(each) for each in node["arguments"]]
        if shifts[1] is not None or (op == "mul" and shifts[0] is not None):
            return self.finish(k, at, moved, wide.eta / 2)
        if op == "mul":
            return self.finish(k, at, moved, wide.u * y + wide.eta / 2)
        q = self.machine["quotient"]
        self.finish(k, at, moved, wide.grown(q) * y + q * wide.eta / 2 * (1 + self.large(k, 0, at)))

    def height(self, n):
        order = self.machine["order"]
        return min(n - 1, {"any": n - 1, "tree": math.ceil(math.log2(n)), "chains": 64 + -(-n // 64)}[order])

    def gamma(self, n):
        return min((n - 1) * self.wide.u, self.wide.grown(self.height(n)))

    def of_sum(self, k, at):
        """formula.sum.1, formula.dot.1, formula.unit.1, formula.grid.1, formula.factor.1"""
        node, wide = self.nodes[k], self.wide
        is_dot = node["op"] == "dot"
        terms = self.along(k, at)
        if node["op"] == "cumsum":
            terms = [each for each in terms if self.place(k, each) <= self.place(k, at)]
        n = len(terms)
        a = [self.large(k, 0, each) for each in terms]
        moved = sum(self.error(k, 0, each) for each in terms)
        b = [ONE] * n
        if is_dot:
            b = [self.large(k, 1, each) for each in terms]
            moved = sum(
                abs(self.value(k, 0, each)) * self.error(k, 1, each) + self.error(k, 0, each) * large
                for each, large in zip(terms, b)
            )
        magnitudes = sum(x * y for x, y in zip(a, b))
        factors = [abs(c) for each in node.get("factors", []) for c in self.values[each] if c != 0]
        m = max([ONE, *(3 * c for c in factors), *(3 / c for c in factors)])
        exact = self.is_exact(k, moved, magnitudes) and not (is_dot and self.has_subnormal_factor(k, terms))
        if exact and ("factors" not in node or self.moves_exactly(k)):
            return self.finish(k, at, moved, ZERO)
        small = ZERO
        if "factors" in node:
            small = wide.eta * m * sum((1 + x) * (1 + y if is_dot else 1) for x, y in zip(a, b))
        if is_dot:
            local = self.of_products(k, terms, a, b, magnitudes)
        elif "factors" in node:
            local = wide.grown(self.height(n) + 2) * magnitudes
        elif node["op"] == "cumsum":
            local = (n - 1) * wide.u * magnitudes
        else:
            local = self.gamma(n) * magnitudes
        self.finish(k, at, moved, local + small)

    def moves_exactly(self, k):
        node = self.nodes[k]
        grids = [self.exponents[k], *(self.exponents[a] for a in node["arguments"])]
        if None in grids:
            return False
        for factor in node["factors"]:
            for c in self.values[factor]:
                numerator, denominator = abs(c).as_integer_ratio()
                if numerator == 0 or numerator & (numerator - 1) or denominator & (denominator - 1):
                    return False
                e = numerator.bit_length() - denominator.bit_length()
                if (node["op"] == "dot" and e % 2) or min(grids) - abs(e) < self.wide.least:
                    return False
        return True

    def weights_of(self, k):
        while self.nodes[k]["op"] in ("gather", "neg"):
            k = self.nodes[k]["arguments"][0]
        return k if self.nodes[k]["op"] == "softmax" else None

    def source(self, k):
        while self.nodes[k]["op"] == "gather":
            k = self.nodes[k]["arguments"][0]
        return k

    def narrow(self, k):
        """The costs of a narrow format that all numbers of the node are of, None otherwise."""
        of = self.source(k)
        if self.nodes[of]["op"] == "input":
            costs = Costs(self.formats[self.nodes[of]["parameter"]])
        elif self.stores(of):
            costs = self.stored
        else:
            return None
        return costs if costs.precision <= 11 else None

    def has_subnormal_factor(self, k, terms):
        formats = [self.narrow(a) for a in self.nodes[k]["arguments"]]
        if not self.machine["has_unit"] or None in formats:
            return False
        return any(
            0 < abs(self.value(k, a, each)) < power_of_two(formats[a].emin) for a in (0, 1) for each in terms
        )

    def of_products(self, k, terms, a, b, magnitudes):
        arguments, wide, n = self.nodes[k]["arguments"], self.wide, len(terms)
        softmaxes = [each for each in map(self.weights_of, arguments) if each is not None]
        formats = [self.narrow(each) for each in arguments]
        is_exact = (
            all(self.nodes[self.source(each)]["op"] == "input" for each in arguments) and None not in formats
            and "factors" not in self.nodes[k] and formats[0].precision + formats[1].precision <= wide.precision
            and formats[0].least + formats[1].least >= wide.least and formats[0].emax + formats[1].emax + 1 <= 127
        )
        x = 4 if "factors" in self.nodes[k] else 0
        late = ONE
        if softmaxes:
            x += 2 + (n if self.machine["is_online"] else 0)
            for softmax in softmaxes:
                logits = self.nodes[softmax]["arguments"][0]
                _, length = self.row(logits, dict.fromkeys(self.lengths, 0))
                for beta in self.base[logits].values():
                    late = max(late, max(4 * beta.exp(), 2 * (2 * beta).exp()) / (1 - self.of_weights(length)))
        roundings = self.height(n) + (0 if is_exact else 1) + x
        local = wide.grown(roundings) * magnitudes
        if not is_exact:
            local += n * wide.eta / 2 * (1 + wide.grown(roundings)) * late
        if not self.machine["has_unit"] or None in formats:
            return local
        lifted = max(
            max(y, power_of_two(formats[0].emin)) * max(z, power_of_two(formats[1].emin)) for y, z in zip(a, b)
        )
        theta = n * power_of_two(-23)
        unit = (theta + wide.grown(x) * (1 + theta)) * max(magnitudes, lifted, power_of_two(-126))
        return max(local, unit) + (local if softmaxes else ZERO)

    def of_function(self, k, at):
        """formula.function.1"""
        node, wide, ulps = self.nodes[k], self.wide, self.machine["functions"]
        op = node["op"]
        error, x = self.error(k, 0, at), self.value(k, 0, at)
        v = self.values[k][self.place(k, at)]
        n = node.get("exponent", 0)
        moved = error
        if op == "power":
            moved = n * error * (abs(x) + error) ** (n - 1)
        elif op not in ("sin", "cos") and error != 0:
            moved = max(abs(FUNCTIONS[op](x + error) - v), abs(FUNCTIONS[op](x - error) - v))
        y, large = abs(v) + moved, abs(x) + error
        relative, few = 2 * ulps * wide.u, ulps * wide.eta
        form = 3 * wide.u * (1 + 8 * wide.u) * large if self.machine["exp_difference"] > 1 else ZERO
        if op == "sqrt":
            local = wide.u * y
        elif op == "rsqrt":
            local = (relative + wide.u) * y
        elif op == "power":
            exact = self.is_exact(k, moved, y)
            if exact and n == 2:
                return self.finish(k, at, moved, ZERO)
            of_power = ZERO if exact else wide.grown(n - 1)
            if n > 2:
                of_power = max(of_power, relative)
            local = of_power * y + (n - 1) * wide.eta / 2 * (1 + wide.u) ** n * max(ONE, large) ** (n - 2)
            local += few if n > 2 else 0
        elif op == "exp":
            local = (relative + form.exp() - 1) * y + few
        elif op == "sigmoid":
            s = relative + 2 * wide.u + few + form
            local = s / (1 - s) * y + wide.eta / 2 + power_of_two(wide.emin)
        else:
            local = relative * y + few
        self.finish(k, at, moved, local)

    # Rows.

    def rescalings(self, n):
        return n - 1 if self.machine["is_online"] else 0

    def of_weights(self, n):
        """g of formula.norm.1"""
        return self.wide.grown(n - 1 + self.rescalings(n)) if self.machine["is_online"] else self.gamma(n)

    def row_key(self, logits, at):
        return tuple(at[axis] for axis in self.nodes[logits]["axes"] if axis not in self.nodes[logits]["over"])

    def of_logits(self, k, at):
        """formula.logits.1"""
        wide = self.wide
        if not self.is_in_mask(k, at):
            return
        row = [each for each in self.along(k, at) if self.is_in_mask(k, each)]
        t = self.rescalings(len(self.along(k, at)))
        highest = max(self.value(k, 0, each) + self.error(k, 0, each) for each in row)
        distance = highest - self.value(k, 0, at) + self.error(k, 0, at)
        shift = max(2, 1 + t) * self.machine["exp_shift"] * max(self.large(k, 0, each) for each in row)
        relative = 2 * self.machine["functions"] * wide.u
        beta = wide.u * (1 + 8 * wide.u) * shift + (1 + t) * -(1 - relative).ln() + wide.eta
        self.base.setdefault(k, {})[self.row_key(k, at)] = beta
        self.finish(k, at, self.error(k, 0, at),
                    beta + wide.u * (1 + 8 * wide.u) * self.machine["exp_difference"] * distance)

    def of_norm(self, k, at):
        """formula.norm.1"""
        _, n = self.row(self.nodes[k]["arguments"][0], at)
        g = self.of_weights(n)
        self.finish(k, at, ZERO, g / (1 - g))

    def omega(self, logits, at, n):
        """ω of formula.weight.1"""
        beta = self.base[logits][self.row_key(logits, at)]
        return (1 + self.rescalings(n)) * self.machine["functions"] * self.wide.eta * (2 * beta).exp() / (
            1 - self.of_weights(n))

    def of_softmax(self, k, at):
        """formula.softmax.1, formula.weight.1"""
        logits, norm = self.nodes[k]["arguments"]
        if not self.is_in_mask(logits, at):
            return
        row, n = self.row(logits, at)
        place, wide, q = self.place(logits, at), self.wide, self.machine["quotient"]
        p = self.values[k][self.place(k, at)]
        taus = self.total[logits]
        tau = max(taus[each] for each in row)
        # The entries of softmax lie as those of its logits do.
        others = min(sum(self.values[k][each] * (taus[each].exp() - 1) for each in row), (1 - p) * (tau.exp() - 1))
        corner = min(p * ((1 - p) * (taus[place].exp() - 1) + others) * tau.exp(), max(p, 1 - p))
        moved = corner + (p + corner) * self.total[norm][self.place(norm, at)]
        y = p + moved
        local = wide.grown(q) * y + q * wide.eta / 2 + 2 * self.omega(logits, at, n) * (1 + n * y)
        self.finish(k, at, moved, local)

    def of_logsumexp(self, k, at):
        """formula.logsumexp.1"""
        logits, wide, ulps = self.nodes[k]["arguments"][0], self.wide, self.machine["functions"]
        row, n = self.row(logits, at)
        g = self.of_weights(n)
        beta = self.base[logits][self.row_key(logits, at)]
        a = D(n).ln() + g / (1 - g) + beta
        local = g / (1 - g) + 2 * ulps * wide.u * a + ulps * wide.eta + 2 * n * self.omega(logits, at, n)
        if self.machine["exp_shift"]:
            largest = max(abs(self.values[logits][each]) + self.total[logits][each] for each in row)
            local += 5 * wide.u * (largest + a)
        moved = max(self.total[logits][each] for each in row)
        local += wide.u * (abs(self.values[k][self.place(k, at)]) + moved + local)
        self.finish(k, at, moved, local)

    def of_variance(self, k, at):
        """formula.variance.1, formula.variance.2"""
        wide, q, terms = self.wide, self.machine["quotient"], self.along(k, at)
        n = len(terms)
        large = [self.large(k, 0, each) for each in terms]
        v = self.values[k][self.place(k, at)]
        rho = (sum(self.error(k, 0, each) ** 2 for each in terms) / n).sqrt()
        moved = 2 * rho * v.sqrt() + rho**2
        y, mean = v + moved, sum(large) / n
        of_sum = 1 + self.gamma(n)
        e = (of_sum * (1 + wide.u) ** q - 1) * mean + q * wide.eta / 2
        local = (of_sum * (1 + wide.u) ** (3 + q) - 1) * (y + e**2) + e**2 + (2 + q) * wide.eta
        if self.machine["has_one_pass"]:
            squares = sum(each**2 for each in large) / n
            first = (of_sum * (1 + wide.u) ** (1 + q) - 1) * squares + (2 + q) * wide.eta
            second = e * (2 * mean + e) + wide.u * (mean + e) ** 2 + wide.eta / 2
            local = max(local, (1 + wide.u) * (first + second) + wide.u * y)
        self.finish(k, at, moved, local)

    # formula.mean.1, formula.copies.1

    def box(self, k, place):
        v, e = self.values[k][place], self.total[k][place]
        return Interval(v - e, v + e)

    def slopes(self, k, at):
        """(argument, entry, [∂f/∂v](B)) of an entry of node k. Those of softmax depend on all adjoints: `of_rows`."""
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
        if op == "pick":
            return [(*of(0, {**at, node["over"][0]: int(self.value(k, 1, at))}), POINT)]
        if op in ("norm", "constant", "input"):
            return []
        if op == "sum":
            return [(*of(0, each), POINT) for each in self.along(k, at)]
        if op == "cumsum":
            here = self.place(k, at)
            return [(*of(0, each), POINT) for each in self.along(k, at) if self.place(k, each) <= here]
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
        """What a softmax hands on: p_j(A_j − Σ A_i p_i) to its logits, and Σ A_i p_i over the factor to the factor."""
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
        return node["op"] in ("mul", "power", *MOVES) or node.get("is_recomputed", False) or "factors" in node

    def mean(self, entry):
        """The bound of an entry of the result, and the part of each node."""
        count = len(self.nodes)
        linear = ("add", "sub", "sum", "cumsum", *MOVES)
        branches = [self.is_copied(k) and self.nodes[k]["op"] not in linear
                    and any(self.is_copied(a) for a in self.nodes[k]["arguments"]) for k in range(count)]
        leads = [False] * count
        for k in reversed(range(count)):
            if branches[k] or leads[k]:
                for a in self.nodes[k]["arguments"]:
                    leads[a] = True
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
            if self.nodes[k]["op"] == "softmax":
                symmetric = [Interval(-each, each) for each in weights]
                for of, place, more in self.of_rows(k, adjoints[k]):
                    adjoints[of][place] = adjoints[of][place] + more
                    uses[of][place] += 0 if counted else more.magnitude
                for of, place, more in self.of_rows(k, symmetric) if counted else []:
                    uses[of][place] += more.magnitude
                continue
            for place, at in enumerate(self.places_of(k)):
                if weights[place] == 0:
                    continue
                for of, to, slope in self.slopes(k, at):
                    adjoints[of][to] = adjoints[of][to] + adjoints[k][place] * slope
                    uses[of][to] += weights[place] * slope.magnitude
        return sum(parts.values()), parts


def compared(stated, found, slack, more=ZERO):
    """What is wrong with a stated bound, None where nothing is. It may exceed found·(1 + slack) by `more`."""
    stated = D("Infinity") if stated == "inf" else D(float.fromhex(stated))
    if stated < found * (1 - D(10) ** -12):
        return f"states {stated:.8g}, and the page gives {found:.8g}: too small"
    if stated > max(found * (1 + slack) + more, LEAST_WRITTEN):
        return f"states {stated:.8g}, and the page gives {found:.8g}: {float(stated / found - 1) if found else INF:.2g} of it too much"
    return None


def slack_of(machine):
    """How much larger a stated bound may be: the engine rounds upward, bounds (1 + u)ⁿ − 1 by exp(nu) − 1, and takes
    boxes for their hulls, so errors of the second order come in."""
    u = max(Costs(machine["wide"]).u, Costs(machine["store"]).u if machine["store"] else ZERO)
    return D("1e-6") + 200 * u


def faults(document):
    """A line for each number of a derivation that is not what the page gives."""
    found = []
    for each in document["machines"]:
        machine, entry = each["machine"], each["entry"]
        slack = slack_of(machine)
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
                # A share whose adjoints cancel is itself of the second order.
                fault = compared(stated.get(k, "0x0p+0"), own, slack, slack**2 * mean)
                if fault:
                    found.append(f"{where}: share of node {k} ({reader.nodes[k]['op']}): {fault}")
            for what, own in (("by_mean", mean), ("by_forward", reader.total[reader.result][entry])):
                fault = compared(derivation[what], own, slack)
                if fault:
                    found.append(f"{where}: {what}: {fault}")
    return found


def main():
    wrong = []
    for path in sys.argv[1:]:
        wrong += faults(json.loads(pathlib.Path(path).read_text(encoding="utf-8")))
    print("\n".join(wrong) if wrong else f"{len(sys.argv) - 1} derivations: every number is what the page gives")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
