"""Values in recordings: other types, odd batches, exceptions."""
from __future__ import annotations

import h5py
import numpy as np
import torch
from torch import Tensor, nn

import calibration_dump
from calibration_dump import RecordingWarning
from record_torch import Recorder, record
from recordings import Chain, Function, RecordingTest, X, calib


class TypesTest(RecordingTest):
    def test_half_and_bfloat16_are_written_as_they_are(self) -> None:
        for dtype, name in ((torch.float16, "float16"), (torch.bfloat16, "bfloat16"), (torch.float64, "float64")):
            x = torch.randn(5, 300).to(dtype)
            record(Chain(a=Function(lambda x: -x), w=nn.Linear(300, 2)).to(dtype) if dtype != torch.float16
                   else Function(lambda x: -x), [x, x[:2]], self.dump)
            path = "activations/output" if dtype == torch.float16 else "activations/a"
            np.testing.assert_array_equal(self.recorded()[path], torch.cat([-x, -x[:2]]).double().numpy())
            self.assertEqual({(row["type"], row["readable"], row["layout_rule"]) for row in calib("info", self.dump)},
                             {(name, "yes", "calibration-dump")})
            row = next(row for row in calib("stats", self.dump) if f"activations/{row['tensor']}" == path)
            self.assertEqual((row["values"], row["max"]), (2100, (-x).double().max().item()))
        with h5py.File(self.dump) as file:
            self.assertEqual(file["weights/w.weight"].dtype, np.float64)

    def test_integers_booleans_and_single_values_are_left_out_with_a_message(self) -> None:
        for function, reason in ((lambda x: x.long(), "int64"), (lambda x: x > 0, "bool"),
                                 (lambda x: x.sum(), "single value"), (lambda x: x.to_sparse(), "sparse")):
            with self.assertWarnsRegex(RecordingWarning, f"a is left out: it .*{reason}"):
                record(Chain(a=Function(function)), [X, X], self.dump)
            self.assertEqual(list(self.recorded()), ["activations/input"])

    def test_float16_and_gzip_are_options(self) -> None:
        network = Chain(a=Function(lambda x: x * 1e4))
        with self.assertWarnsRegex(RecordingWarning, "a has values beyond 65504"):
            record(network, [X], self.dump, float16=True, gzip=4)
        np.testing.assert_array_equal(self.recorded()["activations/a"], (X * 1e4).half())
        with h5py.File(self.dump) as file:
            data = file["activations/input"]
            self.assertEqual((data.dtype, data.compression, data.compression_opts, data.shuffle),
                             (np.float16, "gzip", 4, True))

    def test_tensors_in_another_order_of_memory_are_written_in_order(self) -> None:
        x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
        record(nn.ReLU(), [x], self.dump)
        np.testing.assert_array_equal(self.recorded()["activations/input"], x.contiguous())

    def test_weights_are_those_that_the_module_uses(self) -> None:
        network = nn.utils.parametrizations.spectral_norm(nn.Linear(6, 4)).eval()
        record(network, [X], self.dump, biases=True)
        recorded = self.recorded(everything=True)
        np.testing.assert_array_equal(recorded["weights/weight"], network.weight.detach())
        np.testing.assert_array_equal(recorded["weights/bias"], network.bias.detach())
        self.assertEqual(len(recorded), 5)  # with the input, once as an activation and once as it was fed

    def test_the_channels_of_transposed_convolutions_are_told_where_an_axis_has_them(self) -> None:
        for groups, axis in ((1, 1), (6, 0), (2, None)):
            outputs = 12 if groups == 2 else 6
            record(nn.ConvTranspose2d(6, outputs, 2, groups=groups), [torch.randn(1, 6, 3, 3)], self.dump)
            self.assertEqual(self.attributes("weights/weight").get("channel_axis"), axis)


