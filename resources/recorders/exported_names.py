"""What the ONNX export of a PyTorch network calls what its modules compute.

    names = ExportedNames(onnx.load("network.onnx"))
    names.of_module("layer1.0.conv1")      ->  ("/layer1/layer1.0/conv1/Conv_output_0", "/layer1/layer1.0/conv1/Conv")
    names.of_parameter("layer1.0.conv1.weight")

torch.onnx.export() names a node by the modules around it. Two spellings occur: with the whole path in each part
("/layer1/layer1.0/conv1/Conv") and with its last word ("/layer1/0/conv1/Conv"). Nothing is guessed: a module of which more
than one tensor is used elsewhere in the graph, and a name that two tensors could have, has none. Needs the package onnx.
"""
from __future__ import annotations

from collections import defaultdict

import onnx


def module_of(node_name: str) -> str | None:
    """The module that a node's name tells, as named_modules() calls it ("" is the network itself); nothing for a name
    of another kind."""
    parts = node_name.split("/")
    if len(parts) < 2 or parts[0]:
        return None
    path: list[str] = []
    for part, before in zip(parts[1:-1], ["", *parts[1:-2]]):
        path.append(part[len(before) + 1:] if before and part.startswith(before + ".") else part)
    return ".".join(path)


class ExportedNames:
    """Names in a model's main graph."""

    def __init__(self, model: onnx.ModelProto) -> None:
        graph = model.graph
        self._constants = {tensor.name: tuple(tensor.dims) for tensor in graph.initializer}
        self.inputs = [value.name for value in graph.input if value.name not in self._constants]
        self.outputs = [value.name for value in graph.output]
        modules = {output: module_of(node.name) for node in graph.node for output in node.output if output}
        makers = {output: node.name for node in graph.node for output in node.output if output}
        used: dict[str, set[str | None]] = defaultdict(set)  # tensors: by which modules
        for node in graph.node:
            for name in _inputs_of(node):
                used[name].add(module_of(node.name))
        for name in self.outputs:
            used[name].add(None)
        results: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for output, module in modules.items():
            if module and any(user is None or not _is_within(user, module) for user in used.get(output, ())):
                results[module].append((output, makers[output]))
        self._results = {module: found[0] for module, found in results.items() if len(found) == 1}

    def of_module(self, module: str, call: int = 1) -> tuple[str, str] | None:
        """Tensor and node of what a module returned; `call`: of those in one pass, from 1. The second call of `gate` is
        the exporter's `gate_1`."""
        return self._results.get(module if call == 1 else f"{module}_{call - 1}")

    def of_parameter(self, name: str, shape: tuple[int, ...]) -> str | None:
        """The constant of that name and shape."""
        return name if self._constants.get(name) == tuple(shape) else None


def _is_within(module: str, around: str) -> bool:
    return module == around or module.startswith(around + ".")


def _inputs_of(node: onnx.NodeProto) -> list[str]:
    """Also what graphs within the node take from outside."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        for graph in (*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs):
            names += [name for inner in graph.node for name in _inputs_of(inner)] + [out.name for out in graph.output]
    return names
