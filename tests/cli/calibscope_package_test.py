# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package against h5py, NumPy and calib's own CSV."""

import csv
import importlib.util
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import h5py
import numpy as np

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(root, "resources", "python"))
import calibscope  # noqa: E402  pylint: disable=wrong-import-position

sample = os.path.join(root, "resources", "sample", "sample.h5")


def recorded(path):
    with h5py.File(sample) as file:
        return file[path][()]


class PackageTest(unittest.TestCase):
    def test_scales_are_those_of_the_csv(self):
        words = ["scales", sample, "--preset", "moffett-entropy", "--calibrator", "min-max", "--format", "csv"]
        text = subprocess.run([os.environ["CALIBSCOPE_CALIB"], *words], capture_output=True, text=True, check=True).stdout
        expected = list(csv.DictReader(io.StringIO(text)))
        found = calibscope.scales(sample, preset="moffett-entropy", calibrator="min-max")
        self.assertEqual(len(found), len(expected))
        for outcome, row in zip(found, expected):
            self.assertEqual(outcome["tensor"], row["tensor"])
            self.assertEqual(outcome["scale"], float(row["scale"]))

    def test_channels_are_arrays(self):
        (outcome,) = calibscope.scales(sample, tensor="conv2d_106.w_0", calibrator="min-max", granularity="channel", channels=True)
        weights = recorded("/weights/conv2d_106.w_0").astype(np.float64)
        most = np.abs(weights).reshape(len(weights), -1).max(axis=1)
        np.testing.assert_allclose(outcome.channels["scale"], most / 127, rtol=1e-15)
        (widest,) = calibscope.scales(sample, tensor="conv2d_106.w_0", calibrator="min-max", granularity="channel")
        for each in (outcome, widest):
            with self.assertRaises(ValueError):
                each.quantize(weights)

    def test_infinite_numbers_are_numbers(self):
        (outcome,) = calibscope.scales(os.path.join(root, "tests", "golden", "all_zero.h5"), calibrator="min-max")
        self.assertEqual(outcome["sqnr_db"], float("inf"))

    def test_quantized_values_have_the_error_that_is_reported(self):
        values = recorded("/activations/swish_13.tmp_0").astype(np.float64)
        for scheme in ("symmetric-restricted", "symmetric-full", "affine"):
            (outcome,) = calibscope.scales(sample, tensor="swish_13.tmp_0", calibrator="min-max", scheme=scheme)
            error = values - outcome.quantize(values)
            self.assertAlmostEqual(np.mean(error**2) / outcome["mse"], 1.0, places=9)

    def test_curves_have_their_least_value_where_they_say(self):
        (outcome,) = calibscope.scales(sample, tensor="swish_13.tmp_0", calibrator="entropy", curves=True)
        curve = outcome.curve
        self.assertEqual(len(curve["threshold"]), len(curve["objective"]))
        self.assertEqual(int(np.nanargmin(curve["objective"])), curve["chosen"])

    def test_histogram_counts_as_numpy_does(self):
        values = np.abs(recorded("/activations/swish_13.tmp_0"))
        edges, counts = calibscope.histogram(sample, "swish_13.tmp_0", bins=64, domain="magnitude")
        self.assertEqual(len(edges), 65)
        self.assertEqual(counts.sum(), values.size)
        expected, _ = np.histogram(values, bins=64, range=(0, float(values.max())))
        self.assertLessEqual(np.abs(counts - expected).sum(), 4)  # a value next to an edge, as NumPy's edges are rounded

    def test_tables_are_rows(self):
        (row,) = calibscope.rows("stats", sample, tensor="swish_13.tmp_0")
        self.assertEqual(row["max"], float(recorded("/activations/swish_13.tmp_0").max()))

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "python3-pandas is not installed")
    def test_frames_have_the_columns_of_the_command(self):
        outcomes = calibscope.frame("scales", sample, calibrator="min-max", role="weight")
        self.assertEqual(len(outcomes), 14)
        self.assertEqual(list(outcomes["scale"]), [row["scale"] for row in calibscope.scales(sample, calibrator="min-max", role="weight")])
        self.assertIn("kurtosis", calibscope.frame("stats", sample).columns)

    def test_the_documents_example_runs(self):
        with open(os.path.join(root, "resources", "docs", "python.md"), encoding="utf-8") as page:
            blocks = re.findall(r"^```python\n(.*?)^```", page.read(), re.M | re.S)
        self.assertEqual(len(blocks), 3)
        names = {}
        os.chdir(root)
        exec(blocks[0], names)  # pylint: disable=exec-used
        self.assertLess(names["lost"], 12)
        self.assertGreater(names["lost"], 10)
        if importlib.util.find_spec("pandas"):
            exec(blocks[1], names)  # pylint: disable=exec-used
            self.assertEqual(len(names["worst"]), 3)
        exec(blocks[2], names)  # pylint: disable=exec-used
        self.assertEqual(names["of_channels"].sum(), len(recorded("/weights/conv2d_106.w_0")))

    def test_errors_have_the_code_and_the_sentence(self):
        with self.assertRaises(calibscope.CalibError) as caught:
            calibscope.scales(sample, calibrator="none")
        self.assertEqual(caught.exception.code, 2)
        self.assertIn("none", str(caught.exception))
        with self.assertRaises(calibscope.CalibError) as caught:
            calibscope.rows("stats", "/nowhere.h5")
        self.assertIn("/nowhere.h5", str(caught.exception))

    def test_what_fails_alone_is_a_warning(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "calib")
            with open(program, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\necho '[{\"tensor\": \"good\"}]'; echo 'calib: bad: a chunk is damaged' >&2; exit 3\n")
            os.chmod(program, 0o755)
            with unittest.mock.patch.dict(os.environ, CALIBSCOPE_CALIB=program), self.assertWarnsRegex(UserWarning, "bad: a chunk"):
                self.assertEqual(calibscope.rows("stats", sample), [{"tensor": "good"}])

    def test_a_missing_program_is_named(self):
        with unittest.mock.patch.dict(os.environ, CALIBSCOPE_CALIB="/nowhere/calib"), self.assertRaises(calibscope.CalibError) as caught:
            calibscope.rows("stats", sample)
        self.assertIn("/nowhere/calib", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