class BatchesTest(RecordingTest):
    def test_batches_of_different_sizes_are_recorded_without_a_batch_size(self) -> None:
        with self.assertWarnsRegex(RecordingWarning, "different numbers of samples"):
            record(nn.ReLU(), [X[:2], X[:3], X[:2]], self.dump)
        np.testing.assert_array_equal(self.recorded()["activations/input"], torch.cat([X[:2], X[:3], X[:2]]))
        self.assertNotIn("batch_size", self.attributes("activations/input"))

    def test_samples_of_another_shape_are_left_out_with_a_message(self) -> None:
        with self.assertWarnsRegex(RecordingWarning, r"batches of shape \(4, 5\) are left out"):
            record(nn.ReLU(), [X, X[:, :5], X], self.dump)
        np.testing.assert_array_equal(self.recorded()["activations/input"], torch.cat([X, X]))

    def test_a_limit_and_a_way_to_call(self) -> None:
        batches = ((X, label) for label in range(10))
        record(nn.ReLU(), batches, self.dump, limit=2, forward=lambda network, batch: network(batch[0]))
        self.assertEqual(len(self.recorded()["activations/input"]), 8)

    def test_modules_that_no_pass_called_are_named(self) -> None:
        class Half(Chain):
            def forward(self, x: Tensor) -> Tensor:
                return self.a(x)

        with self.assertWarnsRegex(RecordingWarning, "no pass called b"):
            record(Half(a=nn.Tanh(), b=nn.Tanh()), [X], self.dump)


class LeftAsFoundTest(RecordingTest):
    def setUp(self) -> None:
        super().setUp()
        self.network = Chain(a=nn.Linear(6, 6), b=nn.BatchNorm1d(6), c=Function(self.check))
        self.network.b.eval()
        self.fails = False

    def check(self, x: Tensor) -> Tensor:
        self.assertFalse(torch.is_grad_enabled() or self.network.a.training)
        if self.fails:
            raise KeyError("inside the network")
        return x + 1

    def assert_as_found(self) -> None:
        for module in self.network.modules():
            self.assertEqual(len(module._forward_hooks) + len(module._forward_pre_hooks), 0)
            self.assertEqual(module.training, module is not self.network.b)
        self.assertTrue(torch.is_grad_enabled())

    def test_after_recording(self) -> None:
        record(self.network, [X], self.dump)
        self.assert_as_found()
        self.assertEqual([path.name for path in self.folder.iterdir()], ["dump.h5"])

    def test_after_an_exception_which_leaves_no_file_and_keeps_the_old_one(self) -> None:
        self.fails = True
        for before in ([], ["dump.h5"]):
            if before:
                self.dump.write_text("old")
            with self.assertRaisesRegex(KeyError, "inside the network"):
                record(self.network, [X], self.dump)
            self.assert_as_found()
            self.assertEqual([path.name for path in self.folder.iterdir()], before)
        self.assertEqual(self.dump.read_text(), "old")

    def test_while_recording_the_file_has_another_name(self) -> None:
        with Recorder(self.network, self.dump):
            self.network(X)
            self.assertEqual([path.name for path in self.folder.iterdir()], ["dump.h5.part"])

    def test_after_a_path_that_cannot_be_written(self) -> None:
        with self.assertRaises(OSError):
            record(self.network, [X], self.folder / "missing" / "dump.h5")
        self.assert_as_found()

    def test_scripted_and_compiled_networks_are_refused_with_a_reason(self) -> None:
        compiled = nn.Linear(6, 6)
        compiled._compiled_call_impl = compiled.forward  # as Module.compile() of PyTorch 2 leaves it
        for network in (torch.jit.script(nn.Linear(6, 6)), compiled):
            with self.assertRaisesRegex(TypeError, "record the network before it is scripted"):
                record(network, [X], self.dump)


class WriterTest(RecordingTest):
    def test_a_chunk_never_exceeds_what_hdf5_allows(self) -> None:
        self.assertEqual(calibration_dump._chunk_of((8, 3, 5), 4), (8, 3, 5))
        self.assertEqual(calibration_dump._chunk_of((4, 2**28), 4), (2, 2**28))
        self.assertLess(np.prod(calibration_dump._chunk_of((1, 2**31, 3), 4), dtype=float) * 4, 2**32)

    def test_a_name_that_is_a_group_already_is_left_out_with_a_message(self) -> None:
        with self.assertWarnsRegex(RecordingWarning, "activations/a: is left out"), calibration_dump.DumpWriter(self.dump) as dump:
            self.assertTrue(dump.append("a/0", np.ones((1, 2), "f4")))
            self.assertFalse(dump.append("a", np.ones((1, 2), "f4")))
            self.assertFalse(dump.append("a", np.ones((1, 2), "f4")))
        self.assertEqual(list(self.recorded()), ["activations/a/0"])

    def test_a_single_value_is_no_activation(self) -> None:
        with self.assertWarnsRegex(RecordingWarning, "single value"), calibration_dump.DumpWriter(self.dump) as dump:
            self.assertFalse(dump.append("a", np.float32(1).reshape(())))
        self.assertEqual(self.recorded(), {})
