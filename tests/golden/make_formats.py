#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_formats.py FORMATS.json > formats.json: what other tools give under number formats, of a size that a repository can hold.

FORMATS.json was made by the tools' own code (its `provenance`), tool "reference" by NumPy. Results of one function under the same options stand
together. Kept are digests, cut to 16 digits, mean squared errors, bytes of scales; left out is what shows the first values of an array.
"""
import hashlib
import json
import math
import struct
import sys

KEPT = ("dequantized_sha256", "weight_sha256", "codes_sha256", "scales_sha256", "tensor_scale", "mse", "bytes", "rows", "equal_to_ml_dtypes", "of", "differs", "amax", "error")

ABOUT = """What quantizers for float and block formats give: other tools' own code run on the inputs beside this file, and (tool 'reference') the
definitions of resources/docs/number-formats.md in NumPy. dequantized_sha256: of the float32 little-endian values in row-major order, -0 written
as 0, NaN as 7fc00000. codes_sha256: of one byte for each element. scales: E8M0 and E4M3 as their bytes, others float32; scales_sha256 of the
little-endian array. Digests: their first 16 digits. mse over finite pairs, in double.""".replace("\n", " ")


def digest_of(values):
    floats = [float(value) for value in values]
    patterns = [0x7FC00000 if math.isnan(value) else struct.unpack("<I", struct.pack("<f", value + 0.0))[0] for value in floats]
    return hashlib.sha256(struct.pack(f"<{len(patterns)}I", *patterns)).hexdigest()


def reduced(value, key=""):
    if isinstance(value, dict):
        if key == "rows" and "values" in value:
            value = value | {"dequantized_sha256": digest_of(value["values"])}
        return {name: reduced(member, name) for name, member in value.items() if name in KEPT or (key == "rows" and name == "scales")}
    if isinstance(value, list):
        return [reduced(member, key) for member in value]
    return value[:16] if key.endswith("sha256") else value


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        whole = json.load(file)
    groups = {}
    for entry in whole["results"]:
        options = dict(entry["options"])
        rows = options.pop("rows", "")
        group = groups.setdefault(json.dumps([entry["tool"], entry["function"], options]), [])
        group.append({"input": entry["input"], "rows": rows} | reduced(entry["result"]))
    lists = {"groups": [dict(zip(("tool", "function", "options"), json.loads(key))) | {"results": results} for key, results in groups.items()]}
    kept = {"about": ABOUT} | {key: whole[key] for key in ("provenance", "patterns", "rounding", "scale_probes", "inputs")}
    text = json.dumps(kept, separators=(",", ":"))[:-1]
    for key, entries in lists.items():
        text += ',\n"' + key + '":[\n' + ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries) + "]"
    print(text + "}")


main()
