# SPDX-License-Identifier: GPL-3.0-or-later
"""`--format npz` as NumPy reads it, against the JSON of the same command."""

import io
import json
import math
import os
import subprocess
import unittest
import zipfile

import numpy as np

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sample = os.path.join(root, "resources", "sample", "sample.h5")


def printed(command, *words):
    return subprocess.run([os.environ["CALIBSCOPE_CALIB"], command, *words], capture_output=True, check=True).stdout


def arrays(command, *words):
    with np.load(io.BytesIO(printed(command, *words, "--format", "npz"))) as archive:
        return dict(archive.items())


def number(value):
    return float(value) if value is not None else math.nan


class NpzTest(unittest.TestCase):
    def same(self, found, expected):
        """A column against the cells of JSON's rows, where absent ones are None."""
        if found.dtype.kind == "U":
            self.assertEqual(found.tolist(), ["" if cell is None else str(cell) for cell in expected])
        else:
            np.testing.assert_array_equal(found, [number(cell) for cell in expected])

    def test_rows_are_those_of_the_json(self):
        for words in (["stats", sample], ["info", sample], ["histogram", sample, "--tensor", "swish_13.tmp_0", "--bins", "300"],
                      ["stats", os.path.join(root, "tests", "golden", "all_zero.h5")]):
            rows = json.loads(printed(*words, "--format", "json"))
            found = arrays(*words)
            self.assertGreater(len(rows), 0)
            self.assertTrue(set().union(*rows) <= set(found))
            for name, column in found.items():
                with self.subTest(command=words[0], column=name):
                    self.same(column, [row.get(name) for row in rows])

    def test_types_are_those_of_the_numbers(self):
        bins = arrays("histogram", sample, "--tensor", "swish_13.tmp_0")
        self.assertEqual({name: str(column.dtype) for name, column in bins.items()}, {"low": "float64", "high": "float64", "count": "int64"})
        self.assertEqual(bins["count"].sum(), 8 * 40 * 240)
        self.assertEqual(arrays("stats", sample, "--columns", "tensor")["tensor"].dtype.kind, "U")

    def test_scales_have_channels_and_curves(self):
        words = [sample, "--tensor", "swish_13.tmp_0", "--tensor", "conv2d_10.w_0", "--recipe", "moffett-cnn", "--rows", "channel", "--curves"]
        found = arrays("scales", *words)
        outcomes = json.loads(printed("scales", *words, "--format", "json"))["outcomes"]
        row = curves = channels = 0
        for outcome in outcomes:
            self.assertEqual(found["tensor"][row], outcome["tensor"])
            self.assertEqual(found["scale"][row], outcome["scale"])
            self.assertEqual(found["sqnr_db"][row], number(outcome.get("sqnr_db")))
            if curve := outcome.get("curve"):
                curves += 1
                for name in ("threshold", "objective"):
                    np.testing.assert_array_equal(found[f"curve/{row}/{name}"], [number(cell) for cell in curve[name]])
                self.assertEqual(found[f"curve/{row}/chosen"].tolist(), [curve["chosen"]])
            row += 1
            for scale in outcome.get("channels", {"scale": []})["scale"]:
                channels += 1
                self.assertEqual(found["scale"][row], scale)
                row += 1
        self.assertEqual(len(found["scale"]), row)
        self.assertGreater(curves, 0)
        self.assertGreaterEqual(channels, 16)
        self.assertEqual(len([name for name in found if name.startswith("curve/")]), 3 * curves)

    def test_two_runs_give_the_same_bytes_of_a_sound_archive(self):
        words = ["scales", sample, "--recipe", "moffett-cnn", "--curves", "--format", "npz"]
        first = printed(*words)
        self.assertEqual(first, printed(*words))
        with zipfile.ZipFile(io.BytesIO(first)) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual({member.date_time for member in archive.infolist()}, {(1980, 1, 1, 0, 0, 0)})

    def test_columns_are_chosen_and_no_rows_are_empty_arrays(self):
        found = arrays("scales", sample, "--calibrator", "min-max", "--columns", "scale,tensor")
        self.assertEqual(list(found), ["scale", "tensor"])
        nothing = arrays("scales", sample, "--role", "bias", "--calibrator", "min-max", "--columns", "scale,tensor")
        self.assertEqual((nothing["scale"].shape, nothing["scale"].dtype.kind, nothing["tensor"].dtype.kind), ((0,), "f", "U"))


if __name__ == "__main__":
    unittest.main()
