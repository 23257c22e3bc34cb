"""Errors of softmax, logsumexp and variance: the part of forward_reader.py about rows."""

from decimal import Decimal as D

from decimal_numbers import ZERO
from value_reader import ValueReader


class RowReader(ValueReader):
    """Uses the costs, the machine and finish() of a ForwardReader."""

    def rescalings(self, counted):
        return counted - 1 if self.machine["is_online"] else 0

    def of_weights(self, n, counted):
        """g of formula.norm.1, for a row of which so many entries are not masked"""
        if self.machine["is_online"]:
            return self.wide.grown(counted - 1 + self.rescalings(counted))
        return self.gamma(n, counted)

    def row_key(self, logits, at):
        return tuple(at[axis] for axis in self.nodes[logits]["axes"] if axis not in self.nodes[logits]["over"])

    def of_logits(self, k, at):
        """formula.logits.1"""
        wide = self.wide
        if not self.is_in_mask(k, at):
            return
        row = [each for each in self.along(k, at) if self.is_in_mask(k, each)]
        highest = max(self.value(k, 0, each) + self.error(k, 0, each) for each in row)
        lowest = max(self.value(k, 0, each) - self.error(k, 0, each) for each in row)
        distance = highest - self.value(k, 0, at) + self.error(k, 0, at)
        relative = 2 * self.machine["functions"] * wide.u
        slack = wide.u * (1 + 8 * wide.u)

        def of_shift(t, shifts):
            exponents = slack * self.machine["exp_shift"] * shifts
            return exponents + (1 + t) * (8 * self.flushed("logits") - (1 - relative).ln()) + wide.eta

        top = max(abs(lowest), abs(highest))
        lower = self.value(k, 0, at) - self.error(k, 0, at)
        larger = [each for each in row
                  if each != at and self.value(k, 0, each) + self.error(k, 0, each) > lower]
        t, shifts = 0, top
        if self.machine["is_online"]:
            t, shifts = len(larger), self.large(k, 0, at) + sum(self.large(k, 0, each) for each in larger)
        most = self.rescalings(len(row))
        is_slow = slack * (self.machine["exp_difference"] + self.machine["exp_shift"] * (1 + most)) <= 1
        of_maxima = top if is_slow else max(self.large(k, 0, each) for each in row)
        key, base = self.row_key(k, at), of_shift(most, (1 + most) * of_maxima)
        _, _, before = self.base.setdefault(k, {}).get(key, (base, len(row), base))
        self.base[k][key] = base, len(row), max(before, of_shift(t, shifts))
        local = of_shift(t, shifts) + slack * self.machine["exp_difference"] * distance
        if self.machine["is_online"]:
            own = min(t, 1)
            anew = local - of_shift(t, shifts) + of_shift(own, shifts)
            self.of_numerators[k, self.place(k, at)] = local + anew + own * wide.u
        self.finish(k, at, self.error(k, 0, at), local)

    def of_norm(self, k, at):
        """formula.norm.1"""
        row, n = self.row(self.nodes[k]["arguments"][0], at)
        g = self.of_weights(n, len(row))
        self.finish(k, at, ZERO, g / (1 - g))

    def argument_ends(self, logits, place):
        """The ends of the box of the number of which an entry is the logit."""
        at = next(at for at in self.places_of(logits) if self.place(logits, at) == place)
        return self.ends(*self.argument(logits, 0, at))

    def omega(self, logits, at, n):
        """ω of formula.weight.1"""
        beta, counted, peak = self.base[logits][self.row_key(logits, at)]
        each = self.machine["functions"] * self.wide.eta + 2 * self.flushed("lost weights")
        return (1 + self.rescalings(counted)) * each * (beta + peak).exp() / (1 - self.of_weights(n, counted))

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
        # The entries of softmax have the same places as the entries of its logits.
        others = min(sum(self.values[k][each] * (taus[each].exp() - 1) for each in row), (1 - p) * (tau.exp() - 1))
        fallen = sum(self.values[k][each] * min(taus[each], 1) for each in row)
        of_sum = min(tau.exp(), 1 / (1 - fallen)) if fallen < 1 else tau.exp()
        corner = min(p * ((1 - p) * (taus[place].exp() - 1) + others) * of_sum, max(p, 1 - p))
        moved = corner + (p + corner) * self.total[norm][self.place(norm, at)]
        y, counted = p + moved, len(row)
        of_numerator = self.of_numerators.get((logits, place), ZERO).exp()
        relative = (1 + wide.grown(q)) * of_numerator - 1
        lost = 2 if self.machine["is_online"] else 1 + wide.grown(q)
        local = relative * y + q * wide.eta / 2 + 2 * (q - 1) * self.flushed("weights")
        local += lost * self.omega(logits, at, n) * (1 + counted * of_numerator * y)
        self.finish(k, at, moved, local)

    def of_logsumexp(self, k, at):
        """formula.logsumexp.1"""
        logits, wide, ulps = self.nodes[k]["arguments"][0], self.wide, self.machine["functions"]
        row, n = self.row(logits, at)
        g, counted = self.of_weights(n, len(row)), len(row)
        beta, _, _ = self.base[logits][self.row_key(logits, at)]
        v, taus = self.values[k][self.place(k, at)], self.total[logits]
        p = {each: (self.values[logits][each] - v).exp() for each in row}
        fallen = sum(p[each] * min(taus[each], 1) for each in row)
        moved = max(taus[each] for each in row)
        if fallen < 1:
            risen = sum(p[each] * (taus[each].exp() - 1) for each in row)
            moved = min(moved, max(risen, fallen / (1 - fallen)))
        ends = [self.argument_ends(logits, each) for each in row]
        lowest, highest = max(low for low, _ in ends), max(high for _, high in ends)
        of_shift = max(abs(v - lowest), abs(v - highest))
        a = min(D(counted).ln() + beta, of_shift + moved) + g / (1 - g)
        local = g / (1 - g) + 2 * ulps * wide.u * a + ulps * wide.eta + 2 * counted * self.omega(logits, at, n)
        local += 8 * self.flushed("logsumexp")
        if self.machine["exp_shift"]:
            local += 5 * wide.u * (max(abs(lowest), abs(highest)) + a)
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
        e = (of_sum * (1 + wide.u) ** q - 1) * mean + q * wide.eta / 2 + (3 + q) * self.flushed("mean")
        grown = of_sum * (1 + wide.u) ** (3 + q)
        of_flush = grown * (4 * (y + e**2).sqrt() + 4 * self.nu + 2) * self.flushed("variance")
        local = (grown - 1) * (y + e**2) + e**2 + (2 + q) * wide.eta + of_flush
        if self.machine["has_one_pass"]:
            squares = sum(each**2 for each in large) / n
            first = (of_sum * (1 + wide.u) ** (1 + q) - 1) * squares + (2 + q) * wide.eta
            second = e * (2 * mean + e) + wide.u * (mean + e) ** 2 + wide.eta / 2
            local = max(local, (1 + wide.u) * (first + second + 4 * grown * self.flushed("one pass")) + wide.u * y)
            return self.finish(k, at, moved, local)
        self.finish(k, at, moved, local)
        smaller = (grown - 1) * y + (2 + q) * wide.eta + of_flush + self.lost(k, self.place(k, at), moved + local)
        self.set_sides(k, at, moved + smaller, self.total[k][self.place(k, at)])
