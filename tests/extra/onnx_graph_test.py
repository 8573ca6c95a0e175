"""onnx_graph.py and DumpWriter on a small graph: names, attributes, biases and feeds, as `calib info` reads them."""
from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../resources/recorders"))
from calibration_dump import DumpWriter  # noqa: E402
from onnx_graph import Graph, attributes_of, dump_name  # noqa: E402

CALIB = os.environ.get("CALIBSCOPE_CALIB")


def model() -> onnx.ModelProto:
    generator = np.random.default_rng(16)
    constants = [numpy_helper.from_array(generator.normal(size=shape).astype(np.float32), name) for name, shape in
                 [("m/conv.w", (4, 3, 3, 3)), ("m/conv.b", (4,)), ("m/linear", (4, 5)), ("m/added", (5,))]]
    constants.append(numpy_helper.from_array(np.array([0, -1], np.int64), "shape"))
    nodes = [
        helper.make_node("Conv", ["x", "m/conv.w", "m/conv.b"], ["/m/conv_output"], "Conv_0", strides=[2, 2],
                         pads=[1, 1, 0, 0], auto_pad="NOTSET"),
        helper.make_node("Transpose", ["/m/conv_output"], ["/m/t"], "T_1", perm=[0, 2, 3, 1]),
        helper.make_node("MatMul", ["/m/t", "m/linear"], ["/m/mm"]),
        helper.make_node("Add", ["m/added", "/m/mm"], ["y"]),
        helper.make_node("Clip", ["y", "", "high"], ["z"]),
    ]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, 8, 8])],
                              [helper.make_tensor_value_info("z", TensorProto.FLOAT, None)], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])


class OnnxGraphTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "dump.h5")
        graph = Graph(model())
        with DumpWriter(self.path, **graph.about()) as dump:
            graph.write_constants(dump)
            for batch in range(2):
                feeds = {"x": np.full((2, 3, 8, 8), batch, np.float32), "ids": np.array([batch, 70000], np.int64),
                         "a/state": np.float32(3)}
                graph.write_feeds(dump, batch, feeds)
                graph.append(dump, "x", feeds["x"])
                for name, shape in [("/m/conv_output", (2, 4, 4, 4)), ("/m/t", (2, 4, 4, 4)), ("/m/mm", (2, 4, 4, 5)),
                                    ("y", (2, 4, 4, 5)), ("z", (2, 4, 4, 5))]:
                    self.assertTrue(graph.append(dump, name, np.ones(shape, np.float32)))
                self.assertFalse(graph.append(dump, "shape", np.array([0, -1])))

    def test_attributes_are_those_of_the_graph(self) -> None:
        with h5py.File(self.path) as dump:
            conv = dump["activations/m.conv_output"].attrs
            self.assertEqual(conv["graph_name"], "/m/conv_output")
            self.assertEqual(conv["node"], "Conv_0")
            self.assertEqual(list(conv["inputs"]), ["x", "m.conv.w", "m.conv.b"])
            self.assertEqual(list(conv["strides"]), [2, 2])
            self.assertEqual(list(conv["pads"]), [1, 1, 0, 0])
            self.assertEqual(conv["auto_pad"], "NOTSET")
            self.assertEqual(json.loads(dump["activations/m.t"].attrs["op_attributes"]), {"perm": [0, 2, 3, 1]})
            self.assertEqual(list(dump["activations/z"].attrs["inputs"]), ["y", "", "high"])
            self.assertEqual(dump["activations/x"].attrs["op_type"], "Input")
            self.assertEqual(dump["weights/m.conv.b"].attrs["role"], "bias")
            self.assertEqual(dump["weights/m.added"].attrs["role"], "bias")
            self.assertEqual(dump["weights/m.linear"].attrs["channel_axis"], 1)
            self.assertEqual(dump["weights/m.conv.w"].attrs["consumer"], "Conv_0")
            self.assertNotIn("weights/shape", dump)
            self.assertEqual(dump.attrs["opset"], 13)
            self.assertEqual(len(dump.attrs["model_sha256"]), 64)

    def test_feeds_are_exactly_what_was_fed(self) -> None:
        with h5py.File(self.path) as dump:
            self.assertEqual(sorted(dump["feeds"]), ["0", "1"])
            ids = dump["feeds/1/ids"]
            self.assertEqual(ids.dtype, np.int64)
            self.assertEqual(list(ids[...]), [1, 70000])
            self.assertEqual(dump["feeds/0/a.state"].shape, (1,))
            np.testing.assert_array_equal(dump["feeds/1/x"][...], np.ones((2, 3, 8, 8), np.float32))

    def test_names_are_dotted_without_leading_dots(self) -> None:
        self.assertEqual(dump_name("/a/b:0"), "a.b:0")

    def test_a_layer_without_attributes_is_told_from_one_that_was_not_recorded(self) -> None:
        self.assertEqual(attributes_of(helper.make_node("Conv", ["x", "w"], ["y"])), {"group": 1})
        self.assertEqual(attributes_of(helper.make_node("Gemm", ["x", "w"], ["y"])), {"transB": 0})
        self.assertEqual(attributes_of(helper.make_node("Relu", ["x"], ["y"])), {})

    @unittest.skipUnless(CALIB, "CALIBSCOPE_CALIB names no calib")
    def test_calib_reads_it(self) -> None:
        done = subprocess.run([CALIB, "info", self.path], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        rows = {row["tensor"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
        self.assertEqual(rows["m.conv.b"]["role"], "bias")
        self.assertEqual(rows["m.conv.w"]["role"], "weight")
        self.assertEqual(rows["m.conv.w"]["channel_axis"], "0")
        self.assertEqual(rows["1/ids"]["role"], "feed")
        self.assertEqual(rows["x"]["op"], "Input")


if __name__ == "__main__":
    unittest.main()
