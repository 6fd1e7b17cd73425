"""A BERT encoder with a casing feature in place of its segment embedding, and a token classifier on top."""

import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file

WIDTH, HEAD, VOCABULARY, POSITIONS = 384, 32, 30522, 512
WHOLE = [(12, 1536)] * 6  # heads and inner places of each layer, as the pretrained encoder has them
EPSILON = 1e-12


class Layer(nn.Module):
    def __init__(self, heads, inner, dropout):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(WIDTH, 3 * heads * HEAD), nn.Linear(heads * HEAD, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, inner), nn.Linear(inner, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, EPSILON), nn.LayerNorm(WIDTH, EPSILON)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask):
        b, t, _ = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, HEAD).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(b, t, self.heads * HEAD)
        x = self.norm1(x + self.drop(self.out(a)))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x)))))


class Tagger(nn.Module):
    def __init__(self, labels, features, shape=WHOLE, dropout=0.1):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH, sparse=True)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.casing = nn.Embedding(features, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.layers = nn.ModuleList(Layer(heads, inner, dropout) for heads, inner in shape)
        self.head = nn.Linear(WIDTH, labels)
        self.drop = nn.Dropout(dropout)

    def forward(self, ids, casing, mask):
        return self.head(self.drop(self.states(ids, casing, mask)[-1]))

    def states(self, ids, casing, mask):
        """What each layer makes of the pieces, first to last."""
        x = self.words(ids) + self.positions.weight[: ids.shape[1]] + self.casing(casing)
        x = self.drop(self.norm(x))
        out = []
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
            out.append(x)
        return out

    def start_from(self, path):
        """Takes over the weights of a pretrained BERT; every casing class begins as its first segment embedding."""
        w = load_file(path)
        with torch.no_grad():
            self.words.weight.copy_(w["embeddings.word_embeddings.weight"])
            self.positions.weight.copy_(w["embeddings.position_embeddings.weight"])
            self.casing.weight.copy_(w["embeddings.token_type_embeddings.weight"][0].expand_as(self.casing.weight))
            self.casing.weight[1:].add_(torch.randn_like(self.casing.weight[1:]) * 0.02)
            copy(self.norm, w, "embeddings.LayerNorm")
            for i, layer in enumerate(self.layers):
                p = f"encoder.layer.{i}"
                qkv = [f"{p}.attention.self.{n}" for n in ("query", "key", "value")]
                layer.qkv.weight.copy_(torch.cat([w[f"{n}.weight"] for n in qkv]))
                layer.qkv.bias.copy_(torch.cat([w[f"{n}.bias"] for n in qkv]))
                copy(layer.out, w, f"{p}.attention.output.dense")
                copy(layer.norm1, w, f"{p}.attention.output.LayerNorm")
                copy(layer.up, w, f"{p}.intermediate.dense")
                copy(layer.down, w, f"{p}.output.dense")
                copy(layer.norm2, w, f"{p}.output.LayerNorm")


def copy(module, weights, name):
    module.weight.copy_(weights[f"{name}.weight"])
    module.bias.copy_(weights[f"{name}.bias"])


def depth(weights):
    return sum(name.endswith(".norm2.weight") for name in weights)


def shape(weights):
    """Heads and inner places of each layer of some weights."""
    sizes = [[weights[f"layers.{i}.{n}.weight"].shape[1] for n in ("out", "down")] for i in range(depth(weights))]
    return [(out // HEAD, inner) for out, inner in sizes]


def load(path, **options):
    """A tagger with the weights of a file that was trained, or of an exported graph."""
    weights = stored(path)
    net = Tagger(*(weights[f"{n}.weight"].shape[0] for n in ("head", "casing")), shape(weights), **options)
    net.load_state_dict(weights)
    return net


def stored(path):
    """Weights of a file that was trained, or of an exported graph: its integers times their scales."""
    if path.suffix != ".onnx":
        return torch.load(path, map_location="cpu")
    w = {i.name: torch.from_numpy(onnx.numpy_helper.to_array(i).copy()) for i in onnx.load(path).graph.initializer}

    def linear(name):
        return (w[f"{name}.weight_quantized"] * w[f"{name}.weight_scale"]).T.contiguous()

    out = {"words.weight": w["words"] * w["words.scale"], "positions.weight": w["positions"], "casing.weight": w["casing"],
           "norm.weight": w["norm.weight"], "norm.bias": w["norm.bias"],
           "head.weight": w["head.weight"].T.contiguous(), "head.bias": w["head.bias"]}
    for i in range(depth(w)):
        p = f"layers.{i}"
        out[f"{p}.qkv.weight"] = torch.cat([linear(f"{p}.{n}") for n in "qkv"])
        out[f"{p}.qkv.bias"] = torch.cat([w[f"{p}.{n}.bias"] for n in "qkv"])
        for n in ("out", "up", "down"):
            out[f"{p}.{n}.weight"], out[f"{p}.{n}.bias"] = linear(f"{p}.{n}"), w[f"{p}.{n}.bias"]
        for n in ("norm1", "norm2"):
            out[f"{p}.{n}.weight"], out[f"{p}.{n}.bias"] = w[f"{p}.{n}.weight"], w[f"{p}.{n}.bias"]
    return out
