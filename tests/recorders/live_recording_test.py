#!/usr/bin/env python3
"""Dumps that are read while they are recorded: what another process sees after each batch, and what is there at the end.

CALIBSCOPE_CALIB names calib.
"""
from __future__ import annotations

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

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "resources/recorders")]
import stand_in_torch as st  # noqa: E402

st.install()
import calibration_dump  # noqa: E402
from calibration_dump import DumpWriter, RecordingWarning  # noqa: E402
from record_torch import record  # noqa: E402
from torch import nn  # noqa: E402

CALIB = os.environ.get("CALIBSCOPE_CALIB")
LOOK = """
import h5py, json, sys
with h5py.File(sys.argv[1], swmr=True) as file:
    print(json.dumps({name: [len(data), float(data[-1].max()), sorted(data.attrs)]
                      for name, data in file["activations"].items()}))
"""


def seen(path: Path) -> dict[str, list]:
    """Samples, greatest value of the last one, and attributes of each activation, as another process sees them."""
    done = subprocess.run([sys.executable, "-c", LOOK, str(path)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def batch(value: float, samples: int = 4) -> np.ndarray:
    return np.full((samples, 3, 5), value, np.float32)


class Stop(Exception):
    pass


class LiveRecordingTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "dump.h5"
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("error", RecordingWarning)

    def check_dump(self) -> None:
        if CALIB:
            done = subprocess.run([CALIB, "check-dump", self.path], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_each_batch_is_seen_when_it_is_complete(self) -> None:
        for gzip in (None, 1):
            with DumpWriter(self.path, live=True, gzip=gzip) as dump:
                for number in range(40):
                    dump.append("a", batch(number), layout="NCT")
                    dump.append("b", batch(-number))
                    dump.flush()
                    if number % 13 == 0:
                        self.assertEqual(seen(self.path), {
                            "a": [4 * number + 4, number, ["batch_size", "layout", "order"]],
                            "b": [4 * number + 4, -number, ["batch_size", "order"]]})
            with h5py.File(self.path) as file:
                self.assertEqual(file["activations/a"].shape, (160, 3, 5))
                self.assertEqual(file["activations/a"].attrs["values_count"], 160 * 15)
            self.check_dump()
            self.assertEqual([name.name for name in self.path.parent.iterdir()], ["dump.h5"])

    def test_masks_are_recorded_with_their_batches(self) -> None:
        for live in (False, True):
            with DumpWriter(self.path, live=live) as dump:
                for number in range(3):
                    flags = np.array([[True, True, number == 1]] * 4)
                    dump.append("enc", batch(number), layout="NTC", channel_axis=2, mask=flags)
                    dump.flush()
                with self.assertRaisesRegex(ValueError, "all of its batches have a mask"):
                    dump.append("enc", batch(3))
                with self.assertRaisesRegex(ValueError, r"a mask of shape \(4, 5\) does not fit values of shape \(4, 3, 5\)"):
                    dump.append("other", batch(3), mask=np.ones((4, 5)))
            with h5py.File(self.path) as file:
                self.assertEqual(file["activations/enc"].attrs["mask"], "/activations/enc.mask")
                self.assertEqual(file["activations/enc.mask"].shape, (12, 3))
                self.assertEqual(int(file["activations/enc.mask"][...].sum()), 4 * (2 + 3 + 2))
            self.check_dump()
            if CALIB:
                done = subprocess.run([CALIB, "stats", self.path, "--columns", "tensor,values,max,counted_share"],
                                      capture_output=True, text=True, check=True)
                self.assertEqual(done.stdout.splitlines()[1], f"enc,140,2,{140 / 180}")

    def test_what_cannot_be_added_meanwhile_is_there_at_the_end_or_left_out(self) -> None:
        with DumpWriter(self.path, live=True) as dump:
            for number in range(3):
                dump.add_feed(number, "ids", np.array([number, 7]))
                dump.add_feed(number, "a", batch(number))
                dump.append("a", batch(number))
                dump.flush()
            with self.assertWarnsRegex(RecordingWarning, "late: is left out: a live dump has the tensors of its first"):
                dump.append("late", batch(1))
            kernel = np.ones((2, 3), np.float32)
            self.assertTrue(dump.add_weight("w", kernel, op_type="Conv"))
            kernel[:] = 0
            dump.set_attribute("a", "layout", "NCT")
            self.assertNotIn("layout", seen(self.path)["a"][2])
        with h5py.File(self.path) as file:
            self.assertEqual(list(file["activations"]), ["a"])
            self.assertEqual(file["activations/a"].attrs["layout"], "NCT")
            self.assertEqual((file["weights/w"][()].min(), file["weights/w"].attrs["op_type"]), (1, "Conv"))
            for number in range(3):
                self.assertEqual(list(file[f"feeds/{number}/ids"]), [number, 7])
                np.testing.assert_array_equal(file[f"feeds/{number}/a"], batch(number))
        self.check_dump()

    def test_batches_of_different_lengths_are_not_told_apart_at_the_end(self) -> None:
        with self.assertWarnsRegex(RecordingWarning, "different numbers of samples"):
            with DumpWriter(self.path, live=True) as dump:
                for samples in (4, 2, 4):
                    dump.append("a", batch(1, samples))
                    dump.flush()
        with h5py.File(self.path) as file:
            self.assertNotIn("batch_size", file["activations/a"].attrs)

    def test_an_exception_leaves_the_batches_so_far(self) -> None:
        with self.assertRaises(Stop), DumpWriter(self.path, live=True) as dump:
            dump.append("a", batch(1))
            raise Stop
        self.assertFalse(self.path.exists())
        with self.assertRaises(Stop), DumpWriter(self.path, live=True) as dump:
            for number in range(2):
                dump.append("a", batch(number))
                dump.flush()
            raise Stop
        with h5py.File(self.path) as file:
            self.assertEqual((len(file["activations/a"]), file["activations/a"].attrs["batch_size"]), (8, 4))
        self.check_dump()

    def test_a_batch_that_breaks_off_is_not_there(self) -> None:
        with self.assertRaises(Stop), DumpWriter(self.path, live=True) as dump:
            for number in range(2):
                dump.add_feed(number, "ids", np.array([number]))
                dump.append("a", batch(number), samples=range(4 * number, 4 * number + 4))
                dump.append("b", batch(number))
                dump.flush()
            dump.add_feed(2, "ids", np.array([2]))
            dump.append("a", batch(2), samples=range(8, 12))

            def stopped(data: h5py.Dataset, first: int, values: np.ndarray, is_bfloat16: bool) -> None:
                raise Stop  # as Ctrl+C may, once there is room for the values

            dump._write = stopped
            dump.append("b", batch(2))
        with h5py.File(self.path) as file:
            for name in "ab":
                self.assertEqual(len(file[f"activations/{name}"]), 8)
                self.assertEqual(file[f"activations/{name}"].attrs["values_count"], 8 * 15)
                self.assertEqual(file[f"activations/{name}"].attrs["batch_size"], 4)
            self.assertEqual(sorted(file["feeds"]), ["0", "1"])
        self.check_dump()

    def test_a_reader_that_stays_to_the_end_does_not_stop_it(self) -> None:
        script = "import h5py, sys, time; file = h5py.File(sys.argv[1], swmr=True); print('open', flush=True); time.sleep(60)"
        with DumpWriter(self.path, live=True) as dump:
            dump.append("a", batch(1))
            dump.flush()
            dump.add_weight("w", np.ones((2, 3), np.float32))
            reader = subprocess.Popen([sys.executable, "-c", script, str(self.path)], stdout=subprocess.PIPE)
            self.addCleanup(reader.communicate)
            self.addCleanup(reader.kill)
            self.assertEqual(reader.stdout.readline().strip(), b"open")
        self.check_dump()
        with h5py.File(self.path, **calibration_dump._UNLOCKED) as file:
            self.assertEqual(file["weights/w"].shape, (2, 3))

    def test_who_reads_the_former_file_goes_on_reading_it(self) -> None:
        with DumpWriter(self.path) as dump:
            dump.append("a", batch(5))
        with h5py.File(self.path) as former, DumpWriter(self.path, live=True) as dump:
            dump.append("a", batch(6))
            dump.flush()
            self.assertEqual(former["activations/a"][()].max(), 5)
            self.assertEqual(seen(self.path)["a"][:2], [4, 6])

    def test_a_live_recording_of_a_network_is_as_any(self) -> None:
        network = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.Flatten())
        generator = np.random.default_rng(5)
        batches = [st.Tensor(generator.normal(size=(4, 3, 6, 6)).astype(np.float32)) for _ in range(3)]
        plain = self.path.with_name("plain.h5")
        record(network, batches, plain)
        looks = []
        record(network, batches, self.path, live=True,
               forward=lambda model, images: (looks.append(seen(self.path) if looks else {}), model(images)))
        self.assertEqual([look.get("0", [0])[0] for look in looks], [0, 4, 8])
        self.assertLessEqual({"layout", "inputs", "batch_size", "op_type"}, set(looks[1]["0"][2]))
        self.assertEqual(contents(self.path), contents(plain))
        self.check_dump()


def contents(path: Path) -> dict[str, dict]:
    """Values and attributes of all datasets."""
    found = {}
    with h5py.File(path) as file:
        def note(name, item):
            if isinstance(item, h5py.Dataset):
                found[name] = (item[()].tolist(), {key: np.asarray(value).tolist() for key, value in item.attrs.items()})
        file.visititems(note)
    return found


if __name__ == "__main__":
    unittest.main()
