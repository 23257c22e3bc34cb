"""Errors of sums and products: the part of forward_reader.py about them, and what a format costs."""

import math

from decimal_numbers import INF, ONE, ZERO, power_of_two

#: p, emin, emax
FORMATS = {"f64": (53, -1022, 1023), "f32": (24, -126, 127), "f16": (11, -14, 15), "bf16": (8, -126, 127),
           "e5m2": (3, -14, 15), "e4m3fn": (4, -6, 8), "e2m1": (2, 0, 2)}  # fmt: skip
#: Numbers that do not overflow are below the largest number and half a step of it: 448 + 16, and not 480 + 16.
LIMITS = {"e4m3fn": 464}


class Costs:
    """`kept`: the exponent of the smallest number that is not flushed to zero."""

    def __init__(self, name, kept=None):
        self.precision, self.emin, self.emax = FORMATS[name]
        self.u = power_of_two(-self.precision)
        self.eta = power_of_two(self.emin - self.precision + 1)
        self.limit = LIMITS.get(name, power_of_two(self.emax + 1) * (1 - self.u / 2))
        self.lowest = self.emin - self.precision + 1
        self.least = self.lowest if kept is None else max(self.lowest, kept)

    def grown(self, n):
        return (1 + self.u) ** n - 1


class SumReader:
    """Uses the graph, the machine and finish() of a ForwardReader."""

    def height(self, n):
        order = self.machine["order"]
        return min(n - 1, {"any": n - 1, "tree": math.ceil(math.log2(n)), "chains": 64 + -(-n // 64)}[order])

    def additions(self, n, nonzero):
        """The additions that round of a sum of n terms, of which so many may differ from 0."""
        return min(self.height(n), max(nonzero, 1) - 1)

    def gamma(self, n, nonzero=None):
        nonzero = max(n if nonzero is None else nonzero, 1)
        return min((nonzero - 1) * self.wide.u, self.wide.grown(self.additions(n, nonzero)))

    def of_sum(self, k, at):
        """formula.sum.1, formula.dot.1, formula.unit.1, formula.grid.1, formula.factor.1"""
        node, wide = self.nodes[k], self.wide
        is_dot = node["op"] == "dot"
        terms = self.along(k, at)
        if node["op"] == "cumsum":
            terms = self.up_to(k, at)
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
        nonzero = sum(x != 0 and y != 0 for x, y in zip(a, b))
        factors = [abs(c) for each in node.get("factors", []) for c in self.values[each] if c != 0]
        m = max([ONE, *(3 * c for c in factors), *(3 / c for c in factors)])
        exact = self.is_exact(k, moved, magnitudes) and not (is_dot and self.has_subnormal_factor(k, terms))
        if exact and ("factors" not in node or self.moves_exactly(k)):
            return self.finish(k, at, moved, ZERO)
        small = ZERO
        if "factors" in node:
            lone = m * sum((1 + x) * (1 + y if is_dot else 1) for x, y in zip(a, b))
            small = (wide.eta + 3 * self.flushed("factor")) * lone
            if lone * (1 + wide.grown(n + 6)) >= wide.limit:
                return self.finish(k, at, moved, INF)
        counted = n if node["op"] == "cumsum" else nonzero
        if not is_dot and counted > 2:
            small += (counted - 2) * self.flushed("sum")
        if is_dot:
            local = self.of_products(k, terms, a, b, nonzero, magnitudes)
        elif "factors" in node:
            local = wide.grown(self.additions(n, nonzero) + 2) * magnitudes
        elif node["op"] == "cumsum":
            local = (n - 1) * wide.u * magnitudes
        else:
            local = self.gamma(n, nonzero) * magnitudes
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
                if self.may_lose_reciprocal(e):
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
        """The costs of the narrow format to which all numbers of the node belong. None if there is no such format."""
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

    def of_products(self, k, terms, a, b, nonzero, magnitudes):
        arguments, wide, n = self.nodes[k]["arguments"], self.wide, len(terms)
        softmaxes = [each for each in map(self.weights_of, arguments) if each is not None]
        formats = [self.narrow(each) for each in arguments]
        is_exact = (
            all(self.nodes[self.source(each)]["op"] == "input" for each in arguments) and None not in formats
            and "factors" not in self.nodes[k] and formats[0].precision + formats[1].precision <= wide.precision
            and formats[0].lowest + formats[1].lowest >= wide.least and formats[0].emax + formats[1].emax + 1 <= 127
        )
        x = 4 if "factors" in self.nodes[k] else 0
        late = ONE
        if softmaxes:
            x += 2 + (n if self.machine["is_online"] else 0)
            for softmax in softmaxes:
                logits = self.nodes[softmax]["arguments"][0]
                _, length = self.row(logits, dict.fromkeys(self.lengths, 0))
                for beta, entries, _ in self.base[logits].values():
                    weights = 1 - self.of_weights(length, entries)
                    late = max(late, max(4 * beta.exp(), 2 * (2 * beta).exp()) / weights)
        counted = n if softmaxes else nonzero
        roundings = self.additions(n, counted) + (0 if is_exact else 1) + x
        local = wide.grown(roundings) * magnitudes
        lost = ZERO if is_exact and not softmaxes else counted * wide.eta / 2
        if softmaxes:
            lost += 2 * counted * self.flushed("weighted products")
        elif counted:
            lost += (2 * counted - 2) * self.flushed("products")
        local += lost * (1 + wide.grown(roundings)) * late
        if not self.machine["has_unit"] or None in formats:
            return local
        lifted = max(
            max(y, power_of_two(formats[0].emin)) * max(z, power_of_two(formats[1].emin)) for y, z in zip(a, b)
        )
        theta = n * power_of_two(-23)
        unit = (theta + wide.grown(x) * (1 + theta)) * max(magnitudes, lifted, power_of_two(-126))
        unit += n * self.flushed("unit")
        return max(local, unit) + (local if softmaxes else ZERO)
