#!/usr/bin/env python3
"""record_onnx.py on a small graph: what the dump has, what `calib` makes of it, and the way to a checked model.

Python's onnxruntime is replaced: by onnxruntime-node where that is (NODE_PATH), else by NumPy for the graph's few operators.
CALIBSCOPE_CALIB names calib.
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
import node_session  # noqa: E402
from calibration_dump import RecordingWarning  # noqa: E402
from record_onnx import record  # noqa: E402
from stand_in_session import StandInSession  # noqa: E402

CALIB = os.environ.get("CALIBSCOPE_CALIB")
SESSIONS = [StandInSession] + ([node_session.NodeSession] if node_session.is_there() else [])


def model() -> onnx.ModelProto:
    """Images of 3 x 6 x 6 to five scores, with a depthwise convolution and integers on the way."""
    generator = np.random.default_rng(7)

    def constant(name: str, *shape: int) -> onnx.TensorProto:
        return numpy_helper.from_array(generator.normal(size=shape).astype(np.float32), name)

    constants = [constant("stem.weight", 4, 3, 3, 3), constant("stem.bias", 4), constant("dw.weight", 4, 1, 3, 3),
                 constant("head.weight", 5, 4), constant("head.bias", 5)]
    nodes = [
        helper.make_node("Conv", ["image", "stem.weight", "stem.bias"], ["/stem/Conv_output_0"], "/stem/Conv",
                         strides=[2, 2], pads=[1, 1, 1, 1], kernel_shape=[3, 3]),
        helper.make_node("Relu", ["/stem/Conv_output_0"], ["/act/Relu_output_0"], "/act/Relu"),
        helper.make_node("Conv", ["/act/Relu_output_0", "dw.weight"], ["/dw/Conv_output_0"], "/dw/Conv", group=4,
                         pads=[1, 1, 1, 1]),
        helper.make_node("Shape", ["/dw/Conv_output_0"], ["/Shape_output_0"], "/Shape"),
        helper.make_node("ReduceMean", ["/dw/Conv_output_0"], ["/pool/mean"], "/pool/ReduceMean", axes=[2, 3], keepdims=0),
        helper.make_node("Gemm", ["/pool/mean", "head.weight", "head.bias"], ["scores"], "/head/Gemm", transB=1),
    ]
    graph = helper.make_graph(nodes, "small", [helper.make_tensor_value_info("image", TensorProto.FLOAT, ["n", 3, 6, 6])],
                              [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", 5])], constants)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    made.ir_version = 7
    return made


def images() -> list[np.ndarray]:
    generator = np.random.default_rng(11)
    return [generator.normal(size=(samples, 3, 6, 6)).astype(np.float32) for samples in (4, 4, 3)]


def calib(*arguments: object) -> str:
    done = subprocess.run([str(CALIB), *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"calib {' '.join(map(str, arguments))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def rows(*arguments: object) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(calib(*arguments))))


class RecordOnnxTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.model = self.folder / "small.onnx"
        onnx.save(model(), self.model)
        self.dump = self.folder / "dump.h5"
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("error", RecordingWarning)

    def test_values_and_attributes(self) -> None:
        expected = [StandInSession(model(), "").run(None, {"image": batch})[0] for batch in images()]
        for session in SESSIONS:
            with self.subTest(session=session):
                record(self.model, images(), self.dump, session=session)
                with h5py.File(self.dump) as dump:
                    activations = dump["activations"]
                    self.assertEqual(set(activations), {"image", "stem.Conv_output_0", "act.Relu_output_0",
                                                        "dw.Conv_output_0", "pool.mean", "scores"})
                    np.testing.assert_array_equal(activations["image"], np.concatenate(images()))
                    # A runtime adds products in another order than the definition: a few units of float32.
                    np.testing.assert_allclose(activations["scores"], np.concatenate(expected), rtol=1e-4, atol=1e-5)
                    stem = activations["stem.Conv_output_0"].attrs
                    self.assertEqual((stem["op_type"], stem["graph_name"], stem["node"], stem["batch_size"]),
                                     ("Conv", "/stem/Conv_output_0", "/stem/Conv", 4))
                    self.assertEqual(list(stem["inputs"]), ["image", "stem.weight", "stem.bias"])
                    self.assertEqual((list(stem["strides"]), list(stem["pads"])), ([2, 2], [1, 1, 1, 1]))
                    self.assertNotIn("samples", stem)
                    self.assertEqual(json.loads(activations["pool.mean"].attrs["op_attributes"]),
                                     {"axes": [2, 3], "keepdims": 0})
                    self.assertEqual(dump["weights/stem.bias"].attrs["role"], "bias")
                    self.assertEqual(dump["weights/head.weight"].attrs["channel_axis"], 0)
                    for number, batch in enumerate(images()):
                        np.testing.assert_array_equal(dump[f"feeds/{number}/image"], batch)
                    self.assertTrue(dump["feeds/1/image"].is_virtual, "written twice")
                    self.assertEqual(dump.attrs["opset"], 13)

    def test_what_was_fed_in_one_batch_is_a_link(self) -> None:
        record(model(), images()[:1], self.dump, session=StandInSession)
        with h5py.File(self.dump) as dump:
            self.assertEqual(dump["feeds/0/image"], dump["activations/image"])

    def test_samples_are_told_where_not_all_were_kept(self) -> None:
        record(self.model, images(), self.dump, session=StandInSession, keep={"*Conv_output_0": 6}, tensors=["/stem/*"])
        with h5py.File(self.dump) as dump:
            stem = dump["activations/stem.Conv_output_0"]
            self.assertEqual((len(stem), list(stem.attrs["samples"])), (6, list(range(6))))
            self.assertEqual(set(dump["activations"]), {"image", "stem.Conv_output_0", "scores"})
            self.assertNotIn("samples", dump["activations/scores"].attrs)

    def test_an_exception_leaves_no_file(self) -> None:
        with self.assertRaisesRegex(ValueError, "the model has 2 inputs, image, other"):
            made = model()
            made.graph.input.add().name = "other"
            record(made, images(), self.dump, session=StandInSession)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["small.onnx"])

    @unittest.skipUnless(CALIB, "CALIBSCOPE_CALIB names no calib")
    def test_calib_reads_it(self) -> None:
        for batches in (images(), images()[:1]):
            record(self.model, batches, self.dump, session=StandInSession)
            found = {row["tensor"]: row for row in rows("info", self.dump)}
            self.assertEqual({row["readable"] for row in found.values()}, {"yes"})
            self.assertEqual({row["layout_rule"] for row in found.values()}, {"calibration-dump"})
            self.assertEqual(found["0/image"]["role"], "feed")
            self.assertEqual(found["dw.weight"]["channel_axis"], "0")
            self.assertEqual({row["state"] for row in rows("check-dump", self.dump)}, {"verified"})
            names = rows("names", self.dump, self.model)
            self.assertEqual({row["why"] for row in names}, {"recorded as its graph name"})

    def test_a_runner_records_from_a_shell(self) -> None:
        """A runner in Python stands in for a runtime: zeros of the shapes that it is given."""
        program = self.folder / "runner.py"
        program.write_text(
            "import json, sys, pathlib, numpy\n"
            "path = pathlib.Path(sys.argv[-1])\n"
            "job = json.loads(path.read_text())\n"
            "if job['optimize'] or sys.argv[1] != 'a word':\n"
            "    sys.exit('not as called')\n"
            "for batch in job['batches']:\n"
            "    count = len(numpy.load(path.parent / batch['feeds'][0]['file']))\n"
            "    for number, output in enumerate(batch['outputs']):\n"
            "        numpy.save(path.parent / output['file'], numpy.full((count, 5), number, 'f4'))\n", encoding="utf-8")
        np.savez(self.folder / "batch.npz", image=images()[0])
        call = [sys.executable, "-B", str(HERE.parents[1] / "resources/recorders/record_onnx.py"), str(self.model),
                str(self.folder / "batch.npz"), "-o", str(self.dump), "--source", "ramps", "--runner"]
        failed = subprocess.run([*call, f"'{sys.executable}' '{program}' other"], capture_output=True, text=True, check=False)
        self.assertIn("RuntimeError: not as called", failed.stderr)
        self.assertFalse(self.dump.exists())
        subprocess.run([*call, f"'{sys.executable}' '{program}' 'a word'"], check=True)
        with h5py.File(self.dump) as dump:
            self.assertEqual(dump.attrs["source"], "ramps")
            outputs = ["scores", "stem.Conv_output_0"]  # the model's own comes first
            self.assertEqual([dump["activations"][name][0, 0] for name in outputs], [0, 1])

    @unittest.skipUnless(CALIB and node_session.is_there(), "needs calib and onnxruntime-node")
    def test_a_model_is_written_from_it_and_checked(self) -> None:
        record(self.model, images(), self.dump, session=node_session.NodeSession)
        quantized = self.folder / "small-int8.onnx"
        calib("materialize", self.dump, "--calibrator", "min-max", "--onnx", self.model, "-o", quantized)
        result = rows("check", self.model, quantized, self.dump, "--runner", f"node {node_session.RUNNER}")
        self.assertEqual((result[0]["kind"], result[0]["samples"]), ("output", "11"))
        self.assertGreater(float(result[0]["running_db"]), 20)


if __name__ == "__main__":
    unittest.main()
