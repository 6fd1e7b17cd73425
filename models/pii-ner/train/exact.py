"""
Rewrites a graph of same_everywhere.py so that every processor computes the same bits, and no text's depend on its neighbours:
python exact.py --graph FILE --out FILE --ranges ranges.json [--windows FILE]; with windows, the ranges are measured on them first.

Where bytes are made of floats, a difference in the last bit of one number makes another byte, and a layer or two later all numbers of the
window are others. So nothing is left that the runtime sums up in another order on another processor, or rounds once instead of twice:

- Means of a norm and the sums below a softmax are products with a column of ones, as products go through their terms in one order
  everywhere. LayerNormalization, Softmax and MultiHeadAttention do not.
- Biases are added by themselves: some processors multiply, add and round at once.
- Inputs of the integer products have fixed scales. What <s> and </s> are turned into is far larger than anything else and alike in all
  texts, so that scales taken from the batch are hardly finer; but they depend on the batch.

A softmax does not change when each score of a row moves by the same amount, so keys need no bias; and its shares add up to one, so that
the bias of values is one of what follows. Rows go through the graph as sequence, batch, width: products can then take heads
where they lie. There is no mask: windows of a batch must have the same length. Words are unpacked by arithmetic, in an eighth of the time
of GatherBlockQuantized.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from graph import Graph

HEAD, BLOCK = 32, 32
MOST = 80  # of scores: 512 times its exponential is still a number, and that of its opposite is not nothing


class Exact(Graph):
    def __init__(self, model, ranges):
        super().__init__()
        self.held = {tensor.name: tensor for tensor in model.graph.initializer}
        self.ranges = ranges

    def get(self, name):
        return numpy_helper.to_array(self.held[name])

    def number(self, value):
        return self.weight(np.float32(value), f"number {np.float32(value)}")

    def words(self, ids):
        """Rows of the table. A byte holds two places of a block, half a block apart, each as four bits around 8."""
        nibbles = self.get("words").astype(np.uint8).reshape(-1, BLOCK)
        table = (nibbles[:, :BLOCK // 2] | nibbles[:, BLOCK // 2:] << 4).reshape(len(self.get("words.scale")), -1)
        shape = self.weight(np.array([0, 0, -1, BLOCK // 2]), "blocks")
        packed = self.op("Gather", self.weight(table, "words"), ids)
        both = self.op("Reshape", self.op("Cast", packed, to=TensorProto.FLOAT), shape)
        high = self.op("Floor", self.op("Mul", both, self.number(1 / 16)))
        low = self.op("Sub", both, self.op("Mul", high, self.number(16)))
        centred = self.op("Sub", self.op("Concat", low, high, axis=-1), self.number(8))
        scale = self.op("Gather", self.weight(self.get("words.scale")[:, :, None], "words.scale"), ids)
        return self.flat(self.op("Mul", centred, scale))

    def flat(self, x):
        return self.op("Reshape", x, self.weight(np.array([0, 0, -1]), "flat"))

    def norm(self, x, name, epsilon):
        width = len(self.get(f"{name}.weight"))
        mean = self.weight(np.full((width, 1), 1 / width, np.float32), "mean")
        centred = self.op("Sub", x, self.op("MatMul", x, mean))
        variance = self.op("MatMul", self.op("Mul", centred, centred), mean)
        deviation = self.op("Sqrt", self.op("Add", variance, self.number(epsilon)))
        scaled = self.op("Mul", self.op("Div", centred, deviation), self.weight(self.get(f"{name}.weight"), f"{name}.weight"))
        return self.op("Add", scaled, self.weight(self.get(f"{name}.bias"), f"{name}.bias"))

    def bytes(self, x, place):
        """x as bytes, and how they are to be read; place is where in the graph."""
        low, high = self.ranges[place]
        scale = np.float32((high - low) / 255)
        read = self.weight(scale, f"{place}.scale"), self.weight(np.uint8(round(-low / scale)), f"{place}.zero")
        return self.op("QuantizeLinear", x, *read), *read

    def linear(self, x, name):
        values, scale, zero = x
        weight = self.weight(self.get(f"{name}.weight_quantized"), f"{name}.weight")
        steps = self.weight(self.get(f"{name}.weight_scale"), f"{name}.steps")
        return self.op("MatMulIntegerToFloat", values, weight, scale, steps, zero, domain="com.microsoft")

    def attention(self, x, name, ones):
        q, k, v = (self.linear(x, f"{name}.{part}") for part in "qkv")
        q = self.op("Add", q, self.weight(self.get(f"{name}.q.bias"), f"{name}.q.bias"))
        width = self.get(f"{name}.out.weight_quantized").shape[0]
        heads = self.weight(np.array([0, -1, HEAD]), "heads")
        q, k, v = (self.op("Reshape", part, heads) for part in (q, k, v))
        fused = {"domain": "com.microsoft", "transBatchB": 1}
        scores = self.op("FusedMatMul", q, k, transBatchA=1, transB=1, alpha=float(1 / np.sqrt(np.float32(HEAD))), **fused)
        powers = self.op("Exp", self.op("Clip", scores, self.number(-MOST), self.number(MOST)))
        # Two columns, as the runtime sums up a single one in another way.
        sums = self.op("Slice", self.op("MatMul", powers, ones), *(self.weight(np.array([n]), f"place {n}") for n in (0, 1, 2)))
        mixed = self.op("Div", self.op("FusedMatMul", powers, v, **fused), sums)
        back = self.weight(np.array([0, -1, width]), f"{name}.width")
        return self.op("Reshape", self.op("Transpose", mixed, perm=[1, 0, 2]), back)

    def out_bias(self, name):
        """That of what follows attention, with the bias of values."""
        weight = self.get(f"{name}.out.weight_quantized") * self.get(f"{name}.out.weight_scale").astype(np.float64)
        return (self.get(f"{name}.out.bias") + self.get(f"{name}.v.bias") @ weight).astype(np.float32)


def rewritten(model, ranges):
    g = Exact(model, ranges)
    epsilon = next(a.f for node in model.graph.node if node.op_type == "LayerNormalization" for a in node.attribute if a.name == "epsilon")
    positions = g.get("positions")
    zero, one, two = (g.weight(np.array([n]), f"place {n}") for n in range(3))
    length = g.op("Slice", g.op("Shape", "input_ids"), one, two)
    places = g.op("Slice", g.weight(positions[:, None], "positions"), zero, length, zero)
    ones = g.op("Slice", g.weight(np.ones((len(positions), 2), np.float32), "ones"), zero, length, zero)
    x = g.norm(g.op("Add", g.words(g.op("Transpose", "input_ids", perm=[1, 0])), places), "norm", epsilon)
    for i in range(sum(name.endswith(".q.bias") for name in g.held)):
        p = f"layers.{i}"
        mixed = g.attention(g.bytes(x, f"{p}.q"), p, ones)
        y = g.linear(g.bytes(mixed, f"{p}.out"), f"{p}.out")
        x = g.norm(g.op("Sum", x, y, g.weight(g.out_bias(p), f"{p}.out.bias")), f"{p}.norm1", epsilon)
        # "Sum": the runtime fuses "Add" and Gelu into a kernel that takes longer than both.
        y = g.op("Sum", g.linear(g.bytes(x, f"{p}.up"), f"{p}.up"), g.weight(g.get(f"{p}.up.bias"), f"{p}.up.bias"))
        y = g.linear(g.bytes(g.op("Gelu", y), f"{p}.down"), f"{p}.down")
        x = g.norm(g.op("Sum", x, y, g.weight(g.get(f"{p}.down.bias"), f"{p}.down.bias")), f"{p}.norm2", epsilon)
    x = g.op("Add", g.op("MatMul", x, g.weight(g.get("head.weight"), "head.weight")), g.weight(g.get("head.bias"), "head.bias"))
    g.op("Transpose", x, perm=[1, 0, 2])
    g.nodes[-1].output[0] = "logits"
    return g.model([value for value in model.graph.input if value.name == "input_ids"], model.graph.output[0])


def measured(model, windows):
    """Least and greatest number that goes into each product, over windows with their special pieces."""
    makers = {output: node for node in model.graph.node for output in node.output}
    inputs = {}
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":
            inputs.setdefault(makers[node.input[0]].input[0], node.input[1].removesuffix(".weight_quantized"))
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    copy.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in inputs)
    session = onnxruntime.InferenceSession(copy.SerializeToString())
    biases = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer if t.name.endswith(".v.bias")}
    ranges = {place: (0.0, 0.0) for place in inputs.values()}
    for ids in windows:
        row = np.array([ids])
        for place, value in zip(inputs.values(), session.run(list(inputs), {"input_ids": row, "attention_mask": np.ones_like(row)})):
            value = value - biases.get(f"{place.removesuffix('.out')}.v.bias", 0)
            ranges[place] = min(ranges[place][0], float(value.min())), max(ranges[place][1], float(value.max()))
    return {place: [round(end, 3) for end in both] for place, both in sorted(ranges.items())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graph", type=Path, required=True)
    parser.add_argument("--ranges", type=Path, required=True)
    parser.add_argument("--windows", type=Path)
    parser.add_argument("--ends", type=int, nargs=2, default=[0, 2], help="special pieces before and after a window")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    model = onnx.load(args.graph)
    if args.windows:
        rows = np.load(args.windows)
        starts = np.concatenate([[0], np.cumsum(rows["lengths"])])
        windows = [[args.ends[0], *rows["ids"][a:b], args.ends[1]] for a, b in zip(starts, starts[1:])]
        ranges = measured(model, windows)
        args.ranges.write_text(json.dumps(ranges, indent=1) + "\n")
    onnx.save(rewritten(model, json.loads(args.ranges.read_text())), args.out)


if __name__ == "__main__":
    main()
