#!/usr/bin/env python3
"""Reads what lifting writes with other programs: lifted_models.py DEPLOY_TESTS [--keep FOLDER]

DEPLOY_TESTS writes each model of tests/model/lift_models.h twice, as it is and lifted to opset 13.
Both must pass the checker of the package onnx, and both are evaluated with NumPy, by the meaning
that each op has in the model's own opset: the outputs must be the same to the bit.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper


def attribute(node, name, absent=None):
    for candidate in node.attribute:
        if candidate.name == name:
            return onnx.helper.get_attribute_value(candidate)
    return absent


def sliced(x, starts, ends, axes):
    place = [slice(None)] * x.ndim
    for start, end, axis in zip(starts, ends, axes):
        place[axis] = slice(int(start), int(end))
    return x[tuple(place)]


def softmax(x, op):
    if op == "Hardmax":
        return (np.arange(x.shape[-1]) == x.argmax(-1)[..., None]).astype(x.dtype)
    shifted = x - x.max(-1, keepdims=True)
    sums = np.exp(shifted).sum(-1, keepdims=True)
    return np.exp(shifted) / sums if op == "Softmax" else shifted - np.log(sums)


def evaluate_softmax(node, x, opset):
    axis = attribute(node, "axis", 1 if opset < 13 else -1)
    if opset < 13:
        rows = x.reshape(int(np.prod(x.shape[:axis])), -1)
        return softmax(rows, node.op_type).reshape(x.shape)
    return np.moveaxis(softmax(np.moveaxis(x, axis, -1), node.op_type), -1, axis)


def option(node, inputs, place, name, since, opset):
    """What was an attribute before that opset, and is an input from then on."""
    if opset < since:
        value = attribute(node, name)
        return None if value is None else np.array(value)
    assert attribute(node, name) is None, f"{node.op_type} of opset {opset} has no {name}"
    return inputs[place] if place < len(inputs) else None


def evaluate(node, inputs, opset, outer):
    op = node.op_type
    x = inputs[0] if inputs else None
    get = lambda place, name, since: option(node, inputs, place, name, since, opset)
    if op == "Constant":
        return [numpy_helper.to_array(attribute(node, "value"))]
    if op == "Clip":
        low, high = get(1, "min", 11), get(2, "max", 11)
        for limit in (low, high):
            assert opset < 11 or limit is None or (limit.dtype == x.dtype and limit.shape == ())
        ends = np.finfo(x.dtype)
        low, high = (ends.min if low is None else low), (ends.max if high is None else high)
        return [np.minimum(np.maximum(x, x.dtype.type(low)), x.dtype.type(high))]
    if op == "Slice":
        starts, ends, axes = get(1, "starts", 10), get(2, "ends", 10), get(3, "axes", 10)
        return [sliced(x, starts, ends, range(len(starts)) if axes is None else axes)]
    if op == "Pad":
        pads, value = get(1, "pads", 11), get(2, "value", 11)
        width = list(zip(pads[: x.ndim], pads[x.ndim :]))
        mode = attribute(node, "mode", b"constant").decode()
        value = {"constant_values": 0 if value is None else value} if mode == "constant" else {}
        return [np.pad(x, width, mode, **value).astype(x.dtype)]
    if op == "TopK":
        count = int(np.ravel(get(1, "k", 10))[0])
        places = np.argsort(-x, -1, kind="stable")[..., :count]
        return [np.take_along_axis(x, places, -1), places]
    if op == "Squeeze":
        axes = get(1, "axes", 13)
        return [np.squeeze(x, None if axes is None or len(axes) == 0 else tuple(axes))]
    if op == "Unsqueeze":
        return [np.expand_dims(x, tuple(int(axis) for axis in get(1, "axes", 13)))]
    if op == "ReduceSum":
        axes = get(1, "axes", 13)
        keep = bool(attribute(node, "keepdims", 1))
        return [np.sum(x, None if axes is None else tuple(axes), keepdims=keep)]
    if op == "Split":
        lengths = get(1, "split", 13)
        parts = len(node.output) if lengths is None else np.cumsum(lengths)[:-1]
        return np.split(x, parts, attribute(node, "axis", 0))
    if op == "BatchNormalization":
        assert opset < 9 or attribute(node, "spatial") is None
        shape = (1, -1) + (1,) * (x.ndim - 2)
        gain, offset, mean, variance = (value.reshape(shape) for value in inputs[1:])
        return [(x - mean) / np.sqrt(variance + np.float32(1e-5)) * gain + offset]
    if op in ("Softmax", "LogSoftmax", "Hardmax"):
        return [evaluate_softmax(node, x, opset)]
    if op == "Dropout":
        assert opset < 12 or attribute(node, "ratio") is None
        return [x]
    if op == "Resize":
        assert opset < 13 or not node.input[2]
        places = [
            np.floor(np.arange(size) * (length / size)).astype(int)
            for size, length in zip(inputs[3], x.shape)
        ]
        return [x[np.ix_(*places)]]
    if op == "Shape":
        return [np.array(x.shape, np.int64)]
    if op == "Flatten":
        axis = attribute(node, "axis", 1)
        return [x.reshape(int(np.prod(x.shape[:axis])), -1)]
    if op == "Reshape":
        return [x.reshape(inputs[1])]
    if op == "Mul":
        return [x * inputs[1]]
    if op == "Cast":
        return [x.astype(onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[attribute(node, "to")])]
    if op == "If":
        branch = attribute(node, "then_branch" if x else "else_branch")
        return run(branch, dict(outer), opset)
    raise AssertionError(f"no rule for {op}")


def run(graph, values, opset):
    for tensor in graph.initializer:
        values[tensor.name] = numpy_helper.to_array(tensor)
    for node in graph.node:
        inputs = [values[name] if name else None for name in node.input]
        for name, value in zip(node.output, evaluate(node, inputs, opset, values)):
            if name:
                values[name] = value
    return [values[output.name] for output in graph.output]


def feeds_of(graph):
    random = np.random.default_rng(16)
    fed = {"x": random.standard_normal((2, 3, 4)).astype(np.float32)}
    known = {tensor.name for tensor in graph.initializer}
    for value in graph.input:
        if value.name not in known:
            fed.setdefault(value.name, np.zeros(1, np.float32))
    return fed


def compare(folder, name):
    before, after = (onnx.load(os.path.join(folder, name + end)) for end in (".onnx", ".lifted.onnx"))
    for model in (before, after):
        onnx.checker.check_model(model)
    onnx.shape_inference.infer_shapes(after, strict_mode=True)
    assert [o.name for o in before.graph.output] == [o.name for o in after.graph.output]
    for go in (False, True):
        results = []
        for model in (before, after):
            fed = feeds_of(model.graph)
            fed["go"] = np.array(go)
            results.append(run(model.graph, fed, model.opset_import[0].version))
        for one, other, output in zip(*results, after.graph.output):
            assert one.dtype == other.dtype and one.shape == other.shape, name
            assert one.tobytes() == other.tobytes(), name
            told = [length.dim_value for length in output.type.tensor_type.shape.dim]
            assert list(other.shape) == told, (name, other.shape, told)


def main():
    program, folder = sys.argv[1], None
    with tempfile.TemporaryDirectory() as temporary:
        folder = sys.argv[3] if sys.argv[2:3] == ["--keep"] else temporary
        subprocess.run(
            [program, "[lifted-models]"],
            env={**os.environ, "CALIBSCOPE_MODELS": folder},
            check=True,
            stdout=subprocess.DEVNULL,
        )
        names = sorted(
            name[: -len(".lifted.onnx")] for name in os.listdir(folder) if name.endswith(".lifted.onnx")
        )
        assert len(names) >= 30, names
        for name in names:
            compare(folder, name)
    print(f"{len(names)} models compute the same after lifting")


if __name__ == "__main__":
    main()
