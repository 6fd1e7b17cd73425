"""
Makes the labels of a graph the same on every processor: python same_everywhere.py --graph FILE --windows FILE --out FILE

Where an x86 processor has no VNNI, the runtime multiplies bytes by VPMADDUBSW, which adds two neighbouring products in 16
bits and cuts off what does not fit (255 * 127 * 2 does not). So the magnitudes of two neighbouring weights of a column may
add up to 128 at most. Seven bits for all weights would do as well (`reduce_range`), but only few pairs are that large: here each
column has the finest steps that its own largest pair allows. Unsigned weights saturate nowhere either, but take 1.7 times as long.

Weights are rounded one after the other, and what one loses by it is made up for by those that come after it, as well as can
be for the inputs that the windows give (Frantar and others, GPTQ, 2022). --windows holds `ids` and, for a graph that reads them,
`types`: rows of pieces of text in many languages, without special pieces.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

MOST, PAIR = 127, 128
DAMPED = 0.01


def products(graph):
    """Each integer product: its node, the maker of its inputs, and the names of weights and scales."""
    makers = {output: node for node in graph.node for output in node.output}
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            yield node, makers[node.input[0]], node.input[1], node.input[1].replace("_quantized", "_scale")


def second_moments(model, windows, ends):
    """For each input of the products: the sum of its rows' outer products over the windows."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    makers = {maker.output[0]: maker for _, maker, _, _ in products(copy.graph)}
    for maker in makers.values():
        copy.graph.output.append(helper.make_tensor_value_info(maker.input[0], TensorProto.FLOAT, None))
    names = sorted({maker.input[0] for maker in makers.values()})
    session = onnxruntime.InferenceSession(copy.SerializeToString())
    sums = dict.fromkeys(names, 0)
    for i, ids in enumerate(windows["ids"]):
        row = np.array([[ends[0], *ids, ends[1]]])
        feeds = {"input_ids": row, "attention_mask": np.ones_like(row)}
        if any(x.name == "token_type_ids" for x in session.get_inputs()):
            feeds["token_type_ids"] = np.array([[0, *windows["types"][i], 0]])
        for name, value in zip(names, session.run(names, feeds)):
            x = value.reshape(-1, value.shape[-1]).astype(np.float64)
            sums[name] = sums[name] + x.T @ x
    return {weight: sums[maker.input[0]] for _, maker, weight, _ in products(copy.graph)}


def scales(weights):
    """The finest steps that no single weight and no pair of neighbours overflows."""
    pairs = np.abs(weights.reshape(-1, 2, weights.shape[1])).sum(1).max(0)
    return np.maximum(np.abs(weights).max(0) / MOST, pairs / PAIR)


def rounded(weights, moments):
    """Integers (inputs by outputs) and a scale per output, rounded so that the product changes least."""
    inputs = len(weights)
    damped = moments + np.eye(inputs) * DAMPED * moments.diagonal().mean()
    upper = np.linalg.cholesky(np.linalg.inv(damped)).T
    scale, left = scales(weights), weights.astype(np.float64).copy()
    whole = np.zeros_like(left)
    for k in range(inputs):
        room = PAIR - np.abs(whole[k - 1]) if k % 2 else np.full_like(scale, MOST)
        room = np.minimum(room, MOST)
        whole[k] = np.clip(np.round(left[k] / scale), -room, room)
        lost = (left[k] - whole[k] * scale) / upper[k, k]
        left[k + 1:] -= upper[k, k + 1:, None] * lost
    return whole.astype(np.int8), scale.astype(np.float32)


def rewrite(graph, out, windows, ends, floats=None):
    """Rounds the integer products of a graph file anew, from the floats that they came from where those are given."""
    model = onnx.load(graph)
    held = {tensor.name: tensor for tensor in model.graph.initializer}
    moments = second_moments(model, windows, ends)
    for _, _, name, scale in products(model.graph):
        steps = numpy_helper.to_array(held[scale])
        source = (floats or {}).get(name.removesuffix("_quantized"))
        weights = numpy_helper.to_array(held[name]).astype(np.float32) * steps if source is None else source
        whole, scale_now = rounded(weights, moments[name])
        held[name].CopyFrom(numpy_helper.from_array(whole, name))
        held[scale].CopyFrom(numpy_helper.from_array(scale_now.reshape(steps.shape), scale))
    onnx.save(model, out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graph", type=Path, required=True)
    parser.add_argument("--windows", type=Path, required=True)
    parser.add_argument("--ends", type=int, nargs=2, default=[0, 2], help="special pieces before and after a window")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    rewrite(args.graph, args.out, np.load(args.windows), args.ends)


if __name__ == "__main__":
    main()
