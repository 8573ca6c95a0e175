"""What a dump tells of an ONNX graph: names, inputs, attributes, weights and biases of layers.

    graph = Graph(onnx.load("model.onnx"))
    with DumpWriter("dump.h5", **graph.about()) as dump:
        graph.write_constants(dump)
        for number, feeds in enumerate(batches):  # each {input's name: array}
            graph.write_feeds(dump, number, feeds)
            for output, values in outputs_of(feeds):  # whatever runs the model, graph optimisation off
                graph.append(dump, output, values)

Needs the package onnx, but no runtime. Graphs within a graph (If, Loop, Scan) are left out: a runtime gives none of
their tensors.
"""
from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from calibration_dump import DumpWriter
from onnx import numpy_helper

# Attributes of these names are written as they are; all others of an op as JSON.
_GEOMETRY = ("kernel_shape", "strides", "pads", "dilations", "group", "auto_pad", "output_padding", "output_shape",
             "transA", "transB", "alpha", "beta")
_LAYERS = {"Conv": 0, "ConvTranspose": 1}  # where a weight has its output channels


def dump_name(name: str) -> str:
    """What a dump calls a tensor of the graph."""
    return name.replace("/", ".").lstrip(".")


def attributes_of(node: onnx.NodeProto) -> dict[str, Any]:
    """The attributes of a node as a dump has them: geometry of layers, all others in `op_attributes`."""
    found: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for attribute in node.attribute:
        value = onnx.helper.get_attribute_value(attribute)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        if attribute.name in _GEOMETRY and node.op_type in (*_LAYERS, "Gemm"):
            found[attribute.name] = value
        elif isinstance(value, (int, float, str)):
            others[attribute.name] = value
        elif isinstance(value, (list, tuple)) and all(isinstance(item, (int, float)) for item in value):
            others[attribute.name] = list(value)
    if node.op_type in (*_LAYERS, "Gemm") and not found:  # else nobody could tell it from what was not recorded
        found = {"group": 1} if node.op_type != "Gemm" else {"transB": 0}
    if others:
        found["op_attributes"] = json.dumps(others, sort_keys=True)
    return found


class Graph:
    """A model's main graph."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self._model = model
        self._made = {output: (node, place) for node in model.graph.node for place, output in enumerate(node.output)
                      if output}
        self._constants = {tensor.name: tensor for tensor in model.graph.initializer}
        for node in model.graph.node:
            if node.op_type == "Constant" and node.attribute and node.attribute[0].name == "value":
                self._constants[node.output[0]] = node.attribute[0].t

    def about(self) -> dict[str, Any]:
        """Attributes of the dump: which model it is."""
        digest = hashlib.sha256(self._model.SerializeToString()).hexdigest()
        opset = next((item.version for item in self._model.opset_import if item.domain in ("", "ai.onnx")), None)
        return {"model_sha256": digest, "opset": opset, "framework": "ONNX"}

    def made(self) -> list[str]:
        """The tensors that the graph's nodes make, in their order, without constants."""
        return [name for name in self._made if name not in self._constants]

    def only_input(self) -> str:
        """The name of the graph's input. Throws ValueError where there are several."""
        names = [value.name for value in self._model.graph.input if value.name not in self._constants]
        if len(names) != 1:
            raise ValueError(f"the model has {len(names)} inputs, {', '.join(names)}; give a batch as {{name: array}}")
        return names[0]

    def append(self, dump: DumpWriter, output: str, values: np.ndarray, *,
               samples: Sequence[int] | None = None) -> bool:
        """Adds a batch of a tensor; of integers and single values nothing. `samples`: their places in the calibration
        set. Tells whether it was written."""
        if values.dtype.kind != "f" or values.ndim == 0 or output in self._constants:
            return False
        if output not in self._made:
            return dump.append(dump_name(output), values, samples=samples, op_type="Input", graph_name=output)
        node, place = self._made[output]
        return dump.append(dump_name(output), values, samples=samples, op_type=node.op_type, graph_name=output, node=node.name,
                           inputs=[dump_name(name) for name in node.input], output_index=place or None,
                           **attributes_of(node))

    def write_feeds(self, dump: DumpWriter, batch: int, feeds: dict[str, np.ndarray]) -> None:
        """What the model is fed in a batch."""
        for name, values in feeds.items():
            dump.add_feed(batch, name, values)

    def write_constants(self, dump: DumpWriter) -> None:
        """Weights and biases of layers, each once, by the first layer that takes it."""
        written: set[str] = set()
        for node in self._model.graph.node:
            for place, name in enumerate(node.input):
                if name in self._constants and name not in written and self._write(dump, node, place, name):
                    written.add(name)

    def _write(self, dump: DumpWriter, node: onnx.NodeProto, place: int, name: str) -> bool:
        values = numpy_helper.to_array(self._constants[name])
        about = {"op_type": node.op_type, "graph_name": name, "consumer": node.name or dump_name(node.output[0])}
        if values.dtype.kind != "f":
            return False
        if self._is_bias(node, place, values):
            return dump.add_bias(dump_name(name), values, **about)
        axis = self._channel_axis(node, place, values.ndim)
        return axis is not None and dump.add_weight(dump_name(name), values, channel_axis=axis, **about)

    def _is_bias(self, node: onnx.NodeProto, place: int, values: np.ndarray) -> bool:
        if values.ndim != 1:
            return False
        if node.op_type in (*_LAYERS, "Gemm"):
            return place == 2
        others = [self._made[name][0].op_type for name in node.input if name in self._made]
        return node.op_type == "Add" and len(others) == 1 and others[0] in (*_LAYERS, "Gemm", "MatMul")

    def _channel_axis(self, node: onnx.NodeProto, place: int, axes: int) -> int | None:
        if node.op_type in _LAYERS and place == 1:
            return _LAYERS[node.op_type]
        transposed = {item.name: item.i for item in node.attribute if item.name in ("transA", "transB")}
        if node.op_type == "Gemm" and place < 2 and axes == 2:
            return (0 if transposed.get("transB") else 1) if place == 1 else (1 if transposed.get("transA") else 0)
        if node.op_type == "MatMul" and axes >= 2:
            return axes - 1 if place == 1 else axes - 2
        if node.op_type in ("LSTM", "GRU", "RNN") and place in (1, 2):
            return 1
        return None
