"""Functions of PyTorch as formulas have them: activations, losses, norms, reductions, products, optimizer steps, and
their gradients. assay.check calls them with arrays; torch computes on a CUDA device if there is one."""

import torch
from torch.nn import functional

from torch_tensors import gradient, on_tensors, tensor

# ------------------------------------------------------------------------------------------- activations


def of_one(function):
    return on_tensors(lambda x: function(x))


def backward_of_one(function):
    return on_tensors(lambda x, dy: gradient(function, [x], 0, dy))


def gelu_by_tanh(x):
    return functional.gelu(x, approximate="tanh")


gelu, gelu_backward = of_one(gelu_by_tanh), backward_of_one(gelu_by_tanh)
gelu_erf, gelu_erf_backward = of_one(functional.gelu), backward_of_one(functional.gelu)
silu, silu_backward = of_one(functional.silu), backward_of_one(functional.silu)
sigmoid, sigmoid_backward = of_one(torch.sigmoid), backward_of_one(torch.sigmoid)
log_sigmoid, log_sigmoid_backward = of_one(functional.logsigmoid), backward_of_one(functional.logsigmoid)
softplus, softplus_backward = of_one(functional.softplus), backward_of_one(functional.softplus)
mish = of_one(functional.mish)
tanh_of, tanh_backward = of_one(torch.tanh), backward_of_one(torch.tanh)
tanhshrink = of_one(functional.tanhshrink)
hardswish, hardsigmoid = of_one(functional.hardswish), of_one(functional.hardsigmoid)
relu, relu6 = of_one(torch.relu), of_one(functional.relu6)
elu = on_tensors(functional.elu)
elu_backward = backward_of_one(functional.elu)
leaky_relu = on_tensors(functional.leaky_relu)
swiglu = on_tensors(lambda g, x: functional.silu(g) * x)
geglu = on_tensors(lambda g, x: functional.gelu(g) * x)

# ---------------------------------------------------------------------------------- functions of two numbers

pow_of, atan2_of, hypot_of = on_tensors(torch.pow), on_tensors(torch.atan2), on_tensors(torch.hypot)
fmod_of, logaddexp = on_tensors(torch.fmod), on_tensors(torch.logaddexp)

# ------------------------------------------------------------------------------------------ rows

logsumexp = on_tensors(lambda x: torch.logsumexp(x, 1))
logcumsumexp = on_tensors(lambda x: torch.logcumsumexp(x, 1))
mean = on_tensors(lambda x: x.mean(1))
variance = on_tensors(lambda x: x.var(1, unbiased=False))
std = on_tensors(lambda x: x.std(1, unbiased=False))
norm_1 = on_tensors(lambda x: torch.linalg.vector_norm(x, 1, 1))
norm_2 = on_tensors(lambda x: torch.linalg.vector_norm(x, 2, 1))
norm_p = on_tensors(lambda x, p: torch.linalg.vector_norm(x, p, 1))
max_of, min_of = on_tensors(lambda x: x.amax(1)), on_tensors(lambda x: x.amin(1))
sort_rows = on_tensors(lambda x: x.sort(1).values)
top_k = on_tensors(lambda x, like: x.topk(len(like), 1).values)
normalize = on_tensors(lambda x, eps: functional.normalize(x, eps=eps))
cosine_similarity = on_tensors(lambda x, y, eps: functional.cosine_similarity(x, y, eps=eps))
softmax_backward = on_tensors(lambda x, dy: gradient(lambda x: torch.softmax(x, 1), [x], 0, dy))


def argmax_of(x):
    return torch.argmax(tensor(x), 1).to(tensor(x).dtype)


# ----------------------------------------------------------------------------------------- distances


def cdist(mode):
    return on_tensors(lambda x, y: torch.cdist(x, y, compute_mode=mode))


distance = cdist("use_mm_for_euclid_dist_if_necessary")
distance_by_products = cdist("use_mm_for_euclid_dist")
distance_without_products = cdist("donot_use_mm_for_euclid_dist")
distance_1 = on_tensors(lambda x, y: torch.cdist(x, y, p=1))

# --------------------------------------------------------------------------------------------- norms


def layer_norm_of(x, gamma, beta, eps):
    return functional.layer_norm(x, x.shape[1:], gamma, beta, eps)


layer_norm_backward_x = on_tensors(
    lambda dy, x, gamma, eps: gradient(lambda x: layer_norm_of(x, gamma, None, eps), [x], 0, dy))
layer_norm_backward_gamma = on_tensors(lambda dy, x, eps: gradient(
    lambda gamma: layer_norm_of(x, gamma, None, eps), [torch.ones_like(x[0])], 0, dy))
rms_norm_backward_x = on_tensors(
    lambda dy, x, gamma, eps: gradient(lambda x: functional.rms_norm(x, x.shape[1:], gamma, eps), [x], 0, dy))
rms_norm_backward_gamma = on_tensors(lambda dy, x, eps: gradient(
    lambda gamma: functional.rms_norm(x, x.shape[1:], gamma, eps), [torch.ones_like(x[0])], 0, dy))
instance_norm = on_tensors(lambda x, gamma, beta, eps: functional.instance_norm(x, weight=gamma, bias=beta, eps=eps))
batch_norm = on_tensors(
    lambda x, mu, var, gamma, beta, eps: functional.batch_norm(x, mu, var, gamma, beta, False, 0.0, eps))


def batch_norm_of(x, gamma, beta, eps):
    return functional.batch_norm(x, None, None, gamma, beta, True, 0.0, eps)


