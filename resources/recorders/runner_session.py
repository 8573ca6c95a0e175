"""A runner of `calib check` in the place of Python's onnxruntime.

    from record_onnx import record
    from runner_session import runner
    record("model.onnx", batches, "dump.h5", session=runner("node onnxruntime_node.js"))

The job's layout is described in resources/docs/deploy.md. Needs the packages onnx and numpy.
"""
from __future__ import annotations

import functools
import json
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx


def runner(command: str) -> Callable[[onnx.ModelProto, str], RunnerSession]:
    """For `session` of record(): each batch is one call of the command, in words as of a shell."""
    return functools.partial(RunnerSession, shlex.split(command))


class RunnerSession:
    """As far as record_onnx.py uses onnxruntime.InferenceSession."""

    def __init__(self, command: list[str], model: onnx.ModelProto, _folder: str = "") -> None:
        self._command = command
        self._model = model

    def get_outputs(self) -> list[Any]:
        return [SimpleNamespace(name=value.name) for value in self._model.graph.output]

    def run(self, _names: None, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        """The outputs, in their order. RuntimeError with the last line of a runner that fails."""
        with tempfile.TemporaryDirectory(prefix="calibscope-runner-") as name:
            folder = Path(name)
            (folder / "model.onnx").write_bytes(self._model.SerializeToString())
            batch: dict[str, list[dict[str, str]]] = {"feeds": [], "outputs": []}
            for index, (tensor, values) in enumerate(feeds.items()):
                np.save(folder / f"feed{index}.npy", np.ascontiguousarray(values))
                batch["feeds"].append({"name": tensor, "file": f"feed{index}.npy"})
            for index, output in enumerate(self.get_outputs()):
                batch["outputs"].append({"name": output.name, "file": f"output{index}.npy"})
            job = {"format": "calibscope-runner-job", "version": 1, "model": "model.onnx", "optimize": False,
                   "answer": "answer.json", "batches": [batch]}
            (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
            done = subprocess.run([*self._command, str(folder / "job.json")], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                lines = (done.stdout + done.stderr).split("\n")
                raise RuntimeError(next((line for line in reversed(lines) if line), f"exit code {done.returncode}"))
            return [np.load(folder / output["file"]) for output in batch["outputs"]]
