"""A post-norm transformer encoder with a token classifier on top."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from encoder import floats, start

WIDTH, HEAD = 384, 32
EPSILON = 1e-12
FIRST, PAD, LAST = 0, 1, 2  # <s>, <pad> and </s> of the tokenizer
FROZEN = ("words.", "positions.", "norm.")  # the table of words keeps the languages aligned: it never moves


class Layer(nn.Module):
    def __init__(self, heads, inner):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(WIDTH, 3 * heads * HEAD), nn.Linear(heads * HEAD, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, inner), nn.Linear(inner, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, EPSILON), nn.LayerNorm(WIDTH, EPSILON)

    def forward(self, x, mask):
        b, t, _ = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, HEAD).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(b, t, self.heads * HEAD)
        x = self.norm1(x + self.out(a))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Tagger(nn.Module):
    def __init__(self, labels, weights):
        """`weights` tell the sizes: those of the pretrained encoder or of a tagger."""
        super().__init__()
        self.words = nn.Embedding(*weights["words.weight"].shape)
        self.positions = nn.Embedding(*weights["positions.weight"].shape)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.layers = nn.ModuleList(Layer(heads, inner) for heads, inner in shape(weights))
        self.head = nn.Linear(WIDTH, labels)
        self.load_state_dict(weights, strict=False)

    def forward(self, ids, mask):
        return self.head(self.states(ids, mask)[-1])

    def states(self, ids, mask):
        """What each layer makes of the pieces, first to last."""
        with torch.no_grad():
            x = self.norm(F.embedding(ids, self.words.weight) + self.positions.weight[: ids.shape[1]])
        out, mask = [], mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
            out.append(x)
        return out

    def trainable(self, first_layer):
        """Leaves the layers before `first_layer` as they were pretrained, and returns what remains to be trained."""
        still = (*FROZEN, *(f"layers.{i}." for i in range(first_layer)))
        for name, weight in self.named_parameters():
            weight.requires_grad_(not name.startswith(still))
        return [weight for weight in self.parameters() if weight.requires_grad]

    def own(self):
        """The weights without the table of words, which is the pretrained one and need not be stored again."""
        return {name: value for name, value in self.state_dict().items() if name != "words.weight"}


def depth(weights):
    return sum(name.endswith(".norm2.weight") for name in weights)


def shape(weights):
    """Heads and inner places of each layer of some weights."""
    sizes = [[weights[f"layers.{i}.{n}.weight"].shape[1] for n in ("out", "down")] for i in range(depth(weights))]
    return [(out // HEAD, inner) for out, inner in sizes]


def pretrained(base, layers):
    """The first layers of the encoder that encoder.py read."""
    arrays = start(base)
    arrays["words.weight"] = floats(arrays.pop("words"))
    return {k: torch.from_numpy(v) for k, v in arrays.items() if not k.startswith("layers.") or int(k.split(".")[1]) < layers}


def stored(path, base):
    """The weights of a tagger that was saved without its table of words."""
    weights = torch.load(path, map_location="cpu")
    return {"words.weight": torch.from_numpy(floats(start(base)["words"])), **weights.get("net", weights)}
