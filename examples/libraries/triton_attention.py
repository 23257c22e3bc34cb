"""Attention in Triton on a CUDA device, written after the subject of its public tutorial: a program computes some rows
of one head, goes over blocks of keys, and rescales what it has when the maximum of the scores grows. The weights are
rounded to the format of V before they are multiplied by it, except in binary32."""

import torch
import triton
import triton.language as tl

from torch_tensors import on_tensors

ROWS, KEYS = 16, 32


@triton.jit(do_not_specialize=["n", "m", "d", "e"])
def _attention(q, k, v, o, n, m, d, e, scale, CAUSAL: tl.constexpr, ROWS: tl.constexpr, KEYS: tl.constexpr,
               WIDTH: tl.constexpr, PRECISION: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    places = tl.arange(0, WIDTH)
    queries = tl.load(q + rows[:, None] * d + places[None, :],
                      mask=(rows[:, None] < n) & (places[None, :] < d), other=0.0)
    largest = tl.full((ROWS,), -float("inf"), tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    result = tl.zeros((ROWS, WIDTH), tl.float32)
    turned = scale * 1.4426950408889634
    for start in range(0, m, KEYS):
        keys = start + tl.arange(0, KEYS)
        inside = keys[:, None] < m
        of_k = tl.load(k + keys[:, None] * d + places[None, :], mask=inside & (places[None, :] < d), other=0.0)
        of_v = tl.load(v + keys[:, None] * e + places[None, :], mask=inside & (places[None, :] < e), other=0.0)
        scores = tl.dot(queries, tl.trans(of_k), input_precision=PRECISION) * turned
        seen = (keys[None, :] < m) & (rows[:, None] < n)
        if CAUSAL:
            seen = seen & (keys[None, :] <= rows[:, None] + m - n)
        scores = tl.where(seen, scores, -float("inf"))
        new = tl.maximum(largest, tl.max(scores, axis=1))
        still = tl.where(new == -float("inf"), 0.0, new)
        weights = tl.exp2(scores - still[:, None])
        factor = tl.exp2(largest - still)
        total = total * factor + tl.sum(weights, axis=1)
        result = result * factor[:, None] + tl.dot(weights.to(of_v.dtype), of_v, input_precision=PRECISION)
        largest = new
    result = result / tl.where(total == 0.0, 1.0, total)[:, None]
    tl.store(o + rows[:, None] * e + places[None, :], result, mask=(rows[:, None] < n) & (places[None, :] < e))


def attention_by(causal, precision):
    def attention(q, k, v, scale):
        (n, d), (m, e) = q.shape, v.shape
        o = torch.empty(n, e, dtype=q.dtype, device=q.device)
        width = max(16, triton.next_power_of_2(max(d, e)))
        _attention[(triton.cdiv(n, ROWS),)](q.contiguous(), k.contiguous(), v.contiguous(), o, n, m, d, e, scale,
                                            CAUSAL=causal, ROWS=ROWS, KEYS=KEYS, WIDTH=width, PRECISION=precision)
        return o

    return on_tensors(attention)


full, causal = attention_by(False, "ieee"), attention_by(True, "ieee")
full_tf32, causal_tf32 = attention_by(False, "tf32"), attention_by(True, "tf32")
