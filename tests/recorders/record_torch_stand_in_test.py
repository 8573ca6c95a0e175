#!/usr/bin/env python3
"""record_torch.py on a stand-in of PyTorch: attributes, names of an export, samples, feeds, and what `calib` makes of them.

The tests with PyTorch itself are tests/extra/record_torch_*.py. CALIBSCOPE_CALIB names calib.
"""
from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import h5py
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "resources/recorders")]
import stand_in_torch as st  # noqa: E402

st.install()
import calibration_dump  # noqa: E402
import torch_operators  # noqa: E402
from calibration_dump import RecordingWarning  # noqa: E402
from exported_names import ExportedNames, module_of  # noqa: E402
from record_torch import record  # noqa: E402
from torch import nn  # noqa: E402

CALIB = os.environ.get("CALIBSCOPE_CALIB")


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 3, padding=1, groups=4, bias=False)
        self.act = nn.ReLU()

    def forward(self, x):
        return x + self.act(self.conv(x))


class Network(nn.Module):
    """Two blocks in a Sequential, one activation module that is called twice."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.act = nn.ReLU()
        self.layer = nn.Sequential(Block(), Block())
        self.pool = nn.AvgPool2d(3)
        self.flatten = nn.Flatten()
        self.fc = nn.Linear(4, 5)

    def forward(self, x):
        return self.fc(self.flatten(self.pool(self.act(self.layer(self.act(self.stem(x)))))))


def exported(network: Network, *, spelling: str = "{0}.{1}") -> onnx.ModelProto:
    """The network as torch.onnx.export() names it: nodes by the modules around them, constants by the parameters.

    `spelling`: of a module within another one in a Sequential: "/layer/layer.0/conv/Conv" or "/layer/0/conv/Conv".
    """
    nodes, constants = [], []

    def add(op, name, inputs, output=None, **attributes):
        nodes.append(helper.make_node(op, inputs, [output or f"{name}_output_0"], name, **attributes))
        return output or f"{name}_output_0"

    def parameter(module, name):
        constants.append(numpy_helper.from_array(module._parameters[name.rpartition(".")[2]].values, name))
        return name

    square = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
    x = add("Conv", "/stem/Conv", ["image", parameter(network.stem, "stem.weight"), parameter(network.stem, "stem.bias")],
            strides=[2, 2], **square)
    x = add("Relu", "/act/Relu", [x])
    for place in "01":
        scope = f"/layer/{spelling.format('layer', place)}"
        block = getattr(network.layer, place)
        inner = add("Conv", f"{scope}/conv/Conv", [x, parameter(block.conv, f"layer.{place}.conv.weight")], group=4, **square)
        x = add("Add", f"{scope}/Add", [x, add("Relu", f"{scope}/act/Relu", [inner])])
    x = add("Relu", "/act_1/Relu", [x])
    x = add("AveragePool", "/pool/AveragePool", [x], kernel_shape=[3, 3], strides=[3, 3])
    x = add("Flatten", "/flatten/Flatten", [x], axis=1)
    add("Gemm", "/fc/Gemm", [x, parameter(network.fc, "fc.weight"), parameter(network.fc, "fc.bias")], "scores", transB=1)
    graph = helper.make_graph(nodes, "main", [helper.make_tensor_value_info("image", TensorProto.FLOAT, ["n", 3, 6, 6])],
                              [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", 5])], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def images() -> list[st.Tensor]:
    generator = np.random.default_rng(3)
    return [st.Tensor(generator.normal(size=(samples, 3, 6, 6)).astype(np.float32)) for samples in (4, 4, 3)]


class AttributesTest(unittest.TestCase):
    def told(self, name: str, **attributes) -> dict:
        found = torch_operators.attributes_of(st.described(name, **attributes))
        return json.loads(found.pop("op_attributes", "{}")) | found

    def test_geometry_of_layers_is_in_attributes_of_their_own(self) -> None:
        self.assertEqual(torch_operators.attributes_of(nn.Conv2d(8, 8, 3, stride=2, padding=1, groups=4)),
                         {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1], "dilations": [1, 1], "group": 4})
        self.assertEqual(torch_operators.attributes_of(nn.Conv2d(8, 8, 4, padding="same", dilation=3))["pads"], [4, 4, 5, 5])
        self.assertEqual(torch_operators.attributes_of(nn.Conv2d(8, 8, 4, padding="valid"))["pads"], [0] * 4)
        self.assertEqual(torch_operators.attributes_of(nn.Conv2d(8, 8, 3, padding_mode="reflect")), {})
        self.assertEqual(torch_operators.attributes_of(nn.ConvTranspose2d(8, 8, 3))["output_padding"], [1, 1])
        self.assertEqual(torch_operators.attributes_of(nn.Linear(3, 4)), {"transB": 1})

    def test_other_operators_tell_theirs_as_json(self) -> None:
        self.assertEqual(self.told("MaxPool2d", kernel_size=3, stride=None, padding=(1, 0), dilation=1, ceil_mode=True),
                         {"kernel_shape": [3, 3], "strides": [3, 3], "pads": [1, 0, 1, 0], "dilations": [1, 1], "ceil_mode": 1})
        self.assertEqual(self.told("AvgPool1d", kernel_size=(2,), stride=(1,), padding=(0,), ceil_mode=False,
                                   count_include_pad=True),
                         {"kernel_shape": [2], "strides": [1], "pads": [0, 0], "ceil_mode": 0, "count_include_pad": 1})
        self.assertEqual(self.told("AvgPool2d", kernel_size=2, stride=2, padding=0, ceil_mode=False, count_include_pad=True,
                                   divisor_override=3), {})  # none of ONNX's
        self.assertEqual(self.told("AdaptiveAvgPool2d", output_size=7), {})
        self.assertEqual(self.told("Softmax", dim=-1), {"axis": -1})
        self.assertEqual(self.told("Softmax", dim=None), {})
        self.assertEqual(self.told("ReLU6", min_val=0.0, max_val=6.0), {"min": 0.0, "max": 6.0})
        self.assertEqual(self.told("LeakyReLU", negative_slope=0.1), {"alpha": 0.1})
        self.assertEqual(self.told("BatchNorm2d", eps=1e-3), {"epsilon": 1e-3})
        self.assertEqual(self.told("LayerNorm", normalized_shape=(4, 8), eps=1e-5), {"axis": -2, "epsilon": 1e-5})
        self.assertEqual(self.told("RMSNorm", normalized_shape=(8,), eps=None), {"axis": -1})
        self.assertEqual(self.told("GroupNorm", num_groups=4, eps=1e-5), {"num_groups": 4, "epsilon": 1e-5})
        self.assertEqual(self.told("Upsample", mode="bilinear", align_corners=True),
                         {"mode": "linear", "coordinate_transformation_mode": "align_corners"})
        self.assertEqual(self.told("Upsample", mode="nearest", align_corners=None),
                         {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"})
        self.assertEqual(self.told("ZeroPad2d", padding=(1, 2, 3, 4)),  # left, right, top, bottom
                         {"mode": "constant", "pads": [0, 0, 3, 1, 0, 0, 4, 2], "value": 0.0})
        self.assertEqual(self.told("PixelShuffle", upscale_factor=2), {"blocksize": 2, "mode": "CRD"})
        self.assertEqual(self.told("LSTM", num_layers=1, hidden_size=8, batch_first=True, bidirectional=False),
                         {"hidden_size": 8, "layout": 1, "direction": "forward"})
        self.assertEqual(self.told("LSTM", num_layers=2, hidden_size=8, batch_first=True, bidirectional=False), {})
        self.assertEqual(self.told("ReLU"), {})
        self.assertEqual(self.told("Hardtanh", min_val=float("-inf"), max_val=1.0), {})  # no JSON

    def test_a_flatten_that_makes_no_matrix_is_a_reshape(self) -> None:
        self.assertEqual(self.told("Flatten", start_dim=1, end_dim=-1), {"axis": 1})
        other = st.described("Flatten", start_dim=2, end_dim=-1)
        self.assertEqual(torch_operators.operator_of(other), "Reshape")
        self.assertEqual(torch_operators.attributes_of(other), {})


class ExportedNamesTest(unittest.TestCase):
    def test_modules_of_node_names(self) -> None:
        for name, module in [("/conv1/Conv", "conv1"), ("/layer1/layer1.0/conv1/Conv", "layer1.0.conv1"),
                             ("/features/features.0/features.0.0/Conv", "features.0.0"),
                             ("/encoder/0/reparam_conv/Conv", "encoder.0.reparam_conv"), ("/block/conv/conv.0/Conv", "block.conv.0"),
                             ("/decoder/decoder/1/Relu", "decoder.decoder.1"), ("/Add", ""), ("Conv_0", None), ("", None)]:
            self.assertEqual(module_of(name), module, name)

    def test_outputs_of_modules_are_what_is_used_outside(self) -> None:
        for spelling in ("{0}.{1}", "{1}"):
            names = ExportedNames(exported(Network(), spelling=spelling))
            scope = f"/layer/{spelling.format('layer', 0)}"
            self.assertEqual(names.of_module("layer.0"), (f"{scope}/Add_output_0", f"{scope}/Add"))
            self.assertEqual(names.of_module("layer.0.conv"), (f"{scope}/conv/Conv_output_0", f"{scope}/conv/Conv"))
            self.assertEqual(names.of_module("act", 2), ("/act_1/Relu_output_0", "/act_1/Relu"))
            self.assertIsNone(names.of_module("layer"))
            self.assertEqual((names.inputs, names.outputs), (["image"], ["scores"]))
            self.assertEqual(names.of_parameter("fc.weight", (5, 4)), "fc.weight")
            self.assertIsNone(names.of_parameter("fc.weight", (4, 5)))

    def test_a_module_with_two_results_has_no_name(self) -> None:
        nodes = [helper.make_node("Split", ["x"], ["a", "b"], "/part/Split", axis=1),
                 helper.make_node("Add", ["a", "b"], ["y"], "/Add")]
        graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 2])],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 1])])
        self.assertIsNone(ExportedNames(helper.make_model(graph)).of_module("part"))


class RecordTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dump = Path(folder.name) / "dump.h5"
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("error", RecordingWarning)
        self.network = Network()

    def test_a_recording_with_the_exports_names(self) -> None:
        record(self.network, images(), self.dump, exported=exported(self.network))
        with h5py.File(self.dump) as dump:
            names = {name: data.attrs.get("graph_name") for name, data in dump["activations"].items()}
            self.assertEqual(names, {
                "input": "image", "stem": "/stem/Conv_output_0", "act": "/act/Relu_output_0",
                "layer.0.conv": "/layer/layer.0/conv/Conv_output_0", "layer.0.act": "/layer/layer.0/act/Relu_output_0",
                "layer.0": "/layer/layer.0/Add_output_0", "layer.1.conv": "/layer/layer.1/conv/Conv_output_0",
                "layer.1.act": "/layer/layer.1/act/Relu_output_0", "layer.1": "/layer/layer.1/Add_output_0",
                "act#2": "/act_1/Relu_output_0", "pool": "/pool/AveragePool_output_0", "flatten": "/flatten/Flatten_output_0",
                "fc": "scores"})
            self.assertEqual({name: data.attrs.get("graph_name") for name, data in dump["weights"].items()},
                             {name: name for name in dump["weights"]})
            self.assertEqual(set(dump["weights"]), {"stem.weight", "stem.bias", "layer.0.conv.weight", "layer.1.conv.weight",
                                                    "fc.weight", "fc.bias"})
            stem = dump["activations/stem"].attrs
            self.assertEqual((list(stem["strides"]), list(stem["inputs"])), ([2, 2], ["input", "stem.weight", "stem.bias"]))
            self.assertEqual(json.loads(dump["activations/pool"].attrs["op_attributes"])["kernel_shape"], [3, 3])
            self.assertEqual(dump["activations/input"].attrs["op_type"], "Input")
            for number, batch in enumerate(images()):  # under the graph's name, and not written twice
                feed = dump[f"feeds/{number}/image"]
                np.testing.assert_array_equal(feed, batch.values)
                self.assertTrue(feed.is_virtual)

    def test_without_an_export_no_name_is_told(self) -> None:
        record(self.network, images()[:1], self.dump)
        with h5py.File(self.dump) as dump:
            self.assertFalse([name for name, data in dump["activations"].items() if "graph_name" in data.attrs])
            self.assertEqual(dump["feeds/0/input"], dump["activations/input"])

    @unittest.skipUnless(calibration_dump._PAGES, "this h5py writes no pages")
    def test_the_structure_lies_on_pages(self) -> None:
        record(self.network, images()[:1], self.dump, gzip=1)
        with h5py.File(self.dump) as dump:
            creation = dump.id.get_create_plist()
            self.assertEqual(creation.get_file_space_strategy()[0], h5py.h5f.FSPACE_STRATEGY_PAGE)
            self.assertEqual(creation.get_file_space_page_size(), 1 << 16)

    def test_samples_are_told_where_not_all_were_kept(self) -> None:
        record(self.network, images(), self.dump, keep={"layer.*": 6, "stem": 20})
        with h5py.File(self.dump) as dump:
            conv = dump["activations/layer.0.conv"]
            self.assertEqual((len(conv), list(conv.attrs["samples"])), (6, list(range(6))))
            self.assertEqual(len(dump["activations/stem"]), 11)
            self.assertNotIn("samples", dump["activations/stem"].attrs)

    def test_masks_are_those_of_the_pass(self) -> None:
        record(self.network, images(), self.dump, keep={"stem": 5},
               mask={"stem": lambda images: st.Tensor(np.arange(len(images.values)) % 2)})
        with h5py.File(self.dump) as dump:
            self.assertEqual(dump["activations/stem"].attrs["mask"], "/activations/stem.mask")
            self.assertEqual(dump["activations/stem.mask"][...].tolist(), [0, 1, 0, 1, 0])
            self.assertNotIn("mask", dump["activations/input"].attrs)

    def test_rounded_activations_are_not_what_was_fed(self) -> None:
        record(self.network, images()[:1], self.dump, float16=True)
        with h5py.File(self.dump) as dump:
            self.assertEqual(dump["feeds/0/input"].dtype, np.float32)
            np.testing.assert_array_equal(dump["feeds/0/input"], images()[0].values)
            self.assertEqual(dump["activations/input"].dtype, np.float16)

    @unittest.skipUnless(CALIB, "CALIBSCOPE_CALIB names no calib")
    def test_calib_reads_it_and_finds_the_exports_names(self) -> None:
        model = self.dump.with_suffix(".onnx")
        onnx.save(exported(self.network), model)
        for options in ({"exported": model}, {"exported": model, "float16": True}):
            record(self.network, images(), self.dump, **options)
            found = self.calib("info", self.dump)
            self.assertEqual({row["readable"] for row in found}, {"yes"})
            self.assertEqual({row["layout_rule"] for row in found}, {"calibration-dump"})
            self.assertEqual({row["state"] for row in self.calib("check-dump", self.dump)}, {"verified"})
            names = self.calib("names", self.dump, model)
            self.assertEqual([row["tensor"] for row in names if not row["graph_name"]], [])

    @staticmethod
    def calib(*arguments) -> list[dict[str, str]]:
        done = subprocess.run([CALIB, *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode != 0 or done.stderr:
            raise AssertionError(f"calib {arguments}: {done.returncode}\n{done.stderr}")
        return list(csv.DictReader(io.StringIO(done.stdout)))


if __name__ == "__main__":
    unittest.main()
