"""
Writes the model folder: python export.py --weights FILE [FILE ...] --tokenizer FILE --folder DIR [--bias TYPE=N ...]

Of several weights the mean is taken.

The graph is written out operator by operator, with int8 weights (one scale per output channel, one per row of the word
table) and activations quantised as the model runs. Hugging Face layout; anon-model.json carries the SHA-256 of each file, and what is added to the logits
of a type so that 0.5 is a good threshold for it (found on development data).
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

import features as f
from model import EPSILON, POSITIONS, VOCABULARY, WIDTH, shape, stored


class Graph:
    def __init__(self):
        self.nodes, self.weights, self.count = [], [], 0

    def weight(self, array, name):
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def op(self, kind, *inputs, domain="", outputs=1, **attributes):
        self.count += 1
        names = [f"{kind}_{self.count}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=f"{kind}_{self.count}", domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def linear(self, x, weight, bias, name):
        product = self.op("MatMul", x, self.weight(weight.T, f"{name}.weight"))
        return self.op("Add", product, self.weight(bias, f"{name}.bias"))

    def norm(self, x, weight, bias, name):
        return self.op("LayerNormalization", x, self.weight(weight, f"{name}.weight"), self.weight(bias, f"{name}.bias"),
                       axis=-1, epsilon=EPSILON)

    def attention(self, q, k, v, heads, mask, whole, name):
        """The runtime's own kernel, which is quicker without a mask: one is only given where pieces are missing."""
        branches = []
        for n, inputs in enumerate(([q, k, v], [q, k, v, "", mask])):
            node = helper.make_node("MultiHeadAttention", inputs, [f"{name}.{n}"], domain="com.microsoft", num_heads=heads)
            out = helper.make_tensor_value_info(f"{name}.{n}", TensorProto.FLOAT, None)
            branches.append(helper.make_graph([node], f"{name}.{n}", [], [out]))
        return self.op("If", whole, then_branch=branches[0], else_branch=branches[1])


def build(w):
    g = Graph()
    table = w["words.weight"]
    scale = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-8).astype(np.float32) / 127
    rows = g.op("Gather", g.weight(np.round(table / scale).astype(np.int8), "words"), "input_ids", axis=0)
    scales = g.op("Gather", g.weight(scale, "words.scale"), "input_ids", axis=0)
    words = g.op("Mul", g.op("Cast", rows, to=TensorProto.FLOAT), scales)
    dims = g.op("Shape", "input_ids")
    length = g.op("Slice", dims, g.weight(np.array([1]), "one"), g.weight(np.array([2]), "two"))
    positions = g.op("Slice", g.weight(w["positions.weight"], "positions"), g.weight(np.array([0]), "zero"), length, "zero")
    casing = g.op("Gather", g.weight(w["casing.weight"], "casing"), "token_type_ids", axis=0)
    x = g.op("Add", g.op("Add", words, casing), positions)
    x = g.norm(x, w["norm.weight"], w["norm.bias"], "norm")
    mask = g.op("Cast", "attention_mask", to=TensorProto.INT32)
    full = g.op("Cast", g.op("ReduceMin", mask, keepdims=0), to=TensorProto.BOOL)
    # "Sum" where an encoder has "Add" before a norm: the runtime fuses Add and norm into a kernel that takes four times as long.
    for i, (heads, _) in enumerate(shape(w)):
        p = f"layers.{i}"
        parts = zip("qkv", np.split(w[f"{p}.qkv.weight"], 3), np.split(w[f"{p}.qkv.bias"], 3))
        qkv = [g.linear(x, weight, bias, f"{p}.{part}") for part, weight, bias in parts]
        mixed = g.attention(*qkv, heads, mask, full, f"{p}.attention")
        y = g.linear(mixed, w[f"{p}.out.weight"], w[f"{p}.out.bias"], f"{p}.out")
        x = g.norm(g.op("Sum", x, y), w[f"{p}.norm1.weight"], w[f"{p}.norm1.bias"], f"{p}.norm1")
        y = g.op("Gelu", g.linear(x, w[f"{p}.up.weight"], w[f"{p}.up.bias"], f"{p}.up"))
        y = g.linear(y, w[f"{p}.down.weight"], w[f"{p}.down.bias"], f"{p}.down")
        x = g.norm(g.op("Sum", x, y), w[f"{p}.norm2.weight"], w[f"{p}.norm2.bias"], f"{p}.norm2")
    logits = g.linear(x, w["head.weight"], w["head.bias"], "head")
    g.nodes[-1].output[0] = "logits"
    del logits
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"])
              for n in ("input_ids", "attention_mask", "token_type_ids")]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "sequence", len(f.LABELS)])
    graph = helper.make_graph(g.nodes, "pii-ner", inputs, [output], g.weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)], ir_version=9)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", type=Path, required=True, nargs="+")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--bias", nargs="*", default=[], metavar="TYPE=N")
    args = parser.parse_args()
    states = [stored(path) for path in args.weights]
    weights = {k: (sum(state[k].float() for state in states) / len(states)).numpy() for k in states[0]}
    folder = args.folder
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    plain, final = folder / "onnx/float.onnx", folder / "onnx/model_quantized.onnx"
    model = build(weights)
    onnx.checker.check_model(model)
    onnx.save(model, plain)
    # The classifier's own 21 columns stay in float: they cost nothing and decide everything.
    head = next(n.name for n in model.graph.node if n.op_type == "MatMul" and n.input[1] == "head.weight")
    quantize_dynamic(plain, final, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul"],
                     nodes_to_exclude=[head], extra_options={"MatMulConstBOnly": True, "DefaultTensorType": TensorProto.FLOAT})
    plain.unlink()
    tokenizer = json.loads(args.tokenizer.read_text())
    tokenizer["truncation"] = tokenizer["padding"] = None
    write(folder / "tokenizer.json", tokenizer, None)
    write(folder / "tokenizer_config.json", {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": POSITIONS}, 2)
    sizes = shape(weights)
    write(folder / "config.json", {
        "architectures": ["BertForTokenClassification"], "model_type": "bert", "vocab_size": VOCABULARY, "hidden_size": WIDTH,
        "num_hidden_layers": len(sizes), "num_attention_heads": [heads for heads, _ in sizes],
        "intermediate_size": [inner for _, inner in sizes], "hidden_act": "gelu",
        "max_position_embeddings": POSITIONS, "type_vocab_size": f.FEATURES, "layer_norm_eps": EPSILON, "pad_token_id": 0,
        "id2label": {str(i): l for i, l in enumerate(f.LABELS)}, "label2id": {l: i for i, l in enumerate(f.LABELS)}}, 2)
    files = ["config.json", "tokenizer.json", "onnx/model_quantized.onnx"]
    write(folder / "anon-model.json", {
        "name": "pii-ner", "description": "Names, places, organisations, addresses, dates and other identifying facts",
        "licence": "Apache-2.0", "languages": ["en", "es", "de", "pt", "no", "sv", "da"],
        "sha256": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files},
        "window": {"size": 126, "stride": 108, "sentences": True},
        "calibration": {"temperature": 1, "bias": {k: float(v) for k, v in (x.split("=") for x in args.bias)}},
        "aggregation": "mean", "addresses": False, "casing": True}, 2)
    print(final.stat().st_size, "bytes")


def write(path, value, indent):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent, separators=None if indent else (",", ":")) + "\n")


if __name__ == "__main__":
    main()
