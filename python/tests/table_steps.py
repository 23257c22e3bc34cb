"""Kernels of steps of optimizers, and of linspace and arange."""

import numpy

from forms import in64, table
from tables import Wrong

sqrt = numpy.sqrt


def sgd_momentum(p, g, v, lr, mu, decay):
    return p - lr * (mu * v + (g + decay * p))


def sgd_in_place(p, g, v, lr, mu, decay):
    """Updates each array in place."""
    d, w = numpy.array(g), numpy.array(v)
    d += decay * p
    w *= mu
    w += d
    return p - lr * w


def sgd_of_other_order(p, g, v, lr, mu, decay):
    return -(lr * ((decay * p + g) + v * mu)) + p


def sgd_nesterov(p, g, v, lr, mu):
    return p - lr * (g + mu * (mu * v + g))


def nesterov_of_other_order(p, g, v, lr, mu):
    w = v * mu + g
    return (-lr) * (w * mu + g) + p


def nesterov_in_place(p, g, v, lr, mu):
    w = numpy.array(v)
    w *= mu
    w += g
    step = w * mu
    step += g
    step *= lr
    return p - step


def moments(g, m, v, beta1, beta2):
    return beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g


def adamw(p, g, m, v, lr, beta1, beta2, eps, decay, c1, c2):
    m1, v1 = moments(g, m, v, beta1, beta2)
    return p - lr * (m1 / c1 / (sqrt(v1 / c2) + eps) + decay * p)


def adamw_decay_first(p, g, m, v, lr, beta1, beta2, eps, decay, c1, c2):
    """The order of operations in PyTorch: the decay first."""
    m1, v1 = moments(g, m, v, beta1, beta2)
    return p * (1 - lr * decay) - lr / c1 * (m1 / (sqrt(v1) / sqrt(c2) + eps))


def adamw_moved_moment(p, g, m, v, lr, beta1, beta2, eps, decay, c1, c2):
    """m₁ = m + (1 − β₁)(g − m)"""
    m1 = m + (1 - beta1) * (g - m)
    return p - lr * (m1 / c1 / (sqrt(moments(g, m, v, beta1, beta2)[1] / c2) + eps) + decay * p)


def lion(p, g, m, lr, beta, decay):
    return p - lr * (numpy.sign(beta * m + (1 - beta) * g) + decay * p)


def lion_by_a_choice(p, g, m, lr, beta, decay):
    c = beta * m + (1 - beta) * g
    return p - lr * (numpy.where(c > 0, 1, numpy.where(c < 0, -1, c)).astype(p.dtype) + decay * p)


def lion_decay_first(p, g, m, lr, beta, decay):
    c = beta * m + (1 - beta) * g
    return (p - lr * decay * p) - lr * numpy.sign(c)


def lion_decay_in_place(p, g, m, lr, beta, decay):
    """As most programs have it: p is multiplied by 1 - lr·decay before the step."""
    return p * (1 - lr * decay) - lr * numpy.sign(beta * m + (1 - beta) * g)


def places(like):
    return numpy.arange(len(like)).astype(like.dtype)


def linspace(like, start, end):
    return start + (end - start) * (places(like) / numpy.asarray(len(like) - 1, like.dtype))


def linspace_from_both_ends(like, start, end):
    """Counts from the end in the second half, so that the last number is exactly the end."""
    i, last = places(like), numpy.asarray(len(like) - 1, like.dtype)
    up, down = start + (end - start) * (i / last), end - (end - start) * ((last - i) / last)
    return numpy.where(i < len(like) / 2, up, down).astype(like.dtype)


def linspace_by_a_step(like, start, end):
    return start + places(like) * ((end - start) / numpy.asarray(len(like) - 1, like.dtype))


def linspace_of_numpy(like, start, end):
    """Its last number is the end itself."""
    return numpy.linspace(start, end, len(like), dtype=like.dtype)


