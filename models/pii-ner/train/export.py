"""
Writes the model folder: python export.py --weights FILE --base DIR --windows FILE --folder DIR

--base is what encoder.py wrote, --windows an epoch of prepare.py. The graph is written out operator by operator. Its table of words stays in
the four bits that it came in, exactly; the layers have int8 weights (one scale per output channel), rounded so that no processor
cuts off a sum (same_everywhere.py), in a graph that computes the same bits on each (exact.py). Hugging Face layout; anon-model.json
carries the SHA-256 of each file, and what is added to the logits of a type so that 0.5 is a good threshold for it in each
language: calibration.json, which was found on development data.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

import exact
import features as f
import same_everywhere
from encoder import BLOCK, halves, start
from folder import digests, sizes, write
from graph import Graph
from model import EPSILON, FIRST, LAST, PAD, WIDTH, shape, stored

CALIBRATED = 400  # windows that rounding is fitted to
RANGED = 760  # windows that the scales of what goes into the products are taken from, ranges.json
LANGUAGES = ["en", "es", "de", "pt", "fr", "it", "nl", "pl", "sv", "no", "da", "ro", "cs", "sk", "hr", "sl", "ru", "uk", "bg", "fi", "hu",
             "lt", "lv", "et", "el", "tr"]


class Layers(Graph):
    def linear(self, x, weight, bias, name):
        product = self.op("MatMul", x, self.weight(weight.T, f"{name}.weight"))
        return self.op("Add", product, self.weight(bias, f"{name}.bias"))

    def norm(self, x, weight, bias, name):
        return self.op("LayerNormalization", x, self.weight(weight, f"{name}.weight"), self.weight(bias, f"{name}.bias"),
                       axis=-1, epsilon=EPSILON)

    def words(self, blocks):
        """Rows of the table: blocks of 32 numbers of four bits around 8 with a scale each."""
        scale, nibbles = halves(blocks)
        packed = nibbles[:, 0::2] | nibbles[:, 1::2] << 4
        table = helper.make_tensor("words", TensorProto.UINT4, nibbles.shape, packed.tobytes(), raw=True)
        self.weights["words"] = table
        eights = np.full(((scale.size + 1) // 2,), 0x88, np.uint8)
        zero = helper.make_tensor("words.zero", TensorProto.UINT4, scale.shape, eights.tobytes(), raw=True)
        self.weights["words.zero"] = zero
        return self.op("GatherBlockQuantized", "words", "input_ids", self.weight(scale, "words.scale"), "words.zero",
                       domain="com.microsoft", block_size=BLOCK, gather_axis=0, quantize_axis=1)

    def attention(self, q, k, v, heads, mask, whole, name):
        """The runtime's own kernel, which is quicker without a mask: one is only given where pieces are missing."""
        branches = []
        for n, inputs in enumerate(([q, k, v], [q, k, v, "", mask])):
            node = helper.make_node("MultiHeadAttention", inputs, [f"{name}.{n}"], domain="com.microsoft", num_heads=heads)
            out = helper.make_tensor_value_info(f"{name}.{n}", TensorProto.FLOAT, None)
            branches.append(helper.make_graph([node], f"{name}.{n}", [], [out]))
        return self.op("If", whole, then_branch=branches[0], else_branch=branches[1])


def build(w, blocks):
    g = Layers()
    dims = g.op("Shape", "input_ids")
    length = g.op("Slice", dims, g.weight(np.array([1]), "one"), g.weight(np.array([2]), "two"))
    positions = g.op("Slice", g.weight(w["positions.weight"], "positions"), g.weight(np.array([0]), "zero"), length, "zero")
    x = g.norm(g.op("Add", g.words(blocks), positions), w["norm.weight"], w["norm.bias"], "norm")
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
    g.linear(x, w["head.weight"], w["head.bias"], "head")
    g.nodes[-1].output[0] = "logits"
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"]) for n in ("input_ids", "attention_mask")]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "sequence", len(f.LABELS)])
    return g.model(inputs, output)


def quantised(plain, final, floats, windows):
    """int8 products: laid out by the runtime's own tool, rounded anew from the floats, and put into a graph that is exact."""
    model = onnx.load(plain)
    # The classifier's own 21 columns stay in float: they cost nothing and decide everything.
    head = next(n.name for n in model.graph.node if n.op_type == "MatMul" and n.input[1] == "head.weight")
    quantize_dynamic(plain, final, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul"],
                     nodes_to_exclude=[head], extra_options={"MatMulConstBOnly": True, "DefaultTensorType": TensorProto.FLOAT})
    data = np.load(windows)
    starts = np.concatenate([[0], np.cumsum(data["lengths"])])
    ids = data["ids"]
    rows = [ids[a:b] for a, b in list(zip(starts, starts[1:]))[:RANGED]]
    same_everywhere.rewrite(final, final, {"ids": rows[:CALIBRATED]}, (FIRST, LAST), floats)
    rounded = onnx.load(final)
    ranges = exact.measured(rounded, [[FIRST, *row, LAST] for row in rows])
    (Path(__file__).parent / "ranges.json").write_text(json.dumps(ranges, indent=1) + "\n")
    onnx.save(exact.rewritten(rounded, ranges), final)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--windows", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    args = parser.parse_args()
    weights = {k: v.float().numpy() for k, v in stored(args.weights, args.base).items()}
    folder = args.folder
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    plain, final = folder / "onnx/float.onnx", folder / "onnx/model_quantized.onnx"
    model = build(weights, start(args.base)["words"])
    floats = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer if tensor.name.endswith(".weight")}
    onnx.save(model, plain)
    quantised(plain, final, floats, args.windows)
    plain.unlink()
    tokenizer = json.loads((args.base / "tokenizer.json").read_text())
    write(folder / "tokenizer.json", tokenizer, None)
    layers = shape(weights)
    write(folder / "config.json", {
        "architectures": ["BertForTokenClassification"], "model_type": "bert", "vocab_size": len(weights["words.weight"]),
        "hidden_size": WIDTH, "num_hidden_layers": len(layers), "num_attention_heads": [heads for heads, _ in layers],
        "intermediate_size": [inner for _, inner in layers], "hidden_act": "gelu",
        "max_position_embeddings": len(weights["positions.weight"]), "layer_norm_eps": EPSILON, "pad_token_id": PAD,
        "id2label": {str(i): l for i, l in enumerate(f.LABELS)}, "label2id": {l: i for i, l in enumerate(f.LABELS)}}, 2)
    write(folder / "anon-model.json", {
        "name": "pii-ner", "description": "Names, places, organisations, addresses, dates and other identifying facts",
        "licence": "Apache-2.0", "languages": LANGUAGES,
        "sha256": digests(folder),
        "window": {"size": 126, "stride": 108, "sentences": True},
        "calibration": {"temperature": 1, **json.loads((Path(__file__).parent / "calibration.json").read_text())},
        "aggregation": "mean", "addresses": False}, 2)
    print(sizes(folder))


if __name__ == "__main__":
    main()
