"""record_torch.py on a small convolutional network: values, attributes, scales, memory."""
from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.ao.quantization.observer import MinMaxObserver, PerChannelMinMaxObserver
from torch.nn import functional as F

from demo_network import DemoNetwork, images
from record_torch import record
from recordings import RecordingTest, calib

BATCH_SIZES = [8, 8, 8, 3]
# PyTorch divides in float32. Symmetric: one division of numbers that float32 holds, so our double, rounded to float32,
# is the same number. Affine: the width of the range is rounded too, and the quotient again: 2 x 2^-24.
AFFINE_TOLERANCE = 2.0**-23


def computed(network: DemoNetwork, x: Tensor) -> dict[str, Tensor]:
    """All tensors of a pass by the functions that the modules stand for, without hooks and without writing in place."""
    norms = {name: dict(running_mean=norm.running_mean, running_var=norm.running_var, weight=norm.weight,
                        bias=norm.bias, eps=norm.eps)
             for name, norm in network.named_modules() if isinstance(norm, torch.nn.BatchNorm2d)}
    block, t = network.block, {"input": x}
    t["stem.0"] = F.conv2d(x, network.stem[0].weight, stride=2, padding=1)
    t["stem.1"] = F.batch_norm(t["stem.0"], **norms["stem.1"])
    t["stem.2"] = F.relu(t["stem.1"])
    t["block.depthwise"] = F.conv2d(t["stem.2"], block.depthwise.weight, padding=1, groups=8)
    t["block.norm"] = F.batch_norm(t["block.depthwise"], **norms["block.norm"])
    t["block.act"] = F.relu(t["block.norm"])
    t["block.pointwise"] = F.conv2d(t["block.act"], block.pointwise.weight, block.pointwise.bias)
    t["block"] = t["stem.2"] + t["block.pointwise"]
    t["up"] = F.conv_transpose2d(t["block"], network.up.weight, network.up.bias, stride=2)
    t["pool"] = F.max_pool2d(t["up"], 4)
    t["flatten"] = t["pool"].flatten(1)
    t["head"] = F.linear(t["flatten"], network.head.weight, network.head.bias)
    return t