def linspace_of_two_weights(like, start, end):
    t = places(like) / numpy.asarray(len(like) - 1, like.dtype)
    return start * (1 - t) + end * t


def added_up(like, start, step):
    y = numpy.full_like(like, start)
    for i in range(1, len(like)):
        y[i] = y[i - 1] + step
    return y


def arange(like, start, step):
    return start + places(like) * step


def arange_of_other_order(like, start, step):
    return step * places(like) + start


def arange_of_integers(like, start, step):
    return numpy.array([start + like.dtype.type(i) * step for i in range(len(like))]).astype(like.dtype)


def adam(change):
    """A mistake: AdamW with changed arguments."""
    names = ("p", "g", "m", "v", "lr", "beta1", "beta2", "eps", "decay", "c1", "c2")

    def wrong(*inputs):
        given = dict(zip(names, inputs))
        return adamw(**{**given, **change(given)})

    return wrong


ONE = numpy.float32(1)
TABLE = {
    "sgd_momentum": table(
        sgd_momentum,
        {"any_order": {"in_place": sgd_in_place, "of_another_order": sgd_of_other_order}},
        [
            Wrong("any_order", lambda p, g, v, lr, mu, decay: p - lr * (mu * v + g), "the decay left out"),
            Wrong(
                "any_order", lambda p, g, v, lr, mu, decay: p - lr * (mu * v + g - decay * p), "the sign of the decay"
            ),
            Wrong(
                "any_order",
                lambda p, g, v, lr, mu, decay: p - lr * (mu * v + (1 - mu) * (g + decay * p)),
                "a damped gradient",
            ),
            Wrong("any_order", lambda p, g, v, lr, mu, decay: p + lr * (mu * v + (g + decay * p)), "uphill"),
            Wrong("any_order", lambda p, g, v, lr, mu, decay: p - lr * (g + decay * p), "the momentum left out"),
            Wrong(
                "any_order",
                lambda p, g, v, lr, mu, decay: p - (mu * v + lr * (g + decay * p)),
                "the rate inside of the momentum",
            ),
            Wrong(
                "any_order",
                lambda p, g, v, lr, mu, decay: p - lr * (mu * v + g) - decay * p,
                "the decay without the rate",
            ),
        ],
        "any_order",
    ),
    "sgd_nesterov": table(
        sgd_nesterov,
        {"any_order": {"in_place": nesterov_in_place, "of_another_order": nesterov_of_other_order}},
        [
            Wrong("any_order", lambda p, g, v, lr, mu: p - lr * (mu * v + g), "plain momentum"),
            Wrong("any_order", lambda p, g, v, lr, mu: p - lr * (g + mu * v), "the old momentum"),
            Wrong("any_order", lambda p, g, v, lr, mu: p - lr * (mu * (mu * v + g)), "the gradient left out"),
            Wrong("any_order", lambda p, g, v, lr, mu: p + lr * (g + mu * (mu * v + g)), "uphill"),
            Wrong("any_order", lambda p, g, v, lr, mu: p - (g + mu * (mu * v + g)), "the rate left out"),
        ],
        "any_order",
    ),
    "adamw": table(
        adamw,
        {
            "any_order": {
                "decay_first_in_binary64": in64(adamw_decay_first),
                "moved_moment_in_binary64": in64(adamw_moved_moment),
            },
            "ways": {"decay_first": adamw_decay_first, "moved_moment": adamw_moved_moment},
        },
        [
            Wrong("ways", adam(lambda of: {"c1": ONE, "c2": ONE}), "both corrections left out"),
            Wrong("ways", adam(lambda of: {"c2": ONE}), "the correction of v left out"),
            Wrong("ways", adam(lambda of: {"c1": of["c2"], "c2": of["c1"]}), "the corrections exchanged"),
            Wrong("ways", adam(lambda of: {"decay": ONE * 0}), "the decay left out"),
            Wrong(
                "ways",
                adam(lambda of: {"g": of["g"] + of["decay"] * of["p"], "decay": ONE * 0}),
                "Adam with an L2 term",
            ),
            Wrong("ways", adam(lambda of: {"beta2": of["beta1"]}), "one beta for both"),
            Wrong("ways", adam(lambda of: {"g": -of["g"]}), "the sign of the gradient"),
            Wrong("ways", adam(lambda of: {"lr": -of["lr"]}), "uphill"),
        ],
    ),
    "lion": table(
        lion,
        {
            "any_order": {"by_a_choice": lion_by_a_choice, "decay_first_in_binary64": in64(lion_decay_first)},
            "ways": {"decay_first": lion_decay_first, "decay_in_place": lion_decay_in_place},
        },
        [
            Wrong(
                "any_order",
                lambda p, g, m, lr, beta, decay: p - lr * (beta * m + (1 - beta) * g + decay * p),
                "the sign function left out",
            ),
            Wrong(
                "any_order",
                lambda p, g, m, lr, beta, decay: p - lr * (numpy.sign(g) + decay * p),
                "the sign of the gradient alone",
            ),
            Wrong(
                "any_order",
                lambda p, g, m, lr, beta, decay: p - lr * numpy.sign(beta * m + (1 - beta) * g),
                "the decay left out",
            ),
            Wrong(
                "any_order",
                lambda p, g, m, lr, beta, decay: lion(p, m, g, lr, beta, decay),
                "gradient and momentum exchanged",
            ),
            Wrong(
                "any_order",
                lambda p, g, m, lr, beta, decay: p + lr * (numpy.sign(beta * m + (1 - beta) * g) + decay * p),
                "uphill",
            ),
            Wrong(
                "any_order", lambda p, g, m, lr, beta, decay: lion(p, g, m, lr, 1 - beta, decay), "1 - beta for beta"
            ),
        ],
        "any_order",
    ),
    "linspace": table(
        linspace,
        {
            "any_order": {
                "from_both_ends_in_binary64": in64(linspace_from_both_ends),
                "of_two_weights_in_binary64": in64(linspace_of_two_weights),
            },
            "ways": {
                "from_both_ends": linspace_from_both_ends,
                "by_a_step": linspace_by_a_step,
                "of_numpy": linspace_of_numpy,
            },
        },
        [
            Wrong(
                "ways",
                lambda like, start, end: start + (end - start) * (places(like) / like.dtype.type(len(like))),
                "n for n - 1",
            ),
            Wrong(
                "ways",
                lambda like, start, end: start + (end - start) * ((places(like) + 1) / like.dtype.type(len(like))),
                "from the first step on",
            ),
            Wrong("ways", lambda like, start, end: linspace(like, end, start), "the ends exchanged"),
            Wrong(
                "ways",
                lambda like, start, end: added_up(like, start, (end - start) / like.dtype.type(max(len(like) - 1, 1))),
                "steps added up",
            ),
            Wrong(
                "ways",
                lambda like, start, end: end * (places(like) / like.dtype.type(max(len(like) - 1, 1))),
                "the start left out",
            ),
            Wrong(
                "ways",
                lambda like, start, end: start + end * (places(like) / like.dtype.type(max(len(like) - 1, 1))),
                "the end for the length",
            ),
        ],
        "any_order",
    ),
    "arange": table(
        arange,
        {"any_order": {"of_another_order": arange_of_other_order, "of_integers": arange_of_integers}},
        [
            Wrong("any_order", added_up, "steps added up"),
            Wrong(
                "any_order",
                lambda like, start, step: start + (places(like) + 1) * step,
                "from the first step on",
            ),
            Wrong("any_order", lambda like, start, step: places(like) * step, "the start left out"),
            Wrong("any_order", lambda like, start, step: start + places(like), "the step left out"),
            Wrong("any_order", lambda like, start, step: start - places(like) * step, "the sign of the step"),
            Wrong("any_order", lambda like, start, step: (start + places(like)) * step, "the step on both"),
        ],
        "any_order",
    ),
}