batch_norm_training = on_tensors(batch_norm_of)
batch_norm_backward_x = on_tensors(
    lambda dy, x, gamma, eps: gradient(lambda x: batch_norm_of(x, gamma, None, eps), [x], 0, dy))
batch_norm_backward_gamma = on_tensors(lambda dy, x, eps: gradient(
    lambda gamma: batch_norm_of(x, gamma, None, eps), [torch.ones_like(x[0, :, 0])], 0, dy))


def group_norm_of(x, gamma, beta, eps):
    b, g, c, s = x.shape
    weights = (each if each is None else each.reshape(-1) for each in (gamma, beta))
    return functional.group_norm(x.reshape(b, g * c, s), g, *weights, eps).reshape(x.shape)


group_norm = on_tensors(group_norm_of)
group_norm_backward_x = on_tensors(
    lambda dy, x, gamma, eps: gradient(lambda x: group_norm_of(x, gamma, None, eps), [x], 0, dy))

# --------------------------------------------------------------------------------------------- losses

cross_entropy = on_tensors(lambda x, label: functional.cross_entropy(x, label, reduction="none"))
cross_entropy_mean = on_tensors(functional.cross_entropy)
cross_entropy_smooth = on_tensors(
    lambda x, label, alpha: functional.cross_entropy(x, label, reduction="none", label_smoothing=alpha))
cross_entropy_weighted = on_tensors(
    lambda x, weight, label: functional.cross_entropy(x, label, weight, reduction="none"))
cross_entropy_weighted_mean = on_tensors(lambda x, weight, label: functional.cross_entropy(x, label, weight))
cross_entropy_weighted_backward = on_tensors(lambda x, weight, label, dl: gradient(
    lambda x: functional.cross_entropy(x, label, weight), [x], 0, torch.tensor(dl, device=x.device)))
cross_entropy_labels_backward = on_tensors(lambda x, label, dl: gradient(
    lambda x: functional.cross_entropy(x, label, reduction="none"), [x], 0, dl))
bce_with_logits = on_tensors(lambda x, t: functional.binary_cross_entropy_with_logits(x, t, reduction="none"))
bce_with_logits_backward = on_tensors(lambda x, t, dl: gradient(
    lambda x: functional.binary_cross_entropy_with_logits(x, t, reduction="none"), [x], 0, dl))
kl_div = on_tensors(lambda x, t: functional.kl_div(x, t, reduction="none").sum(1))
mse = on_tensors(lambda x, t: functional.mse_loss(x, t, reduction="none").mean(1))
huber = on_tensors(lambda x, t, delta: functional.huber_loss(x, t, reduction="none", delta=delta))
huber_backward = on_tensors(lambda x, t, delta, dl: gradient(
    lambda x: functional.huber_loss(x, t, reduction="none", delta=delta), [x], 0, dl))

# --------------------------------------------------------------------------- embeddings, sequences, products

embedding = on_tensors(lambda table, token: functional.embedding(token, table))


@on_tensors
def embedding_backward(dy, like, token):
    table = torch.zeros(len(like) + 1, dy.shape[1], dtype=dy.dtype, device=dy.device)  # a last row for the padding
    tokens = torch.where(token < 0, len(like), token)
    return gradient(lambda w: functional.embedding(tokens, w), [table], 0, dy)[:-1]


@on_tensors
def index_add(dy, like, token):
    rows = torch.zeros(len(like) + 1, dy.shape[1], dtype=dy.dtype, device=dy.device)
    return rows.index_add(0, torch.where(token < 0, len(like), token), dy)[:-1]


linspace = on_tensors(
    lambda like, start, end: torch.linspace(start, end, len(like), dtype=like.dtype, device=like.device))
linear = on_tensors(lambda x, w, b: functional.linear(x, w, b))
linear_gelu = on_tensors(lambda x, w, b: functional.gelu(functional.linear(x, w, b)))
matmul_batched = on_tensors(torch.bmm)
conv2d = on_tensors(functional.conv2d)


def half_turned(x):
    return torch.cat((-x[:, x.shape[1] // 2 :], x[:, : x.shape[1] // 2]), 1)


@on_tensors
def rope_halves(x, cs, sn):
    """x·cos + rotate_half(x)·sin, as models of transformers write it."""
    flat, wide = x.reshape(len(x), -1), [torch.cat((each, each), 1) for each in (cs, sn)]
    return (flat * wide[0] + half_turned(flat) * wide[1]).reshape(x.shape)


@on_tensors
def rope(x, cs, sn):
    """A product of complex numbers, as the models of Llama write it."""
    return torch.view_as_real(torch.view_as_complex(x.contiguous()) * torch.complex(cs, sn))


# ------------------------------------------------------------------------------------------ optimizer steps


def stepped(optimizer, p, g, state):
    parameter = torch.nn.Parameter(p.clone())
    parameter.grad = g.clone()
    made = optimizer(parameter)
    made.state[parameter].update(state)
    made.step()
    return parameter.detach()


def sgd_momentum(p, g, v, lr, mu, decay):
    p, g, v = map(tensor, (p, g, v))
    lr, mu, decay = map(float, (lr, mu, decay))
    return stepped(lambda each: torch.optim.SGD([each], lr, mu, weight_decay=decay), p, g, {"momentum_buffer": v})


def sgd_nesterov(p, g, v, lr, mu):
    p, g, v = map(tensor, (p, g, v))
    return stepped(lambda each: torch.optim.SGD([each], float(lr), float(mu), nesterov=True), p, g,
                   {"momentum_buffer": v})
