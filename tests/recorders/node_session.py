"""onnxruntime-node in the place of Python's onnxruntime, through Calibscope's own runner."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
RUNNER = RESOURCES / "runners/onnxruntime_node.js"
sys.path.insert(0, str(RESOURCES / "recorders"))
from runner_session import runner  # noqa: E402


def is_there() -> bool:
    """Whether Node.js and its package are; where NODE_PATH says, or in the working directory."""
    call = ["node", "-e", "require(require.resolve('onnxruntime-node', {paths: [process.cwd()]}))"]
    try:
        return subprocess.run(call, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


NodeSession = runner(f"node '{RUNNER}'")
