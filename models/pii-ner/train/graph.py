"""Writes an ONNX graph operator by operator."""

import numpy as np
from onnx import helper, numpy_helper


class Graph:
    def __init__(self):
        self.nodes, self.weights, self.count = [], {}, 0

    def weight(self, array, name):
        self.weights.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def op(self, kind, *inputs, domain="", **attributes):
        self.count += 1
        name = f"{kind}_{self.count}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, domain=domain, **attributes))
        return name

    def model(self, inputs, output):
        graph = helper.make_graph(self.nodes, "pii-ner", inputs, [output], list(self.weights.values()))
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
