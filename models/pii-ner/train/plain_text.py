"""
The same model as a common export has it: python plain_text.py --weights FILE --out FILE

Operators as Hugging Face's exporter writes them (norms and Gelu spelt out, for the runtime to fuse), quantised by
`quantize_dynamic` as it comes. The goal for speed was measured on such a graph, 19,700 pieces a second in windows of 128:
`npm run bench:models -- --beside FILE` times it in turn with the one that ships, so that both see the same processor.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnxruntime.quantization import QuantType, quantize_dynamic

import features as f
from export import Graph
from model import EPSILON, HEAD, shape, stored


class Plain(Graph):
    def number(self, value, kind=np.float32):
        return self.weight(np.array(value, kind), f"number_{len(self.weights)}")

    def linear(self, x, weight, bias, name):
        product = self.op("MatMul", x, self.weight(weight.T, f"{name}.weight"))
        return self.op("Add", self.weight(bias, f"{name}.bias"), product)

    def norm(self, x, weight, bias, name):
        away = self.op("Sub", x, self.op("ReduceMean", x, self.number([-1], np.int64)))
        spread = self.op("ReduceMean", self.op("Pow", away, self.number(2)), self.number([-1], np.int64))
        even = self.op("Div", away, self.op("Sqrt", self.op("Add", spread, self.number(EPSILON))))
        return self.op("Add", self.op("Mul", even, self.weight(weight, f"{name}.weight")), self.weight(bias, f"{name}.bias"))

    def gelu(self, x):
        erf = self.op("Erf", self.op("Div", x, self.number(2 ** 0.5)))
        return self.op("Mul", self.op("Mul", x, self.op("Add", erf, self.number(1))), self.number(0.5))


def build(w):
    g = Plain()
    length = g.op("Slice", g.op("Shape", "input_ids"), g.number([1], np.int64), g.number([2], np.int64))
    zero = g.number([0], np.int64)
    positions = g.op("Slice", g.weight(w["positions.weight"], "positions"), zero, length, zero)
    x = g.op("Add", g.op("Gather", g.weight(w["words.weight"], "words"), "input_ids", axis=0),
             g.op("Gather", g.weight(w["casing.weight"], "casing"), "token_type_ids", axis=0))
    x = g.norm(g.op("Add", x, positions), w["norm.weight"], w["norm.bias"], "norm")
    valid = g.op("Cast", g.op("Unsqueeze", "attention_mask", g.number([1, 2], np.int64)), to=TensorProto.FLOAT)
    mask = g.op("Mul", g.op("Sub", g.number(1), valid), g.number(np.finfo(np.float32).min))
    for i, (count, _) in enumerate(shape(w)):
        p = f"layers.{i}"
        whole, heads = g.number([0, 0, count * HEAD], np.int64), g.number([0, 0, count, HEAD], np.int64)
        parts = []
        for part, weight, bias in zip("qkv", np.split(w[f"{p}.qkv.weight"], 3), np.split(w[f"{p}.qkv.bias"], 3)):
            y = g.linear(x, weight, bias, f"{p}.{part}")
            parts.append(g.op("Transpose", g.op("Reshape", y, heads), perm=[0, 2, 3, 1] if part == "k" else [0, 2, 1, 3]))
        q, k, v = parts
        scores = g.op("Add", g.op("Div", g.op("MatMul", q, k), g.number(HEAD ** 0.5)), mask)
        mixed = g.op("Transpose", g.op("MatMul", g.op("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
        y = g.linear(g.op("Reshape", mixed, whole), w[f"{p}.out.weight"], w[f"{p}.out.bias"], f"{p}.out")
        x = g.norm(g.op("Add", y, x), w[f"{p}.norm1.weight"], w[f"{p}.norm1.bias"], f"{p}.norm1")
        y = g.gelu(g.linear(x, w[f"{p}.up.weight"], w[f"{p}.up.bias"], f"{p}.up"))
        y = g.linear(y, w[f"{p}.down.weight"], w[f"{p}.down.bias"], f"{p}.down")
        x = g.norm(g.op("Add", y, x), w[f"{p}.norm2.weight"], w[f"{p}.norm2.bias"], f"{p}.norm2")
    g.linear(x, w["head.weight"], w["head.bias"], "head")
    g.nodes[-1].output[0] = "logits"
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"])
              for n in ("input_ids", "attention_mask", "token_type_ids")]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "sequence", len(f.LABELS)])
    graph = helper.make_graph(g.nodes, "plain", inputs, [output], g.weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", type=Path, required=True, help="trained weights, or an exported graph")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    plain = args.out.with_suffix(".float.onnx")
    onnx.save(build({k: v.float().numpy() for k, v in stored(args.weights).items()}), plain)
    quantize_dynamic(plain, args.out, weight_type=QuantType.QInt8)
    plain.unlink()


if __name__ == "__main__":
    main()
