"""Attention of PyTorch by the backend that a function names, on a CUDA device: torch.nn.functional's
scaled_dot_product_attention and its gradients. A head of another size than the backend takes is filled up with zeros,
which changes no sum. With is_causal row i sees the keys up to i, so rows of zeros stand before the queries where there
are more keys, and a query without any key gets zeros."""

import functools

import torch
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from torch_tensors import gradient, on_tensors

BACKENDS = {"flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION, "math": SDPBackend.MATH,
            "cudnn": SDPBackend.CUDNN_ATTENTION}


def padded(x, width):
    """Rows of one head, with zeros up to a width that the backend takes, as a batch of one."""
    return functional.pad(x, (0, width - x.shape[-1]))[None, None]


def attention_by(name, causal, q, k, v, scale, bias=None):
    width = max(16, 8 * -(-max(q.shape[1], v.shape[1]) // 8))
    rows, keys = len(q), len(k)
    if causal:
        q = functional.pad(q, (0, 0, max(keys - rows, 0), 0))[max(rows - keys, 0) :]
    given = [padded(x, width) for x in (q, k, v)]
    with sdpa_kernel(BACKENDS[name]):
        got = functional.scaled_dot_product_attention(
            *given, attn_mask=None if bias is None else bias[None, None], is_causal=causal, scale=scale)
    if causal:
        got = functional.pad(got[:, :, max(keys - rows, 0) :], (0, 0, max(rows - keys, 0), 0))
    return got[0, 0, :, : v.shape[1]]


def forward(name, causal):
    return on_tensors(lambda q, k, v, scale: attention_by(name, causal, q, k, v, scale))


def backward(name, place):
    """The gradient to q, k or v of causal attention."""

    def to_q_or_k(q, k, v, do, scale):
        return gradient(lambda q, k, v: attention_by(name, True, q, k, v, scale), [q, k, v], place, do)

    def to_v(q, k, do, scale):
        return to_q_or_k(q, k, torch.zeros(len(k), do.shape[1], dtype=q.dtype, device=q.device), do, scale)

    return on_tensors(to_v if place == 2 else to_q_or_k)


def biased(name):
    return on_tensors(lambda q, k, v, bias, scale: attention_by(name, False, q, k, v, scale, bias))


for each in BACKENDS:
    globals().update({f"full_{each}": forward(each, False), f"causal_{each}": forward(each, True),
                      f"bias_{each}": biased(each), f"backward_q_{each}": backward(each, 0),
                      f"backward_k_{each}": backward(each, 1), f"backward_v_{each}": backward(each, 2)})


@functools.cache
def compiled_flex_attention():
    from torch.nn.attention.flex_attention import flex_attention

    return torch.compile(flex_attention)


@on_tensors
def full_flex(q, k, v, scale):
    """The scale goes into the queries, so that the kernel is compiled once; in 16 bits that would round them."""
    got = compiled_flex_attention()(*[padded(x, max(16, x.shape[1])) for x in (q * scale, k, v)], scale=1.0)
    return got[0, 0, :, : v.shape[1]]
