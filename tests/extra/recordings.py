"""What the tests of the recorder share: dumps read back, and what calib says of them."""
from __future__ import annotations

import json
import os
import subprocess
import tempfile
import unittest
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import torch
from torch import nn

from calibration_dump import RecordingWarning

X = torch.arange(24.0).reshape(4, 6) - 10


class Function(nn.Module):
    """A module of one's own that computes a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


class Chain(nn.Module):
    """Modules by name, called in turn."""

    def __init__(self, **modules: nn.Module) -> None:
        super().__init__()
        for name, module in modules.items():
            setattr(self, name, module)

    def forward(self, x: Any) -> Any:
        for module in list(self.children()):
            x = module(x)
        return x


class RecordingTest(unittest.TestCase):
    """A test with a folder and a dump in it."""

    def setUp(self) -> None:
        unexpected = warnings.catch_warnings()
        unexpected.__enter__()
        self.addCleanup(unexpected.__exit__, None, None, None)
        warnings.simplefilter("error", RecordingWarning)
        folder = tempfile.TemporaryDirectory(prefix="calibscope-recorder-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.dump = self.folder / "dump.h5"

    def recorded(self, *, everything: bool = False) -> dict[str, np.ndarray]:
        """All values, by path; without `everything` neither biases of layers nor what the network was fed."""
        values: dict[str, np.ndarray] = {}

        def take(group: h5py.Group, above: str) -> None:  # not visititems(), which visits of several links one
            for name, item in group.items():
                path = f"{above}{name}"
                if isinstance(item, h5py.Group):
                    take(item, f"{path}/")
                elif everything or not (path.startswith("feeds/") or item.attrs.get("role") == "bias"):
                    values[path] = item[()]

        with h5py.File(self.dump) as file:
            take(file, "")
        return values

    def attributes(self, path: str = "/") -> dict[str, Any]:
        with h5py.File(self.dump) as file:
            return {name: list(value) if isinstance(value, np.ndarray) else value
                    for name, value in file[path].attrs.items()}


def calib(subcommand: str, dump: Path, *options: str) -> list[dict[str, Any]]:
    """The rows of calib's table but those of biases and feeds, after a run without any complaint or warning."""
    command = [os.environ["CALIBSCOPE_CALIB"], subcommand, str(dump), "--format", "json", *options]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0 or run.stderr:
        raise AssertionError(f"{' '.join(command)}: exit code {run.returncode}\n{run.stderr}")
    content = json.loads(run.stdout)
    rows = content["outcomes"] if subcommand == "scales" else content
    return [row for row in rows if row.get("role") not in ("bias", "feed")]