class NetworkTest(RecordingTest):
    def setUp(self) -> None:
        super().setUp()
        self.network = DemoNetwork()
        record(self.network, images(4), self.dump)
        with torch.no_grad():
            passes = [computed(self.network.eval(), x) for x in images(4)]
        self.activations = {name: torch.cat([tensors[name] for tensors in passes]) for name in passes[0]}
        self.weights = {name: parameter.detach() for name, parameter in self.network.named_parameters()
                        if parameter.dim() > 1}

    def test_the_dump_holds_exactly_the_tensors_of_the_network_bit_for_bit(self) -> None:
        expected = {f"activations/{name}": tensor.numpy() for name, tensor in self.activations.items()}
        expected |= {f"weights/{name}": tensor.numpy() for name, tensor in self.weights.items()}
        recorded = self.recorded()
        self.assertEqual(sorted(recorded), sorted(expected))
        for path, values in expected.items():
            self.assertEqual(recorded[path].dtype, np.float32, path)
            self.assertEqual(recorded[path].tobytes(), values.tobytes(), path)
        self.assertGreater((recorded["activations/stem.1"] < 0).sum(), 0, "ReLU in place changed what was recorded")

    def test_attributes_are_those_of_the_layout(self) -> None:
        about = self.attributes()
        self.assertEqual((about["format"], about["format_version"], about["model"]),
                         ("calibration-dump", 1, "DemoNetwork"))
        up = {"op_type": "ConvTranspose", "inputs": ["block", "up.weight", "up.bias"], "layout": "NCHW",
              "batch_size": 8, "order": 9, "node": "up", "kernel_shape": [2, 2], "strides": [2, 2],
              "pads": [0, 0, 0, 0], "dilations": [1, 1], "group": 1, "output_padding": [0, 0]}
        self.assertEqual({name: value for name, value in self.attributes("activations/up").items()
                          if not name.startswith("values_")}, up)
        self.assertEqual(self.attributes("activations/block.act")["inputs"], ["block.norm"])
        block = self.attributes("activations/block")
        self.assertNotIn("inputs", block, "what a function adds is not known to a hook")
        self.assertNotIn("op_type", block)
        weight = self.attributes("weights/up.weight")
        self.assertEqual([weight[name] for name in ("op_type", "channel_axis", "consumer")], ["ConvTranspose", 1, "up"])

    def test_biases_of_layers_have_their_role_and_the_input_can_be_fed_again(self) -> None:
        everything = self.recorded(everything=True)
        for name in ("block.pointwise.bias", "up.bias", "head.bias"):
            self.assertEqual(self.attributes(f"weights/{name}")["role"], "bias")
            self.assertEqual(self.attributes(f"weights/{name}")["consumer"], name.removesuffix(".bias"))
            np.testing.assert_array_equal(everything[f"weights/{name}"], self.network.get_parameter(name).detach())
        self.assertNotIn("weights/stem.1.bias", everything, "of a normalization, not of a layer")
        for number, batch in enumerate(images(4)):
            np.testing.assert_array_equal(everything[f"feeds/{number}/input"], batch)
        self.assertEqual(self.attributes("activations/head")["transB"], 1)
        self.assertEqual(self.attributes("activations/block.depthwise")["group"], 8)
        self.assertEqual(self.attributes("activations/stem.0")["pads"], [1, 1, 1, 1])

    def test_it_opens_without_a_question(self) -> None:
        rows = {row["tensor"]: row for row in calib("info", self.dump)}
        self.assertEqual(list(rows), [*self.activations, *sorted(self.weights)])
        for name, row in rows.items():
            self.assertEqual(row["layout_rule"], "calibration-dump", f"{name}: a guess")
            self.assertEqual(row["readable"], "yes", name)
        for name in self.activations:
            self.assertEqual((rows[name]["role"], rows[name]["batches"], rows[name]["channel_axis"]),
                             ("activation", len(BATCH_SIZES), 1), name)
        self.assertEqual({name: rows[name]["channel_axis"] for name in self.weights},
                         {name: 1 if name == "up.weight" else 0 for name in self.weights})

    def scales(self, name: str, *options: str) -> dict[str, Any]:
        rows = calib("scales", self.dump, "--tensor", name, "--rows", "channel", *options)
        self.assertEqual(len(rows), 1)
        return rows[0]

    def test_scales_per_channel_are_those_of_the_observer(self) -> None:
        # The observer's divisor is half its integer range: 127.5 for -128 to 127, 127 for -127 to 127.
        for least, scheme, divisor in ((-128, "symmetric-full", "qmax+0.5"), (-127, "symmetric-restricted", "qmax")):
            for name, weight in self.weights.items():
                observer = PerChannelMinMaxObserver(ch_axis=1 if name == "up.weight" else 0, dtype=torch.qint8,
                                                    qscheme=torch.per_channel_symmetric, quant_min=least, quant_max=127)
                observer(weight)
                ours = self.scales(name, "--calibrator", f"min-max:divisor={divisor}", "--scheme", scheme,
                                   "--granularity", "channel")["channels"]["scale"]
                self.assertEqual(np.float32(ours).tolist(), observer.calculate_qparams()[0].tolist(), (name, scheme))

    def test_affine_scales_per_channel_are_those_of_the_observer(self) -> None:
        for name, weight in self.weights.items():
            observer = PerChannelMinMaxObserver(ch_axis=1 if name == "up.weight" else 0, dtype=torch.qint8,
                                                qscheme=torch.per_channel_affine)
            observer(weight)
            self.compare_affine(name, self.scales(name, "--calibrator", "min-max", "--scheme", "affine",
                                                  "--granularity", "channel")["channels"], observer)

    def test_scales_per_tensor_are_those_of_the_observer_that_saw_the_batches(self) -> None:
        for name, values in self.activations.items():
            for scheme in (torch.per_tensor_symmetric, torch.per_tensor_affine):
                observer = MinMaxObserver(dtype=torch.qint8, qscheme=scheme)
                for batch in values.split(BATCH_SIZES):
                    observer(batch)
                if scheme == torch.per_tensor_affine:
                    row = self.scales(name, "--calibrator", "min-max", "--scheme", "affine", "--granularity", "tensor")
                    self.compare_affine(name, row, observer)
                else:
                    row = self.scales(name, "--calibrator", "min-max:divisor=qmax+0.5", "--scheme", "symmetric-full",
                                      "--granularity", "tensor")
                    self.assertEqual(np.float32(row["scale"]), observer.calculate_qparams()[0].item(), name)

    def compare_affine(self, name: str, ours: dict[str, Any], observer: Any) -> None:
        scales, zero_points = observer.calculate_qparams()
        np.testing.assert_allclose(ours["scale"], scales.double(), rtol=AFFINE_TOLERANCE, err_msg=name)
        np.testing.assert_array_equal(ours["zero_point"], zero_points, err_msg=name)


MEMORY = """
import resource, sys, torch
from torch import nn
from record_torch import record
torch.set_num_threads(1)
network = nn.Sequential(*(nn.Conv2d(16, 16, 3, padding=1) for _ in range(4)))
record(network, (torch.randn(16, 16, 64, 64) for _ in range(int(sys.argv[1]))), sys.argv[2])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


class MemoryTest(RecordingTest):
    def peak_mib(self, batches: int) -> int:
        run = subprocess.run([sys.executable, "-c", MEMORY, str(batches), self.dump], check=True, capture_output=True)
        return int(run.stdout)

    def test_memory_does_not_grow_with_the_number_of_batches(self) -> None:
        # A batch records 5 tensors of 4 MiB. 24 further batches: 480 MiB if they were kept.
        few, many = self.peak_mib(4), self.peak_mib(28)
        self.assertGreater(self.dump.stat().st_size, 28 * 20 * 2**20)
        print(f"peak {few} MiB for 4 batches, {many} MiB for 28; the file has "
              f"{self.dump.stat().st_size // 2**20} MiB", file=sys.stderr)
        self.assertLess(many - few, 24)  # 5 tensors, and what the allocators round up
