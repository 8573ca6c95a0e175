#!/usr/bin/env python3
"""polygraphy_to_npy.py on made files: each value read back, and what `calib info` makes of the folder (CALIBSCOPE_CALIB)."""
from __future__ import annotations

import base64
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "resources/recorders"))
from polygraphy_to_npy import convert  # noqa: E402


def encoded(array: np.ndarray) -> dict[str, object]:
    stream = io.BytesIO()
    np.save(stream, array)
    return {"values": {"array": base64.b64encode(stream.getvalue()).decode(), "polygraphy_class": "ndarray"},
            "polygraphy_class": "LazyArray"}


def iteration(seed: int) -> dict[str, object]:
    values = np.random.default_rng(seed).normal(size=(2, 3, 4)).astype(np.float32)
    return {"outputs": {"/block/conv:0": encoded(values), "scores": encoded(values[0])}, "runtime": 0.1,
            "polygraphy_class": "IterationResult"}


def results(*runners: str) -> dict[str, object]:
    return {"lst": [[runner, [iteration(seed) for seed in range(3)]] for runner in runners],
            "polygraphy_class": "RunResults"}


class Conversion(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def converted(self, document: object) -> Path:
        source = self.folder / "outputs.json"
        source.write_text(json.dumps(document))
        convert(source, self.folder / "acts")
        return self.folder / "acts"

    def test_iterations_are_batches(self) -> None:
        acts = self.converted(results("trt-runner"))
        for seed in range(3):
            values = np.random.default_rng(seed).normal(size=(2, 3, 4)).astype(np.float32)
            np.testing.assert_array_equal(np.load(acts / f"block/conv:0/{seed:04}.npy"), values)
        calib = os.environ.get("CALIBSCOPE_CALIB")
        if calib:
            text = subprocess.run([calib, "info", acts], check=True, capture_output=True, text=True).stdout
            rows = {row["tensor"]: row for row in csv.DictReader(io.StringIO(text))}
            self.assertEqual(rows["block/conv:0"]["shape"], "6 x 3 x 4")
            self.assertEqual(rows["block/conv:0"]["batches"], "3")

    def test_each_runner_has_a_folder(self) -> None:
        acts = self.converted(results("trt", "onnxrt"))
        self.assertEqual(sorted(path.name for path in acts.iterdir()), ["onnxrt", "trt"])

    def test_inputs_are_a_list_without_runners(self) -> None:
        acts = self.converted([{"x": encoded(np.ones(3, np.float32))}, {"x": encoded(np.zeros(3, np.float32))}])
        self.assertEqual(np.load(acts / "x/0001.npy").tolist(), [0, 0, 0])

    def test_tensors_may_be_called_as_polygraphys_own_keys(self) -> None:
        names = {name: encoded(np.ones(2, np.float32)) for name in ("outputs", "values", "array", "lst")}
        acts = self.converted({"lst": [["trt", [{"outputs": names, "polygraphy_class": "IterationResult"}]]],
                               "polygraphy_class": "RunResults"})
        self.assertEqual(sorted(path.name for path in acts.iterdir()), ["array", "lst", "outputs", "values"])

    def test_names_stay_in_the_folder(self) -> None:
        with self.assertRaises(SystemExit):
            self.converted([{"../../x": encoded(np.ones(3, np.float32))}])


if __name__ == "__main__":
    unittest.main()
