"""The few operators of the tests' graphs in NumPy, by their definitions, in the place of a runtime."""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper


def conv(x: np.ndarray, w: np.ndarray, b: np.ndarray | None, strides: Any, pads: Any, group: int = 1) -> np.ndarray:
    """Two-dimensional, in double, place by place."""
    x = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])
    height, width = ((x.shape[axis + 2] - w.shape[axis + 2]) // strides[axis] + 1 for axis in (0, 1))
    y = np.zeros((x.shape[0], w.shape[0], height, width))
    inputs, outputs = w.shape[1], w.shape[0] // group
    for channel in range(w.shape[0]):
        first = channel // outputs * inputs
        for row in range(height):
            for column in range(width):
                top, left = row * strides[0], column * strides[1]
                part = x[:, first:first + inputs, top:top + w.shape[2], left:left + w.shape[3]]
                y[:, channel, row, column] = (part * w[channel]).sum((1, 2, 3))
    return (y if b is None else y + b[:, None, None]).astype(np.float32)


class StandInSession:
    """As far as record_onnx.py uses onnxruntime.InferenceSession."""

    def __init__(self, model: onnx.ModelProto, _folder: str) -> None:
        self._graph = model.graph

    def get_outputs(self) -> list[Any]:
        return [SimpleNamespace(name=value.name) for value in self._graph.output]

    def run(self, _names: None, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        values = {tensor.name: numpy_helper.to_array(tensor) for tensor in self._graph.initializer} | dict(feeds)
        for node in self._graph.node:
            told = {item.name: onnx.helper.get_attribute_value(item) for item in node.attribute}
            given = [values[name] if name else None for name in node.input]
            values[node.output[0]] = self._computed(node.op_type, given, told)
        return [values[output.name] for output in self._graph.output]

    @staticmethod
    def _computed(op: str, given: list[Any], told: dict[str, Any]) -> np.ndarray:
        if op == "Conv":
            return conv(given[0], given[1], given[2] if len(given) > 2 else None, told.get("strides", [1, 1]),
                        told.get("pads", [0] * 4), told.get("group", 1))
        if op == "Relu":
            return np.maximum(given[0], 0)
        if op == "Shape":
            return np.array(given[0].shape, np.int64)
        if op == "ReduceMean":
            return given[0].mean(tuple(told["axes"]), keepdims=bool(told["keepdims"]), dtype=np.float64).astype(np.float32)
        if op == "Gemm":
            return (given[0] @ given[1].T + given[2]).astype(np.float32)
        raise NotImplementedError(op)
