"""onnxruntime-node in the place of Python's onnxruntime: a session that runs a model through Calibscope's own runner."""
from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx

RUNNER = Path(__file__).resolve().parents[2] / "resources/runners/onnxruntime_node.js"


def is_there() -> bool:
    """Whether Node.js and its package are; where NODE_PATH says, or in the working directory."""
    call = ["node", "-e", "require(require.resolve('onnxruntime-node', {paths: [process.cwd()]}))"]
    try:
        return subprocess.run(call, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


class NodeSession:
    """As far as record_onnx.py uses onnxruntime.InferenceSession."""

    def __init__(self, model: onnx.ModelProto, _folder: str) -> None:
        self._model = model

    def get_outputs(self) -> list[Any]:
        return [SimpleNamespace(name=value.name) for value in self._model.graph.output]

    def run(self, _names: None, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "model.onnx").write_bytes(self._model.SerializeToString())
            told: dict[str, list[dict[str, str]]] = {"feeds": [], "outputs": []}
            for place, (tensor, values) in enumerate(feeds.items()):
                np.save(folder / f"feed{place}.npy", values)
                told["feeds"].append({"name": tensor, "file": f"feed{place}.npy"})
            for place, output in enumerate(self.get_outputs()):
                told["outputs"].append({"name": output.name, "file": f"output{place}.npy"})
            job = {"format": "calibscope-runner-job", "version": 1, "model": "model.onnx", "optimize": False,
                   "answer": "answer.json", "batches": [told]}
            (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
            done = subprocess.run(["node", os.fspath(RUNNER), os.fspath(folder / "job.json")], capture_output=True,
                                  text=True, check=False)
            if done.returncode != 0:
                raise RuntimeError(done.stdout + done.stderr)
            return [np.load(folder / output["file"]) for output in told["outputs"]]
