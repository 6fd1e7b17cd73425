"""
Weights of a shipped graph as a tagger that training goes on from: python restore.py --graph FILE --out FILE

exact.py left out the bias of keys, which changes nothing, and put that of values into what follows; both are nothing here.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper


def restored(model):
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}

    def weight(name):
        return (held[f"{name}.weight"].astype(np.float32) * held[f"{name}.steps"]).T

    out = {"positions.weight": held["positions"][:, 0], "head.weight": held["head.weight"].T, "head.bias": held["head.bias"]}
    norms, layers = ["norm"], sum(name.endswith(".q.weight") for name in held)
    for p in (f"layers.{i}" for i in range(layers)):
        queries = held[f"{p}.q.bias"]
        out[f"{p}.qkv.weight"] = np.concatenate([weight(f"{p}.{part}") for part in "qkv"])
        out[f"{p}.qkv.bias"] = np.concatenate([queries, np.zeros(2 * len(queries), np.float32)])
        for part in ("out", "up", "down"):
            out |= {f"{p}.{part}.weight": weight(f"{p}.{part}"), f"{p}.{part}.bias": held[f"{p}.{part}.bias"]}
        norms += [f"{p}.norm1", f"{p}.norm2"]
    out |= {f"{name}.{kind}": held[f"{name}.{kind}"] for name in norms for kind in ("weight", "bias")}
    return {name: torch.tensor(np.ascontiguousarray(value, np.float32)) for name, value in out.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graph", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    torch.save(restored(onnx.load(args.graph)), args.out)


if __name__ == "__main__":
    main()
