"""Activations, the RMS norm and the rotary embedding of transformers, on a CUDA device if there is one."""

import torch
from torch_tensors import DEVICE, on_tensors
from transformers.activations import ACT2FN
from transformers.models.llama.modeling_llama import LlamaRMSNorm, apply_rotary_pos_emb


def activation(name):
    module = ACT2FN[name]
    return on_tensors(lambda x: module(x))


gelu_new, gelu_fast, gelu_tanh = activation("gelu_new"), activation("gelu_fast"), activation("gelu_pytorch_tanh")
gelu_erf, gelu_python = activation("gelu"), activation("gelu_python")
mish = activation("mish")


@on_tensors
def rms_norm(x, weight, eps):
    module = LlamaRMSNorm(x.shape[1], eps=eps).to(DEVICE)
    module.weight.data = weight
    return module(x)


@on_tensors
def rope_halves(x, cs, sn):
    """One head: the cosines and sines of each position stand twice."""
    wide = [torch.cat((each, each), 1)[None] for each in (cs, sn)]
    flat = x.reshape(1, 1, len(x), -1)
    return apply_rotary_pos_emb(flat, flat, *wide)[0].reshape(x.shape)
