#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_operands.py FORMATS.json OCR_DET.h5: writes operands.json, the searches over a layer's operands that FORMATS.json has of other tools,
and adds the detector's activation that they took to format_conv2d_415.h5, as [positions, channels]."""
import json
import sys

import h5py
import numpy

NAMES = ("awq", "Awq", "AWQ", "smooth", "Smooth")
KEPT = ("output_mse_by_alpha", "best_alpha", "ratio_counts", "ratios_first", "output_sqnr_db", "output_sqnr_db_by_alpha", "scales_first", "input_amax")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        whole = json.load(file)
    results = [{"tool": entry["tool"], "function": entry["function"], "input": entry["input"].split(" ")[0], "options": entry["options"],
                "result": {key: value for key, value in entry["result"].items() if key in KEPT}}
               for entry in whole["results"]
               if any(name in entry["function"] for name in NAMES) and entry["input"].startswith(("format_operands", "ocr_det.h5 "))
               and ":" not in entry["input"].split(" ")[0]]
    with open("operands.json", "w", encoding="utf-8") as file:
        file.write('{"about":"Searches over the operands of a layer, by other tools\' own code and (tool reference) in NumPy: of formats.json.",\n"results":[\n')
        file.write(",\n".join(json.dumps(entry, separators=(",", ":")) for entry in results) + "]}\n")
    with h5py.File(sys.argv[2], "r") as dump:
        values = dump["activations/p2o.Mul.111"][:]
    rows = numpy.ascontiguousarray(values.transpose(0, 2, 3, 1).reshape(-1, values.shape[1])[:256]).astype("float32")
    with h5py.File("format_conv2d_415.h5", "a") as out:
        if "activations" not in out:
            out.create_dataset("activations/p2o.Mul.111", data=rows, compression="gzip", shuffle=True, compression_opts=9).attrs["layout"] = "NC"


main()
