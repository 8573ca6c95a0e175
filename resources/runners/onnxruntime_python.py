#!/usr/bin/env python3
"""Runs a job of `calib check` with Python's onnxruntime:

    calib check MODEL.onnx QUANTIZED.onnx DUMP --runner "python3 onnxruntime_python.py"

Needs the packages onnxruntime and numpy.
"""
from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def run(job_file: Path) -> None:
    job = json.loads(job_file.read_text(encoding="utf-8"))
    if job.get("format") != "calibscope-runner-job" or job.get("version") != 1:
        raise ValueError("this runner knows jobs of version 1")
    import numpy as np
    import onnxruntime

    folder = job_file.resolve().parent
    options = onnxruntime.SessionOptions()
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_ENABLE_ALL if job["optimize"] else levels.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        str(folder / job["model"]), sess_options=options, providers=["CPUExecutionProvider"]
    )
    seconds = []
    for batch in job["batches"]:
        feeds = {feed["name"]: np.load(folder / feed["file"], allow_pickle=False) for feed in batch["feeds"]}
        start = time.perf_counter()
        values = session.run([output["name"] for output in batch["outputs"]], feeds)
        seconds.append(time.perf_counter() - start)
        for output, value in zip(batch["outputs"], values):
            array = np.asarray(value)
            if array.dtype.kind not in "biuf":
                raise ValueError(f"output {output['name']} is of type {array.dtype}, which is not a number")
            file = folder / output["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            # np.ascontiguousarray() would make a single element a row of one.
            np.save(file, array if array.flags.c_contiguous else array.copy(order="C"), allow_pickle=False)
    answer = {"runtime": f"onnxruntime {onnxruntime.__version__}", "batch_seconds": seconds}
    (folder / job["answer"]).write_text(json.dumps(answer), encoding="utf-8")


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: onnxruntime_python.py JOB.json", file=sys.stderr)
        return 2
    try:
        run(Path(sys.argv[1]))
    except Exception as error:  # whatever the runtime throws is reported as one line
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
