"""Errors of all entries of all nodes of a graph on one machine, by the theorems of docs/bounds/formula.md."""

import math
from decimal import Decimal as D, DivisionByZero, InvalidOperation

from decimal_numbers import FUNCTIONS, INF, ONE, ZERO, power_of_two
from row_reader import RowReader
from sum_reader import FORMATS, Costs, SumReader

MOVES = {"gather", "spread", "stack", "where", "neg"}
#: The rows of the table of formula.flush.2, each with what its terms are multiplied by: 1.
FLUSHES = dict.fromkeys(
    ("input", "result", "sum", "products", "weighted products", "unit", "factor", "quotient", "powers", "sigmoid",
     "exponent", "pow", "logits", "lost weights", "weights", "logsumexp", "mean", "variance", "one pass"), ONE)


class ForwardReader(SumReader, RowReader):
    """One graph on one machine: values, E and λ of every entry."""

    def __init__(self, document, derivation, machine):
        super().__init__(document, derivation)
        kept = FORMATS[machine["wide"]][1] if machine["flushes"] else None
        self.machine, self.wide = machine, Costs(machine["wide"], kept)
        self.stored = Costs(machine["store"], kept) if machine["store"] else self.wide
        self.nu = ZERO if kept is None else power_of_two(kept)
        self.exponents, self.total, self.local = [], [], []
        self.base, self.of_numerators, self.sides = {}, {}, {}
        for k in range(len(self.nodes)):
            self.exponents.append(self.grid(k))
            self.total.append([ZERO] * len(self.values[k]))
            self.local.append([ZERO] * len(self.values[k]))
            self.forward(k)

    # formula.grid.1: the exponent of a power of two that divides all values of a node.

    def grid(self, k):
        node = self.nodes[k]
        op = node["op"]
        of = [self.exponents[a] for a in node["arguments"]]
        if op in ("input", "constant", "argmax", "fmod", "remainder"):
            lowest = 100000
            for each in self.values[k]:
                numerator, denominator = each.as_integer_ratio()
                if denominator & (denominator - 1):
                    return None
                if numerator:
                    lowest = min(lowest, (numerator & -numerator).bit_length() - denominator.bit_length())
            return lowest
        if op in ("pick", "spread"):
            return of[0]
        if op == "sign":
            return 0
        if op in ("prod", "cumprod"):
            most = math.prod(self.lengths[axis] for axis in node["over"])
            return None if of[0] is None else min(of[0], most * of[0])
        if None in of or op not in ("add", "sub", "mul", "div", "power", "dot", "sum", "cumsum", "abs", "relu", "max",
                                    "min", "max_over", "sort", *MOVES):
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
        """The exponent of a constant that is plus or minus a power of two."""
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

    # formula.flush.1, formula.flush.2

    def flushed(self, what):
        return FLUSHES[what] * self.nu

    def lost(self, k, place, error):
        """What the number of an entry, which errs by this much, may lose where it is read or written as 0."""
        size = abs(self.values[k][place])
        return ZERO if size >= self.nu + error else min(self.nu, size + error)

    def is_mixed(self, k):
        """Whether a number of the node may be 0 in one of its uses and not in another."""
        return (self.nodes[k]["op"] not in ("logits", "norm", "sign", "argmax")
                and any(self.lost(k, place, error) for place, error in enumerate(self.total[k])))

    def may_lose_reciprocal(self, e):
        return self.machine["flushes"] and -e < self.wide.emin

    # formula.forward.1

    def error(self, k, a, at):
        of, place = self.argument(k, a, at)
        return self.total[of][place]

    def large(self, k, a, at):
        return max(abs(each) for each in self.ends(*self.argument(k, a, at)))

    def ends(self, k, place):
        """The ends of the box of an entry: formula.sides.1"""
        below, above = self.sides.get((k, place), (self.total[k][place],) * 2)
        return self.values[k][place] - below, self.values[k][place] + above

    def add_sides(self, k, at):
        arguments = [self.argument(k, a, at) for a in (0, 1)]
        if any(each in self.sides for each in arguments):
            local = self.local[k][self.place(k, at)]
            sides = [self.sides.get((of, place), (self.total[of][place],) * 2) for of, place in arguments]
            self.set_sides(k, at, *(local + first + second for first, second in zip(*sides)))

    def set_sides(self, k, at, below, above):
        place = self.place(k, at)
        if not self.stores(k):
            self.sides[k, place] = min(below, self.total[k][place]), min(above, self.total[k][place])

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
        is_too_large = False
        if self.stores(k) and k != self.result:
            is_too_large = largest + local >= self.stored.limit
            exact = moved == 0 and local == 0 and self.fits(k, largest, self.stored, self.stored.precision)
            if not exact:
                local += self.stored.u * (largest + local) + self.stored.eta
        is_moved = self.nodes[k]["op"] in {*MOVES, "pick", "sign", "argmax", "logits", "norm"}
        if self.constants[k] or not is_moved:
            local += FLUSHES["result"] * self.lost(k, place, moved + local)
        overflows = self.nodes[k]["op"] != "logits" and abs(self.values[k][place]) + moved + local >= self.wide.limit
        local = INF if overflows or is_too_large else local
        self.local[k][place] = local
        self.total[k][place] = moved + local

    def forward(self, k):
        op = self.nodes[k]["op"]
        if op == "input":
            for place, value in enumerate(self.values[k]):
                self.local[k][place] = self.total[k][place] = FLUSHES["input"] * self.lost(k, place, ZERO)
            return
        for at in self.places_of(k):
            try:
                self.entry_of(k, op, at)
            except (InvalidOperation, DivisionByZero):  # not defined in the box of the arguments
                self.finish(k, at, INF, INF)

    def entry_of(self, k, op, at):
        if self.constants[k]:
            self.of_constant(k, at)
        elif op in ("add", "sub", "mul", "div"):
            self.of_two(k, at)
        elif op in ("sum", "dot", "cumsum"):
            self.of_sum(k, at)
        elif op in ("prod", "cumprod"):
            self.of_prod(k, self.along(k, at) if op == "prod" else self.up_to(k, at), at)
        elif op == "sign":
            known = self.error(k, 0, at) == 0 or self.error(k, 0, at) < abs(self.value(k, 0, at))
            step = ZERO if known else 1 + abs(self.values[k][self.place(k, at)])
            self.finish(k, at, ZERO, step if self.error(k, 0, at) < INF else INF)
        elif op == "stochastic":
            self.of_stochastic(k, at)
        elif op in ("softmax", "logits", "norm", "logsumexp", "variance"):
            getattr(self, "of_" + op)(k, at)
        elif op in ("max", "min"):
            self.finish(k, at, max(self.error(k, 0, at), self.error(k, 1, at)), ZERO)
        elif op == "pow":
            self.of_pow(k, at)
        elif op in ("fmod", "remainder"):
            exact = self.error(k, 0, at) == 0 and self.error(k, 1, at) == 0
            self.finish(k, at, ZERO if exact else INF, ZERO)
        elif op == "atan2":
            self.of_atan2(k, at)
        elif op == "argmax":
            self.of_argmax(k, at)
        elif op in ("max_over", "pick", "sort"):
            self.finish(k, at, max(self.error(k, 0, each) for each in self.along(k, at)), ZERO)
        elif op in MOVES or op in ("abs", "relu"):
            a = at[self.nodes[k]["axes"][-1]] if op == "stack" else 0
            a = int(not self.is_in_mask(k, at)) if op == "where" else a
            if op == "spread" and not self.is_named(k, at) and self.value(k, 0, at) != 0:
                return self.finish(k, at, ZERO, ZERO)
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
            and lowest.bit_length() - denominator.bit_length() >= self.wide.lowest
        )
        self.finish(k, at, ZERO, ZERO if is_number else self.wide.u * abs(c) + self.wide.eta / 2)

    def of_two(self, k, at):
        """formula.round.1, formula.quotient.1, and the factor of formula.factor.1."""
        node, wide = self.nodes[k], self.wide
        op = node["op"]
        a, b, of_a, of_b = self.value(k, 0, at), self.value(k, 1, at), self.error(k, 0, at), self.error(k, 1, at)
        moved = of_a + of_b
        if op == "mul":
            moved = abs(a) * of_b + of_a * self.large(k, 1, at)
        if op == "div":
            low, high = self.ends(*self.argument(k, 1, at))
            moved = (of_a + abs(a / b) * of_b) / min(abs(low), abs(high)) if low * high > 0 else INF
        y = abs(self.values[k][self.place(k, at)]) + moved
        for j in range({"mul": 2, "div": 1}.get(op, 0)):
            factor, of_factor = ((b, of_b), (a, of_a))[j]
            if "factors" in self.nodes[node["arguments"][j]] and abs(factor) < 2 * of_factor:
                return self.finish(k, at, moved, INF)
        q = self.machine["quotient"]
        shifts = [self.shift(each) for each in node["arguments"]]
        is_lost = op == "div" and q == 2 and shifts[1] is not None and self.may_lose_reciprocal(shifts[1])
        exact = not is_lost and self.is_exact(k, moved, abs(a) + abs(b) if op in ("add", "sub") else y)
        if op in ("add", "sub"):
            self.finish(k, at, moved, ZERO if exact else wide.u * y)
            if op == "add":
                self.add_sides(k, at)
            return None
        if exact:
            return self.finish(k, at, moved, ZERO)
        if not is_lost and (shifts[1] is not None or (op == "mul" and shifts[0] is not None)):
            return self.finish(k, at, moved, wide.eta / 2)
        if op == "mul":
            return self.finish(k, at, moved, wide.u * y + wide.eta / 2)
        large = self.large(k, 0, at)
        small = q * wide.eta / 2 * (1 + large) + 2 * (q - 1) * self.flushed("quotient") * large
        self.finish(k, at, moved, wide.grown(q) * y + small)

    def of_prod(self, k, factors, at):
        """formula.prod.1"""
        wide, n = self.wide, len(factors)
        values, errors = [self.value(k, 0, each) for each in factors], [self.error(k, 0, each) for each in factors]
        large = [self.large(k, 0, each) for each in factors]
        moved = sum(
            abs(math.prod(values[:j])) * error * math.prod(large[j + 1 :]) for j, error in enumerate(errors)
        )
        odd, lowest, powers, fit = 1, 0, 0, not any(errors)
        for value, error in zip(values, errors):
            numerator, denominator = abs(value).as_integer_ratio()
            last = numerator & -numerator
            is_dyadic = error == 0 and denominator & (denominator - 1) == 0
            powers += is_dyadic and numerator == last != 0
            fit = fit and is_dyadic
            odd *= numerator // (last or 1)
            lowest += min(last.bit_length() - denominator.bit_length(), 0)
        has_zero = any(value == 0 and error == 0 for value, error in zip(values, errors))
        if n == 1 or has_zero or (fit and odd.bit_length() <= wide.precision and lowest >= wide.least):
            return self.finish(k, at, moved, ZERO)
        sizes = sorted(max(ONE, each) for each in large)
        each = (n - 1) * wide.eta / 2 + (n - 2) * self.flushed("powers")
        small = each * (1 + wide.u) ** (n - 2) * math.prod(sizes[2:])
        y = abs(self.values[k][self.place(k, at)]) + moved
        self.finish(k, at, moved, wide.grown(max(n - powers, 1) - 1) * y + small)

    def of_pow(self, k, at):
        """formula.pow.1"""
        wide, ulps = self.wide, self.machine["functions"]
        x, y, of_x, of_y = self.value(k, 0, at), self.value(k, 1, at), self.error(k, 0, at), self.error(k, 1, at)
        v = self.values[k][self.place(k, at)]
        moved = ZERO
        if of_x or of_y:
            corners = [(x + i * of_x, y + j * of_y) for i in (-1, 1) for j in (-1, 1)]
            moved = max(abs(a**b - v) for a, b in corners) if x > of_x else INF
        relative = 2 * ulps * wide.u
        form = ZERO
        if self.machine["exp_difference"] > 1 and x != 0:
            exponent = max(abs(abs(a).ln()) for a in (x - of_x, x + of_x)) * (abs(y) + of_y)
            form = ((1 + relative) * (1 + wide.u) - 1) * exponent + (2 * ulps * (abs(y) + of_y) + 1) * wide.eta
            form += (abs(y) + of_y + 1) * self.flushed("pow")
        self.finish(k, at, moved, ((1 + relative) * form.exp() - 1) * (abs(v) + moved) + ulps * wide.eta)

    def of_atan2(self, k, at):
        """formula.atan2.1"""
        wide, ulps = self.wide, self.machine["functions"]
        y, x, of_y, of_x = self.value(k, 0, at), self.value(k, 1, at), self.error(k, 0, at), self.error(k, 1, at)
        moved = ZERO
        if of_y or of_x:
            least_y, least_x = max(abs(y) - of_y, ZERO), max(abs(x) - of_x, ZERO)
            is_known = least_y > 0 or (x > 0 and least_x > 0)
            moved = INF
            if is_known:
                moved = (of_y * (abs(x) + of_x) + of_x * (abs(y) + of_y)) / (least_x**2 + least_y**2)
        v = abs(self.values[k][self.place(k, at)])
        self.finish(k, at, moved, 2 * ulps * wide.u * (v + moved) + ulps * wide.eta)

    def of_stochastic(self, k, at):
        """formula.stochastic.1"""
        step = ZERO
        if self.error(k, 0, at) == INF:
            step = INF
        elif self.error(k, 0, at):
            value = self.values[k][self.place(k, at)]
            ends = self.ends(*self.argument(k, 0, at))
            step = max(abs(self.stochastic(self.nodes[k], each, at) - value) for each in ends)
        self.finish(k, at, ZERO, step)

    def of_argmax(self, k, at):
        """formula.argmax.1"""
        terms = [(self.value(k, 0, each), self.error(k, 0, each)) for each in self.along(k, at)]
        best = int(self.values[k][self.place(k, at)])
        lowest = terms[best][0] - terms[best][1]
        step = ZERO
        if any(error for _, error in terms):
            step = D(max(abs(j - best) for j, (value, error) in enumerate(terms) if value + error >= lowest))
        if best + step > 2**self.wide.precision:
            step += self.wide.u * (best + step)
        self.finish(k, at, ZERO, step if all(error < INF for _, error in terms) else INF)

    def is_nonnegative(self, k):
        """formula.root.1: whether no program computes a negative number for an entry of the node."""
        node = self.nodes[k]
        op, of = node["op"], [self.is_nonnegative(a) for a in node["arguments"]]
        if op in ("abs", "relu"):
            return True
        if op == "input":
            return self.machine["flushes"] and min(self.values[k]) >= 0
        if op == "power":
            return node["exponent"] == 2
        if op == "variance":
            return not self.machine["has_one_pass"]
        if op in ("dot", "mul"):
            return node["arguments"][0] == node["arguments"][1] or all(of)
        if op == "max":
            return any(of)
        if op in ("add", "div", "min", "stack"):
            return all(of)
        if op in ("sum", "cumsum", "prod", "cumprod", "sign", "sort", "sqrt", "gather", "max_over"):
            return of[0]
        return op == "constant" and self.values[k][0] >= 0

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
        low, high = self.ends(*self.argument(k, 0, at))
        up = down = error
        if op == "sqrt" and low <= 0 and self.is_nonnegative(node["arguments"][0]):
            up, down = high.sqrt() - v, v
        elif op not in ("sin", "cos", "power") and error != 0:
            up, down = abs(FUNCTIONS[op](high) - v), abs(FUNCTIONS[op](low) - v)
        if op != "power":
            moved = max(up, down)
        y, large = abs(v) + moved, abs(x) + error
        relative, few = 2 * ulps * wide.u, ulps * wide.eta
        form = ZERO
        if self.machine["exp_difference"] > 1:
            form = 3 * wide.u * (1 + 8 * wide.u) * large + wide.eta + self.flushed("exponent")
        has_sides = self.argument(k, 0, at) in self.sides and op in ("sqrt", "rsqrt")
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
            each = (n - 1) * wide.eta / 2 + (n - 2) * self.flushed("powers")
            local = of_power * y + each * (1 + wide.u) ** n * max(ONE, large) ** (n - 2)
            local += few if n > 2 else 0
        elif op == "exp":
            local = (relative + form.exp() - 1) * y + few
        elif op == "sigmoid":
            s = relative + 2 * wide.u + few + self.flushed("sigmoid") + form
            local = s / (1 - s) * y + wide.eta / 2 + power_of_two(wide.emin)
        else:
            local = relative * y + few
        self.finish(k, at, moved, local)
        if has_sides:
            local = self.local[k][self.place(k, at)]
            self.set_sides(k, at, *(local + each for each in ((down, up) if op == "sqrt" else (up, down))))
