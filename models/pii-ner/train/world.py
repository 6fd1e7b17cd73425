"""
Makes `pii-ner-world`, which reads every script: python world.py --base DIR --folder DIR

--base is what encoder.py wrote with --all-scripts. The table of words was never trained, so the layers of the shipped model read the
rows of all 250,001 pieces as well as those of the 151,621 that ship: graph, labels and settings are those of the shipped folder, and only the
table and the tokenizer are others. What is added to the logits in languages that the shipped model doesn't read is in
calibration-world.json.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from encoder import BLOCK, halves, start
from folder import digests, sizes, write

HERE = Path(__file__).parent
SHIPPED = HERE.parent / "2.5.0"


def packed(blocks):
    """Rows of the table as the graph holds them: two places of a block in a byte, half a block apart, and the scales."""
    scale, nibbles = halves(blocks)
    nibbles = nibbles.reshape(-1, BLOCK)
    table = (nibbles[:, :BLOCK // 2] | nibbles[:, BLOCK // 2:] << 4).reshape(len(scale), -1)
    return {"words": table, "words.scale": np.ascontiguousarray(scale[:, :, None])}


def pieces(path):
    return [piece for piece, _ in json.loads(path.read_text())["model"]["vocab"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    args = parser.parse_args()
    model = onnx.load(SHIPPED / "onnx/model_quantized.onnx")
    tables, names = packed(start(args.base)["words"]), pieces(args.base / "tokenizer.json")
    place = {piece: row for row, piece in enumerate(names)}
    rows = [place[piece] for piece in pieces(SHIPPED / "tokenizer.json")]
    for tensor in model.graph.initializer:
        if tensor.name in tables:
            if not np.array_equal(numpy_helper.to_array(tensor), tables[tensor.name][rows]):
                raise SystemExit(f"{args.base} is another encoder than that of {SHIPPED}")
            tensor.CopyFrom(numpy_helper.from_array(tables[tensor.name], tensor.name))
    (args.folder / "onnx").mkdir(parents=True, exist_ok=True)
    onnx.save(model, args.folder / "onnx/model_quantized.onnx")
    write(args.folder / "tokenizer.json", json.loads((args.base / "tokenizer.json").read_text()), None)
    config, card = (json.loads((SHIPPED / name).read_text()) for name in ("config.json", "anon-model.json"))
    write(args.folder / "config.json", {**config, "vocab_size": len(names)}, 2)
    more = json.loads((HERE / "calibration-world.json").read_text())
    card["name"] = "pii-ner-world"
    card["languages"] += list(more)
    card["calibration"]["languages"].update(more)
    card["sha256"] = digests(args.folder)
    write(args.folder / "anon-model.json", card, 2)
    print(sizes(args.folder))


if __name__ == "__main__":
    main()
